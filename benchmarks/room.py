"""A class on its own phones under load: how soon an action is on every screen, and what survives being killed.

``room_load`` seats forty people at ten tables of Wizard, each acting once in two seconds, and then 200 people in one
room (of whom 48 sit, the others watch) at a human pace; ``room_join`` lets forty join within ten seconds;
``room_kill`` kills the server again and again while people play, and compares what was answered with what is in the
lesson's file.  Server and clients share one machine.  Clients play over the network as phones do, with
:mod:`coursekit.room.client`.
"""

import asyncio
import json
import os
import random
import re
import signal
import sqlite3
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import psutil
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from coursekit.core.errors import Spoken
from coursekit.room.client import ClosedError, RoomClient, choices
from coursekit.room.lesson import Lesson

PORT = 8899
LATEST = 60.0


class Teacher:
    """A console without a page."""

    def __init__(self, socket: Any) -> None:
        self.socket = socket
        self.room: dict[str, Any] = {}
        self.reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        with suppress(WebSocketException):
            async for words in self.socket:
                message = json.loads(words)
                if message["type"] == "room":
                    self.room = message

    async def order(self, **message: Any) -> None:
        """Ask the room for something."""
        await self.socket.send(json.dumps(message))

    async def until(self, condition: Any) -> None:
        """Wait until *condition* of what the console is told holds."""
        end = time.monotonic() + LATEST
        while not (self.room and condition(self.room)):
            assert time.monotonic() < end, self.room
            await asyncio.sleep(0.02)


class Classroom:
    """``coursekit class`` in a process of its own."""

    def __init__(self, folder: str, *arguments: str) -> None:
        self.log = Path(tempfile.mkdtemp()) / "log"
        self.began = time.monotonic()
        command = f"-m coursekit class wizard --port 0 --no-browser --language en --room 127.0.0.1 --room-port {PORT}"
        with self.log.open("w") as out:
            self.process = psutil.Popen(
                [sys.executable, *command.split(), *arguments],
                stdout=out,
                stderr=out,
                env=os.environ | {"COURSEKIT_DATA": folder},
            )

    async def ready(self) -> None:
        """Wait until both doors are open."""
        while not (found := re.search(r"(http://127\.0\.0\.1:(\d+))/\S*key=(\S+)", self.log.read_text())):
            assert self.process.is_running(), self.log.read_text()
            await asyncio.sleep(0.02)
        self.base, self.port, self.key = found[1], found[2], found[3]

    async def teacher(self) -> Teacher:
        """Open the console."""
        address = f"{self.base.replace('http', 'ws')}/coursekit/class/en/console/socket"
        headers = {"Cookie": f"coursekit-{self.port}={self.key}"}
        teacher = Teacher(await connect(address, origin=self.base, additional_headers=headers))  # type: ignore[arg-type]
        await teacher.until(lambda room: "code" in room)
        return teacher

    def memory(self) -> float:
        """Return the megabytes of the server and its workers."""
        return sum(each.memory_info().rss for each in [self.process, *self.process.children(True)]) / 2**20

    def stop(self) -> None:
        """End it."""
        self.process.send_signal(signal.SIGTERM)
        with suppress(psutil.TimeoutExpired):
            self.process.wait(5)
        for each in [*self.process.children(True), self.process] if self.process.is_running() else []:
            each.kill()


@asynccontextmanager
async def classroom(*arguments: str) -> AsyncIterator[tuple[Classroom, Teacher]]:
    """Run a room, with its teacher."""
    with tempfile.TemporaryDirectory() as folder:
        room = Classroom(folder, *arguments)
        try:
            await room.ready()
            yield room, await room.teacher()
        finally:
            room.stop()


class Phone:
    """One person who plays at random, and notes when what arrives.

    :param pace: seconds that the person takes for a decision, on average.
    """

    def __init__(self, code: str, number: int, pace: float, report: "Report") -> None:
        self.client = RoomClient(f"http://127.0.0.1:{PORT}/{code}")
        self.number, self.pace, self.report = number, pace, report
        self.joined = asyncio.Event()
        self.playing = asyncio.Event()
        self.answered: list[int] = []
        self.agreed: set[int] = set()
        """Numbers of what all have to agree on, which is kept once they do."""
        self.rng = random.Random(number)
        self.watches = False

    async def run(self) -> None:
        """Join and play until cancelled; come back when the connection is lost."""
        while True:
            try:
                await self.client.open()
                signs = asyncio.create_task(self.client.sign())
                try:
                    await self._play()
                finally:
                    signs.cancel()
            except ClosedError:
                return
            except (OSError, WebSocketException):
                await asyncio.sleep(0.2 + self.rng.random() * 0.5)

    async def _play(self) -> None:
        client, deciding = self.client, None
        async for message in client.messages():
            kind = message["type"]
            if kind == "propose":
                await client.send(type="join", name=f"Pupil {self.number}")
            elif kind == "welcome":
                self.joined.set()
            elif kind == "done":
                self.answered.append(message["n"])
            elif kind == "room" and message["playing"] and not message["place"] and not self.watches:
                self.watches = True
                await client.send(type="watch", table=self.rng.choice(message["tables"])["table"])
            elif kind == "view":
                self.playing.set()
                self.report.seen(client.table, self.number)
                if deciding is not None:
                    deciding.cancel()
                deciding = asyncio.create_task(self._decide()) if message["view"]["viewer"] is not None else None

    async def _decide(self) -> None:
        await asyncio.sleep(self.rng.expovariate(1 / self.pace))
        view = self.client.view
        if view is not None and (offered := choices(view)):
            _, seat, action = self.rng.choice(offered)
            with suppress(WebSocketException):
                self.report.sent(self.client.table, seat)
                n = await self.client.act(action, seat)
                if seat < 0:
                    self.agreed.add(n)


class Report:
    """How long it took from an action to the last screen that had to show it."""

    def __init__(self) -> None:
        self.seats: dict[int, set[int]] = {}
        self.times: list[float] = []
        self._open: dict[int, tuple[float, set[int], float]] = {}

    def sent(self, table: int, seat: int) -> None:
        """Note that an action was sent."""
        if seat >= 0:  # else all agree first
            self._close(table)
            self._open[table] = (time.monotonic(), set(self.seats.get(table, ())), 0.0)

    def seen(self, table: int, person: int) -> None:
        """Note that a page has shown something new."""
        self.seats.setdefault(table, set()).add(person)
        if table in self._open:
            began, missing, _ = self._open[table]
            if person in missing:
                missing.discard(person)
                self._open[table] = (began, missing, time.monotonic() - began)
                if not missing:
                    self._close(table)

    def _close(self, table: int) -> None:
        if table in self._open:
            _, missing, last = self._open.pop(table)
            if last and not missing:
                self.times.append(last)

    def told(self) -> str:
        """Return the number of actions, and p50, p95 and p99 in milliseconds."""
        cuts = statistics.quantiles(self.times, n=100)
        return f"{len(self.times)} | {cuts[49] * 1000:.0f} | {cuts[94] * 1000:.0f} | {cuts[98] * 1000:.0f}"


async def _load(people: int, pace: float, seconds: float) -> None:
    report = Report()
    async with classroom() as (room, teacher):
        phones = [Phone(teacher.room["code"], number, pace, report) for number in range(people)]
        began = time.monotonic()
        runs = []
        for phone in phones:
            runs.append(asyncio.create_task(phone.run()))
            await asyncio.sleep(min(10 / people, 0.25))
        await asyncio.gather(*[phone.joined.wait() for phone in phones])
        joined = time.monotonic() - began
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            await teacher.order(type="deal")
            await teacher.until(lambda told: told["tables"] and not all(each["over"] for each in told["tables"]))
            while time.monotonic() < end and not all(each["over"] for each in teacher.room["tables"]):
                await asyncio.sleep(0.2)
        tables = len(teacher.room["tables"])
        memory = room.memory()
        for run in runs:
            run.cancel()
        load = os.getloadavg()[0]
        print(f"| {people} | {tables} | {joined:.1f} | {report.told()} | {memory:.0f} | {load:.1f} |", flush=True)


def load(scale: float) -> None:
    """Print how soon an action is on the last screen: a class of 40, and a room of 200."""
    print("| people | tables | all joined (s) | actions | p50 (ms) | p95 | p99 | memory (MB) | load |")
    print("|---|---|---|---|---|---|---|---|---|")
    # A table of four acts twice a second when each of its seats acts once in two seconds: one decides, three wait.
    asyncio.run(_load(40, 0.5, 600 * scale))
    asyncio.run(_load(200, 2.0, 600 * scale))


async def _join() -> None:
    report = Report()
    async with classroom() as (_, teacher):
        phones = [Phone(teacher.room["code"], number, 1.0, report) for number in range(40)]
        waits = []

        async def come(phone: Phone, after: float) -> None:
            await asyncio.sleep(after)
            began = time.monotonic()
            run = asyncio.create_task(phone.run())
            await phone.joined.wait()
            waits.append(time.monotonic() - began)
            runs.append(run)

        runs: list[Any] = []
        await asyncio.gather(*[come(phone, 10 * number / 40) for number, phone in enumerate(phones)])
        began = time.monotonic()
        await teacher.order(type="deal")
        await asyncio.gather(*[phone.playing.wait() for phone in phones])
        dealt = time.monotonic() - began
        print(f"joined after {max(waits):.2f} s at most; all at their tables {dealt:.2f} s after the deal")
        for run in runs:
            run.cancel()


def join(scale: float) -> None:
    """Print how long forty people who come within ten seconds wait until they are in, and until they play."""
    asyncio.run(_join())


async def _kill(times: int) -> None:
    lost, twice, restarts, backs = 0, 0, [], []
    with tempfile.TemporaryDirectory() as folder:
        room = Classroom(folder)
        await room.ready()
        teacher = await room.teacher()
        report = Report()
        phones = [Phone(teacher.room["code"], number, 0.1, report) for number in range(12)]
        runs = [asyncio.create_task(phone.run()) for phone in phones]
        await asyncio.gather(*[phone.joined.wait() for phone in phones])
        await teacher.order(type="deal")
        for _ in range(times):
            await asyncio.sleep(random.random() * 1.5)
            room.process.kill()
            room.process.wait()
            for phone in phones:
                phone.playing.clear()
            room = Classroom(folder, "--go-on")
            while True:
                with suppress(OSError):
                    _, writer = await asyncio.open_connection("127.0.0.1", PORT)
                    writer.close()
                    break
                await asyncio.sleep(0.02)
            restarts.append(time.monotonic() - room.began)
            await asyncio.wait_for(asyncio.gather(*[phone.playing.wait() for phone in phones]), LATEST)
            backs.append(time.monotonic() - room.began - restarts[-1])
            await room.ready()
            teacher = await room.teacher()
            if all(each["over"] for each in teacher.room["tables"]):
                await teacher.order(type="deal")
            (path,) = Path(folder, "lessons").glob("*.lesson")
            with sqlite3.connect(path) as file:
                events = [json.loads(words) for (words,) in file.execute("SELECT event FROM events ORDER BY n")]
            kept = Counter((each["person"], each["n"]) for each in events if each.get("n") and each["e"] == "act")
            twice += sum(count > 1 for count in kept.values())
            people = {each["name"]: each["person"] for each in events if each["e"] == "join"}
            for phone in phones:
                mine = {n for person, n in kept if person == people[f"Pupil {phone.number}"]}
                lost += len([n for n in phone.answered if n not in mine and n not in phone.agreed])
            Lesson(events)
        print(f"{times} kills, {len(events)} events: {lost} answered actions missing, {twice} there twice")
        print(f"listening after {max(restarts):.2f} s at most, all back {max(backs):.2f} s later at most")
        for run in runs:
            run.cancel()
        room.stop()


def kill(scale: float) -> None:
    """Kill the server under load, 200 times, and print what was lost."""
    with suppress(Spoken):
        asyncio.run(_kill(max(1, round(200 * scale))))
