"""The model of mind maps: edits, undo, replay, what is refused, and the networkx graph."""

import json
import pickle
from itertools import count
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mindmaps import EDITS, MAPS, checked, edited, sample, still

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
    map = MindMap()
    vandal, use, wiki = map.add("破壞"), map.add("使用"), map.add("Wikipedia")
    assert map.sentence(map.link(vandal, "擋住", use)) == "破壞擋住使用"
    assert map.sentence(map.link(vandal, "弄壞", wiki)) == "破壞弄壞 Wikipedia"
    assert map.sentence(map.link(use, "", wiki)) == "使用 – Wikipedia"


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
    map = sample()
    map.ask(map.focus, top="c3")
    before = sample().concepts, sample().relations
    map.remove("c3")
    assert "c3" not in map.concepts
    assert {"r9", "r11", "r13"}.isdisjoint(map.relations)
    assert len(map.relations) == 5
    assert map.top == "c1"
    assert map.undo()
    assert (map.concepts, map.relations) == before
    assert map.top == "c3"


def test_ids_are_never_used_again() -> None:
    map = MindMap()
    first = map.add("one")
    map.remove(first)
    second = map.add("two")
    assert (first, second) == ("c1", "c2")


def test_a_new_edit_ends_what_can_be_made_again() -> None:
    map = MindMap()
    map.add("one")
    map.undo()
    map.add("two")
    assert not map.redo()
    assert [each.label for each in map.concepts.values()] == ["two"]


def test_an_edit_that_changes_nothing_is_no_step() -> None:
    map = sample()
    steps = len(map.log)
    map.change("c1", label=" knowledge ")
    map.ask("Whom can we trust?")
    map.move({})
    assert len(map.log) == steps


def test_steps_tell_when() -> None:
    seconds = count(1)
    map = MindMap(clock=lambda: f"at {next(seconds)}")
    map.add("one")
    map.add("two")
    assert [step.when for step in map.log] == ["at 1", "at 2"]
    assert [len(map.after(steps).concepts) for steps in range(3)] == [0, 1, 2]


def test_only_so_many_steps_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mindmap, "KEPT_STEPS", 3)
    map = MindMap()
    for label in "abcde":
        map.add(label)
    assert len(map.log) == 3
    assert len(map.after(0).concepts) == 2
    while map.undo():
        pass
    assert [each.label for each in map.concepts.values()] == ["a", "b"]


# Whatever is done to a map


@checked
@given(EDITS)
def test_undoing_everything_and_making_it_again_changes_nothing(edits: list[Any]) -> None:
    map = edited(edits)
    while map.redo():
        pass
    seen = [(map.concepts, map.relations, map.head)]
    while map.undo():
        seen.append((map.concepts, map.relations, map.head))
    assert seen[-1] == ({}, {}, MindMap("?").head)
    for earlier in reversed(seen[:-1]):
        assert map.redo()
        assert (map.concepts, map.relations, map.head) == earlier
    assert not map.redo()


@checked
@given(EDITS)
def test_a_replay_shows_the_same_map_at_every_step(edits: list[Any]) -> None:
    map = edited(edits)
    replayed = MindMap.replay(map.beginning, map.log)
    assert replayed == map == map.after(len(map.log))
    assert replayed.log == map.log
    for steps in range(len(map.log)):
        assert replayed.after(steps) == map.after(steps)


@checked
@given(MAPS)
def test_a_graph_put_back_changes_nothing(map: MindMap) -> None:
    before, steps = map.after(len(map.log)), len(map.log)
    map.put(map.graph())
    assert map == before
    assert len(map.log) == steps
    assert MindMap.of(map.graph()) == map


@checked
@given(MAPS, MAPS)
def test_any_map_can_be_put_in_the_place_of_another_in_one_step(
    map: MindMap, other: MindMap
) -> None:
    before, steps = map.after(len(map.log)), len(map.log)
    map.put(other.graph())
    assert map == other
    assert len(map.log) == steps + (before != other)
    if before != other:
        map.undo()
        assert map == before


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
    "needs a name": lambda map: map.add("  "),
    "“wiki” already": lambda map: map.add(" wiki "),
    "“ｗｉｋｉ” already": lambda map: map.add("ｗｉｋｉ"),
    "name of a concept has 81": lambda map: map.add("x" * (SHORT + 1)),
    "linking phrase has 81": lambda map: map.link("c1", "x" * (SHORT + 1), "c2"),
    "note has 2001": lambda map: map.change("c1", note="x" * (LONG + 1)),
    "focus question has 2001": lambda map: map.ask("x" * (LONG + 1)),
    "cannot be linked with itself": lambda map: map.link("c1", "is", "c1"),
    "by “has” already": lambda map: map.link("c1", " has", "c2"),
    "no 'c99'": lambda map: map.link("c1", "is", "c99"),
    "no 'r8'": lambda map: map.link("r8", "is", "c1"),
    "no 'r99'": lambda map: map.change("r99", phrase="x"),
    "no 'x'": lambda map: map.remove("c1", "x"),
    "no ''": lambda map: map.remove(""),
    "no 'c98'": lambda map: map.ask("?", top="c98"),
    "from 0 to 1000, not": lambda map: map.move({"c1": (0, SIDE + 1)}),
    "not (True, 1)": lambda map: map.move({"c1": (True, 1)}),
    "has to be text, not 5": lambda map: map.add(5),
    "have no direction": lambda map: map.put(nx.Graph([(1, 2)])),
}


@pytest.mark.parametrize("sentence", REFUSED)
def test_what_leaves_no_proper_map_is_refused_and_changes_nothing(sentence: str) -> None:
    map = sample()
    with pytest.raises(MapError) as refused:
        REFUSED[sentence](map)
    words = str(refused.value)
    assert sentence in words
    assert words.endswith(".")
    assert "\n" not in words
    assert map == sample()
    assert map.log == sample().log
    for language in LANGUAGES:
        assert "{" not in refused.value.sentence(language)


def test_a_map_holds_200_concepts_and_1000_relations() -> None:
    map = full(CONCEPTS)
    with pytest.raises(MapError, match="at most 200 concepts, and this would make 201"):
        map.add("one more")
    graph = map.graph()
    ids = list(graph)
    pairs = [(one, two) for one in ids[:40] for two in ids[:40] if one != two]
    graph.add_edges_from(pairs[:RELATIONS])
    map.put(graph)
    with pytest.raises(MapError, match="at most 1000 relations, and this would make 1001"):
        map.link(ids[-1], "x", ids[0])


def test_an_error_survives_pickling() -> None:
    with pytest.raises(MapError) as refused:
        MindMap().add("")
    assert str(pickle.loads(pickle.dumps(refused.value))) == str(refused.value)


# As a graph


def test_a_graph_from_a_cell_becomes_a_map() -> None:
    graph = nx.DiGraph(focus="Why?")
    graph.add_edge("警總", "書", phrase="查禁", weight=3)
    graph.add_node(5)
    map = MindMap.of(graph)
    assert [map.sentence(id) for id in map.relations] == ["警總查禁書"]
    assert sorted(each.label for each in map.concepts.values()) == ["5", "書", "警總"]
    assert map.focus == "Why?"
    assert "警總" in map.concepts
    assert not map.undo()


def test_a_graph_can_be_taken_out_changed_and_put_back() -> None:
    map = sample()
    graph = map.graph()
    assert isinstance(graph, nx.MultiDiGraph)
    graph.remove_node("c7")
    graph.nodes["c1"]["label"] = "knowing"
    graph.add_edge("c2", "c3", phrase="cites")
    map.put(graph)
    assert "c7" not in map.concepts
    assert map.sentence("r8") == "knowing has book"
    assert map.relations["r16"] == Relation("c2", "cites", "c3")
    map.undo()
    assert map == sample()


def test_what_is_taken_out_is_not_the_map_itself() -> None:
    map = sample()
    map.graph().remove_node("c1")
    map.concepts.clear()
    assert map == sample()


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
    map = MindMap.of(graph)
    assert len(map.concepts) == 2
    assert [map.sentence(id) for id in map.relations] == ["text is not number"]


def test_the_model_is_plain_data() -> None:
    map = sample()
    data = nx.node_link_data(map.graph(), edges="edges")
    assert json.loads(json.dumps(data)) == data
    assert still() == map.log[0].when


@checked
@given(MAPS)
def test_maps_are_equal_if_they_show_the_same(map: MindMap) -> None:
    assert map == map.after(len(map.log))
    if map.concepts:
        other = map.after(len(map.log))
        other.change(next(iter(other.concepts)), note="something new")
        assert map != other
