"""The wheel of the kit with what ``coursekit serve`` needs, and nothing else."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from driver import AtTable
from playwright.sync_api import Page, expect

from tests.wheels import install_wheel


def test_a_game_opens_and_is_played(
    tmp_path: Path,
    start_server: Callable[..., Any],
    page: Page,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    python, _ = install_wheel(tmp_path, ["serve"])
    monkeypatch.setenv("PYTHONSAFEPATH", "1")  # or the folder of the tests would hold a second kit
    monkeypatch.delenv("PYTHONPATH", raising=False)
    server = start_server("--language", "en", python=python)
    page.goto(server.start_page())
    page.get_by_role("link", name="Wizard").first.click()
    expect(AtTable(page).root).to_contain_text("Round 1")
