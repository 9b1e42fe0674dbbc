"""Matches kept between one page and the next."""

import pytest

from coursekit.core.match import play_out
from coursekit.core.strategy import AtRandom
from coursekit.games.wizard import Wizard
from coursekit.table.store import Store, data_directory


@pytest.fixture
def record():
    return play_out(Wizard(3), [AtRandom] * 3, seed=1).record()


def test_a_match_is_kept_in_the_data_directory(tmp_path, monkeypatch, record):
    monkeypatch.setenv("COURSEKIT_DATA", str(tmp_path / "new"))
    Store().save("an id", record, ["person", "AtRandom", "AtRandom"])
    assert (data_directory() / "matches.sqlite3").exists()
    assert Store().load("an id") == (record, ["person", "AtRandom", "AtRandom"])


def test_another_id_finds_nothing(tmp_path, record):
    store = Store(tmp_path)
    store.save("an id", record, [])
    assert store.load("another id") is None
    assert store.load("%") is None


def test_saving_again_replaces(tmp_path, record):
    store = Store(tmp_path)
    store.save("id", record, ["a"])
    store.save("id", record, ["b"])
    assert store.load("id") == (record, ["b"])
    assert store.database.execute("SELECT count(*) FROM matches").fetchone() == (1,)


def test_a_match_nobody_touched_for_a_month_is_forgotten(tmp_path, record):
    store = Store(tmp_path)
    store.save("old", record, [])
    store.save("new", record, [])
    store.database.execute("UPDATE matches SET saved = datetime('now', '-31 days') WHERE id = 'old'")
    again = Store(tmp_path)
    assert again.load("old") is None
    assert again.load("new") is not None


@pytest.mark.parametrize("damage", ["nonsense", "{}", ""])
def test_a_damaged_row_is_as_good_as_none(tmp_path, record, damage):
    store = Store(tmp_path)
    store.save("id", record, [])
    store.database.execute("UPDATE matches SET record = ?", (damage,))
    assert store.load("id") is None


def test_a_place_that_cannot_be_written_costs_only_the_memory(tmp_path, record):
    (tmp_path / "file").write_text("not a folder")
    store = Store(tmp_path / "file")
    store.save("id", record, [])
    assert store.load("id") == (record, [])


def test_a_damaged_database_is_kept_aside(tmp_path, record):
    (tmp_path / "matches.sqlite3").write_text("not a database at all, but long enough to be read as one" * 40)
    store = Store(tmp_path)
    store.save("id", record, [])
    assert Store(tmp_path).load("id") == (record, [])
    assert "not a database" in (tmp_path / "matches.damaged.sqlite3").read_text()
