"""Limits of a room: how much its pages may send and how many may come."""

LARGEST = 16_000
"""Maximum bytes of a message."""
RATE = 20
"""Maximum messages of a connection in a second."""
BYTES = 60_000
"""Maximum bytes of a connection in a second."""
CONNECTIONS = 400
"""Maximum connections of phones at a time."""
PER_PERSON = 4
"""Maximum connections of one person."""
CAPACITY = 200
"""Maximum people in one room; :data:`.seating.MOST` of them are seated by one click."""
LONGEST_ANSWER = 4000
"""Maximum characters of an answer."""
LONGEST_COUNT = 2**31
"""Every number by which a page counts its messages is below this one."""
AWAY = 8.0
"""Seconds without a sign after which a person counts as away; phones send one every two seconds."""


class Pace:
    """How much a connection may still send: :data:`RATE` messages and :data:`BYTES` a second.

    A second's worth may come at once.
    """

    def __init__(self) -> None:
        self._messages = float(RATE)
        self._bytes = float(BYTES)
        self._since = 0.0

    def take(self, size: int, now: float) -> bool:
        """Note a message of *size* bytes at *now*, in seconds; return whether that is allowed."""
        passed = max(0.0, now - self._since)
        self._since = now
        self._messages = min(float(RATE), self._messages + passed * RATE) - 1
        self._bytes = min(float(BYTES), self._bytes + passed * BYTES) - size
        return self._messages >= 0 and self._bytes >= 0
