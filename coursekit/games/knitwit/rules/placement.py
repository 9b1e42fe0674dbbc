"""Placement of loops and spools: their faults, and whether the table is full.

A loop leaves room for its spool, and neither may be the end of the knitting while something else
would not be. That is refused only where it is certain; no search that finds nothing refuses
anything. Where no loop can be laid any more, the table is full.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from coursekit.games.knitwit.rules.geometry import (
    HEIGHT,
    RADIUS,
    SIXTEENTHS,
    SMALLEST,
    WIDTH,
    Loop,
    Point,
    area,
    box,
    contains,
    crosses_itself,
    edges,
    is_closer,
    only_touches,
    squared_distance,
    string_length,
)
from coursekit.games.knitwit.rules.loop_design import (
    STRIDE,
    Design,
    bit,
    cells_by_loops,
    cells_inside,
    cells_near,
    cells_near_string,
    default_pin,
    free_cells,
    free_middles,
    is_on_table,
    loops_at,
    points,
    share_region,
)
from coursekit.games.knitwit.rules.loop_proposals import (
    move_shape,
    propose_shapes,
    propose_tunnels,
    settle_stroke,
)

TRIED = 6_000
"""Most tunnels that the search tries: no time, because records depend on it."""


class Fault(NamedTuple):
    """Why something cannot be laid.

    It has the last part of a text's id, and the loops or spools concerned.
    """

    name: str
    which: tuple[int, ...] = ()


@lru_cache(8192)
def fault_of_loop(design: Design, loop: Loop, pin: Point) -> Fault | None:
    """Return the fault of *loop* as the next one, ``None`` if it may be laid."""
    if fault := _fault_of_shape(design, loop, pin) or _fault_of_place(design, loop):
        return fault
    more = design.with_loop(loop, pin)
    if not free_cells(more):
        return Fault("no_room")
    return Fault("no_next") if _ends_anyway(more) and not _all_end(design) else None


def may_be_laid(design: Design, loop: Loop) -> bool:
    """Return whether *loop* may be laid with its default pin.

    This is quicker than its fault where there is one.
    """
    if not _lies_well(design, loop):
        return False
    return fault_of_loop(design, loop, default_pin(design, loop)) is None


def _fault_of_shape(design: Design, loop: Loop, pin: Point) -> Fault | None:
    if len(loop) < 3:
        return Fault("no_loop")
    if not is_on_table(loop):
        return Fault("off_table")
    if crosses_itself(loop):
        return Fault("crosses_itself")
    if area(loop) < 2 * SMALLEST:
        return Fault("small")
    if design.string is not None and string_length(loop) > SIXTEENTHS * design.string:
        return Fault("long_string")
    return Fault("pin_off") if contains(loop, pin) else None


def _fault_of_place(design: Design, loop: Loop) -> Fault | None:
    spools = _beside_box(loop, design.spools)
    crossed = [n for n, p in spools if any(is_closer(p, a, b, RADIUS) for a, b in edges(loop))]
    if crossed:
        return Fault("on_spool", tuple(crossed))
    within = [n for n, p in spools if contains(loop, p) > 0]
    if len(within) != 1 and design.loops:  # 「起始玩家第一回合忽視這個要求」
        return Fault("many_spools" if within else "no_spool", tuple(within))
    pins = [n for n, p in _beside_box(loop, design.pins) if contains(loop, p) >= 0]
    if pins:
        return Fault("pin_inside", tuple(pins))
    touched = [n for n, other in enumerate(design.loops) if only_touches(loop, other)]
    return Fault("touches", tuple(touched)) if touched else None


def _lies_well(design: Design, loop: Loop) -> bool:
    """Return whether *loop* has no fault of place; most fail at once, without one spool."""
    if design.loops:
        spools = _beside_box(loop, design.spools)
        if sum(contains(loop, p) > 0 for _, p in spools) != 1:
            return False
    return _fault_of_place(design, loop) is None


def _beside_box(loop: Loop, things: tuple[Point, ...]) -> list[tuple[int, Point]]:
    """Return those of *things* in the box of *loop* or a radius beside it, after their places."""
    left, top, right, bottom = box(loop)
    return [
        (n, (x, y))
        for n, (x, y) in enumerate(things)
        if left - RADIUS < x < right + RADIUS and top - RADIUS < y < bottom + RADIUS
    ]


@lru_cache(2048)
def fault_of_spool(design: Design, at: Point) -> Fault | None:
    """Return the fault of the next spool at *at*, ``None`` if it may lie there."""
    around = loops_at(design, at)
    if not is_on_table((at,)) or not around:
        return Fault("outside")
    near = [n for n, loop in enumerate(design.loops) if cells_near_string(loop, RADIUS) & bit(at)]
    if near:
        return Fault("on_string", tuple(near))
    if not any(cells & bit(at) for cells in free_cells(design).values()):
        same = [n for n, p in enumerate(design.spools) if loops_at(design, p) == around]
        cells = cells_by_loops(design.loops)[frozenset(around)]
        region = share_region(design.loops, cells, bit(at))
        together = [n for n in same if region & bit(design.spools[n])]
        return Fault("taken", tuple(together)) if together else Fault("same_words", tuple(same))
    if _ends(design.with_spool(at)) and not _ends_anyway(design):
        return Fault("no_next")
    return None


# Whether the knitting goes on


def _ends(design: Design) -> bool:
    """Return whether it is certain that after the last spool of *design* nobody can go on.

    A new string only takes room away, and it parts a cell from a spool only if it passes a radius
    from both. No loop holds a spool whose pins are no farther away than the string has to be.
    """
    if design.turns <= 0:
        return False
    return not _room(design) or all(
        any(squared_distance(spool, pin) <= RADIUS**2 for pin in design.pins)
        for spool in design.spools
    )


def _room(design: Design) -> int:
    """Return the cells that the next spool may lie on, whatever loop is laid before it."""
    room = sum(cells_by_loops(design.loops).values())
    for at in design.spools:
        room &= ~cells_near(at, at, 2 * RADIUS)  # no string goes between
    return room


@lru_cache(2048)
def _ends_anyway(design: Design) -> bool:
    """Return whether the knitting ends wherever the next spool of *design* lies."""
    if design.turns < 2:
        return False
    return all(
        _ends(design.with_spool(at))
        for cells in free_cells(design).values()
        for at in points(cells)
    )


@lru_cache(256)
def _all_end(design: Design) -> bool:
    """Return whether the search finds no loop but those after which the knitting ends."""
    for loop, pin in _search(design):
        more = design.with_loop(loop, pin)
        if free_cells(more) and not _ends_anyway(more):
            return False
    return True


# What to propose


def _search(design: Design) -> Iterator[tuple[Loop, Point]]:
    """Yield loops with their pins that have no fault of place.  Not all are legal."""
    # The cells of a shape are known in the middle of the table, so what lies there is shifted
    # instead of the shape.
    spools = sum(map(bit, {*design.spools})) << MIDDLE
    pins = sum(map(bit, {*design.pins})) << MIDDLE
    for shape, x, y in propose_shapes(design):
        away = STRIDE * y + x
        within, close = _cells_of(shape)
        there = spools >> away
        if design.loops:  # most fail here
            if there & close or (there & within).bit_count() != 1:
                continue
            if pins >> away & within & ~close:
                continue
        loop = move_shape(shape, x, y)
        if _fault_of_place(design, loop) is None:
            yield loop, default_pin(design, loop)
    for stroke in islice(propose_tunnels(design), TRIED):
        if is_on_table(stroke) and _lies_well(design, stroke):
            loop = settle_stroke(stroke)
            pin = default_pin(design, loop)
            if _fault_of_shape(design, loop, pin) is None and _fault_of_place(design, loop) is None:
                yield loop, pin


MIDDLE = STRIDE * (HEIGHT // 2) + WIDTH // 2
"""The bit of the table's middle."""


@lru_cache(1024)
def _cells_of(shape: Loop) -> tuple[int, int]:
    """Return the cells inside a loop of this *shape* in the middle of the table, and near it."""
    loop = move_shape(shape, WIDTH // 2, HEIGHT // 2)
    return cells_inside(loop), cells_near_string(loop, RADIUS)


def find_loops(design: Design) -> Iterator[tuple[Loop, Point]]:
    """Yield legal loops with their pins.  There is none if the table is full."""
    for loop, pin in _search(design):
        if fault_of_loop(design, loop, pin) is None:
            yield loop, pin


def find_spots(design: Design) -> list[Point]:
    """Return places for the next spool: the middles of free regions, or else one elsewhere."""
    spots = [p for p in free_middles(design) if fault_of_spool(design, p) is None]
    if not spots:
        anywhere = (p for cells in free_cells(design).values() for p in points(cells))
        spots.append(next(p for p in anywhere if fault_of_spool(design, p) is None))
    return spots


@lru_cache(1024)
def is_full(design: Design) -> bool:
    """Return whether the search finds no loop that may be laid."""
    return next(find_loops(design), None) is None
