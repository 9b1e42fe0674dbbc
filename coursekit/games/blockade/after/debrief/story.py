"""Matches of 文壇封鎖中, read once for all moments, and the sentences that several moments need."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from coursekit.core.game import Seat
from coursekit.games.blockade.after.debrief.chances_to_act import Chance, chances
from coursekit.games.blockade.after.debrief.fates_of_works import Fates, shelf
from coursekit.games.blockade.after.history import Attempt, Era, Move, eras
from coursekit.games.blockade.rules.card_codes import ROLES
from coursekit.games.blockade.rules.card_facts import EventNote, in_language, listed
from coursekit.games.blockade.rules.game import Blockade
from coursekit.kit.debrief_moment import Played, Source
from coursekit.reflect.debrief_story import Parts, Telling, number

if TYPE_CHECKING:
    from coursekit.core.match import Match
    from coursekit.figures import Picture

NAMED = 4
"""Most things of a kind that a sentence names."""


class Told(NamedTuple):
    """One of the matches, read."""

    match: "Match"
    game: Blockade
    played: list[Era]
    chances: list[Chance]
    shelf: Fates
    seats: Sequence[Seat]  # whose decisions count

    def attempts(self, kind: str) -> list[tuple[Era, Attempt]]:
        """Return the searches or protests that are decided, with their eras."""
        return [
            (era, each)
            for era in self.played
            for each in era.attempts
            if each.kind == kind and each.outcome
        ]

    def lap(self, attempt: Attempt) -> int:
        """Return the lap in which something was launched."""
        return next(each.lap for each in self.chances if each.entry == attempt.entry)


def read(played: Played) -> Told:
    """Return what can be told of one match, finished or running."""
    match = played.match
    assert isinstance(match.game, Blockade)
    return Told(match, match.game, eras(match), chances(match), shelf(match), played.seats)


class Story(Telling):
    """Matches, and the language they are told in."""

    def __init__(self, played: Sequence[Played], language: str) -> None:
        super().__init__(played, language)
        self.told = [read(each) for each in played]

    @cached_property
    def where(self) -> str:
        """The eras, or the number of matches."""
        if not self.one:
            return self.tell("where.matches", matches=len(self.told))
        return self.tell("where.eras", eras=[era.number for era in self.told[0].played])

    def mean(self, total: int) -> float:
        """Return a sum, of several matches the mean per match."""
        return number(total / len(self.told))

    def role(self, role: int) -> str:
        return self.said(f"role.{ROLES[role]}")

    def word(self, row: Any, name: str) -> str:
        """Return a field of a card file in the language."""
        return in_language(
            getattr(row, f"{name}_zh"), getattr(row, f"{name}_en", ""), self.language
        )

    def words(self, row: Any, *names: str) -> str:
        """Return the sentences in the filled ones of some fields of a card file."""
        space = " " if self.language == "en" else ""
        return space.join(filter(None, (self.word(row, name) for name in names)))

    def source(self, source: str) -> Source:
        """Return the line with the source of facts."""
        return Source(self.tell("source", source=listed(source, language=self.language)))

    def history(self, note: EventNote, *fields: str) -> Parts:
        """Return what an event was, with its source.

        :param fields: of its card file, told after each other.
        """
        told = self.tell("history", event=note.year, year=note.year, told=self.words(note, *fields))
        return [told, self.source(note.source)]

    def all_eras(self) -> Iterator[Era]:
        yield from (era for told in self.told for era in told.played)

    def attempts(self, kind: str) -> list[tuple[int, Era, Attempt]]:
        """Return the searches or protests of all matches, with the place of the match."""
        return [
            (place, *each) for place, told in enumerate(self.told) for each in told.attempts(kind)
        ]

    def moves(self) -> Iterator[tuple[Era, Move]]:
        yield from ((era, move) for era in self.all_eras() for move in era.moves)

    def bars(
        self,
        labels: Sequence[str],
        keys: Sequence[str],
        numbers: Sequence[Sequence[int]],
        caption: str,
    ) -> "Picture":
        """Return a picture of stacked bars, *numbers* by key and row, of all matches together."""
        from coursekit.figures import bars

        x = keys[0] if len(keys) == 1 else ""
        return bars(labels, dict(zip(keys, numbers, strict=True)), x, self.language, caption)
