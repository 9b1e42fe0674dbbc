"""The first match of a new player, in which each rule in short is told when it first matters."""

from coursekit.core.game import TABLE, Seat
from coursekit.core.match import Match
from coursekit.kit import GameKit, kit_of
from coursekit.table.players import Player
from coursekit.words.texts import LANGUAGES

PERSON: Seat = 0
"""Where the new player sits."""


def is_first(match: Match) -> bool:
    """Return whether *match* is the first match of its game: its seed says so, unless it went on
    otherwise.
    """
    guide = kit_of(match.game).guide
    return guide is not None and match.seeds == [(0, guide.seed)]


def first_players(kit: GameKit, language: str = LANGUAGES[0]) -> list[Player]:
    """Return who plays the seats of the first match: a person, and strategies that write in
    *language*.
    """
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
        self._known: set[int] = set()
        self._now: tuple[int, ...] = ()
        self.after: list[tuple[int, ...]] = []
        """By number of actions, the places of the rules told then: at the deal, or at the decision
        that was due.
        """
        self._look()
        self.follow(match)

    def follow(self, match: Match) -> None:
        """Add what has happened in *match* since."""
        for seat, action in match.log[len(self._copy.log) :]:
            self._copy.play(seat, action)
            self._now = () if seat in (PERSON, TABLE) else self._now
            self._look()

    def _look(self) -> None:
        """Add what matters for the first time, at the deal or if the new player decides, for the
        table perhaps.
        """
        game, state = self._copy.game, self._copy.state
        if not self.after or {PERSON, TABLE} & set(game.to_act(state)):
            obs = game.observe(state, PERSON)
            holds = [
                at
                for at, rule in enumerate(self._rules)
                if rule.first is not None and rule.first(obs, game)
            ]
            self._now += tuple(at for at in holds if at not in self._known)
            self._known.update(holds)
        self.after.append(self._now)
