"""The deals of a tournament, played by several processes, or by a cluster, through joblib.

The processes stay for a few minutes, so that only the first tournament waits for them to begin.
"""

import pickle
import sys
import warnings
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import redirect_stderr, redirect_stdout, suppress
from functools import lru_cache
from io import StringIO
from os import getpid
from signal import SIG_IGN, SIGINT, signal
from threading import Lock
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

import cloudpickle
from joblib import Parallel, cpu_count, delayed

from coursekit.arena.deals import ArenaError, DealNumbers, Job, play_deal
from coursekit.core.errors import LocalizedError
from coursekit.core.lasting_state import tell, untold
from coursekit.core.strategy_output import BoundedOutput
from coursekit.words.texts import shorten

MOST_DEALS = 25
"""Maximum deals that a process plays before it hands them in."""

ONE_BATCH = Lock()
"""A process has one standard output, and a worker of Dask may have several threads."""

KIT = __name__.partition(".")[0]

Task = tuple[int, int]
"""A place in the jobs, and the number of a deal."""


def play_with_workers(
    jobs: Sequence[Job], tasks: Sequence[Task], processes: int, language: str
) -> Generator[DealNumbers, None, None]:
    """Yield what :func:`.play_deal` returns for each of *tasks*, in order.

    :param processes: how many; a backend that the user has chosen (``joblib.parallel_config``) may
        have its own idea.
    :raises ArenaError: if *jobs* cannot be sent, or a process has ended; and as :func:`.play_deal`.
    """
    size = max(1, min(MOST_DEALS, len(tasks) // (4 * processes)))
    batches = [tasks[start : start + size] for start in range(0, len(tasks), size)]
    pickled = _pickle_jobs(jobs)
    home = getpid()
    # A stop button reaches all processes, and would break those that wait for the next tournament.
    ignore_stop = {"initializer": signal, "initargs": (SIGINT, SIG_IGN)}
    parallel = Parallel(processes, batch_size=1, return_as="generator", **ignore_stop)
    failed = False

    def hand_out() -> Iterator[Any]:
        for batch in batches:
            if failed:
                return
            yield delayed(_play_batch)(pickled, batch, home)

    try:
        results = parallel(hand_out())
        try:
            kinds = [kind for job in jobs for lineup in job.lineups for kind in lineup]
            for batch, played in zip(batches, results):
                sys.stdout.write(played.printed)
                if played.is_full and isinstance(sys.stdout, BoundedOutput):
                    sys.stdout.hide(played.hidden)
                tell(played.lasting, kinds, language)
                deals = played.deals
                yield from deals
                # A failed deal is played again here, so that the error has its own traceback.
                for job, deal in batch[len(deals) :]:
                    yield play_deal(jobs[job], deal)
        except Exception:
            failed = True
            # Wait for the few under way; to break them off would end the processes.
            deque(results, 0)
            raise
        finally:
            # Joblib warns of tasks that nobody waits for any more.
            with warnings.catch_warnings(action="ignore"):
                results.close()
    except BrokenExecutor as error:  # also while the first batches are still handed out
        raise ArenaError("arena.process_ended") from error


def count_cores() -> int:
    """Return how many cores this process may use, in a container too."""
    return int(cpu_count())


def is_sendable(jobs: Sequence[Job]) -> bool:
    """Return whether other processes can play *jobs*."""
    try:
        _pickle_jobs(jobs)
    except ArenaError:
        return False
    return True


def _pickle_jobs(jobs: Sequence[Job]) -> bytes:
    """Return *jobs* for another process.

    Code from outside the kit goes along, not only its name: a cell has no file to import, and a
    worker, which stays for the next tournament, would go on with what a file said when it was
    imported.
    """
    own = _modules_outside(jobs)
    for module in own:
        cloudpickle.register_pickle_by_value(module)
    try:
        pickled: bytes = cloudpickle.dumps(jobs)
        return pickled
    except Exception as error:
        raise ArenaError("arena.not_sendable", reason=shorten(error)) from error
    finally:
        for module in own:
            cloudpickle.unregister_pickle_by_value(module)


def _modules_outside(jobs: Sequence[Job]) -> list[ModuleType]:
    """Return the modules from outside the kit that *jobs* use, unless they go along anyway."""
    names = set()
    for job in jobs:
        for lineup in job.lineups:
            for strategy in lineup:
                names |= {
                    parent.__module__
                    for parent in strategy.__mro__
                    if getattr(parent, "guarded", False)
                }
    statistics = jobs[0].statistics
    if isinstance(statistics, FunctionType) and statistics.__module__.partition(".")[0] != KIT:
        names.add(statistics.__module__)
    names -= cloudpickle.list_registry_pickle_by_value()
    return [sys.modules[name] for name in names if name in sys.modules]


@lru_cache(1)
def _unpickle_jobs(pickled: bytes) -> Sequence[Job]:
    return pickle.loads(pickled)  # type: ignore[no-any-return]


class Batch(NamedTuple):
    """What a worker hands in."""

    deals: list[DealNumbers]
    """Those before the first that fails."""
    printed: str = ""
    is_full: bool = False
    hidden: int = 0
    """Lines that it has printed besides, if what was printed is full."""
    lasting: Sequence[LocalizedError] = ()
    """What outlives a match."""


def _play_batch(pickled: bytes, batch: Sequence[Task], home: int) -> Batch:
    """Play *batch* in a worker."""
    deals: list[DealNumbers] = []
    # A thread would be no faster, and would share the classes and the standard output.
    if getpid() == home:
        return Batch(deals)
    printed = StringIO()
    output = BoundedOutput(printed)
    with ONE_BATCH, redirect_stdout(output), redirect_stderr(BoundedOutput(sys.stderr)):
        with suppress(Exception):
            for job, deal in batch:
                deals.append(play_deal(_unpickle_jobs(pickled)[job], deal))
        lasting = tuple(untold)
        untold.clear()
    return Batch(deals, printed.getvalue(), output.is_full, output.hidden, lasting)
