"""Strategies for 維基百科 vs 書籍: chance, four characters, and the best player we could build."""

from collections.abc import Iterable

from coursekit.games.wikipedia import odds
from coursekit.games.wikipedia.cards import BOOK, DISCARD, GIVE_UP, LEAVE, REVISE, ROLL, USE, VANDAL, WIKI
from coursekit.games.wikipedia.rules import Wikipedia
from coursekit.games.wikipedia.state import Observation
from coursekit.strategy import AtRandom, Strategy


class Character(Strategy):
    """What the characters below have in common: each says what it likes to do, best first."""

    game: Wikipedia
    keeps: tuple[str, ...] = (USE, REVISE, WIKI, BOOK, VANDAL)
    """What to keep when a card must go, the dearest first."""

    def discard(self, obs: Observation) -> str:
        """Return the discard that hurts least: of the dearest kinds one is worth more than a second one."""
        return DISCARD[least_useful(obs.hand, self.keeps)]

    def first(self, obs: Observation, *actions: str) -> str:
        """Return the first of *actions* that is legal, else a discard."""
        return first_legal(obs, (*actions, self.discard(obs), *obs.legal))

    def write(self, obs: Observation) -> str:
        return self.first(obs, WIKI, BOOK)

    def move(self, obs: Observation) -> str:
        return self.first(obs, USE)

    def cure(self, obs: Observation) -> str:
        return self.first(obs, REVISE)

    def roll(self, obs: Observation) -> str:
        return self.first(obs, ROLL)

    def repair(self, obs: Observation) -> str:
        return self.first(obs, REVISE, LEAVE)

    def drop(self, obs: Observation) -> str:
        return self.first(obs)


class HonestStudent(Character):
    """Writes Wikipedia, never vandalises, uses as soon as it can and mends whatever it can.  Our idea."""

    keeps = (USE, REVISE, WIKI, BOOK, VANDAL)


class Vandal(Character):
    """Vandalises whenever it may, uses what cannot be vandalised, and lets others' uses fail.  Our idea."""

    keeps = (VANDAL, USE, REVISE, WIKI, BOOK)

    def move(self, obs: Observation) -> str:
        return self.first(obs, VANDAL, USE)

    def cure(self, obs: Observation) -> str:
        if obs.user == obs.seat or (obs.vandal != obs.seat and obs.user < 0):
            return self.first(obs, REVISE)  # it wants to use the work itself
        return self.first(obs, GIVE_UP)


class CarefulScholar(Character):
    """Writes books, and uses a work only with the REVISE in hand that would mend it.  Our idea."""

    keeps = (REVISE, BOOK, USE, WIKI, VANDAL)

    def write(self, obs: Observation) -> str:
        return self.first(obs, BOOK, WIKI)

    def move(self, obs: Observation) -> str:
        safe = obs.hand.count(REVISE) >= self.game.repair[obs.work]
        return self.first(obs, USE) if safe else self.first(obs)


class Editor(Character):
    """Uses when the odds are good, vandalises the others' uses, and keeps REVISE for both.  Our idea."""

    def write(self, obs: Observation) -> str:
        return self.first(obs, BOOK, WIKI)

    def move(self, obs: Observation) -> str:
        if obs.user >= 0:
            return self.first(obs, VANDAL) if (obs.user - (obs.seat or 0)) % self.game.sides else self.first(obs)
        good = odds.scores_after_draw(self.game, obs) > 0.5
        return self.first(obs, USE) if good else self.first(obs)


def first_legal(obs: Observation, actions: Iterable[str]) -> str:
    """Return the first of *actions* that is legal now."""
    return next(action for action in actions if action in obs.legal)


def least_useful(hand: tuple[str, ...], keeps: tuple[str, ...]) -> str:
    """Return the card to part with: of which there are most, and then the one that comes last in *keeps*."""
    return max(hand, key=lambda card: (hand.count(card), keeps.index(card)))


STRATEGIES: tuple[type[Strategy], ...] = (AtRandom, Vandal, HonestStudent, CarefulScholar, Editor)
"""Offered at the table and in the default tournament, from weakest to strongest."""
