"""Groups that take turns to write on one page, each with a journal of its own.

A group's journal lies beside the page's own one, as ``journal-group-1.json``; its name stands in
the file. The page's own journal keeps the matches, the consent to keep them, and the maps.
"""

import re
from pathlib import Path

from coursekit.files.disk import disk_error_reason
from coursekit.journal.entries import LONGEST_NAME
from coursekit.journal.journal import Journal
from coursekit.journal.journal_file import JournalError, replace_surrogates
from coursekit.words.characters import drawn_part, is_visible

NAME = "writer"
"""Part of a group's journal: what the group is called."""
MOST = 40
"""Maximum groups beside one journal."""
_current: dict[Path, int] = {}
"""Path of a page's own journal -> the number of the group that writes now, from 1."""


def journal_of(own: Journal, number: int) -> Journal:
    """Return the journal of group *number* of a page, its *own* one for 0."""
    if not number:
        return own
    return Journal(own.path.with_name(f"{own.path.stem}-group-{number}{own.path.suffix}"))


def current(own: Journal) -> int:
    """Return which group writes on the page now, 0 for none: just the page's owner."""
    return _current.get(own.path, 0)


def choose(own: Journal, number: int) -> None:
    """Let group *number* write on the page from now on, 0 for its owner alone."""
    _current[own.path] = number if number in names(own) else 0


def names(own: Journal) -> dict[int, str]:
    """Return the groups of a page by their numbers.

    :raises JournalError: if their folder cannot be read.
    """
    stem, suffix = re.escape(own.path.stem), re.escape(own.path.suffix)
    pattern = re.compile(rf"{stem}-group-([1-9]\d{{0,3}}){suffix}")
    numbers = []
    try:
        for path in own.path.parent.iterdir():
            if name := pattern.fullmatch(path.name):
                numbers.append(int(name[1]))
    except OSError as error:
        why = disk_error_reason(error, own.path.parent)
        raise JournalError("reflect.cannot_write", path=own.path.name, why=why) from error
    return {number: journal_of(own, number).part(NAME) or str(number) for number in sorted(numbers)}


def add(own: Journal, name: str) -> int:
    """Begin a journal for the group called *name*, unless there is one; return its number.

    :raises JournalError: if the name is empty, too long or not to be seen, if there are too many,
        or if it cannot be written.
    """
    name = " ".join(replace_surrogates(name).split())
    if name and not is_visible(name):
        raise JournalError("name.unseen")
    if not 0 < len(name) <= LONGEST_NAME:
        raise JournalError("journal.writer.name", got=len(name), limit=LONGEST_NAME)
    groups = names(own)
    for number, group in groups.items():
        if drawn_part(group) == drawn_part(name):
            return number
    if len(groups) >= MOST:
        raise JournalError("journal.writer.most", limit=MOST)
    number = max(groups, default=0) + 1
    journal_of(own, number).put_part(NAME, name)
    return number
