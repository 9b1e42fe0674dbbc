"""What the browser gets of ``static/``."""

from pathlib import Path

from coursekit.cells.static import Bundle, Suffix
from coursekit.cells.static import one_file as joined

STATIC = Path(__file__).parent / "static"
ELEMENTS = ("elements", "cards", "zones", "form", "motion", "clocks", "closeup")
TABLE = ("table", "playback", "scene", "focus", "decisions", "tools")
VENN = ("strings", "venn", "loops", "draft", "touch", "legend")
STYLES = ("table", "cloth", "closeup", "print", "track", "canvas", "form", "widths", "venn", "sheet")
PARTS: Bundle = {"js": (*ELEMENTS, *TABLE, *VENN, "sheet"), "css": STYLES}
"""What the table is made of, the table, and zones that live on from scene to scene; only the table exports anything."""


def one_file(suffix: Suffix) -> str:
    """Return the files of :data:`PARTS` as one."""
    return joined(STATIC, PARTS, suffix)
