"""What happened in a match of 維基百科 vs 書籍, round by round, and statistics made from it.

Everything is read off the events of the match; the rules are not asked again.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from coursekit.core.game import TABLE, Event, Seat
from coursekit.core.match import replay
from coursekit.games.wikipedia.rules.cards import STUDENT, USE, VANDAL, WIKI, WORKS
from coursekit.games.wikipedia.rules.state import NOBODY, Observation

if TYPE_CHECKING:
    from coursekit.core.match import Match

RIGHT, MENDED, LEFT, STANDSTILL, LIMIT = "right", "mended", "left", "standstill", "limit"
"""How a round ends: the use scores at once, is mended, or is left wrong; or nothing is scored."""
CURED, GIVEN_UP, TAKEN_AWAY, STILL = FATES = "cured", "given_up", "taken_away", "still"
"""What became of vandalism: it was cured, a use of the work was given up, the table took it, it lay
to the end.
"""


@dataclass(slots=True)
class Vandalism:
    """One VANDAL card and its fate."""

    by: Seat
    turn: int  # of the round, 1-based
    against_use: bool = False  # whether a player was about to use the work
    fate: str = STILL
    laps: float | None = None  # until it was gone, None if it stayed
    cured_by: Seat = NOBODY  # NOBODY unless it was cured
    role: str = ""  # of that seat


@dataclass(slots=True)
class Use:
    """One USE card."""

    seat: Seat
    turn: int  # of the round, 1-based
    cures: int = 0  # of this work before
    spoilt: bool = False  # whether the work was vandalised afterwards
    given_up: bool = False
    entry: int = field(default=-1, compare=False)  # of the log


@dataclass(slots=True)
class Round:
    """One 局: from the first turn without a work to the scoring."""

    number: int
    starter: Seat
    points: list[int]  # by seat in this round
    roles: list[str]  # by seat
    as_author: list[int]  # by seat, of the points those for having written the work
    work: str = ""
    author: Seat = NOBODY
    written: int = 0  # the turn in which it was
    uses: list[Use] = field(default_factory=list)
    vandalisms: list[Vandalism] = field(default_factory=list)
    turns: int = 0  # so far
    user: Seat = NOBODY  # the seat that threw the die
    die: int = 0
    wrong: bool = False  # whether the die went wrong
    ended: str = ""  # RIGHT, MENDED, LEFT, STANDSTILL, LIMIT; "" while it runs

    @property
    def scored(self) -> bool:
        """Whether the use of the work scored."""
        return self.ended in (RIGHT, MENDED)

    @property
    def given_up(self) -> list[Seat]:
        """Who gave up a use."""
        return [use.seat for use in self.uses if use.given_up]

    def ending(self, use: Use) -> str:
        """Return RIGHT, MENDED, LEFT or GIVEN_UP; "" while it is open, or without a throw."""
        if use.given_up:
            return GIVEN_UP
        return self.ended if use is self.uses[-1] and self.die else ""

    def laps(self, spoilt: Vandalism) -> float:
        """Return the laps that the work lay vandalised so far."""
        if spoilt.laps is None:
            return (self.turns - spoilt.turn) / len(self.roles)
        return spoilt.laps


def read_rounds(match: "Match") -> list[Round]:
    """Return the rounds of *match*, finished or running, in order."""
    rounds: list[Round] = []
    players = match.game.players
    totals = [0] * players
    last = TABLE
    actors = [TABLE, *(seat for seat, _ in match.log)]
    for entry, (actor, events) in enumerate(zip(actors, [match.opening, *match.events]), -1):
        if actor not in (TABLE, last):
            rounds[-1].turns += 1
        last = actor
        for event in events:
            values = event.values
            if event.text == "round":
                last = TABLE  # so that the starter's first turn counts in any case
                none = [0] * players
                roles = [STUDENT] * players
                rounds.append(Round(values["round"], values["seat"], none, roles, none[:]))
            elif event.text in ("score.user", "score.author"):
                seat, total = values["seat"], values["total"]
                rounds[-1].points[seat] += total - totals[seat]
                if event.text == "score.author":
                    rounds[-1].as_author[seat] += total - totals[seat]
                totals[seat] = total
            elif rounds:
                _add_event(rounds[-1], event, entry)
    return rounds


def _add_event(now: Round, event: Event, entry: int) -> None:
    """Add to the round what *event* of an *entry* of the log tells."""
    kind, _, which = event.text.partition(".")
    seat: Seat = event.values.get("seat", NOBODY)
    in_use = bool(now.uses) and not now.uses[-1].given_up
    if kind == "roles":
        for student in event.values["seats"]:
            now.roles[student] = which
    elif kind in WORKS:
        now.work = kind
        now.author = seat
        now.written = now.turns
    elif kind == USE:
        cures = sum(spoilt.fate == CURED for spoilt in now.vandalisms)
        now.uses.append(Use(seat, now.turns, cures, entry=entry))
    elif kind == VANDAL:
        now.vandalisms.append(Vandalism(seat, now.turns, in_use))
        if in_use:
            now.uses[-1].spoilt = True
    elif kind == "cure":
        spoilt = _end_vandalism(now, CURED)
        spoilt.cured_by = seat
        spoilt.role = which
    elif kind == "give_up":
        _end_vandalism(now, GIVEN_UP)
        now.uses[-1].given_up = True
    elif event.text == "guard.vandal":
        _end_vandalism(now, TAKEN_AWAY)
    elif kind == "roll":
        now.user = seat
        now.die = event.values["die"]
    elif kind == "wrong":
        now.wrong = True
    elif kind in (RIGHT, LEFT):
        now.ended = kind
    elif kind == "repair":
        now.ended = MENDED
    elif event.text == "guard.round":
        now.ended = STANDSTILL
    elif event.text in ("over.limit", "over.slow"):
        now.ended = now.ended or LIMIT


def _end_vandalism(now: Round, fate: str) -> Vandalism:
    spoilt = now.vandalisms[-1]
    spoilt.fate = fate
    spoilt.laps = (now.turns - spoilt.turn) / len(now.roles)
    return spoilt


class Decision(NamedTuple):
    """One decision: what its seat knew and could do, and what it did."""

    seat: Seat
    seen: Observation
    action: str


def read_decisions(
    match: "Match",
    seats: Sequence[Seat],
    counts: Callable[[Seat, int], bool] = lambda seat, entry: True,
) -> list[Decision]:
    """Return the decisions of *seats*, in order.

    :param counts: whether the decision of a seat at an entry of the log counts.
    """
    decisions: list[Decision] = []

    def watch(now: "Match", seat: Seat, action: str) -> None:
        if seat in seats and counts(seat, len(now.log)):
            decisions.append(Decision(seat, now.game.observe(now.state, seat), action))

    replay(match.record(), game=match.game, watch=watch)
    return decisions


def find_cured(rounds: Sequence[Round]) -> list[Vandalism]:
    """Return every vandalism that was cured."""
    return [spoilt for now in rounds for spoilt in now.vandalisms if spoilt.fate == CURED]


def count_sources(rounds: Sequence[Round], seat: Seat) -> dict[str, int]:
    """Return where the points of *seat* came from: uses of either work, or having written one."""
    gained = dict.fromkeys(("wiki", "wiki_mended", "book", "book_mended", "written"), 0)
    for now in rounds:
        used = now.points[seat] - now.as_author[seat]
        if used:
            gained[now.work + ("_mended" if now.ended == MENDED else "")] += used
        gained["written"] += now.as_author[seat]
    return gained


# Statistics for arena.duplicate


def length(match: "Match") -> dict[str, list[float]]:
    """Return the rounds and laps that the match took, the same for every seat."""
    n = match.game.players
    rounds = read_rounds(match)
    laps = sum(now.turns for now in rounds) / n
    return {"rounds": [float(len(rounds))] * n, "laps": [laps] * n}


def vandalism(match: "Match") -> dict[str, list[float]]:
    """Return the percentage of Wikipedia works that a seat vandalised, and how long all lay spoilt.

    The time is in laps per Wikipedia work, 0 for an untouched one, so that it can be averaged over
    matches.
    """
    works = [now for now in read_rounds(match) if now.work == WIKI]
    many = max(1, len(works))
    laps = 0.0
    touched = [0] * match.game.players
    for now in works:
        laps += sum(spoilt.laps or 0 for spoilt in now.vandalisms)
        for seat in {spoilt.by for spoilt in now.vandalisms}:
            touched[seat] += 1
    return {
        "vandalised": [100 * count / many for count in touched],
        "spoilt": [laps / many] * match.game.players,
    }


def uses(match: "Match") -> dict[str, list[float]]:
    """Return the percentage of a seat's USE cards that scored, 0 if it played none."""
    played = [0] * match.game.players
    scored = [0] * match.game.players
    for now in read_rounds(match):
        for use in now.uses:
            played[use.seat] += 1
        if now.scored:
            scored[now.user] += 1
    return {"uses_scored": [100 * good / max(1, n) for good, n in zip(scored, played)]}
