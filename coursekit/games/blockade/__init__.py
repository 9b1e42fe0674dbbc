"""文壇封鎖中 1949-1992 (Literature Lockdown): writers, periodicals and banned books under martial law."""

from coursekit.games.blockade.carddata import write_template
from coursekit.games.blockade.cards import own_cards
from coursekit.games.blockade.options import Options
from coursekit.games.blockade.rules import Blockade

__all__ = ["Blockade", "Options", "own_cards", "write_template"]
