"""Who may come in, what becomes of strange addresses, and what is left of pages that are gone."""

import asyncio
import re
import socket
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

import psutil
import pytest
from lanes import START
from playwright.sync_api import Browser, BrowserContext, Page, expect
from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.websocket import websocket_connect
from webpage import at_size, overflow, severe, write

from coursekit.serve.kernels import PLACES
from coursekit.words import texts

SLOW_TO_LOAD = """\
import anywidget, traitlets
class Slow(anywidget.AnyWidget):
    count = traitlets.Int(0).tag(sync=True)
    _esm = '''
    await new Promise((loaded) => setTimeout(loaded, 3000));
    export default { render({ model, el }) {
      const button = document.createElement("button");
      const show = () => { button.textContent = `counted ${model.get("count")}`; };
      model.on("change:count", show);
      button.addEventListener("click", () => model.send("more"));
      show();
      el.append(button);
    } };'''
    def __init__(self):
        super().__init__()
        self.on_msg(lambda *_: setattr(self, "count", self.count + 1))
Slow()
"""
WAITS = "import pathlib, time\nwhile not pathlib.Path('go').exists(): time.sleep(0.1)"
HERE = """\
import anywidget
class Hello(anywidget.AnyWidget):
    _esm = "export default { render({ el }) { el.textContent = 'here'; } };"
Hello()
"""


TELL_WARMTH = """import sys
print("it was", "warm" if "coursekit.table.widget" in sys.modules else "cold")"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Notebooks of these tests."""
    folder = tmp_path_factory.mktemp("notebooks")
    write(folder / "zh/here.ipynb", "# 在這裡", HERE)
    write(folder / "en/slow.ipynb", "# Slow", SLOW_TO_LOAD)
    write(folder / "en/waits.ipynb", "# Waits", WAITS)
    write(folder / "en/asks.ipynb", "# Asks", "name = input()")
    (folder / "en/empty.ipynb").touch()
    return folder


@pytest.fixture(scope="module")
def own(start_server: Callable, folder: Path):
    """``coursekit serve`` with them."""
    return start_server("--dir", folder, "--max-kernels", 20)


@pytest.fixture
def fresh(own, context: BrowserContext):
    """*own*, with no kernel before and none left after the test."""
    own.wait_for_kernels(0)
    yield own
    context.close()
    own.wait_for_kernels(0)


@pytest.fixture
def stranger(browser: Browser) -> Iterator[Page]:
    """A page in the browser of another account of the computer."""
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    yield context.new_page()
    context.close()


# Strange addresses

FOLDERS = """/ /voila/render/ /voila/static/ /voila/templates/ /voila/files/ /voila/labextensions/ /voila/api/themes/
/voila/api/shutdown/ /voila/tree/ /voila/api/contents/ /api/kernels/ /coursekit/here/ /coursekit/line/en/""".split()
NAMES = [
    *rb".. %2e%2e ../../etc/passwd ..%2f..%2fetc%2fpasswd ....//x /etc/passwd //x.org/ ..\..\x C:\x ~".split(),
    *rb"%00 a%00.ipynb zh/%00wizard.ipynb %ff %c0%ae %ed%a0%80 % %zz %0a %0d%0aX:%20y <script> {{7*7}}.ipynb".split(),
    *b"nothing.ipynb zh/.ipynb here.ipynb/y lab/static/../../x %E6%96%87.ipynb %F0%9F%83%8F".split(),
    *(
        b"a" * 300,
        b"zh/" + b"a" * 300 + b".ipynb",
        b"a/" * 300,
        b"\xff.ipynb",
        b"lab/static/" + b"a" * 300,
    ),
]
ALONE = b"/logout /logout/ /login /metrics /favicon.ico /api/status /voila /voila/static /voila/templates/lab".split()


def asked(server, path: bytes, method: bytes = b"GET") -> tuple[bytes, bytes]:
    """Return the answer's status and body, for a request that no browser would send."""
    where = urlsplit(server.url)
    with socket.create_connection((where.hostname, where.port), timeout=START) as connection:
        cookie = "{name}={value}".format(**server.cookie)
        lines = f" HTTP/1.1\r\nHost: {where.netloc}\r\nCookie: {cookie}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
        connection.sendall(method + b" " + path + lines.encode())
        head, _, body = connection.makefile("rb").read().partition(b"\r\n\r\n")
    return head.split()[1], body


def test_strange_addresses_are_not_found_and_none_is_an_error(own) -> None:
    addresses = [folder.encode() + name for folder in FOLDERS for name in NAMES]
    assert len(addresses) > 200
    answers = {address: asked(own, address)[0] for address in addresses}
    # Beside the allowed folder, or a form that only another method has
    assert {
        address: each for address, each in answers.items() if each not in (b"404", b"403", b"405")
    } == {}
    assert {address: asked(own, address)[0] for address in ALONE} == dict.fromkeys(ALONE, b"404")
    assert own.kernels() == 0


@pytest.mark.parametrize(
    "method", [b"POST", b"PUT", b"DELETE", b"PATCH", b"OPTIONS", b"HEAD", b"TRACE", b"BREW"]
)
def test_an_unknown_method_is_no_error(own, method: bytes) -> None:
    paths = (
        b"/",
        b"/nowhere",
        b"/voila/render/zh/here.ipynb",
        b"/coursekit/here/x",
        b"/voila/static/voila.js",
        b"*",
    )
    answers = {path: asked(own, path, method) for path in paths}
    assert {path: status for path, (status, _) in answers.items() if status >= b"500"} == {}
    if method == b"BREW":
        assert texts.text("page.error", "zh-Hant").encode() in answers[b"/nowhere"][1]
    assert own.kernels() == 0


# The key


def test_the_address_with_the_key_opens_and_the_browser_keeps_it(fresh, stranger: Page) -> None:
    stranger.goto(f"{fresh.url}voila/render/zh/here.ipynb?a=b&key={fresh.key}")
    expect(stranger).to_have_url(
        fresh.url + "voila/render/zh/here.ipynb?a=b"
    )  # a copied address holds no key
    stranger.get_by_text("here").wait_for()
    (cookie,) = [each for each in stranger.context.cookies() if each["value"] == fresh.key]
    assert (cookie["httpOnly"], cookie["sameSite"]) == (True, "Lax")
    second = stranger.context.new_page()
    second.goto(fresh.start_page())
    assert second.locator("h1").inner_text() == texts.text("page.heading", "zh-Hant")
    stranger.reload()
    stranger.get_by_text("here").wait_for()
    second.goto(fresh.url.replace("127.0.0.1", "localhost") + "en")  # as some write it
    expect(second).to_have_url(fresh.start_page("en"))


def test_without_the_key_a_page_in_three_languages_says_what_to_do(own, stranger: Page) -> None:
    for path in (
        "",
        "en",
        "voila/render/zh/here.ipynb",
        "nowhere",
        "voila/static/voila.js",
        "?key=wrong",
        "?key=",
    ):
        answer = stranger.goto(own.url + path)
        assert answer is not None
        assert answer.status == 403, path
    said = stranger.locator("main").inner_text()
    for language in texts.LANGUAGES:
        assert texts.text("page.door", language, address=own.url.rstrip("/")) in said
    assert severe(stranger) == []
    for width in (360, 1280):
        at_size(stranger, {"width": width, "height": 640})
        assert overflow(stranger) <= 0
    assert own.kernels() == 0


def test_without_the_key_nothing_else_answers_either(fresh, stranger: Page, page: Page) -> None:
    page.goto(fresh.dashboard("zh/here.ipynb"))
    page.get_by_text("here").wait_for()
    kernel = page.evaluate(
        "JSON.parse(document.getElementById('jupyter-config-data').textContent).kernelId"
    )
    request = stranger.context.request
    assert request.post(f"{fresh.url}voila/api/shutdown/{kernel}").status == 403
    assert request.get(f"{fresh.url}api/kernels/{kernel}").status == 403
    assert (
        request.get(
            f"{fresh.url}api/kernels/{kernel}/channels", headers={"Upgrade": "websocket"}
        ).status
        == 403
    )
    assert (
        request.get(fresh.url + "coursekit/static/coursekit.css").status == 200
    )  # the page that says so has it
    assert fresh.kernels() == 1


def test_the_key_leads_to_no_other_server(own, stranger: Page) -> None:
    for path in ("//example.org/", r"/\example.org/", "/%2f/example.org/"):
        page = stranger.context.request.get(
            f"{own.url.rstrip('/')}{path}?key={own.key}", max_redirects=0
        )
        target = re.search(r'url=([^"]*)"', page.text())
        assert target is None or re.match(r"/[^/\\]", target[1])


# Links of other sites


@pytest.fixture(scope="module")
def elsewhere(own) -> Iterator[str]:
    """The address of a page of another site, which links to a page of ours and tries to open it by
    itself.
    """
    address = own.dashboard("zh/here.ipynb")
    body = f'<img src="{address}"><iframe src="{address}"></iframe><a href="{address}">play</a>'
    body += f'<script>fetch("{address}", {{mode: "no-cors", credentials: "include"}}).catch(() => {{}})</script>'

    class Platform(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Platform) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}/"
        server.shutdown()


def test_a_link_of_another_site_asks_before_a_kernel_starts(
    fresh, elsewhere: str, browser: Browser
) -> None:
    page = browser.new_page()
    page.set_default_timeout(1_000 * START)
    page.context.add_cookies([fresh.cookie])
    page.goto(elsewhere)
    page.get_by_role("link", name="play").click()
    button = page.get_by_role("link", name=texts.text("page.elsewhere_go", "zh-Hant"))
    button.wait_for()
    assert page.locator("h1").inner_text() == texts.text("page.elsewhere_title", "zh-Hant")
    assert fresh.kernels() == 0
    assert severe(page) == []
    button.click()
    page.get_by_text("here").wait_for()
    page.reload()
    page.get_by_text("here").wait_for()
    page.close(run_before_unload=True)
    fresh.wait_for_kernels(0)
    page.context.close()


# Load


def test_a_notebook_that_cannot_be_opened_says_why(fresh, page: Page) -> None:
    page.goto(fresh.dashboard("en/empty.ipynb"))
    expect(page.locator("main")).to_contain_text("“empty.ipynb” is an empty file.")
    page.goto(fresh.dashboard("en/asks.ipynb"))
    expect(page.locator("p.site-notice[role=alert]")).to_contain_text("input()")


def test_a_widget_that_is_slow_to_load_still_hears_its_kernel(fresh, page: Page) -> None:
    page.goto(fresh.dashboard("en/slow.ipynb"))
    for count in range(3):
        page.get_by_role("button", name=f"counted {count}").click()
    page.get_by_role("button", name="counted 3").wait_for()


def test_a_page_that_has_to_wait_says_so_and_opens_by_itself(
    fresh, folder: Path, context: BrowserContext
) -> None:
    pages = [context.new_page() for _ in range(PLACES + 2)]
    for number, page in enumerate(pages):
        page.goto(fresh.dashboard("en/waits.ipynb"), wait_until="commit")
        if number < PLACES:
            fresh.wait_for_kernels(number + 1)
        else:
            expect(page.get_by_role("status")).to_have_text(
                texts.text("page.line", "en", count=number + 1 - PLACES)
            )
    assert severe(pages[-1]) == []
    (folder / "en/go").touch()
    for page in pages:
        expect(page.locator("h1")).to_contain_text("Waits")
        page.wait_for_selector("#loading", state="detached")
        assert page.url == fresh.dashboard("en/waits.ipynb")
    assert fresh.kernels() == len(pages)
    (folder / "en/go").unlink()


def test_pages_opened_together_all_come_up(fresh, context: BrowserContext) -> None:
    pages = [context.new_page() for _ in range(6)]
    for page in pages:
        page.goto(fresh.dashboard("zh/here.ipynb"), wait_until="commit")
    for page in pages:
        page.get_by_text("here").wait_for()  # and the fixture `traffic` looks for errors


def rests(server) -> None:
    """Wait until the kernels of *server* have nothing to do."""
    kernels, before = psutil.Process(server.process.pid).children(recursive=True), None
    while before != (now := [sum(each.cpu_times()[:2]) for each in kernels]):
        before = now
        time.sleep(1)


def test_a_warm_kernel_becomes_that_of_a_page_and_the_browser_has_nothing_to_complain_about(
    start_server: Callable, folder: Path, stranger: Page
) -> None:
    complaints: list[str] = []
    stranger.on(
        "console",
        lambda said: (
            complaints.append(f"{said.text} {said.location}") if said.type == "error" else 0
        ),
    )
    write(folder / "en" / "warmth.ipynb", "# Warmth", TELL_WARMTH)
    warmed = start_server("--dir", folder, "--warm", 1)
    stranger.set_default_timeout(1_000 * START)
    stranger.goto(f"{warmed.url}en?key={warmed.key}")
    for _ in range(30):  # a page that comes before it is warm starts a kernel of its own
        warmed.wait_for_kernels(1)
        rests(warmed)
        stranger.goto(warmed.dashboard("en/warmth.ipynb"))
        told = stranger.get_by_text(re.compile("it was (cold|warm)"))
        told.wait_for()
        warm = "warm" in told.inner_text()
        stranger.goto(warmed.start_page("en"))
        if warm:
            break
    assert warm
    assert complaints == []


# What is left


class Client:
    """A page without a browser: it connects to its kernel as one does."""

    def __init__(self, server) -> None:
        self.server, self.client = server, AsyncHTTPClient()
        self.headers = {"Cookie": "{name}={value}".format(**server.cookie)}

    async def opened(self) -> str:
        """Open a page and return the id of its kernel."""
        page = await self.client.fetch(
            self.server.dashboard("zh/here.ipynb"), headers=self.headers, request_timeout=START
        )
        found = re.search(r'"kernelId": ?"([\w-]+)"', page.body.decode())
        assert found
        return found[1]

    async def connected(self, kernel: str):
        """Return a connection to *kernel*, on which something was heard."""
        url = f"{self.server.url.replace('http', 'ws')}api/kernels/{kernel}/channels?session_id={uuid.uuid4().hex}"
        return await websocket_connect(HTTPRequest(url, headers=self.headers))

    async def beacon(self, kernel: str) -> None:
        """Say that the page of *kernel* was closed."""
        url = f"{self.server.url}voila/api/shutdown/{kernel}"
        await self.client.fetch(url, method="POST", body="", headers=self.headers)


def in_a_thread(story) -> None:
    """Run *story* to its end; this thread has a running loop, Playwright's."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, story()).result()


async def _closed_as_by_a_browser(server, pages: int) -> None:
    client = Client(server)
    for _ in range(pages):
        kernel = await client.opened()
        connection = await client.connected(kernel)
        stopping = asyncio.ensure_future(client.beacon(kernel))
        await asyncio.sleep(0.05)  # the kernel is ending now, and not yet gone
        connection.close()
        await stopping


@pytest.mark.skipif(
    not hasattr(psutil.Process, "num_fds"), reason="Windows counts its handles otherwise"
)
def test_pages_that_were_closed_leave_no_file_open(own) -> None:
    own.wait_for_kernels(0)
    in_a_thread(partial(_closed_as_by_a_browser, own, 1))
    before = own.files()
    in_a_thread(partial(_closed_as_by_a_browser, own, 5))
    _wait_for(lambda: own.files() <= before, lambda: f"{own.files()} files, {before} before")


async def _left_by_a_killed_browser(server) -> None:
    client = Client(server)
    never_connected, connected = await client.opened(), await client.opened()
    connection = await client.connected(connected)
    assert never_connected != connected
    connection.close()


def test_a_kernel_whose_browser_was_killed_stops(own) -> None:
    in_a_thread(partial(_left_by_a_killed_browser, own))
    own.wait_for_kernels(0)


def _wait_for(met: Callable[[], bool], said: Callable[[], str]) -> None:
    end = time.monotonic() + 180
    while not met():
        assert time.monotonic() < end, said()
        time.sleep(0.1)
