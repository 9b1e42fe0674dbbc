"""The cells about the journal: which matches are kept, and what is handed in, brought back and
deleted.
"""

import csv
import gc
import io
import json
import re
import weakref
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import mistune
import pytest
from cells import Browser, act, here, send
from mindmaps import sample

from coursekit.core.match import Match, Record, replay
from coursekit.core.strategy import AtRandom
from coursekit.games.wikipedia import Options, Wikipedia
from coursekit.journal.entries import LARGEST_MAP
from coursekit.kit import GAMES
from coursekit.maps.editor import Editor
from coursekit.maps.elements import HEAD
from coursekit.maps.file_writer import write_map
from coursekit.maps.mindmap import MindMap
from coursekit.maps.starters import focus_question
from coursekit.reflect import HandIn, Journal, KeepMatches, Reflect, questions
from coursekit.reflect.handin_cell import FORMS
from coursekit.reflect.handin_page import page
from coursekit.reflect.journal_export import entries_by_game, markdown, spreadsheet
from coursekit.table import Table
from coursekit.table.storage.sqlite_store import Store
from coursekit.words import texts

RECORDS = Path(__file__).parents[1] / "records"


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(tmp_path / "journal.json")


# Matches


def a_table(tmp_path: Path, people: int = 1) -> Table:
    seats: list[Any] = ["person"] * people + [AtRandom] * (2 - people)
    return Table(
        Wikipedia(2, Options(points_to_win=1)),
        seats=seats,
        seed="a seed",
        language="en",
        store=Store(tmp_path),
    )


def test_a_match_is_kept_while_it_goes_on_and_at_its_end(tmp_path: Path, journal: Journal) -> None:
    table = a_table(tmp_path)
    browser = Browser(KeepMatches(table, "en", journal))
    assert browser.say(type="open")["agreed"] is None
    act(table)
    assert not journal.path.exists()
    assert browser.say(type="agree", yes=True)["agreed"] is True
    (begun,) = journal.matches()
    assert (begun.game, begun.over, begun.people) == ("wikipedia", False, (0,))
    act(table, 500)
    (ended,) = journal.matches("wikipedia")
    assert (ended.match_id, ended.over) == (begun.match_id, True)
    assert Record.loads(ended.record) == table.record
    assert table.record.people == (0,)
    assert "1 match kept, 1 of this game" in browser.got[-1]["count"]


def asked(table: Table) -> list[str]:
    """Return what the table asks above the cloth."""
    return [box["text"] for box in table.view["boxes"] if box["kind"] == "asked"]


@pytest.mark.parametrize("people", [1, 2])
def test_the_table_asks_when_a_match_is_over_and_no_answer_is_no_yes(
    tmp_path: Path, journal: Journal, people: int
) -> None:
    table = a_table(tmp_path, people=people)
    browser = Browser(KeepMatches(table, "en", journal))
    assert browser.say(type="open")["asks"] is False
    assert "you are asked" in browser.got[-1]["line"]
    act(table, 3)
    assert asked(table) == []
    act(table, 2000)
    assert "May matches you play here be kept" in asked(table)[0]
    assert browser.got[-1]["asks"] is True
    assert not journal.path.exists()
    assert Store(tmp_path).load(table.view["match"]) is not None  # where the table keeps it
    again = a_table(tmp_path, people=people)  # the page is reloaded
    second = Browser(KeepMatches(again, "en", Journal(journal.path)))
    send(again, {"type": "hello", "remembered": table.view["match"], "same_tab": False})
    send(again, {"type": "resume", "match_id": table.view["match"]})
    assert asked(again)
    send(again, {"type": "answer", "yes": True})
    assert asked(again) == asked(table) == []
    assert second.got[-1]["agreed"] is True
    assert [each.over for each in journal.matches()] == [True]


def test_the_hand_in_asks_again_whether_a_match_may_be_kept(
    tmp_path: Path, journal: Journal
) -> None:
    table = a_table(tmp_path)
    KeepMatches(table, "en", journal)
    browser = Browser(HandIn("en", game="wikipedia", journal=journal))
    assert browser.say(type="open")["asks"] is None  # nobody has played
    act(table, 2000)
    assert "May matches" in browser.say(type="open")["asks"]["ask"]
    assert journal.matches() == []
    assert browser.say(type="agree", yes=True)["asks"] is None
    assert asked(table) == []
    assert len(journal.matches()) == 1


def test_a_match_from_a_file_is_not_asked_about_and_a_no_keeps_nothing(
    tmp_path: Path, journal: Journal
) -> None:
    table = a_table(tmp_path)
    browser = Browser(KeepMatches(table, "en", journal))
    record = (RECORDS / "wikipedia-2-standard.json").read_text(encoding="utf-8")
    send(table, {"type": "load", "text": record})
    assert asked(table) == []
    send(table, {"type": "new", **table.setup["chosen"], "seed": "1"})
    act(table, 2000)
    assert asked(table)
    send(table, {"type": "answer", "yes": False})
    assert asked(table) == journal.matches() == []
    assert browser.got[-1]["agreed"] is False


def test_nobody_is_asked_twice_and_the_answer_can_be_changed(
    tmp_path: Path, journal: Journal
) -> None:
    table = a_table(tmp_path)
    browser = Browser(KeepMatches(table, "en", journal))
    browser.say(type="agree", yes=False)
    act(table, 3)
    assert journal.matches() == []
    again = Browser(KeepMatches(table, "zh-Hant", Journal(journal.path)))
    assert again.say(type="open")["agreed"] is False
    assert again.say(type="agree", yes=True)["agreed"] is True
    assert browser.got[-1]["agreed"] is True  # the other cell has heard of it
    act(table)
    assert len(journal.matches()) == 1
    journal.agree("wizard", True)
    journal.keep_match(
        "m", "wizard", (RECORDS / "wizard-6-standard.json").read_text(encoding="utf-8"), True, [0]
    )
    assert "《維基百科 vs 書籍》1 場、《Wizard 巫師》1 場" in again.say(type="open")["sure"]
    assert again.say(type="forget")["notice"] == "2 場對局已經刪掉。"
    assert (journal.matches(), journal.agreed("wikipedia")) == ([], True)


def test_where_several_play_a_match_is_kept_when_it_is_over_and_never_shown(
    tmp_path: Path, journal: Journal
) -> None:
    table = a_table(tmp_path, people=2)
    browser = Browser(KeepMatches(table, "en", journal))
    told = browser.say(type="agree", yes=True)
    assert "tells every hand" in told["line"]
    act(table, 3)
    assert table.view["kept"]
    assert not table.view["may_save"]
    assert journal.matches() == []
    act(table, 2000)
    (kept,) = journal.matches()
    assert kept.people == (0, 1)
    assert replay(Record.loads(kept.record)).over
    sent = json.dumps([browser.got, browser.cell.get_state()], default=str)
    for part in ("a seed", kept.match_id, kept.record, '\\"log\\"', "seeds"):
        assert part not in sent
    allowed = {"type", "agreed", "asks", "line", "count", "sure", "notice"}
    assert all(set(each) == allowed for each in browser.got)


def test_only_matches_in_which_a_person_has_decided_something(
    tmp_path: Path, journal: Journal
) -> None:
    journal.agree("wikipedia", True)
    watched = Table("wikipedia", seats=[AtRandom] * 2, seed=1, store=Store(tmp_path))
    Browser(KeepMatches(watched, "en", journal)).say(type="agree", yes=True)
    assert watched.match.log
    table = a_table(tmp_path)
    browser = Browser(KeepMatches(table, "en", journal))
    browser.say(type="agree", yes=True)
    assert journal.matches() == []
    # somebody else's file, looked at and then played on
    record = (RECORDS / "wikipedia-2-standard.json").read_text(encoding="utf-8")
    send(table, {"type": "load", "text": record})
    assert table.view["kept"]
    browser.say(type="agree", yes=True)
    assert journal.matches() == []
    send(table, {"type": "fork", "entry": 5, **here(table)})
    act(table)
    assert len(journal.matches()) == 1


def test_consent_at_one_games_table_keeps_nothing_at_anothers(
    tmp_path: Path, journal: Journal
) -> None:
    table = a_table(tmp_path)
    other = Table("wizard", seed=1, language="en", store=Store(tmp_path))
    here, there = (
        Browser(KeepMatches(table, "en", journal)),
        Browser(KeepMatches(other, "en", journal)),
    )
    there.say(type="open")
    assert here.say(type="agree", yes=True)["agreed"] is True
    assert there.got[-1]["agreed"] is None  # it is asked there, too
    act(table, 2)
    act(other, 3)
    assert [each.game for each in journal.matches()] == ["wikipedia"]
    assert Browser(KeepMatches(other, "en", journal)).say(type="open")["agreed"] is None
    there.say(type="agree", yes=False)
    assert (here.got[-1]["agreed"], there.got[-1]["agreed"]) == (True, False)
    assert there.say(type="agree", yes=True)["agreed"] is True
    act(other)
    assert {each.game for each in journal.matches()} == {"wikipedia", "wizard"}


def test_what_is_said_of_keeping_follows_those_who_play(tmp_path: Path, journal: Journal) -> None:
    table = a_table(tmp_path)
    browser = Browser(KeepMatches(table, "en", journal))
    browser.say(type="open")
    assert "unfinished ones too" in browser.say(type="agree", yes=True)["line"]

    def seat(*by: str) -> str:
        """Begin a match with these players, and return what the cell then says."""
        seats = [{"by": each, "name": ""} for each in by]
        send(table, {"type": "new", **table.setup["chosen"], "seats": seats, "seed": "1"})
        return str(browser.got[-1]["line"])

    program = next(each["value"] for each in table.setup["by"] if each["value"] != "person")
    assert "tells every hand" in seat("person", "person")
    told = len(browser.got)
    act(table, 3)
    assert len(browser.got) == told  # said once
    assert "Only programs" in seat(program, program)
    assert "unfinished ones too" in seat("person", program)
    browser.say(type="agree", yes=False)
    assert "are not kept" in seat("person", "person")


def test_a_journal_that_fails_does_not_stop_the_table(tmp_path: Path, journal: Journal) -> None:
    table = a_table(tmp_path)
    browser = Browser(KeepMatches(table, "en", journal))
    browser.say(type="agree", yes=True)
    journal.path.write_text('{"journal": 2}')
    before = len(table.match.log)
    act(table)
    assert len(table.match.log) > before
    assert browser.got[-1]["type"] == "refused"
    assert "newer coursekit" in browser.got[-1]["text"]


# Handing in


def full(journal: Journal, language: str = "en") -> None:
    """Fill a journal with what could do harm on a page or in a spreadsheet."""
    asked = questions("wikipedia")
    journal.save(
        asked[0].key,
        "=1+1 <img src=x onerror=alert(1)>\n第二行 \"quoted\", 'too'",
        asked[0].words[language],
    )
    journal.save(asked[2].key, "first", asked[2].words[language])
    journal.save(asked[2].key, "</div><script>alert(2)</script>", asked[2].words[language], seen="")
    journal.save("wizard/sure", "@SUM(A1)", "Sure?")
    map = sample()
    map.add("<b>bold</b>")
    journal.save_map("wikipedia/after <i>", write_map(map, "json"))
    journal.save_map("wikipedia/broken", "{nothing")
    journal.judge("wikipedia/after <i>", "<u>Ann</u>", "r8", "partly", "knowledge has book")
    for game in ("wizard", "wikipedia"):
        journal.agree(game, True)
    for id, name, people in (
        ("m1", "wizard-6-standard", [0, 2]),
        ("m2", "wikipedia-2-standard", [1]),
    ):
        record = (RECORDS / f"{name}.json").read_text(encoding="utf-8")
        journal.keep_match(id, name.partition("-")[0], record, True, people)
    journal.keep_match("m3", "wikipedia", '{"coursekit": 99}', False, [0])


class Elements(HTMLParser):
    """The elements and the words of a page."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words.append(data)


@pytest.mark.parametrize("language", texts.LANGUAGES)
def test_the_page_says_everything_and_loads_and_runs_nothing(
    journal: Journal, language: str
) -> None:
    full(journal, language)
    source = page(entries_by_game(journal.whole()), language, "<s>小明</s>")
    found = Elements(source)
    words = " ".join(found.words)
    for each in (
        "=1+1 <img src=x onerror=alert(1)>",
        "</div><script>alert(2)</script>",
        "first",
        "<s>小明</s>",
        "knowledge has book",
        "<u>Ann</u>",
        "Whom can we trust?",
        "after <i>",
        texts.load_texts("wizard")["title"][language],
        texts.text("journal.page.map_unread", language),
        questions("wikipedia")[0].words[language],
        texts.text("reflect.source.own", language),
        texts.text("journal.page.running", language),
    ):
        assert each in words, each
    assert {tag for tag, _ in found.tags} <= set(
        "html head meta title style body header main section h1 h2 h3 p div span ul li figure figcaption img table"
        " caption thead tbody tr th td".split()
    )
    for tag, more in found.tags:
        assert not [name for name in more if name.startswith("on")]
        assert tag != "img" or (more["src"] or "").startswith("data:image/svg+xml;base64,")
        assert "href" not in more
    (html,) = [more for tag, more in found.tags if tag == "html"]
    assert html["lang"] == language
    policies = [more["content"] for tag, more in found.tags if "http-equiv" in more]
    assert "default-src 'none'" in str(policies)
    assert "url(" not in source
    assert "@page {" in source
    assert "size: A4;" in source
    assert sum(tag == "img" for tag, _ in found.tags) == 1


def rendered(source: str) -> str:
    """Return Markdown as a browser would get it."""
    return str(mistune.html(source))


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    "words",
    [
        "# big",
        "big\n===",
        "big\n---",
        "<img src=x onerror=alert(1)>",
        "- a list",
        "1. one\n2) two",
        "+ a",
        "* a",
        "> said",
        "```\ncode",
        "    code",
        "[a](b)",
        "![a](b)",
        "**bold** _soft_ ~~gone~~",
        "a | b\n--|--\n1 | 2",
        "&lt;b&gt;",
        "$x$",
        "a\\",
        "***",
        "一\n\n二",
        "https://example.org/a_b_c",
        "<https://example.org>",
        "-",
        "\t# big",
    ],
)
def test_what_was_written_stays_what_it_is_in_markdown(journal: Journal, words: str) -> None:
    journal.save("a/b", words, words)
    map = sample()
    map.ask(words)
    map.link(map.add("start " + words.partition("\n")[0]), "needs", map.add("end"))
    journal.save_map("a/map", write_map(map, "json"))
    source = rendered(markdown(entries_by_game(journal.whole()), "en", words))
    found = Elements(source)
    assert {tag for tag, _ in found.tags} <= {"h1", "h2", "h3", "p", "br", "ul", "li"}
    assert len([tag for tag, _ in found.tags if tag in ("h1", "h2", "h3")]) == 4
    said = ["".join("".join(found.words).split())] * 2
    assert said[0].count("".join(words.split())) >= 3  # the name, the question and the answer
    assert source.count("<br") == 3 * words.replace("\n\n", "").count(
        "\n"
    )  # name, answer and the map's question


@pytest.mark.one_in(3)
@pytest.mark.parametrize("language", texts.LANGUAGES)
def test_a_map_says_whose_question_it_answers(journal: Journal, language: str) -> None:
    asks, bare = sample(), sample()
    bare.ask("")
    suggested = texts.text(
        "journal.page.suggested", language, question=focus_question("wizard", language)
    )
    for key, map, told in (
        ("wizard/map", asks, asks.focus),
        ("wizard/map", bare, suggested),
        ("other/map", bare, ""),
    ):
        journal.save_map(key, write_map(map, "json"))
        games = entries_by_game(journal.whole(), key.partition("/")[0])
        for source in (
            unescape(page(games, language)),
            markdown(games, language),
            spreadsheet(games, language),
        ):
            assert ("?" in source or "？" in source) == bool(told)
            assert told in source
            assert told == suggested or suggested not in source
        (alt,) = (
            dict(found)["alt"]
            for tag, found in Elements(page(games, language)).tags
            if tag == "img"
        )
        assert (map.focus or (focus_question("wizard", language) if told else "")) in alt


def test_a_large_map_has_a_page_on_its_side(journal: Journal) -> None:
    for count, sides in ((2, 0), (60, 1)):
        map = MindMap()
        ids = [map.add(f"a concept with the number {number}") for number in range(count)]
        for number, id in enumerate(ids[1:]):
            map.link(ids[number // 3], "is above", id)
        journal.save_map("wizard/map", write_map(map, "json"))
        kinds = [
            dict(found).get("class")
            for _, found in Elements(page(entries_by_game(journal.whole()), "en")).tags
        ]
        assert kinds.count("wide") == sides
        assert kinds.count("map") == 1


def test_what_cannot_be_read_or_drawn_leaves_the_rest(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> None:
        raise KeyError("a secret")

    full(journal)
    monkeypatch.setattr("coursekit.maps.drawing.draw_map", broken)
    monkeypatch.setattr("coursekit.reflect.journal_export.replay", broken)
    games = entries_by_game(journal.whole())
    for source in (page(games, "en"), markdown(games, "en"), spreadsheet(games, "en")):
        assert "knowledge has book" in source
        assert "SUM" in source
        assert "secret" not in source
    assert texts.text("journal.page.map_undrawn", "en") in page(games, "en")
    for source in (page(games, "en"), markdown(games, "en")):
        assert source.count(texts.text("journal.page.match_unread", "en")) == 2
    monkeypatch.setattr("coursekit.reflect.journal_export.parse_map", broken)
    for source in (page(games, "en"), markdown(games, "en"), spreadsheet(games, "en")):
        assert source.count(texts.text("journal.page.map_unread", "en")) == 2
        assert "SUM" in source


def test_a_map_as_large_as_the_journal_takes_it_is_read(journal: Journal) -> None:
    data = json.loads(write_map(sample(), "json"))
    data["later"] = "字" * (LARGEST_MAP - 100_000)
    words = json.dumps(data, ensure_ascii=False)
    assert len(words.encode()) > 5_500_000
    journal.save_map("a/map", words)
    assert "knowledge has book" in markdown(entries_by_game(journal.whole()), "en")


def test_the_table_has_a_row_for_each_answer_and_proposition_and_no_formula(
    journal: Journal,
) -> None:
    full(journal)
    content = spreadsheet(entries_by_game(journal.whole()), "en", "-Ann")
    assert content.startswith("\ufeff")
    head, *rows = list(csv.reader(io.StringIO(content.removeprefix("\ufeff"), newline="")))
    assert head == [
        "name",
        "game",
        "kind",
        "question",
        "whose question",
        "what it says",
        "judged",
        "saved",
        "version",
    ]
    drawn = [row for row in rows if row[2] == "sentence of a map"]
    assert [row[5] for row in drawn][:2] == ["knowledge has book", "knowledge has wiki"]
    assert drawn[-1][5] == texts.text("journal.page.map_unread", "en")
    assert drawn[0][3] == "Mind map “after <i>” · Whom can we trust?"
    assert [row[6] for row in drawn][:2] == ["<u>Ann</u>: partly right", ""]
    assert len(drawn) == 8 + 1
    cells = [cell for row in rows for cell in row]
    rows = [row for row in rows if row[2] == "answer"]
    assert [row[5] for row in rows] == [
        "'=1+1 <img src=x onerror=alert(1)>\n第二行 \"quoted\", 'too'",
        "</div><script>alert(2)</script>",
        "first",
        "'@SUM(A1)",
    ]
    assert [row[8] for row in rows] == ["", "", "written in another window", ""]
    assert {row[4] for row in rows[:3]} == {
        texts.text("reflect.source.own", "en"),
        texts.text("reflect.source.rulebook", "en"),
    }
    assert not [cell for cell in cells if cell.lstrip()[:1] in ("=", "+", "-", "@")]


def test_one_game_or_all_can_be_handed_in(journal: Journal) -> None:
    full(journal)
    browser = Browser(HandIn("en", game="wizard", journal=journal))
    shown = browser.say(type="open")["games"]
    assert [each["game"] for each in shown] == ["wizard", "wikipedia"]
    lines = {each["game"]: each["line"] for each in shown}
    assert lines["wizard"] == f"1 of {len(questions('wizard'))} questions answered · 1 match"
    assert "Mind map “after <i>” (8 concepts, 8 relations)" in lines["wikipedia"]
    named = {"type": "give", "form": "markdown", "names": True}
    given = browser.say(**named, game="wizard", name="  Ann  Lee/../x ", **{"from": "v1"})
    assert (given["type"], given["to"], given["name"]) == ("file", "v1", "journal-Ann-Lee-x.md")
    assert "@SUM(A1)" in given["text"]
    assert "alert" not in given["text"]
    assert "It has the names of others" in given["notice"]
    everything = browser.say(**named, game="", name="")
    assert everything["text"] == markdown(entries_by_game(journal.whole()), "en")
    assert "alert(2)" in everything["text"]
    assert "<li>knowledge has book (&lt;u&gt;Ann&lt;/u&gt;: partly right)</li>" in rendered(
        everything["text"]
    )
    assert browser.got[-2] == {"type": "making", "to": ""}


@pytest.mark.parametrize("game", GAMES)
def test_a_page_counts_open_questions_of_its_own_game_only(journal: Journal, game: str) -> None:
    for other in GAMES:
        journal.save_map(f"{other}/map", write_map(sample(), "json"))
    shown = Browser(HandIn("en", game=game, journal=journal)).say(type="open")["games"]
    assert shown[0]["game"] == game
    assert [each["game"] for each in shown if "questions answered" in each["line"]] == [game]


@pytest.mark.parametrize("launched", [True, False])
def test_a_hand_in_speaks_of_binder_only_there(
    journal: Journal, monkeypatch: pytest.MonkeyPatch, launched: bool
) -> None:
    monkeypatch.delenv("BINDER_LAUNCH_HOST", raising=False)
    if launched:
        monkeypatch.setenv("BINDER_LAUNCH_HOST", "https://mybinder.org/")
    words = HandIn("en", journal=journal).words
    assert any("Binder" in words[name] for name in words) is launched


def test_names_of_others_leave_only_if_the_reader_says_so(tmp_path: Path, journal: Journal) -> None:
    match = Match(Wikipedia(2, Options(points_to_win=1)), 1, ["Quentin", "小明"])
    journal.agree("wikipedia", True)
    journal.keep_match("1", "wikipedia", match.record().dumps(), False, [0, 1])
    journal.save_map("wikipedia/map", write_map(sample(), "json"))
    for judge in ("Zoë", "阿美"):
        journal.judge(
            "wikipedia/map", judge, "r8", "yes" if judge == "Zoë" else "no", "knowledge has book"
        )
    names = ("Quentin", "小明", "Zoë", "阿美")
    browser = Browser(HandIn("en", journal=journal))
    assert browser.say(type="open")["names"] is True
    for message in (
        {"type": "take"},
        *({"type": "give", "form": each, "game": "", "name": ""} for each in FORMS),
    ):
        left_out, kept = browser.say(**message), browser.say(**message, names=True)
        assert [each for each in names if each in left_out["text"]] == []
        assert "The names of others are left out" in left_out["notice"]
        assert "Judge 2" in left_out["text"]
        assert [each for each in names[2:] if each not in kept["text"]] == []
        assert "It has the names of others" in kept["notice"]
    # What comes back without names adds nobody, and a match in it can be replayed.
    whole = journal.whole()
    elsewhere = Journal(tmp_path / "elsewhere.json")
    for there in (journal, elsewhere):
        there.bring(browser.say(type="take")["text"])
    assert journal.whole().judgements == whole.judgements
    (record,) = [each.record for each in elsewhere.matches()]
    assert replay(Record.loads(record)).state == match.state
    assert "nameless" not in journal.path.read_text(encoding="utf-8")


def test_a_journal_without_names_of_others_asks_nothing_about_them(journal: Journal) -> None:
    journal.save("wizard/sure", "I was sure.", "?")
    browser = Browser(HandIn("en", journal=journal))
    assert browser.say(type="open")["names"] is False
    assert "names" not in browser.say(type="take")["notice"]


def test_a_name_is_never_kept(journal: Journal) -> None:
    full(journal)
    browser = Browser(HandIn("en", journal=journal))
    assert "Quentin" in browser.say(type="give", form="page", game="", name="Quentin")["text"]
    assert "Quentin" not in journal.path.read_text(encoding="utf-8")
    assert "Quentin" not in repr(browser.cell.get_state())
    assert "alert(2)" not in repr(browser.cell.get_state())


def test_the_whole_journal_goes_along_and_comes_back(tmp_path: Path, journal: Journal) -> None:
    full(journal)
    taken = Browser(HandIn("en", journal=journal)).say(type="take", names=True)
    assert (taken["name"], taken["mime"]) == ("whole-journal.json", "application/json")
    elsewhere = Journal(tmp_path / "elsewhere.json")
    asked = Browser(Reflect("wizard", "sure", "en", elsewhere))
    browser = Browser(HandIn("en", journal=elsewhere))
    told = bring(browser, b"\xef\xbb\xbf" + taken["text"].encode())
    assert told["notice"] == "Brought back what was new or newer: 3 answers, 2 maps, 3 matches."
    there = journal.whole()._replace(agreed={})
    assert elsewhere.whole() == there
    assert asked.got[-1]["text"] == "@SUM(A1)"  # its box shows it at once
    for wrong in (b"", b"\xff\xfe", b'{"answers": {}}'):
        refused = bring(browser, wrong)
        assert (refused["type"], refused["text"].count(". ")) == ("refused", 1)
    assert elsewhere.whole() == there


def bring(browser: Browser, content: bytes, piece: int = 1000, view: str = "v") -> dict[str, Any]:
    """Bring a journal back in pieces, as the browser does."""
    pieces = [content[at : at + piece] for at in range(0, len(content), piece)] or [b""]
    for number, each in enumerate(pieces, 1):
        told = browser.say(
            each, type="bring", piece=number - 1, last=number == len(pieces), **{"from": view}
        )
        assert number == len(pieces) or told == {"type": "more", "piece": number, "to": view}
    return told


def test_a_journal_that_comes_in_pieces_is_taken_only_whole(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = json.dumps(
        {"journal": 1, "answers": {"a/b": {"text": "字" * 100, "saved": ""}}}
    ).encode()
    browser = Browser(HandIn("en", journal=journal))
    browser.say(content[:99], type="bring", piece=0, last=False, **{"from": "left"})
    browser.say(content[:50], type="bring", piece=0, last=False, **{"from": "v"})
    before = len(browser.got)
    for view, piece in (("left", 1), ("v", 2), (None, 1)):
        send(browser.cell, {"type": "bring", "piece": piece, "last": True, "from": view}, [b"}"])
    assert len(browser.got) == before
    assert journal.answers() == {}
    assert (
        "1 answer"
        in browser.say(content[50:], type="bring", piece=1, last=True, **{"from": "v"})["notice"]
    )
    monkeypatch.setattr("coursekit.reflect.handin_cell.LARGEST_JOURNAL", 10)
    monkeypatch.setattr("coursekit.journal.journal_import.LARGEST_JOURNAL", 10)
    assert browser.say(b"x" * 11, type="bring", piece=0, last=False)["type"] == "refused"


@pytest.mark.parametrize(
    "message",
    [
        {"type": "open"},
        {"type": "forget"},
        {"type": "give", "form": "page", "game": "", "name": ""},
    ],
)
def test_a_mistake_in_the_kit_is_told_at_once(
    journal: Journal, monkeypatch: pytest.MonkeyPatch, message: dict[str, Any]
) -> None:
    def broken(*_: Any) -> None:
        raise KeyError("a secret")

    browser = Browser(HandIn("en", journal=journal))
    monkeypatch.setattr("coursekit.reflect.handin_cell.entries_by_game", broken)
    told = browser.say(**message, **{"from": "v"})
    assert (told["type"], told["to"], "KeyError" in told["text"]) == ("refused", "v", True)
    assert "secret" not in told["text"]


def test_what_is_deleted_is_told_before_and_gone_afterwards(
    tmp_path: Path, journal: Journal
) -> None:
    full(journal)
    aside = journal.path.with_name("journal.damaged-1.json")
    aside.write_text("nonsense")
    asked = Browser(Reflect("wizard", "sure", "en", journal))
    keep = Browser(KeepMatches(a_table(tmp_path), "en", journal))
    browser = Browser(HandIn("en", journal=journal))
    told = browser.say(type="open")
    everything, wikipedia, wizard = told["delete"]
    assert [each["game"] for each in told["delete"]] == ["", "wikipedia", "wizard"]
    assert wizard["text"].endswith("Wizard: 1 answer, 1 match")
    assert wikipedia["text"].endswith("2 answers, 2 maps, 1 judgement of its maps, 2 matches")
    for each in (wizard, wikipedia):
        assert each["text"].splitlines()[1] in everything["text"]
        assert aside.name not in each["text"]
    assert aside.name in everything["text"]
    assert aside.name in told["aside"]
    assert browser.say(type="forget")["notice"] == "The matches are deleted."
    assert (journal.matches(), len(journal.answers())) == ([], 3)
    told = browser.say(type="delete", game="wikipedia", **{"from": "v"})
    assert "the other games are still there" in told["notice"]
    assert browser.got[-2] == {"type": "deleted", "game": "wikipedia", "to": "v"}
    assert ([each["game"] for each in told["games"]], len(told["delete"])) == (["wizard"], 1)
    assert list(journal.answers()) == ["wizard/sure"]
    assert aside.exists()
    told = browser.say(type="delete", game="")
    assert "cannot be undone" in told["notice"]
    assert (told["games"], told["delete"]) == ([], [])
    assert sorted(each.name for each in tmp_path.glob("*journal*")) == [".journal.json.lock"]
    assert asked.got[-1]["text"] == ""
    assert keep.got[-1]["agreed"] is None


def test_a_map_that_is_open_is_handed_in_as_drawn_and_follows_the_journal(journal: Journal) -> None:
    editor = Editor("wikipedia", "wikipedia/map", "en", journal)
    told: list[Any] = []
    editor.send = told.append
    editor.source._later = lambda save: None  # it will not be saved by itself
    editor.put(sample().graph())
    browser = Browser(HandIn("en", journal=journal))
    assert (
        "knowledge has book" in browser.say(type="give", form="markdown", game="", name="")["text"]
    )
    whole = browser.say(type="take")["text"]
    browser.say(type="delete", game="")
    assert not journal.path.exists()
    assert told[-1]["type"] == "map"
    assert list(told[-1]["things"]) == [HEAD]
    bring(browser, whole.encode())
    assert len(told[-1]["things"]) == len(editor.map.things) == 16


def test_a_journal_that_cannot_be_read_is_told_in_one_sentence(tmp_path: Path) -> None:
    browser = Browser(HandIn("en", journal=Journal(tmp_path / "none" / "journal.json")))
    for kind in ("open", "take", "forget", "delete"):
        assert browser.say(type=kind, game="")["type"] == "refused"


def test_a_change_is_told_once_until_the_cell_has_asked(journal: Journal) -> None:
    browser, unseen = (Browser(HandIn("en", journal=Journal(journal.path))) for _ in range(2))
    asked = Browser(Reflect("wizard", "luck", "en", Journal(journal.path)))
    browser.say(type="open")
    for words in ("b", "both", "both"):
        asked.say(type="save", text=words, seen="", n=1, **{"from": "v"})
    assert browser.got[1:] == [{"type": "changed"}]
    assert unseen.got == []
    browser.say(type="open")
    journal.save("wizard/luck", "both", asked.cell.question)  # which it is already
    assert browser.got[2:] == [browser.got[-1]]
    assert "1 of" in browser.got[-1]["games"][0]["line"]
    journal.delete()
    assert browser.got[-1] == {"type": "changed"}
    gone = weakref.ref(browser.cell)
    browser.cell.close()
    del browser
    gc.collect()
    assert gone() is None
    journal.save("wizard/luck", "neither", "?")


def test_what_is_not_there_yet_is_named_with_where_it_comes_from(journal: Journal) -> None:
    ways = [
        texts.text(f"journal.handin.lacks.{each}", "en") for each in ("answers", "maps", "matches")
    ]
    here, anywhere = (Browser(HandIn("en", game=game, journal=journal)) for game in ("wizard", ""))
    for browser in (here, anywhere):
        told = browser.say(type="open")
        assert (told["lacks"], told["nothing"]) == (
            ways,
            texts.text("journal.handin.nothing", "en"),
        )
    journal.save("wikipedia/cite", "no", "?")
    assert here.say(type="open")["lacks"] == ways
    assert "Wizard" in here.say(type="open")["nothing"]
    told = anywhere.say(type="open")
    assert (told["lacks"], told["nothing"]) == ([], "")
    journal.save("wizard/luck", "no", "?")
    journal.agree("wizard", True)
    agreed = texts.text("journal.handin.lacks.matches_agreed", "en")
    assert here.say(type="open")["lacks"] == [ways[1], agreed]


@pytest.mark.parametrize(
    "content",
    [
        None,
        {},
        {"type": "give"},
        {"type": "give", "form": "page"},
        {"type": "bring"},
        {"type": "give", "form": ["page"]},
        {"type": "agree", "yes": 1},
    ],
)
def test_foreign_messages_change_nothing(tmp_path: Path, journal: Journal, content: Any) -> None:
    for cell in (HandIn("en", journal=journal), KeepMatches(a_table(tmp_path), "en", journal)):
        browser = Browser(cell)
        send(cell, content)
        assert [answer["type"] for answer in browser.got] == ["refused"]
    assert not journal.path.exists()


@pytest.mark.parametrize("first", ["reflect", "keep", "hand in"])
def test_a_damaged_journal_is_told_once_where_the_reader_is_whoever_has_read_it(
    tmp_path: Path, journal: Journal, first: str
) -> None:
    journal.path.write_text("nonsense")
    cells = {
        "keep": Browser(
            KeepMatches(a_table(tmp_path), "en", Journal(journal.path))
        ),  # reads it when it is made
        "reflect": Browser(Reflect("wizard", 1, "en", Journal(journal.path))),
        "hand in": Browser(HandIn("en", journal=Journal(journal.path))),
    }
    KeepMatches(a_table(tmp_path), "en", Journal(journal.path))  # on no page
    assert "journal.damaged-1.json" in cells.pop(first).say(type="open")["notice"]
    for each in cells.values():
        assert each.say(type="open")["notice"] == ""
    journal.path.write_text("more nonsense")
    Journal(journal.path).answers()
    keep = cells.get("keep") or cells["hand in"]
    assert "journal.damaged-2.json" in keep.say(type="forget")["notice"]


def test_unknown_games_and_languages_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no game 'chess'"):
        HandIn("en", game="chess")
    for make in (lambda: HandIn("fr"), lambda: KeepMatches(a_table(tmp_path), "fr")):
        with pytest.raises(ValueError, match="no language 'fr'"):
            make()


def test_files_without_a_name_are_told_apart_by_when_they_were_made(journal: Journal) -> None:
    journal.save("wizard/luck", "mine", "?")
    browser = Browser(HandIn("en", game="wizard", journal=journal))
    give = {"type": "give", "form": "page", "game": ""}
    assert browser.say(**give, name=" Ann  Lee ")["name"] == "journal-Ann-Lee.html"
    assert re.fullmatch(r"journal-\d{8}-\d{6}-\d{3}\.html", browser.say(**give, name=" ")["name"])
