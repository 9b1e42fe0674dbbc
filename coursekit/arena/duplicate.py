"""The duplicate tournament: all strategies play the same deals from every seat.

All have the same luck in the cards, so the rest of the difference is the strategies' own.
"""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from signal import SIG_IGN, SIGINT, signal
from typing import Any, NamedTuple

from coursekit.arena.result import Result, Samples
from coursekit.core import methods
from coursekit.core.chance import new_seed
from coursekit.core.errors import Spoken
from coursekit.core.game import Game
from coursekit.core.match import Match, play_out
from coursekit.core.printed import Bounded
from coursekit.core.strategy import Strategy
from coursekit.words.texts import LANGUAGES, brief, text

PRINTED = 10_000
"""Maximum characters that are printed in a tournament."""

Statistics = Callable[[Match], Mapping[str, Sequence[float]]]
"""Takes a finished match; returns name -> one number per seat."""


class ArenaError(Spoken, ValueError):
    """A tournament that cannot be played as asked."""

    def __init__(self, text: str, **values: Any) -> None:
        super().__init__("", text, **values)


class _Job(NamedTuple):
    """What every process needs to play any of the deals."""

    game: Game[Any, Any, Any]
    lineups: list[tuple[type[Strategy], ...]]
    seed: str
    statistics: Statistics | None


def duplicate(
    game: Game[Any, Any, Any],
    strategies: Sequence[type[Strategy]],
    deals: int = 100,
    seed: str | int | None = None,
    *,
    statistics: Statistics | None = None,
    processes: int = 1,
    progress: bool = True,
    language: str = LANGUAGES[0],
) -> Result:
    """Play the same *deals* with *strategies* in every seat and return the result.

    The list is repeated until all seats are filled.  Then it moves on by one seat until each
    strategy has sat in each seat once: *n* strategies play *n* matches a deal.  A class that
    is in the list twice sits twice; a list of one plays against itself.

    To see a match again, replay deal *d* with ``play_out(game, lineup, f"{result.seed}/{d}")``.
    The result is the same for any number of processes.

    :param deals: number of deals, at least 1.
    :param seed: any text or number; ``None`` for a new one.
    :param statistics: returns more numbers to collect from each match, such as
        ``coursekit.games.wizard.strategies.bids_met``.
    :param processes: number of processes that share the work, at least 1.
    :param progress: whether to show a progress bar.
    :param language: of the bar, and by default of the table and the plot.
    :raises ArenaError: a ``ValueError`` saying what cannot be played.
    :raises StrategyError: naming the strategy and its line, if one raises or plays nonsense.
    """
    try:
        _check(strategies, deals, processes, language)
        with redirect_stdout(Bounded(sys.stdout, PRINTED // processes, language, "arena.printed")):
            return _played(game, strategies, deals, seed, statistics, processes, progress, language)
    except Spoken as error:
        error.tell(language)
        raise


def _played(
    game: Game[Any, Any, Any], strategies: Sequence[type[Strategy]], deals: int, seed: str | int | None,
    statistics: Statistics | None, processes: int, progress: bool, language: str,
) -> Result:  # fmt: skip
    seed = new_seed() if seed is None else str(seed)
    job = _Job(game, lineups(strategies, game.players), seed, statistics)
    numbers: Samples = {kind.__name__: {} for kind in strategies}
    for kind in strategies:
        methods.warn(kind, Strategy, game, language)
    for played in _bar(_all_deals(job, deals, processes), deals, progress, language):
        together: dict[tuple[str, str], list[float]] = {}
        for lineup, found in zip(job.lineups, played, strict=True):
            for name, by_seat in found.items():
                for kind, number in zip(lineup, by_seat, strict=True):
                    together.setdefault((kind.__name__, name), []).append(number)
        for (strategy, name), sittings in together.items():
            numbers[strategy].setdefault(name, []).append(tuple(sittings))
    return Result(game, deals, len(job.lineups), seed, language, numbers)


def lineups(strategies: Sequence[type[Strategy]], players: int) -> list[tuple[type[Strategy], ...]]:
    """Return the seating of each match of a deal, with each strategy in each seat equally often.

    >>> lineups(["A", "B", "C"], players=4)
    [('A', 'B', 'C', 'A'), ('B', 'C', 'A', 'B'), ('C', 'A', 'B', 'C')]
    >>> lineups(["A", "A", "A"], players=4)
    [('A', 'A', 'A', 'A')]
    """
    kinds, n = list(strategies), len(strategies)
    period = next(p for p in range(1, n + 1) if n % p == 0 and kinds == kinds[:p] * (n // p))
    return [tuple(kinds[(first + seat) % n] for seat in range(players)) for first in range(period)]


def _check(strategies: Sequence[type[Strategy]], deals: int, processes: int, language: str) -> None:
    text("arena.deals", language)  # raises for a language the kit does not have
    if not isinstance(strategies, Sequence) or not strategies:
        raise ArenaError("arena.no_strategies", got=brief(strategies))
    for kind in strategies:
        if not isinstance(kind, type) or not issubclass(kind, Strategy):
            made = isinstance(kind, Strategy)
            if made:
                raise ArenaError("arena.instance", got=type(kind).__name__)
            raise ArenaError("arena.no_strategy", got=brief(kind))
    names = {kind.__name__: kind for kind in strategies}
    for kind in strategies:
        if names[kind.__name__] is not kind:
            raise ArenaError("arena.same_name", got=kind.__name__)
    for option, value in (("deals", deals), ("processes", processes)):
        if type(value) is not int or value < 1:
            raise ArenaError("arena.too_few", option=option, got=brief(value))


def _play_deal(job: _Job, deal: int) -> list[dict[str, Sequence[float]]]:
    """Return for each lineup: statistic -> one number per seat."""
    played = []
    for lineup in job.lineups:
        match = play_out(job.game, lineup, f"{job.seed}/{deal}")
        won = job.game.winners(match.state)
        found: dict[str, Sequence[float]] = {
            "points": job.game.scores(match.state),
            "wins": [100 * (seat in won) for seat in job.game.seats],
        }
        if job.statistics:
            found |= job.statistics(match)
        for name, by_seat in found.items():
            if len(by_seat) != job.game.players:
                raise ArenaError("arena.statistic", name=name, got=len(by_seat), players=job.game.players)
        played.append(found)
    return played


def _all_deals(job: _Job, deals: int, processes: int) -> Iterator[list[dict[str, Sequence[float]]]]:
    """Yield what :func:`_play_deal` returns for each deal, in order."""
    if processes == 1:
        yield from (_play_deal(job, deal) for deal in range(deals))
        return
    # Loaded only here, since no browser has processes, and few notebooks ask for them.
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    # A forked process has everything already, even a class from a notebook cell.  Where forking
    # is unsafe (macOS) or missing (Windows) the job must be sent.
    forks = sys.platform == "linux"
    if not forks:
        _check_sendable(job)
    pool = ProcessPoolExecutor(processes, get_context("fork" if forks else "spawn"), _begin, (job,))
    try:
        chunk = max(1, min(25, deals // (4 * processes)))
        for deal, played in enumerate(pool.map(_work, range(deals), chunksize=chunk)):
            # A failed deal is played again here, so that the error has its own traceback.
            yield _play_deal(job, deal) if played is None else played
    finally:
        pool.shutdown(cancel_futures=True)


_job: _Job | None  # in a worker process, its job; None once a deal has failed, since none after it counts


def _begin(job: _Job) -> None:
    global _job
    _job = job
    signal(SIGINT, SIG_IGN)  # a stop button reaches all processes, and each would show a traceback


def _work(deal: int) -> list[dict[str, Sequence[float]]] | None:
    global _job
    try:
        return _play_deal(_job, deal) if _job else None
    except Exception:
        _job = None
        return None


def _check_sendable(job: _Job) -> None:
    """Raise unless another process can import what is in *job*."""
    for thing in (*job.lineups[0], job.statistics, type(job.game)):
        if getattr(thing, "__module__", "") == "__main__":
            raise ArenaError("arena.not_sendable", got=getattr(thing, "__name__", brief(thing)))


def _bar(steps: Iterator[Any], deals: int, progress: bool, language: str) -> Iterator[Any]:
    if not progress:
        return steps
    from tqdm import tqdm  # as text: a widget would not survive a dashboard's restart

    return iter(tqdm(steps, total=deals, desc=text("arena.deals", language), leave=False))
