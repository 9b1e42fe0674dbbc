"""Observations as JSON, for strategies that decide in another process or on another computer."""

from random import Random
from typing import Any

from coursekit.core.game import Game
from coursekit.core.options import to_tuples


def pack_observation(observation: Any) -> dict[str, Any]:
    """Return the ``values`` of *observation* for JSON, and its ``legal`` actions if listed."""
    values = observation.values()
    legal = values.pop("legal")
    return {"values": values, "legal": legal if isinstance(legal, tuple) else None}


def unpack_observation(game: Game[Any, Any, Any], message: dict[str, Any]) -> Any:
    """Return the observation of *game* that :func:`pack_observation` has made *message* of."""
    observation = game.observation_type.empty()
    for name, value in message["values"].items():
        setattr(observation, name, to_tuples(value))
    observation.legal = to_tuples(message["legal"])
    if message["legal"] is None:  # they cannot be listed, but follow from what the seat sees
        observation.legal = ()
        state = game.resample(observation, Random())
        observation.legal = game.legal_actions(state, observation.seat)
    return observation
