"""Reflection: questions about a game, mind maps, and a journal of answers and drawings.

``from coursekit.reflect import reflect, mind_map`` imports the cells for a question and for a map.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from coursekit.journal.journal import Journal, JournalError
from coursekit.reflect.questions import Question, question, questions

if TYPE_CHECKING:
    from coursekit.maps.widget import MapEditor, mind_map
    from coursekit.reflect.consent_cell import KeepMatches, keep_matches
    from coursekit.reflect.debrief_cell import Debrief, debrief, find_moments
    from coursekit.reflect.handin_cell import HandIn, hand_in
    from coursekit.reflect.question_cell import Reflect, reflect
    from coursekit.reflect.topics_cell import Topics, topics

__all__ = [
    "Debrief",
    "HandIn",
    "Journal",
    "JournalError",
    "KeepMatches",
    "MapEditor",
    "Question",
    "Reflect",
    "Topics",
    "debrief",
    "find_moments",
    "hand_in",
    "keep_matches",
    "mind_map",
    "question",
    "questions",
    "reflect",
    "topics",
]

WIDGETS = {
    "maps.widget": ("MapEditor", "mind_map"),
    "reflect.consent_cell": ("KeepMatches", "keep_matches"),
    "reflect.debrief_cell": ("Debrief", "debrief", "find_moments"),
    "reflect.handin_cell": ("HandIn", "hand_in"),
    "reflect.question_cell": ("Reflect", "reflect"),
    "reflect.topics_cell": ("Topics", "topics"),
}
"""Module -> its names here, loaded on first use."""


def __getattr__(name: str) -> Any:
    for module, names in WIDGETS.items():
        if name in names:
            return getattr(import_module(f"coursekit.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
