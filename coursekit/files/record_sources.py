"""Match records from outside: a folder of files, files chosen in a browser, or a journal.

Files that cannot be used are named; the rest are still read.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from coursekit.core.errors import FileError
from coursekit.core.match import Match, Record, RecordError, replay
from coursekit.words.texts import load_texts

LARGEST_RECORD = 1_000_000
"""Maximum bytes of one file; a long match takes some 20,000."""
Content = str | bytes | Path | None
"""What a file contains, or its path; ``None`` for one that was too large to send."""


class Records(NamedTuple):
    """The matches found, and why the other files cannot be used."""

    matches: Sequence[Match]
    refused: Sequence[FileError]
    names: Sequence[str] = ()
    """The names of the matches' files."""


def read_folder(folder: str | Path, game: str) -> Records:
    """Return the matches of *game* in the files ``*.json`` of *folder*, sorted by file name.

    :raises FileError: if there are no such files, or no such folder.
    """
    return read_records(files_in(folder), game)


def files_in(folder: str | Path) -> list[tuple[str, Path]]:
    """Return the names and paths of the files ``*.json`` in *folder*, sorted by name.

    :raises FileError: if there are no such files, or no such folder.
    """
    files = sorted(Path(folder).glob("*.json"))
    if not files:
        raise FileError("", "data.no_records", folder=Path(folder).name)
    return [(file.name, file) for file in files]


def read_records(files: Iterable[tuple[str, Content]], game: str) -> Records:
    """Return the matches of *game* in *files*, in their order.

    If two files hold the same match, or one its beginning, only the longer counts.

    :param files: the name of each file, and its content or path.
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
            if is_resumable(known, match) or is_resumable(match, known):
                longer, shorter = (other, name) if is_resumable(known, match) else (name, other)
                refused.append(FileError("", "data.same_match", file=shorter, other=longer))
                if shorter == name:
                    break
                del found[other]
        else:
            found[name] = match
    return Records(list(found.values()), refused, list(found))


def read(name: str, content: Content, game: str) -> Match:
    """Return the match of *game* in the file *name*.

    :raises FileError: if the file is too large, damaged, of another game or version, or against the
        rules.
    """
    try:
        words = _bytes(name, content).decode("utf-8-sig")
    except UnicodeError:
        raise _unusable(name, RecordError("record.not_json")) from None
    try:
        record = Record.loads(words)
        match = replay(record)
    except RecordError as error:
        raise _unusable(name, error) from None
    if record.game != game:
        raise FileError(
            "",
            "data.other_game",
            file=name,
            got=load_texts(record.game)["title"],
            allowed=load_texts(game)["title"],
        )
    return match


def _bytes(name: str, content: Content) -> bytes:
    """Return *content* as bytes; a file that is too large is not read to its end."""
    try:
        if isinstance(content, Path):
            with content.open("rb") as file:
                content = file.read(LARGEST_RECORD + 1)
    except OSError:
        raise FileError("", "data.unreadable", file=name) from None
    if content is None or len(content) > LARGEST_RECORD:
        raise _too_large(name)
    data = content.encode() if isinstance(content, str) else content
    if len(data) > LARGEST_RECORD:  # in bytes: a Chinese character has three
        raise _too_large(name)
    return data


def _too_large(name: str) -> FileError:
    """Return the error for a file of more than :data:`LARGEST_RECORD` bytes."""
    return FileError("", "data.large", file=name, allowed=LARGEST_RECORD // 1000)


def is_resumable(match: Match, earlier: Match) -> bool:
    """Return whether *match* is the same as *earlier* or continues it."""
    before, after = earlier.record(), match.record()
    end = len(before.log)
    same = all(
        getattr(before, part) == getattr(after, part) for part in ("game", "players", "options")
    )
    seeds = [
        [entry_seed for entry_seed in record.seeds if entry_seed[0] < max(1, end)]
        for record in (before, after)
    ]
    return same and seeds[0] == seeds[1] and after.log[:end] == before.log


def _unusable(name: str, reason: RecordError) -> FileError:
    return FileError("", "data.no_record", file=name, reason=reason)
