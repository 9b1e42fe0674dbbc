"""The page that a pupil takes home: how their matches ended, what they wrote, and their maps."""

from coursekit.files.file_names import file_name
from coursekit.journal.entries import Answer, MapEntry
from coursekit.kit import kit_of
from coursekit.kit.scene import Look
from coursekit.maps.file_writer import write_map
from coursekit.reflect import handin_page
from coursekit.reflect.journal_export import GameEntries, MatchResult
from coursekit.reflect.questions import question
from coursekit.room.lesson import Lesson
from coursekit.room.room_table import RoomTable
from coursekit.table.players import player_name
from coursekit.words.texts import format_signed, game_text, seat_name, text


def page_name(lesson: Lesson, person: int, language: str) -> str:
    """Return the name of the file: of the pupil, as the class knows them, and of the game."""
    title = game_text(_games(lesson, person)[0], "title", language)
    return file_name(f"{lesson.name(person, language)} {title}", "html")


def own_page(lesson: Lesson, person: int, language: str) -> str:
    """Return what *person* has played and written as a page to keep.

    The others at a table are numbers in it.
    """
    parts = [_entries(lesson, person, game, language) for game in _games(lesson, person)]
    return handin_page.page(parts, language, lesson.name(person, language))


def _games(lesson: Lesson, person: int) -> list[str]:
    """Return the games that *person* has done something in, else the one that is chosen."""
    games = [at.game.name for at in lesson.tables.values() if at.history.has_had_seat(person)]
    games += [asked.game for asked in lesson.questions if person in asked.answers]
    games += [game for game in lesson.maps if lesson.map_of(person, game).concepts]
    return list(dict.fromkeys(games)) or [lesson.settings.game]


def _entries(lesson: Lesson, person: int, game: str, language: str) -> GameEntries:
    answers = []
    for asked in lesson.questions:
        if asked.game == game and person in asked.answers:
            known = None if asked.own else question(game, asked.words)
            words = asked.answer_words(asked.answers[person], language)
            answers.append((known, Answer(words, "", asked.wording(language))))
    mind_map = lesson.map_of(person, game)
    maps = {"map": MapEntry(write_map(mind_map, "json"), "")} if mind_map.concepts else {}
    results = [
        _result(lesson, at, person, language)
        for at in lesson.tables.values()
        if at.over and at.game.name == game and at.history.has_had_seat(person)
    ]
    # No count of the questions: nobody had to answer them all, and it would read like a mark.
    return GameEntries(game, answers, 0, maps, {name: {} for name in maps}, [], results)


def _result(lesson: Lesson, at: RoomTable, person: int, language: str) -> MatchResult:
    """Return how the match at a table ended for *person*, who had a seat there."""
    standing, own = at.standing, at.seat_of(person)
    lines = [standing.end_words(at.game.name, language)] if at.ended else []
    taken = stood_in = 0
    for seat, stay in at.history.stays_of(person):
        one, other = at.count_decisions(seat, stay)
        taken += one
        stood_in += other
        if seat != own or stay.end < len(at.run.match.log):
            points = at.standing_at(stay.end).points[seat]
            lines.append(text("room.page.left", language, points=points))
    if own is not None:
        lines.append(text("room.page.outcome", language, outcome=standing.outcome(own, language)))
    if stood_in:
        every = taken + stood_in
        lines.append(text("room.page.stood_in", language, count=stood_in, all=every))
    rows = []
    ranks = standing.ranks or [1] * at.game.players
    for seat in sorted(at.game.seats, key=ranks.__getitem__):
        cells = [standing.place_words(seat, language), _who(at, seat, own, language)]
        cells.append(format_signed(str(standing.points[seat])))
        rows.append((cells, seat == own))
    heads = [text(f"room.page.{head}", language) for head in ("place", "player", "points")]
    title = text("room.page.table", language, number=at.number)
    note = text("room.page.note", language)
    decisions = _decisions(at, person, lesson.name(person, language), language)
    decided = text("room.page.decided", language, count=len(decisions))
    return MatchResult(title, lines, heads, rows, note, decided, decisions)


def _decisions(at: RoomTable, person: int, name: str, language: str) -> list[str]:
    """Return what came of each decision that *person* took at a table, as its log tells it."""
    match = at.run.match
    log = kit_of(at.game).log
    decisions = []
    for seat, stay in at.history.stays_of(person):
        names = [name if other == seat else "" for other in at.game.seats]
        look = Look(at.game, language, names)
        for entry in range(stay.begin, min(stay.end, len(match.log))):
            if match.log[entry][0] == seat and at.history.deciders[entry] == person:
                seen = [event for event in match.events[entry] if event.is_for(seat)]
                line = next(filter(None, log(seen, look)), None)
                decisions += [line] if line else []
    return decisions


def _who(at: RoomTable, seat: int, own: int | None, language: str) -> str:
    if seat == own:
        return text("room.page.you", language)
    who = seat_name(seat, language)
    if seat in at.people:
        return who
    strategy = player_name(at.game.name, at.run.players[seat], language)
    return text("room.page.computer", language, player=who, strategy=strategy)
