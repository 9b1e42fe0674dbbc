"""The parts of a mind map, and the checks of a proper one.

A *proposition* is a concept, a linking phrase and a concept: 破壞 – 擋住 – 使用.  A map answers its
*focus question* (Novak & Cañas, The theory underlying concept maps, IHMC TR 2006-01).
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

from coursekit.core.errors import LocalizedError
from coursekit.words.texts import load_texts, shorten

CONCEPTS = 200
"""Concepts that a map may have."""
RELATIONS = 1000
"""Relations that a map may have."""
SHORT = 80
"""Characters of a label, at most."""
LONG = 2000
"""Characters of a note, a source or a question, at most."""
SIDE = 1000
"""Places on the map are whole numbers from 0 to this, across and down."""
MIDDLE = (SIDE // 2, SIDE // 2)
HEAD = ""
"""The id of what a map is about."""
CHINESE = re.compile("[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U000323af]")
"""Characters without spaces between them."""
MARK = re.compile("[\u3000-\u303f\uff00-\uffef]")
"""Punctuation that brings its own space."""
UNWRITABLE = re.compile("[\0-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
"""Characters that a text file cannot hold or that are invisible."""


class MapError(LocalizedError, ValueError):
    """An edit that would leave no proper map; nothing is changed.

    :param about: the id of the thing that is wrong, ``None`` for the map as a whole.
    :param part: the field that is wrong, ``""`` if it is not a single one.
    """

    def __init__(self, text: str, about: Hashable = None, part: str = "", **values: Any) -> None:
        super().__init__("", text, **values)
        self.about = about
        self.part = part


class Head(NamedTuple):
    """What a map is about."""

    focus: str = ""  # the question that it answers
    top: str = ""  # id of the top concept of its hierarchy, "" for the first concept


class Concept(NamedTuple):
    """A thing or an idea."""

    label: str
    kind: str = ""  # any word, such as "card" or "example"
    note: str = ""
    card: str = ""  # the card it stands for, "wikipedia/vandal"
    source: str = ""  # where it comes from
    at: tuple[int, int] | None = None  # its place, (0, 0) top left; None until it has one


class Relation(NamedTuple):
    """``start phrase end``, read in this direction."""

    start: str  # id of a concept
    phrase: str  # the linking phrase, "" while it is missing
    end: str
    kind: str = ""  # any word; those in coursekit.maps.relation_kinds compare best
    note: str = ""


Thing = Head | Concept | Relation
Changes = Mapping[str, Thing | None]
"""By id: the new thing, ``None`` for one that is removed."""

LONGEST = {"focus": LONG, "note": LONG, "source": LONG}
"""Characters of a field, for those that may have more than SHORT."""
GAP = re.compile(r"(.*[^…\s])\s*…+\s*([^…\s].*)")
"""A phrase with a gap, such as 因為…所以; groups: what stands before and after it."""
MULTILINE = ("focus", "note")
"""Fields of several lines."""


def clean(words: str, lines: bool = False) -> str:
    """Return *words* without unwritable characters and with single spaces.

    :param lines: whether they keep their lines.

    >>> clean("  two\\n words\\x00")
    'two words'
    """
    if not lines:
        return " ".join(UNWRITABLE.sub(" ", words).split())
    return "\n".join(UNWRITABLE.sub(" ", line).rstrip() for line in words.splitlines()).strip()


def join_parts(parts: Sequence[str]) -> str:
    """Return *parts* as one sentence, with a space between them except between Chinese and Chinese.

    >>> join_parts(["破壞", "擋住", "使用"]), join_parts(["Wikipedia", "屬於", "維基媒體"])
    ('破壞擋住使用', 'Wikipedia 屬於維基媒體')
    """
    words = "".join(parts[:1])
    for before, after in pairwise(parts):
        has_mark = MARK.match(before[-1:]) or MARK.match(after)
        is_close = has_mark or (CHINESE.match(before[-1:]) and CHINESE.match(after))
        words += after if is_close else f" {after}"
    return words


def relation_sentence(start: str, phrase: str, end: str) -> str:
    """Return a relation as one sentence; its start fills the gap ``…`` of a *phrase* that has one.

    >>> relation_sentence("檸檬", "符合", "酸的"), relation_sentence("下雨", "因為…所以", "路滑")
    ('檸檬符合酸的', '因為下雨所以路滑')
    >>> relation_sentence("a", "", "b")
    'a – b'
    """
    gap = GAP.fullmatch(phrase)
    if gap:
        return join_parts([gap[1], start, gap[2], end])
    return join_parts([start, phrase or "–", end])


@lru_cache(8192)
def id_order(thing_id: str) -> tuple[str | int, ...]:
    """Return the sort key of an id, for the order in which ids were given: c2 before c10."""
    parts = re.split("([0-9]{1,9})", thing_id)
    return tuple(int(part) if place % 2 else part for place, part in enumerate(parts))


def id_number(thing_id: str) -> int:
    """Return the number in an id that the kit gave, 0 for other ids."""
    match = re.fullmatch("[cr]([0-9]{1,9})", thing_id)
    return int(match[1]) if match else 0


def to_fields(thing: Thing) -> dict[str, str]:
    """Return the fields of *thing* that are not empty, as texts."""
    fields = {}
    for field, value in thing._asdict().items():
        if value not in ("", None):
            fields[field] = "{} {}".format(*value) if field == "at" else value
    return fields


def read_fields(kind: type[Thing], row: Mapping[Any, Any]) -> dict[str, Any]:
    """Return the fields of *kind* in *row*: the inverse of :func:`to_fields`."""
    fields = {field: row[field] for field in kind._fields if field in row}
    at = fields.get("at")
    if isinstance(at, str):
        is_place = re.fullmatch("[0-9]{1,9} [0-9]{1,9}", at)
        fields["at"] = tuple(int(part) for part in at.split()) if is_place else at or None
    return fields


def apply_changes(things: Changes, steps: Iterable[Changes]) -> dict[str, Thing]:
    """Return *things* after the changes of all *steps*, made one after the other."""
    now = dict(things)
    for changes in steps:
        now.update(changes)
        for thing_id, thing in changes.items():
            if thing is None:
                del now[thing_id]
    return {thing_id: thing for thing_id, thing in now.items() if thing is not None}


def diff(before: Mapping[str, Thing], after: Mapping[str, Thing]) -> dict[str, Thing | None]:
    """Return the changes that make *after* of *before*."""
    changes: dict[str, Thing | None] = {}
    for thing_id in before:
        if thing_id not in after:
            changes[thing_id] = None
    for thing_id, thing in after.items():
        if before.get(thing_id) != thing:
            changes[thing_id] = thing
    return changes


def effective_changes(things: Mapping[str, Thing], changes: Changes) -> dict[str, Thing | None]:
    """Return those of *changes* that change anything, with their texts cleaned.

    :raises MapError: if a field is too long or of the wrong type.
    """
    effective: dict[str, Thing | None] = {}
    for thing_id, thing in changes.items():
        before = things.get(thing_id)
        if before == thing:
            continue
        after = thing and tidy(thing_id, thing)
        if before != after:
            effective[thing_id] = after
    return effective


def tidy(thing_id: str, thing: Thing) -> Thing:
    """Return *thing* with its texts cleaned.

    :raises MapError: if a field is too long or of the wrong type.
    """
    values: dict[str, Any] = thing._asdict()
    for field, value in values.items():
        if field == "at":
            values[field] = _check_place(thing_id, value)
            continue
        name = load_texts()[f"map.field.{field}"]
        if not isinstance(value, str):
            raise MapError("map.not_text", thing_id, field, field=name, got=shorten(value))
        words = clean(value, lines=field in MULTILINE)
        limit = LONGEST.get(field, SHORT)
        if len(words) > limit:
            raise MapError("map.too_long", thing_id, field, field=name, got=len(words), limit=limit)
        values[field] = words
    return type(thing)(**values)


def _check_place(thing_id: str, at: Any) -> tuple[int, int] | None:
    if at is None:
        return None
    is_pair = isinstance(at, Sequence) and len(at) == 2
    if is_pair and all(type(part) is int and 0 <= part <= SIDE for part in at):
        return at[0], at[1]
    raise MapError("map.place", thing_id, "at", got=shorten(at), limit=SIDE)


def check(things: Mapping[str, Thing]) -> None:
    """Check that *things* are a proper map.

    :raises MapError: for the first thing that is wrong.
    """
    MapChecker().add_step(things)


class MapChecker:
    """A map that stays proper: the check of a step looks only at what the step changes."""

    def __init__(self) -> None:
        self.things: dict[str, Thing] = {}
        self._labels: set[str] = set()
        self._relations: set[tuple[str, str, str]] = set()
        self._ends = Counter[str]()  # relations of each concept

    def add_step(self, changes: Changes) -> None:
        """Make one step.

        :raises MapError: for the first thing that is wrong; do not use this object after that.
        """
        for thing_id in changes:
            self._forget(self.things.pop(thing_id, None))
        new = {thing_id: thing for thing_id, thing in changes.items() if thing is not None}
        self.things.update(new)
        if any(isinstance(thing, Head) != (thing_id == HEAD) for thing_id, thing in new.items()):
            raise MapError("map.no_head")
        for thing_id, thing in new.items():
            if isinstance(thing, Concept):
                self._add_concept(thing_id, thing)
        for thing_id, thing in new.items():
            if isinstance(thing, Relation):
                self._add_relation(thing_id, thing)
        head = self.things.get(HEAD)
        if not isinstance(head, Head):
            raise MapError("map.no_head")
        # What is gone may be the top, or an end of a relation that this step does not change.
        for thing_id in (*changes, head.top):
            is_needed = self._ends[thing_id] or (thing_id and thing_id == head.top)
            if is_needed and not isinstance(self.things.get(thing_id), Concept):
                raise MapError("map.unknown", got=shorten(thing_id))
        if len(self._labels) > CONCEPTS:
            raise MapError("map.too_many_concepts", got=len(self._labels), limit=CONCEPTS)
        if len(self._relations) > RELATIONS:
            raise MapError("map.too_many_relations", got=len(self._relations), limit=RELATIONS)

    def _forget(self, thing: Thing | None) -> None:
        if isinstance(thing, Concept):
            self._labels.remove(_label_key(thing.label))
        elif isinstance(thing, Relation):
            self._relations.remove(thing[:3])
            self._ends.subtract((thing.start, thing.end))

    def _add_concept(self, concept_id: str, concept: Concept) -> None:
        if not concept.label:
            raise MapError("map.no_label", concept_id, "label")
        key = _label_key(concept.label)
        if key in self._labels:
            raise MapError("map.label_twice", concept_id, "label", label=concept.label)
        self._labels.add(key)

    def _add_relation(self, relation_id: str, relation: Relation) -> None:
        start = self._end(relation_id, relation.start)
        end = self._end(relation_id, relation.end)
        if start is end:
            raise MapError("map.loop", relation_id, "end", label=start.label)
        if relation[:3] in self._relations:
            words = {"start": start.label, "phrase": relation.phrase, "end": end.label}
            raise MapError("map.relation_twice", relation_id, **words)
        self._relations.add(relation[:3])
        self._ends.update((relation.start, relation.end))

    def _end(self, relation_id: str, concept_id: str) -> Concept:
        concept = self.things.get(concept_id)
        if not isinstance(concept, Concept):
            raise MapError("map.unknown", relation_id, got=shorten(concept_id))
        return concept


@lru_cache(8192)
def _label_key(label: str) -> str:
    """Return the form that labels which look the same share."""
    return unicodedata.normalize("NFKC", label)
