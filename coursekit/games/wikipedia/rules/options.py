"""What a class can change about 維基百科 vs 書籍: its numbers, and what the rulebook leaves open.

Numbers such as ``"R15"`` are the rulebook's numbered rules, ``"A19"`` the open points of the
specification.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from coursekit.core.errors import OptionError
from coursekit.core.options import option
from coursekit.games.wikipedia.rules.cards import BOOK, WIKI

FACES = 6
LEAN = 10
"""Without a limit of laps, a match lasts so many times the laps of a standstill, and as long again
for every point.
"""


@dataclass(frozen=True)
class Options:
    """The numbers and open points of the rulebook; the defaults are the standard game."""

    points_to_win: int = option(10, range(1, 41), "victory", first=True)
    """Tokens with which a player, or a team together, wins."""
    wiki_wrong: int = option(4, range(FACES + 1), "R15", first=True)
    """Using Wikipedia goes wrong when the die shows this number or less."""
    book_wrong: int = option(1, range(FACES + 1), "R15", first=True)
    """Using a book goes wrong when the die shows this number or less."""
    wiki_repair: int = option(1, range(1, 5), "R17", first=True)
    """REVISE cards that mend Wikipedia when it has gone wrong."""
    book_repair: int = option(2, range(1, 5), "R17", first=True)
    """REVISE cards that mend a book when it has gone wrong."""
    laps_limit: int = option(1000, range(1001), "A19", first=True)
    """Laps after which the match ends and the most points win, so that every match ends and can fit
    a lesson.

    0 for no limit: see :meth:`laps`.
    """
    wiki: int = option(9, range(21), "1")
    """WIKI cards in a set; there is one set for every two players."""
    book: int = option(9, range(21), "1")
    """BOOK cards in a set."""
    revise: int = option(9, range(21), "1")
    """REVISE cards in a set."""
    vandal: int = option(9, range(21), "1")
    """VANDAL cards in a set."""
    use: int = option(9, range(1, 21), "1")
    """USE cards in a set."""
    scholars: int = option(3, range(9), "1")
    """Scholars among the role cards of a set."""
    students: int = option(5, range(9), "1")
    """Students among the role cards of a set."""
    start: int = option(5, range(2, 9), "A3")
    """Cards in a hand at the start."""
    hand_min: int = option(3, range(7), "R4")
    """A hand with fewer cards than this is filled up."""
    refill_to: int = option(6, range(2, 9), "R4")
    """Cards in a hand that was filled up."""
    refill: Literal["auto", "optional_own_turn"] = option(
        "auto", ("auto", "optional_own_turn"), "A4"
    )
    """A small hand is filled up at once, or at the beginning of its player's turn if wanted."""
    refill_check: Literal["after_draw", "before_draw"] = option(
        "after_draw", ("after_draw", "before_draw"), "A3b"
    )
    """The hand is counted after the usual card is drawn, or before (and then filled up instead)."""
    strict_discard: bool = option(False, (False, True), "A5")
    """Only a player without a card to play may discard."""
    forced_write: bool = option(True, (False, True), "A6")
    """A player who can write when there is no work must do so."""
    scholar_must_repair_at_scoring: bool = option(True, (False, True), "A7")
    """A scholar with enough REVISE cards must mend what has gone wrong at scoring."""
    cure_then_score: bool = option(False, (False, True), "A10")
    """A user who cures the work throws the die in the same turn, not in the next one."""
    score_optional: bool = option(False, (False, True), "A11")
    """A player with USE on the table may put off scoring and discard instead."""
    reshuffle: Literal["immediate", "lazy"] = option("immediate", ("immediate", "lazy"), "A15")
    """The discards become a new deck when the last card is drawn, or when another is needed."""
    open_discards: bool = option(False, (False, True), "A16")
    """Discarded cards are shown to all."""
    open_hands: bool = option(False, (False, True), "kit")
    """All hands lie open, and so do discards, to learn the rules; strategies play as if they saw
    their own alone.
    """
    stall_guard_laps: int = option(20, range(101), "A19")
    """Laps without a change on the table after which VANDAL is taken away, or the 局 ends; 0 for
    never.

    Without ``laps_limit`` it also says how slowly points may come.
    """
    tie: Literal["shared", "scorer", "sudden_death"] = option(
        "shared", ("shared", "scorer", "sudden_death"), "A21"
    )
    """Two sides reach the goal at once: both win, the side that scored wins, or they play on."""
    table_talk: bool = option(True, (False, True), "6")
    """Partners may talk about their hands, never show them; only what the table says changes."""

    def laps(self, points: int) -> int:
        """Return the laps after which a match ends that has brought so many *points* in all.

        ``laps_limit``, or without it ten times ``stall_guard_laps``, and as many more for every
        point.
        """
        return self.laps_limit or LEAN * self.stall_guard_laps * (1 + points)

    @property
    def wrong(self) -> dict[str, int]:
        """By work, the highest face of the die with which using it goes wrong."""
        return {WIKI: self.wiki_wrong, BOOK: self.book_wrong}

    @property
    def repair(self) -> dict[str, int]:
        """By work, the REVISE cards that mend it when it has gone wrong."""
        return {WIKI: self.wiki_repair, BOOK: self.book_repair}


PRESETS: Mapping[str, Mapping[str, Any]] = {
    "standard": {},
    "lesson": {"points_to_win": 3},
    "open": {"open_hands": True, "points_to_win": 1},
}
"""Ways to play, by name."""


def check_combination(options: Options, players: int) -> None:
    """Check that *options* make a game that can be played and won.

    :raises OptionError: with the reason, if they do not.
    """
    o, sets, wrong = options, players // 2, None
    cards = sets * (o.wiki + o.book + o.revise + o.vandal + o.use)
    most = max(o.start, o.refill_to) * players + 3  # in hands and on the table
    can_mend = min(sets * o.revise, o.start)  # a hand grows only after a mending
    works = [(o.wiki, o.wiki_wrong, o.wiki_repair)]
    if o.scholars:
        works.append((o.book, o.book_wrong, o.book_repair))
    if o.hand_min > min(o.start, o.refill_to):
        wrong = "option.conflict.hands"
    elif cards <= most:
        wrong = "option.conflict.too_few_cards"
    elif sets * (o.scholars + o.students) < players:
        wrong = "option.conflict.too_few_roles"
    elif not any(count and (faces < FACES or repair <= can_mend) for count, faces, repair in works):
        wrong = "option.conflict.nobody_scores"
    elif not o.laps_limit and not o.stall_guard_laps:
        wrong = "option.conflict.no_end"
    elif not o.laps_limit and o.tie == "sudden_death":  # both sides may gain for ever
        wrong = "option.conflict.no_end_of_ties"
    if wrong:
        raise OptionError("wikipedia", wrong, players=players, cards=cards, most=most)
