"""The deals of a tournament: what there is to play, and one of them played."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from coursekit.core.errors import LocalizedError
from coursekit.core.game import Game
from coursekit.core.match import Match, play_out
from coursekit.core.strategy import Strategy

PRINTED = 10_000
"""Maximum characters that are printed in a tournament."""

Statistics = Callable[[Match], Mapping[str, Sequence[float]]]
"""Takes a finished match; returns name -> one number per seat."""

Played = list[dict[str, Sequence[float]]]
"""Of one deal, for each lineup: statistic -> one number per seat."""


class ArenaError(LocalizedError, ValueError):
    """A tournament that cannot be played as asked, or a question that its numbers do not answer."""

    def __init__(self, text: str, **values: Any) -> None:
        super().__init__("", text, **values)


class Job(NamedTuple):
    """All that is needed to play any deal of a tournament."""

    game: Game[Any, Any, Any]
    lineups: list[tuple[type[Strategy], ...]]
    seed: str
    statistics: Statistics | None


def play_deal(job: Job, deal: int) -> Played:
    """Play deal number *deal*, in every lineup.

    :raises ArenaError: if a statistic does not fit.
    :raises StrategyError: naming the strategy and its line.
    """
    played: Played = []
    for lineup in job.lineups:
        match = play_out(job.game, lineup, f"{job.seed}/{deal}")
        won = job.game.winners(match.state)
        found: dict[str, Sequence[float]] = {
            "points": job.game.scores(match.state),
            "wins": [100 * (seat in won) for seat in job.game.seats],
        }
        if job.statistics:
            found |= job.statistics(match)
        for name, by_seat in found.items():
            if len(by_seat) != job.game.players:
                raise ArenaError(
                    "arena.statistic", name=name, got=len(by_seat), players=job.game.players
                )
        played.append(found)
    return played
