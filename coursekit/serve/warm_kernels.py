"""Kernels that are started, and import the kit, before a page needs them."""

import asyncio
import logging
import os
from collections.abc import Callable, Mapping
from typing import Any
from weakref import WeakKeyDictionary

from jupyter_core.utils import ensure_async

from coursekit.core.registry import KIT_GAMES

log = logging.getLogger(__name__)
NO_FOLDER = "__import__('sys').path[:] = [folder for folder in __import__('sys').path if folder]"
IMPORTS = (
    "coursekit.table",
    "coursekit.cells",
    "coursekit.reflect",
    *(
        f"coursekit.games.{name}.{part}"
        for name in KIT_GAMES
        for part in ("kit", "after.debrief", "after.evidence")
    ),
    "coursekit.arena",
    "matplotlib.pyplot",
)
"""What every lesson imports; a teacher may change games of others at any time."""
# and what it exports: rooms import their widgets when asked for them
IMPORT = "__import__({!r}, fromlist=['*'])"
TEXTS = (
    "[__import__('coursekit.words.texts', fromlist=['*']).load_texts(game) "
    f"for game in {('', *KIT_GAMES)!r}]"
)
CLIENTS: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()
"""Manager of a kernel that a page has taken -> the connection to it, by which its cells run."""


class WarmKernels:
    """Keeps a few kernels ready for the next pages.

    A warm kernel has imported the kit, read its texts and run nothing: it holds no match, no name,
    no journal. It belongs to no page and is not counted as one.

    :param manager: the kernel manager of Voilà or of a Jupyter server.
    :param size: how many it keeps.
    :param environment: environment variables for every kernel.
    :param quiet: whether nobody would notice that a processor is busy for a moment.
    """

    def __init__(
        self,
        manager: Any,
        size: int,
        environment: Mapping[str, str],
        quiet: Callable[[], bool] = lambda: True,
    ) -> None:
        self._manager = manager
        self.size = size
        self._environment = dict(environment)
        self._quiet = quiet
        self._ready: dict[str, Any] = {}  # id -> connection

    def ready(self) -> set[str]:
        """Return the ids of the kernels that wait for a page."""
        return set(self._ready)

    async def take(
        self, kernel_name: str = "", path: str = "", env: Mapping[str, str] = os.environ, **how: Any
    ) -> str:
        """Return the id of a kernel that is as if it had just started so, ``""`` for none.

        :param path: folder of the notebook, below the server's.
        """
        if not self._ready or how or kernel_name != self._manager.default_kernel_name:
            return ""
        while self._ready:
            kernel, client = self._ready.popitem()
            code = _move_code(self._manager.cwd_for_path(path), env)
            if await self._run(kernel, client, code, 2):
                CLIENTS[self._manager.get_kernel(kernel)] = client
                return kernel
            await self._drop(kernel, client)
        return ""

    async def fill(self) -> None:
        """Start and warm one kernel if one is missing, whenever it is quiet."""
        if len(self._ready) >= self.size or not self._quiet():
            return
        env = {**os.environ, **self._environment}
        name = self._manager.default_kernel_name
        kernel = await ensure_async(self._manager.start_kernel(kernel_name=name, env=env))
        self._manager.get_kernel(kernel).stop_restarter()
        client = self._manager.get_kernel(kernel).client()
        client.start_channels(hb=False)  # its thread takes a tenth of a second to stop
        try:
            await client.wait_for_ready(timeout=60)
            if await self._warm(kernel, client):
                self._ready[kernel] = client
        finally:
            if kernel not in self._ready:
                await self._drop(kernel, client)

    async def _warm(self, kernel: str, client: Any) -> bool:
        """Import the kit in *kernel* while it is quiet; return whether that worked."""
        for code in (NO_FOLDER, *map(IMPORT.format, IMPORTS), TEXTS):
            while not self._quiet():
                await asyncio.sleep(0.2)
            if not await self._run(kernel, client, code, 60):
                return False
        return True

    async def _run(self, kernel: str, client: Any, code: str, seconds: float) -> bool:
        """Return whether *kernel* is alive and runs *code* without an error."""
        try:
            if not await ensure_async(self._manager.is_alive(kernel)):
                return False
            reply = await client.execute(
                code, silent=True, store_history=False, reply=True, timeout=seconds
            )
        except Exception:  # whatever it is, a page starts its own
            log.exception("a warm kernel does not answer")
            return False
        return bool(reply["content"]["status"] == "ok")

    async def _drop(self, kernel: str, client: Any) -> None:
        client.stop_channels()
        if kernel in self._manager.list_kernel_ids():
            await ensure_async(self._manager.shutdown_kernel(kernel, now=True))


def _move_code(folder: str, env: Mapping[str, str]) -> str:
    """Return the code by which a kernel goes to *folder* and gets the variables of *env*."""
    # Voilà's names are members of an enumeration, which repr shows as such.
    new = {str.__str__(name): value for name, value in env.items() if os.environ.get(name) != value}
    return (
        f"__import__('sys').path.insert(0, ''); __import__('os').chdir({folder!r}); "
        f"__import__('os').environ.update({new!r})"
    )
