"""Requests for what takes long to make of a lesson: pages to keep, numbers, proposals to draw.

A process of its own answers them, see :mod:`.analysis_process`, from the lesson's file.
"""

from collections.abc import Callable, Hashable
from typing import Any

from coursekit.core.game import Seat
from coursekit.core.options import to_tuples
from coursekit.files.data_export import pack_zip
from coursekit.room import class_debrief
from coursekit.room.lesson import Lesson
from coursekit.room.lesson_data import lesson_sheets
from coursekit.room.own_page import own_page as make_own_page
from coursekit.room.page import Request
from coursekit.room.room_table import RoomTable


def own_page(person: int, language: str) -> Request:
    """Ask for what *person* has written and played, as a page to keep."""
    return Request("own_page", (person, language))


def suggestion(table: int, seat: Seat, n: int, about: Any) -> Request:
    """Ask for the *n*-th proposal for what *seat* can draw."""
    return Request("suggestion", (table, seat, n, to_tuples(about)))


def debrief(language: str) -> Request:
    """Ask for the debrief of the class."""
    return Request("debrief", (language,))


def slides(language: str) -> Request:
    """Ask for the debrief of the class in pieces for a projector."""
    return Request("slides", (language,))


def numbers(language: str, names: bool) -> Request:
    """Ask for the lesson's numbers, with the pupils' *names* or without."""
    return Request("numbers", (language, names))


def _suggestion(lesson: Lesson, table: int, seat: Seat, n: int, about: Any) -> Any:
    return lesson.tables[table].run.suggestion(seat, n, about)


def _numbers(lesson: Lesson, language: str, names: bool) -> bytes:
    return pack_zip(lesson_sheets(lesson, language, names))


MAKERS: dict[str, Callable[..., Any]] = {
    "own_page": make_own_page,
    "suggestion": _suggestion,
    "debrief": class_debrief.debrief_page,
    "slides": class_debrief.debrief_slides,
    "numbers": _numbers,
}
"""What makes each of them; the lesson comes first."""


def make(lesson: Lesson, request: Request) -> Any:
    """Return what was asked for.

    :raises LocalizedError: if it cannot be had; the sentence says why.
    """
    return MAKERS[request.what](lesson, *request.values)


def answer_key(lesson: Lesson, request: Request) -> Hashable:
    """Return a value that is the same as long as the answer is: by it, answers are kept."""
    if request.what == "suggestion":
        return _moment(lesson.tables[request.values[0]])
    person = request.values[0] if request.what == "own_page" else None
    tables = [at for at in lesson.tables.values() if person is None or _has_played(at, person)]
    answers: list[Hashable] = [tuple(asked.answers.items()) for asked in lesson.questions]
    names = [one.name for one in lesson.people.values()]
    maps = [
        (game, drawer, tuple(mind_map.things.items()))
        for game, drawn in lesson.maps.items()
        for drawer, mind_map in drawn.items()
        if person in (None, drawer)
    ]
    if person is not None:
        answers = [asked.answers.get(person) for asked in lesson.questions]
        names = [lesson.name(person)]
    guesses = [(table, len(outcomes)) for table, outcomes in lesson.guess_outcomes.items()]
    moments = tuple(map(_moment, tables))
    return moments, tuple(answers), tuple(names), tuple(guesses), tuple(maps), lesson.settings.game


def _has_played(at: RoomTable, person: int) -> bool:
    return at.over and at.history.has_had_seat(person)


def _moment(at: RoomTable) -> Hashable:
    match = at.run.match
    return at.table_id, at.run.branch, len(match.log), at.over, tuple(at.seats), match.names
