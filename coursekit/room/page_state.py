"""The messages that a room sends to its pages: its state, and the tables they may see."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, Protocol

from coursekit.core.errors import LocalizedError
from coursekit.core.game import Seat
from coursekit.core.match import is_race
from coursekit.kit import kit_of
from coursekit.kit.scene import Look
from coursekit.maps.map_json import things_json
from coursekit.reflect.questions import questions
from coursekit.room.answers import FEWEST
from coursekit.room.board import MOST, Board
from coursekit.room.class_list import find_people
from coursekit.room.class_map import ClassMap
from coursekit.room.class_question import ClassQuestion, form_of
from coursekit.room.lesson import Lesson, Submission
from coursekit.room.notes import Note
from coursekit.room.page import Page
from coursekit.room.people import TRIES
from coursekit.room.room_table import RoomTable
from coursekit.table.players import player_name
from coursekit.table.setup_form import preset_words
from coursekit.table.static_files import zone_styles
from coursekit.table.view import View, handbook
from coursekit.words.texts import game_text, load_texts, seat_name, text

UI = "ui."
TOLD = 3
"""Decisions of a strategy that its seat's person is told, the last ones."""
LONGEST_MOMENT = 60
"""Letters by which a person is told to which moment their table was taken back."""
KEPT = 32
"""Number of views, and of states of the room, that are kept to be shared."""
State = dict[str, Any]


class RoomState(Protocol):
    """A room, as far as its state goes to pages; see :class:`.Room`."""

    lesson: Lesson
    changed: int
    trouble: LocalizedError | None
    notes: list[Note]
    class_map: ClassMap
    enlarged_table: int | None
    debrief: int | None
    stage: str
    until: float
    time: float

    @property
    def time_runs(self) -> bool:
        """Whether time goes by at tables that are not paused."""

    def is_here(self, person: int) -> bool:
        """Return whether *person* has given a sign of late."""

    @property
    def people_here(self) -> list[int]:
        """The people who have given a sign of late."""


class PageCache:
    """Views and states that several pages show, each under all that it depends on."""

    def __init__(self) -> None:
        self._views: dict[tuple[Any, ...], State] = {}
        self._states: dict[tuple[Any, ...], State] = {}

    def spectator_view(self, at: RoomTable, view: View, language: str) -> State:
        """Return what those who watch *at* see."""
        moments = tuple(moment.entry for moment in view.moments)
        version = (at.table_id, at.run.branch, at.version, int(at.time))
        key = (*version, language, view.back, moments)
        if key not in self._views:
            _forget_oldest(self._views)
            self._views[key] = at.view_json(view, language)
        return self._views[key]

    def state(self, room: RoomState, role: str, language: str) -> State:
        """Return the part of the room's state that all pages of *role* share."""
        versions = [table.version for table in room.lesson.current_tables]
        key = (role, language, int(room.time), room.changed, *versions)
        if key not in self._states:
            _forget_oldest(self._states)
            self._states[key] = STATES[role](room, language)
        return self._states[key]


def _forget_oldest(cache: dict[Any, Any]) -> None:
    """Make room in *cache* for one more."""
    while len(cache) >= KEPT:
        del cache[next(iter(cache))]


def news(room: RoomState, page: Page, cache: PageCache) -> Iterator[State]:
    """Yield the messages that *page* needs now.

    The state of the room comes first, since a page knows by it which views are its own.
    """
    state = _new_state(room, page, cache)
    if state is not None:
        yield {"type": "room", **state}
    if page.role == "projector":
        yield from _new_moments(room.lesson, page)
        yield from _new_boards(room, page)
    yield from _own_map(room.lesson, page) if page.role == "phone" else _class_map(room, page)
    yield from _table_news(room, page, cache)
    if page.role == "phone":
        yield from _stand_in(room, page)
        yield from _stage(room, page)


def _new_state(room: RoomState, page: Page, cache: PageCache) -> State | None:
    """Return the room's state for *page*, ``None`` if it is still the same."""
    tables = room.lesson.current_tables
    versions = [table.version for table in tables if page.role != "phone" or _watches(page, table)]
    # A phone that may choose a table is told which are over, and nothing else of those unwatched.
    over = [table.over for table in tables]
    marks = (room.changed, page.person, page.watching, page.language, versions, over)
    if page.room_marks == marks:
        return None
    page.room_marks = marks
    state = cache.state(room, page.role, page.language)
    if page.role == "phone":
        state = state | person_state(room, page)
    if state == page.room_state:
        return None
    page.room_state = state
    return state


def _watches(page: Page, table: RoomTable) -> bool:
    return table.table_id == page.watching


def _new_moments(lesson: Lesson, page: Page) -> Iterator[State]:
    """Yield the moments of tables that the projector shows side by side, if they are new to it."""
    moments = [(lesson.tables[number], entry) for number, entry in lesson.shown_moments]
    names = [(at.table_id, entry, at.run.match.names) for at, entry in moments]
    marks = (page.language, *names)
    if marks == page.moment_marks:
        return
    page.moment_marks = marks
    settings = []
    for at, entry in moments:
        view = View(at.run, None)
        view.show(entry)
        content = at.view_json(view, page.language) | {"notice": ""}
        settings.append({**table_setting(at, page.language), "view": content})
    yield {"type": "moments", "moments": settings}


def _stand_in(room: RoomState, page: Page) -> Iterator[State]:
    """Yield whether a strategy decides for the person of *page*, or soon will, if that is new."""
    place = room.lesson.table_of(page.person)
    marks: tuple[Any, ...] = ()
    if place is not None and not place[0].over:
        at, seat = place
        is_on = seat in at.run.stood_in
        deadline = None
        if seat in at.warned and room.trouble is None:
            deadline = at.deadline(seat, room.lesson.settings.grace)
        entries = tuple(at.stand_ins.get(seat, ()))
        if is_on or deadline is not None or entries:
            names = at.run.match.names
            marks = (at.table_id, seat, is_on, deadline, entries, names, page.language)
    if page.stand_in_marks == marks:
        return
    page.stand_in_marks = marks
    if not marks:
        yield {"type": "stand_in", "left": None, "on": False, "did": [], "count": 0}
        return
    yield {
        "type": "stand_in",
        "left": None if deadline is None else round(deadline - at.time, 1),
        "on": is_on,
        "did": at.stand_in_lines(seat, entries[-TOLD:], page.language),
        "count": len(entries),
    }


def _stage(room: RoomState, page: Page) -> Iterator[State]:
    """Yield how long the class thinks, talks in pairs or shares, if that is new to *page*."""
    marks = (room.stage, room.until) if room.stage else ("",)
    if page.stage_marks != marks:
        page.stage_marks = marks
        left = max(0.0, round(room.until - room.time, 1))
        yield {"type": "stage", "stage": room.stage, "left": left}


def _new_boards(room: RoomState, page: Page) -> Iterator[State]:
    """Yield what is new on the tables that the projector shows side by side."""
    tables = room.lesson.current_tables
    if len(tables) > MOST or any(_watches(page, table) for table in tables):
        tables = []
    known = page.boards
    page.boards = {}
    for at in tables:
        board = known.get(at.table_id)
        page.boards[at.table_id] = board if board is not None and board.at is at else Board(at)
        setting = (at.game.name, page.language)
        if page.board_setting != setting:
            page.board_setting = setting
            yield {"type": "board_setting", **table_setting(at, page.language), "handbook": {}}
    for board in page.boards.values():
        message = _board_news(room, board, page.language)
        if message is not None:
            yield {"type": "board", **message}


def _board_news(room: RoomState, board: Board, language: str) -> State | None:
    """Return what is new on a board; nothing lies on it if the kit makes a mistake there.

    So a mistake at one table does not keep the others from the page.
    """
    people = board.at.people.items()
    away = frozenset(seat for seat, person in people if not room.is_here(person))
    try:
        return board.news(language, away)
    except Exception:
        board.clear()
        return {"table": board.at.table_id, "view": {"is": None}, "scenes": []}


def _own_map(lesson: Lesson, page: Page) -> Iterator[State]:
    """Yield the whole map of the person whose *page* it is, if the page asks for it."""
    game, page.wants_map = page.wants_map, ""
    if game and page.person is not None:
        things = things_json(lesson.map_of(page.person, game).things)
        rest: State = {"saved": "", "other": "", "notice": "", "maps": []}
        yield {"type": "map", "game": game, "things": things, **rest}


def _class_map(room: RoomState, page: Page) -> Iterator[State]:
    """Yield what a teacher's page shows of the class's maps, if that is new to it."""
    marks = (room.class_map.version, page.language)
    if page.role == "projector" and room.lesson.step != "map":
        page.map_marks = ()
    elif not room.class_map.version:  # nobody has looked at the maps yet
        return
    elif page.map_marks != marks and page.role == "projector":
        page.map_marks = marks
        yield {"type": "class_map", **room.class_map.for_projector(page.language)}
    elif page.map_marks != marks:
        page.map_marks = marks
        yield {"type": "map_words", **room.class_map.for_console(room.lesson.let_words.everything)}


def _table_news(room: RoomState, page: Page, cache: PageCache) -> Iterator[State]:
    """Yield what is new at the table where the person of *page* sits, or which it watches."""
    at, seat = _table_of(room.lesson, page)
    if at is None:
        page.table = page.view = page.step = None
        page.table_marks = ()
        return
    is_other = page.table is not at
    # A page that comes to another table gets its words first, and then a view of its own.
    if not is_other and page.table_marks[:1] == (at.version,):
        return
    setting = (at.game.name, page.language)
    if page.setting != setting or is_other:
        page.setting = setting
        yield {"type": "table", **table_setting(at, page.language)}
    view = page.view
    step, page.step = page.step, None
    if view is None or is_other or view.seat != seat:
        view = page.view = View(at.run, seat)
        page.table = at
        is_new = True
    elif step is not None and at.over:
        is_new = True
        view.look_back(min(step, len(at.run.match.log)))
    else:
        is_new = view.back or view.advance()
    still = at.is_still or at.over
    notice = at.notice(page.language)
    stood_in = frozenset(at.run.stood_in)
    marks = (at.run.branch, still, notice, stood_in, at.run.match.names, page.language)
    if is_new or page.table_marks[1:] != marks:
        if seat is None:
            content = cache.spectator_view(at, view, page.language)
        else:
            content = at.view_json(view, page.language)
        yield {"type": "view", "view": content}
    page.table_marks = (at.version, *marks)


def _table_of(lesson: Lesson, page: Page) -> tuple[RoomTable | None, Seat | None]:
    """Return the table that *page* shows, and the seat it has there."""
    place = lesson.table_of(page.person)
    if place is not None:
        return place
    for table in lesson.current_tables:
        if _watches(page, table):
            return table, None
    return None, None


def table_setting(at: RoomTable, language: str) -> State:
    """Return what a table's page needs beside views: words, and pages about its cards."""
    texts = {**load_texts(), **load_texts(at.game.name)}
    words = {
        text_id.removeprefix(UI): sentences[language]
        for text_id, sentences in texts.items()
        if text_id.startswith(UI)
    }
    kit = kit_of(at.game)
    return {
        "table": at.table_id,
        "number": at.number,
        "game": kit.name,
        "words": words,
        "handbook": handbook(at.game, language),
        "zone_css": zone_styles(kit),
    }


# For phones


def phones_state(room: RoomState, language: str) -> State:
    """Return the state that all phones share."""
    lesson = room.lesson
    tables = [
        {
            "table": table.table_id,
            "number": table.number,
            "label": _people_at(table, language),
            "over": table.over,
        }
        for table in lesson.current_tables
    ]
    return _lesson_state(lesson, language) | {
        "people": len(lesson.members),
        "playing": bool(tables),
        "dealt": lesson.deals > 0,
        "question": _open_question(lesson, language),
        "collecting": lesson.collecting,
        "tables": tables,
    }


def _lesson_state(lesson: Lesson, language: str) -> State:
    """Return the state of the lesson, which all pages share."""
    return {
        "code": lesson.code,
        "game": lesson.settings.game,
        "title": game_text(lesson.settings.game, "title", language),
        "step": lesson.step,
        "free": lesson.free,
        "message": lesson.message,
        "ended": lesson.ended,
    }


NOBODY: State = {
    "you": None,
    "shown": "",
    "wish": "",
    "place": None,
    "outcome": "",
    "watching": None,
    "still": None,
    "news": None,
    "answered": None,
    "guess": None,
    "came": "",
    "entry": None,
    "keeps": False,
}
"""The same before a phone has a person."""


def person_state(room: RoomState, page: Page) -> State:
    """Return the state of a phone's own person."""
    lesson, person = room.lesson, page.person
    if person is None:
        return NOBODY
    known, shown = lesson.people[person], lesson.name(person, page.language)
    state = NOBODY | {
        "you": known.name,
        "shown": shown if shown != known.name else "",
        "wish": known.wish,
        "news": _news_of(lesson, person, page.language),
        "keeps": lesson.ended or _has_finished(lesson, person),
    }
    if person in lesson.submissions:
        state["entry"] = submission_state(lesson.submissions[person], page.language)
    for asked in lesson.open_questions:
        state["answered"] = _own_answer(asked, person)
    at, seat = _table_of(lesson, page)
    if at is None:
        return state
    state["still"] = _why_still(at, page.language)
    if seat is not None:
        if at.over:
            state["outcome"] = at.standing.outcome(seat, page.language)
        place = {"table": at.table_id, "number": at.number, "seat": seat, "over": at.over}
        # What goes on at other tables is told to those alone who can choose one to watch.
        return state | {"place": place, "tables": []}
    state["watching"] = at.table_id
    state["came"] = guess_outcome(lesson, at, person, page.language)
    offer = guess_offer(at, page.language)
    if offer is not None:
        guesses = lesson.guesses.get(at.table_id, {})
        state["guess"] = offer | {"chosen": guesses.get(person, "")}
    return state


def _why_still(at: RoomTable, language: str) -> State | None:
    """Return why a table stands still, in large words and a sentence; ``None`` if it does not."""
    why = at.why_still
    if not why:
        return None
    title, words = text(f"room.still.{why}", language), text(f"room.{why}", language)
    return {"title": title, "words": words}


def _news_of(lesson: Lesson, person: int, language: str) -> State | None:
    """Return what the teacher has changed for *person* last; ``None`` if nothing."""
    news = lesson.news.get(person)
    if news is None:
        return None
    text_id = f"room.news.{news.kind}"
    if news.table is None:
        known = lesson.people[person]
        name = known.declined if news.kind == "declined" else known.name
        return {"number": news.number, "words": text(text_id, language, name=name)}
    at = lesson.tables[news.table]
    values: dict[str, Any] = {"table": at.number}
    if news.person is not None:
        values["who"] = lesson.name(news.person, language)
    if news.kind == "back":
        lines = kit_of(at.game).log(news.events, Look(at.game, language, at.run.match.names))
        what = next((line for line in lines if line), "")
        values["what"] = _short(what)
        text_id = "room.news.back" if what else "room.news.back_here"
    return {"number": news.number, "words": text(text_id, language, **values)}


def _has_finished(lesson: Lesson, person: int) -> bool:
    """Return whether a match has ended in which *person* had a seat, also for a while."""
    return any(at.over and at.history.has_had_seat(person) for at in lesson.tables.values())


def _short(line: str) -> str:
    """Return the beginning of a *line* of the log, without its full stop.

    >>> _short("Event: Peace Declaration. The Editor turns over a card.")
    'Event: Peace Declaration'
    """
    sentence = re.split(r"。|\. ", line, maxsplit=1)[0].rstrip(".")
    return sentence if len(sentence) <= LONGEST_MOMENT else f"{sentence[: LONGEST_MOMENT - 1]}…"


def _people_at(at: RoomTable, language: str) -> str:
    """Return the names of the people at a table."""
    return "、".join(seat_name(seat, language, at.run.match.names) for seat in at.people)


def _open_question(lesson: Lesson, language: str) -> State | None:
    for asked in lesson.open_questions:
        form = asked.form
        return {
            "number": asked.number,
            "words": asked.wording(language),
            "kind": form.kind,
            "choices": asked.choices(language),
            "low": form.low,
            "high": form.high,
            "whole": form.whole,
            "reason": form.has_reason or form.kind == "text",
        }
    return None


def _own_answer(asked: ClassQuestion, person: int) -> State | None:
    """Return what *person* has answered, ``None`` if nothing."""
    given = asked.given.get(person)
    return given and given._asdict()


def guess_offer(at: RoomTable, language: str) -> State | None:
    """Return what those who watch may guess now: a sentence and choices; ``None`` if nothing."""
    guess = at.guess
    if guess is None:
        return None
    who = seat_name(guess.seat, language, at.run.match.names)
    what = game_text(at.game, guess.kind.what, language)
    words = text("room.guess", language, who=who, what=what)
    return {"table": at.table_id, "words": words, "choices": list(guess.choices)}


def guess_outcome(lesson: Lesson, at: RoomTable, person: int, language: str) -> str:
    """Return how the last guess of *person* at a table came out, "" if there is none."""
    outcomes = lesson.guess_outcomes.get(at.table_id)
    if not outcomes or person not in outcomes[-1].guesses:
        return ""
    came, guess = outcomes[-1].came, outcomes[-1].guesses[person]
    text_id = "room.guess_right" if guess == came else "room.guess_wrong"
    return text(text_id, language, came=came, guess=guess)


# For the projector and the teacher


def projector_state(room: RoomState, language: str) -> State:
    """Return what the projector shows: no hand, no seed, no number of a seat."""
    lesson = room.lesson
    tables = lesson.current_tables
    seated = {person for at in tables for person in at.people.values()}
    people = [
        {
            "person": person.person_id,
            "name": lesson.name(person.person_id, language),
            "here": room.is_here(person.person_id),
            "seated": person.person_id in seated,
        }
        for person in lesson.members
    ]
    stage = None
    if room.stage:
        stage = {"name": room.stage, "left": max(0, round(room.until - room.time))}
    return _lesson_state(lesson, language) | {
        "locked": lesson.locked,
        "minutes": lesson.settings.minutes,
        "extra": lesson.extra,
        "played": int(max((table.time for table in tables), default=0)),
        "runs": room.time_runs,
        "watched": room.enlarged_table,
        "people": people,
        "tables": [_table_or_less(room, table, language) for table in tables],
        "question": _last_question(lesson, language),
        "moments": lesson.shown_moments,
        "debrief": room.debrief,
        "stage": stage,
        "rules": _rules(room, language),
    }


def _rules(room: RoomState, language: str) -> list[str]:
    """Return the rules in short: of the enlarged table, else of one that plays or is to come."""
    lesson, settings = room.lesson, room.lesson.settings
    at = next(iter(lesson.current_tables), None)
    if at is not None and at.over and at.game.name != settings.game:
        at = None
    if room.enlarged_table is not None:
        at = lesson.tables.get(room.enlarged_table)
    game = at.game if at is not None else settings.rules(settings.table_size)
    guide = kit_of(game.name).guide
    return guide.list_rules(Look(game, language)) if guide is not None else []


def _table_or_less(room: RoomState, at: RoomTable, language: str) -> State:
    """Return the state of a table; less if the kit makes a mistake there.

    So a mistake at one table does not keep the others from the page.
    """
    try:
        return _table(room, at, language)
    except Exception:
        seats = [
            {
                "name": seat_name(seat, language, at.run.match.names),
                "person": at.people.get(seat),
                "strategy": "",
                "here": True,
                "turn": False,
                "stood_in": False,
                "points": at.points[seat],
            }
            for seat in at.game.seats
        ]
        return {
            "table": at.table_id,
            "number": at.number,
            "seats": seats,
            "round": None,
            "paused": True,
            "ending": at.ending,
            "over": at.ended,
            "winners": [],
            "ranks": [],
            "how": "",
            "guessed": {},
            "came": None,
            "moved": [at.run.branch, 0],
            "waited": None,
        }


def _table(room: RoomState, at: RoomTable, language: str) -> State:
    run, lesson = at.run, room.lesson
    round_number = getattr(at.game.observe(run.match.state, None), "round", None)
    came = None
    for outcome in lesson.guess_outcomes.get(at.table_id, [])[-1:]:
        came = {"choice": outcome.came, "guessed": Counter(outcome.guesses.values())}
    return {
        "table": at.table_id,
        "number": at.number,
        "seats": [_seat(room, at, seat, language) for seat in at.game.seats],
        "round": round_number if isinstance(round_number, int) else None,
        "paused": at.is_still,
        "ending": at.ending,
        "over": at.over,
        "winners": list(at.standing.winners) if at.over else [],
        "ranks": list(at.standing.ranks) if at.over else [],
        "how": at.standing.end_words(at.game.name, language) if at.ended else "",
        "guessed": Counter(lesson.guesses.get(at.table_id, {}).values()),
        "came": came,
        # Neither the length of the log nor the time since its last entry: in a race they count
        # secret moves.
        "moved": [run.branch, run.moments[-1].number],
        "waited": None if is_race(run.match) or at.over else int(at.time - at.since),
    }


def _seat(room: RoomState, at: RoomTable, seat: Seat, language: str) -> State:
    person = at.people.get(seat)
    strategy = ""
    if person is None:
        strategy = player_name(at.game.name, at.run.players[seat], language)
    return {
        "name": seat_name(seat, language, at.run.match.names),
        "person": person,
        "strategy": strategy,
        "here": person is None or room.is_here(person),
        "turn": seat in at.to_act,
        "stood_in": seat in at.run.stood_in,
        "points": at.points[seat],
    }


def _last_question(lesson: Lesson, language: str) -> State | None:
    """Return the last question; while it is open only how many have answered is told of it."""
    if not lesson.questions:
        return None
    last = lesson.questions[-1]
    shown = []
    for number, person in lesson.shown_answers:
        asked = lesson.questions[number]
        shown.append(asked.answer_words(asked.answers[person], language))
    shows_spread = lesson.shows_spread and last.can_show_spread
    return {
        "number": last.number,
        "words": last.wording(language),
        "kind": last.form.kind,
        "choices": last.choices(language),
        "open": last.is_open,
        "answers": len(last.given),
        "shown": shown,
        "spread": _spread(last, language) if shows_spread else None,
    }


def _spread(asked: ClassQuestion, language: str) -> State | None:
    """Return how the answers to a question are spread."""
    spread = asked.spread(language)
    return spread and {"people": spread.people, "bars": spread.bars, "middle": spread.middle}


def console_state(room: RoomState, language: str) -> State:
    """Return the console's state: the projector's, and what only a teacher may see."""
    lesson, game = room.lesson, room.lesson.settings.game
    state = projector_state(room, language)
    places = find_people(lesson.class_list, lesson.members)
    for entry in state["people"]:
        person = lesson.people[entry["person"]]
        entry["name"] = person.name
        entry["number"] = person.number
        entry["approved"] = not lesson.waits(person.person_id)
        entry["listed"] = lesson.is_listed(person.person_id)
        entry["wish"] = person.wish
        entry["place"] = places.get(person.person_id)  # in the class list
        entry["stuck"] = person.tries >= TRIES
    presets = [
        {"name": name, **preset_words(game, name, language)} for name in kit_of(game).rules.presets
    ]
    chosen = {"preset": lesson.settings.way_to_play, "size": lesson.settings.table_size}
    groups = lesson.proposed_groups(room.people_here) if lesson.all_over else []
    return state | {
        "settings": vars(lesson.settings) | chosen | {"presets": presets},
        "sizes": kit_of(game).rules.player_counts,
        "groups": groups,
        "class_list": [entry.label for entry in lesson.class_list],
        "grouped": bool(lesson.last_groups),
        "answers": list(_answers(lesson, language)),
        "spread": _spread_so_far(lesson, language),
        "questions": [
            {
                "name": known.name,
                "words": known.words[language],
                "kind": form_of(game, known.name).kind,
            }
            for known in questions(game)
        ],
        "collecting": lesson.collecting,
        "entries": [
            {
                "person": person,
                "name": lesson.people[person].name,
                **submission_state(submission, language),
            }
            for person, submission in lesson.submissions.items()
        ],
        "nameless": lesson.nameless,
        "asked": len(lesson.questions),
        "trouble": room.trouble.sentence(language) if room.trouble else "",
        "notes": [
            {"words": note.error.sentence(language), "count": note.count, "table": note.table}
            for note in room.notes
        ],
    }


def _answers(lesson: Lesson, language: str) -> Iterator[State]:
    for asked in lesson.questions:
        for person, given in asked.given.items():
            yield {
                "question": asked.number,
                "words": asked.wording(language),
                "person": person,
                "text": asked.answer_words(given, language),
                "name": lesson.people[person].name,
                "shown": (asked.number, person) in lesson.shown_answers,
            }


def _spread_so_far(lesson: Lesson, language: str) -> State | None:
    """Return how the answers to the last question are spread, which a teacher alone may see."""
    if not lesson.questions:
        return None
    last = lesson.questions[-1]
    spread = _spread(last, language)
    return spread and spread | {"enough": len(last.values) >= FEWEST}


STATES = {"phone": phones_state, "projector": projector_state, "console": console_state}
"""Makes the state of the room that all pages of a role share."""


def submission_state(submission: Submission, language: str) -> State:
    """Return the state of *submission*, for its person and the teacher."""
    return {
        "strategy": submission.strategy,
        "wrong": submission.wrong.get(language, ""),
        "waits": submission.waits,
    }
