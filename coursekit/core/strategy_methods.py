"""What the author of a player made of code has to know: which methods there are, and what they are
told.
"""

import inspect
import sys
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import fields
from difflib import get_close_matches
from functools import lru_cache
from types import CodeType, FunctionType
from typing import Any
from weakref import WeakSet

from coursekit.core.game import Game
from coursekit.core.observation import meaning, subclass_tree
from coursekit.words.texts import MissingText, game_text, text

Rules = type[Game[Any, Any, Any]]
ALIKE = 0.6
"""Minimum similarity (:mod:`difflib`, 0-1) of a method that nothing calls to the one it was meant
to be.
"""

_told = WeakSet[type]()


def loaded_games() -> list[Rules]:
    """Return the rules of all games that this process has imported and that name their phases."""
    return [rules for rules in subclass_tree(Game) if rules.phases]


def signatures(game: Rules | Game[Any, Any, Any], language: str) -> list[str]:
    """Return a line of Python for each method that a strategy for *game* may have, with what it
    decides.
    """
    heads = [f"def {phase}(self, obs):" for phase in game.phases]
    width = max(map(len, heads), default=0)
    return [
        f"{head:{width}}  # {_words(game.name, f'method.{phase}', language)}".rstrip(" #")
        for head, phase in zip(heads, game.phases, strict=True)
    ]


def help_text(language: str) -> str:
    """Return for ``help()`` the methods, and the fields of an observation, of all games
    :func:`loaded_games`.
    """
    return _guide(tuple(loaded_games()), language)


@lru_cache
def _guide(games: Sequence[Rules], language: str) -> str:
    parts = []
    for game in games:
        title = game_text(game.name, "title", language)
        parts += [
            text("strategy_method.which", language, game=title),
            *_indented(signatures(game, language)),
        ]
        parts += [text("strategy_method.fields", language)]
        kind = game.observation_type
        names = [field.name for field in fields(kind)]
        names += [name for name, made in vars(kind).items() if isinstance(made, property)]
        width = max(map(len, names))
        parts += _indented(
            [f"obs.{name:{width}}  {meaning(game.name, name, language)}" for name in names]
        )
    return "\n".join(parts)


def _indented(lines: Sequence[str]) -> list[str]:
    return ["", *(f"    {line}" for line in lines), ""]


def _words(game: str, id: str, language: str) -> str:
    try:
        return game_text(game, id, language)
    except MissingText:  # a game outside the kit need not have it
        return ""


def misspelt_methods(kind: type, base: type, phases: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the name of each method of *kind* that was meant to be one of *phases*, and which.

    It is meant to be one if it takes an observation and nothing else, nothing in the class mentions
    it, it is no phase of another game, and it is spelt much like a phase that the author has not
    written. A class with a ``decide`` of its own needs no phases.

    :param base: the class of all strategies.
    """
    if kind.decide is not base.decide:  # type: ignore[attr-defined]
        return
    above = [parent for parent in kind.__mro__ if parent is not base and issubclass(parent, base)]
    mentioned = {
        name for parent in above for made in vars(parent).values() for name in _names(_code(made))
    }
    written = {
        name for parent in above if parent.__module__ == kind.__module__ for name in vars(parent)
    }
    known = {*phases, *dir(base), *(phase for game in loaded_games() for phase in game.phases)}
    for name in sorted(written - known - mentioned):
        method = getattr(kind, name)
        near = _near(name, [phase for phase in phases if phase not in written])
        if (
            near
            and not name.startswith("_")
            and isinstance(method, FunctionType)
            and _takes_an_observation(method)
        ):
            yield name, near


def _near(name: str, phases: Sequence[str]) -> str:
    swapped = [
        phase for phase in phases if sorted(phase) == sorted(name.lower())
    ]  # bdi: difflib finds that unlike
    return next(iter([*swapped, *get_close_matches(name.lower(), phases, 1, ALIKE)]), "")


def _takes_an_observation(method: FunctionType) -> bool:
    try:
        inspect.signature(method).bind(None, None)
    except TypeError:
        return False
    return True


def _code(made: Any) -> CodeType | None:
    function = getattr(made, "__func__", None) or getattr(made, "fget", None) or made
    return getattr(function, "__code__", None)


def _names(code: CodeType | None) -> Iterator[str]:
    if code is not None:
        yield from code.co_names
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                yield from _names(constant)
            elif isinstance(constant, str):  # getattr(self, "…")
                yield constant


def _is_worker() -> bool:
    """Return whether this is a worker of a tournament, whose parent has told everything."""
    processes = sys.modules.get(
        "multiprocessing.process"
    )  # not imported here: that takes longer than the rules
    return processes is not None and processes.parent_process() is not None


def find_misspellings(
    kind: type, base: type, game: Game[Any, Any, Any], language: str
) -> list[tuple[FunctionType, str]]:
    """Return the methods of *kind* that are :func:`misspelt_methods`, each with a sentence; once for each
    class.
    """
    if kind in _told or _is_worker():
        return []
    _told.add(kind)
    values = {"strategy": kind.__name__, "allowed": ", ".join(game.phases)}
    return [
        (
            getattr(kind, name),
            text("strategy_method.unknown", language, got=name, near=near, **values),
        )
        for name, near in misspelt_methods(kind, base, game.phases)
    ]


def warn(kind: type, base: type, game: Game[Any, Any, Any], language: str) -> None:
    """Warn once of each method of *kind* that is :func:`misspelt_methods`, at its own line."""
    for method, words in find_misspellings(kind, base, game, language):
        warnings.warn_explicit(
            words, UserWarning, method.__code__.co_filename, method.__code__.co_firstlineno
        )
