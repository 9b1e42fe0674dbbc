"""Match records from outside: a folder of files, files chosen in a browser, or a journal.

Files that cannot be used are named; the rest are still read.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from coursekit.core.errors import FileError
from coursekit.core.match import Match, Record, RecordError, replay
from coursekit.files.folders import is_hidden, visible_files
from coursekit.files.text_files import EncodingError, NotTextError, decode
from coursekit.words.texts import game_titles

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
    files = visible_files(Path(folder), "*.json")
    if not files:
        raise FileError("", "data.no_records", folder=Path(folder).name)
    return [(file.name, file) for file in files]


def read_records(files: Iterable[tuple[str, Content]], game: str) -> Records:
    """Return the matches of *game* in *files*, in their order.

    If two files hold the same match, or one its beginning, only the longer counts.

    :param files: the name of each file, and its content or path.
    """
    matches: dict[str, Match] = {}
    refused: list[FileError] = []
    given = list(files)
    # Of all files of a USB stick, those that a Mac has put beside the others hold nothing.
    visible = [(name, content) for name, content in given if not is_hidden(name)]
    for name, content in visible or given:
        try:
            match = read(name, content, game)
        except FileError as error:
            refused.append(error)
            continue
        # A file may be a later or an earlier save of a match that is there.
        for other, other_match in list(matches.items()):
            if continues(other_match, match):
                refused.append(FileError("", "data.same_match", file=name, other=other))
                break
            if continues(match, other_match):
                refused.append(FileError("", "data.same_match", file=other, other=name))
                del matches[other]
        else:
            matches[name] = match
    return Records(list(matches.values()), refused, list(matches))


def read(name: str, content: Content, game: str) -> Match:
    """Return the match of *game* in the file *name*.

    :raises FileError: if the file is too large, damaged, of another game or version, or against the
        rules.
    """
    try:
        words = decode(_bytes(name, content))
    except NotTextError as error:
        raise _unusable(name, RecordError("record.kind", **error.values)) from None
    except EncodingError:
        raise _unusable(name, RecordError("record.not_json")) from None
    try:
        record = Record.loads(words)
        match = replay(record)
    except RecordError as error:
        raise _unusable(name, error) from None
    if record.game != game:
        titles = {"got": game_titles(record.game), "allowed": game_titles(game)}
        raise FileError("", "data.other_game", file=name, **titles)
    return match


def _bytes(name: str, content: Content) -> bytes:
    """Return *content* as bytes; a file that is too large is not read to its end."""
    try:
        if isinstance(content, Path):
            with content.open("rb") as file:
                content = file.read(LARGEST_RECORD + 1)
    except OSError:
        raise FileError("", "data.unreadable", file=name) from None
    if isinstance(content, str):
        content = content.encode()
    if content is None or len(content) > LARGEST_RECORD:
        raise FileError("", "data.large", file=name, allowed=LARGEST_RECORD // 1000)
    return content


def continues(match: Match, earlier: Match) -> bool:
    """Return whether *match* is the same as *earlier* or continues it."""
    end = len(earlier.log)
    return _beginning(match, end) == _beginning(earlier, end)


def _beginning(match: Match, end: int) -> tuple[Any, ...]:
    """Return what decides the first *end* entries of the log of *match*, and these."""
    record = match.record()
    seeds = [(entry, seed) for entry, seed in record.seeds if entry < max(1, end)]
    return record.game, record.players, record.options, seeds, record.log[:end]


def _unusable(name: str, reason: RecordError) -> FileError:
    return FileError("", "data.no_record", file=name, reason=reason)
