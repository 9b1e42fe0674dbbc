"""The table in the browser, tested in node with a small stand-in for the page."""

import shutil
import subprocess
from pathlib import Path

import pytest

JS = Path(__file__).parent / "js"
NODE = shutil.which("node")


@pytest.mark.skipif(NODE is None, reason="node is not installed")
def test_table_js() -> None:
    """Every test in ``tests/js`` passes; its report is shown if one does not."""
    assert NODE is not None
    command = [NODE, "--test", *map(str, sorted(JS.glob("*.test.mjs")))]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
