"""The pages of cards, events and roles of 文壇封鎖中: facts with sources, effects as own design."""

from typing import Any, cast

from coursekit.games.blockade.rules import card_facts, card_files
from coursekit.games.blockade.rules.card_codes import CENSORS, OWN_DESIGN, ROLES
from coursekit.games.blockade.rules.card_facts import in_language, listed
from coursekit.games.blockade.table.pieces import life, rules_of
from coursekit.kit.scene import Look, Page

CAMP = {ROLES[role] for role in CENSORS}
ROLE_FACTS: dict[str, int | str] = {
    "garrison": "FC13",
    "informant": "FC14",
    "editor": "P03",
    "author": 1949,
}
"""By role, the event, function card or periodical whose sourced text tells what the role was."""
POWERS = ("catalogue", "summons", "mail_check", "denunciation", "torn_page", "suspension")
"""Function cards named after what the authorities and their helpers did to others."""
GLOSSARY = 1987  # the event whose page says what martial law was


def handbook(look: Look) -> dict[str, Page]:
    """Return the public pages about the cards, by id."""
    cards: Any = cast(Any, look.game).cards
    pages = {
        f"writer-{number}": _writer(writer, look) for number, writer in enumerate(cards.writers)
    }
    pages |= {f"fn-{kind}": _function(kind, note, look) for kind, note in cards.notes.items()}
    books = [_periodical(paper, look) for paper in cards.periodicals] + [
        _banned(book, look) for book in cards.banned
    ]
    pages |= {f"book-{number}": page for number, page in enumerate(books)}
    pages |= {f"event-{note.year}": _event(note, look) for note in card_files.events()}
    return pages | {f"role-{role}": _role(role, look) for role in ROLES}


def _facts(facts: dict[str, str], look: Look) -> list[dict[str, str]]:
    """Return *facts* by the name of their label, without the empty ones."""
    return [
        {"label": look.say(f"page.label.{name}"), "value": value}
        for name, value in facts.items()
        if value
    ]


def _said(row: Any, field: str, look: Look) -> str:
    return in_language(getattr(row, f"{field}_zh"), getattr(row, f"{field}_en"), look.language)


def _sourced(page: Page, row: Any, look: Look) -> Page:
    """Add to *page* the source of its facts, and whether they are verified."""
    if id := card_facts.doubt(row):
        page["note"] = look.say(id)
    if sources := listed(
        row.source, *(fate.source for fate in _fates(row)), language=look.language
    ):
        page["source"] = look.say("page.source", source=sources)
    return page


def _fates(row: Any) -> list[card_facts.Fate]:
    """Return how the people on a card were imprisoned; other rows name nobody in a column."""
    cards = (card_facts.Writer, card_facts.Periodical, card_facts.BannedBook)
    return card_files.fates_on(row) if isinstance(row, cards) else []


def _imprisoned(row: Any, look: Look) -> list[dict[str, str]]:
    """Return a fact for each of the people on a card who were imprisoned, with the name unless it
    is the title.
    """
    told = [_said(fate, "fate", look) for fate in _fates(row)]
    if not isinstance(row, card_facts.Writer):
        names = [_said(fate, "name", look) for fate in _fates(row)]
        told = [
            look.say("page.fate", name=name, fate=fate)
            for name, fate in zip(names, told, strict=True)
        ]
    return [fact for each in told for fact in _facts({"imprisoned": each}, look)]


def _span(first: int | None, last: int | None, look: Look) -> str:
    if not first:
        return ""
    return (
        look.say("page.span", first=first, last=last)
        if last
        else look.say("page.since", first=first)
    )


def _writer(writer: card_facts.Writer, look: Look) -> Page:
    facts = _facts(
        {
            "life": life(writer, look),
            "work": writer.title(look.language),
            "year": str(writer.work_year),
            "genre": look.say(
                f"genre.{'short_fiction' if writer.genre == 'short fiction' else writer.genre}"
            ),
        },
        look,
    )
    facts += _imprisoned(writer, look)
    note = _said(writer, "note", look)
    return _sourced(
        {"title": _said(writer, "name", look), "text": [note] if note else [], "facts": facts},
        writer,
        look,
    )


def _function(kind: str, note: card_facts.FunctionNote, look: Look) -> Page:
    power, o = look.say("page.power") if kind in POWERS else "", look.game.options
    stays = kind == "suspension" and not o.loss_penalty  # while the rulebook lets no censor go back
    facts = _facts(
        {
            "effect": look.say("blank") if o.function_set == "blank" else "",
            "named_after": _said(note, "tied_to", look),
            "power": power,
            "model": look.say("page.suspension") if stays else "",
            "design": look.say(OWN_DESIGN),
        },
        look,
    )
    page: Page = {
        "title": look.word("function", kind),
        "lead": look.word("text", kind),
        "text": [],
        "facts": facts,
    }
    return _sourced(page, note, look)


def _periodical(paper: card_facts.Periodical, look: Look) -> Page:
    facts = _facts(
        {
            "kind": look.say(f"data.kind.{paper.kind}"),
            "published": _span(paper.founded, paper.ceased, look),
            "editor": in_language(paper.editor_zh, "", look.language),
        },
        look,
    )
    facts += _imprisoned(paper, look)
    return _sourced(
        {
            "title": _said(paper, "title", look),
            "text": [_said(paper, "note", look)],
            "facts": facts,
        },
        paper,
        look,
    )


def _banned(book: card_facts.BannedBook, look: Look) -> Page:
    facts = _facts(
        {
            "author": _said(book, "author", look),
            "published": str(book.published or ""),
            "banned": str(book.banned_year or ""),
        },
        look,
    )
    facts += _imprisoned(book, look)
    text = [words for words in (_said(book, "reason", look), _said(book, "note", look)) if words]
    return _sourced({"title": _said(book, "title", look), "text": text, "facts": facts}, book, look)


def _event(note: card_facts.EventNote, look: Look) -> Page:
    game = rules_of(look)
    effect = look.word("effect", note.year) if game.options.events else look.say("page.no_effect")
    if game.options.events and not game.can_happen(note.year):
        effect = look.say("page.never")
    facts = _facts({"effect": effect, "design": look.say(OWN_DESIGN)}, look)
    text = [words for words in (_said(note, "summary", look), _said(note, "note", look)) if words]
    page: Page = {
        "title": f"{note.year} {look.word('event', note.year)}",
        "text": text,
        "facts": facts,
    }
    return _sourced(page, note, look)


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
    more = [name for name in ("bonus", "penalty") if values[name] and camp == "censor"]
    more += ["cards"] if o.function_set != "none" else []
    task = [look.say(f"page.role.{each}", **values) for each in (camp, *more)]
    history, law = role_history(role, look), _noted(GLOSSARY)
    facts = [{"label": look.say("page.label.task"), "value": each} for each in task]
    facts += _facts(
        {
            "history": history[0],
            "martial_law": _said(law, "summary", look),
            "model": look.say("page.role.model"),
        },
        look,
    )
    sources = listed(history[1], law.source, language=look.language)
    return {
        "title": look.say(f"role.{role}"),
        "text": [look.say(f"page.role.{role}")],
        "facts": facts,
        "source": look.say("page.source", source=sources),
    }


def _noted(year: int) -> card_facts.EventNote:
    return next(note for note in card_files.events() if note.year == year)


def role_history(role: str, look: Look) -> tuple[str, str]:
    """Return a sentence of the card data on what a role was, with its source."""
    found = ROLE_FACTS[role]
    if isinstance(found, int):
        return _said(_noted(found), "summary", look), _noted(found).source
    for paper in card_files.periodicals():
        if paper.id == found:
            return _said(paper, "note", look), paper.source
    note = next(note for note in card_files.functions() if note.id == found)
    return _said(note, "tied_to", look), note.source
