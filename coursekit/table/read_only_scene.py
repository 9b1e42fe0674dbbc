"""A scene of an earlier moment: everything to look at, nothing to do.

It is built up from the parts listed here.  A part that is not listed, such as one added to
:mod:`coursekit.kit.scene` later, is left out.
"""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from coursekit.kit import Zones
from coursekit.kit.scene import Scene, Zone

Parts = Mapping[str, Any]
"""The parts of a thing that stay, by name, each with its own parts; text and numbers have none."""


def plain_parts(names: str) -> dict[str, Any]:
    """Return parts that are text, numbers, or lists of them."""
    return {name: {} for name in names.split()}


PRINT = plain_parts("form title head text foot off")
FACE = plain_parts("art corner name tone back") | {"print": PRINT}
PIECE = plain_parts("id label seat about caption owner mark faded") | {"face": FACE}
SQUARE = plain_parts("label") | {"piece": PIECE}
SHELF = plain_parts("label") | {"pieces": PIECE}
COUNT = plain_parts("label value title")
PLACE = plain_parts("seat name by you turn winner badges backs") | {
    "team": plain_parts("label tone"),
    "sign": PIECE,
    "shelves": SHELF,
    "tokens": plain_parts("have want"),
    "counts": COUNT,
    "pieces": PIECE,
}
DIE = plain_parts("value label caption")
SPACE = plain_parts("label short state") | {"pieces": PIECE, "markers": PIECE}
SIDE = plain_parts("label now") | {"spaces": SPACE, "corner": SPACE}
SPOT = plain_parts("seat name you turn")
RESULT = plain_parts("seat name you values good")
ROW = plain_parts("head") | {"cells": plain_parts("parts tone")}
ZONE: dict[str, Any] = plain_parts(
    "kind place label note folded together count caption takes columns parts sums title result text"
) | {
    "pieces": PIECE,
    "slots": SPOT,
    "places": PLACE,
    "top": PIECE,
    "back": FACE,
    "squares": SQUARE,
    "dice": DIE,
    "results": RESULT,
    "rows": ROW,
    "tricks": PIECE,
    "sides": SIDE,
    "piece": PIECE,
}
SCENE = plain_parts("title prompt over beat sober rule")


def make_read_only(scene: Scene, own: Zones | None = None) -> Scene:
    """Return *scene* with what can be looked at alone.

    :param own: the zones that only this game has, which say what of them stays.
    """
    return cast(
        Scene,
        keep_parts(scene, SCENE) | {"turn": False, "zones": _read_only_zones(scene["zones"], own)},
    )


def _read_only_zones(zones: Sequence[Zone], own: Zones | None) -> list[dict[str, Any]]:
    """Return *zones* without buttons, and of each what can be looked at."""
    read_only = []
    for zone in zones:
        if zone["kind"] == "choices":
            continue
        copy = keep_parts(zone, ZONE)
        if own is not None and zone["kind"] in own.kinds:
            copy |= own.past(zone)
        if "zones" in zone:
            copy["zones"] = _read_only_zones(zone["zones"], own)
        read_only.append(copy)
    return read_only


def keep_parts(thing: Any, parts: Parts) -> Any:
    """Return *thing*, or each of the things in a list, with nothing but *parts*."""
    if isinstance(thing, list | tuple):
        return [keep_parts(item, parts) for item in thing]
    if not isinstance(thing, Mapping):
        return thing
    return {name: keep_parts(part, parts[name]) for name, part in thing.items() if name in parts}
