"""Moments of one match and of a class: answers, votes and buttons counted once more, from the final
states.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from coursekit.core.match import Match, play_out, replay
from coursekit.core.strategy import AtRandom
from coursekit.figures import Picture
from coursekit.games.knitwit import KnitWit, Options
from coursekit.games.knitwit.after import debrief, design_sets
from coursekit.games.knitwit.after.debrief import MOMENTS, Debrief, race
from coursekit.games.knitwit.after.evidence import Reader
from coursekit.games.knitwit.after.history import read_rounds
from coursekit.games.knitwit.rules.state import OPEN, STRUCK, UPHELD, loops_around
from coursekit.kit.debrief_moment import Moment, Played
from coursekit.words.normalise import normalise
from coursekit.words.texts import LANGUAGES


def played(players: int = 4, seed: str = "3", **options: Any) -> Match:
    return play_out(KnitWit(players, Options(**options)), [AtRandom] * players, seed)


@pytest.fixture(scope="module")
def school() -> list[Match]:
    """Return the matches of a class, one round each, and one in which nothing is counted yet."""
    done = [played(players, str(seed), loops=5) for seed, players in enumerate((4, 6, 3, 8), 384)]
    return [*done, Match(KnitWit(4), "new")]


class Line:
    """One line of a sheet at the end of a match of one round, as the state has it."""

    def __init__(self, match: Match, seat: int, number: int) -> None:
        state = match.state
        self.match, self.seat, self.number = match, seat, number
        self.text = state.sheets[seat][number - 1]
        self.verdict = state.verdicts[seat][number - 1]
        self.loops = len(loops_around(state, number))
        self.points = self.loops if self.text and self.verdict in (OPEN, UPHELD) else 0
        self.clashed = self.text != "" and self.verdict == STRUCK


def lines(*matches: Match) -> list[Line]:
    return [
        Line(match, seat, number)
        for match in matches
        if match.over
        for seat in match.game.seats
        for number in match.game.numbers(match.state)
    ]


def words(parts: Sequence[Any]) -> list[str]:
    return [part for part in parts if isinstance(part, str)]


def numbers(sentence: str) -> list[int]:
    return [int(each) for each in re.findall(r"\d+", sentence)]


def moments(matches: Sequence[Match], language: str) -> list[Moment]:
    """Return the moments of matches of which nobody knows who played."""
    return debrief.moments([Played(each) for each in matches], language)


def told(matches: list[Match], name: str, people: Sequence[int] = ()) -> list[str]:
    """Return the sentences of one moment, the same seats being people in every match."""
    found = MOMENTS[name](Debrief([Played(each, people) for each in matches], "en"))
    assert found
    return words(found[1])


EXPECTED_EN: dict[str, list[str]] = {
    "clash": [
        "Of 26 answers, 10 clashed with somebody else's; together that cost 22 points.",
        "Number 6 (kind ∩ brand-new ∩ sour ∩ paper): Player 1, Player 3 wrote “電視”, “television”, "
        "4 points lost by each.",
        "Number 1 (kind ∩ huge ∩ poisonous): Player 1, Player 4 wrote “moon”, 3 points lost by each.",
        "Number 8 (huge ∩ poisonous): Player 2, Player 4 wrote “电视”, “電視”, 2 points lost by each.",
        "Number 3 (paper): Player 1, Player 3 wrote “apple”, 1 point lost by each.",
    ],
    "empty": [
        "For 1 of 8 spools nobody got points.",
        "Number 1 (kind ∩ huge ∩ poisonous): 2 answers written, none of which scored. "
        "(The computer's lexicon has no word for it either.)",
    ],
    "loops": [
        "Of 12 lines for spools inside 1 loop, 5 scored. Of 4 lines for spools inside 4 loops, 2 scored.",
        "The most points for a line, on average, came from spools inside 4 loops: 2.00 (4 lines in all).",
    ],
    "rare": [
        "Of 13 answers that scored on 4 sheets, 2 appeared on one sheet only. "
        "Those inside the most loops: “radio”, “電視機” (up to 4 loops).",
    ],
    "stop": [
        "In round 1 Player 3 stopped first, for a button of 3 points, and left 3 lines blank; the others' answers "
        "there were worth up to 5 points. That made 6 points in the round, when the most was 13.",
    ],
    "votes": [
        "Challenged: 16 answers; 13 stood, 3 did not.",
        "Number 2, “貓” by Player 2: 2 for, 2 against; it counts.",
        "Number 2, “一隻貓” by Player 1: 2 for, 2 against; it counts.",
        "Number 3, “電視機” by Player 4: 2 for, 2 against; it counts.",
        "Number 3, “moon” by Player 2: 2 for, 2 against; it counts.",
    ],
}


def test_a_match_in_words_the_best_moment_first() -> None:
    found = moments([played()], "en")
    assert {each.name: words(each.parts) for each in found} == EXPECTED_EN
    assert {each.where for each in found} == {"Looking at 1 finished round of this match"}
    assert [each.worth for each in found] == sorted((each.worth for each in found), reverse=True)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_moment_has_a_title_a_place_parts_and_one_question(
    school: list[Match], language: str
) -> None:
    for matches in ([school[1]], school):
        found = moments(matches, language)
        assert 5 <= len(found) <= len(MOMENTS)
        for each in found:
            assert 0 <= each.worth <= 1
            assert each.title
            assert each.where
            assert each.parts
            assert each.ask.count("？" if language != "en" else "?") >= 1
            for part in each.parts:
                assert "{" not in (part.alt if isinstance(part, Picture) else part)


def test_before_a_round_is_over_there_is_no_moment() -> None:
    assert moments([], "en") == []
    match = played()
    for upto in range(0, len(match.log) - 1, 9):
        assert moments([replay(match.record(), upto=upto, game=match.game)], "en") == []


# Counted once more


def test_clashes_are_those_of_the_states(school: list[Match]) -> None:
    written = [each for each in lines(*school) if each.text]
    struck = [each for each in written if each.clashed]
    first, often = told(school, "clash")
    assert numbers(first) == [len(written), len(struck), sum(each.loops for each in struck)]
    in_matches = Counter(
        form
        for match in school[:4]
        for form in {normalise(each.text) for each in struck if each.match is match}
    )
    named = re.findall("“([^”]*)”", often)
    assert [in_matches[normalise(each)] for each in named] == [
        times for _, times in in_matches.most_common(4)
    ]
    assert numbers(often)[-1] == in_matches[normalise(named[-1])] > 1
    for match in school[:4]:
        here = [each for each in lines(match) if each.clashed]
        groups = Counter((each.number, normalise(each.text)) for each in here)
        lost = sorted(
            (next(each.loops for each in here if each.number == number) for number, _ in groups)
        )
        shown = [numbers(line)[-1] for line in told([match], "clash") if line.startswith("Number")]
        assert len(shown) == min(4, len(lost))
        assert {*shown} <= {*lost}


def test_rare_answers_stand_on_one_sheet_of_all(school: list[Match]) -> None:
    told_of = 0
    for matches in (school, school[:1], [played()], [played(), school[0]], school[2:3]):
        sheets: dict[tuple[int, int], set[str]] = {}
        for each in lines(*matches):
            if each.text:
                sheets.setdefault((id(each.match), each.seat), set()).add(normalise(each.text))
        on = Counter(form for sheet in sheets.values() for form in sheet)
        players = [match.game.players for match in matches if match.over]
        for people in ((), (0, 2)):
            scored = [
                each
                for each in lines(*matches)
                if each.points and (not people or each.seat in people)
            ]
            alone = [each for each in scored if on[normalise(each.text)] == 1]
            if not alone:  # nothing to tell
                assert (
                    MOMENTS["rare"](Debrief([Played(each, people) for each in matches], "en"))
                    is None
                )
                continue
            told_of += 1
            (words_of_it,) = told(matches, "rare", people)
            share, _, best = words_of_it.partition("Those inside the most loops: ")
            own = [len(people) * len(players)] if people else []
            some = [len(alone)] if len(alone) < len(scored) else []
            every = [*own, *some, sum(players)] if people else [sum(players), *some]
            assert numbers(share) == [len(scored), *every] * (len(scored) > 2)
            assert best
    assert told_of > 1


def test_rare_answers_are_those_of_the_people_of_each_match(school: list[Match]) -> None:
    people = ([1], [0, 2])
    found = MOMENTS["rare"](Debrief([Played(*each) for each in zip(school, people)], "en"))
    assert found
    scored = [
        each
        for match, seats in zip(school, people)
        for each in lines(match)
        if each.points and each.seat in seats
    ]
    count, own, _, sheets, *_ = numbers(words(found[1])[0])
    assert (count, own, sheets) == (len(scored), 3, 10)


def test_loops_and_numbers_without_points_are_those_of_the_states(school: list[Match]) -> None:
    every = lines(*school)
    by_loops = {
        loops: [each for each in every if each.loops == loops]
        for loops in {each.loops for each in every}
    }
    few_and_many, best = told(school, "loops")
    expected: list[int] = []
    for loops in (min(by_loops), max(by_loops)):
        expected += [len(by_loops[loops]), loops, sum(each.points > 0 for each in by_loops[loops])]
    assert numbers(few_and_many) == expected
    means = {
        loops: sum(each.points for each in some) / len(some) for loops, some in by_loops.items()
    }
    top = max(means, key=lambda loops: means[loops])
    says = f"inside {top} loop{'s' if top > 1 else ''}: {means[top]:.2f} ({len(by_loops[top])} lines in all)."
    assert best.endswith(says)

    scored = {(id(each.match), each.number) for each in every if each.points}
    spools = {(id(each.match), each.number) for each in every}
    first, *each_one = told(school, "empty")
    assert numbers(first) == [len(spools - scored), len(spools)]
    assert len(each_one) == min(4, len(spools - scored)) > 2
    for line in each_one:
        at, number = numbers(line)[:2]
        match = school[at - 1]
        assert (id(match), number) in spools - scored
        tags = match.game.observe(match.state, None).words(number)
        assert (
            f"Number {number} ({' ∩ '.join(match.game.pack.tags[tag].en for tag in tags)})" in line
        )
        wrote = sum(each.text != "" for each in lines(match) if each.number == number)
        assert (f": {wrote} answer" if wrote else ": nobody wrote anything.") in line
        fit = sum(
            {*tags} <= word for word in design_sets.lexicon_words(match.game.pack, "en").values()
        )
        assert (f"lexicon has {fit} word" if fit else "lexicon has no word for it") in line


def test_the_closest_votes_come_first(school: list[Match]) -> None:
    called = upheld = doubts = 0
    for match in school:
        events = [event for events in match.events for event in events]
        called += sum(event.text == "challenge" for event in events)
        upheld += sum(event.text in ("closed.upheld", "keep") for event in events)
        doubts += sum(event.text == "vote_same" for event in events)
    count, *closest = told(school, "votes")
    assert numbers(count)[:4] == [called, upheld, called - upheld, doubts]
    margins = sorted(
        abs(event.values["yes"] - event.values["no"])
        for match in school
        for events in match.events
        for event in events
        if event.text.startswith("closed.")
    )
    assert margins[0] == 0
    for line in closest[: sum(margin == 0 for margin in margins)]:
        yes, no = numbers(line)[-2:]
        assert yes == no
        assert line.startswith("Match ")


def test_what_stopping_first_cost_is_what_others_got_there(school: list[Match]) -> None:
    stops = most = blanks = missed = 0
    for match in school[:4]:
        first = next(seat for seat, action in match.log if action == "stop")
        blank = {each.number for each in lines(match) if each.seat == first and not each.text}
        got = {
            each.number: each.points
            for each in lines(match)
            if each.number in blank and each.points
        }
        points = match.state.points
        stops, most = stops + 1, most + (points[first] == max(points))
        blanks, missed = blanks + len(blank), missed + sum(got.values())
        (line,) = told([match], "stop")
        left = [each for each in (len(blank), sum(got.values())) if each]
        total = [points[first]] if points[first] == max(points) else [points[first], max(points)]
        assert numbers(line) == [1, first + 1, match.state.taken[first], *left, *total]
    (line,) = told(school, "stop")
    assert numbers(line)[:2] == [stops, most]
    blank_each, missed_each = (
        f"{each / stops:.1f}".removesuffix(".0") for each in (blanks, missed)
    )
    assert f"They left {blank_each} line" in line
    assert f"up to {missed_each} point" in line
    assert missed > 0


def test_two_rounds_of_a_class_are_told_one_by_one(school: list[Match]) -> None:
    lines = told(school[:2], "stop")
    assert [line[:17] for line in lines if "stopped first" in line] == [
        "Match 1: In round",
        "Match 2: In round",
    ]
    assert not any("average" in line for line in lines)


def test_an_earlier_round_is_told_by_its_own_design() -> None:
    def both(match: Match) -> tuple[list[str], list[str]]:
        found = [
            MOMENTS["empty"](Debrief([Played(each)], "en")) for each in (first_round(match), match)
        ]
        return tuple(words(each[1]) if each else [""] for each in found)  # type: ignore[return-value]

    told_twice = (both(played(3, str(seed), loops=5, rounds=2)) for seed in range(30))
    before, after = next(
        each for each in told_twice if len(each[0]) > 1 and numbers(each[1][0])[0] <= 4
    )
    assert {*before[1:]} <= {*after[1:]}
    assert len(after) - 1 == numbers(after[0])[0]


def first_round(match: Match) -> Match:
    end = next(n for n, events in enumerate(match.events) if events[-1].text == "total") + 1
    return replay(match.record(), upto=end, game=match.game)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_picture_of_stopping_is_drawn_and_says_what_it_shows(language: str) -> None:
    match = played()
    shown = race(Reader(match, (), language), read_rounds(match)[-1])
    stopped = [seat for seat, action in match.log if action == "stop"]
    points, taken = match.state.points, match.state.taken
    expected = []
    for seat in [*stopped, *[seat for seat in match.game.seats if seat not in stopped]]:
        place = [stopped.index(seat) + 1] if seat in stopped else []
        expected += [*place, seat + 1, points[seat] - taken[seat], taken[seat]]
    assert numbers(shown.alt) == expected
    assert shown.svg
