"""What a class can change about Knit Wit: the rulebook's numbers, and the points it leaves open.

``"A7"`` is an open point of our specification, ``"5.4"`` a section of it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from coursekit.core.errors import OptionError
from coursekit.core.options import TupleOf, option
from coursekit.games.knitwit.rules.lexicon import GAME, LINES, PACKS, Setup, load_setups

COMMITS = 20
"""Times that a line can be written.  The limit makes every match end."""


@dataclass(frozen=True)
class Options:
    """The numbers and open points of the rulebook; the defaults are the standard game."""

    rounds: int = option(1, range(1, 6), "A21", first=True)
    """Designs that are knitted and answered; the points add up."""
    answer_time_limit: int | None = option(None, range(30, 1801), "5.4", first=True)
    """Seconds for writing; with ``None`` only the buttons end it, as in the rulebook."""
    words: str = option("kit", PACKS, "13", first=True)
    """The tags: the kit's, or the name that
    :func:`~coursekit.games.knitwit.rules.lexicon.own_words` returned.
    """
    setup_table: Literal["standard", "six"] = option("standard", ("standard", "six"), "A1")
    """Numbers of loops and spools: the reconstructed table, or at least six of each, some seats
    having two turns.
    """
    loops: int | None = option(None, range(1, LINES + 1), "A1")
    """Loops and spools in play, instead of the number in the table."""
    buttons: tuple[int, ...] | None = option(None, TupleOf(range(1, 5)), "A19")
    """The holes of the bonus buttons, instead of those in the table."""
    region_rule: Literal["face", "loops"] = option("face", ("face", "loops"), "A4")
    """No two spools in one region, or no two inside the same loops even in regions apart."""
    perimeter_limit: int | None = option(None, range(160, 1001), "9.1")
    """The longest string of a loop, the table being 240 wide; ``None`` for any length."""
    words_last: bool = option(False, (False, True), "A22")
    """Tags are clipped only after all loops and spools are placed."""
    shuffle_tag: bool = option(False, (False, True), "1")
    """There is one Shuffle tag in the box: when it comes up, all tags that are not on the table are
    shuffled.

    In a single round it changes nothing: no tag has been used before.
    """
    ban_scope: Literal["all", "spool"] = option("all", ("all", "spool"), "A6")
    """The tags whose words are forbidden: all on the table, or only those around the spool."""
    ban_match: Literal["word", "char"] = option("word", ("word", "char"), "A6")
    """A tag forbids its word, or every answer that shares a Chinese character or an English word
    with it.
    """
    two_player_extra: int = option(1, range(LINES + 1), "A9")
    """Blank lines that the second of two players may still fill after the first has stopped."""
    extra_seconds: int = option(60, range(301), "A9")
    """Seconds for these lines, 0 for no limit."""
    fuzzy_dup: Literal["ask", "off", "auto"] = option("ask", ("ask", "off", "auto"), "8")
    """Answers that may mean the same: the players vote, or they count as different, or as the same.

    Two players vote them different only if both say so, since each has half of the votes."""
    order: Literal["dup_first", "challenge_first"] = option(
        "dup_first", ("dup_first", "challenge_first"), "A10"
    )
    """Equal answers are struck before any challenge, or after the challenges they survive."""
    challenged_votes: bool = option(True, (False, True), "A7")
    """Whether the challenged player votes."""
    two_player_challenge: Literal["self_judge", "vote", "off"] = option(
        "self_judge", ("self_judge", "vote", "off"), "A7"
    )
    """With two players: the challenged keeps or withdraws the answer, or both vote, or there are no
    challenges.
    """
    vote_threshold: int = option(50, range(1, 101), "A8")
    """Percentage in favour with which an answer counts."""
    vote_of: Literal["players", "votes"] = option("players", ("players", "votes"), "A8")
    """The percentage is of the players who may vote, or of the votes cast."""
    explain_seconds: int = option(10, range(121), "6.4")
    """Seconds to explain a challenged answer before the table opens the vote, 0 for no limit.

    Without effect where the challenged decides alone: there is no vote."""
    answer_length: int = option(30, range(10, 81), "5.2")
    """Most characters in an answer."""


PRESETS: Mapping[str, Mapping[str, Any]] = {
    "standard": {},
    "timed": {"answer_time_limit": 180},
    "short": {"loops": 5, "answer_time_limit": 120},
    "rounds": {"rounds": 3, "loops": 4, "answer_time_limit": 90},
}
"""Ways to play, by name.  The short one suits a first round in class, the last a whole lesson."""


def setup_of(options: Options, players: int) -> Setup:
    """Return the loops and buttons for *players* under these options."""
    row = load_setups()[options.setup_table][players]
    buttons = row.buttons if options.buttons is None else options.buttons
    return Setup(options.loops or row.loops, tuple(sorted(buttons, reverse=True)))


def check_combination(options: Options, setup: Setup, tags: int) -> None:
    """Check that *options* make a game that can be played.

    :raises OptionError: if they do not, with the reason.
    """
    if tags < setup.loops:
        raise OptionError(GAME, "option.conflict.too_few_tags", loops=setup.loops, tags=tags)
