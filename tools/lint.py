"""Check form, types and spelling of all files; pre-commit and ``.ci/run`` call it::

    .venv/bin/python -m tools.lint

Exit code 1 if there is anything to complain about. ``ruff check --fix`` and ``ruff format`` mend
most of it.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
COMMANDS = (
    "ruff check .",
    "ruff format --check .",
    "mypy",
    "mypy --config-file tools/systems.ini --platform win32 --cache-dir .mypy_cache/win32",
    "mypy --config-file tools/systems.ini --platform darwin --cache-dir .mypy_cache/darwin",
    "codespell_lib coursekit tests tools docs README.md CONTRIBUTING.md CHANGELOG.md",
    "tools.scripts",  # ESLint and TypeScript
)


def main() -> int:
    """Run all commands at once; print what those say that complain, and return how many do."""
    running = []
    for command in COMMANDS:
        arguments = [sys.executable, "-m", *command.split()]
        output = subprocess.PIPE
        running.append(
            subprocess.Popen(
                arguments, cwd=ROOT, stdout=output, stderr=subprocess.STDOUT, text=True
            )
        )
    failures = 0
    for command, process in zip(COMMANDS, running):
        said, _ = process.communicate()
        if process.returncode:
            failures += 1
            print(f"{command}\n{said}")
    return failures


if __name__ == "__main__":
    sys.exit(bool(main()))
