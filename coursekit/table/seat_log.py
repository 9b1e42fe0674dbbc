"""What one audience may read of a match, and the same in words. Both are only added to while the
match goes on.
"""

from typing import Any

from coursekit.core.game import TABLE, Seat
from coursekit.core.match import Match
from coursekit.kit import kit_of
from coursekit.kit.scene import Look
from coursekit.table.first_match import PERSON, RuleHints, is_first


class SeatLog:
    """What *seat*, or a spectator (``None``), may read of *match* and has done in it."""

    def __init__(self, match: Match, seat: Seat | None) -> None:
        self.match, self.seat = match, seat
        self.story = [event for event in match.opening if event.is_for(seat)]
        """The events that *seat* may read."""
        self.counts = [len(self.story)]
        """How many of them there were after each number of actions."""
        self.acted = 0
        """How many actions *seat* and the table have taken."""
        self.told = RuleHints(match) if seat == PERSON and is_first(match) else None
        """Which rules in short its new player is told, ``None`` in any other match."""
        self._lines: dict[
            Any, tuple[int, list[str | None]]
        ] = {}  # by language and names, from which event on

    def follow(self) -> None:
        """Add what has happened since."""
        known = len(self.counts) - 1
        for (seat, _), events in zip(
            self.match.log[known:], self.match.events[known:], strict=True
        ):
            self.story += [event for event in events if event.is_for(self.seat)]
            self.counts.append(len(self.story))
            self.acted += seat in (self.seat, TABLE)
        if self.told is not None:
            self.told.follow(self.match)

    def lines(self, language: str, first: int, last: int) -> list[str | None]:
        """Return the lines of the log for the events from number *first* to before *last*, each
        made once.
        """
        said_in = (
            language,
            tuple(self.match.names),
        )  # which change where people sit down or hide their names
        start, lines = self._lines.get(said_in, (first, []))
        if first < start:
            start, lines = first, []
        look = Look(self.match.game, language, self.match.names)
        lines += kit_of(self.match.game).log(self.story, look, start + len(lines))
        self._lines[said_in] = start, lines
        return lines[first - start : last - start]
