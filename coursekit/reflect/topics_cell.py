"""The cell that offers a game's questions by topic, and asks one of them at a time."""

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import traitlets

from coursekit.cells.static_bundle import Bundle, join_files, wrap_in_layer
from coursekit.core.page_messages import MessageError, Messages
from coursekit.journal.journal import NO_ANSWER, Answer, Journal, JournalError
from coursekit.journal.writer_groups import journal_of
from coursekit.kit import Topic, kit_of
from coursekit.reflect.question_cell import Asking, QuestionCell, question_words
from coursekit.reflect.questions import Question, question, questions
from coursekit.reflect.static_files import STATIC
from coursekit.words.language import current_language
from coursekit.words.texts import game_text, load_texts, pick_texts

if TYPE_CHECKING:
    from coursekit.table import Table

PARTS: Bundle = {
    "js": ("cell", "writers", "timer", "evidence", "question", "topics"),
    "css": ("writers", "timer", "question", "topics"),
}
WORDS = ("topics.heading", "topics.choose", "topics.answered", "topics.done", "topics.open")
"""The texts sent to the browser, beside those of a question."""


class Topics(QuestionCell):
    """A game's questions after a match, by topic: see :attr:`.Lesson.topics`.

    Answers are those of :class:`.Reflect`: a question may stand on a page in both ways.

    :param game: a game's name.
    :param journal: the journal to save answers in, by default ``Journal()``.
    :param table: the table whose match is shown beside the answers.
    :raises ValueError: for an unknown game or language, or a table of another game.
    """

    # Answers travel in messages; each about a question says of ``which``, by its key.
    _esm = join_files(STATIC, PARTS, "js")
    _css = wrap_in_layer(join_files(STATIC, PARTS, "css"))
    messages = Messages(QuestionCell.messages)
    topics: Any = traitlets.List().tag(sync=True)

    def __init__(
        self,
        game: str,
        language: str | None = None,
        journal: Journal | None = None,
        table: "Table | None" = None,
    ) -> None:
        language = language or current_language()
        own = journal or Journal()
        words = question_words(language) | {"heading": ""}
        words |= pick_texts("reflect.", WORDS, language)
        self._asked: dict[str, Asking] = {}
        topics = kit_of(game).load_lesson().topics
        if not topics:
            topics = [Topic("", [question.name for question in questions(game)])]
        offered = [self._topic(game, topic, language, own, table) for topic in topics]
        super().__init__(own, language, words=words, topics=offered)

    def _topic(
        self, game: str, topic: Topic, language: str, own: Journal, table: "Table | None"
    ) -> dict[str, Any]:
        """Return what the browser needs to offer the questions of *topic*."""
        cards = []
        for name in topic.questions:
            timing = "pair" if name in topic.paired else ""
            asking = self._ask(question(game, name), language, own, timing, table, topic.shows)
            short = _text_or(asking.question, game, f"asks.{name}", language)
            cards.append(asking.traits() | {"short": short})
        title = _text_or(topic.name, game, f"topic.{topic.name}", language)
        note = _text_or("", game, f"note.{topic.name}", language)
        return {"title": title, "note": note, "cards": cards}

    def _ask(
        self,
        asked: Question,
        language: str,
        own: Journal,
        timing: str,
        table: "Table | None",
        shows: bool,
    ) -> Asking:
        key = asked.key

        def send(message: dict[str, Any]) -> None:
            self.send(message | {"which": key})

        def tell_answered(writer: int, answer: Answer) -> None:
            self._send_answered({key: answer}, writer)

        shown = table if shows else None
        asking = Asking(asked, language, own, shown, timing, send, tell_answered)
        self._asked[key] = asking
        return asking

    def asking(self, which: str) -> Asking:
        """Return the question with the key *which*."""
        if which not in self._asked:
            raise MessageError
        return self._asked[which]

    def address(self, content: Any) -> dict[str, Any]:
        """Return the parts of an answer that say whose question it answers, and which one."""
        address = super().address(content)
        which = content.get("which") if isinstance(content, dict) else None
        return address | {"which": which} if isinstance(which, str) else address

    @messages.handle()
    def answered(self, writer: int = 0) -> None:
        """Tell which questions are answered; why none can be is said at the one that is opened."""
        with suppress(JournalError):
            answers = journal_of(self.own, writer).answers()
            self._send_answered({key: answers.get(key, NO_ANSWER) for key in self._asked}, writer)

    def _send_answered(self, answers: dict[str, Answer], writer: int) -> None:
        keys = {key: bool(answer.text.strip()) for key, answer in answers.items()}
        self.send({"type": "answered", "keys": keys, "writer": writer})


def _text_or(default: str, game: str, text_id: str, language: str) -> str:
    """Return a text of *game* that it need not have."""
    return game_text(game, text_id, language) if text_id in load_texts(game) else default


def topics(game: str, language: str | None = None, *, table: "Table | None" = None) -> Topics:
    """Return the cell that offers the questions of *game* by topic.

    :param table: the table whose match is shown beside the answers.
    """
    language = language or current_language()
    return Topics(game, language, table=table)
