"""Where the concepts of a mind map may stand: always the same places for the same map."""

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import combinations, product
from math import cos, hypot, pi, sin

from coursekit.reflect.maps.mindmap import MindMap
from coursekit.reflect.maps.parts import SIDE
from coursekit.reflect.maps.study import Hierarchy, hierarchy

Places = dict[str, tuple[int, int]]
Points = Mapping[str, Sequence[float]]
"""Places in any units, with y growing upwards."""
MARGIN = 70
"""Free space around the concepts, in the units of a place."""
ROOM, WIDE = 90, 1.6
"""How far a new concept is put from all others, up and down; so many times as far across, since labels are wide."""
FEW = 4
"""So many concepts or fewer are not spread over the whole map."""
SEED = 1
PUSHES = 40


def layout(map: MindMap, name: str = "forces", keep: bool = False) -> Places:
    """Return a place for each concept of *map*; ``map.move`` puts them there.

    Parts that are not connected stand beside each other, the largest first.

    :param name: one of :data:`LAYOUTS`.
    :param keep: concepts that have a place keep it.
    :raises ValueError: for another name.
    """
    if name not in LAYOUTS:
        raise ValueError(f"the layout {name!r} is not one of {', '.join(LAYOUTS)}")
    concepts = map.concepts
    kept = {id: each.at for id, each in concepts.items() if keep and each.at}
    if keep and (2 * len(kept) >= len(concepts) or len(concepts) <= FEW):
        return _filled_up(map, kept)
    trees: list[Hierarchy] = []
    seen: set[str] = set()
    for id in dict.fromkeys([map.top, *concepts] if concepts else []):
        if id not in seen:
            trees.append(hierarchy(map, id))
            seen |= trees[-1].level.keys()
    places = _fitted(_apart(_side_by_side([LAYOUTS[name](map, tree) for tree in trees])))
    taken = set(kept.values())
    return {id: kept.get(id) or (_free(places[id], taken) if keep else places[id]) for id in concepts}


def _filled_up(map: MindMap, kept: Places) -> Places:
    """Return *kept* with a place for each of the other concepts, near to what it is related with."""
    places, beside = dict(kept), dict[str, list[str]]()
    for each in map.relations.values():
        beside.setdefault(each.start, []).append(each.end)
        beside.setdefault(each.end, []).append(each.start)
    left = [id for id in map.concepts if id not in kept]
    while left:
        near = {id: [places[other] for other in beside.get(id, ()) if other in places] for id in left}
        id = max(left, key=lambda each: (bool(near[each]), each == map.top))
        places[id] = _beside(near[id] or [(SIDE // 2, SIDE // 2)], places.values())
        left.remove(id)
    return {id: places[id] for id in map.concepts}


def _beside(near: Sequence[tuple[int, int]], taken: Collection[tuple[int, int]]) -> tuple[int, int]:
    """Return a place around the middle of *near* with room for a label, or where there is most."""
    middle = [sum(column) / len(near) for column in zip(*near)]
    best, most = (round(middle[0]), round(middle[1])), -1.0
    for far, turn in product(range(0, SIDE, ROOM), range(12)):
        angle = 2 * pi * (turn + 0.5) / 12
        place = (_inside(middle[0] + WIDE * far * cos(angle)), _inside(middle[1] + far * sin(angle)))
        room = min((hypot((place[0] - x) / WIDE, place[1] - y) for x, y in taken), default=SIDE)
        if room > most:
            best, most = place, room
        if room >= ROOM:
            break
    return best


def _inside(part: float) -> int:
    return round(min(SIDE - MARGIN, max(MARGIN, part)))


def _free(place: tuple[int, int], taken: set[tuple[int, int]]) -> tuple[int, int]:
    """Return *place*, or one beside it if there is something already, and take it."""
    while place in taken:
        place = (place[0] + MARGIN) % SIDE, (place[1] + MARGIN // 2) % SIDE
    taken.add(place)
    return place


def _side_by_side(parts: Sequence[Points]) -> Points:
    """Return the points of all *parts* in rows, each in a square of its size, the largest first."""
    sizes = [1 + len(part) ** 0.7 for part in parts]  # large parts have more relations as well
    width = max([*sizes, sum(size * size for size in sizes) ** 0.5])
    points: dict[str, Sequence[float]] = {}
    left = top = below = 0.0
    for part, size in sorted(zip(parts, sizes), key=lambda each: -each[1]):
        if left and left + size > width:
            left, top = 0.0, below
        below = min(below, top - size)
        (low_x, high_x), (low_y, high_y) = _ranges(part)
        for id, (x, y) in part.items():
            across, up = _share(x, low_x, high_x), _share(y, low_y, high_y)
            points[id] = left + 0.5 + across * (size - 1), top - 0.5 - (1 - up) * (size - 1)
        left += size
    return points


def _apart(points: Points) -> Points:
    """Return *points* with room for a label around each: pushed apart a little, again and again."""
    if not points:
        return points
    (left, right), (low, high) = _ranges(points)
    wide, tall = (
        share * max(1.0, size) / len(points) ** 0.5 for share, size in ((0.5, right - left), (0.35, high - low))
    )
    now = {id: [float(x), float(y)] for id, (x, y) in points.items()}
    for _ in range(PUSHES):
        for one, other in combinations(now.values(), 2):
            across, up = other[0] - one[0], other[1] - one[1]
            if abs(across) < wide and abs(up) < tall:
                axis, space = (1, tall - abs(up)) if wide - abs(across) > tall - abs(up) else (0, wide - abs(across))
                push = space / 4 if (across, up)[axis] >= 0 else -space / 4
                one[axis] -= push
                other[axis] += push
    return now


def _ranges(points: Points) -> list[tuple[float, float]]:
    columns = [[float(point[axis]) for point in points.values()] for axis in (0, 1)]
    return [(min(values), max(values)) for values in columns]


def _share(value: float, low: float, high: float) -> float:
    """Return where *value* is between *low* (0) and *high* (1), in the middle if these are the same."""
    return (float(value) - low) / (high - low) if high - low > 1e-9 else 0.5


def _fitted(points: Points) -> Places:
    """Return *points* stretched over the whole map."""
    if not points:
        return {}
    across, up = _ranges(points)
    space = SIDE - 2 * MARGIN
    return {
        id: (round(MARGIN + space * _share(x, *across)), round(SIDE - MARGIN - space * _share(y, *up)))
        for id, (x, y) in points.items()
    }


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
    """The top above, and each level in a row below it."""
    import networkx as nx

    graph = nx.Graph()
    for id in _in_branches(tree):
        graph.add_node(id, level=-tree.level[id])
    places: Points = nx.multipartite_layout(graph, "level", align="horizontal")
    return places


def _forces(map: MindMap, tree: Hierarchy) -> Points:
    """Related concepts near each other: networkx's spring layout, begun with the circle."""
    import networkx as nx

    graph = nx.Graph(map.graph().subgraph(tree.level))
    begun, far = _circle(map, tree), 1.6 / len(graph) ** 0.5
    places: Points = nx.spring_layout(graph, k=far, pos=begun, seed=SEED, iterations=80)
    return places


def _circle(map: MindMap, tree: Hierarchy) -> Points:
    """All on a circle, with the branches side by side."""
    import networkx as nx

    places: Points = nx.circular_layout(_in_branches(tree))
    return places


LAYOUTS: Mapping[str, Callable[[MindMap, Hierarchy], Points]] = {
    "forces": _forces, "rings": _rings, "levels": _levels, "circle": _circle,
}  # fmt: skip


def _in_branches(tree: Hierarchy) -> list[str]:
    """Return the concepts so that each is followed by what hangs on it."""
    below: dict[str, list[str]] = {}
    for id, above in tree.above.items():
        below.setdefault(above, []).append(id)
    order, left = [], [tree.top]
    while left:
        order.append(id := left.pop())
        left += reversed(below.get(id, ()))
    return order
