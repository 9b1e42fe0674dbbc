"""What counts of a match of 維基百科 vs 書籍 that ends early: the 局 that were finished."""

from typing import cast

from coursekit.core.match import Match
from coursekit.games.wikipedia.rules.game import Wikipedia
from coursekit.kit.standing import Tally


def tally(match: Match) -> Tally:
    """Return the tokens, which partners add up; they are given when a 局 is scored (R15 to R19).

    So an unfinished 局 counts nothing, even after a right throw.
    """
    state = match.state
    game = cast(Wikipedia, match.game)
    teams = [seat % game.sides for seat in game.seats]
    strength = [sum(state.points[team :: game.sides]) for team in teams]
    rounds = state.round - (state.phase != "over")
    return Tally(rounds, state.points, strength, "standing.after", teams)
