"""The form for a new match, made from a game's options, and reading what was filled in."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from coursekit.core.errors import OptionError
from coursekit.core.game import Game
from coursekit.core.options import CardSetNames, TupleOf
from coursekit.core.strategy import Strategy
from coursekit.table.players import Player, player_key, player_name, players_by_key
from coursekit.table.run import Run
from coursekit.words.texts import game_text, load_texts, seat_name, shorten


def form(run: Run, offered: Sequence[type[Strategy]], language: str) -> dict[str, Any]:
    """Return the form: its fields with labels in *language*, filled in as the match of *run* is."""
    game = run.game
    return {
        "players": list(game.player_counts),
        "by": [
            {"value": player_key(player), "label": player_name(game.name, player, language)}
            for player in players_by_key(offered).values()
        ],
        "presets": [_preset(game, name, language) for name in game.presets],
        "fields": [_field(game, each, language) for each in fields(game.options)],
        "chosen": {
            "players": game.players,
            "seats": [
                {"by": player_key(player), "name": name}
                for player, name in zip(run.players, [*run.match.names, *[""] * game.players])
            ],
            "options": {each.name: _chosen(game, each) for each in fields(game.options)},
            "seed": "",
        },
    }


def _chosen(game: Game[Any, Any, Any], each: Any) -> Any:
    value, allowed = getattr(game.options, each.name), each.metadata["allowed"]
    return allowed.here(value) if isinstance(allowed, CardSetNames) else value


def _preset(game: Game[Any, Any, Any], name: str, language: str) -> dict[str, Any]:
    """Return a way to play with a name: its words, and all options but those that name a class's
    own cards.
    """
    options = game.preset(name)
    rules = [
        each.name for each in fields(options) if not isinstance(each.metadata["allowed"], CardSetNames)
    ]
    words = {part: game_text(game, f"preset.{name}.{part}", language) for part in ("label", "help")}
    return {"name": name, "options": {each: getattr(options, each) for each in rules}, **words}


def _field(game: Game[Any, Any, Any], each: Any, language: str) -> dict[str, Any]:
    allowed, name = each.metadata["allowed"], f"option.{each.name}"
    found: dict[str, Any] = {
        "name": each.name,
        "default": each.default,
        "optional": each.default is None,
        "first": each.metadata["first"],
        "label": game_text(game, f"{name}.label", language),
        "help": game_text(game, f"{name}.help", language)
        if f"{name}.help" in load_texts(game.name)
        else "",
    }
    if allowed == (False, True):
        return found | {"kind": "switch"}
    if each.metadata["seat"]:
        seats = [{"value": seat, "label": seat_name(seat, language)} for seat in allowed]
        return found | {"kind": "choice", "choices": seats}
    if isinstance(allowed, tuple):
        choices = [
            {"value": value, "label": game_text(game, f"{name}.{value}", language)}
            for value in allowed
        ]
        return found | {"kind": "choice", "choices": choices}
    if isinstance(allowed, CardSetNames):
        kit = game_text(game, f"{name}.kit", language)
        return found | {
            "kind": "choice",
            "choices": [{"value": value, "label": allowed.file(value) or kit} for value in allowed],
        }
    numbers = allowed.each if isinstance(allowed, TupleOf) else allowed
    kind = "numbers" if isinstance(allowed, TupleOf) else "number"
    return found | {"kind": kind, "low": numbers.start, "high": numbers.stop - 1}


def filled_in(
    kind: type[Game[Any, Any, Any]], offered: Sequence[type[Strategy]], content: Mapping[str, Any]
) -> Run:
    """Return the new match that a filled-in form asks for.

    :raises OptionError: if a value or a combination is not allowed, saying what is.
    """
    game = kind(content.get("players"), kind.options_from(content.get("options") or {}))  # type: ignore[arg-type]
    known = players_by_key(offered)
    seats = list(content.get("seats") or [])[: game.players]
    players: list[Player] = []
    for seat in seats:
        by = seat.get("by") if isinstance(seat, dict) else seat
        if not isinstance(by, str) or by not in known:
            raise OptionError(kind.name, "option.by", got=shorten(by), allowed=", ".join(known))
        players.append(known[by])
    if len(players) < game.players:
        raise OptionError(kind.name, "option.seats", got=len(players), allowed=game.players)
    names = [str(seat.get("name") or "").strip()[:40] for seat in seats]
    return Run(game, players, names, str(content.get("seed") or "").strip()[:80] or None)
