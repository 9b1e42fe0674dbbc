"""The lesson's file: what happened in a room, in order, on the disk before it is answered.

One SQLite file holds one lesson: a row for each event, as JSON. State is never stored; it is made
again from the events. A file that cannot be read to its end is used as far as it can be: what is
whole goes on in a new file, and the damaged one is kept beside it.
"""

import json
import os
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from coursekit.core.errors import LocalizedError
from coursekit.files.disk import damaged_files, disk_error_reason, put_aside, sqlite_files
from coursekit.table.storage.sqlite_file import sqlite_reason
from coursekit.words.texts import escape_surrogates

Event = dict[str, Any]
VERSION = 1
APPLICATION = 0x636B726D  # "ckrm": tells a lesson's file from other databases
TABLE = "CREATE TABLE events (n INTEGER PRIMARY KEY, at TEXT, event TEXT)"


class EventLogError(LocalizedError):
    """The file cannot be used now; the sentence is a reason, to be part of another one."""


class EventLog:
    """The open file of one lesson.

    :param path: of the file, which is made if it is not there.
    :raises LedgerError: if it is no lesson's file, or cannot be used.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.count: int | None = None
        """How many events are on the disk, ``None`` until it is known."""
        self.whole = True
        """Whether all that was read of it was in order."""
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not path.exists():
                path.touch(mode=0o600)  # it holds the seeds of running matches
            # One thread at a time uses it, but not always the same.
            self._file = sqlite3.connect(
                path, isolation_level=None, check_same_thread=False, timeout=1
            )
            # Or nothing would be read of a file that has lost its end.
            self._file.execute("PRAGMA writable_schema = ON")
            (application,) = self._file.execute("PRAGMA application_id").fetchone()
            (tables,) = self._file.execute("SELECT count(*) FROM sqlite_master").fetchone()
            if application != APPLICATION and tables:
                raise EventLogError("", "disk.foreign")
            self._file.execute("PRAGMA synchronous = FULL")
            self._file.execute("PRAGMA journal_mode = WAL")
            if not tables:
                self._file.execute(f"PRAGMA application_id = {APPLICATION}")
                self._file.execute(f"PRAGMA user_version = {VERSION}")
                self._file.execute(TABLE)
            (version,) = self._file.execute("PRAGMA user_version").fetchone()
            if version > VERSION:
                raise EventLogError("", "disk.newer")
        except (OSError, sqlite3.Error) as error:
            raise self._why(error) from error

    def _why(self, error: BaseException) -> EventLogError:
        if isinstance(error, sqlite3.Error):
            name = getattr(error, "sqlite_errorname", type(error).__name__)
            return EventLogError(
                "",
                f"disk.{sqlite_reason(error) or 'damaged'}",
                folder=self.path.parent.name,
                name=name,
            )
        why = disk_error_reason(error, self.path.parent)
        return EventLogError(why.game, why.text, **why.values)

    def append(self, events: Sequence[Event]) -> None:
        """Add *events*; when it returns they are on the disk, all or none.

        :raises LedgerError: if that is not certain. Then the same may be added again: nothing is
            there twice.
        """
        try:
            if self.count is None:
                (self.count,) = self._file.execute(
                    "SELECT coalesce(max(n), 0) FROM events"
                ).fetchone()
            before: int = self.count
            first = before + 1
            rows = [
                (n, json.dumps(event, ensure_ascii=False, separators=(",", ":")))
                for n, event in enumerate(events, first)
            ]
            self._file.execute("BEGIN IMMEDIATE")
            try:
                self._file.executemany("INSERT INTO events VALUES (?, datetime('now'), ?)", rows)
                self._file.execute("COMMIT")
            except BaseException:
                if self._file.in_transaction:
                    self._file.execute("ROLLBACK")
                raise
        except sqlite3.IntegrityError as error:
            last = first + len(rows) - 1
            there = self._file.execute(
                "SELECT n, event FROM events WHERE n BETWEEN ? AND ? ORDER BY n", (first, last)
            )
            if (
                there.fetchall() != rows
            ):  # else the try before has written them, although it seemed to fail
                raise EventLogError("", "disk.locked") from error
        except (OSError, sqlite3.Error) as error:
            raise self._why(error) from error
        self.count = before + len(rows)

    def events(self) -> list[Event]:
        """Return all events in order, up to the first that cannot be read; then it is not
        :attr:`whole`.

        :raises LedgerError: if it cannot be read now, or is damaged from the first event on.
        """
        events: list[Event] = []
        try:
            for n, words in self._file.execute(
                "SELECT n, CAST(event AS BLOB) FROM events ORDER BY n"
            ):
                event = json.loads(bytes(words).decode())
                if n != len(events) + 1 or not isinstance(event, dict):
                    raise ValueError
                events.append(event)
            self.whole = self._file.execute("PRAGMA quick_check(1)").fetchone() == ("ok",)
        except (ValueError, TypeError, RecursionError):
            self.whole = False
        except sqlite3.Error as error:
            if sqlite_reason(error) is not None:
                raise self._why(error) from error
            self.whole = False
        if not (events or self.whole):
            raise EventLogError("", "disk.damaged")
        return events

    def renewed(self, count: int) -> "EventLog":
        """Put this damaged file aside and return a new one in its place, with the first *count* of
        its events.

        :raises LedgerError: if that cannot be written.
        """
        new = self.path.with_suffix(".new")
        columns = "n, CAST(at AS BLOB), CAST(event AS BLOB)"
        try:
            rows = self._file.execute(
                f"SELECT {columns} FROM events ORDER BY n LIMIT ?", (count,)
            ).fetchall()
            new.unlink(missing_ok=True)
            with closing(EventLog(new)) as ledger:
                ledger._file.execute("BEGIN")
                ledger._file.executemany(
                    "INSERT INTO events VALUES (?, CAST(? AS TEXT), CAST(? AS TEXT))", rows
                )
                ledger._file.execute("COMMIT")
            self.close()
            put_aside(self.path)
            new.rename(self.path)
        except (OSError, sqlite3.Error) as error:
            raise self._why(error) from error
        return EventLog(self.path)

    def put_aside(self) -> list[Path]:
        """Return the damaged files of this lesson."""
        return damaged_files(self.path)

    def time(self, n: int) -> datetime | None:
        """Return when event *n*, from 1, was written, ``None`` if that cannot be read."""
        with suppress(sqlite3.Error, TypeError, ValueError):
            (at,) = self._file.execute("SELECT at FROM events WHERE n = ?", (n,)).fetchone()
            return datetime.fromisoformat(at).replace(tzinfo=UTC).astimezone()
        return None

    def copy(self, goal: Path) -> None:
        """Write the whole lesson to the file *goal*."""
        with closing(sqlite3.connect(goal)) as there:
            self._file.backup(there)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def delete(self) -> None:
        """Close the file and delete it, with what SQLite keeps beside it and what was put aside."""
        self.close()
        for path in (*self.put_aside(), self.path):
            for part in (*sqlite_files(path), path):
                part.unlink(missing_ok=True)


def read_events(path: Path, first: int, last: int) -> list[Event]:
    """Return the events of the file at *path* after its *first* ones, up to number *last*, as
    another process may.

    :raises OSError, sqlite3.Error, ValueError: if they cannot be read, or are not there.
    """
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as file:
        rows = file.execute(
            "SELECT event FROM events WHERE n > ? AND n <= ? ORDER BY n", (first, last)
        ).fetchall()
    if len(rows) != last - first:
        raise ValueError(f"there are {len(rows)} events after {first}, not {last - first}")
    return [json.loads(words) for (words,) in rows]


def make_writable(event: Mapping[str, Any]) -> Event:
    """Return *event* as the file gives it back; characters that no file can hold are escaped.

    All that a room does goes through here before it is done, so that the file's replay is the
    room's state.

    :raises ValueError: if it holds something that is no JSON.
    """
    try:
        words = json.dumps(event, ensure_ascii=False, allow_nan=False)
        words.encode()
    except UnicodeEncodeError:
        return make_writable(_escaped(event))
    except (TypeError, RecursionError) as error:
        raise ValueError(str(error)) from error
    found: Event = json.loads(words)
    return found


def _escaped(thing: Any) -> Any:
    """Return *thing* with half characters escaped in all its texts: an error of a strategy may hold
    them.
    """
    if isinstance(thing, str):
        return escape_surrogates(thing)
    if isinstance(thing, Mapping):
        return {escape_surrogates(key): _escaped(value) for key, value in thing.items()}
    return [_escaped(each) for each in thing] if isinstance(thing, list | tuple) else thing


def lesson_files(folder: Path) -> list[Path]:
    """Return the files of the lessons in *folder*, the newest first."""
    found = [
        each for each in folder.glob("*.lesson") if ".damaged-" not in each.name and each.is_file()
    ]
    return sorted(found, key=lambda each: (os.stat(each).st_mtime, each.name), reverse=True)
