"""The rules of a game in a few lines, and a short first match that tells each when it matters."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from coursekit.core.game import Game
from coursekit.kit.scene import Look

First = Callable[[Any, Any], bool]
"""Says whether a rule matters, by what the player who decides sees, and the game."""


class Rule(NamedTuple):
    """One line of the rules."""

    text: str
    """The id of its text, in which the game's options can stand."""
    phases: Collection[str] = ()
    """Phases in which it matters most, so that the table marks it."""
    first: First | None = None
    """The first match tells it when this first holds; ``None`` for what is said anyway."""


class Picture(NamedTuple):
    """A rule in one line, and a moment of a match or cards that show it."""

    text: str
    """The id of its line, in which the game's options can stand."""
    phase: str = ""
    nth: int = 1
    """The moment: the so manieth of *phase* in the match of the guide's pictures."""
    zones: Collection[str] = ()
    """The kinds of zones that are drawn; all others are left out."""
    cards: Sequence[str] = ()
    """In place of a moment: the ids of cards that lie on a table."""
    right: int | None = None
    """The right choice, from 0, of a question that can be asked before the picture is seen.

    Its texts are :attr:`text` with "_ask", "_choices" (all in one, parted by "｜") and "_why".
    ``None`` without a question.
    """


def fill_rule(rule: Rule, look: Look, /) -> str:
    """Return the text of *rule* with the options of the match."""
    return look.say(rule.text, **vars(look.game.options))


@dataclass(frozen=True, kw_only=True)
class Guide:
    """What the table tells a new player."""

    rules: Sequence[Rule]
    """In the order in which they are read.  Each phase but the end has one that is marked."""
    says: Callable[[Rule, Look], str] = fill_rule
    """Returns a rule in words; "" for one that does not hold in this match."""
    players: int
    """At the first match; one of them is a person."""
    options: Mapping[str, Any]  # of the first match
    seed: str
    others: str  # the name of the strategy that plays the other seats
    pictures: Sequence[Picture] = ()
    """The rules in four pictures, for somebody who has seen no table yet."""
    preset: str = "standard"
    """Of the match that the pictures show."""

    def list_rules(self, look: Look) -> list[str]:
        """Return all rules in words, in the order of :attr:`rules`."""
        return [self.says(rule, look) for rule in self.rules]

    def place_of_rule(self, phase: str) -> int | None:
        """Return the place of the rule that matters most in *phase*, ``None`` at the end."""
        for place, rule in enumerate(self.rules):
            if phase in rule.phases:
                return place
        return None

    def first_game(self, kind: type[Game[Any, Any, Any]]) -> Game[Any, Any, Any]:
        """Return the game of the first match."""
        return kind(self.players, kind.options_from(self.options))
