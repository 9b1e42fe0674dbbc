"""What the browser gets of ``static/``."""

from collections.abc import Iterable
from pathlib import Path

from coursekit.cells.static_bundle import (
    Bundle,
    Suffix,
    wrap_in_later_layer,
    wrap_in_layer,
    wrap_in_own_layer,
)
from coursekit.cells.static_bundle import join_files as joined
from coursekit.kit import GameKit

STATIC = Path(__file__).parent / "static"
ELEMENTS = ("elements", "cards", "zones", "form", "between", "motion", "clocks", "closeup", "sound")
FRAME = (
    "table",
    "playback",
    "moments",
    "scene",
    "cover",
    "onlookers",
    "focus",
    "decisions",
    "tools",
    "stage",
)
STYLES = (
    "table",
    "cloth",
    "cover",
    "closeup",
    "print",
    "track",
    "motion",
    "notes",
    "form",
    "widths",
)
PARTS: Bundle = {"js": (*ELEMENTS, *FRAME), "css": STYLES}
"""What the table is made of, and the table; only the table exports anything."""
FITTED: Bundle = {"css": ("stage", "stage-cards", "stage-track")}
"""How a table looks that fills a height it is given; it wins over all of :data:`STYLES`."""


def one_file(suffix: Suffix) -> str:
    """Return the files of :data:`PARTS` as one."""
    return joined(STATIC, PARTS, suffix)


def table_script(kit: GameKit) -> str:
    """Return the module that draws the tables of *kit*: the common parts, then those of its own
    zones.
    """
    return "\n".join([one_file("js"), *_texts(kit.zones.scripts if kit.zones else ())])


def table_styles() -> str:
    """Return the style sheet of all tables."""
    return wrap_in_layer(one_file("css")) + wrap_in_later_layer(joined(STATIC, FITTED, "css"))


def zone_styles(kit: GameKit) -> str:
    """Return how the own zones of *kit* look; files named ``stage…`` say how in a table that fills
    a height.
    """
    files = list(kit.zones.styles if kit.zones else ())
    fitted = [each for each in files if each.name.startswith("stage")]
    own = [each for each in files if each not in fitted]
    return wrap_in_own_layer("\n".join(_texts(own))) + wrap_in_later_layer(
        "\n".join(_texts(fitted))
    )


def _texts(files: Iterable[Path]) -> list[str]:
    return [file.read_text(encoding="utf-8") for file in files]
