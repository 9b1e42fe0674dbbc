"""Matches kept as files, as in a browser: what every store of matches promises."""

import json
import os
import sys
from dataclasses import replace

import pytest
from disks import ordinary_user

from coursekit.core.match import RecordError, play_out
from coursekit.core.strategy import AtRandom
from coursekit.games.wizard import Options, Wizard
from coursekit.table.storage import open_store
from coursekit.table.storage.file_store import DAY, FileStore
from coursekit.table.storage.store import (
    KEEP,
    HeldElsewhereError,
    SaveRequest,
    StoreError,
    data_directory,
)

RECORD = play_out(Wizard(3, Options(short_game=4)), [AtRandom] * 3, seed=1).record()
OTHER = play_out(Wizard(3, Options(short_game=4)), [AtRandom] * 3, seed=2).record()


def keep(store, id, record=RECORD, holder="me", stored=None, take=False):
    return store.save(
        id, SaveRequest(record, ["person", "AtRandom", "AtRandom"], holder, take), stored
    )


def upto(count, record=RECORD):
    return replace(record, log=record.log[:count])


def test_a_match_is_there_again_for_another_program(tmp_path):
    assert keep(FileStore(tmp_path), "an-id") == len(RECORD.log)
    assert FileStore(tmp_path).load("an-id") == (RECORD, ["person", "AtRandom", "AtRandom"])
    assert FileStore(tmp_path).holder("an-id") == "me"


@pytest.mark.parametrize("id", ["other", "", "../an-id", "a/b", "."])
def test_another_id_finds_nothing(tmp_path, id):
    keep(FileStore(tmp_path), "an-id")
    assert FileStore(tmp_path).load(id) is None
    assert FileStore(tmp_path).holder(id) is None


def test_a_match_goes_on(tmp_path):
    store = FileStore(tmp_path)
    stored = keep(store, "an-id", upto(3))
    assert keep(store, "an-id", RECORD, stored=stored) == len(RECORD.log)
    assert store.load("an-id")[0] == RECORD


@pytest.mark.parametrize("record", [OTHER, upto(2)])
def test_what_does_not_continue_it_is_refused(tmp_path, record):
    store = FileStore(tmp_path)
    keep(store, "an-id", upto(5))
    with pytest.raises(HeldElsewhereError):
        keep(store, "an-id", record)
    assert store.load("an-id")[0] == upto(5)


def test_a_match_belongs_to_the_table_that_took_it_last(tmp_path):
    store = FileStore(tmp_path)
    keep(store, "an-id", upto(3), holder="first")
    with pytest.raises(HeldElsewhereError):
        keep(store, "an-id", upto(4), holder="second")
    keep(store, "an-id", upto(4), holder="second", take=True)
    assert store.holder("an-id") == "second"
    with pytest.raises(HeldElsewhereError):
        keep(store, "an-id", upto(5), holder="first")


@pytest.mark.parametrize(
    "content", ["", "[]", "{", '{"head": {}, "log": [1], "players": [], "holder": ""}']
)
def test_a_damaged_file_is_said_and_replaced(tmp_path, content):
    store = FileStore(tmp_path)
    keep(store, "an-id")
    (tmp_path / "matches/an-id.json").write_text(content)
    with pytest.raises(RecordError) as found:
        store.load("an-id")
    assert found.value.text == "table.unreadable"
    assert store.holder("an-id") is None
    keep(store, "an-id")
    assert store.load("an-id")[0] == RECORD


def test_a_month_after_the_newest_a_match_is_forgotten(tmp_path):
    store = FileStore(tmp_path)
    for name, days in (("old", KEEP + 2), ("young", 1)):
        keep(store, name)
        file = tmp_path / "matches" / f"{name}.json"
        at = file.stat().st_mtime - days * DAY
        os.utime(file, (at, at))
    again = FileStore(tmp_path)
    assert [each.text for each in again.take_news()] == ["table.forgot"]
    assert again.take_news() == []
    assert again.load("old") is None
    assert again.load("young")


def test_what_cannot_be_written_is_a_reason(tmp_path):
    with ordinary_user(tmp_path):
        store = FileStore(tmp_path)
        for use in (store.check, lambda: keep(store, "an-id")):
            with pytest.raises(StoreError) as found:
                use()
            assert found.value.text == "disk.read_only"


def test_it_is_used_in_a_browser(tmp_path, monkeypatch):
    open_store.cache_clear()
    monkeypatch.setattr(sys, "platform", "emscripten")
    try:
        assert isinstance(open_store(tmp_path), FileStore)
    finally:
        open_store.cache_clear()


@pytest.mark.parametrize(("drive", "news"), [("", []), ("none", ["table.memory"])])
def test_jupyterlite_keeps_matches_in_its_drive_and_without_one_that_is_told(
    tmp_path, monkeypatch, drive, news
):
    monkeypatch.setattr(sys, "platform", "emscripten")
    monkeypatch.delenv("COURSEKIT_DATA")
    monkeypatch.setattr("coursekit.files.disk.DRIVE", tmp_path / drive)
    place = data_directory()
    assert (place == tmp_path / "coursekit") is not bool(news)
    assert [each.text for each in FileStore(place).take_news()] == news


def test_the_file_is_json_that_others_can_read(tmp_path):
    keep(FileStore(tmp_path), "an-id")
    there = json.loads((tmp_path / "matches/an-id.json").read_text(encoding="utf-8"))
    assert len(there["log"]) == len(RECORD.log)
