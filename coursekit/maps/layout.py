"""Places for the concepts of a mind map: the same map always gets the same places."""

from collections.abc import Callable, Mapping, Sequence
from math import cos, pi, sin

from coursekit.maps.elements import MIDDLE, SIDE
from coursekit.maps.map_statistics import Hierarchy, hierarchy
from coursekit.maps.mindmap import MindMap
from coursekit.maps.paper_layout import Array, Places, Sheet, shares

Points = Mapping[str, Sequence[float]]
"""Places in any units, with y growing upwards."""
SMALL_MAP, LARGE_MAP = 4, 60
"""Up to the first number, concepts are not spread over the whole map; above the second, "forces"
tries only springs.
"""
SEED = 1
MUCH = 2400
"""Above this number of new concepts times (relations + 100), new concepts are placed all at once,
not one by one.
"""
RINGS = (4, 5, 6, 7, 8, 9, 10, 12, 14, 17, 20)
"""Distances of a new concept from what it belongs to, in letters."""
ROOM = (8, 4)
"""Room beside the card of a new concept, in letters: for a line and its phrase."""


def layout(map: MindMap, name: str = "forces", keep: bool = False) -> Places:
    """Return a place for each concept of *map*; ``map.move`` puts them there.

    Parts that are not connected stand beside each other, the largest first.

    :param name: one of :data:`LAYOUTS`; "forces" begins with each of them and improves the one that
        reads best.
    :param keep: concepts that have a place keep it.
    :raises ValueError: for another name.
    """
    if name not in LAYOUTS:
        raise ValueError(f"the layout {name!r} is not one of {', '.join(LAYOUTS)}")
    concepts = map.concepts
    kept = {id: each.at for id, each in concepts.items() if keep and each.at}
    if kept or len(concepts) <= (SMALL_MAP if keep else 0):
        much = (len(concepts) - len(kept)) * (len(map.relations) + 100) > MUCH
        return _sprung(map, kept) if much else _filled_up(map, kept)
    trees: list[Hierarchy] = []
    seen: set[str] = set()
    for id in dict.fromkeys([map.top, *concepts]):
        if id not in seen:
            trees.append(hierarchy(map, id))
            seen |= trees[-1].level.keys()
    sheet, several = Sheet.of(map), name == "forces" and len(concepts) <= LARGE_MAP
    begun = [_begun(map, each, trees, sheet) for each in (LAYOUTS if several else [name])]
    places = sheet.places(
        sheet.apart(sheet.spread(sheet.polished(begun))) if name == "forces" else begun[0]
    )
    taken: set[tuple[int, int]] = set()
    return {id: _free(places[id], taken) for id in concepts}


def _begun(map: MindMap, name: str, trees: Sequence[Hierarchy], sheet: Sheet) -> Array:
    """Return the points of one layout, with cards pushed apart."""
    import numpy as np

    points = _side_by_side([LAYOUTS[name](map, tree) for tree in trees])
    return sheet.apart(
        sheet.spread(np.array([(points[id][0], -points[id][1]) for id in sheet.ids]))
    )


def _filled_up(map: MindMap, kept: Places) -> Places:
    """Return *kept* with a place for each other concept: near its relatives, on nothing, with room
    for a phrase.
    """
    import numpy as np

    places, beside = dict(kept), dict[str, list[str]]()
    for each in map.relations.values():
        beside.setdefault(each.start, []).append(each.end)
        beside.setdefault(each.end, []).append(each.start)
    left = [id for id in map.concepts if id not in kept]
    turns = np.linspace(0, 2 * pi, 24, endpoint=False)
    ring = np.stack([1.5 * np.cos(turns), np.sin(turns)], 1)
    around = np.concatenate([[[0.0, 0.0]], *(far * ring for far in RINGS)])
    while left:
        near = {id: [other for other in beside.get(id, ()) if other in places] for id in left}
        id = max(left, key=lambda each: (bool(near[each]), each == map.top))
        sheet = Sheet.of(map, [*places, id]).grown(places)
        at = sheet.points(places | {id: MIDDLE})
        number = {other: place for place, other in enumerate(sheet.ids)}
        middle = at[[number[other] for other in near[id]]].mean(0) if near[id] else sheet.size / 2
        places[id] = sheet.places(sheet.best(at, len(at) - 1, middle + around, ROOM))[id]
        left.remove(id)
    return {id: places[id] for id in map.concepts}


def _sprung(map: MindMap, kept: Places) -> Places:
    """Return *kept* with a place for each other concept, from networkx's spring layout."""
    import networkx as nx

    begun = {id: kept.get(id, MIDDLE) for id in map.concepts}
    graph, far = nx.Graph(map.graph()), SIDE / len(begun) ** 0.5
    spots = nx.spring_layout(graph, k=far, pos=begun, fixed=kept, seed=SEED, iterations=80)
    taken = set(kept.values())
    inside = {
        id: (min(SIDE, max(0, round(x))), min(SIDE, max(0, round(y))))
        for id, (x, y) in spots.items()
    }
    return {id: kept.get(id) or _free(inside[id], taken) for id in map.concepts}


def _free(place: tuple[int, int], taken: set[tuple[int, int]]) -> tuple[int, int]:
    """Take *place*, or one beside it if it is *taken*, and return it."""
    while place in taken:
        place = (place[0] + 70) % SIDE, (place[1] + 35) % SIDE
    taken.add(place)
    return place


def _side_by_side(parts: Sequence[Points]) -> Points:
    """Return the points of all *parts* in rows, each in a square of its size, the largest first."""
    import numpy as np

    sizes = [1 + len(part) ** 0.7 for part in parts]  # large parts have more relations, too
    width = max([*sizes, sum(size * size for size in sizes) ** 0.5])
    points: dict[str, Sequence[float]] = {}
    left = top = below = 0.0
    for part, size in sorted(zip(parts, sizes), key=lambda each: -each[1]):
        if left and left + size > width:
            left, top = 0.0, below
        below = min(below, top - size)
        for id, (across, up) in zip(part, shares(np.array(list(part.values()), float)).tolist()):
            points[id] = left + 0.5 + across * (size - 1), top - 0.5 - (1 - up) * (size - 1)
        left += size
    return points


# The layouts of one part


def _rings(map: MindMap, tree: Hierarchy) -> Points:
    """The top in the middle, each level a ring around it, with the branches side by side."""
    order, inner = _in_branches(tree), {tree.top, *tree.above.values()}
    ends = [id for id in order if id not in inner]
    angle = {id: 2 * pi * number / len(ends) for number, id in enumerate(ends)}
    for id in reversed(order):
        if id in inner:
            below = [angle[each] for each, above in tree.above.items() if above == id]
            angle[id] = sum(below) / max(1, len(below))
    return {id: (tree.level[id] * sin(angle[id]), tree.level[id] * cos(angle[id])) for id in order}


def _levels(map: MindMap, tree: Hierarchy) -> Points:
    """The top above, and each level in a row below it, with the branches side by side."""
    import networkx as nx

    rows: dict[int, list[str]] = {}
    for id in _in_branches(tree):
        rows.setdefault(-tree.level[id], []).append(id)
    places: Points = nx.multipartite_layout(nx.empty_graph(tree.level), rows, align="horizontal")
    return places


def _forces(map: MindMap, tree: Hierarchy) -> Points:
    """Related concepts near each other: networkx's spring layout, which starts from the circle."""
    import networkx as nx

    graph = nx.Graph()
    graph.add_nodes_from(tree.level)  # in the map's order; the order of a subgraph varies
    graph.add_edges_from(
        (each.start, each.end) for each in map.relations.values() if each.start in tree.level
    )
    begun, far = _circle(map, tree), 1.6 / len(graph) ** 0.5
    places: Points = nx.spring_layout(graph, k=far, pos=begun, seed=SEED, iterations=80)
    return places


def _circle(map: MindMap, tree: Hierarchy) -> Points:
    """All on a circle, with the branches side by side."""
    import networkx as nx

    places: Points = nx.circular_layout(_in_branches(tree))
    return places


LAYOUTS: Mapping[str, Callable[[MindMap, Hierarchy], Points]] = {
    "forces": _forces,
    "rings": _rings,
    "levels": _levels,
    "circle": _circle,
}


def _in_branches(tree: Hierarchy) -> list[str]:
    """Return the concepts, each followed by those that hang on it."""
    below: dict[str, list[str]] = {}
    for id, above in tree.above.items():
        below.setdefault(above, []).append(id)
    order, left = [], [tree.top]
    while left:
        order.append(id := left.pop())
        left += reversed(below.get(id, ()))
    return order
