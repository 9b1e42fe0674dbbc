"""The design of loops, pins and spools: its regions, and where a spool has room.

A set of cells (points of the table) is one int; bit ``STRIDE * y + x`` stands for (x, y). Rows have
a margin, so that the cells beside a piece of string are worked out once, and shifted to wherever
such a piece lies. A region is a face of the drawing with room for a spool: its cells that are at
least a spool's radius away from every string. In a narrow face these cells fall into parts, yet it
is one region.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from math import isqrt
from typing import NamedTuple

from coursekit.games.knitwit.rules.faces import find_faces
from coursekit.games.knitwit.rules.geometry import (
    HEIGHT,
    RADIUS,
    WIDTH,
    Loop,
    Point,
    box,
    contains,
    edges,
    neighbours,
    squared_distance,
)

STRIDE = WIDTH + 2 * RADIUS
"""Bits of a row: its cells, and a margin."""
MARGIN = STRIDE * 2 * RADIUS
"""Bits of the rows above the table into which shapes reach before they are cut off."""
ROW = (1 << WIDTH + 1) - 1
"""The cells of the first row."""
EVERYWHERE = sum(ROW << STRIDE * y for y in range(HEIGHT + 1))
"""All cells."""


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


# Cells


def bit(p: Point) -> int:
    return 1 << STRIDE * p[1] + p[0]


def points(cells: int) -> Iterator[Point]:
    """Yield the points of a set of cells, row by row."""
    y = _top(cells)
    cells >>= STRIDE * y
    while cells:
        row = cells & ROW
        while row:
            low = row & -row
            yield low.bit_length() - 1, y
            row ^= low
        cells >>= STRIDE
        y += 1


def nth_point(cells: int, n: int) -> Point:
    """Return the *n*-th of the :func:`points` of *cells*, counted from 0."""
    for y in range(_top(cells), HEIGHT + 1):
        row = cells & ROW << STRIDE * y
        if n < row.bit_count():
            break
        n -= row.bit_count()
    return next(islice(points(row), n, None))


def _top(cells: int) -> int:
    """Return the first row that has any of *cells*."""
    return max(0, (cells & -cells).bit_length() - 1) // STRIDE


def spread_cells(cells: int) -> int:
    """Return *cells* and their neighbours on all four sides."""
    return cells | cells << 1 | cells >> 1 | cells << STRIDE | cells >> STRIDE


def shrink_cells(cells: int) -> int:
    """Return those of *cells* whose four neighbours are among them."""
    return cells & cells << 1 & cells >> 1 & cells << STRIDE & cells >> STRIDE


@lru_cache(512)
def connected_cells(cells: int, start: int) -> int:
    """Return those of *cells* connected to *start*, which are some of them."""
    above = STRIDE * _top(cells)  # without empty rows the steps are shorter
    cells >>= above
    before = 0
    part = (start >> above) & cells
    while part != before:
        before = part
        part = spread_cells(part) & cells
    return part << above


@lru_cache(2048)
def cells_inside(loop: Loop) -> int:
    """Return the cells inside *loop*; those on its string may be among them."""
    cells = 0
    for a, b in edges(loop):
        (x, y), (x2, y2) = (a, b) if a[1] <= b[1] else (b, a)
        cells ^= _crossings(x2 - x, y2 - y) << STRIDE * y + x
    # A cell is inside if the crossings up to it are odd in number.
    step = 1
    while step < EVERYWHERE.bit_length():
        cells ^= cells << step  # now of twice as many cells
        step *= 2
    return cells & EVERYWHERE


@lru_cache(8192)
def _crossings(u: int, v: int) -> int:
    """Return the first cell right of the segment from (0, 0) down to (u, v), by row before *v*."""
    return sum(1 << STRIDE * row + row * u // v + 1 for row in range(v))


@lru_cache(4096)
def cells_near_string(loop: Loop, radius: int) -> int:
    """Return the cells closer to the string of *loop* than *radius*."""
    cells = 0
    for a, b in edges(loop):
        cells |= cells_near(a, b, radius)
    return cells


def cells_near(a: Point, b: Point, radius: int) -> int:
    """Return the cells closer than *radius*, at most twice a spool's, to the segment *a*-*b*."""
    (x, y), (x2, y2) = (a, b) if a[1] <= b[1] else (b, a)
    return _beside_segment(x2 - x, y2 - y, radius) << STRIDE * y + x >> MARGIN & EVERYWHERE


@lru_cache(8192)
def _beside_segment(u: int, v: int, radius: int) -> int:
    """Return :func:`cells_near` for the segment from (0, 0) down to (u, v), below a margin."""
    cells = 0
    length = u * u + v * v
    for up in range(1 - radius, radius):
        side = isqrt(radius * radius - 1 - up * up)
        for x, y in ((0, 0), (u, v)):
            cells |= _run(y + up, x - side, x + side)
    # Beside it: the distance is a cross product over the length, and lies between the ends.
    most = isqrt(max(0, radius * radius * length - 1))
    for y in range(-radius, v + radius + 1):
        first, last = _multiples(v, u * y - most, u * y + most)
        low, high = _multiples(u, 1 - v * y, length - 1 - v * y)
        cells |= _run(y, max(first, low), min(last, high))
    return cells


def _run(y: int, x: int, end: int) -> int:
    """Return the cells *x* to *end* of row *y*, below a margin."""
    return (1 << end - x + 1) - 1 << MARGIN + STRIDE * y + x if x <= end else 0


def _multiples(factor: int, low: int, high: int) -> Point:
    """Return the first and the last number whose multiple by *factor* is from *low* to *high*."""
    if factor == 0:
        return (-STRIDE, STRIDE) if low <= 0 <= high else (1, 0)
    if factor < 0:
        factor, low, high = -factor, -high, -low
    return -(-low // factor), high // factor


@lru_cache(2048)
def cells_by_loops(loops: tuple[Loop, ...]) -> dict[frozenset[int], int]:
    """Return where a spool has room, also outside all loops: the loops around it -> cells."""
    if not loops:
        return {frozenset(): EVERYWHERE}
    *before, last = loops
    off_string = EVERYWHERE & ~cells_near_string(last, RADIUS)
    inward = off_string & cells_inside(last)
    outward = off_string & ~inward
    divided: dict[frozenset[int], int] = {}
    for around, cells in cells_by_loops(tuple(before)).items():
        if part := cells & inward:
            divided[around | {len(before)}] = part
        if part := cells & outward:
            divided[around] = part
    return divided


def connected_parts(cells: int) -> Iterator[int]:
    """Yield the connected parts of *cells*, from the top."""
    while cells:
        part = connected_cells(cells, cells & -cells)
        yield part
        cells ^= part


def _first_point(cells: int) -> Point:
    """Return the first of *cells*."""
    y, x = divmod((cells & -cells).bit_length() - 1, STRIDE)
    return x, y


@lru_cache(2048)
def regions(loops: tuple[Loop, ...]) -> tuple[Region, ...]:
    """Return the regions of a design, ordered by the loops they lie in, then from the top."""
    by_loops = sorted(cells_by_loops(loops).items(), key=lambda item: sorted(item[0]))
    return tuple(
        [
            Region(around, part, middle(part))
            for around, cells in by_loops
            if around
            for part in _split_by_face(loops, cells)
        ]
    )


def _split_by_face(loops: tuple[Loop, ...], cells: int) -> list[int]:
    """Return *cells*, all inside the same *loops*, divided among the faces in which they lie."""
    lying = list(connected_parts(cells))
    if len(lying) == 1:
        return lying
    by_face: dict[int, int] = {}
    for part in lying:
        face = find_faces(loops).face_at(_first_point(part))
        by_face[face] = by_face.get(face, 0) | part
    return list(by_face.values())


def middle(cells: int) -> Point:
    """Return the cell most steps away from the edge of *cells*; of several, one near their mean."""
    while smaller := shrink_cells(cells):
        cells = smaller
    deepest = list(points(cells))
    n = len(deepest)
    sums = sum(x for x, _ in deepest), sum(y for _, y in deepest)
    return min(deepest, key=lambda p: squared_distance((n * p[0], n * p[1]), sums))


def share_region(loops: tuple[Loop, ...], cells: int, lying: int) -> int:
    """Return those of *cells* that share a region with a cell in *lying*.

    All *cells* are inside the same *loops*.
    """
    shared = connected_cells(cells, lying)
    if cells != shared:  # a way may be too narrow for a spool
        shared = cells & connected_cells(_off_string(loops), lying)
    if cells != shared:
        taken = {find_faces(loops).face_at(p) for p in points(lying)}
        for part in connected_parts(cells & ~shared):
            if find_faces(loops).face_at(_first_point(part)) in taken:
                shared |= part
    return shared


@lru_cache(2048)
def _off_string(loops: tuple[Loop, ...]) -> int:
    """Return the cells at least 1 away from all strings.

    No string passes between two of them that are neighbours.
    """
    return _off_string(loops[:-1]) & ~cells_near_string(loops[-1], 1) if loops else EVERYWHERE


@lru_cache(2048)
def free_cells(design: Design) -> dict[frozenset[int], int]:
    """Return where the next spool may lie: inside a loop, in a region without a spool."""
    spools = sum(map(bit, design.spools))
    left = {}
    for around, cells in cells_by_loops(design.loops).items():
        lying = spools & cells
        if not around or (design.by_label and lying):
            continue
        if lying:
            cells &= ~share_region(design.loops, cells, lying)
        if cells:
            left[around] = cells
    return left


@lru_cache(64)
def free_middles(design: Design) -> tuple[Point, ...]:
    """Return the middles of the free regions, the roomiest first."""
    left = free_cells(design)
    rooms = [region for region in regions(design.loops) if region.cells & left.get(region.loops, 0)]
    rooms.sort(key=lambda region: (-region.cells.bit_count(), region.middle))
    return tuple([region.middle for region in rooms])


def loops_at(design: Design, p: Point) -> tuple[int, ...]:
    """Return the loops that *p* lies in."""
    return tuple(n for n, loop in enumerate(design.loops) if contains(loop, p) > 0)


def is_on_table(loop: Loop) -> bool:
    left, top, right, bottom = box(loop)
    return left >= 0 and top >= 0 and right <= WIDTH and bottom <= HEIGHT


def default_pin(design: Design, loop: Loop) -> Point:
    """Return the corner of *loop* farthest from the middle of the design, with room for a tag."""
    left, top, right, bottom = box([p for string in (*design.loops, loop) for p in string])
    twice_middle = left + right, top + bottom

    def remoteness(p: Point) -> tuple[int, Point]:
        return squared_distance((2 * p[0], 2 * p[1]), twice_middle), p

    return max(loop, key=remoteness, default=(0, 0))


def outward_way(loop: Loop, pin: Point) -> Point:
    """Return the direction from the *pin* out of its *loop*, across the sides next to it."""
    (x, y), (u, v) = neighbours(pin, loop)
    return v - y, x - u
