"""A match as it runs: people and strategies in their seats, without those who look at it.

A :class:`Run` lets strategies play until a person must decide, and notes what there was to see
after each action. It does nothing by itself: there is no clock in it, and no screen. A
:class:`.View` is what one viewer gets of it.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from coursekit.core.chance import new_seed, shuffle, stream
from coursekit.core.errors import LocalizedError
from coursekit.core.game import TABLE, DrawnInput, Game, Refusal, Seat
from coursekit.core.match import Match, Record, is_race, replay, step, step_any
from coursekit.core.options import to_tuples
from coursekit.core.strategy import Strategy, StrategyError, make_player, timeout_error
from coursekit.table.players import Player
from coursekit.table.seat_log import SeatLog
from coursekit.table.snapshot import Snapshot, take_snapshot
from coursekit.table.take_back import reveals_nothing

BATCH = 30
"""Maximum moments that strategies play at once; the caller asks for more."""
MOMENTS_KEPT = 2 * BATCH
"""Number of publicly different moments kept for viewers who lag behind."""
MOMENTS_KEPT_HOSTED = 12
"""The same where each person has a screen of their own, which gets each moment at once."""
SAVE_INTERVAL = 25
"""Actions between two saved states of a hosted match, from which earlier moments are replayed."""


class StaleError(LocalizedError, ValueError):
    """A click on a scene that is not the newest, or a request that does not fit the moment."""

    def __init__(self, text: str, **values: Any) -> None:
        super().__init__("", text, **values)


class Run:
    """Runs one match.

    :param players: who plays each seat.
    :param seed: any text; ``None`` for 128 random bits.
    :param match: a match to go on with, instead of a new one.  If several people play on, it
        gets new chance from here on, since its record may be known.
    :param match_id: what *match* was known by before.
    :param hosted: whether each person has a screen of their own. The host then asks the
        strategies; the record stays private until the match ends.
    """

    def __init__(
        self,
        game: Game[Any, Any, Any],
        players: Sequence[Player],
        names: Sequence[str] = (),
        seed: str | int | None = None,
        match: Match | None = None,
        match_id: str | None = None,
        hosted: bool = False,
    ) -> None:
        self.game = game
        self.hosted = hosted
        self.players = list(players)
        self.match = match or Match(game, seed, names)
        self.id = match_id or new_seed()
        """Known to the browsers that show this match, and not to be guessed by another."""
        self.branch = 0
        """How often it went on otherwise: from an earlier moment, or with another player."""
        self.trouble: StrategyError | None = None
        self.more = False
        """Whether strategies can play on without a person."""
        self.ticks = 0
        """How many moments of races have gone by."""
        self.closed = False
        """Whether it was ended early; then all may look back at what they saw."""
        self.stood_in: set[Seat] = set()
        """The people for whom a strategy decides at the moment."""
        self.moments: list[Snapshot] = []
        """What there was to see of late, the present last."""
        self.since = 0
        """The entry of the moment since which strategies have played."""
        self._people_before = self.match.people  # before the last decision
        self._number = 0  # of the last moment
        self._unseen = False
        self._saved_states: list[bytes] = []  # one every SAVE_INTERVAL actions
        self._order = stream(self.match.seed, "order")
        self._strategies: list[Strategy | None] = []
        self._seat_logs: dict[Seat | None, SeatLog] = {}
        self._take_seats()
        if match is not None and self.private:
            self.match = match.fork(len(match.log))
        self._save_state()
        self.go_on()

    def _take_seats(self) -> None:
        """Seat all players anew, with fresh strategies; viewers go on from the present."""
        self.people = [seat for seat in self.game.seats if self.players[seat] == "person"]
        if not self.match.log:
            self.match.people = ()  # known from here on; a match from a file may not say it
        self._strategies = [None] * len(self.players)
        for seat, kind in enumerate(self.players):
            self._seat(seat, kind)
        self.moments.clear()
        self._number += 1

    def _seat(self, seat: Seat, player: Player) -> None:
        """Let *player* sit at *seat*; a strategy that cannot be made is in trouble."""
        try:
            strategy = None
            if player != "person" and not self.hosted:
                with self.match.surroundings.entered():
                    strategy = make_player(player, seat, self.game, self.match.seed)
            self._strategies[seat] = strategy
        except StrategyError as error:
            self.trouble = error

    # What everybody may know of it

    @property
    def played(self) -> bool:
        """Whether a person has done anything yet, so that the match is worth keeping."""
        return bool(self.people) and any(
            seat == TABLE or seat in self.people for seat, _ in self.match.log
        )

    @property
    def private(self) -> bool:
        """Whether a person could learn too much from the seed or the record."""
        return (self.hosted or len(self.people) > 1) and not self.match.over

    @property
    def open(self) -> bool:
        """Whether no player has a secret left: the match is over, or no person plays.

        In a room somebody can be seated at any time, even where strategies have all seats.
        """
        return self.match.over or not (self.people or self.hosted)

    @property
    def waiting(self) -> tuple[Seat, ...]:
        """The people who can decide."""
        return tuple(seat for seat in self.game.to_act(self.match.state) if seat in self.people)

    @property
    def raced(self) -> bool:
        """Whether a person can decide in a race, so that strategies wait for :meth:`tick`."""
        return bool(self.waiting) and is_race(self.match)

    @property
    def racing(self) -> bool:
        """Whether strategies and people race: each second a :meth:`tick` is due."""
        return self.trouble is None and self.raced and bool(self._free())

    @property
    def counted(self) -> bool:
        """Whether the log's length may be told; among people or in a race it is a secret."""
        return self.closed or (not self.private and not self.raced)

    def record(self) -> Record:
        """Return the save file.

        :raises StaleError: while several people play, since it tells every hand.
        """
        self.must_be_open()
        return self.match.record()

    def must_be_open(self) -> None:
        """Raise :class:`StaleError` while several people play: the answer would tell every hand."""
        if self.private:
            raise StaleError("table.private")

    def must_have(self, entry: int) -> None:
        """Raise :class:`StaleError` unless the moment after *entry* actions may be gone back to."""
        if not self.closed:
            self.must_be_open()
            if self.raced:
                raise StaleError("table.race")
        if type(entry) is not int or not 0 <= entry <= len(self.match.log):
            raise StaleError("table.no_entry", got=entry, last=len(self.match.log))

    # What people do

    def act(self, seat: Seat, action: Any, person: bool = True) -> None:
        """Carry out the decision of *seat*, or of the table, and go on.

        :raises IllegalAction: with the reason, if the rules do not allow it.
        """
        self.play(seat, action, person)
        self.go_on()

    def play(self, seat: Seat, action: Any, person: bool = True) -> None:
        """Carry out a decision as :meth:`act` does, without noting what there is to see then.

        :param person: whether a person took it; where the match is hosted, strategies decide this
            way as well.
        :raises IllegalAction: with the reason, if the rules do not allow it.
        """
        self.match.play(seat, to_tuples(action))
        if person and self.match.people is not None and seat != TABLE:
            self.match.people = tuple(sorted({*self.match.people, seat}))
        self._save_state()

    def watch(self, seat: Seat, action: Any) -> bool:
        """Carry out the decision of *seat* as :meth:`act` does; return whether it can be undone.

        So it is if nothing else has happened, and it has told nobody more than itself.

        :raises IllegalAction: with the reason, if the rules do not allow it.
        """
        match = self.match
        if self.hosted or len(self.people) < 2 or seat not in self.people or self.raced:
            self.act(seat, action)
            return False
        self._people_before = match.people
        entry, chance, before = len(match.log), match.chance, self.game.copy(match.state)
        self.act(seat, action)
        if self.trouble or match.over or self.raced or self._free():
            return False
        if len(match.log) != entry + 1 or match.chance != chance:
            return False
        return reveals_nothing(self.game, before, *match.log[-1], match.state, match.events[-1])

    def undo(self) -> None:
        """Go on as if the last decision had not been made; the record tells of it.

        The strategies stay, since none was asked meanwhile.
        """
        self.match.undo()
        self.match.people = self._people_before
        self.id = new_seed()  # what is kept of a match is only added to
        self.branch += 1
        self.more = False
        self.moments.clear()
        self._number += 1
        self.since = len(self.match.log)
        self._note()

    def attempt(self, seat: Seat, action: Any) -> tuple[Refusal | None, Any]:
        """Return why *seat* may not do *action*, and how it would lie on the table.

        :raises StaleError: if *seat* is no person who can decide now.
        """
        legal, action = self._legal(seat), to_tuples(action)
        preview = legal.preview(action) if isinstance(legal, DrawnInput) else None
        return self.game.refusal(self.match.state, seat, action), preview

    def suggestion(self, seat: Seat, n: int, about: Any) -> Any:
        """Return the *n*-th proposal for what *seat* can do by hand, ``None`` if there is none.

        :raises StaleError: if *seat* is no person who can decide now.
        """
        legal = self._legal(seat)
        return legal.suggestion(n, to_tuples(about)) if isinstance(legal, DrawnInput) else None

    def _legal(self, seat: Seat) -> Any:
        if seat not in self.waiting:
            raise StaleError("table.stale")
        return self.game.legal_actions(self.match.state, seat)

    # What strategies do

    def go_on(self) -> None:
        """Let the strategies play from now on until a person must decide, or one batch is full.

        In a race with a person they wait for :meth:`tick`, and where the match is hosted for
        :meth:`act`.
        """
        self.more = False
        self.since = len(self.match.log)
        self._note()
        first = self._number
        while not (self.hosted or self.trouble or self.more or self.raced):
            if not self._step():
                break
            self._note()
            self.more = self._number - first == BATCH - 1

    def tick(self) -> bool:
        """Let a moment of a race go by: ask each strategy once, in random order.

        Return whether it went by; there need not be anything new to see.
        """
        if not self.racing:
            return False
        self.ticks += 1
        order = self._free()
        shuffle(self._order, order)
        try:
            for seat in order:
                strategy = self._strategies[seat]
                if strategy is not None and seat in self._free() and self.raced:
                    step(self.match, seat, strategy)
        except StrategyError as error:
            self.trouble = error
        if self.raced:
            self._note()
        else:
            self.go_on()
        return True

    def _free(self) -> list[Seat]:
        """Return the seats of strategies that can decide now."""
        return [
            seat
            for seat in self.game.to_act(self.match.state)
            if seat != TABLE and seat not in self.people
        ]

    def _step(self) -> bool:
        """Let one strategy decide, or the table if no person plays; return whether one did."""
        deciding = self.game.to_act(self.match.state)
        free = self._free() + [TABLE] * (TABLE in deciding and not self.people)
        try:
            if step_any(self.match, free, self._strategies, self._order):
                return True
            waiting = self._strategies[free[0]] if free == list(deciding) and free else None
            if waiting is not None:
                raise timeout_error(waiting, free[0])
        except StrategyError as error:
            self.trouble = error
        return False

    # What there is to see

    def snapshot(self, entry: int | None = None) -> Snapshot:
        """Return what there was to see after *entry* actions, ``None`` for the present.

        :raises ValueError: if there were not that many.
        """
        return take_snapshot(
            self.match if entry is None else self._match_at(entry), self.people, self._number
        )

    def _match_at(self, entry: int) -> Match:
        if not 0 <= entry <= len(self.match.log) or not self._saved_states:
            return replay(self.match.record(), entry, self.game)
        nearest = min(entry // SAVE_INTERVAL, len(self._saved_states) - 1)
        return self.match.at(entry, self._saved_states[nearest])

    def _save_state(self) -> None:
        """Save the state of a hosted match if it is due, so that many can look back at once."""
        if self.hosted and len(self.match.log) == SAVE_INTERVAL * len(self._saved_states):
            self._saved_states.append(self.match.snapshot())

    @contextmanager
    def unseen(self) -> Iterator[None]:
        """Note only the last moment of what happens meanwhile, which takes far less time."""
        self._unseen = True
        try:
            yield
        finally:
            self._unseen = False
            self._note()

    def rest(self) -> None:
        """Keep the present alone: nobody looks back at this match any more, or lags behind."""
        del self.moments[:-1]
        self._saved_states.clear()
        self._seat_logs.clear()

    def seat_log(self, seat: Seat | None) -> SeatLog:
        """Return what *seat* may read of the match so far; all viewers of a seat share it."""
        log = self._seat_logs.get(seat)
        if log is None or log.match is not self.match:
            log = self._seat_logs[seat] = SeatLog(self.match, seat)
        log.follow()
        return log

    def _note(self) -> None:
        """Add the present to :attr:`moments`, and forget what is long past."""
        if self._unseen:
            return
        now = self.snapshot()
        if self.moments and now.entry == self.moments[-1].entry:
            self.moments.pop()
        elif self.moments and not (is_race(self.match) and now.same(self.moments[-1], None)):
            self._number += 1
        self.moments.append(now._replace(number=self._number))
        most = MOMENTS_KEPT_HOSTED if self.hosted else MOMENTS_KEPT
        while self.moments[0].number < self._number - most:
            del self.moments[0]
        alike = sum(moment.number == self._number for moment in self.moments)
        if alike > most:  # secret moves in a race, which nobody need see one by one
            del self.moments[-alike]

    # Going on otherwise

    def replace(self, seat: Seat, player: Player) -> None:
        """Let *player* go on for *seat*, whose strategy is in trouble.

        :raises StaleError: if it is not.
        """
        if self.trouble is None or self.trouble.seat != seat:
            raise StaleError("table.stale")
        seed_is_known = not self.private
        self.players[seat] = player
        self.trouble = None
        if self.players.count("person") > 1 and seed_is_known:
            self.match = self.match.fork(len(self.match.log))
        self.branch += 1
        self._take_seats()
        self.go_on()

    def exchange(self, players: Sequence[Player]) -> None:
        """Let *players* go on for those in their seats: the same in another language, or mended."""
        for seat, player in enumerate(players):
            if player != "person" and player is not self.players[seat]:
                self.players[seat] = player
                self._seat(seat, player)

    def fork(self, entry: int) -> None:
        """Go on from the moment after *entry* actions with new chance; the old end is left.

        :raises StaleError: as :meth:`must_have`.
        """
        self.must_have(entry)
        self.id = new_seed()
        self.take_back(entry)

    def take_back(self, entry: int, seed: str | None = None) -> None:
        """Go on from the moment after *entry* actions, whether or not players may ask for that.

        :param seed: ``None`` for 128 random bits.
        :raises ValueError: if there is no such moment.
        """
        self.match = self.match.fork(entry, seed)
        self.trouble = None
        states = entry // SAVE_INTERVAL + 1 if entry else 0  # from 0 it is dealt anew
        del self._saved_states[states:]
        self._save_state()
        self.branch += 1
        self._take_seats()
        self.go_on()

    def seat_otherwise(self, players: Sequence[Player], names: Sequence[str]) -> None:
        """Let *players*, by *names*, go on from here in the seats of a hosted match."""
        self.players, self.match.names = list(players), tuple(names)
        self.branch += 1
        self._take_seats()
        self.go_on()
