"""Makes this system as strict with the kit as Windows is; a plug-in of pytest::

    python -X warn_default_encoding -m pytest -p windows_like tests/journal

The kit's own code finds ``sys.platform`` to be ``win32``, locks files as there, and neither forks
nor imports what only POSIX has. It may not replace, rename or delete a file that any process has
open, give a file a name that Windows does not allow, or leave an encoding to the system. Other
packages are left alone: theirs is tested by themselves. What this cannot show stands in
docs/teach/windows-and-macos.md.
"""

import fcntl
import os
import re
import sys
import types
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

THROUGH = (
    "pathlib",
    "shutil",
    "tempfile",
    "os",
    "posixpath",
    "importlib",
    "_frozen_importlib",
    "subprocess",
    "contextlib",
)
"""Modules that act for those that call them."""
LOOK_ONCE = """
    concurrent.futures.process multiprocessing.popen_spawn_posix
    matplotlib.font_manager platformdirs voila.app
""".split()
"""Modules of others that look which system it is when they are imported."""
ONLY_POSIX = {"fcntl", "resource", "pwd", "grp", "termios", "tty", "pty", "syslog"}
FORBIDDEN = re.compile(r'[<>:"|?*\x00-\x1f]|[ .]$')
RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)


def pytest_configure(config: pytest.Config) -> None:
    """Begin; from here on it holds for the whole process."""
    for name in LOOK_ONCE:
        import_module(name)
    assert sys.flags.warn_default_encoding, "run python with -X warn_default_encoding"
    config.addinivalue_line("filterwarnings", r"error::EncodingWarning:coursekit\..*")
    windows = types.ModuleType("msvcrt")
    vars(windows).update(LK_LOCK=1, LK_NBLCK=2, LK_UNLCK=0, locking=_locking)
    sys.modules["msvcrt"] = windows
    sys.platform = "win32"
    sys.addaudithook(_watch)


def allowed(name: str) -> bool:
    """Return whether Windows allows *name* for a file or folder."""
    return not FORBIDDEN.search(name) and not RESERVED.fullmatch(name)


def _locking(file: int, how: int, _count: int) -> None:
    fcntl.flock(file, (fcntl.LOCK_UN, fcntl.LOCK_EX, fcntl.LOCK_EX | fcntl.LOCK_NB)[how])


def _watch(event: str, about: tuple[Any, ...]) -> None:
    """Refuse the kit what Windows would refuse."""
    if event == "import":
        if about[0] in ONLY_POSIX and _by_the_kit():
            raise ModuleNotFoundError(f"{about[0]} is not on Windows")
    elif event == "os.fork":
        if _by_the_kit():
            raise OSError("Windows does not fork")
    elif event in ("os.rename", "os.remove"):
        if _by_the_kit():
            for path in about[: 2 if event == "os.rename" else 1]:
                if path in _open_files(path):
                    raise PermissionError(13, "in use by a process", str(path))
    elif event == "open" and _misnames(about[0], about[2]) and _by_the_kit():
        raise OSError(22, "no name on Windows", str(about[0]))


def _misnames(path: Any, flags: int) -> bool:
    """Return whether opening *path* makes a file whose name Windows does not allow."""
    return (
        bool(flags & os.O_CREAT)
        and isinstance(path, (str, os.PathLike))
        and not allowed(Path(path).name)
    )


def _by_the_kit() -> bool:
    """Return whether the code that acts is coursekit's."""
    frame = sys._getframe(2)
    while frame is not None and frame.f_globals.get("__name__", "").split(".")[0] in THROUGH:
        frame = frame.f_back  # type: ignore[assignment]
    return frame is not None and frame.f_globals.get("__name__", "").startswith("coursekit.")


def _open_files(path: str | os.PathLike[str]) -> Iterator[str | os.PathLike[str]]:
    """Yield *path* for each process that has it open."""
    with suppress(OSError):
        this = os.stat(path)
        for process in filter(str.isdigit, os.listdir("/proc")):
            with suppress(OSError):
                for descriptor in os.listdir(f"/proc/{process}/fd"):
                    with suppress(OSError):
                        if os.path.samestat(os.stat(f"/proc/{process}/fd/{descriptor}"), this):
                            yield path
