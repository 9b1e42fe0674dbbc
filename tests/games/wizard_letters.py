"""Cards of Wizard in the letters of :mod:`wizard_oracle`: ``R7`` is the red seven, ``Z`` a Wizard,
``N`` a Jester.
"""

from collections.abc import Iterable

from coursekit.games.wizard.rules.cards import (
    NOTHING,
    RANK,
    SUIT,
    SUITS,
    card_of,
    is_jester,
    is_wizard,
)

COLOURS = "BGRY"
"""Blue humans, green elves, red dwarfs, yellow giants."""


def suit(colour: str) -> int:
    """Return the suit of a *colour*, ``NOTHING`` for ""."""
    return COLOURS.index(colour) if colour else NOTHING


def cards(names: str) -> list[int]:
    """Return the cards that are called, for example, ``"R7 Z N"``; several Z or N are different
    ones.
    """
    left = {"Z": [card_of(suit, 14) for suit in SUITS], "N": [card_of(suit, 0) for suit in SUITS]}
    return [
        left[name].pop(0) if name in left else card_of(suit(name[0]), int(name[1:]))
        for name in names.split()
    ]


def letters(card: int) -> str:
    """Return what *card* is called."""
    return (
        "Z" if is_wizard(card) else "N" if is_jester(card) else f"{COLOURS[SUIT[card]]}{RANK[card]}"
    )


def named(cards: Iterable[int]) -> set[str]:
    """Return what *cards* are called."""
    return set(map(letters, cards))
