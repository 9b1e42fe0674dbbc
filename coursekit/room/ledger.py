"""The lesson's file: what happened in a room, in order, on the disk before it is answered.

One SQLite file holds one lesson: a row for each event, as JSON.  State is never stored; it is made again from the
events.  A file that cannot be read to its end is used as far as it can be.
"""

import json
import os
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from coursekit.core.errors import Spoken
from coursekit.files.disk import reason
from coursekit.table.database import family

Event = dict[str, Any]
VERSION = 1
APPLICATION = 0x636B726D  # "ckrm": tells a lesson's file from other databases
TABLE = "CREATE TABLE events (n INTEGER PRIMARY KEY, at TEXT, event TEXT)"


class LedgerError(Spoken):
    """The file cannot be used now; the sentence is a reason, to be part of another one."""


class Ledger:
    """The open file of one lesson.

    :param path: of the file, which is made if it is not there.
    :raises LedgerError: if it is no lesson's file, or cannot be used.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.cut = 0
        """How many events at the end could not be read, and are left out."""
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not path.exists():
                path.touch(mode=0o600)  # it holds the seeds of running matches
            # One thread at a time uses it, but not always the same.
            self._file = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=1)
            (application,) = self._file.execute("PRAGMA application_id").fetchone()
            (tables,) = self._file.execute("SELECT count(*) FROM sqlite_master").fetchone()
            if application != APPLICATION and tables:
                raise LedgerError("", "disk.foreign")
            self._file.execute("PRAGMA synchronous = FULL")
            self._file.execute("PRAGMA journal_mode = WAL")
            if not tables:
                self._file.execute(f"PRAGMA application_id = {APPLICATION}")
                self._file.execute(f"PRAGMA user_version = {VERSION}")
                self._file.execute(TABLE)
            (version,) = self._file.execute("PRAGMA user_version").fetchone()
            if version > VERSION:
                raise LedgerError("", "disk.newer")
        except (OSError, sqlite3.Error) as error:
            raise self._why(error) from error

    def _why(self, error: BaseException) -> LedgerError:
        if isinstance(error, sqlite3.Error):
            name = getattr(error, "sqlite_errorname", type(error).__name__)
            return LedgerError("", f"disk.{family(error) or 'damaged'}", folder=self.path.parent.name, name=name)
        why = reason(error, self.path.parent)
        return LedgerError(why.game, why.text, **why.values)

    def append(self, events: Sequence[Event]) -> None:
        """Add *events*; when it returns they are on the disk, all or none.

        :raises LedgerError: if they are not.
        """
        rows = [(json.dumps(each, ensure_ascii=False, separators=(",", ":")),) for each in events]
        try:
            self._file.execute("BEGIN IMMEDIATE")
            try:
                self._file.executemany("INSERT INTO events (at, event) VALUES (datetime('now'), ?)", rows)
                self._file.execute("COMMIT")
            except BaseException:
                if self._file.in_transaction:
                    self._file.execute("ROLLBACK")
                raise
        except (OSError, sqlite3.Error) as error:
            raise self._why(error) from error

    def events(self) -> Iterable[Event]:
        """Yield all events in order, up to the first that cannot be read."""
        try:
            rows = self._file.execute("SELECT n, CAST(event AS BLOB) FROM events ORDER BY n").fetchall()
        except sqlite3.Error as error:
            raise self._why(error) from error
        for number, (n, words) in enumerate(rows):
            try:
                event = json.loads(bytes(words).decode())
                if n != number + 1 or not isinstance(event, dict):
                    raise ValueError
            except (ValueError, TypeError, RecursionError):
                self.cut_at(n, len(rows) - number)
                return
            yield event

    def cut_at(self, n: int, lost: int) -> None:
        """Leave out what begins with event *n*, the last *lost* of them: it is put aside in the same file."""
        self.cut = lost
        try:
            self._file.execute("CREATE TABLE IF NOT EXISTS unread (n INTEGER, at TEXT, event TEXT)")
            self._file.execute("INSERT INTO unread SELECT n, at, event FROM events WHERE n >= ?", (n,))
            self._file.execute("DELETE FROM events WHERE n >= ?", (n,))
        except sqlite3.Error as error:
            raise self._why(error) from error

    def copy(self, goal: Path) -> None:
        """Write the whole lesson to the file *goal*."""
        with closing(sqlite3.connect(goal)) as there:
            self._file.backup(there)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def delete(self) -> None:
        """Close the file and delete it, with what SQLite keeps beside it."""
        self.close()
        for end in ("-wal", "-shm", "-journal", ""):
            self.path.with_name(self.path.name + end).unlink(missing_ok=True)


def lessons(folder: Path) -> list[Path]:
    """Return the files of the lessons in *folder*, the newest first."""
    found = [each for each in folder.glob("*.lesson") if each.is_file()]
    return sorted(found, key=lambda each: (os.stat(each).st_mtime, each.name), reverse=True)
