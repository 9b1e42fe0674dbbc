"""Numbers of a match of Wizard, for tournaments and frames."""

from coursekit.core.match import Match


def statistics(match: Match) -> dict[str, list[int]]:
    """Return the tricks that each seat bid and won in all rounds."""
    bids = [0] * match.game.players
    tricks = [0] * match.game.players
    for events in match.events:
        if len(events) < match.game.players:  # a round ends with an event for each seat
            continue
        for event in events:
            if event.text in ("score.met", "score.missed"):
                bids[event.values["seat"]] += event.values["bid"]
                tricks[event.values["seat"]] += event.values["won"]
    return {"bids": bids, "tricks": tricks}
