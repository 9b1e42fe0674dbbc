"""How fast a decision is, beside OpenSpiel's oh_hell, and what it is made of.

The two games are siblings: tricks, trump, bids to be met exactly.  Ours are 15 rounds of 60
cards in one match; oh_hell is one round a game, here rounds 1 to 12 of 52 cards, both with four
random players driven from Python.  A decision is a bid, a trump or a card, not the deal; the
time of dealing is in both.

Ours: `play_out`, as a student's strategy is played: an observation of everything the seat may know
for every decision, the check of the action, log and events for the story. There are two kinds of
players.

- `Reader` looks at what a player looks at: the hand, the legal actions, the bids and the trick.
  Beside it oh_hell makes `information_state_string`, the cheapest thing it offers that tells a
  player what it may know, or `information_state_tensor`, what `rl_environment` hands to agents.
- `AtRandom` looks at what is legal only.  Beside it oh_hell makes no observation.

Theirs is driven in every way of `WAYS`, all measured in the same run; the quickest counts.
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
from coursekit.core.strategy import AtRandom, Strategy, make_players
from coursekit.games.wizard import Wizard


class Reader(Strategy):
    """Looks at hand, bids and trick, and plays at random."""

    def decide(self, obs: Any) -> Any:
        legal, _ = obs.legal, (obs.hand, obs.bids, obs.trick)
        return legal[int(self.rng.random() * len(legal))]


def ours(kind: type[Strategy], games: int) -> float:
    """Return decisions per second over *games* matches of four of a *kind*."""
    game, decisions = Wizard(4), 0
    start = process_time()
    for seed in range(games):
        match = play_out(game, [kind] * 4, seed)
        decisions += sum(seat != TABLE for seat, _ in match.log)
    return decisions / (process_time() - start)


def by_outcomes(state: Any, see: str, rng: random.Random) -> int:
    """Play a game of oh_hell, chance by its probabilities, and return its decisions."""
    decisions = 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, chances)[0])
            continue
        if see:
            getattr(state, see)(state.current_player())
        state.apply_action(rng.choice(state.legal_actions()))
        decisions += 1
    return decisions


def by_index(state: Any, see: str, rng: random.Random) -> int:
    """The same, with chance nodes drawn like actions: all their outcomes are equally likely."""
    decisions = 0
    while not state.is_terminal():
        legal = state.legal_actions()
        if not state.is_chance_node():
            decisions += 1
            if see:
                getattr(state, see)(state.current_player())
        state.apply_action(legal[int(rng.random() * len(legal))])
    return decisions


def by_bound_methods(state: Any, see: str, rng: random.Random) -> int:
    """The same, with each method looked up once a game, and all chance nodes first."""
    legal_actions, apply, player, draw = (
        state.legal_actions,
        state.apply_action,
        state.current_player,
        rng.random,
    )
    look = getattr(state, see) if see else None
    while state.is_chance_node():
        legal = legal_actions()
        apply(legal[int(draw() * len(legal))])
    decisions = 0
    while (seat := player()) >= 0:
        legal = legal_actions()
        if look:
            look(seat)
        apply(legal[int(draw() * len(legal))])
        decisions += 1
    return decisions


def by_legal_actions(state: Any, see: str, rng: random.Random) -> int:
    """The same, without asking who plays: there are legal actions until the end."""
    legal_actions, apply, draw = state.legal_actions, state.apply_action, rng.random
    look = getattr(state, see) if see else None
    while state.is_chance_node():
        legal = legal_actions()
        apply(legal[int(draw() * len(legal))])
    decisions = 0
    while legal := legal_actions():
        if look:
            look()
        apply(legal[int(draw() * len(legal))])
        decisions += 1
    return decisions


WAYS = (by_outcomes, by_index, by_bound_methods, by_legal_actions)
"""Ways to drive oh_hell.  A clone of a dealt state would save the deal, but then nobody deals."""


def theirs(way: Callable[[Any, str, random.Random], int], see: str, games: list[Any]) -> float:
    """Return decisions per second of oh_hell, with the state method *see* called before each."""
    rng, decisions = random.Random(1), 0
    start = process_time()
    for game in games:
        decisions += way(game.new_initial_state(), see, rng)
    return decisions / (process_time() - start)


SIGHTS: dict[str, type[Strategy]] = {
    "information_state_string": Reader,
    "information_state_tensor": Reader,
    "": AtRandom,
}
"""What oh_hell makes for each decision, and which of our players stand beside it."""


def against_open_spiel(scale: float) -> None:
    """Print the ratio of decisions per second, each side in turn, with its spread."""
    try:
        import pyspiel  # type: ignore[import-not-found]

        name = f"open_spiel {version('open_spiel')}"
    except (ImportError, PackageNotFoundError):
        print("needs OpenSpiel: pip install -e '.[bench]'")
        return
    size = {"players": 4, "num_suits": 4, "num_cards_per_suit": 13}
    games = [
        pyspiel.load_game("oh_hell", size | {"num_tricks_fixed": tricks}) for tricks in range(1, 13)
    ]
    rounds = max(3, int(100 * scale))
    print(f"decisions per second of processor time, ours : {name}, {rounds} times in turn")
    for see, kind in SIGHTS.items():
        rivals = {way.__name__: partial(theirs, way, see, games) for way in WAYS}
        ratios: dict[str, list[float]] = {each: [] for each in rivals}
        pace: dict[str, list[float]] = {each: [] for each in ("ours", *rivals)}
        for _ in range(rounds):
            for each, rival in rivals.items():
                # Ours before and after, so that a machine that slows down slows both
                before, their, after = ours(kind, 1), rival(), ours(kind, 1)
                ratios[each].append((before + after) / 2 / their)
                pace["ours"] += [before, after]
                pace[each].append(their)
        quickest = max(rivals, key=lambda each: median(pace[each]))
        print(
            f"{kind.__name__} : {see or 'no observation'}, median (lower and upper quartile), and the pace of theirs"
        )
        for each, found in ratios.items():
            found.sort()
            low, high = found[len(found) // 4], found[-1 - len(found) // 4]
            mark = "  <- the quickest" if each == quickest else ""
            print(
                f"  {each:16} {median(found):5.2f} ({low:.2f} to {high:.2f}) {median(pace[each]):8.0f}{mark}"
            )
        print(f"  {'ours':16} {'':21} {median(pace['ours']):8.0f}", flush=True)


def by_part(scale: float) -> None:
    """Print what one decision of a random match costs, part by part."""
    game, parts = Wizard(4), ("to_act", "observe", "strategy", "refusal", "apply", "log")
    best = dict.fromkeys(parts, 1e9)
    for _ in range(max(3, int(10 * scale))):  # the best of some: what disturbs only ever adds
        spent, decisions = dict.fromkeys(parts, 0.0), 0
        for seed in range(10):
            match = Match(game, seed)
            players = make_players(game, [AtRandom] * 4, match.seed)
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
