"""A room as it runs: pages that are connected, what they ask for, and what they are told.

It knows no server and no clock.  Whoever runs it hands over messages and the time that goes by, writes what is
:attr:`Room.pending` into the lesson's file, and only then sends what :meth:`Room.collect` returns.
"""

import logging
import secrets
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict
from random import Random
from typing import Any

from coursekit.core.errors import Spoken
from coursekit.core.game import TABLE, Seat
from coursekit.core.options import tupled
from coursekit.core.wire import packed
from coursekit.room import told
from coursekit.room.lesson import Entry, Event, Lesson
from coursekit.room.names import checked, listed, plain, proposed
from coursekit.room.page import Page
from coursekit.room.people import TRIES, hashed, new_key, new_number
from coursekit.room.playing import Job, RoomTable
from coursekit.room.protocol import AWAY, COUNTED, LETTERS, LONGEST_ANSWER, Refused
from coursekit.table.run import Stale
from coursekit.words.texts import LANGUAGES

LONGEST_MESSAGE = 200
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
        self.lesson = Lesson(events)
        self.pending: list[Event] = []
        """What has happened and is not in the lesson's file yet."""
        self.pages: list[Page] = []
        self.time = 0.0
        """Seconds that the room has been running."""
        self.trouble: Spoken | None = None
        """Why nothing can be kept now, as a part of a sentence; until it can, nothing is answered."""
        self.changed = 0
        """Rises with all that is told to everybody."""
        self.chance = Random()
        self._wanted: dict[int, int] = {}  # the number of each person's last wish to go on, which is no event
        self.notes: list[Spoken] = []
        """What the teacher should know."""
        self.watched: int | None = None
        """The table that is enlarged on the projector."""
        self.stage, self.until = "", 0.0
        """Whether the class thinks, talks in pairs or shares now, and when that is to end in the room's time."""
        if not self.lesson.code:
            self.do("open", id=secrets.token_hex(8), code=new_code(), **settings)

    def do(self, e: str, **values: Any) -> None:
        """Carry out an event and have it kept."""
        event = {"e": e, **values}
        if e == "act":  # so that what runs down, and the planned minutes, go on from here after a break
            event["time"] = round(self.lesson.tables[values["table"]].time, 1)
        self.lesson.apply(event)
        self.pending.append(event)
        self.changed += e != "act"  # what a table shows has a count of its own

    # Pages come and go

    def connect(self, page: Page) -> None:
        """Let a page in, which knows nothing of this room yet."""
        page.forget()
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
        page.say("closed", text=Refused(words).sentence(page.language))
        page.closed, page.person = True, None

    # What phones send

    def hear(self, page: Page, message: dict[str, Any]) -> None:
        """Do what a phone's *message*, read by :func:`.protocol.read`, asks for.

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
            if message["type"] not in ("hello", "join", "take", "language", "ping") and person is None:
                raise Refused("room.not_joined")
            if n is not None and person is not None and self._answered(person, n):
                page.say("done", n=n)
                return
            getattr(self, f"_hear_{message['type']}")(page, message)
        except Spoken as error:
            page.say("refused", n=n, to=message.get("from"), text=error.sentence(page.language, self._names(page)))

    def _answered(self, person: int, n: int) -> bool:
        return self.lesson.people[person].answered(n) or self._wanted.get(person) == n

    def _names(self, page: Page) -> tuple[str, ...]:
        place = self.lesson.table_of(page.person) if page.person is not None else None
        return place[0].run.match.names if place else ()

    def _hear_ping(self, page: Page, message: dict[str, Any]) -> None:
        if message.get("touched") is True and page.person is not None and (place := self._place(page)):
            place[0].heard(place[1])
        page.say("pong")

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
            raise Refused("room.wrong_code")
        page.welcome = True
        key = message.get("key")
        if isinstance(key, str):
            found = [each for each in self.lesson.people.values() if each.holds(key) and not each.left]
            if found:
                self._seat_page(page, found[0].id)
                return
        taken = [each.name for each in self.lesson.people.values()]
        page.say("propose", name=proposed(taken, self.chance, page.language), locked=self.lesson.locked)

    def _seat_page(self, page: Page, person: int, key: str | None = None) -> None:
        """Let *page* be the page of *person*; an older one is told that it no longer is."""
        pages = self.pages_of(person)
        for other in pages:
            if other is not page:
                self.turn_away(other, "room.moved")
        page.person, page.watching, page.seen = person, None, ()
        who = self.lesson.people[person]
        newest = max(who.done, default=0)
        page.say("welcome", person=person, name=who.name, number=who.number, n=newest, **({"key": key} if key else {}))
        self.changed += 1

    def _hear_join(self, page: Page, message: dict[str, Any]) -> None:
        lesson = self.lesson
        if not page.welcome:
            raise Refused("room.wrong_code")
        if page.person is not None:
            raise Refused("room.joined_already")
        if lesson.locked or lesson.ended:
            raise Refused("room.locked")
        if len(self._present) >= CAPACITY:
            raise Refused("room.full", allowed=CAPACITY)
        taken = [each.name for each in lesson.people.values() if not each.left]
        name = checked(message["name"], taken)
        person, key = len(lesson.people) + 1, new_key()
        approved = not listed(name, lesson.settings.words.split())
        self.do("join", person=person, name=name, key=hashed(key), number=new_number(), approved=approved)
        self._seat_page(page, person, key)

    @property
    def _present(self) -> list[int]:
        return [each.id for each in self.lesson.people.values() if not each.left]

    def _hear_take(self, page: Page, message: dict[str, Any]) -> None:
        """Let a person come back on another device, by name and number."""
        if not page.welcome:
            raise Refused("room.wrong_code")
        if page.person is not None:
            raise Refused("room.joined_already")
        name = plain(message["name"])
        named = [each for each in self.lesson.people.values() if each.name == name and not each.left]
        if not named or not named[0].fits(message["number"].strip()):
            self.changed += 1  # the teacher sees who is stuck
            raise Refused("room.wrong_number")
        key = new_key()
        self.do("key", person=named[0].id, key=hashed(key))
        self._seat_page(page, named[0].id, key)

    def _place(self, page: Page) -> tuple[RoomTable, Seat] | None:
        return None if page.person is None else self.lesson.table_of(page.person)

    def _at_table(self, page: Page, message: dict[str, Any]) -> tuple[RoomTable, Seat]:
        """Return the table and seat that *message* is about.

        :raises Stale: if the person does not sit there, or the scene is an old one.
        """
        place = self._place(page)
        if place is None or place[0].id != message["table"] or message["seat"] not in (place[1], TABLE):
            raise Stale("table.stale")
        acted = message["acted"] if message["type"] == "act" else None
        place[0].check(place[1], message["match"], message["branch"], acted)
        return place

    def _hear_act(self, page: Page, message: dict[str, Any]) -> None:
        table, seat = self._at_table(page, message)
        table.heard(seat)
        person, n, action = page.person, message["n"], tupled(message.get("action"))
        if message["seat"] == TABLE:
            present = [each for each, who in table.people.items() if self.here(who) and each not in table.run.stood_in]
            if not table.want(seat, action, present):
                assert person is not None
                self._wanted[person] = n
                page.say("done", n=n)
                return
            self.do("act", table=table.id, seat=TABLE, action=action, person=person, n=n)
        else:
            self.do("act", table=table.id, seat=seat, action=action, person=person, n=n)
        page.say("done", n=n)

    def _hear_try(self, page: Page, message: dict[str, Any]) -> None:
        table, _ = self._at_table(page, message)
        answer = table.attempt(message["seat"], message.get("action"), page.language)
        page.say("tried", n=message["n"], to=message.get("from"), **answer)

    def _hear_suggest(self, page: Page, message: dict[str, Any]) -> None:
        table, _ = self._at_table(page, message)
        action = table.run.suggestion(message["seat"], message["n"], message.get("about"))
        page.say("suggested", n=message["n"], to=message.get("from"), action=action)

    def _hear_step(self, page: Page, message: dict[str, Any]) -> None:
        """Look back at an earlier moment of a match that is over, on this page alone."""
        if page.view is None:
            raise Stale("room.no_table")
        page.view.look_back(message["entry"])
        page.seen = ()

    def _hear_now(self, page: Page, message: dict[str, Any]) -> None:
        if page.view is not None:
            page.view.catch_up()
            page.view.back, page.seen = False, ()

    def _hear_observe(self, page: Page, message: dict[str, Any]) -> None:
        if (place := self._place(page)) is None:
            raise Stale("room.no_seat")
        table, seat = place
        seen = table.game.observe(table.run.match.state, seat)
        rules = {"game": table.game.name, "players": table.game.players, "options": asdict(table.game.options)}
        page.say("observation", **rules, **packed(seen))

    def _hear_watch(self, page: Page, message: dict[str, Any]) -> None:
        if message["table"] not in [table.id for table in self.lesson.playing]:
            raise Stale("room.no_table")
        page.watching = message["table"]

    def _hear_guess(self, page: Page, message: dict[str, Any]) -> None:
        table = self.lesson.tables.get(message["table"])
        choices = told.guesses(table, page.language) if table is not None and self._place(page) is None else None
        if table is None or choices is None or message["choice"] not in choices["choices"]:
            raise Stale("room.no_guess")
        self.do("guess", table=table.id, person=page.person, choice=message["choice"], n=message["n"])
        page.say("done", n=message["n"])

    def _hear_answer(self, page: Page, message: dict[str, Any]) -> None:
        asked = self.lesson.questions
        number = message["question"]
        if not 0 <= number < len(asked) or not asked[number].open:
            raise Refused("room.question_closed")
        if len(message["text"]) > LONGEST_ANSWER:
            raise Refused("room.answer_long", got=len(message["text"]), allowed=LONGEST_ANSWER)
        self.do("answer", question=number, person=page.person, text=message["text"], n=message["n"])
        page.say("done", n=message["n"])

    def _hear_entry(self, page: Page, message: dict[str, Any]) -> None:
        """Take a strategy for a league; whoever runs the room has it checked, in a process of its own."""
        if not self.lesson.collecting:
            raise Refused("room.not_collecting")
        if not message["source"].strip():
            raise Refused("room.entry_empty")
        self.do("entry", person=page.person, source=message["source"], n=message["n"])
        page.say("done", n=message["n"])

    def unchecked(self) -> dict[int, Entry]:
        """Return the strategies that are still to be checked, by person."""
        return {person: entry for person, entry in self.lesson.entries.items() if entry.waits}

    def check(self, person: int, entry: Entry, found: str | Spoken) -> None:
        """Note the name of the strategy in *entry*, or what is wrong with it."""
        if isinstance(found, Spoken):
            self.do("checked", person=person, n=entry.n, wrong={each: found.sentence(each) for each in LANGUAGES})
        else:
            self.do("checked", person=person, n=entry.n, strategy=found)

    def _hear_mine(self, page: Page, message: dict[str, Any]) -> None:
        assert page.person is not None
        page.say("page", name=f"coursekit-{self.lesson.settings.game}.html",
                   text=told.own_page(self.lesson, page.person, page.language))  # fmt: skip

    # Time

    def pass_time(self, seconds: float) -> list[Job]:
        """Let *seconds* go by; return the decisions that strategies are to be asked for."""
        seconds = min(max(0.0, seconds), LONGEST_STEP)
        before, self.time = {each.id: self.here(each.id) for each in self.lesson.people.values()}, self.time + seconds
        if any(self.here(person) != there for person, there in before.items()):
            self.changed += 1
        jobs: list[Job] = []
        if self.trouble is not None:
            return jobs
        hidden = not self.lesson.free and self.lesson.step not in ("play", "back")  # phones show no table
        for table in self.lesson.playing:
            try:
                for seat in self._asked(table):
                    table.excuse(seat)
                table.pass_time(0.0 if hidden else seconds, self.lesson.settings.grace)
                if (action := table.pressed) is not None:
                    self._do_for(table, TABLE, action)
                jobs += table.jobs()
            except Exception:  # a mistake in a game's rules must not stop the other tables
                log.exception("a table of a room has stopped")
                table.pause(True)
                self.notes.append(Spoken("", "room.table_broken", table=table.id))
                self.changed += 1
        return jobs

    def _asked(self, table: RoomTable) -> list[Seat]:
        """Return the seats whose people have a question before them that they have not answered."""
        open_ = [each.answers for each in self.lesson.questions if each.open]
        return [seat for seat, who in table.people.items() if self.here(who) and any(who not in had for had in open_)]

    def thought(self, job: Job, action: Any) -> None:
        """Carry out what a strategy has decided."""
        table = self.lesson.tables.get(job.table)
        if table is not None and (action := table.thought(job, action)) is not None:
            self._do_for(table, job.seat, action)

    def _do_for(self, table: RoomTable, seat: Seat, action: Any) -> None:
        with suppress(Spoken):  # it has become illegal meanwhile: it is asked for again
            self.do("act", table=table.id, seat=seat, action=action)

    # What everybody is told

    def collect(self) -> Iterator[tuple[Page, list[dict[str, Any]]]]:
        """Return what each page is to be told once all that is pending is in the file."""
        shared = told.Shared(self)
        for page in list(self.pages):
            out, page.out = page.out, []
            if page.welcome and not page.closed:
                try:
                    out += told.news(self, page, shared)
                except Exception:  # a mistake in what one page is told must not keep it from the others
                    log.exception("a room could not tell a page what is new")
                    out.append({"type": "refused", "n": None, "text": Refused("room.mistake").sentence(page.language)})
            if out:
                yield page, out


CAPACITY = 200
"""People in one room; :data:`.seating.MOST` of them are seated by one click."""
