"""Why an action is refused: one sentence for each rule that it breaks."""

from coursekit.core.game import Refusal, Seat
from coursekit.games.wikipedia.rules.cards import (
    BOOK,
    GIVE_UP,
    LEAVE,
    PLAYED_OR_DISCARDED,
    REFILL,
    REVISE,
    ROLL,
    SCHOLAR,
    USE,
    VANDAL,
    WORKS,
)
from coursekit.games.wikipedia.rules.legal_actions import must_play
from coursekit.games.wikipedia.rules.options import Options
from coursekit.games.wikipedia.rules.state import NOBODY, State

FORCED = {"write": ("refusal.must_write", "rule.5"), "cure": ("refusal.must_cure", "rule.12")}


def why_not(state: State, options: Options, seat: Seat, action: str) -> Refusal:
    """Return why *seat*, whose turn it is, may not do *action*, which is not legal."""
    hand = state.hands[seat]
    card = PLAYED_OR_DISCARDED.get(action, "")
    if state.phase == "repair":
        return _repair(state, options, hand, action)
    if state.phase == "drop":
        missing = card and card != action  # a card to discard that is not in the hand
        return _missing(card) if missing else Refusal("refusal.drop", {}, "rule.14")
    if card and card not in hand:
        return _missing(card)
    if action == REFILL:
        text = "refusal.no_refill" if options.refill == "auto" else "refusal.refill"
        return Refusal(text, {"least": options.hand_min}, "rule.4")
    if action == LEAVE:
        return Refusal("refusal.leave", {}, "rule.16")
    if state.phase == "roll":
        text = "refusal.score_or_wait" if options.score_optional else "refusal.must_score"
        return Refusal(text, {}, "rule.13")
    if action == ROLL:
        text = "refusal.roll_cured" if options.cure_then_score else "refusal.roll"
        return Refusal(text, {}, "rule.13")
    if card == action != "":
        return _play(state, seat, card)
    blocked = state.phase == "cure" and state.user == seat
    if action == GIVE_UP and not blocked:
        return Refusal("refusal.give_up", {}, "rule.14")
    forced = [kind for kind in must_play(state, options) if kind in hand]
    if forced:  # else it may be discarded
        text, rule = FORCED.get(state.phase, ("refusal.must_play", "rule.2"))
        if state.phase == "cure" and state.roles[seat] != SCHOLAR:
            text, rule = "refusal.must_play", "rule.2"
        if state.phase == "write" and not options.forced_write:  # only ``strict_discard`` forces it
            text, rule = "refusal.must_play", "rule.2"
        return Refusal(text, {"cards": forced}, rule)
    assert blocked
    return Refusal("refusal.cure_or_give_up", {}, "rule.14")


def _missing(card: str) -> Refusal:
    return Refusal("refusal.not_in_hand", {"card": card})


def _repair(state: State, options: Options, hand: list[str], action: str) -> Refusal:
    values = {"work": state.work, "need": options.repair[state.work], "have": hand.count(REVISE)}
    if action == LEAVE:
        return Refusal("refusal.must_repair", values, "rule.revise")
    return Refusal("refusal.too_few" if action == REVISE else "refusal.repair", values, "rule.17")


def _play(state: State, seat: Seat, card: str) -> Refusal:
    """Return why *card*, which the seat holds, may not be played."""
    if card in WORKS:
        if state.work:
            return Refusal("refusal.one_work", {"work": state.work}, "rule.6")
        return Refusal("refusal.book_student", {}, "rule.5")
    if card == REVISE:
        return Refusal("refusal.nothing_to_revise", {}, "rule.11")
    if not state.work:
        return Refusal("refusal.no_work", {"card": card}, "rule.7")
    if card == USE:
        if state.vandal != NOBODY:
            return Refusal("refusal.use_vandal", {}, "rule.10")
        return Refusal("refusal.one_use", {"seat": state.user}, "rule.8")
    if state.roles[seat] == SCHOLAR:
        return Refusal("refusal.vandal_scholar", {}, "rule.7")
    if state.work == BOOK:
        return Refusal("refusal.vandal_book", {}, "rule.7")
    assert card == VANDAL
    return Refusal("refusal.one_vandal", {}, "rule.10")
