"""The kit installed plain, without an extra: what ``coursekit serve`` needs comes with it."""

import shutil
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from driver import AtTable
from playwright.sync_api import Page, expect

from tests.test_install import closure

ROOT = Path(__file__).parents[2]


@pytest.fixture
def python(tmp_path: Path) -> Path:
    """The Python of an environment that holds the wheel of the kit, what it needs, and nothing
    else.

    Nothing is downloaded: each package is copied from the environment that runs the tests.
    """
    venv.create(tmp_path / "env")
    base = {"base": str(tmp_path / "env"), "platbase": str(tmp_path / "env")}
    packages = Path(sysconfig.get_path("purelib", vars=base))
    for package in closure("coursekit-games", set()):
        if package.name == "coursekit-games":
            continue
        for file in package.files or []:
            goal = packages / file
            if "__pycache__" not in file.parts and (here := Path(str(file.locate()))).is_file():
                goal.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(here, goal)
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    program = Path(sysconfig.get_path("scripts", vars=base), Path(sys.executable).name)
    install = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        str(program),
        "install",
        "--no-index",
        str(wheel),
    ]
    subprocess.run(install, check=True, capture_output=True)  # fails if anything is missing
    return program


def test_a_game_opens_and_is_played(
    python: Path, start_server: Callable[..., Any], page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONSAFEPATH", "1")  # or the folder of the tests would hold a second kit
    monkeypatch.delenv("PYTHONPATH", raising=False)
    server = start_server("--language", "en", python=python)
    page.goto(server.start_page())
    page.get_by_role("link", name="Wizard").first.click()
    expect(AtTable(page).root).to_contain_text("Round 1")
