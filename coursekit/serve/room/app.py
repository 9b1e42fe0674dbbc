"""The server behind ``coursekit class``: the doors of a room, without the slow start of Voilà."""

import asyncio
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from tornado import web
from tornado.httpserver import HTTPServer
from tornado.ioloop import IOLoop

from coursekit.serve import pages
from coursekit.serve.login import Key, guard
from coursekit.serve.room import teacher_server
from coursekit.serve.room.connection_limit import ConnectionLimit
from coursekit.serve.room.host import RoomHost, StartRequest
from coursekit.serve.room.page_files import prepare_files
from coursekit.serve.room.phone_server import phone_application
from coursekit.serve.room.rules_text import rules
from coursekit.serve.static_files import Static
from coursekit.table.storage.store import data_directory


def make_host(site: pages.Site) -> RoomHost:
    """Return the host of the rooms of one server."""
    host = RoomHost(data_directory() / "lessons", partial(rules, site.shelf))
    host.describe = teacher_server.door_state
    return host


def serve(
    site: pages.Site,
    listener: socket.socket,
    ready: Callable[[], None],
    key: Key,
    wanted: StartRequest,
) -> None:
    """Serve the teacher's pages on *listener* and the room as *wanted*, until Ctrl-C or SIGTERM."""
    with suppress(KeyboardInterrupt):
        asyncio.run(_serve(site, listener, ready, key, wanted))


async def _serve(
    site: pages.Site,
    listener: socket.socket,
    ready: Callable[[], None],
    key: Key,
    wanted: StartRequest,
) -> None:
    host = make_host(site)
    host.alone = True
    console = site.console(site.language)
    app = web.Application(
        [
            (site.base, web.RedirectHandler, {"url": console, "permanent": False}),
            *teacher_server.routes(site),
            (rf"{site.base}coursekit/static/(.*)", Static, {"path": str(pages.STATIC)}),
        ],
        coursekit_site=site,
        coursekit_class=host,
        log_function=lambda _: None,
    )
    await asyncio.to_thread(prepare_files)  # now, not while the first phone waits
    host.prepare(wanted, site.language, phone_application(host))
    limit = ConnectionLimit(listener, HTTPServer(guard(site, key, app)), lambda: None)
    IOLoop.current().add_callback(ready)
    ended = asyncio.Event()
    with suppress(NotImplementedError):  # Windows: there Ctrl-C alone ends it
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
    try:
        await ended.wait()
    finally:
        host.end()
        limit.close()
