"""The lesson's file holds what was answered, whatever happens to it."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import pytest
from classroom import Classroom, class_of, known, played, short
from disks import another_program, ordinary_user
from hypothesis import given
from hypothesis import strategies as st

from coursekit.room.event_log import VERSION, EventLog, EventLogError, lesson_files, make_writable
from coursekit.room.lesson import Lesson
from coursekit.words.texts import LANGUAGES

EVENTS = [{"e": "say", "text": f"第 {number} 句 “{number}”"} for number in range(8)]


def kept(path):
    """Return what is in the file, read anew."""
    with closing(EventLog(path)) as ledger:
        return list(ledger.events())


def change(path, *commands):
    """Change the file behind the ledger's back."""
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        for command in commands:
            file.execute(command)


def sentence(error):
    """Return the error's English words; it has some in every language."""
    assert all(error.sentence(language) for language in LANGUAGES)
    return error.sentence("en")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "lessons" / "today.lesson"


def test_what_was_appended_is_there_in_order(path):
    with closing(EventLog(path)) as ledger:
        for number in range(0, 8, 2):
            ledger.append(EVENTS[number : number + 2])
            assert kept(path) == EVENTS[: number + 2]  # another connection reads it already
        assert list(ledger.events()) == EVENTS
        assert ledger.whole
    assert path.stat().st_mode & 0o077 == 0 or os.name == "nt"


def test_a_whole_lesson_comes_back_from_its_file(path):
    classroom = class_of([[1, 2, ""]], short("wizard", 3, short_game=1))
    written = 0
    with closing(EventLog(path)) as ledger:
        for _ in played(classroom, random.Random(1)):
            ledger.append(classroom.events[written:])
            written = len(classroom.events)
        ledger.append(classroom.events[written:])
    assert known(Lesson(kept(path))) == known(classroom.lesson)
    assert known(Classroom(events=kept(path)).lesson) == known(classroom.lesson)


def test_several_events_are_written_all_or_none(path):
    with closing(EventLog(path)) as ledger:
        ledger.append(EVENTS[:2])
        with pytest.raises((TypeError, ValueError)):
            ledger.append([EVENTS[2], {"e": "say", "text": object()}])
        with pytest.raises(UnicodeEncodeError):
            ledger.append([EVENTS[2], {"e": "say", "text": "\ud800"}])
        assert list(ledger.events()) == EVENTS[:2]
        ledger.append(EVENTS[2:4])
        assert list(ledger.events()) == EVENTS[:4]
    assert kept(path) == EVENTS[:4]


WRITER = """
import sys
from pathlib import Path
from coursekit.room.event_log import EventLog
ledger = EventLog(Path(sys.argv[1]))
for number in range(1000):
    ledger.append([{"e": "say", "text": f"{number} {part}"} for part in "ab"])
    print(number, flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
def test_what_was_answered_outlives_a_kill(tmp_path):
    moments = random.Random(1)
    for number in range(3):
        path = tmp_path / f"{number}.lesson"
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, path], stdout=subprocess.PIPE, text=True
        ) as writer:
            lines = [writer.stdout.readline() for _ in range(moments.randrange(1, 60))]
            writer.send_signal(signal.SIGKILL)
            said = [*lines, *writer.stdout]
        answered = [int(line) for line in said if line.endswith("\n")]
        events = [each["text"] for each in kept(path)]
        assert len(events) >= 2 * (answered[-1] + 1)
        assert events == [f"{number // 2} {'ab'[number % 2]}" for number in range(len(events))]
        assert len(events) % 2 == 0


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE events SET event = substr(event, 1, 9) WHERE n = 6",
        "UPDATE events SET event = NULL WHERE n = 6",
        "UPDATE events SET event = '[1]' WHERE n = 6",
        "UPDATE events SET event = CAST(x'ff' AS TEXT) WHERE n = 6",
        "DELETE FROM events WHERE n = 6",
        "UPDATE events SET event = x'7bff' WHERE n = 6",
        f"UPDATE events SET event = '{'[' * 90_000}' WHERE n = 6",
        "UPDATE events SET n = 60 WHERE n = 6",
    ],
)
def test_what_cannot_be_read_is_put_aside_and_what_is_whole_goes_on(path, damage):
    with closing(EventLog(path)) as ledger:
        ledger.append(EVENTS)
        began = ledger.time(1)
    change(path, damage)
    damaged = path.read_bytes()
    ledger = EventLog(path)
    assert list(ledger.events()) == EVENTS[:5]
    assert not ledger.whole
    with closing(ledger.renew(5)) as ledger:
        assert ledger.time(1) == began
        ledger.append(EVENTS[:1])
    assert kept(path) == [*EVENTS[:5], EVENTS[0]]
    assert [each.read_bytes() for each in EventLog(path).damaged_files()] == [damaged]
    assert lesson_files(path.parent) == [path]
    EventLog(path).delete()
    assert list(path.parent.iterdir()) == []


@pytest.mark.parametrize("part", [0.3, 0.9])
def test_of_a_file_without_its_end_the_beginning_goes_on(path, part):
    with closing(EventLog(path)) as ledger:
        ledger.append(EVENTS * 300)
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * part)])
    ledger = EventLog(path)
    events = ledger.events()
    assert events == (EVENTS * 300)[: len(events)]
    assert 2400 * part - 200 < len(events) < 2400
    assert not ledger.whole
    with closing(ledger.renew(len(events))) as ledger:
        ledger.append(EVENTS[:1])
        assert ledger.events() == [*events, EVENTS[0]]
        assert ledger.whole


def test_another_programs_file_is_left_alone(path):
    path.parent.mkdir()
    change(path, "CREATE TABLE notes (words TEXT)", "INSERT INTO notes VALUES ('mine')")
    before = path.read_bytes()
    with pytest.raises(EventLogError) as error:
        EventLog(path)
    assert sentence(error.value)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "content", [b"not a database at all " * 99, b"SQLite format 3\0" + b"x" * 5000]
)
def test_a_file_that_is_no_database_is_told_and_left_alone(path, content):
    path.parent.mkdir()
    path.write_bytes(content)
    with pytest.raises(EventLogError) as error:
        EventLog(path)
    assert sentence(error.value)
    assert path.read_bytes() == content


def test_a_file_of_a_newer_version_is_left_alone(path):
    with closing(EventLog(path)) as ledger:
        ledger.append(EVENTS)
    change(path, f"PRAGMA user_version = {VERSION + 1}")
    with pytest.raises(EventLogError) as error:
        EventLog(path)
    assert "newer" in sentence(error.value)
    change(path, f"PRAGMA user_version = {VERSION}")
    assert kept(path) == EVENTS


def test_a_folder_that_can_only_be_read_is_told(shared):
    path = shared / "today.lesson"
    with closing(EventLog(path)) as ledger:
        ledger.append(EVENTS)
    with ordinary_user(shared):
        for name in ("today.lesson", "new.lesson"):
            with pytest.raises(EventLogError) as error:
                EventLog(shared / name).append(EVENTS)
            assert sentence(error.value)
    assert kept(path) == EVENTS


def test_a_full_disk_is_told_and_nothing_is_half_written(path):
    with closing(EventLog(path)) as ledger:
        ledger.append(EVENTS)
        (pages,) = ledger._file.execute("PRAGMA page_count").fetchone()
        ledger._file.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(EventLogError) as error:
            ledger.append([EVENTS[0], {"e": "say", "text": "x" * 90_000}])
        assert "full" in sentence(error.value)
        assert list(ledger.events()) == EVENTS
        ledger._file.execute("PRAGMA max_page_count = 100000")
        ledger.append(EVENTS[:1])
    assert kept(path) == [*EVENTS, EVENTS[0]]


def test_a_locked_file_is_told_and_written_when_it_is_free(path):
    with closing(EventLog(path)) as ledger:
        ledger.append(EVENTS[:1])
        with another_program(path, "BEGIN IMMEDIATE"):
            with pytest.raises(EventLogError) as error:
                ledger.append(EVENTS[1:])
            assert "another program" in sentence(error.value)
        ledger.append(EVENTS[1:])
    assert kept(path) == EVENTS


def test_a_lesson_can_be_copied_found_and_deleted(path, tmp_path):
    with closing(EventLog(path)) as ledger:
        ledger.append(EVENTS)
        ledger.copy(tmp_path / "copy.lesson")
    assert kept(tmp_path / "copy.lesson") == EVENTS
    other = path.with_name("yesterday.lesson")
    EventLog(other).close()
    os.utime(other, (1, 1))
    assert lesson_files(path.parent) == [path, other]
    EventLog(path).delete()
    assert [each.name for each in path.parent.iterdir() if each.name.startswith("today")] == []
    assert lesson_files(path.parent) == [other]


def test_what_was_written_although_it_seemed_to_fail_is_not_written_twice(path):
    with closing(EventLog(path)) as ledger:
        ledger.append(EVENTS[:1])
        before = ledger.count
        ledger.append(EVENTS[1:])
        ledger.count = before  # as if the answer of the disk had not come
        ledger.append(EVENTS[1:])
        ledger.append(EVENTS[:1])
    assert kept(path) == [*EVENTS, EVENTS[0]]


def test_two_programs_never_write_over_each_other(path):
    with closing(EventLog(path)) as one, closing(EventLog(path)) as other:
        one.append(EVENTS[:1])
        other.append(EVENTS[1:2])
        with pytest.raises(EventLogError) as error:
            one.append(EVENTS[2:3])
        assert "another program" in sentence(error.value)
    assert kept(path) == EVENTS[:2]


WORDS = st.text(st.characters(exclude_categories=()))  # halves of characters among them
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | WORDS,
    lambda part: st.lists(part) | st.tuples(part, part) | st.dictionaries(WORDS, part),
)
"""Values that an event may be asked to hold."""


@given(st.dictionaries(WORDS, ANYTHING))
def test_an_event_is_what_its_file_gives_back_or_is_refused(event):
    try:
        done = make_writable(event)
    except ValueError:  # no number, or too long a one
        return
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(EventLog(Path(folder) / "x.lesson")) as ledger,
    ):
        ledger.append([done])
        assert ledger.events() == [done]


@pytest.mark.parametrize("size", [1, 60, 3000])
def test_whatever_is_damaged_it_is_told_or_what_is_there_is_a_beginning(tmp_path, size):
    good = tmp_path / "good.lesson"
    with closing(EventLog(good)) as ledger:
        for each in EVENTS * 20:
            ledger.append([each])
    change(good, "PRAGMA wal_checkpoint(TRUNCATE)", "PRAGMA journal_mode = DELETE")
    content, chance, told, cut = good.read_bytes(), random.Random(size), 0, 0
    for number in range(40):
        bad = bytearray(content)
        place = chance.randrange(0, len(bad))
        bad[place : place + size] = chance.randbytes(size)
        if number % 10 == 9:
            del bad[place:]
        path = tmp_path / f"{number}.lesson"
        path.write_bytes(bad)
        try:
            with closing(EventLog(path)) as ledger:
                events = ledger.events()
                cut += not ledger.whole
                assert len(events) <= len(EVENTS * 20)
                changed = sum(one != other for one, other in zip(events, EVENTS * 20))
                assert changed <= 1 + size // 20  # letters within a text may be others
        except EventLogError as error:
            told += bool(sentence(error))
    assert told + cut > 2 or size == 1
