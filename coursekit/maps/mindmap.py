"""Mind maps: concepts, and relations between them that read as sentences."""

from collections.abc import Collection, Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from coursekit.maps.elements import (
    HEAD,
    SHORT,
    Changes,
    Concept,
    Head,
    MapError,
    Relation,
    Thing,
    apply_changes,
    clean,
    diff,
    id_number,
    id_order,
    read_fields,
    relation_sentence,
    to_fields,
)
from coursekit.words.texts import shorten

if TYPE_CHECKING:
    import networkx as nx


class MindMap:
    """A map that answers the question *focus*; two maps are equal if they show the same.

    Every edit is checked: what would leave no proper map raises :class:`MapError` and changes
    nothing.

    :param things: what it shows; see :meth:`apply`.
    """

    def __init__(self, focus: str = "", things: Changes | None = None) -> None:
        self._things: dict[str, Thing] = {HEAD: Head()}
        self._last = 0  # the highest number of an id so far
        if things:
            self.apply(things)
        if focus:
            self.ask(focus)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MindMap) and self._things == other._things

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        concepts = len(self.concepts)
        return f"<MindMap {self.focus!r}: {concepts} concepts, {len(self.relations)} relations>"

    def copy(self) -> "MindMap":
        """Return a map that shows the same."""
        copied = MindMap()
        copied._things = dict(self._things)
        copied._last = self._last
        return copied

    # What it shows

    @property
    def head(self) -> Head:
        head = self._things[HEAD]
        assert isinstance(head, Head)
        return head

    @property
    def focus(self) -> str:
        """The question that the map answers."""
        return self.head.focus

    @property
    def top(self) -> str:
        """Id of the top concept of the hierarchy, ``""`` in an empty map."""
        return self.head.top or next(iter(self.concepts), "")

    @property
    def things(self) -> dict[str, Thing]:
        """Everything by id; the head has the id ``""``."""
        return dict(self._things)

    @property
    def concepts(self) -> dict[str, Concept]:
        """All concepts by id, oldest first."""
        return {key: thing for key, thing in self._ordered() if isinstance(thing, Concept)}

    @property
    def relations(self) -> dict[str, Relation]:
        """All relations by id, oldest first."""
        return {key: thing for key, thing in self._ordered() if isinstance(thing, Relation)}

    def _ordered(self) -> list[tuple[str, Thing]]:
        return sorted(self._things.items(), key=lambda item: id_order(item[0]))

    def sentence(self, relation_id: str) -> str:
        """Return a relation as a sentence, ``破壞擋住使用`` or ``Vandalism blocks Use``."""
        relation = self._thing(relation_id, Relation)
        start = self._thing(relation.start, Concept)
        end = self._thing(relation.end, Concept)
        return relation_sentence(start.label, relation.phrase, end.label)

    @property
    def sentences(self) -> dict[str, str]:
        """The sentence of each relation, by its id."""
        return {relation_id: self.sentence(relation_id) for relation_id in self.relations}

    # Editing

    def apply(self, changes: Changes) -> None:
        """Change several things at once, all or none.

        :param changes: by id the new thing, ``None`` for one that is removed.
        """
        self._things = apply_changes(self._things, changes)
        self._note_ids(changes)

    def ask(self, focus: str, top: str | None = None) -> None:
        """Change the focus question, and with *top* the top concept of the hierarchy."""
        new_top = self.head.top if top is None else top
        self.apply({HEAD: Head(clean(focus, lines=True), new_top)})

    def add(self, label: str, **rest: Any) -> str:
        """Add a concept and return its id.

        :param rest: other fields of :class:`Concept`.
        :raises MapError: if there is one of that name, the label is empty or too long, or the map
            is full.
        """
        concept_id = self._new_id("c")
        self.apply({concept_id: Concept(label, **rest)})
        return concept_id

    def link(self, start: str, phrase: str, end: str, **rest: Any) -> str:
        """Add a relation between two concepts, given by id, and return its id.

        :param rest: other fields of :class:`Relation`.
        :raises MapError: if the map has it already, or it leads from a concept to itself.
        """
        relation_id = self._new_id("r")
        self.apply({relation_id: Relation(start, phrase, end, **rest)})
        return relation_id

    def change(self, thing_id: str, **fields: Any) -> None:
        """Change some fields of a concept or a relation."""
        thing = self._thing(thing_id, Concept, Relation)
        self.apply({thing_id: thing._replace(**fields)})

    def remove(self, *ids: str) -> None:
        """Remove concepts and relations, and with a concept all its relations."""
        for thing_id in ids:
            self._thing(thing_id, Concept, Relation)
        self.apply(dict.fromkeys(ids))

    def move(self, places: Mapping[str, tuple[int, int]]) -> None:
        """Put concepts at *places*."""
        self.apply(
            {
                concept_id: self._thing(concept_id, Concept)._replace(at=place)
                for concept_id, place in places.items()
            }
        )

    # As a networkx graph

    def graph(self) -> "nx.MultiDiGraph[str]":
        """Return the map as a new ``networkx.MultiDiGraph``.

        Nodes and edge keys are ids, attributes the fields that are not empty; the graph has
        ``focus`` and ``top``.
        """
        import networkx as nx

        graph: nx.MultiDiGraph[str] = nx.MultiDiGraph(**to_fields(self.head))
        for concept_id, concept in self.concepts.items():
            graph.add_node(concept_id, **to_fields(concept))
        for relation_id, relation in self.relations.items():
            fields = to_fields(relation)
            graph.add_edge(fields.pop("start"), fields.pop("end"), relation_id, **fields)
        return graph

    def put(self, graph: "nx.Graph[Any]") -> None:
        """Make the map show *graph*.

        The label of a node without ``label`` is its name; attributes that :meth:`graph` does not
        give are ignored.

        :raises MapError: if that is no proper map, or *graph* has no directions.
        """
        if not graph.is_directed():
            raise MapError("map.undirected")
        is_keyed = graph.is_multigraph()
        edges = list(graph.edges(keys=True, data=True) if is_keyed else graph.edges(data=True))
        self._note_ids([*graph.nodes, *(edge[2] for edge in edges if is_keyed)])
        head = Head(**read_fields(Head, graph.graph))
        things: dict[str, Thing] = {HEAD: head}
        ids: dict[Hashable, str] = {}
        parts: dict[str, Hashable] = {}  # what of the graph each thing comes from
        for node, row in graph.nodes(data=True):
            concept_id = self._usable_id(node, "c", things)
            things[concept_id] = Concept(**{"label": str(node), **read_fields(Concept, row)})
            ids[node] = concept_id
            parts[concept_id] = node
        if isinstance(head.top, Hashable) and head.top in ids:
            things[HEAD] = head._replace(top=ids[head.top])
        for start, end, *key, row in edges:
            relation_id = self._usable_id(key[0] if key else 0, "r", things)
            fields = {"phrase": "", **read_fields(Relation, row)}
            things[relation_id] = Relation(**fields | {"start": ids[start], "end": ids[end]})
            parts[relation_id] = (start, end, *key)
        try:
            self.apply(diff(self._things, things))
        except MapError as error:
            about = error.about
            error.about = parts.get(about, about) if isinstance(about, str) else None
            raise

    @classmethod
    def of(cls, graph: "nx.Graph[Any]") -> "MindMap":
        """Return a map that shows *graph*; see :meth:`put`."""
        mind_map = cls()
        mind_map.put(graph)
        return mind_map

    # Inside

    def _thing(self, thing_id: str, *kinds: Any) -> Any:
        """Return the thing with this id if it is one of these *kinds*.

        :raises MapError: otherwise.
        """
        thing = self._things.get(thing_id)
        if not isinstance(thing, kinds):
            raise MapError("map.unknown", got=shorten(thing_id))
        return thing

    def _note_ids(self, ids: Iterable[Hashable]) -> None:
        """Give numbers of *ids* to nothing new."""
        for name in ids:
            if isinstance(name, str):
                self._last = max(self._last, id_number(name))

    def _new_id(self, letter: str, taken: Collection[str] = ()) -> str:
        number = self._last + 1
        # A file may have higher numbers.
        while f"{letter}{number}" in self._things or f"{letter}{number}" in taken:
            number += 1
        return f"{letter}{number}"

    def _usable_id(self, name: Hashable, letter: str, taken: Collection[str]) -> str:
        """Return *name* if it can be an id, otherwise a new one."""
        if isinstance(name, str) and name == clean(name)[:SHORT] and name not in taken:
            return name
        new_id = self._new_id(letter, taken)
        self._last += 1
        return new_id
