"""Processes in which the strategies of a room decide, so that a long thought holds nobody up."""

import logging
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from random import Random
from threading import Thread
from typing import Any

from coursekit.core.game import pick_action
from coursekit.core.strategy import AtRandom, Strategy, make_player
from coursekit.kit import kit_of
from coursekit.room.room_table import Job
from coursekit.room.worker_process import WorkerProcess
from coursekit.table.players import players_by_key

DEADLINE = 1.0
"""Seconds for a decision; after them a random legal action takes its place."""
SEATED = 64
"""Strategies that a process remembers; one that it has forgotten begins anew, as after a reload."""
log = logging.getLogger(__name__)

Done = Callable[[Job, Any, bool], None]
"""Takes a job, the action or ``None`` for "not now", and whether the strategy was stopped."""


def decide(job: Job, seated: dict[Any, Strategy]) -> Any:
    """Return what the strategy of *job* decides; it is one of *seated* if it has decided before."""
    name = (job.table, job.branch, job.seat, job.player)
    if name not in seated:
        while len(seated) >= SEATED:
            del seated[next(iter(seated))]
        strategies = players_by_key([*kit_of(job.game).players(job.language), AtRandom])
        strategy = strategies[job.player]
        assert not isinstance(strategy, str)
        seated[name] = make_player(strategy, job.seat, job.game, job.seed)
    return seated[name].decide(job.observation)


def random_action(job: Job) -> Any:
    """Return a random legal action for *job*."""
    return pick_action(job.observation.legal, Random())


def work(pipe: Any) -> None:
    """Answer jobs that come through *pipe*, until it is closed.

    An answer is an action, and whether a mistake in the strategy has stopped it.
    """
    seated: dict[Any, Strategy] = {}
    with suppress(EOFError, OSError):
        pipe.send(None)
        while True:
            job = pipe.recv()
            try:
                answer = decide(job, seated), False
            except Exception:  # a mistake in a strategy must not stop a lesson
                answer = random_action(job), True
            pipe.send(answer)


class StrategyProcess(Thread):
    """One process in which strategies decide, and the thread that talks to it.

    :param work: what the process runs, see :class:`.WorkerProcess`.
    """

    def __init__(self, done: Done, work: Callable[[Any], None] = work) -> None:
        super().__init__(name="coursekit-strategies", daemon=True)
        self._done = done
        self._process = WorkerProcess(work)
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._ended = False

    def ask(self, job: Job) -> None:
        """Have *job* decided after those before."""
        self._jobs.put(job)

    def run(self) -> None:
        """Hand over one job after the other."""
        while True:
            job = self._jobs.get()
            if job is None:
                return
            try:
                action, stopped = self._process.ask(job, DEADLINE)
            except Exception:  # whatever it is, the seat must not wait for ever
                action, stopped = self._random_action(job), True
            if self._ended:
                return
            self._done(job, action, stopped)

    def _random_action(self, job: Job) -> Any:
        try:
            return random_action(job)
        except Exception:  # a mistake in the kit: the seat is asked again
            log.exception("no action of %s could be drawn", job.game.name)
            return None

    def end(self) -> None:
        """End the process and the thread, without waiting for a decision."""
        self._ended = True
        self._process.end()
        self._jobs.put(None)


class StrategyProcesses:
    """Some processes; the strategies of one table always decide in the same one.

    :param done: called in a thread with what was decided.
    :param work: as for :class:`StrategyProcess`.
    """

    def __init__(self, count: int, done: Done, work: Callable[[Any], None] = work) -> None:
        self._processes = [StrategyProcess(done, work) for _ in range(count)]
        for process in self._processes:
            process.start()

    def ask(self, job: Job) -> None:
        """Have *job* decided."""
        self._processes[job.table % len(self._processes)].ask(job)

    def close(self) -> None:
        """End all processes at once."""
        for process in self._processes:
            process.end()
