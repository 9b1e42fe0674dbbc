"""Maps as files: nothing is lost, damage is refused with its place, and nothing in a file runs."""

import csv
import io
import json
import re
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from mindmaps import MAPS, checked, sample

from coursekit.maps.elements import MapChecker
from coursekit.maps.file_reader import (
    COLUMNS,
    READERS,
    MapFileError,
    column_titles,
    read_map,
    row_names,
)
from coursekit.maps.file_writer import WRITERS, outline_text, write_map
from coursekit.maps.mindmap import MindMap
from coursekit.words.texts import LANGUAGES

FORMULAS = ("=1+1", "+1", "-1", "@SUM(A1)", "＝1", "'=1", "''=1", "'quoted'", '=cmd|"/c calc"!A1')


def whole() -> MindMap:
    """Return a map in which every field is used, with what files trip over."""
    mind_map = sample()
    mind_map.change(
        "c1",
        note='two\nlines, "quoted"',
        card="wikipedia/wiki",
        source="https://example.org/?a=1&b=<2>",
        at=(0, 999),
    )
    mind_map.change("r9", phrase="擋住 & <破壞>", kind="blocks", note="]]> -->")
    for label in FORMULAS:
        mind_map.link("c1", label, mind_map.add(label, kind=label))
    mind_map.ask("Why?\nAnd since when?", top="c2")
    mind_map.remove("c4")
    return mind_map


@pytest.mark.parametrize("form", READERS)
def test_nothing_is_lost(form: str) -> None:
    assert read_map(write_map(whole(), form).encode(), f"map.{form}") == whole()


@checked
@given(MAPS)
def test_nothing_is_lost_of_any_map(mind_map: MindMap) -> None:
    for form in READERS:
        again = read_map(write_map(mind_map, form).encode(), f"map.{form}")
        assert again == mind_map
        assert (list(again.concepts), list(again.relations)) == (
            list(mind_map.concepts),
            list(mind_map.relations),
        )
        assert write_map(again, form) == write_map(mind_map, form)


@checked
@given(MAPS)
def test_graphml_and_json_also_keep_how_it_grew(mind_map: MindMap) -> None:
    for form in ("graphml", "json"):
        again = read_map(write_map(mind_map, form).encode(), f"map.{form}")
        assert (again.beginning, again.log) == (mind_map.beginning, mind_map.log)
        if mind_map.log:
            again.undo()
            assert again == mind_map.after(len(mind_map.log) - 1)


def test_networkx_reads_what_is_written() -> None:
    graph = nx.read_graphml(
        io.BytesIO(write_map(whole(), "graphml").encode()), force_multigraph=True
    )
    assert {thing_id: row["label"] for thing_id, row in graph.nodes(data=True)} == {
        concept_id: concept.label for concept_id, concept in whole().concepts.items()
    }
    assert {key for _, _, key in graph.edges(keys=True)} == set(whole().relations)
    again = nx.node_link_graph(json.loads(write_map(whole(), "json")), edges="edges")
    assert MindMap.of(again) == whole()


def test_a_long_log_is_read_without_looking_at_the_whole_map_in_every_step(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    mind_map = sample()
    for number in range(300):
        mind_map.move({"c1": (number, number)})
    content, looked = write_map(mind_map, "json").encode(), list[int]()
    add_step = MapChecker.add_step
    monkeypatch.setattr(
        MapChecker,
        "add_step",
        lambda self, changes: (looked.append(len(changes)), add_step(self, changes))[1],
    )
    assert read_map(content, "map.json").log == mind_map.log
    assert sum(looked) < 2 * len(mind_map.log)


def test_a_step_that_leaves_no_proper_map_is_no_log_even_if_a_later_one_mends_it() -> None:
    data = json.loads(write_map(sample(), "json"))
    log = data["graph"]["log"]
    for bad in (
        {"c1": None},
        {"c1": {"label": "book"}},
        {"r8": {"start": "c9", "end": "c1"}},
        {"": {"top": "c9"}},
    ):
        mend = {
            thing_id: next(step["things"][thing_id] for step in log if thing_id in step["things"])
            for thing_id in bad
        }
        data["graph"]["log"] = [*log, {"when": "", "things": bad}, {"when": "", "things": mend}]
        with pytest.raises(MapFileError, match="log of how the map was made is damaged"):
            read_map(json.dumps(data).encode(), "map.json")
        assert read_map(json.dumps(data).encode(), "map.json", log=False) == sample()


def test_a_file_that_was_changed_elsewhere_is_one_more_step() -> None:
    data = json.loads(write_map(sample(), "json"))
    data["nodes"][0]["label"] = "trust"
    mind_map = read_map(json.dumps(data).encode(), "map.json")
    assert mind_map.concepts["c1"].label == "trust"
    assert len(mind_map.log) == len(sample().log) + 1
    mind_map.undo()
    assert mind_map == sample()


# From elsewhere


def test_three_columns_of_a_teacher_are_enough() -> None:
    mind_map = read_map(
        "start,phrase,end\r\n破壞,擋住,使用\r\n修訂,修好,破壞 \r\n\r\n孤單\r\n".encode(), "t.csv"
    )
    assert [mind_map.sentence(thing_id) for thing_id in mind_map.relations] == [
        "破壞擋住使用",
        "修訂修好破壞",
    ]
    assert sorted(concept.label for concept in mind_map.concepts.values()) == [
        "使用",
        "修訂",
        "孤單",
        "破壞",
    ]


YED = b"""<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:y="http://www.yworks.com/xml/graphml">
<key for="node" id="d6"/><key for="edge" id="d10"/>
<graph edgedefault="directed" id="G">
<node id="n0"><data key="d6"><y:ShapeNode><y:NodeLabel>cause</y:NodeLabel></y:ShapeNode></data></node>
<node id="n1"><data key="d6"><y:ShapeNode><y:NodeLabel>effect</y:NodeLabel></y:ShapeNode></data></node>
<edge id="e0" source="n0" target="n1"><data key="d10"><y:PolyLineEdge><y:EdgeLabel>leads to</y:EdgeLabel>
</y:PolyLineEdge></data></edge></graph></graphml>"""
"""The way the editor yEd writes."""


def test_graphml_of_other_programs() -> None:
    mind_map = read_map(YED, "yed.graphml")
    assert [mind_map.sentence(thing_id) for thing_id in mind_map.relations] == [
        "cause leads to effect"
    ]
    graph = nx.DiGraph()
    graph.add_edge("a", "b", label="leads to", weight=2.5)
    mind_map = read_map("\n".join(nx.generate_graphml(graph)).encode(), "nx.graphml")
    assert [mind_map.sentence(thing_id) for thing_id in mind_map.relations] == ["a leads to b"]


def test_json_of_an_older_networkx() -> None:
    data = {
        "directed": True,
        "nodes": [{"id": 0}, {"id": 1}],
        "links": [{"source": 0, "target": 1, "phrase": "to"}],
    }
    mind_map = read_map(json.dumps(data).encode(), "old.json")
    assert [mind_map.sentence(thing_id) for thing_id in mind_map.relations] == ["0 to 1"]


# Nothing in a file is run


def test_no_cell_is_a_formula() -> None:
    table = list(csv.reader(io.StringIO(write_map(whole(), "csv"), newline="")))
    cells = [cell for row in table for cell in row]
    calculated = [cell for cell in cells if cell[:1] in tuple("=+-@\t\r＝＋－＠") and cell]
    assert {*calculated} == {"+1", "-1"}  # numbers stay what they are
    assert sum(cell.endswith("=1+1") for cell in cells) >= 3


BOMB = b"""<!DOCTYPE g [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>
<graphml><graph edgedefault="directed"><node id="&b;"/></graph></graphml>"""


@pytest.mark.parametrize(
    "content",
    [
        BOMB,
        BOMB.lower(),
        b'<!DOCTYPE g SYSTEM "file:///etc/passwd"><graphml/>',
        b"\xef\xbb\xbf" + BOMB,
    ],
)
def test_entities_are_refused(content: bytes) -> None:
    with pytest.raises(MapFileError, match="defines XML entities"):
        read_map(content, "bomb.graphml")


def test_other_encodings_do_not_get_around_that() -> None:
    for encoding in ("utf-16", "utf-32"):
        with pytest.raises(MapFileError, match=r"Line 1 of bomb\.graphml is not encoded in UTF-8"):
            read_map(BOMB.decode().encode(encoding), "bomb.graphml")
    with pytest.raises(MapFileError, match="not valid XML"):
        read_map(b'<?xml version="1.0" encoding="utf-7"?>+ADw-!DOCTYPE g+AD4-', "bomb.graphml")


@pytest.mark.parametrize(
    ("form", "content"),
    [("json", "[" * 900_000), ("graphml", "<a>" * 900_000), ("csv", '"' * 900_001)],
)
def test_what_is_nested_without_end_is_refused(form: str, content: str) -> None:
    with pytest.raises(MapFileError):
        read_map(content.encode(), f"deep.{form}")


# Damaged files

NODES = '{"nodes": [{"id": "a"}, {"id": "b"}], "edges": '
DAMAGED: list[tuple[str, str, str]] = [
    ("x.json", "", "x.json, line 1: This is not valid JSON"),
    ("x.json", '{"nodes": [],\n"edges": [}', "x.json, line 2: This is not valid JSON"),
    ("x.json", "5", "x.json: There are no concepts"),
    ("x.json", '{"nodes": {}, "edges": []}', "x.json: There are no concepts"),
    ("x.json", '{"nodes": [{}], "edges": []}', "number 1 of nodes: This concept has no id"),
    (
        "x.json",
        '{"nodes": [{"id": [1]}], "edges": []}',
        "number 1 of nodes: This concept has no id",
    ),
    (
        "x.json",
        '{"nodes": [{"id": 1}, 7], "edges": []}',
        "number 2 of nodes: This is neither a concept nor a relation",
    ),
    (
        "x.json",
        '{"nodes": [{"id": 1}, {"id": 1}], "edges": []}',
        "number 2 of nodes: The id 1 is used twice",
    ),
    (
        "x.json",
        '{"nodes": [{"id": 1}, {"id": 2, "label": ""}], "edges": []}',
        "number 2 of nodes: A concept needs",
    ),
    (
        "x.json",
        '{"nodes": [{"id": 1, "label": 5}], "edges": []}',
        "number 1 of nodes: The name of a concept has to",
    ),
    (
        "x.json",
        '{"nodes": [{"id": 1, "at": "5"}], "edges": []}',
        "number 1 of nodes: A concept's place is",
    ),
    (
        "x.json",
        NODES + '[{"source": "a", "target": "c"}]}',
        "number 1 of edges: This relation leads to 'c'",
    ),
    ("x.json", NODES + '[{"source": "a"}]}', "number 1 of edges: This relation leads to None"),
    (
        "x.json",
        NODES + '[{"source": "a", "target": "a"}]}',
        "number 1 of edges: “a” cannot be linked with itself",
    ),
    (
        "x.json",
        NODES + '[{"source": "a", "target": "b", "phrase": 1}]}',
        "edges: The linking phrase has to be text",
    ),
    ("x.json", NODES + '[], "directed": false}', "have no direction"),
    ("x.json", NODES + '[], "graph": {"log": 5}}', "log of how the map was made is damaged"),
    (
        "x.json",
        NODES + '[], "graph": {"log": [{"when": "", "things": {"c1": {"label": ""}}}]}}',
        "is damaged",
    ),
    (
        "x.json",
        NODES + '[], "graph": {"log": [{"when": "", "things": {"r1": {"start": "a"}}}]}}',
        "is damaged",
    ),
    ("x.json", NODES + '[], "graph": {"top": "z"}}', "no 'z' in this map"),
    ("x.graphml", "<graphml>\n<graph>", "x.graphml, line 2: This is not valid XML"),
    ("x.graphml", "<graphml/>", "There are no concepts"),
    ("x.graphml", '<graphml><graph edgedefault="undirected"/></graphml>', "have no direction"),
    (
        "x.graphml",
        '<graphml><graph><node id="a"/><node/></graph></graphml>',
        "number 2 of <node>: This concept has",
    ),
    (
        "x.graphml",
        '<graphml><graph><edge source="a" target="b"/></graph></graphml>',
        "number 1 of <edge>: This relation",
    ),
    ("x.csv", "", "x.csv, line 1: The column from, linking phrase, to is missing"),
    (
        "x.csv",
        "start;phrase;end\na;b;c",
        "x.csv, line 1: The column from, linking phrase, to is missing",
    ),
    ("x.csv", "start,phrase,end,score", "x.csv, line 1: The column 'score' is unknown"),
    (
        "x.csv",
        "start,phrase,end,end",
        "x.csv, line 1: The column 'end' is unknown or appears twice",
    ),
    ("x.csv", "從,連接詞,到,To", "x.csv, line 1: The column 'To' is unknown or appears twice"),
    (
        "x.csv",
        "start,phrase,end\na,is,b\na,is,b,no",
        "x.csv, line 3: This line has 4 cells, and at most 3",
    ),
    (
        "x.csv",
        'start,phrase,end\n"a\nb",is,c\nd,is,d',
        "x.csv, line 4, column “end”: “d” cannot be linked",
    ),
    (
        "x.csv",
        'start,phrase,end\na,is,b\na,"is,c',
        "x.csv, line 3: From this line on, a quotation mark",
    ),
    (
        "x.csv",
        "what,start,phrase,end\nnode,a,,",
        "x.csv, line 2, column “what”: This cell is 'node'; it can be question, concept",
    ),
    (
        "x.csv",
        "start,phrase,end\na,is,b\na,is,b",
        "x.csv, line 3: “a” is linked with “b” by “is” already",
    ),
    (
        "x.csv",
        "start,phrase,end,id\na,is,b,r1\na,was,b,r1",
        "x.csv, line 3, column “id”: The id 'r1' is used twice",
    ),
    ("x.csv", "start,phrase,end\na,is,", "x.csv, line 2, column “end”: A concept needs a name"),
    ("x.csv", "從,連接詞,到\na,is,\n", "x.csv, line 2, column “到”: A concept needs a name"),
    (
        "x.csv",
        "start,phrase,end\na,%s,b" % ("x" * 81),
        "x.csv, line 2, column “phrase”: The linking phrase has 81",
    ),
    (
        "x.csv",
        "what,start,phrase,end,at\nconcept,a,,,5",
        "x.csv, line 2, column “at”: A concept's place is",
    ),
    (
        "x.txt",
        "",
        "x.txt is not a mind map file that can be read; these can: .graphml, .json, .csv.",
    ),
    ("x", "", "x is not a mind map file that can be read"),
]


@pytest.mark.parametrize(("name", "content", "sentence"), DAMAGED)
def test_a_damaged_file_is_refused_with_its_place(name: str, content: str, sentence: str) -> None:
    with pytest.raises(MapFileError) as refused:
        read_map(content.encode(), name)
    assert sentence in str(refused.value)
    for language in LANGUAGES:
        words = refused.value.sentence(language)
        assert name in words
        assert "{" not in words


@pytest.mark.parametrize("form", READERS)
def test_a_file_cut_anywhere_is_refused_or_read_and_never_raises_anything_else(form: str) -> None:
    content = write_map(sample(), form).encode()
    refused = 0
    for end in range(0, len(content) - 1, 37):
        try:
            read_map(content[:end], f"cut.{form}")
        except MapFileError:
            refused += 1
    assert refused > 0 if form == "csv" else refused == len(range(0, len(content) - 1, 37))


def test_a_file_that_is_too_large() -> None:
    with pytest.raises(MapFileError, match=r"large\.csv is too large"):
        read_map(b"x" * 1001, "large.csv", 1000)


def test_an_unknown_form_is_a_mistake_of_the_program() -> None:
    with pytest.raises(ValueError, match="'xls' is not one of graphml, json, csv, md"):
        write_map(sample(), "xls")


@pytest.mark.parametrize("language", ["", *LANGUAGES])
def test_a_table_says_everything_in_its_language_and_every_reader_knows_all_of_them(
    language: str,
) -> None:
    content = write_map(whole(), "csv", language)
    assert read_map(content.encode(), "map.csv") == whole()
    head, *lines = list(csv.reader(io.StringIO(content, newline="")))
    assert head == list(column_titles(language).values())
    assert {line[0] for line in lines} == set(row_names(language).values())
    other = content.replace(",".join(head), ",".join(column_titles("en").values()).upper(), 1)
    assert read_map(other.encode(), "map.csv") == whole()
    assert language != "zh-Hant" or head[:4] == ["這一列是", "從", "連接詞", "到"]


def test_a_mistake_in_a_table_is_told_in_the_language_of_the_reader() -> None:
    with pytest.raises(MapFileError) as refused:
        read_map("從,連接詞,到\na,is,b\nb,is,\n".encode(), "t.csv")
    assert refused.value.sentence("zh-Hant") == "t.csv，第 3 行「到」這一欄：概念要有名稱。"
    with pytest.raises(MapFileError) as refused:
        read_map("從,到\na,b".encode(), "t.csv")
    assert "少了欄位 連接詞" in refused.value.sentence("zh-Hant")


def test_the_columns_are_those_of_the_file() -> None:
    assert write_map(sample(), "csv").split("\r\n")[0].split(",") == list(COLUMNS)
    assert set(READERS) == set(WRITERS) - {"md"}


# The outline


def test_the_outline_of_a_fixed_map() -> None:
    assert outline_text(sample()) == (
        "# Whom can we trust?\n\n"
        "- **knowledge**\n"
        "  - *has* → **book**\n"
        "    - *names* → **author**\n"
        "  - *has* → **wiki**\n"
        "    - *lists* → **source**\n"
        "      - *proves* → book\n"
        "    - → editor\n"
        "  - *needs* → **editor**\n"
        "    - *checks* → author\n"
        "- **alone**\n"
    )


def test_a_relation_that_leads_upwards_is_told_where_it_hangs() -> None:
    mind_map = MindMap()
    top, below = mind_map.add("effect"), mind_map.add("cause")
    mind_map.link(below, "leads to", top)
    assert outline_text(mind_map) == "- **effect**\n  - ← *leads to* ← **cause**\n"


def test_marks_in_words_are_words() -> None:
    mind_map = MindMap("# <b>*why*</b>")
    mind_map.add("[a](javascript:x)", note="1\n# two")
    assert (
        outline_text(mind_map)
        == "# \\# \\<b\\>\\*why\\*\\</b\\>\n\n- **\\[a\\](javascript:x)** – 1 \\# two\n"
    )


@checked
@given(MAPS)
def test_the_outline_tells_every_concept_once_and_every_relation_once(mind_map: MindMap) -> None:
    lines = re.sub(r"\\.", "x", outline_text(mind_map)).splitlines()  # marks in words are escaped
    assert sum("**" in line and line.lstrip().startswith("- ") for line in lines) == len(
        mind_map.concepts
    )
    assert sum("→ " in line or "← " in line for line in lines) == len(mind_map.relations)


def test_read_takes_any_bytes(tmp_path: Any) -> None:
    for form in READERS:
        for content in (b"\x00", b"\xff\xfe", b"PK\x03\x04", b"\n\n", b"{}", b"<graphml>"):
            with pytest.raises(MapFileError):
                read_map(content, f"x.{form}")
