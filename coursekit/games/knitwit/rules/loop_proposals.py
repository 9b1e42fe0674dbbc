"""Loops to propose for a design, legal or not: ovals, and tunnels where ovals have no room.

A tunnel is a loop around a spool and a place for the next one, as narrow as spools allow.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import gcd, isqrt

from coursekit.games.knitwit.rules.geometry import (
    HEIGHT,
    RADIUS,
    SIXTEENTHS,
    WIDTH,
    Loop,
    Point,
    box,
    contains,
    cross,
    edges,
    is_closer,
    outline,
    squared_distance,
    string_length,
)
from coursekit.games.knitwit.rules.loop_design import (
    STRIDE,
    Design,
    cells_by_loops,
    points,
)

UNIT = 64
"""Length of the directions in :data:`CIRCLE`."""
QUARTER = ((UNIT, 0), (55, 32), (32, 55))
"""Cosines and sines of 0, 30 and 60 degrees in :data:`UNIT`."""
CIRCLE = (
    *QUARTER,
    *((-y, x) for x, y in QUARTER),
    *((-x, -y) for x, y in QUARTER),
    *((y, -x) for x, y in QUARTER),
)
"""Twelve directions, 30 degrees apart."""
SIZES = ((40, 26), (30, 22), (52, 18), (22, 18), (30, 14), (16, 14), (13, 13))
"""Half the length and half the breadth of proposed ovals."""
MARGIN = 12
"""A proposed oval that lies to one side of its spool reaches at least so far beyond the centre."""
STEP = 4
"""Tunnels lead to every fourth cell of every fourth row."""
GRID = sum(
    1 << STRIDE * y + x for y in range(0, HEIGHT + 1, STEP) for x in range(0, WIDTH + 1, STEP)
)
"""The cells that tunnels lead to."""
ENDS = (7, 12)
"""Half the breadth of the far end of a convex tunnel."""
TUNNELS = ((9, 9, 3), (6, 9, 2), (6, 6, 1))
"""Half the breadth of other tunnels around the spool, at the far end, and between."""
CLOSE = 10
"""A convex tunnel reaches at most so far beyond its spool, on all sides but that of its far end."""
NORMALS = sorted(
    ((a, b) for a in range(-14, 15) for b in range(-14, 15) if gcd(a, b) == 1),
    key=lambda way: (max(map(abs, way)), way),
)
"""Directions across lines between a spool and a pin, simple ones first."""
LINES = 24
"""Most of these lines that are tried."""


def oval(centre: Point, length: int, breadth: int, way: Point) -> tuple[Point, ...]:
    """Return an oval stroke around *centre*.

    Half of it is *length* along *way* (of ``CIRCLE``) and *breadth* across.
    """
    (x, y), (c, s) = centre, way
    corners = [(length * a // UNIT, breadth * b // UNIT) for a, b in CIRCLE]
    return tuple([(x + (u * c - v * s) // UNIT, y + (u * s + v * c) // UNIT) for u, v in corners])


@lru_cache(1024)
def _proposed(length: int, breadth: int, way: Point) -> tuple[Loop, tuple[int, int, int, int]]:
    """Return the shape of an oval around (0, 0), and its box."""
    shape = settle_stroke(oval((0, 0), length, breadth, way))
    return shape, box(shape)


def settle_stroke(stroke: tuple[Point, ...]) -> Loop:
    """Return the loop of a proposed *stroke*, which is laid exactly as it is drawn."""
    loop = outline(stroke)
    while (again := outline(loop)) != loop:
        loop = again
    return loop


def propose_loops(design: Design) -> Iterator[Loop]:
    """Yield ovals around each spool, large ones first, in all directions; not all are legal."""
    return (move_shape(shape, x, y) for shape, x, y in propose_shapes(design))


def move_shape(shape: Loop, x: int, y: int) -> Loop:
    """Return the loop of the same *shape* with its middle at (x, y) instead of (0, 0)."""
    return tuple([(x + u, y + v) for u, v in shape])


def propose_shapes(design: Design) -> Iterator[tuple[Loop, int, int]]:
    """Yield :func:`propose_loops` as shapes around (0, 0), with the places of their middles."""
    middles = design.spools or ((WIDTH // 2, HEIGHT // 2),)
    for length, breadth in SIZES:
        for aside in (length - MARGIN, 0):
            for way in CIRCLE:
                shape, (left, top, right, bottom) = _proposed(length, breadth, way)
                if design.string is not None and string_length(shape) > SIXTEENTHS * design.string:
                    continue
                for u, v in middles:
                    x = u + aside * way[0] // UNIT
                    y = v + aside * way[1] // UNIT
                    if -left <= x <= WIDTH - right and -top <= y <= HEIGHT - bottom:
                        yield shape, x, y


def propose_tunnels(design: Design) -> Iterator[Loop]:
    """Yield loops around a spool and a place with room for another, the nearest first.

    Not all are legal.
    """
    room = sum(cells_by_loops(design.loops).values())
    ends = list(points(room & GRID))  # outside all loops, too
    tight = {spool: _tight(spool, design.pins) for spool in design.spools}
    ways = [(squared_distance(spool, end), spool, end) for spool in tight for end in ends]
    for apart, spool, end in sorted(ways):
        if not tight[spool] or apart < (2 * RADIUS) ** 2:  # no string parts them
            continue
        if _passes_things(design, spool, end):
            continue
        for far in ENDS:
            yield _hull([*tight[spool], *_corners(end, far)])
        for near, far, between in TUNNELS:
            yield _tunnel(spool, end, near, far, between)


def _passes_things(design: Design, spool: Point, end: Point) -> bool:
    """Return whether the way from *spool* to *end* touches another spool or a pin."""
    return any(
        other != spool and is_closer(other, spool, end, RADIUS + 1) for other in design.spools
    ) or any(is_closer(pin, spool, end, 1) for pin in design.pins)


def _corners(centre: Point, radius: int) -> list[Point]:
    """Return the corners of a square around *centre*, cut off."""
    (x, y), cut = centre, radius // 2
    sides = (-radius, -cut, cut, radius)
    return [(x + u, y + v) for u in sides for v in sides if abs(u) != abs(v)]


def _tight(spool: Point, pins: Sequence[Point]) -> list[Point]:
    """Return the corners of the room around a spool for a convex loop.

    It is ``[]`` if pins are too close. A line between the spool and each pin close by keeps the
    string away from it.
    """
    x, y = spool
    beside = [(u - x, v - y) for u, v in pins]
    near = tuple((p, q) for p, q in beside if p * p + q * q <= 2 * (CLOSE + 1) ** 2)
    return [(x + u, y + v) for u, v in _tight_around(near)]


@lru_cache(1024)
def _tight_around(pins: tuple[Point, ...]) -> Loop:
    """Return :func:`_tight` of a spool at the origin."""
    reach = range(-CLOSE, CLOSE + 1)
    room = [(u, v) for u in reach for v in reach]
    for p, q in pins:
        halves: list[list[Point]] = []
        for a, b in NORMALS:
            c = a * p + b * q - 1  # the pin lies on the next line
            if c > 0 and c * c >= RADIUS**2 * (a * a + b * b) and len(halves) < LINES:
                halves.append([(u, v) for u, v in room if a * u + b * v <= c])
        halves.sort(key=len, reverse=True)
        room = next((half for half in halves if _holds(half)), [])
    return _hull(room)


def _holds(some: Sequence[Point]) -> bool:
    """Return whether a string around *some* points keeps a spool's radius away from the origin."""
    loop = _hull(some)
    if len(loop) < 3 or contains(loop, (0, 0)) < 1:
        return False
    return not any(is_closer((0, 0), a, b, RADIUS) for a, b in edges(loop))


def _hull(some: Sequence[Point]) -> Loop:
    """Return the convex hull of *some* points, without needless corners (Andrew)."""
    ordered = sorted(some)
    first = {p[0]: p for p in reversed(ordered)}  # of each column
    last = {p[0]: p for p in ordered}
    ends = sorted({*first.values(), *last.values()})  # no other point is a corner
    chains: list[Point] = []
    for line in (ends, reversed(ends)):
        chain: list[Point] = []
        for p in line:
            while len(chain) > 1 and cross(chain[-2], chain[-1], p) <= 0:
                chain.pop()
            chain.append(p)
        chains += chain[:-1]
    return tuple(chains)


def _tunnel(spool: Point, end: Point, near: int, far: int, between: int) -> tuple[Point, ...]:
    """Return a stroke around *spool* and *end*, with corners cut off.

    :param near: half its breadth around the spool, *far* at the end, *between* on the way.
    """
    x, y = spool
    c, s = end[0] - x, end[1] - y
    length = isqrt(c * c + s * s)
    side = [(-near, near // 2), (-near // 2, near)]
    if length > near + far + 2:
        side += [(near // 2, near), (near, between)]
        side += [(length - far, between), (length - far // 2, far)]
    side += [(length + far // 2, far), (length + far, far // 2)]
    corners = side + [(along, -across) for along, across in reversed(side)]
    return tuple((x + (u * c - v * s) // length, y + (u * s + v * c) // length) for u, v in corners)
