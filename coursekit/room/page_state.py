"""What the pages of a room are told: the state of the lesson, and the tables they may see."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from coursekit.core.errors import LocalizedError
from coursekit.core.match import is_race
from coursekit.journal.anonymise import anonymise_record
from coursekit.journal.entries import Answer, MatchEntry
from coursekit.kit import kit_of
from coursekit.kit.scene import Look
from coursekit.reflect import handin_page
from coursekit.reflect.journal_export import GameEntries
from coursekit.reflect.questions import Question, question, questions
from coursekit.room.lesson import ClassQuestion, Lesson, Submission
from coursekit.room.page import Page
from coursekit.room.people import TRIES
from coursekit.room.room_table import RoomTable
from coursekit.room.seating import SIZE
from coursekit.table.players import player_name
from coursekit.table.static_files import zone_styles
from coursekit.table.view import View, handbook
from coursekit.words.texts import game_text, load_texts, seat_name, text

UI = "ui."
KEPT = 32
"""Views and states of the room that are kept to be shared."""
Status = dict[str, Any]


class RoomState(Protocol):
    """A room, as far as pages are told of it; see :class:`.Room`."""

    lesson: Lesson
    changed: int
    trouble: LocalizedError | None
    notes: list[LocalizedError]
    watched: int | None
    stage: str
    until: float
    time: float

    def here(self, person: int) -> bool:
        """Return whether *person* has given a sign of late."""


class PageCache:
    """What is made once for all pages that are told the same: each is kept under all that it was
    made of.
    """

    def __init__(self) -> None:
        self._views: dict[tuple[Any, ...], dict[str, Any]] = {}
        self._statuses: dict[tuple[Any, ...], Status] = {}

    def onlookers(self, at: RoomTable, view: View, language: str) -> dict[str, Any]:
        """Return what those who watch *at* see."""
        moments = tuple(moment.entry for moment in view.moments)
        made_of = (at.id, at.run.branch, at.version, int(at.time), language, view.back, moments)
        if made_of not in self._views:
            _make_room(self._views)
            self._views[made_of] = at.shown(view, language)
        return self._views[made_of]

    def status(self, room: RoomState, role: str, language: str) -> Status:
        """Return the part of the room's state that all pages of *role* are told alike."""
        made_of = (
            role,
            language,
            int(room.time),
            room.changed,
            *[table.version for table in room.lesson.playing],
        )
        if made_of not in self._statuses:
            make = {"phone": phones_state, "projector": projector_state, "console": console_state}[role]
            _make_room(self._statuses)
            self._statuses[made_of] = make(room, language)
        return self._statuses[made_of]


def _make_room(kept: dict[Any, Any]) -> None:
    """Forget what has been *kept* for longest, so that one more finds a place."""
    while len(kept) >= KEPT:
        del kept[next(iter(kept))]


def news(room: RoomState, page: Page, shared: PageCache) -> Iterator[Status]:
    """Yield what *page* has to be told now: first the state of the room, by which it knows what is
    its own.
    """
    playing = room.lesson.playing
    if page.role != "phone":
        tables: tuple[Any, ...] = tuple(table.version for table in playing)
    else:  # a person who sits is told of other tables only that they are over
        watched = [table.version for table in playing if table.id == page.watching]
        tables = (*[table.over for table in playing], *watched)
    marks = (room.changed, page.person, page.watching, page.language, tables)
    if page.marks != marks:
        status = shared.status(room, page.role, page.language)
        if page.role == "phone":
            status = status | person_state(room, page)
        page.marks = marks
        if status != page.told:
            page.told = status
            yield {"type": "room", **status}
    if page.role == "projector":
        yield from _moments(room.lesson, page)
    yield from _at_table(room, page, shared)


def _moments(lesson: Lesson, page: Page) -> list[dict[str, Any]]:
    """Return the moments of tables that the projector shows side by side, if they are others than
    before.
    """
    wanted = (
        page.language,
        *[(*each, lesson.tables[each[0]].run.match.names) for each in lesson.moments],
    )
    if wanted == page.moments:
        return []
    page.moments, found = wanted, []
    for number, entry in lesson.moments:
        at = lesson.tables[number]
        view = View(at.run, None)
        view.show(entry)
        found.append(
            {**table_setting(at, page.language), "view": at.shown(view, page.language) | {"notice": ""}}
        )
    return [{"type": "moments", "moments": found}]


def _at_table(room: RoomState, page: Page, shared: PageCache) -> list[dict[str, Any]]:
    lesson = room.lesson
    place = lesson.table_of(page.person) if page.person is not None else None
    watched = [each for each in lesson.playing if each.id == page.watching]
    if place is None and watched:
        place = watched[0], None  # type: ignore[assignment]
    if place is None:
        page.table = page.view = page.step = None
        page.seen = ()
        return []
    at, seat = place
    if page.table is at and page.seen[:1] == (at.version,):
        return []
    out = []
    dress = (at.game.name, page.language)
    if page.dressed != dress or page.table is not at:
        page.dressed = dress
        out.append({"type": "table", **table_setting(at, page.language)})
    view, step = page.view, page.step
    page.step = None
    if view is None or page.table is not at or view.seat != seat:
        view = page.view = View(at.run, seat)
        page.table, fresh = at, True
    elif step is not None and at.over:
        fresh = True
        view.look_back(min(step, len(at.run.match.log)))
    else:
        fresh = view.back or view.advance()
    told = (
        at.run.branch,
        at.still or at.over,
        at.notice(seat, page.language),
        frozenset(at.run.stood_in),
        at.run.match.names,
        page.language,
    )
    if fresh or page.seen[1:] != told:
        content = (
            shared.onlookers(at, view, page.language)
            if seat is None
            else at.shown(view, page.language)
        )
        out.append({"type": "view", "view": content})
    page.seen = (at.version, *told)
    return out


def table_setting(at: RoomTable, language: str) -> dict[str, Any]:
    """Return what a table's page needs beside views: words, and pages about its cards."""
    texts = {**load_texts(), **load_texts(at.game.name)}
    words = {id[len(UI) :]: each[language] for id, each in texts.items() if id.startswith(UI)}
    kit = kit_of(at.game)
    return {
        "table": at.id,
        "game": kit.name,
        "words": words,
        "handbook": handbook(at.game, language),
        "zone_css": zone_styles(kit),
    }


# For phones


def phones_state(room: RoomState, language: str) -> Status:
    """Return what every phone is told."""
    lesson = room.lesson
    return {
        "code": lesson.code,
        "game": lesson.settings.game,
        "title": game_text(lesson.settings.game, "title", language),
        "step": lesson.step,
        "free": lesson.free,
        "message": lesson.message,
        "ended": lesson.ended,
        "people": sum(not each.left for each in lesson.people.values()),
        "playing": bool(lesson.playing),
        "question": open_question(lesson, language),
        "collecting": lesson.collecting,
        "tables": [
            {"table": each.id, "label": who_plays(each, language)} for each in lesson.playing
        ],
    }


def person_state(room: RoomState, page: Page) -> Status:
    """Return what a phone is told of its own person."""
    lesson = room.lesson
    if page.person is None:
        return {
            "you": None,
            "place": None,
            "watching": None,
            "answered": "",
            "guess": None,
            "came": "",
            "entry": None,
        }
    place, open_ = lesson.table_of(page.person), [each for each in lesson.questions if each.open]
    watched = next(
        (each for each in lesson.playing if each.id == page.watching and place is None), None
    )
    guess = guess_offer(watched, page.language) if watched is not None else None
    if guess is not None and watched is not None:
        guess = guess | {"chosen": lesson.guesses.get(watched.id, {}).get(page.person, "")}
    return {
        "you": lesson.people[page.person].name,
        "place": {"table": place[0].id, "seat": place[1], "over": place[0].over} if place else None,
        "watching": watched.id if watched is not None else None,
        "entry": submission_state(lesson.entries[page.person], page.language)
        if page.person in lesson.entries
        else None,
        "answered": open_[-1].answers.get(page.person, "") if open_ else "",
        "guess": guess,
        "came": guess_outcome(lesson, watched, page.person, page.language) if watched is not None else "",
    }


def who_plays(at: RoomTable, language: str) -> str:
    """Return the names of the people at a table."""
    return "、".join(seat_name(seat, language, at.run.match.names) for seat in at.people)


def open_question(lesson: Lesson, language: str) -> Mapping[str, Any] | None:
    """Return the question that is open."""
    open_ = [each for each in lesson.questions if each.open]
    return {"number": open_[-1].number, "words": question_words(open_[-1], language)} if open_ else None


def question_words(asked: ClassQuestion, language: str) -> str:
    """Return what was asked."""
    return asked.words if asked.own else question(asked.game, asked.words).words[language]


def guess_offer(at: RoomTable, language: str) -> dict[str, Any] | None:
    """Return what those who watch may guess now: who it is about, and the choices; ``None`` if
    nothing.
    """
    if (found := at.guess) is None:
        return None
    who, what = (
        seat_name(found.seat, language, at.run.match.names),
        game_text(at.game, found.kind.what, language),
    )
    words = text("room.guess", language, who=who, what=what)
    return {"table": at.id, "words": words, "choices": list(found.choices)}


def guess_outcome(lesson: Lesson, at: RoomTable, person: int, language: str) -> str:
    """Return how the last guess of *person* at a table came out, "" if there is none."""
    last = lesson.guessed.get(at.id, [])[-1:]
    mine = [each.guesses[person] for each in last if person in each.guesses]
    if not mine:
        return ""
    right = "right" if mine[0] == last[0].came else "wrong"
    return text(f"room.guess_{right}", language, came=last[0].came, guess=mine[0])


def own_page(lesson: Lesson, person: int, language: str) -> str:
    """Return what *person* has written and played as a page to keep."""
    game, mine = lesson.settings.game, list[tuple[Question | None, Answer]]()
    for asked in lesson.questions:
        if person in asked.answers:
            known = None if asked.own or asked.game != game else question(game, asked.words)
            mine.append((known, Answer(asked.answers[person], "", question_words(asked, language))))
    played = [at for at in lesson.tables.values() if at.seat_of(person) is not None and at.over]
    matches = [
        MatchEntry(
            f"{lesson.id}-{at.id}",
            game,
            anonymise_record(at.run.match.record().dumps()),
            "",
            True,
            tuple(at.people),
        )
        for at in played
    ]
    return handin_page.page(
        [GameEntries(game, mine, len(questions(game)), {}, {}, matches)],
        language,
        lesson.people[person].name,
    )


# For the projector and the teacher


def projector_state(room: RoomState, language: str) -> Status:
    """Return what the projector shows: no hand, no seed, no number of a seat."""
    lesson = room.lesson
    everybody = [each for each in lesson.people.values() if not each.left]
    seated = {who for at in lesson.playing for who in at.people.values()}
    return {
        "code": lesson.code,
        "title": game_text(lesson.settings.game, "title", language),
        "game": lesson.settings.game,
        "step": lesson.step,
        "free": lesson.free,
        "message": lesson.message,
        "locked": lesson.locked,
        "ended": lesson.ended,
        "minutes": lesson.settings.minutes,
        "extra": lesson.extra,
        "played": int(max((each.time for each in lesson.playing), default=0)),
        "watched": room.watched,
        "people": [
            {
                "person": each.id,
                "name": lesson.name(each.id, language),
                "here": room.here(each.id),
                "seated": each.id in seated,
            }
            for each in everybody
        ],
        "tables": [_table_or_less(room, each, language) for each in lesson.playing],
        "question": _question(lesson, language),
        "moments": lesson.moments,
        "stage": {"name": room.stage, "left": max(0, round(room.until - room.time))}
        if room.stage
        else None,
        "rules": _rules(room, language),
    }


def _rules(room: RoomState, language: str) -> list[str]:
    """Return the rules in short as the table that is watched plays them, else one that plays or is
    to come.
    """
    lesson, kit = room.lesson, kit_of(room.lesson.settings.game)
    at = (
        lesson.tables.get(room.watched)
        if room.watched is not None
        else next(iter(lesson.playing), None)
    )
    usual = min(kit.rules.player_counts, key=lambda count: abs(count - SIZE))
    game = at.game if at is not None else lesson.settings.rules(usual)
    return kit.guide.told(Look(game, language)) if kit.guide is not None else []


def _table_or_less(room: RoomState, at: RoomTable, language: str) -> Status:
    """Return what is told of a table, of one in which the kit makes mistakes less: the others must
    be seen.
    """
    try:
        return _table(room, at, language)
    except Exception:
        seats = [
            {
                "name": seat_name(seat, language, at.run.match.names),
                "person": at.people.get(seat),
                "here": True,
                "turn": False,
                "stood_in": False,
                "points": at.points[seat],
            }
            for seat in at.game.seats
        ]
        return {
            "table": at.id,
            "seats": seats,
            "round": None,
            "paused": True,
            "ending": at.ending,
            "over": at.ended,
            "winners": [],
            "guessed": {},
            "came": None,
            "moved": [at.run.branch, 0],
            "waited": 0,
        }


def _table(room: RoomState, at: RoomTable, language: str) -> Status:
    run = at.run
    seen = at.game.observe(run.match.state, None)
    by = [player_name(at.game.name, player, language) for player in run.players]
    seats = [
        {
            "name": seat_name(seat, language, run.match.names)
            if isinstance(who, int)
            else by[seat],
            "person": who if isinstance(who, int) else None,
            "here": room.here(who) if isinstance(who, int) else True,
            "turn": seat in at.waiting,
            "stood_in": seat in run.stood_in,
            "points": at.points[seat],
        }
        for seat, who in enumerate(at.seats)
    ]
    round_ = getattr(seen, "round", None)
    winners = [] if not at.over else list(at.game.winners(run.match.state))
    last = room.lesson.guessed.get(at.id, [])[-1:]
    return {
        "table": at.id,
        "seats": seats,
        "round": round_ if isinstance(round_, int) else None,
        "paused": at.still,
        "ending": at.ending,
        "over": at.over,
        "winners": winners,
        "guessed": Counter(room.lesson.guesses.get(at.id, {}).values()),
        "came": {"choice": last[0].came, "guessed": Counter(last[0].guesses.values())}
        if last
        else None,
        # Neither the length of the log nor the time since its last entry: in a race they count
        # secret moves.
        "moved": [run.branch, run.moments[-1].number],
        "waited": 0 if is_race(run.match) else int(at.time - at.since),
    }


def _question(lesson: Lesson, language: str) -> Status | None:
    if not lesson.questions:
        return None
    last = lesson.questions[-1]
    shown = [lesson.questions[number].answers.get(person, "") for number, person in lesson.shown]
    return {
        "number": last.number,
        "words": question_words(last, language),
        "open": last.open,
        "answers": sum(bool(each.strip()) for each in last.answers.values()),
        "shown": shown,
    }


def console_state(room: RoomState, language: str) -> Status:
    """Return what the teacher is told: as the projector, and what only a teacher may see."""
    lesson, kit = room.lesson, kit_of(room.lesson.settings.game)
    found = projector_state(room, language)
    numbers = {each.id: each.number for each in lesson.people.values()}
    for each in found["people"]:
        who = lesson.people[each["person"]]
        each |= {
            "name": who.name,
            "number": numbers[who.id],
            "approved": who.approved,
            "stuck": who.tries >= TRIES,
        }
    answers = [
        {
            "question": asked.number,
            "words": question_words(asked, language),
            "person": person,
            "text": words,
            "name": lesson.people[person].name,
            "shown": (asked.number, person) in lesson.shown,
        }
        for asked in lesson.questions
        for person, words in asked.answers.items()
        if words.strip()
    ]
    presets = [
        {"name": name}
        | {
            part: game_text(kit.name, f"preset.{name}.{part}", language)
            for part in ("label", "help")
        }
        for name in kit.rules.presets
    ]
    return found | {
        "settings": vars(lesson.settings) | {"presets": presets},
        "answers": answers,
        "questions": [
            {"name": each.name, "words": each.words[language]} for each in questions(kit.name)
        ],
        "collecting": lesson.collecting,
        "entries": [
            {"person": person, "name": lesson.people[person].name, **submission_state(entry, language)}
            for person, entry in lesson.entries.items()
        ],
        "nameless": lesson.nameless,
        "asked": len(lesson.questions),
        "trouble": room.trouble.sentence(language) if room.trouble else "",
        "notes": [each.sentence(language) for each in room.notes],
    }


def submission_state(entry: Submission, language: str) -> Status:
    """Return what whoever has handed in *entry* is told of it, and the teacher."""
    return {
        "strategy": entry.strategy,
        "wrong": entry.wrong.get(language, ""),
        "waits": entry.waits,
    }


def debrief_page(lesson: Lesson, language: str) -> str:
    """Return the class's debrief from all tables, without names, as a page.

    :raises ValueError: while a table plays: it would tell every hand.
    """
    from coursekit.kit.debrief_moment import Played
    from coursekit.reflect.debrief_cell import anonymise_match, find_moments
    from coursekit.reflect.debrief_page import page as sheet

    if not lesson.all_over:
        raise ValueError("the debrief tells every hand, and tables are still playing")
    game = lesson.settings.game
    tables = [at for at in lesson.tables.values() if at.game.name == game]
    played = [Played(anonymise_match(at.run.match, language), tuple(at.people)) for at in tables]
    found = find_moments(game, played, language)
    words = {
        f"{part}.{what}": text(f"debrief.{part}.{what}", language)
        for part in ("feel", "now")
        for what in ("title", "ask")
    }
    about = text(
        "room.debrief_about",
        language,
        tables=len(tables),
        people=sum(len(at.people) for at in tables),
    )
    came = [each for at in tables for each in lesson.guessed.get(at.id, ())]
    if came:
        right = sum(guess == each.came for each in came for guess in each.guesses.values())
        guesses = sum(len(each.guesses) for each in came)
        about += " " + text("room.debrief_guesses", language, right=right, all=guesses)
    return sheet(game_text(game, "title", language), about, found, language, words)
