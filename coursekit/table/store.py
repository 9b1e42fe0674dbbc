"""Matches kept between one page and the next, in a small database on this machine."""

import json
import os
import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from platformdirs import user_data_dir

from coursekit.core.match import Record, RecordError

KEEP = 30  # days after which an untouched match is forgotten


def data_directory() -> Path:
    """Return where coursekit keeps what people did: ``$COURSEKIT_DATA`` or the user's data folder."""
    return Path(os.environ.get("COURSEKIT_DATA") or user_data_dir("coursekit", appauthor=False))


@lru_cache
def store_in(directory: Path) -> "Store":
    """Return the store of *directory*: one for all tables of a notebook."""
    return Store(directory)


class Store:
    """The database ``matches.sqlite3``: one row a match, by an id that cannot be guessed.

    A folder that cannot be written to costs only this memory: the match itself goes on.
    A damaged database is kept aside as ``matches.damaged.sqlite3`` and a new one begun.
    """

    def __init__(self, directory: Path | None = None) -> None:
        directory = directory or data_directory()
        try:
            directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            path = directory / "matches.sqlite3"
            path.touch(mode=0o600)  # it holds the seeds of running matches
            try:
                self._open(path)
            except sqlite3.OperationalError:
                raise
            except sqlite3.DatabaseError:
                path.replace(directory / "matches.damaged.sqlite3")
                self._open(path)
        except (OSError, sqlite3.Error):
            self._open(Path(":memory:"))

    def _open(self, path: Path) -> None:
        self.database = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=1)
        self.database.execute(
            "CREATE TABLE IF NOT EXISTS matches"
            " (id TEXT PRIMARY KEY, saved TEXT DEFAULT CURRENT_TIMESTAMP, players TEXT, record TEXT)"
        )
        with suppress(sqlite3.OperationalError):  # another page is writing: forget some other time
            self.database.execute(f"DELETE FROM matches WHERE saved < datetime('now', '-{KEEP} days')")

    def save(self, id: str, record: Record, players: Sequence[str]) -> None:
        """Keep a match as it is now; *players* are the keys of who plays each seat."""
        row = (id, json.dumps(list(players)), record.dumps())
        with suppress(sqlite3.Error):  # a full or locked disk must not stop a lesson
            self.database.execute("REPLACE INTO matches (id, players, record) VALUES (?, ?, ?)", row)

    def load(self, id: str) -> tuple[Record, list[str]] | None:
        """Return a kept match and who plays its seats, ``None`` if there is none that can be read.

        :raises RecordError: if the file that it was played with has to be loaded first.
        """
        try:
            row = self.database.execute("SELECT record, players FROM matches WHERE id = ?", (id,)).fetchone()
            return (Record.loads(row[0]), json.loads(row[1])) if row else None
        except RecordError as error:
            if error.text == "record.not_loaded":
                raise
            return None
        except (sqlite3.Error, ValueError):
            return None
