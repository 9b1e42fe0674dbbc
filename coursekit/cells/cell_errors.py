"""What a notebook says where a cell above was not run, or its reader stopped one: a sentence, no
traceback.

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

from coursekit.core.errors import language_here
from coursekit.words.texts import text

NOTEBOOK = "JPY_SESSION_NAME"
"""Jupyter sets this variable to the path of a kernel's notebook."""


def install() -> None:
    """Let this kernel say so; nothing is done without IPython, or where somebody else handles
    errors.
    """
    module = sys.modules.get("IPython")
    shell = module.get_ipython() if module else None
    if shell is not None and not shell.custom_exceptions:
        shell.set_custom_exc((NameError, KeyboardInterrupt), tell)


def tell(
    shell: Any,
    kind: type[BaseException],
    error: BaseException,
    trace: TracebackType | None,
    tb_offset: int | None = None,
) -> None:
    """Show *error*, which a cell has raised, in words; as usual if there is nothing to say."""
    language = language_here()
    if isinstance(error, KeyboardInterrupt):
        words = [text("cell.stopped", language)]
    elif kind is NameError and (
        code := find_definition(str(getattr(error, "name", "")), str(shell.user_ns["In"][-1]))
    ):
        words = [text("cell.not_run", language, name=error.name, code=code), f"NameError: {error}"]  # type: ignore[attr-defined]
    else:
        words = []
    if words:
        error._render_traceback_ = lambda: words  # type: ignore[attr-defined]  # asked for by IPython
    shell.showtraceback((kind, error, trace), tb_offset=tb_offset)


def find_definition(name: str, here: str) -> str:
    """Return the line by which a cell other than *here* makes *name*; "" if none is known to."""
    for source in cells(os.environ.get(NOTEBOOK, "")):
        if source.strip() != here.strip():
            for line, made in defined_names(source):
                if made == name:
                    return line
    return ""


def cells(notebook: str) -> Iterator[str]:
    """Yield the code of each cell of *notebook*, as it was saved last."""
    try:
        found = json.loads(Path(notebook).read_text(encoding="utf-8"))["cells"] if notebook else []
        yield from ["".join(cell["source"]) for cell in found if cell["cell_type"] == "code"]
    except (
        OSError,
        ValueError,
        KeyError,
        TypeError,
    ):  # no notebook: a console, or another program's name for it
        return


def defined_names(source: str) -> Iterator[tuple[str, str]]:
    """Yield the names that the cell *source* makes for others, each with its line."""
    try:
        tree = ast.parse(source)
    except SyntaxError:  # unfinished, or not Python
        return
    for statement in tree.body:
        line = source.splitlines()[statement.lineno - 1]
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            yield line, statement.name
            continue
        private = {id(name) for node in ast.walk(statement) for name in private_names(node)}
        for node in ast.walk(statement):
            if id(node) in private:
                continue
            if isinstance(node, ast.alias):
                yield line, (node.asname or node.name).partition(".")[0]
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield line, node.id


def used_names(source: str) -> set[str]:
    """Return the names that the cell *source* uses."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return set()
    return {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }


def cells_above(cell: str, sources: Mapping[str, str]) -> list[str]:
    """Return the cells above *cell* that make what it uses, and what those use, in their order.

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


def private_names(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of the names that *node* makes for itself alone, as a comprehension does."""
    if isinstance(node, ast.comprehension):
        yield from ast.walk(node.target)
