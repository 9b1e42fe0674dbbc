"""What a reader did in a match of 維基百科 vs 書籍, shown below the questions about it.

:func:`evidence` is what :mod:`coursekit.reflect` asks. It tells of the reader's own deeds and of
what lies open on the table, never of other hands.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from coursekit.core.chance import shuffle, stream
from coursekit.core.errors import OptionError
from coursekit.core.game import Seat
from coursekit.figures import FAMILIES, HATCHES, INK, LINE, PALETTE, Picture, picture
from coursekit.games.wikipedia.after.figures import simulated
from coursekit.games.wikipedia.after.history import (
    LEFT,
    MENDED,
    RIGHT,
    Round,
    choices,
    cured,
    rounds,
)
from coursekit.games.wikipedia.after.relations import (
    CARDS,
    FORBIDDEN,
    POINTS,
    Relation,
    happened,
    relations,
)
from coursekit.games.wikipedia.rules.cards import BOOK, DISCARD, KINDS, ROLES, USE, VANDAL, WORKS
from coursekit.games.wikipedia.rules.game import Wikipedia
from coursekit.games.wikipedia.rules.options import Options
from coursekit.words.texts import game_text, join_words, seat_name

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from coursekit.core.match import Match

Shown = list[str | Picture]
ENDINGS = (RIGHT, MENDED, LEFT)
AGAIN = {"card": "evidence.draw", "map": "evidence.draw"}
"""The questions that draw lots -> the text of the button that draws again."""
ROWS = 15
"""Most rounds in a picture."""
MATCHES = 30
"""Simulated matches of each size beside the reader's own."""


class Reader:
    """A match, and the seats and language of its reader."""

    def __init__(self, match: "Match", seats: Sequence[Seat], language: str) -> None:
        assert isinstance(match.game, Wikipedia)
        self.match, self.seats, self.language = match, seats, language
        self.game = match.game
        self.played = rounds(match)
        self.finished = [each for each in self.played if each.ended]
        self.names = [seat_name(seat, language, match.names) for seat in match.game.seats]
        if len(seats) == 1:
            self.names[seats[0]] = self.word("evidence.you")

    def tell(self, id: str, **values: Any) -> str:
        """Return the sentence *id* of the texts about evidence."""
        return game_text(self.game, f"evidence.{id}", self.language, self.names, **values)

    def count(self, id: str, **values: Any) -> list[str]:
        """Return the sentence *id* if any of its numbers is positive, else ``[]``."""
        numbers = [
            value for name, value in values.items() if name != "seat" and isinstance(value, int)
        ]
        return [self.tell(id, **values)] if any(numbers) else []

    def nothing(self, told: Sequence[Any]) -> list[str]:
        """Return the sentence that there is nothing to tell, ``[]`` if something was *told*."""
        return [] if told else [self.tell("nothing")]

    def word(self, id: str) -> str:
        return game_text(self.game, id, self.language)

    def thing(self, name: str) -> str:
        """Return the name of a card, a role or the points."""
        if name == POINTS:
            return self.tell("thing.points")
        return self.word(f"card.{name}" if name in KINDS else f"role.{name}")

    def plain(self, name: str) -> str:
        """Return the same without brackets, for a picture."""
        return self.thing(name).strip("「」“”")


def evidence(
    name: str, match: "Match", seats: Sequence[Seat], language: str, draw: int = 0
) -> Shown:
    """Return the sentences and pictures to show below the question *name*; ``[]`` for none.

    :param seats: whose deeds are told.
    :param draw: which card is drawn, where one is; raised by one each time the reader draws anew.
    """
    about = ABOUT.get(name)
    return about(Reader(match, seats, language), draw) if about else []


def drawn(draw: int) -> str:
    """Return a card drawn by lot; seven draws in a row, from a multiple of seven, all differ."""
    cards = list(CARDS)
    shuffle(stream(str(draw // len(cards)), "draw"), cards)
    return cards[draw % len(cards)]


def of_role(reader: Reader, draw: int) -> Shown:
    played: Shown = [reader.tell("rounds", rounds=len(reader.finished))]
    return played + [
        line for seat in reader.seats for role in ROLES for line in _as(reader, seat, role)
    ]


def _as(reader: Reader, seat: Seat, role: str) -> list[str]:
    mine = [each for each in reader.finished if each.roles[seat] == role]
    points = sum(each.points[seat] for each in mine)
    return reader.count("role.each", seat=seat, role=role, rounds=len(mine), points=points)


def of_favourite(reader: Reader, draw: int) -> Shown:
    shown: Shown = []
    for seat in reader.seats:
        for work in WORKS:
            mine = [each.ended for each in reader.played if each.work == work and each.user == seat]
            ended = {ending: mine.count(ending) for ending in ENDINGS}
            shown += reader.count("favourite.used", seat=seat, work=work, used=len(mine), **ended)
        for work in WORKS:
            by_others = [
                each
                for each in reader.played
                if each.work == work and each.author == seat != each.user >= 0
            ]
            points = sum(each.points[seat] for each in by_others)
            shown += reader.count(
                "favourite.wrote", seat=seat, work=work, used=len(by_others), points=points
            )
    return shown + reader.nothing(shown)


def of_often(reader: Reader, draw: int) -> Shown:
    shown: Shown = []
    rows: list[tuple[str, int, int]] = []
    for seat in reader.seats:
        turns = [each for each in choices(reader.match, [seat]) if each.phase == "write"]
        for work in WORKS:
            could, wrote = [
                sum(work in (each.legal, [each.action])[at] for each in turns) for at in (0, 1)
            ]
            shown += reader.count("often.each", seat=seat, work=work, could=could, wrote=wrote)
            rows.append(
                (reader.tell("often.row", seat=seat, work=reader.plain(work)), could, wrote)
            )
        both = [each for each in turns if set(WORKS) <= {*each.legal}]
        books = sum(each.action == BOOK for each in both)
        none = sum(not {*WORKS} & {*each.legal} for each in turns)
        shown += reader.count("often.both", both=len(both), books=books, none=none)
    if not any(could for _, could, _ in rows):
        return shown + reader.nothing(shown)
    return [*shown, often_picture(reader, rows)]


def often_picture(reader: Reader, rows: Sequence[tuple[str, int, int]]) -> Picture:
    """Return a picture of how often each of *rows* could be written, and was."""

    def draw() -> "Figure":
        from matplotlib import pyplot
        from matplotlib.ticker import MaxNLocator

        figure, axes = pyplot.subplots(figsize=(5.6, 1.2 + 0.55 * len(rows)))
        at = list(range(len(rows)))
        axes.barh(at, [could for _, could, _ in rows], 0.7, color="none", edgecolor=INK)
        colours = [PALETTE[place % 2] for place in at]
        axes.barh(at, [wrote for *_, wrote in rows], 0.7, color=colours)
        axes.set(yticks=at, yticklabels=[label for label, *_ in rows])
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_xlabel(reader.tell("often.x"))
        axes.invert_yaxis()
        return figure

    numbers = [
        reader.tell("often.alt", row=label, could=could, wrote=wrote)
        for label, could, wrote in rows
    ]
    return picture(draw, " ".join(numbers), reader.tell("often.caption"), reader.language)


def of_wiki(reader: Reader, draw: int) -> Shown:
    shown: Shown = []
    for work in WORKS:
        works = [each for each in reader.played if each.work == work]
        thrown = [each for each in works if each.die]
        wrong = [each for each in thrown if each.wrong]
        mended = sum(each.ended == MENDED for each in wrong)
        shown += reader.count(
            "wiki.die",
            work=work,
            written=len(works),
            thrown=len(thrown),
            wrong=len(wrong),
            mended=mended,
        )
    spoilt = [spoilt for each in reader.played for spoilt in each.vandalisms]
    healed = list(cured(reader.played))
    laps = sum(each.laps or 0 for each in healed) / max(1, len(healed))
    touched = sum(each.vandalisms != [] for each in reader.played)
    shown += reader.count(
        "wiki.spoilt", works=touched, times=len(spoilt), cured=len(healed), laps=f"{laps:.1f}"
    )
    for seat in reader.seats:
        by, cures = (
            sum(each.by == seat for each in spoilt),
            sum(each.cured_by == seat for each in healed),
        )
        shown += reader.count("wiki.mine", seat=seat, spoilt=by, cured=cures)
    return [*shown, *reader.nothing(shown), timeline(reader)]


def timeline(reader: Reader) -> Picture:
    """Return a picture of the last rounds, each a row from left to right."""
    last, n = reader.played[-ROWS:], reader.game.players
    marks = [reader.tell(f"wiki.mark.{each.ended or 'runs'}") for each in last]

    def draw() -> "Figure":
        from matplotlib import pyplot
        from matplotlib.patches import Patch

        colours = dict(zip(WORKS, PALETTE))
        figure, axes = pyplot.subplots(figsize=(5.6, 2 + 0.34 * len(last)))
        for row, (each, mark) in enumerate(zip(last, marks)):
            if each.work:
                axes.barh(
                    row,
                    (each.turns - each.written + 1) / n,
                    0.62,
                    (each.written - 1) / n,
                    color=colours[each.work],
                )
            for spoilt in each.vandalisms:
                laps = (each.turns - spoilt.turn + 1) / n if spoilt.laps is None else spoilt.laps
                axes.barh(
                    row,
                    laps,
                    0.62,
                    (spoilt.turn - 1) / n,
                    color="white",
                    edgecolor=PALETTE[4],
                    hatch=HATCHES[3],
                )
            axes.annotate(
                mark,
                (each.turns / n, row),
                (4, 0),
                textcoords="offset points",
                va="center",
                color=INK,
            )
        axes.set(yticks=range(len(last)), yticklabels=[each.number for each in last])
        axes.set(xlim=(0, 1.35 * max(1, *(each.turns / n for each in last))))
        axes.set(xlabel=reader.tell("wiki.x"), ylabel=reader.tell("wiki.y"))
        axes.invert_yaxis()
        key = [Patch(color=colours[work], label=reader.word(f"work.{work}")) for work in WORKS]
        key.append(
            Patch(
                facecolor="white",
                edgecolor=PALETTE[4],
                hatch=HATCHES[3],
                label=reader.tell("wiki.key"),
            )
        )
        figure.legend(handles=key, loc="outside upper center", ncols=3)
        return figure

    told = [
        reader.tell(
            "wiki.round",
            number=each.number,
            times=len(each.vandalisms),
            mark=mark,
            work=reader.word(f"work.{each.work}") if each.work else reader.tell("wiki.none"),
        )
        for each, mark in zip(last, marks)
    ]
    return picture(draw, " ".join(told), reader.tell("wiki.caption"), reader.language)


def of_crowd(reader: Reader, draw: int) -> Shown:
    played, n, options = reader.finished, reader.game.players, reader.game.options
    turns = sum(each.turns for each in played) / max(1, len(played))
    shown: Shown = [
        reader.tell("crowd.mine", players=n, rounds=len(played), turns=f"{turns:.1f}", others=n - 1)
    ]
    rows = [(reader.tell("crowd.this", players=n), n, turns)] if played else []
    # The length of a round hardly depends on the goal, and a page must not wait for long matches.
    short = replace(
        options,
        points_to_win=min(options.points_to_win, 3),
        laps_limit=min(options.laps_limit or 60, 60),
    )
    for players in Wikipedia.player_counts:
        try:
            count = simulated(players, short, MATCHES, type(reader.game))
        except OptionError:  # too few cards for these players under this match's options
            continue
        rows.append((reader.tell("crowd.players", players=players), players, count.turns_a_round))
    return [*shown, crowd_picture(reader, rows, short)]


def crowd_picture(
    reader: Reader, rows: Sequence[tuple[str, int, float]], options: Options
) -> Picture:
    """Return a picture of the length of rounds, in own turns and those of others.

    :param rows: label, players, and turns a round.
    :param options: of the simulated matches.
    """
    own = [turns / players for _, players, turns in rows]
    waiting = [turns - turns / players for _, players, turns in rows]

    def draw() -> "Figure":
        from matplotlib import pyplot
        from matplotlib.ticker import MaxNLocator

        figure, axes = pyplot.subplots(figsize=(5.6, 1.6 + 0.45 * len(rows)))
        at = list(range(len(rows)))
        axes.barh(at, own, 0.7, color=PALETTE[0], label=reader.tell("crowd.own"))
        axes.barh(
            at,
            waiting,
            0.7,
            own,
            color=PALETTE[3],
            hatch=HATCHES[1],
            edgecolor="white",
            label=reader.tell("crowd.waiting"),
        )
        axes.set(
            yticks=at, yticklabels=[label for label, *_ in rows], xlabel=reader.tell("crowd.x")
        )
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.invert_yaxis()
        figure.legend(loc="outside upper center", ncols=2)
        return figure

    numbers = [
        reader.tell("crowd.alt", row=label, own=f"{mine:.1f}", waiting=f"{others:.1f}")
        for (label, *_), mine, others in zip(rows, own, waiting)
    ]
    limits = {"points": options.points_to_win, "laps": options.laps_limit}
    caption = reader.tell("crowd.caption", matches=MATCHES, **limits)
    return picture(draw, " ".join(numbers), caption, reader.language)


def of_card(reader: Reader, draw: int) -> Shown:
    card = drawn(draw)
    shown: Shown = [
        reader.tell("card.drawn", card=reader.thing(card)),
        reader.word(f"page.{card}.story"),
    ]
    if card in ROLES:
        told = [line for seat in reader.seats for line in _as(reader, seat, card)]
        return shown + told + reader.nothing(told)
    mine, told = choices(reader.match, reader.seats), []
    for seat in reader.seats:
        acts = [each.action for each in mine if each.seat == seat]
        values = {"played": acts.count(card), "thrown": acts.count(DISCARD[card])}
        told += reader.count("card.used", seat=seat, card=card, **values)
        told += _outcome(reader, seat, card)
    return shown + told + reader.nothing(told)


def _outcome(reader: Reader, seat: Seat, card: str) -> list[str]:
    """Return what came of the cards of one kind that *seat* has played."""
    played = reader.played
    if card in WORKS:
        mine = [each for each in played if each.work == card and each.author == seat]
        ended = {ending: sum(each.ended == ending for each in mine) for ending in ENDINGS}
        spoilt = sum(each.vandalisms != [] for each in mine)
        return [reader.tell("card.work", spoilt=spoilt, **ended)] if mine else []
    if card == USE:
        ended = {
            ending: sum(each.ended == ending and each.user == seat for each in played)
            for ending in ENDINGS
        }
        lost = sum(user == seat for each in played for user, _ in each.given_up)
        return [reader.tell("card.use", lost=lost, **ended)] if lost or any(ended.values()) else []
    if card == VANDAL:
        spoilt_by_me = [
            spoilt for each in played for spoilt in each.vandalisms if spoilt.by == seat
        ]
        by = {role: sum(spoilt.role == role for spoilt in spoilt_by_me) for role in ROLES}
        return [reader.tell("card.vandal", times=len(spoilt_by_me), **by)] if spoilt_by_me else []
    cures = sum(spoilt.cured_by == seat for spoilt in cured(played))
    mended = {
        work: sum(
            each.ended == MENDED and each.user == seat and each.work == work for each in played
        )
        for work in WORKS
    }
    return (
        [reader.tell("card.revise", cured=cures, **mended)] if cures or any(mended.values()) else []
    )


def of_map(reader: Reader, draw: int) -> Shown:
    card, count = drawn(draw), happened(reader.played)
    with_card = [each for each in relations(reader.game) if card in (each.start, each.end)]
    sentences = [_sentence(reader, each, count[each[:3]]) for each in with_card]
    chart = relation_map(reader, card, sentences)
    return [reader.tell("card.drawn", card=reader.thing(card)), chart]


def _sentence(reader: Reader, each: Relation, times: int) -> str:
    link = reader.tell(f"link.{each.kind}", cards=each.cards)
    id = "map.never" if each.kind in FORBIDDEN else "map.times"
    return reader.tell(
        id, start=reader.thing(each.start), link=link, end=reader.thing(each.end), times=times
    )


def relation_map(reader: Reader, card: str, sentences: Sequence[str]) -> Picture:
    """Return a picture of all relations, with *card* in the middle and its relations in words and
    numbers.
    """

    def draw() -> "Figure":
        import networkx as nx
        from matplotlib import pyplot

        count, graph = happened(reader.played), nx.DiGraph()
        for each in relations(reader.game):
            never = each.kind in FORBIDDEN
            link = reader.tell(f"link.{each.kind}", cards=each.cards)
            if not never:
                link = reader.tell("map.link", link=link, times=count[each[:3]])
            graph.add_edge(each.start, each.end, link=link, never=never)
        others = [thing for thing in (*CARDS, POINTS) if thing != card]
        place = nx.shell_layout(graph, [[card], others], rotate=0.2)
        near = [edge for edge in graph.edges if card in edge]
        common: Any = {"arrows": True, "node_size": 2400}
        words: Any = {"font_size": 10, "font_family": FAMILIES, "font_color": INK}
        figure, axes = pyplot.subplots(figsize=(4.8, 4.8))
        nx.draw_networkx_edges(graph, place, graph.edges - near, ax=axes, edge_color=LINE, **common)
        for edge in near:
            look = (
                {"style": "dashed", "edge_color": PALETTE[4]} if graph.edges[edge]["never"] else {}
            )
            nx.draw_networkx_edges(
                graph,
                place,
                [edge],
                ax=axes,
                **{"width": 2.2, "edge_color": PALETTE[0]} | look,
                **common,
            )
        links = {edge: graph.edges[edge]["link"] for edge in near}
        paper = {"facecolor": "white", "edgecolor": "none", "pad": 1}
        nx.draw_networkx_edge_labels(
            graph, place, links, ax=axes, rotate=False, bbox=paper, **words
        )
        colours = [PALETTE[3] if thing == card else "#f0e8d8" for thing in graph]
        nx.draw_networkx_nodes(
            graph, place, ax=axes, node_color=colours, node_size=2400, edgecolors=INK
        )
        names = {thing: reader.plain(thing) for thing in graph}
        nx.draw_networkx_labels(graph, place, names, ax=axes, **words)
        axes.set_axis_off()
        axes.margins(0.14)
        return figure

    return picture(draw, " ".join(sentences), reader.tell("map.caption"), reader.language)


def of_points(reader: Reader, draw: int) -> Shown:
    shown: Shown = [reader.tell("rounds", rounds=len(reader.finished))]
    for seat in reader.seats:
        shown.append(_where_from(reader, seat))
        nothing = sum(each.user == seat and each.ended == LEFT for each in reader.played)
        lost = sum(user == seat for each in reader.played for user, _ in each.given_up)
        shown += reader.count("points.lost", nothing=nothing, lost=lost)
    return [*shown, points_picture(reader)]


def _where_from(reader: Reader, seat: Seat) -> str:
    gained = sources(reader.played, seat)
    parts = [
        reader.tell(f"points.{source}", points=points)
        for source, points in gained.items()
        if points
    ]
    listed = join_words(parts, reader.language) or reader.tell("points.none")
    return reader.tell("points.each", seat=seat, points=sum(gained.values()), parts=listed)


def sources(played: Sequence[Round], seat: Seat) -> dict[str, int]:
    """Return where the points of *seat* came from: using Wikipedia, using a book, having written
    one.
    """
    gained = dict.fromkeys(("wiki", "wiki_mended", "book", "book_mended", "written"), 0)
    for each in played:
        if used := each.points[seat] - each.as_author[seat]:
            gained[each.work + ("_mended" if each.ended == MENDED else "")] += used
        gained["written"] += each.as_author[seat]
    return gained


def points_picture(reader: Reader) -> Picture:
    """Return a picture of every player's points and where they came from."""
    by_seat = [sources(reader.played, seat) for seat in reader.game.seats]

    def draw() -> "Figure":
        from matplotlib import pyplot
        from matplotlib.ticker import MaxNLocator

        figure, axes = pyplot.subplots(figsize=(5.6, 2 + 0.45 * len(by_seat)))
        so_far = [0] * len(by_seat)
        for place, source in enumerate(by_seat[0]):
            width = [gained[source] for gained in by_seat]
            axes.barh(
                range(len(by_seat)),
                width,
                0.7,
                so_far,
                color=PALETTE[place],
                hatch=HATCHES[place],
                edgecolor="white",
                label=reader.tell(f"points.key.{source}"),
            )
            so_far = [before + now for before, now in zip(so_far, width)]
        names = [reader.names[seat] for seat in reader.game.seats]
        axes.set(
            yticks=range(len(names)),
            yticklabels=names,
            xlabel=reader.tell("points.x"),
            xlim=(0, max(1, *so_far)),
        )
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.invert_yaxis()
        figure.legend(loc="outside upper center", ncols=2)
        return figure

    told = [_where_from(reader, seat) for seat in reader.game.seats]
    return picture(draw, " ".join(told), "", reader.language)


ABOUT: dict[str, Callable[[Reader, int], Shown]] = {
    "role": of_role,
    "favourite": of_favourite,
    "often": of_often,
    "wiki": of_wiki,
    "crowd": of_crowd,
    "card": of_card,
    "map": of_map,
    "points": of_points,
}
"""The functions that find evidence, by the name of the question."""
