"""Take the pictures of the README: four phones play some rounds of Wizard in a class.

::

    python -m tools.screenshots

Needs the extra ``test`` and Chromium, and takes two minutes.  Cards and moves are new each time.
"""

import io
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import which

from PIL import Image
from playwright.sync_api import Browser, Locator, Page, sync_playwright

GOAL = Path(__file__).parents[1] / "docs" / "pictures"
NAMES = {
    "zh": ("zh-Hant", "zh-TW", ("小玉", "阿德", "美華", "志明")),
    "en": ("en", "en-GB", ("Ann", "Ben", "Chen", "Dee")),
}
"""Name of the pictures -> language of the class, that of the phones, and who is in it."""
ADDRESS = "http://192.168.1.20:8870"  # what the projector shows
ROUND = 4  # whose table is shown
WAIT = 120.0  # seconds for whatever is waited for
LIMIT = 150_000  # bytes of all pictures
QUALITY = 60  # of WebP: letters stay sharp
LEGAL = """
const ways = [".ck-near .ck-choice.ck-legal", ".ck-near .ck-piece.ck-legal", ".ck-near .ck-primary"];
const legal = [...document.querySelectorAll(ways)].filter((each) => each.getClientRects().length);
"""
TOUCH = f"""(() => {{
  document.querySelector(".ck-skip")?.click();
  {LEGAL}
  const at = Math.random() * Math.random() * legal.length; // bids stand in order, and low ones are likely ones
  legal[Math.floor(at)]?.dispatchEvent(new MouseEvent("click", {{ bubbles: true, cancelable: true }}));
}})()"""
"""Does what comes to mind."""
TABLE = "coursekit_console.room.tables[0]"


@contextmanager
def classroom(language: str) -> Iterator[str]:
    """Run a class of which nothing is kept; yield the address of its console."""
    command = [
        sys.executable,
        "-m",
        "coursekit",
        "class",
        "wizard",
        "--language",
        language,
        "--no-browser",
    ]
    command += ["--port", "0", "--room", "127.0.0.1", "--room-port", "0", "--public-url", ADDRESS]
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"COURSEKIT_DATA": folder}
        server = subprocess.Popen(
            command, stdout=subprocess.PIPE, encoding="utf-8", env=environment
        )
        assert server.stdout
        try:
            yield next(
                found[0]
                for line in server.stdout
                if (found := re.search(r"http://\S+key=\S+", line))
            )
        finally:
            server.terminate()
            server.wait()


def until(
    true: Callable[[], object], meanwhile: Callable[[], object] = lambda: time.sleep(0.1)
) -> None:
    """Do something *meanwhile*, until something is *true*."""
    end = time.monotonic() + WAIT
    while not true():
        assert time.monotonic() < end
        meanwhile()


def take(what: Page | Locator, name: str, width: int) -> None:
    """Keep a picture of *what*, *width* pixels wide."""
    picture = Image.open(io.BytesIO(what.screenshot()))
    picture = picture.resize(
        (width, round(picture.height * width / picture.width)), Image.Resampling.LANCZOS
    )
    picture.convert("RGB").save(GOAL / f"{name}.webp", quality=QUALITY, method=6)


def lesson(browser: Browser, name: str) -> None:
    """Give a lesson, and take its pictures."""
    language, locale, people = NAMES[name]
    with classroom(language) as address:
        teacher = browser.new_context(viewport={"width": 1280, "height": 720})
        console, projector, debrief = (teacher.new_page() for _ in range(3))
        console.goto(address)
        console.wait_for_selector(".console-url")
        pages = console.url.rpartition("/")[0]
        projector.goto(f"{pages}/projector")

        def order(kind: str, **parts: object) -> None:
            console.evaluate(
                "([kind, parts]) => coursekit_console.order(kind, parts)", [kind, parts]
            )

        def join(person: str) -> Page:
            phone = browser.new_context(
                viewport={"width": 360, "height": 640}, is_mobile=True, locale=locale
            )
            page = phone.new_page()
            port, code = console.evaluate(
                "[coursekit_console.door.port, coursekit_console.room.code]"
            )
            page.goto(f"http://127.0.0.1:{port}/{code}")
            page.fill("#name", person)
            page.click("button[type=submit]")
            page.wait_for_selector(".phone-in")
            return page

        def play() -> None:
            for page in phones:
                page.evaluate(TOUCH)

        def turn(page: Page) -> bool:
            return bool(page.evaluate(f"(() => {{ {LEGAL} return legal.length; }})()"))

        phones = [join(person) for person in people]
        order("step", step="play", free=False)
        order("deal")
        order("watch", table=1)
        for page in phones:
            page.wait_for_selector(".ck-table .ck-prompt")
        until(lambda: console.evaluate(f"{TABLE}?.round === {ROUND}"), play)
        until(lambda: projector.locator(".ck-spot .ck-piece").count() == 2, play)
        until(lambda: any(map(turn, phones)) and not projector.locator(".ck-skip").count())
        take(projector, f"{name}-projector", 860)
        take(next(filter(turn, phones)), f"{name}-phone", 262)
        order("ending", on=True)
        until(lambda: console.evaluate(f"{TABLE}?.over"), play)
        debrief.set_viewport_size({"width": 560, "height": 900})
        debrief.goto(f"{pages}/debrief")
        take(debrief.locator("section:has(.ck-figure)").nth(3), f"{name}-debrief", 455)


if __name__ == "__main__":
    GOAL.mkdir(exist_ok=True)
    program = os.environ.get("COURSEKIT_CHROMIUM") or which("chromium") or which("google-chrome")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(
            executable_path=program, args=["--headless", "--no-sandbox"]
        )
        for each in NAMES:
            lesson(opened, each)
    size = sum(file.stat().st_size for file in GOAL.iterdir())
    print(f"{size:,} bytes in {GOAL}")
    sys.exit(size > LIMIT)
