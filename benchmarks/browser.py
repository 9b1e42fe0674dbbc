"""A server of dashboards and Chromium, for the benchmarks that open pages in a browser."""

import asyncio
import os
import re
import shutil
import sys
import tempfile
import time
from pathlib import Path

import psutil

CHROMIUM = (
    os.environ.get("COURSEKIT_CHROMIUM")
    or shutil.which("chromium")
    or shutil.which("chromium-headless-shell")
    or shutil.which("google-chrome")
)
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"]
LATEST = 600_000  # milliseconds until a page counts as failed


def _is_kernel(process: psutil.Process) -> bool:
    try:
        return "ipykernel" in " ".join(process.cmdline())
    except psutil.Error:  # it has ended meanwhile
        return False


class Served:
    """``coursekit serve``, with notebooks of one widget in *folder* or the kit's own."""

    def __init__(self, *arguments: str) -> None:
        self.log = Path(tempfile.mkdtemp()) / "log"
        command = [
            sys.executable,
            "-m",
            "coursekit",
            "serve",
            "--port",
            "0",
            "--no-browser",
            *arguments,
        ]
        with self.log.open("w") as out:
            self.process = psutil.Popen(command, stdout=out, stderr=out)
        while not (found := re.search(r"(http://127\.0\.0\.1:\d+)/\S*", self.log.read_text())):
            assert self.process.is_running(), self.log.read_text()
            time.sleep(0.1)
        self.address, self.base = found[0], found[1]

    def kernels(self) -> int:
        """Return how many kernels run."""
        return sum(map(_is_kernel, self.process.children()))

    async def settled(self, seconds: float) -> None:
        """Wait until no kernel runs, *seconds* at most."""
        end = time.monotonic() + seconds
        while self.kernels() and time.monotonic() < end:
            await asyncio.sleep(0.2)
