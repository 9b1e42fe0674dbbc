"""Maps as files: nothing is lost, damage is refused with its place, and nothing in a file runs."""

import csv
import io
import json
import re
import subprocess
import sys
from html import escape
from itertools import combinations
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mindmaps import MAPS, checked, sample

from coursekit.maps.elements import clean
from coursekit.maps.file_reader import (
    COLUMNS,
    READERS,
    MapFileError,
    read_map,
    read_with_notice,
    table_words,
)
from coursekit.maps.file_writer import WRITERS, outline_text, write_map
from coursekit.maps.mindmap import MindMap
from coursekit.words.texts import LANGUAGES

WRITTEN = ("graphml", "json", "csv")
FORMULAS = ("=1+1", "+1", "-1", "@SUM(A1)", "＝1", "'=1", "''=1", "'quoted'", '=cmd|"/c calc"!A1')
Triples = list[tuple[str, str, str]]


def whole() -> MindMap:
    """Return a map in which every field is used, with what files trip over."""
    mind_map = sample()
    mind_map.change("c1", note='two\nlines, "quoted"', card="wikipedia/wiki", at=(0, -999))
    mind_map.change("c2", source="https://example.org/?a=1&b=<2>")
    mind_map.change("r9", phrase="擋住 & <破壞>", kind="blocks", note="]]> -->")
    for label in FORMULAS:
        mind_map.link("c1", label, mind_map.add(label, kind=label))
    mind_map.ask("Why?\nAnd since when?", top="c2")
    mind_map.remove("c4")
    return mind_map


def labels(mind_map: MindMap) -> list[str]:
    return [concept.label for concept in mind_map.concepts.values()]


def triples(mind_map: MindMap) -> Triples:
    """Return the propositions in words."""
    words = {concept_id: concept.label for concept_id, concept in mind_map.concepts.items()}
    relations = mind_map.relations.values()
    return sorted((words[start], phrase, words[end]) for start, phrase, end, *_ in relations)


def told(content: str, name: str, encoding: str = "utf-8") -> tuple[str, str]:
    """Return the propositions of a file as ``a,is,b``, and the notice."""
    mind_map, notice = read_with_notice(content.encode(encoding), name)
    return " ".join(map(",".join, triples(mind_map))), str(notice or "")


@pytest.mark.parametrize("form", WRITTEN)
def test_nothing_is_lost(form: str) -> None:
    assert read_map(write_map(whole(), form).encode(), f"map.{form}") == whole()


@checked
@given(MAPS)
def test_nothing_is_lost_of_any_map(mind_map: MindMap) -> None:
    for form in WRITTEN:
        again, notice = read_with_notice(write_map(mind_map, form).encode(), f"map.{form}")
        assert again == mind_map
        assert notice is None
        assert list(again.concepts) == list(mind_map.concepts)
        assert list(again.relations) == list(mind_map.relations)
        assert write_map(again, form) == write_map(mind_map, form)


def test_a_file_that_tells_how_the_map_grew_shows_the_same_map() -> None:
    data = json.loads(write_map(whole(), "json"))
    data["graph"]["log"] = [{"when": "", "things": {"c1": {"label": "old"}}}, 5]
    assert read_map(json.dumps(data).encode(), "old.json") == whole()
    graph = whole().graph()
    graph.graph["log"] = json.dumps(data["graph"]["log"])  # as networkx wrote it
    assert read_map("\n".join(nx.generate_graphml(graph)).encode(), "old.graphml") == whole()


def test_networkx_and_yed_show_what_is_written() -> None:
    content = write_map(whole(), "graphml")
    graph = nx.read_graphml(io.BytesIO(content.encode()), force_multigraph=True)
    assert MindMap.of(graph) == whole()
    again = nx.node_link_graph(json.loads(write_map(whole(), "json")), edges="edges")
    assert MindMap.of(again) == whole()
    drawn = re.sub(r"<data key=.(node|edge|graph)_.*?</data>", "", content, flags=re.DOTALL)
    assert triples(read_map(drawn.encode(), "yed.graphml")) == triples(whole())
    renamed = drawn.replace(">book</y:NodeLabel>", ">shelf</y:NodeLabel>")
    assert "shelf" in labels(read_map(renamed.encode(), "yed.graphml"))


# From elsewhere

WORDS = st.text(st.sampled_from("abc0書臺&<'\"; "), min_size=1, max_size=5).map(clean)
NODE = ("label", "name", "Label", "shared name", "Node Label", "yEd", "Live", "Live Text")
EDGE = ("label", "phrase", "interaction", "relation", "name", "Edge Label", "yEd", "Live")
DRAWN = {
    "yEd": "<y:Node><y:NodeLabel hasText='false'/><y:NodeLabel>{}<y:Model/></y:NodeLabel></y:Node>",
    "Live": "<x:List><y:Label><y:Label.Text>{}</y:Label.Text></y:Label></x:List>",
    "Live Text": '<x:List><y:Label Text="{}"/></x:List>',
}
ARROWS = (
    "<y:Arrows SIDE='delta'/>",
    "<x:EdgeStyle SIDEArrow='TRIANGLE'/>",
    "<x:EdgeStyle><x:EdgeStyle.SIDEArrow><x:Arrow type='TRIANGLE'/></x:EdgeStyle.SIDEArrow></x:EdgeStyle>",
)
GRAPHML = """<graphml xmlns='http://graphml.graphdrawing.org/xmlns' xmlns:y='urn:y' xmlns:x='urn:x'>
<key id='n' for='node' attr.name='{}'><default>{}</default></key>
<key id='e' for='edge' attr.name='{}'/><graph edgedefault='{}'>{}</graph></graphml>"""


@st.composite
def drawings(draw: Any) -> tuple[list[str], Triples]:
    """Draw names of concepts, and propositions between them."""
    names = draw(st.lists(WORDS.filter(bool), min_size=2, max_size=5, unique=True))
    pairs = [pair for both in combinations(names, 2) for pair in (both, both[::-1])]
    some = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=6))
    return names, sorted((start, draw(WORDS), end) for start, end in some)


@checked
@given(drawings(), st.sampled_from(NODE), st.sampled_from(EDGE), st.booleans(), st.data())
def test_graphml_of_any_program(
    drawing: tuple[list[str], Triples], node: str, edge: str, is_directed: bool, data: Any
) -> None:
    names, expected = drawing
    default = data.draw(st.sampled_from(["", names[0]])) if node not in DRAWN else ""
    # Side by side, or each in the group before it.
    opened, closed = data.draw(st.sampled_from([("</node>", ""), ("<graph>", "</graph></node>")]))
    parts = []
    for number, name in enumerate(names):
        words = DRAWN.get(node, "{}").format(escape(name))
        inside = f"<data key='n'>{words}</data>" * (name != default)
        parts.append(f"<node id='n{number}'>{inside}{opened}")
    parts.append(closed * len(names))
    for start, phrase, end in expected:
        ends = [f"n{names.index(start)}", f"n{names.index(end)}"]
        tip = data.draw(st.sampled_from(["source", "target"] + [""] * is_directed))
        arrow = data.draw(st.sampled_from(ARROWS)).replace("SIDE", tip)
        arrows = f"<data key='a'>{arrow}</data>" if tip else ""
        source, target = ends[::-1] if tip == "source" else ends
        edge_id = data.draw(st.sampled_from(["", "id='0'", "id='n0'"]))
        words = DRAWN.get(edge, "{}").replace("Node", "Edge").format(escape(phrase))
        parts.append(
            f"<edge {edge_id} source='{source}' target='{target}'>"
            f"<data key='e'>{words}</data>{arrows}</edge>"
        )
    direction = "directed" if is_directed else "undirected"
    content = GRAPHML.format(node, escape(default), edge, direction, "".join(parts))
    mind_map, notice = read_with_notice(content.encode(), "any.graphml")
    assert labels(mind_map) == names
    assert triples(mind_map) == expected
    assert notice is None


@checked
@given(drawings(), st.sampled_from(NODE[:5]), st.sampled_from(EDGE[:6]), st.data())
def test_json_of_any_program(
    drawing: tuple[list[str], Triples], node: str, edge: str, data: Any
) -> None:
    names, expected = drawing
    kind = data.draw(st.sampled_from([int, str, float]))
    source, target = data.draw(st.sampled_from([("source", "target"), ("from", "to")]))
    rest = data.draw(st.sampled_from([{}, {"key": 0}, {"id": "0", "weight": 2.5}, {"key": "1"}]))
    nodes: list[Any] = [{"id": kind(place), node: name} for place, name in enumerate(names)]
    edges: list[Any] = []
    for start, phrase, end in expected:
        ends = {source: kind(names.index(start)), target: kind(names.index(end))}
        edges.append({**rest, **ends, edge: phrase})
    rows = [{"data": row} for row in edges]
    graph: Any = {
        "networkx": {"directed": True, "nodes": nodes, "edges": edges, "graph": {"log": 5}},
        "old": {"nodes": nodes, "links": edges},
        "Cytoscape": {"elements": {"nodes": [{"data": row} for row in nodes], "edges": rows}},
        "JSON Graph Format": {"graph": {"nodes": nodes, "edges": edges, "label": "a map"}},
    }[data.draw(st.sampled_from(["networkx", "old", "Cytoscape", "JSON Graph Format"]))]
    encoding = data.draw(st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]))
    mind_map, notice = read_with_notice(json.dumps(graph).encode(encoding), "any.json")
    assert sorted(labels(mind_map)) == sorted(names)
    assert triples(mind_map) == expected
    assert notice is None


FORMS = (("txt", "\t"), ("tsv", "\t"), ("csv", ","), ("csv", ";"))
TITLES = ([], ["From", "linking phrase", "to"], ["subject", "predicate", "object"])


@checked
@given(drawings(), st.sampled_from(FORMS), st.sampled_from(TITLES), st.sampled_from(["\n", "\r\n"]))
def test_propositions_of_any_program(
    drawing: tuple[list[str], Triples], form: tuple[str, str], titles: list[str], newline: str
) -> None:
    rows = [row for row in drawing[1] if row[1]]
    file = io.StringIO(newline="")
    table = csv.writer(file, delimiter=form[1], lineterminator=newline)
    table.writerows([titles] * bool(titles) + rows)
    if rows:
        mind_map, notice = read_with_notice(file.getvalue().encode(), f"any.{form[0]}")
        assert triples(mind_map) == rows
        assert (notice is None) == bool(titles)


MM = """<map version="1.0"><node TEXT="審查" ID="r"><node TEXT="宗教" ID="a"><node TEXT="原因"/>
<node><richcontent TYPE="NODE"><html><head><title>x</title></head><body>
 <p>結果</p></body></html></richcontent></node></node><node TEXT="戒嚴"><node TEXT="原因"/>
<node TEXT="原因"/><node><node TEXT="1949"/></node><arrowlink DESTINATION="a" MIDDLE_LABEL="管"
STARTARROW="None" ENDARROW="Default"/></node></node></map>"""
OPML = "<opml><body><outline text='a' _note='why'><outline text='b'/></outline></body></opml>"
CSV = "\ufeff\ufeffsep=;\r\nstart;phrase;end;\r\na;is;b;\r\n\r\nc\r\n"
ODD = rf"""
x.mm | {MM} | 宗教,,原因（宗教） 宗教,,結果 審查,,宗教 審查,,戒嚴 戒嚴,,1949 戒嚴,,原因（2） 戒嚴,,原因（戒嚴） 戒嚴,管,宗教 | as in “原因（2）”
x.opml | {OPML} | a,,b |
x.csv | {CSV} | a,is,b |
x.txt | Paris\tto\tLondon | Paris,to,London | no names of columns
x.csv | start,phrase,end\na,is,b\na,is,b | a,is,b | repeats 1 relation
x.graphml | <graphml><graph><node id="n0"/><node id="n1"/><edge source="n0" target="n1"/></graph></graphml> | n0,,n1 | no names for 2 concepts; the map shows ids instead, such as 'n0'
x.graphml | <!DOCTYPE graphml SYSTEM "file:///etc/passwd"><graphml><graph><node id="a" label="b"/></graph></graphml> | |
x.json | {{"nodes": [{{"id": 7, "label": " "}}, {{"id": 1, "label": "a"}}], "edges": [{{"source": 1, "target": 7}}]}} | a,,7 | no names for 1 concept
x.json | {{"nodes": [{{"id": 1, "label": 1949, "note": null, "kind": true, "at": [1.6, -2]}}, {{"id": 2, "label": 2.5}}], "links": [{{"source": 1, "target": 2, "phrase": 3, "key": null}}]}} | 1949,3,2.5 |
x.json | {{"directed": false, "nodes": [{{"id": "a"}}, {{"id": "b"}}], "edges": [{{"source": "a", "target": "b", "arrows": "to, from"}}]}} | a,,b b,,a | no names
"""


@pytest.mark.parametrize("case", re.split(r"\n(?=x\.)", ODD.strip()))
def test_what_other_programs_allow(case: str) -> None:
    name, content, expected, notice = (part.strip(" ") for part in case.split("|"))
    content = content.replace("\\n", "\n").replace("\\t", "\t")
    found, said = told(content, name)
    assert found == expected
    assert notice in said
    assert bool(notice) == bool(said)
    assert told(content, name, "utf-16") == (found, said)


def test_a_tree_keeps_its_top_and_its_notes() -> None:
    mind_map = read_map(MM.encode(), "x.mm")
    assert mind_map.concepts[mind_map.top].label == "審查"
    assert read_map(OPML.encode(), "x.opml").concepts["c1"].note == "why"


# Nothing in a file is run


def test_no_cell_is_a_formula() -> None:
    table = csv.reader(io.StringIO(write_map(whole(), "csv"), newline=""))
    cells = [cell for row in table for cell in row]
    calculated = {cell for cell in cells if cell and cell[0] in "=+-@\t\r＝＋－＠"}
    assert calculated == {"+1", "-1"}  # numbers stay what they are
    assert sum(cell.endswith("=1+1") for cell in cells) >= 3


BOMB = """<!DOCTYPE g [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>
<graphml><graph><node id="&b;"/></graph></graphml>"""


@pytest.mark.parametrize("name", ["bomb.graphml", "bomb.mm", "bomb.opml"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_entities_are_refused(name: str, encoding: str) -> None:
    for bomb in (BOMB, BOMB.replace("ENTITY a", "ENTITY % a"), BOMB.replace('"aaa', 'SYSTEM "aaa')):
        with pytest.raises(MapFileError, match="defines XML entities"):
            read_map(bomb.encode(encoding), name)


@pytest.mark.parametrize("part", ["json [", 'csv "', "graphml <a>", "mm <node TEXT='a'>"])
def test_what_is_nested_without_end_is_refused(part: str) -> None:
    form, _, begin = part.partition(" ")
    for end in ("", re.sub("<([a-z]+).*", r"</\1>", begin) if "<" in begin else ""):
        with pytest.raises(MapFileError):
            read_map((begin * 150_000 + end * 150_000).encode(), f"deep.{form}")


LARGE = {
    "csv": "start,phrase,end\n" + "a,is,b\n" * 10_000,
    "txt": "".join(f"a{number}\tis\tb\n" for number in range(10_000)),
    "json": json.dumps({"nodes": [{"id": number} for number in range(10_000)], "edges": []}),
    "graphml": "<graphml><graph>" + "<node id='a'/>" * 10_000 + "</graph></graphml>",
    "mm": "<map>" + "<node TEXT='a'/>" * 10_000 + "</map>",
}


@pytest.mark.parametrize("form", LARGE)
def test_more_than_a_map_holds_is_refused_before_it_is_looked_at(
    form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MindMap, "apply", None)
    with pytest.raises(MapFileError, match=r"at most (200|1000) .* would make 10000;"):
        read_map(LARGE[form].encode(), f"large.{form}")


# Damaged files: name | content | sentence

DAMAGED = r"""
x.json  |  | x.json, line 1: This is not valid JSON
x.json | {"nodes": [],\n"edges": [} | x.json, line 2: This is not valid JSON
x.json | 5 | x.json: There are no concepts
x.json | {"nodes": {}, "edges": []} | x.json: There are no concepts
x.json | {"nodes": [{}], "edges": []} | number 1 of nodes: This concept has no id
x.json | {"nodes": [{"id": 1}, 7], "edges": []} | number 2 of nodes: This is neither a concept nor a relation
x.json | {"nodes": [{"id": 1}, {"id": 1}], "edges": []} | number 2 of nodes: The id 1 is used twice
x.json | {"nodes": [{"id": 1, "name": "a"}, {"id": 2, "label": "a"}], "edges": []} | x.json, number 2 of nodes: The concept at number 1 of nodes is called “a” too
x.json | {"nodes": [{"id": 1, "label": ["a"]}], "edges": []} | number 1 of nodes: The name of a concept has to
x.json | {"nodes": [{"id": 1, "at": "5"}], "edges": []} | number 1 of nodes: A concept's place is
x.json | {"nodes": [{"id": 1, "at": [1, 1e999]}], "edges": []} | number 1 of nodes: A concept's place is
x.json | {NODES, "edges": [{"source": "a", "target": "c"}]} | number 1 of edges: This relation leads to 'c'
x.json | {NODES, "edges": [{"source": "a"}]} | number 1 of edges: This relation leads to ''
x.json | {NODES, "edges": [{"source": "a", "target": "a"}]} | number 1 of edges: “a” cannot be linked with itself
x.json | {NODES, "edges": [{"source": "a", "target": "b", "phrase": {}}]} | edges: The linking phrase has to be text
x.json | {NODES, "edges": [{"source": "a", "target": "b", "note": "1"}, {"source": "a", "target": "b"}]} | number 2 of edges: “a” is linked with “b”
x.json | {NODES, "edges": [{"source": "a", "target": "b"}], "directed": false} | number 1 of edges: This relation has no direction
x.json | {NODES, "edges": [], "graph": {"top": "z"}} | no 'z' in this map
x.graphml | <graphml>\n<graph> | x.graphml, line 2: This is not valid XML
x.graphml | <graphml/> | There are no concepts
x.graphml | <graphml><graph edgedefault="undirected"><node id="a"/><node id="b"/><edge source="a" target="b"/></graph></graphml> | number 1 of <edge>: This relation has no direction
x.graphml | <graphml><graph><node id="a"/><node/></graph></graphml> | number 2 of <node>: This concept has
x.graphml | <graphml><graph><edge source="a" target="b"/></graph></graphml> | number 1 of <edge>: This relation
x.mm | <map>\n<node TEXT="a"> | x.mm, line 2: This is not valid XML
x.opml | <opml><body/></opml> | There are no concepts
x.csv |  | x.csv, line 1: The column from, linking phrase, to is missing
x.csv | a,b\nc,d | x.csv, line 1: The column from, linking phrase, to is missing
x.csv | start,phrase,end,score | x.csv, line 1: The column 'score' is unknown
x.csv | start,phrase,end,end | x.csv, line 1: The column 'end' is unknown or appears twice
x.csv | 從,連接詞,到,To | x.csv, line 1: The column 'To' is unknown or appears twice
x.csv | start,phrase,end\na,is,b\na,is,b,no | x.csv, line 3: This line has 4 cells, and at most 3
x.csv | start,phrase,end\n"a\nb",is,c\nd,is,d | x.csv, line 4, column “end”: “d” cannot be linked
x.csv | start,phrase,end\na,is,b\na,"is,c | x.csv, line 3: From this line on, a quotation mark
x.csv | what,start,phrase,end\nnode,a,, | x.csv, line 2, column “what”: This cell is 'node'; it can be question, concept
x.csv | what,start,phrase,end,id\nconcept,a,,,c1\nconcept,b,,,c1 | x.csv, line 3, column “id”: The id 'c1' is used twice
x.csv | start,phrase,end\na\na | x.csv, line 3, column “start”: The concept at line 2 is called “a” too
x.csv | start,phrase,end\na,is, | x.csv, line 2, column “end”: A concept needs a name
x.csv | 從,連接詞,到\na,is,\n | x.csv, line 2, column “到”: A concept needs a name
x.csv | start,phrase,end\na,LONG,b | x.csv, line 2, column “phrase”: The linking phrase has 81
x.txt | a\tis\tb\nLONG\tis\tb | x.txt, line 2, column “1”: The name of a concept has 81
x.csv | what,start,phrase,end,at\nconcept,a,,,5 | x.csv, line 2, column “at”: A concept's place is
x.xls |  | x.xls is not a mind map file that can be read; these can: .graphml, .json, .csv, .tsv, .txt, .mm, .opml.
x |  | x is not a mind map file that can be read
"""


@pytest.mark.parametrize("line", DAMAGED.strip().splitlines())
def test_a_damaged_file_is_refused_with_its_place(line: str) -> None:
    name, content, sentence = line.split("|")
    for short, long in {
        "\\n": "\n",
        "\\t": "\t",
        "LONG": "x" * 81,
        "NODES": '"nodes": [{"id": "a"}, {"id": "b"}]',
    }.items():
        content = content.replace(short, long)
    with pytest.raises(MapFileError) as refused:
        read_map(content.strip(" ").encode(), name.strip())
    assert sentence.strip() in str(refused.value)
    for language in LANGUAGES:
        words = refused.value.sentence(language)
        assert name.strip() in words
        assert "{" not in words.replace("{}", "")


@pytest.mark.parametrize("form", READERS)
def test_a_file_cut_anywhere_is_refused_or_read_and_never_raises_anything_else(form: str) -> None:
    content = (
        write_map(sample(), form) if form in WRITTEN else MM if form == "mm" else ""
    ).encode()
    ends = range(0, len(content) - 1, 37)
    refused = 0
    for end in ends:
        try:
            read_map(content[:end], f"cut.{form}")
        except MapFileError:
            refused += 1
    assert form not in ("graphml", "json", "mm") or refused == len(ends)
    for rest in (
        b"\x00",
        b"\xff\xfe",
        b"PK\x03\x04",
        b"\n\n",
        b"{}",
        b"<graphml>",
        b"\xff\xfe\x00",
    ):
        with pytest.raises(MapFileError):
            read_map(rest, f"x.{form}")


def test_a_file_that_is_too_large_or_of_an_unknown_form() -> None:
    with pytest.raises(MapFileError, match=r"large\.csv is too large"):
        read_map(b"x" * 1001, "large.csv", 1000)
    with pytest.raises(ValueError, match="'xls' is not one of graphml, json, csv, md"):
        write_map(sample(), "xls")
    assert set(WRITERS) == {*WRITTEN, "md"}


@pytest.mark.parametrize("language", ["", *LANGUAGES])
def test_a_table_says_everything_in_its_language_and_every_reader_knows_all_of_them(
    language: str,
) -> None:
    content = write_map(whole(), "csv", language)
    assert read_map(content.encode(), "map.csv") == whole()
    head, *lines = list(csv.reader(io.StringIO(content, newline="")))
    assert head == list(table_words("column", language).values())
    assert {line[0] for line in lines} == set(table_words("row", language).values())
    other = content.replace(
        ",".join(head), ",".join(table_words("column", "en").values()).upper(), 1
    )
    assert read_map(other.encode(), "map.csv") == whole()
    assert language or head == list(COLUMNS)
    assert language != "zh-Hant" or head[:4] == ["這一列是", "從", "連接詞", "到"]


def test_a_mistake_in_a_table_is_told_in_the_language_of_the_reader() -> None:
    with pytest.raises(MapFileError) as refused:
        read_map("從,連接詞,到\na,is,b\nb,is,\n".encode(), "t.csv")
    assert refused.value.sentence("zh-Hant") == "t.csv，第 3 行「到」這一欄：概念要有名稱。"
    with pytest.raises(MapFileError) as refused:
        read_map("從,到\na,b".encode(), "t.csv")
    assert "少了欄位 連接詞" in refused.value.sentence("zh-Hant")


def test_files_are_read_and_written_where_networkx_is_missing() -> None:
    code = "import sys; sys.modules.update(dict.fromkeys(['networkx', 'numpy', 'matplotlib']))\nfrom coursekit.maps.file_writer import *\nfrom coursekit.maps.file_reader import *\nfor form in ('json', 'graphml', 'csv'): read_map(write_map(MindMap('?'), form).encode(), 'x.' + form)"
    subprocess.run([sys.executable, "-c", code], check=True)


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
    mind_map = MindMap("# <b>*why*</b>")
    top, below = mind_map.add("effect", note="1\n# two"), mind_map.add("[a](javascript:x)")
    mind_map.link(below, "leads to", top)
    assert outline_text(mind_map) == (
        "# \\# \\<b\\>\\*why\\*\\</b\\>\n\n- **effect** – 1 \\# two\n"
        "  - ← *leads to* ← **\\[a\\](javascript:x)**\n"
    )


@checked
@given(MAPS)
def test_the_outline_tells_every_concept_once_and_every_relation_once(mind_map: MindMap) -> None:
    lines = re.sub(r"\\.", "x", outline_text(mind_map)).splitlines()  # marks in words are escaped
    bold = [line for line in lines if "**" in line and line.lstrip().startswith("- ")]
    assert len(bold) == len(mind_map.concepts)
    assert sum("→ " in line or "← " in line for line in lines) == len(mind_map.relations)
