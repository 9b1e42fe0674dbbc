"""The server under load, with a real browser: what a rush of pages costs, and what is left of many.

``server_soak`` opens 300 pages, one after the other, and compares the server before and after.
``server_rush`` opens 30 pages within ten seconds, closes their window, and then kills a browser
with 11. Both need Chromium and the packages of ``.[test]``. Only errors, what is left, and what was
run side by side can be compared: seconds differ from machine to machine.
"""

import asyncio
import os
import re
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import nbformat
import psutil
from playwright.async_api import Browser, BrowserContext, Page, async_playwright

CHROMIUM = (
    os.environ.get("COURSEKIT_CHROMIUM")
    or shutil.which("chromium")
    or shutil.which("google-chrome")
)
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"]
LATEST = 600_000  # milliseconds until a page counts as failed
ONE_WIDGET = """\
import anywidget
class Hello(anywidget.AnyWidget):
    _esm = 'export default { render({ el }) { el.textContent = "here"; } };'
Hello()
"""


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

    def state(self) -> str:
        """Return the open files, the memory and the kernels of the server."""
        memory = self.process.memory_info().rss / 2**20
        return f"{self.process.num_fds()} descriptors, {memory:.0f} MB, {self.kernels()} kernels"

    async def settled(self, seconds: float) -> None:
        """Wait until no kernel runs, *seconds* at most."""
        end = time.monotonic() + seconds
        while self.kernels() and time.monotonic() < end:
            await asyncio.sleep(0.2)


@asynccontextmanager
async def chromium(server: Served) -> AsyncIterator[tuple[Browser, BrowserContext, list[str]]]:
    """Open a browser that may see *server*; the list gets the errors of its pages."""
    errors: list[str] = []
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        context = await browser.new_context(locale="zh-TW")
        context.set_default_timeout(LATEST)
        context.on(
            "page", lambda page: page.on("pageerror", lambda error: errors.append(str(error)))
        )
        first = await context.new_page()
        await first.goto(server.address)
        await first.wait_for_url(lambda url: "key=" not in url)
        await first.close()
        yield browser, context, errors
        if browser.is_connected():
            await browser.close()


def soak(scale: float) -> None:
    """Open 300 pages, one after the other."""
    with tempfile.TemporaryDirectory() as folder:
        kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
        cell = nbformat.v4.new_code_cell(ONE_WIDGET)
        Path(folder, "zh").mkdir()
        nbformat.write(
            nbformat.v4.new_notebook(cells=[cell], metadata={"kernelspec": kernel}),
            Path(folder, "zh/x.ipynb"),
        )
        server = Served("--dir", folder)
        try:
            asyncio.run(_soak(server, max(2, round(300 * scale))))
        finally:
            server.process.terminate()
            server.process.wait()


async def _soak(server: Served, pages: int) -> None:
    async with chromium(server) as (_, context, errors):
        for number in range(pages + 1):
            if number == 1:  # what the first page makes the server load belongs to it
                await server.settled(60)
                print("after 1 page:", server.state())
            page = await context.new_page()
            await page.goto(server.base + "/voila/render/zh/x.ipynb")
            await page.get_by_text("here").wait_for()
            await page.close(run_before_unload=True)
        await server.settled(60)
        await asyncio.sleep(1)
        print(f"after {pages + 1} pages:", server.state())
        print("errors of pages:", len(errors))


def rush(scale: float) -> None:
    """Open 30 pages within ten seconds."""
    server = Served("--max-kernels", "40")
    try:
        asyncio.run(_rush(server, max(2, round(30 * scale)), max(2, round(11 * scale))))
    finally:
        server.process.terminate()
        server.process.wait()


async def _rush(server: Served, pages: int, killed: int) -> None:
    async with chromium(server) as (browser, context, errors):
        opened = await asyncio.gather(
            *(_table(context, server, 10 * each / pages) for each in range(pages))
        )
        took = sorted(each for each, _ in opened)
        print(
            f"{pages} tables, seconds from the click: first {took[0]:.1f}, "
            f"median {statistics.median(took):.1f}, last {took[-1]:.1f}"
        )
        print("errors of pages:", len(errors), sorted(set(errors))[:3])
        print("tables that do not answer:", sum([not await _answers(page) for _, page in opened]))
        await browser.close()
        await _left(server, "window closed")
    async with chromium(server) as (browser, context, _):
        for _number in range(killed):
            await _table(context, server, 0)
        process = next(
            each for each in psutil.Process().children(recursive=True) if "chrom" in each.name()
        )
        process.kill()
        await _left(server, "browser killed")


async def _table(context: BrowserContext, server: Served, after: float) -> tuple[float, Page]:
    await asyncio.sleep(after)
    start = time.monotonic()
    page = await context.new_page()
    await page.goto(server.base + "/voila/render/zh/wizard.ipynb", wait_until="commit")
    await page.locator(".ck-table").first.wait_for()
    return time.monotonic() - start, page


async def _answers(page: Page) -> bool:
    """Return whether the first card that may be played, or bid made, changes the table."""
    try:
        button = page.locator(".ck-table button:not([disabled])").first
        before = await page.locator(".ck-table").first.inner_text()
        await button.click(timeout=20_000)
        await page.wait_for_function(
            "(before) => document.querySelector('.ck-table').innerText !== before",
            arg=before,
            timeout=30_000,
        )
    except Exception:  # whatever it is, a person would see a dead table
        return False
    return True


async def _left(server: Served, what: str) -> None:
    start = server.kernels()
    await server.settled(30)
    print(f"{what}: {start} kernels, {server.kernels()} after 30 s; {server.state()}")
