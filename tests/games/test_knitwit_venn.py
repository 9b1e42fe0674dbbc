"""The canvas of Knit Wit: its zone, what is shown before a loop is laid, and the loops that are
proposed.
"""

import json
from copy import deepcopy
from functools import lru_cache
from math import dist
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lanes import some

from coursekit.core.chance import pick
from coursekit.core.game import DrawnInput
from coursekit.core.options import to_tuples
from coursekit.games.knitwit.rules.free_input import PROPOSED, LoopInput, SpoolInput, scrawl_loop
from coursekit.games.knitwit.rules.game import KnitWit
from coursekit.games.knitwit.rules.geometry import contains, outline
from coursekit.games.knitwit.rules.loop_design import (
    Design,
    bit,
    free_cells,
    loops_at,
    regions,
)
from coursekit.games.knitwit.rules.loop_proposals import propose_loops
from coursekit.games.knitwit.rules.options import Options
from coursekit.games.knitwit.rules.placement import fault_of_spool
from coursekit.games.knitwit.rules.state import NO_TAG, State
from coursekit.games.knitwit.table.design_zone import venn
from coursekit.kit.scene import Look
from coursekit.words.texts import LANGUAGES


@lru_cache
def knitting(
    seed: int, players: int = 8, options: Options | None = None
) -> tuple[tuple[KnitWit, State], ...]:
    """Return every position of the knitting of a random match, and the first one after it."""
    game, rng, found = KnitWit(players, options), Random(seed), []
    state = game.initial_state(rng)
    while state.phase in ("loop", "spool"):
        found.append((game, deepcopy(state)))
        game.apply(state, state.turn, drawn(game, state).sample(rng), rng)
    return (*found, (game, state))


def drawn(game: KnitWit, state: State) -> Any:
    return game.legal_actions(state, state.turn)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_zone_shows_what_lies_on_the_table_and_nothing_hidden(language: str) -> None:
    for game, state in knitting(1):
        look = Look(game, language)
        zone: Any = venn(game.observe(state, None), look)
        assert json.loads(json.dumps(zone)) == zone
        assert to_tuples([each["points"] for each in zone["loops"]]) == state.loops
        assert to_tuples([each["pin"] for each in zone["loops"]]) == state.pins
        assert [each["word"] for each in zone["loops"]] == [
            game.pack.tags[tag].names[language] for tag in state.tags
        ]
        assert [each["tone"] for each in zone["loops"]] == list(range(len(state.loops)))
        assert to_tuples([[each["number"], *each["at"]] for each in zone["spools"]]) == state.spools
        for spool, loops in zip(zone["spools"], state.around, strict=True):
            assert spool["loops"] == list(loops)
            assert spool["points"] == len(loops)
            assert spool["words"] == [zone["loops"][loop]["word"] for loop in loops]
            assert all(
                each in spool["label"]
                for each in (*spool["words"], str(spool["number"]), str(len(loops)))
            )
        assert not {"draw", "put", "spots"} & zone.keys()


def test_a_loop_belongs_to_the_player_whose_name_it_bears() -> None:
    *_, (game, state) = knitting(1)
    names = [f"Pupil {letter}" for letter in "ABCDEFGH"[: game.players]]
    zone: Any = venn(game.observe(state, None), Look(game, "en", names))
    assert [loop["owner"] for loop in zone["loops"]] == [names[seat] for seat in state.owners]
    assert all(loop["owner"] in loop["label"] for loop in zone["loops"])


def test_words_that_are_drawn_last_are_not_shown_before() -> None:
    for game, state in knitting(2, 3, Options(words_last=True)):
        zone: Any = venn(game.observe(state, None), Look(game, "en"))
        for loop, tag in zip(zone["loops"], state.tags, strict=True):
            assert (loop["word"] == "") == (tag == NO_TAG)
    assert all(loop["word"] for loop in zone["loops"])


def test_whoever_may_act_on_this_screen_draws_or_puts() -> None:
    for game, state in knitting(3, 3):
        public = game.observe(state, None)
        for seat in game.seats:
            own: Any = venn(game.observe(state, seat), Look(game, "en"))
            shared: Any = venn(public, Look(game, "en", acting=(seat,)))
            assert own == shared
            on = seat == state.turn and state.phase in ("loop", "spool")
            assert own.get("draw") == ({"seat": seat} if on and state.phase == "loop" else None)
            put = {"seat": seat, "numbers": state.hands[seat]}
            assert own.get("put") == (put if on and state.phase == "spool" else None)


@pytest.mark.parametrize("rule", ["face", "loops"])
def test_there_is_a_spot_in_every_region_in_which_a_spool_may_lie(rule: str) -> None:
    for game, state in knitting(4, options=Options(region_rule=rule)):
        if state.phase != "spool":
            continue
        zone: Any = venn(game.observe(state, state.turn), Look(game, "en"))
        design, legal = game.design(state), drawn(game, state)
        assert zone["spots"]
        for spot in zone["spots"]:
            assert ("spool", zone["put"]["numbers"][0], *spot["at"]) in legal
            assert tuple(spot["loops"]) == loops_at(design, tuple(spot["at"]))
        for region in regions(design.loops):
            if region.cells & free_cells(design).get(region.loops, 0):
                inside = [spot for spot in zone["spots"] if region.cells & bit(tuple(spot["at"]))]
                larger = [
                    spot
                    for spot in zone["spots"]
                    if dist(spot["at"], region.middle) < 15
                    and spot["loops"] == sorted(region.loops)
                ]
                assert inside or larger or fault_of_spool(design, region.middle) is not None
                assert len(inside) <= 1


def test_lit_spools_stand_out_and_the_others_fade() -> None:
    *_, (game, state) = knitting(5, 2)
    numbers = [number for number, _, _ in state.spools]
    zone: Any = venn(game.observe(state, None), Look(game, "en"), numbers[:1])
    assert [each.get("marked", False) for each in zone["spools"]] == [True] + [False] * 5
    assert [each.get("faded", False) for each in zone["spools"]] == [False] + [True] * 5


@settings(deadline=None, max_examples=some(50))
@given(match=st.integers(1, 3), stop=st.integers(0, 15), seed=st.integers(0, 400))
def test_what_is_shown_before_is_what_is_laid(match: int, stop: int, seed: int) -> None:
    game, state = deepcopy(knitting(match)[stop])
    legal, rng = drawn(game, state), Random(seed)
    assert isinstance(legal, DrawnInput)
    action = legal.sample(rng)
    shown = legal.preview(action)
    if isinstance(legal, LoopInput):
        # The pin may be chosen among the corners that are shown.
        pin = tuple(pick(rng, shown["points"]))
        assert legal.preview((*action[:2], pin)) == {**shown, "pin": list(pin)}
        assert getattr(legal.refusal((*action[:2], pin)), "text", "") != "refusal.loop.pin_off"
        game.apply(state, state.turn, action, rng)
        assert to_tuples(list(shown.values())) == (state.loops[-1], state.pins[-1])
    else:
        game.apply(state, state.turn, action, rng)
        assert to_tuples(list(shown.values())) == (state.spools[-1][1:], state.around[-1])


@settings(deadline=None, max_examples=30)
@given(
    match=st.integers(1, 3), stop=st.integers(0, 15), n=st.integers(-3, 8), spool=st.integers(0, 7)
)
def test_every_proposal_is_legal(match: int, stop: int, n: int, spool: int) -> None:
    game, state = knitting(match)[stop]
    legal = drawn(game, state)
    action = legal.suggestion(n, None)
    assert action in legal
    assert legal.suggestion(n, None) == action
    if isinstance(legal, SpoolInput):
        assert legal.suggestion(n, legal.own[-1])[1] == legal.own[-1]
    elif legal.numbers:
        number, at = (
            each[spool % len(legal.numbers)] for each in (legal.numbers, legal.design.spools)
        )
        around_it = legal.suggestion(n, number)
        assert around_it is None or (around_it in legal and contains(around_it[1], at) > 0)


def test_proposals_differ_and_begin_again_after_the_last() -> None:
    game, state = knitting(6)[2]
    legal = drawn(game, state)
    number = legal.numbers[0]
    several = [legal.suggestion(n, number) for n in range(60)]
    count = len(set(several))
    assert 5 < count <= PROPOSED
    assert len(set(several[:count])) == count
    assert several[count : 2 * count] == several[:count]


def test_a_proposal_is_laid_as_it_is_proposed() -> None:
    for loop in propose_loops(Design(spools=((120, 75),))):
        assert outline(loop) == loop


def test_a_loop_that_may_not_be_laid_is_shown_as_well() -> None:
    game, state = knitting(7)[2]
    legal, rng = drawn(game, state), Random(7)
    refused = [
        each for _ in range(40) if (each := ("loop", scrawl_loop(legal.design, rng))) not in legal
    ]
    assert refused
    assert all(len(legal.preview(each)["points"]) > 2 for each in refused)
    assert legal.preview(("loop", ((1, 1), (9, 9)))) is None


@pytest.mark.parametrize(
    "action",
    [
        None,
        3,
        "loop",
        (),
        ("loop",),
        ("loop", ()),
        ("loop", 4),
        ("loop", ((1, 2, 3),)),
        ("loop", (("a", "b"),)),
        ("loop", ((0, 0),) * 501),
        ("spool",),
        ("spool", 1, 2),
        ("spool", 1, "x", 2),
        ("spool", 1, None, 2),
        {"a": 1},
    ],
)
def test_whatever_is_sent_nothing_is_raised(action: Any) -> None:
    for game, state in knitting(8)[2:4]:
        legal = drawn(game, state)
        assert legal.preview(action) is None
        assert legal.suggestion(0, action) is None or legal.suggestion(0, action) in legal
