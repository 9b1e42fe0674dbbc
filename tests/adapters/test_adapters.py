"""The games as environments of PettingZoo and Gymnasium and as games of OpenSpiel, by these
libraries' own tests.
"""

import random
import re
import runpy
from itertools import islice
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pyspiel
import pytest
from gymnasium.utils.env_checker import check_env
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator
from open_spiel.python.algorithms.outcome_sampling_mccfr import OutcomeSamplingSolver
from pettingzoo.test import api_test, seed_test

from coursekit.adapters.encoder import Coder, rewards
from coursekit.adapters.game_encodings import AdapterError
from coursekit.adapters.gymnasium import SeatEnvironment
from coursekit.adapters.openspiel import resampler, spiel_game
from coursekit.adapters.pettingzoo import Environment
from coursekit.core.chance import pick, stream
from coursekit.core.game import Game, IllegalAction
from coursekit.core.match import replay
from coursekit.core.strategy import AtRandom, Strategy
from coursekit.games.knitwit import KnitWit
from coursekit.games.wikipedia import Wikipedia
from coursekit.games.wizard import Options, Wizard
from coursekit.kit import GAMES
from coursekit.testing import Walk, draw_game_with
from coursekit.words.texts import LANGUAGES

ROOT = Path(__file__).parents[2]
LISTED = [name for name in GAMES if name != "knitwit"]
HIDDEN = Wizard(
    3, Options(bid_mode="hidden", bid_rule="adjust_tricks", hawk_eye=True, short_game=4)
)
LESSON = Wikipedia(2, Wikipedia.preset("lesson"))
quiet = pytest.mark.filterwarnings("ignore::UserWarning")


def some_games(name: str) -> list[Game[Any, Any, Any]]:
    """Return the standard game and some with options drawn at random, one for each number of
    players at least.
    """
    rules = GAMES[name].rules
    counts, rng = rules.player_counts, stream(name, "options")
    return [*map(rules, counts), *(draw_game_with(rules, players, rng) for players in counts * 3)]


@pytest.mark.parametrize("name", LISTED)
def test_every_legal_action_has_a_number_and_every_observation_a_vector(name: str) -> None:
    for number, game in enumerate(some_games(name)):
        coder = Coder(game)
        assert len(set(coder.names)) == len(coder.names) == coder.size
        hand = [n for n, name in enumerate(coder.names) if name.startswith("hand ")]
        for match in islice(Walk(game, str(number)), 250):
            for seat in game.to_act(match.state):  # for the table, see what seat 0 sees
                obs = game.observe(match.state, max(seat, 0))
                legal, vector = coder.legal(obs), coder.vector(obs)
                assert {coder.action(obs.phase, number) for number in legal} == set(obs.legal)
                assert list(np.flatnonzero(coder.mask(obs))) == legal
                assert np.isfinite(vector).all()
                assert vector[hand].sum() == len(obs.hand)


@pytest.mark.parametrize("name", LISTED)
def test_what_a_seat_may_not_see_is_not_in_its_numbers(name: str) -> None:
    changed = 0
    for number, game in enumerate(some_games(name)[:6]):
        env, rng = Environment(game), stream(str(number), "hidden")
        env.reset(seed=number)
        for _ in range(15):
            if env.match.over:
                break
            state = env.match.state
            seen = {agent: env.observe(agent) for agent in env.agents}
            for seat, agent in enumerate(env.agents):
                env.match.state = game.resample(game.observe(state, seat), rng)
                changed += repr(env.match.state) != repr(state)
                again = env.observe(agent)
                assert all((again[part] == seen[agent][part]).all() for part in again)
            env.match.state = state
            env.step(pick(rng, list(np.flatnonzero(seen[env.agent_selection]["action_mask"]))))
    assert changed > 100


def test_a_vector_begins_with_the_own_seat() -> None:
    env = Environment(Wizard(4, Options(rounds=(2,), first_dealer=1)))
    env.reset(seed=1)
    env.step(env.coder.number("bid", 2))  # seat 2, left of the dealer
    for seat, agent in enumerate(env.agents):
        vector = dict(zip(env.coder.names, env.observe(agent)["observation"]))
        assert [vector[f"bids +{n}"] for n in range(4)] == [
            2 if (seat + n) % 4 == 2 else -1 for n in range(4)
        ]
        assert [vector[f"dealer +{n}"] for n in range(4)] == [(seat + n) % 4 == 1 for n in range(4)]


@quiet
@pytest.mark.parametrize(
    "game", [Wizard(4), HIDDEN, LESSON, Wikipedia(4), GAMES["blockade"].rules(4)], ids=repr
)
def test_pettingzoo_finds_nothing_amiss(game: Game[Any, Any, Any]) -> None:
    api_test(Environment(game), num_cycles=100)
    seed_test(lambda: Environment(game, "lead"), num_cycles=50)


def played(env: Environment, seed: int) -> dict[str, float]:
    """Play a match at random and return what each agent was rewarded with, all in all."""
    rng, total = np.random.default_rng(seed), dict.fromkeys(env.possible_agents, 0.0)
    env.reset(seed=seed)
    for agent in env.agent_iter():
        seen, reward, over, _, _ = env.last()
        total[agent] += reward
        env.step(None if over else rng.choice(np.flatnonzero(seen["action_mask"])))
    return total


@pytest.mark.parametrize("game", [HIDDEN, LESSON], ids=repr)
def test_rewards_add_up_and_the_match_can_be_kept(game: Game[Any, Any, Any]) -> None:
    for reward in ("points", "lead", "win"):
        env = Environment(game, reward)
        got = list(played(env, 3).values())
        assert env.match.over
        assert got == pytest.approx(rewards(game, env.match.state, reward))
        assert env.match.seed == "3/0"
        assert replay(env.match.record()).state == env.match.state
        assert sum(got) == pytest.approx(
            {"lead": 0, "win": 1}.get(reward, sum(game.scores(env.match.state)))
        )
    assert {seat for seat, share in enumerate(got) if share} == set(game.winners(env.match.state))


@quiet
@pytest.mark.parametrize("game", [HIDDEN, LESSON, GAMES["blockade"].rules(4)], ids=repr)
def test_gymnasium_finds_nothing_amiss(game: Game[Any, Any, Any]) -> None:
    check_env(SeatEnvironment(game, AtRandom, illegal="lose"), skip_render_check=True)


def test_the_others_are_asked_as_everywhere_and_the_seat_moves_on() -> None:
    class Fixed(Strategy):
        def bid(self, obs: Any) -> int:
            asked.append(obs.seat)
            return 0

    asked: list[int] = []
    env = SeatEnvironment(Wizard(3, Options(rounds=(1,), first_dealer=2)), [Fixed, Fixed])
    seats = []
    for number in range(4):
        asked.clear()
        _, info = env.reset(seed=None if number else 5)
        seats.append(env.seat)
        over, total = False, 0.0
        while not over:
            assert (env.action_masks() == info["action_mask"]).all()
            _, reward, over, _, info = env.step(np.flatnonzero(info["action_mask"])[0])
            total += reward
        assert sorted([*asked, env.seat]) == [0, 1, 2]
        assert total == env.match.game.scores(env.match.state)[env.seat]
    assert seats == [0, 1, 2, 0]


def test_an_illegal_action_is_refused_with_the_reason_and_changes_nothing() -> None:
    game = Wizard(3, Options(rounds=(5,), first_dealer=2, bid_rule="sum_must_differ"))
    env = Environment(game)
    env.reset(seed=1)
    for bid in (1, 1):
        env.step(env.coder.number("bid", bid))
    before = repr(env.match.state)
    with pytest.raises(IllegalAction, match="3"):
        env.step(env.coder.number("bid", 3))
    for wrong in (env.coder.number("play", 3), -1, len(env.coder.index)):
        with pytest.raises(AdapterError, match="bid"):
            env.step(wrong)
    assert repr(env.match.state) == before
    seat = SeatEnvironment(game, AtRandom, seat=0)
    seat.reset(seed=1)
    with pytest.raises(AdapterError, match="bid"):
        seat.step(seat.coder.number("play", 3))
    seat.illegal = "lose"
    _, reward, over, _, info = seat.step(seat.coder.number("play", 3))
    assert (reward, over) == (-1, True)
    assert "bid" in info["refusal"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_wrong_input_gets_one_sentence(language: str) -> None:
    wrong = [
        lambda: Environment(KnitWit(2)),
        lambda: SeatEnvironment(KnitWit(2), AtRandom),
        lambda: spiel_game(KnitWit(2)),
        lambda: Environment(LESSON, "fame"),
        lambda: SeatEnvironment(LESSON, AtRandom, seat=2),
        lambda: SeatEnvironment(LESSON, []),
        lambda: SeatEnvironment(LESSON, AtRandom, illegal="ignore"),
        lambda: spiel_game(LESSON, outcomes=0),
    ]
    named = ["Knit Wit"] * 3 + ["fame", "2", "0", "ignore", "outcomes"]
    for make, name in zip(wrong, named, strict=True):
        with pytest.raises(AdapterError) as caught:
            make()
        assert name in caught.value.sentence(language)


@pytest.mark.parametrize(
    "name", ["wizard(players=3,", "wizard(players=4,", "wikipedia(", "wikipedia(players=4,"]
)
def test_openspiel_finds_nothing_amiss(name: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(f"coursekit_{name}preset=lesson)"), 2, True, False)


def test_openspiel_decides_at_the_same_time_without_seeing_it() -> None:
    game = spiel_game(HIDDEN, outcomes=7)
    pyspiel.random_sim_test(game, 2, False, False)
    state, again = game.new_initial_state(), game.new_initial_state()
    for position, bid in ((state, 0), (again, 1)):
        position.apply_action(3)  # the size of the hand is chosen before the second deal only
        position.apply_action(position.legal_actions()[bid])
    assert state.information_state_string(1) == again.information_state_string(1)
    assert state.information_state_string(0) != again.information_state_string(0)


def test_openspiel_tells_a_seat_only_what_it_may_read() -> None:
    state, rng = spiel_game(GAMES["blockade"].rules(4)).new_initial_state(), stream("1", "walk")
    for _ in range(60):
        state.apply_action(pick(rng, state.legal_actions()))
    drawn = [
        set(re.findall(r"^draw .*", state.information_state_string(seat), re.M))
        for seat in range(4)
    ]
    assert all(drawn)
    assert sum(map(len, drawn)) == len(set.union(*drawn))


def test_openspiel_gets_a_state_from_its_history_alone() -> None:
    game = pyspiel.load_game("coursekit_wikipedia(preset=lesson)")
    state, again, rng = game.new_initial_state(), game.new_initial_state(), stream("9", "walk")
    while not state.is_terminal():
        state.apply_action(pick(rng, state.legal_actions()))
    for action in state.history():
        again.apply_action(action)
    assert str(state) == str(again)
    deals = {game.new_initial_state().child(outcome).observation_string(0) for outcome in range(20)}
    assert len(deals) > 10


def test_algorithms_of_openspiel_run() -> None:
    game = pyspiel.load_game("coursekit_wikipedia(preset=lesson)")
    OutcomeSamplingSolver(game).iteration()
    state = game.new_initial_state()
    bot = ISMCTSBot(game, RandomRolloutEvaluator(1), 1.4, 10)
    bot.set_resampler(resampler("1"))
    while state.is_chance_node() or len(state.legal_actions()) < 2:
        state.apply_action(state.legal_actions()[0])
    assert bot.step(state) in state.legal_actions()
    other = resampler("2")(state, state.current_player())
    assert other.information_state_string() == state.information_state_string()
    assert str(other) != str(state)


class Guesses(Strategy):
    def play(self, obs: Any) -> Any:
        return random.choice(obs.legal)


def test_a_seed_repeats_others_that_use_random() -> None:
    logs = []
    for start in range(2):
        random.seed(start)
        environment = SeatEnvironment(Wizard(3), Guesses, seat=2)
        _, info = environment.reset(seed=5)
        for _ in range(4):
            random.random()
            *_, info = environment.step(int(info["action_mask"].argmax()))
        logs.append(environment.match.log)
    assert logs[0] == logs[1]


def test_the_example_learns() -> None:
    example = runpy.run_path(str(ROOT / "examples/learn_wikipedia.py"))
    example["learn"](300)
    result = example["duplicate"](
        example["game"], [example["Learned"], AtRandom], 50, seed=1, progress=False
    )
    assert result.mean("Learned", "wins") - result.interval("Learned", "wins") > result.mean(
        "AtRandom", "wins"
    )


def test_the_page_shows_what_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COURSEKIT_DATA", str(tmp_path))
    page = (ROOT / "docs/extend/machine-learning.md").read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    for code in re.findall(r"^```python\n(.*?)^```", page, re.DOTALL | re.MULTILINE):
        exec(code, names)
    assert isinstance(names["env"], gymnasium.Env)
