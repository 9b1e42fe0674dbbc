"""What takes long to make of a lesson: pages to keep, numbers, and proposals for what is drawn by
hand.

A process of its own makes it, see :mod:`.analysis_process`, from the lesson as its file tells it.
"""

from collections.abc import Callable, Hashable
from typing import Any

from coursekit.core.game import Seat
from coursekit.core.options import to_tuples
from coursekit.files.data_export import pack_zip
from coursekit.room import page_state
from coursekit.room.lesson import Lesson
from coursekit.room.lesson_data import lesson_sheets
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


def numbers(language: str, names: bool) -> Request:
    """Ask for the lesson's numbers, with the pupils' *names* or without."""
    return Request("numbers", (language, names))


def _suggestion(lesson: Lesson, table: int, seat: Seat, n: int, about: Any) -> Any:
    return lesson.tables[table].run.suggestion(seat, n, about)


def _numbers(lesson: Lesson, language: str, names: bool) -> bytes:
    return pack_zip(lesson_sheets(lesson, language, names))


MAKERS: dict[str, Callable[..., Any]] = {
    "own_page": page_state.own_page,
    "suggestion": _suggestion,
    "debrief": page_state.debrief_page,
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
    if request.what == "own_page":
        person = request.values[0]
        tables = [
            table
            for table in lesson.tables.values()
            if table.seat_of(person) is not None and table.over
        ]
        answers = [(asked.number, asked.answers.get(person)) for asked in lesson.questions]
        return (
            lesson.people[person].name,
            lesson.settings.game,
            tuple(map(_moment, tables)),
            tuple(answers),
        )
    guessed = tuple((table, len(came)) for table, came in lesson.guessed.items())
    answered = tuple(tuple(asked.answers.items()) for asked in lesson.questions)
    names = tuple(each.name for each in lesson.people.values())
    return (
        tuple(map(_moment, lesson.tables.values())),
        guessed,
        answered,
        names,
        lesson.settings.game,
    )


def _moment(table: RoomTable) -> Hashable:
    return (
        table.id,
        table.run.branch,
        len(table.run.match.log),
        table.over,
        tuple(table.seats),
        table.run.match.names,
    )
