"""Evidence: what a reader did in a match of 文壇封鎖中, as counts and moments without judgement.

:func:`evidence` is what :mod:`coursekit.reflect` asks for the parts below a question. They tell of
the reader's own decisions and of what lies open on the table, never of other hands.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from coursekit.core.chance import shuffle, stream
from coursekit.core.game import Seat
from coursekit.figures import INK, Axis, Panel, Picture, Points, plot
from coursekit.games.blockade.after.card_network import Stated, node_of, sentences, state_facts
from coursekit.games.blockade.after.figures import timeline, who_paid
from coursekit.games.blockade.after.history import (
    MOVING,
    PROTEST,
    SEARCH,
    SURE,
    TAKEN,
    Decision,
    History,
    add_tolls,
)
from coursekit.games.blockade.rules import card_files
from coursekit.games.blockade.rules.card_codes import BANNED, LIFTING, Cards, standard
from coursekit.games.blockade.rules.card_facts import (
    BannedBook,
    EventNote,
    FunctionNote,
    Periodical,
    Writer,
    doubt,
    text_of,
)
from coursekit.games.blockade.rules.card_files import fates_on
from coursekit.games.blockade.rules.citations import list_sources
from coursekit.games.blockade.rules.game import Blockade
from coursekit.reflect.evidence_reader import EvidenceReader
from coursekit.words.language import current_language
from coursekit.words.texts import game_text, join_words

if TYPE_CHECKING:
    from coursekit.core.match import Match

Parts = list[str | Picture]
AGAIN = {"source": "evidence.draw"}
"""The question that draws lots -> the text of the button that draws again."""
AGAINST = ("summons", "mail_check", "denunciation", "torn_page", "suspension")
"""Function cards that are played against another player."""
TEXTS: dict[type, tuple[str, ...]] = {
    Writer: ("note",),
    Periodical: ("note",),
    BannedBook: ("reason", "note"),
    EventNote: ("summary", "note"),
    FunctionNote: ("tied_to",),
}
"""The fields with the further text of a row of a card file."""


class Reader(EvidenceReader):
    """A match of 文壇封鎖中 with its reader."""

    game: Blockade

    def __init__(
        self, match: "Match", seats: Sequence[Seat], language: str, drawn: int = 0
    ) -> None:
        super().__init__(match, seats, language)
        self.drawn = drawn  # how often the reader has drawn anew
        self.history = History(match)
        self.eras = self.history.eras


def evidence(
    name: str, match: "Match", seats: Sequence[Seat], language: str, draw: int = 0
) -> Parts:
    """Return the sentences and pictures to show below the question *name*; ``[]`` for none.

    :param seats: whose deeds are told.
    :param draw: which card is drawn, where one is; raised by one each time the reader draws anew.
    """
    about = ABOUT.get(name)
    return about(Reader(match, seats, language, draw)) if about else []


def of_roles(reader: Reader) -> Parts:
    parts: Parts = []
    for era in reader.eras:
        for seat in reader.seats:
            role, spaces = era.roles[seat], era.positions[seat]
            values = {"era": era.number, "seat": seat, "role": role, "spaces": spaces}
            if era.ended:
                parts.append(reader.tell("roles.ended", **values, points=era.points[seat]))
            else:
                parts.append(reader.tell("roles.runs", **values))
    return parts


def of_history(reader: Reader) -> Parts:
    era = reader.eras[-1]
    parts: Parts = []
    for happening in era.happenings:
        event, seat = happening.event, happening.seat
        if seat >= 0:
            parts.append(reader.tell("history.by", event=event, seat=seat, role=era.roles[seat]))
        else:
            parts.append(reader.tell("history.start", event=event))
    if not parts:
        parts.append(reader.tell("history.none", era=era.number))
    return [*parts, reader.tell("history.apart"), timeline(reader.match, reader.language)]


def of_law(reader: Reader) -> Parts:
    parts: Parts = []
    for kind in (SEARCH, PROTEST):
        attempts = [attempt for _, attempt in reader.history.attempts(kind)]
        counts = {
            "tried": len(attempts),
            "taken": sum(attempt.outcome == TAKEN for attempt in attempts),
            "sure": sum(attempt.launch == SURE for attempt in attempts),
            "lost": sum(attempt.lost for attempt in attempts),
        }
        parts.append(reader.tell(f"law.{kind}", **counts))
    for era in reader.eras:
        if era.lifted is not None:
            when = "lifted" if era.has(LIFTING) else "lifted_before"
            count = sum(attempt.entry >= era.lifted for attempt in era.attempts)
            parts.append(reader.tell(f"law.{when}", era=era.number, count=count))
    return parts


def of_paid(reader: Reader) -> Parts:
    parts: Parts = []
    attempts = [attempt for _, attempt in reader.history.attempts()]
    for seat in reader.seats:
        mine = [attempt for attempt in attempts if attempt.seat == seat]
        at_me = [attempt for attempt in attempts if attempt.target == seat]
        taken = sum(attempt.outcome == TAKEN for attempt in mine)
        won = sum(attempt.gained for attempt in mine)
        parts.append(reader.tell("paid.mine", seat=seat, tried=len(mine), taken=taken, won=won))
        taken = sum(attempt.outcome == TAKEN for attempt in at_me)
        back = sum(attempt.lost for attempt in at_me)
        parts.append(reader.tell("paid.at_me", seat=seat, tried=len(at_me), taken=taken, back=back))
        losses = [loss for era in reader.eras for loss in era.losses if loss.seat == seat]
        for thing, cards in Counter(loss.cause.thing for loss in losses).items():
            if isinstance(thing, str):
                cause = reader.tell("card", function=thing)
            else:
                cause = reader.tell("event", event=thing)
            parts.append(reader.tell("paid.lost", seat=seat, cause=cause, cards=cards))
    return [*parts, who_paid(add_tolls([reader.history]), reader.language)]


def of_silence(reader: Reader) -> Parts:
    chances = reader.history.chances(reader.seats)
    if not chances:
        return [reader.tell("silence.none")]
    parts: Parts = []
    for seat in reader.seats:
        mine = [chance for chance in chances if chance.seat == seat]
        passed = [chance for chance in mine if chance.passed]
        counts = {"chances": len(mine), "passed": len(passed)}
        parts.append(reader.tell("silence.each", seat=seat, **counts))
        for chance in passed[:5]:
            when = {"era": chance.era, "lap": chance.lap, "role": chance.role}
            parts.append(reader.tell("silence.moment", **when))
    return [*parts, plot_chances(reader, chances)]


def plot_chances(reader: Reader, chances: Sequence[Decision]) -> Picture:
    """Return a picture of each chance of phase 2, lap by lap: taken or passed."""
    rows = [(era.number, seat) for era in reader.eras for seat in reader.seats]
    labels = [reader.tell("silence.row", era=number, seat=seat) for number, seat in rows]
    layers = []
    for look, word in enumerate(("launched", "passed")):
        these = [chance for chance in chances if chance.passed == (word == "passed")]
        laps = [chance.lap for chance in these]
        places = [rows.index((chance.era, chance.seat)) for chance in these]
        style = {"marker": "o", "markeredgecolor": INK, "markersize": 9}
        if word == "passed":
            style["color"] = "white"
        layers.append(Points(laps, places, reader.tell(f"silence.{word}"), look, style=style))
    panel = Panel(
        layers,
        x=Axis(reader.tell("silence.x"), low=0.5),
        y=Axis(names=labels, low=len(rows) - 0.5, high=-0.5),
    )
    alt = []
    for row, label in zip(rows, labels):
        passed = [chance.passed for chance in chances if (chance.era, chance.seat) == row]
        counts = {"chances": len(passed), "passed": sum(passed)}
        alt.append(reader.tell("silence.alt", row=label, **counts))
    caption, height = reader.tell("silence.caption"), 1.7 + 0.42 * len(rows)
    return plot(panel, " ".join(alt), caption, reader.language, height)


def of_self(reader: Reader) -> Parts:
    parts: Parts = []
    kinds, usable = reader.game.cards.functions, reader.game.usable
    for seat in reader.seats:
        decisions = [decision for decision in reader.history.decisions if decision.seat == seat]
        exchanges = {
            (decision.era, decision.turn)
            for decision in decisions
            if decision.phase == "exchange" and decision.action == "exchange"
        }
        main = [decision for decision in decisions if decision.phase == "main"]
        turns = {(decision.era, decision.turn): decision for decision in main}  # after changing
        could, played = Counter[str](), Counter[str]()
        writers = swaps = 0
        for when, turn in turns.items():
            playable = _cards_to_play(turn.legal)
            chosen = [kinds[card] for card in _cards_to_play([turn.action])]
            could.update({kinds[card] for card in playable})
            played.update(chosen)
            writers += "" not in chosen and any(card in usable[turn.era] for card in playable)
            exchanged = turn.action == "exchange" or when in exchanges
            swaps += "exchange" in turn.legal and not exchanged
        for kind in AGAINST:
            if could[kind]:
                counts = {"turns": could[kind], "played": played[kind]}
                card = reader.tell("card", function=kind)
                parts.append(reader.tell("self.against", seat=seat, card=card, **counts))
        counts = {"turns": len(turns), "kept": writers, "swaps": swaps}
        parts.append(reader.tell("self.writers", seat=seat, **counts))
        parts += _banned_books(reader, seat)
    return parts


def _cards_to_play(actions: Sequence[Any]) -> list[int]:
    """Return the cards that *actions* play."""
    return [action[1] for action in actions if action[0] == "play"]


def _banned_books(reader: Reader, seat: Seat) -> list[str]:
    """Return how many banned books *seat* got and lost again, in a sentence if there were any."""
    books = [gain.book for era in reader.eras for gain in era.gains if gain.seat == seat]
    banned = [reader.game.cards.book_kinds[book] for book in books].count(BANNED)
    if not banned:
        return []
    searches = [attempt for _, attempt in reader.history.attempts(SEARCH)]
    seized = sum(search.target == seat and search.outcome == TAKEN for search in searches)
    return [reader.tell("self.banned", seat=seat, banned=banned, seized=seized)]


def of_source(reader: Reader) -> Parts:
    cards, drawn = reader.game.cards, reader.drawn
    order = list(range(len(facts(cards))))
    shuffle(stream(str(drawn // len(order)), "draw"), order)
    return fact(order[drawn % len(order)], reader.language, cards)


@lru_cache(maxsize=4)
def _state_facts(cards: Cards) -> Stated:
    return state_facts(cards)


def facts(cards: Cards | None = None) -> list[Any]:
    """Return the rows behind *cards*: writers, books, events and function cards.

    :param cards: an edition, the kit's own cards by default.
    """
    cards = cards or standard()
    return [*cards.writers, *cards.books, *card_files.events(), *cards.notes.values()]


def fact(number: int, language: str | None = None, cards: Cards | None = None) -> Parts:
    """Return one of the :func:`facts`: what it says, how it is connected, its source."""
    language = language or current_language()
    cards = cards or standard()
    row, known = facts(cards)[number], _state_facts(cards)
    values = {"year": getattr(row, "year", 0)}
    for name in ("name", "title", "author"):
        if hasattr(row, f"{name}_zh"):
            values[name] = text_of(row, name, language)
    if isinstance(row, Writer):
        values |= {"title": row.title(language), "year": row.work_year}
    elif isinstance(row, Periodical):
        values["year"] = row.founded
    parts: Parts = [
        game_text("blockade", f"evidence.fact.{type(row).__name__}", language, **values)
    ]
    parts += filter(None, [text_of(row, name, language) for name in TEXTS[type(row)]])
    parts += sentences(known, node_of(row, known), language)
    fates = fates_on(row) if isinstance(row, Writer) else []
    parts += [text_of(fate, "fate", language) for fate in fates]
    if row.source:
        sources = list_sources(*[place.source for place in (row, *fates)], language=language)
        parts.append(game_text("blockade", "evidence.fact.source", language, source=sources))
    if unsure := doubt(row):
        text_id = unsure if row.verified is None else "evidence.fact.unverified"
        parts.append(game_text("blockade", text_id, language))
    return parts


def of_model(reader: Reader) -> Parts:
    moved: Counter[str] = Counter()
    for era in reader.eras:
        for move in era.moves:
            moved[move.cause.kind] += abs(move.end - move.start)
    causes = [reader.tell(f"model.{kind}", spaces=moved[kind]) for kind in MOVING if moved[kind]]
    words = join_words(causes, reader.language) or reader.tell("model.still")
    events = [event.text for events in reader.match.events for event in events]
    return [
        reader.tell("model.moves", parts=words),
        reader.tell("model.throws", throws=events.count("throw")),
    ]


ABOUT: dict[str, Callable[[Reader], Parts]] = {
    "roles": of_roles,
    "history": of_history,
    "law": of_law,
    "paid": of_paid,
    "silence": of_silence,
    "self": of_self,
    "source": of_source,
    "model": of_model,
}
"""The functions that find evidence, by the name of the question."""
