"""Messages that no page sends: of every type, with parts of any kind."""

import json
from random import Random
from typing import Any

from classroom import Classroom, class_of, known, replayed, sent, short

from coursekit.core.page_messages import Message, MessageError
from coursekit.room.incoming_messages import COUNTED, decode
from coursekit.room.page import Page
from coursekit.room.phone_messages import PhoneMessages
from coursekit.words.texts import LANGUAGES

LEAVES = [
    None,
    True,
    False,
    0,
    1,
    -1,
    2,
    59,
    2**31,
    10**40,
    0.0,
    1.5,
    float("nan"),
    float("inf"),
    "",
    "room-1",
    "room-2",
    "ABCD",
    "en",
    "zh-Hant",
    "write",
    "stop",
    "wiki",
    "discard wiki",
    "yes",
    "no",
    "next",
    "\u202e",
    "𝒳",
    "\ud800",
    "字" * 99,
    [],
    {},
    [[]],
    ["write", 1, "tree"],
    ["loop", [[0, 0], [1, 1]]],
    ["challenge", 1],
    [[1e308, -1e308]] * 3,
]
"""What a part can be."""
EVENTS = {"join": ("join",), "rename": ("rename", "wish")}
"""What messages of these types may bring about; others may no such thing."""
PARTS = (
    "n table match branch acted seat action about from choice question text name number code key language touched type "
    "game changes label at start end phrase"
).split()


def thing(rng: Random, depth: int = 3) -> Any:
    """Return anything that JSON can say."""
    kind = rng.randrange(8)
    if depth and kind == 0:
        return [thing(rng, depth - 1) for _ in range(rng.randrange(4))]
    if depth and kind == 1:
        return {rng.choice(PARTS): thing(rng, depth - 1) for _ in range(rng.randrange(3))}
    if kind == 2:
        return rng.randrange(-3, 70)
    if kind == 3:
        return "".join(
            chr(
                rng.choice(
                    [rng.randrange(32, 127), rng.randrange(0x3000, 0x9FFF), rng.randrange(160)]
                )
            )
            for _ in range(rng.randrange(9))
        )
    return rng.choice(LEAVES)


def message(rng: Random) -> dict[str, Any]:
    """Return a message that is nearly right, or not at all."""
    right = {
        "type": rng.choice([*PhoneMessages.messages.handlers, "act", "act", "try", "suggest"]),
        "n": rng.randrange(10**6),
        "table": 1,
        "match": "room-1",
        "branch": 0,
        "acted": rng.randrange(3),
        "seat": rng.randrange(-1, 4),
        "action": thing(rng),
        "name": "someone",
        "number": "0000",
        "code": "ABCD",
        "language": "en",
        "choice": "1",
        "question": 0,
        "text": "so",
        "game": "wizard",
        "changes": {rng.choice(["", "c1", "r1"]): thing(rng)},
    }
    if rng.random() < 0.5:
        right["changes"] = {"c1": {"label": "so", "at": [1, rng.randrange(99)]}}
    for _ in range(rng.choice([0, 0, 1, 2])):
        right[rng.choice(PARTS)] = thing(rng)
    if rng.random() < 0.1:
        right.pop(rng.choice(PARTS), None)
    return right


def read(words: str | bytes) -> Message:
    """Return what a phone has sent, as a room reads it."""
    return PhoneMessages.messages.read(decode(words))


def readable(message: Any, language: str) -> Message | None:
    """Return *message* as a room reads it, ``None`` if it is refused, which is told in *language*."""
    try:
        return read(json.dumps(message))
    except MessageError as error:
        if not error.sentence(language):
            raise
    return None


class Target:
    """A class that is sent such messages: by somebody at a table, by a watcher, and by a stranger."""

    def __init__(self, game: str) -> None:
        players = {"wizard": 3, "wikipedia": 2, "blockade": 4, "knitwit": 2}[game]
        seats: list[list[int | str]] = [[*range(1, players + 1)], [*range(11, players + 11)]]
        self.classroom: Classroom = class_of(seats, short(game, players))
        self.watcher = self.classroom.joined("Watcher")
        self.watcher.send("watch", table=1)
        self.classroom.order("ask", own=True, words="Why?")
        self.sent = self.refused = self.done = 0

    def send(self, message: dict[str, Any], who: int) -> None:
        """Send *message*, and see that nothing happens but what may."""
        room, events = self.classroom.room, self.classroom.room.pending
        page = [
            self.classroom.phones[0].page,
            self.watcher.page,
            Page("phone", LANGUAGES[self.sent % 3]),
        ][who]
        if who == 2:
            room.connect(page)
        before = len(events)
        self.sent += 1
        found = readable(message, page.language)
        if found is not None:
            PhoneMessages(room).receive(page, json.dumps(message))
            told = [each for each in page.out if each["type"] in ("refused", "done")]
            sent(page.out[-1] if page.out else {})
            assert len(told) == (COUNTED in found.handler.flags) or [
                each["type"] for each in told
            ] == ["refused"], page.out
            if [each["type"] for each in told] == ["refused"]:
                self.refused += 1
                assert told[0]["text"]
                assert len(events) == before
            allowed = EVENTS.get(found.kind, ("act", "guess", "answer", "key", "map"))
            assert [each["e"] in allowed for each in events[before:]] in ([], [True])
            assert not any(each.get("table") == 2 for each in events[before:])
            page.out.clear()
        if who == 2:
            room.leave(page)

    def check(self) -> None:
        """See that all that has happened is in the events, and the table beside has not moved."""
        classroom = self.classroom
        classroom.collect()
        assert known(replayed(classroom)) == known(classroom.lesson)
        assert classroom.lesson.tables[2].run.match.log == []
        assert not classroom.phones[0].page.closed
        assert not self.watcher.page.closed
