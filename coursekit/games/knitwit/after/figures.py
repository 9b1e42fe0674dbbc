"""Figures of answers in Knit Wit: of a match, of a class, and under changed rules."""

from collections.abc import Sequence
from functools import lru_cache
from statistics import fmean
from typing import TYPE_CHECKING, Any

from coursekit.core.match import play_out
from coursekit.figures import (
    HATCHES,
    INK,
    PALETTE,
    Axis,
    Bars,
    Panel,
    Picture,
    Points,
    compare_bars,
    plot,
    stack_bars,
)
from coursekit.games.knitwit.after.history import (
    CLASHED,
    COUNTED,
    REJECTED,
    Pad,
    count_forms,
    rate_originality,
    read_levels,
    read_pads,
)
from coursekit.games.knitwit.rules.game import KnitWit
from coursekit.games.knitwit.rules.options import Options
from coursekit.games.knitwit.strategies import STRATEGIES, Wordsmith, speak
from coursekit.words.language import current_language
from coursekit.words.texts import game_text, join_words, seat_name

if TYPE_CHECKING:
    from coursekit.core.match import Match

FATES = (COUNTED, CLASHED, REJECTED)
PLAYERS: tuple[Any, ...] = tuple(kind for kind in STRATEGIES if issubclass(kind, Wordsmith))
"""The strategies in simulated matches: all but chance."""
SEED = "simulated"
SPOOLS = 5
"""Spools in :func:`examples`; few, so that the matches are quick."""
MOST_COMMON = 5
"""Most common answers that are named below a figure."""


def _word(name: str, language: str, /, **values: Any) -> str:
    return game_text("knitwit", f"figure.{name}", language, **values)


# Answers


def fluency(match: "Match", language: str | None = None) -> Picture:
    """Return a picture of the fate of each player's lines in all finished rounds of *match*."""
    language = language or current_language()
    seats = match.game.seats
    names = [seat_name(seat, language, match.names) for seat in seats]
    pads: list[list[Pad]] = [[] for _ in seats]
    for pad in read_pads([match]):
        pads[pad.seat].append(pad)
    lines = sum(pad.lines for pad in pads[0])
    counts = {fate: [_count_fate(own, fate) for own in pads] for fate in FATES}
    groups = {_word(f"fate.{fate}", language): count for fate, count in counts.items()}
    frame = Bars([lines] * len(seats), style={"fill": False, "edgecolor": INK, "linewidth": 0.8})
    panel = Panel(
        [*stack_bars(groups), frame],
        x=Axis(_word("fluency.x", language), low=0, high=max(1, lines)),
        y=Axis(names=names, down=True),
    )
    sentences = []
    for seat, name in enumerate(names):
        values = {fate: count[seat] for fate, count in counts.items()}
        sentences.append(_word("fluency.each", language, name=name, lines=lines, **values))
    caption = _word("fluency.caption", language)
    return plot(panel, " ".join(sentences), caption, language, 1.9 + 0.45 * len(seats))


def _count_fate(pads: Sequence[Pad], fate: str) -> int:
    return sum(answer.fate == fate for pad in pads for answer in pad.answers)


def rare_answers(matches: Sequence["Match"], language: str | None = None) -> Picture:
    """Return a picture of how many pads share an answer, and how original each pad is."""
    language = language or current_language()
    pads = read_pads(matches)
    count = count_forms(pads)
    most = max(count.values(), default=1)
    sharing = range(1, most + 1)  # pads
    answers = [sum(times == pads for times in count.values()) for pads in sharing]
    rated = [(pad, rate) for pad, rate in zip(pads, rate_originality(pads)) if rate is not None]
    fluent = [pad.fluency for pad, _ in rated]
    original = [rate for _, rate in rated]
    colours = [PALETTE[1], *[PALETTE[0]] * (most - 1)]
    bars = Bars(
        answers,
        at=sharing,
        labels=list(map(str, answers)),
        upright=True,
        style={"color": colours},
    )
    dots = Points(
        fluent,
        original,
        style={"marker": "o", "markersize": 60**0.5, "alpha": 0.55, "markeredgecolor": INK},
    )
    panels = [
        Panel(
            [bars],
            x=Axis(_word("rare.on", language)),
            y=Axis(_word("rare.answers", language), ticks=(), low=0, high=1.2 * max(answers)),
        ),
        Panel(
            [dots],
            x=Axis(_word("rare.fluency", language), low=0),
            y=Axis(_word("rare.originality", language), low=-5, high=105, whole=False),
        ),
    ]
    values = {"sheets": len(pads), "answers": len(count), "alone": answers[0]}
    caption = _word("rare.caption", language, **values)
    if common := [(form, times) for form, times in count.most_common(MOST_COMMON) if times > 1]:
        texts = {answer.form: answer.text for pad in pads for answer in pad.answers}
        words = [
            _word("rare.word", language, word=texts[form], times=times) for form, times in common
        ]
        caption += " " + _word("rare.common", language, words=join_words(words, language))
    means = {
        "fluency": f"{fmean(fluent or [0]):.1f}",
        "originality": f"{fmean(original or [0]):.0f}",
    }
    alt = f"{caption} {_word('rare.alt', language, **means)}"
    return plot(panels, alt, caption, language, 6)


def difficulty(matches: Sequence["Match"], language: str | None = None) -> Picture:
    """Return a picture of how often lines count and what they bring, by the number of loops."""
    language = language or current_language()
    levels = read_levels(matches)
    shares = [f"{level.share:.0f}" for level in levels]
    points = [f"{level.points:.2f}" for level in levels]
    panels = [
        _columns(_word("difficulty.share", language), [level.share for level in levels], shares),
        _columns(_word("difficulty.points", language), [level.points for level in levels], points),
    ]
    for panel in panels:
        panel.x.names = [str(level.loops) for level in levels]
    panels[-1].x.label = _word("difficulty.x", language)
    sentences = [
        _word(
            "difficulty.each",
            language,
            loops=level.loops,
            lines=level.lines,
            share=share,
            points=point,
        )
        for level, share, point in zip(levels, shares, points)
    ]
    caption = _word("difficulty.caption", language, lines=sum(level.lines for level in levels))
    return plot(panels, " ".join([caption, *sentences]), caption, language, 4.8)


def _columns(title: str, values: Sequence[float], labels: Sequence[str]) -> Panel:
    """Return a panel of upright bars with their numbers, without an axis beside them."""
    high = 1.25 * max([0.1, *values])
    bars = Bars(values, width=0.6, labels=labels, upright=True)
    return Panel([bars], title, y=Axis(ticks=(), low=0, high=high, line=False))


# Simulated matches


def example(
    number: int, language: str | None = None, players: int = 4, options: Options | None = None
) -> "Match":
    """Return simulated match *number*, played by :data:`PLAYERS` in turn.

    Its seed is the same under all options.

    :param language: the one they write in.
    """
    return play_example(number, language or current_language(), players, options)


@lru_cache(maxsize=256)
def play_example(number: int, language: str, players: int, options: Options | None) -> "Match":
    """Return the match of :func:`example`, played once."""
    everybody = [speak(kind, language) for kind in PLAYERS]
    kinds = [everybody[(number + seat) % len(PLAYERS)] for seat in range(players)]
    return play_out(KnitWit(players, options), kinds, f"{SEED} {number}")


def examples(
    matches: int, language: str | None = None, players: int = 4, **options: Any
) -> list["Match"]:
    """Return *matches* simulated matches with :data:`SPOOLS` spools; see :func:`example`."""
    language = language or current_language()
    rules = Options(**{"loops": SPOOLS} | options)
    return [example(number, language, players, rules) for number in range(1, matches + 1)]


def rate_fates(matches: Sequence["Match"]) -> dict[str, float]:
    """Return how many of all lines of *matches* have each of :data:`FATES`, in percent."""
    pads = read_pads(matches)
    lines = sum(pad.lines for pad in pads)
    return {fate: 100 * _count_fate(pads, fate) / lines for fate in FATES}


def house_rule(
    matches: int = 20, players: int = 4, *, language: str | None = None, **changed: Any
) -> Picture:
    """Return a picture of short matches under changed rules beside some under the standard rules.

    Four players play each.

    :param players: another number of players in the changed matches.
    :param changed: options and their values, such as ``loops=5``.
    """
    language = language or current_language()
    both = {
        "standard": examples(matches, language),
        "changed": examples(matches, language, players, **changed),
    }
    names = [_word(f"fate.{fate}", language) for fate in FATES]
    groups = {}
    for name, played in both.items():
        points = fmean(points for match in played for points in match.state.points)
        legend = _word(f"house.{name}", language, points=f"{points:.1f}")
        groups[legend] = list(rate_fates(played).values())
    bars = compare_bars(groups, ".0f")
    for place, group in enumerate(bars):
        group.style = {"color": PALETTE[1 - place], "hatch": HATCHES[place]}
    panel = Panel(
        [*bars],
        x=Axis(_word("house.x", language), low=0, high=100, whole=False),
        y=Axis(names=names, down=True),
    )
    sentences = [
        _word("house.each", language, name=name, standard=f"{before:.0f}", changed=f"{after:.0f}")
        for name, before, after in zip(names, *groups.values())
    ]
    values = {"matches": matches, "spools": SPOOLS}
    caption = _word("house.caption", language, **values)
    if changed.get("loops", SPOOLS) != SPOOLS:
        caption = _word("house.caption_loops", language, **values, changed=changed["loops"])
    return plot(panel, " ".join([caption, *sentences]), caption, language, 4.2, legend=1)
