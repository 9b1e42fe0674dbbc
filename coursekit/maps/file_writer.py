"""Mind maps as files: GraphML, node-link JSON, a CSV of propositions, and an outline in Markdown.

A file keeps everything that a map shows. :mod:`.file_reader` reads all but the outline.
"""

import csv
import io
import json
import re
from collections.abc import Callable, Mapping
from typing import Any
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from coursekit.files.csvfile import quote_formula
from coursekit.maps.elements import Concept, Head, Relation, to_fields
from coursekit.maps.file_reader import COLUMNS, table_words
from coursekit.maps.map_statistics import hierarchy
from coursekit.maps.mindmap import MindMap

GRAPHML = "http://graphml.graphdrawing.org/xmlns"
YED = "http://www.yworks.com/xml/graphml"
"""Namespaces of GraphML, and of what the program yEd adds to it."""


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
    """Return *mind_map* as GraphML: our own fields, and beside them how yEd draws it."""
    root = Element("graphml", {"xmlns": GRAPHML, "xmlns:y": YED})
    fields = {"graph": Head._fields, "node": Concept._fields}
    fields["edge"] = ("label", "phrase", "kind", "note")  # other programs show the label
    for kind, names in fields.items():
        for name in names:
            key = {"id": f"{kind}_{name}", "for": kind, "attr.name": name, "attr.type": "string"}
            SubElement(root, "key", key)
    for kind in ("node", "edge"):
        SubElement(root, "key", {"id": kind, "for": kind, "yfiles.type": f"{kind}graphics"})
    graph = SubElement(root, "graph", {"id": "map", "edgedefault": "directed"})
    _add_data(graph, to_fields(mind_map.head))
    for number, (concept_id, concept) in enumerate(mind_map.concepts.items()):
        node = SubElement(graph, "node", {"id": concept_id})
        _add_data(node, to_fields(concept))
        across, down = concept.at or (number % 10 * 150, number // 10 * 100)
        # A Chinese character is as wide as two others, and three bytes long.
        width = 30 + 5 * len(concept.label.encode())
        box = {"x": across, "y": down, "width": width, "height": 40}
        shape = SubElement(SubElement(node, "data", {"key": "node"}), "y:ShapeNode")
        SubElement(shape, "y:Geometry", {side: str(size) for side, size in box.items()})
        SubElement(shape, "y:NodeLabel").text = concept.label
        SubElement(shape, "y:Shape", {"type": "roundrectangle"})
    for relation_id, relation in mind_map.relations.items():
        ends = {"source": relation.start, "target": relation.end}
        edge = SubElement(graph, "edge", {"id": relation_id, **ends})
        rest = to_fields(relation._replace(start="", end=""))
        _add_data(edge, {"label": relation.phrase, **rest} if relation.phrase else rest)
        line = SubElement(SubElement(edge, "data", {"key": "edge"}), "y:PolyLineEdge")
        SubElement(line, "y:Arrows", {"source": "none", "target": "standard"})
        if relation.phrase:
            SubElement(line, "y:EdgeLabel").text = relation.phrase
    indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, "unicode") + "\n"


def _add_data(element: Element, fields: Mapping[str, str]) -> None:
    for name, words in fields.items():
        SubElement(element, "data", {"key": f"{element.tag}_{name}"}).text = words


def _node_link_json(mind_map: MindMap, _language: str) -> str:
    """Return *mind_map* as the node-link JSON of networkx."""
    data: dict[str, Any] = {"directed": True, "multigraph": True}
    data["graph"] = to_fields(mind_map.head)
    data["nodes"] = [
        {**to_fields(concept), "id": concept_id}
        for concept_id, concept in mind_map.concepts.items()
    ]
    edges = data["edges"] = []
    for relation_id, relation in mind_map.relations.items():
        fields = to_fields(relation._replace(start="", end=""))
        ends = {"source": relation.start, "target": relation.end, "key": relation_id}
        edges.append(fields | ends)
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


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
    names = table_words("row", language)
    with io.StringIO(newline="") as file:
        rows = csv.DictWriter(file, COLUMNS, restval="")
        rows.writerow(table_words("column", language))
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
