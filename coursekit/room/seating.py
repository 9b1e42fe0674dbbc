"""How any number of people sits down at tables that a game allows."""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from coursekit.core.chance import shuffle

MOST = 48
"""People that are seated at once."""
SIZE = 4
"""How many sit at a table where the game leaves a choice."""


class Group(NamedTuple):
    """The people of one table, by their numbers, and how many seats it has: strategies take the
    others.
    """

    people: tuple[int, ...]
    seats: int


def group_sizes(people: int, counts: Sequence[int], size: int = SIZE) -> list[tuple[int, int]]:
    """Return for each table how many people sit there, and how many seats it has.

    As few seats as possible are left to strategies, then tables are as near to *size* as possible.

    :param counts: the numbers of players that the game allows.

    >>> sizes(7, (3, 4, 5, 6))
    [(4, 4), (3, 3)]
    >>> sizes(5, (2, 4, 6, 8))
    [(3, 4), (2, 2)]
    """
    best: tuple[tuple[int, int], list[tuple[int, int]]] | None = None
    for tables in range(1, people + 1):
        few, more = divmod(people, tables)
        groups = [few + 1] * more + [few] * (tables - more)
        if groups[0] > max(counts):
            continue
        seats = [min(each for each in counts if each >= group) for group in groups]
        strategies = sum(seats) - people
        cost = (strategies, sum((each - size) ** 2 for each in seats))
        if best is None or cost < best[0]:
            best = cost, list(zip(groups, seats))
    return best[1] if best else []


def seat_people(
    people: Sequence[int], counts: Sequence[int], rng: Random, size: int = SIZE
) -> list[Group]:
    """Return *people* at tables in random order; see :func:`group_sizes`."""
    left = list(people)
    shuffle(rng, left)
    found = []
    for group, seats in group_sizes(len(left), counts, size):
        found.append(Group(tuple(left[:group]), seats))
        del left[:group]
    return found
