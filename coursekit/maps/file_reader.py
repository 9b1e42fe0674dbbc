"""Reading mind maps from files; :mod:`.file_writer` writes them."""

import csv
import io
import json
import re
import unicodedata
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Any
from xml.etree import ElementTree

from coursekit.core.errors import FileError
from coursekit.files.csvfile import unquote_cell
from coursekit.maps.elements import (
    HEAD,
    Concept,
    Head,
    MapError,
    Relation,
    Thing,
    clean,
    read_fields,
)
from coursekit.maps.mindmap import KEPT_STEPS, MindMap, Step
from coursekit.words.texts import LANGUAGES, join_words, shorten, text

LARGEST_FILE = 5_000_000
"""Bytes of a file."""
LOG = "log"
"""Attribute of a graph in a file: how the map grew, its steps."""
COLUMNS = ("what", "start", "phrase", "end", "kind", "note", "card", "source", "at", "id")
"""Columns of the CSV; :func:`column_titles` gives their titles in any language."""
ROWS = ("question", "concept", "top", "relation")
"""What a line of the CSV is.

A question stands in *note*, a concept or the top concept in *start*. Where *what* is empty, a
*phrase* or an *end* makes the line a relation; otherwise it is a concept.
"""
NEEDED = ("start", "phrase", "end")

Position = Mapping[str, str]
"""Words for where something stands in a file, in every language."""


class MapFileError(FileError):
    """A file is no mind map, or a damaged one; the error says where."""

    def __init__(self, text: str, **values: object) -> None:
        super().__init__("", text, **values)


def read_map(
    content: bytes, name: str, largest: int = LARGEST_FILE, *, log: bool = True
) -> MindMap:
    """Return the map in the *content* of a file; the ending of its *name* tells the form.

    :param largest: bytes of a file, at most.
    :param log: whether to read how it grew.
    :raises MapFileError: if it is no proper map; the error says where.
    """
    form = name.rpartition(".")[2].lower()
    if form not in READERS:
        allowed = ", ".join(f".{ending}" for ending in READERS)
        raise MapFileError("map.file.form", file=name, allowed=allowed)
    if len(content) > largest:
        raise MapFileError("map.file.large", file=name, allowed=largest // 1_000_000)
    try:
        words = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise MapFileError("map.file.encoding", file=name, line=line) from None
    file = MapFile(name)
    READERS[form](file, words)
    return file.replay() if log else file.mind_map()


class MapFile:
    """What a file holds, as far as it is read: a graph, and where its parts stand."""

    def __init__(self, name: str) -> None:
        import networkx as nx

        self.name = name
        self.graph: nx.MultiDiGraph[Hashable] = nx.MultiDiGraph()
        self.log: Any = None
        self.places: dict[Any, Position] = {}
        self.cells: dict[Any, Mapping[str, Position]] = {}
        """Of a CSV: where each field of a part stands."""
        self._ids: set[Any] = set()

    def error(self, text: str, place: Position | None = None, **values: Any) -> MapFileError:
        """Return the error that says what is wrong at *place*."""
        return self._error_at(place, MapError(f"map.file.{text}", **values))

    def add_concept(self, name: Any, row: Mapping[str, Any], place: Position) -> None:
        self._take_id(name, place)
        self.graph.add_node(name, **read_fields(Concept, row))
        self.places[name] = place

    def add_relation(
        self,
        start: Any,
        end: Any,
        key: Any,
        row: Mapping[str, Any],
        place: Position,
        id_place: Position | None = None,
    ) -> Any:
        """Add a relation and return its key.

        :param key: its id in the file, ``None`` if it has none.
        :param id_place: where that id stands, by default *place*.
        """
        for name in (start, end):
            if not isinstance(name, str | int) or name not in self.graph:
                raise self.error("no_node", place, got=shorten(name))
        if isinstance(key, str):
            self._take_id(key, id_place or place)
        fields = read_fields(Relation, row)
        fields.pop("start", None)
        fields.pop("end", None)
        key = self.graph.add_edge(start, end, key if isinstance(key, str) else None, **fields)
        self.places[start, end, key] = place
        return key

    def _take_id(self, name: Any, place: Position) -> None:
        if not isinstance(name, str | int):
            raise self.error("no_id", place)
        if name in self._ids:
            raise self.error("id_twice", place, got=shorten(name))
        self._ids.add(name)

    def mind_map(self) -> MindMap:
        """Return the map without how it grew."""
        try:
            return MindMap.of(self.graph)
        except MapError as error:
            raise self.locate(error) from None

    def replay(self) -> MindMap:
        """Return the map with how it grew.

        A change that another program made to the file is one more step of its log.
        """
        if self.log is None:
            return self.mind_map()
        try:
            (_, beginning), *log = _read_steps(self.log)
            things = {key: thing for key, thing in beginning.items() if thing is not None}
            mind_map = MindMap.replay(things, log)
        except (KeyError, TypeError, ValueError, AttributeError):
            raise self.error("log") from None
        try:
            mind_map.put(self.graph)
        except MapError as error:
            raise self.locate(error) from None
        return mind_map

    def locate(self, error: MapError) -> MapFileError:
        """Return *error* with its place in the file."""
        cell = self.cells.get(error.about, {}).get(error.part)
        return self._error_at(cell or self.places.get(error.about), error)

    def _error_at(self, place: Position | None, reason: MapError) -> MapFileError:
        if place is None:
            return MapFileError("map.file.whole", file=self.name, reason=reason)
        return MapFileError("map.file.at", file=self.name, place=place, reason=reason)


def _position(text_id: str, **values: Any) -> Position:
    return {language: text(f"map.file.{text_id}", language, **values) for language in LANGUAGES}


def _line(number: int) -> Position:
    return _position("line", line=number)


def _read_steps(data: Any) -> list[Step]:
    """Return the log in *data*, with what the map began with first.

    It raises any exception if *data* is no log.
    """
    if len(data) > KEPT_STEPS + 1:
        raise ValueError
    steps = []
    for row in data:  # anything may be wrong with it
        if not isinstance(row["when"], str):
            raise ValueError
        changes = {key: _read_thing(key, fields) for key, fields in row["things"].items()}
        steps.append(Step(row["when"], changes))
    return steps


def _read_thing(thing_id: str, row: Mapping[str, Any] | None) -> Thing | None:
    if row is None:
        return None
    if thing_id == HEAD:
        return Head(**read_fields(Head, row))
    if "label" in row:
        return Concept(**read_fields(Concept, row))
    return Relation(**{"phrase": "", **read_fields(Relation, row)})


# The forms


def _read_json(file: MapFile, words: str) -> None:
    try:
        data = json.loads(words)
    except json.JSONDecodeError as error:
        raise file.error("not_json", _line(error.lineno)) from None
    except (ValueError, RecursionError):
        raise file.error("not_json") from None
    if not isinstance(data, dict):
        raise file.error("no_graph")
    nodes = data.get("nodes")
    edges = data.get("edges")
    if edges is None:
        edges = data.get("links")  # their name before networkx 3.4
    if not isinstance(nodes, list) or not isinstance(edges, list):
        raise file.error("no_graph")
    if data.get("directed") is False:
        raise file.locate(MapError("map.undirected"))
    about = data.get("graph")
    if isinstance(about, dict):
        file.graph.graph.update(read_fields(Head, about))
        file.log = about.get(LOG)
    for row, place in _entries(file, "nodes", nodes):
        file.add_concept(row.get("id"), row, place)
    for row, place in _entries(file, "edges", edges):
        file.add_relation(row.get("source"), row.get("target"), row.get("key"), row, place)


def _entries(
    file: MapFile, part: str, rows: Sequence[Any]
) -> Iterator[tuple[dict[str, Any], Position]]:
    """Yield the entries of a part of a JSON file with their places."""
    for number, row in enumerate(rows, 1):
        place = _position("entry", part=part, number=number)
        if not isinstance(row, dict):
            raise file.error("no_entry", place)
        yield row, place


def _read_graphml(file: MapFile, words: str) -> None:
    if re.search("<!(?:DOCTYPE|ENTITY)", words, re.IGNORECASE):
        raise file.error("entities")  # they can read other files or grow without end
    try:
        root = ElementTree.fromstring(words)
    except ElementTree.ParseError as error:
        raise file.error("not_xml", _line(error.position[0])) from None
    names = {key.get("id"): key.get("attr.name", "") for key in _elements(root, "key")}
    graphs = list(_elements(root, "graph"))
    edges = list(_elements(root, "edge"))
    if not graphs:
        raise file.error("no_graph")
    directions = [graph.get("edgedefault") for graph in graphs]
    directions += [edge.get("directed") for edge in edges]
    if "undirected" in directions or "false" in directions:
        raise file.locate(MapError("map.undirected"))
    about = _attributes(graphs[0], names)
    file.graph.graph.update(read_fields(Head, about))
    try:
        file.log = json.loads(about.get(LOG, "null"))
    except (ValueError, RecursionError):
        raise file.error("log") from None
    for number, node in enumerate(_elements(root, "node"), 1):
        row = _attributes(node, names)
        if "label" not in row:
            label = _label_of(node, "NodeLabel")
            if label is not None:
                row["label"] = label
        place = _position("entry", part="<node>", number=number)
        file.add_concept(node.get("id"), row, place)
    for number, edge in enumerate(edges, 1):
        row = _attributes(edge, names)
        phrase = row.get("label") or row.get("Edge Label") or _label_of(edge, "EdgeLabel") or ""
        row.setdefault("phrase", phrase)
        place = _position("entry", part="<edge>", number=number)
        file.add_relation(edge.get("source"), edge.get("target"), edge.get("id"), row, place)


def _elements(element: ElementTree.Element, name: str) -> Iterator[ElementTree.Element]:
    """Return *element* and those inside it that have this *name*, in any namespace."""
    return (inner for inner in element.iter() if str(inner.tag).rpartition("}")[2] == name)


def _label_of(element: ElementTree.Element, name: str) -> str | None:
    """Return the words of the first element called *name*, as the program yEd writes them."""
    for label in _elements(element, name):
        return label.text or ""
    return None


def _attributes(element: ElementTree.Element, names: Mapping[str | None, str]) -> dict[str, str]:
    """Return the attributes of a graph, node or edge."""
    return {names.get(data.get("key"), ""): data.text or "" for data in element.iterfind("{*}data")}


def column_titles(language: str = "") -> dict[str, str]:
    """Return the title of each of :data:`COLUMNS`; without a language, the program's own."""
    return {name: text(f"map.column.{name}", language) if language else name for name in COLUMNS}


def row_names(language: str = "") -> dict[str, str]:
    """Return the name of each of :data:`ROWS`; without a language, the program's own."""
    return {name: text(f"map.row.{name}", language) if language else name for name in ROWS}


def _by_words(names: Callable[[str], Mapping[str, str]]) -> dict[str, str]:
    """Return the inverse of *names*, for all languages together."""
    inverse = {}
    for language in (*LANGUAGES, ""):
        for name, words in names(language).items():
            inverse[words.casefold()] = name
    return inverse


def _list_words(names: Callable[[str], Mapping[str, str]], some: Sequence[str]) -> Position:
    """Return *some* of *names* in every language."""
    lists = {}
    for language in LANGUAGES:
        words = names(language)
        lists[language] = join_words([words[name] for name in some], language)
    return lists


def _read_csv(file: MapFile, words: str) -> None:
    lines = list(_csv_lines(file, words))
    nodes: dict[str, Hashable] = {}  # by label

    def add_concept(
        label: str, name: Hashable, row: Mapping[str, str], line: int, cells: Mapping[str, Position]
    ) -> None:
        file.add_concept(name, {**row, "label": label}, _line(line))
        file.cells[name] = cells
        nodes.setdefault(_label_key(label), name)

    for number, row, cells in lines:
        if row["what"] in ("concept", "top"):
            name = row["id"] or number
            add_concept(row["start"], name, row, number, {**cells, "label": cells["start"]})
            if row["what"] == "top":
                file.graph.graph["top"] = name
        elif row["what"] == "question":
            file.graph.graph["focus"] = row["note"]
    for number, row, cells in lines:
        if row["what"] == "relation":
            # An end without a line of its own is a concept, called after this line.
            for side, name in (("start", number), ("end", -number)):
                if _label_key(row[side]) not in nodes:
                    add_concept(row[side], name, {}, number, {"label": cells[side]})
            start = nodes[_label_key(row["start"])]
            end = nodes[_label_key(row["end"])]
            key = row["id"] or None
            key = file.add_relation(start, end, key, row, _line(number), cells.get("id"))
            file.cells[start, end, key] = cells


def _label_key(label: str) -> str:
    return unicodedata.normalize("NFKC", clean(label))


def _csv_lines(
    file: MapFile, words: str
) -> Iterator[tuple[int, dict[str, str], Mapping[str, Position]]]:
    """Yield the lines that are not empty: number, cells, and where these stand.

    :raises MapFileError: if that is no table of propositions.
    """
    reader = csv.reader(io.StringIO(words, newline=""), strict=True)
    number = 1
    kinds = _by_words(row_names)
    try:
        titles = [title.strip() for title in next(reader, [])]
        header = _read_header(file, titles)
        number = reader.line_num + 1
        for line in reader:
            if any(line[len(header) :]):
                raise file.error("cells", _line(number), got=len(line), allowed=len(header))
            row = dict.fromkeys(COLUMNS, "")
            row.update((name, unquote_cell(cell)) for name, cell in zip(header, line))
            cells = {
                name: _position("cell", line=number, title=title)
                for name, title in zip(header, titles)
            }
            what = row["what"]
            if what:
                row["what"] = kinds.get(what.strip().casefold(), "")
            else:
                row["what"] = "relation" if row["phrase"] or row["end"] else "concept"
            if not row["what"]:
                allowed = _list_words(row_names, ROWS)
                raise file.error("what", cells["what"], got=shorten(what), allowed=allowed)
            if any(line):
                yield number, row, cells
            number = reader.line_num + 1
    except csv.Error:
        raise file.error("quotes", _line(number)) from None


def _read_header(file: MapFile, titles: Sequence[str]) -> list[str]:
    """Return the columns that have these *titles*.

    :raises MapFileError: if one is missing, unknown or there twice.
    """
    columns = _by_words(column_titles)
    header = [columns.get(title.casefold(), "") for title in titles]
    allowed = _list_words(column_titles, COLUMNS)
    missing = [name for name in NEEDED if name not in header]
    if missing:
        lost = _list_words(column_titles, missing)
        raise file.error("columns", _line(1), missing=lost, allowed=allowed)
    wrong = [title for title, name in zip(titles, header) if not name or header.count(name) > 1]
    if wrong:
        raise file.error("column", _line(1), got=shorten(wrong[-1]), allowed=allowed)
    return header


READERS: Mapping[str, Callable[[MapFile, str], None]] = {
    "graphml": _read_graphml,
    "json": _read_json,
    "csv": _read_csv,
}
