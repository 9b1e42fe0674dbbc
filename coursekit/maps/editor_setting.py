"""What the page of the mind-map editor needs to know of a game and a language, before any map."""

from typing import Any

from coursekit.kit import kit_of
from coursekit.maps.elements import CONCEPTS, FARTHEST, LONG, RELATIONS, SHORT
from coursekit.maps.file_reader import LARGEST_FILE
from coursekit.maps.starters import focus_question, map_cards, offered_kinds, starter_topics
from coursekit.words.texts import load_texts

PAGE_TEXTS = ("map.ui.", "map.outline.", "map.panel.", "map.field.")
"""Texts that the page itself uses, under the names `undo`, `outline.add`, `panel.name`."""
REFUSALS = (
    "no_label",
    "label_twice",
    "loop",
    "relation_twice",
    "too_long",
    "too_many_concepts",
    "too_many_relations",
    "lost_end",
)
"""Sentences with which the page itself refuses an edit, under the names `refusal.loop`…"""
LIMITS = {
    "concepts": CONCEPTS,
    "relations": RELATIONS,
    "label": SHORT,
    "note": LONG,
    "farthest": FARTHEST,
    "file": LARGEST_FILE,
}
"""Limits that the page knows: things, characters, the largest coordinate, bytes of a file."""


def map_setting(game: str, language: str, can_start: bool = True) -> dict[str, Any]:
    """Return the setting of maps of *game* as JSON; ``""`` is a map of anything else.

    :param can_start: whether the page offers starter maps. It has the drawings then; else they are
        in a file of their own.
    """
    kit = kit_of(game) if game and can_start else None
    topics = starter_topics(game, language) if can_start else []
    return {
        "game": game,
        "language": language,
        "words": _page_texts(language),
        "focus": focus_question(game, language),
        "kinds": offered_kinds(game, language),
        "cards": [card._asdict() for card in map_cards(game, language)],
        "topics": [{"about": about, "label": label} for about, label in topics],
        "limits": LIMITS,
        "starter": kit is not None and kit.load_lesson().map_starter is not None,
        "art": kit.drawings() if kit else "",
    }


def _page_texts(language: str) -> dict[str, str]:
    texts = load_texts()
    words = {
        text_id.removeprefix("map.").removeprefix("ui."): sentences[language]
        for text_id, sentences in texts.items()
        if text_id.startswith(PAGE_TEXTS)
    }
    return words | {f"refusal.{name}": texts[f"map.{name}"][language] for name in REFUSALS}
