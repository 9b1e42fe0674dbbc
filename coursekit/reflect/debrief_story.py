"""What the debriefs of all games share: matches, and the language to tell them in.

A game's ``Story`` adds what it reads from the matches, and makes its moments with
:meth:`Telling.moment`.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from coursekit.kit.debrief_moment import Moment, Played
from coursekit.words.texts import game_text, join_sentences, join_words

if TYPE_CHECKING:
    from coursekit.figures import Picture

Parts = list["str | Picture"]
"""The sentences and pictures of a moment, in order."""

FEW = 3
"""Minimum cases for a share or an average; fewer are told one by one, or not at all."""


class Telling(ABC):
    """Matches of one game, and the language to tell them in."""

    def __init__(self, played: Sequence[Played], language: str) -> None:
        self.played = list(played)
        self.matches = [one.match for one in played]
        self.language = language
        self.seats = [one.seats for one in played]
        """For each match the seats whose decisions count."""
        self.one = len(self.matches) == 1

    @property
    @abstractmethod
    def where(self) -> str:
        """The matches that numbers refer to: the only one so far, or how many."""

    def title(self, at: int) -> str:
        """Return what match number *at* is called."""
        return self.played[at].title or self.tell("match", number=at + 1)

    def in_match(self, at: int, words: str) -> str:
        """Return *words* after the title of their match, if there are several."""
        return words if self.one else self.tell("in", match=self.title(at), words=words)

    def tell(self, name: str, at: int = 0, /, **values: Any) -> str:
        """Return the sentence ``debrief.<name>``, with the players' names of match number *at*."""
        return self.said(f"debrief.{name}", at, **values)

    def said(self, text_id: str, at: int = 0, /, **values: Any) -> str:
        """Return a sentence of the game, with the players' names of match number *at*."""
        match = self.matches[at]
        return game_text(match.game, text_id, self.language, match.names, **values)

    def listed(self, words: Sequence[str]) -> str:
        return join_words(words, self.language)

    def clauses(self, words: Sequence[str]) -> str:
        return clauses(words, self.language)

    def together(self, *sentences: str) -> str:
        """Return the sentences that are not empty as one paragraph."""
        return join_sentences(sentences, self.language)

    def moment(self, name: str, parts: Parts, worth: float, **asked: Any) -> Moment:
        """Return the moment *name* with its title and its question.

        :param worth: is clamped to 0-1.
        :param asked: the values in the question.
        """
        title = self.tell(f"{name}.title")
        ask = self.tell(f"{name}.ask", **asked)
        worth = round(min(1.0, max(0.0, worth)), 3)
        return Moment(name, title, self.where, tuple(parts), ask, worth)


def sort_by_worth(moments: Iterable[Moment | None]) -> list[Moment]:
    """Return the moments that are not ``None``, sorted by worth."""
    return sorted(filter(None, moments), key=lambda moment: -moment.worth)


def clauses(words: Sequence[str], language: str) -> str:
    """Return the clauses of a sentence, joined by semicolons."""
    return ("; " if language == "en" else "；").join(words)


def number(value: float) -> float:
    """Return *value* rounded to one decimal, as an ``int`` if it is whole: 2 or 2.5."""
    rounded = round(value, 1)
    return int(rounded) if rounded == int(rounded) else rounded


def share_word(count: int, of: int) -> str:
    """Return the text for *count* of *of*: "none", "all", or "some", which names the numbers."""
    if not count:
        return "none"
    return "all" if count == of else "some"
