"""Mind maps side by side: what two have in common, and what a whole class drew.

Labels and phrases are the same if they differ only in width, case, spacing, punctuation or script.
Which words mean the same, people say.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from hashlib import sha256
from itertools import combinations, product
from typing import Any, NamedTuple, TypeVar

from coursekit.maps.elements import (
    CONCEPTS,
    HEAD,
    RELATIONS,
    Concept,
    Head,
    Relation,
    Thing,
    label_key,
    relation_sentence,
)
from coursekit.maps.mindmap import MindMap
from coursekit.maps.relation_kinds import COMMON_KINDS, Kinds, contradiction
from coursekit.words.normalise import are_near, normalise

Same = Iterable[Collection[str]]
"""Groups of words that mean the same: ``[("維基百科", "維基", "Wikipedia")]``."""
Key = TypeVar("Key", bound="str | Proposition")


class Proposition(NamedTuple):
    """What a relation says in any map."""

    start: str  # the key of a concept
    sense: str  # the relation's kind, or the key of its phrase
    end: str


def word_keys(same: Same = ()) -> Callable[[str], str]:
    """Return the function that gives the same key to words that are the same."""
    first: dict[str, str] = {}

    def key(word: str) -> str:
        plain = label_key(word)
        normal = normalise(plain) or plain
        return first.get(normal, normal)

    for group in same:
        group_keys = {key(word) for word in group}
        for word in [*first, *group_keys]:
            if key(word) in group_keys:
                first[word] = min(group_keys)
    return key


def _by_pair(propositions: Iterable[Proposition]) -> dict[frozenset[str], list[Proposition]]:
    """Return the propositions between each two concepts."""
    pairs: dict[frozenset[str], list[Proposition]] = {}
    for proposition in propositions:
        pairs.setdefault(frozenset((proposition.start, proposition.end)), []).append(proposition)
    return pairs


# Two maps


class Contradiction(NamedTuple):
    """Two relations that cannot both be right, or lead in opposite directions."""

    mine: str  # id of the relation in the one map
    other: str  # and in the other
    why: str  # "opposite" or "direction"


class Comparison(NamedTuple):
    """One map beside another: ids of relations, then of concepts.

    Of several that say the same, it has only the first.
    """

    shared: tuple[tuple[str, str], ...]  # in both: (id, id in the other)
    mine: tuple[str, ...]  # only in this one, and contradicted by nothing
    missing: tuple[str, ...]  # the same of the other
    contradicting: tuple[Contradiction, ...]
    # Of mine and missing: relations between the same two concepts, in other words.
    reworded: tuple[tuple[str, str], ...]
    near: tuple[tuple[str, str], ...]  # labels that may mean the same, for people to decide


def compare(
    mine: MindMap, other: MindMap, same: Same = (), kinds: Kinds = COMMON_KINDS
) -> Comparison:
    """Return what *mine* and *other* have in common, and where they differ.

    :param kinds: what contradicts what.
    """
    merged = merge((mine, other), same, kinds)
    relations = {said: counted.ids for said, counted in merged.propositions.items()}
    clashes = []
    for one, two, why in merged.disagreements:
        ids = {**relations[one], **relations[two]}
        clashes.append(Contradiction(ids[0], ids[1], why))
    for one, two, _ in merged.disagreements:
        relations.pop(one, None)
        relations.pop(two, None)
    reworded = []
    for between in _by_pair(relations).values():
        for one, two in product(between, between):
            if [*relations[one], *relations[two]] == [0, 1]:
                reworded.append((relations[one][0], relations[two][1]))
    concepts = merged.concepts
    near = []
    for word, like in product(concepts, concepts):
        is_apart = [*concepts[word].ids, *concepts[like].ids] == [0, 1]
        if is_apart and are_near(word, like, {}):
            near.append((concepts[word].label, concepts[like].label))
    things = [*relations.values(), *(counted.ids for counted in concepts.values())]
    return Comparison(
        shared=tuple((ids[0], ids[1]) for ids in things if len(ids) == 2),
        mine=tuple(ids[0] for ids in things if [*ids] == [0]),
        missing=tuple(ids[1] for ids in things if [*ids] == [1]),
        contradicting=tuple(clashes),
        reworded=tuple(reworded),
        near=tuple(near),
    )


# Many maps


class Counted(NamedTuple):
    """Something that several maps have."""

    label: str  # of a concept, or the linking phrase: the one that most maps have
    kind: str
    ids: Mapping[int, str]  # by the number of each of these maps, from 0: its id there

    @property
    def weight(self) -> int:
        """How many maps have it."""
        return len(self.ids)


class Disagreement(NamedTuple):
    """Two propositions that contradict each other, each drawn where the other is not."""

    one: Proposition
    other: Proposition
    why: str  # "opposite" or "direction"


def shared_id(key: str | Proposition) -> str:
    """Return the id of a concept or a proposition in merged maps; it stays when a map joins."""
    letter = "c" if isinstance(key, str) else "r"
    words = key if isinstance(key, str) else "\n".join(key)
    return f"{letter}-{sha256(words.encode()).hexdigest()[:12]}"


class Merged(NamedTuple):
    """The maps of a class as one."""

    concepts: Mapping[str, Counted]
    propositions: Mapping[Proposition, Counted]
    disagreements: tuple[Disagreement, ...]  # first those that split the class most evenly
    size: int  # how many maps these are
    focus: str  # the question that most of them answer, "" if none has one

    def sentence(self, proposition: Proposition) -> str:
        """Return what *proposition* says, in the words of most maps."""
        start = self.concepts[proposition.start].label
        end = self.concepts[proposition.end].label
        return relation_sentence(start, self.propositions[proposition].label, end)

    def weights(self) -> dict[str, int]:
        """Return by id how many maps have each concept and proposition."""
        weights = {shared_id(name): counted.weight for name, counted in self.concepts.items()}
        for proposition, counted in self.propositions.items():
            weights[shared_id(proposition)] = counted.weight
        return weights

    def as_map(self, least: int = 1, focus: str = "") -> MindMap:
        """Return as a map what at *least* this number of maps have.

        If that is too much for one map, it is what most of them have. Of propositions that read the
        same it has the most frequent one.
        """
        names = most_common(self.concepts, least)[:CONCEPTS]
        things: dict[str, Thing] = {HEAD: Head(focus, shared_id(names[0]) if names else "")}
        for name in names:
            things[shared_id(name)] = Concept(self.concepts[name].label, self.concepts[name].kind)
        sentences = set[tuple[str, str, str]]()
        for proposition in most_common(self.propositions, least):
            counted = self.propositions[proposition]
            start = shared_id(proposition.start)
            end = shared_id(proposition.end)
            sentence = (start, counted.label, end)
            is_drawn = sentence in sentences or len(sentences) == RELATIONS
            if start in things and end in things and not is_drawn:
                sentences.add(sentence)
                things[shared_id(proposition)] = Relation(*sentence, counted.kind)
        return MindMap(things=things)


def most_common(counted: Mapping[Key, Counted], least: int = 1) -> list[Key]:
    """Return the keys of what at *least* this number of maps have, most frequent first.

    Of equally frequent ones, the first in the alphabet comes first.
    """
    keys = [key for key in counted if counted[key].weight >= least]
    keys.sort(key=lambda key: (-counted[key].weight, key))
    return keys


def merge(maps: Sequence[MindMap], same: Same = (), kinds: Kinds = COMMON_KINDS) -> Merged:
    """Return *maps* as one: which have each concept and proposition, and where they disagree.

    A linking phrase from a program that knows no kinds has the kind that it has in another map.
    """
    key = word_keys(same)
    kind_of = _phrase_kinds(maps, key)
    concepts: dict[str, dict[int, str]] = {}
    propositions: dict[Proposition, dict[int, str]] = {}
    for number, mind_map in enumerate(maps):
        names: dict[str, str] = {}
        for concept_id, concept in mind_map.concepts.items():
            names[concept_id] = key(concept.label)
            concepts.setdefault(names[concept_id], {}).setdefault(number, concept_id)
        for relation_id, relation in mind_map.relations.items():
            phrase = relation.phrase and key(relation.phrase)
            sense = relation.kind or kind_of.get(phrase, phrase)
            start = names[relation.start]
            end = names[relation.end]
            if sense in kinds and kinds[sense].mutual:
                start, end = sorted((start, end))
            if start != end:
                ids = propositions.setdefault(Proposition(start, sense, end), {})
                ids.setdefault(number, relation_id)
    things = [mind_map.things for mind_map in maps]
    counted = {said: _count(ids, things, "phrase") for said, ids in propositions.items()}
    return Merged(
        {name: _count(ids, things, "label") for name, ids in concepts.items()},
        counted,
        tuple(_disagreements(counted, kinds)),
        len(maps),
        _most_frequent(mind_map.focus for mind_map in maps if mind_map.focus),
    )


def _phrase_kinds(maps: Sequence[MindMap], key: Callable[[str], str]) -> dict[str, str]:
    """Return the kind that each linking phrase has in one of *maps*."""
    kinds: dict[str, str] = {}
    for mind_map in maps:
        for relation in mind_map.relations.values():
            if relation.kind and relation.phrase:
                phrase = key(relation.phrase)
                kinds[phrase] = min(relation.kind, kinds.get(phrase, relation.kind))
    return kinds


def _count(ids: Mapping[int, str], maps: Sequence[Mapping[str, Any]], words: str) -> Counted:
    """Count a concept or a proposition.

    :param words: the field with its words.
    """
    drawn = [maps[number][thing_id] for number, thing_id in ids.items()]
    label = _most_frequent(getattr(thing, words) for thing in drawn)
    return Counted(label, _most_frequent(thing.kind for thing in drawn), ids)


def _most_frequent(words: Iterable[str]) -> str:
    """Return the most frequent word, of equally frequent ones the first in the alphabet."""
    counts = Counter(words)
    return min(counts, key=lambda word: (-counts[word], word), default="")


def _disagreements(counted: Mapping[Proposition, Counted], kinds: Kinds) -> list[Disagreement]:
    clashes = []
    for propositions in _by_pair(counted).values():
        propositions.sort(key=lambda proposition: (-counted[proposition].weight, proposition))
        for one, other in combinations(propositions, 2):
            why = contradiction(one.sense, other.sense, one.start != other.start, kinds)
            numbers = counted[one].ids.keys(), counted[other].ids.keys()
            if why and numbers[0] - numbers[1] and numbers[1] - numbers[0]:
                clashes.append(Disagreement(one, other, why))
    # First those that split the class most evenly.
    clashes.sort(
        key=lambda clash: (-counted[clash.other].weight, -counted[clash.one].weight, clash)
    )
    return clashes
