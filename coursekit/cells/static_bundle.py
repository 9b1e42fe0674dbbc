"""One module and one stylesheet from several files: anywidget takes only one of each."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

Suffix = Literal["js", "css"]
Bundle = Mapping[Suffix, Sequence[str]]
"""Names of files without their suffix, in the order of joining."""
HERE = Path(__file__).parent / "static"
ALONE, COMMON = (
    (HERE / f"{name}.css").read_text(encoding="utf-8") for name in ("isolation", "cell")
)
"""What keeps the page's styles out of tables and cells, and how cells look by default."""
ELEMENTS = HERE / "elements.js"
"""Helpers of every script: elements, downloads, what a browser keeps."""
PAGE_MODEL = HERE / "page-model.js"
"""What a widget's module gets as its model on a page without a notebook."""


def join_files(folder: Path, parts: Bundle, suffix: Suffix) -> str:
    """Return the files of *parts* in *folder*, joined; scripts begin with :data:`ELEMENTS`."""
    files = [folder / f"{part}.{suffix}" for part in parts[suffix]]
    if suffix == "js":
        files.insert(0, ELEMENTS)
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


def wrap_in_layer(own: str) -> str:
    """Return the style sheet of a table or a cell; no style of its page reaches it.

    :param own: what is added to the look of all cells, or changes it; it wins in any order of a
        page's sheets.
    """
    return f"{ALONE}\n@layer coursekit.common {{\n{COMMON}}}\n{wrap_in_own_layer(own)}"


def wrap_in_own_layer(css: str) -> str:
    """Return *css* as part of a style sheet that :func:`wrap_in_layer` has made."""
    return f"@layer coursekit.own {{\n{css}\n}}\n" if css else ""


def wrap_in_later_layer(css: str) -> str:
    """Return *css* as part of a style sheet that wins over the other two layers."""
    return f"@layer coursekit.stage {{\n{css}\n}}\n" if css else ""
