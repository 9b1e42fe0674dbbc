"""Reading mind maps from files; :mod:`.file_writer` writes them."""

import csv
import io
import json
import re
import unicodedata
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from coursekit.core.errors import FileError
from coursekit.files.csvfile import unquote_cell
from coursekit.maps.elements import HEAD, Concept, Head, MapError, Relation, Thing, cleaned, fields
from coursekit.maps.mindmap import KEPT_STEPS, MindMap, Step
from coursekit.words.texts import LANGUAGES, join_words, shorten, text

LARGEST_FILE = 5_000_000
"""Bytes of a file."""
LOG = "log"
"""Attribute of a graph in a file: how the map grew, its steps."""
COLUMNS = ("what", "start", "phrase", "end", "kind", "note", "card", "source", "at", "id")
"""Columns of the CSV; :func:`columns` gives their titles in any language."""
ROWS = ("question", "concept", "top", "relation")
"""What a line of the CSV is: a question (in *note*), a concept or the top concept (in *start*), or
a relation. Where *what* is empty, a *phrase* or an *end* makes it a relation, otherwise it is a
concept.
"""
NEEDED = ("start", "phrase", "end")

Position = Mapping[str, str]
"""Words for where something stands in a file, in every language."""


class MapFileError(FileError):
    """A file is no mind map, or a damaged one; the error says where."""

    def __init__(self, text: str, **values: object) -> None:
        super().__init__("", text, **values)


def load(path: str | Path) -> MindMap:
    """Read a map from a file.

    :raises MapFileError: if it cannot be read or is no proper map; the error says where.
    """
    path = Path(path)
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except OSError:
        raise MapFileError("map.file.unreadable", file=path.name) from None
    return read(content, path.name)


def read(content: bytes, name: str, largest: int | None = None, *, log: bool = True) -> MindMap:
    """Return the map in the *content* of a file; the ending of its *name* tells the form.

    :param largest: bytes of a file at most, by default :data:`LARGEST_FILE`.
    :param log: whether to read how it grew.
    :raises MapFileError: if it is no proper map; the error says where.
    """
    form = name.rpartition(".")[2].lower()
    if form not in READERS:
        raise MapFileError(
            "map.file.form", file=name, allowed=", ".join(f".{each}" for each in READERS)
        )
    if len(content) > (largest := largest or LARGEST_FILE):
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
    """What the file *name* holds, as far as it is read: a graph, and where its parts stand."""

    def __init__(self, name: str) -> None:
        import networkx as nx

        self.name = name
        self.graph: nx.MultiDiGraph[Hashable] = nx.MultiDiGraph()
        self.log: Any = None
        self.places: dict[Any, Position] = {}
        self.cells: dict[
            Any, Mapping[str, Position]
        ] = {}  # of a CSV: where each field of a part stands
        self.ids: set[Any] = set()

    def refuse(self, id: str, place: Position | None = None, **values: Any) -> MapFileError:
        """Return the error that says what is wrong at *place*."""
        return self._at(place, MapError(f"map.file.{id}", **values))

    def node(self, name: Any, row: Mapping[str, Any], place: Position) -> None:
        """Add a concept."""
        self._take(name, place)
        self.graph.add_node(name, **fields(Concept, row))
        self.places[name] = place

    def edge(
        self,
        start: Any,
        end: Any,
        key: Any,
        row: Mapping[str, Any],
        place: Position,
        id: Position | None = None,
    ) -> Any:
        """Add a relation and return its key.

        :param key: its id in the file, ``None`` if it has none.
        :param id: where that id stands, by default *place*.
        """
        for name in (start, end):
            if not isinstance(name, str | int) or name not in self.graph:
                raise self.refuse("no_node", place, got=shorten(name))
        if isinstance(key, str):
            self._take(key, id or place)
        rest = {
            field: value
            for field, value in fields(Relation, row).items()
            if field not in ("start", "end")
        }
        key = self.graph.add_edge(start, end, key if isinstance(key, str) else None, **rest)
        self.places[start, end, key] = place
        return key

    def _take(self, id: Any, place: Position) -> None:
        if not isinstance(id, str | int):
            raise self.refuse("no_id", place)
        if id in self.ids:
            raise self.refuse("id_twice", place, got=shorten(id))
        self.ids.add(id)

    def last(self) -> MindMap:
        """Return the map without how it grew."""
        try:
            return MindMap.of(self.graph)
        except MapError as error:
            raise self.wrong(error) from None

    def map(self) -> MindMap:
        """Return the map; a change that another program made to the file is one more step of its
        log.
        """
        if self.log is None:
            return self.last()
        try:
            begun, *log = _steps(self.log)
            grown = MindMap.replayed(
                {id: each for id, each in begun.changes.items() if each is not None}, log
            )
        except (KeyError, TypeError, ValueError, AttributeError):
            raise self.refuse("log") from None
        try:
            grown.put(self.graph)
        except MapError as error:
            raise self.wrong(error) from None
        return grown

    def wrong(self, error: MapError) -> MapFileError:
        """Return *error* with its place in the file."""
        return self._at(
            self.cells.get(error.about, {}).get(error.part) or self.places.get(error.about), error
        )

    def _at(self, place: Position | None, reason: MapError) -> MapFileError:
        if place is None:
            return MapFileError("map.file.whole", file=self.name, reason=reason)
        return MapFileError("map.file.at", file=self.name, place=place, reason=reason)


def _position(id: str, **values: Any) -> Position:
    return {language: text(f"map.file.{id}", language, **values) for language in LANGUAGES}


def _line(number: int) -> Position:
    return _position("line", line=number)


def _steps(data: Any) -> list[Step]:
    """Return the log in *data*, with what the map began with first; any exception if *data* is no
    log.
    """
    if len(data) > KEPT_STEPS + 1 or not all(isinstance(step["when"], str) for step in data):
        raise ValueError
    return [
        Step(step["when"], {id: _thing(id, row) for id, row in step["things"].items()})
        for step in data
    ]


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
    parts = (
        [data.get(name) for name in ("nodes", "edges", "graph")] if isinstance(data, dict) else []
    )
    if isinstance(data, dict) and parts[1] is None:
        parts[1] = data.get("links")  # their name before networkx 3.4
    if not parts or not isinstance(parts[0], list) or not isinstance(parts[1], list):
        raise found.refuse("no_graph")
    if data.get("directed") is False:
        raise found.wrong(MapError("map.undirected"))
    about = parts[2] if isinstance(parts[2], dict) else {}
    found.graph.graph.update(fields(Head, about))
    found.log = about.get(LOG)
    for part, rows in (("nodes", parts[0]), ("edges", parts[1])):
        for number, row in enumerate(rows, 1):
            place = _position("entry", part=part, number=number)
            if not isinstance(row, dict):
                raise found.refuse("no_entry", place)
            if part == "nodes":
                found.node(row.get("id"), row, place)
            else:
                found.edge(row.get("source"), row.get("target"), row.get("key"), row, place)


def _read_graphml(found: Found, words: str) -> None:
    if re.search("<!(?:DOCTYPE|ENTITY)", words, re.IGNORECASE):
        raise found.refuse("entities")  # they can read other files or grow without end
    try:
        root = ElementTree.fromstring(words)
    except ElementTree.ParseError as error:
        raise found.refuse("not_xml", _line(error.position[0])) from None
    names = {key.get("id"): key.get("attr.name", "") for key in _named(root, "key")}
    graph = next(_named(root, "graph"), None)
    if graph is None:
        raise found.refuse("no_graph")
    edges = list(_named(root, "edge"))
    directions = [each.get("edgedefault") for each in _named(root, "graph")] + [
        each.get("directed") for each in edges
    ]
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
        found.node(node.get("id"), row, _position("entry", part="<node>", number=number))
    for number, edge in enumerate(edges, 1):
        row = _data(edge, names)
        shown = next(_named(edge, "EdgeLabel"), None)
        other = (
            row.get("label") or row.get("Edge Label") or (shown.text if shown is not None else "")
        )
        row.setdefault("phrase", other or "")
        place = _position("entry", part="<edge>", number=number)
        found.edge(edge.get("source"), edge.get("target"), edge.get("id"), row, place)


def _named(element: ElementTree.Element, name: str) -> Iterator[ElementTree.Element]:
    """Return *element* and those inside it that have this *name*, in any namespace."""
    return (each for each in element.iter() if str(each.tag).rpartition("}")[2] == name)


def _data(element: ElementTree.Element, names: Mapping[str | None, str]) -> dict[str, str]:
    """Return the attributes of a graph, node or edge."""
    return {names.get(each.get("key"), ""): each.text or "" for each in element.iterfind("{*}data")}


def columns(language: str = "") -> dict[str, str]:
    """Return the title of each of :data:`COLUMNS` in *language*; ``""`` gives the program's own."""
    return {name: text(f"map.column.{name}", language) if language else name for name in COLUMNS}


def rows(language: str = "") -> dict[str, str]:
    """Return the name of each of :data:`ROWS` in *language*; ``""`` gives the program's own."""
    return {name: text(f"map.row.{name}", language) if language else name for name in ROWS}


def _called(names: Callable[[str], Mapping[str, str]]) -> dict[str, str]:
    """Return the inverse of *names*, for all languages together."""
    return {
        words.casefold(): name
        for language in (*LANGUAGES, "")
        for name, words in names(language).items()
    }


def _allowed(names: Callable[[str], Mapping[str, str]], some: Sequence[str]) -> Position:
    """Return *some* of *names* in every language."""
    return {
        language: join_words([names(language)[each] for each in some], language)
        for language in LANGUAGES
    }


def _read_csv(found: Found, words: str) -> None:
    lines = list(_lines(found, words))
    nodes: dict[str, Hashable] = {}  # by label

    def node(
        label: str, name: Hashable, row: Mapping[str, str], line: int, cells: Mapping[str, Position]
    ) -> None:
        found.node(name, {**row, "label": label}, _line(line))
        found.cells[name] = cells
        nodes.setdefault(_same(label), name)

    for number, row, cells in lines:
        if row["what"] in ("concept", "top"):
            name = row["id"] or number
            node(row["start"], name, row, number, {**cells, "label": cells["start"]})
            if row["what"] == "top":
                found.graph.graph["top"] = name
        elif row["what"] == "question":
            found.graph.graph["focus"] = row["note"]
    for number, row, cells in lines:
        if row["what"] == "relation":
            for side, name in (("start", number), ("end", -number)):
                if _same(row[side]) not in nodes:
                    node(row[side], name, {}, number, {"label": cells[side]})
            start, end = nodes[_same(row["start"])], nodes[_same(row["end"])]
            key = found.edge(start, end, row["id"] or None, row, _line(number), cells.get("id"))
            found.cells[start, end, key] = cells


def _same(label: str) -> str:
    return unicodedata.normalize("NFKC", cleaned(label))


def _lines(
    found: Found, words: str
) -> Iterator[tuple[int, dict[str, str], Mapping[str, Position]]]:
    """Yield the lines that are not empty: number, cells, and where these stand.

    :raises MapFileError: if that is no table of propositions.
    """
    reader = csv.reader(io.StringIO(words, newline=""), strict=True)
    number, known, said = 1, _called(columns), _called(rows)
    try:
        titles = [title.strip() for title in next(reader, [])]
        header = [known.get(title.casefold(), "") for title in titles]
        if missing := [name for name in NEEDED if name not in header]:
            lost, allowed = _allowed(columns, missing), _allowed(columns, COLUMNS)
            raise found.refuse("columns", _line(1), missing=lost, allowed=allowed)
        if wrong := [
            title for title, name in zip(titles, header) if not name or header.count(name) > 1
        ]:
            raise found.refuse(
                "column", _line(1), got=shorten(wrong[-1]), allowed=_allowed(columns, COLUMNS)
            )
        number = reader.line_num + 1
        for line in reader:
            if any(line[len(header) :]):
                raise found.refuse("cells", _line(number), got=len(line), allowed=len(header))
            row = dict.fromkeys(COLUMNS, "") | {
                name: unquote_cell(cell) for name, cell in zip(header, line)
            }
            cells = {
                name: _position("cell", line=number, title=title)
                for name, title in zip(header, titles)
            }
            what = said.get(row["what"].strip().casefold(), "" if row["what"] else "concept")
            if not what:
                raise found.refuse(
                    "what", cells["what"], got=shorten(row["what"]), allowed=_allowed(rows, ROWS)
                )
            row["what"] = "relation" if not row["what"] and (row["phrase"] or row["end"]) else what
            if any(line):
                yield number, row, cells
            number = reader.line_num + 1
    except csv.Error:
        raise found.refuse("quotes", _line(number)) from None


READERS: Mapping[str, Callable[[Found, str], None]] = {
    "graphml": _read_graphml,
    "json": _read_json,
    "csv": _read_csv,
}
