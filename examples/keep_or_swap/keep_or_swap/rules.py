"""Keep or Swap, for 2-4 players: one card each; keep it, or swap it with the pile; the highest card
wins.

A card is its number.  Actions are the texts "keep" and "swap".
"""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar

from coursekit.core.chance import shuffle
from coursekit.core.game import CommonObservation, Event, Game, Refusal, Seat
from coursekit.core.options import option
from coursekit.words.texts import shorten


@dataclass(frozen=True)
class Options:
    highest: int = option(9, range(5, 21), "1")  # by default, allowed, number in the rules
    """There is one card of each number from 1 to this."""


@dataclass(slots=True)
class State:
    hands: list[int]  # one card for each seat
    pile: list[int]  # face down, the top last
    away: list[int]  # swapped away, face up
    turn: Seat  # equal to the number of players when it is over


@dataclass(slots=True)
class Observation(CommonObservation):
    turn: Seat
    cards: tuple[int, ...]  # of each seat, 0 for one that this seat does not see
    away: tuple[int, ...]
    left: int  # cards in the pile


class KeepOrSwap(Game[State, Observation, str]):
    name = "keep_or_swap"
    version = 1
    player_counts = (2, 3, 4)
    option_type, state_type, observation_type = Options, State, Observation
    presets: ClassVar = {"standard": {}, "long": {"highest": 20}}
    longest = 4  # no match has more actions

    def initial_state(self, rng: Random) -> State:
        deck = list(range(1, self.options.highest + 1))
        shuffle(rng, deck)
        return State(hands=deck[: self.players], pile=deck[self.players :], away=[], turn=0)

    def opening(self, state: State) -> list[Event]:
        return [Event("deal", {"highest": self.options.highest})]

    def to_act(self, state: State) -> tuple[Seat, ...]:
        return (state.turn,) if state.turn < self.players else ()

    def legal_actions(self, state: State, seat: Seat) -> tuple[str, ...]:
        return ("keep", "swap") if state.pile else ("keep",)

    def objection(self, state: State, seat: Seat, action: Any) -> Refusal | None:
        if type(action) is not str or action not in ("keep", "swap"):
            return Refusal("refusal.unknown", {"got": shorten(action)})
        if action == "swap" and not state.pile:
            return Refusal("refusal.no_pile", {}, "rule.swap")
        return None

    def apply(self, state: State, seat: Seat, action: str, rng: Random) -> list[Event]:
        events = [
            Event(
                action,
                {"seat": seat, "card": state.hands[seat]} if action == "swap" else {"seat": seat},
            )
        ]
        if action == "swap":
            state.away.append(state.hands[seat])
            state.hands[seat] = state.pile.pop()
        state.turn += 1
        if state.turn == self.players:
            events.append(Event("over", {"winners": self.winners(state), "card": max(state.hands)}))
        return events

    def observe(self, state: State, seat: Seat | None) -> Observation:
        deciding = self.to_act(state)
        seen = Observation.empty()
        seen.seat = seat
        seen.players = self.players
        seen.phase = "choose" if deciding else "over"
        seen.legal = (
            self.legal_actions(state, seat) if seat is not None and seat in deciding else ()
        )
        seen.waiting = deciding
        seen.turn = state.turn
        seen.cards = tuple(
            card if each == seat or not deciding else 0 for each, card in enumerate(state.hands)
        )
        seen.away = tuple(state.away)
        seen.left = len(state.pile)
        return seen

    def scores(self, state: State) -> tuple[int, ...]:
        return tuple(int(seat in self.winners(state)) for seat in self.seats)

    def winners(self, state: State) -> tuple[Seat, ...]:
        if self.to_act(state):
            return ()
        return tuple(seat for seat in self.seats if state.hands[seat] == max(state.hands))

    def resample(self, observation: Observation, rng: Random) -> State:
        seen = {*observation.cards, *observation.away}
        hidden = [card for card in range(1, self.options.highest + 1) if card not in seen]
        shuffle(rng, hidden)
        hands = [card or hidden.pop() for card in observation.cards]
        return State(hands=hands, pile=hidden, away=list(observation.away), turn=observation.turn)

    def word(self, kind: str, value: Any) -> tuple[str, Mapping[str, Any]]:
        return f"{kind}.{value}", {}
