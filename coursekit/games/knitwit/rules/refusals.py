"""Refusals where the legal actions are a short list; :mod:`.free_input` refuses free input."""

from typing import Any

from coursekit.core.game import TABLE, Refusal, Seat
from coursekit.games.knitwit.rules import scoring
from coursekit.games.knitwit.rules.box import Box
from coursekit.games.knitwit.rules.state import REJECTED, STRUCK, UPHELD, State, table_action
from coursekit.words.texts import shorten

SCORING = ("reveal", "defend", "judge", "vote")
PLACES = {
    "go": "refusal.go",
    "yes": "refusal.no_vote",
    "no": "refusal.no_vote",
    "keep": "refusal.no_talk",
    "withdraw": "refusal.no_talk",
    "stop": "refusal.not_writing",
}
"""Refusals of actions that belong to another phase."""


def late(state: State, action: Any) -> Refusal | None:
    """Return the refusal of *action* if it writes or stops after the pencils are down."""
    writes = action == "stop" or (type(action) is tuple and action[:1] == ("write",))
    return Refusal("refusal.pencils_down") if writes and state.phase in SCORING else None


def not_deciding(game: Box, state: State, seat: Seat, deciding: tuple[Seat, ...]) -> Refusal | None:
    """Return why *seat* may do nothing now, ``None`` if it is simply not its turn."""
    if not deciding:
        return None
    if state.phase == "reveal" and state.doubts and game.options.order == "dup_first":
        return Refusal("refusal.challenge_doubt", {"seats": state.doubts[0]}, "rule.same_first")
    if state.phase == "write" and seat in game.seats and type(seat) is int:
        return Refusal("refusal.locked", {}, "rule.pencil")
    return None


def why_not(game: Box, state: State, seat: Seat, action: Any) -> Refusal:
    """Return why *seat*, one of those deciding, may not do *action*.

    An action is a word, or a word with a number.
    """
    if seat == TABLE:
        return Refusal("refusal.table", {"got": shorten(action), "allowed": table_action(state)})
    if state.phase == "reveal" and type(action) is tuple and action[0] == "challenge":
        return _challenge(game, state, seat, action[1])
    if type(action) is str and action in PLACES:
        return Refusal(PLACES[action])
    return Refusal("refusal.unknown", {"got": shorten(action)})


def _challenge(game: Box, state: State, seat: Seat, other: int) -> Refusal:
    if other not in game.seats:
        return game.refuse_seat(other)
    if other == seat:
        return Refusal("refusal.challenge_own", {}, "rule.challenge")
    line = scoring.open_line(game, state)
    if not state.sheets[other][line]:
        return Refusal("refusal.challenge_blank", {"seat": other}, "rule.challenge")
    verdict = state.verdicts[other][line]
    assert verdict in (STRUCK, REJECTED, UPHELD)
    text = "refusal.challenge_struck" if verdict == STRUCK else "refusal.challenge_again"
    return Refusal(text, {"seat": other}, "rule.challenge")
