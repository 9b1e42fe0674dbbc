"""The things of 文壇封鎖中 as pieces: cards set in type, events, markers."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, cast

from coursekit.core.game import Seat
from coursekit.games.blockade.rules.card_codes import CENSORS, ROLES
from coursekit.games.blockade.rules.card_facts import Writer, in_language
from coursekit.games.blockade.rules.game import Blockade
from coursekit.games.blockade.rules.state import Observation
from coursekit.kit.scene import Face, Form, Look, Piece, Tone

TONES: tuple[Tone, ...] = ("red", "grey", "blue", "green")
"""Of the roles; the camps have different shapes, too."""


def rules_of(look: Look) -> Blockade:
    """Return the game of *look*."""
    return cast(Blockade, look.game)


def card_piece(card: int, obs: Observation, look: Look, **more: Any) -> Piece:
    """Return an experience card as a piece that tells its page; *more* are further fields."""
    found = plain_card(card, card in rules_of(look).usable[obs.era], look.public).copy()
    found.update(more)  # type: ignore[typeddict-item]
    return found


@lru_cache(2048)
def plain_card(card: int, usable: bool, look: Look) -> Piece:
    """Return an experience card as it looks to everybody; *usable* says whether its year is of the
    era played.
    """
    if kind := rules_of(look).cards.functions[card]:
        face: Face = {
            "art": f"fn-{kind}",
            "print": {"form": "order", "title": look.word("function", kind)},
        }
        return {
            "id": f"card-{card}",
            "face": face,
            "label": look.word("card", card),
            "about": f"fn-{kind}",
        }
    return _writer(card, usable, look)


def _writer(card: int, usable: bool, look: Look) -> Piece:
    writer = rules_of(look).cards.writers[card]
    face: Face = {
        "print": {
            "form": "slip",
            "title": in_language(writer.name_zh, writer.name_en, look.language),
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
    """Return when *writer* lived, as far as known: a missing year of death does not mean "still
    alive".
    """
    if writer.birth and writer.death:
        return look.say("page.span", first=writer.birth, last=writer.death)
    if writer.birth:
        return look.say("page.born", year=writer.birth)
    return look.say("page.died", year=writer.death) if writer.death else ""


def lifetime(first: int | None, last: int | None) -> str:
    """Return two years as printed on cards; an unknown or future one is left out."""
    return f"{first or ''}–{last or ''}" if first or last else ""


def book_piece(book: int, look: Look, **more: Any) -> Piece:
    """Return a book card as a piece that tells its page."""
    found = _book(book, look.public).copy()
    found.update(more)  # type: ignore[typeddict-item]
    return found


@lru_cache(512)
def _book(book: int, look: Look) -> Piece:
    cards, language = rules_of(look).cards, look.language
    kind = cards.book_kinds[book]
    form: Form = "paper" if book < len(cards.periodicals) else "volume"
    if form == "paper":
        paper = cards.periodicals[book]
        title, text = (
            in_language(paper.title_zh, paper.title_en, language),
            lifetime(paper.founded, paper.ceased),
        )
    else:
        banned = cards.banned[book - len(cards.periodicals)]
        title = in_language(banned.title_zh, banned.title_en, language)
        text = in_language(banned.author_zh, banned.author_en, language)
    face: Face = {
        "art": kind,
        "tone": "blue" if form == "paper" else "red",
        "print": {"form": form, "title": title, "text": text, "foot": look.say(f"kind.{kind}")},
    }
    return {
        "id": f"book-{book}",
        "face": face,
        "label": look.word("book", book),
        "about": f"book-{book}",
    }


def event_piece(event: int, look: Look, id: str = "event") -> Piece:
    """Return an event as a leaf with its year."""
    return _event(event, look.public, id).copy()


@lru_cache(512)
def _event(event: int, look: Look, id: str) -> Piece:
    name = look.word("event", event)
    face: Face = {"art": "event", "print": {"form": "leaf", "head": str(event), "title": name}}
    return {
        "id": f"{id}-{event}",
        "face": face,
        "label": f"{event} {name}",
        "about": f"event-{event}",
    }


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
    """Return a hand as people hold it: writers of this era, function cards, writers of other eras."""
    game = rules_of(look)

    def rank(card: int) -> tuple[int, int]:
        return (1 if game.cards.functions[card] else 0 if card in game.usable[obs.era] else 2), card

    return sorted(hand, key=rank)
