"""The steps of a lesson, from the tags of a notebook's cells."""

import asyncio
import socket
from copy import deepcopy
from types import SimpleNamespace

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from coursekit.serve.handlers import before_cell, prepare_notebook
from coursekit.serve.lesson_steps import mark_steps, minutes, steps
from coursekit.serve.notebooks import NotebookShelf, packaged_folder
from coursekit.serve.pages import Site
from coursekit.words import texts


def notebook(*cells: tuple[str, str]) -> object:
    """Return a notebook of these texts, each with its tags, in a frame."""
    made = [new_markdown_cell(words, metadata={"tags": tags.split()}) for words, tags in cells]
    return new_notebook(
        cells=[*made, new_code_cell("1")], metadata={"coursekit": {"language": "en"}}
    )


def test_a_step_is_called_by_the_kits_word_else_by_its_first_heading_else_by_its_tag() -> None:
    own = notebook(
        ("# All", ""),
        ("# One\n\n## Two", "step-play"),
        ("## Stretch *well*", "step-gym"),
        ("x", "step-暖身"),
    )
    assert [each.label for each in steps(own, "en")] == ["Play", "Stretch well", "暖身"]
    assert steps(own, "zh-Hant")[0].label == texts.text("page.step.play", "zh-Hant")


def test_what_stands_before_the_first_tag_belongs_to_the_first_step() -> None:
    own = notebook(
        ("# All", ""), ("## One", "step-rules minutes-6"), ("x", ""), ("y", "minutes-9 step-play")
    )
    mark_steps(own)
    assert [each["metadata"].get("coursekit_step") for each in own["cells"]] == [
        "rules",
        None,
        None,
        "play",
        None,
    ]
    assert minutes(own) == 15


def test_the_same_step_twice_is_told_apart() -> None:
    own = notebook(*[("x", f"step-{name}") for name in ("play", "look-back", "play", "play")])
    assert [each.name for each in steps(own, "en")] == ["play", "look-back", "play-2", "play-3"]


@pytest.mark.parametrize("tags", ["", "minutes-5", "step-lab", "step- hide-me"])
def test_a_notebook_without_steps_has_no_lesson(tags: str) -> None:
    own = notebook(("# All", tags))
    mark_steps(own)
    assert "lesson" not in own["metadata"]["coursekit"]
    assert minutes(own) == 0


class Handler:
    """A request handler, which cannot be copied: it holds a connection."""

    def __init__(self, shelf: NotebookShelf, path: str) -> None:
        self.site = Site(shelf)
        self.path_args = [path]
        self.kernels = SimpleNamespace(started=0)
        self.connection = socket.socket()

    async def before_lab(self) -> None:
        self.kernels.started += 1


@pytest.mark.parametrize("language", texts.LANGUAGES)
def test_each_notebook_that_is_prepared_can_be_copied_as_nbconvert_does(language: str) -> None:
    """With what its lab waits for, but without the handler of the request."""
    shelf = NotebookShelf(packaged_folder())
    books = shelf.notebooks(language)
    assert len(books) > 4
    waiting = 0
    for book in books:
        handler = Handler(shelf, book.path)
        prepared = nbformat.from_dict(book.read())
        prepare_notebook(handler, prepared, "")
        copied = deepcopy(prepared)
        for cell in copied.cells:
            asyncio.run(before_cell(cell, 0))
        waiting += handler.kernels.started
        handler.connection.close()
    assert waiting > 0
