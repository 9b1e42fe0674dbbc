"""A match with people and strategies around one screen, without the screen.

The host lets strategies play until a person must decide, keeps hands covered when several
people share the screen, looks back, goes on from an earlier moment, and turns all of it
into views: JSON that :mod:`coursekit.table.widget` sends and ``static/table.js`` draws.
A view holds nothing that the person in front of the screen may not know.
"""

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any, Literal, NamedTuple

from coursekit.chance import new_seed, stream
from coursekit.game import TABLE, Game, Seat, Spoken, tupled
from coursekit.games import scene_module
from coursekit.match import Match, Record, replay, step_any
from coursekit.strategy import Strategy, StrategyError, made, waits
from coursekit.table.scene import Look, Page, Scene, pieces_of
from coursekit.texts import said, seat_name, text

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


class Host:
    """Runs one match.

    :param players: who plays each seat.
    :param seed: any text; ``None`` for 128 random bits.
    :param match: a match to go on with, instead of a new one.  If several people play on, it
        gets new chance from here on, since somebody may know its record.
    """

    def __init__(
        self, game: Game[Any, Any, Any], players: Sequence[Player], names: Sequence[str] = (),
        seed: str | int | None = None, match: Match | None = None,
    ) -> None:  # fmt: skip
        self.game = game
        self.players = list(players)
        self.match = match or Match(game, seed, names)
        self.id = new_seed()
        """Known to the browser that shows this match, and not to be guessed by another."""
        self.branch = 0
        self.viewer: Seat | None = None
        """The person in front of the screen, ``None`` while all hands are covered."""
        self.trouble: StrategyError | None = None
        self.entry: int | None = None
        """The log entry looked back at, ``None`` for the running match."""
        self.more = False
        """Whether strategies can play on without a person."""
        self._order = stream(self.match.seed, "order")
        self._strategies: list[Strategy | None] = []
        self._take_seats()
        if match is not None and self.private:
            self.match = match.fork(len(match.log))
        self.go_on()

    def _take_seats(self) -> None:
        """Let everybody sit down anew: fresh strategies, hands covered if several people play."""
        self.people = [seat for seat in self.game.seats if self.players[seat] == "person"]
        self.viewer = self.people[0] if len(self.people) == 1 else None
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
    def covered(self) -> list[Seat]:
        """The people one of whom must take the screen before the match goes on."""
        waiting = [seat for seat in self.game.to_act(self.match.state) if seat in self.people]
        return waiting if self.viewer not in waiting else []

    def acted(self) -> int:
        """Return how many actions the viewer and the table have taken, to tell a stale click by."""
        return sum(seat in (self.viewer, TABLE) for seat, _ in self.match.log)

    def act(self, seat: Seat | None, action: Any, match: str, branch: int, acted: int) -> None:
        """Carry out the decision of *seat*, clicked in the scene of that match, branch and count.

        :raises Stale: if the click belongs to another scene.
        :raises IllegalAction: with the reason, if the rules do not allow it.
        """
        now = (self.id, self.branch, self.acted())
        if self.entry is not None:
            raise Stale("table.looking_back")
        if (match, branch, acted) != now or seat is None or seat not in (TABLE, self.viewer):
            raise Stale("table.stale")
        self.match.play(seat, tupled(action))
        if len(self.people) > 1 and seat == TABLE:
            self.viewer = None  # anybody may have touched it
        self.go_on()

    def go_on(self) -> None:
        """Let the strategies play from now on until a person must decide, or one batch is full."""
        self.entry, self.more = None, False
        self._moments = [self._moment()]
        while not self.trouble and not self.more and self._step():
            self._moments.append(self._moment())
            self.more = len(self._moments) == BATCH
        if len(self.people) > 1 and self.covered:
            self.viewer = None

    def _step(self) -> bool:
        """Let one strategy decide, or the table if nobody is there to touch it; return whether one did."""
        deciding = self.game.to_act(self.match.state)
        free = [seat for seat in deciding if seat not in self.people and (seat != TABLE or not self.people)]
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

    def uncover(self, seat: Seat) -> None:
        """Show *seat*'s hand: that person says the screen is theirs.

        :raises Stale: if the match does not wait for that person.
        """
        if seat not in self.covered:
            raise Stale("table.stale")
        self.viewer = seat
        self._moments = [self._moment()]

    def cover(self) -> None:
        """Put the hand away that is open, so that somebody else can take the screen."""
        if len(self.people) > 1:
            self.viewer = None
            self._moments = [self._moment()]

    # Looking back

    def look_at(self, entry: int | None) -> None:
        """Look at the moment after *entry* actions, ``None`` for now.

        :raises Stale: while several people play, or if there is no such moment.
        """
        if entry is not None:
            self.must_be_open()
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
        return Moment(len(match.log), {seat: self.game.observe(match.state, seat) for seat in (None, *self.game.seats)})

    def _look(self, moment: Moment, language: str) -> Look:
        """Return how the viewer sees *moment*: with all hands open once nobody has a secret left."""
        ended = self.match.over and (self.entry is not None or moment.entry == len(self.match.log))
        opened = [moment.seen[seat] for seat in self.game.seats] if ended or not self.people else []
        by = [player_name(self.game.name, player, language) for player in self.players]
        return Look(self.game, language, self.match.names, by, opened)

    def view(self, language: str) -> dict[str, Any]:
        """Return what the screen shows now, in *language*; see ``static/table.js`` for its parts."""
        drawn, viewer, back = scene_module(self.game.name), self.viewer, self.entry is not None
        story = self.match.story(viewer)
        told_at = [self.match.opening, *self.match.events]
        heard = list(accumulate(sum(event.is_for(viewer) for event in events) for events in told_at))
        heard = [heard[moment.entry] for moment in self._moments]
        story = story[: heard[-1]]
        scenes: list[Scene] = [
            drawn.scene(moment.seen[viewer], story[:count], self._look(moment, language))
            for moment, count in zip(self._moments, heard)
        ]
        skip = max(0, len(story) - STORY)
        log = drawn.log(story[skip:], self._look(self._moments[-1], language), max(0, heard[0] - skip))
        told = [sum(line is not None for line in log[: max(0, count - skip)]) for count in heard]
        if back:
            for scene in scenes:
                _make_inert(scene)
        return {
            "match": self.id, "branch": self.branch, "acted": self.acted(), "viewer": viewer,
            "people": len(self.people), "language": language, "scenes": scenes,
            "story": [line for line in log if line is not None], "told": told,
            "more": self.more and not back and not self.trouble, "covered": self._cover(language),
            "looking_back": back, "may_look_back": not self.private, "may_save": not self.private,
            "entry": self._moments[-1].entry, "entries": len(self.match.log),
            "seed": None if self.private else self.match.seed,
            "trouble": self._trouble(language),
        }  # fmt: skip

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
    pages: dict[str, Page] = getattr(scene_module(game.name), "handbook", lambda look: {})(Look(game, language))
    return pages


def player_name(game: str, player: Player, language: str) -> str:
    """Return what *player* is called; a strategy without a text of its own by its class name."""
    if player == "person":
        return text("table.person", language)
    try:
        return said(game, f"strategy.{player.__name__}", language)
    except KeyError:
        return player.__name__


def _make_inert(scene: Scene) -> None:
    """Take away everything that can be decided in *scene*, which is past."""
    scene["turn"] = False
    scene["zones"] = [zone for zone in scene["zones"] if zone["kind"] != "choices"]
    for piece in pieces_of(scene):
        for part in ("action", "legal", "choices"):
            piece.pop(part, None)  # type: ignore[misc]
