"""The result of a tournament: the spread of every number, its mean, and the mean's 95 % interval."""

from dataclasses import dataclass, field
from html import escape
from math import ceil, gcd, inf, sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any
from unicodedata import east_asian_width

from coursekit.core.game import Game
from coursekit.core.strategy import Strategy
from coursekit.figures import INK, PALETTE, Picture, picture
from coursekit.files.sheet import Sheet
from coursekit.words.texts import said, template, text, unbroken

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pandas import DataFrame

Samples = dict[str, dict[str, list[tuple[float, ...]]]]
"""Strategy -> statistic -> deal -> a number from each match, and each seat, it sat in."""

FEWEST_DEALS = 5
"""Minimum deals for an interval: "62.5 ± 158.8" says nothing, nor does ± 0 from two deals."""


@dataclass(frozen=True, repr=False)
class Result:
    """The numbers of a tournament, shown as a table with the best strategy first.

    Statistics are ``"points"``, ``"wins"`` (percentage of its matches that a strategy won, alone
    or with others) and the additional ones collected.
    """

    game: Game[Any, Any, Any] = field(compare=False)
    deals: int
    lineups: tuple[tuple[type[Strategy], ...], ...]
    """Who sits where in each match of a deal."""
    seed: str
    language: str = field(compare=False)
    numbers: Samples

    @property
    def matches_a_deal(self) -> int:
        """How often each deal is played."""
        return len(self.lineups)

    def by_seat(self, statistic: str = "points") -> list[list[tuple[float, ...]]]:
        """Return *statistic* as deal -> match -> a number for each seat, as :attr:`lineups` fill them.

        :raises KeyError: if the statistic was not collected.
        """
        found = []
        for deal in range(self.deals):
            sat = {name: iter(self._of(name, statistic)[deal]) for name in self.numbers}
            found.append([tuple(next(sat[kind.__name__]) for kind in lineup) for lineup in self.lineups])
        return found

    def sheet(self, language: str | None = None) -> Sheet:
        """Return all numbers as a table: a row for each seat of each match, a column for each statistic."""
        collected = [self.by_seat(each) for each in self.statistics]
        rows = [
            (deal, match, seat, kind.__name__, *(numbers[deal][match][seat] for numbers in collected))
            for deal in range(self.deals)
            for match, lineup in enumerate(self.lineups)
            for seat, kind in enumerate(lineup)
        ]
        names = ("deal", "match", "seat", "strategy", *self.statistics)
        return Sheet(names, rows, self.game.name, language or self.language)

    def frame(self) -> "DataFrame":
        """Return :meth:`sheet` as a pandas frame.

        :raises NoPandas: an ``ImportError``, where pandas is missing: it comes with the extra ``data``.
        """
        return self.sheet().frame()

    def csv(self, path: str | Path, language: str | None = None) -> Path:
        """Write :meth:`sheet` as the file *path*, with a codebook in *language* beside it; return *path*.

        :raises FileError: if one of the files exists, or cannot be written.
        """
        return self.sheet(language).csv(path)

    def every(self, strategy: str | type[Strategy], statistic: str = "points") -> list[float]:
        """Return *statistic* of *strategy* in each of its matches, a number per seat it had.

        :raises KeyError: if the strategy did not take part, or the statistic was not collected.
        """
        return [number for deal in self._of(strategy, statistic) for number in deal]

    def mean(self, strategy: str | type[Strategy], statistic: str = "points") -> float:
        """Return the mean of *statistic* over all matches of *strategy*."""
        return fmean(self._by_deal(strategy, statistic))

    def interval(self, strategy: str | type[Strategy], statistic: str = "points") -> float:
        """Return half the width of the 95 % interval around :meth:`mean`; infinite for a single deal.

        If the tournament were repeated many times with new deals, 95 of 100 such intervals would
        contain the true mean.  Matches of one deal share their luck, so the sample size is the
        number of deals.
        """
        if self.deals == 1:
            return inf
        return _t95(self.deals - 1) * stdev(self._by_deal(strategy, statistic)) / sqrt(self.deals)

    def _of(self, strategy: str | type[Strategy], statistic: str) -> list[tuple[float, ...]]:
        return self.numbers[strategy if isinstance(strategy, str) else strategy.__name__][statistic]

    def _by_deal(self, strategy: str | type[Strategy], statistic: str) -> list[float]:
        return [fmean(deal) for deal in self._of(strategy, statistic)]

    @property
    def ranking(self) -> list[str]:
        """The names of the strategies, most points first."""
        return sorted(self.numbers, key=self.mean, reverse=True)

    @property
    def statistics(self) -> list[str]:
        """The names of the statistics collected."""
        return list(next(iter(self.numbers.values())))

    def caption(self, language: str | None = None) -> str:
        """Return one line on the game, the players and the deals."""
        language, matches = language or self.language, self.deals * self.matches_a_deal
        title, players = said(self.game, "title", language), self.game.players
        values = {"title": title, "players": players, "deals": self.deals, "matches": matches}
        if self.deals < FEWEST_DEALS:
            return text("arena.caption_few", language, **values, least=FEWEST_DEALS)
        return text("arena.caption", language, **values)

    def rows(self, language: str | None = None) -> list[list[str]]:
        """Return the table as text, its head first; without intervals below :data:`FEWEST_DEALS` deals."""
        language = language or self.language
        head = [text("arena.strategy", language)]
        rows = [head + [self._label("statistic", each, language) for each in self.statistics]]
        for name in self.ranking:
            cells = [self._cell(name, each) for each in self.statistics]
            rows.append([self._label("strategy", name, language), *cells])
        return rows

    def _cell(self, name: str, statistic: str) -> str:
        mean = f"{self.mean(name, statistic):.1f}"
        return mean if self.deals < FEWEST_DEALS else f"{mean} ± {self.interval(name, statistic):.1f}"

    def _label(self, kind: str, name: str, language: str) -> str:
        try:
            return template(self.game.name, f"{kind}.{name}", language)
        except KeyError:  # written in a notebook: it has only its own name
            return name

    def __str__(self) -> str:
        rows = self.rows()
        widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
        lines = []
        for row in rows:
            spaces = [" " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True)]
            numbers = ["  " + space + cell for cell, space in zip(row[1:], spaces[1:], strict=True)]
            lines.append(row[0] + spaces[0] + "".join(numbers))
        return "\n".join([self.caption(), *lines])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        head, *rows = [[escape(cell) for cell in row] for row in self.rows()]
        columns = "".join(f'<th scope="col">{cell}</th>' for cell in head)
        body = "".join(
            f'<tr><th scope="row">{name}</th>' + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"
            for name, *cells in rows
        )
        return (
            f'<table lang="{self.language}"><caption>{escape(unbroken(self.caption()))}</caption>'
            f"<thead><tr>{columns}</tr></thead><tbody>{body}</tbody></table>"
        )

    def plot(self, statistic: str = "points", language: str | None = None) -> Picture:
        """Return a picture of the spread of *statistic*, one strategy below the other.

        The bars count matches.  The dot is the mean, the line through it its 95 % interval.
        """
        language = language or self.language
        spread = {name: self.every(name, statistic) for name in self.ranking}
        titles = [f"{self._label('strategy', name, language)} {self._cell(name, statistic)}" for name in spread]
        x = self._label("statistic", statistic, language)

        def draw() -> "Figure":
            from matplotlib import pyplot

            edges = _edges([number for numbers in spread.values() for number in numbers])
            figure, grid = pyplot.subplots(
                len(spread), sharex=True, squeeze=False, figsize=(5.6, 0.9 + 1.2 * len(spread))
            )
            for (name, numbers), title, (axes,) in zip(spread.items(), titles, grid, strict=True):
                counts, _, _ = axes.hist(numbers, bins=edges, color=PALETTE[3])
                bar = None if self.deals < FEWEST_DEALS else self.interval(name, statistic)
                axes.errorbar(self.mean(name, statistic), max(counts) / 2, xerr=bar, fmt="o", color=INK, capsize=5)
                axes.set_title(title, loc="left")
                axes.spines["left"].set_visible(False)
                axes.set_yticks([])
            axes.set_xlabel(x)
            return figure

        note = "arena.plot_few" if self.deals < FEWEST_DEALS else "arena.plot"
        told = [
            text("arena.told", language, title=title, low=f"{min(numbers):g}", high=f"{max(numbers):g}")
            for title, numbers in zip(titles, spread.values(), strict=True)
        ]
        return picture(draw, "; ".join([x, *told]), text(note, language), language)


def _edges(numbers: list[float]) -> list[float]:
    """Return the edges of at most 25 bars that hold all *numbers*.

    With whole numbers each bar covers the same number of possible values (for points in tens:
    10, 20, …).  Otherwise every second bar would be higher for no reason.
    """
    low, high = min(numbers), max(numbers)
    width = (high - low) / 25 or 1
    if all(number == int(number) for number in numbers):
        step = gcd(*(int(number - low) for number in numbers)) or 1
        low, high = low - step / 2, high + step / 2
        width = step * ceil((high - low) / step / 25)
    return [low + width * edge for edge in range(max(1, ceil((high - low) / width)) + 1)]


def _width(words: str) -> int:
    """Return the width of *words* in terminal columns."""
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in words)


def _t95(freedom: int) -> float:
    """Return the two-sided 95 % point of Student's t, for *freedom* of at least 1.

    A normal distribution would make intervals from a few deals too narrow.
    """
    exact = {1: 12.706, 2: 4.303, 3: 3.182}
    # Cornish and Fisher's expansion around the normal distribution, good to 0.3 % from 4 on
    return exact.get(freedom) or 1.96 + 2.372 / freedom + 2.823 / freedom**2 + 2.556 / freedom**3
