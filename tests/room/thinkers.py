"""What a process of a room's strategies may be in tests: some that never answer, that die, or that
will not begin.
"""

import os
import time
from typing import Any

from coursekit.room.strategy_process import work


def loops(pipe: Any) -> None:
    """Think for ever about every job for seat 0, and answer the others as usual."""
    work(_Stubborn(pipe))


def dies(pipe: Any) -> None:
    """Die over every job for seat 0."""
    work(_Mortal(pipe))


def never_begins(pipe: Any) -> None:
    """End before it is ready."""
    pipe.close()


class _Stubborn:
    def __init__(self, pipe: Any) -> None:
        self.pipe = pipe

    def send(self, answer: Any) -> None:
        self.pipe.send(answer)

    def recv(self) -> Any:
        job = self.pipe.recv()
        if job.seat == 0:
            self.meet()
        return job

    def meet(self) -> None:
        while True:
            time.sleep(1)


class _Mortal(_Stubborn):
    def meet(self) -> None:
        os._exit(9)
