"""How fast a decision is, beside OpenSpiel's oh_hell, and what it is made of.

The two games are siblings: tricks, trump, bids to be met exactly.  Ours are 15 rounds of 60
cards in one match; oh_hell is one round a game, here rounds 1 to 12 of 52 cards, both with four
random players driven from Python.  A decision is a bid, a trump or a card, not the deal; the
time of dealing is in both.

Ours: `play_out` with `AtRandom`, as a student's strategy is played: an observation of everything
the seat may know for every decision, the refusal check, log and events for the story.
Theirs: `legal_actions`, a random choice, `apply_action`, all compiled; chance nodes drawn with
`random.choices`, which is faster than the `numpy.random.choice` of their examples; and, as their
game offers it, for every decision

- nothing that tells the player about the game ("bare");
- `information_state_string`, the cheapest thing it offers that tells a player what it may know;
- `information_state_tensor`, what `rl_environment` hands to agents.
"""

import random
from collections.abc import Callable
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from statistics import median
from time import perf_counter, process_time
from typing import Any

from coursekit.core.game import TABLE
from coursekit.core.match import Match, play_out
from coursekit.core.strategy import AtRandom, seated
from coursekit.games.wizard import Wizard


def ours(games: int) -> float:
    """Return decisions per second over *games* matches."""
    game, decisions = Wizard(4), 0
    start = process_time()
    for seed in range(games):
        match = play_out(game, [AtRandom] * 4, seed)
        decisions += sum(seat != TABLE for seat, _ in match.log)
    return decisions / (process_time() - start)


def theirs(see: str, games: list[Any], times: int) -> float:
    """Return decisions per second of oh_hell, with the state method *see* called before each."""
    rng, decisions = random.Random(1), 0
    start = process_time()
    for game in games * times:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, chances)[0])
                continue
            if see:
                getattr(state, see)(state.current_player())
            state.apply_action(rng.choice(state.legal_actions()))
            decisions += 1
    return decisions / (process_time() - start)


def against_open_spiel(scale: float) -> None:
    """Print the ratio of decisions per second, each side in turn, with its spread."""
    try:
        import pyspiel  # type: ignore[import-not-found]

        name = f"open_spiel {version('open_spiel')}"
    except (ImportError, PackageNotFoundError):
        print("needs OpenSpiel: pip install -e '.[bench]'")
        return
    size = {"players": 4, "num_suits": 4, "num_cards_per_suit": 13}
    games = [pyspiel.load_game("oh_hell", size | {"num_tricks_fixed": tricks}) for tricks in range(1, 13)]
    rivals: dict[str, Callable[[], float]] = {
        "bare": partial(theirs, "", games, 1),
        "string": partial(theirs, "information_state_string", games, 1),
        "tensor": partial(theirs, "information_state_tensor", games, 1),
    }
    ratios: dict[str, list[float]] = {each: [] for each in rivals}
    best = dict.fromkeys(["ours", *rivals], 0.0)
    rounds = max(3, int(100 * scale))
    for _ in range(rounds):
        for each, rival in rivals.items():
            # Ours before and after, so that a machine that slows down slows both
            before, their, after = ours(1), rival(), ours(1)
            ratios[each].append((before + after) / 2 / their)
            best["ours"], best[each] = max(best["ours"], before, after), max(best[each], their)
    print(f"decisions per second of processor time, ours : {name}, {rounds} times in turn")
    print("          median (lower and upper quartile), and the best of each side")
    for each, found in ratios.items():
        found.sort()
        low, high = found[len(found) // 4], found[-1 - len(found) // 4]
        print(f"  {each:7} {median(found):5.2f} ({low:.2f} to {high:.2f})  {best['ours'] / best[each]:5.2f}")


def by_part(scale: float) -> None:
    """Print what one decision of a random match costs, part by part."""
    game, parts = Wizard(4), ("to_act", "observe", "strategy", "refusal", "apply", "log")
    best = dict.fromkeys(parts, 1e9)
    for _ in range(max(3, int(10 * scale))):  # the best of some: what disturbs only ever adds
        spent, decisions = dict.fromkeys(parts, 0.0), 0
        for seed in range(10):
            match = Match(game, seed)
            players = seated(game, [AtRandom] * 4, match.seed)
            while deciding := game.to_act(match.state):
                seat, clock = deciding[0], [perf_counter()]
                if seat == TABLE:
                    match.play(TABLE, 0)
                    continue
                game.to_act(match.state)
                clock.append(perf_counter())
                obs = game.observe(match.state, seat)
                clock.append(perf_counter())
                action = players[seat].decide(obs)
                clock.append(perf_counter())
                assert game.refusal(match.state, seat, action) is None
                clock.append(perf_counter())
                events = game.apply(match.state, seat, action, match._rng)
                clock.append(perf_counter())
                match.log.append((seat, action))
                match.events.append(events)
                clock.append(perf_counter())
                decisions += 1
                for part, start, end in zip(parts, clock, clock[1:], strict=False):
                    spent[part] += end - start
        best = {part: min(best[part], spent[part] / decisions) for part in parts}
    whole = sum(best.values())
    print(f"one decision: about {whole * 1e6:.1f} µs here, of which")
    for part, cost in best.items():
        print(f"  {part:9} {100 * cost / whole:3.0f} %")
