"""The parts of a mind map, and the checks of a proper one.

A *proposition* is a concept, a linking phrase and a concept: 破壞 – 擋住 – 使用.  A map answers its
*focus question* (Novak & Cañas, The theory underlying concept maps, IHMC TR 2006-01).
"""

import re
import unicodedata
from collections.abc import Hashable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

from coursekit.core.errors import LocalizedError
from coursekit.words.characters import drawn_part, is_visible
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
"""Width and height of the square in which a new map grows; places are whole numbers."""
FARTHEST = 20 * SIDE
"""The largest number of a place, across or down, to either side."""
HEAD = ""
"""The id of what a map is about."""
CHINESE = re.compile("[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U000323af]")
"""Characters without spaces between them."""
MARK = re.compile("[\u3000-\u303f\uff00-\uffef]")
"""Punctuation that brings its own space."""
UNWRITABLE = re.compile(
    "[\0-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff]"
)
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
    at: tuple[int, int] | None = None  # its place, right and down; None until it has one


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
    """Return *words* without unwritable characters and with single spaces, "" if nothing is drawn.

    :param lines: whether they keep their lines.

    >>> clean("  two\\n words\\x00")
    'two words'
    """
    if not is_visible(words):
        return ""
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
    """Return the number in an id that the kit gave, such as c12 or c12-k3fa, 0 for other ids."""
    match = re.fullmatch("[cr]([0-9]{1,9})(-.*)?", thing_id)
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
        is_place = re.fullmatch("-?[0-9]{1,9} -?[0-9]{1,9}", at)
        fields["at"] = tuple(int(part) for part in at.split()) if is_place else at or None
    return fields


def apply_changes(things: Mapping[str, Thing], changes: Changes) -> dict[str, Thing]:
    """Return *things* after *changes*, with their texts cleaned.

    With a concept its relations go, unless *changes* say what becomes of them, and the top of the
    hierarchy.

    :raises MapError: if that is no proper map.
    """
    now = dict(things)
    for thing_id, thing in changes.items():
        if thing is None:
            now.pop(thing_id, None)
        elif now.get(thing_id) != thing:
            now[thing_id] = tidy(thing_id, thing)
    gone = {thing_id for thing_id, thing in changes.items() if thing is None}
    for thing_id, thing in list(now.items()):
        is_loose = isinstance(thing, Relation) and not gone.isdisjoint((thing.start, thing.end))
        if is_loose and thing_id not in changes:
            del now[thing_id]
    head = now.setdefault(HEAD, Head())
    if isinstance(head, Head) and head.top in gone:
        now[HEAD] = head._replace(top="")
    check(now)
    return now


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
    if is_pair and all(type(part) is int and abs(part) <= FARTHEST for part in at):
        return at[0], at[1]
    raise MapError("map.place", thing_id, "at", got=shorten(at), limit=FARTHEST)


def check(things: Mapping[str, Thing]) -> None:
    """Check that *things* are a proper map.

    :raises MapError: for the first thing that is wrong.
    """
    head = things.get(HEAD)
    if any(isinstance(thing, Head) != (thing_id == HEAD) for thing_id, thing in things.items()):
        raise MapError("map.no_head")
    concepts = {key: thing for key, thing in things.items() if isinstance(thing, Concept)}
    relations = {key: thing for key, thing in things.items() if isinstance(thing, Relation)}
    if len(concepts) > CONCEPTS:
        raise MapError("map.too_many_concepts", got=len(concepts), limit=CONCEPTS)
    if len(relations) > RELATIONS:
        raise MapError("map.too_many_relations", got=len(relations), limit=RELATIONS)
    if not isinstance(head, Head) or (head.top and head.top not in concepts):
        raise MapError("map.unknown", got=shorten(getattr(head, "top", "")))
    labels = set[str]()
    for concept_id, concept in concepts.items():
        key = label_key(concept.label)
        if not concept.label:
            raise MapError("map.no_label", concept_id, "label")
        if key in labels:
            raise MapError("map.label_twice", concept_id, "label", label=concept.label)
        labels.add(key)
    propositions = set[tuple[str, str, str]]()
    for relation_id, relation in relations.items():
        for end in (relation.start, relation.end):
            if end not in concepts:
                raise MapError("map.unknown", relation_id, got=shorten(end))
        start = concepts[relation.start].label
        if relation.start == relation.end:
            raise MapError("map.loop", relation_id, "end", label=start)
        if relation[:3] in propositions:
            words = {"start": start, "end": concepts[relation.end].label}
            raise MapError("map.relation_twice", relation_id, phrase=relation.phrase, **words)
        propositions.add(relation[:3])


@lru_cache(8192)
def label_key(label: str) -> str:
    """Return the form that labels which look the same share."""
    return drawn_part(unicodedata.normalize("NFKC", label))
