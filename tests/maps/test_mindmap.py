"""The model of mind maps: edits, undo, replay, what is refused, and the networkx graph."""

import json
import pickle
from itertools import count
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mindmaps import EDITS, MAPS, checked, grow_map, sample, still

from coursekit.maps import mindmap
from coursekit.maps.elements import (
    CONCEPTS,
    LONG,
    RELATIONS,
    SHORT,
    SIDE,
    MapError,
    Relation,
    clean,
    join_parts,
)
from coursekit.maps.mindmap import MindMap
from coursekit.words.texts import LANGUAGES


def test_a_relation_reads_as_a_sentence() -> None:
    mind_map = MindMap()
    vandal, use, wiki = mind_map.add("破壞"), mind_map.add("使用"), mind_map.add("Wikipedia")
    assert mind_map.sentence(mind_map.link(vandal, "擋住", use)) == "破壞擋住使用"
    assert mind_map.sentence(mind_map.link(vandal, "弄壞", wiki)) == "破壞弄壞 Wikipedia"
    assert mind_map.sentence(mind_map.link(use, "", wiki)) == "使用 – Wikipedia"


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        (["Wiki", "is", "free"], "Wiki is free"),
        (["《笠》", "創刊的那一年：", "1964"], "《笠》創刊的那一年：1964"),
        (["柏楊", "wrote", "書"], "柏楊 wrote 書"),
        (["one"], "one"),
        ([], ""),
    ],
)
def test_a_space_stands_where_latin_letters_touch_something(parts: list[str], words: str) -> None:
    assert join_parts(parts) == words


def test_with_a_concept_its_relations_go_and_come_back() -> None:
    mind_map = sample()
    mind_map.ask(mind_map.focus, top="c3")
    before = sample().concepts, sample().relations
    mind_map.remove("c3")
    assert "c3" not in mind_map.concepts
    assert {"r9", "r11", "r13"}.isdisjoint(mind_map.relations)
    assert len(mind_map.relations) == 5
    assert mind_map.top == "c1"
    assert mind_map.undo()
    assert (mind_map.concepts, mind_map.relations) == before
    assert mind_map.top == "c3"


def test_ids_are_never_used_again() -> None:
    mind_map = MindMap()
    first = mind_map.add("one")
    mind_map.remove(first)
    second = mind_map.add("two")
    assert (first, second) == ("c1", "c2")


def test_a_new_edit_ends_what_can_be_made_again() -> None:
    mind_map = MindMap()
    mind_map.add("one")
    mind_map.undo()
    mind_map.add("two")
    assert not mind_map.redo()
    assert [concept.label for concept in mind_map.concepts.values()] == ["two"]


def test_an_edit_that_changes_nothing_is_no_step() -> None:
    mind_map = sample()
    steps = len(mind_map.log)
    mind_map.change("c1", label=" knowledge ")
    mind_map.ask("Whom can we trust?")
    mind_map.move({})
    assert len(mind_map.log) == steps


def test_steps_tell_when() -> None:
    seconds = count(1)
    mind_map = MindMap(clock=lambda: f"at {next(seconds)}")
    mind_map.add("one")
    mind_map.add("two")
    assert [step.when for step in mind_map.log] == ["at 1", "at 2"]
    assert [len(mind_map.after(steps).concepts) for steps in range(3)] == [0, 1, 2]


def test_only_so_many_steps_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mindmap, "KEPT_STEPS", 3)
    mind_map = MindMap()
    for label in "abcde":
        mind_map.add(label)
    assert len(mind_map.log) == 3
    assert len(mind_map.after(0).concepts) == 2
    while mind_map.undo():
        pass
    assert [concept.label for concept in mind_map.concepts.values()] == ["a", "b"]


# Whatever is done to a map


@checked
@given(EDITS)
def test_undoing_everything_and_making_it_again_changes_nothing(edits: list[Any]) -> None:
    mind_map = grow_map(edits)
    while mind_map.redo():
        pass
    seen = [(mind_map.concepts, mind_map.relations, mind_map.head)]
    while mind_map.undo():
        seen.append((mind_map.concepts, mind_map.relations, mind_map.head))
    assert seen[-1] == ({}, {}, MindMap("?").head)
    for earlier in reversed(seen[:-1]):
        assert mind_map.redo()
        assert (mind_map.concepts, mind_map.relations, mind_map.head) == earlier
    assert not mind_map.redo()


@checked
@given(EDITS)
def test_a_replay_shows_the_same_map_at_every_step(edits: list[Any]) -> None:
    mind_map = grow_map(edits)
    replayed = MindMap.replay(mind_map.beginning, mind_map.log)
    assert replayed == mind_map == mind_map.after(len(mind_map.log))
    assert replayed.log == mind_map.log
    for steps in range(len(mind_map.log)):
        assert replayed.after(steps) == mind_map.after(steps)


@checked
@given(MAPS)
def test_a_graph_put_back_changes_nothing(mind_map: MindMap) -> None:
    before, steps = mind_map.after(len(mind_map.log)), len(mind_map.log)
    mind_map.put(mind_map.graph())
    assert mind_map == before
    assert len(mind_map.log) == steps
    assert MindMap.of(mind_map.graph()) == mind_map


@checked
@given(MAPS, MAPS)
def test_any_map_can_be_put_in_the_place_of_another_in_one_step(
    mind_map: MindMap, other: MindMap
) -> None:
    before, steps = mind_map.after(len(mind_map.log)), len(mind_map.log)
    mind_map.put(other.graph())
    assert mind_map == other
    assert len(mind_map.log) == steps + (before != other)
    if before != other:
        mind_map.undo()
        assert mind_map == before


@checked
@given(st.text())
def test_cleaning_twice_is_cleaning_once(words: str) -> None:
    for lines in (False, True):
        once = clean(words, lines)
        assert clean(once, lines) == once
        once.encode()


# What is refused


def full(labels: int) -> MindMap:
    graph = nx.MultiDiGraph()
    graph.add_nodes_from(range(labels))
    return MindMap.of(graph)


REFUSED: dict[str, Any] = {
    "needs a name": lambda mind_map: mind_map.add("  "),
    "“wiki” already": lambda mind_map: mind_map.add(" wiki "),
    "“ｗｉｋｉ” already": lambda mind_map: mind_map.add("ｗｉｋｉ"),
    "name of a concept has 81": lambda mind_map: mind_map.add("x" * (SHORT + 1)),
    "linking phrase has 81": lambda mind_map: mind_map.link("c1", "x" * (SHORT + 1), "c2"),
    "note has 2001": lambda mind_map: mind_map.change("c1", note="x" * (LONG + 1)),
    "focus question has 2001": lambda mind_map: mind_map.ask("x" * (LONG + 1)),
    "cannot be linked with itself": lambda mind_map: mind_map.link("c1", "is", "c1"),
    "by “has” already": lambda mind_map: mind_map.link("c1", " has", "c2"),
    "no 'c99'": lambda mind_map: mind_map.link("c1", "is", "c99"),
    "no 'r8'": lambda mind_map: mind_map.link("r8", "is", "c1"),
    "no 'r99'": lambda mind_map: mind_map.change("r99", phrase="x"),
    "no 'x'": lambda mind_map: mind_map.remove("c1", "x"),
    "no ''": lambda mind_map: mind_map.remove(""),
    "no 'c98'": lambda mind_map: mind_map.ask("?", top="c98"),
    "from 0 to 1000, not": lambda mind_map: mind_map.move({"c1": (0, SIDE + 1)}),
    "not (True, 1)": lambda mind_map: mind_map.move({"c1": (True, 1)}),
    "has to be text, not 5": lambda mind_map: mind_map.add(5),
    "have no direction": lambda mind_map: mind_map.put(nx.Graph([(1, 2)])),
}


@pytest.mark.parametrize("sentence", REFUSED)
def test_what_leaves_no_proper_map_is_refused_and_changes_nothing(sentence: str) -> None:
    mind_map = sample()
    with pytest.raises(MapError) as refused:
        REFUSED[sentence](mind_map)
    words = str(refused.value)
    assert sentence in words
    assert words.endswith(".")
    assert "\n" not in words
    assert mind_map == sample()
    assert mind_map.log == sample().log
    for language in LANGUAGES:
        assert "{" not in refused.value.sentence(language)


def test_a_map_holds_200_concepts_and_1000_relations() -> None:
    mind_map = full(CONCEPTS)
    with pytest.raises(MapError, match="at most 200 concepts, and this would make 201"):
        mind_map.add("one more")
    graph = mind_map.graph()
    ids = list(graph)
    pairs = [(one, two) for one in ids[:40] for two in ids[:40] if one != two]
    graph.add_edges_from(pairs[:RELATIONS])
    mind_map.put(graph)
    with pytest.raises(MapError, match="at most 1000 relations, and this would make 1001"):
        mind_map.link(ids[-1], "x", ids[0])


def test_an_error_survives_pickling() -> None:
    with pytest.raises(MapError) as refused:
        MindMap().add("")
    assert str(pickle.loads(pickle.dumps(refused.value))) == str(refused.value)


# As a graph


def test_a_graph_from_a_cell_becomes_a_map() -> None:
    graph = nx.DiGraph(focus="Why?")
    graph.add_edge("警總", "書", phrase="查禁", weight=3)
    graph.add_node(5)
    mind_map = MindMap.of(graph)
    assert [mind_map.sentence(thing_id) for thing_id in mind_map.relations] == ["警總查禁書"]
    assert sorted(concept.label for concept in mind_map.concepts.values()) == ["5", "書", "警總"]
    assert mind_map.focus == "Why?"
    assert "警總" in mind_map.concepts
    assert not mind_map.undo()


def test_a_graph_can_be_taken_out_changed_and_put_back() -> None:
    mind_map = sample()
    graph = mind_map.graph()
    assert isinstance(graph, nx.MultiDiGraph)
    graph.remove_node("c7")
    graph.nodes["c1"]["label"] = "knowing"
    graph.add_edge("c2", "c3", phrase="cites")
    mind_map.put(graph)
    assert "c7" not in mind_map.concepts
    assert mind_map.sentence("r8") == "knowing has book"
    assert mind_map.relations["r16"] == Relation("c2", "cites", "c3")
    mind_map.undo()
    assert mind_map == sample()


def test_what_is_taken_out_is_not_the_map_itself() -> None:
    mind_map = sample()
    mind_map.graph().remove_node("c1")
    mind_map.concepts.clear()
    assert mind_map == sample()


def test_an_error_says_which_part_of_the_graph_is_wrong() -> None:
    graph = nx.MultiDiGraph()
    graph.add_edge("a", "b", phrase=5)
    with pytest.raises(MapError) as refused:
        MindMap().put(graph)
    assert refused.value.about == ("a", "b", 0)
    graph.nodes["a"]["label"] = ""
    with pytest.raises(MapError) as refused:
        MindMap().put(nx.MultiDiGraph(nx.subgraph(graph, ["a"])))
    assert refused.value.about == "a"


def test_nodes_of_equal_names_stay_apart() -> None:
    graph = nx.MultiDiGraph()
    graph.add_node("1", label="text")
    graph.add_node(1, label="number")
    graph.add_edge("1", 1, key="1", phrase="is not")
    mind_map = MindMap.of(graph)
    assert len(mind_map.concepts) == 2
    assert [mind_map.sentence(thing_id) for thing_id in mind_map.relations] == [
        "text is not number"
    ]


def test_the_model_is_plain_data() -> None:
    mind_map = sample()
    data = nx.node_link_data(mind_map.graph(), edges="edges")
    assert json.loads(json.dumps(data)) == data
    assert still() == mind_map.log[0].when


@checked
@given(MAPS)
def test_maps_are_equal_if_they_show_the_same(mind_map: MindMap) -> None:
    assert mind_map == mind_map.after(len(mind_map.log))
    if mind_map.concepts:
        other = mind_map.after(len(mind_map.log))
        other.change(next(iter(other.concepts)), note="something new")
        assert mind_map != other
