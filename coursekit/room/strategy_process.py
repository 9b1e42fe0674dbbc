"""Strategies of a room think in processes of their own, so that a long thought holds up nobody
else.
"""

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
log = logging.getLogger(__name__)
SEATED = 64
"""Strategies that a process remembers; one that it has forgotten begins anew, as after a reload."""

Done = Callable[[Job, Any, bool], None]
"""Takes a job, the action or ``None`` for "not now", and whether the strategy was stopped."""


def decide(job: Job, seated: dict[Any, Strategy]) -> Any:
    """Return what the strategy of *job* decides; it is one of *seated* if it has decided before."""
    name = (job.table, job.branch, job.seat, job.player)
    if name not in seated:
        while len(seated) >= SEATED:
            del seated[next(iter(seated))]
        kinds = players_by_key([*kit_of(job.game).players(job.language), AtRandom])
        kind = kinds[job.player]
        assert not isinstance(kind, str)
        seated[name] = make_player(kind, job.seat, job.game, job.seed)
    return seated[name].decide(job.observation)


def random_action(job: Job) -> Any:
    """Return a random legal action for *job*."""
    return pick_action(job.observation.legal, Random())


def answer(job: Job, seated: dict[Any, Strategy]) -> tuple[Any, bool]:
    """Return what is decided, and whether it is not the strategy's decision because that has
    raised.
    """
    try:
        return decide(job, seated), False
    except Exception:  # a mistake in a strategy must not stop a lesson
        return random_action(job), True


def work(pipe: Any) -> None:
    """Decide whatever comes through *pipe*, until it is closed."""
    seated: dict[Any, Strategy] = {}
    with suppress(EOFError, OSError):
        pipe.send(None)
        while True:
            pipe.send(answer(pipe.recv(), seated))


class StrategyProcess(Thread):
    """One process that thinks, and the thread that talks to it.

    :param does: what the process runs, see :class:`.WorkerProcess`.
    """

    def __init__(self, done: Done, does: Callable[[Any], None] = work) -> None:
        super().__init__(name="coursekit-thinking", daemon=True)
        self._done, self._helper = done, WorkerProcess(does)
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._ended = False

    def ask(self, job: Job) -> None:
        """Have *job* thought about after those before."""
        self._jobs.put(job)

    def run(self) -> None:
        """Hand over one job after the other."""
        while (job := self._jobs.get()) is not None:
            try:
                answer = self._helper.ask(job, DEADLINE)
            except Exception:  # whatever it is, the seat must not wait for ever
                answer = None
            if self._ended:
                return
            self._done(job, *(answer or self._instead(job)))

    def _instead(self, job: Job) -> tuple[Any, bool]:
        try:
            return random_action(job), True
        except Exception:  # a mistake in the kit: the seat is asked again
            log.exception("no action of %s could be drawn", job.game.name)
            return None, True

    def end(self) -> None:
        """End the process and the thread, without waiting for what is being thought about."""
        self._ended = True
        self._helper.end()
        self._jobs.put(None)


class StrategyProcesses:
    """Some workers; the strategies of one table always think in the same one.

    :param done: called in a worker's thread with what was decided.
    :param does: as for :class:`StrategyProcess`.
    """

    def __init__(self, count: int, done: Done, does: Callable[[Any], None] = work) -> None:
        self._workers = [StrategyProcess(done, does) for _ in range(count)]
        for each in self._workers:
            each.start()

    def ask(self, job: Job) -> None:
        """Have *job* thought about."""
        self._workers[job.table % len(self._workers)].ask(job)

    def close(self) -> None:
        """End all workers at once."""
        for each in self._workers:
            each.end()
