"""What :class:`.Editor` does in guessed positions, by the million: between an observation and the
kernel.
"""

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from random import Random
from typing import Any

from coursekit.core.chance import random_below
from coursekit.core.compilation import Kernel, compile_kernel
from coursekit.core.game import Seat
from coursekit.core.search import ANY, Core, Tries, attributes, covers_rules
from coursekit.games.wikipedia import playout_kernel
from coursekit.games.wikipedia.rules.cards import ACTIONS, KINDS, NUMBER, SCHOLAR, STUDENT
from coursekit.games.wikipedia.rules.game import Wikipedia
from coursekit.games.wikipedia.rules.inference import unseen
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
    """Return the playouts of editors with that *patience*, ``None`` if the kernel does not know the
    rules.
    """
    if not covers_rules(KNOWN, game, Wikipedia, WRITTEN):
        return None
    fast = fast or compile_kernel(playout_kernel)

    def tries(obs: Observation) -> Tries:
        start, places = guessed(game, obs, patience)
        arrays = [
            fast.ints(each) for each in (start, start, start, *([*each] for each in zip(*places)))
        ]

        def try_(actions: Sequence[str], worlds: int, rng: Random) -> list[list[float]]:
            out, r = (
                fast.ints([0] * (worlds * len(actions))),
                fast.ints([1 + random_below(rng, (1 << 32) - 1)]),
            )
            made = fast.tried(*arrays, fast.ints([*map(ACTIONS.index, actions)]), worlds, r, out)
            points = [float(each) / (game.sides - 1) for each in out[: made * len(actions)]]
            return [points[place :: len(actions)] for place in range(len(actions))]

        return try_

    return Core(tries, fast.compiled)


def guessed(
    game: Wikipedia, obs: Observation, patience: int
) -> tuple[list[int], list[tuple[Seat, int]]]:
    """Return the position that *obs* shows, all hidden cards in the pool, and the places in hands
    where they can lie.

    Of a place: whose hand, and the kinds it can hold, as a set of bits. Places with the least
    choice come first, as in :mod:`.guess`.
    """
    start, left = position(game, obs, patience), unseen(obs, game.cards)
    start[playout_kernel.POOL : playout_kernel.POOL + 5] = [left.count(kind) for kind in KINDS]
    places = [
        (seat, sum(1 << NUMBER[kind] for kind in KINDS if age < obs.at_most(seat, kind)))
        for seat in game.seats
        if seat != obs.me
        for age in range(obs.held[seat])
    ]
    return start, sorted(
        places, key=lambda place: sum(place[1] >> NUMBER[kind] & 1 for kind in left)
    )


def position(game: Wikipedia, obs: Observation, patience: int = 0) -> list[int]:
    """Return the position that *obs* shows for the kernel, with nothing in the pool and in the
    hands of others.
    """
    s, o, n = [0] * playout_kernel.LENGTH, game.options, game.players
    for kind in KINDS:
        s[playout_kernel.HANDS + 5 * obs.me + NUMBER[kind]] = obs.hand.count(kind)
        s[playout_kernel.GONE + NUMBER[kind]] = obs.seen[NUMBER[kind]] + obs.thrown[NUMBER[kind]]
    s[playout_kernel.ROLES : playout_kernel.ROLES + n] = [
        int(role == SCHOLAR) for role in obs.roles
    ]
    roles = Counter(game.role_cards) - Counter([*obs.roles, *obs.role_discards])
    gone = obs.role_discards.count(SCHOLAR)
    right = obs.repaired or (obs.work and obs.die > game.wrong[obs.work])
    for place, value in {
        playout_kernel.DECK: obs.deck,
        playout_kernel.PHASE: PHASES.index(obs.phase),
        playout_kernel.TURN: obs.turn,
        playout_kernel.STARTER: obs.starter,
        playout_kernel.ON_TABLE: NUMBER[obs.work] if obs.work else NOBODY,
        playout_kernel.AUTHOR: obs.author,
        playout_kernel.USER: obs.user,
        playout_kernel.VANDALISED: obs.vandal,
        playout_kernel.RIGHT: int(bool(right)),
        playout_kernel.QUIET: obs.quiet,
        playout_kernel.TURNS: obs.turns,
        playout_kernel.SCHOLARS: roles[SCHOLAR],
        playout_kernel.ROLE_DECK: roles[SCHOLAR] + roles[STUDENT],
        playout_kernel.PAST_SCHOLARS: gone,
        playout_kernel.PAST_ROLES: len(obs.role_discards),
        playout_kernel.PLAYERS: n,
        playout_kernel.SIDES: game.sides,
        playout_kernel.WRONG: o.wiki_wrong,
        playout_kernel.WRONG + 1: o.book_wrong,
        playout_kernel.MENDS: o.wiki_repair,
        playout_kernel.MENDS + 1: o.book_repair,
        playout_kernel.LEAST: o.hand_min,
        playout_kernel.FULL: o.refill_to,
        playout_kernel.MUST_MEND: int(o.scholar_must_repair_at_scoring),
        playout_kernel.GUARD: o.stall_guard_laps * n,
        playout_kernel.LIMIT: o.laps(sum(obs.points)) * n,
        playout_kernel.PATIENCE: patience * n,
    }.items():
        s[place] = value
    return s
