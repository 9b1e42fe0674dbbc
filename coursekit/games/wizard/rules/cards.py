"""Cards and tricks of Wizard.

A card is an int, ``15 * suit + rank``: rank 0 a Jester, 1-13 a plain card, 14 a Wizard.
Suits are 0 human, 1 elf, 2 dwarf, 3 giant.  Jesters and Wizards have no suit; theirs only
tells the four of a kind apart.  A trick lists its cards in the order they were played.
"""

from collections.abc import Sequence

JESTER, WIZARD = 0, 14  # ranks
SUITS = (0, 1, 2, 3)
NO_SUIT = 4
SUIT = tuple(card // 15 if JESTER < card % 15 < WIZARD else NO_SUIT for card in range(60))
FOLLOWING = tuple(frozenset(card for card in range(60) if SUIT[card] in (suit, NO_SUIT)) for suit in SUITS)
"""By the suit led: the cards that may be played by who holds that suit."""
NOTHING = -1  # no trump, no suit to follow, no card turned up, no bid yet


def holds(hand: Sequence[int], suit: int) -> bool:
    """Return whether a card of *suit* is in *hand*."""
    return suit in map(SUIT.__getitem__, hand)  # asked twice a decision, and twice as fast as any(…)


def led_suit(trick: Sequence[int], past_wizard: bool = False) -> int:
    """Return the suit to follow, ``NOTHING`` while there is none.

    Jesters are skipped; a Wizard before any plain card frees the whole trick.  *past_wizard*:
    if a Jester was led, the search goes on behind a Wizard too (``jester_then_wizard``).
    """
    for card in trick:
        if SUIT[card] != NO_SUIT:
            return SUIT[card]
        if card % 15 == WIZARD and not (past_wizard and trick[0] % 15 == JESTER):
            return NOTHING
    return NOTHING


def winner(trick: Sequence[int], trump: int) -> int:
    """Return the place in *trick* of the card that wins it.

    The first Wizard, else the highest trump, else the highest card of the suit led, else
    (only Jesters) the first card.

    >>> winner([2, 13, 59, 14], trump=0)  # human 2, human 13, giants' Wizard, humans' Wizard
    2
    """
    led, best, most = led_suit(trick), 0, 0
    for place, card in enumerate(trick):
        rank = card % 15
        if rank == WIZARD:
            return place
        power = rank + 13 if SUIT[card] == trump else rank if SUIT[card] == led else 0
        if power > most:
            best, most = place, power
    return best
