"""The same start page and dashboards inside a Jupyter server, as in Binder and JupyterLab.

A Jupyter server loads its extensions by name, and tornado asks the handlers that were added
first: this one stands in front of ``voila.server_extension`` for the addresses they share.
"""

from pathlib import Path
from typing import Any

from jupyter_server.services.contents.largefilemanager import LargeFileManager
from tornado.ioloop import IOLoop
from voila.configuration import VoilaConfiguration
from voila.paths import collect_template_paths

from coursekit.serve import handlers, pages
from coursekit.serve.kernels import PageKernels
from coursekit.serve.shelf import FOLDERS, Shelf

LIMIT = 8
"""Open dashboards at a time: a Binder has 2 GB."""


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": "coursekit.serve.extension"}]


def find_shelf(root: Path) -> tuple[Shelf, str]:
    """Return the notebooks below the server's folder *root*, and their path from there."""
    folder = "" if any((root / each).is_dir() for each in FOLDERS) else "notebooks/"
    return Shelf(root / folder), folder


def _load_jupyter_server_extension(server: Any) -> None:
    shelf, folder = find_shelf(Path(server.root_dir))
    settings = server.web_app.settings
    site = pages.Site(shelf, settings["base_url"], "coursekit/", folder)
    kernels = PageKernels(server.kernel_manager, LIMIT, {})
    contents = LargeFileManager(parent=server, root_dir=server.root_dir)  # the server's own one may answer later
    settings.update(coursekit_site=site, coursekit_kernels=kernels, coursekit_contents=contents)
    voila = {
        "config": server.config,
        "template_paths": [
            str(pages.TEMPLATES / "notebook"),
            *collect_template_paths(["voila", "nbconvert"], handlers.VOILA["template"], prune=True),
        ],
        "voila_configuration": VoilaConfiguration(
            parent=server,
            prelaunch_hook=handlers.prepare_notebook,
            page_config_hook=handlers.without_mathjax_elsewhere,
            **handlers.VOILA,
        ),
    }
    server.web_app.add_handlers(".*$", handlers.routes(site, voila))
    IOLoop.current().add_callback(kernels.watch)
