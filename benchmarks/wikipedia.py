"""How fast Wikipedia and Books is beside Wizard, and how strong its players are."""

import sys
from collections.abc import Sequence
from itertools import combinations
from statistics import fmean, median
from time import perf_counter, process_time
from typing import Any

import psutil

from coursekit.arena import duplicate, sweep
from coursekit.core.game import TABLE, Game
from coursekit.core.match import Match, play_out
from coursekit.core.strategy import AtRandom, Strategy
from coursekit.games.wikipedia import Wikipedia
from coursekit.games.wikipedia.strategies import STRATEGIES, Editor, HonestStudent
from coursekit.games.wizard import Wizard


def speed(scale: float) -> None:
    """Print how many decisions a second random matches make, Wikipedia's : Wizard's, each in turn."""
    wikipedia, wizard = Wikipedia(2), Wizard(4)
    found: list[tuple[float, float]] = []
    for round_ in range(max(4, int(100 * scale))):
        # One match of Wizard before and one after, so that a machine that slows down slows both
        before = _pace(wizard, [round_])
        ours = _pace(wikipedia, range(5 * round_, 5 * round_ + 5))
        found.append((ours / fmean([before, _pace(wizard, [round_])]), ours))
    ratios = sorted(ratio for ratio, _ in found)
    low, high = ratios[len(ratios) // 4], ratios[-1 - len(ratios) // 4]
    print(f"decisions per second of processor time, Wikipedia : Wizard, {len(found)} times in turn")
    print(f"  median {median(ratios):.2f}, quartiles {low:.2f} to {high:.2f}")
    print(f"  at best {max(ours for _, ours in found):.0f} a second")


def _pace(game: Game[Any, Any, Any], seeds: Sequence[int]) -> float:
    start = process_time()
    matches = [play_out(game, [AtRandom] * game.players, seed) for seed in seeds]
    spent = process_time() - start
    return sum(seat != TABLE for match in matches for seat, _ in match.log) / spent


def share(match: Match) -> dict[str, list[float]]:
    """Return 100 for a match won, and for one that is shared the equal part of it, side by side."""
    game, won = match.game, match.game.winners(match.state)
    assert isinstance(game, Wikipedia)
    sides = {seat % game.sides for seat in won}
    return {"share": [100 / len(sides) if seat in won else 0 for seat in game.seats]}


def strength(scale: float) -> None:
    """Print who wins how often: every pair of strategies, two players; then the Editor in teams."""
    print("two players: matches won by the first (shared: half each), every deal from both seats")
    for weaker, better in combinations(STRATEGIES, 2):
        _print_duel(2, [better, weaker], max(2, int(1000 * scale)))
    for players, fair in ((4, 50), (6, 33), (8, 50)):
        print(f"{players} players in teams; {fair} would be an equal share")
        for other in STRATEGIES[:-1]:
            _print_duel(
                players,
                [Editor, other, other] if players == 6 else [Editor, other],
                max(2, int(200 * scale)),
            )


def _print_duel(players: int, kinds: list[type[Strategy]], deals: int) -> None:
    first, other = kinds[:2]
    given: Any = {
        "statistics": share,
        "processes": 2,
        "language": "en",
        "progress": sys.stderr.isatty(),
    }
    result = duplicate(Wikipedia(players), kinds, deals, 1, **given)
    teams = 2 if players == 8 else 1  # of each kind
    won, half = teams * result.mean(first, "share"), teams * result.interval(first, "share")
    print(
        f"  {first.__name__:14} : {other.__name__:14} {won:5.1f} ± {half:3.1f} %  ({deals} deals)",
        flush=True,
    )


def house_rules(scale: float) -> None:
    """Print how long it takes to sweep an option on two processes and draw it, the first time and
    again.
    """
    deals = max(2, int(200 * scale))
    print(f"{2 * 5 * deals} matches; seconds, and those of the processor, all processes together")
    for run in range(5):
        start, before = perf_counter(), _processor()
        sweep(
            Wikipedia(2), {"wiki_wrong": range(5)}, [HonestStudent, Editor], deals, 1, processes=2
        ).plot().html()
        print(
            f"  run {run + 1}: {perf_counter() - start:.2f}, {_processor() - before:.2f}",
            flush=True,
        )


def _processor() -> float:
    """Return the seconds that the processor has worked for this process and those that it has
    begun.
    """
    every = [psutil.Process(), *psutil.Process().children(recursive=True)]
    return sum(each.cpu_times().user + each.cpu_times().system for each in every)
