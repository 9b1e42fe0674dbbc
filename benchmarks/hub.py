"""A JupyterHub on this machine: login, a server for each of two users, and a proxy of its own.

``hub`` lets both users sign in, opens each page of the kit that their start page names, a manual
and a notebook of another course, cuts the network for twelve seconds under an open page, looks at
it for longer than the servers keep an idle kernel, and closes all. It says how long each page took, and what was wrong: an answer that was refused, a notice that
did not go, a kernel that was left. It needs Chromium, npm and the packages of ``.[test]``;
JupyterHub and its proxy come from their registries into a folder beside the temporary ones, which
the next run uses again. A school's hub differs in where its servers run, which a page cannot see.
"""

import contextlib
import os
import re
import shutil
import site
import socket
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import nbformat
import psutil
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from benchmarks.browser import CHROMIUM, QUIET
from coursekit.serve.notebooks import packaged_folder

HUB, PROXY = "jupyterhub==6.1.1", "configurable-http-proxy@5.3.0"
USERS = {"anna": "", "小明": "en"}
"""Name -> language of the start page, ``""`` for the server's own."""
PASSWORD = "only-on-this-machine"
CUT = 12.0
"""Seconds without a proxy."""
IDLE = 60
"""Seconds after which the servers stop a kernel that nothing is said to, as mybinder.org does."""
LATEST = 120
"""Seconds until something counts as failed."""
NOTICE = "#site-lost"
MOVES = (
    ".ck-table [data-key='venn-suggest'], .ck-table .ck-legal:not(.ck-quiet), .ck-table .ck-legal"
)


def _install(folder: Path) -> tuple[Path, Path]:
    """Install hub and proxy in *folder* unless they are there; return both programs."""
    environment, packages = folder / "python", folder / "node"
    hub = environment / "bin" / "jupyterhub"
    if not hub.exists():
        venv.create(environment, with_pip=True)
        (here,) = environment.glob("lib/*/site-packages")
        # What this Python has, coursekit too, is there as well.
        ours = [*site.getsitepackages(), str(Path(__file__).parents[1])]
        lines = [f"import site; site.addsitedir({path!r})" for path in ours]
        (here / "ours.pth").write_text("\n".join(lines) + "\n", encoding="utf-8")
        subprocess.run([environment / "bin/python", "-m", "pip", "install", "-q", HUB], check=True)
    proxy = packages / "node_modules/.bin/configurable-http-proxy"
    if not proxy.exists():
        quiet = ["--no-fund", "--no-audit", "--loglevel=error"]
        subprocess.run(["npm", "install", *quiet, "--prefix", packages, PROXY], check=True)
    return hub, proxy


def _free_ports(count: int) -> list[int]:
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


class Hub:
    """A running hub.

    :param folder: for the homes of its users, its settings and what it logs.
    """

    def __init__(self, folder: Path, hub: Path, proxy: Path) -> None:
        self.port, api, inside = _free_ports(3)
        self.base = f"http://127.0.0.1:{self.port}"
        self.folder = folder
        self._log = (folder / "log").open("w")
        self._proxy_command = [str(proxy), "--ip=127.0.0.1", f"--port={self.port}"]
        self._proxy_command += ["--api-ip=127.0.0.1", f"--api-port={api}"]
        self._proxy_command += [f"--error-target=http://127.0.0.1:{inside}/hub/error"]
        self.environment = {**os.environ, "CONFIGPROXY_AUTH_TOKEN": "between-hub-and-proxy"}
        paths = {
            "JUPYTER_PATH": str(Path(sys.prefix, "share/jupyter")),
            "JUPYTER_CONFIG_PATH": str(Path(sys.prefix, "etc/jupyter")),
            "COURSEKIT_DATA": str(folder / "data"),
        }
        idle = (f"idle_timeout={IDLE}", "interval=5", "connected=True")
        settings = {
            "JupyterHub.bind_url": self.base,
            "JupyterHub.hub_port": inside,
            "JupyterHub.authenticator_class": "dummy",
            "JupyterHub.spawner_class": "simple",
            "JupyterHub.db_url": f"sqlite:///{folder}/hub.sqlite",
            "JupyterHub.cookie_secret_file": str(folder / "secret"),
            "JupyterHub.last_activity_interval": 5,  # then it looks for lost routes, too
            "Authenticator.allow_all": True,
            "DummyAuthenticator.password": PASSWORD,
            "ConfigurableHTTPProxy.should_start": False,
            "ConfigurableHTTPProxy.api_url": f"http://127.0.0.1:{api}",
            "SimpleLocalProcessSpawner.home_dir_template": f"{folder}/homes/{{username}}",
            "Spawner.cmd": [str(hub.with_name("jupyterhub-singleuser"))],
            "Spawner.args": [
                "--allow-root",
                *(f"--MappingKernelManager.cull_{end}" for end in idle),
            ],
            "Spawner.default_url": "/coursekit/",
            "Spawner.environment": paths,
            "Spawner.start_timeout": LATEST,
            "Spawner.http_timeout": LATEST,
        }
        lines = [f"c.{name} = {value!r}" for name, value in settings.items()]
        (folder / "config.py").write_text("\n".join(lines), encoding="utf-8")
        self.start_proxy()
        command = [str(hub), "-f", str(folder / "config.py")]
        self._hub = self._start(command)

    def _start(self, command: list[str]) -> psutil.Popen:
        return psutil.Popen(
            command, cwd=self.folder, env=self.environment, stdout=self._log, stderr=self._log
        )

    def start_proxy(self) -> None:
        """Start the proxy, whose routes the hub gives it within some seconds."""
        self._proxy = self._start(self._proxy_command)

    def cut(self, seconds: float) -> None:
        """Let nothing through for *seconds*."""
        self._proxy.kill()
        self._proxy.wait()
        time.sleep(seconds)
        self.start_proxy()

    def kernels(self) -> int:
        """Return how many kernels run for its users."""
        commands = []
        for process in self._hub.children(recursive=True):
            with contextlib.suppress(psutil.Error):
                commands.append(" ".join(process.cmdline()))
        return sum("ipykernel" in command for command in commands)

    def log(self) -> str:
        """Return what hub, proxy and servers have logged."""
        return (self.folder / "log").read_text(encoding="utf-8", errors="replace")

    def end(self) -> None:
        """Stop all that it has started."""
        processes = [*self._hub.children(recursive=True), self._hub, self._proxy]
        for process in processes:
            with contextlib.suppress(psutil.Error):
                process.terminate()
        for process in psutil.wait_procs(processes, timeout=15)[1]:
            process.kill()
        self._log.close()


def _fill_home(home: Path) -> None:
    """Put a clone of the kit's notebooks into *home*, with a teacher's own, and another course."""
    shutil.copytree(packaged_folder(), home / "games/notebooks")
    for place, words in (("games/notebooks/zh/own", "my own"), ("statistics/week-1", "week 1")):
        kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
        cells = [
            nbformat.v4.new_markdown_cell(f"# {words}"),
            nbformat.v4.new_code_cell(f"print('it says', {words!r})"),
        ]
        notebook = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
        (home / place).parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook, home / f"{place}.ipynb")


class Visitor:
    """A user with a browser of their own, and what was refused to its pages."""

    def __init__(self, hub: Hub, browser: Browser, name: str) -> None:
        self.hub = hub
        self.name = name
        self.home = f"{hub.base}/user/{quote(name)}/"
        self.context: BrowserContext = browser.new_context(viewport={"width": 1280, "height": 720})
        self.context.set_default_timeout(1000 * LATEST)
        self.context.add_init_script(
            "localStorage.setItem('coursekit:met', '1'); localStorage.setItem('coursekit:speed', 'once')"
        )
        self.refused: list[str] = []
        self.context.on(
            "response",
            lambda answer: (
                answer.status >= 400 and self.refused.append(f"{answer.status} {answer.url}")
            ),
        )

    def sign_in(self) -> Page:
        """Return the page to which the hub leads after the login: the start page."""
        page = self.context.new_page()
        page.goto(f"{self.hub.base}/hub/login")
        page.fill("#username_input", self.name)
        page.fill("#password_input", PASSWORD)
        page.click("#login_submit")
        page.wait_for_url(re.compile("/coursekit/$"))
        return page

    def open(self, address: str) -> Page:
        """Return a notebook of the kit, once all of it is there."""
        page = self.context.new_page()
        page.goto(address)
        page.wait_for_selector("#loading", state="detached")
        page.wait_for_load_state("load")
        return page

    def wrong(self, page: Page) -> str:
        """Return what is wrong with *page*, and what was refused since it was asked last."""
        faults = [*page.locator(f"{NOTICE}, .site-notice[role=alert]:visible").all_inner_texts()]
        refused, self.refused = self.refused, []
        return "; ".join(faults + refused) or "nothing wrong"


@contextlib.contextmanager
def _running() -> Iterator[Hub]:
    programs = _install(Path(tempfile.gettempdir(), "coursekit-hub"))
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        for user in USERS:
            _fill_home(folder / "homes" / user)
        hub = Hub(folder, *programs)
        try:
            _until(lambda: "JupyterHub is now running" in hub.log(), hub.log)
            yield hub
        except BaseException:
            print(hub.log()[-4000:])
            raise
        finally:
            hub.end()


def _until(met: Any, say: Any = str) -> float:
    """Wait until something is met; return the seconds it took."""
    start = time.monotonic()
    while not met():
        assert time.monotonic() - start < LATEST, say()
        time.sleep(0.1)
    return time.monotonic() - start


def hub(scale: float) -> None:
    """Open each page of two users, and cut the network under one of them."""
    with _running() as running, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        try:
            for name, language in USERS.items():
                user = Visitor(running, browser, name)
                wizard = _visit(user, language, scale)
                if not language:
                    _cut(user, wizard)
                user.context.close()
            took = _until(lambda: running.kernels() == 0)
            print(f"all pages closed: no kernel is left after {took:.1f} s")
        finally:
            browser.close()


def _visit(user: Visitor, language: str, scale: float) -> str:
    """Sign in and open pages; return the address of Wizard's lesson."""
    start_page = user.sign_in()
    print(f"{user.name} is signed in: {user.wrong(start_page)}")
    start_page.goto(f"{user.home}coursekit/{language}")
    named = "all => [...new Set(all.map(a => a.href.split('#')[0]))]"
    addresses = start_page.eval_on_selector_all("a[href*='voila/render/']", named)
    shown = addresses[: max(2, round(len(addresses) * scale))]
    for address in shown:
        start = time.monotonic()
        page = user.open(address)
        seconds = time.monotonic() - start
        print(f"{address.rpartition('/')[2]}: {seconds:.1f} s, {user.wrong(page)}", flush=True)
        page.close()

    page = user.context.new_page()
    page.goto(f"{user.home}coursekit/en/manual/wizard")
    page.wait_for_selector("html[data-drawn]")
    print(f"manual: its pictures are drawn, {user.wrong(page)}")
    page.goto(f"{user.home}voila/render/statistics/week-1.ipynb")
    page.get_by_text("it says week 1").wait_for()
    framed = page.locator(".site-header").count()
    print(
        f"another course: {'IN OUR FRAME' if framed else 'as Voilà shows it'}, {user.wrong(page)}"
    )
    page.goto(start_page.eval_on_selector("a[href*='/lab/tree/']", "a => a.href"))
    page.wait_for_selector(".jp-Notebook")
    print("the code of a lesson: open in JupyterLab")
    page.close()

    return next(address for address in addresses if address.endswith("wizard.ipynb"))


def _cut(user: Visitor, wizard: str) -> None:
    """Cut the network under the page at *wizard*, play on, and then only look at it."""
    page = user.open(f"{wizard}#play")
    user.hub.cut(CUT)
    start = time.monotonic()
    page.wait_for_event("response", lambda answer: "coursekit/here/" in answer.url and answer.ok)
    _until(lambda: not page.locator(NOTICE).count())
    back = time.monotonic() - start
    user.refused.clear()  # which is what the cut is for
    table = page.locator(".ck-table").filter(visible=True).first
    before = table.inner_text()
    page.locator(MOVES).filter(visible=True).first.click(force=True)
    answered = _until(lambda: table.inner_text() != before)
    print(
        f"cut for {CUT:.0f} s: connected without a notice {back:.1f} s later, "
        f"the table answers a click after {answered:.1f}; {user.wrong(page)}",
        flush=True,
    )
    time.sleep(1.5 * IDLE)
    print(f"looked at for {1.5 * IDLE:.0f} s: {user.wrong(page)}", flush=True)
    page.close()
