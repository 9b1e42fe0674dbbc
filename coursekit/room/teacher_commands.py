"""What the teacher's console may ask of a room."""

from dataclasses import asdict
from typing import Any, Literal

from coursekit.core.chance import new_seed, shuffle
from coursekit.core.page_messages import MessageError, Messages
from coursekit.kit import GAMES
from coursekit.kit.kit import kit_of
from coursekit.maps.elements import SHORT, clean
from coursekit.reflect.questions import question as question_of
from coursekit.room.answers import FEWEST, read_form
from coursekit.room.class_list import read_class_list
from coursekit.room.incoming_messages import PageMessages
from coursekit.room.lesson import DISCUSSING, SettingsChange
from coursekit.room.map_words import Part
from coursekit.room.names import check_name
from coursekit.room.page import Page
from coursekit.room.room_table import RoomTable, best_strategy
from coursekit.room.seating import MOST, arrange, seats_for
from coursekit.words.characters import is_visible
from coursekit.words.texts import LANGUAGES, shorten

GRACE = range(5, 601)
MINUTES = range(181)
LONGEST_MESSAGE = 200
LONGEST_QUESTION = 500
LONGEST_WORDS = 2000
LONGEST_STAGE = 3600
LONGEST_TIME = 24 * 3600
"""Most seconds that are added to the planned time at once."""
SIDE_BY_SIDE = 2
"""Moments of tables that a projector shows at once."""


class TeacherCommands(PageMessages):
    """Carries out the orders of the console of a room."""

    messages = Messages()

    # The lesson

    @messages.handle(kind="set")
    def change_settings(self, change: SettingsChange) -> None:
        """Choose game, way to play, size of tables, language, times, or which names wait."""
        settings = self.lesson.settings
        game = change.get("game", settings.game)
        if game not in GAMES or kit_of(game).scene is None:
            raise MessageError("kit.unknown_game", got=game, allowed=", ".join(GAMES))
        if game != settings.game:
            change.setdefault("preset", "")
        preset = change.get("preset", "")
        if preset not in ("", *kit_of(game).rules.presets):
            raise MessageError("room.preset", got=preset)
        language = change.get("language", LANGUAGES[0])
        if language not in LANGUAGES:
            allowed = ", ".join(LANGUAGES)
            raise MessageError("cli.unknown_language", got=language, allowed=allowed)
        _check_number("room.grace", change.get("grace", settings.grace), GRACE)
        _check_number("room.minutes", change.get("minutes", settings.minutes), MINUTES)
        counts = kit_of(game).rules.player_counts
        if "size" in change and change["size"] not in counts:
            allowed = ", ".join(map(str, counts))
            raise MessageError("room.size", got=shorten(change["size"]), allowed=allowed)
        if "words" in change:
            change["words"] = change["words"][:LONGEST_WORDS]
        self.room.do("set", **change)

    @messages.handle()
    def lock(self, on: bool) -> None:
        """Let nobody new join, or somebody again."""
        self.room.do("lock", on=on)

    @messages.handle(kind="step")
    def hold_at_step(
        self,
        step: Literal["rules", "predict", "play", "back", "map", "last"],
        free: bool = False,
    ) -> None:
        """Hold all phones at a step, or let them choose."""
        if step != self.lesson.step:
            self._end_stage()
            if step not in DISCUSSING:
                self.room.debrief = None
        self.room.do("step", step=step, free=free)
        if step == "play" and self.room.open:
            self.room.go_on()

    @messages.handle()
    def say(self, text: str) -> None:
        """Show a message to all."""
        self.room.do("say", text=text.strip()[:LONGEST_MESSAGE] if is_visible(text) else "")

    @messages.handle(kind="time")
    def add_time(self, seconds: int) -> None:
        """Add to the planned time."""
        if abs(seconds) > LONGEST_TIME:
            raise MessageError
        self.room.do("time", seconds=seconds)

    @messages.handle()
    def stage(self, stage: Literal["", "think", "pair", "share"], seconds: int = 0) -> None:
        """Let all think, talk in pairs or share for some seconds; "" ends that."""
        self.room.stage = stage
        self.room.until = self.room.time + min(max(0, seconds), LONGEST_STAGE)
        self.room.changed += 1

    def _end_stage(self) -> None:
        self.room.stage = ""
        self.room.until = 0.0

    @messages.handle(kind="noted")
    def clear_notes(self, table: int | None = None) -> None:
        """Forget the notes about a table, or those about none, which the teacher has read."""
        self.room.forget_notes(lambda note: note.table == table)

    @messages.handle(kind="language")
    def change_language(self, sender: Page, language: str) -> None:
        """Speak another language on the console."""
        if language in LANGUAGES:
            sender.language = language

    @messages.handle()
    def end(self) -> None:
        """End the lesson: what is not over ends where it is."""
        self.room.do("end")
        self._end_stage()

    # Tables

    @messages.handle()
    def deal(self) -> None:
        """Seat all who are here, and begin."""
        lesson, room = self.lesson, self.room
        if lesson.ended:
            raise MessageError("room.lesson_over")
        if not lesson.all_over:
            raise MessageError("room.still_playing")
        here = room.people_here
        if not here:
            raise MessageError("room.nobody")
        groups = lesson.proposed_groups(here)
        first = max(lesson.tables, default=0) + 1
        present = [[person for person in group if person in here] for group in groups]
        tables = [
            self._new_table(number, people)
            for number, people in enumerate(filter(None, present), first)
        ]
        room.do("deal", tables=tables, language=lesson.settings.language, groups=groups)
        room.forget_notes(lambda note: note.table is not None)
        room.debrief = None
        self._enlarge(None)
        self._end_stage()

    def _new_table(self, number: int, people: list[int]) -> dict[str, Any]:
        settings = self.lesson.settings
        seats = seats_for(len(people), kit_of(settings.game).rules.player_counts)
        game = settings.rules(seats)
        strategy = best_strategy(game, settings.language)
        shuffle(self.room.chance, people)
        return {
            "id": number,
            "game": settings.game,
            "players": seats,
            "options": asdict(game.options),
            "seats": [*people, *[strategy] * (seats - len(people))],
            "seed": new_seed(),
        }

    # Who sits with whom at the next deal

    @messages.handle()
    def place(self, person: int, beside: int | None = None, swap: bool = False) -> None:
        """Put a person beside another one, in their place if *swap*; else at a new table."""
        groups = self.lesson.proposed_groups(self.room.people_here)
        if not any(person in group for group in groups):
            raise MessageError("room.no_person")
        if beside is None:
            groups.append([])
        goal = groups[-1]
        if beside is not None:
            goal = self._group_of(beside, groups)
        source = self._group_of(person, groups)
        if goal is not source:
            self._move(person, source, goal, beside if swap else None)
        self.room.do("plan", groups=[group for group in groups if group])

    def _group_of(self, person: int, groups: list[list[int]]) -> list[int]:
        for group in groups:
            if person in group:
                return group
        raise MessageError("room.no_person")

    def _move(self, person: int, source: list[int], goal: list[int], other: int | None) -> None:
        """Move *person* to another group; *other*, if any, comes to where the person was."""
        if other is not None:
            source[source.index(person)] = other
            goal[goal.index(other)] = person
            return
        most = max(kit_of(self.lesson.settings.game).rules.player_counts)
        if len(goal) >= most:
            raise MessageError("room.table_full", allowed=most)
        source.remove(person)
        goal.append(person)

    @messages.handle(kind="shuffle")
    def shuffle_groups(self) -> None:
        """Put all who are here together by chance."""
        settings = self.lesson.settings
        people = list(self.room.people_here[:MOST])
        shuffle(self.room.chance, people)
        counts = kit_of(settings.game).rules.player_counts
        self.room.do("plan", groups=arrange([], people, counts, settings.table_size))

    @messages.handle()
    def keep_groups(self) -> None:
        """Let those sit together again who do so since the last deal."""
        if not self.lesson.last_groups:
            raise MessageError("room.no_groups")
        self.room.do("plan", groups=self.lesson.last_groups)

    @messages.handle()
    def pause(self, on: bool, table: int | None = None) -> None:
        """Let a table, or all, stand still or go on."""
        number = self._table_number(table)
        if not on and not self.room.open:
            raise MessageError("room.not_open")
        comes_back = self.room.held and not on
        if comes_back:
            self.room.go_on(number)
        if not comes_back or number is not None:
            self.room.do("pause", on=on, table=number)  # else those paused before still are

    @messages.handle(kind="ending")
    def end_at_points(self, on: bool, table: int | None = None) -> None:
        """End at the next points, or not after all."""
        self.room.do("ending", on=on, table=self._table_number(table))

    @messages.handle()
    def end_now(self, table: int | None = None) -> None:
        """End a table, or all, at once: the points are those of what has been scored."""
        number = self._table_number(table)
        over = self.lesson.all_over if number is None else self.lesson.tables[number].over
        if over:
            raise MessageError("room.table_over")
        self.room.do("end_now", table=number)

    def _table_number(self, table: int | None) -> int | None:
        return None if table is None else self._table(table).table_id

    def _table(self, number: int) -> RoomTable:
        for table in self.lesson.current_tables:
            if table.table_id == number:
                return table
        raise MessageError("room.no_table")

    @messages.handle(kind="watch")
    def enlarge(self, table: int | None = None) -> None:
        """Enlarge a table on the projector, or none."""
        self._enlarge(self._table_number(table))

    def _enlarge(self, number: int | None) -> None:
        self.room.enlarged_table = number
        for page in self.room.pages:
            if page.role == "projector":
                page.watching = number
        self.room.changed += 1

    @messages.handle(kind="debrief")
    def show_debrief(self, slide: int | None = None) -> None:
        """Show a piece of the debrief on the projector, or no more."""
        if slide is not None and (slide < 0 or not self.lesson.all_over):
            raise MessageError("room.still_playing")
        self.room.debrief = slide
        self.room.changed += 1

    @messages.handle()
    def moments(self, sender: Page, table: int) -> dict[str, Any]:
        """Answer with the moments to which a table can be taken back."""
        moments = [
            {"entry": entry, "words": words}
            for entry, words in self._table(table).moments(sender.language)
        ]
        return {"type": "moments", "table": table, "moments": moments}

    def _check_moment(self, table: int, entry: int) -> None:
        last = len(self._table(table).run.match.log)
        if not 0 <= entry <= last:
            raise MessageError("table.no_entry", got=entry, last=last)

    @messages.handle(kind="back")
    def take_back(self, table: int, entry: int) -> None:
        """Let a table go on from the moment after *entry* actions with new chance."""
        self._check_moment(table, entry)
        self.room.do("back", table=table, entry=entry, seed=new_seed())
        self.room.debrief = None  # it tells hands that are played again

    @messages.handle(kind="strategy")
    def seat_strategy(self, table: int, seat: int) -> None:
        """Let a strategy play the seat of a person from here on; they can watch."""
        at = self._table(table)
        if seat not in at.people or at.over:
            raise MessageError("room.no_seat")
        self._leave_to_strategy(at, seat)

    def _leave_to_strategy(self, table: RoomTable, seat: int) -> None:
        strategy = best_strategy(table.game, table.language)
        self.room.do("sit", table=table.table_id, seat=seat, who=strategy)

    @messages.handle(kind="sit")
    def seat_person(self, table: int, seat: int, person: int) -> None:
        """Give a strategy's seat to a person, who leaves their own."""
        at = self._table(table)
        self._check_person(person)
        if seat not in at.free_seats or at.over:
            raise MessageError("room.no_seat")
        place = self.lesson.table_of(person)
        if place is not None and not place[0].over:
            self._leave_to_strategy(*place)
        self.room.do("sit", table=table, seat=seat, who=person)

    # People

    def _check_person(self, person: int) -> None:
        if person not in self.lesson.people or self.lesson.people[person].left:
            raise MessageError("room.no_person")

    @messages.handle()
    def rename(self, person: int, name: str) -> None:
        """Give a person another name."""
        self._check_person(person)
        others = [one.name for one in self.lesson.members if one.person_id != person]
        self.room.do("rename", person=person, name=check_name(name, others))

    @messages.handle()
    def approve(self, person: int | None = None, on: bool = True) -> None:
        """Let others see the name of a person, or not; without one, all that only wait."""
        lesson = self.lesson
        if person is not None:
            self._check_person(person)
            self.room.do("approve", person=person, on=on)
            return
        for one in lesson.members:
            if one.approved is None and not lesson.is_listed(one.person_id):
                self.room.do("approve", person=one.person_id, on=True)

    @messages.handle()
    def agree(self, person: int, on: bool) -> None:
        """Give a person the name that they would like, or not."""
        self._check_person(person)
        wish = self.lesson.people[person].wish
        if not wish:
            raise MessageError("room.no_wish")
        if on:
            self.rename(person, wish)
        else:
            self.room.do("decline", person=person)

    @messages.handle(kind="class_list")
    def take_class_list(self, pasted: str) -> None:
        """Take a list of who is to come, in place of the one before; "" for none."""
        self.room.do("class_list", entries=[list(entry) for entry in read_class_list(pasted)])

    @messages.handle(kind="list_as")
    def list_person(self, person: int, label: str) -> None:
        """Say which entry of the list a person is; "" to leave that to the names."""
        self._check_person(person)
        if label and label not in [entry.label for entry in self.lesson.class_list]:
            raise MessageError("room.not_listed", got=shorten(label))
        for one in self.lesson.members:
            if label and one.listed_as == label:
                self.room.do("list_as", person=one.person_id, label="")
        self.room.do("list_as", person=person, label=label)

    @messages.handle(kind="word")
    def allow_tries(self, person: int) -> None:
        """Let a person try the number of their seat again."""
        self._check_person(person)
        self.room.do("word", person=person)

    @messages.handle()
    def remove(self, person: int) -> None:
        """Take a person out of the room."""
        self._check_person(person)
        self.room.do("remove", person=person)
        for page in self.room.pages_of(person):
            self.room.turn_away(page, "room.removed")

    @messages.handle(kind="names")
    def show_names(self, on: bool) -> None:
        """Show names, or numbers in their place."""
        self.room.do("names", on=on)

    # Maps

    @messages.handle()
    def let(self, part: Part, label: str, on: bool) -> None:
        """Let the projector show a word of the maps, spelled as in *label*, or no more."""
        if not label or len(label) > SHORT or label != clean(label):
            raise MessageError
        self.room.do("let", part=part, label=label, on=on)

    @messages.handle()
    def let_all(self, on: bool) -> None:
        """Let the projector show all words, also those to come, except those of the list."""
        self.room.do("let_all", on=on)

    # Questions, and strategies that are handed in

    @messages.handle()
    def ask(self, words: str, own: bool = False, form: dict[str, Any] | None = None) -> None:
        """Ask all: one of the game's questions by its name, or one that the teacher has typed.

        :param form: how their own is answered, see :func:`.read_form`; by default with words.
        """
        words = words.strip()[:LONGEST_QUESTION]
        if not is_visible(words):
            raise MessageError("room.no_question")
        if not own:
            question_of(self.lesson.settings.game, words)
            self.room.do("ask", words=words, own=False)
            return
        self.room.do("ask", words=words, own=True, **read_form(form or {}))

    @messages.handle()
    def collect(self, on: bool) -> None:
        """Let strategies for a league be handed in, or no more."""
        self.room.do("collect", on=on)

    @messages.handle()
    def close(self, question: int) -> None:
        """Take no more answers to a question."""
        self._check_question(question)
        self.room.do("close", question=question)
        self._end_stage()

    def _check_question(self, number: int) -> None:
        if not 0 <= number < len(self.lesson.questions):
            raise MessageError("room.no_question")

    @messages.handle()
    def show(
        self,
        answers: list[list[int]] | None = None,
        moments: list[list[int]] | None = None,
        spread: bool = False,
    ) -> None:
        """Show answers (question, person) or moments (table, entry) to all, in the order given.

        :param spread: whether all see how the numbers or choices of the last question are spread.
        """
        if moments:
            shown = _pairs(moments)
            if len(shown) > SIDE_BY_SIDE:
                raise MessageError("room.moments_full", allowed=SIDE_BY_SIDE)
            for table, entry in shown:
                self._check_moment(table, entry)
            self.room.do("show", moments=shown)
            return
        for number, person in _pairs(answers or []):
            self._check_question(number)
            asked = self.lesson.questions[number]
            if asked.is_open:
                raise MessageError("room.question_open")
            if person not in asked.answers:
                raise MessageError("room.no_answer")
        if spread:
            self._check_spread()
        self.room.do("show", answers=answers or [], spread=spread)

    def _check_spread(self) -> None:
        self._check_question(0)
        asked = self.lesson.questions[-1]
        if asked.is_open:
            raise MessageError("room.question_open")
        if not asked.can_show_spread:
            raise MessageError("room.few_answers", got=len(asked.values), allowed=FEWEST)


def _pairs(lists: list[list[int]]) -> list[tuple[int, int]]:
    """Return *lists*, of two numbers each.

    :raises MessageError: if one has more, or fewer.
    """
    if any(len(numbers) != 2 for numbers in lists):
        raise MessageError
    return [(one, other) for one, other in lists]


def _check_number(text_id: str, number: Any, allowed: range) -> None:
    """Raise :class:`MessageError` with a text unless *number* is one of those *allowed*."""
    if type(number) is not int or number not in allowed:
        raise MessageError(text_id, got=number, low=allowed.start, high=allowed.stop - 1)
