"""The lesson's file: what happened in a room, in order, on the disk before it is answered.

One SQLite file holds one lesson: a row for each event, as JSON. State is never stored; it is made
again from the events. A file that cannot be read to its end is used as far as it can be: the lesson
goes on in a new file, and the damaged one is kept beside it.
"""

import json
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from coursekit.core.errors import LocalizedError
from coursekit.files.disk import damaged_files, disk_error_reason, put_aside, sqlite_files
from coursekit.files.folders import visible_files
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
    :raises EventLogError: if it is no lesson's file, or cannot be used.
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
            self._prepare()
        except (OSError, sqlite3.Error) as error:
            raise self._error(error) from error

    def _prepare(self) -> None:
        """Make the table of a new file; refuse one of another program or a later version."""
        # Or nothing would be read of a file that has lost its end.
        self._file.execute("PRAGMA writable_schema = ON")
        tables = self._value("SELECT count(*) FROM sqlite_master")
        if tables and self._value("PRAGMA application_id") != APPLICATION:
            raise EventLogError("", "disk.foreign")
        self._file.execute("PRAGMA synchronous = FULL")
        self._file.execute("PRAGMA journal_mode = WAL")
        if not tables:
            self._file.execute(f"PRAGMA application_id = {APPLICATION}")
            self._file.execute(f"PRAGMA user_version = {VERSION}")
            self._file.execute(TABLE)
        if self._value("PRAGMA user_version") > VERSION:
            raise EventLogError("", "disk.newer")

    def _value(self, query: str, *values: Any) -> Any:
        (value,) = self._file.execute(query, values).fetchone()
        return value

    def _error(self, error: BaseException) -> EventLogError:
        """Return why the file cannot be used."""
        if isinstance(error, sqlite3.Error):
            name = getattr(error, "sqlite_errorname", type(error).__name__)
            text_id = f"disk.{sqlite_reason(error) or 'damaged'}"
            return EventLogError("", text_id, folder=self.path.parent.name, name=name)
        why = disk_error_reason(error, self.path.parent)
        return EventLogError(why.game, why.text, **why.values)

    def append(self, events: Sequence[Event]) -> None:
        """Add *events*; when it returns they are on the disk, all or none.

        :raises EventLogError: if that is not certain. Then the same may be added again: nothing is
            there twice.
        """
        try:
            if self.count is None:
                self.count = self._value("SELECT coalesce(max(n), 0) FROM events")
            before: int = self.count
            words = [
                json.dumps(event, ensure_ascii=False, separators=(",", ":")) for event in events
            ]
            rows = list(enumerate(words, before + 1))
            with self._transaction() as file:
                file.executemany("INSERT INTO events VALUES (?, datetime('now'), ?)", rows)
        except sqlite3.IntegrityError as error:
            last = before + len(rows)
            query = "SELECT n, event FROM events WHERE n > ? AND n <= ? ORDER BY n"
            if self._file.execute(query, (before, last)).fetchall() != rows:
                raise EventLogError("", "disk.locked") from error
            # The try before has written them, although it seemed to fail.
        except (OSError, sqlite3.Error) as error:
            raise self._error(error) from error
        self.count = before + len(rows)

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        self._file.execute("BEGIN IMMEDIATE")
        try:
            yield self._file
            self._file.execute("COMMIT")
        except BaseException:
            if self._file.in_transaction:
                self._file.execute("ROLLBACK")
            raise

    def events(self) -> list[Event]:
        """Return all events in order, up to the first that cannot be read.

        If there is such a one, it is not :attr:`whole`.

        :raises EventLogError: if it cannot be read now, or is damaged from the first event on.
        """
        events: list[Event] = []
        query = "SELECT n, CAST(event AS BLOB) FROM events ORDER BY n"
        try:
            for n, words in self._file.execute(query):
                event = json.loads(bytes(words).decode())
                if n != len(events) + 1 or not isinstance(event, dict):
                    raise ValueError
                events.append(event)
            self.whole = self._value("PRAGMA quick_check(1)") == "ok"
        except (ValueError, TypeError, RecursionError):
            self.whole = False
        except sqlite3.Error as error:
            if sqlite_reason(error) is not None:
                raise self._error(error) from error
            self.whole = False
        if not (events or self.whole):
            raise EventLogError("", "disk.damaged")
        return events

    def renew(self, count: int) -> "EventLog":
        """Return a new file in the place of this damaged one, with the first *count* of its events.

        The damaged file is put aside.

        :raises EventLogError: if that cannot be written.
        """
        new = self.path.with_suffix(".new")
        columns = "n, CAST(at AS BLOB), CAST(event AS BLOB)"
        copy = "INSERT INTO events VALUES (?, CAST(? AS TEXT), CAST(? AS TEXT))"
        try:
            query = f"SELECT {columns} FROM events ORDER BY n LIMIT ?"
            rows = self._file.execute(query, (count,)).fetchall()
            new.unlink(missing_ok=True)
            with closing(EventLog(new)) as log, log._transaction() as file:
                file.executemany(copy, rows)
            self.close()
            put_aside(self.path)
            new.rename(self.path)
        except (OSError, sqlite3.Error) as error:
            raise self._error(error) from error
        return EventLog(self.path)

    def damaged_files(self) -> list[Path]:
        """Return the damaged files of this lesson that were put aside."""
        return damaged_files(self.path)

    def time(self, n: int) -> datetime | None:
        """Return when event *n*, from 1, was written, ``None`` if that cannot be read."""
        with suppress(sqlite3.Error, TypeError, ValueError):
            at = self._value("SELECT at FROM events WHERE n = ?", n)
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
        for path in (*self.damaged_files(), self.path):
            for part in (*sqlite_files(path), path):
                part.unlink(missing_ok=True)


def read_events(path: Path, first: int, last: int) -> list[Event]:
    """Return the events of the file at *path* after its *first* ones, up to number *last*.

    Another process may do so while the file grows.

    :raises OSError, sqlite3.Error, ValueError: if they cannot be read, or are not there.
    """
    query = "SELECT event FROM events WHERE n > ? AND n <= ? ORDER BY n"
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as file:
        rows = file.execute(query, (first, last)).fetchall()
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
        return make_writable(_escape(event))
    except (TypeError, RecursionError) as error:
        raise ValueError(str(error)) from error
    writable: Event = json.loads(words)
    return writable


def _escape(thing: Any) -> Any:
    """Return *thing* with half characters escaped: an error of a strategy may hold them."""
    if isinstance(thing, str):
        return escape_surrogates(thing)
    if isinstance(thing, Mapping):
        return {escape_surrogates(name): _escape(part) for name, part in thing.items()}
    if isinstance(thing, list | tuple):
        return [_escape(part) for part in thing]
    return thing


def lesson_files(folder: Path) -> list[Path]:
    """Return the files of the lessons in *folder*, the newest first."""
    files = [path for path in visible_files(folder, "*.lesson") if path.is_file()]
    whole = [path for path in files if ".damaged-" not in path.name]
    return sorted(whole, key=lambda path: (os.stat(path).st_mtime, path.name), reverse=True)
