"""Classroom games for Jupyter: engines, a table, strategies, tournaments and reflection.

Importing this package loads nothing else. What is needed most often is here by name, and loaded
when it is asked for::

    from coursekit import Wizard, duplicate, play, use_language
"""

TYPE_CHECKING = False  # as in typing, which need not be loaded for it

if TYPE_CHECKING:
    from coursekit.arena import duplicate, play, sweep
    from coursekit.core.match import Match
    from coursekit.core.strategy import Strategy
    from coursekit.games.blockade import Blockade
    from coursekit.games.knitwit import KnitWit
    from coursekit.games.wikipedia import Wikipedia
    from coursekit.games.wizard import Wizard
    from coursekit.kit import make
    from coursekit.table import Table
    from coursekit.words.language import use_language

__version__ = "0.1.0"

__all__ = [
    "Blockade",
    "KnitWit",
    "Match",
    "Strategy",
    "Table",
    "Wikipedia",
    "Wizard",
    "duplicate",
    "make",
    "play",
    "sweep",
    "use_language",
]

_HOMES = {
    "Blockade": "coursekit.games.blockade",
    "KnitWit": "coursekit.games.knitwit",
    "Match": "coursekit.core.match",
    "Strategy": "coursekit.core.strategy",
    "Table": "coursekit.table",
    "Wikipedia": "coursekit.games.wikipedia",
    "Wizard": "coursekit.games.wizard",
    "duplicate": "coursekit.arena",
    "make": "coursekit.kit",
    "play": "coursekit.arena",
    "sweep": "coursekit.arena",
    "use_language": "coursekit.words.language",
}
"""The module of each name."""


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
