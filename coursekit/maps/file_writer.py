"""Mind maps as files: GraphML, node-link JSON, a CSV of propositions, and an outline in Markdown.

A file keeps everything that a map shows; GraphML and JSON also keep how it grew.
:mod:`.file_reader` reads all but the outline.
"""

import csv
import io
import json
import os
import re
from collections.abc import Callable, Mapping
from itertools import accumulate
from pathlib import Path
from typing import Any

from coursekit.files.csvfile import quote_formula
from coursekit.maps.elements import filled
from coursekit.maps.file_reader import COLUMNS, LOG, MapFileError, columns, load, read
from coursekit.maps.file_reader import rows as called
from coursekit.maps.map_statistics import hierarchy
from coursekit.maps.mindmap import MindMap, Step

__all__ = [
    "WRITERS",
    "MapFileError",
    "graphml",
    "load",
    "node_link",
    "outline",
    "read",
    "save",
    "table_of_propositions",
]

LOGGED = 800_000
"""Characters of a log in a file, at most; a longer log begins with a later step."""

# Writing


def write_map(map: MindMap, form: str, language: str = "") -> str:
    """Return *map* as the content of a file of the *form* ``graphml``, ``json``, ``csv`` or ``md``.

    :param language: of the columns of a CSV.
    :raises ValueError: for another form.
    """
    if form not in WRITERS:
        raise ValueError(f"the form {form!r} is not one of {', '.join(WRITERS)}")
    return table_of_propositions(map, language) if form == "csv" else WRITERS[form](map)


def save(map: MindMap, path: str | Path) -> None:
    """Write *map* to a file; the ending of *path* tells the form."""
    path = Path(path)
    content = write_map(map, path.suffix.removeprefix(".").lower())
    fresh = path.with_name(f".{path.name}.new")
    # Spreadsheets take a CSV for Unicode only if it begins with a byte order mark.
    fresh.write_text(
        content, encoding="utf-8-sig" if path.suffix.lower() == ".csv" else "utf-8", newline=""
    )
    os.replace(fresh, path)


def graphml(map: MindMap) -> str:
    """Return *map* as GraphML."""
    import networkx as nx

    graph = map.graph()
    graph.graph[LOG] = json.dumps(_as_data(map), ensure_ascii=False)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + "\n".join(nx.generate_graphml(graph)) + "\n"


def node_link(map: MindMap) -> str:
    """Return *map* as the node-link JSON of networkx."""
    import networkx as nx

    graph = map.graph()
    graph.graph[LOG] = _as_data(map)
    return json.dumps(nx.node_link_data(graph, edges="edges"), ensure_ascii=False, indent=1) + "\n"


def table_of_propositions(map: MindMap, language: str = "") -> str:
    """Return *map* as CSV: the question, then a line for each concept, then one for each
    proposition.

    :param language: of the columns, see :func:`~coursekit.maps.file_reader.columns`.
    """
    with io.StringIO(newline="") as file:
        rows = csv.DictWriter(file, COLUMNS, restval="")
        rows.writerow(columns(language))
        said = called(language)
        name = {id: each.label for id, each in map.concepts.items()}
        lines = [{"what": "question", "note": map.focus}] if map.focus else []
        for id, concept in map.concepts.items():
            what = "top" if id == map.head.top else "concept"
            row = filled(concept)
            lines.append({"what": what, "id": id, "start": row.pop("label"), **row})
        for id, each in map.relations.items():
            lines.append(
                {
                    "what": "relation",
                    "id": id,
                    **filled(each),
                    "start": name[each.start],
                    "end": name[each.end],
                }
            )
        rows.writerows(
            {
                column: quote_formula(cell)
                for column, cell in {**line, "what": said[line["what"]]}.items()
            }
            for line in lines
        )
        return file.getvalue()


def outline(map: MindMap) -> str:
    """Return *map* as a Markdown outline: what hangs on what, with the linking phrases.

    An arrow shows the direction of a relation. A concept stands in bold once, with its own
    relations below it.
    """
    lines = [f"# {escape_markdown(map.focus)}", ""] if map.focus else []
    seen: set[str] = set()
    while left := [id for id in map.concepts if id not in seen]:
        tree = hierarchy(map, map.top if map.top in left else left[0])
        lines += _branch(map, tree.hangs_on, tree.top, "", 0)
        seen |= tree.level.keys()
    return "\n".join(lines) + "\n"


def _branch(map: MindMap, hangs_on: Mapping[str, str], id: str, link: str, depth: int) -> list[str]:
    """Return the lines of a concept and of those that hang on it."""
    concept, indent = map.concepts[id], "  " * depth
    note = f" – {escape_markdown(concept.note)}" if concept.note else ""
    lines = [f"{indent}- {link}**{escape_markdown(concept.label)}**{note}"]
    for key, each in map.relations.items():
        if id not in (each.start, each.end) or hangs_on.get(id) == key:
            continue
        out = each.start == id
        other = each.end if out else each.start
        words = f"*{escape_markdown(each.phrase)}* " if each.phrase else ""
        arrow = f"{words}→ " if out else f"← {words}← "
        if hangs_on.get(other) == key:
            lines += _branch(map, hangs_on, other, arrow, depth + 1)
        elif out:
            lines.append(f"{indent}  - {arrow}{escape_markdown(map.concepts[other].label)}")
    return lines


def escape_markdown(words: str) -> str:
    """Return *words* on one line, escaped for Markdown."""
    return re.sub(r"([\\`*_{}\[\]<>#+|~&$!])", r"\\\1", " ".join(words.split()))


WRITERS: Mapping[str, Callable[[MindMap], str]] = {
    "graphml": graphml,
    "json": node_link,
    "csv": table_of_propositions,
    "md": outline,
}
"""What writes each form of file, by its ending; the last form cannot be read again."""


def _as_data(map: MindMap) -> list[dict[str, Any]]:
    """Return how *map* grew, as lists and dicts: its beginning and each step, or the last
    :data:`LOGGED` characters.
    """
    steps = [_step(each) for each in map.log]
    sizes = accumulate(len(json.dumps(each, ensure_ascii=False)) for each in reversed(steps))
    kept = sum(size <= LOGGED for size in sizes)
    if kept == len(steps):
        return [_step(Step("", map.begun)), *steps]
    gone = len(steps) - kept
    return [_step(Step("", map.after(gone).things)), *steps[gone:]]


def _step(step: Step) -> dict[str, Any]:
    return {
        "when": step.when,
        "things": {id: thing and filled(thing) for id, thing in step.changes.items()},
    }
