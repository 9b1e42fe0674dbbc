"""The kit of Wizard 巫師: rules, texts, table, strategies and lesson."""

from pathlib import Path
from typing import Any

from coursekit.games.wizard.rules.game import Wizard
from coursekit.games.wizard.statistics import statistics
from coursekit.games.wizard.strategies import STRATEGIES, Thinker
from coursekit.games.wizard.table.quick_start import GUIDE
from coursekit.games.wizard.table.scene import forgets, log, scene
from coursekit.games.wizard.tally import tally
from coursekit.kit import GameKit, Guess, Lesson
from coursekit.kit.answer_form import ask_choice, ask_number

HERE = Path(__file__).parent


def lesson() -> Lesson:
    """Return the parts for the time before and after play."""
    from coursekit.games.wizard.after.lesson import LESSON

    return LESSON


def paper() -> Any:
    """Return what is printed."""
    from coursekit.games.wizard.printables import BOX

    return BOX


KIT = GameKit(
    Wizard,
    HERE / "texts.toml",
    scene=scene,
    log=log,
    forgets=forgets,
    class_preset="lesson",
    guide=GUIDE,
    art=HERE / "table/art.svg",
    emblem=HERE / "table/emblem.svg",
    guesses={
        "bid": Guess(
            "guess.bid", lambda seen: list(map(str, range(seen.size + 1))), lambda bid, _: str(bid)
        )
    },
    strategies=STRATEGIES,
    thinker=Thinker,
    statistics=statistics,
    tally=tally,
    answer_forms={
        "hits": ask_number(0, 5),
        "order": ask_choice("choice.first", "choice.last"),
    },
    lesson=lesson,
    paper=paper,
)
