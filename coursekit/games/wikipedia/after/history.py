"""What happened in a match of 維基百科 vs 書籍, round by round, and statistics made from it.

Everything is read off the events of the match; the rules are not asked again.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from coursekit.core.game import TABLE, Event, Seat
from coursekit.core.match import replay
from coursekit.games.wikipedia.rules.cards import STUDENT, USE, VANDAL, WIKI, WORKS
from coursekit.games.wikipedia.rules.state import NOBODY

if TYPE_CHECKING:
    from coursekit.core.match import Match

RIGHT, MENDED, LEFT, STANDSTILL, LIMIT = "right", "mended", "left", "standstill", "limit"
"""How a round ends: the use scores at once, is mended, or is left wrong; or there is no scoring at
all.
"""


@dataclass(slots=True)
class Vandalism:
    """One VANDAL card and its fate."""

    by: Seat
    turn: int  # of the round, 1-based
    laps: float | None = None  # until it was gone, None if it stayed
    cured_by: Seat = NOBODY  # NOBODY if a use was given up, or the table took it away
    role: str = ""  # of that seat


@dataclass(slots=True)
class Round:
    """One 局: from the first turn without a work to the scoring."""

    number: int
    starter: Seat
    points: list[int]  # of each seat in this round
    roles: list[str]  # of each seat
    as_author: list[int]  # of the points of each seat, those for having written the work
    work: str = ""
    author: Seat = NOBODY
    written: int = 0  # the turn in which it was
    uses: list[tuple[Seat, int]] = field(default_factory=list)  # USE cards: seat, turn
    vandalisms: list[Vandalism] = field(default_factory=list)
    given_up: list[tuple[Seat, int]] = field(default_factory=list)  # uses: seat, turn
    turns: int = 0  # so far
    user: Seat = NOBODY  # the seat that threw the die
    die: int = 0
    wrong: bool = False  # whether the die went wrong
    ended: str = ""  # RIGHT, MENDED, LEFT, STANDSTILL, LIMIT; "" while it runs


def rounds(match: "Match") -> list[Round]:
    """Return the rounds of *match*, finished or running, in order."""
    found: list[Round] = []
    last, players = TABLE, match.game.players
    totals = [0] * players
    actors = [TABLE, *(seat for seat, _ in match.log)]
    for seat, events in zip(actors, [match.opening, *match.events], strict=True):
        if seat not in (TABLE, last):
            found[-1].turns += 1
        last = seat
        for event in events:
            if event.text == "round":
                last = TABLE  # so that the starter's first turn counts in any case
                number, starter = event.values["round"], event.values["seat"]
                found.append(
                    Round(number, starter, [0] * players, [STUDENT] * players, [0] * players)
                )
            elif found:
                _told(found[-1], event, players)
            if event.text in ("score.user", "score.author"):
                seat, total = event.values["seat"], event.values["total"]
                gained, totals[seat] = total - totals[seat], total
                found[-1].points[seat] += gained
                found[-1].as_author[seat] += gained if event.text == "score.author" else 0
    return found


def _told(now: Round, event: Event, players: int) -> None:
    """Add to the round what *event* tells."""
    kind, _, which = event.text.partition(".")
    seat: Seat = event.values.get("seat", NOBODY)
    if kind == "roles":
        for each in event.values["seats"]:
            now.roles[each] = which
    elif kind in WORKS:
        now.work, now.author, now.written = kind, seat, now.turns
    elif kind == USE:
        now.uses.append((seat, now.turns))
    elif kind == VANDAL:
        now.vandalisms.append(Vandalism(seat, now.turns))
    elif kind in ("cure", "give_up") or event.text == "guard.vandal":
        gone = now.vandalisms[-1]
        gone.laps = (now.turns - gone.turn) / players
        if kind == "cure":
            gone.cured_by, gone.role = seat, which
        elif kind == "give_up":
            now.given_up.append((seat, now.turns))
    elif kind == "roll":
        now.user, now.die = seat, event.values["die"]
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


class Decided(NamedTuple):
    """One decision: what could be done, and what was done."""

    round: int
    phase: str
    seat: Seat
    legal: tuple[str, ...]
    action: str


def choices(match: "Match", seats: Sequence[Seat]) -> list[Decided]:
    """Return the decisions of *seats*, in order.  The legal actions tell what they held."""
    found: list[Decided] = []

    def watch(now: "Match", seat: Seat, action: str) -> None:
        if seat in seats:
            seen = now.game.observe(now.state, seat)
            found.append(Decided(seen.round, seen.phase, seat, seen.legal, action))

    replay(match.record(), game=match.game, watch=watch)
    return found


# Statistics for arena.duplicate


def length(match: "Match") -> dict[str, list[float]]:
    """Return the rounds and laps that the match took, the same for every seat."""
    n = match.game.players
    played = rounds(match)
    return {
        "rounds": [float(len(played))] * n,
        "laps": [sum(each.turns for each in played) / n] * n,
    }


def vandalism(match: "Match") -> dict[str, list[float]]:
    """Return the percentage of Wikipedia works that each seat vandalised, and how long all of them
    lay spoilt.

    The time is in laps per Wikipedia work, 0 for an untouched one, so that it can be averaged over
    matches.
    """
    works = [each for each in rounds(match) if each.work == WIKI]
    laps = sum(each.laps or 0 for work in works for each in work.vandalisms)
    by_seat = [
        sum(any(each.by == seat for each in work.vandalisms) for work in works)
        for seat in match.game.seats
    ]
    many = max(1, len(works))
    return {
        "vandalised": [100 * count / many for count in by_seat],
        "spoilt": [laps / many] * match.game.players,
    }


def uses(match: "Match") -> dict[str, list[float]]:
    """Return the percentage of USE cards of each seat that scored, 0 for a seat that played none."""
    played, scored = [0] * match.game.players, [0] * match.game.players
    for each in rounds(match):
        for seat, _ in each.uses:
            played[seat] += 1
        if each.ended in (RIGHT, MENDED):
            scored[each.user] += 1
    return {
        "uses_scored": [
            100 * good / max(1, all_of_them) for good, all_of_them in zip(scored, played)
        ]
    }


def cured(played: Sequence[Round]) -> Iterator[Vandalism]:
    """Yield every vandalism that was cured."""
    yield from (each for one in played for each in one.vandalisms if each.cured_by != NOBODY)
