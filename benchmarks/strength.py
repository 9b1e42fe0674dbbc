"""How well the strategies of Wizard play, and that the number of processes changes nothing."""

import sys
from time import perf_counter
from typing import Any

from coursekit.arena import duplicate
from coursekit.core.match import play_out
from coursekit.core.strategy import AtRandom
from coursekit.games.wizard import Wizard
from coursekit.games.wizard.strategies import STRATEGIES, CardCounter, bids_met

GIVEN: Any = {
    "statistics": bids_met,
    "processes": 2,
    "language": "en",
    "progress": sys.stderr.isatty(),
}


def own_kind_and_duplicate(scale: float) -> None:
    """Print bids met and points of each strategy among its own kind, then in one tournament."""
    deals = max(2, int(1000 * scale))
    for strategy in reversed(STRATEGIES):
        print(duplicate(Wizard(4), [strategy], deals, 1, **GIVEN), "\n")
    for players in (3, 4, 5, 6):
        deals = max(2, int(200 * scale))
        print(duplicate(Wizard(players), STRATEGIES, deals, 1, **GIVEN), "\n")
    print(f"one decision of the card counter: {1000 * _card_counter():.2f} ms, everything included")


def on_two_processes(scale: float) -> None:
    """Print whether two processes give the result of one, and how much sooner."""
    deals, found, spent = max(2, int(10_000 * scale)), [], []
    for processes in (1, 2):
        start = perf_counter()
        found.append(duplicate(Wizard(4), [AtRandom], deals, 1, **GIVEN | {"processes": processes}))
        spent.append(perf_counter() - start)
    same = "identical" if found[0] == found[1] else "DIFFERENT"
    print(
        f"{deals} games on one process and on two: {same}, {spent[0] / spent[1]:.2f} times as fast"
    )


def _card_counter() -> float:
    """Return the seconds of one decision in a match of four card counters."""
    start = perf_counter()
    decisions = sum(len(play_out(Wizard(4), [CardCounter] * 4, seed).log) for seed in range(5))
    return (perf_counter() - start) / decisions
