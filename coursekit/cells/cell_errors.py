"""Sentences instead of tracebacks, for the errors of a cell that have nothing to do with a game.

The kit's notebooks import :mod:`coursekit.cells` in their first cell, which installs this in
IPython for that kernel. Where the kit starts the kernel, :data:`START` installs it before.
"""

import ast
import builtins
import errno
import json
import linecache
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from pkgutil import iter_modules
from traceback import walk_tb
from types import TracebackType
from typing import Any

from coursekit.cells.call_errors import describe_error
from coursekit.core.errors import LocalizedError, nearest
from coursekit.core.strategy import is_own_file
from coursekit.core.syntax_errors import explain_syntax
from coursekit.words.language import current_language, propose_language
from coursekit.words.texts import Translatable, UnknownLanguage, shorten

ALIKE = 0.75
"""Minimum similarity (:mod:`difflib`, 0-1) of a module's name to the one that was meant."""
EXTRA = ("matplotlib", "networkx", "pandas", "websockets", "psutil")
"""Packages that some cells of the kit use and that do not come with it."""
TIMERS = ("alarm", "setitimer", "getitimer")
NO_PROCESSES = (errno.ENOSYS, errno.ENOTSUP)
NO_THREADS = ("can't start new thread", "lacks multiprocessing")
"""What browsers refuse is told by these names, numbers and words."""
NOTEBOOK = "JPY_SESSION_NAME"
"""Jupyter sets this variable to the path of a kernel's notebook."""
START = {"PYTHONSTARTUP": str(Path(__file__).with_name("kernel_start.py"))}
"""What the environment of a kernel needs so that this is installed before its first cell."""


def install() -> None:
    """Install it in IPython, if there is one in which nobody else handles errors."""
    module = sys.modules.get("IPython")
    shell = module.get_ipython() if module else None
    if shell is None or shell.custom_exceptions:
        return
    shell.set_custom_exc((Exception, KeyboardInterrupt), show_error)
    shell.showsyntaxerror = partial(show_syntax_error, shell, shell.showsyntaxerror)
    propose_language(find_language(cells(os.environ.get(NOTEBOOK, ""))))


def find_language(sources: Iterable[str]) -> str:
    """Return the language that the cells *sources* choose, "" if they choose none."""
    for source in sources:
        if chosen := re.search(r"""\buse_language\(\s*["']([\w-]+)["']""", source):
            return chosen[1]
    return ""


def show_syntax_error(shell: Any, usual: Any, *args: Any, **options: Any) -> None:
    """Show in words why Python cannot read a cell, or a file that it loads."""
    error = sys.exc_info()[1]
    if isinstance(error, SyntaxError):
        shell._showtraceback(type(error), error, explain_in_lines(error, ()))
    else:
        usual(*args, **options)


def show_error(
    shell: Any,
    kind: type[BaseException],
    error: BaseException,
    trace: TracebackType | None,
    tb_offset: int | None = None,
) -> None:
    """Show *error*, which a cell has raised, in words; as usual if there is nothing to say."""
    here = str(shell.user_ns["In"][-1])
    others = [
        source for source in cells(os.environ.get(NOTEBOOK, "")) if source.strip() != here.strip()
    ]
    if words := explain_in_lines(error, others):
        # IPython asks for this method
        error._render_traceback_ = lambda: words  # type: ignore[attr-defined]
    shell.showtraceback((kind, error, trace), tb_offset=tb_offset)


def explain_in_lines(error: BaseException, others: Iterable[str]) -> list[str]:
    """Return a sentence about *error* and what Python says, none if Python's words are as good."""
    language = current_language()
    if isinstance(error, SyntaxError):
        source = "".join(linecache.getlines(error.filename or ""))
        found, said = explain_syntax(error, source), error.msg
        return [found.sentence(language), f"{type(error).__name__}: {said}"]
    if explained := explain_error(error, others):
        words = [explained.sentence(language)]
        if not isinstance(error, KeyboardInterrupt | UnknownLanguage):
            words.append(f"{type(error).__name__}: {error}")
        return words
    described = describe_error(error)
    return [described.sentence(language)] if described else []


def explain_error(error: BaseException, others: Iterable[str]) -> Translatable | None:
    """Return the sentence about *error* of a cell, ``None`` if Python's own is as good.

    :param others: the code of the other cells of the notebook.
    """
    if isinstance(error, KeyboardInterrupt):
        return LocalizedError("", "cell.stopped")
    if sys.platform == "emscripten":
        if _needs_computer(error):
            return LocalizedError("", "cell.not_in_browser")
        if isinstance(error, ModuleNotFoundError) and _is_of_python(str(error.name)):
            return LocalizedError("", "cell.module_not_in_browser", name=error.name)
    if type(error).__name__ == "StdinNotImplementedError":
        return LocalizedError("", "cell.no_input")
    if type(error) is NameError:
        return explain_name(error, others)
    if isinstance(error, UnknownLanguage):
        return error
    if isinstance(error, ModuleNotFoundError):
        return explain_absence(error.name or "")
    if isinstance(error, TypeError) and "not callable" in str(error):
        return explain_shadow(error, others)
    return None


def _needs_computer(error: BaseException) -> bool:
    """Return whether *error* says that Python has no processes, threads or timers in a browser."""
    if isinstance(error, AttributeError):
        return str(error.name) in TIMERS and getattr(error.obj, "__name__", "") == "signal"
    if isinstance(error, OSError):
        return error.errno in NO_PROCESSES
    return isinstance(error, RuntimeError) and any(sign in str(error) for sign in NO_THREADS)


def _is_of_python(module: str) -> bool:
    """Return whether Python elsewhere may have *module*: ``random.randint`` is none."""
    package, _, part = module.partition(".")
    is_plain = package in sys.modules and not hasattr(sys.modules[package], "__path__")
    return package in sys.stdlib_module_names and not (part and is_plain)


def explain_name(error: NameError, others: Iterable[str]) -> LocalizedError | None:
    """Return the sentence about a name that is not defined; ``None`` if code of others fails."""
    name = str(error.name or "")
    if code := find_definition(name, others):
        return LocalizedError("", "cell.not_run", name=name, code=code)
    frames = [frame for frame, _ in walk_tb(error.__traceback__)]
    if not name or not frames or not is_own_file(frames[-1].f_code.co_filename):
        return None
    if name in ("obs", "self"):
        return LocalizedError("", "cell.only_inside", name=name)
    known = {*frames[-1].f_locals, *frames[-1].f_globals, *dir(builtins)}
    meant = nearest(name, [known for known in known if known[0] != "_"])
    return LocalizedError("", "cell.no_name", name=name, meant=meant)


def explain_absence(name: str) -> LocalizedError | None:
    """Return the sentence about a module that is not here; ``None`` for one of the kit."""
    known = ["coursekit", *sys.stdlib_module_names, *[module.name for module in iter_modules()]]
    near = get_close_matches(name, [module for module in known if module[0] != "_"], 1, ALIKE)
    package = name.partition(".")[0]
    if package in EXTRA:
        return LocalizedError("", "cell.install", name=package)
    if "coursekit" in (package, *near):
        return None
    if near:
        return LocalizedError("", "cell.no_module", got=name, meant=near[0])
    return LocalizedError("", "cell.not_installed", name=package)


def explain_shadow(error: TypeError, others: Iterable[str]) -> LocalizedError | None:
    """Return the sentence about a function whose name was given to something else."""
    frames = [(frame, line) for frame, line in walk_tb(error.__traceback__)]
    if not frames:
        return None
    frame, number = frames[-1]
    line = linecache.getline(frame.f_code.co_filename, number)
    names = frame.f_globals | frame.f_locals
    for name in re.findall(r"(?<![\w.])(\w+)\s*\(", line):
        if name in names and not callable(names[name]):
            values = {"name": name, "got": shorten(names[name]), "line": number}
            if hasattr(builtins, name):
                return LocalizedError("", "cell.hidden", **values)
            code = find_definition(name, others)
            if re.match(r"\s*(?:from|import|def|class)\b", code):
                return LocalizedError("", "cell.replaced", code=code, **values)
    return None


def find_definition(name: str, sources: Iterable[str]) -> str:
    """Return the line in which one of the cells *sources* defines *name*, "" if none does."""
    for source in sources:
        for line, defined in defined_names(source):
            if defined == name:
                return line
    return ""


def cells(notebook: str) -> Iterator[str]:
    """Yield the code of each cell of *notebook*, as it was saved last."""
    try:
        content = json.loads(Path(notebook).read_text(encoding="utf-8"))
        yield from [
            "".join(cell["source"]) for cell in content["cells"] if cell["cell_type"] == "code"
        ]
    except (OSError, ValueError, KeyError, TypeError):
        return  # no notebook: a console, or another program's name for it


def defined_names(source: str) -> Iterator[tuple[str, str]]:
    """Yield the names that the cell *source* defines for others, each with its line."""
    try:
        tree = ast.parse(source)
    except SyntaxError:  # unfinished, or not Python
        return
    for statement in tree.body:
        line = source.splitlines()[statement.lineno - 1]
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            yield line, statement.name
            continue
        private = set[ast.AST]()  # what a comprehension calls its items
        for node in ast.walk(statement):
            if isinstance(node, ast.comprehension):
                private.update(ast.walk(node.target))
        for node in ast.walk(statement):
            if node in private:
                continue
            if isinstance(node, ast.alias):
                yield line, (node.asname or node.name).partition(".")[0]
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield line, node.id


def used_names(source: str) -> set[str]:
    """Return the names that the cell *source* uses."""
    try:
        nodes = ast.walk(ast.parse(source))
    except SyntaxError:
        return set()
    names = [node for node in nodes if isinstance(node, ast.Name)]
    return {name.id for name in names if isinstance(name.ctx, ast.Load)}


def cells_above(cell: str, sources: Mapping[str, str]) -> list[str]:
    """Return the cells above *cell* that define what it uses, and what those use, in their order.

    :param sources: the code of each cell of a notebook, in its order.
    """
    above = list(sources)[: list(sources).index(cell)]
    needed: list[str] = []
    wanted = used_names(sources[cell])
    for source_cell in reversed(above):
        if {name for _, name in defined_names(sources[source_cell])} & wanted:
            needed.insert(0, source_cell)
            wanted |= used_names(sources[source_cell])
    return needed
