"""The faces of a design: the parts into which the strings cut the table, computed exactly.

The strings are cut into pieces where they meet.  A walk along the pieces that takes the sharpest turn to the same
side at each crossing goes once round a face; a face with others inside has several such walks.  Crossings are
fractions of whole numbers, so nothing is rounded, however narrow a passage is.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import gcd

from coursekit.games.knitwit.rules.geometry import Loop, Point, box, cross, edges, meet

Node = tuple[int, int, int]
"""A corner or a crossing: (x, y, d) stands for (x/d, y/d) in lowest terms."""
OUTSIDE = -1


class Faces:
    """The faces that *loops* make.  Each has a number; the one around all loops is ``OUTSIDE``."""

    def __init__(self, loops: tuple[Loop, ...]) -> None:
        ways = _ways(loops)
        follows: dict[tuple[Node, Node], tuple[Node, Node]] = {}
        for node, beside in ways.items():
            order = list(beside)
            if len(order) > 2:
                order = [end for _, end in sorted((_angle(beside[end]), end) for end in order)]
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
        self._around: dict[int, Point] = {}  # outer walk of a connected part -> a corner, which lies in the walk's face
        for some in _hanging_together(loops):
            corner = min(min(loop) for loop in some)
            node = (*corner, 1)
            last = max(ways[node], key=lambda end: _steepness(ways[node][end]))
            self._around[self._walks[node, last]] = corner
        self._faces: dict[int, int] = {}

    def at(self, p: Point) -> int:
        """Return the face of *p*, a point on no string; for a corner, the face to its left."""
        beside = max(self._left_of(p), default=None)
        if beside is None:
            return OUTSIDE
        walk = beside[2]
        if walk not in self._faces:
            self._faces[walk] = self.at(self._around[walk]) if walk in self._around else walk
        return self._faces[walk]

    def _left_of(self, p: Point) -> Iterator[tuple[Fraction, Fraction, int]]:
        """Yield for each piece to the left of *p* its x at the height of *p*, its slope, and its walk."""
        x, y = p
        for (start, end), walk in self._walks.items():
            if end[1] <= y * end[2] and y * start[2] < start[1]:  # going up, its left is what lies to the right
                low, high = ((Fraction(node[0], node[2]), Fraction(node[1], node[2])) for node in (end, start))
                slope = (high[0] - low[0]) / (high[1] - low[1])
                at = low[0] + (y - low[1]) * slope
                if at < x:
                    yield at, slope, walk


@lru_cache(256)
def faces(loops: tuple[Loop, ...]) -> Faces:
    """Return the faces of *loops*, from a cache."""
    return Faces(loops)


@lru_cache(4096)
def _meetings(loop: Loop, other: Loop) -> dict[int, list[Node]]:
    """Return where the sides of *loop*, by number, meet those of *other*; for shared pieces, their ends."""
    found: dict[int, list[Node]] = {}
    left, top, right, bottom = box(other)
    for n, (a, b) in enumerate(edges(loop)):
        if a[0] < left > b[0] or a[0] > right < b[0] or a[1] < top > b[1] or a[1] > bottom < b[1]:
            continue
        for c, d in edges(other):
            if not meet(a, b, c, d):
                continue
            over, under = cross(c, d, a), cross(c, d, a) - cross(c, d, b)
            if under:
                x, y = a[0] * under + over * (b[0] - a[0]), a[1] * under + over * (b[1] - a[1])
                least = gcd(x, y, under) * (1 if under > 0 else -1)
                found.setdefault(n, []).append((x // least, y // least, under // least))
            else:
                found.setdefault(n, []).extend((*p, 1) for p in (c, d) if min(a, b) <= p <= max(a, b))
    return found


def _ways(loops: tuple[Loop, ...]) -> dict[Node, dict[Node, Point]]:
    """Return for each node its neighbours along the strings, with their directions."""
    ways: dict[Node, dict[Node, Point]] = {}
    for loop in loops:
        met: dict[int, set[Node]] = {}
        for other in loops:
            for n, nodes in _meetings(loop, other).items() if other != loop else ():
                met.setdefault(n, set()).update(nodes)
        for n, (a, b) in enumerate(edges(loop)):
            there, back = (b[0] - a[0], b[1] - a[1]), (a[0] - b[0], a[1] - b[1])
            line: list[Node] = [(*a, 1), (*b, 1)]
            if n in met:
                along = {each: Fraction(each[0] * there[0] + each[1] * there[1], each[2]) for each in {*line, *met[n]}}
                line = sorted(along, key=along.__getitem__)
            for one, two in pairwise(line):
                ways.setdefault(one, {})[two] = there
                ways.setdefault(two, {})[one] = back
    return ways


def _hanging_together(loops: tuple[Loop, ...]) -> list[list[Loop]]:
    """Return *loops* in parts whose strings are connected, directly or through others."""
    found: list[list[Loop]] = []
    for loop in loops:
        beside = [some for some in found if any(_meetings(loop, other) for other in some)]
        found = [*(some for some in found if some not in beside), [loop, *(each for some in beside for each in some)]]
    return found


def _angle(way: Point) -> tuple[bool, bool, Fraction]:
    """Return the key that orders directions all the way round, from that of x."""
    x, y = way
    return (y, x) < (0, 0), y != 0, Fraction(-x, y) if y else Fraction(0)


def _steepness(way: Point) -> tuple[bool, Fraction]:
    """Return the key that orders directions away from a leftmost corner; that along y is the last."""
    x, y = way
    return x == 0, Fraction(y, x or 1)
