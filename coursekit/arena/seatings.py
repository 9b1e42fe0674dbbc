"""Who sits where in the matches of a deal."""

from collections.abc import Sequence
from itertools import combinations, product
from typing import Literal, TypeVar, get_args

Seating = Literal["rotate", "pairs", "field", "all"]
SEATINGS = get_args(Seating)
Entrant = TypeVar("Entrant")


def lineups(
    entrants: Sequence[Entrant], players: int, seating: Seating = "rotate"
) -> list[tuple[Entrant, ...]]:
    """Return the seating of each match of a deal, with each entrant in each seat equally often.

    With ``"field"`` that holds for the first entrant, and for all others together.

    >>> lineups(["A", "B", "C"], players=4)
    [('A', 'B', 'C', 'A'), ('B', 'C', 'A', 'B'), ('C', 'A', 'B', 'C')]
    >>> lineups(["A", "A", "A"], players=4)
    [('A', 'A', 'A', 'A')]
    >>> lineups(["A", "B", "C"], 2, "field")
    [('A', 'B'), ('B', 'A'), ('A', 'C'), ('C', 'A')]
    >>> lineups(["A", "B", "C"], 2, "pairs")
    [('A', 'B'), ('B', 'A'), ('A', 'C'), ('C', 'A'), ('B', 'C'), ('C', 'B')]
    >>> lineups(["A", "B"], 2, "all")
    [('A', 'A'), ('A', 'B'), ('B', 'A'), ('B', 'B')]
    """
    first, *others = distinct = list(dict.fromkeys(entrants))
    if seating == "all":
        return list(product(distinct, repeat=players))
    if seating == "pairs":
        return [lineup for pair in combinations(distinct, 2) for lineup in lineups(pair, players)]
    if seating == "field":
        return [
            tuple(first if seat == own else other for seat in range(players))
            for other in others
            for own in range(players)
        ]
    queue = list(entrants)
    count = len(queue)
    # A list that repeats itself comes back to its beginning earlier.
    period = next(p for p in range(1, count + 1) if queue == queue[:p] * (count // p))
    return [
        tuple(queue[(start + seat) % count] for seat in range(players)) for start in range(period)
    ]
