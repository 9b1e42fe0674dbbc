"""The server behind ``coursekit serve``: Voilà on the loopback address, with our pages."""

import logging
import os
import socket
from collections.abc import Callable
from typing import Any

from jupyter_server.auth.logout import LogoutHandler
from tornado.httpserver import HTTPServer
from tornado.ioloop import IOLoop
from traitlets.config import Config
from voila.app import Voila
from voila.shutdown_kernel_handler import VoilaShutdownKernelHandler
from voila.tornado.contentshandler import VoilaContentsHandler
from voila.tornado.handler import TornadoVoilaHandler
from voila.tornado.treehandler import TornadoVoilaTreeHandler

from coursekit.cells.cell_errors import START
from coursekit.serve import handlers, pages
from coursekit.serve.kernels import PageKernels
from coursekit.serve.login import Key, guard
from coursekit.serve.logs import without_addresses, without_closed_pages
from coursekit.serve.room import teacher_server
from coursekit.serve.room.app import make_host
from coursekit.table.storage.store import data_directory
from coursekit.words.language import VARIABLE

REPLACED = (
    TornadoVoilaHandler,
    TornadoVoilaTreeHandler,
    VoilaContentsHandler,
    VoilaShutdownKernelHandler,
    LogoutHandler,
)
"""Voilà's handlers that ours stand in for, that would only list files, or need what Voilà lacks."""


class Dashboards(Voila):
    """A Voilà server that shows one site.

    :param site: the pages and notebooks.
    :param listener: a bound and listening socket on the loopback address.
    :param limit: how many dashboards may be open at a time.
    :param warm: how many kernels wait for the next dashboards.
    :param ready: called once the server answers.
    :param key: which the browser of the person has who started it.
    """

    def __init__(
        self,
        site: pages.Site,
        listener: socket.socket,
        limit: int,
        warm: int,
        ready: Callable[[], None],
        key: Key,
    ) -> None:
        super().__init__(
            config_file_paths=[],  # a stray voila.json must not undo the settings
            log_level=logging.ERROR,
            root_dir=str(site.shelf.folder),
            base_url=site.base,
            open_browser=False,
        )
        self.site = site
        self.listener = listener
        self.limit = limit
        self.warm = warm
        self.ready = ready
        self.key = key
        without_addresses(self.log)
        without_closed_pages()
        encrypted = {"transport_encryption": "auto"}
        cells = {"on_cell_start": handlers.before_cell}
        self.update_config(
            Config(VoilaConfiguration=handlers.VOILA, KernelManager=encrypted, VoilaExecutor=cells)
        )

    def setup_template_dirs(self) -> None:
        """Put our template in front of Voilà's."""
        super().setup_template_dirs()
        self.template_paths.insert(0, str(pages.TEMPLATES / "notebook"))
        self.voila_configuration.prelaunch_hook = handlers.prepare_notebook
        self.voila_configuration.page_config_hook = handlers.configure_front_end

    def init_settings(self) -> dict[str, Any]:
        """Add the site and its kernels to what every handler can reach."""
        settings: dict[str, Any] = super().init_settings()
        self.room_host = make_host(self.site)
        self.kernels = PageKernels(
            self.kernel_manager, self.limit, kernel_environment(self.site) | START, warm=self.warm
        )
        return {
            **settings,
            "coursekit_site": self.site,
            "coursekit_kernels": self.kernels,
            "coursekit_class": self.room_host,
            "default_handler_class": handlers.Missing,
            # on the loopback address a browser that is gone closes its connection itself
            "ws_ping_interval": 0,
            # a foreign name for 127.0.0.1 is refused: no DNS rebinding
            "allow_remote_access": False,
            "local_hostnames": ["localhost"],
        }

    def init_handlers(self) -> list[Any]:
        """Return Voilà's handlers with ours in the place of some."""
        others = [rule for rule in super().init_handlers() if rule[1] not in REPLACED]
        voila = {
            "config": self.config,
            "template_paths": self.template_paths,
            "voila_configuration": self.voila_configuration,
        }
        return [
            *handlers.routes(self.site, self.kernels, voila),
            *teacher_server.routes(self.site),
            *others,
        ]

    def listen(self) -> None:
        """Serve until Ctrl-C or SIGTERM, then stop every kernel."""
        HTTPServer(guard(self.site, self.key, self.app)).add_sockets([self.listener])
        self.ioloop = IOLoop.current()
        self.ioloop.add_callback(self.kernels.watch)
        self.ioloop.add_callback(self.ready)
        try:
            self.ioloop.start()
        except KeyboardInterrupt:
            pass
        finally:
            self.room_host.end()
            self.stop()


def kernel_environment(site: pages.Site) -> dict[str, str]:
    """Return the environment variables for the kernels of *site*.

    With the kit's own notebooks the journal goes to the data folder: answers do not belong inside
    an installed package. A teacher's own notebooks keep it beside them.
    """
    language = {VARIABLE: site.language}
    if not site.shelf.ours or "COURSEKIT_JOURNAL" in os.environ:
        return language
    data = data_directory()
    data.mkdir(parents=True, exist_ok=True)
    return {**language, "COURSEKIT_JOURNAL": str(data / "journal.json")}


def serve(
    site: pages.Site,
    listener: socket.socket,
    limit: int,
    warm: int,
    ready: Callable[[], None],
    key: Key,
) -> None:
    """Serve *site* on *listener* until Ctrl-C or SIGTERM; see :class:`Dashboards`."""
    app = Dashboards(site, listener, limit, warm, ready, key)
    app.initialize([])
    app.start()
