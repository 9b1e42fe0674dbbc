"""What there is at a table of Knit Wit, and what one seat may know of it."""

from dataclasses import dataclass
from typing import Any

from coursekit.core.game import FreeInput, Seat, Seen

NOBODY: Seat = -1
NO_TAG = -1  # of a loop whose word is still to be drawn
SHUFFLE = -2  # the Shuffle tag in the deck
OPEN, STRUCK, REJECTED, UPHELD = range(4)
"""What has become of an answer: nothing yet, the same as another, voted out, voted in."""

Action = Any
"""A word such as "stop" or "next", or a tuple: see :mod:`coursekit.games.knitwit.rules.game`."""


@dataclass(slots=True)
class State:
    """Everything, hidden things included.  A line of a sheet is the spool's number less one."""

    phase: str  # "loop", "spool", "ready", "write", "reveal", "defend", "judge", "vote", "total" or "over"
    round: int  # 1-based
    starter: Seat
    turn: Seat
    loops: list[list[list[int]]]  # corners of each, in the order in which they were laid
    pins: list[list[int]]  # of each loop
    owners: list[Seat]  # of each loop
    tags: list[int]  # of each loop, or NO_TAG
    spools: list[list[int]]  # [number, x, y] in the order in which they were put down
    around: list[list[int]]  # the loops around each of those spools
    hands: list[list[int]]  # numbers of the spools that each seat still has, and as many loops
    deck: list[int]  # tags face down, the next last
    used: list[int]  # tags of earlier rounds
    sheets: list[list[str]]  # answers by seat and line, "" for none
    writes: list[list[int]]  # how often each line was written
    locked: list[int]  # 1 for each seat that may write no more
    buttons: list[int]  # holes of those in the stack, the top last
    taken: list[int]  # holes of the button that each seat has taken, 0 for none
    extra: int  # of two players: lines that the other may still fill; -1 while both write
    shown: int  # numbers turned up so far
    compared: int  # 1 once the answers to the last of them have been compared
    verdicts: list[list[int]]  # by seat and line
    doubts: list[list[Seat]]  # whose answers may be the same, still to be voted about
    case: list[Seat]  # whose answers are talked or voted about
    challenger: Seat  # who challenged, NOBODY if they may be the same
    votes: list[int]  # of each seat: 1 in favour, 0 against, -1 not yet
    tally: list[int]  # votes for and against of the last vote about this number, [] before
    points: list[int]
    won: list[Seat]


@dataclass(slots=True)
class Observation(Seen):
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
    deck: int  # how many, the Shuffle tag included
    used: tuple[int, ...]
    sheet: tuple[str, ...]  # the own one, () for a spectator
    writes: tuple[int, ...]  # of the own lines
    locked: tuple[int, ...]
    buttons: tuple[int, ...]
    taken: tuple[int, ...]
    extra: int  # -1 also if it is somebody else's
    shown: int
    compared: int
    answers: tuple[tuple[str, ...], ...]  # by seat and line, "" for those that are not turned up yet
    verdicts: tuple[tuple[int, ...], ...]
    doubts: tuple[tuple[Seat, ...], ...]
    case: tuple[Seat, ...]
    challenger: Seat
    voted: tuple[int, ...]  # 1 for each seat that has
    vote: int  # the own one
    tally: tuple[int, ...]
    points: tuple[int, ...]
    won: tuple[Seat, ...]  # () while the match runs

    @property
    def number(self) -> int:
        """The number whose answers lie open, 0 if none do."""
        return self.numbers[self.shown - 1] if self.shown else 0

    def words(self, number: int) -> tuple[int, ...]:
        """Return the tags that an answer to *number* has to fit."""
        place = next(n for n, spool in enumerate(self.spools) if spool[0] == number)
        return tuple(self.tags[loop] for loop in self.around[place])


def of_the_table(moment: State | Observation) -> str:
    """Return what the table may do when it has something to decide: it is always one thing."""
    if moment.phase == "reveal" and moment.shown and not moment.compared:
        return "compare"
    if moment.phase == "defend" or (moment.phase == "reveal" and moment.doubts):
        return "vote"
    return {"write": "time", "vote": "close"}.get(moment.phase, "next")
