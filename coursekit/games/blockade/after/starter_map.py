"""Starter maps of 文壇封鎖中: what its card files state about history, and what its rules do.

The two are kept apart. A map about a card holds only what the card files state, with their sources;
a map of the rules (:data:`RULES`) only what happens in the game, much of which is the kit's own
design.
"""

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from coursekit.games.blockade.after.card_network import (
    EVENT,
    FUNCTION,
    around,
    most_connected,
    network,
)
from coursekit.games.blockade.after.card_network import person as node_of
from coursekit.games.blockade.after.relations import PROTEST, SEARCH, THINGS, Relation, relations
from coursekit.games.blockade.rules import card_files
from coursekit.games.blockade.rules.card_codes import BANNED, FUNCTIONS, PERIODICAL, ROLES, Cards
from coursekit.games.blockade.rules.card_facts import ERAS, doubt, in_language
from coursekit.games.blockade.rules.game import Blockade
from coursekit.games.blockade.table.card_pages import role_history
from coursekit.games.blockade.table.pieces import TONES
from coursekit.kit.map_card import MapCard, tone_index
from coursekit.kit.scene import Look
from coursekit.words.texts import game_text

if TYPE_CHECKING:
    import networkx as nx

KINDS: Mapping[str, Mapping[str, str]] = {
    "edited": {},
    "wrote": {},
    "serialised_in": {},
    "founded_in": {"opposite": "stopped_in"},
    "stopped_in": {"opposite": "founded_in"},
    "named_in": {},
    "launches": {},
    "seizes": {},
    "pays": {},
    "gives": {"opposite": "takes"},
    "takes": {"opposite": "gives"},
    "gives_on_O": {"opposite": "takes_on_X"},
    "takes_on_X": {"opposite": "gives_on_O"},
    "gives_on_X": {},
    "takes_on_O": {},
    "places": {},
    "finds": {"opposite": "shuts"},
    "shuts": {"opposite": "finds"},
    "strips": {},
    "reads": {},
    "helps": {},
    "passes": {},
    "pauses": {},
    "guards": {},
    "freed": {},
    "ensures": {"opposite": "blocks stops"},
    "stops": {"opposite": "ensures"},
}
"""Kinds of relations of this game only, and the kinds that contradict them."""
STEPS = 2
"""Most steps from the card that a map is about."""
RULES = ("rules", FUNCTION, *(f"era:{era}" for era in ERAS))
"""Maps of what happens in the game: a turn of the four roles, the function cards, the events of an
era.
"""
MOST, ALIKE, FEWEST = 4, 3, 5
"""Most cards offered as topics, most of a kind, and fewest things in the map of each; no two are
neighbours.
"""


def starter(game: Blockade, language: str, about: str = "") -> dict[str, Any]:
    """Return a map of all connected history, or of a part.

    :param about: a card, such as ``periodical:自由中國``, for what is near it; or one of :data:`RULES`.
    """
    return (
        _of_rules(game, language, about) if about in RULES else _of_history(game, language, about)
    )


def _of_history(game: Blockade, language: str, about: str) -> dict[str, Any]:
    graph = _graph(game.cards)
    often = [node for node, _ in most_connected(graph)]
    part = around(graph, about, STEPS) if about in often else graph.subgraph([] if about else often)
    known = _known(game, language)
    return {
        "focus": game_text("blockade", "map.focus", language),
        "top": about or often[0],
        "concepts": {node: _concept(node, part, known, language) for node in often if node in part},
        "relations": [
            (start, game_text("blockade", f"map.link.{kind}", language), end, kind)
            for start, end, kind in part.edges(data="kind")
        ],
    }


def _concept(
    node: str, graph: "nx.DiGraph[str]", known: Mapping[str, MapCard], language: str
) -> dict[str, Any]:
    """Return a node of history as a concept; a person without a card of works has no picture."""
    if card := known.get(node):
        return {
            "label": card.label,
            "kind": card.kind,
            "note": card.note,
            "card": card.card,
            "source": card.source,
        }
    row = graph.nodes[node]
    return {"label": row[language], "kind": row["kind"], "source": unquote(row["source"])}


def _of_rules(game: Blockade, language: str, about: str) -> dict[str, Any]:
    found = [each for each in relations(game) if _belongs(each, about)]
    ends = [end for each in found for end in (each.start, each.end)]
    known = _known(game, language)
    return {
        "focus": _worded("asks", about, language),
        "top": max(dict.fromkeys(ends), key=ends.count, default=""),
        "concepts": {
            end: _thing(end, known, language)
            for end in sorted(
                dict.fromkeys(ends), key=lambda end: THINGS.index(end) if end in THINGS else -1
            )
        },
        "relations": [
            (
                each.start,
                game_text("blockade", f"map.link.{each.kind}", language, number=each.number),
                each.end,
                each.kind,
            )
            for each in found
        ],
    }


def _belongs(each: Relation, about: str) -> bool:
    """Return whether a relation is in the map *about* one of :data:`RULES`."""
    if about == RULES[0]:
        return each.start in THINGS or each.end in (SEARCH, PROTEST)
    if about == FUNCTION:
        return each.start.startswith(FUNCTION)
    years = ERAS[int(about.removeprefix("era:"))]
    return any(end == f"{EVENT}:{year}" for end in (each.start, each.end) for year in years)


def _worded(kind: str, about: str, language: str) -> str:
    """Return the question of a map of the rules ("asks"), or its name ("topic")."""
    name, _, era = about.partition(":")
    years = game_text("blockade", f"era.{era}", language) if era else ""
    return game_text("blockade", f"map.{kind}.{name}", language, years=years)


def _thing(end: str, known: Mapping[str, MapCard], language: str) -> dict[str, Any]:
    card = known.get(f"role:{end}" if end in ROLES else end)
    if card is None:
        return {"label": game_text("blockade", f"map.thing.{end}", language)}
    return {
        "label": card.label,
        "kind": card.kind,
        "note": card.note,
        "card": card.card,
        "source": card.source,
    }


# Cards


def cards(game: Blockade, language: str) -> list[MapCard]:
    """Return the roles, function cards, periodicals, banned books, events and writers: facts with
    their sources.

    A writer has one entry, whatever the number of his or her cards.
    """
    return list(_known(game, language).values())


def topics(game: Blockade, language: str) -> list[tuple[str, str]]:
    """Return the topics to begin with and their names, the rules first."""
    offered = [about for about in RULES if any(_belongs(each, about) for each in relations(game))]
    found = [(about, _worded("topic", about, language)) for about in offered]
    graph, taken, kinds = _graph(game.cards), set[str](), Counter[str]()
    for node, _ in most_connected(graph):
        kind = graph.nodes[node]["kind"]
        rich = len(around(graph, node, STEPS)) >= FEWEST
        if node not in taken and rich and kinds[kind] < ALIKE and kinds.total() < MOST:
            found.append((node, graph.nodes[node][language]))
            kinds[kind] += 1
            taken |= {node, *graph.predecessors(node), *graph.successors(node)}
    return found


@lru_cache(maxsize=4)
def _graph(cards: Cards) -> "nx.DiGraph[str]":
    return network(cards)


def _known(game: Blockade, language: str) -> dict[str, MapCard]:
    """Return the card of each node that has one, by node."""
    graph, found = _graph(game.cards), dict[str, MapCard]()
    for place, role in enumerate(ROLES):
        look, label = Look(game, language), game_text("blockade", f"map.thing.{role}", language)
        history, source = role_history(role, look)
        note = look.say(f"page.role.{role}") + "\n" + history
        found[f"role:{role}"] = MapCard(
            f"blockade/role:{role}",
            label,
            "role",
            note,
            unquote(source),
            f"ck-role-{role}",
            tone_index(TONES[place]),
        )
    for id, name in FUNCTIONS.items():
        if (node := f"{FUNCTION}:{id}") in graph and name in game.cards.functions:
            row = game.cards.notes[name]
            note = in_language(row.tied_to_zh, row.tied_to_en, language)
            note += "\n" + game_text("blockade", unsure, language) if (unsure := doubt(row)) else ""
            found[node] = _card(graph, node, language, note, f"ck-fn-{name}")
    for paper in game.cards.periodicals:
        node, note = (
            f"{PERIODICAL}:{paper.title_zh}",
            in_language(paper.note_zh, paper.note_en, language),
        )
        found[node] = _card(graph, node, language, note, f"ck-{PERIODICAL}", tone_index("blue"))
    for book in game.cards.banned:
        node = f"{BANNED}:{book.title_zh}"
        words = [
            in_language(book.reason_zh, book.reason_en, language),
            in_language(book.note_zh, book.note_en, language),
        ]
        found[node] = _card(
            graph, node, language, "\n".join(filter(None, words)), f"ck-{BANNED}", tone_index("red")
        )
    for event in card_files.events():
        node = f"{EVENT}:{event.year}"
        note = in_language(event.summary_zh, event.summary_en, language)
        found[node] = _card(graph, node, language, note, f"ck-{EVENT}")
    return found | _writers(game.cards, language)


def _writers(cards: Cards, language: str) -> dict[str, MapCard]:
    """Return the card of each writer: the works, notes on them, and all sources."""
    graph, found = _graph(cards), dict[str, MapCard]()
    for writer in cards.writers:
        node = node_of(graph, writer.name_zh)
        works = game_text(
            "blockade",
            "map.note.work",
            language,
            title=writer.title(language),
            year=writer.work_year,
        )
        more = in_language(writer.note_zh, writer.note_en, language)
        doubtful = game_text("blockade", unsure, language) if (unsure := doubt(writer)) else ""
        note, source = "\n".join(filter(None, (works, more, doubtful))), unquote(writer.source)
        if (before := found.get(node)) is None:
            found[node] = _card(graph, node, language, note, "")._replace(source=source)
            continue
        note = f"{before.note}\n{note}"
        sources = dict.fromkeys([*before.source.split("\n"), source])
        found[node] = before._replace(note=note, source="\n".join(filter(None, sources)))
    for writer in {each.name_zh: each for each in cards.writers}.values():
        for fate in card_files.fates_on(writer):
            before = found[node := node_of(graph, writer.name_zh)]
            told = f"{before.note}\n{in_language(fate.fate_zh, fate.fate_en, language)}"
            sources = dict.fromkeys([*before.source.split("\n"), unquote(fate.source)])
            found[node] = before._replace(note=told, source="\n".join(filter(None, sources)))
    return found


def _card(
    graph: "nx.DiGraph[str]",
    node: str,
    language: str,
    note: str,
    symbol: str,
    tone: int | None = None,
) -> MapCard:
    row = graph.nodes[node]
    return MapCard(
        f"blockade/{node}", row[language], row["kind"], note, unquote(row["source"]), symbol, tone
    )
