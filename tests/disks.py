"""Disks that refuse: folders that can only be read, and files that another program uses."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

NOBODY = 65534


@contextmanager
def ordinary_user(folder: Path) -> Iterator[None]:
    """Have no more rights in *folder*, and in what is in it, than to read."""
    if os.name == "nt":
        pytest.skip("folders of Windows cannot be made read-only like this")
    _allow(folder, 0o555, 0o444)
    root = os.geteuid() == 0  # may write everywhere
    if root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)
        _allow(folder, 0o755, 0o644)


def _allow(folder: Path, folders: int, files: int) -> None:
    for path in (folder, *folder.rglob("*")):
        path.chmod(folders if path.is_dir() else files)


LOCK = """
import sqlite3, sys
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute(sys.argv[2])
print("locked", flush=True)
sys.stdin.readline()
"""


@contextmanager
def another_program(path: Path, does: str = "BEGIN EXCLUSIVE") -> Iterator[None]:
    """Have another program lock the database *path*."""
    command = [sys.executable, "-c", LOCK, path, does]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout.readline() == "locked\n"
        yield
        other.communicate("\n")
