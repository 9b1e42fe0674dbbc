"""What one seat may read of a match, as events and in words; it only grows while the match runs."""

from typing import Any

from coursekit.core.game import TABLE, Seat
from coursekit.core.match import Match
from coursekit.kit import kit_of
from coursekit.kit.scene import Look
from coursekit.table.first_match import PERSON, RuleHints, is_first


class SeatLog:
    """What *seat*, or a spectator (``None``), may read of *match* and has done in it."""

    def __init__(self, match: Match, seat: Seat | None) -> None:
        self.match = match
        self.seat = seat
        self.story = [event for event in match.opening if event.is_for(seat)]
        """The events that *seat* may read."""
        self.counts = [len(self.story)]
        """How many of them there were after each number of actions."""
        self.acted = 0
        """How many actions *seat* and the table have taken."""
        self.hints: RuleHints | None = None
        """Which rules in short its new player is told, ``None`` in any other match."""
        if seat == PERSON and is_first(match):
            self.hints = RuleHints(match)
        self._lines: dict[Any, tuple[int, list[str | None]]] = {}
        """By language and names: the first event with a line, and the lines from there on."""

    def follow(self) -> None:
        """Add what has happened since."""
        start = len(self.counts) - 1
        new = zip(self.match.log[start:], self.match.events[start:], strict=True)
        for (seat, _), events in new:
            self.story += [event for event in events if event.is_for(self.seat)]
            self.counts.append(len(self.story))
            self.acted += seat in (self.seat, TABLE)
        if self.hints is not None:
            self.hints.follow(self.match)

    def lines(self, language: str, first: int, last: int) -> list[str | None]:
        """Return the lines for the events from number *first* to before *last*, each made once."""
        names = self.match.names  # they change where people sit down, or hide their names
        key = (language, tuple(names))
        start, lines = self._lines.get(key, (first, []))
        if first < start:
            start, lines = first, []
        look = Look(self.match.game, language, names)
        lines += kit_of(self.match.game).log(self.story, look, start + len(lines))
        self._lines[key] = start, lines
        return lines[first - start : last - start]
