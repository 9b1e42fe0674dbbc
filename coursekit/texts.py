"""Sentences in every language, by id.

The kit has one ``texts.toml``, and so has each game; an id stands there once, with its
languages side by side.  Placeholders name what they hold: ``{seat:seat}`` is a player,
``{won:trick/tricks}`` a number with its noun, ``{card:card}`` whatever the game's own
:meth:`~coursekit.game.Game.word` calls it.
"""

import re
import sys
import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from string import Formatter
from typing import Any

from coursekit.game import TABLE, Event, Game, Refusal, Seat, Spoken, brief

LANGUAGES = ("zh-Hant", "en", "zh-Hans")
"""Interface languages as BCP 47 tags, the first one being the kit's own."""

HERE = Path(__file__).parent
KIT = ""
FROM, TO = "\ue000", "\ue001"  # around each value while a sentence is being filled
BETWEEN_SCRIPTS = re.compile(f"(?<=[0-9A-Za-z]){TO}(?=[\u4e00-\u9fff])|(?<=[\u4e00-\u9fff]){FROM}(?=[0-9A-Za-z])")
"""Where a value in Latin letters or digits touches Chinese text, which wants a space there."""


def folder(game: str) -> Path:
    """Return where the texts of *game* lie: beside its rules, which need not be inside the kit."""
    from coursekit.games import GAMES

    if game in GAMES:
        return Path(sys.modules[GAMES[game].__module__].__file__ or "").parent
    return HERE / "games" / game if game else HERE


@lru_cache
def table(game: str = KIT) -> Mapping[str, Mapping[str, str]]:
    """Return the texts of *game* (or of the kit): id -> language -> template."""
    with (folder(game) / "texts.toml").open("rb") as file:
        nested = tomllib.load(file)
    flat: dict[str, Mapping[str, str]] = {}

    def flatten(prefix: str, entries: Mapping[str, Any]) -> None:
        for key, value in entries.items():
            if isinstance(next(iter(value.values())), str):
                flat[prefix + key] = value
            else:
                flatten(f"{prefix}{key}.", value)

    flatten("", nested)
    return flat


def template(game: str, text: str, language: str) -> str:
    """Return the template *text* of *game*, or of the kit if the game has none of that name.

    :raises ValueError: if the language is not one of :data:`LANGUAGES`.
    :raises KeyError: if there is no such text.
    """
    if language not in LANGUAGES:
        raise ValueError(f"language {language!r} is not one of {', '.join(LANGUAGES)}")
    own = table(game) if game else {}
    return (own.get(text) or table()[text])[language]


class _Sentence(Formatter):
    """Fills a template, giving each value its name in one language."""

    def __init__(self, game: "Game[Any, Any, Any] | str", language: str, names: Sequence[str]) -> None:
        self.game, self.language, self.names = game, language, names

    def format_field(self, value: Any, spec: str) -> str:
        return FROM + self.name(value, spec) + TO

    def name(self, value: Any, spec: str) -> str:
        """Return *value* in words; *spec* is what follows the colon in its placeholder."""
        if isinstance(value, Spoken):  # a reason inside another sentence
            return value.sentence(self.language)
        if isinstance(value, Mapping):  # a name in each language, such as a data file has
            return str(value[self.language])
        if not spec:
            return brief(value) if type(value) is int else str(value)
        if spec == "seat":
            return seat_name(value, self.language, self.names)
        if spec.endswith("*"):  # several of a kind: {winners:seat*}
            return joined([self.name(each, spec[:-1]) for each in value], self.language)
        if "/" in spec:
            one, many = spec.split("/")
            return f"{value} {one if value == 1 else many}"
        if spec[0] in "+.0123456789":
            return format(value, spec)
        assert isinstance(self.game, Game)
        text, values = self.game.word(spec, value)
        return self.fill(template(self.game.name, text, self.language), values)

    def fill(self, template: str, values: Mapping[str, Any]) -> str:
        """Return *template* with *values* in it."""
        filled = BETWEEN_SCRIPTS.sub(" ", self.vformat(template, (), values))
        return filled.replace(FROM, "").replace(TO, "")


def joined(words: Sequence[str], language: str) -> str:
    """Return *words* as a list in prose, ``甲、乙`` or ``A, B``."""
    return (", " if language == "en" else "、").join(words)


def seat_name(seat: Seat, language: str, names: Sequence[str] = ()) -> str:
    """Return the name of the player at *seat*, "Player 1" where none is given."""
    if seat == TABLE:
        return template(KIT, "seat.table", language)
    name = names[seat] if seat < len(names) else ""
    return name or template(KIT, "seat.number", language).format(number=seat + 1)


def said(
    game: "Game[Any, Any, Any] | str", text: str, language: str, names: Sequence[str] = (), /, **values: Any
) -> str:
    """Return the sentence *text* of a game (or its name), in *language*, with *values* filled in."""
    name = game.name if isinstance(game, Game) else game
    return _Sentence(game, language, names).fill(template(name, text, language), values)


def text(id: str, language: str, /, **values: Any) -> str:
    """Return the kit's own sentence *id* in *language*."""
    return said(KIT, id, language, **values)


def sentence(game: Game[Any, Any, Any], about: Event | Refusal, language: str, names: Sequence[str] = ()) -> str:
    """Return what *about* says, in *language*; a refusal ends with the name of its rule."""
    words = said(game, about.text, language, names, **about.values)
    if isinstance(about, Refusal) and about.rule:
        words = said(game, "refusal.by_rule", language, words=words, rule=said(game, about.rule, language))
    return words
