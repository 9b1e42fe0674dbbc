"""When there is room on the table of Knit Wit: what is refused for it, and what happens when there
is none.
"""

from itertools import islice
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy import meshgrid
from shapely import contains_xy, prepare
from shapely import points as shapely_points
from shapely.geometry import LineString, Polygon
from shapely.geometry import Point as ShapelyPoint
from shapely.ops import polygonize, unary_union

from coursekit.core.game import sentence
from coursekit.core.match import IllegalAction, Match, Record
from coursekit.core.strategy import AtRandom
from coursekit.games.knitwit import KnitWit, Options
from coursekit.games.knitwit.rules.free_input import LoopInput, laid_loop, scrawl_loop
from coursekit.games.knitwit.rules.geometry import HEIGHT, RADIUS, WIDTH, outline
from coursekit.games.knitwit.rules.loop_design import Design, default_pin, free_cells, points
from coursekit.games.knitwit.rules.placement import (
    fault_of_loop,
    fault_of_spool,
    find_loops,
    find_spots,
    is_full,
)
from coursekit.games.knitwit.table.scene import scene
from coursekit.kit.scene import Look
from coursekit.testing.game_checks import check_actions, check_play, check_replay
from coursekit.words.texts import LANGUAGES, game_text
from tests.games.knitwit_comb import comb

SOME = settings(
    max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
FIRST = (
    (135, 44),
    (142, 50),
    (142, 62),
    (136, 77),
    (127, 84),
    (118, 93),
    (109, 89),
    (105, 84),
    (104, 74),
    (109, 60),
    (121, 52),
    (129, 46),
)


def turn(match: Match, stroke, at, *pin):
    """Let the seat whose turn it is lay *stroke* and put its first spool *at* a place."""
    seat = match.state.turn
    match.play(seat, ("loop", stroke, *pin))
    match.play(seat, ("spool", match.state.hands[seat][0], *at))


def laid_in(design: Design, stroke, at) -> Design:
    loop = outline(stroke)
    pin = default_pin(design, loop)
    assert fault_of_loop(design, loop, pin) is None
    design = design.with_loop(loop, pin)
    assert fault_of_spool(design, at) is None
    return design.with_spool(at)


# The judge: shapely, and every point of the table


def away(design: Design) -> list[ShapelyPoint]:
    """Return the points of the table that are a spool's radius away from every string."""
    strings = unary_union([LineString([*loop, loop[0]]) for loop in design.loops])
    near = strings.buffer(RADIUS - 0.001, quad_segs=64)
    prepare([near, strings])
    xs, ys = (each.ravel() for each in meshgrid(range(WIDTH + 1), range(HEIGHT + 1)))
    left = ~contains_xy(near, xs, ys)
    return [p for p in shapely_points(xs[left], ys[left]) if strings.distance(p) >= RADIUS - 1e-9]


def judge(design: Design) -> list[ShapelyPoint]:
    """Return where the next spool may lie in *design*, by the faces of the drawing."""
    strings = unary_union([LineString([*loop, loop[0]]) for loop in design.loops])
    loops = unary_union([Polygon(loop) for loop in design.loops])
    faces = [face for face in polygonize(strings) if loops.contains(face.representative_point())]
    open_to = [
        face for face in faces if not any(face.contains(ShapelyPoint(at)) for at in design.spools)
    ]
    return [p for p in away(design) if any(face.contains(p) for face in open_to)]


def nobody_can_go_on(design: Design) -> bool:
    """Return whether all points left are so close to spools that no string parts them, or no loop
    holds a spool.
    """
    if all(
        any(ShapelyPoint(at).distance(ShapelyPoint(pin)) <= RADIUS for pin in design.pins)
        for at in design.spools
    ):
        return True
    return all(
        any(p.distance(ShapelyPoint(at)) < 2 * RADIUS for at in design.spools) for p in away(design)
    )


@SOME
@given(
    teeth=st.sets(st.integers(0, 12), max_size=2), seed=st.integers(0, 99), turns=st.integers(1, 6)
)
def test_whatever_is_refused_for_room_the_judge_finds_none(teeth, seed, turns):
    rng, design = Random(seed), Design(turns=turns)
    for _ in range(turns):
        strokes = [*(scrawl_loop(design, rng) for _ in range(3)), comb(*teeth)]
        for stroke in strokes:
            loop = outline(stroke)
            fault = (
                fault_of_loop(design, loop, default_pin(design, loop)) if len(loop) > 2 else None
            )
            more = design.with_loop(loop, default_pin(design, loop))
            if fault is not None and fault.name == "no_room":
                assert judge(more) == []
            elif fault is not None and fault.name == "no_next":
                assert all(
                    nobody_can_go_on(more.with_spool((int(p.x), int(p.y)))) for p in judge(more)
                )
        found = list(islice(find_loops(design), 40))
        if not found:
            assert is_full(design)
            return
        if fault_of_loop(design, outline(comb(*teeth)), (0, 0)) is None and rng.random() < 0.7:
            design = design.with_loop(outline(comb(*teeth)), (0, 0))
        else:
            design = design.with_loop(*rng.choice(found))
        for cells in free_cells(design).values():
            at = rng.choice(list(points(cells)))
            fault = fault_of_spool(design, at)
            assert fault is None or (
                fault.name == "no_next" and nobody_can_go_on(design.with_spool(at))
            )
        design = design.with_spool(rng.choice(find_spots(design)))


# What was refused although there was room


def test_a_spool_beside_a_clothespin_leaves_the_next_player_room():
    match = Match(KnitWit(3), 1010)
    turn(match, FIRST, (132, 52))
    following = ((166, 30), (178, 83), (132, 114), (110, 56))
    turn(match, following, (156, 76), following[0])
    assert len(match.state.spools) == 2


def test_in_a_small_circle_on_an_empty_table_a_spool_may_lie_wherever_it_has_room():
    design = Design(turns=6, string=200)
    loop = outline(
        tuple(
            (120 + x, 75 + y)
            for x, y in ((0, -17), (12, -12), (17, 0), (12, 12), (0, 17), (-12, 12))
        )
    )
    more = design.with_loop(loop, loop[1])
    everywhere = sorted(at for cells in free_cells(more).values() for at in points(cells))
    assert len(everywhere) > 200
    assert [at for at in everywhere if fault_of_spool(more, at)] == []
    for at in everywhere:
        following, pin = next(find_loops(more.with_spool(at)))
        if sum(at) % 23 == 0:
            assert judge(more.with_spool(at).with_loop(following, pin))


def test_a_spool_that_its_clothespin_keeps_every_loop_away_from_lies_elsewhere():
    """A string five away from the spool would have the pin inside or on it."""
    design = Design((outline(((100, 50), (140, 50), (140, 90), (100, 90))),), ((120, 50),), turns=2)
    assert fault_of_spool(design, (120, 55)).name == "no_next"
    assert fault_of_spool(design._replace(turns=1), (120, 55)) is None
    for at in ((119, 55), (122, 55), (120, 56)):
        assert fault_of_spool(design, at) is None
        assert not is_full(design.with_spool(at))


@pytest.mark.parametrize("seed", range(12))
def test_there_is_always_a_way_on_that_people_can_be_shown(seed):
    """No match of players at random ever came to a full table."""
    rng = Random(seed)
    design = Design(turns=8, by_label=seed % 3 == 0, string=(None, 160, 200)[seed % 3])
    for _ in range(8):
        numbers = tuple(range(1, len(design.spools) + 1))
        assert not is_full(design)
        design = design.with_loop(*laid_loop(design, LoopInput(design, numbers).sample(rng)))
        design = design.with_spool(
            rng.choice([at for cells in free_cells(design).values() for at in points(cells)])
        )


# When there is none


def test_a_loop_that_leaves_its_own_spool_no_room_is_refused():
    assert fault_of_loop(Design(turns=1), outline(comb()), (0, 0)).name == "no_room"


def test_a_loop_after_which_nobody_could_go_on_is_refused_but_not_as_the_last():
    loop = outline(comb(2))
    assert fault_of_loop(Design(turns=2), loop, (0, 0)).name == "no_next"
    assert fault_of_loop(Design(turns=1), loop, (0, 0)) is None


def test_nobody_is_stuck_with_a_spool_after_which_nobody_can_go_on():
    design = Design((outline(comb(2)),), ((0, 0),), turns=3)
    assert fault_of_spool(design, find_spots(design)[0]) is None


def full() -> Match:
    """Return a match whose table is full: two rooms were left, and both are taken."""
    match = Match(KnitWit(3), "full")
    turn(
        match,
        comb(2, 7),
        find_spots(match.game.design(match.state).with_loop(outline(comb(2, 7)), (0, 0)))[0],
        (0, 0),
    )
    stroke, pin = next(find_loops(match.game.design(match.state)))
    turn(match, stroke, find_spots(match.game.design(match.state).with_loop(stroke, pin))[0], pin)
    return match


def test_when_the_table_is_full_the_knitting_ends_and_what_is_left_goes_back_to_the_box():
    """3.4: spools that are not in play are crossed out on the answer sheets."""
    match = full()
    state, seat = match.state, match.state.turn
    legal = match.game.legal_actions(state, seat)
    assert legal.suggestion(0, None) is None
    assert legal.sample(Random(1)) == "full"
    in_play, left = (
        sorted(number for number, _, _ in state.spools),
        [n for hand in state.hands for n in hand],
    )
    (told,) = match.play(seat, "full")
    assert told.text == "full"
    assert told.values == {"seat": seat, "numbers": sorted(left)}
    assert match.game.to_act(state) == (state.starter,)
    assert match.game.numbers(state) == tuple(in_play)
    assert not any(state.hands)
    match.play(state.starter, "go")
    with pytest.raises(IllegalAction):
        match.play(0, ("write", left[0], "moon"))
    match.play(0, ("write", in_play[0], "moon"))


@pytest.mark.parametrize("options", [{}, {"words_last": True}, {"rounds": 2}])
def test_a_match_whose_table_was_full_goes_on_to_its_end_and_replays(options):
    match = Match(KnitWit(3, Options(**options)), "full")
    for seat, action in full().log:
        number = (match.state.hands[seat][0],) if action[0] == "spool" else ()
        match.play(seat, (action[0], *number, *action[1 + len(number) :]))
    match.play(match.state.turn, "full")
    assert (-1 in match.state.tags) is False
    players = [AtRandom(Random(seat), match.game) for seat in match.game.seats]
    while deciding := match.game.to_act(match.state):
        for seat in deciding:
            obs = match.game.observe(match.state, None if seat < 0 else seat)
            action = (
                match.game.legal_actions(match.state, seat)[0]
                if seat < 0
                else players[seat].decide(obs)
            )
            if action is not None and match.game.refusal(match.state, seat, action) is None:
                match.play(seat, action)
                break
    assert Record.loads(match.record().dumps()) == match.record()


def test_the_table_is_not_full_as_long_as_a_loop_can_be_found():
    match = Match(KnitWit(3), 1010)
    turn(match, FIRST, (132, 52))
    seat = match.state.turn
    with pytest.raises(IllegalAction) as refused:
        match.play(seat, "full")
    assert refused.value.refusal.text == "refusal.not_full"
    for language in LANGUAGES:
        assert game_text(match.game, "ui.venn_suggest", language) in sentence(
            match.game, refused.value.refusal, language
        )


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_full_table_offers_a_button_and_says_why(language):
    match = full()
    seat = match.state.turn
    look = Look(match.game, language, ())
    shown = scene(match.game.observe(match.state, seat), match.story(seat), look)
    (choices,) = [zone for zone in shown["zones"] if zone["kind"] == "choices"]
    assert [(choice["action"], choice["seat"]) for choice in choices["choices"]] == [("full", seat)]
    assert choices["choices"][0]["label"] in shown["prompt"]
    other = scene(match.game.observe(match.state, (seat + 1) % 3), [], look)
    assert not [zone for zone in other["zones"] if zone["kind"] == "choices"]


# Types


A_MILLION = tuple((n % 200, n % 100) for n in range(1_000_000))


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (("loop", [(30, 30), (90, 30), (60, 80)]), "stand in a tuple"),
        (
            ("loop", ((30, 30), (90.0, 30), (60, 80))),
            "Point 2 is (90.0, 30); a point is a tuple of two whole numbers",
        ),
        (("loop", ((30, 30), [90, 30], (60, 80))), "Point 2 is [90, 30]; a point is a tuple"),
        (("loop", ((30, 30), (90, True), (60, 80))), "two whole numbers"),
        (("loop", ((30, 30), (90, 30), (60, 80)), (30.0, 30)), "clothespin is at (30.0, 30)"),
        (["loop", ((30, 30), (90, 30), (60, 80))], "write a tuple"),
        (("loop", A_MILLION), "1 to 500 points; this one has 1000000"),
        (("loop", list(A_MILLION)), "stand in a tuple"),
        (A_MILLION, "write a tuple"),
        (("loop", ((30, 30), A_MILLION)), "Point 2"),
    ],
)
def test_a_loop_of_a_wrong_type_is_told_which_type_is_wanted_in_a_short_sentence(action, words):
    match = Match(KnitWit(3), 1010)
    with pytest.raises(IllegalAction) as refused:
        match.play(match.state.turn, action)
    assert words in str(refused.value)
    assert len(str(refused.value)) < 400


@pytest.mark.parametrize(
    "action", [("spool", 1.0, 120, 75), ("spool", 1, "120", 75), ("spool", 1, A_MILLION, 75)]
)
def test_a_spool_of_a_wrong_type_wants_a_whole_number(action):
    match = Match(KnitWit(3), 1010)
    seat = match.state.turn
    match.play(seat, ("loop", FIRST))
    with pytest.raises(IllegalAction, match="A whole number is wanted here, not") as refused:
        match.play(seat, action)
    assert len(str(refused.value)) < 400


@pytest.mark.parametrize("check", [check_play, check_actions, check_replay])
def test_the_contract_holds_where_players_fill_the_table(check, monkeypatch):
    """The first draws a comb with two bulges wherever it may; what follows is as everywhere."""
    as_drawn = LoopInput.sample

    def filling(self, rng):
        action = ("loop", comb(2, 7), (0, 0))
        return action if not self.design.loops and action in self else as_drawn(self, rng)

    monkeypatch.setattr(LoopInput, "sample", filling)
    check(KnitWit(2), "full")
