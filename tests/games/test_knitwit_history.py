"""What happened in a match: against what the state says in any match, and by hand in a small one."""

from collections import Counter
from typing import Any

import pytest

from coursekit.core.game import TABLE
from coursekit.core.match import Match, play_out, replay
from coursekit.core.strategy import AtRandom
from coursekit.games.knitwit import KnitWit, Options
from coursekit.games.knitwit.after.history import (
    CLASHED,
    COUNTED,
    REJECTED,
    UNDECIDED,
    count_forms,
    rate_originality,
    read_levels,
    read_pads,
    read_rounds,
)
from coursekit.games.knitwit.rules.state import NOBODY, OPEN, STRUCK, UPHELD
from coursekit.games.knitwit.rules.state import REJECTED as VOTED_OUT

FATES = {OPEN: COUNTED, UPHELD: COUNTED, STRUCK: CLASHED, VOTED_OUT: REJECTED}
VARIANTS: list[dict[str, Any]] = [
    {},
    {"order": "challenge_first"},
    {"fuzzy_dup": "auto", "rounds": 2},
    {"fuzzy_dup": "off", "answer_time_limit": 60},
    {"challenged_votes": False, "vote_of": "votes", "vote_threshold": 100},
]
every = pytest.mark.parametrize(
    "options", VARIANTS, ids=[", ".join(each) or "standard" for each in VARIANTS]
)
players_too = pytest.mark.parametrize("players", [2, 3, 8])


def played(players: int = 3, seed: str = "1", **options: Any) -> Match:
    return play_out(KnitWit(players, Options(**options)), [AtRandom] * players, seed)


def legal(match: Match, seat: int) -> tuple[Any, ...]:
    found: tuple[Any, ...] = match.game.legal_actions(match.state, seat)
    return found


def scored(*sheets: dict[int, str], challenge: tuple[int, int, int] = (-1, 0, 0)) -> Match:
    """Return a match of three in which these *sheets* were written, and players 1 and 2 stopped in
    this order.

    :param challenge: at which number, who challenges whom; all votes are against.
    """
    match = Match(KnitWit(3, Options(loops=8)), "5")
    for seat, action in played(3, "5", loops=8).log:  # the design is left to chance
        if match.state.phase == "write":
            break
        match.play(seat, action)
    for seat, sheet in enumerate(sheets):
        for number, text in sheet.items():
            match.play(seat, ("write", number, text))
    for seat in (0, 1):
        match.play(seat, "stop")
    while not match.over:
        at, who, whom = challenge
        voting = [
            seat
            for seat in match.game.to_act(match.state)
            if seat != TABLE and match.state.phase == "vote"
        ]
        if voting:
            match.play(voting[0], "no")
        elif at == match.game.observe(match.state, None).number and ("challenge", whom) in legal(
            match, who
        ):
            match.play(who, ("challenge", whom))
        else:
            match.play(TABLE, legal(match, TABLE)[0])
    return match


# Any match


@every
@players_too
def test_fates_and_points_are_those_of_the_state(players: int, options: dict[str, Any]) -> None:
    for seed in "12":
        match = played(players, seed, **options)
        found = read_rounds(match)
        assert [each.number for each in found] == list(range(1, match.game.options.rounds + 1))
        assert all(each.is_over for each in found)
        for each in found[-1].answers:
            assert each.text == match.state.sheets[each.seat][each.number - 1]
            assert each.fate == FATES[match.state.verdicts[each.seat][each.number - 1]]
        written = sum(text != "" for sheet in match.state.sheets for text in sheet)
        assert len(found[-1].answers) == written
        totals = [
            sum(
                sum(answer.points for answer in each.pad(seat)) + each.button_points(seat)
                for each in found
            )
            for seat in match.game.seats
        ]
        assert totals == match.state.points


@every
def test_stops_stand_in_the_order_of_the_log(options: dict[str, Any]) -> None:
    match = played(8, **options)
    stops = [seat for each in read_rounds(match) for seat, _ in each.stops]
    assert stops == [seat for seat, action in match.log if action == "stop"]
    holes = [holes for _, holes in read_rounds(match)[-1].stops if holes]
    assert holes == sorted(holes, reverse=True)


@every
def test_every_challenge_and_doubt_is_there_with_its_votes(options: dict[str, Any]) -> None:
    match = played(8, **options)
    cases = [case for each in read_rounds(match) for case in each.cases]
    told = Counter(event.text for events in match.events for event in events)
    assert sum(case.challenger != NOBODY for case in cases) == told["challenge"] > 0
    assert sum(case.challenger == NOBODY for case in cases) == told["vote_same"]
    assert [case.yes for case in cases] == [
        event.values["yes"]
        for events in match.events
        for event in events
        if event.text.startswith("closed.")
    ]
    assert all(case.verdict for case in cases)
    clashes = [seats for each in read_rounds(match) for _, seats in each.clashes]
    assert len(clashes) == told["clash"]


def test_while_a_number_lies_open_nothing_is_settled_that_is_not() -> None:
    match = played(4)
    go = next(
        n
        for n, events in enumerate(match.events)
        if any(event.text == "reveal" for event in events)
    )
    now = read_rounds(replay(match.record(), upto=go + 1, game=match.game))[0]
    assert not now.is_over
    assert {each.fate for each in now.answers} <= {UNDECIDED, CLASHED}
    assert read_pads([replay(match.record(), upto=go + 1, game=match.game)]) == []


# By hand


def test_same_words_clash_and_a_lost_vote_rejects() -> None:
    first, last = 1, 8
    match = scored(
        {first: "moon", last: "pear"},
        {first: "The Moons", last: "wheel"},
        {first: "sun"},
        challenge=(last, 0, 1),
    )
    now = read_rounds(match)[0]
    fates = {(each.seat, each.number): each.fate for each in now.answers}
    assert fates == {
        (0, first): CLASHED,
        (1, first): CLASHED,
        (2, first): COUNTED,
        (0, last): COUNTED,
        (1, last): REJECTED,
    }
    assert now.clashes == [(first, [0, 1])]
    (case,) = now.cases
    assert (case.number, case.seats, case.challenger, case.verdict, case.yes, case.no) == (
        last,
        [1],
        0,
        "rejected",
        0,
        3,
    )
    assert now.stops == [(0, 2), (1, 1)]


def test_fluency_counts_what_was_accepted_and_originality_what_nobody_else_wrote() -> None:
    match = scored({1: "moon", 2: "pear", 3: "tv"}, {1: "moon", 2: "fish"}, {4: "pear"})
    found = read_pads([match])
    assert [sheet.fluency for sheet in found] == [2, 1, 1]
    assert count_forms(found) == {"moon": 2, "pear": 2, "tv": 1, "fish": 1}
    assert rate_originality(found) == [pytest.approx(100 / 3), 50, 0]
    twice = read_pads([match, match])
    assert rate_originality(twice) == [0] * 6
    assert {pad.played_round.place for pad in twice} == {0, 1}


def test_a_sheet_without_answers_has_no_originality() -> None:
    assert rate_originality(read_pads([scored({1: "moon"}, {}, {})])) == [100, None, None]


def test_the_same_word_on_two_lines_of_different_sheets_counts_once_a_sheet() -> None:
    found = read_pads([scored({1: "moon"}, {2: "moons"}, {3: "MOON"})])
    assert count_forms(found) == {"moon": 3}
    assert [sheet.fluency for sheet in found] == [1, 1, 1]


@players_too
def test_by_loops_counts_every_line_once(players: int) -> None:
    matches = [played(players, seed) for seed in "123"]
    levels = read_levels(matches)
    lines = players * matches[0].game.setup.loops
    assert sum(each.lines for each in levels) == 3 * lines
    points = sum(each.points * each.lines for each in levels)
    buttons = sum(sum(match.state.taken) for match in matches)
    assert points + buttons == pytest.approx(sum(sum(match.state.points) for match in matches))
