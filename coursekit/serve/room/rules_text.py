"""The rules of a game as phones show them: the words of its lesson's step about the rules."""

import re
from functools import lru_cache

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
    content, inside, found = notebook.read(), False, []
    if notebook.is_derived:
        simplify_notebook(content)
    for cell in content["cells"]:
        tags = cell["metadata"].get("tags", [])
        steps = [match[1] for tag in tags if (match := STEP.fullmatch(tag))]
        inside = steps[0] == RULES if steps else inside
        source = "".join(cell["source"])
        if (
            inside
            and cell["cell_type"] == "markdown"
            and NOTEBOOK_ONLY not in tags
            and not source.startswith("# ")
        ):
            found.append(source)
    words = re.sub(r"!\[[^]]*\]\([^)]*\)", "", "\n\n".join(found))
    words = re.sub(r"\[([^]]+)\]\([^)]*\)", r"\1", words)
    return str(create_markdown(escape=False, plugins=["table"])(words))
