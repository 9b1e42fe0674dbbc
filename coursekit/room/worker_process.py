"""A process that works for a room, so that nothing long is done between two of its messages."""

from collections.abc import Callable
from contextlib import suppress
from multiprocessing import get_context
from threading import Lock
from typing import Any

STARTING = 30.0
"""Seconds that a process may take to begin."""


class WorkerError(Exception):
    """The process could not begin, has died, or has not answered in time."""


class WorkerProcess:
    """A process that answers one question after the other; it begins with the first one.

    :param work: what it runs, given its end of a pipe. It sends ``None`` once it is ready, then an
        answer to each question, and ends when the pipe is closed: so it does not outlive a parent
        that is killed.
    """

    def __init__(self, work: Callable[[Any], None]) -> None:
        self._work = work
        self._process: Any = None
        self._pipe: Any = None
        self._ready = False
        self._ended = False
        self._lock = Lock()

    def ask(self, question: Any, seconds: float) -> Any:
        """Return the answer to *question*; one thread at a time asks.

        :raises HelperError: if there is none after *seconds*; the next question begins with a new
            process.
        """
        try:
            self.begin()
            if not self._ready:
                if not self._pipe.poll(STARTING):
                    raise WorkerError("the process has not begun")
                self._pipe.recv()
                self._ready = True
            self._pipe.send(question)
            if not self._pipe.poll(seconds):
                raise WorkerError("the process has not answered")
            return self._pipe.recv()
        except (EOFError, OSError) as error:
            self._stop()
            raise WorkerError(str(error)) from error
        except WorkerError:
            self._stop()
            raise

    def begin(self) -> None:
        """Start the process if it does not run, without waiting until it is ready.

        :raises HelperError, OSError: if that cannot be done.
        """
        with self._lock:
            if self._ended:
                raise WorkerError("it has been ended")
            if self._process is not None:
                return
            context = get_context("spawn")
            self._pipe, theirs = context.Pipe()
            self._process = context.Process(target=self._work, args=(theirs,), daemon=True)
            self._ready = False
            try:
                self._process.start()
            except BaseException:
                self._process = None
                raise
            finally:
                theirs.close()

    def _stop(self) -> None:
        with self._lock:
            process, self._process = self._process, None
            if self._pipe is not None:
                self._pipe.close()
        if process is not None:
            process.kill()
            process.join()

    def end(self) -> None:
        """End the process at once; a thread that waits for an answer gets an error."""
        self._ended = True
        # The process may just have gone, or not have begun yet.
        with suppress(AttributeError, ValueError):
            self._process.kill()
