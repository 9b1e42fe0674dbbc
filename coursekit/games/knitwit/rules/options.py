"""What can be changed about Knit Wit: the numbers of the rulebook, and what it leaves open.

Numbers such as ``"A7"`` are the open points of the specification, others its sections.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from coursekit.core.errors import OptionError
from coursekit.core.options import Several, option
from coursekit.games.knitwit.rules.design import Design, goes_on
from coursekit.games.knitwit.rules.words import GAME, PACKS, Setup, setups
from coursekit.words.texts import table

LINES = 8
"""Spools in the box, and lines on an answer sheet."""
COMMITS = 20
"""So often a line can be written anew, so that every match ends."""
NAMED = {"loops": "loops", "string": "perimeter_limit"}
"""Options that a refusal names as they stand at the table."""


@dataclass(frozen=True)
class Options:
    """The numbers and open points of the rulebook; the defaults are the standard game."""

    rounds: int = option(1, range(1, 6), "A21", first=True)
    """So many designs are knitted and answered, and the points added."""
    answer_time_limit: int | None = option(None, range(30, 1801), "5.4", first=True)
    """Seconds for writing; ``None``: the buttons alone end it, as in the rulebook."""
    words: str = option("kit", PACKS, "13", first=True)
    """Whose tags: the kit's, or what :func:`~coursekit.games.knitwit.rules.words.own_words` has loaded."""
    setup_table: Literal["standard", "six"] = option("standard", ("standard", "six"), "A1")
    """How many loops and spools: the reconstructed table, or at least six of each, for which some have two turns."""
    loops: int | None = option(None, range(1, LINES + 1), "A1")
    """Loops and spools in play, instead of the number in the table."""
    buttons: tuple[int, ...] | None = option(None, Several(range(1, 5)), "A19")
    """The holes of the bonus buttons, instead of those in the table."""
    region_rule: Literal["face", "loops"] = option("face", ("face", "loops"), "A4")
    """No two spools in one region, or no two inside the same loops even in regions apart."""
    perimeter_limit: int | None = option(None, range(160, 1001), "9.1")
    """The longest string of a loop, the table being 240 wide; ``None`` for any length."""
    words_last: bool = option(False, (False, True), "A22")
    """Tags are clipped only after all loops and spools are placed."""
    shuffle_tag: bool = option(False, (False, True), "1")
    """There is one Shuffle tag in the box: when it comes up, all tags that are not on the table are shuffled.

    In a single round it changes nothing: no tag has been used before."""
    ban_scope: Literal["all", "spool"] = option("all", ("all", "spool"), "A6")
    """Forbidden are the words of all tags on the table, or only of those around the spool."""
    ban_match: Literal["word", "char"] = option("word", ("word", "char"), "A6")
    """Forbidden is the tag's word, or every answer that shares a Chinese character or an English word with it."""
    two_player_extra: int = option(1, range(LINES + 1), "A9")
    """Of two players, so many blank lines the other may still fill after the first has stopped."""
    extra_seconds: int = option(60, range(301), "A9")
    """Seconds for that; 0: as long as it takes."""
    fuzzy_dup: Literal["ask", "off", "auto"] = option("ask", ("ask", "off", "auto"), "8")
    """Answers that may mean the same: the players vote, they count as different, or as the same.

    Of two players each has half of the votes: they are different only if both say so."""
    order: Literal["dup_first", "challenge_first"] = option("dup_first", ("dup_first", "challenge_first"), "A10")
    """Same answers are struck before there are challenges, or only those that have stood up to them."""
    challenged_votes: bool = option(True, (False, True), "A7")
    """Whoever is challenged votes, too."""
    two_player_challenge: Literal["self_judge", "vote", "off"] = option(
        "self_judge", ("self_judge", "vote", "off"), "A7"
    )
    """With two players whoever is challenged keeps or withdraws the answer, or both vote, or nobody challenges."""
    vote_threshold: int = option(50, range(1, 101), "A8")
    """An answer counts if at least so many in a hundred are in favour."""
    vote_of: Literal["players", "votes"] = option("players", ("players", "votes"), "A8")
    """In a hundred of those who may vote, or of the votes that were cast."""
    explain_seconds: int = option(10, range(121), "6.4")
    """Seconds to explain a challenged answer; the table opens the vote.

    No matter where one of two players decides alone, as there is no vote."""
    answer_length: int = option(30, range(10, 81), "5.2")
    """Characters in an answer."""


PRESETS: Mapping[str, Mapping[str, Any]] = {
    "standard": {},
    "timed": {"answer_time_limit": 180},
    "short": {"loops": 5, "answer_time_limit": 120},
}
"""Ways to play, by name; the short one is for a first round in class."""


def setup_of(options: Options, players: int) -> Setup:
    """Return the loops and buttons for *players*, as the options say."""
    row = setups()[options.setup_table][players]
    buttons = row.buttons if options.buttons is None else options.buttons
    return Setup(options.loops or row.loops, tuple(sorted(buttons, reverse=True)))


def check_combination(options: Options, setup: Setup, tags: int) -> None:
    """Check that *options* make a game that can be played.

    :raises OptionError: with the reason, if they do not.
    """
    empty = Design(turns=setup.loops, by_label=options.region_rule == "loops", string=options.perimeter_limit)
    if not goes_on(empty):
        called = {f"{name}_label": table(GAME)[f"option.{option}.label"] for name, option in NAMED.items()}
        raise OptionError(GAME, "option.conflict.no_room", loops=setup.loops, string=options.perimeter_limit, **called)
    if tags < setup.loops:
        raise OptionError(GAME, "option.conflict.too_few_tags", loops=setup.loops, tags=tags)
