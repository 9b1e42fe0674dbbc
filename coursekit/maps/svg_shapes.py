"""Pictures of cards, read from a game's ``art.svg``, as shapes that matplotlib draws."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple
from xml.etree import ElementTree

from coursekit.kit import GAMES, kit_of
from coursekit.kit.map_card import TONES
from coursekit.maps.starters import map_cards

if TYPE_CHECKING:
    from matplotlib.path import Path as Outline
    from matplotlib.transforms import Affine2D, Transform

    from coursekit.kit.map_card import MapCard

SHADES = ("ink", "mid", "soft")
COLOURS = (
    ("#5f5447", "#a89a86", "#f0e8d8"),
    ("#1d478f", "#4f8fe0", "#cfe2fb"),
    ("#17603a", "#4fb06f", "#cfecd2"),
    ("#8f1f26", "#dd5a4c", "#fad9cf"),
    ("#6b4700", "#e3a51c", "#fcecb0"),
    ("#f6e6b4", "#7a58cf", "#e6c9a8"),
    ("#3c3d47", "#8f919d", "#d9dae1"),
)
"""The :data:`SHADES` of each tone of a card, as in ``static/map.css``."""
EVERYWHERE = {"paper": "#fffaee", "gold": "#f0b93a", "night": "#2a2152", "back": "#b9a9ec"}
"""Colours that every card shares, as in ``static/map.css``."""


class Shape(NamedTuple):
    """One shape of a picture; lengths in the units of its symbol."""

    outline: "Outline"
    fill: str  # a colour of matplotlib's, "none" for none
    line: str
    wide: float  # of the line
    join: str
    cap: str
    opacity: float  # 0 to 1


class Art(NamedTuple):
    """A picture, its y growing downwards."""

    size: tuple[float, float]
    shapes: tuple[Shape, ...]
    ground: str  # a colour


def card_of(name: str, language: str) -> "MapCard | None":
    """Return the card that a concept stands for, such as "wikipedia/vandal"; ``None`` if no game
    has it.
    """
    return _cards(name.partition("/")[0], language).get(name)


@lru_cache
def _cards(game: str, language: str) -> "Mapping[str, MapCard]":
    return {each.card: each for each in map_cards(game, language)}


def shades(tone: int | None) -> Mapping[str, str]:
    """Return the colours of a card of that *tone* by their names."""
    toned = {
        f"ck-{name}{'' if shade == 'ink' else f'-{shade}'}": colour
        for name, colours in zip(TONES, COLOURS)
        for shade, colour in zip(SHADES, colours)
    }
    own = COLOURS[tone] if tone is not None and tone < len(COLOURS) else COLOURS[0]
    return {**EVERYWHERE, **toned, **dict(zip(SHADES, own))}


@lru_cache(512)
def art(game: str, symbol: str, tone: int | None) -> Art | None:
    """Return the picture *symbol* of *game* in the colours of *tone*; ``None`` if there is none."""
    from matplotlib.transforms import Affine2D

    found = _symbols(game).get(symbol)
    if found is None:
        return None
    left, top, wide, high = map(float, found.get("viewBox", "").split())
    shapes = list[Shape]()
    _gather(found, {}, 1.0, Affine2D().translate(-left, -top), shades(tone), shapes)
    return Art((wide, high), tuple(shapes), shades(tone)["soft"])


@lru_cache
def _symbols(game: str) -> Mapping[str, ElementTree.Element]:
    drawings = kit_of(game).drawings() if game in GAMES else ""
    found = ElementTree.fromstring(drawings or "<svg/>").iterfind("{*}symbol")
    return {each.get("id", ""): each for each in found}


def _gather(
    element: ElementTree.Element,
    above: Mapping[str, str],
    opacity: float,
    place: "Transform",
    colours: Mapping[str, str],
    shapes: list[Shape],
) -> None:
    """Add the shapes in *element* to *shapes*; *above* is the style that it inherits."""
    style = {**above, **element.attrib}
    opacity *= float(element.get("opacity", 1))
    place = _transform(element.get("transform", "")) + place
    if outline := _outline(element):
        fill, line = (
            _colour(style.get(part, usual), colours)
            for part, usual in (("fill", "#000"), ("stroke", "none"))
        )
        (a, b), (c, d) = place.get_matrix()[:2, :2]
        wide = float(style.get("stroke-width", 1)) * abs(float(a * d - b * c)) ** 0.5
        join, cap = style.get("stroke-linejoin", "miter"), style.get("stroke-linecap", "butt")
        outline = outline.transformed(place)
        shapes.append(
            Shape(
                outline, fill, line, wide, join, "projecting" if cap == "square" else cap, opacity
            )
        )
    kept = {name: value for name, value in style.items() if name.startswith(("fill", "stroke"))}
    for each in element:
        _gather(each, kept, opacity, place, colours, shapes)


def _transform(words: str) -> "Affine2D":
    """Return the transform that an attribute ``transform`` describes: its last part is applied
    first.
    """
    from matplotlib.transforms import Affine2D

    found = Affine2D()
    for name, given in reversed(re.findall(r"(\w+)\(([^)]*)\)", words)):
        numbers = [float(each) for each in re.split(r"[\s,]+", given.strip())]
        if name == "translate":
            found.translate(numbers[0], [*numbers, 0.0][1])
        elif name == "scale":
            found.scale(numbers[0], numbers[-1])
        elif name == "rotate":
            across, down = numbers[1:] or (0.0, 0.0)
            found.rotate_deg_around(across, down, numbers[0])
        else:
            raise ValueError(
                f"the transform {name!r} of a symbol is not translate, scale or rotate"
            )
    return found


def _outline(element: ElementTree.Element) -> "Outline | None":
    """Return the outline of a shape, read with fontTools (which matplotlib requires); ``None`` for
    other elements.
    """
    from fontTools.pens.recordingPen import RecordingPen  # type: ignore[import-untyped]
    from fontTools.svgLib.path import PathBuilder, parse_path  # type: ignore[import-untyped]
    from matplotlib.path import Path as Outline

    builder = PathBuilder()
    bare = ElementTree.Element(
        element.tag, {key: value for key, value in element.attrib.items() if key != "transform"}
    )
    if not builder.add_path_from_element(bare):
        return None
    pen = RecordingPen()
    parse_path(builder.paths[0], pen)
    codes = {
        "moveTo": Outline.MOVETO,
        "lineTo": Outline.LINETO,
        "qCurveTo": Outline.CURVE3,
        "curveTo": Outline.CURVE4,
        "closePath": Outline.CLOSEPOLY,
    }
    points, steps = list[Any](), list[Any]()
    for step, places in pen.value:
        if step != "endPath":
            points += places or [(0, 0)]
            steps += [codes[step]] * max(1, len(places))
    return Outline(points, steps)


def _colour(words: str, colours: Mapping[str, str]) -> str:
    """Return the colour that ``fill`` or ``stroke`` names; its CSS variables are *colours* of the
    card.
    """
    named = re.fullmatch(r"var\(--([\w-]+)(?:, *(.+))?\)", words)
    if named is None:
        return words
    return colours.get(named[1]) or named[2]
