"""A moment of matches that is worth talking about.

A game's module ``debrief`` finds them::

    def moments(matches: Sequence[Match], language: str, people: Sequence[Seat] = ()) -> list[Moment]: ...

They are computed from the matches, best first, at most some eight.  One match may still be under way;
several are told together, a class: how many of how many.  *people* are the seats that people play: of a match
that is not over, what lies open may be told, and what their hands held; empty for all.
:mod:`coursekit.reflect` shows them.
"""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from coursekit.figures import Picture


class Moment(NamedTuple):
    """Something that happened, what it shows, and what to ask about it; all of it in one language."""

    name: str
    """What kind of moment it is, the same in every language: "repair"; its texts are ``debrief.repair.…``."""
    title: str
    where: str
    """Where in the matches it stands: a round, or how many matches it is counted in; may be empty."""
    parts: tuple["str | Picture", ...]
    """Sentences, and pictures with an alternative text."""
    ask: str
    """One open question to talk about now."""
    worth: float
    """How much it deserves the time of a class, from 0 to 1; moments are sorted by it, best first."""
