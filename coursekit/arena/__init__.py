"""Tournaments between strategies, and their results."""

from typing import TYPE_CHECKING, Any

from coursekit.arena.deals import ArenaError
from coursekit.arena.duplicate import duplicate
from coursekit.arena.result import Result

if TYPE_CHECKING:
    from coursekit.arena.house_rules import Sweep, sweep

__all__ = ["ArenaError", "Result", "Sweep", "duplicate", "sweep"]


def __getattr__(name: str) -> Any:
    if name not in ("Sweep", "sweep"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from coursekit.arena import house_rules  # here, as no lesson needs it

    return getattr(house_rules, name)
