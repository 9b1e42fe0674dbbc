"""What a reader did in a match of Knit Wit, shown below the questions: facts, no judgement.

:mod:`coursekit.reflect` calls :func:`evidence`. It tells of the reader's own deeds and of answers
turned up, never of other sheets.
"""

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

from coursekit.core.chance import shuffle, stream
from coursekit.core.game import Seat
from coursekit.core.match import replay
from coursekit.games.knitwit.after import design_sets
from coursekit.games.knitwit.after.diagrams import lattice
from coursekit.games.knitwit.after.figures import difficulty, fluency
from coursekit.games.knitwit.after.history import CLASHED, COUNTED, Answer, Case, Round, rounds
from coursekit.games.knitwit.rules.game import KnitWit
from coursekit.games.knitwit.rules.state import NO_TAG, NOBODY
from coursekit.kit.debrief_moment import Grid
from coursekit.words.normalise import normalise
from coursekit.words.texts import game_text, join_words, seat_name

if TYPE_CHECKING:
    from coursekit.core.match import Match
    from coursekit.figures import Picture

Shown = list["str | Grid | Picture"]
AGAIN = {"pair": "evidence.draw"}
"""The question that draws lots -> the text of the button that draws again."""


class Reader:
    """A match, and the seats and language of its reader."""

    def __init__(self, match: "Match", seats: Sequence[Seat], language: str) -> None:
        assert isinstance(match.game, KnitWit)
        self.match, self.seats, self.language = match, seats, language
        self.game, self.played = match.game, rounds(match)
        self.obs = self.game.observe(match.state, None)
        self.names = [seat_name(seat, language, match.names) for seat in match.game.seats]
        if len(seats) == 1:
            self.names[seats[0]] = self.tell("you")

    def tell(self, id: str, **values: Any) -> str:
        """Return the sentence *id* of the texts about evidence."""
        return game_text(
            self.game, f"evidence.{id}", self.language, getattr(self, "names", ()), **values
        )

    def nothing(self, told: Sequence[Any]) -> Shown:
        """Return the sentence that there is nothing to tell, ``[]`` if something was *told*."""
        return [] if told else [self.tell("nothing")]

    def answers(self, *fates: str, of: Seat | None = None) -> list[Answer]:
        """Return the reader's answers that were turned up, only those with one of *fates* if any
        are given.

        :param of: one of several readers, ``None`` for all.
        """
        seats = self.seats if of is None else [of]
        return [
            each
            for now in self.played
            for each in now.answers
            if each.seat in seats and (not fates or each.fate in fates)
        ]

    def quoted(self, answers: Sequence[Answer]) -> str:
        """Return the *answers* in quotes, as a list."""
        return join_words([self.tell("quote", answer=each.text) for each in answers], self.language)

    @property
    def tagged(self) -> bool:
        """Whether all loops have their tags."""
        return bool(self.obs.tags) and NO_TAG not in self.obs.tags

    def words(self, loops: frozenset[int]) -> str:
        return design_sets.named(self.obs, self.game.pack, loops, self.language)

    def words_around(self, now: Round) -> dict[int, str]:
        """Return the words around each spool in a finished round."""
        state = self.match.state
        for turn, events in enumerate(self.match.events):
            if any(
                event.text == "round" and event.values["round"] > now.number for event in events
            ):
                state = replay(self.match.record(), upto=turn, game=self.game).state
                break
        obs = self.game.observe(state, None)
        around = zip(obs.spools, obs.around)
        return {
            number: design_sets.named(obs, self.game.pack, loops, self.language)
            for (number, _, _), loops in around
        }


def evidence(
    name: str, match: "Match", seats: Sequence[Seat], language: str, draw: int = 0
) -> Shown:
    """Return the sentences and pictures to show below the question *name*; ``[]`` for none.

    :param seats: the reader's.
    :param draw: number of the draw of two spools, 0-based; one more each time the reader draws
        again.
    """
    about = ABOUT.get(name)
    return about(Reader(match, seats, language), draw) if about else []


def of_pair(reader: Reader, draw: int) -> Shown:
    spools = {
        number: frozenset(loops)
        for (number, _, _), loops in zip(reader.obs.spools, reader.obs.around)
    }
    pairs = [
        (a, b)
        for a, b in combinations(sorted(spools), 2)
        if spools[a] & spools[b] and spools[a] != spools[b]
    ]
    if not reader.tagged or not pairs:
        return reader.nothing([])
    shuffle(stream(str(draw // len(pairs)), "draw"), pairs)
    a, b = pairs[draw % len(pairs)]
    both = spools[a] & spools[b]
    shown: Shown = [reader.tell("pair.both", first=a, second=b, words=reader.words(both))]
    for number, only in ((a, spools[a] - both), (b, spools[b] - both)):
        shown += [reader.tell("pair.only", number=number, words=reader.words(only))] if only else []
        written = [
            each
            for each in reader.played[-1].answers
            if each.number == number and each.seat in reader.seats
        ]
        shown += (
            [reader.tell("pair.wrote", number=number, answers=reader.quoted(written))]
            if written
            else []
        )
    return [*shown, lattice(reader.obs, reader.game.pack, reader.language)]


def of_stop(reader: Reader, draw: int) -> Shown:
    shown: Shown = []
    for now in reader.played:
        stopped = [seat for seat, _ in now.stops]
        for place, (seat, holes) in enumerate(now.stops, 1):
            if seat in reader.seats:
                shown.append(
                    reader.tell("stop.each", round=now.number, seat=seat, place=place, holes=holes)
                )
        for seat in reader.seats if now.ended else ():
            if seat not in stopped:
                left = len(reader.game.setup.buttons) > sum(holes > 0 for _, holes in now.stops)
                late = "stop.late_time" if now.timed_out and left else "stop.late"
                shown.append(reader.tell(late, round=now.number, seat=seat))
            blank = {*now.loops} - {each.number for each in now.sheet(seat)}
            got = {each.number for each in now.answers if each.number in blank and each.points}
            shown += (
                [reader.tell("stop.blank", seat=seat, blank=len(blank), got=len(got))]
                if blank
                else []
            )
    ended = any(now.ended for now in reader.played)
    return (
        [*shown, fluency(reader.match, reader.language)] if ended else shown + reader.nothing(shown)
    )


def of_same(reader: Reader, draw: int) -> Shown:
    shown: Shown = []
    for now in reader.played:
        for number, seats in now.clashes:
            if {*seats} & {*reader.seats}:
                answers = [
                    each for each in now.answers if each.number == number and each.seat in seats
                ]
                shown.append(
                    reader.tell(
                        "same.clash", number=number, seats=seats, answers=reader.quoted(answers)
                    )
                )
        doubted = [
            case for case in now.cases if case.by == NOBODY and {*case.seats} & {*reader.seats}
        ]
        shown += [_voted(reader, case) for case in doubted if case.verdict]
    for seat in reader.seats:
        mine = reader.answers(of=seat)
        rest = [each for each in mine if each.fate != CLASHED]
        if rest:
            shown.append(
                reader.tell(
                    "same.rest" if len(rest) < len(mine) else "same.none",
                    seat=seat,
                    answers=len(rest),
                )
            )
    return shown or reader.nothing(shown)


def of_rare(reader: Reader, draw: int) -> Shown:
    known = {normalise(word) for entry in reader.game.pack.lexicon for word in (entry.zh, entry.en)}
    shown: Shown = []
    for seat in reader.seats:
        by_others = {
            each.form for now in reader.played for each in now.answers if each.seat != seat
        }
        counted = reader.answers(COUNTED, of=seat)
        alone = sum(each.form not in by_others for each in counted)
        shown += (
            [reader.tell("rare.alone", seat=seat, count=alone, of=len(counted))] if counted else []
        )
    if shown and known:
        unknown = [each for each in reader.answers(COUNTED) if each.form not in known]
        shown.append(
            reader.tell("rare.unknown", answers=reader.quoted(unknown))
            if unknown
            else reader.tell("rare.known")
        )
    return shown or reader.nothing(shown)


def of_judge(reader: Reader, draw: int) -> Shown:
    cases = [
        case for now in reader.played for case in now.cases if case.by != NOBODY and case.verdict
    ]
    shown: Shown = [_voted(reader, case) for case in cases]
    for seat in reader.seats if cases else ():
        by, at = sum(case.by == seat for case in cases), sum(case.seats == [seat] for case in cases)
        shown.append(reader.tell("judge.count", seat=seat, by=by, at=at))
    return shown or [reader.tell("judge.none")]


def _voted(reader: Reader, case: Case) -> str:
    """Return what a *case* was about, and how it ended."""
    answers = [
        each
        for now in reader.played
        if case in now.cases
        for each in now.answers
        if each.number == case.number and each.seat in case.seats
    ]
    return reader.tell(
        f"case.{case.verdict}",
        number=case.number,
        seats=case.seats,
        yes=case.yes,
        no=case.no,
        answers=reader.quoted(answers),
    )


def of_hard(reader: Reader, draw: int) -> Shown:
    shown: Shown = []
    for now in (each for each in reader.played if each.ended):
        words, rows = reader.words_around(now), []
        for number, loops in sorted(now.loops.items(), key=lambda line: (line[1], line[0])):
            mine = [
                each for each in now.answers if each.number == number and each.seat in reader.seats
            ]
            points = str(sum(each.points for each in mine)) if mine else ""
            rows.append((str(number), words[number], str(loops), reader.quoted(mine), points))
        heads = tuple(
            reader.tell(f"hard.head.{each}")
            for each in ("number", "words", "loops", "answers", "points")
        )
        shown.append(
            Grid(reader.tell("hard.mine", round=now.number, seats=reader.seats), heads, tuple(rows))
        )
    if not shown:
        return reader.nothing(shown)
    return [*shown, reader.tell("hard.all"), difficulty([reader.match], reader.language)]


ABOUT: dict[str, Callable[[Reader, int], Shown]] = {
    "pair": of_pair,
    "stop": of_stop,
    "same": of_same,
    "rare": of_rare,
    "judge": of_judge,
    "hard": of_hard,
}
"""The functions that find evidence, by the name of the question."""
