"""The page to hand in: one HTML file for paper that loads nothing and runs nothing."""

import logging
import re
from base64 import b64encode
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from coursekit.files.html_templates import bind_texts, render
from coursekit.journal.entries import Answer, MapEntry
from coursekit.maps.mindmap import MindMap
from coursekit.maps.starters import with_question
from coursekit.reflect.content_security import POLICY
from coursekit.reflect.journal_export import (
    TEXTS,
    GameEntries,
    game_title,
    local_time,
    map_title,
    match_row,
    open_map,
    propositions,
    question_of,
    question_text,
    source_text,
)
from coursekit.reflect.questions import Question
from coursekit.words.texts import join_words, text

PAGE = Path(__file__).parent / "templates" / "handin.html.j2"
WIDE = 930
"""Width in pixels above which a map gets its own landscape page."""
log = logging.getLogger(__name__)


def page(games: Sequence[GameEntries], language: str, name: str = "") -> str:
    """Return *games* as a page with the owner's *name*."""
    heading = text(f"{TEXTS}title", language)
    return render(
        PAGE,
        title=f"{heading} {name}".strip(),
        heading=heading,
        name=name,
        date=local_time(datetime.now().astimezone().isoformat()),
        which=join_words([game_title(game.game, language) for game in games], language),
        games=[_game_part(game, language) for game in games],
        language=language,
        policy=POLICY,
        say=bind_texts(language, TEXTS),
    )


def _game_part(game: GameEntries, language: str) -> dict[str, Any]:
    answered = [question for question, answer in game.answers if question and answer.text.strip()]
    return {
        "title": game_title(game.game, language),
        "asked": game.questions,
        "answered": len(answered),
        "answers": [
            _answer_part(game.game, question, answer, language) for question, answer in game.answers
        ],
        "maps": [_map_part(game, name, entry, language) for name, entry in game.maps.items()],
        "matches": [match_row(match, language) for match in game.matches],
        "results": game.results,
    }


def _answer_part(
    game: str, question: Question | None, answer: Answer, language: str
) -> dict[str, Any]:
    other = text("reflect.other_version", language)
    source = source_text(game, question, language)
    return {
        "question": question_text(question, answer, language),
        "about": " · ".join(filter(None, [source, local_time(answer.saved)])),
        "words": answer.text.strip(),
        "others": [
            (f"{other} {local_time(saved)}", words.strip()) for words, saved in answer.others
        ],
    }


def _map_part(game: GameEntries, name: str, entry: MapEntry, language: str) -> dict[str, Any]:
    mind_map = open_map(entry)
    heading = map_title(name, language)
    if mind_map is None:
        return {"title": heading, "unread": True}
    concepts = len(mind_map.concepts)
    size = text(f"{TEXTS}size", language, concepts=concepts, relations=len(mind_map.relations))
    svg, alt = _draw(mind_map, game.game, language)
    return {
        "title": heading,
        "wide": _width(svg) > WIDE,
        "about": " · ".join([size, local_time(entry.saved)]),
        "focus": question_of(mind_map, game.game, language),
        "data": b64encode(svg).decode(),
        "alt": alt,
        "concepts": concepts,
        "sentences": propositions(game, name, mind_map, language),
        "others": len(entry.others),
    }


def _draw(mind_map: MindMap, game: str, language: str) -> tuple[bytes, str]:
    """Return a map as SVG and its alternative text; empty if the map is, or cannot be drawn.

    The page has the map's sentences anyway.
    """
    from coursekit.maps.drawing import draw_map

    try:
        if mind_map.concepts:
            picture = draw_map(with_question(mind_map, game, language), language, titled=False)
            return picture.svg, picture.alt
    except Exception:  # a bug in the kit: the rest can be handed in
        log.exception("a map could not be drawn")
    return b"", ""


def _width(svg: bytes) -> float:
    """Return the width of a drawing, in pixels."""
    width = re.search(rb'<svg[^>]* width="([0-9.]+)"', svg)
    return float(width[1]) if width else 0.0
