"""Whatever a phone sends, the room goes on; what cannot be done is answered in one sentence."""

import json
from random import Random

import pytest
from classroom import class_of, known, replayed, short
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strange import Target, message, read, readable, thing

from coursekit.core.page_messages import MessageError
from coursekit.room.answers import Given
from coursekit.room.limits import BYTES, LARGEST, LONGEST_ANSWER, LONGEST_COUNT, RATE, Pace
from coursekit.room.page import Page
from coursekit.room.phone_messages import PhoneMessages
from coursekit.room.room import Room
from coursekit.table.view import View
from coursekit.words.texts import LANGUAGES

MANY = settings(
    max_examples=20,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)


@pytest.mark.parametrize("game", ["wizard", "wikipedia", "blockade", "knitwit"])
def test_no_message_does_anything_but_what_it_may(game):
    target = Target(game)

    @MANY
    @given(st.integers(0, 10**6))
    def send(seed):
        rng = Random(seed)
        for _ in range(100):
            target.send(message(rng), rng.choice([0, 0, 0, 1, 2]))
        target.check()

    send()
    assert target.sent >= 2000
    assert target.refused > 300


@MANY
@given(st.integers(0, 10**6))
def test_what_is_no_message_is_refused_in_every_language(seed):
    rng = Random(seed)
    for each in [*(message(rng) for _ in range(50)), *(thing(rng) for _ in range(50))]:
        *_, found = (readable(each, language) for language in LANGUAGES)
        if found is not None:
            assert all(
                type(found.arguments[part]) is kind
                for part, kind in found.handler.parts.items()
                if kind in (int, str)
            )


@MANY
@given(st.binary(max_size=60) | st.text(max_size=60))
def test_bytes_that_are_no_json_are_refused(words):
    with pytest.raises(MessageError):
        read(words)


@pytest.mark.parametrize(
    "words",
    [
        '{"type":"answer","n":1,"question":0,"text":"\\ud800"}',
        "[" * 15_000,
        '{"type":"ping","from":' + "[" * 900 + "]" * 900,
        '{"type":"ping","touched":1e999',
        "9" * 9000,
        '{"type":"act"}',
        '{"type":"__init__"}',
        '{"type":["ping"]}',
        '{"type":"answer","n":true,"question":0,"text":"x"}',
        '{"type":"answer","n":-1,"question":0,"text":"x"}',
        f'{{"type":"answer","n":{LONGEST_COUNT},"question":0,"text":"x"}}',
        '{"type":"watch","table":1.0}',
        '{"type":"ping","x":"' + "x" * LARGEST + '"}',
    ],
)
def test_these_are_refused(words):
    page, room = Page("phone", "en"), Room(language="en")
    PhoneMessages(room).receive(page, words)
    assert [each["type"] for each in page.out] == ["refused"]
    assert page.out[0]["text"]
    assert room.pending[1:] == []


def test_a_refusal_is_in_the_language_of_the_page():
    classroom = class_of([[1, 2, 3]], short("wizard", 3))
    phone = classroom.phones[0]
    found = set()
    for language in LANGUAGES:
        phone.send("language", language=language)
        answer = phone.send("watch", table=99)[-1]
        assert (answer["type"], answer["to"]) == ("refused", "")
        found.add(answer["text"])
    assert len(found) == len(LANGUAGES)


def test_an_answer_may_be_long_and_not_too_long():
    classroom = class_of([[1, 2, 3]], short("wizard", 3))
    phone = classroom.phones[0]
    classroom.order("ask", own=True, words="Why?")
    assert phone.send("answer", n=1, question=0, text="字" * LONGEST_ANSWER)[0]["type"] == "done"
    assert (
        phone.send("answer", n=2, question=0, text="字" * (LONGEST_ANSWER + 1))[0]["type"]
        == "refused"
    )
    for number in (-1, 1, 10**9):
        assert phone.send("answer", n=3, question=number, text="x")[0]["type"] == "refused"
    classroom.order("close", question=0)
    assert phone.send("answer", n=4, question=0, text="x")[0]["type"] == "refused"
    assert classroom.lesson.questions[0].answers == {1: Given(None, "字" * LONGEST_ANSWER)}


def test_who_plays_cannot_guess_and_who_watches_may_guess_once_more():
    classroom = class_of([[1, 2, 3]], short("wizard", 3))
    watcher = classroom.joined("Watcher")
    watcher.send("watch", table=1)
    choices = watcher.last["room"]["guess"]["choices"]
    before = known(classroom.lesson)
    assert (
        classroom.phones[0].send("guess", n=1, table=1, choice=choices[0])[0]["type"] == "refused"
    )
    assert watcher.send("guess", n=1, table=1, choice="nonsense")[0]["type"] == "refused"
    assert known(classroom.lesson) == before
    for n, choice in enumerate(choices[:2], 1):
        assert watcher.send("guess", n=n, table=1, choice=choice)[0]["type"] == "done"
        assert watcher.last["room"]["guess"]["chosen"] == choice
    assert classroom.projector.last["room"]["tables"][0]["guessed"] == {choices[1]: 1}


@pytest.mark.parametrize("game", ["wizard", "wikipedia", "blockade", "knitwit"])
def test_all_learn_how_those_who_watch_guessed_once_it_has_come(game):
    players = 4 if game == "blockade" else 2 if game != "wizard" else 3
    classroom = class_of([[*range(1, players + 1)]], short(game, players))
    right, wrong = classroom.joined("Right"), classroom.joined("Wrong")
    for watcher in (right, wrong):
        watcher.send("watch", table=1)
    rng, n, seen = Random(2), 0, 0
    (table,) = classroom.lesson.current_tables
    while seen < 3 and not table.over:
        guess, n, came = (
            right.last["room"]["guess"],
            n + 1,
            len(classroom.lesson.guess_outcomes.get(1, [])),
        )
        if guess is not None:
            right.send("guess", n=n, table=1, choice=guess["choices"][0])
            wrong.send("guess", n=n, table=1, choice=guess["choices"][1])
        classroom.turn(rng)
        told = classroom.projector.last["room"]["tables"][0]
        if len(classroom.lesson.guess_outcomes.get(1, [])) > came:
            seen += 1
            first, second = guess["choices"][:2]
            assert (told["came"]["guessed"], told["guessed"]) == ({first: 1, second: 1}, {})
            assert told["came"]["choice"] in guess["choices"]
            for watcher, choice in ((right, first), (wrong, second)):
                words = watcher.last["room"]["came"]
                assert words.startswith("You were right") == (choice == told["came"]["choice"]), (
                    words
                )
                assert told["came"]["choice"] in words
    assert seen
    assert known(replayed(classroom)) == known(classroom.lesson)


def test_a_guess_about_what_was_taken_back_is_forgotten():
    classroom = class_of([[1, 2, 3]], short("wizard", 3))
    watcher = classroom.joined("Watcher")
    watcher.send("watch", table=1)
    watcher.send("guess", n=1, table=1, choice="0")
    classroom.order("back", table=1, entry=0)
    guess = watcher.last["room"][
        "guess"
    ]  # none where the new deal turns up a Wizard, and the dealer names a trump
    assert guess is None or guess["chosen"] == ""
    classroom.turn(Random(1))
    assert classroom.lesson.guess_outcomes == {}


def test_moments_of_tables_are_shown_side_by_side_as_those_saw_them_who_watch():
    classroom = class_of([[1, 2, 3], [4, 5, 6]], short("wizard", 3))
    rng, projector = Random(4), classroom.projector
    for _ in range(12):
        classroom.turn(rng)
    one, two = classroom.lesson.current_tables
    first, second = one.moments("en")[0][0], two.moments("en")[1][0]
    classroom.order("show", moments=[[2, second], [1, first]])
    shown = projector.last["moments"]["moments"]
    assert [each["table"] for each in shown] == [2, 1]
    assert classroom.console.last["room"]["moments"] == [[2, second], [1, first]]
    for each, at, entry in zip(shown, (two, one), (second, first)):
        view = View(at.run, None)
        view.show(entry)
        assert each["view"]["scenes"] == json.loads(
            json.dumps(view.json(projector.page.language)["scenes"])
        )
        assert not [
            zone
            for scene in each["view"]["scenes"]
            for zone in scene["zones"]
            if zone["kind"] == "hand"
        ]
    told = len(projector.bytes)
    classroom.turn(rng)
    assert not [each for each in projector.bytes[told:] if json.loads(each)["type"] == "moments"]
    classroom.order("back", table=1, entry=0)
    assert [each["table"] for each in projector.last["moments"]["moments"]] == [2]
    answer = classroom.order("show", moments=[[1, 10**6]])
    assert answer[0]["type"] == "refused"
    classroom.order("show")
    assert projector.last["moments"]["moments"] == []
    assert known(replayed(classroom)) == known(classroom.lesson)


def test_a_moment_too_many_is_refused_with_the_reason():
    classroom = class_of([[1, 2, 3], [4, 5, 6]], short("wizard", 3))
    picked = [[1, 0], [2, 0]]
    classroom.order("show", moments=picked)
    (answer,) = classroom.order("show", moments=[*picked, [1, 1]])
    assert answer["type"] == "refused"
    assert "2 moments" in answer["text"]
    assert classroom.projector.last["room"]["moments"] == picked


def on_the_projector(classroom):
    """Return what stands there that a teacher has put up."""
    room = classroom.projector.last["room"]
    question = room["question"]
    return room["moments"], question["shown"], question["open"], room["message"]


def put_up(classroom):
    """Have an answer and a message shown."""
    classroom.order("say", text="Look here")
    classroom.order("ask", words="Why?", own=True)
    number = len(classroom.lesson.questions) - 1
    phone = classroom.phones[0]
    phone.send("answer", n=1000 + number, question=number, text="Because")
    classroom.order("close", question=number)
    classroom.order("show", answers=[[number, phone.person]])


def test_cards_dealt_take_everything_old_off_the_projector():
    classroom = class_of([[1, 2, 3]], short("wizard", 3))
    put_up(classroom)
    assert on_the_projector(classroom) == ([], ["Because"], False, "Look here")
    classroom.order("end_now")
    classroom.order("deal")
    assert on_the_projector(classroom) == ([], [], False, "")
    assert classroom.lesson.questions[0].answers, "they are kept"
    assert known(replayed(classroom)) == known(classroom.lesson)


@pytest.mark.parametrize("step", ["rules", "predict", "back", "map", "last"])
def test_another_step_takes_off_what_the_class_talked_about(step):
    classroom = class_of([[1, 2, 3]], short("wizard", 3))
    put_up(classroom)
    classroom.order("step", step="play", free=True)
    assert on_the_projector(classroom)[1] == ["Because"], "it is the same step"
    classroom.order("step", step=step, free=False)
    stays = step in ("back", "last")
    assert bool(on_the_projector(classroom)[1]) == stays
    classroom.order("show", moments=[[1, 0]])
    classroom.order("step", step="play", free=False)
    assert on_the_projector(classroom)[0] == []


def test_what_a_pupil_wrote_leaves_the_projector_with_them():
    classroom = class_of([[1, 2, 3]], short("wizard", 3))
    put_up(classroom)
    classroom.order("remove", person=classroom.phones[0].person)
    assert on_the_projector(classroom)[1] == []


def test_the_debrief_leaves_the_projector_before_a_table_plays_on():
    classroom = class_of([[1, 2, 3]], short("wizard", 3))
    classroom.order("end_now")
    for order in ({"type": "back", "table": 1, "entry": 0}, {"type": "step", "step": "map"}):
        classroom.order("end_now")
        classroom.order("debrief", slide=0)
        assert classroom.projector.last["room"]["debrief"] == 0
        classroom.order(**order)
        assert classroom.projector.last["room"]["debrief"] is None


def test_another_step_ends_the_timer():
    classroom = class_of([[1, 2, 3]], short("wizard", 3))
    classroom.order("stage", stage="pair", seconds=60)
    classroom.order("step", step="play", free=True)
    assert classroom.projector.last["room"]["stage"]
    classroom.order("step", step="map")
    assert classroom.projector.last["room"]["stage"] is None


def test_equal_notes_are_counted_and_leave_with_their_table():
    classroom = class_of([[1, 2, 3]], short("wizard", 3))
    room, table = classroom.room, classroom.lesson.tables[1]
    for strategy in ("Cat", "Dog", "Cat"):
        room.note("room.stopped", at=table, strategy=strategy)
    room.note("room.crowded", allowed=75)
    classroom.collect()

    def notes():
        told = classroom.console.last["room"]["notes"]
        return [(note["table"], note["count"]) for note in told]

    assert notes() == [(1, 1), (1, 2), (None, 1)]
    classroom.order("noted")
    assert notes() == [(1, 1), (1, 2)]
    room.note("room.crowded", allowed=75)
    classroom.order("noted", table=1)
    assert notes() == [(None, 1)]
    room.note("room.stopped", at=table, strategy="Cat")
    classroom.order("end_now")
    classroom.order("deal")
    assert notes() == [(None, 1)], "the old table is gone"


def test_a_connection_may_send_so_much_a_second():
    pace = Pace()
    assert [pace.take(10, 100.0) for _ in range(RATE + 1)] == [True] * RATE + [False]
    slow = Pace()
    assert all(slow.take(10, second / RATE + 5) for second in range(500))
    large = Pace()
    assert [large.take(BYTES // 2, 7.0) for _ in range(3)] == [True, True, False]
    again = Pace()
    for now in (0.0, 1.0, 2.0, 100.0):
        assert [again.take(1, now) for _ in range(RATE)] == [True] * RATE
    back = Pace()
    back.take(1, 50.0)
    assert [back.take(1, 10.0) for _ in range(RATE)] == [True] * (RATE - 1) + [
        False
    ]  # a clock that was set back
