"""A class without a network: phones that press what the rules allow, and all bytes that each page
is sent.
"""

import json
from collections import defaultdict
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import asdict
from random import Random
from typing import Any

from coursekit.core.errors import LocalizedError
from coursekit.core.game import TABLE, Game, Seat, pick_action
from coursekit.core.strategy import Strategy
from coursekit.games.blockade import Blockade
from coursekit.games.knitwit import KnitWit
from coursekit.games.wikipedia import Wikipedia
from coursekit.games.wizard import Wizard
from coursekit.room.analysis_requests import make
from coursekit.room.lesson import Lesson
from coursekit.room.page import Page
from coursekit.room.people import hash_key
from coursekit.room.phone_messages import PhoneMessages
from coursekit.room.room import Room
from coursekit.room.room_table import RoomTable, best_strategy
from coursekit.room.strategy_process import decide
from coursekit.room.teacher_commands import TeacherCommands

CODE = "ABCD"
SHORT: dict[str, tuple[type[Game[Any, Any, Any]], dict[str, Any]]] = {
    "wizard": (Wizard, {"short_game": 3}),
    "wikipedia": (Wikipedia, {"points_to_win": 3}),
    "blockade": (Blockade, {"eras": (1,), "laps_limit": 3}),
    "knitwit": (KnitWit, {"loops": 3, "answer_time_limit": 60}),
}
"""A match of each game that does not take long."""


def sent(message: dict[str, Any]) -> bytes:
    """Return *message* as it goes over the wire."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()


def short(name: str, players: int, **options: Any) -> Game[Any, Any, Any]:
    """Return a short form of the game *name*."""
    kind, given = SHORT[name]
    return kind(players, kind.option_type(**given | options))


class Phone:
    """A page, and what it has been sent."""

    def __init__(self, classroom: "Classroom", page: Page, key: str = "") -> None:
        self.classroom, self.page, self.key = classroom, page, key
        self.bytes: list[bytes] = []
        """Every message, in order."""
        self.last: dict[str, dict[str, Any]] = {}
        """The last message of each type."""
        self.n = 0

    def told(self, message: dict[str, Any]) -> None:
        self.bytes.append(sent(message))
        self.last[message["type"]] = json.loads(self.bytes[-1])
        if message["type"] == "view":
            assert self._is_own(self.view), "a phone would have to refuse this view"
        if message["type"] == "welcome":
            self.key = message.get("key", self.key)
            self.n = max(self.n, message["n"])

    def _is_own(self, view: dict[str, Any]) -> bool:
        """Return whether *view* is of the seat, or the table watched, that the page was told of
        last.
        """
        room = self.last["room"]
        if self.page.role == "projector":
            return (view["match"], view["viewer"]) == (f"room-{room['watched']}", None)
        place = room["place"] or {"table": room["watching"], "seat": None}
        return (view["match"], view["viewer"]) == (f"room-{place['table']}", place["seat"])

    @property
    def view(self) -> dict[str, Any]:
        """What the page shows of its table."""
        found: dict[str, Any] = self.last["view"]["view"]
        return found

    @property
    def person(self) -> int:
        assert self.page.person is not None
        return self.page.person

    @property
    def place(self) -> tuple[RoomTable, Seat]:
        place = self.classroom.room.lesson.table_of(self.person)
        assert place is not None
        return place

    def send(self, type: str, **parts: Any) -> list[dict[str, Any]]:
        """Send a message, and return what the page is sent then."""
        before = len(self.bytes)
        PhoneMessages(self.classroom.room).receive(self.page, sent({"type": type, **parts}))
        self.classroom.collect()
        return [json.loads(each) for each in self.bytes[before:]]

    def moment(self) -> dict[str, Any]:
        """Return the parts of a message that say what the page shows."""
        view = self.view
        return {
            "table": self.last["table"]["table"],
            "match": view["match"],
            "branch": view["branch"],
        }

    def act(self, action: Any, table: bool = False, n: int | None = None) -> list[dict[str, Any]]:
        """Decide, for the table's seat if *table*."""
        self.n += n is None
        seat = TABLE if table else self.view["viewer"]
        number = self.n if n is None else n
        return self.send(
            "act", **self.moment(), acted=self.view["acted"], seat=seat, action=action, n=number
        )


class Classroom:
    """A room with its teacher, a projector, and phones.

    :param events: of a lesson that goes on.
    """

    def __init__(self, game: str = "wizard", events: Any = None, **settings: Any) -> None:
        settings = {"language": "en"} | settings
        begun = (
            [{"e": "open", "id": "lesson", "code": CODE, "game": game, **settings}]
            if events is None
            else []
        )
        self.events: list[dict[str, Any]] = [*begun, *(events or [])]
        """What is in the lesson's file."""
        self.room = Room(json.loads(json.dumps(self.events)))
        self.phones: list[Phone] = []
        self.all: list[Phone] = []
        self.console, self.projector = self._page("console"), self._page("projector")
        self._seated: dict[Any, Strategy] = {}

    def _page(self, role: Any) -> Phone:
        page = Page(role, "en")
        self.room.connect(page)
        self.all.append(Phone(self, page))
        return self.all[-1]

    @property
    def lesson(self) -> Lesson:
        return self.room.lesson

    def collect(self) -> None:
        """Write what has happened, and then send what each page is told."""
        while self.room.requests:  # what the process beside a server makes
            pending = self.room.requests.pop()
            try:
                self.room.answer_request(pending, make(self.lesson, pending.request))
            except LocalizedError as error:
                self.room.answer_request(pending, error)
        self.events += json.loads(json.dumps(self.room.pending))
        self.room.pending.clear()
        pages = {id(each.page): each for each in self.all}
        for phone in self.all:
            for message in phone.page.at_once:
                phone.told(message)
            phone.page.at_once.clear()
        for page, out in self.room.collect():
            for message in out:
                pages[id(page)].told(message)

    def order(self, type: str, **parts: Any) -> list[dict[str, Any]]:
        """Give an order, and return what the console is told then."""
        before = len(self.console.bytes)
        TeacherCommands(self.room).receive(self.console.page, json.dumps({"type": type, **parts}))
        self.collect()
        return [json.loads(each) for each in self.console.bytes[before:]]

    def phone(self, role: str = "phone") -> Phone:
        """Return a new page; a phone has named the code."""
        phone = self._page(role)
        if role == "phone":
            phone.send("hello", code=CODE, language="en")
        return phone

    def joined(self, name: str) -> Phone:
        """Return the phone of somebody new."""
        phone = self.phone()
        phone.send("join", name=name)
        self.phones.append(phone)
        return phone

    def back(self, person: int, key: str) -> Phone:
        """Return a new page of *person*, who has come back."""
        phone = self._page("phone")
        phone.send("hello", code=CODE, language="en", key=key)
        self.phones = [each for each in self.phones if each.page.person is not None]
        self.phones.append(phone)
        return phone

    def deal(self, *seats: list[int | str], game: Game[Any, Any, Any], seed: str = "seed") -> None:
        """Deal *game* at a table for each of *seats*: a person's number, or "" for a strategy."""
        first = max(self.lesson.tables, default=0) + 1
        tables = [
            {
                "id": first + number,
                "game": game.name,
                "players": len(each),
                "options": asdict(game.options),
                "seats": [who or best_strategy(game, "en") for who in each],
                "seed": f"{seed}-{first + number}",
            }
            for number, each in enumerate(seats)
        ]
        self.room.do("deal", tables=tables, language="en")
        self.collect()

    def wait(
        self, seconds: float, away: tuple[Phone, ...] = (), stuck: tuple[str, ...] = ()
    ) -> None:
        """Let *seconds* go by, in which all but *away* give a sign; strategies are asked and
        answer.
        """
        while seconds > 0:
            for phone in self.phones:
                if phone not in away and not phone.page.closed:
                    PhoneMessages(self.room).receive(phone.page, b'{"type":"ping"}')
                    phone.page.at_once.clear()
            for job in self.room.pass_time(min(0.5, seconds)):
                self.room.accept_decision(job, decide(job, self._seated))
            seconds -= 0.5
            self.collect()

    def turn(self, rng: Random) -> Phone | None:
        """Let somebody who can decide do so at random, and return who did; if nobody can, time goes
        by.
        """
        able = [(phone, seat) for phone in self.phones for seat in self._able(phone)]
        if not able:
            self.wait(1.0)
            return None
        phone, seat = rng.choice(able)
        table = phone.place[0]
        legal = table.game.legal_actions(table.run.match.state, seat)
        action = pick_action(legal, rng)
        if table.game.name == "knitwit" and isinstance(action, tuple) and action[0] == "write":
            action = ("write", action[1], f"{MARK}{phone.person}{rng.randrange(10**6)}")
        answers = phone.act(action, seat == TABLE)
        assert [each["type"] for each in answers if each["type"] in ("done", "refused")] == [
            "done"
        ], answers
        return phone

    def _able(self, phone: Phone) -> list[Seat]:
        if phone.page.person is None or (place := self.lesson.table_of(phone.page.person)) is None:
            return []
        table, seat = place
        if table.over or table.paused:
            return []
        deciding = table.game.to_act(table.run.match.state)
        table_too = TABLE in deciding and not table.countdowns and seat not in table.ready
        return [each for each in (seat,) if each in deciding] + [TABLE] * table_too

    def twin(self) -> "Classroom":
        """Return another classroom that is all the same, and lives its own life from here."""
        games = {id(table.game): table.game for table in self.lesson.tables.values()}
        return deepcopy(self, games)


MARK = "ㄅㄆ"
"""No text of the kit has these letters: what a person writes begins with them."""


def class_of(
    seats: list[list[int | str]], game: Game[Any, Any, Any], seed: str = "seed"
) -> Classroom:
    """Return a class that sits at tables, each person with a key and a number that cannot be
    anything else.
    """
    people = [who for each in seats for who in each if isinstance(who, int)]
    events = [{"e": "open", "id": "lesson", "code": CODE, "game": game.name, "language": "en"}]
    for who in people:
        events.append(
            {
                "e": "join",
                "person": who,
                "name": f"Ann {who}",
                "key": hash_key(f"key-of-{who}!"),
                "number": f"№-of-{who}!",
            }
        )
    classroom = Classroom(events=events)
    for who in people:
        classroom.back(who, f"key-of-{who}!")
    classroom.deal(*seats, game=game, seed=seed)
    return classroom


def replayed(classroom: Classroom) -> Lesson:
    """Return the lesson that the events make which have been written."""
    return Lesson(json.loads(json.dumps(classroom.events)))


def known(lesson: Lesson) -> dict[str, Any]:
    """Return all that a lesson's file has to give back, to be compared."""
    people = {
        person.person_id: (
            person.name,
            person.key,
            person.number,
            person.approved,
            person.wish,
            person.declined,
            person.left,
            list(person.done),
        )
        for person in lesson.people.values()
    }
    tables = {}
    for number, table in lesson.tables.items():
        match = table.run.match
        tables[number] = (
            match.state,
            list(match.log),
            match.events,
            list(match.seeds),
            match.names,
            match.people,
            table.run.branch,
            table.run.id,
            list(table.seats),
            table.paused,
            table.ending,
            table.ended,
            table.over,
        )
    return {
        "people": people,
        "tables": tables,
        "past": lesson.past_tables,
        "network": lesson.network,
        "class_list": lesson.class_list,
        "groups": (lesson.plan, lesson.last_groups),
        "settings": asdict(lesson.settings),
        "questions": [asdict(each) for each in lesson.questions],
        "shown": lesson.shown_answers,
        "moments": lesson.shown_moments,
        "maps": {
            (game, person): mind_map.things
            for game, maps in lesson.maps.items()
            for person, mind_map in maps.items()
        },
        "words": vars(lesson.let_words),
        "guesses": (lesson.guesses, lesson.guess_outcomes),
        "flags": (
            lesson.lesson_id,
            lesson.code,
            lesson.locked,
            lesson.nameless,
            lesson.ended,
            lesson.step,
            lesson.free,
            lesson.message,
            lesson.extra,
        ),
    }


def played(classroom: Classroom, rng: Random, most: int = 3000) -> Iterator[Phone | None]:
    """Let all play at random until no table plays any more, and yield who has done something."""
    for _ in range(most):
        if classroom.lesson.all_over:
            return
        yield classroom.turn(rng)
    raise AssertionError(f"the class still plays after {most} turns")


def counts(streams: list[bytes]) -> dict[str, int]:
    """Return how many messages of each type there are."""
    found: dict[str, int] = defaultdict(int)
    for each in streams:
        found[json.loads(each)["type"]] += 1
    return found
