"""How the players of a match stand: at its end, or where a teacher ends it before.

How much of a match that is cut short counts belongs to its game, see :attr:`.GameKit.tally`.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from coursekit.core.game import Seat
from coursekit.core.match import Match
from coursekit.words.texts import game_text, text


class Tally(NamedTuple):
    """What counts of a match if it ends here."""

    rounds: int
    """How many rounds have been scored; after one more, a match can well end."""
    points: Sequence[int]
    """By seat."""
    strength: Sequence[Any]
    """By seat, what decides who stands before whom; more is better."""
    how_far: str = "standing.early"
    """The text that says how far the match has come: ``{rounds}`` are scored, and ``{next}`` is
    the number of the one that is played.
    """
    teams: Sequence[int] = ()
    """By seat, which team it belongs to; ``()`` where each player plays alone."""


TallyMaker = Callable[[Match], Tally]
"""Counts a match as far as it has been played; it tells nothing that is not open to all."""


def tally_points(match: Match, /) -> Tally:
    """Return the points as the rules count them; in a game without rounds, a point is a round."""
    points = match.game.scores(match.state)
    return Tally(sum(map(abs, points)), points, points)


class Standing(NamedTuple):
    """How the players of a match stand, by seat."""

    points: Sequence[int]
    """Of each player, also within a team."""
    ranks: Sequence[int]
    """1 for the best; those who are level share a rank, and the next one is left out.  ``()`` while
    nothing has been scored.
    """
    teams: Sequence[int]
    """Which team each seat belongs to, another one for each where all play alone."""
    rounds: int
    """How many rounds have been scored."""
    how_far: str
    """The text of the game, or of the kit, that says after what a match ended early."""

    @property
    def totals(self) -> list[int]:
        """The points by seat; partners have those of their team."""
        by_team: Counter[int] = Counter()
        for team, points in zip(self.teams, self.points):
            by_team[team] += points
        return [by_team[team] for team in self.teams]

    @property
    def winners(self) -> tuple[Seat, ...]:
        """Those who stand first."""
        return tuple(seat for seat, rank in enumerate(self.ranks) if rank == 1)

    def end_words(self, game: str, language: str) -> str:
        """Return after what a match of *game* ended early: "Ended after round 4"."""
        return game_text(game, self.how_far, language, (), rounds=self.rounds, next=self.rounds + 1)

    def place_words(self, seat: Seat, language: str) -> str:
        """Return the place of *seat*: "second"; "" while nobody has one."""
        if not self.ranks:
            return ""
        return text("standing.ordinals", language).split("|")[self.ranks[seat] - 1]

    def outcome(self, seat: Seat, language: str) -> str:
        """Return the points and the place of *seat*: "60 points, first at this table"."""
        points = self.totals[seat]
        whose = "team" if self.teams.count(self.teams[seat]) > 1 else "own"
        if not self.ranks:
            return text(f"standing.{whose}.points", language, points=points)
        rank = self.ranks[seat]
        level = {team for team, other in zip(self.teams, self.ranks) if other == rank}
        way = "shared" if len(level) > 1 else "alone"
        place = self.place_words(seat, language)
        return text(f"standing.{whose}.{way}", language, points=points, place=place)


def rank(
    strength: Sequence[Any], winners: Sequence[Seat] = (), teams: Sequence[int] = ()
) -> tuple[int, ...]:
    """Return the rank of each seat, the *winners* first, then by *strength*.

    >>> rank([30, 60, 30, -10])
    (2, 1, 2, 4)
    >>> rank([60, 60, 30], winners=[1])
    (2, 1, 3)
    >>> rank([7, 5, 7, 5], teams=[0, 1, 0, 1])
    (1, 2, 1, 2)
    """
    keys = [(seat in winners, strong) for seat, strong in enumerate(strength)]
    key_of = dict(zip(teams or range(len(keys)), keys))
    return tuple(1 + sum(other > key for other in key_of.values()) for key in keys)


def find_standing(match: Match, tally: Tally) -> Standing:
    """Return how the players of *match* stand, whether it is over or not."""
    winners = match.game.winners(match.state)
    ranks: tuple[int, ...] = ()
    if winners or any(tally.points):
        ranks = rank(tally.strength, winners, tally.teams)
    how_far = tally.how_far if tally.rounds or ranks else "standing.unscored"
    teams = tally.teams or match.game.seats
    return Standing(tally.points, ranks, list(teams), tally.rounds, how_far)
