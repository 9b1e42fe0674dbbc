"""The duplicate tournament: all strategies play the same deals from every seat.

All have the same luck in the cards, so the rest of the difference is the strategies' own.
"""

import sys
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from itertools import islice
from typing import Any, NamedTuple

from coursekit.arena.deals import (
    PRINTED,
    ArenaError,
    DealNumbers,
    Job,
    Statistics,
    collect_numbers,
    play_deal,
)
from coursekit.arena.result import Result
from coursekit.arena.seatings import SEATINGS, Seating, lineups
from coursekit.arena.statistics import Samples
from coursekit.core import strategy_methods
from coursekit.core.chance import new_seed
from coursekit.core.errors import LocalizedError
from coursekit.core.game import AnyGame
from coursekit.core.strategy import Strategy
from coursekit.core.strategy_output import BoundedOutput
from coursekit.words.texts import LANGUAGES, shorten, text

MOST_MATCHES = 2000
"""Maximum matches of one deal."""


def duplicate(
    game: AnyGame,
    strategies: Sequence[type[Strategy]],
    deals: int = 100,
    seed: str | int | None = None,
    *,
    seating: Seating = "rotate",
    statistics: Statistics | None = None,
    after: Result | None = None,
    processes: int = 1,
    progress: bool = True,
    language: str = LANGUAGES[0],
) -> Result:
    """Play the same *deals* with *strategies* in every seat and return the result.

    The list is repeated until all seats are filled.  Then it moves on by one seat until each
    strategy has sat in each seat once: *n* strategies play *n* matches a deal.  A class that
    is in the list twice sits twice; a list of one plays against itself.

    Other seatings: ``"pairs"`` lets every two strategies meet, in the even and the odd seats and
    then the other way round (in Wikipedia and Books these are the teams); ``"field"`` seats the
    first alone against each of the others; ``"all"`` plays every way to fill the seats, so *n* to
    the power of the players.

    ``result.match(d)`` plays a match of deal *d* again. The result is the same for any number of
    processes. A tournament that is interrupted returns the deals it has.

    :param deals: number of deals, at least 1.
    :param seating: ``"rotate"``, ``"pairs"``, ``"field"`` or ``"all"``.
    :param seed: any text or number; ``None`` for a new one.
    :param statistics: returns more numbers to collect from each match, such as
        ``coursekit.games.wizard.strategies.bids_met``.
    :param after: a result of the same tournament to go on with: its seed is kept, and *deals*
        counts its deals too.
    :param processes: number of processes that share the work, at least 1.
    :param progress: whether to show a progress bar.
    :param language: of the bar, and by default of the table and the plot.
    :raises ArenaError: a ``ValueError`` saying what cannot be played.
    :raises StrategyError: naming the strategy and its line, if one raises or plays nonsense.
    """
    games = [game]
    setup = Setup(strategies, deals, seed, seating, statistics, processes, progress, language)
    return play_tournaments(games, setup, after)[0]


class Setup(NamedTuple):
    """What all tournaments of :func:`play_tournaments` have in common; see :func:`duplicate`."""

    strategies: Sequence[type[Strategy]]
    deals: int
    seed: str | int | None
    seating: Seating
    statistics: Statistics | None
    processes: int
    progress: bool
    language: str


def play_tournaments(
    games: Sequence[AnyGame], setup: Setup, after: Result | None = None
) -> list[Result]:
    """Return the result of :func:`duplicate` for each of *games*, all with the same seed.

    Several tournaments that are interrupted return nothing.
    """
    strategies, language = setup.strategies, setup.language
    try:
        _check(setup)
        with redirect_stdout(BoundedOutput(sys.stdout, PRINTED, language, "arena.printed")):
            seed = after.seed if after else setup.seed
            seed = new_seed() if seed is None else str(seed)
            jobs = []
            for game in games:
                seatings = lineups(strategies, game.players, setup.seating)
                jobs.append(Job(game, seatings, seed, setup.statistics))
            for strategy in strategies:
                strategy_methods.warn(strategy, Strategy, games[0], language)
            _check_job(jobs[0], after)
            to_play = range(after.deals if after else 0, setup.deals)
            played = _play_deals(jobs, to_play, setup.processes, language)
            if setup.progress:
                played = _show_progress(played, len(to_play) * len(jobs), language)
            results = []
            for job in jobs:
                own = islice(played, len(to_play))
                samples, more, done = _collect_samples(job, own, after, alone=len(jobs) == 1)
                if done < setup.deals:
                    print(text("arena.interrupted", language, done=done, deals=setup.deals))
                    played = iter(())
                seated = tuple(job.lineups)
                results.append(
                    Result(job.game, done, seated, seed, language, samples, setup.seating, more)
                )
            next(played, None)  # now the bar is full, and closed
            return results
    except LocalizedError as error:
        error.tell(language)
        raise


def _check_job(job: Job, after: Result | None) -> None:
    if len(job.lineups) > MOST_MATCHES:
        raise ArenaError("arena.many", got=len(job.lineups), most=MOST_MATCHES)
    if after is None:
        return
    if repr(after.game) != repr(job.game) or after.lineups != tuple(job.lineups):
        raise ArenaError("arena.other")


def _collect_samples(
    job: Job, deals: Iterator[DealNumbers], after: Result | None, alone: bool
) -> tuple[Samples, Samples, int]:
    """Return the numbers of *deals*, behind those of *after*, and how many deals they are.

    First come the numbers of the table, then those that only a frame has.

    :param alone: whether this tournament is the only one, so that an interrupted one has a result.
    """
    names = [tuple(strategy.__name__ for strategy in lineup) for lineup in job.lineups]
    samples: Samples = {name: {} for lineup in names for name in lineup}
    more: Samples = {name: {} for name in samples}
    done = 0
    if after:
        done = after.deals
        for collected, earlier in ((samples, after.numbers), (more, after.more)):
            for name, by_statistic in earlier.items():
                collected[name] = {key: list(sample) for key, sample in by_statistic.items()}
    try:
        for deal in deals:
            for collected, of_deal in ((samples, deal.shown), (more, deal.more)):
                for name, numbers in collect_numbers(names, of_deal).items():
                    for statistic, number in numbers.items():
                        collected[name].setdefault(statistic, []).append(number)
            done += 1
    except KeyboardInterrupt:
        if not (alone and done):
            raise
        # It may have come between the strategies of a deal.
        for own in (*samples.values(), *more.values()):
            for sample in own.values():
                del sample[done:]
    return samples, more, done


def _check(setup: Setup) -> None:
    strategies, seating = setup.strategies, setup.seating
    text("arena.deals", setup.language)  # raises for a language the kit does not have
    if not isinstance(strategies, Sequence) or not strategies:
        raise ArenaError("arena.no_strategies", got=shorten(strategies))
    by_name: dict[str, type[Strategy]] = {}
    for strategy in strategies:
        if isinstance(strategy, Strategy):
            raise ArenaError("arena.instance", got=type(strategy).__name__)
        if not isinstance(strategy, type) or not issubclass(strategy, Strategy):
            raise ArenaError("arena.no_strategy", got=shorten(strategy))
        if by_name.setdefault(strategy.__name__, strategy) is not strategy:
            raise ArenaError("arena.same_name", got=strategy.__name__)
    if seating not in SEATINGS:
        allowed = ", ".join(map(repr, SEATINGS))
        raise ArenaError("arena.wrong_seating", got=shorten(seating), allowed=allowed)
    if seating in ("pairs", "field") and len(by_name) < 2:
        raise ArenaError("arena.two", got=seating)
    for option, value in (("deals", setup.deals), ("processes", setup.processes)):
        if type(value) is not int or value < 1:
            raise ArenaError("arena.too_few", option=option, got=shorten(value))


def _play_deals(
    jobs: Sequence[Job], deals: range, processes: int, language: str
) -> Iterator[DealNumbers]:
    """Yield what :func:`.play_deal` returns for each deal of each job, in order."""
    tasks = [(job, deal) for job in range(len(jobs)) for deal in deals]
    if processes == 1 or sys.platform == "emscripten":  # no page of the site has processes
        return (play_deal(jobs[job], deal) for job, deal in tasks)
    from coursekit.arena.workers import play_with_workers  # here, since few notebooks ask for it

    return play_with_workers(jobs, tasks, processes, language)


def _show_progress(steps: Iterator[Any], total: int, language: str) -> Iterator[Any]:
    from tqdm import tqdm  # as text: a widget would not survive a dashboard's restart

    return iter(tqdm(steps, total=total, desc=text("arena.deals", language), leave=False))
