"""Figures of answers in Knit Wit: of a match, of a class, and under changed rules."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import fmean
from typing import TYPE_CHECKING, Any

from coursekit.core.match import play_out
from coursekit.figures import HATCHES, INK, PALETTE, Picture, picture
from coursekit.games.knitwit.after.history import (
    CLASHED,
    COUNTED,
    REJECTED,
    by_loops,
    common,
    originality,
    sheets,
)
from coursekit.games.knitwit.rules.game import KnitWit
from coursekit.games.knitwit.rules.options import Options
from coursekit.games.knitwit.strategies import STRATEGIES, Wordsmith, speaking
from coursekit.words.texts import game_text, join_words, seat_name

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from coursekit.core.match import Match

FATES = (COUNTED, CLASHED, REJECTED)
PLAYERS: tuple[Any, ...] = tuple(kind for kind in STRATEGIES if issubclass(kind, Wordsmith))
"""The strategies in simulated matches: all but chance."""
SEED = "simulated"
SPOOLS = 5
"""Spools in :func:`examples`; few, so that the matches are quick."""
MOST_COMMON = 5
"""Most common answers that are named below a figure."""


def _word(id: str, language: str, **values: Any) -> str:
    return game_text("knitwit", f"figure.{id}", language, **values)


# Answers


def fluency(match: "Match", language: str) -> Picture:
    """Return a picture of the fate of each player's lines in all finished rounds of *match*."""
    written, seats = sheets([match]), match.game.seats
    names = [seat_name(seat, language, match.names) for seat in seats]
    rows = {
        fate: [
            sum(
                each.fate == fate
                for sheet in written
                if sheet.seat == seat
                for each in sheet.answers
            )
            for seat in seats
        ]
        for fate in FATES
    }
    lines = sum(sheet.lines for sheet in written) // len(seats)

    def draw() -> "Figure":
        from matplotlib import pyplot
        from matplotlib.ticker import MaxNLocator

        figure, axes = pyplot.subplots(figsize=(5.6, 1.9 + 0.45 * len(seats)))
        so_far = [0] * len(seats)
        for place, (fate, width) in enumerate(rows.items()):
            axes.barh(
                seats,
                width,
                0.7,
                so_far,
                color=PALETTE[place],
                hatch=HATCHES[place],
                edgecolor="white",
                label=_word(f"fate.{fate}", language),
            )
            so_far = [before + now for before, now in zip(so_far, width)]
        axes.barh(seats, [lines] * len(seats), 0.7, fill=False, edgecolor=INK, linewidth=0.8)
        axes.set(
            yticks=list(seats),
            yticklabels=names,
            xlim=(0, max(1, lines)),
            xlabel=_word("fluency.x", language),
        )
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.invert_yaxis()
        figure.legend(loc="outside upper center", ncols=2)
        return figure

    told = [
        _word(
            "fluency.each",
            language,
            name=names[seat],
            lines=lines,
            **{fate: rows[fate][seat] for fate in FATES},
        )
        for seat in seats
    ]
    return picture(draw, " ".join(told), _word("fluency.caption", language), language)


def rare_answers(matches: Sequence["Match"], language: str) -> Picture:
    """Return a picture of a class: the sheets that share an answer, and each sheet's fluency and
    originality.
    """
    written = sheets(matches)
    count, original = common(written), originality(written)
    on = [
        sum(times == number for times in count.values())
        for number in range(1, max(count.values(), default=1) + 1)
    ]
    dots = [(sheet.fluency, rate) for sheet, rate in zip(written, original) if rate is not None]

    def draw() -> "Figure":
        from matplotlib import pyplot
        from matplotlib.ticker import MaxNLocator

        figure, (above, below) = pyplot.subplots(2, figsize=(5.6, 6))
        bars = above.bar(
            range(1, len(on) + 1), on, 0.7, color=[PALETTE[1], *[PALETTE[0]] * (len(on) - 1)]
        )
        above.bar_label(bars, padding=2)
        above.set(
            xlabel=_word("rare.on", language),
            ylabel=_word("rare.answers", language),
            yticks=[],
            ylim=(0, 1.2 * max(on)),
        )
        above.xaxis.set_major_locator(MaxNLocator(integer=True))
        below.scatter(
            [x for x, _ in dots], [y for _, y in dots], 60, PALETTE[0], alpha=0.55, edgecolors=INK
        )
        below.set(
            xlabel=_word("rare.fluency", language),
            ylabel=_word("rare.originality", language),
            xlim=(0, None),
            ylim=(-5, 105),
        )
        below.xaxis.set_major_locator(MaxNLocator(integer=True))
        return figure

    caption = _word("rare.caption", language, sheets=len(written), answers=len(count), alone=on[0])
    if often := [(form, times) for form, times in count.most_common(MOST_COMMON) if times > 1]:
        shown = {answer.form: answer.text for sheet in written for answer in sheet.answers}
        each = [
            _word("rare.word", language, word=shown[form], times=times) for form, times in often
        ]
        caption += " " + _word("rare.common", language, words=join_words(each, language))
    means = _word(
        "rare.alt",
        language,
        fluency=f"{fmean([x for x, _ in dots] or [0]):.1f}",
        originality=f"{fmean([y for _, y in dots] or [0]):.0f}",
    )
    return picture(draw, f"{caption} {means}", caption, language)


def difficulty(matches: Sequence["Match"], language: str) -> Picture:
    """Return a picture of how often lines count and what they bring, by the loops around their
    spools.
    """
    levels = by_loops(matches)

    def draw() -> "Figure":
        from matplotlib import pyplot

        at = [str(each.loops) for each in levels]
        panels = {
            "share": ([each.share for each in levels], ".0f"),
            "points": ([each.points for each in levels], ".2f"),
        }
        figure, grid = pyplot.subplots(2, figsize=(5.6, 4.8))
        for axes, (name, (values, form)) in zip(grid, panels.items()):
            bars = axes.bar(at, values, 0.6, color=PALETTE[0])
            axes.bar_label(bars, [format(value, form) for value in values], padding=2)
            axes.set_title(_word(f"difficulty.{name}", language), loc="left")
            axes.set(ylim=(0, 1.25 * max([0.1, *values])), yticks=[])
            axes.spines["left"].set_visible(False)
        grid[-1].set_xlabel(_word("difficulty.x", language))
        return figure

    told = [
        _word(
            "difficulty.each",
            language,
            loops=each.loops,
            lines=each.lines,
            share=f"{each.share:.0f}",
            points=f"{each.points:.2f}",
        )
        for each in levels
    ]
    caption = _word("difficulty.caption", language, lines=sum(each.lines for each in levels))
    return picture(draw, " ".join([caption, *told]), caption, language)


# Simulated matches


@dataclass(frozen=True)
class Rates:
    """The fates of the lines of many matches, in percent of all lines, and the mean points of a
    player.
    """

    counted: float
    clashed: float
    rejected: float
    points: float


@lru_cache(maxsize=256)
def example(
    number: int, language: str, players: int = 4, options: Options | None = None
) -> "Match":
    """Return simulated match *number*, played by :data:`PLAYERS` in turn, with the same seed under
    all options.

    :param language: the one they write in.
    """
    everybody = [speaking(kind, language) for kind in PLAYERS]
    kinds = [everybody[(number + seat) % len(PLAYERS)] for seat in range(players)]
    return play_out(KnitWit(players, options), kinds, f"{SEED} {number}")


def examples(matches: int, language: str, players: int = 4, **options: Any) -> list["Match"]:
    """Return *matches* simulated matches with :data:`SPOOLS` spools; see :func:`example`."""
    rules = Options(**{"loops": SPOOLS} | options)
    return [example(number, language, players, rules) for number in range(1, matches + 1)]


def rates(played: Sequence["Match"]) -> Rates:
    """Return the fates of all lines of *played*."""
    written = sheets(played)
    lines = sum(sheet.lines for sheet in written)
    count = {
        fate: sum(each.fate == fate for sheet in written for each in sheet.answers)
        for fate in FATES
    }
    shares = {fate: 100 * count[fate] / lines for fate in FATES}
    return Rates(
        **shares, points=fmean(points for match in played for points in match.state.points)
    )


def house_rule(language: str, matches: int = 20, players: int = 4, **changed: Any) -> Picture:
    """Return a picture of short matches under changed rules beside some under the standard rules,
    four players each.

    :param players: another number of players in the changed matches.
    :param changed: options and their values, such as ``loops=5``.
    """
    two = [
        rates(examples(matches, language)),
        rates(examples(matches, language, players, **changed)),
    ]
    names = [_word(f"fate.{fate}", language) for fate in FATES]

    def draw() -> "Figure":
        from matplotlib import pyplot

        figure, axes = pyplot.subplots(figsize=(5.6, 4.2))
        for place, (which, each) in enumerate(zip(("standard", "changed"), two)):
            at = [row + 0.4 * place - 0.2 for row in range(len(FATES))]
            values = [getattr(each, fate) for fate in FATES]
            bars = axes.barh(
                at,
                values,
                0.38,
                color=PALETTE[1 - place],
                hatch=HATCHES[place],
                edgecolor="white",
                label=_word(f"house.{which}", language, points=f"{each.points:.1f}"),
            )
            axes.bar_label(bars, [f"{value:.0f}" for value in values], padding=3)
        axes.set(
            xlim=(0, 100),
            yticks=range(len(FATES)),
            yticklabels=names,
            xlabel=_word("house.x", language),
        )
        axes.invert_yaxis()
        figure.legend(loc="outside upper center")
        return figure

    told = [
        _word(
            "house.each",
            language,
            name=name,
            standard=f"{getattr(two[0], fate):.0f}",
            changed=f"{getattr(two[1], fate):.0f}",
        )
        for name, fate in zip(names, FATES)
    ]
    caption = _word("house.caption", language, matches=matches, spools=SPOOLS)
    if changed.get("loops", SPOOLS) != SPOOLS:
        caption = _word(
            "house.caption_loops",
            language,
            matches=matches,
            spools=SPOOLS,
            changed=changed["loops"],
        )
    return picture(draw, " ".join([caption, *told]), caption, language)
