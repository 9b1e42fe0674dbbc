"""Relations between the cards of 維基百科 vs 書籍, found by asking the rules."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from coursekit.core.chance import stream
from coursekit.core.game import TABLE
from coursekit.games.wikipedia.after.history import MENDED, RIGHT, Round
from coursekit.games.wikipedia.rules.cards import (
    BOOK,
    KINDS,
    NEXT,
    REVISE,
    ROLES,
    USE,
    VANDAL,
    WIKI,
    WORKS,
)
from coursekit.games.wikipedia.rules.game import Wikipedia
from coursekit.games.wikipedia.rules.state import State

POINTS = "points"
CARDS = (*KINDS, *ROLES)
THINGS = (*CARDS, POINTS)
"""The things in a map of the game."""

FORBIDDEN = ("cannot", "withstands")
"""Relations that say what cannot happen."""


class Relation(NamedTuple):
    """``start kind end`` reads as a sentence: vandal blocks use."""

    start: str
    kind: str
    end: str
    cards: int = 0  # REVISE that it takes, if the relation needs a number


def relations(game: Wikipedia) -> list[Relation]:
    """Return all relations between :data:`THINGS` in *game* under its options."""
    found = []
    for role in ROLES:
        write, move, cure = (
            _legal(game, role, *where) for where in (("write",), ("move", WIKI), ("cure", WIKI))
        )
        for work in WORKS:
            found.append(Relation(role, "writes" if work in write else "cannot", work))
        found.append(Relation(role, "plays" if VANDAL in move else "cannot", VANDAL))
        found.append(Relation(role, "may" if {*cure} - {REVISE} else "must", REVISE))
        found.append(Relation(role, "plays", USE))
    for work in WORKS:
        spoiled = any(VANDAL in _legal(game, role, "move", work) for role in ROLES)
        found.append(
            Relation(VANDAL, "spoils", work) if spoiled else Relation(work, "withstands", VANDAL)
        )
        found.append(Relation(REVISE, "mends", work, game.repair[work]))
        found.append(Relation(USE, "needs", work))
        if _points(game, work)[1]:
            found.append(Relation(work, "earns", POINTS))
    under_vandalism = _legal(game, ROLES[0], "cure", WIKI)
    if USE not in under_vandalism:
        found.append(Relation(VANDAL, "blocks", USE))
    if REVISE in under_vandalism:
        found.append(Relation(REVISE, "cures", VANDAL))
    if any(_points(game, work)[0] for work in WORKS):
        found.append(Relation(USE, "earns", POINTS))
    return found


def _situation(game: Wikipedia, role: str, phase: str, work: str = "") -> State:
    """Return a state in which seat 0, with this *role* and a card of each kind, decides."""
    state = game.initial_state(stream("relations", "chance"))
    state.turn, state.roles[0], state.phase, state.work = 0, role, phase, work
    state.hands[0] = sorted(KINDS)
    return state


def _legal(game: Wikipedia, role: str, phase: str, work: str = "") -> tuple[str, ...]:
    return game.legal_actions(_situation(game, role, phase, work), 0)


def _points(game: Wikipedia, work: str) -> list[int]:
    """Return the points of the user and of the author when a use of *work* scores."""
    state = _situation(game, ROLES[0], "result", work)
    state.user, state.author, state.repaired = 0, 1, 1
    game.apply(state, TABLE, NEXT, stream("relations", "chance"))
    return state.points[:2]


def happened(played: Sequence[Round]) -> Counter[tuple[str, str, str]]:
    """Return how often each relation showed in these rounds, by (start, kind, end)."""
    count: Counter[tuple[str, str, str]] = Counter()
    for each in played:
        role = each.roles
        if each.work:
            count[role[each.author], "writes", each.work] += 1
        for seat, _ in each.uses:
            count[role[seat], "plays", USE] += 1
        if each.die:
            count[USE, "needs", each.work] += 1
        for spoilt in each.vandalisms:
            count[role[spoilt.by], "plays", VANDAL] += 1
            count[VANDAL, "spoils", each.work] += 1
            used = sum(turn < spoilt.turn for _, turn in each.uses)
            count[VANDAL, "blocks", USE] += used > sum(
                turn < spoilt.turn for _, turn in each.given_up
            )
            if spoilt.role:
                count[spoilt.role, "may", REVISE] += 1
                count[spoilt.role, "must", REVISE] += 1
                count[REVISE, "cures", VANDAL] += 1
        if each.ended == MENDED:
            count[REVISE, "mends", each.work] += 1
        if each.ended in (RIGHT, MENDED):
            count[USE, "earns", POINTS] += 1
            count[BOOK, "earns", POINTS] += each.work == BOOK
    return count
