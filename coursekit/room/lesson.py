"""What has happened in a room: people, tables, questions, made from the events in the lesson's
file.

An event is a dict with ``e``, its kind, and plain values. All chance is in it: seeds, codes,
numbers. So the same events make the same lesson, and a lesson that was broken off goes on where its
file ends.
"""

import logging
from collections.abc import Iterable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from coursekit.core.game import Game, Seat
from coursekit.core.options import to_tuples
from coursekit.kit import kit_of
from coursekit.room.people import Person
from coursekit.room.room_table import RoomTable, best_strategy
from coursekit.words.texts import LANGUAGES, text

Event = dict[str, Any]
STEPS = ("rules", "predict", "play", "back", "last")
"""The steps of a lesson, which a teacher holds for all phones."""
GRACE = 30
"""Seconds of silence at their turn after which a strategy decides for a person, unless the teacher
sets others.
"""

log = logging.getLogger(__name__)
UNFIT = (AttributeError, LookupError, TypeError, ValueError)
"""What an event raises that does not fit those before it."""


@dataclass
class ClassQuestion:
    """A question to the class, and what people answered."""

    number: int
    words: str
    """As the teacher typed it, or the name of one of the game's questions."""
    own: bool
    """Whether the teacher typed it."""
    game: str
    """The game that was chosen then."""
    open: bool = True
    answers: dict[int, str] = field(default_factory=dict)


@dataclass
class Submission:
    """A strategy that somebody has handed in for a league."""

    source: str
    n: int
    """The number of the message that brought it."""
    waits: bool = True
    """Whether it is still to be checked."""
    strategy: str = ""
    """Its name, if it can take part."""
    wrong: Mapping[str, str] = field(default_factory=dict)
    """Why it cannot, by language."""


class GuessOutcome(NamedTuple):
    """What those who watched thought would come, and what came."""

    came: str
    guesses: Mapping[int, str]
    """By person."""


@dataclass
class Settings:
    """What the teacher has chosen."""

    game: str = "wizard"
    preset: str = ""
    language: str = LANGUAGES[0]
    grace: int = GRACE
    words: str = ""
    """Words in names that wait for the teacher before a projector shows them."""
    minutes: int = 0
    """Planned, 0 for none."""

    def rules(self, players: int) -> Game[Any, Any, Any]:
        """Return the game as it is to be played."""
        kind = kit_of(self.game).rules
        return kind(players, kind.preset(self.preset) if self.preset else None)


class Lesson:
    """The lesson as far as it is known from *events*.

    :raises AttributeError, LookupError, TypeError, ValueError: if they do not belong together.
    """

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self.id = self.code = ""
        self.settings = Settings()
        self.people: dict[int, Person] = {}
        self.tables: dict[int, RoomTable] = {}
        self.past: list[int] = []
        """The tables of earlier deals."""
        self.questions: list[ClassQuestion] = []
        self.shown: list[tuple[int, int]] = []
        """The answers that the projector shows: (question, person)."""
        self.moments: list[tuple[int, int]] = []
        """The moments that the projector shows: (table, number of actions before it)."""
        self.guesses: dict[int, dict[int, str]] = {}
        """Of those who watch: table -> person -> what they think comes next."""
        self.guessed: dict[int, list[GuessOutcome]] = {}
        """By table, what was guessed and has come."""
        self.entries: dict[int, Submission] = {}
        """By person; a new one replaces the one before."""
        self.collecting = False
        """Whether strategies can be handed in."""
        self.locked = self.nameless = self.ended = False
        self.step, self.free = STEPS[0], False
        self.message = ""
        self.extra = 0
        """Seconds that the teacher has added to the planned time."""
        self._unseen: ExitStack | None = None
        self.follow(events)

    def follow(self, events: Iterable[Event]) -> None:
        """Carry out *events* of the past: only what is there after the last one is to be seen.

        :raises AttributeError, LookupError, TypeError, ValueError: if one does not fit those before
            it.
        """
        with ExitStack() as self._unseen:
            for table in self.playing:
                self._unseen.enter_context(table.run.unseen())
            for event in events:
                self.apply(event)
        self._unseen = None

    def apply(self, event: Event) -> None:
        """Carry out *event*; if it raises, nothing has changed."""
        getattr(self, f"_{event['e']}")(event)

    # The room

    def _open(self, event: Event) -> None:
        self.id, self.code = event["id"], event["code"]
        self._set(event)

    def _set(self, event: Event) -> None:
        for name in asdict(self.settings):
            if name in event:
                setattr(self.settings, name, event[name])

    def _lock(self, event: Event) -> None:
        self.locked = event["on"]

    def _step(self, event: Event) -> None:
        self.step, self.free = event["step"], event["free"]

    def _say(self, event: Event) -> None:
        self.message = event["text"]

    def _time(self, event: Event) -> None:
        self.extra += event["seconds"]

    def _end(self, event: Event) -> None:
        self.ended = True
        for table in self.playing:
            table.end()

    # People

    def _join(self, event: Event) -> None:
        id = event["person"]
        self.people[id] = Person(
            id, event["name"], event["key"], event["number"], event["approved"]
        )

    def _key(self, event: Event) -> None:
        self.people[event["person"]].key = event["key"]
        self.people[event["person"]].tries = 0

    def _word(self, event: Event) -> None:
        self.people[event["person"]].tries = 0

    def _approve(self, event: Event) -> None:
        self.people[event["person"]].approved = True
        self._name_tables()

    def _rename(self, event: Event) -> None:
        self.people[event["person"]].name = event["name"]
        self.people[event["person"]].approved = True
        self._name_tables()

    def _remove(self, event: Event) -> None:
        person = self.people[event["person"]]
        person.left = True
        for table in self.tables.values():
            if (seat := table.seat_of(person.id)) is not None and not table.over:
                self._sit(
                    {"table": table.id, "seat": seat, "who": best_strategy(table.game, table.language)}
                )

    def _names(self, event: Event) -> None:
        self.nameless = not event["on"]
        self._name_tables()

    def name(self, person: int, language: str = "") -> str:
        """Return what *person* is called, a number while names are off or the name waits for the
        teacher.
        """
        who = self.people[person]
        if self.nameless or not who.approved:
            return text("room.pseudonym", language or self.settings.language, number=person)
        return who.name

    def names(self, seats: Iterable[int | str]) -> list[str]:
        """Return the names of those in *seats*, "" for strategies."""
        return [self.name(each) if isinstance(each, int) else "" for each in seats]

    def _name_tables(self) -> None:
        for table in self.playing:
            table.run.match.names = tuple(self.names(table.seats))
            table.version += 1

    # Tables

    @property
    def playing(self) -> list[RoomTable]:
        """The tables of the last deal."""
        return [table for id, table in self.tables.items() if id not in self.past]

    @property
    def all_over(self) -> bool:
        """Whether no table plays."""
        return all(table.over for table in self.playing)

    def table_of(self, person: int) -> tuple[RoomTable, Seat] | None:
        """Return where *person* sits, ``None`` if at no table.

        Who has moved from a table that is over to another one sits at that one.
        """
        found = [
            (table, seat) for table in self.playing if (seat := table.seat_of(person)) is not None
        ]
        return next((place for place in found if not place[0].over), found[-1] if found else None)

    def _deal(self, event: Event) -> None:
        made = []
        for each in event["tables"]:
            kind = kit_of(each["game"]).rules
            game = kind(each["players"], kind.options_from(each["options"]))
            names = self.names(each["seats"])
            made.append(
                RoomTable(each["id"], game, each["seats"], names, each["seed"], event["language"])
            )
        for table in self.playing:
            table.run.rest()
        self.past, self.moments = list(self.tables), []
        self.tables |= {table.id: table for table in made}
        self.step = "play"
        if self._unseen is not None:
            for table in made:
                self._unseen.enter_context(table.run.unseen())

    def _act(self, event: Event) -> None:
        person, table, action = (
            event.get("person"),
            self.tables[event["table"]],
            to_tuples(event["action"]),
        )
        table.time = max(table.time, event.get("time", 0.0))
        guessable = table.guess if self.guesses.get(table.id) else None
        table.act(event["seat"], action, person is not None)
        if person is not None and "n" in event:
            self.people[person].note(event["n"])
        guesses = self.guesses.pop(table.id, {})
        if guessable is not None and guessable.seat == event["seat"]:
            try:
                came = guessable.kind.came(action, table.run.match.events[-1])
            except Exception:  # a mistake in a game; the action stands
                log.exception("the guesses at table %s of a room cannot be compared", table.id)
                return
            self.guessed.setdefault(table.id, []).append(GuessOutcome(came, guesses))

    def _want(self, event: Event) -> None:
        table = self.tables[event["table"]]
        table.time = max(table.time, event["time"])
        table.want(event["seat"])
        self.people[event["person"]].note(event["n"])

    def _sit(self, event: Event) -> None:
        table = self.tables[event["table"]]
        seats = list(table.seats)
        seats[event["seat"]] = event["who"]
        table.seat_otherwise(seats, self.names(seats))

    def _pause(self, event: Event) -> None:
        for table in self._meant(event):
            table.pause(event["on"])

    def _ending(self, event: Event) -> None:
        for table in self._meant(event):
            table.ending = event["on"]
            table.version += 1

    def _meant(self, event: Mapping[str, Any]) -> list[RoomTable]:
        return self.playing if event.get("table") is None else [self.tables[event["table"]]]

    def _back(self, event: Event) -> None:
        table, entry = event["table"], event["entry"]
        self.tables[table].take_back(entry, event["seed"])
        self.guesses.pop(table, None)
        self.moments = [each for each in self.moments if each[0] != table or each[1] <= entry]

    def _guess(self, event: Event) -> None:
        self.guesses.setdefault(event["table"], {})[event["person"]] = event["choice"]
        self.people[event["person"]].note(event["n"])

    # A league

    def _collect(self, event: Event) -> None:
        self.collecting = event["on"]

    def _entry(self, event: Event) -> None:
        self.entries[event["person"]] = Submission(event["source"], event["n"])
        self.people[event["person"]].note(event["n"])

    def _verdict(self, event: Event) -> None:
        entry = self.entries[event["person"]]
        if entry.n == event["n"]:  # else a newer one has come meanwhile
            entry.waits = False
            entry.strategy, entry.wrong = event.get("strategy", ""), event.get("wrong", {})

    # Questions

    def _ask(self, event: Event) -> None:
        for each in self.questions:
            each.open = False
        self.questions.append(
            ClassQuestion(len(self.questions), event["words"], event["own"], self.settings.game)
        )
        self.shown = []

    def _close(self, event: Event) -> None:
        self.questions[event["question"]].open = False

    def _answer(self, event: Event) -> None:
        self.questions[event["question"]].answers[event["person"]] = event["text"]
        self.people[event["person"]].note(event["n"])

    def _show(self, event: Event) -> None:
        self.shown = [(question, person) for question, person in event.get("answers", ())]
        self.moments = [(table, entry) for table, entry in event.get("moments", ())]


def fitting_events(events: Iterable[Event]) -> list[Event]:
    """Return *events* up to the first that does not fit those before it."""
    lesson, found = Lesson(), list[Event]()
    with suppress(*UNFIT):
        for event in events:
            lesson.apply(event)
            found.append(event)
    return found
