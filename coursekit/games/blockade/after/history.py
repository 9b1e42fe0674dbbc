"""The history of a match of 文壇封鎖中: what happened era by era, and why, as data without words.

:class:`History` reads the events of a match one by one; the rules are not asked again. Evidence,
debrief and figures know a match by it alone. Every item has the number of its log entry, and
:attr:`History.decisions` says to which turn an entry belongs.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from coursekit.core.game import TABLE, Event, Seat
from coursekit.core.match import replay
from coursekit.games.blockade.rules.card_codes import BANNED, CENSORS, LIFTING, PENS, ROLES
from coursekit.games.blockade.rules.game import Blockade
from coursekit.games.blockade.rules.state import NOBODY

if TYPE_CHECKING:
    from coursekit.core.match import Match

CAUSES = ("book", "function", "event", "search", "protest", "exchange")
"""A new book card, a function card, an event, a search (查禁, 告密), a protest, an exchange."""
BOOK, FUNCTION, EVENT, SEARCH, PROTEST, EXCHANGE = CAUSES
MOVING = CAUSES[:-1]
"""Causes that move a marker."""

COVERED, NOT_LAUNCHED, KEPT, TAKEN = "covered", "not_launched", "kept", "taken"
"""Outcomes of an attempt: a false cover stops it, the first throw fails, the second, or none."""

SURE = "sure"
"""Stands for the first throw where none is needed."""

NUDGE = 1977
"""The event whose moves trigger no other event."""
THROWS = {1: 1955, 2: 1968, 3: NUDGE}
"""By era, the event that asks for throws; other events may happen before them."""
GIVES_BOOKS = (1962, 1964, 1979)
"""Events by which players get book cards; the function cards that do are ``GIVING``."""
GIVING = ("mimeograph", "bookstall", "altered", "smuggling", "first_issue")


class Cause(NamedTuple):
    """Why something happened."""

    kind: str  # one of CAUSES
    thing: int | str = ""  # the book card, the name of the function card, the event
    by: Seat = NOBODY  # the seat that did it, if any


@dataclass(slots=True)
class Move:
    """A marker that moved."""

    entry: int  # of the log; TABLE before the first
    seat: Seat
    start: int  # spaces from the beginning of the era
    end: int
    cause: Cause


@dataclass(slots=True)
class Attempt:
    """A search or a protest of phase 2, and its outcome."""

    entry: int
    kind: str  # SEARCH or PROTEST
    seat: Seat
    target: Seat
    book: int
    launch: str = ""  # the attacker's throw, O or X, or SURE; "" if there was none
    defence: str = ""  # the target's throw
    outcome: str = ""  # COVERED, NOT_LAUNCHED, KEPT, TAKEN; "" while it runs
    gained: int = 0  # spaces that the attacker went forward for it
    lost: int = 0  # spaces that the target went back


@dataclass(slots=True)
class Gain:
    """A book card that came to a player without an attempt."""

    entry: int
    seat: Seat
    book: int
    cause: Cause


@dataclass(slots=True)
class Loss:
    """A card that a player had to give up, neither in an attempt nor by playing it."""

    entry: int
    seat: Seat
    card: int  # an experience card, or a book card if it is one
    is_book: bool
    cause: Cause


@dataclass(slots=True)
class Happening:
    """An event of the track that happened."""

    entry: int
    event: int
    seat: Seat  # the seat that triggered it, NOBODY on the first space of an era


@dataclass(slots=True)
class Era:
    """One era of the match, finished or running."""

    number: int  # 1 to 4
    roles: list[int]  # by seat
    goal: int  # spaces from its beginning to its end
    begins: int  # the first log entry in it
    positions: list[int]
    moves: list[Move] = field(default_factory=list)
    attempts: list[Attempt] = field(default_factory=list)
    gains: list[Gain] = field(default_factory=list)
    losses: list[Loss] = field(default_factory=list)
    happenings: list[Happening] = field(default_factory=list)
    ended: str = ""  # "corner", "stall", "limit"; "" while it runs
    points: list[int] = field(default_factory=list)  # by seat, once it has ended
    lifted: int | None = None
    """The entry that lifted martial law, or that began an era in which it was lifted already."""

    def has(self, event: int) -> bool:
        """Return whether *event* happened in it."""
        return any(happening.event == event for happening in self.happenings)


@dataclass
class Works:
    """The fates of the works that came to the table, and of banned books."""

    placed: list[int] = field(default_factory=list)  # writer cards, in order
    paid: list[int] = field(default_factory=list)  # given up for a book card
    lost: list[int] = field(default_factory=list)  # taken off by a function card or an event
    stayed: list[int] = field(default_factory=list)  # on the table when their era ended
    lying: list[int] = field(default_factory=list)  # on the table of an era that still runs
    banned: list[int] = field(default_factory=list)  # book cards of pens when an era ended


class Decision(NamedTuple):
    """A decision: what could be done, and what was done."""

    entry: int  # of the log
    era: int
    turn: int  # finished in this era before it, so 0 in the first turn
    phase: str
    seat: Seat  # TABLE for its own
    role: int  # of that seat, NOBODY for the table
    legal: tuple[Any, ...]
    action: Any

    @property
    def lap(self) -> int:
        """The lap of the era, 1-based."""
        return self.turn // 4 + 1

    @property
    def passed(self) -> bool:
        """Whether nothing was done."""
        return bool(self.action == "pass")

    @property
    def kind(self) -> str:
        """What could be launched in phase 2: SEARCH or PROTEST."""
        return SEARCH if self.role in CENSORS else PROTEST


class History:
    """What happened in *match*, so far."""

    def __init__(self, match: "Match") -> None:
        assert isinstance(match.game, Blockade)
        self.match, self.game = match, match.game
        reader = _Reader(match.game)
        for entry, events in enumerate([match.opening, *match.events], -1):
            reader.begin(entry, match.log[entry][1] if entry >= 0 else "")
            for event in events:
                reader.read(event)
        self.eras: list[Era] = reader.eras
        """In order."""
        self.works: Works = reader.works

    def attempts(self, kind: str = "") -> list[tuple[Era, Attempt]]:
        """Return the attempts with their eras: all, or the searches or the protests."""
        pairs = [(era, attempt) for era in self.eras for attempt in era.attempts]
        return [(era, attempt) for era, attempt in pairs if kind in ("", attempt.kind)]

    @cached_property
    def decisions(self) -> list[Decision]:
        """All decisions in order, the table's included."""
        decisions: list[Decision] = []

        def watch(match: "Match", seat: Seat, action: Any) -> None:
            state, legal = match.state, self.game.legal_actions(match.state, seat)
            role = NOBODY if seat == TABLE else state.roles[seat]
            when = (len(match.log), state.era, state.turns, state.phase)
            decisions.append(Decision(*when, seat, role, legal, action))

        replay(self.match.record(), game=self.game, watch=watch)
        return decisions

    def chances(self, seats: Sequence[Seat]) -> list[Decision]:
        """Return the chances that *seats* had to launch an attempt, taken or not."""
        here = [decision for decision in self.decisions if decision.seat in seats]
        return [decision for decision in here if decision.phase == "strike"]


class _Reader:
    """Reads the events of a match one by one; what came before tells the cause of what follows."""

    def __init__(self, game: Blockade) -> None:
        self.game = game
        self.eras: list[Era] = []
        self.works = Works()
        self.entry = TABLE
        self.forced = False  # whether a card discarded now is given up by force
        self.cause = self.source = Cause("")
        self.attempt: Attempt | None = None  # one whose throws are still to come
        self.owners: dict[int, Seat] = {}  # by book card

    @property
    def era(self) -> Era:
        return self.eras[-1]

    def begin(self, entry: int, action: Any) -> None:
        """Begin to read what *action* did, the log entry number *entry*."""
        self.entry = entry
        self.forced = isinstance(action, tuple) and action[0] in ("drop", "rival", "lose")

    def read(self, event: Event) -> None:
        """Add what *event* says to all parts of the history."""
        kind, _, part = event.text.partition(".")
        values = event.values
        self._read_course(kind, part, values)
        self._read_cause(kind, values)
        self._read_attempt(kind, values)
        self._read_move(kind, values)
        self._read_cards(kind, values)
        self._read_works(event.text, kind, values)

    def _read_course(self, kind: str, part: str, values: Any) -> None:
        match kind:
            case "era_begins":
                number, n = values["era"], self.game.players
                roles = self.era.roles[:] if self.eras else [NOBODY] * n
                goal = self.game.goal(number)
                self.eras.append(Era(number, roles, goal, self.entry + 1, [0] * n))
            case "role_is":
                self.era.roles[values["seat"]] = values["role"]
            case "lifted_before":
                self.era.lifted = self.entry
            case "era_ends":
                self.era.ended = part
                self.era.points = [0] * self.game.players
            case "points":
                self.era.points[values["seat"]] = values["points"]

    def _read_cause(self, kind: str, values: Any) -> None:
        match kind:
            case "exchange":
                self.source = Cause(EXCHANGE, by=values["seat"])
            case "read":
                name = self.game.cards.functions[values["card"]]
                self.cause = Cause(FUNCTION, name, values["seat"])
                if name in GIVING:
                    self.source = self.cause
            case "throw" if self.attempt is None and self.era.number in THROWS:
                self.cause = Cause(EVENT, THROWS[self.era.number])
            case "happens":
                self._read_happening(values["event"])

    def _read_happening(self, event: int) -> None:
        era = self.era
        known = [happening.seat for happening in era.happenings if happening.event == event]
        seats = [seat for seat in self._entering(event) if seat not in known]
        era.happenings.append(Happening(self.entry, event, seats[0] if seats else NOBODY))
        self.cause = Cause(EVENT, event)
        self.forced = True
        if event == LIFTING and era.lifted is None:  # it may happen again for another player
            era.lifted = self.entry
        if event in GIVES_BOOKS:
            self.source = self.cause

    def _entering(self, event: int) -> list[Seat]:
        """Return the seats that came to the space of *event* in this era, in order."""
        o = self.game.options
        year = o.lifting_year if event == LIFTING else event
        space = year - self.game.year(self.era.number, 0)
        seats = []
        for move in self.era.moves:
            passed = o.event_on == "pass" or move.end == space
            if move.start < space <= move.end and passed and move.cause != Cause(EVENT, NUDGE):
                seats.append(move.seat)
        return seats

    def _read_attempt(self, kind: str, values: Any) -> None:
        if kind == "strike":
            seat = values["seat"]
            deed = SEARCH if self.era.roles[seat] in CENSORS else PROTEST
            self.attempt = Attempt(self.entry, deed, seat, values["target"], values["book"])
            self.era.attempts.append(self.attempt)
        if not self.attempt:
            return
        outcomes = {"covered": COVERED, "launch_fails": NOT_LAUNCHED, "defended": KEPT}
        match kind:
            case "sure":
                self.attempt.launch = SURE
            case "throw" if values["seat"] == self.attempt.seat:
                self.attempt.launch = values["die"]
            case "throw":
                self.attempt.defence = values["die"]
            case "taken":
                self.attempt.outcome = TAKEN
                self.cause = Cause(self.attempt.kind, values["book"], values["seat"])
            case _ if kind in outcomes:
                self.attempt.outcome = outcomes[kind]
        if self.attempt.outcome:
            self.attempt = None

    def _read_move(self, kind: str, values: Any) -> None:
        if kind not in ("forward", "corner", "back", "back_to_start"):
            return
        era, seat = self.era, values["seat"]
        start = era.positions[seat]
        if kind == "corner":
            end = era.goal
        else:
            end = start + values["steps"] * (1 if kind == "forward" else -1)
        era.moves.append(Move(self.entry, seat, start, end, self.cause))
        era.positions[seat] = end
        if self.cause.kind in (SEARCH, PROTEST):
            attempt = era.attempts[-1]
            if seat == attempt.seat:
                attempt.gained = end - start
            else:
                attempt.lost = start - end

    def _read_cards(self, kind: str, values: Any) -> None:
        era = self.era
        match kind:
            case "takes_book":
                seat, book = values["seat"], values["book"]
                era.gains.append(Gain(self.entry, seat, book, self.source))
                self.cause = Cause(BOOK, book, self.source.by)
            case "lose" | "discard" if kind == "lose" or self.forced:
                loss = Loss(self.entry, values["seat"], values["card"], False, self.cause)
                era.losses.append(loss)
            case "under" if self.cause.thing != "altered":
                loss = Loss(self.entry, values["seat"], values["book"], True, self.cause)
                era.losses.append(loss)

    def _read_works(self, text: str, kind: str, values: Any) -> None:
        works = self.works
        match kind:
            case "place" | "flip" if text != "flip.discard":
                works.placed.append(values["card"])
                works.lying.append(values["card"])
            case "pay" | "lose" if values["card"] in works.lying:
                works.lying.remove(values["card"])
                (works.paid if kind == "pay" else works.lost).append(values["card"])
            case "era_begins" if self.game.options.carry_over != "hands_books":
                self.owners.clear()
            case "takes_book" | "taken":
                self.owners[values["book"]] = values["seat"]
            case "under":
                self.owners.pop(values["book"], None)
            case "era_ends":
                works.stayed += works.lying
                works.lying.clear()
                for book, seat in self.owners.items():
                    banned = self.game.cards.book_kinds[book] == BANNED
                    if banned and self.era.roles[seat] in PENS:
                        works.banned.append(book)


@dataclass
class Toll:
    """What attempts that succeeded brought and cost one role, and how many it launched."""

    attempts: int = 0
    successes: int = 0
    spaces_won: int = 0
    spaces_lost: int = 0
    books_won: int = 0
    books_lost: int = 0


def add_tolls(histories: Sequence[History]) -> list[Toll]:
    """Return the :class:`Toll` of each role in all matches, in the order of ``ROLES``."""
    tolls = [Toll() for _ in ROLES]
    for history in histories:
        for era, attempt in history.attempts():
            attacker, target = tolls[era.roles[attempt.seat]], tolls[era.roles[attempt.target]]
            taken = attempt.outcome == TAKEN
            attacker.attempts += 1
            attacker.successes += taken
            attacker.books_won += taken
            target.books_lost += taken
            attacker.spaces_won += attempt.gained
            target.spaces_lost += attempt.lost
    return tolls
