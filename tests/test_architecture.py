"""The walks of ``docs/extend/architecture.md`` name files and functions that exist."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/extend/architecture.md").read_text(encoding="utf-8")
STATION = re.compile(r"`([\w/.-]+\.(?:py|js))` `([\w.]+)`")
"""A file of the package and a name in it: ``core/match.py`` ``Match.play``."""
STATIONS = sorted(set(STATION.findall(PAGE)))


def names_in_python(source: str) -> set[str]:
    """Return the functions and classes of *source*, and the methods of each class."""
    names = set()
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        if isinstance(node, ast.ClassDef):
            for part in node.body:
                if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
                    names.add(f"{node.name}.{part.name}")
    return names


def names_in_script(source: str) -> set[str]:
    """Return what *source* defines: functions, methods and constants."""
    return set(re.findall(r"^\s*(?:async |export |const |function |class )*(\w+)\b", source, re.M))


@pytest.mark.parametrize(("file", "name"), STATIONS, ids=lambda part: part)
def test_a_station_of_a_walk_exists(file: str, name: str) -> None:
    source = (ROOT / "coursekit" / file).read_text(encoding="utf-8")
    names = names_in_python(source) if file.endswith(".py") else names_in_script(source)
    assert name in names


def test_there_are_four_walks_of_several_stations() -> None:
    walks = PAGE.split("## Four walks")[1].split("\n## ")[0].split("\n### ")[1:]
    assert len(walks) == 4
    assert all(len(STATION.findall(walk)) >= 4 for walk in walks)


def test_the_picture_shows_every_room() -> None:
    picture = (ROOT / "docs/pictures/rooms.svg").read_text(encoding="utf-8")
    package = ROOT / "coursekit"
    rooms = {path.parent.name for path in package.glob("*/__init__.py")} - {"games"}
    games = {f"games/{path.parent.name}" for path in package.glob("games/*/__init__.py")}
    assert {room for room in rooms | games if f">{room}/<" not in picture} == set()
