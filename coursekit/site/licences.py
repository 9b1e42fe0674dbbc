"""The licences of all that the site delivers, with their full texts and notices."""

import json
from collections.abc import Iterable, Iterator
from importlib.metadata import distribution
from pathlib import Path
from typing import NamedTuple

from coursekit.maps.static_files import LIBRARY as MAP_LIBRARY

PYODIDE = Path(__file__).with_name("LICENSES.txt")
"""Of Pyodide, CPython, Emscripten, and the libraries that are linked into them.

No package holds these texts. Look it through whenever ``package.json`` names another Pyodide.
"""
RULE = "-" * 80
"""Stands between two licences in a file of several."""
KINDS = ("LICEN", "NOTICE", "COPYING")
"""How the names of files with licences and notices begin."""


class Licence(NamedTuple):
    """What stands on the page about one part."""

    part: str
    """Its name, with its version or the name of its licence."""
    text: str


def licences(modules: Path, scripts: Iterable[str], packages: Iterable[str]) -> list[Licence]:
    """Return the licences of the kit and of all that is delivered with it.

    :param modules: the folder of the packages from npm.
    :param scripts: those of them that pages are made of; what they need is found.
    :param packages: the Python packages in the worker.
    """
    own = [*_of_package("coursekit-games")]
    python = [licence for package in packages for licence in _of_package(package)]
    bundled = [_of_script(modules / name) for name in sorted(_with_needed(modules, scripts))]
    files = [
        licence for file in (PYODIDE, MAP_LIBRARY.parent / PYODIDE.name) for licence in _split(file)
    ]
    return [*own, *files, *python, *bundled]


def _split(file: Path) -> Iterator[Licence]:
    """Yield the licences in *file*; a block without a title belongs to the one above it."""
    part, text = "", ""
    for block in file.read_text(encoding="utf-8").split(f"\n{RULE}\n"):
        title, _, words = block.strip().partition("\n")
        if part and not title.endswith(")"):
            text += f"\n\n{RULE}\n\n{block.strip()}"
            continue
        if part:
            yield Licence(part, text)
        part, text = title, words.strip("\n")
    yield Licence(part, text)


def _of_package(name: str) -> Iterator[Licence]:
    package = distribution(name)
    for file in package.files or ():
        if file.name.startswith(KINDS) and any("dist-info" in part for part in file.parts):
            text = Path(str(file.locate())).read_text(encoding="utf-8")
            part = f"{package.name} {package.version}"
            notice = ", NOTICE" if file.name.startswith("NOTICE") else ""
            yield Licence(part + notice, text.strip())


def _with_needed(modules: Path, names: Iterable[str]) -> set[str]:
    """Return *names* and all packages from npm that they need."""
    found = set[str]()
    todo = [*names]
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo += json.loads(_package_json(modules / name)).get("dependencies", {})
    return found


def _of_script(folder: Path) -> Licence:
    about = json.loads(_package_json(folder))
    file = next(path for path in sorted(folder.iterdir()) if path.name.startswith(KINDS))
    text = file.read_text(encoding="utf-8").strip()
    return Licence(f"{about['name']} {about['version']}", text)


def _package_json(folder: Path) -> str:
    return (folder / "package.json").read_text(encoding="utf-8")
