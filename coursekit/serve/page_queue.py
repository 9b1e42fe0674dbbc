"""The line of pages that want to open: a few open at a time, the others see their place."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

ABSENT = 10.0
"""Seconds after which a page that has stopped asking has left the line; it asks every second."""


class Line:
    """Pages in the order in which they came, each known by a ticket that it made up itself.

    Thirty pages that open at once all wait for the last one, and their browser, which makes six
    connections to a server, has none left for the scripts of those that are ready.

    :param places: how many pages open at a time.
    """

    def __init__(self, places: int) -> None:
        self.places = places
        self._opening = 0
        self._waiting: dict[str, float] = {}
        self._last = 0.0  # when a page has opened

    def before(self, ticket: str) -> int:
        """Return how many other pages wait, and came before *ticket*."""
        now = time.monotonic()
        for waiting, time_asked in list(self._waiting.items()):
            if now - time_asked >= ABSENT and waiting != ticket:
                del self._waiting[waiting]
        tickets = list(self._waiting)
        return tickets.index(ticket) if ticket in tickets else len(tickets)

    def ahead(self, ticket: str) -> int:
        """Return how many pages have to be ready before *ticket* may open; it stays in the line."""
        before = self.before(ticket)
        self._waiting[ticket] = time.monotonic()
        return max(0, self._opening + before + 1 - self.places)

    def quiet(self, seconds: float = 0) -> bool:
        """Return whether no page opens or waits, and none has for *seconds*."""
        if self._opening or self.before(""):
            return False
        return time.monotonic() - self._last >= seconds

    @contextmanager
    def turn(self, ticket: str) -> Iterator[None]:
        """Open the page with *ticket*, which leaves the line."""
        self._waiting.pop(ticket, None)
        self._opening += 1
        try:
            yield
        finally:
            self._opening -= 1
            self._last = time.monotonic()
