"""The result of a tournament, shown: its table, what it proves, and pictures of it."""

from dataclasses import dataclass
from html import escape
from itertools import combinations
from math import ceil, gcd, isfinite
from typing import TYPE_CHECKING, Any
from unicodedata import east_asian_width

from coursekit.arena.numbers import FEWEST_DEALS, Kind, Numbers, called
from coursekit.figures import INK, LINE, MARKERS, PALETTE, PAPER, Picture, picture
from coursekit.words.texts import joined, said, seat_name, template, text, unbroken

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BEHIND = "#f2c6a6"
"""Colour of what is behind: as light as that of what is ahead."""


@dataclass(frozen=True, repr=False)
class Result(Numbers):
    """The numbers of a tournament, shown as a table with the best strategy first."""

    def caption(self, language: str | None = None) -> str:
        """Return one line on the game, the players and the deals."""
        language, matches = language or self.language, self.deals * self.matches_a_deal
        title, players = said(self.game, "title", language), self.game.players
        values = {"title": title, "players": players, "deals": self.deals, "matches": matches,
                  "seating": text(f"arena.seating.{self.seating}", language)}  # fmt: skip
        if self.deals < FEWEST_DEALS:
            return text("arena.caption_few", language, **values, least=FEWEST_DEALS)
        return text("arena.caption", language, **values)

    def rows(self, language: str | None = None) -> list[list[str]]:
        """Return the table as text, its head first; without intervals below :data:`FEWEST_DEALS` deals."""
        language = language or self.language
        head = [text("arena.strategy", language)]
        rows = [head + [self.label("statistic", each, language) for each in self.statistics]]
        for name in self.ranking:
            cells = [self._cell(name, each) for each in self.statistics]
            rows.append([self.label("strategy", name, language), *cells])
        return rows

    def _cell(self, name: str, statistic: str) -> str:
        mean = f"{self.mean(name, statistic):.1f}"
        return mean if self.deals < FEWEST_DEALS else f"{mean} ± {self.interval(name, statistic):.1f}"

    def label(self, kind: str, name: str, language: str) -> str:
        """Return the name of a strategy, statistic or option in *language*; its own where it has no text."""
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
            f"<thead><tr>{columns}</tr></thead><tbody>{body}</tbody></table>{self._proof()}"
        )

    def _proof(self) -> str:
        """Return as HTML what the lead of the first proves; nothing where the caption says that deals are too few."""
        if len(self.numbers) < 2 or self.deals < FEWEST_DEALS:
            return ""
        return f'<p lang="{self.language}">{escape(self.verdict())}</p>'

    def verdict(
        self, strategy: Kind | None = None, other: Kind | None = None, statistic: str = "points",
        language: str | None = None,
    ) -> str:  # fmt: skip
        """Return one sentence on whether *strategy* and *other* differ, and how many more deals would tell.

        By default the first two of the :attr:`ranking`.  So many deals, if the difference is as large as it looks,
        show it in four tournaments of five.

        :raises ValueError: if only one strategy played and *other* is missing.
        """
        language = language or self.language
        if len(self.numbers) < 2 and other is None:
            raise ValueError("a single strategy has nobody to differ from")
        one = called(self.ranking[0] if strategy is None else strategy)
        two = called(next(name for name in self.ranking if name != one) if other is None else other)
        found = self.difference(one, two, statistic)
        if found and found.mean < 0:
            return self.verdict(two, one, statistic, language)
        parts = (("statistic", statistic), ("strategy", one), ("strategy", two))
        labels = (self.label(*each, language) for each in parts)
        values: dict[str, Any] = dict(zip(("statistic", "one", "other"), labels)) | {"deals": self.deals}
        if found is None:
            return text("arena.verdict.apart", language, **values)
        values |= {"mean": f"{found.mean:.1f}", "half": f"{found.interval:.1f}"}
        if self.deals < FEWEST_DEALS:
            return text("arena.verdict.few", language, **values)
        if found.proved:
            return text("arena.verdict.proved", language, **values)
        if not isfinite(found.more):
            return text("arena.verdict.none", language, **values)
        step = 10 ** (len(str(found.more)) - 1)
        return text("arena.verdict.open", language, **values, more=ceil(found.more / step) * step)

    def plot(self, statistic: str = "points", language: str | None = None) -> Picture:
        """Return a picture of the spread of *statistic*, one strategy below the other.

        The bars count matches.  The dot is the mean, the line through it its 95 % interval.
        """
        language = language or self.language
        spread = {name: self.every(name, statistic) for name in self.ranking}
        titles = [f"{self.label('strategy', name, language)} {self._cell(name, statistic)}" for name in spread]
        x = self.label("statistic", statistic, language)

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

    def matrix(self, statistic: str = "points", language: str | None = None) -> Picture:
        """Return a picture of how far each strategy is ahead of each other one, coloured where that is proved."""
        language, names = language or self.language, self.ranking
        labels = [self.label("strategy", name, language) for name in names]

        def draw() -> "Figure":
            from matplotlib import pyplot
            from matplotlib.patches import Rectangle

            side = len(names)
            figure, axes = pyplot.subplots(figsize=(2.2 + 1.1 * side, 1 + 0.7 * side))
            for row, one in enumerate(names):
                for column, other in enumerate(names):
                    found = None if one == other else self.difference(one, other, statistic)
                    colour = LINE if one == other else PAPER
                    if found and found.proved:
                        colour = PALETTE[3] if found.mean > 0 else BEHIND
                    axes.add_patch(Rectangle((column, row), 1, 1, facecolor=colour, edgecolor=INK))
                    if found:
                        half = f"\n± {found.interval:.1f}" if self.deals >= FEWEST_DEALS else ""
                        ahead = f"{found.mean:+.1f}".replace("-", "−")
                        axes.text(column + 0.5, row + 0.5, ahead + half, ha="center", va="center",
                                  fontsize=11)  # fmt: skip
            middle = [each + 0.5 for each in range(side)]
            axes.set(xlim=(0, side), ylim=(side, 0), xticks=middle, yticks=middle, xticklabels=labels,
                     yticklabels=labels, title=self.label("statistic", statistic, language))  # fmt: skip
            axes.tick_params(length=0)
            return figure

        told = [self.verdict(one, other, statistic, language) for one, other in combinations(names, 2)]
        return picture(draw, " ".join(told), text("arena.matrix", language), language)

    def seats(self, statistic: str = "points", language: str | None = None) -> Picture:
        """Return a picture of what each seat is worth: the mean of *statistic* there, with its 95 % interval."""
        language, players = language or self.language, self.game.seats
        worth = {self.label("strategy", name, language): self.seat_means(name, statistic) for name in self.ranking}
        where = [seat_name(seat, language) for seat in players]
        few = self.deals < FEWEST_DEALS

        def draw() -> "Figure":
            from matplotlib import pyplot

            figure, axes = pyplot.subplots()
            for number, (label, found) in enumerate(worth.items()):
                at = [seat + 0.6 * ((number + 0.5) / len(worth) - 0.5) for seat in players]
                bar = None if few else [half for _, half in found]
                axes.errorbar(at, [mean for mean, _ in found], yerr=bar, label=label, linestyle="", capsize=4,
                              marker=MARKERS[number % len(MARKERS)], color=PALETTE[number % len(PALETTE)])  # fmt: skip
            axes.set(xticks=list(players), xticklabels=where, ylabel=self.label("statistic", statistic, language))
            figure.legend(loc="outside upper center", ncols=2)
            return figure

        told = []
        for label, found in worth.items():
            cells = [f"{mean:.1f}" if few else f"{mean:.1f} ± {half:.1f}" for mean, half in found]
            parts = [text("figure.part", language, name=seat, number=each) for seat, each in zip(where, cells)]
            told.append(text("figure.row", language, row=label, numbers=joined(parts, language)))
        return picture(draw, " ".join(told), text("arena.seats_few" if few else "arena.seats", language), language)


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
