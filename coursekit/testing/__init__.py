"""Checks that every game of the kit passes, for authors of a new game::

    from coursekit.testing import check_game

    check_game("my_game")

Every check plays a match at random, told by a seed, and looks at each of its moments.  A promise
that does not hold raises :class:`CheckError`, which says what was got and what was expected, in which
game, with which seed and after how many actions: :func:`moment` goes back to exactly there.
Nothing here needs more than the standard library; :func:`games` and :func:`seeds`, for
Hypothesis, import it.
"""

from collections.abc import Callable, Iterable
from dataclasses import fields
from functools import partial

from coursekit.core.chance import stream
from coursekit.core.errors import OptionError
from coursekit.core.game import Game
from coursekit.kit import GameKit, kit_of
from coursekit.testing.game_checks import (
    CHECKS,
    Places,
    check_actions,
    check_conservation,
    check_copy,
    check_hidden,
    check_plain,
    check_play,
    check_replay,
    check_sealed,
    check_secrets,
    check_story,
    check_telling,
)
from coursekit.testing.illegal_actions import is_among
from coursekit.testing.kit_checks import check_kit, check_lesson
from coursekit.testing.other_process import check_elsewhere, is_importable, pythons
from coursekit.testing.random_match import AnyGame, CheckError, Walk, moment
from coursekit.testing.random_options import draw_game_with, games, options_of, seeds, values_of
from coursekit.testing.scene_checks import check_scenes
from coursekit.words.texts import LANGUAGES, shorten

__all__ = [
    "CHECKS",
    "CheckError",
    "Places",
    "Walk",
    "draw_game_with",
    "check_actions",
    "check_conservation",
    "check_copy",
    "check_elsewhere",
    "check_game",
    "check_hidden",
    "check_kit",
    "check_lesson",
    "check_options",
    "check_plain",
    "check_play",
    "check_replay",
    "check_scenes",
    "check_sealed",
    "check_secrets",
    "check_story",
    "check_telling",
    "games",
    "moment",
    "options_of",
    "pythons",
    "seeds",
]


def check_game(
    what: GameKit | str | type[AnyGame] | AnyGame,
    matches: int = 12,
    seed: str = "check",
    places: Places | None = None,
    checks: Iterable[Callable[[AnyGame, str], None]] = CHECKS,
) -> None:
    """Run all *checks* on *what*: a kit or its game's name, a game class, or one game with its
    options fixed.

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
    if places is not None:
        checks = [
            *checks,
            partial(check_conservation, places=places),
            partial(check_hidden, places=places),
        ]
    checks = list(checks)
    tried: list[AnyGame] = []
    if not isinstance(rules, Game):
        check_options(rules)
    for number in range(matches):
        if isinstance(rules, Game):
            game = rules
        else:
            counts, rng = rules.player_counts, stream(f"{seed} {number}", "options")
            players = counts[number % len(counts)]
            game = rules(players) if number < len(counts) else draw_game_with(rules, players, rng)
        for check in checks:
            check(game, f"{seed} {number}")
        tried.append(game)
    if kit is not None:
        check_kit(kit)
    if tried and all(map(is_importable, tried)):
        check_elsewhere(tried[: 2 * len(tried[0].player_counts)], seed)


def check_options(kind: type[AnyGame]) -> None:
    """Every option has a rule, an allowed default, and refuses what it does not allow.

    The refusal can be told in every language, and says what was got and what is allowed.
    """
    for option in fields(kind.option_type):
        if not option.metadata.get("rule") or "allowed" not in option.metadata:
            raise CheckError(
                f"option {option.name} of {kind.name} needs its rule and allowed values: see option()"
            )
        for wrong in (
            None,
            "nonsense",
            10**30,
            -(10**9),
            True,
            1,
            1.0,
            0.5,
            (),
            (None,),
            [],
            object(),
        ):
            if (wrong is None and option.default is None) or is_among(
                wrong, tuple(values_of(option))
            ):
                continue
            try:
                kind(kind.player_counts[0], kind.option_type(**{option.name: wrong}))
            except OptionError as error:
                words = [error.sentence(language) for language in LANGUAGES]
                if not all(
                    option.name in words
                    and (error.text != "option.wrong" or shorten(wrong) in words)
                    for words in words
                ):
                    raise CheckError(
                        f"{option.name}={wrong!r} is refused without naming both: {words}"
                    ) from None
            else:
                if isinstance(option.metadata["allowed"], tuple) or type(wrong) is not int:
                    raise CheckError(
                        f"{kind.name} accepts {option.name}={wrong!r}; {option.metadata['allowed']} is allowed"
                    )
    for players in kind.player_counts:
        kind(players)
