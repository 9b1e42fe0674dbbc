"""What the browser gets of ``static/``."""

from pathlib import Path

from coursekit.cells.static import Bundle, Suffix
from coursekit.cells.static import one_file as joined

STATIC = Path(__file__).parent / "static"
CORE = ("elements", "edits", "editor")
CANVAS = ("geometry", "canvas", "marks", "places", "lines", "view", "pointer", "keys")
FORMS = ("phrases", "forms", "sheet")
PANELS = ("pieces", "outline", "panels", "picture", "look", "compare", "replay", "merge")
PARTS: Bundle = {"js": (*CORE, *CANVAS, *FORMS, *PANELS, "map"), "css": ("map", "panels")}
"""What the parts share, the parts, and at last the frame around them; only the frame exports anything."""


def one_file(suffix: Suffix) -> str:
    """Return the files of :data:`PARTS` as one."""
    return joined(STATIC, PARTS, suffix)
