"""What may be laid: the faults of a loop and of a spool, and whether the table is full.

A loop leaves room for its spool, and neither may be the end of the knitting while something else
would not be. That is refused only where it is certain; no search that finds nothing refuses
anything. Where no loop can be laid any more, the table is full.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from coursekit.games.knitwit.rules.design import (
    STRIDE,
    Design,
    around,
    bit,
    cells_by_loops,
    cells_near,
    default_pin,
    free,
    inside,
    near_string,
    on_table,
    places,
    points,
    same_region,
)
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
    closer,
    contains,
    crosses_itself,
    edges,
    only_touches,
    squared,
    string_length,
)
from coursekit.games.knitwit.rules.loop_proposals import as_laid, move, shapes, tunnels

TRIED = 6_000
"""Most tunnels that the search tries: a number of steps, not a time, because records depend on it."""


class Fault(NamedTuple):
    """Why something cannot be laid: the last part of a text's id, and the loops or spools
    concerned.
    """

    name: str
    which: tuple[int, ...] = ()


@lru_cache(8192)
def fault_of_loop(design: Design, loop: Loop, pin: Point) -> Fault | None:
    """Return the fault of *loop* as the next one, ``None`` if it may be laid."""
    if fault := _fault_of_shape(design, loop, pin) or _fault_of_place(design, loop):
        return fault
    more = design.with_loop(loop, pin)
    if not free(more):
        return Fault("no_room")
    return Fault("no_next") if _ends_anyway(more) and not _all_end(design) else None


def may_be_laid(design: Design, loop: Loop) -> bool:
    """Return whether *loop* may be laid with its default pin; quicker than its fault where there is
    one.
    """
    return (
        _lies_well(design, loop) and fault_of_loop(design, loop, default_pin(design, loop)) is None
    )


def _fault_of_shape(design: Design, loop: Loop, pin: Point) -> Fault | None:
    if len(loop) < 3:
        return Fault("no_loop")
    if not on_table(loop):
        return Fault("off_table")
    if crosses_itself(loop):
        return Fault("crosses_itself")
    if area(loop) < 2 * SMALLEST:
        return Fault("small")
    if design.string is not None and string_length(loop) > SIXTEENTHS * design.string:
        return Fault("long_string")
    return Fault("pin_off") if contains(loop, pin) else None


def _fault_of_place(design: Design, loop: Loop) -> Fault | None:
    spools, pins = _beside_box(loop, design.spools), _beside_box(loop, design.pins)
    if crossed := tuple(
        n for n, at in spools if any(closer(at, a, b, RADIUS) for a, b in edges(loop))
    ):
        return Fault("on_spool", crossed)
    within = tuple(n for n, at in spools if contains(loop, at) > 0)
    if len(within) != 1 and design.loops:  # 「起始玩家第一回合忽視這個要求」
        return Fault("many_spools" if within else "no_spool", within)
    if held := tuple(n for n, at in pins if contains(loop, at) >= 0):
        return Fault("pin_inside", held)
    if along := tuple(n for n, other in enumerate(design.loops) if only_touches(loop, other)):
        return Fault("touches", along)
    return None


def _lies_well(design: Design, loop: Loop) -> bool:
    """Return whether *loop* has no fault of place. Most fail at once: they do not hold one spool."""
    held = (
        not design.loops
        or sum(contains(loop, at) > 0 for _, at in _beside_box(loop, design.spools)) == 1
    )
    return held and _fault_of_place(design, loop) is None


def _beside_box(loop: Loop, things: tuple[Point, ...]) -> list[tuple[int, Point]]:
    """Return those of *things*, with their places, that lie in the box of *loop* or within a radius
    of it.
    """
    left, top, right, bottom = box(loop)
    return [
        (n, (x, y))
        for n, (x, y) in enumerate(things)
        if left - RADIUS < x < right + RADIUS and top - RADIUS < y < bottom + RADIUS
    ]


@lru_cache(2048)
def fault_of_spool(design: Design, at: Point) -> Fault | None:
    """Return the fault of the next spool at *at*, ``None`` if it may lie there."""
    if not (0 <= at[0] <= WIDTH and 0 <= at[1] <= HEIGHT) or not any(
        contains(each, at) > 0 for each in design.loops
    ):
        return Fault("outside")
    if near := tuple(n for n, loop in enumerate(design.loops) if near_string(loop) & bit(at)):
        return Fault("on_string", near)
    if not any(cells & bit(at) for cells in free(design).values()):
        same = around(design, at)
        there = tuple(n for n, other in enumerate(design.spools) if around(design, other) == same)
        cells = same_region(design.loops, cells_by_loops(design.loops)[frozenset(same)], bit(at))
        together = tuple(n for n in there if cells & bit(design.spools[n]))
        return Fault("taken", together) if together else Fault("same_words", there)
    return Fault("no_next") if _ends(design.with_spool(at)) and not _ends_anyway(design) else None


# Whether the knitting goes on


def _ends(design: Design) -> bool:
    """Return whether it is certain that after the last spool of *design* nobody can go on.

    A new string only takes room away, and it parts a cell from a spool only if it passes a radius
    from both. No loop holds a spool whose pins are no farther away than the string has to be.
    """
    held = (any(squared(at, pin) <= RADIUS**2 for pin in design.pins) for at in design.spools)
    return design.turns > 0 and (not _room(design) or all(held))


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
        _ends(design.with_spool(at)) for cells in free(design).values() for at in points(cells)
    )


@lru_cache(256)
def _all_end(design: Design) -> bool:
    """Return whether the search finds no loop but those after which the knitting ends."""
    found = (design.with_loop(*each) for each in _search(design))
    return all(_ends_anyway(more) for more in found if free(more))


# What to propose


def _search(design: Design) -> Iterator[tuple[Loop, Point]]:
    """Yield loops with their pins that have no fault of place.  Not all are legal."""
    # The cells of a shape are known in the middle of the table, so what lies there is shifted
    # instead of the shape.
    spools, pins = (
        sum(bit(at) for at in set(some)) << MIDDLE for some in (design.spools, design.pins)
    )
    for shape, x, y in shapes(design):
        (within, close), away = _cells_of(shape), STRIDE * y + x
        there = spools >> away
        if design.loops and (
            there & close or (there & within).bit_count() != 1 or pins >> away & within & ~close
        ):
            continue  # most fail here
        loop = move(shape, x, y)
        if _fault_of_place(design, loop) is None:
            yield loop, default_pin(design, loop)
    for stroke in islice(tunnels(design), TRIED):
        if on_table(stroke) and _lies_well(design, stroke):
            loop = as_laid(stroke)
            pin = default_pin(design, loop)
            if _fault_of_shape(design, loop, pin) is None and _fault_of_place(design, loop) is None:
                yield loop, pin


MIDDLE = STRIDE * (HEIGHT // 2) + WIDTH // 2
"""The bit of the table's middle."""


@lru_cache(1024)
def _cells_of(shape: Loop) -> tuple[int, int]:
    """Return the cells inside a loop of this *shape* in the middle of the table, and those near its
    string.
    """
    loop = move(shape, WIDTH // 2, HEIGHT // 2)
    return inside(loop), near_string(loop)


def suggestions(design: Design) -> Iterator[tuple[Loop, Point]]:
    """Yield legal loops with their pins.  There is none if the table is full."""
    return (each for each in _search(design) if fault_of_loop(design, *each) is None)


def spots(design: Design) -> list[Point]:
    """Return places for the next spool: the middles of the regions, the roomiest first, or one
    elsewhere.
    """
    found = [at for at in places(design) if fault_of_spool(design, at) is None]
    anywhere = (at for cells in free(design).values() for at in points(cells))
    return found or [next(at for at in anywhere if fault_of_spool(design, at) is None)]


@lru_cache(1024)
def is_full(design: Design) -> bool:
    """Return whether the search finds no loop that may be laid."""
    return next(suggestions(design), None) is None
