"""Figures as data: bars, points, lines and cells in panels, and one function that draws them.

A figure of one panel, in which two groups of bars lie on each other::

    groups = {"used": [3, 0], "left": [1, 2]}
    panel = Panel(stack_bars(groups), x=Axis("times"), y=Axis(names=["Ann", "Ben"], down=True))
    plot(panel, "Ann: used 3, left 1. Ben: …", "What was done", "en", height=2.5)
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from coursekit.figures.picture import HATCHES, INK, LINE, MARKERS, PALETTE, PAPER, Picture, picture
from coursekit.words.texts import join_words, text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis as DrawnAxis
    from matplotlib.figure import Figure

Numbers = Sequence[float]
Style = dict[str, Any]
"""Properties that matplotlib knows, beside or instead of those of a look."""


class Layer(Protocol):
    """One thing in a panel."""

    def draw(self, axes: "Axes") -> None: ...


@dataclass(slots=True)
class Bars:
    """A group of bars, one in each row; or upright ones, one in each column."""

    values: Numbers
    name: str = ""  # in the legend
    look: int = 0  # place of its colour in PALETTE and of its pattern in HATCHES
    start: Numbers | float = 0  # where each bar begins
    at: Numbers | None = None  # the row of each bar, 0, 1, … without
    width: float = 0.7
    labels: Sequence[str] = ()  # beyond the end of each bar
    upright: bool = False
    style: Style = field(default_factory=dict)

    def draw(self, axes: "Axes") -> None:
        look: Style = {
            "color": PALETTE[self.look],
            "hatch": HATCHES[self.look],
            "edgecolor": "white",
        }
        bars = (axes.bar if self.upright else axes.barh)(
            range(len(self.values)) if self.at is None else self.at,
            self.values,
            self.width,
            self.start,
            label=self.name or None,
            **look | self.style,
        )
        if self.labels:
            axes.bar_label(bars, self.labels, padding=3)


@dataclass(slots=True)
class Points:
    """A group of points, joined by a line if the style has a ``linestyle``."""

    x: Numbers
    y: Numbers
    name: str = ""  # in the legend
    look: int = 0  # place of its colour in PALETTE and of its mark in MARKERS
    error: Sequence[Numbers] | None = None  # length of a thin line (below, above) each point
    style: Style = field(default_factory=dict)

    def draw(self, axes: "Axes") -> None:
        look: Style = {"color": PALETTE[self.look], "marker": MARKERS[self.look], "linestyle": ""}
        look |= {"label": self.name or None} | self.style
        if self.error is None:
            axes.plot(self.x, self.y, **look)
        else:
            axes.errorbar(self.x, self.y, self.error, capsize=4, **look)


def segment(x: Numbers, y: Numbers, colour: str, width: float) -> Points:
    """Return a straight line between two points."""
    look = {"color": colour, "linewidth": width, "linestyle": "-", "marker": ""}
    return Points(x, y, style=look | {"solid_capstyle": "round"})


@dataclass(slots=True)
class Rule:
    """A straight line through the whole panel."""

    at: float
    upright: bool = False
    name: str = ""  # in the legend
    style: Style = field(default_factory=dict)

    def draw(self, axes: "Axes") -> None:
        look: Style = {"color": INK, "linewidth": 1.2, "marker": ""} | self.style
        (axes.axvline if self.upright else axes.axhline)(self.at, label=self.name or None, **look)


@dataclass(slots=True)
class Area:
    """What lies between two lines."""

    x: Numbers
    low: Numbers
    high: Numbers
    name: str = ""  # in the legend
    look: int = 3

    def draw(self, axes: "Axes") -> None:
        look: Style = {"color": PALETTE[self.look], "alpha": 0.55, "linewidth": 0}
        axes.fill_between(self.x, self.low, self.high, label=self.name or None, **look)


@dataclass(slots=True)
class Note:
    """Words at a point, moved away from it by some points of a printer."""

    words: str
    x: float
    y: float
    move: tuple[float, float] = (4, 0)
    style: Style = field(default_factory=dict)

    def draw(self, axes: "Axes") -> None:
        look: Style = {"va": "center", "color": INK, "annotation_clip": False} | self.style
        axes.annotate(self.words, (self.x, self.y), self.move, textcoords="offset points", **look)


@dataclass(slots=True)
class Cells:
    """Squares with words in them, each in a column x and a row y."""

    places: Sequence[tuple[int, int]]
    words: Sequence[str] = ()
    name: str = ""  # in the legend, which shows it even without a cell
    style: Style = field(default_factory=dict)  # of the squares
    font: Style = field(default_factory=dict)

    def draw(self, axes: "Axes") -> None:
        from matplotlib.patches import Rectangle

        look: Style = {"edgecolor": "white", "linewidth": 1.5} | self.style
        if self.name:
            outside = -9, -9
            axes.add_patch(Rectangle(outside, 0, 0, label=self.name, **look))
        for x, y in self.places:
            axes.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, **look))
        middle: Style = {"ha": "center", "va": "center", "color": INK, "zorder": 4} | self.font
        for (x, y), word in zip(self.places, self.words):
            axes.text(x, y, word, **middle)


@dataclass(slots=True)
class Axis:
    """What stands along one side of a panel; matplotlib chooses what is not said."""

    label: str = ""
    names: Sequence[str] | None = None  # of rows or columns 0, 1, …
    ticks: Numbers | None = None
    low: float | None = None
    high: float | None = None
    down: bool = False  # whether it counts from the top
    whole: bool = True  # whether its ticks are whole numbers
    most: int = 10  # most spaces between such ticks
    line: bool = True  # whether a line is drawn along it
    grid: bool = False  # whether lines run through the panel at its ticks
    unsigned: bool = False  # whether numbers below 0 are written without their sign


@dataclass(slots=True)
class Panel:
    """Layers on the same axes, the first ones below the others."""

    layers: Sequence[Layer]
    title: str = ""
    x: Axis = field(default_factory=Axis)
    y: Axis = field(default_factory=Axis)
    square: bool = False  # whether one unit is as long on both axes
    paper: str = PAPER  # colour behind the layers
    share: float = 1  # of the height, beside other panels in the column

    def draw(self, axes: "Axes") -> None:
        """Draw all layers, then the axes."""
        for layer in self.layers:
            layer.draw(axes)
        axes.set_facecolor(self.paper)
        axes.set_title(self.title, loc="left")
        axes.set(xlabel=self.x.label, ylabel=self.y.label)
        _draw_axis(axes, axes.xaxis, "x", self.x)
        _draw_axis(axes, axes.yaxis, "y", self.y)
        axes.set_aspect("equal" if self.square else "auto")


def _draw_axis(axes: "Axes", drawn: "DrawnAxis", which: str, axis: Axis) -> None:
    from matplotlib.ticker import MaxNLocator

    if axis.names is not None:
        drawn.set_ticks(range(len(axis.names)), axis.names)
    elif axis.ticks is not None:
        drawn.set_ticks(axis.ticks)
    elif axis.whole:
        drawn.set_major_locator(MaxNLocator(axis.most, integer=True))
    if (axis.low, axis.high) != (None, None):
        axes.set(**{f"{which}lim": (axis.low, axis.high)})
    if axis.down:
        drawn.set_inverted(True)
    if axis.unsigned:
        drawn.set_major_formatter(lambda value, _: f"{abs(value):g}")
    if axis.grid:
        axes.grid(axis="y" if which == "y" else "x", color=LINE)
    if not axis.line:
        axes.spines["left" if which == "y" else "bottom"].set_visible(False)
        drawn.set_tick_params(length=0)


def plot(
    panels: Panel | Sequence[Panel],
    alt: str,
    caption: str,
    language: str,
    height: float = 3.4,
    columns: int = 1,
    legend: int = 2,
    x: str = "",
    y: str = "",
) -> Picture:
    """Return a picture of a panel, or of several below each other or in columns.

    :param alt: what it shows, in words.
    :param height: of the whole picture in inches; it is 5.6 wide.
    :param legend: the number of its columns; it stands above the panels if a layer has a name; with
        0 inside the last one.
    :param x: label of all panels together.
    """
    shown = [panels] if isinstance(panels, Panel) else panels
    draw = partial(draw_panels, shown, height, columns, legend, x, y)
    return picture(draw, alt, caption, language)


def draw_panels(
    panels: Sequence[Panel],
    height: float = 3.4,
    columns: int = 1,
    legend: int = 2,
    x: str = "",
    y: str = "",
) -> "Figure":
    """Draw *panels*; see :func:`plot`."""
    from matplotlib import pyplot

    lines = -(-len(panels) // columns)
    shares = [panel.share for panel in panels[::columns]]
    figure, grid = pyplot.subplots(
        lines, columns, squeeze=False, figsize=(5.6, height), height_ratios=shares
    )
    keys: dict[str, Any] = {}
    for axes, panel in zip(grid.flat, panels):
        panel.draw(axes)
        handles, labels = axes.get_legend_handles_labels()
        keys |= dict(zip(labels, handles))
    for axes in grid.flat[len(panels) :]:
        axes.set_visible(False)
    if keys and not legend:
        axes.legend()
    elif keys:
        figure.legend(keys.values(), keys.keys(), loc="outside upper center", ncols=legend)
    if x or y:
        figure.supxlabel(x, fontsize=13)
        figure.supylabel(y, fontsize=13)
    return figure


def stack_bars(groups: Mapping[str, Numbers], width: float = 0.7) -> list[Bars]:
    """Return groups of bars, each of which begins where those before it end.

    :param groups: name of the group -> a number for each row.
    """
    bars: list[Bars] = []
    ends: list[float] = []
    for look, (name, values) in enumerate(groups.items()):
        start = ends or [0.0] * len(values)
        bars.append(Bars(values, name, look, start, width=width))
        ends = [begin + value for begin, value in zip(start, values, strict=True)]
    return bars


def compare_bars(
    groups: Mapping[str, Numbers], labels: str = "g", width: float = 0.8
) -> list[Bars]:
    """Return groups of bars, one below the other in each row, with their numbers.

    :param groups: name of the group -> a number for each row.
    :param labels: the format of the numbers.
    :param width: of all bars of a row together.
    """
    bars = []
    high = width / len(groups)
    for look, (name, values) in enumerate(groups.items()):
        first = high * (look - (len(groups) - 1) / 2)
        at = [row + first for row in range(len(values))]
        numbers = [format(value, labels) for value in values]
        bars.append(Bars(values, name, look, at=at, width=high, labels=numbers))
    return bars


def bars(
    rows: Sequence[str],
    groups: Mapping[str, Numbers],
    x: str,
    language: str,
    caption: str = "",
    together: bool = True,
) -> Picture:
    """Return a picture of lying bars, with their numbers in the alternative text.

    :param groups: name of the group -> a number for each of *rows*.
    :param x: what is counted, the label of the axis.
    :param together: whether the groups of a row are stacked in one bar, instead of one below the
        other.
    """
    sentences = []
    for row, *values in zip(rows, *groups.values(), strict=True):
        numbers = [
            text("figure.part", language, name=name, number=f"{value:g}")
            for name, value in zip(groups, values)
        ]
        sentences.append(
            text("figure.row", language, row=row, numbers=join_words(numbers, language))
        )
    if together:
        layers: list[Layer] = [*stack_bars(groups, 0.66)]
        ends = [sum(values) for values in zip(*groups.values())]
        layers += [Note(f"{end:g}", end, row) for row, end in enumerate(ends)]
        height = max(0.42 * len(rows), 0.7)
    else:
        layers = [*compare_bars(groups)]
        ends = [value for values in groups.values() for value in values]
        height = 0.3 * len(rows) * len(groups)
    panel = Panel(
        layers,
        x=Axis(x, low=0, high=1.1 * max([1.0, *ends]), most=5),
        y=Axis(names=rows, low=len(rows) - 0.5, high=-0.5),
    )
    alt = " ".join(filter(None, [caption, *sentences]))
    return plot(panel, alt, caption, language, 1.7 + height)
