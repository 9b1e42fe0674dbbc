"""The games of the kit: the one list, in the order a teacher sees them."""

from typing import Any

from coursekit.game import Game
from coursekit.games.wizard.rules import Wizard

GAMES: dict[str, type[Game[Any, Any, Any]]] = {game.name: game for game in (Wizard,)}
