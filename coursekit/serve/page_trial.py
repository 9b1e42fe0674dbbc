"""A page opened for trial, as a pupil opens it: only that shows whether all libraries work."""

import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from http.client import HTTPException
from threading import Timer
from typing import IO
from urllib.error import HTTPError
from urllib.parse import urljoin
from urllib.request import HTTPCookieProcessor, ProxyHandler, build_opener

from coursekit.serve.doctor import Finding
from coursekit.words.texts import make_line

SERVE = [sys.executable, "-m", "coursekit", "serve", "--language", "en", "--port", "0"]
SERVE += ["--no-browser", "--warm", "0"]
PAGE = "/voila/render/en/wizard.ipynb"
TABLE = b"application/vnd.jupyter.widget-view+json"
"""Stands in a page once a cell has shown something to play with."""
PATIENCE = 120.0
"""Seconds for all: a slow disk reads Jupyter's libraries for the first time."""


def try_page(command: Sequence[str] = SERVE, seconds: float = PATIENCE) -> Finding:
    """Return whether a page opens, with its kernel and a table, in a server of its own.

    :param command: starts the server, which prints its address.
    """
    with (
        tempfile.TemporaryFile() as complaints,
        subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=complaints
        ) as server,
    ):
        limit = Timer(seconds, server.kill)
        limit.start()
        try:
            assert server.stdout is not None
            why = _open(server.stdout)
        finally:
            limit.cancel()
            server.terminate()
            server.wait()
        if not why:
            return Finding("good", "doctor.page.good", {})
        return Finding("wrong", "doctor.page.bad", {"why": _last_line(complaints) or why})


def _open(printed: IO[bytes]) -> str:
    """Return why the page of the server that has *printed* its address does not open, or ""."""
    addresses = (re.search(r"http://\S+", line.decode(errors="replace")) for line in printed)
    address = next(filter(None, addresses), None)
    if address is None:
        return "coursekit serve"
    # Not through a school's proxy, which knows nothing of this computer.
    browser = build_opener(HTTPCookieProcessor(), ProxyHandler({}))
    try:
        browser.open(address[0]).close()
        with browser.open(urljoin(address[0], PAGE)) as page:
            return "" if any(TABLE in line for line in page) else PAGE
    except HTTPError as error:
        return f"HTTP {error.code}"
    except (OSError, HTTPException) as error:
        return type(error).__name__


def _last_line(complaints: IO[bytes]) -> str:
    """Return the last thing that a server has complained of; of a traceback that is the error."""
    complaints.seek(0)
    lines = complaints.read().decode(errors="replace").split("\n")
    return make_line(next((line for line in reversed(lines) if line.strip()), ""))
