"""The cell that asks one question and keeps what is typed."""

from pathlib import Path
from typing import Any, ClassVar
from weakref import WeakSet

import anywidget
import traitlets

from coursekit.controls import CELL_STYLE
from coursekit.reflect.journal import LIMIT, Answer, Journal, JournalError, markdown
from coursekit.reflect.questions import question
from coursekit.texts import LANGUAGES, table, text

STATIC = Path(__file__).parent / "static"
TEXTS = "reflect."
SAID_THERE = ("heading", "opening", "empty", "saving", "saved", "offline", "download", "file", "title")
"""The texts that the browser says by itself."""


class Reflect(anywidget.AnyWidget):
    """One question with a box for the answer, which is saved while it is typed.

    :param game: a game's name.
    :param which: the question's name or number, counted from 1.
    :param journal: where answers are kept; see :class:`~coursekit.reflect.journal.Journal`.
    :raises ValueError: for an unknown game, question or language.
    """

    # What is typed travels in messages, not in traits, and so never gets into a saved notebook.
    _esm = STATIC / "reflect.js"
    _css = CELL_STYLE + (STATIC / "reflect.css").read_text(encoding="utf-8")
    key = traitlets.Unicode().tag(sync=True)
    question = traitlets.Unicode().tag(sync=True)
    source = traitlets.Unicode().tag(sync=True)
    language = traitlets.Unicode().tag(sync=True)
    limit = traitlets.Int(LIMIT).tag(sync=True)
    words = traitlets.Dict().tag(sync=True)

    _open: ClassVar["WeakSet[Reflect]"] = WeakSet()

    def __init__(
        self, game: str, which: int | str, language: str = LANGUAGES[0], journal: Journal | None = None
    ) -> None:
        asked = question(game, which)
        if language not in LANGUAGES:
            raise ValueError(f"language {language!r} is not one of {', '.join(LANGUAGES)}")
        self._journal = journal or Journal()
        super().__init__(
            key=asked.key,
            question=asked.words[language],
            source=text(f"{TEXTS}source.{asked.source}", language),
            language=language,
            words={name: table()[TEXTS + name][language] for name in SAID_THERE},
        )
        self.on_msg(self._on_message)
        self._open.add(self)

    def _on_message(self, _widget: Any, content: Any, _buffers: Any) -> None:
        if not isinstance(content, dict):
            return
        words, seen = content.get("text"), content.get("seen")
        kind = content.get("type")
        try:
            if kind == "open":
                self._send_answer(self._journal.answers().get(self.key, Answer("", "")))
            elif kind == "save" and isinstance(words, str) and isinstance(seen, str):
                self._save(words, seen, content.get("number"))
            elif kind == "download" and isinstance(words, str):
                self._send_download(words)
        except JournalError as error:
            self.send({"type": "failed", "text": error.sentence(self.language), "number": content.get("number")})

    def _save(self, words: str, seen: str, number: Any) -> None:
        kept = self._journal.save(self.key, words, self.question, seen)
        notice = self._noticed()
        if len(kept.others) and kept.others[-1][1] > seen:  # somebody wrote in between
            notice = notice or text(f"{TEXTS}both_kept", self.language)
        self.send({"type": "saved", "saved": kept.saved, "number": number, "notice": notice})
        for cell in self._open:  # a copied cell asks the same question and shows the same answer
            if cell is not self and cell.key == self.key and cell._journal.path == self._journal.path:
                cell.send({"type": "answer", "text": kept.text, "saved": kept.saved, "notice": ""})

    def _send_answer(self, answer: Answer) -> None:
        self.send({"type": "answer", "text": answer.text, "saved": answer.saved, "notice": self._noticed()})

    def _send_download(self, words: str) -> None:
        try:
            answers = self._journal.answers()
        except JournalError:
            answers = {}
        answers[self.key] = answers.get(self.key, Answer("", ""))._replace(text=words, question=self.question)
        self.send({"type": "download", "text": markdown(answers, self.language), "keys": list(answers)})

    def _noticed(self) -> str:
        aside = self._journal.set_aside
        return text(f"{TEXTS}damaged", self.language, name=aside) if aside else ""


def reflect(game: str, which: int | str, language: str = LANGUAGES[0]) -> Reflect:
    """Return the cell that asks one question of *game*: ``reflect("wizard", 1)``."""
    return Reflect(game, which, language)
