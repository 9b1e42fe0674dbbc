"""A running match: people and strategies in their seats, without the viewers.

A :class:`Run` lets strategies play until a person must decide, and notes what there was to see
after each action. It does nothing by itself: there is no clock in it, and no screen. What one
viewer gets of it is a :class:`.View`.
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

BATCH = 30
"""Maximum moments that strategies play at once; the caller asks for more."""
KEPT = 2 * BATCH
"""Number of publicly different moments kept for viewers who lag behind."""
KEPT_HOSTED = 12
"""The same where each person has a screen of their own, which is told of each moment at once."""
SNAPSHOT = 25
"""Actions between two snapshots of a hosted match, from which its earlier moments are made again."""


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
    :param hosted: whether each person has a screen of their own. Whoever hosts the match then asks
        its strategies, and nothing of its record is told before it is over.
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
        self.game, self.hosted = game, hosted
        self.players = list(players)
        self.match = match or Match(game, seed, names)
        self.id = match_id or new_seed()
        """Known to the browsers that show this match, and not to be guessed by another."""
        self.branch = 0
        """How many times it continued differently: from an earlier moment, or with another player."""
        self.trouble: StrategyError | None = None
        self.more = False
        """Whether strategies can play on without a person."""
        self.ticks = 0
        """How many moments of races have gone by."""
        self.closed = False
        """Whether it has been ended before the rules did; what each has seen of it may be looked
        back at.
        """
        self.stood_in: set[Seat] = set()
        """The people for whom a strategy decides at the moment."""
        self.moments: list[Snapshot] = []
        """What there was to see of late, the present last."""
        self.since = 0
        """The entry of the moment from which on strategies have played last; a screen shows it and
        what followed.
        """
        self._number = 0  # of the last moment
        self._unseen = False
        self._snapshots: list[bytes] = []  # after 0, SNAPSHOT, 2 * SNAPSHOT, … actions
        self._order = stream(self.match.seed, "order")
        self._strategies: list[Strategy | None] = []
        self._heard: dict[Seat | None, SeatLog] = {}
        self._take_seats()
        if match is not None and self.private:
            self.match = match.fork(len(match.log))
        self._take_snapshot()
        self.go_on()

    def _take_seats(self) -> None:
        """Let everybody sit down anew, with fresh strategies; viewers go on from the present."""
        self.people = [seat for seat in self.game.seats if self.players[seat] == "person"]
        if not self.match.log:
            # from here on it is known; of a match that comes from a file it may not be
            self.match.people = ()
        self._strategies = [None] * len(self.players)
        for seat, kind in enumerate(self.players):
            self._seat(seat, kind)
        self.moments.clear()
        self._number += 1

    def _seat(self, seat: Seat, player: Player) -> None:
        """Let *player* sit at *seat*; a strategy that cannot be made is in trouble."""
        try:
            asked = (
                None
                if player == "person" or self.hosted
                else make_player(player, seat, self.game, self.match.seed)
            )
            self._strategies[seat] = asked
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
        """Whether a person can decide and being quick pays, so that strategies wait for
        :meth:`tick`.
        """
        return bool(self.waiting) and is_race(self.match)

    @property
    def racing(self) -> bool:
        """Whether strategies and people race: each second a :meth:`tick` is due."""
        return self.trouble is None and self.raced and bool(self._free())

    @property
    def counted(self) -> bool:
        """Whether the length of the log may be told: among several people or in a race it says what
        others do.
        """
        return self.closed or (not self.private and not self.raced)

    def record(self) -> Record:
        """Return the save file.

        :raises StaleError: while several people play, since it tells every hand.
        """
        self.must_be_open()
        return self.match.record()

    def must_be_open(self) -> None:
        """Raise :class:`StaleError` while several people play: what is asked for would tell every hand."""
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
        self._take_snapshot()

    def attempt(self, seat: Seat, action: Any) -> tuple[Refusal | None, Any]:
        """Return why *seat* may not do *action*, and how it would lie on the table, without doing
        it.

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
        self.more, self.since = False, len(self.match.log)
        self._note()
        first = self._number
        while (
            not self.hosted
            and not self.trouble
            and not self.more
            and not self.raced
            and self._step()
        ):
            self._note()
            self.more = self._number - first == BATCH - 1

    def tick(self) -> bool:
        """Let a moment of a race go by, in which every strategy is asked once, in random order,
        until the race is over.

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
        """Let one strategy decide, or the table if no person is there to touch it; return whether
        one did.
        """
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
        if not 0 <= entry <= len(self.match.log) or not self._snapshots:
            return replay(self.match.record(), entry, self.game)
        nearest = min(entry // SNAPSHOT, len(self._snapshots) - 1)
        return self.match.at(entry, self._snapshots[nearest])

    def _take_snapshot(self) -> None:
        """Keep a snapshot of a hosted match if one is due, so that many can look back at once."""
        if self.hosted and len(self.match.log) == SNAPSHOT * len(self._snapshots):
            self._snapshots.append(self.match.snapshot())

    @contextmanager
    def unseen(self) -> Iterator[None]:
        """Let what happens meanwhile be seen by nobody: only the last moment is noted, which takes
        far less time.
        """
        self._unseen = True
        try:
            yield
        finally:
            self._unseen = False
            self._note()

    def rest(self) -> None:
        """Keep the present alone: nobody looks back at this match any more, or lags behind."""
        del self.moments[:-1]
        self._snapshots.clear()
        self._heard.clear()

    def seat_log(self, seat: Seat | None) -> SeatLog:
        """Return what *seat* may read of the match so far; all viewers of a seat, and all
        spectators, share it.
        """
        heard = self._heard.get(seat)
        if heard is None or heard.match is not self.match:
            heard = self._heard[seat] = SeatLog(self.match, seat)
        heard.follow()
        return heard

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
        kept = KEPT_HOSTED if self.hosted else KEPT
        while self.moments[0].number < self._number - kept:
            del self.moments[0]
        alike = sum(moment.number == self._number for moment in self.moments)
        if alike > kept:  # secret moves in a race, which nobody need see one by one
            del self.moments[-alike]

    # Going on otherwise

    def replace(self, seat: Seat, player: Player) -> None:
        """Let *player* go on for *seat*, whose strategy is in trouble.

        :raises StaleError: if it is not.
        """
        if self.trouble is None or self.trouble.seat != seat:
            raise StaleError("table.stale")
        known = not self.private  # the seed, which now may have to be a secret
        self.players[seat] = player
        self.trouble = None
        if self.players.count("person") > 1 and known:
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
        """Go on from the moment after *entry* actions with new chance, whether or not players may
        ask for that.

        :param seed: ``None`` for 128 random bits.
        :raises ValueError: if there is no such moment.
        """
        self.match, self.trouble = self.match.fork(entry, seed), None
        self._snapshots = (
            self._snapshots[: entry // SNAPSHOT + 1] if entry else []
        )  # else it is dealt anew
        self._take_snapshot()
        self.branch += 1
        self._take_seats()
        self.go_on()

    def seat_otherwise(self, players: Sequence[Player], names: Sequence[str]) -> None:
        """Let *players*, by *names*, go on from here in the seats of a hosted match."""
        self.players, self.match.names = list(players), tuple(names)
        self.branch += 1
        self._take_seats()
        self.go_on()
