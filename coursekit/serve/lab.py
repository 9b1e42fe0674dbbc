"""A copy of the notebooks that its owner may change, opened in JupyterLab."""

import json
import os
import subprocess
import sys
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

NOTES = ".coursekit.json"
"""In the copy: which file was written with which content, to know what has been changed since."""

OFFLINE = (
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    "--LabApp.news_url=None",
    "--LabApp.extension_manager=readonly",
)
"""JupyterLab asks nobody for news, updates or extensions.

That it does not ask its reader about news either is in ``serve/lab_settings.json``, as in Binder.
"""


def installed() -> bool:
    """Return whether JupyterLab is here."""
    return find_spec("jupyterlab") is not None


def copy(source: Path, folder: Path) -> tuple[list[str], list[str]]:
    """Copy the notebooks of *source* into *folder*, and newer versions over untouched old copies.

    :returns: the files written, and the changed files that a newer version was withheld from.
    :raises OSError: if *folder* cannot be written.
    """
    written = _notes(folder)
    copied, kept = [], []
    for file in sorted(source.rglob("*.ipynb")):
        path = file.relative_to(source).as_posix()
        if ".ipynb_checkpoints" in path:
            continue
        content, goal = file.read_bytes(), folder / path
        digest = sha256(content).hexdigest()
        if goal.exists() and written.get(path) == digest:
            continue  # same version as last time, changed or not
        if goal.exists() and sha256(goal.read_bytes()).hexdigest() not in (written.get(path), digest):
            kept.append(path)
            continue
        goal.parent.mkdir(parents=True, exist_ok=True)
        goal.write_bytes(content)
        written[path] = digest
        copied.append(path)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / NOTES).write_text(json.dumps(written, indent=1), encoding="utf-8")
    return copied, kept


def open_lab(folder: Path, language_folder: str, browser: bool) -> int:
    """Run JupyterLab on *folder* until somebody stops it, and return its exit code.

    :param language_folder: of the notebook that it opens with: the first one there.
    """
    first = next(iter(sorted((folder / language_folder).glob("*.ipynb"))), None)
    start = f"/lab/tree/{first.relative_to(folder).as_posix()}" if first else "/lab"
    command = [sys.executable, "-m", "jupyterlab", *OFFLINE]
    command += [f"--ServerApp.root_dir={folder}", f"--LabApp.default_url={start}"]
    if getattr(os, "geteuid", lambda: 1)() == 0:
        command.append("--allow-root")  # as in a container; Jupyter would refuse and name an option we do not have
    if not browser:
        command.append("--no-browser")
    if os.name == "posix":
        os.execv(sys.executable, command)  # Ctrl-C and every other signal are JupyterLab's from here on
    return subprocess.call(command)


def _notes(folder: Path) -> dict[str, str]:
    try:
        notes = json.loads((folder / NOTES).read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return {}
    return {str(path): str(digest) for path, digest in notes.items()} if isinstance(notes, dict) else {}
