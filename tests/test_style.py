"""Lint, form, types, spelling, and notebooks without outputs: what pre-commit checks, checked for all."""

import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

REPOSITORY = Path(__file__).parents[1]


@pytest.mark.parametrize(
    "command",
    [
        "ruff check .",
        "ruff format --check .",
        "mypy",
        "codespell_lib coursekit tests docs README.md README.zh-Hant.md NOTICE.md CONTRIBUTING.md CHANGELOG.md",
    ],
)
def test_nothing_to_complain_about(command: str) -> None:
    run = subprocess.run([sys.executable, "-m", *command.split()], cwd=REPOSITORY, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


def test_notebooks_carry_no_output_but_what_is_compared() -> None:
    """Outputs of widgets would tell hands; the tag makes ``nbstripout`` leave the compared ones alone."""
    for path in sorted((REPOSITORY / "notebooks").rglob("*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        assert "widgets" not in notebook.metadata, path
        for cell in notebook.cells:
            if cell.cell_type != "code":
                continue
            where = f"{path.name}: {cell.source[:60]}"
            compared = "NBVAL_CHECK_OUTPUT" in cell.source
            assert (cell.execution_count is None) != compared, where  # nbval compares only cells that were run
            assert bool(cell.outputs) <= compared, where
            assert compared == ("keep_output" in cell.metadata.get("tags", [])), where
