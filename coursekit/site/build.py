"""Builds the site: a folder of files for any web space, or the same in one HTML file.

The parts from npm (Pyodide and the editor of the cells) are pinned with their hashes in
``package-lock.json``. A build needs Node and npm; whoever opens the site needs a browser.
"""

import base64
import gzip
import hashlib
import io
import json
import re
import shutil
import subprocess
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from importlib.metadata import distribution
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import anywidget
from platformdirs import user_cache_dir

from coursekit.core.errors import LocalizedError
from coursekit.core.registry import KIT_GAMES
from coursekit.files.disk import lock_file
from coursekit.kit import GAMES
from coursekit.maps.widget import MapEditor
from coursekit.serve import pages
from coursekit.serve.notebooks import NotebookShelf, packaged_folder
from coursekit.site.pages import FileSite, all_pages, templates
from coursekit.table.static_files import table_script
from coursekit.words.texts import PACKAGE

HERE = Path(__file__).parent
STATIC = HERE / "static"
LEFT_OUT = (
    "core/watchdog.py",
    "core/observation_json.py",
    "adapters",
    "league",
    "serve",
    "room",
    "testing",
    "printing",
    "notebooks",
    "docs",
    "figures/fonts",
    "site/static",
    "site/templates",
    "games/blockade/rules/data/SOURCES.md",
    "maps/svg_shapes.py",
    "maps/drawing.py",
    "table/storage/sqlite_file.py",
    "serve/guide_pictures.py",
    "table/storage/sqlite_store.py",
    "cli.py",
    "__main__.py",
    "site/build.py",
    "site/pages.py",
    "site/package.json",
    "site/package-lock.json",
    *(f"games/{each}/table/emblem.svg" for each in KIT_GAMES),
)
"""What of the kit the worker does not need, below its package."""
PACKAGES = ("traitlets", "jinja2", "markupsafe")
"""Packages that the kit needs in the worker, all in plain Python."""
UNUSED = "maps/static/"
"""Where files lie that the kit reads when it is loaded, and no page uses: maps need networkx. They
are empty here.
"""
WIDGETS = (
    "cells.control",
    "table.widget",
    "reflect.question_cell",
    "reflect.topics_cell",
    "reflect.debrief_cell",
    "reflect.consent_cell",
    "reflect.handin_cell",
    "maps.widget",
    "games.knitwit.table.word_files",
)
"""The modules that define the kit's widgets."""
NOT_NEEDED = ("tests", "testing", "config")
"""Parts of these packages that no widget needs."""
DROPPED = re.compile(
    r"(sqlite3|xmlrpc|xml/(dom|sax)|wsgiref|ctypes|curses|multiprocessing|email|http)/|unittest/mock|"
    r"_pyrepl/(?!__init__|main|pager|trace|types|utils)|asyncio/(windows_|proactor_|tools|__main__)|logging/(handlers|config)|"
    r"(imaplib|mailbox|poplib|smtplib|ftplib|nntplib|netrc|socketserver|webbrowser|plistlib|wave|getpass|pty|"
    r"trace|profile|cProfile|pstats|modulefinder|tabnanny|pyclbr|zipapp|compileall|"
    r"turtle|optparse|pickletools|tarfile|_pydatetime|_pyio)\.py|"
    r"encodings/(cp(?!437|9)\d|mac_|iso8859_|koi8|kz|ptcp|hp_|palmos|tis_).*"
)
"""Files of Python's library that no page can use: mail and servers, processes, consoles, profilers;
rare encodings.

Check cells need doctest, which loads pdb and unittest; help() needs pydoc and its pager.
"""
WORKER, WASM, LIBRARY, KIT = "worker.js", "python.wasm.gz", "library.zip.gz", "kit.zip.gz"
ELSEWHERE = "https://site.invalid/"
"""The address that Pyodide believes its files to have; the worker gives them to it."""
CLASSIC = r'if\(\w+&&\w+\(\)\)throw new Error\("Classic web workers are not supported"\);'
"""Pyodide's refusal to start in a classic worker, for which it tries to load a module that our
policy forbids.
"""
DATED = (2026, 1, 1, 0, 0, 0)
"""The time of every file in the kit's archive, so that the same sources give the same bytes."""


PATIENCE = 600
"""Seconds to wait for another build that gets the packages."""


class BuildError(LocalizedError):
    """The site cannot be built; the sentence says what is missing."""


def write_folder(found: Mapping[str, bytes], folder: Path) -> None:
    """Write the files *found* into *folder*, which is made if need be."""
    for name, content in found.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def write_file(found: Mapping[str, bytes], path: Path) -> int:
    """Write the files *found* as the one HTML file *path*; return its size in bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    return path.write_bytes(joined(found).encode())


def files() -> dict[str, bytes]:
    """Return every file of the site by its name.

    :raises BuildError: if npm cannot get the parts, or there is no Node.
    """
    modules = npm()
    pyodide = modules / "pyodide"
    library, kit = compiled(
        pyodide, stored((pyodide / "python_stdlib.zip").read_bytes()), archive(sorted(_sources()))
    )
    found = {
        WORKER: worker(pyodide).encode(),
        WASM: packed((pyodide / "pyodide.asm.wasm").read_bytes()),
        LIBRARY: packed(library),
        KIT: packed(kit),
        "editor.js": bundled(modules),
    }
    parts = {
        name: {"name": file, "size": len(found[file])}
        for name, file in (("worker", WORKER), ("wasm", WASM), ("library", LIBRARY), ("kit", KIT))
    }
    lock = json.loads((pyodide / "pyodide-lock.json").read_text(encoding="utf-8"))
    version = json.loads((pyodide / "package.json").read_text(encoding="utf-8"))["version"]
    site = FileSite(
        NotebookShelf(packaged_folder()), pyodide=version, python=lock["info"]["python"]
    )
    for name, page in all_pages(site, parts).items():
        found[name] = page if isinstance(page, bytes) else page.encode()
    found |= dict(widgets())
    for name in ("site.js", "shelf.js", "notebook.js", "site.css"):
        found[name] = (STATIC / name).read_bytes()
    for name in ("coursekit.css", "notebook.css", "lesson.css", "lesson.js", "emblems/logo.svg"):
        found[f"coursekit/static/{name}"] = (pages.STATIC / name).read_bytes()
    found |= minified(
        modules,
        {name: content for name, content in found.items() if name.endswith((".js", ".css"))},
    )
    found["site.webmanifest"] = json.dumps(manifest(), ensure_ascii=False).encode()
    found["service-worker.js"] = service_worker(found).encode()
    return found


def npm() -> Path:
    """Return the folder of the packages from npm, which are got once for each lock file.

    :raises BuildError: if there is no npm, or it fails.
    """
    lock = (HERE / "package-lock.json").read_bytes()
    folder = (
        Path(user_cache_dir("coursekit", appauthor=False))
        / f"site-{hashlib.sha256(lock).hexdigest()[:16]}"
    )
    modules = folder / "node_modules"
    folder.mkdir(parents=True, exist_ok=True)
    with lock_file(folder / "lock", PATIENCE):
        if not (folder / "done").is_file():
            for name in ("package.json", "package-lock.json"):
                shutil.copy(HERE / name, folder)
            _run([_tool("npm"), "ci", "--no-audit", "--no-fund"], folder)
            (folder / "done").touch()
    return modules


def bundled(modules: Path) -> bytes:
    """Return the editor of the cells with its library, as one script."""
    entry = modules.parent / "editor.mjs"
    shutil.copy(STATIC / "editor.mjs", entry)
    how = ["--bundle", "--minify", "--format=iife"]
    return _run([_tool("npm"), "exec", "--no", "--", "esbuild", entry.name, *how], modules.parent)


def minified(modules: Path, found: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the scripts and styles *found* without what only readers need."""
    with TemporaryDirectory(dir=modules.parent) as place:
        folder = Path(place)
        write_folder(found, folder / "in")
        how = ["--minify", "--charset=utf8", "--outdir=out", "--outbase=in", "--log-level=error"]
        _run(
            [
                _tool("npm"),
                "exec",
                "--no",
                "--",
                "esbuild",
                *(f"in/{name}" for name in found),
                *how,
            ],
            folder,
        )
        return {name: (folder / "out" / name).read_bytes() for name in found}


def _tool(name: str) -> str:
    """Return where the program *name* is.

    :raises BuildError: if there is none.
    """
    if (found := shutil.which(name)) is None:
        raise BuildError("", "site.no_npm")
    return found


def _run(command: list[str], folder: Path | None = None) -> bytes:
    """Run *command* in *folder* and return what it prints.

    :raises BuildError: with the last line of its complaints.
    """
    made = subprocess.run(command, cwd=folder, capture_output=True, stdin=subprocess.DEVNULL)
    if made.returncode:
        complaint = made.stderr.decode(errors="replace").strip().splitlines() or [""]
        raise BuildError("", "site.npm_failed", program=Path(command[0]).stem, why=complaint[-1])
    return made.stdout


def worker(pyodide: Path) -> str:
    """Return the worker: Pyodide as a classic script, and ours behind it.

    A page that was opened as a file can start a classic worker from memory, and no other. Pyodide
    refuses to start in one, although nothing here needs what these lack; so its check is taken out.

    :raises BuildError: if this Pyodide is built otherwise than the one that was tested.
    """
    loader = (pyodide / "pyodide.js").read_text(encoding="utf-8")
    machine = (pyodide / "pyodide.asm.mjs").read_text(encoding="utf-8")
    info = json.loads((pyodide / "pyodide-lock.json").read_text(encoding="utf-8"))["info"]
    loader = _changed(loader, CLASSIC, "")
    loader = loader.replace("//# sourceMappingURL=pyodide.js.map", "")
    machine = _changed(machine, r"export default _createPyodideModule;", "")
    machine = _changed(machine, r"import\.meta\.url", json.dumps(ELSEWHERE + "pyodide.asm.mjs"))
    ours = [(STATIC / name).read_text(encoding="utf-8") for name in ("shelf.js", "worker.js")]
    const = f"const LOCK = {json.dumps(info)}, ELSEWHERE = {json.dumps(ELSEWHERE)};"
    return "\n".join(
        [loader, machine, "const createPyodideModule = _createPyodideModule;", const, *ours]
    )


def _changed(source: str, old: str, new: str) -> str:
    """Return *source* with *new* for the pattern *old*, which must be there.

    :raises BuildError: if it is not.
    """
    changed, times = re.subn(old, lambda _: new, source)
    if not times:
        raise BuildError("", "site.other_pyodide", missing=old)
    return changed


def archive(sources: Iterable[tuple[str, bytes]]) -> bytes:
    """Return an archive of *sources*, not compressed: as a whole it gets smaller, and Python reads
    it faster.
    """
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as made:
        for name, content in sources:
            made.writestr(zipfile.ZipInfo(name, DATED), content)
    return out.getvalue()


def compiled(pyodide: Path, library: bytes, kit: bytes) -> tuple[bytes, bytes]:
    """Return both archives with the modules that a lesson loads compiled; ``compile.mjs`` says why.

    :raises BuildError: if Node fails.
    """
    games = [f"coursekit.games.{each}.kit" for each in KIT_GAMES]
    imports = [
        "coursekit.site.browser_kernel",
        "coursekit.arena",
        *(f"coursekit.{each}" for each in WIDGETS),
        *games,
    ]
    with TemporaryDirectory() as place:
        files = [Path(place) / "kit.zip", Path(place) / "library.zip"]
        for file, content in zip(files, (kit, library)):
            file.write_bytes(content)
        _run(
            [
                _tool("node"),
                str(STATIC / "compile.mjs"),
                str(pyodide),
                *map(str, files),
                " ".join(imports),
            ]
        )
        kit, library = (file.read_bytes() for file in files)
    return library, kit


def stored(compressed: bytes) -> bytes:
    """Return the archive *compressed* as :func:`archive` makes them, without what is
    :data:`DROPPED`.
    """
    with zipfile.ZipFile(io.BytesIO(compressed)) as whole:
        return archive(
            (each, whole.read(each)) for each in whole.namelist() if not DROPPED.match(each)
        )


def _sources() -> Iterator[tuple[str, bytes]]:
    for path in sorted(PACKAGE.rglob("*")):
        inside = path.relative_to(PACKAGE).as_posix()
        left = any(
            inside == each or inside.startswith(f"{each}/") for each in LEFT_OUT
        ) or path.name.startswith("printables.")
        if path.is_file() and not left and "__pycache__" not in path.parts:
            yield (
                f"{PACKAGE.name}/{inside}",
                b"" if inside.startswith(UNUSED) else path.read_bytes(),
            )
    for name in PACKAGES:
        for each in distribution(name).files or ():
            if each.suffix == ".py" and not set(each.parts) & set(NOT_NEEDED):
                yield each.as_posix(), Path(str(each.locate())).read_bytes()


def widgets() -> Iterator[tuple[str, bytes]]:
    """Yield the script and the style sheet of every kind of widget, under the digest by which the
    worker names them.
    """
    for each in WIDGETS:
        import_module(f"coursekit.{each}")
    kinds = [
        each for each in _kinds(anywidget.AnyWidget) if each.__module__.startswith("coursekit.")
    ]
    kinds.remove(MapEditor)
    scripts = {str(kind._esm) for kind in kinds if hasattr(kind, "_esm")}
    scripts |= {table_script(GAMES[name]) for name in KIT_GAMES}
    for content in scripts:
        module = content.replace("\nexport default ", "\nconst exported = ")
        name = digest(content)
        held = f'"use strict";\n{module}\nreturn exported;\n'
        yield (
            f"widgets/{name}.js",
            f'(globalThis.coursekit_widgets ??= {{}})["{name}"] = (() => {{\n{held}}})();'.encode(),
        )
    for content in {str(kind._css) for kind in kinds if hasattr(kind, "_css")}:
        yield f"widgets/{digest(content)}.css", content.encode()


def _kinds(kind: Any) -> Iterator[Any]:
    for each in kind.__subclasses__():
        yield each
        yield from _kinds(each)


def digest(content: str) -> str:
    """Return the name under which a script or a style sheet lies in the site; as in
    ``browser/anywidget.py``.
    """
    return hashlib.sha256(content.encode()).hexdigest()[:16]


def packed(content: bytes) -> bytes:
    """Return *content* compressed; the same content gives the same bytes."""
    return gzip.compress(content, 9, mtime=0)


def manifest() -> dict[str, Any]:
    """Return what a browser needs to know to install the site."""
    return {
        "name": "coursekit",
        "short_name": "coursekit",
        "start_url": "index.html",
        "scope": "./",
        "display": "standalone",
        "background_color": "#faf5ea",
        "theme_color": "#faf5ea",
        "icons": [
            {"src": "coursekit/static/emblems/logo.svg", "type": "image/svg+xml", "sizes": "any"}
        ],
    }


def service_worker(found: Mapping[str, bytes]) -> str:
    """Return the script that keeps the files *found* in the browser; it is another one when any of
    them is.
    """
    whole = hashlib.sha256()
    for name, content in sorted(found.items()):
        whole.update(f"{name} {len(content)} ".encode() + content)
    version, names = json.dumps(whole.hexdigest()[:16]), json.dumps(["./", *sorted(found)])
    head = f"const VERSION = {version};\nconst FILES = {names};\n"
    return head + (STATIC / "service-worker.js").read_text(encoding="utf-8")


def joined(found: Mapping[str, bytes]) -> str:
    """Return the one page that holds the files *found*, each compressed; ``one-file.js`` opens
    them.
    """
    inside = {
        name: content
        for name, content in found.items()
        if name not in ("service-worker.js", "site.webmanifest")
    }
    held = {}
    for name, content in inside.items():
        held[name] = base64.b64encode(content if name.endswith(".gz") else packed(content)).decode()
    opener = (STATIC / "one-file.js").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(opener.encode()).digest()).decode()
    return (
        templates().get_template("one-file.html.j2").render(opener=opener, digest=digest, held=held)
    )
