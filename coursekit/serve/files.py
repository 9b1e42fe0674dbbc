"""The files that the servers give out, and the addresses that can name none."""

import re
from http import HTTPStatus
from urllib.parse import unquote_to_bytes

from tornado import web
from voila.static_file_handler import TemplateStaticFileHandler

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


class TemplateFiles(TemplateStaticFileHandler):
    """The files of Voilà's templates; its own handler fails on an address of another form."""

    def parse_url_path(self, path: str) -> str:
        """Return the path of the file, for ``<template>/static/<file>``."""
        if not re.fullmatch(r"\w+/static/.+", path):
            raise web.HTTPError(HTTPStatus.NOT_FOUND)
        parsed: str = super().parse_url_path(path)
        return parsed

    @classmethod
    def get_absolute_path(cls, root: str, path: str) -> str:
        """Return where the file is, if there is such a template."""
        try:
            found: str = super().get_absolute_path(root, path)
        except (AssertionError, UnboundLocalError, ValueError):  # what Voilà raises for others
            raise web.HTTPError(HTTPStatus.NOT_FOUND) from None
        return found
