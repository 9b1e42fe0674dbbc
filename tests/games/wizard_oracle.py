"""Wizard's tricks once more, naively and on their own, to check the rules against.

Written from rules/wizard.md, sections 5 and 6, before its author had read
``coursekit.games.wizard``; it shares neither code, nor encoding, nor method with it. A card is
text: ``"R7"`` is the red seven (a dwarf), ``"B"``, ``"G"``, ``"Y"`` are the other suits, ``"Z"`` a
Wizard, ``"N"`` a Jester. Trump is one of ``"BGRY"`` or ``""``. Slow on purpose: the winner is
whoever beats every other card one by one.
"""

import re
from collections.abc import Sequence

LED = {
    # 5.1: "skip every N; if it is Z the trick is free, if it is a suit card that is the led suit".
    "free": re.compile(r"N*([BGRY])"),
    # A2, the other reading: after Jesters a Wizard leaves the lead to the next suit card; a Wizard
    # that leads itself still frees the trick.
    "next_suit_card_leads": re.compile(r"(?:N[NZ]*)?([BGRY])"),
}


def led_suit(trick: Sequence[str], reading: str = "free") -> str:
    """Return the suit to follow, ``""`` for none (not yet, or a free trick)."""
    found = LED[reading].match("".join(card[0] for card in trick))
    return found[1] if found else ""


def legal(hand: Sequence[str], trick: Sequence[str], reading: str = "free") -> list[str]:
    """Return the cards of *hand* that may be played to *trick*, in the order of *hand*."""
    led = led_suit(trick, reading)
    can_follow = any(card.startswith(led) for card in hand if card[0] in "BGRY") if led else False
    if not can_follow:
        return list(hand)
    return [card for card in hand if card[0] in (led, "Z", "N")]


def beats(trick: Sequence[str], one: int, other: int, trump: str, led: str) -> bool:
    """Return whether the card at place *one* of *trick* beats the card at place *other*."""
    a, b = trick[one], trick[other]
    if a == "Z" or b == "Z":
        # "The first Wizard": an earlier one beats a later one, any beats all other cards.
        return a == "Z" and (b != "Z" or one < other)
    if a == "N" or b == "N":
        # A Jester is weaker than the weakest 1; among Jesters the first one holds.
        return a != "N" or (b == "N" and one < other)
    if trump and (a[0] == trump) != (b[0] == trump):
        return a[0] == trump
    if a[0] == b[0]:
        return int(a[1:]) > int(b[1:])
    if a[0] == led or b[0] == led:
        return a[0] == led
    return one < other  # two discards: neither can win, since the led suit lies there


def winner(trick: Sequence[str], trump: str) -> int:
    """Return the place in *trick* of the card that beats every other one."""
    # 5.5 c and d need a suit only where no Wizard lies there, so both readings of A2 agree.
    led = led_suit(trick)
    places = range(len(trick))
    best = [
        one
        for one in places
        if all(beats(trick, one, other, trump, led) for other in places if other != one)
    ]
    assert len(best) == 1, (trick, trump, best)
    return best[0]


def score(predicted: int, won: int) -> int:
    """Return the points of one round for a prediction and the tricks won."""
    missed = max(predicted, won) - min(predicted, won)
    return 0 - 10 * missed if missed else 20 + 10 * won
