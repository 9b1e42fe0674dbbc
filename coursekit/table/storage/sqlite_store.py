"""A store of matches in a small database on this machine."""

import errno
import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from coursekit.core.errors import LocalizedError
from coursekit.core.match import Record, RecordError
from coursekit.table.storage.sqlite_file import (
    NOW,
    NewerFileError,
    open_file,
    sqlite_reason,
    transaction,
    why_not,
)
from coursekit.table.storage.store import (
    HeldElsewhereError,
    SaveRequest,
    StoreError,
    continues,
    data_directory,
    head_of,
    read_match,
)

PATIENCE = 1.0
"""Seconds to wait for another program that uses the database; after a failure, :data:`HURRY`."""
HURRY = 0.05
SAVE_MATCH = (
    f"INSERT INTO matches VALUES (?, ?, ?, ?, {NOW}) ON CONFLICT (id) DO UPDATE SET"
    " head = excluded.head, players = excluded.players, holder = excluded.holder,"
    " saved = excluded.saved"
)
LOAD_MATCH = "SELECT CAST(head AS BLOB), CAST(players AS BLOB) FROM matches WHERE id = ?"
LOAD_LOG = "SELECT seat, CAST(action AS BLOB), entry FROM actions WHERE match = ? ORDER BY entry"
"""Text is read as bytes, since a damaged one need not be UTF-8."""


class Store:
    """The database ``matches.sqlite3``, with each match under an id that cannot be guessed.

    Logs are only added to. A save that does not continue what is there is refused. What cannot be
    saved is remembered, and saved with the next match that can be: there is always a table, and no
    match is lost as long as its page is open.
    """

    def __init__(self, directory: Path | None = None) -> None:
        self._path = (directory or data_directory()) / "matches.sqlite3"
        self._database: sqlite3.Connection | None = None
        self._file: tuple[int, int, int] | None = None  # which file is open, and its log
        self._writable = False
        self._patience = PATIENCE
        self._waiting: dict[str, SaveRequest] = {}  # could not be saved yet
        self._news: list[LocalizedError] = []
        with suppress(StoreError):
            self.check()

    @property
    def database(self) -> sqlite3.Connection:
        """The open database.

        :raises StoreError: if it cannot be used now.
        """
        with self._disk():
            return self._open()

    def check(self) -> None:
        """Raise :class:`StoreError` unless matches can be kept now."""
        with self._disk(), transaction(self._open(to_write=True)):
            pass

    def take_news(self) -> list[LocalizedError]:
        """Return what has happened to the matches kept here, to be told once."""
        news, self._news = self._news, []
        return news

    def save(self, match_id: str, request: SaveRequest, stored: int | None = None) -> int:
        """Keep a match as it is now, and return how long its log is in the store.

        :param stored: that number from the last time the same table saved it.
        :raises StoreError: if nothing can be kept now.
        :raises HeldElsewhereError: if another table has it, or it does not continue the one in the
            store.
        """
        self._waiting[match_id] = request
        try:
            length = self._save(match_id, request, stored)
        except HeldElsewhereError:
            del self._waiting[match_id]
            raise
        del self._waiting[match_id]
        with suppress(StoreError):
            for other in list(self._waiting):
                with suppress(HeldElsewhereError):
                    self._save(other, self._waiting[other], None)
                del self._waiting[other]
        return length

    def load(self, match_id: str) -> tuple[Record, list[str]] | None:
        """Return a kept match and who plays its seats, ``None`` if there is none.

        :raises RecordError: if it cannot be opened, and why.
        :raises StoreError: if the store cannot be looked into now.
        """
        if match_id in self._waiting:
            return self._waiting[match_id].record, list(self._waiting[match_id].players)
        with self._disk():
            database = self._open()
            row = database.execute(LOAD_MATCH, (match_id,)).fetchone()
            log = database.execute(LOAD_LOG, (match_id,)).fetchall()
        if row is None:
            return None
        try:
            head, players = map(json.loads, row)
            if [entry for _, _, entry in log] != list(range(len(log))):
                raise RecordError("table.unreadable")
            entries = [[seat, json.loads(action)] for seat, action, _ in log]
        except (ValueError, TypeError, RecursionError):
            raise RecordError("table.unreadable") from None
        return read_match(head, players, entries)

    def holder(self, match_id: str) -> str | None:
        """Return the name of the table that has the match, ``None`` if it is not kept.

        :raises StoreError: if the store cannot be looked into now.
        """
        if match_id in self._waiting:
            return self._waiting[match_id].holder
        with self._disk():
            row = (
                self._open()
                .execute("SELECT holder FROM matches WHERE id = ?", (match_id,))
                .fetchone()
            )
            return str(row[0]) if row else None

    # The database

    @contextmanager
    def _disk(self) -> Iterator[None]:
        """Report a failing disk as a :class:`StoreError`."""
        try:
            yield
        except (OSError, sqlite3.Error, NewerFileError, UnicodeDecodeError) as error:
            if sqlite_reason(error) is None:  # damaged meanwhile: looked at when it is opened again
                self._close()
            self._patience = HURRY
            why = why_not(error, self._path)
            raise StoreError("", why.text, **why.values) from error
        self._patience = PATIENCE

    def _open(self, to_write: bool = False) -> sqlite3.Connection:
        """Return the open database; it is opened anew if its file was exchanged or deleted."""
        if (
            self._database is None
            or self._file != self._file_there()
            or (to_write and not self._writable)
        ):
            self._close()
            self._database, news, self._writable = open_file(self._path, self._patience)
            self._news += news
            self._file = self._file_there()
        if to_write and not self._writable:
            raise PermissionError(errno.EACCES, "read-only")
        self._database.execute(f"PRAGMA busy_timeout = {self._patience * 1000:.0f}")
        return self._database

    def _file_there(self) -> tuple[int, int, int] | None:
        """Return which file the path leads to now, and which log lies beside it, 0 for none.

        A program that tidies up may take the log alone: what is written then would be lost.
        """
        log = self._path.with_name(f"{self._path.name}-wal")
        try:
            status = self._path.stat()
            return status.st_dev, status.st_ino, log.stat().st_ino if log.exists() else 0
        except OSError:
            return None

    def _close(self) -> None:
        if self._database is not None:
            with suppress(sqlite3.Error):
                self._database.close()
            self._database = None

    def _save(self, match_id: str, request: SaveRequest, stored: int | None) -> int:
        with self._disk():
            try:
                return self._append(match_id, request, stored)
            except (sqlite3.Error, UnicodeDecodeError) as error:
                if sqlite_reason(error) is not None:
                    raise
            self._close()  # damaged: a new one is begun, with all of this match
            return self._append(match_id, request, None)

    def _append(self, match_id: str, request: SaveRequest, stored: int | None) -> int:
        """Add what is new, in one transaction."""
        database = self._open(to_write=True)
        record = request.record
        head = json.dumps(head_of(record))
        players = json.dumps(list(request.players))
        with transaction(database):
            since = self._since(database, match_id, request, stored)
            actions = [
                (match_id, entry, seat, json.dumps(action))
                for entry, (seat, action) in enumerate(record.log[since:], since)
            ]
            database.executemany("INSERT INTO actions VALUES (?, ?, ?, ?)", actions)
            database.execute(SAVE_MATCH, (match_id, head, players, request.holder))
        return len(record.log)

    def _since(
        self, database: sqlite3.Connection, match_id: str, request: SaveRequest, stored: int | None
    ) -> int:
        """Return how long the log there is; it is compared unless it has *stored* entries.

        :raises HeldElsewhereError: if the match is not to be saved.
        """
        row = database.execute(
            "SELECT head, holder FROM matches WHERE id = ?", (match_id,)
        ).fetchone()
        if row is None:
            return 0
        if row[1] not in ("", request.holder) and not request.take:
            raise HeldElsewhereError
        (last,) = database.execute(
            "SELECT max(entry) FROM actions WHERE match = ?", (match_id,)
        ).fetchone()
        length: int = 0 if last is None else last + 1
        if length != stored:
            there = database.execute(
                "SELECT seat, action FROM actions WHERE match = ? ORDER BY entry", (match_id,)
            )
            if not continues(request.record, row[0], there.fetchall()):
                raise HeldElsewhereError
        return length
