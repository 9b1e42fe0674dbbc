"""Mind maps side by side: what two have in common, and what a whole class drew.

Labels and phrases are the same if they differ only in width, case, spacing, punctuation or script.
Which words mean the same, people say.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple, TypeVar

from coursekit.maps.elements import CONCEPTS, RELATIONS, Concept, Relation, in_words
from coursekit.maps.mindmap import MindMap
from coursekit.maps.relation_kinds import COMMON_KINDS, Kinds, clash
from coursekit.words.normalise import are_near, normalise

Same = Iterable[Collection[str]]
"""Groups of words that mean the same: ``[("維基百科", "維基", "Wikipedia")]``."""
Key = TypeVar("Key")


class Proposition(NamedTuple):
    """What a relation says in any map: the keys of its concepts, and its kind or the key of its
    phrase.
    """

    start: str
    sense: str
    end: str


def keys(same: Same = ()) -> Callable[[str], str]:
    """Return the function that gives the same key to words that are the same."""
    first: dict[str, str] = {}

    def key(word: str) -> str:
        plain = normalise(word) or word
        return first.get(plain, plain)

    for group in same:
        joined = {key(word) for word in group}
        for word in [*first, *joined]:
            if key(word) in joined:
                first[word] = min(joined)
    return key


def by_key(map: MindMap, key: Callable[[str], str]) -> dict[str, str]:
    """Return key -> id of the concepts of *map*."""
    found: dict[str, str] = {}
    for id, each in map.concepts.items():
        found.setdefault(key(each.label), id)
    return found


def _propositions(map: MindMap, key: Callable[[str], str], kinds: Kinds) -> dict[Proposition, str]:
    """Return the propositions of *map* with their relations; a mutual one has its concepts in
    order.
    """
    label = {id: key(each.label) for id, each in map.concepts.items()}
    found: dict[Proposition, str] = {}
    for id, each in map.relations.items():
        sense = each.kind or (each.phrase and key(each.phrase))
        start, end = label[each.start], label[each.end]
        if each.kind in kinds and kinds[each.kind].mutual:
            start, end = sorted((start, end))
        if start != end:
            found.setdefault(Proposition(start, sense, end), id)
    return found


def _by_pair(propositions: Iterable[Proposition]) -> dict[frozenset[str], list[Proposition]]:
    found: dict[frozenset[str], list[Proposition]] = {}
    for each in propositions:
        found.setdefault(_pair(each), []).append(each)
    return found


def _pair(proposition: Proposition) -> frozenset[str]:
    return frozenset((proposition.start, proposition.end))


def _clash(one: Proposition, other: Proposition, kinds: Kinds) -> str:
    return clash(one.sense, other.sense, one.start != other.start, kinds)


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
    reworded: tuple[
        tuple[str, str], ...
    ]  # of missing and extra: between the same two concepts, in other words

    @property
    def concept_overlap(self) -> float:
        """Share of the concepts of either map that are in both (Jaccard), 0 to 1; 1 for two empty
        maps.
        """
        return _jaccard(len(self.concepts), len(self.concepts_missing) + len(self.concepts_extra))

    @property
    def proposition_overlap(self) -> float:
        """The same for propositions."""
        mine, other = (
            {each.mine for each in self.contradicting},
            {each.other for each in self.contradicting},
        )
        return _jaccard(
            len(self.shared), len(self.missing) + len(self.extra) + len(mine) + len(other)
        )


def _jaccard(both: int, rest: int) -> float:
    return both / (both + rest) if both + rest else 1.0


def compare(
    mine: MindMap, other: MindMap, same: Same = (), kinds: Kinds = COMMON_KINDS
) -> Comparison:
    """Return what *mine* and *other* have in common, and where they differ.

    :param kinds: what contradicts what.
    """
    key = keys(same)
    own, theirs = by_key(mine, key), by_key(other, key)
    said, heard = _propositions(mine, key, kinds), _propositions(other, key, kinds)
    answers = _by_pair(two for two in heard if two not in said)
    contradicting, reworded = [], []
    for one in (each for each in said if each not in heard):
        for two in answers.get(_pair(one), ()):
            if why := _clash(one, two, kinds):
                contradicting.append(Contradiction(said[one], heard[two], why))
            else:
                reworded.append((said[one], heard[two]))
    against = {id for each in contradicting for id in (("mine", each.mine), ("other", each.other))}
    return Comparison(
        concepts=tuple((id, theirs[each]) for each, id in own.items() if each in theirs),
        concepts_missing=tuple(id for each, id in theirs.items() if each not in own),
        concepts_extra=tuple(id for each, id in own.items() if each not in theirs),
        shared=tuple((id, heard[each]) for each, id in said.items() if each in heard),
        contradicting=tuple(contradicting),
        missing=tuple(
            id for each, id in heard.items() if each not in said and ("other", id) not in against
        ),
        extra=tuple(
            id for each, id in said.items() if each not in heard and ("mine", id) not in against
        ),
        reworded=tuple(
            both for both in reworded if not {("mine", both[0]), ("other", both[1])} & against
        ),
    )


def perhaps_same(mine: MindMap, other: MindMap, same: Same = ()) -> list[tuple[str, str]]:
    """Return pairs of labels that may mean the same, for people to decide."""
    key = keys(same)
    own, theirs = by_key(mine, key), by_key(other, key)
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
        start, end = self.concepts[proposition.start].label, self.concepts[proposition.end].label
        return in_words(start, self.propositions[proposition].label, end)

    def map(self, least: int = 1, focus: str = "") -> MindMap:
        """Return as a map what at *least* this number of maps have, or what most have if that is
        too much for one.
        """
        import networkx as nx

        place = {key: number for number, key in enumerate(often(self.concepts, least)[:CONCEPTS])}
        graph: nx.MultiDiGraph[int] = nx.MultiDiGraph(focus=focus)
        for key, number in place.items():
            graph.add_node(number, label=self.concepts[key].label, kind=self.concepts[key].kind)
        said = [
            each
            for each in often(self.propositions, least)
            if each.start in place and each.end in place
        ]
        for each in said[:RELATIONS]:
            drawn = self.propositions[each]
            graph.add_edge(place[each.start], place[each.end], phrase=drawn.label, kind=drawn.kind)
        return MindMap.of(graph)


def often(drawn: Mapping[Key, Counted], least: int = 1) -> list[Key]:
    """Return the keys of what at *least* this number of maps have, most frequent first."""
    return sorted(
        (key for key in drawn if drawn[key].weight >= least), key=lambda key: -drawn[key].weight
    )


def merge(maps: Sequence[MindMap], same: Same = (), kinds: Kinds = COMMON_KINDS) -> Merged:
    """Return *maps* as one: which have each concept and each proposition, and where they disagree."""
    key = keys(same)
    concepts: dict[str, list[tuple[int, Concept]]] = {}
    propositions: dict[Proposition, list[tuple[int, Relation]]] = {}
    for number, map in enumerate(maps):
        every, relations = map.concepts, map.relations
        for name, id in by_key(map, key).items():
            concepts.setdefault(name, []).append((number, every[id]))
        for said, id in _propositions(map, key, kinds).items():
            propositions.setdefault(said, []).append((number, relations[id]))
    called = {
        name: _counted([(n, each.label, each.kind) for n, each in found])
        for name, found in concepts.items()
    }
    drawn = {
        said: _counted([(n, each.phrase, each.kind) for n, each in found])
        for said, found in propositions.items()
    }
    return Merged(called, drawn, tuple(_disagreements(drawn, kinds)))


def _counted(found: Sequence[tuple[int, str, str]]) -> Counted:
    return Counted(
        _most(word for _, word, _ in found),
        _most(kind for _, _, kind in found),
        frozenset(n for n, _, _ in found),
    )


def _most(words: Iterable[str]) -> str:
    """Return the most frequent word, of equally frequent ones the first in the alphabet."""
    return min(Counter(words).items(), key=lambda each: (-each[1], each[0]))[0]


def _disagreements(drawn: Mapping[Proposition, Counted], kinds: Kinds) -> list[Disagreement]:
    found = []
    for propositions in _by_pair(drawn).values():
        for one, other in combinations(propositions, 2):
            first, second = drawn[one].maps, drawn[other].maps
            if first - second and second - first and (why := _clash(one, other, kinds)):
                one, other = sorted((one, other), key=lambda each: (-drawn[each].weight, each))
                found.append(Disagreement(one, other, why))
    return sorted(
        found, key=lambda each: (-drawn[each.other].weight, -drawn[each.one].weight, each)
    )
