"""The limit of connections: a server lets in as many as the system opens files for."""

import socket
import sys
from collections.abc import Callable

from tornado.httpserver import HTTPServer
from tornado.ioloop import IOLoop
from tornado.iostream import IOStream

if sys.platform != "win32":
    import resource

FILES = 4096
"""Maximum files and connections that a program for a class wants to have open."""
SPARE = 40
"""Of these, those that phones leave to the lesson's file, to processes and to the teacher."""
AT_ONCE = 128
"""Connections that are let in before others have their turn."""
MOMENT = 0.5
"""Seconds until another one is let in after the system has refused to open one."""


def most_files() -> int:
    """Return how many files and connections this program may have open; a low limit is raised."""
    if sys.platform != "win32":
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
        if soft == resource.RLIM_INFINITY or soft >= wanted:
            return max(soft, wanted)
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (OSError, ValueError):  # a system with another limit behind this one
            return soft
        return wanted
    return FILES


class ConnectionLimit:
    """Lets connections in to a server, and keeps calm when the system opens no more.

    :param crowded: called when somebody could not be let in.
    :param spare: files and connections that are left to others.
    """

    def __init__(
        self,
        listener: socket.socket,
        server: HTTPServer,
        crowded: Callable[[], None],
        spare: int = 0,
    ) -> None:
        listener.setblocking(False)
        self._listener = listener
        self._server = server
        self._crowded = crowded
        self._last = most_files() - spare
        self._loop = IOLoop.current()
        self._later: object | None = None
        self._open()

    def _open(self) -> None:
        self._later = None
        self._loop.add_handler(self._listener, self._let_in, IOLoop.READ)

    def _let_in(self, listener: socket.socket, _events: int) -> None:
        for _ in range(AT_ONCE):
            try:
                connection, address = listener.accept()
            except BlockingIOError:
                return
            except ConnectionAbortedError:
                continue
            except OSError:  # nothing more can be opened: at once it would fail again, for ever
                self._crowded()
                self._loop.remove_handler(listener)
                self._later = self._loop.call_later(MOMENT, self._open)
                return
            # A system gives the lowest free number.
            if sys.platform != "win32" and connection.fileno() >= self._last:
                connection.close()
                self._crowded()
            else:
                connection.setblocking(False)
                self._server.handle_stream(IOStream(connection), address)

    def close(self) -> None:
        """Let nobody in any more."""
        if self._later is not None:
            self._loop.remove_timeout(self._later)
        else:
            self._loop.remove_handler(self._listener)
        self._listener.close()
