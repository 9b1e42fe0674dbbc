"""Starter maps: what each game's own rules and cards say about how its things belong together.

A game tells it in its module ``starter``: ``starter(game, language, about)`` returns a dict of ``focus``
(the question), ``top`` (an id), ``concepts`` (id -> fields of a concept) and ``relations`` (tuples of start,
phrase, end, kind), and ``KINDS`` says which of its kinds contradict which.

Where pupils draw something else than the rules, it also has ``question(language)``, the question of their maps, and
``FIRST``, the kinds that these are made of, with ``linking(kind, language)``, the words of each.
"""

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Any

from coursekit.game import Game, brief
from coursekit.games import GAMES
from coursekit.reflect.maps.kinds import KINDS, Kinds, kinds_of, phrase
from coursekit.reflect.maps.mindmap import MindMap
from coursekit.reflect.maps.parts import MapError

if TYPE_CHECKING:
    from coursekit.mapcard import MapCard


def starter(game: Game[Any, Any, Any] | str, language: str, about: str = "") -> MindMap:
    """Return what the rules of *game* say, as a map that has no places yet.

    :param game: a game with its options, or the name of one, which is taken with its standard options.
    :param about: where a game has too much for one map: the thing that the map is about.
    :raises MapError: if the game has no starter map, or nothing called *about*.
    """
    import networkx as nx

    rules = GAMES[game](GAMES[game].player_counts[0]) if isinstance(game, str) and game in GAMES else game
    module = _module(rules.name) if isinstance(rules, Game) else None
    if module is None:
        raise MapError("map.no_starter", got=brief(getattr(rules, "name", rules)), allowed=", ".join(with_starter()))
    told = module.starter(rules, language, about)
    if not told["concepts"]:
        raise MapError("map.unknown", got=brief(about))
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph(focus=told["focus"], top=told["top"])
    for id, fields in told["concepts"].items():
        graph.add_node(id, **fields)
    for start, words, end, kind in told["relations"]:
        graph.add_edge(start, end, phrase=words, kind=kind)
    return MindMap.of(graph)


def kinds(game: str) -> Kinds:
    """Return the kinds of relations that a map of *game* can have, and what contradicts what."""
    module = _module(game)
    return kinds_of(module.KINDS) if module else KINDS


def vocabulary(game: str, language: str) -> dict[str, str]:
    """Return a linking phrase for each kind of relation that maps of *game* have, the game's own kinds first."""
    module = _module(game)
    said = {each.kind: each.phrase for each in starter(game, language).relations.values()} if module else {}
    own = {kind: said[kind] for kind in (module.KINDS if module else {}) if kind in said}
    first = {kind: module.linking(kind, language) for kind in _first(module)} if module else {}
    return first | own | {kind: phrase(kind, language) for kind in KINDS}


def examples(game: str, language: str) -> dict[str, tuple[str, str]]:
    """Return two concepts between which the rules have each of the kinds of relations that only *game* has."""
    module = _module(game)
    if module is None:
        return {}
    map = starter(game, language)
    ends = {each.kind: (each.start, each.end) for each in reversed(map.relations.values())}
    return {
        kind: (map.concepts[a].label, map.concepts[b].label) for kind, (a, b) in ends.items() if kind in module.KINDS
    }


def about_rules(game: str) -> set[str]:
    """Return the kinds of relations that are only about the rules, where maps of *game* are about something else."""
    module = _module(game)
    first = _first(module)
    return set(module.KINDS) - set(first) if module and first else set()


def focus(game: str, language: str) -> str:
    """Return the question that maps of *game* may answer, ``""`` if it suggests none."""
    module = _module(game)
    tell = getattr(module, "question", None)
    return tell(language) if tell else starter(game, language).focus if module else ""


def with_question(map: MindMap, game: str, language: str) -> MindMap:
    """Return *map* as a reader is shown it: with the question that *game* suggests if it has none of its own."""
    if map.focus:
        return map
    shown = map.after(len(map.log))
    shown.ask(focus(game, language))
    return shown


def cards(game: str, language: str) -> "list[MapCard]":
    """Return the cards of *game* that a map can be drawn about."""
    tell = getattr(_module(game), "cards", None)
    return tell(GAMES[game](GAMES[game].player_counts[0]), language) if tell else []


def topics(game: str, language: str) -> list[tuple[str, str]]:
    """Return the parts of the starter map of *game* that one can begin with: what each is about, and its name."""
    tell = getattr(_module(game), "topics", None)
    return list(tell(GAMES[game](GAMES[game].player_counts[0]), language)) if tell else []


def with_starter() -> list[str]:
    """Return the names of the games that have a starter map."""
    return [name for name in GAMES if _module(name)]


def _first(module: ModuleType | None) -> tuple[str, ...]:
    return getattr(module, "FIRST", ())


def _module(game: str) -> ModuleType | None:
    name = f"coursekit.games.{game}.starter"
    return import_module(name) if game in GAMES and find_spec(name) else None
