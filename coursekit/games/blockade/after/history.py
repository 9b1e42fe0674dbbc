"""What happened in a match of 文壇封鎖中, era by era, and why: data without words.

Everything is read off the events of the match; the rules are not asked again. Every item has the
number of its log entry; :func:`choices` tells to which turn an entry belongs.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from coursekit.core.game import TABLE, Event, Seat
from coursekit.core.match import replay
from coursekit.games.blockade.rules.card_codes import CENSORS, LIFTING
from coursekit.games.blockade.rules.state import NOBODY, State

if TYPE_CHECKING:
    from coursekit.core.match import Match
    from coursekit.games.blockade.rules.game import Blockade

BOOK, FUNCTION, EVENT, SEARCH, PROTEST, EXCHANGE = (
    "book",
    "function",
    "event",
    "search",
    "protest",
    "exchange",
)
"""Causes: a new book card, a function card, an event of the track, a search (查禁, 告密), a protest, an
exchange.
"""

COVERED, NOT_LAUNCHED, KEPT, TAKEN = "covered", "not_launched", "kept", "taken"
"""Outcomes of an attempt: the target is behind a false cover, the first throw fails, the second
fails, or none.
"""

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

    kind: str  # BOOK, FUNCTION, EVENT, SEARCH, PROTEST or EXCHANGE
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
    starter: Seat
    goal: int  # spaces from its beginning to its end
    begins: int  # the first log entry in it
    positions: list[int]
    moves: list[Move] = field(default_factory=list)
    attempts: list[Attempt] = field(default_factory=list)
    gains: list[Gain] = field(default_factory=list)
    losses: list[Loss] = field(default_factory=list)
    happenings: list[Happening] = field(default_factory=list)
    saved: list[tuple[int, Seat]] = field(
        default_factory=list
    )  # (entry, seat) of spare licences used
    ended: str = ""  # "corner", "stall", "limit"; "" while it runs
    points: list[int] = field(default_factory=list)  # by seat, once it has ended
    lifted: int | None = (
        None  # the entry that lifted martial law, or that began an era in which it was already
    )


def eras(match: "Match") -> list[Era]:
    """Return the eras of *match* so far, in order."""
    told = _Reader(match.game)  # type: ignore[arg-type]
    for entry, events in enumerate([match.opening, *match.events], -1):
        action = match.log[entry][1] if entry >= 0 else ""
        told.entry, told.verb = entry, action if isinstance(action, str) else action[0]
        told.forced = told.verb in ("drop", "rival", "lose")
        for event in events:
            told.read(event)
    return told.eras


class _Reader:
    """Reads the events of a match one by one; what came before tells the cause of what follows."""

    def __init__(self, game: "Blockade") -> None:
        self.game = game
        self.eras: list[Era] = []
        self.entry, self.verb = TABLE, ""
        self.forced = False  # whether a card discarded now is given up by force
        self.cause = self.source = Cause("")
        self.attempt: Attempt | None = None  # one whose throws are still to come

    def read(self, event: Event) -> None:
        """Add what *event* tells."""
        kind, _, part = event.text.partition(".")
        if tell := getattr(self, f"on_{kind}", None):
            tell(part, **event.values)

    @property
    def now(self) -> Era:
        return self.eras[-1]

    def on_era_begins(self, _: str, era: int) -> None:
        n = self.game.players
        roles = self.eras[-1].roles[:] if self.eras else [NOBODY] * n
        self.eras.append(Era(era, roles, NOBODY, self.game.goal(era), self.entry + 1, [0] * n))

    def on_lifted_before(self, _: str) -> None:
        self.now.lifted = self.entry

    def on_role_is(self, _: str, seat: Seat, role: int) -> None:
        self.now.roles[seat] = role

    def on_starter(self, _: str, seat: Seat, **values: Any) -> None:
        self.now.starter = seat

    def on_era_ends(self, why: str, **values: Any) -> None:
        self.now.ended, self.now.points = why, [0] * self.game.players

    def on_points(self, _: str, seat: Seat, points: int, **values: Any) -> None:
        self.now.points[seat] = points

    # Causes

    def on_exchange(self, _: str, seat: Seat) -> None:
        self.source = Cause(EXCHANGE, by=seat)

    def on_read(self, _: str, seat: Seat, card: int) -> None:
        self.cause = Cause(FUNCTION, self.game.cards.functions[card], seat)
        if self.cause.thing in GIVING:
            self.source = self.cause

    def on_happens(self, _: str, event: int) -> None:
        before = [each.seat for each in self.now.happenings if each.event == event]
        coming = [seat for seat in self._entering(event) if seat not in before]
        self.now.happenings.append(Happening(self.entry, event, coming[0] if coming else NOBODY))
        self.cause, self.forced = Cause(EVENT, event), True
        if event == LIFTING and self.now.lifted is None:  # it may happen again for another player
            self.now.lifted = self.entry
        if event in GIVES_BOOKS:
            self.source = self.cause

    def _entering(self, event: int) -> list[Seat]:
        """Return the seats that came to the space of *event* in this era, in order."""
        o = self.game.options
        year = o.lifting_year if event == LIFTING else event
        space = year - self.game.year(self.now.number, 0)
        nudged = Cause(EVENT, NUDGE)
        moves = [
            each
            for each in self.now.moves
            if each.start < space <= each.end and each.cause != nudged
        ]
        return [each.seat for each in moves if o.event_on == "pass" or each.end == space]

    # Markers

    def on_forward(self, _: str, seat: Seat, steps: int, **values: Any) -> None:
        self._move(seat, self.now.positions[seat] + steps)

    def on_corner(self, _: str, seat: Seat) -> None:
        self._move(seat, self.now.goal)

    def on_back(self, _: str, seat: Seat, steps: int, **values: Any) -> None:
        self._move(seat, self.now.positions[seat] - steps)

    on_back_to_start = on_back

    def on_spared(self, _: str, seat: Seat) -> None:
        self.now.saved.append((self.entry, seat))

    def _move(self, seat: Seat, end: int) -> None:
        start = self.now.positions[seat]
        self.now.moves.append(Move(self.entry, seat, start, end, self.cause))
        self.now.positions[seat] = end
        if self.cause.kind in (SEARCH, PROTEST):
            done = self.now.attempts[-1]
            if seat == done.seat:
                done.gained = end - start
            else:
                done.lost = start - end

    # Phase 2

    def on_strike(self, _: str, seat: Seat, target: Seat, book: int) -> None:
        kind = SEARCH if self.now.roles[seat] in CENSORS else PROTEST
        self.attempt = Attempt(self.entry, kind, seat, target, book)
        self.now.attempts.append(self.attempt)

    def on_covered(self, _: str, **values: Any) -> None:
        self._over(COVERED)

    def on_sure(self, _: str, **values: Any) -> None:
        assert self.attempt
        self.attempt.launch = SURE

    def on_throw(self, _: str, seat: Seat, die: str) -> None:
        if self.attempt is None:
            self.cause = (
                Cause(EVENT, THROWS[self.now.number]) if self.now.number in THROWS else self.cause
            )
        elif seat == self.attempt.seat:
            self.attempt.launch = die
        else:
            self.attempt.defence = die

    def on_launch_fails(self, _: str, **values: Any) -> None:
        self._over(NOT_LAUNCHED)

    def on_defended(self, _: str, **values: Any) -> None:
        self._over(KEPT)

    def on_taken(self, _: str, seat: Seat, target: Seat, book: int) -> None:
        assert self.attempt
        self.cause = Cause(self.attempt.kind, book, seat)
        self._over(TAKEN)

    def _over(self, outcome: str) -> None:
        assert self.attempt
        self.attempt.outcome, self.attempt = outcome, None

    # Cards

    def on_takes_book(self, _: str, seat: Seat, book: int) -> None:
        self.now.gains.append(Gain(self.entry, seat, book, self.source))
        self.cause = Cause(BOOK, book, self.source.by)

    def on_lose(self, _: str, seat: Seat, card: int) -> None:
        self.now.losses.append(Loss(self.entry, seat, card, False, self.cause))

    def on_discard(self, _: str, seat: Seat, card: int) -> None:
        if self.forced:
            self.now.losses.append(Loss(self.entry, seat, card, False, self.cause))

    def on_under(self, _: str, seat: Seat, book: int) -> None:
        if self.cause.thing != "altered":
            self.now.losses.append(Loss(self.entry, seat, book, True, self.cause))


class Decision(NamedTuple):
    """A decision: what could be done, and what was done."""

    entry: int  # of the log
    era: int
    turn: int  # finished in this era before it, so 0 in the first turn
    turn_of: Seat
    phase: str
    seat: Seat  # TABLE for its own
    role: int  # of that seat, NOBODY for the table
    legal: tuple[Any, ...]
    action: Any

    @property
    def lap(self) -> int:
        """The lap of the era, 1-based."""
        return self.turn // 4 + 1


def choices(match: "Match", seats: Sequence[Seat] | None = None) -> list[Decision]:
    """Return the decisions of *seats* (all, and the table's), in order. The legal actions tell what
    they held.
    """
    found: list[Decision] = []

    def watch(now: "Match", seat: Seat, action: Any) -> None:
        if seats is None or seat in seats:
            state: State = now.state
            game: Blockade = now.game  # type: ignore[assignment]
            role = NOBODY if seat == TABLE else state.roles[seat]
            where = (len(now.log), state.era, state.turns, state.turn, state.phase)
            found.append(Decision(*where, seat, role, game.legal_actions(state, seat), action))

    replay(match.record(), game=match.game, watch=watch)
    return found


@dataclass
class Toll:
    """The cost and gain of successful searches and protests for one role, and the number it
    launched.
    """

    attempts: int = 0
    successes: int = 0
    spaces_won: int = 0
    spaces_lost: int = 0
    books_won: int = 0
    books_lost: int = 0


def toll(played: Sequence[Era]) -> list[Toll]:
    """Return the :class:`Toll` of each role, in the order of ``ROLES``."""
    found = [Toll() for _ in range(4)]
    for era in played:
        for each in era.attempts:
            attacker, target = found[era.roles[each.seat]], found[era.roles[each.target]]
            taken = each.outcome == TAKEN
            attacker.attempts += 1
            attacker.successes += taken
            attacker.books_won += taken
            target.books_lost += taken
            attacker.spaces_won += each.gained
            target.spaces_lost += each.lost
    return found
