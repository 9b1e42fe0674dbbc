"""What a phone may send to a room, checked before anything is done;
``docs/extend/room-protocol.md`` tells the same.

One WebSocket a page carries JSON objects, each with a ``type``.
"""

import json
from typing import Any

from coursekit.core.dialogue import LARGEST_PART, size_of
from coursekit.core.errors import LocalizedError

LARGEST = 16_000
"""Bytes of a message."""
RATE, BYTES = 20, 60_000
"""Messages and bytes that a connection may send in a second."""
CONNECTIONS, PER_PERSON = 400, 4
"""Connections at a time: in all, and of one person."""
AWAY = 8.0
"""Seconds without a sign after which a person counts as away; phones send one every two seconds."""
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
"""A code is four of them: no I and no O, which look like digits."""
LONGEST_ANSWER = 4000
LONGEST_COUNT = 2**31

MOMENT = {"table": int, "match": str, "branch": int}
MESSAGES: dict[str, dict[str, type]] = {
    "hello": {"code": str},
    "join": {"name": str},
    "take": {"name": str, "number": str},
    "language": {"language": str},
    "act": MOMENT | {"n": int, "acted": int, "seat": int},
    "try": MOMENT | {"seat": int, "n": int},
    "suggest": MOMENT | {"seat": int, "n": int},
    "step": {"entry": int},
    "now": {},
    "guess": {"n": int, "table": int, "choice": str},
    "answer": {"n": int, "question": int, "text": str},
    "entry": {"n": int, "source": str},
    "watch": {"table": int},
    "observe": {},
    "again": {},
    "mine": {},
    "ping": {},
}
"""The parts of each message that must be there, and their types."""
COUNTED = ("act", "guess", "answer", "entry")
"""Messages that are kept and answered once; ``n`` is the client's own counter."""


class RoomError(LocalizedError, ValueError):
    """What was sent cannot be done; the sentence says why."""

    def __init__(self, text: str, **values: Any) -> None:
        super().__init__("", text, **values)


def read(words: str | bytes) -> dict[str, Any]:
    """Return the message in *words*.

    :raises RoomError: if it is none of :data:`MESSAGES`, or too long.
    """
    size = len(words if isinstance(words, bytes) else words.encode("utf-8", "surrogatepass"))
    if size > LARGEST:
        raise RoomError("room.too_long", got=size, allowed=LARGEST)
    try:
        message = json.loads(words)
    except (ValueError, RecursionError):
        raise RoomError("room.no_message") from None
    kind = message.get("type") if isinstance(message, dict) else None
    if not isinstance(kind, str) or kind not in MESSAGES:
        raise RoomError("room.no_message")
    parts = MESSAGES[kind]
    if not all(type(message.get(part)) is wanted for part, wanted in parts.items()):
        raise RoomError("room.no_message")
    if size_of([message.get(part) for part in ("action", "about", "from")]) > LARGEST_PART:
        raise RoomError("message.too_long")
    if not 0 <= message.get("n", 0) < LONGEST_COUNT if type(message.get("n", 0)) is int else True:
        raise RoomError("room.no_message")
    if not is_text(message):
        raise RoomError("room.no_message")
    found: dict[str, Any] = message
    return found


def message_number(words: str | bytes) -> int | None:
    """Return the number of a message that :func:`read` refuses, so that its sender can give it up."""
    try:
        n = json.loads(words)["n"]
    except (ValueError, LookupError, TypeError, RecursionError):
        return None
    return n if type(n) is int else None


def is_text(message: Any) -> bool:
    """Return whether what *message* says can be written: a lone surrogate can be read, but not
    written.
    """
    try:
        json.dumps(message, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return False
    return True


class Pace:
    """How much a connection may still send: :data:`RATE` messages and :data:`BYTES` a second.

    A second's worth may come at once.
    """

    def __init__(self) -> None:
        self._messages, self._bytes, self._since = float(RATE), float(BYTES), 0.0

    def take(self, size: int, now: float) -> bool:
        """Note a message of *size* bytes at *now*, in seconds; return whether it was not too much."""
        past, self._since = max(0.0, now - self._since), now
        self._messages = min(float(RATE), self._messages + past * RATE) - 1
        self._bytes = min(float(BYTES), self._bytes + past * BYTES) - size
        return self._messages >= 0 and self._bytes >= 0
