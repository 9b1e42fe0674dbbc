"""The laboratory of house rules: the same deals under many rules, and how much a rule matters."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import product
from typing import TYPE_CHECKING, Any

from coursekit.arena.deals import ArenaError, Statistics
from coursekit.arena.duplicate import Setup, play_tournaments
from coursekit.arena.plots import row_in_words
from coursekit.arena.result import Result
from coursekit.arena.seatings import Seating
from coursekit.arena.statistics import FEWEST_DEALS, Estimate, Kind, format_estimate
from coursekit.core.errors import LocalizedError
from coursekit.core.game import AnyGame, check_game
from coursekit.core.strategy import Strategy
from coursekit.figures import INK, MARKERS, PALETTE, PAPER, Picture, picture
from coursekit.files.data_export import DataTable
from coursekit.words.language import current_language
from coursekit.words.texts import join_words, shorten, text

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, repr=False)
class Sweep:
    """The tournaments under each rule; shown as lines for one option, as a surface for two."""

    options: Mapping[str, Sequence[float]]
    """Option -> its values."""
    results: Sequence[Result]
    """One for each combination of values, the last option changing fastest."""
    language: str

    @property
    def points(self) -> list[tuple[float, ...]]:
        """The values of the options in each of :attr:`results`."""
        return list(product(*self.options.values()))

    def data_table(self, language: str | None = None) -> DataTable:
        """Return the numbers of all results as a table, with a column for each option in front."""
        sheets = [result.data_table(language) for result in self.results]
        rows = [(*point, *row) for point, sheet in zip(self.points, sheets) for row in sheet.rows]
        return replace(sheets[0], names=(*self.options, *sheets[0].names), rows=rows)

    def __repr__(self) -> str:
        return self.plot().alt

    def _repr_html_(self) -> str:
        return str(self.plot().html())

    def plot(
        self, statistic: str = "points", strategy: Kind | None = None, language: str | None = None
    ) -> Picture:
        """Return a picture of the mean of *statistic* under each rule, with its 95 % interval.

        :param strategy: whose surface is drawn where two options change, by default the first
            one's.
        """
        language = language or self.language
        first = self.results[0]
        if strategy is None and len(self.options) == 1:
            names = list(first.numbers)
        else:
            names = [first.name_of(strategy or first.lineups[0][0])]
        estimates = {
            first.label("strategy", name, language): [
                result.estimate(name, statistic) for result in self.results
            ]
            for name in names
        }
        # Some games have the texts of an option below its name.
        axis_labels = [
            first.label("option", f"{name}.label", language).removesuffix(".label")
            for name in self.options
        ]
        label = first.label("statistic", statistic, language)
        draw = self._draw_surface if len(self.options) == 2 else self._draw_lines

        sentences = [label]
        for number, point in enumerate(self.points):
            place = [f"{name} = {value:g}" for name, value in zip(axis_labels, point)]
            numbers = [format_estimate(*row[number]) for row in estimates.values()]
            sentences.append(
                row_in_words(join_words(place, language), estimates, numbers, language)
            )
        caption = text(
            "arena.sweep_few" if first.deals < FEWEST_DEALS else "arena.sweep",
            language,
            deals=first.deals,
            matches=len(self.results) * first.deals * first.matches_a_deal,
        )
        return picture(
            lambda: draw(estimates, axis_labels, label), " ".join(sentences), caption, language
        )

    def _draw_lines(
        self, estimates: Mapping[str, Sequence[Estimate]], axis_labels: list[str], label: str
    ) -> "Figure":
        from matplotlib import pyplot

        figure, axes = pyplot.subplots()
        (values,) = self.options.values()
        few = self.results[0].deals < FEWEST_DEALS
        for number, (strategy, row) in enumerate(estimates.items()):
            axes.errorbar(
                values,
                [mean for mean, _ in row],
                None if few else [half or 0 for _, half in row],
                capsize=4,
                label=strategy,
                color=PALETTE[number % len(PALETTE)],
                marker=MARKERS[number % len(MARKERS)],
            )
        axes.set(xlabel=axis_labels[0], ylabel=label)
        if len(estimates) > 1:
            figure.legend(loc="outside upper center", ncols=2)
        return figure

    def _draw_surface(
        self, estimates: Mapping[str, Sequence[Estimate]], axis_labels: list[str], label: str
    ) -> "Figure":
        from matplotlib import pyplot
        from matplotlib.colors import LinearSegmentedColormap

        down, across = self.options.values()
        ((strategy, cells),) = estimates.items()
        width, height = len(across), len(down)
        means = [mean for mean, _ in cells]
        grid = [means[row * width : (row + 1) * width] for row in range(height)]
        size = (max(5.6, 1.6 + 0.8 * width), 1.2 + 0.55 * height)
        figure, axes = pyplot.subplots(figsize=size)
        colours = LinearSegmentedColormap.from_list("", [PAPER, PALETTE[3]])  # ink shows on both
        axes.pcolormesh(grid, cmap=colours, edgecolors=INK, linewidth=0.5)
        for number, cell in enumerate(cells):
            row, column = divmod(number, width)
            words = format_estimate(*cell).replace(" ±", "\n±")
            axes.text(column + 0.5, row + 0.5, words, ha="center", va="center", fontsize=12)
        axes.set_xticks([n + 0.5 for n in range(width)], [f"{value:g}" for value in across])
        axes.set_yticks([n + 0.5 for n in range(height)], [f"{value:g}" for value in down])
        axes.set(xlabel=axis_labels[1], ylabel=axis_labels[0], title=f"{strategy} · {label}")
        axes.tick_params(length=0)
        return figure


def sweep(
    game: AnyGame,
    options: Mapping[str, Iterable[float]],
    strategies: Sequence[type[Strategy]],
    deals: int = 100,
    seed: str | int | None = None,
    *,
    seating: Seating = "rotate",
    statistics: Statistics | None = None,
    processes: int | None = None,
    progress: bool = True,
    language: str | None = None,
) -> Sweep:
    """Play a tournament under each combination of *options*, all with the same seed::

        sweep(Wikipedia(2), {"wiki_wrong": range(7)}, [HonestStudent, Editor])

    :param game: gives the players, and the options that do not change.
    :param options: one or two options whose values are numbers, with the values to try.
    :raises ArenaError: a ``ValueError`` saying what cannot be played; the other parameters are
        those of :func:`.duplicate`.
    :raises OptionError: a ``ValueError``, for an option or a value that the game does not have.
    :raises StrategyError: as :func:`.duplicate`.
    """
    language = language or current_language()
    try:
        check_game(game)
        tried = _read_options(options)
        rules = type(game)
        base = {field.name: getattr(game.options, field.name) for field in fields(game.options)}
        games = [
            rules(game.players, rules.options_from(base | dict(zip(tried, point))))
            for point in product(*tried.values())
        ]
    except LocalizedError as error:
        error.tell(language)
        raise
    setup = Setup(strategies, deals, seed, seating, statistics, processes, progress, language)
    results = play_tournaments(games, setup)
    return Sweep(tried, results, language)


def _read_options(options: Any) -> dict[str, list[float]]:
    """Return the values to try of each option.

    :raises ArenaError: unless they are numbers of one or two options.
    """
    tried: dict[str, list[float]] = {}
    if isinstance(options, Mapping):
        for name, values in options.items():
            tried[name] = list(values) if isinstance(values, Iterable) else []
    types = {type(value) for values in tried.values() for value in values}
    if len(tried) not in (1, 2) or not all(tried.values()) or types - {int, float}:
        example = '{"points_to_win": [5, 10]}'
        raise ArenaError("arena.sweep_options", got=shorten(options), example=example)
    return tried
