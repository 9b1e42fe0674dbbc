"""Environments that hold the wheel of the kit, what it needs with some extras, and nothing else."""

import shutil
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterable
from pathlib import Path

from tests.test_install import REPOSITORY, closure


def install_wheel(
    folder: Path, extras: Iterable[str], others: Iterable[str] = ()
) -> tuple[Path, Path]:
    """Return the Python of a new environment in *folder* with the kit, and where its packages are.

    *others* are packages that it also has.

    Nothing is downloaded: each package is copied from the environment that runs the tests.
    """
    venv.create(folder / "env")
    base = {"base": str(folder / "env"), "platbase": str(folder / "env")}
    packages = Path(sysconfig.get_path("purelib", vars=base))
    needed = closure("coursekit-games", set(extras))
    for package in (*needed, *(each for other in others for each in closure(other, set()))):
        if package.name == "coursekit-games":
            continue
        for file in package.files or []:
            goal = packages / file
            if "__pycache__" not in file.parts and (here := Path(str(file.locate()))).is_file():
                goal.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(here, goal)
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=REPOSITORY, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    python = Path(sysconfig.get_path("scripts", vars=base), Path(sys.executable).name)
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--no-index"]
    names = ",".join(extras)
    asked = f"coursekit-games[{names}] @ {wheel.as_uri()}" if names else str(wheel)
    # Fails if anything is missing.
    subprocess.run([*pip, asked], check=True, capture_output=True)
    return python, packages
