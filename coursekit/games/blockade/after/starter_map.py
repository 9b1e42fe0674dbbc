"""Starter maps of 文壇封鎖中: what its card files state about history, and what its rules do.

The two are kept apart. A map about a card holds only what the card files state, with their sources;
a map of the rules (:data:`RULES`) only what happens in the game, much of which is the kit's own
design.
"""

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from coursekit.games.blockade.after.card_network import (
    EVENT,
    FUNCTION,
    around,
    most_connected,
    network,
    node_of,
)
from coursekit.games.blockade.after.rule_relations import (
    PROTEST,
    SEARCH,
    THINGS,
    Relation,
    relations,
)
from coursekit.games.blockade.rules import card_files
from coursekit.games.blockade.rules.card_codes import BANNED, PERIODICAL, ROLES, Cards
from coursekit.games.blockade.rules.card_facts import ERAS, FunctionNote, Writer, doubt, text_of
from coursekit.games.blockade.rules.citations import cite
from coursekit.games.blockade.rules.game import Blockade
from coursekit.games.blockade.table.card_descriptions import role_history
from coursekit.games.blockade.table.pieces import TONES
from coursekit.kit.map_card import MapCard, tone_index
from coursekit.kit.scene import Look
from coursekit.words.texts import game_text

if TYPE_CHECKING:
    import networkx as nx

OPPOSITES = {
    "edited": "",
    "wrote": "",
    "serialised_in": "",
    "founded_in": "stopped_in",
    "stopped_in": "founded_in",
    "named_in": "",
    "launches": "",
    "seizes": "",
    "pays": "",
    "gives": "takes",
    "takes": "gives",
    "gives_on_O": "takes_on_X",
    "takes_on_X": "gives_on_O",
    "gives_on_X": "",
    "takes_on_O": "",
    "places": "",
    "finds": "shuts",
    "shuts": "finds",
    "strips": "",
    "reads": "",
    "helps": "",
    "passes": "",
    "pauses": "",
    "guards": "",
    "freed": "",
    "ensures": "blocks stops",
    "stops": "ensures",
}
"""Kinds of relations of this game only, and the kinds that contradict them, in order."""
KINDS: Mapping[str, Mapping[str, str]] = {
    kind: {"opposite": opposite} if opposite else {} for kind, opposite in OPPOSITES.items()
}
STEPS = 2
"""Most steps from the card that a map is about."""
RULES = ("rules", FUNCTION, *(f"era:{era}" for era in ERAS))
"""Maps of what happens in the game: a turn of the roles, function cards, events of an era."""
MOST, ALIKE, FEWEST = 4, 3, 5
"""Most cards offered as topics, most of a kind, and fewest things in the map of each; no two are
neighbours.
"""


def starter(game: Blockade, language: str, about: str = "") -> dict[str, Any]:
    """Return a map of all connected history, or of a part.

    :param about: a card, such as ``periodical:自由中國``, for what is near it; or one of
        :data:`RULES`.
    """
    if about in RULES:
        return _map_rules(game, language, about)
    return _map_history(game, language, about)


def _map_history(game: Blockade, language: str, about: str) -> dict[str, Any]:
    graph = _graph(game.cards)
    connected = [node for node, _ in most_connected(graph)]
    part = graph
    if about:
        part = around(graph, about, STEPS) if about in connected else graph.subgraph([])
    known = _cards_by_node(game, language)
    concepts = {}
    for node in connected:
        if node in part:
            row = part.nodes[node]
            # A person without a card of works has no picture.
            cited = _lines(*cite(row["source"], language=language))
            plain = {"label": row[language], "kind": row["kind"], "source": cited}
            concepts[node] = _concept(known[node]) if node in known else plain
    return {
        "focus": game_text("blockade", "map.focus", language),
        "top": about or connected[0],
        "concepts": concepts,
        "relations": [
            (start, game_text("blockade", f"map.link.{kind}", language), end, kind)
            for start, end, kind in graph.edges(data="kind")  # those of a part have no fixed order
            if part.has_edge(start, end)
        ],
    }


def _map_rules(game: Blockade, language: str, about: str) -> dict[str, Any]:
    links = [relation for relation in relations(game) if _belongs(relation, about)]
    ends = [end for link in links for end in (link.start, link.end)]
    known = _cards_by_node(game, language)
    concepts = {}
    for end in sorted(dict.fromkeys(ends), key=_place):
        card = known.get(f"role:{end}" if end in ROLES else end)
        if card:
            concepts[end] = _concept(card)
        else:
            concepts[end] = {"label": game_text("blockade", f"map.thing.{end}", language)}
    return {
        "focus": _name_rules("asks", about, language),
        "top": max(dict.fromkeys(ends), key=ends.count, default=""),
        "concepts": concepts,
        "relations": [
            (
                link.start,
                game_text("blockade", f"map.link.{link.kind}", language, number=link.number),
                link.end,
                link.kind,
            )
            for link in links
        ],
    }


def _place(end: str) -> int:
    """Return where an end of relations stands among :data:`THINGS`; cards and events come first."""
    return THINGS.index(end) if end in THINGS else -1


def _concept(card: MapCard) -> dict[str, Any]:
    """Return a card as a concept."""
    return {name: getattr(card, name) for name in ("label", "kind", "note", "card", "source")}


def _belongs(relation: Relation, about: str) -> bool:
    """Return whether a relation is in the map *about* one of :data:`RULES`."""
    if about == RULES[0]:
        return relation.start in THINGS or relation.end in (SEARCH, PROTEST)
    if about == FUNCTION:
        return relation.start.startswith(FUNCTION)
    events = [f"{EVENT}:{year}" for year in ERAS[int(about.removeprefix("era:"))]]
    return relation.start in events or relation.end in events


def _name_rules(kind: str, about: str, language: str) -> str:
    """Return the question of a map of the rules ("asks"), or its name ("topic")."""
    name, _, era = about.partition(":")
    years = game_text("blockade", f"era.{era}", language) if era else ""
    return game_text("blockade", f"map.{kind}.{name}", language, years=years)


# Cards


def cards(game: Blockade, language: str) -> list[MapCard]:
    """Return all that has a card: facts with their sources.

    A writer has one entry, whatever the number of his or her cards.
    """
    return list(_cards_by_node(game, language).values())


def topics(game: Blockade, language: str) -> list[tuple[str, str]]:
    """Return the topics to begin with and their names, the rules first."""
    links, topics = relations(game), []
    for about in RULES:
        if any(_belongs(relation, about) for relation in links):
            topics.append((about, _name_rules("topic", about, language)))
    graph, near, kinds = _graph(game.cards), set[str](), Counter[str]()
    for node, _ in most_connected(graph):
        if kinds.total() == MOST:
            break
        kind = graph.nodes[node]["kind"]
        is_new = node not in near and kinds[kind] < ALIKE
        if is_new and len(around(graph, node, STEPS)) >= FEWEST:
            topics.append((node, graph.nodes[node][language]))
            kinds[kind] += 1
            near |= {node, *graph.predecessors(node), *graph.successors(node)}
    return topics


@lru_cache(maxsize=4)
def _graph(cards: Cards) -> "nx.DiGraph[str]":
    return network(cards)


def _cards_by_node(game: Blockade, language: str) -> dict[str, MapCard]:
    """Return the card of each node that has one, by node."""
    by_node: dict[str, MapCard] = {}
    look = Look(game, language)
    for role, tone in zip(ROLES, TONES, strict=True):
        history, source = role_history(role, look)
        by_node[f"role:{role}"] = MapCard(
            f"blockade/role:{role}",
            look.say(f"map.thing.{role}"),
            "role",
            look.say(f"page.role.{role}") + "\n" + history,
            _lines(*cite(source, language=language)),
            f"ck-role-{role}",
            tone_index(tone),
        )

    def add(row: Any, symbol: str, tone: int | None, *fields: str) -> None:
        node = node_of(row)
        words = [text_of(row, field, language) for field in fields]
        if isinstance(row, FunctionNote):
            words.append(_doubt(row, language))
        by_node[node] = _card(game, node, language, _lines(*words), f"ck-{symbol}", tone)

    for function, row in game.cards.notes.items():
        add(row, f"fn-{function}", None, "tied_to")
    for paper in game.cards.periodicals:
        add(paper, PERIODICAL, tone_index("blue"), "note")
    for book in game.cards.banned:
        add(book, BANNED, tone_index("red"), "reason", "note")
    for event in card_files.events():
        add(event, EVENT, None, "summary")
    return by_node | _writers(game, language)


def _writers(game: Blockade, language: str) -> dict[str, MapCard]:
    """Return the card of each writer: the works, notes on them, and all sources."""
    graph, by_node = _graph(game.cards), dict[str, MapCard]()

    def add(writer: Writer, words: str, source: str) -> None:
        node = node_of(writer, graph)
        card = by_node.get(node) or _card(game, node, language, "", "")._replace(source="")
        sources = dict.fromkeys([*card.source.split("\n"), *cite(source, language=language)])
        note = _lines(card.note, words)
        by_node[node] = card._replace(note=note, source=_lines(*sources))

    for writer in game.cards.writers:
        work = {"title": writer.title(language), "year": writer.work_year}
        words = game_text("blockade", "map.note.work", language, **work)
        note = text_of(writer, "note", language)
        add(writer, _lines(words, note, _doubt(writer, language)), writer.source)
    for writer in {writer.name_zh: writer for writer in game.cards.writers}.values():
        for fate in card_files.fates_on(writer):
            add(writer, text_of(fate, "fate", language), fate.source)
    return by_node


def _lines(*lines: str) -> str:
    return "\n".join(filter(None, lines))


def _doubt(row: Any, language: str) -> str:
    """Return what must be said with an unverified *row*."""
    unsure = doubt(row)
    return game_text("blockade", unsure, language) if unsure else ""


def _card(
    game: Blockade, node: str, language: str, note: str, symbol: str, tone: int | None = None
) -> MapCard:
    row = _graph(game.cards).nodes[node]
    source = _lines(*cite(row["source"], language=language))
    return MapCard(f"blockade/{node}", row[language], row["kind"], note, source, symbol, tone)
