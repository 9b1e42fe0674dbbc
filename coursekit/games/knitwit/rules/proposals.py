"""Loops to propose for a design, legal or not: ovals, and tunnels where there is no room for ovals.

A tunnel is a loop around a spool and a place for the next one, as narrow as spools allow.
"""

from collections.abc import Iterator
from functools import lru_cache
from math import isqrt

from coursekit.games.knitwit.rules.design import (
    STRIDE,
    Design,
    cells_by_loops,
    on_table,
    points,
)  # fmt: skip
from coursekit.games.knitwit.rules.geometry import (
    HEIGHT,
    RADIUS,
    SIXTEENTHS,
    WIDTH,
    Loop,
    Point,
    closer,
    outline,
    string_length,
)  # fmt: skip

UNIT = 64
"""Length of the directions in :data:`CIRCLE`."""
QUARTER = ((UNIT, 0), (55, 32), (32, 55))
"""Cosines and sines of 0, 30 and 60 degrees in :data:`UNIT`."""
CIRCLE = (*QUARTER, *((-y, x) for x, y in QUARTER), *((-x, -y) for x, y in QUARTER), *((y, -x) for x, y in QUARTER))
"""Twelve directions, 30 degrees apart."""
SIZES = ((40, 26), (30, 22), (52, 18), (22, 18), (30, 14), (16, 14), (13, 13))
"""Half the length and half the breadth of proposed ovals."""
MARGIN = 12
"""A proposed oval that lies to one side of its spool reaches at least so far beyond the centre."""
STEP = 3
"""Tunnels lead to every third cell of every third row."""
GRID = sum(1 << STRIDE * y + x for y in range(0, HEIGHT + 1, STEP) for x in range(0, WIDTH + 1, STEP))
"""The cells that tunnels lead to."""
TUNNELS = ((9, 9, 3), (6, 9, 2), (6, 12, 2), (6, 6, 1))
"""Half the breadth of a tunnel around its spool, at its far end, and between."""


def oval(centre: Point, length: int, breadth: int, way: Point) -> tuple[Point, ...]:
    """Return an oval stroke around *centre*, half of it *length* along *way* (of ``CIRCLE``) and *breadth* across."""
    (x, y), (c, s) = centre, way
    corners = ((length * a // UNIT, breadth * b // UNIT) for a, b in CIRCLE)
    return tuple((x + (u * c - v * s) // UNIT, y + (u * s + v * c) // UNIT) for u, v in corners)


@lru_cache(1024)
def _proposed(length: int, breadth: int, way: Point) -> Loop:
    return _as_laid(oval((0, 0), length, breadth, way))


def _as_laid(stroke: tuple[Point, ...]) -> Loop:
    """Return the loop of a proposed *stroke*, which is laid exactly as it is drawn."""
    loop = outline(stroke)
    while (again := outline(loop)) != loop:
        loop = again
    return loop


def proposals(design: Design) -> Iterator[Loop]:
    """Yield ovals around each spool, from large to small and in all directions.  Not all are legal."""
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


def tunnels(design: Design) -> Iterator[Loop]:
    """Yield loops around each spool and a place with room for another, the nearest first.  Not all are legal."""
    ends = list(points(sum(cells_by_loops(design.loops).values()) & GRID))  # outside all loops, too
    pairs = [(distance, spool, end) for spool in design.spools for end in ends if (distance := _apart(spool, end))]
    for _, spool, end in sorted(pairs):
        beside = [(at, RADIUS + 1) for at in design.spools if at != spool] + [(at, 2) for at in design.pins]
        if any(closer(at, spool, end, radius) for at, radius in beside):
            continue
        for near, far, between in TUNNELS:
            loop = _as_laid(_tunnel(spool, end, near, far, between))
            if len(loop) > 2 and on_table(loop):
                yield loop


def _apart(spool: Point, end: Point) -> int:
    """Return the squared distance of two places that a string can part, 0 if they are too near."""
    squared = (end[0] - spool[0]) ** 2 + (end[1] - spool[1]) ** 2
    return squared if squared >= (2 * RADIUS) ** 2 else 0


def _tunnel(spool: Point, end: Point, near: int, far: int, between: int) -> tuple[Point, ...]:
    """Return a stroke around *spool* and *end*, so broad there and between (half each), with corners cut off."""
    (x, y), c, s = spool, end[0] - spool[0], end[1] - spool[1]
    length = isqrt(c * c + s * s)
    side = [(-near, near // 2), (-near // 2, near)]
    if length > near + far + 2:
        side += [(near // 2, near), (near, between), (length - far, between), (length - far // 2, far)]
    side += [(length + far // 2, far), (length + far, far // 2)]
    corners = side + [(along, -across) for along, across in reversed(side)]
    return tuple((x + (u * c - v * s) // length, y + (u * s + v * c) // length) for u, v in corners)
