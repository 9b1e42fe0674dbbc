"""What counts of a match of Wizard that ends early: the rounds that were scored."""

from coursekit.core.match import Match
from coursekit.kit.standing import Tally


def tally(match: Match) -> Tally:
    """Return the points of the scored rounds; a tie goes as at the end (specification, A12)."""
    state = match.state
    rounds = state.round - (state.phase not in ("scored", "over"))
    strength = state.points
    if match.game.options.tie_break == "sum_of_bids":
        strength = tuple(zip(state.points, state.bid_sums, strict=True))
    return Tally(rounds, state.points, strength, "standing.after")
