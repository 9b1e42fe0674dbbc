"""Players that think: how strong they are, and a kernel beside the rules.

Time is the processor's, so that a busy machine plays as an idle one does; Wikipedia and Books
counts worlds instead.
"""

import sys
from time import process_time, thread_time
from typing import Any

from benchmarks.strength import share_of_sides
from coursekit.arena import duplicate
from coursekit.arena.result import Result
from coursekit.core.match import Match
from coursekit.core.numba_kernels import compile_kernel, plain_kernel
from coursekit.core.search import Searcher
from coursekit.core.strategy import Strategy
from coursekit.games.wikipedia import Options as OfBooks
from coursekit.games.wikipedia import Wikipedia
from coursekit.games.wikipedia import playout_kernel as of_books
from coursekit.games.wikipedia import strategies as of_wikipedia
from coursekit.games.wizard import Wizard
from coursekit.games.wizard import strategies as of_wizard
from coursekit.games.wizard.strategies import CardCounter, bids_met
from tests.games.beside import everything, walked

BUDGETS = (50, 200)
GIVEN: Any = {"language": "en", "progress": sys.stderr.isatty()}


def search(scale: float) -> None:
    """Print all of it."""
    wikipedias_core(scale)
    wizard(scale)
    others(scale)


def wikipedias_core(scale: float) -> None:
    """Print how fast the kernel of Wikipedia and Books is, and where it differs from the rules."""
    start = everything(Wikipedia(2), Match(Wikipedia(2), 1).state)
    for fast, most in ((plain_kernel(of_books), 30_000), (compile_kernel(of_books), 3_000_000)):
        found = []
        for at_random in (1, 0):
            found.append(0.0)
            for _ in range(6):  # the first compiles
                s, r, begun = fast.ints(start), fast.ints([1]), process_time()
                s[of_books.LIMIT] = 1 << 60
                fast.finish(s, 1 << 60, most, at_random, r)
                found[-1] = max(found[-1], most / (process_time() - begun))
        how = "compiled" if fast.compiled else "plain Python"
        print(f"  {how:12} at random {found[0]:12,.0f}, as Editor {found[1]:12,.0f}", flush=True)
    ways: list[dict[str, Any]] = [
        {},
        {"hand_min": 5, "refill_to": 7, "open_discards": True},
        {"stall_guard_laps": 2},
    ]
    seen = seed = 0
    differs: list[str] = []
    while seen < 1_000_000 * scale:
        game = Wikipedia(
            2 + 2 * (seed // len(ways) % 4), OfBooks(points_to_win=40, **ways[seed % len(ways)])
        )
        for wrong in walked(Match(game, seed), compile_kernel(of_books)):
            seen += 1
            if wrong:
                differs.append(f"{game}, seed {seed}: {wrong}")
        seed += 1
    print(
        f"{seen:,} positions of {seed} matches: the kernel was wrong in {len(differs)}",
        *differs[:5],
    )


def wizard(scale: float) -> None:
    """Print bids met and points of thinkers among themselves, and of one among three card counters."""
    print("Wizard, four players, 15 rounds")
    for budget in BUDGETS:
        kind = _timed(of_wizard.Thinker, budget)
        deals = max(2, int(200 * scale))
        _tell(
            kind,
            duplicate(Wizard(4), [kind], deals, 1, statistics=bids_met, **GIVEN),
            "four of a kind",
        )
        one = [kind, CardCounter, CardCounter, CardCounter]
        deals = max(2, deals // 4)
        _tell(
            kind,
            duplicate(Wizard(4), one, deals, 1, statistics=bids_met, **GIVEN),
            "one among three counters",
        )


def others(scale: float) -> None:
    """Print how often thinkers win against the best player that does not think."""
    for worlds in (150, 1000, 5000):  # counted, so that a busy machine plays as an idle one does
        numbers = {"worlds": worlds, "playouts": 10_000_000}
        kind = type(f"Thinker{worlds}", (of_wikipedia.Thinker,), numbers)
        kinds, deals = [kind, of_wikipedia.Editor], max(2, int(200 * scale))
        result = duplicate(Wikipedia(2), kinds, deals, 1, statistics=share_of_sides, **GIVEN)
        won, half = result.mean(kind, "share"), result.interval(kind, "share")
        print(
            f"Wikipedia(2): {kind.__name__} : Editor {won:.1f} ± {half:.1f} %, {deals} deals, both ways",
            flush=True,
        )


def _tell(kind: type[Strategy], result: Result, how: str) -> None:
    told = [
        f"{result.mean(kind, each):.1f} ± {result.interval(kind, each):.1f}"
        for each in ("bids_met", "points")
    ]
    matches = result.deals * result.matches_a_deal
    print(
        f"  {kind.__name__:12} {how:25} bids met {told[0]:12} points {told[1]:12} ({matches} matches)",
        flush=True,
    )


def _timed(kind: type[Searcher], budget: int) -> type[Searcher]:
    """Return *kind* with *budget* milliseconds of the processor, and worlds enough for them."""
    worlds = kind.worlds if budget <= kind.budget else 1000
    numbers = {"budget": budget, "worlds": worlds, "clock": staticmethod(thread_time)}
    return type(f"{kind.__name__}{budget}", (kind,), numbers)
