"""A process that follows the lesson's file, and makes of it what takes long; see
:mod:`.analysis_requests`.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from coursekit.core.errors import LocalizedError
from coursekit.room.analysis_requests import make
from coursekit.room.event_log import read_events
from coursekit.room.lesson import Lesson
from coursekit.room.page import Request
from coursekit.room.phone_messages import RoomError
from coursekit.room.worker_process import WorkerError, WorkerProcess

LONGEST = 60.0
"""Seconds after which something that is not made is given up."""
KEPT = 128
"""Answers kept, the latest ones."""
log = logging.getLogger(__name__)


class Task(NamedTuple):
    """What the process is asked for."""

    path: Path
    """The lesson's file."""
    events: int
    """How many of its events have happened."""
    request: Request


def work(pipe: Any) -> None:
    """Answer whatever comes through *pipe*, until it is closed."""
    desk = LessonReader()
    with suppress(EOFError, OSError):
        pipe.send(None)
        while True:
            pipe.send(desk.answer(pipe.recv()))


class LessonReader:
    """What the process knows: the lesson, as far as its file has been read."""

    def __init__(self) -> None:
        self._path, self._lesson, self._known = Path(), Lesson(), 0

    def answer(self, task: Task) -> Any:
        """Return what *task* asks for, or the error that keeps it from being made."""
        try:
            self._follow(task)
        except Exception as error:
            self._path = Path()  # it is read anew the next time
            return WorkerError(f"the lesson cannot be read: {error!r}")
        try:
            return make(self._lesson, task.request)
        except LocalizedError as error:
            return error
        except Exception as error:
            return WorkerError(f"{task.request.what} cannot be made: {error!r}")

    def _follow(self, task: Task) -> None:
        if task.path != self._path:
            self._path, self._lesson, self._known = task.path, Lesson(), 0
        if task.events > self._known:  # else something that was asked for later has come before
            self._lesson.follow(read_events(task.path, self._known, task.events))
            self._known = task.events


class AnalysisProcess:
    """Has things made by one process, the quick ones first, and keeps them as long as they stay the
    same.

    :param does: what the process runs, see :class:`.WorkerProcess`.
    """

    def __init__(self, does: Callable[[Any], None] = work) -> None:
        self._helper = WorkerProcess(does)
        self._thread = ThreadPoolExecutor(1, "coursekit-clerk")
        self._line: asyncio.PriorityQueue[tuple[bool, int, tuple[Request, Hashable], Task]] = (
            asyncio.PriorityQueue()
        )
        self._numbers = count()
        self._waiting: dict[tuple[Request, Hashable], asyncio.Future[Any]] = {}
        self._kept: OrderedDict[Request, tuple[Hashable, Any]] = OrderedDict()
        self._working: asyncio.Task[None] | None = None
        self._ended = False

    async def ask(self, task: Task, mark: Hashable) -> Any:
        """Return what *task* asks for; who asks for the same meanwhile gets the same.

        :param mark: what the answer depends on, see :func:`.answer_key`.
        :raises LocalizedError: if it cannot be had; the sentence says why.
        """
        if task.request in self._kept and self._kept[task.request][0] == mark:
            return self._kept[task.request][1]
        name = (task.request, mark)
        if name not in self._waiting:
            self._waiting[name] = asyncio.get_running_loop().create_future()
            self._line.put_nowait(
                (task.request.what != "suggestion", next(self._numbers), name, task)
            )
        if self._working is None or self._working.done():
            self._working = asyncio.create_task(self._work())
        answer = await asyncio.shield(self._waiting[name])
        if isinstance(answer, LocalizedError):
            raise answer
        return answer

    async def _work(self) -> None:
        """Have made what is asked for until the line is empty."""
        loop = asyncio.get_running_loop()
        while not self._line.empty():
            *_, name, task = self._line.get_nowait()
            try:
                answer = await loop.run_in_executor(self._thread, self._helper.ask, task, LONGEST)
            except (
                Exception,
                asyncio.CancelledError,
            ) as error:  # the process has died, or has been ended
                answer = error
            if isinstance(answer, BaseException) and not isinstance(answer, LocalizedError):
                if not self._ended:
                    log.error("%s", answer)
                answer = RoomError("room.mistake")
            elif not isinstance(answer, LocalizedError):
                self._kept[task.request] = (name[1], answer)
                self._kept.move_to_end(task.request)
                while len(self._kept) > KEPT:
                    self._kept.popitem(last=False)
            self._waiting.pop(name).set_result(answer)

    def end(self) -> None:
        """End the process at once; who waits for something is told that it cannot be had."""
        self._ended = True
        self._helper.end()
        self._thread.shutdown(wait=False, cancel_futures=True)
