"""Files that are damaged, and what is kept of them."""

import sys
from pathlib import Path

import pytest

from coursekit.files.disk import damaged_files, lock_file, put_aside
from coursekit.journal.journal import Journal


def test_a_damaged_file_is_put_aside_under_the_first_free_number(tmp_path: Path) -> None:
    path = tmp_path / "journal.json"
    for content in ("first", "second"):
        path.write_text(content, encoding="utf-8")
        put_aside(path)
    assert not path.exists()
    names = [file.name for file in damaged_files(path)]
    assert names == ["journal.damaged-1.json", "journal.damaged-2.json"]
    assert [file.read_text() for file in damaged_files(path)] == ["first", "second"]


def test_what_sqlite_keeps_beside_a_file_goes_with_it(tmp_path: Path) -> None:
    path = tmp_path / "a.lesson"
    for name in ("a.lesson", "a.lesson-wal", "b.lesson-wal"):
        (tmp_path / name).touch()
    assert put_aside(path).name == "a.damaged-1.lesson"
    names = sorted(file.name for file in tmp_path.iterdir())
    assert names == ["a.damaged-1.lesson", "a.damaged-1.lesson-wal", "b.lesson-wal"]
    assert damaged_files(path) == [tmp_path / "a.damaged-1.lesson"]


def test_no_other_file_is_taken_for_a_damaged_one(tmp_path: Path) -> None:
    for name in ("a.damaged-1.txt", "b.damaged-1.json", "[a].damaged-1.json", "a.json"):
        (tmp_path / name).touch()
    assert damaged_files(tmp_path / "a.json") == []
    assert damaged_files(tmp_path / "[a].json") == [tmp_path / "[a].damaged-1.json"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows locks files by other means")
def test_without_locks_files_are_used_unlocked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fcntl = pytest.importorskip("fcntl")
    monkeypatch.delattr(fcntl, "flock")  # as in some Pythons for browsers
    with lock_file(tmp_path / "lock", 0) as held:
        assert not held
    Journal(tmp_path / "journal.json").save("why", "because", "Why?")
    assert list(Journal(tmp_path / "journal.json").answers()) == ["why"]
