"""A design of loops, pins and spools: its regions, and what may be added.

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
    WIDTH,
    Loop,
    Point,
    box,
    contains,
    edges,
)  # fmt: skip

STRIDE = WIDTH + 1
"""Cells in a row."""
ROW = (1 << STRIDE) - 1
"""The cells of the first row."""
EVERYWHERE = (1 << STRIDE * (HEIGHT + 1)) - 1
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
    """Return the cell that is most steps away from the edge of *cells*, the one nearest their mean if several."""
    while smaller := inner(cells):
        cells = smaller
    deepest = list(points(cells))
    n, x, y = len(deepest), sum(x for x, _ in deepest), sum(y for _, y in deepest)
    return min(deepest, key=lambda p: (n * p[0] - x) ** 2 + (n * p[1] - y) ** 2)


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


def on_table(loop: Loop) -> bool:
    left, top, right, bottom = box(loop)
    return left >= 0 and top >= 0 and right <= WIDTH and bottom <= HEIGHT


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
