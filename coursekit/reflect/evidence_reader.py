"""The reader of evidence in one language: the common part of all games' evidence.

A game's ``Reader`` adds what it reads from the match.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from coursekit.core.game import Seat
from coursekit.words.texts import game_text, join_words, seat_name

if TYPE_CHECKING:
    from coursekit.core.match import Match


class EvidenceReader:
    """A match, and the seats and language of its reader."""

    game: Any
    """The rules of the match; a game names its own class."""

    def __init__(self, match: "Match", seats: Sequence[Seat], language: str) -> None:
        self.match = match
        self.game = match.game
        self.seats = seats
        self.language = language
        self.names = [seat_name(seat, language, match.names) for seat in match.game.seats]
        """What the players are called; a reader alone is "you"."""
        if len(seats) == 1:
            self.names[seats[0]] = game_text(match.game, "evidence.you", language)

    def tell(self, text_id: str, **values: Any) -> str:
        """Return the sentence *text_id* of the texts about evidence."""
        return game_text(self.game, f"evidence.{text_id}", self.language, self.names, **values)

    def join(self, words: Sequence[str]) -> str:
        """Return *words* as a list."""
        return join_words(words, self.language)
