"""Match records that somebody brings along: a folder of files, files chosen in a browser, or a journal.

What cannot be used is named, and does not stop the rest.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from coursekit.game import FileError
from coursekit.match import Match, Record, RecordError, replay
from coursekit.texts import table

LARGEST = 1_000_000
"""Bytes of one file; a long match takes some 20,000."""


class Records(NamedTuple):
    """The matches that were found, and why the other files cannot be used."""

    matches: Sequence[Match]
    refused: Sequence[FileError]


def in_folder(folder: str | Path, game: str) -> Records:
    """Return the matches of *game* in the files ``*.json`` of a *folder*, in the order of their names.

    :raises FileError: if there are no such files, or no such folder.
    """
    files = sorted(Path(folder).glob("*.json"))
    if not files:
        raise FileError("", "data.no_records", folder=Path(folder).name)
    return gathered(((file.name, file) for file in files), game)


def gathered(files: Iterable[tuple[str, str | bytes | Path]], game: str) -> Records:
    """Return the matches of *game* in *files*, in their order: of each its name, and its content or where it lies.

    A match counts once: of a file that holds the same match as another, or the beginning of it, the longer stays.
    """
    found: dict[str, Match] = {}
    refused: list[FileError] = []
    for name, content in files:
        try:
            match = read(name, content, game)
        except FileError as error:
            refused.append(error)
            continue
        for other, known in list(found.items()):
            if goes_on(known, match) or goes_on(match, known):
                longer, shorter = (other, name) if goes_on(known, match) else (name, other)
                refused.append(FileError("", "data.same_match", file=shorter, other=longer))
                if shorter == name:
                    break
                del found[other]
        else:
            found[name] = match
    return Records(list(found.values()), refused)


def read(name: str, content: str | bytes | Path, game: str) -> Match:
    """Return the match of *game* in the file *name*.

    :raises FileError: if it cannot be used: damaged, of another game or version, or against the rules.
    """
    try:
        data = content.read_bytes() if isinstance(content, Path) else content
        words = data.decode("utf-8-sig") if isinstance(data, bytes) else data
    except OSError:
        raise FileError("", "data.unreadable", file=name) from None
    except UnicodeDecodeError:
        raise _unusable(name, RecordError("record.not_json")) from None
    if len(data) > LARGEST:
        raise FileError("", "data.large", file=name, allowed=LARGEST // 1000)
    try:
        record = Record.loads(words)
        match = replay(record)
    except RecordError as error:
        raise _unusable(name, error) from None
    if record.game != game:
        raise FileError("", "data.other_game", file=name, got=table(record.game)["title"], allowed=table(game)["title"])
    return match


def goes_on(match: Match, earlier: Match) -> bool:
    """Return whether *match* is *earlier*, or goes on from where it stands."""
    before, after = earlier.record(), match.record()
    end = len(before.log)
    same = all(getattr(before, part) == getattr(after, part) for part in ("game", "players", "options"))
    seeds = [[each for each in record.seeds if each[0] < max(1, end)] for record in (before, after)]
    return same and seeds[0] == seeds[1] and after.log[:end] == before.log


def _unusable(name: str, reason: RecordError) -> FileError:
    return FileError("", "data.no_record", file=name, reason=reason)
