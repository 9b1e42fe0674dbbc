"""What the browser gets of ``static/``."""

from pathlib import Path

from coursekit.static import Parts, Suffix
from coursekit.static import one_file as joined

STATIC = Path(__file__).parent / "static"
CANVAS = ("geometry", "canvas", "lines", "view", "pointer", "keys")
PANELS = ("panels", "picture", "look", "compare", "replay", "merge")
PARTS: Parts = {"js": ("map", "forms", *CANVAS, "pieces", "outline", *PANELS), "css": ("map", "panels")}
"""The core, then what has files of its own: functions that the core names, without import or export."""


def one_file(suffix: Suffix) -> str:
    """Return the files of :data:`PARTS` as one."""
    return joined(STATIC, PARTS, suffix)
