"""A seat at a live table from Python: for a strategy of one's own, for tests, and to play in a
terminal.

A strategy joins a room as a person does, and plays at whichever table it is seated::

    from coursekit.room.client import join
    join("http://192.168.1.20:8870/ABCD", Mine, name="Robot")

``python -m coursekit.room.client ADDRESS`` asks for a name and plays in text: a screen reader reads
it well. ``docs/extend/room-protocol.md`` tells what goes over the wire.
"""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect

from coursekit.core.chance import new_seed
from coursekit.core.game import TABLE, Game
from coursekit.core.observation_json import unpack_observation
from coursekit.core.strategy import Strategy, ask_strategy, make_player
from coursekit.kit import kit_of

SIGN = 2.0
"""Seconds between two signs of life."""
MOMENT = 1.0
"""Seconds until a strategy that had nothing to do is asked again."""


class ClosedError(ConnectionError):
    """The room has ended this connection; the sentence says why."""


class RoomClient:
    """One person in a room.

    :param address: what the projector shows, with the code: ``http://192.168.1.20:8870/ABCD``.
    :param key: of a person who has joined before.
    """

    def __init__(self, address: str, language: str = "en", key: str = "") -> None:
        parts = urlsplit(address)
        below, _, self.code = parts.path.strip("/").rpartition(
            "/"
        )  # behind a proxy a room may have a path
        self._url = "/".join(
            filter(
                None, [f"{parts.scheme.replace('http', 'ws')}://{parts.netloc}", below, "socket"]
            )
        )
        self._origin = f"{parts.scheme}://{parts.netloc}"
        self.language, self.key = language, key
        self.number = self.name = ""
        self.n = 0
        self.room: dict[str, Any] = {}
        """What the room has told last of itself, without the table."""
        self.view: dict[str, Any] | None = None
        """What the table looks like from this seat."""
        self.table = 0
        self._socket: ClientConnection | None = None

    async def open(self) -> None:
        """Connect, and say which room is meant.

        :raises OSError: if nobody answers at the address.
        """
        self._socket = await connect(self._url, origin=self._origin)  # type: ignore[arg-type]
        await self.send(
            type="hello",
            code=self.code,
            language=self.language,
            **({"key": self.key} if self.key else {}),
        )

    async def send(self, **message: Any) -> None:
        """Send a message as it is."""
        assert self._socket is not None
        await self._socket.send(json.dumps(message))

    async def messages(self) -> AsyncIterator[dict[str, Any]]:
        """Yield what the room says, and take over what it tells; a view of another seat is refused.

        :raises ClosedError: when the room ends the connection and says why.
        """
        assert self._socket is not None
        async for words in self._socket:
            message = json.loads(words)
            kind = message["type"]
            if kind == "room":
                self.room = message
            elif kind == "view" and not self._is_own(message["view"]):
                await self.send(type="again")
                continue
            elif kind == "view":
                self.view = message["view"]
            elif kind == "table":
                self.table = message["table"]
            elif kind == "welcome":
                self.name, self.number, self.n = (
                    message["name"],
                    message["number"],
                    max(self.n, message["n"]),
                )
                self.key = message.get("key", self.key)
            elif kind == "closed":
                raise ClosedError(message["text"])
            yield message

    def _is_own(self, view: dict[str, Any]) -> bool:
        """Return whether *view* is of this person's seat, or without a seat of the table that is
        watched.
        """
        place, watching = self.room.get("place"), self.room.get("watching")
        table, seat = (place["table"], place["seat"]) if place else (watching, None)
        return (view["match"], view["viewer"]) == (f"room-{table}", seat)

    async def act(self, action: Any, seat: int | None = None) -> int:
        """Send a decision; return its number, under which it will be answered."""
        assert self.view is not None
        view, self.n = self.view, self.n + 1
        await self.send(
            type="act",
            n=self.n,
            table=self.table,
            match=view["match"],
            branch=view["branch"],
            acted=view["acted"],
            seat=view["viewer"] if seat is None else seat,
            action=action,
        )
        return self.n

    async def sign(self) -> None:
        """Give signs of life until cancelled."""
        while True:
            await asyncio.sleep(SIGN)
            await self.send(type="ping")

    async def close(self) -> None:
        """End the connection."""
        if self._socket is not None:
            await self._socket.close()


def choices(view: dict[str, Any]) -> list[tuple[str, int, Any]]:
    """Return what the viewer may do now: a label, the seat it is for, and the action.

    What is typed or drawn by hand is not listed.
    """
    return list(_choices(view["scenes"][-1]["zones"], view["viewer"])) if view else []


def _choices(part: Any, viewer: int) -> Iterator[tuple[str, int, Any]]:
    if isinstance(part, list):
        for each in part:
            yield from _choices(each, viewer)
    elif isinstance(part, dict):
        pressed = (
            "action" in part and part.get("legal") and not part.get("held")
        )  # else time alone presses it
        if pressed and part.get("seat", viewer) in (viewer, TABLE):
            yield part.get("label", str(part["action"])), part.get("seat", viewer), part["action"]
        for each in part.values():
            yield from _choices(each, viewer)


def read_observation(message: dict[str, Any]) -> tuple[Game[Any, Any, Any], Any]:
    """Return the game and the observation in an ``observation`` of the room."""
    kind = kit_of(message["game"]).rules
    game = kind(message["players"], kind.options_from(message["options"]))
    return game, unpack_observation(game, message)


def _of_the_table(view: dict[str, Any] | None) -> list[Any]:
    """Return what is nobody's decision, and all who sit there can agree on."""
    return [action for _, seat, action in choices(view or {}) if seat == TABLE]


async def play(address: str, kind: type[Strategy], name: str) -> dict[str, Any]:
    """Let a strategy take part in a room until its table has ended; return the last view.

    :raises ClosedError: if it is removed, or the room closes.
    :raises StrategyError: if it raises, or takes too long to decide.
    :raises ValueError: if it cannot join; the sentence says why.
    """
    client, player = RoomClient(address), None
    await client.open()
    signs = asyncio.create_task(client.sign())
    try:
        async for message in client.messages():
            if message["type"] == "propose":
                await client.send(type="join", name=name)
            elif message["type"] == "refused" and not client.key:
                raise ValueError(message["text"])
            elif message["type"] == "view":
                if (client.room.get("place") or {}).get("over"):
                    break
                await client.send(type="observe")
            elif message["type"] == "observation":
                game, seen = read_observation(message)
                if player is None or player.game.name != game.name:
                    player = make_player(kind, seen.seat, game, new_seed())
                action = (
                    ask_strategy(player, seen.seat, seen) if seen.seat in seen.waiting else None
                )
                if action is not None:
                    await client.act(action)
                elif TABLE in seen.waiting and (going_on := _of_the_table(client.view)):
                    await client.act(going_on[0], TABLE)
                elif seen.seat in seen.waiting:
                    await asyncio.sleep(MOMENT)
                    await client.send(type="observe")
            elif message["type"] == "room" and (message.get("place") or {}).get("over"):
                break
    finally:
        signs.cancel()
        await client.close()
    return client.view or {}


def join(address: str, kind: type[Strategy], name: str) -> dict[str, Any]:
    """Do as :func:`play`, and wait until the table has ended."""
    return asyncio.run(play(address, kind, name))


async def read_aloud(
    address: str, name: str, ask: Callable[[str], str] = input, language: str = "en"
) -> None:
    """Play in a terminal: what happens is printed, and what can be done has numbers."""
    client, told = RoomClient(address, language), 0
    await client.open()
    signs = asyncio.create_task(client.sign())
    loop = asyncio.get_running_loop()
    try:
        async for message in client.messages():
            if message["type"] == "propose":
                await client.send(type="join", name=name or message["name"])
            elif message["type"] in ("refused", "closed"):
                print(message["text"])
            elif message["type"] == "view":
                view = message["view"]
                told = min(told, len(view["story"]))
                for line in view["story"][told:]:
                    print(line)
                told = len(view["story"])
                scene = view["scenes"][-1]
                print(scene["prompt"])
                offered = choices(view)
                if not offered or not scene["turn"]:
                    continue
                for number, (label, _, _) in enumerate(offered, 1):
                    print(f"{number}. {label}")
                typed = await loop.run_in_executor(None, ask, "> ")
                if typed.strip().isdecimal() and 0 < int(typed) <= len(offered):
                    _, seat, action = offered[int(typed) - 1]
                    await client.act(action, seat)
            if (client.room.get("place") or {}).get("over"):
                return
    finally:
        signs.cancel()
        await client.close()


if __name__ == "__main__":
    asyncio.run(read_aloud(sys.argv[1], " ".join(sys.argv[2:])))
