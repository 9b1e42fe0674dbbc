"""What a cell's style sheet says reaches no other cell: all stand on one page and share short class names."""

import re
from pathlib import Path

import pytest

KIT = Path(__file__).parents[1] / "coursekit"
CELLS = {
    "ck-table": ("table/static/*.css", ["table/static"]),
    "ck-explore": ("cells/static/explore.css", ["cells/static"]),
    "ck-reflect": ("reflect/static/reflect.css", ["reflect/static/reflect.js"]),
    "ck-wordfiles": ("games/knitwit/table/static/wordfiles.css", ["games/knitwit/table/static/wordfiles.js"]),
    "ck-keep": ("reflect/static/keep.css", ["reflect/static/keep.js"]),
    "ck-handin": ("reflect/static/handin.css", ["reflect/static/handin.js"]),
    "ck-debrief": ("reflect/static/debrief.css", ["reflect/static/debrief.js", "reflect/static/timer.js"]),
    "ck-map": ("maps/static/map.css", ["maps/static"]),
    "ck-panels": ("maps/static/panels.css", ["maps/static"]),
}
"""Cells by the class of their root: the style sheets and the scripts that make what they are about."""


def named(words: str) -> set[str]:
    return set(re.findall(r"\bck-[a-z0-9-]+", words))


def made(parts: list[str]) -> set[str]:
    """Return the classes of what these scripts make."""
    files = [file for part in parts for file in ([KIT / part] if part.endswith(".js") else (KIT / part).glob("*.js"))]
    assert files
    return {name for file in files for name in re.findall(r"(?<!\.)\bck-[a-z0-9-]+", file.read_text(encoding="utf-8"))}


@pytest.mark.parametrize("root", CELLS)
def test_a_style_sheet_is_about_its_own_cell(root: str) -> None:
    sheet, own = CELLS[root]
    others = set[str]().union(*(made(parts) for each, (_, parts) in CELLS.items() if parts != own))
    written = "".join(file.read_text(encoding="utf-8") for file in KIT.glob(sheet))
    css = re.sub(r"/\*.*?\*/|@media print \{.*?\}\s*\}", "", written, flags=re.S)
    selectors = [each.strip() for head in re.findall(r"([^{}]+)\{[^{}]*\}", css)
                 for each in re.split(r",(?![^(]*\))", head)]  # fmt: skip
    assert len(selectors) > 3
    reaching = [each for each in selectors if named(each) and named(each) <= others and root not in each]
    assert reaching == []
