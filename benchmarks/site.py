"""How long a lesson without a server takes to open and to answer, in three browsers.

``site`` builds the site, then opens every game in a fresh Chromium, Firefox and WebKit, from a
plain file server and from the one file: the seconds until the table is in sight, on a second visit
and after "Stop" as well; the milliseconds from a click to the changed table (the median of five);
and for Chromium what the page and its worker take of memory beside an empty page, and what they
take after 40 more matches. A browser that is not installed is left out. It needs npm and the
packages of ``.[test]``; compare what was run side by side.
"""

import functools
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
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
MATCHES = 40
FASTEST = """(() => {
  const root = document.querySelector(".ck-table:not(.ck-still *)"), menu = root?.querySelector("[data-key='speed']");
  if (!menu || root.getBoundingClientRect().height === 0) return 0;
  const seen = performance.now(); // since the page was asked for
  root.querySelector("[data-key='welcome_play']")?.click();
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

STOP = """(() => {
  const start = performance.now();
  globalThis.answered = 0;
  const look = () => {
    const root = document.querySelector(".ck-table:not(.ck-still *)");
    if (coursekit_page.ready && root && !root.closest("[inert]")) globalThis.answered = performance.now() - start;
    else requestAnimationFrame(look);
  };
  coursekit_page.stop();
  look();
  return true;
})()"""
NEW = """(() => {
  const model = coursekit_page.widgets.get(0), { chosen } = model.state.setup;
  model.send({ type: "new", ...chosen, seats: chosen.seats.map(() => chosen.seats[1]) });
  return true;
})()"""
PLAYED = """(() => {
  const skip = document.querySelector(".ck-table:not(.ck-still *) .ck-skip");
  skip?.click();
  return !skip && !coursekit_page.undone && !coursekit_page.widgets.get(0).state.view.more;
})()"""


class Chromium(Engine):
    """Chromium, driven by Playwright."""

    def _begin(self) -> None:
        if not CHROMIUM:
            raise NoEngineError("no chromium found: install it")
        self._playwright = sync_playwright().start()
        self._browser = self._playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        self._page = self._browser.new_page(viewport=SIZE)

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


@dataclass(frozen=True)
class Measured:
    """What one opening took: seconds, milliseconds of an answer, MB if they are known."""

    first: float
    second: float
    stopped: float
    answer: float
    memory: float | None = None
    played: float | None = None


def _measured(browser: Engine, url: str, matches: int) -> Measured:
    """Return what it takes to open *url* in a *browser* that has not been there."""
    browser.open("about:blank")
    empty = browser.memory() if isinstance(browser, Chromium) else 0.0
    browser.open(url)
    first = browser.wait_for(FASTEST, LATEST) / 1000
    answers = []
    for _ in range(CLICKS):
        browser.wait_for(CLICK, LATEST)
        answers.append(browser.wait_for("globalThis.answered", LATEST))
    memory = played = None
    if isinstance(browser, Chromium):
        memory = browser.memory() - empty
        for _ in range(matches):
            browser.evaluate(NEW)
            browser.wait_for(PLAYED, LATEST)
        played = browser.memory() - empty
    browser.wait_for(STOP, LATEST)
    stopped = browser.wait_for("globalThis.answered", LATEST) / 1000
    browser.open("about:blank")
    browser.open(url)
    second = browser.wait_for(FASTEST, LATEST) / 1000
    return Measured(first, second, stopped, statistics.median(answers), memory, played)


def _median(found: Sequence[Measured], name: str, digits: int = 0) -> str:
    values = [value for each in found if (value := getattr(each, name)) is not None]
    return f"{statistics.median(values):.{digits}f}" if values else ""


def site(scale: float) -> None:
    """Open each game five times in each browser, in turn."""
    print("| browser | from | game | first, second visit, after Stop (s) | answers (ms) |", end="")
    print(" memory, and played on (MB) |\n|---|---|---|---|---|---|")
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
                            url = address.format(game)
                            found.append(_measured(browser, url, round(MATCHES * scale)))
                        finally:
                            browser.close()
                    if found:
                        times = " ".join(
                            _median(found, n, 1) for n in ("first", "second", "stopped")
                        )
                        sizes = " ".join(_median(found, n) for n in ("memory", "played"))
                        row = (name, place, game, times, _median(found, "answer"), sizes)
                        print("|", " | ".join(row), "|", flush=True)
    print("\nload", *(f"{each:.1f}" for each in os.getloadavg()[:2]))
