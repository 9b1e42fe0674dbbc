"""Evidence for 維基百科 vs 書籍: what a reader did in a match, below the questions about it.

:func:`evidence` is what :mod:`coursekit.reflect` asks. It tells of the reader's own deeds and of
what lies open on the table, never of other hands.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import nan
from typing import TYPE_CHECKING, Any

from coursekit.core.chance import shuffle, stream
from coursekit.core.errors import OptionError
from coursekit.core.game import Seat
from coursekit.figures import (
    FAMILIES,
    HATCHES,
    INK,
    LINE,
    PALETTE,
    Axis,
    Bars,
    Layer,
    Note,
    Panel,
    Picture,
    picture,
    plot,
    stack_bars,
)
from coursekit.games.wikipedia.after.figures import simulate
from coursekit.games.wikipedia.after.history import (
    LEFT,
    MENDED,
    RIGHT,
    count_sources,
    find_cured,
    read_decisions,
    read_rounds,
)
from coursekit.games.wikipedia.after.rule_relations import (
    CARDS,
    FORBIDDEN,
    POINTS,
    count_relations,
    find_relations,
)
from coursekit.games.wikipedia.rules.cards import BOOK, DISCARD, KINDS, ROLES, USE, VANDAL, WORKS
from coursekit.games.wikipedia.rules.game import Wikipedia
from coursekit.reflect.evidence_reader import EvidenceReader
from coursekit.words.texts import game_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from coursekit.core.match import Match

Parts = list[str | Picture]
ENDINGS = (RIGHT, MENDED, LEFT)
AGAIN = {"card": "evidence.draw", "map": "evidence.draw"}
"""The questions that draw lots -> the text of the button that draws again."""
ROWS = 15
"""Most rounds in a picture."""
MATCHES = 30
"""Simulated matches of each size beside the reader's own."""


class Reader(EvidenceReader):
    """A match of 維基百科 vs 書籍 with its reader."""

    game: Wikipedia

    def __init__(self, match: "Match", seats: Sequence[Seat], language: str) -> None:
        super().__init__(match, seats, language)
        self.rounds = read_rounds(match)
        self.finished = [now for now in self.rounds if now.ended]

    def tell_count(self, text_id: str, **values: Any) -> list[str]:
        """Return the sentence *text_id* if any of its numbers is positive, else ``[]``."""
        for name, value in values.items():
            if name != "seat" and isinstance(value, int) and value:
                return [self.tell(text_id, **values)]
        return []

    def or_nothing(self, parts: Parts) -> Parts:
        """Return *parts*, or the sentence that there is nothing to tell."""
        return parts or [self.tell("nothing")]

    def word(self, text_id: str) -> str:
        return game_text(self.game, text_id, self.language)

    def thing(self, name: str) -> str:
        """Return the name of a card, a role or the points."""
        if name == POINTS:
            return self.tell("thing.points")
        return self.word(f"card.{name}" if name in KINDS else f"role.{name}")

    def label(self, name: str) -> str:
        """Return the same without brackets, for a picture."""
        return self.thing(name).strip("「」“”")


def evidence(
    name: str, match: "Match", seats: Sequence[Seat], language: str, draw: int = 0
) -> Parts:
    """Return the sentences and pictures to show below the question *name*; ``[]`` for none.

    :param seats: whose deeds are told.
    :param draw: which card is drawn, where one is; raised by one each time the reader draws anew.
    """
    about = ABOUT.get(name)
    return about(Reader(match, seats, language), draw) if about else []


def draw_card(draw: int) -> str:
    """Return a card drawn by lot; seven draws in a row, from a multiple of seven, all differ."""
    cards = list(CARDS)
    shuffle(stream(str(draw // len(cards)), "draw"), cards)
    return cards[draw % len(cards)]


def tell_roles(reader: Reader, draw: int) -> Parts:
    parts: Parts = [reader.tell("rounds", rounds=len(reader.finished))]
    for seat in reader.seats:
        for role in ROLES:
            parts += _describe_role(reader, seat, role)
    return parts


def _describe_role(reader: Reader, seat: Seat, role: str) -> list[str]:
    mine = [now for now in reader.finished if now.roles[seat] == role]
    points = sum(now.points[seat] for now in mine)
    return reader.tell_count("role.each", seat=seat, role=role, rounds=len(mine), points=points)


def tell_favourites(reader: Reader, draw: int) -> Parts:
    parts: Parts = []
    for seat in reader.seats:
        for work in WORKS:
            mine = [now.ended for now in reader.rounds if (now.work, now.user) == (work, seat)]
            values = {ending: mine.count(ending) for ending in ENDINGS} | {"used": len(mine)}
            parts += reader.tell_count("favourite.used", seat=seat, work=work, **values)
        for work in WORKS:
            by_others = [
                now.points[seat]
                for now in reader.rounds
                if (now.work, now.author) == (work, seat) and now.user not in (seat, -1)
            ]
            values = {"used": len(by_others), "points": sum(by_others)}
            parts += reader.tell_count("favourite.wrote", seat=seat, work=work, **values)
    return reader.or_nothing(parts)


def tell_often(reader: Reader, draw: int) -> Parts:
    parts: Parts = []
    labels, could, wrote = [], [], []
    for seat in reader.seats:
        decisions = read_decisions(reader.match, [seat])
        turns = [turn for turn in decisions if turn.seen.phase == "write"]
        for work in WORKS:
            could.append(sum(work in turn.seen.legal for turn in turns))
            wrote.append(sum(turn.action == work for turn in turns))
            values = {"seat": seat, "work": work, "could": could[-1], "wrote": wrote[-1]}
            parts += reader.tell_count("often.each", **values)
            labels.append(reader.tell("often.row", seat=seat, work=reader.label(work)))
        choices = [{*WORKS} & {*turn.seen.legal} for turn in turns]
        both = [turn.action for turn, works in zip(turns, choices) if len(works) == 2]
        values = {"both": len(both), "books": both.count(BOOK), "none": choices.count(set())}
        parts += reader.tell_count("often.both", seat=seat, **values)
    if not any(could):
        return reader.or_nothing(parts)
    sentences = [
        reader.tell("often.alt", row=label, could=possible, wrote=done)
        for label, possible, done in zip(labels, could, wrote)
    ]
    frames = Bars(could, style={"color": "none", "edgecolor": INK})
    colours = [PALETTE[row % 2] for row in range(len(wrote))]
    panel = Panel(
        [Bars(wrote, style={"color": colours, "hatch": ""}), frames],
        x=Axis(reader.tell("often.x")),
        y=Axis(names=labels, down=True),
    )
    height = 1.2 + 0.55 * len(labels)
    caption = reader.tell("often.caption")
    return [*parts, plot(panel, " ".join(sentences), caption, reader.language, height)]


def tell_wiki(reader: Reader, draw: int) -> Parts:
    parts: Parts = []
    for work in WORKS:
        works = [now for now in reader.rounds if now.work == work]
        wrong = [now for now in works if now.wrong]
        values = {
            "written": len(works),
            "thrown": sum(now.die > 0 for now in works),
            "wrong": len(wrong),
            "mended": sum(now.ended == MENDED for now in wrong),
        }
        parts += reader.tell_count("wiki.die", work=work, **values)
    spoilt = [one for now in reader.rounds for one in now.vandalisms]
    cured = find_cured(reader.rounds)
    laps = sum(one.laps or 0 for one in cured) / max(1, len(cured))
    touched = sum(now.vandalisms != [] for now in reader.rounds)
    values = {"works": touched, "times": len(spoilt), "cured": len(cured)}
    parts += reader.tell_count("wiki.spoilt", laps=f"{laps:.1f}", **values)
    for seat in reader.seats:
        values = {
            "spoilt": sum(one.by == seat for one in spoilt),
            "cured": sum(one.cured_by == seat for one in cured),
        }
        parts += reader.tell_count("wiki.mine", seat=seat, **values)
    return [*reader.or_nothing(parts), plot_rounds(reader)]


def plot_rounds(reader: Reader) -> Picture:
    """Return a picture of the last rounds, each a row from left to right."""
    last = reader.rounds[-ROWS:]
    n = reader.game.players
    sentences = []
    layers: list[Layer] = []
    for look, work in enumerate(WORKS):
        rows = [row for row, now in enumerate(last) if now.work == work]
        begins = [(last[row].written - 1) / n for row in rows]
        laps = [(last[row].turns - last[row].written + 1) / n for row in rows]
        style = {"color": PALETTE[look], "edgecolor": PALETTE[look], "hatch": ""}
        layers.append(_row_bars(rows, begins, laps, reader.word(f"work.{work}"), style))
    spoilt = [(row, now, one) for row, now in enumerate(last) for one in now.vandalisms]
    rows = [row for row, _, _ in spoilt]
    begins = [(one.turn - 1) / n for _, _, one in spoilt]
    laps = [now.laps(one) + (1 / n if one.laps is None else 0) for _, now, one in spoilt]
    crossed = {"color": "white", "edgecolor": PALETTE[4], "hatch": HATCHES[3]}
    layers.append(_row_bars(rows, begins, laps, reader.tell("wiki.key"), crossed))
    for row, now in enumerate(last):
        mark = reader.tell(f"wiki.mark.{now.ended or 'runs'}")
        layers.append(Note(mark, now.turns / n, row))
        work = reader.word(f"work.{now.work}") if now.work else reader.tell("wiki.none")
        values = {"number": now.number, "times": len(now.vandalisms), "mark": mark}
        sentences.append(reader.tell("wiki.round", work=work, **values))
    most = max(1, *(now.turns / n for now in last))
    panel = Panel(
        layers,
        x=Axis(reader.tell("wiki.x"), low=0, high=1.35 * most, whole=False),
        y=Axis(reader.tell("wiki.y"), [str(now.number) for now in last], down=True),
    )
    caption = reader.tell("wiki.caption")
    height = 2 + 0.34 * len(last)
    return plot(panel, " ".join(sentences), caption, reader.language, height, legend=3)


def _row_bars(
    rows: list[int], begins: list[float], laps: list[float], name: str, style: dict[str, Any]
) -> Bars:
    """Return bars in some rows; without any, one that is not drawn, for the legend."""
    return Bars(laps or [nan], name, start=begins or [0], at=rows or [0], width=0.62, style=style)


def tell_crowd(reader: Reader, draw: int) -> Parts:
    finished = len(reader.finished)
    n, options = reader.game.players, reader.game.options
    turns = sum(now.turns for now in reader.finished) / max(1, finished)
    values = {"players": n, "rounds": finished, "turns": f"{turns:.1f}", "others": n - 1}
    labels, own, waiting = [], [], []

    def add_row(label: str, players: int, turns: float) -> None:
        labels.append(reader.tell(f"crowd.{label}", players=players))
        own.append(turns / players)
        waiting.append(turns - turns / players)

    if finished:
        add_row("this", n, turns)
    # The length of a round hardly depends on the goal, and a page must not wait for long matches.
    points = min(options.points_to_win, 3)
    short = replace(options, points_to_win=points, laps_limit=min(options.laps_limit or 60, 60))
    for players in Wikipedia.player_counts:
        try:
            count = simulate(type(reader.game), players, short, MATCHES)
        except OptionError:  # too few cards for these players under this match's options
            continue
        add_row("players", players, count.turns_a_round)
    bars = stack_bars({reader.tell("crowd.own"): own, reader.tell("crowd.waiting"): waiting})
    bars[1].style = {"color": PALETTE[3]}
    panel = Panel(bars, x=Axis(reader.tell("crowd.x")), y=Axis(names=labels, down=True))
    sentences = [
        reader.tell("crowd.alt", row=label, own=f"{mine:.1f}", waiting=f"{others:.1f}")
        for label, mine, others in zip(labels, own, waiting)
    ]
    limits = {"points": short.points_to_win, "laps": short.laps_limit}
    caption = reader.tell("crowd.caption", matches=MATCHES, **limits)
    height = 1.6 + 0.45 * len(labels)
    picture = plot(panel, " ".join(sentences), caption, reader.language, height)
    return [reader.tell("crowd.mine", **values), picture]


def tell_card(reader: Reader, draw: int) -> Parts:
    card = draw_card(draw)
    head: Parts = [
        reader.tell("card.drawn", card=reader.thing(card)),
        reader.word(f"page.{card}.story"),
    ]
    decisions = read_decisions(reader.match, reader.seats)
    parts: Parts = []
    for seat in reader.seats:
        if card in ROLES:
            parts += _describe_role(reader, seat, card)
            continue
        actions = [decision.action for decision in decisions if decision.seat == seat]
        values = {"played": actions.count(card), "thrown": actions.count(DISCARD[card])}
        parts += reader.tell_count("card.used", seat=seat, card=card, **values)
        parts += _describe_outcome(reader, seat, card)
    return head + reader.or_nothing(parts)


def _describe_outcome(reader: Reader, seat: Seat, card: str) -> list[str]:
    """Return what came of the cards of one kind that *seat* has played."""
    rounds = reader.rounds
    if card in WORKS:
        mine = [now for now in rounds if (now.work, now.author) == (card, seat)]
        endings = [now.ended for now in mine]
        values = {ending: endings.count(ending) for ending in ENDINGS}
        values["spoilt"] = sum(now.vandalisms != [] for now in mine)
        return [reader.tell("card.work", **values)] if mine else []
    if card == USE:
        endings = [now.ended for now in rounds if now.user == seat]
        values = {ending: endings.count(ending) for ending in ENDINGS}
        values["lost"] = sum(now.given_up.count(seat) for now in rounds)
        return reader.tell_count("card.use", **values)
    if card == VANDAL:
        roles = [one.role for now in rounds for one in now.vandalisms if one.by == seat]
        values = {role: roles.count(role) for role in ROLES}
        return reader.tell_count("card.vandal", times=len(roles), **values)
    works = [now.work for now in rounds if (now.ended, now.user) == (MENDED, seat)]
    values = {work: works.count(work) for work in WORKS}
    values["cured"] = sum(one.cured_by == seat for one in find_cured(rounds))
    return reader.tell_count("card.revise", **values)


def tell_map(reader: Reader, draw: int) -> Parts:
    card = draw_card(draw)
    return [reader.tell("card.drawn", card=reader.thing(card)), plot_relations(reader, card)]


def plot_relations(reader: Reader, card: str) -> Picture:
    """Return a picture of all relations, those of *card*, in the middle, in words and numbers."""
    relations = find_relations(reader.game)
    count = count_relations(reader.rounds)
    sentences, links = [], {}
    for relation in relations:
        if card in (relation.start, relation.end):
            times = count[relation[:3]]
            link = reader.tell(f"link.{relation.kind}", cards=relation.cards)
            ends = {"start": reader.thing(relation.start), "end": reader.thing(relation.end)}
            is_never = relation.kind in FORBIDDEN
            which = "never" if is_never else "times"
            sentences.append(reader.tell(f"map.{which}", link=link, times=times, **ends))
            words = link if is_never else reader.tell("map.link", link=link, times=times)
            links[relation.start, relation.end] = words

    def draw() -> "Figure":
        import networkx as nx
        from matplotlib import pyplot

        graph = nx.DiGraph()
        for relation in relations:
            graph.add_edge(relation.start, relation.end, is_never=relation.kind in FORBIDDEN)
        others = [thing for thing in (*CARDS, POINTS) if thing != card]
        place = nx.shell_layout(graph, [[card], others], rotate=0.2)
        figure, axes = pyplot.subplots(figsize=(4.8, 4.8))
        words: Any = {"font_size": 10, "font_family": FAMILIES, "font_color": INK}
        for edge in graph.edges:
            look: Any = {"width": 2.2, "edge_color": PALETTE[0]}
            if edge not in links:
                look = {"edge_color": LINE}
            elif graph.edges[edge]["is_never"]:
                look |= {"style": "dashed", "edge_color": PALETTE[4]}
            nx.draw_networkx_edges(
                graph, place, [edge], ax=axes, arrows=True, node_size=2400, **look
            )
        paper = {"facecolor": "white", "edgecolor": "none", "pad": 1}
        nx.draw_networkx_edge_labels(
            graph, place, links, ax=axes, rotate=False, bbox=paper, **words
        )
        colours = [PALETTE[3] if thing == card else "#f0e8d8" for thing in graph]
        nx.draw_networkx_nodes(
            graph, place, ax=axes, node_color=colours, node_size=2400, edgecolors=INK
        )
        names = {thing: reader.label(thing) for thing in graph}
        nx.draw_networkx_labels(graph, place, names, ax=axes, **words)
        axes.set_axis_off()
        axes.margins(0.14)
        return figure

    return picture(draw, " ".join(sentences), reader.tell("map.caption"), reader.language)


def tell_points(reader: Reader, draw: int) -> Parts:
    parts: Parts = [reader.tell("rounds", rounds=len(reader.finished))]
    for seat in reader.seats:
        parts.append(_describe_sources(reader, seat))
        nothing = sum((now.user, now.ended) == (seat, LEFT) for now in reader.rounds)
        lost = sum(now.given_up.count(seat) for now in reader.rounds)
        parts += reader.tell_count("points.lost", nothing=nothing, lost=lost)
    return [*parts, plot_sources(reader)]


def _describe_sources(reader: Reader, seat: Seat) -> str:
    gained = count_sources(reader.rounds, seat)
    sources = [
        reader.tell(f"points.{source}", points=points)
        for source, points in gained.items()
        if points
    ]
    words = reader.join(sources) or reader.tell("points.none")
    return reader.tell("points.each", seat=seat, points=sum(gained.values()), parts=words)


def plot_sources(reader: Reader) -> Picture:
    """Return a picture of every player's points and where they came from."""
    by_seat = [count_sources(reader.rounds, seat) for seat in reader.game.seats]
    groups = {
        reader.tell(f"points.key.{source}"): [gained[source] for gained in by_seat]
        for source in by_seat[0]
    }
    most = max(1, *(sum(gained.values()) for gained in by_seat))
    panel = Panel(
        stack_bars(groups),
        x=Axis(reader.tell("points.x"), low=0, high=most),
        y=Axis(names=reader.names, down=True),
    )
    sentences = [_describe_sources(reader, seat) for seat in reader.game.seats]
    return plot(panel, " ".join(sentences), "", reader.language, 2 + 0.45 * len(by_seat))


ABOUT: dict[str, Callable[[Reader, int], Parts]] = {
    "role": tell_roles,
    "favourite": tell_favourites,
    "often": tell_often,
    "wiki": tell_wiki,
    "crowd": tell_crowd,
    "card": tell_card,
    "map": tell_map,
    "points": tell_points,
}
"""The functions that find evidence, by the name of the question."""
