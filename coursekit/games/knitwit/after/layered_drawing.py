"""A layered drawing of an ordered graph: boxes in columns, and lines that run behind no other box.

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

    column_of = {node: x for x, nodes in enumerate(columns) for node in nodes}
    slots: list[list[Slot]] = [list(nodes) for nodes in columns]
    links: nx.DiGraph[Slot] = nx.DiGraph()
    links.add_nodes_from(column_of)
    chains: dict[Edge, list[Slot]] = {}
    for few, many in edges:
        chain: list[Slot] = [few]
        for x in range(column_of[few] + 1, column_of[many]):
            slots[x].append((few, many, x))
            chain.append((few, many, x))
        chains[few, many] = [*chain, many]
        nx.add_path(links, chains[few, many])
    heights = {
        slot: sizes[slot][1] + BETWEEN_BOXES if isinstance(slot, str) else LANE for slot in links
    }
    middles = _place_slots(_order_columns(slots, links), links, heights)
    sides = []
    left = 0.0
    for nodes in columns:
        right = left + max(sizes[node][0] for node in nodes)
        sides.append((left, right))
        left = right + BETWEEN_COLUMNS
    boxes = {}
    for node, x in column_of.items():
        half = sizes[node][1] / 2
        boxes[node] = (sides[x][0], middles[node] - half, sides[x][1], middles[node] + half)
    lines = {
        edge: _line([middles[slot] for slot in chain], sides[column_of[edge[0]] :])
        for edge, chain in chains.items()
    }
    return boxes, lines


def _order_columns(slots: list[list[Slot]], links: "nx.DiGraph[Slot]") -> list[list[Slot]]:
    """Return the columns in the order with the fewest crossings that sweeps forth and back find."""
    best = slots
    now = [list(column) for column in slots]
    for sweep in range(SWEEPS):
        neighbours, way = (links.pred, now[1:]) if sweep % 2 == 0 else (links.succ, now[-2::-1])
        for column in way:
            places = {slot: y / len(other) for other in now for y, slot in enumerate(other)}
            means = {slot: _mean_place(slot, neighbours[slot], places) for slot in column}
            column.sort(key=lambda slot: means[slot])
        if crossings(now, links.edges) < crossings(best, links.edges):
            best = [list(column) for column in now]
    return best


def _mean_place(slot: Slot, neighbours: Iterable[Slot], places: Mapping[Slot, float]) -> float:
    """Return the mean place of the *neighbours* of a slot, its own if it has none."""
    return fmean([places[neighbour] for neighbour in neighbours] or [places[slot]])


def crossings(slots: Sequence[Sequence[Slot]], links: Iterable[tuple[Slot, Slot]]) -> int:
    """Return how often lines cross, each link from a column to the next.

    >>> crossings([["a", "b"], ["c", "d"]], [("a", "d"), ("b", "c")])
    1
    """
    place = {slot: (x, y) for x, column in enumerate(slots) for y, slot in enumerate(column)}
    ends = sorted((*place[one], place[other][1]) for one, other in links)
    return sum(a[0] == b[0] and a[1] < b[1] and a[2] > b[2] for a, b in combinations(ends, 2))


def _place_slots(
    slots: Sequence[Sequence[Slot]], links: "nx.DiGraph[Slot]", heights: Mapping[Slot, float]
) -> dict[Slot, float]:
    """Return the middle of each slot, as near to its neighbours as its column allows; 0 on top."""
    neighbours = links.to_undirected(as_view=True).adj
    middles: dict[Slot, float] = {}
    for column in slots:
        middles |= _keep_apart(column, [0.0] * len(column), heights)
    for _ in range(SWEEPS):
        for column in [*slots, *reversed(slots)]:
            wanted = [_mean_place(slot, neighbours[slot], middles) for slot in column]
            middles |= _keep_apart(column, wanted, heights)
    top = min(y - heights[slot] / 2 for slot, y in middles.items())
    return {slot: y - top for slot, y in middles.items()}


def _keep_apart(
    column: Sequence[Slot], wanted: Sequence[float], heights: Mapping[Slot, float]
) -> dict[Slot, float]:
    """Return places that keep order and distance, nearest to those *wanted* in squares.

    Those that press against each other share a mean.

    >>> _keep_apart("ab", [5, 5], {"a": 2, "b": 2})
    {'a': 4.0, 'b': 6.0}
    """
    packed = []  # the middles of the slots without space between them
    bottom = 0.0
    for slot in column:
        packed.append(bottom + heights[slot] / 2)
        bottom += heights[slot]
    blocks: list[list[float]] = []
    for want, middle in zip(wanted, packed):
        blocks.append([want - middle])
        while len(blocks) > 1 and fmean(blocks[-2]) > fmean(blocks[-1]):
            blocks[-2:] = [blocks[-2] + blocks[-1]]
    shifts = [fmean(block) for block in blocks for _ in block]
    return {slot: shift + middle for slot, shift, middle in zip(column, shifts, packed)}


def _line(heights: Sequence[float], sides: Sequence[tuple[float, float]]) -> list[Place]:
    """Return a line that is level within columns and bends between them."""
    line: list[Place] = []
    for (y, other), ((_, start), (end, _)) in zip(pairwise(heights), pairwise(sides)):
        for step in range(SAMPLES + 1):
            t = step / SAMPLES
            line.append((start + (end - start) * t, y + (other - y) * t * t * (3 - 2 * t)))
    return line
