"""The debrief of a class: what is worth talking about in the matches of all its tables.

Tables and pupils are called as the class knows them. A pupil's decisions are those that they took
themselves: what a strategy took in their place is left out, and counted.
"""

import copy
from typing import Any

from coursekit.core.match import Match
from coursekit.kit.debrief_moment import Played
from coursekit.room.lesson import Lesson
from coursekit.room.room_table import RoomTable
from coursekit.words.texts import game_text, join_sentences, join_words, text


def debrief_page(lesson: Lesson, language: str) -> str:
    """Return the class's debrief as a page.

    :raises ValueError: while a table plays: it would tell every hand.
    """
    from coursekit.reflect.debrief_page import page

    tables = _tables(lesson)
    title = game_text(lesson.settings.game, "title", language)
    about = _about(lesson, tables, language)
    moments = _find_moments(lesson, tables, language)
    return page(title, about, moments, language, _steps(language))


def debrief_slides(lesson: Lesson, language: str) -> list[dict[str, Any]]:
    """Return the same in pieces that a projector shows one after the other, the steps around it.

    :raises ValueError: as :func:`debrief_page`.
    """
    from coursekit.reflect.debrief_page import parts_html

    tables, words = _tables(lesson), _steps(language)
    slides = [
        {
            "title": moment.title,
            "where": moment.where,
            "html": parts_html(moment),
            "ask": moment.ask,
        }
        for moment in _find_moments(lesson, tables, language)
    ]
    first, last = (
        {"title": words[f"{part}.title"], "where": "", "html": "", "ask": words[f"{part}.ask"]}
        for part in ("feel", "now")
    )
    first["where"] = _about(lesson, tables, language)
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


def _find_moments(lesson: Lesson, tables: list[RoomTable], language: str) -> Any:
    from coursekit.reflect.debrief_cell import find_moments

    has_deals = len({at.deal for at in tables}) > 1
    played = []
    for at in tables:
        title = table_title(at, has_deals, language)
        played.append(_played(lesson, at, language)._replace(title=title))
    return find_moments(lesson.settings.game, played, language)


def table_title(at: RoomTable, has_deals: bool, language: str) -> str:
    """Return what a table is called, with its deal if there was more than one."""
    text_id = "room.debrief_deal_table" if has_deals else "room.debrief_table"
    return text(text_id, language, deal=at.deal, number=at.number)


def _played(lesson: Lesson, at: RoomTable, language: str) -> Played:
    """Return the match at a table with its players' names, and what pupils decided themselves."""
    match: Match = copy.copy(at.run.match)
    match.names = tuple(
        lesson.name(player, language) if isinstance(player, int) else "" for player in at.seats
    )
    entries = at.own_decisions
    people = sorted({match.log[entry][0] for entry in entries})
    return Played(match, people, entries)


def _about(lesson: Lesson, tables: list[RoomTable], language: str) -> str:
    """Return which tables these are, where they ended, and what was left out."""
    people = {person for at in tables for person in at.history.deciders if person is not None}
    sentences = [text("room.debrief_about", language, tables=len(tables), people=len(people))]
    has_deals = len({at.deal for at in tables}) > 1
    between = ": " if language == "en" else "："
    ends = [
        table_title(at, has_deals, language)
        + between
        + at.standing.end_words(at.game.name, language).lower()
        for at in tables
        if at.ended
    ]
    if ends:
        sentences.append(text("room.debrief_ends", language, ends=join_words(ends, language)))
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
