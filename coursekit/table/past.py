"""A scene of an earlier moment: everything to look at, nothing to do.

It is built up from the parts listed here.  A part that is not listed, such as one added to
:mod:`coursekit.kit.scene` later, is left out.
"""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from coursekit.kit.scene import Scene

Parts = Mapping[str, Any]
"""The parts of a thing that stay, by name, each with its own parts; text and numbers have none."""


def _plain(names: str) -> dict[str, Any]:
    """Return parts that are text, numbers, or lists of them."""
    return {name: {} for name in names.split()}


PRINT = _plain("form title head text foot off")
FACE = _plain("art corner name tone back") | {"print": PRINT}
PIECE = _plain("id label seat about caption owner mark faded") | {"face": FACE}
SQUARE = _plain("label") | {"piece": PIECE}
SHELF = _plain("label") | {"pieces": PIECE}
COUNT = _plain("label value title")
PLACE = _plain("seat name by you turn winner badges backs") | {
    "team": _plain("label tone"), "squares": SQUARE, "sign": PIECE, "shelves": SHELF,
    "tokens": _plain("have want"), "counts": COUNT, "pieces": PIECE,
}  # fmt: skip
DIE = _plain("value label caption")
SPACE = _plain("label short state") | {"pieces": PIECE, "markers": PIECE}
SIDE = _plain("label now") | {"spaces": SPACE, "corner": SPACE}
ROW = _plain("head") | {"cells": _plain("parts tone")}
VENN = _plain("size") | {
    "loops": _plain("id points pin tone name word owner label"),
    "spools": _plain("number at loops words points label faded marked"),
}  # fmt: skip
SHEET = _plain("seat longest once key") | {"lines": _plain("number words loops points text left closed label")}
ZONE: dict[str, Any] = _plain(
    "kind place label note folded count caption takes columns parts sums title text"
) | {
    "pieces": PIECE, "places": PLACE, "top": PIECE, "back": FACE, "squares": SQUARE, "dice": DIE, "rows": ROW,
    "tricks": PIECE, "sides": SIDE, "piece": PIECE, **VENN, **SHEET,
}  # fmt: skip
ZONE["zones"] = ZONE
SCENE = _plain("title prompt turn over beat sober") | {"zones": ZONE}


def past(scene: Scene) -> Scene:
    """Return *scene* with what can be looked at alone."""
    kept = _only(scene, SCENE)
    return cast(Scene, kept | {"turn": False, "zones": _shut(kept["zones"])})


def _shut(zones: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return *zones* without buttons, and with no line to write on."""
    kept = [zone for zone in zones if zone["kind"] != "choices"]
    for zone in kept:
        for line in zone.get("lines", []):
            line["closed"] = True
        if "zones" in zone:
            zone["zones"] = _shut(zone["zones"])
    return kept


def _only(thing: Any, parts: Parts) -> Any:
    """Return *thing*, or each of the things in a list, with nothing but *parts*."""
    if isinstance(thing, list | tuple):
        return [_only(each, parts) for each in thing]
    if isinstance(thing, Mapping):
        return {name: _only(value, parts[name]) for name, value in thing.items() if name in parts}
    return thing
