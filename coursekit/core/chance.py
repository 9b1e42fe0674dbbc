"""Repeatable chance: seeded streams, and the few draws a game needs.

Everything here uses only :meth:`random.Random.random`, the one method whose sequence Python
promises to keep. So a record replays identically on every Python.
"""

from collections.abc import Callable, Sequence
from hashlib import sha256
from math import floor
from random import Random
from typing import TypeVar

T = TypeVar("T")


def new_seed() -> str:
    """Return a seed that cannot be guessed: 128 random bits as 32 hexadecimal digits."""
    import secrets  # here, since rules are imported without a match being played

    return secrets.token_hex(16)


def stream(seed: str, use: str) -> Random:
    """Return the generator for one *use* (``"chance"``, ``"seat 2"``) of a match's *seed*.

    The same pair gives the same stream everywhere; different uses are independent.
    """
    return Random(stream_number(seed, use))


def stream_number(seed: str, use: str) -> int:
    """Return the number that a :func:`stream` begins from."""
    # Hashed first: Random("text") keeps the text inside its state.  A strategy holding one
    # stream could read the seed there, and with it every hand.
    return int.from_bytes(sha256(f"{seed}/{use}".encode()).digest(), "big")


def random_below(rng: Random, n: int) -> int:
    """Return an integer in ``range(n)``, each equally likely."""
    return floor(rng.random() * n)


def pick(rng: Random, things: Sequence[T]) -> T:
    """Return one of *things*, each equally likely."""
    return things[floor(rng.random() * len(things))]


def shuffle(rng: Random, things: list[T]) -> None:
    """Put *things* into a random order, in place, each order equally likely."""
    random = rng.random
    for last in range(len(things) - 1, 0, -1):
        other = floor(random() * (last + 1))
        things[last], things[other] = things[other], things[last]


def deal_where(
    rng: Random, cards: Sequence[int], sizes: Sequence[int], allowed: Callable[[int, int], bool]
) -> list[list[int]]:
    """Deal all *cards* at random into hands of exactly *sizes*, where ``allowed(hand, card)``.

    For guessing what others hold.  Every deal that fits is possible, but not equally likely.

    :raises ValueError: if no deal fits.
    """
    if sum(sizes) != len(cards):
        raise ValueError(f"{len(cards)} cards do not fill hands of {list(sizes)}")
    hands: list[list[int]] = [[] for _ in sizes]

    def place(card: int, tried: set[int]) -> bool:
        # An augmenting path, as in bipartite matching: a full hand passes one card on.
        order = sorted(
            range(len(sizes)), key=lambda hand: (len(hands[hand]) - sizes[hand]) * rng.random()
        )
        for hand in order:
            if hand in tried or not sizes[hand] or not allowed(hand, card):
                continue
            tried.add(hand)
            if len(hands[hand]) < sizes[hand]:
                hands[hand].append(card)
                return True
            for index, other in enumerate(hands[hand]):
                if place(other, tried):
                    hands[hand][index] = card
                    return True
        return False

    shuffled = list(cards)
    shuffle(rng, shuffled)
    for card in shuffled:
        if not place(card, set()):
            raise ValueError(f"no dealing of {len(cards)} cards into hands of {list(sizes)} fits")
    return hands
