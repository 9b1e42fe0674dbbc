"""Confidence in predictions, and whether they came true: of a strategy, or in a class's file."""

from collections.abc import Sequence
from random import Random
from statistics import fmean
from typing import NamedTuple

from coursekit.core.match import play_out
from coursekit.figures import (
    INK,
    PALETTE,
    PAPER,
    Axis,
    Layer,
    Note,
    Panel,
    Picture,
    Points,
    plot,
    segment,
)
from coursekit.files.csvfile import CsvFile, CsvSource
from coursekit.games.wizard.after.history import Share, read_decisions, read_rounds
from coursekit.games.wizard.rules.game import Wizard
from coursekit.games.wizard.rules.options import Options
from coursekit.games.wizard.strategies import CardCounter
from coursekit.words.language import current_language
from coursekit.words.texts import game_text

GROUPS = 10
"""Groups into which 0-100 % are divided."""
COLUMN_NAMES = {"把握": "sure", "命中": "met"}
"""Chinese names of the columns of a class's file."""


class Forecast(NamedTuple):
    """A prediction with the confidence in it, and what came of it."""

    confidence: float  # percent
    met: bool


def try_lone_cards(deals: int, players: int = 4) -> list[Forecast]:
    """Return the chance that ``CardCounter`` gave each seat's only card, in *deals* first rounds.

    Nobody has a choice of cards there, so whether it won says nothing about anybody's plans.
    """
    game = Wizard(players, Options(rounds=(1,)))
    counter = CardCounter(Random(0), game)
    forecasts = []
    for deal in range(deals):
        match = play_out(game, [CardCounter] * players, f"lone/{deal}")
        (now,) = read_rounds(match)
        for seat, seen, _ in read_decisions(match, game.seats):
            if seen.phase == "bid":
                forecasts.append(Forecast(100 * counter.lone_card(seen), now.won(seat) == 1))
    return forecasts


def read_forecasts(source: CsvSource) -> list[Forecast]:
    """Return a class's file: CSV with the columns ``sure`` (0-100 %) and ``met`` (1 or 0).

    :raises FileError: a ``ValueError`` with every mistake in the file, by its line.
    """
    file = CsvFile("wizard", source)
    forecasts = []
    for line in file.lines(("sure", "met"), called=COLUMN_NAMES):
        confidence = line.number_in("sure", range(101), needed=True)
        met = line.number_in("met", range(2), needed=True)
        forecasts.append(Forecast(confidence or 0, met == 1))
    file.check()
    return forecasts


def plot_forecasts(forecasts: Sequence[Forecast], language: str | None = None) -> Picture:
    """Return a picture of how often forecasts came true, by confidence, with 95 % intervals.

    A perfect prophet is on the diagonal; see :attr:`.Share.interval`.
    """
    language = language or current_language()
    groups: dict[int, list[Forecast]] = {}
    for forecast in sorted(forecasts):
        number = min(GROUPS - 1, int(forecast.confidence * GROUPS / 100))
        groups.setdefault(number, []).append(forecast)
    dashed = {"linestyle": "--", "color": INK, "marker": "", "linewidth": 1}
    layers: list[Layer] = [Points([0, 100], [0, 100], style=dashed)]
    paper = {"facecolor": PAPER, "edgecolor": "none", "pad": 0.6}
    font = {"ha": "center", "va": "baseline", "fontsize": 11, "bbox": paper}
    sentences = []
    for group in groups.values():
        mean = fmean(forecast.confidence for forecast in group)
        share = Share(sum(forecast.met for forecast in group), len(group))
        low, high = share.interval
        layers += [
            segment([mean, mean], [low, high], PALETTE[3], 6),
            Points([mean], [share.percent], style={"markersize": 9}),
            Note(str(share.of), mean, high, (0, 5), font),
        ]
        percents = {"sure": f"{mean:.0f}", "percent": f"{share.percent:.0f}"}
        sentences.append(
            game_text("wizard", "figure.sure.each", language, **percents, **share.values())
        )
    x, y = (
        Axis(game_text("wizard", f"figure.sure.{which}", language), ticks=range(0, 101, 20))
        for which in "xy"
    )
    x.low, x.high = -4, 104
    y.low, y.high = -4, 110
    caption = game_text("wizard", "figure.sure.caption", language)
    panel = Panel(layers, x=x, y=y)
    return plot(panel, " ".join([*sentences, caption]), caption, language, height=5.0)
