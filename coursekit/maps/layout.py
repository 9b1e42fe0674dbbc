"""Places for the concepts of a mind map: the same map always gets the same places."""

from collections.abc import Callable, Mapping, Sequence
from math import cos, pi, sin

from coursekit.maps.elements import MIDDLE, SIDE
from coursekit.maps.map_statistics import Hierarchy, hierarchy
from coursekit.maps.mindmap import MindMap
from coursekit.maps.paper_layout import Array, Paper, Places, shares

Points = Mapping[str, Sequence[float]]
"""Places in any units, with y growing upwards."""
SMALL_MAP = 4
"""Up to this number, concepts are not spread over the whole map."""
LARGE_MAP = 60
"""Above this number of concepts, "forces" tries only springs."""
SEED = 1
MUCH = 2400
"""New concepts times (relations + 100) above which they are placed all at once, not one by one."""
RINGS = (4, 5, 6, 7, 8, 9, 10, 12, 14, 17, 20)
"""Distances of a new concept from what it belongs to, in letters."""
ROOM = (8, 4)
"""Room beside the card of a new concept, in letters: for a line and its phrase."""


def layout(mind_map: MindMap, name: str = "forces", keep: bool = False) -> Places:
    """Return a place for each concept of *mind_map*; :meth:`MindMap.move` puts them there.

    Parts that are not connected stand beside each other, the largest first.

    :param name: one of :data:`LAYOUTS`; "forces" begins with each of them and improves the one that
        reads best.
    :param keep: concepts that have a place keep it.
    :raises ValueError: for another name.
    """
    if name not in LAYOUTS:
        raise ValueError(f"the layout {name!r} is not one of {', '.join(LAYOUTS)}")
    concepts = mind_map.concepts
    fixed: Places = {}
    if keep:
        fixed = {concept_id: concept.at for concept_id, concept in concepts.items() if concept.at}
    # What has a place stays, and new concepts are placed one by one while that is quick.
    if fixed or len(concepts) <= (SMALL_MAP if keep else 0):
        work = (len(concepts) - len(fixed)) * (len(mind_map.relations) + 100)
        return _place_by_springs(mind_map, fixed) if work > MUCH else _place_rest(mind_map, fixed)
    trees = _trees(mind_map)
    paper = Paper.of(mind_map)
    if name == "forces":
        names = list(LAYOUTS) if len(concepts) <= LARGE_MAP else [name]
        starts = [_start(mind_map, start, trees, paper) for start in names]
        points = paper.push_apart(paper.spread(paper.improve(starts)))
    else:
        points = _start(mind_map, name, trees, paper)
    places = paper.places(points)
    taken: set[tuple[int, int]] = set()
    return {concept: _free(places[concept], taken) for concept in concepts}


def _trees(mind_map: MindMap) -> list[Hierarchy]:
    """Return the order of each part of *mind_map*, the one with its top first."""
    trees: list[Hierarchy] = []
    seen: set[str] = set()
    for concept in dict.fromkeys([mind_map.top, *mind_map.concepts]):
        if concept not in seen:
            trees.append(hierarchy(mind_map, concept))
            seen |= trees[-1].level.keys()
    return trees


def _start(mind_map: MindMap, name: str, trees: Sequence[Hierarchy], paper: Paper) -> Array:
    """Return the points of one layout, with cards pushed apart."""
    import numpy as np

    points = _side_by_side([LAYOUTS[name](mind_map, tree) for tree in trees])
    downwards = [(points[concept][0], -points[concept][1]) for concept in paper.ids]
    return paper.push_apart(paper.spread(np.array(downwards)))


def _place_rest(mind_map: MindMap, fixed: Places) -> Places:
    """Return *fixed* with a place for each other concept.

    It is near the concept's relatives, on nothing, with room for a phrase.
    """
    import numpy as np

    places = dict(fixed)
    beside: dict[str, list[str]] = {}
    for relation in mind_map.relations.values():
        beside.setdefault(relation.start, []).append(relation.end)
        beside.setdefault(relation.end, []).append(relation.start)
    left = [concept for concept in mind_map.concepts if concept not in fixed]
    turns = np.linspace(0, 2 * pi, 24, endpoint=False)
    ring = np.stack([1.5 * np.cos(turns), np.sin(turns)], 1)
    around = np.concatenate([[[0.0, 0.0]], *(far * ring for far in RINGS)])

    def relatives(concept: str) -> list[str]:
        return [other for other in beside.get(concept, ()) if other in places]

    def urgency(concept: str) -> tuple[bool, bool]:
        return bool(relatives(concept)), concept == mind_map.top

    while left:
        concept = max(left, key=urgency)
        paper = Paper.of(mind_map, [*places, concept]).enlarge(places)
        at = paper.points(places | {concept: MIDDLE})
        number = {other: place for place, other in enumerate(paper.ids)}
        near = [number[other] for other in relatives(concept)]
        middle = at[near].mean(0) if near else paper.size / 2
        best = paper.best(at, len(at) - 1, middle + around, ROOM)
        places[concept] = paper.places(best)[concept]
        left.remove(concept)
    return {concept: places[concept] for concept in mind_map.concepts}


def _place_by_springs(mind_map: MindMap, fixed: Places) -> Places:
    """Return *fixed* with a place for each other concept, from networkx's spring layout."""
    import networkx as nx

    start = {concept: fixed.get(concept, MIDDLE) for concept in mind_map.concepts}
    graph = nx.Graph(mind_map.graph())
    far = SIDE / len(start) ** 0.5
    spots = nx.spring_layout(graph, k=far, pos=start, fixed=fixed, seed=SEED, iterations=80)
    taken = set(fixed.values())
    places: Places = {}
    for concept in mind_map.concepts:
        across, down = (min(SIDE, max(0, round(part))) for part in spots[concept])
        places[concept] = fixed.get(concept) or _free((across, down), taken)
    return places


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
    for part, size in sorted(zip(parts, sizes), key=lambda pair: -pair[1]):
        if left and left + size > width:
            left = 0.0
            top = below
        below = min(below, top - size)
        part_shares = shares(np.array(list(part.values()), float)).tolist()
        for concept, (across, up) in zip(part, part_shares):
            x = left + 0.5 + across * (size - 1)
            points[concept] = x, top - 0.5 - (1 - up) * (size - 1)
        left += size
    return points


# The layouts of one part


def _rings(mind_map: MindMap, tree: Hierarchy) -> Points:
    """The top in the middle, each level a ring around it, with the branches side by side."""
    order = _in_branches(tree)
    inner = {tree.top, *tree.above.values()}
    ends = [concept for concept in order if concept not in inner]
    angle = {concept: 2 * pi * number / len(ends) for number, concept in enumerate(ends)}
    for concept in reversed(order):
        if concept in inner:
            below = [angle[other] for other, above in tree.above.items() if above == concept]
            angle[concept] = sum(below) / max(1, len(below))
    points = {}
    for concept in order:
        far = tree.level[concept]
        points[concept] = far * sin(angle[concept]), far * cos(angle[concept])
    return points


def _levels(mind_map: MindMap, tree: Hierarchy) -> Points:
    """The top above, and each level in a row below it, with the branches side by side."""
    import networkx as nx

    rows: dict[int, list[str]] = {}
    for concept in _in_branches(tree):
        rows.setdefault(-tree.level[concept], []).append(concept)
    points: Points = nx.multipartite_layout(nx.empty_graph(tree.level), rows, align="horizontal")
    return points


def _forces(mind_map: MindMap, tree: Hierarchy) -> Points:
    """Related concepts near each other: networkx's spring layout, which starts from the circle."""
    import networkx as nx

    graph = nx.Graph()
    graph.add_nodes_from(tree.level)  # in the map's order; the order of a subgraph varies
    for relation in mind_map.relations.values():
        if relation.start in tree.level:
            graph.add_edge(relation.start, relation.end)
    start = _circle(mind_map, tree)
    far = 1.6 / len(graph) ** 0.5
    points: Points = nx.spring_layout(graph, k=far, pos=start, seed=SEED, iterations=80)
    return points


def _circle(mind_map: MindMap, tree: Hierarchy) -> Points:
    """All on a circle, with the branches side by side."""
    import networkx as nx

    points: Points = nx.circular_layout(_in_branches(tree))
    return points


LAYOUTS: Mapping[str, Callable[[MindMap, Hierarchy], Points]] = {
    "forces": _forces,
    "rings": _rings,
    "levels": _levels,
    "circle": _circle,
}


def _in_branches(tree: Hierarchy) -> list[str]:
    """Return the concepts, each followed by those that hang on it."""
    below: dict[str, list[str]] = {}
    for concept, above in tree.above.items():
        below.setdefault(above, []).append(concept)
    order = []
    left = [tree.top]
    while left:
        concept = left.pop()
        order.append(concept)
        left += reversed(below.get(concept, ()))
    return order
