"""A design of loops, pins and spools: its regions, what may be added, and what to propose.

A set of cells (points of the table) is one int; bit ``STRIDE * y + x`` stands for (x, y).
A region is a face of the drawing with room for a spool: its cells that are at least a spool's radius away from
every string.  In a narrow face these cells fall into parts, yet it is one region.
"""

from collections.abc import Iterator
from functools import lru_cache
from math import isqrt
from typing import NamedTuple

from coursekit.games.knitwit.rules.faces import faces
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
    outline,
    string_length,
)  # fmt: skip

STRIDE = WIDTH + 1
"""Cells in a row."""
ROW = (1 << STRIDE) - 1
"""The cells of the first row."""
EVERYWHERE = (1 << STRIDE * (HEIGHT + 1)) - 1
"""All cells."""
TRIED = 6
"""Spots tried for a next spool."""


class Design(NamedTuple):
    """What lies on the table, and the turns to come."""

    loops: tuple[Loop, ...] = ()
    pins: tuple[Point, ...] = ()  # of each loop
    spools: tuple[Point, ...] = ()  # in the order of placing
    turns: int = 0  # spools still to be placed
    by_label: bool = False  # no two spools inside the same loops, even in different regions
    string: int | None = None  # longest string of a loop, None for no limit

    def with_loop(self, loop: Loop, pin: Point) -> "Design":
        return self._replace(loops=(*self.loops, loop), pins=(*self.pins, pin))

    def with_spool(self, at: Point) -> "Design":
        return self._replace(spools=(*self.spools, at), turns=self.turns - 1)


class Region(NamedTuple):
    """A place for a spool."""

    loops: frozenset[int]  # those it lies in
    cells: int
    middle: Point  # the cell farthest from all strings


class Fault(NamedTuple):
    """Why something cannot be laid: the last part of a text's id, and the loops or spools concerned."""

    name: str
    which: tuple[int, ...] = ()


# Cells


def bit(p: Point) -> int:
    return 1 << STRIDE * p[1] + p[0]


def points(cells: int) -> Iterator[Point]:
    """Yield the points of a set of cells, row by row."""
    for y in range(HEIGHT + 1):
        row = cells >> STRIDE * y & ROW
        while row:
            low = row & -row
            yield low.bit_length() - 1, y
            row ^= low


def beside(cells: int) -> int:
    """Return *cells* and their neighbours on all four sides."""
    return cells | cells << 1 | cells >> 1 | cells << STRIDE | cells >> STRIDE


def inner(cells: int) -> int:
    """Return those of *cells* whose four neighbours are among them."""
    return cells & cells << 1 & cells >> 1 & cells << STRIDE & cells >> STRIDE


def hanging_together(cells: int, start: int) -> int:
    """Return those of *cells* connected to *start*, which are some of them."""
    found, before = start & cells, 0
    while found != before:
        before, found = found, beside(found) & cells
    return found


@lru_cache(8192)
def inside(loop: Loop) -> int:
    """Return the cells inside *loop*; those on its string may be among them."""
    rows = [0] * (HEIGHT + 1)
    for a, b in edges(loop):
        (x, y), (x2, y2) = sorted((a, b), key=lambda p: p[1])
        for row in range(y, y2):  # the side separates inside and outside in this row
            rows[row] ^= ROW >> (at := x + (row - y) * (x2 - x) // (y2 - y) + 1) << at
    return sum(row << STRIDE * y for y, row in enumerate(rows))


@lru_cache(8192)
def near_string(loop: Loop) -> int:
    """Return the cells closer to the string of *loop* than a spool's radius."""
    rows = [0] * (HEIGHT + 1)
    for a, b in edges(loop):
        for up in range(1 - RADIUS, RADIUS):  # close to the corner
            _fill(rows, a[1] + up, a[0] - DISC[abs(up)], a[0] + DISC[abs(up)])
        # Beside the segment: its distance is a cross product over its length, and it lies between the ends.
        x, y, length = b[0] - a[0], b[1] - a[1], (b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2
        most = isqrt(RADIUS * RADIUS * length - 1)
        for down in range(min(0, y) - RADIUS, max(0, y) + RADIUS + 1):
            one = _multiples(y, x * down - most, x * down + most)
            other = _multiples(x, 1 - y * down, length - 1 - y * down)
            _fill(rows, a[1] + down, a[0] + max(one[0], other[0]), a[0] + min(one[1], other[1]))
    return sum(row << STRIDE * y for y, row in enumerate(rows))


DISC = [isqrt(RADIUS * RADIUS - 1 - up * up) for up in range(RADIUS)]
"""By distance in rows, how far to either side cells are closer to a point than a spool's radius."""


def _fill(rows: list[int], y: int, x: int, end: int) -> None:
    """Add the cells *x* to *end* of row *y*, without those off the table."""
    x, end = max(0, x), min(WIDTH, end)
    if x <= end and 0 <= y <= HEIGHT:
        rows[y] |= ROW >> STRIDE - 1 - (end - x) << x


def _multiples(factor: int, low: int, high: int) -> Point:
    """Return the smallest and the largest number whose multiple by *factor* lies from *low* to *high*."""
    if factor == 0:
        return (-STRIDE, STRIDE) if low <= 0 <= high else (1, 0)
    if factor < 0:
        factor, low, high = -factor, -high, -low
    return -(-low // factor), high // factor


@lru_cache(2048)
def cells_by_loops(loops: tuple[Loop, ...]) -> dict[frozenset[int], int]:
    """Return where a spool has room: the loops around it -> cells, those outside all loops included."""
    if not loops:
        return {frozenset(): EVERYWHERE}
    last, found = len(loops) - 1, dict[frozenset[int], int]()
    within, near = inside(loops[-1]), near_string(loops[-1])
    for around, cells in cells_by_loops(loops[:-1]).items():
        for label, part in ((around | {last}, cells & within & ~near), (around, cells & ~within & ~near)):
            if part:
                found[label] = part
    return found


def parts(cells: int) -> Iterator[int]:
    """Yield the connected parts of *cells*, from the top."""
    while cells:
        part = hanging_together(cells, cells & -cells)
        yield part
        cells ^= part


def _somewhere(cells: int) -> Point:
    """Return one of *cells*."""
    y, x = divmod((cells & -cells).bit_length() - 1, STRIDE)
    return x, y


@lru_cache(2048)
def regions(loops: tuple[Loop, ...]) -> tuple[Region, ...]:
    """Return the regions of a design, ordered by the loops they lie in, then from the top."""
    found = []
    for around, cells in sorted(cells_by_loops(loops).items(), key=lambda item: sorted(item[0])):
        lying, by_face = list(parts(cells)) if around else [], dict[int, int]()
        for part in lying:
            face = faces(loops).at(_somewhere(part)) if len(lying) > 1 else 0
            by_face[face] = by_face.get(face, 0) | part
        found += [Region(around, each, middle(each)) for each in by_face.values()]
    return tuple(found)


def middle(cells: int) -> Point:
    """Return the cell that is most steps away from the edge of *cells*."""
    return _deepest(cells)[1]


def _deepest(cells: int) -> tuple[int, Point]:
    """Return the depth of *cells* in steps, and the deepest cell, the one nearest their mean if several."""
    steps = 0
    while smaller := inner(cells):
        steps, cells = steps + 1, smaller
    deepest = list(points(cells))
    n, x, y = len(deepest), sum(x for x, _ in deepest), sum(y for _, y in deepest)
    return steps, min(deepest, key=lambda p: (n * p[0] - x) ** 2 + (n * p[1] - y) ** 2)


def same_region(loops: tuple[Loop, ...], cells: int, lying: int) -> int:
    """Return those of *cells*, all inside the same *loops*, that share a region with one of *lying*."""
    found = hanging_together(cells, lying)
    if cells != found and lying:
        taken = {faces(loops).at(at) for at in points(lying)}
        for part in parts(cells & ~found):
            if faces(loops).at(_somewhere(part)) in taken:
                found |= part
    return found


@lru_cache(2048)
def free(design: Design) -> dict[frozenset[int], int]:
    """Return where the rulebook lets the next spool lie: inside a loop, in a region without a spool."""
    found = {}
    for around, cells in cells_by_loops(design.loops).items():
        lying = sum(bit(at) for at in design.spools) & cells
        if not around or (design.by_label and lying):
            continue
        if left := cells & ~same_region(design.loops, cells, lying):
            found[around] = left
    return found


@lru_cache(64)
def places(design: Design) -> tuple[Point, ...]:
    """Return the middles of the free regions, the roomiest first."""
    left = free(design)
    rooms = [region for region in regions(design.loops) if region.cells & left.get(region.loops, 0)]
    return tuple(region.middle for region in sorted(rooms, key=lambda each: (-each.cells.bit_count(), each.middle)))


def around(design: Design, p: Point) -> tuple[int, ...]:
    """Return the loops that *p* lies in."""
    return tuple(n for n, loop in enumerate(design.loops) if contains(loop, p) > 0)


# What may be laid


def on_table(loop: Loop) -> bool:
    left, top, right, bottom = box(loop)
    return left >= 0 and top >= 0 and right <= WIDTH and bottom <= HEIGHT


@lru_cache(8192)
def fault_of_loop(design: Design, loop: Loop, pin: Point) -> Fault | None:
    """Return the fault of *loop* as the next one, ``None`` if it may be laid."""
    if fault := _fault_of_shape(design, loop, pin) or _fault_of_place(design, loop):
        return fault
    return None if next(spots(design.with_loop(loop, pin)), None) else Fault("no_room")


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
    if crossed := tuple(n for n, at in spools if any(closer(at, a, b, RADIUS) for a, b in edges(loop))):
        return Fault("on_spool", crossed)
    within = tuple(n for n, at in spools if contains(loop, at) > 0)
    if len(within) != 1 and design.loops:  # 「起始玩家第一回合忽視這個要求」
        return Fault("many_spools" if within else "no_spool", within)
    if held := tuple(n for n, at in pins if contains(loop, at) >= 0):
        return Fault("pin_inside", held)
    if along := tuple(n for n, other in enumerate(design.loops) if only_touches(loop, other)):
        return Fault("touches", along)
    return None


def _beside_box(loop: Loop, things: tuple[Point, ...]) -> list[tuple[int, Point]]:
    """Return those of *things*, with their places, that lie in the box of *loop* or within a radius of it."""
    left, top, right, bottom = box(loop)
    return [
        (n, (x, y))
        for n, (x, y) in enumerate(things)
        if left - RADIUS < x < right + RADIUS and top - RADIUS < y < bottom + RADIUS
    ]


def fault_of_spool(design: Design, at: Point) -> Fault | None:
    """Return the fault of the next spool at *at*, ``None`` if it may lie there."""
    if not (0 <= at[0] <= WIDTH and 0 <= at[1] <= HEIGHT) or not any(contains(each, at) > 0 for each in design.loops):
        return Fault("outside")
    if near := tuple(n for n, loop in enumerate(design.loops) if near_string(loop) & bit(at)):
        return Fault("on_string", near)
    if not any(cells & bit(at) for cells in free(design).values()):
        same = around(design, at)
        there = tuple(n for n, other in enumerate(design.spools) if around(design, other) == same)
        cells = same_region(design.loops, cells_by_loops(design.loops)[frozenset(same)], bit(at))
        together = tuple(n for n in there if cells & bit(design.spools[n]))
        return Fault("taken", together) if together else Fault("same_words", there)
    return None if goes_on(design.with_spool(at)) else Fault("no_room")


def spots(design: Design) -> Iterator[Point]:
    """Yield places for the next spool, the roomiest first.  A legal loop leaves at least one."""
    deep = sorted((-steps, at) for steps, at in map(_deepest, free(design).values()))
    return (at for _, at in deep[:TRIED] if goes_on(design.with_spool(at)))


@lru_cache(8192)
def goes_on(design: Design) -> bool:
    """Return whether all turns to come can be played.

    It looks for one way: a proposed loop, a spool where it has most room, and so on.  A legal loop therefore leaves
    a spot for its spool, and a legal spool leaves a next loop.
    """
    if design.turns == 0:
        return True
    for loop in proposals(design):
        if _fault_of_place(design, loop) is None:
            more = design.with_loop(loop, default_pin(design, loop))
            deep = [(-steps, at) for steps, at in map(_deepest, free(more).values())]
            if deep:
                return goes_on(more.with_spool(min(deep)[1]))
    return False


# Proposals

UNIT = 64
"""Length of the directions in :data:`CIRCLE`."""
QUARTER = ((UNIT, 0), (55, 32), (32, 55))
"""Cosines and sines of 0, 30 and 60 degrees in :data:`UNIT`."""
CIRCLE = (*QUARTER, *((-y, x) for x, y in QUARTER), *((-x, -y) for x, y in QUARTER), *((y, -x) for x, y in QUARTER))
"""Twelve directions, 30 degrees apart."""
SIZES = ((40, 26), (30, 22), (52, 18), (22, 18), (30, 14), (16, 14), (13, 13))
"""Half the length and half the breadth of proposed loops."""
MARGIN = 12
"""A proposed loop that lies to one side of its spool reaches at least so far beyond the centre."""


def oval(centre: Point, length: int, breadth: int, way: Point) -> tuple[Point, ...]:
    """Return an oval stroke around *centre*, half of it *length* along *way* (of ``CIRCLE``) and *breadth* across."""
    (x, y), (c, s) = centre, way
    corners = ((length * a // UNIT, breadth * b // UNIT) for a, b in CIRCLE)
    return tuple((x + (u * c - v * s) // UNIT, y + (u * s + v * c) // UNIT) for u, v in corners)


@lru_cache(1024)
def _proposed(length: int, breadth: int, way: Point) -> Loop:
    shape = outline(oval((0, 0), length, breadth, way))
    while (again := outline(shape)) != shape:  # the proposal is laid exactly as drawn
        shape = again
    return shape


def proposals(design: Design) -> Iterator[Loop]:
    """Yield loops around each spool, from large to small and in all directions.  Not all are legal."""
    middles = design.spools or ((WIDTH // 2, HEIGHT // 2),)
    for length, breadth in SIZES:
        for aside in (length - MARGIN, 0):
            for way in CIRCLE:
                shape = _proposed(length, breadth, way)
                if design.string is not None and string_length(shape) > SIXTEENTHS * design.string:
                    continue
                for x, y in middles:
                    x, y = x + aside * way[0] // UNIT, y + aside * way[1] // UNIT
                    loop = tuple((x + u, y + v) for u, v in shape)
                    if on_table(loop):
                        yield loop


def suggestions(design: Design) -> Iterator[tuple[Loop, Point]]:
    """Yield legal proposals with their pins.  Every position of a match has one."""
    proposed = ((loop, default_pin(design, loop)) for loop in proposals(design))
    return (each for each in proposed if fault_of_loop(design, *each) is None)


def default_pin(design: Design, loop: Loop) -> Point:
    """Return the corner of *loop* farthest from the middle of the design, where its tag has room."""
    left, top, right, bottom = box([p for each in (*design.loops, loop) for p in each])
    return max(loop, key=lambda p: ((2 * p[0] - left - right) ** 2 + (2 * p[1] - top - bottom) ** 2, p), default=(0, 0))


def outward(loop: Loop, pin: Point) -> Point:
    """Return the direction from the *pin* out of its *loop*, across the sides next to it."""
    n = loop.index(pin) if pin in loop else -1
    for a, b in edges(loop) if n < 0 else ():
        if contains((a, b, a), pin) == 0:
            return b[1] - a[1], a[0] - b[0]
    a, b = loop[n - 1], loop[(n + 1) % len(loop)]
    return b[1] - a[1], a[0] - b[0]
