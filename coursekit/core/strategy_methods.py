"""The methods a strategy may have: their signatures, their help, and misspelt ones."""

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
"""Minimum similarity (:mod:`difflib`, 0-1) of an uncalled method to the one that was meant."""

_checked = WeakSet[type]()


def loaded_games() -> list[Rules]:
    """Return the rules of all games that this process has imported and that name their phases."""
    return [rules for rules in subclass_tree(Game) if rules.phases]


def signatures(game: Rules | Game[Any, Any, Any], language: str) -> list[str]:
    """Return a line of Python for each method of a strategy for *game*, with what it decides."""
    width = len("def (self, obs):") + max(map(len, game.phases), default=0)
    lines = []
    for phase in game.phases:
        head = f"def {phase}(self, obs):"
        try:
            words = game_text(game.name, f"method.{phase}", language)
        except MissingText:  # a game outside the kit need not have it
            words = ""
        lines.append(f"{head:{width}}  # {words}".rstrip(" #"))
    return lines


def help_text(language: str) -> str:
    """Return the methods and the fields of an observation of all :func:`loaded_games`."""
    return _help_text(tuple(loaded_games()), language)


@lru_cache
def _help_text(games: Sequence[Rules], language: str) -> str:
    lines = []
    for game in games:
        title = game_text(game.name, "title", language)
        lines.append(text("strategy_method.which", language, game=title))
        lines += _indent(signatures(game, language))
        lines.append(text("strategy_method.fields", language))
        kind = game.observation_type
        names = [field.name for field in fields(kind)]
        names += [name for name, value in vars(kind).items() if isinstance(value, property)]
        width = max(map(len, names))
        meanings = [meaning(game.name, name, language) for name in names]
        lines += _indent([f"obs.{n:{width}}  {words}" for n, words in zip(names, meanings)])
    return "\n".join(lines)


def _indent(lines: Sequence[str]) -> list[str]:
    return ["", *(f"    {line}" for line in lines), ""]


def misspelt_methods(kind: type, base: type, phases: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the name of each method of *kind* that was meant to be one of *phases*, and which.

    Such a method takes an observation and nothing else, nothing in the class mentions it, no game
    has a phase of its name, and it is spelt much like a phase for which there is no method. A class
    with a ``decide`` of its own needs no phases.

    :param base: the class of all strategies.
    """
    if kind.decide is not base.decide:  # type: ignore[attr-defined]
        return
    above = [parent for parent in kind.__mro__ if parent is not base and issubclass(parent, base)]
    mentioned: set[str] = set()
    for parent in above:
        for attribute in vars(parent).values():
            mentioned.update(_names(_code(attribute)))
    written = {
        name for parent in above if parent.__module__ == kind.__module__ for name in vars(parent)
    }
    known = {*phases, *dir(base), *(phase for game in loaded_games() for phase in game.phases)}
    for name in sorted(written - known - mentioned):
        method = getattr(kind, name)
        if not isinstance(method, FunctionType) or name.startswith("_"):
            continue
        near = _nearest(name, [phase for phase in phases if phase not in written])
        if near and _takes_an_observation(method):
            yield name, near


def _nearest(name: str, phases: Sequence[str]) -> str:
    """Return the one of *phases* that is spelt most like *name*, "" for none."""
    for phase in phases:  # difflib finds "bdi" unlike "bid"
        if sorted(phase) == sorted(name.lower()):
            return phase
    return "".join(get_close_matches(name.lower(), phases, 1, ALIKE))


def _takes_an_observation(method: FunctionType) -> bool:
    try:
        inspect.signature(method).bind(None, None)
    except TypeError:
        return False
    return True


def _code(attribute: Any) -> CodeType | None:
    function = getattr(attribute, "__func__", None) or getattr(attribute, "fget", attribute)
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
    """Return whether this is a worker of a tournament, whose parent has warned already."""
    # Not imported here: that takes longer than the rules.
    processes = sys.modules.get("multiprocessing.process")
    return processes is not None and processes.parent_process() is not None


def find_misspellings(
    kind: type, base: type, game: Game[Any, Any, Any], language: str
) -> list[tuple[FunctionType, str]]:
    """Return the :func:`misspelt_methods` of *kind*, each with a sentence; once for each class."""
    if kind in _checked or _is_worker():
        return []
    _checked.add(kind)
    values = {"strategy": kind.__name__, "allowed": ", ".join(game.phases)}
    misspelt = []
    for name, near in misspelt_methods(kind, base, game.phases):
        words = text("strategy_method.unknown", language, got=name, near=near, **values)
        misspelt.append((getattr(kind, name), words))
    return misspelt


def warn(kind: type, base: type, game: Game[Any, Any, Any], language: str) -> None:
    """Warn once of each of the :func:`misspelt_methods` of *kind*, at its own line."""
    for method, words in find_misspellings(kind, base, game, language):
        code = method.__code__
        warnings.warn_explicit(words, UserWarning, code.co_filename, code.co_firstlineno)
