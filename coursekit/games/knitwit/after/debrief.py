"""The debrief of Knit Wit: clashes, rare answers, hard spools, votes, and stopping early."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from coursekit.core.game import Seat
from coursekit.figures import Axis, Panel, Picture, plot, stack_bars
from coursekit.games.knitwit.after.design_sets import find_fitting, lexicon_words
from coursekit.games.knitwit.after.evidence import Reader
from coursekit.games.knitwit.after.figures import difficulty, fluency, rare_answers
from coursekit.games.knitwit.after.history import (
    CLASHED,
    COUNTED,
    Answer,
    Case,
    Level,
    Pad,
    Round,
    count_forms,
    finished_rounds,
    read_levels,
    read_pads,
)
from coursekit.games.knitwit.rules.state import NO_TAG, NOBODY
from coursekit.kit.debrief_moment import Moment, Played
from coursekit.reflect.debrief_story import FEW, Parts, Telling, number, share_word, sort_by_worth
from coursekit.words.texts import game_text

Finding = tuple[float, Parts]
"""The worth of a moment, from 0 to 1, and what it says."""
SOME = 4
"""Most clashes, answers, votes or spools that are told one by one."""


class Debrief(Telling):
    """The matches to talk about: those with a finished round."""

    def __init__(self, played: Sequence[Played], language: str) -> None:
        super().__init__([one for one in played if finished_rounds([one.match])], language)
        self.readers = [Reader(match, (), language) for match in self.matches]
        self.rounds = finished_rounds(self.matches)
        self.answers = [answer for played in self.rounds for answer in played.answers]

    @cached_property
    def where(self) -> str:
        """The number of rounds, and of matches if there are several."""
        if self.one:
            return self.tell("where.rounds", rounds=len(self.rounds))
        return self.tell("where.matches", matches=len(self.matches), rounds=len(self.rounds))

    def begin(self, played: Round, *sentences: str) -> str:
        """Return *sentences* after the number of their match, if there are several."""
        return self.in_match(played.place, self.together(*sentences))

    def is_own(self, pad: Pad) -> bool:
        """Return whether a player whose decisions count wrote all that is on *pad*."""
        one = self.played[pad.played_round.place]
        entries = pad.played_round.entries_of(pad.seat)
        return pad.seat in one.seats and all(one.counts(pad.seat, entry) for entry in entries)

    def reader(self, played: Round) -> Reader:
        return self.readers[played.place]

    def tell_share(self, name: str, count: int, of: int, some: str, **values: Any) -> str:
        """Return the sentence about *count* of *of*; one about some of them names *count*."""
        word = share_word(count, of)
        if word == "some":
            values[some] = count
        return self.tell(f"{name}.{word}", **values)


def moments(played: Sequence[Played], language: str) -> list[Moment]:
    """Return what is worth talking about after these matches, best first.

    It is ``[]`` before a round is over. Rare answers are those of :attr:`.Played.seats`, rare among
    all players'. Clashes, spools, votes and stopping are about all players, since they happen
    between them.
    """
    debrief = Debrief(played, language)
    if not debrief.matches:
        return []
    asks = {}  # questions that suit what was played better than those of the standard game
    game = debrief.readers[0].game
    if game.worth(2) <= game.worth(1):
        asks["loops"] = debrief.tell("loops.ask_alike")
    if not any(case.yes + case.no for one in debrief.rounds for case in one.cases):
        asks["votes"] = debrief.tell("votes.ask_alone")
    moments = []
    for name, find in MOMENTS.items():
        if finding := find(debrief):
            worth, parts = finding
            moment = debrief.moment(name, parts, worth)
            moments.append(moment._replace(ask=asks.get(name, moment.ask)))
    return sort_by_worth(moments)


# Clashes and rare answers


def find_clashes(debrief: Debrief) -> Finding | None:
    clashed = [answer for answer in debrief.answers if answer.fate == CLASHED]
    if not clashed:
        return None
    answers = len(debrief.answers)
    lost = sum(answer.worth for answer in clashed)
    parts: Parts = [debrief.tell("clash.all", clashed=len(clashed), answers=answers, points=lost)]
    if debrief.one:
        parts += _tell_clashes(debrief)
        parts.append(fluency(debrief.matches[0], debrief.language))
    else:
        parts += _tell_frequent_clashes(debrief)
    return 0.5 + 0.5 * len(clashed) / answers, parts


def _tell_clashes(debrief: Debrief) -> list[str]:
    """Return a sentence for each of the clashes of one match that cost most."""
    clashes = []
    for played in debrief.rounds:
        clashes += [(played, number, seats) for number, seats in played.clashes]
        same = [case for case in played.cases if case.verdict == "same"]
        clashes += [(played, case.number, case.seats) for case in same]
    clashes.sort(key=lambda clash: -clash[0].worth[clash[1]] * len(clash[2]))
    reader = debrief.readers[0]
    return [
        debrief.tell(
            "clash.each",
            number=number,
            words=reader.name_spool(played, number),
            seats=seats,
            answers=reader.quote(_distinct(played.answers_to(number, seats))),
            points=played.worth[number],
        )
        for played, number, seats in clashes[:SOME]
    ]


def _tell_frequent_clashes(debrief: Debrief) -> list[str]:
    """Return a sentence about the answers that clashed in the most rounds, if in more than one."""
    clashed: dict[str, Answer] = {}
    rounds = Counter[str]()
    for played in debrief.rounds:
        here = {answer.form: answer for answer in played.answers if answer.fate == CLASHED}
        clashed |= here
        rounds.update(dict.fromkeys(here, 1))
    often = [form for form, times in rounds.most_common(SOME) if times > 1]
    if not often:
        return []
    quotes = debrief.readers[0].quote([clashed[form] for form in often])
    times = rounds[often[-1]]
    if len(often) == 1:
        return [debrief.tell("clash.often_one", answer=quotes, times=times)]
    return [debrief.tell("clash.often", answers=quotes, times=times)]


def _distinct(answers: Sequence[Answer]) -> list[Answer]:
    """Return *answers* without those of the same spelling."""
    return list({answer.text: answer for answer in answers}.values())


def find_rare_answers(debrief: Debrief) -> Finding | None:
    pads = read_pads(debrief.matches)
    count = count_forms(pads)
    own = [pad for pad in pads if debrief.is_own(pad)]
    counted = [answer for pad in own for answer in pad.answers if answer.fate == COUNTED]
    alone = [answer for answer in counted if count[answer.form] == 1]
    if not alone or len(pads) < FEW:
        return None
    share = ""
    if len(counted) >= FEW:
        values = {"counted": len(counted), "sheets": len(pads)}
        are_all_alone = len(alone) == len(counted)
        if own == pads:
            name = "rare.every_here" if are_all_alone else "rare.all_here"
        else:
            name = "rare.every" if are_all_alone else "rare.all"
            values["own"] = len(own)
        if not are_all_alone:
            values["alone"] = len(alone)
        share = debrief.tell(name, **values)
    best = sorted(_distinct(alone), key=lambda answer: -answer.loops)[:SOME]
    quotes = debrief.readers[0].quote(best)
    words = debrief.together(share, debrief.tell("rare.best", answers=quotes, loops=best[0].loops))
    picture = rare_answers(debrief.matches, debrief.language)
    return 0.55 + 0.2 * len(alone) / len(counted), [words, picture]


# Loops


def find_hard_levels(debrief: Debrief) -> Finding | None:
    levels = [level for level in read_levels(debrief.matches) if level.lines >= FEW]
    if len(levels) < 2:
        return None
    few, many = levels[0], levels[-1]
    best = max(levels, key=lambda level: level.points)
    parts: Parts = [debrief.together(_tell_level(debrief, few), _tell_level(debrief, many))]
    if best.points:
        values = {"loops": best.loops, "points": f"{best.points:.2f}", "lines": best.lines}
        parts.append(debrief.tell("loops.best", **values))
    parts.append(difficulty(debrief.matches, debrief.language))
    return 0.6 + 0.2 * abs(few.share - many.share) / 100, parts


def _tell_level(debrief: Debrief, level: Level) -> str:
    got = debrief.tell_share("loops.got", level.counted, level.lines, "counted")
    return debrief.tell("loops.each", loops=level.loops, lines=level.lines, got=got)


def find_empty_numbers(debrief: Debrief) -> Finding | None:
    """Find the numbers that brought nobody points."""
    empty: list[tuple[Round, int]] = []
    numbers = 0
    for played in debrief.rounds:
        scored = {answer.number for answer in played.answers if answer.points}
        empty += [(played, number) for number in played.loops if number not in scored]
        numbers += len(played.loops)
    if not empty:
        return None
    empty.sort(key=lambda line: -line[0].loops[line[1]])
    parts: Parts = [debrief.tell("empty.all", empty=len(empty), numbers=numbers)]
    parts += [_tell_empty_number(debrief, played, number) for played, number in empty[:SOME]]
    return 0.45 + 0.4 * len(empty) / numbers, parts


def _tell_empty_number(debrief: Debrief, played: Round, number: int) -> str:
    """Return how many wrote something for *number*, and how many words the lexicon knows."""
    words = debrief.reader(played).name_spool(played, number)
    answers = len(played.answers_to(number, played.game.seats))
    if answers:
        sentence = debrief.tell("empty.each", number=number, words=words, wrote=answers)
    else:
        sentence = debrief.tell("empty.unwritten", number=number, words=words)
    tags = played.design.words(number)
    lexicon = lexicon_words(played.game.pack, debrief.language)
    if NO_TAG in tags or not lexicon:
        return debrief.begin(played, sentence)
    fitting = len(find_fitting(lexicon, tags))
    words_known = debrief.tell("empty.unknown")
    if fitting:
        words_known = debrief.tell("empty.known", count=fitting)
    return debrief.begin(played, sentence, words_known)


# Votes


def find_votes(debrief: Debrief) -> Finding | None:
    cases = [(played, case) for played in debrief.rounds for case in played.cases if case.verdict]
    if not cases:
        return None
    challenges = [case for _, case in cases if case.challenger != NOBODY]
    doubts = [case for _, case in cases if case.challenger == NOBODY]
    shares: list[str] = []
    if len(challenges) >= FEW:
        called = len(challenges)
        upheld = sum(case.verdict in ("upheld", "keep") for case in challenges)
        values = {"called": called}
        if 0 < upheld < called:
            values["rejected"] = called - upheld
        shares.append(debrief.tell_share("votes.all", upheld, called, "upheld", **values))
    if len(doubts) >= FEW:
        same = sum(case.verdict == "same" for case in doubts)
        total = len(doubts)
        shares.append(debrief.tell_share("votes.doubts", same, total, "same", doubts=total))
    parts: Parts = [debrief.together(*shares)] if shares else []
    cases.sort(key=lambda case: -_closeness(case[1]))
    parts += [_tell_vote(debrief, played, case) for played, case in cases[:SOME]]
    return 0.45 + 0.4 * _closeness(cases[0][1]), parts


def _tell_vote(debrief: Debrief, played: Round, case: Case) -> str:
    reader = debrief.reader(played)
    answers = reader.quote(_distinct(played.answers_to(case.number, case.seats)))
    values = {"number": case.number, "seats": case.seats, "answers": answers}
    if (case.yes == 0) != (case.no == 0):  # all agreed
        votes = case.yes + case.no
        name = f"votes.agreed.{case.verdict}"
        return debrief.begin(played, debrief.tell(name, played.place, **values, votes=votes))
    words = reader.tell(f"case.{case.verdict}", **values, yes=case.yes, no=case.no)
    return debrief.begin(played, words)


def _closeness(case: Case) -> float:
    """Return how close a vote was, from 0 for agreement or no votes to 1 for a tie."""
    return 2 * min(case.yes, case.no) / max(1, case.yes + case.no)


# Stopping


class Stop(NamedTuple):
    """The first stop in a round, and what came of it."""

    played: Round
    seat: Seat
    holes: int  # of the button
    blank: int  # lines left blank
    missed: int  # points that others got for these numbers, one answer each
    points: int  # of the round, with the button
    best: int  # the most points of any player


def first_stop(played: Round) -> Stop | None:
    """Return the first stop in a finished round, ``None`` if there was none."""
    if not played.stops:
        return None
    seat, holes = played.stops[0]
    blank = played.blank_lines(seat)
    scored = {answer.number for answer in played.answers if answer.points}
    missed = sum(played.worth[number] for number in blank & scored)
    points = [
        _answer_points(played, player) + played.button_points(player)
        for player in played.game.seats
    ]
    return Stop(played, seat, holes, len(blank), missed, points[seat], max(points))


def _answer_points(played: Round, seat: Seat) -> int:
    return sum(answer.points for answer in played.pad(seat))


def find_stops(debrief: Debrief) -> Finding | None:
    stops = [stop for played in debrief.rounds if (stop := first_stop(played))]
    if not stops:
        return None
    most = sum(stop.points == stop.best for stop in stops)
    blank = sum(stop.blank for stop in stops)
    worth = 0.45 + 0.3 * (1 - most / len(stops)) + 0.1 * bool(blank)
    if not debrief.one and len(stops) >= FEW:
        return worth, [_tell_stops(debrief, stops, most)]
    parts: Parts = [_tell_stop(debrief, stop) for stop in stops]
    last = stops[-1].played
    return worth, [*parts, race(debrief.reader(last), last)]


def _tell_stops(debrief: Debrief, stops: Sequence[Stop], most: int) -> str:
    """Return what stopping first brought on average; *most* of the *stops* got the most points."""
    sentence = debrief.tell_share("stop.class", most, len(stops), "most", stops=len(stops))
    blank = number(sum(stop.blank for stop in stops) / len(stops))
    missed = number(sum(stop.missed for stop in stops) / len(stops))
    if not blank:
        return sentence
    if missed:
        return debrief.together(sentence, debrief.tell("stop.blank", blank=blank, missed=missed))
    return debrief.together(sentence, debrief.tell("stop.blank_free", blank=blank))


def _tell_stop(debrief: Debrief, stop: Stop) -> str:
    name = "stop.first_full"
    values = {"round": stop.played.number, "seat": stop.seat, "holes": stop.holes}
    if stop.blank:
        name = "stop.first_free"
        values["blank"] = stop.blank
    if stop.missed:
        name = "stop.first"
        values["missed"] = stop.missed
    words = debrief.tell(name, stop.played.place, **values)
    if stop.points < stop.best:
        points = debrief.tell("stop.points", points=stop.points, best=stop.best)
    else:
        points = debrief.tell("stop.most", points=stop.points)
    return debrief.begin(stop.played, words, points)


def race(reader: Reader, played: Round) -> Picture:
    """Return a picture of a round: the players in the order of stopping, and their points."""
    language = reader.language

    def word(name: str, /, **values: Any) -> str:
        return game_text("knitwit", f"debrief.race.{name}", language, **values)

    stopped = [seat for seat, _ in played.stops]
    order = stopped + [seat for seat in played.game.seats if seat not in stopped]
    names = [reader.names[seat] for seat in order]
    for place in range(len(stopped)):
        names[place] = f"{place + 1}. {names[place]}"
    answers = [_answer_points(played, seat) for seat in order]
    holes = [played.button_points(seat) for seat in order]
    sums = [points + more for points, more in zip(answers, holes)]
    panel = Panel(
        [*stack_bars({word("answers"): answers, word("holes"): holes})],
        x=Axis(word("x"), low=0, high=max(1, *sums)),
        y=Axis(names=names, down=True),
    )
    sentences = [
        word("each", name=name, answers=points, holes=more)
        for name, points, more in zip(names, answers, holes)
    ]
    return plot(panel, " ".join(sentences), word("caption"), language, 1.9 + 0.45 * len(order))


MOMENTS: dict[str, Callable[[Debrief], Finding | None]] = {
    "clash": find_clashes,
    "rare": find_rare_answers,
    "loops": find_hard_levels,
    "empty": find_empty_numbers,
    "votes": find_votes,
    "stop": find_stops,
}
"""The functions that find a moment, by its name."""
