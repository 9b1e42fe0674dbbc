"""The state of a match of Wizard, and what one seat may know of it."""

from dataclasses import dataclass

from coursekit.core.game import CommonObservation, Seat
from coursekit.games.wizard.rules.options import Options

SEALED = -2  # in an observation, a bid that this seat may not see


@dataclass(slots=True)
class State:
    """Everything, hidden things included.

    What a seat may see is kept in tuples, which an observation can hold as they are.
    """

    round: int  # 1-based
    size: int  # cards dealt to each seat this round
    scorer: Seat  # the first dealer
    dealer: Seat
    phase: str  # "size", "trump", "bid", "play", "scored" or "over"
    turn: Seat
    hands: list[tuple[int, ...]]  # each sorted
    undealt: list[int]  # without the card turned up
    turned: int  # the card turned up, or NOTHING
    trump: int  # suit, or NOTHING
    bids: tuple[int, ...]  # NOTHING until made
    ready: tuple[int, ...]  # hawk eye: 1 for a seat that has shown its card
    trick: tuple[int, ...]
    played: tuple[int, ...]  # cards of this round's finished tricks, in order
    takers: tuple[Seat, ...]  # the winner of each of them
    won: tuple[int, ...]  # tricks won this round
    points: tuple[int, ...]
    bid_sums: tuple[int, ...]  # by seat, the sum of all bids scored so far
    rebids: int  # times that all bids of this round were made in vain


@dataclass(slots=True, repr=False)
class Observation(CommonObservation):
    """What one seat may know; fields as in :class:`State` unless noted."""

    legal: tuple[int, ...]
    hand: tuple[int, ...]  # () while the seat may not see its own card
    shown: tuple[tuple[int, ...], ...]  # hawk eye: every other seat's cards, () otherwise
    open_hands: tuple[tuple[int, ...], ...]  # by seat, if all hands are open, () otherwise
    round: int
    rounds: int  # in the whole match
    size: int
    scorer: Seat
    dealer: Seat
    turned: int
    trump: int
    bids: tuple[int, ...]  # NOTHING until made, SEALED if hidden from this seat
    ready: tuple[int, ...]
    trick: tuple[int, ...]
    played: tuple[int, ...]
    takers: tuple[Seat, ...]
    won: tuple[int, ...]
    points: tuple[int, ...]
    bid_sums: tuple[int, ...]
    undealt: int  # number of cards, without the card turned up
    rebids: int
    winners: tuple[Seat, ...]  # () while the match runs

    @property
    def leader(self) -> Seat:
        """The seat that leads the current trick."""
        return self.takers[-1] if self.takers else (self.dealer + 1) % self.players

    @property
    def held(self) -> tuple[int, ...]:
        """The number of cards in each hand."""
        if self.phase == "size":  # not dealt yet
            return (0,) * self.players
        n, leader, lying = self.players, self.leader, len(self.trick)
        left = self.size - len(self.takers)
        return tuple(left - ((seat - leader) % n < lying) for seat in range(n))


def replace_at(values: tuple[int, ...], place: int, value: int) -> tuple[int, ...]:
    """Return *values* with *value* at *place*."""
    new = [*values]
    new[place] = value
    return tuple(new)


def is_hawk_eye(position: State | Observation, options: Options) -> bool:
    """Return whether in this round all players see every card but their own."""
    return options.hawk_eye and position.round == 1
