"""Moments of Wikipedia and Books: every number in a sentence is counted again from the log, in
another way.
"""

import copy
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
from test_wikipedia_history import play, rigged

from coursekit.core.match import Match, play_out, replay
from coursekit.figures import Picture
from coursekit.games.wikipedia import Options, Wikipedia
from coursekit.games.wikipedia.after import debrief
from coursekit.games.wikipedia.after.debrief import Story, find_repair, find_vandals
from coursekit.games.wikipedia.after.debrief.decisions import list_bets, list_cures
from coursekit.games.wikipedia.rules.odds import scores_after_draw
from coursekit.games.wikipedia.strategies import CarefulScholar, Editor, HonestStudent, Vandal
from coursekit.kit.debrief_moment import Moment, Played
from coursekit.reflect.debrief_story import FEW
from coursekit.words.texts import LANGUAGES

KINDS = [Editor, Vandal, HonestStudent, CarefulScholar]
NAMES = ("repair", "vandals", "risk", "forced", "works", "turning", "die")


def match_of(players: int, seed: str, **options: Any) -> Match:
    return play_out(
        Wikipedia(players, Options(points_to_win=3, **options)), (KINDS * 2)[:players], seed
    )


ONE = match_of(4, "debrief 83")
CLASS = [match_of((2, 4)[number % 2], f"class {number}") for number in range(6)]


def numbers_in(words: str) -> list[float]:
    return [float(each) for each in re.findall(r"\d+(?:\.\d+)?", words)]


def numbers(moment: Moment) -> list[float]:
    """Return all numbers in the sentences of *moment*."""
    return numbers_in(" ".join(part for part in moment.parts if isinstance(part, str)))


def rounds_of(match: Match) -> int:
    return sum(event.text == "round" for row in [match.opening, *match.events] for event in row)


def moments(matches: Sequence[Match], language: str) -> list[Moment]:
    """Return the moments of matches of which nobody knows who played."""
    return debrief.moments([Played(each) for each in matches], language)


def story(match: Match, *people: int) -> Story:
    return Story([Played(match, people)], "en")


@cache
def told_of(*matches: Match) -> list[Moment]:
    return moments(matches, "en")


def found(matches: list[Match], name: str) -> Moment:
    return next(each for each in told_of(*matches) if each.name == name)


def steps(matches: list[Match]) -> Iterator[tuple[Any, int, str, Any, int]]:
    """Yield for every action the state before it, the seat, the action, the state after it and the
    match.
    """
    for number, match in enumerate(matches):
        states: list[Any] = []
        record = match.record()
        replay(
            record,
            game=match.game,
            watch=lambda now, seat, action: states.append(copy.deepcopy(now.state)),  # noqa: B023
        )
        states.append(match.state)
        for (seat, action), (before, after) in zip(record.log, pairwise(states)):
            yield before, seat, action, after, number


class Counted:
    """What happened in *matches*, counted from states instead of events."""

    def __init__(self, matches: list[Match]) -> None:
        self.n: Counter[str] = Counter()
        self.by: Counter[int] = Counter()
        self.laid: list[tuple[str, int]] = []  # (what became of it, turns)
        self.used: list[float] = []
        self.spoilt: set[tuple[int, int]] = set()
        self.touched: set[tuple[int, int]] = set()
        laid: dict[int, int] = {}
        for before, seat, action, after, number in steps(matches):
            game = matches[number].game
            if action == "vandal":
                self.n["own" if before.author == seat else "others"] += 1
                self.n["against" if before.user >= 0 else "early"] += 1
                self.by[seat] += 1
                assert before.roles[seat] == "student"
                self.touched.add((number, before.round))
                laid[number] = before.turns
            elif before.vandal >= 0 and after.vandal < 0:
                cured = action == "revise"
                self.laid.append(("cured" if cured else "given_up", before.turns - laid[number]))
            if before.phase == "cure" and "revise" in before.hands[seat]:
                must = before.roles[seat] == "scholar"
                kind = "must" if must else "own" if before.user == seat else "others'"
                self.n[f"{kind} could"] += 1
                self.n[f"{kind} did"] += action == "revise"
            if action == "wiki":
                self.n["students"] += after.roles.count("student")
            if action in ("wiki", "book"):
                self.n[f"{action} written"] += 1
            if action == "use":
                self.used.append(float(scores_after_draw(game, game.observe(before, seat))))
            if action == "roll":
                self.n[f"{before.work} thrown"] += 1
                self.n[f"{before.work} wrong"] += after.die <= {"wiki": 4, "book": 1}[before.work]
            if action == "next":
                gained = sum(after.points) - sum(before.points)
                self.n[f"{before.work} scored"] += gained > 0
                self.n[f"{before.work} users"] += (
                    after.points[before.user] > before.points[before.user]
                )
                self.n[f"{before.work} points"] += gained
                self.n["mended"] += before.repaired


@pytest.mark.parametrize("matches", [[ONE], CLASS], ids=["one", "class"])
def test_every_number_is_what_the_log_says(matches: list[Match]) -> None:
    count, many = Counted(matches), len(matches) > 1
    n, times = count.n, len(count.laid)
    assert times > 3
    assert times == n["own"] + n["others"]
    cured = [turns for fate, turns in count.laid if fate == "cured"]
    assert f"Wikipedia was vandalised {times} times in all: {len(cured)} were mended later" in str(
        found(matches, "repair")
    )
    both = [
        [n[one], n[other]] if n[one] and n[other] else []
        for one, other in (("own", "others"), ("against", "early"))
    ]
    what, students, *_ = [str(part) for part in found(matches, "vandals").parts]
    assert numbers_in(what) == [times, *both[0], *both[1]]
    assert students.startswith("By the rules only students")
    assert numbers_in(students) == [n["students"], times]
    risk = numbers(found(matches, "risk"))
    low = sum(chance < 0.5 for chance in count.used)
    boldest = f"with a chance of {100 * min(count.used):.0f}%."
    assert sum(boldest in str(part) for part in found(matches, "risk").parts) == 1
    assert risk[:2] == [len(count.used), n["wiki scored"] + n["book scored"]]
    sides = [
        (low, "With a chance below 50% it"),
        (len(count.used) - low, "With a chance of 50% or more it"),
    ]
    for uses_there, says in sides:
        said = f"{says} was played {uses_there} times; "
        assert (said in str(found(matches, "risk").parts[0])) == (uses_there >= FEW)
    told = {name: numbers(found(matches, name)) for name in ("forced", "works", "die")}
    expected = [n["must did"]]
    for kind in ("own", "others'"):
        did, could = n[f"{kind} did"], n[f"{kind} could"]
        if could >= FEW:
            expected += [did, could] if 0 < did < could else [could]
    assert n["must could"] == n["must did"] > 0
    assert told["forced"] == expected + [n["mended"]] * (n["mended"] > 0)
    rows: list[float] = []
    for work in ("wiki", "book"):
        thrown, scored, users = (n[f"{work} {part}"] for part in ("thrown", "scored", "users"))
        authors = n[f"{work} points"] - users
        rows += [
            n[f"{work} written"],
            thrown,
            *[scored] * (0 < scored < thrown),
            users,
            *[authors] * (authors > 0),
        ]
    assert told["works"][: len(rows)] == rows
    assert told["die"][:3] == [
        n["wiki thrown"],
        n["wiki wrong"],
        round(n["wiki thrown"] * 4 / 6, 1),
    ]
    assert told["die"][3] == round(2 * (n["wiki thrown"] * 2 / 9) ** 0.5)
    if many:
        some = len({number for number, _ in count.touched})
        says = f"There was vandalism in {some} of {len(matches)} matches."
        assert (says in str(found(matches, "repair").parts[0])) == (some < len(matches))
        more = [
            sum(Counted([each]).n[f"{work} points"] for work in ("book",))
            > Counted([each]).n["wiki points"]
            for each in matches
        ]
        assert (
            told["works"][len(rows) :]
            == [sum(more), len(matches)][0 if 0 < sum(more) < len(matches) else 1 :]
        )
    else:
        vandalised = [
            int(each)
            for each in re.findall(r"vandalised (\d+)", found(matches, "vandals").parts[-1].alt)
        ]
        assert vandalised == [count.by[seat] for seat in range(4)]


def test_the_longest_vandalism_is_told_with_who_when_and_how_long() -> None:
    quiet = ["discard book"] * 2
    match = play(rigged(2, "WUVRB", "TT"), "wiki", "vandal", *quiet, "revise", "use", "vandal")

    def told() -> Moment:
        moment = find_repair(story(match))
        assert moment is not None
        return moment

    assert told().where == "Looking at the match so far, up to round 1"
    assert find_vandals(story(match)) is None  # two are no share
    says = "round 1. Player 2 vandalised Wikipedia, and 3 turns (1.5 laps) went by until Player 1, a student, mended it."
    assert f"The longest: {says}" in told().parts
    assert str(told().parts[0]).endswith(": 1 was mended later; 1 is still there.")
    play(match, "give up", f"discard {match.state.hands[1][0]}")
    assert str(told().parts[0]).endswith(
        ": 1 was mended later; 1 was not mended, and the use had to be given up."
    )


def test_the_match_turned_where_the_winner_took_the_lead_for_good() -> None:
    for match in (ONE, *CLASS[:2]):
        if not any(each.name == "turning" for each in told_of(match)):
            continue
        sides = match.game.sides  # type: ignore[attr-defined]
        after: dict[int, tuple[int, ...]] = {}
        for before, _, action, state, _ in steps([match]):
            if action == "next":
                after[before.round] = tuple(sum(state.points[side::sides]) for side in range(sides))
        last = list(after)[-1]
        ahead = max(range(sides), key=lambda side: after[last][side])
        turn = last
        while turn > 1 and all(
            after[turn - 1][ahead] > each
            for side, each in enumerate(after[turn - 1])
            if side != ahead
        ):
            turn -= 1
        moment = found([match], "turning")
        assert moment.where == f"Looking at the whole match, {rounds_of(match)} rounds"
        assert str(moment.parts[0]).startswith(f"From round {turn} on, ")
        assert f"(the score was {':'.join(map(str, after[turn]))} then)" in moment.parts[0]


def test_many_matches_are_told_with_honest_denominators() -> None:
    moment = found(CLASS, "turning")
    decided = [
        each for each in CLASS if len({seat % each.game.sides for seat in each.state.won}) == 1
    ]  # type: ignore[attr-defined]
    says = (
        f"Finished with one side ahead: {len(decided)} of {len(CLASS)} matches"
        if len(decided) < len(CLASS)
        else f"All {len(CLASS)} matches were finished"
    )
    assert says in moment.parts[0]
    assert re.search(r"In \d of these, the side that led first won\.", str(moment.parts[0]))
    assert moment.where == "Looking at 6 matches"


@pytest.mark.parametrize("language", LANGUAGES)
def test_moments_are_sorted_whole_and_different_in_every_language(language: str) -> None:
    told = told_of(ONE) if language == "en" else moments([ONE], language)
    assert {each.name for each in told} == set(NAMES)
    assert [each.worth for each in told] == sorted((each.worth for each in told), reverse=True)
    assert all(0 <= each.worth <= 1 for each in told)
    for each in told:
        assert each.title
        assert each.ask[-1] in "?？"
        pictures = [part for part in each.parts if isinstance(part, Picture)]
        assert len(pictures) == 1
        assert pictures[0].alt
        assert "{" not in str(each)


def test_nothing_is_told_of_nothing() -> None:
    assert moments([], "en") == []
    assert moments([Match(Wikipedia(2), "new")], "en") == []


def test_few_cases_are_told_as_they_are_or_not_at_all() -> None:
    record, single = ONE.record(), 0
    for upto in range(0, len(record.log), 4):
        match = replay(record, upto, ONE.game)
        n, by_name = Counted([match]).n, {each.name: each for each in told_of(match)}
        vandalised, thrown = n["own"] + n["others"], n["wiki thrown"] + n["book thrown"]
        assert ("repair" in by_name) == (vandalised > 0)
        assert ("vandals" in by_name) == (vandalised >= FEW)
        assert ("works" in by_name) == (thrown >= FEW)
        assert ("die" in by_name) == (n["wiki thrown"] >= FEW)
        assert ("forced" in by_name) == (max(n["own could"], n["others' could"]) >= FEW)
        assert "turning" not in by_name or thrown >= FEW
        if vandalised == 1:
            single += 1
            (only,) = [part for part in by_name["repair"].parts if isinstance(part, str)]
            assert only.startswith("The only one: round 1. ")
    assert single > 0
    assert len(moments(CLASS[:2], "en")) > 0
    assert not any(each.name == "turning" for each in moments(CLASS[:2], "en"))


def test_decisions_are_those_of_people_while_a_match_runs_and_afterwards() -> None:
    record = ONE.record()
    running = replay(record, len(record.log) - 1, ONE.game)
    assert not running.over
    for match in (running, ONE):
        used, everybody = list_bets(story(match, 1)), list_bets(story(match))
        assert {each.seat for each in used} == {1}
        assert {each.seat for each in everybody} > {1}
        assert used == [each for each in everybody if each.seat == 1]
        assert len(list_cures(story(match, 1))) < len(list_cures(story(match)))
        both = list_bets(Story([Played(match, [1]), Played(CLASS[1], [0])], "en"))
        assert {(each.match, each.seat) for each in both} == {(0, 1), (1, 0)}


def test_players_are_called_what_the_record_calls_them() -> None:
    match = replay(ONE.record())
    match.names = ("小明", "小華", "阿花", "阿土")
    words = " ".join(str(each) for each in moments([match], "zh-Hant"))
    assert "小明" in words
    assert "玩家 1" not in words
