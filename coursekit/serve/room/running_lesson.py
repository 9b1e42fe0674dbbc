"""A lesson as it runs: its room, and the thread and processes that work for it."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from coursekit.core.errors import LocalizedError
from coursekit.room.analysis_process import AnalysisProcess, Task
from coursekit.room.analysis_requests import answer_key
from coursekit.room.event_log import EventLog
from coursekit.room.page import Request
from coursekit.room.room import Room
from coursekit.room.room_table import Job
from coursekit.room.strategy_process import StrategyProcesses
from coursekit.serve.room.event_log_writer import EventWriter

STRATEGY_PROCESSES = 2


class RunningLesson:
    """A lesson whose file is open.

    :param trouble: called with the reason if nothing can be written, ``None`` once it works again.
    :param progress: called when events have been written.
    :param decided: called in a thread with the room and what :data:`.strategy_process.Done` takes.
    """

    def __init__(
        self,
        room: Room,
        event_log: EventLog,
        trouble: Callable[[LocalizedError | None], None],
        progress: Callable[[], None],
        decided: Callable[[Room, Job, Any, bool], None],
    ) -> None:
        self.room = room
        self.writer = EventWriter(room, event_log, trouble, progress)
        self.strategies = StrategyProcesses(STRATEGY_PROCESSES, partial(decided, room))
        self.analysis = AnalysisProcess()

    async def analyse(self, request: Request) -> Any:
        """Return what a process of its own makes of the lesson.

        :raises LocalizedError: if it cannot be had; the sentence says why.
        """
        number = self.room.count
        key = answer_key(self.room.lesson, request)
        await self.writer.wait_for(number)
        return await self.analysis.ask(Task(self.path, number, request), key)

    @property
    def path(self) -> Path:
        """The lesson's file."""
        return self.writer.event_log.path

    def end(self) -> None:
        """End the processes, and close the file."""
        self.strategies.close()
        self.analysis.end()
        self.writer.close()
