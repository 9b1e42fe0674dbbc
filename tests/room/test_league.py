"""A class hands in strategies and takes its numbers along: nobody reads another's program, and
names only if asked.
"""

import csv
import io
from random import Random
from zipfile import ZipFile

import pytest
from classroom import Classroom, class_of, known, played, replayed, short
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lanes import some

from coursekit.core.errors import LocalizedError
from coursekit.files.data_export import pack_zip
from coursekit.room.lesson_data import lesson_sheets
from coursekit.room.room import Room
from coursekit.words.texts import LANGUAGES, make_printable

PROGRAM = "class Mine(Strategy): pass"


def collecting(*names):
    classroom = Classroom()
    phones = [classroom.joined(name) for name in names]
    classroom.order("collect", on=True)
    return classroom, phones


def test_strategies_are_taken_only_while_the_teacher_wants_them_and_from_those_who_have_joined():
    classroom = Classroom()
    ann, stranger = classroom.joined("Ann"), classroom.phone()
    assert "wait until" in ann.send("entry", n=1, source=PROGRAM)[0]["text"]
    classroom.order("collect", on=True)
    assert [each["type"] for each in stranger.send("entry", n=1, source=PROGRAM)] == ["refused"]
    assert "There is nothing in it" in ann.send("entry", n=1, source=" \n")[0]["text"]
    assert not classroom.lesson.submissions
    assert {"type": "done", "n": 1} in ann.send("entry", n=1, source=PROGRAM)
    assert classroom.room.unchecked_submissions().keys() == {1}


def test_the_verdict_is_told_to_its_pupil_and_the_teacher_alone_and_the_last_one_counts():
    classroom, (ann, bob) = collecting("Ann", "Bob")
    room = classroom.room
    ann.send("entry", n=1, source=PROGRAM)
    assert ann.last["room"]["entry"] == {"strategy": "", "wrong": "", "waits": True}
    first = room.unchecked_submissions()[1]
    ann.send("entry", n=2, source="x = (")
    room.judge(1, first, "Mine")  # which was under way
    room.judge(
        1,
        room.unchecked_submissions()[1],
        LocalizedError("", "syntax.unclosed", line=1, code="x = (", got="("),
    )
    classroom.collect()
    sentence = "The bracket ( in line 1 (x = () is not closed; write its other half."
    assert ann.last["room"]["entry"] == {"strategy": "", "wrong": sentence, "waits": False}
    ann.send("language", language="zh-Hant")
    assert ann.last["room"]["entry"]["wrong"].startswith("第 1 行")
    bob.send("entry", n=1, source=PROGRAM)
    room.judge(2, room.unchecked_submissions()[2], "Mine")
    classroom.collect()
    told = {
        each["name"]: (each["strategy"], each["wrong"])
        for each in classroom.console.last["room"]["entries"]
    }
    assert told == {"Ann": ("", sentence), "Bob": ("Mine", "")}
    for phone in (ann, bob, classroom.projector):
        assert PROGRAM.encode() not in b"".join(phone.bytes)
    assert not any(
        b"never closed" in each for page in (bob, classroom.projector) for each in page.bytes
    )
    assert replayed(classroom).submissions[1].wrong["en"] == sentence
    assert replayed(classroom).submissions[2] == classroom.lesson.submissions[2]
    assert known(replayed(classroom)) == known(classroom.lesson)


def test_what_was_not_checked_before_a_restart_is_checked_after_it():
    classroom, (ann,) = collecting("Ann")
    ann.send("entry", n=1, source=PROGRAM)
    assert Room(classroom.events).unchecked_submissions()[1].source == PROGRAM


def test_the_numbers_of_a_lesson_have_a_codebook_each_and_names_only_if_asked_for():
    classroom = class_of([[1, 2, ""]], short("wizard", 3))
    with pytest.raises(ValueError, match="every hand"):
        lesson_sheets(classroom.lesson, "en")
    classroom.order("ask", own=True, words="Why?")
    classroom.phones[1].send("answer", n=999, question=0, text="=1+1")
    for _ in played(classroom, Random(1)):
        pass
    classroom.order("end")
    for language in LANGUAGES:
        with ZipFile(io.BytesIO(pack_zip(lesson_sheets(classroom.lesson, language)))) as file:
            content = {name: file.read(name).decode("utf-8-sig") for name in file.namelist()}
        assert "Ann" not in str(content)
        found = {name: list(csv.reader(io.StringIO(words))) for name, words in content.items()}
        for name in ("results", "decisions", "guesses", "answers"):
            _, *codebook = found[f"{name}-codebook.csv"]
            assert [row[0] for row in codebook] == found[f"{name}.csv"][0]
            assert all(row[1] not in ("", row[0]) for row in codebook)
    assert [row[3:5] for row in found["results.csv"][1:]] == [["0", "1"], ["1", "2"], ["2", ""]]
    assert found["answers.csv"][1:] == [["0", "Why?", "text", "2", "", "'=1+1"]]
    named = lesson_sheets(classroom.lesson, "en", names=True)["results"]
    assert [row[5] for row in named.rows] == ["Ann 1", "Ann 2", ""]
    assert len(found["decisions.csv"]) > 20


@settings(max_examples=some(30))
@given(st.text(st.characters(exclude_categories=())))
@example("\ud800")
def test_a_verdict_may_quote_any_error_and_the_file_gives_it_back(words):
    classroom, (ann,) = collecting("Ann")
    ann.send("entry", n=1, source=PROGRAM)
    classroom.room.judge(
        1,
        classroom.room.unchecked_submissions()[1],
        LocalizedError("", "syntax.zeros", line=1, code=words),
    )
    classroom.collect()
    told = ann.last["room"]["entry"]["wrong"]
    assert (
        told
        == replayed(classroom).submissions[1].wrong["en"]
        == classroom.lesson.submissions[1].wrong["en"]
    )
    assert make_printable(words).strip() in told
    assert make_printable(told) == told
