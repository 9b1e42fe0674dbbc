"""The model of mind maps: edits, what is refused, and the networkx graph."""

import json
import pickle
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mindmaps import MAPS, checked, sample

from coursekit.maps.elements import (
    CONCEPTS,
    LONG,
    RELATIONS,
    SHORT,
    Concept,
    MapError,
    Relation,
    apply_changes,
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


def test_a_space_stands_where_latin_letters_touch_something() -> None:
    assert join_parts(["Wiki", "is", "free"]) == "Wiki is free"
    assert join_parts(["《笠》", "創刊的那一年：", "1964"]) == "《笠》創刊的那一年：1964"
    assert join_parts(["柏楊", "wrote", "書"]) == "柏楊 wrote 書"
    assert join_parts(["one"]) + join_parts([]) == "one"


def test_with_a_concept_its_relations_go_and_it_is_no_longer_the_top() -> None:
    mind_map = sample()
    mind_map.ask(mind_map.focus, top="c3")
    mind_map.remove("c3")
    assert "c3" not in mind_map.concepts
    assert {"r9", "r11", "r13"}.isdisjoint(mind_map.relations)
    assert len(mind_map.relations) == 5
    assert mind_map.top == "c1"


def test_ids_are_never_used_again() -> None:
    mind_map = MindMap()
    first = mind_map.add("one")
    mind_map.remove(first)
    second = mind_map.add("two")
    assert (first, second) == ("c1", "c2")


def test_changes_hold_all_together_or_not_at_all() -> None:
    mind_map = sample()
    swapped = {"c1": Concept("book"), "c2": Concept("knowledge")}
    mind_map.apply(swapped)
    assert mind_map.sentence("r8") == "book has knowledge"
    with pytest.raises(MapError):
        mind_map.apply({"c8": Concept("new"), "c9": Concept("book")})
    assert "c8" not in mind_map.concepts
    relinked = {"c3": None, "r9": Relation("c1", "has", "c7")}
    mind_map.apply(relinked)
    assert mind_map.sentence("r9") == "book has alone"
    assert "r11" not in mind_map.relations


# Whatever is done to a map


@checked
@given(MAPS)
def test_a_graph_put_back_changes_nothing(mind_map: MindMap) -> None:
    before = mind_map.copy()
    mind_map.put(mind_map.graph())
    assert mind_map == before == MindMap.of(mind_map.graph()) == MindMap(things=mind_map.things)
    assert apply_changes(mind_map.things, mind_map.things) == mind_map.things


@checked
@given(MAPS, MAPS)
def test_any_map_can_be_put_in_the_place_of_another(mind_map: MindMap, other: MindMap) -> None:
    mind_map.put(other.graph())
    assert mind_map == other
    if mind_map.concepts:
        mind_map.change(next(iter(mind_map.concepts)), note="something new")
        assert mind_map != other


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
    "not (0, -20001)": lambda mind_map: mind_map.move({"c1": (0, -20001)}),
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


def test_a_graph_can_be_taken_out_changed_and_put_back() -> None:
    mind_map = sample()
    mind_map.concepts.clear()
    mind_map.graph().remove_node("c1")
    assert mind_map == sample()
    graph = mind_map.graph()
    graph.remove_node("c7")
    graph.nodes["c1"]["label"] = "knowing"
    graph.add_edge("c2", "c3", phrase="cites")
    mind_map.put(graph)
    assert "c7" not in mind_map.concepts
    assert mind_map.sentence("r8") == "knowing has book"
    assert mind_map.relations["r16"] == Relation("c2", "cites", "c3")


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
    data = nx.node_link_data(sample().graph(), edges="edges")
    assert json.loads(json.dumps(data)) == data
