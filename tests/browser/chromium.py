"""Where a Chromium is, and how it is started."""

import os
import shutil
from pathlib import Path

NAMES = (
    "chromium-headless-shell",  # opens a page for a third of the processor time
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "msedge",
)
PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
)
QUIET = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --disable-dev-shm-usage"
).split()


def find_chromium() -> str | None:
    """Return the program of a Chromium or Chrome: ``COURSEKIT_CHROMIUM``, else what is installed."""
    found = os.environ.get("COURSEKIT_CHROMIUM") or next(
        filter(None, map(shutil.which, NAMES)), None
    )
    return found or next((place for place in PLACES if Path(place).exists()), None)
