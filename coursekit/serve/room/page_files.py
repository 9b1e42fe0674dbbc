"""What the room's pages are made of: a fixed list of files, read once, compressed once, each with
its digest.
"""

import gzip
import hashlib
from functools import cache
from pathlib import Path
from typing import NamedTuple

from coursekit.kit import GAMES, kit_of
from coursekit.serve import pages
from coursekit.table.static_files import table_script, table_styles

STATIC = Path(__file__).parent / "static"
KINDS = {
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
}


class PageFile(NamedTuple):
    """One file."""

    kind: str
    content: bytes
    packed: bytes
    """The same, compressed by gzip."""
    tag: str
    """Its digest."""


def _part(name: str, words: str) -> PageFile:
    content = words.encode()
    digest = hashlib.sha256(content).hexdigest()[:16]
    return PageFile(
        KINDS[name.rpartition(".")[2]], content, gzip.compress(content, 9, mtime=0), f'"{digest}"'
    )


@cache
def page_files() -> dict[str, PageFile]:
    """Return all files by name: scripts and style of the pages, and a game's table and drawings."""
    found = {file.name: file.read_text(encoding="utf-8") for file in sorted(STATIC.iterdir())}
    found["coursekit.css"] = (pages.STATIC / "coursekit.css").read_text(encoding="utf-8")
    found["logo.svg"] = str(pages.emblem("logo"))
    found["table.css"] = table_styles()
    for name in GAMES:
        if (kit := kit_of(name)).scene is not None:
            found[f"table-{name}.js"] = table_script(kit)
            found[f"art-{name}.svg"] = kit.drawings()
    return {name: _part(name, words) for name, words in found.items()}
