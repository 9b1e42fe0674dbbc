"""Observations and actions as numbers: one encoder for all games.

An action is its place in a list that is fixed before the match. An observation is a vector with a
part for each field: a number as it is, or the count of each value (of each card in the hand, for
example). What belongs to seats begins with the own seat and goes on clockwise, so that a match
looks alike from all of them. Only the observation is read, so nothing that a seat may not see is in
its vector.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coursekit.adapters.game_encodings import AdapterError, Part, spec_of
from coursekit.core.game import TABLE, Game
from coursekit.words.texts import shorten

BOUND = 1_000_000
"""Maximum absolute value of a number in a vector."""
REWARDS = ("points", "lead", "win")
"""What is rewarded: points gained; the lead over the others' mean; 1 divided among the winners."""


class Coder:
    """Turns actions and observations of *game* into numbers and back.

    :raises AdapterError: if it is not in :data:`coursekit.adapters.game_encodings.SPECS`.
    """

    def __init__(self, game: Game[Any, Any, Any]) -> None:
        self.game, self.spec = game, spec_of(game)
        self.index = {pair: number for number, pair in enumerate(self.spec.actions)}
        """From a phase ("" for any) and an action to its number."""
        self._parts: list[tuple[str, Part, int, dict[Any, int]]] = []
        """Of each field its name, how it is encoded, its first place and that of each value."""
        self.size = 0
        """Length of a vector."""
        for name, part in self.spec.fields.items():
            if part.seats:
                part = replace(part, values=game.seats)
            places = {value: place for place, value in enumerate(part.values or ())}
            self._parts.append((name, part, self.size, places))
            self.size += part.size * (game.players if part.by_seat else 1)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What each number of a vector is: field, seat (``+0`` the own, ``+1`` the next), value."""
        names = []
        for name, part, _, _ in self._parts:
            values = [f" {n}" if part.width > 1 else "" for n in range(part.width)]
            if part.values is not None:
                sign = " +" if part.seats else " "
                values = [f"{sign}{value}" for value in part.values]
            owners = [f" +{seat}" for seat in self.game.seats] if part.by_seat else [""]
            names += [name + owner + value for owner in owners for value in values]
        return tuple(names)

    def number(self, phase: str, action: Any) -> int:
        """Return the number of *action* in *phase*.

        :raises KeyError: if there is no such action.
        """
        number = self.index.get(("", action))
        return self.index[phase, action] if number is None else number

    def legal(self, obs: Any) -> list[int]:
        """Return the numbers of the legal actions of *obs*, ascending."""
        return sorted(self.number(obs.phase, action) for action in obs.legal)

    def mask(self, obs: Any) -> NDArray[np.int8]:
        """Return 1 for each action that is legal in *obs*, 0 for all others."""
        mask = np.zeros(len(self.index), np.int8)
        mask[self.legal(obs)] = 1
        return mask

    def action(self, phase: str, number: int) -> Any:
        """Return the action that *number* is in *phase*; the rules say whether it is legal.

        :raises AdapterError: if it is no action of that phase.
        """
        last = len(self.index) - 1
        if 0 <= number <= last:
            own_phase, action = self.spec.actions[number]
            if own_phase in ("", phase):
                return action
        raise AdapterError("adapters.number", got=shorten(number), phase=phase, last=last)

    def vector(self, obs: Any) -> NDArray[np.float32]:
        """Return what a seat sees as numbers from ``-BOUND`` to ``BOUND``, see :attr:`names`.

        :raises ValueError: if *obs* is a spectator's.
        """
        vector = np.zeros(self.size, np.float32)
        me = obs.me
        for name, part, start, places in self._parts:
            value = getattr(obs, name) if part.get is None else part.get(obs)
            # The own seat comes first, so that a match looks alike from all seats.
            pieces = (*value[me:], *value[:me]) if part.by_seat else (value,)
            for piece in pieces:
                if part.values is None:
                    vector[start : start + part.width] = piece
                else:
                    for item in piece if type(piece) is tuple else (piece,):
                        if part.seats and item >= 0:
                            item = (item - me) % self.game.players
                        if item in places:
                            vector[start + places[item]] += 1
                start += part.size
        return vector


def table_action(game: Game[Any, Any, Any], state: Any) -> Any:
    """Return what the table does in *state*, where it alone decides: the first of its actions."""
    legal = game.legal_actions(state, TABLE)
    assert isinstance(legal, tuple)
    return legal[0]


def share(game: Game[Any, Any, Any], state: Any) -> list[float]:
    """Return each seat's share of the victory, together 1; all 0 while the match runs."""
    winners = game.winners(state)
    return [(seat in winners) / max(1, len(winners)) for seat in game.seats]


def check_choice(name: str, got: Any, allowed: Sequence[Any]) -> None:
    """Raise :class:`.AdapterError` unless *got*, the argument *name*, is one of *allowed*."""
    # True == 1, but is no seat.
    if not any(type(got) is type(value) and got == value for value in allowed):
        words = ", ".join(map(repr, allowed))
        raise AdapterError("adapters.choice", name=name, got=shorten(got), allowed=words)


def rewards(game: Game[Any, Any, Any], state: Any, kind: str) -> list[float]:
    """Return what each seat has got so far, see :data:`REWARDS`.

    :raises AdapterError: for another *kind*.
    """
    check_choice("reward", kind, REWARDS)
    if kind == "win":
        return share(game, state)
    points = [float(score) for score in game.scores(state)]
    if kind == "points":
        return points
    return [own - (sum(points) - own) / (game.players - 1) for own in points]
