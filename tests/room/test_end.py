"""How a match ends, and what goes home: places, pages, numbers and the debrief."""

import re
from random import Random
from typing import Any
from unicodedata import category

import pytest
from classroom import Classroom, Phone, class_of, known, played, replayed, short
from hypothesis import example, given
from hypothesis import strategies as st

from coursekit.core.game import TABLE, pick_action
from coursekit.core.match import Match
from coursekit.files.file_names import FORBIDDEN, LONGEST, file_name
from coursekit.games.blockade import Blockade
from coursekit.games.knitwit import KnitWit
from coursekit.games.wikipedia import Wikipedia
from coursekit.kit import standing_of
from coursekit.kit.scene import places_of
from coursekit.room.class_debrief import describe_tables, played_matches
from coursekit.room.lesson_data import lesson_sheets
from coursekit.room.room_table import RoomTable


def play_rounds(classroom: Classroom, table: RoomTable, rounds: int, rng: Random) -> None:
    """Let all play until so many rounds of a table are scored, and then one decision more."""
    while table.standing.rounds < rounds:
        classroom.turn(rng)
    before = len(table.run.match.log)
    while len(table.run.match.log) < before + 2:
        classroom.turn(rng)


def seats_of(table: RoomTable) -> list[int]:
    """Return who decided, entry by entry."""
    return [seat for seat, _ in table.run.match.log]


def scene_of(phone: Phone) -> Any:
    return phone.view["scenes"][-1]


def own_page_of(phone: Phone) -> dict[str, Any]:
    (page,) = [each for each in phone.send("mine") if each["type"] == "page"]
    return page


def table_rows(classroom: Classroom, name: str) -> list[dict[str, Any]]:
    sheet = lesson_sheets(classroom.lesson, "en")[name]
    return [dict(zip(sheet.names, row, strict=True)) for row in sheet.rows]


def test_a_table_that_is_ended_now_has_winners_places_and_waits_for_nobody():
    classroom = class_of([[1, 2, 3]], short("wizard", 3, short_game=5))
    table = classroom.lesson.tables[1]
    play_rounds(classroom, table, 2, Random(1))
    points = table.game.scores(table.run.match.state)
    classroom.order("end_now", table=1)
    ranks = table.standing.ranks
    assert table.standing.points == points
    for phone in classroom.phones:
        scene = scene_of(phone)
        seat = phone.view["viewer"]
        assert scene["over"]
        assert not scene["turn"]
        assert scene["prompt"].startswith("Ended after round 2. First: ")
        assert not any(place["turn"] for place in places_of(scene))
        assert [place["seat"] for place in places_of(scene) if place["winner"]] == [
            seat for seat in range(3) if ranks[seat] == 1
        ]
        place = ["first", "second", "third"][ranks[seat] - 1]
        outcome = phone.last["room"]["outcome"]
        assert outcome.startswith(f"{points[seat]}".replace("-", "−"))
        assert outcome.endswith(f"{place} at this table")
    shown = classroom.projector.last["room"]["tables"][0]
    assert (tuple(shown["ranks"]), shown["how"]) == (ranks, "Ended after round 2")
    assert {row["ended"] for row in table_rows(classroom, "results")} == {"Ended after round 2"}
    assert "Table 1: Ended after round 2" in describe_tables(classroom.lesson, "en")
    assert "Ended after round 2" in own_page_of(classroom.phones[0])["text"]
    assert known(replayed(classroom)) == known(classroom.lesson)


def test_before_anything_is_scored_nobody_has_a_place():
    classroom = class_of([[1, 2, 3]], short("wizard", 3))
    classroom.turn(Random(1))
    classroom.order("end_now", table=1)
    scene = scene_of(classroom.phones[0])
    assert "before anything was scored" in scene["prompt"]
    assert not any(place["winner"] or place["badges"] for place in places_of(scene))
    assert {(row["place"], row["won"]) for row in table_rows(classroom, "results")} == {("", 0)}


def test_an_unfinished_round_of_wikipedia_counts_nothing_and_partners_stand_together():
    match = Match(Wikipedia(4), "seed")
    match.state.points = [1, 2, 1, 0]
    match.state.round = 5
    match.state.phase = "result"  # a right throw, not scored yet
    standing = standing_of(match)
    assert (standing.rounds, list(standing.points)) == (4, [1, 2, 1, 0])
    assert standing.ranks == (1, 1, 1, 1)
    assert standing.outcome(3, "en") == "2 points for the team, joint first at this table"
    match.state.points[0] = 0
    assert standing_of(match).ranks == (2, 1, 2, 1)
    assert standing_of(match).outcome(2, "en") == "1 point for the team, second at this table"


def test_an_unfinished_era_counts_by_distance():
    match = Match(Blockade(4), "seed")
    state = match.state
    state.positions = [3, 5, 3, 0]
    assert standing_of(match).points == [3, 4, 3, 1]
    assert standing_of(match).ranks == (2, 1, 2, 4)
    assert standing_of(match).end_words("blockade", "en").startswith("Ended within era 1")
    state.positions = [0, 0, 0, 0]
    assert standing_of(match).ranks == ()


def test_knit_wit_counts_the_rounds_that_were_scored():
    match, rng = Match(KnitWit(3, KnitWit.option_type(rounds=2, loops=3)), "seed"), Random(1)
    totals = []
    while not match.over:
        seat = rng.choice(match.game.to_act(match.state))
        match.play(seat, pick_action(match.game.legal_actions(match.state, seat), rng))
        standing = standing_of(match)
        assert standing.rounds == len(totals) + (match.state.phase in ("total", "over"))
        if match.state.phase == "total":
            totals.append(match.game.scores(match.state))
        elif totals and not match.over:
            assert tuple(standing.points) == totals[0]
    assert standing.winners == match.game.winners(match.state)


def test_decisions_and_results_belong_to_who_made_them():
    classroom = class_of([[1, 2, 3]], short("wizard", 3, short_game=3))
    table, rng = classroom.lesson.tables[1], Random(1)
    late = classroom.joined("Late")
    while table.standing.rounds < 1:
        classroom.turn(rng)
    classroom.order("strategy", table=1, seat=0)
    while (0, None) not in zip(seats_of(table), table.history.deciders):
        classroom.turn(rng)
    classroom.order("sit", table=1, seat=0, person=late.person)
    away = classroom.phones[2]
    classroom.phones = [phone for phone in classroom.phones if phone is not away]
    for _ in played(classroom, rng):
        pass
    match, history = table.run.match, table.history
    rows = table_rows(classroom, "decisions")
    assert [row["entry"] for row in rows] == list(range(len(match.log)))
    for row, (seat, _), decider in zip(rows, match.log, history.deciders, strict=True):
        if seat == TABLE:
            assert (row["pupil"], row["strategy"]) == ("", "")
        else:
            assert (row["pupil"] or None) == decider
            assert bool(row["strategy"]) == (decider is None)
    assert {row["pupil"] for row in rows if row["seat"] == 0} == {1, "", late.person}
    results = table_rows(classroom, "results")
    first, second, third = (row for row in results if row["seat"] == 0)
    assert (first["pupil"], first["place"]) == (1, "")
    assert (second["pupil"], second["stood_in"] > 0) == ("", True)
    assert (third["pupil"], third["points"]) == (late.person, table.standing.points[0])
    (absent,) = [row for row in results if row["seat"] == 2]
    assert absent["stood_in"] > 0
    about = describe_tables(classroom.lesson, "en")
    assert f"{absent['stood_in']} decisions that the computer took" in about
    (one,) = played_matches(classroom.lesson, "en")
    assert one.match.names[0] == "Ann 1, Late"
    assert not any(one.counts(2, row["entry"]) for row in rows if row["strategy"])
    assert known(replayed(classroom)) == known(classroom.lesson)


def test_a_decision_that_is_taken_back_belongs_to_nobody():
    classroom = class_of([[1, 2, 3]], short("wizard", 3))
    table, rng = classroom.lesson.tables[1], Random(1)
    for _ in range(5):
        classroom.turn(rng)
    classroom.order("back", table=1, entry=2)
    assert len(table.history.deciders) == len(table.run.match.log) == 2
    for _ in played(classroom, rng):
        pass
    assert len(table.history.deciders) == len(table.run.match.log)


def test_ones_own_page_says_who_is_you_and_who_was_replaced_has_one():
    classroom = class_of([[1, 2, 3], [4, 5, ""]], short("wizard", 3, short_game=2))
    replaced, rng = classroom.phones[0], Random(1)
    while classroom.lesson.tables[1].standing.rounds < 1:
        classroom.turn(rng)
    classroom.order("strategy", table=1, seat=0)
    assert not replaced.last["room"]["keeps"]
    for _ in played(classroom, rng):
        pass
    assert replaced.last["room"]["keeps"]
    assert "When you left your seat" in own_page_of(replaced)["text"]
    text = own_page_of(classroom.phones[1])["text"]
    assert len(re.findall('<tr class="own">', text)) == 1
    assert "answered" not in text
    assert "Ann 1" not in text
    table = classroom.lesson.tables[1]
    own = [entry for entry, who in enumerate(table.history.deciders) if who == 2]
    assert f"Your {len(own)} decisions" in text
    assert len(re.findall("<li>Ann 2 (?:predicts|plays)", text)) == len(own)


@pytest.mark.parametrize("on", [True, False])
def test_files_and_debrief_call_pupils_as_the_class_knows_them(on: bool):
    classroom = class_of([[1, 2, 3], [4, 5, 6]], short("wizard", 3, short_game=1))
    for _ in played(classroom, Random(1)):
        pass
    classroom.order("names", on=on)
    name = own_page_of(classroom.phones[0])["name"]
    assert name == ("Ann 1 Wizard.html" if on else "Pupil 1 Wizard.html")
    first, second = played_matches(classroom.lesson, "en")
    assert second.match.names[0] == ("Ann 4" if on else "Pupil 4")
    assert (first.title, second.title) == ("Table 1", "Table 2")


def test_the_projector_shows_the_debrief_once_no_table_plays():
    classroom = class_of([[1, 2, 3]], short("wizard", 3))
    assert classroom.order("debrief", slide=0)[0]["type"] == "refused"
    for _ in played(classroom, Random(1)):
        pass
    classroom.order("debrief", slide=1)
    assert classroom.projector.last["room"]["debrief"] == 1
    classroom.order("deal")
    assert classroom.projector.last["room"]["debrief"] is None


@given(st.text(st.characters(exclude_categories=()), max_size=300))
@example("CON")
@example("com1.txt")
@example("\ud800")
@example("a\u202eb")
def test_every_name_makes_a_file(words: str):
    name = file_name(words, "html")
    stem = name.removesuffix(".html")
    assert stem
    assert stem == stem.strip(". ")
    assert len(stem.encode()) <= LONGEST + 1
    assert not FORBIDDEN.search(name)
    assert {*map(category, name)}.isdisjoint(["Cc", "Cs", "Zl", "Zp"])
    assert not {*"\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"} & {*name}
    assert stem.split(".")[0].lower() not in ("con", "com1", "nul", "prn", "aux")
