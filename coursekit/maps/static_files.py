"""The files of ``static/`` for the browser."""

import base64
import gzip
from functools import cache
from pathlib import Path

from coursekit.cells.static_bundle import Bundle, Suffix
from coursekit.cells.static_bundle import join_files as joined

STATIC = Path(__file__).parent / "static"
CORE = ("buttons", "edits", "editor")
VIEWS = ("drawing", "canvas", "outline", "details")
PANELS = ("fields", "panels", "study", "compare", "merge")
PARTS: Bundle = {"js": (*CORE, *VIEWS, *PANELS, "map"), "css": ("map", "panels")}
"""First what the parts share, then the parts, last the frame, which alone exports anything."""
LIBRARY = STATIC / "vendor" / "cytoscape.js"
"""The library that draws maps, see ``vendor/package.json``; a page loads it to show one."""


def one_file(suffix: Suffix) -> str:
    """Return the files of :data:`PARTS` as one."""
    return joined(STATIC, PARTS, suffix)


@cache
def packed_library() -> str:
    """Return the script of :data:`LIBRARY`, compressed by gzip, in base64."""
    return base64.b64encode(gzip.compress(LIBRARY.read_bytes(), 9, mtime=0)).decode()
