"""The suites of tests that PettingZoo, Gymnasium and OpenSpiel have for any game, run on ours."""

import pickle
import unittest
from typing import Any

import pyspiel
import pytest
from gymnasium.utils.env_checker import check_env
from open_spiel.integration_tests import api_test as spiel_api_test
from open_spiel.python.tests import games_sim_test
from pettingzoo.test import api_test, seed_test

from coursekit.adapters.gymnasium import SeatEnvironment
from coursekit.adapters.openspiel import spiel_game
from coursekit.adapters.pettingzoo import Environment
from coursekit.core.chance import pick, stream
from coursekit.core.game import Game
from coursekit.core.strategy import AtRandom
from coursekit.kit import GAMES
from coursekit.testing import draw_game_with

LISTED = [name for name in GAMES if name != "knitwit"]
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::UserWarning")]


def drawn_games(name: str) -> list[Game[Any, Any, Any]]:
    """Return the standard game and four with options drawn at random."""
    rules = GAMES[name].rules
    rng = stream(name, "suites")
    drawn = [draw_game_with(rules, players, rng) for players in (rules.player_counts * 4)[:4]]
    return [GAMES[name].standard(), *drawn]


@pytest.mark.parametrize("name", LISTED)
def test_pettingzoo(name: str) -> None:
    for game in drawn_games(name):
        api_test(Environment(game), num_cycles=200)
        seed_test(lambda game=game: Environment(game), num_cycles=50)


@pytest.mark.parametrize("name", LISTED)
def test_gymnasium(name: str) -> None:
    for game in drawn_games(name):
        check_env(SeatEnvironment(game, AtRandom, illegal="lose"), skip_render_check=True)


def partial_tree(game: pyspiel.Game) -> unittest.TestResult:
    """Run OpenSpiel's tests of what any game promises, on states that it draws."""
    about = {"game": game, "game_name": game.get_type().short_name}
    case = type("PartialTree", (spiel_api_test.EnforceAPIOnPartialTreeBase,), about)
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
    return result


@pytest.mark.parametrize("name", LISTED)
def test_openspiel(name: str) -> None:
    rng = stream(name, "walk")
    for game in drawn_games(name):
        result = partial_tree(spiel_game(game, outcomes=20))
        assert result.testsRun >= 5
        state = spiel_game(game, outcomes=20).new_initial_state()
        while not state.is_terminal() and state.move_number() < 30:
            state.apply_action(pick(rng, state.legal_actions()))
        assert str(pickle.loads(pickle.dumps(state))) == str(state)
        assert result.wasSuccessful(), [why for _, why in result.failures + result.errors]


@pytest.mark.parametrize(
    "name", ["wizard(players=3", "wizard(players=6", "wikipedia(players=2", "wikipedia(players=8"]
)
def test_openspiel_plays_saves_and_loads(name: str) -> None:
    game = pyspiel.load_game(f"coursekit_{name},preset=lesson)")
    games_sim_test.GamesSimTest().sim_game(game)
