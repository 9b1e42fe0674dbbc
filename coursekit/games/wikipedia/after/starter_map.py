"""The starter map of 維基百科 vs 書籍: which card cures, blocks or mends which."""

from collections.abc import Mapping
from typing import Any

from coursekit.games.wikipedia.after.rule_relations import POINTS, THINGS, find_relations
from coursekit.games.wikipedia.rules.cards import BOOK, ROLES, WIKI
from coursekit.games.wikipedia.rules.cards import KINDS as CARDS
from coursekit.games.wikipedia.rules.game import Wikipedia
from coursekit.games.wikipedia.table.card_descriptions import handbook
from coursekit.games.wikipedia.table.scene import TONES
from coursekit.kit.map_card import MapCard, facts_note, tone_index
from coursekit.kit.scene import Look
from coursekit.words.texts import game_text

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
"""Kinds of relations of this game only, and the kinds that contradict them."""


def starter(game: Wikipedia, language: str, about: str = "") -> dict[str, Any]:
    """Return all relations of *game*, or those with the card *about*."""
    relations = [
        relation for relation in find_relations(game) if about in ("", relation.start, relation.end)
    ]
    ends = {end for relation in relations for end in (relation.start, relation.end)}
    concepts = {}
    for thing in THINGS:
        if thing in ends:
            card = "" if thing == POINTS else f"wikipedia/{thing}"
            label = _name(thing, language)
            concepts[thing] = {"label": label, "kind": _kind(thing), "card": card}
    lines = []
    for start, kind, end, number in relations:
        words = game_text("wikipedia", f"evidence.link.{kind}", language, cards=number)
        lines.append((start, words, end, kind))
    return {
        "focus": game_text("wikipedia", "map.focus", language),
        "top": about or WIKI,
        "concepts": concepts,
        "relations": lines,
    }


def cards(game: Wikipedia, language: str) -> list[MapCard]:
    """Return the five cards and the two roles, with what the rules of *game* say about each."""
    pages = handbook(Look(game, language))
    return [
        MapCard(
            card=f"wikipedia/{thing}",
            label=_name(thing, language),
            kind=_kind(thing),
            note=facts_note(pages[thing]["facts"], language),
            symbol=f"ck-{thing}",
            tone=tone_index(TONES[thing]),
        )
        for thing in (*CARDS, *ROLES)
    ]


def _kind(thing: str) -> str:
    if thing == POINTS:
        return ""
    return "card" if thing in CARDS else "role"


def _name(thing: str, language: str) -> str:
    """Return the name of *thing* in a sentence."""
    if thing == POINTS:
        return game_text("wikipedia", "evidence.thing.points", language)
    if thing in ROLES or thing == BOOK:
        return game_text("wikipedia", f"map.thing.{thing}", language)
    return game_text("wikipedia", f"card.{thing}", language).strip("「」“”")
