"""What the browser gets of ``static/``."""

from pathlib import Path

from coursekit.static import Parts, Suffix
from coursekit.static import one_file as joined

STATIC = Path(__file__).parent / "static"
ELEMENTS = ("elements", "cards", "zones", "form", "motion", "clocks", "closeup")
TABLE = ("table", "playback", "scene", "focus", "decisions", "tools")
VENN = ("strings", "venn")
PARTS: Parts = {"js": (*ELEMENTS, *TABLE, *VENN, "sheet"), "css": ("table", "venn", "sheet")}
"""What the table is made of, the table, and zones that live on from scene to scene; only the table exports anything."""


def one_file(suffix: Suffix) -> str:
    """Return the files of :data:`PARTS` as one."""
    return joined(STATIC, PARTS, suffix)
