"""Mind maps as files: GraphML, node-link JSON, a CSV of propositions, and an outline in Markdown.

A file keeps everything that a map shows. :mod:`.file_reader` reads all but the outline.
"""

import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Mapping
from html import escape

from coursekit.files.csvfile import quote_formula
from coursekit.maps.elements import Concept, Head, to_fields
from coursekit.maps.file_reader import COLUMNS, table_words
from coursekit.maps.map_statistics import hierarchy
from coursekit.maps.mindmap import MindMap

FIELDS = {
    "graph": Head._fields,
    "node": Concept._fields,
    "edge": ("label", "phrase", "kind", "note"),  # other programs show the label
}
"""What the parts of GraphML have of our own; beside it stands how the program yEd draws them."""
GRAPHML = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:y="http://www.yworks.com/xml/graphml">
{keys}
<key id="node" for="node" yfiles.type="nodegraphics"/>
<key id="edge" for="edge" yfiles.type="edgegraphics"/>
<graph id="map" edgedefault="directed">{data}
{parts}
</graph>
</graphml>
"""
KEY = '<key id="{kind}_{name}" for="{kind}" attr.name="{name}" attr.type="string"/>'
DATA = '\n<data key="{kind}_{name}">{words}</data>'
LABEL = "<y:EdgeLabel>{}</y:EdgeLabel>"
NODE = """<node id="{id}">{data}
<data key="node"><y:ShapeNode><y:Geometry x="{x}" y="{y}" width="{width}" height="40"/>
<y:NodeLabel>{label}</y:NodeLabel><y:Shape type="roundrectangle"/></y:ShapeNode></data></node>"""
EDGE = """<edge id="{key}" source="{source}" target="{target}">{data}
<data key="edge"><y:PolyLineEdge><y:Arrows source="none" target="standard"/>{drawn}
</y:PolyLineEdge></data></edge>"""


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
    keys = [KEY.format(kind=kind, name=name) for kind, names in FIELDS.items() for name in names]
    parts = []
    for number, (concept_id, concept) in enumerate(mind_map.concepts.items()):
        x, y = concept.at or (number % 10 * 150, number // 10 * 100)
        # A Chinese character is as wide as two others, and three bytes long.
        box = {"x": x, "y": y, "width": 30 + 5 * len(concept.label.encode())}
        words = {"id": escape(concept_id), "label": escape(concept.label)}
        parts.append(NODE.format(data=_data("node", to_fields(concept)), **words, **box))
    for fields in _edges(mind_map):
        fields["label"] = fields.get("phrase", "")
        words = {name: escape(value) for name, value in fields.items()}
        drawn = LABEL.format(words["label"]) if words["label"] else ""
        parts.append(EDGE.format(data=_data("edge", fields), drawn=drawn, **words))
    head = _data("graph", to_fields(mind_map.head))
    return GRAPHML.format(keys="\n".join(keys), data=head, parts="\n".join(parts))


def _data(kind: str, fields: Mapping[str, str]) -> str:
    """Return the *fields* that are not empty."""
    rows = [(name, fields[name]) for name in FIELDS[kind] if fields.get(name)]
    return "".join(DATA.format(kind=kind, name=name, words=escape(words)) for name, words in rows)


def _edges(mind_map: MindMap) -> Iterator[dict[str, str]]:
    """Yield the relations under the names of networkx."""
    for relation_id, relation in mind_map.relations.items():
        fields = to_fields(relation)
        ends = {"source": fields.pop("start"), "target": fields.pop("end")}
        yield {**fields, **ends, "key": relation_id}


def _node_link_json(mind_map: MindMap, _language: str) -> str:
    """Return *mind_map* as the node-link JSON of networkx."""
    concepts = mind_map.concepts.items()
    data = {
        "directed": True,
        "multigraph": True,
        "graph": to_fields(mind_map.head),
        "nodes": [{**to_fields(concept), "id": concept_id} for concept_id, concept in concepts],
        "edges": list(_edges(mind_map)),
    }
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _propositions_csv(mind_map: MindMap, language: str) -> str:
    """Return *mind_map* as CSV: a line for the question, each concept, and each proposition."""
    lines = [{"what": "question", "note": mind_map.focus}] if mind_map.focus else []
    concepts = mind_map.concepts
    for concept_id, concept in concepts.items():
        what = "top" if concept_id == mind_map.head.top else "concept"
        fields = {"what": what, "id": concept_id, "start": concept.label}
        lines.append(to_fields(concept) | fields)
    for relation_id, relation in mind_map.relations.items():
        fields = {"what": "relation", "id": relation_id, "start": concepts[relation.start].label}
        lines.append(to_fields(relation) | fields | {"end": concepts[relation.end].label})
    names = table_words("row", language)
    with io.StringIO(newline="") as file:
        table = csv.writer(file)
        table.writerow(table_words("column", language).values())
        for line in lines:
            line["what"] = names[line["what"]]
            table.writerow([quote_formula(line.get(column, "")) for column in COLUMNS])
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
