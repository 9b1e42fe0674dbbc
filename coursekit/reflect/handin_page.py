"""The page to hand in: one HTML file for paper that loads nothing and runs nothing."""

import logging
import re
from base64 import b64encode
from collections.abc import Sequence
from datetime import datetime
from html import escape

from coursekit.journal.entries import Kept
from coursekit.maps.mindmap import MindMap
from coursekit.maps.starters import with_question
from coursekit.reflect.journal_export import (
    TEXTS,
    Held,
    asked,
    local,
    map_title,
    opened,
    played,
    propositions,
    question_of,
    title,
)
from coursekit.reflect.paper_page import sheet
from coursekit.words.texts import game_text, join_words, text

WIDE = 700
"""Width in points above which a map gets its own landscape page."""
log = logging.getLogger(__name__)


def page(games: Sequence[Held], language: str, name: str = "") -> str:
    """Return *games* as a page with the owner's *name*."""
    heading = text(f"{TEXTS}title", language)
    body = "".join(_game_part(each, language) for each in games) or _tag(
        "p", text(f"{TEXTS}nothing", language)
    )
    whose = f"{text(f'{TEXTS}name', language)} {name}"
    date = local(datetime.now().astimezone().isoformat())
    which = join_words([title(each.game, language) for each in games], language)
    header = (
        _tag("h1", heading) + _tag("p", whose, "whose" if name else "whose blank") + _tag("p", date)
    )
    header += _tag("p", which, "games") if games else ""
    return sheet(f"{heading} {name}".strip(), header, body, language)


def _tag(tag: str, words: str, kind: str = "") -> str:
    """Return an element with the text *words*, escaped."""
    return f"<{tag}{f' class={kind!r}' if kind else ''}>{escape(words)}</{tag}>"


def _game_part(held: Held, language: str) -> str:
    parts = [_tag("h2", title(held.game, language))]
    if held.asked:
        answered = sum(bool(answer.text.strip()) for question, answer in held.answers if question)
        parts.append(
            _tag("p", text(f"{TEXTS}answered", language, count=answered, all=held.asked), "soft")
        )
    for question, answer in held.answers:
        whose = (
            game_text(held.game, f"reflect.source.{question.source}", language) if question else ""
        )
        parts.append(f"<section>{_tag('h3', asked(question, answer, language))}")
        parts.append(_tag("p", " · ".join(filter(None, [whose, local(answer.saved)])), "soft"))
        if answer.text.strip():
            parts.append(_tag("div", answer.text.strip(), "answer"))
        for words, saved in answer.others:
            note = f"{text('reflect.other_version', language)} {local(saved)}"
            parts.append(_tag("p", note, "soft") + _tag("div", words.strip(), "answer other"))
        parts.append("</section>\n")
    parts += [_map_part(held, name, entry, language) for name, entry in held.maps.items()]
    if held.matches:
        rows = [played(match, language) for match in held.matches]
        columns = [
            text(f"journal.page.column.{each}", language)
            for each in ("when", "people", "state", "points")
        ]
        parts.append(f"<table>{_tag('caption', text(f'{TEXTS}matches', language))}<thead><tr>")
        parts += [f'<th scope="col">{escape(each)}</th>' for each in columns] + [
            "</tr></thead><tbody>"
        ]
        parts += ["<tr>" + "".join(_tag("td", cell) for cell in row) + "</tr>" for row in rows] + [
            "</tbody></table>\n"
        ]
    return "".join(parts)


def _map_part(held: Held, name: str, entry: Kept, language: str) -> str:
    map, heading = opened(entry), _tag("h3", map_title(name, language))
    if map is None:
        return heading + _tag("p", text(f"{TEXTS}map_unread", language))
    size = text(f"{TEXTS}size", language, concepts=len(map.concepts), relations=len(map.relations))
    svg, alt = _drawn(map, held.game, language)
    wide = _width(svg) > WIDE
    parts = ["<section class='wide'>" if wide else "<section>", heading]
    parts.append(_tag("p", " · ".join([size, local(entry.saved)]), "soft"))
    if asks := question_of(map, held.game, language):
        parts.append(_tag("p", asks, "focus"))
    if svg:
        source = "data:image/svg+xml;base64," + b64encode(svg).decode()
        parts.append(f'<figure class="map"><img src="{source}" alt="{escape(alt)}"></figure>')
    elif map.concepts:
        parts.append(_tag("p", text(f"{TEXTS}map_undrawn", language)))
    sentences = [
        f"<li>{escape(words)}{' ' + _tag('span', said, 'soft') if said else ''}</li>"
        for words, said in propositions(held, name, map, language)
    ]
    if sentences:
        parts.append(f"<ul>{''.join(sentences)}</ul>")
    if entry.others:
        parts.append(
            _tag("p", text(f"{TEXTS}other_maps", language, count=len(entry.others)), "soft")
        )
    return "".join([*parts, "</section>\n"])


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
