"""The first match of a new player, which tells each rule in short when it first matters."""

from coursekit.core.game import TABLE, Seat
from coursekit.core.match import Match
from coursekit.kit import GameKit, kit_of
from coursekit.table.players import Player
from coursekit.words.language import current_language

PERSON: Seat = 0
"""Where the new player sits."""


def is_first(match: Match) -> bool:
    """Return whether *match* is the first match of its game, by its seed."""
    guide = kit_of(match.game).guide
    return guide is not None and match.seeds == [(0, guide.seed)]


def first_players(kit: GameKit, language: str | None = None) -> list[Player]:
    """Return who plays the first match: a person, and strategies that write in *language*."""
    language = language or current_language()
    assert kit.guide is not None
    other = next(kind for kind in kit.players(language) if kind.__name__ == kit.guide.others)
    return ["person", *[other] * (kit.guide.players - 1)]


class RuleHints:
    """Which rules in short a first match tells, by what its new player sees and nothing else."""

    def __init__(self, match: Match) -> None:
        guide = kit_of(match.game).guide
        assert guide is not None
        self._rules = guide.rules
        self._copy = Match(match.game, match.seed)  # trails behind
        self._told: set[int] = set()
        self._now: tuple[int, ...] = ()
        self.after: list[tuple[int, ...]] = []
        """By number of actions: the places of the rules told at the deal or decision before."""
        self._look()
        self.follow(match)

    def follow(self, match: Match) -> None:
        """Add what has happened in *match* since."""
        for seat, action in match.log[len(self._copy.log) :]:
            self._copy.play(seat, action)
            if seat in (PERSON, TABLE):
                self._now = ()
            self._look()

    def _look(self) -> None:
        """Add what matters for the first time, at the deal or where the new player decides."""
        game, state = self._copy.game, self._copy.state
        if not self.after or {PERSON, TABLE} & set(game.to_act(state)):
            obs = game.observe(state, PERSON)
            for place, rule in enumerate(self._rules):
                if place in self._told or rule.first is None:
                    continue
                if rule.first(obs, game):
                    self._now += (place,)
                    self._told.add(place)
        self.after.append(self._now)
