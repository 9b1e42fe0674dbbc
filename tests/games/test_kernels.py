"""Kernels play by all of the rules or not at all: every option is classified, and payoffs are those of the rules."""

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from random import Random
from statistics import fmean, variance
from typing import Any, ClassVar

import pytest
from beside import walked

from coursekit.core.chance import pick, stream
from coursekit.core.compiled import plain
from coursekit.core.game import TABLE, Event, Game
from coursekit.core.match import Match
from coursekit.core.options import option
from coursekit.core.search import Searcher, knows, look_back
from coursekit.core.strategy import Strategy
from coursekit.games.wikipedia import Wikipedia
from coursekit.games.wikipedia import kernel as of_books
from coursekit.games.wikipedia import playouts as of_editors
from coursekit.games.wikipedia import strategies as for_books
from coursekit.games.wizard import Options, Wizard, kernel, playouts
from coursekit.games.wizard.rules.state import State
from coursekit.games.wizard.strategies import CardCounter, Thinker, Unseen
from coursekit.testing import any_game
from coursekit.testing.drawn import allows, values_of

KERNELS: dict[str, tuple[type[Game[Any, Any, Any]], Mapping[str, Container[Any]], Any]] = {
    "wizard": (Wizard, playouts.KNOWN, CardCounter),
    "wikipedia": (Wikipedia, of_editors.KNOWN, for_books.Editor),
}
NUMBERS = [CardCounter.LATE, CardCounter.PATIENCE, *CardCounter.UNSURE, CardCounter.EAGER, Unseen.RUFFS]


def changed_games(name: str) -> Iterator[tuple[str, Any, Game[Any, Any, Any]]]:
    """Yield an option, a value that is not its default, and a game that differs in this alone, for all values."""
    rules, _, _ = KERNELS[name]
    for each in fields(rules.option_type):
        for value in values_of(each):
            for players in rules.player_counts:
                if value != each.default and allows(rules, players, {each.name: value}):
                    yield each.name, value, rules(players, rules.option_type(**{each.name: value}))
                    break


@pytest.mark.parametrize("name", KERNELS)
def test_each_option_is_classified(name: str) -> None:
    rules, known, _ = KERNELS[name]
    assert {each.name for each in fields(rules.option_type)} == known.keys(), (
        "say in KNOWN what the kernel does with it"
    )
    game = rules(rules.player_counts[0])
    assert knows(known, game, rules)
    for missing in known:
        assert not knows({option: values for option, values in known.items() if option != missing}, game, rules)


@pytest.mark.parametrize("name", KERNELS)
def test_a_kernel_plays_exactly_the_values_that_it_knows(name: str) -> None:
    _, known, guide = KERNELS[name]
    seen = {True: 0, False: 0}
    for changed, value, game in changed_games(name):
        core = guide.core(game)
        assert (core is not None) == (value in known[changed]), (changed, value)
        seen[core is not None] += 1
    assert min(seen.values()) > 1


@pytest.mark.parametrize("name", KERNELS)
def test_a_class_that_inherits_the_rules_goes_by_the_contract(name: str) -> None:
    rules, known, guide = KERNELS[name]
    players = rules.player_counts[0]
    own = type("Own", (rules,), {})
    assert guide.core(own(players)) is None
    more = type("More", (rules.option_type,), {})
    assert not knows(known, rules(players, more()), rules)


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
        state.points = tuple(then if forgiven and by == 1 else now for then, now, by in zip(before, state.points, off))
        return events


def test_a_house_rule_is_known_to_whoever_thinks() -> None:
    """Each single card is met or missed by one; what a near miss pays is known to the thinker at once."""
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


def test_looking_back_and_thinking_ask_an_own_payoff() -> None:
    class Generous(Thinker):
        playouts = 60

        def payoff(self, state: Any, seat: int, before: tuple[int, ...]) -> float:
            return 1000.0

    class Short(Thinker):
        playouts = 60

        def ends(self, state: Any, before: tuple[int, ...], actions: int) -> bool:
            return True

    game = Wizard(3, Options(rounds=(2, 2)))
    match = Match(game, 3)
    while game.to_act(match.state):
        seat = game.to_act(match.state)[0]
        match.play(seat, game.legal_actions(match.state, seat)[0])
    entry = next(at for at, (seat, _) in enumerate(match.log) if seat != TABLE)
    assert {each.payoff for each in look_back(match, entry, Generous).tried} == {1000.0}
    assert {each.payoff for each in look_back(match, entry, Short).tried} == {0.0}


def known_games(name: str, number: int) -> Iterator[Game[Any, Any, Any]]:
    """Yield games that the kernel knows: each value of each option alone, then *number* with options drawn."""
    rules, known, _ = KERNELS[name]
    for _, _, game in changed_games(name):
        if knows(known, game, rules):
            yield game
    rng, found = stream(name, "known games"), 0
    for _ in range(20 * number):
        game = any_game(rules, pick(rng, rules.player_counts), rng)
        if knows(known, game, rules) and found < number:
            found += 1
            yield game
    assert found == number, f"the kernel knows {found} of {20 * number} games"


def by_the_rules(game: Wizard, state: Any, seat: int, action: int, counter: Strategy) -> int:
    """Return the points that *action* brings if card counters finish the round, by the rules alone."""
    after, rng = game.copy(state), Random(0)
    game.apply(after, seat, action, rng)
    while after.phase in ("bid", "play"):
        turn = after.turn
        game.apply(after, turn, counter.decide(game.observe(after, turn)), rng)
    return int(after.points[seat] - state.points[seat])


def test_wizards_kernel_pays_what_the_rules_pay(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the hands that lie there, each action must bring the points of the rules, under drawn options."""
    hands: list[tuple[int, ...]] = []

    def deal(s: list[int], *_: Any) -> bool:
        for seat, hand in enumerate(hands):
            s[seat] = playouts.mask(hand)
        return True

    monkeypatch.setattr(kernel, "deal", deal)
    monkeypatch.setattr(playouts, "KEEN", 0.0)  # others bid as card counters do
    rng, phases = stream("kernel", "payoffs"), dict.fromkeys(playouts.KINDS, 0)
    for number, game in enumerate(known_games("wizard", 20)):
        assert isinstance(game, Wizard)
        core = playouts.core_of(game, NUMBERS, plain(kernel))
        assert core is not None
        match, counter = Match(game, number), CardCounter(rng, game)
        while (deciding := game.to_act(match.state)) and len(match.log) < 150:
            seat = deciding[0]
            if seat == TABLE:
                match.play(TABLE, 0)
                continue
            obs = game.observe(match.state, seat)
            tries = core.tries(obs) if len(obs.legal) > 1 and (obs.phase == "trump" or rng.random() < 0.04) else None
            if tries is not None:
                hands[:] = match.state.hands
                for action, (payoff,) in zip(obs.legal, tries(obs.legal, 1, rng)):
                    assert payoff == by_the_rules(game, match.state, seat, action, counter), (game, obs, action)
                phases[obs.phase] += 1
            match.play(seat, counter.decide(obs) if rng.random() < 0.7 else pick(rng, obs.legal))
    assert min(phases.values()) > 5, phases


def test_the_kernel_of_books_follows_the_rules_under_drawn_options() -> None:
    for number, game in enumerate(known_games("wikipedia", 10)):
        wrong = [each for each in walked(Match(game, number), plain(of_books)) if each]
        assert not wrong, game


def test_the_kernel_of_books_pays_what_the_contract_pays_under_drawn_options() -> None:
    """Means of many playouts, with the same chance each time."""
    compared = 0
    for number, game in enumerate(known_games("wikipedia", 8)):
        if number % 4:
            continue
        match, rng = Match(game, number), stream(str(number), "many worlds")
        editor = for_books.Editor(rng, game)
        for _ in range(5 + 7 * (number % 8)):
            deciding = game.to_act(match.state)
            if not deciding:
                break
            obs = game.observe(match.state, deciding[0])
            match.play(deciding[0], editor.decide(obs) if obs.legal else "next")
        while (deciding := game.to_act(match.state)) and len(game.observe(match.state, deciding[0]).legal) < 2:
            obs = game.observe(match.state, deciding[0])
            match.play(deciding[0], editor.decide(obs) if obs.legal else "next")
        if not deciding:
            continue
        obs = replace(game.observe(match.state, deciding[0]), open_hands=())  # which no thinker looks at
        thinker: Searcher = for_books.Thinker(rng, game)
        assert thinker.core is not None
        tries = thinker.core.tries(obs)
        assert tries is not None
        ours, theirs = tries(obs.legal, 300, rng), thinker._on_contract(obs)(obs.legal, 100, rng)
        for mine, other in zip(ours, theirs):
            error = (variance(mine) / len(mine) + variance(other) / len(other)) ** 0.5
            assert abs(fmean(mine) - fmean(other)) <= 4 * error, (game, obs)
            compared += 1
    assert compared > 10
