"""One module and one stylesheet out of several files, since anywidget takes no more of each."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

Suffix = Literal["js", "css"]
Parts = Mapping[Suffix, Sequence[str]]
"""Names of files without their suffix, in the order in which they are joined."""
CELL_STYLE = (Path(__file__).parent / "static/cell.css").read_text(encoding="utf-8")
"""The look that all cells of the kit share."""
ELEMENT = Path(__file__).parent / "static/element.js"
"""What every script makes elements and files with."""


def one_file(folder: Path, parts: Parts, suffix: Suffix) -> str:
    """Return as one the files of *parts* in *folder* that have *suffix*; before scripts stands :data:`ELEMENT`."""
    files = [folder / f"{part}.{suffix}" for part in parts[suffix]]
    return "\n".join(file.read_text(encoding="utf-8") for file in ([ELEMENT] if suffix == "js" else []) + files)
