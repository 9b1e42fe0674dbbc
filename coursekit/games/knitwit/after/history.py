"""What happened in matches of Knit Wit: answers, clashes, challenges, stops, and what they are
worth.

Everything is read off the events; the rules are only asked what a loop is worth. A *sheet* holds
the answers of one player in one round, so that rounds and matches count alike.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from coursekit.core.errors import FileError
from coursekit.core.game import TABLE, Event, Seat
from coursekit.core.match import replay
from coursekit.files.record_sources import read_folder
from coursekit.games.knitwit.rules.game import KnitWit
from coursekit.games.knitwit.rules.lexicon import LINES
from coursekit.games.knitwit.rules.state import NOBODY
from coursekit.words.normalise import normalise

if TYPE_CHECKING:
    from coursekit.core.match import Match

COUNTED, CLASHED, REJECTED, UNDECIDED = "counted", "clashed", "rejected", "undecided"
"""Fates of an answer.  An answer that its writer withdrew is rejected, too."""


@dataclass(slots=True)
class Answer:
    """One answer that was turned up."""

    seat: Seat
    number: int  # of the spool
    loops: int  # around it
    worth: int  # points, if it counts
    text: str
    fate: str = UNDECIDED

    @property
    def form(self) -> str:
        """Its norm, by which answers are compared."""
        return normalise(self.text)

    @property
    def points(self) -> int:
        return self.worth if self.fate == COUNTED else 0


@dataclass(slots=True)
class Case:
    """A challenge or a doubt."""

    number: int
    seats: list[Seat]  # the writers
    by: Seat  # the challenger, NOBODY for a doubt
    verdict: str = (
        ""  # "upheld", "rejected", "keep", "withdraw", "different" or "same"; "" while it is open
    )
    yes: int = 0  # votes in favour of the answers
    no: int = 0


@dataclass(slots=True)
class Round:
    """One design, from the first loop to the buttons."""

    number: int
    starter: Seat
    players: int
    loops: dict[int, int] = field(default_factory=dict)  # spool turned up -> loops around it
    worth: dict[int, int] = field(
        default_factory=dict
    )  # spool turned up -> points for an answer that counts
    timed_out: bool = False  # whether time ended the writing
    answers: list[Answer] = field(default_factory=list)
    cases: list[Case] = field(default_factory=list)
    clashes: list[tuple[int, list[Seat]]] = field(
        default_factory=list
    )  # equal answers: number, seats
    stops: list[tuple[Seat, int]] = field(
        default_factory=list
    )  # in order: seat, holes of its button or 0
    ended: bool = False

    def sheet(self, seat: Seat) -> list[Answer]:
        """Return the answers of *seat*."""
        return [each for each in self.answers if each.seat == seat]

    def holes(self, seat: Seat) -> int:
        """Return the points of the button of *seat*."""
        return sum(holes for who, holes in self.stops if who == seat)


def rounds(match: "Match") -> list[Round]:
    """Return the rounds of *match*, finished or running, in order."""
    found: list[Round] = []
    around = _around(match)
    for event in (event for events in [match.opening, *match.events] for event in events):
        if event.text == "round":
            found.append(Round(event.values["round"], event.values["seat"], match.game.players))
        else:
            _told(found[-1], event, around)
    return found


def _around(match: "Match") -> dict[tuple[int, int], int]:
    """Return, by round and spool, the loops around it, where the points told are another number;
    else ``{}``.
    """
    found: dict[tuple[int, int], int] = {}

    def look(now: "Match", seat: Seat = TABLE, action: Any = None) -> None:
        for (number, _, _), loops in zip(now.state.spools, now.state.around):
            found[now.state.round, number] = len(loops)

    assert isinstance(match.game, KnitWit)
    if any(match.game.worth(loops) != loops for loops in range(1, LINES + 1)):
        replay(match.record(), game=match.game, watch=look)
        look(match)
    return found


def _told(now: Round, event: Event, around: Mapping[tuple[int, int], int]) -> None:
    """Add to the round what *event* tells."""
    kind, _, verdict = event.text.partition(".")
    values = event.values
    if kind in ("stop", "done"):
        now.stops.append((values["seat"], values.get("holes", 0)))
    elif kind == "reveal":
        now.worth[values["number"]] = values["points"]
        now.loops[values["number"]] = around.get((now.number, values["number"]), values["points"])
    elif kind == "answer":
        number = max(now.loops)
        now.answers.append(
            Answer(values["seat"], number, now.loops[number], now.worth[number], values["answer"])
        )
    elif kind == "clash":
        now.clashes.append((max(now.loops), values["seats"]))
        _decide(now, values["seats"], CLASHED)
    elif kind in ("challenge", "vote_same"):
        seats, by = (
            ([values["other"]], values["seat"])
            if kind == "challenge"
            else (values["seats"], NOBODY)
        )
        now.cases.append(Case(max(now.loops), list(seats), by))
    elif kind in ("keep", "withdraw", "closed"):
        case = now.cases[-1]
        case.verdict, case.yes, case.no = verdict or kind, values.get("yes", 0), values.get("no", 0)
        if case.verdict in ("rejected", "withdraw", "same"):
            _decide(now, case.seats, CLASHED if case.verdict == "same" else REJECTED)
    elif event.text == "score.line":
        for each in now.answers:
            if each.number == values["number"] and each.seat in values["seats"]:
                each.fate = COUNTED
    elif kind == "time":
        now.timed_out = True
    elif kind in ("total", "over"):
        now.ended = True


def _decide(now: Round, seats: Sequence[Seat], fate: str) -> None:
    """Set the *fate* of the undecided answers of *seats* to the open number."""
    for each in now.answers:
        if each.number == max(now.loops) and each.seat in seats and each.fate == UNDECIDED:
            each.fate = fate


# A class: many sheets


class Sheet(NamedTuple):
    """The answers of one player in one round, all turned up."""

    match: int  # place among the matches
    round: int
    seat: Seat
    lines: int  # in play
    answers: tuple[Answer, ...]

    @property
    def fluency(self) -> int:
        """Number of answers that counted."""
        return sum(each.fate == COUNTED for each in self.answers)


def sheets(matches: Iterable["Match"]) -> list[Sheet]:
    """Return the sheets of all finished rounds of *matches*."""
    found = []
    for place, match in enumerate(matches):
        for each in rounds(match):
            if each.ended:
                found += [
                    Sheet(place, each.number, seat, len(each.loops), tuple(each.sheet(seat)))
                    for seat in match.game.seats
                ]
    return found


def common(written: Iterable[Sheet]) -> Counter[str]:
    """Return the number of sheets with each answer, by its :attr:`Answer.form`."""
    return Counter(
        form for sheet in written for form in sorted({each.form for each in sheet.answers})
    )


def originality(written: Sequence[Sheet]) -> list[float | None]:
    """Return for each sheet the percentage of its answers that no other sheet has, ``None`` for an
    empty sheet.
    """
    count = common(written)
    found: list[float | None] = []
    for sheet in written:
        forms = {each.form for each in sheet.answers}
        found.append(100 * sum(count[form] == 1 for form in forms) / len(forms) if forms else None)
    return found


class Level(NamedTuple):
    """All lines whose spools lie inside the same number of loops."""

    loops: int
    lines: int  # of all sheets
    written: int
    counted: int
    scored: int  # points of all that counted

    @property
    def share(self) -> float:
        """Percentage of the lines whose answer counted."""
        return 100 * self.counted / self.lines

    @property
    def points(self) -> float:
        """Points for a line, on average."""
        return self.scored / self.lines


def by_loops(matches: Iterable["Match"]) -> list[Level]:
    """Return the lines of finished rounds by the number of loops around their spools."""
    lines, written, counted, scored = Counter[int](), Counter[int](), Counter[int](), Counter[int]()
    for each in (each for match in matches for each in rounds(match) if each.ended):
        for loops in each.loops.values():
            lines[loops] += each.players
        for answer in each.answers:
            written[answer.loops] += 1
            counted[answer.loops] += answer.fate == COUNTED
            scored[answer.loops] += answer.points
    return [
        Level(loops, lines[loops], written[loops], counted[loops], scored[loops])
        for loops in sorted(lines)
    ]


# Records that a class has saved


def saved(folder: str | Path, language: str = "en") -> list["Match"]:
    """Return the matches in the record files (``*.json``) of a *folder*, in the order of their
    names.

    It prints a sentence for each file that cannot be used.

    :param language: of these sentences.
    :raises FileError: if no file is a record of Knit Wit, naming the first, or the folder if it has
        no files.
    """
    try:
        found = read_folder(folder, "knitwit")
        if not found.matches:
            raise found.refused[0]
    except FileError as error:
        error.tell(language)
        raise
    for refused in found.refused:
        print(refused.sentence(language))
    return list(found.matches)
