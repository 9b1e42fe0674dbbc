"""Folders of Jupyter and the libraries below it: there, and free of their user's own settings.

All of it is said by environment variables, which kernels inherit, before those libraries are
imported.
"""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path


@contextmanager
def settled_folders() -> Iterator[None]:
    """Let pages run without the startup files of their user, and without a home folder.

    What libraries would keep there, and cannot, they keep in a folder that goes when this ends.
    """
    before = dict(os.environ)
    with tempfile.TemporaryDirectory(prefix="coursekit-", ignore_cleanup_errors=True) as folder:
        os.environ.update(replaced_folders(Path(folder)) | own_settings(Path(folder)))
        try:
            yield
        finally:
            os.environ.clear()
            os.environ.update(before)


def own_settings(folder: Path) -> dict[str, str]:
    """Return the variables by which Jupyter and matplotlib find no settings of the user.

    :param folder: where Jupyter writes its own.
    """
    # IPython looks for PYTHONSTARTUP, too.
    folders = {"IPYTHONDIR": "ipython", "JUPYTER_CONFIG_DIR": "jupyter"}
    settings = {name: str(folder / part) for name, part in folders.items()}
    settings["PYTHONSTARTUP"] = ""
    matplotlib = find_spec("matplotlib")
    if matplotlib and matplotlib.origin:
        settings["MATPLOTLIBRC"] = str(Path(matplotlib.origin).parent / "mpl-data" / "matplotlibrc")
    return settings


def replaced_folders(place: Path) -> dict[str, str]:
    """Return the variables that put folders at *place* which cannot be written where they are."""
    home = _home()
    variables = {} if home else {"HOME": str(place), "USERPROFILE": str(place)}
    home = home or place
    cache = Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache")
    usual = {
        "JUPYTER_CONFIG_DIR": home / ".jupyter",
        "JUPYTER_DATA_DIR": _jupyter_data(home),
        "IPYTHONDIR": home / ".ipython",
        "XDG_CACHE_HOME": cache,  # of fontconfig and others
        "MPLCONFIGDIR": cache / "matplotlib",
        "NUMBA_CACHE_DIR": cache / "numba",
    }
    for name, folder in usual.items():
        if not can_write(Path(os.environ.get(name) or folder)):
            variables[name] = str(place / name.lower())
    return variables


def _home() -> Path | None:
    """Return the home folder, ``None`` for somebody whom the system does not know."""
    try:
        return Path.home()
    except RuntimeError:
        return None


def _jupyter_data(home: Path) -> Path:
    from jupyter_core.paths import jupyter_data_dir  # here, for only some commands need it

    return Path(jupyter_data_dir()) if _home() else home / "jupyter"


def can_write(folder: Path) -> bool:
    """Return whether files can be made in *folder*, or the folder itself where it would be."""
    existing = next(place for place in (folder, *folder.parents) if place.exists())
    try:
        # Tried, since rights do not say it: of root, of Windows, of a disk that is read-only.
        tempfile.TemporaryFile(dir=existing).close()
    except OSError:
        return False
    return True
