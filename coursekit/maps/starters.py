"""Starter maps: how the things of a game belong together, read off its own rules and cards.

A game brings a :class:`~coursekit.kit.MapStarter` for them.
"""

from typing import Any

from coursekit.core.game import Game
from coursekit.kit import GAMES, MapStarter, kit_of
from coursekit.kit.map_card import MapCard
from coursekit.maps.elements import HEAD, Concept, Head, MapError, Relation, Thing
from coursekit.maps.mindmap import MindMap
from coursekit.maps.relation_kinds import COMMON_KINDS, Kinds, kind_phrase, read_kinds
from coursekit.words.language import current_language
from coursekit.words.texts import shorten


def starter_map(
    game: Game[Any, Any, Any] | str, language: str | None = None, about: str = ""
) -> MindMap:
    """Return what the rules of *game* say, as a map without places.

    :param game: a game with its options, or a name, for the standard options.
    :param about: the thing that the map is about, for a game with too much for one map.
    :raises MapError: if the game has no starter map, or nothing called *about*.
    """
    language = language or current_language()
    rules = kit_of(game).standard() if isinstance(game, str) and game in GAMES else game
    name = rules.name if isinstance(rules, Game) else rules
    source = _source(name)
    if source is None:
        allowed = ", ".join(games_with_starter())
        raise MapError("map.no_starter", got=shorten(name), allowed=allowed)
    starter = source.starter(rules, language, about)
    if not starter["concepts"]:
        raise MapError("map.unknown", got=shorten(about))
    things: dict[str, Thing] = {HEAD: Head(starter["focus"], starter["top"])}
    for concept, fields in starter["concepts"].items():
        things[concept] = Concept(**fields)
    for number, (start, phrase, end, kind) in enumerate(starter["relations"], 1):
        things[f"r{number}"] = Relation(start, phrase, end, kind)
    return MindMap(things=things)


def game_kinds(game: str) -> Kinds:
    """Return the kinds of relations in maps of *game*, and what contradicts what."""
    source = _source(game)
    return read_kinds(source.kinds) if source else COMMON_KINDS


def offered_kinds(game: str, language: str) -> list[dict[str, str]]:
    """Return the kinds of relations to offer in maps of *game*, the game's own first.

    Each has a ``name`` and a linking ``phrase``. A kind that only the game has comes with two
    concepts that the rules link so, ``start`` and ``end``; it is a ``rule`` where maps of the game
    are about something else than its rules.
    """
    rows: dict[str, dict[str, str]] = {}
    source = _source(game)
    if source:
        if source.linking:
            for kind in source.first:
                rows[kind] = {"name": kind, "phrase": source.linking(kind, language)}
        starter = starter_map(game, language)
        relations = starter.relations.values()
        phrases = {relation.kind: relation.phrase for relation in relations}
        # Of several relations of a kind, the first is the example.
        examples = {relation.kind: relation for relation in reversed(relations)}
        for kind in source.kinds:
            if kind in examples:
                row = rows.setdefault(kind, {"name": kind})
                row["phrase"] = phrases[kind]
                row["start"] = starter.concepts[examples[kind].start].label
                row["end"] = starter.concepts[examples[kind].end].label
                if source.first and kind not in source.first:
                    row["rule"] = "yes"
    for kind in COMMON_KINDS:
        rows.setdefault(kind, {"name": kind})["phrase"] = kind_phrase(kind, language)
    return list(rows.values())


def focus_question(game: str, language: str) -> str:
    """Return the question that *game* suggests for maps, ``""`` if it suggests none."""
    source = _source(game)
    if source is None:
        return ""
    return source.question(language) if source.question else starter_map(game, language).focus


def with_question(mind_map: MindMap, game: str, language: str) -> MindMap:
    """Return *mind_map* with the question that *game* suggests, unless it has its own."""
    if mind_map.focus:
        return mind_map
    asking = mind_map.copy()
    asking.ask(focus_question(game, language))
    return asking


def map_cards(game: str, language: str) -> list[MapCard]:
    """Return the cards of *game* for maps."""
    source = _source(game)
    return list(source.cards(kit_of(game).standard(), language)) if source else []


def starter_topics(game: str, language: str) -> list[tuple[str, str]]:
    """Return the topics of starter maps of *game*: what each is about, and its name."""
    source = _source(game)
    return list(source.topics(kit_of(game).standard(), language)) if source else []


def games_with_starter() -> list[str]:
    """Return the names of the games that have a starter map."""
    return [name for name in GAMES if _source(name)]


def _source(game: str) -> MapStarter | None:
    return kit_of(game).load_lesson().map_starter if game in GAMES else None
