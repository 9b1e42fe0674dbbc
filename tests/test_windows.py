"""What can be known of Windows and macOS on another system.

A check-list for the rest is in ``docs/teach/windows-and-macos.md``.
"""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from windows_like import allowed

REPOSITORY = Path(__file__).parents[1]
PLAYED = """
    tests/core/test_records.py tests/table/test_store.py tests/table/test_widget.py tests/journal/test_journal.py
    tests/files tests/maps/test_mindmap_files.py tests/games/test_knitwit_words.py tests/serve/test_cli.py
""".split()
"""Tests of what touches the system: files, locks, processes; and a whole match of each game."""


def test_every_file_has_a_name_that_windows_allows() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=REPOSITORY, capture_output=True, check=True
    )
    paths = listed.stdout.decode().rstrip("\0").split("\0")
    assert [path for path in paths if not all(map(allowed, path.split("/")))] == []
    assert [path for path, count in Counter(map(str.lower, paths)).items() if count > 1] == []
    assert max(map(len, paths)) < 120  # of 260, with the folder that it is put into


@pytest.mark.slow
@pytest.mark.skipif(
    not Path("/proc/self/fd").exists(), reason="what stands in for Windows needs Linux"
)
def test_everything_is_played_and_kept_where_windows_is_strict(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-X",
        "warn_default_encoding",
        "-m",
        "pytest",
        "-q",
        "-p",
        "windows_like",
    ]
    command += ["-p", "no:cacheprovider", "-p", "no:randomly", *PLAYED]
    strict = {
        "LC_ALL": "C",
        "PYTHONUTF8": "0",
        "PYTHONCOERCECLOCALE": "0",
        "PYTHONPATH": str(REPOSITORY / "tests"),
    }
    environment = {**os.environ, **strict}
    environment["PYTHONPATH"] = os.pathsep.join(
        [strict["PYTHONPATH"], os.environ.get("PYTHONPATH", "")]
    )
    played = subprocess.run(
        command, cwd=REPOSITORY, env=environment, capture_output=True, encoding="utf-8"
    )
    assert played.returncode == 0, played.stdout
