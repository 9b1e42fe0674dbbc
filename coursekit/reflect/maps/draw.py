"""A drawing of a mind map for a page or a report."""

import io
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from coursekit.reflect.maps.layout import layout
from coursekit.reflect.maps.mindmap import MindMap
from coursekit.reflect.maps.sheet import LINES, PHRASED, SMALL, Array, Sheet, on_each_other
from coursekit.reflect.maps.study import hierarchy
from coursekit.reflect.maps.words import wrapped
from coursekit.texts import text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from coursekit.figures import Picture

LETTERS = 11
"""Height of the letters of a concept, in points."""
LARGEST = 20.0
"""Greatest width of a drawing, in inches."""
ALONG = (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82)
"""Where on the visible part of its line a linking phrase may stand, the best place first."""
BENDS = (0.0, 0.12, -0.12, 0.25, -0.25)
"""How far beside the straight one a line may run, of its length, the best first."""
STEPS = 100
"""So many points make a line."""


def drawn(map: MindMap, language: str) -> "Picture":
    """Return a picture of *map*; its alternative text is the focus question and every proposition.

    Concepts without a place stand where :func:`layout` puts them.  Cross-links are dashed.
    """
    from coursekit.figures import picture

    told = [map.focus, *(f"{map.sentence(id)}{'.' if language == 'en' else '。'}" for id in map.relations)]
    words = " ".join(filter(None, told)) or text("map.empty", language)
    return picture(figure(map, language), words, map.focus, language)


def png(map: MindMap, language: str) -> bytes:
    """Return a picture of *map* as a PNG file."""
    from matplotlib import pyplot

    from coursekit.figures import figure_style

    with figure_style(language), io.BytesIO() as file:
        made = figure(map, language)
        made.savefig(file, format="png", metadata={"Software": None})
        pyplot.close(made)
        return file.getvalue()


def figure(map: MindMap, language: str) -> "Figure":
    """Return *map* as a matplotlib figure: a :class:`Sheet` with letters of :data:`LETTERS`."""
    import numpy as np
    from matplotlib import pyplot
    from matplotlib.collections import LineCollection, PatchCollection, PolyCollection
    from matplotlib.patches import FancyBboxPatch

    from coursekit.figures import INK, PALETTE, figure_style

    places, tree = layout(map, keep=True), hierarchy(map)
    labels = [wrapped(each.label, LINES) for each in map.concepts.values()]
    phrases = [wrapped(each.phrase, PHRASED) for each in map.relations.values()]
    sheet = (
        Sheet.of(map)
        ._replace(
            cards=np.array([_size(each, 1.2, 0.8) for each in labels]).reshape(-1, 2),
            slips=SMALL * np.array([_size(each, 0.5, 0.3) for each in phrases]).reshape(-1, 2),
        )
        .grown(places)
    )
    at = sheet.points(places)
    lines, slips = _led(sheet, at, [bool(each) for each in phrases])
    width, height = (float(side) for side in sheet.size)
    inch = min(LETTERS / 72, LARGEST / width)
    colours = [PALETTE[1] if id in tree.cross_links else PALETTE[0] for id in map.relations]
    dashes = ["--" if id in tree.cross_links else "-" for id in map.relations]
    common: Any = {"ha": "center", "va": "center", "color": INK, "parse_math": False}
    with figure_style(language):
        made = pyplot.figure(figsize=(width * inch, height * inch), layout="none")  # nothing to make room for
        axes = made.add_axes((0, 0, 1, 1))
        axes.set(xlim=(0, width), ylim=(height, 0))
        axes.set_axis_off()
        axes.add_collection(
            LineCollection([each[:-1] for each in lines], colors=colours, linestyles=dashes, linewidths=1.4)
        )
        axes.add_collection(PolyCollection([_head(each) for each in lines], facecolors=colours, zorder=2))
        paper = [_corners(place, size) for words, place, size in zip(phrases, slips, sheet.slips) if words]
        axes.add_collection(PolyCollection(paper, facecolors="white", alpha=0.9, zorder=3))
        for words, place in zip(phrases, slips):
            if words:
                axes.text(place[0], place[1], words, fontsize=SMALL * 72 * inch, zorder=4, **common)
        rounded = [
            FancyBboxPatch(place - size / 2, size[0], size[1], "round,pad=0,rounding_size=0.5")
            for place, size in zip(at, sheet.cards)
        ]
        grounds = [PALETTE[3] if id == tree.top else "#f0e8d8" for id in sheet.ids]
        axes.add_collection(PatchCollection(rounded, facecolors=grounds, edgecolors=INK, zorder=5))
        for words, place in zip(labels, at):
            axes.text(place[0], place[1], words, fontsize=72 * inch, zorder=6, **common)
    return made


def _led(sheet: Sheet, at: Array, worded: Sequence[bool]) -> tuple[list[Array], list[Array]]:
    """Return the points of each line of *sheet* from card to card, and where its phrase stands.

    A line is bent if it would run through another card; a phrase stands where it covers least.
    """
    import numpy as np

    lines, slips = list[Array](), list[Array]()
    taken, sizes = [*at], [*sheet.cards]
    steps = np.linspace(0, 1, STEPS)[:, None]
    for (first, last), fan, size, shown in zip(sheet.ends, sheet.fan, sheet.slips, worded):
        start, way = at[first], at[last] - at[first]
        beside = np.array([way[1], -way[0]])
        away = fan / max(1e-6, float(np.hypot(*way)))
        others = np.delete(np.arange(len(at)), [first, last])
        best, least = start + steps * way, np.inf
        for bend in BENDS:
            curve = start + steps * way + 4 * steps * (1 - steps) * (away + bend) * beside
            through = _within(curve, at[others], sheet.cards[others] / 2 + 0.2).sum()
            through += STEPS - _within(curve, sheet.size[None] / 2, sheet.size / 2).sum()
            if through < least:
                best, least = curve, through
            if not least:
                break
        hidden = _within(best, at[[first, last]], sheet.cards[[first, last]] / 2).any(1)
        seen = np.flatnonzero(~hidden)
        line = best[seen] if len(seen) > 2 else best[STEPS // 2 - 1 : STEPS // 2 + 2]
        lines.append(line)
        where = line[[round(share * (len(line) - 1)) for share in ALONG]]
        where = np.clip(where, size / 2, sheet.size - size / 2)  # a phrase beside a bent line is not cut off
        if shown:
            lack = on_each_other(where[None], np.tile(size, (len(ALONG), 1)), np.array(taken)[None], np.array(sizes))
            where = where[[int(np.argmin(lack.sum(2)))]]
            taken.append(where[0])
            sizes.append(size)
        slips.append(where[0])
    return lines, slips


def _within(points: Array, middles: Array, halves: Array) -> Array:
    """Return which of *points* lie in which of several boxes."""
    import numpy as np

    away = np.abs(points[:, None] - middles) < halves
    found: Array = away[..., 0] & away[..., 1]
    return found


def _head(line: Array) -> Array:
    """Return the head of the arrow at the end of *line*."""
    import numpy as np

    tip, way = line[-1], line[-1] - line[-2]
    along = 0.75 * way / max(1e-6, float(np.hypot(*way)))
    beside = 0.45 * np.array([along[1], -along[0]])
    head: Array = np.array([tip, tip - along + beside, tip - along - beside])
    return head


def _corners(place: Array, size: Array) -> Array:
    corners: Array = place + size / 2 * [[-1, -1], [1, -1], [1, 1], [-1, 1]]
    return corners


def _size(words: str, wide: float, high: float) -> tuple[float, float]:
    """Return the width and height of *words* in the kit's font, in letters, with space around them."""
    lines = words.split("\n")
    return max(sum(map(_advance, line)) for line in lines) + wide, 1.25 * len(lines) + high


@lru_cache(4096)
def _advance(letter: str) -> float:
    """Return how wide *letter* is."""
    from matplotlib.font_manager import findfont, get_font
    from matplotlib.ft2font import LoadFlags

    from coursekit.figures import FAMILIES, figure_style

    with figure_style():
        fonts = [get_font(findfont(name)) for name in FAMILIES]
    font = next((each for each in fonts if each.get_char_index(ord(letter))), fonts[-1])
    glyph = font.load_glyph(font.get_char_index(ord(letter)), flags=LoadFlags.NO_SCALE)  # 0: a box for what is missing
    return float(glyph.horiAdvance) / font.units_per_EM
