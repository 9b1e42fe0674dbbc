"""A Jupyter server whose identity asks as JupyterHub's, with the kit among other courses."""

import asyncio
import http.client
import json
import logging
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple
from unittest.mock import Mock

import pytest
import voila.server_extension
from jupyter_server.auth import IdentityProvider, User
from jupyter_server.base.handlers import JupyterHandler
from jupyter_server.serverapp import ServerApp
from lanes import PATIENCE
from tornado.httpserver import HTTPServer
from tornado.httputil import HTTPHeaders, HTTPServerRequest, RequestStartLine
from tornado.netutil import bind_sockets
from tornado.web import HTTPError
from voila.tornado.handler import TornadoVoilaHandler

from coursekit import cli
from coursekit.serve import extension, handlers
from coursekit.serve.kernels import PageKernels
from coursekit.serve.personal_data import FOLDERS
from coursekit.table.storage.store import data_directory
from coursekit.words import texts

BASE = "/user/%E5%B0%8F%E6%98%8E/"
KERNEL = "12345678-1234-1234-1234-1234567890ab"
FRAMES = "frame-ancestors 'self'"
SCRIPT = {"Sec-Fetch-Mode": "cors", "Sec-Fetch-Site": "same-origin", "Cookie": "hub=anna"}
"""What a browser sends with a ``fetch`` or a module of a page."""
LINK = {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Site": "same-origin", "Cookie": "hub=anna"}


class HubIdentity(IdentityProvider):
    """Takes the cookie of what a script asks only with the token, as JupyterHub's single-user
    servers do.
    """

    async def get_user(self, handler: Any) -> User | None:  # type: ignore[override]
        if handler.get_cookie("hub") != "anna":
            return None
        try:
            handler.check_xsrf_cookie()
        except HTTPError:
            return None
        return User("anna")


def want_token(handler: Any) -> None:
    """Refuse a request of a script without its token; it stands in for jupyter_server's check."""
    is_link = handler.request.headers.get("Sec-Fetch-Mode") in ("navigate", "no-cors")
    if not is_link and "X-XSRFToken" not in handler.request.headers:
        raise HTTPError(403, "'_xsrf' argument missing")


class Manager:
    """A kernel manager with kernels of names only."""

    cull_idle_timeout, cull_connected = 600, True
    last_kernel_activity = None
    kernels: set[str]

    def __init__(self) -> None:
        self.kernels = set()

    def list_kernel_ids(self) -> list[str]:
        return list(self.kernels)

    def kernel_model(self, kernel: str) -> dict[str, Any]:
        return {"connections": 0, "execution_state": "idle"}

    def get_kernel(self, kernel: str) -> Any:
        return Mock()

    async def is_alive(self, kernel: str) -> bool:
        return kernel in self.kernels

    async def start_kernel(self, env: dict[str, str]) -> str:
        self.kernels.add(KERNEL)
        return KERNEL

    async def shutdown_kernel(self, kernel: str, now: bool = False) -> None:
        self.kernels.remove(kernel)


class Home(NamedTuple):
    """A running single-user server."""

    folder: Path
    port: int
    app: Any
    manager: Manager

    def ask(self, path: str, method: str = "GET", **headers: str) -> tuple[int, str]:
        """Return status and text of an answer, for a path below the server's."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request(method, BASE + path, headers=headers)
        answer = connection.getresponse()
        words = answer.read().decode()
        connection.close()
        return answer.status, words

    def handler(self, path: str) -> type:
        """Return the class that answers at *path*."""
        line = RequestStartLine("GET", BASE + path, "HTTP/1.1")
        headers = HTTPHeaders({"Host": f"127.0.0.1:{self.port}"})
        request = HTTPServerRequest(start_line=line, headers=headers, connection=Mock())
        found: type = self.app.web_app.find_handler(request).handler_class
        return found

    def write(self, path: str, **about: object) -> None:
        """Write a notebook, which says *about* itself."""
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        cell = {"cell_type": "markdown", "source": [f"# {file.stem}"], "metadata": {}}
        file.write_text(json.dumps({"cells": [cell], "metadata": about}), encoding="utf-8")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    """The server of one user, whose home is still empty."""
    folder = tmp_path_factory.mktemp("home")
    manager = Manager()
    running: list[Home] = []
    end = asyncio.Event()

    async def serve() -> None:
        app = ServerApp(
            root_dir=str(folder),
            base_url=BASE,
            log_level=logging.CRITICAL,
            identity_provider_class=HubIdentity,
            shutdown_no_activity_timeout=600,
        )
        app.initialize(argv=[], find_extensions=False, new_httpserver=False)
        app.kernel_manager = app.web_app.settings["kernel_manager"] = manager
        # In the order of their names, as a server loads them.
        extension._load_jupyter_server_extension(app)
        voila.server_extension._load_jupyter_server_extension(app)
        (socket,) = bind_sockets(0, "127.0.0.1")
        server = HTTPServer(app.web_app)
        server.add_sockets([socket])
        running.append(Home(folder, socket.getsockname()[1], app, manager))
        await end.wait()
        server.stop()

    loop = asyncio.new_event_loop()
    thread = Thread(target=loop.run_until_complete, args=[serve()])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(JupyterHandler, "check_xsrf_cookie", want_token)
        patch.setattr(ServerApp, "init_signal", lambda app: None)  # that is for a main thread
        thread.start()
        while not running and thread.is_alive():
            time.sleep(0.01)
        yield running[0]
        loop.call_soon_threadsafe(end.set)
        thread.join()
    loop.close()


def test_the_identity_refuses_what_scripts_ask_of_others(home: Home) -> None:
    assert home.ask("api/contents", **SCRIPT)[0] == 403
    assert home.ask("api/contents", **SCRIPT, **{"X-XSRFToken": "any"})[0] == 200


def test_a_clone_that_comes_later_is_on_the_start_page(home: Home) -> None:
    assert texts.text("page.nothing", "zh-Hant") in home.ask("coursekit/", **LINK)[1]
    home.write("statistics/en/week-2.ipynb")
    home.write("week-1.ipynb")
    home.write("games-of-2026/notebooks/zh/wizard.ipynb", coursekit={"language": "zh-Hant"})
    home.write("games-of-2026/notebooks/zh/mine.ipynb")
    status, page = home.ask("coursekit/", **LINK)
    assert status == 200
    for name in ("wizard", "mine"):
        assert f"{BASE}voila/render/games-of-2026/notebooks/zh/{name}.ipynb" in page
    assert "week-" not in page
    folder = home.folder / "games-of-2026/notebooks"
    assert str(folder) in (data_directory() / FOLDERS).read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize(
    ("path", "is_kits"),
    [
        ("games/notebooks/zh/wizard.ipynb", True),
        ("games/notebooks/zh-Hans/wizard.ipynb", True),
        ("games/notebooks/zh/mine.ipynb", True),
        ("games/notebooks/zh/not-there.ipynb", True),
        ("my%20copies/wizard.ipynb", True),
        ("%00.ipynb", True),
        ("week-1.ipynb", False),
        ("statistics/en/week-2.ipynb", False),
        ("games/other.ipynb", False),
        ("games/notebooks/zh/../../other.ipynb", False),
        ("broken.ipynb", False),
        ("not-there.ipynb", False),
    ],
)
def test_only_the_kits_notebooks_are_its_pages(home: Home, path: str, is_kits: bool) -> None:
    home.write("games/notebooks/zh/wizard.ipynb", coursekit={"language": "zh-Hant"})
    home.write("my copies/wizard.ipynb", coursekit={"language": "zh-Hant"})
    for other in ("games/notebooks/zh/mine", "week-1", "statistics/en/week-2", "games/other"):
        home.write(f"{other}.ipynb")
    (home.folder / "broken.ipynb").write_text("<<<<<<< ours", encoding="utf-8")
    expected = handlers.Dashboard if is_kits else TornadoVoilaHandler
    assert home.handler(f"voila/render/{path}") is expected


def test_what_waiting_and_open_pages_ask_needs_no_token(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handlers, "page_files", lambda: {"table.js": Mock(kind="x", content="y")})
    assert home.ask("coursekit/line/en/0123456789abcdef", **SCRIPT)[0] == 200
    status, words = home.ask(f"coursekit/here/{KERNEL}", **SCRIPT)
    assert (status, json.loads(words)["gone"]) == (200, True)
    assert home.ask("coursekit/parts/table.js", **SCRIPT) == (200, "y")


@pytest.mark.parametrize("frames", ["", "frame-ancestors 'none'", "a b; frame-ancestors c.tw d"])
def test_a_hub_decides_who_may_frame_its_pages(home: Home, frames: str) -> None:
    settings = home.app.web_app.settings
    settings["headers"] = {"Content-Security-Policy": frames} if frames else {}
    handler = handlers.Start(home.app.web_app, Mock(connection=Mock()))
    policy = handler.content_security_policy
    assert policy.startswith("default-src 'self'; ")
    assert policy.endswith(f"; {frames.removeprefix('a b; ') or FRAMES}")


def test_someone_who_is_not_signed_in_is_refused_and_never_led_in_a_circle(home: Home) -> None:
    out = {**SCRIPT, "Cookie": ""}
    for path in ("coursekit/line/en/0123456789abcdef", f"coursekit/here/{KERNEL}"):
        assert home.ask(path, **out)[0] == 403


def test_a_closed_page_stops_its_kernel_and_the_others_are_left_to_voila(home: Home) -> None:
    kernels: PageKernels = home.app.web_app.settings["coursekit_kernels"]
    assert home.handler(f"voila/api/shutdown/{KERNEL}") is not handlers.Shutdown
    assert asyncio.run(kernels.start_kernel(env={})) == KERNEL
    assert json.loads(home.ask(f"coursekit/here/{KERNEL}", **SCRIPT)[1])["gone"] is False
    beacon = {**SCRIPT, "Sec-Fetch-Mode": "no-cors"}
    assert home.ask(f"voila/api/shutdown/{KERNEL}", "POST", **beacon)[0] == 204
    assert home.manager.kernels == set()
    assert home.handler(f"voila/api/shutdown/{KERNEL}") is handlers.Shutdown


def test_a_page_knows_when_its_server_ends_what_is_not_used(home: Home) -> None:
    site = home.app.web_app.settings["coursekit_site"]
    assert (site.idle_limit, site.server_limit) == (600, 600)
    home.manager.cull_connected = False
    assert site.idle_limit == 0


@pytest.fixture
def terminal(home: Home, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A terminal of that server."""
    monkeypatch.delenv("JUPYTER_SERVER_URL", raising=False)
    monkeypatch.delenv("JUPYTERHUB_PUBLIC_URL", raising=False)
    monkeypatch.setenv("LC_ALL", "en_US.UTF-8")
    monkeypatch.setenv("JUPYTERHUB_SERVICE_PREFIX", BASE)
    monkeypatch.setenv("JUPYTERHUB_SERVICE_URL", f"http://0.0.0.0:{home.port}{BASE}")
    return monkeypatch


def test_a_terminal_of_a_hub_names_the_address_that_a_browser_reaches(
    terminal: pytest.MonkeyPatch, home: Home, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["serve"]) == 0
    assert f"https://<HUB>{BASE}coursekit/" in capsys.readouterr().out
    assert cli.main(["class"]) == 2
    assert f"https://<HUB>{BASE}coursekit/" in capsys.readouterr().err
    terminal.setenv("JUPYTERHUB_PUBLIC_URL", f"https://hub.school.tw{BASE}")
    cli.main(["doctor"])
    said = capsys.readouterr().out
    assert f"https://hub.school.tw{BASE}coursekit/" in said
    assert "browser" not in said
    terminal.setenv("COURSEKIT_DATA", str(tmp_path / "data"))
    terminal.setenv("JUPYTER_SERVER_ROOT", str(home.folder))
    folder = home.folder / "my lessons"
    assert cli.main(["lab", "--dir", str(folder), "--language", "en"]) == 0
    said = capsys.readouterr().out
    assert f"https://hub.school.tw{BASE}lab/tree/my%20lessons/en/00-welcome.ipynb" in said
    assert (folder / "en/00-welcome.ipynb").is_file()


def test_a_hub_whose_server_lacks_the_kit_says_why(
    terminal: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    without = ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)  # it knows no path
    Thread(target=without.serve_forever, daemon=True).start()
    terminal.setenv("JUPYTERHUB_SERVICE_URL", f"http://127.0.0.1:{without.server_port}{BASE}")
    try:
        assert cli.main(["serve"]) == 2
        assert "has not loaded coursekit" in capsys.readouterr().err
        assert cli.main(["doctor"]) == 1
        assert "has not loaded coursekit" in capsys.readouterr().out
    finally:
        without.shutdown()
        without.server_close()
