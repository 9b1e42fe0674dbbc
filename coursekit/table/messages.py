"""What table.js may send to a table, checked before anything is done."""

from typing import Any

from coursekit.table.run import Run, StaleError

HERE = {"match": str, "branch": int}
MESSAGES: dict[str, dict[str, type]] = {
    "hello": {},
    "language": {"language": str},
    "new": {"players": int, "seats": list, "options": dict, "seed": str},
    "first": {"on": bool},
    "load": {"text": str},
    "resume": {"id": str},
    "dismiss": {},
    "noted": {},
    "look": {},
    "share": {},
    "take": HERE,
    "act": HERE | {"acted": int, "seat": int},
    "more": HERE | {"events": int},
    "tick": {},
    "try": HERE | {"seat": int, "n": int},
    "suggest": HERE | {"seat": int, "n": int},
    "uncover": HERE | {"seat": int},
    "cover": HERE,
    "step": HERE | {"entry": int},
    "now": HERE,
    "weigh": HERE | {"entry": int},
    "fork": HERE | {"entry": int},
    "replace": HERE | {"seat": int, "by": str},
    "save": HERE,
}
"""The parts of each message and their types; ``HERE`` names the moment it was sent at."""
GOES_ON = ("act", "new", "first", "load", "resume", "dismiss", "fork", "replace")
"""Messages by which the match goes on, so that what was told before is no news any more."""
CHANGES = ("act", "more", "tick", "replace")
"""The messages that go on with a match; while another page has it, nothing is done."""
LARGEST = 12_000
"""How large something to do may be, see :func:`is_small`: a stroke of 500 points is just below
10,000.
"""
LONGEST_SENDER = 60
"""Characters by which a view may call itself and what it asks."""


def kind_of(content: Any) -> str | None:
    """Return which of :data:`MESSAGES` *content* is, ``None`` for what is none of them."""
    kind = content.get("type") if isinstance(content, dict) else None
    return kind if isinstance(kind, str) and kind in MESSAGES else None


def check(content: dict[str, Any], run: Run) -> None:
    """Raise :class:`.StaleError` unless the message *content* has all its parts and was sent from *run*
    as it is.
    """
    parts = MESSAGES[content["type"]]
    if not all(type(content.get(part)) is kind for part, kind in parts.items()):
        raise StaleError("table.stale")
    if not is_small([content.get(part) for part in ("action", "about", "n")]):
        raise StaleError("table.too_long")
    if "match" in parts and (content["match"], content["branch"]) != (run.id, run.branch):
        raise StaleError("table.stale")


def is_small(thing: Any) -> bool:
    """Return whether *thing* is as small as what a hand does: all it holds, in letters and binary
    digits.
    """
    size, left = 0, [thing]
    while left and size <= LARGEST:
        each = left.pop()
        size += (
            len(each) + 1
            if isinstance(each, (str, list, dict))
            else each.bit_length()
            if type(each) is int
            else 1
        )
        left += each.values() if isinstance(each, dict) else each if isinstance(each, list) else ()
    return size <= LARGEST


def to_sender(content: dict[str, Any]) -> dict[str, str]:
    """Return the part of an answer that names the view that has sent *content*: all views of a
    table hear all.
    """
    sender = content.get("from")
    return {"to": sender} if isinstance(sender, str) and len(sender) <= LONGEST_SENDER else {}
