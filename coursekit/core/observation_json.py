"""Observations as JSON, for strategies that decide in another process or on another computer."""

from random import Random
from typing import Any

from coursekit.core.game import Game
from coursekit.core.options import to_tuples


def pack_observation(seen: Any) -> dict[str, Any]:
    """Return *seen* for JSON: its ``values``, and its ``legal`` actions, ``None`` if they cannot be
    listed.
    """
    values = seen.values()
    legal = values.pop("legal")
    return {"values": values, "legal": legal if isinstance(legal, tuple) else None}


def unpack_observation(game: Game[Any, Any, Any], message: dict[str, Any]) -> Any:
    """Return the observation of *game* that :func:`pack_observation` has made *message* of."""
    seen = game.observation_type.empty()
    for name, value in message["values"].items():
        setattr(seen, name, to_tuples(value))
    seen.legal = to_tuples(message["legal"])
    if message["legal"] is None:  # it cannot be listed, but follows from what the seat sees
        seen.legal = ()
        seen.legal = game.legal_actions(game.resample(seen, Random()), seen.seat)
    return seen
