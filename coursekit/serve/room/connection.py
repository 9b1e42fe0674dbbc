"""A page and the way to it."""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

from coursekit.room.page import Page
from coursekit.room.phone_messages import Pace

Send = Callable[[str], Awaitable[Any] | None]
"""Sends one message to a page; if it returns something to be awaited, the next message waits for
it.
"""


class Connection:
    """A page and the way to it. What it is sent leaves in order, each message once what it tells of
    is kept.

    :param send: sends words to the page.
    :param close: ends the connection.
    """

    def __init__(self, page: Page, send: Send, close: Callable[[], None]) -> None:
        self.page, self.send, self.close = page, send, close
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
    def busy(self) -> bool:
        """Whether something is still to be sent."""
        return bool(self.at_once or self.outbox)

    def waits(self, kept: int) -> bool:
        """Return whether something could be sent or is on its way, *kept* events being in the file."""
        return (
            self.sending or bool(self.at_once) or (bool(self.outbox) and self.outbox[0][0] <= kept)
        )

    def put(self, number: int, *messages: str) -> None:
        """Have *messages* sent once the first *number* events are in the file; 0 for at once."""
        if number:
            self.outbox += [(number, words) for words in messages]
        else:
            self.at_once += messages
        self.size += sum(map(len, messages))
        self.news.set()

    def take(self, kept: int) -> str | None:
        """Return what can be sent next, *kept* events being in the file; ``None`` if nothing can."""
        if self.at_once:
            words = self.at_once.popleft()
        elif self.outbox and self.outbox[0][0] <= kept:
            _, words = self.outbox.popleft()
        else:
            return None
        self.size -= len(words)
        return words

    def clear(self) -> None:
        """Forget what has not been sent."""
        self.at_once.clear()
        self.outbox.clear()
        self.size = 0
