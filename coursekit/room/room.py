"""A room as it runs: its lesson, the pages that are connected, and the messages for them.

It knows no server and no clock. A host hands over messages and the time that goes by, writes what
is :attr:`Room.pending` into the lesson's file, and only then sends what :meth:`Room.collect`
returns.
"""

import logging
import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import count
from random import Random
from typing import Any

from coursekit.core.errors import LocalizedError
from coursekit.core.game import TABLE, Seat
from coursekit.core.page_messages import MessageError
from coursekit.room import page_state
from coursekit.room.class_map import ClassMap
from coursekit.room.event_log import make_writable
from coursekit.room.lesson import Event, Lesson, Submission
from coursekit.room.limits import AWAY
from coursekit.room.notes import Note
from coursekit.room.own_page import page_name
from coursekit.room.page import Page, PendingRequest, Request
from coursekit.room.room_table import Job, RoomTable
from coursekit.words.texts import LANGUAGES, text

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
"""A code is four of them: no I and no O, which look like digits."""
NAMELESS = "?"
"""The name of a strategy that has none."""
MOST_NOTES = 20
"""Notes to the teacher that are kept, the latest ones."""
ANSWERING = 60.0
"""Seconds that a question leaves those at their turn, beside the grace, to think and write."""
COMPLAINTS = 60.0
"""Seconds between two lines of the log about views that one page refuses."""
LONGEST_STEP = 2.0
"""Most seconds that go by at once: a computer that slept does not use up anybody's time."""
MAP_PAUSE = 2.0
"""Seconds between two looks at what all have drawn."""
MAP_ORDERS = ("let", "let_all", "set", "remove")
"""Orders of the teacher after which the projector's map may be another one."""
log = logging.getLogger(__name__)


def new_code() -> str:
    """Return the four letters of a room."""
    return "".join(secrets.choice(LETTERS) for _ in range(4))


class Room:
    """One room.

    :param events: of a lesson that goes on; a new one begins without any.
    :param settings: of a new lesson.
    """

    def __init__(self, events: Iterable[Event] = (), **settings: Any) -> None:
        earlier = list(events)
        self.lesson = Lesson(earlier)
        self.pending: list[Event] = []
        """What has happened and is not in the lesson's file yet."""
        self.count = len(earlier)
        """How many events have happened."""
        self.open = True
        """Whether phones can get in; while they cannot, all tables stand still."""
        self.requests: list[PendingRequest] = []
        """What another process is to make for pages; :meth:`answer_request` takes the answers."""
        self.pages: list[Page] = []
        self.time = 0.0
        """Seconds that the room has been running."""
        self.trouble: LocalizedError | None = None
        """Why nothing can be kept now, part of a sentence; until it can, nothing is answered."""
        self.changed = 0
        """Rises with all that is told to everybody."""
        self.chance = Random()
        self._numbers = count()
        self._cache = page_state.PageCache()
        self.class_map = ClassMap()
        """What the projector shows of the maps that people draw."""
        self._map_changed = True
        self._map_at = -MAP_PAUSE  # when it was made, in the room's time
        self._open_since: dict[int, float] = {}  # by question, in the room's time
        self.notes: list[Note] = []
        """What the teacher should know, the newest last."""
        self.enlarged_table: int | None = None
        """The table that the projector shows large."""
        self.debrief: int | None = None
        """The piece of the debrief that the projector shows, from 0."""
        self.stage = ""
        """Whether the class thinks, talks in pairs or shares now."""
        self.until = 0.0
        """When that is to end, in the room's time."""
        if not self.lesson.code:
            self.do("open", id=secrets.token_hex(8), code=new_code(), **settings)

    def do(self, e: str, **values: Any) -> None:
        """Carry out an event and have it kept.

        :raises LocalizedError: if it cannot be done; then nothing has changed.
        """
        at_table = e in ("act", "want")
        if at_table:  # after a break, clocks and the planned minutes go on from this time
            values["time"] = round(self.lesson.tables[values["table"]].time, 1)
        try:
            event = make_writable({"e": e, **values})
        except ValueError:
            raise MessageError from None
        self.lesson.apply(event)
        self.pending.append(event)
        self.count += 1
        # What a table shows has a count of its own, and so has what people draw.
        self.changed += not (at_table or e == "map")
        self._map_changed |= e == "map"
        if e in MAP_ORDERS:  # seen at once, such as a word that is taken back
            self._renew_map()

    @property
    def mark(self) -> tuple[int, ...]:
        """Is another one as soon as there may be something to tell."""
        return (
            self.changed,
            self.class_map.version,
            *[table.version for table in self.lesson.current_tables],
        )

    def note(self, text_id: str, at: RoomTable | None = None, **values: Any) -> None:
        """Let the teacher know something; what has been noted already is counted.

        :param at: the table that it is about; the text has its number.
        """
        if at is None:
            note = Note(LocalizedError("", text_id, **values))
        else:
            error = LocalizedError("", text_id, table=at.number, **values)
            note = Note(error, at.table_id)
        note.count += sum(earlier.count for earlier in self.notes if earlier.is_like(note))
        others = [earlier for earlier in self.notes if not earlier.is_like(note)]
        self.notes = [*others[1 - MOST_NOTES :], note]
        self.changed += 1

    def forget_notes(self, is_read: Callable[[Note], bool]) -> None:
        """Forget the notes that the teacher has read."""
        self.notes = [note for note in self.notes if not is_read(note)]
        self.changed += 1

    def hold(self) -> None:
        """Let all tables stand still until the teacher goes on.

        So begins a lesson that goes on from its file: its class is not there yet.
        """
        for table in self.lesson.current_tables:
            table.hold(not table.over)
        self.changed += 1

    def go_on(self, number: int | None = None) -> None:
        """Let the table *number*, or all, play that stand still for that reason."""
        for table in self.lesson.current_tables:
            if number in (None, table.table_id):
                table.hold(False)
        self.changed += 1

    @property
    def held(self) -> bool:
        """Whether a table stands still because its class is not there yet."""
        return any(table.held for table in self.lesson.current_tables)

    # Pages come and go

    def connect(self, page: Page) -> None:
        """Let a page in, which knows nothing of this room yet."""
        page.forget()
        page.out.clear()
        page.at_once.clear()
        page.last_sign = self.time
        page.watching = self.enlarged_table if page.role == "projector" else None
        self.pages.append(page)

    def leave(self, page: Page) -> None:
        """Forget a page."""
        with suppress(ValueError):
            self.pages.remove(page)
        self.changed += 1

    def pages_of(self, person: int) -> list[Page]:
        """Return the connected pages of *person*."""
        return [page for page in self.pages if page.person == person and not page.closed]

    def is_here(self, person: int) -> bool:
        """Return whether *person* has given a sign of late."""
        return any(self.time - page.last_sign < AWAY for page in self.pages_of(person))

    @property
    def people_here(self) -> list[int]:
        """The people who have given a sign of late, in the order in which they joined."""
        return [one.person_id for one in self.lesson.members if self.is_here(one.person_id)]

    def turn_away(self, page: Page, text_id: str) -> None:
        """Tell a page that it can do nothing more here, and why."""
        page.say("closed", text=text(text_id, page.language))
        page.closed = True
        page.person = None

    def names_for(self, page: Page) -> tuple[str, ...]:
        """Return the names at the table of the person whose *page* it is."""
        place = self.lesson.table_of(page.person)
        return place[0].run.match.names if place is not None else ()

    def tell_again(self, page: Page) -> None:
        """Tell *page* all anew, which has refused a view that was not its own."""
        if self.time - page.complained > COMPLAINTS:
            page.complained = self.time
            place = self.lesson.table_of(page.person)
            where = "no table" if place is None else f"table {place[0].table_id}, seat {place[1]}"
            refused = "a page has refused a view that was not its own: %s, person %s, %s"
            log.error(refused, page.role, page.person, where)
        page.forget()
        self.changed += 1

    # Strategies that were handed in

    def unchecked_submissions(self) -> dict[int, Submission]:
        """Return the strategies that are still to be checked, by person."""
        submissions = self.lesson.submissions.items()
        return {person: submission for person, submission in submissions if submission.waits}

    def judge(self, person: int, submission: Submission, finding: str | LocalizedError) -> None:
        """Note the name of the strategy in *submission*, or what is wrong with it."""
        verdict: dict[str, Any] = {"strategy": finding or NAMELESS}
        if isinstance(finding, LocalizedError):
            verdict = {"wrong": {language: finding.sentence(language) for language in LANGUAGES}}
        self.do("verdict", person=person, n=submission.n, **verdict)

    # What takes long to make

    def ask(self, page: Page, request: Request, **parts: Any) -> None:
        """Have something made for *page*.

        While it waits for something of that kind, only the newest request is made next.
        """
        pending = page.pending.get(request.what)
        if pending is not None and pending.request == request:
            return
        page.pending[request.what] = PendingRequest(page, request, next(self._numbers), parts)
        if pending is None:
            self.requests.append(page.pending[request.what])

    def _may_ask(self, page: Page, request: Request) -> bool:
        """Return whether what *request* asks for is still the page's own business."""
        if request.what == "own_page":
            return bool(request.values[0] == page.person)
        place = self.lesson.table_of(page.person)
        return place is not None and (place[0].table_id, place[1]) == request.values[:2]

    def answer_request(self, pending: PendingRequest, answer: Any) -> None:
        """Tell a page what was made for it.

        :param answer: a :class:`.LocalizedError` if it cannot be had.
        """
        page = pending.page
        request = pending.request
        newest = page.pending.get(request.what)
        if newest is None:  # it belongs to another lesson by now
            return
        if newest.number != pending.number and self._may_ask(page, newest.request):
            self.requests.append(newest)
        else:
            del page.pending[request.what]
        if page.closed or not self._may_ask(page, request):  # another person may have the seat
            return
        if isinstance(answer, LocalizedError):
            page.refuse(answer, to=pending.parts["to"], names=self.names_for(page))
        elif request.what == "own_page":
            name = page_name(self.lesson, request.values[0], page.language)
            page.say("page", name=name, text=answer)
        else:
            page.say("suggested", **pending.parts, action=answer)

    # Time

    def pass_time(self, seconds: float) -> list[Job]:
        """Let *seconds* go by; return the decisions that strategies are to be asked for."""
        seconds = min(max(0.0, seconds), LONGEST_STEP)
        here = [person for person in self.lesson.people if self.is_here(person)]
        self.time += seconds
        if here != [person for person in self.lesson.people if self.is_here(person)]:
            self.changed += 1
        if self._map_changed and self.time - self._map_at >= MAP_PAUSE:
            self._renew_map()
        jobs: list[Job] = []
        if self.trouble is not None or not self.open:
            return jobs
        if not self.time_runs:
            seconds = 0.0
        for table in self.lesson.current_tables:
            if table.broken and not table.paused:
                self._stop(table)
                continue
            try:
                jobs += self._pass_time_at(table, seconds)
            except Exception:  # a mistake in a game's rules must not stop the other tables
                log.exception("table %s of a room has stopped", table.table_id)
                self._stop(table)
        return jobs

    @property
    def time_runs(self) -> bool:
        """Whether time goes by at tables that are not paused: phones can play, and show a table."""
        shows_table = self.lesson.free or self.lesson.step in ("play", "back")
        return shows_table and self.open and self.trouble is None

    def _renew_map(self) -> None:
        self._map_changed = False
        self._map_at = self.time
        try:
            self.class_map.renew(self.lesson)
        except Exception:  # a mistake in one map must not stop the tables
            log.exception("the maps of a room could not be merged")

    def _pass_time_at(self, table: RoomTable, seconds: float) -> Iterator[Job]:
        for seat in self._busy_seats(table):
            table.excuse(seat)
        table.pass_time(seconds, self.lesson.settings.grace)
        action = table.due_action
        if action is not None:
            self._do_for(table, TABLE, action)
        return table.jobs()

    def _stop(self, table: RoomTable) -> None:
        """Let a table stand still in which the kit has made a mistake, and tell the teacher."""
        table.broken = True
        self.do("pause", on=True, table=table.table_id)
        self.note("room.table_broken", at=table)

    def _busy_seats(self, table: RoomTable) -> list[Seat]:
        """Return the seats whose people see no table, or have a new question to answer."""
        if not self.time_runs:
            return list(table.people)
        unanswered: set[int] = set()
        for question in self.lesson.open_questions:
            since = self._open_since.setdefault(question.number, self.time)
            if self.time - since < ANSWERING:
                unanswered |= self.lesson.people.keys() - question.answers.keys()
        return [
            seat
            for seat, person in table.people.items()
            if person in unanswered and self.is_here(person)
        ]

    def accept_decision(self, job: Job, action: Any) -> None:
        """Carry out what a strategy has decided."""
        table = self.lesson.tables.get(job.table)
        if table is None:
            return
        try:
            action = table.accept(job, action)
            if action is not None:
                self._do_for(table, job.seat, action)
        except Exception:  # a mistake in a game's rules must not stop the other tables
            log.exception("table %s of a room has stopped", table.table_id)
            self._stop(table)

    def _do_for(self, table: RoomTable, seat: Seat, action: Any) -> None:
        with suppress(LocalizedError):  # it has become illegal meanwhile: it is asked for again
            self.do("act", table=table.table_id, seat=seat, action=action)

    # Messages for the pages

    def collect(self) -> Iterator[tuple[Page, list[dict[str, Any]]]]:
        """Yield the messages for each page that leave once all that is pending is in the file."""
        for page in list(self.pages):
            out = self.news(page)
            if out:
                yield page, out

    def news(self, page: Page) -> list[dict[str, Any]]:
        """Return the messages that *page* gets once :attr:`count` events are in the file."""
        out, page.out = page.out, []
        if not page.welcome or page.closed:
            return out
        try:
            for message in page_state.news(self, page, self._cache):
                out.append(message)  # so that what comes before a mistake is told
            page.failed = False
        except Exception:  # a mistake in what one page is told must not keep it from the others
            if not page.failed:
                failure = "a room could not tell a page what is new: %s, person %s"
                log.exception(failure, page.role, page.person)
                page.refuse(MessageError("room.mistake"))
                out += page.out
                page.out = []
            page.failed = True
            page.view = page.table = None  # it may show half of the new and half of the old
            page.table_marks = ()
            page.boards = {}
        return out
