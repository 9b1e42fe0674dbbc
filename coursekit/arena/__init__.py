"""Tournaments between strategies, and their results."""

from coursekit.arena.duplicate import ArenaError, duplicate
from coursekit.arena.result import Result
from coursekit.arena.sweep import Sweep, sweep

__all__ = ["ArenaError", "Result", "Sweep", "duplicate", "sweep"]
