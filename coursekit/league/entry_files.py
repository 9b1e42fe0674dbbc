"""The files of a league, as a class hands them in: side by side, or in a folder for each pupil."""

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from coursekit.core.errors import LocalizedError
from coursekit.files.disk import disk_error_reason
from coursekit.files.folders import is_hidden
from coursekit.words.characters import drawn_part
from coursekit.words.texts import make_line, make_printable

ENDING = ".py"
RESULTS = "league-"
"""How the name of a folder with results begins."""
MOODLE = re.compile(r"_\d+_assignsubmission_[a-z]+_?")
"""What Moodle adds to the name of a pupil."""
LONGEST_NAME = 60
"""Maximum characters of an entry's name."""
MOST_NAMED = 3
"""Maximum files that a sentence names."""
LARGEST = 1 << 20
"""Maximum bytes of a file."""


class EntryFiles(NamedTuple):
    """What a folder holds for a league, by the name that the standing shows."""

    paths: Mapping[str, Path]
    left_out: Mapping[str, LocalizedError]
    """Why something else does not take part."""


def find_entries(folder: Path) -> EntryFiles:
    """Return the entries in *folder*: its Python files, and one in each folder of a pupil.

    :raises OSError: if *folder* cannot be read.
    """
    paths: dict[str, Path] = {}
    left_out: dict[str, LocalizedError] = {}
    for path in sorted(folder.iterdir()):
        if is_hidden(path.name) or _is_result(path):
            continue
        name = _entry_name(path.name, {*paths, *left_out})
        try:
            paths[name] = _find_file(path)
        except LocalizedError as error:
            left_out[name] = error
        except OSError as error:
            why = disk_error_reason(error, path)
            left_out[name] = LocalizedError("", "league.left.unreadable", why=why)
    return EntryFiles(paths, left_out)


def _is_result(path: Path) -> bool:
    if not path.name.startswith(RESULTS) or not path.is_dir():
        return False
    return all(file.suffix.lower() != ENDING for file in _files(path))


def _entry_name(name: str, taken: set[str]) -> str:
    """Return *name* as a page and a terminal can show it, and unlike those that are *taken*."""
    short = MOODLE.sub("_", name).strip("_") if MOODLE.search(name) else name
    return unused_name(make_line(short, LONGEST_NAME) or make_printable(name), taken)


def unused_name(name: str, taken: set[str]) -> str:
    """Return *name*, with the first number that makes it unlike those that are *taken*."""
    number = 1
    unused = name
    shapes = set(map(drawn_part, taken))
    while drawn_part(unused) in shapes:
        number += 1
        unused = f"{name} ({number})"
    return unused


def _find_file(path: Path) -> Path:
    """Return the Python file that *path* is or holds.

    :raises LocalizedError: if there is none, or more than one.
    :raises OSError: if it cannot be read.
    """
    if path.is_symlink():  # it may lead to any file of the teacher's
        raise LocalizedError("", "league.left.link")
    if path.is_dir():
        return _find_in_folder(path)
    if path.suffix.lower() == ".zip":
        raise LocalizedError("", "league.left.zip")
    if path.suffix.lower() != ENDING:
        raise LocalizedError("", "league.left.ending")
    if path.name.startswith("_"):
        raise LocalizedError("", "league.left.underscore")
    if not path.is_file():
        raise LocalizedError("", "league.left.no_file")
    return path


def _find_in_folder(folder: Path) -> Path:
    os.listdir(folder)  # as walking says nothing of a folder that cannot be read
    files = sorted(_files(folder))
    programs = [path for path in files if path.suffix.lower() == ENDING]
    strategies = [path for path in programs if not path.name.startswith("_")]
    if len(strategies) == 1:
        return _find_file(strategies[0])
    if strategies:
        raise LocalizedError("", "league.left.several", names=_name_some(strategies))
    if files:
        raise LocalizedError("", "league.left.no_program", names=_name_some(files))
    raise LocalizedError("", "league.left.empty_folder")


def _files(folder: Path) -> Iterator[Path]:
    """Yield the files below *folder* that are not hidden."""
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not is_hidden(name)]
        for name in names:
            if not is_hidden(name):
                yield Path(place, name)


def _name_some(paths: list[Path]) -> str:
    names = [make_line(path.name, LONGEST_NAME) for path in paths[:MOST_NAMED]]
    return ", ".join(names + ["…"] * (len(paths) > MOST_NAMED))
