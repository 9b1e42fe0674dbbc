"""Time in a room goes by only as it is told to: grace, pauses, countdowns, and going on without
everybody.
"""

from random import Random

import pytest
from classroom import Classroom, class_of, known, replayed, short

from coursekit.core.game import TABLE
from coursekit.core.page_messages import MessageError
from coursekit.room.limits import AWAY
from coursekit.room.room import LONGEST_STEP
from coursekit.room.room_table import AGREE, ALONE, LONGER, PACE, WARNING

GRACE = 30


def their_turn(classroom, number=1):
    """Return the table and the phone whose turn it is, once all there have decided something."""
    table, rng = classroom.lesson.tables[number], Random(1)
    while set(table.people) - set(table.run.match.people or ()) or not [
        seat for seat in table.to_act if seat in table.people
    ]:
        classroom.turn(rng)
    seat = next(seat for seat in table.to_act if seat in table.people)
    (phone,) = [each for each in classroom.phones if each.page.person == table.people[seat]]
    return table, phone


def test_a_strategy_decides_for_who_is_silent_at_their_turn():
    classroom = class_of([[1, 2, 3]], short("wizard", 3))
    table, phone = their_turn(classroom)
    count = len(table.run.match.log)
    classroom.wait(GRACE - 1)
    assert (len(table.run.match.log), table.run.stood_in) == (count, set())
    classroom.wait(2 + PACE[1])
    assert table.run.match.log[count][0] == phone.place[1]
    assert table.run.stood_in == {phone.place[1]}
    assert classroom.events[-1].get("person") is None
    assert classroom.projector.last["room"]["tables"][0]["seats"][phone.place[1]]["stood_in"]


def test_a_first_decision_has_a_longer_grace():
    classroom = class_of([[1, 2, 3]], short("wizard", 3))
    table = classroom.lesson.tables[1]
    (seat,) = table.to_act
    classroom.wait(LONGER * GRACE - 1)
    assert not table.run.match.log
    classroom.wait(2 + PACE[1])
    assert table.run.match.log[0][0] == seat
    assert not table.run.match.people


def stand_in(phone):
    """Return what *phone* knows of a strategy that decides for its person."""
    return phone.last["stand_in"]


def test_who_is_about_to_be_replaced_is_told_ten_seconds_before_and_nobody_else():
    classroom = class_of([[1, 2, 3]], short("wizard", 3))
    _, phone = their_turn(classroom)
    classroom.wait(GRACE - WARNING - 1)
    assert stand_in(phone)["left"] is None
    classroom.wait(1)
    assert stand_in(phone)["left"] == pytest.approx(WARNING, abs=0.5)
    assert [each for each in classroom.phones if stand_in(each)["left"]] == [phone]
    phone.send("ping", touched=True)
    assert stand_in(phone)["left"] is None
    classroom.wait(GRACE - WARNING)
    assert stand_in(phone)["left"] == pytest.approx(WARNING, abs=0.5)


@pytest.mark.parametrize(
    ("stop", "go_on"),
    [
        ({"type": "pause", "on": True}, {"type": "pause", "on": False}),
        ({"type": "pause", "on": True, "table": 1}, {"type": "pause", "on": False}),
        ({"type": "step", "step": "rules"}, {"type": "step", "step": "play"}),
        ({"type": "ask", "words": "Why?", "own": True}, {"type": "close", "question": 0}),
    ],
    ids=["all paused", "one paused", "rules", "question"],
)
def test_the_countdown_ends_when_all_look_elsewhere_and_begins_anew_after_it(stop, go_on):
    classroom = class_of([[1, 2, 3]], short("wizard", 3))
    table, phone = their_turn(classroom)
    classroom.wait(GRACE - WARNING + 5)
    assert stand_in(phone)["left"] == pytest.approx(WARNING, abs=0.5)  # the phone counts itself
    classroom.order(**stop)
    classroom.wait(GRACE)
    assert stand_in(phone)["left"] is None
    classroom.order(**go_on)
    classroom.wait(GRACE - WARNING - 1)
    assert stand_in(phone)["left"] is None
    classroom.wait(2)
    assert stand_in(phone)["left"] == pytest.approx(WARNING, abs=0.5)
    assert table.run.stood_in == set()


@pytest.mark.parametrize(
    "order", [{"type": "end_now"}, {"type": "pause", "on": True}, {"type": "step", "step": "rules"}]
)
def test_a_phone_that_was_away_meanwhile_learns_that_a_countdown_has_ended(order):
    classroom = class_of([[1, 2, 3]], short("wizard", 3))
    _, phone = their_turn(classroom)
    classroom.order(type="stage", stage="think", seconds=60)
    classroom.wait(GRACE - WARNING + 5)
    classroom.order(type="stage", stage="")
    classroom.order(**order)
    classroom.wait(1)
    again = classroom.back(phone.person, f"key-of-{phone.person}!")
    assert stand_in(again)["left"] is None
    assert again.last["stage"]["stage"] == ""


@pytest.mark.parametrize("language", ["en", "zh-Hant"])
def test_who_was_replaced_is_told_what_the_strategy_did_until_they_touch_the_phone(language):
    classroom = class_of([[1, 2, 3]], short("wizard", 3))
    table = classroom.lesson.tables[1]
    phone = next(each for each in classroom.phones if each.place[1] in table.to_act)
    phone.send("language", language=language)
    classroom.wait(LONGER * GRACE + PACE[1] + 0.5)
    bid = table.run.match.log[0][1]
    told = {
        "en": [f"The computer predicts {bid} {'trick' if bid == 1 else 'tricks'}."],
        "zh-Hant": [f"電腦預測 {bid} 墩。"],
    }
    assert stand_in(phone)["on"]
    assert stand_in(phone)["did"] == told[language]
    again = classroom.back(phone.person, f"key-of-{phone.person}!")  # the page has been loaded anew
    again.send("language", language=language)
    assert (stand_in(again)["did"], stand_in(again)["count"]) == (told[language], 1)
    again.send("ping", touched=True)
    assert (stand_in(again)["did"], stand_in(again)["on"]) == ([], False)


def test_silence_among_others_who_decide_is_a_seats_own():
    classroom = class_of([[1, 2, 3]], short("wizard", 3, bid_mode="hidden"))
    table = classroom.lesson.tables[1]
    assert len(table.to_act) == 3
    classroom.wait(LONGER * GRACE - 2)
    quick = classroom.phones[0]
    quick.act(0)
    assert table.run.stood_in == set()
    classroom.wait(3)
    assert table.run.stood_in == {0, 1, 2} - {quick.place[1]}


def test_who_has_a_question_to_answer_is_not_replaced_until_then():
    classroom = class_of([[1, 2, 3]], short("wizard", 3))
    table, phone = their_turn(classroom)
    classroom.order("ask", words="Why?", own=True)
    classroom.wait(GRACE + 5)
    assert table.run.stood_in == set()
    phone.send("answer", n=phone.n + 1, question=0, text="so")
    classroom.wait(GRACE + 2)
    assert table.run.stood_in == {phone.place[1]}


def test_an_open_question_holds_no_table_for_ever():
    classroom = class_of([[1, 2, 3]], short("wizard", 3))
    table, phone = their_turn(classroom)
    classroom.order("ask", words="Why?", own=True)
    classroom.wait(60 + GRACE + 2)
    assert table.run.stood_in == {phone.place[1]}


def test_a_lesson_that_goes_on_stands_still_until_the_teacher_goes_on():
    classroom = class_of([[1, 2, 3]], short("wizard", 3))
    their_turn(classroom)
    again = Classroom(events=classroom.events)
    again.room.hold()
    before = known(again.lesson)
    again.wait(10 * GRACE)
    phones = [again.back(person, f"key-of-{person}!") for person in (1, 2, 3)]
    again.wait(2 * GRACE)
    assert known(again.lesson)["tables"] == before["tables"]
    assert "has not let the lesson go on" in phones[0].last["room"]["still"]["words"]
    again.order("pause", on=False)
    assert phones[0].last["room"]["still"] is None
    again.wait(GRACE + 2)
    assert known(again.lesson)["tables"] != before["tables"]
    assert {phone.place[1] for phone in phones} == {0, 1, 2}


def test_after_a_break_tables_are_as_they_were_paused_ones_too():
    classroom = class_of([[1, 2, 3], [4, 5, 6]], short("wizard", 3))
    classroom.order("pause", on=True, table=2)
    again = Classroom(events=classroom.events)
    again.room.hold()
    again.collect()
    assert [table["paused"] for table in again.console.last["room"]["tables"]] == [True, True]
    again.order("pause", on=False)
    assert [table["paused"] for table in again.console.last["room"]["tables"]] == [False, True]
    assert known(again.lesson) == known(classroom.lesson)
    again.room.hold()
    again.order("pause", on=False, table=2)
    assert [table["paused"] for table in again.console.last["room"]["tables"]] == [True, False]


def test_no_table_goes_on_while_no_phone_can_get_in():
    classroom = class_of([[1, 2, 3]], short("wizard", 3))
    their_turn(classroom)
    classroom.order("pause", on=True)
    classroom.room.open = False
    (answer,) = [each for each in classroom.order("pause", on=False) if each["type"] == "refused"]
    assert answer["text"].startswith("The room is not open")
    before = known(classroom.lesson)["tables"]
    classroom.wait(3 * GRACE)
    assert known(classroom.lesson)["tables"] == before


def test_a_wish_to_go_on_is_in_the_file_before_it_is_answered():
    classroom = class_of([[1, 2, 3]], short("wizard", 3, short_game=2))
    rng, table = Random(4), classroom.lesson.tables[1]
    while TABLE not in table.game.to_act(table.run.match.state):
        classroom.turn(rng)
    phone = classroom.phones[0]
    action = table.game.legal_actions(table.run.match.state, TABLE)[0]
    assert [each["type"] for each in phone.act(action, table=True) if each["type"] != "view"] == [
        "done"
    ]
    again = replayed(classroom)
    assert set(again.tables[1].ready) == {phone.place[1]}
    assert again.people[phone.person].has_done(phone.n)


def test_no_time_goes_by_while_phones_show_no_table():
    classroom = class_of([[1, 2, 3]], short("wizard", 3))
    table, phone = their_turn(classroom)
    classroom.order("step", step="rules", free=False)
    before = table.time
    classroom.wait(2 * GRACE)
    assert (table.time, table.run.stood_in) == (before, set())
    classroom.order("step", step="play", free=False)
    classroom.wait(GRACE + 2)
    assert table.run.stood_in == {phone.place[1]}


def test_the_first_touch_gives_the_seat_back():
    classroom = class_of([[1, 2, 3]], short("wizard", 3))
    table, phone = their_turn(classroom)
    seat, count = phone.place[1], len(table.run.match.log)
    while seat not in table.run.stood_in:
        classroom.wait(0.5)
    phone.send("ping", touched=True)
    assert table.run.stood_in == set()
    classroom.wait(GRACE - 1)
    assert len(table.run.match.log) == count
    assert not classroom.projector.last["room"]["tables"][0]["seats"][seat]["stood_in"]
    phone.act(table.game.legal_actions(table.run.match.state, seat)[0])
    assert table.run.match.log[count][0] == seat


def test_an_answer_that_comes_after_the_touch_is_dropped():
    classroom = class_of([[1, 2, 3]], short("wizard", 3))
    table, phone = their_turn(classroom)
    seat = phone.place[1]
    jobs = []
    while not jobs:
        jobs = classroom.room.pass_time(0.5)
    count = len(table.run.match.log)
    phone.send("ping", touched=True)
    classroom.room.accept_decision(jobs[0], jobs[0].observation.legal[0])
    assert (jobs[0].seat, len(table.run.match.log)) == (seat, count)


def test_a_touch_without_a_decision_starts_the_grace_anew():
    classroom = class_of([[1, 2, 3]], short("wizard", 3))
    table, phone = their_turn(classroom)
    count = len(table.run.match.log)
    for _ in range(4):
        classroom.wait(GRACE - 5)
        phone.send("ping", touched=True)
    assert len(table.run.match.log) == count
    for _ in range(3):  # a sign of life is no touch
        classroom.wait(GRACE / 2)
        phone.send("ping")
    assert len(table.run.match.log) > count


def test_a_pause_stops_all_clocks():
    classroom = class_of([[1, 2, 3], [4, 5, 6]], short("wizard", 3))
    table, phone = their_turn(classroom)
    classroom.wait(GRACE - 5)
    classroom.order("pause", on=True, table=1)
    before = known(classroom.lesson)["tables"]
    classroom.wait((LONGER + 1) * GRACE, away=(phone,))
    assert known(classroom.lesson)["tables"][1] == before[1]
    assert known(classroom.lesson)["tables"][2] != before[2]  # it goes on: strategies stand in
    assert (
        phone.act(table.game.legal_actions(table.run.match.state, phone.place[1])[0])[-1]["type"]
        == "refused"
    )
    classroom.order("pause", on=False, table=1)
    classroom.wait(GRACE - 1)
    assert table.run.stood_in == set()
    classroom.wait(2)
    assert table.run.stood_in


def test_a_thought_that_comes_during_a_pause_is_asked_for_again():
    classroom = class_of([[1, "", ""]], short("wizard", 3))
    table = classroom.lesson.tables[1]
    jobs, rng = [], Random(1)
    while not jobs:
        jobs = classroom.room.pass_time(0.5)
        if not jobs and 0 in table.to_act:
            classroom.turn(rng)
    classroom.order("pause", on=True)
    count = len(table.run.match.log)
    classroom.room.accept_decision(jobs[0], jobs[0].observation.legal[0])
    assert len(table.run.match.log) == count
    classroom.order("pause", on=False)
    classroom.wait(3)
    assert len(table.run.match.log) > count


def test_a_computer_that_slept_uses_up_nobodys_time():
    classroom = class_of([[1, 2, 3]], short("wizard", 3))
    table, _ = their_turn(classroom)
    for _ in range(5):
        classroom.room.pass_time(600)
    assert classroom.room.time <= 5 * LONGEST_STEP + 1
    assert table.time <= 5 * LONGEST_STEP + 60
    assert table.run.stood_in == set()
    before = classroom.room.time
    classroom.room.pass_time(-5)
    assert classroom.room.time == before


def test_who_gives_no_sign_is_away():
    classroom = class_of([[1, 2, 3]], short("wizard", 3))
    phone = classroom.phones[0]
    classroom.wait(AWAY - 1, away=(phone,))
    assert classroom.room.is_here(1)
    classroom.wait(1.5, away=(phone,))
    assert not classroom.room.is_here(1)
    phone.send("ping")
    assert classroom.room.is_here(1)
    classroom.room.leave(phone.page)
    assert not classroom.room.is_here(1)


def waiting_for_the_table():
    """Return a class whose table only has to go on."""
    classroom = class_of([[1, 2, 3]], short("wizard", 3))
    table, rng = classroom.lesson.tables[1], Random(2)
    for _ in range(300):
        if table.game.to_act(table.run.match.state) == (TABLE,):
            return classroom, table
        classroom.turn(rng)
    raise AssertionError("no such moment")


def test_a_table_goes_on_once_all_who_are_here_want_to():
    classroom, table = waiting_for_the_table()
    count = len(table.run.match.log)
    for number, phone in enumerate(classroom.phones):
        assert len(table.run.match.log) == count
        action = table.game.legal_actions(table.run.match.state, TABLE)[0]
        phone.act(action, table=True)
        if number == 0:
            notice = phone.view["notice"]
            assert "Ann 2" in notice
            assert "Ann 3" in notice
            assert "Ann 1" not in notice
    assert len(table.run.match.log) == count + 1


def test_who_is_away_is_not_waited_for():
    classroom, table = waiting_for_the_table()
    count, away = len(table.run.match.log), classroom.phones[2]
    classroom.wait(AWAY + 1, away=(away,))
    for phone in classroom.phones[:2]:
        assert len(table.run.match.log) == count
        phone.act(table.game.legal_actions(table.run.match.state, TABLE)[0], table=True)
    assert len(table.run.match.log) == count + 1


def test_a_table_goes_on_some_time_after_one_wants_to():
    classroom, table = waiting_for_the_table()
    count = len(table.run.match.log)
    classroom.wait(5)
    classroom.phones[0].act(table.game.legal_actions(table.run.match.state, TABLE)[0], table=True)
    classroom.wait(AGREE - 1)
    assert len(table.run.match.log) == count
    classroom.wait(1)
    assert len(table.run.match.log) == count + 1


def test_a_table_goes_on_by_itself_in_the_end():
    classroom, table = waiting_for_the_table()
    count, since = len(table.run.match.log), table.since
    classroom.wait(ALONE - (table.time - since) - 1)
    assert len(table.run.match.log) == count
    classroom.wait(2)
    assert len(table.run.match.log) == count + 1


@pytest.mark.parametrize(
    ("game", "players"), [("wizard", 3), ("wikipedia", 2), ("blockade", 4), ("knitwit", 3)]
)
def test_a_table_whose_people_have_all_left_plays_on_to_its_end(game, players):
    options = {"loops": 2} if game == "knitwit" else {"short_game": 2} if game == "wizard" else {}
    classroom = class_of([[*range(1, players), ""]], short(game, players, **options))
    for phone in classroom.phones:
        classroom.room.leave(phone.page)
    classroom.phones.clear()
    classroom.room.leave(classroom.projector.page)
    classroom.order("set", grace=5)
    table = classroom.lesson.tables[1]
    for _ in range(60):
        classroom.wait(60)
        if table.over:
            break
    assert table.over, (table.run.match.state.phase, table.to_act, table.run.stood_in)


def test_a_table_without_people_plays_by_itself():
    classroom = class_of([["", "", ""]], short("wizard", 3, short_game=1))
    for _ in range(30):
        classroom.wait(10)
    assert classroom.lesson.all_over


# Knit Wit's countdowns


def writing(seats=(1, 2), **options):
    """Return a class that is about to write, and its table."""
    classroom = class_of([list(seats)], short("knitwit", len(seats), **options))
    table = classroom.lesson.tables[1]
    while table.run.match.state.phase != "write":
        classroom.wait(0.5)
        for phone in classroom.phones:
            seat = phone.place[1]
            if seat not in table.to_act:
                continue
            legal = table.game.legal_actions(table.run.match.state, seat)
            if not isinstance(legal, tuple):
                (told,) = phone.send("suggest", **phone.moment(), seat=seat, n=0)
            phone.act(legal[0] if isinstance(legal, tuple) else told["action"])
    return classroom, table


def test_the_room_presses_what_runs_down_and_no_phone_does():
    classroom, table = writing(answer_time_limit=60)
    assert [*table.countdowns.values()] in ([60.0], [59.5])
    assert classroom.phones[0].view["left"] == table.countdowns
    classroom.wait(20)
    for phone in classroom.phones:
        assert phone.act("time", table=True)[-1]["type"] == "refused"
    assert table.ready == {}
    phone.send("ping", touched=True)
    classroom.wait(39)
    assert table.run.match.state.phase == "write"
    classroom.wait(1.5)
    assert table.run.match.state.phase != "write"
    assert table.run.match.log[-1] == (TABLE, "time")


def test_a_countdown_stands_still_in_a_pause_and_runs_on_when_somebody_else_sits_down():
    classroom, table = writing((1, 2, ""), answer_time_limit=60)
    classroom.wait(20)
    (left,) = table.countdowns.values()
    assert 38 < left <= 40
    classroom.order("pause", on=True)
    classroom.wait(100)
    assert list(table.countdowns.values()) == [left]
    classroom.order("pause", on=False)
    late = classroom.joined("Late")
    classroom.order("sit", table=1, seat=2, person=late.person)
    assert list(table.countdowns.values()) == [left]
    assert late.view["left"] == table.countdowns
    classroom.wait(5)
    (now,) = table.countdowns.values()
    assert left - 6 <= now <= left - 4
    classroom.order("back", table=1, entry=len(table.run.match.log))
    assert list(table.countdowns.values()) == [60.0]


def test_after_a_break_countdowns_and_planned_minutes_go_on_from_the_last_action():
    classroom, table = writing(answer_time_limit=60)
    classroom.wait(20)
    classroom.phones[0].act(("write", table.run.match.state.spools[0][0], "kite"))
    classroom.wait(5)
    again = replayed(classroom).tables[1]
    (left,), (before,) = again.countdowns.values(), table.countdowns.values()
    assert before == pytest.approx(left - 5, abs=0.2)
    assert again.time == pytest.approx(table.time - 5, abs=0.1)


# Ending


def test_a_table_ends_with_the_next_points():
    classroom = class_of([[1, 2, 3], [4, 5, 6]], short("wizard", 3))
    table, rng = classroom.lesson.tables[1], Random(1)
    classroom.turn(rng)
    classroom.order("ending", on=True, table=1)
    points = table.game.scores(table.run.match.state)
    assert classroom.phones[0].view["notice"]
    while not table.over:
        assert table.game.scores(table.run.match.state) == points
        classroom.turn(rng)
    assert not table.run.match.over
    assert table.game.scores(table.run.match.state) != points
    assert classroom.phones[0].act(0)[-1]["type"] == "refused"
    scene = classroom.phones[0].view["scenes"][-1]
    assert scene["prompt"].startswith("Ended after round 1. First: ")
    assert classroom.phones[0].view["notice"] == ""
    assert not classroom.lesson.tables[2].over
    count = len(table.run.match.log)
    classroom.wait(100)
    assert len(table.run.match.log) == count


def test_a_table_that_the_teacher_ends_now_plays_no_more_until_it_is_taken_back():
    classroom = class_of([[1, 2, 3], [4, 5, 6]], short("wizard", 3))
    one, other = classroom.lesson.current_tables
    classroom.turn(Random(1))
    classroom.order("end_now", table=1)
    assert (one.over, other.over) == (True, False)
    assert classroom.order("end_now", table=1)[0]["type"] == "refused"
    assert known(replayed(classroom)) == known(classroom.lesson)
    classroom.order("end_now")
    assert classroom.lesson.all_over
    assert not classroom.lesson.ended, "the lesson goes on: another deal may come"
    assert classroom.order("end_now")[0]["type"] == "refused", "no table plays"
    classroom.order("back", table=2, entry=0)
    assert not other.over
    assert known(replayed(classroom)) == known(classroom.lesson)


def test_an_ending_can_be_called_off():
    classroom = class_of([[1, 2, 3]], short("wizard", 3, short_game=2))
    rng, table = Random(1), classroom.lesson.tables[1]
    classroom.order("ending", on=True)
    classroom.order("ending", on=False)
    while not table.over:
        classroom.turn(rng)
    assert table.run.match.over


def test_nothing_happens_while_nothing_can_be_kept():
    classroom = class_of([[1, "", ""]], short("wizard", 3))
    classroom.room.trouble = MessageError("room.closed")
    before = known(classroom.lesson)
    for _ in range(100):
        assert classroom.room.pass_time(1) == []
    assert known(classroom.lesson) == before
    classroom.room.trouble = None
    classroom.wait(60)
    assert known(classroom.lesson) != before
