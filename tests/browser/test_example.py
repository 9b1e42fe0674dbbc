"""A game of another package: built as a wheel, installed beside the kit, checked, and played on its
page.
"""

import os
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from driver import AtTable
from lesson import stands
from playwright.sync_api import Page, expect

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "keep_or_swap"
CHECK = """
from coursekit.kit import GAMES
from coursekit.testing import check_game
assert list(GAMES)[-1] == "keep_or_swap", list(GAMES)
check_game("keep_or_swap")
"""


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of a fresh environment with the wheels of the kit and the example.

    Nothing is downloaded: what they need comes from the environment that runs the tests.
    """
    folder = tmp_path_factory.mktemp("fresh")
    for project in (ROOT, EXAMPLE):
        build = [
            sys.executable,
            "-m",
            "hatchling",
            "build",
            "-t",
            "wheel",
            "-d",
            str(folder / "wheels"),
        ]
        subprocess.run(build, cwd=project, check=True, capture_output=True)
    venv.create(folder / "env")
    base = {"base": str(folder / "env"), "platbase": str(folder / "env")}
    program = Path(sysconfig.get_path("scripts", vars=base)) / (
        "python.exe" if os.name == "nt" else "python"
    )
    install = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        str(program),
        "install",
        "--no-index",
        "--no-deps",
    ]
    wheels = [str(wheel) for wheel in (folder / "wheels").glob("*.whl")]
    subprocess.run([*install, *wheels], check=True, capture_output=True)
    needed = f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})\n"
    Path(sysconfig.get_path("purelib", vars=base), "needed.pth").write_text(needed)
    return program


def test_it_passes_the_suite(python: Path, tmp_path: Path) -> None:
    subprocess.run([python, "-c", CHECK], check=True, cwd=tmp_path)


def test_it_is_on_the_start_page_and_is_played(
    python: Path, start_server: Callable[..., Any], page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUPYTER_PATH", os.path.join(sysconfig.get_path("data"), "share", "jupyter"))
    server = start_server("--language", "en", python=python)
    page.goto(server.start_page())
    page.get_by_role("link", name="Keep or Swap").first.click()
    stands(page)
    table = AtTable(page)
    expect(table.root).to_contain_text("Keep it or swap it?")
    page.get_by_role("button", name="Keep", exact=True).click()
    expect(table.root).to_contain_text("won with")
    page.get_by_role("link", name="Think about it").click()
    asked = "Up to which card would you swap? Why that number?"
    page.get_by_role("button", name=asked).click()
    expect(page.get_by_label(asked, exact=True)).to_be_visible()
