"""The kit of Knit Wit: rules, texts, table, strategies and lesson."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from coursekit.core.game import Event
from coursekit.games.knitwit.rules.game import KnitWit
from coursekit.games.knitwit.statistics import statistics
from coursekit.games.knitwit.strategies import STRATEGIES, speak
from coursekit.games.knitwit.table.quick_start import GUIDE
from coursekit.games.knitwit.table.scene import scene
from coursekit.games.knitwit.table.scoring_scene import log
from coursekit.games.knitwit.table.zone_types import ZONES
from coursekit.games.knitwit.tally import tally
from coursekit.kit import GameKit, Guess, Lesson
from coursekit.kit.answer_form import ask_choice

HERE = Path(__file__).parent


def lesson() -> Lesson:
    """Return the parts for the time before and after play."""
    from coursekit.games.knitwit.after.lesson import LESSON

    return LESSON


def paper() -> Any:
    """Return what is printed."""
    from coursekit.games.knitwit.printables import BOX

    return BOX


def loops(_action: Any, events: Sequence[Event]) -> str:
    """Return in how many loops a spool was put."""
    return next(str(len(event.values["loops"])) for event in events if event.text == "spool")


KIT = GameKit(
    KnitWit,
    HERE / "texts.toml",
    scene=scene,
    log=log,
    class_preset="short",
    guide=GUIDE,
    art=HERE / "table/art.svg",
    zones=ZONES,
    emblem=HERE / "table/emblem.svg",
    strategies=STRATEGIES,
    speaking=speak,
    guesses={
        "spool": Guess(
            "guess.loops", lambda seen: [str(n + 1) for n in range(len(seen.loops))], loops
        )
    },
    statistics=statistics,
    tally=tally,
    answer_forms={
        "pair": ask_choice("choice.common", "choice.different"),
        "stop": ask_choice("choice.stop", "choice.think"),
        "fuzzy": ask_choice("choice.set", "choice.no_set"),
    },
    lesson=lesson,
    paper=paper,
)
