"""Mind maps: concepts, and relations between them that read as sentences.

Every edit is a step of the map's log: it can be undone, and the growth of the map can be replayed.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from datetime import UTC, datetime
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from coursekit.maps.elements import (
    HEAD,
    SHORT,
    Changes,
    Concept,
    Head,
    MapError,
    Proper,
    Relation,
    Thing,
    changed,
    check,
    cleaned,
    fields,
    filled,
    grown,
    in_order,
    in_words,
    news,
    number,
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


def now() -> str:
    """Return the time as ISO 8601 in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


class MindMap:
    """A map that answers the question *focus*; two maps are equal if they show the same, however
    they grew.

    :param clock: returns the time of a step.
    """

    def __init__(self, focus: str = "", clock: Callable[[], str] = now) -> None:
        self.clock = clock
        self._begun: Mapping[str, Thing] = {HEAD: Head()}  # what there was before the log
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
        return f"<MindMap {self.focus!r}: {len(self.concepts)} concepts, {len(self.relations)} relations>"

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
        """All concepts by id, in the order of their ids: that of their making."""
        return {id: each for id, each in self._ordered() if isinstance(each, Concept)}

    @property
    def relations(self) -> dict[str, Relation]:
        """All relations by id, in the order of their ids: that of their making."""
        return {id: each for id, each in self._ordered() if isinstance(each, Relation)}

    def _ordered(self) -> list[tuple[str, Thing]]:
        return sorted(self._things.items(), key=lambda each: in_order(each[0]))

    def sentence(self, id: str) -> str:
        """Return the relation *id* as a sentence, ``破壞擋住使用`` or ``Vandalism blocks Use``."""
        each = self._known(id, Relation)
        start, end = self._known(each.start, Concept), self._known(each.end, Concept)
        return in_words(start.label, each.phrase, end.label)

    @property
    def sentences(self) -> dict[str, str]:
        """The sentence of each relation, by its id."""
        return {id: self.sentence(id) for id in self.relations}

    # Editing

    def ask(self, focus: str, top: str | None = None) -> None:
        """Change the focus question, and with *top* the top concept of the hierarchy."""
        self._do({HEAD: Head(cleaned(focus, lines=True), self.head.top if top is None else top)})

    def add(self, label: str, **rest: Any) -> str:
        """Add a concept and return its id.

        :param rest: other fields of :class:`Concept`.
        :raises MapError: if there is one of that name, the label is empty or too long, or the map
            is full.
        """
        id = self._new_id("c")
        self._do({id: Concept(label, **rest)})
        return id

    def link(self, start: str, phrase: str, end: str, **rest: Any) -> str:
        """Add a relation between two concepts, given by id, and return its id.

        :param rest: other fields of :class:`Relation`.
        :raises MapError: if the map has it already, or it leads from a concept to itself.
        """
        id = self._new_id("r")
        self._do({id: Relation(start, phrase, end, **rest)})
        return id

    def change(self, id: str, **rest: Any) -> None:
        """Change some fields of a concept or a relation."""
        self._do({id: self._known(id, Concept, Relation)._replace(**rest)})

    def remove(self, *ids: str) -> None:
        """Remove concepts and relations, and with a concept all its relations."""
        gone = {id for id in ids if self._known(id, Concept, Relation)}
        loose = {id for id, each in self.relations.items() if gone & {each.start, each.end}}
        head = {HEAD: self.head._replace(top="")} if self.head.top in gone else {}
        self._do({**dict.fromkeys(gone | loose), **head})

    def move(self, places: Mapping[str, tuple[int, int]]) -> None:
        """Put concepts at *places*, all in one step."""
        self._do({id: self._known(id, Concept)._replace(at=at) for id, at in places.items()})

    def undo(self) -> bool:
        """Undo the last step; ``False`` if there is none."""
        if self._log:
            self._undone.append(self._log.pop())
            self._things = grown(self._begun, [step.changes for step in self._log])
            return True
        return False

    def redo(self) -> bool:
        """Redo the step that was undone last; ``False`` if there is none."""
        if self._undone:
            self._log.append(self._undone.pop())
            self._things = grown(self._things, [self._log[-1].changes])
            return True
        return False

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
    def begun(self) -> Mapping[str, Thing]:
        """The things before the first step of the log."""
        return self._begun

    def after(self, steps: int) -> "MindMap":
        """Return the map as it was after the first *steps* of its log."""
        earlier = MindMap(clock=self.clock)
        earlier._begun, earlier._log, earlier._last = self._begun, self._log[:steps], self._last
        now = steps >= len(self._log)
        earlier._things = (
            self.things if now else grown(self._begun, [step.changes for step in earlier._log])
        )
        return earlier

    @classmethod
    def replayed(
        cls, begun: Changes, log: Iterable[Step], clock: Callable[[], str] = now
    ) -> "MindMap":
        """Return the map that began as *begun* and grew by *log*; each step is checked.

        :raises MapError: if a step leaves no proper map.
        """
        fresh, now = cls(clock=clock), Proper()
        now.grow({HEAD: Head()})
        now.grow(news(now.things, begun))
        fresh._begun = dict(now.things)
        for when, changes in log:
            if new := news(now.things, changes):
                now.grow(new)
                fresh._log.append(Step(when, new))
        fresh._things = now.things
        fresh._last = max(map(number, chain(fresh._begun, *(step.changes for step in fresh._log))))
        return fresh

    # As a networkx graph

    def graph(self) -> "nx.MultiDiGraph[str]":
        """Return the map as a new ``networkx.MultiDiGraph``.

        Nodes and edge keys are ids, attributes the fields that are not empty; the graph has
        ``focus`` and ``top``.
        """
        import networkx as nx

        graph: nx.MultiDiGraph[str] = nx.MultiDiGraph(**filled(self.head))
        graph.add_nodes_from((id, filled(each)) for id, each in self.concepts.items())
        for id, each in self.relations.items():
            rest = {
                field: value
                for field, value in filled(each).items()
                if field not in ("start", "end")
            }
            graph.add_edge(each.start, each.end, id, **rest)
        return graph

    def put(self, graph: "nx.Graph[Any]") -> None:
        """Make the map show *graph*, in one step that adds what is new and removes what is missing
        there.

        The label of a node without ``label`` is its name; attributes that :meth:`graph` does not
        give are ignored.

        :raises MapError: if that is no proper map, or *graph* has no directions.
        """
        if not graph.is_directed():
            raise MapError("map.undirected")
        keyed = graph.is_multigraph()
        edges = list(graph.edges(keys=True, data=True) if keyed else graph.edges(data=True))
        names = [*graph.nodes, *(each[2] for each in edges if keyed)]
        self._last = max([self._last, *(number(name) for name in names if isinstance(name, str))])
        ids: dict[Hashable, str] = {}
        head = Head(**fields(Head, graph.graph))
        things: dict[str, Thing] = {HEAD: head}
        for node, row in graph.nodes(data=True):
            ids[node] = self._kept_id(node, "c", things)
            things[ids[node]] = Concept(**{"label": str(node), **fields(Concept, row)})
        if isinstance(head.top, Hashable) and head.top in ids:
            things[HEAD] = head._replace(top=ids[head.top])
        given: dict[str, Hashable] = {id: node for node, id in ids.items()}
        for start, end, *key, row in edges:
            id = self._kept_id(key[0] if key else 0, "r", things)
            rest = {"phrase": "", **fields(Relation, row)} | {"start": ids[start], "end": ids[end]}
            things[id], given[id] = Relation(**rest), (start, end, *key)
        try:
            self._become(things)
        except MapError as error:
            error.about = (
                given.get(error.about, error.about) if isinstance(error.about, str) else None
            )
            raise

    def show(self, other: "MindMap") -> None:
        """Become like *other*, in one step.

        This makes several edits one step, or none if one of them is refused::

            draft = map.after(len(map.log))
            ...  # edits of the draft
            map.show(draft)
        """
        self._last = max(self._last, other._last)
        self._become(other.things)

    @classmethod
    def of(cls, graph: "nx.Graph[Any]", clock: Callable[[], str] = now) -> "MindMap":
        """Return a map whose log begins with *graph*; see :meth:`put`."""
        fresh = cls(clock=clock)
        fresh.put(graph)
        fresh._begin()
        return fresh

    # Inside

    def _become(self, things: Mapping[str, Thing]) -> None:
        self._do(changed(self._things, things))

    def _do(self, changes: Changes) -> None:
        """Make one step if it changes anything, and check that it leaves a proper map."""
        new = news(self._things, changes)
        if not new:
            return
        things = grown(self._things, [new])
        check(things)
        self._things = things
        self._last = max([self._last, *map(number, new)])
        self._log.append(Step(self.clock(), new))
        self._undone.clear()
        if len(self._log) > KEPT_STEPS:
            self._begun, self._log = grown(self._begun, [self._log[0].changes]), self._log[1:]

    def _begin(self) -> None:
        """Begin the log with what the map shows now, which cannot be undone."""
        self._begun, self._log = dict(self._things), []

    def _known(self, id: str, *kinds: Any) -> Any:
        thing = self._things.get(id)
        if not isinstance(thing, kinds):
            raise MapError("map.unknown", got=shorten(id))
        return thing

    def _new_id(self, letter: str, taken: Collection[str] = ()) -> str:
        new = self._last + 1
        while (
            id := f"{letter}{new}"
        ) in self._things or id in taken:  # a file may have higher numbers
            new += 1
        return id

    def _kept_id(self, name: Hashable, letter: str, taken: Collection[str]) -> str:
        """Return *name* if it can be an id, otherwise a new one."""
        if (
            isinstance(name, str)
            and name not in taken
            and name == cleaned(name)
            and len(name) <= SHORT
        ):
            return name
        id = self._new_id(letter, taken)
        self._last += 1
        return id
