"""The deals of a tournament, played by several processes, or by a cluster, through joblib.

Its processes stay for a few minutes, so that only the first tournament waits for them to begin.
"""

import pickle
import sys
import warnings
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import redirect_stdout, suppress
from functools import lru_cache
from io import StringIO
from os import getpid
from signal import SIG_IGN, SIGINT, signal
from threading import Lock
from types import FunctionType
from typing import Any

import cloudpickle
from joblib import Parallel, delayed

from coursekit.arena.deals import PRINTED, ArenaError, Job, Played, play_deal
from coursekit.core.strategy_output import Bounded
from coursekit.words.texts import shorten

MOST_DEALS = 25
"""Maximum deals that a process plays before it hands them in."""


def by_workers(
    jobs: Sequence[Job], each: Sequence[tuple[int, int]], processes: int, language: str
) -> Iterator[Played]:
    """Yield what :func:`.play_deal` returns for *each* deal, in order.

    :param each: (place in *jobs*, number of the deal).
    :param processes: how many; a backend that the user has chosen (``joblib.parallel_config``) may
        have its own idea.
    :raises ArenaError: if *jobs* cannot be sent, or a process has ended; and as :func:`.play_deal`.
    """
    size, sent, home = (
        max(1, min(MOST_DEALS, len(each) // (4 * processes))),
        _packed(jobs),
        getpid(),
    )
    batches = [each[start : start + size] for start in range(0, len(each), size)]
    # A stop button reaches all processes, and would break those that wait for the next tournament.
    deaf = {"initializer": signal, "initargs": (SIGINT, SIG_IGN)}
    parallel = Parallel(processes, batch_size=1, return_as="generator", **deaf)
    failed = False

    def handed_out() -> Iterator[Any]:
        for batch in batches:
            if failed:
                return
            yield delayed(_play_batch)(sent, batch, language, home)

    try:
        played = parallel(handed_out())
        try:
            for batch, (found, printed) in zip(batches, played):
                print(printed, end="")
                yield from found
                # A failed deal is played again here, so that the error has its own traceback.
                yield from (play_deal(jobs[job], deal) for job, deal in batch[len(found) :])
        except Exception:
            failed = True
            deque(
                played, 0
            )  # the few that are under way; to break them off would end the processes
            raise
        finally:
            with warnings.catch_warnings(
                action="ignore"
            ):  # joblib tells of tasks that nobody waits for any more
                played.close()
    except (
        BrokenExecutor
    ) as error:  # a process may end while the first batches are still handed out
        raise ArenaError("arena.process_ended") from error


def _packed(jobs: Sequence[Job]) -> bytes:
    """Return *jobs* for another process.

    Code from outside the kit goes along, not only its name: a cell has no file to import, and a
    worker, which stays for the next tournament, would go on with what a file said when it was
    imported.
    """
    classes = {
        each for job in jobs for lineup in job.lineups for kind in lineup for each in kind.__mro__
    }
    names = {each.__module__ for each in classes if getattr(each, "guarded", False)}
    if isinstance(jobs[0].statistics, FunctionType) and not jobs[
        0
    ].statistics.__module__.startswith("coursekit."):
        names.add(jobs[0].statistics.__module__)
    own = [
        sys.modules[name]
        for name in names - cloudpickle.list_registry_pickle_by_value()
        if name in sys.modules
    ]
    for module in own:
        cloudpickle.register_pickle_by_value(module)
    try:
        sent: bytes = cloudpickle.dumps(jobs)
        return sent
    except Exception as error:
        raise ArenaError("arena.not_sendable", reason=shorten(error)) from error
    finally:
        for module in own:
            cloudpickle.unregister_pickle_by_value(module)


@lru_cache(1)
def _unpacked(sent: bytes) -> Sequence[Job]:
    return pickle.loads(sent)  # type: ignore[no-any-return]


_one_batch = (
    Lock()
)  # a process has one standard output, and a worker of Dask may have several threads


def _play_batch(
    sent: bytes, batch: Sequence[tuple[int, int]], language: str, home: int
) -> tuple[list[Played], str]:
    """Return, in a worker, what :func:`play_deal` returns up to the first deal that fails, and what
    is printed.
    """
    played: list[Played] = []
    if (
        getpid() == home
    ):  # a thread, which would be no faster, and share the classes and the standard output
        return played, ""
    printed = StringIO()
    with (
        _one_batch,
        redirect_stdout(Bounded(printed, PRINTED, language, "arena.printed")),
        suppress(Exception),
    ):
        for job, deal in batch:
            played.append(play_deal(_unpacked(sent)[job], deal))
    return played, printed.getvalue()
