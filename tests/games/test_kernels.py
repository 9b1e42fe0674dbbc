"""Thinkers play by all of the rules: a kernel knows them or is not asked, and a changed rule is
known at once.
"""

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, fields, replace
from pickle import dumps, loads
from statistics import fmean, variance
from typing import Any, ClassVar

import pytest
from beside import walked

from coursekit.core.chance import pick, stream
from coursekit.core.game import TABLE, Event
from coursekit.core.match import Match
from coursekit.core.numba_kernels import plain_kernel
from coursekit.core.options import option
from coursekit.core.search import covers_rules, look_back
from coursekit.games.wikipedia import Wikipedia, playout_kernel
from coursekit.games.wikipedia import strategies as for_books
from coursekit.games.wikipedia.playouts import KNOWN, WRITTEN
from coursekit.games.wikipedia.strategies import Editor
from coursekit.games.wizard import Options, Wizard
from coursekit.games.wizard.rules.state import State
from coursekit.games.wizard.strategies import Thinker
from coursekit.testing import draw_game_with
from coursekit.testing.random_house_rules import allows, values_of


def changed_games() -> Iterator[tuple[str, Any, Wikipedia]]:
    """Yield an option, a value that is not its default, and a game that differs in this alone, for
    all values.
    """
    for each in fields(Wikipedia.option_type):
        for value in values_of(each):
            for players in Wikipedia.player_counts:
                if value != each.default and allows(Wikipedia, players, {each.name: value}):
                    yield (
                        each.name,
                        value,
                        Wikipedia(players, Wikipedia.option_type(**{each.name: value})),
                    )
                    break


def test_each_option_is_classified() -> None:
    assert {each.name for each in fields(Wikipedia.option_type)} == KNOWN.keys(), (
        "say in KNOWN what the kernel does"
    )
    assert covers_rules(KNOWN, Wikipedia(2), Wikipedia, WRITTEN)
    for missing in KNOWN:
        rest = {option: values for option, values in KNOWN.items() if option != missing}
        assert not covers_rules(rest, Wikipedia(2), Wikipedia, WRITTEN)


def test_a_kernel_plays_exactly_the_values_that_it_knows() -> None:
    seen = {True: 0, False: 0}
    for changed, value, game in changed_games():
        core = Editor.core(game)
        assert (core is not None) == (value in KNOWN[changed]), (changed, value)
        seen[core is not None] += 1
    assert min(seen.values()) > 5


def test_a_class_that_inherits_the_rules_goes_by_the_contract() -> None:
    own = type("Own", (Wikipedia,), {})
    assert Editor.core(own(2)) is None
    more = type("More", (Wikipedia.option_type,), {})
    assert not covers_rules(KNOWN, Wikipedia(2, more()), Wikipedia, WRITTEN)


def test_rules_that_a_cell_has_changed_go_by_the_contract(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Wikipedia(2)
    assert Editor.core(game) is not None
    monkeypatch.setattr(Wikipedia, "_score", lambda self, state, rng: [])
    assert Editor.core(game) is None


def test_a_game_that_was_copied_and_sent_to_another_process_keeps_its_kernel() -> None:
    game = loads(dumps(copy(Wikipedia(2))))
    assert Editor.core(game) is not None
    assert Editor.core(Wikipedia(4)) is not None


@dataclass(frozen=True)
class House(Options):
    near_miss: bool = option(True, (False, True), "house")


class NearMiss(Wizard):
    """A bid that is off by one costs nothing."""

    option_type = House
    options: House
    presets: ClassVar = {"standard": {}}

    def _score(self, state: State) -> list[Event]:
        before, events = state.points, super()._score(state)
        off = [abs(bid - won) for bid, won in zip(state.bids, state.won)]
        forgiven = self.options.near_miss
        state.points = tuple(
            then if forgiven and by == 1 else now
            for then, now, by in zip(before, state.points, off)
        )
        return events


def test_a_house_rule_is_known_to_whoever_thinks() -> None:
    """Each single card is met or missed by one; what a near miss pays is known to the thinker at
    once.
    """
    lowest = {}
    for game in (NearMiss(3, House(rounds=(1, 1, 1))), Wizard(3, Options(rounds=(1, 1, 1)))):
        match = Match(game, "near")
        thinker = type("Own", (Thinker,), {"playouts": 200})(stream("a", "b"), game)
        while game.to_act(match.state):
            seat = game.to_act(match.state)[0]
            if seat == TABLE:
                match.play(TABLE, 0)
                continue
            match.play(seat, thinker.decide(game.observe(match.state, seat)))
        found = [each.payoff for thought in thinker.thoughts for each in thought.tried]
        lowest[type(game)] = min(found)
    assert lowest[NearMiss] >= 0 > lowest[Wizard]


@pytest.mark.parametrize("own", ["payoff", "ends"])
def test_a_thinker_with_an_end_or_payoff_of_its_own_is_asked(own: str) -> None:
    def payoff(self: Any, state: Any, seat: int, before: tuple[int, ...]) -> float:
        return 1000.0

    def ends(self: Any, state: Any, before: tuple[int, ...], actions: int) -> bool:
        return True

    changed = {"payoff": payoff, "ends": ends}
    for thinker, game in (
        (Thinker, Wizard(3, Options(rounds=(2, 2)))),
        (for_books.Thinker, Wikipedia(2)),
    ):
        match, chosen = Match(game, 3), False
        while not chosen:
            seat = game.to_act(match.state)[0]
            legal = game.legal_actions(match.state, seat)
            chosen = seat != TABLE and len(legal) > 1
            match.play(seat, legal[0])
        entry = len(match.log) - 1
        kind = type("Own", (thinker,), {"playouts": 60, own: changed[own]})
        found = {each.payoff for each in look_back(match, entry, kind).tried}
        assert found == {1000.0 if own == "payoff" else 0.0}


def known_games(number: int) -> Iterator[Wikipedia]:
    """Yield games that the kernel knows: each value of each option alone, then *number* with
    options drawn.
    """
    for _, _, game in changed_games():
        if covers_rules(KNOWN, game, Wikipedia, WRITTEN):
            yield game
    rng, found = stream("wikipedia", "known games"), 0
    for _ in range(20 * number):
        game = draw_game_with(Wikipedia, pick(rng, Wikipedia.player_counts), rng)
        if covers_rules(KNOWN, game, Wikipedia, WRITTEN) and found < number:
            found += 1
            yield game
    assert found == number, f"the kernel knows {found} of {20 * number} games"


def test_the_kernel_of_books_follows_the_rules_under_drawn_options() -> None:
    for number, game in enumerate(known_games(10)):
        wrong = [each for each in walked(Match(game, number), plain_kernel(playout_kernel)) if each]
        assert not wrong, game


def test_the_kernel_of_books_pays_what_the_contract_pays_under_drawn_options() -> None:
    """Means of many playouts, with the same chance each time."""
    compared = 0
    for number, game in enumerate(known_games(8)):
        if number % 4:
            continue
        match, rng = Match(game, number), stream(str(number), "many worlds")
        editor = Editor(rng, game)
        for _ in range(5 + 7 * (number % 8)):
            deciding = game.to_act(match.state)
            if not deciding:
                break
            obs = game.observe(match.state, deciding[0])
            match.play(deciding[0], editor.decide(obs) if obs.legal else "next")
        while (deciding := game.to_act(match.state)) and len(
            game.observe(match.state, deciding[0]).legal
        ) < 2:
            obs = game.observe(match.state, deciding[0])
            match.play(deciding[0], editor.decide(obs) if obs.legal else "next")
        if not deciding:
            continue
        obs = replace(
            game.observe(match.state, deciding[0]), open_hands=()
        )  # which no thinker looks at
        thinker = for_books.Thinker(rng, game)
        assert thinker.core is not None
        tries = thinker.core.tries(obs)
        assert tries is not None
        ours, theirs = tries(obs.legal, 300, rng), thinker._on_contract(obs)(obs.legal, 100, rng)
        for mine, other in zip(ours, theirs):
            error = (variance(mine) / len(mine) + variance(other) / len(other)) ** 0.5
            assert abs(fmean(mine) - fmean(other)) <= 4 * error, (game, obs)
            compared += 1
    assert compared > 10
