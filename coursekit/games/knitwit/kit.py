"""The kit of Knit Wit: rules, texts, table, strategies and lesson."""

from pathlib import Path

from coursekit.games.knitwit.rules.game import KnitWit
from coursekit.games.knitwit.strategies import STRATEGIES, speaking
from coursekit.games.knitwit.table.pages import handbook
from coursekit.games.knitwit.table.scene import scene
from coursekit.games.knitwit.table.zones import ZONES
from coursekit.kit import GameKit, Lesson

HERE = Path(__file__).parent


def lesson() -> Lesson:
    """Return the parts for the time before and after play."""
    from coursekit.games.knitwit.after.lesson import LESSON

    return LESSON


KIT = GameKit(
    KnitWit,
    HERE / "texts.toml",
    scene=scene,
    handbook=handbook,
    art=HERE / "table/art.svg",
    zones=ZONES,
    emblem=HERE / "table/emblem.svg",
    strategies=STRATEGIES,
    speaking=speaking,
    lesson=lesson,
)
