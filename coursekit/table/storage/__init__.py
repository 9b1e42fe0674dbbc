"""Matches kept while they are played, and found again later."""

import sys
from functools import lru_cache
from pathlib import Path

from coursekit.table.storage.store import Matches


@lru_cache
def open_store(directory: Path) -> Matches:
    """Return the store of *directory*, one for all tables of a notebook.

    It is a database, or files in a browser, where the pages of a site exchange whole files.
    """
    if sys.platform == "emscripten":
        from coursekit.table.storage.file_store import FileStore

        return FileStore(directory)
    from coursekit.table.storage.sqlite_store import Store

    return Store(directory)
