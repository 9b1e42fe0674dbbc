"""Reflection: questions about a game, and a journal that keeps what somebody answers.

``from coursekit.reflect import reflect`` gives the cell that asks one question.
"""

from typing import TYPE_CHECKING, Any

from coursekit.reflect.journal import Journal, JournalError
from coursekit.reflect.questions import Question, question, questions

if TYPE_CHECKING:
    from coursekit.reflect.widget import Reflect, reflect

__all__ = ["Journal", "JournalError", "Question", "Reflect", "question", "questions", "reflect"]


def __getattr__(name: str) -> Any:
    if name in ("Reflect", "reflect"):  # a widget, loaded only when it is asked for
        from coursekit.reflect import widget

        return getattr(widget, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
