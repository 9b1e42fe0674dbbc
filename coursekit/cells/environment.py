"""Whether cells stand on a page, where readers see no code above them, or in a notebook."""

import os

MARKS = ("VOILA_BASE_URL", "COURSEKIT_PAGE")
"""Environment variables of kernels on a page: Voilà sets one, the worker of the site the other."""


def on_page() -> bool:
    """Return whether this kernel's cells stand on a page: Voilà's, or one of the site."""
    return any(os.environ.get(mark) for mark in MARKS)
