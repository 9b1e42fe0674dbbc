"""The kit of 維基百科 vs 書籍: rules, texts, table, strategies and lesson."""

from pathlib import Path

from coursekit.games.wikipedia.rules.game import Wikipedia
from coursekit.games.wikipedia.strategies import STRATEGIES
from coursekit.games.wikipedia.table.pages import handbook
from coursekit.games.wikipedia.table.scene import scene
from coursekit.kit import GameKit, Lesson

HERE = Path(__file__).parent


def lesson() -> Lesson:
    """Return the parts for the time before and after play."""
    from coursekit.games.wikipedia.after.lesson import LESSON

    return LESSON


KIT = GameKit(
    Wikipedia,
    HERE / "texts.toml",
    scene=scene,
    handbook=handbook,
    art=HERE / "table/art.svg",
    emblem=HERE / "table/emblem.svg",
    strategies=STRATEGIES,
    lesson=lesson,
)
