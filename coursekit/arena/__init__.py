"""Tournaments between strategies, and their results."""

from coursekit.arena.deals import ArenaError
from coursekit.arena.duplicate import duplicate
from coursekit.arena.house_rules import Sweep, sweep
from coursekit.arena.result import Result
from coursekit.arena.single_match import play

__all__ = ["ArenaError", "Result", "Sweep", "duplicate", "play", "sweep"]
