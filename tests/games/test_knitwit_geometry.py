"""Loops, regions and spools of Knit Wit, with shapely as an independent judge.

The judge looks at 500 random designs, in about ten seconds; in all 10,000 of the specification
with::

    KNITWIT_DESIGNS=10000 pytest tests/games/test_knitwit_geometry.py -k random_designs
"""

import os
import re
from itertools import islice
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lanes import some
from numpy import array
from shapely import contains_xy, distance, prepare
from shapely import points as shapely_points
from shapely.geometry import LineString, Polygon
from shapely.geometry import Point as ShapelyPoint
from shapely.ops import polygonize, unary_union

from coursekit.core.game import sentence
from coursekit.games.knitwit import KnitWit
from coursekit.games.knitwit.rules.faces import OUTSIDE, Faces
from coursekit.games.knitwit.rules.free_input import LoopInput, SpoolInput, laid_loop, scrawl_loop
from coursekit.games.knitwit.rules.geometry import (
    HEIGHT,
    MOST_CORNERS,
    RADIUS,
    SMALLEST,
    WIDTH,
    area,
    contains,
    crosses_itself,
    only_touches,
    outline,
    string_length,
)
from coursekit.games.knitwit.rules.loop_design import (
    Design,
    bit,
    cells_by_loops,
    connected_cells,
    connected_parts,
    default_pin,
    free_cells,
    free_middles,
    outward_way,
    points,
    regions,
)
from coursekit.games.knitwit.rules.loop_proposals import oval, propose_loops
from coursekit.games.knitwit.rules.placement import (
    Fault,
    fault_of_loop,
    fault_of_spool,
    find_loops,
    is_full,
)
from coursekit.words.texts import LANGUAGES

DESIGNS = int(os.environ.get("KNITWIT_DESIGNS", "500"))
MANY = settings(
    max_examples=some(150), deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
SQUARE = ((100, 50), (140, 50), (140, 90), (100, 90))
ALL_NUMBERS = tuple(range(1, 9))


def drawn(design, stroke, pin=None):
    """Return what is wrong with a stroke in *design*."""
    loop = outline(stroke)
    return fault_of_loop(design, loop, pin or default_pin(design, loop))


def lay(design, stroke, at, pin=None):
    """Return *design* with a loop and a spool more."""
    loop = outline(stroke)
    pin = pin or default_pin(design, loop)
    assert fault_of_loop(design, loop, pin) is None
    design = design.with_loop(loop, pin)
    assert fault_of_spool(design, at) is None
    return design.with_spool(at)


def started(turns=8, **more):
    """Return a design with the square as its loop, its pin at the left top, and a spool in the
    middle.
    """
    return lay(Design(turns=turns, **more), SQUARE, (120, 70), (100, 50))


def rectangle(left, top, right, bottom):
    return ((left, top), (right, top), (right, bottom), (left, bottom))


# From a stroke to a loop


def test_a_loop_has_one_form_wherever_and_however_it_was_begun():
    forms = {
        outline(turned[n:] + turned[:n]) for turned in (SQUARE, SQUARE[::-1]) for n in range(4)
    }
    assert forms == {((100, 50), (140, 50), (140, 90), (100, 90))}


def test_a_closed_stroke_and_an_open_one_give_the_same_loop():
    assert outline((*SQUARE, SQUARE[0])) == outline(SQUARE)


def test_repeated_and_needless_points_leave_no_corner():
    jitter = (
        (100, 50),
        (110, 50),
        (110, 50),
        (109, 50),
        (120, 51),
        (140, 50),
        (140, 90),
        (120, 90),
        (100, 90),
    )
    assert outline(jitter) == SQUARE


def test_ends_that_overshoot_are_cut_off():
    loop = outline(((104, 40), (100, 60), (100, 90), (140, 90), (140, 50), (120, 50), (90, 50)))
    assert not crosses_itself(loop)
    assert (102, 50) in loop
    assert (104, 40) not in loop
    assert (90, 50) not in loop


def test_a_figure_of_eight_stays_one():
    assert crosses_itself(outline(((10, 10), (60, 60), (60, 10), (10, 60), (10, 10))))


@pytest.mark.parametrize(
    "stroke", [((5, 5),), ((5, 5), (50, 50)), ((5, 5), (50, 50), (5, 5)), ((1, 1),) * 9]
)
def test_a_stroke_without_area_has_fewer_than_three_corners(stroke):
    assert len(outline(stroke)) < 3
    assert drawn(Design(turns=2), stroke) == Fault("no_loop")


def test_five_hundred_points_become_at_most_sixty_four_corners_close_to_them():
    from math import cos, pi, sin

    circle = tuple(
        (round(120 + 60 * cos(n * pi / 250)), round(75 + 60 * sin(n * pi / 250)))
        for n in range(500)
    )
    loop = outline(circle)
    assert len(loop) <= MOST_CORNERS
    assert max(Polygon(loop).exterior.distance(ShapelyPoint(p)) for p in circle) <= 1
    wild = tuple((20 + n % 200, 20 + (n * 37) % 100) for n in range(500))
    assert len(outline(wild)) <= MOST_CORNERS


@MANY
@given(st.lists(st.tuples(st.integers(0, 14), st.integers(0, 14)), min_size=1, max_size=14))
def test_shapely_agrees_on_loops(stroke):
    loop = outline(tuple(stroke))
    if len(loop) < 3:
        return
    polygon = Polygon(loop)
    assert crosses_itself(loop) != polygon.is_valid
    assert loop[0] == min(loop)
    if polygon.is_valid:
        assert area(loop) == 2 * polygon.area > 0
        assert abs(string_length(loop) / 16 - polygon.length) <= len(loop) / 16
        for x in range(15):
            for y in range(15):
                p = ShapelyPoint(x, y)
                where = 0 if polygon.exterior.intersects(p) else 1 if polygon.contains(p) else -1
                assert contains(loop, (x, y)) == where


@MANY
@given(*[st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=3, max_size=6)] * 2)
def test_shapely_agrees_on_strings_that_only_touch(one, other):
    """Two strings cross wherever they meet if each of their meetings separates what lies on both
    sides.
    """
    one, other = outline(tuple(one)), outline(tuple(other))
    if min(len(one), len(other)) < 3 or crosses_itself(one) or crosses_itself(other):
        return
    a, b = Polygon(one), Polygon(other)
    shared = a.exterior.intersection(b.exterior)
    if shared.length:
        assert only_touches(one, other)
        return
    touched = False
    for p in getattr(shared, "geoms", [shared] if not shared.is_empty else []):
        disc = p.buffer(0.001)
        # Where strings cross, all four kinds of places lie around the point.
        kinds = [(a & b & disc), (a - b) & disc, (b - a) & disc, disc - a - b]
        touched |= any(kind.area < 1e-10 for kind in kinds)
    assert only_touches(one, other) == touched


# What may be laid: one reason each


@pytest.mark.parametrize(
    ("stroke", "fault"),
    [
        (((120, 60), (130, 90)), Fault("no_loop")),
        (rectangle(110, 60, 260, 80), Fault("off_table")),
        (rectangle(110, -1, 130, 80), Fault("off_table")),
        (((110, 60), (130, 80), (130, 60), (110, 80)), Fault("crosses_itself")),
        (rectangle(112, 62, 128, 78), Fault("small")),
        (rectangle(116, 55, 200, 120), Fault("on_spool", (0,))),
        (rectangle(120, 55, 200, 120), Fault("on_spool", (0,))),
        (rectangle(150, 100, 200, 140), Fault("no_spool")),
        (rectangle(90, 40, 200, 120), Fault("pin_inside", (0,))),
        (rectangle(100, 40, 200, 120), Fault("pin_inside", (0,))),  # the pin lies on the new string
        (rectangle(110, 50, 130, 120), Fault("touches", (0,))),  # the strings lie along each other
        (((110, 55), (120, 50), (130, 55), (130, 80), (110, 80)), Fault("touches", (0,))),
        (((110, 60), (200, 60), (200, 80), (110, 80)), None),
        (((110, 55), (140, 70), (130, 85), (110, 85)), Fault("touches", (0,))),
        (((110, 55), (140, 70), (190, 110), (110, 85)), None),  # it crosses at a corner
    ],
)
def test_the_reason_why_a_loop_may_not_be_laid(stroke, fault):
    assert drawn(started(), stroke) == fault


def test_a_spool_may_be_just_as_near_to_the_string_as_its_radius():
    assert drawn(started(), rectangle(115, 40, 200, 120)) is None
    assert drawn(started(), rectangle(116, 40, 200, 120)) == Fault("on_spool", (0,))


def test_what_is_too_near_to_a_spool_is_told_without_a_measure_and_names_the_spool_for_the_table_to_light():
    refusal = LoopInput(started(), (7,)).refusal(("loop", rectangle(116, 40, 200, 120)))
    assert refusal.values["about"] == (7,)
    for language in LANGUAGES:
        assert re.findall("[0-9]+", sentence(KnitWit(3), refusal, language)) == ["7"]


def test_a_loop_holds_one_spool_exactly():
    two = lay(started(), rectangle(110, 60, 200, 80), (170, 70))
    assert drawn(two, rectangle(105, 55, 210, 85)) == Fault("many_spools", (0, 1))
    assert drawn(two, rectangle(105, 55, 150, 85)) is None


def test_the_pin_lies_on_its_loop():
    assert drawn(Design(turns=1), SQUARE, (120, 50)) is None
    assert drawn(Design(turns=1), SQUARE, (120, 51)) == Fault("pin_off")


def test_a_string_can_be_limited():
    assert drawn(Design(turns=1, string=160), SQUARE) is None
    assert drawn(Design(turns=1, string=159), SQUARE) == Fault("long_string")


def test_a_spool_finds_no_place_outside_near_a_string_or_beside_another():
    design = started().with_loop(outline(rectangle(110, 60, 200, 80)), (200, 60))
    assert fault_of_spool(design, (20, 20)) == Fault("outside")
    assert fault_of_spool(design, (500, 20)) == Fault("outside")
    assert fault_of_spool(design, (170, 76)) == Fault("on_string", (1,))
    assert fault_of_spool(design, (125, 70)) == Fault("taken", (0,))
    assert fault_of_spool(design, (170, 70)) is None  # only in the new loop
    assert (
        fault_of_spool(design, (105, 85)) is None
        or fault_of_spool(design, (105, 85)).name == "on_string"
    )


def test_no_spool_lies_over_another_where_a_region_is_so_narrow_that_it_falls_into_two():
    wide = (
        (108, 75),
        (113, 62),
        (128, 52),
        (148, 49),
        (168, 52),
        (182, 62),
        (188, 75),
        (168, 97),
        (128, 97),
    )
    below = ((102, 110), (131, 65), (144, 57), (157, 55), (166, 66), (141, 129))
    above = ((84, 39), (94, 22), (125, 29), (149, 49), (148, 63), (140, 71), (124, 69))
    design = Design((wide, below, above), ((188, 75), (102, 110), (84, 39)), ((130, 58),), turns=1)
    cells = cells_by_loops(design.loops)[frozenset((0, 2))]
    assert cells & bit((136, 56))
    assert not connected_cells(cells, bit((136, 56))) & bit((130, 58))
    assert fault_of_spool(design, (136, 56)) == Fault("taken", (0,))
    assert not any(around & bit((136, 56)) for around in free_cells(design).values())


def test_a_region_apart_may_hold_a_spool_with_the_same_loops_unless_the_option_says_no():
    # A bar across the square leaves two regions inside the square only.
    for by_label, fault in ((False, None), (True, Fault("same_words", (1,)))):
        design = lay(started(by_label=by_label), rectangle(60, 62, 180, 78), (120, 56))
        assert fault_of_spool(design, (120, 84)) == fault


def test_two_crossing_loops_make_exactly_three_regions():
    two = (outline(SQUARE), outline(rectangle(120, 30, 180, 70)))
    assert [sorted(region.loops) for region in regions(two)] == [[0], [0, 1], [1]]


def test_slivers_without_room_for_a_spool_are_no_regions():
    two = (outline(SQUARE), outline(rectangle(92, 42, 148, 98)))  # a ring of 8 around the square
    assert [sorted(region.loops) for region in regions(two)] == [[0, 1]]


def test_a_tag_hangs_outside_its_loop():
    loop = outline(SQUARE)
    for pin in (*loop, (120, 50), (140, 66)):
        x, y = outward_way(loop, pin)
        away = ShapelyPoint(pin[0] + x / 100, pin[1] + y / 100)
        assert not Polygon(loop).contains(away)


# Positions reached by play


def played(seed, turns, design=None):
    """Return the design after *turns* turns of random players."""
    rng, design = Random(seed), design or Design(turns=8)
    for _ in range(turns):
        numbers = ALL_NUMBERS[: len(design.spools)]
        design = design.with_loop(*laid_loop(design, LoopInput(design, numbers).sample(rng)))
        design = design.with_spool(SpoolInput(design, numbers, (8,)).sample(rng)[2:])
    return design


@settings(MANY, max_examples=some(60))
@given(seed=st.integers(0, 7), turns=st.integers(0, 7), data=st.data())
def test_any_stroke_is_laid_and_keeps_every_rule_or_is_refused_for_one_reason(seed, turns, data):
    design = played(seed, turns)
    anywhere = st.tuples(st.integers(-9, WIDTH + 9), st.integers(-9, HEIGHT + 9))
    kinds = st.one_of(
        st.lists(anywhere, min_size=1, max_size=12),
        st.randoms(use_true_random=False).map(lambda rng: scrawl_loop(design, rng)),
        st.sampled_from(list(propose_loops(design))[:200]),
    )
    stroke = tuple(data.draw(kinds))
    loop = outline(stroke)
    pin = default_pin(design, loop)
    fault, polygon = fault_of_loop(design, loop, pin), Polygon(loop) if len(loop) > 2 else None
    held = [
        n
        for n, at in enumerate(design.spools)
        if polygon and polygon.buffer(0).contains(ShapelyPoint(at))
    ]
    if fault is None:
        assert polygon.is_valid
        assert polygon.area >= SMALLEST
        assert polygon.within(Polygon(rectangle(0, 0, WIDTH, HEIGHT)))
        assert len(held) == 1 or not design.loops
        for at in design.spools:
            assert polygon.exterior.distance(ShapelyPoint(at)) >= RADIUS - 1e-9
        for other in design.pins:
            assert not polygon.intersects(ShapelyPoint(other))
        for other in design.loops:
            assert polygon.exterior.intersection(Polygon(other).exterior).length == 0
            assert not Polygon(other).within(polygon)  # an earlier loop is never swallowed whole
        more = design.with_loop(loop, pin)
        assert any(fault_of_spool(more, spot) is None for spot in free_middles(more))
    else:
        assert isinstance(fault, Fault)
        assert fault.name in {
            "no_loop",
            "off_table",
            "crosses_itself",
            "small",
            "pin_off",
            "on_spool",
            "many_spools",
            "no_spool",
            "pin_inside",
            "touches",
            "no_room",
        }
        if fault.name in ("many_spools", "no_spool"):
            assert list(fault.which) == held
            assert len(held) != 1


@pytest.mark.parametrize("seed", range(3))
def test_a_loop_and_a_spool_can_be_laid_in_every_position(seed):
    for by_label in (False, True):
        design = Design(turns=8, by_label=by_label, string=(None, 160)[seed % 2])
        for n in range(8):
            assert not is_full(design)
            assert next(find_loops(design))
            design = played(seed + n, 1, design)
            labels = [
                tuple(n for n, loop in enumerate(design.loops) if contains(loop, at) > 0)
                for at in design.spools
            ]
            assert all(labels)
            assert not by_label or len(set(labels)) == len(labels)
        assert len(design.loops) == len(design.spools) == 8


@pytest.mark.parametrize("seed", range(3))
def test_all_legal_proposals_are_suggested_and_in_order(seed):
    design = Design(turns=8)
    for n in range(4):
        laid = [(loop, default_pin(design, loop)) for loop in propose_loops(design)]
        legal = [each for each in laid if fault_of_loop(design, *each) is None]
        assert list(islice(find_loops(design), len(legal))) == legal
        design = played(seed + n, 1, design)


def test_a_loop_that_leaves_no_room_is_refused_beforehand():
    tight = lay(Design(turns=2), rectangle(110, 65, 131, 85), (120, 75), (110, 65))
    # Around the same spool, with room for nothing else: crossing its loop, but nowhere wide enough.
    narrow = ((112, 60), (128, 60), (128, 90), (112, 90))
    assert drawn(tight, narrow) == Fault("no_room")
    assert drawn(tight, rectangle(112, 60, 128, 120)) is None


def test_spots_are_found_where_most_room_is():
    design = started().with_loop(outline(rectangle(110, 60, 220, 80)), (220, 60))
    assert free_middles(design)[0] in {
        at for cells in free_cells(design).values() for at in points(cells)
    }
    assert 140 < free_middles(design)[0][0] < 220


def test_a_proposal_can_be_nudged():
    design = started()
    stroke, _ = next(find_loops(design))
    moved = tuple((x + 1, y) for x, y in stroke)
    assert outline(moved) == tuple((x + 1, y) for x, y in outline(stroke))


# The judge


def random_loops(rng):
    """Return up to eight loops, ovals and stars, laid without regard to the rules of the game."""
    loops = []
    while len(loops) < 8 and rng.random() < 0.95:
        x, y, way = (
            rng.randrange(30, 210),
            rng.randrange(30, 120),
            rng.choice([(64, 0), (55, 32), (0, 64), (-32, 55)]),
        )
        shape = oval((x, y), rng.randrange(12, 70), rng.randrange(12, 50), way)
        shape = tuple(
            ((u * 3 + x) // 4, (v * 3 + y) // 4) if rng.random() < 0.3 else (u, v) for u, v in shape
        )
        shape = tuple((min(max(u, 0), WIDTH), min(max(v, 0), HEIGHT)) for u, v in shape)
        loop = outline(shape)
        if len(loop) > 2 and not crosses_itself(loop) and loop not in loops:
            loops.append(loop)
    return tuple(loops)


def a_cell(cells, rng):
    """Return one of *cells*: the first behind a place drawn with *rng*, or the first of all."""
    rest = cells >> (n := rng.randrange(cells.bit_length())) << n
    return next(points(rest & -rest))


def judged(loops, rng):
    """Compare the regions of *loops* with shapely's; return how many there are."""
    polygons = [Polygon(loop) for loop in loops]
    strings = unary_union([LineString([*loop, loop[0]]) for loop in loops])
    prepare([*polygons, strings])
    faces = list(polygonize(strings))
    found = regions(loops)
    # 1. Every cell of a region is where a disc fits, in exactly its loops.
    places = [region.middle for region in found] + [a_cell(region.cells, rng) for region in found]
    far, held = seen_from(strings, polygons, places)
    for n, place in enumerate(places):
        assert far[n] >= RADIUS - 1e-9, place
        assert set(held[:, n].nonzero()[0]) == found[n % len(found)].loops, place
    # 2. Every point where a disc fits inside a loop is a cell of exactly one region.
    places = [(rng.randrange(WIDTH + 1), rng.randrange(HEIGHT + 1)) for _ in range(40)]
    far, held = seen_from(strings, polygons, places)
    for n, (x, y) in enumerate(places):
        if abs(far[n] - RADIUS) > 1e-9:
            holding = [region for region in found if region.cells & bit((x, y))]
            assert len(holding) == (far[n] > RADIUS and held[:, n].any()), (x, y)
    # 3. Faces with room for a disc (and one step more) are regions, each is one.
    middles = [region.middle for region in found]
    times = [0] * len(found)
    for face in faces:
        inside = face.representative_point()
        around = {k for k, polygon in enumerate(polygons) if polygon.contains(inside)}
        room = face.buffer(-RADIUS - 1)
        parts = [part for part in getattr(room, "geoms", [room]) if not part.is_empty]
        # Of a narrow face GEOS's inward buffer now and then leaves a piece right beside the
        # strings.
        parts = [
            part for part in parts if strings.distance(part.representative_point()) > RADIUS + 0.9
        ]
        here = contains_xy(face, middles).nonzero()[0] if middles else []
        assert len(here) <= 1  # one face is one region, however narrow it is somewhere
        for n in here:
            times[n] += 1
        assert all(found[n].loops == around for n in here)
        assert not parts or not around or len(here)
        for part in parts if around else ():
            touched = set()
            for x, y in list(part.exterior.coords)[:: max(1, len(part.exterior.coords) // 8)]:
                touched |= {n for n in here if found[n].cells & bit((round(x), round(y)))}
            assert len(touched) == 1
    # 4. Every region lies in exactly one face.
    assert set(times) <= {1}
    return len(found)


def seen_from(strings, polygons, places):
    """Return how far the strings are from each place, and which polygons (rows) hold it (columns)."""
    xs, ys = array(places).reshape(-1, 2).T
    return distance(strings, shapely_points(xs, ys)), contains_xy(array(polygons)[:, None], xs, ys)


def test_shapely_finds_the_same_regions_in_random_designs():
    rng, counted = Random(2016), 0
    for _ in range(DESIGNS):
        loops = random_loops(rng)
        if loops:
            counted += judged(loops, rng)
    assert counted > 5 * DESIGNS


def test_a_face_that_holds_a_spool_is_taken_as_a_whole():
    """「任何尚未被佔據的設計區域」: shapely's faces, as everybody sees them, and not where a spool could slide
    to.
    """
    narrow, looked_at = 0, 0
    for seed in (7, *range(4)):
        design, rng = Design(turns=8), Random(seed)
        for _ in range(8):
            numbers = ALL_NUMBERS[: len(design.spools)]
            design = design.with_loop(*laid_loop(design, LoopInput(design, numbers).sample(rng)))
            drawing = list(
                polygonize(unary_union([LineString([*loop, loop[0]]) for loop in design.loops]))
            )
            taken = {
                n
                for n, face in enumerate(drawing)
                if any(face.contains(ShapelyPoint(p)) for p in design.spools)
            }
            open_to = {n: [] for n in range(len(drawing))}
            for cells in cells_by_loops(design.loops).values():
                for part in connected_parts(cells):
                    at = next(points(part))
                    for n in [
                        n for n, face in enumerate(drawing) if face.contains(ShapelyPoint(at))
                    ]:
                        open_to[n].append(at)
            lying = sum(free_cells(design).values())
            for n, ats in open_to.items():
                assert all(bool(lying & bit(at)) == (n not in taken) for at in ats)
                assert n not in taken or all(
                    fault_of_spool(design, at).name == "taken" for at in ats
                )
                narrow += len(ats) > 1
            assert all(
                sum(face.contains(ShapelyPoint(p)) for face in drawing) == 1
                for p in free_middles(design)
            )
            assert len(free_middles(design)) == sum(
                bool(ats) and n not in taken for n, ats in open_to.items()
            )
            looked_at += len(drawing)
            design = design.with_spool(SpoolInput(design, numbers, (8,)).sample(rng)[2:])
    assert looked_at > 100
    assert narrow > 5  # faces whose cells fall into parts


def test_faces_are_told_apart_exactly():
    outer, inner = rectangle(20, 20, 200, 130), rectangle(60, 40, 160, 100)
    ring = Faces((outline(outer), outline(inner)))
    assert ring.face_at((30, 30)) == ring.face_at((180, 120)) != ring.face_at((100, 70))
    assert ring.face_at((10, 10)) == ring.face_at((230, 140)) == OUTSIDE
    # Two wedges whose points meet in a corner part the square, and leave a passage of a hundredth
    # if they do not.
    left, right = ((10, 60), (100, 75), (10, 90)), ((190, 60), (100, 75), (190, 90))
    square = outline(rectangle(20, 20, 180, 130))
    assert (parted := Faces((square, left, right))).face_at((100, 30)) != parted.face_at((100, 120))
    slanted = ((190, 60), (101, 75), (190, 90))
    assert (joined := Faces((square, left, slanted))).face_at((100, 30)) == joined.face_at(
        (100, 120)
    )


@pytest.mark.parametrize("seed", range(5))
def test_shapely_finds_the_same_regions_in_designs_of_matches(seed):
    assert judged(played(seed, 8).loops, Random(seed)) >= 8
