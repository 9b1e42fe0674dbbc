"""What a game hands over beside its rules, each part with its type; and the games there are, by
name.
"""

from coursekit.kit.kit import (
    GAMES,
    ByHand,
    GameKit,
    Guess,
    Lesson,
    MapStarter,
    Mark,
    Topic,
    Zones,
    kit_of,
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
    "Zones",
    "kit_of",
]
