"""Cards and tricks of Wizard.

A card is an int, ``15 * suit + rank``: rank 0 is a Jester, 1-13 a plain card, 14 a Wizard.
Jesters and Wizards have no suit; theirs only tells the four of a kind apart.  A trick lists its
cards in the order they were played.

>>> card_of(DWARF, 7)
37
>>> SUIT[37] == DWARF, RANK[37], is_wizard(37)
(True, 7, False)
"""

from collections.abc import Iterable, Sequence

SUITS = HUMAN, ELF, DWARF, GIANT = 0, 1, 2, 3
NO_SUIT = 4
JESTER, WIZARD = 0, 14  # ranks
NOTHING = -1  # no trump, no suit to follow, no card turned up, no bid yet

CARDS = range(60)
RANK = tuple(card % 15 for card in CARDS)
"""The rank of each card."""
SUIT = tuple(card // 15 if JESTER < RANK[card] < WIZARD else NO_SUIT for card in CARDS)
"""The suit of each card, :data:`NO_SUIT` for a Jester or a Wizard."""
MAY_FOLLOW = tuple(tuple(SUIT[card] in (suit, NO_SUIT) for card in CARDS) for suit in SUITS)
"""By the suit led and the card: whether a player who holds that suit may play it."""
OF_SUIT = tuple(frozenset(card for card in CARDS if SUIT[card] == suit) for suit in SUITS)
"""The cards of each suit, without Jesters and Wizards."""


BIT = tuple(1 << card for card in CARDS)
"""The bit of each card in a set of cards that is one int."""


def bits(cards: Iterable[int]) -> int:
    """Return *cards*, each of them once, as one int: such a set counts and compares faster than
    others.
    """
    return sum(BIT[card] for card in cards)


def card_of(suit: int, rank: int) -> int:
    """Return the card of that *suit* and *rank*."""
    return 15 * suit + rank


def is_wizard(card: int) -> bool:
    """Return whether *card* is a Wizard."""
    return RANK[card] == WIZARD


def is_jester(card: int) -> bool:
    """Return whether *card* is a Jester."""
    return RANK[card] == JESTER


def holds(hand: Sequence[int], suit: int) -> bool:
    """Return whether a card of *suit* is in *hand*."""
    return not OF_SUIT[suit].isdisjoint(hand)


def led_suit(trick: Sequence[int], past_wizard: bool = False) -> int:
    """Return the suit to follow, ``NOTHING`` while there is none.

    Jesters are skipped; a Wizard before any plain card frees the whole trick.

    :param past_wizard: whether, if a Jester was led, the search goes on past a Wizard too:
        :attr:`.Options.past_wizard`.
    """
    for card in trick:
        if SUIT[card] != NO_SUIT:
            return SUIT[card]
        if is_wizard(card) and not (past_wizard and is_jester(trick[0])):
            return NOTHING
    return NOTHING


def _power(card: int, trump: int, led: int) -> int:
    """Return how high *card* counts in a trick: the highest wins, of equal ones the first."""
    if is_wizard(card):
        return 27
    if SUIT[card] == trump:
        return 13 + RANK[card]
    return RANK[card] if SUIT[card] == led else 0


POWER = tuple(
    tuple(tuple(_power(card, trump, led) for card in CARDS) for led in (*SUITS, NOTHING))
    for trump in (*SUITS, NOTHING)
)  # :data:`NOTHING` is -1, the last place
"""By the trump, the suit led and the card: how high it counts."""


def winner(trick: Sequence[int], trump: int) -> int:
    """Return the place in *trick* of the card that wins it.

    The first Wizard, else the highest trump, else the highest card of the suit led, else
    (only Jesters) the first card.

    >>> winner([card_of(HUMAN, 13), card_of(GIANT, WIZARD), card_of(HUMAN, WIZARD)], HUMAN)
    1
    """
    power, best = POWER[trump][led_suit(trick)], trick[0]
    for card in trick:
        if power[card] > power[best]:
            best = card
    return trick.index(best)
