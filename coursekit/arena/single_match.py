"""One match between strategies, and the strategies that a name stands for."""

from collections.abc import Sequence

from coursekit.arena.deals import ArenaError
from coursekit.core.game import AnyGame, check_game
from coursekit.core.match import Match, play_out
from coursekit.core.strategy import Strategy
from coursekit.kit import kit_of
from coursekit.words.texts import shorten

Entrant = type[Strategy] | str
"""A strategy, or the name of one of the kit: of its class, or as a table says it."""


def play(game: AnyGame, players: Sequence[Entrant], seed: str | int | None = None) -> Match:
    """Play a whole match between strategies, and return it.

    The list is repeated until all seats are filled: ``play(Wizard(4), [Mine, "Cautious"])``.

    :param seed: any text or number, the same for the same match; ``None`` for chance.
    :raises ArenaError: a ``ValueError``, if a player is no strategy.
    :raises StrategyError: naming the strategy and its line, if one raises or plays nonsense, or if
        all wait for each other.
    """
    kinds = find_strategies(game, players)
    return play_out(game, [kinds[seat % len(kinds)] for seat in game.seats], seed)


def find_strategies(
    game: AnyGame, entrants: Sequence[Entrant], language: str | None = None
) -> list[type[Strategy]]:
    """Return the strategies that *entrants* name.

    :param language: for strategies of the kit that write words.
    :raises ArenaError: if there is none, or one is no strategy.
    """
    check_game(game)
    if isinstance(entrants, str) or not isinstance(entrants, Sequence) or not entrants:
        raise ArenaError("arena.no_strategies", got=shorten(entrants))
    kinds = []
    for entrant in entrants:
        if isinstance(entrant, str):
            entrant = kit_of(game).strategy(entrant, language)
        if isinstance(entrant, Strategy):
            raise ArenaError("strategy.instance", strategy=type(entrant).__name__)
        if not isinstance(entrant, type) or not issubclass(entrant, Strategy):
            raise ArenaError("arena.no_strategy", got=shorten(entrant))
        kinds.append(entrant)
    return kinds
