"""The kit of 維基百科 vs 書籍: rules, texts, table, strategies and lesson."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from coursekit.core.game import Event
from coursekit.games.wikipedia.rules.game import Wikipedia
from coursekit.games.wikipedia.rules.options import FACES
from coursekit.games.wikipedia.statistics import statistics
from coursekit.games.wikipedia.strategies import STRATEGIES, Thinker
from coursekit.games.wikipedia.table.card_descriptions import handbook
from coursekit.games.wikipedia.table.quick_start import GUIDE
from coursekit.games.wikipedia.table.scene import scene
from coursekit.games.wikipedia.tally import tally
from coursekit.kit import GameKit, Guess, Lesson
from coursekit.kit.answer_form import ask_choice, ask_number

HERE = Path(__file__).parent


def lesson() -> Lesson:
    """Return the parts for the time before and after play."""
    from coursekit.games.wikipedia.after.lesson import LESSON

    return LESSON


def paper() -> Any:
    """Return what is printed."""
    from coursekit.games.wikipedia.printables import BOX

    return BOX


def die(_action: Any, events: Sequence[Event]) -> str:
    """Return what was thrown."""
    return next(str(event.values["die"]) for event in events if "die" in event.values)


KIT = GameKit(
    Wikipedia,
    HERE / "texts.toml",
    scene=scene,
    handbook=handbook,
    class_preset="lesson",
    guide=GUIDE,
    art=HERE / "table/art.svg",
    emblem=HERE / "table/emblem.svg",
    guesses={"roll": Guess("guess.die", lambda seen: [str(n + 1) for n in range(FACES)], die)},
    strategies=STRATEGIES,
    thinker=Thinker,
    statistics=statistics,
    tally=tally,
    answer_forms={
        "cite": ask_choice("choice.both", "choice.wikipedia", "choice.book", "choice.neither"),
        "die": ask_number(0, 6),
        "role": ask_choice("choice.scholar", "choice.student"),
        "favourite": ask_choice("choice.book", "choice.wikipedia"),
        "often": ask_choice("choice.book", "choice.wikipedia", "choice.even"),
    },
    lesson=lesson,
    paper=paper,
)
