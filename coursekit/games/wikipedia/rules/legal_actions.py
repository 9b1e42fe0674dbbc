"""What the player whose turn it is may do, and must do."""

from coursekit.core.game import Seat
from coursekit.games.wikipedia.rules.cards import (
    DISCARD,
    GIVE_UP,
    KINDS,
    LEAVE,
    REFILL,
    REVISE,
    ROLL,
    SCHOLAR,
    STUDENT,
    USE,
    VANDAL,
    WIKI,
    WORKS,
)
from coursekit.games.wikipedia.rules.options import Options
from coursekit.games.wikipedia.rules.state import NOBODY, Observation, State

CAN_WRITE = {SCHOLAR: WORKS, STUDENT: (WIKI,)}  # 「書籍牌：限學者」


def playable(position: State | Observation) -> tuple[str, ...]:
    """Return the kinds that the player whose turn it is may play, if held."""
    role = position.roles[position.turn]
    if position.phase == "write":
        return CAN_WRITE[role]
    if position.phase == "cure":
        return (REVISE,)
    if position.phase != "move":
        return ()
    kinds: tuple[str, ...] = ()
    if role == STUDENT and position.work == WIKI:  # R7 「限學生使用，限用於維基百科」
        kinds = (VANDAL,)
    if position.user == NOBODY:  # R8 「最多只能同時有一張使用」
        kinds = (USE, *kinds)
    return kinds


def must_play(position: State | Observation, options: Options) -> tuple[str, ...]:
    """Return the kinds of which the player must play one, if held, instead of discarding."""
    forced = options.strict_discard
    if position.phase == "write":
        forced = forced or options.forced_write  # R5 「就一定要出」
    elif position.phase == "cure":
        forced = forced and position.user != position.turn
        # R12 「若手上有修訂一定要出」
        forced = forced or position.roles[position.turn] == SCHOLAR
    return playable(position) if forced else ()


def allowed(state: State, options: Options, seat: Seat) -> list[str]:
    """Return the legal actions of *seat*, whose turn it is."""
    phase, o = state.phase, options
    hand = state.hands[seat]
    if phase == "repair":
        if hand.count(REVISE) < o.repair[state.work]:
            return [LEAVE]
        forced = state.roles[seat] == SCHOLAR and o.scholar_must_repair_at_scoring
        return [REVISE] if forced else [REVISE, LEAVE]
    can, must = playable(state), must_play(state, o)
    plays, discards = [], []
    forced = False
    for kind in KINDS:
        if kind in hand:
            discards.append(DISCARD[kind])
            if kind in can:
                plays.append(kind)
                forced = forced or kind in must
    if phase == "drop":
        return discards
    may_refill = o.refill == "optional_own_turn" and not state.refilled and len(hand) < o.hand_min
    refill = [REFILL] if may_refill else []
    if phase == "roll":
        return [ROLL, *(discards if o.score_optional else []), *refill]
    if forced:
        discards = []
    elif state.user == seat:
        discards = [GIVE_UP]
    return [*plays, *discards, *refill]
