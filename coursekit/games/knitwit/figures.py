"""Figures of Knit Wit: a design, its lattice, a class's answers, and matches by changed rules."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import fmean
from typing import TYPE_CHECKING, Any

from coursekit.games.knitwit import sets
from coursekit.games.knitwit.design import outward
from coursekit.games.knitwit.geometry import HEIGHT, RADIUS, WIDTH, Point, box
from coursekit.games.knitwit.history import CLASHED, COUNTED, REJECTED, by_loops, common, originality, sheets
from coursekit.games.knitwit.options import Options
from coursekit.games.knitwit.rules import KnitWit
from coursekit.games.knitwit.state import NO_TAG, Observation
from coursekit.games.knitwit.strategies import STRATEGIES, Wordsmith, speaking
from coursekit.games.knitwit.words import Pack
from coursekit.match import play_out
from coursekit.texts import joined, said, seat_name, sentence

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from coursekit.figures import Picture
    from coursekit.match import Match

STRINGS: tuple[tuple[str, Any], ...] = (
    ("#c0392b", "-"), ("#2a6fb0", (0, (7, 2))), ("#d9a400", (0, (2, 1.2))), ("#2f8a4c", (0, (9, 2, 2, 2))),
    ("#7a4fa3", (0, (4, 2))), ("#e07b39", (0, (9, 1, 1, 1, 1, 1))), ("#d6679b", (0, (12, 3))), ("#7a5a3a", (0, (1, 1))),
)  # fmt: skip
"""Colour and dashes of each loop, in the order in which they are laid."""
FATES = (COUNTED, CLASHED, REJECTED)
PLAYERS = tuple(kind for kind in STRATEGIES if issubclass(kind, Wordsmith))
"""Who plays the simulated matches: everybody but chance."""
SEED = "simulated"
SPOOLS = 5
"""So many lie on the table in many simulated matches, so that they are quick."""
MOST_COMMON = 5
"""So many common answers are named below a figure."""

INCHES, POINTS = 4.6, 12
"""Width of a design, and size of the letters on its tags."""
EIGHTH = complex(0.5**0.5, 0.5**0.5)
"""An eighth of a full turn."""

Box = tuple[float, float, float, float]


def _word(id: str, language: str, **values: Any) -> str:
    return said("knitwit", f"figure.{id}", language, **values)


# The design


def venn(obs: Observation, pack: Pack, language: str, spool: int | None = None) -> "Picture":
    """Return a picture of a design as it lies on the table: loops with their tags, and spools.

    :param spool: number of the spool whose loops stand out; ``None`` for all alike.
    """
    from coursekit.figures import figure_style, picture

    with figure_style(language):
        figure, axes = _canvas(window := _window(obs))
        _draw(axes, obs, spool)
        _draw_tags(axes, obs, pack, language, window, spool)
    told = [_spool(obs, pack, place, language) for place in _by_number(obs) if spool in (None, obs.spools[place][0])]
    return picture(figure, " ".join(told), " ".join(told), language)


def tried(match: "Match", stroke: Sequence[Point], language: str) -> "Picture":
    """Return a picture of the loop that would become of *stroke* in *match*, and what the rules say to it."""
    from matplotlib.patches import Polygon, Rectangle

    from coursekit.figures import INK, LINE, figure_style, picture

    game, state = match.game, match.state
    assert isinstance(game, KnitWit)
    obs = game.observe(state, None)
    refusal = game.refusal(state, obs.turn, ("loop", tuple(stroke)))
    words = _word("tried.legal", language) if refusal is None else sentence(game, refusal, language)
    with figure_style(language):
        figure, axes = _canvas(window := (-8, -8, WIDTH + 8, HEIGHT + 8))
        axes.add_patch(Rectangle((0, 0), WIDTH, HEIGHT, facecolor="none", edgecolor=LINE))
        _draw(axes, obs)
        _draw_tags(axes, obs, game.pack, language, window)
        axes.add_patch(
            Polygon(stroke, fill=False, edgecolor=INK, linewidth=2.6, linestyle="-" if refusal is None else ":")
        )
    return picture(figure, words, words, language)


def _canvas(window: Box) -> "tuple[Figure, Axes]":
    """Return a figure that shows this part of the table, and nothing else."""
    from matplotlib import pyplot

    left, top, right, bottom = window
    figure, axes = pyplot.subplots(figsize=(INCHES, INCHES * (bottom - top) / (right - left)), layout="none")
    axes.set_position((0, 0, 1, 1))
    axes.set(xlim=(left, right), ylim=(bottom, top))
    axes.set_axis_off()
    return figure, axes


def _lit(obs: Observation, spool: int | None) -> set[int]:
    """Return the loops that stand out."""
    around = zip(obs.spools, obs.around)
    return {loop for (number, _, _), loops in around if spool in (None, number) for loop in loops}


def _draw(axes: "Axes", obs: Observation, spool: int | None = None) -> None:
    """Draw loops and spools."""
    from matplotlib.patches import Circle, Polygon

    from coursekit.figures import INK

    for loop, corners in enumerate(obs.loops):
        colour, dashes = STRINGS[loop]
        strong = loop in _lit(obs, spool) or spool is None
        axes.add_patch(Polygon(corners, facecolor=colour, alpha=0.13 if strong else 0.03))
        axes.add_patch(Polygon(corners, fill=False, edgecolor=colour, alpha=1 if strong else 0.3,
                               linewidth=2.6, linestyle=dashes))  # fmt: skip
    for number, x, y in obs.spools:
        axes.add_patch(Circle((x, y), RADIUS, facecolor="#f0e0bd", edgecolor=INK, linewidth=1.2,
                              alpha=1 if spool in (None, number) else 0.5, zorder=4))  # fmt: skip
        axes.text(x, y, str(number), ha="center", va="center", fontsize=11, zorder=5)


def _draw_tags(
    axes: "Axes", obs: Observation, pack: Pack, language: str, window: Box, spool: int | None = None
) -> None:
    """Draw the tags, each with a line to its pin."""
    from matplotlib.patheffects import withStroke

    from coursekit.figures import INK, PAPER

    for loop, (left, top, right, bottom), words in _tags(obs, pack, language, window):
        middle = (left + right) / 2, (top + bottom) / 2
        axes.plot(*zip(obs.pins[loop], middle), color=INK, linewidth=1, marker="", zorder=5)
        axes.text(*middle, words, ha="center", va="center", fontsize=POINTS, zorder=6,
                  alpha=1 if spool is None or loop in _lit(obs, spool) else 0.5,
                  path_effects=[withStroke(linewidth=3, foreground=PAPER)],
                  bbox={"facecolor": "#fffaf0", "edgecolor": STRINGS[loop][0], "linewidth": 1.6, "pad": 2.4},
                  )  # fmt: skip


def _window(obs: Observation) -> Box:
    """Return the part of the table that is drawn: the loops, and room for tags around them."""
    corners = [corner for loop in obs.loops for corner in loop] or [(0, 0), (WIDTH, HEIGHT)]
    left, top, right, bottom = map(float, box(corners))
    across: float = max(1.35 * (right - left), 1.1 * (bottom - top), 100)
    down = max(bottom - top + 0.2 * across, 0.5 * across)
    x, y = (left + right) / 2, (top + bottom) / 2
    return x - across / 2, y - down / 2, x + across / 2, y + down / 2


def _by_number(obs: Observation) -> list[int]:
    """Return the places of the spools on the table, the lowest number first."""
    return sorted(range(len(obs.spools)), key=lambda place: obs.spools[place][0])


def _spool(obs: Observation, pack: Pack, place: int, language: str) -> str:
    loops = obs.around[place]
    return _word("venn.spool", language, number=obs.spools[place][0], words=sets.named(obs, pack, loops, language),
                 points=len(loops))  # fmt: skip


def _tags(obs: Observation, pack: Pack, language: str, window: Box) -> Iterator[tuple[int, Box, str]]:
    """Yield for each loop that has a tag the box of its words: outward from the pin, clear of what is there."""
    em = POINTS / 72 * (window[2] - window[0]) / INCHES  # of the letters, in units of the table
    taken: list[Box] = [(x - RADIUS, y - RADIUS, x + RADIUS, y + RADIUS) for _, x, y in obs.spools]
    for loop, pin in enumerate(obs.pins):
        if obs.tags[loop] == NO_TAG:
            continue
        words = pack.tags[obs.tags[loop]].names[language]
        half = em * (0.5 + _ems(words) / 2), em
        dx, dy = outward(obs.loops[loop], pin)
        way = complex(dx, dy) / max(1, abs(complex(dx, dy)))
        found = [_tag_box(pin, way * EIGHTH**turn, half, far * em, window)
                 for far in (0.4, 1.5, 3, 5, 8) for turn in (0, 1, -1, 2, -2, 3, -3, 4)]  # fmt: skip
        free = min(found, key=lambda each: sum(_overlap(each, other) for other in taken))
        taken.append(free)
        yield loop, free, words


def _tag_box(pin: tuple[int, int], way: complex, half: tuple[float, float], far: float, window: Box) -> Box:
    """Return the box of a tag whose near side is *far* from its *pin* in the direction *way*, inside *window*."""
    reach = far + min(half[0] / max(1e-9, abs(way.real)), half[1] / max(1e-9, abs(way.imag)))
    x = min(max(pin[0] + reach * way.real, window[0] + half[0]), window[2] - half[0])
    y = min(max(pin[1] + reach * way.imag, window[1] + half[1]), window[3] - half[1])
    return x - half[0], y - half[1], x + half[0], y + half[1]


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


# The lattice


def lattice(
    obs: Observation, pack: Pack, language: str, words: sets.Words | None = None, *, spools_only: bool = True
) -> "Picture":
    """Return a picture of :func:`.sets.lattice`: a step to the right is a loop more, and fewer words fit."""
    from matplotlib import pyplot

    from coursekit.figures import INK, figure_style, picture

    graph = sets.lattice(obs, pack, language, words, spools_only=spools_only)
    texts = {node: _lines(row, language) for node, row in graph.nodes(data=True)}
    columns: dict[int, list[str]] = {}
    for node in graph:
        columns.setdefault(0 if node == sets.TABLE else 1 + node.count("+"), []).append(node)
    place, tall = _places(graph, list(columns.values()), {node: 1.2 + len(lines) for node, lines in texts.items()})
    widths = [max(_ems(line) for node in nodes for line in texts[node]) + 3 for nodes in columns.values()]
    middles = [sum(widths[:n]) + width / 2 for n, width in enumerate(widths)]
    with figure_style(language):
        figure, axes = pyplot.subplots(figsize=(0.139 * sum(widths), 0.18 * tall), layout="none")  # of 10 points an em
        axes.set_position((0, 0, 1, 1))
        for few, many in graph.edges:
            ends = place[few], place[many]
            axes.plot([middles[x] for x, _ in ends], [y for _, y in ends], color=INK, linewidth=1, marker="", zorder=1)
        for node, row in graph.nodes(data=True):
            x, y = place[node]
            colour = "#f0e0bd" if row["spools"] else "white"
            axes.text(middles[x], y, "\n".join(texts[node]), ha="center", va="center", fontsize=10, zorder=2,
                      linespacing=1.15, bbox={"facecolor": colour, "edgecolor": INK, "boxstyle": "round,pad=0.3"},
                      )  # fmt: skip
        axes.set(xlim=(0, sum(widths)), ylim=(tall, 0))
        axes.set_axis_off()
    told = [_word("lattice.each", language, label=row["label"], spools=_listed(row, language), count=row["count"])
            for _, row in graph.nodes(data=True) if row["spools"]]  # fmt: skip
    caption = _word("lattice.caption", language)
    return picture(figure, " ".join([caption, *told]), caption, language)


def _ems(words: str) -> float:
    """Return about how wide *words* are drawn, 1 for a Chinese character."""
    return sum(1 if ord(letter) > 0x2E7F else 0.58 for letter in words)


def _listed(row: dict[str, Any], language: str) -> str:
    """Return the numbers of the spools of a node."""
    return joined(row["spools"].split(), language)


def _lines(row: dict[str, Any], language: str) -> list[str]:
    """Return what stands in a box of the lattice."""
    lines = [*row["label"].split(" ∩ "), _word("lattice.count", language, count=row["count"])]
    return lines + ([_word("lattice.spools", language, numbers=_listed(row, language))] if row["spools"] else [])


def _places(
    graph: Any, columns: Sequence[list[str]], heights: dict[str, float]
) -> tuple[dict[str, tuple[int, float]], float]:
    """Return the column and height of each node, near what it hangs on, and how many lines high the columns are."""
    tall = max(sum(heights[node] for node in nodes) for nodes in columns)
    place: dict[str, tuple[int, float]] = {}
    for _ in range(8):
        for x, nodes in enumerate(columns):
            near = {node: [place[each][1] for each in (*graph.predecessors(node), *graph.successors(node))
                           if each in place] for node in nodes}  # fmt: skip
            nodes.sort(key=lambda node: fmean(near[node] or [0]))
            gap = (tall - sum(heights[node] for node in nodes)) / len(nodes)
            y = 0.0
            for node in nodes:
                y += (heights[node] + gap) / 2
                place[node] = (x, y)
                y += (heights[node] + gap) / 2
    return place, tall


# Answers


def fluency(match: "Match", language: str) -> "Picture":
    """Return a picture of what became of every player's lines, in all finished rounds of *match*."""
    from matplotlib import pyplot
    from matplotlib.ticker import MaxNLocator

    from coursekit.figures import HATCHES, INK, PALETTE, figure_style, picture

    written, seats = sheets([match]), match.game.seats
    names = [seat_name(seat, language, match.names) for seat in seats]
    rows = {fate: [sum(each.fate == fate for sheet in written if sheet.seat == seat for each in sheet.answers)
                   for seat in seats] for fate in FATES}  # fmt: skip
    lines = sum(sheet.lines for sheet in written) // len(seats)
    with figure_style(language):
        figure, axes = pyplot.subplots(figsize=(5.6, 1.9 + 0.45 * len(seats)))
        so_far = [0] * len(seats)
        for place, (fate, width) in enumerate(rows.items()):
            axes.barh(seats, width, 0.7, so_far, color=PALETTE[place], hatch=HATCHES[place], edgecolor="white",
                      label=_word(f"fate.{fate}", language))  # fmt: skip
            so_far = [before + now for before, now in zip(so_far, width)]
        axes.barh(seats, [lines] * len(seats), 0.7, fill=False, edgecolor=INK, linewidth=0.8)
        axes.set(yticks=list(seats), yticklabels=names, xlim=(0, max(1, lines)), xlabel=_word("fluency.x", language))
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.invert_yaxis()
        figure.legend(loc="outside upper center", ncols=2)
    told = [_word("fluency.each", language, name=names[seat], lines=lines,
                  **{fate: rows[fate][seat] for fate in FATES}) for seat in seats]  # fmt: skip
    return picture(figure, " ".join(told), _word("fluency.caption", language), language)


def rare_answers(matches: Sequence["Match"], language: str) -> "Picture":
    """Return a picture of a class: how many sheets share an answer, and each sheet's fluency and originality."""
    from matplotlib import pyplot
    from matplotlib.ticker import MaxNLocator

    from coursekit.figures import INK, PALETTE, figure_style, picture

    written = sheets(matches)
    count, original = common(written), originality(written)
    on = [sum(times == number for times in count.values()) for number in range(1, max(count.values(), default=1) + 1)]
    dots = [(sheet.fluency, rate) for sheet, rate in zip(written, original) if rate is not None]
    with figure_style(language):
        figure, (above, below) = pyplot.subplots(2, figsize=(5.6, 6))
        bars = above.bar(range(1, len(on) + 1), on, 0.7, color=[PALETTE[1], *[PALETTE[0]] * (len(on) - 1)])
        above.bar_label(bars, padding=2)
        above.set(xlabel=_word("rare.on", language), ylabel=_word("rare.answers", language), yticks=[],
                  ylim=(0, 1.2 * max(on)))  # fmt: skip
        above.xaxis.set_major_locator(MaxNLocator(integer=True))
        below.scatter([x for x, _ in dots], [y for _, y in dots], 60, PALETTE[0], alpha=0.55, edgecolors=INK)
        below.set(xlabel=_word("rare.fluency", language), ylabel=_word("rare.originality", language),
                  xlim=(0, None), ylim=(-5, 105))  # fmt: skip
        below.xaxis.set_major_locator(MaxNLocator(integer=True))
    caption = _word("rare.caption", language, sheets=len(written), answers=len(count), alone=on[0])
    if often := [(form, times) for form, times in count.most_common(MOST_COMMON) if times > 1]:
        shown = {answer.form: answer.text for sheet in written for answer in sheet.answers}
        each = [_word("rare.word", language, word=shown[form], times=times) for form, times in often]
        caption += " " + _word("rare.common", language, words=joined(each, language))
    means = _word("rare.alt", language, fluency=f"{fmean([x for x, _ in dots] or [0]):.1f}",
                  originality=f"{fmean([y for _, y in dots] or [0]):.0f}")  # fmt: skip
    return picture(figure, f"{caption} {means}", caption, language)


def difficulty(matches: Sequence["Match"], language: str) -> "Picture":
    """Return a picture of how often a line counts and what it brings, by the number of loops around its spool."""
    from matplotlib import pyplot

    from coursekit.figures import PALETTE, figure_style, picture

    levels = by_loops(matches)
    at = [str(each.loops) for each in levels]
    panels = {"share": ([each.share for each in levels], ".0f"), "points": ([each.points for each in levels], ".1f")}
    with figure_style(language):
        figure, grid = pyplot.subplots(2, figsize=(5.6, 4.8))
        for axes, (name, (values, form)) in zip(grid, panels.items()):
            bars = axes.bar(at, values, 0.6, color=PALETTE[0])
            axes.bar_label(bars, [format(value, form) for value in values], padding=2)
            axes.set_title(_word(f"difficulty.{name}", language), loc="left")
            axes.set(ylim=(0, 1.25 * max([0.1, *values])), yticks=[])
            axes.spines["left"].set_visible(False)
        grid[-1].set_xlabel(_word("difficulty.x", language))
    told = [_word("difficulty.each", language, loops=each.loops, lines=each.lines, share=f"{each.share:.0f}",
                  points=f"{each.points:.1f}") for each in levels]  # fmt: skip
    caption = _word("difficulty.caption", language, lines=sum(each.lines for each in levels))
    return picture(figure, " ".join([caption, *told]), caption, language)


# Simulated matches


@dataclass(frozen=True)
class Rates:
    """What happened in many matches together, in percent of all lines, and points for a player."""

    counted: float
    clashed: float
    rejected: float
    points: float


@lru_cache(maxsize=256)
def example(number: int, language: str, players: int = 4, options: Options | None = None) -> "Match":
    """Return simulated match *number*, between :data:`PLAYERS` in turn; its seed is the same under all options.

    :param language: that they write in.
    """
    kinds = [speaking(PLAYERS[(number + seat) % len(PLAYERS)], language) for seat in range(players)]
    return play_out(KnitWit(players, options), kinds, f"{SEED} {number}")


def examples(matches: int, language: str, players: int = 4, **options: Any) -> list["Match"]:
    """Return so many short simulated matches, of :data:`SPOOLS` spools; see :func:`example`."""
    rules = Options(**{"loops": SPOOLS} | options)
    return [example(number, language, players, rules) for number in range(1, matches + 1)]


def rates(played: Sequence["Match"]) -> Rates:
    """Return what became of all lines of *played*."""
    written = sheets(played)
    lines = sum(sheet.lines for sheet in written)
    count = {fate: sum(each.fate == fate for sheet in written for each in sheet.answers) for fate in FATES}
    shares = {fate: 100 * count[fate] / lines for fate in FATES}
    return Rates(**shares, points=fmean(points for match in played for points in match.state.points))


def house_rule(language: str, matches: int = 20, players: int = 4, **changed: Any) -> "Picture":
    """Return a picture of short matches by changed rules beside some by the standard ones, four players each.

    :param players: another number of players in the changed matches.
    :param changed: options and their values, such as ``loops=5``.
    """
    from matplotlib import pyplot

    from coursekit.figures import HATCHES, PALETTE, figure_style, picture

    two = [rates(examples(matches, language)), rates(examples(matches, language, players, **changed))]
    names = [_word(f"fate.{fate}", language) for fate in FATES]
    with figure_style(language):
        figure, axes = pyplot.subplots(figsize=(5.6, 4.2))
        for place, (which, each) in enumerate(zip(("standard", "changed"), two)):
            at = [row + 0.4 * place - 0.2 for row in range(len(FATES))]
            values = [getattr(each, fate) for fate in FATES]
            bars = axes.barh(at, values, 0.38, color=PALETTE[1 - place], hatch=HATCHES[place], edgecolor="white",
                             label=_word(f"house.{which}", language, points=f"{each.points:.1f}"))  # fmt: skip
            axes.bar_label(bars, [f"{value:.0f}" for value in values], padding=3)
        axes.set(xlim=(0, 100), yticks=range(len(FATES)), yticklabels=names, xlabel=_word("house.x", language))
        axes.invert_yaxis()
        figure.legend(loc="outside upper center")
    told = [_word("house.each", language, name=name, standard=f"{getattr(two[0], fate):.0f}",
                  changed=f"{getattr(two[1], fate):.0f}") for name, fate in zip(names, FATES)]  # fmt: skip
    caption = _word("house.caption", language, matches=matches, spools=changed.get("loops", SPOOLS))
    return picture(figure, " ".join([caption, *told]), caption, language)
