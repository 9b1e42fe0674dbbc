"""Arrows point one way: no file imports a file that imports it, and each room only those below it."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import networkx as nx
import pytest

from coursekit.kit import GAMES

KIT = Path(__file__).parents[1] / "coursekit"
FLOORS = (
    "words",
    "core",
    "files",
    "figures",
    "kit",
    "cells",
    "arena",
    "adapters",
    "league",
    "table",
    "journal",
    "maps",
    "reflect",
    "testing",
    "printing",
    "games",
    "room",
    "serve",
    "site",
)
"""The rooms, from the ground up; a room imports only those before it."""
WITHIN = (
    "rules",
    "playout_kernel",
    "playouts",
    "strategies",
    "statistics",
    "tally",
    "table",
    "after",
    "printables",
    "kit",
)
"""The parts of a game, from the ground up."""
HEAVY = (
    "IPython",
    "anywidget",
    "coursekit.adapters",
    "coursekit.reflect",
    "coursekit.serve",
    "coursekit.table.widget",
    "gymnasium",
    "ipywidgets",
    "matplotlib",
    "networkx",
    "numba",
    "numpy",
    "voila",
)


@cache
def modules() -> dict[str, Path]:
    """Return every module of the kit by name."""
    files = sorted(KIT.rglob("*.py"))
    names = [
        ".".join(file.relative_to(KIT.parent).with_suffix("").parts).removesuffix(".__init__")
        for file in files
    ]
    return dict(zip(names, files))


def imported(file: Path) -> Iterator[str]:
    """Yield the modules of the kit that *file* names in an import, wherever in it that stands."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in modules())
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file} has a relative import"
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                yield name if name in modules() else node.module or ""


@cache
def arrows() -> "nx.DiGraph[str]":
    """Return the modules of the kit with an edge for each import."""
    found = (
        (name, to)
        for name, file in modules().items()
        for to in imported(file)
        if to in modules() and to != name
    )
    return nx.DiGraph(found)


def room(module: str) -> str:
    """Return the room of *module*, "" for the package itself."""
    return module.partition(".")[2].partition(".")[0]


def test_no_files_import_each_other_in_a_circle() -> None:
    circles = [
        sorted(circle) for circle in nx.strongly_connected_components(arrows()) if len(circle) > 1
    ]
    assert circles == []


def test_a_room_imports_only_those_below_it() -> None:
    floors = {name: number for number, name in enumerate(FLOORS)}
    assert {room(name) for name in modules()} - set(floors) == {"", "__main__", "cli"}
    above = [
        (a, b)
        for a, b in arrows().edges
        if room(a) in floors and floors.get(room(b), -1) > floors[room(a)]
    ]
    assert above == []


def test_nothing_imports_the_adapters() -> None:
    assert [(a, b) for a, b in arrows().edges if room(b) == "adapters" != room(a)] == []


def test_a_game_imports_no_other_and_nothing_imports_a_game() -> None:
    parts = {name: name.split(".") for name in modules()}
    strange = []
    for a, b in arrows().edges:
        if a == "coursekit":  # which names what others look for, and loads it when asked
            continue
        if parts[b][1:2] == ["games"] and len(parts[b]) > 2 and parts[a][:3] != parts[b][:3]:
            strange.append((a, b))
    assert strange == []


def test_within_a_game_rules_are_at_the_bottom() -> None:
    above = []
    for a, b in arrows().edges:
        inside, target = a.split(".")[3:4], b.split(".")[3:4]
        same = a.split(".")[:3] == b.split(".")[:3] and a.startswith("coursekit.games.")
        if same and inside and target and WITHIN.index(target[0]) > WITHIN.index(inside[0]):
            above.append((a, b))
    assert above == []


def test_rules_need_only_the_contract_and_words() -> None:
    allowed = {"words", "core", "files", "games"}
    found = [(a, b) for a, b in arrows().edges if ".rules." in a and room(b) not in allowed]
    assert found == []


def loaded(program: str) -> set[str]:
    """Return the modules that are loaded after *program*."""
    program = f"{program}; import sys; print(*sys.modules)"
    return set(
        subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True
        ).stdout.split()
    )


@pytest.mark.parametrize("game", GAMES)
def test_a_game_loads_without_anything_heavy_and_without_another_game(game: str) -> None:
    found = loaded(f"from coursekit.kit import GAMES; GAMES[{game!r}]")
    assert found & set(HEAVY) == set()
    assert {name.split(".")[2] for name in found if name.startswith("coursekit.games.")} == {game}
