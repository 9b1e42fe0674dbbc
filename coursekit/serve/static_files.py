"""The files that the servers give out, and the addresses that can name none."""

from urllib.parse import unquote_to_bytes

from tornado import web

LONGEST = 255
"""Bytes of a name, on every file system that matters here."""


def impossible(path: str) -> bool:
    """Return whether no file can have the name that *path* asks for.

    What serves files would fail on it: a character that ends names, bytes that are no text, a
    name that is too long.
    """
    given = unquote_to_bytes(path)
    try:
        given.decode()
    except UnicodeDecodeError:
        return True
    return b"\0" in given or any(len(part) > LONGEST for part in given.split(b"/"))


class Static(web.StaticFileHandler):
    """Style sheet, script and drawings of the pages; they are not secret, so they need no login."""

    _allow_unauthenticated = True
