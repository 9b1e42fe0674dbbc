"""What a phone shows while it waits for the deal: the rules in pictures, each after a guess."""

import gzip
import json
from typing import Any

from coursekit.kit import GAMES, kit_of
from coursekit.kit.quick_start import Picture
from coursekit.table.static_files import zone_styles
from coursekit.table.table_pictures import rule_pictures
from coursekit.table.view import interface_words
from coursekit.words.texts import game_text

BETWEEN = "｜"
"""Stands between the choices of a question in its text."""


def has_cards(game: str) -> bool:
    """Return whether *game* has rules in pictures."""
    guide = kit_of(game).guide if game in GAMES else None
    return guide is not None and bool(guide.pictures)


def waiting_cards(game: str, language: str) -> dict[str, Any]:
    """Return cards in the order in which they are turned up, and what their tables need.

    A card is a question with its choices, or a picture with its line.  The pictures are moments of
    matches that the kit always plays alike; making them takes some seconds.
    """
    kit = kit_of(game)
    assert kit.guide is not None
    cards: list[dict[str, Any]] = []
    for picture, still in zip(kit.guide.pictures, rule_pictures(game, language), strict=True):
        if picture.right is not None:
            cards.append(_question(game, picture, language))
        cards.append(still)
    return {
        "cards": cards,
        "words": interface_words(game, language),
        "zone_css": zone_styles(kit),
    }


def _question(game: str, picture: Picture, language: str) -> dict[str, Any]:
    ask, choices, why = [
        game_text(game, f"{picture.text}_{part}", language) for part in ("ask", "choices", "why")
    ]
    return {"ask": ask, "choices": choices.split(BETWEEN), "right": picture.right, "why": why}


def pack_cards(game: str, language: str) -> bytes:
    """Return :func:`waiting_cards` as JSON, compressed by gzip."""
    words = json.dumps(waiting_cards(game, language), ensure_ascii=False, separators=(",", ":"))
    return gzip.compress(words.encode(), 9, mtime=0)
