"""What every store of matches can do, and what it takes and gives."""

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from coursekit.core.errors import LocalizedError
from coursekit.core.match import Record, RecordError
from coursekit.files import disk

KEEP = 30  # days after which an untouched match is forgotten
UNREADABLE = {f"record.{why}" for why in ("damaged", "foreign", "illegal", "people", "format")}
"""Errors of a record that a store reports as damage; the others say what to do."""


def data_directory() -> Path:
    """Return where matches are kept: ``$COURSEKIT_DATA`` or the user's data folder."""
    if folder := os.environ.get("COURSEKIT_DATA"):
        return Path(folder)
    if sys.platform == "emscripten" and disk.DRIVE.is_dir():
        return disk.DRIVE / "coursekit"
    from platformdirs import user_data_dir

    return Path(user_data_dir("coursekit", appauthor=False))


class StoreError(LocalizedError):
    """The store cannot be used now; its sentence is a reason, to be part of another one."""


class HeldElsewhereError(Exception):
    """Another table has the match, or it went on otherwise than the one that was to be saved."""


class SaveRequest(NamedTuple):
    """A match that a table wants to have kept."""

    record: Record
    players: Sequence[str]
    """The keys of who plays each seat."""
    holder: str
    """The name of the table that has it."""
    take: bool
    """Whether that table takes it over."""


class Matches(Protocol):
    """A store of matches, by ids that cannot be guessed, each with the table that has it."""

    def check(self) -> None:
        """Raise :class:`StoreError` unless matches can be kept now."""

    def take_news(self) -> list[LocalizedError]:
        """Return what has happened to the matches kept here, to be told once."""

    def save(self, match_id: str, held: SaveRequest, stored: int | None = None) -> int:
        """Keep a match as it is now, and return how long its log is in the store.

        :param stored: that number from the last time the same table saved it.
        :raises StoreError: if nothing can be kept now.
        :raises HeldElsewhereError: if another table has it, or it does not continue the one in the
            store.
        """

    def load(self, match_id: str) -> tuple[Record, list[str]] | None:
        """Return a kept match and who plays its seats, ``None`` if there is none.

        :raises RecordError: if it cannot be opened, and why.
        :raises StoreError: if the store cannot be looked into now.
        """

    def holder(self, match_id: str) -> str | None:
        """Return the name of the table that has the match, ``None`` if it is not kept.

        :raises StoreError: if the store cannot be looked into now.
        """


def read_match(head: Any, players: Any, log: Sequence[Sequence[Any]]) -> tuple[Record, list[str]]:
    """Return the match with *head* and *log*, and who plays its seats, all as they are stored.

    :raises RecordError: if it cannot be read, and why.
    """
    try:
        if not isinstance(head, dict):
            raise RecordError("record.damaged")
        record = Record.loads(json.dumps(head | {"log": list(log)}))
        return record, [str(key) for key in players]
    except RecordError as error:
        if error.text in UNREADABLE:
            raise RecordError("table.unreadable") from None
        raise
    except (ValueError, TypeError, RecursionError):
        raise RecordError("table.unreadable") from None


def head_of(record: Record) -> dict[str, Any]:
    """Return all of *record* but its log, as JSON."""
    head: dict[str, Any] = json.loads(replace(record, log=()).dumps())
    del head["log"]
    return head


def continues(record: Record, head: str, log: Sequence[tuple[int, str]]) -> bool:
    """Return whether *record* goes on from the match with *head* and *log*, or is the same."""
    count = len(log)
    try:
        mine, earlier = head_of(record), json.loads(head)
        for part in (mine, earlier):
            # Chance that was new after these actions says nothing of what was before.
            part["seeds"] = [seed for seed in part["seeds"] if seed[0] < max(1, count)]
            part.pop("people", None)
            part.pop("taken_back", None)
    except (ValueError, TypeError, KeyError, AttributeError):
        return False  # it cannot be read
    return bool(mine == earlier) and _json_log(record)[:count] == list(log)


def follows(record: Record, earlier: Record) -> bool:
    """Return whether *record* goes on from *earlier*, or is the same."""
    return continues(record, json.dumps(head_of(earlier)), _json_log(earlier))


def _json_log(record: Record) -> list[tuple[int, str]]:
    return [(seat, json.dumps(action)) for seat, action in record.log]
