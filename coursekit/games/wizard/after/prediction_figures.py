"""Figures of predictions in Wizard: how good they were in a match or in a class."""

from collections import Counter
from collections.abc import Callable, Sequence
from math import ceil
from typing import Any

from coursekit.core.game import Seat
from coursekit.core.match import Match
from coursekit.figures import (
    HATCHES,
    INK,
    LINE,
    PALETTE,
    Area,
    Axis,
    Bars,
    Cells,
    Layer,
    Note,
    Panel,
    Picture,
    Points,
    Rule,
    plot,
    segment,
)
from coursekit.games.wizard.after.history import (
    Prediction,
    Round,
    read_finished,
    read_predictions,
    share_met,
)
from coursekit.words.texts import game_text, join_words, seat_name

GROUPS = 8
"""Most rows of a figure of how often bids were met."""
HIGH = 5
"""Bids of this size and above share a row there."""
FIRST, BETWEEN, LAST = "first", "between", "last"
MORE, EVEN, FEWER = "more", "even", "fewer"
SHADES = ((0xEE, 0xF3, 0xF9), (0xA9, 0xC6, 0xE8), (0x12, 0x43, 0x6D))
"""From a cell that counts few bids to one that counts the most, as red, green and blue."""


def _word(text_id: str, language: str, **values: Any) -> str:
    return game_text("wizard", f"figure.{text_id}", language, **values)


def format_off(number: int) -> str:
    """Return how far a bid was missed, with its sign: ``"+1"``, ``"−2"``, ``"0"``."""
    return f"{number:+d}".replace("-", "−") if number else "0"


def outcome(prediction: Prediction) -> str:
    """Return "exact", "over" for too many tricks, "under" for too few."""
    if not prediction.off:
        return "exact"
    return "over" if prediction.off > 0 else "under"


# Bids and tricks


def plot_bids_and_tricks(
    groups: Sequence[tuple[str, Sequence[Prediction]]], language: str
) -> Picture:
    """Return a picture of bids against tricks won; those met lie on the diagonal.

    :param groups: title and bids of each panel; two players may be called the same.
    """
    predictions = [prediction for _, group in groups for prediction in group]
    most = max((max(bid.bid, bid.won) for bid in predictions), default=1) or 1
    counts = [Counter((bid.bid, bid.won) for bid in group) for _, group in groups]
    top = max((times for count in counts for times in count.values()), default=1)
    alone = len(groups) == 1
    step = 1 if most < 9 or alone else 2
    axis = Axis(ticks=range(0, most + 1, step), low=-0.5, high=most + 0.5)
    diagonal = [(number, number) for number in range(most + 1)]
    edge = {"facecolor": "none", "edgecolor": INK, "linewidth": 1.3, "zorder": 3}
    size = 13 if alone else min(13, 90 / (most + 1))
    panels = []
    for (name, _), count in zip(groups, counts):
        layers: list[Layer] = [Cells(diagonal, style=edge)]
        for place, times in count.items():
            layers.append(_shaded_cell(place, times, times / top, size))
        panels.append(Panel(layers, name, axis, axis, square=True))
    met = share_met(predictions)
    caption = _word("calibration.caption", language, of=met.of, met=met.hits)
    sentences = [caption]
    for name, group in groups:
        words = _describe_cells(group, language)
        sentences.append(_word("named", language, name=name, words=words) if name else words)
    return plot(
        panels,
        " ".join(sentences),
        caption,
        language,
        0.5 + (min(5.2, 1.4 + 0.5 * most) if alone else 2.7 * ceil(len(groups) / 2)),
        columns=1 if alone else 2,
        x=_word("calibration.x", language),
        y=_word("calibration.y", language),
    )


def _shaded_cell(place: tuple[int, int], times: int, deep: float, size: float) -> Cells:
    """Return a cell with a count in it, the darker the nearer *deep* is to 1."""
    half = min(1, int(2 * deep))
    part = 2 * deep - half
    shade = [
        (light + part * (dark - light)) / 255 for light, dark in zip(SHADES[half], SHADES[half + 1])
    ]
    ink = "white" if deep > 0.76 else INK
    style = {"facecolor": shade, "edgecolor": LINE, "linewidth": 0.6}
    return Cells([place], [str(times)], style=style, font={"color": ink, "fontsize": size})


def _describe_cells(predictions: Sequence[Prediction], language: str) -> str:
    """Return in words how many tricks were won with each bid."""
    sentences = []
    for number, times in sorted(Counter(bid.bid for bid in predictions).items()):
        won = Counter(bid.won for bid in predictions if bid.bid == number)
        parts = [
            _word("calibration.part", language, won=tricks, times=count)
            for tricks, count in sorted(won.items())
        ]
        words = join_words(parts, language)
        sentences.append(_word("calibration.each", language, bid=number, times=times, parts=words))
    return " ".join(sentences)


# Round by round


def plot_errors(
    match: Match,
    language: str,
    seats: Sequence[Seat] = (),
    names: Sequence[str] = (),
    bids: Sequence[Prediction] | None = None,
) -> Picture:
    """Return a picture of how far bids were missed: a row per player, a column per round.

    :param seats: whose lines; all if there are none.
    :param names: what the players are called here; their names by default.
    :param bids: which of their bids; all by default.
    """
    seats = seats or match.game.seats
    names = names or [seat_name(seat, language, match.names) for seat in match.game.seats]
    numbers = [now.number for now in read_finished(match)]
    predictions = read_predictions([match], seats) if bids is None else bids
    layers = []
    looks = (
        ("over", "#f3c9a5", INK),
        ("exact", PALETTE[0], "white"),
        ("under", PALETTE[3], INK),
    )
    for which, colour, ink in looks:
        these = [bid for bid in predictions if outcome(bid) == which]
        places = [(numbers.index(bid.round_number), list(seats).index(bid.seat)) for bid in these]
        off = [format_off(bid.off) for bid in these]
        name = _word(f"errors.{which}", language)
        font = {"color": ink, "fontsize": _font_size(numbers)}
        layers.append(Cells(places, off, name, {"facecolor": colour}, font))
    columns = [str(number) for number in numbers]
    wide = max(1, len(numbers)) - 0.5
    high = len(seats) - 0.5
    panel = Panel(
        layers,
        x=Axis(_word("errors.x", language), columns, low=-0.5, high=wide, line=False),
        y=Axis(names=[names[seat] for seat in seats], low=high, high=-0.5, line=False),
    )
    sentences = []
    for seat in seats:
        parts = [
            _word("errors.part", language, round=bid.round_number, off=format_off(bid.off))
            for bid in predictions
            if bid.seat == seat
        ]
        words = join_words(parts, language)
        sentences.append(_word("errors.each", language, name=names[seat], parts=words))
    caption = _word("errors.caption", language)
    return plot(panel, " ".join(sentences), caption, language, 1.9 + 0.5 * len(seats), legend=3)


def _font_size(columns: Sequence[Any]) -> int:
    """Return the size of the numbers in so many columns."""
    return 13 if len(columns) < 13 else 11


def plot_points(match: Match, language: str) -> Picture:
    """Return a picture of all players' points after each round of *match*."""
    finished = read_finished(match)
    layers: list[Layer] = [Rule(0, style={"color": LINE})]
    sentences = []
    for seat in match.game.seats:
        name = seat_name(seat, language, match.names)
        points = [0, *(now.totals[seat] for now in finished)]
        layers.append(Points(range(len(points)), points, name, seat, style={"linestyle": "-"}))
        words = join_words([format_off(number) for number in points], language)
        sentences.append(_word("standing.each", language, name=name, points=words))
    x, y = (Axis(_word(f"standing.{which}", language)) for which in "xy")
    y.whole = False
    caption = _word("standing.caption", language)
    return plot(
        Panel(layers, x=x, y=y), " ".join(sentences), caption, language, height=4.2, legend=3
    )


def plot_sums(match: Match, language: str) -> Picture:
    """Return a picture of the sum of the bids beside the tricks of each round of *match*."""
    finished = read_finished(match)
    more = [-now.spare for now in finished]
    colours = [PALETTE[1] if number > 0 else PALETTE[3] for number in more]
    hatches = ["" if number > 0 else HATCHES[1] for number in more]
    style = {"color": colours, "hatch": hatches}
    layers: list[Layer] = [Bars(more, width=0.66, upright=True, style=style), Rule(0)]
    font = {"ha": "center", "fontsize": _font_size(more)}
    for column, number in enumerate(more):
        above = {"va": "bottom" if number >= 0 else "top"}
        move = (0, 4 if number >= 0 else -4)
        layers.append(Note(format_off(number), column, number, move, font | above))
    low, high = min(-1, *more, 0) - 0.6, max(1, *more, 0) + 0.6
    panel = Panel(
        layers,
        x=Axis(_word("sums.x", language), [str(now.number) for now in finished]),
        y=Axis(_word("sums.y", language), low=low, high=high),
    )
    sentences = [
        _word("sums.each", language, round=now.number, bids=now.size - now.spare, tricks=now.size)
        for now in finished
    ]
    return plot(panel, " ".join(sentences), _word("sums.caption", language), language)


# How often


def _group_by_place(predictions: Sequence[Prediction]) -> dict[str, list[Prediction]]:
    groups: dict[str, list[Prediction]] = {FIRST: [], BETWEEN: [], LAST: []}
    for bid in predictions:
        if bid.place:
            last = LAST if bid.place == bid.players else BETWEEN
            groups[FIRST if bid.place == 1 else last].append(bid)
    return groups


def _group_by_sum(predictions: Sequence[Prediction]) -> dict[str, list[Prediction]]:
    return {
        MORE: [bid for bid in predictions if bid.spare < 0],
        EVEN: [bid for bid in predictions if bid.spare == 0],
        FEWER: [bid for bid in predictions if bid.spare > 0],
    }


def _group_by_bid(predictions: Sequence[Prediction]) -> dict[str, list[Prediction]]:
    most = max((bid.bid for bid in predictions), default=0)
    groups: dict[str, list[Prediction]] = {}
    for bid in sorted(predictions, key=lambda bid: bid.bid):
        name = str(bid.bid) if bid.bid < HIGH or most == HIGH else f"{HIGH}+"
        groups.setdefault(name, []).append(bid)
    return groups


def _group_by_size(predictions: Sequence[Prediction]) -> dict[str, list[Prediction]]:
    """Return bids by the number of cards dealt, in at most GROUPS groups: "1–2", "3–4"."""
    sizes = sorted({bid.size for bid in predictions})
    wide = ceil(len(sizes) / GROUPS)
    groups = {}
    for start in range(0, len(sizes), wide or 1):
        group = sizes[start : start + wide]
        name = str(group[0]) if len(group) == 1 else f"{group[0]}–{group[-1]}"
        groups[name] = [bid for bid in predictions if bid.size in group]
    return groups


BY: dict[str, Callable[[Sequence[Prediction]], dict[str, list[Prediction]]]] = {
    "bid": _group_by_bid,
    "place": _group_by_place,
    "size": _group_by_size,
    "sum": _group_by_sum,
}
"""The ways to group bids in a figure of how often they were met."""


def group_predictions(predictions: Sequence[Prediction], by: str) -> dict[str, list[Prediction]]:
    """Return *predictions* by one of :data:`BY`, in order, without empty groups."""
    return {name: group for name, group in BY[by](predictions).items() if group}


def plot_shares_met(predictions: Sequence[Prediction], language: str, by: str) -> Picture:
    """Return a picture of the share of bids that were met, with its :attr:`.Share.interval`.

    :param by: what is compared: "bid" the numbers predicted, "place" those who predicted first, in
        between and last, "size" rounds with few and many cards, "sum" rounds where more, as many,
        or fewer tricks were predicted than there were.
    """
    shares = {name: share_met(group) for name, group in group_predictions(predictions, by).items()}
    labels = [
        _word(f"often.{by}.{name}", language) if by in ("place", "sum") else name for name in shares
    ]
    layers: list[Layer] = []
    sentences = []
    for row, (label, share) in enumerate(zip(labels, shares.values())):
        fraction = _word("often.label", language, met=share.hits, of=share.of)
        layers += [
            segment([0, 100], [row, row], LINE, 1),
            segment(share.interval, [row, row], PALETTE[3], 7),
            Points([share.percent], [row], style={"markersize": 10}),
            Note(fraction, 100, row, (14, 0)),
        ]
        percent = f"{share.percent:.0f}"
        values = share.values()
        sentences.append(_word("often.each", language, name=label, percent=percent, **values))
    title = _word(f"often.{by}.title", language)
    x = Axis(_word("often.x", language), ticks=range(0, 101, 25), low=-3, high=103)
    y = Axis(names=labels, low=len(shares) - 0.4, high=-0.6, line=False)
    caption = _word("often.caption", language)
    words = _word("named", language, name=title, words=" ".join(sentences))
    height = 1.7 + 0.5 * len(shares)
    return plot(Panel(layers, title, x, y), f"{words} {caption}", caption, language, height)


# One round


def plot_round(now: Round, seats: Sequence[Seat], names: Sequence[str], language: str) -> Picture:
    """Return a picture of a round: tricks won so far, tricks still to be won, and the bid.

    :param seats: whose; a panel for each.
    :param names: what the players are called.
    """
    takers = [trick.taker for trick in now.tricks]
    x = range(len(takers) + 1)
    dashed = {"color": PALETTE[1], "linestyle": "--", "linewidth": 2.2}
    cross = {"marker": "X", "markersize": 13, "markeredgecolor": "white"}
    panels = []
    sentences = []
    for seat in seats:
        bid = now.bid(seat).number
        won = [takers[:number].count(seat) for number in x]
        most = [tricks + now.size - number for number, tricks in enumerate(won)]
        layers: list[Layer] = [
            Area(x, won, most, _word("course.reach", language)),
            Points(x, won, _word("course.won", language), style={"linestyle": "-"}),
            Rule(bid, name=_word("course.bid", language), style=dashed),
        ]
        lost = now.lost_in(seat)
        if lost:
            layers.append(Points([lost], [bid], _word("course.lost", language), 4, style=cross))
        end = now.size + 0.15
        across = Axis(_word("course.x", language) if seat == seats[-1] else "", low=0, high=end)
        up = Axis(_word("course.y", language), low=-0.15, high=end)
        panels.append(Panel(layers, names[seat] if len(seats) > 1 else "", across, up))
        words = join_words(list(map(str, won)), language)
        sentences.append(_word("course.each", language, name=names[seat], bid=bid, won=words))
    caption = _word("course.caption", language)
    return plot(panels, " ".join(sentences), caption, language, 1.1 + 2.3 * len(seats))
