"""The options of 文壇封鎖中: the numbers of the rulebook, and the points it leaves open.

``"A6"`` is an open point of the specification; other numbers are its sections.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

from coursekit.core.errors import OptionError
from coursekit.core.options import SetOf, option
from coursekit.games.blockade.rules.card_codes import EDITIONS, LIFTING
from coursekit.games.blockade.rules.card_facts import name_of_era

PLAYERS = 4
FACES = 6
"""Faces of the die, each with an O or an X."""

SHARES = {"half": 2, "third": 3}
"""By ``function_set``: by what the copies of a function card are divided."""


@dataclass(frozen=True)
class Options:
    """The numbers and open points of the rulebook; the defaults are the standard game."""

    eras: tuple[int, ...] = option((1, 2, 3, 4), SetOf(range(1, 5)), "2.4", first=True)
    """The eras to play, in order: 1949-1959, 1960-1969, 1970-1979, 1980-1992."""
    roles_each_era: Literal["same", "drawn", "passed"] = option(
        "same", ("same", "drawn", "passed"), "A20", first=True
    )
    """Roles stay, are drawn anew for every era, or pass to the left; in four eras every player then
    has each.
    """
    o_faces: int = option(3, range(1, FACES), "A12", first=True)
    """Faces of the die that show O; the others show X."""
    lifting_year: int = option(LIFTING, range(1950, 1994), "9", first=True)
    """The year whose space lifts martial law; 1993 is beyond the track and never comes."""
    laps_limit: int = option(100, range(3, 201), "A26", first=True)
    """Maximum laps of an era, which then ends by distance: every match ends, and an era can fit a
    lesson.
    """
    function_set: Literal["kit", "half", "third", "blank", "none"] = option(
        "kit", ("kit", "half", "third", "blank", "none"), "A11", first=True
    )
    """Function cards as designed by the kit, all copies or half or a third of each; all without
    effects; or none.
    """
    events: bool = option(True, (False, True), "A10", first=True)
    """Whether the events of the track have the effects designed by the kit."""
    edition: str = option("kit", EDITIONS, "10")
    """The cards: the kit's, or those loaded by
    :func:`~coursekit.games.blockade.rules.card_codes.own_cards`.
    """
    event_on: Literal["pass", "land"] = option("pass", ("pass", "land"), "A9")
    """An event happens when a marker enters or passes its year, or only when it stops there."""
    event_scope: Literal["once", "per_player"] = option("once", ("once", "per_player"), "A9")
    """An event happens once in an era, or once for each player."""
    stale_cards: Literal[
        "refresh", "discard_action", "era_deck", "not_before_publication", "keep"
    ] = option(
        "refresh", ("refresh", "discard_action", "era_deck", "not_before_publication", "keep"), "A6"
    )
    """Writers of other eras are changed at the start of a turn, changed one at a time instead of
    playing, left out of the deck, usable in every era from that of their work on, or stay in hand,
    as the rulebook has it.
    """
    exchange_delay: bool = option(True, (False, True), "A2")
    """Writers pay for a book card only in a later turn than that in which they were placed."""
    exchange_from: Literal["table", "hand", "hand_or_table"] = option(
        "table", ("table", "hand", "hand_or_table"), "A3"
    )
    """Where the writers that pay for a book card come from."""
    table_limit: int | None = option(None, range(2, 11), "A4")
    """Maximum writers in front of a player; ``None`` for no limit."""
    may_pass: bool = option(False, (False, True), "A37")
    """Whether a player may do nothing in phase 1."""
    start_in_buffer: bool = option(False, (False, True), "A8")
    """Whether markers start one space before the first year of an era."""
    last_goal: Literal["corner", "1992"] = option("corner", ("corner", "1992"), "A35")
    """The last era ends at the corner after 1992, or on 1992."""
    defence_o: Literal["attacker", "defender"] = option("attacker", ("attacker", "defender"), "A13")
    """Whom an O thrown by the target helps."""
    seize_bonus: int = option(0, range(4), "A14")
    """Spaces a censor goes forward for taking a banned book from a pen."""
    loss_penalty: int = option(0, range(4), "A14")
    """Spaces a censor goes back for losing a periodical to a pen."""
    opening_each_era: bool = option(True, (False, True), "A21")
    """Whether every era begins with a first lap of writers only, or the first era alone."""
    starter_usable_only: bool = option(False, (False, True), "A23")
    """Whether only writers of the era count when the earliest birth year decides who begins."""
    carry_over: Literal["nothing", "hands", "hands_books"] = option(
        "nothing", ("nothing", "hands", "hands_books"), "A19"
    )
    """What players keep from one era to the next."""
    stall_laps: int = option(10, range(101), "A26")
    """Laps without a marker going forward after which the era ends by distance; 0 for never."""
    tie_points: Literal["better", "average"] = option("better", ("better", "average"), "A22")
    """Equal distances all get the points of the better place, or share those of their places
    (points are doubled).
    """
    final_tie: Literal["shared", "era4"] = option("shared", ("shared", "era4"), "A22")
    """Equal sums share the victory, or the points of the last era decide."""
    open_hands: bool = option(False, (False, True), "kit")
    """All hands lie open, to learn the rules; strategies play as if they saw their own alone."""
    team_score: bool = option(False, (False, True), "A32")
    """Whether both players of a camp get the points of both."""
    hand: int = option(5, range(2, 9), "2.1")
    """Cards in a hand."""
    price: int = option(2, range(1, 5), "4.1")
    """Writers that pay for a book card."""
    banned_steps: int = option(2, range(1, 6), "4.2")
    """Spaces a censor goes forward for a banned book."""
    periodical_steps: int = option(1, range(1, 6), "4.2")
    """Spaces a pen goes forward for a periodical."""
    search_back: int = option(2, range(6), "4.3")
    """Spaces a pen goes back for losing a banned book to a censor."""
    protest_steps: int = option(1, range(6), "4.3")
    """Spaces a pen goes forward for getting a periodical back from a censor."""


LESSON: Mapping[str, Any] = {
    "eras": (1,),
    "stale_cards": "era_deck",
    "function_set": "third",
    "exchange_delay": False,
}
"""One era with cards that can be used in it, so that few turns are lost; see
``benchmarks/lessons.py``.
"""
PRESETS: Mapping[str, Mapping[str, Any]] = {
    "standard": {},
    "one_era": {**LESSON, "laps_limit": 8},
    "open": {**LESSON, "open_hands": True, "laps_limit": 3},
    "rotating": {"roles_each_era": "passed", "laps_limit": 6},
}
"""Ways to play. At one screen a turn takes 25-30 seconds, so 8 laps take about 16 minutes."""


def check_combination(options: Options, sizes: Mapping[int, tuple[int, int]]) -> None:
    """Check that *options* go together.

    :param sizes: by era to be played, the number of cards in its deck and of writers it can use.
    :raises OptionError: with the reason, if they do not.
    """
    o, wrong = options, None
    era = min(sizes, key=lambda era: sizes[era][1])
    usable, needed = sizes[era][1], PLAYERS * o.price
    fewest = min(cards for cards, _ in sizes.values())
    if any(one >= other for one, other in pairwise(o.eras)):
        wrong = "option.conflict.eras"
    elif o.stale_cards == "era_deck" and o.carry_over != "nothing":
        wrong = "option.conflict.era_deck"
    elif o.exchange_from == "hand" and not o.exchange_delay:
        wrong = "option.conflict.exchange"
    elif o.table_limit and o.table_limit < o.price and o.exchange_from == "table":
        wrong = "option.conflict.table_limit"
    elif o.exchange_from == "hand" and o.hand < o.price:
        wrong = "option.conflict.hand"
    elif o.lifting_year != LIFTING and not o.events:
        wrong = "option.conflict.lifting"
    elif usable < needed:
        wrong = "option.conflict.too_few_writers"
    elif PLAYERS * o.hand >= fewest:
        wrong = "option.conflict.too_few_cards"
    if wrong:
        words = {
            "cards": fewest,
            "hands": PLAYERS * o.hand,
            "era": name_of_era(era),
            "usable": usable,
            "needed": needed,
        }
        raise OptionError("blockade", wrong, **words)
