"""The duplicate tournament: all strategies play the same deals from every seat.

All have the same luck in the cards, so the rest of the difference is the strategies' own.
"""

import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from itertools import islice
from time import monotonic
from typing import NamedTuple

from coursekit.arena.deals import (
    ArenaError,
    DealNumbers,
    Job,
    Statistics,
    collect_numbers,
    play_deal,
)
from coursekit.arena.progress import PATIENCE, Progress
from coursekit.arena.result import Result
from coursekit.arena.seatings import SEATINGS, Seating, lineups
from coursekit.arena.single_match import Entrant, find_strategies
from coursekit.arena.statistics import Samples, is_clear
from coursekit.cells.environment import on_page
from coursekit.core.chance import new_seed
from coursekit.core.errors import LocalizedError
from coursekit.core.game import AnyGame
from coursekit.core.lasting_state import keeps_state
from coursekit.core.strategy import Strategy, check_strategy
from coursekit.core.strategy_output import bound_output
from coursekit.core.surroundings import kept_chance
from coursekit.words.characters import drawn_part
from coursekit.words.language import current_language
from coursekit.words.texts import shorten, text

WORTH_SHARING = 3.0
"""Seconds left from which on other processes are worth their start."""
MOST_MATCHES = 2000
"""Maximum matches of one deal."""


def duplicate(
    game: AnyGame,
    strategies: Sequence[Entrant],
    deals: int = 100,
    seed: str | int | None = None,
    *,
    seating: Seating = "rotate",
    statistics: Statistics | None = None,
    after: Result | None = None,
    processes: int | None = None,
    progress: bool = True,
    until_clear: bool = False,
    language: str | None = None,
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
    :param processes: number of processes that share the work. By default the computer's cores do,
        as soon as more than :data:`WORTH_SHARING` seconds are left; not on a page.
    :param strategies: classes, or names of the kit's: ``"Cautious"``, or as a table says it.
    :param progress: whether to show, once it takes more than :data:`PATIENCE` seconds, how far it
        is and how far ahead the first strategy is so far.
    :param until_clear: whether to stop as soon as it is clear how the first strategy compares with
        each other. It looks after 10, 20, 40, … deals, and asks for so much evidence that chance
        alone would stop one tournament in :data:`FALSE_STOPS`.
    :param language: of the bar, and by default of the table and the plot.
    :raises ArenaError: a ``ValueError`` saying what cannot be played.
    :raises StrategyError: naming the strategy and its line, if one raises or plays nonsense.
    """
    language = language or current_language()
    games = [game]
    setup = Setup(
        strategies, deals, seed, seating, statistics, processes, progress, language, until_clear
    )
    return play_tournaments(games, setup, after)[0]


class Setup(NamedTuple):
    """What all tournaments of :func:`play_tournaments` have in common; see :func:`duplicate`."""

    strategies: Sequence[Entrant]
    deals: int
    seed: str | int | None
    seating: Seating
    statistics: Statistics | None
    processes: int | None
    progress: bool
    language: str
    until_clear: bool = False


def play_tournaments(
    games: Sequence[AnyGame], setup: Setup, after: Result | None = None
) -> list[Result]:
    """Return the result of :func:`duplicate` for each of *games*, all with the same seed.

    Several tournaments that are interrupted return nothing.
    """
    language = setup.language
    try:
        strategies = _check(games[0], setup)
        with bound_output("arena.printed", language), kept_chance():
            seed = after.seed if after else setup.seed
            seed = new_seed() if seed is None else str(seed)
            jobs = []
            for game in games:
                seatings = lineups(strategies, game.players, setup.seating)
                jobs.append(Job(game, seatings, seed, setup.statistics))
            for strategy in strategies:
                check_strategy(strategy, games[0], language)
            _check_job(jobs[0], after)
            to_play = range(after.deals if after else 0, setup.deals)
            results = []
            with (
                closing(_play_deals(jobs, to_play, setup.processes, language)) as played,
                Progress(len(to_play) * len(jobs), language, shown=setup.progress) as progress,
            ):
                for job in jobs:
                    own = islice(played, len(to_play))
                    results.append(
                        _collect_result(job, own, setup, after, progress, alone=len(jobs) == 1)
                    )
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


def _collect_result(
    job: Job,
    deals: Iterator[DealNumbers],
    setup: Setup,
    after: Result | None,
    progress: Progress,
    *,
    alone: bool,
) -> Result:
    """Return the result of *deals*, behind those of *after*.

    :param alone: whether this tournament is the only one, so that an interrupted one has a result.
    :raises KeyboardInterrupt: if it is interrupted before the first deal, or is one of several.
    """
    names = [tuple(strategy.__name__ for strategy in lineup) for lineup in job.lineups]
    shown: Samples = {name: {} for lineup in names for name in lineup}
    more: Samples = {name: {} for name in shown}
    if after:
        for samples, earlier in ((shown, after.numbers), (more, after.more)):
            for name, by_statistic in earlier.items():
                samples[name] = {key: list(sample) for key, sample in by_statistic.items()}
    seated = tuple(job.lineups)
    done = after.deals if after else 0

    def result() -> Result:
        return Result(job.game, done, seated, job.seed, setup.language, shown, setup.seating, more)

    try:
        for deal in deals:
            for samples, of_deal in ((shown, deal.shown), (more, deal.more)):
                for name, numbers in collect_numbers(names, of_deal).items():
                    for statistic, number in numbers.items():
                        samples[name].setdefault(statistic, []).append(number)
            done += 1
            progress.add(result)
            if setup.until_clear and is_clear(result(), setup.deals):
                progress.say(text("arena.clear", setup.language, done=done, deals=setup.deals))
                break
    except KeyboardInterrupt:
        if not (alone and done):
            raise
        # It may have come between the strategies of a deal.
        for own in (*shown.values(), *more.values()):
            for sample in own.values():
                del sample[done:]
        progress.say(text("arena.interrupted", setup.language, done=done, deals=setup.deals))
    return result()


def _check(game: AnyGame, setup: Setup) -> list[type[Strategy]]:
    """Return the strategies of *setup*, if it can be played."""
    seating = setup.seating
    text("arena.deals", setup.language)  # raises for a language the kit does not have
    strategies = find_strategies(game, setup.strategies, setup.language)
    by_name: dict[str, type[Strategy]] = {}
    for strategy in strategies:
        if by_name.setdefault(drawn_part(strategy.__name__), strategy) is not strategy:
            raise ArenaError("arena.same_name", got=strategy.__name__)
    if seating not in SEATINGS:
        allowed = ", ".join(map(repr, SEATINGS))
        raise ArenaError("arena.wrong_seating", got=shorten(seating), allowed=allowed)
    if seating in ("pairs", "field") and len(by_name) < 2:
        raise ArenaError("arena.two", got=seating)
    processes = 1 if setup.processes is None else setup.processes
    for option, value in (("deals", setup.deals), ("processes", processes)):
        if type(value) is not int or value < 1:
            raise ArenaError("arena.too_few", option=option, got=shorten(value))
    return strategies


def _play_deals(
    jobs: Sequence[Job], deals: range, processes: int | None, language: str
) -> Generator[DealNumbers, None, None]:
    """Yield what :func:`.play_deal` returns for each deal of each job, in order."""
    tasks = [(job, deal) for job in range(len(jobs)) for deal in deals]
    alone = processes is None and on_page()  # a server has many pages
    if processes == 1 or alone or sys.platform == "emscripten":  # no page of the site has processes
        return (play_deal(jobs[job], deal) for job, deal in tasks)
    if processes is None:
        return _play_and_share(jobs, tasks, language)
    from coursekit.arena.workers import play_with_workers  # here, since few notebooks ask for it

    return play_with_workers(jobs, tasks, processes, language)


def _play_and_share(
    jobs: Sequence[Job], tasks: Sequence[tuple[int, int]], language: str
) -> Generator[DealNumbers, None, None]:
    """Yield what :func:`.play_deal` returns for each of *tasks*, with other processes if it pays.

    A statistic of a learner may note what it has seen, and a strategy go on with what it has
    learned; that stays in this process.
    """
    begun = monotonic()
    may_share = jobs[0].statistics is None
    for done, (job, deal) in enumerate(tasks, 1):
        yield play_deal(jobs[job], deal)
        spent = monotonic() - begun
        left = spent / done * (len(tasks) - done)
        if not may_share or spent < PATIENCE or left < WORTH_SHARING:
            continue
        from coursekit.arena.workers import count_cores, is_sendable, play_with_workers

        keeps = keeps_state(kind for lineup in jobs[0].lineups for kind in lineup)
        may_share = count_cores() > 1 and not keeps and is_sendable(jobs)
        if may_share:
            yield from play_with_workers(jobs, tasks[done:], count_cores(), language)
            return
