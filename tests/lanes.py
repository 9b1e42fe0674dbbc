"""What a run of the tests leaves out, how much it tries, and what the machine lacks for it.

``pytest`` runs a part of the tests, ``pytest --all`` all of them; ``conftest.py`` has the options.
"""

import os
import time
from typing import NoReturn

import pytest


def slowness() -> float:
    """Return how many times as long as usual this machine takes to count, between 1 and 4."""
    usual = 0.02  # seconds
    taken = []
    for _ in range(3):
        begun = time.perf_counter()
        total = 0
        for number in range(300_000):
            total += number
        taken.append(time.perf_counter() - begun)
    return min(4, max(1, min(taken) / usual))


SLOWNESS = slowness()
PATIENCE = round(30 * SLOWNESS)
"""Seconds after which a test that waits for a condition has failed; most are met in a tenth of one."""
START = round(90 * SLOWNESS)
"""The same for what has to start first: a kernel, Python in a page, the server of a class."""
LACKS = "this machine lacks "
"""How the reason of a skipped test begins if a program is not installed."""

whole = False
"""Whether this run tries everything; ``conftest.py`` sets it before any test is read."""


def some(count: int, least: int = 1) -> int:
    """Return *count* if this run tries everything, else a fifth of it, and *least* at least."""
    return count if whole else max(least, count // 5)


def lack(program: str, advice: str = "install it") -> NoReturn:
    """Skip this test, for want of *program*; under ``CI`` let it fail."""
    reason = f"{LACKS}{program}: {advice}"
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)
