"""What a reader did in a match of 文壇封鎖中, shown below the questions: counts and moments, no
judgement.

:func:`evidence` is what :mod:`coursekit.reflect` asks. It tells of the reader's own decisions and
of what lies open on the table, never of other hands.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from coursekit.core.chance import shuffle, stream
from coursekit.core.game import Seat
from coursekit.figures import INK, PALETTE, Picture, picture
from coursekit.games.blockade.after.card_network import Stated, person, sentences, stated
from coursekit.games.blockade.after.figures import timeline, who_paid
from coursekit.games.blockade.after.history import (
    BOOK,
    EVENT,
    FUNCTION,
    PROTEST,
    SEARCH,
    TAKEN,
    Decision,
    choices,
    eras,
    toll,
)
from coursekit.games.blockade.rules import card_files
from coursekit.games.blockade.rules.card_codes import BANNED, LIFTING, Cards, standard
from coursekit.games.blockade.rules.card_facts import (
    BannedBook,
    EventNote,
    Periodical,
    Writer,
    doubt,
    in_language,
    listed,
)
from coursekit.games.blockade.rules.card_files import fates_on
from coursekit.games.blockade.rules.game import Blockade
from coursekit.words.texts import game_text, join_words, seat_name

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from coursekit.core.match import Match

Shown = list[str | Picture]
AGAIN = {"source": "evidence.draw"}
"""The question that draws lots -> the text of the button that draws again."""
AGAINST = ("summons", "mail_check", "denunciation", "torn_page", "suspension")
"""Function cards that are played against another player."""
CAUSES = (BOOK, FUNCTION, EVENT, SEARCH, PROTEST)


class Reader:
    """A match, and the seats and language of its reader."""

    def __init__(self, match: "Match", seats: Sequence[Seat], language: str) -> None:
        assert isinstance(match.game, Blockade)
        self.match, self.seats, self.language = match, seats, language
        self.game = match.game
        self.played = eras(match)
        self.names = [seat_name(seat, language, match.names) for seat in match.game.seats]
        if len(seats) == 1:
            self.names[seats[0]] = game_text(self.game, "evidence.you", language)

    def tell(self, id: str, **values: Any) -> str:
        """Return the sentence *id* of the texts about evidence."""
        return game_text(self.game, f"evidence.{id}", self.language, self.names, **values)


def evidence(
    name: str, match: "Match", seats: Sequence[Seat], language: str, draw: int = 0
) -> Shown:
    """Return the sentences and pictures to show below the question *name*; ``[]`` for none.

    :param seats: whose deeds are told.
    :param draw: which card is drawn, where one is; raised by one each time the reader draws anew.
    """
    about = ABOUT.get(name)
    return about(Reader(match, seats, language), draw) if about else []


def of_roles(reader: Reader, draw: int) -> Shown:
    shown: Shown = []
    for era in reader.played:
        for seat in reader.seats:
            values = {
                "era": era.number,
                "seat": seat,
                "role": era.roles[seat],
                "spaces": era.positions[seat],
            }
            told = {"points": era.points[seat]} if era.ended else {}
            shown.append(reader.tell("roles.ended" if told else "roles.runs", **values, **told))
    return shown


def of_history(reader: Reader, draw: int) -> Shown:
    era = reader.played[-1]
    by = [(each.event, each.seat) for each in era.happenings]
    told: Shown = [reader.tell("history.none", era=era.number)] if not by else []
    for event, seat in by:
        if seat >= 0:
            told.append(reader.tell("history.by", event=event, seat=seat, role=era.roles[seat]))
        else:
            told.append(reader.tell("history.start", event=event))
    return [*told, reader.tell("history.apart"), timeline(reader.match, reader.language)]


def of_law(reader: Reader, draw: int) -> Shown:
    shown: Shown = []
    for kind in (SEARCH, PROTEST):
        tried = [each for era in reader.played for each in era.attempts if each.kind == kind]
        sure = sum(each.launch == "sure" for each in tried)
        shown.append(
            reader.tell(
                f"law.{kind}",
                tried=len(tried),
                taken=sum(each.outcome == TAKEN for each in tried),
                sure=sure,
                lost=sum(each.lost for each in tried),
            )
        )
    for era in reader.played:
        if era.lifted is not None:
            when = (
                "lifted"
                if any(each.event == LIFTING for each in era.happenings)
                else "lifted_before"
            )
            count = sum(each.entry >= era.lifted for each in era.attempts)
            shown.append(reader.tell(f"law.{when}", era=era.number, count=count))
    return shown


def of_paid(reader: Reader, draw: int) -> Shown:
    shown: Shown = []
    for seat in reader.seats:
        mine = [each for era in reader.played for each in era.attempts if each.seat == seat]
        at_me = [each for era in reader.played for each in era.attempts if each.target == seat]
        taken, lost = ([each for each in tried if each.outcome == TAKEN] for tried in (mine, at_me))
        shown.append(
            reader.tell(
                "paid.mine",
                seat=seat,
                tried=len(mine),
                taken=len(taken),
                won=sum(each.gained for each in taken),
            )
        )
        shown.append(
            reader.tell(
                "paid.at_me",
                seat=seat,
                tried=len(at_me),
                taken=len(lost),
                back=sum(each.lost for each in lost),
            )
        )
        losses = Counter(
            each.cause.thing for era in reader.played for each in era.losses if each.seat == seat
        )
        shown += [
            reader.tell("paid.lost", seat=seat, cause=_cause(reader, thing), cards=count)
            for thing, count in losses.items()
        ]
    return [*shown, who_paid(toll(reader.played), reader.language)]


def _cause(reader: Reader, thing: int | str) -> str:
    """Return the name of a function card or an event."""
    if isinstance(thing, str):
        return reader.tell("card", function=thing)
    return reader.tell("event", event=thing)


def of_silence(reader: Reader, draw: int) -> Shown:
    chances = [each for each in choices(reader.match, reader.seats) if each.phase == "strike"]
    if not chances:
        return [reader.tell("silence.none")]
    shown: Shown = []
    for seat in reader.seats:
        mine = [each for each in chances if each.seat == seat]
        passed = [each for each in mine if each.action == "pass"]
        shown.append(reader.tell("silence.each", seat=seat, chances=len(mine), passed=len(passed)))
        shown += [
            reader.tell("silence.moment", era=each.era, lap=each.lap, role=each.role)
            for each in passed[:5]
        ]
    return [*shown, chances_picture(reader, chances)]


def chances_picture(reader: Reader, chances: Sequence[Decision]) -> Picture:
    """Return a picture of each chance of phase 2, lap by lap: taken or passed."""
    numbers = [each.number for each in reader.played]
    rows = [(number, seat) for number in numbers for seat in reader.seats]
    labels = [reader.tell("silence.row", era=number, seat=seat) for number, seat in rows]

    def draw() -> "Figure":
        from matplotlib import pyplot
        from matplotlib.ticker import MaxNLocator

        figure, axes = pyplot.subplots(figsize=(5.6, 1.7 + 0.42 * len(rows)))
        for passed, colour, words in ((False, PALETTE[0], "launched"), (True, "white", "passed")):
            found = [each for each in chances if (each.action == "pass") == passed]
            axes.plot(
                [each.lap for each in found],
                [rows.index((each.era, each.seat)) for each in found],
                "o",
                color=colour,
                markeredgecolor=INK,
                markersize=9,
                label=reader.tell(f"silence.{words}"),
            )
        axes.set(
            yticks=range(len(rows)),
            yticklabels=labels,
            ylim=(len(rows) - 0.5, -0.5),
            xlim=(0.5, None),
        )
        axes.set_xlabel(reader.tell("silence.x"))
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        figure.legend(loc="outside upper center", ncols=2)
        return figure

    passed_there = Counter((each.era, each.seat) for each in chances if each.action == "pass")
    all_there = Counter((each.era, each.seat) for each in chances)
    told = [
        reader.tell("silence.alt", row=label, chances=all_there[row], passed=passed_there[row])
        for label, row in zip(labels, rows)
    ]
    return picture(draw, " ".join(told), reader.tell("silence.caption"), reader.language)


def of_self(reader: Reader, draw: int) -> Shown:
    shown: Shown = []
    decided = choices(reader.match, reader.seats)
    turns = [each for each in decided if each.phase == "main"]
    at_once = {
        (each.seat, each.era, each.turn)
        for each in decided
        if each.phase == "exchange" and each.action == "exchange"
    }
    kinds, usable = reader.game.cards.functions, reader.game.usable
    for seat in reader.seats:
        mine = [each for each in turns if each.seat == seat]
        last = {
            (each.era, each.turn): each for each in mine
        }.values()  # the end of each turn, after changing cards
        could = Counter(kind for each in last for kind in {*_functions(each, kinds)})
        played = Counter(
            kinds[each.action[1]] for each in last if _plays(each.action) and kinds[each.action[1]]
        )
        shown += [
            reader.tell(
                "self.against",
                seat=seat,
                card=reader.tell("card", function=kind),
                turns=could[kind],
                played=played[kind],
            )
            for kind in AGAINST
            if could[kind]
        ]
        kept = sum(
            any(_plays(action) and action[1] in usable[each.era] for action in each.legal)
            and not (_plays(each.action) and not kinds[each.action[1]])
            for each in last
        )
        swaps = sum(
            "exchange" in each.legal
            and each.action != "exchange"
            and (seat, each.era, each.turn) not in at_once
            for each in last
        )
        shown.append(
            reader.tell("self.writers", seat=seat, turns=len(last), kept=kept, swaps=swaps)
        )
        held = [each.book for era in reader.played for each in era.gains if each.seat == seat]
        banned = sum(reader.game.cards.book_kinds[book] == BANNED for book in held)
        seized = sum(
            each.target == seat and each.outcome == TAKEN and each.kind == SEARCH
            for era in reader.played
            for each in era.attempts
        )
        shown += (
            [reader.tell("self.banned", seat=seat, banned=banned, seized=seized)] if banned else []
        )
    return shown


def _plays(action: Any) -> bool:
    return isinstance(action, tuple) and action[0] == "play"


def _functions(each: Decision, kinds: Sequence[str]) -> list[str]:
    """Return the kinds of the function cards that could be played."""
    return [kinds[action[1]] for action in each.legal if _plays(action) and kinds[action[1]]]


def of_source(reader: Reader, draw: int) -> Shown:
    cards = reader.game.cards
    order = list(range(len(facts(cards))))
    shuffle(stream(str(draw // len(order)), "draw"), order)
    return fact(order[draw % len(order)], reader.language, cards)


@lru_cache(maxsize=4)
def _stated(cards: Cards) -> Stated:
    return stated(cards)


def facts(cards: Cards | None = None) -> list[Any]:
    """Return the rows behind *cards*: writers, periodicals, banned books, events and function
    cards.

    :param cards: an edition, the kit's own cards by default.
    """
    cards = cards or standard()
    return [
        *cards.writers,
        *cards.periodicals,
        *cards.banned,
        *card_files.events(),
        *cards.notes.values(),
    ]


def fact(number: int, language: str, cards: Cards | None = None) -> Shown:
    """Return one of the :func:`facts`: what it says, how it is connected, its source."""
    row, known = facts(cards)[number], _stated(cards or standard())
    node, values, more = _row(row, known, language)
    told: Shown = [game_text("blockade", f"evidence.fact.{type(row).__name__}", language, **values)]
    told += filter(None, more)
    told += sentences(known, node, language)
    fates = fates_on(row) if isinstance(row, Writer) else []
    told += [in_language(fate.fate_zh, fate.fate_en, language) for fate in fates]
    if row.source:
        sources = listed(*(each.source for each in (row, *fates)), language=language)
        told.append(game_text("blockade", "evidence.fact.source", language, source=sources))
    if id := doubt(row):
        told.append(
            game_text(
                "blockade", id if row.verified is None else "evidence.fact.unverified", language
            )
        )
    return told


def _row(row: Any, known: Stated, language: str) -> tuple[str, dict[str, Any], list[str]]:
    """Return the node of a *row* in what is *known*, the values of its sentence, and its further
    text.
    """

    def word(field: str) -> str:
        return in_language(getattr(row, f"{field}_zh"), getattr(row, f"{field}_en", ""), language)

    if isinstance(row, Writer):
        told = [word("note")]
        return (
            person(known, row.name_zh),
            {"name": word("name"), "title": row.title(language), "year": row.work_year},
            told,
        )
    if isinstance(row, Periodical):
        return (
            f"periodical:{row.title_zh}",
            {"title": word("title"), "year": row.founded},
            [word("note")],
        )
    if isinstance(row, BannedBook):
        told = [word("reason"), word("note")]
        return f"banned:{row.title_zh}", {"title": word("title"), "author": word("author")}, told
    if isinstance(row, EventNote):
        return (
            f"event:{row.year}",
            {"name": word("name"), "year": row.year},
            [word("summary"), word("note")],
        )
    return f"function:{row.id}", {"name": word("name")}, [word("tied_to")]


def of_model(reader: Reader, draw: int) -> Shown:
    moves = [each for era in reader.played for each in era.moves]
    parts = []
    for kind in CAUSES:
        spaces = sum(abs(each.end - each.start) for each in moves if each.cause.kind == kind)
        parts += [reader.tell(f"model.{kind}", spaces=spaces)] if spaces else []
    throws = sum(text.text == "throw" for events in reader.match.events for text in events)
    listed = join_words(parts, reader.language) or reader.tell("model.still")
    return [reader.tell("model.moves", parts=listed), reader.tell("model.throws", throws=throws)]


ABOUT: dict[str, Callable[[Reader, int], Shown]] = {
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
