"""Who is let in: nobody in vain, and everybody again as soon as the system opens connections."""

import asyncio
import errno
import socket

import pytest
from crowd import until
from tornado.httpserver import HTTPServer
from tornado.web import Application, RequestHandler

from coursekit.serve.room import connection_limit
from coursekit.serve.room.connection_limit import ConnectionLimit, most_files


class Listener(socket.socket):
    """A listener of a system that can be out of files."""

    full = False
    tries = 0

    def accept(self):
        type(self).tries += 1
        if self.full:
            raise OSError(errno.EMFILE, "Too many open files")
        return super().accept()


class Page(RequestHandler):
    def get(self):
        self.finish("in")


async def visit(port):
    """Return what a browser gets, ``b""`` if it is sent away."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    try:
        return await reader.read()
    except ConnectionResetError:
        return b""
    finally:
        writer.close()


def at_a_gate(test, spare=0):
    """Run *test* with a listener, its port, and what was called because somebody could not be let
    in.
    """

    async def run():
        listener, crowded = Listener(), []
        listener.bind(("127.0.0.1", 0))
        listener.listen(64)
        there = ConnectionLimit(
            listener, HTTPServer(Application([("/", Page)])), lambda: crowded.append(1), spare
        )
        try:
            await test(listener, listener.getsockname()[1], crowded)
        finally:
            there.close()

    asyncio.run(run())


def test_a_system_that_opens_no_more_is_asked_again_after_a_moment_and_not_at_once(monkeypatch):
    async def test(listener, port, crowded):
        assert (await visit(port)).endswith(b"in")
        Listener.full, Listener.tries = True, 0
        waiting = [asyncio.create_task(visit(port)) for _ in range(20)]
        await until(lambda: crowded, "somebody to be told")
        await asyncio.sleep(0)
        assert Listener.tries == len(crowded) <= 2
        Listener.full = False
        assert all(answer.endswith(b"in") for answer in await asyncio.gather(*waiting))

    monkeypatch.setattr(connection_limit, "MOMENT", 0.3)
    at_a_gate(test)


@pytest.mark.skipif("sys.platform == 'win32'", reason="it does not count files this way")
def test_some_files_are_left_to_others():
    async def test(listener, port, crowded):
        assert await visit(port) == b""
        assert crowded

    at_a_gate(test, spare=most_files())
