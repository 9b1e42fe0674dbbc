"""A whole class over the wire: a server, its console, and pupils of our own that share no code with
what they test.

Pupils keep what they are sent. Afterwards :class:`Judge` plays the lesson's file again, by the
rules alone, and compares: is each view the page's own, does it show its hand, does a byte of it
tell another's?
"""

import asyncio
import json
import os
import re
import signal
import socket
import sqlite3
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import psutil
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from coursekit.core.match import Match
from coursekit.kit import kit_of
from coursekit.room.page import Page
from coursekit.room.teacher_commands import TeacherCommands
from coursekit.serve.room.host import RoomHost

TABLE = -1
LATEST = 90.0  # forty browsers on a machine that does something else as well
"""Seconds after which something that was waited for has failed to come."""
SIGN = 2.0
"""Seconds between two signs of life of a page."""
LANGUAGES = ("zh-Hant", "en", "zh-Hans")
CANARY = re.compile(r"ζ(\d+)q\d+")
"""What a pupil writes in Knit Wit, and in maps: nothing else has these letters."""


async def until(condition: Callable[[], Any], what: str, patience: float = 1) -> Any:
    """Wait until *condition* holds; return what it returns."""
    end = time.monotonic() + LATEST * patience
    while not (found := condition()):
        assert time.monotonic() < end, f"waited {LATEST * patience:.0f} s for {what}"
        await asyncio.sleep(0.02)
    return found


def order(host: RoomHost, page: Page, content: Any) -> None:
    """Give an order as a console does that has no server."""
    assert host.room is not None
    TeacherCommands(host.room).receive(page, json.dumps(content))
    host.touch()


def free_port() -> int:
    """Return a port that nobody has."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


class Server:
    """``coursekit class`` in a process of its own; its lessons are kept in a folder that is deleted
    afterwards.
    """

    def __init__(self, game: str = "wizard", files: int = 0) -> None:
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.folder, self.game, self.files = Path(self._folder.name), game, files
        self.port = free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        self.process: psutil.Popen | None = None

    async def start(self, go_on: bool = False) -> float:
        """Start it; return the seconds until it answers."""
        began, said = time.monotonic(), self.folder / "said"
        command = (
            f"-m coursekit class {self.game} --port 0 --no-browser --language en --room 127.0.0.1"
        )
        words = [
            sys.executable,
            *command.split(),
            "--room-port",
            str(self.port),
            *["--go-on"] * go_on,
        ]
        if self.files:
            words = ["bash", "-c", f'ulimit -n {self.files}; exec "$@"', "sh", *words]
        with said.open("w") as out, (self.folder / "log").open("a") as errors:
            self.process = psutil.Popen(
                words,
                stdout=out,
                stderr=errors,
                env=os.environ | {"COURSEKIT_DATA": str(self.folder)},
            )
        address = await until(
            lambda: re.search(r"(http://\S+?)(/\S*)\?key=(\S+)", said.read_text()), "the server"
        )
        self.teacher, path, self.key = address[1], address[2], address[3]
        self.path = path.rpartition("/")[0]
        await until(self._answers, "the room")
        return time.monotonic() - began

    def _answers(self) -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
            return True
        return False

    def kill(self) -> None:
        """Kill it at once, as when a computer loses its power."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        """End it, and delete what it has kept."""
        process = self.process
        if process is not None and process.is_running():
            children = process.children(recursive=True)
            process.send_signal(signal.SIGTERM)
            with suppress(psutil.TimeoutExpired):
                process.wait(10)
            for each in [*children, process]:
                with suppress(psutil.NoSuchProcess):
                    each.kill()
        self._folder.cleanup()

    @property
    def log(self) -> str:
        """What it has written to the terminal."""
        return (self.folder / "log").read_text()

    @property
    def lesson(self) -> Path:
        """The file of the newest lesson."""
        return max(self.folder.glob("lessons/*.lesson"), key=lambda path: path.stat().st_mtime)

    def events(self) -> list[dict[str, Any]]:
        """Return what is in the file."""
        with closing(sqlite3.connect(f"{self.lesson.as_uri()}?mode=ro", uri=True)) as file:
            return [
                json.loads(words)
                for (words,) in file.execute("SELECT event FROM events ORDER BY n")
            ]

    @property
    def code(self) -> str:
        """The four letters of the room."""
        with closing(sqlite3.connect(f"{self.lesson.as_uri()}?mode=ro", uri=True)) as file:
            (words,) = file.execute("SELECT event FROM events WHERE n = 1").fetchone()
        code: str = json.loads(words)["code"]
        return code

    def memory(self) -> float:
        """Return the megabytes of the server and its processes."""
        assert self.process is not None
        return (
            sum(each.memory_info().rss for each in [self.process, *self.process.children(True)])
            / 2**20
        )

    async def console(self, role: str = "console") -> "Console":
        """Open a page of the teacher."""
        address = f"{self.teacher.replace('http', 'ws')}{self.path}/{role}/socket"
        cookie = f"coursekit-{self.teacher.rpartition(':')[2]}={self.key}"
        how: dict[str, Any] = {
            "origin": self.teacher,
            "additional_headers": {"Cookie": cookie},
            "max_size": None,
        }
        console = Console(await connect(address, **how))
        await until(lambda: console.room, "the console")
        return console

    def prepare(
        self, pupils: int, options: Callable[[int], dict[str, Any]], rng: Random
    ) -> list[str]:
        """Write a lesson in which *pupils* sit at tables with any *options*; return their keys."""
        keys = [f"key-{number}-{rng.getrandbits(64):x}" for number in range(pupils)]
        kind, events, tables = kit_of(self.game).rules, [], []
        events.append(
            {"e": "open", "id": "lesson", "code": "ABCD", "game": self.game, "language": "en"}
        )
        for number, key in enumerate(keys):
            digest = sha256(key.encode()).hexdigest()
            events.append(
                {
                    "e": "join",
                    "person": number + 1,
                    "name": f"Pupil {number}",
                    "key": digest,
                    "number": f"{number:04}",
                }
            )
        size = min(count for count in kind.player_counts if count >= 4)
        for first in range(0, pupils, size):
            seats: list[int | str] = [
                number + 1 for number in range(first, min(first + size, pupils))
            ]
            seats += [kit_of(self.game).strategies[0].__name__] * (size - len(seats))
            game = kind(size, kind.options_from(options(len(tables))))
            tables.append(
                {
                    "id": len(tables) + 1,
                    "game": self.game,
                    "players": size,
                    "options": asdict(game.options),
                    "seats": seats,
                    "seed": f"seed-{rng.getrandbits(64):x}",
                }
            )
        events.append({"e": "deal", "tables": tables, "language": "en"})
        self.write(events)
        return keys

    def write(self, events: list[dict[str, Any]]) -> None:
        """Write a lesson's file to go on with."""
        folder = self.folder / "lessons"
        folder.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(folder / "2026-01-01-000000.lesson")) as file:
            file.execute("CREATE TABLE events (n INTEGER PRIMARY KEY, at TEXT, event TEXT)")
            file.execute(f"PRAGMA application_id = {0x636B726D}")
            file.execute("PRAGMA user_version = 1")
            rows = [(json.dumps(event, ensure_ascii=False),) for event in events]
            file.executemany("INSERT INTO events (at, event) VALUES (datetime('now'), ?)", rows)
            file.commit()


class Console:
    """A page of the teacher."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.room: dict[str, Any] = {}
        self.views: list[dict[str, Any]] = []
        """What a projector has shown of tables."""
        self.answers: list[str] = []
        """Sentences in which orders were refused."""
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        with suppress(WebSocketException):
            async for words in self.socket:
                message = json.loads(words)
                if message["type"] == "room":
                    self.room = message
                elif message["type"] == "view":
                    self.views.append(message["view"])
                elif message["type"] == "refused":
                    self.answers.append(message["text"])

    async def order(self, type: str, **parts: Any) -> None:
        """Ask the room for something."""
        await self.socket.send(json.dumps({"type": type, **parts}))

    async def deal(self) -> None:
        """Deal, and wait until the tables are there."""
        before = {table["table"] for table in self.room["tables"]}
        await self.order("deal")
        await until(lambda: {table["table"] for table in self.room["tables"]} - before, "a deal")


class Pupil:
    """A page that joins, plays at random, comes back when its connection is lost, and keeps what it
    was sent.

    :param pace: seconds between two decisions, on average; 0 for one that is never touched.
    """

    def __init__(self, server: Server, number: int, pace: float = 0.5, key: str = "") -> None:
        self.server, self.number, self.pace, self.key = server, number, pace, key
        self.rng = Random(number)
        self.language = LANGUAGES[number % 3]
        self.person: int | None = None
        self.room: dict[str, Any] = {}
        self.view: dict[str, Any] | None = None
        self.sent: list[str] = []
        """Every message, as it came."""
        self.foreign: list[tuple[Any, Any]] = []
        """Views that were not of the seat that the room had named, each with that place."""
        self.acknowledged: dict[int, dict[str, Any]] = {}
        """The decisions that were answered as done, by their numbers."""
        self.drawn: dict[int, dict[str, Any]] = {}
        """The same for changes of one's map."""
        self.refused: Counter[str] = Counter()
        self.waits: list[float] = []
        """Seconds from each decision to its answer."""
        self.heard = time.monotonic()
        """When anything came last."""
        self.silence = 0.0
        """The longest time without an answer to a sign of life, in seconds."""
        self.watches = 0
        self._n = self._written = 0
        self.open: dict[int, tuple[float, dict[str, Any]]] = {}
        """What is not answered yet, by its number: when it was sent first, and the message."""
        self._asked = 0.0
        self._signed: float | None = None
        self._socket: ClientConnection | None = None

    async def run(self) -> None:
        """Take part until cancelled."""
        while True:
            with suppress(OSError, WebSocketException):
                address = f"{self.server.base.replace('http', 'ws')}/socket"
                how: dict[str, Any] = {
                    "origin": self.server.base,
                    "max_size": None,
                    "ping_interval": None,
                }
                async with connect(address, **how) as self._socket:
                    await self._take_part(self._socket)
            self._signed = None
            await asyncio.sleep(self.rng.uniform(0.1, 0.5))

    def drop(self) -> None:
        """Lose the connection without a word."""
        if self._socket is not None:
            self._socket.transport.abort()

    async def send(self, type: str, **parts: Any) -> None:
        """Send a message."""
        if self._socket is not None:
            with suppress(WebSocketException):
                await self._socket.send(json.dumps({"type": type, **parts}))

    async def _take_part(self, socket: ClientConnection) -> None:
        key = {"key": self.key} if self.key else {}
        await self.send("hello", code=self.server.code, language=self.language, **key)
        living = [asyncio.create_task(self._sign()), asyncio.create_task(self._play())]
        try:
            async for words in socket:
                self._hear(str(words))
                if self.person is None and self.sent[-1].startswith('{"type":"propose"'):
                    await self.send("join", name=f"Pupil {self.number}")
                elif self.sent[-1].startswith('{"type":"welcome"'):
                    for _, message in list(self.open.values()):
                        await self.send(**message)
        finally:
            for task in living:
                task.cancel()

    async def _sign(self) -> None:
        while True:
            if self._signed is None:
                self._signed = time.monotonic()
            await self.send("ping", touched=bool(self.pace))
            await asyncio.sleep(SIGN)

    def _hear(self, words: str) -> None:
        self.sent.append(words)
        self.heard = time.monotonic()
        message = json.loads(words)
        kind = message["type"]
        if kind == "pong" and self._signed is not None:
            self.silence = max(self.silence, self.heard - self._signed)
            self._signed = None
        elif kind == "welcome":
            self.person, self._n = message["person"], max(self._n, message["n"])
            self.key = message.get("key", self.key)
        elif kind == "room":
            self.room = message
        elif kind == "view":
            self.view = message["view"]
            self._check_place(message["view"])
        elif kind == "suggested":
            self._asked = 0.0
            if message["action"] is not None and self.view is not None:
                asyncio.get_running_loop().create_task(
                    self.act(message["action"], self.view["viewer"])
                )
        elif kind in ("done", "refused") and message["n"] in self.open:
            began, asked = self.open.pop(message["n"])
            if kind == "done":
                self.waits.append(self.heard - began)
                done = self.drawn if asked["type"] == "map_change" else self.acknowledged
                done[message["n"]] = asked
        if kind == "refused":
            self.refused[message["text"]] += 1

    def _check_place(self, view: dict[str, Any]) -> None:
        place = self.room.get("place")
        own = (
            (f"room-{place['table']}", place["seat"])
            if place
            else (f"room-{self.room.get('watching')}", None)
        )
        if (view["match"], view["viewer"]) != own:
            self.foreign.append(((view["match"], view["viewer"]), own))

    async def act(self, action: Any, seat: int) -> None:
        """Decide."""
        view = self.view
        assert view is not None
        self._n += 1
        message = {
            "type": "act",
            "n": self._n,
            "table": int(view["match"].removeprefix("room-")),
            "seat": seat,
            "action": action,
            **{part: view[part] for part in ("match", "branch", "acted")},
        }
        self.open[self._n] = (time.monotonic(), message)
        await self.send(**message)

    async def _play(self) -> None:
        while True:
            await asyncio.sleep(self.rng.uniform(0.5, 1.5) * (self.pace or 1.0))
            tables = self.room.get("tables", [])
            if (
                self.person is not None
                and tables
                and not self.room["place"]
                and not self.room["watching"]
            ):
                await self.send("watch", table=self.rng.choice(tables)["table"])
            if self.pace and self.person is not None and not self.open and self.rng.random() < 0.2:
                await self._draw()
            if (
                self.pace
                and self.view is not None
                and self.view["viewer"] is not None
                and not self.open
            ):
                await self._decide(self.view)

    async def _draw(self) -> None:
        """Draw two concepts, linked, or others in their place."""
        self._n += 1
        self._written += 1
        words = [f"ζ{self.number}q{self._written}{letter}" for letter in "abc"]
        changes = {
            "c1": {"label": words[0], "note": words[0]},
            "c2": {"label": words[1], "at": [self.rng.randrange(999), 5]},
            "r3": {"start": "c1", "phrase": words[2], "end": "c2"},
        }
        message = {"type": "map_change", "game": self.server.game, "n": self._n, "changes": changes}
        self.open[self._n] = (time.monotonic(), message)
        await self.send(**message)

    async def _decide(self, view: dict[str, Any]) -> None:
        zones = view["scenes"][-1]["zones"]
        offered = list(_offered(zones, view["viewer"]))
        lines = [part["number"] for part in _parts(zones) if part.get("write") and "number" in part]
        drawn = [
            part for part in _parts(zones) if isinstance(part.get("draw") or part.get("put"), dict)
        ]
        if lines and self.rng.random() < 0.8:
            self._written += 1
            await self.act(
                ["write", self.rng.choice(lines), f"ζ{self.number}q{self._written}"], view["viewer"]
            )
        elif drawn and not offered:
            if time.monotonic() - self._asked > 10:
                self._asked = time.monotonic()
                where = {"table": int(view["match"].removeprefix("room-")), "seat": view["viewer"]}
                where |= {part: view[part] for part in ("match", "branch")}
                await self.send("suggest", n=self.rng.randrange(12), **where)
        elif offered:
            seat, action = self.rng.choice(offered)
            await self.act(action, seat)


def _parts(thing: Any) -> Iterator[dict[str, Any]]:
    """Yield every object in *thing*."""
    if isinstance(thing, dict):
        yield thing
    for part in (
        thing.values() if isinstance(thing, dict) else thing if isinstance(thing, list) else ()
    ):
        yield from _parts(part)


def _offered(zones: Any, viewer: int) -> Iterator[tuple[int, Any]]:
    """Yield what the viewer may press: the seat it is for, and the action."""
    for part in _parts(zones):
        seat = part.get("seat", viewer)
        if (
            "action" in part
            and part.get("legal")
            and not part.get("held")
            and seat in (viewer, TABLE)
        ):
            yield seat, part["action"]


class Class:
    """A class that plays.

    :param pupils: how many there are before the deal.
    :param watchers: those who come after it, and watch as long as they have no seat.
    """

    def __init__(
        self,
        server: Server,
        pupils: int,
        watchers: int = 0,
        pace: float = 0.5,
        keys: Sequence[str] = (),
    ) -> None:
        self.server = server
        self.pupils = [
            Pupil(server, number, pace, key) for number, key in enumerate(keys or [""] * pupils)
        ]
        self.watchers = [Pupil(server, 900 + number, pace) for number in range(watchers)]
        self._running: list[asyncio.Task[None]] = []

    @property
    def pages(self) -> list[Pupil]:
        """All of them."""
        return [*self.pupils, *self.watchers]

    async def come(self, pages: list[Pupil]) -> None:
        """Let *pages* come, and wait until the room knows them."""
        self._running += [asyncio.create_task(page.run()) for page in pages]
        await until(
            lambda: all(page.person is not None and page.room for page in pages), "all to join"
        )

    @property
    def done(self) -> int:
        """How many decisions have been answered as done."""
        return sum(len(page.acknowledged) for page in self.pages)

    async def play(self, actions: int) -> None:
        """Wait until *actions* more are done."""
        before = self.done
        await until(lambda: self.done - before >= actions or self.over, f"{actions} actions")

    @property
    def over(self) -> bool:
        """Whether every table has ended."""
        places = [page.room.get("place") for page in self.pupils]
        return all(place and place["over"] for place in places)

    async def all_move(self) -> None:
        """Wait until every table that has not ended has moved again."""
        before = self._moves()

        def moved() -> bool:
            now, ended = (
                self._moves(),
                {p.room["place"]["table"] for p in self._seated if p.room["place"]["over"]},
            )
            return all(now[table] > count or table in ended for table, count in before.items())

        await until(moved, "every table to move again")

    @property
    def _seated(self) -> list[Pupil]:
        return [page for page in self.pupils if page.room.get("place")]

    def _moves(self) -> Counter[int]:
        """Return how much has been done at each table."""
        return Counter({page.room["place"]["table"]: 0 for page in self._seated}) + Counter(
            page.room["place"]["table"] for page in self._seated for _ in page.acknowledged
        )

    async def settle(self) -> None:
        """Let nobody decide any more, and wait until every page shows the present."""
        for page in self.pages:
            page.pace = 0
        await until(lambda: not any(page.open for page in self.pages), "the last answers")
        await until(
            lambda: not Judge(self.server.events(), self.pages).stale(),
            "every page to show the present",
        )

    async def leave(self) -> None:
        """Let all go."""
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)


@asynccontextmanager
async def served(game: str = "wizard", **how: Any) -> AsyncIterator[Server]:
    """Run a server that is not started yet, and end it."""
    server = Server(game, **how)
    try:
        yield server
    finally:
        server.stop()


class Judge:
    """Plays the lesson's file again by the rules alone, and looks at what pages were sent.

    :param pages: of people; a page without a seat watches.
    """

    def __init__(self, events: list[dict[str, Any]], pages: list[Pupil]) -> None:
        self.events, self.pages = events, pages
        self.matches: dict[str, Match] = {}
        self.branches: dict[tuple[str, int], list[dict[str, Any]]] = {}
        """What was hidden and whose at each moment of a table, by its branch."""
        self.seats: dict[int, set[tuple[str, int]]] = defaultdict(set)
        """Where each person has sat."""
        self.views = 0
        """How many views were looked at."""
        self._branch: dict[str, int] = {}
        for event in events:
            self._follow(event)

    def _follow(self, event: dict[str, Any]) -> None:
        kind = event["e"]
        if kind == "deal":
            for table in event["tables"]:
                rules = kit_of(table["game"]).rules
                game = rules(table["players"], rules.options_from(table["options"]))
                self._begin(f"room-{table['id']}", Match(game, table["seed"]), 0)
                for seat, who in enumerate(table["seats"]):
                    self._sit(f"room-{table['id']}", seat, who)
        elif kind == "act":
            name = f"room-{event['table']}"
            match = self.matches[name]
            match.play(event["seat"], _tuples(event["action"]))
            self.branches[name, self._branch[name]].append(_moment(match))
        elif kind == "sit":
            name = f"room-{event['table']}"
            self._begin(name, self.matches[name], self._branch[name] + 1)
            self._sit(name, event["seat"], event["who"])
        elif kind == "back":
            name = f"room-{event['table']}"
            self._begin(
                name, self.matches[name].fork(event["entry"], event["seed"]), self._branch[name] + 1
            )

    def _begin(self, name: str, match: Match, branch: int) -> None:
        self._branch[name] = branch
        self.matches[name] = match
        self.branches[name, branch] = [_moment(match)]

    def _sit(self, name: str, seat: int, who: Any) -> None:
        if isinstance(who, int):
            self.seats[who].add((name, seat))

    def stale(self) -> list[str]:
        """Return which pages show something else than the present of their table."""
        found = []
        for page in self.pages:
            if (view := page.view) is not None and not view["looking_back"]:
                name, seat = view["match"], view["viewer"]
                present = self.branches[name, self._branch[name]][-1]
                if not _fits(present, view, seat, self.was_cut_short):
                    found.append(f"pupil {page.number} shows an old moment of {name}")
        return found

    def faults(self) -> list[str]:
        """Return what is wrong, in words."""
        return [
            *self._foreign(),
            *self._lost(),
            *self._secrets(),
            *(f for page in self.pages for f in self._shown(page)),
        ]

    def _foreign(self) -> Iterator[str]:
        for page in self.pages:
            for got, own in page.foreign:
                yield f"pupil {page.number} at {own} was sent a view of {got}"

    def _lost(self) -> Iterator[str]:
        """Yield what was answered as done and is not in the file, once and unchanged."""
        kept: dict[Any, list[dict[str, Any]]] = defaultdict(list)
        for event in self.events:
            if "n" in event and event["e"] in ("act", "want", "map"):
                kept[event["person"], event["n"]].append(event)
        for (person, n), found in kept.items():
            if len(found) > 1:
                yield f"action {n} of person {person} is in the file {len(found)} times"
        for page in self.pages:
            for n, message in (page.acknowledged | page.drawn).items():
                found = kept[page.person, n]
                if not found:
                    yield f"action {n} of pupil {page.number} was answered and is not in the file"
                elif found[0]["e"] == "map" and found[0]["changes"] != message["changes"]:
                    yield f"change {n} of pupil {page.number} is another one in the file"
                elif found[0]["e"] == "act" and found[0]["action"] != message["action"]:
                    yield f"action {n} of pupil {page.number} is another one in the file"

    def _secrets(self) -> Iterator[str]:
        """Yield seeds, keys and words of others that a page was sent before they were told."""
        seeds = [
            table["seed"]
            for event in self.events
            if event["e"] == "deal"
            for table in event["tables"]
        ]
        seeds += [event["seed"] for event in self.events if event["e"] == "back"]
        secret: dict[str, int | None] = dict.fromkeys(seeds)
        secret |= {event["key"]: None for event in self.events if event["e"] in ("join", "key")}
        secret |= {page.key: page.person for page in self.pages}
        told = {word for rows in self.branches.values() for row in rows for word in row["turned"]}
        for page in self.pages:
            whole = "\n".join(page.sent)
            for each, owner in secret.items():
                if each and each in whole and (owner is None or owner != page.person):
                    yield f"pupil {page.number} was sent the secret {each[:12]}…"
            for found in CANARY.finditer(whole):
                if int(found[1]) != page.number and found[0] not in told:
                    yield f"pupil {page.number} was sent {found[0]}, which was never turned up"

    @property
    def was_cut_short(self) -> bool:
        """Whether the teacher has ended tables before their match was over."""
        return any(event["e"] in ("end", "end_now", "ending") for event in self.events)

    def _shown(self, page: Pupil) -> Iterator[str]:
        """Yield what is wrong with the views of one page."""
        for words in page.sent:
            if not words.startswith('{"type":"view"'):
                continue
            self.views += 1
            view = json.loads(words)["view"]
            name, seat, branch = view["match"], view["viewer"], view["branch"]
            if (
                seat is not None
                and page.person is not None
                and (name, seat) not in self.seats[page.person]
            ):
                yield f"pupil {page.number} was sent {name}, seat {seat}, where it never sat"
            rows = self.branches.get((name, branch))
            if rows is None:
                yield f"pupil {page.number} was sent branch {branch} of {name}, which never was"
            elif not view["looking_back"] and not any(
                _fits(row, view, seat, self.was_cut_short) for row in rows
            ):
                yield f"pupil {page.number}: no moment of {name} is as seat {seat} was sent it"


def _tuples(thing: Any) -> Any:
    return tuple(map(_tuples, thing)) if isinstance(thing, list) else thing


def _moment(match: Match) -> dict[str, Any]:
    """Return what is whose and what is hidden from whom now."""
    state, game = match.state, match.game
    hands = [list(hand) for hand in getattr(state, "hands", [])] if game.name != "knitwit" else []
    open_hands = bool(getattr(game.options, "open_hands", False))
    moment: dict[str, Any] = {
        "acted": Counter(seat for seat, _ in match.log),
        "over": match.over,
        "hands": hands,
        "open": open_hands,
        "hidden": {},
        "turned": set(),
        "bids": False,
    }
    if game.name in KNOWN and not match.over:
        for seat in (*game.seats, None):
            seen = game.observe(state, seat)
            told = {card for known in getattr(seen, KNOWN[game.name]) for card in known}
            others = {card for other in game.seats if other != seat for card in hands[other]}
            moment["hidden"][seat] = set() if open_hands else others - told
    if game.name == "wizard":
        sealed = {"open": (), "hidden": ("bid",), "secret": ("bid", "play")}[game.options.bid_mode]
        moment["bids"] = state.phase in sealed
    if game.name == "knitwit":
        moment["turned"] = {
            word for sheet in state.sheets for word in sheet if word and state.phase != "write"
        }
    return moment


KNOWN = {"wizard": "shown", "blockade": "known"}
"""What an observation lists of cards in other hands that its seat knows."""
CARD = re.compile(r'"card-(\d+)"')


def _fits(row: dict[str, Any], view: dict[str, Any], seat: int | None, may_end: bool) -> bool:
    """Return whether the last scene of *view* can be the moment *row*, as *seat* may see it.

    :param may_end: whether the teacher has ended tables at any moment.
    """
    if view["acted"] != row["acted"][seat] * (seat is not None) + row["acted"][TABLE]:
        return False
    scene = view["scenes"][-1]
    if row["over"]:
        return bool(scene["over"])
    if scene["over"] and not may_end:
        return False
    cards = {int(found) for found in CARD.findall(json.dumps(scene))}
    if row["hidden"]:
        if cards & row["hidden"][seat]:
            return False
        own = set(row["hands"][seat]) if seat is not None else set()
        covered = f"unseen-{len(own) - 1}" in json.dumps(
            scene
        )  # an option may keep one's own hand from one
        if not own <= cards and not covered:
            return False
    elif row["hands"] and seat is not None:  # kinds of cards, several of each
        near = [
            zone for zone in scene["zones"] if zone["kind"] == "hand" and zone["place"] == "near"
        ]
        faces = [piece["face"] for zone in near for piece in zone["pieces"]]
        if near and Counter(face.get("art") for face in faces) != Counter(row["hands"][seat]):
            return False
    if row["bids"]:
        places = [
            place for zone in scene["zones"] if zone["kind"] == "seats" for place in zone["places"]
        ]
        told = [place["counts"][0]["value"] for place in places if place["seat"] != seat]
        return not any(value.isdigit() for value in told)
    return True
