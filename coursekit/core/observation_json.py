"""Observations as JSON, for strategies that decide in another process or on another computer."""

from random import Random
from typing import Any

from coursekit.core.game import Game
from coursekit.core.options import tupled


def packed(seen: Any) -> dict[str, Any]:
    """Return *seen* for JSON: its ``values``, and its ``legal`` actions, ``None`` if they cannot be
    listed.
    """
    values = seen.values()
    legal = values.pop("legal")
    return {"values": values, "legal": legal if isinstance(legal, tuple) else None}


def unpacked(game: Game[Any, Any, Any], message: dict[str, Any]) -> Any:
    """Return the observation of *game* that :func:`packed` has made *message* of."""
    seen = game.observation_type.empty()
    for name, value in message["values"].items():
        setattr(seen, name, tupled(value))
    seen.legal = tupled(message["legal"])
    if message["legal"] is None:  # it cannot be listed, but follows from what the seat sees
        seen.legal = ()
        seen.legal = game.legal_actions(game.resample(seen, Random()), seen.seat)
    return seen
