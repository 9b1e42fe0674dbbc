"""Runs a room in the server's loop: messages in, events into the lesson's file, and only then
answers out.
"""

import asyncio
import gc
import json
import logging
import shutil
import socket
import time
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from datetime import datetime
from functools import partial
from inspect import isawaitable
from itertools import count, islice
from pathlib import Path
from typing import Any, NamedTuple

from tornado.httpserver import HTTPServer
from tornado.ioloop import IOLoop, PeriodicCallback
from tornado.websocket import WebSocketClosedError

from coursekit.core.errors import LocalizedError
from coursekit.kit import kit_of
from coursekit.league.tournament import MOST, check_sources
from coursekit.room.analysis_process import AnalysisProcess, Task
from coursekit.room.analysis_requests import answer_key
from coursekit.room.event_log import Event, EventLog, EventLogError, lesson_files
from coursekit.room.lesson import UNFIT, fitting_events
from coursekit.room.page import Page, PendingRequest, Request
from coursekit.room.phone_messages import CONNECTIONS, PER_PERSON, RoomError, message_number, read
from coursekit.room.room import Room
from coursekit.room.room_table import Job
from coursekit.room.strategy_process import StrategyProcesses
from coursekit.room.teacher_commands import TeacherCommands
from coursekit.serve.personal_data import LEAGUE
from coursekit.serve.room.class_league import ClassLeague, file_name
from coursekit.serve.room.connection import Connection, Send
from coursekit.serve.room.connection_limit import SPARE, ConnectionLimit, most_files
from coursekit.words.texts import escape_surrogates

PORT = 8870
TICK = 200  # milliseconds between two looks at the time
RETRY = 1.0  # seconds until what could not be kept is tried again
SILENT = 10.0  # seconds in which a page must say which room it wants
NOBODY = 60.0  # seconds without a phone after which the teacher is told what may be wrong
STALLED = 5.0  # seconds in which nothing could be written or sent after which the teacher is told
# characters that may wait for a page; then it is cut off, and comes back to the present
SLOW = 1_000_000
STUCK = 20.0  # seconds that one message may take on its way to a page
UNTOLD = 200  # answers that may wait for a page that does not read
THINKING = 2  # processes
CHECKED = 5  # strategies at a time: the first pupil need not wait for the whole class
log = logging.getLogger(__name__)


class StartRequest(NamedTuple):
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


class RoomHost:
    """One room, its file and its pages.

    :param folder: where lessons are kept.
    :param rules: returns the rules of a game in a language, as HTML.
    """

    def __init__(
        self, folder: Path, rules: Callable[[str, str], str] = lambda game, language: ""
    ) -> None:
        self.folder, self.rules = folder, rules
        self.room: Room | None = None
        self.ledger: EventLog | None = None
        self.address, self.port = "", 0
        """Where phones reach the room; "" while it is closed."""
        self.wanted_port = PORT
        self.public = ""
        """The address of a reverse proxy in front of the room; "" if there is none."""
        self.opened = 0.0
        self.reached = False
        """Whether a phone has reached the room since it was opened."""
        self.connections: list[Connection] = []
        self.describe: Callable[[RoomHost], dict[str, Any]] = lambda host: {}
        """Returns what the teacher's pages are told of the door."""
        self._described: dict[str, Any] = {}
        self._gate: ConnectionLimit | None = None
        self._workers: StrategyProcesses | None = None
        self._clerk: AnalysisProcess | None = None
        self._writer = ThreadPoolExecutor(1, "coursekit-ledger")
        self._writing: list[Event] = []  # on their way to the disk
        self._kept = 0  # events in the file
        self._waiters: list[asyncio.Future[None]] = []  # of what waits for the disk
        self._untold: dict[
            Connection, None
        ] = {}  # for whom there may be news, who has waited for longest first
        self._news_there, self._happened = asyncio.Event(), asyncio.Event()
        self._last = self._kept_at = self._told = self._sent_at = time.monotonic()
        self._ticking = PeriodicCallback(self._tick, TICK)
        self._loops: dict[
            Callable[[], Any], asyncio.Task[None]
        ] = {}  # what runs as long as the lesson
        self._tasks: set[asyncio.Task[Any]] = set()  # what ends by itself
        self._checking: asyncio.Task[None] | None = None
        self.contest: ClassLeague | None = None
        """The league that is played, or was last."""
        self.alone = False
        """Whether this process has nothing else to do."""
        self._dealt = 0  # tables, when the collector was last told what lasts

    # The lesson

    def begin(self, path: Path | None = None, **settings: Any) -> Room:
        """Begin a new lesson, or go on with the one in *path*: its tables stand still until the
        teacher goes on.

        :raises LedgerError: if its file cannot be used.
        """
        ledger = EventLog(path or self._new_path())
        try:
            events = ledger.events()
            if path is not None and not events:
                raise EventLogError("", "room.empty")
            try:
                room = Room(events, **settings)
                whole = ledger.whole
            except UNFIT as error:
                if not (events := fitting_events(events)):
                    raise EventLogError("", "room.unreadable") from error
                room, whole = Room(events, **settings), False
            if not whole:
                ledger = ledger.renewed(len(events))
                last = ledger.time(len(events))
                when = f"{last:%Y-%m-%d %H:%M}" if last else "?"
                room.notes.append(
                    LocalizedError("", "room.cut", when=when, name=ledger.put_aside()[-1].name)
                )
        except EventLogError:
            ledger.close()
            raise
        if path is not None:
            room.hold()
        self.end()
        self.ledger, self.room = ledger, room
        self._kept = len(events)
        self._kept_at = self._told = self._sent_at = time.monotonic()
        room.open = False
        self.teacher = TeacherCommands(room)
        for each in self.connections:
            each.clear()
            room.connect(each.page)
        loop = IOLoop.current()
        self._workers = StrategyProcesses(THINKING, partial(loop.add_callback, self._thought, room))
        self._clerk = AnalysisProcess()
        self._last = time.monotonic()
        self._ticking.start()
        self._keep_running()
        self._last_objects()
        self.touch()
        return room

    def _last_objects(self) -> None:
        """Tell the garbage collector that what is there lasts as long as the lesson.

        To look through all tables takes it 20 to 60 ms each time, in which nobody is answered.
        """
        if self.alone and self.room is not None:
            if not self._dealt:  # a lesson begins: nobody plays yet
                gc.unfreeze()
                gc.collect()
            gc.freeze()
            self._dealt = len(self.room.lesson.tables) + 1

    def bring(self, content: bytes) -> Room:
        """Go on with a lesson whose file was brought from elsewhere; here it is called by when it
        began, as all are.

        :raises LedgerError: if it cannot be used; then the lesson that runs goes on.
        """
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = self._new_path()
        path.touch(mode=0o600)
        try:
            path.write_bytes(content)
            with closing(EventLog(path)) as ledger:
                began = ledger.time(1)
            path = path.rename(self._new_path(began))
            return self.begin(path)
        except EventLogError:
            for each in self.folder.glob(f"{path.stem}.*"):
                each.unlink()
            raise

    def _new_path(self, began: datetime | None = None) -> Path:
        """Return the file of a lesson that *began* then, or begins now: one that is not there yet."""
        name = f"{began or datetime.now():%Y-%m-%d-%H%M%S}"
        paths = (self.folder / f"{name}{f'-{n}' if n > 1 else ''}.lesson" for n in count(1))
        return next(each for each in paths if not each.exists())

    def prepare(self, wanted: StartRequest, language: str, app: Any) -> None:
        """Do what the command line asks for.

        :raises OSError: if the room cannot be opened.
        :raises RoomError: if the newest lesson's file cannot be used.
        """
        self.wanted_port, self.public = wanted.port, wanted.public
        newest = next(iter(self.unfinished()), None) if wanted.go_on else None
        settings = {"language": language} | ({"game": wanted.game} if wanted.game else {})
        try:
            self.begin(newest, **settings)
        except EventLogError as error:
            raise RoomError(
                "room.no_go_on", name=newest.name if newest else "", why=error
            ) from error
        if wanted.address:
            self.open_room(app, wanted.address, wanted.port)

    def unfinished(self) -> list[Path]:
        """Return the lessons that can be gone on with, the newest first."""
        here = self.ledger.path if self.ledger else None
        return [each for each in lesson_files(self.folder) if each != here]

    def end(self) -> None:
        """Leave the lesson; its file stays, unless nobody has ever joined."""
        self.close_room()
        self._ticking.stop()
        if self.contest is not None:
            self.contest.stopping = True
            self.contest = None
        for task in self._loops.values():
            task.cancel()
        self._loops = {}
        if self._workers is not None:
            self._workers.close()
            self._workers = None
        if self._clerk is not None:
            self._clerk.end()
            self._clerk = None
        ledger, room, writing = self.ledger, self.room, self._writing
        self.room = self.ledger = None
        self._writing, self._dealt = [], 0
        self._wake_waiters()
        if ledger is not None and room is not None:
            try:
                self._writer.submit(int).result(STALLED)  # what is being written now
            except (
                TimeoutError
            ):  # the disk does not answer: the file stays as it is, and so does the thread
                log.error("the lesson's file could not be closed: the disk does not answer")
                self._writer = ThreadPoolExecutor(1, "coursekit-ledger")
                return
            self._close(ledger, room, writing)

    def _close(self, ledger: EventLog, room: Room, writing: Sequence[Event]) -> None:
        """Write what has happened and is not in the file, and close it; if that fails, the teacher
        has been told.
        """
        if not room.lesson.people and not ledger.put_aside():
            with suppress(OSError):
                ledger.delete()
            return
        written = ledger.count if ledger.count is not None else self._kept
        if missing := room.count - written:
            with suppress(EventLogError):
                ledger.append([*writing, *room.pending][-missing:])
        ledger.close()

    def delete(self) -> None:
        """Leave the lesson and delete its file.

        :raises LedgerError: if the file stays.
        """
        ledger, room = self.ledger, self.room
        if room is not None:
            room.count -= len(room.pending)
            room.pending.clear()
        self.close_room(again=False)
        if self.contest is not None:
            self.contest.deleted = True
        self.end()
        if ledger is not None:
            for folder in _leagues(ledger.path):
                shutil.rmtree(folder, ignore_errors=True)
            try:
                ledger.delete()
            except OSError as error:  # Windows keeps what another program has open
                raise EventLogError("", "disk.locked") from error

    # A league

    def play_league(self, language: str) -> None:
        """Let the strategies that were handed in play each other, while the room goes on.

        :raises LocalizedError: if a league is under way, or there are too few.
        """
        room, ledger = self.room, self.ledger
        assert room is not None
        assert ledger is not None
        if self.contest is not None and not self.contest.over:
            raise RoomError("room.league_plays")
        lesson = room.lesson
        fine = {
            person: each.source
            for person, each in lesson.entries.items()
            if each.strategy and not lesson.people[person].left
        }
        if not 2 <= len(fine) <= MOST:
            raise RoomError("league.how_many", got=len(fine), most=MOST)
        number = len(_leagues(ledger.path)) + 1
        entries = {
            file_name(person, lesson.name(person, language)): fine[person] for person in fine
        }
        folder = ledger.path.with_name(f"{ledger.path.stem}-{number}{LEAGUE}")
        game = kit_of(lesson.settings.game).standard()
        news = partial(IOLoop.current().add_callback, self.tell_door)
        self.contest = ClassLeague(folder, game, entries, language, news)
        self._start(asyncio.to_thread(self.contest.play))

    def stop_league(self) -> None:
        """End the league after the round that is played; its results are kept."""
        if self.contest is not None:
            self.contest.stopping = True

    async def _check(self, room: Room) -> None:
        """Check strategies that were handed in, some of those that wait, each in a process of its
        own.
        """
        waiting = dict(islice(room.unchecked().items(), CHECKED))
        sources = [(f"{person}.py", entry.source) for person, entry in waiting.items()]
        try:
            game = kit_of(room.lesson.settings.game).standard()
            found = await asyncio.to_thread(check_sources, game, sources, trial=True)
        except Exception as error:  # no process can be started
            log.exception("strategies could not be checked")
            found = [LocalizedError("", "league.unchecked", why=type(error).__name__)] * len(
                sources
            )
        if room is self.room:
            for (person, entry), answer in zip(waiting.items(), found, strict=True):
                room.check(person, entry, answer)
            self.touch()

    # The room

    def open_room(self, app: Any, address: str, port: int) -> None:
        """Let phones in at *address* and *port*; if that cannot be, a room that is open stays as it
        is.

        :raises OSError: if this computer does not have them.
        """
        if self.address and (address, port) == (self.address, self.port):
            return
        listener = socket.create_server((address, port), backlog=256)
        self.close_room()
        server = HTTPServer(
            app, idle_connection_timeout=5, max_header_size=8192, max_body_size=1024, body_timeout=5
        )
        self._gate = ConnectionLimit(listener, server, self._crowded, SPARE)
        self.address, self.port = address, listener.getsockname()[1]
        self.opened, self.reached = time.monotonic(), False
        if self.room is not None:
            self.room.open = True
        self._news()

    def _crowded(self) -> None:
        """Tell the teacher that not every phone gets in."""
        if self.room is not None and not any(
            each.text == "room.crowded" for each in self.room.notes
        ):
            self.room.note("room.crowded", allowed=most_files())
            log.error(self.room.notes[-1].sentence(self.room.lesson.settings.language))
            self._news()

    def close_room(self, again: bool = True) -> None:
        """Let nobody in any more, and end all connections of phones, which come back if the room
        opens *again*.
        """
        if self._gate is not None:
            self._gate.close()
            self._gate = None
        self.address = ""
        if self.room is not None:
            self.room.open = False
        for each in [each for each in self.connections if each.page.role == "phone"]:
            words = "room.closed" if again else "room.lesson_over"
            said = RoomError(words).sentence(each.page.language)
            self._drop(each, {"type": "closed", "again": again, "text": said})
        self._news()

    @property
    def url(self) -> str:
        """The address that phones open; "" while the room is closed."""
        return (self.public or f"http://{self.address}:{self.port}") if self.address else ""

    def door(self) -> dict[str, Any]:
        """Return what pages of the teacher are told of the room's door."""
        waited = time.monotonic() - self.opened
        return {
            "url": self.url,
            "unreached": bool(self.address) and not self.reached and waited > NOBODY,
        }

    def tell_door(self) -> None:
        """Tell the teacher's pages how phones get in."""
        self._described = self.door()
        told = _json(self.describe(self))
        for each in self.connections:
            if each.page.role != "phone":
                each.put(0, told)

    def _news(self) -> None:
        if self.room is not None:
            self.room.changed += 1
            self.touch()

    # Pages

    def connect(self, page: Page, send: Send, close: Callable[[], None]) -> Connection:
        """Let a page in.

        :raises RoomError: if there are too many.
        """
        if page.role == "phone":
            phones = [each for each in self.connections if each.page.role == "phone"]
            strangers = [each for each in phones if each.page.person is None]
            if len(phones) >= CONNECTIONS and not strangers:
                raise RoomError("room.too_many")
            if len(phones) >= CONNECTIONS:
                strangers[0].close()
                self.leave(strangers[0])
            if not self.reached:
                self.reached = True
                self._news()
        connection = Connection(page, send, close)
        connection.task = self._start(self._send(connection))
        self.connections.append(connection)
        if self.room is not None:
            self.room.connect(page)
            self.touch()
        return connection

    def leave(self, connection: Connection) -> None:
        """Forget a page that has gone."""
        if connection in self.connections:
            self.connections.remove(connection)
            self._untold.pop(connection, None)
            if connection.task is not None and connection.task is not asyncio.current_task():
                connection.task.cancel()
            if self.room is not None:
                self.room.leave(connection.page)
                self.touch()

    def receive(self, connection: Connection, words: str | bytes) -> None:
        """Do what a phone asks for."""
        page, room = connection.page, self.room
        if room is None or page.closed:
            return
        if not connection.pace.take(len(words), time.monotonic()):
            self._refuse(connection, "room.too_fast")
            return
        if len(page.out) > UNTOLD:
            connection.close()
            self.leave(connection)
            return
        before, n, kind = room.mark, None, ""
        try:
            message = read(words)
            n, kind = message.get("n"), message["type"]
            room.hear(page, message)
        except RoomError as error:
            page.say("refused", n=message_number(words), text=error.sentence(page.language))
        except Exception:  # a mistake in the kit; its words might name cards
            log.exception("a room could not do what a phone asked for")
            page.say("refused", n=n, text=RoomError("room.mistake").sentence(page.language))
        if page.person is not None and len(room.pages_of(page.person)) > PER_PERSON:
            self._refuse(connection, "room.too_many")
        self._say_at_once(connection)
        if kind != "ping" or page.out or room.mark != before:
            self.touch()
        self._have_made(room)

    def order(self, page: Page, message: Any) -> None:
        """Do what the teacher's console asks of the lesson."""
        if self.room is not None:
            self.teacher.order(page, message)
            self.touch()

    def again(self, page: Page) -> None:
        """Tell a page all anew, which has refused what was not meant for it."""
        if self.room is not None:
            self.room.tell_again(page)
            self.touch()

    def _refuse(self, connection: Connection, words: str) -> None:
        said = RoomError(words).sentence(connection.page.language)
        self._drop(connection, {"type": "refused", "n": None, "text": said})

    def _drop(self, connection: Connection, last: dict[str, Any]) -> None:
        """End a connection after one *last* message."""
        self.leave(connection)
        with suppress(Exception):  # it ends in any case
            sent = connection.send(_json(last))
            if isawaitable(sent):
                self._start(_sent(sent))
        connection.close()

    # Time

    def _tick(self) -> None:
        now = time.monotonic()
        passed, self._last = now - self._last, now
        if passed > STALLED:  # the computer has slept
            self._kept_at = self._told = self._sent_at = now
        room = self.room
        if room is None or self._workers is None:
            return
        self._keep_running()
        self._watch(now)
        if self.door() != self._described:
            self.tell_door()
        if self._dealt <= len(room.lesson.tables):
            self._last_objects()
        if room.unchecked() and (self._checking is None or self._checking.done()):
            self._checking = self._start(self._check(room))
        before = room.mark
        for job in room.pass_time(passed):
            self._workers.ask(job)
        for each in list(self.connections):
            page = each.page
            if page.role == "phone" and not page.welcome and now - each.since > SILENT:
                each.close()
                self.leave(each)
        if room.pending or before != room.mark:
            self.touch()

    def _thought(self, room: Room, job: Job, action: Any, stopped: bool) -> None:
        if room is self.room:  # else it is the answer to a lesson that has been left
            if stopped:
                room.note("room.stopped", strategy=job.player, table=job.table)
            room.thought(job, action)
            self.touch()

    def _watch(self, now: float) -> None:
        """Tell the teacher if for some seconds nothing could be written or sent although there was
        something.
        """
        room = self.room
        assert room is not None
        if not (self._writing or room.pending):
            self._kept_at = now
        if not self._untold:
            self._told = now
        if not any(
            each.page.role == "phone" and each.waits(self._kept) for each in self.connections
        ):
            self._sent_at = now
        waits = now - min(self._kept_at, self._told, self._sent_at)
        if waits <= STALLED and room.trouble is not None and room.trouble.text == "room.stalled":
            self._untrouble(room)
        elif waits > STALLED and room.trouble is None:
            room.trouble = LocalizedError("", "room.stalled", seconds=round(waits))
            self._tell_trouble(room)

    # What runs all the time

    def _start(self, work: Any) -> asyncio.Task[Any]:
        """Let *work* run by itself; if it fails, that is logged."""
        task: asyncio.Task[Any] = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a task of a room has failed", exc_info=error)

    def _keep_running(self) -> None:
        """Start what writes and what tells, and start it again should a mistake in the kit have
        ended it.
        """
        for work in (self._write, self._tell):
            if work not in self._loops or self._loops[work].done():
                self._loops[work] = self._start(work())

    def touch(self) -> None:
        """See to it that what has happened is kept, and everybody is told."""
        self._happened.set()
        self._untold.update(dict.fromkeys(self.connections))
        self._news_there.set()

    async def _write(self) -> None:
        """Write what has happened into the file, again and again.

        What happens meanwhile is written next: so actions of some milliseconds are one transaction.
        """
        loop = asyncio.get_running_loop()
        while self.room is not None and self.ledger is not None:
            if not self._writing:
                await self._happened.wait()
                self._happened.clear()
                self._writing, self.room.pending = self.room.pending, []
            if self._writing and await self._written(loop, self.room, self.ledger):
                self._kept += len(self._writing)
                self._writing = []
                self._kept_at = time.monotonic()
                for each in self.connections:
                    each.news.set()
                self._wake_waiters()

    def _wake_waiters(self) -> None:
        waiters, self._waiters = self._waiters, []
        for waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)

    async def _written(self, loop: asyncio.AbstractEventLoop, room: Room, ledger: EventLog) -> bool:
        """Write :attr:`_writing`; if that fails, tell the teacher, wait a moment, and return
        ``False``.
        """
        try:
            await loop.run_in_executor(self._writer, ledger.append, self._writing)
        except Exception as error:
            trouble = (
                error
                if isinstance(error, LocalizedError)
                else LocalizedError("", "disk.fault", name=type(error).__name__)
            )
            if room.trouble is None or room.trouble.text != trouble.text:
                room.trouble = trouble
                self._tell_trouble(room)
            await asyncio.sleep(RETRY)
            return False
        if room.trouble is not None:
            self._untrouble(room)
        return True

    def _untrouble(self, room: Room) -> None:
        room.trouble = None
        room.changed += 1
        self.touch()

    def _tell_trouble(self, room: Room) -> None:
        """Say on the terminal and on the console what is wrong."""
        log.error(
            RoomError("console.trouble", why=room.trouble).sentence(room.lesson.settings.language)
        )
        room.changed += 1
        for each in self.connections:
            if each.page.role == "console":
                self._tell_page(room, each)

    async def _tell(self) -> None:
        """Tell each page what is new for it, again and again; others have their turn between two
        pages.

        A page that has not taken what it was told before is told the present once it has.
        """
        while self.room is not None:
            if not self._untold:
                self._news_there.clear()
                await self._news_there.wait()
                continue
            connection = next(iter(self._untold))
            del self._untold[connection]
            if connection.busy:
                connection.behind = True
            elif self._tell_page(self.room, connection):
                await asyncio.sleep(0)
            self._told = time.monotonic()

    def _tell_page(self, room: Room, connection: Connection) -> bool:
        """Have a page sent what is new for it; return whether there was anything."""
        page = connection.page
        # Nobody is answered before it is in the file, but the teacher, who has to hear that it
        # cannot be written.
        number = 0 if page.role == "console" else room.count
        messages = room.news(page)
        try:
            words = [_json(message) for message in messages]
        except Exception:  # a mistake in the kit: what it is told cannot be written
            log.exception(
                "a page cannot be told what is new: %s, person %s", page.role, page.person
            )
            page.forget()
            said = RoomError("room.mistake").sentence(page.language)
            words = [_json({"type": "refused", "n": None, "text": said})]
        connection.put(number, *words)
        return bool(words)

    def _say_at_once(self, connection: Connection) -> None:
        page = connection.page
        messages, page.at_once = page.at_once, []
        connection.put(0, *map(_json, messages))
        if connection.size > SLOW:
            connection.close()
            self.leave(connection)

    async def _send(self, connection: Connection) -> None:
        """Send a page what is put in its outbox, as long as it is connected."""
        try:
            while True:
                await connection.news.wait()
                connection.news.clear()
                while (words := connection.take(self._kept)) is not None:
                    waits = connection.send(words)
                    connection.sending = True
                    if isawaitable(waits):
                        async with asyncio.timeout(STUCK):
                            await waits
                    connection.sending = False
                    if connection.page.role == "phone":
                        self._sent_at = time.monotonic()
                if not connection.busy and connection.page.closed and not connection.page.out:
                    break
                if not connection.busy and connection.behind:
                    connection.behind = False
                    self._untold[connection] = None
                    self._news_there.set()
        except (WebSocketClosedError, TimeoutError):
            pass  # it has gone, or does not read: it comes back by itself
        finally:
            with suppress(Exception):  # whatever is wrong with the connection, the page is left
                connection.close()
            self.leave(connection)

    # What takes long to make

    def _have_made(self, room: Room) -> None:
        """Have made what pages have asked for."""
        asked, room.asked = room.asked, []
        for each in asked:
            self._start(self._make(room, each))

    async def _make(self, room: Room, asked: PendingRequest) -> None:
        try:
            made = await self.made(asked.request)
        except LocalizedError as error:
            made = error
        except Exception:  # a mistake in the kit
            log.exception("%s could not be made", asked.request.what)
            made = RoomError("room.mistake")
        if room is self.room:
            room.answer(asked, made)
            self._have_made(room)
            self.touch()

    async def made(self, request: Request) -> Any:
        """Return what is made of the lesson in a process of its own.

        :raises LocalizedError: if it cannot be had; the sentence says why.
        """
        room, ledger, clerk = self.room, self.ledger, self._clerk
        if room is None or ledger is None or clerk is None:
            raise RoomError("room.lesson_over")
        number, mark = room.count, answer_key(room.lesson, request)
        while self._kept < number and room is self.room:
            waiter = asyncio.get_running_loop().create_future()
            self._waiters.append(waiter)
            await waiter
        return await clerk.ask(Task(ledger.path, number, request), mark)

    async def copied(self, goal: Path) -> None:
        """Write the whole lesson to the file *goal*."""
        assert self.ledger is not None
        await asyncio.get_running_loop().run_in_executor(self._writer, self.ledger.copy, goal)


async def _sent(waits: Awaitable[Any]) -> None:
    """Wait until something is sent; it does not matter whether it arrives."""
    with suppress(WebSocketClosedError):
        await waits


def _leagues(lesson: Path) -> list[Path]:
    """Return the folders of the leagues of a *lesson*'s file."""
    return list(lesson.parent.glob(f"{lesson.stem}-*{LEAGUE}"))


def _json(message: Any) -> str:
    return escape_surrogates(json.dumps(message, ensure_ascii=False, separators=(",", ":")))
