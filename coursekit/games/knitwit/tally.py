"""What counts of a match of Knit Wit that ends early: the rounds that were scored."""

from coursekit.core.match import Match
from coursekit.kit.standing import Tally


def tally(match: Match) -> Tally:
    """Return the points up to the last round that was scored, with its buttons.

    In the first round the numbers count that have been compared: each is the same for all.
    """
    state = match.state
    is_scored = state.phase in ("total", "over")
    points = list(state.points)
    if state.round > 1 and not is_scored:
        for seat, gain in _gains(match):
            points[seat] -= gain
    within = state.round == 1 and not is_scored
    how_far = "standing.within" if within else "standing.after"
    return Tally(state.round - (not is_scored), points, points, how_far)


def _gains(match: Match) -> list[tuple[int, int]]:
    """Return the seats and the points of the answers that were scored since the last round."""
    gains: list[tuple[int, int]] = []
    for events in reversed(match.events):
        for event in events:
            if event.text == "round":
                return gains
            if event.text == "score.line":
                gains += [(seat, event.values["points"]) for seat in event.values["seats"]]
    return gains
