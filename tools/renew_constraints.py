"""Renew the versions that an installation gets: ``constraints.txt``, and Binder's own.

Run it when they shall be newer, then run all tests with them, and ``tools/audit.py``::

    python tools/renew_constraints.py

The files hold for every system and every Python that the kit supports. Binder's leaves out what its
image has locked: pip, told of another version, would replace one half of a Jupyter that works.
Needs uv and repo2docker, of the extra ``dev``.
"""

import re
import subprocess
import sys
from pathlib import Path

import repo2docker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
EVERYTHING = "lab data test bench docs dev".split()
HEAD = "# Renewed by tools/renew_constraints.py, not by hand.\n"


def resolved(extras: list[str]) -> list[str]:
    """Return a line ``name==version ; marker`` for each package that the kit needs with *extras*."""
    command = [
        sys.executable,
        "-m",
        "uv",
        "pip",
        "compile",
        "--quiet",
        "--upgrade",
        "--universal",
        "pyproject.toml",
    ]
    command += [
        "--python-version",
        "3.11",
        "--no-header",
        "--no-annotate",
        "--no-emit-package=pip",
        *(f"--extra={each}" for each in extras),
    ]
    found = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, encoding="utf-8")
    return found.stdout.splitlines()


def locked_by_binder() -> set[str]:
    """Return the names of the packages in Binder's image, with the Python of ``binder/runtime.txt``."""
    python = (
        (ROOT / "binder/runtime.txt").read_text(encoding="utf-8").strip().removeprefix("python-")
    )
    folder = Path(repo2docker.__file__).parent / "buildpacks/conda"
    lock = (folder / f"environment.py-{python}-linux-64.lock").read_text(encoding="utf-8")
    names = re.findall(r"/([^/]+)-[^-/]+-[^-/]+\.(?:conda|tar\.bz2)", lock)
    return {canonicalize_name(name.removesuffix("-core")) for name in names}


def write(path: Path, lines: list[str]) -> None:
    """Write *lines* as the constraints file *path*."""
    path.write_text(HEAD + "".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
    print(f"{path.relative_to(ROOT)}: {len(lines)} packages")


if __name__ == "__main__":
    write(ROOT / "constraints.txt", resolved(EVERYTHING))
    theirs = locked_by_binder()
    write(
        ROOT / "binder/constraints.txt",
        [each for each in resolved(["serve"]) if Requirement(each).name not in theirs],
    )
