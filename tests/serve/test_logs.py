"""What the servers write while people use them: errors, and nobody's address."""

import asyncio
import gc
import logging
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from lanes import START
from tornado.websocket import WebSocketClosedError

from coursekit.serve.logs import without_closed_pages

ASKED = (
    "nowhere",
    "logout",
    "voila/render/zh/none.ipynb",
    "voila/files/secret",
    "api/kernels/no",
    "%ff",
)
SERVERS = {
    "serve": ["-m", "coursekit", "serve", "--port", "0", "--no-browser"],
    "jupyter": [
        *["-m", "jupyter_server", "--no-browser", "--port=0", "--ip=127.0.0.1", "--allow-root"],
        "--IdentityProvider.token=secret",
    ],
}


def _ask(browser: urllib.request.OpenerDirector, what: str | urllib.request.Request) -> None:
    """Ask until there is an answer, whatever it says: Jupyter says where it is before it listens
    there.
    """
    for _ in range(1200):
        try:
            browser.open(what, timeout=START).close()
        except urllib.error.HTTPError:
            return
        except urllib.error.URLError:
            time.sleep(0.1)
        else:
            return
    raise AssertionError("it does not listen")


@contextmanager
def running(
    command: list[str], folder: Path
) -> Iterator[tuple[urllib.request.OpenerDirector, str, Path]]:
    """Run a server in *folder*; give a browser with its key, its address and the file with all it
    writes.
    """
    log = folder / "log"
    with log.open("w") as out:
        run = subprocess.Popen([sys.executable, *command], stdout=out, stderr=out, cwd=folder)
    try:
        end = time.monotonic() + START
        while not (found := re.search(r"(http://127\.0\.0\.1:\d+/)(\?\S+)?", log.read_text())):
            assert run.poll() is None, log.read_text()
            assert time.monotonic() < end, log.read_text()
            time.sleep(0.1)
        opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        _ask(opener, found[0])  # with a key, which it leaves in a cookie
        yield opener, found[1], log
    finally:
        run.terminate()
        run.wait(30)


@pytest.mark.slow
@pytest.mark.parametrize("server", SERVERS)
def test_the_log_of_a_server_tells_what_failed_and_nobodys_address(
    server: str, tmp_path: Path
) -> None:
    with running(SERVERS[server], tmp_path) as (browser, url, log):
        for path in ASKED:
            _ask(
                browser,
                urllib.request.Request(url + path, headers={"Authorization": "token secret"}),
            )
    told = [
        line for line in log.read_text().splitlines() if "http://127.0.0.1:" not in line
    ]  # its own address
    assert any("404 GET /nowhere" in line for line in told), told
    host = url.split("/")[2]
    assert [line for line in told if "127.0.0.1" in line.replace(host, "")] == []


@pytest.mark.parametrize(("error", "lines"), [(WebSocketClosedError, 0), (ValueError, 1)])
def test_a_page_that_was_closed_is_no_error(
    error: type[Exception], lines: int, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail() -> None:
        raise error

    async def forget() -> None:
        task = asyncio.ensure_future(fail())
        await asyncio.wait([task])
        del task

    without_closed_pages()
    with caplog.at_level(logging.ERROR):
        asyncio.run(forget())
        gc.collect()
    assert len([each for each in caplog.records if each.name == "asyncio"]) == lines
