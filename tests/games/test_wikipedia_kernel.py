"""The kernel of Wikipedia and Books follows the rules and plays as the editor does, compiled or
not.

``python -m benchmarks search`` compares a million positions.
"""

from collections.abc import Iterator
from importlib.util import find_spec
from itertools import chain, islice
from statistics import fmean, variance
from typing import Any

import pytest
from beside import walked

from coursekit.core.chance import stream
from coursekit.core.match import Match
from coursekit.core.numba_kernels import Kernel, compile_kernel, plain_kernel
from coursekit.games.wikipedia import Options, Wikipedia, playout_kernel
from coursekit.games.wikipedia.playouts import core_of, find_places
from coursekit.games.wikipedia.rules.cards import KINDS
from coursekit.games.wikipedia.strategies import Editor, Thinker

WAYS = [
    "plain",
    pytest.param(
        "compiled",
        marks=pytest.mark.skipif(find_spec("numba") is None, reason="numba is not installed"),
    ),
]
VARIANTS: list[dict[str, Any]] = [
    {},
    {"scholar_must_repair_at_scoring": False, "stall_guard_laps": 2, "points_to_win": 40},
    {
        "hand_min": 5,
        "refill_to": 7,
        "scholars": 8,
        "students": 0,
        "open_discards": True,
        "book_wrong": 5,
    },
    {"students": 8, "scholars": 0, "stall_guard_laps": 1, "laps_limit": 30, "use": 1},
]


def kernel_of(way: str) -> Kernel:
    return compile_kernel(playout_kernel) if way == "compiled" else plain_kernel(playout_kernel)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_it_follows_the_rules_and_decides_as_the_editor(way: str, options: dict[str, Any]) -> None:
    fast, seen = kernel_of(way), 0
    for players in (2, 4, 6, 8):
        for differs in walked(Match(Wikipedia(players, Options(**options)), players), fast):
            assert not differs
            seen += 1
    assert seen > 300


def decisions(players: int, seed: int) -> Iterator[tuple[Wikipedia, Any]]:
    """Yield what the seats see that have something to decide in a match of editors."""
    game = Wikipedia(players)
    match, editor = Match(game, seed), Editor(stream("", ""), game)
    while deciding := game.to_act(match.state):
        obs = game.observe(match.state, deciding[0])
        if len(obs.legal) > 1:
            yield game, obs
        match.play(deciding[0], editor.decide(obs) if obs.legal else "next")


@pytest.mark.parametrize("way", WAYS)
def test_guessed_hands_hold_what_they_may(way: str) -> None:
    fast = kernel_of(way)
    for number, (game, obs) in enumerate(chain(decisions(2, 1), decisions(6, 2))):
        start, places = find_places(game, obs, 6)
        on_table = (obs.work != "") + (obs.user >= 0) + (obs.vandal >= 0)
        assert (
            sum(start[playout_kernel.HANDS : playout_kernel.ROLES])
            + sum(start[playout_kernel.POOL : playout_kernel.DECK])
            + on_table
            == obs.cards
        )
        s = fast.ints(start)
        assert fast.deal(s, *(fast.ints([*each]) for each in zip(*places)), fast.ints([number + 1]))
        for seat in game.seats:
            hand = [*s[playout_kernel.HANDS + 5 * seat :][:5]]
            assert sum(hand) == obs.held[seat]
            assert all(
                held <= obs.at_most(seat, kind) for held, kind in zip(hand, KINDS) if seat != obs.me
            )
        assert sum(s[playout_kernel.POOL : playout_kernel.POOL + 5]) - s[
            playout_kernel.DECK
        ] == obs.discards - sum(obs.seen) - sum(obs.thrown)


@pytest.mark.skipif(find_spec("numba") is None, reason="numba is not installed")
def test_compiled_and_plain_find_the_same_payoffs() -> None:
    for number, (game, obs) in enumerate(chain(decisions(2, 3), decisions(4, 4))):
        if number % 5 == 0:
            cores = [
                core_of(game, 6, each(playout_kernel)) for each in (plain_kernel, compile_kernel)
            ]
            assert [core.compiled for core in cores] == [False, True]
            found = [core.tries(obs)(obs.legal, 2, stream("a", str(number))) for core in cores]
            assert found[0] == found[1]


def test_actions_earn_as_much_as_on_the_contract() -> None:
    """Means of many playouts, with the same chance each time."""
    for players in (2, 6):
        for game, obs in islice(decisions(players, 5), 9, 30, 10):
            thinker, rng = Thinker(stream("a", "b"), game), stream("many", "worlds")
            tries = core_of(game, Editor.PATIENCE, plain_kernel(playout_kernel)).tries(obs)
            ours = tries(obs.legal, 300, rng)
            theirs = thinker._on_contract(obs)(obs.legal, 100, rng)
            for mine, other in zip(ours, theirs):
                error = (variance(mine) / len(mine) + variance(other) / len(other)) ** 0.5
                assert abs(fmean(mine) - fmean(other)) <= 4 * error
            once, again = tries((obs.legal[0], obs.legal[0]), 50, rng)
            assert once == again  # worlds are the same for all actions, their chance included


UNUSUAL: list[dict[str, Any]] = [
    {"refill": "optional_own_turn"},
    {"refill_check": "before_draw"},
    {"strict_discard": True},
    {"forced_write": False},
    {"cure_then_score": True},
    {"score_optional": True},
    {"reshuffle": "lazy"},
    {"book_wrong": 6},
]


def test_the_search_player_uses_it_by_itself_and_elsewhere_plays_on_the_contract() -> None:
    how = "compiled" if find_spec("numba") else "in plain Python"
    for preset in Wikipedia.presets:
        thinker = Thinker(stream("a", "b"), Wikipedia(4, Wikipedia.preset(preset)))
        assert repr(thinker) == f"<Thinker: Editor, 50 ms a decision, playouts {how}>"
    for options in UNUSUAL:
        assert repr(Thinker(stream("a", "b"), Wikipedia(4, Options(**options)))).endswith(
            "on the contract>"
        )
