"""The documentation that is shipped: its pages as HTML."""

import re
from pathlib import Path

from mistune import create_markdown

from coursekit.words.mainland import simplified
from coursekit.words.texts import PACKAGE

MADE = "zh-Hans"
"""The language whose pages are made of those in traditional Chinese."""


def place(language: str, *path: str) -> Path:
    """Return the place of *path* in the documentation that is shipped, in *language*."""
    inside = PACKAGE / "docs"
    folder = inside if inside.is_dir() else PACKAGE.parent / "docs"
    return folder.joinpath(*path) if language == "en" else folder.joinpath("zh", *path)


def html(page: str, language: str) -> str:
    """Return *page*, in Markdown, as HTML.

    Links to other pages of the documentation are left out: they are not where this is shown.
    """
    words = re.sub(r"\[([^]]+)\]\((?!https?:)[^)]*\)", r"\1", page)
    return str(create_markdown(plugins=["table"])(simplified(words) if language == MADE else words))


def rules(game: str, language: str) -> str:
    """Return the rules of *game* from the page about it, as HTML; "" if there is no such page."""
    page = place(language, "games", f"{game}.md")
    if not page.is_file():
        return ""
    found = re.search(r"^## (?:Rules|規則)\n(.+?)^##", page.read_text(encoding="utf-8"), re.M | re.S)
    return html(found[1], language) if found else ""
