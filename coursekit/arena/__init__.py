"""Tournaments between strategies, and their results."""

from coursekit.arena.duplicate import ArenaError, duplicate
from coursekit.arena.result import Result

__all__ = ["ArenaError", "Result", "duplicate"]
