"""The one screen that people pass on: a :class:`.View` of a match that changes hands.

It keeps hands covered when several people share it, looks back, goes on from an earlier moment, and
judges what is touched. :mod:`coursekit.table.widget` shows it.
"""

from collections.abc import Collection, Sequence
from typing import Any

from coursekit.core.game import TABLE, Refusal, Seat
from coursekit.core.match import is_race
from coursekit.kit.scene import Scene, pieces_of
from coursekit.table.players import Player
from coursekit.table.run import Run, StaleError
from coursekit.table.view import View
from coursekit.words.texts import game_text, seat_name

OPEN = ("hand", "row", "choices", "pile", "results")
"""Kinds of zones that hide nothing but their pieces."""


class Screen:
    """Shows *run* to the people who play it at one screen."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self._last = TABLE  # who had the screen last
        self._had: set[Seat] = set()  # who has had it in this race
        self._in_the_open = 0  # actions of people that all could see being done
        self._offers = 0  # decisions that could have been taken back
        self._retractable: tuple[int, Seat] | None = None  # the number of the last one, and whose
        self._sit_down()

    def _sit_down(self) -> None:
        """Begin with the people who play now, hands covered if there are several."""
        people = self.run.people
        self._retractable = None
        self.shown = View(self.run, people[0] if len(people) == 1 else None, self._had)
        """What is on it now."""
        self._follow()

    # Whose screen it is

    @property
    def viewer(self) -> Seat | None:
        """The person in front of the screen, ``None`` while hands are covered or all lie open."""
        return self.shown.seat

    @property
    def together(self) -> bool:
        """Whether several people look at the screen together, since there is nothing to hide."""
        return self._is_shared_in(self.run.game.open_phases)

    @property
    def bare(self) -> bool:
        """Whether all hands lie open on a shared screen, which then goes on by itself."""
        return self._is_shared_in(self.run.game.bare_phases)

    def _is_shared_in(self, phases: Collection[str]) -> bool:
        run = self.run
        return len(run.people) > 1 and run.game.observe(run.match.state, None).phase in phases

    @property
    def covered(self) -> list[Seat]:
        """The people who must take the screen in turn before the match goes on, the next one first.

        In a race those come first who have not had it yet.
        """
        if self.together or self.bare or self.viewer in self.run.waiting:
            return []
        return self._in_turn()

    def _in_turn(self) -> list[Seat]:
        """Return the people who can decide, first the one who follows the last."""
        players = self.run.game.players

        def order(seat: Seat) -> tuple[bool, int]:
            return seat in self._had, (seat - self._last - 1) % players

        return sorted(self.run.waiting, key=order)

    def uncover(self, seat: Seat) -> None:
        """Show *seat*'s hand: that person says the screen is theirs.

        :raises StaleError: if the match does not wait for that person.
        """
        if seat not in self.covered:
            raise StaleError("table.stale")
        self._last = seat
        if is_race(self.run.match):
            self._had.add(seat)
        self.shown.seat = seat
        self.shown.catch_up()

    def cover(self) -> None:
        """Put the hand away that is open, so that another person can take the screen."""
        if len(self.run.people) > 1 and not self.bare:
            self.shown.seat = None
            if not self.shown.back:
                self.shown.catch_up()

    def _viewers(self) -> Sequence[Seat]:
        """Return the people who sit in front of the screen as it is now."""
        if self.together:
            return self.run.people
        return [] if self.viewer is None else [self.viewer]

    # What is touched

    @property
    def acted(self) -> int:
        """How many actions the viewer and the table have taken, to tell a stale click by.

        In the open, those done in the open count: all of them would tell what others did unseen.
        """
        return self._in_the_open if self.together else self.shown.acted

    def act(self, seat: Seat, action: Any, acted: int) -> None:
        """Carry out the decision of *seat*, clicked in a scene of this match.

        :param acted: how many actions had been taken in that scene, see :attr:`acted`.
        :raises StaleError: if the click belongs to another scene.
        :raises IllegalAction: with the reason, if the rules do not allow it.
        """
        run = self.run
        self._must_be_now()
        together = self.together
        if acted != self.acted or seat not in (TABLE, *self._viewers()):
            raise StaleError("table.stale")
        self._retractable = None
        if run.watch(seat, action):
            self._offers += 1
            self._retractable = self._offers, seat
        self._in_the_open += together
        if len(run.people) > 1 and seat == TABLE:
            self.shown.seat = None  # any of them may have touched it
        self._follow()

    def take_back(self, decision: int) -> Seat:
        """Take the last decision back, to which the others have agreed; return whose it was.

        :param decision: its number in the view that offered to take it back.
        :raises StaleError: if it is not the last one any more.
        """
        self._must_be_now()
        if self._retractable is None or decision != self._retractable[0]:
            raise StaleError("table.stale")
        seat = self._retractable[1]
        self.run.undo()
        if not self.together:
            self._last = seat - 1  # so that it decides again first
        self._sit_down()
        return seat

    def others(self, seat: Seat) -> tuple[Seat, ...]:
        """Return the people beside *seat*."""
        return tuple(other for other in self.run.people if other != seat)

    def attempt(self, seat: Seat, action: Any) -> tuple[Refusal | None, Any]:
        """Return why *seat* may not do *action*, and how it would lie on the table.

        :raises StaleError: if *seat* cannot decide on this screen now.
        """
        self._must_be_here(seat)
        return self.run.attempt(seat, action)

    def suggestion(self, seat: Seat, n: int, about: Any) -> Any:
        """Return the *n*-th proposal for what *seat* can do by hand, ``None`` if there is none.

        :raises StaleError: if *seat* cannot decide on this screen now.
        """
        self._must_be_here(seat)
        return self.run.suggestion(seat, n, about)

    def _must_be_here(self, seat: Seat) -> None:
        self._must_be_now()
        if seat not in self._viewers():
            raise StaleError("table.stale")

    def _must_be_now(self) -> None:
        if self.shown.back:
            raise StaleError("table.looking_back")

    # How it goes on

    @property
    def racing(self) -> int:
        """After how many seconds the next moment of a race goes by, 0 for none.

        Several people at one screen take turns, so strategies get no more moments than each of them
        has seconds.
        """
        idle = self.shown.back or bool(self.covered)
        return len(self.run.waiting) if self.run.racing and not idle else 0

    def go_on(self, events: int | None = None) -> None:
        """Let the strategies play on from now until a person must decide, or one batch is full.

        :param events: how many events the screen had told when it asked; nothing is done if that is
            not so now.
        """
        if events is not None:
            is_late = events != self.shown.events
            if is_late or self.shown.back or not self.run.more:
                return
        self.run.go_on()
        self._follow()

    def tick(self) -> bool:
        """Let a moment of a race go by; return whether there is anything new to see."""
        if not self.racing or not self.run.tick():
            return False
        if not self.run.raced:
            self._follow()
            return True
        return self.shown.advance() or self.run.trouble is not None

    def _follow(self) -> None:
        """Show what strategies have done, hands covered if need be."""
        view, run = self.shown, self.run
        view.show_latest()
        if any(moment.seen[None].phase not in run.game.races for moment in view.moments):
            self._had.clear()
        if len(run.people) > 1 and (self.together or self.covered):
            view.seat = None
        if self.bare and run.waiting and self.viewer not in run.waiting:
            view.seat = self._last = self._in_turn()[0]

    def replace(self, seat: Seat, player: Player) -> None:
        """Let *player* go on for *seat*, whose strategy is in trouble.

        :raises StaleError: if it is not.
        """
        self.run.replace(seat, player)
        self._sit_down()

    # Looking back

    def look_at(self, entry: int | None) -> None:
        """Look at the moment after *entry* actions, ``None`` for now.

        :raises StaleError: as :meth:`.Run.must_have`.
        """
        if entry is None:
            self.shown.catch_up()
        else:
            self.shown.look_back(entry)

    def fork(self, entry: int) -> None:
        """Go on from the moment after *entry* actions with new chance; the old end is left.

        :raises StaleError: as :meth:`look_at`.
        """
        self.run.fork(entry)
        self._sit_down()

    # What it shows

    def spectator(self, language: str) -> dict[str, Any]:
        """Return what a spectator sees of the moments shown now: scenes and story, nothing else.

        It is drawn where others look on, and in place of a hand that its holder keeps covered.
        """
        spectator = View(self.run, None)
        spectator.back = self.shown.back
        spectator.moments = self.shown.moments
        view = spectator.json(language)
        return {part: view[part] for part in ("scenes", "story", "told")}

    def view(self, language: str) -> dict[str, Any]:
        """Return what the screen shows now, in *language*; ``static/table.js`` draws it."""
        names = self.run.match.names
        covered = [
            {"seat": seat, "name": seat_name(seat, language, names)} for seat in self.covered
        ]
        own = {"acted": self.acted, "covered": covered, "racing": self.racing, "bare": self.bare}
        own["take_back"] = self._offer(language)
        view = self.shown.json(language)
        return view | own | {"hides": self._hides(view["scenes"][-1], language)}

    def _hides(self, scene: Scene, language: str) -> bool:
        """Return whether the viewer's *scene* has anything that others may not see."""
        if len(self.run.people) < 2 or self.viewer is None or self.bare:
            return False
        seen = {piece["id"] for piece in pieces_of(self.spectator(language)["scenes"][-1])}
        near = [zone for zone in scene["zones"] if zone["place"] == "near"]
        if any(zone["kind"] not in OPEN for zone in near):
            return True  # what is written there
        pieces = [piece for zone in near for piece in zone.get("pieces", [])]
        return not seen.issuperset(piece["id"] for piece in pieces)

    def _offer(self, language: str) -> dict[str, Any] | None:
        """Return the question whether the last decision may be taken back, if it can be."""
        if self._retractable is None or self.shown.back:
            return None
        decision, seat = self._retractable
        game, names = self.run.game, self.run.match.names
        words = {"seat": seat, "others": self.others(seat)}
        ask = game_text(game, "table.take_back", language, names, **words)
        return {"decision": decision, "ask": ask}
