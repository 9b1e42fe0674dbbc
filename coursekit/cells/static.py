"""One module and one stylesheet from several files: anywidget takes only one of each."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

Suffix = Literal["js", "css"]
Bundle = Mapping[Suffix, Sequence[str]]
"""Names of files without their suffix, in the order of joining."""
CELL_STYLE = (Path(__file__).parent / "static/cell.css").read_text(encoding="utf-8")
"""The style of all cells of the kit."""
ELEMENT = Path(__file__).parent / "static/element.js"
"""The helpers of every script for elements and files."""


def one_file(folder: Path, parts: Bundle, suffix: Suffix) -> str:
    """Return the files of *parts* with *suffix* in *folder*, joined; scripts begin with :data:`ELEMENT`."""
    files = [folder / f"{part}.{suffix}" for part in parts[suffix]]
    return "\n".join(file.read_text(encoding="utf-8") for file in ([ELEMENT] if suffix == "js" else []) + files)
