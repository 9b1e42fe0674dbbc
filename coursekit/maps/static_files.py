"""The files of ``static/`` for the browser."""

from pathlib import Path

from coursekit.cells.static_bundle import Bundle, Suffix
from coursekit.cells.static_bundle import join_files as joined

STATIC = Path(__file__).parent / "static"
CORE = ("buttons", "edits", "editor")
CANVAS = ("geometry", "canvas", "selection", "placement", "lines", "view", "pointer", "keys")
FORMS = ("phrase-chips", "forms", "details")
PANELS = ("fields", "outline", "panels", "pictures", "study", "compare", "replay", "merge")
PARTS: Bundle = {"js": (*CORE, *CANVAS, *FORMS, *PANELS, "map"), "css": ("map", "panels")}
"""First what the parts share, then the parts, last the frame, which alone exports anything."""


def one_file(suffix: Suffix) -> str:
    """Return the files of :data:`PARTS` as one."""
    return joined(STATIC, PARTS, suffix)
