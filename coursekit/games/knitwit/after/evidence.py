"""The evidence below the questions of Knit Wit: what a reader did in a match, without a judgement.

:mod:`coursekit.reflect` calls :func:`evidence`. It tells of the reader's own deeds and of answers
turned up, never of other pads.
"""

from collections.abc import Callable, Collection, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from coursekit.core.chance import shuffle, stream
from coursekit.core.game import Seat
from coursekit.games.knitwit.after.design_sets import name_label
from coursekit.games.knitwit.after.diagrams import lattice
from coursekit.games.knitwit.after.figures import difficulty, fluency
from coursekit.games.knitwit.after.history import (
    CLASHED,
    COUNTED,
    Answer,
    Case,
    Round,
    read_rounds,
)
from coursekit.games.knitwit.rules.game import KnitWit
from coursekit.games.knitwit.rules.state import NO_TAG, NOBODY, loops_around
from coursekit.kit.debrief_moment import Grid
from coursekit.reflect.evidence_reader import EvidenceReader
from coursekit.words.normalise import normalise
from coursekit.words.texts import join_words

if TYPE_CHECKING:
    from coursekit.core.match import Match
    from coursekit.figures import Picture

Parts = list["str | Grid | Picture"]
AGAIN = {"pair": "evidence.draw"}
"""The question that draws lots -> the text of the button that draws again."""


class Reader(EvidenceReader):
    """A match of Knit Wit with its reader."""

    game: KnitWit

    def __init__(self, match: "Match", seats: Sequence[Seat], language: str) -> None:
        super().__init__(match, seats, language)
        self.rounds = read_rounds(match)

    def own_answers(self, *seats: Seat) -> list[Answer]:
        """Return the answers of *seats* that were turned up."""
        return [
            answer for played in self.rounds for answer in played.answers if answer.seat in seats
        ]

    def quote(self, answers: Sequence[Answer]) -> str:
        """Return the *answers* in quotes, as a list."""
        quotes = [self.tell("quote", answer=answer.text) for answer in answers]
        return join_words(quotes, self.language)

    def name_loops(self, played: Round, loops: Collection[int]) -> str:
        """Return the words of *loops*."""
        return name_label(played.design, self.game.pack, loops, self.language)

    def name_spool(self, played: Round, number: int) -> str:
        """Return the words around the spool *number*."""
        return self.name_loops(played, loops_around(played.design, number))

    def tell_case(self, played: Round, case: Case) -> str:
        """Return what a *case* was about, and how it ended."""
        return self.tell(
            f"case.{case.verdict}",
            number=case.number,
            seats=case.seats,
            yes=case.yes,
            no=case.no,
            answers=self.quote(played.answers_to(case.number, case.seats)),
        )


def evidence(
    name: str, match: "Match", seats: Sequence[Seat], language: str, draw: int = 0
) -> Parts:
    """Return the sentences and pictures to show below the question *name*; ``[]`` for none.

    :param seats: the reader's.
    :param draw: number of the draw of two spools, 0-based; one more each time the reader draws
        again.
    """
    show = EVIDENCE.get(name)
    if show is None:
        return []
    reader = Reader(match, seats, language)
    return show(reader, draw) or [reader.tell("nothing")]


def show_pair(reader: Reader, draw: int) -> Parts:
    last = reader.rounds[-1]
    around = {number: {*loops_around(last.design, number)} for number, _, _ in last.design.spools}
    pairs = [
        (first, second)
        for first, second in combinations(sorted(around), 2)
        if around[first] & around[second] and around[first] != around[second]
    ]
    if NO_TAG in last.design.tags or not pairs:
        return []
    # Every pair comes once before one comes again.
    shuffle(stream(str(draw // len(pairs)), "draw"), pairs)
    first, second = pairs[draw % len(pairs)]
    shared = around[first] & around[second]
    words = reader.name_loops(last, shared)
    parts: Parts = [reader.tell("pair.both", first=first, second=second, words=words)]
    for number in (first, second):
        if only := around[number] - shared:
            words = reader.name_loops(last, only)
            parts.append(reader.tell("pair.only", number=number, words=words))
        if answers := last.answers_to(number, reader.seats):
            quotes = reader.quote(answers)
            parts.append(reader.tell("pair.wrote", number=number, answers=quotes))
    return [*parts, lattice(last.design, reader.game.pack, reader.language)]


def show_stop(reader: Reader, draw: int) -> Parts:
    parts: Parts = []
    for played in reader.rounds:
        stopped = [seat for seat, _ in played.stops]
        for place, (seat, holes) in enumerate(played.stops, 1):
            if seat in reader.seats:
                values = {"round": played.number, "seat": seat, "place": place, "holes": holes}
                parts.append(reader.tell("stop.each", **values))
        if not played.is_over:
            continue
        buttons_taken = sum(holes > 0 for _, holes in played.stops)
        for seat in reader.seats:
            if seat not in stopped:
                by_time = played.has_timed_out and buttons_taken < len(reader.game.setup.buttons)
                late = "stop.late_time" if by_time else "stop.late"
                parts.append(reader.tell(late, round=played.number, seat=seat))
            if blank := played.blank_lines(seat):
                scored = {answer.number for answer in played.answers if answer.points}
                values = {"blank": len(blank), "got": len(blank & scored)}
                parts.append(reader.tell("stop.blank", seat=seat, **values))
    if any(played.is_over for played in reader.rounds):
        parts.append(fluency(reader.match, reader.language))
    return parts


def show_same(reader: Reader, draw: int) -> Parts:
    parts: Parts = []
    for played in reader.rounds:
        for number, seats in played.clashes:
            if not {*seats}.isdisjoint(reader.seats):
                quotes = reader.quote(played.answers_to(number, seats))
                values = {"number": number, "seats": seats, "answers": quotes}
                parts.append(reader.tell("same.clash", **values))
        for case in played.cases:
            is_own_doubt = case.challenger == NOBODY and not {*case.seats}.isdisjoint(reader.seats)
            if is_own_doubt and case.verdict:
                parts.append(reader.tell_case(played, case))
    for seat in reader.seats:
        answers = reader.own_answers(seat)
        rest = sum(answer.fate != CLASHED for answer in answers)
        if rest:
            name = "same.rest" if rest < len(answers) else "same.none"
            parts.append(reader.tell(name, seat=seat, answers=rest))
    return parts


def show_rare(reader: Reader, draw: int) -> Parts:
    lexicon = reader.game.pack.lexicon
    known = {normalise(word) for entry in lexicon for word in (entry.zh, entry.en)}
    parts: Parts = []
    for seat in reader.seats:
        others = [other for other in reader.game.seats if other != seat]
        forms = {answer.form for answer in reader.own_answers(*others)}
        counted = [answer for answer in reader.own_answers(seat) if answer.fate == COUNTED]
        alone = sum(answer.form not in forms for answer in counted)
        if counted:
            parts.append(reader.tell("rare.alone", seat=seat, count=alone, of=len(counted)))
    if parts and known:
        unknown = [
            answer
            for answer in reader.own_answers(*reader.seats)
            if answer.fate == COUNTED and answer.form not in known
        ]
        if unknown:
            parts.append(reader.tell("rare.unknown", answers=reader.quote(unknown)))
        else:
            parts.append(reader.tell("rare.known"))
    return parts


def show_judge(reader: Reader, draw: int) -> Parts:
    challenges = [
        (played, case)
        for played in reader.rounds
        for case in played.cases
        if case.challenger != NOBODY and case.verdict
    ]
    if not challenges:
        return [reader.tell("judge.none")]
    parts: Parts = [reader.tell_case(played, case) for played, case in challenges]
    for seat in reader.seats:
        called = sum(case.challenger == seat for _, case in challenges)
        received = sum(case.seats == [seat] for _, case in challenges)
        parts.append(reader.tell("judge.count", seat=seat, by=called, at=received))
    return parts


def show_hard(reader: Reader, draw: int) -> Parts:
    parts: Parts = []
    columns = ("number", "words", "loops", "answers", "points")
    heads = tuple([reader.tell(f"hard.head.{name}") for name in columns])
    for played in reader.rounds:
        if not played.is_over:
            continue
        rows = []
        for loops, number in sorted((loops, number) for number, loops in played.loops.items()):
            answers = played.answers_to(number, reader.seats)
            points = str(sum(answer.points for answer in answers)) if answers else ""
            words = reader.name_spool(played, number)
            rows.append((str(number), words, str(loops), reader.quote(answers), points))
        caption = reader.tell("hard.mine", round=played.number, seats=reader.seats)
        parts.append(Grid(caption, heads, tuple(rows)))
    if parts:
        parts += [reader.tell("hard.all"), difficulty([reader.match], reader.language)]
    return parts


EVIDENCE: dict[str, Callable[[Reader, int], Parts]] = {
    "pair": show_pair,
    "stop": show_stop,
    "same": show_same,
    "rare": show_rare,
    "judge": show_judge,
    "hard": show_hard,
}
"""The functions that show evidence, by the name of the question."""
