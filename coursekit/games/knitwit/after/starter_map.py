"""Starter maps of Knit Wit: the rules about loops and answers, and words that tags share."""

from collections.abc import Mapping
from typing import Any

from coursekit.games.knitwit.after.rule_relations import THINGS, relations, words_near
from coursekit.games.knitwit.rules.game import KnitWit
from coursekit.games.knitwit.table.quick_start import say_rule
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
NOTES = {"answer": "rules.fit"} | {
    thing: f"rules.{thing}"
    for thing in ("loop", "tag", "spool", "button", "last", "points", "same", "challenge")
}
"""The short rule about a thing."""
OFFERED = 6
"""Most tags that are offered as topics."""


def starter(game: KnitWit, language: str, about: str = "") -> dict[str, Any]:
    """Return a map of the rules of *game*, or of a part.

    :param about: one of :data:`.rule_relations.THINGS`; or a tag such as
        ``tag:圓的``, for words that fit it and the other tags that these fit; ``""`` for all rules.
    """
    if about.startswith("tag:"):
        return _tag_map(game, language, about)
    return _rules_map(game, language, about)


def _say(name: str, language: str, /, **values: Any) -> str:
    return game_text("knitwit", f"map.{name}", language, **values)


def question(language: str) -> str:
    """Return the question that a map of words and tags may answer."""
    return _say("question", language)


def linking(kind: str, language: str) -> str:
    """Return the linking words of one of :data:`FIRST`."""
    return _say(f"link.{kind}", language)


def _rules_map(game: KnitWit, language: str, about: str) -> dict[str, Any]:
    all_links = [link for link in relations(game) if about in ("", link.start, link.end)]
    named = {thing for link in all_links for thing in (link.start, link.end)}
    links = [
        (link.start, _say(f"link.{link.kind}", language, number=link.number), link.end, link.kind)
        for link in all_links
    ]
    return {
        "focus": _say("focus", language),
        "top": about or "answer",
        "concepts": {
            thing: _concept(_thing_card(game, language, thing))
            for thing in THINGS
            if thing in named
        },
        "relations": links,
    }


def _concept(card: MapCard) -> dict[str, Any]:
    return {"label": card.label, "kind": card.kind, "card": card.card}


def _tag_map(game: KnitWit, language: str, about: str) -> dict[str, Any]:
    tags = game.pack.tags
    numbers = {_tag_id(game, tag): tag for tag in range(len(tags))}
    words = words_near(game.pack, numbers[about]) if about in numbers else {}
    starter: dict[str, Any] = {"focus": "", "top": about, "concepts": {}, "relations": []}
    if not words:
        return starter
    first = numbers[about]
    starter["focus"] = _say("asks.tag", language, tag=tags[first].word(language))
    for tag in (first, *sorted(frozenset().union(*words.values()))):
        starter["concepts"][_tag_id(game, tag)] = _concept(_tag_card(game, language, tag))
    phrase = linking("fits", language)
    for entry, others in words.items():
        word = f"word:{entry.zh}"
        starter["concepts"][word] = {"label": entry.word(language), "kind": "word"}
        for tag in (first, *sorted(others)):
            starter["relations"].append((word, phrase, _tag_id(game, tag), "fits"))
    return starter


def cards(game: KnitWit, language: str) -> list[MapCard]:
    """Return the things of the game and all tags of its pack."""
    things = [_thing_card(game, language, thing) for thing in THINGS]
    return things + [_tag_card(game, language, tag) for tag in range(len(game.pack.tags))]


def topics(game: KnitWit, language: str) -> list[tuple[str, str]]:
    """Return the topics to begin with: the rules, and tags that share words in many ways."""
    words = [len(words_near(game.pack, tag)) for tag in range(len(game.pack.tags))]
    most = [tag for tag, count in enumerate(words) if count == max(words) > 1]
    offered = [("", _say("topic.rules", language))]
    for tag in most[:: max(1, len(most) // OFFERED)][:OFFERED]:  # neighbours in the list are alike
        label = _say("topic.tag", language, name=game.pack.tags[tag].names)
        offered.append((_tag_id(game, tag), label))
    return offered


def _tag_id(game: KnitWit, tag: int) -> str:
    return f"tag:{game.pack.tags[tag].zh}"


def _thing_card(game: KnitWit, language: str, thing: str) -> MapCard:
    look = Look(game, language)
    note = say_rule(Rule(NOTES[thing]), look) if thing in NOTES else ""
    symbol = SIGNS.get(thing, "")
    label = _say(f"thing.{thing}", language)
    return MapCard(f"knitwit/{thing}", label, note=note, symbol=symbol)


def _tag_card(game: KnitWit, language: str, tag: int) -> MapCard:
    label = game.pack.tags[tag].word(language)
    yellow = tone_index("yellow")
    return MapCard(f"knitwit/{_tag_id(game, tag)}", label, "tag", symbol="ck-tag", tone=yellow)
