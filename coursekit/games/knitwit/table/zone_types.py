"""The zone types that only Knit Wit has: a canvas and an answer pad, and what a hand does there."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NotRequired, TypedDict

from coursekit.core.game import Seat
from coursekit.kit import ByHand, Mark, Zones
from coursekit.kit.scene import Zone
from coursekit.table.read_only_scene import keep_parts, plain_parts

PROBES = ("ㄅㄆㄇ", "zyzzyva", "7")
"""Words that no rule is likely to forbid."""
STATIC = Path(__file__).parent / "static"
SCRIPTS = (
    "string-geometry",
    "venn",
    "venn-frame",
    "venn-picture",
    "venn-draft",
    "venn-gestures",
    "venn-controls",
    "answer-pad",
)


class Loop(TypedDict):
    """A loop of string on a canvas, held by a pin with its name and a word."""

    id: str
    points: Sequence[Sequence[int]]  # [x, y], a closed polygon
    pin: Sequence[int]
    tone: int  # 0-7: a colour and a twist of the string
    name: str  # "red loop"
    word: str  # "" if it has none yet
    owner: str
    label: str


class Spool(TypedDict):
    """A spool on a canvas."""

    number: int
    at: Sequence[int]
    loops: list[int]  # places in the zone's ``loops`` of those around it
    words: list[str]  # of those loops
    points: int
    label: str
    faded: NotRequired[bool]
    marked: NotRequired[bool]


class Spot(TypedDict):
    """A place where a spool may be put."""

    at: Sequence[int]
    label: str
    loops: list[int]  # places in the zone's ``loops`` of those around it


class Line(TypedDict):
    """A line of an answer pad."""

    number: int
    words: list[str]
    loops: list[int]  # places of the words in the loops of the canvas
    points: int
    text: str  # as it was written last
    left: int  # how often it may still be written
    closed: bool  # nothing can be written on it
    label: str


class Canvas(Zone, total=False):
    """A zone of the kind ``venn``."""

    size: Sequence[int]  # width and height of the canvas; all its points are whole numbers within
    loops: list[Loop]
    spools: list[Spool]
    draw: dict[str, Any]  # {"seat": 1} may draw a loop: ["loop", points] or ["loop", points, pin]
    put: dict[str, Any]  # {"seat": 1, "numbers": [2]} may put a spool: ["spool", number, x, y]
    spots: list[Spot]  # one in each region where a spool may be put


class AnswerPad(Zone, total=False):
    """A zone of the kind ``answer-pad``."""

    seat: Seat  # who writes on it: ["write", number, text]
    lines: list[Line]
    longest: int  # characters in a line
    once: bool  # few answers are left, so leaving a line does not give one
    key: str  # names it, so that what one person alone has typed outlasts a reload
    go: int  # seconds after which it is put away for others at the same screen


def by_hand(zone: Any) -> ByHand | None:
    """Return what a hand does in *zone*."""
    if zone["kind"] == "answer-pad":
        return ByHand(zone["seat"], [_written(line) for line in zone["lines"]])
    if "draw" in zone:
        return ByHand(zone["draw"]["seat"], drawn=True)
    if "put" in zone:
        numbers, spots = zone["put"]["numbers"], [tuple(spot["at"]) for spot in zone["spots"]]
        marks = [
            Mark(f"spot {spot} for spool {n}", [("spool", n, *spot)], True)
            for n in numbers
            for spot in spots
        ]
        return ByHand(zone["put"]["seat"], marks or [Mark("no spot", (), True)], drawn=True)
    return None


def _written(line: Line) -> Mark:
    number = line["number"]
    return Mark(
        f"line {number}", [("write", number, probe) for probe in PROBES], not line["closed"]
    )


LOOKED_AT = plain_parts("size seat longest once key") | {
    "loops": plain_parts("id points pin tone name word owner label"),
    "spools": plain_parts("number at loops words points label faded marked"),
    "lines": plain_parts("number words loops points text left label"),
}


def past(zone: Any) -> dict[str, Any]:
    """Return what stays of *zone* when its moment is past: no line can be written on any more."""
    remaining: dict[str, Any] = keep_parts(zone, LOOKED_AT)
    for line in remaining.get("lines", []):
        line["closed"] = True
    return remaining


ZONES = Zones(
    kinds=("venn", "answer-pad"),
    scripts=[STATIC / f"{part}.js" for part in SCRIPTS],
    # The name of a style for tables that fill a height begins with "stage".
    styles=[STATIC / f"{part}.css" for part in ("venn-layout", "venn", "answer-pad", "stage-venn")],
    by_hand=by_hand,
    past=past,
)
