"""The maps of a class as one, for the projector, of words that the teacher has let through."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from coursekit.maps.comparison import Merged, merge, most_common, shared_id
from coursekit.maps.elements import HEAD, Concept, Head, Relation, Thing, label_key
from coursekit.maps.map_json import things_json
from coursekit.maps.mindmap import MindMap
from coursekit.maps.relation_kinds import Kinds
from coursekit.maps.starters import game_kinds
from coursekit.room.lesson import Lesson
from coursekit.room.map_words import (
    KitPhrase,
    Part,
    Word,
    class_question,
    is_listed,
    kit_phrases,
    spellings,
    word_of,
)

DRAWN_CONCEPTS = 60
"""Concepts that a projector shows, those of most maps; of more, nobody could read any."""
DRAWN_RELATIONS = 120
"""Relations that it shows."""
LISTED_WORDS = 300
"""Words that the console lists, those of most maps."""


class WordRow(NamedTuple):
    """A word of the class's maps, for the teacher."""

    part: Part
    label: str
    """The way most spell it or, once it has a tick, the way it is shown."""
    people: int
    """How many have it in their maps."""
    on: bool
    """Whether it is let through."""
    listed: bool
    """Whether it holds a word of the teacher's list."""


class ReadMap(NamedTuple):
    """A map of one person, and what was made of it."""

    mind_map: MindMap
    words: Mapping[Word, Counter[str]]
    """Its words, with the ways it spells them."""
    shown: Mapping[Word, str]
    """The words that were let through."""
    cut: MindMap
    """What of the map may be shown."""


class ClassMap:
    """What a projector shows of the maps of a class, and what waits for the teacher."""

    def __init__(self) -> None:
        self.version = 0
        """Rises each time it is made."""
        self.game = ""
        self.rows: list[WordRow] = []
        """The words, first those that wait."""
        self.drawn = 0
        """How many maps have a concept."""
        self.shown = 0
        """How many of them have one that is let through."""
        self.left_out = 0
        """How many concepts are let through and find no place."""
        self.things: dict[str, Thing] = {}
        self.weights: dict[str, float] = {}
        """The share of maps that have each relation."""
        self._read: dict[int, ReadMap] = {}

    def renew(self, lesson: Lesson) -> None:
        """Make it of the maps as they are now."""
        self.version += 1
        self.game = lesson.settings.game
        drawn = lesson.maps.get(self.game, {})
        maps = {
            person.person_id: drawn[person.person_id]
            for person in lesson.members
            if person.person_id in drawn and drawn[person.person_id].concepts
        }
        self._read = {person: self._look(person, mind_map) for person, mind_map in maps.items()}
        shown = self._sort_words(lesson)
        kinds = game_kinds(self.game)
        cutter = Cutter(shown, kit_phrases(self.game), kinds)
        self._read = {person: cutter.cut(read) for person, read in self._read.items()}
        cut = [read.cut for read in self._read.values() if read.cut.concepts]
        self.drawn = len(maps)
        self.shown = len(cut)
        self._draw(merge(cut, kinds=kinds))

    def _look(self, person: int, mind_map: MindMap) -> ReadMap:
        """Return what is known of a map; it is read anew if it has changed."""
        if person in self._read and self._read[person].mind_map is mind_map:
            return self._read[person]
        words: dict[Word, Counter[str]] = {}
        for word, spelling in spellings(mind_map):
            words.setdefault(word, Counter())[spelling] += 1
        return ReadMap(mind_map, words, {}, MindMap())

    def _sort_words(self, lesson: Lesson) -> dict[Word, str]:
        """List the words for the teacher; return those that are let through, and their spelling."""
        people = Counter[Word]()
        ways: dict[Word, Counter[str]] = {}
        for read in self._read.values():
            people.update(read.words.keys())
            for word, spelled in read.words.items():
                ways.setdefault(word, Counter()).update(spelled.keys())
        listed = tuple(lesson.settings.words.split())
        shown = {}
        rows = []
        for word, spelled in ways.items():
            order = sorted(spelled, key=lambda way: (-spelled[way], way))
            shown[word] = lesson.let_words.spell(word, order, self.game, listed)
            if word not in kit_phrases(self.game):
                label = shown[word] or order[0]
                is_bad = any(is_listed(way, listed) for way in order)
                rows.append(WordRow(word.part, label, people[word], bool(shown[word]), is_bad))
        self.rows = sorted(rows, key=lambda row: (row.on, -row.people, row.label, row.part))
        return {word: spelling for word, spelling in shown.items() if spelling}

    def _draw(self, merged: Merged) -> None:
        """Draw what most maps have; what was drawn before keeps its id, and so its place."""
        chosen = most_common(merged.concepts)[:DRAWN_CONCEPTS]
        self.left_out = len(merged.concepts) - len(chosen)
        self.things = {shared_id(key): Concept(merged.concepts[key].label) for key in chosen}
        self.weights = {}
        sentences = set[tuple[str, str, str]]()
        for proposition in most_common(merged.propositions):
            counted = merged.propositions[proposition]
            sentence = (shared_id(proposition.start), counted.label, shared_id(proposition.end))
            is_drawn = sentence in sentences or len(sentences) == DRAWN_RELATIONS
            if is_drawn or sentence[0] not in self.things or sentence[2] not in self.things:
                continue
            sentences.add(sentence)
            relation_id = shared_id(proposition)
            self.things[relation_id] = Relation(*sentence, counted.kind)
            self.weights[relation_id] = round(counted.weight / self.shown, 3)

    def for_projector(self, language: str) -> dict[str, Any]:
        """Return what the projector shows; the question is the game's own."""
        head = Head(class_question(self.game, language))
        return {
            "game": self.game,
            "things": things_json({HEAD: head, **self.things}),
            "weights": self.weights,
            "maps": self.shown,
            "drawn": self.drawn,
            "left_out": self.left_out,
        }

    def for_console(self, everything: bool) -> dict[str, Any]:
        """Return what the teacher is asked."""
        rows = self.rows[:LISTED_WORDS]
        return {
            "words": [row._asdict() for row in rows],
            "waiting": sum(not row.on for row in self.rows),
            "all": everything,
            "maps": self.drawn,
        }


class Cutter(NamedTuple):
    """Makes maps of nothing but words that are let through."""

    shown: Mapping[Word, str]
    """These words, spelled as a projector may show them."""
    phrases: Mapping[Word, KitPhrase]
    kinds: Kinds

    def cut(self, read: ReadMap) -> ReadMap:
        """Return *read* with what of its map may be shown."""
        own = {word: self.shown[word] for word in read.words if word in self.shown}
        if own == read.shown:
            return read
        return read._replace(shown=own, cut=MindMap(things=dict(self._things(read.mind_map))))

    def _things(self, mind_map: MindMap) -> Iterator[tuple[str, Thing]]:
        """Yield the concepts that are shown, each once, and what may be seen of their relations."""
        ids: dict[str, str] = {}
        first: dict[str, str] = {}
        for concept_id, concept in mind_map.concepts.items():
            label = self.shown.get(word_of("concept", concept.label))
            if label is None:
                continue
            key = label_key(label)
            if key not in first:
                first[key] = concept_id
                yield concept_id, Concept(label)
            ids[concept_id] = first[key]
        sentences = set[tuple[str, str, str]]()
        for relation_id, relation in mind_map.relations.items():
            start = ids.get(relation.start)
            end = ids.get(relation.end)
            if start is None or end is None or start == end:
                continue
            phrase, kind = self._phrase(relation)
            if (start, phrase, end) not in sentences:
                sentences.add((start, phrase, end))
                yield relation_id, Relation(start, phrase, end, kind)

    def _phrase(self, relation: Relation) -> tuple[str, str]:
        """Return the phrase and the kind of *relation*; a kind is shown with its phrase alone."""
        word = word_of("phrase", relation.phrase)
        if word not in self.shown:
            return "", ""
        if relation.kind in self.kinds:
            return self.shown[word], relation.kind
        return self.shown[word], self.phrases[word].kind if word in self.phrases else ""
