"""Numbers of a match of Wikipedia and Books, for tournaments and frames."""

from coursekit.core.match import Match
from coursekit.games.wikipedia.rules.cards import KINDS


def statistics(match: Match) -> dict[str, list[int]]:
    """Return how often each seat played each kind of card."""
    counts = {card: [0] * match.game.players for card in KINDS}
    for seat, action in match.log:
        if action in counts:
            counts[action][seat] += 1
    return counts
