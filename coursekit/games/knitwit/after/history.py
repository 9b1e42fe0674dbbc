"""The history of matches of Knit Wit, read once: answers, clashes, challenges, stops, and points.

Everything is read from the events; the state only says what the design of a round looked like. A
*pad* holds the answers of one player in one round, so that rounds and matches count alike.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from coursekit.core.game import Event, Seat
from coursekit.core.match import replay
from coursekit.games.knitwit.rules.game import KnitWit
from coursekit.games.knitwit.rules.state import NOBODY, Observation, loops_around
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
    seats: Sequence[Seat]  # the writers
    challenger: Seat  # NOBODY for a doubt
    # "upheld", "rejected", "keep", "withdraw", "different" or "same"; "" while it is open
    verdict: str = ""
    yes: int = 0  # votes in favour of the answers
    no: int = 0


@dataclass
class Round:
    """One design, from the first loop to the buttons."""

    match: "Match" = field(repr=False)
    place: int  # of the match among several
    number: int
    starter: Seat
    begin: int = 0  # entries of the log before it
    end: int | None = None  # entries of the log before the next round, None for the last round
    events: list[Event] = field(default_factory=list, repr=False)
    loops: dict[int, int] = field(default_factory=dict)  # spool turned up -> loops around it
    worth: dict[int, int] = field(default_factory=dict)  # spool turned up -> points for an answer
    answers: list[Answer] = field(default_factory=list)
    cases: list[Case] = field(default_factory=list)
    clashes: list[tuple[int, Sequence[Seat]]] = field(default_factory=list)  # (number, seats)
    stops: list[tuple[Seat, int]] = field(default_factory=list)  # in order: (seat, holes or 0)
    has_timed_out: bool = False  # time ended the writing
    is_over: bool = False

    @property
    def game(self) -> KnitWit:
        assert isinstance(self.match.game, KnitWit)
        return self.match.game

    @cached_property
    def design(self) -> Observation:
        """What everybody sees at the end of the round, or now if it is the last one."""
        state = self.match.state
        if self.end is not None:
            state = replay(self.match.record(), upto=self.end, game=self.game).state
        return self.game.observe(state, None)

    def entries_of(self, seat: Seat) -> list[int]:
        """Return the entries of the log in which *seat* wrote something."""
        log = self.match.log
        return [
            entry
            for entry in range(self.begin, len(log) if self.end is None else self.end)
            if log[entry][0] == seat and log[entry][1][0] == "write"
        ]

    def pad(self, seat: Seat) -> list[Answer]:
        """Return the answers of *seat*."""
        return [answer for answer in self.answers if answer.seat == seat]

    def answers_to(self, number: int, seats: Collection[Seat]) -> list[Answer]:
        """Return the answers of *seats* to *number*."""
        return [
            answer for answer in self.answers if answer.number == number and answer.seat in seats
        ]

    def blank_lines(self, seat: Seat) -> set[int]:
        """Return the numbers that *seat* left blank."""
        return {*self.loops} - {answer.number for answer in self.pad(seat)}

    def button_points(self, seat: Seat) -> int:
        return sum(holes for stopper, holes in self.stops if stopper == seat)

    def _read(self, event: Event) -> None:
        """Add what *event* tells."""
        kind, _, verdict = event.text.partition(".")
        values = event.values
        if kind in ("stop", "done"):
            self.stops.append((values["seat"], values.get("holes", 0)))
        elif kind == "reveal":
            self._turn_up(values["number"], values["points"])
        elif kind == "answer":
            number = self._open_number()
            loops, worth = self.loops[number], self.worth[number]
            self.answers.append(Answer(values["seat"], number, loops, worth, values["answer"]))
        elif kind == "clash":
            self.clashes.append((self._open_number(), values["seats"]))
            self._decide(values["seats"], CLASHED)
        elif kind == "challenge":
            self.cases.append(Case(self._open_number(), [values["other"]], values["seat"]))
        elif kind == "vote_same":
            self.cases.append(Case(self._open_number(), list(values["seats"]), NOBODY))
        elif kind in ("keep", "withdraw", "closed"):
            case = self.cases[-1]
            case.verdict = verdict or kind
            case.yes = values.get("yes", 0)
            case.no = values.get("no", 0)
            if case.verdict == "same":
                self._decide(case.seats, CLASHED)
            elif case.verdict in ("rejected", "withdraw"):
                self._decide(case.seats, REJECTED)
        elif event.text == "score.line":
            for answer in self.answers_to(values["number"], values["seats"]):
                answer.fate = COUNTED
        elif kind == "time":
            self.has_timed_out = True
        elif kind in ("total", "over"):
            self.is_over = True

    def _turn_up(self, number: int, points: int) -> None:
        self.worth[number] = points
        self.loops[number] = points
        if not self.game.pays_a_point_a_loop:
            self.loops[number] = len(loops_around(self.design, number))

    def _open_number(self) -> int:
        """Return the number that lies open: they are turned up in ascending order."""
        return max(self.loops)

    def _decide(self, seats: Sequence[Seat], fate: str) -> None:
        """Set the *fate* of the undecided answers of *seats* to the open number."""
        for answer in self.answers_to(self._open_number(), seats):
            if answer.fate == UNDECIDED:
                answer.fate = fate


def read_rounds(match: "Match", place: int = 0) -> list[Round]:
    """Return the rounds of *match*, finished or running, in order.

    :param place: of the match among several.
    """
    rounds: list[Round] = []
    for entries, events in enumerate([match.opening, *match.events]):
        for event in events:
            if event.text == "round":
                begin = max(0, entries - 1)
                if rounds:
                    rounds[-1].end = begin
                number, starter = event.values["round"], event.values["seat"]
                rounds.append(Round(match, place, number, starter, begin))
            rounds[-1].events.append(event)
    for played_round in rounds:  # each now knows where it ends
        for event in played_round.events:
            played_round._read(event)
    return rounds


def finished_rounds(matches: Iterable["Match"]) -> list[Round]:
    """Return the rounds of *matches* that are over."""
    return [
        played_round
        for place, match in enumerate(matches)
        for played_round in read_rounds(match, place)
        if played_round.is_over
    ]


# A class: many pads


class Pad(NamedTuple):
    """The answers of one player in one round, all turned up."""

    played_round: Round
    seat: Seat
    answers: Sequence[Answer]

    @property
    def lines(self) -> int:
        """Number of lines in play."""
        return len(self.played_round.loops)

    @property
    def fluency(self) -> int:
        """Number of answers that counted."""
        return sum(answer.fate == COUNTED for answer in self.answers)


def read_pads(matches: Iterable["Match"]) -> list[Pad]:
    """Return the pads of all finished rounds of *matches*."""
    return [
        Pad(played_round, seat, played_round.pad(seat))
        for played_round in finished_rounds(matches)
        for seat in played_round.game.seats
    ]


def count_forms(pads: Iterable[Pad]) -> Counter[str]:
    """Return the number of pads with each answer, by its :attr:`Answer.form`."""
    count = Counter[str]()
    for pad in pads:
        count.update(sorted({answer.form for answer in pad.answers}))
    return count


def rate_originality(pads: Sequence[Pad]) -> list[float | None]:
    """Return by pad the percentage of answers that no other has; ``None`` for an empty pad."""
    count = count_forms(pads)
    rates: list[float | None] = []
    for pad in pads:
        forms = {answer.form for answer in pad.answers}
        alone = sum(count[form] == 1 for form in forms)
        rates.append(100 * alone / len(forms) if forms else None)
    return rates


@dataclass(slots=True)
class Level:
    """All lines whose spools lie inside the same number of loops."""

    loops: int
    lines: int = 0  # of all pads
    counted: int = 0
    scored: int = 0  # points of all that counted

    @property
    def share(self) -> float:
        """Percentage of the lines whose answer counted."""
        return 100 * self.counted / self.lines

    @property
    def points(self) -> float:
        """Points for a line, on average."""
        return self.scored / self.lines


def read_levels(matches: Iterable["Match"]) -> list[Level]:
    """Return the lines of finished rounds by the number of loops around their spools."""
    levels: dict[int, Level] = {}
    for played_round in finished_rounds(matches):
        for loops in played_round.loops.values():
            levels.setdefault(loops, Level(loops)).lines += len(played_round.game.seats)
        for answer in played_round.answers:
            level = levels[answer.loops]
            level.counted += answer.fate == COUNTED
            level.scored += answer.points
    return [levels[loops] for loops in sorted(levels)]
