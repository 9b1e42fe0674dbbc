"""Mind maps side by side: what two have in common, and what a whole class drew.

Labels and phrases are the same if they differ only in width, case, spacing, punctuation or script.
Which words mean the same, people say.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple, TypeVar

from coursekit.maps.elements import CONCEPTS, RELATIONS, relation_sentence
from coursekit.maps.mindmap import MindMap
from coursekit.maps.relation_kinds import COMMON_KINDS, Kinds, contradiction
from coursekit.words.normalise import are_near, normalise

Same = Iterable[Collection[str]]
"""Groups of words that mean the same: ``[("維基百科", "維基", "Wikipedia")]``."""
Key = TypeVar("Key")


class Proposition(NamedTuple):
    """What a relation says in any map."""

    start: str  # the key of a concept
    sense: str  # the relation's kind, or the key of its phrase
    end: str

    @property
    def pair(self) -> frozenset[str]:
        """Its concepts, without a direction."""
        return frozenset((self.start, self.end))


def word_keys(same: Same = ()) -> Callable[[str], str]:
    """Return the function that gives the same key to words that are the same."""
    first: dict[str, str] = {}

    def key(word: str) -> str:
        normal = normalise(word) or word
        return first.get(normal, normal)

    for group in same:
        group_keys = {key(word) for word in group}
        for word in [*first, *group_keys]:
            if key(word) in group_keys:
                first[word] = min(group_keys)
    return key


def by_key(mind_map: MindMap, key: Callable[[str], str]) -> dict[str, str]:
    """Return key -> id of the concepts of *mind_map*."""
    ids: dict[str, str] = {}
    for concept_id, concept in mind_map.concepts.items():
        ids.setdefault(key(concept.label), concept_id)
    return ids


def _propositions(
    mind_map: MindMap, key: Callable[[str], str], kinds: Kinds
) -> dict[Proposition, str]:
    """Return the propositions of *mind_map* with their relations.

    A mutual one has its concepts in order.
    """
    labels = {concept_id: key(concept.label) for concept_id, concept in mind_map.concepts.items()}
    ids: dict[Proposition, str] = {}
    for relation_id, relation in mind_map.relations.items():
        sense = relation.kind or (relation.phrase and key(relation.phrase))
        start = labels[relation.start]
        end = labels[relation.end]
        if relation.kind in kinds and kinds[relation.kind].mutual:
            start, end = sorted((start, end))
        if start != end:
            ids.setdefault(Proposition(start, sense, end), relation_id)
    return ids


def _by_pair(propositions: Iterable[Proposition]) -> dict[frozenset[str], list[Proposition]]:
    """Return the propositions between each two concepts."""
    pairs: dict[frozenset[str], list[Proposition]] = {}
    for proposition in propositions:
        pairs.setdefault(proposition.pair, []).append(proposition)
    return pairs


def _contradiction(one: Proposition, other: Proposition, kinds: Kinds) -> str:
    return contradiction(one.sense, other.sense, one.start != other.start, kinds)


# Two maps


class Contradiction(NamedTuple):
    """Two relations that cannot both be right, or lead in opposite directions."""

    mine: str  # id of the relation in the one map
    other: str  # and in the other
    why: str  # "opposite" or "direction"


class Comparison(NamedTuple):
    """One map beside another; of several relations that say the same, it has only the first."""

    concepts: tuple[tuple[str, str], ...]  # in both: (id, id in the other)
    concepts_missing: tuple[str, ...]  # ids, only in the other
    concepts_extra: tuple[str, ...]  # ids, only in this one
    shared: tuple[tuple[str, str], ...]  # relations in both: (id, id in the other)
    contradicting: tuple[Contradiction, ...]
    missing: tuple[str, ...]  # relations only in the other that contradict none
    extra: tuple[str, ...]  # relations only in this one
    # Of missing and extra: relations between the same two concepts, in other words.
    reworded: tuple[tuple[str, str], ...]

    @property
    def concept_overlap(self) -> float:
        """Share of the concepts of either map that are in both (Jaccard), 0 to 1.

        It is 1 for two empty maps.
        """
        return _jaccard(len(self.concepts), len(self.concepts_missing) + len(self.concepts_extra))

    @property
    def proposition_overlap(self) -> float:
        """The same for propositions."""
        mine = {contradiction.mine for contradiction in self.contradicting}
        other = {contradiction.other for contradiction in self.contradicting}
        rest = len(self.missing) + len(self.extra) + len(mine) + len(other)
        return _jaccard(len(self.shared), rest)


def _jaccard(both: int, rest: int) -> float:
    return both / (both + rest) if both + rest else 1.0


def compare(
    mine: MindMap, other: MindMap, same: Same = (), kinds: Kinds = COMMON_KINDS
) -> Comparison:
    """Return what *mine* and *other* have in common, and where they differ.

    :param kinds: what contradicts what.
    """
    key = word_keys(same)
    own = by_key(mine, key)
    theirs = by_key(other, key)
    own_relations = _propositions(mine, key, kinds)
    their_relations = _propositions(other, key, kinds)
    missing = {
        said: relation_id
        for said, relation_id in their_relations.items()
        if said not in own_relations
    }
    extra = {
        said: relation_id
        for said, relation_id in own_relations.items()
        if said not in their_relations
    }
    contradicting = []
    pairs = []
    answers = _by_pair(missing)
    for one, own_id in extra.items():
        for two in answers.get(one.pair, ()):
            why = _contradiction(one, two, kinds)
            if why:
                contradicting.append(Contradiction(own_id, missing[two], why))
            else:
                pairs.append((own_id, missing[two]))
    own_wrong = {contradiction.mine for contradiction in contradicting}
    their_wrong = {contradiction.other for contradiction in contradicting}
    return Comparison(
        concepts=tuple((own[name], theirs[name]) for name in own if name in theirs),
        concepts_missing=tuple(theirs[name] for name in theirs if name not in own),
        concepts_extra=tuple(own[name] for name in own if name not in theirs),
        shared=tuple(
            (own_relations[said], their_relations[said])
            for said in own_relations
            if said in their_relations
        ),
        contradicting=tuple(contradicting),
        missing=tuple(
            relation_id for relation_id in missing.values() if relation_id not in their_wrong
        ),
        extra=tuple(relation_id for relation_id in extra.values() if relation_id not in own_wrong),
        reworded=tuple(
            pair for pair in pairs if pair[0] not in own_wrong and pair[1] not in their_wrong
        ),
    )


def perhaps_same(mine: MindMap, other: MindMap, same: Same = ()) -> list[tuple[str, str]]:
    """Return pairs of labels that may mean the same, for people to decide."""
    key = word_keys(same)
    own = by_key(mine, key)
    theirs = by_key(other, key)
    return [
        (mine.concepts[own[one]].label, other.concepts[theirs[two]].label)
        for one in own
        for two in theirs
        if one not in theirs and two not in own and are_near(one, two, {})
    ]


# Many maps


class Counted(NamedTuple):
    """Something that several maps have."""

    label: str  # of a concept, or the linking phrase: the one that most maps have
    kind: str
    maps: frozenset[int]  # numbers of these maps, from 0

    @property
    def weight(self) -> int:
        """How many maps have it."""
        return len(self.maps)


class Disagreement(NamedTuple):
    """Two propositions that contradict each other, each drawn where the other is not."""

    one: Proposition
    other: Proposition
    why: str  # "opposite" or "direction"


class Merged(NamedTuple):
    """The maps of a class as one."""

    concepts: Mapping[str, Counted]
    propositions: Mapping[Proposition, Counted]
    disagreements: tuple[Disagreement, ...]  # first those that split the class most evenly

    def sentence(self, proposition: Proposition) -> str:
        """Return what *proposition* says, in the words of most maps."""
        start = self.concepts[proposition.start].label
        end = self.concepts[proposition.end].label
        return relation_sentence(start, self.propositions[proposition].label, end)

    def as_map(self, least: int = 1, focus: str = "") -> MindMap:
        """Return as a map what at *least* this number of maps have.

        If that is too much for one map, it is what most of them have.
        """
        import networkx as nx

        graph: nx.MultiDiGraph[int] = nx.MultiDiGraph(focus=focus)
        numbers: dict[str, int] = {}
        for number, name in enumerate(most_common(self.concepts, least)[:CONCEPTS]):
            concept = self.concepts[name]
            graph.add_node(number, label=concept.label, kind=concept.kind)
            numbers[name] = number
        drawable = [
            proposition
            for proposition in most_common(self.propositions, least)
            if proposition.start in numbers and proposition.end in numbers
        ]
        for proposition in drawable[:RELATIONS]:
            relation = self.propositions[proposition]
            start = numbers[proposition.start]
            end = numbers[proposition.end]
            graph.add_edge(start, end, phrase=relation.label, kind=relation.kind)
        return MindMap.of(graph)


def most_common(counted: Mapping[Key, Counted], least: int = 1) -> list[Key]:
    """Return the keys of what at *least* this number of maps have, most frequent first."""
    keys = [key for key in counted if counted[key].weight >= least]
    return sorted(keys, key=lambda key: -counted[key].weight)


def merge(maps: Sequence[MindMap], same: Same = (), kinds: Kinds = COMMON_KINDS) -> Merged:
    """Return *maps* as one: which have each concept and proposition, and where they disagree."""
    key = word_keys(same)
    # Concept or proposition -> the map, the words and the kind of each time it is drawn.
    concepts: dict[str, list[tuple[int, str, str]]] = {}
    propositions: dict[Proposition, list[tuple[int, str, str]]] = {}
    for number, mind_map in enumerate(maps):
        map_concepts = mind_map.concepts
        for name, concept_id in by_key(mind_map, key).items():
            concept = map_concepts[concept_id]
            concepts.setdefault(name, []).append((number, concept.label, concept.kind))
        relations = mind_map.relations
        for proposition, relation_id in _propositions(mind_map, key, kinds).items():
            relation = relations[relation_id]
            drawn = (number, relation.phrase, relation.kind)
            propositions.setdefault(proposition, []).append(drawn)
    counted = {proposition: _count(drawn) for proposition, drawn in propositions.items()}
    return Merged(
        {name: _count(drawn) for name, drawn in concepts.items()},
        counted,
        tuple(_disagreements(counted, kinds)),
    )


def _count(drawn: Sequence[tuple[int, str, str]]) -> Counted:
    numbers, words, kinds = zip(*drawn)
    return Counted(_most_frequent(words), _most_frequent(kinds), frozenset(numbers))


def _most_frequent(words: Iterable[str]) -> str:
    """Return the most frequent word, of equally frequent ones the first in the alphabet."""
    counts = Counter(words)
    return min(counts, key=lambda word: (-counts[word], word))


def _disagreements(counted: Mapping[Proposition, Counted], kinds: Kinds) -> list[Disagreement]:
    disagreements = []
    for propositions in _by_pair(counted).values():
        for pair in combinations(propositions, 2):
            first, second = (counted[proposition].maps for proposition in pair)
            why = _contradiction(*pair, kinds)
            if why and first - second and second - first:
                one, other = sorted(pair, key=lambda key: (-counted[key].weight, key))
                disagreements.append(Disagreement(one, other, why))

    def rank(disagreement: Disagreement) -> tuple[int, int, Disagreement]:
        weights = counted[disagreement.other].weight, counted[disagreement.one].weight
        return -weights[0], -weights[1], disagreement

    return sorted(disagreements, key=rank)
