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

CONCEPTS, RELATIONS = 200, 1000
"""How many a map may have."""
SHORT, LONG = 80, 2000
"""Characters of a label, and of a note, a source or a question."""
SIDE = 1000
"""Places on the map are whole numbers from 0 to this, across and down; :data:`MIDDLE` is the
middle.
"""
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
        self.about, self.part = about, part


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


def cleaned(words: str, lines: bool = False) -> str:
    """Return *words* without unwritable characters, with single spaces, and on one line unless
    *lines*.

    >>> cleaned("  two\\n words\\x00")
    'two words'
    """
    if not lines:
        return " ".join(UNWRITABLE.sub(" ", words).split())
    return "\n".join(UNWRITABLE.sub(" ", line).rstrip() for line in words.splitlines()).strip()


def spaced(parts: Sequence[str]) -> str:
    """Return *parts* as one sentence, with a space between them except between Chinese and Chinese.

    >>> spaced(["破壞", "擋住", "使用"]), spaced(["Wikipedia", "屬於", "維基媒體"])
    ('破壞擋住使用', 'Wikipedia 屬於維基媒體')
    """
    words = "".join(parts[:1])
    for before, after in pairwise(parts):
        marks = MARK.match(before[-1:]) or MARK.match(after)
        close = marks or (CHINESE.match(before[-1:]) and CHINESE.match(after))
        words += after if close else f" {after}"
    return words


def in_words(start: str, phrase: str, end: str) -> str:
    """Return a relation as one sentence; its start fills the gap ``…`` of a *phrase* that has one.

    >>> in_words("檸檬", "符合", "酸的"), in_words("下雨", "因為…所以", "路滑"), in_words("a", "", "b")
    ('檸檬符合酸的', '因為下雨所以路滑', 'a – b')
    """
    gap = GAP.fullmatch(phrase)
    return spaced([gap[1], start, gap[2], end] if gap else [start, phrase or "–", end])


@lru_cache(8192)
def in_order(id: str) -> tuple[str | int, ...]:
    """Return the sort key of an id, for the order in which ids were given: c2 before c10."""
    return tuple(
        int(part) if place % 2 else part for place, part in enumerate(re.split("([0-9]{1,9})", id))
    )


def number(id: str) -> int:
    """Return the number in an id that the kit gave, 0 for other ids."""
    found = re.fullmatch("[cr]([0-9]{1,9})", id)
    return int(found[1]) if found else 0


def filled(thing: Thing) -> dict[str, str]:
    """Return the fields of *thing* that are not empty, as texts."""
    fields = {field: value for field, value in thing._asdict().items() if value not in ("", None)}
    return {
        field: "{} {}".format(*value) if field == "at" else value for field, value in fields.items()
    }


def fields(kind: type[Thing], row: Mapping[Any, Any]) -> dict[str, Any]:
    """Return the fields of *kind* in *row*: the inverse of :func:`filled`."""
    found = {field: row[field] for field in kind._fields if field in row}
    if isinstance(at := found.get("at"), str):
        found["at"] = (
            tuple(map(int, at.split())) if re.fullmatch("[0-9]{1,9} [0-9]{1,9}", at) else at or None
        )
    return found


def grown(things: Changes, changes: Iterable[Changes]) -> dict[str, Thing]:
    """Return *things* after *changes*, made one after the other."""
    now = dict(things)
    for each in changes:
        now.update(each)
        for id, thing in each.items():
            if thing is None:
                del now[id]
    return {id: thing for id, thing in now.items() if thing is not None}


def changed(before: Mapping[str, Thing], after: Mapping[str, Thing]) -> dict[str, Thing | None]:
    """Return the changes that make *after* of *before*."""
    gone: dict[str, Thing | None] = dict.fromkeys(id for id in before if id not in after)
    return gone | {id: each for id, each in after.items() if before.get(id) != each}


def news(things: Mapping[str, Thing], changes: Changes) -> dict[str, Thing | None]:
    """Return those of *changes* that change anything, with their texts cleaned.

    :raises MapError: if a field is too long or of the wrong type.
    """
    asked = {id: thing for id, thing in changes.items() if things.get(id) != thing}
    tidy = {id: thing and proper(id, thing) for id, thing in asked.items()}
    return {id: thing for id, thing in tidy.items() if things.get(id) != thing}


def proper(id: str, thing: Thing) -> Thing:
    """Return *thing* with its texts cleaned.

    :raises MapError: if a field is too long or of the wrong type.
    """
    values: dict[str, Any] = thing._asdict()
    for field, value in values.items():
        if field == "at":
            values[field] = _place(id, value)
            continue
        if not isinstance(value, str):
            raise MapError("map.not_text", id, field, field=_name(field), got=shorten(value))
        values[field] = cleaned(value, lines=field in MULTILINE)
        longest = LONGEST.get(field, SHORT)
        if len(values[field]) > longest:
            raise MapError(
                "map.too_long", id, field, field=_name(field), got=len(values[field]), limit=longest
            )
    return type(thing)(**values)


def _name(field: str) -> Mapping[str, str]:
    """Return the name of *field* in every language."""
    return load_texts()[f"map.field.{field}"]


def _place(id: str, at: Any) -> tuple[int, int] | None:
    if at is None:
        return None
    if (
        isinstance(at, Sequence)
        and len(at) == 2
        and all(type(part) is int and 0 <= part <= SIDE for part in at)
    ):
        return at[0], at[1]
    raise MapError("map.place", id, "at", got=shorten(at), limit=SIDE)


def check(things: Mapping[str, Thing]) -> None:
    """Check that *things* are a proper map.

    :raises MapError: for the first thing that is wrong.
    """
    Proper().grow(things)


class Proper:
    """A map that stays proper: the check of a step looks only at what the step changes."""

    def __init__(self) -> None:
        self.things: dict[str, Thing] = {}
        self._labels: set[str] = set()
        self._drawn: set[tuple[str, str, str]] = set()
        self._at = Counter[str]()  # relations of each concept

    def grow(self, changes: Changes) -> None:
        """Make one step.

        :raises MapError: for the first thing that is wrong; do not use this object after that.
        """
        for id in changes:
            self._forget(self.things.pop(id, None))
        new = {id: each for id, each in changes.items() if each is not None}
        self.things.update(new)
        if any(isinstance(each, Head) != (id == HEAD) for id, each in new.items()):
            raise MapError("map.no_head")
        for id, each in new.items():
            if isinstance(each, Concept):
                self._name(id, each)
        for id, each in new.items():
            if isinstance(each, Relation):
                self._draw(id, each)
        head = self.things.get(HEAD)
        if not isinstance(head, Head):
            raise MapError("map.no_head")
        for id in (*changes, head.top):
            if (self._at[id] or id == head.top != "") and not isinstance(
                self.things.get(id), Concept
            ):
                raise MapError("map.unknown", got=shorten(id))
        for kind, there, limit in (
            ("concepts", len(self._labels), CONCEPTS),
            ("relations", len(self._drawn), RELATIONS),
        ):
            if there > limit:
                raise MapError(f"map.too_many_{kind}", got=there, limit=limit)

    def _forget(self, thing: Thing | None) -> None:
        if isinstance(thing, Concept):
            self._labels.remove(_written(thing.label))
        elif isinstance(thing, Relation):
            self._drawn.remove(thing[:3])
            self._at[thing.start] -= 1
            self._at[thing.end] -= 1

    def _name(self, id: str, concept: Concept) -> None:
        if not concept.label:
            raise MapError("map.no_label", id, "label")
        if (label := _written(concept.label)) in self._labels:
            raise MapError("map.label_twice", id, "label", label=concept.label)
        self._labels.add(label)

    def _draw(self, id: str, relation: Relation) -> None:
        start, end = self.things.get(relation.start), self.things.get(relation.end)
        if not isinstance(start, Concept):
            raise MapError("map.unknown", id, got=shorten(relation.start))
        if not isinstance(end, Concept):
            raise MapError("map.unknown", id, got=shorten(relation.end))
        if start is end:
            raise MapError("map.loop", id, "end", label=start.label)
        if relation[:3] in self._drawn:
            raise MapError(
                "map.relation_twice", id, start=start.label, phrase=relation.phrase, end=end.label
            )
        self._drawn.add(relation[:3])
        self._at[relation.start] += 1
        self._at[relation.end] += 1


@lru_cache(8192)
def _written(label: str) -> str:
    """Return the form that labels which look the same share."""
    return unicodedata.normalize("NFKC", label)
