"""What the browser gets of ``static/``: one module and one stylesheet, since anywidget takes no more of each."""

from pathlib import Path
from typing import Literal

STATIC = Path(__file__).parent / "static"
PARTS = {"js": ("table", "strings", "venn", "sheet"), "css": ("table", "venn", "sheet")}
"""The core, then what has files of its own: functions that the core names, without import or export."""


def one_file(suffix: Literal["js", "css"]) -> str:
    """Return the files of :data:`PARTS` one after the other."""
    return "\n".join((STATIC / f"{part}.{suffix}").read_text(encoding="utf-8") for part in PARTS[suffix])
