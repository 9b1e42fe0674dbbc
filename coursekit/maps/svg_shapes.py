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


def find_card(name: str, language: str) -> "MapCard | None":
    """Return the card of a game called *name*, such as "wikipedia/vandal"."""
    return _cards(name.partition("/")[0], language).get(name)


@lru_cache
def _cards(game: str, language: str) -> "Mapping[str, MapCard]":
    return {card.card: card for card in map_cards(game, language)}


def tone_colours(tone: int | None) -> Mapping[str, str]:
    """Return the colours of a card of that *tone* by their names."""
    named = dict(EVERYWHERE)
    for name, colours in zip(TONES, COLOURS):
        ink, mid, soft = colours
        named |= {f"ck-{name}": ink, f"ck-{name}-mid": mid, f"ck-{name}-soft": soft}
    own = COLOURS[tone] if tone is not None and tone < len(COLOURS) else COLOURS[0]
    return named | dict(zip(SHADES, own))


@lru_cache(512)
def card_art(game: str, symbol: str, tone: int | None) -> Art | None:
    """Return the picture *symbol* of *game* in the colours of *tone*; ``None`` if there is none."""
    from matplotlib.transforms import Affine2D

    element = _symbols(game).get(symbol)
    if element is None:
        return None
    left, top, wide, high = map(float, element.get("viewBox", "").split())
    shapes = list[Shape]()
    _gather(element, {}, 1.0, Affine2D().translate(-left, -top), tone_colours(tone), shapes)
    return Art((wide, high), tuple(shapes), tone_colours(tone)["soft"])


@lru_cache
def _symbols(game: str) -> Mapping[str, ElementTree.Element]:
    drawings = kit_of(game).drawings() if game in GAMES else ""
    symbols = ElementTree.fromstring(drawings or "<svg/>").iterfind("{*}symbol")
    return {symbol.get("id", ""): symbol for symbol in symbols}


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
    outline = _outline(element)
    if outline:
        # A line grows as the square root of the area does.
        (a, b), (c, d) = place.get_matrix()[:2, :2]
        scale = abs(float(a * d - b * c)) ** 0.5
        cap = style.get("stroke-linecap", "butt")
        shape = Shape(
            outline=outline.transformed(place),
            fill=_colour(style.get("fill", "#000"), colours),
            line=_colour(style.get("stroke", "none"), colours),
            wide=float(style.get("stroke-width", 1)) * scale,
            join=style.get("stroke-linejoin", "miter"),
            cap="projecting" if cap == "square" else cap,
            opacity=opacity,
        )
        shapes.append(shape)
    inherited = {
        name: value for name, value in style.items() if name.startswith(("fill", "stroke"))
    }
    for inner in element:
        _gather(inner, inherited, opacity, place, colours, shapes)


def _transform(words: str) -> "Affine2D":
    """Return the transform that an attribute describes; its last part is applied first."""
    from matplotlib.transforms import Affine2D

    transform = Affine2D()
    for name, given in reversed(re.findall(r"(\w+)\(([^)]*)\)", words)):
        numbers = [float(number) for number in re.split(r"[\s,]+", given.strip())]
        if name == "translate":
            transform.translate(numbers[0], [*numbers, 0.0][1])
        elif name == "scale":
            transform.scale(numbers[0], numbers[-1])
        elif name == "rotate":
            across, down = numbers[1:] or (0.0, 0.0)
            transform.rotate_deg_around(across, down, numbers[0])
        else:
            raise ValueError(f"the transform {name!r} is not translate, scale or rotate")
    return transform


def _outline(element: ElementTree.Element) -> "Outline | None":
    """Return the outline of a shape, ``None`` for other elements.

    fontTools, which matplotlib requires, reads it.
    """
    from fontTools.pens.recordingPen import RecordingPen  # type: ignore[import-untyped]
    from fontTools.svgLib.path import PathBuilder, parse_path  # type: ignore[import-untyped]
    from matplotlib.path import Path as Outline

    builder = PathBuilder()
    untransformed = ElementTree.Element(element.tag, element.attrib)
    untransformed.attrib.pop("transform", None)
    if not builder.add_path_from_element(untransformed):
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
    points = list[Any]()
    steps = list[Any]()
    for step, places in pen.value:
        if step != "endPath":
            points += places or [(0, 0)]
            steps += [codes[step]] * max(1, len(places))
    return Outline(points, steps)


def _colour(words: str, colours: Mapping[str, str]) -> str:
    """Return the colour that ``fill`` or ``stroke`` names; *colours* are its CSS variables."""
    variable = re.fullmatch(r"var\(--([\w-]+)(?:, *(.+))?\)", words)
    if variable is None:
        return words
    return colours.get(variable[1]) or variable[2]
