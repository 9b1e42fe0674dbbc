"""How fast Literature Lockdown is beside Wizard, how strong its players are, and how even its
roles.
"""

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import pairwise
from math import sqrt
from statistics import fmean, median, quantiles, stdev
from typing import Any, NamedTuple

from benchmarks.measure import pace, share
from coursekit.arena import duplicate
from coursekit.core.chance import stream
from coursekit.core.match import Match, step_any
from coursekit.core.strategy import AtRandom, Strategy, make_players
from coursekit.games.blockade import Blockade, Options
from coursekit.games.blockade.rules.card_codes import CENSORS, ROLES
from coursekit.games.blockade.strategies import STRATEGIES, Farsighted, Greedy
from coursekit.games.wizard import Wizard


def speed(scale: float) -> None:
    """Print how many decisions a second random matches make, ours : Wizard's, each in turn; then
    the strategies.
    """
    blockade, wizard = Blockade(4), Wizard(4)
    found: list[tuple[float, float]] = []
    for seed in range(max(4, int(100 * scale))):
        # One match of Wizard before and one after, so that a machine that slows down slows both
        before = pace(wizard, AtRandom, [seed])
        ours = pace(blockade, AtRandom, [seed])
        found.append((ours / fmean([before, pace(wizard, AtRandom, [seed])]), ours))
    ratios = sorted(ratio for ratio, _ in found)
    low, high = ratios[len(ratios) // 4], ratios[-1 - len(ratios) // 4]
    print(
        f"decisions per second of processor time, Literature Lockdown : Wizard, {len(found)} times in turn"
    )
    print(f"  median {median(ratios):.2f}, quartiles {low:.2f} to {high:.2f}")
    print(f"  at best {max(ours for _, ours in found):.0f} a second")
    for kind in (AtRandom, Greedy, Farsighted):
        print(
            f"  {kind.__name__:12} {pace(blockade, kind, range(max(2, int(50 * scale)))):6.0f} a second"
        )


def strength(scale: float) -> None:
    """Print how often each strategy wins against the one before it and against chance, two seats
    each.
    """
    deals = max(2, int(200 * scale))
    given: Any = {
        "statistics": share,
        "processes": 2,
        "language": "en",
        "progress": sys.stderr.isatty(),
    }
    print(
        f"matches won by either seat of the first (shared ones: a part of each), {deals} deals, both ways round"
    )
    pairs: list[tuple[type[Strategy], type[Strategy]]] = [*pairwise(STRATEGIES)]
    pairs += [(AtRandom, kind) for kind in STRATEGIES[2:]]
    for weaker, better in pairs:
        result = duplicate(Blockade(4), [better, weaker], deals, 1, **given)
        won, half = 2 * result.mean(better, "share"), 2 * result.interval(better, "share")
        points = " : ".join(f"{result.mean(kind):.2f}" for kind in (better, weaker))
        print(
            f"  {better.__name__:12} : {weaker.__name__:12} {won:5.1f} ± {half:3.1f} %, points {points}",
            flush=True,
        )


class Era(NamedTuple):
    """How one era of a match went; what is about a role stands in lists by role."""

    laps: int
    end: str  # corner, stall or limit
    won: list[float]  # the part of the era each role won


class Played(NamedTuple):
    won: list[
        float
    ]  # the part of the match that the player of each role won, by the roles of the last era
    eras: dict[int, Era]


def balance(scale: float) -> None:
    """Print how often each role wins among four of a kind, how long eras last and how they end."""
    for kind, options, matches in (
        (Farsighted, Options(), 4000),
        (Greedy, Options(), 1000),
        (Farsighted, Options(roles_each_era="passed"), 500),
        (Farsighted, Options(roles_each_era="drawn"), 500),
    ):
        _print_balance(kind, options, max(4, int(matches * scale)))


def _print_balance(kind: type[Strategy], options: Options, matches: int) -> None:
    with ProcessPoolExecutor(2) as pool:
        chunk = max(1, min(25, matches // 8))
        played = list(pool.map(partial(_play, kind, options), range(matches), chunksize=chunk))
    print(f"{matches} matches of four {kind.__name__}, roles {options.roles_each_era} in every era")
    if options.roles_each_era == "same":
        print("  won (%; a victory of k players counts 1/k for each)")
        _print_shares("matches", [match.won for match in played])
    print("  eras won (%, shared likewise), laps, and how they ended")
    for era in options.eras:
        found = [match.eras[era] for match in played]
        _print_shares(f"era {era}", [each.won for each in found])
        laps = [each.laps for each in found]
        quarters = ", ".join(f"{quarter:.0f}" for quarter in quantiles(laps, n=4))
        ends = Counter(each.end for each in found)
        told = ", ".join(
            f"{end} {100 * count / matches:.1f} %" for end, count in ends.most_common()
        )
        print(f"           laps {fmean(laps):.1f} (quartiles {quarters}); {told}", flush=True)


def _print_shares(name: str, shares: list[list[float]]) -> None:
    """Print the mean of each role's *shares* with its 95 % interval, and the camps'."""
    camps = [[sum(each[role] for role in CENSORS)] for each in shares]
    columns = [*zip(*shares, strict=True), *zip(*camps, strict=True)]
    cells = [
        f"{role} {100 * fmean(part):.1f} ± {196 * stdev(part) / sqrt(len(part)):.1f}"
        for role, part in zip([*ROLES, "censors together"], columns, strict=True)
    ]
    print(f"    {name:8} {', '.join(cells)}")


def _play(kind: type[Strategy], options: Options, seed: int) -> Played:
    game = Blockade(4, options)
    match = Match(game, f"balance/{seed}")
    state, players, order = (
        match.state,
        make_players(game, [kind] * 4, match.seed),
        stream(match.seed, "order"),
    )
    eras = {}
    while deciding := game.to_act(state):
        if state.phase == "era":
            corner, stalled = (
                game.goal(state.era) in state.positions,
                state.turns < options.laps_limit * 4,
            )
            end = "corner" if corner else "stall" if stalled else "limit"
            gained = state.by_era[-1]
            best = [seat for seat in game.seats if gained[seat] == max(gained)]
            eras[state.era] = Era(-(-(state.turns + corner) // 4), end, _by_role(state.roles, best))
        step_any(match, deciding, players, order)
    return Played(_by_role(state.roles, state.won), eras)


def _by_role(roles: Sequence[int], winners: Iterable[int]) -> list[float]:
    won = [roles[seat] for seat in winners]
    return [(role in won) / len(won) for role in range(len(ROLES))]
