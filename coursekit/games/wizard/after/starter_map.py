"""The starter map of Wizard: what beats, frees and earns what, found by asking the rules."""

from collections.abc import Mapping
from typing import Any

from coursekit.core.chance import stream
from coursekit.games.wizard.rules.cards import (
    DWARF,
    ELF,
    HUMAN,
    JESTER,
    MAY_FOLLOW,
    NOTHING,
    RANK,
    SUIT,
    SUITS,
    WIZARD,
    card_of,
    winner,
)
from coursekit.games.wizard.rules.game import Wizard
from coursekit.games.wizard.table.quick_start import choose_text
from coursekit.games.wizard.table.scene import ART, SUIT_TONES
from coursekit.kit.map_card import MapCard, tone_index
from coursekit.words.texts import game_text

TRUMP, LED, OTHER = HUMAN, ELF, DWARF  # suits of the cards that stand for their kind
SAMPLES = {
    "wizard": card_of(HUMAN, WIZARD),
    "trump": card_of(TRUMP, 7),
    "led": card_of(LED, 7),
    "other": card_of(OTHER, 7),
    "jester": card_of(HUMAN, JESTER),
}
"""A card of each kind, in a trick to which the lowest card of the suit LED is led."""
THINGS = (*SAMPLES, "bid", "won", "met", "missed", "points")
KINDS: Mapping[str, Mapping[str, str]] = {
    "beats": {},
    "free": {},
    "names": {"opposite": "cancels"},
    "cancels": {"opposite": "names"},
    "guesses": {},
    "equals": {"opposite": "differs"},
    "differs": {"opposite": "equals"},
    "earns": {"opposite": "costs"},
    "costs": {"opposite": "earns"},
}
"""Kinds of relations of this game only, and the kinds that contradict them."""
DEALS = 500
"""Deals that are tried to see what a Wizard or a Jester does when turned up."""


def starter(game: Wizard, language: str, about: str = "") -> dict[str, Any]:
    """Return all relations of *game*, or those of the thing *about*, one of :data:`THINGS`."""
    relations = [relation for relation in find_relations(game) if about in ("", *relation[::2])]
    concepts = {}
    for thing in THINGS:
        if any(thing in relation for relation in relations):
            label = game_text("wizard", f"map.thing.{thing}", language)
            concepts[thing] = {"label": label, "kind": _kind(thing), "card": f"wizard/{thing}"}
    lines = [
        (start, game_text("wizard", f"map.link.{kind}", language), end, kind)
        for start, kind, end in relations
    ]
    return {
        "focus": game_text("wizard", "map.focus", language),
        "top": about or "bid",
        "concepts": concepts,
        "relations": lines,
    }


def _kind(thing: str) -> str:
    return "card" if thing in SAMPLES else ""


def cards(game: Wizard, language: str) -> list[MapCard]:
    """Return the things of *game*: cards by what they do, suits, and scoring."""
    cards = []
    signs = {
        "wizard": ("ck-wizard", tone_index("violet")),
        "jester": ("ck-jester", tone_index("grey")),
    }
    for thing in THINGS:
        symbol, tone = signs.get(thing, ("", None))
        values = vars(game.options)
        if thing in signs:
            rank = RANK[SAMPLES[thing]]
            count = sum(RANK[card] == rank for card in game.deck)
            if not count:
                continue
            values = values | {"count": count}
        note = game_text("wizard", choose_text(f"map.note.{thing}", game), language, **values)
        label = game_text("wizard", f"map.thing.{thing}", language)
        cards.append(
            MapCard(f"wizard/{thing}", label, _kind(thing), note, symbol=symbol, tone=tone)
        )
    for suit in SUITS:
        ranks = [RANK[card] for card in game.deck if SUIT[card] == suit]
        values = {"count": len(ranks), "low": min(ranks), "high": max(ranks)}
        note = game_text("wizard", "map.note.suit", language, **values)
        label = game_text("wizard", f"suit.{suit}", language)
        tone = tone_index(SUIT_TONES[suit])
        art = ART[suit]
        cards.append(MapCard(f"wizard/{art}", label, "suit", note, symbol=f"ck-{art}", tone=tone))
    return cards


def find_relations(game: Wizard) -> list[tuple[str, str, str]]:
    """Return the (start, kind, end) of all that the rules of *game* say about :data:`THINGS`."""
    cards = {kind: card for kind, card in SAMPLES.items() if card in game.deck}
    beaten = {(one, other) for one in cards for other in cards if _beats(one, other)}
    relations = [
        (one, "beats", other)
        for one, other in sorted(beaten, key=_place)
        if not any((one, between) in beaten and (between, other) in beaten for between in cards)
    ]
    for kind, card in cards.items():
        if MAY_FOLLOW[LED][card] and SUIT[card] != LED:
            relations.append((kind, "free", "led"))
    for kind, deed in _find_trump_deeds(game).items():
        relations.append((kind, deed, "trump"))
    relations += [
        ("bid", "guesses", "won"),
        ("won", "equals", "met"),
        ("won", "differs", "missed"),
    ]
    few = range(3)
    met = sum(game.gain(bid, bid) for bid in few)
    missed = sum(game.gain(bid, won) for bid in few for won in few if bid != won)
    for name, gain in (("met", met), ("missed", missed)):
        if gain:
            relations.append((name, "earns" if gain > 0 else "costs", "points"))
    return relations


def _place(pair: tuple[str, str]) -> tuple[int, int]:
    return THINGS.index(pair[0]), THINGS.index(pair[1])


def _beats(one: str, other: str) -> bool:
    """Return whether a card of the kind *one* wins against *other*, whichever is played first."""
    lowest = card_of(LED, 1)
    first, second = (lowest, SAMPLES[one], SAMPLES[other]), (lowest, SAMPLES[other], SAMPLES[one])
    return one != other and winner(first, TRUMP) == 1 and winner(second, TRUMP) == 2


def _find_trump_deeds(game: Wizard) -> dict[str, str]:
    """Return what a card without a suit does to the trump when it is turned up."""
    deeds: dict[str, str] = {}
    kinds = [kind for kind in ("wizard", "jester") if SAMPLES[kind] in game.deck]
    for number in range(DEALS):
        if len(deeds) == len(kinds):
            break
        state = game.initial_state(stream(f"relations {number}", "chance"))
        for kind in kinds:
            if state.turned != NOTHING and RANK[state.turned] == RANK[SAMPLES[kind]]:
                deeds[kind] = "names" if state.phase == "trump" else "cancels"
    return dict(sorted(deeds.items(), reverse=True))
