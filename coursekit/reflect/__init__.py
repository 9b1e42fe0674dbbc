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
    "Reflect": "reflect.question_cell",
    "reflect": "reflect.question_cell",
    "MapEditor": "maps.widget",
    "mind_map": "maps.widget",
    "KeepMatches": "reflect.consent_cell",
    "keep_matches": "reflect.consent_cell",
    "HandIn": "reflect.handin_cell",
    "hand_in": "reflect.handin_cell",
    "Debrief": "reflect.debrief_cell",
    "debrief": "reflect.debrief_cell",
    "find_moments": "reflect.debrief_cell",
    "Topics": "reflect.topics_cell",
    "topics": "reflect.topics_cell",
}
"""Name -> module of a widget, loaded on first use."""


def __getattr__(name: str) -> Any:
    if name in WIDGETS:
        return getattr(import_module(f"coursekit.{WIDGETS[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
