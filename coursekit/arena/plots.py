"""Pictures of a result: who is ahead of whom, what each seat is worth, and how samples of it
scatter.
"""

from itertools import combinations
from statistics import fmean, stdev
from typing import TYPE_CHECKING

from coursekit.arena.statistics import FEWEST_DEALS, Numbers, with_interval
from coursekit.figures import INK, LINE, MARKERS, PALETTE, PAPER, Picture, picture
from coursekit.words.texts import format_signed, join_words, seat_name, text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BEHIND = "#f2c6a6"
"""Colour of what is behind: as light as that of what is ahead."""
SAMPLES = 20
"""Most samples in a picture: of so many 95 % intervals one misses the true mean, on average."""


def matrix(result: Numbers, statistic: str, language: str) -> Picture:
    """Return a picture of how far each strategy is ahead of each other one, coloured where that is
    proved.
    """
    names = result.ranking
    labels = [result.label("strategy", name, language) for name in names]

    def draw() -> "Figure":
        from matplotlib import pyplot
        from matplotlib.patches import Rectangle

        side = len(names)
        figure, axes = pyplot.subplots(figsize=(max(5.6, 2.2 + 1.1 * side), 1 + 0.7 * side))
        for row, one in enumerate(names):
            for column, other in enumerate(names):
                found = None if one == other else result.difference(one, other, statistic)
                colour = LINE if one == other else PAPER
                if found and found.proved:
                    colour = PALETTE[3] if found.mean > 0 else BEHIND
                axes.add_patch(Rectangle((column, row), 1, 1, facecolor=colour, edgecolor=INK))
                if found:
                    half = f"\n± {found.interval:.1f}" if result.deals >= FEWEST_DEALS else ""
                    ahead = format_signed(f"{found.mean:+.1f}")
                    axes.text(column + 0.5, row + 0.5, ahead + half, ha="center", va="center")
        middle = [each + 0.5 for each in range(side)]
        axes.set(
            xlim=(0, side),
            ylim=(side, 0),
            xticks=middle,
            yticks=middle,
            xticklabels=labels,
            yticklabels=labels,
            title=result.label("statistic", statistic, language),
        )
        axes.tick_params(length=0)
        return figure

    told = [
        result.verdict(one, other, statistic, language) for one, other in combinations(names, 2)
    ]
    return picture(draw, " ".join(told), text("arena.matrix", language), language)


def seats(result: Numbers, statistic: str, language: str) -> Picture:
    """Return a picture of what each seat is worth: the mean of *statistic* there, with its 95 %
    interval.
    """
    players = result.game.seats
    worth = {
        result.label("strategy", name, language): result.seat_means(name, statistic)
        for name in result.ranking
    }
    where = [seat_name(seat, language) for seat in players]
    few = result.deals < FEWEST_DEALS

    def draw() -> "Figure":
        from matplotlib import pyplot

        figure, axes = pyplot.subplots()
        for number, (label, found) in enumerate(worth.items()):
            at = [seat + 0.6 * ((number + 0.5) / len(worth) - 0.5) for seat in players]
            bar = None if few else [half for _, half in found]
            axes.errorbar(
                at,
                [mean for mean, _ in found],
                yerr=bar,
                label=label,
                linestyle="",
                capsize=4,
                marker=MARKERS[number % len(MARKERS)],
                color=PALETTE[number % len(PALETTE)],
            )
        axes.set(
            xticks=list(players),
            xticklabels=where,
            ylabel=result.label("statistic", statistic, language),
        )
        figure.legend(loc="outside upper center", ncols=2)
        return figure

    told = []
    for label, found in worth.items():
        cells = [with_interval(mean, None if few else half) for mean, half in found]
        parts = [
            text("figure.part", language, name=seat, number=each)
            for seat, each in zip(where, cells)
        ]
        told.append(text("figure.row", language, row=label, numbers=join_words(parts, language)))
    return picture(
        draw, " ".join(told), text("arena.seats_few" if few else "arena.seats", language), language
    )


def samples(
    result: Numbers, strategy: str, deals: int, statistic: str, bars: bool, language: str
) -> Picture:
    """Return the picture of :meth:`.Result.samples`."""
    if deals < FEWEST_DEALS or result.deals < 2 * deals:
        raise ValueError(
            f"{result.deals} deals make no two samples of {deals}; a sample has at least {FEWEST_DEALS}"
        )
    found = result.sampled(strategy, deals, statistic)[:SAMPLES]
    middle = fmean(mean for mean, _ in found)
    misses = [abs(mean - middle) > half for mean, half in found]
    name, what = (
        result.label("strategy", strategy, language),
        result.label("statistic", statistic, language),
    )
    # As wide for samples of any size, so that one sees them draw together
    wide = max(
        2.2 * stdev(map(fmean, result.numbers[strategy][statistic])),
        *(abs(mean - middle) for mean, _ in found),
    )

    def draw() -> "Figure":
        from matplotlib import pyplot

        figure, axes = pyplot.subplots(figsize=(5.6, 1.3 + 0.17 * len(found)))
        axes.axvline(middle, color=INK, linewidth=1.2, linestyle="--", marker="")
        for row, ((mean, half), missed) in enumerate(zip(found, misses)):
            colour, mark = (PALETTE[1], "X") if bars and missed else (PALETTE[0], "o")
            axes.errorbar(
                mean,
                row,
                xerr=half if bars else None,
                color=colour,
                marker=mark,
                capsize=2,
                linewidth=1.6,
            )
        axes.set(
            yticks=[],
            xlabel=what,
            ylim=(len(found) - 0.3, -0.7),
            xlim=(middle - wide, middle + wide),
        )
        axes.set_title(
            text("arena.samples.title", language, count=len(found), deals=deals, name=name),
            loc="left",
        )
        axes.spines["left"].set_visible(False)
        return figure

    means = [mean for mean, _ in found]
    low, high, centre = (with_interval(each, None) for each in (min(means), max(means), middle))
    told = text(
        "arena.samples.told",
        language,
        count=len(found),
        deals=deals,
        name=name,
        statistic=what,
        low=low,
        high=high,
        middle=centre,
    )
    caption = text("arena.samples.dots", language)
    if bars:
        half = fmean(half for _, half in found)
        caught = {"caught": misses.count(False), "count": len(found), "half": f"{half:.1f}"}
        caption = text("arena.samples.bars", language, **caught)
    return picture(draw, f"{told} {caption}", caption, language)
