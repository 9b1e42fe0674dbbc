"""One table of a room: a match with a view for each seat and one for those who watch.

Time at a table runs only while it is not paused; nothing here looks at a clock.
"""

import logging
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

from coursekit.core.game import TABLE, Game, IllegalAction, Refusal, Seat, pick_action, sentence
from coursekit.core.match import is_race
from coursekit.core.strategy import AtRandom
from coursekit.kit import Guess, kit_of
from coursekit.kit.scene import Choice, Look, zones_of
from coursekit.table.players import Player, player_key, player_name, players_by_key
from coursekit.table.run import Run, StaleError
from coursekit.table.view import View
from coursekit.words.texts import join_words, seat_name, text

PACE = (0.7, 1.6)
"""Seconds that a strategy waits at least and at most before it decides, so that people can follow."""
MOMENT = 1.0
"""Seconds of a moment in a race, and until a strategy that had nothing to do is asked again."""
AGREE, ALONE = 15.0, 60.0
"""Seconds after which a table goes on once one of its people wants to, and if none does."""
BACK = 12
"""Moments that a teacher can take a table back to."""
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

    :param seats: who sits where: the number of a person, or the key of a strategy.
    :param names: of all seats, "" for a strategy.
    :param language: in which strategies write words.
    """

    def __init__(
        self,
        id: int,
        game: Game[Any, Any, Any],
        seats: Sequence[int | str],
        names: Sequence[str],
        seed: str,
        language: str,
    ) -> None:
        self.id, self.seats, self.language, self.game = id, list(seats), language, game
        self.run = Run(game, self._players(), names, seed, match_id=f"room-{id}", hosted=True)
        self.paused = self.held = False
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
        self._heard: dict[Seat, float] = {}  # when a person was heard of last, in the table's time
        self._turns: dict[Seat, float] = {}  # since when a seat can decide
        self._due: dict[Seat, float] = {}  # when a strategy is asked
        self._clocks: dict[str, tuple[float, Choice]] = {}  # what presses itself, and when
        self._thinking: set[Seat] = set()
        self._tempo = Random()
        self.points = game.scores(self.run.match.state)
        """Of each seat, as far as they are known."""
        self._look_around()

    def _players(self) -> list[Player]:
        known = players_by_key([*kit_of(self.game).players(self.language), AtRandom])
        return ["person" if isinstance(each, int) else known[each] for each in self.seats]

    # What is known of it

    @property
    def ended(self) -> bool:
        """Whether the teacher has ended it before the rules did."""
        return self.run.closed

    @property
    def over(self) -> bool:
        """Whether nothing more happens here."""
        return self.ended or self.run.match.over

    @property
    def still(self) -> bool:
        """Whether it stands still: the teacher has paused it, or the class is not back yet after a
        break.
        """
        return self.paused or self.held

    @property
    def people(self) -> dict[Seat, int]:
        """Who plays: the person's number by the seat."""
        return {seat: each for seat, each in enumerate(self.seats) if isinstance(each, int)}

    @property
    def free(self) -> list[Seat]:
        """The seats that strategies have."""
        return [seat for seat, each in enumerate(self.seats) if isinstance(each, str)]

    def seat_of(self, person: int) -> Seat | None:
        """Return the seat of *person*, ``None`` if there is none."""
        return next((seat for seat, each in self.people.items() if each == person), None)

    @property
    def waiting(self) -> tuple[Seat, ...]:
        """The seats that can decide now."""
        return (
            ()
            if self.over
            else tuple(seat for seat in self.game.to_act(self.run.match.state) if seat != TABLE)
        )

    @property
    def guess(self) -> Guessable | None:
        """What those who watch may guess of the decision that comes next; ``None`` if nothing."""
        if self.over or self.still or len(self.waiting) != 1:
            return None
        seen = self.game.observe(self.run.match.state, None)
        kind = kit_of(self.game).guesses.get(seen.phase)
        choices = tuple(kind.choices(seen)) if kind is not None else ()
        return (
            Guessable(kind, self.waiting[0], choices)
            if kind is not None and len(choices) > 1
            else None
        )

    def moments(self, language: str) -> list[tuple[int, str]]:
        """Return the latest moments that all have seen: the number of actions before each, and what
        happened next.
        """
        match, found = self.run.match, []
        kit = kit_of(self.game)
        by = [player_name(self.game.name, player, language) for player in self.run.players]
        look = Look(self.game, language, match.names, by)
        for entry in range(len(match.events) - 1, -1, -1):
            public = [event for event in match.events[entry] if event.is_for(None)]
            lines = [line for line in kit.log(public, look) if line]
            if lines:
                found.append((entry, lines[0]))
            if len(found) == BACK:
                break
        return found

    # What people do

    def act(self, seat: Seat, action: Any, person: bool = True) -> None:
        """Carry out the decision of *seat*, or of the table.

        What the log has stays, even if a mistake in the kit keeps it from being shown: the lesson's
        file has it, too.

        :raises IllegalAction: with the reason, if the rules do not allow it; then nothing has
            changed.
        """
        self.run.play(seat, action, person)
        self.since = self.time
        self.ready.clear()
        self._turns.pop(seat, None)
        self._due.pop(seat, None)
        self._follow()

    def _follow(self) -> None:
        """See what the last action has brought; a mistake in the kit stops the table."""
        try:
            points = self.game.scores(self.run.match.state)
            if self.ending and points != self.points:
                self.run.closed = True
            self.points = points
            self.run.go_on()
            self._look_around()
            self.broken = False
        except Exception:
            log.exception("table %s of a room cannot be shown", self.id)
            self.broken = True

    def must_allow(self, action: Any) -> None:
        """Raise :class:`.IllegalAction` unless people at the table can agree on its *action* now."""
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
        """Raise :class:`.StaleError` unless something sent from that scene of *seat* fits the moment."""
        if self.still:
            raise StaleError("room.held" if self.held else "room.paused")
        if self.over:
            raise StaleError("room.table_over")
        now = sum(each in (seat, TABLE) for each, _ in self.run.match.log)
        if (match, branch) != (self.run.id, self.run.branch) or acted not in (None, now):
            raise StaleError("table.stale")

    def attempt(self, seat: Seat, action: Any, language: str) -> dict[str, Any]:
        """Return why *seat* may not do *action*, and how it would lie on the table: an answer of
        ``tried``.
        """
        refusal, preview = self.run.attempt(seat, action)
        return {"text": self._why(refusal, language), "preview": preview, "about": _about(refusal)}

    def _why(self, refusal: Refusal | None, language: str) -> str:
        return (
            "" if refusal is None else sentence(self.game, refusal, language, self.run.match.names)
        )

    def heard(self, seat: Seat) -> None:
        """Note a touch of the person at *seat*, who gets the seat back from a strategy."""
        self._heard[seat] = self.time
        if seat in self.run.stood_in:
            self.run.stood_in.discard(seat)
            self._look_around()

    def excuse(self, seat: Seat) -> None:
        """Note that the person at *seat* has something else to do just now."""
        self._heard[seat] = self.time

    # Time

    def pass_time(self, seconds: float, grace: float) -> None:
        """Let *seconds* go by, unless the table is paused.

        :param grace: seconds after which a strategy decides for a person who is silent at their
            turn; in a race, in which people think before they write, three times as many.
        """
        if self.still or self.over:
            return
        self.time += seconds
        grace *= 3 if is_race(self.run.match) else 1
        for seat in self.people:
            waits_for = seat in self.waiting
            last = max(self._turns.get(seat, self.time), self._heard.get(seat, 0.0))
            if waits_for and seat not in self.run.stood_in and self.time - last >= grace:
                self.run.stood_in.add(seat)
                self.version += 1
                self._look_around()

    @property
    def pressed(self) -> Any:
        """The table's action if it is time for it: its countdown is over, or its people have had
        time to agree.
        """
        if self.still or self.over or TABLE not in self.game.to_act(self.run.match.state):
            return None
        run_down = [choice["action"] for due, choice in self._clocks.values() if due <= self.time]
        if run_down:
            return run_down[0]
        if self._clocks:
            return None
        action = pick_action(self.game.legal_actions(self.run.match.state, TABLE), self._tempo)
        wanted = self.ready and self.time - min(self.ready.values()) >= AGREE
        undecided = [
            seat for seat in self.waiting if seat in self.people and seat not in self.run.stood_in
        ]
        return action if wanted or (not undecided and self.time - self.since >= ALONE) else None

    @property
    def left(self) -> dict[str, float]:
        """Seconds until what runs down presses itself, by its key."""
        return {key: round(max(0.0, due - self.time), 1) for key, (due, _) in self._clocks.items()}

    def _look_around(self) -> None:
        """Note what has begun to run down, and whom a strategy decides for."""
        self.version += 1
        run, choices = self.run, list[Choice]()
        if TABLE in self.game.to_act(run.match.state):
            draw = kit_of(self.game).scene
            assert draw is not None
            seen = self.game.observe(run.match.state, None)
            scene = draw(seen, run.seat_log(None).story, self._look)
            choices = [
                choice for zone in zones_of(scene["zones"]) for choice in zone.get("choices", [])
            ]
        running = {
            choice["key"]: choice
            for choice in choices
            if "after" in choice and choice.get("seat") == TABLE
        }
        self._clocks = {
            key: self._clocks.get(key, (self.time + choice["after"], choice))
            for key, choice in running.items()
        }
        self._turns = {seat: self._turns.get(seat, self.time) for seat in self.waiting}
        playing = {seat for seat in self.waiting if seat in self.free or seat in run.stood_in}
        self._due = {seat: self._due.get(seat, self.time + self._hesitation()) for seat in playing}

    @property
    def _look(self) -> Look:
        by = [player_name(self.game.name, player, self.language) for player in self.run.players]
        return Look(self.game, self.language, self.run.match.names, by)

    def _hesitation(self) -> float:
        low, high = PACE
        return MOMENT if is_race(self.run.match) else low + (high - low) * self._tempo.random()

    # Strategies

    def jobs(self) -> Iterator[Job]:
        """Yield the decisions that strategies are to be asked for now."""
        if self.still or self.over:
            return
        run = self.run
        for seat, due in list(self._due.items()):
            if due <= self.time and seat not in self._thinking and seat in self.waiting:
                self._thinking.add(seat)
                kind = self.seats[seat]
                player = kind if isinstance(kind, str) else best_strategy(self.game, self.language)
                seen = self.game.observe(run.match.state, seat)
                yield Job(
                    self.id,
                    run.branch,
                    seat,
                    player,
                    self.language,
                    self.game,
                    run.match.seed,
                    seen,
                )

    def thought(self, job: Job, action: Any) -> Any:
        """Take what a strategy has answered; return an action to carry out, ``None`` if there is
        nothing to do.

        An answer that comes too late or is not allowed is dropped, and the strategy asked again.
        """
        if job.branch != self.run.branch:
            return None
        self._thinking.discard(job.seat)
        if self.still or self.over or job.seat not in self._due:
            return None
        self._due[job.seat] = self.time + (MOMENT if action is None else self._hesitation())
        if action is None or self.game.refusal(self.run.match.state, job.seat, action) is not None:
            return None
        return action

    # What the teacher does

    def hold(self, on: bool) -> None:
        """Let it stand still until the teacher goes on, or no more; the lesson's file knows nothing
        of it.
        """
        self.held = on
        self.version += 1

    def pause(self, on: bool) -> None:
        """Stop the table's time, or let it go on."""
        self.paused = on
        if self.broken and not on:  # to be tried again
            self._follow()
        self.version += 1

    def end(self) -> None:
        """End here, whatever the rules say."""
        if not self.over:
            self.run.closed = True
            self.version += 1

    def seat_otherwise(self, seats: Sequence[int | str], names: Sequence[str]) -> None:
        """Let others go on from here; *seats* and *names* as for a new table."""
        self.seats = list(seats)
        self._begin_anew()
        self.run.seat_otherwise(self._players(), names)
        self._look_around()

    def take_back(self, entry: int, seed: str) -> None:
        """Go on from the moment after *entry* actions with new chance."""
        self._begin_anew()
        self._clocks.clear()
        self.run.take_back(entry, seed)
        self.run.closed, self.points = False, self.game.scores(self.run.match.state)
        self._look_around()

    def _begin_anew(self) -> None:
        self.ready.clear()
        self._thinking.clear()
        self._due.clear()
        self._turns.clear()
        self.run.stood_in.clear()
        self.since = self.time

    # What is seen of it

    def shown(self, view: View, language: str) -> dict[str, Any]:
        """Return what *view* shows now, with what a page of a room has otherwise than a page of its
        own.
        """
        found = view.json(language)
        open_ = self.over  # then each page may look back: at an ended match as its viewer saw it
        for part in ("entry", "entries") if not open_ else ():
            found.pop(part, None)
        return found | {
            "table": self.run.id,
            "seed": None,
            "more": False,
            "may_save": False,
            "may_look_back": open_,
            "kept": False,
            "named": True,
            "offer": None,
            "boxes": [],
            "trouble": None,
            "racing": 0,
            "people": 1,  # at this screen
            "hosted": True,
            "paused": self.still or self.over,
            "left": self.left,
            "notice": self.notice(view.seat, language),
        }

    def notice(self, seat: Seat | None, language: str) -> str:
        """Return what is said above the table: that it stands still, or whom it waits for to go on."""
        if self.ended:
            return text("room.ended_by_teacher", language)
        if self.still:
            return text("room.held" if self.held else "room.paused", language)
        if self.ending and not self.over:
            return text("room.ending", language)
        missing = [
            each for each in self.people if each not in self.ready and each not in self.run.stood_in
        ]
        if self.ready and missing:
            names = join_words(
                [seat_name(each, language, self.run.match.names) for each in missing], language
            )
            return text("room.agreeing", language, who=names)
        return ""


def _about(refusal: Refusal | None) -> list[Any]:
    return [] if refusal is None else list(refusal.values.get("about", ()))
