"""A process that follows the lesson's file, and answers what takes long to make of it.

See :mod:`.analysis_requests`.
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
from coursekit.core.page_messages import MessageError
from coursekit.room.analysis_requests import make
from coursekit.room.event_log import read_events
from coursekit.room.lesson import Lesson
from coursekit.room.page import Request
from coursekit.room.worker_process import WorkerError, WorkerProcess

LONGEST = 60.0
"""Seconds after which something that is not made is given up."""
KEPT = 128
"""Number of answers that are kept, the latest ones."""
log = logging.getLogger(__name__)
AnswerName = tuple[Request, Hashable]
"""A request, and what its answer depends on: see :func:`.answer_key`."""


class Task(NamedTuple):
    """What the process is asked for."""

    path: Path
    """The lesson's file."""
    events: int
    """How many of its events have happened."""
    request: Request


def work(pipe: Any) -> None:
    """Answer what comes through *pipe*, until it is closed."""
    reader = LessonReader()
    with suppress(EOFError, OSError):
        pipe.send(None)
        while True:
            pipe.send(reader.answer(pipe.recv()))


class LessonReader:
    """What the process knows: the lesson, as far as its file has been read."""

    def __init__(self) -> None:
        self._begin(Path())

    def _begin(self, path: Path) -> None:
        self._path = path
        self._lesson = Lesson()
        self._known = 0

    def answer(self, task: Task) -> Any:
        """Return what *task* asks for, or the error that keeps it from being made."""
        try:
            self._follow(task)
        except Exception as error:
            self._begin(Path())  # it is read anew the next time
            return WorkerError(f"the lesson cannot be read: {error!r}")
        try:
            return make(self._lesson, task.request)
        except LocalizedError as error:
            return error
        except Exception as error:
            return WorkerError(f"{task.request.what} cannot be made: {error!r}")

    def _follow(self, task: Task) -> None:
        if task.path != self._path:
            self._begin(task.path)
        if task.events > self._known:  # else something that was asked for later has come before
            self._lesson.follow(read_events(task.path, self._known, task.events))
            self._known = task.events


class AnalysisProcess:
    """Has one process answer requests, the quick ones first, and keeps answers that stay the same.

    :param work: what the process runs, see :class:`.WorkerProcess`.
    """

    def __init__(self, work: Callable[[Any], None] = work) -> None:
        self._process = WorkerProcess(work)
        self._thread = ThreadPoolExecutor(1, "coursekit-analysis")
        self._queue = asyncio.PriorityQueue[tuple[bool, int, AnswerName, Task]]()
        self._numbers = count()
        self._waiting: dict[AnswerName, asyncio.Future[Any]] = {}
        self._answers: OrderedDict[Request, tuple[Hashable, Any]] = OrderedDict()
        self._working: asyncio.Task[None] | None = None
        self._ended = False

    async def ask(self, task: Task, key: Hashable) -> Any:
        """Return what *task* asks for; those who ask for the same meanwhile get the same.

        :param key: what the answer depends on, see :func:`.answer_key`.
        :raises LocalizedError: if it cannot be had; the sentence says why.
        """
        request = task.request
        if request in self._answers and self._answers[request][0] == key:
            return self._answers[request][1]
        name = (request, key)
        if name not in self._waiting:
            self._waiting[name] = asyncio.get_running_loop().create_future()
            is_slow = request.what != "suggestion"
            # Requests of equal speed are answered in the order of their numbers.
            self._queue.put_nowait((is_slow, next(self._numbers), name, task))
        if self._working is None or self._working.done():
            self._working = asyncio.create_task(self._work())
        answer = await asyncio.shield(self._waiting[name])
        if isinstance(answer, LocalizedError):
            raise answer
        return answer

    async def _work(self) -> None:
        """Have answered what is asked for until the queue is empty."""
        while not self._queue.empty():
            *_, name, task = self._queue.get_nowait()
            answer = await self._answer(task)
            if not isinstance(answer, LocalizedError):
                self._keep(name, answer)
            self._waiting.pop(name).set_result(answer)

    async def _answer(self, task: Task) -> Any:
        """Return the answer to *task*, or the error for those who wait for it."""
        loop = asyncio.get_running_loop()
        try:
            answer = await loop.run_in_executor(self._thread, self._process.ask, task, LONGEST)
        except (Exception, asyncio.CancelledError) as error:  # the process has died, or was ended
            answer = error
        if isinstance(answer, BaseException) and not isinstance(answer, LocalizedError):
            if not self._ended:
                log.error("%s", answer)
            return MessageError("room.mistake")
        return answer

    def _keep(self, name: AnswerName, answer: Any) -> None:
        request, key = name
        self._answers[request] = (key, answer)
        self._answers.move_to_end(request)
        while len(self._answers) > KEPT:
            self._answers.popitem(last=False)

    def end(self) -> None:
        """End the process at once; those who wait for an answer get an error."""
        self._ended = True
        self._process.end()
        self._thread.shutdown(wait=False, cancel_futures=True)
