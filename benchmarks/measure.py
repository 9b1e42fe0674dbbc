"""What the benchmarks of several games count alike: decisions a second, and matches won."""

from collections.abc import Sequence
from time import process_time
from typing import Any

from coursekit.core.game import TABLE, Game
from coursekit.core.match import Match, play_out
from coursekit.core.strategy import Strategy


def pace(game: Game[Any, Any, Any], kind: type[Strategy], seeds: Sequence[int]) -> float:
    """Return how many decisions of seats a second of processor time makes, one *kind* in all seats."""
    start = process_time()
    matches = [play_out(game, [kind] * game.players, seed) for seed in seeds]
    spent = process_time() - start
    return sum(seat != TABLE for match in matches for seat, _ in match.log) / spent


def share(match: Match) -> dict[str, list[float]]:
    """Return 100 for a match won, and for one that is shared the equal part of it."""
    won = match.game.winners(match.state)
    return {"share": [100 / len(won) if seat in won else 0 for seat in match.game.seats]}
