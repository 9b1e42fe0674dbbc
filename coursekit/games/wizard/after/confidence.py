"""How sure a prediction was, and whether it came true: the chances of a strategy, or what a class
has written down.
"""

from collections.abc import Sequence
from random import Random
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

from coursekit.core.match import play_out
from coursekit.figures import INK, PALETTE, PAPER, Picture, picture
from coursekit.files.csvfile import CsvFile, CsvSource
from coursekit.games.wizard.after.history import Share, choices, rounds
from coursekit.games.wizard.rules.game import Wizard
from coursekit.games.wizard.rules.options import Options
from coursekit.games.wizard.strategies import CardCounter
from coursekit.words.texts import game_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GROUPS = 10
"""Groups into which 0-100 % are divided."""
CALLED = {"把握": "sure", "命中": "met"}
"""Chinese names of the columns of a class's file."""


class Sure(NamedTuple):
    """A prediction, and what came of it."""

    sure: float  # percent
    met: bool


def lone_cards(deals: int, players: int = 4) -> list[Sure]:
    """Return for each seat of *deals* first rounds the chance that ``CardCounter`` gave its only
    card to win.

    Nobody has a choice of cards there, so whether it won says nothing about anybody's plans.
    """
    game, found = Wizard(players, Options(rounds=(1,))), []
    counter = CardCounter(Random(0), game)
    for deal in range(deals):
        match = play_out(game, [CardCounter] * players, f"lone/{deal}")
        (now,) = rounds(match)
        for seat, seen, _ in choices(match, game.seats):
            if seen.phase == "bid":
                found.append(Sure(100 * counter.lone_card(seen), now.won(seat) == 1))
    return found


def written(source: CsvSource) -> list[Sure]:
    """Return what a class wrote down: a CSV file with the columns ``sure`` (0-100 %) and ``met`` (1
    or 0).

    :raises FileError: a ``ValueError`` with every mistake in the file, by its line.
    """
    file, found = CsvFile("wizard", source), []
    for line in file.lines(("sure", "met"), called=CALLED):
        sure, met = (
            line.number_in("sure", range(101), needed=True),
            line.number_in("met", range(2), needed=True),
        )
        found.append(Sure(sure or 0, met == 1))
    file.check()
    return found


def calibration(made: Sequence[Sure], language: str) -> Picture:
    """Return a picture of how often predictions came true, by how sure they were; a perfect prophet
    is on the diagonal.

    The bars are 95 % intervals, see :attr:`.Share.interval`.
    """
    groups: dict[int, list[Sure]] = {}
    for each in sorted(made):
        groups.setdefault(min(GROUPS - 1, int(each.sure * GROUPS / 100)), []).append(each)
    rows = [
        (fmean(each.sure for each in group), Share(sum(each.met for each in group), len(group)))
        for group in groups.values()
    ]

    def draw() -> "Figure":
        from matplotlib import pyplot

        figure, axes = pyplot.subplots(figsize=(5.6, 5.0))
        axes.plot([0, 100], [0, 100], "--", color=INK, marker="", linewidth=1)
        for sure, share in rows:
            low, high = share.interval
            axes.plot(
                [sure, sure],
                [low, high],
                "-",
                color=PALETTE[3],
                linewidth=6,
                marker="",
                solid_capstyle="round",
            )
            axes.plot([sure], [share.percent], "o", color=PALETTE[0], markersize=9)
            axes.annotate(
                str(share.of),
                (sure, high),
                (0, 5),
                textcoords="offset points",
                ha="center",
                fontsize=11,
                color=INK,
                bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 0.6},
            )
        x, y = (game_text("wizard", f"figure.sure.{each}", language) for each in "xy")
        axes.set(
            xlim=(-4, 104),
            ylim=(-4, 110),
            xticks=range(0, 101, 20),
            yticks=range(0, 101, 20),
            xlabel=x,
            ylabel=y,
        )
        return figure

    told = [
        game_text(
            "wizard",
            "figure.sure.each",
            language,
            sure=f"{sure:.0f}",
            percent=f"{share.percent:.0f}",
            met=share.hits,
            of=share.of,
            low=f"{share.interval[0]:.0f}",
            high=f"{share.interval[1]:.0f}",
        )
        for sure, share in rows
    ]
    caption = game_text("wizard", "figure.sure.caption", language)
    return picture(draw, " ".join([*told, caption]), caption, language)
