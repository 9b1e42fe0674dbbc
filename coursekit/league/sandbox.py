"""What an entry's process can reach: in bubblewrap (Linux) Python and the kit, and nothing else."""

import os
import subprocess
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from shutil import which
from typing import NamedTuple

from coursekit.core.errors import LocalizedError
from coursekit.core.game import AnyGame
from coursekit.league.entry_limits import can_forbid_calls
from coursekit.words.texts import PACKAGE, make_line

STARTING = 60.0
"""Seconds in which Python must have started."""
PASSED_ON = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT")
"""Variables of the environment that Python needs; an entry sees no others."""
MODULE = "coursekit.league.entry_process"
SYSTEM = (
    "/usr",
    "/bin",
    "/lib",
    "/lib64",
    "/etc/ld.so.cache",
    "/etc/alternatives",
    "/nix/store",
    "/gnu/store",
)
"""Where programs and their libraries are, which all who use the computer may read."""
PARTS_OF_PYTHON = ("lib", "lib64", "pyvenv.cfg")
"""What Python reads where it is installed.

That can be somebody's home folder, so it is not shown as a whole.
"""
BEFORE = ("--unshare-all", "--die-with-parent", "--tmpfs", "/tmp")
"""First, since Python itself may lie below the temporary folder."""
AFTER = (
    *("--proc", "/proc"),
    *("--dev", "/dev"),
    *("--remount-ro", "/dev"),
    *("--remount-ro", "/tmp"),
    *("--remount-ro", "/"),
    *("--chdir", "/tmp"),
    "--as-pid-1",  # so that bubblewrap has one child, the entry
)
"""No place is left in which files could fill the memory."""


class Sandbox(NamedTuple):
    """How entries are shut in."""

    command: tuple[str, ...] = ()
    """Starts a process in bubblewrap, without a network; nothing without it."""
    fault: str = ""
    """What bubblewrap says if it is installed, but cannot be used."""

    def sentences(self) -> list[LocalizedError]:
        """Return what holds entries here, and what does not."""
        if self.command:
            return [LocalizedError("", "league.apart")]
        held = LocalizedError("", "league.filtered" if can_forbid_calls() else "league.together")
        fault = LocalizedError("", "league.no_sandbox", why=self.fault)
        return [fault, held] if self.fault else [held]


def find_sandbox(game: AnyGame) -> Sandbox:
    """Return how to start a process that plays *game* in bubblewrap, or why there is none."""
    program = which("bwrap") if sys.platform == "linux" else None
    if program is None:
        return Sandbox()
    command = (program, *BEFORE, *_show_files(game), *AFTER)
    attempt = (*command, sys.executable, "-c", f"import {MODULE}, {kit_module(game)}")
    fault = _try(attempt, tuple(entry_environment(game).items()))
    return Sandbox(fault=fault) if fault else Sandbox(command)


@lru_cache
def _try(command: tuple[str, ...], environment: tuple[tuple[str, str], ...]) -> str:
    """Run *command*; return what it says if it fails, as one printable line."""
    try:
        done = subprocess.run(command, env=dict(environment), capture_output=True, timeout=STARTING)
    except (OSError, subprocess.SubprocessError) as error:
        return make_line(str(error)) or type(error).__name__
    if done.returncode == 0:
        return ""
    says = done.stderr.decode(errors="replace").split("\n")
    lines = [line for line in map(make_line, says) if line]
    return lines[-1] if lines else f"bwrap: {done.returncode}"


def entry_environment(game: AnyGame) -> dict[str, str]:
    """Return the variables that an entry's process sees."""
    environment = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    places = dict.fromkeys(str(package.parent) for package in _packages(game))
    return {
        **environment,
        "PYTHONPATH": os.pathsep.join(places),
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
    }


def kit_module(game: AnyGame) -> str:
    """Return the module that makes the kit of *game*."""
    from coursekit.core import registry  # here, as it is slow where games are installed

    address = registry.KIT_GAMES.get(game.name) or registry.installed().get(game.name)
    return address.partition(":")[0] if address else type(game).__module__


def _packages(game: AnyGame) -> list[Path]:
    """Return the folders of the packages that an entry's process imports."""
    package = sys.modules[type(game).__module__.partition(".")[0]]
    file = Path(package.__file__ or PACKAGE / "__init__.py")
    return [PACKAGE, file.parent if file.stem == "__init__" else file]


def _show_files(game: AnyGame) -> list[str]:
    """Return the arguments that show bubblewrap what Python needs, and no other file."""
    places = {Path(place) for place in SYSTEM}
    for prefix in (sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix):
        for part in PARTS_OF_PYTHON:
            places.add(Path(prefix, part))
            places.add(Path(prefix, part).resolve())
    places.update(_packages(game))
    arguments = []
    for place in sorted(places):
        arguments += ["--ro-bind-try", str(place), str(place)]
    for link, target in _links(Path(sys.executable)):
        if any(place in link.parents for place in places):
            continue
        if target is None:
            arguments += ["--ro-bind", str(link), str(link)]
        else:
            arguments += ["--symlink", str(target), str(link)]
    return arguments


def _links(path: Path) -> Iterator[tuple[Path, Path | None]]:
    """Yield each link from *path* on with its target, and the file at the end with none."""
    while path.is_symlink():
        target = path.parent.resolve() / path.readlink()
        target = Path(os.path.normpath(target))
        yield path, target
        path = target
    yield path, None
