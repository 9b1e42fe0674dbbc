"""The things of 文壇封鎖中 as pieces: cards set in type, events, markers."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, cast

from coursekit.core.game import Event, Seat
from coursekit.games.blockade.rules.card_codes import CENSORS, ROLES
from coursekit.games.blockade.rules.card_facts import ERAS, Periodical, Writer, text_of
from coursekit.games.blockade.rules.game import Blockade
from coursekit.games.blockade.rules.state import Observation
from coursekit.kit.scene import Face, Form, Look, Piece, Tone
from coursekit.words.texts import join_sentences

TONES: tuple[Tone, ...] = ("red", "grey", "blue", "green")
"""Of the roles; the camps have different shapes, too."""


def rules_of(look: Look) -> Blockade:
    """Return the game of *look*."""
    return cast(Blockade, look.game)


def card_piece(card: int, obs: Observation, look: Look, **more: Any) -> Piece:
    """Return an experience card as a piece that tells its page; *more* are further fields."""
    piece = plain_card(card, card in rules_of(look).usable[obs.era], look.public).copy()
    piece.update(more)  # type: ignore[typeddict-item]
    return piece


@lru_cache(2048)
def plain_card(card: int, usable: bool, look: Look) -> Piece:
    """Return an experience card as it looks to everybody.

    :param usable: whether its year is of the era played.
    """
    kind, label = rules_of(look).cards.functions[card], look.word("card", card)
    if not kind:
        return _writer(card, usable, look)
    title = look.word("function", kind)
    face: Face = {"art": f"fn-{kind}", "print": {"form": "order", "title": title}}
    return {"id": f"card-{card}", "face": face, "label": label, "about": f"fn-{kind}"}


def _writer(card: int, usable: bool, look: Look) -> Piece:
    writer = rules_of(look).cards.writers[card]
    face: Face = {
        "print": {
            "form": "slip",
            "title": text_of(writer, "name", look.language),
            "text": writer.title(look.language),
            "head": life(writer, look),
            "foot": str(writer.work_year),
        }
    }
    label = look.word("card", card)
    if not usable:
        face["print"]["off"] = True
        label = look.say("card.off", card=label)
    return {"id": f"card-{card}", "face": face, "label": label, "about": f"writer-{card}"}


def life(writer: Writer, look: Look) -> str:
    """Return when *writer* lived, as far as known; the living and some dead have no last year."""
    if writer.birth and writer.death:
        return look.say("page.span", first=writer.birth, last=writer.death)
    if writer.birth:
        return look.say("page.born", year=writer.birth)
    return look.say("page.died", year=writer.death) if writer.death else ""


def lifetime(first: int | None, last: int | None) -> str:
    """Return two years as printed on cards; an unknown or future one is left out."""
    if first == last:
        return str(first or "")
    return f"{first or ''}–{last or ''}"


def book_piece(book: int, look: Look, **more: Any) -> Piece:
    """Return a book card as a piece that tells its page."""
    piece = _book(book, look.public).copy()
    piece.update(more)  # type: ignore[typeddict-item]
    return piece


@lru_cache(512)
def _book(book: int, look: Look) -> Piece:
    cards, language = rules_of(look).cards, look.language
    kind = cards.book_kinds[book]
    form: Form
    tone: Tone
    row = cards.books[book]
    title = text_of(row, "title", language)
    if isinstance(row, Periodical):
        form, tone = "paper", "blue"
        text = lifetime(row.founded, row.ceased)
    else:
        form, tone = "volume", "red"
        text = " ".join(filter(None, (text_of(row, "author", language), str(row.year or ""))))
    foot = look.say(f"kind.{kind}")
    face: Face = {
        "art": kind,
        "tone": tone,
        "print": {"form": form, "title": title, "text": text, "foot": foot},
    }
    name = f"book-{book}"
    return {"id": name, "face": face, "label": look.word("dated", book), "about": name}


def tell(event: Event, era: int, look: Look) -> str:
    """Return what *event* says, and whether a book card in it is of a time after *era*."""
    words = look.tell(event)
    if event.text in ("takes_book", "taken"):
        year = rules_of(look).cards.books[event.values["book"]].year
        if year and year > ERAS[era][-1]:
            return join_sentences([words, look.say("later_than_era", era=era)], look.language)
    return words


def event_piece(event: int, look: Look, name: str = "event") -> Piece:
    """Return an event as a leaf with its year."""
    return _event(event, look.public, name).copy()


@lru_cache(512)
def _event(event: int, look: Look, name: str) -> Piece:
    title = look.word("event", event)
    face: Face = {"art": "event", "print": {"form": "leaf", "head": str(event), "title": title}}
    label = f"{event} {title}"
    return {"id": f"{name}-{event}", "face": face, "label": label, "about": f"event-{event}"}


def marker(seat: Seat, obs: Observation, look: Look) -> Piece:
    """Return the marker of *seat*: square for the censors, round for the pens."""
    role = obs.roles[seat]
    form: Form = "stamp" if role in CENSORS else "token"
    face: Face = {
        "print": {"form": form, "title": look.say(f"sign.{ROLES[role]}")},
        "tone": TONES[role],
    }
    label = look.say("marker", seat=seat, role=role)
    return {"id": f"marker-{seat}", "face": face, "label": label}


def in_order(hand: Sequence[int], obs: Observation, look: Look) -> list[int]:
    """Return a hand as people hold it: writers of this era, functions, writers of other eras."""
    functions, usable = rules_of(look).cards.functions, rules_of(look).usable[obs.era]
    writers = [card for card in hand if not functions[card]]
    return [
        *sorted(card for card in writers if card in usable),
        *sorted(card for card in hand if functions[card]),
        *sorted(card for card in writers if card not in usable),
    ]
