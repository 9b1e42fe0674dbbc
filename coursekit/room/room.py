"""A room as it runs: pages that are connected, what they ask for, and what they are told.

It knows no server and no clock. Whoever runs it hands over messages and the time that goes by,
writes what is :attr:`Room.pending` into the lesson's file, and only then sends what
:meth:`Room.collect` returns.
"""

import logging
import secrets
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict
from itertools import count
from random import Random
from typing import Any

from coursekit.core.errors import LocalizedError
from coursekit.core.game import TABLE, Seat
from coursekit.core.observation_json import pack_observation
from coursekit.core.options import to_tuples
from coursekit.room import analysis_requests, page_state
from coursekit.room.event_log import make_writable
from coursekit.room.lesson import Event, Lesson, Submission
from coursekit.room.names import check_name, has_listed_word, normalise_name, propose_name
from coursekit.room.page import Page, PendingRequest, Request
from coursekit.room.people import TRIES, hash_key, new_key, new_number
from coursekit.room.phone_messages import AWAY, COUNTED, LETTERS, LONGEST_ANSWER, RoomError
from coursekit.room.room_table import Job, RoomTable
from coursekit.table.run import StaleError
from coursekit.words.texts import LANGUAGES

LONGEST_MESSAGE = 200
NAMELESS = "?"
"""The name of a strategy that has none."""
MOST_NOTES = 20
"""Notes to the teacher that are kept, the latest ones."""
ANSWERING = 60.0
"""Seconds that a question leaves those at their turn, beside the grace, to think and write."""
COMPLAINTS = 60.0
"""Seconds between two lines of the log about views that one page refuses."""
log = logging.getLogger(__name__)
LONGEST_STEP = 2.0
"""Most seconds that go by at once: a computer that slept does not use up anybody's time."""


def new_code() -> str:
    """Return the four letters of a room."""
    return "".join(secrets.choice(LETTERS) for _ in range(4))


class Room:
    """One room.

    :param events: of a lesson that goes on; a new one begins without any.
    :param settings: of a new lesson.
    """

    def __init__(self, events: Iterable[Event] = (), **settings: Any) -> None:
        past = list(events)
        self.lesson = Lesson(past)
        self.pending: list[Event] = []
        """What has happened and is not in the lesson's file yet."""
        self.count = len(past)
        """How many events have happened."""
        self.open = True
        """Whether phones can get in; while they cannot, all tables stand still."""
        self.asked: list[PendingRequest] = []
        """What is to be made for pages by another process; :meth:`answer` takes it."""
        self.pages: list[Page] = []
        self.time = 0.0
        """Seconds that the room has been running."""
        self.trouble: LocalizedError | None = None
        """Why nothing can be kept now, as a part of a sentence; until it can, nothing is answered."""
        self.changed = 0
        """Rises with all that is told to everybody."""
        self.chance = Random()
        self._numbers = count()
        self._shared = page_state.PageCache()
        self._open_since: dict[int, float] = {}  # by question, in the room's time
        self.notes: list[LocalizedError] = []
        """What the teacher should know."""
        self.watched: int | None = None
        """The table that is enlarged on the projector."""
        self.stage, self.until = "", 0.0
        """Whether the class thinks, talks in pairs or shares now, and when that is to end in the
        room's time.
        """
        if not self.lesson.code:
            self.do("open", id=secrets.token_hex(8), code=new_code(), **settings)

    def do(self, e: str, **values: Any) -> None:
        """Carry out an event and have it kept.

        :raises LocalizedError: if it cannot be done; then nothing has changed.
        """
        if e in (
            "act",
            "want",
        ):  # so that what runs down, and the planned minutes, go on from here after a break
            values["time"] = round(self.lesson.tables[values["table"]].time, 1)
        try:
            event = make_writable({"e": e, **values})
        except ValueError:
            raise RoomError("room.no_message") from None
        self.lesson.apply(event)
        self.pending.append(event)
        self.count += 1
        self.changed += e not in ("act", "want")  # what a table shows has a count of its own

    @property
    def mark(self) -> tuple[int, ...]:
        """Is another one as soon as there may be something to tell."""
        return (self.changed, *[table.version for table in self.lesson.playing])

    def note(self, text: str, **values: Any) -> None:
        """Let the teacher know something."""
        self.notes = [*self.notes[1 - MOST_NOTES :], LocalizedError("", text, **values)]
        self.changed += 1

    def hold(self) -> None:
        """Let all tables stand still until the teacher goes on.

        So begins a lesson that goes on from its file: its class is not there yet.
        """
        for table in self.lesson.playing:
            table.hold(not table.over)
        self.changed += 1

    def go_on(self, number: int | None = None) -> None:
        """Let the table *number*, or all, play that stand still for that reason."""
        for table in self.lesson.playing:
            if number in (None, table.id):
                table.hold(False)
        self.changed += 1

    @property
    def held(self) -> bool:
        """Whether a table stands still because its class is not there yet."""
        return any(table.held for table in self.lesson.playing)

    # Pages come and go

    def connect(self, page: Page) -> None:
        """Let a page in, which knows nothing of this room yet."""
        page.forget()
        page.out.clear()
        page.at_once.clear()
        page.heard = self.time
        page.watching = self.watched if page.role == "projector" else None
        self.pages.append(page)

    def leave(self, page: Page) -> None:
        """Forget a page."""
        with suppress(ValueError):
            self.pages.remove(page)
        self.changed += 1

    def pages_of(self, person: int) -> list[Page]:
        """Return the connected pages of *person*."""
        return [each for each in self.pages if each.person == person and not each.closed]

    def here(self, person: int) -> bool:
        """Return whether *person* has given a sign of late."""
        return any(self.time - each.heard < AWAY for each in self.pages_of(person))

    def turn_away(self, page: Page, words: str) -> None:
        """Tell a page that it can do nothing more here, and why: the text *words*."""
        page.say("closed", text=RoomError(words).sentence(page.language))
        page.closed, page.person = True, None

    # What phones send

    def hear(self, page: Page, message: dict[str, Any]) -> None:
        """Do what a phone's *message*, read by :func:`.phone_messages.read`, asks for.

        What cannot be done is answered with a sentence.
        """
        if page.closed:
            return
        if page.person is not None and not self.here(page.person):
            self.changed += 1
        page.heard = self.time
        n = message.get("n") if message["type"] in COUNTED else None
        try:
            person = page.person
            if (
                message["type"] not in ("hello", "join", "take", "language", "ping")
                and person is None
            ):
                raise RoomError("room.not_joined")
            if n is not None and person is not None and self._answered(person, n):
                page.say("done", n=n)
                return
            getattr(self, f"_hear_{message['type']}")(page, message)
        except LocalizedError as error:
            page.say(
                "refused",
                n=n,
                to=message.get("from"),
                text=error.sentence(page.language, self._names(page)),
            )

    def _answered(self, person: int, n: int) -> bool:
        return self.lesson.people[person].answered(n)

    def _names(self, page: Page) -> tuple[str, ...]:
        place = self.lesson.table_of(page.person) if page.person is not None else None
        return place[0].run.match.names if place else ()

    def _hear_ping(self, page: Page, message: dict[str, Any]) -> None:
        if (
            message.get("touched") is True
            and page.person is not None
            and (place := self._place(page))
        ):
            place[0].heard(place[1])
        wait = (
            {"trouble": RoomError("room.not_kept").sentence(page.language)}
            if self.trouble is not None
            else {}
        )
        page.at_once.append({"type": "pong", **wait})

    def _hear_language(self, page: Page, message: dict[str, Any]) -> None:
        if message["language"] in LANGUAGES:
            page.language, page.seen = message["language"], ()

    def _hear_hello(self, page: Page, message: dict[str, Any]) -> None:
        self._hear_language(page, {"language": message.get("language")})
        if message["code"].upper() != self.lesson.code:
            page.tries += 1
            if page.tries >= TRIES:
                self.turn_away(page, "room.wrong_code")
                return
            raise RoomError("room.wrong_code")
        page.welcome = True
        key = message.get("key")
        if isinstance(key, str):
            found = [
                each for each in self.lesson.people.values() if each.holds(key) and not each.left
            ]
            if found:
                self._seat_page(page, found[0].id)
                return
        taken = [each.name for each in self.lesson.people.values()]
        back = bool(self._present) and not any(
            map(self.here, self._present)
        )  # the room may have another address now
        name = propose_name(taken, self.chance, page.language)
        page.say("propose", name=name, locked=self.lesson.locked, back=back)

    def _seat_page(self, page: Page, person: int, key: str | None = None) -> None:
        """Let *page* be the page of *person*; an older one is told that it no longer is."""
        pages = self.pages_of(person)
        for other in pages:
            if other is not page:
                self.turn_away(other, "room.moved")
        page.person, page.watching, page.seen = person, None, ()
        who = self.lesson.people[person]
        newest = max(who.done, default=0)
        page.say(
            "welcome",
            person=person,
            name=who.name,
            number=who.number,
            n=newest,
            **({"key": key} if key else {}),
        )
        self.changed += 1

    def _hear_join(self, page: Page, message: dict[str, Any]) -> None:
        lesson = self.lesson
        if not page.welcome:
            raise RoomError("room.wrong_code")
        if page.person is not None:
            raise RoomError("room.joined_already")
        if lesson.locked or lesson.ended:
            raise RoomError("room.locked")
        if len(self._present) >= CAPACITY:
            raise RoomError("room.full", allowed=CAPACITY)
        taken = [each.name for each in lesson.people.values() if not each.left]
        name = check_name(message["name"], taken)
        person, key = len(lesson.people) + 1, new_key()
        approved = not has_listed_word(name, lesson.settings.words.split())
        self.do(
            "join",
            person=person,
            name=name,
            key=hash_key(key),
            number=new_number(),
            approved=approved,
        )
        self._seat_page(page, person, key)

    @property
    def _present(self) -> list[int]:
        return [each.id for each in self.lesson.people.values() if not each.left]

    def _hear_take(self, page: Page, message: dict[str, Any]) -> None:
        """Let a person come back on another device, by name and number."""
        if not page.welcome:
            raise RoomError("room.wrong_code")
        if page.person is not None:
            raise RoomError("room.joined_already")
        name = normalise_name(message["name"])
        named = [
            each for each in self.lesson.people.values() if each.name == name and not each.left
        ]
        if not named or not named[0].fits(message["number"].strip()):
            self.changed += 1  # the teacher sees who is stuck
            raise RoomError("room.wrong_number")
        key = new_key()
        self.do("key", person=named[0].id, key=hash_key(key))
        self._seat_page(page, named[0].id, key)

    def _place(self, page: Page) -> tuple[RoomTable, Seat] | None:
        return None if page.person is None else self.lesson.table_of(page.person)

    def _at_table(self, page: Page, message: dict[str, Any]) -> tuple[RoomTable, Seat]:
        """Return the table and seat that *message* is about.

        :raises StaleError: if the person does not sit there, or the scene is an old one.
        """
        place = self._place(page)
        if (
            place is None
            or place[0].id != message["table"]
            or message["seat"] not in (place[1], TABLE)
        ):
            raise StaleError("table.stale")
        acted = message["acted"] if message["type"] == "act" else None
        place[0].check(place[1], message["match"], message["branch"], acted)
        return place

    def _hear_act(self, page: Page, message: dict[str, Any]) -> None:
        table, seat = self._at_table(page, message)
        table.heard(seat)
        person, n, action = page.person, message["n"], to_tuples(message.get("action"))
        if message["seat"] != TABLE:
            self.do("act", table=table.id, seat=seat, action=action, person=person, n=n)
        else:
            table.must_allow(action)
            self.do("want", table=table.id, seat=seat, person=person, n=n)
            present = {
                each
                for each, who in table.people.items()
                if self.here(who) and each not in table.run.stood_in
            }
            if present <= set(table.ready):
                self.do("act", table=table.id, seat=TABLE, action=action, person=person)
        page.say("done", n=n)

    def _hear_try(self, page: Page, message: dict[str, Any]) -> None:
        table, _ = self._at_table(page, message)
        answer = table.attempt(message["seat"], message.get("action"), page.language)
        page.say("tried", n=message["n"], to=message.get("from"), **answer)

    def _hear_suggest(self, page: Page, message: dict[str, Any]) -> None:
        table, seat = self._at_table(page, message)
        if isinstance(message.get("about"), dict):
            raise RoomError("room.no_message")
        request = analysis_requests.suggestion(table.id, seat, message["n"], message.get("about"))
        self._ask(page, request, n=message["n"], to=message.get("from"))

    def _hear_step(self, page: Page, message: dict[str, Any]) -> None:
        """Look back at an earlier moment of a match that is over, on this page alone."""
        if page.view is None:
            raise StaleError("room.no_table")
        page.view.run.must_have(message["entry"])
        page.step, page.seen = (
            message["entry"],
            (),
        )  # drawn when the page can take it: of several steps, the last

    def _hear_now(self, page: Page, message: dict[str, Any]) -> None:
        if page.view is not None:
            page.view.catch_up()
            page.step, page.seen = None, ()

    def _hear_again(self, page: Page, message: dict[str, Any]) -> None:
        self.tell_again(page)

    def tell_again(self, page: Page) -> None:
        """Tell *page* all anew, which has refused a view that was not its own."""
        if self.time - page.complained > COMPLAINTS:
            page.complained = self.time
            place = self._place(page)
            where = "no table" if place is None else f"table {place[0].id}, seat {place[1]}"
            log.error(
                "a page has refused a view that was not its own: %s, person %s, %s",
                page.role,
                page.person,
                where,
            )
        page.forget()
        self.changed += 1

    def _hear_observe(self, page: Page, message: dict[str, Any]) -> None:
        if (place := self._place(page)) is None:
            raise StaleError("room.no_seat")
        table, seat = place
        seen = table.game.observe(table.run.match.state, seat)
        rules = {
            "game": table.game.name,
            "players": table.game.players,
            "options": asdict(table.game.options),
        }
        page.say("observation", **rules, **pack_observation(seen))

    def _hear_watch(self, page: Page, message: dict[str, Any]) -> None:
        if message["table"] not in [table.id for table in self.lesson.playing]:
            raise StaleError("room.no_table")
        page.watching = message["table"]

    def _hear_guess(self, page: Page, message: dict[str, Any]) -> None:
        table = self.lesson.tables.get(message["table"])
        choices = (
            page_state.guess_offer(table, page.language)
            if table is not None and self._place(page) is None
            else None
        )
        if table is None or choices is None or message["choice"] not in choices["choices"]:
            raise StaleError("room.no_guess")
        self.do(
            "guess", table=table.id, person=page.person, choice=message["choice"], n=message["n"]
        )
        page.say("done", n=message["n"])

    def _hear_answer(self, page: Page, message: dict[str, Any]) -> None:
        asked = self.lesson.questions
        number = message["question"]
        if not 0 <= number < len(asked) or not asked[number].open:
            raise RoomError("room.question_closed")
        if len(message["text"]) > LONGEST_ANSWER:
            raise RoomError("room.answer_long", got=len(message["text"]), allowed=LONGEST_ANSWER)
        self.do("answer", question=number, person=page.person, text=message["text"], n=message["n"])
        page.say("done", n=message["n"])

    def _hear_entry(self, page: Page, message: dict[str, Any]) -> None:
        """Take a strategy for a league; whoever runs the room has it checked, in a process of its
        own.
        """
        if not self.lesson.collecting:
            raise RoomError("room.not_collecting")
        if not message["source"].strip():
            raise RoomError("room.entry_empty")
        self.do("entry", person=page.person, source=message["source"], n=message["n"])
        page.say("done", n=message["n"])

    def unchecked(self) -> dict[int, Submission]:
        """Return the strategies that are still to be checked, by person."""
        return {person: entry for person, entry in self.lesson.entries.items() if entry.waits}

    def check(self, person: int, entry: Submission, found: str | LocalizedError) -> None:
        """Note the name of the strategy in *entry*, or what is wrong with it."""
        if isinstance(found, LocalizedError):
            self.do(
                "verdict",
                person=person,
                n=entry.n,
                wrong={each: found.sentence(each) for each in LANGUAGES},
            )
        else:
            self.do("verdict", person=person, n=entry.n, strategy=found or NAMELESS)

    def _hear_mine(self, page: Page, message: dict[str, Any]) -> None:
        assert page.person is not None
        self._ask(page, analysis_requests.own_page(page.person, page.language))

    # What takes long to make

    def _ask(self, page: Page, request: Request, **parts: Any) -> None:
        """Have something made for *page*; while it waits for something of that kind, only the
        newest is made next.
        """
        waits = request.what in page.asked
        if waits and page.asked[request.what].request == request:
            return
        page.asked[request.what] = PendingRequest(page, request, next(self._numbers), parts)
        if not waits:
            self.asked.append(page.asked[request.what])

    def _may_ask(self, page: Page, request: Request) -> bool:
        """Return whether what *request* asks for is still the page's own business."""
        if request.what == "own_page":
            return bool(request.values[0] == page.person)
        place = self._place(page)
        return place is not None and (place[0].id, place[1]) == request.values[:2]

    def answer(self, asked: PendingRequest, made: Any) -> None:
        """Tell a page what was made for it, or, if *made* is a :class:`.LocalizedError`, why it cannot be
        had.
        """
        page, request = asked.page, asked.request
        newest = page.asked.get(request.what)
        if newest is None:  # it belongs to another lesson by now
            return
        if newest.number == asked.number:
            del page.asked[request.what]
        elif self._may_ask(page, newest.request):
            self.asked.append(newest)
        else:
            del page.asked[request.what]
        if page.closed or not self._may_ask(
            page, request
        ):  # somebody else may have the seat by now
            return
        if isinstance(made, LocalizedError):
            page.say(
                "refused",
                n=None,
                to=asked.parts.get("to"),
                text=made.sentence(page.language, self._names(page)),
            )
        elif request.what == "own_page":
            page.say("page", name=f"coursekit-{self.lesson.settings.game}.html", text=made)
        else:
            page.say("suggested", **asked.parts, action=made)

    # Time

    def pass_time(self, seconds: float) -> list[Job]:
        """Let *seconds* go by; return the decisions that strategies are to be asked for."""
        seconds = min(max(0.0, seconds), LONGEST_STEP)
        before, self.time = (
            {each.id: self.here(each.id) for each in self.lesson.people.values()},
            self.time + seconds,
        )
        if any(self.here(person) != there for person, there in before.items()):
            self.changed += 1
        jobs: list[Job] = []
        if self.trouble is not None:
            return jobs
        if not self.open:
            return jobs
        hidden = not self.lesson.free and self.lesson.step not in (
            "play",
            "back",
        )  # phones show no table
        for table in self.lesson.playing:
            if table.broken and not table.paused:
                self._stop(table)
                continue
            try:
                for seat in self._busy(table):
                    table.excuse(seat)
                table.pass_time(0.0 if hidden else seconds, self.lesson.settings.grace)
                if (action := table.pressed) is not None:
                    self._do_for(table, TABLE, action)
                jobs += table.jobs()
            except Exception:  # a mistake in a game's rules must not stop the other tables
                log.exception("table %s of a room has stopped", table.id)
                self._stop(table)
        return jobs

    def _stop(self, table: RoomTable) -> None:
        """Let a table stand still in which the kit has made a mistake, and tell the teacher."""
        self.do("pause", on=True, table=table.id)
        self.note("room.table_broken", table=table.id)

    def _busy(self, table: RoomTable) -> list[Seat]:
        """Return the seats whose people have a new question before them that they have not
        answered.
        """
        open_ = [
            each.answers
            for each in self.lesson.questions
            if each.open
            and self.time - self._open_since.setdefault(each.number, self.time) < ANSWERING
        ]
        return [
            seat
            for seat, who in table.people.items()
            if self.here(who) and any(who not in had for had in open_)
        ]

    def thought(self, job: Job, action: Any) -> None:
        """Carry out what a strategy has decided."""
        table = self.lesson.tables.get(job.table)
        if table is None:
            return
        try:
            if (action := table.thought(job, action)) is not None:
                self._do_for(table, job.seat, action)
        except Exception:  # a mistake in a game's rules must not stop the other tables
            log.exception("table %s of a room has stopped", table.id)
            self._stop(table)

    def _do_for(self, table: RoomTable, seat: Seat, action: Any) -> None:
        with suppress(LocalizedError):  # it has become illegal meanwhile: it is asked for again
            self.do("act", table=table.id, seat=seat, action=action)

    # What everybody is told

    def collect(self) -> Iterator[tuple[Page, list[dict[str, Any]]]]:
        """Return what each page is to be told once all that is pending is in the file."""
        for page in list(self.pages):
            if out := self.news(page):
                yield page, out

    def news(self, page: Page) -> list[dict[str, Any]]:
        """Return what *page* is to be told once the first :attr:`count` events are in the file."""
        out, page.out = page.out, []
        if page.welcome and not page.closed:
            try:
                for message in page_state.news(self, page, self._shared):
                    out.append(message)  # so that what comes before a mistake is told
                page.failed = False
            except Exception:  # a mistake in what one page is told must not keep it from the others
                if not page.failed:
                    log.exception(
                        "a room could not tell a page what is new: %s, person %s",
                        page.role,
                        page.person,
                    )
                    out.append(
                        {
                            "type": "refused",
                            "n": None,
                            "text": RoomError("room.mistake").sentence(page.language),
                        }
                    )
                page.failed = True
                page.view = page.table = (
                    None  # what it shows may be half of the new and half of the old
                )
                page.seen = ()
        return out


CAPACITY = 200
"""People in one room; :data:`.seating.MOST` of them are seated by one click."""
