"""The cell that offers a game's questions after a match by topic, and asks one of them at a time."""

from typing import TYPE_CHECKING, Any

import traitlets

from coursekit.cells.static_bundle import Bundle, join_files, wrap_in_layer
from coursekit.journal.journal import LONGEST_ANSWER, NO_ANSWER, Answer, Journal, JournalError
from coursekit.journal.writers import journal_of
from coursekit.kit import Topic, kit_of
from coursekit.reflect.page_writer import Written, whose
from coursekit.reflect.question_cell import Asking, words_there
from coursekit.reflect.questions import question, questions
from coursekit.reflect.static_files import STATIC
from coursekit.words.texts import LANGUAGES, game_text
from coursekit.words.texts import load_texts as texts

if TYPE_CHECKING:
    from coursekit.table import Table

PARTS: Bundle = {
    "js": ("cell", "writers", "timer", "evidence", "asking", "topics"),
    "css": ("writers", "timer", "reflect", "topics"),
}
SAID_THERE = ("heading", "choose", "answered", "done", "open")
"""The texts sent to the browser, beside those of a question."""


class Topics(Written):
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
    language = traitlets.Unicode().tag(sync=True)
    limit = traitlets.Int(LONGEST_ANSWER).tag(sync=True)
    words = traitlets.Dict().tag(sync=True)
    topics: Any = traitlets.List().tag(sync=True)

    def __init__(
        self,
        game: str,
        language: str = LANGUAGES[0],
        journal: Journal | None = None,
        table: "Table | None" = None,
    ) -> None:
        self._own = journal or Journal()
        self._asked: dict[str, Asking] = {}
        offered = kit_of(game).load_lesson().topics or [
            Topic("", [each.name for each in questions(game)])
        ]
        topics = [self._offered(game, each, language, table) for each in offered]
        own = {f"topics.{each}": texts()[f"reflect.topics.{each}"][language] for each in SAID_THERE}
        super().__init__(
            self._own, language, words=words_there(language) | own | {"heading": ""}, topics=topics
        )
        self.on_msg(self._on_message)

    def _offered(
        self, game: str, topic: Topic, language: str, table: "Table | None"
    ) -> dict[str, Any]:
        """Return what the browser needs to offer the questions of *topic*."""

        def words(id: str, default: str) -> str:
            return game_text(game, id, language) if id in texts(game) else default

        cards = []
        for name in topic.questions:
            asked = question(game, name)

            def send(message: dict[str, Any], key: str = asked.key) -> None:
                self.send(message | {"which": key})

            def answered(writer: int, answer: Answer, key: str = asked.key) -> None:
                self.send(
                    {"type": "answered", "keys": {key: bool(answer.text.strip())}, "writer": writer}
                )

            timing = "pair" if name in topic.paired else ""
            asking = Asking(
                asked, language, self._own, table if topic.shows else None, timing, send, answered
            )
            self._asked[asked.key] = asking
            cards.append(asking.traits() | {"short": words(f"asks.{name}", asking.question)})
        title = words(f"topic.{topic.name}", topic.name)
        return {"title": title, "note": words(f"note.{topic.name}", ""), "cards": cards}

    def _on_message(self, _widget: Any, content: Any, _buffers: Any) -> None:
        if not isinstance(content, dict) or self.take_turns(content):
            return
        if content.get("type") == "answered":
            self._tell_answered(whose(self._own, content))
        elif asking := self._asked.get(str(content.get("which"))):
            asking.hear(content)

    def _tell_answered(self, writer: int | None) -> None:
        if writer is None:
            return
        try:
            answers = journal_of(self._own, writer).answers()
        except JournalError:
            return  # said at the question that is opened
        there = {key: bool(answers.get(key, NO_ANSWER).text.strip()) for key in self._asked}
        self.send({"type": "answered", "keys": there, "writer": writer})


def topics(game: str, language: str = LANGUAGES[0], *, table: "Table | None" = None) -> Topics:
    """Return the cell that offers the questions of *game* by topic: ``topics("wizard",
    table=table)``.

    :param table: the table whose match is shown beside the answers.
    """
    return Topics(game, language, table=table)
