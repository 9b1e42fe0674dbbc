"""The writer of a lesson's events: they are on the disk before anything is answered."""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from pathlib import Path
from typing import Any

from coursekit.core.errors import LocalizedError
from coursekit.room.event_log import EventLog, EventLogError
from coursekit.room.lesson import Event
from coursekit.room.room import Room

RETRY = 1.0
"""Seconds until what could not be written is tried again."""
PATIENCE = 5.0
"""Seconds that a lesson's end waits for a disk that does not answer."""
log = logging.getLogger(__name__)


class EventWriter:
    """Writes the events of a room into its file, in a thread.

    :param trouble: called with the reason if that fails, ``None`` once it works again.
    :param progress: called when events have been written.
    """

    def __init__(
        self,
        room: Room,
        event_log: EventLog,
        trouble: Callable[[LocalizedError | None], None],
        progress: Callable[[], None],
    ) -> None:
        self.room = room
        self.event_log = event_log
        self.written = room.count - len(room.pending)
        """How many events are in the file."""
        self.happened = asyncio.Event()
        """Set when there may be something to write."""
        self._trouble = trouble
        self._progress = progress
        self._batch: list[Event] = []  # on its way to the disk
        self._thread = ThreadPoolExecutor(1, "coursekit-events")
        self._tasks: list[Future[None]] = []  # of the thread, that may not be done yet
        self._waiters: list[tuple[int, asyncio.Future[None]]] = []

    @property
    def busy(self) -> bool:
        """Whether something is still to be written."""
        return bool(self._batch or self.room.pending)

    async def run(self) -> None:
        """Write what has happened into the file, again and again.

        What happens meanwhile is written next: so actions of some milliseconds are one transaction.
        """
        while True:
            if not self._batch:
                await self.happened.wait()
                self.happened.clear()
                self._batch, self.room.pending = self.room.pending, []
            if self._batch:
                await self._write_batch()

    async def _write_batch(self) -> None:
        """Write the batch; if that fails, wait a moment: it is tried again."""
        try:
            await self._in_thread(self.event_log.append, self._batch)
        except Exception as error:
            is_known = isinstance(error, LocalizedError)
            # Whatever the disk answers, the same events are tried again.
            fault = LocalizedError("", "disk.fault", name=type(error).__name__)
            self._trouble(error if is_known else fault)  # type: ignore[arg-type]
            await asyncio.sleep(RETRY)
            return
        self.written += len(self._batch)
        self._batch = []
        self._trouble(None)
        self._wake()
        self._progress()

    async def _in_thread(self, function: Callable[[Any], None], argument: Any) -> None:
        task = self._thread.submit(function, argument)
        self._tasks = [task, *[earlier for earlier in self._tasks if not earlier.done()]]
        await asyncio.wrap_future(task)

    def _wake(self, all_waiters: bool = False) -> None:
        waiting = self._waiters
        self._waiters = []
        for number, waiter in waiting:
            if number > self.written and not all_waiters:
                self._waiters.append((number, waiter))
            elif not waiter.done():
                waiter.set_result(None)

    async def wait_for(self, number: int) -> None:
        """Wait until the first *number* events are in the file, or the lesson is left."""
        if self.written < number:
            waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiters.append((number, waiter))
            await waiter

    async def copy(self, goal: Path) -> None:
        """Write the whole lesson to the file *goal*."""
        await self._in_thread(self.event_log.copy, goal)

    def close(self) -> None:
        """Write what is not in the file, and close it; if nobody has ever joined, delete it.

        If writing fails, the console has said so before; a disk that does not answer keeps the
        file as it is.
        """
        self._wake(all_waiters=True)
        _, unfinished = wait(self._tasks, PATIENCE)
        self._thread.shutdown(wait=False)
        if unfinished:
            log.error("the lesson's file could not be closed: the disk does not answer")
            return
        event_log = self.event_log
        if not self.room.lesson.people and not event_log.damaged_files():
            with suppress(OSError):
                event_log.delete()
            return
        written = event_log.count if event_log.count is not None else self.written
        missing = self.room.count - written
        if missing:
            with suppress(EventLogError):
                event_log.append([*self._batch, *self.room.pending][-missing:])
        event_log.close()
