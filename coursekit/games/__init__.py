"""The games of the kit: the one list, in the order a teacher sees them."""

from importlib import import_module
from types import ModuleType
from typing import Any

from coursekit.game import Game
from coursekit.games.blockade.rules import Blockade
from coursekit.games.knitwit.rules import KnitWit
from coursekit.games.wikipedia.rules import Wikipedia
from coursekit.games.wizard.rules import Wizard
from coursekit.strategy import Strategy

GAMES: dict[str, type[Game[Any, Any, Any]]] = {game.name: game for game in (Wikipedia, Wizard, Blockade, KnitWit)}


def scene_module(game: str) -> ModuleType:
    """Return the module of *game* that draws it, with its functions ``scene`` and ``log``."""
    return import_module(f"coursekit.games.{game}.scene")


def strategies(game: str) -> tuple[type[Strategy], ...]:
    """Return the strategies that come with *game*, the weakest first."""
    found: tuple[type[Strategy], ...] = import_module(f"coursekit.games.{game}.strategies").STRATEGIES
    return found
