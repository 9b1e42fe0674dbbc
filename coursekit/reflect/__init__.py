"""Reflection: questions about a game, mind maps, and a journal that keeps what somebody answers and draws.

``from coursekit.reflect import reflect, mind_map`` gives the cells that ask a question and hold a map.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from coursekit.reflect.journal import Journal, JournalError
from coursekit.reflect.questions import Question, question, questions

if TYPE_CHECKING:
    from coursekit.reflect.debriefing import Debrief, debrief, moments
    from coursekit.reflect.handin import HandIn, hand_in
    from coursekit.reflect.keep import KeepMatches, keep_matches
    from coursekit.reflect.maps.widget import MapEditor, mind_map
    from coursekit.reflect.widget import Reflect, reflect

__all__ = ["Debrief", "HandIn", "Journal", "JournalError", "KeepMatches", "MapEditor", "Question", "Reflect",
           "debrief", "hand_in", "keep_matches", "mind_map", "moments", "question", "questions", "reflect"]  # fmt: skip

WIDGETS = {
    "Reflect": "widget",
    "reflect": "widget",
    "MapEditor": "maps.widget",
    "mind_map": "maps.widget",
    "KeepMatches": "keep",
    "keep_matches": "keep",
    "HandIn": "handin",
    "hand_in": "handin",
    "Debrief": "debriefing",
    "debrief": "debriefing",
    "moments": "debriefing",
}
"""Where the widgets are, which are loaded only when they are asked for."""


def __getattr__(name: str) -> Any:
    if name in WIDGETS:
        return getattr(import_module(f"coursekit.reflect.{WIDGETS[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
