"""Rules that somebody has changed, in a subclass or a cell, are played alike by the quick loop and
step by step.
"""

from collections.abc import Callable
from typing import Any

import pytest

from coursekit.core.chance import stream
from coursekit.core.game import Event, Game
from coursekit.core.match import Match, play_out, step_any
from coursekit.core.search import Searcher
from coursekit.core.strategy import AtRandom, Strategy, make_players
from coursekit.games.blockade import Blockade
from coursekit.games.blockade.strategies import Farsighted
from coursekit.games.knitwit import KnitWit
from coursekit.games.wikipedia import Wikipedia
from coursekit.games.wikipedia.strategies import Editor
from coursekit.games.wikipedia.strategies import Thinker as ThinkerOfBooks
from coursekit.games.wizard import Options, Wizard
from coursekit.games.wizard.strategies import CardCounter, Cautious, Thinker


class Hidden(Wizard):
    def observe(self, state: Any, seat: int | None) -> Any:
        seen = super().observe(state, seat)
        seen.points = (0,) * self.players
        return seen


class Low(Wizard):
    def legal_actions(self, state: Any, seat: int) -> tuple[int, ...]:
        legal = super().legal_actions(state, seat)
        return legal[:2] if state.phase == "bid" else legal


class Minus(Wizard):
    """Whoever dares bids less than nothing."""

    def legal_actions(self, state: Any, seat: int) -> tuple[int, ...]:
        legal = super().legal_actions(state, seat)
        return (-3, *legal) if state.phase == "bid" else legal


class Free(Wizard):
    """Nobody has to follow suit."""

    def led(self, trick: Any) -> int:
        return -1


class Crowd(Wizard):
    player_counts = (2, 7, 9)


class LastTrick(Wizard):
    """Who takes the last trick of a round gets 5 points more."""

    def _score(self, state: Any) -> list[Event]:
        last, events = state.takers[-1], super()._score(state)
        state.points = tuple(
            points + 5 * (seat == last) for seat, points in enumerate(state.points)
        )
        return events


class Bonus(Wizard):
    """One point to all for each action, so that it counts how often it is asked."""

    def apply(self, state: Any, seat: int, action: int, rng: Any) -> Any:
        events = super().apply(state, seat, action, rng)
        state.points = tuple(points + 1 for points in state.points)
        return events


class Quiet(Wikipedia):
    def legal_actions(self, state: Any, seat: int) -> tuple[str, ...]:
        legal = super().legal_actions(state, seat)
        return legal[-1:] if state.phase == "move" else legal


class Dozen(Wikipedia):
    player_counts = (10, 12)


class Round(Blockade):
    def clockwise(self, state: Any) -> tuple[int, ...]:
        return tuple(reversed(super().clockwise(state)))


class Apart(KnitWit):
    def to_act(self, state: Any) -> tuple[int, ...]:
        return super().to_act(state)[:1]


GAMES: list[tuple[Callable[[], Game[Any, Any, Any]], type[Strategy]]] = [
    (lambda: Hidden(3, Options(short_game=5)), AtRandom),
    (lambda: Low(4, Options(short_game=5)), CardCounter),
    (lambda: Minus(3, Options(short_game=4)), AtRandom),
    (lambda: Free(4, Options(short_game=6)), AtRandom),
    (lambda: Crowd(2, Options(short_game=6)), CardCounter),
    (lambda: Crowd(9, Options(short_game=3)), AtRandom),
    (lambda: LastTrick(4, Options(short_game=4)), CardCounter),
    (lambda: Bonus(4, Options(short_game=3, hawk_eye=True)), AtRandom),
    (lambda: Quiet(2), AtRandom),
    (lambda: Dozen(12), Editor),
    (lambda: Round(4), Farsighted),
    (lambda: Apart(3), AtRandom),
]


def slowly(game: Game[Any, Any, Any], kind: type[Strategy], seed: str) -> Match:
    """Return a whole match, in which each decision asks the contract alone."""
    match = Match(game, seed)
    players, order = make_players(game, [kind] * game.players, seed), stream(seed, "order")
    while deciding := game.to_act(match.state):
        assert step_any(match, deciding, players, order)
    return match


def alike(game: Game[Any, Any, Any], kind: type[Strategy], seed: str) -> None:
    quick, slow = play_out(game, [kind] * game.players, seed), slowly(game, kind, seed)
    assert quick.log == slow.log
    assert [[*events] for events in quick.events] == [[*events] for events in slow.events]
    assert quick.state == slow.state


@pytest.mark.parametrize(("made", "kind"), GAMES, ids=lambda kind: getattr(kind, "__name__", ""))
def test_a_subclass_is_played_by_its_own_rules(made: Any, kind: type[Strategy]) -> None:
    alike(made(), kind, "own rules")


def test_what_is_told_of_own_rules_is_what_happened() -> None:
    match = play_out(Minus(3, Options(short_game=4)), [AtRandom] * 3, "minus")
    bids = [
        event.values["bid"]
        for events in match.events
        for event in events
        if event.text == "bid.open"
    ]
    assert bids == [
        action
        for (_, action), events in zip(match.log, match.events)
        if events and events[0].text == "bid.open"
    ]
    assert -3 in bids


def test_the_other_camp_sits_in_the_order_of_the_table() -> None:
    for kind in (Blockade, Round):
        game: Any = kind(4)
        state = Match(game, "round").state
        for seat in game.seats:
            rivals = game.rivals(state, seat)
            assert rivals == [seat for seat in game.clockwise(state) if seat in rivals]


def test_rules_changed_in_a_cell_are_played(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = Wizard.legal_actions

    def lowest(self: Wizard, state: Any, seat: int) -> tuple[int, ...]:
        return usual(self, state, seat)[:1] if state.phase == "bid" else usual(self, state, seat)

    game = Wizard(3, Options(short_game=4))
    monkeypatch.setattr(Wizard, "legal_actions", lowest)
    match = play_out(game, [AtRandom] * 3, "cell")
    assert {
        event.values["bid"]
        for events in match.events
        for event in events
        if event.text == "bid.open"
    } == {0}
    monkeypatch.undo()
    game.legal_actions = lambda state, seat: lowest(game, state, seat)  # type: ignore[method-assign]
    assert play_out(game, [AtRandom] * 3, "cell").log == match.log


def test_a_thinker_with_a_guide_of_its_own_follows_it() -> None:
    game, rng = Wizard(3, Options(rounds=(4,))), stream("own", "guide")
    for changed in ({"guide": Cautious}, {"guide": AtRandom}, {"playout_guide": Cautious}):
        thinker = type("Own", (Thinker,), {"playouts": 40, **changed})(rng, game)
        (followed,) = {type(guide) for guide in thinker._followed}
        assert followed in changed.values()
        match = play_out(game, [type(thinker), CardCounter, CardCounter], "own guide")
        assert match.over


def test_a_class_that_guesses_what_is_hidden_by_itself_is_asked() -> None:
    asked = []

    class Guesses(Wizard):
        def resample(self, observation: Any, rng: Any) -> Any:
            asked.append(observation.phase)
            return super().resample(observation, rng)

    game = Guesses(3, Options(rounds=(3,)))
    quick = type("Own", (Thinker,), {"playouts": 40})
    play_out(game, [quick, CardCounter, CardCounter], "own guess")
    assert {"bid", "play"} <= {*asked}


def test_a_kernel_is_asked_only_for_what_it_does() -> None:
    game, rng = Wikipedia(2), stream("own", "kernel")
    assert ThinkerOfBooks(rng, game).core is not None
    for changed in (
        {"playout_guide": AtRandom},
        {"guesses": lambda self, obs: None},
        {"payoff": Searcher.payoff},
    ):
        assert type("Own", (ThinkerOfBooks,), changed)(rng, game).core is None
    assert type("Own", (Searcher,), {"guide": Editor})(rng, game).core is None
