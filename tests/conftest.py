"""What holds for all tests."""

import asyncio
import random
import secrets
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from coursekit.core import registry
from coursekit.kit import GAMES

BROWSER = Path(__file__).parent / "browser"


@pytest.fixture(autouse=True)
def no_loop(request: pytest.FixtureRequest) -> Iterator[None]:
    """Hide the event loop that a browser test before this one, in the same process, has left
    running.
    """
    left = None if BROWSER in request.path.parents else asyncio._get_running_loop()
    if left is not None:
        asyncio._set_running_loop(None)
    yield
    if left is not None:
        asyncio._set_running_loop(left)


@pytest.fixture(autouse=True)
def drawn_secrets(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw this process's secrets, and so the seeds of its matches, from the name of the test.

    A seed that nobody can guess makes a test that fails once in a hundred runs.
    """
    drawn = random.Random(request.node.nodeid)
    monkeypatch.setattr(secrets, "token_bytes", lambda size=32: drawn.randbytes(size or 32))
    monkeypatch.setattr(secrets, "randbelow", drawn.randrange)
    monkeypatch.setattr(secrets, "choice", drawn.choice)


@pytest.fixture
def shared() -> Iterator[Path]:
    """A folder that every user of this machine can read, for :func:`disks.ordinary_user`."""
    with TemporaryDirectory(prefix="coursekit-shared-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.fixture
def teach() -> Iterator[Callable[..., None]]:
    """``teach("wikipedia", moments=…)`` gives a game another part of its lesson, for one test."""
    before = []

    def change(game: str, **parts: object) -> None:
        before.append(GAMES[game])
        lesson = replace(GAMES[game].load_lesson(), **parts)
        replace(GAMES[game], lesson=lambda: lesson)

    yield change
    for kit in reversed(before):
        registry.add(kit)
