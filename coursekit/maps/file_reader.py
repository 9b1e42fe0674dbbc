"""Reading mind maps from files; :mod:`.file_writer` writes them.

Other programs have other names for the parts of a map, and allow more than a map does. What a map
cannot show is refused with its place in the file.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import count
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element, ParseError

from coursekit.core.errors import FileError, LocalizedError
from coursekit.files.text_files import (
    SHEETS,
    EncodingError,
    NotTextError,
    QuoteError,
    Row,
    decode,
    file_kind,
    is_counted,
    split_rows,
)
from coursekit.maps.elements import (
    CHINESE,
    CONCEPTS,
    HEAD,
    RELATIONS,
    SHORT,
    Concept,
    Head,
    MapError,
    Relation,
    Thing,
    clean,
    label_key,
    tidy,
)
from coursekit.maps.mindmap import MindMap
from coursekit.words.texts import LANGUAGES, join_words, shorten, text

LARGEST_FILE = 5_000_000
"""Bytes of a file."""
COLUMNS = ("what", "start", "phrase", "end", "kind", "note", "card", "source", "at", "id")
"""Columns of the CSV; :func:`table_words` gives their titles in any language."""
ROWS = ("question", "concept", "top", "relation")
"""What a line of the CSV is.

A question stands in *note*, a concept or the top concept in *start*. Where *what* is empty, a
*phrase* or an *end* makes the line a relation; otherwise it is a concept.
"""
NEEDED = ("start", "phrase", "end")
SHOWN = "shown label"
"""The name that a reader gives to the label that a program shows.

It counts first: who changes it there leaves our own field beside it as it was.
"""
NAMES: Mapping[str, Sequence[str]] = {
    "id": ("id", "key"),
    "label": (SHOWN, "label", "node label", "name", "shared name", "text", "title", "caption"),
    "note": ("note", "_note", "description"),
    "start": ("source", "from", "start", "subject"),
    "phrase": (
        SHOWN,
        "label",
        "phrase",
        "edge label",
        "interaction",
        "shared interaction",
        "relation",
        "relationship",
        "predicate",
        "name",
        "text",
        "title",
    ),
    "end": ("target", "to", "end", "object"),
}
"""What programs call the fields of a map, in lower case, the best name first."""
INSIDE = ("attributes", "metadata", "data")
"""Where programs keep the fields of a concept or a relation in JSON."""
NO_ARROW = ("none", "{x:null}")
PLACE = re.compile(r"\W?(-?\d{1,9}(?:\.\d*)?),? (-?\d{1,9}(?:\.\d*)?)\W?", re.ASCII)


class MapFileError(FileError):
    """A file is no mind map, or a damaged one; the error says where."""

    def __init__(self, text: str, **values: object) -> None:
        super().__init__("", text, **values)


class Part(NamedTuple):
    """A concept or a relation as a file has it."""

    place: MapError  # words for where it stands
    fields: Mapping[str, Any] = {}
    titles: Mapping[str, str] = {}  # of a table: field -> title of its column

    def pick(self, field: str) -> Any:
        """Return what stands under the first of the :data:`NAMES` of *field*, ``""`` for none."""
        for name in NAMES.get(field, (field,)):
            value = self.fields.get(name)
            if value is not None and str(value).strip():
                return value
        return ""

    def read(self, field: str) -> Any:
        """Return *field* as a map has it, or a wrong value as it is."""
        value = self.pick(field)
        if field == "at":
            place = PLACE.fullmatch(str(value))
            return (round(float(place[1])), round(float(place[2]))) if place else value or None
        return str(value) if isinstance(value, int | float) else value


def read_map(content: bytes, name: str, largest: int = LARGEST_FILE) -> MindMap:
    """Return the map in the *content* of a file; the ending of its *name* tells the form.

    :param largest: bytes of a file, at most.
    :raises MapFileError: if it is no proper map; the error says where.
    """
    return read_with_notice(content, name, largest)[0]


def read_with_notice(
    content: bytes, name: str, largest: int = LARGEST_FILE
) -> tuple[MindMap, LocalizedError | None]:
    """Return the map as :func:`read_map` does, and what its reader should know of the file."""
    form = name.rpartition(".")[2].lower()
    allowed = ", ".join(f".{ending}" for ending in READERS)
    if form not in READERS and not file_kind(content):
        raise MapFileError("map.file.form", file=name, allowed=allowed)
    if len(content) > largest and not file_kind(content):
        raise MapFileError("map.file.large", file=name, allowed=largest // 1_000_000)
    try:
        words = decode(content)
    except NotTextError as error:
        what = "workbook" if error.name in SHEETS else "document"
        raise MapFileError(f"map.file.{what}", file=name, allowed=allowed, **error.values) from None
    except EncodingError as error:
        raise MapFileError("map.file.encoding", file=name, **error.values) from None
    file = MapFile(name)
    READERS[form](file, words)
    return file.mind_map(), file.notice


class MapFile:
    """What a file holds, as far as it is read."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.head: Mapping[str, Any] = {}
        self.is_directed = True
        self.concepts: list[Part] = []
        self.relations: list[Part] = []
        self.notice: LocalizedError | None = None
        self._ids: dict[str, str] = {}  # of concepts: shown as code -> in the map
        self._parts: dict[Any, Part] = {}  # what each thing of the map comes from

    def error(
        self, text: str, part: Part | None = None, field: str = "", **values: Any
    ) -> MapFileError:
        """Return the error that says what is wrong with *part*, or with the whole file."""
        return self._locate(MapError(f"map.file.{text}", None, field, **values), part)

    def _locate(self, reason: MapError, part: Part | None = None) -> MapFileError:
        if part is None:
            return MapFileError("map.file.whole", file=self.name, reason=reason)
        place = part.place
        if title := part.titles.get(reason.part):
            place = MapError("map.file.cell", line=place.values["line"], title=title)
        return MapFileError("map.file.at", file=self.name, place=place, reason=reason)

    def note(self, text: str, **values: Any) -> None:
        """Add a sentence to the notice."""
        new = MapError(f"map.file.{text}", **values)
        both = MapError("map.file.both", one=self.notice, other=new)
        self.notice = both if self.notice else new

    def check_size(self, concepts: int, relations: int) -> None:
        """Refuse more than a map holds, before any of it is looked at."""
        if concepts > CONCEPTS:
            raise self._locate(MapError("map.too_many_concepts", got=concepts, limit=CONCEPTS))
        if relations > RELATIONS:
            raise self._locate(MapError("map.too_many_relations", got=relations, limit=RELATIONS))

    def fill(self, rows: Mapping[str, Sequence[Any]]) -> None:
        """Take the concepts, and the relations: two lists under their names in the file."""
        self.check_size(*map(len, rows.values()))
        parts = [list(self._read_parts(name, row)) for name, row in rows.items()]
        self.concepts, self.relations = parts

    def _read_parts(self, name: str, rows: Sequence[Any]) -> Iterator[Part]:
        for number, row in enumerate(rows, 1):
            place = MapError("map.file.entry", list=name, number=number)
            if not isinstance(row, dict):
                raise self.error("no_entry", Part(place))
            fields = dict(row)
            for inside in INSIDE:
                if isinstance(row.get(inside), dict):
                    fields |= row[inside]
            yield Part(place, {field.lower(): value for field, value in fields.items()})

    def mind_map(self) -> MindMap:
        """Return the map.

        :raises MapFileError: if it is no proper one.
        """
        taken = {str(part.pick("id")) for part in (*self.concepts, *self.relations)}
        numbers = (new for new in count(1) if taken.isdisjoint((f"c{new}", f"r{new}")))
        try:
            things = self._read_concepts(numbers)
            self._add_relations(things, numbers)
            top = self.head.get("top") or ""
            head = Head(self.head.get("focus") or "", self._ids.get(repr(top), top))
            return MindMap(things=things | {HEAD: head})
        except MapError as error:
            raise self._locate(error, self._parts.get(error.about)) from None

    def _read_concepts(self, numbers: Iterator[int]) -> dict[str, Thing]:
        things: dict[str, Thing] = {}
        labels: dict[str, Part] = {}
        nameless = []
        for part in self.concepts:
            name = part.pick("id")
            if name == "":
                raise self.error("no_id", part)
            if repr(name) in self._ids:
                raise self.error("id_twice", part, "id", got=shorten(name))
            concept_id = self._ids[repr(name)] = name if _is_id(name) else f"c{next(numbers)}"
            self._parts[concept_id] = part
            fields = {field: part.read(field) for field in Concept._fields}
            if not fields["label"] and not part.titles:
                fields["label"] = str(name)
                nameless.append(name)
            things[concept_id] = tidy(concept_id, Concept(**fields))
            label = things[concept_id][0]
            other = labels.setdefault(label_key(label), part)
            if label and other is not part:
                raise self.error("label_twice", part, "label", label=label, other=other.place)
        if nameless:
            self.note("no_names", count=len(nameless), got=shorten(nameless[0]))
        return things

    def _add_relations(self, things: dict[str, Thing], numbers: Iterator[int]) -> None:
        seen = set[Thing]()
        repeated = 0
        for part in self.relations:
            fields = {field: part.read(field) for field in ("phrase", "kind", "note")}
            for start, end in self._ends(part):
                name = part.pick("id")
                is_free = _is_id(name) and name not in things
                relation_id = name if is_free else f"r{next(numbers)}"
                self._parts[relation_id] = part
                relation = tidy(relation_id, Relation(start=start, end=end, **fields))
                if relation in seen:
                    repeated += 1
                else:
                    things[relation_id] = relation
                    seen.add(relation)
        if repeated:
            self.note("repeated", count=repeated)

    def _ends(self, part: Part) -> Iterator[tuple[str, str]]:
        """Yield from where to where a relation leads, as it is drawn."""
        names = [part.pick(side) for side in ("start", "end")]
        for name in names:
            if repr(name) not in self._ids:
                raise self.error("no_node", part, got=shorten(name))
        start, end = (self._ids[repr(name)] for name in names)
        arrows = str(part.pick("arrows"))
        is_directed = str(part.pick("directed") or self.is_directed).lower() != "false"
        if not is_directed and not re.search("to|from", arrows):
            raise self.error("undirected", part)
        if "to" in arrows or "from" not in arrows:
            yield start, end
        if "from" in arrows:
            yield end, start


def _is_id(name: Any) -> bool:
    """Return whether a thing of a map can keep *name* as its id."""
    return isinstance(name, str) and name != HEAD and name == clean(name)[:SHORT]


def _line(number: int) -> MapError:
    return MapError("map.file.line", line=number)


# The forms


def _read_json(file: MapFile, words: str) -> None:
    try:
        data = json.loads(words)
    except (ValueError, RecursionError) as error:
        raise file.error("not_json", Part(_line(getattr(error, "lineno", 1)))) from None
    if not isinstance(data, dict):
        raise file.error("no_graph")
    for inside in (data.get("graph"), data.get("elements")):  # JSON Graph Format, Cytoscape
        if isinstance(inside, dict):
            file.head = file.head or inside
            data = inside | data
    nodes = data.get("nodes")
    edges = data.get("edges", data.get("links"))  # their name before networkx 3.4
    if not isinstance(nodes, list) or not isinstance(edges, list):
        raise file.error("no_graph")
    file.is_directed = data.get("directed") is not False
    file.fill({"nodes": nodes, "edges": edges})


def _parse_xml(file: MapFile, words: str) -> Element:
    """Return the root of the XML in *words*, which can neither read files nor grow without end."""
    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    try:
        root: Element = fromstring(words)
    except DefusedXmlException:
        raise file.error("entities") from None
    except ParseError as error:
        raise file.error("not_xml", Part(_line(error.position[0]))) from None
    return root


def _name(element: Element) -> str:
    """Return the name of *element* without its namespace."""
    return str(element.tag).rpartition("}")[2]


def _elements(element: Element, name: str) -> list[Element]:
    """Return *element* and those inside it that have this *name*, in any namespace."""
    return [inner for inner in element.iter() if _name(inner) == name]


def _read_graphml(file: MapFile, words: str) -> None:
    root = _parse_xml(file, words)
    kinds = ("graph", "node", "edge")
    elements = {kind: _elements(root, kind) for kind in kinds}
    if not elements["graph"]:
        raise file.error("no_graph")
    names: dict[str, str] = {}
    defaults: dict[str, dict[str, str]] = {kind: {} for kind in kinds}
    for key in _elements(root, "key"):
        key_id = key.get("id", "")
        names[key_id] = key.get("attr.name", key_id).lower()
        for kind in kinds:
            if key.get("for", "all") in (kind, "all"):
                defaults[kind][names[key_id]] = key.findtext("{*}default", "")
    for graph in elements["graph"]:
        for edge in graph:
            if graph.get("edgedefault") == "undirected":
                edge.attrib.setdefault("directed", "false")
    fields = {
        kind: [_graphml_fields(element, names, defaults[kind]) for element in elements[kind]]
        for kind in kinds
    }
    file.head = fields["graph"][0]
    file.fill({"<node>": fields["node"], "<edge>": fields["edge"]})


def _graphml_fields(
    element: Element, names: Mapping[str, str], defaults: Mapping[str, str]
) -> dict[str, str]:
    """Return the fields of a graph, node or edge.

    Labels and arrows of yEd and yEd Live are elements in one of them.
    """
    fields = dict(defaults)
    for data in element.iterfind("{*}data"):
        key = data.get("key", "")
        fields[names.get(key, key)] = data.text or ""
        for inner in data.iter():
            name = _name(inner)
            if "Label" in name:
                label = "".join(inner.itertext()).strip() or inner.get("Text")
                if label:
                    fields.setdefault(SHOWN, label)
            elif name == "Arrows":
                fields["arrows"] = _arrows(inner, "source", "target")
            elif name.endswith("EdgeStyle"):  # of yEd Live, with its parts as attributes or inside
                for part in inner:
                    for arrow in part:
                        side = _name(part).rpartition(".")[2]
                        inner.set(side, arrow.get("type", ""))
                fields["arrows"] = _arrows(inner, "sourceArrow", "targetArrow")
    return fields | element.attrib


def _arrows(element: Element, start: str, end: str) -> str:
    """Return whether an edge leads "to" its end, "from" it, or both.

    :param start: the attribute that tells the arrow at its start.
    :param end: the one for the arrow at its end.
    """
    sides = {"from": element.get(start, "none"), "to": element.get(end, "none")}
    return " ".join(side for side, arrow in sides.items() if arrow.lower() not in NO_ARROW)


def _read_tree(file: MapFile, words: str, kind: str) -> None:
    """Read a FreeMind map or an OPML outline: each concept hangs on the one above it.

    :param kind: the elements that are concepts; those without words are passed over.
    """
    root = _parse_xml(file, words)
    branches = root.findall("{*}body/*") or list(root)
    todo: list[tuple[Element, dict[str, Any]]] = [(branch, {}) for branch in reversed(branches)]
    nodes: list[dict[str, Any]] = []
    edges = []
    links = []
    numbers: dict[str | None, int] = {}
    while todo:
        element, above = todo.pop()
        if _name(element) != kind:
            continue
        node = _tree_fields(element)
        if node["label"]:
            node["id"] = numbers[element.get("ID")] = len(nodes) + 1
            nodes.append(node)
            if above:
                node["above"] = above["label"]
                edges.append({"source": above["id"], "target": node["id"]})
            links += [(node["id"], link) for link in element.iterfind("{*}arrowlink")]
            above = node
        todo += [(inner, above) for inner in reversed(element)]
    for number, link in links:
        ends = {"source": number, "target": numbers.get(link.get("DESTINATION"))}
        arrows = _arrows(link, "STARTARROW", "ENDARROW")
        edges.append({**ends, "phrase": link.get("MIDDLE_LABEL"), "arrows": arrows})
    if not nodes:
        raise file.error("no_graph")
    _tell_apart(file, nodes)
    file.fill({f"<{kind}>": nodes, "<arrowlink>": edges})


def _tree_fields(element: Element) -> dict[str, Any]:
    fields = {name.lower(): value for name, value in element.attrib.items()}
    for rich in element.iterfind("{*}richcontent"):
        body = (_elements(rich, "body") or [rich])[0]
        field = "text" if rich.get("TYPE") == "NODE" else "note"
        lines = [fields.get(field, ""), *"".join(body.itertext()).splitlines()]
        fields[field] = "\n".join(filter(None, map(str.strip, lines)))
    return {**fields, "label": clean(Part(_line(1), fields).pick("label"))}


def _tell_apart(file: MapFile, nodes: list[dict[str, Any]]) -> None:
    """Add to labels that a tree has several times what stands above them."""
    counts = Counter(label_key(node["label"]) for node in nodes)
    taken = {key for key, number in counts.items() if number == 1}
    numbers = Counter[str]()
    for node in nodes:
        label = node["label"]
        if counts[label_key(label)] > 1:
            form = "{}（{}）" if CHINESE.search(label) else "{} ({})"
            name = form.format(label, node["above"]) if "above" in node else label
            if len(name) > SHORT:
                name = label
            while label_key(name) in taken:
                numbers[label] += 1
                name = form.format(label, numbers[label] + 1)
            taken.add(label_key(name))
            node[SHOWN] = name
    if shown := [node[SHOWN] for node in nodes if SHOWN in node]:
        file.note("told_apart", got=shown[-1])


def table_words(part: str, language: str = "") -> dict[str, str]:
    """Return the words of a table, by the program's own, which it has without a *language*.

    :param part: ``column`` for the titles of :data:`COLUMNS`, ``row`` for names of :data:`ROWS`.
    """
    names = {"column": COLUMNS, "row": ROWS}[part]
    return {name: text(f"map.{part}.{name}", language) if language else name for name in names}


def _by_words(part: str) -> dict[str, str]:
    """Return the inverse of :func:`table_words`, for all languages together."""
    inverse = {}
    for language in (*LANGUAGES, ""):
        for name, words in table_words(part, language).items():
            inverse[words.casefold()] = name
    return inverse


def _list_words(part: str, some: Sequence[str]) -> dict[str, str]:
    """Return *some* of :func:`table_words` in every language."""
    return {
        language: join_words([table_words(part, language)[name] for name in some], language)
        for language in LANGUAGES
    }


def _read_table(file: MapFile, words: str, marks: str = ",\t;") -> None:
    """Read a table of propositions: with titles, or three columns without.

    :param marks: those that may stand between cells.
    """
    try:
        rows = split_rows(words, marks, len(NEEDED))
    except QuoteError as error:
        raise file.error("quotes", Part(_line(error.line))) from None
    if len(rows) > 1 and len(rows[0].cells) == 1 and _find_columns(rows[1].cells).count("") == 0:
        del rows[0]  # the name of a sheet
    _pass_over_counts(rows)
    number, titles = rows[0] if rows else (1, [])
    header = _read_header(file, titles, Part(_line(number)))
    if header:
        del rows[0]
    else:
        header, titles = list(NEEDED), ["1", "2", "3"]
        file.note("no_titles")
    columns = dict(zip(header, titles))
    kinds = _by_words("row")
    parts: dict[str, list[Part]] = {row: [] for row in ROWS}
    for number, cells in rows:
        part = Part(_line(number), dict(zip(header, cells)), columns)
        if len(cells) > len(header):
            raise file.error("cells", part, got=len(cells), allowed=len(header))
        kind = "relation" if part.pick("phrase") or part.pick("end") else "concept"
        if what := part.pick("what"):
            kind = kinds.get(what.strip().casefold(), "")
        if not kind:
            allowed = _list_words("row", ROWS)
            raise file.error("what", part, "what", got=shorten(what), allowed=allowed)
        parts[kind].append(part)
    file.check_size(len(parts["top"] + parts["concept"]), len(parts["relation"]))
    nodes: dict[str, Any] = {}

    def add(part: Part, side: str, fields: Mapping[str, Any]) -> Any:
        """Add the concept at a *side* of *part* and return its id, or that of the same label."""
        label = part.fields.get(side, "")
        key = label_key(clean(label))
        if fields or key not in nodes:
            concept = {**fields, "id": fields.get("id") or (part.place.values["line"], side)}
            nodes.setdefault(key, concept["id"])
            titles = columns | {"label": columns[side]}
            file.concepts.append(Part(part.place, {**concept, "label": label}, titles))
        return nodes[key]

    tops = [add(part, "start", part.fields) for part in parts["top"]]
    for part in parts["concept"]:
        add(part, "start", part.fields)
    for part in parts["relation"]:
        ends = {"source": add(part, "start", {}), "target": add(part, "end", {})}
        file.relations.append(part._replace(fields={**part.fields, **ends}))
    questions = [part.pick("note") for part in parts["question"]]
    file.head = {"focus": "".join(questions[-1:]), "top": (*tops, "")[0]}


def _pass_over_counts(rows: list[Row]) -> None:
    """Drop the first column of *rows* if it only counts them, and is none of a map."""
    width = len(rows[0].cells) if rows else 0
    first = [row.cells[0] for row in rows]
    titled = width > 1 and not is_counted(first[:1])
    if width <= len(NEEDED) or (titled and _find_columns(first[:1]) != [""]):
        return
    if is_counted(first[1:] if titled else first):
        rows[:] = [Row(row.line, row.cells[1:] or [""]) for row in rows]


def _find_columns(titles: Sequence[str]) -> list[str]:
    """Return the columns that have these *titles*, "" for an unknown one."""
    own = _by_words("column")
    words = [title.strip().casefold() for title in titles]
    header = [own.get(word, "") for word in words]
    if "start" not in header:  # a table of another program
        others = {name: column for column in NEEDED for name in NAMES[column]}
        header = [others.get(word) or own.get(word, "") for word in words]
    return header


def _read_header(file: MapFile, titles: Sequence[str], part: Part) -> list[str]:
    """Return the columns that have these *titles*, none for three cells that are no titles.

    :raises MapFileError: if one is missing, unknown or there twice.
    """
    header = _find_columns(titles)
    if len(titles) == len(NEEDED) and len(list(filter(None, header))) < 2:
        return []
    allowed = _list_words("column", COLUMNS)
    missing = [name for name in NEEDED if name not in header]
    if missing:
        lost = _list_words("column", missing)
        raise file.error("columns", part, missing=lost, allowed=allowed)
    wrong = [title for title, name in zip(titles, header) if not name or header.count(name) > 1]
    if wrong:
        raise file.error("column", part, got=shorten(wrong[-1]), allowed=allowed)
    return header


READERS: Mapping[str, Callable[[MapFile, str], None]] = {
    "graphml": _read_graphml,
    "json": _read_json,
    "csv": _read_table,
    "tsv": partial(_read_table, marks="\t"),
    "txt": partial(_read_table, marks="\t"),
    "mm": partial(_read_tree, kind="node"),
    "opml": partial(_read_tree, kind="outline"),
}
"""What reads each form of file, by its ending."""
