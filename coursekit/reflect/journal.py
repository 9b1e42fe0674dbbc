"""The journal: one file that keeps what somebody answered; ``docs/journal.md`` describes it.

Every change reads the file again, puts one answer in and replaces the file as a whole, under
a lock: several notebooks and tabs can write to one journal, and what they do not know (parts
added by a later version) stays as it was.
"""

import json
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from coursekit.game import Spoken
from coursekit.texts import text

FORMAT = 1
LIMIT = 20_000
"""Characters of one answer."""
OTHERS = 20
"""So many versions from other windows are kept of one answer."""


class JournalError(Spoken, OSError):
    """The journal cannot be used; what was to be written is not."""

    def __init__(self, text: str, **values: Any) -> None:
        super().__init__("", text, **values)


class Answer(NamedTuple):
    """One answer."""

    text: str
    saved: str  # when, as ISO 8601 in UTC, "" if never
    question: str = ""  # as it was asked
    others: tuple[tuple[str, str], ...] = ()  # (text, saved) of versions from other windows


EMPTY = Answer("", "")


class Journal:
    """The journal in *path*, by default the file that ``COURSEKIT_JOURNAL`` names, or ``journal.json``
    in the current folder.  The file need not exist."""

    def __init__(self, path: str | Path | None = None) -> None:
        self.path = Path(path or os.environ.get("COURSEKIT_JOURNAL") or "journal.json").absolute()
        self.set_aside: str | None = None
        """Name of the damaged journal that the last reading put aside, ``None`` if it was sound."""

    def answers(self) -> dict[str, Answer]:
        """Return all answers, by the key of their question.

        :raises JournalError: if the file cannot be read, or a newer version wrote it.
        """
        with self._guarded():
            return _answers(self._read())

    def save(self, key: str, words: str, question: str, seen: str | None = None) -> Answer:
        """Keep *words* as the answer to the question *key* and return what the journal has now.

        :param question: the question as it was asked.
        :param seen: when the answer was saved that *words* was made from, ``""`` for none.  If the
            journal holds a later one, it is kept among the other versions; ``None``: do not look.
        :raises JournalError: if it cannot be written; the journal is unchanged then.
        """
        words, question = _writable(words), _writable(question)
        if len(words) > LIMIT:
            raise JournalError("reflect.too_long", limit=LIMIT)
        with self._guarded():
            data = self._read()
            before = _answers(data).get(key, EMPTY)
            if words == before.text and (question == before.question or not words):
                return before
            others = before.others
            if seen is not None and seen != before.saved and before.text not in ("", words):
                others = (*others, (before.text, before.saved))[-OTHERS:]
            now = datetime.now(UTC).isoformat(timespec="microseconds")
            entry: dict[str, Any] = dict(data["answers"].get(key, {}))
            entry |= {"text": words, "saved": now, "question": question}
            if others:
                entry["others"] = [{"text": text, "saved": saved} for text, saved in others]
            data["answers"][key] = entry
            self._write(data)
            return Answer(words, now, question, others)

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        """Hold the journal's lock, and tell a failing disk in one sentence."""
        try:
            with _locked(self.path.with_name(f".{self.path.name}.lock")):
                yield
        except JournalError:
            raise
        except OSError as error:
            why = error.strerror or type(error).__name__
            raise JournalError("reflect.cannot_write", path=self.path, why=why) from error

    def _read(self) -> dict[str, Any]:
        """Return the journal's content; a damaged file is put aside, and there is an empty journal."""
        self.set_aside = None
        try:
            data = json.loads(self.path.read_text(encoding="utf-8"))
            if not isinstance(data, dict) or type(data["journal"]) is not int:
                raise TypeError
            if data["journal"] <= FORMAT:
                _answers(data)
        except FileNotFoundError:
            return {"journal": FORMAT, "answers": {}}
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            self.set_aside = self._put_aside()
            return {"journal": FORMAT, "answers": {}}
        if data["journal"] > FORMAT:
            raise JournalError("reflect.newer", path=self.path)
        return data

    def _put_aside(self) -> str:
        number = 1
        while (goal := self.path.with_name(f"{self.path.stem}.damaged-{number}{self.path.suffix}")).exists():
            number += 1
        self.path.rename(goal)
        return goal.name

    def _write(self, data: dict[str, Any]) -> None:
        words = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
        handle, name = tempfile.mkstemp(dir=self.path.parent, prefix=f".{self.path.name}.")
        try:
            with open(handle, "w", encoding="utf-8") as file:
                file.write(words)
                file.flush()
                os.fsync(file.fileno())
            os.replace(name, self.path)
        except BaseException:
            with suppress(OSError):
                os.unlink(name)
            raise


def markdown(answers: dict[str, Answer], language: str) -> str:
    """Return *answers* as a page to hand in; a question without an answer is left out."""
    parts = [f"# {text('reflect.title', language)}"]
    for answer in answers.values():
        if answer.text.strip():
            parts += [f"## {answer.question}", answer.text.strip()]
            for words, _ in answer.others:
                parts += [f"*{text('reflect.other_version', language)}*", words.strip()]
    if len(parts) == 1:
        parts.append(text("reflect.nothing", language))
    return "\n\n".join(parts) + "\n"


def _answers(data: dict[str, Any]) -> dict[str, Answer]:
    """Return the answers in *data*; raise ``KeyError``, ``TypeError`` or ``AttributeError`` for a wrong shape."""
    found = {}
    for key, entry in data["answers"].items():
        others = tuple((other["text"], other["saved"]) for other in entry.get("others", []))
        answer = Answer(entry["text"], entry["saved"], entry.get("question", ""), others)
        texts = (*answer[:3], *(part for other in others for part in other))
        if not all(isinstance(each, str) for each in texts):
            raise TypeError
        found[key] = answer
    return found


def _writable(words: str) -> str:
    """Return *words* without half characters (lone surrogates), which no file can hold."""
    return words.encode("utf-8", "replace").decode("utf-8")


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold the lock file *path*, which the system lets go of if this process dies."""
    with open(path, "a+b") as file:
        if sys.platform == "win32":
            import msvcrt

            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)  # waits up to 10 s
            try:
                yield
            finally:
                file.seek(0)
                msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)
        else:
            import fcntl

            with suppress(OSError):  # a network folder without locks: better unlocked than unsaved
                fcntl.flock(file, fcntl.LOCK_EX)
            yield
