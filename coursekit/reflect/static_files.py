"""The files of ``static/`` for the browser."""

from pathlib import Path

from coursekit.cells.static_bundle import Suffix
from coursekit.cells.static_bundle import join_files as joined

STATIC = Path(__file__).parent / "static"


def one_file(cell: str, suffix: Suffix) -> str:
    """Return the module or the stylesheet of a cell: the common part, then its own."""
    return joined(STATIC, {"js": ("cell", cell), "css": ("journal", cell)}, suffix)
