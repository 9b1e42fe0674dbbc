"""The command ``coursekit data``: what coursekit keeps of people on this computer, and a way to
delete all of it.
"""

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


class Kept(NamedTuple):
    """A file with something of people, or one that was left behind while such a file was written."""

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
        known = _lines(file)
        if str(folder) not in known:
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            file.write_text("\n".join([*known, str(folder)]) + "\n", encoding="utf-8")


def list_files(*folders: Path) -> list[Kept]:
    """Return what is kept in the data folder, beside notebooks that were opened, and in *folders*."""
    data = data_directory()
    found = [
        Kept("damaged" if DAMAGED in each.name else "matches", each)
        for each in _files(data, "matches")
    ]
    for each in _entries(data / "lessons"):
        if each.suffix == LEAGUE and each.is_dir():
            found += [Kept("lessons", file) for file in _entries(each)]
        elif ".lesson" in each.name:
            found.append(Kept("lessons", each))
    named = os.environ.get("COURSEKIT_JOURNAL")
    found += _journal(data / "journal.json", sure=True)
    found += _journal(JournalFile(named).path, sure=True) if named else []
    for folder in dict.fromkeys([*map(Path, _lines(data / FOLDERS)), *folders]):
        inside = (
            each for each in _entries(folder) if each.is_dir() and not each.name.startswith(".")
        )
        for each in (folder, *inside):
            found += _journal(each / "journal.json")
    if (data / FOLDERS).is_file():
        found.append(Kept("folders", data / FOLDERS))
    return list(dict.fromkeys(found))


def delete(found: list[Kept]) -> list[tuple[Path, str]]:
    """Delete the files *found*; return those that are still there, and why."""
    failed = []
    for each in found:
        try:
            each.path.unlink(missing_ok=True)
        except OSError as problem:
            failed.append((each.path, problem.strerror or type(problem).__name__))
    for folder in {each.path.parent for each in found if each.path.parent.suffix == LEAGUE}:
        with suppress(OSError):  # a file in it is new, or could not be deleted
            folder.rmdir()
    return failed


def _journal(path: Path, sure: bool = False) -> Iterator[Kept]:
    """Yield the journal at *path*, with damaged ones, temporary files and the lock beside it.

    :param sure: whether it is the kit's; another program's ``journal.json`` is left alone.
    """
    beside = _entries(path.parent)
    lock = f".{path.name}.lock"
    if not sure and lock not in {each.name for each in beside}:
        try:
            sure = parse_journal(path.read_bytes()) is not None
        except OSError:
            sure = False
        if not sure:
            return
    own = re.compile(
        rf"(\.?){re.escape(path.stem)}(-group-\d+)?(\{DAMAGED}-.*)?{re.escape(path.suffix)}(\..*)?"
    )
    for each in beside:
        if it := own.fullmatch(each.name):
            hidden, _, damaged, ending = it.groups()
            if bool(hidden) == bool(ending):
                yield Kept("left" if hidden else "damaged" if damaged else "journal", each)


def _files(folder: Path, beginning: str) -> list[Path]:
    return [
        each
        for each in _entries(folder)
        if each.name.startswith(beginning) and ".sqlite3" in each.name
    ]


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
