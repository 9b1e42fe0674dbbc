"""A real browser, the two servers, and a record of everything that passes between them.

For other tests: ``page`` (from pytest-playwright), ``served``, ``start_server``, ``start_jupyter``,
``traffic``, ``open_dashboard``, ``open_lesson``, ``built_site``, ``serve_files``, ``site_url``,
``start_engine``.
"""

import contextlib
import functools
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import NamedTuple
from urllib.parse import urlsplit

import psutil
import pytest
from chromium import QUIET, find_chromium
from engines import ENGINES, Engine, NoEngineError
from lanes import PATIENCE, START, lack
from lesson import Lesson, stands
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    Response,
    WebSocket,
    expect,
)

from coursekit.files.disk import lock_file

expect.set_options(timeout=1_000 * PATIENCE)
NOISE = (
    "Cannot send",
)  # JupyterLab's own, where a message meets a connection that is being opened or closed


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark everything in this folder ``browser``, and ``slow`` what is not the first test of its
    kind of page.
    """
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("browser")
            if not item.get_closest_marker("smoke"):
                item.add_marker("slow")


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, object]:
    """How pytest-playwright starts the browser."""
    program = find_chromium()
    if program is None:
        lack("Chromium", "install it, or name the program in COURSEKIT_CHROMIUM")
    return {"executable_path": program, "args": QUIET, "headless": True}


@pytest.fixture(scope="session")
def browser_context_args() -> dict[str, object]:
    """A projector, in Taiwan."""
    return {"viewport": {"width": 1280, "height": 720}, "locale": "zh-TW"}


@dataclass
class Server:
    """A running server of dashboards.

    :param url: of the folder that ``voila/render/`` is in, with a slash at the end.
    :param token: of a Jupyter server.
    :param key: of ``coursekit serve``; the browsers of these tests have it from the start.
    """

    url: str
    process: subprocess.Popen[str]
    token: str = ""
    folder: str = ""
    key: str = ""

    @property
    def cookie(self) -> dict[str, str]:
        """What the browser of the person who started it keeps."""
        return {"name": f"coursekit-{urlsplit(self.url).port}", "value": self.key, "url": self.url}

    def start_page(self, language: str = "") -> str:
        """Return the address of the start page."""
        return self.url + ("coursekit/" if self.token else "") + language + self._key()

    def dashboard(self, path: str) -> str:
        """Return the address of a notebook, given as ``zh/wizard.ipynb``."""
        return f"{self.url}voila/render/{self.folder}{path}{self._key()}"

    def kernel_processes(self) -> list[psutil.Process]:
        """Return the processes of its kernels."""
        children = psutil.Process(self.process.pid).children(recursive=True)
        return [child for child in children if "ipykernel" in " ".join(_command(child))]

    def kernels(self) -> int:
        """Return how many kernels it has running."""
        return len(self.kernel_processes())

    def wait_for_kernels(self, count: int) -> None:
        """Wait until exactly *count* kernels run."""
        end = time.monotonic() + START
        while self.kernels() != count:
            assert time.monotonic() < end, (
                f"{self.kernels()} kernels after {START} s, expected {count}"
            )
            time.sleep(0.1)

    def files(self) -> int:
        """Return how many files and sockets it has open."""
        return psutil.Process(self.process.pid).num_fds()

    def _key(self) -> str:
        return f"?token={self.token}" if self.token else ""


def _command(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []


KEYS: list[Server] = []
"""The servers that ask for a key."""
CONTEXTS: set[BrowserContext] = set()
"""The browsers that have all of them."""


CHINESE = {"LC_ALL": "", "LC_MESSAGES": "zh_TW.UTF-8"}
"""The computer that a server runs on: what names no language speaks traditional Chinese."""


def _start(
    command: list[str], log: Path, ready: re.Pattern[str], environment: dict[str, str]
) -> tuple[subprocess.Popen[str], re.Match[str]]:
    with log.open("w") as out:
        process = subprocess.Popen(
            command,
            stdout=out,
            stderr=subprocess.STDOUT,
            env={**os.environ, **CHINESE, **environment},
            text=True,
        )
    end = time.monotonic() + START
    while not ((found := ready.search(log.read_text(errors="replace"))) and _listens(found[1])):
        if process.poll() is not None and "already in use" in log.read_text():
            return _start(
                command, log, ready, environment
            )  # Jupyter looks for a free port before it takes it
        assert process.poll() is None, f"the server ended at once:\n{log.read_text()}"
        assert time.monotonic() < end, (
            f"the server did not start within {START} s:\n{log.read_text()}"
        )
        time.sleep(0.1)
    return process, found


def _listens(url: str) -> bool:
    where = urlsplit(url)
    with (
        contextlib.suppress(OSError),
        socket.create_connection((where.hostname, where.port), timeout=1),
    ):
        return True
    return False


def _stop(process: subprocess.Popen[str]) -> None:
    process.terminate()
    try:
        process.wait(15)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@pytest.fixture(scope="session")
def start_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Server]]:
    """``start_server("--dir", folder, …)`` runs ``coursekit serve`` with these arguments on a free
    port.

    No kernel waits for a page, unless ``--warm`` says so: tests count kernels.
    Another *python* is that of another environment.
    """
    running: list[subprocess.Popen[str]] = []

    def start(*arguments: object, python: str | Path = sys.executable) -> Server:
        command = [
            str(python),
            "-m",
            "coursekit",
            "serve",
            "--port",
            "0",
            "--no-browser",
            "--warm",
            "0",
        ]
        log = tmp_path_factory.mktemp("serve") / "log"
        ready = re.compile(r"(http://127\.0\.0\.1:\d+/)\S*\?key=(\S+)")
        process, found = _start([*command, *map(str, arguments)], log, ready, {"LC_ALL": "C.UTF-8"})
        running.append(process)
        server = Server(found[1], process, key=found[2])
        KEYS.append(server)
        for context in CONTEXTS:
            context.add_cookies([server.cookie])
        return server

    yield start
    for process in running:
        _stop(process)


@pytest.fixture(scope="session")
def served(start_server: Callable[..., Server]) -> Server:
    """``coursekit serve`` with the kit's own notebooks, for the whole run."""
    return start_server("--max-kernels", 30)


@pytest.fixture(scope="session")
def start_jupyter(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Path], Server]]:
    """``start_jupyter(notebooks)`` runs a Jupyter server below ``/user/abc/``, as Binder does.

    *notebooks* is copied to the folder ``notebooks`` of the server's root.
    """
    running: list[subprocess.Popen[str]] = []

    def start(notebooks: Path) -> Server:
        root = tmp_path_factory.mktemp("binder")
        shutil.copytree(notebooks, root / "notebooks")
        token = "secret" * 4
        command = [
            sys.executable,
            "-m",
            "jupyter_server",
            "--no-browser",
            "--port=0",
            "--ip=127.0.0.1",
        ]
        command += [f"--ServerApp.root_dir={root}", "--ServerApp.base_url=/user/abc/"]
        command += [
            f"--IdentityProvider.token={token}",
            "--allow-root",
            "--ServerApp.port_retries=0",
        ]
        log = tmp_path_factory.mktemp("jupyter") / "log"
        ready = re.compile(r"(http://127\.0\.0\.1:\d+/user/abc/)")
        own = {
            "JUPYTERLAB_WORKSPACES_DIR": str(tmp_path_factory.mktemp("workspaces"))
        }  # two runs would share one
        process, found = _start(command, log, ready, own)
        running.append(process)
        return Server(found[1], process, token, "notebooks/")

    yield start
    for process in running:
        _stop(process)


class BuiltSite(NamedTuple):
    """What ``coursekit site`` has written."""

    folder: Path
    file: Path


@pytest.fixture(scope="session")
def built_site(tmp_path_factory: pytest.TempPathFactory) -> BuiltSite:
    """The site as a folder and as one file, built once for all processes of this run."""
    if not shutil.which("npm"):
        lack("npm", "install it with Node")
    place = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        place = place.parent
    site = BuiltSite(place / "site", place / "site.html")
    with lock_file(place / "site.lock", 3 * START):
        if not site.file.exists():  # it is written last
            command = [
                sys.executable,
                "-m",
                "coursekit",
                "site",
                str(site.folder),
                "--one-file",
                str(site.file),
            ]
            made = subprocess.run(command, capture_output=True, text=True)
            assert made.returncode == 0, made.stdout + made.stderr
    return site


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Write nothing into the output of the tests."""


@pytest.fixture(scope="session")
def serve_files() -> Iterator[Callable[[Path], str]]:
    """``serve_files(folder)`` starts a plain file server and returns its address, with a slash at
    the end.
    """
    running = []

    def serve(folder: Path) -> str:
        server = ThreadingHTTPServer(
            ("127.0.0.1", 0), functools.partial(_Quiet, directory=str(folder))
        )
        Thread(target=server.serve_forever, daemon=True).start()
        running.append(server)
        return f"http://127.0.0.1:{server.server_port}/"

    yield serve
    for server in running:
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="session")
def site_url(built_site: BuiltSite, serve_files: Callable[[Path], str]) -> str:
    """The address of the built site, with a slash at the end."""
    return serve_files(built_site.folder)


@pytest.fixture(scope="module")
def start_engine() -> Iterator[Callable[..., Engine]]:
    """``start_engine("firefox", …)`` starts one of ``ENGINES`` with what it can be given."""
    running: list[Engine] = []

    def start(name: str, **how: bool | int | str) -> Engine:
        try:
            running.append(ENGINES[name](**how))
        except NoEngineError as error:
            lack(str(error))
        return running[-1]

    yield start
    for engine in running:
        engine.close()


@dataclass
class Traffic:
    """Everything a browser asked for, sent and got; see the fixture ``traffic``."""

    requests: list[str] = field(default_factory=list)
    frames: list[tuple[str, str]] = field(default_factory=list)
    """WebSocket messages in order: ``("sent" | "received", text)``; binary ones decoded as UTF-8."""
    problems: list[str] = field(default_factory=list)
    """Uncaught errors of the page, and what its security policy refused."""
    _responses: list[Response] = field(default_factory=list)

    def attach(self, context: BrowserContext) -> None:
        """Record all pages of *context*, from now on."""
        context.on("request", self._request)
        context.on("response", lambda response: self._responses.append(response))
        context.on("console", self._console)
        context.on("page", self._page)

    def check(self) -> None:
        """Fail if anything was asked of another machine or went wrong since the last check."""
        outside, problems = self.outside(), self.problems.copy()
        self.requests.clear()
        self.problems.clear()
        assert outside == []
        assert problems == []

    def outside(self) -> list[str]:
        """Return the requests that were meant for another machine."""
        local = ("127.0.0.1", "localhost", None)
        return [url for url in self.requests if urlsplit(url).hostname not in local]

    def received(self) -> str:
        """Return all text that reached the browser: pages, JSON answers and WebSocket messages."""
        bodies = []
        for response in self._responses:
            kind = response.headers.get("content-type", "")
            if kind.startswith(("text/html", "application/json")) and response.ok:
                bodies.append(response.text())
        return "\n".join(
            [*bodies, *(text for direction, text in self.frames if direction == "received")]
        )

    def _request(self, request: Request) -> None:
        if not request.url.startswith(("data:", "blob:")):
            self.requests.append(request.url)

    def _console(self, message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text:
            self.problems.append(message.text)

    def _page(self, page: Page) -> None:
        page.on("websocket", self._socket)
        page.on("pageerror", lambda error: str(error) in NOISE or self.problems.append(str(error)))

    def _socket(self, socket: WebSocket) -> None:
        self.requests.append(socket.url)
        socket.on("framesent", lambda data: self.frames.append(("sent", _text(data))))
        socket.on("framereceived", lambda data: self.frames.append(("received", _text(data))))


def _text(data: str | bytes) -> str:
    return data if isinstance(data, str) else data.decode("utf-8", errors="replace")


def patient(context: BrowserContext) -> BrowserContext:
    """Return *context*, whose pages wait long enough and have the keys of all servers."""
    context.add_init_script(  # this browser has seen a table before: it is not asked how to begin
        "try { localStorage.setItem('coursekit:met', '1'); } catch { /* a page without storage */ }"
    )
    context.set_default_timeout(1_000 * PATIENCE)
    context.set_default_navigation_timeout(1_000 * START)  # Voilà answers when its kernel runs
    context.add_cookies([server.cookie for server in KEYS])
    CONTEXTS.add(context)
    context.on("close", lambda _: CONTEXTS.discard(context))
    return context


@pytest.fixture
def context(new_context: Callable[..., BrowserContext]) -> BrowserContext:
    """The context of this test's ``page``."""
    return patient(new_context())


@pytest.fixture(scope="session")
def shared() -> list[Traffic]:
    """The traffic of the pages that several tests look at."""
    return []


@pytest.fixture(autouse=True)
def traffic(context: BrowserContext, shared: list[Traffic]) -> Iterator[Traffic]:
    """What this test's browser asked for, sent and got; a request to another machine fails the
    test.
    """
    traffic = Traffic()
    traffic.attach(context)
    yield traffic
    for each in (traffic, *shared):
        each.check()


@pytest.fixture
def open_dashboard(page: Page) -> Callable[[str], Page]:
    """``open_dashboard(server.dashboard("zh/wizard.ipynb"))`` returns the page once its widgets
    stand.

    All of it, unless the address says which step.
    """

    def open_it(address: str) -> Page:
        page.goto(address if "#" in address else f"{address}#everything")
        return stands(page)

    return open_it


@pytest.fixture(scope="module")
def open_lesson(
    browser: Browser, browser_context_args: dict[str, object], served: Server, shared: list[Traffic]
) -> Iterator[Callable[[str, str], Lesson]]:
    """``open_lesson("zh", "wizard")`` returns all of that notebook of the kit, opened once for all
    tests of a module.

    To open one costs many seconds: its kernel computes every cell. Each test gets it from the top,
    on a projector, in light colours, and otherwise as the tests before have left it.
    """
    lessons: dict[tuple[str, str], Lesson] = {}

    def open_it(folder: str, name: str) -> Lesson:
        if (folder, name) not in lessons:
            context = patient(browser.new_context(**browser_context_args))
            shared.append(Traffic())
            shared[-1].attach(context)
            page = context.new_page()
            page.goto(served.dashboard(f"{folder}/{name}.ipynb") + "#everything")
            lessons[folder, name] = Lesson(stands(page), folder, name)
        lessons[folder, name].look()
        return lessons[folder, name]

    yield open_it
    shared.clear()
    for lesson in lessons.values():
        lesson.page.goto("about:blank")  # which frees its kernel
        lesson.page.context.close()
