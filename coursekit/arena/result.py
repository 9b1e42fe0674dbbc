"""The result of a tournament, shown: its table, what it proves, and pictures of it."""

from dataclasses import dataclass
from html import escape
from math import ceil, gcd
from typing import TYPE_CHECKING
from unicodedata import east_asian_width

from coursekit.arena.statistics import FEWEST_DEALS, Kind, Numbers, called, with_interval
from coursekit.figures import INK, PALETTE, Picture, picture
from coursekit.words.texts import game_text, glue_numbers, text

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, repr=False)
class Result(Numbers):
    """The numbers of a tournament, shown as a table with the best strategy first."""

    def caption(self, language: str | None = None) -> str:
        """Return one line on the game, the players and the deals."""
        language, matches = language or self.language, self.deals * self.matches_a_deal
        title, players = game_text(self.game, "title", language), self.game.players
        values = {
            "title": title,
            "players": players,
            "deals": self.deals,
            "matches": matches,
            "seating": text(f"arena.seating.{self.seating}", language),
        }
        if self.deals < FEWEST_DEALS:
            return text("arena.caption_few", language, **values, least=FEWEST_DEALS)
        return text("arena.caption", language, **values)

    def rows(self, language: str | None = None) -> list[list[str]]:
        """Return the table as text, its head first; without intervals below :data:`FEWEST_DEALS`
        deals.
        """
        language = language or self.language
        head = [text("arena.strategy", language)]
        rows = [head + [self.label("statistic", each, language) for each in self.statistics]]
        for name in self.ranking:
            cells = [self._cell(name, each) for each in self.statistics]
            rows.append([self.label("strategy", name, language), *cells])
        return rows

    def _cell(self, name: str, statistic: str) -> str:
        half = None if self.deals < FEWEST_DEALS else self.interval(name, statistic)
        return with_interval(self.mean(name, statistic), half)

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
            f'<tr><th scope="row">{name}</th>'
            + "".join(f"<td>{cell}</td>" for cell in cells)
            + "</tr>"
            for name, *cells in rows
        )
        return (
            f'<table lang="{self.language}"><caption>{escape(glue_numbers(self.caption()))}</caption>'
            f"<thead><tr>{columns}</tr></thead><tbody>{body}</tbody></table>{self._proof()}"
        )

    def _proof(self) -> str:
        """Return as HTML what the lead of the first proves; nothing where the caption says that
        deals are too few.
        """
        if len(self.numbers) < 2 or self.deals < FEWEST_DEALS:
            return ""
        return f'<p lang="{self.language}">{escape(self.verdict())}</p>'

    def plot(self, statistic: str = "points", language: str | None = None) -> Picture:
        """Return a picture of the spread of *statistic*, one strategy below the other.

        The bars count matches.  The dot is the mean, the line through it its 95 % interval.
        """
        language = language or self.language
        spread = {name: self.every(name, statistic) for name in self.ranking}
        titles = [
            f"{self.label('strategy', name, language)} {self._cell(name, statistic)}"
            for name in spread
        ]
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
                axes.errorbar(
                    self.mean(name, statistic),
                    max(counts) / 2,
                    xerr=bar,
                    fmt="o",
                    color=INK,
                    capsize=5,
                )
                axes.set_title(title, loc="left")
                axes.spines["left"].set_visible(False)
                axes.set_yticks([])
            axes.set_xlabel(x)
            return figure

        note = "arena.plot_few" if self.deals < FEWEST_DEALS else "arena.plot"
        told = [
            text(
                "arena.told",
                language,
                title=title,
                low=f"{min(numbers):g}",
                high=f"{max(numbers):g}",
            )
            for title, numbers in zip(titles, spread.values(), strict=True)
        ]
        return picture(draw, "; ".join([x, *told]), text(note, language), language)

    def matrix(self, statistic: str = "points", language: str | None = None) -> Picture:
        """Return a picture of how far each strategy is ahead of each other one, coloured where that
        is proved.
        """
        from coursekit.arena.plots import matrix

        return matrix(self, statistic, language or self.language)

    def seats(self, statistic: str = "points", language: str | None = None) -> Picture:
        """Return a picture of what each seat is worth: the mean of *statistic* there, with its 95 %
        interval.
        """
        from coursekit.arena.plots import seats

        return seats(self, statistic, language or self.language)

    def samples(
        self,
        strategy: Kind,
        deals: int,
        statistic: str = "points",
        language: str | None = None,
        *,
        bars: bool = True,
    ) -> Picture:
        """Return a picture of up to 20 samples of *deals* deals each: the mean of *statistic* in
        each of them.

        The samples follow each other in this result, and share no deal.

        :param bars: whether to draw the 95 % interval of each, and to count those that hold the
            mean of all samples.
        :raises ValueError: unless there are two samples of five deals or more.
        """
        from coursekit.arena.plots import samples

        return samples(self, called(strategy), deals, statistic, bars, language or self.language)


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
