"""What phones may send to a room; ``docs/extend/room-protocol.md`` says the same."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, NamedTuple

from coursekit.core.game import TABLE, Seat
from coursekit.core.observation_json import pack_observation
from coursekit.core.options import to_tuples
from coursekit.core.page_messages import Message, MessageError, Messages
from coursekit.kit import GAMES
from coursekit.room import analysis_requests, page_state
from coursekit.room.answers import read_value
from coursekit.room.incoming_messages import COUNTED, PageMessages
from coursekit.room.limits import CAPACITY, LONGEST_ANSWER, LONGEST_COUNT
from coursekit.room.names import check_name, normalise_name, propose_name
from coursekit.room.page import Page, Request
from coursekit.room.people import TRIES, Person, hash_key, new_key, new_number
from coursekit.room.room_table import RoomTable
from coursekit.table.run import StaleError
from coursekit.words.texts import LANGUAGES, shorten

STRANGER = "stranger"
"""Flag of a message that may be sent before joining."""


class Scene(NamedTuple):
    """The scene that a page shows: its table, and the match there with its branch."""

    table: int
    match: str
    branch: int


class PhoneMessages(PageMessages):
    """Carries out what the phones of a room send."""

    messages = Messages()

    def receive(self, page: Page, words: str | bytes) -> str:
        """Do what *page* asks for, and note its sign of life; see :meth:`PageMessages.receive`."""
        if page.closed:
            return ""
        if page.person is not None and not self.room.is_here(page.person):
            self.room.changed += 1
        page.last_sign = self.room.time
        return super().receive(page, words)

    def deliver(self, page: Page, message: Message, to: str) -> None:
        """Carry out *message*, one that is counted only once, and say that it is done.

        :raises LocalizedError: if that cannot be done.
        """
        if page.person is None and STRANGER not in message.handler.flags:
            raise MessageError("room.not_joined")
        n = message.arguments.get("n", 0)
        if not 0 <= n < LONGEST_COUNT:
            raise MessageError
        if COUNTED not in message.handler.flags:
            super().deliver(page, message, to)
            return
        assert page.person is not None
        if not self.lesson.people[page.person].has_done(n):
            super().deliver(page, message, to)
        page.say("done", n=n)

    # Coming in

    @messages.handle(STRANGER)
    def hello(
        self, sender: Page, code: str, key: str | None = None, language: str | None = None
    ) -> None:
        """Let a page see the room whose code it names, and come back to its person's seat."""
        self.change_language(sender, language or "")
        lesson = self.lesson
        # A page that guesses codes is closed after some tries.
        if code.upper() != lesson.code:
            sender.tries += 1
            if sender.tries < TRIES:
                raise MessageError("room.wrong_code")
            self.room.turn_away(sender, "room.wrong_code")
            return
        sender.welcome = True
        for person in lesson.members:
            if key is not None and person.has_key(key):
                self._take_page(sender, person)
                return
        names = [person.name for person in lesson.people.values()]
        here = [person for person in lesson.members if self.room.is_here(person.person_id)]
        sender.say(
            "propose",
            name=propose_name(names, self.room.chance, sender.language),
            locked=lesson.locked,
            back=bool(lesson.members) and not here,  # the room may have another address now
        )

    @messages.handle(STRANGER)
    def join(self, sender: Page, name: str) -> None:
        """Let somebody new join by a name."""
        lesson = self.lesson
        self._must_be_stranger(sender)
        if lesson.locked or lesson.ended:
            raise MessageError("room.locked")
        if len(lesson.members) >= CAPACITY:
            raise MessageError("room.full", allowed=CAPACITY)
        name = check_name(name, [person.name for person in lesson.members])
        person, key = len(lesson.people) + 1, new_key()
        self.room.do(
            "join",
            person=person,
            name=name,
            key=hash_key(key),
            number=new_number(),
        )
        self._take_page(sender, lesson.people[person], key)

    @messages.handle(COUNTED)
    def rename(self, sender: Page, name: str, n: int) -> None:
        """Correct one's own name; once cards have been dealt, the teacher has to agree."""
        lesson, person = self.lesson, sender.person
        if lesson.ended:
            raise MessageError("room.lesson_over")
        others = [one.name for one in lesson.members if one.person_id != person]
        kind = "wish" if lesson.deals else "rename"
        self.room.do(kind, person=person, name=check_name(name, others), n=n)

    @messages.handle(STRANGER)
    def take(self, sender: Page, name: str, number: str) -> None:
        """Let a person come back on another device, by name and number."""
        self._must_be_stranger(sender)
        name = normalise_name(name)
        person = next((one for one in self.lesson.members if one.name == name), None)
        if person is None or not person.has_number(number.strip()):
            self.room.changed += 1  # the teacher sees who is stuck
            raise MessageError("room.wrong_number")
        key = new_key()
        self.room.do("key", person=person.person_id, key=hash_key(key))
        self._take_page(sender, person, key)

    def _must_be_stranger(self, page: Page) -> None:
        if not page.welcome:
            raise MessageError("room.wrong_code")
        if page.person is not None:
            raise MessageError("room.joined_already")

    def _take_page(self, page: Page, person: Person, key: str | None = None) -> None:
        """Let *page* be the page of *person*; an older one is turned away."""
        for other in self.room.pages_of(person.person_id):
            if other is not page:
                self.room.turn_away(other, "room.moved")
        page.person = person.person_id
        page.watching = None
        page.table_marks = ()
        newest = max(person.done, default=0)
        secret = {"key": key} if key else {}
        page.say(
            "welcome",
            person=person.person_id,
            name=person.name,
            number=person.number,
            n=newest,
            **secret,
        )
        self.room.changed += 1

    @messages.handle(STRANGER, kind="language")
    def change_language(self, sender: Page, language: str) -> None:
        """Speak another language on a page, if it is one of the kit's."""
        if language in LANGUAGES:
            sender.language = language
            sender.table_marks = ()

    @messages.handle(STRANGER)
    def ping(self, sender: Page, touched: bool = False) -> None:
        """Answer a sign of life."""
        place = self.lesson.table_of(sender.person)
        if touched and place is not None:
            table, seat = place
            table.note_touch(seat)
        pong = {"type": "pong"}
        if self.room.trouble is not None:
            pong["trouble"] = MessageError("room.not_kept").sentence(sender.language)
        sender.at_once.append(pong)

    # At a table

    def _place(
        self, page: Page, scene: Scene, seat: int, acted: int | None = None
    ) -> tuple[RoomTable, Seat]:
        """Return the table and the seat of the person whose *page* shows *scene*.

        :raises StaleError: if the person does not sit there, or the scene is an old one.
        """
        place = self.lesson.table_of(page.person)
        if place is None or place[0].table_id != scene.table or seat not in (place[1], TABLE):
            raise StaleError("table.stale")
        table, own_seat = place
        table.check(own_seat, scene.match, scene.branch, acted)
        return table, own_seat

    @messages.handle(COUNTED)
    def act(
        self, sender: Page, scene: Scene, seat: int, acted: int, n: int, action: Any = None
    ) -> None:
        """Decide, or agree to what is nobody's decision."""
        table, own_seat = self._place(sender, scene, seat, acted)
        table.note_touch(own_seat)
        person, action = sender.person, to_tuples(action)
        if seat != TABLE:
            self.room.do("act", table=table.table_id, seat=seat, action=action, person=person, n=n)
            return
        # Nobody decides this alone: the table goes on once all its people who are here want to.
        table.must_allow(action)
        self.room.do("want", table=table.table_id, seat=own_seat, person=person, n=n)
        present = {
            other
            for other, who in table.people.items()
            if self.room.is_here(who) and other not in table.run.stood_in
        }
        if present <= set(table.ready):
            self.room.do("act", table=table.table_id, seat=TABLE, action=action, person=person)

    @messages.handle(kind="try")
    def attempt(
        self, sender: Page, scene: Scene, seat: int, n: int, action: Any = None
    ) -> dict[str, Any]:
        """Answer how something drawn would lie, without doing it."""
        table, _ = self._place(sender, scene, seat)
        return {"type": "tried", "n": n, **table.attempt(seat, action, sender.language)}

    @messages.handle()
    def suggest(self, sender: Page, scene: Scene, seat: int, n: int, about: Any = None) -> Request:
        """Ask for a proposal of something drawn."""
        table, own_seat = self._place(sender, scene, seat)
        if isinstance(about, dict):
            raise MessageError
        return analysis_requests.suggestion(table.table_id, own_seat, n, about)

    @messages.handle(kind="step")
    def look_back(self, sender: Page, entry: int) -> None:
        """Look back at an earlier moment of a match that is over, on this page alone."""
        if sender.view is None:
            raise StaleError("room.no_table")
        sender.view.run.must_have(entry)
        sender.step = entry  # drawn when the page can take it: of several steps, the last
        sender.table_marks = ()

    @messages.handle(kind="now")
    def return_to_end(self, sender: Page) -> None:
        """Look at the end of the match again."""
        if sender.view is not None:
            sender.view.catch_up()
            sender.step = None
            sender.table_marks = ()

    @messages.handle()
    def again(self, sender: Page) -> None:
        """Tell a page all anew."""
        self.room.tell_again(sender)

    @messages.handle()
    def observe(self, sender: Page) -> dict[str, Any]:
        """Answer what a seat knows, for a strategy."""
        place = self.lesson.table_of(sender.person)
        if place is None:
            raise StaleError("room.no_seat")
        table, seat = place
        observation = table.game.observe(table.run.match.state, seat)
        return {
            "type": "observation",
            "game": table.game.name,
            "players": table.game.players,
            "options": asdict(table.game.options),
            **pack_observation(observation),
        }

    @messages.handle()
    def watch(self, sender: Page, table: int) -> None:
        """Watch a table, without a seat there."""
        if table not in [current.table_id for current in self.lesson.current_tables]:
            raise StaleError("room.no_table")
        sender.watching = table

    @messages.handle(COUNTED)
    def guess(self, sender: Page, table: int, choice: str, n: int) -> None:
        """Guess what comes next, as one of those who watch."""
        lesson = self.lesson
        offer: Mapping[str, Any] | None = None
        if table in lesson.tables and lesson.table_of(sender.person) is None:
            offer = page_state.guess_offer(lesson.tables[table], sender.language)
        if offer is None or choice not in offer["choices"]:
            raise StaleError("room.no_guess")
        self.room.do("guess", table=table, person=sender.person, choice=choice, n=n)

    # What is written

    @messages.handle(COUNTED)
    def answer(
        self,
        sender: Page,
        question: int,
        n: int,
        text: str = "",
        number: str | None = None,
        choice: int | None = None,
    ) -> None:
        """Answer the question that is open, as it asks: in words, with a number or a choice."""
        asked = next((one for one in self.lesson.open_questions if one.number == question), None)
        if asked is None:
            raise MessageError("room.question_closed")
        if len(text) > LONGEST_ANSWER:
            raise MessageError("room.answer_long", got=len(text), allowed=LONGEST_ANSWER)
        value = read_value(asked.form, number, choice)
        counts = {} if value is None else {"value": value}
        person = sender.person
        self.room.do("answer", question=question, person=person, text=text, n=n, **counts)

    @messages.handle()
    def map_open(self, sender: Page, game: str) -> None:
        """Ask for one's own map about *game*."""
        _check_game(game)
        sender.wants_map = game

    @messages.handle(COUNTED)
    def map_change(self, sender: Page, game: str, changes: dict[str, Any], n: int) -> None:
        """Change one's own map; a change that leaves no proper map is refused."""
        _check_game(game)
        try:
            self.room.do("map", person=sender.person, game=game, changes=changes, n=n)
        except Exception:
            sender.wants_map = game  # the page shows what is not so
            raise

    @messages.handle(COUNTED, kind="entry")
    def hand_in(self, sender: Page, source: str, n: int) -> None:
        """Hand in a strategy for a league; the host has it checked, in a process of its own."""
        if not self.lesson.collecting:
            raise MessageError("room.not_collecting")
        if not source.strip():
            raise MessageError("room.entry_empty")
        self.room.do("entry", person=sender.person, source=source, n=n)

    @messages.handle(kind="mine")
    def ask_own_page(self, sender: Page) -> Request:
        """Ask for what the person has written and played, as a page to keep."""
        assert sender.person is not None
        return analysis_requests.own_page(sender.person, sender.language)


def _check_game(name: str) -> None:
    if name not in GAMES:
        raise MessageError("kit.unknown_game", got=shorten(name), allowed=", ".join(GAMES))
