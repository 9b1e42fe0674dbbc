"""A running match, its record, and replay to any moment of it."""

import json
import pickle
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import asdict, dataclass
from functools import cached_property
from random import Random
from time import perf_counter
from typing import Any, NamedTuple

from coursekit.core import registry
from coursekit.core.chance import new_seed, shuffle, stream
from coursekit.core.errors import InterruptedDecision, LocalizedError, OptionError
from coursekit.core.game import (
    TABLE,
    Event,
    Game,
    IllegalAction,
    Seat,
    check_game,
    pick_action,
    turn_observer,
)
from coursekit.core.lasting_state import StateWatch
from coursekit.core.options import to_tuples
from coursekit.core.strategy import (
    Strategy,
    ask_strategy,
    illegal_action_error,
    make_players,
    strategy_error,
    timeout_error,
)
from coursekit.core.surroundings import Surroundings
from coursekit.core.watchdog import ask_in_time, current_watch, watch_work
from coursekit.words.characters import is_visible
from coursekit.words.texts import LANGUAGES, game_titles, join_words, shorten

RECORD_FORMAT = 1
"""Version of the record file; each game's rules have a version of their own."""

IDLE_MOMENTS = 10_000
"""Maximum moments of a race without a decision. At a table a moment is a second: nearly three
hours.
"""


def play_out(
    game: Game[Any, Any, Any], strategies: Sequence[type[Strategy]], seed: str | int | None = None
) -> "Match":
    """Play a whole match, with ``strategies[i]`` at seat *i*, and return it.

    :raises StrategyError: naming the strategy and its line, if one raises or plays nonsense, or
        if all wait for each other (in a race, for :data:`IDLE_MOMENTS` moments).
    """

    match = Match(game, seed)

    def play() -> Match:
        match.play_on(make_players(game, strategies, match.seed), stream(match.seed, "order"))
        return match

    if not any(getattr(kind, "guarded", False) for kind in strategies):
        return play()
    state = StateWatch(strategies)
    try:
        with match.surroundings.entered(once=True):
            watch_work(play)
    except InterruptedDecision as error:
        kind = getattr(error.who, "kind", type(error.who))
        raise strategy_error(kind, error.seat, error) from error
    state.tell_changes()
    return match


class LogEntry(NamedTuple):
    """One entry of the log of a match: who did what, and what happened."""

    seat: Seat
    action: Any
    events: Sequence[Event]


class Match:
    """One match: checks each action, carries it out, and keeps the log and the events.

    Going through a match yields a :class:`LogEntry` for each action so far::

        match = Match(Wizard(4), seed=1)
        while not match.over:
            match.play(match.turn, match.legal()[0])
        for seat, action, events in match:
            print(seat, action)

    :param seed: any text or number; ``None`` for 128 random bits.
    :param names: the players' names by seat; an empty one is shown as "Player 1".
    :raises ValueError: for more names than players, or a name that is not a text of up to 40
        letters, or one of which nothing is drawn.
    """

    def __init__(
        self, game: Game[Any, Any, Any], seed: str | int | None = None, names: Sequence[str] = ()
    ) -> None:
        check_game(game)
        _check_names(names, game.players)
        self.game = game
        self.seeds: list[tuple[int, str]] = [(0, new_seed() if seed is None else str(seed))]
        """(entry, seed): from that log entry on, chance comes from that seed."""
        self.names = tuple(names)
        self.people: tuple[Seat, ...] | None = None
        """The seats that people have decided for, in order; ``None`` if unknown.

        An action does not say who took it, so the table notes it here.
        """
        self.taken_back: tuple[tuple[int, Seat, Any], ...] = ()
        """Decisions that were taken back: after how many actions, whose, and what."""
        self.log: list[tuple[Seat, Any]] = []
        self.events: list[Sequence[Event]] = []
        """The events of each entry of :attr:`log`, for all audiences: see :meth:`story`."""
        self.seconds = [0.0] * game.players
        """How long the strategies at each seat have taken to decide; no record has it."""
        self._rng = stream(self.seed, "chance")
        self.state = game.initial_state(self._rng)
        self.opening = game.opening(self.state)

    def play_on(self, players: Sequence[Strategy | None], order: Random) -> None:
        """Let *players* decide until the match is over, or a seat must decide that has none.

        :param players: one at each seat, ``None`` for none.
        :param order: chance, by which seats that can decide at once are asked in turn.
        :raises StrategyError: naming the strategy and its line, if one raises or plays nonsense, or
            if all wait.
        """
        # Looked up once, since a tournament spends its time in this loop.
        game, state, chance = self.game, self.state, self._rng
        log, events, seconds, clock = self.log, self.events, self.seconds, perf_counter
        observe_turn, apply = turn_observer(game), game.apply
        seats = [
            (player, player and player.decide, player and player.guarded) for player in players
        ]
        watch = current_watch() if any(guarded for *_, guarded in seats) else None
        while True:
            while (obs := observe_turn(state)) is not None:
                # Kept, since a strategy may write to what it observes.
                seat, legal, phase = obs.seat, obs.legal, obs.phase
                player, decide, guarded = seats[seat]
                if player is None:
                    return
                begun = clock()
                try:
                    if guarded:
                        action = ask_in_time(decide, obs, player, seat, watch)
                    else:
                        action = decide(obs)
                except BaseException as error:
                    raise strategy_error(type(player), seat, error, player, phase) from error
                seconds[seat] += clock() - begun
                kind = type(action)
                if ((kind is int or kind is str) and action in legal) or _is_listed(action, legal):
                    try:
                        events.append(apply(state, seat, action, chance))
                    except Exception:
                        self._go_back()
                        raise
                    log.append((seat, action))
                else:
                    self._play_for(player, seat, action, phase)
            deciding = game.to_act(state)
            if not deciding or any(players[seat] is None for seat in deciding if seat != TABLE):
                return
            if not step_any(self, deciding, players, order):
                player = players[deciding[0]]
                assert player is not None
                raise timeout_error(player, deciding[0])

    @cached_property
    def surroundings(self) -> Surroundings:
        """What learners' strategies find around them in this match."""
        return Surroundings(self.seed)

    @property
    def seed(self) -> str:
        """The seed that chance comes from now."""
        return self.seeds[-1][1]

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return not self.game.to_act(self.state)

    @property
    def turn(self) -> Seat | None:
        """The seat that decides now, the first of several; ``None`` when the match is over."""
        deciding = self.game.to_act(self.state)
        return deciding[0] if deciding else None

    def legal(self, seat: Seat | None = None) -> Any:
        """Return what *seat*, by default the one whose :attr:`turn` it is, may do now.

        That is a tuple of actions, ``()`` if it has nothing to decide; or what answers ``in`` and
        can ``sample(rng)``, where a hand writes or draws.
        """
        deciding = self.game.to_act(self.state)
        if seat is None and deciding:
            seat = deciding[0]
        return self.game.legal_actions(self.state, seat) if seat in deciding else ()

    def __iter__(self) -> Iterator[LogEntry]:
        for (seat, action), events in zip(self.log, self.events):
            yield LogEntry(seat, action, events)

    def __repr__(self) -> str:
        done = f"{len(self.log)} action{'s' * (len(self.log) != 1)}"
        if self.over:
            return (
                f"Match({self.game!r}: {done}, over, points {tuple(self.game.scores(self.state))})"
            )
        return f"Match({self.game!r}: {done}, turn {self.turn})"

    def play(self, seat: Seat, action: Any) -> Sequence[Event]:
        """Carry out *seat*'s *action* and return what happened.

        :raises IllegalAction: with the reason, if the rules do not allow it; nothing has changed.
        """
        refusal = self.game.refusal(self.state, seat, action)
        if refusal is not None:
            raise IllegalAction(self.game, seat, action, refusal)
        return self._carry_out(seat, action)

    def _carry_out(self, seat: Seat, action: Any) -> Sequence[Event]:
        """Carry out a legal *action*, note it and return what happened."""
        try:
            events = self.game.apply(self.state, seat, action, self._rng)
        except Exception:
            self._go_back()
            raise
        self.log.append((seat, action))
        self.events.append(events)
        return events

    def _go_back(self) -> None:
        """Go back to where the log stands, after a mistake in the rules."""
        before = replay(self.record(), game=self.game)
        self.state = before.state
        self._rng = before._rng

    def _play_for(self, player: Strategy, seat: Seat, action: Any, phase: str) -> Sequence[Event]:
        try:
            return self.play(seat, action)
        except IllegalAction as error:
            raise illegal_action_error(player, seat, error, phase) from error

    def story(self, seat: Seat | None, since: int = 0) -> list[Event]:
        """Return the events that *seat* may read, from log entry *since* on."""
        entries = self.events[since:] if since else [self.opening, *self.events]
        return [event for events in entries for event in events if event.is_for(seat)]

    def record(self) -> "Record":
        """Return the save file of the match so far.  It reveals every hand."""
        return Record(
            self.game.name,
            self.game.version,
            self.game.players,
            asdict(self.game.options),
            self.names,
            tuple(self.seeds),
            tuple(self.log),
            self.people,
            self.taken_back,
        )

    def undo(self) -> LogEntry:
        """Go back to before the last action and return it; the record tells that it was taken back.

        :raises IndexError: if there is none.
        """
        if not self.log:
            raise IndexError("this match has no action to take back")
        last = len(self.log) - 1
        seat, action = self.log[last]
        taken_back = LogEntry(seat, action, self.events[last])
        before = replay(self.record(), last, self.game)
        self.state = before.state
        self._rng = before._rng
        self.seeds = before.seeds
        self.log = before.log
        self.events = before.events
        self.taken_back = (*before.taken_back, (last, seat, action))
        return taken_back

    @property
    def chance(self) -> Any:
        """Where the stream of chance stands: the same as long as nothing was drawn from it."""
        return self._rng.getstate()

    def fork(self, upto: int, seed: str | int | None = None) -> "Match":
        """Return a new match that goes on after the first *upto* actions, with new chance.

        :raises ValueError: unless *upto* is from 0 to the number of actions so far.
        """
        _check_upto(upto, len(self.log))
        seed = new_seed() if seed is None else str(seed)
        if upto == 0:
            match = Match(self.game, seed, self.names)
            match.people = self.people
            return match
        match = replay(self.record(), upto, self.game)
        match.seeds = [entry for entry in match.seeds if entry[0] < upto]
        match._reseed(upto, seed)
        return match

    def snapshot(self) -> bytes:
        """Return what :meth:`at` needs to begin after the actions so far instead of at the deal."""
        return pickle.dumps((len(self.log), self.state, self._rng.getstate()))

    def at(self, entry: int, snapshot: bytes) -> "Match":
        """Return this match as it was after its first *entry* actions.

        :param snapshot: of this match after as many actions or fewer.
        :raises ValueError: unless *entry* lies between the snapshot and the present.
        """
        start, state, chance = pickle.loads(snapshot)  # of our own making, never from outside
        last = len(self.log)
        if not start <= entry <= last:
            raise ValueError(f"entry is from {start} (the snapshot) to {last}, not {entry}")
        match = copy(self)
        match.state = state
        match._rng = Random()
        match._rng.setstate(chance)
        match.log = self.log[:entry]
        match.events = self.events[:entry]
        match.seeds = [entry_seed for entry_seed in self.seeds if entry_seed[0] <= entry]
        reseed = dict(match.seeds[1:])
        for number in range(start, entry + 1):
            if number in reseed:
                match._rng = stream(reseed[number], "chance")
            if number < entry:
                seat, action = self.log[number]
                self.game.apply(match.state, seat, action, match._rng)
        return match

    def _reseed(self, entry: int, seed: str) -> None:
        self.seeds.append((entry, seed))
        self._rng = stream(seed, "chance")


class RecordError(LocalizedError, ValueError):
    """A record file that cannot be read: damaged, foreign, or from another version."""

    def __init__(self, text: str, **values: Any) -> None:
        super().__init__("", text, **values)


@dataclass(frozen=True)
class Record:
    """The save file of a match: only what :func:`replay` needs to play it again."""

    game: str
    rules: int  # Game.version of the rules it was played with
    players: int
    options: dict[str, Any]
    names: tuple[str, ...]
    seeds: tuple[tuple[int, str], ...]  # (log entry, seed used from there on)
    log: tuple[tuple[Seat, Any], ...]
    people: tuple[Seat, ...] | None = None
    """Seats that people decided for, in order; absent from the file if unknown."""
    taken_back: tuple[tuple[int, Seat, Any], ...] = ()
    """(actions before it, seat, action) of decisions taken back; absent from the file if none."""

    def dumps(self) -> str:
        """Return the record as JSON text, the same for the same match everywhere."""
        data = {"coursekit": RECORD_FORMAT} | asdict(self)
        if self.people is None:
            del data["people"]
        if not self.taken_back:
            del data["taken_back"]
        return json.dumps(data, ensure_ascii=False, separators=(",", ":"), sort_keys=True) + "\n"

    @classmethod
    def loads(cls, text: str) -> "Record":
        """Return the record in *text*, checked by replaying all of it.

        :raises RecordError: if it is damaged, foreign, or from another version.
        """
        try:
            data = json.loads(text.lstrip("\ufeff"))  # the mark of UTF-8
        except (ValueError, RecursionError):
            raise RecordError("record.not_json") from None
        if not isinstance(data, dict) or "coursekit" not in data:
            raise RecordError("record.foreign")
        if not _is_version(data.pop("coursekit"), RECORD_FORMAT):
            raise RecordError("record.format", allowed=RECORD_FORMAT)
        try:
            data["options"] = {name: to_tuples(value) for name, value in data["options"].items()}
            for name in ("names", "seeds", "log", "people", "taken_back"):
                if name in data:
                    data[name] = to_tuples(data[name])
            record = cls(**data)
            _check_shape(record)
        except (AttributeError, KeyError, TypeError, ValueError, RecursionError):
            raise RecordError("record.damaged") from None
        replay(record)
        return record


def _is_version(got: Any, expected: int) -> bool:
    return type(got) is int and got == expected  # 1.0 == 1 and True == 1, but no record has them


def _check_names(names: Sequence[str], players: int) -> None:
    """Raise ``ValueError`` unless *names* can be shown and saved."""
    if isinstance(names, str) or len(names) > players:
        allowed = f"a list of up to {players}, one per player"
        raise ValueError(f"names are {allowed}, not {shorten(names)}")
    for name in names:
        if not isinstance(name, str) or len(name) > 40:
            raise ValueError(f"a name is a text of up to 40 letters, not {shorten(name)}")
        if name and not is_visible(name):
            raise ValueError(f"a name has letters that can be seen, not only {name!a}")


def _check_upto(upto: int, actions: int) -> None:
    if not 0 <= upto <= actions:
        raise ValueError(f"upto is from 0 to {actions}, the actions of this match, not {upto}")


def _check_shape(record: Record) -> None:
    """Raise ``ValueError`` or ``TypeError`` unless every part has the right type."""
    record.dumps().encode()  # a lone surrogate can be read, but not written
    parts = (record.names, record.seeds, record.log, record.taken_back)
    entries = [entry for entry, _ in record.seeds]
    fine = (
        isinstance(record.game, str)
        and isinstance(record.options, dict)
        and all(isinstance(part, tuple) for part in parts)
        and all(type(entry) is int and isinstance(seed, str) for entry, seed in record.seeds)
        and entries[:1] == [0]
        and entries == sorted(set(entries))
        and entries[-1] <= len(record.log)
        and all(type(seat) is int for seat, _ in record.log)
        and all(type(after) is type(seat) is int for after, seat, _ in record.taken_back)
        and all(0 <= after <= len(record.log) for after, _, _ in record.taken_back)
    )
    if not fine:
        raise ValueError("a part of the record has the wrong type")
    if type(record.players) is int:  # else the game refuses the record
        _check_names(record.names, record.players)


def _check_people(people: Any, seats: Sequence[Seat]) -> None:
    """Raise :class:`RecordError` unless *people* are some of *seats*, in order, or unknown."""
    if people is None:
        return
    got = people
    if isinstance(people, tuple):
        # True == 1, but is no seat.
        ints = all(type(seat) is int for seat in people)
        if ints and people == tuple(seat for seat in seats if seat in people):
            return
        got = list(people)
    raise RecordError("record.people", got=shorten(got), allowed=", ".join(map(str, seats)))


def replay(
    record: Record,
    upto: int | None = None,
    game: Game[Any, Any, Any] | None = None,
    watch: Callable[[Match, Seat, Any], None] | None = None,
) -> Match:
    """Return the match of *record* after its first *upto* actions, all of them by default.

    :param game: the game, if the caller has it already.
    :param watch: called with the match, a seat and its action before each action.
    :raises RecordError: if this version does not know the record's game, rules or actions.
    :raises ValueError: unless *upto* is from 0 to the number of its actions.
    """
    upto = len(record.log) if upto is None else upto
    _check_upto(upto, len(record.log))
    if game is None:
        if not registry.is_known(record.game):
            titles = [game_titles(name) for name in registry.names()]
            allowed = {
                language: join_words([title[language] for title in titles], language)
                for language in LANGUAGES
            }
            raise RecordError("record.game", got=shorten(record.game), allowed=allowed)
        newest = registry.load(record.game).rules
        kind = newest.of_version(record.rules)
        if kind is None:
            raise RecordError("record.rules", got=shorten(record.rules), allowed=newest.version)
        try:
            game = kind(record.players, kind.options_from(record.options))
        except OptionError as error:
            what = "record.not_loaded" if error.text == "option.not_loaded" else "record.options"
            raise RecordError(what, reason=error) from None
    _check_people(record.people, game.seats)
    match = Match(game, record.seeds[0][1], record.names)
    match.people = record.people
    match.taken_back = tuple(entry for entry in record.taken_back if entry[0] <= upto)
    reseed = dict(record.seeds[1:])
    for number, (seat, action) in enumerate(record.log[:upto]):
        if number in reseed:
            match._reseed(number, reseed[number])
        if watch is not None:
            watch(match, seat, action)
        try:
            match.play(seat, action)
        except IllegalAction as error:
            raise RecordError("record.illegal", entry=number + 1, reason=error) from None
    now = len(match.log)
    if now in reseed:
        match._reseed(now, reseed[now])
    return match


def step(match: Match, seat: Seat, strategy: Strategy) -> Sequence[Event] | None:
    """Let *strategy* decide for *seat*, carry out the action and return its events.

    Returns ``None`` if the strategy waits.  It may wait while others can decide too, and in a race.

    :raises StrategyError: naming the strategy and its line, if it raises or plays nonsense.
        Nothing has changed then, so another strategy can take over.
    """
    return _step(match, seat, strategy, match.game.observe(match.state, seat))


def _step(match: Match, seat: Seat, strategy: Strategy, observation: Any) -> Sequence[Event] | None:
    # Kept, since a strategy may change all of them.
    legal = observation.legal
    phase = observation.phase
    entry = len(match.log)
    begun = perf_counter()
    if strategy.guarded:
        with match.surroundings.entered():
            action = ask_strategy(strategy, seat, observation)
    else:
        action = ask_strategy(strategy, seat, observation)
    match.seconds[seat] += perf_counter() - begun
    if entry == len(match.log) and _is_listed(action, legal):
        return match._carry_out(seat, action)
    if action is None and (phase in match.game.races or len(match.game.to_act(match.state)) > 1):
        return None
    return match._play_for(strategy, seat, action, phase)


def _is_listed(action: Any, legal: Any) -> bool:
    """Return whether *legal* lists *action* itself, or an equal int or text.

    Then the rules have just allowed it.
    """
    if type(legal) is not tuple:
        return False
    for listed in legal:
        if action is listed:
            return True
    return type(action) in (int, str) and action in legal


def is_race(match: Match) -> bool:
    """Return whether the match is in a race, where speed pays."""
    kinds = match.game.races
    return bool(kinds) and match.game.observe(match.state, None).phase in kinds


def step_any(
    match: Match,
    seats: Sequence[Seat],
    strategies: Sequence[Strategy | None],
    rng: Random,
    moments: int = IDLE_MOMENTS,
) -> bool:
    """Ask the strategies of *seats* in random order until one decides; return whether one did.

    The table decides only when all of them wait.

    :param moments: in a race, how many times each is asked before the table decides.
    :raises StrategyError: as :func:`step`.
    """
    if seats == (TABLE,):
        match._carry_out(TABLE, pick_action(match.game.legal_actions(match.state, TABLE), rng))
        return True
    order = [seat for seat in seats if seat != TABLE]
    observations: dict[Seat, Any] = {}  # the same until a seat decides
    in_race = False
    if order and match.game.races:
        first = match.game.observe(match.state, order[0])
        observations[order[0]] = first
        in_race = first.phase in match.game.races
    for _ in range(moments if in_race else 1):
        shuffle(rng, order)
        for seat in order:
            strategy = strategies[seat]
            if strategy is None:
                continue
            if seat not in observations:
                observations[seat] = match.game.observe(match.state, seat)
            if _step(match, seat, strategy, observations[seat]) is not None:
                return True
    if TABLE in seats:
        match.play(TABLE, pick_action(match.game.legal_actions(match.state, TABLE), rng))
    return TABLE in seats
