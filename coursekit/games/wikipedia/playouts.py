"""Playouts of :class:`.Editor` in guessed positions: between an observation and the kernel."""

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from random import Random
from typing import Any

from coursekit.core.chance import random_below
from coursekit.core.game import Seat
from coursekit.core.numba_kernels import Kernel, compile_kernel
from coursekit.core.search import ANY, Core, Tries, attributes, covers_rules
from coursekit.games.wikipedia import playout_kernel as kernel
from coursekit.games.wikipedia.rules.cards import ACTIONS, KINDS, NUMBER, SCHOLAR, STUDENT
from coursekit.games.wikipedia.rules.game import Wikipedia
from coursekit.games.wikipedia.rules.inference import list_unseen
from coursekit.games.wikipedia.rules.options import FACES
from coursekit.games.wikipedia.rules.state import NOBODY, Observation

WRITTEN = attributes(Wikipedia)
PHASES = (*Wikipedia.phases, "result", "over")


KNOWN: Mapping[str, Container[Any]] = {
    "forced_write": (True,),
    "refill": ("auto",),
    "refill_check": ("after_draw",),
    "strict_discard": (False,),
    "cure_then_score": (False,),
    "score_optional": (False,),
    "reshuffle": ("immediate",),
    "wiki_wrong": range(FACES),  # a use that always goes wrong is played otherwise by editors
    "book_wrong": range(FACES),
    "wiki_repair": range(1, 5),
    "book_repair": range(1, 5),
    "scholar_must_repair_at_scoring": (False, True),
    "laps_limit": range(1001),
    "stall_guard_laps": range(101),
    "hand_min": range(7),
    "refill_to": range(2, 9),
    "open_discards": (False, True),
    "open_hands": (False, True),
    # Said by the position, or after a playout has ended
    **dict.fromkeys(
        ("wiki", "book", "revise", "vandal", "use", "scholars", "students", "start"), ANY
    ),
    **dict.fromkeys(("points_to_win", "tie", "table_talk"), ANY),
}
"""Option -> the values with which the kernel plays as the rules do. A new option is left to the
contract.
"""


def core_of(game: Wikipedia, patience: int, fast: Kernel | None = None) -> Core | None:
    """Return the playouts of editors with that *patience*; ``None`` if the rules are unknown."""
    if not covers_rules(KNOWN, game, Wikipedia, WRITTEN):
        return None
    fast = fast or compile_kernel(kernel)

    def tries(obs: Observation) -> Tries:
        start, places = find_places(game, obs, patience)
        seats = [seat for seat, _ in places]
        kinds = [kinds for _, kinds in places]
        arrays = [fast.ints(numbers) for numbers in (start, start, start, seats, kinds)]

        def try_(actions: Sequence[str], worlds: int, rng: Random) -> list[list[float]]:
            n = len(actions)
            numbers = fast.ints([ACTIONS.index(action) for action in actions])
            out = fast.ints([0] * (worlds * n))
            r = fast.ints([1 + random_below(rng, (1 << 32) - 1)])
            done = fast.try_actions(*arrays, numbers, worlds, r, out)
            points = [float(earned) / (game.sides - 1) for earned in out[: done * n]]
            return [points[place::n] for place in range(n)]

        return try_

    return Core(tries, fast.compiled)


def find_places(
    game: Wikipedia, obs: Observation, patience: int
) -> tuple[list[int], list[tuple[Seat, int]]]:
    """Return what *obs* shows, hidden cards in the pool, and the places where these can lie.

    Of a place: whose hand, and the kinds it can hold, as a set of bits. Places with the least
    choice come first, as in :mod:`.guess`.
    """
    left = list_unseen(obs, game.cards)
    start = position(game, obs, patience)
    start[kernel.POOL : kernel.POOL + 5] = [left.count(kind) for kind in KINDS]
    places = [
        (seat, sum(1 << NUMBER[kind] for kind in KINDS if age < obs.at_most(seat, kind)))
        for seat in game.seats
        if seat != obs.me
        for age in range(obs.held[seat])
    ]

    def choice(place: tuple[Seat, int]) -> int:
        return sum(place[1] >> NUMBER[kind] & 1 for kind in left)

    return start, sorted(places, key=choice)


def position(game: Wikipedia, obs: Observation, patience: int = 0) -> list[int]:
    """Return the position that *obs* shows, with nothing in the pool and in others' hands."""
    s = [0] * kernel.LENGTH
    o, n = game.options, game.players
    for kind in KINDS:
        s[kernel.HANDS + 5 * obs.me + NUMBER[kind]] = obs.hand.count(kind)
        s[kernel.GONE + NUMBER[kind]] = obs.seen[NUMBER[kind]] + obs.thrown[NUMBER[kind]]
    s[kernel.ROLES : kernel.ROLES + n] = [int(role == SCHOLAR) for role in obs.roles]
    roles = Counter(game.role_cards) - Counter([*obs.roles, *obs.role_discards])
    gone = obs.role_discards.count(SCHOLAR)
    right = obs.repaired or (obs.work and obs.die > game.wrong[obs.work])
    for place, value in {
        kernel.DECK: obs.deck,
        kernel.PHASE: PHASES.index(obs.phase),
        kernel.TURN: obs.turn,
        kernel.STARTER: obs.starter,
        kernel.ON_TABLE: NUMBER[obs.work] if obs.work else NOBODY,
        kernel.AUTHOR: obs.author,
        kernel.USER: obs.user,
        kernel.VANDALISED: obs.vandal,
        kernel.RIGHT: int(bool(right)),
        kernel.QUIET: obs.quiet,
        kernel.TURNS: obs.turns,
        kernel.SCHOLARS: roles[SCHOLAR],
        kernel.ROLE_DECK: roles[SCHOLAR] + roles[STUDENT],
        kernel.PAST_SCHOLARS: gone,
        kernel.PAST_ROLES: len(obs.role_discards),
        kernel.PLAYERS: n,
        kernel.SIDES: game.sides,
        kernel.WRONG: o.wiki_wrong,
        kernel.WRONG + 1: o.book_wrong,
        kernel.MENDS: o.wiki_repair,
        kernel.MENDS + 1: o.book_repair,
        kernel.LEAST: o.hand_min,
        kernel.FULL: o.refill_to,
        kernel.MUST_MEND: int(o.scholar_must_repair_at_scoring),
        kernel.GUARD: o.stall_guard_laps * n,
        kernel.LIMIT: o.laps(sum(obs.points)) * n,
        kernel.PATIENCE: patience * n,
    }.items():
        s[place] = value
    return s
