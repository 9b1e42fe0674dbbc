"""A connection: a page and what is still to be sent to it."""

import asyncio
import json
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

from coursekit.room.limits import Pace
from coursekit.room.page import Page
from coursekit.words.texts import escape_surrogates

Send = Callable[[str], Awaitable[Any] | None]
"""Sends one message to a page; the next one waits for what it returns, if that can be awaited."""


class Connection:
    """A page and the way to it.

    Messages leave in order, each once the events that it tells of are in the lesson's file.

    :param send: sends words to the page.
    :param close: ends the connection.
    """

    def __init__(self, page: Page, send: Send, close: Callable[[], None]) -> None:
        self.page = page
        self.send = send
        self.close = close
        self.pace = Pace()
        self.since = time.monotonic()
        self.at_once: deque[str] = deque()
        """What is to be sent, whatever becomes of the file."""
        self.outbox: deque[tuple[int, str]] = deque()
        """What is to be sent then: how many events must be in the file first, and the words."""
        self.size = 0
        """Characters in both."""
        self.news = asyncio.Event()
        """Set when there may be something to send."""
        self.sending = False
        """Whether a message is on its way."""
        self.behind = False
        """Whether there was news for it while it was busy."""
        self.task: asyncio.Task[None] | None = None

    @property
    def is_phone(self) -> bool:
        """Whether its page is a phone's."""
        return self.page.role == "phone"

    @property
    def busy(self) -> bool:
        """Whether something is still to be sent."""
        return bool(self.at_once or self.outbox)

    def may_send(self, written: int) -> bool:
        """Return whether anything can leave or is on its way, with *written* events in the file."""
        is_due = bool(self.outbox) and self.outbox[0][0] <= written
        return self.sending or bool(self.at_once) or is_due

    def put(self, number: int, *messages: dict[str, Any]) -> None:
        """Have *messages* sent once the first *number* events are in the file; 0 for at once.

        :raises TypeError, ValueError: if they cannot be written; then none is sent.
        """
        lines = [to_json(message) for message in messages]
        if number:
            self.outbox += [(number, line) for line in lines]
        else:
            self.at_once += lines
        self.size += sum(map(len, lines))
        self.news.set()

    def take(self, written: int) -> str | None:
        """Return what can be sent next, with *written* events in the file; ``None`` if nothing."""
        if self.at_once:
            line = self.at_once.popleft()
        elif self.outbox and self.outbox[0][0] <= written:
            _, line = self.outbox.popleft()
        else:
            return None
        self.size -= len(line)
        return line

    def clear(self) -> None:
        """Forget what has not been sent."""
        self.at_once.clear()
        self.outbox.clear()
        self.size = 0


def to_json(message: Any) -> str:
    """Return *message* as it is sent; half characters in it are escaped."""
    return escape_surrogates(json.dumps(message, ensure_ascii=False, separators=(",", ":")))
