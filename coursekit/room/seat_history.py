"""Who had which seat of a table, and who took each of its decisions."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from coursekit.core.game import Seat

Player = int | str
"""The number of a person, or the key of a strategy."""


class Stay(NamedTuple):
    """The time in which a player had a seat."""

    player: Player
    begin: int
    """The number of actions before it."""
    end: int
    """The number of actions at its end."""


class SeatHistory:
    """The players in the seats of a table, and who decided what, by the entries of its log."""

    def __init__(self, seats: Sequence[Player]) -> None:
        self.deciders: list[int | None] = []
        """For each entry, the person who took that decision; ``None`` for a strategy."""
        self._seatings: list[tuple[int, tuple[Player, ...]]] = [(0, tuple(seats))]

    def note(self, person: int | None) -> None:
        """Note the *person* who has taken the next decision, ``None`` for a strategy."""
        self.deciders.append(person)

    def reseat(self, seats: Sequence[Player]) -> None:
        """Note who sits where from now on."""
        entry = len(self.deciders)
        if self._seatings[-1][0] == entry:
            self._seatings.pop()
        self._seatings.append((entry, tuple(seats)))

    def take_back(self, entry: int) -> None:
        """Forget what came after *entry* actions; those who sit there now go on."""
        now = self._seatings[-1][1]
        del self.deciders[entry:]
        self._seatings = [seating for seating in self._seatings if seating[0] < entry]
        if not self._seatings or self._seatings[-1][1] != now:
            self._seatings.append((entry, now))

    def stays(self, seat: Seat) -> Iterator[Stay]:
        """Yield who had *seat*, one after the other, in order."""
        begin, player = 0, self._seatings[0][1][seat]
        for entry, seats in self._seatings[1:]:
            if seats[seat] != player:
                if entry > begin:
                    yield Stay(player, begin, entry)
                begin, player = entry, seats[seat]
        yield Stay(player, begin, len(self.deciders))

    def stays_of(self, person: int) -> Iterator[tuple[Seat, Stay]]:
        """Yield the seats that *person* had, each with the time."""
        for seat in range(len(self._seatings[0][1])):
            for stay in self.stays(seat):
                if stay.player == person:
                    yield seat, stay

    def has_had_seat(self, person: int) -> bool:
        """Return whether *person* has had a seat while the table played."""
        return any(self.stays_of(person))

    def player_at(self, entry: int, seat: Seat) -> Player:
        """Return who had *seat* when the decision of *entry* was taken."""
        player = self._seatings[0][1][seat]
        for begin, seats in self._seatings:
            if begin <= entry:
                player = seats[seat]
        return player
