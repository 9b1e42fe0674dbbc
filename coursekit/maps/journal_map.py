"""A mind map that a journal keeps while people edit it."""

import asyncio
import atexit
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, ClassVar, Literal, Protocol
from weakref import WeakSet, WeakValueDictionary

from coursekit.core.errors import LocalizedError
from coursekit.files.disk import outlives_page
from coursekit.journal.journal import Journal, JournalError, MapEntry
from coursekit.maps.elements import Changes, MapError, diff
from coursekit.maps.file_reader import MapFileError, read_map
from coursekit.maps.file_writer import write_map
from coursekit.maps.mindmap import MindMap

DELAY = 1.0
"""Seconds from an edit until the map is saved, with all edits made meanwhile."""
AGAIN = 5.0
"""Seconds until a map is saved again that could not be saved."""
WITHIN = 100_000_000
"""Bytes of a map in a journal that can be read: more than a journal accepts from a page."""


class Cell(Protocol):
    """A cell that shows a map."""

    def send(self, message: dict[str, Any], /) -> None: ...
    def report_saved(self) -> None: ...
    def report_failure(self, error: JournalError) -> None: ...
    def show_map(self) -> None: ...


def call_later(save: Callable[[], None]) -> None:
    """Call *save* after :data:`DELAY`, or at once if no event loop runs.

    At once in a browser too: the site keeps what has been written when a message is done.
    """
    if sys.platform == "emscripten":
        save()
        return
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        save()
    else:
        loop.call_later(DELAY, save)


class JournalMap:
    """The map that *journal* keeps under *key*.

    If another program saves it too, both versions are kept, and :attr:`other` waits for
    :meth:`settle`.

    :param later: calls :meth:`save` some time after an edit.
    """

    _all: ClassVar["WeakValueDictionary[tuple[str, str], JournalMap]"] = WeakValueDictionary()

    def __init__(
        self, journal: Journal, key: str, later: Callable[[Callable[[], None]], None] = call_later
    ) -> None:
        self.journal = journal
        self.key = key
        self._later = later
        self.map = MindMap()
        self.saved = ""
        """When the journal saved the version that this map comes from: UTC, ISO 8601, or ""."""
        self.other = ""
        """When another window saved its own version, "" if there is none."""
        self.notice: LocalizedError | None = None
        """What to tell about the journal, once."""
        if not outlives_page(journal.path):
            self.notice = MapError("table.memory")
        self.cells: WeakSet[Cell] = WeakSet()
        self.unsaved = False
        """Whether the map has changed since it was last saved."""
        self._waiting = False
        self.fetch()

    @classmethod
    def shared(cls, journal: Journal, key: str) -> "JournalMap":
        """Return the map of this kernel, so that copied cells show the same map."""
        place = (str(journal.path), key)
        journal_map = cls._all.get(place)
        if journal_map is None:
            journal_map = cls(journal, key)
            cls._all[place] = journal_map
        return journal_map

    @classmethod
    def open_maps(cls, journal: Journal) -> list["JournalMap"]:
        """Return the maps of *journal* that this kernel shows."""
        path = str(journal.path)
        return [journal_map for place, journal_map in list(cls._all.items()) if place[0] == path]

    # Reading

    def fetch(self) -> None:
        """Take over what the journal has now; save first if anything is unsaved."""
        if self.unsaved:
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
        self.other = _last_saved(kept)

    def renew(self) -> None:
        """Make all cells show what the journal has now, such as after a pupil deleted it."""
        self.fetch()
        for cell in list(self.cells):
            cell.show_map()

    def _begin(self, mind_map: MindMap, saved: str) -> None:
        self.map = mind_map
        self.saved = saved
        self.other = ""

    def _put_aside(self, kept: MapEntry) -> None:
        """Keep a version that cannot be read under another name, and begin with an empty map."""
        self._begin(MindMap(), "")
        try:
            name = self._copy(kept.text)
            self.journal.drop_map(self.key)
        except JournalError as error:
            self.notice = error
            self.saved = kept.saved
        else:
            self.notice = MapError("map.damaged", name=name)

    # Writing

    def apply(self, changes: Changes) -> None:
        """Change the map, and save it soon if that changes anything.

        :raises MapError: if that leaves no proper map.
        """
        before = self.map.things
        self.map.apply(changes)
        if self.map.things == before:
            return
        self.unsaved = True
        if not self._waiting:
            self._waiting = True
            self._later(self._save_now)

    def _save_now(self) -> None:
        self._waiting = False
        self.save()

    def save(self) -> None:
        """Save the map if it has changed, and tell all cells the result."""
        if not self.unsaved:
            return
        try:
            kept = self.journal.save_map(self.key, write_map(self.map, "json"), self.saved)
        except JournalError as error:
            for cell in list(self.cells):
                cell.report_failure(error)
            if error.text == "reflect.cannot_write" and not self._waiting:
                with suppress(RuntimeError):  # no event loop: the next edit tries again
                    asyncio.get_running_loop().call_later(AGAIN, self._save_now)
                    self._waiting = True
            return
        newest = _last_saved(kept)
        if newest > self.saved:
            self.other = newest
        self.saved = kept.saved
        self.unsaved = False
        for cell in list(self.cells):
            cell.report_saved()

    def settle(self, which: Literal["mine", "other", "both"]) -> list[str]:
        """Keep "mine", the "other" version, or "both", the other one as a map of its own.

        :return: the keys of new maps in the journal.
        :raises JournalError: if it cannot be read or written.
        :raises MapFileError: if the other version cannot be read.
        """
        kept = self.journal.maps().get(self.key)
        others = kept.others if kept else ()
        if others and which == "other":
            self.apply(diff(self.map.things, parse_map(others[-1][0]).things))
        copies = [self._copy(words) for words, _ in others] if which == "both" else []
        self.save()
        # Versions that another window saved meanwhile have not been looked at and stay.
        self.other = _last_saved(self.journal.settle_map(self.key, others))
        return copies

    def _copy(self, words: str) -> str:
        """Keep *words* as another map, and return its key."""
        maps = self.journal.maps()
        number = 2
        while f"{self.key} {number}" in maps:
            number += 1
        key = f"{self.key} {number}"
        self.journal.save_map(key, words)
        return key


def _last_saved(kept: MapEntry | None) -> str:
    """Return when the latest other version of a map was saved, "" if there is none."""
    return kept.others[-1][1] if kept and kept.others else ""


def parse_map(words: str) -> MindMap:
    """Return the map that a journal keeps as *words*.

    :raises MapFileError: if it cannot be read.
    """
    return read_map(words.encode("utf-8"), "journal.json", WITHIN)


@atexit.register
def _save_all() -> None:
    for journal_map in list(JournalMap._all.values()):
        with suppress(Exception):  # the browser is gone
            journal_map.save()
