"""The page to hand in: one HTML file for paper, which loads nothing and runs nothing."""

import logging
from base64 import b64encode
from collections.abc import Sequence
from datetime import datetime
from html import escape

from coursekit.reflect.forms import TEXTS, Held, asked, local, map_title, opened, played, propositions, title
from coursekit.reflect.kept import Kept
from coursekit.reflect.maps.mindmap import MindMap
from coursekit.reflect.sheet import sheet
from coursekit.texts import joined, text

log = logging.getLogger(__name__)


def page(games: Sequence[Held], language: str, name: str = "") -> str:
    """Return *games* as a page; *name* is whose it is."""
    heading = text(f"{TEXTS}title", language)
    body = "".join(_game_part(each, language) for each in games) or _tag("p", text(f"{TEXTS}nothing", language))
    whose = f"{text(f'{TEXTS}name', language)} {name}"
    date = local(datetime.now().astimezone().isoformat())
    which = joined([title(each.game, language) for each in games], language)
    header = _tag("h1", heading) + _tag("p", whose, "whose" if name else "whose blank") + _tag("p", date)
    header += _tag("p", which, "games") if games else ""
    return sheet(f"{heading} {name}".strip(), header, body, language)


def _tag(tag: str, words: str, kind: str = "") -> str:
    """Return an element that says *words*, whatever is in them."""
    return f"<{tag}{f' class={kind!r}' if kind else ''}>{escape(words)}</{tag}>"


def _game_part(held: Held, language: str) -> str:
    parts = [_tag("h2", title(held.game, language))]
    if held.asked:
        answered = sum(bool(answer.text.strip()) for question, answer in held.answers if question)
        parts.append(_tag("p", text(f"{TEXTS}answered", language, count=answered, all=held.asked), "soft"))
    for question, answer in held.answers:
        whose = text(f"reflect.source.{question.source}", language) if question else ""
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
        columns = [text(f"journal.page.column.{each}", language) for each in ("when", "people", "state", "points")]
        parts.append(f"<table>{_tag('caption', text(f'{TEXTS}matches', language))}<thead><tr>")
        parts += [f'<th scope="col">{escape(each)}</th>' for each in columns] + ["</tr></thead><tbody>"]
        parts += ["<tr>" + "".join(_tag("td", cell) for cell in row) + "</tr>" for row in rows] + ["</tbody></table>\n"]
    return "".join(parts)


def _map_part(held: Held, name: str, entry: Kept, language: str) -> str:
    parts = [_tag("h3", map_title(name, language))]
    map = opened(entry)
    if map is None:
        return "".join([*parts, _tag("p", text(f"{TEXTS}map_unread", language))])
    size = text(f"{TEXTS}size", language, concepts=len(map.concepts), relations=len(map.relations))
    parts.append(_tag("p", " · ".join([size, local(entry.saved)]), "soft"))
    if map.concepts:
        parts.append(_figure(map, language))
    sentences = [
        f"<li>{escape(words)}{' ' + _tag('span', said, 'soft') if said else ''}</li>"
        for words, said in propositions(held, name, map, language)
    ]
    if sentences:
        parts.append(f"<ul>{''.join(sentences)}</ul>")
    if entry.others:
        parts.append(_tag("p", text(f"{TEXTS}other_maps", language, count=len(entry.others)), "soft"))
    return "".join([*parts, "\n"])


def _figure(map: MindMap, language: str) -> str:
    """Return a map as a picture, or that it cannot be drawn: its sentences stand below anyway."""
    from coursekit.reflect.maps.draw import drawn

    try:
        picture = drawn(map, language, titled=False)  # the caption is the title
        source = "data:image/svg+xml;base64," + b64encode(picture.svg).decode()
    except Exception:  # a mistake in the kit: the rest can be handed in
        log.exception("a map could not be drawn")
        return _tag("p", text(f"{TEXTS}map_undrawn", language))
    caption = _tag("figcaption", map.focus) if map.focus else ""
    return f'<figure class="map">{caption}<img src="{source}" alt="{escape(picture.alt)}"></figure>'
