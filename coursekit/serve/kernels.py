"""The kernels of open dashboards: their maximum number, and when one is stopped."""

import asyncio
import logging
import os
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from jupyter_core.utils import ensure_async

log = logging.getLogger(__name__)
IDLE = timedelta(minutes=5)
"""Time without a connected browser after which a dashboard loses its kernel."""


class TooManyKernels(Exception):
    """The maximum number of dashboards is open."""


class PageKernels:
    """Replaces a kernel manager for the kernels of dashboards.

    It counts them, adds to their environment, and stops those whose page is gone.  It ignores the
    kernels of notebooks open in JupyterLab.

    :param manager: the kernel manager of Voilà or of a Jupyter server.
    :param limit: maximum number of open dashboards.
    :param environment: environment variables for every kernel it starts.
    """

    def __init__(self, manager: Any, limit: int, environment: Mapping[str, str]) -> None:
        self._manager, self.limit, self.environment = manager, limit, dict(environment)
        self._started: set[str] = set()
        self._starting = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._manager, name)

    def running(self) -> set[str]:
        """Return the ids of the dashboards' kernels that are alive."""
        self._started &= set(self._manager.list_kernel_ids())
        return set(self._started)

    def has_room(self) -> bool:
        """Return whether one more page may open."""
        return len(self.running()) + self._starting < self.limit

    async def start_kernel(self, **how: Any) -> str:
        """Start the kernel of one page and return its id.

        :raises TooManyKernels: if :attr:`limit` kernels are running.
        """
        for _ in range(10):  # a page being reloaded stops its kernel about now
            if self.has_room():
                break
            await asyncio.sleep(0.1)
        if not self.has_room():
            raise TooManyKernels
        # Counted before the next await: otherwise pages opened at the same time would exceed the limit.
        self._starting += 1
        try:
            how["env"] = {**(how.get("env") or os.environ), **self.environment}
            kernel: str = await ensure_async(self._manager.start_kernel(**how))
            self._started.add(kernel)
        finally:
            self._starting -= 1
        # A restarted kernel would not have the state of its page.
        self._manager.get_kernel(kernel).stop_restarter()
        return kernel

    def busy(self, kernel: str) -> bool:
        """Return whether *kernel* is running a cell."""
        return kernel in self.running() and self._manager.kernel_model(kernel)["execution_state"] == "busy"

    async def stop(self, kernel: str, now: bool = True) -> None:
        """Stop *kernel* if it is a dashboard's and still runs.

        :param now: kill it at once; otherwise it has some seconds to save the last changes.
        """
        if kernel in self.running():
            now = now or self.busy(kernel)
            self._started.discard(kernel)
            await ensure_async(self._manager.shutdown_kernel(kernel, now=now))

    async def stop_abandoned(self, idle: timedelta = IDLE) -> None:
        """Stop the kernels that have died, or were idle without a browser for *idle*."""
        now = datetime.now(UTC)
        for kernel in self.running():
            if kernel not in self.running():  # its page was closed while another kernel was being stopped
                continue
            if not await ensure_async(self._manager.is_alive(kernel)):
                await self.stop(kernel)
                continue
            model = self._manager.kernel_model(kernel)
            since = datetime.fromisoformat(model["last_activity"].replace("Z", "+00:00"))
            if model["connections"] == 0 and now - since > idle:
                await self.stop(kernel)

    async def watch(self, every: float = 5) -> None:
        """Stop abandoned kernels every *every* seconds, as long as the server runs."""
        while True:
            await asyncio.sleep(every)
            try:
                await self.stop_abandoned()
            except Exception:  # one failure must not end the watch
                log.exception("could not look for abandoned kernels")
