"""The numbers of a lesson as tables to take along: pupils are numbers in them.

See :mod:`coursekit.files.data_export`.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from coursekit.files.data_export import DataTable, decision_table
from coursekit.room.lesson import Lesson
from coursekit.room.page_state import question_words

Row = list[Any]


def lesson_sheets(lesson: Lesson, language: str, names: bool = False) -> Mapping[str, DataTable]:
    """Return results, decisions, guesses, answers and maps, each under the name of its file.

    :param names: whether a column tells the pupils' names; typed answers are given as they are in
        any case.
    :raises ValueError: while a table plays: it would tell every hand.
    """
    if not lesson.all_over:
        raise ValueError("the decisions tell every hand, and tables are still playing")
    files = {
        "results": ("deal table game seat pupil points won", _results(lesson)),
        "decisions": (
            "deal table pupil entry seat person phase action points_before",
            _moves(lesson),
        ),
        "guesses": ("deal table guess pupil choice came right", _guesses(lesson)),
        "answers": ("asked question pupil answer", _answers(lesson, language)),
        "maps": ("game pupil start phrase end kind", _propositions(lesson)),
    }
    sheets = {}
    for name, (columns, iterator) in files.items():
        heads = columns.split()
        rows = list(iterator)
        if names:
            _add_names(lesson, heads, rows)
        sheets[name] = DataTable(heads, rows, "", language)
    return sheets


def _results(lesson: Lesson) -> Iterator[Row]:
    for at in lesson.tables.values():
        state, people = at.run.match.state, at.people
        points, winners = at.game.scores(state), at.game.winners(state)
        for seat in at.game.seats:
            person = people.get(seat, "")
            won = int(seat in winners)
            yield [at.deal, at.number, at.game.name, seat, person, points[seat], won]


def _moves(lesson: Lesson) -> Iterator[Row]:
    for at in lesson.tables.values():
        for row in decision_table([at.run.match]).rows:
            yield [at.deal, at.number, at.people.get(row[2], ""), *row[1:]]


def _guesses(lesson: Lesson) -> Iterator[Row]:
    for at in lesson.tables.values():
        for number, outcome in enumerate(lesson.guess_outcomes.get(at.table_id, ())):
            for person, choice in outcome.guesses.items():
                right = int(choice == outcome.came)
                yield [at.deal, at.number, number, person, choice, outcome.came, right]


def _answers(lesson: Lesson, language: str) -> Iterator[Row]:
    for asked in lesson.questions:
        for person, answer in asked.answers.items():
            if answer.strip():
                yield [asked.number, question_words(asked, language), person, answer]


def _propositions(lesson: Lesson) -> Iterator[Row]:
    """Yield the relations of all maps, and the concepts that have none."""
    for game, maps in lesson.maps.items():
        for person, mind_map in maps.items():
            labels = {key: concept.label for key, concept in mind_map.concepts.items()}
            alone = dict(labels)
            for relation in mind_map.relations.values():
                ends = relation.start, relation.end
                start, end = (labels[key] for key in ends)
                yield [game, person, start, relation.phrase, end, relation.kind]
                for key in ends:
                    alone.pop(key, None)
            for label in alone.values():
                yield [game, person, label, "", "", ""]


def _add_names(lesson: Lesson, heads: list[str], rows: list[Row]) -> None:
    """Add a column with names after the one of pupils; a strategy has no number and no name."""
    at = heads.index("pupil")
    heads.insert(at + 1, "name")
    for row in rows:
        row.insert(at + 1, lesson.people[row[at]].name if row[at] else "")
