"""The kernel's side of the mind-map editor: what a page may send, the answers, and the journal."""

import asyncio
import base64
import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from cells import send
from hypothesis import given, settings
from hypothesis import strategies as st
from lanes import some

from coursekit.games.wizard import Wizard
from coursekit.maps import journal_map
from coursekit.maps.editor import DOWNLOADS, FILES, Editor
from coursekit.maps.elements import CONCEPTS, Concept, MapError, Relation, check
from coursekit.maps.file_reader import read_map
from coursekit.maps.file_writer import write_map
from coursekit.maps.journal_map import JournalMap
from coursekit.maps.map_json import parse_changes, things_json
from coursekit.maps.mindmap import MindMap
from coursekit.maps.starters import starter_map
from coursekit.maps.widget import MapEditor
from coursekit.reflect import Journal, mind_map
from coursekit.table import Table
from coursekit.words.texts import text

KEY = "wikipedia/map"
Json = dict[str, Any]


class Browser:
    """Stands in for a page: asks an editor, and keeps what it hears without asking."""

    def __init__(self, journal: Journal, key: str = KEY, language: str = "en") -> None:
        self.heard: list[Json] = []
        self.answers: list[Json] = []
        game, _, name = key.partition("/")
        self.cell = MapEditor(game, name, language, journal=journal)
        self.cell.send = self.hear  # type: ignore[method-assign]
        self.editor = self.cell._editor
        self.number = 0

    def hear(self, message: Json, buffers: Any = None) -> None:
        (self.answers if "to" in message else self.heard).append(message)

    def send(self, message: Any) -> Json | None:
        """Send *message*, which may be anything, and return the answer."""
        self.answers.clear()
        self.cell.receive(message)
        json.dumps(self.answers, ensure_ascii=False, allow_nan=False).encode("utf-8")
        return self.answers[-1] if self.answers else None

    def ask(self, kind: str, **parts: Any) -> Json:
        self.number += 1
        answer = self.send({"type": kind, "n": self.number, "from": "view", **parts})
        assert answer is not None
        assert (answer["n"], answer["to"]) == (self.number, "view")
        return answer

    def change(self, changes: dict[str, Any]) -> Json:
        """Send *changes*, things or JSON by id."""
        sent = {
            key: fields._asdict() if isinstance(fields, tuple) else fields
            for key, fields in changes.items()
        }
        return self.ask("change", changes=json.loads(json.dumps(sent)))

    def add(self, *labels: str) -> Json:
        last = len(self.editor.map.things)
        return self.change(
            {f"c{last + at}-ab{at}d": Concept(label) for at, label in enumerate(labels)}
        )

    @property
    def labels(self) -> list[str]:
        return [concept.label for concept in self.editor.map.concepts.values()]

    @property
    def sentences(self) -> list[str]:
        return list(self.editor.map.sentences.values())


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    JournalMap._all.clear()
    yield Journal(tmp_path / "journal.json")
    JournalMap._all.clear()


@pytest.fixture
def cell(journal: Journal) -> Browser:
    return Browser(journal)


@pytest.fixture
def own_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The journal of cells that are given none."""
    path = tmp_path / "journal.json"
    monkeypatch.setenv("COURSEKIT_JOURNAL", str(path))
    return path


def other_kernel(journal: Journal, **more: Any) -> Browser:
    """Return a page whose kernel shares nothing with the others but the journal."""
    before = dict(JournalMap._all)
    JournalMap._all.clear()
    browser = Browser(journal, **more)
    JournalMap._all.update(before)
    return browser


def encode(words: str) -> str:
    return base64.b64encode(words.encode("utf-8")).decode()


def file(mind_map: MindMap, form: str = "json") -> str:
    return encode(write_map(mind_map, form))


def pair(start: str, phrase: str, end: str, kind: str = "") -> MindMap:
    """Return a map of one relation."""
    mind_map = MindMap("Why?")
    mind_map.link(mind_map.add(start), phrase, mind_map.add(end), kind=kind)
    return mind_map


BOOK = Concept("book", at=(10, -20))
TWO = {"c1": BOOK, "c2": Concept("wiki"), "r3-k3fa": Relation("c1", "lists", "c2", "cites")}


# Changes


def test_what_a_page_changes_is_kept_and_told_to_the_other_pages(
    cell: Browser, journal: Journal
) -> None:
    other, other_map = Browser(journal, language="zh-Hant"), Browser(journal, "wikipedia/other")
    assert cell.change(TWO)["type"] == "changed"
    assert cell.editor.map.things | TWO == cell.editor.map.things
    changed = next(message for message in other.heard if message["type"] == "changed")
    assert parse_changes(changed["changes"]) == TWO
    assert "changed" not in [message["type"] for message in (*cell.heard, *other_map.heard)]
    assert other.ask("open")["things"] == things_json(cell.editor.map.things)
    cell.change({"": {"focus": "Whom?", "top": "c2"}, "r3-k3fa": None, "c1": None})
    assert (cell.labels, cell.sentences, cell.editor.map.focus) == (["wiki"], [], "Whom?")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"c4": Concept("book")}, "a concept called “book” already"),
        ({"c4": Concept("ｂｏｏｋ")}, "called “ｂｏｏｋ” already"),
        ({"c4": Concept(" \x00")}, "needs a name"),
        ({"c4": Concept("x" * 81)}, "81 characters; at most 80"),
        ({"c4": Concept("x", note="y" * 2001)}, "2001 characters; at most 2000"),
        ({"c4": Concept("x", at=(0, 20_001))}, "two whole numbers from −20000 to 20000"),
        ({"c4": Concept("x", at=(0.5, 1))}, "two whole numbers"),  # type: ignore[arg-type]
        ({"c4": Concept(5)}, "has to be text, not 5"),  # type: ignore[arg-type]
        ({"r4": Relation("c1", "is", "c1")}, "“book” cannot be linked with itself"),
        ({"r4": Relation("c1", "lists", "c2")}, "linked with “wiki” by “lists” already"),
        ({"r4": Relation("c1", "is", "c9")}, "no 'c9' in this map"),
        ({"": {"focus": "", "top": "r3-k3fa"}}, "no 'r3-k3fa' in this map"),
        ({f"c{number}": Concept(f"{number}") for number in range(9, 209)}, "at most 200 concepts"),
        ({"c4": {"label": "x", "colour": "red"}}, "nothing was done"),
        ({"c4": {"start": "c1"}}, "nothing was done"),
        ({"c4 ": Concept("x")}, "nothing was done"),
        ({"c4": "x"}, "nothing was done"),
    ],
)
def test_what_is_refused_changes_nothing(
    cell: Browser, changes: dict[str, Any], words: str
) -> None:
    cell.change(TWO)
    before = cell.editor.map
    heard = len(cell.heard)
    reply = cell.change({"c0": Concept("fine")} | changes)
    assert reply["type"] == "refused"
    assert words in reply["text"]
    assert cell.editor.map == before
    assert len(cell.heard) == heard


WORDS = st.text("aB 0臺破\x00\n\u202e\U0001f9f6", max_size=4)
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats(-9, 9) | WORDS,
    lambda part: st.lists(part, max_size=3) | st.dictionaries(WORDS, part, max_size=3),
    max_leaves=5,
)
IDS = st.sampled_from(["c1", "c2", "c3", "r4", "r5", "", "no"])
TEXTS = dict.fromkeys(("label", "kind", "note", "card", "source"), WORDS)
PLACES = st.none() | st.lists(st.integers(-20_001, 20_001), min_size=2, max_size=2)
THINGS = st.one_of(
    st.none(),
    st.fixed_dictionaries(TEXTS | {"at": PLACES}),
    st.fixed_dictionaries(
        {"start": IDS, "phrase": WORDS, "end": IDS, "kind": WORDS, "note": WORDS}
    ),
    st.fixed_dictionaries({"focus": WORDS, "top": IDS}),
    JUNK,
)
SOME_FILES = [file(pair("a", "is", "b")), file(pair("a", "", "b"), "csv"), "", "ä", encode("{")]
PARTS = {
    "changes": st.dictionaries(IDS, THINGS, max_size=4),
    "content": st.sampled_from(SOME_FILES),
    "name": st.sampled_from(["a.json", "b.csv", "c.graphml", "\ud800.json"]),
    "form": st.sampled_from([*DOWNLOADS]),
    "of": st.sampled_from(["", "class"]),
    "least": st.integers(-1, 3),
    "which": st.sampled_from(["mine", "other", "both"]),
    "judge": st.sampled_from(["Ann", "", "x" * 99]),
    "relation": IDS,
    "word": st.sampled_from(["yes", "", "maybe"]),
    "pair": st.lists(WORDS, max_size=3),
    "same": st.lists(st.lists(WORDS, min_size=2, max_size=2), max_size=2),
    "files": st.lists(
        st.fixed_dictionaries({"name": st.just("a.json"), "content": st.sampled_from(SOME_FILES)}),
        max_size=3,
    ),
}


@st.composite
def messages(draw: st.DrawFn) -> Any:
    """Draw a message: most are of a known kind, with parts that are mostly right."""
    kinds = [kind for kind in Editor.messages.handlers if kind != "library"]
    kind = draw(st.sampled_from([*["change"] * len(kinds), *kinds]))
    message = {"type": kind}
    for part in Editor.messages.handlers[kind].parts:
        message[part] = draw(PARTS.get(part, WORDS) if draw(st.integers(0, 9)) else JUNK)
    if "file" in message:  # its fields travel as parts
        del message["file"]
        message |= {part: draw(PARTS[part]) for part in ("name", "content")}
    if not draw(st.integers(0, 9)):
        message.pop(draw(st.sampled_from(sorted(message))))
    return message if draw(st.integers(0, 20)) else draw(JUNK)


@settings(max_examples=some(80), deadline=None)
@given(st.lists(messages(), max_size=12))
def test_whatever_is_sent_the_map_stays_proper(
    tmp_path_factory: pytest.TempPathFactory, sent: list[Any]
) -> None:
    JournalMap._all.clear()
    folder = tmp_path_factory.mktemp("fuzz")
    cell = Browser(Journal(folder / "journal.json"))
    cell.editor.source._later = lambda save: None
    for message in sent:
        before = cell.editor.map
        reply = cell.send(message) or {"type": ""}
        check(cell.editor.map.things)
        json.dumps(cell.heard, allow_nan=False)
        assert "Error" not in reply.get("text", ""), "no message is a mistake of the kit"
        if reply["type"] == "refused":
            assert cell.editor.map == before
        if reply["type"] == "map":
            assert reply["things"] == things_json(cell.editor.map.things)
    cell.editor.source.save()
    assert other_kernel(Journal(folder / "journal.json")).editor.map == cell.editor.map


# Whole maps


def test_in_a_browser_that_keeps_no_files_the_map_says_so(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "emscripten")
    monkeypatch.delenv("COURSEKIT_DATA", raising=False)
    assert Browser(journal).ask("open")["notice"] == text("table.memory", "en")


def test_the_starter_map_takes_the_place_of_what_is_there(cell: Browser, journal: Journal) -> None:
    other = Browser(journal)
    cell.change(TWO)
    reply = cell.ask("starter", about="")
    assert cell.editor.map == starter_map("wikipedia", "en")
    assert reply["things"] == other.heard[-1]["things"]
    assert "no map to start from" in Browser(journal, "/ours").ask("starter", about="")["text"]


@pytest.mark.parametrize("form", ["json", "graphml", "csv"])
def test_what_is_exported_can_be_loaded(cell: Browser, form: str) -> None:
    cell.change(TWO | {"": {"focus": "Why?", "top": ""}})
    before = cell.editor.map
    exported = cell.ask("export", form=form)
    assert re.fullmatch(rf"wikipedia-map-\w{{4}}\.{form}", exported["name"])
    cell.change({"c1": None, "c2": None})
    reply = cell.ask("load", name=exported["name"], content=exported["content"])
    assert (reply["type"], reply["notice"]) == ("map", "")
    assert (cell.labels, cell.sentences) == (["book", "wiki"], ["book lists wiki"])
    assert cell.editor.map.focus == before.focus == "Why?"


def test_a_file_is_refused_with_what_is_wrong_and_a_notice_is_told(cell: Browser) -> None:
    cell.change(TWO)
    before = cell.editor.map
    broken = cell.ask("load", name="x" * 99 + ".json", content=encode("{"))
    assert broken["text"].startswith("x" * 75 + ".json, line 1")
    assert "mine.exe" in cell.ask("load", name="mine.exe", content=encode("a,b\n"))["text"]
    assert cell.editor.map == before
    nameless = '<graphml><graph edgedefault="directed"><node id="n0"/></graph></graphml>'
    reply = cell.ask("load", name="a.graphml", content=encode(nameless))
    assert (cell.labels, bool(reply["notice"])) == (["n0"], True)


# The journal


def test_a_map_that_was_saved_with_its_log_opens_with_the_same_concepts_and_places(
    journal: Journal,
) -> None:
    log = [["2026-03-05T08:00:00+00:00", {"c1": {"label": "book"}}], ["?", {"c1": None}]]
    old = {
        "directed": True,
        "multigraph": True,
        "graph": {"focus": "Why?", "top": "c2", "log": log},
        "nodes": [
            {"label": "book", "at": "1000 0", "id": "c1", "note": "a\nb"},
            {"label": "wiki", "kind": "card", "card": "wikipedia/wiki", "id": "c2"},
        ],
        "edges": [
            {"phrase": "lists", "kind": "cites", "source": "c1", "target": "c2", "key": "r3"}
        ],
    }
    journal.save_map(KEY, json.dumps(old))
    opened = parse_changes(Browser(journal).ask("open")["things"])
    assert opened == {
        "": ("Why?", "c2"),
        "c1": Concept("book", note="a\nb", at=(1000, 0)),
        "c2": Concept("wiki", "card", card="wikipedia/wiki"),
        "r3": Relation("c1", "lists", "c2", "cites"),
    }


def test_changes_are_saved_together_a_while_later_and_at_once_when_the_page_leaves(
    cell: Browser, journal: Journal
) -> None:
    waiting: list[Callable[[], None]] = []
    cell.editor.source._later = waiting.append
    assert cell.add("one")["saving"]
    cell.add("two")
    assert len(waiting) == 1
    assert KEY not in journal.maps()
    waiting.pop()()
    assert cell.heard[-1] == {"type": "saved", "saved": journal.maps()[KEY].saved, "other": ""}
    cell.add("three")
    assert cell.send({"type": "leave"}) is None
    assert "three" in journal.maps()[KEY].text
    heard = len(cell.heard)
    waiting.pop()()  # nothing left to do
    assert len(cell.heard) == heard


def test_a_map_is_saved_as_soon_as_its_journal_can_be_written(
    cell: Browser, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_map, "DELAY", 0)
    monkeypatch.setattr(journal_map, "AGAIN", 0.01)

    async def edit() -> None:
        journal.path.mkdir()
        cell.add("one")
        while not cell.heard or cell.heard[-1]["type"] != "failed":
            await asyncio.sleep(0.001)
        journal.path.rmdir()
        while cell.heard[-1]["type"] != "saved":  # without another change
            await asyncio.sleep(0.001)

    asyncio.run(asyncio.wait_for(edit(), 60))
    assert len(journal.maps()) == 1


@pytest.mark.parametrize("which", ["mine", "other", "both"])
def test_two_windows_lose_nothing(journal: Journal, which: str) -> None:
    one, two = other_kernel(journal), other_kernel(journal)
    one.add("theirs")
    two.add("mine")
    assert two.ask("open")["other"] == one.editor.source.saved
    reply = two.ask("keep", which=which)
    assert reply["other"] == ""
    assert two.labels == (["theirs"] if which == "other" else ["mine"])
    assert parse_changes(reply["things"]) == two.editor.map.things
    assert journal.maps()[KEY].others == ()
    if which == "both":
        assert reply["notice"] == text("map.kept_as", "en", name=f"{KEY} 2")
        assert two.ask("maps")["maps"] == two.ask("open")["maps"] == [f"{KEY} 2"]
        compared = two.ask("compare_map", key=f"{KEY} 2")
        assert [missing["text"] for missing in compared["missing"]] == ["theirs"]
    else:
        assert list(journal.maps()) == [KEY]


def test_a_window_without_news_takes_over_what_another_has_saved(journal: Journal) -> None:
    one, two = other_kernel(journal), other_kernel(journal)
    one.add("mine")
    copied = Browser(journal)
    two.ask("open")
    assert (two.labels, two.editor.source.other) == (["mine"], "")
    two.add("theirs")
    one.ask("open")
    assert one.labels == two.labels == ["mine", "theirs"]
    elsewhere = Browser(journal)  # shares its kernel with `copied`
    elsewhere.ask("open")
    assert copied.heard[-1]["things"] == things_json(two.editor.map.things)
    heard = len(copied.heard)
    elsewhere.ask("open")
    assert len(copied.heard) == heard, "nothing is new"
    journal.drop_map(KEY)
    one.ask("open")
    assert one.labels == []


@pytest.mark.parametrize("which", ["mine", "other", "both"])
def test_of_versions_in_between_only_those_are_settled_that_were_read(
    journal: Journal, which: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = other_kernel(journal), other_kernel(journal)
    for number in range(2):
        one.add(f"mine {number}")
        two.add(f"theirs {number}")
    read_before = journal.maps()[KEY].others
    assert len(read_before) > 1
    save = JournalMap.save

    def another_saves_first(self: JournalMap) -> None:
        if self is two.editor.source and len(one.labels) == 2:
            one.add("late")
        save(self)

    monkeypatch.setattr(JournalMap, "save", another_saves_first)
    reply = two.ask("keep", which=which)
    maps = journal.maps()
    versions = [maps[KEY].text, *(words for words, _ in maps[KEY].others)]
    assert any("late" in words for words in versions)
    assert not set(maps[KEY].others) & set(read_before)
    assert bool(reply["other"]) == bool(maps[KEY].others)
    assert which != "other" or "mine 1" in two.labels, "the newest of them"
    assert len(maps) == {"mine": 1, "other": 1}.get(which, 1 + len(read_before))


@pytest.mark.parametrize("is_open", [False, True])
def test_a_damaged_map_is_put_aside_and_told_once(journal: Journal, is_open: bool) -> None:
    if is_open:
        cell = Browser(journal)
    journal.save_map(KEY, "{")
    if not is_open:
        cell = Browser(journal)
    name = f"{KEY} 2"
    assert cell.ask("open")["notice"] == text("map.damaged", "en", name=name)
    assert cell.labels == []
    cell.change(TWO)
    assert journal.maps()[name].text == "{"
    assert read_map(journal.maps()[KEY].text.encode(), "a.json") == cell.editor.map
    assert cell.ask("open")["notice"] == ""


def test_a_damaged_journal_does_not_empty_the_map(cell: Browser, journal: Journal) -> None:
    cell.change(TWO)
    journal.path.write_text("{", encoding="utf-8")
    assert "damaged" in cell.ask("open")["notice"]
    assert cell.labels == ["book", "wiki"]
    cell.add("later")
    assert "later" in journal.maps()[KEY].text


def test_a_deleted_journal_empties_all_pages(cell: Browser, journal: Journal) -> None:
    cell.change(TWO)
    journal.delete()
    cell.editor.source.renew()
    assert cell.heard[-1]["things"] == things_json(MindMap().things)
    assert cell.labels == []


# Looking again


def test_judgements_are_kept_by_judge_and_only_for_what_was_judged(
    cell: Browser, journal: Journal
) -> None:
    cell.change(TWO)
    cell.ask("judge", judge="Ann", relation="r3-k3fa", word="yes")
    reply = cell.ask("judge", judge="Bo", relation="r3-k3fa", word="partly")
    verdicts = {"Ann": {"r3-k3fa": "yes"}, "Bo": {"r3-k3fa": "partly"}}
    assert reply["verdicts"] == journal.judgements(KEY, cell.editor.map.sentences) == verdicts
    assert 0 < reply["valid"] < reply["structure"]
    assert cell.ask("judge", judge="", relation="r3-k3fa", word="yes")["type"] == "refused"
    assert "no 'r9'" in cell.ask("judge", judge="Bo", relation="r9", word="yes")["text"]
    cell.change({"c1": BOOK._replace(label="Book!")})  # the same word
    assert cell.ask("study")["verdicts"] == verdicts
    cell.change({"r3-k3fa": TWO["r3-k3fa"]._replace(phrase="hides")})  # type: ignore[arg-type]
    assert not any(cell.ask("study")["verdicts"].values())
    cell.change(TWO)
    assert cell.ask("study")["verdicts"] == verdicts


def test_what_is_missing_can_be_added_as_it_is_told(cell: Browser) -> None:
    cell.add("wiki")
    theirs = starter_map("wikipedia", "en")
    theirs.add("alone")
    asked = {"name": "theirs.json", "content": file(theirs)}
    compared = cell.ask("compare_file", **asked)
    assert compared["name"] == "theirs.json"
    while compared["missing"]:
        missing = compared["missing"][len(compared["missing"]) // 2]
        assert cell.change(missing["changes"])["type"] == "changed"
        assert missing["text"] in [*cell.sentences, *cell.labels]
        compared = cell.ask("compare_file", **asked)
    assert set(cell.sentences) >= set(theirs.sentences.values())
    assert "alone" in cell.labels


def test_words_that_mean_the_same_are_remembered(cell: Browser) -> None:
    assert cell.ask("same", pair=["television", "TV"])["text"] == text("map.not_compared", "en")
    mine = pair("books", "causes", "television", "causes")
    cell.ask("load", name="a.json", content=file(mine))
    theirs = pair("book", "hinders", "TV", "blocks")
    before = cell.ask("compare_file", name="b.json", content=file(theirs))
    assert before["contradictions"] == []
    after = cell.ask("same", pair=["television", "TV"])
    assert after["contradictions"] == [{"id": "r3", "other": "book hinders TV", "how": "opposite"}]


def test_the_maps_of_a_class_are_merged_and_a_broken_one_is_named(cell: Browser) -> None:
    one = pair("haste", "causes", "mistakes", "causes")
    other, two = one.copy(), pair("haste", "blocks", "mistakes", "blocks")
    other.add("speed")
    two.link("c1", "is", two.add("hurry"))
    files = [
        {"name": f"{name}.json", "content": file(drawn)}
        for name, drawn in (("1", one), ("2", other), ("3", two))
    ]
    files.append({"name": "4.csv", "content": encode("what?")})
    files.append({"name": "1 again.csv", "content": file(one, "csv")})
    reply = cell.ask("merge", files=files, same=[])
    assert reply["maps"] == 3
    broken = cell.ask("load", name="4.csv", content=encode("what?"))["text"]
    twice = text("map.merged_twice", "en", file="1 again.csv", like="1.json")
    assert reply["broken"] == [broken, twice]
    assert reply["propositions"][0] == {"text": "haste causes mistakes", "weight": 2}
    assert [row["text"] for row in reply["disagreements"][0]] == [
        "haste causes mistakes",
        "haste blocks mistakes",
    ]
    check(parse_changes(reply["things"]))  # type: ignore[arg-type]
    assert reply["weights"].keys() == reply["things"].keys() - {""}
    assert cell.labels == []
    for least, labels in ((1, 4), (2, 2), (3, 2)):
        exported = cell.ask("export", form="json", of="class", least=least)
        assert "-class." in exported["name"]
        content = base64.b64decode(exported["content"])
        assert len(read_map(content, "a.json").concepts) == labels
    merged = cell.ask("merge", files=files, same=[["haste", "hurry"]])
    assert len(merged["things"]) < len(reply["things"])
    assert f"At most {FILES} files" in cell.ask("merge", files=files * 26, same=[])["text"]


# In a notebook


def test_a_graph_that_is_put_shows_at_once(cell: Browser) -> None:
    cell.change(TWO)
    graph = cell.cell.graph()
    graph.add_edge("c1", "new", phrase="has")
    cell.cell.put(graph)
    assert cell.heard[-1]["things"].keys() == cell.editor.map.things.keys()
    assert cell.labels == ["book", "wiki", "new"]
    saved = cell.editor.source.saved
    cell.cell.put(cell.cell.graph())
    assert cell.editor.source.saved == saved  # there was nothing to change
    with pytest.raises(MapError, match="have no direction"):
        cell.cell.put(nx.Graph([("a", "b")]))
    graph.add_node("long", label="x" * 99)
    with pytest.raises(MapError, match="99 characters"):
        cell.cell.put(graph)
    assert cell.labels == ["book", "wiki", "new"]


def test_nothing_that_is_drawn_gets_into_a_saved_notebook(own_journal: Path) -> None:
    cell = mind_map("wikipedia", "secret", "en")
    sent: list[Any] = []
    cell.send = sent.append  # type: ignore[method-assign]
    before = json.dumps(cell.get_state(), default=str, sort_keys=True)
    changes = things_json({"c1": Concept("typed here")}) | {"": {"focus": "asked?", "top": ""}}
    send(cell, {"type": "change", "n": 1, "changes": changes})
    assert sent[-1]["type"] == "changed"
    assert (cell.map.focus, cell.graph().nodes["c1"]["label"]) == ("asked?", "typed here")
    assert json.dumps(cell.get_state(), default=str, sort_keys=True) == before
    assert "typed here" not in before


def test_a_mistake_of_the_kit_is_told_in_one_sentence(
    own_journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cell = mind_map("wikipedia", "broken", "en")
    sent: list[Any] = []
    cell.send = sent.append  # type: ignore[method-assign]
    monkeypatch.setattr(cell._editor.source, "fetch", lambda: 1 / 0)
    send(cell, {"type": "open", "n": 7})
    assert (sent[-1]["type"], sent[-1]["n"]) == ("refused", 7)
    assert "ZeroDivisionError" in sent[-1]["text"]


def test_a_cell_knows_its_game_and_language(own_journal: Path) -> None:
    with pytest.raises(ValueError, match="no game 'chess'"):
        mind_map("chess")
    with pytest.raises(ValueError, match="no language 'fr'"):
        mind_map("wizard", "map", "fr")
    table = Table(Wizard(3), language="en")
    with pytest.raises(ValueError, match="about wikipedia, and the table plays wizard"):
        mind_map("wikipedia", table=table)
    cell = mind_map("wizard", table=table)
    assert cell._rules() == table.match.game
    setting = cell.setting
    assert (cell.key, setting["starter"]) == ("wizard/map", True)
    assert not mind_map("", "ours").setting["starter"]
    assert {kind["name"] for kind in setting["kinds"]} >= {"beats", "causes"}
    assert all(kind["phrase"] for kind in setting["kinds"])
    assert setting["limits"]["concepts"] == CONCEPTS
    assert cell._editor.source.journal.path == own_journal
