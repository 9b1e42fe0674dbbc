"""Matches of 維基百科 vs 書籍, read once for all moments, and bars about them."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, cast

from coursekit.figures import Picture, bars
from coursekit.games.wikipedia.after.history import Round, read_rounds
from coursekit.games.wikipedia.after.rule_relations import find_relations
from coursekit.games.wikipedia.rules.game import Wikipedia
from coursekit.kit.debrief_moment import Played
from coursekit.reflect.debrief_story import Telling, share_word
from coursekit.words.texts import seat_name


class Story(Telling):
    """Matches, and the language they are told in."""

    def __init__(self, played: Sequence[Played], language: str) -> None:
        super().__init__(played, language)
        self.rounds = [read_rounds(match) for match in self.matches]
        self.games = [cast(Wikipedia, match.game) for match in self.matches]

    @cached_property
    def where(self) -> str:
        """The only match, so far or whole, or how many matches."""
        if not self.one:
            return self.tell("where.matches", matches=len(self.matches))
        which = "match" if self.matches[0].over else "so_far"
        return self.tell(f"where.{which}", rounds=len(self.rounds[0]))

    @cached_property
    def ruled(self) -> set[tuple[str, str, str]]:
        """What the rules of all matches say, as (start, kind, end)."""
        return set.intersection(
            *({relation[:3] for relation in find_relations(game)} for game in self.games)
        )

    @cached_property
    def names(self) -> list[str]:
        """The players of the first match."""
        match = self.matches[0]
        return [seat_name(seat, self.language, match.names) for seat in match.game.seats]

    def match(self, at: int) -> str:
        """Return which match *at* is, to stand before its round; "" if it is the only one."""
        between = ", " if self.language == "en" else ""
        return "" if self.one else self.title(at) + between

    def all_rounds(self) -> Iterator[tuple[int, Round]]:
        """Yield every round with the place of its match."""
        for place, rounds in enumerate(self.rounds):
            for now in rounds:
                yield place, now

    def tell_share(self, text_id: str, name: str, count: int, of: int, **values: Any) -> str:
        """Return the sentence for *count* of *of*: for none, for all, or for some of them.

        :param name: what the sentence for some calls *count*.
        """
        word = share_word(count, of)
        some = {name: count} if word == "some" else {}
        return self.tell(f"{text_id}.{word}", **some, **values)

    def bars(
        self,
        text_id: str,
        rows: Sequence[str],
        groups: Mapping[str, Sequence[float]],
        together: bool = True,
    ) -> Picture:
        """Return a picture of lying bars: text id of a group -> its number for each of *rows*."""
        named = {self.tell(f"{text_id}.{key}"): values for key, values in groups.items()}
        return bars(rows, named, self.tell(f"{text_id}.x"), self.language, together=together)
