"""Everything Keep or Swap brings."""

from pathlib import Path

from coursekit.kit import GameKit, Lesson
from keep_or_swap.rules import KeepOrSwap
from keep_or_swap.scene import scene
from keep_or_swap.strategies import STRATEGIES

HERE = Path(__file__).parent


def lesson() -> Lesson:
    """Return the parts for before and after play."""
    from keep_or_swap.lesson import LESSON

    return LESSON


KIT = GameKit(
    KeepOrSwap,
    HERE / "texts.toml",
    scene=scene,
    art=HERE / "art.svg",
    emblem=HERE / "emblem.svg",
    strategies=STRATEGIES,
    lesson=lesson,
)
