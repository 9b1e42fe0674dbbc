"""The people in a room: their names, keys and numbers, and what they have done."""

import hashlib
import secrets
from dataclasses import dataclass, field
from hmac import compare_digest

TRIES = 5
"""Wrong numbers after which a name can be had on another device only by the teacher's word."""
REMEMBERED = 64
"""Numbers of messages that are remembered, for a client that sends one again."""


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

    person_id: int
    name: str
    key: str  # its hash
    number: str  # four digits; the teacher can tell it to a person who has forgotten it
    approved: bool | None = None
    """Whether others may see the name; ``None`` until the teacher has decided."""
    wish: str = ""
    """The name that the person would like, after the deal; the teacher has to agree."""
    declined: str = ""
    """The last such name to which the teacher did not agree."""
    listed_as: str = ""
    """The entry of the class list that the teacher has said this person to be."""
    tries: int = 0  # wrong numbers since the teacher's word
    left: bool = False
    done: list[int] = field(default_factory=list)
    """Numbers of the person's messages that have been carried out, the newest of them last."""
    forgotten: int = -1
    """The highest number of those that are remembered no more."""

    def has_key(self, key: str) -> bool:
        """Return whether *key* is this person's, in constant time."""
        return compare_digest(self.key, hash_key(key))

    def has_number(self, number: str) -> bool:
        """Return whether *number* is this person's; after :data:`TRIES` wrong ones none is."""
        if self.tries >= TRIES:
            return False
        same = compare_digest(self.number.encode(), number.encode("utf-8", "surrogatepass"))
        self.tries = 0 if same else self.tries + 1
        return same

    def has_done(self, n: int) -> bool:
        """Return whether the message *n* has been carried out, or is too old to be remembered."""
        return n in self.done or n <= self.forgotten

    def note_done(self, n: int) -> None:
        """Note that the message *n* has been carried out."""
        self.done.append(n)
        while len(self.done) > REMEMBERED:
            self.forgotten = min(self.done)
            self.done.remove(self.forgotten)
