"""The kernels of open dashboards: how many there may be, and when one is stopped."""

import asyncio
import logging
import os
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from jupyter_core.utils import ensure_async

log = logging.getLogger(__name__)
IDLE = timedelta(minutes=5)
"""A dashboard that no browser has been connected to for this long loses its kernel."""


class TooManyKernels(Exception):
    """There are as many open dashboards as allowed."""


class PageKernels:
    """Stands in for a kernel manager where dashboards start their kernels.

    It counts them, adds to their environment, and stops those whose page is gone.  Kernels of
    notebooks that are open in JupyterLab beside it are none of its business.

    :param manager: the kernel manager of Voilà or of a Jupyter server.
    :param limit: how many dashboards may be open at a time.
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

        :raises TooManyKernels: instead of starting one more than :attr:`limit`.
        """
        for _ in range(10):  # a page being reloaded frees its kernel about now
            if self.has_room():
                break
            await asyncio.sleep(0.1)
        if not self.has_room():
            raise TooManyKernels
        # Counted before the next await, or pages opened at the same moment would slip through.
        self._starting += 1
        try:
            how["env"] = {**(how.get("env") or os.environ), **self.environment}
            kernel: str = await ensure_async(self._manager.start_kernel(**how))
            self._started.add(kernel)
        finally:
            self._starting -= 1
        # A kernel that died would be started anew, but know nothing of the page that shows it.
        self._manager.get_kernel(kernel).stop_restarter()
        return kernel

    def busy(self, kernel: str) -> bool:
        """Return whether *kernel* is running a cell."""
        return kernel in self.running() and self._manager.kernel_model(kernel)["execution_state"] == "busy"

    async def stop(self, kernel: str, now: bool = True) -> None:
        """Stop *kernel* if it is a dashboard's and still runs.

        :param now: do not let it save before what was done last; otherwise it has some seconds for that.
        """
        if kernel in self.running():
            now = now or self.busy(kernel)
            self._started.discard(kernel)
            await ensure_async(self._manager.shutdown_kernel(kernel, now=now))

    async def stop_abandoned(self, idle: timedelta = IDLE) -> None:
        """Stop the kernels that have died, or had no browser and nothing to do for *idle*."""
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
        """Look for abandoned kernels every *every* seconds, for as long as the server runs."""
        while True:
            await asyncio.sleep(every)
            try:
                await self.stop_abandoned()
            except Exception:  # one look that fails must not be the last
                log.exception("could not look for abandoned kernels")
