"""Clicks outside the window: ``python -m benchmarks clicks``.

Plays whole matches at the table of each lesson, on the step in which it is played, after "Start" in
the form for a new match, with every preset: a person who never scrolls, strategies at once. Counts
what was to be clicked and was not wholly in the window, and decisions at which the prompt, or all
one decides with, was not. With ``--people 2`` two share the screen, so that the clicks that take it
are counted as well.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Browser, expect, sync_playwright

from benchmarks.server import CHROMIUM, QUIET, Served
from coursekit.kit import kit_of
from coursekit.words.texts import LANGUAGES

sys.path.append(str(Path(__file__).parents[1] / "tests" / "browser"))
from insight import Attentive

GAMES = ("wizard", "wikipedia", "blockade", "knitwit")
SIZES = ("1920x1080", "1280x720", "360x640")
ROW = "{:10} {:16} {:10} {:8} {:>6} {:>7} {:>8}"
PATIENCE = 180_000  # milliseconds
expect.set_options(timeout=PATIENCE)


def main(arguments: Sequence[str]) -> None:
    """Print a table of what was counted, and where."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks clicks", description=__doc__)
    parser.add_argument("--game", choices=GAMES, action="append", help="(default: all)")
    parser.add_argument("--size", choices=SIZES, action="append", help="(default: all)")
    parser.add_argument("--language", choices=LANGUAGES, action="append", help="(default: all)")
    parser.add_argument("--preset", action="append", help="only this one (default: all of a game)")
    parser.add_argument("--people", type=int, default=1, help="who share the screen (default: 1)")
    parser.add_argument(
        "--decisions", type=int, default=2_000, help="of a match at most, to try it out"
    )
    asked = parser.parse_args(arguments)
    server = Served()
    print(
        ROW.format("game", "preset", "size", "language", "clicks", "outside", "no sight"),
        flush=True,
    )
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
            for language in asked.language or LANGUAGES:
                for game in asked.game or GAMES:
                    _count(browser, server, game, language, asked)
    finally:
        server.process.terminate()
        server.process.wait()


def _count(
    browser: Browser, server: Served, game: str, language: str, asked: argparse.Namespace
) -> None:
    context = browser.new_context(locale=language, viewport={"width": 1280, "height": 720})
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(server.address)
    page.wait_for_url(lambda url: "key=" not in url)
    folder = "en" if language == "en" else "zh"
    page.goto(f"{server.base}/voila/render/{folder}/{game}.ipynb#play", wait_until="commit")
    person = Attentive(page)
    presets = list(kit_of(game).rules.presets) or [""]
    for size in asked.size or SIZES:
        for preset in presets:
            if not asked.preset or preset in asked.preset:
                person.in_window(size, language)
                person.begin(presets.index(preset) if preset else None, asked.people)
                person.play(asked.decisions)
                _tell(person, game, preset, size, language)
    context.close()


def _tell(person: Attentive, *about: str) -> None:
    counts = person.clicks, len(person.unseen), len(person.missed)
    print(ROW.format(*about, *counts), flush=True)
    for what in dict.fromkeys([*person.unseen, *person.missed]):
        print(f"    {what}")
