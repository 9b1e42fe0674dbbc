"""Figures of 文壇封鎖中: a match beside history, who paid for an O and an O, changed rules."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from math import sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from coursekit.core.game import TABLE
from coursekit.core.match import play_out
from coursekit.figures import (
    INK,
    Axis,
    Bars,
    Layer,
    Note,
    Panel,
    Picture,
    Points,
    Rule,
    compare_bars,
    plot,
)
from coursekit.games.blockade.after.history import Era, History, Toll, add_tolls
from coursekit.games.blockade.rules import card_files
from coursekit.games.blockade.rules.card_codes import CENSORS, LIFTING, PENS, ROLES
from coursekit.games.blockade.rules.card_facts import ERAS, text_of
from coursekit.games.blockade.rules.game import Blockade
from coursekit.games.blockade.rules.options import Options
from coursekit.games.blockade.strategies import Greedy
from coursekit.words.language import current_language
from coursekit.words.texts import game_text, seat_name

if TYPE_CHECKING:
    from coursekit.core.match import Match

PLAYER = Greedy
"""Plays all four seats of a simulated match, so that differences come from the rules alone."""
SEED = "simulated"
SWEEPS: dict[str, tuple[int, ...]] = {
    "o_faces": (1, 2, 3, 4, 5),
    "lifting_year": (1979, 1983, 1987, 1991, 1993),
}
"""The options of :func:`sweep`, and their values: 1979 and 1993 lie beside the last era."""
ALL_ROLES = range(len(ROLES))


# A match beside history


def laps(history: History, era: Era) -> tuple[list[list[int]], list[tuple[int, float]]]:
    """Return the way of the markers in *era*, and the events that happened.

    The way is by seat the position at its start and after each lap; beside each event stand the
    laps played before it, in quarters.
    """
    turns: dict[int, int] = {}
    last = 0
    for decision in history.decisions[era.begins :]:
        if decision.era == era.number:
            turns[decision.entry] = decision.turn
            if decision.seat != TABLE:
                last = decision.lap
    paths = [[0] * (last + 1) for _ in era.positions]
    for move in era.moves:
        for lap in range(turns.get(move.entry, 0) // 4 + 1, last + 1):
            paths[move.seat][lap] = move.end
    return paths, [(event.event, turns.get(event.entry, 0) / 4) for event in era.happenings]


def timeline(match: "Match", language: str | None = None, era: int | None = None) -> Picture:
    """Return a picture of one *era* of *match*, the last one by default.

    What happened in history stands above and apart from where the markers stood on the track.

    :raises ValueError: if that era has not been played.
    """
    language = language or current_language()
    history = History(match)
    played = {era.number: era for era in history.eras}
    number = max(played) if era is None else era
    if number not in played:
        raise ValueError(
            f"era is one of {', '.join(map(str, played))}, those played so far, not {era}"
        )
    now, game = played[number], history.game
    paths, happened = laps(history, now)
    edges: dict[str, Any] = {
        "low": game.year(number, 0) - 0.5,
        "high": game.year(number, now.goal) + 0.5,
    }

    layers: list[Layer] = []
    for seat in sorted(game.seats, key=lambda seat: now.roles[seat]):
        role = now.roles[seat]
        years = [game.year(number, position) + 0.12 * (role - 1.5) for position in paths[seat]]
        name = f"{_role(role, language)}  {seat_name(seat, language, match.names)}"
        style: dict[str, Any] = {"linestyle": "--" if role in CENSORS else "-", "markersize": 6}
        layers.append(Points(years, range(len(years)), name, role, style=style))
    box = {"facecolor": "white", "edgecolor": INK, "boxstyle": "round,pad=0.2"}
    for event, lap in happened:
        year = game.options.lifting_year if event == LIFTING else event
        style = {"ha": "center", "fontsize": 10, "bbox": box}
        layers.append(Note(str(event), year, lap, (0, 0), style))
    layers.append(Rule(game.year(number, now.goal), upright=True, style={"linewidth": 1}))
    below = Panel(
        layers,
        _text("figure.timeline.match", language),
        Axis(_text("figure.timeline.x", language), most=7, grid=True, **edges),
        Axis(_text("figure.timeline.y", language), low=max(len(paths[0]) - 0.5, 1.5), high=-0.7),
        paper="#f6f2ea",
        share=1.7,
    )

    caption = game_text(
        game, "figure.timeline.caption", language, era=number, laps=len(paths[0]) - 1
    )
    sentences = [caption]
    for seat, position in enumerate(now.positions):
        values = {"seat": seat, "role": now.roles[seat], "year": game.year(number, position)}
        sentences.append(game_text(game, "figure.timeline.alt", language, match.names, **values))
    for event, lap in happened:
        values = {"event": event, "lap": int(lap) + 1}
        sentences.append(game_text(game, "figure.timeline.happened", language, **values))
    panels = [_history_panel(number, edges, language), below]
    return plot(panels, " ".join(sentences), caption, language, height=6.6)


def _history_panel(era: int, edges: dict[str, Any], language: str) -> Panel:
    """Return the panel of what happened in history in the years of *era*."""
    years = ERAS[era]
    events = [note for note in card_files.events() if note.year in years]
    layers: list[Layer] = []
    for row, event in enumerate(events):
        left = event.year - years[0] > len(years) / 2
        name = f" {event.year} {text_of(event, 'name', language)} "
        layers.append(Points([event.year], [row], style={"color": INK, "marker": "o"}))
        move = (-5 if left else 5, 0)
        # Long names may reach beyond the panel, which is not made narrower for them.
        style = {"ha": "right" if left else "left", "fontsize": 11, "in_layout": False}
        layers.append(Note(name, event.year, row, move, style))
    rows = Axis(ticks=(), low=len(events) - 0.4, high=-0.6, line=False)
    return Panel(layers, _text("figure.timeline.history", language), Axis(most=7, **edges), rows)


# Who paid


def who_paid(tolls: Sequence[Toll], language: str, matches: int = 1, played: str = "") -> Picture:
    """Return a picture of what attempts that succeeded brought and cost each role.

    :param tolls: by role, summed over *matches*; the picture shows the mean of a match.
    :param played: a sentence on the rules that these matches were played by.
    """

    def mean(role: int, name: str) -> str:
        return f"{getattr(tolls[role], name) / matches:.{int(matches > 1)}f}"

    panels, sentences = [], []
    names = [_role(role, language) for role in ALL_ROLES]
    for thing in ("spaces", "books"):
        title = _text(f"figure.paid.{thing}", language)
        layers: list[Layer] = [Rule(0, upright=True, style={"linewidth": 1})]
        widest = 1.0
        for look, way in enumerate(("won", "lost")):
            numbers = [getattr(toll, f"{thing}_{way}") / matches for toll in tolls]
            widest = max(widest, *numbers)
            labels = [mean(role, f"{thing}_{way}") if numbers[role] else "" for role in ALL_ROLES]
            signed = [-number for number in numbers] if way == "lost" else numbers
            name = _text(f"figure.paid.{way}", language)
            layers.append(Bars(signed, name, look, width=0.66, labels=labels))
        x = Axis(ticks=(), low=-1.3 * widest, high=1.3 * widest, line=False)
        panels.append(Panel(layers, title, x, Axis(names=names, down=True)))
        for role, name in enumerate(names):
            ways = {way: mean(role, f"{thing}_{way}") for way in ("won", "lost")}
            sentences.append(_text("figure.paid.each", language, panel=title, role=name, **ways))
    counts = {
        name: f"{sum(getattr(toll, name) for toll in tolls) / matches:.{int(matches > 1)}f}"
        for name in ("attempts", "successes")
    }
    text = "figure.paid.mean" if matches > 1 else "figure.paid.one"
    caption = f"{played} {_text(text, language, matches=matches, **counts)}".strip()
    return plot(panels, " ".join([caption, *sentences]), caption, language, height=5.8)


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
        n, z = len(self.played), 1.96
        part = sum(played.shares[role] for played in self.played for role in roles) / n
        centre = part + z * z / (2 * n)
        half = z * sqrt(part * (1 - part) / n + z * z / (4 * n * n))
        low, high = ((centre + sign * half) / (1 + z * z / n) for sign in (-1, 1))
        return Share(100 * part, 100 * max(0, min(low, part)), 100 * min(1, max(high, part)))

    def tolls(self) -> list[Toll]:
        """Return the :class:`Toll` of each role, summed over all matches."""
        tolls = [Toll() for _ in ROLES]
        for played in self.played:
            for total, toll in zip(tolls, played.tolls):
                for count in fields(Toll):
                    more = getattr(total, count.name) + getattr(toll, count.name)
                    setattr(total, count.name, more)
        return tolls


def simulate(options: Options, matches: int) -> Count:
    """Return what happens in *matches* matches; match *n* has the same seed under all options."""
    return Count([_play(options, number) for number in range(matches)])


@lru_cache(maxsize=2000)
def _play(options: Options, number: int) -> Played:
    match = play_out(Blockade(4, options), [PLAYER] * 4, f"{SEED} {number}")
    state = match.state
    shares = [0.0] * 4
    for seat in state.won:
        shares[state.roles[seat]] = 1 / len(state.won)
    return Played(tuple(shares), tuple(add_tolls([History(match)])))


def simulate_toll(matches: int = 20, era: int = 1, *, language: str | None = None) -> Picture:
    """Return :func:`who_paid` of simulated matches of one *era*, as long as a class plays."""
    language = language or current_language()
    options = replace(Blockade.preset("one_era"), eras=(era,))
    years, laps = _text(f"era.{era}", language), options.laps_limit
    played = _text("figure.paid.laps", language, years=years, laps=laps)
    return who_paid(simulate(options, matches).tolls(), language, matches, played)


def house_rule(
    option: str, value: int, matches: int = 10, era: int = 4, *, language: str | None = None
) -> Picture:
    """Return a picture of how often each role wins an *era* with another *value* of an *option*.

    The *option* is one of :data:`SWEEPS`; the standard value stands beside it.
    """
    language = language or current_language()
    label = _text(f"option.{option}.label", language)
    shares: dict[str, list[Share]] = {}
    for which, setting in (("standard", getattr(Options(), option)), ("changed", value)):
        shown = _value(option, setting, era, language)
        rule = _text(f"figure.house.{which}", language, option=label, value=shown)
        count = simulate(_one_era(era, option, setting), matches)
        shares[rule] = [count.share(role) for role in ALL_ROLES]
    names = [_role(role, language) for role in ALL_ROLES]
    layers: list[Layer] = []
    bars = compare_bars({rule: [share.mean for share in row] for rule, row in shares.items()})
    for group, row in zip(bars, shares.values()):
        line = {"ecolor": INK, "capsize": 3, "linewidth": 1.4}
        group.look, group.labels = 1 - group.look, ()
        group.style = {"xerr": _reach(row), "error_kw": line}
        layers.append(group)
    layers.append(Rule(25, upright=True, style={"linewidth": 1, "linestyle": ":"}))
    x = Axis(_text("figure.share", language), low=0, high=100)
    panel = Panel(layers, x=x, y=Axis(names=names, down=True))
    return _plot_shares("figure.house.each", panel, shares, "rules", names, matches, era, language)


def sweep(option: str, matches: int = 10, era: int = 4, *, language: str | None = None) -> Picture:
    """Return a picture of how often each camp wins an *era*, by the value of an *option*.

    The *option* is one of :data:`SWEEPS`.
    """
    language = language or current_language()
    values = SWEEPS[option]
    counts = [simulate(_one_era(era, option, value), matches) for value in values]
    names = [_value(option, value, era, language) for value in values]
    shares: dict[str, list[Share]] = {}
    layers: list[Layer] = [Rule(50, style={"linewidth": 1, "linestyle": ":"})]
    for look, (camp, roles) in enumerate((("censors", CENSORS), ("pens", PENS))):
        name = _text(f"figure.camp.{camp}", language)
        row = shares[name] = [count.share(*roles) for count in counts]
        places = [number + 0.08 * look - 0.04 for number in range(len(values))]
        style = {"linestyle": ("--", "-")[look]}
        means = [share.mean for share in row]
        layers.append(Points(places, means, name, look, _reach(row), style))
    panel = Panel(
        layers,
        x=Axis(_text(f"option.{option}.label", language), names=names),
        y=Axis(_text("figure.share", language), low=0, high=100),
    )
    return _plot_shares("figure.sweep.each", panel, shares, "name", names, matches, era, language)


def _one_era(era: int, option: str, value: int) -> Options:
    """Return the options of one *era*, played to its end, with another *value*."""
    options: Options = Blockade.options_from({"eras": (era,), option: value})
    return options


def _reach(shares: Sequence[Share]) -> list[list[float]]:
    """Return how far the confidence intervals reach below and above the shares."""
    return [
        [share.mean - share.low for share in shares],
        [share.high - share.mean for share in shares],
    ]


def _plot_shares(
    text: str,
    panel: Panel,
    shares: dict[str, list[Share]],
    group: str,
    names: Sequence[str],
    matches: int,
    era: int,
    language: str,
) -> Picture:
    """Return a picture of *shares* by group and name; *text* is the sentence for one of them."""
    years = _text(f"era.{era}", language)
    caption = _text("figure.house.caption", language, matches=matches, years=years)
    sentences = [caption]
    other = "name" if group == "rules" else "value"
    for key, row in shares.items():
        for name, share in zip(names, row):
            numbers = {field: f"{number:.0f}" for field, number in share._asdict().items()}
            numbers["share"] = numbers.pop("mean")
            sentences.append(_text(text, language, **{group: key, other: name}, **numbers))
    height, columns = (4.8, 1) if group == "rules" else (4.0, 2)
    return plot(panel, " ".join(sentences), caption, language, height, legend=columns)


def _value(option: str, value: int, era: int, language: str) -> str:
    """Return a value as a picture writes it; a year may lie before its *era*, or never come."""
    if option == "lifting_year" and value not in ERAS[era]:
        when = "before" if value < ERAS[era][0] else "never"
        return _text(f"figure.sweep.{when}", language)
    return str(value)


def _role(role: int, language: str) -> str:
    return _text(f"role.{ROLES[role]}", language)


def _text(text_id: str, language: str, **values: Any) -> str:
    return game_text("blockade", text_id, language, **values)
