"""Asking a question: what is typed is saved, and what the reader did at a table is shown. The cell
that asks one.
"""

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar
from weakref import WeakSet

import traitlets

from coursekit.cells.static_bundle import Bundle, join_files, wrap_in_layer
from coursekit.journal.journal import (
    LONGEST_ANSWER,
    NO_ANSWER,
    Answer,
    Journal,
    JournalError,
    Whole,
)
from coursekit.journal.writers import journal_of
from coursekit.kit import kit_of
from coursekit.kit.kit import Evidence
from coursekit.reflect import timings
from coursekit.reflect.journal_export import held, markdown
from coursekit.reflect.match_on_table import NothingToShowError, OnTable, sent
from coursekit.reflect.page_writer import Written, whose
from coursekit.reflect.questions import Question, question
from coursekit.reflect.static_files import STATIC
from coursekit.words.texts import LANGUAGES, game_text, text
from coursekit.words.texts import load_texts as texts

if TYPE_CHECKING:
    from coursekit.table import Table

PARTS: Bundle = {
    "js": ("cell", "writers", "timer", "evidence", "asking", "reflect"),
    "css": ("writers", "timer", "reflect"),
}
TEXTS = "reflect."
PROMPTS = ("lock", "unlock", "locked", "locked_alone", "first", "nameless")
SAID_THERE = (
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

    :param language: a language of the texts.
    :param journal: the journal to save answers in.
    :param table: the table whose match is shown beside the answer, ``None`` for none.
    :param send: sends a message to the browser.
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
        journal: Journal,
        table: "Table | None",
        timing: str,
        send: Callable[[dict[str, Any]], None],
        answered: Callable[[int, Answer], None] = lambda writer, answer: None,
    ) -> None:
        if language not in LANGUAGES:
            raise ValueError(f"language {language!r} is not one of {', '.join(LANGUAGES)}")
        if table is not None and table.game != asked.game:
            raise ValueError(
                f"this question is about {asked.game}, and the table plays {table.game}"
            )
        self.key, self.question = asked.key, asked.words[language]
        self.own = self.journal = journal
        """The journal of the page, and that of whose message is being answered."""
        self._writer = 0
        self.language, self._asked, self._send, self._answered = language, asked, send, answered
        self._wrote: dict[str, str] = {}  # view -> time of saving of its last answer
        self._name = asked.name
        lesson = kit_of(asked.game).load_lesson()
        self._evidence = lesson.evidence if table is not None else None
        self._again = lesson.again.get(asked.name) if self._evidence else None
        self._timing, self._strip = timing, timings.strip(timing, language) if timing else {}
        self._on_table = OnTable(table, self._moved) if table is not None else None
        self.opened.add(self)

    def traits(self) -> dict[str, Any]:
        """Return what the browser needs to ask the question."""
        game = self._asked.game
        return {
            "key": self.key,
            "question": self.question,
            "source": game_text(game, f"{TEXTS}source.{self._asked.source}", self.language),
            "shows": self._evidence is not None,
            "again": game_text(game, self._again, self.language) if self._again else "",
            "timing": self._timing,
            "strip": self._strip,
        }

    def hear(self, content: dict[str, Any]) -> None:
        """Answer a message from the browser, in the journal of its writer."""
        writer = whose(self.own, content)
        if writer is not None:
            self._turn(writer)
            self._hear(content)

    def _turn(self, writer: int) -> None:
        self._writer, self.journal = writer, journal_of(self.own, writer)

    def _hear(self, content: dict[str, Any]) -> None:
        words, seen = content.get("text"), content.get("seen")
        kind, view = content.get("type"), content.get("from")
        try:
            if kind == "open":
                self._open_for(view, content.get("unsaved"))
            elif kind == "save" and isinstance(words, str) and isinstance(seen, str):
                self._save(view, words, seen, content.get("number"))
            elif kind == "download" and isinstance(words, str):
                self._send_download(view, words)
            elif kind == "look" and type(draw := content.get("draw")) is int:
                self._send_seen(view, draw)
        except JournalError as error:
            self._answer(
                view,
                type="failed",
                text=error.sentence(self.language),
                number=content.get("number"),
            )
        except Exception as error:  # a bug in the kit
            log.exception("the answer cell could not %s", kind)
            words = text("journal.handin.broken", self.language, kind=type(error).__name__)
            self._answer(view, type="failed", text=words, number=content.get("number"))

    def _answer(self, view: Any, **message: Any) -> None:
        """Send an answer to the view that asked; a cell can have several, in one window or in two."""
        self._send(message | {"to": view})

    def _open_for(self, view: Any, unsaved: Any) -> None:
        """Answer with the journal's text, after adding to it what browsers could not save before."""
        before = answer = self.journal.answers().get(self.key, NO_ANSWER)
        for each in unsaved if isinstance(unsaved, list) else ():
            words, seen, typed = (each.get(part) for part in ("text", "seen", "typed"))
            if isinstance(words, str) and isinstance(seen, str) and isinstance(typed, str):
                answer = self.journal.restore(self.key, words, self.question, seen, typed)
        notice = self._noticed()
        if answer != before:
            self._show_all(answer, but=view)
            self._answered(self._writer, answer)
        if len(answer.others) > len(before.others):
            notice = notice or text(f"{TEXTS}both_kept", self.language)
        if fixed := self.journal.fixed:  # said before anything is written
            notice = fixed.sentence(self.language)
        self._answer(view, type="answer", text=answer.text, saved=answer.saved, notice=notice)

    def _save(self, view: Any, words: str, seen: str, number: Any) -> None:
        if isinstance(view, str):  # the view may not know yet that its last text was saved
            seen = max(seen, self._wrote.get(view, ""))
        kept = self.journal.save(self.key, words, self.question, seen)
        if isinstance(view, str):
            self._wrote[view] = kept.saved
        notice = self._noticed()
        if len(kept.others) and kept.others[-1][1] > seen:  # another window wrote in between
            notice = notice or text(f"{TEXTS}both_kept", self.language)
        self._show_all(kept, but=view)
        self._answer(view, type="saved", saved=kept.saved, number=number, notice=notice)
        self._answered(self._writer, kept)

    def _show_all(self, answer: Answer, but: Any) -> None:
        """Show *answer* in all cells with this question, copied ones included, in all views except
        *but*.
        """
        for cell in self.opened:
            if cell.key == self.key and cell.own.path == self.own.path:
                cell.show(self._writer, answer, but)

    def show(self, writer: int, answer: Answer, but: Any = None) -> None:
        """Show *answer*, which the journal of *writer* has now, in all views of that writer except
        *but*.
        """
        told = {
            "type": "answer",
            "text": answer.text,
            "saved": answer.saved,
            "notice": "",
            "but": but,
        }
        self._send(told | {"writer": writer})
        self._answered(writer, answer)

    def _send_download(self, view: Any, words: str) -> None:
        try:
            answers = self.journal.answers()
        except JournalError:
            answers = {}
        answers[self.key] = answers.get(self.key, Answer("", ""))._replace(
            text=words, question=self.question
        )
        games = held(Whole(answers, {}, {}, [], {}))
        self._answer(
            view, type="download", text=markdown(games, self.language, heading=f"{TEXTS}title")
        )

    def _noticed(self) -> str:
        aside = self.journal.take_aside()
        return text(f"{TEXTS}damaged", self.language, name=aside) if aside else ""

    # What the reader did: computed only when the browser shows this cell

    def _moved(self) -> None:
        self._send({"type": "moved"})

    def _send_seen(self, view: Any, draw: int) -> None:
        if self._on_table is not None and self._evidence is not None:
            parts = [sent(part) for part in self._seen(self._on_table, self._evidence, draw)]
            self._answer(view, type="seen", parts=parts)

    def _seen(self, table: OnTable, evidence: Evidence, draw: int) -> list[Any]:
        """Return sentences and pictures of the match on *table*, or one sentence on why there are
        none.
        """
        try:
            match, people = table.look()
            return list(evidence(self._name, match, people or (), self.language, draw))
        except NothingToShowError as unseen:
            return [text(f"{TEXTS}{unseen.why}", self.language)]
        except Exception as error:  # a bug in the kit; its message might name cards
            log.exception("no evidence for %s", self.key)
            return [text(f"{TEXTS}unseen", self.language, kind=type(error).__name__)]


class Reflect(Written):
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
    language = traitlets.Unicode().tag(sync=True)
    limit = traitlets.Int(LONGEST_ANSWER).tag(sync=True)
    words = traitlets.Dict().tag(sync=True)
    shows = traitlets.Bool().tag(sync=True)
    again = traitlets.Unicode().tag(sync=True)
    timing = traitlets.Unicode().tag(sync=True)
    strip = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        game: str,
        which: int | str,
        language: str = LANGUAGES[0],
        journal: Journal | None = None,
        table: "Table | None" = None,
        timing: str = "",
    ) -> None:
        own = journal or Journal()
        self._asking = Asking(
            question(game, which), language, own, table, timing, lambda message: self.send(message)
        )
        super().__init__(own, language, words=words_there(language), **self._asking.traits())
        self.on_msg(self._on_message)

    def _on_message(self, _widget: Any, content: Any, _buffers: Any) -> None:
        if isinstance(content, dict) and not self.take_turns(content):
            self._asking.hear(content)


def words_there(language: str) -> dict[str, str]:
    """Return the texts that the browser needs for any question."""
    return {name: texts()[TEXTS + name][language] for name in SAID_THERE} | {
        name: texts()[timings.TEXTS + name][language] for name in PROMPTS
    }


def reflect(
    game: str,
    which: int | str,
    language: str = LANGUAGES[0],
    *,
    table: "Table | None" = None,
    timing: str = "",
) -> Reflect:
    """Return the cell that asks one question of *game*: ``reflect("wizard", 1)``.

    :param table: the table whose match is shown beside the answer.
    :param timing: "predict", "pair" or "exit", see :class:`Reflect`.
    """
    return Reflect(game, which, language, table=table, timing=timing)
