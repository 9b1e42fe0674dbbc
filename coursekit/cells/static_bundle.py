"""One module and one stylesheet from several files: anywidget takes only one of each."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

Suffix = Literal["js", "css"]
Bundle = Mapping[Suffix, Sequence[str]]
"""Names of files without their suffix, in the order of joining."""
HERE = Path(__file__).parent / "static"
ORDER = "@layer coursekit.common, coursekit.own, coursekit.stage;\n"
"""The layers of all style sheets of the kit; a later one wins."""
ALONE, COMMON = (
    (HERE / f"{name}.css").read_text(encoding="utf-8") for name in ("isolation", "cell")
)
SHARED = f"{ORDER}{ALONE}\n@layer coursekit.common {{\n{COMMON}}}\n"
"""What keeps the page's styles out of tables and cells, and how cells look by default.

It is on a page once, however many kinds of cells there are: its rules are about every element, and
a page of a lesson took four times as long to style with a copy in each sheet.
"""
ELEMENTS = HERE / "elements.js"
"""Helpers of every script: elements, downloads, what a browser keeps."""
PAGE_MODEL = HERE / "page-model.js"
"""What a widget's module gets as its model on a page without a notebook."""


def join_files(folder: Path, parts: Bundle, suffix: Suffix) -> str:
    """Return the files of *parts* in *folder*, joined.

    Scripts begin with :data:`ELEMENTS`, and bring :data:`SHARED` to their page.
    """
    texts = [(folder / f"{part}.{suffix}").read_text(encoding="utf-8") for part in parts[suffix]]
    if suffix == "js":
        texts.insert(0, ELEMENTS.read_text(encoding="utf-8"))
        texts.insert(1, f"shareStyles({json.dumps(SHARED)});")
    return "\n".join(texts)


def wrap_in_layer(own: str) -> str:
    """Return the style sheet of a table or a cell, beside :data:`SHARED` that its script brings.

    :param own: what is added to the look of all cells, or changes it; it wins in any order of a
        page's sheets.
    """
    return ORDER + wrap_in_own_layer(own)


def wrap_in_own_layer(css: str) -> str:
    """Return *css* as part of a style sheet that :func:`wrap_in_layer` has made."""
    return f"@layer coursekit.own {{\n{css}\n}}\n" if css else ""


def wrap_in_later_layer(css: str) -> str:
    """Return *css* as part of a style sheet that wins over the other two layers."""
    return f"@layer coursekit.stage {{\n{css}\n}}\n" if css else ""
