"""One table of a room: a match with a view for each seat and one for those who watch.

Time at a table runs only while it is not paused; nothing here looks at a clock.
"""

import logging
from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

from coursekit.core.game import TABLE, Game, IllegalAction, Seat, pick_action, sentence
from coursekit.core.match import is_race, replay
from coursekit.core.strategy import AtRandom
from coursekit.kit import Guess, kit_of, standing_of
from coursekit.kit.scene import Choice, Look, zones_of
from coursekit.kit.standing import Standing
from coursekit.room.seat_history import SeatHistory, Stay
from coursekit.table.players import Player, player_key, player_name, players_by_key
from coursekit.table.run import Run, StaleError
from coursekit.table.view import View
from coursekit.words.texts import join_words, seat_name, text

PACE = (0.7, 1.6)
"""Minimum and maximum seconds before a strategy decides, so that people can follow."""
MOMENT = 1.0
"""Seconds of a moment in a race, and until a strategy that had nothing to do is asked again."""
AGREE = 15.0
"""Seconds after which a table goes on once one of its people wants to."""
ALONE = 60.0
"""Seconds after which a table goes on if none of its people decides anything."""
WARNING = 10.0
"""Seconds for which a person is told that a strategy is about to decide for them."""
LONGER = 3
"""How many times the grace people have in a race, and for their first decision at a table."""
BACK = 12
"""Number of moments that a teacher can take a table back to."""
log = logging.getLogger(__name__)


class Job(NamedTuple):
    """A decision that a strategy is asked for."""

    table: int
    branch: int
    seat: Seat
    player: str
    """The key of the strategy."""
    language: str
    game: Game[Any, Any, Any]
    seed: str
    observation: Any


class Guessable(NamedTuple):
    """A decision that those who watch can guess."""

    kind: Guess
    seat: Seat
    """Whose decision it is."""
    choices: tuple[str, ...]


def best_strategy(game: Game[Any, Any, Any], language: str) -> str:
    """Return the key of the strategy that fills the seats of *game* which people leave."""
    kits = kit_of(game).players(language)
    return player_key(kits[-1] if kits else AtRandom)


class RoomTable:
    """A match that people play at screens of their own.

    :param table_id: tells it from all other tables of the lesson.
    :param seats: who sits where: the number of a person, or the key of a strategy.
    :param names: of all seats, "" for a strategy.
    :param language: in which strategies write words.
    :param deal: of the lesson, from 1.
    :param number: by which its class knows it: the tables of each deal count from 1.
    """

    def __init__(
        self,
        table_id: int,
        game: Game[Any, Any, Any],
        seats: Sequence[int | str],
        names: Sequence[str],
        seed: str,
        language: str,
        deal: int = 1,
        number: int = 1,
    ) -> None:
        self.table_id = table_id
        self.deal = deal
        self.number = number
        self.seats = list(seats)
        self.history = SeatHistory(seats)
        self.language = language
        self.game = game
        self.run = Run(game, self._players(), names, seed, match_id=f"room-{table_id}", hosted=True)
        self.paused = False
        self.held = False
        """Whether it stands still because its class is not there yet."""
        self.ending = False
        """Whether it ends with the next points."""
        self.time = 0.0
        """Seconds that this table has played."""
        self.since = 0.0
        """When the last action was, in the table's time."""
        self.broken = False
        """Whether a mistake in the kit has stopped it, until the teacher lets it go on."""
        self.version = 0
        """Rises with all that a viewer may have to be told."""
        self.ready: dict[Seat, float] = {}
        """Who wants to go on where that is nobody's decision, and since when."""
        self.warned: set[Seat] = set()
        """The people who are told that a strategy is about to decide for them."""
        self.stand_ins: dict[Seat, list[int]] = {}
        """What a strategy has decided for a person since their last touch: entries of the log."""
        self._settled: set[Seat] = set()  # the people who have decided something here
        self._touches: dict[Seat, float] = {}  # the last one of a person, in the table's time
        self._turns: dict[Seat, float] = {}  # since when a seat can decide
        self._due: dict[Seat, float] = {}  # when a strategy is asked
        self._clocks: dict[str, tuple[float, Choice]] = {}  # what presses itself, and when
        self._thinking: set[Seat] = set()
        self._tempo = Random()
        self.standing = standing_of(self.run.match)
        """How its players stand now, or stood when it ended."""
        self._scores = game.scores(self.run.match.state)
        self._look_around()

    def _players(self) -> list[Player]:
        strategies = players_by_key([*kit_of(self.game).players(self.language), AtRandom])
        return [
            "person" if isinstance(player, int) else strategies[player] for player in self.seats
        ]

    @property
    def ended(self) -> bool:
        """Whether the teacher has ended it before the rules did."""
        return self.run.closed

    @property
    def over(self) -> bool:
        """Whether nothing more happens here."""
        return self.ended or self.run.match.over

    @property
    def is_still(self) -> bool:
        """Whether it stands still: the teacher has paused it, or its class is not back yet."""
        return self.paused or self.held

    @property
    def people(self) -> dict[Seat, int]:
        """Who plays: the person's number by the seat."""
        return {seat: player for seat, player in enumerate(self.seats) if isinstance(player, int)}

    @property
    def free_seats(self) -> list[Seat]:
        """The seats that strategies have."""
        return [seat for seat, player in enumerate(self.seats) if isinstance(player, str)]

    @property
    def points(self) -> Sequence[int]:
        """Of each seat, as far as they are known; where a match was cut short, those that count."""
        return self.standing.points if self.ended else self._scores

    def standing_at(self, entry: int) -> Standing:
        """Return how its players stood after *entry* actions."""
        return standing_of(replay(self.run.match.record(), entry, self.game))

    def count_decisions(self, seat: Seat, stay: Stay) -> tuple[int, int]:
        """Return how many decisions the player of *stay* took, and a strategy in their place."""
        log = self.run.match.log[stay.begin : stay.end]
        deciders = self.history.deciders[stay.begin : stay.end]
        taken = [decider for (actor, _), decider in zip(log, deciders) if actor == seat]
        own = len(taken) if isinstance(stay.player, str) else taken.count(stay.player)
        return own, len(taken) - own

    @property
    def stood_in(self) -> list[int]:
        """The entries of the log that a strategy decided in the seat of a person."""
        return [
            entry
            for entry, (seat, _) in enumerate(self.run.match.log)
            if seat != TABLE
            and self.history.deciders[entry] is None
            and isinstance(self.history.player_at(entry, seat), int)
        ]

    @property
    def own_decisions(self) -> frozenset[int]:
        """The entries of the log that a person decided for their own seat."""
        log, deciders = self.run.match.log, self.history.deciders
        return frozenset(
            entry
            for entry, (seat, _) in enumerate(log)
            if seat != TABLE and deciders[entry] is not None
        )

    def seat_of(self, person: int | None) -> Seat | None:
        """Return the seat of *person*, ``None`` if there is none."""
        for seat, player in self.people.items():
            if player == person:
                return seat
        return None

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats that can decide now."""
        if self.over:
            return ()
        return tuple(seat for seat in self.game.to_act(self.run.match.state) if seat != TABLE)

    @property
    def guess(self) -> Guessable | None:
        """What those who watch may guess of the decision that comes next; ``None`` if nothing."""
        if self.over or self.is_still or len(self.to_act) != 1:
            return None
        observation = self.game.observe(self.run.match.state, None)
        kind = kit_of(self.game).guesses.get(observation.phase)
        if kind is None:
            return None
        choices = tuple(kind.choices(observation))
        return Guessable(kind, self.to_act[0], choices) if len(choices) > 1 else None

    def moments(self, language: str) -> list[tuple[int, str]]:
        """Return the latest moments that all have seen, each with what happened next.

        A moment is the number of actions before it.
        """
        match = self.run.match
        kit = kit_of(self.game)
        look = self._look(language)
        moments: list[tuple[int, str]] = []
        for entry in range(len(match.events) - 1, -1, -1):
            public = [event for event in match.events[entry] if event.is_for(None)]
            lines = [line for line in kit.log(public, look) if line]
            if lines:
                moments.append((entry, lines[0]))
            if len(moments) == BACK:
                break
        return moments

    def _look(self, language: str) -> Look:
        strategies = [player_name(self.game.name, player, language) for player in self.run.players]
        return Look(self.game, language, self.run.match.names, strategies)

    # What people do

    def act(self, seat: Seat, action: Any, person: int | None) -> None:
        """Carry out the decision of *seat*, or of the table, which *person* has taken.

        What the log has stays, even if a mistake in the kit keeps it from being shown: the lesson's
        file has it, too.

        :param person: ``None`` for a strategy, or for the table's own time.
        :raises IllegalAction: with the reason, if the rules do not allow it; then nothing has
            changed.
        """
        entry = len(self.run.match.log)
        self.run.play(seat, action, person is not None)
        self.history.note(person)
        if person is not None:
            self._settled.add(seat)
            self.stand_ins.pop(seat, None)
        elif seat in self.people:
            self.stand_ins.setdefault(seat, []).append(entry)
        self.since = self.time
        self.ready.clear()
        self._turns.pop(seat, None)
        self._due.pop(seat, None)
        self._follow()

    def _follow(self) -> None:
        """See what the last action has brought; a mistake in the kit stops the table."""
        try:
            rounds = self.standing.rounds
            self._count()
            if self.ending and self.standing.rounds > rounds:
                self.run.closed = True
            self.run.go_on()
            self._look_around()
            self.broken = False
        except Exception:
            log.exception("table %s of a room cannot be shown", self.table_id)
            self.broken = True

    def _count(self) -> None:
        """Count the points; pages ask for them, so a mistake in the kit must show here."""
        self.standing = standing_of(self.run.match)
        self._scores = self.game.scores(self.run.match.state)

    def must_allow(self, action: Any) -> None:
        """Raise :class:`.IllegalAction` unless people can agree on the table's *action* now."""
        refusal = self.game.refusal(self.run.match.state, TABLE, action)
        if refusal is not None:
            raise IllegalAction(self.game, TABLE, action, refusal)
        if any(choice.get("held") for _, choice in self._clocks.values()):
            raise StaleError("table.stale")

    def want(self, seat: Seat) -> None:
        """Note that the person at *seat* wants to go on where that is nobody's decision."""
        if seat not in self.ready:
            self.ready[seat] = self.time
            self.version += 1

    def check(self, seat: Seat, match: str, branch: int, acted: int | None = None) -> None:
        """Raise :class:`.StaleError` unless a message of *seat* from that scene fits the moment."""
        if self.is_still:
            raise StaleError("room.held" if self.held else "room.paused")
        if self.over:
            raise StaleError("room.table_over")
        count = sum(actor in (seat, TABLE) for actor, _ in self.run.match.log)
        if (match, branch) != (self.run.id, self.run.branch) or acted not in (None, count):
            raise StaleError("table.stale")

    def attempt(self, seat: Seat, action: Any, language: str) -> dict[str, Any]:
        """Return why *seat* may not do *action*, and how it would lie on the table."""
        refusal, preview = self.run.attempt(seat, action)
        if refusal is None:
            return {"text": "", "preview": preview, "about": []}
        words = sentence(self.game, refusal, language, self.run.match.names)
        return {"text": words, "preview": preview, "about": list(refusal.values.get("about", ()))}

    def note_touch(self, seat: Seat) -> None:
        """Note a touch of the person at *seat*, who gets the seat back from a strategy."""
        self._touches[seat] = self.time
        self.stand_ins.pop(seat, None)
        if seat in self.warned:
            self.warned.discard(seat)
            self.version += 1
        if seat in self.run.stood_in:
            self.run.stood_in.discard(seat)
            self._look_around()

    def excuse(self, seat: Seat) -> None:
        """Note that the person at *seat* has something else to do just now."""
        self._touches[seat] = self.time

    # Time

    def pass_time(self, seconds: float, grace: float) -> None:
        """Let *seconds* go by, unless the table is paused.

        :param grace: seconds after which a strategy decides for a person who is silent at their
            turn; :data:`LONGER` for a first decision, and in a race, in which people think before
            they write.
        """
        if self.is_still or self.over:
            return
        self.time += seconds
        warned = set[Seat]()
        for seat in self.people:
            deadline = self.deadline(seat, grace)
            if deadline is None:
                continue
            if deadline <= self.time:
                self.run.stood_in.add(seat)
                self._look_around()
            elif deadline - self.time <= min(WARNING, grace / 2):
                warned.add(seat)
        if warned != self.warned:
            self.warned = warned
            self.version += 1

    def deadline(self, seat: Seat, grace: float) -> float | None:
        """Return when a strategy decides for the person at *seat*, in the table's time.

        ``None`` if nothing is asked of them, or a strategy decides for them already.
        """
        if seat not in self.to_act or seat in self.run.stood_in:
            return None
        if seat not in self._settled or is_race(self.run.match):
            grace *= LONGER
        return max(self._turns.get(seat, self.time), self._touches.get(seat, 0.0)) + grace

    def _renew_grace(self) -> None:
        """Give all the whole grace again: they have looked at something else than the table."""
        self._turns = dict.fromkeys(self._turns, self.time)
        self.warned.clear()

    @property
    def due_action(self) -> Any:
        """The table's action if its countdown is over or its people have had time to agree."""
        if self.is_still or self.over or TABLE not in self.game.to_act(self.run.match.state):
            return None
        for due, choice in self._clocks.values():
            if due <= self.time:
                return choice["action"]
        if self._clocks:
            return None
        wanted = self.ready and self.time - min(self.ready.values()) >= AGREE
        undecided = set(self.to_act).intersection(self.people) - self.run.stood_in
        if wanted or (not undecided and self.time - self.since >= ALONE):
            return pick_action(self.game.legal_actions(self.run.match.state, TABLE), self._tempo)
        return None

    @property
    def countdowns(self) -> dict[str, float]:
        """Seconds until what runs down presses itself, by its key."""
        return {key: round(max(0.0, due - self.time), 1) for key, (due, _) in self._clocks.items()}

    def _look_around(self) -> None:
        """Note what has begun to run down, and whom a strategy decides for."""
        self.version += 1
        self._clocks = {
            choice["key"]: self._clocks.get(choice["key"], (self.time + choice["after"], choice))
            for choice in self._table_choices()
            if "after" in choice and choice.get("seat") == TABLE
        }
        self._turns = {seat: self._turns.get(seat, self.time) for seat in self.to_act}
        self._due = {
            seat: self._due.get(seat, self.time + self._hesitation())
            for seat in self.to_act
            if seat in self.free_seats or seat in self.run.stood_in
        }

    def _table_choices(self) -> list[Choice]:
        """Return the choices in the scene of those who watch, if the table itself can act."""
        if TABLE not in self.game.to_act(self.run.match.state):
            return []
        draw = kit_of(self.game).scene
        assert draw is not None
        observation = self.game.observe(self.run.match.state, None)
        scene = draw(observation, self.run.seat_log(None).story, self._look(self.language))
        return [choice for zone in zones_of(scene["zones"]) for choice in zone.get("choices", [])]

    def _hesitation(self) -> float:
        low, high = PACE
        return MOMENT if is_race(self.run.match) else low + (high - low) * self._tempo.random()

    # Strategies

    def jobs(self) -> Iterator[Job]:
        """Yield the decisions that strategies are to be asked for now."""
        if self.is_still or self.over:
            return
        run = self.run
        for seat, due in list(self._due.items()):
            if due > self.time or seat in self._thinking or seat not in self.to_act:
                continue
            self._thinking.add(seat)
            player = self.seats[seat]
            if isinstance(player, int):
                player = best_strategy(self.game, self.language)
            observation = self.game.observe(run.match.state, seat)
            name = (self.table_id, run.branch, seat, player)
            yield Job(*name, self.language, self.game, run.match.seed, observation)

    def accept(self, job: Job, action: Any) -> Any:
        """Return the decision of a strategy if it is to be carried out, ``None`` if not.

        An answer that comes too late or is not allowed is dropped, and the strategy asked again.
        """
        if job.branch != self.run.branch:
            return None
        self._thinking.discard(job.seat)
        if self.is_still or self.over or job.seat not in self._due:
            return None
        self._due[job.seat] = self.time + (MOMENT if action is None else self._hesitation())
        if action is None or self.game.refusal(self.run.match.state, job.seat, action) is not None:
            return None
        return action

    # What the teacher does

    def hold(self, on: bool) -> None:
        """Let it stand still, or no more; the lesson's file knows nothing of it."""
        self.held = on
        self._renew_grace()
        self.version += 1

    def pause(self, on: bool) -> None:
        """Stop the table's time, or let it go on."""
        self.paused = on
        self._renew_grace()
        if self.broken and not on:  # to be tried again
            self._follow()
        self.version += 1

    def end(self) -> None:
        """End here, whatever the rules say."""
        if not self.over:
            self.run.closed = True
            self.version += 1

    def reseat(self, seats: Sequence[int | str], names: Sequence[str]) -> None:
        """Let others go on from here; *seats* and *names* as for a new table."""
        self._settled -= {seat for seat, player in enumerate(seats) if player != self.seats[seat]}
        self.seats = list(seats)
        self.history.reseat(seats)
        self._begin_anew()
        self.run.seat_otherwise(self._players(), names)
        self._look_around()

    def take_back(self, entry: int, seed: str) -> None:
        """Go on from the moment after *entry* actions with new chance."""
        self._begin_anew()
        self._clocks.clear()
        self.run.take_back(entry, seed)
        self.history.take_back(entry)
        self.run.closed = False
        self._count()
        self._look_around()

    def _begin_anew(self) -> None:
        self.ready.clear()
        self._thinking.clear()
        self._due.clear()
        self._turns.clear()
        self.run.stood_in.clear()
        self.warned.clear()
        self.stand_ins.clear()
        self.since = self.time

    # What a page shows of it

    def view_json(self, view: View, language: str) -> dict[str, Any]:
        """Return what *view* shows now, as a page of a room shows it."""
        content = view.json(language)
        if not self.over:  # else each page may look back, at an ended match as its viewer saw it
            content.pop("entry", None)
            content.pop("entries", None)
        return content | {
            "table": self.run.id,
            "seed": None,
            "more": False,
            "may_save": False,
            "may_look_back": self.over,
            "kept": False,
            "named": True,
            "offer": None,
            "boxes": [],
            "trouble": None,
            "racing": 0,
            "people": 1,  # at this screen
            "hosted": True,
            "paused": self.is_still or self.over,
            "left": self.countdowns,
            "notice": self.notice(language),
            "where": text("room.table", language, number=self.number),
        }

    @property
    def why_still(self) -> str:
        """Why it stands still, as the end of the text ids about that; "" if it does not."""
        if self.over or not self.is_still:
            return ""
        if self.held:
            return "held"
        return "broken" if self.broken else "paused"

    def stand_in_lines(self, seat: Seat, entries: Iterable[int], language: str) -> list[str]:
        """Return what a strategy has decided for the person at *seat*, as they may read it.

        :param entries: of the log.
        """
        name = text("room.computer", language)
        names = [
            name if other == seat else self.run.match.names[other] for other in self.game.seats
        ]
        look = Look(self.game, language, names)
        seat_log = self.run.seat_log(seat)
        lines = []
        for entry in entries:
            story = seat_log.story[: seat_log.counts[entry + 1]]
            told = kit_of(self.game).log(story, look, seat_log.counts[entry])
            words = [line for line in told if line]
            if words:
                lines.append(words[0][:1].upper() + words[0][1:])
        return lines

    def notice(self, language: str) -> str:
        """Return the line above the table: that it ends, or whom it waits for to go on."""
        if self.over:  # the table tells by itself how it ended
            return ""
        if self.ending:
            return text("room.ending", language)
        names = [
            seat_name(person_seat, language, self.run.match.names)
            for person_seat in self.people
            if person_seat not in self.ready and person_seat not in self.run.stood_in
        ]
        if self.ready and names:
            return text("room.agreeing", language, who=join_words(names, language))
        return ""
