"""Matches kept between one page and the next, whatever happens to their file."""

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import pytest
from disks import another_program, ordinary_user

from coursekit.core.errors import LocalizedError
from coursekit.core.match import play_out
from coursekit.core.strategy import AtRandom
from coursekit.games.wizard import Options, Wizard
from coursekit.table.storage import sqlite_file
from coursekit.table.storage.sqlite_store import (
    HeldElsewhereError,
    SaveRequest,
    Store,
    StoreError,
    data_directory,
)
from coursekit.words.texts import LANGUAGES

RECORD = play_out(Wizard(3, Options(short_game=4)), [AtRandom] * 3, seed=1).record()
OTHER = play_out(Wizard(3, Options(short_game=4)), [AtRandom] * 3, seed=2).record()


def upto(count, record=RECORD):
    """Return *record* as it was after *count* actions."""
    return replace(record, log=record.log[:count])


def keep(store, id, record, players=(), holder="me", stored=None, take=False):
    return store.save(id, SaveRequest(record, list(players), holder, take), stored)


def sentences(news):
    """Return what is told, in English; it can be told in every language."""
    assert all(each.sentence(language) for each in news for language in LANGUAGES)
    return [each.sentence("en") for each in news]


def names(folder):
    return sorted(each.name for each in folder.iterdir() if not each.name.startswith("."))


def test_a_match_is_kept_in_the_data_directory(tmp_path, monkeypatch):
    monkeypatch.setenv("COURSEKIT_DATA", str(tmp_path / "new"))
    keep(Store(), "an id", RECORD, ["person", "AtRandom", "AtRandom"])
    assert (data_directory() / "matches.sqlite3").stat().st_mode & 0o077 == 0 or os.name == "nt"
    assert Store().load("an id") == (RECORD, ["person", "AtRandom", "AtRandom"])


def test_another_id_finds_nothing(tmp_path):
    store = Store(tmp_path)
    keep(store, "an id", RECORD)
    assert store.load("another id") is None
    assert store.load("%") is None


# What is written


def test_only_what_is_new_is_written(tmp_path):
    store, stored = Store(tmp_path), None
    for count in range(1, len(RECORD.log) + 1):
        before = store.database.total_changes
        stored = keep(store, "id", upto(count), stored=stored)
        assert store.database.total_changes - before == 2  # an action, and the match's line
    assert stored == len(RECORD.log)
    assert Store(tmp_path).load("id") == (RECORD, [])


@pytest.mark.parametrize("stored", [None, 10, 20])
@pytest.mark.parametrize(
    "record",
    [
        upto(10),
        upto(20, OTHER),
        replace(upto(20), log=(*RECORD.log[:19], (9, 9)), seeds=RECORD.seeds),
        replace(RECORD, seeds=((0, "other"),)),
        replace(RECORD, names=("Ann",)),
        replace(OTHER, seeds=RECORD.seeds),
    ],
)
def test_a_log_that_does_not_continue_what_is_there_changes_nothing(tmp_path, record, stored):
    store = Store(tmp_path)
    keep(store, "id", upto(20))
    before = list(store.database.iterdump())
    if stored != 20:  # the table that saves it has not seen what is there now
        for take in (False, True):
            with pytest.raises(HeldElsewhereError):
                keep(store, "id", record, stored=stored, take=take)
    with pytest.raises(HeldElsewhereError):
        keep(store, "id", record, holder="other")
    assert list(store.database.iterdump()) == before


def test_a_match_has_one_holder_until_another_takes_it(tmp_path):
    one, other = Store(tmp_path), Store(tmp_path)
    stored = keep(one, "id", upto(5), holder="one")
    with pytest.raises(HeldElsewhereError):
        keep(other, "id", upto(6), holder="other")
    keep(other, "id", upto(6), holder="other", take=True)
    assert one.holder("id") == "other"
    with pytest.raises(HeldElsewhereError):
        keep(one, "id", upto(7), holder="one", stored=stored)
    assert other.load("id")[0] == upto(6)


def test_a_save_that_was_refused_leaves_the_file_free(tmp_path):
    one, other = Store(tmp_path), Store(tmp_path)
    keep(one, "id", upto(5), holder="one")
    with pytest.raises(HeldElsewhereError):
        keep(other, "id", upto(6), holder="other")
    keep(one, "another id", upto(3), holder="one")
    keep(other, "a third id", upto(3), holder="other")
    assert Store(tmp_path).load("another id") == (upto(3), [])


WRITER = """
import sys
from pathlib import Path
from coursekit.core.match import Match, Record
from coursekit.table.storage.sqlite_store import SaveRequest, Store
from dataclasses import replace
record = Record.loads(Path(sys.argv[2]).read_text())
store, stored = Store(Path(sys.argv[1])), None
for count in range(1, len(record.log) + 1):
    stored = store.save(sys.argv[3], SaveRequest(replace(record, log=record.log[:count]), [], "me", True), stored)
    print(stored, flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
def test_what_was_acknowledged_outlives_a_kill(tmp_path):
    """Twenty programs are killed at a moment of their own while they save."""
    (tmp_path / "record.json").write_text(RECORD.dumps())
    moments = random.Random(1)
    for number in range(20):
        command = [sys.executable, "-c", WRITER, tmp_path, tmp_path / "record.json", str(number)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
            lines = [writer.stdout.readline() for _ in range(moments.randrange(1, len(RECORD.log)))]
            writer.send_signal(signal.SIGKILL)
            said = [*lines, *writer.stdout]
        whole = [int(line) for line in said if line.endswith("\n")]
        log = Store(tmp_path).load(str(number))[0].log
        assert log == RECORD.log[: len(log)]
        assert len(log) >= whole[-1] > 0
    assert len(Store(tmp_path).database.execute("SELECT * FROM matches").fetchall()) == 20


# How old it is


def set_saved(folder, **when):
    """Have the matches of *folder* been saved at other times."""
    with closing(sqlite3.connect(folder / "matches.sqlite3", isolation_level=None)) as database:
        for id, time in when.items():
            database.execute(f"UPDATE matches SET saved = {time} WHERE id = ?", (id,))


def test_matches_a_month_older_than_the_newest_are_deleted_and_it_is_told(tmp_path):
    for id in ("old", "older", "new"):
        keep(Store(tmp_path), id, RECORD)
    # What counts is the newest, not today.
    set_saved(tmp_path, old="datetime('now', '-40 days')", older="datetime('now', '-60 days')")
    set_saved(tmp_path, new="datetime('now', '-9 days')")
    again = Store(tmp_path)
    assert sentences(again.take_news()) == [
        "Deleted, since nobody had touched them for 30 days: 2 matches."
    ]
    assert [again.load(id) is not None for id in ("old", "older", "new")] == [False, False, True]
    assert again.take_news() == Store(tmp_path).take_news() == []
    assert again.database.execute("SELECT DISTINCT match FROM actions").fetchall() == [("new",)]


def test_matches_are_kept_as_long_as_nothing_newer_is_there(tmp_path):
    keep(Store(tmp_path), "old", RECORD)
    set_saved(tmp_path, old="datetime('now', '-100 days')")
    assert Store(tmp_path).load("old") is not None


@pytest.mark.parametrize(
    "wrong", ["'1970-01-01 00:00:05'", "datetime('now', '+20 years')", "NULL", "''"]
)
def test_a_clock_that_was_wrong_deletes_nothing(tmp_path, wrong):
    for id in ("before", "then", "after"):
        keep(Store(tmp_path), id, RECORD)
        if id == "then":
            set_saved(tmp_path, then=wrong)
    for _ in range(3):
        store = Store(tmp_path)
        assert store.take_news() == []
        assert all(store.load(id) for id in ("before", "then", "after"))


# A file that is not as it should be


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE matches SET head = NULL",
        "UPDATE matches SET players = NULL",
        "UPDATE matches SET head = '{}'",
        "UPDATE matches SET head = '['",
        "UPDATE actions SET action = NULL WHERE entry = 3",
        "UPDATE matches SET head = CAST(x'7bff7d' AS TEXT)",
        "UPDATE actions SET action = CAST(x'ff' AS TEXT)",
        "DELETE FROM actions WHERE entry = 3",
        "UPDATE actions SET action = '99' WHERE entry = 3",
        "UPDATE actions SET seat = NULL WHERE entry = 3",
    ],
)
def test_a_match_that_cannot_be_read_is_called_so_and_the_others_are_there(tmp_path, damage):
    store = Store(tmp_path)
    keep(store, "id", RECORD)
    store.database.execute(damage)
    keep(store, "good", OTHER)
    again = Store(tmp_path)
    with pytest.raises(LocalizedError, match="What is kept of your last match is damaged"):
        again.load("id")
    assert again.load("good") == (OTHER, [])


def test_a_match_of_newer_rules_is_called_so(tmp_path):
    store = Store(tmp_path)
    keep(store, "id", replace(RECORD, rules=RECORD.rules + 1))
    with pytest.raises(
        LocalizedError, match=f"played with version {RECORD.rules + 1} of the rules"
    ):
        Store(tmp_path).load("id")


def test_each_damaged_file_is_put_aside_under_a_name_of_its_own_and_told_once(tmp_path):
    path = tmp_path / "matches.sqlite3"
    for number in range(1, 4):
        path.write_text(f"not a database at all: {number}" * 40)
        store = Store(tmp_path)
        told = sentences(store.take_news())
        name = f"matches.damaged-{number}.sqlite3"
        assert told == [
            f"The file with the kept matches could not be used (it is no database); it is kept as {name}, "
            "and a new one was begun."
        ]
        assert store.take_news() == []
        keep(store, "id", RECORD)
        store.database.close()
    for number in range(1, 4):
        text = (tmp_path / f"matches.damaged-{number}.sqlite3").read_text()
        assert text.startswith(f"not a database at all: {number}")


def good_file(folder):
    """Keep six matches in *folder*, in one file; return it."""
    store = Store(folder)
    for number in range(6):
        keep(store, str(number), RECORD)
    store.database.execute("PRAGMA journal_mode = DELETE")
    store.database.close()
    return folder / "matches.sqlite3"


@pytest.mark.parametrize("size", [1, 50, 4000])
def test_whatever_is_damaged_there_is_a_store_and_nothing_is_lost_in_silence(tmp_path, size):
    good = good_file(tmp_path).read_bytes()
    chance, aside = random.Random(size), 0
    for number in range(40):
        folder = tmp_path / str(number)
        folder.mkdir()
        place = chance.randrange(0, len(good)) if number % 2 else chance.randrange(0, 1000)
        content = bytearray(good)
        content[place : place + size] = chance.randbytes(size)
        if number % 10 == 9:
            del content[place:]
        path = folder / "matches.sqlite3"
        path.write_bytes(content)
        store = Store(folder)
        told = sentences(store.take_news())
        for match in range(6):
            with suppress(LocalizedError):  # a sentence about this match alone
                assert store.load(str(match)) is not None or told  # nothing is gone in silence
        if any("could not be used" in each for each in told):
            aside += 1
            assert (folder / "matches.damaged-1.sqlite3").read_bytes() == bytes(content)
        with suppress(StoreError):  # the number of the version was hit: a sentence about the whole
            keep(store, "mine", OTHER)
            assert Store(folder).load("mine") == (OTHER, [])
    assert aside > 5


@pytest.mark.parametrize("place", [-60, -40, 0, 5, 40, 55, 70])
def test_a_schema_that_is_no_text_is_damage(tmp_path, place):
    path = good_file(tmp_path)
    content = path.read_bytes()
    place += content.index(b"CREATE TABLE matches")
    path.write_bytes(content[:place] + b"\xff" * 10 + content[place + 10 :])
    store = Store(tmp_path)
    assert "(its content is damaged)" in sentences(store.take_news())[0]
    keep(store, "id", RECORD)
    assert Store(tmp_path).load("id") == (RECORD, [])


def test_a_database_of_something_else_is_put_aside(tmp_path):
    with sqlite3.connect(tmp_path / "matches.sqlite3") as database:
        database.execute("CREATE TABLE recipes (name TEXT)")
    database.close()
    assert "(it holds something else)" in sentences(Store(tmp_path).take_news())[0]


def test_a_file_of_a_newer_version_is_left_alone_and_told(tmp_path):
    path = good_file(tmp_path)
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA user_version = 3")
    database.close()
    before = path.read_bytes()
    store = Store(tmp_path)
    for use in (lambda: keep(store, "id", RECORD), lambda: store.load("0"), store.check):
        with pytest.raises(StoreError, match="a newer coursekit has written the file"):
            use()
    assert path.read_bytes() == before
    assert names(tmp_path) == ["matches.sqlite3"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
def test_of_a_file_that_was_deleted_nothing_comes_back(tmp_path):
    (tmp_path / "record.json").write_text(RECORD.dumps())
    command = [sys.executable, "-c", WRITER, tmp_path, tmp_path / "record.json", "id"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        writer.stdout.readline()
        writer.send_signal(signal.SIGKILL)
    assert (tmp_path / "matches.sqlite3-wal").stat().st_size > 0
    (tmp_path / "matches.sqlite3").unlink()
    assert Store(tmp_path).load("id") is None


def test_a_file_that_is_deleted_while_people_play_is_begun_anew_with_the_whole_match(tmp_path):
    store = Store(tmp_path)
    keep(store, "old", OTHER)
    stored = keep(store, "id", upto(5))
    for each in tmp_path.glob("matches.sqlite3"):
        each.unlink()
    keep(store, "id", upto(6), stored=stored)
    again = Store(tmp_path)
    assert again.load("id") == (upto(6), [])
    assert again.load("old") is None


@pytest.mark.skipif(os.name == "nt", reason="Windows deletes no open file")
def test_a_log_that_is_deleted_while_people_play_takes_nothing_along(tmp_path):
    store = Store(tmp_path)
    stored = keep(store, "id", upto(5))
    for each in tmp_path.glob("matches.sqlite3-*"):
        each.unlink()
    keep(store, "id", upto(6), stored=stored)
    assert Store(tmp_path).load("id") == (upto(6), [])


def test_a_file_that_is_damaged_while_people_play_is_put_aside_and_the_match_kept(tmp_path):
    store = Store(tmp_path)
    stored = keep(store, "id", upto(5))
    store.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with (tmp_path / "matches.sqlite3").open("r+b") as file:
        file.write(b"\xff" * 30_000)
    shutil.copy(tmp_path / "matches.sqlite3", tmp_path / "copy")
    (tmp_path / "copy").replace(tmp_path / "matches.sqlite3")
    keep(store, "id", upto(6), stored=stored)
    assert "matches.damaged-1.sqlite3" in sentences(store.take_news())[0]
    assert Store(tmp_path).load("id") == (upto(6), [])


# A disk that refuses


@pytest.mark.parametrize("closed", [True, False])
def test_a_read_only_folder_can_be_read_and_says_that_nothing_more_is_kept(shared, closed):
    writer = Store(shared)
    keep(writer, "id", upto(5))
    if closed:
        writer.database.close()
    with ordinary_user(shared):
        store = Store(shared)
        assert store.load("id") == (upto(5), [])
        for use in (store.check, lambda: keep(store, "id", upto(6))):
            with pytest.raises(
                StoreError, match=f"the folder {shared.name} can only be read, not written"
            ):
                use()
        assert store.load("id") == (upto(6), [])  # as long as the page is open
    store.check()
    keep(store, "id", upto(7))
    assert Store(shared).load("id") == (upto(7), [])


def test_a_place_that_cannot_be_written_costs_only_the_memory(tmp_path):
    (tmp_path / "file").write_text("not a folder")
    store = Store(tmp_path / "file")
    with pytest.raises(StoreError, match="there is no folder file, and it cannot be made"):
        keep(store, "id", RECORD)
    assert store.load("id") == (RECORD, [])
    assert store.holder("id") == "me"
    (tmp_path / "file").unlink()
    keep(store, "new", OTHER)
    assert Store(tmp_path / "file").load("id") == (RECORD, [])  # what waited was kept with it


def test_a_folder_in_the_files_place_is_told(tmp_path):
    (tmp_path / "matches.sqlite3").mkdir()
    with pytest.raises(StoreError, match="cannot be opened"):
        Store(tmp_path).check()


def test_a_full_disk_is_told_and_what_waited_is_kept_when_there_is_room(tmp_path):
    store = Store(tmp_path)
    stored = keep(store, "id", upto(5))
    (pages,) = store.database.execute("PRAGMA page_count").fetchone()
    store.database.execute(f"PRAGMA max_page_count = {pages}")
    big = replace(upto(6), names=("x" * 40,) * 3, options=RECORD.options | {"more": "x" * 50_000})
    with pytest.raises(StoreError, match="the disk is full"):
        keep(store, "big", big)
    keep_more = keep(store, "id", upto(5), stored=stored)
    store.database.execute("PRAGMA max_page_count = 1000000")
    assert keep(store, "id", upto(7), stored=keep_more) == 7
    assert Store(tmp_path).database.execute("SELECT id FROM matches ORDER BY id").fetchall() == [
        ("big",),
        ("id",),
    ]


def test_a_locked_file_is_told_and_kept_in_when_it_is_free(tmp_path):
    store = Store(tmp_path)
    stored = keep(store, "id", upto(5))
    with another_program(tmp_path / "matches.sqlite3"):
        for use in (lambda: keep(store, "id", upto(6), stored=stored), Store(tmp_path).check):
            with pytest.raises(StoreError, match="another program is using the file"):
                use()
        assert Store(tmp_path).load("id") == (upto(5), [])  # what is there can be read
    keep(store, "id", upto(6), stored=stored)
    assert Store(tmp_path).load("id") == (upto(6), [])


def test_a_page_that_is_opened_during_a_lock_keeps_its_match_afterwards(tmp_path):
    path = tmp_path / "matches.sqlite3"
    keep(Store(tmp_path), "good", RECORD, ["person"])
    with another_program(path):
        store = Store(tmp_path)
        with pytest.raises(StoreError, match="another program"):
            keep(store, "id", upto(6))
    assert store.load("good") == (RECORD, ["person"])
    keep(store, "id", upto(6))
    assert Store(tmp_path).load("id") == (upto(6), [])
    assert (
        json.loads(
            store.database.execute("SELECT head FROM matches WHERE id = 'id'").fetchone()[0]
        )["players"]
        == 3
    )


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="Linux tells which files are open")
def test_a_damaged_file_is_closed_before_it_is_put_aside(tmp_path, monkeypatch):
    """Windows refuses to rename an open file, and what an error holds keeps a file open."""
    found = []
    real = sqlite_file.put_aside

    def put_aside(path):
        names = set()
        for entry in Path("/proc/self/fd").iterdir():
            with suppress(OSError):  # another thread may close its own meanwhile
                names.add(os.readlink(entry))
        found.append(str(path) in names)
        return real(path)

    monkeypatch.setattr(sqlite_file, "put_aside", put_aside)
    rng = random.Random(40)
    content = good_file(tmp_path).read_bytes()
    start = content.index(b"CREATE TABLE matches")
    for number, place in enumerate([start + 55, start + 70, *rng.sample(range(len(content)), 40)]):
        folder = tmp_path / str(number)
        folder.mkdir()
        damaged = content[:place] + b"\xff" * 10 + content[place + 10 :]
        (folder / "matches.sqlite3").write_bytes(damaged)
        Store(folder)
    assert len(found) > 5
    assert not any(found)
