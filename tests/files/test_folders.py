"""What a Mac puts beside each file of a USB stick is passed over at every place that reads one."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from coursekit.core.match import Match
from coursekit.files.record_sources import read_folder, read_records
from coursekit.games.wizard import Wizard
from coursekit.league.entry_files import find_entries
from coursekit.league.ladder import Ladder
from coursekit.room.event_log import lesson_files
from coursekit.serve import jupyter_pages, lab
from coursekit.serve.notebooks import NotebookShelf, packaged_folder
from coursekit.serve.room import page_files
from coursekit.site import build

BESIDE = b"\0\x05\x16\x07\0\x02\0\0Mac OS X        \xff\xfe"
"""How such a file begins; it is no text."""
RECORD = Match(Wizard(3), seed=1).record().dumps().encode()


def stick(folder: Path, name: str, content: bytes) -> Path:
    """Return *folder* with a file, and what a Mac and Office put beside it."""
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    for beside in ("._", ".", "~$"):
        (file.parent / f"{beside}{file.name}").write_bytes(BESIDE)
    return folder


def _notebooks(folder: Path) -> list[str]:
    shelf = NotebookShelf(stick(folder, "en/wizard.ipynb", b"{}"))
    return [notebook.path for notebook in shelf.notebooks("en")]


def _copied(folder: Path) -> list[str]:
    copied, _ = lab.copy(stick(folder / "from", "en/wizard.ipynb", b"{}"), folder / "to")
    return copied


def _home(folder: Path) -> list[str]:
    kits = (packaged_folder() / "en" / "wizard.ipynb").read_bytes()
    shelf = jupyter_pages.HomeShelf(stick(folder, "notebooks/en/wizard.ipynb", kits))
    return [notebook.path for notebook in shelf.notebooks("en")]


def _uploads(folder: Path) -> list[str]:
    files = sorted(stick(folder, "a.json", RECORD).iterdir())
    read = read_records([(file.name, file) for file in files], "wizard")
    return [*read.names, *map(str, read.refused)]


def _records(folder: Path) -> list[str]:
    read = read_folder(stick(folder, "a.json", RECORD), "wizard")
    return [*read.names, *map(str, read.refused)]


def _entries(folder: Path) -> list[str]:
    found = find_entries(stick(folder, "ann.py", b"x = 1"))
    return [*found.paths, *found.left_out]


def _ladder(folder: Path) -> list[str]:
    return [file.name for file in Ladder(Wizard(3), stick(folder, "Mine-1.py", b"")).files()]


def _lessons(folder: Path) -> list[str]:
    return [file.name for file in lesson_files(stick(folder, "a.lesson", b"{}"))]


@pytest.mark.parametrize(
    ("find", "found"),
    [
        (_notebooks, ["en/wizard.ipynb"]),
        (_copied, ["en/wizard.ipynb"]),
        (_home, ["en/wizard.ipynb"]),
        (_uploads, ["a.json"]),
        (_records, ["a.json"]),
        (_entries, ["ann.py"]),
        (_ladder, ["Mine-1.py"]),
        (_lessons, ["a.lesson"]),
    ],
)
def test_only_the_file_itself_is_found(
    find: Callable[[Path], list[str]], found: list[str], tmp_path: Path
) -> None:
    assert find(tmp_path) == found


def test_the_kit_itself_may_lie_on_a_stick(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    static = tmp_path / "static"
    shutil.copytree(page_files.STATIC, static)
    stick(static, "phone.js", (static / "phone.js").read_bytes())
    monkeypatch.setattr(page_files, "STATIC", static)
    assert not [name for name in page_files.page_files.__wrapped__() if name[0] in ".~"]
    kit = tmp_path / "kit"
    stick(kit, "games/words.py", b"")
    monkeypatch.setattr(build, "PACKAGE", kit)
    monkeypatch.setattr(build, "PACKAGES", ())
    sources = [name for name, _ in build._sources() if name.startswith("kit/")]
    assert sources == ["kit/games/words.py"]


def test_a_hidden_file_chosen_alone_is_still_named() -> None:
    read = read_records([("._a.json", BESIDE)], "wizard")
    assert [refused.values["file"] for refused in read.refused] == ["._a.json"]
