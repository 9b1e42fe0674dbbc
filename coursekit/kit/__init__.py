"""The kit of a game, each part with its type; and all games by name."""

from coursekit.kit.kit import (
    GAMES,
    ByHand,
    GameKit,
    Guess,
    Lesson,
    MapStarter,
    Mark,
    Topic,
    UnknownStrategyError,
    Zones,
    kit_of,
    kit_statistics,
    make,
    standing_of,
)
from coursekit.kit.quick_start import Guide, Rule

__all__ = [
    "GAMES",
    "ByHand",
    "GameKit",
    "Guess",
    "Guide",
    "Lesson",
    "MapStarter",
    "Mark",
    "Rule",
    "Topic",
    "UnknownStrategyError",
    "Zones",
    "kit_of",
    "kit_statistics",
    "make",
    "standing_of",
]
