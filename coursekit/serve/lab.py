"""A copy of the notebooks for its owner to edit, opened in JupyterLab."""

import json
import os
import subprocess
import sys
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

from coursekit.cells.cell_errors import START
from coursekit.files.folders import visible_files
from coursekit.serve.notebooks import NotebookShelf, simplify_notebook

MANIFEST = ".coursekit.json"
"""File in the copy: path -> digest of the content written there, to detect later changes."""

OFFLINE = (
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    "--LabApp.news_url=None",
    "--LabApp.extension_manager=readonly",
)
"""Options against requests for news, updates or extensions.

``serve/lab_settings.json`` also keeps JupyterLab from asking its reader about news, as in Binder.
"""


def installed() -> bool:
    """Return whether JupyterLab is installed."""
    return find_spec("jupyterlab") is not None


def copy(source: Path, folder: Path) -> tuple[list[str], list[str]]:
    """Copy the notebooks of *source* into *folder*; replace old copies only if they are unchanged.

    :returns: the files written, and the changed files that were not replaced.
    :raises OSError: if *folder* cannot be written.
    """
    digests = _manifest(folder)
    copied, kept = [], []
    for path, content in sorted(_contents(source).items()):
        goal = folder / path
        last, digest = digests.get(path), sha256(content).hexdigest()
        if goal.exists():
            if last == digest:
                continue  # the same version as last time, changed since or not
            if sha256(goal.read_bytes()).hexdigest() not in (last, digest):
                kept.append(path)
                continue
        goal.parent.mkdir(parents=True, exist_ok=True)
        goal.write_bytes(content)
        digests[path] = digest
        copied.append(path)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MANIFEST).write_text(json.dumps(digests, indent=1), encoding="utf-8")
    return copied, kept


def _contents(source: Path) -> dict[str, bytes]:
    """Return the notebooks of *source* by path, with those that are made of others."""
    contents = {}
    for file in visible_files(source, "**/*.ipynb"):
        path = file.relative_to(source).as_posix()
        if ".ipynb_checkpoints" not in path:
            contents[path] = file.read_bytes()
    for notebook in NotebookShelf(source).derived():
        content = notebook.read()
        simplify_notebook(content)
        contents[notebook.path] = (
            json.dumps(content, ensure_ascii=False, indent=1) + "\n"
        ).encode()
    return contents


def open_lab(folder: Path, language_folder: str, browser: bool) -> int:
    """Run JupyterLab on *folder* until it is stopped, and return its exit code.

    :param language_folder: folder whose first notebook is opened.
    """
    first = next(iter(visible_files(folder / language_folder, "*.ipynb")), None)
    start = f"/lab/tree/{first.relative_to(folder).as_posix()}" if first else "/lab"
    command = [sys.executable, "-m", "jupyterlab", *OFFLINE]
    command += [f"--ServerApp.root_dir={folder}", f"--LabApp.default_url={start}"]
    if getattr(os, "geteuid", lambda: 1)() == 0:
        command.append("--allow-root")  # as in a container, where Jupyter would refuse to start
    if not browser:
        command.append("--no-browser")
    os.environ.update(START)  # its kernels inherit it
    if os.name == "posix":
        # From here on all signals, such as Ctrl-C, go to JupyterLab.
        os.execv(sys.executable, command)
    return subprocess.call(command)


def _manifest(folder: Path) -> dict[str, str]:
    try:
        notes = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return {}
    if not isinstance(notes, dict):
        return {}
    return {str(path): str(digest) for path, digest in notes.items()}
