"""Numbers of a match of Literature Lockdown, for tournaments and frames."""

from coursekit.core.match import Match


def statistics(match: Match) -> dict[str, list[int]]:
    """Return how many works each seat placed, and how often it launched against another."""
    placed = [0] * match.game.players
    launched = [0] * match.game.players
    for events in match.events:
        for event in events:
            if event.text == "place":
                placed[event.values["seat"]] += 1
    for seat, action in match.log:
        if action[0] == "strike":
            launched[seat] += 1
    return {"placed": placed, "launched": launched}
