"""Sentences instead of tracebacks: for a name whose cell was not run, a stopped cell, a wrong call.

The kit's notebooks import :mod:`coursekit.cells` in their first cell, which installs this in
IPython for that kernel.
"""

import ast
import json
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from coursekit.cells.call_errors import describe_error
from coursekit.words.language import current_language
from coursekit.words.texts import text

NOTEBOOK = "JPY_SESSION_NAME"
"""Jupyter sets this variable to the path of a kernel's notebook."""


def install() -> None:
    """Install it in IPython, if there is one in which nobody else handles errors."""
    module = sys.modules.get("IPython")
    shell = module.get_ipython() if module else None
    if shell is not None and not shell.custom_exceptions:
        shell.set_custom_exc((Exception, KeyboardInterrupt), show_error)


def show_error(
    shell: Any,
    kind: type[BaseException],
    error: BaseException,
    trace: TracebackType | None,
    tb_offset: int | None = None,
) -> None:
    """Show *error*, which a cell has raised, in words; as usual if there is nothing to say."""
    language = current_language()
    words = []
    if isinstance(error, KeyboardInterrupt):
        words = [text("cell.stopped", language)]
    elif kind is NameError:
        name = str(getattr(error, "name", ""))
        code = find_definition(name, str(shell.user_ns["In"][-1]))
        if code:
            words = [text("cell.not_run", language, name=name, code=code), f"NameError: {error}"]
    elif described := describe_error(error):
        words = [described.sentence(language)]
    if words:  # IPython asks for this method
        error._render_traceback_ = lambda: words  # type: ignore[attr-defined]
    shell.showtraceback((kind, error, trace), tb_offset=tb_offset)


def find_definition(name: str, here: str) -> str:
    """Return the line in which another cell than *here* defines *name*, "" if there is none."""
    for source in cells(os.environ.get(NOTEBOOK, "")):
        if source.strip() != here.strip():
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
