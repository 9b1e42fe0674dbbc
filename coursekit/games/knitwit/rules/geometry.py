"""Geometry of strings on a table of integer points: from a stroke to a loop, and how loops meet.

A point is ``(x, y)`` in whole numbers, x to the right and y down; the table is :data:`WIDTH` by
:data:`HEIGHT`. A loop is a closed polygon without repeated or needless corners. It starts at its
smallest corner and has positive area, so that a curve has one form only. All arithmetic is on
integers: every machine judges a stroke alike.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from math import isqrt

Point = tuple[int, int]
Loop = tuple[Point, ...]
Side = tuple[Point, Point]

WIDTH, HEIGHT = 240, 150
RADIUS = 5
"""Radius of a spool: least distance from its centre to every string."""
SMALLEST = 400
"""Least area of a loop; a spool covers 79."""
MOST_POINTS = 500
"""Most points of a stroke."""
MOST_CORNERS = 64
"""Most corners of a loop."""
SIXTEENTHS = 16
"""Parts of a unit in which the length of a string is counted."""


def cross(o: Point, a: Point, b: Point) -> int:
    """Return twice the area of the triangle, positive if *o*, *a*, *b* turn like x to y."""
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])


def segment_distance(p: Point, a: Point, b: Point) -> tuple[int, int]:
    """Return the squared distance from *p* to the segment *a*-*b* as a fraction."""
    x, y = p[0] - a[0], p[1] - a[1]
    u, v = b[0] - a[0], b[1] - a[1]
    along = x * u + y * v
    length = u * u + v * v
    if along <= 0:
        return x * x + y * y, 1
    if along >= length:
        return squared_distance(p, b), 1
    return (x * v - y * u) ** 2, length


def squared_distance(one: Point, other: Point) -> int:
    """Return the squared distance of two points."""
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2


def is_closer(p: Point, a: Point, b: Point, radius: int) -> bool:
    """Return whether *p* is closer than *radius* to the segment *a*-*b*."""
    (x, y), (u, v), (s, t) = p, a, b
    if u >= x + radius <= s or u <= x - radius >= s or v >= y + radius <= t or v <= y - radius >= t:
        return False  # out of reach on one side
    over, under = segment_distance(p, a, b)
    return over < radius * radius * under


def edges(loop: Sequence[Point]) -> Iterator[Side]:
    return zip(loop, [*loop[1:], *loop[:1]])


def area(loop: Sequence[Point]) -> int:
    """Return twice the signed area of a polygon."""
    return sum(a[0] * b[1] - a[1] * b[0] for a, b in edges(loop))


def box(loop: Sequence[Point]) -> tuple[int, int, int, int]:
    """Return the smallest x, the smallest y, the largest x and the largest y."""
    xs = [x for x, _ in loop]
    ys = [y for _, y in loop]
    return min(xs), min(ys), max(xs), max(ys)


def contains(loop: Loop, p: Point) -> int:
    """Return 1 if *p* lies inside *loop*, 0 on it, -1 outside."""
    inside = False
    y = p[1]
    for a, b in edges(loop):
        if a[1] > y < b[1] or a[1] < y > b[1]:
            continue  # the side is above or below
        turn = cross(a, b, p)
        if turn == 0 and _is_on(p, a, b):
            return 0
        if (a[1] <= y) != (b[1] <= y) and (turn > 0) == (b[1] > a[1]):
            inside = not inside
    return 1 if inside else -1


def string_length(loop: Loop) -> int:
    """Return the length of the string in :data:`SIXTEENTHS`, each side rounded down."""
    return _length((*loop, loop[0]))


# From a stroke to a loop


@lru_cache(4096)
def outline(stroke: tuple[Point, ...]) -> Loop:
    """Return the loop that a drawn *stroke* means.  It may still cross itself.

    Bends of up to one unit are straightened, larger ones if :data:`MOST_CORNERS` are not enough.
    Ends that overshoot the place where the loop closes are cut off. A stroke without area gives
    fewer than three corners.

    >>> outline(((0, 0), (10, 0), (20, 0), (20, 9), (20, 20), (0, 20), (0, 0)))
    ((0, 0), (20, 0), (20, 20), (0, 20))
    """
    points = [p for n, p in enumerate(stroke) if n == 0 or p != stroke[n - 1]]
    tolerance = 1
    line = _straighten(points, tolerance)
    while len(line) > MOST_CORNERS:
        tolerance *= 2
        line = _straighten(points, tolerance)
    corners = line if _is_convex(line) else _close(_cut_ends(line))
    if area(corners) < 0:
        corners.reverse()
    start = corners.index(min(corners)) if corners else 0
    return tuple(corners[start:] + corners[:start])


def _straighten(points: list[Point], tolerance: int) -> list[Point]:
    """Return the points that keep the line within √*tolerance* (Ramer-Douglas-Peucker)."""
    end = len(points) - 1
    corners = {0, end}
    todo = [(0, end)]
    while todo:
        first, last = todo.pop()
        over, under, farthest = tolerance, 1, -1
        for n in range(first + 1, last):
            d, e = segment_distance(points[n], points[first], points[last])
            if d * under > over * e:
                over, under, farthest = d, e, n
        if farthest >= 0:
            corners.add(farthest)
            todo += [(first, farthest), (farthest, last)]
    return [points[n] for n in sorted(corners) if n >= 0]


def _cut_ends(line: list[Point]) -> list[Point]:
    """Return *line* without the ends beyond its crossing with itself.

    Ends longer than a quarter of the line stay.
    """
    best = line
    whole = shortest = _length(line)
    for first in range(len(line) - 3):
        for last in range(first + 2, len(line) - 1):
            a, b, c, d = *line[first : first + 2], *line[last : last + 2]
            if not _cross(a, b, c, d):
                continue
            # They meet at a + over/under * (b - a).
            over = cross(c, d, a)
            under = over - cross(c, d, b)
            x, y = ((2 * over * (q - p) + under) // (2 * under) + p for p, q in zip(a, b))
            ends = _length([*line[: first + 1], (x, y)]) + _length([(x, y), *line[last + 1 :]])
            if ends < shortest and 4 * ends <= whole:
                best = [(x, y), *line[first + 1 : last + 1]]
                shortest = ends
    return best


def _length(line: Sequence[Point]) -> int:
    """Return the length of an open line in :data:`SIXTEENTHS`, each side rounded down."""
    return sum(isqrt(SIXTEENTHS**2 * squared_distance(a, b)) for a, b in pairwise(line))


def _close(line: list[Point]) -> list[Point]:
    """Return *line* without a repeated end, and without corners on a line with their neighbours."""
    corners = list(line)
    if len(corners) > 1 and corners[0] == corners[-1]:
        corners.pop()
    n = 0
    while len(corners) > 2 and n < len(corners):
        if cross(corners[n - 1], corners[n], corners[n + 1 - len(corners)]) == 0:
            del corners[n]
            n = 0  # its neighbours have new neighbours
        else:
            n += 1
    return corners


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Return whether the segments *a*-*b* and *c*-*d* cross inside both."""
    one, two = cross(a, b, c), cross(a, b, d)
    if not (one > 0 > two or one < 0 < two):
        return False
    three, four = cross(c, d, a), cross(c, d, b)
    return three > 0 > four or three < 0 < four


# How two strings meet


def _is_on(p: Point, a: Point, b: Point) -> bool:
    """Return whether *p* lies on the segment *a*-*b*."""
    in_box = min(a[0], b[0]) <= p[0] <= max(a[0], b[0]) and min(a[1], b[1]) <= p[1] <= max(
        a[1], b[1]
    )
    return in_box and cross(a, b, p) == 0


def meet(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Return whether the segments *a*-*b* and *c*-*d* have a point in common."""
    for one, other, three, four in zip(a, b, c, d):
        if one > other:
            one, other = other, one
        if (other < three and other < four) or (one > three and one > four):
            return False  # side by side
    one, two = cross(a, b, c), cross(a, b, d)
    if not (one <= 0 <= two or two <= 0 <= one):
        return False
    three, four = cross(c, d, a), cross(c, d, b)
    # All are 0 on one line, where the boxes overlap.
    return three <= 0 <= four or four <= 0 <= three


def crosses_itself(loop: Loop) -> bool:
    """Return whether two sides of *loop* meet that are not neighbours."""
    sides = [] if _is_convex(loop) else list(edges(loop))
    return any(
        meet(*sides[n], *sides[m])
        for n in range(len(sides))
        for m in range(n + 2, len(sides))
        if (n, m) != (0, len(sides) - 1)
    )


def _is_convex(line: Sequence[Point]) -> bool:
    """Return whether the closed *line* goes round once and turns to the same side at corners."""
    corners = list(zip([*line[-1:], *line[:-1]], line, [*line[1:], *line[:1]]))
    turns = [cross(before, p, after) for before, p, after in corners]
    one_way = bool(turns) and (min(turns) > 0 or max(turns) < 0)
    return one_way and sum(before < p > after for before, p, after in corners) == 1


@lru_cache(8192)
def sides_that_meet(loop: Loop, other: Loop) -> list[tuple[int, int, Side, Side]]:
    """Return the sides of *loop* and *other* that have a point in common, after their numbers."""
    met: list[tuple[int, int, Side, Side]] = []
    left, top, right, bottom = box(other)
    for n, (a, b) in enumerate(edges(loop)):
        if a[0] < left > b[0] or a[0] > right < b[0] or a[1] < top > b[1] or a[1] > bottom < b[1]:
            continue  # beside the box
        for m, (c, d) in enumerate(edges(other)):
            if meet(a, b, c, d):
                met.append((n, m, (a, b), (c, d)))
    return met


@lru_cache(8192)
def only_touches(loop: Loop, other: Loop) -> bool:
    """Return whether the strings run along each other, or touch without crossing there."""
    touched: set[Point] = set()
    for _, _, (a, b), (c, d) in sides_that_meet(loop, other):
        if _cross(a, b, c, d):
            continue
        ends = {p for p in (a, b) if _is_on(p, c, d)} | {p for p in (c, d) if _is_on(p, a, b)}
        if len(ends) > 1 and cross(a, b, c) == cross(a, b, d) == 0:
            return True  # they run along each other
        touched |= ends
    return any(not _crosses_at(p, loop, other) for p in touched)


def _crosses_at(p: Point, loop: Loop, other: Loop) -> bool:
    """Return whether *other* passes from one side of *loop* to the other at *p*."""
    before, after = neighbours(p, loop)
    one, two = neighbours(p, other)
    return _is_left(p, before, after, one) != _is_left(p, before, after, two)


def neighbours(p: Point, loop: Loop) -> tuple[Point, Point]:
    """Return the corners before and after the point *p* of *loop*."""
    if p in loop:
        n = loop.index(p)
        return loop[n - 1], loop[(n + 1) % len(loop)]
    return next((a, b) for a, b in edges(loop) if _is_on(p, a, b))


def _is_left(p: Point, before: Point, after: Point, q: Point) -> bool:
    """Return whether *q* is on the positive side of the path *before* - *p* - *after*."""
    if cross(before, p, after) >= 0:
        return cross(before, p, q) > 0 and cross(p, after, q) > 0
    return cross(before, p, q) > 0 or cross(p, after, q) > 0
