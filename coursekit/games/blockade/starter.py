"""The starter map of 文壇封鎖中: what its card files state about writers, periodicals, banned books and events."""

from collections.abc import Mapping
from typing import Any

from coursekit.games.blockade.network import around, most_connected, network
from coursekit.games.blockade.rules import Blockade
from coursekit.texts import said

KINDS: Mapping[str, Mapping[str, str]] = {
    "edited": {},
    "wrote": {},
    "serialised_in": {},
    "founded_in": {"opposite": "stopped_in"},
    "stopped_in": {"opposite": "founded_in"},
    "named_in": {},
}
"""Kinds of relations that only this game has, and what contradicts them."""
STEPS = 2
"""A map about one card holds what is at most so far from it."""


def starter(game: Blockade, language: str, about: str = "") -> dict[str, Any]:
    """Return everything that is connected, or what is near the card *about*, such as ``periodical:自由中國``."""
    graph = network(game.cards)
    often = [node for node, _ in most_connected(graph)]
    part = around(graph, about, STEPS) if about in often else graph.subgraph([] if about else often)
    return {
        "focus": said("blockade", "map.focus", language),
        "top": about or often[0],
        "concepts": {
            node: {
                "label": part.nodes[node][language],
                "kind": part.nodes[node]["kind"],
                "card": f"blockade/{node}",
                "source": part.nodes[node]["source"],
            }
            for node in often
            if node in part
        },
        "relations": [
            (start, said("blockade", f"map.link.{kind}", language), end, kind)
            for start, end, kind in part.edges(data="kind")
        ],
    }
