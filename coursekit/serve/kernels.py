"""The kernels of open dashboards: their maximum number, and when one is stopped."""

import asyncio
import logging
import os
import time
from collections.abc import Mapping
from typing import Any

from jupyter_core.utils import ensure_async

from coursekit.serve.page_queue import Line
from coursekit.serve.warm_kernels import WarmKernels

log = logging.getLogger(__name__)
UNMET = 60.0
"""Seconds for a page that has not connected yet: on a busy machine it may be long before its
scripts run.
"""
PLACES = min(max(2, os.cpu_count() or 2), 4)
"""Pages that open at a time: one a core, at most four of the six connections of a browser."""
ALONE = 15.0
"""Seconds for pages of this computer, whose connection does not break. A page shows itself every
five seconds.
"""
BREATH = 1.0
"""Seconds that a page has after it shows itself before its kernel is busy with the lab: the first
clicks come then.
"""
HOLDING = 2
"""Pages that wait with their lab for those that open: each keeps one of the six connections of a
browser.
"""
REST = 3.0
"""Seconds without a page that opens, after which a kernel may be warmed."""


class TooManyKernelsError(Exception):
    """The maximum number of dashboards is open."""


class PageKernels:
    """Replaces a kernel manager for the kernels of dashboards.

    It counts them, adds to their environment, lets a few start at a time, and stops those whose
    page is gone.  It ignores the kernels of notebooks open in JupyterLab.

    :param manager: the kernel manager of Voilà or of a Jupyter server.
    :param limit: maximum number of open dashboards.
    :param environment: environment variables for every kernel it starts.
    :param alone: seconds without a sign of a page after which its kernel stops; at least
        :data:`UNMET` for a page that has never connected.
    :param warm: how many kernels wait for the next pages, see :mod:`coursekit.serve.warm_kernels`.
    """

    def __init__(
        self,
        manager: Any,
        limit: int,
        environment: Mapping[str, str],
        alone: float = ALONE,
        warm: int = 0,
    ) -> None:
        self._manager = manager
        self.limit = limit
        self.environment = dict(environment)
        self.alone = alone
        self.warm = WarmKernels(manager, warm, environment, self.quiet)
        self._filling: asyncio.Task[None] | None = None
        self._shown: dict[str, float] = {}  # those whose page shows its lesson, and since when
        self._holding: list[str] = []  # those whose lab waits
        self._pages: set[str] = set()  # all that it has started
        self._signs: dict[str, float] = {}  # when there was a sign of their page
        self._met: set[str] = set()  # those to which a page has been connected
        self._starting = 0
        self.line = Line(PLACES)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._manager, name)

    def has_started(self, kernel: str) -> bool:
        """Return whether *kernel* is a dashboard's, perhaps one that has ended."""
        return kernel in self._pages

    def running(self) -> set[str]:
        """Return the ids of the dashboards' kernels that are alive."""
        alive = set(self._manager.list_kernel_ids())
        self._signs = {kernel: time for kernel, time in self._signs.items() if kernel in alive}
        return set(self._signs)

    def quiet(self) -> bool:
        """Return whether no page opens or is being used right now, and one more may come."""
        return self.line.quiet(REST) and self.has_room() and not any(map(self.busy, self.running()))

    def has_room(self, waiting: int = 0) -> bool:
        """Return whether one more page may open, after the *waiting* ones."""
        return len(self.running()) + self._starting + waiting < self.limit

    async def wait_for_room(self, waiting: int = 0) -> bool:
        """Return whether there is room within a second, in which a page that reloads makes some."""
        for _ in range(10):
            if self.has_room(waiting):
                return True
            await asyncio.sleep(0.1)
        return self.has_room(waiting)

    def note_sign(self, kernel: str) -> bool:
        """Note that the page of *kernel* is still there; return whether *kernel* is, too."""
        runs = kernel in self.running()
        if runs:
            self._signs[kernel] = time.monotonic()
        return runs

    def note_lesson(self, kernel: str) -> None:
        """Note that the page of *kernel* shows its lesson."""
        self._shown.setdefault(kernel, time.monotonic())

    async def wait_for_lesson(self, kernel: str, seconds: float = 15) -> None:
        """Wait until the page of *kernel* shows its lesson, *seconds* at most."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and kernel in self.running() and kernel not in self._shown:
            await asyncio.sleep(0.05)

    async def wait_for_lab(self, kernel: str, seconds: float = 60) -> None:
        """Wait until the page of *kernel* had time for the first clicks and no other page opens.

        Of too many pages that wait, the first one goes on.

        :param seconds: how long at most.
        """
        start = time.monotonic()
        self._holding.append(kernel)
        try:
            while time.monotonic() - start < seconds and kernel in self.running():
                rested = time.monotonic() - self._shown.get(kernel, start) >= BREATH
                if rested and (self.line.quiet() or kernel in self._holding[:-HOLDING]):
                    break
                await asyncio.sleep(0.05)
        finally:
            self._holding.remove(kernel)

    async def start_kernel(self, **how: Any) -> str:
        """Start the kernel of one page and return its id.

        :raises TooManyKernelsError: if :attr:`limit` kernels are running.
        """
        if not await self.wait_for_room():
            raise TooManyKernelsError
        # Counted before the next await: otherwise pages opened at the same time would exceed the
        # limit.
        self._starting += 1
        try:
            how["env"] = {**(how.get("env") or os.environ), **self.environment}
            kernel: str = await self.warm.take(**how)
            if not kernel:
                kernel = await ensure_async(self._manager.start_kernel(**how))
            self._pages.add(kernel)
            self._signs[kernel] = time.monotonic()
        finally:
            self._starting -= 1
        # A restarted kernel would not have the state of its page.
        self._manager.get_kernel(kernel).stop_restarter()
        return kernel

    def busy(self, kernel: str) -> bool:
        """Return whether *kernel* is running a cell."""
        return (
            kernel in self.running()
            and self._manager.kernel_model(kernel)["execution_state"] == "busy"
        )

    async def stop(self, kernel: str, now: bool = True) -> None:
        """Stop *kernel* if it is a dashboard's and still runs.

        :param now: kill it at once; otherwise it has some seconds to save the last changes.
        """
        if kernel in self.running():
            now = now or self.busy(kernel)
            del self._signs[kernel]
            self._met.discard(kernel)
            self._shown.pop(kernel, None)
            try:
                await ensure_async(self._manager.shutdown_kernel(kernel, now=now))
            finally:
                self._close_channels(kernel)

    def _close_channels(self, kernel: str) -> None:
        """Close what jupyter_server leaves open of *kernel*.

        A browser that leaves closes its connection while the kernel is still ending.  For a kernel
        that it knows, jupyter_server then keeps the four channels, to note what the next connection
        should hear, and nobody closes them.
        """
        buffers = getattr(self._manager, "_kernel_buffers", {}).pop(kernel, {})
        for channel in buffers.get("channels", {}).values():
            if not channel.closed():
                channel.on_recv(None)
                channel.close()

    async def stop_abandoned(self) -> None:
        """Stop the kernels that have died, or whose page gave no sign for :attr:`alone` seconds."""
        await asyncio.gather(*map(self._stop_if_abandoned, self.running()))

    async def _stop_if_abandoned(self, kernel: str) -> None:
        if not await ensure_async(self._manager.is_alive(kernel)):
            await self.stop(kernel)
        elif kernel in self.running():  # its page may have been closed meanwhile
            if self._manager.kernel_model(kernel)["connections"] > 0:
                self.note_sign(kernel)
                self._met.add(kernel)
            elif time.monotonic() - self._signs[kernel] > self.patience(kernel):
                await self.stop(kernel, now=False)

    def patience(self, kernel: str) -> float:
        """Return how many seconds the page of *kernel* may give no sign."""
        return self.alone if kernel in self._met else max(self.alone, UNMET)

    async def watch(self, every: float = 1) -> None:
        """Stop abandoned kernels and warm new ones, every *every* seconds without end."""
        while True:
            await asyncio.sleep(every)
            try:
                await self.stop_abandoned()
                if self._filling is None or self._filling.done():
                    self._filling = asyncio.create_task(self.warm.fill())
            except Exception:  # one failure must not end the watch
                log.exception("could not look for abandoned kernels")
