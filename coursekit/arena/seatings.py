"""Who sits where in the matches of a deal."""

from collections.abc import Sequence
from itertools import combinations, product
from typing import Literal, get_args

from coursekit.core.strategy import Strategy

Seating = Literal["rotate", "pairs", "field", "all"]
SEATINGS = get_args(Seating)


def lineups(
    strategies: Sequence[type[Strategy]], players: int, seating: Seating = "rotate"
) -> list[tuple[type[Strategy], ...]]:
    """Return the seating of each match of a deal, with each strategy in each seat equally often.

    With ``"field"`` that holds for the first strategy, and for all others together.

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
    first, *others = kinds = list(dict.fromkeys(strategies))
    if seating == "all":
        return list(product(kinds, repeat=players))
    if seating == "pairs":
        return [each for pair in combinations(kinds, 2) for each in lineups(pair, players)]
    if seating == "field":
        return [
            tuple(first if seat == own else other for seat in range(players))
            for other in others
            for own in range(players)
        ]
    kinds, n = list(strategies), len(strategies)
    period = next(p for p in range(1, n + 1) if n % p == 0 and kinds == kinds[:p] * (n // p))
    return [tuple(kinds[(start + seat) % n] for seat in range(players)) for start in range(period)]
