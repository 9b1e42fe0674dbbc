"""Knit Wit keeps the promises that every game keeps; all but those about the table, which is still to come."""

from collections.abc import Iterable
from functools import partial

import pytest
from hypothesis import HealthCheck, given, settings

from coursekit.games.knitwit import KnitWit
from coursekit.games.knitwit.state import State
from coursekit.testing import (
    CHECKS,
    check_conservation,
    check_elsewhere,
    check_hidden,
    check_options,
    check_sealed,
    games,
    seeds,
)

FEW = settings(max_examples=3, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


def in_the_open(action: object) -> bool:
    """Return whether all may see an action at once: a button is taken, a challenge called aloud."""
    return action == "stop" or (isinstance(action, tuple) and action[0] == "challenge")


def places(game: KnitWit, state: State) -> Iterable[tuple[list[int], tuple[int, ...] | None]]:
    """Yield where tags and spools (as 1000 + number) lie, and who sees them."""
    yield state.deck, ()
    yield state.used, None
    yield [tag for tag in state.tags if tag >= 0], None
    yield [1000 + number for hand in state.hands for number in hand] + [1000 + spool[0] for spool in state.spools], None


OWN = [
    *(partial(check, in_the_open=in_the_open) if check is check_sealed else check for check in CHECKS),
    partial(check_conservation, places=places),
    partial(check_hidden, places=places),
]
NAMES = [getattr(check, "func", check).__name__ for check in OWN]


@pytest.mark.parametrize("check", OWN, ids=NAMES)
@pytest.mark.parametrize("players", [2, 4, 7])
def test_the_standard_rules_keep_their_promises(players, check):
    check(KnitWit(players), "standard")


@pytest.mark.parametrize("check", OWN, ids=NAMES)
def test_any_options_keep_the_promises(check):
    @FEW
    @given(game=games(KnitWit), seed=seeds())
    def holds(game, seed):
        check(game, seed)

    holds()


def test_every_option_refuses_what_it_does_not_allow():
    check_options(KnitWit)


def test_the_same_matches_come_out_elsewhere():
    check_elsewhere([KnitWit(2), KnitWit(5)], "elsewhere")
