"""The wheel of the kit without an extra: a match, a table and lessons, on a computer and in
Pyodide, the Python of JupyterLite; and a Jupyter server beside it.
"""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from lanes import lack

from coursekit.site import build
from tests.wheels import install_wheel

pytestmark = pytest.mark.slow

PROGRAM = """
import json, sys, warnings
from pathlib import Path
import coursekit
from coursekit import Table, Wizard, duplicate, play

warnings.simplefilter("error")
assert play(Wizard(3), ["Cautious"] * 3, seed=1).over
table = Table(Wizard(3), seats=["person", "Cautious", "Cautious"])
assert table.get_state()["view"]
assert duplicate(Wizard(3), ["Cautious", "AtRandom"], 40).deals == 40
for lesson in sys.argv[1:]:
    notebook = json.loads((Path(coursekit.__file__).parent / f"notebooks/en/{lesson}.ipynb").read_text("utf-8"))
    names = {"__name__": "__main__"}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code" and "not-on-site" not in cell["metadata"].get("tags", ()):
            exec("".join(cell["source"]), names)

from coursekit.league.ladder import Ladder
Path("ladder").mkdir()
Path("ladder/Mine-1.py").write_text("from coursekit import Strategy\\nclass Mine(Strategy):\\n    def bid(self, obs):\\n        return 0\\n")
assert "Mine" in str(Ladder(Wizard(3), folder="ladder").play(5))
print("all of it")
"""
SERVER = """
import sys
from jupyter_server.serverapp import ServerApp

server = ServerApp(root_dir=sys.argv[1])
server.initialize(argv=["--allow-root"], new_httpserver=False)
print("ready")
"""
PYODIDE = """
import { pathToFileURL } from "node:url";
const [pyodide, packages, program, ...lessons] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`).href);
const python = await loadPyodide({ args: ["program", ...lessons] });
python.mountNodeFS("/packages", packages);
python.runPython(`import sys; sys.path.insert(0, "/packages"); sys.argv = ${JSON.stringify(["", ...lessons])}`);
python.runPython(program);
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A Python with the kit alone, and the folder of its packages."""
    return install_wheel(tmp_path_factory.mktemp("plain"), [])


def run(command: list[object], folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        [*map(str, command)], cwd=folder, env=environment, capture_output=True, encoding="utf-8"
    )


def test_on_a_computer(installed: tuple[Path, Path], tmp_path: Path) -> None:
    done = run([installed[0], "-c", PROGRAM, "wizard", "lab"], tmp_path)
    assert done.stdout.endswith("all of it\n"), done.stderr[-3000:]


def test_commands_that_need_more_say_how_to_get_it(
    installed: tuple[Path, Path], tmp_path: Path
) -> None:
    for command in ("serve", "class", "doctor", "lab", "site out", "print wizard"):
        done = run([installed[0], "-m", "coursekit", *command.split()], tmp_path)
        assert done.returncode == 2, command
        (said,) = done.stderr.splitlines()
        assert "-m pip install" in said
        assert "coursekit-games[serve]" in said


def test_in_the_python_of_a_browser(installed: tuple[Path, Path], tmp_path: Path) -> None:
    node = shutil.which("node") or lack("Node")
    (tmp_path / "run.mjs").write_text(PYODIDE, encoding="utf-8")
    pyodide = build.npm() / "pyodide"
    done = run([node, tmp_path / "run.mjs", pyodide, installed[1], PROGRAM, "wizard"], tmp_path)
    assert done.stdout.endswith("all of it\n"), done.stderr[-3000:]


def test_a_jupyter_server_starts_beside_it_and_says_what_its_pages_need(tmp_path: Path) -> None:
    python, _ = install_wheel(tmp_path, [], ["jupyter_server"])
    done = run([python, "-c", SERVER, tmp_path], tmp_path)
    assert "coursekit.serve.extension | extension was successfully loaded" in done.stderr
    assert "they need voila, which coursekit-games[serve] brings" in done.stderr
    assert "Traceback" not in done.stderr
