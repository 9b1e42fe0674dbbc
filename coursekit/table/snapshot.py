"""What there is to see of a match at one moment, for every seat and for a spectator."""

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from coursekit.core.game import Seat
from coursekit.core.match import Match


class Snapshot(NamedTuple):
    """What there was to see after *entry* actions."""

    entry: int
    seen: Mapping[Seat | None, Any]
    """The observation of each seat, and of a spectator (``None``)."""
    waiting: tuple[Seat, ...]
    """The people who could decide."""
    number: int
    """How many moments before it all could tell apart: secret moves in a race do not count."""

    def same(self, other: "Snapshot", *seats: Seat | None) -> bool:
        """Return whether *seats* all see the same in the *other*."""
        return all(self.seen[seat] == other.seen[seat] for seat in seats)


def take_snapshot(match: Match, people: Collection[Seat], number: int) -> Snapshot:
    """Return what there is to see of *match* now, where *people* play."""
    seen = {seat: match.game.observe(match.state, seat) for seat in (None, *match.game.seats)}
    waiting = tuple(seat for seat in match.game.to_act(match.state) if seat in people)
    return Snapshot(len(match.log), seen, waiting, number)
