"""The faces of a design: the parts into which the strings cut the table, computed exactly.

The strings are cut into pieces where they meet. A walk along the pieces that takes the sharpest
turn to the same side at each crossing goes once round a face; a face with others inside has several
such walks. Crossings are fractions of whole numbers, so nothing is rounded, however narrow a
passage is.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, pairwise
from math import gcd, lcm

from coursekit.games.knitwit.rules.geometry import Loop, Point, cross, edges, sides_that_meet

Node = tuple[int, int, int]
"""A corner or a crossing: (x, y, d) stands for (x/d, y/d) in lowest terms."""
OUTSIDE = -1


class Faces:
    """The faces that *loops* make.  Each has a number; the one around all loops is ``OUTSIDE``."""

    def __init__(self, loops: tuple[Loop, ...]) -> None:
        ways = _ways(loops)
        follows: dict[tuple[Node, Node], tuple[Node, Node]] = {}
        for node, neighbours in ways.items():
            order = _sort_around(neighbours)
            for n, end in enumerate(order):
                follows[end, node] = node, order[n - 1]
        self._walks: dict[tuple[Node, Node], int] = {}  # of each piece, the walk on its left
        walks = 0
        for piece in follows:
            if piece in self._walks:
                continue
            while piece not in self._walks:
                self._walks[piece] = walks
                piece = follows[piece]
            walks += 1
        # Outer walk of a connected part -> a corner, which lies in the walk's face
        self._around: dict[int, Point] = {}
        for part in _connect(loops):
            corner = min(min(loop) for loop in part)
            node = (*corner, 1)
            last = max(ways[node], key=lambda end: _steepness(ways[node][end]))
            self._around[self._walks[node, last]] = corner
        self._faces: dict[int, int] = {}

    def face_at(self, p: Point) -> int:
        """Return the face of *p*, a point on no string; for a corner, the face to its left."""
        nearest = max(self._left_of(p), default=None)
        if nearest is None:
            return OUTSIDE
        walk = nearest[2]
        if walk not in self._faces:
            is_outer = walk in self._around
            self._faces[walk] = self.face_at(self._around[walk]) if is_outer else walk
        return self._faces[walk]

    def _left_of(self, p: Point) -> Iterator[tuple[Fraction, Fraction, int]]:
        """Yield the pieces left of *p*: the x at the height of *p*, the slope, and the walk."""
        x, y = p
        for (start, end), walk in self._walks.items():
            (u, v, d), (s, t, e) = start, end
            if t <= y * e and y * d < v:  # going up, its left is what lies to the right
                run, rise = u * e - s * d, v * e - t * d  # the slope is run/rise
                over, under = s * rise + (y * e - t) * run, e * rise  # it is at over/under
                if over < x * under:
                    yield Fraction(over, under), Fraction(run, rise), walk


@lru_cache(256)
def find_faces(loops: tuple[Loop, ...]) -> Faces:
    """Return the faces of *loops*, from a cache."""
    return Faces(loops)


@lru_cache(4096)
def _meetings(loop: Loop, other: Loop) -> list[tuple[int, int, Node]]:
    """Return where sides of *loop* and *other* meet, with their numbers.

    Where they share a piece, these are its ends.
    """
    met: list[tuple[int, int, Node]] = []
    for n, m, (a, b), (c, d) in sides_that_meet(loop, other):
        over = cross(c, d, a)
        under = over - cross(c, d, b)
        if under:
            x = a[0] * under + over * (b[0] - a[0])
            y = a[1] * under + over * (b[1] - a[1])
            least = gcd(x, y, under) * (1 if under > 0 else -1)
            met.append((n, m, (x // least, y // least, under // least)))
            continue
        for p in (a, b, c, d):
            if min(a, b) <= p <= max(a, b) and min(c, d) <= p <= max(c, d):
                met.append((n, m, (*p, 1)))
    return met


def _ways(loops: tuple[Loop, ...]) -> dict[Node, dict[Node, Point]]:
    """Return for each node its neighbours along the strings, with their directions."""
    met: list[list[set[Node]]] = [[set() for _ in loop] for loop in loops]  # by loop and side
    for (one, other), (two, loop) in combinations(enumerate(loops), 2):
        for n, m, node in _meetings(loop, other):
            met[two][n].add(node)
            met[one][m].add(node)
    ways: dict[Node, dict[Node, Point]] = {}
    for loop, by_side in zip(loops, met):
        for (a, b), nodes in zip(edges(loop), by_side):
            u, v = b[0] - a[0], b[1] - a[1]
            line = [(*a, 1), (*b, 1)]
            if nodes:
                whole = lcm(*[d for _, _, d in nodes])
                along = {(x, y, d): (x * u + y * v) * (whole // d) for x, y, d in (*line, *nodes)}
                line = sorted(along, key=lambda node: along[node])
            for start, end in pairwise(line):
                ways.setdefault(start, {})[end] = u, v
                ways.setdefault(end, {})[start] = -u, -v
    return ways


def _connect(loops: tuple[Loop, ...]) -> list[list[Loop]]:
    """Return *loops* in parts whose strings are connected, directly or through others."""
    parts: list[list[Loop]] = []
    for loop in loops:
        joined = [loop]
        apart = []
        for part in parts:
            if any(_meetings(loop, other) for other in part):
                joined += part
            else:
                apart.append(part)
        parts = [*apart, joined]
    return parts


def _sort_around(neighbours: dict[Node, Point]) -> list[Node]:
    """Return the neighbours of a node in the order of their directions."""
    if len(neighbours) <= 2:
        return list(neighbours)
    whole = lcm(*[y for _, y in neighbours.values() if y])
    return sorted(neighbours, key=lambda end: (_angle(neighbours[end], whole), end))


def _angle(way: Point, whole: int) -> tuple[bool, bool, int]:
    """Return the key that orders directions all the way round, from that of x.

    :param whole: a multiple of all y.
    """
    x, y = way
    return (y, x) < (0, 0), y != 0, -x * (whole // y) if y else 0


def _steepness(way: Point) -> tuple[bool, Fraction]:
    """Return the key that orders directions from a leftmost corner; that along y is last."""
    x, y = way
    return x == 0, Fraction(y, x or 1)
