"""Runs a room in the server's loop: messages in, events into the lesson's file, and only then answers out."""

import asyncio
import json
import logging
import shutil
import socket
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from datetime import datetime
from functools import partial
from itertools import count, islice
from pathlib import Path
from typing import Any, NamedTuple

from tornado.httpserver import HTTPServer
from tornado.ioloop import IOLoop, PeriodicCallback

from coursekit.core.errors import Spoken
from coursekit.kit import kit_of
from coursekit.league.play import MOST, checked
from coursekit.room import told
from coursekit.room.ledger import Event, Ledger, LedgerError, lessons
from coursekit.room.lesson import UNFIT, fitting
from coursekit.room.orders import Teacher
from coursekit.room.page import Page
from coursekit.room.playing import Job
from coursekit.room.protocol import CONNECTIONS, PER_PERSON, Pace, Refused, read
from coursekit.room.room import Room
from coursekit.room.thinking import Workers
from coursekit.serve.data import LEAGUE
from coursekit.serve.room.contest import Contest, file_name

PORT = 8870
TICK = 200  # milliseconds between two looks at the time
RETRY = 1.0  # seconds until what could not be kept is tried again
SILENT = 10.0  # seconds in which a page must say which room it wants
NOBODY = 60.0  # seconds without a phone after which the teacher is told what may be wrong
THINKING = 2  # processes
CHECKED = 5  # strategies at a time: the first pupil need not wait for the whole class
log = logging.getLogger(__name__)

Send = Callable[[str], None]
"""Sends one message to a page; closing is its own business."""


class Wanted(NamedTuple):
    """What the command line asks of a room."""

    game: str
    """"" for none in particular."""
    address: str
    """To be opened at once; "" to wait for the teacher."""
    port: int
    public: str
    """The address of a reverse proxy in front of the room; "" if there is none."""
    go_on: bool
    """Whether the newest lesson goes on."""


class Connection:
    """A page and the way to it.

    :param send: sends words to the page.
    :param close: ends the connection.
    """

    def __init__(self, page: Page, send: Send, close: Callable[[], None]) -> None:
        self.page, self.send, self.close = page, send, close
        self.pace = Pace()
        self.since = time.monotonic()


class Host:
    """One room, its file and its pages.

    :param folder: where lessons are kept.
    :param rules: returns the rules of a game in a language, as HTML.
    """

    def __init__(self, folder: Path, rules: Callable[[str, str], str] = lambda game, language: "") -> None:
        self.folder, self.rules = folder, rules
        self.room: Room | None = None
        self.ledger: Ledger | None = None
        self.address, self.port = "", 0
        """Where phones reach the room; "" while it is closed."""
        self.wanted_port = PORT
        self.public = ""
        """The address of a reverse proxy in front of the room; "" if there is none."""
        self.opened = 0.0
        self.reached = False
        """Whether a phone has reached the room since it was opened."""
        self.connections: list[Connection] = []
        self.describe: Callable[[Host], dict[str, Any]] = lambda host: {}
        """Returns what the teacher's pages are told of the door."""
        self._described: dict[str, Any] = {}
        self._server: HTTPServer | None = None
        self._workers: Workers | None = None
        self._writer = ThreadPoolExecutor(1, "coursekit-ledger")
        self._dirty = asyncio.Event()
        self._last = time.monotonic()
        self._ticking = PeriodicCallback(self._tick, TICK)
        self._flushing: asyncio.Task[None] | None = None
        self._checking: asyncio.Task[None] | None = None
        self.contest: Contest | None = None
        """The league that is played, or was last."""

    # The lesson

    def begin(self, path: Path | None = None, **settings: Any) -> Room:
        """Begin a new lesson, or go on with the one in *path*.

        :raises LedgerError: if its file cannot be used.
        """
        ledger = Ledger(path or self._new_path())
        try:
            events = ledger.events()
            if path is not None and not events:
                raise LedgerError("", "room.empty")
            try:
                room = Room(events, **settings)
                whole = ledger.whole
            except UNFIT as error:
                if not (events := fitting(events)):
                    raise LedgerError("", "room.unreadable") from error
                room, whole = Room(events, **settings), False
            if not whole:
                ledger = ledger.renewed(len(events))
                last = ledger.time(len(events))
                when = f"{last:%Y-%m-%d %H:%M}" if last else "?"
                room.notes.append(Spoken("", "room.cut", when=when, name=ledger.put_aside()[-1].name))
        except LedgerError:
            ledger.close()
            raise
        self.end()
        self.ledger, self.room = ledger, room
        self.teacher = Teacher(room)
        for each in self.connections:
            room.connect(each.page)
        loop = IOLoop.current()
        self._workers = Workers(THINKING, partial(loop.add_callback, self._thought))
        self._last = time.monotonic()
        self._ticking.start()
        self._flushing = asyncio.ensure_future(self._flush())
        self.touch()
        return room

    def bring(self, content: bytes) -> Room:
        """Go on with a lesson whose file was brought from elsewhere; here it is called by when it began, as all are.

        :raises LedgerError: if it cannot be used; then the lesson that runs goes on.
        """
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = self._new_path()
        path.touch(mode=0o600)
        try:
            path.write_bytes(content)
            with closing(Ledger(path)) as ledger:
                began = ledger.time(1)
            path = path.rename(self._new_path(began))
            return self.begin(path)
        except LedgerError:
            for each in self.folder.glob(f"{path.stem}.*"):
                each.unlink()
            raise

    def _new_path(self, began: datetime | None = None) -> Path:
        """Return the file of a lesson that *began* then, or begins now: one that is not there yet."""
        name = f"{began or datetime.now():%Y-%m-%d-%H%M%S}"
        paths = (self.folder / f"{name}{f'-{n}' if n > 1 else ''}.lesson" for n in count(1))
        return next(each for each in paths if not each.exists())

    def prepare(self, wanted: Wanted, language: str, app: Any) -> None:
        """Do what the command line asks for.

        :raises OSError: if the room cannot be opened.
        :raises Refused: if the newest lesson's file cannot be used.
        """
        self.wanted_port, self.public = wanted.port, wanted.public
        newest = next(iter(self.unfinished()), None) if wanted.go_on else None
        settings = {"language": language} | ({"game": wanted.game} if wanted.game else {})
        try:
            self.begin(newest, **settings)
        except LedgerError as error:
            raise Refused("room.no_go_on", name=newest.name if newest else "", why=error) from error
        if wanted.address:
            self.open_room(app, wanted.address, wanted.port)

    def unfinished(self) -> list[Path]:
        """Return the lessons that can be gone on with, the newest first."""
        here = self.ledger.path if self.ledger else None
        return [each for each in lessons(self.folder) if each != here]

    def end(self) -> None:
        """Leave the lesson; its file stays, unless nobody has ever joined."""
        self.close_room()
        self._ticking.stop()
        if self.contest is not None:
            self.contest.stopping = True
            self.contest = None
        if self._flushing is not None:
            self._flushing.cancel()
            self._flushing = None
        if self._workers is not None:
            self._workers.close()
            self._workers = None
        if self.ledger is not None:
            self._writer.submit(int).result()  # what is being written now
            if self.room is not None and not self.room.lesson.people and not self.ledger.put_aside():
                self.ledger.delete()
            elif self.room is not None and self.room.pending:
                with suppress(LedgerError):  # the teacher has been told, and nobody has been answered
                    self.ledger.append(self.room.pending)
            self.ledger.close()
        self.room = self.ledger = None

    def delete(self) -> None:
        """Leave the lesson and delete its file."""
        ledger, room = self.ledger, self.room
        if room is not None:
            room.pending.clear()
        self.close_room(again=False)
        self.end()
        if ledger is not None:
            for folder in _leagues(ledger.path):
                shutil.rmtree(folder, ignore_errors=True)
            ledger.delete()

    # A league

    def play_league(self, language: str) -> None:
        """Let the strategies that were handed in play each other, while the room goes on.

        :raises Spoken: if a league is under way, or there are too few.
        """
        room, ledger = self.room, self.ledger
        assert room is not None
        assert ledger is not None
        if self.contest is not None and not self.contest.over:
            raise Refused("room.league_plays")
        lesson = room.lesson
        fine = {person: each.source for person, each in lesson.entries.items()
                if each.strategy and not lesson.people[person].left}  # fmt: skip
        if not 2 <= len(fine) <= MOST:
            raise Refused("league.how_many", got=len(fine), most=MOST)
        number = len(_leagues(ledger.path)) + 1
        entries = {file_name(person, lesson.name(person, language)): fine[person] for person in fine}
        folder = ledger.path.with_name(f"{ledger.path.stem}-{number}{LEAGUE}")
        game = kit_of(lesson.settings.game).standard()
        news = partial(IOLoop.current().add_callback, self.tell_door)
        self.contest = Contest(folder, game, entries, language, news)
        asyncio.get_running_loop().run_in_executor(None, self.contest.play)

    def stop_league(self) -> None:
        """End the league after the round that is played; its results are kept."""
        if self.contest is not None:
            self.contest.stopping = True

    async def _check(self, room: Room) -> None:
        """Check strategies that were handed in, some of those that wait, each in a process of its own."""
        waiting = dict(islice(room.unchecked().items(), CHECKED))
        sources = [(f"{person}.py", entry.source) for person, entry in waiting.items()]
        try:
            game = kit_of(room.lesson.settings.game).standard()
            found = await asyncio.to_thread(checked, game, sources, trial=True)
        except Exception as error:  # no process can be started
            log.exception("strategies could not be checked")
            found = [Spoken("", "league.unchecked", why=type(error).__name__)] * len(sources)
        if room is self.room:
            for (person, entry), answer in zip(waiting.items(), found, strict=True):
                room.check(person, entry, answer)
            self.touch()

    # The room

    def open_room(self, app: Any, address: str, port: int) -> None:
        """Let phones in at *address* and *port*.

        :raises OSError: if this computer does not have them.
        """
        self.close_room()
        listener = socket.create_server((address, port), backlog=256)
        listener.setblocking(False)
        self._server = HTTPServer(app, idle_connection_timeout=30, max_header_size=8192, max_body_size=1024,
                                  body_timeout=5)  # fmt: skip
        self._server.add_sockets([listener])
        self.address, self.port = address, listener.getsockname()[1]
        self.opened, self.reached = time.monotonic(), False
        self._news()

    def close_room(self, again: bool = True) -> None:
        """Let nobody in any more, and end all connections of phones, which come back if the room opens *again*."""
        if self._server is not None:
            self._server.stop()
            self._server = None
        self.address = ""
        for each in [each for each in self.connections if each.page.role == "phone"]:
            words = "room.closed" if again else "room.lesson_over"
            each.send(_json({"type": "closed", "again": again, "text": Refused(words).sentence(each.page.language)}))
            each.close()
            self.leave(each)  # at once: the next lesson does not know whose page it was
        self._news()

    @property
    def url(self) -> str:
        """The address that phones open; "" while the room is closed."""
        return (self.public or f"http://{self.address}:{self.port}") if self.address else ""

    def door(self) -> dict[str, Any]:
        """Return what pages of the teacher are told of the room's door."""
        waited = time.monotonic() - self.opened
        return {"url": self.url, "unreached": bool(self.address) and not self.reached and waited > NOBODY}

    def tell_door(self) -> None:
        """Tell the teacher's pages how phones get in."""
        self._described = self.door()
        told = _json(self.describe(self))
        for each in self.connections:
            if each.page.role != "phone":
                each.send(told)

    def _news(self) -> None:
        if self.room is not None:
            self.room.changed += 1
            self.touch()

    # Pages

    def connect(self, page: Page, send: Send, close: Callable[[], None]) -> Connection:
        """Let a page in.

        :raises Refused: if there are too many.
        """
        if page.role == "phone":
            phones = [each for each in self.connections if each.page.role == "phone"]
            strangers = [each for each in phones if each.page.person is None]
            if len(phones) >= CONNECTIONS and not strangers:
                raise Refused("room.too_many")
            if len(phones) >= CONNECTIONS:
                strangers[0].close()
                self.leave(strangers[0])
            if not self.reached:
                self.reached = True
                self._news()
        connection = Connection(page, send, close)
        self.connections.append(connection)
        if self.room is not None:
            self.room.connect(page)
            self.touch()
        return connection

    def leave(self, connection: Connection) -> None:
        """Forget a page that has gone."""
        if connection in self.connections:
            self.connections.remove(connection)
            if self.room is not None:
                self.room.leave(connection.page)
                self.touch()

    def receive(self, connection: Connection, words: str | bytes) -> None:
        """Do what a phone asks for."""
        page, room = connection.page, self.room
        if room is None or page.closed:
            return
        if not connection.pace.take(len(words), time.monotonic()):
            self._drop(connection, "room.too_fast")
            return
        try:
            room.hear(page, read(words))
        except Refused as error:
            page.say("refused", n=None, text=error.sentence(page.language))
        except Exception:  # a mistake in the kit; its words might name cards
            log.exception("a room could not do what a phone asked for")
            page.say("refused", n=None, text=Refused("room.mistake").sentence(page.language))
        if page.person is not None and len(room.pages_of(page.person)) > PER_PERSON:
            self._drop(connection, "room.too_many")
        self.touch()

    def order(self, page: Page, message: Any) -> None:
        """Do what the teacher's console asks of the lesson."""
        if self.room is not None:
            self.teacher.order(page, message)
            self.touch()

    def _drop(self, connection: Connection, words: str) -> None:
        said = Refused(words).sentence(connection.page.language)
        connection.send(_json({"type": "refused", "n": None, "text": said}))
        connection.close()
        self.leave(connection)

    # Time

    def _tick(self) -> None:
        now = time.monotonic()
        passed, self._last = now - self._last, now
        if self.room is None or self._workers is None:
            return
        if self.door() != self._described:
            self.tell_door()
        if self.room.unchecked() and (self._checking is None or self._checking.done()):
            self._checking = asyncio.ensure_future(self._check(self.room))
        before = (self.room.changed, [table.version for table in self.room.lesson.playing])
        for job in self.room.pass_time(passed):
            self._workers.ask(job)
        for each in list(self.connections):
            page = each.page
            if page.role == "phone" and not page.welcome and now - each.since > SILENT:
                each.close()
                self.leave(each)
        if self.room.pending or before != (self.room.changed, [table.version for table in self.room.lesson.playing]):
            self.touch()

    def _thought(self, job: Job, action: Any, stopped: bool) -> None:
        if self.room is not None:
            if stopped:
                self.room.notes.append(Spoken("", "room.stopped", strategy=job.player, table=job.table))
            self.room.thought(job, action)
            self.touch()

    # Out

    def touch(self) -> None:
        """See to it that everybody is told what is new."""
        self._dirty.set()

    async def _flush(self) -> None:
        """Keep what has happened, then tell it, again and again.

        What arrives meanwhile shares the next turn: so actions of some milliseconds are one transaction.
        """
        while self.room is not None:
            await self._dirty.wait()
            self._dirty.clear()
            room = self.room
            events, room.pending = room.pending, []
            made: dict[int, str] = {}  # what many see is written once
            out = [(page, [_written(each, made) for each in messages]) for page, messages in room.collect()]
            if events:
                await self._keep(events)
            ways = {each.page: each for each in self.connections}
            for page, messages in out:
                if page in ways:
                    for words in messages:
                        ways[page].send(words)
                    if page.closed:
                        ways[page].close()

    async def _keep(self, events: Sequence[Event]) -> None:
        """Write *events* into the file; while that fails, nobody but the teacher is told anything."""
        loop, room = asyncio.get_running_loop(), self.room
        assert room is not None
        assert self.ledger is not None
        while True:
            try:
                await loop.run_in_executor(self._writer, self.ledger.append, events)
                break
            except LedgerError as error:
                room.trouble = error
                room.changed += 1
                self._tell_teacher(room)
                await asyncio.sleep(RETRY)
        if room.trouble is not None:
            room.trouble = None
            room.changed += 1
            self.touch()

    def _tell_teacher(self, room: Room) -> None:
        shared = told.Shared(room)
        for each in self.connections:
            if each.page.role == "console":
                for message in told.news(room, each.page, shared):
                    each.send(_json(message))


def _leagues(lesson: Path) -> list[Path]:
    """Return the folders of the leagues of a *lesson*'s file."""
    return list(lesson.parent.glob(f"{lesson.stem}-*{LEAGUE}"))


def _written(message: dict[str, Any], made: dict[int, str]) -> str:
    """Return *message* as JSON; what it shows of a table is looked up in *made* if another page sees the same."""
    if message["type"] != "view":
        return _json(message)
    view = message["view"]
    if id(view) not in made:
        made[id(view)] = _json(message)
    return made[id(view)]


def _json(message: Any) -> str:
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))
