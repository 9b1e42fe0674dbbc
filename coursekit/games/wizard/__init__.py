"""Wizard 巫師: predict exactly how many tricks you will win."""

from coursekit.games.wizard.rules.game import Wizard
from coursekit.games.wizard.rules.options import Options

__all__ = ["Options", "Wizard"]
