"""A player that thinks: it plays every game whose actions are listed, repeatably, and knows no more
than its seat.
"""

from typing import Any

import pytest

from coursekit.core.chance import pick, stream
from coursekit.core.errors import OptionError
from coursekit.core.game import TABLE, Game, pick_action
from coursekit.core.match import Match, play_out, step
from coursekit.core.search import Searcher, look_back
from coursekit.core.strategy import AtRandom, Strategy
from coursekit.games.knitwit import KnitWit
from coursekit.games.wizard import Options, Wizard
from coursekit.games.wizard.strategies import CardCounter, bids_met
from coursekit.kit import GAMES
from coursekit.testing import draw_game_with


class Quick(Searcher):
    """Few playouts, which end after a few actions."""

    playouts, margin = 60, 0.0

    def ends(self, state: Any, before: tuple[int, ...], actions: int) -> bool:
        return actions > 8


LISTED = [name for name in GAMES if name != "knitwit"]
BEST = {name: GAMES[name].strategies[-1] for name in LISTED}


def guided(kind: type[Strategy], **numbers: Any) -> type[Searcher]:
    return type("Guided", (Quick,), {"guide": kind, **numbers})


THINKERS = {
    name: type("Own", (GAMES[name].thinker or guided(BEST[name]),), {"playouts": 40})
    for name in LISTED
}
"""The kit's own, with few playouts."""


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", LISTED)
@pytest.mark.parametrize("guided_by", ["chance", "best", "kit"])
def test_it_plays_every_game_whose_actions_are_listed(name: str, guided_by: str) -> None:
    """The match refuses what is illegal."""
    for number in range(3):
        rng = stream(f"{name} {number}", "options")
        players = pick(rng, GAMES[name].rules.player_counts)
        game: Game[Any, Any, Any] = (
            draw_game_with(GAMES[name].rules, players, rng) if number else GAMES[name].standard()
        )
        kinds = {"chance": guided(AtRandom), "best": guided(BEST[name]), "kit": THINKERS[name]}
        kind = kinds[guided_by]
        match = Match(game, number)
        thinkers = [kind(stream(str(number), f"seat {seat}"), game) for seat in game.seats]
        for _ in range(25):
            seat = next(iter(game.to_act(match.state)), None)
            if seat is None:
                break
            if seat == TABLE:
                match.play(TABLE, pick_action(game.legal_actions(match.state, TABLE), rng))
            else:
                assert step(match, seat, thinkers[seat]) is not None
        assert any(thinker.thoughts for thinker in thinkers)


def test_a_payoff_is_what_a_seat_gains_on_the_average_of_the_others() -> None:
    game = Wizard(4)
    state = game.initial_state(stream("pays", "off"))
    before = game.scores(state)
    state.points = (60, 20, 10, 0)
    assert Quick(stream("a", "b"), game).payoff(state, 0, before) == 60 - (20 + 10 + 0) / 3
    assert Quick(stream("a", "b"), game).payoff(state, 3, before) == 0 - (60 + 20 + 10) / 3


def test_what_cannot_be_listed_is_left_to_the_guide() -> None:
    game = KnitWit(2)
    match, thinker = Match(game, 1), Quick(stream("a", "b"), game)
    seat = game.to_act(match.state)[0]
    while isinstance(game.legal_actions(match.state, seat), tuple):
        match.play(seat, pick_action(game.legal_actions(match.state, seat), thinker.rng))
        seat = game.to_act(match.state)[0]
    step(match, seat, thinker)
    assert not thinker.thoughts


@pytest.mark.parametrize("of", ["best", "kit"])
@pytest.mark.parametrize("name", LISTED)
def test_counted_in_playouts_it_decides_alike_whatever_is_hidden(name: str, of: str) -> None:
    game = GAMES[name].standard()
    kind, rng = guided(BEST[name]) if of == "best" else THINKERS[name], stream(name, "hidden")
    match, decided = Match(game, 5), 0
    while decided < 4:
        seat = game.to_act(match.state)[0]
        legal = game.legal_actions(match.state, seat)
        if seat != TABLE and len(legal) > 1:
            seen, thoughts = game.observe(match.state, seat), []
            for state in (match.state, game.resample(seen, rng)):
                thinker = kind(stream("same", "chance"), game)
                thinker.decide(game.observe(state, seat))
                thoughts += thinker.thoughts
            assert thoughts[0] == thoughts[1]
            assert 0 < thoughts[0].playouts <= kind.playouts
            decided += 1
        match.play(seat, pick_action(legal, rng))


@pytest.mark.slow
def test_it_moves_away_from_its_guide_only_where_that_is_clearly_better() -> None:
    game = Wizard(3, Options(rounds=(4,)))
    changed = []
    for margin in (0.0, 1.5, 10.0):
        kind = guided(AtRandom, margin=margin, playouts=150, ends=Searcher.ends)
        thoughts = []
        for seed in range(4):
            match = Match(game, seed)
            players = [kind(stream(str(seed), f"seat {seat}"), game) for seat in game.seats]
            while deciding := game.to_act(match.state):
                step(match, deciding[0], players[deciding[0]])
            thoughts += [thought for player in players for thought in player.thoughts]
        for thought in thoughts:
            chosen = next(trial for trial in thought.tried if trial.action == thought.chosen)
            assert thought.chosen == thought.guide or chosen.ahead >= margin * chosen.error
        changed.append(sum(thought.chosen != thought.guide for thought in thoughts) / len(thoughts))
    assert changed[0] > changed[1] > changed[2]


def test_a_player_that_thinks_beats_its_guide() -> None:
    game = Wizard(3, Options(rounds=(3, 3)))
    kind = guided(AtRandom, ends=Searcher.ends, playouts=200, margin=1.5)
    points = [0, 0]
    for seed in range(20):
        match = play_out(game, [kind, AtRandom, AtRandom], seed)
        points[0] += 2 * match.state.points[0]
        points[1] += sum(match.state.points[1:])
    assert points[0] > points[1] + 400


@pytest.mark.slow
def test_wizards_thinker_meets_more_bids_than_card_counters() -> None:
    """The full measurement is in ``benchmarks``."""
    kind, met = type("Own", (GAMES["wizard"].thinker,), {"playouts": 150}), [0.0, 0.0]
    for seed in range(6):
        match = play_out(Wizard(4, Options(rounds=(3, 4, 5, 6))), [kind, *[CardCounter] * 3], seed)
        found = bids_met(match)["bids_met"]
        met = [met[0] + found[0], met[1] + sum(found[1:]) / 3]
    assert met[0] > 1.2 * met[1]


def test_it_says_how_it_thinks_and_refuses_numbers_that_are_not_allowed() -> None:
    game = Wizard(4)
    assert (
        repr(Quick(stream("a", "b"), game))
        == "<Quick: AtRandom, 60 playouts a decision, playouts on the contract>"
    )
    slow = guided(AtRandom, playouts=0)(stream("a", "b"), game)
    assert "50 ms a decision" in repr(slow)
    with pytest.raises(OptionError, match="margin"):
        guided(AtRandom, margin=-1.0)


def test_within_its_time_it_thinks_and_no_longer() -> None:
    now = [0.0]

    class Clocked(Quick):
        playouts, budget, worlds = 0, 10.0, 100_000

        @staticmethod
        def clock() -> float:
            now[0] += 0.001  # a millisecond between two looks
            return now[0]

    game = Wizard(3)
    match = Match(game, 2)
    while game.observe(match.state, None).phase != "bid" or match.state.round < 3:
        seat = game.to_act(match.state)[0]
        match.play(seat, pick_action(game.legal_actions(match.state, seat), stream("a", "b")))
    thinker = Clocked(stream("a", "b"), game)
    thinker.decide(game.observe(match.state, game.to_act(match.state)[0]))
    assert 0.009 < now[0] < 0.012
    assert thinker.thoughts


def test_looking_back_it_says_how_far_ahead_of_what_was_played_others_were() -> None:
    match = play_out(Wizard(3, Options(rounds=(2, 3))), [AtRandom] * 3, "back")
    for entry, (seat, action) in enumerate(match.log):
        if seat == TABLE:
            with pytest.raises(ValueError, match="no decision"):
                look_back(match, entry, Quick)
            continue
        thought = look_back(match, entry, Quick)
        assert thought == look_back(match, entry, Quick)
        assert action in [trial.action for trial in thought.tried]
        assert next(trial.ahead for trial in thought.tried if trial.action == action) == 0
    with pytest.raises(ValueError, match="no decision"):
        look_back(match, len(match.log), Quick)
