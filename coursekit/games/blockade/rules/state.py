"""The state of a match of 文壇封鎖中, and what one seat may know of it."""

from dataclasses import dataclass
from typing import Any

from coursekit.core.game import Seat, Seen

NOBODY: Seat = -1
"""The seat of what no player did."""
NOTHING = -1
"""No card, no role."""
HIDDEN = -2
"""Stands for a card that another player has chosen face down."""
O, X = "O", "X"
"""The faces of the die."""

Action = str | tuple[str, int]
Step = list[Any]
"""Something still to do: a name, then ints and strings, such as ``["forward", 2, seat]``."""


@dataclass(slots=True)
class State:
    """Everything, hidden things included.  Lists about players are by seat."""

    steps: list[Step]  # still to do, the next one last; a step that asks a player waits there
    era: int  # 1 to 4
    turns: int  # finished in this era
    quiet: int  # turns since a marker last went forward
    turn: Seat
    roles: list[int]
    hands: list[list[int]]  # each ascending
    tables: list[list[int]]  # writers in front of each player, the oldest first
    books: tuple[tuple[int, ...], ...]  # on the role cards
    spares: tuple[tuple[int, ...], ...]  # spare licences that lie open
    deck: list[int]  # experience cards face down, the top last
    discards: list[int]  # experience cards face up, the last one last
    reshuffled: tuple[
        int, ...
    ]  # the discards of which the last action made a new deck, the last one last
    book_deck: list[int]  # face down, the top last
    under: int  # number of publicly known cards at the bottom of book_deck
    removed: tuple[int, ...]  # book cards out of play for the rest of the era
    positions: list[int]  # spaces from the start of the era
    points: list[int]
    by_era: tuple[tuple[int, ...], ...]  # the points of each finished era
    fired: tuple[
        tuple[int, Seat], ...
    ]  # events, and seats that triggered them, in this era; NOBODY at its start
    covered: list[int]  # 1 for a seat behind a false cover
    skip: list[int]  # 1 for a seat that skips its next phase 2
    sure: int  # 1 if the launching roll of this turn counts as O
    lifted: int  # 1 once martial law is lifted
    outspoken: int  # 1 once every launching roll of a pen counts as O
    fresh: int  # 1 while the player may still freshen up
    shown: int  # the writer card that decided who began this era, or NOTHING
    revealed: tuple[
        int, ...
    ]  # the book cards turned up in the last action with a search, of all its searches
    die: str  # the last throw: O, X or ""
    known: list[list[int]]  # by seat, a spectator last: the cards it knows in other hands
    won: tuple[Seat, ...]

    @property
    def phase(self) -> str:
        """What is being decided, "over" at the end."""
        return str(self.steps[-1][0]) if self.steps else "over"

    def then(self, *steps: Step) -> None:
        """Do these *steps* next, in this order, before all that is still to do."""
        self.steps += reversed(steps)


def with_card(
    piles: tuple[tuple[int, ...], ...], seat: Seat, card: int
) -> tuple[tuple[int, ...], ...]:
    """Return *piles* with *card* on that of *seat*."""
    return (*piles[:seat], (*piles[seat], card), *piles[seat + 1 :])


def without_card(piles: tuple[tuple[int, ...], ...], card: int) -> tuple[tuple[int, ...], ...]:
    """Return *piles* with *card* on none of them."""
    return tuple([tuple([other for other in pile if other != card]) for pile in piles])


@dataclass(slots=True, repr=False)
class Observation(Seen):
    """What one seat may know; fields as in :class:`State` unless noted."""

    legal: tuple[Action, ...]
    steps: tuple[tuple[Any, ...], ...]  # HIDDEN for cards that others have chosen face down
    era: int
    turns: int
    quiet: int
    turn: Seat
    roles: tuple[int, ...]
    hand: tuple[int, ...]
    open_hands: tuple[tuple[int, ...], ...]  # by seat, if all hands are open, () otherwise
    held: tuple[int, ...]  # cards in each hand
    known: tuple[tuple[int, ...], ...]  # by seat: the cards in its hand that this seat knows
    tables: tuple[tuple[int, ...], ...]
    books: tuple[tuple[int, ...], ...]
    spares: tuple[tuple[int, ...], ...]
    deck: int  # number of cards
    discards: tuple[int, ...]
    reshuffled: tuple[int, ...]
    book_deck: int  # number of cards
    under: tuple[int, ...]  # known cards at the bottom, the lowest first
    peek: tuple[
        int, ...
    ]  # the top cards of the book deck that this seat is looking at, the top last
    removed: tuple[int, ...]
    positions: tuple[int, ...]
    goal: int  # spaces from the start to the end of this era
    points: tuple[int, ...]
    by_era: tuple[tuple[int, ...], ...]
    fired: tuple[tuple[int, Seat], ...]
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
