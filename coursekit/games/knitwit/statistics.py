"""Numbers of a match of Knit Wit, for tournaments and frames."""

from coursekit.core.match import Match


def statistics(match: Match) -> dict[str, list[int]]:
    """Return how many answers each seat handed in, and how many buttons it won."""
    answers = [0] * match.game.players
    buttons = [0] * match.game.players
    for events in match.events:
        for event in events:
            if event.text == "answer":
                answers[event.values["seat"]] += 1
            elif event.text == "score.button":
                buttons[event.values["seat"]] += 1
    return {"answers": answers, "buttons": buttons}
