"""The deals of a tournament: one match, one deal in all its seatings, and who got what in it."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from coursekit.core.errors import LocalizedError
from coursekit.core.game import AnyGame
from coursekit.core.match import Match, play_out
from coursekit.core.strategy import Strategy
from coursekit.kit import kit_statistics

Statistics = Callable[[Match], Mapping[str, Sequence[float]]]
"""Takes a finished match; returns name -> one number per seat."""

MatchNumbers = dict[str, Sequence[float]]
"""Statistic -> one number per seat of a match."""


class DealNumbers(NamedTuple):
    """The numbers of each lineup of a deal."""

    shown: list[MatchNumbers]
    """Those of the table: points, wins and the statistics that were asked for."""
    more: list[MatchNumbers]
    """What a frame has beside them: decisions, seconds, and the numbers of the game's kit."""


Entrant = TypeVar("Entrant", bound=Hashable)


class ArenaError(LocalizedError, ValueError):
    """A tournament that cannot be played as asked, or a question that its numbers do not answer."""

    def __init__(self, text: str, **values: Any) -> None:
        super().__init__("", text, **values)


class Job(NamedTuple):
    """All that is needed to play any deal of a tournament."""

    game: AnyGame
    lineups: list[tuple[type[Strategy], ...]]
    seed: str
    statistics: Statistics | None


def play_deal(job: Job, deal: int) -> DealNumbers:
    """Play deal number *deal*, in every lineup.

    :raises ArenaError: if a statistic does not fit.
    :raises StrategyError: naming the strategy and its line.
    """
    numbers = DealNumbers([], [])
    for lineup in job.lineups:
        match, shown = play_match(job.game, lineup, f"{job.seed}/{deal}", job.statistics)
        numbers.shown.append(shown)
        numbers.more.append(more_numbers(match))
    return numbers


def play_match(
    game: AnyGame,
    lineup: Sequence[type[Strategy]],
    seed: str,
    statistics: Statistics | None = None,
) -> tuple[Match, MatchNumbers]:
    """Play one match; return it with its points, its wins in percent, and more *statistics*.

    :raises ArenaError: if a statistic does not fit.
    :raises StrategyError: naming the strategy and its line.
    """
    match = play_out(game, lineup, seed)
    winners = game.winners(match.state)
    numbers: MatchNumbers = {
        "points": game.scores(match.state),
        "wins": [100 * (seat in winners) for seat in game.seats],
    }
    if statistics:
        numbers |= statistics(match)
    for name, by_seat in numbers.items():
        if len(by_seat) != game.players:
            raise ArenaError("arena.statistic", name=name, got=len(by_seat), players=game.players)
    return match, numbers


def more_numbers(match: Match) -> MatchNumbers:
    """Return the decisions of each seat, the seconds they took, and what the kit counts."""
    seats = [seat for seat, _ in match.log]
    decisions = [seats.count(seat) for seat in match.game.seats]
    return {
        "decisions": decisions,
        "seconds": [round(seconds, 6) for seconds in match.seconds],
        **kit_statistics(match),
    }


def collect_numbers(
    lineups: Sequence[Sequence[Entrant]], deal: Sequence[MatchNumbers]
) -> dict[Entrant, dict[str, tuple[float, ...]]]:
    """Return what each entrant got in a deal: statistic -> a number from each seat it sat in."""
    collected: dict[Entrant, dict[str, tuple[float, ...]]] = {}
    for lineup, numbers in zip(lineups, deal, strict=True):
        for statistic, by_seat in numbers.items():
            for entrant, number in zip(lineup, by_seat, strict=True):
                own = collected.setdefault(entrant, {})
                own[statistic] = (*own.get(statistic, ()), number)
    return collected
