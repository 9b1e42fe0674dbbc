"""A lesson as its events make it: people, tables, questions, and what the teacher has chosen.

An event is a dict with ``e``, its kind, and plain values. All chance is in it: seeds, codes,
numbers. So the same events make the same lesson, and a lesson that was broken off goes on where its
file ends.
"""

import logging
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypedDict

from coursekit.core.chance import stream
from coursekit.core.game import Event as GameEvent
from coursekit.core.game import Game, Seat
from coursekit.core.options import to_tuples
from coursekit.core.page_messages import Messages
from coursekit.kit import kit_of
from coursekit.kit.answer_form import AnswerForm, AnswerKind
from coursekit.maps.map_json import parse_changes
from coursekit.maps.mindmap import MindMap
from coursekit.room.answers import Given
from coursekit.room.class_list import Entry
from coursekit.room.class_question import ClassQuestion, form_of
from coursekit.room.map_words import LetWords, Part
from coursekit.room.names import has_listed_word
from coursekit.room.people import Person
from coursekit.room.room_table import Guessable, RoomTable, best_strategy
from coursekit.room.seating import MOST, SIZE, arrange
from coursekit.words.texts import LANGUAGES, text

Event = dict[str, Any]
STEPS = ("rules", "predict", "play", "back", "map", "last")
"""The steps of a lesson, which a teacher holds for all phones."""
DISCUSSING = ("back", "last")
"""The steps at which a class talks about the answers and moments that the projector shows."""
GRACE = 30
"""Seconds of silence at their turn after which a strategy decides for a person, unless the teacher
sets others.
"""

log = logging.getLogger(__name__)
UNFIT = (AttributeError, LookupError, TypeError, ValueError)
"""What an event raises that does not fit those before it."""


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


class News(NamedTuple):
    """What the teacher has changed for a person, to be told on the phone with the reason."""

    number: int
    """Rises with each."""
    kind: str
    """The end of the text ids about it."""
    table: int | None
    person: int | None = None
    """Whom it is about, if that is somebody else."""
    events: Sequence[GameEvent] = ()
    """Of the first action that was taken back, those that everybody saw."""


class Identity(NamedTuple):
    """What a lesson is known by: in files, and to its class."""

    id: str
    code: str


class Network(NamedTuple):
    """The Wi-Fi that brings phones to the room."""

    name: str = ""
    """"" if the teacher has not said."""
    password: str = ""
    """"" for none."""


class SettingsChange(TypedDict, total=False):
    """Those of the :class:`Settings` that the teacher chooses anew."""

    game: str
    preset: str
    language: str
    grace: Any
    words: str
    minutes: Any
    size: Any
    names_wait: bool


@dataclass
class Settings:
    """What the teacher has chosen."""

    game: str = "wizard"
    preset: str = ""
    language: str = LANGUAGES[0]
    grace: int = GRACE
    words: str = ""
    """Words in names that wait for the teacher before a projector shows them."""
    names_wait: bool = False
    """Whether all names do."""
    minutes: int = 0
    """Planned, 0 for none."""
    size: int = SIZE
    """How many should sit at a table."""

    def rules(self, players: int) -> Game[Any, Any, Any]:
        """Return the game as it is to be played."""
        kind = kit_of(self.game).rules
        return kind(players, kind.preset(self.way_to_play) if self.way_to_play else None)

    @property
    def way_to_play(self) -> str:
        """The preset that is played: the one for a class unless the teacher chooses another."""
        return self.preset or kit_of(self.game).class_preset

    @property
    def table_size(self) -> int:
        """The number of players of this game that is nearest to :attr:`size`."""
        return min(kit_of(self.game).rules.player_counts, key=lambda count: abs(count - self.size))


class Lesson:
    """The lesson that *events* make.

    :raises AttributeError, LookupError, TypeError, ValueError: if they do not belong together.
    """

    events = Messages(key="e")
    """A method below carries out each kind of event; if it raises, nothing has changed."""

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self.lesson_id = self.code = ""
        self.settings = Settings()
        self.network = Network()
        self.people: dict[int, Person] = {}
        self.class_list: list[Entry] = []
        """Who is to come; only the teacher may see it."""
        self.tables: dict[int, RoomTable] = {}
        self.deals = 0
        """How often cards have been dealt."""
        self.plan: list[list[int]] = []
        """Who is to sit together at the next deal, as far as the teacher has arranged it."""
        self.last_groups: list[list[int]] = []
        """Who sits together since the last deal, by table, and then groups that were all away."""
        self.past_tables: list[int] = []
        """The tables of earlier deals."""
        self.questions: list[ClassQuestion] = []
        self.shown_answers: list[tuple[int, int]] = []
        """The answers that the projector shows: (question, person)."""
        self.shows_spread = False
        """Whether the projector shows how the answers to the last question are spread."""
        self.shown_moments: list[tuple[int, int]] = []
        """The moments that the projector shows: (table, number of actions before it)."""
        self.guesses: dict[int, dict[int, str]] = {}
        """Of those who watch: table -> person -> what they think comes next."""
        self.guess_outcomes: dict[int, list[GuessOutcome]] = {}
        """By table, what was guessed and has come."""
        self.news: dict[int, News] = {}
        """By person, what the teacher has changed for them last."""
        self.maps: dict[str, dict[int, MindMap]] = {}
        """What people draw: game -> person -> map; a map that has changed is another object."""
        self.let_words = LetWords()
        """The words of maps that a projector may show."""
        self.submissions: dict[int, Submission] = {}
        """By person; a new one replaces the one before."""
        self.collecting = False
        """Whether strategies can be handed in."""
        self.locked = self.nameless = self.ended = False
        self.step = STEPS[0]
        self.free = False
        """Whether each phone chooses its step."""
        self.message = ""
        self.extra = 0
        """Seconds that the teacher has added to the planned time."""
        self._news_count = 0
        self._unseen: ExitStack | None = None
        self.follow(events)

    def follow(self, events: Iterable[Event]) -> None:
        """Carry out *events* of the past: only what is there after the last one is to be seen.

        :raises AttributeError, LookupError, TypeError, ValueError: if one does not fit those before
            it.
        """
        with ExitStack() as self._unseen:
            for table in self.current_tables:
                self._unseen.enter_context(table.run.unseen())
            for event in events:
                self.apply(event)
        self._unseen = None

    def apply(self, event: Event) -> None:
        """Carry out *event*; if it raises, nothing has changed."""
        self.events.read(event).deliver(self)

    # The room

    @events.handle(kind="open")
    def _open(self, identity: Identity, change: SettingsChange) -> None:
        self.lesson_id, self.code = identity
        self._set(change)

    @events.handle(kind="set")
    def _set(self, change: SettingsChange) -> None:
        for name, value in change.items():
            setattr(self.settings, name, value)
        if "size" in change:
            self.plan = []
        self._name_tables()  # some of them may wait now

    @events.handle(kind="network")
    def _name_network(self, network: Network) -> None:
        self.network = network

    @events.handle(kind="lock")
    def _lock(self, on: bool) -> None:
        self.locked = on

    @events.handle(kind="step")
    def _hold_at_step(self, step: str, free: bool) -> None:
        if step != self.step and step not in DISCUSSING:
            self._clear_projector()
        self.step = step
        self.free = free

    @events.handle(kind="say")
    def _say(self, text: str) -> None:
        self.message = text

    @events.handle(kind="time")
    def _add_time(self, seconds: int) -> None:
        self.extra += seconds

    @events.handle(kind="end")
    def _end(self) -> None:
        self.ended = True
        for table in self.current_tables:
            table.end()

    # People

    @property
    def members(self) -> list[Person]:
        """The people who have not left."""
        return [person for person in self.people.values() if not person.left]

    @events.handle(kind="join")
    def _join(self, person: int, name: str, key: str, number: str) -> None:
        self.people[person] = Person(person, name, key, number)

    @events.handle(kind="key")
    def _change_key(self, person: int, key: str) -> None:
        self.people[person].key = key
        self.people[person].tries = 0

    @events.handle(kind="word")
    def _allow_tries(self, person: int) -> None:
        self.people[person].tries = 0

    @events.handle(kind="approve")
    def _approve(self, person: int, on: bool) -> None:
        self.people[person].approved = on
        self._name_tables()

    @events.handle(kind="rename")
    def _rename(self, person: int, name: str, n: int | None = None) -> None:
        """Give a person another name: the teacher, or without asking the person, in message *n*."""
        renamed = self.people[person]
        renamed.name = name
        renamed.approved = True if n is None else None
        renamed.wish = renamed.declined = ""
        if n is not None:
            renamed.note_done(n)
        else:
            self._tell([person], "renamed", None)
        self._name_tables()

    @events.handle(kind="wish")
    def _wish(self, person: int, name: str, n: int) -> None:
        self.people[person].wish = name
        self.people[person].declined = ""
        self.people[person].note_done(n)

    @events.handle(kind="decline")
    def _decline(self, person: int) -> None:
        self.people[person].declined = self.people[person].wish
        self.people[person].wish = ""
        self._tell([person], "declined", None)

    @events.handle(kind="remove")
    def _remove(self, person: int) -> None:
        self.people[person].left = True
        self.shown_answers = [shown for shown in self.shown_answers if shown[1] != person]
        for table in self.tables.values():
            seat = table.seat_of(person)
            if seat is not None and not table.over:
                self._sit(table.table_id, seat, best_strategy(table.game, table.language))

    @events.handle(kind="class_list")
    def _take_class_list(self, entries: list[list[str]]) -> None:
        self.class_list = [Entry(number, name) for number, name in entries]

    @events.handle(kind="list_as")
    def _list_as(self, person: int, label: str) -> None:
        self.people[person].listed_as = label

    @events.handle(kind="names")
    def _show_names(self, on: bool) -> None:
        self.nameless = not on
        self._name_tables()

    def name(self, person: int, language: str = "") -> str:
        """Return the name of *person* or, if it is not to be shown, a pseudonym with a number."""
        if self.nameless or self.waits(person):
            return text("room.pseudonym", language or self.settings.language, number=person)
        return self.people[person].name

    def is_listed(self, person: int) -> bool:
        """Return whether the name of *person* holds a word that the teacher wants to see first."""
        return has_listed_word(self.people[person].name, self.settings.words.split())

    def waits(self, person: int) -> bool:
        """Return whether the name of *person* is not to be shown unless the teacher says so."""
        approved = self.people[person].approved
        if approved is None:
            return self.settings.names_wait or self.is_listed(person)
        return not approved

    def names(self, seats: Iterable[int | str]) -> list[str]:
        """Return the names of those in *seats*, "" for strategies."""
        return [self.name(player) if isinstance(player, int) else "" for player in seats]

    def _name_tables(self) -> None:
        for table in self.current_tables:
            table.run.match.names = tuple(self.names(table.seats))
            table.version += 1

    # Tables

    @property
    def current_tables(self) -> list[RoomTable]:
        """The tables of the last deal."""
        return [table for number, table in self.tables.items() if number not in self.past_tables]

    @property
    def all_over(self) -> bool:
        """Whether no table plays."""
        return all(table.over for table in self.current_tables)

    def table_of(self, person: int | None) -> tuple[RoomTable, Seat] | None:
        """Return where *person* sits, ``None`` if at no table.

        A person who has moved from a table that is over to another one sits at that one.
        """
        last = None
        for table in self.current_tables:
            seat = table.seat_of(person)
            if seat is not None:
                last = table, seat
                if not table.over:
                    break
        return last

    @events.handle(kind="plan")
    def _plan(self, groups: list[list[int]]) -> None:
        self.plan = groups

    def proposed_groups(self, here: Collection[int]) -> list[list[int]]:
        """Return who is to sit together at the next deal.

        The groups are those of the :attr:`plan`, in which people who are away keep their place.
        Others of *here* are added where they fit best, in an order that chance gives and that stays
        the same while more come.  Groups that are all away come last: they get no table.
        """
        counts = kit_of(self.settings.game).rules.player_counts
        seated = set(list(here)[:MOST])
        away = {person.person_id for person in self.members} - set(here)
        plan = [[person for person in group if person in seated | away] for group in self.plan]
        plan = [group[: max(counts)] for group in plan if group]
        newcomers = sorted(seated.difference(*plan), key=self._draw_lot)
        groups = arrange(plan, newcomers, counts, self.settings.table_size)
        return sorted(groups, key=seated.isdisjoint)

    def _draw_lot(self, person: int) -> float:
        return stream(self.lesson_id, f"deal {self.deals}, person {person}").random()

    @events.handle(kind="deal")
    def _deal(
        self, tables: list[dict[str, Any]], language: str, groups: list[list[int]] | None = None
    ) -> None:
        dealt = [self._new_table(table, language, number) for number, table in enumerate(tables, 1)]
        self.deals += 1
        self.plan = []
        self.last_groups = groups or [list(table.people.values()) for table in dealt]
        for table in self.current_tables:
            table.run.rest()
        self.past_tables = list(self.tables)
        self._clear_projector()
        self.message = ""
        for question in self.open_questions:
            question.is_open = False
        self.news = {}
        self.tables |= {table.table_id: table for table in dealt}
        self.step = "play"
        # While events of the past are carried out, nobody looks at a table that they deal.
        if self._unseen is not None:
            for table in dealt:
                self._unseen.enter_context(table.run.unseen())

    def _clear_projector(self) -> None:
        """Take off what was put on the projector to talk about."""
        self._clear_answers()
        self.shown_moments = []

    def _new_table(self, table: dict[str, Any], language: str, number: int) -> RoomTable:
        kind = kit_of(table["game"]).rules
        game = kind(table["players"], kind.options_from(table["options"]))
        seats = table["seats"]
        return RoomTable(
            table["id"],
            game,
            seats,
            self.names(seats),
            table["seed"],
            language,
            deal=self.deals + 1,
            number=number,
        )

    @events.handle(kind="act")
    def _act(
        self,
        table: int,
        seat: int,
        action: Any,
        person: int | None = None,
        n: int | None = None,
        time: float = 0.0,
    ) -> None:
        at = self.tables[table]
        at.time = max(at.time, time)
        guessable = at.guess if self.guesses.get(table) else None
        at.act(seat, to_tuples(action), person)
        if person is not None and n is not None:
            self.people[person].note_done(n)
        guesses = self.guesses.pop(table, {})
        if guessable is not None and guessable.seat == seat:
            self._compare(at, guessable, guesses)

    def _compare(self, table: RoomTable, guessable: Guessable, guesses: Mapping[int, str]) -> None:
        """Note what has come at *table*, and what those who watch had guessed."""
        match = table.run.match
        try:
            came = guessable.kind.came(match.log[-1][1], match.events[-1])
        except Exception:  # a mistake in a game; the action stands
            log.exception("the guesses at table %s of a room cannot be compared", table.table_id)
            return
        self.guess_outcomes.setdefault(table.table_id, []).append(GuessOutcome(came, guesses))

    @events.handle(kind="want")
    def _want(self, table: int, seat: int, person: int, n: int, time: float) -> None:
        at = self.tables[table]
        at.time = max(at.time, time)
        at.want(seat)
        self.people[person].note_done(n)

    @events.handle(kind="sit")
    def _sit(self, table: int, seat: int, who: int | str) -> None:
        at = self.tables[table]
        seats = list(at.seats)
        former, seats[seat] = seats[seat], who
        at.reseat(seats, self.names(seats))
        if isinstance(who, int):
            self.last_groups = [
                [person for person in group if person != who] for group in self.last_groups
            ]
            self.last_groups[at.number - 1].append(who)
        if isinstance(former, int):
            self._tell([former], "replaced", table)
            self._tell(at.people.values(), "left", table, former)
        if isinstance(who, int):
            self._tell(set(at.people.values()) - {who}, "came", table, who)
            self._tell([who], "seated", table)

    def _tell(
        self,
        people: Iterable[int],
        kind: str,
        table: int | None,
        person: int | None = None,
        events: Sequence[GameEvent] = (),
    ) -> None:
        """Let *people* be told what the teacher has changed for them."""
        self._news_count += 1
        news = News(self._news_count, kind, table, person, events)
        self.news |= dict.fromkeys(people, news)

    @events.handle(kind="pause")
    def _pause(self, on: bool, table: int | None = None) -> None:
        for at in self._one_or_all(table):
            at.pause(on)

    @events.handle(kind="ending")
    def _end_at_points(self, on: bool, table: int | None = None) -> None:
        for at in self._one_or_all(table):
            at.ending = on
            at.version += 1

    @events.handle(kind="end_now")
    def _end_now(self, table: int | None = None) -> None:
        for at in self._one_or_all(table):
            at.end()

    def _one_or_all(self, table: int | None) -> list[RoomTable]:
        return self.current_tables if table is None else [self.tables[table]]

    @events.handle(kind="back")
    def _take_back(self, table: int, entry: int, seed: str) -> None:
        at = self.tables[table]
        taken_back = at.run.match.events[entry : entry + 1]
        self._tell(
            at.people.values(),
            "back",
            table,
            events=[event for events in taken_back for event in events if event.is_for(None)],
        )
        at.take_back(entry, seed)
        self.guesses.pop(table, None)
        self.shown_moments = [
            (shown_table, shown_entry)
            for shown_table, shown_entry in self.shown_moments
            if shown_table != table or shown_entry <= entry
        ]

    @events.handle(kind="guess")
    def _guess(self, table: int, person: int, choice: str, n: int) -> None:
        self.guesses.setdefault(table, {})[person] = choice
        self.people[person].note_done(n)

    # Maps

    @events.handle(kind="map")
    def _change_map(self, person: int, game: str, changes: dict[str, Any], n: int) -> None:
        drawer = self.people[person]
        mind_map = self.map_of(person, game).copy()
        mind_map.apply(parse_changes(changes))
        self.maps.setdefault(game, {})[person] = mind_map
        drawer.note_done(n)

    def map_of(self, person: int, game: str) -> MindMap:
        """Return the map that *person* draws about *game*, an empty one if there is none yet."""
        return self.maps.get(game, {}).get(person) or MindMap()

    @events.handle(kind="let")
    def _let(self, part: Part, label: str, on: bool) -> None:
        self.let_words.let(part, label, on)

    @events.handle(kind="let_all")
    def _let_all(self, on: bool) -> None:
        self.let_words.let_all(on)

    # A league

    @events.handle(kind="collect")
    def _collect(self, on: bool) -> None:
        self.collecting = on

    @events.handle(kind="entry")
    def _hand_in(self, person: int, source: str, n: int) -> None:
        self.submissions[person] = Submission(source, n)
        self.people[person].note_done(n)

    @events.handle(kind="verdict")
    def _judge(
        self, person: int, n: int, strategy: str = "", wrong: dict[str, str] | None = None
    ) -> None:
        submission = self.submissions[person]
        if submission.n == n:  # else a newer one has come meanwhile
            submission.waits = False
            submission.strategy = strategy
            submission.wrong = wrong or {}

    # Questions

    @property
    def open_questions(self) -> list[ClassQuestion]:
        """The questions that can be answered: the last one, or none."""
        return [question for question in self.questions if question.is_open]

    @events.handle(kind="ask")
    def _ask(
        self,
        words: str,
        own: bool,
        kind: AnswerKind = "text",
        choices: list[str] | None = None,
        low: int | float | None = None,
        high: int | float | None = None,
    ) -> None:
        game = self.settings.game
        form = AnswerForm(kind, tuple(choices or ()), low, high) if own else form_of(game, words)
        for question in self.questions:
            question.is_open = False
        number = len(self.questions)
        self.questions.append(ClassQuestion(number, words, own, game, form))
        self._clear_answers()

    def _clear_answers(self) -> None:
        """Show no answers any more."""
        self.shown_answers = []
        self.shows_spread = False

    @events.handle(kind="close")
    def _close(self, question: int) -> None:
        self.questions[question].is_open = False

    @events.handle(kind="answer")
    def _answer(
        self, question: int, person: int, text: str, n: int, value: int | float | None = None
    ) -> None:
        self.questions[question].answers[person] = Given(value, text)
        self.people[person].note_done(n)

    @events.handle(kind="show")
    def _show(
        self,
        answers: list[list[int]] | None = None,
        moments: list[list[int]] | None = None,
        spread: bool = False,
    ) -> None:
        self.shown_answers = [(question, person) for question, person in answers or ()]
        self.shows_spread = spread
        self.shown_moments = [(table, entry) for table, entry in moments or ()]


def fitting_events(events: Iterable[Event]) -> list[Event]:
    """Return *events* up to the first that does not fit those before it."""
    lesson = Lesson()
    fitting = list[Event]()
    with suppress(*UNFIT):
        for event in events:
            lesson.apply(event)
            fitting.append(event)
    return fitting
