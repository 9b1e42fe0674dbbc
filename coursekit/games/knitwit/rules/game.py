"""Rules of Knit Wit, for 2-8 players.

Source: Liu's rulebook in Chinese (chinliupiggy.blogspot.com, 2016) of the game by Matt Leacock. The
points it leaves open and its two lost tables are fields of :class:`Options`. Numbers such as 5.3
are sections of our specification.

Encoding: a loop is its place in the order of laying, 0-based; a spool is its number, 1-8; a tag is
its place in the pack of words. Players' actions: ``("loop", stroke)``, "full" and ``("spool",
number, x, y)``, see :mod:`.free_input`; "go"; ``("write", number, text)`` and "stop";
``("challenge", seat)``; "keep" and "withdraw"; "yes" and "no". The table's actions: "next" turns up
a number, "compare" strikes equal answers, "vote" and "close" open and end a vote, "time" ends the
writing.
"""

from collections.abc import Mapping
from random import Random
from typing import Any

from coursekit.core.chance import random_below, shuffle
from coursekit.core.game import TABLE, Event, Refusal, Seat
from coursekit.games.knitwit.rules import inference, refusals, scoring
from coursekit.games.knitwit.rules.box import Box
from coursekit.games.knitwit.rules.design import around
from coursekit.games.knitwit.rules.free_input import FULL, LoopInput, SpoolInput, WriteInput, laid
from coursekit.games.knitwit.rules.geometry import contains
from coursekit.games.knitwit.rules.lexicon import LINES, PLAYERS
from coursekit.games.knitwit.rules.options import PRESETS, Options
from coursekit.games.knitwit.rules.state import (
    NO_LIMIT,
    NO_TAG,
    NOBODY,
    NOT_VOTED,
    OPEN,
    SHUFFLE,
    Action,
    Observation,
    State,
    of_the_table,
)
from coursekit.words.texts import shorten

Input = LoopInput | SpoolInput | WriteInput

BLANK = ("",) * LINES
"""A sheet on which nothing is turned up."""


class KnitWit(Box):
    """The game.  The module lists its actions."""

    name = "knitwit"
    version = 2
    player_counts = tuple(PLAYERS)
    option_type, state_type, observation_type = Options, State, Observation
    phases = ("loop", "spool", "ready", "write", "reveal", "judge", "vote")
    presets = PRESETS
    open_phases = frozenset(
        ("loop", "spool", "ready", "reveal", "defend", "judge", "vote", "total", "over")
    )
    races = frozenset(("write",))
    # Setting up

    def initial_state(self, rng: Random) -> State:
        n, deck = self.players, list(range(len(self.pack.tags)))
        deck += [SHUFFLE] * self.options.shuffle_tag
        shuffle(rng, deck)
        state = State(
            phase="loop",
            round=0,
            starter=0,
            turn=0,
            loops=(),
            pins=(),
            owners=(),
            tags=(),
            spools=(),
            around=(),
            hands=[[] for _ in self.seats],
            deck=deck,
            used=[],
            sheets=[],
            writes=[],
            locked=[],
            buttons=[],
            taken=[],
            extra=NO_LIMIT,
            shown=0,
            compared=0,
            verdicts=[],
            doubts=[],
            case=[],
            challenger=NOBODY,
            votes=[NOT_VOTED] * n,
            tally=[],
            points=[0] * n,
            won=[],
        )
        self.next_round(state, rng)
        return state

    def opening(self, state: State) -> list[Event]:
        return self._told_round(state)

    def _told_round(self, state: State) -> list[Event]:
        lowest = min(number for hand in state.hands for number in hand)
        return [Event("round", {"round": state.round, "seat": state.starter, "number": lowest})]

    def next_round(self, state: State, rng: Random) -> list[Event]:
        """Clear the table and deal spools and loops; the owner of the lowest number begins
        (3.1-3.5).
        """
        n, numbers = self.players, list(range(1, LINES + 1))
        state.used += [tag for tag in state.tags if tag != NO_TAG]
        shuffle(rng, numbers)
        numbers = numbers[: self.setup.loops]
        lowest = min(numbers)
        numbers.remove(lowest)
        # The seat with the lowest number begins; each seat is equally likely to get it.
        state.starter = state.turn = random_below(rng, n)
        state.hands = [[] for _ in self.seats]
        for place, number in enumerate([lowest, *numbers]):
            state.hands[(state.starter + place) % n].append(number)
        for hand in state.hands:
            hand.sort()
        state.loops, state.pins, state.owners, state.tags, state.spools, state.around = (
            (),
            (),
            (),
            (),
            (),
            (),
        )
        state.sheets, state.writes = (
            [[""] * LINES for _ in self.seats],
            [[0] * LINES for _ in self.seats],
        )
        state.verdicts, state.locked = [[OPEN] * LINES for _ in self.seats], [0] * n
        state.buttons, state.taken, state.extra = list(self.setup.buttons[::-1]), [0] * n, NO_LIMIT
        state.shown = state.compared = 0
        state.phase, state.round = "loop", state.round + 1
        return self._told_round(state)

    # The contract

    def to_act(self, state: State) -> tuple[Seat, ...]:
        phase = state.phase
        if phase == "over":
            return ()
        if phase in ("loop", "spool"):
            return (state.turn,)
        if phase == "ready":
            return (state.starter,)  # 「由起始玩家宣布開始」
        if phase == "judge":
            return tuple(state.case)
        if phase == "write":
            writing = tuple([seat for seat in self.seats if not state.locked[seat]])
            return (TABLE, *writing) if self.seconds(state) else writing
        clock = (TABLE,)
        if phase == "reveal":
            open_to = scoring.challengeable(self, state)
            return clock + tuple([seat for seat in self.seats if open_to and open_to != [seat]])
        if phase == "vote":  # it can be closed after the first vote
            voted = any(vote != NOT_VOTED for vote in state.votes)
            waiting = tuple(
                [seat for seat in scoring.voters(self, state) if state.votes[seat] == NOT_VOTED]
            )
            return clock[:voted] + waiting
        return clock

    def legal_actions(self, state: State, seat: Seat) -> tuple[Action, ...] | Input:
        if seat not in self.to_act(state):
            return ()
        phase = state.phase
        if seat == TABLE:
            return (of_the_table(state),)
        if phase in ("loop", "spool"):
            design, numbers = self.design(state), tuple([number for number, _, _ in state.spools])
            if phase == "loop":
                return LoopInput(design, numbers)
            return SpoolInput(design, numbers, tuple(state.hands[seat]))
        if phase == "write":
            return self.writing(state, state.sheets[seat], state.writes[seat], state.extra)
        if phase == "reveal":
            return scoring.challenges(self, state, seat)
        return {"ready": ("go",), "judge": ("keep", "withdraw"), "vote": ("yes", "no")}[phase]

    def refuse_waiting(self, state: State, seat: Seat, action: Any, deciding: tuple[Seat, ...]) -> Refusal:
        special = refusals.late(state, action) or refusals.not_deciding(self, state, seat, deciding)
        return special or super().refuse_waiting(state, seat, action, deciding)

    def objection(self, state: State, seat: Seat, action: Any) -> Refusal | None:
        if late := refusals.late(state, action):
            return late
        legal = self.legal_actions(state, seat)
        if not isinstance(legal, tuple):
            return legal.refusal(action)
        two = type(action) is tuple and len(action) == 2
        plain = type(action) is str or (two and list(map(type, action)) == [str, int])
        if not plain:
            return Refusal("refusal.unknown", {"got": shorten(action)})
        return None if action in legal else refusals.why_not(self, state, seat, action)

    def apply(self, state: State, seat: Seat, action: Action, rng: Random) -> list[Event]:
        if state.phase == "loop" and action == FULL:
            return self._full(state, seat, rng)
        if state.phase == "loop":
            return self._lay(state, seat, action, rng)
        if state.phase == "spool":
            return self._put(state, seat, action, rng)
        if state.phase == "ready":
            state.phase = "write"
            return [Event("go", {"seat": seat, "numbers": self.numbers(state)})]
        if state.phase == "write":
            return self._write(state, seat, action)
        if state.phase == "total":
            return self.next_round(state, rng)
        return scoring.apply(self, state, seat, action)

    # Phase A: knitting

    def _lay(self, state: State, seat: Seat, action: Action, rng: Random) -> list[Event]:
        loop, pin = laid(self.design(state), action)
        new = len(state.loops)
        state.loops, state.pins = (*state.loops, loop), (*state.pins, pin)
        state.owners, state.tags = (*state.owners, seat), (*state.tags, NO_TAG)
        state.around = tuple(
            [
                (*loops, new) if contains(loop, (x, y)) > 0 else loops
                for loops, (_, x, y) in zip(state.around, state.spools)
            ]
        )
        state.phase = "spool"
        events = [Event("loop", {"seat": seat, "loop": new})]
        # 「從盒子裡抽出一張字卡」: the loop is laid first
        return events if self.options.words_last else [*events, *self._draw(state, new, rng)]

    def _draw(self, state: State, loop: int, rng: Random) -> list[Event]:
        events = []
        if not state.deck:
            state.deck, state.used = state.used, []
            shuffle(rng, state.deck)
            events.append(Event("shuffle", {"tags": len(state.deck)}))
        while (tag := state.deck.pop()) == SHUFFLE:
            state.deck += [*state.used, SHUFFLE]
            state.used = []
            shuffle(rng, state.deck)
            events.append(Event("shuffle", {"tags": len(state.deck) - 1}))
        state.tags = (*state.tags[:loop], tag, *state.tags[loop + 1 :])
        return [*events, Event("tag", {"loop": loop, "tag": tag})]

    def _put(self, state: State, seat: Seat, action: Action, rng: Random) -> list[Event]:
        _, number, x, y = action
        state.hands[seat].remove(number)
        loops = around(self.design(state), (x, y))
        state.spools, state.around = (*state.spools, (number, x, y)), (*state.around, loops)
        events = [Event("spool", {"seat": seat, "number": number, "loops": loops})]
        if any(state.hands):  # 「接著便換下一位玩家進行回合」
            following = (state.turn + 1 + step for step in range(self.players))
            state.turn = next(
                each % self.players for each in following if state.hands[each % self.players]
            )
            state.phase = "loop"
            return events
        return [*events, *self._knitted(state, rng)]

    def _full(self, state: State, seat: Seat, rng: Random) -> list[Event]:
        """Put the loops and spools that are left back into the box; their numbers are not answered
        (3.3, 3.4).
        """
        left = sorted(number for hand in state.hands for number in hand)
        state.hands = [[] for _ in self.seats]
        return [Event("full", {"seat": seat, "numbers": left}), *self._knitted(state, rng)]

    def _knitted(self, state: State, rng: Random) -> list[Event]:
        """End the knitting."""
        state.phase = "ready"
        last = range(len(state.loops)) if self.options.words_last else ()
        return [event for loop in last for event in self._draw(state, loop, rng)]

    # Phase B: answering

    def _write(self, state: State, seat: Seat, action: Action) -> list[Event]:
        if action == "time":
            return [Event("time"), *self._pencils_down(state)]
        if action == "stop":
            return self._stop(state, seat)
        _, number, text = action
        state.sheets[seat][number - 1] = text
        state.writes[seat][number - 1] += 1
        answer = {"answer": text} if text else {}
        events = [Event("write" if text else "erase", {"number": number, **answer}, (seat,))]
        if state.extra > 0:
            state.extra -= 1
            if state.extra == 0:
                return events + self._pencils_down(state)
        return events

    def _stop(self, state: State, seat: Seat) -> list[Event]:
        """Take the top button and lay the pencil down; the last button stops the others (5.3-5.5)."""
        state.locked[seat] = 1
        if not state.buttons:
            return [Event("done", {"seat": seat}), *self._pencils_down(state)]
        state.taken[seat] = state.buttons.pop()
        events = [Event("stop", {"seat": seat, "holes": state.taken[seat]})]
        if state.buttons and not all(state.locked):
            return events
        if self.players == 2 and self.options.two_player_extra and not all(state.locked):
            state.extra = (
                self.options.two_player_extra
            )  # 「另外一名玩家在停筆前可以再多寫上一個答案」
            return [*events, Event("one_more", {"seat": 1 - seat, "answers": state.extra})]
        return events + self._pencils_down(state)

    def _pencils_down(self, state: State) -> list[Event]:
        state.locked, state.phase, state.extra = [1] * self.players, "reveal", NO_LIMIT
        return [Event("pencils_down")]

    # Looking

    def observe(self, state: State, seat: Seat | None) -> Observation:
        seen, deciding, numbers = Observation.empty(), self.to_act(state), self.numbers(state)
        turned_up = set(numbers[: state.shown])
        seen.seat = seat
        seen.players = self.players
        seen.phase = state.phase
        seen.legal = ()
        seen.waiting = deciding
        seen.round = state.round
        seen.starter = state.starter
        seen.turn = state.turn
        seen.numbers = numbers
        seen.loops = state.loops
        seen.pins = state.pins
        seen.owners = state.owners
        seen.tags = state.tags
        seen.spools = state.spools
        seen.around = state.around
        seen.hands = tuple(map(tuple, state.hands))
        seen.deck = len(state.deck)
        seen.used = tuple(state.used)
        seen.sheet = seen.writes = ()
        seen.locked = tuple(state.locked)
        seen.buttons = tuple(state.buttons)
        seen.taken = tuple(state.taken)
        seen.extra = NO_LIMIT
        seen.shown = state.shown
        seen.compared = state.compared
        seen.answers = tuple(
            [
                tuple([text if number in turned_up else "" for number, text in enumerate(sheet, 1)])
                if turned_up
                else BLANK
                for sheet in state.sheets
            ]
        )
        seen.verdicts = tuple(map(tuple, state.verdicts))
        seen.doubts = tuple(map(tuple, state.doubts))
        seen.case = tuple(state.case)
        seen.challenger = state.challenger
        seen.voted = tuple([int(vote != NOT_VOTED) for vote in state.votes])
        seen.vote = NOT_VOTED
        seen.tally = tuple(state.tally)
        seen.points = tuple(state.points)
        seen.won = tuple(state.won)
        if seat is not None:
            seen.sheet, seen.writes = tuple(state.sheets[seat]), tuple(state.writes[seat])
            seen.vote = state.votes[seat]
            if seat in deciding:
                seen.legal, seen.extra = self.legal_actions(state, seat), state.extra
        return seen

    def scores(self, state: State) -> tuple[int, ...]:
        return tuple(state.points)

    def winners(self, state: State) -> tuple[Seat, ...]:
        return tuple(state.won)

    def resample(self, observation: Observation, rng: Random) -> State:
        return inference.resample(self, observation, rng)

    def word(self, kind: str, value: Any) -> tuple[str, Mapping[str, Any]]:
        if kind == "tag":
            return "tag_name", {"name": self.pack.tags[value].names}
        return (f"loop_name.{value}", {}) if kind == "loop" else ("spool_name", {"number": value})
