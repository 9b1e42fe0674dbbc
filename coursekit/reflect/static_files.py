"""What the browser gets of ``static/``."""

from pathlib import Path

from coursekit.cells.static import Suffix
from coursekit.cells.static import one_file as joined

STATIC = Path(__file__).parent / "static"


def one_file(cell: str, suffix: Suffix) -> str:
    """Return the module or the stylesheet of a cell: what all have in common, then its own."""
    return joined(STATIC, {"js": ("cell", cell), "css": ("journal", cell)}, suffix)
