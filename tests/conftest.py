"""What holds for all tests."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

BROWSER = Path(__file__).parent / "browser"


@pytest.fixture(autouse=True)
def no_loop(request: pytest.FixtureRequest) -> Iterator[None]:
    """Hide the event loop that a browser test before this one, in the same process, has left running."""
    left = None if BROWSER in request.path.parents else asyncio._get_running_loop()
    if left is not None:
        asyncio._set_running_loop(None)
    yield
    if left is not None:
        asyncio._set_running_loop(left)
