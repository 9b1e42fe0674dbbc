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


def plain(names: str) -> dict[str, Any]:
    """Return parts that are text, numbers, or lists of them."""
    return {name: {} for name in names.split()}


PRINT = plain("form title head text foot off")
FACE = plain("art corner name tone back") | {"print": PRINT}
PIECE = plain("id label seat about caption owner mark faded") | {"face": FACE}
SQUARE = plain("label") | {"piece": PIECE}
SHELF = plain("label") | {"pieces": PIECE}
COUNT = plain("label value title")
PLACE = plain("seat name by you turn winner badges backs") | {
    "team": plain("label tone"),
    "squares": SQUARE,
    "sign": PIECE,
    "shelves": SHELF,
    "tokens": plain("have want"),
    "counts": COUNT,
    "pieces": PIECE,
}
DIE = plain("value label caption")
SPACE = plain("label short state") | {"pieces": PIECE, "markers": PIECE}
SIDE = plain("label now") | {"spaces": SPACE, "corner": SPACE}
SPOT = plain("seat name you turn")
ROW = plain("head") | {"cells": plain("parts tone")}
ZONE: dict[str, Any] = plain(
    "kind place label note folded together count caption takes columns parts sums title text"
) | {
    "pieces": PIECE,
    "slots": SPOT,
    "places": PLACE,
    "top": PIECE,
    "back": FACE,
    "squares": SQUARE,
    "dice": DIE,
    "rows": ROW,
    "tricks": PIECE,
    "sides": SIDE,
    "piece": PIECE,
}
SCENE = plain("title prompt over beat sober rule")


def past(scene: Scene, own: Zones | None = None) -> Scene:
    """Return *scene* with what can be looked at alone.

    :param own: the zones that only this game has, which say what of them stays.
    """
    return cast(
        Scene, only(scene, SCENE) | {"turn": False, "zones": _past_zones(scene["zones"], own)}
    )


def _past_zones(zones: Sequence[Zone], own: Zones | None) -> list[dict[str, Any]]:
    """Return *zones* without buttons, and of each what can be looked at."""
    found = []
    for zone in zones:
        if zone["kind"] == "choices":
            continue
        kept = only(zone, ZONE)
        if own is not None and zone["kind"] in own.kinds:
            kept |= own.past(zone)
        if "zones" in zone:
            kept["zones"] = _past_zones(zone["zones"], own)
        found.append(kept)
    return found


def only(thing: Any, parts: Parts) -> Any:
    """Return *thing*, or each of the things in a list, with nothing but *parts*."""
    if isinstance(thing, list | tuple):
        return [only(each, parts) for each in thing]
    if isinstance(thing, Mapping):
        return {name: only(value, parts[name]) for name, value in thing.items() if name in parts}
    return thing
