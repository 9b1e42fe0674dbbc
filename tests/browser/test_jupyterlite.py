"""The notebooks in JupyterLite, built by the commands of its page of the documentation."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from chromium import QUIET
from driver import AtTable
from lanes import LACKS, lack
from lesson import run_all_cells
from playwright.sync_api import Browser, Page, expect
from webpage import write

REPOSITORY = Path(__file__).parents[2]
PAGE = (REPOSITORY / "docs/teach/jupyterlite.md").read_text(encoding="utf-8")
(COMMANDS,) = re.findall(r"^```sh\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
NEEDED = ("coursekit", "docs", "examples/jupyterlite", "notebooks")
FILES = ("LICENSE", "NOTICE.md", "README.md", "constraints.txt", "pyproject.toml")
ALONE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
"""No name is found but this computer's."""
ABSENT = "No matching distribution|Could not find a version|Connection|ENOTFOUND|E404"
"""How pip and npm say that an index has not got a package, or cannot be reached."""
EXERCISE = '''from coursekit.cells import check


def double(number):
    """Return twice the number.

    >>> double(3)
    6
    """
    return number  # replace this


check(double, "en")'''
SOLVED = """double = lambda number: 2 * number
double.__doc__ = ">>> double(3)\\n6"
assert (result := check(double, "en")), result
print("graded")"""


@pytest.fixture(scope="module")
def lite_url(tmp_path_factory: pytest.TempPathFactory, serve_files: Callable[[Path], str]) -> str:
    """The address of JupyterLite with the kit's notebooks and one of exercises."""
    folder = tmp_path_factory.mktemp("kit")
    for name in NEEDED:
        without = shutil.ignore_patterns("__pycache__", "node_modules", ".ipynb_checkpoints")
        shutil.copytree(REPOSITORY / name, folder / name, ignore=without)
    for name in FILES:
        shutil.copy(REPOSITORY / name, folder)
    exercise = folder / "notebooks/en/exercise.ipynb"
    write(exercise, "# exercise", EXERCISE, SOLVED, language_info={"name": "python"})
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    environment.pop("PYTHONPATH", None)
    if not shutil.which("npm"):
        lack("npm", "install it with Node")
    pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(folder / "pip")]
    (core,) = re.findall(r'"(jupyterlite-core)\[contents\](==.*?)"', COMMANDS)
    if subprocess.run([*pip, "".join(core)], capture_output=True).returncode:
        pytest.skip(f"{LACKS}JupyterLite: it comes from a package index")
    built = subprocess.run(
        ["sh", "-ec", COMMANDS], cwd=folder, env=environment, capture_output=True, text=True
    )
    if built.returncode and re.search(ABSENT, built.stderr):
        pytest.skip(f"{LACKS}JupyterLite: its parts come from the indexes of Python and npm")
    assert built.returncode == 0, built.stdout[-2000:] + built.stderr[-2000:]
    return serve_files(folder / "lite/site")


@pytest.fixture(scope="module")
def browser(launch_browser: Callable[..., Browser]) -> Iterator[Browser]:
    """A browser that reaches this computer alone."""
    browser = launch_browser(args=[*QUIET, "--no-proxy-server", ALONE])
    yield browser
    browser.close()


def open_notebook(page: Page, address: str) -> Page:
    """Open a notebook of JupyterLite, and run all its cells."""
    page.goto(address)
    return run_all_cells(page)


def test_a_match_and_an_answer_are_there_again_when_the_page_is_reloaded(
    page: Page, lite_url: str
) -> None:
    address = f"{lite_url}lab/index.html?path=zh/wizard.ipynb"
    table = AtTable(open_notebook(page, address))
    for _ in range(3):
        table.decide()
    expect(table.root.locator(".ck-box")).to_have_count(0)
    answer = page.locator(".ck-reflect").first
    answer.locator("textarea").fill("70 %")
    expect(answer).to_contain_text(re.compile("已存檔 [0-9]"))
    expect(answer.locator(".ck-notice")).to_be_hidden()
    table = AtTable(open_notebook(page, address))
    expect(table.root.locator(".ck-box-offer")).to_be_visible()
    expect(answer.locator("textarea")).to_have_value("70 %")


def test_a_check_says_what_is_wrong_and_lets_a_cell_grade(page: Page, lite_url: str) -> None:
    open_notebook(page, f"{lite_url}lab/index.html?path=en/exercise.ipynb")
    shown = page.locator(".jp-OutputArea-output")
    expect(shown.first).to_contain_text("double(3)")
    expect(shown.last).to_have_text("graded")
