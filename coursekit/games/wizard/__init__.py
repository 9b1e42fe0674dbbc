"""Wizard 巫師: predict exactly how many tricks you will win."""

from coursekit.games.wizard.options import Options
from coursekit.games.wizard.rules import Wizard

__all__ = ["Options", "Wizard"]
