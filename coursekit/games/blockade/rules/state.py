"""The state of a match of 文壇封鎖中, and what one seat may know of it."""

from dataclasses import dataclass, field
from typing import Any

from coursekit.core.game import CommonObservation, Seat

NOBODY: Seat = -1
"""The seat of what no player did."""
NOTHING = -1
"""No card, no role."""
HIDDEN = -2
"""Stands for a card that another player has chosen face down."""
O, X = "O", "X"
"""The faces of the die."""

Action = str | tuple[str, int]
Piles = tuple[tuple[int, ...], ...]
"""Cards by seat."""
Fired = tuple[tuple[int, Seat], ...]
Step = list[Any]
"""Something still to do: a name, then ints and strings, such as ``["forward", 2, seat]``."""


@dataclass(slots=True)
class State:
    """Everything, hidden things included.  Lists about players are by seat.

    The defaults stand for the time before the first era.
    """

    steps: list[Step] = field(
        default_factory=list
    )  # still to do, the next one last; a step that asks a player waits there
    era: int = 0  # 1 to 4
    turns: int = 0  # finished in this era
    quiet: int = 0  # turns since a marker last went forward
    turn: Seat = NOBODY
    roles: list[int] = field(default_factory=list)
    hands: list[list[int]] = field(default_factory=list)  # each ascending
    tables: list[list[int]] = field(default_factory=list)  # writers in front, the oldest first
    books: Piles = ()  # on the role cards
    spares: Piles = ()  # spare licences that lie open
    deck: list[int] = field(default_factory=list)  # experience cards face down, the top last
    discards: list[int] = field(default_factory=list)  # experience cards face up, the last one last
    reshuffled: tuple[int, ...] = ()
    """The discards of which the last action made a new deck, the last one last."""
    book_deck: list[int] = field(default_factory=list)  # face down, the top last
    under: int = 0  # number of publicly known cards at the bottom of book_deck
    removed: tuple[int, ...] = ()  # book cards out of play for the rest of the era
    positions: list[int] = field(default_factory=list)  # spaces from the start of the era
    points: list[int] = field(default_factory=list)
    by_era: tuple[tuple[int, ...], ...] = ()  # the points of each finished era
    fired: Fired = ()  # events of this era and the seats that triggered them, NOBODY at its start
    covered: list[int] = field(default_factory=list)  # 1 for a seat behind a false cover
    skip: list[int] = field(default_factory=list)  # 1 for a seat that skips its next phase 2
    sure: int = 0  # 1 if the launching roll of this turn counts as O
    lifted: int = 0  # 1 once martial law is lifted
    outspoken: int = 0  # 1 once every launching roll of a pen counts as O
    fresh: int = 0  # 1 while the player may still freshen up
    shown: int = NOTHING  # the writer card that decided who began this era, or NOTHING
    revealed: tuple[int, ...] = ()  # the book cards turned up by the last action that searched
    die: str = ""  # the last throw: O, X or ""
    known: list[list[int]] = field(
        default_factory=list
    )  # by seat, a spectator last: the cards it knows in other hands
    won: tuple[Seat, ...] = ()

    @property
    def phase(self) -> str:
        """What is being decided, "over" at the end."""
        return str(self.steps[-1][0]) if self.steps else "over"

    def owner(self, book: int) -> Seat:
        """Return the seat that has a book card."""
        return next(seat for seat, books in enumerate(self.books) if book in books)

    def then(self, *steps: Step) -> None:
        """Do these *steps* next, in this order, before all that is still to do."""
        self.steps += reversed(steps)


def with_card(piles: Piles, seat: Seat, card: int) -> Piles:
    """Return *piles* with *card* on that of *seat*."""
    return (*piles[:seat], (*piles[seat], card), *piles[seat + 1 :])


def without_card(piles: Piles, card: int) -> Piles:
    """Return *piles* with *card* on none of them."""
    return tuple([tuple([other for other in pile if other != card]) for pile in piles])


OPEN = tuple(
    "era turns quiet turn books spares reshuffled removed by_era fired sure lifted outspoken"
    " fresh shown revealed die won".split()
)
OPEN_LISTS = tuple("roles discards positions points covered skip".split())
"""Fields that all seats see as they are; an observation has tuples for lists."""


@dataclass(slots=True, repr=False)
class Observation(CommonObservation):
    """What one seat may know; fields as in :class:`State` unless noted."""

    legal: tuple[Action, ...]
    steps: tuple[tuple[Any, ...], ...]  # HIDDEN for cards that others have chosen face down
    era: int
    turns: int
    quiet: int
    turn: Seat
    roles: tuple[int, ...]
    hand: tuple[int, ...]
    open_hands: Piles  # by seat, if all hands are open, () otherwise
    held: tuple[int, ...]  # cards in each hand
    known: Piles  # by seat: the cards in its hand that this seat knows
    tables: Piles
    books: Piles
    spares: Piles
    deck: int  # number of cards
    discards: tuple[int, ...]
    reshuffled: tuple[int, ...]
    book_deck: int  # number of cards
    under: tuple[int, ...]  # known cards at the bottom, the lowest first
    peek: tuple[int, ...]  # the cards of the book deck that this seat looks at, the top last
    removed: tuple[int, ...]
    positions: tuple[int, ...]
    goal: int  # spaces from the start to the end of this era
    points: tuple[int, ...]
    by_era: tuple[tuple[int, ...], ...]
    fired: Fired
    covered: tuple[int, ...]
    skip: tuple[int, ...]
    sure: int
    lifted: int
    outspoken: int
    fresh: int
    shown: int
    revealed: tuple[int, ...]
    die: str
    won: tuple[Seat, ...]  # () while the match runs

    @property
    def words(self) -> tuple[Any, ...]:
        """The part of the asking step after its name and seat."""
        return self.steps[-1][2:]

    @property
    def role(self) -> int:
        """The role of the seat that looks, NOTHING for a spectator."""
        return NOTHING if self.seat is None else self.roles[self.seat]

    @property
    def lap(self) -> int:
        """The lap of this era, 1-based."""
        return self.turns // self.players + 1

    @property
    def distance(self) -> tuple[int, ...]:
        """Spaces left to the end of the era, by seat."""
        return tuple(self.goal - position for position in self.positions)
