"""Rules of 文壇封鎖中 1949-1992 (Literature Lockdown), for 4 players.

Source: the rulebook 《文壇封鎖中 1949-1992 遊戲說明書》, quoted where the code follows it. The
points it leaves open are fields of :class:`Options`. The effects of function cards and events are
the kit's own design, see ``effects.py`` and ``events.py``. ``turns.py`` has the course of a turn,
``eras.py`` that of an era.

Cards are numbers (:mod:`.card_codes`). An action is a word ("exchange", "roll", "refresh", "done",
"pass", the table's "next") or a pair of a word and a card or seat, such as ``("play", card)``. A
lap is one turn of each player. The position of a marker is its number of spaces from the start of
the era.

``state.steps`` lists all that is still to do, the next step last. A step either happens by itself
(``STEPS``) or asks a player (``PHASES``); the name of the one that asks is the phase.
"""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from coursekit.core.game import TABLE, Event, Refusal, Seat
from coursekit.games.blockade.rules import (
    automatic_steps,
    effects,
    eras,
    events,
    inference,
    refusals,
    turns,
)
from coursekit.games.blockade.rules.automatic_steps import Events, Phase
from coursekit.games.blockade.rules.box import Box
from coursekit.games.blockade.rules.card_codes import ROLES
from coursekit.games.blockade.rules.options import PRESETS, Options
from coursekit.games.blockade.rules.state import Action, Observation, State
from coursekit.words.texts import shorten

STEPS: dict[str, Callable[..., Events]] = {
    **automatic_steps.STEPS,
    **turns.STEPS,
    **eras.STEPS,
    "event": events.happen,
}
PHASES: dict[str, Phase] = {**turns.PHASES, **effects.PHASES, **events.PHASES, **eras.PHASES}


class Blockade(Box):
    """The game.  Actions are words and pairs such as ``("play", card)``; see :mod:`.rules`."""

    name = "blockade"
    version = 2
    player_counts = (4,)
    option_type, state_type, observation_type = Options, State, Observation
    phases = (
        "opening",
        "main",
        "fresh",
        "exchange",
        "pay",
        "strike",
        "launch",
        "defend",
        "place",
        "peek",
        "hand_in",
        "close",
        "trim",
        "lose",
        "inspect",
        "rival",
        "throw",
        "pass_left",
    )
    presets = PRESETS

    def initial_state(self, rng: Random) -> State:
        state = State(points=[0] * self.players)
        eras.start(self, state, rng, self.options.eras[0])
        self.run(state, rng)
        return state

    def opening(self, state: State) -> list[Event]:
        return eras.beginning(self, state)

    def to_act(self, state: State) -> tuple[Seat, ...]:
        if not state.steps:
            return ()
        step = state.steps[-1]
        return PHASES[step[0]].deciders(state, step)

    def legal_actions(self, state: State, seat: Seat) -> tuple[Action, ...]:
        step = state.steps[-1]
        return tuple(PHASES[step[0]].legal(self, state, seat, *step[2:]))

    def objection(self, state: State, seat: Seat, action: Any) -> Refusal | None:
        if not refusals.is_action(action):
            return Refusal("refusal.not_an_action", {"got": shorten(action)})
        if action in self.legal_actions(state, seat):
            return None
        return refusals.explain(self, state, seat, action)

    def apply(self, state: State, seat: Seat, action: Action, rng: Random) -> list[Event]:
        state.reshuffled = ()
        step = state.steps.pop()
        happened = PHASES[step[0]].act(self, state, rng, seat, action, *step[2:])
        happened += self.run(state, rng)
        # One action may lead to several searches, each through an event that the one before it
        # moved a marker to.
        books: list[int] = []
        for event in happened:
            if event.text == "turned_up":
                books += event.values["books"]
        if books:
            state.revealed = tuple(books)
        return happened

    def run(self, state: State, rng: Random) -> Events:
        """Do the steps that happen by themselves, until one asks a player or the match is over."""
        happened: Events = []
        while state.steps:
            step = state.steps[-1]
            if automatic := STEPS.get(step[0]):
                state.steps.pop()
                happened += automatic(self, state, rng, *step[1:])
            elif PHASES[step[0]].asks(self, state, step):
                break
            else:
                state.steps.pop()
        return happened

    def observe(self, state: State, seat: Seat | None) -> Observation:
        deciding = self.to_act(state)
        legal = self.legal_actions(state, seat) if seat is not None and seat in deciding else ()
        return self._observe(state, seat, deciding, legal)

    def observe_turn(self, state: State) -> Observation | None:
        deciding = self.to_act(state)
        if len(deciding) != 1:
            return None
        seat = deciding[0]
        if seat == TABLE:
            return None
        return self._observe(state, seat, deciding, self.legal_actions(state, seat))

    def _observe(
        self, state: State, seat: Seat | None, deciding: tuple[Seat, ...], legal: tuple[Action, ...]
    ) -> Observation:
        known = state.known[self.players if seat is None else seat]
        held: list[int] = []
        for hand in state.hands:  # takes half the time of `map`
            held.append(len(hand))
        seen: Observation = object.__new__(Observation)  # as `Observation.empty`, without its call
        seen.seat = seat
        seen.players = self.players
        seen.phase = state.phase
        seen.legal = legal
        seen.waiting = deciding
        seen.steps = events.hide_choices(state.steps, seat)
        seen.era = state.era
        seen.turns = state.turns
        seen.quiet = state.quiet
        seen.turn = state.turn
        seen.roles = tuple(state.roles)
        seen.hand = () if seat is None else tuple(state.hands[seat])
        seen.open_hands = tuple(map(tuple, state.hands)) if self.options.open_hands else ()
        seen.held = tuple(held)
        seen.known = ((),) * self.players
        if known:
            seen.known = tuple([tuple(filter(known.__contains__, hand)) for hand in state.hands])
        seen.tables = tuple(map(tuple, state.tables))
        seen.books = state.books
        seen.spares = state.spares
        seen.deck = len(state.deck)
        seen.discards = tuple(state.discards)
        seen.reshuffled = state.reshuffled
        seen.book_deck = len(state.book_deck)
        seen.under = tuple(state.book_deck[: state.under])
        seen.peek = ()
        if seen.phase == "peek" and deciding == (seat,):
            seen.peek = tuple(state.book_deck[-state.steps[-1][2] :])
        seen.removed = state.removed
        seen.positions = tuple(state.positions)
        seen.goal = self.goal(state.era)
        seen.points = tuple(state.points)
        seen.by_era = state.by_era
        seen.fired = state.fired
        seen.covered = tuple(state.covered)
        seen.skip = tuple(state.skip)
        seen.sure = state.sure
        seen.lifted = state.lifted
        seen.outspoken = state.outspoken
        seen.fresh = state.fresh
        seen.shown = state.shown
        seen.revealed = state.revealed
        seen.die = state.die
        seen.won = state.won
        return seen

    def scores(self, state: State) -> tuple[int, ...]:
        return tuple(state.points)

    def winners(self, state: State) -> tuple[Seat, ...]:
        return state.won

    def resample(self, observation: Observation, rng: Random) -> State:
        return inference.resample(self, observation, rng)

    def word(self, kind: str, value: Any) -> tuple[str, Mapping[str, Any]]:
        """Return the text that names or explains *value*.

        *kind* is that of a name: a card, a book, a "dated" book, a function card, a role, an era or
        an event; or it is a "reading" of a card, the "text" of a function card, the "effect" of an
        event, "usable".
        """
        if kind in ("card", "book", "dated"):
            return self.cards.word(kind, value)
        if kind == "reading":
            return self.word("text", self.cards.functions[value])
        which = {"which": self.which}
        words: dict[str, tuple[str, Mapping[str, Any]]] = {
            "function": (f"function.{value}.name", {}),
            "text": (f"function.{value}.text", which),
            "event": (f"event.{value}.name", {}),
            "effect": (f"event.{value}.effect", which),
        }
        if kind == "role":
            value = ROLES[value]
        return words.get(kind, (f"{kind}.{value}", {}))
