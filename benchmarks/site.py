"""How long a lesson without a server takes to open and to answer, in three browsers.

``site`` builds the site, then opens every game in a fresh Chromium, Firefox and WebKit, from a
plain file server and from the one file: the seconds until the table is in sight, the milliseconds
from a click to the changed table (the median of five), and for Chromium what the page and its
worker take of memory beside an empty page. A browser that is not installed is left out. It needs
npm and the packages of ``.[test]``; compare what was run side by side.
"""

import functools
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import psutil
from playwright.sync_api import sync_playwright

from benchmarks.browser import CHROMIUM, QUIET
from coursekit.core.registry import KIT_GAMES

sys.path.append(str(Path(__file__).parents[1] / "tests"))
sys.path.append(str(Path(__file__).parents[1] / "tests" / "browser"))
from engines import ENGINES, SIZE, Engine, NoEngineError

LATEST = 120  # seconds
CLICKS = 5
FASTEST = """(() => {
  const root = document.querySelector(".ck-table:not(.ck-still *)"), menu = root?.querySelector("[data-key='speed']");
  if (!menu || root.getBoundingClientRect().height === 0) return 0;
  const seen = performance.now(); // since the page was asked for
  menu.selectedIndex = menu.options.length - 1;
  menu.dispatchEvent(new Event("change", { bubbles: true }));
  return seen;
})()"""
CLICK = """(() => {
  const root = document.querySelector(".ck-table:not(.ck-still *)"), ready = !coursekit_page.running && !coursekit_page.queue.length;
  if (!ready || root.querySelector(".ck-skip")) return false;
  const ways = [
    "[data-key='venn-suggest']", ".ck-sheet .ck-choice.ck-legal", ".ck-near .ck-choice.ck-legal",
    ".ck-near .ck-piece.ck-legal:not(.ck-quiet)", ".ck-near .ck-piece.ck-legal", ".ck-near .ck-primary",
  ];
  const found = ways.map((way) => [...root.querySelectorAll(way)].find((each) => each.getClientRects().length));
  const first = found.find(Boolean);
  if (!first) return false;
  globalThis.answered = 0;
  const start = performance.now(), before = root.innerText;
  new MutationObserver((_, observer) => {
    if (root.innerText === before) return;
    globalThis.answered = performance.now() - start;
    observer.disconnect();
  }).observe(root, { subtree: true, childList: true, characterData: true, attributes: true });
  first.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  return true;
})()"""


class Chromium(Engine):
    """Chromium, driven by Playwright."""

    def _begin(self) -> None:
        if not CHROMIUM:
            raise NoEngineError("no chromium found: install it")
        self._playwright = sync_playwright().start()
        self._browser = self._playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        self._page = self._browser.new_page(viewport=SIZE)
        self._page.add_init_script("localStorage.setItem('coursekit:met', '1')")

    def _end(self) -> None:
        self._browser.close()
        self._playwright.stop()

    def open(self, url: str) -> None:
        self._page.goto(url)

    def evaluate(self, javascript: str) -> Any:
        return self._page.evaluate(javascript)

    def memory(self) -> float:
        """Return the memory of its processes, in MB; what they share is counted once."""
        inside = [
            each for each in psutil.Process().children(recursive=True) if "chrom" in each.name()
        ]
        return sum(each.memory_full_info().pss for each in inside) / 2**20


BROWSERS: dict[str, type[Engine]] = {"chromium": Chromium, **ENGINES}


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Write nothing into the table."""


@contextmanager
def _built() -> Iterator[dict[str, str]]:
    """Build the site; yield the addresses of a game's page, in which ``{}`` stands for the game."""
    with tempfile.TemporaryDirectory() as place:
        folder, file = Path(place, "site"), Path(place, "site.html")
        command = [sys.executable, "-m", "coursekit", "site", str(folder), "--one-file", str(file)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        server = ThreadingHTTPServer(
            ("127.0.0.1", 0), functools.partial(_Quiet, directory=str(folder))
        )
        Thread(target=server.serve_forever, daemon=True).start()
        yield {
            "folder": f"http://127.0.0.1:{server.server_port}/zh-{{}}.html#play",
            "one file": f"{file.as_uri()}?page=zh-{{}}.html#play",
        }
        server.shutdown()


def _measured(browser: Engine, url: str) -> tuple[float, float, float | None]:
    """Return seconds until the table is in sight, milliseconds until it answers, MB if known."""
    empty = 0.0
    if isinstance(browser, Chromium):
        browser.open("about:blank")
        empty = browser.memory()
    browser.open(url)
    seen = browser.wait_for(FASTEST, LATEST) / 1000
    answers = []
    for _ in range(CLICKS):
        browser.wait_for(CLICK, LATEST)
        answers.append(browser.wait_for("globalThis.answered", LATEST))
    return (
        seen,
        statistics.median(answers),
        browser.memory() - empty if isinstance(browser, Chromium) else None,
    )


def site(scale: float) -> None:
    """Open each game five times in each browser, in turn."""
    print(
        "| browser | from | game | in sight (s) | answers (ms) | memory (MB) |\n|---|---|---|---|---|---|"
    )
    with _built() as addresses:
        for name, kind in BROWSERS.items():
            for place, address in addresses.items():
                for game in KIT_GAMES:
                    found = []
                    for _ in range(max(1, round(5 * scale))):
                        try:
                            browser = kind()
                        except NoEngineError:
                            break
                        try:
                            found.append(_measured(browser, address.format(game)))
                        finally:
                            browser.close()
                    if found:
                        seen, answered = (
                            statistics.median(each[part] for each in found) for part in (0, 1)
                        )
                        sizes = [each[2] for each in found if each[2] is not None]
                        size = f"{statistics.median(sizes):.0f}" if sizes else ""
                        print(
                            f"| {name} | {place} | {game} | {seen:.1f} | {answered:.0f} | {size} |",
                            flush=True,
                        )
    print("\nload", *(f"{each:.1f}" for each in os.getloadavg()[:2]))
