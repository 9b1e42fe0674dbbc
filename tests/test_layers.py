"""Rules need nothing but the contract: they load without a widget, a figure or a page."""

import subprocess
import sys

import pytest

from coursekit.kit import GAMES

HEAVY = ("IPython", "anywidget", "coursekit.figures", "coursekit.reflect", "coursekit.serve", "coursekit.table.widget",
         "ipywidgets", "matplotlib", "networkx", "numpy", "voila")  # fmt: skip


@pytest.mark.parametrize("part", ["rules", "strategies", "scene"])
@pytest.mark.parametrize("game", GAMES)
def test_a_game_loads_without_anything_heavy(game: str, part: str) -> None:
    program = f"import sys, coursekit.games.{game}.{part}; print(*sorted(set({HEAVY!r}) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
