"""The form for a new match: made from a game's options, and read when it is filled in."""

from collections.abc import Mapping, Sequence
from dataclasses import Field, fields
from typing import Any

from coursekit.core.errors import OptionError
from coursekit.core.game import Game
from coursekit.core.options import CardSetNames, SetOf, TupleOf
from coursekit.core.strategy import AtRandom, Strategy
from coursekit.kit import kit_of
from coursekit.table.players import Player, player_key, player_name, players_by_key
from coursekit.table.run import Run
from coursekit.words.characters import is_visible
from coursekit.words.texts import game_text, load_texts, seat_name, shorten, text

LONGEST_NAME = 40
LONGEST_SEED = 80


def describe_form(run: Run, offered: Sequence[type[Strategy]], language: str) -> dict[str, Any]:
    """Return the form: its fields with labels in *language*, filled in as the match of *run* is."""
    game = run.game
    options = fields(game.options)
    names = [*run.match.names, *[""] * game.players]
    return {
        "players": list(game.player_counts),
        "mixes": {players: _mixes(players, language) for players in game.player_counts},
        "by": describe_players(game.name, offered, language),
        "presets": [_preset(game, name, language) for name in game.presets],
        "fields": [_field(game, option, language) for option in options],
        "chosen": {
            "players": game.players,
            "seats": [
                {"by": player_key(player), "name": name} for player, name in zip(run.players, names)
            ],
            "options": {option.name: _value(game, option) for option in options},
            "seed": "",
        },
    }


def _mixes(players: int, language: str) -> list[str]:
    """Return what to call a table of *players*, by the number of people among them."""
    some = [
        text("table.mix", language, people=people, computers=players - people)
        for people in range(1, players)
    ]
    nobody = text("table.mix_computers", language, computers=players)
    return [nobody, *some, text("table.mix_people", language, people=players)]


LEVELS = ("easy", "medium", "hard")


def describe_players(
    game: str, offered: Sequence[type[Strategy]], language: str
) -> list[dict[str, Any]]:
    """Return who can play a seat: a person, or a computer of some level by the name it has.

    The kit orders its strategies from weakest to strongest; of each level, one is the best.
    """
    kit = kit_of(game)
    ranked = [kind.__name__ for kind in kit.strategies if kind is not AtRandom]
    top = max(1, len(ranked) - 1)
    levels = {name: LEVELS[round(2 * rank / top)] for rank, name in enumerate(ranked)}
    best = {level: name for name, level in levels.items()}
    if kit.thinker is not None:
        best["thinks"] = kit.thinker.__name__
        levels[kit.thinker.__name__] = "thinks"
    levels[AtRandom.__name__] = "random"
    described: list[dict[str, Any]] = []
    for key, player in players_by_key(offered).items():
        name = player_name(game, player, language)
        if player == "person":
            described.append({"value": key, "label": name})
            continue
        level = text(f"table.level.{levels.get(key, 'own')}", language)
        label = text("table.computer", language, level=level, name=name)
        is_best = key in best.values() or key not in levels
        described.append(
            {"value": key, "label": label, "level": level, "name": name, "best": is_best}
        )
    return described


def _value(game: Game[Any, Any, Any], option: Field[Any]) -> Any:
    value = getattr(game.options, option.name)
    allowed = option.metadata["allowed"]
    return allowed.local_name(value) if isinstance(allowed, CardSetNames) else value


def _preset(game: Game[Any, Any, Any], name: str, language: str) -> dict[str, Any]:
    """Return a preset: its words, and all options but those that name a class's own cards."""
    options = game.preset(name)
    return {
        "name": name,
        "options": {
            option.name: getattr(options, option.name)
            for option in fields(options)
            if not isinstance(option.metadata["allowed"], CardSetNames)
        },
        **preset_words(game.name, name, language),
    }


def preset_words(game: str, preset: str, language: str) -> dict[str, str]:
    """Return what *preset* is called and means, and how long it takes, "" if nobody knows."""
    return {
        "label": game_text(game, f"preset.{preset}.label", language),
        "help": game_text(game, f"preset.{preset}.help", language),
        "time": _text_or_none(game, f"preset.{preset}.time", language),
    }


def _text_or_none(game: str, text_id: str, language: str) -> str:
    return game_text(game, text_id, language) if text_id in load_texts(game) else ""


def _field(game: Game[Any, Any, Any], option: Field[Any], language: str) -> dict[str, Any]:
    """Return what the page needs to ask for *option*."""
    name = f"option.{option.name}"
    return {
        "name": option.name,
        "default": option.default,
        "optional": option.default is None,
        "first": option.metadata["first"],
        "label": game_text(game, f"{name}.label", language),
        "help": _text_or_none(game.name, f"{name}.help", language),
        **_input(game, option, language),
    }


def _input(game: Game[Any, Any, Any], option: Field[Any], language: str) -> dict[str, Any]:
    """Return the kind of a field and what can be entered in it."""
    allowed = option.metadata["allowed"]
    if allowed == (False, True):
        return {"kind": "switch"}
    if isinstance(allowed, SetOf):
        values = [(entry, f"option.{option.name}.{entry}") for entry in allowed.entries]
        choices = [
            {"value": entry, "label": game_text(game, text_id, language)}
            for entry, text_id in values
        ]
        return {"kind": "set", "choices": choices}
    if isinstance(allowed, TupleOf):
        return {"kind": "numbers", **_bounds(allowed.entries)}
    if isinstance(allowed, range) and not option.metadata["seat"]:
        return {"kind": "number", **_bounds(allowed)}
    if option.metadata["seat"]:
        labels = {seat: seat_name(seat, language) for seat in allowed}
    elif isinstance(allowed, CardSetNames):
        kit = game_text(game, f"option.{option.name}.kit", language)
        labels = {value: allowed.file_name(value) or kit for value in allowed}
    else:
        labels = {
            value: game_text(game, f"option.{option.name}.{value}", language) for value in allowed
        }
    choices = [{"value": value, "label": label} for value, label in labels.items()]
    return {"kind": "choice", "choices": choices}


def _bounds(numbers: range) -> dict[str, int]:
    return {"low": numbers.start, "high": numbers.stop - 1}


def read_form(
    kind: type[Game[Any, Any, Any]],
    offered: Sequence[type[Strategy]],
    players: Any,
    seats: Sequence[Any],
    options: Mapping[str, Any],
    seed: str,
) -> Run:
    """Return the new match that a filled-in form asks for.

    :raises OptionError: if a value or a combination is not allowed, saying what is.
    """
    game = kind(players, kind.options_from(options))
    known = players_by_key(offered)
    seated: list[Player] = []
    names = []
    for seat in seats[: game.players]:
        by = seat.get("by") if isinstance(seat, dict) else None
        if not isinstance(by, str) or by not in known:
            got = shorten(seat if by is None else by)
            raise OptionError(kind.name, "option.by", got=got, allowed=", ".join(known))
        seated.append(known[by])
        name = str(seat.get("name") or "").strip()[:LONGEST_NAME]
        if name and not is_visible(name):
            raise OptionError(kind.name, "name.unseen")
        names.append(name)
    if len(seated) < game.players:
        raise OptionError(kind.name, "option.seats", got=len(seated), allowed=game.players)
    return Run(game, seated, names, seed.strip()[:LONGEST_SEED] or None)
