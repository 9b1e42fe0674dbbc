"""Options to test a game with, drawn from the values its ``Options`` allows."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from itertools import combinations
from random import Random
from typing import Any

from coursekit.core.chance import pick, random_below, shuffle
from coursekit.core.errors import OptionError
from coursekit.core.game import AnyGame
from coursekit.core.options import CardSetNames, TupleOf
from coursekit.testing.illegal_actions import is_among


def values_of(option: Any) -> list[Any]:
    """Return allowed values of an option, which is one field of an ``Options`` class.

    All values if there are few, else the two smallest, one between, the largest and the default.
    Of loadable cards only the kit's own.
    """
    allowed, default = option.metadata["allowed"], option.default
    if isinstance(allowed, CardSetNames):
        values: list[Any] = [default]  # loaded cards do not exist in another process
    elif isinstance(allowed, TupleOf):
        low, high = allowed.entries[0], allowed.entries[-1]
        values = [(low,), (low, min(low + 2, high)), (min(low + 1, high), low), (high,)]
    elif isinstance(allowed, range) and len(allowed) > 12:
        values = [allowed[0], allowed[1], allowed[len(allowed) // 3], allowed[-1]]
    else:
        values = list(allowed)
    return values if is_among(default, tuple(values)) else [default, *values]


def options_of(kind: type[AnyGame], players: int, pairs: bool = True) -> Iterator[Any]:
    """Yield options of *kind* for *players*: standard, with each change, with each two changes.

    Combinations that the game refuses are left out.
    """
    changes: list[dict[str, Any]] = []
    for option in fields(kind.option_type):
        values = [value for value in values_of(option) if value != option.default]
        changes += [{option.name: value} for value in values]
    both = [one | other for one, other in combinations(changes, 2) if [*one] != [*other]]
    for changed in [{}, *changes, *(both if pairs else [])]:
        if allows(kind, players, changed):
            yield kind.option_type(**changed)


def allows(kind: type[AnyGame], players: int, changed: Mapping[str, Any]) -> bool:
    """Return whether *kind* accepts these *changed* options."""
    try:
        kind(players, kind.option_type(**changed))
    except OptionError:
        return False
    return True


def draw_game_with(kind: type[AnyGame], players: int, rng: Random) -> AnyGame:
    """Return a game of *kind* with up to four options changed, drawn with *rng*."""
    # Some combinations are refused; rarely all hundred of them.
    for _ in range(100):
        changed = draw_some(rng, random_below(rng, 5), fields(kind.option_type))
        options = {option.name: pick(rng, values_of(option)) for option in changed}
        if allows(kind, players, options):
            return kind(players, kind.option_type(**options))
    return kind(players)


def games(kind: type[AnyGame]) -> Any:
    """Return a Hypothesis strategy for games of *kind*, with any players and allowed options."""
    from hypothesis import assume, strategies

    def value(option: Any) -> Any:
        allowed = option.metadata["allowed"]
        if isinstance(allowed, range):
            return strategies.integers(allowed[0], allowed[-1])
        if isinstance(allowed, TupleOf):
            entry = strategies.integers(allowed.entries[0], allowed.entries[-1])
            return strategies.lists(entry, min_size=1, max_size=4).map(tuple)
        return strategies.sampled_from(values_of(option))

    @strategies.composite
    def draw_game(draw: Any) -> AnyGame:
        players = draw(strategies.sampled_from(kind.player_counts))
        every = fields(kind.option_type)
        one = strategies.sampled_from(every) if every else strategies.nothing()
        changed = draw(strategies.lists(one, max_size=4, unique_by=lambda option: option.name))
        options = {option.name: draw(value(option)) for option in changed}
        assume(allows(kind, players, options))
        return kind(players, kind.option_type(**options))

    return draw_game()


def seeds() -> Any:
    """Return a Hypothesis strategy for seeds."""
    from hypothesis import strategies

    return strategies.integers(0, 2**32 - 1).map(str)


def draw_some(rng: Random, n: int, things: Iterable[Any]) -> list[Any]:
    """Return up to *n* of *things*, drawn with *rng*."""
    order = list(things)
    shuffle(rng, order)
    return order[:n]
