"""The numbers of a lesson as tables to take along: pupils are numbers in them.

See :mod:`coursekit.files.data_export`.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from coursekit.core.game import TABLE, Seat
from coursekit.files.data_export import DataTable, decision_table
from coursekit.room.lesson import Lesson
from coursekit.room.room_table import RoomTable, best_strategy
from coursekit.room.seat_history import Stay

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
        "results": (
            "deal_number table game seat pupil strategy decided stood_in points place won ended",
            _results(lesson, language),
        ),
        "decisions": (
            "deal_number table pupil strategy entry seat phase action points_before",
            _moves(lesson),
        ),
        "guesses": ("deal_number table guess pupil choice came right", _guesses(lesson)),
        "answers": ("asked question kind pupil value answer", _answers(lesson, language)),
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


def _results(lesson: Lesson, language: str) -> Iterator[Row]:
    """Yield a row for everybody who had a seat, with the points when they left it."""
    for at in lesson.tables.values():
        how = at.standing.end_words(at.game.name, language) if at.ended else ""
        table = [at.deal, at.number, at.game.name]
        for seat in at.game.seats:
            *before, last = at.history.stays(seat)
            for stay in before:
                points = at.standing_at(stay.end).points[seat]
                yield [*table, seat, *_result(at, seat, stay), points, "", "", how]
            place = at.standing.ranks[seat] if at.standing.ranks else ""
            won = int(seat in at.standing.winners)
            points = at.standing.points[seat]
            yield [*table, seat, *_result(at, seat, last), points, place, won, how]


def _result(at: RoomTable, seat: Seat, stay: Stay) -> list[Any]:
    """Return whose the result of *stay* is, and how many decisions a pupil and a strategy took.

    It is that of a strategy where it took them all.
    """
    own, stood_in = at.count_decisions(seat, stay)
    if isinstance(stay.player, str):
        return ["", stay.player, 0, own]
    if stood_in and not own:
        return ["", best_strategy(at.game, at.language), own, stood_in]
    return [stay.player, "", own, stood_in]


def _moves(lesson: Lesson) -> Iterator[Row]:
    for at in lesson.tables.values():
        for _, entry, seat, _, *row in decision_table([at.run.match]).rows:
            yield [at.deal, at.number, *_decider(at, entry, seat), entry, seat, *row]


def _decider(at: RoomTable, entry: int, seat: Seat) -> tuple[int | str, str]:
    """Return the pupil, or else the strategy, who took a decision."""
    person = at.history.deciders[entry]
    if seat == TABLE:
        return "", ""
    if person is not None:
        return person, ""
    player = at.history.player_at(entry, seat)
    return "", player if isinstance(player, str) else best_strategy(at.game, at.language)


def _guesses(lesson: Lesson) -> Iterator[Row]:
    for at in lesson.tables.values():
        for number, outcome in enumerate(lesson.guess_outcomes.get(at.table_id, ())):
            for person, choice in outcome.guesses.items():
                right = int(choice == outcome.came)
                yield [at.deal, at.number, number, person, choice, outcome.came, right]


def _answers(lesson: Lesson, language: str) -> Iterator[Row]:
    for asked in lesson.questions:
        for person, given in asked.given.items():
            value = asked.value_words(given, language)
            kind, words = asked.form.kind, asked.wording(language)
            yield [asked.number, words, kind, person, value, given.words]


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
