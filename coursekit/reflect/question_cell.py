"""The cell that asks a question, saves what is typed, and shows what happened at a table."""

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar
from weakref import WeakSet

import traitlets

from coursekit.cells.static_bundle import Bundle, join_files, wrap_in_layer
from coursekit.core.page_messages import MessageError, Messages
from coursekit.files.disk import outlives_page
from coursekit.journal.journal import (
    LONGEST_ANSWER,
    NO_ANSWER,
    Answer,
    Journal,
    JournalError,
    Whole,
)
from coursekit.journal.writer_groups import journal_of
from coursekit.kit import kit_of
from coursekit.kit.kit import Evidence
from coursekit.reflect import timings
from coursekit.reflect.journal_export import entries_by_game, markdown
from coursekit.reflect.match_on_table import NothingToShowError, OnTable, browser_part
from coursekit.reflect.page_writer import WriterCell
from coursekit.reflect.questions import Question, question
from coursekit.reflect.static_files import STATIC
from coursekit.words.language import current_language
from coursekit.words.texts import game_text, pick_texts, text

if TYPE_CHECKING:
    from coursekit.table import Table

PARTS: Bundle = {
    "js": ("cell", "writers", "timer", "evidence", "question", "question-cell"),
    "css": ("writers", "timer", "question"),
}
TEXTS = "reflect."
TIMING_WORDS = ("lock", "unlock", "locked", "locked_alone", "first", "nameless")
WORDS = (
    "heading",
    "opening",
    "empty",
    "saving",
    "saved",
    "offline",
    "download",
    "file",
    "title",
    "seen",
    "looking",
)
"""The texts sent to the browser."""
log = logging.getLogger(__name__)


class Asking:
    """One question asked on a page: a cell has one of these, or several.

    :param own: the journal of the page's owner.
    :param table: the table whose match is shown beside the answer, ``None`` for none.
    :param send: sends a message to all views.
    :param answered: told the writer and the answer whenever it may have changed in that writer's
        journal.
    :raises ValueError: for an unknown language or timing, or a table of another game.
    """

    opened: ClassVar["WeakSet[Asking]"] = WeakSet()
    """All questions on this kernel's page."""

    def __init__(
        self,
        asked: Question,
        language: str,
        own: Journal,
        table: "Table | None",
        timing: str,
        send: Callable[[dict[str, Any]], None],
        answered: Callable[[int, Answer], None] = lambda writer, answer: None,
    ) -> None:
        game = asked.game
        if table is not None and table.game != game:
            raise ValueError(f"this question is about {game}, and the table plays {table.game}")
        self.key = asked.key
        self.question = asked.words[language]
        self.own = own
        self._asked = asked
        self._language = language
        self._send = send
        self._answered = answered
        self._last_saved: dict[str, str] = {}  # view -> time of saving of its last answer
        self._timing = timing
        self._evidence: Evidence | None = None
        self._again: str | None = None
        self._on_table: OnTable | None = None
        if table is not None:
            lesson = kit_of(game).load_lesson()
            self._evidence = lesson.evidence
            self._again = lesson.again.get(asked.name) if self._evidence else None
            self._on_table = OnTable(table, lambda: send({"type": "moved"}))
        self.opened.add(self)

    def traits(self) -> dict[str, Any]:
        """Return what the browser needs to ask the question."""
        game, language = self._asked.game, self._language
        source = game_text(game, f"{TEXTS}source.{self._asked.source}", language)
        return {
            "key": self.key,
            "question": self.question,
            "source": source,
            "shows": self._evidence is not None,
            "again": game_text(game, self._again, language) if self._again else "",
            "timing": self._timing,
            "strip": timings.strip(self._timing, language) if self._timing else {},
        }

    def open(self, writer: int, view: str, unsaved: list[dict[str, str]]) -> dict[str, Any]:
        """Return the journal's answer, after adding what browsers could not save before.

        :raises JournalError: if the journal cannot be used.
        """
        journal = journal_of(self.own, writer)
        before = journal.answers().get(self.key, NO_ANSWER)
        answer = before
        for copy in unsaved:
            if not {"text", "seen", "typed"} <= copy.keys():
                raise MessageError
            answer = journal.restore(
                self.key, copy["text"], self.question, copy["seen"], copy["typed"]
            )
        if answer != before:
            self._show_everywhere(writer, answer, view)
        both_kept = len(answer.others) > len(before.others)
        notice = self._notice(journal, both_kept)
        if fixed := journal.fixed:  # said before anything is written
            notice = fixed.sentence(self._language)
        return {"type": "answer", "text": answer.text, "saved": answer.saved, "notice": notice}

    def save(self, writer: int, view: str, words: str, seen: str) -> dict[str, Any]:
        """Save what was typed, and return when it was saved.

        :raises JournalError: if it cannot be saved.
        """
        journal = journal_of(self.own, writer)
        if view:  # it may not know yet that its last text was saved
            seen = max(seen, self._last_saved.get(view, ""))
        answer = journal.save(self.key, words, self.question, seen)
        if view:
            self._last_saved[view] = answer.saved
        # Another window may have written in between.
        both_kept = len(answer.others) > 0 and answer.others[-1][1] > seen
        notice = self._notice(journal, both_kept)
        self._show_everywhere(writer, answer, view)
        return {"type": "saved", "saved": answer.saved, "notice": notice}

    def download(self, writer: int, words: str) -> dict[str, Any]:
        """Return all answers as a file, with *words* as the one to this question."""
        try:
            answers = journal_of(self.own, writer).answers()
        except JournalError:
            answers = {}
        answer = answers.get(self.key, NO_ANSWER)
        answers[self.key] = answer._replace(text=words, question=self.question)
        games = entries_by_game(Whole(answers, {}, {}, [], {}))
        content = markdown(games, self._language, heading=f"{TEXTS}title")
        return {"type": "download", "text": content}

    def look(self, draw: int) -> dict[str, Any] | None:
        """Return what the reader did at the table, ``None`` if there is none to look at.

        :param draw: chooses what evidence shows that is drawn by chance.
        """
        if self._on_table is None or self._evidence is None:
            return None
        parts = self._parts(self._on_table, self._evidence, draw)
        return {"type": "seen", "parts": [browser_part(part) for part in parts]}

    def show(self, writer: int, answer: Answer, but: str | None = None) -> None:
        """Show *answer*, from the journal of *writer*, in all views of that writer except *but*."""
        self._send(
            {
                "type": "answer",
                "text": answer.text,
                "saved": answer.saved,
                "notice": "",
                "but": but,
                "writer": writer,
            }
        )
        self._answered(writer, answer)

    def _show_everywhere(self, writer: int, answer: Answer, but: str) -> None:
        """Show *answer* in all cells with this question, copied ones included."""
        for asking in self.opened:
            if asking.key == self.key and asking.own.path == self.own.path:
                asking.show(writer, answer, but)

    def _notice(self, journal: Journal, both_kept: bool) -> str:
        """Return what the writer should know of the journal, "" for nothing."""
        if aside := journal.take_aside():
            return text(f"{TEXTS}damaged", self._language, name=aside)
        if both_kept:
            return text(f"{TEXTS}both_kept", self._language)
        return "" if outlives_page(journal.path) else text("table.memory", self._language)

    def _parts(self, table: OnTable, evidence: Evidence, draw: int) -> list[Any]:
        """Return sentences and pictures of the match on *table*, or why there are none."""
        try:
            match, people, *_ = table.look()
            return list(evidence(self._asked.name, match, people or (), self._language, draw))
        except NothingToShowError as error:
            return [text(f"{TEXTS}{error.why}", self._language)]
        except Exception as error:  # a bug in the kit; its message might name cards
            log.exception("no evidence for %s", self.key)
            return [text(f"{TEXTS}unseen", self._language, kind=type(error).__name__)]


class QuestionCell(WriterCell):
    """A cell that asks one question, or several by their keys."""

    messages = Messages(WriterCell.messages)
    limit = traitlets.Int(LONGEST_ANSWER).tag(sync=True)
    words = traitlets.Dict().tag(sync=True)

    def asking(self, which: str) -> Asking:
        """Return the question that a message is about.

        :raises MessageError: if there is none.
        """
        raise NotImplementedError

    @messages.handle(kind="open")
    def open_question(
        self,
        sender: str,
        which: str = "",
        writer: int = 0,
        unsaved: list[dict[str, str]] | None = None,
    ) -> dict[str, Any]:
        """Answer with the journal's text."""
        return self.asking(which).open(writer, sender, unsaved or [])

    @messages.handle()
    def save(
        self, sender: str, text: str, seen: str, which: str = "", writer: int = 0
    ) -> dict[str, Any]:
        """Save what was typed."""
        return self.asking(which).save(writer, sender, text, seen)

    @messages.handle()
    def download(self, text: str, which: str = "", writer: int = 0) -> dict[str, Any]:
        """Answer with all answers as a file."""
        return self.asking(which).download(writer, text)

    @messages.handle()
    def look(self, draw: int, which: str = "", writer: int = 0) -> dict[str, Any] | None:
        """Answer with what the reader did, when the browser shows this cell."""
        return self.asking(which).look(draw)


class Reflect(QuestionCell):
    """One question with a box for the answer, which is saved while it is typed.

    :param game: a game's name.
    :param which: the question's name or 1-based number.
    :param journal: the journal to save answers in, by default ``Journal()``.
    :param table: the table whose match is shown beside the answer, if the game has something to
        show: see :attr:`.Lesson.evidence`.
    :param timing: the activity with a timer. "predict" asks for the answer before it shows anything
        of the match, "pair" is for thinking alone, in pairs and together, "exit" for the end of a
        lesson; "" for none.
    :raises ValueError: for an unknown game, question, language or timing, or a table of another
        game.
    """

    # Answers and evidence travel in messages, not in traits, so they never get into a saved
    # notebook.
    _esm = join_files(STATIC, PARTS, "js")
    _css = wrap_in_layer(join_files(STATIC, PARTS, "css"))
    key = traitlets.Unicode().tag(sync=True)
    question = traitlets.Unicode().tag(sync=True)
    source = traitlets.Unicode().tag(sync=True)
    shows = traitlets.Bool().tag(sync=True)
    again = traitlets.Unicode().tag(sync=True)
    timing = traitlets.Unicode().tag(sync=True)
    strip = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        game: str,
        which: int | str,
        language: str | None = None,
        journal: Journal | None = None,
        table: "Table | None" = None,
        timing: str = "",
    ) -> None:
        language = language or current_language()
        own = journal or Journal()
        words = question_words(language)
        self._asking = Asking(
            question(game, which), language, own, table, timing, lambda message: self.send(message)
        )
        super().__init__(own, language, words=words, **self._asking.traits())

    def asking(self, which: str) -> Asking:
        """Return the one question."""
        return self._asking


def question_words(language: str) -> dict[str, str]:
    """Return the texts that the browser needs for any question."""
    timing_words = pick_texts(timings.TEXTS, TIMING_WORDS, language)
    return pick_texts(TEXTS, WORDS, language) | timing_words


def reflect(
    game: str,
    which: int | str,
    language: str | None = None,
    *,
    table: "Table | None" = None,
    timing: str = "",
) -> Reflect:
    """Return the cell that asks one question of *game*: ``reflect("wizard", 1)``.

    :param table: the table whose match is shown beside the answer.
    :param timing: "predict", "opinion", "pair" or "exit", see :class:`Reflect`.
    """
    language = language or current_language()
    return Reflect(game, which, language, table=table, timing=timing)
