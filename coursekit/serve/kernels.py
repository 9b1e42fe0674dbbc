"""The kernels of open dashboards: how many there may be, and when one is stopped."""

import asyncio
import os
from collections.abc import Mapping
from datetime import datetime, timedelta, timezone
from typing import Any

from jupyter_core.utils import ensure_async

IDLE = timedelta(minutes=5)
"""A dashboard that no browser has been connected to for this long loses its kernel."""

LIMIT = 12
"""Open dashboards at a time unless somebody says otherwise; each takes 60 to 120 MB."""


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

    def __init__(self, manager: Any, limit: int = LIMIT, environment: Mapping[str, str] | None = None) -> None:
        self._manager, self.limit, self.environment = manager, limit, dict(environment or {})
        self._started: set[str] = set()
        self._starting = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._manager, name)

    def running(self) -> set[str]:
        """Return the ids of the dashboards' kernels that are alive."""
        self._started &= set(self._manager.list_kernel_ids())
        return set(self._started)

    async def start_kernel(self, **how: Any) -> str:
        """Start the kernel of one page and return its id.

        :raises TooManyKernels: instead of starting one more than :attr:`limit`.
        """
        # Counted before the first await, or pages opened at the same moment would slip through.
        if len(self.running()) + self._starting >= self.limit:
            await self.stop_abandoned(timedelta(seconds=30))
            if len(self.running()) + self._starting >= self.limit:
                raise TooManyKernels
        self._starting += 1
        try:
            how["env"] = {**(how.get("env") or os.environ), **self.environment}
            kernel: str = await ensure_async(self._manager.start_kernel(**how))
            self._started.add(kernel)
        finally:
            self._starting -= 1
        return kernel

    async def stop(self, kernel: str) -> None:
        """Stop *kernel* if it is a dashboard's and still runs."""
        if kernel in self.running():
            self._started.discard(kernel)
            await ensure_async(self._manager.shutdown_kernel(kernel, now=True))

    async def stop_abandoned(self, idle: timedelta = IDLE) -> None:
        """Stop the kernels without a connected browser that have done nothing for *idle*."""
        now = datetime.now(timezone.utc)
        for kernel in self.running():
            model = self._manager.kernel_model(kernel)
            since = datetime.fromisoformat(model["last_activity"].replace("Z", "+00:00"))
            if model["connections"] == 0 and now - since > idle:
                await self.stop(kernel)

    async def watch(self, every: float = 20) -> None:
        """Look for abandoned kernels every *every* seconds, for as long as the server runs."""
        while True:
            await asyncio.sleep(every)
            await self.stop_abandoned()
