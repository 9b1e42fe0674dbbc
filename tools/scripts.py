"""Lint and types of scripts and styles: ESLint and TypeScript read them as browsers get them."""

import json
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import anywidget

from coursekit.kit import GAMES
from coursekit.printing.sheets import page_script
from coursekit.serve.room.page_files import page_files
from coursekit.table.static_files import table_script

ROOT = Path(__file__).parents[1]
JS = ROOT / "tests/js"
TOOLS = JS / "node_modules/.bin"
MIXIN = re.compile(r"Object\.assign\((\w+)\.prototype, \{$")
WIDGETS = (
    "cells.number_controls",
    "games.knitwit.table.word_files",
    "maps.widget",
    "reflect.consent_cell",
    "reflect.debrief_cell",
    "reflect.handin_cell",
    "reflect.question_cell",
    "reflect.topics_cell",
)

SITE = (
    (
        "cells/static/elements",
        "cells/static/page-model",
        "site/static/shelf",
        "site/static/site",
        "site/static/notebook",
    ),
    ("site/static/shelf", "site/static/worker"),
    ("site/static/service-worker",),
    ("site/static/one-file",),
)
"""The scripts that the site has together on a page, and in a worker."""
ROOM = "coursekit/serve/room/static"
"""The scripts of a class on its own phones are modules that import each other."""


class Line(NamedTuple):
    """A line of a program, and where it comes from."""

    text: str
    where: str


@cache
def parts() -> dict[str, str]:
    """Return every script of the kit by its path."""
    files = sorted((ROOT / "coursekit").rglob("static/*.js"))
    return {str(file.relative_to(ROOT)): file.read_text(encoding="utf-8") for file in files}


def programs() -> Iterator[str]:
    """Yield what browsers load: the scripts of tables, of paper, of other widgets and of pages."""
    yield from sorted({table_script(kit) for kit in GAMES.values()})
    yield page_script(GAMES["wizard"])
    for name in WIDGETS:
        module = vars(import_module(f"coursekit.{name}"))
        for widget in module.values():
            is_widget = isinstance(widget, type) and issubclass(widget, anywidget.AnyWidget)
            if is_widget and widget.__module__ == module["__name__"] and hasattr(widget, "_esm"):
                yield str(widget._esm)
    pages = ("watch", "patience", "frame", "lesson", "cells", "stills")
    yield from (parts()[f"coursekit/serve/static/{name}.js"] for name in pages)
    for names in SITE:
        yield "\n".join(parts()[f"coursekit/{name}.js"] for name in names)


def modules() -> list[str]:
    """Return the paths of the scripts that browsers load one by one."""
    return [path for path in parts() if path.startswith(ROOM)]


def lines_of(program: str) -> list[Line]:
    """Return the lines of *program* with their places in the parts."""
    found = sorted((program.index(text), path) for path, text in parts().items() if text in program)
    return [
        Line(line, f"{path}:{n}")
        for _, path in found
        for n, line in enumerate(parts()[path].splitlines(), 1)
    ]


def whole(lines: list[Line]) -> list[Line]:
    """Return *lines* with the methods that a part adds to a class moved into that class.

    The tools would not know of them otherwise.
    """
    added: dict[str, list[Line]] = {}
    rest: list[Line] = []
    name = ""
    for line in lines:
        if found := MIXIN.match(line.text):
            name = found[1]
        elif name and line.text == "});":
            name = ""
        elif name:
            added.setdefault(name, []).append(
                line._replace(text=re.sub(r"^  \},$", "  }", line.text))
            )
        else:
            rest.append(line)
    result: list[Line] = []
    for line in rest:
        if found := re.match(r"class (\w+)", line.text):
            name = found[1]
        if line.text == "}":
            result += added.pop(name, [])
        result.append(line)
    assert not added
    return result


def write_programs(folder: Path) -> dict[str, list[Line]]:
    """Write every program into a file of its own in *folder*; return the lines of each file."""
    files = {}
    for number, program in enumerate(programs()):
        name = f"program{number}.js"
        files[name] = whole(lines_of(program))
        text = "\n".join(line.text for line in files[name]) + "\n"
        alone = (
            "" if re.search("^export ", text, re.MULTILINE) else "export {};\n"
        )  # or the tools would join them all
        (folder / name).write_text(text + alone, encoding="utf-8")
    for path in modules():
        name = Path(path).name
        files[name] = lines_of(page_files()[name].content.decode())
        text = "\n".join(line.text for line in files[name]) + "\n"
        (folder / name).write_text(text, encoding="utf-8")
    return files


def write_alone(folder: Path) -> dict[str, list[Line]]:
    """Write the style sheets and the tests of the scripts into *folder*; return their lines."""
    files = {}
    styles = sorted((ROOT / "coursekit").rglob("static/*.css"))
    for path in [*styles, *JS.glob("*.mjs")]:
        where = path.relative_to(ROOT)
        text = path.read_text(encoding="utf-8")
        name = "-".join(where.parts)
        (folder / name).write_text(text, encoding="utf-8")
        files[name] = [Line(line, f"{where}:{n}") for n, line in enumerate(text.splitlines(), 1)]
    return files


def find_orphans() -> list[str]:
    """Return a complaint for each script that no page loads."""
    together = "".join(programs())
    orphans = [
        path for path, text in parts().items() if text not in together and path not in modules()
    ]
    return [f"{path}: no page loads it" for path in orphans]


def run_eslint(folder: Path) -> list[Any]:
    """Return what ESLint says of each file in *folder*."""
    command = [TOOLS / "eslint", "--format", "json", "--config", JS / "eslint.config.mjs", "."]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if run.returncode > 1:
        raise RuntimeError(run.stderr)
    found: list[Any] = json.loads(run.stdout)
    return found


def lint(folder: Path, files: dict[str, list[Line]]) -> list[str]:
    """Return what ESLint complains about in *folder*.

    A name that one program declares in a shared part and does not use must be used in another.
    """
    found: Counter[str] = Counter()
    for file in run_eslint(folder):
        lines = files[Path(file["filePath"]).name]
        for message in file["messages"]:
            where = lines[message["line"] - 1].where
            found[f"{where}: {message['message']} ({message['ruleId']})"] += 1
    users = Counter(line.where for lines in files.values() for line in lines)
    complaints = []
    for complaint, times in sorted(found.items()):
        if "no-unused-vars" in complaint and times < users[complaint.split(": ")[0]]:
            continue
        complaints.append(complaint)
    return complaints


def check_types(folder: Path, files: dict[str, list[Line]]) -> list[str]:
    """Return what TypeScript complains about in *folder*."""
    settings = {"extends": str(JS / "tsconfig.json"), "files": [str(JS / "browser.d.ts"), *files]}
    (folder / "tsconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    run = subprocess.run(
        [TOOLS / "tsc", "--pretty", "false"], cwd=folder, capture_output=True, text=True
    )
    if run.returncode == 0:
        return []
    place = re.compile(r"^(\w+\.js)\((\d+),\d+\)", re.MULTILINE)
    return place.sub(lambda at: files[at[1]][int(at[2]) - 1].where, run.stdout).splitlines()


def check_format() -> list[str]:
    """Return the scripts and style sheets that Prettier would write otherwise."""
    names = subprocess.run(
        ["git", "ls-files", "*.js", "*.mjs", "*.css", "*.d.ts", ":!:**/vendor/**"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    config = str(JS / "prettier.json")
    command = [str(TOOLS / "prettier"), "--config", config, "--list-different", *names]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    return [
        f"{line}: run {TOOLS}/prettier --config {config} --write"
        for line in (run.stdout + run.stderr).splitlines()
    ]


def complaints() -> list[str]:
    """Return all complaints about the scripts."""
    if not TOOLS.exists():
        return ["ESLint, Prettier and TypeScript are not installed: run npm ci in tests/js"]
    with TemporaryDirectory() as name:
        folder = Path(name)
        files = write_programs(folder)
        found = [*find_orphans(), *check_format()]
        found += lint(folder, files | write_alone(folder))
        return [*found, *check_types(folder, files)]


if __name__ == "__main__":
    found = complaints()
    for complaint in found:
        print(complaint)
    raise SystemExit(bool(found))
