"""Wizard 巫師: predict exactly how many tricks you will win."""

from coursekit.games.wizard.rules import Options, Wizard

__all__ = ["Options", "Wizard"]
