"""Relations between the cards of 維基百科 vs 書籍, found by asking the rules."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from coursekit.core.chance import stream
from coursekit.core.game import TABLE
from coursekit.games.wikipedia.after.history import MENDED, Round
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


def find_relations(game: Wikipedia) -> list[Relation]:
    """Return all relations between :data:`THINGS` in *game* under its options."""
    relations = []
    for role in ROLES:
        write = _legal(game, role, "write")
        move = _legal(game, role, "move", WIKI)
        cure = _legal(game, role, "cure", WIKI)
        for work in WORKS:
            relations.append(Relation(role, "writes" if work in write else "cannot", work))
        relations.append(Relation(role, "plays" if VANDAL in move else "cannot", VANDAL))
        relations.append(Relation(role, "may" if {*cure} - {REVISE} else "must", REVISE))
        relations.append(Relation(role, "plays", USE))
    for work in WORKS:
        if any(VANDAL in _legal(game, role, "move", work) for role in ROLES):
            relations.append(Relation(VANDAL, "spoils", work))
        else:
            relations.append(Relation(work, "withstands", VANDAL))
        relations.append(Relation(REVISE, "mends", work, game.repair[work]))
        relations.append(Relation(USE, "needs", work))
        if _points(game, work)[1]:
            relations.append(Relation(work, "earns", POINTS))
    under_vandalism = _legal(game, ROLES[0], "cure", WIKI)
    if USE not in under_vandalism:
        relations.append(Relation(VANDAL, "blocks", USE))
    if REVISE in under_vandalism:
        relations.append(Relation(REVISE, "cures", VANDAL))
    if any(_points(game, work)[0] for work in WORKS):
        relations.append(Relation(USE, "earns", POINTS))
    return relations


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


def count_relations(rounds: Sequence[Round]) -> Counter[tuple[str, str, str]]:
    """Return how often each relation showed in these rounds, by (start, kind, end)."""
    count: Counter[tuple[str, str, str]] = Counter()
    for now in rounds:
        if now.work:
            count[now.roles[now.author], "writes", now.work] += 1
        for use in now.uses:
            count[now.roles[use.seat], "plays", USE] += 1
        if now.die:
            count[USE, "needs", now.work] += 1
        for spoilt in now.vandalisms:
            count[now.roles[spoilt.by], "plays", VANDAL] += 1
            count[VANDAL, "spoils", now.work] += 1
            count[VANDAL, "blocks", USE] += spoilt.against_use
            if spoilt.role:
                count[spoilt.role, "may", REVISE] += 1
                count[spoilt.role, "must", REVISE] += 1
                count[REVISE, "cures", VANDAL] += 1
        if now.ended == MENDED:
            count[REVISE, "mends", now.work] += 1
        if now.scored:
            count[USE, "earns", POINTS] += 1
            count[BOOK, "earns", POINTS] += now.work == BOOK
    return count
