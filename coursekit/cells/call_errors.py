"""Sentences instead of tracebacks where a cell uses the kit in a way that it does not know.

A sentence names the last line that the learner wrote, what was called there, and how it is called.
An error in which the kit has no part stays as Python shows it.
"""

import ast
import linecache
import re
import sys
from contextlib import suppress
from dataclasses import FrozenInstanceError
from inspect import Parameter, signature
from pathlib import Path
from pkgutil import iter_modules
from types import FrameType, ModuleType, TracebackType
from typing import Any, NamedTuple

from coursekit.core.errors import (
    LocalizedError,
    is_kits,
    nearest,
    unknown_attribute,
    unknown_name,
)
from coursekit.core.strategy import error_words, is_own_file
from coursekit.files.folders import visible_files
from coursekit.words.texts import PACKAGE, make_line

LONGEST_CALL = 400
"""Maximum characters of how something is called."""
KEYWORD = re.compile(r"unexpected keyword argument '(\w+)'")
NAMED = re.compile(r"([\w.]+)\(\) ")
IMPORTED = re.compile(r"cannot import name '(\w+)' from '([\w.]+)'")


class Line(NamedTuple):
    """A line of a learner's that runs."""

    number: int
    code: str
    expression: ast.expr | None
    """The part of it that runs now."""
    frame: FrameType


def describe_error(error: BaseException) -> LocalizedError | None:
    """Return what is wrong in the use of the kit that ended with *error*, if that is the cause.

    >>> try:
    ...     from coursekit.arena import duplicates
    ... except ImportError as error:
    ...     print(describe_error(error).sentence("en").partition(";")[0])
    coursekit.arena has no duplicates
    """
    if isinstance(error, LocalizedError) or not isinstance(error, Exception):
        return None
    if isinstance(error, ImportError):
        return _describe_import(error)
    traces = _traces(error.__traceback__)
    own = [trace for trace in traces if is_own_file(trace.tb_frame.f_code.co_filename)]
    if not own:
        return None
    if isinstance(error, FrozenInstanceError):
        return LocalizedError("", "cell.frozen", error=error_words(error))
    line = _read_line(own[-1])
    if own[-1] is traces[-1] and (described := unknown_attribute(error)):
        return described
    values = {"line": line.number, "code": line.code, "error": error_words(error)}
    called = _called(line) or _named(error)
    if is_kits(called):
        return _describe_call(called, values)
    below = traces[traces.index(own[0]) :]  # above it is what runs the cell
    if any(_is_file_of_kit(trace.tb_frame.f_code.co_filename) for trace in below):
        return LocalizedError("", "cell.failed", **values)
    return None


def _describe_call(called: Any, values: dict[str, Any]) -> LocalizedError:
    name = getattr(called, "__name__", type(called).__name__)
    try:
        parameters = [
            parameter.replace(annotation=Parameter.empty)
            for parameter in signature(called).parameters.values()
        ]
    except (TypeError, ValueError):
        return LocalizedError("", "cell.failed", **values)
    values["error"] = values["error"].rstrip(".")
    form = make_line(f"{name}({', '.join(map(str, parameters))})", LONGEST_CALL)
    names = [parameter.name for parameter in parameters]
    wrong = KEYWORD.search(str(values["error"]))
    if wrong:
        values["meant"] = nearest(wrong[1], names)
    return LocalizedError("", "cell.call", **values, form=form)


def _describe_import(error: ImportError) -> LocalizedError | None:
    """Return what a module of the kit has instead of what was to be imported from it."""
    found = IMPORTED.search(str(error))
    if found:
        got, owner = found.groups()
        module = sys.modules.get(owner)
        if module is None or not is_kits(module):
            return None
        if place := _find_place(got, owner):
            return LocalizedError("", "cell.elsewhere", got=got, owner=owner, place=place)
        names = getattr(module, "__all__", None) or _own_names(module)
        return unknown_name(owner, got, names)
    if not isinstance(error, ModuleNotFoundError) or not error.name:
        return None
    parent, _, got = error.name.rpartition(".")
    if parent.partition(".")[0] == "coursekit":
        module = sys.modules[parent]
        names = [found.name for found in iter_modules(getattr(module, "__path__", []))]
        return unknown_name(parent, got, names)
    if nearest(error.name, ["coursekit"]):
        return LocalizedError("", "cell.no_module", got=error.name, meant="coursekit")
    return None


def _find_place(name: str, owner: str) -> str:
    """Return the module of the kit from which *name* is imported, one in *owner* if possible."""
    definition = re.compile(rf"^(class|def) {name}\b", re.MULTILINE)
    places = []
    for path in visible_files(PACKAGE, "**/*.py"):
        if definition.search(path.read_text(encoding="utf-8")):
            while re.search(rf"\b{name}\b", _source(path.parent / "__init__.py")):
                path = path.parent  # which hands it on
            parts = path.relative_to(PACKAGE).with_suffix("").parts
            places.append(".".join([PACKAGE.name, *parts]))
    inside = [place for place in places if place.startswith(f"{owner}.")]
    fitting = inside if len(places) > 1 else places
    return fitting[0] if len(fitting) == 1 else ""


def _source(path: Path) -> str:
    inside = path.is_file() and path.is_relative_to(PACKAGE)
    return path.read_text(encoding="utf-8") if inside else ""


def _own_names(module: ModuleType) -> list[str]:
    return [
        name
        for name, thing in vars(module).items()
        if getattr(thing, "__module__", module.__name__) == module.__name__
    ]


def _traces(trace: TracebackType | None) -> list[TracebackType]:
    traces = []
    while trace is not None:
        traces.append(trace)
        trace = trace.tb_next
    return traces


def _read_line(trace: TracebackType) -> Line:
    code = trace.tb_frame.f_code
    lines = linecache.getlines(code.co_filename, trace.tb_frame.f_globals)
    text = lines[trace.tb_lineno - 1].strip() if 0 < trace.tb_lineno <= len(lines) else ""
    first, last, begin, end = list(code.co_positions())[trace.tb_lasti // 2]
    expression = None
    if text and first and last and begin is not None and end is not None:
        piece = [line.encode() for line in lines[first - 1 : last]]
        piece[-1] = piece[-1][:end]
        piece[0] = piece[0][begin:]
        with suppress(SyntaxError, ValueError):  # of a statement
            expression = ast.parse(b"(" + b"".join(piece) + b")", mode="eval").body
    return Line(trace.tb_lineno, text, expression, trace.tb_frame)


def _called(line: Line) -> Any:
    """Return what *line* calls, ``None`` if it calls nothing that has a name."""
    if not isinstance(line.expression, ast.Call):
        return None
    names = []
    function = line.expression.func
    while isinstance(function, ast.Attribute):
        names.append(function.attr)
        function = function.value
    if not isinstance(function, ast.Name):
        return None
    frame = line.frame
    thing = frame.f_locals.get(function.id, frame.f_globals.get(function.id))
    for name in reversed(names):
        thing = getattr(thing, name, None)
    return thing


def _named(error: BaseException) -> Any:
    """Return what of the kit Python names in *error*, ``None`` if that is not clear."""
    found = NAMED.match(str(error))
    if not isinstance(error, TypeError) or not found:
        return None
    things = {}
    for home, module in list(sys.modules.items()):
        if home.partition(".")[0] == PACKAGE.name:
            thing: Any = module
            for name in found[1].split("."):
                thing = getattr(thing, "__dict__", {}).get(name)
            if getattr(thing, "__qualname__", "") == found[1]:
                things[id(thing)] = thing
    return next(iter(things.values())) if len(things) == 1 else None


def _is_file_of_kit(name: str) -> bool:
    return name.startswith(str(PACKAGE))
