"""Knit Wit: words in loops of string, after the game by Matt Leacock."""

from coursekit.games.knitwit.rules.game import KnitWit
from coursekit.games.knitwit.rules.lexicon import own_words
from coursekit.games.knitwit.rules.options import Options

__all__ = ["KnitWit", "Options", "own_words"]
