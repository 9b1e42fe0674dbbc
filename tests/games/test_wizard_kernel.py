"""The kernel of Wizard follows the rules and plays as the card counter does, compiled or not.

``python -m benchmarks search`` compares a million positions.
"""

import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import pytest

from coursekit.core.chance import stream
from coursekit.core.compiled import Kernel, fastest, plain
from coursekit.core.game import TABLE, any_of
from coursekit.core.match import Match
from coursekit.core.search import Core, Searcher
from coursekit.games.wizard import Options, Wizard, kernel
from coursekit.games.wizard.playouts import BITS, core_of, mask, position
from coursekit.games.wizard.rules.cards import SUIT
from coursekit.games.wizard.rules.guess import voids
from coursekit.games.wizard.strategies import CardCounter

WAYS = [
    "plain",
    pytest.param("compiled", marks=pytest.mark.skipif(find_spec("numba") is None, reason="numba is not installed")),
]
VARIANTS: list[dict[str, Any]] = [
    {},
    {"jester_then_wizard": "next_suit_card_leads"},
    {"bid_rule": "sum_must_differ"},
    {"bid_rule": "sum_must_differ_leader_only", "wizards": 1},
    {"wizards": 0, "jesters": 3},
    {"jesters": 0},
]
NUMBERS = [CardCounter.LATE, CardCounter.PATIENCE, *CardCounter.UNSURE, CardCounter.EAGER, 0.36]


def kernel_of(way: str) -> Kernel:
    return fastest(kernel) if way == "compiled" else plain(kernel)


def cards(bits: int) -> tuple[int, ...]:
    return tuple(card for card in range(60) if bits >> card & 1)


def walk(game: Wizard, seed: str, look: Callable[[Match, Any, Any], None]) -> None:
    """Play a match, half by chance and half as the card counter does; call *look* with what it decides."""
    match, rng = Match(game, seed), stream(seed, "walk")
    counter = CardCounter(rng, game)
    while deciding := game.to_act(match.state):
        if deciding[0] == TABLE:
            match.play(TABLE, 0)
            continue
        obs = game.observe(match.state, deciding[0])
        counted = counter.decide(obs)
        if obs.phase in ("bid", "play"):
            look(match, obs, counted)
        match.play(deciding[0], counted if rng.random() < 0.5 else any_of(obs.legal, rng))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_it_follows_the_rules_and_decides_as_the_card_counter(way: str, options: dict[str, Any]) -> None:
    fast = kernel_of(way)
    k, f = fast.floats([*NUMBERS, 1, 0, 0, 1]), fast.floats([0.0] * kernel.FLOATS)
    bits = fast.ints([*BITS]) if fast.compiled else BITS
    running: dict[int, Any] = {}  # the kernel's own position, from the first card of a round on

    def look(match: Match, obs: Any, counted: int) -> None:
        state = match.state
        s = fast.ints(position(match.game, obs)[0])
        for seat in match.game.seats:
            s[seat] = mask(state.hands[seat])
        if obs.phase == "bid":
            assert fast.counted_bid(s, k, f, bits) == counted
            running.clear()
            return
        assert fast.counted_card(s, k, f, bits) == counted
        if not running and not obs.played and not obs.trick:
            running[0] = s
        if match.log and match.log[-1][0] != TABLE and (obs.played or obs.trick):
            fast.play(running[0], match.log[-1][1])
        mine = running[0]
        assert cards(int(fast.legal(mine))) == obs.legal
        for place in (*match.game.seats, kernel.TURN, kernel.SEEN, kernel.CARDS):
            assert mine[place] == s[place], (place, obs)
        assert [mine[kernel.WON + seat] for seat in match.game.seats] == [*state.won]

    for number in range(4):
        walk(Wizard(3 + number, Options(**options)), f"kernel {number}", look)


def test_cards_of_the_same_worth_are_decided_alike_whatever_the_rounding() -> None:
    """A trump below one unseen trump, and plain cards that one unseen trump ruffs, worth the same as real numbers."""
    game, rng = Wizard(3, Options(jester_then_wizard="next_suit_card_leads")), stream("1009", "walk")
    match, counter = Match(game, 1009), CardCounter(stream("", ""), game)
    while len(match.log) < 627:
        seat = game.to_act(match.state)[0]
        if seat == TABLE:
            match.play(TABLE, 0)
            continue
        obs = game.observe(match.state, seat)
        counted = counter.decide(obs)
        match.play(seat, counted if rng.random() < 0.5 else any_of(obs.legal, rng))
    obs = game.observe(match.state, match.state.turn)
    fast = plain(kernel)
    k, f = [*NUMBERS, 1, 0, 0, 1], [0.0] * kernel.FLOATS
    assert fast.counted_card(position(game, obs)[0], k, f, BITS) == counter.decide(obs) == 17


def perft(game: Wizard, state: Any, depth: int) -> int:
    """Return the number of ways to play *depth* cards by the rules."""
    legal = game.legal_actions(state, state.turn)
    if depth == 1:
        return len(legal)
    found = 0
    for card in legal:
        copy = game.copy(state)
        game.apply(copy, copy.turn, card, stream("no", "chance"))
        found += perft(game, copy, depth - 1)
    return found


def perft_of(fast: Kernel, s: Any, depth: int) -> int:
    legal = cards(int(fast.legal(s)))
    if depth == 1:
        return len(legal)
    found = 0
    for card in legal:
        copy = s[:] if isinstance(s, list) else s.copy()
        fast.play(copy, card)
        found += perft_of(fast, copy, depth - 1)
    return found


@pytest.mark.parametrize("way", WAYS)
def test_there_are_as_many_ways_to_go_on_as_in_the_rules(way: str) -> None:
    fast, counts = kernel_of(way), []
    for seed in range(4):
        game = Wizard(3, Options(rounds=(3,), jester_then_wizard=("free", "next_suit_card_leads")[seed % 2]))
        match = Match(game, seed)
        while match.state.phase != "play":
            seat = game.to_act(match.state)[0]
            match.play(seat, game.legal_actions(match.state, seat)[0])
        obs = game.observe(match.state, match.state.turn)
        s = fast.ints(position(game, obs)[0])
        for seat in game.seats:
            s[seat] = mask(match.state.hands[seat])
        counts.append(perft_of(fast, s, 7))
        assert counts[-1] == perft(game, match.state, 7)
    assert len(set(counts)) > 1


@pytest.mark.parametrize("way", WAYS)
def test_guessed_hands_hold_what_they_may(way: str) -> None:
    fast = kernel_of(way)

    def look(match: Match, obs: Any, counted: int) -> None:
        game, state = match.game, match.state
        start, _, void = position(game, obs)
        owners = [seat for seat in game.seats if seat != obs.me for _ in range(obs.held[seat])]
        hidden = [card for card in game.deck if not (start[kernel.SEEN] | start[obs.me]) >> card & 1]
        owners += [-1] * (len(hidden) - len(owners))
        s = fast.ints(start)
        assert fast.deal(
            s, fast.ints(hidden), fast.ints(owners), fast.ints(void), len(hidden), fast.ints([len(match.log) + 1])
        )
        lacks, together = voids(obs, game.options), 0
        for seat in game.seats:
            hand = cards(int(s[seat]))
            assert len(hand) == len(state.hands[seat])
            assert seat == obs.me or not lacks[seat].intersection(SUIT[card] for card in hand)
            assert not together & int(s[seat])
            together |= int(s[seat])
        assert not together & start[kernel.SEEN]

    for number in range(2):
        walk(Wizard(3 + 3 * number), f"guess {number}", look)


@pytest.mark.skipif(find_spec("numba") is None, reason="numba is not installed")
def test_compiled_and_plain_find_the_same_payoffs() -> None:
    game = Wizard(4)
    slow, quick = (core_of(game, NUMBERS, each) for each in (plain(kernel), fastest(kernel)))
    assert (slow.compiled, quick.compiled) == (False, True)

    def look(match: Match, obs: Any, counted: int) -> None:
        if obs.round in (2, 7) and len(obs.legal) > 1:
            found = [core.tries(obs)(obs.legal, 2, stream("a", str(len(match.log)))) for core in (slow, quick)]
            assert found[0] == found[1]

    walk(game, "both", look)


def test_the_search_player_uses_it_by_itself() -> None:
    class Thinker(Searcher):
        guide = CardCounter
        playouts = 100

    class Own(CardCounter):
        LATE = 0.5

    class Other(Searcher):
        guide = Own

    rng, game = stream("a", "b"), Wizard(3)
    how = "compiled" if find_spec("numba") else "in plain Python"
    assert repr(Thinker(rng, game)) == f"<Thinker: CardCounter, 100 playouts a decision, playouts {how}>"
    assert Other(rng, game).core is None  # a subclass may decide otherwise


def test_where_it_finds_no_deal_the_search_goes_on_on_the_contract() -> None:
    class Thinker(Searcher):
        guide = CardCounter
        playouts = 20

    game = Wizard(3)
    match, thinker = Match(game, 4), Thinker(stream("a", "b"), game)
    thinker.core = Core(lambda obs: lambda actions, worlds, rng: [[] for _ in actions], False)
    obs = game.observe(match.state, match.state.turn)
    assert thinker.decide(obs) in obs.legal
    assert thinker.thoughts[0].playouts == 20


def test_without_a_place_for_machine_code_it_is_compiled_all_the_same() -> None:
    pytest.importorskip("numba")
    program = """
import numba.core.caching
numba.core.caching.CompileResultCacheImpl._locator_classes = []  # as where nothing can be written
from coursekit.core.compiled import fastest
from coursekit.games.wizard import kernel
assert fastest(kernel).card_of(1 << 37, fastest(kernel).ints([n.bit_count() for n in range(1 << 15)])) == 37
assert type(fastest(kernel).card_of._cache).__name__ == "NullCache"
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_importing_the_game_does_not_load_numba() -> None:
    program = "import coursekit.games.wizard.kit, sys; assert not {'numba', 'numpy'} & {*sys.modules}"
    subprocess.run([sys.executable, "-c", program], check=True)
