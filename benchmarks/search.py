"""Players that think: their core beside the rules, and how strong they are at 10, 50 and 250 ms a decision.

Time is the processor's, so that a busy machine plays as an idle one does; Wikipedia and Books counts worlds instead.
"""

import sys
from time import process_time, thread_time
from typing import Any

from benchmarks import wikipedia
from coursekit.arena import duplicate
from coursekit.arena.result import Result
from coursekit.core.chance import stream
from coursekit.core.compiled import Kernel, fastest, plain
from coursekit.core.game import TABLE, any_of
from coursekit.core.match import Match
from coursekit.core.search import Searcher
from coursekit.core.strategy import Strategy
from coursekit.games.wikipedia import Options as OfBooks
from coursekit.games.wikipedia import Wikipedia
from coursekit.games.wikipedia import kernel as of_books
from coursekit.games.wikipedia import strategies as of_wikipedia
from coursekit.games.wizard import Options, Wizard, kernel
from coursekit.games.wizard import strategies as of_wizard
from coursekit.games.wizard.playouts import BITS, mask, pays_from, position
from coursekit.games.wizard.strategies import CardCounter, Unseen, bids_met
from tests.games.beside import everything, walked

BUDGETS = (10, 50, 250)
NUMBERS = [CardCounter.LATE, CardCounter.PATIENCE, *CardCounter.UNSURE, CardCounter.EAGER, Unseen.RUFFS, 1, 0, 0, 1]
GIVEN: Any = {"language": "en", "progress": sys.stderr.isatty()}


def search(scale: float) -> None:
    """Print all of it."""
    core_speed(scale)
    core_beside_the_rules(scale)
    wikipedias_core(scale)
    wizard(scale)
    others(scale)


def core_speed(scale: float) -> None:
    """Print how many decisions a second the kernel of Wizard makes, rounds of 1 to 15 cards each."""
    print("decisions a second of processor time, four players, the best of five")
    for fast, rounds in ((plain(kernel), 1), (fastest(kernel), 1000)):
        k, f, bits = _arrays(fast)
        game, best = Wizard(4), {"rounds_at_random": 0.0, "rounds_counted": 0.0}
        for name in best:
            numbers = (bits,) if name == "rounds_at_random" else (k, f, bits)
            for _ in range(6):  # the first compiles
                start, made, s = process_time(), 0, [0] * kernel.LENGTH
                s[kernel.PLAYERS], s[kernel.DECK] = 4, mask(game.deck)
                s[kernel.PAYS], s[kernel.OF] = pays_from(game)
                cards, position, r = fast.ints(game.deck), fast.ints(s), fast.ints([1])
                for size in range(1, 16):
                    made += fast.functions[name](position, cards, len(game.deck), rounds, size, r, *numbers)
                best[name] = max(best[name], made / (process_time() - start))
        how = "compiled" if fast.compiled else "plain Python"
        print(f"  {how:12} at random {best['rounds_at_random']:12,.0f}, counted {best['rounds_counted']:12,.0f}")


def core_beside_the_rules(scale: float) -> None:
    """Compare the kernel with rules and card counter in a million positions, under several rules."""
    fast = fastest(kernel)
    k, f, bits = _arrays(fast)
    ways: list[dict[str, Any]] = [{}, {"jester_then_wizard": "next_suit_card_leads"}, {"bid_rule": "sum_must_differ"}]
    seen, different, seed = 0, 0, 0
    while seen < 1_000_000 * scale:
        game = Wizard(3 + seed // len(ways) % 4, Options(**ways[seed % len(ways)]))
        match, rng = Match(game, seed), stream(str(seed), "walk")
        counter = CardCounter(rng, game)
        while deciding := game.to_act(match.state):
            if deciding[0] == TABLE:
                match.play(TABLE, 0)
                continue
            obs = game.observe(match.state, deciding[0])
            counted = counter.decide(obs)
            if obs.phase in ("bid", "play"):
                s = fast.ints(position(game, obs)[0])
                for seat in game.seats:
                    s[seat] = mask(match.state.hands[seat])
                found = fast.counted_bid(s, k, f, bits) if obs.phase == "bid" else fast.counted_card(s, k, f, bits)
                alike = obs.phase == "bid" or mask(obs.legal) == fast.legal(s)
                seen, different = seen + 1, different + (found != counted or not alike)
            match.play(deciding[0], counted if rng.random() < 0.5 else any_of(obs.legal, rng))
        seed += 1
    print(f"{seen:,} positions of {seed} matches: the kernel decided otherwise in {different}")


def wikipedias_core(scale: float) -> None:
    """Print how fast the kernel of Wikipedia and Books is, and compare it with the rules in a million positions."""
    start = everything(Wikipedia(2), Match(Wikipedia(2), 1).state)
    for fast, most in ((plain(of_books), 30_000), (fastest(of_books), 3_000_000)):
        found = []
        for at_random in (1, 0):
            found.append(0.0)
            for _ in range(6):  # the first compiles
                s, r, begun = fast.ints(start), fast.ints([1]), process_time()
                s[of_books.LIMIT] = 1 << 60
                fast.finish(s, 1 << 60, most, at_random, r)
                found[-1] = max(found[-1], most / (process_time() - begun))
        how = "compiled" if fast.compiled else "plain Python"
        print(f"  {how:12} at random {found[0]:12,.0f}, as Editor {found[1]:12,.0f}", flush=True)
    ways: list[dict[str, Any]] = [{}, {"hand_min": 5, "refill_to": 7, "open_discards": True}, {"stall_guard_laps": 2}]
    seen = seed = 0
    differs: list[str] = []
    while seen < 1_000_000 * scale:
        game = Wikipedia(2 + 2 * (seed // len(ways) % 4), OfBooks(points_to_win=40, **ways[seed % len(ways)]))
        for wrong in walked(Match(game, seed), fastest(of_books)):
            seen += 1
            if wrong:
                differs.append(f"{game}, seed {seed}: {wrong}")
        seed += 1
    print(f"{seen:,} positions of {seed} matches: the kernel was wrong in {len(differs)}", *differs[:5])


def wizard(scale: float) -> None:
    """Print bids met and points of thinkers among themselves, and of one among three card counters."""
    print("Wizard, four players, 15 rounds")
    for budget in BUDGETS:
        kind = _timed(of_wizard.Thinker, budget)
        deals = max(2, int(200 * scale))
        _tell(kind, duplicate(Wizard(4), [kind], deals, 1, statistics=bids_met, **GIVEN), "four of a kind")
        one = [kind, CardCounter, CardCounter, CardCounter]
        deals = max(2, deals // 4)
        _tell(kind, duplicate(Wizard(4), one, deals, 1, statistics=bids_met, **GIVEN), "one among three counters")


def others(scale: float) -> None:
    """Print how often thinkers win against the best player that does not think."""
    for worlds in (150, 1000, 5000):  # counted, so that a busy machine plays as an idle one does
        numbers = {"worlds": worlds, "playouts": 10_000_000}
        kind = type(f"Thinker{worlds}", (of_wikipedia.Thinker,), numbers)
        kinds, deals = [kind, of_wikipedia.Editor], max(2, int(200 * scale))
        result = duplicate(Wikipedia(2), kinds, deals, 1, statistics=wikipedia.share, **GIVEN)
        won, half = result.mean(kind, "share"), result.interval(kind, "share")
        print(f"Wikipedia(2): {kind.__name__} : Editor {won:.1f} ± {half:.1f} %, {deals} deals, both ways", flush=True)


def _tell(kind: type[Strategy], result: Result, how: str) -> None:
    told = [f"{result.mean(kind, each):.1f} ± {result.interval(kind, each):.1f}" for each in ("bids_met", "points")]
    matches = result.deals * result.matches_a_deal
    print(f"  {kind.__name__:12} {how:25} bids met {told[0]:12} points {told[1]:12} ({matches} matches)", flush=True)


def _timed(kind: type[Searcher], budget: int) -> type[Searcher]:
    """Return *kind* with *budget* milliseconds of the processor's time, and more worlds where it has long."""
    worlds = kind.worlds if budget <= kind.budget else 1000
    numbers = {"budget": budget, "worlds": worlds, "clock": staticmethod(thread_time)}
    return type(f"{kind.__name__}{budget}", (kind,), numbers)


def _arrays(fast: Kernel) -> tuple[Any, Any, Any]:
    bits = fast.ints([*BITS]) if fast.compiled else BITS
    return fast.floats(NUMBERS), fast.floats([0.0] * kernel.FLOATS), bits
