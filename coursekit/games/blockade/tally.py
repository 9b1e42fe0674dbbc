"""What counts of a match of 文壇封鎖中 that ends early: eras, and the distance in the last one."""

from typing import cast

from coursekit.core.match import Match
from coursekit.games.blockade.rules.box import Box
from coursekit.games.blockade.rules.eras import points_of_era
from coursekit.kit.standing import Tally


def tally(match: Match) -> Tally:
    """Return the points, with those of an unfinished era by distance, as at its end.

    The rulebook ranks an era by the distance of the markers; where none has moved it counts
    nothing.
    """
    state = match.state
    game = cast(Box, match.game)
    points, eras, last = state.points, len(state.by_era), state.by_era[-1:]
    unfinished = state.phase not in ("era", "over") and any(state.positions)
    if unfinished:
        gained = points_of_era(game, state)
        points = [before + gain for before, gain in zip(points, gained, strict=True)]
        last = (gained,)
    strength = points
    if game.options.final_tie == "era4" and last:
        strength = list(zip(points, last[0], strict=True))
    return Tally(eras, points, strength, "standing.within" if unfinished else "standing.after")
