"""How any number of people sits down at tables that a game allows."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

MOST = 48
"""People that are seated at once."""
SIZE = 4
"""How many sit at a table where the game leaves a choice, unless the teacher chooses."""

Cost = tuple[int, int, int, int]
"""Of groups: seats that are left to strategies, distance from the size that is wanted, tables, and
how uneven they are.
"""


def seats_for(people: int, counts: Iterable[int]) -> int:
    """Return how many seats a table of so many *people* has: strategies take the others.

    :param counts: the numbers of players that the game allows.
    """
    return min(count for count in counts if count >= people)


def _cost(sizes: Iterable[int], counts: Iterable[int], size: int) -> Cost:
    strategies = distance = tables = uneven = 0
    for people in sizes:
        seats = seats_for(people, counts)
        strategies += seats - people
        distance += (seats - size) ** 2
        tables += 1
        uneven += people**2
    return strategies, distance, tables, uneven


@lru_cache(4096)
def group_sizes(people: int, counts: tuple[int, ...], size: int) -> tuple[int, ...]:
    """Return for each table how many people sit there.

    As few seats as possible are left to strategies, then tables are as near to *size* as possible.

    :param counts: the numbers of players that the game allows.

    >>> group_sizes(7, (3, 4, 5, 6), 4)
    (4, 3)
    >>> group_sizes(10, (2, 4, 6, 8), 4)
    (6, 4)
    """
    found = [
        (first, *group_sizes(people - first, counts, size))
        for first in range(1, min(people, max(counts)) + 1)
    ]
    best = min(found, key=lambda sizes: _cost(sizes, counts, size), default=())
    return tuple(sorted(best, reverse=True))


def arrange(
    plan: Iterable[Sequence[int]],
    newcomers: Sequence[int],
    counts: tuple[int, ...],
    size: int = SIZE,
) -> list[list[int]]:
    """Return the groups of *plan* with *newcomers* where they fit best.

    Some of them join a group, the others make tables of their own; see :func:`group_sizes` for what
    is best.

    :param plan: groups that the game allows, by the numbers of their people.

    >>> arrange([[1, 2, 3, 4], [5, 6, 7]], [8], (3, 4, 5, 6))
    [[1, 2, 3, 4], [5, 6, 7, 8]]
    >>> arrange([[1, 2, 3, 4]], [5, 6, 7], (3, 4, 5, 6))
    [[1, 2, 3, 4], [5, 6, 7]]
    """
    groups = [list(group) for group in plan]
    best = [*groups, *_split(newcomers, counts, size)]
    for joined, person in enumerate(newcomers, 1):
        roomy = [group for group in groups if len(group) < max(counts)]
        if not roomy:
            break
        place = min(roomy, key=lambda group: _cost_of_one_more(group, counts, size))
        groups = [[*group, person] if group is place else group for group in groups]
        found = [*groups, *_split(newcomers[joined:], counts, size)]
        best = min(best, found, key=lambda groups: _cost(map(len, groups), counts, size))
    return best


def _cost_of_one_more(
    group: Sequence[int], counts: tuple[int, ...], size: int
) -> tuple[int, int, int]:
    before = _cost([len(group)], counts, size)
    after = _cost([len(group) + 1], counts, size)
    return after[0] - before[0], after[1] - before[1], len(group)


def _split(people: Sequence[int], counts: tuple[int, ...], size: int) -> list[list[int]]:
    """Return *people* at tables, in the order given."""
    left = list(people)
    groups = []
    for count in group_sizes(len(left), counts, size):
        groups.append(left[:count])
        del left[:count]
    return groups
