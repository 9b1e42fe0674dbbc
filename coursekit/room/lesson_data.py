"""The numbers of a lesson as tables to take along, see :mod:`coursekit.files.data_export`: who is
who stays a number.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from coursekit.files.data_export import Sheet, decision_table
from coursekit.room.lesson import Lesson
from coursekit.room.page_state import question_words


def lesson_sheets(lesson: Lesson, language: str, names: bool = False) -> Mapping[str, Sheet]:
    """Return results, decisions, guesses of those who watched, and answers, each under the name of
    its file.

    :param names: whether a column tells the pupils' names; typed answers are given as they are in
        any case.
    :raises ValueError: while a table plays: it would tell every hand.
    """
    if not lesson.all_over:
        raise ValueError("the decisions tell every hand, and tables are still playing")
    results: list[list[Any]] = []
    moves: list[list[Any]] = []
    guesses: list[list[Any]] = []
    for at in lesson.tables.values():
        match, people = at.run.match, at.people
        points, winners = at.game.scores(match.state), at.game.winners(match.state)
        results += [
            [at.id, at.game.name, seat, people.get(seat, ""), points[seat], int(seat in winners)]
            for seat in at.game.seats
        ]
        moves += [[at.id, people.get(row[2], ""), *row[1:]] for row in decision_table([match]).rows]
        guesses += [
            [at.id, number, person, choice, each.came, int(choice == each.came)]
            for number, each in enumerate(lesson.guessed.get(at.id, ()))
            for person, choice in each.guesses.items()
        ]
    answers = [
        [asked.number, question_words(asked, language), person, answer]
        for asked in lesson.questions
        for person, answer in asked.answers.items()
        if answer.strip()
    ]

    def made(columns: str, rows: Sequence[list[Any]]) -> Sheet:
        heads = columns.split()
        if names:
            at = heads.index("pupil") + 1
            heads.insert(at, "name")
            for row in rows:
                row.insert(at, lesson.people[row[at - 1]].name if row[at - 1] else "")
        return Sheet(heads, rows, "", language)

    return {
        "results": made("table game seat pupil points won", results),
        "decisions": made("table pupil entry seat person phase action points_before", moves),
        "guesses": made("table guess pupil choice came right", guesses),
        "answers": made("asked question pupil answer", answers),
    }
