"""How a question is answered on a phone: with words alone, or with a number or a choice first."""

from dataclasses import dataclass
from typing import Literal

AnswerKind = Literal["text", "number", "choice"]


@dataclass(frozen=True)
class AnswerForm:
    """What an answer to a question consists of."""

    kind: AnswerKind = "text"
    choices: tuple[str, ...] = ()
    """What can be chosen: ids of texts for a game's question, words for a teacher's own."""
    low: int | float | None = None
    """The smallest number that is taken, ``None`` for any; then :attr:`high` is ``None``, too."""
    high: int | float | None = None
    whole: bool = False
    """Whether only whole numbers are taken."""
    has_reason: bool = False
    """Whether words are asked for beside the number or the choice."""


TEXT = AnswerForm()


def ask_number(low: int, high: int) -> AnswerForm:
    """Return the form of a game's question for a whole number and the reason."""
    return AnswerForm("number", (), low, high, whole=True, has_reason=True)


def ask_choice(*text_ids: str) -> AnswerForm:
    """Return the form of a game's question for a choice and the reason."""
    return AnswerForm("choice", text_ids, has_reason=True)
