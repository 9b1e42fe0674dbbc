"""Questions to the class: what can be asked and answered, and what others see of it."""

import csv
import io
import json
from zipfile import ZipFile

import pytest
from classroom import Classroom, known, replayed
from hypothesis import given, settings
from hypothesis import strategies as st

from coursekit.files.data_export import pack_zip
from coursekit.kit import GAMES
from coursekit.kit.answer_form import AnswerForm
from coursekit.reflect.questions import questions
from coursekit.room.answers import (
    FEWEST,
    MOST_BARS,
    read_number,
    spread_choices,
    spread_numbers,
)
from coursekit.room.lesson_data import lesson_sheets
from coursekit.words.texts import LANGUAGES


def asked(people=1, words="Why?", **form):
    """Return a class of some that has been asked a question of its teacher's own, and its
    phones.
    """
    classroom = Classroom("wizard")
    phones = [classroom.joined(f"Ann {number}") for number in range(people)]
    classroom.order("ask", words=words, own=True, form=form)
    return classroom, phones


def refusal(answers):
    return [answer["text"] for answer in answers if answer["type"] == "refused"]


@pytest.mark.parametrize(
    ("typed", "number"),
    [
        ("3", 3),
        (" ３ ", 3),
        ("３．５", 3.5),
        ("-2", -2),
        ("−2", -2),
        ("1,200", 1200),
        ("１，２００", 1200),
        ("4.0", 4),
        ("三", 3),
        ("十二", 12),
        ("兩百", 200),
        ("一百零五", 105),
        ("九千九百九十九", 9999),
        ("一〇五", 105),
        *[
            (wrong, None)
            for wrong in ("", "3個", "80%", "3,5", "1e9", "nan", "inf", "1_000", "--1")
        ],
        *[(wrong, None) for wrong in ("兩百五", "十十", "二五十", "三個", "9" * 13, "½", "1 2")],
    ],
)
def test_a_number_is_read_or_it_is_none(typed, number):
    assert read_number(typed) == number


@given(st.text())
def test_whatever_is_typed_is_a_finite_number_or_none(typed):
    number = read_number(typed)
    assert number is None or abs(number) < 10**13


@pytest.mark.parametrize(
    ("form", "answer", "sentence"),
    [
        ({"kind": "number"}, {"number": "three"}, "“three” is not a number: write digits alone"),
        ({"kind": "number"}, {"text": "3"}, "There is no number yet"),
        (
            {"kind": "number", "low": "1", "high": "10"},
            {"number": "11"},
            "Write a number from 1 to 10, not 11.",
        ),
        ({"kind": "choice", "choices": "Yes\nNo"}, {"text": "Yes"}, "Nothing is chosen yet"),
        ({"kind": "choice", "choices": "Yes\nNo"}, {"choice": 2}, "message"),
    ],
)
def test_a_wrong_answer_is_told_in_one_sentence_and_not_kept(form, answer, sentence):
    classroom, (ann,) = asked(**form)
    (told,) = refusal(ann.send("answer", n=1, question=0, **answer))
    assert sentence in told
    assert classroom.lesson.questions[0].answers == {}


@pytest.mark.parametrize(
    ("form", "sentence"),
    [
        ({"kind": "choice", "choices": "Yes"}, "There are 1 choices; a question takes 2 to 12"),
        ({"kind": "choice", "choices": "Yes\n\nNo\nYes "}, "“Yes” is there twice"),
        ({"kind": "choice", "choices": "a" * 61 + "\nNo"}, "at most 60 letters"),
        ({"kind": "number", "low": "5", "high": ""}, "Write two numbers"),
        ({"kind": "number", "low": "5", "high": "3"}, "Write two numbers"),
    ],
)
def test_what_cannot_be_asked_is_told_in_one_sentence(form, sentence):
    classroom, _ = asked(**form)
    assert sentence in classroom.console.last["refused"]["text"]
    assert classroom.lesson.questions == []


def test_answers_are_kept_typed_and_the_events_give_them_back():
    classroom, (ann, bob) = asked(2, kind="choice", choices="Yes\nNo")
    ann.send("answer", n=1, question=0, choice=1)
    ann.send("answer", n=2, question=0, choice=0)
    classroom.order("ask", words="hits")
    bob.send("answer", n=1, question=1, number="３", text="=1+1")
    assert bob.last["room"]["answered"] == {"value": 3, "words": "=1+1"}
    assert known(replayed(classroom)) == known(classroom.lesson)
    texts = [answer["text"] for answer in classroom.console.last["room"]["answers"]]
    assert texts == ["Yes", "3 · =1+1"]
    sheet = lesson_sheets(classroom.lesson, "en")["answers"]
    with ZipFile(io.BytesIO(pack_zip({"answers": sheet}))) as file:
        rows = list(csv.reader(io.StringIO(file.read("answers.csv").decode("utf-8-sig"))))
    assert rows[1] == ["0", "Why?", "choice", "1", "Yes", ""]
    assert rows[2][2:] == ["number", "2", "3", "'=1+1"]


def test_the_projector_shows_how_many_until_the_question_is_closed_and_then_no_few():
    classroom, phones = asked(FEWEST, kind="choice", choices="Often\nSeldom")
    for n, ann in enumerate(phones[1:], 1):
        ann.send("answer", n=n, question=0, choice=n % 2)

    def on_the_projector():
        return classroom.projector.last["room"]["question"]

    for answers in ([], [[0, 2]]):
        classroom.order("show", answers=answers, spread=True)
        assert "still open" in classroom.console.last["refused"]["text"]
    assert on_the_projector()["answers"] == FEWEST - 1
    assert on_the_projector()["choices"] == ["Often", "Seldom"]
    classroom.order("close", question=0)
    classroom.order("show", spread=True)
    assert "Only 4 have answered: from 5 on" in classroom.console.last["refused"]["text"]
    assert on_the_projector()["spread"] is None
    assert not any(b'"bars"' in told for told in classroom.projector.bytes)
    assert classroom.console.last["room"]["spread"]["bars"] == [["Often", 2], ["Seldom", 2]]

    classroom.order("ask", words="And now?", own=True, form={"kind": "number"})
    for n, ann in enumerate(phones):
        ann.send("answer", n=10 + n, question=1, number=str(n))
    classroom.order("close", question=1)
    assert on_the_projector()["spread"] is None, "until the teacher turns it up"
    classroom.order("show", spread=True)
    assert any(b'"bars"' in told for told in classroom.projector.bytes)
    bars = [[str(n), 1] for n in range(FEWEST)]
    assert on_the_projector()["spread"] == {"people": FEWEST, "bars": bars, "middle": "2"}
    assert "Ann" not in json.dumps(on_the_projector())
    classroom.order("show", answers=[[1, 1]], spread=True)
    assert on_the_projector()["shown"] == ["0"]
    classroom.order("ask", words="Next?", own=True)
    assert (on_the_projector()["spread"], on_the_projector()["shown"]) == (None, [])


@settings(max_examples=60)
@given(
    st.lists(st.integers(-(10**12), 10**12) | st.floats(-1e9, 1e9), min_size=2),
    st.sampled_from([AnswerForm("number"), AnswerForm("number", low=-(10**12), high=10**12)]),
)
def test_every_number_stands_in_one_bar(numbers, form):
    spread = spread_numbers(numbers, form)
    assert sum(count for _, count in spread.bars) == spread.people == len(numbers)
    labels = [label for label, _ in spread.bars]
    assert len(labels) <= MOST_BARS
    assert len(set(labels)) == len(labels)


@pytest.mark.parametrize(
    ("numbers", "bars"),
    [
        ([3, 3, 3], ["3"]),
        ([1, 2, 2, 5], ["1", "2", "3", "4", "5"]),
        ([1, 2, 2, 3, 3, 3, 4, 10**9], ["1", "2", "3", "4", "> 4"]),
        ([10, 20, 55], ["10–14", "15–19", "20–24"]),
        ([0, 50, 100], ["0–9", "10–19", "20–29"]),
        ([0.3, 0.1, 0.2], ["0.1–0.12", "0.12–0.14"]),
    ],
)
def test_numbers_are_counted_in_bars_that_can_be_read(numbers, bars):
    found = [label for label, _ in spread_numbers(numbers, AnswerForm("number")).bars]
    assert found[: len(bars)] == bars


def test_choices_nobody_made_have_a_bar_too():
    assert spread_choices([2, 2], ["a", "b", "c"]).bars == [("a", 0), ("b", 0), ("c", 2)]


@pytest.mark.parametrize("game", GAMES)
def test_the_questions_of_a_game_can_be_answered_as_they_ask(game):
    classroom = Classroom(game)
    ann = classroom.joined("Ann")
    for number, known_question in enumerate(questions(game)):
        classroom.order("ask", words=known_question.name)
        told = ann.last["room"]["question"]
        value = {"number": {"number": str(told["high"])}, "choice": {"choice": 0}}
        answer = value.get(told["kind"], {"text": "Because"})
        assert refusal(ann.send("answer", n=number, question=number, **answer)) == []
        for language in LANGUAGES:
            assert all(classroom.lesson.questions[number].choices(language))
    assert len(classroom.console.last["room"]["answers"]) == len(questions(game))
