"""A moment of matches that is worth talking about.

A game's module ``debrief`` finds them::

    def moments(played: Sequence[Played], language: str) -> list[Moment]: ...

It computes them from the matches, best first, at most about eight. One match may still be under
way; of several, a moment says how many of how many. What happened at the table counts for all.
Bids, answers, chances and other decisions count for :attr:`Played.seats` only, even when the match
is over, so that no page shows what others hold. :mod:`coursekit.reflect` shows them.
"""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, NamedTuple

from coursekit.core.game import Seat

if TYPE_CHECKING:
    from coursekit.core.match import Match
    from coursekit.figures import Picture


class Played(NamedTuple):
    """One of the matches that are talked about."""

    match: "Match"
    people: Sequence[Seat] | None = None
    """The seats that people play, none among computer players; ``None`` if a file does not say."""
    entries: Collection[int] | None = None
    """The entries of the log in which they decided themselves, where a strategy stood in for them
    at times; ``None`` if they took all decisions of their seats.
    """
    title: str = ""
    """What its readers call the match, such as "Table 2"; "" for its number."""

    @property
    def seats(self) -> Sequence[Seat]:
        """Whose decisions count: people's, or everybody's where no people are known."""
        return self.people or self.match.game.seats

    def counts(self, seat: Seat, entry: int) -> bool:
        """Return whether the decision of *seat* at *entry* of the log counts."""
        return seat in self.seats and (self.entries is None or entry in self.entries)


class Source(str):
    """A sentence that says where facts come from; a page sets it small, on its own line."""

    __slots__ = ()
    is_source = True
    """What a template asks of any part."""


class Grid(NamedTuple):
    """A table as evidence, such as rounds by players; in words of one language."""

    caption: str
    heads: tuple[str, ...]
    """Of the columns, the first included."""
    rows: tuple[tuple[str, ...], ...]
    """Each as long as the heads; its first cell is the head of the row."""


class Moment(NamedTuple):
    """Something that happened, what it shows, and what to ask about it, in one language."""

    name: str
    """What kind of moment it is, such as "repair"; its texts are ``debrief.repair.…``."""
    title: str
    where: str
    """What was looked at, such as a match so far or how many rounds of how many matches."""
    parts: tuple["str | Picture", ...]
    """Short paragraphs, some of them a :class:`Source`, and pictures with an alternative text."""
    ask: str
    """One open question to talk about now."""
    worth: float
    """How much of a class's time it deserves, from 0 to 1; moments are sorted by it."""
