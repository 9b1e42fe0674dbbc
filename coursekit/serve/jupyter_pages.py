"""The same start page and dashboards inside a Jupyter server, as in Binder and on a hub.

A Jupyter server loads its extensions by name, and tornado asks the handlers added first.
So :mod:`.extension` comes before ``voila.server_extension`` at the addresses they share, of which
it takes only the kit's own notebooks.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from jupyter_server.services.contents.largefilemanager import LargeFileManager
from tornado.ioloop import IOLoop
from traitlets.config import Config
from voila.configuration import VoilaConfiguration
from voila.paths import collect_template_paths

from coursekit.files.folders import visible_files
from coursekit.serve import handlers, pages
from coursekit.serve.kernels import PageKernels
from coursekit.serve.logs import without_addresses, without_closed_pages
from coursekit.serve.notebooks import FOLDERS, Notebook, NotebookShelf
from coursekit.serve.personal_data import remember

KERNELS = 8
"""Maximum open dashboards: a Binder has 2 GB, so no kernel waits for a page either."""
ALONE = 420.0
"""Seconds for which a page may be unreachable, for example while a laptop is closed. A hub gives a
proxy that was started again its routes within 300.
"""
EDITORS = {"jupyterlab": "lab/tree/", "notebook": "notebooks/"}
"""Extension of a Jupyter server -> where it opens a notebook."""


class HomeShelf(NotebookShelf):
    """The kit's notebooks in a folder of many things, such as somebody's home on a hub.

    A clone may come at any time, so they are looked for whenever they are asked for.

    :param root: the server's own folder.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.ours = False
        self._found: Path | None = None

    @property
    def folder(self) -> Path:  # type: ignore[override]
        """The folder of their language folders."""
        if self._found is None or not _has_kits_notebooks(self._found):
            self._found = next(filter(_has_kits_notebooks, _likely_folders(self.root)), None)
            if self._found:
                remember(self._found)
        return self._found or self.root / "notebooks"

    @property
    def place(self) -> str:  # type: ignore[override]
        """Path of the folder below the server's own."""
        return f"{self.folder.relative_to(self.root).as_posix()}/".removeprefix("./")

    def holds(self, path: str) -> bool:
        """Return whether the notebook at *path* is one for the kit's pages.

        It says so itself, or stands in a language folder beside those that do.
        """
        if ".." in PurePosixPath(path).parts:
            return False
        source = self.source(path)
        if Notebook(source, self.root / source).is_kits():
            return True
        folder = PurePosixPath(path).parent
        return folder.name in FOLDERS and _has_kits_notebooks(self.root / folder.parent)

    def _in(self, folder: str) -> list[Notebook]:
        notebooks = super()._in(folder)
        return notebooks if folder else [each for each in notebooks if each.is_kits()]


def _likely_folders(root: Path) -> Iterator[Path]:
    """Return where the kit's notebooks may lie: a clone or a copy, *root* itself or right in it."""
    yield from (root, root / "notebooks")
    with suppress(OSError):
        for folder in sorted(root.iterdir()):
            if not folder.name.startswith("."):
                yield from (folder / "notebooks", folder)


def _has_kits_notebooks(folder: Path) -> bool:
    return any(
        Notebook(file.name, file).is_kits()
        for name in FOLDERS
        for file in visible_files(folder / name, "*.ipynb")
    )


@dataclass(frozen=True)
class JupyterSite(pages.Site):
    """The addresses of the pages in a Jupyter server."""

    server: Any = None

    @property
    def idle_limit(self) -> int:  # type: ignore[override]
        """Seconds after which the server stops an idle kernel, though its page is connected."""
        kernels = self.server.kernel_manager
        connected = getattr(kernels, "cull_connected", False)
        return max(0, getattr(kernels, "cull_idle_timeout", 0)) if connected else 0

    @property
    def server_limit(self) -> int:  # type: ignore[override]
        """Seconds after which the server ends itself, once it has no kernel."""
        return max(0, int(getattr(self.server, "shutdown_no_activity_timeout", 0)))

    @property
    def editor(self) -> str:  # type: ignore[override]
        """Path at which JupyterLab or Notebook opens notebooks, empty without them."""
        extensions = self.server.extension_manager.extensions
        there = (name for name in EDITORS if name in extensions and extensions[name].enabled)
        return EDITORS.get(next(there, ""), "")


def add_pages(server: Any) -> None:
    """Add the pages to the Jupyter server *server*."""
    without_addresses(server.log)
    without_closed_pages()
    settings = server.web_app.settings
    shelf = HomeShelf(Path(server.root_dir))
    site = JupyterSite(shelf, settings["base_url"], "coursekit/", server=server)
    kernels = PageKernels(server.kernel_manager, KERNELS, {}, ALONE)
    # The server's own may be asynchronous.
    contents = LargeFileManager(parent=server, root_dir=server.root_dir)
    settings.update(coursekit_site=site, coursekit_kernels=kernels, coursekit_contents=contents)
    voila = {
        "config": Config(server.config, VoilaExecutor={"on_cell_start": handlers.before_cell}),
        "template_paths": [
            str(pages.TEMPLATES / "notebook"),
            *collect_template_paths(["voila", "nbconvert"], handlers.VOILA["template"], prune=True),
        ],
        "voila_configuration": VoilaConfiguration(
            parent=server,
            prelaunch_hook=handlers.prepare_notebook,
            page_config_hook=handlers.configure_front_end,
            **handlers.VOILA,
        ),
    }
    server.web_app.add_handlers(".*$", handlers.routes(site, kernels, voila))
    IOLoop.current().add_callback(kernels.watch)
