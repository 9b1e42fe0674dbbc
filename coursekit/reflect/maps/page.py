"""What the browser gets of ``static/``."""

from pathlib import Path

from coursekit.static import Parts, Suffix
from coursekit.static import one_file as joined

STATIC = Path(__file__).parent / "static"
PARTS: Parts = {
    "js": ("map", "forms", "geometry", "canvas", "lines", "view", "pointer", "keys", "outline", "panels"),
    "css": ("map", "panels"),
}
"""The core, then what has files of its own: functions that the core names, without import or export."""


def one_file(suffix: Suffix) -> str:
    """Return the files of :data:`PARTS` as one."""
    return joined(STATIC, PARTS, suffix)
