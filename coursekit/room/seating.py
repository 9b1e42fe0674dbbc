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
    """The people of one table, by their numbers, and its seats: strategies take the others."""

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
    cheapest: tuple[int, int] | None = None
    best: list[tuple[int, int]] = []
    for tables in range(1, people + 1):
        few, more = divmod(people, tables)
        groups = [few + 1] * more + [few] * (tables - more)
        if groups[0] > max(counts):
            continue
        seats = [min(count for count in counts if count >= group) for group in groups]
        strategies = sum(seats) - people
        cost = strategies, sum((count - size) ** 2 for count in seats)
        if cheapest is None or cost < cheapest:
            cheapest = cost
            best = list(zip(groups, seats))
    return best


def seat_people(
    people: Sequence[int], counts: Sequence[int], rng: Random, size: int = SIZE
) -> list[Group]:
    """Return *people* at tables in random order; see :func:`group_sizes`."""
    left = list(people)
    shuffle(rng, left)
    groups = []
    for count, seats in group_sizes(len(left), counts, size):
        groups.append(Group(tuple(left[:count]), seats))
        del left[:count]
    return groups
