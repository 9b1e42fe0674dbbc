"""What happened in matches of Knit Wit: answers, clashes, challenges, stops, and what they are worth.

Everything is read off the events; the rules are not asked again.  A *sheet* holds the answers of one player in one
round, so that rounds and matches count alike.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from coursekit.core.errors import FileError
from coursekit.core.game import Event, Seat
from coursekit.files.records import in_folder
from coursekit.games.knitwit.rules.state import NOBODY
from coursekit.words.normalise import norm

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
    text: str
    fate: str = UNDECIDED

    @property
    def form(self) -> str:
        """Its norm, by which answers are compared."""
        return norm(self.text)

    @property
    def points(self) -> int:
        return self.loops if self.fate == COUNTED else 0


@dataclass(slots=True)
class Case:
    """A challenge or a doubt."""

    number: int
    seats: list[Seat]  # the writers
    by: Seat  # the challenger, NOBODY for a doubt
    verdict: str = ""  # "upheld", "rejected", "keep", "withdraw", "different" or "same"; "" while it is open
    yes: int = 0  # votes in favour of the answers
    no: int = 0


@dataclass(slots=True)
class Round:
    """One design, from the first loop to the buttons."""

    number: int
    starter: Seat
    players: int
    loops: dict[int, int] = field(default_factory=dict)  # spool turned up -> loops around it
    answers: list[Answer] = field(default_factory=list)
    cases: list[Case] = field(default_factory=list)
    clashes: list[tuple[int, list[Seat]]] = field(default_factory=list)  # equal answers: number, seats
    stops: list[tuple[Seat, int]] = field(default_factory=list)  # in order: seat, holes of its button or 0
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
    for event in (event for events in [match.opening, *match.events] for event in events):
        if event.text == "round":
            found.append(Round(event.values["round"], event.values["seat"], match.game.players))
        else:
            _told(found[-1], event)
    return found


def _told(now: Round, event: Event) -> None:
    """Add to the round what *event* tells."""
    kind, _, verdict = event.text.partition(".")
    values = event.values
    if kind in ("stop", "done"):
        now.stops.append((values["seat"], values.get("holes", 0)))
    elif kind == "reveal":
        now.loops[values["number"]] = values["points"]
    elif kind == "answer":
        number = max(now.loops)
        now.answers.append(Answer(values["seat"], number, now.loops[number], values["answer"]))
    elif kind == "clash":
        now.clashes.append((max(now.loops), values["seats"]))
        _decide(now, values["seats"], CLASHED)
    elif kind in ("challenge", "vote_same"):
        seats, by = ([values["other"]], values["seat"]) if kind == "challenge" else (values["seats"], NOBODY)
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
                found += [Sheet(place, each.number, seat, len(each.loops), tuple(each.sheet(seat)))
                          for seat in match.game.seats]  # fmt: skip
    return found


def common(written: Iterable[Sheet]) -> Counter[str]:
    """Return the number of sheets with each answer, by its :attr:`Answer.form`."""
    return Counter(form for sheet in written for form in sorted({each.form for each in sheet.answers}))


def originality(written: Sequence[Sheet]) -> list[float | None]:
    """Return for each sheet the percentage of its answers that no other sheet has, ``None`` for an empty sheet."""
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

    @property
    def share(self) -> float:
        """Percentage of the lines whose answer counted."""
        return 100 * self.counted / self.lines

    @property
    def points(self) -> float:
        """Points for a line, on average."""
        return self.loops * self.counted / self.lines


def by_loops(matches: Iterable["Match"]) -> list[Level]:
    """Return the lines of finished rounds by the number of loops around their spools."""
    lines, written, counted = Counter[int](), Counter[int](), Counter[int]()
    for each in (each for match in matches for each in rounds(match) if each.ended):
        for loops in each.loops.values():
            lines[loops] += each.players
        for answer in each.answers:
            written[answer.loops] += 1
            counted[answer.loops] += answer.fate == COUNTED
    return [Level(loops, lines[loops], written[loops], counted[loops]) for loops in sorted(lines)]


# Records that a class has saved


def saved(folder: str | Path, language: str = "en") -> list["Match"]:
    """Return the matches in the record files (``*.json``) of a *folder*, in the order of their names.

    It prints a sentence for each file that cannot be used.

    :param language: of these sentences.
    :raises FileError: if no file is a record of Knit Wit, naming the first, or the folder if it has no files.
    """
    try:
        found = in_folder(folder, "knitwit")
        if not found.matches:
            raise found.refused[0]
    except FileError as error:
        error.tell(language)
        raise
    for refused in found.refused:
        print(refused.sentence(language))
    return list(found.matches)
