"""The same start page and dashboards inside a Jupyter server, as in Binder and JupyterLab.

A Jupyter server loads its extensions by name, and tornado asks the handlers added first.
So this extension comes before ``voila.server_extension`` at the addresses they share.
"""

from pathlib import Path
from typing import Any

from jupyter_server.services.contents.largefilemanager import LargeFileManager
from tornado.ioloop import IOLoop
from traitlets.config import Config
from voila.configuration import VoilaConfiguration
from voila.paths import collect_template_paths

from coursekit.serve import handlers, pages
from coursekit.serve.kernels import PageKernels
from coursekit.serve.logs import without_addresses, without_closed_pages
from coursekit.serve.notebooks import FOLDERS, NotebookShelf
from coursekit.serve.personal_data import remember

KERNELS = 8
"""Maximum open dashboards: a Binder has 2 GB, so no kernel waits for a page either."""
ALONE = 300.0
"""Seconds for which a page may be unreachable, for example while a laptop is closed."""


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": "coursekit.serve.extension"}]


def find_shelf(root: Path) -> tuple[NotebookShelf, str]:
    """Return the notebooks below the server's folder *root*, and their path relative to it."""
    folder = "" if any((root / name).is_dir() for name in FOLDERS) else "notebooks/"
    return NotebookShelf(root / folder), folder


def _load_jupyter_server_extension(server: Any) -> None:
    without_addresses(server.log)
    without_closed_pages()
    shelf, folder = find_shelf(Path(server.root_dir))
    if shelf.names():
        remember(shelf.folder)
    settings = server.web_app.settings
    site = pages.Site(shelf, settings["base_url"], "coursekit/", folder)
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
    server.web_app.add_handlers(".*$", handlers.routes(site, voila))
    IOLoop.current().add_callback(kernels.watch)
