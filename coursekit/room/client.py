"""A client of a room: a seat at a live table for a strategy, for tests, or to play in a terminal.

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
from contextlib import asynccontextmanager
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
        folder, _, self.code = parts.path.rstrip("/").rpartition(
            "/"
        )  # a proxy may put rooms into folders
        self._origin = f"{parts.scheme}://{parts.netloc}"
        self._url = f"{self._origin.replace('http', 'ws', 1)}{folder}/socket"
        self.language = language
        self.key = key
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
        secret = {"key": self.key} if self.key else {}
        await self.send(type="hello", code=self.code, language=self.language, **secret)

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
                self.name = message["name"]
                self.number = message["number"]
                self.n = max(self.n, message["n"])
                self.key = message.get("key", self.key)
            elif kind == "closed":
                raise ClosedError(message["text"])
            yield message

    def _is_own(self, view: dict[str, Any]) -> bool:
        """Return whether *view* is of this person's seat, or of the table that is watched."""
        place = self.room.get("place") or {"table": self.room.get("watching"), "seat": None}
        table, seat = place["table"], place["seat"]
        return (view["match"], view["viewer"]) == (f"room-{table}", seat)

    async def act(self, action: Any, seat: int | None = None) -> int:
        """Send a decision; return its number, under which it will be answered."""
        assert self.view is not None
        view = self.view
        self.n += 1
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

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[None]:
        """Be connected, and give signs of life.

        :raises OSError: if nobody answers at the address.
        """
        await self.open()
        signs = asyncio.create_task(self._give_signs())
        try:
            yield
        finally:
            signs.cancel()
            await self.close()

    async def _give_signs(self) -> None:
        while True:
            await asyncio.sleep(SIGN)
            await self.send(type="ping")

    @property
    def is_over(self) -> bool:
        """Whether the table of this person has ended."""
        return bool((self.room.get("place") or {}).get("over"))

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
        for item in part:
            yield from _choices(item, viewer)
    elif isinstance(part, dict):
        seat = part.get("seat", viewer)
        is_legal = "action" in part and part.get("legal")
        if is_legal and not part.get("held") and seat in (viewer, TABLE):  # held: time presses it
            yield part.get("label", str(part["action"])), seat, part["action"]
        for item in part.values():
            yield from _choices(item, viewer)


def read_observation(message: dict[str, Any]) -> tuple[Game[Any, Any, Any], Any]:
    """Return the game and the observation in an ``observation`` of the room."""
    kind = kit_of(message["game"]).rules
    game = kind(message["players"], kind.options_from(message["options"]))
    return game, unpack_observation(game, message)


async def play(address: str, strategy: type[Strategy], name: str) -> dict[str, Any]:
    """Let a strategy take part in a room until its table has ended; return the last view.

    :raises ClosedError: if it is removed, or the room closes.
    :raises StrategyError: if it raises, or takes too long to decide.
    :raises ValueError: if it cannot join; the sentence says why.
    """
    client = RoomClient(address)
    player = None
    async with client.connected():
        async for message in client.messages():
            if client.is_over:
                break
            if message["type"] == "propose":
                await client.send(type="join", name=name)
            elif message["type"] == "refused" and not client.key:
                raise ValueError(message["text"])
            elif message["type"] == "view":
                await client.send(type="observe")
            elif message["type"] == "observation":
                game, observation = read_observation(message)
                if player is None or player.game.name != game.name:
                    player = make_player(strategy, observation.seat, game, new_seed())
                await _decide(client, player, observation)
    return client.view or {}


async def _decide(client: RoomClient, player: Strategy, observation: Any) -> None:
    """Send what *player* decides, or agree to what is nobody's decision."""
    seat = observation.seat
    is_asked = seat in observation.waiting
    action = ask_strategy(player, seat, observation) if is_asked else None
    if action is not None:
        await client.act(action)
        return
    if TABLE in observation.waiting:
        for _, actor, table_action in choices(client.view or {}):
            if actor == TABLE:
                await client.act(table_action, TABLE)
                return
    if is_asked:
        await asyncio.sleep(MOMENT)
        await client.send(type="observe")


def join(address: str, strategy: type[Strategy], name: str) -> dict[str, Any]:
    """Do as :func:`play`, and wait until the table has ended."""
    return asyncio.run(play(address, strategy, name))


async def read_aloud(
    address: str, name: str, ask: Callable[[str], str] = input, language: str = "en"
) -> None:
    """Play in a terminal: what happens is printed, and what can be done has numbers."""
    client = RoomClient(address, language)
    printed = 0
    told = list[str]()
    async with client.connected():
        async for message in client.messages():
            if client.is_over:
                break
            if message["type"] == "propose":
                await client.send(type="join", name=name or message["name"])
            elif message["type"] == "refused":
                print(message["text"])
            elif message["type"] == "room":
                told = _print_new(message, told)
            elif message["type"] == "stand_in":
                for line in message["did"]:
                    print(line)
            elif message["type"] == "view":
                story = message["view"]["story"]
                for line in story[min(printed, len(story)) :]:
                    print(line)
                printed = len(story)
                await _choose(client, message["view"], ask)


def _print_new(room: dict[str, Any], told: list[str]) -> list[str]:
    """Print why the table stands still and what the teacher has changed, unless that was *told*."""
    parts = [room.get("still"), room.get("news")]
    words = [part["words"] for part in parts if part]
    for sentence in words:
        if sentence not in told:
            print(sentence)
    return words


async def _choose(client: RoomClient, view: dict[str, Any], ask: Callable[[str], str]) -> None:
    """Print what can be done in *view*, and send what is typed."""
    scene = view["scenes"][-1]
    print(scene["prompt"])
    offered = choices(view)
    if not offered or not scene["turn"]:
        return
    for number, (label, _, _) in enumerate(offered, 1):
        print(f"{number}. {label}")
    typed = await asyncio.get_running_loop().run_in_executor(None, ask, "> ")
    if typed.strip().isdecimal() and 0 < int(typed) <= len(offered):
        _, seat, action = offered[int(typed) - 1]
        await client.act(action, seat)


if __name__ == "__main__":
    asyncio.run(read_aloud(sys.argv[1], " ".join(sys.argv[2:])))
