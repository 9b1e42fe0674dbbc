"""How fast Knit Wit is beside Wizard, how strong its players are, and what their numbers and its
lexicon bring.
"""

import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import combinations, pairwise
from math import comb, sqrt
from statistics import fmean, median, stdev
from time import process_time
from typing import Any, NamedTuple

from benchmarks.measure import pace, share
from coursekit.arena import duplicate
from coursekit.core.game import Game
from coursekit.core.match import play_out
from coursekit.core.strategy import AtRandom, Strategy
from coursekit.games.knitwit import KnitWit
from coursekit.games.knitwit.rules.lexicon import standard_pack
from coursekit.games.knitwit.rules.state import OPEN, REJECTED, STRUCK, UPHELD
from coursekit.games.knitwit.strategies import (
    STRATEGIES,
    Bluffer,
    FirstThought,
    Original,
    Sprinter,
    Wordsmith,
)
from coursekit.games.wizard import Wizard

SEATS = 4


def speed(scale: float) -> None:
    """Print how many decisions a second random matches make, ours : Wizard's; then how long a match
    of each kind is.
    """
    wizard = Wizard(4)
    found: list[float] = []
    for seed in range(max(4, int(20 * scale))):
        # Some matches of Wizard before and after, so that a machine that slows down slows both
        before = pace(wizard, AtRandom, range(5 * seed, 5 * seed + 5))
        ours = pace(KnitWit(SEATS), AtRandom, [seed])
        found.append(ours / fmean([before, pace(wizard, AtRandom, range(5 * seed, 5 * seed + 5))]))
    low, high = sorted(found)[len(found) // 4], sorted(found)[-1 - len(found) // 4]
    print(f"decisions per second of processor time, Knit Wit : Wizard, {len(found)} times in turn")
    print(f"  median {median(found):.4f}, quartiles {low:.4f} to {high:.4f}")
    print("processor time of a match of four, in matches of Wizard by chance; designs that are new")
    kinds: list[type[Strategy]] = [AtRandom, *STRATEGIES]
    for number, kind in enumerate(kinds):
        seeds = [f"speed {number} {seed}" for seed in range(max(2, int(10 * scale)))]
        ours, theirs = _time(KnitWit(SEATS), kind, seeds), _time(wizard, AtRandom, range(20))
        print(f"  {kind.__name__:12} {ours / theirs:5.0f}")


def _time(game: Game[Any, Any, Any], kind: type[Strategy], seeds: Sequence[Any]) -> float:
    start = process_time()
    for seed in seeds:
        play_out(game, [kind] * game.players, seed)
    return (process_time() - start) / len(seeds)


def strength(scale: float) -> None:
    """Print how often each strategy wins against the one before it, and against chance, two seats
    each.
    """
    deals = max(2, int(24 * scale))
    print(
        f"matches won by either seat of the first (shared ones: a part of each), {deals} deals, both ways round"
    )
    pairs: list[tuple[type[Strategy], type[Strategy]]] = [*pairwise(STRATEGIES)]
    pairs += [(FirstThought, Original), (AtRandom, FirstThought), (AtRandom, Original)]
    for weaker, better in pairs:
        result = duplicate(KnitWit(SEATS), [better, weaker], deals, 1, **_given())
        won, half = 2 * result.mean(better, "share"), 2 * result.interval(better, "share")
        points = " : ".join(f"{result.mean(kind):.1f}" for kind in (better, weaker))
        print(
            f"  {better.__name__:12} : {weaker.__name__:12} {won:5.1f} ± {half:4.1f} %, points {points}",
            flush=True,
        )
    kinds: list[type[Strategy]] = [*STRATEGIES]
    result = duplicate(KnitWit(SEATS), kinds, max(2, int(24 * scale)), 1, **_given())
    print(f"all together, {result.deals} deals, seats rotated: points a match")
    for kind in kinds:
        print(f"  {kind.__name__:12} {result.mean(kind):5.1f} ± {result.interval(kind):.1f}")


def _given() -> Any:
    return {"statistics": share, "processes": 2, "language": "en", "progress": sys.stderr.isatty()}


class Quick(Original):
    pace = 5


class Slow(Original):
    pace = 20


class Grabbing(Original):
    grip = 1


class GrabbingMore(Original):
    grip = 2


class Rich(Original):
    richness = 1


class Poor(Original):
    richness = -1


class Popular(Original):
    originality = -6


class Unconcerned(Original):
    originality = 0


def ideas(scale: float) -> None:
    """Print what one number changed brings against ``Original``: two seats each, points a match."""
    deals = max(2, int(24 * scale))
    print(
        f"one number changed, against Original, two seats each, {deals} deals both ways round: points a match"
    )
    for kind in (Quick, Slow, Grabbing, GrabbingMore, Rich, Poor, Popular, Unconcerned):
        result = duplicate(KnitWit(SEATS), [kind, Original], deals, 1, **_given())
        both: list[type[Strategy]] = [kind, Original]
        told = [
            f"{each.__name__} {result.mean(each):.1f} ± {result.interval(each):.1f}"
            for each in both
        ]
        print(f"  {', '.join(told)}", flush=True)


class Line(NamedTuple):
    """One line of one sheet."""

    loops: int
    fate: str  # blank, clash, rejected or counts


FATES = {OPEN: "counts", UPHELD: "counts", STRUCK: "clash", REJECTED: "rejected"}


def lines(scale: float) -> None:
    """Print what becomes of the lines by the number of loops around their spool, four of a kind."""
    matches = max(4, int(24 * scale))
    for kind in (FirstThought, Sprinter, Bluffer, Original):
        with ProcessPoolExecutor(2) as pool:
            played = list(pool.map(partial(_lines, kind), range(matches), chunksize=2))
        found = [line for _, each in played for line in each]
        points = [fmean(scores) for scores, _ in played]
        half = 1.96 * stdev(points) / sqrt(len(points))
        loops = fmean(line.loops for line in found)
        print(
            f"{kind.__name__}: {matches} matches of four of a kind, {fmean(points):.1f} ± {half:.1f} points a player,"
        )
        print(f"  {loops:.2f} loops around a spool; of the lines (%)")
        for many in range(1, 6):
            here = Counter(line.fate for line in found if line.loops == many)
            told = ", ".join(
                f"{fate} {100 * here[fate] / max(here.total(), 1):.0f}"
                for fate in ("blank", "clash", "counts")
            )
            print(
                f"    {many} loops ({100 * here.total() / len(found):2.0f} % of all): {told}",
                flush=True,
            )


def _lines(kind: type[Wordsmith], seed: int) -> tuple[tuple[int, ...], list[Line]]:
    match = play_out(KnitWit(SEATS), [kind] * SEATS, f"lines/{seed}")
    state = match.state
    found = []
    for (number, _, _), around in zip(state.spools, state.around, strict=True):
        for sheet, verdicts in zip(state.sheets, state.verdicts, strict=True):
            fate = FATES[verdicts[number - 1]] if sheet[number - 1] else "blank"
            found.append(Line(len(around), fate))
    return match.game.scores(state), found


def lexicon(_: float) -> None:
    """Print for how many sets of tags the lexicon has no word."""
    pack = standard_pack()
    tags, words = len(pack.tags), pack.lexicon
    print(f"{len(words)} words, {fmean(len(each.tags) for each in words):.1f} tags each")
    for size in (1, 2, 3, 4):
        known = len({found for each in words for found in combinations(sorted(each.tags), size)})
        missing = 100 * (1 - known / comb(tags, size))
        print(f"  no word fits {missing:5.1f} % of the sets of {size}")
