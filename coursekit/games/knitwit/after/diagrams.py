"""Diagrams of a design of Knit Wit: on the table, and as a lattice of sets."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from coursekit.core.game import sentence
from coursekit.figures import INK, LINE, PAPER, Picture, picture
from coursekit.games.knitwit.after import design_sets
from coursekit.games.knitwit.after.design_sets import name_label
from coursekit.games.knitwit.after.layered_drawing import Box, Edge, Place, layered
from coursekit.games.knitwit.rules.game import KnitWit
from coursekit.games.knitwit.rules.geometry import HEIGHT, RADIUS, WIDTH, Point, box
from coursekit.games.knitwit.rules.lexicon import Pack
from coursekit.games.knitwit.rules.loop_design import outward_way
from coursekit.games.knitwit.rules.state import NO_TAG, Observation, loops_around
from coursekit.words.language import current_language
from coursekit.words.texts import game_text, join_words

if TYPE_CHECKING:
    import networkx as nx
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from coursekit.core.match import Match

STRINGS: tuple[tuple[str, Any], ...] = (
    ("#c0392b", "-"),
    ("#2a6fb0", (0, (7, 2))),
    ("#d9a400", (0, (2, 1.2))),
    ("#2f8a4c", (0, (9, 2, 2, 2))),
    ("#7a4fa3", (0, (4, 2))),
    ("#e07b39", (0, (9, 1, 1, 1, 1, 1))),
    ("#d6679b", (0, (12, 3))),
    ("#7a5a3a", (0, (1, 1))),
)
"""Colour and dashes of each loop, in the order of laying."""
INCHES, POINTS = 4.6, 12
"""Width of a design, and size of the letters on its tags in points."""
WOOD = "#f0e0bd"
"""Colour of spools."""
EIGHTH = complex(0.5**0.5, 0.5**0.5)
"""An eighth of a full turn."""
EM, LEADING = 0.139, 0.18
"""Width of a letter and height of a line in the boxes of a lattice, in inches, for letters of 10
points.
"""


def _word(name: str, language: str, /, **values: Any) -> str:
    return game_text("knitwit", f"figure.{name}", language, **values)


# The design


def venn(
    obs: Observation, pack: Pack, language: str | None = None, spool: int | None = None
) -> Picture:
    """Return a picture of a design on the table: loops with their tags, and spools.

    :param spool: number of the spool whose loops stand out; ``None`` for all alike.
    """
    language = language or current_language()

    def draw() -> "Figure":
        window = _window(obs)
        figure, axes = _canvas(window)
        _draw_design(axes, obs, pack, language, window, spool)
        return figure

    sentences = []
    for (number, _, _), loops in sorted(zip(obs.spools, obs.around)):
        if spool in (None, number):
            words = name_label(obs, pack, loops, language)
            values = {"number": number, "words": words, "points": len(loops)}
            sentences.append(_word("venn.spool", language, **values))
    words = " ".join(sentences)
    return picture(draw, words, words, language)


def try_loop(match: "Match", stroke: Sequence[Point], language: str | None = None) -> Picture:
    """Return a picture of the loop that *stroke* would make in *match*.

    The caption tells what the rules say to it.
    """
    language = language or current_language()
    game = match.game
    assert isinstance(game, KnitWit)
    obs = game.observe(match.state, None)
    refusal = game.refusal(match.state, obs.turn, ("loop", tuple(stroke)))
    words = _word("tried.legal", language) if refusal is None else sentence(game, refusal, language)

    def draw() -> "Figure":
        from matplotlib.patches import Polygon, Rectangle

        window = (-8, -8, WIDTH + 8, HEIGHT + 8)
        figure, axes = _canvas(window)
        axes.add_patch(Rectangle((0, 0), WIDTH, HEIGHT, facecolor="none", edgecolor=LINE))
        _draw_design(axes, obs, game.pack, language, window)
        dashes = "-" if refusal is None else ":"
        outline = Polygon(stroke, fill=False, edgecolor=INK, linewidth=2.6, linestyle=dashes)
        axes.add_patch(outline)
        return figure

    return picture(draw, words, words, language)


def _canvas(window: Box) -> "tuple[Figure, Axes]":
    """Return a figure that shows just this part of the table."""
    from matplotlib import pyplot

    left, top, right, bottom = window
    size = INCHES, INCHES * (bottom - top) / (right - left)
    figure, axes = pyplot.subplots(figsize=size, layout="none")
    axes.set_position((0, 0, 1, 1))
    axes.set(xlim=(left, right), ylim=(bottom, top))
    axes.set_axis_off()
    return figure, axes


def _draw_design(
    axes: "Axes", obs: Observation, pack: Pack, language: str, window: Box, spool: int | None = None
) -> None:
    """Draw loops, spools, and the tags, each with a line to its pin."""
    from matplotlib.patches import Circle, Polygon
    from matplotlib.patheffects import withStroke

    strong = range(len(obs.loops)) if spool is None else loops_around(obs, spool)
    for loop, corners in enumerate(obs.loops):
        colour, dashes = STRINGS[loop]
        inside, string = (0.13, 1) if loop in strong else (0.03, 0.3)
        look = {"edgecolor": colour, "linewidth": 2.6, "linestyle": dashes, "alpha": string}
        axes.add_patch(Polygon(corners, facecolor=colour, alpha=inside))
        axes.add_patch(Polygon(corners, fill=False, **look))
    for number, x, y in obs.spools:
        look = {"facecolor": WOOD, "edgecolor": INK, "linewidth": 1.2, "zorder": 4}
        axes.add_patch(Circle((x, y), RADIUS, alpha=1 if spool in (None, number) else 0.5, **look))
        axes.text(x, y, str(number), ha="center", va="center", fontsize=11, zorder=5)
    for loop, (left, top, right, bottom), words in _tags(obs, pack, language, window):
        middle = (left + right) / 2, (top + bottom) / 2
        axes.plot(*zip(obs.pins[loop], middle), color=INK, linewidth=1, marker="", zorder=5)
        paper = {
            "facecolor": "#fffaf0",
            "edgecolor": STRINGS[loop][0],
            "linewidth": 1.6,
            "pad": 2.4,
        }
        axes.text(
            *middle,
            words,
            ha="center",
            va="center",
            fontsize=POINTS,
            zorder=6,
            alpha=1 if loop in strong else 0.5,
            path_effects=[withStroke(linewidth=3, foreground=PAPER)],
            bbox=paper,
        )


def _window(obs: Observation) -> Box:
    """Return the part of the table to draw: the loops, with room for tags around them."""
    corners = [corner for loop in obs.loops for corner in loop] or [(0, 0), (WIDTH, HEIGHT)]
    left, top, right, bottom = map(float, box(corners))
    across: float = max(1.35 * (right - left), 1.1 * (bottom - top), 100)
    down = max(bottom - top + 0.2 * across, 0.5 * across)
    x, y = (left + right) / 2, (top + bottom) / 2
    return x - across / 2, y - down / 2, x + across / 2, y + down / 2


def _tags(
    obs: Observation, pack: Pack, language: str, window: Box
) -> Iterator[tuple[int, Box, str]]:
    """Yield each loop that has a tag, with the box of its words and the words.

    The box lies outward from the pin, where it covers least.
    """
    em = POINTS / 72 * (window[2] - window[0]) / INCHES  # of the letters, in units of the table
    taken: list[Box] = [(x - RADIUS, y - RADIUS, x + RADIUS, y + RADIUS) for _, x, y in obs.spools]
    for loop, pin in enumerate(obs.pins):
        if obs.tags[loop] == NO_TAG:
            continue
        words = pack.tags[obs.tags[loop]].word(language)
        half = em * (0.5 + _ems(words) / 2), em
        way = complex(*outward_way(obs.loops[loop], pin))
        way /= max(1, abs(way))
        boxes = [
            _tag_box(pin, way * EIGHTH**turn, half, far * em, window)
            for far in (0.4, 1.5, 3, 5, 8)
            for turn in (0, 1, -1, 2, -2, 3, -3, 4)
        ]
        freest = min(boxes, key=lambda box: sum(_overlap(box, other) for other in taken))
        taken.append(freest)
        yield loop, freest, words


def _tag_box(
    pin: tuple[int, int], way: complex, half: tuple[float, float], far: float, window: Box
) -> Box:
    """Return the box of a tag, *far* from its *pin* in the direction *way*, inside *window*."""
    reach = far + min(half[0] / max(1e-9, abs(way.real)), half[1] / max(1e-9, abs(way.imag)))
    x = min(max(pin[0] + reach * way.real, window[0] + half[0]), window[2] - half[0])
    y = min(max(pin[1] + reach * way.imag, window[1] + half[1]), window[3] - half[1])
    return x - half[0], y - half[1], x + half[0], y + half[1]


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


# The lattice


def lattice(
    obs: Observation,
    pack: Pack,
    language: str | None = None,
    words: design_sets.Words | None = None,
    *,
    spools_only: bool = True,
) -> Picture:
    """Return a picture of :func:`.design_sets.lattice`.

    Each column to the right has one more loop, and fewer words fit.
    """
    language = language or current_language()

    def draw() -> "Figure":
        return _draw_lattice(
            design_sets.lattice(obs, pack, language, words, spools_only=spools_only), language
        )

    rows = design_sets.lattice_rows(obs, pack, language, words, spools_only=spools_only)
    caption = _word("lattice.caption", language)
    sentences = [caption]
    for row in rows.values():
        if row["spools"]:
            values = {"label": row["label"], "count": row["count"]}
            spools = _join_spools(row, language)
            sentences.append(_word("lattice.each", language, spools=spools, **values))
    return picture(draw, " ".join(sentences), caption, language)


def _draw_lattice(graph: "nx.DiGraph[str]", language: str) -> "Figure":
    from matplotlib import pyplot
    from matplotlib.patches import FancyBboxPatch

    boxes, lines = layout(graph, language)
    heights = [y for line in lines.values() for _, y in line]
    left = min(west for west, _, _, _ in boxes.values())
    right = max(east for _, _, east, _ in boxes.values())
    top = min(heights + [north for _, north, _, _ in boxes.values()])
    bottom = max(heights + [south for _, _, _, south in boxes.values()])
    size = EM * (right - left + 1), LEADING * (bottom - top + 1)
    figure, axes = pyplot.subplots(figsize=size, layout="none")
    axes.set_position((0, 0, 1, 1))
    for line in lines.values():
        axes.plot(*zip(*line), color=INK, linewidth=1, marker="", zorder=1)
    for node, (west, north, east, south) in boxes.items():
        row = graph.nodes[node]
        rounded = FancyBboxPatch(
            (west, north),
            east - west,
            south - north,
            edgecolor=INK,
            facecolor=WOOD if row["spools"] else "white",
            boxstyle="round,pad=0,rounding_size=0.4",
        )
        axes.add_patch(rounded)
        axes.text(
            (west + east) / 2,
            (north + south) / 2,
            "\n".join(_lines(row, language)),
            ha="center",
            va="center",
            fontsize=10,
            linespacing=1.15,
            zorder=2,
        )
    axes.set(xlim=(left - 0.5, right + 0.5), ylim=(bottom + 0.5, top - 0.5))
    axes.set_axis_off()
    return figure


def layout(
    graph: "nx.DiGraph[str]", language: str
) -> tuple[dict[str, Box], dict[Edge, list[Place]]]:
    """Return the boxes and lines of a :func:`.design_sets.lattice`, in ems and lines.

    There is a column for each number of loops.
    """
    columns: dict[int, list[str]] = {}
    sizes = {}
    for node, row in graph.nodes(data=True):
        loops = 0 if node == design_sets.TABLE else 1 + node.count("+")
        columns.setdefault(loops, []).append(node)
        lines = _lines(row, language)
        sizes[node] = max(map(_ems, lines)) + 1.4, 1.15 * len(lines) + 0.5
    return layered([columns[loops] for loops in sorted(columns)], graph.edges, sizes)


def _ems(words: str) -> float:
    """Return the approximate width of *words*, in Chinese characters."""
    return sum(1 if ord(letter) > 0x2E7F else 0.58 for letter in words)


def _join_spools(row: dict[str, Any], language: str) -> str:
    """Return the numbers of the spools of a node."""
    return join_words(row["spools"].split(), language)


def _lines(row: dict[str, Any], language: str) -> list[str]:
    """Return the lines of words in a box of the lattice."""
    lines = [*row["label"].split(" ∩ "), _word("lattice.count", language, count=row["count"])]
    if row["spools"]:
        lines.append(_word("lattice.spools", language, numbers=_join_spools(row, language)))
    return lines
