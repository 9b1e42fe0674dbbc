"""The starter map of 維基百科 vs 書籍: which card cures, blocks, needs or mends which, asked of the rules."""

from collections.abc import Mapping
from typing import Any

from coursekit.games.wikipedia.cards import KINDS as CARDS
from coursekit.games.wikipedia.cards import WIKI
from coursekit.games.wikipedia.relations import POINTS, THINGS, relations
from coursekit.games.wikipedia.rules import Wikipedia
from coursekit.texts import said

KINDS: Mapping[str, Mapping[str, str]] = {
    "writes": {"opposite": "cannot"},
    "plays": {"opposite": "cannot"},
    "may": {"opposite": "cannot"},
    "must": {"opposite": "cannot"},
    "cannot": {},
    "withstands": {"turned": "spoils"},
    "cures": {},
    "earns": {},
}
"""Kinds of relations that only this game has, and what contradicts them."""


def starter(game: Wikipedia, language: str, about: str = "") -> dict[str, Any]:
    """Return all relations of *game*, or those with the card *about*."""
    found = [each for each in relations(game) if about in ("", each.start, each.end)]
    there = [thing for thing in THINGS if any(thing in (each.start, each.end) for each in found)]
    return {
        "focus": said("wikipedia", "map.focus", language),
        "top": about or WIKI,
        "concepts": {
            thing: {
                "label": _name(thing, language).strip("「」“”"),
                "kind": "" if thing == POINTS else "card" if thing in CARDS else "role",
                "card": f"wikipedia/{thing}" if thing in CARDS else "",
            }
            for thing in there
        },
        "relations": [
            (
                each.start,
                said("wikipedia", f"evidence.link.{each.kind}", language, cards=each.cards),
                each.end,
                each.kind,
            )
            for each in found
        ],
    }


def _name(thing: str, language: str) -> str:
    if thing == POINTS:
        return said("wikipedia", "evidence.thing.points", language)
    return said("wikipedia", f"card.{thing}" if thing in CARDS else f"role.{thing}", language)
