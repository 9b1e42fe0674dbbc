"""The debrief of a class: what is worth talking about in the matches of all its tables.

Tables and pupils are called as the class knows them. A pupil's decisions are those that they took
themselves: what a strategy took in their place is left out, and counted.
"""

import copy
from typing import Any

from coursekit.core.match import Match
from coursekit.kit.debrief_moment import Moment, Played
from coursekit.reflect.debrief_story import clauses
from coursekit.room.lesson import Lesson
from coursekit.room.room_table import RoomTable
from coursekit.words.texts import game_text, join_sentences, join_words, text


def debrief_page(lesson: Lesson, language: str) -> str:
    """Return the class's debrief as a page.

    :raises ValueError: while a table plays: it would tell every hand.
    """
    from coursekit.reflect.debrief_page import page

    title = game_text(lesson.settings.game, "title", language)
    about, moments = describe_tables(lesson, language), _find_moments(lesson, language)
    return page(title, about, moments, language, _steps(language))


def debrief_slides(lesson: Lesson, language: str) -> list[dict[str, Any]]:
    """Return the same in pieces that a projector shows one after the other, the steps around it.

    :raises ValueError: as :func:`debrief_page`.
    """
    from coursekit.reflect.debrief_page import parts_html

    words = _steps(language)
    slides = [
        {
            "title": moment.title,
            "where": moment.where,
            "html": parts_html(moment),
            "ask": moment.ask,
        }
        for moment in _find_moments(lesson, language)
    ]
    first, last = (
        {"title": words[f"{part}.title"], "where": "", "html": "", "ask": words[f"{part}.ask"]}
        for part in ("feel", "now")
    )
    first["where"] = describe_tables(lesson, language)
    return [first, *slides, last]


def _steps(language: str) -> dict[str, str]:
    """Return the titles and questions of the first and the last step."""
    names = [f"{part}.{what}" for part in ("feel", "now") for what in ("title", "ask")]
    return {name: text(f"debrief.{name}", language) for name in names}


def _tables(lesson: Lesson) -> list[RoomTable]:
    """Return the tables of the chosen game at which pupils decided something."""
    if not lesson.all_over:
        raise ValueError("the debrief tells every hand, and tables are still playing")
    game = lesson.settings.game
    return [at for at in lesson.tables.values() if at.game.name == game and at.own_decisions]


def _find_moments(lesson: Lesson, language: str) -> list[Moment]:
    from coursekit.reflect.debrief_cell import find_moments  # it takes its time to load

    return find_moments(lesson.settings.game, played_matches(lesson, language), language)


def played_matches(lesson: Lesson, language: str) -> list[Played]:
    """Return the matches that are talked about, with what pupils decided themselves.

    :raises ValueError: as :func:`debrief_page`.
    """
    return [_played(lesson, at, title, language) for title, at in _titled_tables(lesson, language)]


def _titled_tables(lesson: Lesson, language: str) -> list[tuple[str, RoomTable]]:
    """Return the tables with their titles, which name the deal if there was more than one."""
    tables = _tables(lesson)
    has_deals = len({at.deal for at in tables}) > 1
    text_id = "room.debrief_deal_table" if has_deals else "room.debrief_table"
    return [(text(text_id, language, deal=at.deal, number=at.number), at) for at in tables]


def _played(lesson: Lesson, at: RoomTable, title: str, language: str) -> Played:
    """Return the match at a table, with the names of those who decided themselves."""
    match: Match = copy.copy(at.run.match)
    entries = at.own_decisions
    people: list[dict[int, None]] = [{} for _ in at.game.seats]  # by seat, one after the other
    for entry in sorted(entries):
        people[match.log[entry][0]][at.history.deciders[entry] or 0] = None
    match.names = tuple(
        join_words([lesson.name(person, language) for person in here], language) for here in people
    )
    return Played(match, [seat for seat in at.game.seats if people[seat]], entries, title)


def describe_tables(lesson: Lesson, language: str) -> str:
    """Return which tables these are, where they ended, and what was left out.

    :raises ValueError: as :func:`debrief_page`.
    """
    titled = _titled_tables(lesson, language)
    tables = [at for _, at in titled]
    people = {person for at in tables for person in at.history.deciders if person is not None}
    sentences = [text("room.debrief_about", language, tables=len(tables), people=len(people))]
    ends = []
    for title, at in titled:
        if at.ended:
            how = at.standing.end_words(at.game.name, language)
            ends.append(text("debrief.in", language, match=title, words=how))
    if ends:
        sentences.append(text("room.debrief_ends", language, ends=clauses(ends, language)))
    stood_in = sum(len(at.stood_in) for at in tables)
    if stood_in:
        sentences.append(text("room.debrief_stood_in", language, count=stood_in))
    guesses = right = 0
    for at in tables:
        for outcome in lesson.guess_outcomes.get(at.table_id, ()):
            guesses += len(outcome.guesses)
            right += list(outcome.guesses.values()).count(outcome.came)
    if guesses:
        sentences.append(text("room.debrief_guesses", language, right=right, all=guesses))
    return join_sentences(sentences, language)
