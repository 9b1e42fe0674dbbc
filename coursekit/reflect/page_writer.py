"""Cells with a chooser of who writes: the page's owner, or a group; groups take turns."""

from typing import Any, ClassVar
from weakref import WeakSet

import traitlets

from coursekit.cells.message_widget import MessageWidget
from coursekit.core.page_messages import Message, MessageError, Messages
from coursekit.journal import writer_groups
from coursekit.journal.entries import LONGEST_NAME
from coursekit.journal.journal import Journal
from coursekit.words.texts import pick_texts

WORDS = ("who", "groups", "me", "new", "name", "first", "begin")
"""The texts sent to the browser."""


class WriterCell(MessageWidget):
    """A cell with a chooser of who writes, which holds for all cells of the page.

    The browser draws it anew for each writer, and says in each message whose it is: what one has
    typed last may come when the next one has been chosen. Names travel in messages, so that no
    saved notebook has them.
    """

    messages = Messages()
    language = traitlets.Unicode().tag(sync=True)
    writer = traitlets.Int().tag(sync=True)
    chooser = traitlets.Dict().tag(sync=True)

    _cells: ClassVar["WeakSet[WriterCell]"] = WeakSet()

    def __init__(self, own: Journal, language: str, **traits: Any) -> None:
        self.own = own
        """The journal of the page's owner."""
        words = pick_texts("reflect.writer.", WORDS, language)
        chooser = {"words": words, "limit": LONGEST_NAME}
        super().__init__(
            language=language, writer=writer_groups.current(own), chooser=chooser, **traits
        )
        self._cells.add(self)

    def deliver(self, message: Message, sender: str, data: list[bytes]) -> dict[str, Any] | None:
        """Return the handler's answer; a writer whose journal was deleted meanwhile gets none."""
        number = message.arguments.get("writer", 0)
        if number and not writer_groups.journal_of(self.own, number).path.exists():
            return None
        return super().deliver(message, sender, data)

    @messages.handle(kind="writers")
    def list_writers(self) -> None:
        """Tell all views the groups."""
        names = writer_groups.names(self.own)
        groups = [{"number": number, "name": name} for number, name in names.items()]
        self.send({"type": "writers", "names": groups})

    @messages.handle(kind="writer")
    def choose_writer(self, number: int | None = None, name: str | None = None) -> None:
        """Let another group write on the page, or a new one with a *name*."""
        if name is not None:
            number = writer_groups.add(self.own, name)
        if number is None:
            raise MessageError
        choose(self.own, number)


def choose(own: Journal, number: int) -> None:
    """Let group *number* write in all cells of the page, 0 for its owner."""
    writer_groups.choose(own, number)
    for cell in WriterCell._cells:
        if cell.own.path == own.path:
            cell.writer = writer_groups.current(own)
            cell.list_writers()
