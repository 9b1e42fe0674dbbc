"""The files of the room's pages: a fixed list, read once, compressed once, each with its digest."""

import gzip
import hashlib
import json
from functools import cache
from pathlib import Path
from typing import NamedTuple

from coursekit.cells.static_bundle import PAGE_MODEL, join_files, wrap_in_layer
from coursekit.files.folders import visible_files
from coursekit.kit import GAMES, kit_of
from coursekit.maps.editor_setting import map_setting
from coursekit.maps.static_files import LIBRARY, one_file
from coursekit.room.map_words import class_question, kit_phrases
from coursekit.serve import pages
from coursekit.table.static_files import table_script, table_styles
from coursekit.words.texts import LANGUAGES, text

STATIC = Path(__file__).parent / "static"
LASTING = "public, max-age=31536000, immutable"
"""How long browsers keep a file whose address has its digest."""
KINDS = {
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
    "json": "application/json",
}


class PageFile(NamedTuple):
    """One file."""

    kind: str
    content: bytes
    packed: bytes
    """The same, compressed by gzip."""
    tag: str
    """Its digest."""


def _page_file(name: str, words: str) -> PageFile:
    content = words.encode()
    digest = hashlib.sha256(content).hexdigest()[:16]
    kind = KINDS[name.rpartition(".")[2]]
    return PageFile(kind, content, gzip.compress(content, 9, mtime=0), digest)


@cache
def page_files() -> dict[str, PageFile]:
    """Return all files by name: scripts and style of the pages, and a game's table and drawings."""
    files = {file.name: file.read_text(encoding="utf-8") for file in visible_files(STATIC, "*")}
    files["dom.js"] = join_files(STATIC, {"js": ["dom"]}, "js") + PAGE_MODEL.read_text("utf-8")
    for name in ("coursekit.css", "watch.js"):
        files[name] = (pages.STATIC / name).read_text(encoding="utf-8")
    files["logo.svg"] = str(pages.emblem("logo"))
    files["table.css"] = table_styles()
    files["map.js"] = one_file("js")
    files["map.css"] = wrap_in_layer(one_file("css"))
    files["cytoscape.js"] = LIBRARY.read_text(encoding="utf-8")
    for name in GAMES:
        kit = kit_of(name)
        if kit.scene is not None:
            files[f"table-{name}.js"] = table_script(kit)
            files[f"art-{name}.svg"] = kit.drawings()
    return {name: _page_file(name, words) for name, words in files.items()}


@cache
def map_settings() -> dict[str, PageFile]:
    """Return what maps of each game need to know in each language.

    Drawings of cards are in a file of their own, on phones nobody begins with a ready map, and what
    is drawn without a connection goes to the room by itself.
    """
    files = {}
    for name in GAMES:
        for language in LANGUAGES:
            setting = map_setting(name, language, can_start=False)
            setting["words"] |= {"offline": text("phone.unsent", language)}
            words = json.dumps(setting, ensure_ascii=False, separators=(",", ":"))
            files[f"map-{name}-{language}.json"] = words
    return {name: _page_file(name, words) for name, words in files.items()}


def find_file(name: str) -> PageFile | None:
    """Return the file called *name* of the pages of a class."""
    return page_files().get(name) or map_settings().get(name)


def file_tags() -> dict[str, str]:
    """Return the digest of each file by its name: a page asks for ``name?v=digest``."""
    return {name: file.tag for name, file in {**page_files(), **map_settings()}.items()}


def prepare_files() -> None:
    """Make all files, and look up what a class's map needs to know of the games."""
    file_tags()
    for name in GAMES:
        kit_phrases(name)
        for language in LANGUAGES:
            class_question(name, language)
