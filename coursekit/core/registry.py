"""Games by name, found without importing the others.

The kit's own four are listed here.  An installed package adds its games through the entry point group
:data:`GROUP`, and a :class:`~coursekit.kit.GameKit` adds its game when it is made.
"""

from functools import lru_cache
from importlib import import_module
from typing import Any, Protocol

from coursekit.core.game import Game

GROUP = "coursekit.games"
"""Entry point group: the game's name, and where its kit is, such as ``my_game.kit:KIT``."""
OWN = {name: f"coursekit.games.{name}.kit:KIT" for name in ("wikipedia", "wizard", "blockade", "knitwit")}
"""The games of the kit, in the order a teacher sees them, and where each hands over what it brings."""


class Playable(Protocol):
    """What is known of a game here: that it has rules."""

    @property
    def rules(self) -> type[Game[Any, Any, Any]]: ...


_made: dict[str, Playable] = {}  # kits that have been made in this process, by name


def add(kit: Playable) -> None:
    """Let *kit*'s game be found by its name from now on.

    :raises ValueError: if a game of the kit has that name.
    """
    name = kit.rules.name
    if name in OWN and not kit.rules.__module__.startswith(f"coursekit.games.{name}."):
        raise ValueError(f"{name!r} is a game of the kit; another game needs another name")
    _made[name] = kit


def remove(name: str) -> None:
    """Forget the kit of the game called *name* that was made in this process, if there is one."""
    _made.pop(name, None)


def names() -> tuple[str, ...]:
    """Return the names of all games there are: the kit's, those installed, and those made in this process."""
    return tuple(dict.fromkeys((*OWN, *_installed(), *_made)))


def known(name: object) -> bool:
    """Return whether there is a game called *name*."""
    return name in OWN or name in _made or name in _installed()


def load(name: str) -> Any:
    """Return the kit of the game called *name*.

    :raises KeyError: if there is none.
    """
    if name not in _made:
        module, _, attribute = (OWN.get(name) or _installed()[name]).partition(":")
        kit = getattr(import_module(module), attribute)
        if name not in _made:
            raise KeyError(f"{module} has the game {kit.rules.name!r}, not {name!r}")
    return _made[name]


@lru_cache
def _installed() -> dict[str, str]:
    from importlib.metadata import entry_points  # takes longer than all else here

    return {each.name: each.value for each in sorted(entry_points(group=GROUP))}
