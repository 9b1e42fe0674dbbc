"""The network of the cards: which writers, periodicals, banned books and events belong together.

There is an edge only where a card file states it: in a column (editor, author), or because the text
of a row names a person or a thing. Nothing is guessed, and a missing edge may well be true.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations
from math import hypot
from typing import TYPE_CHECKING, Any, NamedTuple

from coursekit.figures import FAMILIES, INK, LINE, PALETTE, Picture, picture
from coursekit.games.blockade.rules import card_files
from coursekit.games.blockade.rules.card_codes import Cards, standard
from coursekit.games.blockade.rules.card_facts import (
    BannedBook,
    EventNote,
    FunctionNote,
    Periodical,
    in_languages,
)
from coursekit.words.language import current_language
from coursekit.words.texts import game_text

if TYPE_CHECKING:
    import networkx as nx
    from matplotlib.figure import Figure

KINDS = ("writer", "person", "periodical", "banned", "event", "function")
"""Kinds of nodes; a person without a card of works is a PERSON."""
WRITER, PERSON, PERIODICAL, BANNED, EVENT, FUNCTION = KINDS

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

    nodes, edges = state_facts(cards)
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(nodes.items())
    graph.add_edges_from((*ends, row) for ends, row in edges.items())
    return graph


def state_facts(cards: Cards | None = None) -> Stated:
    """Return the nodes and edges of :func:`network`, without networkx."""
    cards = cards or standard()
    facts = Stated({}, {})
    nodes = facts.nodes
    # Those with most names first: 桓夫（陳千武） stands for cards of both names.
    for writer in sorted(cards.writers, key=lambda row: -len(_names_in(row.name_zh))):
        names = in_languages(writer.name_zh, writer.name_en)
        nodes.setdefault(node_of(writer, facts), _node(WRITER, writer.source, names))
    for paper in cards.periodicals:
        node = node_of(paper)
        nodes[node] = _node(PERIODICAL, paper.source, _book(paper.title_zh, paper.title_en))
        for name in _split(paper.editor_zh):
            editor = _add_person(facts, name, paper.source)
            _add_edge(facts, editor, node, "edited", paper.source)
    for book in cards.banned:
        node = node_of(book)
        nodes[node] = _node(BANNED, book.source, _book(book.title_zh, book.title_en))
        chinese, english = _split(book.author_zh), _split(book.author_en, " and ")
        if len(english) != len(chinese):
            english = [""] * len(chinese)
        for name, name_en in zip(chinese, english):
            author = _add_person(facts, name, book.source, name_en)
            _add_edge(facts, author, node, "wrote", book.source)
    for event in card_files.events():
        names = in_languages(event.name_zh, event.name_en)
        words = {language: f"{event.year} {name}" for language, name in names.items()}
        nodes[node_of(event)] = _node(EVENT, event.source, words)
    for note in cards.notes.values():
        nodes[node_of(note)] = _node(FUNCTION, note.source, _quote(note.name_zh, note.name_en))
    for start, end, kind, source in _in_texts(facts, cards):
        if (start, end) not in facts.edges:  # an earlier one says more
            _add_edge(facts, start, end, kind, source)
    return facts


def node_of(row: Any, graph: "Stated | nx.DiGraph[str] | None" = None) -> str:
    """Return the node of a row of a card file; that of a writer needs the *graph*."""
    if isinstance(row, Periodical):
        return f"{PERIODICAL}:{row.title_zh}"
    if isinstance(row, BannedBook):
        return f"{BANNED}:{row.title_zh}"
    if isinstance(row, EventNote):
        return f"{EVENT}:{row.year}"
    if isinstance(row, FunctionNote):
        return f"{FUNCTION}:{row.card_id}"
    assert graph is not None
    return person(graph, row.name_zh)


def _node(kind: str, source: str, names: Mapping[str, str]) -> dict[str, str]:
    return {"kind": kind, "source": source, **names}


def _add_edge(facts: Stated, start: str, end: str, kind: str, source: str) -> None:
    facts.edges[start, end] = {"kind": kind, "source": source}


def _in_texts(facts: Stated, cards: Cards) -> Iterator[tuple[str, str, str, str]]:
    """Yield the edges in the texts of the cards: start, end, kind, source."""
    papers = {node_of(paper): paper for paper in cards.periodicals}
    for writer in cards.writers:
        for node, paper in papers.items():
            if f"在《{paper.title_zh}》連載" in writer.note_zh:
                yield node_of(writer, facts), node, "serialised_in", writer.source
    for event in card_files.events():
        for start in _find_mentions(facts, event.summary_zh + event.note_zh):
            named, kind = papers.get(start), "named_in"
            if named and event.year == named.founded:
                kind = "founded_in"
            if named and event.year == named.ceased:
                kind = "stopped_in"
            yield start, node_of(event), kind, event.source
    rows: list[tuple[Any, str]] = [(paper, paper.note_zh) for paper in cards.periodicals]
    rows += [(note, note.tied_to_zh) for note in cards.notes.values()]
    for row, words in rows:
        end = node_of(row)
        for start in _find_mentions(facts, words):
            if start != end:
                yield start, end, "named_in", row.source


def _find_mentions(facts: Stated, words: str) -> Iterator[str]:
    """Yield the persons, periodicals and banned books in *words*; titles only in their marks."""
    for node, row in facts.nodes.items():
        name, kind = row["zh-Hant"], row["kind"]
        names = _names_in(name) if kind in (WRITER, PERSON) else (name,)
        if kind not in (EVENT, FUNCTION) and any(name in words for name in names):
            yield node


def person(graph: "Stated | nx.DiGraph[str]", name: str) -> str:
    """Return the node of a person by any of the person's names; a new node gets the last one.

    A writer's pen name and name may stand together: 桓夫（陳千武） is 桓夫 and 陳千武.
    """
    names = _names_in(name)
    for node, row in graph.nodes.items():
        if row["kind"] in (WRITER, PERSON) and {*names} & {*_names_in(row["zh-Hant"])}:
            return node
    return f"person:{names[-1]}"


@cache
def _names_in(name: str) -> tuple[str, ...]:
    """Return the names in *name*.

    >>> _names_in("桓夫（陳千武）")
    ('桓夫', '陳千武')
    """
    return tuple(part for part in re.split("[（）]", name) if part) or (name,)


def _add_person(facts: Stated, name: str, source: str, english: str = "") -> str:
    """Return the node of a person, a new one if there is no card of that name."""
    node = person(facts, name)
    facts.nodes.setdefault(node, _node(PERSON, source, in_languages(name, english)))
    return node


def _split(words: str, mark: str = "、") -> list[str]:
    return [name for name in words.split(mark) if name]


def _book(zh: str, en: str) -> dict[str, str]:
    """Return a title in each language, with its marks."""
    titles = in_languages(zh, en)
    return {lang: title if lang == "en" else f"《{title}》" for lang, title in titles.items()}


def _quote(zh: str, en: str) -> dict[str, str]:
    """Return a name in each language, in the quotation marks of Chinese."""
    marks = {"zh-Hant": "「」", "zh-Hans": "“”", "en": ("", "")}
    return {language: name.join(marks[language]) for language, name in in_languages(zh, en).items()}


# Asking it


def most_connected(graph: "nx.DiGraph[str]") -> list[tuple[str, int]]:
    """Return (node, number of its neighbours) for nodes with neighbours, the most first."""
    connected = [(node, degree) for node, degree in graph.degree() if degree]
    return sorted(connected, key=lambda pair: (-pair[1], pair[0]))


def neighbours(graph: "Stated | nx.DiGraph[str]", node: str) -> list[tuple[str, str, str]]:
    """Return the edges of *node*, out and in: (start, kind, end)."""
    edges = [(start, row["kind"], end) for (start, end), row in graph.edges.items()]
    out = [edge for edge in edges if edge[0] == node]
    return out + [edge for edge in edges if edge[2] == node]


def sentences(graph: "Stated | nx.DiGraph[str]", node: str, language: str) -> list[str]:
    """Return what the cards state about *node*, a sentence per edge."""
    words = []
    for start, kind, end in neighbours(graph, node):
        names = {"start": graph.nodes[start][language], "end": graph.nodes[end][language]}
        words.append(game_text("blockade", f"network.{kind}", language, **names))
    return words


def around(graph: "nx.DiGraph[str]", node: str, steps: int = 1) -> "nx.DiGraph[str]":
    """Return the part of *graph* at most *steps* edges of any direction away from *node*."""
    import networkx as nx

    near: nx.DiGraph[str] = nx.ego_graph(graph, node, radius=steps, undirected=True)
    return near


def draw_network(
    graph: "nx.DiGraph[str]", node: str, language: str | None = None, steps: int = 1
) -> Picture:
    """Return a picture of the part :func:`around` *node*, with its edges in words."""
    language = language or current_language()

    def draw() -> "Figure":
        import networkx as nx
        from matplotlib import pyplot
        from matplotlib.lines import Line2D

        looks = dict(zip(KINDS, zip(PALETTE, "oosDhv", strict=True), strict=True))
        part = around(graph, node, steps)
        places = _places(part)
        figure, axes = pyplot.subplots(figsize=(5.6, 5.6))
        own = {*part.in_edges(node), *part.out_edges(node)}
        others = {*part.edges} - own
        lines: dict[str, Any] = {"ax": axes, "arrows": True, "node_size": 220}
        nx.draw_networkx_edges(part, places, others, edge_color=LINE, **lines)
        nx.draw_networkx_edges(part, places, own, edge_color=INK, width=1.8, **lines)
        legend = []
        for kind, (colour, mark) in looks.items():
            nodes = [name for name, of in part.nodes(data="kind") if of == kind]
            sizes = [520 if name == node else 220 for name in nodes]
            nx.draw_networkx_nodes(
                part, places, nodes, sizes, colour, mark, ax=axes, edgecolors=INK
            )
            if nodes:
                label = game_text("blockade", f"network.kind.{kind}", language)
                style: Any = {"color": colour, "marker": mark, "markeredgecolor": INK}
                legend.append(Line2D([], [], linestyle="", label=label, **style))
        for name in _nodes_with_names(part, node):
            box = {"facecolor": "white", "edgecolor": "none", "pad": 0.6, "alpha": 0.8}
            axes.annotate(
                part.nodes[name][language],
                places[name],
                (0, -13),
                textcoords="offset points",
                ha="center",
                va="top",
                fontsize=13 if name == node else 10.5,
                color=INK,
                family=FAMILIES,
                bbox=box,
            )
        figure.legend(handles=legend, loc="outside upper center", ncols=3)
        axes.set_axis_off()
        axes.margins(0.16)
        return figure

    words = " ".join(sentences(graph, node, language))
    return picture(draw, words, words, language)


def _places(part: "nx.DiGraph[str]") -> Mapping[str, Any]:
    """Return the place of each node.

    Names are wide, so neighbours are rather below than beside each other.
    """
    import networkx as nx

    def room(places: Mapping[str, Any]) -> float:
        pairs = combinations(places.values(), 2)
        return min((hypot(0.4 * (a[0] - b[0]), a[1] - b[1]) for a, b in pairs), default=0)

    undirected = part.to_undirected()
    layouts = (nx.spring_layout(undirected, k=1.4, seed=seed) for seed in range(LAYOUTS))
    return max(layouts, key=room)


def _nodes_with_names(part: "nx.DiGraph[str]", node: str) -> list[str]:
    """Return the nodes whose names fit into a picture: in a large part the busy ones."""
    if len(part) <= 24:
        return list(part)
    near = {node, *part.successors(node), *part.predecessors(node)}
    return [name for name in part if name in near or part.degree(name) > 1]
