"""Mind maps: concepts, and relations between them that read as sentences.

Every edit is a step of the map's log: it can be undone, and the growth of the map can be replayed.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from coursekit.maps.elements import (
    HEAD,
    SHORT,
    Changes,
    Concept,
    Head,
    MapChecker,
    MapError,
    Relation,
    Thing,
    apply_changes,
    check,
    clean,
    diff,
    effective_changes,
    id_number,
    id_order,
    read_fields,
    relation_sentence,
    to_fields,
)
from coursekit.words.texts import shorten

if TYPE_CHECKING:
    import networkx as nx

KEPT_STEPS = 5000
"""Steps that the log keeps; older ones cannot be undone."""


class Step(NamedTuple):
    """One edit."""

    when: str  # in UTC, ISO 8601
    changes: Changes


def utc_now() -> str:
    """Return the time as ISO 8601 in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


class MindMap:
    """A map that answers the question *focus*.

    Two maps are equal if they show the same, however they grew.

    :param clock: returns the time of a step.
    """

    def __init__(self, focus: str = "", clock: Callable[[], str] = utc_now) -> None:
        self.clock = clock
        self._beginning: Mapping[str, Thing] = {HEAD: Head()}  # what there was before the log
        self._log: list[Step] = []
        self._undone: list[Step] = []
        self._things: dict[str, Thing] = {HEAD: Head()}
        self._last = 0  # the highest number of an id so far
        if focus:
            self.ask(focus)
            self._begin()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MindMap) and self._things == other._things

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        concepts = len(self.concepts)
        return f"<MindMap {self.focus!r}: {concepts} concepts, {len(self.relations)} relations>"

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

    def ask(self, focus: str, top: str | None = None) -> None:
        """Change the focus question, and with *top* the top concept of the hierarchy."""
        new_top = self.head.top if top is None else top
        self._make_step({HEAD: Head(clean(focus, lines=True), new_top)})

    def add(self, label: str, **rest: Any) -> str:
        """Add a concept and return its id.

        :param rest: other fields of :class:`Concept`.
        :raises MapError: if there is one of that name, the label is empty or too long, or the map
            is full.
        """
        concept_id = self._new_id("c")
        self._make_step({concept_id: Concept(label, **rest)})
        return concept_id

    def link(self, start: str, phrase: str, end: str, **rest: Any) -> str:
        """Add a relation between two concepts, given by id, and return its id.

        :param rest: other fields of :class:`Relation`.
        :raises MapError: if the map has it already, or it leads from a concept to itself.
        """
        relation_id = self._new_id("r")
        self._make_step({relation_id: Relation(start, phrase, end, **rest)})
        return relation_id

    def change(self, thing_id: str, **fields: Any) -> None:
        """Change some fields of a concept or a relation."""
        thing = self._thing(thing_id, Concept, Relation)
        self._make_step({thing_id: thing._replace(**fields)})

    def remove(self, *ids: str) -> None:
        """Remove concepts and relations, and with a concept all its relations."""
        changes: dict[str, Thing | None] = {}
        for thing_id in ids:
            self._thing(thing_id, Concept, Relation)
            changes[thing_id] = None
        for relation_id, relation in self.relations.items():
            if relation.start in ids or relation.end in ids:
                changes[relation_id] = None
        if self.head.top in ids:
            changes[HEAD] = self.head._replace(top="")
        self._make_step(changes)

    def move(self, places: Mapping[str, tuple[int, int]]) -> None:
        """Put concepts at *places*, all in one step."""
        self._make_step(
            {
                concept_id: self._thing(concept_id, Concept)._replace(at=place)
                for concept_id, place in places.items()
            }
        )

    def undo(self) -> bool:
        """Undo the last step; ``False`` if there is none."""
        if not self._log:
            return False
        self._undone.append(self._log.pop())
        self._things = apply_changes(self._beginning, [step.changes for step in self._log])
        return True

    def redo(self) -> bool:
        """Redo the step that was undone last; ``False`` if there is none."""
        if not self._undone:
            return False
        step = self._undone.pop()
        self._log.append(step)
        self._things = apply_changes(self._things, [step.changes])
        return True

    @property
    def can_redo(self) -> bool:
        """Whether an undone step can be redone."""
        return bool(self._undone)

    # How it grew

    @property
    def log(self) -> tuple[Step, ...]:
        """The steps so far, without those undone."""
        return tuple(self._log)

    @property
    def beginning(self) -> Mapping[str, Thing]:
        """The things before the first step of the log."""
        return self._beginning

    def after(self, steps: int) -> "MindMap":
        """Return the map as it was after the first *steps* of its log."""
        earlier = MindMap(clock=self.clock)
        earlier._beginning = self._beginning
        earlier._log = self._log[:steps]
        earlier._last = self._last
        if steps >= len(self._log):
            earlier._things = self.things
        else:
            log = [step.changes for step in earlier._log]
            earlier._things = apply_changes(self._beginning, log)
        return earlier

    @classmethod
    def replay(
        cls, beginning: Changes, log: Iterable[Step], clock: Callable[[], str] = utc_now
    ) -> "MindMap":
        """Return the map with this *beginning* that grew by *log*; each step is checked.

        :raises MapError: if a step leaves no proper map.
        """
        checker = MapChecker()
        checker.add_step({HEAD: Head()})
        checker.add_step(effective_changes(checker.things, beginning))
        mind_map = cls(clock=clock)
        mind_map._beginning = dict(checker.things)
        ids = list(mind_map._beginning)
        for when, changes in log:
            new = effective_changes(checker.things, changes)
            if new:
                checker.add_step(new)
                mind_map._log.append(Step(when, new))
                ids += new
        mind_map._things = checker.things
        mind_map._note_ids(ids)
        return mind_map

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
        """Make the map show *graph*: one step adds what is new and removes what is missing there.

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
            self._become(things)
        except MapError as error:
            about = error.about
            error.about = parts.get(about, about) if isinstance(about, str) else None
            raise

    def show(self, other: "MindMap") -> None:
        """Become like *other*, in one step.

        This makes several edits one step, or none if one of them is refused::

            draft = mind_map.after(len(mind_map.log))
            ...  # edits of the draft
            mind_map.show(draft)
        """
        self._last = max(self._last, other._last)
        self._become(other.things)

    @classmethod
    def of(cls, graph: "nx.Graph[Any]", clock: Callable[[], str] = utc_now) -> "MindMap":
        """Return a map whose log begins with *graph*; see :meth:`put`."""
        mind_map = cls(clock=clock)
        mind_map.put(graph)
        mind_map._begin()
        return mind_map

    # Inside

    def _become(self, things: Mapping[str, Thing]) -> None:
        self._make_step(diff(self._things, things))

    def _make_step(self, changes: Changes) -> None:
        """Make one step if it changes anything, and check that it leaves a proper map."""
        new = effective_changes(self._things, changes)
        if not new:
            return
        things = apply_changes(self._things, [new])
        check(things)
        self._things = things
        self._note_ids(new)
        self._log.append(Step(self.clock(), new))
        self._undone.clear()
        if len(self._log) > KEPT_STEPS:
            first = self._log.pop(0)
            self._beginning = apply_changes(self._beginning, [first.changes])

    def _begin(self) -> None:
        """Begin the log with what the map shows now, which cannot be undone."""
        self._beginning = dict(self._things)
        self._log = []

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
