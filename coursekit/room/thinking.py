"""Strategies of a room think in processes of their own, so that a long thought holds up nobody else."""

from collections.abc import Callable
from multiprocessing import get_context
from queue import SimpleQueue
from random import Random
from threading import Thread
from typing import Any

from coursekit.core.game import any_of
from coursekit.core.strategy import AtRandom, Strategy, made
from coursekit.kit import kit_of
from coursekit.room.playing import Job
from coursekit.table.players import by_key

DEADLINE = 1.0
"""Seconds for a decision; after them a random legal action takes its place."""
STARTING = 30.0
"""Seconds that a process may take to begin."""
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
        kinds = by_key([*kit_of(job.game).players(job.language), AtRandom])
        kind = kinds[job.player]
        assert not isinstance(kind, str)
        seated[name] = made(kind, job.seat, job.game, job.seed)
    return seated[name].decide(job.observation)


def at_random(job: Job) -> Any:
    """Return a random legal action for *job*."""
    return any_of(job.observation.legal, Random())


def work(pipe: Any) -> None:
    """Decide whatever comes through *pipe*, until it is closed."""
    seated: dict[Any, Strategy] = {}
    pipe.send(None)
    while True:
        try:
            job = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            pipe.send((decide(job, seated), False))
        except Exception:  # a mistake in a strategy must not stop a lesson
            pipe.send((at_random(job), True))


class Worker(Thread):
    """One process that thinks, and the thread that talks to it.

    :param does: what the process runs, given its end of a pipe: as :func:`work`.
    """

    def __init__(self, done: Done, does: Callable[[Any], None] = work) -> None:
        super().__init__(name="coursekit-thinking", daemon=True)
        self._done, self._does = done, does
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._process: Any = None
        self._pipe: Any = None
        self._ready = False

    def ask(self, job: Job | None) -> None:
        """Have *job* thought about after those before; ``None`` ends the worker."""
        self._jobs.put(job)

    def run(self) -> None:
        """Hand over one job after the other."""
        try:
            self._begin()
            while (job := self._jobs.get()) is not None:
                self._done(job, *self._answer(job))
        finally:
            self._end()

    def _begin(self) -> None:
        context = get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=self._does, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()
        self._ready = False

    def _end(self) -> None:
        if self._pipe is not None:
            self._pipe.close()
        if self._process is not None:
            self._process.kill()
            self._process.join()

    def _answer(self, job: Job) -> tuple[Any, bool]:
        try:
            if not self._ready and self._pipe.poll(STARTING):
                self._pipe.recv()
                self._ready = True
            if self._ready:
                self._pipe.send(job)
                if self._pipe.poll(DEADLINE):
                    found: tuple[Any, bool] = self._pipe.recv()
                    return found
        except (EOFError, OSError):  # it has died
            pass
        self._end()
        self._begin()
        return at_random(job), True


class Workers:
    """Some workers; the strategies of one table always think in the same one.

    :param done: called in a worker's thread with what was decided.
    :param does: as for :class:`Worker`.
    """

    def __init__(self, count: int, done: Done, does: Callable[[Any], None] = work) -> None:
        self._workers = [Worker(done, does) for _ in range(count)]
        for each in self._workers:
            each.start()

    def ask(self, job: Job) -> None:
        """Have *job* thought about."""
        self._workers[job.table % len(self._workers)].ask(job)

    def close(self) -> None:
        """End all workers, after what they are thinking about."""
        for each in self._workers:
            each.ask(None)
        for each in self._workers:
            each.join()
