"""The kernel's side of the mind-map editor: what the browser may send, and what it is answered."""

import asyncio
import base64
import json
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from cells import send
from hypothesis import given, settings
from hypothesis import strategies as st
from lanes import some
from mindmaps import WORDS, sample, still

from coursekit.games.wizard import Wizard
from coursekit.kit import GAMES
from coursekit.maps import file_reader, journal_map
from coursekit.maps.drawing import draw_map
from coursekit.maps.editor import DOWNLOADS, Editor
from coursekit.maps.edits import MOST, edit_map
from coursekit.maps.elements import CONCEPTS, MapError, check
from coursekit.maps.file_reader import read_map
from coursekit.maps.file_writer import write_map
from coursekit.maps.journal_map import JournalMap
from coursekit.maps.map_json import things_json
from coursekit.maps.mindmap import MindMap
from coursekit.maps.starters import focus_question, map_cards, starter_map, starter_topics
from coursekit.maps.widget import MapEditor
from coursekit.reflect import Journal, mind_map
from coursekit.table import Table
from coursekit.words.texts import LANGUAGES, text
from coursekit.words.texts import load_texts as texts

KEY = "wikipedia/map"
Ops = list[list[Any]]


class Browser:
    """Stands in for map.js: asks an editor, and keeps what it hears without asking."""

    def __init__(self, journal: Journal, key: str = KEY, language: str = "en") -> None:
        self.told: list[dict[str, Any]] = []
        self.answers: list[dict[str, Any]] = []
        game, _, name = key.partition("/")
        self.cell = MapEditor(game, name, language, journal=journal)
        self.cell.send = self.hear  # type: ignore[method-assign]
        self.editor = self.cell._editor
        self.number = 0

    def hear(self, message: dict[str, Any], buffers: Any = None) -> None:
        """Take a message of the kernel; only an answer says to whom it goes."""
        (self.answers if "to" in message else self.told).append(message)

    def send(self, message: Any) -> dict[str, Any] | None:
        """Send *message*, which may be anything, and return the answer."""
        self.answers.clear()
        self.cell.receive(message)
        json.dumps(self.answers, ensure_ascii=False, allow_nan=False).encode("utf-8")
        return self.answers[-1] if self.answers else None

    def ask(self, kind: str, **parts: Any) -> dict[str, Any]:
        self.number += 1
        answer = self.send({"type": kind, "n": self.number, "from": "view", **parts})
        assert answer is not None
        assert (answer["n"], answer["to"]) == (self.number, "view")
        return answer

    def edit(self, *ops: list[Any]) -> dict[str, Any]:
        return self.ask("edit", do=list(ops))

    @property
    def labels(self) -> list[str]:
        return [concept.label for concept in self.editor.map.concepts.values()]

    @property
    def sentences(self) -> list[str]:
        return [self.editor.map.sentence(thing_id) for thing_id in self.editor.map.relations]


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    JournalMap._all.clear()
    yield Journal(tmp_path / "journal.json")
    JournalMap._all.clear()


@pytest.fixture
def cell(journal: Journal) -> Browser:
    return Browser(journal)


def other_kernel(journal: Journal, **more: Any) -> Browser:
    """Return a cell whose kernel shares nothing with the others but the journal."""
    before = dict(JournalMap._all)
    JournalMap._all.clear()
    made = Browser(journal, **more)
    JournalMap._all.update(before)
    return made


def file(mind_map: MindMap, form: str = "json") -> str:
    return encode(write_map(mind_map, form))


def encode(words: str) -> str:
    return base64.b64encode(words.encode("utf-8")).decode()


TWO: Ops = [
    ["add", {"label": "book"}],
    ["add", {"label": "wiki"}],
    ["link", "+0", "lists", "+1", {"kind": "cites"}],
]


# Edits


def test_a_list_of_edits_is_one_step_and_names_what_it_made(cell: Browser) -> None:
    reply = cell.edit(*TWO)
    assert reply["type"] == "changed"
    book, wiki, relation = reply["made"]
    assert reply["changes"].keys() == {book, wiki, relation}
    assert reply["changes"][relation] == {
        "start": book,
        "phrase": "lists",
        "end": wiki,
        "kind": "cites",
        "note": "",
    }
    assert reply["tree"]["above"] == {wiki: book}
    assert reply["can"] == {"undo": True, "redo": False}
    assert len(cell.editor.map.log) == 1
    undone = cell.ask("undo")
    assert (undone["type"], undone["concepts"], undone["relations"]) == ("map", {}, {})
    assert cell.ask("redo")["concepts"].keys() == {book, wiki}


def test_every_kind_of_edit(cell: Browser) -> None:
    book, wiki, relation = cell.edit(*TWO)["made"]
    reply = cell.edit(
        ["change", book, {"label": "a book", "note": "on paper"}],
        ["change", relation, {"phrase": "proves", "start": wiki, "end": book}],
        ["move", {book: [10, 20]}],
        ["ask", "Whom can we trust?"],
        ["top", wiki],
        ["add", {"label": "source", "at": [500, 600]}],
        ["link", "+0", "supports", wiki],
    )
    assert reply["head"] == {"focus": "Whom can we trust?", "top": wiki}
    assert reply["changes"][book]["at"] == (10, 20)
    assert cell.sentences == ["wiki proves a book", "source supports wiki"]
    assert cell.editor.map.concepts[reply["made"][0]].at == (500, 600)
    before = cell.editor.map.concepts[book].at
    assert cell.edit(["layout", "circle"])["changes"][book]["at"] != before
    gone = cell.edit(["remove", [wiki]])
    assert gone["changes"].keys() == {wiki, relation, reply["made"][1]}
    assert gone["head"]["top"] == ""


@pytest.mark.parametrize(
    ("ops", "words", "about"),
    [
        (
            [["add", {"label": "new"}], ["add", {"label": "book"}]],
            "a concept called “book” already",
            "+1",
        ),
        (
            [["add", {"label": "new"}], ["change", "+0", {"label": "book"}]],
            "a concept called “book” already",
            "+0",
        ),
        (
            [["change", "c1", {"label": "x"}], ["change", "c2", {"label": "x"}]],
            "called “x” already",
            "c2",
        ),
        ([["add", {"label": " "}]], "needs a name", "+0"),
        ([["add", {"label": "x" * 81}]], "81 characters; at most 80", "+0"),
        ([["add", {"label": "x", "at": [1, 2000]}]], "two whole numbers from 0 to 1000", "+0"),
        ([["add", {"label": 5}]], "has to be text, not 5", "+0"),
        ([["link", "c1", "is", "c1"]], "cannot be linked with itself", "+0"),
        ([["link", "c1", "is", "+7"]], "no '+7' in this map", "+0"),
        ([["remove", ["c9"]]], "no 'c9' in this map", None),
        ([["top", "r3"]], "no 'r3' in this map", None),
        ([["add", {"label": "x", "colour": "red"}]], "nothing was done", None),
        ([["change", "r3", {"label": "x"}]], "nothing was done", None),
        ([["link", "c1", "is", "c2", {"start": "c2"}]], "nothing was done", None),
        ([["layout", "star"]], "nothing was done", None),
        ([["explode"]], "nothing was done", None),
        (["add"], "nothing was done", None),
        ([["add", {"label": "x"}]] * (MOST + 1), "At most 2000 edits", None),
    ],
)
def test_what_is_refused_changes_nothing(
    cell: Browser, ops: Ops, words: str, about: str | None
) -> None:
    cell.edit(*TWO)
    before, steps = cell.editor.map, len(cell.editor.map.log)
    reply = (
        cell.edit(["add", {"label": "fine"}], *ops)
        if about != "+0" and about != "+1"
        else cell.edit(*ops)
    )
    assert reply["type"] == "refused"
    assert words in reply["text"]
    assert reply["about"] == about
    assert cell.editor.map == before
    assert len(cell.editor.map.log) == steps
    assert [message for message in cell.told if message["type"] == "changed"] == []


def test_a_new_concept_without_a_place_gets_one_beside_what_it_belongs_to(cell: Browser) -> None:
    cell.edit(
        ["add", {"label": "far", "at": [900, 900]}], ["add", {"label": "near", "at": [200, 200]}]
    )
    reply = cell.edit(["add", {"label": "new"}], ["link", "c2", "has", "+0"])
    across, down = reply["changes"][reply["made"][0]]["at"]
    assert 40 < abs(across - 200) + abs(down - 200) < 400
    assert reply["changes"].keys() == set(reply["made"])  # the others stay


def test_the_number_of_concepts_is_limited(cell: Browser) -> None:
    cell.edit(*(["add", {"label": f"{number}", "at": [number, 0]}] for number in range(CONCEPTS)))
    assert cell.edit(["add", {"label": "more"}])["text"].startswith(
        "A map holds at most 200 concepts"
    )


def test_nothing_to_undo_is_said(cell: Browser) -> None:
    assert cell.ask("undo")["text"] == text("map.nothing_to_undo", "en")
    assert cell.ask("redo")["text"] == text("map.nothing_to_redo", "en")


# Messages


@pytest.mark.parametrize(
    "message", [None, [], "open", {}, {"type": None}, {"type": ["open"]}, {"type": "_whole"}]
)
def test_what_is_no_message_is_refused(cell: Browser, message: Any) -> None:
    answer = cell.send(message)
    assert answer is not None
    assert (answer["type"], answer["text"]) == ("refused", text("message.invalid", "en"))


@pytest.mark.parametrize(
    "kind", [kind for kind, handler in Editor.messages.handlers.items() if handler.parts]
)
def test_a_message_with_a_part_missing_is_refused(cell: Browser, kind: str) -> None:
    if kind == "compare_starter":  # everything, unless it says what about
        return
    reply = cell.ask(kind)
    assert (reply["type"], reply["text"]) == ("refused", text("message.invalid", "en"))


JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-5, 5)
    | st.floats(allow_nan=False, allow_infinity=False)
    | WORDS,
    lambda part: st.lists(part, max_size=3) | st.dictionaries(WORDS, part, max_size=3),
    max_leaves=5,
)
IDS = st.sampled_from(["c1", "c2", "r3", "c4", "+0", "+1", "", "no"])
FIELDS = st.dictionaries(
    st.sampled_from(
        ["label", "kind", "note", "card", "source", "at", "start", "phrase", "end", "x"]
    ),
    WORDS | st.tuples(st.integers(-1, 1001), st.integers(0, 9)).map(list) | IDS | JUNK,
    max_size=3,
)
OPS = st.one_of(
    st.builds(lambda label, more: ["add", {**more, "label": label}], WORDS, FIELDS),
    st.builds(lambda label: ["add", {"label": label}], WORDS),
    st.builds(lambda one, words, other: ["link", one, words, other], IDS, WORDS, IDS),
    st.builds(lambda thing_id, fields: ["change", thing_id, fields], IDS, FIELDS),
    st.builds(lambda ids: ["remove", ids], st.lists(IDS, max_size=2)),
    st.builds(
        lambda what, thing_id: [what, thing_id],
        st.sampled_from(["ask", "top", "layout", "remove", "move"]),
        IDS | JUNK,
    ),
    st.builds(lambda name: ["layout", name], st.sampled_from(["rings", "circle"])),
    JUNK,
)
CONTENTS = (
    st.sampled_from([file(sample()), file(sample(), "csv"), file(MindMap()), "", "ä", encode("{")])
    | JUNK
)
NAMES = st.sampled_from(["a.json", "b.csv", "c.graphml", "\ud800.json"]) | JUNK
FILES = st.fixed_dictionaries({"name": NAMES, "content": CONTENTS})
PARTS = sorted({part for handler in Editor.messages.handlers.values() for part in handler.parts})
SENT = st.one_of(
    *[st.fixed_dictionaries({"type": st.just("edit"), "do": st.lists(OPS, max_size=4)})] * 4,
    st.fixed_dictionaries(
        {"type": st.sampled_from(["undo", "redo", "open", "draw", "study", "replay", "leave"])}
    ),
    st.builds(lambda file: {**file, "type": "load"}, FILES),
    st.builds(
        lambda kind, what, file: {**file, "type": kind, "step": what, "key": what, "about": what},
        st.sampled_from(["compare_starter", "compare_step", "compare_map", "compare_file"]),
        st.sampled_from(["", "a", "?", 0, 1, -1, 10**30]) | JUNK,
        FILES,
    ),
    st.fixed_dictionaries(
        {
            "type": st.just("merge"),
            "files": st.lists(FILES | JUNK, max_size=3),
            "least": st.integers(-1, 3),
            "same": st.lists(st.lists(WORDS, min_size=2, max_size=2) | JUNK, max_size=2),
        }
    ),
    st.builds(
        lambda judge, thing_id, word: {
            "type": "judge",
            "judge": judge,
            "relation": thing_id,
            "word": word,
        },
        st.sampled_from(["Ann", "", "x" * 99]),
        IDS,
        st.sampled_from(["yes", "", "maybe"]),
    ),
    st.builds(
        lambda pair: {"type": "same", "pair": pair}, st.lists(WORDS, min_size=2, max_size=2) | JUNK
    ),
    st.builds(
        lambda kind, about: {"type": kind, "about": about, "which": about, "form": about},
        st.sampled_from(["starter", "keep", "export"]),
        st.sampled_from(
            ["", "mine", "other", "both", "json", "csv", "outline", "graphml", "\ud800"]
        ),
    ),
    st.builds(
        lambda kind, rest: {**rest, "type": kind},
        st.sampled_from([*Editor.messages.handlers]),
        st.dictionaries(st.sampled_from(PARTS), JUNK),
    ),
)


@settings(max_examples=some(60), deadline=None)
@given(st.lists(SENT, max_size=12))
def test_whatever_is_sent_the_map_stays_proper(
    tmp_path_factory: pytest.TempPathFactory, sent: list[Any]
) -> None:
    JournalMap._all.clear()
    cell = Browser(Journal(tmp_path_factory.mktemp("fuzz") / "journal.json"))
    cell.editor.source._later = lambda save: None
    for message in sent:
        reply = cell.send(message)
        mind_map = cell.editor.map
        json.dumps([reply, cell.told], ensure_ascii=False, allow_nan=False).encode("utf-8")
        check(mind_map.things)
        assert all(concept.at for concept in mind_map.concepts.values())
        if reply and reply["type"] in ("map", "changed"):
            assert reply["can"]["undo"] == bool(mind_map.log)
        if reply and reply["type"] == "map":
            assert reply["concepts"] == things_json(mind_map.concepts)
    while cell.send({"type": "undo"})["type"] == "map":  # type: ignore[index]
        check(cell.editor.map.things)
        assert all(concept.at for concept in cell.editor.map.concepts.values())


# Cards and starter maps


def test_a_card_is_drawn_that_is_not_on_the_map_until_all_are(cell: Browser) -> None:
    drawn = set()
    for number in range(len(map_cards("wikipedia", "en"))):
        card = cell.ask("draw")["card"]
        drawn.add(card["card"])
        # One of them is written by hand, under the card's name.
        made = {"label": card["label"]} | ({"card": card["card"]} if number else {})
        assert cell.edit(["add", made])["type"] == "changed"
    assert drawn == {card.card for card in map_cards("wikipedia", "en")}
    assert cell.ask("draw")["text"] == text("map.all_drawn", "en")


def test_a_map_of_no_game_has_no_cards_and_no_starter(journal: Journal) -> None:
    cell = Browser(journal, "/ours")
    assert cell.ask("draw")["text"] == text("map.no_cards", "en")
    assert cell.ask("starter", about="")["text"].startswith("There is no map to start from")


def test_the_starter_map_is_one_step_with_places(cell: Browser) -> None:
    cell.edit(*TWO)
    reply = cell.ask("starter", about="")
    assert cell.editor.map.focus == starter_map("wikipedia", "en").focus
    assert len(reply["concepts"]) == len(starter_map("wikipedia", "en").concepts)
    assert all(concept["at"] for concept in reply["concepts"].values())
    assert cell.ask("undo")["concepts"].keys() == {"c1", "c2"}


@pytest.mark.parametrize("game", GAMES)
def test_kinds_of_concepts_have_words_in_every_language(game: str) -> None:
    for language in LANGUAGES:
        abouts = ["", *(about for about, _ in starter_topics(game, language))]
        maps = [starter_map(game, language, about) for about in abouts]
        found = {concept.kind for mind_map in maps for concept in mind_map.concepts.values()}
        found |= {card.kind for card in map_cards(game, language)}
        assert not [
            kind
            for kind in found - {""}
            if not texts().get(f"map.ui.kind_{kind}", {}).get(language)
        ]


# Files


@pytest.mark.parametrize("form", ["json", "graphml", "csv"])
def test_what_is_exported_can_be_loaded(cell: Browser, form: str) -> None:
    cell.edit(*TWO, ["ask", "Why?"])
    before = cell.editor.map
    exported = cell.ask("export", form=form)
    assert re.fullmatch(rf"wikipedia-map-\w{{4}}\.{form}", exported["name"])
    cell.edit(["remove", ["c1", "c2"]])
    assert cell.ask("load", name=exported["name"], content=exported["content"])["type"] == "map"
    assert cell.labels == ["book", "wiki"]
    assert cell.sentences == ["book lists wiki"]
    assert cell.editor.map.focus == before.focus == "Why?"
    cell.ask("undo")
    assert cell.labels == []


def test_a_file_loaded_into_an_untouched_map_comes_with_how_it_grew(
    cell: Browser, journal: Journal
) -> None:
    grown = sample()
    assert cell.ask("load", name="a.json", content=file(grown))["steps"] == len(grown.log)
    assert len(cell.ask("replay")["steps"]) == len(grown.log)


@pytest.mark.parametrize(
    ("form", "start"),
    [("outline", b"# Why?\n\n- **book**"), ("png", b"\x89PNG"), ("svg", b"<?xml")],
)
def test_files_to_look_at(cell: Browser, form: str, start: bytes) -> None:
    cell.edit(*TWO, ["add", {"label": "\U0001f9f6"}], ["ask", "Why?"])
    exported = cell.ask("export", form=form)
    content = base64.b64decode(exported["content"])
    assert content.startswith(start)
    assert re.fullmatch(rf"wikipedia-map-\w{{4}}\.{DOWNLOADS[form][0]}", exported["name"])
    assert exported["mime"] == DOWNLOADS[form][1]
    assert ("\U0001f9f6" in exported["notice"]) == (form != "outline")  # no font of the kit has it


def test_what_nobody_asked_is_asked_by_the_game_in_files_to_look_at_and_in_no_other(
    cell: Browser,
) -> None:
    cell.edit(*TWO)
    suggested = focus_question("wikipedia", "en")
    assert suggested in cell.cell.picture().alt
    assert not cell.editor.map.focus
    for own in ("", "Why?"):
        cell.edit(["ask", own])
        told = {
            form: base64.b64decode(cell.ask("export", form=form)["content"]).decode()
            for form in DOWNLOADS
            if form != "png"
        }
        assert told["outline"].startswith(f"# {own or suggested}")
        assert (told["svg"] == draw_map(cell.editor.map, "en").svg.decode()) == bool(own)
        assert not any(suggested in told[form] for form in ("json", "graphml", "csv"))


def test_a_csv_begins_with_the_mark_that_spreadsheets_want(cell: Browser) -> None:
    assert base64.b64decode(cell.ask("export", form="csv")["content"]).startswith(b"\xef\xbb\xbf")


def test_a_broken_file_is_refused_with_what_is_wrong(cell: Browser) -> None:
    reply = cell.ask("load", name="mine.csv", content=encode("a,b\n"))
    assert reply["text"].startswith(
        "mine.csv, line 1: The column from, linking phrase, to is missing"
    )
    reply = cell.ask("load", name="mine.txt", content=encode("a,b\n"))
    assert reply["text"].startswith("mine.txt is not a mind map")
    reply = cell.ask("load", name="x" * 99 + ".json", content=encode("{"))
    assert reply["text"].startswith("x" * 75 + ".json, line 1: This is not valid JSON")


# The journal


def test_a_restarted_kernel_has_the_map_and_can_undo(cell: Browser, journal: Journal) -> None:
    cell.edit(*TWO)
    cell.edit(["ask", "Why?"])
    again = other_kernel(journal)
    reply = again.ask("open")
    assert (reply["head"]["focus"], reply["saved"]) == ("Why?", journal.maps()[KEY].saved)
    assert reply["can"]["undo"]
    again.ask("undo")
    assert again.ask("undo")["concepts"] == {}


def test_edits_are_saved_together_a_while_later_and_at_once_when_the_browser_leaves(
    cell: Browser, journal: Journal
) -> None:
    waiting: list[Callable[[], None]] = []
    cell.editor.source._later = waiting.append
    cell.edit(["add", {"label": "one"}])
    cell.edit(["add", {"label": "two"}])
    assert len(waiting) == 1
    assert KEY not in journal.maps()
    waiting.pop()()
    assert cell.told[-1] == {"type": "saved", "saved": journal.maps()[KEY].saved, "other": ""}
    cell.edit(["add", {"label": "three"}])
    assert len(waiting) == 1
    assert cell.send({"type": "leave"}) is None
    assert "three" in journal.maps()[KEY].text
    told = len(cell.told)
    waiting.pop()()  # nothing left to do
    assert len(cell.told) == told


def test_in_a_running_loop_edits_wait(
    cell: Browser, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_map, "DELAY", 0.0)

    async def edits() -> bool:
        cell.edit(["add", {"label": "one"}])
        there = KEY in journal.maps()
        await asyncio.sleep(0.05)
        return there

    assert not asyncio.run(edits())
    assert KEY in journal.maps()


def test_a_map_is_saved_as_soon_as_its_journal_can_be_written(
    cell: Browser, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_map, "DELAY", 0)
    monkeypatch.setattr(journal_map, "AGAIN", 0.01)

    async def edit() -> None:
        journal.path.mkdir()
        cell.edit(["add", {"label": "one"}])
        while not cell.told or cell.told[-1]["type"] != "failed":
            await asyncio.sleep(0.001)
        journal.path.rmdir()
        while cell.told[-1]["type"] != "saved":  # without another edit
            await asyncio.sleep(0.001)

    asyncio.run(asyncio.wait_for(edit(), 60))
    assert len(journal.maps()) == 1


def test_a_journal_that_cannot_be_written_is_told_and_tried_again(
    cell: Browser, journal: Journal
) -> None:
    journal.path.mkdir()
    cell.edit(["add", {"label": "one"}])
    assert cell.told[-1]["type"] == "failed"
    assert f"{journal.path.parent.name}/journal.json cannot be written" in cell.told[-1]["text"]
    journal.path.rmdir()
    cell.send({"type": "leave"})
    assert cell.told[-1]["type"] == "saved"


@pytest.mark.parametrize("which", ["mine", "other", "both"])
def test_two_windows_lose_nothing(journal: Journal, which: str) -> None:
    one, two = other_kernel(journal), other_kernel(journal)
    one.edit(["add", {"label": "mine"}])
    two.edit(["add", {"label": "theirs"}])
    assert two.ask("open")["other"] == one.editor.source.saved
    reply = two.ask("keep", which=which)
    assert reply["other"] == ""
    assert two.labels == (["mine"] if which == "other" else ["theirs"])
    assert journal.maps()[KEY].others == ()
    if which == "other":
        assert [concept["label"] for concept in two.ask("undo")["concepts"].values()] == ["theirs"]
    if which == "both":
        assert reply["notice"] == text("map.kept_as", "en", name=f"{KEY} 2")
        assert f"{KEY} 2" in two.ask("open")["maps"]
        compared = two.ask("compare_map", key=f"{KEY} 2")
        assert [concept["label"] for concept in compared["missing"]["concepts"]] == ["mine"]
    else:
        assert list(journal.maps()) == [KEY]


def test_a_window_without_news_takes_over_what_another_has_saved(journal: Journal) -> None:
    one, two = other_kernel(journal), other_kernel(journal)
    one.edit(["add", {"label": "mine"}])
    assert [concept["label"] for concept in two.ask("open")["concepts"].values()] == ["mine"]
    assert two.ask("open")["other"] == ""
    two.edit(["add", {"label": "theirs"}])
    assert len(one.ask("open")["concepts"]) == 2
    journal.drop_map(KEY)
    assert one.ask("open")["concepts"] == {}


def test_all_cells_are_told_of_a_map_that_one_of_them_fetches(
    cell: Browser, journal: Journal
) -> None:
    cell.edit(["add", {"label": "ours"}])
    elsewhere = other_kernel(journal)
    elsewhere.edit(["change", "c1", {"label": "theirs"}])
    copied = Browser(journal)
    assert cell.told[-1]["type"] == "saved"
    fetched = copied.ask("open")
    assert [concept["label"] for concept in fetched["concepts"].values()] == ["theirs"]
    assert (cell.told[-1]["type"], cell.told[-1]["concepts"]) == ("map", fetched["concepts"])
    told = len(cell.told)
    copied.ask("open")
    assert len(cell.told) == told  # nothing is new


@pytest.mark.parametrize("which", ["mine", "other", "both"])
def test_of_versions_in_between_only_those_are_settled_that_were_read(
    journal: Journal, which: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = other_kernel(journal), other_kernel(journal)
    for number in range(2):
        one.edit(["add", {"label": f"mine {number}"}])
        two.edit(["add", {"label": f"theirs {number}"}])
    read_before = journal.maps()[KEY].others
    assert len(read_before) > 1
    save = JournalMap.save

    def another_saves_first(self: JournalMap) -> None:
        if self is two.editor.source and len(one.labels) == 2:
            one.edit(["add", {"label": "late"}])
        save(self)

    monkeypatch.setattr(JournalMap, "save", another_saves_first)
    reply = two.ask("keep", which=which)
    there = journal.maps()
    late = [
        read_map(words.encode(), "a.json")
        for words in (there[KEY].text, *(words for words, _ in there[KEY].others))
    ]
    assert any(
        "late" in [concept.label for concept in mind_map.concepts.values()] for mind_map in late
    )
    assert not set(there[KEY].others) & set(read_before)
    assert bool(reply["other"]) == bool(there[KEY].others)
    assert which != "other" or "mine 1" in two.labels, "the newest of them"
    assert len(there) == {"mine": 1, "other": 1}.get(which, 1 + len(read_before))


def test_a_map_that_was_kept_without_places_has_some_whatever_is_undone(journal: Journal) -> None:
    journal.save_map(KEY, write_map(sample(), "json"))
    cell = Browser(journal)
    assert cell.editor.map.concepts.keys() == sample().concepts.keys()
    assert len(cell.editor.map.log) == len(sample().log)
    while (reply := cell.ask("undo"))["type"] == "map":
        assert all(concept["at"] for concept in reply["concepts"].values())
    assert cell.labels == []


def test_a_damaged_map_is_kept_aside(journal: Journal) -> None:
    journal.save_map(KEY, "{")
    cell = Browser(journal)
    reply = cell.ask("open")
    assert reply["notice"] == text("map.damaged", "en", name=f"{KEY} 2")
    assert journal.maps()[f"{KEY} 2"].text == "{"
    cell.edit(*TWO)
    assert read_map(journal.maps()[KEY].text.encode(), "a.json") == cell.editor.map
    assert cell.ask("open")["notice"] == ""


def test_a_damaged_journal_does_not_empty_the_map(cell: Browser, journal: Journal) -> None:
    cell.edit(*TWO)
    journal.path.write_text("{", encoding="utf-8")
    reply = cell.ask("open")
    assert "damaged" in reply["notice"]
    assert len(reply["concepts"]) == 2
    cell.edit(["ask", "Why?"])
    assert "Why?" in journal.maps()[KEY].text


def test_copied_cells_show_the_same_map(journal: Journal) -> None:
    one, two, else_ = (
        Browser(journal),
        Browser(journal, language="zh-Hant"),
        Browser(journal, "wikipedia/other"),
    )
    reply = one.edit(*TWO)
    told = next(message for message in two.told if message["type"] == "changed")
    assert told["changes"] == reply["changes"]
    assert two.labels == one.labels == ["book", "wiki"]
    two.ask("undo")
    assert one.told[-1]["concepts"] == {}
    assert else_.told == []


def test_a_long_history_is_shortened_from_its_beginning(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("coursekit.maps.file_writer.LOGGED", 700)
    cell = Browser(journal)
    for number in range(20):
        cell.edit(["add", {"label": f"concept {number}"}])
    again = other_kernel(journal)
    assert again.labels == cell.labels
    assert 2 <= len(again.editor.map.log) <= 8
    while again.ask("undo")["type"] == "map":
        pass
    assert again.labels == cell.labels[: len(again.labels)]
    assert len(again.labels) >= 12


# Looking again


def test_judgements_are_kept_by_the_name_of_the_judge(cell: Browser, journal: Journal) -> None:
    cell.edit(*TWO)
    cell.ask("judge", judge="Ann", relation="r3", word="yes")
    reply = cell.ask("judge", judge="Bo", relation="r3", word="partly")
    assert reply["propositions"] == [
        {"id": "r3", "sentence": "book lists wiki", "said": {"Ann": "yes", "Bo": "partly"}}
    ]
    assert [(judge["judge"], judge["valid"], judge["open"]) for judge in reply["judges"]] == [
        ("Ann", 6, 0),
        ("Bo", 3, 0),
    ]
    assert (reply["structure"], reply["valid"], reply["open"]) == (
        6,
        3,
        0,
    )  # one level, one proposition
    assert sum(element["structure"] * element["points"] for element in reply["elements"]) == 6
    assert journal.judgements(KEY, cell.editor.map.sentences) == {
        "Ann": {"r3": "yes"},
        "Bo": {"r3": "partly"},
    }
    assert cell.ask("judge", judge="Bo", relation="r3", word="")["valid"] == 6
    assert "no 'r9'" in cell.ask("judge", judge="Bo", relation="r9", word="yes")["text"]
    assert cell.ask("judge", judge="", relation="r3", word="yes")["type"] == "refused"


def test_a_proposition_that_says_something_else_has_to_be_judged_again(
    cell: Browser, journal: Journal
) -> None:
    cell.edit(*TWO, ["link", "+1", "needs", "+0"])
    for thing_id in ("r3", "r4"):
        cell.ask("judge", judge="Ann", relation=thing_id, word="yes")
    cell.edit(["change", "c1", {"label": "Book!"}])  # the same word
    assert cell.ask("study")["open"] == 0
    cell.edit(["change", "r3", {"phrase": "does not list"}])
    assert [proposition["said"] for proposition in cell.ask("study")["propositions"]] == [
        {},
        {"Ann": "yes"},
    ]
    cell.ask("undo")
    assert cell.ask("study")["open"] == 0
    cell.ask("redo")
    cell.editor.source._later = lambda save: None
    cell.edit(["change", "r4", {"phrase": "does not need"}])
    assert cell.ask("judge", judge="Ann", relation="r3", word="no")["open"] == 1  # not yet saved
    # A map with the same ids that says something else does not inherit them either.
    strange = MindMap(clock=still)
    one, other = strange.add("x"), strange.add("y")
    strange.link(one, "is", other)
    strange.link(other, "is", one)
    cell.ask("load", name="a.json", content=file(strange))
    assert cell.sentences == ["x is y", "y is x"]
    assert cell.ask("study")["open"] == 2


def test_a_judgement_is_not_taken_over_by_what_another_window_drew(journal: Journal) -> None:
    one, two = other_kernel(journal), other_kernel(journal)
    one.edit(*TWO)
    one.ask("judge", judge="Ann", relation="r3", word="yes")
    two.edit(
        ["add", {"label": "x"}], ["add", {"label": "y"}], ["link", "+0", "is", "+1"]
    )  # r3 again
    assert [proposition["said"] for proposition in two.ask("study")["propositions"]] == [{}]
    assert [proposition["said"] for proposition in one.ask("study")["propositions"]] == [
        {"Ann": "yes"}
    ]


def test_the_numbers_have_their_words_in_every_language(journal: Journal) -> None:
    for language in LANGUAGES:
        cell = Browser(journal, language=language)
        reply = cell.ask("study")
        assert (
            len({measure["hint"] for measure in reply["measures"]}) == len(reply["measures"]) == 14
        )
        assert all(element["label"] for element in [*reply["measures"], *reply["elements"]])
        assert sum(measure["main"] for measure in reply["measures"]) == 4
    cell.edit(*TWO)
    reply = cell.ask("study")
    assert reply["hubs"][0] == {"id": "c1", "label": "book", "relations": 1, "between": 0}
    assert reply["tied"] == 2
    assert reply["parts"] == reply["groups"] == [["c1", "c2"]]


def test_what_is_missing_can_be_added_as_it_is_told(cell: Browser) -> None:
    """Edit by edit, in any order, until nothing is missing."""
    cell.edit(["add", {"label": "wiki"}])
    content = file(sample())
    compared = cell.ask("compare_file", name="theirs.json", content=content)
    assert (compared["name"], compared["shared"]["concepts"]) == ("theirs.json", ["wiki"])
    while missing := compared["missing"]["propositions"]:
        assert cell.ask("edit", do=missing[-1]["do"])["type"] == "changed"
        assert missing[-1]["sentence"] in cell.sentences
        compared = cell.ask("compare_file", name="theirs.json", content=content)
    assert [concept["label"] for concept in compared["missing"]["concepts"]] == ["alone"]
    cell.ask("edit", do=compared["missing"]["concepts"][0]["do"])
    compared = cell.ask("compare_file", name="theirs.json", content=content)
    assert compared["overlap"] == {"concepts": 1, "propositions": 1}


def test_words_that_mean_the_same_are_remembered(cell: Browser) -> None:
    cell.edit(
        ["add", {"label": "books"}],
        ["add", {"label": "television"}],
        ["link", "+0", "causes", "+1"],
    )
    other = MindMap()
    other.link(other.add("book"), "hinders", other.add("TV"), kind="blocks")
    assert cell.ask("same", pair=["television", "TV"])["text"] == text("map.not_compared", "en")
    compared = cell.ask("compare_file", name="a.json", content=file(other))
    assert compared["overlap"] == {"concepts": 0.333, "propositions": 0}
    compared = cell.ask("same", pair=["television", "TV"])
    assert compared["overlap"]["concepts"] == 1
    cell.edit(["change", "r3", {"kind": "causes"}])
    compared = cell.ask("compare_file", name="a.json", content=file(other))
    assert compared["contradictions"] == [
        {
            "id": "r3",
            "mine": "books causes television",
            "other": "book hinders TV",
            "how": "opposite",
        }
    ]


def test_a_map_is_compared_with_its_own_beginning_and_with_the_rules(cell: Browser) -> None:
    cell.edit(*TWO)
    cell.edit(["add", {"label": "later"}])
    compared = cell.ask("compare_step", step=1)
    assert compared["mine"]["concepts"] == [{"id": "c4", "label": "later"}]
    assert compared["name"] == text("map.beside.step", "en", step=1)
    assert cell.ask("compare_starter")["name"] == text("map.beside.starter", "en")
    assert cell.ask("compare_step", step=9)["text"] == text("map.no_step", "en", got=9, last=2)
    assert cell.ask("compare_map", key="x")["text"] == text("map.no_map", "en", name="'x'")


def test_the_maps_of_a_class_are_merged_and_a_broken_one_is_named(
    cell: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = MindMap("Why?"), MindMap("Why?")
    for pupil_map, kind in ((one, "causes"), (two, "blocks")):
        pupil_map.link(pupil_map.add("haste"), kind, pupil_map.add("mistakes"), kind=kind)
    two.link("c1", "is", two.add("hurry"))
    other = MindMap.of(one.graph())
    other.add("speed")
    pupils = (("1", one), ("2", other), ("3", two))
    files = [{"name": f"{name}.json", "content": file(mind_map)} for name, mind_map in pupils]
    files.append({"name": "4.csv", "content": encode("what?")})
    files.append({"name": "1 again.csv", "content": file(one, "csv")})
    reply = cell.ask("merge", files=files, least=2, same=[])
    assert reply["maps"] == 3
    assert reply["broken"] == [
        cell.ask("load", name="4.csv", content=encode("what?"))["text"],
        text("map.merged_twice", "en", file="1 again.csv", like="1.json"),
    ]
    assert reply["propositions"][0] == {"sentence": "haste causes mistakes", "weight": 2}
    assert reply["disagreements"] == [
        {
            "sentences": ["haste causes mistakes", "haste blocks mistakes"],
            "weights": [2, 1],
            "how": "opposite",
        }
    ]
    assert [concept["label"] for concept in reply["map"]["concepts"].values()] == [
        "haste",
        "mistakes",
    ]
    assert reply["map"]["head"]["focus"] == "Why?"
    assert all(concept["at"] for concept in reply["map"]["concepts"].values())
    assert cell.editor.map == MindMap()
    monkeypatch.setattr(
        file_reader, "_read_steps", lambda data: 1 / 0
    )  # how each grew is not even read
    reply = cell.ask("merge", files=files, least=1, same=[["haste", "hurry"]])
    assert len(reply["map"]["concepts"]) == 3
    assert cell.ask("merge", files=files * 26, least=1, same=[])["text"].startswith(
        "At most 100 files"
    )


def test_the_replay_leads_to_the_map(cell: Browser) -> None:
    cell.edit(*TWO)
    cell.edit(["remove", ["c1"]])
    replay = cell.ask("replay")
    now = dict(replay["begun"])
    for step in replay["steps"]:
        now |= step["changes"]
    assert {thing_id: thing for thing_id, thing in now.items() if thing} == things_json(
        cell.editor.map.things
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_renaming_is_told_from_the_old_name_to_the_new_one(language: str) -> None:
    told = text("map.panel.replay.renamed", language, name="before", now="after")
    assert told.index("before") < told.index("after")


# In a notebook


def test_a_graph_that_is_put_shows_at_once_and_is_one_step(cell: Browser) -> None:
    cell.edit(*TWO)
    graph = cell.cell.graph()
    graph.add_edge("c1", "new", phrase="has")
    cell.editor.put(graph)
    assert next(message for message in cell.told if message["type"] == "map")[
        "concepts"
    ].keys() == {
        "c1",
        "c2",
        "new",
    }
    assert "new" in cell.labels
    assert all(concept.at for concept in cell.editor.map.concepts.values())
    cell.ask("undo")
    assert cell.labels == ["book", "wiki"]
    saved = cell.editor.source.saved
    cell.editor.put(cell.cell.graph())
    assert cell.editor.source.saved == saved  # there was nothing to change
    with pytest.raises(MapError, match="have no direction"):
        cell.editor.put(nx.Graph([("a", "b")]))
    graph.add_node("long", label="x" * 99)
    with pytest.raises(MapError, match="99 characters"):
        cell.editor.put(graph)
    assert cell.labels == ["book", "wiki"]


def test_the_map_of_a_cell_is_a_copy_and_its_picture_says_what_it_shows(cell: Browser) -> None:
    cell.edit(*TWO)
    cell.editor.map.add("not there")
    assert cell.labels == ["book", "wiki"]
    assert "book lists wiki." in cell.cell.picture().alt


def test_a_draft_is_shown_in_one_step() -> None:
    mind_map = sample()
    draft = mind_map.after(len(mind_map.log))
    made = edit_map(draft, [["add", {"label": "new"}], ["remove", ["c1"]]])
    steps = len(mind_map.log)
    mind_map.show(draft)
    assert len(mind_map.log) == steps + 1
    assert mind_map.add("next") != made[0]
    mind_map.undo()
    mind_map.undo()
    assert mind_map == sample()


def test_an_id_is_given_once_whatever_the_numbers_in_a_file() -> None:
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    graph.add_node("c999999999", label="a")
    mind_map = MindMap.of(graph)
    assert (
        len(
            {
                mind_map.add("b"),
                mind_map.add("c"),
                mind_map.link("c999999999", "to", mind_map.add("d")),
            }
        )
        == 3
    )
    assert len(mind_map.concepts) == 4


# The cell


def test_nothing_that_is_drawn_gets_into_a_saved_notebook(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COURSEKIT_JOURNAL", str(tmp_path / "journal.json"))
    cell = mind_map("wikipedia", "secret", "en")
    sent: list[Any] = []
    cell.send = sent.append  # type: ignore[method-assign]
    before = json.dumps(cell.get_state(), default=str, sort_keys=True)
    message = {
        "type": "edit",
        "n": 1,
        "do": [["add", {"label": "typed here"}], ["ask", "asked here"]],
    }
    send(cell, message)
    assert sent[-1]["type"] == "changed"
    assert cell.map.focus == "asked here"
    assert cell.graph().nodes["c1"]["label"] == "typed here"
    assert json.dumps(cell.get_state(), default=str, sort_keys=True) == before
    assert "typed here" not in before


def test_a_mistake_of_the_kit_is_told_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COURSEKIT_JOURNAL", str(tmp_path / "journal.json"))
    cell = mind_map("wikipedia", "broken", "en")
    sent: list[Any] = []
    cell.send = sent.append  # type: ignore[method-assign]
    monkeypatch.setattr(cell._editor.source, "fetch", lambda: 1 / 0)
    send(cell, {"type": "open", "n": 7})
    assert (sent[-1]["type"], sent[-1]["n"]) == ("refused", 7)
    assert "ZeroDivisionError" in sent[-1]["text"]


def test_a_cell_knows_its_game_and_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COURSEKIT_JOURNAL", str(tmp_path / "journal.json"))
    with pytest.raises(ValueError, match="no game 'chess'"):
        mind_map("chess")
    with pytest.raises(ValueError, match="language 'fr' is not one of"):
        mind_map("wizard", "map", "fr")
    table = Table(Wizard(3), language="en")
    with pytest.raises(ValueError, match="about wikipedia, and the table plays wizard"):
        mind_map("wikipedia", table=table)
    cell = mind_map("wizard", table=table)
    assert cell._rules() == table.match.game
    assert (cell.key, cell.starter, mind_map("", "ours").starter) == ("wizard/map", True, False)
    assert {kind["name"] for kind in cell.kinds} >= {"beats", "causes"}
    assert all(kind["phrase"] for kind in cell.kinds)
    assert os.path.basename(cell._editor.source.journal.path) == "journal.json"
