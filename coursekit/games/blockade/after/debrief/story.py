"""Matches of 文壇封鎖中, read once for all moments, and the sentences that several moments need."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from coursekit.games.blockade.after.history import Attempt, Era, History, Move
from coursekit.games.blockade.rules.card_codes import ROLES
from coursekit.games.blockade.rules.card_facts import EventNote, text_of
from coursekit.games.blockade.rules.citations import list_sources
from coursekit.kit.debrief_moment import Played, Source
from coursekit.reflect.debrief_story import Parts, Telling, number

if TYPE_CHECKING:
    from coursekit.figures import Picture

NAMED = 4
"""Most things of a kind that a sentence names."""


class Story(Telling):
    """Matches, and the language they are told in."""

    def __init__(self, played: Sequence[Played], language: str) -> None:
        super().__init__(played, language)
        self.histories = [History(match) for match in self.matches]
        self.cards = self.histories[0].game.cards
        self.eras = [era for history in self.histories for era in history.eras]
        """Of all matches."""

    @cached_property
    def where(self) -> str:
        """The eras, or the number of matches."""
        if not self.one:
            return self.tell("where.matches", matches=len(self.matches))
        return self.tell("where.eras", eras=[era.number for era in self.eras])

    def mean(self, total: int) -> float:
        """Return a sum, of several matches the mean per match."""
        return number(total / len(self.matches))

    def role(self, role: int) -> str:
        return self.said(f"role.{ROLES[role]}")

    def words(self, row: Any, *fields: str) -> str:
        """Return the sentences in the filled ones of some fields of a card file."""
        space = " " if self.language == "en" else ""
        return space.join(filter(None, [text_of(row, name, self.language) for name in fields]))

    def source(self, source: str) -> Source:
        """Return the line with the source of facts."""
        return Source(self.tell("source", source=list_sources(source, language=self.language)))

    def history(self, note: EventNote, *fields: str) -> Parts:
        """Return what an event was, with its source.

        :param fields: of its card file, told after each other.
        """
        words = self.words(note, *fields)
        return [
            self.tell("history", event=note.year, year=note.year, told=words),
            self.source(note.source),
        ]

    def attempts(self, kind: str) -> list[tuple[Era, Attempt]]:
        """Return the searches or protests of all matches that are decided, with their eras."""
        pairs = [pair for history in self.histories for pair in history.attempts(kind)]
        return [(era, attempt) for era, attempt in pairs if attempt.outcome]

    def moves(self) -> Iterator[tuple[Era, Move]]:
        """Yield the moves of all matches, with their eras."""
        yield from ((era, move) for era in self.eras for move in era.moves)

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
