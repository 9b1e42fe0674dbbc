"""Tournaments between strategies, and what can be said about them afterwards."""

from coursekit.arena.duplicate import ArenaError, duplicate
from coursekit.arena.result import Result

__all__ = ["ArenaError", "Result", "duplicate"]
