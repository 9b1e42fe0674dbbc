"""What the server writes to the terminal, without the addresses of its readers."""

import logging
import re

ADDRESS = re.compile(r" \((?:[^()\s]*@)?[0-9A-Fa-f.:%]+\)|, remote_ip='[^']*'")
"""How tornado and Jupyter write who asked: ``GET / (127.0.0.1)``, ``(user@::1)``, ``remote_ip='…'``."""
TORNADO = ("tornado.access", "tornado.general", "tornado.application")


class WithoutAddresses(logging.Filter):
    """Takes the addresses of readers, and the names that Jupyter gives them, out of every message."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Change *record*; return that it shall be written."""
        record.msg, record.args = ADDRESS.sub("", record.getMessage()), ()
        return True


def without_addresses(*others: logging.Logger | logging.LoggerAdapter[logging.Logger]) -> None:
    """Keep addresses out of what tornado and the loggers *others* write."""
    for each in (*map(logging.getLogger, TORNADO), *others):
        logger = each.logger if isinstance(each, logging.LoggerAdapter) else each
        if not any(isinstance(known, WithoutAddresses) for known in logger.filters):
            logger.addFilter(WithoutAddresses())
