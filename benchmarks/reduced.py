"""Wikipedia and Books made so small that it can be solved: best responses and the value with open
hands, exactly.

Everything is asked of the contract: what a seat sees, may do, and what comes of it. Chance is laid
out instead of drawn: each card that may lie on top of the deck, the die right or wrong, and either
dealing of roles.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from random import Random
from typing import Any

from benchmarks import wikipedia
from coursekit.arena import duplicate
from coursekit.core.chance import stream
from coursekit.core.game import TABLE
from coursekit.core.strategy import AtRandom, Strategy
from coursekit.games.wikipedia import Options, Wikipedia
from coursekit.games.wikipedia.strategies import STRATEGIES, Thinker

SMALL = Options(
    points_to_win=2,
    laps_limit=5,
    wiki=2,
    book=1,
    revise=2,
    vandal=1,
    use=2,
    scholars=1,
    students=1,
    start=2,
    hand_min=0,
    refill_to=2,
    stall_guard_laps=0,
)
"""Eight cards, hands of two, one scholar and one student, two points; after five laps the most
points win.
"""

NOBODY = -2
Key = int
"""Number of a state, the same for states that differ only in what changes nothing any more."""
Odds = list[tuple[float, Key]]


class Rigged(Random):
    """Chance that always gives the same number."""

    def __init__(self, number: float) -> None:
        super().__init__()
        self.number = number

    def random(self) -> float:
        return self.number


class Small:
    """A match of two as a tree, with every state, view and step found once."""

    def __init__(self, options: Options = SMALL) -> None:
        o = options
        if (o.scholars, o.students, o.hand_min) != (1, 1, 0):
            raise ValueError("it takes one scholar, one student, and hands that are not filled up")
        self.game = Wikipedia(2, options)
        self.states: list[Any] = []
        self._numbers: dict[Any, Key] = {}
        self._views: dict[Any, int] = {}
        self._steps: dict[tuple[Key, Any], Odds] = {}
        self._chosen: dict[tuple[type[Strategy], int], list[tuple[float, Any]]] = {}

    def key(self, s: Any) -> Key:
        """Return the number of the state *s*."""
        unique = (
            s.phase,
            s.turn,
            *map(tuple, s.hands),
            *s.roles,
            s.work,
            s.author,
            s.user,
            s.vandal,
            s.die,
            s.repaired,
            *s.points,
            s.turns,
            s.quiet,
            *s.seen,
            *map(tuple, s.thrown),
            *s.won,
        )
        if unique not in self._numbers:
            self._numbers[unique] = len(self.states)
            self.states.append(s)
        return self._numbers[unique]

    def starts(self, starter: int) -> Odds:
        """Return every way in which a match can begin with *starter*."""
        game, found = self.game, defaultdict[Key, float](float)
        start, cards = game.initial_state(stream("any", "chance")), range(len(game.cards))
        deals = [
            (one, two)
            for one in combinations(cards, game.options.start)
            for two in combinations([card for card in cards if card not in one], game.options.start)
        ]
        for roles in (start.roles, start.roles[::-1]):
            for deal in deals:
                state = game.copy(start)
                state.roles, state.starter, state.turn = roles[:], starter, starter
                state.hands = [[game.cards[card] for card in hand] for hand in deal]
                state.deck = [
                    game.cards[card]
                    for card in cards
                    if card not in deal[0] and card not in deal[1]
                ]
                found[self.key(state)] += 0.5 / len(deals)
        return [(odds, key) for key, odds in found.items()]

    def view(self, key: Key, seat: int) -> int:
        """Return the number of what *seat* sees."""
        if (key, seat) not in self._views:
            obs = self.game.observe(self.states[key], seat)
            dropped = ("drawn", "ruled_out", "start_rolls", "starter", "round", "role_discards")
            seen = tuple(value for name, value in obs.values().items() if name not in dropped)
            self._views[key, seat] = self._views.setdefault(seen, len(self._views))
        return self._views[key, seat]

    def legal(self, key: Key) -> Sequence[Any]:
        """Return what may be done."""
        return self.game.legal_actions(self.states[key], self.deciding(key))

    def deciding(self, key: Key) -> int:
        """Return who decides, :data:`NOBODY` after the end."""
        return next(iter(self.game.to_act(self.states[key])), NOBODY)

    def won(self, key: Key, seat: int) -> float:
        """Return the share of the victory that *seat* has."""
        won = self.states[key].won
        return (seat in won) / len(won)

    def step(self, key: Key, action: Any) -> Odds:
        """Return what may come of *action*, and how likely each is."""
        if (key, action) not in self._steps:
            found = defaultdict[Key, float](float)
            for odds, state, rng in self._laid_out(self.states[key], action):
                self.game.apply(state, self.deciding(key), action, rng)
                state.deck.sort()
                found[self.key(state)] += odds
            self._steps[key, action] = [(odds, new) for new, odds in found.items()]
        return self._steps[key, action]

    def _laid_out(self, state: Any, action: Any) -> Iterator[tuple[float, Any, Random]]:
        copy = self.game.copy
        if action == "roll":
            right = 1 - self.game.wrong[state.work] / 6
            if right:
                yield right, copy(state), Rigged(0.99)
            if right < 1:
                yield 1 - right, copy(state), Rigged(0.0)
        elif action == "next":  # two roles are shuffled
            yield 0.5, copy(state), Rigged(0.25)
            yield 0.5, copy(state), Rigged(0.75)
        elif action in ("leave", "give up"):
            yield 1.0, copy(state), Rigged(0.0)
        else:
            for kind in dict.fromkeys(state.deck):
                new = copy(state)
                new.deck.remove(kind)
                new.deck.append(kind)
                yield state.deck.count(kind) / len(state.deck), new, Rigged(0.0)

    def chosen(self, kind: type[Strategy], key: Key) -> list[tuple[float, Any]]:
        """Return what a player of *kind* does, and how likely each is."""
        seat = self.deciding(key)
        legal = self.legal(key)
        if kind is AtRandom or seat == TABLE:
            return [(1 / len(legal), action) for action in legal]
        place = kind, self.view(key, seat)
        if place not in self._chosen:
            obs = self.game.observe(self.states[key], seat)
            self._chosen[place] = [(1.0, kind(Random(0), self.game).decide(obs))]
        return self._chosen[place]


def share(
    small: Small,
    first: type[Strategy] | None,
    second: type[Strategy] | None,
    open_hands: bool = False,
    starters: Sequence[int] = (0, 1),
) -> float:
    """Return the share of matches that *first* wins against *second*, each of *starters* beginning
    equally often.

    ``None`` is the best player there can be. It remembers all that it has seen, so that what it
    knows is how likely each state is that it cannot tell from others; with *open_hands* it sees
    those too, and two of them may play.

    :raises ValueError: for two best players with hidden hands, for which more is needed than this.
    """
    if not open_hands and second is None:
        raise ValueError("the best player sits first")
    sees: Callable[[Key], int] = (
        (lambda key: key) if open_hands or first else (lambda key: small.view(key, 0))
    )
    kinds, found = (first, second), dict[tuple[tuple[Key, float], ...], float]()

    def value(belief: dict[Key, float]) -> float:
        """Return the share won from these states on, which look alike, times the odds of being
        there.
        """
        whole = sum(belief.values())
        place = tuple(sorted((key, round(odds / whole, 12)) for key, odds in belief.items()))
        if place not in found:
            found[place] = _value(belief) / whole
        return found[place] * whole

    def _value(belief: dict[Key, float]) -> float:
        one = next(iter(belief))
        seat = small.deciding(one)
        if seat == NOBODY:
            return sum(odds * small.won(key, 0) for key, odds in belief.items())
        kind = AtRandom if seat == TABLE else kinds[seat]
        if kind is None:
            best = max if seat == 0 else min
            return best(
                told((odds, key, action) for key, odds in belief.items())
                for action in small.legal(one)
            )
        chosen = ((odds, key, small.chosen(kind, key)) for key, odds in belief.items())
        return told((odds * p, key, action) for odds, key, each in chosen for p, action in each)

    def told(acted: Iterable[tuple[float, Key, Any]]) -> float:
        return grouped(
            (odds * p, new) for odds, key, action in acted for p, new in small.step(key, action)
        )

    def grouped(states: Iterable[tuple[float, Key]]) -> float:
        groups: dict[int, dict[Key, float]] = defaultdict(lambda: defaultdict(float))
        for odds, key in states:
            groups[sees(key)][key] += odds
        return sum(map(value, groups.values()))

    return grouped(
        (odds / len(starters), key) for starter in starters for odds, key in small.starts(starter)
    )


def reduced(scale: float) -> None:
    """Print how the players of the kit do against each other, the best player, and one that sees
    the hands.
    """
    small = Small(replace(SMALL, laps_limit=max(2, round(SMALL.laps_limit * min(1, scale**0.5)))))
    print(f"{small.game}: matches won by the row (%)")
    print(" " * 16 + "".join(f"{kind.__name__:>15}" for kind in STRATEGIES))

    def tell(name: str, shares: Iterable[float | str]) -> None:
        told = (each if isinstance(each, str) else f"{100 * each:.2f}" for each in shares)
        print(f"{name:16}" + "".join(f"{each:>15}" for each in told), flush=True)

    for kind in STRATEGIES:
        tell(kind.__name__, (share(small, kind, other) for other in STRATEGIES))
    tell("Thinker", (_thinks(small.game, other, max(5, int(200 * scale))) for other in STRATEGIES))
    tell("the best", (share(small, None, other) for other in STRATEGIES))
    tell("seeing hands", (share(small, None, other, True) for other in STRATEGIES))
    begins = share(small, None, None, True, (0,))
    print(f"two that see the hands: who begins wins {100 * begins:.2f}")
    print(f"{len(small.states):,} states")


def _thinks(game: Wikipedia, other: type[Strategy], deals: int) -> str:
    kind = type(
        "Counted", (Thinker,), {"playouts": 10_000_000}
    )  # as many worlds as it likes, whatever the time
    result = duplicate(
        game, [kind, other], deals, 1, statistics=wikipedia.share, language="en", progress=False
    )
    return f"{result.mean(kind, 'share'):.1f} ± {result.interval(kind, 'share'):.1f}"
