"""The state of a match of 維基百科 vs 書籍, and what one seat may know of it."""

from dataclasses import dataclass

from coursekit.core.game import CommonObservation, Seat
from coursekit.games.wikipedia.rules.cards import KINDS, NUMBER

NOBODY: Seat = -1


@dataclass(slots=True)
class State:
    """Everything, hidden things included."""

    phase: str  # "write", "move", "cure", "roll", "repair", "drop", "result" or "over"
    starter: Seat  # began this 局
    turn: Seat
    hands: list[list[str]]  # each in alphabetical order
    deck: list[str]  # face down, the top last
    seen: list[int]  # discard pile: cards that all have seen, by kind
    thrown: list[list[int]]  # discard pile: cards thrown away unseen, by seat and then by kind
    roles: list[str]  # of each seat
    role_deck: list[str]  # face down, the top last
    role_discards: tuple[str, ...]
    work: str  # WIKI, BOOK or ""
    author: Seat  # of the work, or NOBODY
    user: Seat  # whose USE lies on the table, or NOBODY
    vandal: Seat  # whose VANDAL lies on the table, or NOBODY
    die: int  # thrown for this scoring, or 0
    repaired: int  # 1 if the work went wrong and was mended at scoring
    points: list[int]  # tokens of each seat
    round: int  # 1-based
    turns: int  # finished in the whole match
    quiet: int  # turns since anything changed on the table, that turn included
    refilled: int  # 1 once the player has filled up the hand in this turn
    drawn: list[int]  # cards that each seat has drawn in the whole match
    ruled_out: list[int]
    """By seat and kind, at 5 * seat + kind: cards drawn that are surely not of it."""
    start_rolls: tuple[int, ...]
    """Throws for the start, one per seat every time; 0 for a seat that did not throw again."""
    won: tuple[Seat, ...]


@dataclass(slots=True, repr=False)
class Observation(CommonObservation):
    """What one seat may know; fields as in :class:`State` unless noted."""

    legal: tuple[str, ...]
    hand: tuple[str, ...]  # in alphabetical order
    open_hands: tuple[tuple[str, ...], ...]  # by seat, if all hands are open, () otherwise
    held: tuple[int, ...]  # number of cards in each hand
    starter: Seat
    turn: Seat
    roles: tuple[str, ...]
    work: str
    author: Seat
    user: Seat
    vandal: Seat
    die: int
    repaired: int
    points: tuple[int, ...]
    round: int
    turns: int
    quiet: int
    refilled: int
    deck: int  # how many
    cards: int  # in the whole game
    seen: tuple[int, ...]
    thrown: tuple[int, ...]  # by kind, discards that only this seat has seen, () for a spectator
    role_deck: int  # how many
    role_discards: tuple[str, ...]
    drawn: tuple[int, ...]
    ruled_out: tuple[int, ...]
    start_rolls: tuple[int, ...]
    won: tuple[Seat, ...]  # () while the match runs

    @property
    def role(self) -> str:
        """This seat's role, "" for a spectator."""
        return "" if self.seat is None else self.roles[self.seat]

    @property
    def discards(self) -> int:
        """Cards in the discard pile."""
        on_table = (self.work != "") + (self.user != NOBODY) + (self.vandal != NOBODY)
        return self.cards - self.deck - sum(self.held) - on_table

    def at_most(self, seat: Seat, kind: str) -> int:
        """Return an upper bound of the cards of *kind* in the hand of *seat*, from public facts.

        A player who had to play such a card and did not, had none then. That rules out all cards
        drawn until that turn, and one more for each of the kind shown since.
        """
        ruled_out = self.ruled_out[len(KINDS) * seat + NUMBER[kind]]
        return min(self.held[seat], self.drawn[seat] - ruled_out)
