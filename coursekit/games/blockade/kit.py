"""The kit of 文壇封鎖中 1949-1992: rules, texts, table, strategies and lesson."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from coursekit.core.game import Event
from coursekit.games.blockade.rules.game import Blockade
from coursekit.games.blockade.rules.state import O, X
from coursekit.games.blockade.statistics import statistics
from coursekit.games.blockade.strategies import STRATEGIES
from coursekit.games.blockade.table.card_descriptions import handbook
from coursekit.games.blockade.table.quick_start import GUIDE
from coursekit.games.blockade.table.scene import log, scene
from coursekit.games.blockade.tally import tally
from coursekit.kit import GameKit, Guess, Lesson

HERE = Path(__file__).parent


def lesson() -> Lesson:
    """Return the parts for the time before and after play."""
    from coursekit.games.blockade.after.lesson import LESSON

    return LESSON


def paper() -> Any:
    """Return what is printed."""
    from coursekit.games.blockade.printables import BOX

    return BOX


def die(_action: Any, events: Sequence[Event]) -> str:
    """Return what was thrown."""
    return next(str(event.values["die"]) for event in events if "die" in event.values)


KIT = GameKit(
    Blockade,
    HERE / "texts.toml",
    scene=scene,
    log=log,
    handbook=handbook,
    class_preset="one_era",
    guide=GUIDE,
    art=HERE / "table/art.svg",
    emblem=HERE / "table/emblem.svg",
    guesses={
        phase: Guess("guess.die", lambda seen: [O, X], die)
        for phase in ("launch", "defend", "throw")
    },
    strategies=STRATEGIES,
    statistics=statistics,
    tally=tally,
    lesson=lesson,
    paper=paper,
)
