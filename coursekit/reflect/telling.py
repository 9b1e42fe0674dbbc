"""Telling matches in one language: what the debriefs of all games have in common.

A game's ``Story`` adds what it reads off the matches, and makes its moments with :meth:`Telling.moment`.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from coursekit.kit.moment import Moment, Played
from coursekit.words.texts import joined, said

if TYPE_CHECKING:
    from coursekit.figures import Picture

Parts = list["str | Picture"]
"""What a moment says and shows, in order."""

FEW = 3
"""Fewer cases than these are told as they are, or not at all, never as a share or an average."""


class Telling(ABC):
    """Matches of one game, and the language they are told in."""

    def __init__(self, played: Sequence[Played], language: str) -> None:
        self.matches, self.language = [each.match for each in played], language
        self.seats = [each.seats for each in played]
        """By match, whose decisions count."""
        self.one = len(self.matches) == 1

    @property
    @abstractmethod
    def where(self) -> str:
        """What everything is counted in: the only match so far, or how many matches."""

    def tell(self, id: str, at: int = 0, /, **values: Any) -> str:
        """Return the sentence ``debrief.<id>`` of the game's texts, with the names of match number *at*."""
        return self.said(f"debrief.{id}", at, **values)

    def said(self, id: str, at: int = 0, /, **values: Any) -> str:
        """Return the sentence *id* of the game's texts, with the names of match number *at*."""
        about = self.matches[at]
        return said(about.game, id, self.language, about.names, **values)

    def listed(self, words: Sequence[str]) -> str:
        return joined(words, self.language)

    def clauses(self, words: Sequence[str]) -> str:
        return clauses(words, self.language)

    def together(self, *sentences: str) -> str:
        """Return the sentences that are not empty as one paragraph: what belongs together is read together."""
        return (" " if self.language == "en" else "").join(filter(None, sentences))

    def moment(self, name: str, parts: Parts, worth: float, **asked: Any) -> Moment:
        """Return the moment *name* with its title and its question.

        :param worth: is kept between 0 and 1.
        :param asked: the values in the question.
        """
        title, ask = self.said(f"debrief.{name}.title"), self.said(f"debrief.{name}.ask", **asked)
        return Moment(name, title, self.where, tuple(parts), ask, round(min(1.0, max(0.0, worth)), 3))


def best_first(found: Iterable[Moment | None]) -> list[Moment]:
    """Return the moments that there are, sorted by worth."""
    return sorted((each for each in found if each is not None), key=lambda each: -each.worth)


def clauses(words: Sequence[str], language: str) -> str:
    """Return parts of a sentence that stand beside each other, longer than what a list holds."""
    return ("; " if language == "en" else "；").join(words)


def number(value: float) -> float:
    """Return a number to one decimal, a whole one as an ``int``: 2 or 2.5."""
    rounded = round(value, 1)
    return int(rounded) if rounded == int(rounded) else rounded


def some_of(count: int, of: int) -> str:
    """Return which text says *count* of *of*: that of "none", of "all", or of "some" with its numbers."""
    return "none" if not count else "all" if count == of else "some"
