"""The result of a tournament, shown: its table, what it proves, and pictures of it."""

from dataclasses import dataclass
from math import ceil, gcd
from pathlib import Path
from typing import TYPE_CHECKING
from unicodedata import east_asian_width

from coursekit.arena.statistics import FEWEST_DEALS, Kind, Numbers, format_estimate
from coursekit.figures import INK, PALETTE, Picture, picture
from coursekit.files.html_templates import render
from coursekit.words.texts import game_text, glue_numbers, text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TABLE = Path(__file__).parent / "templates" / "result.html.j2"


@dataclass(frozen=True, repr=False)
class Result(Numbers):
    """The numbers of a tournament, shown as a table with the best strategy first."""

    def caption(self, language: str | None = None) -> str:
        """Return one line on the game, the players and the deals."""
        language = language or self.language
        values = {
            "title": game_text(self.game, "title", language),
            "players": self.game.players,
            "deals": self.deals,
            "matches": self.deals * self.matches_a_deal,
            "seating": text(f"arena.seating.{self.seating}", language),
        }
        if self.deals < FEWEST_DEALS:
            return text("arena.caption_few", language, **values, least=FEWEST_DEALS)
        return text("arena.caption", language, **values)

    def rows(self, language: str | None = None) -> list[list[str]]:
        """Return the table as text, its head first; too few deals have no intervals."""
        language = language or self.language
        statistics = [self.label("statistic", name, language) for name in self.statistics]
        rows = [[text("arena.strategy", language), *statistics]]
        for name in self.ranking:
            cells = [self._cell(name, statistic) for statistic in self.statistics]
            rows.append([self.label("strategy", name, language), *cells])
        return rows

    def _cell(self, name: str, statistic: str) -> str:
        return format_estimate(*self.estimate(name, statistic))

    def __str__(self) -> str:
        rows = self.rows()
        widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
        lines = [self.caption()]
        for name, *cells in rows:
            line = name + " " * (widths[0] - _width(name))
            for cell, width in zip(cells, widths[1:], strict=True):
                line += "  " + " " * (width - _width(cell)) + cell
            lines.append(line)
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        head, *rows = self.rows()
        proves = len(self.numbers) > 1 and self.deals >= FEWEST_DEALS  # else the caption says it
        html = render(
            TABLE,
            language=self.language,
            caption=glue_numbers(self.caption()),
            head=head,
            rows=rows,
            verdict=self.verdict() if proves else "",
        )
        return str(html)

    def plot(self, statistic: str = "points", language: str | None = None) -> Picture:
        """Return a picture of the spread of *statistic*, one strategy below the other.

        The bars count matches.  The dot is the mean, the line through it its 95 % interval.
        """
        language = language or self.language
        spread = {name: self.every(name, statistic) for name in self.ranking}
        titles = {
            name: f"{self.label('strategy', name, language)} {self._cell(name, statistic)}"
            for name in spread
        }
        label = self.label("statistic", statistic, language)

        def draw() -> "Figure":
            from matplotlib import pyplot

            edges = _edges([number for numbers in spread.values() for number in numbers])
            figure, grid = pyplot.subplots(
                len(spread), sharex=True, squeeze=False, figsize=(5.6, 0.9 + 1.2 * len(spread))
            )
            for (name, numbers), (axes,) in zip(spread.items(), grid, strict=True):
                counts, _, _ = axes.hist(numbers, bins=edges, color=PALETTE[3])
                mean, half = self.estimate(name, statistic)
                middle = max(counts) / 2
                axes.errorbar(mean, middle, xerr=half, fmt="o", color=INK, capsize=5)
                axes.set_title(titles[name], loc="left")
                axes.spines["left"].set_visible(False)
                axes.set_yticks([])
            axes.set_xlabel(label)
            return figure

        sentences = [label]
        for name, numbers in spread.items():
            low, high = f"{min(numbers):g}", f"{max(numbers):g}"
            sentences.append(text("arena.told", language, title=titles[name], low=low, high=high))
        note = "arena.plot_few" if self.deals < FEWEST_DEALS else "arena.plot"
        return picture(draw, "; ".join(sentences), text(note, language), language)

    def matrix(self, statistic: str = "points", language: str | None = None) -> Picture:
        """Return a picture of the lead of each strategy over each other, coloured where proved."""
        from coursekit.arena.plots import matrix

        return matrix(self, statistic, language or self.language)

    def seats(self, statistic: str = "points", language: str | None = None) -> Picture:
        """Return a picture of what each seat is worth: its mean of *statistic* and interval."""
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
        """Return a picture of up to 20 samples of *deals* deals each: their means of *statistic*.

        The samples follow each other in this result, and share no deal.

        :param bars: whether to draw the 95 % interval of each, and to count those that hold the
            mean of all samples.
        :raises ValueError: unless there are two samples of five deals or more.
        """
        from coursekit.arena.plots import samples

        return samples(
            self, self.name_of(strategy), deals, statistic, bars, language or self.language
        )


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
