"""Strategies for Keep or Swap."""

from coursekit.core.strategy import AtRandom, Strategy
from keep_or_swap.rules import Observation


class Cautious(Strategy):
    """Swaps a card that is below the middle of the deck."""

    def choose(self, obs: Observation) -> str:
        middle = (1 + self.game.options.highest) / 2
        return "swap" if obs.cards[obs.me] < middle and "swap" in obs.legal else "keep"


STRATEGIES = (AtRandom, Cautious)
"""The weakest first."""
