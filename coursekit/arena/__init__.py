"""Tournaments between strategies, and their results; house rules side by side are in :mod:`coursekit.arena.sweep`."""

from coursekit.arena.duplicate import ArenaError, duplicate
from coursekit.arena.result import Result

__all__ = ["ArenaError", "Result", "duplicate"]
