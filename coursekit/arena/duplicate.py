"""The duplicate tournament: all strategies play the same deals from every seat.

All have the same luck in the cards, so the rest of the difference is the strategies' own.
"""

import sys
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from itertools import islice
from typing import Any

from coursekit.arena.deals import PRINTED, ArenaError, Job, Played, Statistics, play_deal
from coursekit.arena.result import Result
from coursekit.arena.seatings import SEATINGS, Seating, lineups
from coursekit.arena.statistics import Samples
from coursekit.core import strategy_methods
from coursekit.core.chance import new_seed
from coursekit.core.errors import LocalizedError
from coursekit.core.game import Game
from coursekit.core.strategy import Strategy
from coursekit.core.strategy_output import Bounded
from coursekit.words.texts import LANGUAGES, shorten, text

MOST_MATCHES = 2000
"""Maximum matches of one deal."""


def duplicate(
    game: Game[Any, Any, Any],
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
    return tournaments(
        [game],
        strategies,
        deals,
        seed,
        seating=seating,
        statistics=statistics,
        after=after,
        processes=processes,
        progress=progress,
        language=language,
    )[0]


def tournaments(
    games: Sequence[Game[Any, Any, Any]],
    strategies: Sequence[type[Strategy]],
    deals: int,
    seed: str | int | None,
    *,
    seating: Seating,
    statistics: Statistics | None,
    processes: int,
    progress: bool,
    language: str,
    after: Result | None = None,
) -> list[Result]:
    """Return the result of :func:`duplicate` for each of *games*, all with the same seed.

    Of several nothing is kept if they are interrupted.
    """
    try:
        _check(strategies, deals, processes, language, seating)
        with redirect_stdout(Bounded(sys.stdout, PRINTED, language, "arena.printed")):
            seed = after.seed if after else new_seed() if seed is None else str(seed)
            jobs = [
                Job(game, lineups(strategies, game.players, seating), seed, statistics)
                for game in games
            ]
            for kind in strategies:
                strategy_methods.warn(kind, Strategy, games[0], language)
            if (most := len(jobs[0].lineups)) > MOST_MATCHES:
                raise ArenaError("arena.many", got=most, most=MOST_MATCHES)
            if after and (repr(after.game), after.lineups) != (
                repr(games[0]),
                tuple(jobs[0].lineups),
            ):
                raise ArenaError("arena.other")
            left = range(after.deals if after else 0, deals)
            played = _bar(
                _all_deals(jobs, left, processes, language),
                len(left) * len(jobs),
                progress,
                language,
            )
            results = []
            for job in jobs:
                numbers, done = _gathered(job, islice(played, len(left)), after, len(jobs) == 1)
                if done < deals:
                    print(text("arena.interrupted", language, done=done, deals=deals))
                    played = iter(())
                results.append(
                    Result(job.game, done, tuple(job.lineups), seed, language, numbers, seating)
                )
            next(played, None)  # now the bar is full, and closed
            return results
    except LocalizedError as error:
        error.tell(language)
        raise


def _gathered(
    job: Job, deals: Iterator[Played], after: Result | None, keep: bool
) -> tuple[Samples, int]:
    """Return the numbers of *deals*, behind those of *after*, and of how many deals they are.

    :param keep: whether to return what there is when somebody interrupts.
    """
    numbers: Samples = {kind.__name__: {} for lineup in job.lineups for kind in lineup}
    for strategy, found in after.numbers.items() if after else ():
        numbers[strategy] = {name: list(sat) for name, sat in found.items()}
    done = after.deals if after else 0
    try:
        for played in deals:
            together: dict[tuple[str, str], list[float]] = {}
            for lineup, each in zip(job.lineups, played, strict=True):
                for name, by_seat in each.items():
                    for kind, number in zip(lineup, by_seat, strict=True):
                        together.setdefault((kind.__name__, name), []).append(number)
            for (strategy, name), sittings in together.items():
                numbers[strategy].setdefault(name, []).append(tuple(sittings))
            done += 1
    except KeyboardInterrupt:
        if not (keep and done):
            raise
        for found in numbers.values():  # it may have come in the middle of a deal
            for sat in found.values():
                del sat[done:]
    return numbers, done


def _check(
    strategies: Sequence[type[Strategy]], deals: int, processes: int, language: str, seating: str
) -> None:
    text("arena.deals", language)  # raises for a language the kit does not have
    if not isinstance(strategies, Sequence) or not strategies:
        raise ArenaError("arena.no_strategies", got=shorten(strategies))
    for kind in strategies:
        if not isinstance(kind, type) or not issubclass(kind, Strategy):
            made = isinstance(kind, Strategy)
            if made:
                raise ArenaError("arena.instance", got=type(kind).__name__)
            raise ArenaError("arena.no_strategy", got=shorten(kind))
    names = {kind.__name__: kind for kind in strategies}
    for kind in strategies:
        if names[kind.__name__] is not kind:
            raise ArenaError("arena.same_name", got=kind.__name__)
    if seating not in SEATINGS:
        raise ArenaError(
            "arena.wrong_seating", got=shorten(seating), allowed=", ".join(map(repr, SEATINGS))
        )
    if seating in ("pairs", "field") and len(names) < 2:
        raise ArenaError("arena.two", got=seating)
    for option, value in (("deals", deals), ("processes", processes)):
        if type(value) is not int or value < 1:
            raise ArenaError("arena.too_few", option=option, got=shorten(value))


def _all_deals(
    jobs: Sequence[Job], deals: range, processes: int, language: str
) -> Iterator[Played]:
    """Yield what :func:`.play_deal` returns for each deal of each job, in order."""
    each = [(job, deal) for job in range(len(jobs)) for deal in deals]
    if processes == 1 or sys.platform == "emscripten":  # no page of the site has processes
        return (play_deal(jobs[job], deal) for job, deal in each)
    from coursekit.arena.workers import by_workers  # here, since few notebooks ask for it

    return by_workers(jobs, each, processes, language)


def _bar(steps: Iterator[Any], deals: int, progress: bool, language: str) -> Iterator[Any]:
    if not progress:
        return steps
    from tqdm import tqdm  # as text: a widget would not survive a dashboard's restart

    return iter(tqdm(steps, total=deals, desc=text("arena.deals", language), leave=False))
