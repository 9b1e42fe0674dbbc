"""How long a page takes from the click on the start page until its table answers a click.

``opening`` opens each game ten times, every time in a fresh browser, beside an empty page of Voilà
with one button, and says how busy the machine was. ``opening_class`` opens twelve pages at once.
Both need Chromium and the packages of ``.[test]``. Seconds differ from machine to machine: compare
what was run side by side.
"""

import asyncio
import os
import shutil
import statistics
import tempfile
import time
from pathlib import Path

import nbformat
import psutil
from playwright.async_api import Browser, BrowserContext, Page, async_playwright

from benchmarks.browser import CHROMIUM, LATEST, QUIET, Served
from coursekit.core.registry import KIT_GAMES
from coursekit.serve.notebooks import packaged_folder

EMPTY = """\
import ipywidgets
button, label = ipywidgets.Button(description="0"), ipywidgets.Label("")
button.on_click(lambda _: setattr(button, "description", "1"))
button
"""
BUTTON = ".jupyter-button"
TABLE, FIRST = (
    ".ck-table",
    ".ck-table .ck-legal, .ck-table button:has-text('給我一個繩圈')",
)
CLASS = 12


def _notebooks(folder: Path) -> None:
    """Copy the kit's lessons to *folder*, with an empty page beside them."""
    shutil.copytree(packaged_folder() / "zh", folder / "zh")
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(EMPTY)], metadata={"kernelspec": kernel}
    )
    nbformat.write(notebook, folder / "zh/empty.ipynb")


def _memory(server: Served) -> str:
    """Return the memory of the server and of each of its kernels, in MB."""
    children = server.process.children()
    return f"server {server.process.memory_info().rss / 2**20:.0f} MB, kernels " + ", ".join(
        f"{each.memory_info().rss / 2**20:.0f}" for each in children
    )


async def _start_page(browser: Browser, server: Served) -> Page:
    page = await (await _context(browser)).new_page()
    return await _read(page, server)


async def _context(browser: Browser) -> BrowserContext:
    context = await browser.new_context(locale="zh-TW", viewport={"width": 1280, "height": 720})
    context.set_default_timeout(LATEST)
    await context.add_init_script(
        "localStorage.setItem('coursekit:speed', 'once')"
    )  # dealing is no part of opening
    return context


async def _read(page: Page, server: Served) -> Page:
    await page.goto(f"{server.base}/?{server.address.partition('?')[2]}")
    await page.wait_for_url(lambda url: "key=" not in url)
    await page.wait_for_load_state("networkidle")  # a person reads it first
    return page


async def _opens(page: Page, server: Served, name: str) -> tuple[float, float, float]:
    """Return the seconds until the table of *name* is in sight, answers, and every cell has run."""
    start = time.monotonic()
    await page.evaluate(f"location.assign('{server.base}/voila/render/zh/{name}.ipynb#play')")
    table, first = (BUTTON, BUTTON) if name == "empty" else (TABLE, FIRST)
    shown = page.locator(table).filter(visible=True).first
    await shown.wait_for()
    seen = time.monotonic() - start
    button = page.locator(first).filter(visible=True).first
    await button.wait_for()
    there = await shown.element_handle()
    before = await shown.inner_text()
    await button.click(force=True)
    await page.wait_for_function(
        "([table, before]) => table.innerText !== before", arg=[there, before]
    )
    answered = time.monotonic() - start
    await page.wait_for_load_state("load")
    return seen, answered, time.monotonic() - start


async def _one(server: Served, name: str) -> tuple[float, float, float]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        took = await _opens(await _start_page(browser, server), server, name)
        await browser.close()
    await asyncio.sleep(9)  # the next kernel is made ready
    return took


def opening(scale: float) -> None:
    """Open each game, and an empty page, ten times in turn."""
    with tempfile.TemporaryDirectory() as folder:
        _notebooks(Path(folder))
        server = Served("--dir", folder)
        try:
            took: dict[str, list[tuple[float, float, float]]] = {
                name: [] for name in ("empty", *KIT_GAMES)
            }
            asyncio.run(_one(server, "empty"))  # what the first page makes the server load
            print("before:", _memory(server))
            for _round in range(max(1, round(10 * scale))):
                for name, each in took.items():
                    each.append(asyncio.run(_one(server, name)))
                print("load", *(f"{each:.1f}" for each in os.getloadavg()[:2]), flush=True)
        finally:
            server.process.terminate()
            server.process.wait()
    for name, each in took.items():
        seen, answered, complete = (statistics.median(column) for column in zip(*each, strict=True))
        print(
            f"{name}: in sight {seen:.2f}, answers {answered:.2f}, every cell {complete:.2f} s (medians)"
        )


def opening_class(scale: float) -> None:
    """Open twelve pages at once."""
    server = Served()
    try:
        asyncio.run(_class(server, max(2, round(CLASS * scale))))
    finally:
        server.process.terminate()
        server.process.wait()


async def _class(server: Served, count: int) -> None:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        context = await _context(browser)  # the tabs of one browser
        pages = [await _read(await context.new_page(), server) for _ in range(count)]
        await asyncio.sleep(9)
        names = [list(KIT_GAMES)[number % len(KIT_GAMES)] for number in range(count)]
        took = await asyncio.gather(
            *(_opens(page, server, name) for page, name in zip(pages, names, strict=True))
        )
        seen, answered, complete = (max(column) for column in zip(*took, strict=True))
        print(
            f"last of {count}: in sight {seen:.1f}, answers {answered:.1f}, every cell {complete:.1f} s"
        )
        print(_memory(server), f"load {os.getloadavg()[0]:.1f}", f"{psutil.cpu_count()} processors")
        await browser.close()
