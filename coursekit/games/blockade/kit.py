"""The kit of 文壇封鎖中 1949-1992: rules, texts, table, strategies and lesson."""

from pathlib import Path

from coursekit.games.blockade.rules.game import Blockade
from coursekit.games.blockade.strategies import STRATEGIES
from coursekit.games.blockade.table.pages import handbook
from coursekit.games.blockade.table.scene import log, scene
from coursekit.kit import GameKit, Lesson

HERE = Path(__file__).parent


def lesson() -> Lesson:
    """Return the parts for the time before and after play."""
    from coursekit.games.blockade.after.lesson import LESSON

    return LESSON


KIT = GameKit(
    Blockade,
    HERE / "texts.toml",
    scene=scene,
    log=log,
    handbook=handbook,
    art=HERE / "table/art.svg",
    emblem=HERE / "table/emblem.svg",
    strategies=STRATEGIES,
    lesson=lesson,
)
