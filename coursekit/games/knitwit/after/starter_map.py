"""Starter maps of Knit Wit: its rules about loops, spools and answers, and words that tags share."""

from collections.abc import Mapping
from typing import Any

from coursekit.games.knitwit.after.relations import THINGS, near, relations
from coursekit.games.knitwit.rules.game import KnitWit
from coursekit.games.knitwit.rules.lexicon import Entry
from coursekit.games.knitwit.table.quick_start import says
from coursekit.kit import Rule
from coursekit.kit.map_card import MapCard, tone_index
from coursekit.kit.scene import Look
from coursekit.words.texts import game_text

KINDS: Mapping[str, Mapping[str, str]] = {
    "encloses": {"opposite": "avoids"},
    "avoids": {"opposite": "encloses"},
    "lies_in": {},
    "names": {},
    "asks": {},
    "forbids": {},
    "forbids_inside": {},
    "fits": {"opposite": "never"},
    "also": {"opposite": "never", "mutual": "yes"},
    "never": {"opposite": "fits also always", "mutual": "yes"},
    "always": {"opposite": "never"},
    "earns": {},
    "holes": {},
    "cancels": {},
    "tests": {},
    "decides": {},
    "joins": {},
    "stops": {},
    "leaves": {},
}
"""Kinds of relations of this game only, and the kinds that contradict them."""
FIRST = ("fits", "also", "never", "always")
"""The kinds for a map of words and tags; the others are about the rules."""
SIGNS = {
    "tag": "ck-tag",
    "spool": "ck-spool",
    "pin": "ck-clothespin",
    "answer": "ck-pencil",
    "button": "ck-button-3",
}
NOTES = {
    each: f"rules.{each}"
    for each in ("loop", "tag", "spool", "button", "last", "points", "same", "challenge")
}
NOTES["answer"] = "rules.fit"
"""The short rule about a thing."""
OFFERED = 6
"""Most tags that are offered as topics."""


def starter(game: KnitWit, language: str, about: str = "") -> dict[str, Any]:
    """Return a map of the rules of *game*, or of a part.

    :param about: one of :data:`~coursekit.games.knitwit.after.relations.THINGS`; or a tag such as
        ``tag:圓的``, for words that fit it and the other tags that these fit; ``""`` for all rules.
    """
    return (
        _of_tag(game, language, about)
        if about.startswith("tag:")
        else _of_rules(game, language, about)
    )


def question(language: str) -> str:
    """Return the question that a map of words and tags may answer."""
    return game_text("knitwit", "map.question", language)


def linking(kind: str, language: str) -> str:
    """Return the linking words of one of :data:`FIRST`."""
    return game_text("knitwit", f"map.link.{kind}", language)


def _of_rules(game: KnitWit, language: str, about: str) -> dict[str, Any]:
    found = [each for each in relations(game) if about in ("", each.start, each.end)]
    there = [thing for thing in THINGS if any(thing in (each.start, each.end) for each in found)]
    known = {each.card: each for each in _things(game, language)}
    return {
        "focus": game_text("knitwit", "map.focus", language),
        "top": about or "answer",
        "concepts": {thing: _concept(known[f"knitwit/{thing}"]) for thing in there},
        "relations": [
            (
                each.start,
                game_text("knitwit", f"map.link.{each.kind}", language, number=each.number),
                each.end,
                each.kind,
            )
            for each in found
        ],
    }


def _concept(card: MapCard) -> dict[str, Any]:
    return {"label": card.label, "kind": card.kind, "card": card.card}


def _of_tag(game: KnitWit, language: str, about: str) -> dict[str, Any]:
    pack = game.pack
    number = next((place for place, tag in enumerate(pack.tags) if f"tag:{tag.zh}" == about), None)
    words = {} if number is None else near(pack, number)
    known = {each.card: each for each in _tags(game, language)}
    tags = (
        [number, *sorted({other for fits in words.values() for other in fits})]
        if number is not None
        else []
    )
    names = {tag: f"tag:{pack.tags[tag].zh}" for tag in tags}
    phrase = linking("fits", language)
    return {
        "focus": game_text("knitwit", "map.asks.tag", language, tag=known[f"knitwit/{about}"].label)
        if words
        else "",
        "top": about,
        "concepts": {
            **(
                {names[tag]: _concept(known[f"knitwit/{names[tag]}"]) for tag in tags}
                if words
                else {}
            ),
            **{_id(entry): {"label": entry.word(language), "kind": "word"} for entry in words},
        },
        "relations": [
            (_id(entry), phrase, names[tag], "fits")
            for entry, fits in words.items()
            for tag in (number, *sorted(fits))
            if tag is not None
        ],
    }


def _id(entry: Entry) -> str:
    return f"word:{entry.zh}"


def cards(game: KnitWit, language: str) -> list[MapCard]:
    """Return the things of the game and all tags of its pack."""
    return [*_things(game, language), *_tags(game, language)]


def topics(game: KnitWit, language: str) -> list[tuple[str, str]]:
    """Return the topics to begin with: the rules, and some tags whose words share other tags in
    many ways.
    """
    ways = {tag: len(near(game.pack, tag)) for tag in range(len(game.pack.tags))}
    most = [tag for tag in ways if ways[tag] == max(ways.values()) > 1]
    best = most[:: max(1, len(most) // OFFERED)][:OFFERED]  # neighbours in the list are alike
    label = game_text("knitwit", "map.topic.rules", language)
    named = [(tag, game.pack.tags[tag]) for tag in best]
    return [
        ("", label),
        *[
            (f"tag:{each.zh}", game_text("knitwit", "map.topic.tag", language, name=each.names))
            for _, each in named
        ],
    ]


def _things(game: KnitWit, language: str) -> list[MapCard]:
    look, found = Look(game, language), []
    for thing in THINGS:
        note = says(Rule(NOTES[thing]), look) if thing in NOTES else ""
        label = game_text("knitwit", f"map.thing.{thing}", language)
        found.append(MapCard(f"knitwit/{thing}", label, "", note, symbol=SIGNS.get(thing, "")))
    return found


def _tags(game: KnitWit, language: str) -> list[MapCard]:
    return [
        MapCard(
            f"knitwit/tag:{tag.zh}",
            tag.names[language],
            "tag",
            symbol="ck-tag",
            tone=tone_index("yellow"),
        )
        for tag in game.pack.tags
    ]
