"""The file to double-click: what it runs, and what it says when something is missing."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

START = Path(__file__).parents[1] / "start.command"
STUB = """#!/bin/bash
echo "python3 $*" >> "$LOG"
case "$*" in
  --version) echo "Python $VERSION" ;;
  -c*) [ "$VERSION" = 3.12.1 ] ;;
  "-m venv .venv") mkdir -p .venv/bin && cp "$PIP" .venv/bin/pip ;;
esac
"""
PIP = """#!/bin/bash
echo "pip $*" >> "$LOG"
[ -z "$OFFLINE" ] && printf '#!/bin/bash\\necho "coursekit $*" >> "$LOG"\\nexit $SERVED\\n' > .venv/bin/coursekit &&
  chmod +x .venv/bin/coursekit
"""

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has start.cmd")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the kit's folder, as far as the file sees it, and a path with nothing on it but
    what it calls.
    """
    place = tmp_path / "課 堂"  # folders of teachers have spaces
    place.mkdir()
    shutil.copy(START, place)
    (tmp_path / "path").mkdir()
    for name in ("bash", "dirname", "mkdir", "cp", "chmod"):
        (tmp_path / "path" / name).symlink_to(str(shutil.which(name)))
    for file, content in {"path/python3": STUB, "pip": PIP}.items():
        (tmp_path / file).write_text(content)
        (tmp_path / file).chmod(0o755)
    return place


def start(folder: Path, *arguments: str, **how: str) -> tuple[int, str, list[str]]:
    """Return the exit code, what is said, and the commands that are run."""
    log = folder.parent / "log"
    log.unlink(missing_ok=True)
    known = {
        "PATH": str(folder.parent / "path"),
        "LOG": str(log),
        "PIP": str(folder.parent / "pip"),
    }
    environment = known | {"VERSION": "3.12.1", "SERVED": "0"} | how
    command = [str(folder / START.name), *arguments]
    run = subprocess.run(
        command,
        cwd="/",
        env=environment,
        capture_output=True,
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
    )
    return (
        run.returncode,
        run.stdout + run.stderr,
        log.read_text().splitlines() if log.exists() else [],
    )


def test_it_installs_once_and_opens_the_games(folder: Path) -> None:
    code, said, done = start(folder, "--language", "en")
    assert code == 0
    assert "500 MB" in said
    assert "pip install -q -c constraints.txt -e .[lab]" in done
    assert done[-1] == "coursekit serve --language en"
    assert start(folder)[2] == ["coursekit serve"]


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"VERSION": "3.9.6"}, "Python 3.9.6 is too old"),
        ({"OFFLINE": "yes"}, "It could not be installed"),
        ({"SERVED": "2"}, "It did not open"),
    ],
)
def test_it_says_what_went_wrong_and_can_be_opened_again(
    folder: Path, how: dict[str, str], said: str
) -> None:
    code, words, _ = start(folder, **how)
    assert code == 1
    assert said in words
    assert "。" in words
    assert start(folder)[0] == 0


def test_it_says_where_python_is_to_be_had(folder: Path) -> None:
    (folder.parent / "path/python3").unlink()
    code, said, done = start(folder)
    assert (code, done) == (1, [])
    assert "https://www.python.org/downloads/" in said
