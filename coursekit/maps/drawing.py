"""A drawing of a mind map for a page or a report."""

import io
import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from coursekit.maps.elements import Concept
from coursekit.maps.layout import layout
from coursekit.maps.line_breaks import break_lines
from coursekit.maps.map_statistics import EXAMPLE, hierarchy
from coursekit.maps.mindmap import MindMap
from coursekit.maps.paper_layout import (
    LABEL_WIDTH,
    PHRASE_WIDTH,
    PICTURED_WIDTH,
    SMALL,
    WINDOW,
    Array,
    Paper,
    Places,
    overlaps,
)
from coursekit.maps.svg_shapes import card_art, find_card, tone_colours
from coursekit.words.texts import text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.patches import FancyBboxPatch

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
MARGIN = 0.9
"""Space around everything, in letters."""
NARROW = 30.0
"""Least width of a drawing with a long question, in letters."""
PAGE = 46.0
"""Width of the page that is handed in, in letters; it shrinks wider drawings."""
TALL = 3.6
"""Least height of a card with a picture, in letters."""
EDGE = 0.3
"""Space around the picture of a card, in letters."""
CROSS = "#b5541c"
"""Colour of cross-links, which are dashed as well."""
GROUNDS = {
    "top": ("#fffdf7", "#a5371f", 2.6),
    "card": ("#fffdf7", "#5f5447", 1.4),
    "example": ("#f3ecdd", "#5f5447", 0.9),
    "other": ("#f3ecdd", "#5f5447", 0.9),
}
"""By what a concept is: colours of its ground and its edge, and the edge's width in points."""
SAMPLES = 100
"""Points of a line."""


def draw_map(mind_map: MindMap, language: str, titled: bool = True) -> "Picture":
    """Return a picture of *mind_map*, described by its focus question and its propositions.

    Concepts without a place stand where :func:`layout` puts them.

    :param titled: whether the focus question stands above.
    """
    from coursekit.figures import picture

    stop = "." if language == "en" else "。"
    sentences = [sentence + stop for sentence in mind_map.sentences.values()]
    if mind_map.focus:
        sentences.insert(0, mind_map.focus)
    words = " ".join(sentences) or text("map.empty", language)
    return picture(map_figure(mind_map, language, titled), words, language=language)


def draw_png(mind_map: MindMap, language: str) -> bytes:
    """Return a picture of *mind_map* as a PNG file."""
    from matplotlib import pyplot

    from coursekit.figures import figure_style

    with figure_style(language), io.BytesIO() as file:
        figure = map_figure(mind_map, language)
        figure.savefig(file, format="png", metadata={"Software": None})
        pyplot.close(figure)
        return file.getvalue()


def map_figure(mind_map: MindMap, language: str, titled: bool = True) -> "Figure":
    """Return *mind_map* as a matplotlib figure: a :class:`Paper` with letters of :data:`LETTERS`.

    Cards have their picture or a band of their colour, cross-links are dashed, and a legend says
    so.
    """
    import numpy as np
    from matplotlib import pyplot

    from coursekit.figures import figure_style

    tree = hierarchy(mind_map)
    styles = [
        _style(concept, concept_id == tree.top, language)
        for concept_id, concept in mind_map.concepts.items()
    ]
    phrases = [
        break_lines(relation.phrase, PHRASE_WIDTH) for relation in mind_map.relations.values()
    ]
    paper = Paper.of(mind_map)._replace(
        cards=np.array([style.size for style in styles]).reshape(-1, 2),
        slips=SMALL * np.array([_size(phrase, 0.5, 0.3) for phrase in phrases]).reshape(-1, 2),
    )
    legend = _legend(styles, bool(tree.cross_links), language) if len(styles) > 1 else []
    legend_width = sum(wide + _size(words, 0, 0)[0] for _, wide, words in legend)
    focus = mind_map.focus if titled else ""
    title_width = min(NARROW, 1.8 * _size(focus, 2, 0)[0]) if focus else 0.0
    has_phrase = [bool(phrase) for phrase in phrases]
    drawing = _fit(paper, layout(mind_map, keep=True), has_phrase)
    drawing, (width, height) = drawing.on_paper(max(legend_width + 2, title_width))
    title, large = _title(focus, width)
    head = 1.35 * large * (title.count("\n") + 1) + 1.4 if title else 0.0
    foot = 2.6 if legend else 0.0
    inch = min(LETTERS / 72, WIDEST / width)
    is_cross = [relation_id in tree.cross_links for relation_id in mind_map.relations]
    with figure_style(language):
        figure = pyplot.figure(figsize=(width * inch, (head + height + foot) * inch), layout="none")
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set(xlim=(0, width), ylim=(height + foot, -head))
        axes.set_axis_off()
        _draw_lines(axes, drawing, is_cross)
        _draw_phrases(axes, drawing, paper.slips, phrases, inch)
        for style, place in zip(styles, drawing.at):
            middle = _card(axes, style, place, inch)
            _write(axes, middle, place[1], style.words, 72 * inch, zorder=6)
        if title:
            _write(axes, width / 2, -head + 0.9, title, large * 72 * inch, va="top")
        _draw_legend(axes, legend, (width - legend_width) / 2, height + foot / 2, inch)
    return figure


def _write(axes: "Axes", x: float, y: float, words: str, size: float, **style: Any) -> None:
    """Write *words* with their middle at a point, unless *style* says otherwise."""
    from coursekit.figures import INK

    usual: dict[str, Any] = {"ha": "center", "va": "center", "color": INK, "parse_math": False}
    axes.text(x, y, words, fontsize=size, **usual | style)


def _draw_lines(axes: "Axes", drawing: "Drawing", is_cross: Sequence[bool]) -> None:
    """Draw a line with the head of an arrow for each relation; cross-links are dashed."""
    from matplotlib.collections import LineCollection, PolyCollection

    from coursekit.figures import INK

    colours = [CROSS if cross else INK for cross in is_cross]
    dashes = ["--" if cross else "-" for cross in is_cross]
    shafts = [line[:-1] for line in drawing.lines]
    heads = [_head(line) for line in drawing.lines]
    axes.add_collection(LineCollection(shafts, colors=colours, linestyles=dashes, linewidths=1.4))
    axes.add_collection(PolyCollection(heads, facecolors=colours, zorder=2))


def _draw_phrases(
    axes: "Axes", drawing: "Drawing", sizes: Array, phrases: Sequence[str], inch: float
) -> None:
    """Draw the linking phrases on slips of white paper."""
    from matplotlib.collections import PolyCollection

    slips = [row for row in zip(phrases, drawing.slips, sizes) if row[0]]
    corners = [_corners(place, size) for _, place, size in slips]
    axes.add_collection(PolyCollection(corners, facecolors="white", zorder=3))
    for phrase, place, _ in slips:
        _write(axes, float(place[0]), float(place[1]), phrase, SMALL * 72 * inch, zorder=4)


def _draw_legend(
    axes: "Axes", legend: "Sequence[LegendEntry]", left: float, middle: float, inch: float
) -> None:
    """Draw the legend from *left* to right."""
    import numpy as np

    for sign, wide, words in legend:
        if isinstance(sign, CardStyle):
            _card(axes, sign, np.array([left + 1, middle]), inch)
        else:
            ends = [left, left + 2.2]
            axes.plot(ends, [middle] * 2, sign, color=CROSS, linewidth=1.4, marker="")
        _write(axes, left + 2.7, middle, words, SMALL * 72 * inch, ha="left")
        left += wide + _size(words, 0, 0)[0]


class CardStyle(NamedTuple):
    """How a concept is drawn; lengths in letters."""

    words: str  # its label in lines
    size: tuple[float, float]
    what: str  # "top", "card", "example" or "other"
    card: bool
    band: str  # colour of the band of a card without a picture, "" for none
    art: "Art | None"


def _style(concept: Concept, is_top: bool, language: str) -> CardStyle:
    """Return how a concept is drawn."""
    card = find_card(concept.card, language) if concept.card else None
    art = None
    if card and card.symbol:
        art = card_art(concept.card.partition("/")[0], card.symbol, card.tone)
    words = break_lines(concept.label, PICTURED_WIDTH if art else LABEL_WIDTH)
    wide, high = _size(words, 1.2, 0.8)
    band = tone_colours(card.tone)["mid"] if card and not art else ""
    if art:
        high = max(high, TALL)
        wide += _width(art, high)
    if band:
        wide += 0.4
    what = "other"
    if is_top:
        what = "top"
    elif concept.card:
        what = "card"
    elif concept.kind == EXAMPLE:
        what = "example"
    return CardStyle(words, (wide, high), what, bool(concept.card), band, art)


def _width(art: "Art", high: float) -> float:
    """Return the width of a picture on a card *high* letters high."""
    return (high - 2 * EDGE) * art.size[0] / art.size[1]


def _card(axes: "Axes", style: CardStyle, place: Array, inch: float) -> float:
    """Draw a card without its words, and return where across their middle is.

    :param inch: inches of a letter.
    """
    wide, high = style.size
    left = float(place[0]) - wide / 2
    top = float(place[1]) - high / 2
    ground, edge, thick = GROUNDS[style.what]
    radius = high / 2 if style.what == "example" else 0.5
    _rounded(axes, (left, top), (wide, high), radius, fc=ground, ec=edge, lw=thick)
    if style.band:
        band_at = (left + 0.15, top + 0.25)
        _rounded(axes, band_at, (0.35, high - 0.5), 0.15, fc=style.band, ec="none")
        return left + wide / 2 + 0.2
    if style.art is None:
        return left + wide / 2
    _draw_art(axes, style.art, (left + EDGE, top + EDGE), high, inch)
    return left + (EDGE + _width(style.art, high) + wide) / 2


def _rounded(
    axes: "Axes",
    corner: tuple[float, float],
    size: tuple[float, float],
    radius: float,
    **style: Any,
) -> "FancyBboxPatch":
    """Draw a box with round corners."""
    from matplotlib.patches import FancyBboxPatch

    shape = f"round,pad=0,rounding_size={radius}"
    box = FancyBboxPatch(corner, *size, shape, zorder=5, **style)
    axes.add_patch(box)
    return box


def _draw_art(
    axes: "Axes", art: "Art", corner: tuple[float, float], high: float, inch: float
) -> None:
    """Draw the picture of a card *high* letters high."""
    from matplotlib.colors import to_rgba
    from matplotlib.patches import PathPatch
    from matplotlib.transforms import Affine2D

    from coursekit.figures import KEPT

    inner = high - 2 * EDGE
    scale = inner / art.size[1]
    gid = f"{KEPT}{len(axes.patches)}"
    size = (_width(art, high), inner)
    ground = _rounded(axes, corner, size, 0.2, fc=art.ground, ec="#00000033", lw=0.6)
    ground.set_gid(gid)
    transform = Affine2D().scale(scale).translate(*corner)

    def paint(colour: str, opacity: float) -> tuple[float, ...]:
        if colour == "none":
            return (0.0, 0.0, 0.0, 0.0)
        return to_rgba(colour, to_rgba(colour)[3] * opacity)

    for shape in art.shapes:
        patch = PathPatch(
            shape.outline.transformed(transform),
            fc=paint(shape.fill, shape.opacity),
            ec=paint(shape.line, shape.opacity),
            joinstyle=shape.join,
            capstyle=shape.cap,
            lw=shape.wide * scale * inch * 72 if shape.line != "none" else 0,
            zorder=5,
        )
        patch.set_gid(f"{KEPT}{len(axes.patches)}")
        axes.add_patch(patch)
        patch.set_clip_path(ground)


def _title(focus: str, width: float) -> tuple[str, float]:
    """Return the question in lines that fit, and the size of its letters."""
    short = re.sub(r"([!-~]{40})(?=[!-~])", r"\1 ", focus)  # cuts endless words
    for large in (1.5, 1.0):
        lines = [break_lines(line, 0.94 * (width - 2) / large) for line in short.split("\n")]
        title = "\n".join(lines)
        if title.count("\n") < 3:
            break
    return title, large


LegendEntry = tuple[CardStyle | str, float, str]
"""Sign, width of the sign and of the space around its words, words."""


def _legend(styles: Collection[CardStyle], has_cross: bool, language: str) -> list[LegendEntry]:
    """Return what the legend explains."""
    present = {style.what for style in styles}
    if any(style.card for style in styles):
        present.add("card")
    # Where nothing but other concepts stands beside the top, these need no word.
    explained = list(GROUNDS) if present & {"card", "example"} else ["top"]
    entries: list[LegendEntry] = []
    for what in explained:
        if what in present:
            sign = CardStyle("", (2.0, 1.3), what, False, "", None)
            entries.append((sign, 4.6, text(f"map.legend.{what}", language)))
    if has_cross:
        entries.append(("--", 4.6, text("map.legend.cross", language)))
    return entries


class Drawing(NamedTuple):
    """Where everything of a map stands; lengths in letters."""

    at: Array  # the middle of each card
    lines: Sequence[Array]  # the points of each, from card to card
    slips: Sequence[Array]  # the middle of each phrase
    boxes: Array  # corners of all cards and phrases
    touching: float  # how far phrases lie on things, and how much of the lines runs through cards

    def on_paper(self, least: float) -> tuple["Drawing", tuple[float, float]]:
        """Return this drawing measured from the corner of its paper, and the paper's size.

        :param least: width of the paper at least.
        """
        import numpy as np

        points = np.concatenate([self.boxes, *self.lines])
        wide, high = np.ptp(points, 0) + 2 * MARGIN
        low = points.min(0) - MARGIN - (max(0.0, least - wide) / 2, 0.0)
        moved = self._replace(
            at=self.at - low,
            lines=[line - low for line in self.lines],
            slips=[slip - low for slip in self.slips],
        )
        return moved, (float(max(wide, least)), float(high))


def _fit(paper: Paper, places: Places, has_phrase: Sequence[bool]) -> Drawing:
    """Return the cards as close together as they and the phrases between them allow.

    :param has_phrase: which lines have a phrase.
    """
    at = paper.push_apart(paper.points(places))
    right = (at + paper.cards / 2).max(0, initial=0)[0]
    left = (at - paper.cards / 2).min(0, initial=WINDOW[0])[0]
    for_cards, for_phrases = paper.stretch(at)
    most = max(for_cards, 1.0, PAGE / max(1.0, float(right - left)))
    times = max(for_cards, min(for_phrases, most))
    best = _connect(paper, times * at, has_phrase)
    while best.touching and times < most:
        times = min(1.2 * times, most)
        wider = _connect(paper, times * at, has_phrase)
        if wider.touching < best.touching:
            best = wider
    return best


def _connect(paper: Paper, at: Array, has_phrase: Sequence[bool]) -> Drawing:
    """Return the line between each two related cards *at* these points, and where its phrase is.

    A line bends, and its phrase moves along it, until the line runs through no card and the phrase
    lies on nothing. Short lines leave least choice and come first.
    """
    import numpy as np

    ways = at[paper.ends[:, 1]] - at[paper.ends[:, 0]]
    fan = paper.fan_out(at).fan
    longs = np.maximum(np.hypot(ways[:, 0], ways[:, 1]), 1e-6)
    lines: dict[int, Array] = {}
    slips: dict[int, Array] = {}
    taken = [*at]
    sizes = [*paper.cards]
    touching = 0.0
    for number in np.argsort(longs, kind="stable").tolist():
        first, last = paper.ends[number]
        size = paper.slips[number]
        long = longs[number]
        own = [first, last]
        others = np.delete(np.arange(len(at)), own)
        sized = np.tile(size, (len(ALONG), 1))
        least = np.inf
        wrong = 0.0
        for bend in sorted({*(long * share for share in BENDS), *BULGES}, key=abs):
            if 0.2 * abs(bend) >= least:
                break
            curve = _curve(at[first], ways[number], (fan[number] + bend) / long)
            line = _seen(curve, at[own], paper.cards[own])
            where = line[[round(share * (len(line) - 1)) for share in ALONG]]
            through = _within(line, at[others], paper.cards[others] / 2 + 0.2).sum()
            lack = 0.5 * through + np.zeros(len(ALONG))
            if has_phrase[number]:
                upon = overlaps(where[None], sized, np.array(taken)[None], np.array(sizes))[0]
                lack += 5 * upon.sum(1) + 2 * (upon > 0).sum(1)
            costs = lack + 0.2 * abs(bend) + 0.05 * np.arange(len(ALONG))
            best = int(np.argmin(costs))
            if costs[best] < least:
                least = costs[best]
                wrong = lack[best]
                lines[number] = line
                slips[number] = where[best]
        touching += wrong
        if has_phrase[number]:
            taken.append(slips[number])
            sizes.append(size)
    corners = [_corners(place, size) for place, size in zip(taken, sizes)]
    boxes = np.concatenate(corners) if corners else np.zeros((1, 2))
    numbers = range(len(longs))
    in_order = [lines[number] for number in numbers]
    slips_in_order = [slips[number] for number in numbers]
    return Drawing(at, in_order, slips_in_order, boxes, float(touching))


def _curve(start: Array, way: Array, bend: float) -> Array:
    """Return the points of a line from *start*.

    Its middle is *bend* times its length beside the straight line.
    """
    import numpy as np

    steps = np.linspace(0, 1, SAMPLES)[:, None]
    curve: Array = (
        start + steps * way + 4 * steps * (1 - steps) * bend * np.array([way[1], -way[0]])
    )
    return curve


def _seen(line: Array, middles: Array, sizes: Array) -> Array:
    """Return the part of *line* that the cards at its ends do not hide.

    If they hide all of it, it is its middle.
    """
    import numpy as np

    seen = np.flatnonzero(~_within(line, middles, sizes / 2).any(1))
    return line[seen] if len(seen) > 2 else line[SAMPLES // 2 - 1 : SAMPLES // 2 + 2]


def _within(points: Array, middles: Array, halves: Array) -> Array:
    """Return which of *points* lie in which of several boxes."""
    import numpy as np

    away = np.abs(points[:, None] - middles) < halves
    within: Array = away[..., 0] & away[..., 1]
    return within


def _head(line: Array) -> Array:
    """Return the head of the arrow at the end of *line*."""
    import numpy as np

    tip = line[-1]
    way = tip - line[-2]
    along = 0.75 * way / max(1e-6, float(np.hypot(*way)))
    beside = 0.45 * np.array([along[1], -along[0]])
    head: Array = np.array([tip, tip - along + beside, tip - along - beside])
    return head


def _corners(place: Array, size: Array) -> Array:
    corners: Array = place + size / 2 * [[-1, -1], [1, -1], [1, 1], [-1, 1]]
    return corners


def _size(words: str, wide: float, high: float) -> tuple[float, float]:
    """Return the width and height of *words* in letters, in the kit's font, with space around."""
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
    able = [font for font in fonts if font.get_char_index(ord(letter))]
    font = able[0] if able else fonts[-1]
    index = font.get_char_index(ord(letter))  # 0 for a letter that is missing
    glyph = font.load_glyph(index, flags=LoadFlags.NO_SCALE)
    return float(glyph.horiAdvance) / font.units_per_EM
