"""What can be counted in a mind map, beside what people say about its propositions.

The numbers describe a map and are no grade: whether a proposition is right, people judge.
"""

from collections.abc import Iterable, Mapping, Set
from typing import NamedTuple

from coursekit.maps.mindmap import MindMap

JUDGEMENTS = {"yes": 1.0, "partly": 0.5, "no": 0.0}
"""Judgements of a proposition, and the share of it that then counts."""
POINTS = {"propositions": 1, "levels": 5, "branchings": 1, "cross_links": 10, "examples": 1}
"""Points of each element, after Novak & Gowin, Learning How to Learn (1984).

The numbers are those of the University of Waterloo, Centre for Teaching Excellence, *Rubric for
Assessing Concept Maps*.
"""
EXAMPLE = "example"
"""Kind of a concept that is an example, and of a relation to one."""


class Hierarchy(NamedTuple):
    """The order of a map from its top downwards, whatever the direction of its relations.

    Each concept hangs on its first relation with a concept one level higher.
    """

    top: str
    level: Mapping[str, int]  # by concept connected with the top, which has level 0
    hangs_on: Mapping[str, str]  # by concept: the relation, none for the top
    above: Mapping[str, str]  # by concept: the one at the other end of that relation
    branch: Mapping[str, str]  # by concept: the concept of level 1 above it, or itself
    cross_links: tuple[str, ...]  # relations between two branches


def hierarchy(mind_map: MindMap, top: str = "") -> Hierarchy:
    """Return the order of *mind_map* below *top*, by default the map's own top."""
    top = top or mind_map.top
    relations = mind_map.relations
    links: dict[str, list[tuple[str, str]]] = {concept: [] for concept in mind_map.concepts}
    for relation_id, relation in relations.items():
        links[relation.start].append((relation_id, relation.end))
        links[relation.end].append((relation_id, relation.start))
    level = {top: 0} if top else {}
    order = list(level)
    for concept in order:  # grows in the loop
        for _, other in links[concept]:
            if other not in level:
                level[other] = level[concept] + 1
                order.append(other)
    hangs_on: dict[str, str] = {}
    above: dict[str, str] = {}
    branch: dict[str, str] = {}
    for concept in order[1:]:
        # Links are in the order of the relations, so the first that leads up is the oldest.
        hangs_on[concept], above[concept] = next(
            link for link in links[concept] if level[link[1]] < level[concept]
        )
        branch[concept] = branch.get(above[concept], concept)
    cross_links = []
    for relation_id, relation in relations.items():
        start = branch.get(relation.start)
        end = branch.get(relation.end)
        if start and end and start != end:
            cross_links.append(relation_id)
    return Hierarchy(top, level, hangs_on, above, branch, tuple(cross_links))


class Measures(NamedTuple):
    """Numbers about the form of a map; distances count relations, whatever their direction.

    More is not better: many concepts do not mean that much is understood, and only its sentences
    show whether a relation is right.
    """

    concepts: int
    relations: int
    without_words: int  # without a linking phrase, so nobody can tell what is meant
    # Share of the ordered pairs of concepts that are linked. Large maps usually have a lower one,
    # so it does not compare maps of different sizes.
    density: float
    mean_degree: float  # relations of a concept: how closely concepts are tied together
    # Connected components, single concepts included: is there a sentence that would join them?
    parts: int
    alone: int  # concepts without any relation: not thought about yet, or really unrelated
    groups: int  # see groups(): can each be given a name?
    # Between the concepts of the largest part. Shorter is more closely knit, not more correct.
    mean_distance: float
    diameter: int  # largest distance there: try to tell this way as a story
    levels: int  # below the top; another top gives another number
    branchings: int  # concepts that several others hang on
    # Relations between two branches: often a new idea; people judge whether it is one.
    cross_links: int
    examples: int  # what is marked as an example


def measure(mind_map: MindMap) -> Measures:
    """Return the numbers of *mind_map*."""
    import networkx as nx

    graph = mind_map.graph()
    tree = hierarchy(mind_map)
    pairs = nx.DiGraph(graph)
    components = parts(mind_map)
    largest = nx.Graph(pairs.subgraph(components[0])) if components else nx.Graph()
    has_distance = len(largest) > 1
    return Measures(
        concepts=len(graph),
        relations=graph.number_of_edges(),
        without_words=sum(not relation.phrase for relation in mind_map.relations.values()),
        density=nx.density(pairs),
        mean_degree=2 * graph.number_of_edges() / max(1, len(graph)),
        parts=len(components),
        alone=nx.number_of_isolates(graph),
        groups=len(groups(mind_map)),
        mean_distance=nx.average_shortest_path_length(largest) if has_distance else 0.0,
        diameter=nx.diameter(largest) if has_distance else 0,
        levels=max(tree.level.values(), default=0),
        branchings=len(_branchings(tree)),
        cross_links=len(tree.cross_links),
        examples=len(_examples(mind_map)),
    )


def parts(mind_map: MindMap) -> list[list[str]]:
    """Return the connected components of *mind_map*, largest first, single concepts included."""
    part = {concept: {concept} for concept in mind_map.concepts}
    for relation in mind_map.relations.values():
        if part[relation.start] is not part[relation.end]:
            joined = part[relation.start] | part[relation.end]
            part |= dict.fromkeys(joined, joined)
    return _in_map_order(mind_map, {id(concepts): concepts for concepts in part.values()}.values())


def groups(mind_map: MindMap) -> list[list[str]]:
    """Return groups of concepts with more relations inside than between them, largest first.

    A group has at least two concepts. Found by greedy modularity (Clauset, Newman & Moore, Finding
    community structure in very large networks, 2004).
    """
    import networkx as nx

    ids = list(mind_map.concepts)
    # Numbers, as sets of texts have another order in every run.
    number = {concept: place for place, concept in enumerate(ids)}
    relations = mind_map.relations.values()
    graph = nx.Graph([(number[relation.start], number[relation.end]) for relation in relations])
    communities = nx.community.greedy_modularity_communities(graph) if graph else ()
    return _in_map_order(mind_map, ({ids[place] for place in group} for group in communities))


def _in_map_order(mind_map: MindMap, sets: Iterable[Set[str]]) -> list[list[str]]:
    """Return *sets* of concepts in the order of the map, the largest first."""
    concepts = list(mind_map.concepts)
    ordered = [[concept for concept in concepts if concept in group] for group in sets]
    return sorted(ordered, key=lambda group: (-len(group), concepts.index(group[0])))


class Hub(NamedTuple):
    """A concept with many relations."""

    concept: str
    relations: int
    between: float  # share of the shortest paths between others that lead through it


def hubs(mind_map: MindMap, most: int = 5) -> list[Hub]:
    """Return up to *most* concepts with the most relations; none without any."""
    import networkx as nx

    graph = mind_map.graph()
    between = nx.betweenness_centrality(nx.Graph(graph))
    ranked = [Hub(concept, count, between[concept]) for concept, count in graph.degree if count]
    return sorted(ranked, key=lambda hub: (-hub.relations, -hub.between))[:most]


def _branchings(tree: Hierarchy) -> dict[str, list[str]]:
    """Return concept -> the relations that others hang on it by, where these are several."""
    below: dict[str, list[str]] = {}
    for concept, relation_id in tree.hangs_on.items():
        below.setdefault(tree.above[concept], []).append(relation_id)
    return {concept: relations for concept, relations in below.items() if len(relations) > 1}


def _examples(mind_map: MindMap) -> set[str]:
    """Return the relations that lead to an example."""
    concepts = mind_map.concepts
    return {
        relation_id
        for relation_id, relation in mind_map.relations.items()
        if EXAMPLE in (relation.kind, concepts[relation.end].kind)
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


def judge_elements(mind_map: MindMap, judgements: Mapping[str, str]) -> Judged:
    """Return the elements of *mind_map*, and those that people judged right.

    A level counts as much as the best proposition that leads to it, a branching as much as its
    second best. Each proposition counts once: as a cross-link, an example or neither. Relations
    without a linking phrase are no propositions.

    :param judgements: by relation, one of :data:`JUDGEMENTS`; those of removed relations do not
        matter.
    :raises ValueError: for another judgement.
    """
    for relation_id, word in judgements.items():
        if word not in JUDGEMENTS:
            allowed = ", ".join(JUDGEMENTS)
            raise ValueError(
                f"the judgement of {relation_id!r} is {word!r} and not one of {allowed}"
            )
    relations = mind_map.relations.items()
    structure = {relation_id: 1.0 for relation_id, relation in relations if relation.phrase}
    valid = {
        relation_id: JUDGEMENTS[judgements[relation_id]]
        for relation_id in structure
        if relation_id in judgements
    }
    return Judged(_elements(mind_map, structure), _elements(mind_map, valid))


def median_verdicts(verdicts: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """Return the median verdict on each proposition, the stricter one of two.

    :param verdicts: for each judge, relation -> verdict.
    """
    words: dict[str, list[str]] = {}
    for by_relation in verdicts:
        for relation_id, word in by_relation.items():
            words.setdefault(relation_id, []).append(word)
    # In the alphabet they are in their order, too: no, partly, yes.
    return {relation_id: sorted(said)[(len(said) - 1) // 2] for relation_id, said in words.items()}


def _elements(mind_map: MindMap, worth: Mapping[str, float]) -> Elements:
    """Return the elements of *mind_map* if each relation counts as much as it is *worth*."""
    tree = hierarchy(mind_map)
    levels: dict[int, float] = {}
    for concept, relation_id in tree.hangs_on.items():
        level = tree.level[concept]
        levels[level] = max(levels.get(level, 0), worth.get(relation_id, 0))
    branchings = 0.0
    for relations in _branchings(tree).values():
        branchings += sorted(worth.get(relation_id, 0) for relation_id in relations)[-2]
    propositions = cross_links = examples = 0.0
    example_ids = _examples(mind_map)
    for relation_id, value in worth.items():
        if relation_id in tree.cross_links:
            cross_links += value
        elif relation_id in example_ids:
            examples += value
        else:
            propositions += value
    return Elements(propositions, sum(levels.values()), branchings, cross_links, examples)
