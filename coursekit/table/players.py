"""Who plays a seat, a person or a strategy, and their names."""

import sys
from collections.abc import Sequence
from typing import Literal

from coursekit.core.strategy import Strategy
from coursekit.kit import GameKit, UnknownStrategyError, kit_of
from coursekit.words.texts import LANGUAGES, game_text, text

Player = type[Strategy] | Literal["person"]
"""Who plays a seat: a person, or a strategy."""


def find_players(
    kit: GameKit, count: int, seats: Sequence[Player | str], language: str
) -> list[Player]:
    """Return who plays each of *count* seats: people, and strategies or what their names stand for.

    :raises ValueError: unless *seats* says it for each seat.
    """
    if len(seats) != count:
        raise ValueError(f"{count} players need {count} seats, not {len(seats)}")
    players: list[Player] = []
    for seat in seats:
        if seat == "person" or (isinstance(seat, type) and issubclass(seat, Strategy)):
            players.append(seat)
        elif isinstance(seat, str):
            players.append(_find_strategy(kit, seat, language))
        else:
            raise ValueError(f'a seat is "person", a Strategy class or its name, not {seat!r}')
    return in_language(kit.name, players, language)


def _find_strategy(kit: GameKit, name: str, language: str) -> type[Strategy]:
    try:
        return kit.strategy(name, language)
    except UnknownStrategyError as error:
        if "allowed" in error.values:  # at a table a person can sit, too
            error.values["allowed"] = f"person, {error.values['allowed']}"
        raise


def player_name(game: str, player: Player, language: str) -> str:
    """Return what *player* is called; a strategy without a text of its own by its class name."""
    if player == "person":
        return text("table.person", language)
    try:
        return game_text(game, f"strategy.{player.__name__}", language)
    except KeyError:
        return player.__name__


def player_key(player: Player) -> str:
    """Return how *player* is named in a form and in the store."""
    return player if isinstance(player, str) else player.__name__


def newest_class(kind: type[Strategy]) -> type[Strategy]:
    """Return *kind*, or the class of the same name if its cell of the notebook was run again."""
    if kind.__module__ != "__main__":
        return kind
    name = kind.__qualname__
    new = getattr(sys.modules["__main__"], name, None)
    if isinstance(new, type) and issubclass(new, Strategy) and new.__qualname__ == name:
        return new
    return kind


def players_by_key(offered: Sequence[type[Strategy]]) -> dict[str, Player]:
    """Return who can play a seat, by the name they have in a form and in the store."""
    players: list[Player] = ["person", *offered]
    return {player_key(player): player for player in players}


def in_language(game: str, players: Sequence[Player], language: str) -> list[Player]:
    """Return *players*, the kit's own strategies among them as they are where *language* is spoken.

    >>> from coursekit.games.knitwit.strategies import Original
    >>> players = in_language("knitwit", ["person", Original], "en")
    >>> [getattr(player, "tongue", player) for player in players]
    ['person', 'en']
    """
    kit = kit_of(game)
    spoken = kit.players(language)
    same: dict[Player, Player] = {}
    for strategies in (kit.strategies, *(kit.players(code) for code in LANGUAGES)):
        same |= dict(zip(strategies, spoken))
    return [same.get(player, player) for player in players]
