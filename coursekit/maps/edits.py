"""Edits as the browser sends them: lists that begin with a verb, ``["link", "c1", "擋住", "+0"]``.

In one list of edits ``"+0"`` is what the first "add" or "link" makes, ``"+1"`` what the second
makes, and so on.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from coursekit.maps.elements import MIDDLE, Changes, Concept, MapError, Relation, Thing
from coursekit.maps.layout import LAYOUTS, layout
from coursekit.maps.mindmap import MindMap, Step

MOST = 2000
"""Edits in one list."""


def edit(map: MindMap, ops: list[Any]) -> list[str]:
    """Make the edits *ops* and return the ids of what they made; concepts without a place get one.

    :raises MapError: for the first edit that is refused; *map* keeps those before it, so pass a
        draft.
    """
    if len(ops) > MOST:
        raise MapError("map.too_many_edits", got=len(ops), limit=MOST)
    made: list[str] = []
    try:
        for op in ops:
            kind, *values = op if isinstance(op, list) and op else [None]
            if not isinstance(kind, str) or kind not in OPS:
                raise misunderstood()
            OPS[kind](map, made, *_checked(values, SHAPES[kind]))
    except MapError as error:
        if isinstance(error.about, str) and error.about not in map.things:
            error.about = f"+{len(made)}"  # the thing that was not made
        elif error.about in made:
            error.about = f"+{made.index(str(error.about))}"
        raise
    place(map)
    return made


def place(map: MindMap) -> None:
    """Give a place to every concept of *map* without one."""
    if not all(each.at for each in map.concepts.values()):
        map.move(layout(map, keep=True))


def placed(map: MindMap) -> MindMap:
    """Return *map* with a place for every concept in every step, so that undoing leaves none
    without.
    """
    begun, steps = map.begun, [each.changes for each in map.log]
    if not any(_placeless(each) for changes in (begun, *steps) for each in changes.values()):
        return map
    places = layout(map, keep=True)

    def filled(changes: Changes) -> Changes:
        return {
            id: each._replace(at=places.get(id, MIDDLE))
            if isinstance(each, Concept) and not each.at
            else each
            for id, each in changes.items()
        }

    return MindMap.replayed(
        filled(begun), [Step(when, filled(changes)) for when, changes in map.log], map.clock
    )


def _placeless(each: Thing | None) -> bool:
    return isinstance(each, Concept) and each.at is None


def misunderstood() -> MapError:
    """Return the error for a message that no page of the kit sends."""
    return MapError("map.misunderstood")


SHAPES: Mapping[str, tuple[type, ...]] = {
    "add": (dict,),
    "link": (str, str, str, dict),
    "change": (str, dict),
    "remove": (list,),
    "move": (dict,),
    "ask": (str,),
    "top": (str,),
    "layout": (str,),
}
"""What follows the verb; a final dict may be missing unless it is all."""


def _checked(values: list[Any], shape: tuple[type, ...]) -> list[Any]:
    if len(values) == len(shape) - 1 > 0 and shape[-1] is dict:
        values = [*values, {}]
    if len(values) != len(shape) or not all(
        type(value) is kind for value, kind in zip(values, shape)
    ):
        raise misunderstood()
    return values


def _fields(
    given: dict[str, Any], kind: type[Concept | Relation], made: list[str]
) -> dict[str, Any]:
    """Return *given*, checked to be fields of *kind*, with real ids."""
    if not given.keys() <= set(kind._fields):
        raise misunderstood()
    ends = {
        field: _id(given[field], made)
        for field in ("start", "end")
        if field in given and kind is Relation
    }
    return given | ends


def _id(name: Any, made: list[str]) -> str:
    """Return the id that *name* is or stands for."""
    if not isinstance(name, str):
        raise misunderstood()
    found = re.fullmatch(r"\+([0-9]{1,4})", name)
    return made[int(found[1])] if found and int(found[1]) < len(made) else name


def _add(map: MindMap, made: list[str], given: dict[str, Any]) -> None:
    made.append(map.add(**{"label": "", **_fields(given, Concept, made)}))


def _link(
    map: MindMap, made: list[str], start: str, phrase: str, end: str, given: dict[str, Any]
) -> None:
    if given.keys() & {"start", "phrase", "end"}:
        raise misunderstood()
    made.append(
        map.link(_id(start, made), phrase, _id(end, made), **_fields(given, Relation, made))
    )


def _change(map: MindMap, made: list[str], id: str, given: dict[str, Any]) -> None:
    id = _id(id, made)
    map.change(id, **_fields(given, Relation if id in map.relations else Concept, made))


def _remove(map: MindMap, made: list[str], ids: list[Any]) -> None:
    map.remove(*(_id(each, made) for each in ids))


def _move(map: MindMap, made: list[str], places: dict[str, Any]) -> None:
    map.move({_id(id, made): at for id, at in places.items()})


def _ask(map: MindMap, made: list[str], focus: str) -> None:
    map.ask(focus)


def _top(map: MindMap, made: list[str], id: str) -> None:
    map.ask(map.focus, top=_id(id, made))


def _layout(map: MindMap, made: list[str], name: str) -> None:
    if name not in LAYOUTS:
        raise misunderstood()
    map.move(layout(map, name))


OPS: Mapping[str, Callable[..., None]] = {
    "add": _add,
    "link": _link,
    "change": _change,
    "remove": _remove,
    "move": _move,
    "ask": _ask,
    "top": _top,
    "layout": _layout,
}
