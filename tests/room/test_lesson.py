"""Nothing is lost: what is in the lesson's file makes the same lesson again, and nothing happens
twice.
"""

import json
from itertools import permutations
from random import Random

import pytest
from classroom import CODE, SHORT, Classroom, class_of, known, played, replayed, short
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from coursekit.core.match import replay
from coursekit.reflect.questions import questions
from coursekit.room.lesson import STEPS, Lesson
from coursekit.room.lesson_data import lesson_sheets
from coursekit.room.people import TRIES

GAMES = [("wizard", 3), ("wizard", 4), ("wikipedia", 2), ("blockade", 4), ("knitwit", 2)]


def lesson_of_the_teacher(classroom, rng):
    """Give an order at random."""
    lesson = classroom.lesson
    table = rng.choice(lesson.current_tables)
    orders = [
        {"type": "say", "text": f"Listen {rng.random()}"},
        {"type": "pause", "on": True, "table": table.table_id},
        {"type": "pause", "on": False},
        {"type": "names", "on": rng.random() < 0.5},
        {"type": "lock", "on": True},
        {"type": "time", "seconds": 60},
        {"type": "ask", "own": True, "words": "Why?"},
        {"type": "step", "step": rng.choice(STEPS), "free": True},
        {"type": "set", "grace": 20},
        {"type": "rename", "person": 1, "name": f"Ann the {rng.randrange(99)}"},
        {"type": "ending", "on": rng.random() < 0.2, "table": table.table_id},
        {"type": "end_now", "table": table.table_id if rng.random() < 0.5 else None},
        {
            "type": "back",
            "table": table.table_id,
            "entry": rng.randrange(len(table.run.match.log) + 1),
        },
    ]
    if table.free_seats:
        orders.append(
            {"type": "sit", "table": table.table_id, "seat": table.free_seats[0], "person": 1}
        )
    if table.people:
        orders.append(
            {"type": "strategy", "table": table.table_id, "seat": rng.choice(list(table.people))}
        )
    classroom.order(**rng.choice(orders))


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_the_events_make_the_same_lesson_again_at_every_point(game, players):
    numbers = list(range(1, players + 1))
    classroom = class_of(
        [[*numbers[:-1], ""], [50 + each for each in numbers]], short(game, players, **LENGTH[game])
    )
    rng, looked = Random(game), 0
    for step in range(60 if game in ("blockade", "knitwit") else 120):
        if rng.random() < 0.1:
            lesson_of_the_teacher(classroom, rng)
        elif rng.random() < 0.1 and classroom.lesson.questions:
            rng.choice(classroom.phones).send(
                "answer", n=1000 + step, question=0, text=f"Because {step}"
            )
        else:
            classroom.turn(rng)
        if step % 12 == 0:
            assert known(replayed(classroom)) == known(classroom.lesson)
            looked += 1
    assert known(replayed(classroom)) == known(classroom.lesson)
    for table in classroom.lesson.tables.values():
        match = table.run.match
        assert replay(match.record(), game=table.game).state == match.state
    assert looked >= 5


LENGTH = {"wizard": {}, "wikipedia": {}, "blockade": {}, "knitwit": {"loops": 2}}


def test_a_lesson_goes_on_where_its_file_ends():
    """Broken off at many points, with new pages for all, it is played to its end."""
    classroom = class_of([[1, 2, ""]], short("wizard", 3, short_game=2))
    rng = Random(2)
    for number in range(400):
        classroom.turn(rng)
        if number % 5 == 4:
            before = known(classroom.lesson)
            classroom = Classroom(events=classroom.events)
            assert known(classroom.lesson) == before
            for person in (1, 2):
                assert classroom.back(person, f"key-of-{person}!").view["viewer"] == person - 1
    assert classroom.lesson.all_over
    assert known(replayed(classroom)) == known(classroom.lesson)


def test_events_are_plain_values():
    classroom = class_of([[1, 2, ""]], short("wizard", 3, short_game=1))
    for _ in played(classroom, Random(3)):
        pass
    assert json.loads(json.dumps(classroom.events)) == classroom.events


# Once only


def test_a_repeated_number_is_answered_and_does_nothing():
    classroom = class_of([[1, 2, 3]], short("wizard", 3))
    table, rng = classroom.lesson.tables[1], Random(4)
    for _ in range(15):
        while (phone := classroom.turn(rng)) is None:
            pass
        before, events = known(classroom.lesson), list(classroom.events)
        for action in (0, 1, "nonsense", None):
            assert phone.act(action, n=phone.n) == [{"type": "done", "n": phone.n}]
        assert (known(classroom.lesson), classroom.events) == (before, events)
    assert len(table.run.match.log) >= 10  # the table goes on once all want to


def test_a_repeated_number_is_answered_after_a_restart_and_on_another_device():
    classroom = class_of([[1, 2, 3]], short("wizard", 3))
    phone = classroom.turn(Random(4))
    person, n = phone.person, phone.n
    again = Classroom(events=classroom.events)
    other = again.phone()
    other.send("take", name=f"Ann {person}", number=f"№-of-{person}!")
    assert other.last["welcome"]["n"] == n
    assert other.act(0, n=n) == [{"type": "done", "n": n}]
    assert len(again.lesson.tables[1].run.match.log) == 1


def test_what_was_refused_may_be_sent_again():
    classroom = class_of([[1, 2, 3]], short("wizard", 3))
    table = classroom.lesson.tables[1]
    (seat,) = table.to_act
    phone = classroom.phones[seat]
    assert phone.act("nonsense", n=7)[0]["type"] == "refused"
    assert phone.act(table.game.legal_actions(table.run.match.state, seat)[0], n=7)[0]["type"] in (
        "done",
        "view",
    )
    assert len(table.run.match.log) == 1


def test_a_click_on_an_old_scene_is_refused():
    classroom = class_of([[1, 2, 3]], short("wizard", 3))
    table, rng = classroom.lesson.tables[1], Random(1)
    for _ in range(9):
        (seat,) = table.to_act or (0,)
        phone = classroom.phones[seat]
        legal = table.game.legal_actions(table.run.match.state, seat)
        old = phone.moment() | {"acted": phone.view["acted"], "seat": phone.view["viewer"]}
        for change in (
            {"acted": old["acted"] - 1},
            {"acted": old["acted"] + 1},
            {"branch": 1},
            {"match": "x"},
            {"table": 2},
            {"seat": (seat + 1) % 3},
        ):
            before = known(classroom.lesson)
            (answer,) = phone.send(
                "act", n=10_000, action=legal[0] if legal else 0, **(old | change)
            )
            assert answer["type"] == "refused"
            assert known(classroom.lesson) == before
        classroom.turn(rng)


def test_an_event_that_cannot_be_carried_out_changes_nothing():
    classroom = class_of([[1, 2, 3]], short("wizard", 3))
    before = known(classroom.lesson)
    wrong = {"e": "act", "table": 1, "seat": 0, "action": 99, "person": 1, "n": 1}
    with pytest.raises(ValueError, match="99"):
        classroom.lesson.apply(wrong)
    with pytest.raises(KeyError):
        classroom.lesson.apply({"e": "rename", "person": 77, "name": "Nobody"})
    assert known(classroom.lesson) == before
    with pytest.raises(ValueError, match="reload"):
        Lesson([{"e": "say"}])


# People


def test_the_newest_page_of_a_person_is_theirs():
    classroom = class_of([[1, 2, 3]], short("wizard", 3))
    old = classroom.phones[0]
    new = classroom.back(1, "key-of-1!")
    assert old.last["closed"]["text"]
    assert (old.page.closed, new.person) == (True, 1)
    events = list(classroom.events)
    old.send("act", n=1, table=1, match="room-1", branch=0, acted=0, seat=0, action=0)
    old.send("hello", code=CODE, key="key-of-1!")
    old.send("take", name="Ann 2", number="№-of-2!")
    assert classroom.events == events
    assert [page.person for page in classroom.room.pages if page.person] == [2, 3, 1]


def test_a_number_can_be_tried_some_times_then_the_teacher_decides():
    classroom = class_of([[1, 2, 3]], short("wizard", 3))
    thief = classroom.phone()
    for _ in range(TRIES):
        assert thief.send("take", name="Ann 1", number="0000")[0]["type"] == "refused"
    assert {each["person"]: each["stuck"] for each in classroom.console.last["room"]["people"]}[1]
    assert thief.send("take", name="Ann 1", number="№-of-1!")[0]["type"] == "refused"
    classroom.order("word", person=1)
    answers = thief.send("take", name="  Ann   1 ", number=" №-of-1! ")
    assert answers[0]["type"] == "welcome"
    assert answers[0]["key"] not in str(classroom.events)
    assert thief.view["viewer"] == 0


def test_somebody_removed_is_let_in_neither_by_key_nor_by_number():
    classroom = class_of([[1, 2, 3]], short("wizard", 3))
    phone = classroom.phones[0]
    classroom.order("remove", person=1)
    assert phone.page.closed
    table = classroom.lesson.tables[1]
    assert (table.free_seats, list(table.people.values())) == ([0], [2, 3])
    again = classroom.phone()
    assert again.send("hello", code=CODE, key="key-of-1!")[0]["type"] == "propose"
    assert again.send("take", name="Ann 1", number="№-of-1!")[0]["type"] == "refused"
    for _ in played(classroom, Random(1)):
        pass


def test_a_late_comer_takes_the_seat_of_a_strategy():
    classroom = class_of([[1, 2, ""]], short("wizard", 3))
    late = classroom.joined("Late")
    assert classroom.order("sit", table=1, seat=0, person=late.person)[0]["type"] == "refused"
    classroom.order("sit", table=1, seat=2, person=late.person)
    assert late.view["viewer"] == 2
    assert late.last["room"]["place"] == {"table": 1, "number": 1, "seat": 2, "over": False}


def test_who_moves_from_a_table_that_is_over_sits_at_the_new_one():
    classroom = class_of([[1, 2, 3], [4, 5, ""]], short("wizard", 3))
    classroom.order("ending", on=True, table=1)
    for _ in played(classroom, Random(1)):
        if classroom.lesson.tables[1].over:
            break
    assert not classroom.lesson.tables[2].over
    classroom.order("sit", table=2, seat=2, person=1)
    (phone,) = [each for each in classroom.phones if each.page.person == 1]
    assert phone.place == (classroom.lesson.tables[2], 2)
    assert phone.view["viewer"] == 2
    for _ in played(classroom, Random(2)):
        pass


def test_a_name_that_waits_for_the_teacher_is_shown_at_the_table_once_it_is_approved():
    classroom = Classroom(words="dumb")
    phones = [classroom.joined(name) for name in ("Ann", "Dumbo", "Cy")]
    classroom.order("deal")
    number = phones[1].person
    assert "Dumbo" not in b"".join([*phones[0].bytes, *classroom.projector.bytes]).decode()
    assert f"Pupil {number}" in phones[0].bytes[-1].decode()
    classroom.order("approve", person=number)
    assert "Dumbo" in phones[0].bytes[-1].decode()
    assert "Dumbo" in str(classroom.projector.last["room"])


def test_a_question_of_one_game_is_shown_on_when_the_teacher_chooses_another():
    classroom = Classroom("wizard")
    phone = classroom.joined("Ann")
    name = classroom.console.last["room"]["questions"][0]["name"]
    classroom.order("ask", words=name)
    words = phone.last["room"]["question"]["words"]
    phone.send("answer", n=1, question=0, text="Because", number="3")
    for game in ("knitwit", "wikipedia", "blockade"):
        classroom.order("set", game=game)
        assert phone.last["room"]["question"]["words"] == words
        assert classroom.console.last["room"]["answers"][0]["words"] == words
        assert any("Because" in each.get("text", "") for each in phone.send("mine"))
    assert replayed(classroom).questions == classroom.lesson.questions


def test_the_end_of_the_lesson_ends_all_tables():
    classroom = class_of([[1, 2, 3], [4, 5, ""]], short("wizard", 3))
    classroom.order("end")
    assert classroom.lesson.all_over
    before = known(classroom.lesson)
    classroom.wait(100)
    phone = classroom.phones[0]
    assert phone.act(0)[0]["type"] == "refused"
    assert phone.view["paused"]
    assert classroom.order("deal")[0]["type"] == "refused"
    assert known(classroom.lesson) == before == known(replayed(classroom))


def test_who_comes_back_is_here_again_at_once():
    classroom = class_of([[1, 2, 3]], short("wizard", 3))
    phone = classroom.phones[0]

    def shown():
        return {each["person"]: each["here"] for each in classroom.projector.last["room"]["people"]}

    classroom.wait(10, away=(phone,))
    assert shown() == {1: False, 2: True, 3: True}
    phone.send("ping")
    classroom.wait(0.5)
    assert shown() == {1: True, 2: True, 3: True}


def test_a_word_of_the_teacher_that_cannot_be_written_is_no_event():
    classroom = Classroom()
    for parts in (
        {"type": "say", "text": "\ud800"},
        {"type": "ask", "own": True, "words": "\udfff?"},
    ):
        (answer,) = [each for each in classroom.order(**parts) if each["type"] == "refused"]
        assert answer["text"].startswith("The page sent a message that the program does not know")
    assert classroom.room.pending == []


# Whatever happens, in any order


class Class(RuleBasedStateMachine):
    """A class in which anything happens at any time."""

    @initialize(
        seed=st.integers(0, 10**6), game=st.sampled_from(["wizard", "wikipedia", "knitwit"])
    )
    def begin(self, seed, game):
        self.rng = Random(seed)
        self.classroom = Classroom(game, grace=5, preset="short" if game == "knitwit" else "lesson")
        self.keys, self.names = {}, 0
        for _ in range(3):
            self.join()
        self.classroom.order("deal")

    @property
    def lesson(self):
        return self.classroom.lesson

    def any_phone(self):
        return self.rng.choice(self.classroom.phones) if self.classroom.phones else None

    def any_person(self):
        return self.rng.choice([person.person_id for person in self.lesson.members] or [1])

    def clean(self):
        self.classroom.phones = [
            each for each in self.classroom.phones if each.page.person is not None
        ]

    @rule()
    @precondition(lambda self: len(self.lesson.people) < 9)
    def join(self):
        self.names += 1
        phone = self.classroom.joined("ABCDEFGHJ"[self.names % 9] * self.names)
        if phone.page.person is not None:
            self.keys[phone.person] = phone.key
        self.clean()

    @rule()
    def drop(self):
        if phone := self.any_phone():
            self.classroom.room.leave(phone.page)
            self.classroom.phones.remove(phone)
            phone.page.closed = True

    @rule()
    def come_back(self):
        if self.keys:
            person = self.rng.choice(list(self.keys))
            self.classroom.back(person, self.keys[person])
            self.clean()

    @rule(right=st.booleans())
    def take_over(self, right):
        person = self.lesson.people[self.any_person()]
        phone = self.classroom.phone()
        phone.send("take", name=person.name, number=person.number if right else "none")
        if phone.page.person is not None:
            assert right
            self.keys[phone.person] = phone.key
            self.classroom.phones.append(phone)
        self.clean()

    @rule(times=st.integers(1, 6))
    def act(self, times):
        for _ in range(times):
            self.classroom.turn(self.rng)

    @rule(seconds=st.sampled_from([0.5, 3, 20]), all_away=st.booleans())
    def wait(self, seconds, all_away):
        paused = {
            table.table_id: len(table.run.match.log)
            for table in self.lesson.current_tables
            if table.paused
        }
        self.classroom.wait(seconds, away=tuple(self.classroom.phones) if all_away else ())
        assert all(
            len(self.lesson.tables[id].run.match.log) == count for id, count in paused.items()
        )

    @rule(on=st.booleans(), all_tables=st.booleans())
    def pause(self, on, all_tables):
        tables = self.lesson.current_tables
        self.classroom.order(
            "pause", on=on, **({} if all_tables else {"table": self.rng.choice(tables).table_id})
        )

    @rule()
    def press_at_a_paused_table(self):
        for phone in self.classroom.phones:
            place = self.lesson.table_of(phone.page.person)
            if place is not None and place[0].paused and "view" in phone.last:
                assert phone.act(0)[-1]["type"] == "refused"

    @rule()
    def rename(self):
        self.names += 1
        self.classroom.order(
            "rename", person=self.any_person(), name="Z" * (self.names % 15) + str(self.names)
        )

    @rule()
    @precondition(lambda self: len(self.lesson.people) > 4)
    def remove(self):
        self.classroom.order("remove", person=self.any_person())
        self.clean()

    @rule()
    def take_back(self):
        table = self.rng.choice(self.lesson.current_tables)
        self.classroom.order(
            "back", table=table.table_id, entry=self.rng.randrange(len(table.run.match.log) + 1)
        )

    @rule()
    def sit(self):
        table = self.rng.choice(self.lesson.current_tables)
        if table.free_seats:
            self.classroom.order(
                "sit", table=table.table_id, seat=table.free_seats[0], person=self.any_person()
            )

    @rule()
    def leave_the_seat_to_a_strategy(self):
        table = self.rng.choice(self.lesson.current_tables)
        if table.people:
            self.classroom.order(
                "strategy", table=table.table_id, seat=self.rng.choice(list(table.people))
            )

    @rule()
    def end_with_the_next_points(self):
        self.classroom.order("ending", on=self.rng.random() < 0.5)

    @rule()
    def deal(self):
        self.classroom.order("deal")

    @rule()
    def kill_and_resume(self):
        before = known(self.lesson)
        self.classroom = Classroom(events=self.classroom.events)
        assert known(self.lesson) == before
        for person in self.keys:
            if not self.lesson.people[person].left:
                self.classroom.back(person, self.keys[person])

    @invariant()
    def nobody_has_two_pages(self):
        persons = [
            page.person
            for page in self.classroom.room.pages
            if page.person is not None and not page.closed
        ]
        assert len(persons) == len(set(persons))
        assert not any(self.lesson.people[person].left for person in persons)

    @invariant()
    def every_seat_is_taken_once(self):
        people = []
        for table in self.lesson.current_tables:
            assert len(table.seats) == table.game.players
            assert all(
                isinstance(each, str) and each for each in table.seats if not isinstance(each, int)
            )
            if not table.over:
                people += table.people.values()
                assert not any(self.lesson.people[person].left for person in table.people.values())
        assert len(people) == len(set(people))

    @invariant()
    def state_is_the_replay_of_the_log(self):
        for table in self.lesson.current_tables:
            match = table.run.match
            assert replay(match.record(), game=table.game).state == match.state

    @invariant()
    def strategies_decide_only_for_those_who_are_silent(self):
        for table in self.lesson.current_tables:
            assert table.run.stood_in <= set(table.people)

    def teardown(self):
        if hasattr(self, "classroom"):
            assert known(replayed(self.classroom)) == known(self.lesson)


TestClass = Class.TestCase
TestClass.settings = settings(
    max_examples=10,
    stateful_step_count=25,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)


def test_tables_count_from_one_in_each_deal_and_files_name_both():
    classroom = Classroom("wizard")
    phones = [classroom.joined(f"Kid {'abcdefgh'[number]}") for number in range(8)]
    for deal in (1, 2):
        classroom.order("deal")
        for page in (classroom.console, classroom.projector):
            assert [table["number"] for table in page.last["room"]["tables"]] == [1, 2]
        assert {phone.last["room"]["place"]["number"] for phone in phones} == {1, 2}
        assert [(at.deal, at.number) for at in classroom.lesson.current_tables] == [
            (deal, 1),
            (deal, 2),
        ]
        for at in classroom.lesson.current_tables:
            at.end()
    places = [(at.deal, at.number) for at in replayed(classroom).tables.values()]
    assert places == [(1, 1), (1, 2), (2, 1), (2, 2)]
    rows = lesson_sheets(classroom.lesson, "en")["results"].rows
    assert {tuple(row[:2]) for row in rows} == set(places)


def news(phone):
    """Return what *phone* is told of what the teacher has changed for its person."""
    told = phone.last["room"]["news"]
    return told and told["words"]


def test_who_is_taken_back_moved_or_replaced_is_told_with_the_reason():
    classroom = class_of([[1, 2, 3], [4, 5, ""]], short("wizard", 3))
    one, two, three, four, five = classroom.phones
    assert [news(phone) for phone in classroom.phones] == [None] * 5
    table = classroom.lesson.tables[1]
    bidder = next(phone for phone in (one, two, three) if phone.place[1] in table.to_act)
    bidder.act(0)
    classroom.order("back", table=1, entry=0)
    for phone in (one, two, three):
        assert f"before “{table.run.match.names[bidder.place[1]]} predicts 0 tricks”" in news(phone)
    assert news(four) is None

    classroom.order("sit", table=2, seat=2, person=one.person)
    assert news(one) == "The teacher has given you a seat at table 2: you go on for the computer."
    assert [news(phone)[:21] for phone in (two, three)] == ["Ann 1 has left this t"] * 2
    assert [news(phone)[:18] for phone in (four, five)] == ["Ann 1 has come to "] * 2
    classroom.order("strategy", table=2, seat=0)
    assert "let the computer take your seat" in news(four)
    classroom.order("names", on=False)
    assert news(five).startswith("Pupil 4 has left this table")
    assert replayed(classroom).news == classroom.lesson.news
    for at in classroom.lesson.tables.values():
        at.end()
    classroom.order("deal")
    assert news(one) is None


def test_a_phone_is_told_how_long_the_class_thinks_once():
    classroom = class_of([[1, 2, 3]], short("wizard", 3))
    phone = classroom.phones[0]
    classroom.order("stage", stage="think", seconds=60)
    assert phone.last["stage"] == {"type": "stage", "stage": "think", "left": 60.0}
    before = len(phone.bytes)
    classroom.wait(10)
    assert len(phone.bytes) == before
    again = classroom.back(phone.person, "key-of-1!")
    assert again.last["stage"]["left"] == 50.0
    classroom.order("stage", stage="")
    assert again.last["stage"]["stage"] == ""


@pytest.mark.parametrize(("first", "then"), list(permutations(SHORT, 2)))
def test_a_lesson_goes_on_with_another_game(first, then):
    classroom = class_of([[1, 2, 3, 4]], short(first, 4))
    name = next(iter(questions(first))).name
    classroom.order("ask", words=name)
    classroom.order("close", question=0)
    classroom.order("end_now")
    classroom.order("set", game=then)
    pages = [*classroom.phones, classroom.console, classroom.projector]
    assert not any(each.page.failed for each in pages)
    assert classroom.console.last["room"]["game"] == then
    assert (
        classroom.console.last["room"]["rules"] == classroom.projector.last["room"]["rules"] != []
    )
    classroom.order("step", step="back")
    classroom.order("watch", table=1)
    classroom.order("watch")
    classroom.order("step", step="rules")
    classroom.order("deal")
    assert not any(each.page.failed for each in pages)
    assert {table.game.name for table in classroom.lesson.current_tables} == {then}
