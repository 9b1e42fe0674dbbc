"""A match with people and strategies around one screen, without the screen.

The host lets strategies play until a person must decide, keeps hands covered when several
people share the screen, looks back, goes on from an earlier moment, and turns all of it
into views: JSON that :mod:`coursekit.table.widget` sends and ``static/table.js`` draws.
A view holds nothing that the person in front of the screen may not know.
"""

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any, Literal, NamedTuple

from coursekit.core.chance import new_seed, shuffle, stream
from coursekit.core.errors import Spoken
from coursekit.core.game import TABLE, Drawn, Game, Refusal, Seat
from coursekit.core.match import Match, Record, races, replay, step, step_any
from coursekit.core.options import tupled
from coursekit.core.strategy import Strategy, StrategyError, made, waits
from coursekit.kit import Zones, kit_of
from coursekit.kit.scene import Look, Page, Scene, pieces_of, zones_of
from coursekit.words.texts import said, seat_name, text

Player = type[Strategy] | Literal["person"]
"""Who plays a seat: a person, or a strategy."""

BATCH = 30  # scenes sent at once; when strategies play on, the browser asks for more
STORY = 200  # events that a view tells, the last ones


class Stale(Spoken, ValueError):
    """A click on a scene that is not the newest, or a request that does not fit the moment."""

    def __init__(self, id: str, **values: Any) -> None:
        super().__init__("", id, **values)


class Moment(NamedTuple):
    """What there was to see after *entry* actions."""

    entry: int
    seen: Mapping[Seat | None, Any]  # observation by seat, None for a spectator
    waiting: tuple[Seat, ...]  # the people who could decide


class Host:
    """Runs one match.

    :param players: who plays each seat.
    :param seed: any text; ``None`` for 128 random bits.
    :param match: a match to go on with, instead of a new one.  If several people play on, it
        gets new chance from here on, since somebody may know its record.
    :param id: what *match* was known by to the browser, which remembers the time that is left by it.
    """

    def __init__(
        self, game: Game[Any, Any, Any], players: Sequence[Player], names: Sequence[str] = (),
        seed: str | int | None = None, match: Match | None = None, id: str | None = None,
    ) -> None:  # fmt: skip
        self.game = game
        self.players = list(players)
        self.match = match or Match(game, seed, names)
        self.id = id or new_seed()
        """Known to the browser that shows this match, and not to be guessed by another."""
        self.branch = 0
        self.viewer: Seat | None = None
        """The person in front of the screen, ``None`` while all hands are covered or nobody has anything to hide."""
        self.trouble: StrategyError | None = None
        self.entry: int | None = None
        """The log entry looked back at, ``None`` for the running match."""
        self.more = False
        """Whether strategies can play on without a person."""
        self.ticks = 0
        """How many moments of races have gone by."""
        self._order = stream(self.match.seed, "order")
        self._last = TABLE  # who had the screen last
        self._had: set[Seat] = set()  # who has had it in this race
        self._in_the_open = 0  # actions of people that all could see being done
        self._strategies: list[Strategy | None] = []
        self._take_seats()
        if match is not None and self.private:
            self.match = match.fork(len(match.log))
        self.go_on()

    def _take_seats(self) -> None:
        """Let everybody sit down anew: fresh strategies, hands covered if several people play."""
        self.people = [seat for seat in self.game.seats if self.players[seat] == "person"]
        self.viewer = self.people[0] if len(self.people) == 1 else None
        if not self.match.log:
            self.match.people = ()  # from here on it is known; of a match that comes from a file it may not be
        self._strategies = [
            None if kind == "person" else made(kind, seat, self.game, self.match.seed)
            for seat, kind in enumerate(self.players)
        ]

    # What people do

    @property
    def played(self) -> bool:
        """Whether a person has done anything yet, so that the match is worth keeping."""
        return bool(self.people) and any(seat == TABLE or seat in self.people for seat, _ in self.match.log)

    @property
    def private(self) -> bool:
        """Whether somebody at the screen could learn too much from the seed or the record."""
        return len(self.people) > 1 and not self.match.over

    @property
    def waiting(self) -> tuple[Seat, ...]:
        """The people who can decide."""
        return tuple(seat for seat in self.game.to_act(self.match.state) if seat in self.people)

    @property
    def together(self) -> bool:
        """Whether several people look at the screen together, since nobody has anything to hide."""
        return len(self.people) > 1 and self._phase in self.game.open_phases

    @property
    def covered(self) -> list[Seat]:
        """The people one of whom must take the screen before the match goes on, next whoever follows the last.

        In a race those come first who have not had it yet.
        """
        waiting = self.waiting
        if self.together or self.viewer in waiting:
            return []
        return sorted(waiting, key=lambda seat: (seat in self._had, (seat - self._last - 1) % self.game.players))

    @property
    def racing(self) -> int:
        """After how many seconds the next moment of a race between people and strategies goes by, 0 for none.

        Several people at one screen take turns, so strategies get no more moments than each of them has seconds.
        """
        idle = self.entry is not None or self.trouble is not None or bool(self.covered)
        return len(self.waiting) if self._free() and not idle and self._raced() else 0

    @property
    def _phase(self) -> str:
        phase: str = self.game.observe(self.match.state, None).phase
        return phase

    @property
    def events(self) -> int:
        """How many events the viewer may read."""
        return len(self.match.story(self.viewer))

    def acted(self) -> int:
        """Return how many actions the viewer and the table have taken, to tell a stale click by.

        In the open those count that were done in the open: all would tell how much somebody did unseen.
        """
        return self._in_the_open if self.together else sum(seat in (self.viewer, TABLE) for seat, _ in self.match.log)

    def act(self, seat: Seat | None, action: Any, match: str, branch: int, acted: int) -> None:
        """Carry out the decision of *seat*, clicked in the scene of that match, branch and count.

        :raises Stale: if the click belongs to another scene.
        :raises IllegalAction: with the reason, if the rules do not allow it.
        """
        if self.entry is not None:
            raise Stale("table.looking_back")
        now, together = (self.id, self.branch, self.acted()), self.together
        if (match, branch, acted) != now or seat is None or seat not in (TABLE, *self._here()):
            raise Stale("table.stale")
        self.match.play(seat, tupled(action))
        self._note(seat)
        self._in_the_open += together
        if len(self.people) > 1 and seat == TABLE:
            self.viewer = None  # anybody may have touched it
        self.go_on()

    def _note(self, seat: Seat) -> None:
        """Note that a person has decided for *seat*."""
        if self.match.people is not None and seat != TABLE:
            self.match.people = tuple(sorted({*self.match.people, seat}))

    def _here(self) -> Sequence[Seat]:
        """Return the people who sit in front of the screen as it is now."""
        return self.people if self.together else [] if self.viewer is None else [self.viewer]

    def go_on(self) -> None:
        """Let the strategies play from now on until a person must decide, or one batch is full.

        In a race with a person they wait for :meth:`tick`.
        """
        self.entry, self.more = None, False
        if not races(self.match):
            self._had.clear()
        self._moments = [self._moment()]
        while not self.trouble and not self.more and not self._raced() and self._step():
            self._see(self._moment())
            self.more = len(self._moments) == BATCH
        if len(self.people) > 1 and (self.together or self.covered):
            self.viewer = None

    def _raced(self) -> bool:
        return bool(self.waiting) and races(self.match)

    def _see(self, now: Moment) -> bool:
        """Add *now* to what the screen shows; return whether it looks any different from before.

        In a race it is otherwise passed over, so that nobody can count what others do unseen.
        """
        before = self._moments[-1]
        same = races(self.match) and all(now.seen[seat] == before.seen[seat] for seat in (None, self.viewer))
        self._moments[len(self._moments) - same :] = [now]
        return not same

    def tick(self) -> bool:
        """Let a moment of a race go by, in which every strategy is asked once, in random order, until the race is over.

        Return whether there is anything new to see.
        """
        if not self.racing:
            return False
        self.ticks += 1
        order = self._free()
        shuffle(self._order, order)
        try:
            for seat in order:
                strategy = self._strategies[seat]
                if strategy is not None and seat in self._free() and self._raced():
                    step(self.match, seat, strategy)
        except StrategyError as error:
            self.trouble = error
        if not self._raced():
            self.go_on()
            return True
        if self._see(self._moment()):
            self._moments = self._moments[-1:]
            return True
        return self.trouble is not None

    def _free(self) -> list[Seat]:
        """Return the seats of strategies that can decide now."""
        return [seat for seat in self.game.to_act(self.match.state) if seat != TABLE and seat not in self.people]

    def _step(self) -> bool:
        """Let one strategy decide, or the table if nobody is there to touch it; return whether one did."""
        deciding = self.game.to_act(self.match.state)
        free = self._free() + [TABLE] * (TABLE in deciding and not self.people)
        try:
            if step_any(self.match, free, self._strategies, self._order):
                return True
            waiting = self._strategies[free[0]] if free == list(deciding) and free else None
            if waiting is not None:
                raise waits(waiting, free[0])
        except StrategyError as error:
            self.trouble = error
        return False

    def replace(self, seat: Seat, player: Player) -> None:
        """Let *player* go on for *seat*, whose strategy is in trouble.

        :raises Stale: if it is not.
        """
        if self.trouble is None or self.trouble.seat != seat:
            raise Stale("table.stale")
        known = not self.private  # the seed, which now may have to be a secret
        self.players[seat] = player
        self.trouble = None
        if self.players.count("person") > 1 and known:
            self.match = self.match.fork(len(self.match.log))
        self.branch += 1
        self._take_seats()
        self.go_on()

    def exchange(self, players: Sequence[Player]) -> None:
        """Let *players* go on who play as those in their seats do, but speak another language."""
        for seat, player in enumerate(players):
            if player != "person" and player is not self.players[seat]:
                self.players[seat] = player
                self._strategies[seat] = made(player, seat, self.game, self.match.seed)

    def uncover(self, seat: Seat) -> None:
        """Show *seat*'s hand: that person says the screen is theirs.

        :raises Stale: if the match does not wait for that person.
        """
        if seat not in self.covered:
            raise Stale("table.stale")
        self.viewer = self._last = seat
        if races(self.match):
            self._had.add(seat)
        self._moments = [self._moment()]

    def cover(self) -> None:
        """Put the hand away that is open, so that somebody else can take the screen."""
        if len(self.people) > 1:
            self.viewer = None
            self._moments = [self._moment()]

    # Trying before doing

    def attempt(self, seat: Seat, action: Any) -> tuple[Refusal | None, Any]:
        """Return why *seat* may not do *action*, and how it would lie on the table, without doing it.

        :raises Stale: if *seat* cannot decide on this screen now.
        """
        self._must_act(seat)
        legal, action = self.game.legal_actions(self.match.state, seat), tupled(action)
        preview = legal.preview(action) if isinstance(legal, Drawn) else None
        return self.game.refusal(self.match.state, seat, action), preview

    def suggestion(self, seat: Seat, n: int, about: Any) -> Any:
        """Return the *n*-th proposal for what *seat* can do by hand, ``None`` if there is none.

        :raises Stale: if *seat* cannot decide on this screen now.
        """
        self._must_act(seat)
        legal = self.game.legal_actions(self.match.state, seat)
        return legal.suggestion(n, tupled(about)) if isinstance(legal, Drawn) else None

    def _must_act(self, seat: Seat) -> None:
        if self.entry is not None:
            raise Stale("table.looking_back")
        if seat not in self.waiting or seat not in self._here():
            raise Stale("table.stale")

    # Looking back

    def look_at(self, entry: int | None) -> None:
        """Look at the moment after *entry* actions, ``None`` for now.

        :raises Stale: while several people play or a race is on, or if there is no such moment.
        """
        if entry is not None:
            self.must_be_open()
            if self._raced():
                raise Stale("table.race")
            if type(entry) is not int or not 0 <= entry <= len(self.match.log):
                raise Stale("table.no_entry", got=entry, last=len(self.match.log))
        self.entry = entry
        self._moments = [self._moment()]

    def fork(self, entry: int) -> None:
        """Go on from the moment after *entry* actions with new chance; the old end is left.

        :raises Stale: as :meth:`look_at`.
        """
        self.look_at(entry)
        self.match = self.match.fork(entry)
        self.id, self.trouble = new_seed(), None
        self.branch += 1
        self._take_seats()
        self.go_on()

    def record(self) -> Record:
        """Return the save file.

        :raises Stale: while several people play, since it tells every hand.
        """
        self.must_be_open()
        return self.match.record()

    def must_be_open(self) -> None:
        """Raise :class:`Stale` while several people play: what is asked for would tell every hand."""
        if self.private:
            raise Stale("table.private")

    # What the screen shows

    def _moment(self) -> Moment:
        match = self.match if self.entry is None else replay(self.match.record(), self.entry, self.game)
        seen = {seat: self.game.observe(match.state, seat) for seat in (None, *self.game.seats)}
        waiting = tuple(seat for seat in self.game.to_act(match.state) if seat in self.people)
        return Moment(len(match.log), seen, waiting)

    def _look(self, moment: Moment, language: str) -> Look:
        """Return how the viewer sees *moment*: with all hands open once nobody has a secret left."""
        ended = self.match.over and (self.entry is not None or moment.entry == len(self.match.log))
        opened = [moment.seen[seat] for seat in self.game.seats] if ended or not self.people else []
        by = [player_name(self.game.name, player, language) for player in self.players]
        together = len(self.people) > 1 and moment.seen[None].phase in self.game.open_phases
        acting = moment.waiting if together else tuple(seat for seat in moment.waiting if seat == self.viewer)
        wait_for = [seat for seat in moment.waiting if seat not in self._had] if self.private and self._raced() else []
        return Look(self.game, language, self.match.names, by, opened, acting, wait_for)

    def view(self, language: str) -> dict[str, Any]:
        """Return what the screen shows now, in *language*; see ``static/table.js`` for its parts."""
        kit, viewer, back = kit_of(self.game), self.viewer, self.entry is not None
        assert kit.scene is not None
        story = self.match.story(viewer)
        told_at = [self.match.opening, *self.match.events]
        heard = list(accumulate(sum(event.is_for(viewer) for event in events) for events in told_at))
        heard = [heard[moment.entry] for moment in self._moments]
        story = story[: heard[-1]]
        scenes: list[Scene] = [
            kit.scene(moment.seen[viewer], story[:count], self._look(moment, language))
            for moment, count in zip(self._moments, heard)
        ]
        skip = max(0, len(story) - STORY)
        log = kit.log(story[skip:], self._look(self._moments[-1], language), max(0, heard[0] - skip))
        told = [sum(line is not None for line in log[: max(0, count - skip)]) for count in heard]
        if back:
            for scene in scenes:
                _make_inert(scene, kit_of(self.game).zones)
        return {
            "match": self.id, "branch": self.branch, "acted": self.acted(), "viewer": viewer,
            "people": len(self.people), "waiting": len(self.waiting), "language": language, "scenes": scenes,
            "story": [line for line in log if line is not None], "told": told,
            "more": self.more and not back and not self.trouble, "covered": self._cover(language),
            "covered_words": said(self.game, "table.covered_some", language),
            "looking_back": back, "may_look_back": self._counts, "may_save": not self.private,
            "racing": self.racing, "tick": self.ticks, "events": self.events, **self._entries(),
            "seed": None if self.private else self.match.seed,
            "trouble": self._trouble(language),
        }  # fmt: skip

    @property
    def _counts(self) -> bool:
        """Whether the length of the log may be told: among several people or in a race it says what others do."""
        return not self.private and not self._raced()

    def _entries(self) -> dict[str, int]:
        """Return where the moment stands in the log."""
        return {"entry": self._moments[-1].entry, "entries": len(self.match.log)} if self._counts else {}

    def _cover(self, language: str) -> list[dict[str, Any]]:
        return [{"seat": seat, "name": seat_name(seat, language, self.match.names)} for seat in self.covered]

    def _trouble(self, language: str) -> dict[str, Any] | None:
        if self.trouble is None:
            return None
        said_by = {"seat": self.trouble.seat, "words": self.trouble.outline(language)}
        words = said(self.game, "table.trouble", language, self.match.names, **said_by)
        return {"seat": self.trouble.seat, "text": words}


def handbook(game: Game[Any, Any, Any], language: str) -> dict[str, Page]:
    """Return what the box of *game* tells about its cards, by the ids that pieces name."""
    return dict(kit_of(game).handbook(Look(game, language)))


def player_name(game: str, player: Player, language: str) -> str:
    """Return what *player* is called; a strategy without a text of its own by its class name."""
    if player == "person":
        return text("table.person", language)
    try:
        return said(game, f"strategy.{player.__name__}", language)
    except KeyError:
        return player.__name__


def _make_inert(scene: Scene, own: Zones | None) -> None:
    """Take away everything that can be decided in *scene*, which is past."""
    scene["turn"] = False
    scene["zones"] = [zone for zone in scene["zones"] if zone["kind"] != "choices"]
    for piece in pieces_of(scene):
        for part in ("action", "legal", "choices"):
            piece.pop(part, None)  # type: ignore[misc]
    if own:
        for zone in zones_of(scene["zones"]):
            own.close(zone)
