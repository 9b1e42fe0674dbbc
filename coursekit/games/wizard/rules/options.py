"""What a class can change about Wizard: the variants and the numbers of the rulebook.

The letters and numbers behind each option are the sections of the specification it comes from.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from coursekit.core.errors import OptionError
from coursekit.core.options import TupleOf, option


@dataclass(frozen=True)
class Options:
    """The variants and the numbers of the rulebook; the defaults are the standard game."""

    bid_mode: Literal["open", "hidden", "secret"] = option(
        "open", ("open", "hidden", "secret"), "V2 V3", first=True
    )
    """Bids in turn; all at once and shown before play; or shown only after the last trick."""
    bid_rule: Literal["free", "sum_must_differ", "sum_must_differ_leader_only", "adjust_tricks"] = (
        option(
            "free",
            ("free", "sum_must_differ", "sum_must_differ_leader_only", "adjust_tricks"),
            "V1",
            first=True,
        )
    )
    """Any bid; the dealer may not make the sum equal the tricks (or only while in the lead);
    or the dealer changes the hand size by one before dealing."""
    hawk_eye: bool = option(False, (False, True), "V4", first=True)
    """In round 1 all players see every card but their own."""
    short_game: int | None = option(None, range(1, 21), "8", first=True)
    """Rounds to play, ``None`` for all that the cards allow."""
    rounds: tuple[int, ...] | None = option(None, TupleOf(range(1, 21)), "8")
    """Cards per player in each round, instead of 1, 2, 3, …"""
    first_dealer: int | None = option(None, range(6), "A6", seat=True)
    """Seat of the master of the academy, who deals first; ``None`` for one drawn by lot."""
    dealer_picks_blind: bool = option(False, (False, True), "A5")
    """The dealer names the trump before looking at the hand."""
    jester_then_wizard: Literal["free", "next_suit_card_leads"] = option(
        "free", ("free", "next_suit_card_leads"), "A2"
    )
    """What a Wizard right behind a leading Jester does: free the trick, or leave it to the next
    suit.
    """
    hidden_reveal: Literal["before_play", "scorer_only"] = option(
        "before_play", ("before_play", "scorer_only"), "A15"
    )
    """Hidden bids are read to all before play, or only by the scorer until the round is scored."""
    hidden_sum_conflict: Literal["refuse", "rebid"] = option("refuse", ("refuse", "rebid"), "V1")
    """A sum rule with simultaneous bids: not allowed, or all bid again until it is met."""
    tie_break: Literal["shared", "sum_of_bids"] = option("shared", ("shared", "sum_of_bids"), "A12")
    """Equal points share the victory, or the larger sum of all bids decides."""
    open_hands: bool = option(False, (False, True), "kit")
    """All hands lie open, to learn the rules; strategies play as if they saw their own alone."""
    trick_history: Literal["last_only", "full", "none"] = option(
        "last_only", ("last_only", "full", "none"), "7"
    )
    """Which finished tricks of the round the table shows; it changes no rule."""
    hit: int = option(20, range(0, 101), "6")
    """Points for a bid that is met."""
    per_trick: int = option(10, range(0, 101), "6")
    """Points for each trick won with a bid that is met."""
    miss: int = option(10, range(0, 101), "6")
    """Points lost per trick of difference with a bid that is missed."""
    wizards: int = option(4, range(0, 5), "1.1")
    """Wizards in the deck."""
    jesters: int = option(4, range(0, 5), "1.1")
    """Jesters in the deck."""

    @property
    def past_wizard(self) -> bool:
        """Whether a Wizard right behind a leading Jester leaves the lead to the next suit."""
        return self.jester_then_wizard == "next_suit_card_leads"


PRESETS: Mapping[str, Mapping[str, Any]] = {
    "standard": {},
    "lesson": {"short_game": 5},
    "open": {"open_hands": True, "rounds": (3,)},
}
"""Ways to play, by name."""


def check_combination(options: Options, players: int, most: int) -> None:
    """Check that *options* go together, where the cards reach for *most* to each player.

    :raises OptionError: with the reason, if they do not.
    """
    o, wrong = options, None
    if o.bid_rule.startswith("sum") and o.bid_mode != "open" and o.hidden_sum_conflict == "refuse":
        wrong = "option.conflict.hidden_sum"
    elif o.short_game and o.rounds:
        wrong = "option.conflict.two_lengths"
    elif max(o.rounds or (o.short_game or 0,)) > most:
        wrong = "option.conflict.too_many_cards"
    elif o.first_dealer is not None and o.first_dealer >= players:
        wrong = "option.conflict.first_dealer"
    elif o.hawk_eye and o.rounds and o.rounds[0] != 1:
        wrong = "option.conflict.hawk_eye"
    elif o.open_hands and (o.hawk_eye or o.dealer_picks_blind):
        wrong = "option.conflict.open_hands"
    if wrong:
        raise OptionError("wizard", wrong, players=players, most=most)
