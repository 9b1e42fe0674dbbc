"""The cell that asks one question, saves what is typed, and shows what the reader did at a table."""

import logging
from typing import TYPE_CHECKING, Any, ClassVar
from weakref import WeakSet

import anywidget
import traitlets

from coursekit.cells.static import Bundle, layered, one_file
from coursekit.journal.journal import LONGEST_ANSWER, NO_ANSWER, Answer, Journal, JournalError, Whole
from coursekit.kit import kit_of
from coursekit.kit.kit import Evidence
from coursekit.reflect import timings
from coursekit.reflect.contents import held, markdown
from coursekit.reflect.questions import question
from coursekit.reflect.static_files import STATIC
from coursekit.reflect.watched import NothingToShow, OnTable, sent
from coursekit.words.texts import LANGUAGES, said, text
from coursekit.words.texts import table as texts

if TYPE_CHECKING:
    from coursekit.table import Table

PARTS: Bundle = {"js": ("cell", "timer", "reflect"), "css": ("timer", "reflect")}
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


class Reflect(anywidget.AnyWidget):
    """One question with a box for the answer, which is saved while it is typed.

    :param game: a game's name.
    :param which: the question's name or 1-based number.
    :param journal: the journal to save answers in, by default ``Journal()``.
    :param table: the table whose match is shown below the question, if the game has something to show: see
        :attr:`.Lesson.evidence`.
    :param timing: the activity with a timer.  "predict" asks for the answer before it shows anything of the
        match, "pair" is for thinking alone, in pairs and together, "exit" for the end of a lesson; "" for none.
    :raises ValueError: for an unknown game, question, language or timing, or a table of another game.
    """

    # Answers and evidence travel in messages, not in traits, so they never get into a saved notebook.
    _esm = one_file(STATIC, PARTS, "js")
    _css = layered(one_file(STATIC, PARTS, "css"))
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

    _open: ClassVar["WeakSet[Reflect]"] = WeakSet()

    def __init__(
        self,
        game: str,
        which: int | str,
        language: str = LANGUAGES[0],
        journal: Journal | None = None,
        table: "Table | None" = None,
        timing: str = "",
    ) -> None:
        asked = question(game, which)
        if language not in LANGUAGES:
            raise ValueError(f"language {language!r} is not one of {', '.join(LANGUAGES)}")
        if table is not None and table.game != game:
            raise ValueError(f"this question is about {game}, and the table plays {table.game}")
        self._journal = journal or Journal()
        self._wrote: dict[str, str] = {}  # view -> time of saving of its last answer
        self._name = asked.name
        lesson = kit_of(game).taught()
        self._evidence = lesson.evidence if table is not None else None
        again = lesson.again.get(asked.name) if self._evidence else None
        super().__init__(
            key=asked.key,
            question=asked.words[language],
            source=said(game, f"{TEXTS}source.{asked.source}", language),
            language=language,
            words={name: texts()[TEXTS + name][language] for name in SAID_THERE}
            | {name: texts()[timings.TEXTS + name][language] for name in PROMPTS},
            timing=timing,
            strip=timings.strip(timing, language) if timing else {},
            shows=self._evidence is not None,
            again=said(game, again, language) if again else "",
        )
        self.on_msg(self._on_message)
        self._open.add(self)
        self._on_table = OnTable(table, self._moved) if table is not None else None

    def _on_message(self, _widget: Any, content: Any, _buffers: Any) -> None:
        if not isinstance(content, dict):
            return
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
            self._answer(view, type="failed", text=error.sentence(self.language), number=content.get("number"))
        except Exception as error:  # a bug in the kit
            log.exception("the answer cell could not %s", kind)
            words = text("journal.handin.broken", self.language, kind=type(error).__name__)
            self._answer(view, type="failed", text=words, number=content.get("number"))

    def _answer(self, view: Any, **message: Any) -> None:
        """Send an answer to the view that asked; a cell can have several, in one window or in two."""
        self.send(message | {"to": view})

    def _open_for(self, view: Any, unsaved: Any) -> None:
        """Answer with the journal's text, after adding to it what browsers could not save before."""
        before = answer = self._journal.answers().get(self.key, NO_ANSWER)
        for each in unsaved if isinstance(unsaved, list) else ():
            words, seen, typed = (each.get(part) for part in ("text", "seen", "typed"))
            if isinstance(words, str) and isinstance(seen, str) and isinstance(typed, str):
                answer = self._journal.restore(self.key, words, self.question, seen, typed)
        notice = self._noticed()
        if answer != before:
            self._show_all(answer, but=view)
        if len(answer.others) > len(before.others):
            notice = notice or text(f"{TEXTS}both_kept", self.language)
        if fixed := self._journal.fixed:  # said before anything is written
            notice = fixed.sentence(self.language)
        self._answer(view, type="answer", text=answer.text, saved=answer.saved, notice=notice)

    def _save(self, view: Any, words: str, seen: str, number: Any) -> None:
        if isinstance(view, str):  # the view may not know yet that its last text was saved
            seen = max(seen, self._wrote.get(view, ""))
        kept = self._journal.save(self.key, words, self.question, seen)
        if isinstance(view, str):
            self._wrote[view] = kept.saved
        notice = self._noticed()
        if len(kept.others) and kept.others[-1][1] > seen:  # another window wrote in between
            notice = notice or text(f"{TEXTS}both_kept", self.language)
        self._show_all(kept, but=view)
        self._answer(view, type="saved", saved=kept.saved, number=number, notice=notice)

    def _show_all(self, answer: Answer, but: Any) -> None:
        """Show *answer* in all cells with this question, copied ones included, in all views except *but*."""
        for cell in self._open:
            if cell.key == self.key and cell._journal.path == self._journal.path:
                cell.show(answer, but)

    def show(self, answer: Answer, but: Any = None) -> None:
        """Show *answer*, which the journal has now, in all views except *but*."""
        self.send({"type": "answer", "text": answer.text, "saved": answer.saved, "notice": "", "but": but})

    def _send_download(self, view: Any, words: str) -> None:
        try:
            answers = self._journal.answers()
        except JournalError:
            answers = {}
        answers[self.key] = answers.get(self.key, Answer("", ""))._replace(text=words, question=self.question)
        games = held(Whole(answers, {}, {}, [], {}))
        self._answer(view, type="download", text=markdown(games, self.language, heading=f"{TEXTS}title"))

    def _noticed(self) -> str:
        aside = self._journal.take_aside()
        return text(f"{TEXTS}damaged", self.language, name=aside) if aside else ""

    # What the reader did: computed only when the browser shows this cell

    def _moved(self) -> None:
        self.send({"type": "moved"})

    def _send_seen(self, view: Any, draw: int) -> None:
        if self._on_table is not None and self._evidence is not None:
            parts = [sent(part) for part in self._seen(self._on_table, self._evidence, draw)]
            self._answer(view, type="seen", parts=parts)

    def _seen(self, table: OnTable, evidence: Evidence, draw: int) -> list[Any]:
        """Return sentences and pictures of the match on *table*, or one sentence on why there are none."""
        try:
            match, people = table.look()
            return list(evidence(self._name, match, people or (), self.language, draw))
        except NothingToShow as unseen:
            return [text(f"{TEXTS}{unseen.why}", self.language)]
        except Exception as error:  # a bug in the kit; its message might name cards
            log.exception("no evidence for %s", self.key)
            return [text(f"{TEXTS}unseen", self.language, kind=type(error).__name__)]


def reflect(
    game: str, which: int | str, language: str = LANGUAGES[0], *, table: "Table | None" = None, timing: str = ""
) -> Reflect:
    """Return the cell that asks one question of *game*: ``reflect("wizard", 1)``.

    :param table: the table whose match is shown below the question.
    :param timing: "predict", "pair" or "exit", see :class:`Reflect`.
    """
    return Reflect(game, which, language, table=table, timing=timing)
