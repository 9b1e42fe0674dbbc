"""What pages send to a room: each message is read, carried out, or refused with a sentence.

One WebSocket a page carries JSON objects, each with a ``type``; :mod:`.page_messages` reads them.
"""

import json
import logging
from typing import Any, ClassVar

from coursekit.core.errors import LocalizedError
from coursekit.core.page_messages import Message, MessageError, Messages, sender_of
from coursekit.room.lesson import Lesson
from coursekit.room.limits import LARGEST
from coursekit.room.page import Page, Request
from coursekit.room.room import Room

log = logging.getLogger(__name__)
COUNTED = "counted"
"""Flag of a message that is kept and carried out once; ``n`` is the page's own counter."""


def decode(words: str | bytes) -> Any:
    """Return what a page has sent, ``None`` if that is no JSON.

    :raises MessageError: if it is too long.
    """
    size = len(words if isinstance(words, bytes) else words.encode("utf-8", "surrogatepass"))
    if size > LARGEST:
        raise MessageError("room.too_long", got=size, allowed=LARGEST)
    try:
        return json.loads(words)
    except (ValueError, RecursionError):
        return None


class PageMessages:
    """Answers the :attr:`messages` of some pages of a room; the sender of a message is its page."""

    messages: ClassVar[Messages]

    def __init__(self, room: Room) -> None:
        self.room = room

    @property
    def lesson(self) -> Lesson:
        """The lesson of the room."""
        return self.room.lesson

    def receive(self, page: Page, words: str | bytes) -> str:
        """Do what *page* asks for; return the kind of its message, "" if it is none.

        What cannot be done is answered with a sentence.
        """
        kind = to = ""
        n = None
        try:
            content = decode(words)
            n = self._number(content)
            to = sender_of(content)
            message = self._read(page, content)
            kind = message.kind
            self.deliver(page, message, to)
        except LocalizedError as error:
            page.refuse(error, n, to, self.room.names_for(page))
        except Exception:  # a mistake in the kit; its words might name cards
            log.exception("a room could not do what a page asked for: %s", kind)
            page.refuse(MessageError("room.mistake"), n, to)
        return kind

    def _number(self, content: Any) -> int | None:
        """Return the number of a message that is done once, so that its page can give it up."""
        handler = self.messages.handler_of(content)
        if handler is None or COUNTED not in handler.flags or type(content.get("n")) is not int:
            return None
        number: int = content["n"]
        return number

    def _read(self, page: Page, content: Any) -> Message:
        try:
            return self.messages.read(content)
        except MessageError:
            page.invalid_messages += 1
            raise

    def deliver(self, page: Page, message: Message, to: str) -> None:
        """Carry out *message*; its answer goes to the view *to* of the page.

        A handler returns the answer, ``None`` for none, or a :class:`.Request` that another process
        answers.

        :raises LocalizedError: if that cannot be done.
        """
        answer = message.deliver(self, page)
        if isinstance(answer, Request):
            self.room.ask(page, answer, to=to, n=message.arguments.get("n"))
        elif answer is not None:
            page.out.append(answer | {"to": to})
