"""The documentation that is shipped: where a page lies, and the numbers in a manual.

A manual marks a number that is an option of the game: ``<!--hand-->five<!--/-->``. What follows
``<!--not-printed-->`` is for the screen, up to ``<!--printed-->`` or the end. What a teacher does
before a lesson stands in a guide between ``<!--ten-minutes-->`` and ``<!--/ten-minutes-->``.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).parent.parent
NUMBER = re.compile(r"<!--([a-z_+0-9]+)-->(.*?)<!--/-->")
ON_SCREEN = re.compile(r"<!--not-printed-->.*?(?:<!--printed-->|\Z)", re.S)
TEN_MINUTES = re.compile(r"<!--ten-minutes-->(.*?)<!--/ten-minutes-->", re.S)
PICTURE = re.compile(r"^```table\n.*?^```\n+(?:\*[^\n]*\*\n)?", re.M | re.S)


def documentation(language: str, *path: str) -> Path:
    """Return where *path* lies in the documentation, in English or in Chinese."""
    inside = PACKAGE / "docs"
    folder = inside if inside.is_dir() else PACKAGE.parent / "docs"
    return folder.joinpath(*path) if language == "en" else folder.joinpath("zh", *path)


def without_marks(words: str) -> str:
    """Return Markdown without the marks of its numbers and of what is printed."""
    return re.sub("<!--(?:not-)?printed-->", "", NUMBER.sub(r"\2", words))


def fill_numbers(words: str, options: Mapping[str, Any], standard: Mapping[str, Any]) -> str:
    """Return Markdown with each marked number as *options* have it.

    A number that is the *standard* one stays in the words of the manual, and so does what is no
    number in *options*.
    """

    def number(match: re.Match[str]) -> str:
        terms = match[1].split("+")
        names = [term for term in terms if not term.isdigit()]
        changed = any(options[name] != standard[name] for name in names)
        if not changed or any(type(options[name]) is not int for name in names):
            return match[2]
        return str(sum(int(term) if term.isdigit() else options[term] for term in terms))

    return NUMBER.sub(number, words)


def printed_part(words: str) -> str:
    """Return what is printed of a manual: no pictures of the table, nothing for the screen."""
    return PICTURE.sub("", ON_SCREEN.sub("", words))
