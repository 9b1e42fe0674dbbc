"""Edits as the page sends them: lists that begin with a verb, ``["link", "c1", "擋住", "+0"]``.

In one list of edits ``"+0"`` is what the first "add" or "link" makes, ``"+1"`` what the second
makes, and so on.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from coursekit.core.page_messages import MessageError
from coursekit.maps.elements import MIDDLE, Changes, Concept, MapError, Relation
from coursekit.maps.layout import LAYOUTS, layout
from coursekit.maps.mindmap import MindMap, Step

MOST = 2000
"""Edits in one list."""


def edit_map(mind_map: MindMap, edits: list[Any]) -> list[str]:
    """Make *edits* and return the ids of what they made; concepts without a place get one.

    :raises MapError: for the first edit that is refused; *mind_map* keeps those before it, so pass
        a draft.
    :raises MessageError: for an edit that no page of the kit sends.
    """
    if len(edits) > MOST:
        raise MapError("map.too_many_edits", got=len(edits), limit=MOST)
    new_ids: list[str] = []
    try:
        for edit in edits:
            verb, *values = edit if isinstance(edit, list) and edit else [None]
            if not isinstance(verb, str) or verb not in VERBS:
                raise MessageError
            make, shape = VERBS[verb]
            make(mind_map, new_ids, *_checked(values, shape))
    except MapError as error:
        # The page does not know the ids that this draft gave.
        if isinstance(error.about, str) and error.about not in mind_map.things:
            error.about = f"+{len(new_ids)}"  # the thing that was not made
        elif error.about in new_ids:
            error.about = f"+{new_ids.index(str(error.about))}"
        raise
    place_concepts(mind_map)
    return new_ids


def place_concepts(mind_map: MindMap) -> None:
    """Give a place to every concept of *mind_map* without one."""
    if not all(concept.at for concept in mind_map.concepts.values()):
        mind_map.move(layout(mind_map, keep=True))


def place_every_step(mind_map: MindMap) -> MindMap:
    """Return *mind_map* with a place for every concept in every step of its log.

    So undoing leaves no concept without a place.
    """
    all_changes = [mind_map.beginning, *(step.changes for step in mind_map.log)]
    if not any(_lacks_place(thing) for changes in all_changes for thing in changes.values()):
        return mind_map
    places = layout(mind_map, keep=True)

    def place(changes: Changes) -> Changes:
        placed = dict(changes)
        for thing_id, thing in changes.items():
            if isinstance(thing, Concept) and not thing.at:
                placed[thing_id] = thing._replace(at=places.get(thing_id, MIDDLE))
        return placed

    log = [Step(when, place(changes)) for when, changes in mind_map.log]
    return MindMap.replay(place(mind_map.beginning), log, mind_map.clock)


def _lacks_place(thing: object) -> bool:
    return isinstance(thing, Concept) and thing.at is None


def _checked(values: list[Any], shape: tuple[type, ...]) -> list[Any]:
    """Return *values* if they have the types of *shape*; a last dict of several may be missing."""
    if len(values) == len(shape) - 1 > 0 and shape[-1] is dict:  # no further fields
        values = [*values, {}]
    if [type(value) for value in values] != list(shape):
        raise MessageError
    return values


def _fields(
    given: dict[str, Any], kind: type[Concept | Relation], new_ids: list[str]
) -> dict[str, Any]:
    """Return *given*, checked to be fields of *kind*, with real ids."""
    if not given.keys() <= set(kind._fields):
        raise MessageError
    fields = dict(given)
    if kind is Relation:
        for end in given.keys() & {"start", "end"}:
            fields[end] = _real_id(given[end], new_ids)
    return fields


def _real_id(name: Any, new_ids: list[str]) -> str:
    """Return the id that *name* is or stands for."""
    if not isinstance(name, str):
        raise MessageError
    match = re.fullmatch(r"\+([0-9]{1,4})", name)
    if match and int(match[1]) < len(new_ids):
        return new_ids[int(match[1])]
    return name


def _add(mind_map: MindMap, new_ids: list[str], given: dict[str, Any]) -> None:
    new_ids.append(mind_map.add(**{"label": "", **_fields(given, Concept, new_ids)}))


def _link(
    mind_map: MindMap, new_ids: list[str], start: str, phrase: str, end: str, given: dict[str, Any]
) -> None:
    if given.keys() & {"start", "phrase", "end"}:
        raise MessageError
    start = _real_id(start, new_ids)
    end = _real_id(end, new_ids)
    new_ids.append(mind_map.link(start, phrase, end, **_fields(given, Relation, new_ids)))


def _change(mind_map: MindMap, new_ids: list[str], name: str, given: dict[str, Any]) -> None:
    thing_id = _real_id(name, new_ids)
    kind = Relation if thing_id in mind_map.relations else Concept
    mind_map.change(thing_id, **_fields(given, kind, new_ids))


def _remove(mind_map: MindMap, new_ids: list[str], names: list[Any]) -> None:
    mind_map.remove(*(_real_id(name, new_ids) for name in names))


def _move(mind_map: MindMap, new_ids: list[str], places: dict[str, Any]) -> None:
    mind_map.move({_real_id(name, new_ids): place for name, place in places.items()})


def _ask(mind_map: MindMap, new_ids: list[str], focus: str) -> None:
    mind_map.ask(focus)


def _top(mind_map: MindMap, new_ids: list[str], name: str) -> None:
    mind_map.ask(mind_map.focus, top=_real_id(name, new_ids))


def _layout(mind_map: MindMap, new_ids: list[str], name: str) -> None:
    if name not in LAYOUTS:
        raise MessageError
    mind_map.move(layout(mind_map, name))


class Verb(NamedTuple):
    """What makes one kind of edit, and the types of what follows the verb."""

    make: Callable[..., None]
    shape: tuple[type, ...]


VERBS: Mapping[str, Verb] = {
    "add": Verb(_add, (dict,)),
    "link": Verb(_link, (str, str, str, dict)),
    "change": Verb(_change, (str, dict)),
    "remove": Verb(_remove, (list,)),
    "move": Verb(_move, (dict,)),
    "ask": Verb(_ask, (str,)),
    "top": Verb(_top, (str,)),
    "layout": Verb(_layout, (str,)),
}
