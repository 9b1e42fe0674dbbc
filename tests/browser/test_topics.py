"""The cell with a game's questions by topic, and groups that take turns in it, in a real browser."""

from pathlib import Path

from barecell import BareCell
from playwright.sync_api import Page, expect
from webpage import overflow, severe, smaller_than

from coursekit.journal import writer_groups
from coursekit.reflect import Journal, Topics


def test_one_question_is_open_at_a_time_and_groups_take_turns(page: Page, tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.json")
    page.set_viewport_size({"width": 360, "height": 640})
    bare = BareCell(page, Topics("wizard", "en", journal))
    card = page.get_by_role("button", name="How sure were you?")
    expect(page.locator("textarea")).to_have_count(0)
    card.click()
    box = page.locator("textarea")
    box.fill("mine")
    box.blur()
    expect(card).to_contain_text("answered")
    assert severe(page) == []
    assert smaller_than(44, page.locator("button, select")) == []
    assert overflow(page) <= 0
    page.get_by_role("button", name="Luck and skill").click()
    expect(box).to_have_count(0)
    page.get_by_role("button", name="Luck or skill?").click()
    box.fill("typed just before somebody else writes")
    who = page.get_by_label("Who is writing?")
    expect(who).to_be_hidden()
    page.get_by_role("button", name="Write as groups…").click()
    expect(page.get_by_label("Name or pseudonym")).to_have_value("Group 1")
    page.get_by_role("button", name="Begin").click()
    expect(who.locator("option:checked")).to_have_text("Group 1")
    expect(page.locator(".ck-count")).to_have_text("0 of 6 answered")
    card.click()
    expect(box).to_have_value("")
    box.fill("ours")
    box.blur()
    expect(card).to_contain_text("answered")
    who.select_option(label="Just me")
    expect(page.locator(".ck-count")).to_have_text("2 of 6 answered")
    card.click()
    expect(box).to_have_value("mine")
    group = writer_groups.journal_of(journal, 1).answers()
    assert {key: each.text for key, each in group.items()} == {"wizard/sure": "ours"}
    assert journal.answers()["wizard/luck"].text == "typed just before somebody else writes"
    bare.settled()
