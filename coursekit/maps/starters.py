"""Starter maps: how the things of a game belong together, read off its own rules and cards.

A game brings a :class:`~coursekit.kit.MapStarter` for them.
"""

from typing import Any

from coursekit.core.game import Game
from coursekit.kit import GAMES, MapStarter, kit_of
from coursekit.kit.map_card import MapCard
from coursekit.maps.elements import MapError
from coursekit.maps.mindmap import MindMap
from coursekit.maps.relation_kinds import COMMON_KINDS, Kinds, kinds_of, phrase
from coursekit.words.texts import shorten


def starter_map(game: Game[Any, Any, Any] | str, language: str, about: str = "") -> MindMap:
    """Return what the rules of *game* say, as a map without places.

    :param game: a game with its options, or a name, for the standard options.
    :param about: the thing that the map is about, for a game with too much for one map.
    :raises MapError: if the game has no starter map, or nothing called *about*.
    """
    import networkx as nx

    rules = kit_of(game).standard() if isinstance(game, str) and game in GAMES else game
    source = _source(rules.name) if isinstance(rules, Game) else None
    if source is None:
        raise MapError(
            "map.no_starter",
            got=shorten(getattr(rules, "name", rules)),
            allowed=", ".join(with_starter()),
        )
    told = source.starter(rules, language, about)
    if not told["concepts"]:
        raise MapError("map.unknown", got=shorten(about))
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph(focus=told["focus"], top=told["top"])
    for id, fields in told["concepts"].items():
        graph.add_node(id, **fields)
    for start, words, end, kind in told["relations"]:
        graph.add_edge(start, end, phrase=words, kind=kind)
    return MindMap.of(graph)


def kinds(game: str) -> Kinds:
    """Return the kinds of relations in maps of *game*, and what contradicts what."""
    source = _source(game)
    return kinds_of(source.kinds) if source else COMMON_KINDS


def vocabulary(game: str, language: str) -> dict[str, str]:
    """Return a linking phrase for each kind of relation in maps of *game*, the game's own kinds
    first.
    """
    source = _source(game)
    said = (
        {each.kind: each.phrase for each in starter_map(game, language).relations.values()}
        if source
        else {}
    )
    own = {kind: said[kind] for kind in (source.kinds if source else {}) if kind in said}
    first = (
        {kind: source.linking(kind, language) for kind in source.first}
        if source and source.linking
        else {}
    )
    return first | own | {kind: phrase(kind, language) for kind in COMMON_KINDS}


def examples(game: str, language: str) -> dict[str, tuple[str, str]]:
    """Return, for each kind of relation that only *game* has, two concepts that the rules link so."""
    source = _source(game)
    if source is None:
        return {}
    map = starter_map(game, language)
    ends = {each.kind: (each.start, each.end) for each in reversed(map.relations.values())}
    return {
        kind: (map.concepts[a].label, map.concepts[b].label)
        for kind, (a, b) in ends.items()
        if kind in source.kinds
    }


def about_rules(game: str) -> set[str]:
    """Return the kinds of relations that are about the rules, if maps of *game* are about something
    else.
    """
    source = _source(game)
    return set(source.kinds) - set(source.first) if source and source.first else set()


def focus_question(game: str, language: str) -> str:
    """Return the question that *game* suggests for maps, ``""`` if it suggests none."""
    source = _source(game)
    if source is None:
        return ""
    return source.question(language) if source.question else starter_map(game, language).focus


def with_question(map: MindMap, game: str, language: str) -> MindMap:
    """Return *map* with the question that *game* suggests, unless it has its own."""
    if map.focus:
        return map
    shown = map.after(len(map.log))
    shown.ask(focus_question(game, language))
    return shown


def map_cards(game: str, language: str) -> list[MapCard]:
    """Return the cards of *game* for maps."""
    source = _source(game)
    return list(source.cards(kit_of(game).standard(), language)) if source else []


def starter_topics(game: str, language: str) -> list[tuple[str, str]]:
    """Return the topics of starter maps of *game*: what each is about, and its name."""
    source = _source(game)
    return list(source.topics(kit_of(game).standard(), language)) if source else []


def with_starter() -> list[str]:
    """Return the names of the games that have a starter map."""
    return [name for name in GAMES if _source(name)]


def _source(game: str) -> MapStarter | None:
    return kit_of(game).load_lesson().map if game in GAMES else None
