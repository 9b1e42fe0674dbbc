"""The folder of all lessons: files are opened, mended if damaged, or brought from elsewhere."""

from contextlib import closing
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any

from coursekit.room.event_log import EventLog, EventLogError
from coursekit.room.lesson import UNFIT, fitting_events
from coursekit.room.room import Room
from coursekit.serve.personal_data import LEAGUE


def new_path(folder: Path, began: datetime | None = None) -> Path:
    """Return an unused file for a lesson that *began* then, or begins now."""
    name = f"{began or datetime.now():%Y-%m-%d-%H%M%S}"
    path = folder / f"{name}.lesson"
    for number in count(2):
        if not path.exists():
            break
        path = folder / f"{name}-{number}.lesson"
    return path


def league_folders(lesson: Path) -> list[Path]:
    """Return the folders of the leagues of a *lesson*'s file."""
    return list(lesson.parent.glob(f"{lesson.stem}-*{LEAGUE}"))


def open_lesson(path: Path, **settings: Any) -> tuple[EventLog, Room]:
    """Return the lesson in *path* as far as it can be read, in a new file if that is not all.

    :param settings: of a new lesson, if there is no such file.
    :raises EventLogError: if the file cannot be used.
    """
    is_new = not path.exists()
    event_log = EventLog(path)
    try:
        events = event_log.events()
        if not is_new and not events:
            raise EventLogError("", "room.empty")
        try:
            room = Room(events, **settings)
        except UNFIT as error:
            events = fitting_events(events)
            if not events:
                raise EventLogError("", "room.unreadable") from error
            room = Room(events, **settings)
            event_log.whole = False
        if not event_log.whole:
            event_log = event_log.renew(len(events))
            last = event_log.time(len(events))
            when = f"{last:%Y-%m-%d %H:%M}" if last else "?"
            name = event_log.damaged_files()[-1].name
            room.note("room.cut", when=when, name=name)
    except EventLogError:
        event_log.close()
        raise
    return event_log, room


def bring_lesson(folder: Path, content: bytes) -> Path:
    """Keep the *content* of a file from elsewhere under the time when its lesson began.

    :raises EventLogError: if it is no lesson's file.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = new_path(folder)
    path.touch(mode=0o600)
    path.write_bytes(content)
    try:
        with closing(EventLog(path)) as event_log:
            began = event_log.time(1)
    except EventLogError:
        delete_lesson(path)
        raise
    return path.rename(new_path(folder, began))


def delete_lesson(path: Path) -> None:
    """Delete the file of a lesson that could not be used, and what is beside it."""
    for file in path.parent.glob(f"{path.stem}.*"):
        file.unlink()
