"""Filters of what the server writes to the terminal: no reader's address, no closed page."""

import logging
import re

from tornado.websocket import WebSocketClosedError

ADDRESS = re.compile(r" \((?:[^()\s]*@)?[0-9A-Fa-f.:%]+\)|, remote_ip='[^']*'")
"""How tornado and Jupyter name a reader: ``(127.0.0.1)``, ``(user@::1)``, ``remote_ip='…'``."""
TORNADO = ("tornado.access", "tornado.general", "tornado.application")


class WithoutAddresses(logging.Filter):
    """Takes the addresses of readers, and the names that Jupyter gives them, out of messages."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Change *record*; return that it shall be written."""
        record.msg, record.args = ADDRESS.sub("", record.getMessage()), ()
        return True


def without_addresses(*others: logging.Logger | logging.LoggerAdapter[logging.Logger]) -> None:
    """Keep addresses out of what tornado and the loggers *others* write."""
    for log in (*map(logging.getLogger, TORNADO), *others):
        _add_filter(log.logger if isinstance(log, logging.LoggerAdapter) else log, WithoutAddresses)


class WithoutClosed(logging.Filter):
    """Takes out that a page was closed while its kernel was still telling it something."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether *record* shall be written."""
        return not (record.exc_info and isinstance(record.exc_info[1], WebSocketClosedError))


def without_closed_pages() -> None:
    """Keep what becomes of closed pages out of what asyncio and tornado write."""
    for name in ("asyncio", "tornado.application"):
        _add_filter(logging.getLogger(name), WithoutClosed)


def _add_filter(logger: logging.Logger, kind: type[logging.Filter]) -> None:
    if not any(isinstance(present, kind) for present in logger.filters):
        logger.addFilter(kind())
