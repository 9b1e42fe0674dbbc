"""Figures of predictions in Wizard: how good they were in a match or in a class."""

from collections import Counter
from collections.abc import Callable, Sequence
from math import ceil
from typing import TYPE_CHECKING, Any

from coursekit.core.game import Seat
from coursekit.core.match import Match
from coursekit.figures import HATCHES, INK, LINE, PALETTE, Picture, picture
from coursekit.games.wizard.after.history import Prediction, Round, exact, predictions, rounds
from coursekit.words.texts import game_text, join_words, seat_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

GROUPS = 8
"""Most rows of a figure of how often bids were met."""
HIGH = 5
"""Bids of this size and above share a row there."""
PANELS = 4
"""Most groups of rounds in a figure of bids and tricks."""
FIRST, BETWEEN, LAST = "first", "between", "last"
MORE, EVEN, FEWER = "more", "even", "fewer"


def _word(id: str, language: str, **values: Any) -> str:
    return game_text("wizard", f"figure.{id}", language, **values)


def off(number: int) -> str:
    """Return how far a bid was missed, with its sign: ``"+1"``, ``"−2"``, ``"0"``."""
    return f"{number:+d}".replace("-", "−") if number else "0"


# Bids and tricks


def calibration(
    matches: Sequence[Match], language: str, by: str = "", seats: Sequence[Seat] = ()
) -> Picture:
    """Return a picture of bids against tricks won: each cell counts bids; those met lie on the
    diagonal.

    :param by: "seat" for a panel for each player (of a single match), "size" for each group of
        rounds; "" for one.
    :param seats: whose bids; everybody's if there are none.
    """
    made = predictions(matches, seats)
    panels = [("", made)]
    if by == "seat":
        (match,) = matches
        panels = [
            (seat_name(seat, language, match.names), [each for each in made if each.seat == seat])
            for seat in seats or match.game.seats
        ]
    elif by == "size":
        panels = [
            (_word("cards", language, cards=name), group)
            for name, group in by_size(made, PANELS).items()
        ] or panels
    return bids_and_tricks(panels, language, by != "size")


def bids_and_tricks(
    panels: Sequence[tuple[str, Sequence[Prediction]]], language: str, alike: bool = True
) -> Picture:
    """Return the picture of :func:`calibration` with these panels.

    :param panels: title and bids of each; two players may be called the same.
    :param alike: whether all panels go up to the same number.
    """
    made = [each for _, group in panels for each in group]
    most = max((max(each.bid, each.won) for each in made), default=1)
    counts = [Counter((each.bid, each.won) for each in group) for _, group in panels]
    top = max((times for count in counts for times in count.values()), default=1)

    def draw() -> "Figure":
        from matplotlib import pyplot

        columns = 1 if len(panels) == 1 else 2
        lines = ceil(len(panels) / columns)
        side = min(5.2, 1.4 + 0.5 * most) if columns == 1 else 2.7
        figure, grid = pyplot.subplots(
            lines, columns, squeeze=False, figsize=(5.6, 0.5 + side * lines)
        )
        for axes in grid.flat[len(panels) :]:
            axes.set_visible(False)
        for axes, (name, group) in zip(grid.flat, panels):
            reach = (
                max((max(each.bid, each.won) for each in group), default=1) if not alike else most
            )
            _cells(axes, group, max(1, reach), top, small=columns == 2)
            axes.set_title(name, loc="left")
        figure.supxlabel(_word("calibration.x", language), fontsize=13)
        figure.supylabel(_word("calibration.y", language), fontsize=13)
        return figure

    met = exact(made)
    caption = _word("calibration.caption", language, of=met.of, met=met.hits)
    told = []
    for name, group in panels:
        words = " ".join(_told(group, language))
        told.append(_word("named", language, name=name, words=words) if name else words)
    return picture(draw, " ".join([caption, *told]), caption, language)


def _cells(axes: "Axes", made: Sequence[Prediction], most: int, top: int, small: bool) -> None:
    """Draw the count of each pair of bid and tricks won, up to *most*; the count *top* is darkest."""
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.patches import Rectangle
    from matplotlib.ticker import MultipleLocator

    shade = LinearSegmentedColormap.from_list("bids", ["#eef3f9", PALETTE[3], PALETTE[0]])
    count = Counter((each.bid, each.won) for each in made)
    for number in range(most + 1):
        axes.add_patch(
            Rectangle(
                (number - 0.5, number - 0.5),
                1,
                1,
                facecolor="none",
                edgecolor=INK,
                lw=1.3,
                zorder=3,
            )
        )
    for (bid, won), times in count.items():
        deep = times / top
        axes.add_patch(
            Rectangle((bid - 0.5, won - 0.5), 1, 1, facecolor=shade(deep), edgecolor=LINE, lw=0.6)
        )
        axes.text(
            bid,
            won,
            str(times),
            ha="center",
            va="center",
            color="white" if deep > 0.76 else INK,
            zorder=4,
            fontsize=min(13, 90 / (most + 1)) if small else 13,
        )
    axes.set(xlim=(-0.5, most + 0.5), ylim=(-0.5, most + 0.5), aspect="equal")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MultipleLocator(1 if most < 9 or not small else 2))


def _told(made: Sequence[Prediction], language: str) -> list[str]:
    """Return in words what :func:`_cells` draws."""
    found = []
    for bid, times in sorted(Counter(each.bid for each in made).items()):
        won = Counter(each.won for each in made if each.bid == bid)
        parts = [
            _word("calibration.part", language, won=number, times=count)
            for number, count in sorted(won.items())
        ]
        found.append(
            _word(
                "calibration.each",
                language,
                bid=bid,
                times=times,
                parts=join_words(parts, language),
            )
        )
    return found


def by_size(made: Sequence[Prediction], most: int = GROUPS) -> dict[str, list[Prediction]]:
    """Return bids by the number of cards dealt, in at most *most* groups: "1–2", "3–4"."""
    sizes = sorted({each.size for each in made})
    wide = ceil(len(sizes) / most)
    found = {}
    for start in range(0, len(sizes), wide or 1):
        group = sizes[start : start + wide]
        name = str(group[0]) if len(group) == 1 else f"{group[0]}–{group[-1]}"
        found[name] = [each for each in made if each.size in group]
    return found


# Round by round


def errors(
    match: Match, language: str, seats: Sequence[Seat] = (), names: Sequence[str] = ()
) -> Picture:
    """Return a picture of how far each bid of *match* was missed: a row per player, a column per
    round.

    :param seats: whose lines; everybody's if there are none.
    :param names: what the players are called here; their names by default.
    """
    seats = seats or match.game.seats
    names = names or [seat_name(seat, language, match.names) for seat in match.game.seats]
    played = [now for now in rounds(match) if now.ended]
    made = predictions([match], seats)

    def draw() -> "Figure":
        from matplotlib import pyplot
        from matplotlib.patches import Patch, Rectangle

        looks: dict[str, Any] = {
            "over": {"facecolor": "#f3c9a5"},
            "exact": {"facecolor": PALETTE[0]},
            "under": {"facecolor": PALETTE[3]},
        }
        figure, axes = pyplot.subplots(figsize=(5.6, 1.9 + 0.5 * len(seats)))
        for each in made:
            at = (
                played.index(next(now for now in played if now.number == each.round)),
                list(seats).index(each.seat),
            )
            axes.add_patch(
                Rectangle(
                    (at[0] - 0.5, at[1] - 0.5), 1, 1, edgecolor="white", lw=1.5, **looks[kind(each)]
                )
            )
            axes.text(
                *at,
                off(each.off),
                ha="center",
                va="center",
                color=INK if each.off else "white",
                fontsize=_size(played),
            )
        axes.set(
            xlim=(-0.5, max(1, len(played)) - 0.5),
            ylim=(len(seats) - 0.5, -0.5),
            xticks=range(len(played)),
            xticklabels=[now.number for now in played],
            yticks=range(len(seats)),
            yticklabels=[names[seat] for seat in seats],
            xlabel=_word("errors.x", language),
        )
        axes.tick_params(length=0)
        for spine in axes.spines.values():
            spine.set_visible(False)
        key = [
            Patch(edgecolor="white", label=_word(f"errors.{name}", language), **look)
            for name, look in looks.items()
        ]
        figure.legend(handles=key, loc="outside upper center", ncols=3)
        return figure

    told = []
    for seat in seats:
        mine = [
            _word("errors.part", language, round=each.round, off=off(each.off))
            for each in made
            if each.seat == seat
        ]
        told.append(
            _word("errors.each", language, name=names[seat], parts=join_words(mine, language))
        )
    return picture(draw, " ".join(told), _word("errors.caption", language), language)


def kind(each: Prediction) -> str:
    """Return "exact", "over" for too many tricks, "under" for too few."""
    return "exact" if not each.off else "over" if each.off > 0 else "under"


def _size(played: Sequence[Round]) -> int:
    """Return the size of the numbers in a column per round of *played*."""
    return 13 if len(played) < 13 else 11


def standing(match: Match, language: str) -> Picture:
    """Return a picture of all players' points after each round of *match*."""
    played = [now for now in rounds(match) if now.ended]
    lines = [
        (seat_name(seat, language, match.names), [0, *[now.totals[seat] for now in played]])
        for seat in match.game.seats
    ]

    def draw() -> "Figure":
        from matplotlib import pyplot
        from matplotlib.ticker import MaxNLocator

        figure, axes = pyplot.subplots(figsize=(5.6, 4.2))
        axes.axhline(0, color=LINE, linewidth=1.2, marker="")
        for name, points in lines:
            axes.plot(range(len(points)), points, label=name)
        axes.set(xlabel=_word("standing.x", language), ylabel=_word("standing.y", language))
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        figure.legend(loc="outside upper center", ncols=3)
        return figure

    told = [
        _word(
            "standing.each",
            language,
            name=name,
            points=join_words([off(p) for p in points], language),
        )
        for name, points in lines
    ]
    return picture(draw, " ".join(told), _word("standing.caption", language), language)


def sums(match: Match, language: str) -> Picture:
    """Return a picture of the sum of the bids beside the tricks of each round of *match*."""
    played = [now for now in rounds(match) if now.ended]
    more = [-now.spare for now in played]

    def draw() -> "Figure":
        from matplotlib import pyplot
        from matplotlib.ticker import MaxNLocator

        figure, axes = pyplot.subplots(figsize=(5.6, 3.4))
        at = range(len(played))
        axes.bar(
            at,
            more,
            0.66,
            color=[PALETTE[1] if each > 0 else PALETTE[3] for each in more],
            edgecolor="white",
            hatch=["" if each > 0 else HATCHES[1] for each in more],
        )
        axes.axhline(0, color=INK, linewidth=1.2, marker="")
        for place, each in enumerate(more):
            axes.annotate(
                off(each),
                (place, each),
                (0, 4 if each >= 0 else -4),
                textcoords="offset points",
                ha="center",
                va="bottom" if each >= 0 else "top",
                fontsize=_size(played),
            )
        axes.set(
            xticks=at,
            xticklabels=[now.number for now in played],
            xlabel=_word("sums.x", language),
            ylabel=_word("sums.y", language),
            ylim=(min(-1, *more, 0) - 0.6, max(1, *more, 0) + 0.6),
        )
        axes.yaxis.set_major_locator(MaxNLocator(integer=True))
        return figure

    told = [
        _word("sums.each", language, round=now.number, bids=now.size - now.spare, tricks=now.size)
        for now in played
    ]
    return picture(draw, " ".join(told), _word("sums.caption", language), language)


# How often


def _places(made: Sequence[Prediction]) -> dict[str, list[Prediction]]:
    found: dict[str, list[Prediction]] = {FIRST: [], BETWEEN: [], LAST: []}
    for each in made:
        if each.place:
            found[
                FIRST if each.place == 1 else LAST if each.place == each.players else BETWEEN
            ].append(each)
    return found


def _sums(made: Sequence[Prediction]) -> dict[str, list[Prediction]]:
    found: dict[str, list[Prediction]] = {MORE: [], EVEN: [], FEWER: []}
    for each in made:
        found[MORE if each.spare < 0 else FEWER if each.spare > 0 else EVEN].append(each)
    return found


def _bids(made: Sequence[Prediction]) -> dict[str, list[Prediction]]:
    most = max((each.bid for each in made), default=0)
    found: dict[str, list[Prediction]] = {}
    for each in sorted(made, key=lambda each: each.bid):
        name = str(each.bid) if each.bid < HIGH or most == HIGH else f"{HIGH}+"
        found.setdefault(name, []).append(each)
    return found


BY: dict[str, Callable[[Sequence[Prediction]], dict[str, list[Prediction]]]] = {
    "bid": _bids,
    "place": _places,
    "size": by_size,
    "sum": _sums,
}
"""The ways to group bids in a figure of how often they were met."""


def grouped(made: Sequence[Prediction], by: str) -> dict[str, list[Prediction]]:
    """Return *made* by one of :data:`BY`, in order, without empty groups."""
    return {name: group for name, group in BY[by](made).items() if group}


def how_often(
    matches: Sequence[Match], language: str, by: str, seats: Sequence[Seat] = ()
) -> Picture:
    """Return a picture of the share of bids that were met, with how sure each share is:
    :attr:`.Share.interval`, Wilson's with a confidence of 95 %.

    :param by: what is compared: "bid" the numbers predicted, "place" those who predicted first, in
        between and last, "size" rounds with few and many cards, "sum" rounds where more, as many,
        or fewer tricks were predicted than there were.
    :param seats: whose bids; everybody's if there are none.
    """
    return shares_met(predictions(matches, seats), language, by)


def shares_met(made: Sequence[Prediction], language: str, by: str) -> Picture:
    """Return the picture of :func:`how_often` of these bids."""
    shares = {name: exact(group) for name, group in grouped(made, by).items()}
    labels = [
        _word(f"often.{by}.{name}", language) if by in ("place", "sum") else name for name in shares
    ]

    def draw() -> "Figure":
        from matplotlib import pyplot

        figure, axes = pyplot.subplots(figsize=(5.6, 1.7 + 0.5 * len(shares)))
        for row, share in enumerate(shares.values()):
            low, high = share.interval
            axes.plot([0, 100], [row, row], "-", color=LINE, linewidth=1, marker="", zorder=1)
            axes.plot(
                [low, high],
                [row, row],
                "-",
                color=PALETTE[3],
                linewidth=7,
                marker="",
                zorder=2,
                solid_capstyle="round",
            )
            axes.plot([share.percent], [row], "o", color=PALETTE[0], markersize=10, zorder=3)
            axes.annotate(
                _word("often.label", language, met=share.hits, of=share.of),
                (100, row),
                (14, 0),
                textcoords="offset points",
                va="center",
                color=INK,
                annotation_clip=False,
            )
        axes.set(
            yticks=range(len(shares)),
            yticklabels=labels,
            ylim=(len(shares) - 0.4, -0.6),
            xlim=(-3, 103),
            xticks=range(0, 101, 25),
            xlabel=_word("often.x", language),
        )
        axes.set_title(_word(f"often.{by}.title", language), loc="left")
        axes.spines["left"].set_visible(False)
        axes.tick_params(axis="y", length=0)
        return figure

    told = [
        _word(
            "often.each",
            language,
            name=label,
            met=share.hits,
            of=share.of,
            percent=f"{share.percent:.0f}",
            low=f"{share.interval[0]:.0f}",
            high=f"{share.interval[1]:.0f}",
        )
        for label, share in zip(labels, shares.values())
    ]
    caption = _word("often.caption", language)
    words = _word(
        "named", language, name=_word(f"often.{by}.title", language), words=" ".join(told)
    )
    return picture(draw, f"{words} {caption}", caption, language)


# One round


def course(now: Round, seats: Sequence[Seat], names: Sequence[str], language: str) -> Picture:
    """Return a picture of a round, trick by trick: tricks won so far, tricks still to be won, and
    the bid.

    :param seats: whose; a panel for each.
    :param names: what the players are called.
    """
    takers = [trick.taker for trick in now.tricks]
    panels = []
    for seat in seats:
        bid, so_far = (
            now.bid(seat),
            [takers[:number].count(seat) for number in range(len(takers) + 1)],
        )
        assert bid is not None
        panels.append((seat, bid.number, so_far))

    def draw() -> "Figure":
        from matplotlib import pyplot
        from matplotlib.ticker import MaxNLocator

        figure, grid = pyplot.subplots(
            len(seats), squeeze=False, figsize=(5.6, 1.1 + 2.3 * len(seats))
        )
        for axes, (seat, number, so_far) in zip(grid.flat, panels):
            most = [won + now.size - tricks for tricks, won in enumerate(so_far)]
            x, lost = range(len(so_far)), now.lost_in(seat)
            axes.fill_between(
                x,
                so_far,
                most,
                color=PALETTE[3],
                alpha=0.55,
                linewidth=0,
                label=_word("course.reach", language),
            )
            axes.plot(x, so_far, color=PALETTE[0], marker="o", label=_word("course.won", language))
            axes.axhline(
                number,
                color=PALETTE[1],
                linestyle="--",
                marker="",
                label=_word("course.bid", language),
            )
            if lost:
                axes.plot(
                    [lost],
                    [number],
                    "X",
                    color=PALETTE[4],
                    markersize=13,
                    markeredgecolor="white",
                    label=_word("course.lost", language),
                )
            axes.set(
                xlim=(0, now.size + 0.15),
                ylim=(-0.15, now.size + 0.15),
                ylabel=_word("course.y", language),
            )
            for axis in (axes.xaxis, axes.yaxis):
                axis.set_major_locator(MaxNLocator(integer=True))
            if len(seats) > 1:
                axes.set_title(names[seat], loc="left")
        grid.flat[-1].set_xlabel(_word("course.x", language), color=INK)
        handles = {
            label: handle
            for axes in grid.flat
            for handle, label in zip(*axes.get_legend_handles_labels())
        }
        figure.legend(handles.values(), handles.keys(), loc="outside upper center", ncols=2)
        return figure

    told = [
        _word(
            "course.each",
            language,
            name=names[seat],
            bid=number,
            won=join_words([*map(str, so_far)], language),
        )
        for seat, number, so_far in panels
    ]
    return picture(draw, " ".join(told), _word("course.caption", language), language)
