"""Opening ``matches.sqlite3``: what is damaged is put aside, what is old is carried over, the rest
is left alone.

One transaction adds what is new of a match. ``WAL`` with ``synchronous=FULL`` has it on the disk
with one write instead of three.
"""

import errno
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from coursekit.core.errors import LocalizedError
from coursekit.files.disk import READ_ONLY, disk_error_reason, lock_file, put_aside
from coursekit.table.storage.store import KEEP

SCHEMA = 2
LATER = 1000
"""Where versions end that a newer coursekit may have; above, the number itself is damaged."""
TABLES = {
    "matches": "CREATE TABLE matches (id TEXT PRIMARY KEY, head TEXT, players TEXT, holder TEXT, saved TEXT)",
    "actions": "CREATE TABLE actions (match TEXT, entry INTEGER, seat INTEGER, action TEXT, PRIMARY KEY (match, entry))"
    " WITHOUT ROWID",
}
"""A match without its log, who holds it, and when it was saved; and its log, to which entries are
only added.
"""
OLD = {"id", "saved", "players", "record"}  # columns of the first schema's only table
NOW = "max(datetime('now'), coalesce((SELECT max(saved) FROM matches), ''))"
"""The time as a store counts it: a clock that was put back does not make matches old."""
WHY = {
    "SQLITE_FULL": "full",
    "SQLITE_READONLY": "read_only",
    "SQLITE_PERM": "read_only",
    "SQLITE_BUSY": "locked",
    "SQLITE_LOCKED": "locked",
    "SQLITE_PROTOCOL": "locked",
    "SQLITE_CANTOPEN": "closed",
    "SQLITE_IOERR": "fault",
    "SQLITE_NOMEM": "fault",
    "SQLITE_INTERRUPT": "fault",
    "SQLITE_AUTH": "fault",
}
"""Beginning of an error's name -> why the file cannot be used now; all other errors mean damage."""


class DamagedFileError(Exception):
    """The file is no store of matches; :attr:`why` says what it is."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = LocalizedError("", f"disk.{why}")


class NewerFileError(Exception):
    """A newer coursekit has written the file."""


class Opened(NamedTuple):
    """A database that can be used."""

    database: sqlite3.Connection
    news: list[LocalizedError]
    """What whoever opens it should be told: what was put aside or deleted."""
    writable: bool


def sqlite_reason(error: BaseException) -> str | None:
    """Return why SQLite cannot use the file now, ``None`` if what is in it is damaged."""
    name = getattr(error, "sqlite_errorname", "")
    return next((why for beginning, why in WHY.items() if name.startswith(beginning)), None)


def why_not(error: BaseException, path: Path) -> LocalizedError:
    """Return why the file *path* cannot be used, as a part of a sentence."""
    if isinstance(error, NewerFileError):
        return LocalizedError("", "disk.newer")
    if not isinstance(error, sqlite3.Error):
        return disk_error_reason(error, path.parent)
    name = getattr(error, "sqlite_errorname", type(error).__name__)
    return LocalizedError(
        "", f"disk.{sqlite_reason(error) or 'fault'}", folder=path.parent.name, name=name
    )


def opened(path: Path, patience: float) -> Opened:
    """Return the database *path*, a copy for reading where nothing may be written.

    :param patience: seconds to wait for another program.
    :raises OSError, sqlite3.Error, NewerFileError: if it cannot be used now; see :func:`why_not`.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with lock_file(path.with_name(f".{path.name}.lock"), patience):
            return _opened(path, patience)
    except (OSError, sqlite3.Error) as error:
        refused = getattr(error, "errno", None) in READ_ONLY or sqlite_reason(error) in (
            "read_only",
            "closed",
        )
        if not (refused and path.is_file()):
            raise
        return Opened(_copied(path), [], False)


def _connect(path: Path, patience: float) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=patience)


def _opened(path: Path, patience: float) -> Opened:
    news = []
    if not path.exists():
        # It holds the seeds of running matches.  A file that is there is never opened past SQLite:
        # closing it again would end the locks that this program has on it.
        path.touch(mode=0o600)
    database = _connect(path, patience)
    try:
        try:
            version = _version(database)
        except DamagedFileError as damaged:
            database.close()
            goal = put_aside(path)
            news.append(LocalizedError("", "table.set_aside", name=goal.name, reason=damaged.why))
            path.touch(mode=0o600)
            database, version = _connect(path, patience), 0
        _prepare(database, version)
        return Opened(database, news + _forget(database), True)
    except BaseException:
        database.close()
        raise


def _copied(path: Path) -> sqlite3.Connection:
    """Return a copy in memory of the database in a folder in which nothing may be written."""
    still = "" if path.with_name(path.name + "-wal").exists() else "&immutable=1"
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro{still}", uri=True)) as there:
        try:
            version = _version(there)
        except DamagedFileError:  # and it cannot be put aside
            raise PermissionError(errno.EACCES, "read-only") from None
        copy = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        there.backup(copy)
    _prepare(copy, version)
    return copy


def _version(database: sqlite3.Connection) -> int:
    """Return which schema the database has, 0 for the first one or none.

    :raises DamagedFileError: if it has none of them, or cannot be read.
    :raises NewerFileError: if a newer coursekit wrote it.
    """
    try:
        (version,) = database.execute("PRAGMA user_version").fetchone()
        found = dict(database.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'"))
        columns = {
            name for (name,) in database.execute("SELECT name FROM pragma_table_info('matches')")
        }
        sound = database.execute("PRAGMA quick_check(1)").fetchone() == ("ok",)
    except (sqlite3.Error, ValueError) as error:  # a name that is no UTF-8 is a ValueError
        if sqlite_reason(error) is not None:
            raise
        no_database = getattr(error, "sqlite_errorname", "") == "SQLITE_NOTADB"
        raise DamagedFileError("no_database" if no_database else "damaged") from None
    if not sound:
        raise DamagedFileError("damaged")
    if SCHEMA < version < LATER:
        raise NewerFileError
    if not (
        found == TABLES if version == SCHEMA else version == 0 and (not found or columns == OLD)
    ):
        raise DamagedFileError("foreign")
    return int(version)


def _prepare(database: sqlite3.Connection, version: int) -> None:
    """Bring the database to the newest schema, wholly or not at all."""
    database.execute("PRAGMA synchronous = FULL")
    database.execute("PRAGMA journal_mode = WAL")
    if version == SCHEMA:
        return
    database.execute("BEGIN IMMEDIATE")
    try:
        rows: list[tuple[Any, ...]] = []
        if database.execute("SELECT count(*) FROM sqlite_master").fetchone() != (0,):
            database.execute("ALTER TABLE matches RENAME TO old")
            cells = ", ".join(
                f"CAST({each} AS BLOB)" for each in ("id", "record", "players", "saved")
            )
            rows = database.execute(f"SELECT {cells} FROM old").fetchall()
            database.execute("DROP TABLE old")
        for table in TABLES.values():
            database.execute(table)
        for row in rows:
            _carry_over(database, *map(_words, row))
        database.execute(f"PRAGMA user_version = {SCHEMA}")
        database.execute("COMMIT")
    except BaseException:
        database.execute("ROLLBACK")
        raise


def _words(cell: bytes | None) -> str | bytes | None:
    """Return what is in a cell, as bytes if it is no text."""
    try:
        return cell if cell is None else cell.decode()
    except UnicodeDecodeError:
        return cell


def _carry_over(
    database: sqlite3.Connection, id: Any, record: Any, players: Any, saved: Any
) -> None:
    """Add a match of the first schema; one that cannot be read stays as it is, without a log."""
    head, entries = record, []
    try:
        parts = json.loads(record)
        entries = [
            (id, entry, int(seat), json.dumps(action))
            for entry, (seat, action) in enumerate(parts.pop("log"))
        ]
        head = json.dumps(parts)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        entries = []
    database.execute(
        "INSERT OR IGNORE INTO matches VALUES (?, ?, ?, '', ?)", (id, head, players, saved)
    )
    database.executemany("INSERT OR IGNORE INTO actions VALUES (?, ?, ?, ?)", entries)


def _forget(database: sqlite3.Connection) -> list[LocalizedError]:
    """Delete the matches that are a month older than the newest, and return what tells of it.

    Their own times count, not the clock. If that says that the newest is still to come, one of them
    is wrong, and nothing is deleted; nor for a clock that stands before there was a coursekit.
    """
    timeless = "saved < '2026' OR saved IS NULL"
    newest = "(SELECT max(saved) FROM matches)"
    old = f"saved < datetime({newest}, '-{KEEP} days') AND {newest} <= datetime('now', '+1 day')"
    if not database.execute(f"SELECT 1 FROM matches WHERE {timeless} OR {old}").fetchone():
        return []
    try:
        database.execute("BEGIN IMMEDIATE")
    except sqlite3.Error as error:
        if sqlite_reason(error) != "locked":
            raise
        return []  # some other time
    try:
        database.execute(f"UPDATE matches SET saved = {NOW} WHERE {timeless}")
        ids = database.execute(f"SELECT id FROM matches WHERE {old}").fetchall()
        database.executemany("DELETE FROM actions WHERE match = ?", ids)
        database.executemany("DELETE FROM matches WHERE id = ?", ids)
        database.execute("COMMIT")
    except BaseException:
        database.execute("ROLLBACK")
        raise
    return [LocalizedError("", "table.forgot", count=len(ids), days=KEEP)] if ids else []
