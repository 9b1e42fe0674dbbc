"""What happened in a match: against what the state says in any match, and by hand in a small one."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from coursekit.core.errors import FileError
from coursekit.core.game import TABLE
from coursekit.core.match import Match, play_out, replay
from coursekit.core.strategy import AtRandom
from coursekit.games.knitwit import KnitWit, Options
from coursekit.games.knitwit.after.history import (
    CLASHED,
    COUNTED,
    REJECTED,
    UNDECIDED,
    by_loops,
    common,
    originality,
    rounds,
    saved,
    sheets,
)
from coursekit.games.knitwit.rules.state import NOBODY, OPEN, STRUCK, UPHELD
from coursekit.games.knitwit.rules.state import REJECTED as VOTED_OUT
from coursekit.kit import GAMES

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
        found = rounds(match)
        assert [each.number for each in found] == list(range(1, match.game.options.rounds + 1))
        assert all(each.ended for each in found)
        for each in found[-1].answers:
            assert each.text == match.state.sheets[each.seat][each.number - 1]
            assert each.fate == FATES[match.state.verdicts[each.seat][each.number - 1]]
        written = sum(text != "" for sheet in match.state.sheets for text in sheet)
        assert len(found[-1].answers) == written
        totals = [
            sum(
                sum(answer.points for answer in each.sheet(seat)) + each.holes(seat)
                for each in found
            )
            for seat in match.game.seats
        ]
        assert totals == match.state.points


@every
def test_stops_stand_in_the_order_of_the_log(options: dict[str, Any]) -> None:
    match = played(8, **options)
    stops = [seat for each in rounds(match) for seat, _ in each.stops]
    assert stops == [seat for seat, action in match.log if action == "stop"]
    holes = [holes for _, holes in rounds(match)[-1].stops if holes]
    assert holes == sorted(holes, reverse=True)


@every
def test_every_challenge_and_doubt_is_there_with_its_votes(options: dict[str, Any]) -> None:
    match = played(8, **options)
    cases = [case for each in rounds(match) for case in each.cases]
    told = Counter(event.text for events in match.events for event in events)
    assert sum(case.by != NOBODY for case in cases) == told["challenge"] > 0
    assert sum(case.by == NOBODY for case in cases) == told["vote_same"]
    assert [case.yes for case in cases] == [
        event.values["yes"]
        for events in match.events
        for event in events
        if event.text.startswith("closed.")
    ]
    assert all(case.verdict for case in cases)
    clashes = [seats for each in rounds(match) for _, seats in each.clashes]
    assert len(clashes) == told["clash"]


def test_while_a_number_lies_open_nothing_is_settled_that_is_not() -> None:
    match = played(4)
    go = next(
        n
        for n, events in enumerate(match.events)
        if any(event.text == "reveal" for event in events)
    )
    now = rounds(replay(match.record(), upto=go + 1, game=match.game))[0]
    assert not now.ended
    assert {each.fate for each in now.answers} <= {UNDECIDED, CLASHED}
    assert sheets([replay(match.record(), upto=go + 1, game=match.game)]) == []


# By hand


def test_same_words_clash_and_a_lost_vote_rejects() -> None:
    first, last = 1, 8
    match = scored(
        {first: "moon", last: "pear"},
        {first: "The Moons", last: "wheel"},
        {first: "sun"},
        challenge=(last, 0, 1),
    )
    now = rounds(match)[0]
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
    assert (case.number, case.seats, case.by, case.verdict, case.yes, case.no) == (
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
    found = sheets([match])
    assert [sheet.fluency for sheet in found] == [2, 1, 1]
    assert common(found) == {"moon": 2, "pear": 2, "tv": 1, "fish": 1}
    assert originality(found) == [pytest.approx(100 / 3), 50, 0]
    twice = sheets([match, match])
    assert originality(twice) == [0] * 6
    assert {sheet.match for sheet in twice} == {0, 1}


def test_a_sheet_without_answers_has_no_originality() -> None:
    assert originality(sheets([scored({1: "moon"}, {}, {})])) == [100, None, None]


def test_the_same_word_on_two_lines_of_different_sheets_counts_once_a_sheet() -> None:
    found = sheets([scored({1: "moon"}, {2: "moons"}, {3: "MOON"})])
    assert common(found) == {"moon": 3}
    assert [sheet.fluency for sheet in found] == [1, 1, 1]


@players_too
def test_by_loops_counts_every_line_once(players: int) -> None:
    matches = [played(players, seed) for seed in "123"]
    levels = by_loops(matches)
    lines = players * matches[0].game.setup.loops
    assert sum(each.lines for each in levels) == 3 * lines
    assert sum(each.written for each in levels) == sum(
        len(sheet.answers) for sheet in sheets(matches)
    )
    points = sum(each.points * each.lines for each in levels)
    buttons = sum(sum(match.state.taken) for match in matches)
    assert points + buttons == pytest.approx(sum(sum(match.state.points) for match in matches))


# Saved records


def test_a_folder_of_records_is_read_in_the_order_of_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, seed in (("b.json", "2"), ("a.json", "1")):
        (tmp_path / name).write_text(played(2, seed).record().dumps(), encoding="utf-8")
    (tmp_path / "notes.txt").write_text("no record")
    (tmp_path / "broken.json").write_text("{}")
    assert [match.seed for match in saved(tmp_path)] == ["1", "2"]
    assert capsys.readouterr().out.startswith("broken.json cannot be used: ")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "no record files"),
        ("{}", "a.json cannot be used: "),
        ('{"coursekit": 1', "a.json cannot be used: "),
        ("\ud800", "a.json"),
        ("wizard", "a.json is a record of Wizard, but this page reads only Knit Wit"),
    ],
)
def test_what_is_no_record_of_knit_wit_is_named(
    tmp_path: Path, content: str | None, says: str
) -> None:
    if content == "wizard":
        content = play_out(GAMES["wizard"].standard(3), [AtRandom] * 3, "1").record().dumps()
    if content is not None:
        (tmp_path / "a.json").write_bytes(content.encode("utf-8", "surrogatepass"))
    with pytest.raises(FileError) as error:
        saved(tmp_path, "en")
    assert says in error.value.sentence("en")
    assert error.value.sentence("zh-Hant") != error.value.sentence("en")
