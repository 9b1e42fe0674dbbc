"""``coursekit data``: everything that is kept of people is listed, and deleted after asking."""

import builtins
from pathlib import Path

import pytest

from coursekit import cli
from coursekit.core.match import Match
from coursekit.games.wizard import Wizard
from coursekit.journal.journal import Journal
from coursekit.serve import lab
from coursekit.serve.personal_data import remember
from coursekit.table.storage.sqlite_file import KEEP
from coursekit.table.storage.sqlite_store import SaveRequest, Store
from coursekit.words.texts import text


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of this test alone, and a terminal in a folder beside it."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("LC_ALL", "en_US.UTF-8")
    monkeypatch.setenv("COURSEKIT_DATA", str(tmp_path / "data"))
    monkeypatch.delenv("COURSEKIT_JOURNAL", raising=False)
    return tmp_path / "data"


def write(path: Path) -> Path:
    """Keep an answer in the journal at *path*."""
    path.parent.mkdir(parents=True, exist_ok=True)
    Journal(path).save("wizard/sure", "I was sure.", "How sure?")
    return path


@pytest.fixture
def full(data: Path) -> set[Path]:
    """The files of a class: in the data folder, and beside notebooks that were opened."""
    store = Store(data)
    store.save("a" * 32, SaveRequest(Match(Wizard(3), 1, ["Ann"]).record(), ["person"], "", False))
    store.database.close()  # or SQLite has two more files beside its own
    mine, elsewhere = Path.cwd() / cli.COPY, data.parent / "elsewhere"
    groups = [data / f"journal-group-{number}.json" for number in (1, 10, 123)]
    journals = [
        data / "journal.json",
        *groups,
        mine / "zh/journal.json",
        elsewhere / "en/journal.json",
    ]
    for path in journals:
        write(path)
    remember(elsewhere)
    journals[0].write_text("{", encoding="utf-8")
    write(journals[0])  # sets the damaged one aside
    left = data / ".journal.json.x7k2"
    left.write_text("typed", encoding="utf-8")
    aside = data / "matches.damaged-2.sqlite3"
    aside.write_bytes(b"SQLite, once")
    lesson = [data / "lessons/monday.lesson", data / "lessons/monday-1.league/Ann-1.py"]
    lesson[1].parent.mkdir(parents=True)
    for each in lesson:
        each.write_bytes(b"of a class")
    locks = {each.with_name(f".{each.name}.lock") for each in journals}
    return {
        data / "matches.sqlite3",
        data / "journal.damaged-1.json",
        data / "folders.txt",
        left,
        aside,
        *journals,
        *lesson,
    } | locks


def listed(capsys: pytest.CaptureFixture[str], *command: str) -> tuple[int, str]:
    """Run *command*; return its exit code and what it has written."""
    code = cli.main(["data", *command])
    return code, capsys.readouterr().out


def test_every_file_is_listed_with_how_long_it_is_kept(
    full: set[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    code, said = listed(capsys)
    assert code == 0
    assert {each for each in full if f"  {each} (" not in said} == set()
    assert said.count("  /") == len(full)
    for kind in ("matches", "lessons", "journal", "damaged", "left", "folders"):
        assert text(f"cli.data.kind.{kind}", "en", days=KEEP) in said


def test_nothing_is_deleted_unless_somebody_says_yes(
    full: set[Path], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def nobody(_question: str) -> str:
        raise EOFError

    for answer in (lambda _: "no", lambda _: "", nobody):
        monkeypatch.setattr(builtins, "input", answer)
        code, said = listed(capsys, "delete")
        assert code == 1
        assert text("cli.data.kept", "en") in said
        assert all(each.exists() for each in full)
    monkeypatch.setattr(builtins, "input", lambda _: "Yes")
    assert listed(capsys, "delete")[0] == 0
    assert [each for each in full if each.exists()] == []


def test_delete_leaves_notebooks_and_what_other_programs_wrote(
    full: set[Path], data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = data.parent / "elsewhere"
    others = [
        folder / "zh/journal.json",
        folder / "en/wizard.ipynb",
        folder / "en/report.damaged-1.json",
    ]
    for path in others:
        path.parent.mkdir(exist_ok=True)
        path.write_text('{"journal": "of Physics"}', encoding="utf-8")
    code, said = listed(capsys, "delete", "--yes")
    assert (code, text("cli.data.deleted", "en", count=len(full)) in said) == (0, True)
    assert [each for each in full if each.exists()] == []
    assert all(each.exists() for each in others)
    assert not (data / "lessons/monday-1.league").exists()
    code, said = listed(capsys)
    assert text("cli.data.nothing", "en") in said


def test_folders_of_notebooks_are_found_again(
    data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lab, "open_lab", lambda *_, **__: 0)
    assert cli.main(["lab", "--dir", str(data.parent / "far"), "--no-browser"]) == 0
    capsys.readouterr()
    journal = write(data.parent / "far/zh/journal.json")
    assert str(journal) in listed(capsys)[1]
    other = write(data.parent / "unknown/en/journal.json")
    assert str(other) not in listed(capsys)[1]
    assert str(other) in listed(capsys, "--dir", str(data.parent / "unknown"))[1]


def test_the_journal_that_the_environment_names_is_found(
    data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(data.parent / "named/mine.json")
    monkeypatch.setenv("COURSEKIT_JOURNAL", str(path))
    assert listed(capsys, "delete", "--yes")[0] == 0
    assert not path.exists()


def test_a_file_that_cannot_be_deleted_is_named(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stubborn, journal = data / "matches.damaged.sqlite3", write(data / "journal.json")
    stubborn.mkdir()
    assert cli.main(["data", "delete", "--yes"]) == 2
    assert str(stubborn) in capsys.readouterr().err
    assert not journal.exists()
