"""A layered drawing of an ordered graph: boxes in columns, and lines between them that run behind
no other box.

The framework is Sugiyama's (K. Sugiyama, S. Tagawa, M. Toda, 1981): an edge that skips columns gets
a slot of its own in each of them, columns are ordered so that few lines cross, and then everything
moves near its neighbours.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import combinations, pairwise
from statistics import fmean
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import networkx as nx

Place = tuple[float, float]
Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""
Edge = tuple[str, str]
Slot = Hashable
"""What has a place in a column: a node, or an edge that passes, as (few, many, column)."""

BETWEEN_COLUMNS = 4.0
"""In units of the width."""
BETWEEN_BOXES = 0.9
"""In a column, in units of the height."""
LANE = 0.9
"""Height of the slot of an edge that passes a column."""
SWEEPS = 12
SAMPLES = 16
"""Points of a curve from one column to the next."""


def layered(
    columns: Sequence[Sequence[str]],
    edges: Iterable[Edge],
    sizes: Mapping[str, tuple[float, float]],
) -> tuple[dict[str, Box], dict[Edge, list[Place]]]:
    """Return the box of each node and the line of each edge; boxes in a column are equally wide.

    :param columns: the nodes, from left to right; edges run to the right.
    :param sizes: width and height that each node needs.
    """
    import networkx as nx

    at = {node: x for x, nodes in enumerate(columns) for node in nodes}
    chains: dict[Edge, list[Slot]] = {
        edge: [edge[0], *((*edge, x) for x in range(at[edge[0]] + 1, at[edge[1]])), edge[1]]
        for edge in edges
    }
    links: nx.DiGraph[Slot] = nx.DiGraph()
    links.add_nodes_from(at)
    slots: list[list[Slot]] = [list(nodes) for nodes in columns]
    for (few, _), chain in chains.items():
        nx.add_path(links, chain)
        for x, slot in enumerate(chain[1:-1], at[few] + 1):
            slots[x].append(slot)
    heights = {
        slot: sizes[slot][1] + BETWEEN_BOXES if isinstance(slot, str) else LANE for slot in links
    }
    middle = _heights(_ordered(slots, links), links, heights)
    left = 0.0
    sides = []
    for nodes in columns:
        width = max(sizes[node][0] for node in nodes)
        sides.append((left, left + width))
        left += width + BETWEEN_COLUMNS
    boxes = {
        node: (
            sides[x][0],
            middle[node] - sizes[node][1] / 2,
            sides[x][1],
            middle[node] + sizes[node][1] / 2,
        )
        for node, x in at.items()
    }
    lines = {
        edge: _line([middle[slot] for slot in chain], sides[at[edge[0]] :])
        for edge, chain in chains.items()
    }
    return boxes, lines


def _ordered(slots: list[list[Slot]], links: "nx.DiGraph[Slot]") -> list[list[Slot]]:
    """Return the columns in the best order that sweeps forth and back find: the one with the fewest
    crossings.
    """
    best = slots
    now = [list(column) for column in slots]
    for sweep in range(SWEEPS):
        beside, way = (links.pred, now[1:]) if sweep % 2 == 0 else (links.succ, now[-2::-1])
        for column in way:
            place = {slot: y / len(each) for each in now for y, slot in enumerate(each)}
            column.sort(
                key=lambda slot: fmean([place[each] for each in beside[slot]] or [place[slot]])
            )
        if crossings(now, links.edges) < crossings(best, links.edges):
            best = [list(column) for column in now]
    return best


def crossings(slots: Sequence[Sequence[Slot]], links: Iterable[tuple[Slot, Slot]]) -> int:
    """Return how often lines cross, each link from a column to the next.

    >>> crossings([["a", "b"], ["c", "d"]], [("a", "d"), ("b", "c")])
    1
    """
    place = {slot: (x, y) for x, column in enumerate(slots) for y, slot in enumerate(column)}
    ends = sorted((*place[one], place[other][1]) for one, other in links)
    return sum(a[0] == b[0] and a[1] < b[1] and a[2] > b[2] for a, b in combinations(ends, 2))


def _heights(
    slots: Sequence[Sequence[Slot]], links: "nx.DiGraph[Slot]", heights: Mapping[Slot, float]
) -> dict[Slot, float]:
    """Return the middle of each slot, as near to its neighbours as order and height of its column
    allow; 0 on top.
    """
    beside, middle = links.to_undirected(as_view=True).adj, dict[Slot, float]()
    for column in slots:
        middle |= _apart(column, [0.0] * len(column), heights)
    for _ in range(SWEEPS):
        for column in [*slots, *reversed(slots)]:
            wanted = [
                fmean([middle[each] for each in beside[slot]] or [middle[slot]]) for slot in column
            ]
            middle |= _apart(column, wanted, heights)
    top = min(y - heights[slot] / 2 for slot, y in middle.items())
    return {slot: y - top for slot, y in middle.items()}


def _apart(
    column: Sequence[Slot], wanted: Sequence[float], heights: Mapping[Slot, float]
) -> dict[Slot, float]:
    """Return places that keep order and distance, nearest to those *wanted* in squares: those that
    press share a mean.

    >>> _apart("ab", [5, 5], {"a": 2, "b": 2})
    {'a': 4.0, 'b': 6.0}
    """
    tops = [
        sum(heights[slot] for slot in column[:n]) + heights[column[n]] / 2
        for n in range(len(column))
    ]
    blocks: list[list[float]] = []
    for want, top in zip(wanted, tops):
        blocks.append([want - top])
        while len(blocks) > 1 and fmean(blocks[-2]) > fmean(blocks[-1]):
            blocks[-2:] = [blocks[-2] + blocks[-1]]
    shifts = [fmean(block) for block in blocks for _ in block]
    return {slot: shift + top for slot, shift, top in zip(column, shifts, tops)}


def _line(heights: Sequence[float], sides: Sequence[tuple[float, float]]) -> list[Place]:
    """Return a line that is level within columns and bends between them."""
    found: list[Place] = []
    for (y, other), (here, there) in zip(pairwise(heights), pairwise(sides)):
        start, end = here[1], there[0]
        for step in range(SAMPLES + 1):
            t = step / SAMPLES
            found.append((start + (end - start) * t, y + (other - y) * t * t * (3 - 2 * t)))
    return found
