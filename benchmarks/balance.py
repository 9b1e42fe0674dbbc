"""How often each role of Literature Lockdown wins, and how long its eras last."""

from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import sqrt
from statistics import fmean, quantiles, stdev
from typing import NamedTuple

from coursekit.core.chance import stream
from coursekit.core.match import Match, step_any
from coursekit.core.strategy import Strategy, make_players
from coursekit.games.blockade import Blockade, Options
from coursekit.games.blockade.rules.card_codes import CENSORS, ROLES
from coursekit.games.blockade.strategies import Farsighted, Greedy


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
