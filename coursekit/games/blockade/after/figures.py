"""Figures of 文壇封鎖中: a match beside history, who paid for an O and an O, and matches under changed
rules.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

from coursekit.core.game import TABLE
from coursekit.core.match import play_out
from coursekit.figures import HATCHES, INK, LINE, MARKERS, PALETTE, Picture, picture
from coursekit.games.blockade.after.history import Era, Toll, choices, eras, toll
from coursekit.games.blockade.rules import card_files
from coursekit.games.blockade.rules.card_codes import CENSORS, LIFTING, ROLES
from coursekit.games.blockade.rules.card_facts import ERAS, in_language
from coursekit.games.blockade.rules.game import Blockade
from coursekit.games.blockade.rules.options import Options
from coursekit.games.blockade.strategies import Greedy
from coursekit.words.texts import game_text, seat_name

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from coursekit.core.match import Match

PLAYER = Greedy
"""Plays all four seats of a simulated match, so that differences come from the rules; roles are
drawn by lot.
"""
SEED = "simulated"
SWEEPS: dict[str, tuple[int, ...]] = {
    "o_faces": (1, 2, 3, 4, 5),
    "lifting_year": (1979, 1983, 1987, 1991, 1993),
}
"""The options of :func:`sweep`, and their values: 1979 and 1993 lie beside the last era."""


# A match beside history


def laps(match: "Match", era: Era) -> tuple[list[list[int]], list[tuple[int, float]]]:
    """Return the way of the markers in *era*: by seat the position at its start and after each lap,
    and each event that happened with the laps played before it, in quarters."""
    mine = [each for each in choices(match) if each.era == era.number and each.entry >= era.begins]
    turns = {each.entry: each.turn for each in mine}
    last = max((each.lap for each in mine if each.seat != TABLE), default=0)
    paths = [[0] * (last + 1) for _ in era.positions]
    for move in era.moves:
        for lap in range(turns.get(move.entry, 0) // 4 + 1, last + 1):
            paths[move.seat][lap] = move.end
    return paths, [(each.event, turns.get(each.entry, 0) / 4) for each in era.happenings]


def timeline(match: "Match", language: str, era: int | None = None) -> Picture:
    """Return a picture of one *era* of *match*, the last one by default: above what happened in
    history, below and apart from it where the markers stood on the track.

    :raises ValueError: if that era has not been played.
    """
    played = {each.number: each for each in eras(match)}
    number = max(played) if era is None else era
    if number not in played:
        raise ValueError(
            f"era is one of {', '.join(map(str, played))}, those played so far, not {era}"
        )
    now, years = played[number], ERAS[number]
    paths, happened = laps(match, now)
    game: Blockade = match.game  # type: ignore[assignment]

    def draw() -> "Figure":
        from matplotlib import pyplot
        from matplotlib.ticker import MaxNLocator

        history = [each for each in card_files.events() if each.year in years]
        figure, (above, below) = pyplot.subplots(
            2, sharex=True, figsize=(6, 6.6), height_ratios=(2, 3.4)
        )
        for row, event in enumerate(history):
            name = f" {event.year} {in_language(event.name_zh, event.name_en, language)} "
            left = event.year - years[0] > len(years) / 2
            above.plot([event.year], [row], "o", color=INK)
            above.annotate(
                name,
                (event.year, row),
                (-5 if left else 5, 0),
                textcoords="offset points",
                ha="right" if left else "left",
                va="center",
            )
        above.set(ylim=(len(history) - 0.4, -0.6), yticks=[])
        above.set_title(_word("figure.timeline.history", language), loc="left")
        above.spines["left"].set_visible(False)
        above.tick_params(labelbottom=True)
        below.set_facecolor("#f6f2ea")
        for seat in sorted(game.seats, key=lambda seat: now.roles[seat]):
            role = now.roles[seat]
            at = [game.year(number, position) + 0.12 * (role - 1.5) for position in paths[seat]]
            below.plot(
                at,
                range(len(at)),
                marker=MARKERS[role],
                color=PALETTE[role],
                markersize=6,
                linestyle="--" if role in CENSORS else "-",
                label=_role_of(match, seat, role, language),
            )
        for event_year, lap in happened:
            year = game.options.lifting_year if event_year == LIFTING else event_year
            below.annotate(
                str(event_year),
                (year, lap),
                ha="center",
                va="center",
                fontsize=10,
                bbox={"facecolor": "white", "edgecolor": INK, "boxstyle": "round,pad=0.2"},
            )
        below.set_title(_word("figure.timeline.match", language), loc="left")
        below.set(
            xlim=(game.year(number, 0) - 0.5, game.year(number, now.goal) + 0.5),
            ylim=(max(len(paths[0]) - 0.5, 1.5), -0.7),
            ylabel=_word("figure.timeline.y", language),
            xlabel=_word("figure.timeline.x", language),
        )
        below.yaxis.set_major_locator(MaxNLocator(integer=True))
        below.xaxis.set_major_locator(MaxNLocator(7, integer=True))
        below.grid(axis="x", color=LINE)
        below.axvline(game.year(number, now.goal), color=INK, linewidth=1)
        figure.legend(loc="outside lower center", ncols=2)
        return figure

    told = [
        game_text(
            game,
            "figure.timeline.alt",
            language,
            match.names,
            seat=seat,
            role=now.roles[seat],
            year=game.year(number, position),
        )
        for seat, position in enumerate(now.positions)
    ]
    what = game_text(game, "figure.timeline.caption", language, era=number, laps=len(paths[0]) - 1)
    named = [
        game_text(game, "figure.timeline.happened", language, event=event, lap=int(lap) + 1)
        for event, lap in happened
    ]
    return picture(draw, " ".join([what, *told, *named]), what, language)


def _role_of(match: "Match", seat: int, role: int, language: str) -> str:
    return f"{_role(role, language)}  {seat_name(seat, language, match.names)}"


# Who paid


def who_paid(tolls: Sequence[Toll], language: str, matches: int = 1, played: str = "") -> Picture:
    """Return a picture of what searches and protests that succeeded brought and cost each role.

    :param tolls: by role, summed over *matches*; the picture shows the mean of a match.
    :param played: a sentence on the rules that these matches were played by.
    """
    rows = range(len(tolls))
    means = {
        what: [
            [getattr(each, f"{what}_{how}") / matches for each in tolls] for how in ("won", "lost")
        ]
        for what in ("spaces", "books")
    }

    def draw() -> "Figure":
        from matplotlib import pyplot

        figure, panels = pyplot.subplots(2, figsize=(5.6, 5.8))
        for axes, (what, (won, lost)) in zip(panels, means.items()):
            widest = max(1, *won, *lost)
            ways = (
                ("won", won, PALETTE[0], HATCHES[0], 1),
                ("lost", lost, PALETTE[1], HATCHES[1], -1),
            )
            for way, numbers, colour, hatch, sign in ways:
                label = _word(f"figure.paid.{way}", language) if what == "spaces" else None
                bars = axes.barh(
                    rows,
                    [sign * number for number in numbers],
                    0.66,
                    color=colour,
                    hatch=hatch,
                    edgecolor="white",
                    label=label,
                )
                axes.bar_label(
                    bars,
                    [_number(number, matches) if number else "" for number in numbers],
                    padding=4,
                )
            axes.axvline(0, color=INK, linewidth=1)
            axes.set(
                yticks=rows,
                yticklabels=[_role(role, language) for role in rows],
                xticks=[],
                xlim=(-1.3 * widest, 1.3 * widest),
            )
            axes.spines["bottom"].set_visible(False)
            axes.set_title(_word(f"figure.paid.{what}", language), loc="left")
            axes.invert_yaxis()
        figure.legend(loc="outside upper center", ncols=2)
        return figure

    told = [
        game_text(
            "blockade",
            "figure.paid.each",
            language,
            panel=_word(f"figure.paid.{what}", language),
            role=_role(role, language),
            won=_number(won[role], matches),
            lost=_number(lost[role], matches),
        )
        for what, (won, lost) in means.items()
        for role in rows
    ]
    caption = game_text(
        "blockade",
        "figure.paid.mean" if matches > 1 else "figure.paid.one",
        language,
        matches=matches,
        attempts=_number(sum(each.attempts for each in tolls) / matches, matches),
        successes=_number(sum(each.successes for each in tolls) / matches, matches),
    )
    caption = f"{played} {caption}".strip()
    return picture(draw, " ".join([caption, *told]), caption, language)


def _number(number: float, matches: int) -> str:
    return f"{number:.0f}" if matches == 1 else f"{number:.1f}"


# Simulated matches


class Played(NamedTuple):
    """The results of one simulated match."""

    shares: tuple[float, ...]  # by role: 1 for the winner, shared if several win
    tolls: tuple[Toll, ...]  # by role


class Share(NamedTuple):
    """A percentage of matches, and its 95 % confidence interval."""

    mean: float
    low: float
    high: float


@dataclass
class Count:
    """Many matches together."""

    played: list[Played]

    def share(self, *roles: int) -> Share:
        """Return the percentage of the matches that *roles* won.

        The interval is Wilson's: few matches that all end alike do not look certain.
        """
        won, n = sum(each.shares[role] for each in self.played for role in roles), len(self.played)
        part, z = won / n, 1.96
        centre, half = part + z * z / (2 * n), z * sqrt(part * (1 - part) / n + z * z / (4 * n * n))
        low, high = ((centre + sign * half) / (1 + z * z / n) for sign in (-1, 1))
        return Share(100 * part, 100 * max(0, min(low, part)), 100 * min(1, max(high, part)))

    def tolls(self) -> list[Toll]:
        """Return the :class:`Toll` of each role, summed over all matches."""
        names = [each.name for each in fields(Toll)]
        return [
            Toll(
                **{
                    name: sum(getattr(each.tolls[role], name) for each in self.played)
                    for name in names
                }
            )
            for role in range(len(ROLES))
        ]


def simulated(options: Options, matches: int) -> Count:
    """Return what happens in *matches* matches; match *n* has the same seed under all options."""
    return Count([_play(options, number) for number in range(matches)])


@lru_cache(maxsize=2000)
def _play(options: Options, number: int) -> Played:
    match = play_out(Blockade(4, options), [PLAYER] * 4, f"{SEED} {number}")
    found, roles = eras(match), match.state.roles
    shares = [0.0] * 4
    for seat in match.state.won:
        shares[roles[seat]] = 1 / len(match.state.won)
    return Played(tuple(shares), tuple(toll(found)))


def simulated_toll(language: str, matches: int = 20, era: int = 1) -> Picture:
    """Return :func:`who_paid` of simulated matches of one *era*, as long as a class plays."""
    options = replace(Blockade.preset("one_era"), eras=(era,))
    played = game_text(
        "blockade",
        "figure.paid.laps",
        language,
        years=_word(f"era.{era}", language),
        laps=options.laps_limit,
    )
    return who_paid(simulated(options, matches).tolls(), language, matches, played)


def house_rule(language: str, option: str, value: int, matches: int = 10, era: int = 4) -> Picture:
    """Return a picture of how often each role wins an *era* with another *value* of an *option* of
    :data:`SWEEPS`, beside the standard one.
    """
    values = (getattr(Options(), option), value)
    counts = [simulated(_one_era(era, option, each), matches) for each in values]
    shares = [[count.share(role) for role in range(len(ROLES))] for count in counts]
    label = _word(f"option.{option}.label", language)
    rules = [
        game_text(
            "blockade",
            f"figure.house.{which}",
            language,
            option=label,
            value=_value(option, each, era, language),
        )
        for which, each in zip(("standard", "changed"), values)
    ]

    def draw() -> "Figure":
        from matplotlib import pyplot

        figure, axes = pyplot.subplots(figsize=(5.6, 4.8))
        for place, (name, found) in enumerate(zip(rules, shares)):
            at = [role + 0.4 * place - 0.2 for role in range(len(ROLES))]
            axes.barh(
                at,
                [share.mean for share in found],
                0.38,
                color=PALETTE[1 - place],
                hatch=HATCHES[place],
                edgecolor="white",
                xerr=_thin_lines(found),
                label=name,
                error_kw={"ecolor": INK, "capsize": 3, "linewidth": 1.4},
            )
        axes.axvline(25, color=INK, linewidth=1, linestyle=":")
        axes.set(
            xlim=(0, 100),
            yticks=range(len(ROLES)),
            xlabel=_word("figure.share", language),
            yticklabels=[_role(role, language) for role in range(len(ROLES))],
        )
        axes.invert_yaxis()
        figure.legend(loc="outside upper center")
        return figure

    told = [
        _told("figure.house.each", share, language, rules=name, name=_role(role, language))
        for name, found in zip(rules, shares)
        for role, share in enumerate(found)
    ]
    what = game_text(
        "blockade",
        "figure.house.caption",
        language,
        matches=matches,
        years=_word(f"era.{era}", language),
    )
    return picture(draw, " ".join([what, *told]), what, language)


def _one_era(era: int, option: str, value: int) -> Options:
    """Return the options of one *era*, played to its end, with another *value*."""
    options: Options = Blockade.options_from({"eras": (era,), option: value})
    return options


def _thin_lines(found: Sequence[Share]) -> list[list[float]]:
    """Return the reach of the confidence intervals below and above the shares."""
    return [
        [share.mean - share.low for share in found],
        [share.high - share.mean for share in found],
    ]


def _told(id: str, share: Share, language: str, **values: str) -> str:
    return game_text(
        "blockade",
        id,
        language,
        share=f"{share.mean:.0f}",
        low=f"{share.low:.0f}",
        high=f"{share.high:.0f}",
        **values,
    )


def sweep(language: str, option: str, matches: int = 10, era: int = 4) -> Picture:
    """Return a picture of how often each camp wins an *era*, for each value of an *option* of
    :data:`SWEEPS`.
    """
    values = SWEEPS[option]
    counts = [simulated(_one_era(era, option, value), matches) for value in values]
    names = [_value(option, value, era, language) for value in values]
    sides = {
        "censors": [role for role in range(4) if role in CENSORS],
        "pens": [role for role in range(4) if role not in CENSORS],
    }
    camps = {
        _word(f"figure.camp.{camp}", language): [count.share(*roles) for count in counts]
        for camp, roles in sides.items()
    }

    def draw() -> "Figure":
        from matplotlib import pyplot

        figure, axes = pyplot.subplots(figsize=(5.6, 4))
        for place, (camp, found) in enumerate(camps.items()):
            at = [number + 0.08 * place - 0.04 for number in range(len(values))]
            axes.errorbar(
                at,
                [share.mean for share in found],
                _thin_lines(found),
                color=PALETTE[place],
                marker=MARKERS[place],
                linestyle=("--", "-")[place],
                capsize=4,
                label=camp,
            )
        axes.axhline(50, color=INK, linewidth=1, linestyle=":")
        axes.set(
            ylim=(0, 100),
            xticks=range(len(values)),
            ylabel=_word("figure.share", language),
            xticklabels=names,
            xlabel=_word(f"option.{option}.label", language),
        )
        figure.legend(loc="outside upper center", ncols=2)
        return figure

    told = [
        _told("figure.sweep.each", share, language, value=value, name=camp)
        for camp, found in camps.items()
        for value, share in zip(names, found)
    ]
    what = game_text(
        "blockade",
        "figure.house.caption",
        language,
        matches=matches,
        years=_word(f"era.{era}", language),
    )
    return picture(draw, " ".join([what, *told]), what, language)


def _value(option: str, value: int, era: int, language: str) -> str:
    """Return a value as a picture of one *era* writes it; a year of another era is before it, or
    never comes.
    """
    if option == "lifting_year" and value not in ERAS[era]:
        return _word(
            "figure.sweep.before" if value < ERAS[era][0] else "figure.sweep.never", language
        )
    return str(value)


def _role(role: int, language: str) -> str:
    return _word(f"role.{ROLES[role]}", language)


def _word(id: str, language: str) -> str:
    return game_text("blockade", id, language)
