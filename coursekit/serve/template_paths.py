"""The files of Voilà's templates."""

import re
from http import HTTPStatus

from tornado import web
from voila.static_file_handler import TemplateStaticFileHandler


class TemplateFiles(TemplateStaticFileHandler):
    """The files of Voilà's templates; its own handler fails on an address of another form."""

    def parse_url_path(self, path: str) -> str:
        """Return the path of the file, for ``<template>/static/<file>``."""
        if not re.fullmatch(r"\w+/static/.+", path):
            raise web.HTTPError(HTTPStatus.NOT_FOUND)
        file: str = super().parse_url_path(path)
        return file

    @classmethod
    def get_absolute_path(cls, root: str, path: str) -> str:
        """Return where the file is, if there is such a template."""
        try:
            file: str = super().get_absolute_path(root, path)
        except (AssertionError, UnboundLocalError, ValueError):  # what Voilà raises for others
            raise web.HTTPError(HTTPStatus.NOT_FOUND) from None
        return file
