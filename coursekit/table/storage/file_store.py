"""A store of matches as files, one a match, for a browser.

The pages of a site exchange whole files. One page alone uses the folder at a time: the site's
worker sees to that before it lets a table look. In JupyterLite nobody does; there each match is a
file of its own, which one table writes.
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
from coursekit.files.disk import disk_error_reason, outlives_page
from coursekit.files.folders import visible_files
from coursekit.table.storage.store import (
    KEEP,
    HeldElsewhereError,
    SaveRequest,
    StoreError,
    continues,
    head_of,
    read_match,
)

DAY = 24 * 60 * 60


class FileStore:
    """The folder ``matches`` of *directory*; see :class:`.Matches`."""

    def __init__(self, directory: Path) -> None:
        self._folder = directory / "matches"
        self._news: list[LocalizedError] = []
        if not outlives_page(directory):
            self._news.append(LocalizedError("", "table.memory"))
        with suppress(StoreError), self._disk():
            self._forget()

    def check(self) -> None:
        """Raise :class:`.StoreError` unless matches can be kept now."""
        with self._disk():
            self._folder.mkdir(parents=True, exist_ok=True)
            trial = self._folder / ".trial"
            trial.touch()
            trial.unlink()

    def take_news(self) -> list[LocalizedError]:
        """Return what has happened to the matches kept here, to be told once."""
        news, self._news = self._news, []
        return news

    def save(self, match_id: str, request: SaveRequest, stored: int | None = None) -> int:
        """Keep a match as it is now; see :meth:`.Matches.save`."""
        record, holder = request.record, request.holder
        with self._disk():
            earlier = None
            with suppress(RecordError):  # a damaged file is replaced
                earlier = self._read(match_id)
            if earlier is not None:
                if len(earlier["log"]) != stored:
                    log = [(seat, json.dumps(action)) for seat, action in earlier["log"]]
                    if not continues(record, json.dumps(earlier["head"]), log):
                        raise HeldElsewhereError
                if earlier["holder"] not in ("", holder) and not request.take:
                    raise HeldElsewhereError
            self._folder.mkdir(parents=True, exist_ok=True)
            content = {
                "head": head_of(record),
                "log": record.log,
                "players": request.players,
                "holder": holder,
            }
            self._path(match_id).write_text(json.dumps(content), encoding="utf-8")
        return len(record.log)

    def load(self, match_id: str) -> tuple[Record, list[str]] | None:
        """Return a kept match and who plays its seats; see :meth:`.Matches.load`."""
        with self._disk():
            content = self._read(match_id)
        if content is None:
            return None
        return read_match(content["head"], content["players"], content["log"])

    def holder(self, match_id: str) -> str | None:
        """Return the name of the table that has the match, ``None`` if it is not kept."""
        with self._disk():
            try:
                content = self._read(match_id)
            except RecordError:
                return None
        return None if content is None else str(content["holder"])

    def _path(self, match_id: str) -> Path:
        return self._folder / f"{match_id}.json"

    def _read(self, match_id: str) -> dict[str, Any] | None:
        """Return what the file of a match holds, ``None`` if there is none.

        :raises RecordError: if it is damaged.
        """
        if not re.fullmatch(r"[\w-]+", match_id) or not self._path(match_id).is_file():
            return None
        try:
            content = json.loads(self._path(match_id).read_text(encoding="utf-8"))
            parts = {name: content[name] for name in ("head", "log", "players", "holder")}
            [(seat, action) for seat, action in parts["log"]]
        except (ValueError, TypeError, KeyError, RecursionError):
            raise RecordError("table.unreadable") from None
        return parts

    def _forget(self) -> None:
        """Delete the matches that are a month older than the newest, as ``sqlite_file`` does."""
        times = {path: path.stat().st_mtime for path in visible_files(self._folder, "*.json")}
        newest = max(times.values(), default=0)
        if newest > time.time() + DAY:
            return  # a clock was wrong
        old = [path for path, saved in times.items() if saved < newest - KEEP * DAY]
        for path in old:
            path.unlink()
        if old:
            self._news.append(LocalizedError("", "table.forgot", count=len(old), days=KEEP))

    @contextmanager
    def _disk(self) -> Iterator[None]:
        """Report a disk that refuses as a :class:`.StoreError`."""
        try:
            yield
        except OSError as error:
            why = disk_error_reason(error, self._folder.parent)
            raise StoreError("", why.text, **why.values) from error
