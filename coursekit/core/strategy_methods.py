"""The methods a strategy may have: their signatures, their help, and what is wrong with them."""

import ast
import inspect
import sys
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import fields
from difflib import get_close_matches
from functools import cached_property, lru_cache
from textwrap import dedent
from types import CodeType, FunctionType
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from coursekit.core.game import Game
from coursekit.core.observation import meaning, subclass_tree
from coursekit.words.characters import is_visible
from coursekit.words.texts import MissingText, class_name, game_text, make_line, shorten, text

Rules = type[Game[Any, Any, Any]]
Place = tuple[str, int]
"""A file and a line of it."""
ALIKE = 0.6
"""Minimum similarity (:mod:`difflib`, 0-1) of an uncalled method to the one that was meant."""

ASKED_WITH = {
    "__init__": ("rng", "game"),
    "decide": ("obs",),
    "anything": ("obs",),
    "explain": ("obs", "action"),
}
"""What the kit gives to the methods of a strategy beside ``self``; to a phase's, ``obs``."""

_checked = WeakKeyDictionary[type, set[str]]()  # the games for which slips of a class were told
_callable = WeakKeyDictionary[type, set[str]]()  # the games whose methods of a class can be called


class Fault(NamedTuple):
    """Why a method cannot be called: a text id of the kit, and its values."""

    text: str
    values: dict[str, Any]


def is_own(kind: type) -> bool:
    """Return whether *kind* was written outside the kit."""
    return not kind.__module__.startswith("coursekit.")


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


def find_new_fault(kind: type, game: Game[Any, Any, Any]) -> Fault | None:
    """Return what :func:`find_fault` does, until there is nothing for that game.

    A class whose name nobody can see has a fault, too.
    """
    fine = _callable.setdefault(kind, set())
    if game.name in fine:
        return None
    if not is_visible(str(kind.__name__)):
        return Fault("strategy_method.unseen", {"strategy": class_name(kind)})
    fault = find_fault(kind, game.phases)
    if fault is None:
        fine.add(game.name)
    return fault


def find_fault(kind: type, phases: Sequence[str]) -> Fault | None:
    """Return what is wrong with the first method of *kind* that nothing can call, if one is."""
    for name, arguments in {**ASKED_WITH, **dict.fromkeys(phases, ("obs",))}.items():
        owner = next((parent for parent in kind.__mro__ if name in vars(parent)), object)
        if owner is object or not is_own(owner):
            continue
        fault = _find_fault(vars(owner)[name], name, arguments)
        if fault is not None:
            return Fault(fault.text, {**fault.values, "strategy": class_name(kind), "method": name})
    return None


def _find_fault(attribute: Any, name: str, arguments: Sequence[str]) -> Fault | None:
    takes = f"({', '.join(['self', *arguments])})"
    function = attribute
    given = list(arguments)
    if isinstance(attribute, staticmethod | classmethod):
        function = attribute.__func__
    if isinstance(attribute, property | cached_property):
        got = type(attribute).__name__
        return Fault("strategy_method.decorated", {"got": got, "takes": takes})
    if isinstance(attribute, type) or not callable(function):
        if hasattr(attribute, "__get__") and not isinstance(attribute, type):
            return None  # it may become anything
        return Fault("strategy_method.no_method", {"got": shorten(attribute), "takes": takes})
    if hasattr(function, "__get__") and not isinstance(attribute, staticmethod):
        given.insert(0, "self")
    line = getattr(getattr(function, "__code__", None), "co_firstlineno", 0)
    if not line:
        return None  # no function of Python's
    if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
        return Fault("strategy_method.waits", {"line": line})
    if inspect.isgeneratorfunction(function):
        return Fault("strategy_method.yields", {"line": line})
    signature = inspect.signature(function, follow_wrapped=False)
    try:
        signature.bind(*given)
    except TypeError:
        bare = [
            parameter.replace(annotation=inspect.Parameter.empty)
            for parameter in signature.parameters.values()
        ]
        if isinstance(attribute, staticmethod | classmethod):
            got = type(attribute).__name__
            return Fault("strategy_method.decorated", {"got": got, "takes": takes})
        yours = make_line(f"({', '.join(map(str, bare))})")
        return Fault("strategy_method.signature", {"line": line, "takes": takes, "yours": yours})
    return None


def find_shadow(player: Any, name: str) -> Fault | None:
    """Return that *player* has something else called *name* than its method, if it has."""
    if name not in vars(player):
        return None
    values = {"strategy": class_name(type(player)), "method": name}
    return Fault("strategy_method.hidden", {**values, "got": shorten(vars(player)[name])})


def misspelt_methods(kind: type, base: type, phases: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the name of each method of *kind* that was meant to be one of *phases*, and which.

    Such a method takes an observation and nothing else, nothing in the class mentions it, no game
    has a phase of its name, and there is a phase without a method.  It is spelt much like that
    phase, or its argument is called ``obs``; then nobody knows which was meant: "".  A class with a
    ``decide`` of its own needs no phases.

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
    missing = [phase for phase in phases if phase not in written]
    for name in sorted(written - known - mentioned):
        method = getattr(kind, name)
        if not isinstance(method, FunctionType) or name.startswith("_") or not missing:
            continue
        if not _takes_an_observation(method):
            continue
        near = _nearest(name, missing)
        if near or method.__code__.co_varnames[1:2] == ("obs",):
            yield name, near


class Misplaced(NamedTuple):
    """A method that stands inside another one, or outside its class."""

    name: str
    file: str
    line: int
    place: str
    """The other method; "" for outside."""


def misplaced_methods(kind: type, base: type, phases: Sequence[str]) -> Iterator[Misplaced]:
    """Yield each function that was meant to be a method of *kind* and has the wrong indent.

    It has the name of one of *phases* for which *kind* has no method, and takes ``self`` and one
    thing more.
    """
    if not is_own(kind) or kind.decide is not base.decide:  # type: ignore[attr-defined]
        return
    missing = [phase for phase in phases if not hasattr(kind, phase)]
    if not missing:
        return
    for name, attribute in vars(kind).items():
        code = _code(attribute)
        if code is None:
            continue
        for nested in _nested_functions(attribute):
            arguments = [argument.arg for argument in nested.args.args]
            if nested.name in missing and arguments[:1] == ["self"]:
                line = code.co_firstlineno + nested.lineno - 1
                yield Misplaced(nested.name, code.co_filename, line, name)
    around = vars(sys.modules.get(kind.__module__, kind))
    for name in missing:
        outside = getattr(around.get(name), "__code__", None)
        if isinstance(outside, CodeType) and outside.co_varnames[:1] == ("self",):
            yield Misplaced(name, outside.co_filename, outside.co_firstlineno, "")


def _nested_functions(method: Any) -> list[ast.FunctionDef]:
    """Return the functions in *method*, by its source: none of them may ever be reached."""
    try:
        tree = ast.parse(dedent(inspect.getsource(method)))
    except (OSError, SyntaxError, TypeError):
        return []
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    return functions[1:]


def plays_at_random(kind: type, base: type, phases: Sequence[str]) -> bool:
    """Return whether *kind*, written outside the kit, decides nothing in any of *phases*."""
    if not is_own(kind):
        return False
    written = {name for parent in kind.__mro__ if parent is not base for name in vars(parent)}
    return written.isdisjoint([*phases, "decide", "anything", "__getattr__"])


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


def is_worker() -> bool:
    """Return whether this is a worker of a tournament, whose parent has warned already."""
    # Not imported here: that takes longer than the rules.
    processes = sys.modules.get("multiprocessing.process")
    return processes is not None and processes.parent_process() is not None


def find_slips(
    kind: type, base: type, game: Game[Any, Any, Any], language: str
) -> list[tuple[Place, str]]:
    """Return a sentence for each thing in *kind* that cannot have been meant, and where it is.

    Those are the :func:`misspelt_methods`, the :func:`misplaced_methods`, and else that the class
    decides nothing.  Each class is looked at once for each game.
    """
    checked = _checked.setdefault(kind, set())
    if game.name in checked:
        return []
    checked.add(game.name)
    if is_worker():
        return []
    values = {"strategy": class_name(kind), "allowed": ", ".join(game.phases)}
    slips: list[tuple[Place, str]] = []
    uncalled: list[tuple[Place, str]] = []
    for name, near in misspelt_methods(kind, base, game.phases):
        text_id = "strategy_method.unknown" if near else "strategy_method.uncalled"
        words = text(text_id, language, got=name, near=near, **values)
        (slips if near else uncalled).append((_place(getattr(kind, name)), words))
    for slip in misplaced_methods(kind, base, game.phases):
        text_id = "strategy_method.inside" if slip.place else "strategy_method.outside"
        where = {"got": slip.name, "place": slip.place, "line": slip.line}
        slips.append(((slip.file, slip.line), text(text_id, language, **where, **values)))
    if not game.phases or not plays_at_random(kind, base, game.phases):
        slips += uncalled
    elif not slips:
        places = [_place(attribute) for attribute in vars(kind).values() if _code(attribute)]
        title = game_text(game.name, "title", language)
        words = text("strategy_method.none", language, game=title, **values)
        slips.append(((places or [(class_name(kind), 1)])[0], words))
    return slips


def _place(method: Any) -> Place:
    code = _code(method)
    assert code is not None
    return code.co_filename, code.co_firstlineno


def warn(kind: type, base: type, game: Game[Any, Any, Any], language: str) -> None:
    """Warn once of each of the :func:`find_slips` of *kind*, at its own line."""
    for (file, line), words in find_slips(kind, base, game, language):
        warnings.warn_explicit(words, UserWarning, file, line)
