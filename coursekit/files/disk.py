"""Locks of files, damaged files that are put aside, and why a disk refuses a file."""

import errno
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from glob import escape
from pathlib import Path

from coursekit.core.errors import LocalizedError

READ_ONLY = {errno.EACCES, errno.EPERM, errno.EROFS}
FULL = {errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}
NO_FOLDER = {errno.ENOENT, errno.ENOTDIR, errno.EEXIST}
BUSY = {errno.EAGAIN, errno.EWOULDBLOCK, errno.EACCES, errno.EDEADLK}
"""What systems say of a lock that another program holds."""
DRIVE = Path("/drive")
"""Where JupyterLite keeps files in the browser; other folders of its Python end with the page."""
WAIT = 0.02  # seconds between two tries to get a lock


def disk_error_reason(error: BaseException, folder: Path) -> LocalizedError:
    """Return why a file in *folder* cannot be used, as a part of a sentence."""
    if isinstance(error, TimeoutError):
        return LocalizedError("", "disk.locked")
    code = getattr(error, "errno", None)
    for kind, codes in (("full", FULL), ("read_only", READ_ONLY), ("no_folder", NO_FOLDER)):
        if code in codes:
            # The site's worker forbids writing where the browser keeps nothing.
            if sys.platform == "emscripten":
                return LocalizedError("", "disk.browser")
            return LocalizedError("", f"disk.{kind}", folder=folder.name)
    name = errno.errorcode.get(code or 0, type(error).__name__)
    return LocalizedError("", "disk.fault", name=name)


def outlives_page(file: Path) -> bool:
    """Return whether *file* is still there when its page is reloaded.

    Only a Python in a browser loses it: the site's page keeps what is in its data folder.
    """
    if sys.platform != "emscripten" or os.environ.get("COURSEKIT_DATA"):
        return True
    return DRIVE in file.resolve().parents


def put_aside(path: Path) -> Path:
    """Rename the damaged file *path*, with what SQLite keeps beside it, and return its new path.

    ``journal.json`` becomes ``journal.damaged-1.json``; the number is the first that is unused.
    """
    number = 1
    while (goal := path.with_name(f"{path.stem}.damaged-{number}{path.suffix}")).exists():
        number += 1
    # The database last: as long as it is there, its log belongs to it.
    for part in (*sqlite_files(path), path):
        if part.exists():
            part.rename(part.with_name(part.name.replace(path.name, goal.name, 1)))
    return goal


def damaged_files(path: Path) -> list[Path]:
    """Return the files that :func:`put_aside` has made of *path*, in the order of their names."""
    names = f"{escape(path.stem)}.damaged-*{escape(path.suffix)}"
    return sorted(path.parent.glob(names))


def sqlite_files(path: Path) -> list[Path]:
    """Return the paths of the files that SQLite may keep beside the database *path*."""
    return [path.with_name(path.name + ending) for ending in ("-wal", "-shm", "-journal")]


@contextmanager
def lock_file(path: Path, patience: float) -> Iterator[bool]:
    """Hold the lock file *path*; the system releases it if this process dies.

    Yields whether it is held: some network folders and browsers have no locks, and there it is
    better unlocked than unsaved.

    :param patience: seconds to wait for another program.
    :raises TimeoutError: if that program still has it then.
    :raises OSError: if the lock file cannot be opened.
    """
    with open(path, "a+b") as file:
        end = time.monotonic() + patience
        while (held := _take(file.fileno())) is None:
            if time.monotonic() > end:
                raise TimeoutError(f"another program holds {path.name}")
            time.sleep(WAIT)
        try:
            yield held
        finally:
            if held:
                _release(file.fileno())


if sys.platform == "win32":
    import msvcrt

    def _take(file: int) -> bool | None:
        """Return whether the lock was taken; ``None`` if another program has it."""
        os.lseek(file, 0, os.SEEK_SET)
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            return None if error.errno in BUSY else False
        return True

    def _release(file: int) -> None:
        os.lseek(file, 0, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _take(file: int) -> bool | None:
        """Return whether the lock was taken; ``None`` if another program has it."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            return None if error.errno in BUSY else False
        except AttributeError:  # some Pythons for browsers have the module without its functions
            return False
        return True

    def _release(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_UN)
