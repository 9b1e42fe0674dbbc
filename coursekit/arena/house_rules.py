"""The laboratory of house rules: the same deals under many rules, and how much a rule matters."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import product
from typing import TYPE_CHECKING, Any

from coursekit.arena.deals import ArenaError, Statistics
from coursekit.arena.duplicate import tournaments
from coursekit.arena.result import Result
from coursekit.arena.seatings import Seating
from coursekit.arena.statistics import FEWEST_DEALS, Kind, called, with_interval
from coursekit.core.errors import LocalizedError
from coursekit.core.game import Game
from coursekit.core.strategy import Strategy
from coursekit.figures import INK, MARKERS, PALETTE, PAPER, Picture, picture
from coursekit.files.data_export import Sheet
from coursekit.words.texts import LANGUAGES, join_words, shorten, text

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

    def sheet(self, language: str | None = None) -> Sheet:
        """Return all numbers as a table: that of each result, with a column for each option in
        front.
        """
        sheets = [each.sheet(language) for each in self.results]
        rows = [(*point, *row) for point, sheet in zip(self.points, sheets) for row in sheet.rows]
        return replace(sheets[0], names=(*self.options, *sheets[0].names), rows=rows)

    def __repr__(self) -> str:
        return self.plot().alt

    def _repr_html_(self) -> str:
        return self.plot().html()

    def plot(
        self, statistic: str = "points", strategy: Kind | None = None, language: str | None = None
    ) -> Picture:
        """Return a picture of the mean of *statistic* under each rule, with its 95 % interval.

        :param strategy: whose surface is drawn where two options change, by default the first
            one's.
        """
        language, first = language or self.language, self.results[0]
        names = (
            list(first.numbers)
            if strategy is None and len(self.options) == 1
            else [called(strategy or first.lineups[0][0])]
        )
        few = first.deals < FEWEST_DEALS
        values = {
            name: [
                (each.mean(name, statistic), 0 if few else each.interval(name, statistic))
                for each in self.results
            ]
            for name in names
        }
        x, *y = [
            first.label("option", f"{name}.label", language).removesuffix(".label")
            for name in self.options
        ]
        labels = {name: first.label("strategy", name, language) for name in names}
        what = first.label("statistic", statistic, language)

        def lines() -> "Figure":
            from matplotlib import pyplot

            figure, axes = pyplot.subplots()
            (at,) = self.options.values()
            for number, (name, found) in enumerate(values.items()):
                axes.errorbar(
                    at,
                    [mean for mean, _ in found],
                    None if few else [half for _, half in found],
                    capsize=4,
                    label=labels[name],
                    color=PALETTE[number % len(PALETTE)],
                    marker=MARKERS[number % len(MARKERS)],
                )
            axes.set(xlabel=x, ylabel=what)
            if len(values) > 1:
                figure.legend(loc="outside upper center", ncols=2)
            return figure

        def surface() -> "Figure":
            from matplotlib import pyplot
            from matplotlib.colors import LinearSegmentedColormap

            down, across = self.options.values()
            (found,) = values.values()
            means = [mean for mean, _ in found]
            grid = [means[row * len(across) : (row + 1) * len(across)] for row in range(len(down))]
            figure, axes = pyplot.subplots(
                figsize=(max(5.6, 1.6 + 0.8 * len(across)), 1.2 + 0.55 * len(down))
            )
            colours = LinearSegmentedColormap.from_list(
                "", [PAPER, PALETTE[3]]
            )  # ink can be read on both
            axes.pcolormesh(grid, cmap=colours, edgecolors=INK, linewidth=0.5)
            for at, (mean, half) in enumerate(found):
                words = with_interval(mean, None if few else half).replace(" ±", "\n±")
                axes.text(
                    at % len(across) + 0.5,
                    at // len(across) + 0.5,
                    words,
                    ha="center",
                    va="center",
                    fontsize=12,
                )
            axes.set_xticks(
                [each + 0.5 for each in range(len(across))], [f"{each:g}" for each in across]
            )
            axes.set_yticks(
                [each + 0.5 for each in range(len(down))], [f"{each:g}" for each in down]
            )
            axes.set(xlabel=y[0], ylabel=x, title=f"{labels[names[0]]} · {what}")
            axes.tick_params(length=0)
            return figure

        told = []
        for place, point in enumerate(self.points):
            where = join_words(
                [f"{label} = {value:g}" for label, value in zip((x, *y), point)], language
            )
            numbers = {
                name: with_interval(mean, None if few else half)
                for name, found in values.items()
                for mean, half in found[place : place + 1]
            }
            parts = [
                text("figure.part", language, name=labels[name], number=each)
                for name, each in numbers.items()
            ]
            told.append(
                text("figure.row", language, row=where, numbers=join_words(parts, language))
            )
        caption = text(
            "arena.sweep_few" if few else "arena.sweep",
            language,
            deals=first.deals,
            matches=len(self.results) * first.deals * first.matches_a_deal,
        )
        return picture(surface if y else lines, " ".join([what, *told]), caption, language)


def sweep(
    game: Game[Any, Any, Any],
    options: Mapping[str, Iterable[float]],
    strategies: Sequence[type[Strategy]],
    deals: int = 100,
    seed: str | int | None = None,
    *,
    seating: Seating = "rotate",
    statistics: Statistics | None = None,
    processes: int = 1,
    progress: bool = True,
    language: str = LANGUAGES[0],
) -> Sweep:
    """Play a tournament under each combination of *options*, all with the same seed, and return
    them together::

        sweep(Wikipedia(2), {"wiki_wrong": range(7)}, [HonestStudent, Editor])

    :param game: gives the players, and the options that do not change.
    :param options: one or two options whose values are numbers, with the values to try.
    :raises ArenaError: a ``ValueError`` saying what cannot be played; the other parameters are
        those of :func:`.duplicate`.
    :raises OptionError: a ``ValueError``, for an option or a value that the game does not have.
    :raises StrategyError: as :func:`.duplicate`.
    """
    try:
        given = options.items() if isinstance(options, Mapping) else ()
        tried = {
            name: list(values) if isinstance(values, Iterable) else [] for name, values in given
        }
        numbers = [value for values in tried.values() for value in values]
        if (
            len(tried) not in (1, 2)
            or not all(tried.values())
            or {type(each) for each in numbers} - {int, float}
        ):
            raise ArenaError(
                "arena.sweep_options", got=shorten(options), example='{"points_to_win": [5, 10]}'
            )
        base = {each.name: getattr(game.options, each.name) for each in fields(game.options)}
        games = [
            type(game)(game.players, type(game).options_from(base | dict(zip(tried, point))))
            for point in product(*tried.values())
        ]
    except LocalizedError as error:
        error.tell(language)
        raise
    results = tournaments(
        games,
        strategies,
        deals,
        seed,
        seating=seating,
        statistics=statistics,
        processes=processes,
        progress=progress,
        language=language,
    )
    return Sweep(tried, results, language)
