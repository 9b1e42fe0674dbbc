"""Matches of 維基百科 vs 書籍, read once for all moments, and bars about them."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from coursekit.games.wikipedia.after.history import Round, rounds
from coursekit.games.wikipedia.after.relations import relations
from coursekit.games.wikipedia.rules.game import Wikipedia
from coursekit.kit.debrief_moment import Played
from coursekit.reflect.debrief_story import Telling

if TYPE_CHECKING:
    from coursekit.figures import Picture


class Story(Telling):
    """Matches, and the language they are told in."""

    def __init__(self, played: Sequence[Played], language: str) -> None:
        super().__init__(played, language)
        self.played = [rounds(match) for match in self.matches]

    @cached_property
    def where(self) -> str:
        """The only match, so far or whole, or how many matches."""
        if not self.one:
            return self.tell("where.matches", matches=len(self.matches))
        return self.tell(
            "where.match" if self.matches[0].over else "where.so_far", rounds=len(self.played[0])
        )

    @cached_property
    def ruled(self) -> set[tuple[str, str, str]]:
        """What the rules of all matches say, as (start, kind, end)."""
        return set.intersection(*({each[:3] for each in relations(game)} for game in self.games))

    @cached_property
    def games(self) -> list[Wikipedia]:
        """The rules of each match."""
        return [match.game for match in self.matches if isinstance(match.game, Wikipedia)]

    def match(self, at: int) -> str:
        """Return which match number *at* is, to stand before its round; "" if it is the only one."""
        return "" if self.one else self.tell("where.match_number", number=at + 1)

    def all_rounds(self) -> Iterator[tuple[int, Round]]:
        """Yield every round with the place of its match."""
        yield from ((place, each) for place, played in enumerate(self.played) for each in played)

    def bars(
        self,
        id: str,
        rows: Sequence[str],
        groups: Sequence[tuple[str, Sequence[float]]],
        together: bool = True,
    ) -> "Picture":
        """Return a picture of lying bars: for each of *rows* the numbers of all *groups*, as (text
        id, numbers).
        """
        from coursekit.figures import bars

        named = {self.said(f"debrief.{id}.{key}"): values for key, values in groups}
        return bars(rows, named, self.said(f"debrief.{id}.x"), self.language, together=together)
