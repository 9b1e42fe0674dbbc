"""Who writes in the cells of a page: its owner, or one of several groups that take turns."""

from typing import Any, ClassVar
from weakref import WeakSet

import anywidget
import traitlets

from coursekit.journal import writers
from coursekit.journal.entries import LONGEST_NAME
from coursekit.journal.journal import Journal, JournalError
from coursekit.words.texts import load_texts as texts

SAID_THERE = ("who", "groups", "me", "new", "name", "first", "begin")
"""The texts sent to the browser."""


class Written(anywidget.AnyWidget):
    """A cell with a chooser of who writes, which holds for all cells of the page.

    The browser draws it anew for each writer, and says in each message whose it is: what one has
    typed last may come when the next one has been chosen. Names travel in messages, so that no
    saved notebook has them.
    """

    writer = traitlets.Int().tag(sync=True)
    chooser = traitlets.Dict().tag(sync=True)

    _pages: ClassVar["WeakSet[Written]"] = WeakSet()

    def __init__(self, own: Journal, language: str, **traits: Any) -> None:
        self._own = own
        words = {name: texts()[f"reflect.writer.{name}"][language] for name in SAID_THERE}
        chooser = {"words": words, "limit": LONGEST_NAME}
        self._language = language
        super().__init__(language=language, writer=writers.chosen(own), chooser=chooser, **traits)
        self._pages.add(self)

    def take_turns(self, content: dict[str, Any]) -> bool:
        """Answer a message about who writes; return whether it was one."""
        kind, view = content.get("type"), content.get("from")
        if kind not in ("writers", "writer"):
            return False
        number: Any = content.get("number")
        name = content.get("name")
        try:
            if isinstance(name, str):
                number = writers.add(self._own, name)
            if type(number) is int and kind == "writer":
                choose(self._own, number)
            else:
                self._tell_writers()
        except JournalError as error:
            self.send({"type": "refused", "text": error.sentence(self._language), "to": view})
        return True

    def _tell_writers(self) -> None:
        there = [
            {"number": number, "name": name} for number, name in writers.names(self._own).items()
        ]
        self.send({"type": "writers", "names": there})


def choose(own: Journal, number: int) -> None:
    """Let group *number* write in all cells of the page, 0 for its owner."""
    writers.choose(own, number)
    for cell in Written._pages:
        if cell._own.path == own.path:
            cell.writer = writers.chosen(own)
            cell._tell_writers()


def whose(own: Journal, content: dict[str, Any]) -> int | None:
    """Return the number of the writer of a message, ``None`` if their journal has been deleted
    meanwhile.
    """
    number = content.get("writer", 0)
    there = type(number) is int and (not number or writers.journal_of(own, number).path.exists())
    return number if there else None
