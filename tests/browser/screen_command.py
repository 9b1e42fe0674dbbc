"""The command of a file that draws screens from seeds and looks for what is wrong with them."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from chromium import QUIET, find_chromium
from lanes import START
from playwright.sync_api import Page, sync_playwright

Drawn = TypeVar("Drawn")


def look_at_seeds(
    words: str | None,
    draw: Callable[[int], Drawn],
    faults: Callable[[Page, Drawn], list[str]],
    *,
    touched: bool = False,
) -> None:
    """Draw the screens that the command line asks for, and tell what is wrong with them.

    :param words: what the command is for.
    :param touched: whether a finger touches the screens.
    """
    parser = argparse.ArgumentParser(description=words)
    parser.add_argument("number", nargs="?", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0, help="the first of the seeds")
    parser.add_argument("--keep", type=Path, help="a folder for a picture of each that fails")
    asked = parser.parse_args()
    failed = 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=QUIET)
        for seed in range(asked.seed, asked.seed + asked.number):
            context = browser.new_context(has_touch=touched, is_mobile=touched)
            context.set_default_timeout(1000 * START)
            page = context.new_page()
            screen = draw(seed)
            found = faults(page, screen)
            if found:
                failed += 1
                print(screen, *found, sep="\n  ", flush=True)
            if asked.keep and (found or asked.number == 1):
                page.screenshot(path=asked.keep / f"{seed}.png")
            context.close()
    print(f"{failed} of {asked.number} screens have a fault")
    sys.exit(failed > 0)
