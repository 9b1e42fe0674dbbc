"""What comes before and after play: what a player did, what is worth talking about, and a map of
the rules.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from coursekit.core.game import Seat
from coursekit.core.match import Match
from coursekit.kit import Lesson, MapStarter
from coursekit.kit.debrief_moment import Moment, Played
from coursekit.kit.map_card import MapCard
from coursekit.words.texts import game_text

NAME = "keep_or_swap"


def swaps(match: Match, seats: Sequence[Seat]) -> list[int]:
    """Return the cards that *seats* have swapped away."""
    told = [event for events in match.events for event in events if event.text == "swap"]
    return [event.values["card"] for event in told if event.values["seat"] in seats]


def evidence(
    name: str, match: Match, seats: Sequence[Seat], language: str, draw: int = 0
) -> list[str]:
    """Return what *seats* did, below the question *name*."""
    cards = swaps(match, seats)
    if not cards:
        return [game_text(NAME, "evidence.kept", language)]
    return [game_text(NAME, "evidence.swapped", language, card=card) for card in cards]


def moments(played: Sequence[Played], language: str) -> list[Moment]:
    """Return what is worth talking about in the matches *played*."""
    count = sum(len(swaps(each.match, each.seats)) for each in played)
    if not count:
        return []
    title, where, ask = (
        game_text(NAME, f"debrief.swaps.{part}", language) for part in ("title", "where", "ask")
    )
    told = game_text(NAME, "debrief.swaps.told", language, swaps=count)
    return [Moment("swaps", title, where, (told,), ask, 0.5)]


def starter(game: Any, language: str, about: str = "") -> Mapping[str, Any]:
    """Return the map that the rules draw."""
    things = {
        each.card: {"label": each.label, "kind": each.kind, "card": each.card}
        for each in cards(game, language)
    }
    link = game_text(NAME, "map.link.swapped", language)
    relations = [(f"{NAME}/card", link, f"{NAME}/pile", "swapped")]
    return {
        "focus": game_text(NAME, "map.focus", language),
        "top": f"{NAME}/card",
        "concepts": things,
        "relations": relations,
    }


def cards(game: Any, language: str) -> list[MapCard]:
    """Return what a map can be drawn about."""
    return [
        MapCard(
            f"{NAME}/{each}",
            game_text(NAME, f"map.thing.{each}", language),
            "card",
            symbol="ck-star",
            tone=1,
        )
        for each in ("card", "pile")
    ]


LESSON = Lesson(
    evidence=evidence,
    moments=moments,
    map_starter=MapStarter(starter=starter, kinds={"swapped": {}}, cards=cards),
)
