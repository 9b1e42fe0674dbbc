"""What is worth talking about after a match of 維基百科 vs 書籍, or after those of a class.

:func:`moments` is what :mod:`coursekit.reflect` asks. What happened is read off the events of the
matches; what a player could have done, and how likely it was to work, off the decisions of
:attr:`.Played.seats`.
"""

from collections.abc import Sequence

from coursekit.games.wikipedia.after.debrief.decisions import find_forced, find_risk
from coursekit.games.wikipedia.after.debrief.outcome import find_die, find_turning, find_works
from coursekit.games.wikipedia.after.debrief.story import Story
from coursekit.games.wikipedia.after.debrief.vandalism import find_repair, find_vandals
from coursekit.kit.debrief_moment import Moment, Played
from coursekit.reflect.debrief_story import sort_by_worth

MOMENTS = (
    find_repair,
    find_vandals,
    find_risk,
    find_forced,
    find_works,
    find_turning,
    find_die,
)


def moments(played: Sequence[Played], language: str) -> list[Moment]:
    """Return what is worth talking about in these matches, best first; ``[]`` if nothing has
    happened yet.

    Uses with their chances, and cures that could be chosen, are those of :attr:`.Played.seats`;
    vandalism, works, points and the die are everybody's.
    """
    if not played:
        return []
    story = Story(played, language)
    return sort_by_worth(find(story) for find in MOMENTS)
