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
from coursekit.games.knitwit.rules.free_input import (
    FULL,
    LoopInput,
    SpoolInput,
    WriteInput,
    laid_loop,
)
from coursekit.games.knitwit.rules.geometry import contains
from coursekit.games.knitwit.rules.lexicon import LINES, PLAYERS
from coursekit.games.knitwit.rules.loop_design import loops_at
from coursekit.games.knitwit.rules.options import PRESETS, Options
from coursekit.games.knitwit.rules.state import (
    NO_LIMIT,
    NO_TAG,
    NOT_VOTED,
    OPEN,
    PUBLIC,
    PUBLIC_LISTS,
    PUBLIC_TABLES,
    SHUFFLE,
    Action,
    Observation,
    State,
    table_action,
)
from coursekit.words.texts import shorten

Input = LoopInput | SpoolInput | WriteInput
SAYINGS: dict[str, tuple[Action, ...]] = {
    "ready": ("go",),
    "judge": ("keep", "withdraw"),
    "vote": ("yes", "no"),
}
"""Phase -> the words that a player who decides may say."""


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
        deck = list(range(len(self.pack.tags)))
        deck += [SHUFFLE] * self.options.shuffle_tag
        shuffle(rng, deck)
        state = State(
            hands=[[] for _ in self.seats],
            deck=deck,
            votes=[NOT_VOTED] * self.players,
            points=[0] * self.players,
        )
        self.next_round(state, rng)
        return state

    def opening(self, state: State) -> list[Event]:
        return self._round_events(state)

    def _round_events(self, state: State) -> list[Event]:
        lowest = min(state.hands[state.starter])
        return [Event("round", {"round": state.round, "seat": state.starter, "number": lowest})]

    def next_round(self, state: State, rng: Random) -> list[Event]:
        """Clear the table and deal spools and loops (3.1-3.5).

        The owner of the lowest number begins.
        """
        n = self.players
        state.used += [tag for tag in state.tags if tag != NO_TAG]
        numbers = list(range(1, LINES + 1))
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
        state.loops = ()
        state.pins = ()
        state.owners = ()
        state.tags = ()
        state.spools = ()
        state.around = ()
        state.sheets = [[""] * LINES for _ in self.seats]
        state.writes = [[0] * LINES for _ in self.seats]
        state.verdicts = [[OPEN] * LINES for _ in self.seats]
        state.locked = [0] * n
        state.buttons = list(self.setup.buttons[::-1])
        state.taken = [0] * n
        state.extra = NO_LIMIT
        state.shown = state.compared = 0
        state.phase = "loop"
        state.round += 1
        return self._round_events(state)

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
            writers = tuple([seat for seat in self.seats if not state.locked[seat]])
            return (TABLE, *writers) if self.seconds(state) else writers
        if phase == "reveal":
            open_to = scoring.challengeable(self, state)
            return (TABLE, *[seat for seat in self.seats if open_to not in ([], [seat])])
        if phase == "vote":
            voters = scoring.voters(self, state)
            waiting = [seat for seat in voters if state.votes[seat] == NOT_VOTED]
            can_close = any(vote != NOT_VOTED for vote in state.votes)
            return (TABLE, *waiting) if can_close else tuple(waiting)
        return (TABLE,)

    def legal_actions(self, state: State, seat: Seat) -> tuple[Action, ...] | Input:
        if seat not in self.to_act(state):
            return ()
        if seat == TABLE:
            return (table_action(state),)
        phase = state.phase
        if phase == "write":
            return self.write_input(state, seat)
        if phase == "reveal":
            return scoring.challenges(self, state, seat)
        if phase in SAYINGS:
            return SAYINGS[phase]
        design = self.design(state)
        numbers = tuple([number for number, _, _ in state.spools])
        if phase == "loop":
            return LoopInput(design, numbers)
        return SpoolInput(design, numbers, tuple(state.hands[seat]))

    def refuse_waiting(
        self, state: State, seat: Seat, action: Any, deciding: tuple[Seat, ...]
    ) -> Refusal:
        refusal = refusals.late(state, action) or refusals.not_deciding(self, state, seat, deciding)
        return refusal or super().refuse_waiting(state, seat, action, deciding)

    def objection(self, state: State, seat: Seat, action: Any) -> Refusal | None:
        if late := refusals.late(state, action):
            return late
        legal = self.legal_actions(state, seat)
        if not isinstance(legal, tuple):
            return legal.refusal(action)
        is_word = type(action) is str
        is_pair = type(action) is tuple and len(action) == 2
        if not (is_word or (is_pair and [type(part) for part in action] == [str, int])):
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
        loop, pin = laid_loop(self.design(state), action)
        new = len(state.loops)
        state.loops = (*state.loops, loop)
        state.pins = (*state.pins, pin)
        state.owners = (*state.owners, seat)
        state.tags = (*state.tags, NO_TAG)
        around = list(state.around)
        for place, (_, x, y) in enumerate(state.spools):
            if contains(loop, (x, y)) > 0:
                around[place] = (*around[place], new)
        state.around = tuple(around)
        state.phase = "spool"
        events = [Event("loop", {"seat": seat, "loop": new})]
        # 「從盒子裡抽出一張字卡」: the loop is laid first
        return events if self.options.words_last else events + self._draw(state, new, rng)

    def _draw(self, state: State, loop: int, rng: Random) -> list[Event]:
        """Clip the top tag to *loop*; the Shuffle tag brings the used tags back into the deck."""
        events = []
        if not state.deck:
            events.append(self._shuffle_in(state, [], rng))
        while (tag := state.deck.pop()) == SHUFFLE:
            events.append(self._shuffle_in(state, [SHUFFLE], rng))
        state.tags = (*state.tags[:loop], tag, *state.tags[loop + 1 :])
        return [*events, Event("tag", {"loop": loop, "tag": tag})]

    def _shuffle_in(self, state: State, more: list[int], rng: Random) -> Event:
        state.deck += [*state.used, *more]
        state.used = []
        shuffle(rng, state.deck)
        return Event("shuffle", {"tags": len(state.deck) - len(more)})

    def _put(self, state: State, seat: Seat, action: Action, rng: Random) -> list[Event]:
        _, number, x, y = action
        state.hands[seat].remove(number)
        loops = loops_at(self.design(state), (x, y))
        state.spools = (*state.spools, (number, x, y))
        state.around = (*state.around, loops)
        events = [Event("spool", {"seat": seat, "number": number, "loops": loops})]
        if not any(state.hands):
            return events + self._end_knitting(state, rng)
        state.phase = "loop"
        while True:  # 「接著便換下一位玩家進行回合」
            state.turn = (state.turn + 1) % self.players
            if state.hands[state.turn]:
                return events

    def _full(self, state: State, seat: Seat, rng: Random) -> list[Event]:
        """Put the loops and spools that are left back into the box (3.3, 3.4).

        Their numbers are not answered.
        """
        left = sorted(number for hand in state.hands for number in hand)
        state.hands = [[] for _ in self.seats]
        events = [Event("full", {"seat": seat, "numbers": left})]
        return events + self._end_knitting(state, rng)

    def _end_knitting(self, state: State, rng: Random) -> list[Event]:
        state.phase = "ready"
        events = []
        if self.options.words_last:
            for loop in range(len(state.loops)):
                events += self._draw(state, loop, rng)
        return events

    # Phase B: answering

    def _write(self, state: State, seat: Seat, action: Action) -> list[Event]:
        if action == "time":
            return [Event("time"), *self._pencils_down(state)]
        if action == "stop":
            return self._stop(state, seat)
        _, number, text = action
        state.sheets[seat][number - 1] = text
        state.writes[seat][number - 1] += 1
        values = {"number": number, "answer": text} if text else {"number": number}
        event = Event("write" if text else "erase", values, (seat,))
        if state.extra == NO_LIMIT:
            return [event]
        state.extra -= 1
        return [event] if state.extra else [event, *self._pencils_down(state)]

    def _stop(self, state: State, seat: Seat) -> list[Event]:
        """Take the top button and lay down the pencil; the last button stops all (5.3-5.5)."""
        state.locked[seat] = 1
        if not state.buttons:
            return [Event("done", {"seat": seat}), *self._pencils_down(state)]
        holes = state.buttons.pop()
        state.taken[seat] = holes
        event = Event("stop", {"seat": seat, "holes": holes})
        if all(state.locked):
            return [event, *self._pencils_down(state)]
        if state.buttons:
            return [event]
        # 「另外一名玩家在停筆前可以再多寫上一個答案」
        if self.players == 2 and self.options.two_player_extra:
            state.extra = self.options.two_player_extra
            return [event, Event("one_more", {"seat": 1 - seat, "answers": state.extra})]
        return [event, *self._pencils_down(state)]

    def _pencils_down(self, state: State) -> list[Event]:
        state.locked = [1] * self.players
        state.phase = "reveal"
        state.extra = NO_LIMIT
        return [Event("pencils_down")]

    # Looking

    def observe(self, state: State, seat: Seat | None) -> Observation:
        deciding = self.to_act(state)
        numbers = self.numbers(state)
        seen = Observation.empty()
        for name in PUBLIC:
            setattr(seen, name, getattr(state, name))
        for name in PUBLIC_LISTS:
            setattr(seen, name, tuple(getattr(state, name)))
        for name in PUBLIC_TABLES:
            setattr(seen, name, tuple(map(tuple, getattr(state, name))))
        seen.seat = seat
        seen.players = self.players
        seen.legal = ()
        seen.waiting = deciding
        seen.numbers = numbers
        seen.deck = len(state.deck)
        seen.sheet = ()
        seen.writes = ()
        seen.extra = NO_LIMIT
        seen.answers = _open_answers(state, numbers[: state.shown])
        seen.voted = tuple([int(vote != NOT_VOTED) for vote in state.votes])
        seen.vote = NOT_VOTED
        if seat is not None:
            seen.sheet = tuple(state.sheets[seat])
            seen.writes = tuple(state.writes[seat])
            seen.vote = state.votes[seat]
            if seat in deciding:
                seen.legal = self.legal_actions(state, seat)
                seen.extra = state.extra
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


def _open_answers(state: State, numbers: tuple[int, ...]) -> tuple[tuple[str, ...], ...]:
    """Return all answers to *numbers*, "" on other lines."""
    pads = []
    for answers in state.sheets:
        pad = [""] * LINES
        for number in numbers:
            pad[number - 1] = answers[number - 1]
        pads.append(tuple(pad))
    return tuple(pads)
