"""Why an action is refused: a sentence for each way of breaking the rules."""

from typing import Any

from coursekit.core.game import TABLE, Refusal, Seat
from coursekit.games.blockade.rules.box import Box
from coursekit.games.blockade.rules.card_codes import CENSORS
from coursekit.games.blockade.rules.state import Action, State

WORDS = ("exchange", "roll", "refresh", "done", "pass", "next")
PAIRS = ("play", "discard", "pay", "strike", "take", "under", "lose", "drop", "rival", "left")
"""Words that need a card, a book card or (rival) a seat."""

RULES = {
    "opening": "rule.first_lap",
    "main": "rule.phase1",
    "fresh": "rule.fresh",
    "exchange": "rule.exchange",
    "pay": "rule.exchange",
    "strike": "rule.phase2",
    "launch": "rule.phase2",
    "defend": "rule.phase2",
}
"""The rule behind each phase; other phases come from a function card or an event."""


def is_action(action: Any) -> bool:
    """Return whether *action* has the form of an action, with exactly these types."""
    if type(action) is str:
        return action in WORDS
    if type(action) is not tuple or len(action) != 2:
        return False
    return type(action[0]) is str and action[0] in PAIRS and type(action[1]) is int


def explain(game: Box, state: State, seat: Seat, action: Action) -> Refusal:
    """Return why *seat* may not do *action*, which is not legal in its phase."""
    if seat == TABLE:
        return Refusal("refusal.next")
    phase = state.phase
    word, thing = action if isinstance(action, tuple) else (action, 0)
    if word == "play" and phase in ("opening", "main", "place"):
        return _play(game, state, seat, thing)
    if word == "discard" and phase in ("opening", "main", "fresh", "trim"):
        return _discard(game, state, seat, thing)
    if (
        word == "refresh"
        and phase in ("opening", "main", "fresh")
        and game.options.stale_cards == "refresh"
    ):
        return Refusal("refusal.refresh", {"era": state.era}, "rule.fresh")
    if word == "exchange" and phase in ("opening", "main", "exchange"):
        return _exchange(game, state)
    if word == "strike" and phase == "strike":
        kind = "search" if state.roles[seat] in CENSORS else "protest"
        return Refusal(f"refusal.no_{kind}", {}, "rule.phase2")
    if word == "pass" and phase in ("opening", "main") and not game.options.may_pass:
        return Refusal("refusal.pass", {}, RULES[phase])
    if phase == "opening":
        return Refusal("refusal.now.opening", {"which": game.which}, RULES[phase])
    if phase == "main" and game.options.function_set == "none":
        return Refusal("refusal.now.main_writers", {}, RULES[phase])
    return Refusal(f"refusal.now.{phase}", {}, RULES.get(phase, "rule.own_design"))


def _play(game: Box, state: State, seat: Seat, card: int) -> Refusal:
    if card not in state.hands[seat]:
        return Refusal("refusal.not_in_hand")
    if not game.cards.is_writer(card):
        if state.phase == "opening":
            return Refusal("refusal.first_lap", {"card": card}, "rule.first_lap")
        return Refusal("refusal.writer_only", {"card": card}, "rule.own_design")
    if not game.has_room(state, seat):
        clears = game.options.exchange_from != "hand"  # an exchange makes room
        text = "refusal.no_room" if clears else "refusal.full"
        return Refusal(text, {"limit": game.options.table_limit}, "rule.table_limit")
    text = "refusal.not_yet" if game.which == "so_far" else "refusal.other_era"
    return Refusal(text, {"card": card, "era": state.era}, "rule.year")


def _discard(game: Box, state: State, seat: Seat, card: int) -> Refusal:
    if card not in state.hands[seat]:
        return Refusal("refusal.not_in_hand")
    if state.fresh:
        return Refusal("refusal.not_stale", {"card": card, "era": state.era}, "rule.fresh")
    return Refusal("refusal.must_play", {}, RULES[state.phase])


def _exchange(game: Box, state: State) -> Refusal:
    if state.phase == "opening":
        return Refusal("refusal.first_lap_exchange", {}, "rule.first_lap")
    if not state.book_deck:
        return Refusal("refusal.no_books", {}, "rule.exchange")
    texts = {
        "table": "refusal.exchange",
        "hand": "refusal.exchange_hand",
        "hand_or_table": "refusal.exchange_either",
    }
    values = {"price": game.options.price, "which": game.which}
    return Refusal(texts[game.options.exchange_from], values, "rule.exchange")
