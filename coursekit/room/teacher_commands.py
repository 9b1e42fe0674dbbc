"""What the teacher's console may ask of a room."""

import logging
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from coursekit.core.chance import new_seed
from coursekit.core.errors import LocalizedError
from coursekit.kit import GAMES
from coursekit.kit.kit import kit_of
from coursekit.reflect.questions import question
from coursekit.room.lesson import STEPS, Settings
from coursekit.room.names import check_name
from coursekit.room.page import Page
from coursekit.room.phone_messages import RoomError, is_text
from coursekit.room.room import LONGEST_MESSAGE, Room
from coursekit.room.room_table import RoomTable, best_strategy
from coursekit.room.seating import MOST, seat_people
from coursekit.words.texts import LANGUAGES

log = logging.getLogger(__name__)
Parts = Mapping[str, Any]
GRACE = range(5, 601)
MINUTES = range(181)
STAGES = ("", "think", "pair", "share")
"""What a class does with a question: think alone, talk in pairs, share; "" for nothing in
particular.
"""
LONGEST_STAGE = 3600
LONGEST_TIME = 24 * 3600
"""Most seconds that are added to the planned time at once."""
SIDE_BY_SIDE = 2
"""Moments of tables that a projector shows at once."""


class TeacherCommands:
    """Carries out the orders of the console of *room*. An order is a message whose ``type`` is a
    method's name.
    """

    def __init__(self, room: Room) -> None:
        self.room = room

    def order(self, page: Page, message: Any) -> None:
        """Do what *message* asks for; what cannot be done is answered with a sentence.

        A console is the teacher's own page, so that a message of another form is a mistake in the
        page; it is logged.
        """
        kind = message.get("type") if isinstance(message, dict) else None
        try:
            if not isinstance(kind, str) or kind not in ORDERS or not is_text(message):
                raise RoomError("room.no_order")
            getattr(self, f"_{kind}")(page, message)
        except LocalizedError as error:
            page.say("refused", text=error.sentence(page.language))
        except Exception as error:  # a part is missing, or of another kind
            log.warning("the order %s of a console cannot be carried out: %r", kind, error)
            page.say("refused", text=RoomError("room.no_order").sentence(page.language))

    @property
    def lesson(self) -> Any:
        """The lesson of the room."""
        return self.room.lesson

    def _set(self, page: Page, message: Parts) -> None:
        """Choose game, way to play, language, grace time, words to look at, or planned minutes."""
        given = {name: message[name] for name in vars(Settings()) if name in message}
        game = given.get("game", self.lesson.settings.game)
        if game not in GAMES or kit_of(game).scene is None:
            raise RoomError("kit.unknown_game", got=game, allowed=", ".join(GAMES))
        if "game" in given and game != self.lesson.settings.game:
            given.setdefault("preset", "")
        if given.get("preset", "") not in ("", *kit_of(game).rules.presets):
            raise RoomError("room.preset", got=given["preset"])
        if given.get("language", LANGUAGES[0]) not in LANGUAGES:
            raise RoomError(
                "cli.unknown_language", got=given["language"], allowed=", ".join(LANGUAGES)
            )
        for name, allowed in (("grace", GRACE), ("minutes", MINUTES)):
            if name in given and (type(given[name]) is not int or given[name] not in allowed):
                raise RoomError(
                    f"room.{name}", got=given[name], low=allowed.start, high=allowed.stop - 1
                )
        given["words"] = str(given.get("words", self.lesson.settings.words))[:2000]
        self.room.do("set", **given)

    def _lock(self, page: Page, message: Parts) -> None:
        self.room.do("lock", on=bool(message["on"]))

    def _step(self, page: Page, message: Parts) -> None:
        """Hold all phones at a step, or let them choose."""
        if message["step"] not in STEPS:
            raise ValueError(f"the step is one of {', '.join(STEPS)}, not {message['step']!r}")
        self.room.do("step", step=message["step"], free=bool(message.get("free")))
        if message["step"] == "play" and self.room.open:
            self.room.go_on()

    def _say(self, page: Page, message: Parts) -> None:
        self.room.do("say", text=str(message["text"]).strip()[:LONGEST_MESSAGE])

    def _time(self, page: Page, message: Parts) -> None:
        seconds = message["seconds"]
        if type(seconds) is not int or abs(seconds) > LONGEST_TIME:
            raise ValueError(
                f"the seconds are from -{LONGEST_TIME} to {LONGEST_TIME}, not {seconds!r}"
            )
        self.room.do("time", seconds=seconds)

    def _deal(self, page: Page, message: Parts) -> None:
        """Seat all who are here, and begin."""
        lesson, room = self.lesson, self.room
        if lesson.ended:
            raise RoomError("room.lesson_over")
        if not lesson.all_over:
            raise RoomError("room.still_playing")
        people = [
            each.id for each in lesson.people.values() if not each.left and room.here(each.id)
        ]
        if not people:
            raise RoomError("room.nobody")
        if len(people) > MOST:
            people = people[:MOST]
        settings = lesson.settings
        first = max(lesson.tables, default=0) + 1
        tables = []
        for number, group in enumerate(
            seat_people(people, kit_of(settings.game).rules.player_counts, room.chance)
        ):
            game = settings.rules(group.seats)
            seats = [
                *group.people,
                *[best_strategy(game, settings.language)] * (group.seats - len(group.people)),
            ]
            tables.append(
                {
                    "id": first + number,
                    "game": settings.game,
                    "players": group.seats,
                    "options": asdict(game.options),
                    "seats": seats,
                    "seed": new_seed(),
                }
            )
        room.do("deal", tables=tables, language=settings.language)
        self._enlarge(None)
        self._rest()

    def _pause(self, page: Page, message: Parts) -> None:
        on, table = bool(message["on"]), self._number(message)
        if not on and not self.room.open:
            raise RoomError("room.not_open")
        held = self.room.held
        if held and not on:
            self.room.go_on(table)
        if (
            not held or on or table is not None
        ):  # else those that were paused before the break still are
            self.room.do("pause", on=on, table=table)

    def _ending(self, page: Page, message: Parts) -> None:
        """End at the next points, or not after all."""
        self.room.do("ending", on=bool(message["on"]), table=self._number(message))

    def _number(self, message: Parts) -> int | None:
        return None if message.get("table") is None else self._table(message).id

    def _table(self, message: Parts) -> RoomTable:
        for table in self.room.lesson.playing:
            if table.id == message.get("table"):
                return table
        raise RoomError("room.no_table")

    def _watch(self, page: Page, message: Parts) -> None:
        """Enlarge a table on the projector, or none."""
        self._enlarge(self._number(message))

    def _enlarge(self, number: int | None) -> None:
        self.room.watched = number
        for each in self.room.pages:
            if each.role == "projector":
                each.watching = number
        self.room.changed += 1

    def _moments(self, page: Page, message: Parts) -> None:
        """Answer with the moments to which a table can be taken back."""
        table = self._table(message)
        found = [{"entry": entry, "words": words} for entry, words in table.moments(page.language)]
        page.say("moments", table=table.id, moments=found)

    def _moment(self, message: Parts) -> tuple[int, int]:
        table, entry = self._table(message), message["entry"]
        if type(entry) is not int or not 0 <= entry <= len(table.run.match.log):
            raise RoomError("table.no_entry", got=entry, last=len(table.run.match.log))
        return table.id, entry

    def _back(self, page: Page, message: Parts) -> None:
        table, entry = self._moment(message)
        self.room.do("back", table=table, entry=entry, seed=new_seed())

    def _strategy(self, page: Page, message: Parts) -> None:
        """Let a strategy play the seat of a person from here on; they can watch."""
        table, seat = self._table(message), message["seat"]
        if seat not in table.people or table.over:
            raise RoomError("room.no_seat")
        self.room.do("sit", table=table.id, seat=seat, who=best_strategy(table.game, table.language))

    def _sit(self, page: Page, message: Parts) -> None:
        """Give a strategy's seat to a person, who leaves their own."""
        table, seat, person = self._table(message), message["seat"], self._person(message)
        if seat not in table.free or table.over:
            raise RoomError("room.no_seat")
        if (place := self.lesson.table_of(person)) is not None and not place[0].over:
            before, left = place
            self.room.do("sit", table=before.id, seat=left, who=best_strategy(before.game, before.language))
        self.room.do("sit", table=table.id, seat=seat, who=person)

    def _person(self, message: Parts) -> int:
        person = self.lesson.people.get(message.get("person"))
        if person is None or person.left:
            raise RoomError("room.no_person")
        number: int = person.id
        return number

    def _rename(self, page: Page, message: Parts) -> None:
        person = self._person(message)
        others = [
            each.name for each in self.lesson.people.values() if each.id != person and not each.left
        ]
        self.room.do("rename", person=person, name=check_name(str(message["name"]), others))

    def _approve(self, page: Page, message: Parts) -> None:
        self.room.do("approve", person=self._person(message))

    def _word(self, page: Page, message: Parts) -> None:
        """Let a person try the number of their seat again."""
        self.room.do("word", person=self._person(message))

    def _remove(self, page: Page, message: Parts) -> None:
        person = self._person(message)
        self.room.do("remove", person=person)
        for other in self.room.pages_of(person):
            self.room.turn_away(other, "room.removed")

    def _names(self, page: Page, message: Parts) -> None:
        self.room.do("names", on=bool(message["on"]))

    def _ask(self, page: Page, message: Parts) -> None:
        """Ask all: one of the game's questions by its name, or one that the teacher has typed."""
        own, words = bool(message.get("own")), str(message["words"]).strip()[:500]
        if not words:
            raise RoomError("room.no_question")
        if not own:
            question(self.lesson.settings.game, words)
        self.room.do("ask", words=words, own=own)

    def _collect(self, page: Page, message: Parts) -> None:
        """Let strategies for a league be handed in, or no more."""
        self.room.do("collect", on=bool(message["on"]))

    def _close(self, page: Page, message: Parts) -> None:
        self.room.do("close", question=self._question(message["question"]))
        self._rest()

    def _question(self, number: Any) -> int:
        if type(number) is not int or not 0 <= number < len(self.lesson.questions):
            raise RoomError("room.no_question")
        return number

    def _show(self, page: Page, message: Parts) -> None:
        """Show answers, or moments of tables, to all, in the order given."""
        if moments := message.get("moments"):
            self.room.do("show", moments=[self._moment(each) for each in moments[:SIDE_BY_SIDE]])
            return
        chosen = [(self._question(each[0]), each[1]) for each in message.get("answers", ())]
        for number, person in chosen:
            if person not in self.lesson.questions[number].answers:
                raise RoomError("room.no_answer")
        self.room.do("show", answers=chosen)

    def _stage(self, page: Page, message: Parts) -> None:
        """Let all think, talk in pairs or share for some seconds."""
        if message["stage"] not in STAGES:
            raise ValueError(f"stage {message['stage']!r} is not one of {', '.join(STAGES)}")
        seconds = min(max(0, int(message.get("seconds", 0))), LONGEST_STAGE)
        self.room.stage, self.room.until = message["stage"], self.room.time + seconds
        self.room.changed += 1

    def _rest(self) -> None:
        self.room.stage, self.room.until = "", 0.0

    def _noted(self, page: Page, message: Parts) -> None:
        self.room.notes.clear()
        self.room.changed += 1

    def _language(self, page: Page, message: Parts) -> None:
        if message["language"] in LANGUAGES:
            page.language = message["language"]

    def _end(self, page: Page, message: Parts) -> None:
        """End the lesson: what is not over ends where it is."""
        self.room.do("end")
        self._rest()


ORDERS = tuple(
    name[1:]
    for name in vars(TeacherCommands)
    if name[0] == "_"
    and name[1] != "_"
    and name[1:] not in ("number", "table", "person", "question", "enlarge", "rest", "moment")
)
"""The kinds of orders."""
