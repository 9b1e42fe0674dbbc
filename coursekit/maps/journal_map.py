"""A mind map that a journal keeps while people edit it."""

import asyncio
import atexit
from collections.abc import Callable
from contextlib import suppress
from typing import Any, ClassVar, Protocol
from weakref import WeakSet, WeakValueDictionary

from coursekit.core.errors import LocalizedError
from coursekit.journal.journal import Journal, JournalError, Kept
from coursekit.maps.edits import place, placed
from coursekit.maps.elements import MapError
from coursekit.maps.file_writer import MapFileError, read, write_map
from coursekit.maps.mindmap import MindMap

DELAY = 1.0
"""Seconds from an edit until the map is saved, with all edits made meanwhile."""
AGAIN = 5.0
"""Seconds until a map is saved again that could not be saved."""
WITHIN = 100_000_000
"""Bytes of a map that can be read from a journal: more than a journal accepts, so that it can be
read back.
"""


class Cell(Protocol):
    """A cell that shows a map."""

    def told_saved(self) -> None: ...
    def told_failed(self, error: JournalError) -> None: ...
    def told_anew(self) -> None: ...


def soon(do: Callable[[], None]) -> None:
    """Call *do* after :data:`DELAY`, or at once if no event loop runs."""
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        do()
    else:
        loop.call_later(DELAY, do)


class SavedMap:
    """The map that *journal* keeps under *key*.

    If another program saves it too, both versions are kept, and :attr:`other` waits for
    :meth:`keep`.

    :param later: calls :meth:`save` some time after an edit.
    """

    _all: ClassVar["WeakValueDictionary[tuple[str, str], SavedMap]"] = WeakValueDictionary()

    def __init__(
        self, journal: Journal, key: str, later: Callable[[Callable[[], None]], None] = soon
    ) -> None:
        self.journal, self.key, self._later = journal, key, later
        self.map = MindMap()
        self.saved = ""
        """When the journal saved the version that this map comes from, in UTC as ISO 8601, "" for
        none.
        """
        self.other = ""
        """When another window saved its own version, "" if there is none."""
        self.notice: LocalizedError | None = None
        """What to tell about the journal, once."""
        self.cells: WeakSet[Any] = WeakSet()
        self._dirty = self._waiting = False
        self.fetch()

    @classmethod
    def shared(cls, journal: Journal, key: str) -> "SavedMap":
        """Return the saved map of this kernel, so that copied cells show the same map."""
        there = (str(journal.path), key)
        found = cls._all.get(there)
        if found is None:
            found = cls._all[there] = cls(journal, key)
        return found

    @classmethod
    def shown(cls, journal: Journal) -> list["SavedMap"]:
        """Return the maps of *journal* that this kernel shows."""
        return [each for (path, _), each in list(cls._all.items()) if path == str(journal.path)]

    # Reading

    def fetch(self) -> None:
        """Take over what the journal has now; save first if anything is unsaved."""
        if self._dirty:
            self.save()
            return
        try:
            kept = self.journal.maps().get(self.key)
        except JournalError as error:
            self.notice = error
            return
        if kept is None and self.saved:
            if self.journal.set_aside:  # lost with a damaged journal
                self.saved = ""
            else:  # deleted
                self._begin(MindMap(), "")
        if kept is not None and kept.saved != self.saved:
            try:
                self._begin(parse_map(kept.text), kept.saved)
            except MapFileError:
                self._put_aside(kept)
                return
        self.other = kept.others[-1][1] if kept and kept.others else ""

    def renew(self) -> None:
        """Make all cells show what the journal has now: it was deleted, or another one was brought
        back.
        """
        self.fetch()
        for cell in list(self.cells):
            cell.told_anew()

    def _begin(self, map: MindMap, saved: str) -> None:
        self.map, self.saved, self.other = map, saved, ""

    def _put_aside(self, kept: Kept) -> None:
        """Keep a version that cannot be read under another name, and begin with an empty map."""
        self._begin(MindMap(), "")
        try:
            aside = self._copy(kept.text)
            self.journal.drop_map(self.key)
        except JournalError as error:
            self.notice, self.saved = error, kept.saved
        else:
            self.notice = MapError("map.damaged", name=aside)

    # Writing

    @property
    def unsaved(self) -> bool:
        """Whether the map has changed since it was last saved."""
        return self._dirty

    def changed(self) -> None:
        """Note that the map has changed, and save it soon."""
        self._dirty = True
        if not self._waiting:
            self._waiting = True
            self._later(self._save_now)

    def _save_now(self) -> None:
        self._waiting = False
        self.save()

    def save(self) -> None:
        """Save the map if it has changed, and tell all cells the result."""
        if not self._dirty:
            return
        try:
            kept = self.journal.save_map(self.key, write_map(self.map, "json"), self.saved)
            if kept.others and kept.others[-1][1] > self.saved:
                self.other = kept.others[-1][1]
            self.saved, self._dirty = kept.saved, False
        except JournalError as error:
            for cell in list(self.cells):
                cell.told_failed(error)
            if error.text == "reflect.cannot_write" and not self._waiting:
                with suppress(RuntimeError):  # no event loop: the next edit tries again
                    asyncio.get_running_loop().call_later(AGAIN, self._save_now)
                    self._waiting = True
        else:
            for cell in list(self.cells):
                cell.told_saved()

    def keep(self, which: str) -> list[str]:
        """Keep "mine", the "other" version, or "both", the other one as a map of its own.

        :return: the keys of new maps in the journal.
        :raises JournalError: if it cannot be read or written.
        :raises MapFileError: if the other version cannot be read.
        """
        kept = self.journal.maps().get(self.key)
        looked_at = kept.others if kept else ()
        if looked_at and which == "other":
            self.show(parse_map(looked_at[-1][0], log=False))
        new = [self._copy(words) for words, _ in looked_at] if which == "both" else []
        self.save()
        left = self.journal.settle_map(self.key, looked_at).others
        self.other = left[-1][1] if left else ""
        return new

    def _copy(self, words: str) -> str:
        """Keep *words* as another map, and return its key."""
        there, number = self.journal.maps(), 2
        while (key := f"{self.key} {number}") in there:
            number += 1
        self.journal.save_map(key, words)
        return key

    def show(self, other: MindMap) -> None:
        """Make the map show what *other* shows, in one step; save it only if that changes it."""
        draft, before = other.after(len(other.log)), self.map.things
        place(draft)
        self.map.show(draft)
        if self.map.things != before:
            self.changed()


def parse_map(words: str, log: bool = True) -> MindMap:
    """Return the map that a journal keeps as *words*.

    :param log: whether to read how it grew.
    :raises MapFileError: if it cannot be read.
    """
    return placed(read(words.encode("utf-8"), "journal.json", WITHIN, log=log))


@atexit.register
def _save_all() -> None:
    for each in list(SavedMap._all.values()):
        with suppress(Exception):  # the browser is gone
            each.save()
