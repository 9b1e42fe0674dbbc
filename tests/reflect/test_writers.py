"""Groups take turns at one screen: each has its own answers, and nobody sees those of another by
mistake.
"""

import json
from pathlib import Path

import pytest
from cells import Browser

from coursekit.journal import writer_groups
from coursekit.reflect import HandIn, Journal, JournalError, Reflect, Topics
from coursekit.serve.personal_data import list_files


@pytest.fixture
def own(tmp_path: Path) -> Journal:
    return Journal(tmp_path / "journal.json")


def test_each_group_has_a_journal_of_its_own_beside_that_of_the_page(own: Journal) -> None:
    assert [writer_groups.add(own, name) for name in ("第 1 組", "Foxes", " 第 1  組 ")] == [
        1,
        2,
        1,
    ]
    assert writer_groups.names(own) == {1: "第 1 組", 2: "Foxes"}
    assert not own.path.exists()
    assert sorted(each.name for each in own.path.parent.glob("*.json")) == [
        "journal-group-1.json",
        "journal-group-2.json",
    ]
    assert writer_groups.journal_of(own, 0) is own
    for wrong in ("", "  ", "x" * 41):
        with pytest.raises(JournalError, match="may have 1 to 40"):
            writer_groups.add(own, wrong)


def test_the_choice_holds_for_all_cells_and_answers_stay_apart(own: Journal) -> None:
    ask, other = (
        Browser(Reflect("wizard", "luck", "en", own)),
        Browser(Topics("wizard", "en", Journal(own.path))),
    )
    ask.say(type="save", text="mine", seen="", n=1)
    ask.say(type="writer", name="Foxes")
    assert (ask.cell.writer, other.cell.writer) == (1, 1)
    assert ask.say(type="open", writer=1)["text"] == ""
    ask.say(type="save", text="ours", seen="", n=1, writer=1)
    assert other.say(type="open", which="wizard/luck", writer=1)["text"] == "ours"
    ask.say(type="writer", number=0)
    assert (ask.cell.writer, other.cell.writer) == (0, 0)
    assert ask.say(type="open")["text"] == "mine"
    assert own.answers()["wizard/luck"].text == "mine"
    assert "Foxes" not in repr(ask.cell.get_state())


def test_what_is_saved_late_goes_to_whoever_wrote_it(own: Journal) -> None:
    browser = Browser(Reflect("wizard", "luck", "en", own))
    browser.say(type="writer", name="Foxes")
    browser.say(type="save", text="mine, a moment late", seen="", n=1)
    assert own.answers()["wizard/luck"].text == "mine, a moment late"
    assert writer_groups.journal_of(own, 1).answers() == {}
    told = [each for each in browser.got if each["type"] == "answer"]
    assert [each["writer"] for each in told] == [0]  # views of the group do not listen to that


def test_a_group_hands_in_and_deletes_its_own_journal_only(own: Journal) -> None:
    own.save("wizard/luck", "mine", "?")
    browser = Browser(HandIn("en", game="wizard", journal=own))
    browser.say(type="writer", name="Foxes")
    group = writer_groups.journal_of(own, 1)
    group.save("wizard/luck", "ours", "?")
    page = browser.say(type="give", form="page", game="", name="Foxes", writer=1)["text"]
    assert "ours" in page
    assert "mine" not in page
    before = len(browser.got)
    browser.cell._handle_custom_msg(
        {"type": "delete", "game": ""}, []
    )  # from a view of the owner, which is late
    assert len(browser.got) == before
    browser.say(type="delete", game="", writer=1)
    assert not group.path.exists()
    assert browser.cell.writer == 0
    assert own.answers()["wizard/luck"].text == "mine"


def test_what_a_deleted_group_sends_is_lost_and_no_journal_begins_for_it(own: Journal) -> None:
    browser = Browser(Reflect("wizard", "luck", "en", own))
    browser.say(type="writer", name="Foxes")
    writer_groups.journal_of(own, 1).delete()
    for number in (1, -1, "1", 7):
        browser.cell._handle_custom_msg(
            {"type": "save", "text": "x", "seen": "", "writer": number}, []
        )
    assert list(own.path.parent.glob("*.json")) == []


def test_a_groups_journal_is_brought_into_another_without_its_name(own: Journal) -> None:
    writer_groups.add(own, "Foxes")
    group = writer_groups.journal_of(own, 1)
    group.save("wizard/luck", "ours", "?")
    assert own.bring(group.exported()).answers == 1
    assert "writer" not in json.loads(own.path.read_text(encoding="utf-8"))


def test_the_command_about_data_knows_the_journals_of_groups(own: Journal, tmp_path: Path) -> None:
    own.save("wizard/luck", "mine", "?")
    writer_groups.add(own, "Foxes")
    (tmp_path / "journal-group-1.damaged-1.json").write_text("x")
    found = {
        each.path.name: each.kind for each in list_files(tmp_path) if each.path.parent == tmp_path
    }
    assert found["journal-group-1.json"] == found["journal.json"] == "journal"
    assert found["journal-group-1.damaged-1.json"] == "damaged"
    assert found[".journal-group-1.json.lock"] == found[".journal.json.lock"] == "left"
