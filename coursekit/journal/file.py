"""The file of a journal: each change reads it again and replaces it as a whole, under a lock."""

import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from weakref import WeakMethod

from coursekit.core.errors import Spoken
from coursekit.journal.entries import JOURNAL_FORMAT, LARGEST_JOURNAL, Entry, mend


class JournalError(Spoken, OSError):
    """The journal cannot be used; nothing was written."""

    def __init__(self, text: str, **values: Any) -> None:
        super().__init__("", text, **values)


_untold: dict[Path, str] = {}
"""Path of a journal -> the damaged one that was put aside and not yet reported to a browser."""
_watching: dict[Path, list[WeakMethod[Callable[[], None]]]] = {}
"""Path of a journal -> the methods to call when this program has changed it."""


class JournalFile:
    """The journal at *path*, by default the file named by ``COURSEKIT_JOURNAL``, or ``journal.json``
    in the current folder.  The file need not exist."""

    def __init__(self, path: str | Path | None = None) -> None:
        self.path = Path(path or os.environ.get("COURSEKIT_JOURNAL") or "journal.json").absolute()

    @property
    def set_aside(self) -> str | None:
        """Name of the damaged journal that was put aside, ``None`` if there is none or it was reported.

        All readers of one journal share it: the first one puts the file aside, and may be a cell
        that no reader sees.
        """
        return _untold.get(self.path)

    def take_aside(self) -> str | None:
        """Return :attr:`set_aside` to be reported, once."""
        return _untold.pop(self.path, None)

    def watch(self, changed: Callable[[], None]) -> None:
        """Call the method *changed* after every change by this program, as long as its object exists."""
        _watching.setdefault(self.path, []).append(WeakMethod(changed))

    def _tell_changed(self) -> None:
        there = [(each, each()) for each in _watching.get(self.path, ())]
        _watching[self.path] = [each for each, changed in there if changed]
        for _, changed in there:
            if changed:
                changed()

    @property
    def damaged(self) -> list[Path]:
        """The damaged journals beside this one."""
        found = self.path.parent.glob("*")
        beginning = f"{self.path.stem}.damaged-"
        return sorted(each for each in found if each.name.startswith(beginning) and each.suffix == self.path.suffix)

    @contextmanager
    def _reading(self) -> Iterator[Entry]:
        """Hold the lock, and yield the journal's content."""
        with self._guarded():
            yield self._read()

    @contextmanager
    def _changing(self) -> Iterator[Entry]:
        """Hold the lock, yield the journal's content, and write it if it was changed."""
        with self._guarded():
            data = self._read()
            before = written(data)
            yield data
            if changed := (content := written(data)) != before:
                # A journal that is too large already may still get smaller.
                if len(content.encode()) > max(LARGEST_JOURNAL, len(before.encode())):
                    raise JournalError("journal.full", limit=LARGEST_JOURNAL // 1_000_000)
                self._write(content)
        if changed:
            self._tell_changed()

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        """Hold the journal's lock, and report a failing disk in one sentence."""
        try:
            with _locked(self.path.with_name(f".{self.path.name}.lock")):
                yield
        except JournalError:
            raise
        except (OSError, RecursionError) as error:
            why = getattr(error, "strerror", None) or type(error).__name__
            raise JournalError("reflect.cannot_write", path=self.path, why=why) from error

    def _read(self) -> Entry:
        """Return the journal's content.

        A damaged file is put aside as it is; a new journal with its readable part takes its place.
        """
        try:
            data = parsed(self.path.read_bytes())
        except FileNotFoundError:
            return {"journal": JOURNAL_FORMAT, "answers": {}}
        if data is None:
            _untold[self.path] = self._put_aside().name
            return {"journal": JOURNAL_FORMAT, "answers": {}}
        if data["journal"] > JOURNAL_FORMAT:
            raise JournalError("reflect.newer", path=self.path)
        if mend(data):
            aside = self._put_aside()
            try:
                self._write(written(data))
            except BaseException:
                aside.rename(self.path)
                raise
            _untold[self.path] = aside.name
        return data

    def _put_aside(self) -> Path:
        number = 1
        while (goal := self.path.with_name(f"{self.path.stem}.damaged-{number}{self.path.suffix}")).exists():
            number += 1
        return self.path.rename(goal)

    def _write(self, content: str) -> None:
        handle, name = tempfile.mkstemp(dir=self.path.parent, prefix=f".{self.path.name}.")
        try:
            with open(handle, "wb") as file:
                file.write(content.encode())
                file.flush()
                os.fsync(file.fileno())
            os.replace(name, self.path)
        except BaseException:
            with suppress(OSError):
                os.unlink(name)
            raise


def parsed(content: str | bytes) -> Entry | None:
    """Return the journal in *content*, ``None`` if it is not one."""
    try:
        data = json.loads(content)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) and type(data.get("journal")) is int else None


def written(data: Entry) -> str:
    """Return *data* as the text of a file."""
    return writable(json.dumps(data, ensure_ascii=False, indent=1)) + "\n"


def writable(words: str) -> str:
    """Return *words* without lone surrogates, which no file can hold."""
    return words.encode("utf-8", "replace").decode("utf-8")


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold the lock file *path*; the system releases it if this process dies."""
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
