"""The file of a journal: each change reads it again and replaces it as a whole, under a lock."""

import json
import os
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any
from weakref import WeakMethod

from coursekit.core.errors import LocalizedError
from coursekit.files.disk import READ_ONLY, damaged_files, disk_error_reason, lock_file, put_aside
from coursekit.files.text_files import decode
from coursekit.journal.entries import JOURNAL_FORMAT, LARGEST_JOURNAL, Entry, mend


class JournalError(LocalizedError, OSError):
    """The journal cannot be used; nothing was written."""

    def __init__(self, text: str, **values: Any) -> None:
        super().__init__("", text, **values)


_untold: dict[Path, str] = {}
"""Path of a journal -> the damaged one that was put aside and not yet reported to a browser."""
_tidied: set[Path] = set()
"""Journals from beside which this program has removed what killed ones have left."""
PATIENCE = 3.0
"""Seconds to wait for another program that uses the journal; after one failure, :data:`HURRY`."""
HURRY = 0.2
_slow: set[Path] = set()
"""Journals that another program had for too long, when they were last looked at."""
_watching: dict[Path, list[WeakMethod[Callable[[], None]]]] = {}
"""Path of a journal -> the methods to call when this program has changed it."""


class JournalFile:
    """The file of a journal, which need not exist.

    :param path: by default the file named by ``COURSEKIT_JOURNAL``, or ``journal.json`` here.
    """

    def __init__(self, path: str | Path | None = None) -> None:
        self.path = Path(path or os.environ.get("COURSEKIT_JOURNAL") or "journal.json").absolute()

    @property
    def set_aside(self) -> str | None:
        """Name of the damaged journal that was put aside, ``None`` once that was reported.

        All readers of one journal share it: the first one puts the file aside, and may be a cell
        that no reader sees.
        """
        return _untold.get(self.path)

    def take_aside(self) -> str | None:
        """Return :attr:`set_aside` to be reported, once."""
        return _untold.pop(self.path, None)

    def watch(self, changed: Callable[[], None]) -> None:
        """Call the method *changed* after every change by this program, while its object exists."""
        _watching.setdefault(self.path, []).append(WeakMethod(changed))

    def _tell_changed(self) -> None:
        watching = []
        for method in _watching.get(self.path, ()):
            if (changed := method()) is not None:
                watching.append(method)
                changed()
        _watching[self.path] = watching

    @property
    def damaged(self) -> list[Path]:
        """The damaged journals beside this one."""
        return damaged_files(self.path)

    @property
    def fixed(self) -> JournalError | None:
        """Why the journal can be read and not written, ``None`` if it can, or there is none."""
        if not self.path.exists():
            return None
        try:
            with self._guarded():
                handle, name = tempfile.mkstemp(dir=self.path.parent, prefix=f".{self.path.name}.")
                os.close(handle)
                os.unlink(name)
        except JournalError as error:
            return error
        return None

    @contextmanager
    def _reading(self) -> Iterator[Entry]:
        """Hold the lock if there can be one, and yield the journal's content."""
        with self._guarded(reading=True) as held:
            yield self._read() if held else self._read_only()

    @contextmanager
    def _changing(self) -> Iterator[Entry]:
        """Hold the lock, yield the journal's content, and write it if it was changed."""
        with self._guarded():
            data = self._read()
            before = dump_journal(data)
            yield data
            content = dump_journal(data)
            changed = content != before
            if changed:
                # A journal that is too large already may still get smaller.
                if len(content.encode()) > max(LARGEST_JOURNAL, len(before.encode())):
                    raise JournalError("journal.full", limit=LARGEST_JOURNAL // 1_000_000)
                self._write(content)
        if changed:
            self._tell_changed()

    @contextmanager
    def _guarded(self, reading: bool = False) -> Iterator[bool]:
        """Hold the journal's lock, and report a failing disk in one sentence.

        Yields ``False`` if it need only be read and there can be no lock: every writer replaces the
        file as a whole.
        """
        try:
            with ExitStack() as stack:
                try:
                    patience = HURRY if self.path in _slow else PATIENCE
                    held = stack.enter_context(
                        lock_file(self.path.with_name(f".{self.path.name}.lock"), patience)
                    )
                    _slow.discard(self.path)
                except TimeoutError:
                    _slow.add(self.path)
                    raise
                except OSError as error:
                    if not (reading and error.errno in READ_ONLY and self.path.exists()):
                        raise
                    yield False
                    return
                if held and self.path not in _tidied:
                    self._tidy()
                yield True
        except JournalError:
            raise
        except (OSError, RecursionError) as error:
            raise JournalError(
                "reflect.cannot_write",
                path=self._name,
                why=disk_error_reason(error, self.path.parent),
            ) from error

    @property
    def _name(self) -> str:
        """What a page calls the file: no more of its path than the folder's name."""
        return f"{self.path.parent.name}/{self.path.name}"

    def _tidy(self) -> None:
        """Remove what killed writers have left; the holder of the lock is the only one alive."""
        begun = re.compile(re.escape(f".{self.path.name}.") + "[a-z0-9_]{8}")
        for path in self.path.parent.iterdir():
            if begun.fullmatch(path.name):
                with suppress(OSError):
                    path.unlink()
        _tidied.add(self.path)

    def _read_only(self) -> Entry:
        """Return the readable part of a journal that may not be written."""
        data = parse_journal(self.path.read_bytes())
        if data is None:
            raise JournalError(
                "reflect.cannot_write", path=self._name, why=LocalizedError("", "disk.damaged")
            )
        self._must_be_known(data)
        mend(data)
        return data

    def _must_be_known(self, data: Entry) -> None:
        if data["journal"] > JOURNAL_FORMAT:
            raise JournalError("reflect.newer", path=self._name)

    def _read(self) -> Entry:
        """Return the journal's content.

        A damaged file is put aside as it is; a new journal with its readable part takes its place.
        """
        try:
            data = parse_journal(self.path.read_bytes())
        except FileNotFoundError:
            return {"journal": JOURNAL_FORMAT, "answers": {}}
        if data is None:
            _untold[self.path] = put_aside(self.path).name
            return {"journal": JOURNAL_FORMAT, "answers": {}}
        self._must_be_known(data)
        if mend(data):
            there = put_aside(self.path)
            try:
                self._write(dump_journal(data))
            except BaseException:
                there.rename(self.path)
                raise
            _untold[self.path] = there.name
        return data

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


def parse_journal(content: str | bytes) -> Entry | None:
    """Return the journal in *content*, ``None`` if it is not one."""
    try:
        words = decode(content) if isinstance(content, bytes) else content
        data = json.loads(words.lstrip("\ufeff"))
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) and type(data.get("journal")) is int else None


def dump_journal(data: Entry) -> str:
    """Return *data* as the text of a file."""
    return replace_surrogates(json.dumps(data, ensure_ascii=False, indent=1)) + "\n"


def replace_surrogates(words: str) -> str:
    """Return *words* without lone surrogates, which no file can hold."""
    return words.encode("utf-8", "replace").decode("utf-8")
