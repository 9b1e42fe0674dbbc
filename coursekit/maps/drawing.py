"""A drawing of a mind map for a page or a report."""

import io
import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from coursekit.maps.elements import Concept
from coursekit.maps.layout import layout
from coursekit.maps.line_breaks import wrapped
from coursekit.maps.map_statistics import EXAMPLE, hierarchy
from coursekit.maps.mindmap import MindMap
from coursekit.maps.paper_layout import (
    LABEL_WIDTH,
    PHRASE_WIDTH,
    PICTURED_WIDTH,
    SMALL,
    WINDOW,
    Array,
    Places,
    Sheet,
    on_each_other,
)
from coursekit.maps.svg_shapes import art, card_of, shades
from coursekit.words.texts import text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from coursekit.figures import Picture
    from coursekit.maps.svg_shapes import Art

LETTERS = 11
"""Height of the letters of a concept, in points."""
WIDEST = 20.0
"""Greatest width of a drawing, in inches."""
ALONG = (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82)
"""Places of a linking phrase on the visible part of its line, best first."""
BENDS = (0.0, 0.12, -0.12, 0.25, -0.25)
"""How far a line may bend, as a share of its length."""
BULGES = (1.5, -1.5, 3.0, -3.0, 5.0, -5.0, 8.0, -8.0)
"""How far short lines may bend, in letters."""
MARGIN, NARROW, PAGE = 0.9, 30.0, 46.0
"""In letters: the space around everything, the least width of a drawing with a long question, and
the width of the page that is handed in, which shrinks wider drawings.
"""
TALL, EDGE = 3.6, 0.3
"""Least height of a card with a picture, and the space around the picture, in letters."""
CROSS = "#b5541c"
"""Colour of cross-links, which are dashed as well."""
GROUNDS = {
    "top": ("#fffdf7", "#a5371f", 2.6),
    "card": ("#fffdf7", "#5f5447", 1.4),
    "example": ("#f3ecdd", "#5f5447", 0.9),
    "other": ("#f3ecdd", "#5f5447", 0.9),
}
"""By what a concept is: the colours of its ground and of its edge, and the width of the edge in
points.
"""
SAMPLES = 100
"""Points of a line."""


def draw_map(map: MindMap, language: str, titled: bool = True) -> "Picture":
    """Return a picture of *map*; its alternative text is the focus question and every proposition.

    Concepts without a place stand where :func:`layout` puts them.

    :param titled: whether the focus question stands above.
    """
    from coursekit.figures import picture

    told = [
        map.focus,
        *(f"{map.sentence(id)}{'.' if language == 'en' else '。'}" for id in map.relations),
    ]
    words = " ".join(filter(None, told)) or text("map.empty", language)
    return picture(figure(map, language, titled), words, language=language)


def png(map: MindMap, language: str) -> bytes:
    """Return a picture of *map* as a PNG file."""
    from matplotlib import pyplot

    from coursekit.figures import figure_style

    with figure_style(language), io.BytesIO() as file:
        made = figure(map, language)
        made.savefig(file, format="png", metadata={"Software": None})
        pyplot.close(made)
        return file.getvalue()


def figure(map: MindMap, language: str, titled: bool = True) -> "Figure":
    """Return *map* as a matplotlib figure: a :class:`Sheet` with letters of :data:`LETTERS`.

    Cards have their picture or a band of their colour, cross-links are dashed, and a legend says
    so.
    """
    import numpy as np
    from matplotlib import pyplot
    from matplotlib.collections import LineCollection, PolyCollection

    from coursekit.figures import INK, figure_style

    places, tree = layout(map, keep=True), hierarchy(map)
    styles = {id: _style(each, id == tree.top, language) for id, each in map.concepts.items()}
    phrases = [wrapped(each.phrase, PHRASE_WIDTH) for each in map.relations.values()]
    sheet = Sheet.of(map)._replace(
        cards=np.array([each.size for each in styles.values()]).reshape(-1, 2),
        slips=SMALL * np.array([_size(each, 0.5, 0.3) for each in phrases]).reshape(-1, 2),
    )
    legend = _legend(styles.values(), bool(tree.cross_links), language) if len(styles) > 1 else []
    told = sum(wide + _size(words, 0, 0)[0] for _, wide, words in legend)
    asks = map.focus if titled else ""
    least = max(told + 2, min(NARROW, 1.8 * _size(asks, 2, 0)[0]) if asks else 0.0)
    (width, height), at, lines, slips = _nestled(
        sheet, places, [bool(each) for each in phrases]
    ).on_paper(least)
    title, large = _title(asks, width)
    head = 1.35 * large * (title.count("\n") + 1) + 1.4 if title else 0.0
    foot = 2.6 if legend else 0.0
    inch = min(LETTERS / 72, WIDEST / width)
    colours = [CROSS if id in tree.cross_links else INK for id in map.relations]
    dashes = ["--" if id in tree.cross_links else "-" for id in map.relations]
    common: Any = {"ha": "center", "va": "center", "color": INK, "parse_math": False}
    with figure_style(language):
        made = pyplot.figure(figsize=(width * inch, (head + height + foot) * inch), layout="none")
        axes = made.add_axes((0, 0, 1, 1))
        axes.set(xlim=(0, width), ylim=(height + foot, -head))
        axes.set_axis_off()
        axes.add_collection(
            LineCollection(
                [each[:-1] for each in lines], colors=colours, linestyles=dashes, linewidths=1.4
            )
        )
        axes.add_collection(
            PolyCollection([_head(each) for each in lines], facecolors=colours, zorder=2)
        )
        paper = [
            _corners(place, size)
            for words, place, size in zip(phrases, slips, sheet.slips)
            if words
        ]
        axes.add_collection(PolyCollection(paper, facecolors="white", zorder=3))
        for words, place in zip(phrases, slips):
            if words:
                axes.text(place[0], place[1], words, fontsize=SMALL * 72 * inch, zorder=4, **common)
        for style, place in zip(styles.values(), at):
            middle = _card(axes, style, place, inch)
            axes.text(middle, place[1], style.words, fontsize=72 * inch, zorder=6, **common)
        if title:
            axes.text(
                width / 2, -head + 0.9, title, fontsize=large * 72 * inch, **{**common, "va": "top"}
            )
        left = (width - told) / 2
        for sign, wide, words in legend:
            if isinstance(sign, CardStyle):
                _card(axes, sign, np.array([left + 1, height + foot / 2]), inch)
            else:
                axes.plot(
                    [left, left + 2.2],
                    [height + foot / 2] * 2,
                    sign,
                    color=CROSS,
                    linewidth=1.4,
                    marker="",
                )
            axes.text(
                left + 2.7,
                height + foot / 2,
                words,
                fontsize=SMALL * 72 * inch,
                **{**common, "ha": "left"},
            )
            left += wide + _size(words, 0, 0)[0]
    return made


class CardStyle(NamedTuple):
    """How a concept is drawn; lengths in letters."""

    words: str  # its label in lines
    size: tuple[float, float]
    what: str  # "top", "card", "example" or "other"
    card: bool
    band: str  # colour of the band of a card without a picture, "" for none
    art: "Art | None"


def _style(each: Concept, top: bool, language: str) -> CardStyle:
    """Return how a concept is drawn."""
    card = card_of(each.card, language) if each.card else None
    picture = (
        art(each.card.partition("/")[0], card.symbol, card.tone) if card and card.symbol else None
    )
    words = wrapped(each.label, PICTURED_WIDTH if picture else LABEL_WIDTH)
    wide, high = _size(words, 1.2, 0.8)
    what = "top" if top else "card" if each.card else "example" if each.kind == EXAMPLE else "other"
    band = shades(card.tone)["mid"] if card and not picture else ""
    if picture:
        wide, high = wide + _width(picture, max(high, TALL)), max(high, TALL)
    return CardStyle(
        words, (wide + (0.4 if band else 0), high), what, bool(each.card), band, picture
    )


def _width(picture: "Art", high: float) -> float:
    """Return the width of *picture* on a card *high* letters high."""
    return (high - 2 * EDGE) * picture.size[0] / picture.size[1]


def _card(axes: "Axes", style: CardStyle, place: Array, inch: float) -> float:
    """Draw a card without its words, and return where across their middle is.

    :param inch: inches of a letter.
    """
    from matplotlib.colors import to_rgba
    from matplotlib.patches import FancyBboxPatch, PathPatch
    from matplotlib.transforms import Affine2D

    from coursekit.figures import KEPT

    wide, high = style.size
    left, top = float(place[0]) - wide / 2, float(place[1]) - high / 2
    ground, edge, thick = GROUNDS[style.what]
    rounded = high / 2 if style.what == "example" else 0.5
    shape = f"round,pad=0,rounding_size={rounded}"
    axes.add_patch(
        FancyBboxPatch((left, top), wide, high, shape, fc=ground, ec=edge, lw=thick, zorder=5)
    )
    if style.band:
        axes.add_patch(
            FancyBboxPatch(
                (left + 0.15, top + 0.25),
                0.35,
                high - 0.5,
                "round,pad=0,rounding_size=0.15",
                fc=style.band,
                ec="none",
                zorder=5,
            )
        )
        return left + wide / 2 + 0.2
    if style.art is None:
        return left + wide / 2
    inner = high - 2 * EDGE
    scale, across = inner / style.art.size[1], _width(style.art, high)
    behind = FancyBboxPatch(
        (left + EDGE, top + EDGE),
        across,
        inner,
        "round,pad=0,rounding_size=0.2",
        fc=style.art.ground,
        ec="#00000033",
        lw=0.6,
        zorder=5,
    )
    behind.set_gid(f"{KEPT}{len(axes.patches)}")
    axes.add_patch(behind)
    put = Affine2D().scale(scale).translate(left + EDGE, top + EDGE)
    for each in style.art.shapes:
        fill, line = (
            to_rgba(colour, to_rgba(colour)[3] * each.opacity)
            if colour != "none"
            else (0.0, 0.0, 0.0, 0.0)
            for colour in (each.fill, each.line)
        )
        drawn = PathPatch(
            each.outline.transformed(put),
            fc=fill,
            ec=line,
            joinstyle=each.join,
            capstyle=each.cap,
            lw=each.wide * scale * inch * 72 if each.line != "none" else 0,
            zorder=5,
        )
        drawn.set_gid(f"{KEPT}{len(axes.patches)}")
        axes.add_patch(drawn)
        drawn.set_clip_path(behind)
    return left + (EDGE + across + wide) / 2


def _title(focus: str, width: float) -> tuple[str, float]:
    """Return the question in lines that fit, and the size of its letters: smaller for a long
    question.
    """
    short = re.sub(r"([!-~]{40})(?=[!-~])", r"\1 ", focus)  # cuts endless words
    for large in (1.5, 1.0):
        lines = [wrapped(line, 0.94 * (width - 2) / large) for line in short.split("\n")]
        title = "\n".join(lines)
        if title.count("\n") < 3:
            break
    return title, large


def _legend(
    styles: Collection[CardStyle], dashed: bool, language: str
) -> list[tuple[CardStyle | str, float, str]]:
    """Return the entries of the legend: sign, width of the sign and of the space around its words,
    words.
    """
    there = {each.what for each in styles}
    if any(each.card for each in styles):
        there.add("card")
    kinds = (
        [what for what in GROUNDS if what in there]
        if "card" in there or "example" in there
        else ["top"]
    )
    signs: list[tuple[CardStyle | str, float, str]] = [
        (
            CardStyle("", (2.0, 1.3), what, False, "", None),
            4.6,
            text(f"map.legend.{what}", language),
        )
        for what in kinds
        if what in there
    ]
    return signs + ([("--", 4.6, text("map.legend.cross", language))] if dashed else [])


class Led(NamedTuple):
    """Where everything of a map stands; lengths in letters."""

    at: Array  # the middle of each card
    lines: Sequence[Array]  # the points of each, from card to card
    slips: Sequence[Array]  # the middle of each phrase
    boxes: Array  # corners of all cards and phrases
    touching: float  # how far phrases lie on things, and how much of the lines runs through cards

    def on_paper(
        self, least: float
    ) -> tuple[tuple[float, float], Array, Sequence[Array], Sequence[Array]]:
        """Return width and height of the paper, and where cards, lines and phrases stand from its
        corner.

        :param least: width of the paper at least.
        """
        import numpy as np

        points = np.concatenate([self.boxes, *self.lines])
        (wide, high), low = np.ptp(points, 0) + 2 * MARGIN, points.min(0) - MARGIN
        low = low - (max(0.0, least - wide) / 2, 0.0)
        size = float(max(wide, least)), float(high)
        return (
            size,
            self.at - low,
            [each - low for each in self.lines],
            [each - low for each in self.slips],
        )


def _nestled(sheet: Sheet, places: Places, worded: Sequence[bool]) -> Led:
    """Return the cards as close together as they and the phrases between them allow.

    :param worded: which lines have a phrase.
    """
    at = sheet.apart(sheet.points(places))
    wide = float(
        (at + sheet.cards / 2).max(0, initial=0)[0]
        - (at - sheet.cards / 2).min(0, initial=WINDOW[0])[0]
    )
    by_cards, by_phrases = sheet.snug(at)
    most = max(by_cards, 1.0, PAGE / max(1.0, wide))
    times = max(by_cards, min(by_phrases, most))
    found = _led(sheet, times * at, worded)
    while found.touching and times < most:
        times = min(1.2 * times, most)
        found = min(found, _led(sheet, times * at, worded), key=lambda each: each.touching)
    return found


def _led(sheet: Sheet, at: Array, worded: Sequence[bool]) -> Led:
    """Return the line between each two related cards, and where its phrase stands, for cards *at*
    these points.

    A line bends, and its phrase moves along it, until the line runs through no card and the phrase
    lies on nothing. Short lines leave least choice and come first.
    """
    import numpy as np

    ways, fan = at[sheet.ends[:, 1]] - at[sheet.ends[:, 0]], sheet.fanned(at).fan
    longs = np.maximum(np.hypot(ways[:, 0], ways[:, 1]), 1e-6)
    lines, slips = dict[int, Array](), dict[int, Array]()
    taken, sizes, touching = [*at], [*sheet.cards], 0.0
    for number in np.argsort(longs, kind="stable").tolist():
        (first, last), size, long = sheet.ends[number], sheet.slips[number], longs[number]
        own, others = [first, last], np.delete(np.arange(len(at)), [first, last])
        there, all_sizes, least, wrong = np.array(taken)[None], np.array(sizes), np.inf, 0.0
        sized = np.tile(size, (len(ALONG), 1))
        for bend in sorted({*(long * share for share in BENDS), *BULGES}, key=abs):
            if 0.2 * abs(bend) >= least:
                break
            curve = _curve(at[first], ways[number], (fan[number] + bend) / long)
            line = _seen(curve, at[own], sheet.cards[own])
            where = line[[round(share * (len(line) - 1)) for share in ALONG]]
            lack = 0.5 * _within(line, at[others], sheet.cards[others] / 2 + 0.2).sum() + np.zeros(
                len(ALONG)
            )
            if worded[number]:
                upon = on_each_other(where[None], sized, there, all_sizes)
                lack += 5 * upon[0].sum(1) + 2 * (upon[0] > 0).sum(1)
            costs = lack + 0.2 * abs(bend) + 0.05 * np.arange(len(ALONG))
            best = int(np.argmin(costs))
            if costs[best] < least:
                least, wrong = costs[best], lack[best]
                lines[number], slips[number] = line, where[best]
        touching += wrong
        if worded[number]:
            taken.append(slips[number])
            sizes.append(size)
    corners = [_corners(place, size) for place, size in zip(taken, sizes)]
    boxes = np.concatenate(corners) if corners else np.zeros((1, 2))
    numbers = range(len(longs))
    return Led(
        at,
        [lines[each] for each in numbers],
        [slips[each] for each in numbers],
        boxes,
        float(touching),
    )


def _curve(start: Array, way: Array, bend: float) -> Array:
    """Return the points of a line from *start* whose middle is *bend* times its length beside the
    straight line.
    """
    import numpy as np

    steps = np.linspace(0, 1, SAMPLES)[:, None]
    curve: Array = (
        start + steps * way + 4 * steps * (1 - steps) * bend * np.array([way[1], -way[0]])
    )
    return curve


def _seen(line: Array, middles: Array, sizes: Array) -> Array:
    """Return the part of *line* that the cards at its ends do not hide; its middle if they hide all
    of it.
    """
    import numpy as np

    seen = np.flatnonzero(~_within(line, middles, sizes / 2).any(1))
    return line[seen] if len(seen) > 2 else line[SAMPLES // 2 - 1 : SAMPLES // 2 + 2]


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
    """Return the width of *letter*, in letters."""
    from matplotlib.font_manager import findfont, get_font
    from matplotlib.ft2font import LoadFlags

    from coursekit.figures import FAMILIES, figure_style

    with figure_style():
        fonts = [get_font(findfont(name)) for name in FAMILIES]
    font = next((each for each in fonts if each.get_char_index(ord(letter))), fonts[-1])
    glyph = font.load_glyph(
        font.get_char_index(ord(letter)), flags=LoadFlags.NO_SCALE
    )  # 0: missing
    return float(glyph.horiAdvance) / font.units_per_EM
