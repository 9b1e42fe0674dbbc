"""Moments of Knit Wit worth talking about: clashes, rare answers, hard spools, votes, and stopping
early.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from coursekit.core.game import Seat
from coursekit.core.match import replay
from coursekit.figures import HATCHES, PALETTE, Picture, picture
from coursekit.games.knitwit.after import design_sets
from coursekit.games.knitwit.after.evidence import Reader
from coursekit.games.knitwit.after.figures import difficulty, fluency, rare_answers
from coursekit.games.knitwit.after.history import (
    CLASHED,
    COUNTED,
    Answer,
    Case,
    Level,
    Round,
    by_loops,
    common,
    rounds,
    sheets,
)
from coursekit.games.knitwit.rules.state import NO_TAG, NOBODY, Observation
from coursekit.kit.debrief_moment import Moment, Played
from coursekit.reflect.debrief_story import FEW, Parts, Telling, number, share_word, sort_by_worth
from coursekit.words.texts import game_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Told = tuple[float, Parts]
"""The worth of a moment, from 0 to 1, and what it says."""
SOME = 4
"""Most clashes, answers, votes or spools that are told one by one."""


class Class(Telling):
    """The matches to talk about: those with a finished round."""

    def __init__(self, played: Sequence[Played], language: str) -> None:
        super().__init__(
            [each for each in played if any(now.ended for now in rounds(each.match))], language
        )
        self.readers = [Reader(match, (), language) for match in self.matches]

    @cached_property
    def where(self) -> str:
        """The number of rounds, and of matches if there are several."""
        return (
            self.tell("where.rounds", rounds=len(self.ended))
            if self.one
            else self.tell("where.matches", matches=len(self.matches), rounds=len(self.ended))
        )

    def inside(self, at: int, words: str) -> str:
        """Return *words* after the number of their match, if there are several."""
        return words if self.one else self.tell("in", match=at + 1, words=words)

    @cached_property
    def ended(self) -> list[tuple[int, Round]]:
        """The finished rounds, each after the place of its match."""
        return [
            (at, now)
            for at, reader in enumerate(self.readers)
            for now in reader.played
            if now.ended
        ]

    @cached_property
    def answers(self) -> list[Answer]:
        """All answers of the finished rounds."""
        return [each for _, now in self.ended for each in now.answers]

    def seen(self, at: int, now: Round) -> Observation:
        """Return the spectator's observation at the end of a round."""
        reader = self.readers[at]
        state = reader.match.state
        for turn, events in enumerate(reader.match.events):
            if any(
                event.text == "round" and event.values["round"] > now.number for event in events
            ):
                state = replay(reader.match.record(), upto=turn, game=reader.game).state
                break
        return reader.game.observe(state, None)


def moments(played: Sequence[Played], language: str) -> list[Moment]:
    """Return what is worth talking about after these matches, best first; ``[]`` before a round is
    over.

    Rare answers are those of :attr:`.Played.seats`, rare among all players'. Clashes, spools, votes
    and stopping are about all players, since they happen between them.
    """
    about = Class(played, language)
    if not about.matches:
        return []
    found = {name: told for name, find in MOMENTS.items() if (told := find(about))}
    made = [about.moment(name, parts, worth) for name, (worth, parts) in found.items()]
    instead = {}  # questions that suit what was played better than those of the standard game
    game = about.readers[0].game
    if not game.worth(2) > game.worth(1):
        instead["loops"] = about.tell("loops.ask_alike")
    if not any(case.yes + case.no for _, now in about.ended for case in now.cases):
        instead["votes"] = about.tell("votes.ask_alone")
    return sort_by_worth(each._replace(ask=instead.get(each.name, each.ask)) for each in made)


def _at(now: Round, number: int, seats: Sequence[Seat]) -> list[Answer]:
    """Return the answers of *seats* to *number*."""
    return [each for each in now.answers if each.number == number and each.seat in seats]


# Clashes and rare answers


def of_clash(about: Class) -> Told | None:
    clashed = [each for each in about.answers if each.fate == CLASHED]
    if not clashed:
        return None
    lost = sum(each.worth for each in clashed)
    parts: Parts = [
        about.tell("clash.all", clashed=len(clashed), answers=len(about.answers), points=lost)
    ]
    if about.one:
        (reader,) = about.readers
        every = [(now, number, seats) for _, now in about.ended for number, seats in _clashes(now)]
        every.sort(key=lambda clash: -clash[0].worth[clash[1]] * len(clash[2]))
        words = {now.number: reader.words_around(now) for now, *_ in every[:SOME]}
        parts += [
            about.tell(
                "clash.each",
                number=number,
                words=words[now.number][number],
                seats=seats,
                answers=reader.quoted(_different(_at(now, number, seats))),
                points=now.worth[number],
            )
            for now, number, seats in every[:SOME]
        ]
        parts.append(fluency(reader.match, about.language))
    else:
        text = {each.form: each for each in clashed}
        rounds = Counter(
            form
            for _, now in about.ended
            for form in {each.form for each in now.answers if each.fate == CLASHED}
        )
        often = [form for form, times in rounds.most_common(SOME) if times > 1]
        if often:
            quoted, times = (
                about.readers[0].quoted([text[form] for form in often]),
                rounds[often[-1]],
            )
            parts.append(
                about.tell("clash.often", answers=quoted, times=times)
                if len(often) > 1
                else about.tell("clash.often_one", answer=quoted, times=times)
            )
    return 0.5 + 0.5 * len(clashed) / len(about.answers), parts


def _clashes(now: Round) -> Iterator[tuple[int, list[Seat]]]:
    """Yield all clashes: equal answers, and those voted to be the same."""
    yield from now.clashes
    yield from ((case.number, case.seats) for case in now.cases if case.verdict == "same")


def _different(answers: Sequence[Answer]) -> list[Answer]:
    """Return *answers* without those of the same spelling."""
    return list({each.text: each for each in answers}.values())


def of_rare(about: Class) -> Told | None:
    written = sheets(about.matches)
    count = common(written)
    own = [sheet for sheet in written if sheet.seat in about.seats[sheet.match]]
    mine = [each for sheet in own for each in sheet.answers if each.fate == COUNTED]
    alone = [each for each in mine if count[each.form] == 1]
    if not alone or len(written) < FEW:
        return None
    share = ""
    if len(mine) >= FEW:
        every, here = len(alone) == len(mine), own == written
        id = (
            ("rare.every_here" if here else "rare.every")
            if every
            else "rare.all_here"
            if here
            else "rare.all"
        )
        values = ({} if here else {"own": len(own)}) | ({} if every else {"alone": len(alone)})
        share = about.tell(id, counted=len(mine), sheets=len(written), **values)
    best = sorted(_different(alone), key=lambda each: -each.loops)[:SOME]
    told = about.tell("rare.best", answers=about.readers[0].quoted(best), loops=best[0].loops)
    parts: Parts = [about.together(share, told)]
    return 0.55 + 0.2 * len(alone) / len(mine), [
        *parts,
        rare_answers(about.matches, about.language),
    ]


# Loops


def of_loops(about: Class) -> Told | None:
    levels = [level for level in by_loops(about.matches) if level.lines >= FEW]
    if len(levels) < 2:
        return None
    few, many = levels[0], levels[-1]
    best = max(levels, key=lambda level: level.points)
    each_one = [
        about.tell("loops.each", loops=level.loops, lines=level.lines, got=_scored(about, level))
        for level in (few, many)
    ]
    parts: Parts = [about.together(*each_one)]
    if best.points:
        parts.append(
            about.tell(
                "loops.best", loops=best.loops, points=f"{best.points:.2f}", lines=best.lines
            )
        )
    parts.append(difficulty(about.matches, about.language))
    return 0.6 + 0.2 * abs(few.share - many.share) / 100, parts


def _scored(about: Class, level: Level) -> str:
    """Return the words for how many lines of this *level* scored."""
    times = share_word(level.counted, level.lines)
    return about.tell(
        f"loops.got.{times}", **({"counted": level.counted} if times == "some" else {})
    )


class Empty(NamedTuple):
    """A number that brought no points."""

    match: int
    round: Round
    number: int


def of_empty(about: Class) -> Told | None:
    lines = [Empty(at, now, number) for at, now in about.ended for number in now.loops]
    scored = {
        (at, now.number, each.number)
        for at, now in about.ended
        for each in now.answers
        if each.points
    }
    empty = [each for each in lines if (each.match, each.round.number, each.number) not in scored]
    if not empty:
        return None
    empty.sort(key=lambda each: -each.round.loops[each.number])
    parts: Parts = [about.tell("empty.all", empty=len(empty), numbers=len(lines))]
    for each in empty[:SOME]:
        obs, pack = about.seen(each.match, each.round), about.readers[each.match].game.pack
        around = next(
            loops for (number, _, _), loops in zip(obs.spools, obs.around) if number == each.number
        )
        words = design_sets.named(obs, pack, around, about.language)
        wrote = len(_at(each.round, each.number, range(each.round.players)))
        told = (
            about.tell("empty.each", number=each.number, words=words, wrote=wrote)
            if wrote
            else about.tell("empty.unwritten", number=each.number, words=words)
        )
        tags = [obs.tags[loop] for loop in around]
        if NO_TAG not in tags and (known := design_sets.known(pack, about.language)):
            fit = len(design_sets.fitting(known, tags))
            told = about.together(
                told, about.tell("empty.known", count=fit) if fit else about.tell("empty.unknown")
            )
        parts.append(about.inside(each.match, told))
    return 0.45 + 0.4 * len(empty) / len(lines), parts


# Votes


def of_votes(about: Class) -> Told | None:
    cases = [(at, now, case) for at, now in about.ended for case in now.cases if case.verdict]
    if not cases:
        return None
    every = [case for *_, case in cases]
    called = [case for case in every if case.by != NOBODY]
    told: list[str] = []
    if len(called) >= FEW:
        upheld = sum(case.verdict in ("upheld", "keep") for case in called)
        times = share_word(upheld, len(called))
        both = {"upheld": upheld, "rejected": len(called) - upheld} if times == "some" else {}
        told.append(about.tell(f"votes.all.{times}", called=len(called), **both))
    doubts = [case for case in every if case.by == NOBODY]
    if len(doubts) >= FEW:
        same = sum(case.verdict == "same" for case in doubts)
        times = share_word(same, len(doubts))
        both = {"same": same} if times == "some" else {}
        told.append(about.tell(f"votes.doubts.{times}", doubts=len(doubts), **both))
    parts: Parts = [about.together(*told)] if told else []
    cases.sort(key=lambda each: -_close(each[2]))
    for at, now, case in cases[:SOME]:
        reader = about.readers[at]
        answers = _different(_at(now, case.number, case.seats))
        what = {"number": case.number, "seats": case.seats, "answers": reader.quoted(answers)}
        if (case.yes == 0) != (case.no == 0):  # all agreed
            words = about.tell(f"votes.agreed.{case.verdict}", at, **what, votes=case.yes + case.no)
        else:
            words = reader.tell(f"case.{case.verdict}", **what, yes=case.yes, no=case.no)
        parts.append(about.inside(at, words))
    return 0.45 + 0.4 * _close(cases[0][2]), parts


def _close(case: Case) -> float:
    """Return how close a vote was, from 0 for agreement or no votes to 1 for a tie."""
    return 2 * min(case.yes, case.no) / max(1, case.yes + case.no)


# Stopping


class Stop(NamedTuple):
    """The first stop in a round, and what came of it."""

    match: int
    round: Round
    seat: Seat
    holes: int  # of the button
    blank: list[int]  # numbers left blank
    missed: int  # points that others got for these numbers, one answer each
    points: int  # of the round, with the button
    best: int  # the most points of any player


def first_stop(at: int, now: Round) -> Stop | None:
    """Return the first stop in a finished round, ``None`` if there was none."""
    if not now.stops:
        return None
    seat, holes = now.stops[0]
    blank = sorted({*now.loops} - {each.number for each in now.sheet(seat)})
    missed = sum(
        now.worth[number]
        for number in blank
        if any(each.points for each in now.answers if each.number == number)
    )
    points = [
        sum(each.points for each in now.sheet(each_seat)) + now.holes(each_seat)
        for each_seat in range(now.players)
    ]
    return Stop(at, now, seat, holes, blank, missed, points[seat], max(points))


def of_stop(about: Class) -> Told | None:
    stops = [stop for at, now in about.ended if (stop := first_stop(at, now))]
    if not stops:
        return None
    most = sum(stop.points == stop.best for stop in stops)
    open_lines = sum(map(len, (stop.blank for stop in stops)))
    worth = 0.45 + 0.3 * (1 - most / len(stops)) + 0.1 * bool(open_lines)
    if not about.one and len(stops) >= FEW:
        lost = number(sum(stop.missed for stop in stops) / len(stops))
        blank = number(open_lines / len(stops))
        told = [
            about.tell(
                f"stop.class.{share_word(most, len(stops))}",
                stops=len(stops),
                **({"most": most} if 0 < most < len(stops) else {}),
            )
        ]
        if blank and lost:
            told.append(about.tell("stop.blank", blank=blank, missed=lost))
        elif blank:
            told.append(about.tell("stop.blank_free", blank=blank))
        return worth, [about.together(*told)]
    parts: Parts = []
    for stop in stops:
        where = {"round": stop.round.number, "seat": stop.seat, "holes": stop.holes}
        words = about.tell("stop.first_full", stop.match, **where)
        if stop.blank:
            missed = {"missed": stop.missed} if stop.missed else {}
            words = about.tell(
                "stop.first" if missed else "stop.first_free",
                stop.match,
                **where,
                blank=len(stop.blank),
                **missed,
            )
        points = (
            about.tell("stop.points", points=stop.points, best=stop.best)
            if stop.points < stop.best
            else about.tell("stop.most", points=stop.points)
        )
        parts.append(about.inside(stop.match, about.together(words, points)))
    return worth, [*parts, race(about.readers[stops[-1].match], stops[-1].round)]


def race(reader: Reader, now: Round) -> Picture:
    """Return a picture of a round: all players in the order of stopping, with points from answers
    and buttons.
    """
    stopped = [seat for seat, _ in now.stops]
    order = stopped + [seat for seat in range(now.players) if seat not in stopped]
    answers = [sum(each.points for each in now.sheet(seat)) for seat in order]
    holes = [now.holes(seat) for seat in order]

    def word(id: str, **values: Any) -> str:
        return game_text("knitwit", f"debrief.race.{id}", reader.language, **values)

    names = [
        f"{place + 1}. {reader.names[seat]}" if seat in stopped else reader.names[seat]
        for place, seat in enumerate(order)
    ]

    def draw() -> "Figure":
        from matplotlib import pyplot
        from matplotlib.ticker import MaxNLocator

        figure, axes = pyplot.subplots(figsize=(5.6, 1.9 + 0.45 * len(order)))
        axes.barh(
            range(len(order)),
            answers,
            0.7,
            color=PALETTE[0],
            edgecolor="white",
            label=word("answers"),
        )
        axes.barh(
            range(len(order)),
            holes,
            0.7,
            answers,
            color=PALETTE[1],
            hatch=HATCHES[1],
            edgecolor="white",
            label=word("holes"),
        )
        axes.set(yticks=range(len(order)), yticklabels=names, xlabel=word("x"))
        axes.set_xlim(0, max(1, *(a + b for a, b in zip(answers, holes))))
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.invert_yaxis()
        figure.legend(loc="outside upper center", ncols=2)
        return figure

    told = [
        word("each", name=name, answers=points, holes=more)
        for name, points, more in zip(names, answers, holes)
    ]
    return picture(draw, " ".join(told), word("caption"), reader.language)


MOMENTS: dict[str, Callable[[Class], Told | None]] = {
    "clash": of_clash,
    "rare": of_rare,
    "loops": of_loops,
    "empty": of_empty,
    "votes": of_votes,
    "stop": of_stop,
}
"""The functions that find a moment, by its name."""
