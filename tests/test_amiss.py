"""What a kernel says when cells run out of order, and when one is stopped."""

import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from jupyter_client.manager import KernelManager
from lanes import PATIENCE, START

from coursekit.cells.cell_errors import START as START_FILE

FIRST = (
    'from coursekit import use_language\nfrom coursekit.cells import explore\nuse_language("en")'
)
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
CELLS = [
    FIRST,
    "from coursekit.games.wizard import Wizard\ngame = Wizard(4)",
    "def twice(number):\n    inner = 2\n    return inner * number",
    "for turn in range(3):\n    print(own, turn)\n    own = 1",
    "%unfinished magic",
]


class Kernel:
    """A kernel of a notebook with :data:`CELLS`, of which none has run yet."""

    def __init__(self, notebook: Path, environment: Mapping[str, str] | None = None) -> None:
        cells = [
            {"cell_type": "code", "source": source.splitlines(keepends=True)} for source in CELLS
        ]
        notebook.write_text(
            json.dumps({"cells": [*cells, {"cell_type": "markdown", "source": "x = 1"}]}),
            encoding="utf-8",
        )
        self.manager = KernelManager(kernel_name="python3")
        self.manager.start_kernel(
            env={**os.environ, "JPY_SESSION_NAME": str(notebook), **(environment or {})}
        )
        self.client = self.manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=START)

    def run(self, code: str, stop_at: str = "") -> tuple[str, list[str]]:
        """Run *code*, press the stop button once it has printed *stop_at*; return the error's name
        and lines.
        """
        found: dict[str, Any] = {}

        def hear(message: dict[str, Any]) -> None:
            content = message["content"]
            if message["msg_type"] == "error":
                found["error"] = (content["ename"], content["traceback"])
            if (
                stop_at
                and stop_at in content.get("text", "")
                and not found.setdefault("stopped", False)
            ):
                found["stopped"] = True
                self.manager.interrupt_kernel()

        reply = self.client.execute_interactive(
            code, output_hook=hear, timeout=PATIENCE, allow_stdin=False
        )
        name, lines = found.get("error", ("", []))
        assert (reply["content"]["status"] == "error") == bool(name)
        return name, COLOUR.sub("", "\n".join(lines)).splitlines()

    def close(self) -> None:
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kernel]:
    kernel = Kernel(tmp_path_factory.mktemp("notebook") / "lesson.ipynb")
    kernel.run(FIRST)
    yield kernel
    kernel.close()


def test_a_name_of_a_cell_that_was_not_run_says_which_to_run_first(kernel: Kernel) -> None:
    name, lines = kernel.run("print(game.players)")
    assert name == "NameError"
    assert lines == [
        "“game” is made by another cell: game = Wizard(4). That cell has not been run, or it failed. "
        "Run the cells above first (Run All Above Selected Cell in the menu Run), then this one.",
        "NameError: name 'game' is not defined",
    ]
    assert "def twice(number):" in kernel.run("twice(2)")[1][0]
    assert "from coursekit.games.wizard import Wizard" in kernel.run("Wizard(3)")[1][0]


@pytest.mark.parametrize(
    "code",
    ["nowhere + 1", "inner + 1", "number", CELLS[3], "def f():\n    print(x)\n    x = 1\nf()"],
)
def test_a_name_that_no_other_cell_makes_is_not_looked_for_there(kernel: Kernel, code: str) -> None:
    name, lines = kernel.run(code)
    assert not any("made by another cell" in line for line in lines)
    if name == "NameError":
        assert lines[0].startswith("There is no name")
        assert lines[1].startswith("NameError: name")
    else:
        assert name == "UnboundLocalError"
        assert len(lines) > 3, "it is shown as usual"


SLIPS = {
    "game = 3\nprint（game）": "Line 2 (print（game）) has full-width signs",
    "if own = 3:\n    pass": "Line 1 (if own = 3:) has one =",
    "return 3": "Line 1 (return 3): return stands inside functions",
    "x = 1\n  y = 2": "Line 2 (y = 2) is indented too far",
    "eval('1 +')": "Python cannot read line 1 (1 +)",
    "input('?')": "Nobody can answer input() here",
    "import randon": "There is no package randon",
    "import absentee": "absentee is not installed here",
    "from coursekit import use_language\nuse_language('fr')": "There is no language 'fr'",
    "len = [1]\nlen((1, 2))": "“len” in line 2 has become [1]",
    "explore = 3\nexplore(abs)": "“explore” in line 2 has become 3",
}


@pytest.mark.parametrize(("code", "start"), SLIPS.items())
def test_a_slip_gets_a_sentence_with_its_line(kernel: Kernel, code: str, start: str) -> None:
    name, lines = kernel.run(code)
    kernel.run("del len")
    assert lines[0].startswith(start)
    said = lines[1:] or lines  # what Python says, if that is another sentence
    assert len(said) == 1
    assert said[0].startswith((name, start))


@pytest.mark.parametrize("code", ["None()", "'a' + 1", "import json.absent", "from json import x"])
def test_other_errors_of_these_kinds_are_shown_as_ever(kernel: Kernel, code: str) -> None:
    assert len(kernel.run(code)[1]) != 1


def test_before_the_first_cell_has_run_the_notebook_names_the_language(tmp_path: Path) -> None:
    kernel = Kernel(tmp_path / "lesson.ipynb", START_FILE | {"LC_ALL": "zh_TW.UTF-8"})
    try:
        assert kernel.run("game.players")[1][0].startswith("“game” is made by another cell")
        assert kernel.run("print（1）")[1][0].startswith("Line 1")
        assert kernel.run("assert not {'coursekit', 'install'} & {*dir()}") == ("", [])
    finally:
        kernel.close()


PRINTS = """
from coursekit.arena import sweep
from coursekit.core.strategy import AtRandom
class Prints(AtRandom):
    def bid(self, obs):
        print("playing")
        return obs.legal[0]
sweep(Wizard(4), {{"hit": [20, 30]}}, [Prints, AtRandom], 5000, 1, processes={}, progress=False)
"""
"""Of several tournaments nothing is kept, so that the cell is stopped however far they have come."""


@pytest.mark.parametrize("processes", [1, 2])
def test_a_cell_that_was_stopped_says_so_in_a_line(kernel: Kernel, processes: int) -> None:
    kernel.run("from coursekit.games.wizard import Wizard")
    name, lines = kernel.run(PRINTS.format(processes), stop_at="playing")
    assert name == "KeyboardInterrupt"
    assert lines == ["This cell was stopped before it was done; to compute it again, run it again."]
    assert kernel.run("1 + 1") == ("", [])


WAITING = """
import os
from coursekit.arena import duplicate
from coursekit.core.strategy import AtRandom
from coursekit.games.wizard import Wizard
def again():
    result = duplicate(Wizard(4), [AtRandom], 8, 1, processes=2, progress=False,
                       statistics=lambda match: {"who": [os.getpid()] * 4})
    return {each for deal in result.numbers["AtRandom"]["who"] for each in deal}
while len(who := again()) < 2:
    pass
"""
"""A tournament whose two processes wait for the next one."""


STOPPED = """
print("playing")
try:
    while True:
        pass
except KeyboardInterrupt:
    before, after = who, again()
"""


def test_a_stop_elsewhere_leaves_waiting_processes_alone(kernel: Kernel) -> None:
    assert kernel.run(WAITING) == ("", [])
    assert kernel.run(STOPPED, stop_at="playing") == ("", [])
    assert kernel.run("assert after <= before, (before, after)") == ("", [])


def test_other_errors_are_shown_as_ever(kernel: Kernel) -> None:
    name, lines = kernel.run("1 / 0")
    assert name == "ZeroDivisionError"
    assert len(lines) > 2


def test_a_ladder_is_told_by_the_kernel_what_its_cells_said(kernel: Kernel, tmp_path: Path) -> None:
    kernel.run(
        "from coursekit.games.wizard import Options, Wizard\nfrom coursekit.core.strategy import Strategy"
    )
    kernel.run("def one(obs):\n    return 1")
    kernel.run("class Mine(Strategy):\n    def bid(self, obs):\n        return one(obs)")
    save = f"Ladder(Wizard(4, Options(short_game=1)), folder={str(tmp_path)!r}).save(Mine)"
    assert kernel.run(f"from coursekit.league.ladder import Ladder\n{save}") == ("", [])
    assert "def one(obs)" in (tmp_path / "Mine-1.py").read_text(encoding="utf-8")
