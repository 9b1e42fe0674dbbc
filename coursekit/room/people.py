"""Who is in a room."""

import hashlib
import secrets
from dataclasses import dataclass, field
from hmac import compare_digest
from typing import Any

TRIES = 5
"""Wrong numbers after which a name can be had on another device only by the teacher's word."""
ANSWERED = 64
"""Answers kept for a client that asks again."""


def new_key() -> str:
    """Return a key that lets a phone come back: 128 random bits."""
    return secrets.token_urlsafe(16)


def new_number() -> str:
    """Return four digits, by which a person comes back on another device."""
    return f"{secrets.randbelow(10_000):04}"


def hash_key(key: str) -> str:
    """Return what the lesson's file keeps of a key."""
    return hashlib.sha256(key.encode()).hexdigest()


@dataclass
class Person:
    """Somebody who has joined."""

    id: int
    name: str
    key: str  # hashed
    number: str  # four digits; the teacher can tell it to a person who has forgotten it
    approved: bool  # whether a projector may show the name
    pseudonym: str = ""
    tries: int = 0  # wrong numbers since the teacher's word
    left: bool = False
    done: dict[int, Any] = field(default_factory=dict)
    """What was answered to the person's numbered messages, for a client that asks again."""
    forgotten: int = -1
    """The highest number of those that are remembered no more."""

    def holds(self, key: str) -> bool:
        """Return whether *key* is this person's, in constant time."""
        return compare_digest(self.key, hash_key(key))

    def fits(self, number: str) -> bool:
        """Return whether *number* is this person's; after :data:`TRIES` wrong ones none fits."""
        if self.tries >= TRIES:
            return False
        same = compare_digest(self.number.encode(), number.encode("utf-8", "surrogatepass"))
        self.tries = 0 if same else self.tries + 1
        return same

    def answered(self, n: int) -> bool:
        """Return whether the message *n* has been carried out, or is older than those that are
        remembered.
        """
        return n in self.done or n <= self.forgotten

    def note(self, n: int) -> None:
        """Note that the message *n* has been carried out."""
        self.done[n] = True
        while len(self.done) > ANSWERED:
            self.forgotten = min(self.done)
            del self.done[self.forgotten]
