"""The journal keeps every answer, whatever happens to it; the cell reads and writes it."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from cells import Browser, act, here, send
from playing import at_the_sheets

from coursekit.core.strategy import AtRandom
from coursekit.games.wikipedia import Options, Wikipedia
from coursekit.games.wikipedia.after.evidence import evidence
from coursekit.journal.journal import LONGEST_ANSWER
from coursekit.kit import GAMES
from coursekit.reflect import Journal, JournalError, Reflect, question, questions
from coursekit.reflect.journal_export import entries_by_game, markdown
from coursekit.reflect.questions import QuestionError
from coursekit.table import Table
from coursekit.table.storage.sqlite_store import Store
from coursekit.words import texts

Teach = Callable[..., None]


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(tmp_path / "journal.json")


# Questions


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_at_least_six_questions_and_says_whose_they_are(game: str) -> None:
    asked = questions(game)
    assert len(asked) >= 6
    assert len({each.key for each in asked}) == len(asked)
    for each in asked:
        assert texts.text(f"reflect.source.{each.source}", "en")
        assert set(each.words) == set(texts.LANGUAGES)


def test_a_question_is_found_by_name_and_by_number() -> None:
    first = questions("wizard")[0]
    assert question("wizard", 1) == question("wizard", first.name) == first
    for wrong in (0, 99, True, "nothing", None):
        with pytest.raises(QuestionError, match="wizard has no question"):
            question("wizard", wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="There is no game 'chess'"):
        question("chess", 1)


# The journal


def test_an_answer_is_there_again(journal: Journal) -> None:
    saved = journal.save("wizard/luck", "運氣 <b>不</b> 重要\n兩行", "運氣重要嗎？")
    assert Journal(journal.path).answers() == {"wizard/luck": saved}
    assert saved.text == "運氣 <b>不</b> 重要\n兩行"


def test_the_file_is_what_the_documentation_says(journal: Journal) -> None:
    saved = journal.save("wizard/luck", "a little", "Luck?")
    entry = {"text": "a little", "saved": saved.saved, "question": "Luck?"}
    assert json.loads(journal.path.read_text(encoding="utf-8")) == {
        "journal": 1,
        "answers": {"wizard/luck": entry},
    }


def test_the_documented_example_can_be_read(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs/extend/journal.md").read_text(encoding="utf-8")
    example = page.split("```json\n")[1].split("```")[0]
    (tmp_path / "journal.json").write_text(example, encoding="utf-8")
    journal = Journal(tmp_path / "journal.json")
    assert len(journal.answers()) == 2
    assert journal.set_aside is None


def test_what_a_later_version_adds_stays(journal: Journal) -> None:
    journal.path.write_text(
        '{"journal": 1, "pages": [1], "answers": {"a/b": {"text": "x", "saved": "1", "stars": 3}}}'
    )
    journal.save("a/b", "y", "?")
    journal.save("c/d", "z", "?")
    data = json.loads(journal.path.read_text())
    assert data["pages"] == [1]
    assert data["answers"]["a/b"]["stars"] == 3


def test_two_writers_do_not_lose_each_others_answers(journal: Journal) -> None:
    other = Journal(journal.path)
    journal.answers(), other.answers()
    journal.save("wizard/one", "1", "?")
    other.save("wizard/two", "2", "?")
    assert {key: answer.text for key, answer in journal.answers().items()} == {
        "wizard/one": "1",
        "wizard/two": "2",
    }


def test_many_processes_and_threads_at_once(journal: Journal) -> None:
    code = (
        "import sys; from coursekit.reflect import Journal\n"
        "for n in range(15): Journal(sys.argv[1]).save(f'{sys.argv[2]}/{n}', 'x' * 500, '?')"
    )
    processes = [
        subprocess.Popen([sys.executable, "-c", code, str(journal.path), str(each)])
        for each in range(3)
    ]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda n: Journal(journal.path).save(f"thread/{n}", "y", "?"), range(30)))
    assert [process.wait() for process in processes] == [0, 0, 0]
    assert len(journal.answers()) == 3 * 15 + 30
    assert sorted(file.name for file in journal.path.parent.iterdir()) == [
        ".journal.json.lock",
        "journal.json",
    ]


def test_one_question_in_two_windows_keeps_both_texts(journal: Journal) -> None:
    first = journal.save("a/b", "before", "?", seen="")
    journal.save("a/b", "from the other window", "?", seen=first.saved)
    mine = journal.save("a/b", "mine", "?", seen=first.saved)
    assert mine.text == "mine"
    assert [words for words, _ in mine.others] == ["from the other window"]
    assert "from the other window" in markdown(entries_by_game(journal.whole()), "en")
    after = journal.save("a/b", "mine, longer", "?", seen=mine.saved)
    assert after.others == mine.others


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "null",
        "[]",
        "{}",
        '{"journal": "1"}',
        '{"journal": 1, "answers": []}',
        '{"journal": 1, "answers": {"a/b": "text"}}',
        '{"journal": 1, "answers": {"a/b": {"text": 5, "saved": ""}}}',
        '{"journal": true, "answers": {}}',
        b"\xff\xfe\x00",
        "[" * 100_000,
    ],
)
def test_a_damaged_journal_is_put_aside_and_never_overwritten(
    journal: Journal, content: str | bytes
) -> None:
    raw = content if isinstance(content, bytes) else content.encode()
    journal.path.write_bytes(raw)
    journal.save("a/b", "new", "?")
    assert journal.take_aside() == "journal.damaged-1.json"
    assert journal.path.with_name("journal.damaged-1.json").read_bytes() == raw
    assert journal.answers()["a/b"].text == "new"
    assert journal.set_aside is None
    journal.path.write_bytes(raw)
    journal.answers()
    assert journal.set_aside == "journal.damaged-2.json"
    assert journal.path.with_name("journal.damaged-1.json").read_bytes() == raw


def test_a_journal_of_a_newer_version_is_left_alone(journal: Journal) -> None:
    journal.path.write_text('{"journal": 2, "pages": []}')
    for use in (journal.answers, lambda: journal.save("a/b", "x", "?")):
        with pytest.raises(JournalError, match="newer coursekit"):
            use()
    assert journal.path.read_text() == '{"journal": 2, "pages": []}'


def test_a_place_that_cannot_be_written_is_told_in_one_sentence(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "no" / "such" / "folder" / "journal.json")
    with pytest.raises(
        JournalError,
        match=r"folder/journal\.json cannot be written \(there is no folder folder",
    ):
        journal.save("a/b", "x", "?")


def test_a_full_disk_leaves_the_old_journal(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal.save("a/b", "old", "?")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(JournalError, match="the disk is full"):
            journal.save("a/b", "new", "?")
    assert journal.answers()["a/b"].text == "old"
    assert sorted(file.name for file in journal.path.parent.iterdir()) == [
        ".journal.json.lock",
        "journal.json",
    ]


def test_answers_are_limited_in_length(journal: Journal) -> None:
    journal.save("a/b", "字" * LONGEST_ANSWER, "?")
    with pytest.raises(JournalError, match="at most 20000 characters"):
        journal.save("a/b", "字" * (LONGEST_ANSWER + 1), "?")
    assert len(journal.answers()["a/b"].text) == LONGEST_ANSWER


def test_half_a_character_can_be_saved(journal: Journal) -> None:
    assert journal.save("a/b", "x\ud83d", "?").text == "x?"


def test_where_the_journal_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COURSEKIT_JOURNAL", str(tmp_path / "mine.json"))
    assert Journal().path == tmp_path / "mine.json"
    monkeypatch.delenv("COURSEKIT_JOURNAL")
    monkeypatch.chdir(tmp_path)
    assert Journal().path == tmp_path / "journal.json"


@pytest.mark.parametrize("language", texts.LANGUAGES)
def test_answers_as_a_page(journal: Journal, language: str) -> None:
    browser = Browser(Reflect("wizard", 1, language, journal))
    assert (
        texts.text("journal.page.nothing", language)
        in browser.say(type="download", text=" ")["text"]
    )
    journal.save("a/b", "  text ", "Why?")
    journal.save("a/c", "   ", "Empty?")
    title = texts.text("reflect.title", language)
    assert (
        browser.say(type="download", text="")["text"] == f"# {title}\n\n## a\n\n### Why?\n\ntext\n"
    )


# The cell


def test_a_cell_saves_and_a_new_kernel_finds_it(journal: Journal) -> None:
    browser = Browser(Reflect("wizard", 1, "en", journal))
    assert browser.say(type="open") == {
        "type": "answer",
        "text": "",
        "saved": "",
        "notice": "",
        "to": "",
    }
    saved = browser.say(type="save", text="I think", seen="", n=1)
    assert (saved["type"], saved["n"], saved["notice"]) == ("saved", 1, "")
    again = Browser(Reflect("wizard", 1, "zh-Hant", Journal(journal.path)))
    assert again.say(type="open")["text"] == "I think"


def test_views_of_one_cell_hear_what_another_has_saved(journal: Journal) -> None:
    browser = Browser(Reflect("wizard", 1, "en", journal))
    saved = browser.say(type="save", text="first", seen="", n=1, **{"from": "one"})
    told, answered = browser.got
    assert (told["type"], told["text"], told["saved"], told["but"]) == (
        "answer",
        "first",
        saved["saved"],
        "one",
    )
    assert (answered["type"], answered["to"]) == ("saved", "one")
    for kind in ("open", "download"):
        assert browser.say(type=kind, text="x", **{"from": "other"})["to"] == "other"


def test_nothing_typed_is_in_what_a_notebook_saves(journal: Journal) -> None:
    cell = Reflect("wizard", 1, "en", journal)
    Browser(cell).say(type="save", text="my secret thought", seen="", n=1)
    assert "my secret thought" not in repr(cell.get_state())


def test_a_copied_cell_shows_the_same_answer(journal: Journal) -> None:
    one, other = (Browser(Reflect("wizard", 1, "en", journal)) for _ in range(2))
    elsewhere = Browser(Reflect("wizard", 2, "en", journal))
    one.say(type="save", text="same", seen="", n=1)
    assert other.got[-1]["type"] == "answer"
    assert other.got[-1]["text"] == "same"
    assert elsewhere.got == []
    assert len(journal.answers()) == 1


def test_answers_belong_to_questions_however_cells_are_moved(journal: Journal) -> None:
    """Cells are made in any order, again after one was deleted, and twice: each shows its
    question's answer.
    """
    cells = [Browser(Reflect("wizard", which, "en", journal)) for which in (1, 2, 3)]
    for number, browser in enumerate(cells, 1):
        browser.say(type="save", text=f"answer {number}", seen="", n=1)
    del cells[1], browser
    again = [
        Browser(Reflect("wizard", which, "zh-Hant", Journal(journal.path)))
        for which in (3, 2, 1, 2)
    ]
    assert [each.say(type="open")["text"] for each in again] == [
        "answer 3",
        "answer 2",
        "answer 1",
        "answer 2",
    ]


@pytest.mark.parametrize("game", GAMES)
def test_each_cell_says_whose_question_it_is(game: str) -> None:
    for number, asked in enumerate(questions(game), 1):
        for language in texts.LANGUAGES:
            cell = Reflect(game, number, language)
            assert cell.source == texts.text(f"reflect.source.{asked.source}", language)
            assert ("rulebook" in texts.text(f"reflect.source.{asked.source}", "en")) == (
                asked.source != "own"
            )


def test_another_window_is_told_of(journal: Journal) -> None:
    browser = Browser(Reflect("wizard", 1, "en", journal))
    seen = browser.say(type="save", text="one", seen="", n=1)["saved"]
    Journal(journal.path).save(browser.cell.key, "from elsewhere", "?")
    told = browser.say(type="save", text="two", seen=seen, n=2)
    assert told["notice"] == texts.text("reflect.both_kept", "en")
    assert browser.say(type="save", text="three", seen=told["saved"], n=3)["notice"] == ""


def test_a_damaged_journal_is_told_of_once(journal: Journal) -> None:
    journal.path.write_text("nonsense")
    browser = Browser(Reflect("wizard", 1, "zh-Hant", journal))
    assert "journal.damaged-1.json" in browser.say(type="open")["notice"]
    assert browser.say(type="open")["notice"] == ""


@pytest.mark.parametrize(("drive", "lasts"), [(".", True), ("none", False)])
def test_in_jupyterlite_what_ends_with_the_page_is_told(
    journal: Journal, monkeypatch: pytest.MonkeyPatch, drive: str, lasts: bool
) -> None:
    monkeypatch.setattr(sys, "platform", "emscripten")
    monkeypatch.delenv("COURSEKIT_DATA", raising=False)
    monkeypatch.setattr("coursekit.files.disk.DRIVE", journal.path.parent / drive)
    warning = "" if lasts else texts.text("table.memory", "en")
    question = Browser(Reflect("wizard", 1, "en", journal))
    assert question.say(type="save", text="one", seen="", n=1)["notice"] == warning


def test_a_place_that_cannot_be_written_is_told_and_the_text_can_be_downloaded(
    tmp_path: Path,
) -> None:
    browser = Browser(Reflect("wizard", 1, "en", Journal(tmp_path / "none" / "journal.json")))
    told = browser.say(type="save", text="precious", seen="", n=4)
    assert (told["type"], told["n"]) == ("refused", 4)
    assert "Download your answers" in told["text"]
    assert "precious" in browser.say(type="download", text="precious")["text"]


def test_a_download_has_all_answers_and_what_is_being_typed(journal: Journal) -> None:
    journal.save("wizard/other", "an earlier answer", "Another question?")
    browser = Browser(Reflect("wizard", 1, "en", journal))
    page = browser.say(type="download", text="not saved yet")["text"]
    assert "### Another question?\n\nan earlier answer" in page
    assert f"### {browser.cell.question}\n\nnot saved yet" in page


def test_what_a_browser_could_not_save_comes_back_and_nothing_is_lost(journal: Journal) -> None:
    browser = Browser(Reflect("wizard", 1, "en", journal))
    seen = browser.say(type="save", text="one", seen="", n=1)["saved"]
    kept = [
        {"text": "older", "seen": "", "typed": "2020-01-01T00:00:00.000Z"},
        {"text": "one, and more", "seen": seen, "typed": "2020-01-01T00:00:01.000Z"},
    ]
    told = browser.say(type="open", unsaved=kept, **{"from": "view"})
    assert (told["type"], told["text"]) == ("answer", "one, and more")
    assert told["notice"] == texts.text("reflect.both_kept", "en")
    assert (browser.got[-2]["text"], browser.got[-2]["but"]) == (
        "one, and more",
        "view",
    )  # for the other views
    assert [words for words, _ in journal.answers()[browser.cell.key].others] == ["older"]
    before = journal.path.read_bytes()
    assert browser.say(type="open", unsaved=kept)["notice"] == ""  # asked twice
    assert journal.path.read_bytes() == before
    late = {"text": "late", "seen": seen, "typed": "2100-01-01T00:00:00.000Z"}
    assert browser.say(type="open", unsaved=[late])["text"] == "late"
    assert {words for words, _ in journal.answers()[browser.cell.key].others} == {
        "older",
        "one, and more",
    }
    early = {"text": "early", "seen": "", "typed": "nonsense"}
    assert browser.say(type="open", unsaved=[early])["text"] == "late"
    assert "early" in {words for words, _ in journal.answers()[browser.cell.key].others}


def test_a_view_that_has_not_heard_of_its_last_save_is_no_other_window(journal: Journal) -> None:
    browser = Browser(Reflect("wizard", 1, "en", journal))
    for number, words in enumerate(("one", "one, and more"), 1):
        told = browser.say(type="save", text=words, seen="", n=number, **{"from": "view"})
        assert told["notice"] == ""
    assert journal.answers()[browser.cell.key].others == ()
    assert browser.say(type="save", text="mine", seen="", n=1, **{"from": "other"})["notice"] != ""


def test_a_mistake_in_the_kit_is_answered(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> None:
        raise KeyError("a secret")

    browser = Browser(Reflect("wizard", 1, "en", journal))
    monkeypatch.setattr(Journal, "save", broken)
    told = browser.say(type="save", text="one", seen="", n=3)
    assert (told["type"], told["n"], "KeyError" in told["text"]) == ("refused", 3, True)
    assert "secret" not in told["text"]


@pytest.mark.parametrize(
    "content", [None, {}, {"type": "save"}, {"type": "save", "text": 5, "seen": ""}, {"type": "x"}]
)
def test_foreign_messages_change_nothing(journal: Journal, content: Any) -> None:
    browser = Browser(Reflect("wizard", 1, "en", journal))
    send(browser.cell, content)
    assert [answer["type"] for answer in browser.got] == ["refused"]
    assert not journal.path.exists()


# What the reader did


def at_a_table(tmp_path: Path, name: str, people: int = 1) -> tuple[Table, Browser]:
    """Return a table of two with so many people, and the cell of a question about it."""
    seats: list[Any] = ["person"] * people + [AtRandom] * (2 - people)
    rules = Wikipedia(2, Options(points_to_win=1))
    table = Table(rules, seats=seats, seed=1, language="en", store=Store(tmp_path))
    return table, Browser(
        Reflect("wikipedia", name, "en", Journal(tmp_path / "journal.json"), table)
    )


def test_before_anything_is_played_the_cell_says_where_to_play(tmp_path: Path) -> None:
    _, browser = at_a_table(tmp_path, "role")
    told = browser.say(type="look", draw=0)
    assert told == {
        "type": "seen",
        "parts": [{"text": texts.text("reflect.not_played", "en")}],
        "to": "",
    }


def test_the_cell_tells_once_that_the_table_has_moved_on_and_then_what_happened(
    tmp_path: Path,
) -> None:
    table, browser = at_a_table(tmp_path, "role")
    act(table)
    assert browser.got == []  # the browser has not looked yet: it will anyway
    before = browser.say(type="look", draw=0)
    act(table, 3)
    assert browser.got[1:] == [{"type": "moved"}]
    act(table, 500)
    assert browser.got[1:] == [{"type": "moved"}]
    after = browser.say(type="look", draw=0)
    assert after != before
    assert [part["text"] for part in after["parts"]] == evidence("role", table.match, [0], "en")


def test_the_cell_follows_a_race_whose_length_the_table_does_not_tell(tmp_path: Path) -> None:
    run = at_the_sheets(["person", AtRandom]).run
    table = Table(run, language="en", store=Store(tmp_path))
    browser = Browser(Reflect("knitwit", "hard", "en", Journal(tmp_path / "journal.json"), table))
    browser.say(type="look", draw=0)
    for word in ("one", "two"):
        write = ["write", run.game.numbers(run.match.state)[0], word]
        send(table, {"type": "act", "seat": 0, "action": write, **here(table)})
        assert "entries" not in table.view
        assert browser.got[-1] == {"type": "moved"}
        browser.say(type="look", draw=0)


def test_pictures_come_as_they_are_shown_and_another_card_can_be_drawn(tmp_path: Path) -> None:
    table, browser = at_a_table(tmp_path, "map")
    act(table)
    assert browser.cell.again == texts.load_texts("wikipedia")["evidence.draw"]["en"]
    one, again, other = (browser.say(type="look", draw=draw)["parts"] for draw in (5, 5, 6))
    assert one == again != other
    assert "<img" in one[1]["html"]


def test_while_several_people_play_nothing_is_told_and_afterwards_all_of_it(tmp_path: Path) -> None:
    table, browser = at_a_table(tmp_path, "role", people=2)
    act(table)
    assert browser.say(type="look", draw=0)["parts"] == [
        {"text": texts.text("reflect.private", "en")}
    ]
    act(table, 500)
    assert table.match.over
    told = [part["text"] for part in browser.say(type="look", draw=0)["parts"]]
    assert told == evidence("role", table.match, [0, 1], "en")
    assert any("Player 1" in line for line in told)
    assert any("Player 2" in line for line in told)


def test_nothing_of_the_match_is_in_what_a_notebook_saves(tmp_path: Path) -> None:
    table, browser = at_a_table(tmp_path, "role")
    act(table, 5)
    told = browser.say(type="look", draw=0)["parts"][1]["text"]
    assert told not in repr(browser.cell.get_state())


def test_a_mistake_in_the_evidence_leaves_the_question(tmp_path: Path, teach: Teach) -> None:
    def broken(*_: Any) -> None:
        raise KeyError("a secret card")

    teach("wikipedia", evidence=broken)
    table, browser = at_a_table(tmp_path, "role")
    act(table)
    (part,) = browser.say(type="look", draw=0)["parts"]
    assert "KeyError" in part["text"]
    assert "secret" not in part["text"]
    assert browser.say(type="open")["type"] == "answer"


@pytest.mark.parametrize("draw", [None, "1", 1.5, True])
def test_a_look_that_the_browser_does_not_send_is_refused(tmp_path: Path, draw: Any) -> None:
    _, browser = at_a_table(tmp_path, "role")
    send(browser.cell, {"type": "look", "draw": draw})
    assert [answer["type"] for answer in browser.got] == ["refused"]


def test_without_a_table_or_evidence_a_question_is_just_a_question(
    tmp_path: Path, teach: Teach
) -> None:
    assert not Reflect("wikipedia", "role", "en").shows
    wizard = Table("wizard", seed=1, store=Store(tmp_path))
    teach("wizard", evidence=None)
    cell = Browser(Reflect("wizard", 1, "en", table=wizard))
    assert not cell.cell.shows
    send(cell.cell, {"type": "look", "draw": 0})
    assert cell.got == []
    with pytest.raises(ValueError, match="about wikipedia, and the table plays wizard"):
        Reflect("wikipedia", "role", "en", table=wizard)


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(ValueError, match="no language 'fr'"):
        Reflect("wizard", 1, "fr")
