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
from PIL import Image
from platformdirs import user_cache_dir

from coursekit.cells.static_bundle import ELEMENTS, PAGE_MODEL
from coursekit.core.errors import LocalizedError
from coursekit.core.registry import KIT_GAMES
from coursekit.files.disk import lock_file
from coursekit.files.folders import visible_files
from coursekit.kit import GAMES
from coursekit.maps.static_files import LIBRARY as MAP_LIBRARY
from coursekit.serve import pages
from coursekit.serve.notebooks import NotebookShelf, packaged_folder
from coursekit.site.licences import licences
from coursekit.site.pages import (
    WATCH,
    FileSite,
    all_pages,
    licences_page,
    script_digest,
    templates,
)
from coursekit.table.static_files import table_script
from coursekit.words.texts import LANGUAGES, PACKAGE, text

HERE = Path(__file__).parent
STATIC = HERE / "static"
LEFT_OUT = (
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
    "maps/static/vendor",
    "table/storage/sqlite_file.py",
    "table/storage/sqlite_store.py",
    "cli.py",
    "__main__.py",
    "site/build.py",
    "site/pages.py",
    "site/licences.py",
    "site/LICENSES.txt",
    "site/package.json",
    "site/package-lock.json",
    *(f"games/{game}/table/emblem.svg" for game in KIT_GAMES),
)
"""Files and folders of the kit that the worker does not need."""
PACKAGES = ("traitlets", "jinja2", "markupsafe", "defusedxml")
"""Packages that the kit needs in the worker, all in plain Python."""
WIDGETS = (
    "cells.number_controls",
    "table.widget",
    "table.first_look",
    "reflect.question_cell",
    "reflect.topics_cell",
    "reflect.debrief_cell",
    "reflect.consent_cell",
    "reflect.handin_cell",
    "maps.widget",
    "games.knitwit.table.word_files",
)
"""The modules that define the kit's widgets."""
NOT_NEEDED = ("tests", "testing", "config", "ext.py", "sandbox.py", "meta.py")
"""Parts of these packages that no widget needs."""
NOT_HERE = ("printables", "printables.html")
"""Names of the kit's files that the worker does not need, in any folder."""
DROPPED = re.compile(
    r"(sqlite3|xmlrpc|xml/(dom|sax)|wsgiref|ctypes|curses|multiprocessing|email|http)/|"
    r"unittest/mock|logging/(handlers|config)|concurrent/futures/process|"
    r"_pyrepl/(?!__init__|main|pager|trace|types|utils)|"
    r"asyncio/(windows_|proactor_|tools|__main__)|"
    r"(imaplib|mailbox|poplib|smtplib|ftplib|nntplib|netrc|socketserver|webbrowser|plistlib|"
    r"wave|getpass|pty|trace|profile|cProfile|pstats|modulefinder|tabnanny|pyclbr|zipapp|compileall|"
    r"turtle|optparse|configparser|uuid|pickletools|tarfile|_pydatetime|_pyio)\.py|"
    r"encodings/(cp(?!437|9)\d|mac_|iso8859_|koi8|kz|ptcp|hp_|palmos|tis_).*"
)
"""Files of Python's library that no page can use: servers, processes, profilers, rare encodings.

Check cells need doctest, which loads pdb and unittest; help() needs pydoc and its pager.
"""
BROWSERS = "chrome112,firefox115,safari16.4"
"""The oldest browsers that pages are made for; what esbuild writes, they can read."""
WORKER, WASM, MEMORY = "worker.js", "python.wasm.gz", "memory.gz"
LIBRARY, KIT = "library.zip.gz", "kit.zip.gz"
EDITOR = ("codemirror", "@codemirror/lang-python")
"""The packages from npm that the editor of the cells is made of."""
ICONS = (180, 192, 512)
"""Pixels of the icon's side: an iPhone's, and two for what else installs a page."""
ELSEWHERE = "https://site.invalid/"
"""The address that Pyodide believes its files to have; the worker gives them to it."""
CLASSIC = r'if\(\w+&&\w+\(\)\)throw new Error\("Classic web workers are not supported"\);'
"""Pyodide's refusal to start in a classic worker: it would load a module, which we forbid."""
DATED = (2026, 1, 1, 0, 0, 0)
"""The time of every file in the kit's archive, so that the same sources give the same bytes."""


PATIENCE = 600
"""Seconds to wait for another build that gets the packages."""


class BuildError(LocalizedError):
    """The site cannot be built; the sentence says what is missing."""


def write_folder(files: Mapping[str, bytes], folder: Path) -> None:
    """Write *files* into *folder*, which is made if need be."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def write_file(files: Mapping[str, bytes], path: Path) -> int:
    """Write *files* as the one HTML file *path*; return its size in bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    return path.write_bytes(join_files(files).encode())


def files() -> dict[str, bytes]:
    """Return every file of the site by its name.

    :raises BuildError: if npm cannot get the parts, or there is no Node.
    """
    modules = npm()
    pyodide = modules / "pyodide"
    library = repack((pyodide / "python_stdlib.zip").read_bytes())
    library, kit, memory, head = load_modules(pyodide, library, pack(sorted(_sources())))
    machine = (pyodide / "pyodide.asm.wasm").read_bytes()
    files = {
        WORKER: worker(pyodide, head).encode(),
        WASM: compress(machine),
        LIBRARY: compress(library),
        KIT: compress(kit),
        MEMORY: compress(memory),
        "editor.js": bundle_editor(modules),
    }
    unpacked = {"wasm": machine, "library": library, "kit": kit, "memory": memory}
    names = {"worker": WORKER, "wasm": WASM, "library": LIBRARY, "kit": KIT, "memory": MEMORY}
    parts = {
        part: {"name": name, "size": len(files[name]), "length": len(unpacked.get(part, b""))}
        for part, name in names.items()
    }
    lock = json.loads((pyodide / "pyodide-lock.json").read_text(encoding="utf-8"))
    version = json.loads((pyodide / "package.json").read_text(encoding="utf-8"))["version"]
    shelf = NotebookShelf(packaged_folder())
    site = FileSite(shelf, pyodide=version, python=lock["info"]["python"])
    for name, page in all_pages(site, parts).items():
        files[name] = page if isinstance(page, bytes) else page.encode()
    texts = licences(modules, EDITOR, PACKAGES)
    files[site.licences] = licences_page(site, texts).encode()
    files |= dict(widget_files())
    for name in ("site.js", "shelf.js", "notebook.js", "site.css"):
        files[name] = (STATIC / name).read_bytes()
    strict = b'"use strict";\n'
    files["notebook.js"] = b"\n".join(
        [strict, ELEMENTS.read_bytes(), PAGE_MODEL.read_bytes(), files["notebook.js"]]
    )
    for name in ("coursekit.css", "notebook.css", "lesson.css", "lesson.js", "emblems/logo.svg"):
        files[f"coursekit/static/{name}"] = (pages.STATIC / name).read_bytes()
    code = {name: files[name] for name in files if name.endswith((".js", ".css"))}
    files |= minify(modules, code)
    for name in (MAP_LIBRARY.name, "LICENSES.txt"):
        files[f"map-library/{name}"] = (MAP_LIBRARY.parent / name).read_bytes()
    files |= dict(icons())
    for language in LANGUAGES:
        about = manifest(site, language)
        files[f"{language}.webmanifest"] = json.dumps(about, ensure_ascii=False).encode()
    files["service-worker.js"] = service_worker(files).encode()
    return files


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


def bundle_editor(modules: Path) -> bytes:
    """Return the editor of the cells with its library, as one script."""
    entry = modules.parent / "editor.mjs"
    shutil.copy(STATIC / "editor.mjs", entry)
    options = ("--bundle", "--minify", "--format=iife", f"--target={BROWSERS}")
    return _esbuild(modules.parent, entry.name, *options)


def minify(modules: Path, files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the scripts and styles *files* without what only readers need."""
    with TemporaryDirectory(dir=modules.parent) as place:
        folder = Path(place)
        write_folder(files, folder / "in")
        sources = [f"in/{name}" for name in files]
        options = ["--minify", "--charset=utf8", f"--target={BROWSERS}"]
        places = ["--outdir=out", "--outbase=in"]
        _esbuild(folder, *sources, *options, *places, "--log-level=error")
        return {name: (folder / "out" / name).read_bytes() for name in files}


def _esbuild(folder: Path, *arguments: str) -> bytes:
    return _run([_tool("npm"), "exec", "--no", "--", "esbuild", *arguments], folder)


def _tool(name: str) -> str:
    """Return where the program *name* is.

    :raises BuildError: if there is none.
    """
    program = shutil.which(name)
    if program is None:
        raise BuildError("", "site.no_npm")
    return program


def _run(command: list[str], folder: Path | None = None) -> bytes:
    """Run *command* in *folder* and return what it prints.

    :raises BuildError: with the last line of its complaints.
    """
    run = subprocess.run(command, cwd=folder, capture_output=True, stdin=subprocess.DEVNULL)
    if run.returncode:
        complaint = run.stderr.decode(errors="replace").strip().splitlines() or [""]
        raise BuildError("", "site.npm_failed", program=Path(command[0]).stem, why=complaint[-1])
    return run.stdout


def worker(pyodide: Path, snapshot: bytes) -> str:
    """Return the worker: Pyodide as a classic script, and ours behind it.

    A page that was opened as a file can start a classic worker from memory, and no other. Pyodide
    refuses to start in one, although nothing here needs what these lack; so its check is taken out.

    :raises BuildError: if this Pyodide is built otherwise than the one that was tested.
    """
    loader = (pyodide / "pyodide.js").read_text(encoding="utf-8")
    machine = (pyodide / "pyodide.asm.mjs").read_text(encoding="utf-8")
    info = json.loads((pyodide / "pyodide-lock.json").read_text(encoding="utf-8"))["info"]
    loader = _substitute(loader, CLASSIC, "")
    loader = loader.replace("//# sourceMappingURL=pyodide.js.map", "")
    machine = _substitute(machine, r"export default _createPyodideModule;", "")
    machine = _substitute(machine, r"import\.meta\.url", json.dumps(ELSEWHERE + "pyodide.asm.mjs"))
    ours = [(STATIC / name).read_text(encoding="utf-8") for name in ("shelf.js", "worker.js")]
    known = {"LOCK": info, "ELSEWHERE": ELSEWHERE, "SNAPSHOT": json.loads(snapshot)}
    const = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in known.items())
    start = "const createPyodideModule = _createPyodideModule;"
    return "\n".join([loader, machine, start, const, *ours])


def _substitute(source: str, old: str, new: str) -> str:
    """Return *source* with *new* for the pattern *old*, which must be there.

    :raises BuildError: if it is not.
    """
    changed, times = re.subn(old, lambda _: new, source)
    if not times:
        raise BuildError("", "site.other_pyodide", missing=old)
    return changed


def pack(sources: Iterable[tuple[str, bytes]]) -> bytes:
    """Return an archive of *sources*, not compressed: it compresses better as a whole."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name, content in sources:
            archive.writestr(zipfile.ZipInfo(name, DATED), content)
    return out.getvalue()


def load_modules(pyodide: Path, library: bytes, kit: bytes) -> tuple[bytes, bytes, bytes, bytes]:
    """Return both archives without the modules that a lesson loads, and memory with them.

    ``memory.mjs`` says why. Last comes, as JSON, what Pyodide asks about this memory.

    :raises BuildError: if Node fails.
    """
    imports = ["coursekit.site.browser_kernel", "coursekit.arena", "jinja2", "secrets"]
    imports += ["defusedxml.ElementTree", *(f"coursekit.{module}" for module in WIDGETS)]
    imports += [f"coursekit.games.{game}.kit" for game in KIT_GAMES]
    later = ["doctest", *(f"coursekit.games.{game}.after.lesson" for game in KIT_GAMES)]
    with TemporaryDirectory() as place:
        files = [Path(place) / name for name in ("kit.zip", "library.zip", "memory")]
        for file, content in zip(files, (kit, library), strict=False):
            file.write_bytes(content)
        program = [_tool("node"), str(STATIC / "memory.mjs"), str(pyodide)]
        _run([*program, *map(str, files), " ".join(imports), " ".join(later)])
        kit, library, memory, head = (
            file.read_bytes() for file in (*files, Path(place) / "memory.json")
        )
    return library, kit, memory, head


def repack(archive: bytes) -> bytes:
    """Return *archive* as :func:`pack` makes them, without what is :data:`DROPPED`."""
    with zipfile.ZipFile(io.BytesIO(archive)) as whole:
        names = [name for name in whole.namelist() if not DROPPED.match(name)]
        return pack((name, whole.read(name)) for name in names)


def _sources() -> Iterator[tuple[str, bytes]]:
    for path in visible_files(PACKAGE, "**/*"):
        inside = path.relative_to(PACKAGE)
        if not path.is_file() or "__pycache__" in path.parts or path.stem in NOT_HERE:
            continue
        if not {inside.as_posix(), *map(Path.as_posix, inside.parents)} & {*LEFT_OUT}:
            yield f"{PACKAGE.name}/{inside.as_posix()}", path.read_bytes()
    for name in PACKAGES:
        for file in distribution(name).files or ():
            if file.suffix == ".py" and not set(file.parts) & set(NOT_NEEDED):
                yield file.as_posix(), Path(str(file.locate())).read_bytes()


def widget_files() -> Iterator[tuple[str, bytes]]:
    """Yield the scripts and style sheets of all widgets, by the digests that the worker knows."""
    for module in WIDGETS:
        import_module(f"coursekit.{module}")
    kinds = [
        kind for kind in _kinds(anywidget.AnyWidget) if kind.__module__.startswith("coursekit.")
    ]
    scripts = {str(kind._esm) for kind in kinds if hasattr(kind, "_esm")}
    scripts |= {table_script(GAMES[name]) for name in KIT_GAMES}
    for content in scripts:
        name = digest(content)
        module = content.replace("\nexport default ", "\nconst exported = ")
        function = f'() => {{\n"use strict";\n{module}\nreturn exported;\n}}'
        script = f'(globalThis.coursekit_widgets ??= {{}})["{name}"] = ({function})();'
        yield f"widgets/{name}.js", script.encode()
    for content in {str(kind._css) for kind in kinds if hasattr(kind, "_css")}:
        yield f"widgets/{digest(content)}.css", content.encode()


def _kinds(kind: Any) -> Iterator[Any]:
    for subclass in kind.__subclasses__():
        yield subclass
        yield from _kinds(subclass)


def digest(content: str) -> str:
    """Return the name of a script or a style sheet in the site; as in ``browser/anywidget.py``."""
    return hashlib.sha256(content.encode()).hexdigest()[:16]


def compress(content: bytes) -> bytes:
    """Return *content* compressed; the same content gives the same bytes."""
    return gzip.compress(content, 9, mtime=0)


def icons() -> Iterator[tuple[str, bytes]]:
    """Yield the icon for the home screens of phones, in each size."""
    with Image.open(STATIC / "icon.png") as icon:
        for side in ICONS:
            with io.BytesIO() as out:
                icon.resize((side, side)).save(out, "PNG", optimize=True)
                yield f"icons/{side}.png", out.getvalue()


def manifest(site: FileSite, language: str) -> dict[str, Any]:
    """Return what a browser needs to know to install the site in *language*."""
    square = {"type": "image/png", "purpose": "any maskable"}
    drawn = [
        {"src": f"icons/{side}.png", "sizes": f"{side}x{side}", **square} for side in ICONS[1:]
    ]
    emblem = {"src": "coursekit/static/emblems/logo.svg", "type": "image/svg+xml", "sizes": "any"}
    return {
        "id": site.home(language),
        "name": text("page.title", language),
        "short_name": "coursekit",
        "lang": language,
        "start_url": site.home(language),
        "scope": "./",
        "display": "standalone",
        "background_color": "#faf5ea",
        "theme_color": "#faf5ea",
        "icons": [*drawn, emblem],
    }


def service_worker(files: Mapping[str, bytes]) -> str:
    """Return the script that keeps *files* in the browser; it changes with any of them."""
    whole = hashlib.sha256()
    for name, content in sorted(files.items()):
        whole.update(f"{name} {len(content)} ".encode() + content)
    script = (STATIC / "service-worker.js").read_text(encoding="utf-8")
    whole.update(script.encode())
    version = json.dumps(whole.hexdigest()[:16])
    names = json.dumps(["./", *sorted(files)])
    return f"const VERSION = {version};\nconst FILES = {names};\n{script}"


def join_files(files: Mapping[str, bytes]) -> str:
    """Return the one page that holds *files*, each compressed; ``one-file.js`` opens them."""
    contents = {}
    for name, content in files.items():
        if name != "service-worker.js" and not name.endswith((".webmanifest", ".png")):
            compressed = content if name.endswith(".gz") else compress(content)
            contents[name] = base64.b64encode(compressed).decode()
    opener = (STATIC / "one-file.js").read_text(encoding="utf-8")
    digests = [script_digest(script) for script in (WATCH, opener)]
    words = [pages.trouble_words(language) for language in LANGUAGES]
    page = templates().get_template("one-file.html.j2")
    return page.render(watch=WATCH, opener=opener, digests=digests, words=words, contents=contents)
