"""The rules of a game as phones show them: the words of its lesson's step about the rules."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from mistune import create_markdown

from coursekit.serve.lesson_steps import NOTEBOOK_ONLY, STEP
from coursekit.serve.notebooks import NotebookShelf, simplify_notebook

RULES = "rules"


@lru_cache
def rules(shelf: NotebookShelf, game: str, language: str) -> str:
    """Return the rules as HTML, "" for a game without a lesson.

    Pictures, links and the lesson's title are left out.
    """
    notebook = shelf.find(game, language)
    if notebook is None:
        return ""
    content = notebook.read()
    if notebook.is_derived:
        simplify_notebook(content)
    words = "\n\n".join(_rules_cells(content["cells"]))
    words = re.sub(r"!\[[^]]*\]\([^)]*\)", "", words)
    words = re.sub(r"\[([^]]+)\]\([^)]*\)", r"\1", words)
    return str(create_markdown(escape=False, plugins=["table"])(words))


def _rules_cells(cells: list[dict[str, Any]]) -> Iterator[str]:
    """Yield the texts of the step about the rules."""
    inside = False
    for cell in cells:
        tags = cell["metadata"].get("tags", [])
        for tag in tags:
            step = STEP.fullmatch(tag)
            if step is not None:
                inside = step[1] == RULES
                break
        source = "".join(cell["source"])
        is_rule = cell["cell_type"] == "markdown" and NOTEBOOK_ONLY not in tags
        if inside and is_rule and not source.startswith("# "):
            yield source
