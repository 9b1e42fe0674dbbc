"""A moment of matches that is worth talking about.

A game's module ``debrief`` finds them::

    def moments(played: Sequence[Played], language: str) -> list[Moment]: ...

They are computed from the matches, best first, at most about eight. One match may still be under
way; several are told together, as a class: how many of how many. What happened at the table counts
for all seats. Bids, answers, chances and other decisions count for :attr:`Played.seats` only, also
once the match is over, so that nothing is told of what others hold. :mod:`coursekit.reflect` shows
them.
"""

from collections.abc import Sequence
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

    @property
    def seats(self) -> Sequence[Seat]:
        """Whose decisions count: those of people; of all seats if there are none, or if it is not
        known.
        """
        return self.people or self.match.game.seats


class Source(str):
    """A sentence that says where facts come from; it is set small, on a line of its own."""

    __slots__ = ()
    is_source = True
    """What a template asks of any part."""


class Grid(NamedTuple):
    """Evidence that is in truth a table, such as rounds by players; in words of one language."""

    caption: str
    heads: tuple[str, ...]
    """Of the columns, the first included."""
    rows: tuple[tuple[str, ...], ...]
    """Each as long as the heads; its first cell is the head of the row."""


class Moment(NamedTuple):
    """Something that happened, what it shows, and what to ask about it; all of it in one language."""

    name: str
    """What kind of moment it is, the same in every language: "repair"; its texts are
    ``debrief.repair.…``.
    """
    title: str
    where: str
    """What was looked at, in words that stand alone: a match so far, or how many rounds of how many
    matches. Where one case stands is said by the sentence about it.
    """
    parts: tuple["str | Picture", ...]
    """Short paragraphs, some of them a :class:`Source`, and pictures with an alternative text."""
    ask: str
    """One open question to talk about now."""
    worth: float
    """How much it deserves the time of a class, from 0 to 1; moments are sorted by it, best first."""
