"""Opening ``matches.sqlite3``: a damaged file is put aside, a newer one is left alone.

``WAL`` with ``synchronous=FULL`` has a transaction on the disk with one write instead of three.
"""

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from coursekit.core.errors import LocalizedError
from coursekit.files.disk import READ_ONLY, disk_error_reason, lock_file, put_aside
from coursekit.table.storage.store import KEEP

SCHEMA = 2
LATER = 1000
"""Where versions end that a newer coursekit may have; above, the number itself is damaged."""
TABLES = {
    "matches": "CREATE TABLE matches"
    " (id TEXT PRIMARY KEY, head TEXT, players TEXT, holder TEXT, saved TEXT)",
    "actions": "CREATE TABLE actions"
    " (match TEXT, entry INTEGER, seat INTEGER, action TEXT, PRIMARY KEY (match, entry))"
    " WITHOUT ROWID",
}
"""A match without its log, who holds it, and when it was saved; and its log, which only grows."""
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
    """What was put aside or deleted, to be told."""
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


def open_file(path: Path, patience: float) -> Opened:
    """Return the database *path*, a copy for reading where nothing may be written.

    :param patience: seconds to wait for another program.
    :raises OSError, sqlite3.Error, NewerFileError: if it cannot be used now; see :func:`why_not`.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with lock_file(path.with_name(f".{path.name}.lock"), patience):
            return _open_locked(path, patience)
    except (OSError, sqlite3.Error) as error:
        may_not_write = getattr(error, "errno", None) in READ_ONLY
        may_not_write |= sqlite_reason(error) in ("read_only", "closed")
        if not (may_not_write and path.is_file()):
            raise
        return Opened(_copy(path), [], False)


def _connect(path: Path, patience: float) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=patience)


def _open_locked(path: Path, patience: float) -> Opened:
    news = []
    if not path.exists():
        # It holds the seeds of running matches.  A file that is there is never opened past SQLite:
        # closing it again would end the locks that this program has on it.
        path.touch(mode=0o600)
    database = _connect(path, patience)
    try:
        try:
            _check_tables(database)
        except DamagedFileError as damage:
            database.close()
            goal = put_aside(path)
            news.append(LocalizedError("", "table.set_aside", name=goal.name, reason=damage.why))
            path.touch(mode=0o600)
            database = _connect(path, patience)
        _prepare(database)
        return Opened(database, news + _forget(database), True)
    except BaseException:
        database.close()
        raise


def _copy(path: Path) -> sqlite3.Connection:
    """Return a copy in memory of the database in a folder in which nothing may be written."""
    still = "" if path.with_name(path.name + "-wal").exists() else "&immutable=1"
    address = f"{path.resolve().as_uri()}?mode=ro{still}"
    with closing(sqlite3.connect(address, uri=True)) as database:
        try:
            _check_tables(database)
        except DamagedFileError:  # and it cannot be put aside
            raise PermissionError(errno.EACCES, "read-only") from None
        copy = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        database.backup(copy)
    _prepare(copy)
    return copy


def _version(database: sqlite3.Connection) -> int:
    (version,) = database.execute("PRAGMA user_version").fetchone()
    return int(version)


def _check_tables(database: sqlite3.Connection) -> None:
    """Raise an error unless the database is a store of matches, or empty.

    :raises DamagedFileError: if it holds something else, or cannot be read.
    :raises NewerFileError: if a newer coursekit wrote it.
    """
    try:
        version = _version(database)
        # No name for the cursor: an error would keep it, and the file open, which Windows then
        # refuses to put aside.
        tables = dict(database.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'"))
        is_sound = database.execute("PRAGMA quick_check(1)").fetchone() == ("ok",)
    except (sqlite3.Error, ValueError) as error:  # a name that is no UTF-8 is a ValueError
        if sqlite_reason(error) is not None:
            raise
        no_database = getattr(error, "sqlite_errorname", "") == "SQLITE_NOTADB"
        raise DamagedFileError("no_database" if no_database else "damaged") from None
    if not is_sound:
        raise DamagedFileError("damaged")
    if SCHEMA < version < LATER:
        raise NewerFileError
    if (version, tables) not in ((SCHEMA, TABLES), (0, {})):
        raise DamagedFileError("foreign")


def _prepare(database: sqlite3.Connection) -> None:
    """Have each save on the disk, and add the tables to an empty database."""
    database.execute("PRAGMA synchronous = FULL")
    database.execute("PRAGMA journal_mode = WAL")
    if _version(database) == SCHEMA:
        return
    with transaction(database):
        for table in TABLES.values():
            database.execute(table)
        database.execute(f"PRAGMA user_version = {SCHEMA}")


@contextmanager
def transaction(database: sqlite3.Connection) -> Iterator[None]:
    """Change the database wholly or not at all."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
        database.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):
            database.execute("ROLLBACK")
        raise


def _forget(database: sqlite3.Connection) -> list[LocalizedError]:
    """Delete the matches that are a month older than the newest, and return what tells of it.

    Their own times count, not the clock. If the newest is still to come by the clock, one of the
    two is wrong, and nothing is deleted; nor for a clock that stands before there was a coursekit.
    """
    timeless = "saved < '2026' OR saved IS NULL"
    newest = "(SELECT max(saved) FROM matches)"
    old = f"saved < datetime({newest}, '-{KEEP} days') AND {newest} <= datetime('now', '+1 day')"
    if not database.execute(f"SELECT 1 FROM matches WHERE {timeless} OR {old}").fetchone():
        return []
    try:
        with transaction(database):
            database.execute(f"UPDATE matches SET saved = {NOW} WHERE {timeless}")
            ids = database.execute(f"SELECT id FROM matches WHERE {old}").fetchall()
            database.executemany("DELETE FROM actions WHERE match = ?", ids)
            database.executemany("DELETE FROM matches WHERE id = ?", ids)
    except sqlite3.Error as error:
        if sqlite_reason(error) != "locked":
            raise
        return []  # some other time
    return [LocalizedError("", "table.forgot", count=len(ids), days=KEEP)] if ids else []
