"""The files that coursekit keeps of people on this computer, for the command ``coursekit data``."""

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from coursekit.journal.journal_file import JournalFile, parse_journal
from coursekit.table.storage.store import data_directory

FOLDERS = "folders.txt"
"""File in the data folder: the folders of notebooks that were opened, one a line."""
LEAGUE = ".league"
"""How the folders of a class's leagues end, beside the lesson's file."""
DAMAGED = ".damaged"
"""In the name of a file that could not be read and was set aside."""


class PersonalFile(NamedTuple):
    """A file with something of people, or the unfinished copy of such a file."""

    kind: str
    """``matches``, ``lessons``, ``journal``, ``damaged``, ``left`` or ``folders``.

    The text ``data.kind.KIND`` says what it is.
    """
    path: Path

    @property
    def size(self) -> int:
        """Its size in bytes, 0 if it has gone meanwhile."""
        with suppress(OSError):
            return self.path.stat().st_size
        return 0

    @property
    def changed(self) -> str:
        """The day of its last change, as YYYY-MM-DD, "" if it has gone meanwhile."""
        with suppress(OSError):
            return datetime.fromtimestamp(self.path.stat().st_mtime).strftime("%Y-%m-%d")
        return ""


def remember(folder: Path) -> None:
    """Remember that notebooks in *folder* were opened: their journals lie there."""
    file = data_directory() / FOLDERS
    with suppress(OSError):  # it costs no lesson
        folders = _lines(file)
        if str(folder) not in folders:
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            file.write_text("\n".join([*folders, str(folder)]) + "\n", encoding="utf-8")


def list_files(*folders: Path) -> list[PersonalFile]:
    """Return the files in the data folder, beside notebooks that were opened, and in *folders*."""
    data = data_directory()
    files: list[PersonalFile] = []
    for file in _entries(data):
        if file.name.startswith("matches") and ".sqlite3" in file.name:
            files.append(PersonalFile("damaged" if DAMAGED in file.name else "matches", file))
    for entry in _entries(data / "lessons"):
        if entry.suffix == LEAGUE and entry.is_dir():
            files += [PersonalFile("lessons", file) for file in _entries(entry)]
        elif ".lesson" in entry.name:
            files.append(PersonalFile("lessons", entry))
    files += _journal(data / "journal.json", sure=True)
    named = os.environ.get("COURSEKIT_JOURNAL")
    if named:
        files += _journal(JournalFile(named).path, sure=True)
    for folder in dict.fromkeys([*map(Path, _lines(data / FOLDERS)), *folders]):
        files += _journal(folder / "journal.json")
        for inside in _entries(folder):
            if inside.is_dir() and not inside.name.startswith("."):
                files += _journal(inside / "journal.json")
    if (data / FOLDERS).is_file():
        files.append(PersonalFile("folders", data / FOLDERS))
    return list(dict.fromkeys(files))


def delete(files: list[PersonalFile]) -> list[tuple[Path, str]]:
    """Delete *files*; return those that are still there, and why."""
    failed = []
    for file in files:
        try:
            file.path.unlink(missing_ok=True)
        except OSError as problem:
            failed.append((file.path, problem.strerror or type(problem).__name__))
    for folder in {file.path.parent for file in files if file.path.parent.suffix == LEAGUE}:
        with suppress(OSError):  # a file in it is new, or could not be deleted
            folder.rmdir()
    return failed


def _journal(path: Path, sure: bool = False) -> Iterator[PersonalFile]:
    """Yield the journal at *path*, with damaged ones, temporary files and the lock beside it.

    :param sure: whether it is the kit's; another program's ``journal.json`` is left alone.
    """
    beside = _entries(path.parent)
    if not sure and path.with_name(f".{path.name}.lock") not in beside:
        try:
            if parse_journal(path.read_bytes()) is None:
                return
        except OSError:
            return
    own = re.compile(
        rf"(\.?){re.escape(path.stem)}(-group-\d+)?(\{DAMAGED}-.*)?{re.escape(path.suffix)}(\..*)?"
    )
    for file in beside:
        name = own.fullmatch(file.name)
        if not name:
            continue
        hidden, _, damaged, ending = name.groups()
        if hidden and ending:
            yield PersonalFile("left", file)
        elif not hidden and not ending:
            yield PersonalFile("damaged" if damaged else "journal", file)


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def _lines(file: Path) -> list[str]:
    try:
        return file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return []
