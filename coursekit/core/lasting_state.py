"""What strategies leave behind after a match: on their class, or in variables outside of it.

Each match has new instances of its strategies, so that the same seed gives the same match. What
``Mine.count += 1`` writes, or ``self.seen.append(card)`` if ``seen`` is a list of the class, lasts.
"""

import random
import sys
import warnings
from collections.abc import Iterable, Iterator, Sequence
from types import CodeType, FunctionType, ModuleType
from typing import Any
from weakref import WeakKeyDictionary, WeakSet

from coursekit.core import strategy_methods
from coursekit.core.errors import LocalizedError
from coursekit.words.language import current_language

MATCHES = 10
"""Matches of a class that are looked at; mostly the first tells."""
LARGE = 10_000
"""Bytes above which a list, dict or set is compared by its length alone."""
PLAIN = ("builtins", "collections", "itertools")
"""Modules of types whose ``repr`` tells what they hold."""

Place = tuple[type, str, str]
"""A class, the text that tells what lasts ("" if nothing does), and its name."""

_looks: WeakKeyDictionary[type, int] = WeakKeyDictionary()
_outer_names: WeakKeyDictionary[type, list[str]] = WeakKeyDictionary()
_told: WeakKeyDictionary[type, set[str]] = WeakKeyDictionary()
_keeping: WeakSet[type] = WeakSet()


untold: list[LocalizedError] = []
"""What a worker of a tournament has found."""


class StateWatch:
    """Compares what lasts before and after a match of *kinds*."""

    def __init__(self, kinds: Sequence[type]) -> None:
        self._kinds = []
        for kind in set(kinds):
            looks = _looks.get(kind, 0)
            if looks < MATCHES and getattr(kind, "guarded", False):
                _looks[kind] = looks + 1
                self._kinds.append(kind)
        self._before = self._state()

    def _state(self) -> dict[Place, Any]:
        state: dict[Place, Any] = {}
        for kind in self._kinds:
            for parent in _own_classes(kind):
                for name, value in vars(parent).items():
                    if not name.startswith("__"):
                        state[parent, "strategy.class_state", name] = _content(value)
            variables = _variables(kind)
            for name in _names_outside(kind):
                value = variables.get(name)
                # A dictionary is mostly a store of what was found out once.
                words = "" if isinstance(value, dict) else "strategy.outer_state"
                state[kind, words, name] = _content(value)
        return state

    def tell_changes(self) -> None:
        """Warn of what has changed, each once for a class; a worker leaves that to its parent."""
        found = []
        for place, content in self._state().items() if self._kinds else ():
            if self._before.get(place) != content:
                kind, words, name = place
                _keeping.add(kind)
                if words:
                    found.append(LocalizedError("", words, strategy=kind.__name__, name=name))
        if strategy_methods.is_worker():
            untold.extend(found)
        else:
            tell(found, self._kinds, current_language())


def keeps_state(kinds: Iterable[type]) -> bool:
    """Return whether one of *kinds* has been seen to leave something behind after a match."""
    return any(parent in _keeping for kind in kinds for parent in _own_classes(kind))


def tell(found: Iterable[LocalizedError], kinds: Iterable[type], language: str) -> None:
    """Warn in *language* of what was *found*, at the class that it is of and once for each."""
    classes = {parent.__name__: parent for kind in kinds for parent in _own_classes(kind)}
    for sentence in found:
        kind = classes[sentence.values["strategy"]]
        told = _told.setdefault(kind, set())
        if sentence.values["name"] not in told:
            told.add(sentence.values["name"])
            code = next(_codes(kind))
            words = sentence.sentence(language)
            warnings.warn_explicit(words, UserWarning, code.co_filename, code.co_firstlineno)


def _own_classes(kind: type) -> list[type]:
    return [parent for parent in kind.__mro__ if getattr(parent, "guarded", False)]


def _codes(kind: type) -> Iterator[CodeType]:
    """Yield the code of the methods of *kind* that a learner has written."""
    for parent in _own_classes(kind):
        for attribute in vars(parent).values():
            if isinstance(attribute, FunctionType):
                yield attribute.__code__


def _variables(kind: type) -> dict[str, Any]:
    """Return the variables of the notebook or file that *kind* comes from."""
    for parent in _own_classes(kind):
        for attribute in vars(parent).values():
            if isinstance(attribute, FunctionType):
                return attribute.__globals__
    return {}


def _names_outside(kind: type) -> list[str]:
    """Return the names outside of *kind* that its methods use, and functions that they call."""
    if kind not in _outer_names:
        variables = _variables(kind)
        codes = list(_codes(kind))
        names: dict[str, None] = {}
        while codes:
            code = codes.pop()
            codes += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
            for name in code.co_names:
                value = variables.get(name)
                if name in names or name not in variables or isinstance(value, ModuleType | type):
                    continue
                names[name] = None
                if isinstance(value, FunctionType) and value.__globals__ is variables:
                    codes.append(value.__code__)
        _outer_names[kind] = list(names)
    return _outer_names[kind]


def _content(value: Any) -> Any:
    """Return something that differs when *value* is another or holds other things."""
    if isinstance(value, random.Random):
        return hash(value.getstate())
    if type(value).__module__ not in PLAIN or isinstance(value, FunctionType):
        return id(value)
    if sys.getsizeof(value) > LARGE:
        return len(value) if hasattr(value, "__len__") else id(value)
    return repr(value)
