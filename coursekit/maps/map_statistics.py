"""What can be counted in a mind map, beside what people say about its propositions.

The numbers describe a map and are no grade: whether a proposition is right, people judge.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Set
from typing import NamedTuple

from coursekit.maps.mindmap import MindMap

JUDGEMENTS = {"yes": 1.0, "partly": 0.5, "no": 0.0}
"""Judgements of a proposition, and the share of it that then counts."""
POINTS = {"propositions": 1, "levels": 5, "branchings": 1, "cross_links": 10, "examples": 1}
"""After Novak & Gowin, Learning How to Learn (1984), with the numbers of the University of
Waterloo, Centre for Teaching Excellence, *Rubric for Assessing Concept Maps*.
"""
EXAMPLE = "example"
"""Kind of a concept that is an example, and of a relation to one."""


class Hierarchy(NamedTuple):
    """The order of a map from its top downwards, whatever the direction of its relations.

    Each concept hangs on its first relation with a concept one level higher.
    """

    top: str
    level: Mapping[
        str, int
    ]  # by concept, 0 for the top; concepts not connected with the top have none
    hangs_on: Mapping[str, str]  # by concept: the relation, none for the top
    above: Mapping[str, str]  # by concept: the one at the other end of that relation
    branch: Mapping[str, str]  # by concept: the concept of level 1 above it, or itself
    cross_links: tuple[str, ...]  # relations between two branches


def hierarchy(map: MindMap, top: str = "") -> Hierarchy:
    """Return the order of *map* below *top*, by default the map's own top."""
    top, relations = top or map.top, map.relations
    touching: dict[str, list[tuple[str, str]]] = {id: [] for id in map.concepts}
    for id, each in relations.items():
        touching[each.start].append((id, each.end))
        touching[each.end].append((id, each.start))
    level = {top: 0} if top else {}
    hangs_on, parent, branch = dict[str, str](), dict[str, str](), dict[str, str]()
    for concept in (order := list(level)):
        for _, other in touching[concept]:
            if other not in level:
                level[other] = level[concept] + 1
                order.append(other)
    first = {id: place for place, id in enumerate(relations)}
    for concept in order[1:]:
        higher = [
            (first[id], id, other)
            for id, other in touching[concept]
            if level[other] < level[concept]
        ]
        _, hangs_on[concept], parent[concept] = min(higher)
        branch[concept] = branch.get(parent[concept], concept)
    across = [
        id
        for id, each in relations.items()
        if each.start in branch and each.end in branch and branch[each.start] != branch[each.end]
    ]
    tree = set(hangs_on.values())
    return Hierarchy(
        top, level, hangs_on, parent, branch, tuple(id for id in across if id not in tree)
    )


class Measures(NamedTuple):
    """Numbers about the form of a map; distances count relations, whatever their direction."""

    concepts: int
    relations: int
    without_words: int  # relations still without a linking phrase
    density: float  # share of the ordered pairs of concepts that are linked
    mean_degree: float  # relations of a concept
    parts: int  # connected components, single concepts included
    alone: int  # concepts without any relation
    groups: int  # with more relations inside than between them, see groups()
    mean_distance: float  # between the concepts of the largest part
    diameter: int  # largest distance there
    levels: int  # below the top
    branchings: int  # concepts that several others hang on
    cross_links: int
    examples: int


FIRST = ("concepts", "without_words", "parts", "cross_links")
"""Measures to show first: the size of a map, and three that ask for one more thought."""


def measures(map: MindMap) -> Measures:
    """Return the numbers of *map*."""
    import networkx as nx

    graph, tree = map.graph(), hierarchy(map)
    pairs = nx.DiGraph(graph)
    together = parts(map)
    largest = nx.Graph(pairs.subgraph(together[0])) if together else nx.Graph()
    connected = len(largest) > 1
    return Measures(
        concepts=len(graph),
        relations=graph.number_of_edges(),
        without_words=sum(not each.phrase for each in map.relations.values()),
        density=nx.density(pairs),
        mean_degree=2 * graph.number_of_edges() / max(1, len(graph)),
        parts=len(together),
        alone=nx.number_of_isolates(graph),
        groups=len(groups(map)),
        mean_distance=nx.average_shortest_path_length(largest) if connected else 0.0,
        diameter=nx.diameter(largest) if connected else 0,
        levels=max(tree.level.values(), default=0),
        branchings=len(_branchings(tree)),
        cross_links=len(tree.cross_links),
        examples=len(_examples(map)),
    )


def parts(map: MindMap) -> list[list[str]]:
    """Return the connected components of *map*, largest first, single concepts included."""
    import networkx as nx

    return _in_map_order(map, nx.weakly_connected_components(map.graph()))


def groups(map: MindMap) -> list[list[str]]:
    """Return groups of at least two concepts with more relations inside than between them, largest
    first.

    Found by greedy modularity (Clauset, Newman & Moore, Finding community structure in very large
    networks, 2004).
    """
    import networkx as nx

    ids = list(map.concepts)
    number = {
        id: place for place, id in enumerate(ids)
    }  # sets of texts have another order in every run
    graph = nx.Graph((number[each.start], number[each.end]) for each in map.relations.values())
    found = nx.community.greedy_modularity_communities(graph) if graph else []
    return _in_map_order(map, ({ids[place] for place in group} for group in found))


def _in_map_order(map: MindMap, found: Iterable[Set[str]]) -> list[list[str]]:
    ordered = [[id for id in map.concepts if id in group] for group in found]
    place = {id: number for number, id in enumerate(map.concepts)}
    return sorted(ordered, key=lambda group: (-len(group), place[group[0]]))


class Hub(NamedTuple):
    """A concept with many relations."""

    id: str
    relations: int
    between: float  # share of the shortest paths between others that lead through it


def hubs(map: MindMap, most: int = 5) -> list[Hub]:
    """Return up to *most* concepts with the most relations; none without any."""
    import networkx as nx

    graph = map.graph()
    between = nx.betweenness_centrality(nx.Graph(graph))
    found = [Hub(id, graph.degree(id), between[id]) for id in graph if graph.degree(id)]
    return sorted(found, key=lambda hub: (-hub.relations, -hub.between))[:most]


def _branchings(tree: Hierarchy) -> dict[str, list[str]]:
    """Return the concepts that several others hang on: id -> the relations."""
    below: dict[str, list[str]] = {}
    for concept, id in tree.hangs_on.items():
        below.setdefault(tree.above[concept], []).append(id)
    return {concept: ids for concept, ids in below.items() if len(ids) > 1}


def _examples(map: MindMap) -> set[str]:
    """Return the relations that lead to an example."""
    concepts = map.concepts
    return {
        id for id, each in map.relations.items() if EXAMPLE in (each.kind, concepts[each.end].kind)
    }


# What people say


class Elements(NamedTuple):
    """How much a map has of each element that :data:`POINTS` counts."""

    propositions: float  # neither cross-links nor examples
    levels: float
    branchings: float
    cross_links: float
    examples: float

    @property
    def points(self) -> float:
        """The number of Novak and Gowin."""
        return float(sum(POINTS[name] * value for name, value in self._asdict().items()))


class Judged(NamedTuple):
    """The structure of a map, and the part of it that people judged right."""

    structure: Elements  # if every proposition were right
    valid: Elements  # as judged; propositions without a judgement do not count
    said: Mapping[str, int]  # how many are "yes", "partly" and "no"
    open: tuple[str, ...]  # propositions still to be judged


def judged(map: MindMap, judgements: Mapping[str, str]) -> Judged:
    """Return the elements of *map*, and those that people judged right.

    A level counts as much as the best proposition that leads to it, a branching as much as its
    second best. Each proposition counts once: as a cross-link, an example or neither. Relations
    without a linking phrase are no propositions.

    :param judgements: by relation, one of :data:`JUDGEMENTS`; those of removed relations do not
        matter.
    :raises ValueError: for another judgement.
    """
    for id, word in judgements.items():
        if word not in JUDGEMENTS:
            raise ValueError(
                f"the judgement of {id!r} is {word!r} and not one of {', '.join(JUDGEMENTS)}"
            )
    propositions = [id for id, each in map.relations.items() if each.phrase]
    said = Counter(judgements[id] for id in propositions if id in judgements)
    return Judged(
        structure=_elements(map, dict.fromkeys(propositions, 1.0)),
        valid=_elements(
            map, {id: JUDGEMENTS[judgements[id]] for id in propositions if id in judgements}
        ),
        said={word: said[word] for word in JUDGEMENTS},
        open=tuple(id for id in propositions if id not in judgements),
    )


def middle(said: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """Return the median judgement of each proposition, the stricter one of two.

    :param said: for each judge, relation -> judgement.
    """
    words: dict[str, list[str]] = {}
    for each in said:
        for id, word in each.items():
            words.setdefault(id, []).append(word)
    return {
        id: sorted(found, key=JUDGEMENTS.__getitem__)[(len(found) - 1) // 2]
        for id, found in words.items()
    }


def _elements(map: MindMap, worth: Mapping[str, float]) -> Elements:
    """Return the elements of *map* if each relation counts as much as it is *worth*."""
    tree = hierarchy(map)
    levels: dict[int, float] = {}
    for concept, id in tree.hangs_on.items():
        level = tree.level[concept]
        levels[level] = max(levels.get(level, 0), worth.get(id, 0))
    examples = _examples(map) - set(tree.cross_links)

    def total(ids: Callable[[str], bool]) -> float:
        return sum(value for id, value in worth.items() if ids(id))

    return Elements(
        propositions=total(lambda id: id not in examples and id not in tree.cross_links),
        levels=sum(levels.values()),
        branchings=sum(
            sorted(worth.get(id, 0) for id in ids)[-2] for ids in _branchings(tree).values()
        ),
        cross_links=total(tree.cross_links.__contains__),
        examples=total(examples.__contains__),
    )
