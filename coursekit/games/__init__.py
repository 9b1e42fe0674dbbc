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


def strategies(game: str, language: str | None = None) -> tuple[type[Strategy], ...]:
    """Return the strategies that come with *game*, the weakest first.

    :param language: of the table where they are to play.  Where they write words, their module has a function
        ``speaking(kind, language)`` that returns the same strategy, by the same name, in that language.
    """
    module = import_module(f"coursekit.games.{game}.strategies")
    found: tuple[type[Strategy], ...] = module.STRATEGIES
    if language is None or not hasattr(module, "speaking"):
        return found
    return tuple(module.speaking(kind, language) for kind in found)
