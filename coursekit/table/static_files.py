"""The scripts and styles of a table, as the browser gets them."""

from pathlib import Path

from coursekit.cells.static_bundle import (
    Bundle,
    Suffix,
    join_files,
    wrap_in_later_layer,
    wrap_in_layer,
    wrap_in_own_layer,
)
from coursekit.kit import GameKit

STATIC = Path(__file__).parent / "static"
ELEMENTS = (
    "elements",
    "cards",
    "zones",
    "form",
    "transitions",
    "motion",
    "clocks",
    "closeup",
    "presses",
    "sound",
)
FRAME = (
    "table",
    "playback",
    "celebrations",
    "scene",
    "covered-hands",
    "spectators",
    "focus",
    "decisions",
    "tools",
    "fullscreen",
    "welcome",
)
STYLES = (
    "table",
    "tabletop",
    "covered-hands",
    "closeup",
    "printed-cards",
    "track",
    "celebrations",
    "notes",
    "form",
    "stills",
    "responsive",
)
PARTS: Bundle = {"js": (*ELEMENTS, *FRAME), "css": STYLES}
"""What the table is made of, and the table; only the table exports anything."""
FITTED: Bundle = {"css": ("stage", "stage-cards", "stage-track", "stage-turned")}
"""How a table looks that fills a height it is given; it wins over all of :data:`STYLES`."""


def one_file(suffix: Suffix) -> str:
    """Return the files of :data:`PARTS` as one."""
    return join_files(STATIC, PARTS, suffix)


def table_script(kit: GameKit) -> str:
    """Return the module that draws the tables of *kit*: the common parts, then its own zones."""
    own = kit.zones.scripts if kit.zones else ()
    return "\n".join([one_file("js"), *map(_read, own)])


def table_styles() -> str:
    """Return the style sheet of all tables."""
    return wrap_in_layer(one_file("css")) + wrap_in_later_layer(join_files(STATIC, FITTED, "css"))


def zone_styles(kit: GameKit) -> str:
    """Return how the zones of *kit* look; files ``stage…`` are for tables that fill a height."""
    own: list[str] = []
    fitted: list[str] = []
    for path in kit.zones.styles if kit.zones else ():
        (fitted if path.name.startswith("stage") else own).append(_read(path))
    return wrap_in_own_layer("\n".join(own)) + wrap_in_later_layer("\n".join(fitted))


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")
