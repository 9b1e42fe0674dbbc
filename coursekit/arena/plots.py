"""Pictures of a result: who leads whom, what each seat is worth, and how its samples scatter."""

from collections.abc import Iterable
from itertools import combinations
from statistics import fmean, stdev
from typing import TYPE_CHECKING

from coursekit.arena.statistics import FEWEST_DEALS, Numbers, format_estimate
from coursekit.figures import INK, LINE, MARKERS, PALETTE, PAPER, Picture, picture
from coursekit.words.texts import format_signed, join_words, seat_name, text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BEHIND = "#f2c6a6"
"""Colour of what is behind: as light as that of what is ahead."""
SAMPLES = 20
"""Most samples in a picture: of so many 95 % intervals one misses the true mean, on average."""


def matrix(result: Numbers, statistic: str, language: str) -> Picture:
    """Return a picture of the lead of each strategy over each other, coloured where proved."""
    names = result.ranking
    labels = [result.label("strategy", name, language) for name in names]

    def draw() -> "Figure":
        from matplotlib import pyplot
        from matplotlib.patches import Rectangle

        side = len(names)
        figure, axes = pyplot.subplots(figsize=(max(5.6, 2.2 + 1.1 * side), 1 + 0.7 * side))
        for row, one in enumerate(names):
            for column, other in enumerate(names):
                lead = None if one == other else result.difference(one, other, statistic)
                colour = LINE if one == other else PAPER
                if lead and lead.proved:
                    colour = PALETTE[3] if lead.mean > 0 else BEHIND
                axes.add_patch(Rectangle((column, row), 1, 1, facecolor=colour, edgecolor=INK))
                if lead:
                    words = format_signed(f"{lead.mean:+.1f}")
                    if result.deals >= FEWEST_DEALS:
                        words += f"\n± {lead.interval:.1f}"
                    axes.text(column + 0.5, row + 0.5, words, ha="center", va="center")
        middles = [place + 0.5 for place in range(side)]
        axes.set(
            xlim=(0, side),
            ylim=(side, 0),
            xticks=middles,
            yticks=middles,
            xticklabels=labels,
            yticklabels=labels,
            title=result.label("statistic", statistic, language),
        )
        axes.tick_params(length=0)
        return figure

    verdicts = [
        result.verdict(one, other, statistic, language) for one, other in combinations(names, 2)
    ]
    return picture(draw, " ".join(verdicts), text("arena.matrix", language), language)


def seats(result: Numbers, statistic: str, language: str) -> Picture:
    """Return a picture of what each seat is worth: the mean of *statistic*, with its interval."""
    players = result.game.seats
    worth = {
        result.label("strategy", name, language): result.seat_means(name, statistic)
        for name in result.ranking
    }
    seat_names = [seat_name(seat, language) for seat in players]
    few = result.deals < FEWEST_DEALS

    def draw() -> "Figure":
        from matplotlib import pyplot

        figure, axes = pyplot.subplots()
        for number, (label, estimates) in enumerate(worth.items()):
            beside = 0.6 * ((number + 0.5) / len(worth) - 0.5)  # so that no bar hides another
            axes.errorbar(
                [seat + beside for seat in players],
                [mean for mean, _ in estimates],
                yerr=None if few else [half or 0 for _, half in estimates],
                label=label,
                linestyle="",
                capsize=4,
                marker=MARKERS[number % len(MARKERS)],
                color=PALETTE[number % len(PALETTE)],
            )
        axes.set(
            xticks=list(players),
            xticklabels=seat_names,
            ylabel=result.label("statistic", statistic, language),
        )
        figure.legend(loc="outside upper center", ncols=2)
        return figure

    rows = [
        row_in_words(label, seat_names, map(format_estimate, *zip(*estimates)), language)
        for label, estimates in worth.items()
    ]
    caption = text("arena.seats_few" if few else "arena.seats", language)
    return picture(draw, " ".join(rows), caption, language)


def row_in_words(row: str, names: Iterable[str], numbers: Iterable[str], language: str) -> str:
    """Return a row of a picture as a sentence: each of *names* with its number."""
    parts = [
        text("figure.part", language, name=name, number=number)
        for name, number in zip(names, numbers)
    ]
    return text("figure.row", language, row=row, numbers=join_words(parts, language))


def samples(
    result: Numbers, strategy: str, deals: int, statistic: str, bars: bool, language: str
) -> Picture:
    """Return the picture of :meth:`.Result.samples`."""
    if deals < FEWEST_DEALS or result.deals < 2 * deals:
        raise ValueError(
            f"{result.deals} deals make no two samples of {deals}; "
            f"a sample has at least {FEWEST_DEALS}"
        )
    estimates = result.split(strategy, deals, statistic)[:SAMPLES]
    means = [mean for mean, _ in estimates]
    middle = fmean(means)
    misses = [abs(mean - middle) > half for mean, half in estimates]
    # As wide for samples of any size, so that one sees them draw together
    spread = 2.2 * stdev(map(fmean, result.numbers[strategy][statistic]))
    wide = max(spread, *(abs(mean - middle) for mean in means))
    words = {
        "count": len(estimates),
        "deals": deals,
        "name": result.label("strategy", strategy, language),
    }
    label = result.label("statistic", statistic, language)

    def draw() -> "Figure":
        from matplotlib import pyplot

        figure, axes = pyplot.subplots(figsize=(5.6, 1.3 + 0.17 * len(estimates)))
        axes.axvline(middle, color=INK, linewidth=1.2, linestyle="--", marker="")
        for row, ((mean, half), missed) in enumerate(zip(estimates, misses)):
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
            xlabel=label,
            ylim=(len(estimates) - 0.3, -0.7),
            xlim=(middle - wide, middle + wide),
        )
        axes.set_title(text("arena.samples.title", language, **words), loc="left")
        axes.spines["left"].set_visible(False)
        return figure

    sentence = text(
        "arena.samples.told",
        language,
        **words,
        statistic=label,
        low=format_estimate(min(means), None),
        high=format_estimate(max(means), None),
        middle=format_estimate(middle, None),
    )
    if bars:
        half = f"{fmean(half for _, half in estimates):.1f}"
        caught = misses.count(False)
        caption = text(
            "arena.samples.bars", language, caught=caught, count=len(estimates), half=half
        )
    else:
        caption = text("arena.samples.dots", language)
    return picture(draw, f"{sentence} {caption}", caption, language)
