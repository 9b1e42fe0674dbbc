"""Matches kept as files, one a match, in a browser: the pages of a site exchange whole files.

One page alone uses the folder at a time; the site's worker sees to that before it lets a table
look.
"""

import json
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from coursekit.core.errors import LocalizedError
from coursekit.core.match import Record, RecordError
from coursekit.files.disk import disk_error_reason
from coursekit.table.storage.store import (
    KEEP,
    Held,
    HeldElsewhereError,
    StoreError,
    continues,
    head_of,
    read,
)

DAY = 24 * 60 * 60


class FileStore:
    """The folder ``matches`` of *directory*; see :class:`.Matches`."""

    def __init__(self, directory: Path) -> None:
        self._folder = directory / "matches"
        self._news: list[LocalizedError] = []
        with suppress(StoreError), self._working():
            self._forget()

    def check(self) -> None:
        """Raise :class:`.StoreError` unless matches can be kept now."""
        with self._working():
            self._folder.mkdir(parents=True, exist_ok=True)
            trial = self._folder / ".trial"
            trial.touch()
            trial.unlink()

    def take_news(self) -> list[LocalizedError]:
        """Return what has happened to the matches kept here, to be told once."""
        news, self._news = self._news, []
        return news

    def save(self, id: str, held: Held, stored: int | None = None) -> int:
        """Keep a match as it is now; see :meth:`.Matches.save`."""
        with self._working():
            there = None
            with suppress(RecordError):  # a damaged file is replaced
                there = self._read(id)
            if there is not None and len(there["log"]) != stored:
                log = [(seat, json.dumps(action)) for seat, action in there["log"]]
                if not continues(held.record, json.dumps(there["head"]), log):
                    raise HeldElsewhereError
            if there is not None and there["holder"] not in ("", held.holder) and not held.take:
                raise HeldElsewhereError
            self._folder.mkdir(parents=True, exist_ok=True)
            kept = {"head": head_of(held.record), "log": held.record.log, "players": held.players}
            self._file(id).write_text(json.dumps(kept | {"holder": held.holder}), encoding="utf-8")
        return len(held.record.log)

    def load(self, id: str) -> tuple[Record, list[str]] | None:
        """Return a kept match and who plays its seats; see :meth:`.Matches.load`."""
        with self._working():
            there = self._read(id)
        return None if there is None else read(there["head"], there["players"], there["log"])

    def holder(self, id: str) -> str | None:
        """Return the name of the table that has the match, ``None`` if it is not kept."""
        with self._working():
            try:
                there = self._read(id)
            except RecordError:
                return None
        return None if there is None else str(there["holder"])

    def _file(self, id: str) -> Path:
        return self._folder / f"{id}.json"

    def _read(self, id: str) -> dict[str, Any] | None:
        """Return what the file of a match holds, ``None`` if there is none.

        :raises RecordError: if it is damaged.
        """
        if not re.fullmatch(r"[\w-]+", id) or not self._file(id).is_file():
            return None
        try:
            there = json.loads(self._file(id).read_text(encoding="utf-8"))
            found = {part: there[part] for part in ("head", "log", "players", "holder")}
            [(seat, action) for seat, action in found["log"]]
        except (ValueError, TypeError, KeyError, RecursionError):
            raise RecordError("table.unreadable") from None
        return found

    def _forget(self) -> None:
        """Delete the matches that are a month older than the newest; see
        :mod:`coursekit.table.storage.sqlite_file`.
        """
        files = {each: each.stat().st_mtime for each in self._folder.glob("*.json")}
        newest = max(files.values(), default=0)
        old = [
            each
            for each, at in files.items()
            if at < newest - KEEP * DAY and newest <= time.time() + DAY
        ]
        for each in old:
            each.unlink()
        if old:
            self._news.append(LocalizedError("", "table.forgot", count=len(old), days=KEEP))

    @contextmanager
    def _working(self) -> Iterator[None]:
        """Report what refuses to keep anything as a :class:`.StoreError`."""
        try:
            yield
        except OSError as error:
            why = disk_error_reason(error, self._folder.parent)
            raise StoreError("", why.text, **why.values) from error
