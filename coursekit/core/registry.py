"""Games by name; finding one does not import the others.

The kit's own four are listed here. An installed package adds its games through the entry point
group :data:`GROUP`. A :class:`~coursekit.kit.GameKit` adds its game when it is created.
"""

from functools import lru_cache
from importlib import import_module
from typing import Any, Protocol

from coursekit.core.game import Game

GROUP = "coursekit.games"
"""Entry point group: a game's name -> the address of its kit, such as ``my_game.kit:KIT``."""
KIT_GAMES = {
    name: f"coursekit.games.{name}.kit:KIT"
    for name in ("wikipedia", "wizard", "blockade", "knitwit")
}
"""The games of the kit in the order a teacher sees them: name -> address of its ``GameKit``."""


class Playable(Protocol):
    """What this module needs of a game: its rules."""

    @property
    def rules(self) -> type[Game[Any, Any, Any]]: ...


_made: dict[str, Playable] = {}  # kits created in this process, by name


def add(kit: Playable) -> None:
    """Register *kit* under the name of its game.

    :raises ValueError: if a game of the kit has that name.
    """
    name = kit.rules.name
    if name in KIT_GAMES and not kit.rules.__module__.startswith(f"coursekit.games.{name}."):
        raise ValueError(f"{name!r} is a game of the kit; another game needs another name")
    _made[name] = kit


def remove(name: str) -> None:
    """Forget the kit of the game called *name* that was made in this process, if there is one."""
    _made.pop(name, None)


def names() -> tuple[str, ...]:
    """Return the names of all games: the kit's, installed ones, and those of this process."""
    return tuple(dict.fromkeys((*KIT_GAMES, *installed(), *_made)))


def is_known(name: object) -> bool:
    """Return whether there is a game called *name*."""
    return name in KIT_GAMES or name in _made or name in installed()


def load(name: str) -> Any:
    """Return the kit of the game called *name*.

    :raises KeyError: if there is none.
    """
    if name not in _made:
        module, _, attribute = (KIT_GAMES.get(name) or installed()[name]).partition(":")
        kit = getattr(import_module(module), attribute)
        if name not in _made:
            raise KeyError(f"{module} has the game {kit.rules.name!r}, not {name!r}")
    return _made[name]


@lru_cache
def installed() -> dict[str, str]:
    """Return where the kits of games from installed packages are, by the games' names."""
    try:
        from importlib.metadata import entry_points  # slow to import
    except ImportError:  # a page of the site: nothing is installed there
        return {}
    return {
        entry_point.name: entry_point.value for entry_point in sorted(entry_points(group=GROUP))
    }
