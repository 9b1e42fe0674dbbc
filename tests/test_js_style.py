"""Lint and types of the scripts: ESLint and TypeScript read them as browsers get them, each joined of its parts."""

import json
import os
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import anywidget
import pytest

from coursekit.kit import GAMES
from coursekit.printing.sheets import page_script
from coursekit.table.parts import script

ROOT = Path(__file__).parents[1]
JS = Path(__file__).parent / "js"
TOOLS = JS / "node_modules/.bin"
MIXIN = re.compile(r"Object\.assign\((\w+)\.prototype, \{$")
WIDGETS = (
    "cells.control", "games.knitwit.table.wordfiles", "maps.widget", "reflect.consent_cell", "reflect.debrief_cell",
    "reflect.handin_cell", "reflect.question_cell", "reflect.topics_cell",
)  # fmt: skip

SITE = (("shelf", "site", "notebook"), ("shelf", "worker"), ("service-worker",), ("one-file",))
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
    """Yield what browsers load: the scripts of each game's tables, of paper, the other widgets and the pages."""
    yield from sorted({script(kit) for kit in GAMES.values()})
    yield page_script(GAMES["wizard"])
    for name in WIDGETS:
        module = vars(import_module(f"coursekit.{name}"))
        widgets = [each for each in module.values() if isinstance(each, type) and issubclass(each, anywidget.AnyWidget)]
        yield from (str(each._esm) for each in widgets if each.__module__ == module["__name__"])
    pages = ("patience", "frame", "lesson", "cells", "stills")
    yield from (parts()[f"coursekit/serve/static/{name}.js"] for name in pages)
    for names in SITE:
        yield "\n".join(parts()[f"coursekit/site/static/{name}.js"] for name in names)


def modules() -> list[str]:
    """Return the paths of the scripts that browsers load one by one."""
    return [path for path in parts() if path.startswith(ROOM)]


def lines_of(program: str) -> list[Line]:
    """Return the lines of *program* with their places in the parts."""
    found = sorted((program.index(text), path) for path, text in parts().items() if text in program)
    return [Line(line, f"{path}:{n}") for _, path in found for n, line in enumerate(parts()[path].splitlines(), 1)]


def whole(lines: list[Line]) -> list[Line]:
    """Return *lines* with the methods that a part adds to a class (``Object.assign``) standing in that class.

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
            added.setdefault(name, []).append(line._replace(text=re.sub(r"^  \},$", "  }", line.text)))
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


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, list[Line]]]:
    """Return a folder with every program in a file of its own, and the lines of each file."""
    if not TOOLS.exists():
        missing = "ESLint and TypeScript are not installed: run npm ci in tests/js"
        pytest.fail(missing) if os.environ.get("CI") else pytest.skip(missing)
    folder, files = tmp_path_factory.mktemp("scripts"), {}
    for number, program in enumerate(programs()):
        name = f"program{number}.js"
        files[name] = whole(lines_of(program))
        text = "\n".join(line.text for line in files[name]) + "\n"
        alone = "" if re.search("^export ", text, re.MULTILINE) else "export {};\n"  # or the tools would join them all
        (folder / name).write_text(text + alone, encoding="utf-8")
    for path in modules():
        name = Path(path).name
        files[name] = [Line(line, f"{path}:{n}") for n, line in enumerate(parts()[path].splitlines(), 1)]
        (folder / name).write_text(parts()[path], encoding="utf-8")
    return folder, files


def test_every_script_is_part_of_a_program() -> None:
    together = "".join(programs())
    assert [path for path, text in parts().items() if text not in together and path not in modules()] == []


def linted(folder: Path) -> list[Any]:
    """Return what ESLint says of each file in *folder*."""
    command = [TOOLS / "eslint", "--format", "json", "--config", JS / "eslint.config.mjs", "."]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert run.returncode < 2, run.stderr
    found: list[Any] = json.loads(run.stdout)
    return found


def test_eslint_has_nothing_to_complain_about(written: tuple[Path, dict[str, list[Line]]]) -> None:
    """What is declared in a shared part and unused in one program must be used in another."""
    folder, files = written
    found: Counter[str] = Counter()
    for file in linted(folder) + linted(JS):
        lines = files.get(Path(file["filePath"]).name)
        for each in file["messages"]:
            where = lines[each["line"] - 1].where if lines else f"{file['filePath']}:{each['line']}"
            found[f"{where}: {each['message']} ({each['ruleId']})"] += 1
    users = Counter(line.where for lines in files.values() for line in lines)
    unused = {each for each, times in found.items() if "no-unused-vars" in each and times < users[each.split(": ")[0]]}
    assert sorted(set(found) - unused) == []


def test_types_fit(written: tuple[Path, dict[str, list[Line]]]) -> None:
    folder, files = written
    settings = {"extends": str(JS / "tsconfig.json"), "files": [str(JS / "browser.d.ts"), *files]}
    (folder / "tsconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    run = subprocess.run([TOOLS / "tsc", "--pretty", "false"], cwd=folder, capture_output=True, text=True)
    said = re.sub(
        r"^(\w+\.js)\((\d+),\d+\)", lambda at: files[at[1]][int(at[2]) - 1].where, run.stdout, flags=re.MULTILINE
    )
    assert run.returncode == 0, said
