"""Strategies for 維基百科 vs 書籍: chance, three characters, and the best player we could build.

All ideas are ours.
"""

from coursekit.core.game import Seat
from coursekit.core.search import Core, Searcher
from coursekit.core.strategy import AtRandom, Reason, Strategy
from coursekit.games.wikipedia.playouts import core_of
from coursekit.games.wikipedia.rules import odds
from coursekit.games.wikipedia.rules.cards import (
    BOOK,
    DISCARD,
    GIVE_UP,
    LEAVE,
    REFILL,
    REVISE,
    ROLL,
    USE,
    VANDAL,
    WIKI,
)
from coursekit.games.wikipedia.rules.game import Wikipedia
from coursekit.games.wikipedia.rules.options import FACES
from coursekit.games.wikipedia.rules.state import Observation, State


class Character(Strategy):
    """What the characters below share: use the work, cure and mend it if possible."""

    game: Wikipedia

    PATIENCE = 6
    """Laps without a change on the table after which it does what it would rather not do."""
    KEEPS: tuple[str, ...] = (USE, REVISE, WIKI, BOOK, VANDAL)  # the dearest first

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

    def discard(self, obs: Observation) -> str:
        return DISCARD[least_useful(obs.hand, self.KEEPS)]

    def first(self, obs: Observation, *actions: str) -> str:
        """Return the first of *actions* that is legal, else a discard; first fill up the hand."""
        for action in (REFILL, *actions):
            if action in obs.legal:
                return action
        discard = self.discard(obs)
        return discard if discard in obs.legal else obs.legal[0]

    def is_impatient(self, obs: Observation) -> bool:
        """Return whether the table has been still for longer than its patience."""
        return obs.quiet > self.PATIENCE * obs.players


class HonestStudent(Character):
    """Writes Wikipedia, never vandalises, uses as soon as it can, cures and mends what it can."""


class CarefulScholar(Character):
    """Writes books, and uses a work only with the REVISE in hand that would mend it."""

    KEEPS = (REVISE, BOOK, USE, WIKI, VANDAL)

    def write(self, obs: Observation) -> str:
        return self.first(obs, BOOK, WIKI)

    def move(self, obs: Observation) -> str:
        is_safe = obs.hand.count(REVISE) >= self.game.repair[obs.work]
        return self.first(obs, *[USE] * (is_safe or self.is_impatient(obs)))


class Vandal(Character):
    """Vandalises whenever it may, and lets the others' uses fail; for itself it cures and uses."""

    KEEPS = (VANDAL, USE, REVISE, WIKI, BOOK)

    def move(self, obs: Observation) -> str:
        return self.first(obs, VANDAL, USE)

    def cure(self, obs: Observation) -> str:
        mine = obs.user == obs.seat
        in_my_way = obs.user < 0 and obs.vandal != obs.seat
        return self.first(obs, REVISE) if mine or in_my_way else self.first(obs)


class Editor(Character):
    """Uses before others can, vandalises what the others use, and does not cure for them.

    - Being first is everything: waiting for better odds lets others use the work.  So it uses
      unless the use cannot score, even a book of the others: alone they would get both points.
    - Curing a work that is not in use gives the next player the first use of it.  So it cures
      only for a use of its own side, or with a REVISE left for the use to come, or when all others
      wait as well.
    - It keeps USE, REVISE and VANDAL in equal numbers.  Works go first: a player who holds one
      must write it, and then the others can use it first.
    - Mending a book of the others brings them as much as its own side, and costs cards.
    """

    @classmethod
    def core(cls, game: Wikipedia) -> Core | None:
        """Return how a :class:`.Searcher` plays on with this strategy; ``None`` if it cannot."""
        core = core_of(game, cls.PATIENCE)
        return core and core._replace(payoff=Thinker.payoff)

    def write(self, obs: Observation) -> str:
        return self.first(obs, BOOK, WIKI)

    def move(self, obs: Observation) -> str:
        if obs.user >= 0:
            return self.first(obs) if self.is_on_my_side(obs.user, obs) else self.first(obs, VANDAL)
        # With another face it may score, and the odds take long
        goes_wrong = self.game.wrong[obs.work] == FACES
        is_hopeless = goes_wrong and odds.scores_after_draw(self.game, obs) == 0
        if is_hopeless and not self.is_impatient(obs):
            return self.first(obs, VANDAL)
        return self.first(obs, USE, VANDAL)

    def cure(self, obs: Observation) -> str:
        if obs.user >= 0:
            return self.first(obs, REVISE) if self.is_on_my_side(obs.user, obs) else self.first(obs)
        spare = obs.hand.count(REVISE) > 1 and not self.is_on_my_side(obs.vandal, obs)
        return self.first(obs, REVISE) if spare or self.is_impatient(obs) else self.first(obs)

    def repair(self, obs: Observation) -> str:
        if obs.work == BOOK and self.game.sides == 2 and not self.is_on_my_side(obs.author, obs):
            return self.first(obs, LEAVE, REVISE)
        return self.first(obs, REVISE, LEAVE)

    def discard(self, obs: Observation) -> str:
        works = [card for card in (WIKI, BOOK) if card in obs.hand]
        return DISCARD[works[0] if works else least_useful(obs.hand, (REVISE, VANDAL, USE))]

    def explain(self, obs: Observation, action: str) -> Reason | None:
        if len(obs.legal) == 1 or obs.phase == "drop":
            return None  # forced
        if action in (REFILL, ROLL, BOOK, WIKI, GIVE_UP):
            return None  # nothing was weighed
        if action == USE:
            chance = odds.scores_after_draw(self.game, obs)
            if chance:
                return Reason("why.use", {"chance": round(100 * chance)})
            return Reason("why.use_waited")
        if action == VANDAL:
            return Reason("why.stop" if obs.user >= 0 else "why.hopeless")
        if action == REVISE and obs.phase == "cure":
            if obs.user >= 0 and self.is_on_my_side(obs.user, obs):
                return Reason("why.cure_use")
            return Reason("why.cure_waited" if self.is_impatient(obs) else "why.cure_spare")
        if obs.phase == "repair" and action == REVISE:
            return Reason("why.repair")
        if obs.phase == "repair":
            return Reason("why.leave", {"cards": self.game.repair[BOOK]})
        could_cure = obs.phase == "cure" and REVISE in obs.legal
        return Reason("why.no_cure" if could_cure else "why.discard")

    def is_on_my_side(self, seat: Seat, obs: Observation) -> bool:
        """Return whether *seat* is on its own side."""
        return (seat - obs.me) % self.game.sides == 0


class Thinker(Searcher):
    """Tries what it may do in many guessed deals, where editors go on until a point is scored."""

    game: Wikipedia
    guide = Editor
    worlds = 1000  # its choices differ by less than luck does: 150 win no more than the editor

    def payoff(self, state: State, seat: Seat, before: tuple[int, ...]) -> float:
        """Return how many points its side has gained on the mean of the others."""
        sides = self.game.sides
        gained = [now - then for now, then in zip(state.points, before)]
        mine = sum(gained[seat % sides :: sides])
        return mine - (sum(gained) - mine) / (sides - 1)


def least_useful(hand: tuple[str, ...], keeps: tuple[str, ...]) -> str:
    """Return the card to part with: the most frequent kind, the last in *keeps* if several."""
    least = ""
    most = 1
    for card in keeps:
        count = hand.count(card)
        if count >= most:
            least, most = card, count
    return least


STRATEGIES: tuple[type[Strategy], ...] = (AtRandom, HonestStudent, CarefulScholar, Vandal, Editor)
"""Offered at the table and in the default tournament, from weakest to strongest."""
