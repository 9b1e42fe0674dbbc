"""Checks that every game of the kit passes, for authors of a new game::

    from coursekit.testing import check_game

    check_game("my_game")

Every check plays a match at random, which follows from a seed, and looks at each of its moments.
If a promise does not hold, it raises :class:`CheckError`, which says what was got and what was
expected, in which game, with which seed and after how many actions: :func:`moment` goes back to
exactly there.  Only :func:`games` and :func:`seeds`, for Hypothesis, need more than the standard
library.
"""

from collections.abc import Callable, Iterable
from dataclasses import Field, fields
from functools import partial
from typing import Any

from coursekit.core.chance import stream
from coursekit.core.errors import OptionError
from coursekit.core.game import AnyGame, Game
from coursekit.kit import GameKit, kit_of
from coursekit.testing.game_checks import (
    CHECKS,
    Places,
    check_conservation,
    check_hidden,
    check_sealed,
)
from coursekit.testing.illegal_actions import is_among
from coursekit.testing.kit_checks import check_kit, check_lesson
from coursekit.testing.other_process import check_elsewhere, is_importable
from coursekit.testing.random_house_rules import draw_game_with, games, options_of, seeds, values_of
from coursekit.testing.random_match import CheckError, Walk, moment
from coursekit.words.texts import LANGUAGES, shorten

__all__ = [
    "CHECKS",
    "CheckError",
    "Places",
    "Walk",
    "check_conservation",
    "check_elsewhere",
    "check_game",
    "check_hidden",
    "check_kit",
    "check_lesson",
    "check_options",
    "check_sealed",
    "draw_game_with",
    "games",
    "moment",
    "options_of",
    "seeds",
]

NO_VALUES: tuple[Any, ...] = (
    *(None, "nonsense", 10**30, -(10**9), True, 1, 1.0, 0.5),
    *((), (None,), [], object()),
)
"""What hardly any option allows."""


def check_game(
    what: GameKit | str | type[AnyGame] | AnyGame,
    matches: int = 12,
    seed: str = "check",
    places: Places | None = None,
    checks: Iterable[Callable[[AnyGame, str], None]] = CHECKS,
) -> None:
    """Run all *checks* on *what*: a kit or its name, a game class, or a game with its options.

    All but the last are tried with every number of players, first with the standard rules, then
    with options drawn at random. Of a kit, what it brings besides its rules is checked too: see
    :func:`check_kit`.

    :param matches: how many games are tried.
    :param seed: another seed tries other matches.
    :param places: where the pieces lie and who sees them, for :func:`check_conservation` and
        :func:`check_hidden`; without it these two are left out.
    :param checks: the checks to run; ``functools.partial`` sets the arguments of one.
    :raises CheckError: at the first promise that does not hold.
    :raises UnknownGameError: a ``ValueError``, if there is no game of that name.

    In a notebook cell all but :func:`check_elsewhere` run, which has to import the class.
    """
    kit = kit_of(what) if isinstance(what, (GameKit, str)) else None
    rules = kit.rules if kit is not None else what
    assert not isinstance(rules, (GameKit, str))
    checks = list(checks)
    if places is not None:
        checks += [partial(check, places=places) for check in (check_conservation, check_hidden)]
    if not isinstance(rules, Game):
        check_options(rules)
    tried: list[AnyGame] = []
    for number in range(matches):
        match_seed = f"{seed} {number}"
        game = rules if isinstance(rules, Game) else _draw_game(rules, number, match_seed)
        for check in checks:
            check(game, match_seed)
        tried.append(game)
    if kit is not None:
        check_kit(kit)
    if tried and all(map(is_importable, tried)):
        check_elsewhere(tried[: 2 * len(tried[0].player_counts)], seed)


def _draw_game(rules: type[AnyGame], number: int, seed: str) -> AnyGame:
    """Return the game to try as *number*: at first one with standard rules for each table."""
    counts = rules.player_counts
    if number < len(counts):
        return rules(counts[number])
    return draw_game_with(rules, counts[number % len(counts)], stream(seed, "options"))


def check_options(kind: type[AnyGame]) -> None:
    """Every option has a rule and an allowed default, and refuses what it does not allow.

    The refusal has a sentence in every language, which says what was got and what is allowed.
    """
    for option in fields(kind.option_type):
        if not option.metadata.get("rule") or "allowed" not in option.metadata:
            needed = "its rule and allowed values: see option()"
            raise CheckError(f"option {option.name} of {kind.name} needs {needed}")
        values = tuple(values_of(option))
        for value in NO_VALUES:
            is_default = value is None and option.default is None
            if not is_default and not is_among(value, values):
                _check_refused(kind, option, value)
    for players in kind.player_counts:
        kind(players)


def _check_refused(kind: type[AnyGame], option: Field[Any], value: object) -> None:
    allowed = option.metadata["allowed"]
    try:
        kind(kind.player_counts[0], kind.option_type(**{option.name: value}))
    except OptionError as error:
        needed = {option.name}
        if error.text == "option.wrong":
            needed.add(shorten(value))
        sentences = [error.sentence(language) for language in LANGUAGES]
        if not all(word in words for words in sentences for word in needed):
            what = f"{option.name}={value!r}"
            raise CheckError(f"{what} is refused without naming both: {sentences}") from None
        return
    if isinstance(allowed, tuple) or type(value) is not int:
        what = f"{option.name}={value!r}; {allowed} is allowed"
        raise CheckError(f"{kind.name} accepts {what}")
