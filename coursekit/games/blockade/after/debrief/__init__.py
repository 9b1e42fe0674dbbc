"""Moments worth talking about after a match of 文壇封鎖中, or after those of a class.

:func:`moments` is what :mod:`coursekit.reflect` asks. Roles are positions in a system, so moments
speak of roles, in counts with their denominators; what is history stands apart, with its source.
Everything is read off what lay open on the table.
"""

from collections.abc import Sequence

from coursekit.games.blockade.after.debrief.real_history import largest_event, works
from coursekit.games.blockade.after.debrief.roles import gains_and_losses, moves
from coursekit.games.blockade.after.debrief.searches_and_protests import law, search, silence
from coursekit.games.blockade.after.debrief.story import Story
from coursekit.kit.debrief_moment import Moment, Played
from coursekit.reflect.debrief_story import sort_by_worth

__all__ = ["ABOUT", "Story", "moments"]

ABOUT = (search, moves, largest_event, silence, gains_and_losses, works, law)


def moments(played: Sequence[Played], language: str) -> list[Moment]:
    """Return the moments of these matches, best first; ``[]`` before anything has happened.

    Chances that were left unused are those of :attr:`.Played.seats`; everything else is
    everybody's.
    """
    if not played:
        return []
    story = Story(played, language)
    return sort_by_worth(about(story) for about in ABOUT)
