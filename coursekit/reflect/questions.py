"""The reflection questions of a game, from its ``texts.toml``.

The id of a question is ``question.SOURCE.NAME``. The source says who wrote it; ``own`` is
coursekit.
"""

from collections.abc import Mapping
from typing import NamedTuple

from coursekit.core.errors import LocalizedError
from coursekit.kit import kit_of
from coursekit.words.texts import load_texts, shorten

PREFIX = "question."


class QuestionError(LocalizedError, ValueError):
    """There is no such game or question."""

    def __init__(self, text: str, **values: object) -> None:
        super().__init__("", text, **values)


class Question(NamedTuple):
    """One question, in every language."""

    game: str
    name: str  # unique among the game's questions
    source: str  # "own": written for coursekit
    words: Mapping[str, str]  # language -> the question

    @property
    def key(self) -> str:
        """The key of its answer in the journal."""
        return f"{self.game}/{self.name}"


def questions(game: str) -> list[Question]:
    """Return the questions of *game*, in the order of the file.

    :raises UnknownGameError: a ``ValueError``, if there is no such game.
    """
    kit_of(game)
    known = []
    for text_id, words in load_texts(game).items():
        if not text_id.startswith(PREFIX):
            continue
        source, _, name = text_id.removeprefix(PREFIX).partition(".")
        if not name or "." in name:
            raise ValueError(
                f"{game} has the text {text_id!r};"
                " a question needs a source and a name: question.own.luck"
            )
        known.append(Question(game, name, source, words))
    return known


def question(game: str, which: int | str) -> Question:
    """Return one question of *game*, by its name or its 1-based number.

    :raises QuestionError: a ``ValueError``, if there is no such game or question.
    """
    known = questions(game)
    for number, one in enumerate(known, 1):
        if which == one.name or (type(which) is int and which == number):
            return one
    names = ", ".join([f"1-{len(known)}", *(one.name for one in known)])
    raise QuestionError("reflect.no_question", name=game, got=shorten(which), allowed=names)
