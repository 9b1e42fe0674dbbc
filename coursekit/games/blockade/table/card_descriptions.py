"""The pages of cards, events and roles of 文壇封鎖中: facts with sources, effects as own design."""

from collections.abc import Sequence
from typing import Any

from coursekit.games.blockade.rules import card_files
from coursekit.games.blockade.rules.card_codes import CENSORS, ROLES
from coursekit.games.blockade.rules.card_facts import (
    BannedBook,
    EventNote,
    Fate,
    FunctionNote,
    Periodical,
    Writer,
    doubt,
    text_of,
)
from coursekit.games.blockade.rules.citations import list_sources
from coursekit.games.blockade.table.pieces import life, rules_of
from coursekit.kit.scene import Look, Page

CAMP = {ROLES[role] for role in CENSORS}
ROLE_FACTS: dict[str, tuple[int | str, str]] = {
    "garrison": ("FC13", "tied_to"),
    "informant": ("FC14", "tied_to"),
    "editor": ("P03", "note"),
    "author": (1949, "summary"),
}
"""By role, the card or event and its field that tell what the role was."""
POWERS = ("catalogue", "summons", "mail_check", "denunciation", "torn_page", "suspension")
"""Function cards named after what the authorities and their helpers did to others."""
GLOSSARY = 1987  # the event whose page says what martial law was


def handbook(look: Look) -> dict[str, Page]:
    """Return the public pages about the cards, by id."""
    cards = rules_of(look).cards
    pages = {f"writer-{number}": _writer(row, look) for number, row in enumerate(cards.writers)}
    pages |= {f"fn-{kind}": _function(kind, note, look) for kind, note in cards.notes.items()}
    for number, row in enumerate(cards.books):
        page = _banned_book(row, look) if isinstance(row, BannedBook) else _periodical(row, look)
        pages[f"book-{number}"] = page
    pages |= {f"event-{note.year}": _event(note, look) for note in card_files.events()}
    return pages | {f"role-{role}": _role(role, look) for role in ROLES}


def _facts(look: Look, **facts: str) -> list[dict[str, str]]:
    """Return *facts* by the name of their label, without the empty ones."""
    return [
        {"label": look.say(f"page.label.{name}"), "value": value}
        for name, value in facts.items()
        if value
    ]


def _text(row: Any, field: str, look: Look) -> str:
    return text_of(row, field, look.language)


def _page(
    title: str, row: Any, texts: Sequence[str], facts: list[dict[str, str]], look: Look
) -> Page:
    """Return a page with the source of its facts, and whether they are verified.

    :param texts: fields of *row*.
    """
    words = [_text(row, field, look) for field in texts]
    page: Page = {"title": title, "text": [text for text in words if text], "facts": facts}
    unsure, language = doubt(row), look.language
    if unsure:
        page["note"] = look.say(unsure)
    sources = list_sources(row.source, *[fate.source for fate in _fates(row)], language=language)
    if sources:
        page["source"] = look.say("page.source", source=sources)
    return page


def _fates(row: Any) -> list[Fate]:
    """Return how the people on a card were imprisoned; other rows name nobody in a column."""
    has_people = isinstance(row, Writer | Periodical | BannedBook)
    return card_files.fates_on(row) if has_people else []


def _imprisonments(row: Any, look: Look) -> list[dict[str, str]]:
    """Return a fact for each of the people on a card who were imprisoned.

    It names the person, unless that is the title of the page.
    """
    facts = []
    for fate in _fates(row):
        words = _text(fate, "fate", look)
        if not isinstance(row, Writer):
            words = look.say("page.fate", name=_text(fate, "name", look), fate=words)
        facts += _facts(look, imprisoned=words)
    return facts


def _span(first: int, last: int | None, look: Look) -> str:
    if first == last:
        return look.say("page.in_year", year=first)
    if last:
        return look.say("page.span", first=first, last=last)
    return look.say("page.since", first=first)


def _writer(row: Writer, look: Look) -> Page:
    facts = _facts(
        look,
        life=life(row, look),
        work=row.title(look.language),
        year=str(row.work_year),
        genre=look.say(f"genre.{row.genre.replace(' ', '_')}"),
    )
    facts += _imprisonments(row, look)
    return _page(_text(row, "name", look), row, ["note"], facts, look)


def _function(kind: str, note: FunctionNote, look: Look) -> Page:
    o = look.game.options
    stays = kind == "suspension" and not o.loss_penalty  # while the rulebook lets no censor go back
    facts = _facts(
        look,
        effect=look.say("blank") if o.function_set == "blank" else "",
        named_after=_text(note, "tied_to", look),
        power=look.say("page.power") if kind in POWERS else "",
        model=look.say("page.suspension") if stays else "",
    )
    page = _page(look.word("function", kind), note, [], facts, look)
    page["lead"] = look.word("text", kind)
    return page


def _periodical(paper: Periodical, look: Look) -> Page:
    facts = _facts(
        look,
        kind=look.say(f"data.kind.{paper.kind}"),
        published=_span(paper.founded, paper.ceased, look),
        editor=_text(paper, "editor", look),
    )
    facts += _imprisonments(paper, look)
    return _page(_text(paper, "title", look), paper, ["note"], facts, look)


def _banned_book(book: BannedBook, look: Look) -> Page:
    facts = _facts(
        look,
        author=_text(book, "author", look),
        published=str(book.published or ""),
        banned=str(book.banned_year or ""),
    )
    facts += _imprisonments(book, look)
    return _page(_text(book, "title", look), book, ["reason", "note"], facts, look)


def _event(note: EventNote, look: Look) -> Page:
    game = rules_of(look)
    effect = look.word("effect", note.year)
    if not game.options.events:
        effect = look.say("page.no_effect")
    elif not game.can_happen(note.year):
        effect = look.say("page.never")
    facts = _facts(look, effect=effect)
    title = f"{note.year} {look.word('event', note.year)}"
    return _page(title, note, ["summary", "note"], facts, look)


def _role(role: str, look: Look) -> Page:
    o, camp = look.game.options, "censor" if role in CAMP else "pen"
    values = vars(o) | {
        "banned": o.banned_steps,
        "back": o.search_back,
        "periodical": o.periodical_steps,
        "protest": o.protest_steps,
        "bonus": o.seize_bonus,
        "penalty": o.loss_penalty,
    }
    tasks = [camp]
    if camp == "censor":
        tasks += [name for name in ("bonus", "penalty") if values[name]]
    if o.function_set != "none":
        tasks.append("cards")
    facts = _facts(look, line=look.say(f"page.line.{role}"))
    for task in tasks:
        facts += _facts(look, task=look.say(f"page.role.{task}", **values))
    history, source = role_history(role, look)
    law = card_files.event_note(GLOSSARY)
    facts += _facts(
        look,
        history=history,
        martial_law=_text(law, "summary", look),
        model=look.say("page.role.model"),
    )
    sources = list_sources(source, law.source, language=look.language)
    return {
        "title": look.say(f"role.{role}"),
        "text": [look.say(f"page.role.{role}")],
        "facts": facts,
        "source": look.say("page.source", source=sources),
    }


def role_history(role: str, look: Look) -> tuple[str, str]:
    """Return a sentence of the card data on what a role was, with its source."""
    key, field = ROLE_FACTS[role]
    rows: dict[int | str, Any] = {note.year: note for note in card_files.events()}
    rows |= {row.card_id: row for row in card_files.periodicals()}
    rows |= {row.card_id: row for row in card_files.functions()}
    return _text(rows[key], field, look), rows[key].source
