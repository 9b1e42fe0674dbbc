"""Reading mind maps from files; :mod:`.files` writes them."""

import csv
import io
import json
import re
import unicodedata
from collections.abc import Callable, Hashable, Iterator, Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from coursekit.game import FileError, brief
from coursekit.reflect.maps.mindmap import STEPS, MindMap, Step
from coursekit.reflect.maps.parts import HEAD, Concept, Head, MapError, Relation, Thing, cleaned, fields
from coursekit.texts import LANGUAGES, text

LARGEST = 5_000_000
"""Bytes of a file."""
LOG = "log"
"""Attribute of a graph in a file: how the map grew."""
COLUMNS = ("what", "start", "phrase", "end", "kind", "note", "card", "source", "at", "id")
"""Columns of the CSV.  What a line is: ``question`` (which stands in *note*), ``concept`` or ``top`` (named in
*start*), or ``relation``; where *what* is empty, *phrase* or *end* tells that it is a relation."""
NEEDED = ("start", "phrase", "end")
FORMULA = re.compile("'*\\s*[=+\\-@＝＋－＠]")
"""What a spreadsheet would calculate: written with a ' in front, which is taken away when it is read."""

Place = Mapping[str, str]
"""Where something stands in a file, in every language."""


class MapFileError(FileError):
    """A file that is no mind map, or a damaged one; it says where."""

    def __init__(self, text: str, **values: object) -> None:
        super().__init__("", text, **values)


def load(path: str | Path) -> MindMap:
    """Read a map from a file.

    :raises MapFileError: if it cannot be read, or is no proper map; it says where.
    """
    path = Path(path)
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
    except OSError:
        raise MapFileError("map.file.unreadable", file=path.name) from None
    return read(content, path.name)


def read(content: bytes, name: str, largest: int | None = None, *, log: bool = True) -> MindMap:
    """Return the map in the *content* of a file, whose *name* tells the form by its ending.

    :param largest: bytes that it may have, by default :data:`LARGEST`.
    :param log: whether to read how it grew.
    :raises MapFileError: if it is no proper map; it says where.
    """
    form = name.rpartition(".")[2].lower()
    if form not in READERS:
        raise MapFileError("map.file.form", file=name, allowed=", ".join(f".{each}" for each in READERS))
    if len(content) > (largest := largest or LARGEST):
        raise MapFileError("map.file.large", file=name, allowed=largest // 1_000_000)
    try:
        words = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise MapFileError("map.file.encoding", file=name, line=line) from None
    found = Found(name)
    READERS[form](found, words)
    return found.map() if log else found.last()


class Found:
    """What was found in the file *name* so far: a graph, and where its parts stand."""

    def __init__(self, name: str) -> None:
        import networkx as nx

        self.name = name
        self.graph: nx.MultiDiGraph[Hashable] = nx.MultiDiGraph()
        self.log: Any = None
        self.places: dict[Any, Place] = {}
        self.ids: set[Any] = set()

    def refuse(self, id: str, place: Place | None = None, **values: Any) -> MapFileError:
        """Return the error that says what is wrong at *place*, and notes nothing."""
        reason = MapError(f"map.file.{id}", **values)
        if place is None:
            return MapFileError("map.file.whole", file=self.name, reason=reason)
        return MapFileError("map.file.at", file=self.name, place=place, reason=reason)

    def node(self, name: Any, row: Mapping[str, Any], place: Place) -> None:
        """Note a concept."""
        self._take(name, place)
        self.graph.add_node(name, **fields(Concept, row))
        self.places[name] = place

    def edge(self, start: Any, end: Any, key: Any, row: Mapping[str, Any], place: Place) -> None:
        """Note a relation; *key* is ``None`` where the file gives no id."""
        for name in (start, end):
            if not isinstance(name, str | int) or name not in self.graph:
                raise self.refuse("no_node", place, got=brief(name))
        if isinstance(key, str):
            self._take(key, place)
        rest = {field: value for field, value in fields(Relation, row).items() if field not in ("start", "end")}
        key = self.graph.add_edge(start, end, key if isinstance(key, str) else None, **rest)
        self.places[start, end, key] = place

    def _take(self, id: Any, place: Place) -> None:
        if not isinstance(id, str | int):
            raise self.refuse("no_id", place)
        if id in self.ids:
            raise self.refuse("id_twice", place, got=brief(id))
        self.ids.add(id)

    def last(self) -> MindMap:
        """Return the map without how it grew."""
        try:
            return MindMap.of(self.graph)
        except MapError as error:
            raise self.wrong(error) from None

    def map(self) -> MindMap:
        """Return the map; if the file was changed elsewhere, that is one more step of its log."""
        if self.log is None:
            return self.last()
        try:
            begun, *log = _steps(self.log)
            grown = MindMap.replayed({id: each for id, each in begun.changes.items() if each is not None}, log)
        except (KeyError, TypeError, ValueError, AttributeError):
            raise self.refuse("log") from None
        try:
            grown.put(self.graph)
        except MapError as error:
            raise self.wrong(error) from None
        return grown

    def wrong(self, error: MapError) -> MapFileError:
        """Return *error* with the place in the file that it is about."""
        if place := self.places.get(error.about):
            return MapFileError("map.file.at", file=self.name, place=place, reason=error)
        return MapFileError("map.file.whole", file=self.name, reason=error)


def _line(number: int) -> Place:
    return {language: text("map.file.line", language, line=number) for language in LANGUAGES}


def _entry(part: str, number: int) -> Place:
    return {language: text("map.file.entry", language, part=part, number=number) for language in LANGUAGES}


def _steps(data: Any) -> list[Step]:
    """Return the log in *data*, what it began with first; any exception if it is none."""
    if len(data) > STEPS + 1 or not all(isinstance(step["when"], str) for step in data):
        raise ValueError
    return [Step(step["when"], {id: _thing(id, row) for id, row in step["things"].items()}) for step in data]


def _thing(id: str, row: Mapping[str, Any] | None) -> Thing | None:
    if row is None:
        return None
    if id == HEAD:
        return Head(**fields(Head, row))
    if "label" in row:
        return Concept(**fields(Concept, row))
    return Relation(**{"phrase": "", **fields(Relation, row)})


# The forms


def _read_json(found: Found, words: str) -> None:
    try:
        data = json.loads(words)
    except json.JSONDecodeError as error:
        raise found.refuse("not_json", _line(error.lineno)) from None
    except (ValueError, RecursionError):
        raise found.refuse("not_json") from None
    parts = [data.get(name) for name in ("nodes", "edges", "graph")] if isinstance(data, dict) else []
    if isinstance(data, dict) and parts[1] is None:
        parts[1] = data.get("links")  # what networkx called them before 3.4
    if not parts or not isinstance(parts[0], list) or not isinstance(parts[1], list):
        raise found.refuse("no_graph")
    if data.get("directed") is False:
        raise found.wrong(MapError("map.undirected"))
    about = parts[2] if isinstance(parts[2], dict) else {}
    found.graph.graph.update(fields(Head, about))
    found.log = about.get(LOG)
    for part, rows in (("nodes", parts[0]), ("edges", parts[1])):
        for number, row in enumerate(rows, 1):
            place = _entry(part, number)
            if not isinstance(row, dict):
                raise found.refuse("no_entry", place)
            if part == "nodes":
                found.node(row.get("id"), row, place)
            else:
                found.edge(row.get("source"), row.get("target"), row.get("key"), row, place)


def _read_graphml(found: Found, words: str) -> None:
    if re.search("<!(?:DOCTYPE|ENTITY)", words, re.IGNORECASE):
        raise found.refuse("entities")  # they can name other files, or grow without end
    try:
        root = ElementTree.fromstring(words)
    except ElementTree.ParseError as error:
        raise found.refuse("not_xml", _line(error.position[0])) from None
    names = {key.get("id"): key.get("attr.name", "") for key in _named(root, "key")}
    graph = next(_named(root, "graph"), None)
    if graph is None:
        raise found.refuse("no_graph")
    edges = list(_named(root, "edge"))
    directions = [each.get("edgedefault") for each in _named(root, "graph")] + [each.get("directed") for each in edges]
    if "undirected" in directions or "false" in directions:
        raise found.wrong(MapError("map.undirected"))
    about = _data(graph, names)
    found.graph.graph.update(fields(Head, about))
    try:
        found.log = json.loads(about.get(LOG, "null"))
    except (ValueError, RecursionError):
        raise found.refuse("log") from None
    for number, node in enumerate(_named(root, "node"), 1):
        row = _data(node, names)
        if "label" not in row and (shown := next(_named(node, "NodeLabel"), None)) is not None:
            row["label"] = shown.text or ""
        found.node(node.get("id"), row, _entry("<node>", number))
    for number, edge in enumerate(edges, 1):
        row = _data(edge, names)
        shown = next(_named(edge, "EdgeLabel"), None)
        other = row.get("label") or row.get("Edge Label") or (shown.text if shown is not None else "")
        row.setdefault("phrase", other or "")
        found.edge(edge.get("source"), edge.get("target"), edge.get("id"), row, _entry("<edge>", number))


def _named(element: ElementTree.Element, name: str) -> Iterator[ElementTree.Element]:
    """Yield the elements inside *element* of that *name*, in any namespace."""
    return (each for each in element.iter() if str(each.tag).rpartition("}")[2] == name)


def _data(element: ElementTree.Element, names: Mapping[str | None, str]) -> dict[str, str]:
    """Return the attributes of a graph, node or edge."""
    parts = [each for each in element if str(each.tag).rpartition("}")[2] == "data"]
    return {names.get(each.get("key"), ""): each.text or "" for each in parts}


def _read_csv(found: Found, words: str) -> None:
    rows = list(_rows(found, words))
    nodes: dict[str, Hashable] = {}  # by label

    def node(label: str, name: Hashable, row: Mapping[str, str], line: int) -> None:
        found.node(name, {**row, "label": label}, _line(line))
        nodes.setdefault(_same(label), name)

    for number, row in rows:
        if row["what"] in ("concept", "top"):
            name = row["id"] or number
            node(row["start"], name, row, number)
            if row["what"] == "top":
                found.graph.graph["top"] = name
        elif row["what"] == "question":
            found.graph.graph["focus"] = row["note"]
    for number, row in rows:
        if row["what"] == "relation":
            for label, name in ((row["start"], number), (row["end"], -number)):
                if _same(label) not in nodes:
                    node(label, name, {}, number)
            start, end = nodes[_same(row["start"])], nodes[_same(row["end"])]
            found.edge(start, end, row["id"] or None, row, _line(number))


def _same(label: str) -> str:
    return unicodedata.normalize("NFKC", cleaned(label))


def _rows(found: Found, words: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the lines that say something, with their number, and refuse what is no table of propositions."""
    reader = csv.reader(io.StringIO(words, newline=""), strict=True)
    number = 1
    try:
        header = [name.strip() for name in next(reader, [])]
        if missing := [name for name in NEEDED if name not in header]:
            raise found.refuse("columns", _line(1), missing=", ".join(missing), allowed=", ".join(COLUMNS))
        if wrong := [name for name in header if name not in COLUMNS or header.count(name) > 1]:
            raise found.refuse("column", _line(1), got=brief(wrong[0]), allowed=", ".join(COLUMNS))
        number = reader.line_num + 1
        for cells in reader:
            if any(cells[len(header) :]):
                raise found.refuse("cells", _line(number), got=len(cells), allowed=len(header))
            row = dict.fromkeys(COLUMNS, "") | {name: _read_cell(cell) for name, cell in zip(header, cells)}
            row["what"] = row["what"] or ("relation" if row["phrase"] or row["end"] else "concept")
            if row["what"] not in ("question", "concept", "top", "relation"):
                raise found.refuse("what", _line(number), got=brief(row["what"]))
            if any(cells):
                yield number, row
            number = reader.line_num + 1
    except csv.Error:
        raise found.refuse("quotes", _line(number)) from None


def _read_cell(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and FORMULA.match(cell) else cell


READERS: Mapping[str, Callable[[Found, str], None]] = {"graphml": _read_graphml, "json": _read_json, "csv": _read_csv}
