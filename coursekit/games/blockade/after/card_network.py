"""Writers, periodicals, banned books and events of the cards as a network: who belongs to what.

There is an edge only where a card file states it: in a column (editor, author), or because the text
of a row names a person or a thing. Nothing is guessed, and a missing edge may well be true.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import chain, combinations
from math import hypot
from typing import TYPE_CHECKING, Any, NamedTuple

from coursekit.figures import FAMILIES, INK, LINE, PALETTE, Picture, picture
from coursekit.games.blockade.rules import card_files
from coursekit.games.blockade.rules.card_codes import Cards, standard
from coursekit.games.blockade.rules.card_facts import in_languages
from coursekit.words.texts import LANGUAGES, game_text

if TYPE_CHECKING:
    import networkx as nx
    from matplotlib.figure import Figure

WRITER, PERSON, PERIODICAL, BANNED, EVENT, FUNCTION = (
    "writer",
    "person",
    "periodical",
    "banned",
    "event",
    "function",
)
KINDS = (WRITER, PERSON, PERIODICAL, BANNED, EVENT, FUNCTION)
"""Kinds of nodes; a person without a card of works is a PERSON."""

RELATIONS = ("edited", "wrote", "serialised_in", "founded_in", "stopped_in", "named_in")
"""Kinds of edges, each read from its start to its end; named_in: the text on the card of the end
names the start.
"""

LAYOUTS = 30
"""Layouts that are tried, always the same ones; the one with most room for names is drawn."""


class Stated(NamedTuple):
    """What the card files state, as :func:`network` has it."""

    nodes: dict[str, dict[str, str]]
    edges: dict[tuple[str, str], dict[str, str]]


def network(cards: Cards | None = None) -> "nx.DiGraph[str]":
    """Return what the card files state as a ``networkx.DiGraph``.

    A node has ``kind``, its name under each language, and the ``source`` of its row; an edge has
    ``kind``, one of :data:`RELATIONS`, and the ``source`` of the row that states it. All are plain
    strings.

    :param cards: an edition, the kit's own cards by default.
    """
    import networkx as nx

    nodes, edges = stated(cards)
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(nodes.items())
    graph.add_edges_from((*ends, row) for ends, row in edges.items())
    return graph


def stated(cards: Cards | None = None) -> Stated:
    """Return the nodes and edges of :func:`network`, without networkx."""
    cards = cards or standard()
    found = Stated({}, {})
    nodes = found.nodes
    for writer in sorted(cards.writers, key=lambda each: len(_called(each.name_zh)), reverse=True):
        if (node := person(found, writer.name_zh)) not in nodes:
            nodes[node] = _row(WRITER, writer.source, in_languages(writer.name_zh, writer.name_en))
    for paper in cards.periodicals:
        node = f"{PERIODICAL}:{paper.title_zh}"
        nodes[node] = _row(PERIODICAL, paper.source, _book(paper.title_zh, paper.title_en))
        for name in _names(paper.editor_zh):
            _add(found, _known(found, name, paper.source), node, "edited", paper.source)
    for book in cards.banned:
        node, english = f"{BANNED}:{book.title_zh}", _names(book.author_en, " and ")
        nodes[node] = _row(BANNED, book.source, _book(book.title_zh, book.title_en))
        names = _names(book.author_zh)
        for place, author in enumerate(names):
            known = english[place] if len(english) == len(names) else ""
            _add(found, _known(found, author, book.source, known), node, "wrote", book.source)
    for event in card_files.events():
        called = in_languages(event.name_zh, event.name_en)
        words = {language: f"{event.year} {called[language]}" for language in LANGUAGES}
        nodes[f"{EVENT}:{event.year}"] = _row(EVENT, event.source, words)
    for note in cards.notes.values():
        nodes[f"{FUNCTION}:{note.id}"] = _row(
            FUNCTION, note.source, _quoted(note.name_zh, note.name_en)
        )
    for start, end, kind, source in _in_texts(found, cards):
        if (start, end) not in found.edges:  # an earlier one says more
            _add(found, start, end, kind, source)
    return found


def _row(kind: str, source: str, names: Mapping[str, str]) -> dict[str, str]:
    return {"kind": kind, "source": source, **names}


def _add(found: Stated, start: str, end: str, kind: str, source: str) -> None:
    found.edges[start, end] = {"kind": kind, "source": source}


def _in_texts(found: Stated, cards: Cards) -> Iterator[tuple[str, str, str, str]]:
    """Yield the edges in the texts of the cards: start, end, kind, source."""
    papers = {paper.title_zh: paper for paper in cards.periodicals}
    for writer in cards.writers:
        for title in papers:
            if f"在《{title}》連載" in writer.note_zh:
                yield (
                    person(found, writer.name_zh),
                    f"{PERIODICAL}:{title}",
                    "serialised_in",
                    writer.source,
                )
    for event in card_files.events():
        end, words = f"{EVENT}:{event.year}", event.summary_zh + event.note_zh
        for start in _mentioned(found, words):
            named = papers.get(start.partition(":")[2]) if start.startswith(PERIODICAL) else None
            kind = "named_in"
            if named and event.year in (named.ceased, named.founded):
                kind = "stopped_in" if event.year == named.ceased else "founded_in"
            yield start, end, kind, event.source
    rows = [
        (f"{PERIODICAL}:{each.title_zh}", each.note_zh, each.source) for each in cards.periodicals
    ]
    rows += [
        (f"{FUNCTION}:{each.id}", each.tied_to_zh, each.source) for each in cards.notes.values()
    ]
    for end, words, source in rows:
        yield from (
            (start, end, "named_in", source) for start in _mentioned(found, words) if start != end
        )


def _mentioned(stated: Stated, words: str) -> Iterator[str]:
    """Yield the persons, periodicals and banned books that *words* names; titles count only in
    their marks.
    """
    for node, row in stated.nodes.items():
        if row["kind"] in (WRITER, PERSON):
            found = any(name in words for name in _called(row["zh-Hant"]))
        else:
            found = row["kind"] in (PERIODICAL, BANNED) and row["zh-Hant"] in words
        if found:
            yield node


def person(graph: "Stated | nx.DiGraph[str]", name: str) -> str:
    """Return the node of a person by any of the person's names; a new node gets the last one.

    A writer's pen name and name may stand together: 桓夫（陳千武） is 桓夫 and 陳千武.
    """
    names = {*_called(name)}
    people = ((node, row) for node, row in graph.nodes.items() if row["kind"] in (WRITER, PERSON))
    return next(
        (node for node, row in people if names & {*_called(row["zh-Hant"])}),
        f"person:{_called(name)[-1]}",
    )


def _called(name: str) -> list[str]:
    """Return the names in *name*.

    >>> _called("桓夫（陳千武）")
    ['桓夫', '陳千武']
    """
    return [each for each in re.split("[（）]", name) if each] or [name]


def _known(found: Stated, name: str, source: str, english: str = "") -> str:
    """Return the node of a person, a new one if there is no card of that name."""
    node = person(found, name)
    if node not in found.nodes:
        found.nodes[node] = _row(PERSON, source, in_languages(name, english))
    return node


def _names(words: str, mark: str = "、") -> list[str]:
    return [name for name in words.split(mark) if name]


def _book(zh: str, en: str) -> dict[str, str]:
    """Return a title in each language, with its marks."""
    return {
        language: title if language == "en" else f"《{title}》"
        for language, title in in_languages(zh, en).items()
    }


def _quoted(zh: str, en: str) -> dict[str, str]:
    """Return a name in each language, in the quotation marks of Chinese."""
    marks = {"zh-Hant": "「」", "zh-Hans": "“”"}
    return {
        each: name.join(marks.get(each, ("", ""))) for each, name in in_languages(zh, en).items()
    }


# Asking it


def most_connected(graph: "nx.DiGraph[str]") -> list[tuple[str, int]]:
    """Return (node, number of its neighbours) for nodes with neighbours, the most first."""
    return sorted(
        ((node, degree) for node, degree in graph.degree() if degree),
        key=lambda each: (-each[1], each[0]),
    )


def neighbours(graph: "Stated | nx.DiGraph[str]", node: str) -> list[tuple[str, str, str]]:
    """Return the edges of *node*, out and in: (start, kind, end)."""
    edges = [(start, row["kind"], end) for (start, end), row in graph.edges.items()]
    return [each for each in edges if each[0] == node] + [each for each in edges if each[2] == node]


def sentences(graph: "Stated | nx.DiGraph[str]", node: str, language: str) -> list[str]:
    """Return what the cards state about *node*, a sentence per edge."""
    name = graph.nodes
    return [
        game_text(
            "blockade",
            f"network.{kind}",
            language,
            start=name[start][language],
            end=name[end][language],
        )
        for start, kind, end in neighbours(graph, node)
    ]


def around(graph: "nx.DiGraph[str]", node: str, steps: int = 1) -> "nx.DiGraph[str]":
    """Return the part of *graph* at most *steps* edges of any direction away from *node*."""
    import networkx as nx

    near: nx.DiGraph[str] = nx.ego_graph(graph, node, radius=steps, undirected=True)
    return near


def draw_network(graph: "nx.DiGraph[str]", node: str, language: str, steps: int = 1) -> Picture:
    """Return a picture of the part :func:`around` *node*, which stands out; the words tell its
    edges.
    """

    def draw() -> "Figure":
        import networkx as nx
        from matplotlib import pyplot
        from matplotlib.lines import Line2D

        looks = dict(zip(KINDS, zip(PALETTE, "oosDhv", strict=True), strict=True))
        part = around(graph, node, steps)
        place, named = _places(part), _labelled(part, node)
        figure, axes = pyplot.subplots(figsize=(5.6, 5.6))
        own = set(chain(part.in_edges(node), part.out_edges(node)))
        for edges, style in (
            (set(part.edges) - own, {"edge_color": LINE}),
            (own, {"edge_color": INK, "width": 1.8}),
        ):
            nx.draw_networkx_edges(part, place, edges, ax=axes, arrows=True, node_size=220, **style)
        for kind, (colour, mark) in looks.items():
            nodes = [each for each in part if part.nodes[each]["kind"] == kind]
            sizes = [520 if each == node else 220 for each in nodes]
            nx.draw_networkx_nodes(part, place, nodes, sizes, colour, mark, ax=axes, edgecolors=INK)
        for each in named:
            x, y = place[each]
            axes.annotate(
                part.nodes[each][language],
                (x, y),
                (0, -13),
                textcoords="offset points",
                ha="center",
                va="top",
                fontsize=13 if each == node else 10.5,
                color=INK,
                family=FAMILIES,
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6, "alpha": 0.8},
            )
        there = [kind for kind in KINDS if any(part.nodes[each]["kind"] == kind for each in part)]
        key = [
            Line2D(
                [],
                [],
                color=looks[kind][0],
                marker=looks[kind][1],
                linestyle="",
                markeredgecolor=INK,
                label=game_text("blockade", f"network.kind.{kind}", language),
            )
            for kind in there
        ]
        figure.legend(handles=key, loc="outside upper center", ncols=3)
        axes.set_axis_off()
        axes.margins(0.16)
        return figure

    told = " ".join(sentences(graph, node, language))
    return picture(draw, told, told, language)


def _places(part: "nx.DiGraph[str]") -> Mapping[str, Any]:
    """Return the place of each node: names are wide, so neighbours are rather below than beside
    each other.
    """
    import networkx as nx

    def room(place: Mapping[str, Any]) -> float:
        pairs = combinations(place.values(), 2)
        return min((hypot(0.4 * (a[0] - b[0]), a[1] - b[1]) for a, b in pairs), default=0)

    undirected = part.to_undirected()
    return max(
        (nx.spring_layout(undirected, k=1.4, seed=seed) for seed in range(LAYOUTS)), key=room
    )


def _labelled(part: "nx.DiGraph[str]", node: str) -> list[str]:
    """Return the nodes whose names fit into a picture: all of a small part, else those with several
    neighbours.
    """
    busy = [each for each in part if part.degree(each) > 1]
    near = {*part.successors(node), *part.predecessors(node)}
    return (
        list(part)
        if len(part) <= 24
        else [each for each in part if each == node or each in near or each in busy]
    )
