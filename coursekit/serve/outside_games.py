"""Pages of games from other packages: a game's own notebook, or one made of what it brings."""

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from coursekit.core.registry import KIT_GAMES
from coursekit.kit import GAMES, GameKit
from coursekit.reflect.questions import questions
from coursekit.serve.notebooks import FOLDERS, SIMPLIFIED, TRADITIONAL, packaged_folder
from coursekit.serve.pages import emblem
from coursekit.words.texts import LANGUAGES, game_text, text

STEPS = {"look": "look-back", "hand_in": "hand-in"}
"""Parts of a page, and the step that each is, where it is called otherwise."""


@contextmanager
def kits_notebooks(left_out: Callable[[str, str], None]) -> Iterator[Path]:
    """Yield the folder of the kit's notebooks, or a copy with a page for each game of others.

    :param left_out: called with the name of a game that cannot be shown, and why.
    """
    notebooks: dict[str, str] = {}
    for name in GAMES:
        if name not in KIT_GAMES:
            try:
                notebooks |= pages_of(GAMES[name])
            except Exception as problem:  # the other games must be there all the same
                left_out(name, f"{type(problem).__name__}: {problem}")
    if not notebooks:
        yield packaged_folder()
        return
    with TemporaryDirectory(prefix="coursekit-", ignore_cleanup_errors=True) as copy:
        folder = Path(copy)
        shutil.copytree(
            packaged_folder(), folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".*")
        )
        for path, notebook in notebooks.items():
            (folder / path).parent.mkdir(exist_ok=True)
            (folder / path).write_text(notebook, encoding="utf-8")
        yield folder


def pages_of(kit: GameKit) -> dict[str, str]:
    """Return the notebooks of *kit*'s game by their paths, none for a game without a scene.

    :raises Exception: what keeps the game from standing on the start page.
    """
    if kit.scene is None:
        return {}
    emblem(kit.name)
    for language in LANGUAGES:
        for text_id in ("title", "about", "topics"):
            game_text(kit.name, text_id, language)
    pages: dict[str, str] = {}
    for folder, language in FOLDERS.items():
        path = f"{folder}/{kit.name}.ipynb"
        if kit.pages and (kit.pages / path).is_file():
            pages[path] = (kit.pages / path).read_text(encoding="utf-8")
        elif folder != SIMPLIFIED or not (
            kit.pages and (kit.pages / TRADITIONAL / f"{kit.name}.ipynb").is_file()
        ):
            pages[path] = json.dumps(page(kit, language), ensure_ascii=False, indent=1)
    return pages


def page(kit: GameKit, language: str) -> dict[str, Any]:
    """Return a notebook to play the game of *kit*, look back, answer its questions and draw a map.

    What the game does not bring is left out.
    """
    name = kit.name
    lesson = kit.load_lesson()
    title, about = (game_text(name, text_id, language) for text_id in ("title", "about"))
    cells = [
        _words(f"# {title}\n\n{about}", "start"),
        _heading("play", language),
        _code(
            "from coursekit import Table, use_language\n"
            "from coursekit.reflect import debrief, hand_in, keep_matches, mind_map, topics\n\n"
            f'use_language("{language}")\ntable = Table("{name}")\ntable'
        ),
        _code("keep_matches(table)"),
    ]
    parts = [
        ("look", lesson.moments, f'debrief("{name}", table=table)'),
        ("think", questions(name), f'topics("{name}", table=table)'),
        ("map", lesson.map_starter, f'mind_map("{name}", "map", table=table)'),
        ("hand_in", True, f'hand_in(game="{name}")'),
    ]
    for part, brought, code in parts:
        if brought:
            cells += [_heading(part, language), _code(code)]
    kernel = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
    for number, cell in enumerate(cells):
        cell["id"] = f"{name.replace('_', '-')[:40]}-{number}"
    return {
        "cells": cells,
        "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def _heading(part: str, language: str) -> dict[str, Any]:
    return _words(f"## {text(f'page.part.{part}', language)}", STEPS.get(part, part))


def _words(source: str, step: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {"tags": [f"step-{step}"]}, "source": source}


def _code(source: str) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "metadata": {},
        "source": source,
        "outputs": [],
        "execution_count": None,
    }
