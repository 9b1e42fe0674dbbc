"""Who plays a seat: a person or a strategy, and what they are called."""

import sys
from collections.abc import Sequence
from typing import Any, Literal

from coursekit.core.strategy import Strategy
from coursekit.kit import kit_of
from coursekit.words.texts import LANGUAGES, game_text, text

Player = type[Strategy] | Literal["person"]
"""Who plays a seat: a person, or a strategy."""


def check_seats(players: int, seats: Sequence[Any]) -> None:
    """Raise ``ValueError`` unless *seats* says for each of the *players* who plays."""
    if len(seats) != players:
        raise ValueError(f"{players} players need {players} seats, not {len(seats)}")
    for seat in seats:
        if seat != "person" and not (isinstance(seat, type) and issubclass(seat, Strategy)):
            raise ValueError(f'a seat is "person" or a Strategy class, not {seat!r}')


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
    """Return *kind*, or the class of the same name if its cell in the notebook was mended and run
    again since.
    """
    found = (
        getattr(sys.modules["__main__"], kind.__qualname__, None)
        if kind.__module__ == "__main__"
        else None
    )
    if (
        isinstance(found, type)
        and issubclass(found, Strategy)
        and found.__qualname__ == kind.__qualname__
    ):
        return found
    return kind


def players_by_key(offered: Sequence[type[Strategy]]) -> dict[str, Player]:
    """Return who can play a seat, by the name they have in a form and in the store."""
    players: list[Player] = ["person", *offered]
    return {player_key(player): player for player in players}


def in_language(game: str, players: Sequence[Player], language: str) -> list[Player]:
    """Return *players*, the kit's own strategies among them as they are where *language* is spoken.

    >>> from coursekit.games.knitwit.strategies import Original
    >>> [getattr(each, "tongue", each) for each in in_language("knitwit", ["person", Original], "en")]
    ['person', 'en']
    """
    kit = kit_of(game)
    here = kit.players(language)
    ways = [kit.strategies, *(kit.players(each) for each in LANGUAGES)]
    same: dict[Player, Player] = {
        kind: here[place] for way in ways for place, kind in enumerate(way)
    }
    return [same.get(player, player) for player in players]
