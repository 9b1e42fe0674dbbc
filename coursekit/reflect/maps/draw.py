"""A drawing of a mind map for a page or a report."""

import io
import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from coursekit.reflect.maps.layout import layout
from coursekit.reflect.maps.mindmap import MindMap
from coursekit.reflect.maps.parts import SIDE
from coursekit.reflect.maps.study import hierarchy
from coursekit.texts import text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from coursekit.figures import Picture

SHAPE = 0.8
"""Height of a drawing, of its width."""
WIDE = 12
"""Width of a line of a label, in Chinese characters; a Latin letter is about half of one."""
ALONG = (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74)
"""Where on its line a linking phrase may stand, the best place first."""


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
    """Return *map* as a matplotlib figure."""
    from matplotlib import pyplot

    from coursekit.figures import INK, PALETTE, figure_style

    places, tree, relations = layout(map, keep=True), hierarchy(map), map.relations
    side = max(5.6, min(20.0, 1.9 * len(places) ** 0.5))
    common: Any = {"ha": "center", "va": "center", "color": INK, "parse_math": False}
    with figure_style(language):
        made = pyplot.figure(figsize=(side, SHAPE * side), layout="none")  # nothing to make room for
        axes = made.add_axes((0, 0, 1, 1))
        axes.set(xlim=(0, SIDE), ylim=(SIDE, 0))
        axes.set_axis_off()
        boxes = {}
        for id, concept in map.concepts.items():
            ground = PALETTE[3] if id == tree.top else "#f0e8d8"
            look: Any = {"boxstyle": "round,pad=0.35", "edgecolor": INK, "facecolor": ground}
            boxes[id] = axes.annotate(wrapped(concept.label), places[id], bbox=look, zorder=3, fontsize=11, **common)
        taken: list[Space] = [box.get_window_extent().extents for box in boxes.values()]
        for id, bend in _bends(map).items():
            each, cross = relations[id], id in tree.cross_links
            start, end = places[each.start], places[each.end]
            style: Any = {
                "arrowstyle": "-|>", "color": PALETTE[1] if cross else PALETTE[0], "linewidth": 1.4,
                "linestyle": "--" if cross else "-", "shrinkA": 0, "shrinkB": 0,
                "patchA": boxes[each.start].get_bbox_patch(), "patchB": boxes[each.end].get_bbox_patch(),
                "connectionstyle": f"arc3,rad={bend}",
            }  # fmt: skip
            axes.annotate("", end, start, arrowprops=style, zorder=1)
            if each.phrase:
                paper: Any = {"facecolor": "white", "edgecolor": "none", "pad": 1, "alpha": 0.9}
                words = axes.annotate(wrapped(each.phrase), start, bbox=paper, zorder=2, fontsize=9.5, **common)
                taken.append(_put(words, start, end, bend, taken))
    return made


def _bends(map: MindMap) -> dict[str, float]:
    """Return how much the line of each relation is bent, so that several between two concepts stand apart."""
    lines: dict[tuple[str, ...], list[str]] = {}
    relations = map.relations
    for id, each in relations.items():
        lines.setdefault(tuple(sorted((each.start, each.end))), []).append(id)
    bends = {}
    for pair, ids in lines.items():
        for number, id in enumerate(ids):
            bend = 0.5 * (number - (len(ids) - 1) / 2)
            bends[id] = bend if relations[id].start == pair[0] else -bend
    return bends


Space = tuple[float, float, float, float]
"""Left, low, right and high side of something drawn."""


def _put(words: Any, start: tuple[int, int], end: tuple[int, int], bend: float, taken: Sequence[Space]) -> Space:
    """Move *words* along their line to where they cover least of what is *taken*; return the space they take."""

    def at(share: float) -> Space:
        away = 2 * share * (1 - share) * bend
        across, down = end[0] - start[0], end[1] - start[1]
        words.set_position(
            (start[0] + share * across - away * SHAPE * down, start[1] + share * down + away / SHAPE * across)
        )
        space: Space = words.get_window_extent().extents
        return space

    return at(min(ALONG, key=lambda share: _covered(at(share), taken)))


def _covered(mine: Space, taken: Sequence[Space]) -> float:
    left, low, right, high = map(float, mine)
    both = ((min(right, r) - max(left, l), min(high, h) - max(low, b)) for l, b, r, h in taken)
    return sum(wide * tall for wide, tall in both if wide > 0 and tall > 0)


def wrapped(words: str, width: int = WIDE) -> str:
    """Return *words* in lines of about *width* Chinese characters, Latin words whole.

    >>> wrapped("中華民國憲法保障言論自由，也保障出版", 9)
    '中華民國憲法保障言\\n論自由，也保障出版'
    """
    lines, line, wide = [], "", 0.0
    for word in _pieces(words):
        size = sum(1.0 if unicodedata.east_asian_width(each) in "WF" else 0.55 for each in word)
        if line and wide + size > width and word not in "，。、；：！？」』）》 ":
            lines.append(line.rstrip())
            line, wide = "", 0.0
        line, wide = line + word, wide + size
    return "\n".join([*lines, line.rstrip()])


def _pieces(words: str) -> list[str]:
    """Return *words* cut where a line may end: before and after each wide character, and after spaces."""
    pieces = [""]
    for each in words:
        wide = unicodedata.east_asian_width(each) in "WF"
        if wide or pieces[-1][-1:] == " " or (pieces[-1] and unicodedata.east_asian_width(pieces[-1][-1]) in "WF"):
            pieces.append("")
        pieces[-1] += each
    return pieces
