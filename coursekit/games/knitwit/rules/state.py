"""The state of a match of Knit Wit, and what one seat may know of it."""

from dataclasses import dataclass, field
from typing import Any

from coursekit.core.game import CommonObservation, FreeInput, Seat

NOBODY: Seat = -1
NO_TAG = -1
"""The tag of a loop whose word is not drawn yet."""
SHUFFLE = -2
"""The Shuffle tag in the deck."""
NOT_VOTED = -1
"""The vote of a seat that has not voted."""
NO_LIMIT = -1
"""Lines that may still be filled before the last button of two players is gone: any."""
OPEN, STRUCK, REJECTED, UPHELD = range(4)
"""Verdicts on an answer: none yet, the same as another, voted out, voted in."""

Action = Any
"""A word such as "stop" or "next", or a tuple: see :mod:`coursekit.games.knitwit.rules.game`."""


@dataclass(slots=True, kw_only=True)
class State:
    """Everything, hidden things included. Line ``n`` of a pad is that of spool ``n + 1``.

    What lies on the table is kept in tuples, which an observation can hold as they are.
    """

    # "loop", "spool", "ready", "write", "reveal", "defend", "judge", "vote", "total" or "over"
    phase: str = "loop"
    round: int = 0  # 1-based
    starter: Seat = 0
    turn: Seat = 0
    loops: tuple[tuple[tuple[int, int], ...], ...] = ()  # the corners of each, as they were laid
    pins: tuple[tuple[int, int], ...] = ()  # of each loop
    owners: tuple[Seat, ...] = ()  # of each loop
    tags: tuple[int, ...] = ()  # of each loop, or NO_TAG
    spools: tuple[tuple[int, int, int], ...] = ()  # (number, x, y) in the order of placing
    around: tuple[tuple[int, ...], ...] = ()  # the loops around each of those spools
    hands: list[list[int]]  # by seat, the numbers of its spools; it has as many loops
    deck: list[int]  # tags face down, the next last
    used: list[int] = field(default_factory=list)  # tags of earlier rounds
    sheets: list[list[str]] = field(default_factory=list)  # the pads: by seat and line, or ""
    writes: list[list[int]] = field(default_factory=list)  # by seat and line, how often written
    locked: list[int] = field(default_factory=list)  # 1 for a seat that has stopped
    buttons: list[int] = field(default_factory=list)  # the holes of each, the top last
    taken: list[int] = field(default_factory=list)  # by seat, the holes of its button, 0 for none
    extra: int = NO_LIMIT  # blank lines that the second of two players may still fill
    shown: int = 0  # numbers turned up so far
    compared: int = 0  # 1 once the answers to the number turned up last are compared
    verdicts: list[list[int]] = field(default_factory=list)  # by seat and line
    # Groups of seats whose answers may be the same, not voted about yet
    doubts: list[list[Seat]] = field(default_factory=list)
    # The seats whose answers are discussed or voted about
    case: list[Seat] = field(default_factory=list)
    challenger: Seat = NOBODY  # NOBODY in a vote about a doubt
    votes: list[int]  # by seat: 1 in favour, 0 against, NOT_VOTED
    # [for, against] of the last vote about this number, [] before it
    tally: list[int] = field(default_factory=list)
    points: list[int]
    won: list[Seat] = field(default_factory=list)


@dataclass(slots=True, repr=False)
class Observation(CommonObservation):
    """What one seat may know; fields as in :class:`State` unless noted."""

    legal: tuple[Action, ...] | FreeInput
    round: int
    starter: Seat
    turn: Seat
    numbers: tuple[int, ...]  # of all spools in play
    loops: tuple[tuple[tuple[int, int], ...], ...]
    pins: tuple[tuple[int, int], ...]
    owners: tuple[Seat, ...]
    tags: tuple[int, ...]
    spools: tuple[tuple[int, int, int], ...]
    around: tuple[tuple[int, ...], ...]  # the loops around each spool
    hands: tuple[tuple[int, ...], ...]
    deck: int  # number of tags, the Shuffle tag included
    used: tuple[int, ...]
    sheet: tuple[str, ...]  # this seat's, () for a spectator
    writes: tuple[int, ...]  # of this seat's lines
    locked: tuple[int, ...]
    buttons: tuple[int, ...]
    taken: tuple[int, ...]
    extra: int  # NO_LIMIT also for the other seat
    shown: int
    compared: int
    answers: tuple[tuple[str, ...], ...]  # by seat and line, "" until turned up
    verdicts: tuple[tuple[int, ...], ...]
    doubts: tuple[tuple[Seat, ...], ...]
    case: tuple[Seat, ...]
    challenger: Seat
    voted: tuple[int, ...]  # 1 for a seat that has voted
    vote: int  # this seat's
    tally: tuple[int, ...]
    points: tuple[int, ...]
    won: tuple[Seat, ...]  # () while the match runs

    @property
    def number(self) -> int:
        """The number whose answers lie open, 0 for none."""
        return self.numbers[self.shown - 1] if self.shown else 0

    def words(self, number: int) -> tuple[int, ...]:
        """Return the tags that an answer to *number* must fit."""
        return tuple([self.tags[loop] for loop in loops_around(self, number)])


PUBLIC = (
    *("phase", "round", "starter", "turn", "shown", "compared", "challenger"),
    *("loops", "pins", "owners", "tags", "spools", "around"),
)
"""The fields that everybody sees as they are."""
PUBLIC_LISTS = ("used", "locked", "buttons", "taken", "case", "tally", "points", "won")
"""The lists that everybody sees; they are tuples in an observation."""
PUBLIC_TABLES = ("hands", "verdicts", "doubts")
"""The lists of lists that everybody sees."""


def loops_around(moment: State | Observation, number: int) -> tuple[int, ...]:
    """Return the loops around the spool *number*."""
    for spool, loops in zip(moment.spools, moment.around):  # twice as fast as a list of numbers
        if spool[0] == number:
            return loops
    raise ValueError(f"there is no spool {number}")


def table_action(moment: State | Observation) -> str:
    """Return the one action that the table has when it must act."""
    if moment.phase == "reveal" and moment.shown and not moment.compared:
        return "compare"
    if moment.phase == "defend" or (moment.phase == "reveal" and moment.doubts):
        return "vote"
    return {"write": "time", "vote": "close"}.get(moment.phase, "next")
