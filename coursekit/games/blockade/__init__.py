"""文壇封鎖中 1949-1992 (Literature Lockdown): writers and censors under martial law."""

from coursekit.games.blockade.rules.card_codes import own_cards
from coursekit.games.blockade.rules.card_files import write_template
from coursekit.games.blockade.rules.game import Blockade
from coursekit.games.blockade.rules.options import Options

__all__ = ["Blockade", "Options", "own_cards", "write_template"]
