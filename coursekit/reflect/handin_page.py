"""The page to hand in: one HTML file for paper that loads nothing and runs nothing."""

import logging
import re
from base64 import b64encode
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from coursekit.files.html_templates import render
from coursekit.journal.entries import MapEntry
from coursekit.maps.mindmap import MindMap
from coursekit.maps.starters import with_question
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
)
from coursekit.reflect.paper_page import POLICY
from coursekit.words.texts import game_text, join_words, text

PAGE = Path(__file__).parent / "templates" / "handin.html.j2"
WIDE = 700
"""Width in points above which a map gets its own landscape page."""
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
        which=join_words([game_title(held.game, language) for held in games], language),
        games=[_game_part(held, language) for held in games],
        language=language,
        policy=POLICY,
        say=partial(_say, language),
    )


def _say(language: str, name: str, **values: object) -> str:
    return text(TEXTS + name, language, **values)


def _game_part(held: GameEntries, language: str) -> dict[str, Any]:
    answers = []
    for question, answer in held.answers:
        source = (
            game_text(held.game, f"reflect.source.{question.source}", language) if question else ""
        )
        other = text("reflect.other_version", language)
        answers.append(
            {
                "question": question_text(question, answer, language),
                "about": " · ".join(filter(None, [source, local_time(answer.saved)])),
                "words": answer.text.strip(),
                "others": [
                    (f"{other} {local_time(saved)}", words.strip())
                    for words, saved in answer.others
                ],
            }
        )
    return {
        "title": game_title(held.game, language),
        "asked": held.questions,
        "answered": sum(bool(answer.text.strip()) for question, answer in held.answers if question),
        "answers": answers,
        "maps": [_map_part(held, name, entry, language) for name, entry in held.maps.items()],
        "matches": [match_row(match, language) for match in held.matches],
    }


def _map_part(held: GameEntries, name: str, entry: MapEntry, language: str) -> dict[str, Any]:
    map = open_map(entry)
    heading = map_title(name, language)
    if map is None:
        return {"title": heading, "unread": True}
    size = text(f"{TEXTS}size", language, concepts=len(map.concepts), relations=len(map.relations))
    svg, alt = _drawn(map, held.game, language)
    return {
        "title": heading,
        "wide": _width(svg) > WIDE,
        "about": " · ".join([size, local_time(entry.saved)]),
        "focus": question_of(map, held.game, language),
        "data": b64encode(svg).decode(),
        "alt": alt,
        "concepts": len(map.concepts),
        "sentences": list(propositions(held, name, map, language)),
        "others": len(entry.others),
    }


def _drawn(map: MindMap, game: str, language: str) -> tuple[bytes, str]:
    """Return a map as SVG and its alternative text; empty if the map is, or cannot be drawn.

    The page has the map's sentences anyway.
    """
    from coursekit.maps.drawing import draw_map

    try:
        if map.concepts:
            picture = draw_map(with_question(map, game, language), language, titled=False)
            return picture.svg, picture.alt
    except ImportError:  # no matplotlib, as in a browser
        pass
    except Exception:  # a bug in the kit: the rest can be handed in
        log.exception("a map could not be drawn")
    return b"", ""


def _width(svg: bytes) -> float:
    """Return the width of a drawing, in points."""
    told = re.search(rb'<svg[^>]* width="([0-9.]+)pt"', svg)
    return float(told[1]) if told else 0.0
