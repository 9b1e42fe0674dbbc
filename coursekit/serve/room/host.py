"""The host of a room in the server's loop: messages in, events into the lesson's file, answers out.

An answer leaves once the events that it tells of are in the file.
"""

import asyncio
import gc
import logging
import shutil
import socket
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from inspect import isawaitable
from pathlib import Path
from typing import Any, NamedTuple

from tornado.httpserver import HTTPServer
from tornado.ioloop import IOLoop, PeriodicCallback
from tornado.websocket import WebSocketClosedError

from coursekit.core.errors import LocalizedError
from coursekit.core.page_messages import MessageError
from coursekit.room.event_log import EventLog, EventLogError, lesson_files
from coursekit.room.limits import CONNECTIONS, PER_PERSON
from coursekit.room.page import Page, PendingRequest, Request
from coursekit.room.phone_messages import PhoneMessages
from coursekit.room.room import Room
from coursekit.room.room_table import Job
from coursekit.room.teacher_commands import TeacherCommands
from coursekit.serve.personal_data import LEAGUE
from coursekit.serve.room.class_league import ClassLeague, check_submissions, league_of
from coursekit.serve.room.connection import Connection, Send, to_json
from coursekit.serve.room.connection_limit import SPARE, ConnectionLimit, most_files
from coursekit.serve.room.lesson_folder import (
    bring_lesson,
    delete_lesson,
    league_folders,
    new_path,
    open_lesson,
)
from coursekit.serve.room.running_lesson import RunningLesson

PORT = 8870
TICK = 200  # milliseconds between two looks at the time
SILENT = 10.0  # seconds in which a page must say which room it wants
NOBODY = 60.0  # seconds without a phone after which the teacher is told what may be wrong
STALLED = 5.0  # seconds in which nothing could be written or sent after which the teacher is told
# characters that may wait for a page; then it is cut off, and comes back to the present
SLOW = 1_000_000
STUCK = 20.0  # seconds that one message may take on its way to a page
UNTOLD = 200  # answers that may wait for a page that does not read
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
        self.folder = folder
        self.rules = rules
        self.address = ""
        """Where phones reach the room; "" while it is closed."""
        self.port = 0
        self.wanted_port = PORT
        self.public = ""
        """The address of a reverse proxy in front of the room; "" if there is none."""
        self.opened = 0.0
        self.reached = False
        """Whether a phone has reached the room since it was opened."""
        self.connections: list[Connection] = []
        self.describe: Callable[[RoomHost], dict[str, Any]] = lambda host: {}
        """Returns what the teacher's pages show of the door."""
        self.league: ClassLeague | None = None
        """The league that is played, or was last."""
        self.alone = False
        """Whether this process has nothing else to do."""
        self._described: dict[str, Any] = {}
        self._limit: ConnectionLimit | None = None
        self._running: RunningLesson | None = None
        self._untold: dict[Connection, None] = {}  # may have news; the longest wait comes first
        self._news_there = asyncio.Event()
        self._written = 0  # events in the file at the last tick
        self._tick_at = time.monotonic()
        self._stand_still(self._tick_at)
        self._ticking = PeriodicCallback(self._tick, TICK)
        self._loops: dict[Callable[[], Any], asyncio.Task[None]] = {}  # as long as the lesson
        self._tasks: set[asyncio.Task[Any]] = set()  # what ends by itself
        self._checking: asyncio.Task[None] | None = None
        self._frozen_tables = 0  # when the garbage collector was last told what lasts

    # The lesson

    @property
    def room(self) -> Room | None:
        """The room of the lesson."""
        return self._running.room if self._running is not None else None

    @property
    def event_log(self) -> EventLog | None:
        """The file of the lesson."""
        return self._running.writer.event_log if self._running is not None else None

    def begin(self, path: Path | None = None, **settings: Any) -> Room:
        """Begin a new lesson, or go on with the one in *path*.

        Tables of a lesson that goes on stand still until the teacher goes on.

        :raises EventLogError: if its file cannot be used.
        """
        # The new lesson is opened before the old one is left: if that fails, the old one goes on.
        event_log, room = open_lesson(path or new_path(self.folder), **settings)
        if path is not None:
            room.hold()
        self.end()
        room.open = False
        accept = partial(IOLoop.current().add_callback, self._accept_decision)
        self._running = RunningLesson(
            room, event_log, self._take_trouble, self._tell_progress, accept
        )
        for connection in self.connections:
            connection.clear()
            room.connect(connection.page)
        self._tick_at = time.monotonic()
        self._stand_still(self._tick_at)
        self._ticking.start()
        self._keep_running(self._running)
        self._freeze_objects()
        self.touch()
        return room

    def _freeze_objects(self) -> None:
        """Tell the garbage collector that what is there lasts as long as the lesson.

        To look through all tables takes it 20 to 60 ms each time, in which nobody is answered.
        """
        if self.alone and self.room is not None:
            if not self._frozen_tables:  # a lesson begins: nobody plays yet
                gc.unfreeze()
                gc.collect()
            gc.freeze()
            self._frozen_tables = len(self.room.lesson.tables) + 1

    def bring(self, content: bytes) -> Room:
        """Go on with a lesson whose file was brought from elsewhere.

        :raises EventLogError: if it cannot be used; then the lesson that runs goes on.
        """
        path = bring_lesson(self.folder, content)
        try:
            return self.begin(path)
        except EventLogError:
            delete_lesson(path)
            raise

    def prepare(self, wanted: StartRequest, language: str, app: Any) -> None:
        """Do what the command line asks for.

        :raises OSError: if the room cannot be opened.
        :raises MessageError: if the newest lesson's file cannot be used.
        """
        self.wanted_port = wanted.port
        self.public = wanted.public
        newest = next(iter(self.unfinished()), None) if wanted.go_on else None
        settings = {"language": language} | ({"game": wanted.game} if wanted.game else {})
        try:
            self.begin(newest, **settings)
        except EventLogError as error:
            name = newest.name if newest else ""
            raise MessageError("room.no_go_on", name=name, why=error) from error
        if wanted.address:
            self.open_room(app, wanted.address, wanted.port)

    def unfinished(self) -> list[Path]:
        """Return the lessons that can be gone on with, the newest first."""
        here = self.event_log.path if self.event_log is not None else None
        return [path for path in lesson_files(self.folder) if path != here]

    def end(self) -> None:
        """Leave the lesson; its file stays, unless nobody has ever joined."""
        self.close_room()
        self._ticking.stop()
        if self.league is not None:
            self.league.stopping = True
            self.league = None
        for task in self._loops.values():
            task.cancel()
        self._loops = {}
        self._frozen_tables = 0
        running, self._running = self._running, None
        if running is not None:
            running.end()

    def delete(self) -> None:
        """Leave the lesson and delete its file.

        :raises EventLogError: if the file stays.
        """
        event_log = self.event_log
        if self.room is not None:
            self.room.count -= len(self.room.pending)
            self.room.pending.clear()
        self.close_room(again=False)
        if self.league is not None:
            self.league.deleted = True
        self.end()
        if event_log is None:
            return
        for folder in league_folders(event_log.path):
            shutil.rmtree(folder, ignore_errors=True)
        try:
            event_log.delete()
        except OSError as error:  # Windows keeps what another program has open
            raise EventLogError("", "disk.locked") from error

    # A league

    def play_league(self, language: str) -> None:
        """Let the strategies that were handed in play each other, while the room goes on.

        :raises LocalizedError: if a league is under way, or there are too few.
        """
        assert self.room is not None
        assert self.event_log is not None
        if self.league is not None and not self.league.over:
            raise MessageError("room.league_plays")
        path = self.event_log.path
        folder = path.with_name(f"{path.stem}-{len(league_folders(path)) + 1}{LEAGUE}")
        news = partial(IOLoop.current().add_callback, self.tell_door)
        self.league = league_of(self.room.lesson, folder, language, news)
        self._start(asyncio.to_thread(self.league.play))

    def stop_league(self) -> None:
        """End the league after the round that is played; its results are kept."""
        if self.league is not None:
            self.league.stopping = True

    async def _check_submissions(self, room: Room) -> None:
        await check_submissions(room)
        self.touch()

    # The door of the room

    def open_room(self, app: Any, address: str, port: int) -> None:
        """Let phones in at *address* and *port*.

        :raises OSError: if this computer does not have them; a room that is open stays as it is.
        """
        if self.address and (address, port) == (self.address, self.port):
            return
        listener = socket.create_server((address, port), backlog=256)
        self.close_room()
        server = HTTPServer(
            app, idle_connection_timeout=5, max_header_size=8192, max_body_size=1024, body_timeout=5
        )
        self._limit = ConnectionLimit(listener, server, self._tell_crowded, SPARE)
        self.address = address
        self.port = listener.getsockname()[1]
        self.opened = time.monotonic()
        self.reached = False
        if self.room is not None:
            self.room.open = True
        self._tell_all()

    def _tell_crowded(self) -> None:
        """Tell the teacher that not every phone gets in."""
        if self.room is None or "room.crowded" in [note.error.text for note in self.room.notes]:
            return
        self.room.note("room.crowded", allowed=most_files())
        log.error(self.room.notes[-1].error.sentence(self.room.lesson.settings.language))
        self._tell_all()

    def close_room(self, again: bool = True) -> None:
        """Let nobody in any more, and end all connections of phones.

        :param again: whether they come back if the room opens again.
        """
        if self._limit is not None:
            self._limit.close()
            self._limit = None
        self.address = ""
        if self.room is not None:
            self.room.open = False
        error = MessageError("room.closed" if again else "room.lesson_over")
        for connection in list(self.connections):
            if connection.is_phone:
                words = error.sentence(connection.page.language)
                self._drop(connection, {"type": "closed", "again": again, "text": words})
        self._tell_all()

    @property
    def url(self) -> str:
        """The address that phones open; "" while the room is closed."""
        return (self.public or f"http://{self.address}:{self.port}") if self.address else ""

    def door(self) -> dict[str, Any]:
        """Return how phones get in, as the teacher's pages show it."""
        waited = time.monotonic() - self.opened
        return {
            "url": self.url,
            "unreached": bool(self.address) and not self.reached and waited > NOBODY,
        }

    def tell_door(self) -> None:
        """Tell the teacher's pages how phones get in."""
        self._described = self.door()
        message = self.describe(self)
        for connection in self.connections:
            if not connection.is_phone:
                connection.put(0, message)

    def _tell_all(self) -> None:
        """Tell all pages of something that is no event."""
        if self.room is not None:
            self.room.changed += 1
            self.touch()

    # Pages

    def connect(self, page: Page, send: Send, close: Callable[[], None]) -> Connection:
        """Let a page in.

        :raises MessageError: if there are too many.
        """
        connection = Connection(page, send, close)
        if connection.is_phone:
            self._make_room()
            if not self.reached:
                self.reached = True
                self._tell_all()
        connection.task = self._start(self._send(connection))
        self.connections.append(connection)
        if self.room is not None:
            self.room.connect(page)
            self.touch()
        return connection

    def _make_room(self) -> None:
        """Close a connection of nobody if one more phone would be too many.

        :raises MessageError: if there is none.
        """
        phones = [connection for connection in self.connections if connection.is_phone]
        if len(phones) < CONNECTIONS:
            return
        for connection in phones:
            if connection.page.person is None:
                self._cut(connection)
                return
        raise MessageError("room.too_many")

    def leave(self, connection: Connection) -> None:
        """Forget a page that has gone."""
        if connection not in self.connections:
            return
        self.connections.remove(connection)
        self._untold.pop(connection, None)
        if connection.task is not None and connection.task is not asyncio.current_task():
            connection.task.cancel()
        if self.room is not None:
            self.room.leave(connection.page)
            self.touch()

    def _cut(self, connection: Connection) -> None:
        connection.close()
        self.leave(connection)

    def receive(self, connection: Connection, words: str | bytes) -> None:
        """Do what a phone asks for."""
        page, room = connection.page, self.room
        if room is None or page.closed:
            return
        if not connection.pace.take(len(words), time.monotonic()):
            self._refuse(connection, "room.too_fast")
            return
        if len(page.out) > UNTOLD:
            self._cut(connection)
            return
        before = room.mark
        kind = PhoneMessages(room).receive(page, words)
        if page.person is not None and len(room.pages_of(page.person)) > PER_PERSON:
            self._refuse(connection, "room.too_many")
        self._send_at_once(connection)
        if kind != "ping" or page.out or room.mark != before:
            self.touch()
        self._answer_requests(room)

    def order(self, connection: Connection, words: str | bytes, commands: TeacherCommands) -> None:
        """Do what a page of the teacher asks for; the answer does not wait for the file."""
        page = connection.page
        kind = commands.receive(page, words)
        page.at_once += page.out
        page.out = []
        self._send_at_once(connection)
        if kind != "ping":
            self.touch()

    def _refuse(self, connection: Connection, text_id: str) -> None:
        """End a connection that goes beyond a limit."""
        words = MessageError(text_id).sentence(connection.page.language)
        self._drop(connection, {"type": "refused", "n": None, "to": "", "text": words})

    def _drop(self, connection: Connection, last: dict[str, Any]) -> None:
        """End a connection after one *last* message."""
        self.leave(connection)
        with suppress(Exception):  # it ends in any case
            sending = connection.send(to_json(last))
            if isawaitable(sending):
                self._start(_finish(sending))
        connection.close()

    # Time

    def _tick(self) -> None:
        now = time.monotonic()
        passed = now - self._tick_at
        self._tick_at = now
        if passed > STALLED:  # the computer has slept
            self._stand_still(now)
        running = self._running
        if running is None:
            return
        room = running.room
        self._keep_running(running)
        self._watch(running, now)
        if self.door() != self._described:
            self.tell_door()
        if self._frozen_tables <= len(room.lesson.tables):
            self._freeze_objects()
        if room.unchecked_submissions() and (self._checking is None or self._checking.done()):
            self._checking = self._start(self._check_submissions(room))
        before = room.mark
        for job in room.pass_time(passed):
            running.strategies.ask(job)
        for connection in list(self.connections):
            is_stranger = connection.is_phone and not connection.page.welcome
            if is_stranger and now - connection.since > SILENT:
                self._cut(connection)
        if room.pending or before != room.mark:
            self.touch()

    def _accept_decision(self, room: Room, job: Job, action: Any, stopped: bool) -> None:
        if room is self.room:  # else it is the answer to a lesson that has been left
            if stopped:
                table = room.lesson.tables[job.table]
                room.note("room.stopped", at=table, strategy=job.player)
            room.accept_decision(job, action)
            self.touch()

    def _stand_still(self, now: float) -> None:
        """Count from *now* on how long nothing is written, told and sent."""
        self._written_at = now
        self._told_at = now
        self._sent_at = now

    def _watch(self, running: RunningLesson, now: float) -> None:
        """Tell the teacher if for some seconds nothing could be written or sent."""
        room, writer = running.room, running.writer
        if self._written != writer.written or not writer.busy:
            self._written = writer.written
            self._written_at = now
        if not self._untold:
            self._told_at = now
        phones = [connection for connection in self.connections if connection.is_phone]
        if not any(connection.may_send(writer.written) for connection in phones):
            self._sent_at = now
        waited = now - min(self._written_at, self._told_at, self._sent_at)
        is_stalled = room.trouble is not None and room.trouble.text == "room.stalled"
        if waited <= STALLED and is_stalled:
            self._take_trouble(None)
        elif waited > STALLED and room.trouble is None:
            self._take_trouble(LocalizedError("", "room.stalled", seconds=round(waited)))

    def _take_trouble(self, trouble: LocalizedError | None) -> None:
        """Say on terminal and console why nothing can be kept, or that it works again."""
        room = self.room
        if room is None or trouble is room.trouble:
            return
        if trouble is None:
            room.trouble = None
            self._tell_all()
            return
        if room.trouble is not None and room.trouble.text == trouble.text:
            return
        room.trouble = trouble
        words = MessageError("console.trouble", why=trouble)
        log.error(words.sentence(room.lesson.settings.language))
        room.changed += 1
        for connection in self.connections:
            if connection.page.role == "console":
                self._tell_page(room, connection)

    # What runs all the time

    def _start(self, work: Any) -> asyncio.Task[Any]:
        """Let *work* run by itself; if it fails, that is logged."""
        task: asyncio.Task[Any] = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._forget_task)
        return task

    def _forget_task(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            log.error("a task of a room has failed", exc_info=error)

    def _keep_running(self, running: RunningLesson) -> None:
        """Start what writes and what tells; start it again if a mistake in the kit has ended it."""
        for work in (running.writer.run, self._tell):
            if work not in self._loops or self._loops[work].done():
                self._loops[work] = self._start(work())

    def touch(self) -> None:
        """Have what has happened written, and everybody told."""
        if self._running is not None:
            self._running.writer.happened.set()
        self._untold.update(dict.fromkeys(self.connections))
        self._news_there.set()

    def _tell_progress(self) -> None:
        """Let what waits for events to be in the file be sent."""
        for connection in self.connections:
            connection.news.set()

    async def _tell(self) -> None:
        """Tell each page what is new for it, again and again; between two pages others run.

        A page that has not taken the messages before gets the present once it has.
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
            self._told_at = time.monotonic()

    def _tell_page(self, room: Room, connection: Connection) -> bool:
        """Have a page sent what is new for it; return whether there was anything."""
        page = connection.page
        # Nobody is answered before it is in the file, but the teacher, who has to hear that it
        # cannot be written.
        number = 0 if page.role == "console" else room.count
        messages = room.news(page)
        try:
            connection.put(number, *messages)
        except Exception:  # a mistake in the kit: what it is told cannot be written
            failure = "a page cannot be told what is new: %s, person %s"
            log.exception(failure, page.role, page.person)
            page.forget()
            page.refuse(MessageError("room.mistake"))
            connection.put(number, *page.out)
            page.out = []
        return bool(messages)

    def _send_at_once(self, connection: Connection) -> None:
        page = connection.page
        connection.put(0, *page.at_once)
        page.at_once = []
        if connection.size > SLOW:
            self._cut(connection)

    async def _send(self, connection: Connection) -> None:
        """Send a page what is put in its outbox, as long as it is connected."""
        try:
            while True:
                await connection.news.wait()
                connection.news.clear()
                await self._send_all(connection)
                if connection.busy:
                    continue
                if connection.page.closed and not connection.page.out:
                    break
                if connection.behind:
                    connection.behind = False
                    self._untold[connection] = None
                    self._news_there.set()
        except (WebSocketClosedError, TimeoutError):
            pass  # it has gone, or does not read: it comes back by itself
        finally:
            with suppress(Exception):  # whatever is wrong with the connection, the page is left
                connection.close()
            self.leave(connection)

    async def _send_all(self, connection: Connection) -> None:
        """Send what may be sent now."""
        while True:
            running = self._running
            words = connection.take(running.writer.written if running is not None else 0)
            if words is None:
                return
            sending = connection.send(words)
            connection.sending = True
            if isawaitable(sending):
                async with asyncio.timeout(STUCK):
                    await sending
            connection.sending = False
            if connection.is_phone:
                self._sent_at = time.monotonic()

    # What takes long to make

    def _answer_requests(self, room: Room) -> None:
        """Have answered what pages have asked for."""
        requests, room.requests = room.requests, []
        for pending in requests:
            self._start(self._answer(room, pending))

    async def _answer(self, room: Room, pending: PendingRequest) -> None:
        answer: Any
        try:
            answer = await self.analyse(pending.request)
        except LocalizedError as error:
            answer = error
        except Exception:  # a mistake in the kit
            log.exception("%s could not be made", pending.request.what)
            answer = MessageError("room.mistake")
        if room is self.room:
            room.answer_request(pending, answer)
            self._answer_requests(room)
            self.touch()

    async def analyse(self, request: Request) -> Any:
        """Return what a process of its own makes of the lesson.

        :raises LocalizedError: if it cannot be had; the sentence says why.
        """
        if self._running is None:
            raise MessageError("room.lesson_over")
        return await self._running.analyse(request)

    async def copy_lesson(self, goal: Path) -> None:
        """Write the whole lesson to the file *goal*."""
        assert self._running is not None
        await self._running.writer.copy(goal)


async def _finish(sending: Awaitable[Any]) -> None:
    """Wait until something is sent; it does not matter whether it arrives."""
    with suppress(WebSocketClosedError):
        await sending
