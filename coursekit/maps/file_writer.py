"""Mind maps as files: GraphML, node-link JSON, a CSV of propositions, and an outline in Markdown.

A file keeps everything that a map shows; GraphML and JSON also keep how it grew.
:mod:`.file_reader` reads all but the outline.
"""

import csv
import io
import json
import re
from collections.abc import Callable, Mapping
from itertools import accumulate
from typing import Any

from coursekit.files.csvfile import quote_formula
from coursekit.maps.elements import to_fields
from coursekit.maps.file_reader import COLUMNS, LOG, column_titles, row_names
from coursekit.maps.map_statistics import hierarchy
from coursekit.maps.mindmap import MindMap, Step

LOGGED = 800_000
"""Characters of a log in a file, at most; a longer log begins with a later step."""


def write_map(mind_map: MindMap, form: str, language: str = "") -> str:
    """Return *mind_map* as the content of a file.

    :param form: ``graphml``, ``json``, ``csv`` or ``md``.
    :param language: of the columns of a CSV.
    :raises ValueError: for another form.
    """
    if form not in WRITERS:
        raise ValueError(f"the form {form!r} is not one of {', '.join(WRITERS)}")
    return WRITERS[form](mind_map, language)


def _graphml(mind_map: MindMap, _language: str) -> str:
    import networkx as nx

    graph = mind_map.graph()
    graph.graph[LOG] = json.dumps(_log_data(mind_map), ensure_ascii=False)
    lines = ['<?xml version="1.0" encoding="utf-8"?>', *nx.generate_graphml(graph)]
    return "\n".join(lines) + "\n"


def _node_link_json(mind_map: MindMap, _language: str) -> str:
    """Return *mind_map* as the node-link JSON of networkx."""
    import networkx as nx

    graph = mind_map.graph()
    graph.graph[LOG] = _log_data(mind_map)
    return json.dumps(nx.node_link_data(graph, edges="edges"), ensure_ascii=False, indent=1) + "\n"


def _propositions_csv(mind_map: MindMap, language: str) -> str:
    """Return *mind_map* as CSV: a line for the question, each concept, and each proposition."""
    lines: list[dict[str, str]] = []
    if mind_map.focus:
        lines.append({"what": "question", "note": mind_map.focus})
    labels = {}
    for concept_id, concept in mind_map.concepts.items():
        labels[concept_id] = concept.label
        fields = to_fields(concept)
        what = "top" if concept_id == mind_map.head.top else "concept"
        lines.append({"what": what, "id": concept_id, "start": fields.pop("label"), **fields})
    for relation_id, relation in mind_map.relations.items():
        line = {"what": "relation", "id": relation_id, **to_fields(relation)}
        line["start"] = labels[relation.start]
        line["end"] = labels[relation.end]
        lines.append(line)
    names = row_names(language)
    with io.StringIO(newline="") as file:
        rows = csv.DictWriter(file, COLUMNS, restval="")
        rows.writerow(column_titles(language))
        for line in lines:
            line["what"] = names[line["what"]]
            rows.writerow({column: quote_formula(cell) for column, cell in line.items()})
        return file.getvalue()


def outline_text(mind_map: MindMap, _language: str = "") -> str:
    """Return *mind_map* as a Markdown outline: what hangs on what, with the linking phrases.

    An arrow shows the direction of a relation. A concept stands in bold once, with its own
    relations below it.
    """
    lines = [f"# {escape_markdown(mind_map.focus)}", ""] if mind_map.focus else []
    left = list(mind_map.concepts)
    while left:  # for each part that is not connected with those before
        tree = hierarchy(mind_map, mind_map.top if mind_map.top in left else left[0])
        lines += _branch(mind_map, tree.hangs_on, tree.top, "", 0)
        left = [concept for concept in left if concept not in tree.level]
    return "\n".join(lines) + "\n"


def _branch(
    mind_map: MindMap, hangs_on: Mapping[str, str], concept_id: str, link: str, depth: int
) -> list[str]:
    """Return the lines of a concept and of those that hang on it."""
    concept = mind_map.concepts[concept_id]
    indent = "  " * depth
    note = f" – {escape_markdown(concept.note)}" if concept.note else ""
    lines = [f"{indent}- {link}**{escape_markdown(concept.label)}**{note}"]
    for relation_id, relation in mind_map.relations.items():
        is_touching = concept_id in (relation.start, relation.end)
        if not is_touching or hangs_on.get(concept_id) == relation_id:
            continue
        is_outward = relation.start == concept_id
        other = relation.end if is_outward else relation.start
        words = f"*{escape_markdown(relation.phrase)}* " if relation.phrase else ""
        arrow = f"{words}→ " if is_outward else f"← {words}← "
        if hangs_on.get(other) == relation_id:
            lines += _branch(mind_map, hangs_on, other, arrow, depth + 1)
        elif is_outward:
            label = escape_markdown(mind_map.concepts[other].label)
            lines.append(f"{indent}  - {arrow}{label}")
    return lines


def escape_markdown(words: str) -> str:
    """Return *words* on one line, escaped for Markdown."""
    return re.sub(r"([\\`*_{}\[\]<>#+|~&$!])", r"\\\1", " ".join(words.split()))


WRITERS: Mapping[str, Callable[[MindMap, str], str]] = {
    "graphml": _graphml,
    "json": _node_link_json,
    "csv": _propositions_csv,
    "md": outline_text,
}
"""What writes each form of file, by its ending; the last form cannot be read again."""


def _log_data(mind_map: MindMap) -> list[dict[str, Any]]:
    """Return how *mind_map* grew: its beginning and each step, or the last ones that fit."""
    steps = [_step_data(step) for step in mind_map.log]
    # Counted from the end: the last steps are those that one may still want to undo.
    sizes = [len(json.dumps(step, ensure_ascii=False)) for step in reversed(steps)]
    count = sum(total <= LOGGED for total in accumulate(sizes))
    first = len(steps) - count
    beginning = mind_map.after(first).things if first else mind_map.beginning
    return [_step_data(Step("", beginning)), *steps[first:]]


def _step_data(step: Step) -> dict[str, Any]:
    things = {thing_id: thing and to_fields(thing) for thing_id, thing in step.changes.items()}
    return {"when": step.when, "things": things}
