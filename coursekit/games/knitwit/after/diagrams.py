"""Diagrams of a design of Knit Wit: on the table, and as a lattice of sets."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from coursekit.core.game import sentence
from coursekit.figures import INK, LINE, PAPER, Picture, picture
from coursekit.games.knitwit.after import design_sets
from coursekit.games.knitwit.after.layered_drawing import Box, Edge, Place, layered
from coursekit.games.knitwit.rules.design import outward
from coursekit.games.knitwit.rules.game import KnitWit
from coursekit.games.knitwit.rules.geometry import HEIGHT, RADIUS, WIDTH, Point, box
from coursekit.games.knitwit.rules.lexicon import Pack
from coursekit.games.knitwit.rules.state import NO_TAG, Observation
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
EIGHTH = complex(0.5**0.5, 0.5**0.5)
"""An eighth of a full turn."""
EM, LEADING = 0.139, 0.18
"""Width of a letter and height of a line in the boxes of a lattice, in inches, for letters of 10
points.
"""


def _word(id: str, language: str, **values: Any) -> str:
    return game_text("knitwit", f"figure.{id}", language, **values)


# The design


def venn(obs: Observation, pack: Pack, language: str, spool: int | None = None) -> Picture:
    """Return a picture of a design on the table: loops with their tags, and spools.

    :param spool: number of the spool whose loops stand out; ``None`` for all alike.
    """

    def draw() -> "Figure":
        figure, axes = _canvas(window := _window(obs))
        _draw(axes, obs, spool)
        _draw_tags(axes, obs, pack, language, window, spool)
        return figure

    told = [
        _spool(obs, pack, place, language)
        for place in _by_number(obs)
        if spool in (None, obs.spools[place][0])
    ]
    return picture(draw, " ".join(told), " ".join(told), language)


def tried(match: "Match", stroke: Sequence[Point], language: str) -> Picture:
    """Return a picture of the loop that *stroke* would make in *match*; the caption tells what the
    rules say to it.
    """
    game, state = match.game, match.state
    assert isinstance(game, KnitWit)
    obs = game.observe(state, None)
    refusal = game.refusal(state, obs.turn, ("loop", tuple(stroke)))
    words = _word("tried.legal", language) if refusal is None else sentence(game, refusal, language)

    def draw() -> "Figure":
        from matplotlib.patches import Polygon, Rectangle

        figure, axes = _canvas(window := (-8, -8, WIDTH + 8, HEIGHT + 8))
        axes.add_patch(Rectangle((0, 0), WIDTH, HEIGHT, facecolor="none", edgecolor=LINE))
        _draw(axes, obs)
        _draw_tags(axes, obs, game.pack, language, window)
        axes.add_patch(
            Polygon(
                stroke,
                fill=False,
                edgecolor=INK,
                linewidth=2.6,
                linestyle="-" if refusal is None else ":",
            )
        )
        return figure

    return picture(draw, words, words, language)


def _canvas(window: Box) -> "tuple[Figure, Axes]":
    """Return a figure that shows just this part of the table."""
    from matplotlib import pyplot

    left, top, right, bottom = window
    figure, axes = pyplot.subplots(
        figsize=(INCHES, INCHES * (bottom - top) / (right - left)), layout="none"
    )
    axes.set_position((0, 0, 1, 1))
    axes.set(xlim=(left, right), ylim=(bottom, top))
    axes.set_axis_off()
    return figure, axes


def _lit(obs: Observation, spool: int | None) -> set[int]:
    """Return the loops around *spool*, all if it is ``None``."""
    around = zip(obs.spools, obs.around)
    return {loop for (number, _, _), loops in around if spool in (None, number) for loop in loops}


def _draw(axes: "Axes", obs: Observation, spool: int | None = None) -> None:
    """Draw loops and spools."""
    from matplotlib.patches import Circle, Polygon

    for loop, corners in enumerate(obs.loops):
        colour, dashes = STRINGS[loop]
        strong = loop in _lit(obs, spool) or spool is None
        axes.add_patch(Polygon(corners, facecolor=colour, alpha=0.13 if strong else 0.03))
        axes.add_patch(
            Polygon(
                corners,
                fill=False,
                edgecolor=colour,
                alpha=1 if strong else 0.3,
                linewidth=2.6,
                linestyle=dashes,
            )
        )
    for number, x, y in obs.spools:
        axes.add_patch(
            Circle(
                (x, y),
                RADIUS,
                facecolor="#f0e0bd",
                edgecolor=INK,
                linewidth=1.2,
                alpha=1 if spool in (None, number) else 0.5,
                zorder=4,
            )
        )
        axes.text(x, y, str(number), ha="center", va="center", fontsize=11, zorder=5)


def _draw_tags(
    axes: "Axes", obs: Observation, pack: Pack, language: str, window: Box, spool: int | None = None
) -> None:
    """Draw the tags, each with a line to its pin."""
    from matplotlib.patheffects import withStroke

    for loop, (left, top, right, bottom), words in _tags(obs, pack, language, window):
        middle = (left + right) / 2, (top + bottom) / 2
        axes.plot(*zip(obs.pins[loop], middle), color=INK, linewidth=1, marker="", zorder=5)
        axes.text(
            *middle,
            words,
            ha="center",
            va="center",
            fontsize=POINTS,
            zorder=6,
            alpha=1 if spool is None or loop in _lit(obs, spool) else 0.5,
            path_effects=[withStroke(linewidth=3, foreground=PAPER)],
            bbox={
                "facecolor": "#fffaf0",
                "edgecolor": STRINGS[loop][0],
                "linewidth": 1.6,
                "pad": 2.4,
            },
        )


def _window(obs: Observation) -> Box:
    """Return the part of the table to draw: the loops, with room for tags around them."""
    corners = [corner for loop in obs.loops for corner in loop] or [(0, 0), (WIDTH, HEIGHT)]
    left, top, right, bottom = map(float, box(corners))
    across: float = max(1.35 * (right - left), 1.1 * (bottom - top), 100)
    down = max(bottom - top + 0.2 * across, 0.5 * across)
    x, y = (left + right) / 2, (top + bottom) / 2
    return x - across / 2, y - down / 2, x + across / 2, y + down / 2


def _by_number(obs: Observation) -> list[int]:
    """Return the places of the spools in ``obs.spools``, ordered by their numbers."""
    return sorted(range(len(obs.spools)), key=lambda place: obs.spools[place][0])


def _spool(obs: Observation, pack: Pack, place: int, language: str) -> str:
    loops = obs.around[place]
    return _word(
        "venn.spool",
        language,
        number=obs.spools[place][0],
        words=design_sets.named(obs, pack, loops, language),
        points=len(loops),
    )


def _tags(
    obs: Observation, pack: Pack, language: str, window: Box
) -> Iterator[tuple[int, Box, str]]:
    """Yield for each loop with a tag the box of its words: outward from the pin, clear of what is
    there.
    """
    em = POINTS / 72 * (window[2] - window[0]) / INCHES  # of the letters, in units of the table
    taken: list[Box] = [(x - RADIUS, y - RADIUS, x + RADIUS, y + RADIUS) for _, x, y in obs.spools]
    for loop, pin in enumerate(obs.pins):
        if obs.tags[loop] == NO_TAG:
            continue
        words = pack.tags[obs.tags[loop]].names[language]
        half = em * (0.5 + _ems(words) / 2), em
        dx, dy = outward(obs.loops[loop], pin)
        way = complex(dx, dy) / max(1, abs(complex(dx, dy)))
        found = [
            _tag_box(pin, way * EIGHTH**turn, half, far * em, window)
            for far in (0.4, 1.5, 3, 5, 8)
            for turn in (0, 1, -1, 2, -2, 3, -3, 4)
        ]
        free = min(found, key=lambda each: sum(_overlap(each, other) for other in taken))
        taken.append(free)
        yield loop, free, words


def _tag_box(
    pin: tuple[int, int], way: complex, half: tuple[float, float], far: float, window: Box
) -> Box:
    """Return the box of a tag whose near side is *far* from its *pin* in the direction *way*,
    inside *window*.
    """
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
    language: str,
    words: design_sets.Words | None = None,
    *,
    spools_only: bool = True,
) -> Picture:
    """Return a picture of :func:`.design_sets.lattice`: each column to the right has one more loop,
    and fewer words fit.
    """

    def draw() -> "Figure":
        from matplotlib import pyplot
        from matplotlib.patches import FancyBboxPatch

        graph = design_sets.lattice(obs, pack, language, words, spools_only=spools_only)
        boxes, lines = layout(graph, language)
        points = [point for line in lines.values() for point in line]
        left, right = (
            min(west for west, *_ in boxes.values()),
            max(east for _, _, east, _ in boxes.values()),
        )
        top = min([north for _, north, _, _ in boxes.values()] + [y for _, y in points])
        bottom = max([south for *_, south in boxes.values()] + [y for _, y in points])
        figure, axes = pyplot.subplots(
            figsize=(EM * (right - left + 1), LEADING * (bottom - top + 1)), layout="none"
        )
        axes.set_position((0, 0, 1, 1))
        for line in lines.values():
            axes.plot(*zip(*line), color=INK, linewidth=1, marker="", zorder=1)
        for node, (west, north, east, south) in boxes.items():
            row = graph.nodes[node]
            axes.add_patch(
                FancyBboxPatch(
                    (west, north),
                    east - west,
                    south - north,
                    edgecolor=INK,
                    facecolor="#f0e0bd" if row["spools"] else "white",
                    boxstyle="round,pad=0,rounding_size=0.4",
                )
            )
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

    told = [
        _word(
            "lattice.each",
            language,
            label=row["label"],
            spools=_listed(row, language),
            count=row["count"],
        )
        for row in design_sets.nodes(obs, pack, language, words, spools_only=spools_only).values()
        if row["spools"]
    ]
    caption = _word("lattice.caption", language)
    return picture(draw, " ".join([caption, *told]), caption, language)


def layout(
    graph: "nx.DiGraph[str]", language: str
) -> tuple[dict[str, Box], dict[Edge, list[Place]]]:
    """Return the boxes and lines of a :func:`.design_sets.lattice`, in ems and lines; a column for
    each number of loops.
    """
    texts = {node: _lines(row, language) for node, row in graph.nodes(data=True)}
    columns: dict[int, list[str]] = {}
    for node in graph:
        columns.setdefault(0 if node == design_sets.TABLE else 1 + node.count("+"), []).append(node)
    sizes = {
        node: (max(map(_ems, lines)) + 1.4, 1.15 * len(lines) + 0.5)
        for node, lines in texts.items()
    }
    return layered([columns[loops] for loops in sorted(columns)], graph.edges, sizes)


def _ems(words: str) -> float:
    """Return the approximate width of *words*, in Chinese characters."""
    return sum(1 if ord(letter) > 0x2E7F else 0.58 for letter in words)


def _listed(row: dict[str, Any], language: str) -> str:
    """Return the numbers of the spools of a node."""
    return join_words(row["spools"].split(), language)


def _lines(row: dict[str, Any], language: str) -> list[str]:
    """Return the lines of words in a box of the lattice."""
    lines = [*row["label"].split(" ∩ "), _word("lattice.count", language, count=row["count"])]
    return lines + (
        [_word("lattice.spools", language, numbers=_listed(row, language))] if row["spools"] else []
    )
