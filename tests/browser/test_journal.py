"""The cells about the journal in a real browser, on a page without a server."""

import json
from pathlib import Path

import pytest
from barecell import BareCell
from cells import act
from mindmaps import sample
from playwright.sync_api import Page, expect
from webpage import overflow, severe, smaller_than

from coursekit.games.wizard import Options, Wizard
from coursekit.maps.file_writer import write_map
from coursekit.reflect import HandIn, Journal, KeepMatches, Reflect
from coursekit.table import Table
from coursekit.table.storage.sqlite_store import Store

RECORD = Path(__file__).parents[1] / "records" / "wizard-6-standard.json"
FAR = "button, summary, .ck-choice, input[type=text]"
AGAIN = "() => { window.leave(); window.leave = window.show(document.querySelector('#cell')); }"


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    """A journal with something of everything, and a damaged one beside it."""
    journal = Journal(tmp_path / "journal.json")
    journal.save("wizard/sure", "<b>About</b> 70 %", "How sure were you?")
    journal.save("wikipedia/cite", "不會", "會引用維基百科嗎？")
    journal.save_map("wikipedia/map", write_map(sample(), "json"))
    journal.agree("wizard", True)
    journal.keep_match("m1", "wizard", RECORD.read_text(encoding="utf-8"), True, [0])
    journal.path.with_name("journal.damaged-1.json").write_text("nonsense")
    return journal


def files(page: Page, button: str) -> tuple[str, str]:
    """Press *button* and return the name and the content of the file that is downloaded."""
    with page.expect_download() as got:
        page.get_by_role("button", name=button).click()
    return got.value.suggested_filename, got.value.path().read_text(encoding="utf-8")


def test_everything_is_handed_in_taken_along_deleted_and_brought_back(
    page: Page, journal: Journal
) -> None:
    page.emulate_media(color_scheme="dark")
    cell = HandIn("en", game="wizard", journal=journal)
    cell.limits = cell.limits | {"piece": 500}
    bare = BareCell(page, cell)
    stored = [
        f"coursekit/{each}/wizard/a" for each in ("reflect", "predicted", "draw", "map", "map/view")
    ]
    stored += ["coursekit/reflect/wikipedia/a/view", "coursekit/judge"]
    page.evaluate(
        """(keys) => keys.forEach((key) => [localStorage, sessionStorage].forEach((each) => {
      each.setItem(key, "x");
      each.setItem("somebody else's", "x");
    }))""",
        stored,
    )
    status = page.locator(".ck-handin [role=status]")
    expect(page.locator(".ck-held")).to_contain_text("Mind map (7 concepts, 8 relations)")
    page.get_by_label("Your name").fill("Ann")
    name, content = files(page, "Download a page")
    assert name == "journal-Ann.html"
    assert "&lt;b&gt;About&lt;/b&gt; 70 %" in content
    assert "不會" not in content  # only Wizard was chosen
    expect(status).to_have_text(
        "journal-Ann.html is downloaded: hand it in, or open it and print it."
    )
    page.get_by_label("Everything").check()
    assert "不會" in files(page, "Markdown")[1]
    assert files(page, "Table")[1].count("\n") == 3 + 8
    assert severe(page) == []
    # the whole, there and back
    page.get_by_text("For yourself").click()
    name, whole = files(page, "Download the whole journal")
    expect(status).to_contain_text("not for handing in")
    assert (name, json.loads(whole)) == (
        "whole-journal.json",
        json.loads(journal.path.read_text(encoding="utf-8")),
    )
    page.locator("summary", has_text="Delete").click()
    page.get_by_role("button", name="Delete the matches").click()
    expect(page.locator(".ck-sure").first).to_contain_text("gone for good: Wizard (1 match).")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Delete the journal").click()
    sure = page.locator(".ck-sure").last
    expect(sure).to_contain_text(
        "the other games stay:\nWizard: 1 answer, 1 match", use_inner_text=True
    )
    expect(sure.get_by_role("button", name="Keep it")).to_be_focused()
    page.keyboard.press("Escape")
    expect(sure).to_be_hidden()
    page.get_by_role("button", name="Delete the journal").click()
    assert severe(page) == []
    assert files(page, "Download it all first")[1] == whole
    sure.get_by_role("button", name="Delete").click()
    assert "wizard/sure" in journal.answers()  # it is asked twice
    page.get_by_role("group", name="Are you sure?").get_by_role("button", name="Delete").click()
    expect(status).to_contain_text("the other games are still there")
    assert list(journal.answers()) == ["wikipedia/cite"]
    left = """[...Object.keys(localStorage), ...Object.keys(sessionStorage)]
        .filter((key) => key !== "coursekit:met").sort()"""  # that a table was seen tells of nobody
    name = ["coursekit/name"]
    assert page.evaluate(left) == sorted([*stored[-2:] * 2, *name, *["somebody else's"] * 2])
    page.get_by_role("button", name="Delete the journal").click()
    expect(sure).to_contain_text("Wikipedia and Books: 1 answer, 1 map")
    expect(sure).to_contain_text("journal.damaged-1.json")
    sure.get_by_role("button", name="Delete").click()
    page.get_by_role("group", name="Are you sure?").get_by_role("button", name="Delete").click()
    expect(status).to_contain_text("this cannot be undone")
    assert list(journal.path.parent.glob("journal*")) == []
    expect(page.get_by_label("Your name")).to_have_value("")
    assert page.evaluate(left) == ["somebody else's"] * 2
    expect(page.get_by_role("button", name="Markdown")).to_be_hidden()
    expect(page.locator(".ck-lacks li")).to_have_count(3)
    chooser = page.locator("input[type=file]")
    chooser.set_input_files({"name": "x.json", "mimeType": "application/json", "buffer": b"[]"})
    expect(status).to_contain_text("This is not a journal")
    chooser.set_input_files(
        {"name": "x.json", "mimeType": "application/json", "buffer": whole.encode()}
    )
    expect(status).to_contain_text("2 answers, 1 map, 1 match")
    assert sum('"more"' in each for each in bare.sent) == (len(whole.encode()) - 1) // 500
    now, before = json.loads(journal.path.read_text(encoding="utf-8")), json.loads(whole)
    assert before.pop("agreed")  # that is asked anew
    assert now == before
    assert "Ann" not in whole + json.dumps(
        [each for each in bare.sent if "Ann" in each and '"file"' not in each]
    )


def test_it_follows_what_is_written_on_the_page_and_asks_only_where_it_is_seen(
    page: Page, tmp_path: Path
) -> None:
    journal = Journal(tmp_path / "journal.json")
    bare = BareCell(page, HandIn("en", game="wizard", journal=Journal(journal.path)))
    held, own = (
        page.locator(".ck-held"),
        page.locator("summary", has_text="For yourself").locator(".."),
    )
    expect(page.locator(".ck-lacks li")).to_have_count(3)
    expect(own).to_have_attribute("open", "")
    expect(page.get_by_role("button", name="Download the whole journal")).to_be_hidden()
    journal.save("wizard/sure", "70 %", "?")
    journal.save("wizard/luck", "both", "?")
    bare.tell()
    expect(held).to_contain_text("2 of 9 questions answered")
    expect(own).not_to_have_attribute("open", "")
    name = page.get_by_label("Your name")
    name.fill("Ann")
    name.press("ArrowLeft")
    page.clock.install()
    journal.save_map("wizard/map", write_map(sample(), "json"))
    bare.tell()
    page.clock.fast_forward(1_000)
    expect(held).to_contain_text("7 concepts")
    page.keyboard.type("x")
    expect(name).to_have_value("Anxn")
    asked = len(bare.sent)
    page.evaluate(
        """() => new Promise((done) => {
      document.querySelector("#cell").style.marginTop = "5000px";
      new IntersectionObserver(([each]) => each.isIntersecting || done()).observe(document.querySelector("#cell"));
    })"""
    )
    journal.save("wizard/change", "more", "?")
    bare.tell()
    page.clock.fast_forward(60_000)
    bare.settled()
    assert len(bare.sent) == asked + 1  # told, and not asked
    journal.save("wizard/order", "last", "?")
    bare.tell()
    assert bare.sent[-1] == "[]", "it does not follow what no page looks at"
    page.evaluate("document.querySelector('#cell').scrollIntoView()")
    expect(held).to_contain_text("4 of 9 questions answered")


def test_without_a_kernel_the_answers_on_the_page_can_be_saved(
    page: Page, journal: Journal
) -> None:
    page.clock.install()
    bare = BareCell(page, HandIn("zh-Hant", journal=journal))
    expect(page.locator(".ck-held")).to_contain_text("心智圖")
    bare.deaf = True
    there = [
        ["a/b", {"question": "為什麼？", "text": "因為 #1"}],
        ["a/c", {"question": "?", "text": " "}],
    ]
    page.evaluate("(there) => { window.coursekitAnswers = new Map(there); }", there)
    with page.expect_download() as got:
        page.get_by_role("button", name="下載一頁").click()
        page.clock.fast_forward(16_000)
    assert (
        got.value.path().read_text(encoding="utf-8")
        == "# 我的學習日誌\n\n## 為什麼？\n\n因為 \\#1\n"
    )
    expect(page.locator(".ck-handin [role=status]")).to_contain_text("連不上程式")


def test_matches_are_asked_about_kept_and_forgotten(page: Page, tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.json")
    page.set_viewport_size({"width": 360, "height": 640})
    table = Table(Wizard(3, Options(short_game=1)), seed=1, store=Store(tmp_path))
    act(table, 50)  # to the end
    table.session.resumed = True
    bare = BareCell(page, KeepMatches(table, "zh-Hant", journal))
    expect(page.locator(".ck-ask")).to_contain_text("隨時可以改")
    yes = page.get_by_role("button", name="可以，留下來")
    expect(yes).to_be_visible()
    assert journal.agreed("wizard") is None
    assert severe(page) == []
    told = len(bare.sent)
    bare.hold()
    yes.dblclick()
    expect(yes).to_have_attribute("aria-disabled", "true")
    bare.let_go()
    bare.hold(False)
    expect(page.get_by_role("button", name="以後不要留")).to_be_focused()
    expect(page.locator(".ck-ask")).to_be_hidden()
    assert len(bare.sent) == told + 1  # pressed twice before the answer came
    assert journal.agreed("wizard") is True
    journal.keep_match("m1", "wizard", RECORD.read_text(encoding="utf-8"), True, [0])
    page.get_by_role("button", name="以後不要留").click()
    expect(page.locator(".ck-count")).to_contain_text("現在留了 2 場")
    page.get_by_role("button", name="刪掉對局").click()
    assert severe(page) == []
    assert smaller_than(44, page.locator(FAR)) == []
    page.get_by_role("group").get_by_role("button", name="刪掉").click()
    expect(page.locator(".ck-told")).to_have_text("2 場對局已經刪掉。")
    assert (journal.matches(), journal.agreed("wizard")) == ([], False)


def test_the_longest_sentences_fit_on_a_phone_in_the_light(page: Page, journal: Journal) -> None:
    page.set_viewport_size({"width": 360, "height": 640})
    BareCell(page, HandIn("zh-Hant", journal=journal))
    expect(page.locator(".ck-held")).to_contain_text("心智圖")
    page.locator("details").evaluate_all("(all) => all.forEach((each) => { each.open = true; })")
    page.get_by_role("button", name="刪掉學習日誌").click()
    page.get_by_label("整本，每個遊戲的都刪").check()
    expect(page.locator(".ck-sure").last).to_contain_text("journal.damaged-1.json")
    assert overflow(page) == 0
    assert smaller_than(44, page.locator(FAR)) == []
    assert severe(page) == []


def test_far_from_the_kernel_no_letter_is_lost_and_the_caret_stays(
    page: Page, tmp_path: Path
) -> None:
    journal = Journal(tmp_path / "journal.json")
    journal.save("wizard/hits", "Before.", "?")
    bare = BareCell(page, Reflect("wizard", "hits", "en", journal, timing="predict"))
    box, status, lock = (
        page.locator("textarea"),
        page.locator(".ck-foot .ck-status"),
        page.locator(".ck-lock"),
    )
    expect(box).to_have_value("Before.")
    bare.hold()
    page.evaluate(AGAIN)
    box.focus()
    page.keyboard.type("ac")
    page.keyboard.press("ArrowLeft")
    bare.let_go(2)  # the answer, and who writes
    expect(box).to_have_value("Before.\nac")
    page.keyboard.type("b")
    expect(box).to_have_value("Before.\nabc")
    for letter in "one":  # each is typed while the one before is being saved
        bare.says(lambda: bool(bare.held), True)
        page.keyboard.type(letter)
        bare.let_go(len(bare.held))
    bare.hold(False)
    bare.says(lambda: journal.answers()["wizard/hits"].text, "Before.\nabonec")
    expect(status).to_contain_text("Saved")
    assert journal.answers()["wizard/hits"].others == ()
    lock.click()
    expect(box).not_to_be_editable()
    shown = "[document.querySelector('textarea').value, document.querySelector('.ck-lock').getAttribute('aria-pressed')]"
    bare.hold()
    at_once = page.evaluate(f"() => {{ ({AGAIN})(); return {shown}; }}")
    assert at_once == ["Before.\nabonec", "true"]
    page.evaluate(
        """() => new MutationObserver((all) => {
      window.moved ||= all.some((each) => each.target.getAttribute(each.attributeName) !== each.oldValue);
    }).observe(document.querySelector(".ck-lock"), { attributeOldValue: true })"""
    )
    bare.let_go()
    bare.hold(False)
    expect(status).to_contain_text("Saved")
    bare.settled()
    assert not page.evaluate("window.moved")


def test_what_an_input_method_is_composing_is_left_alone(page: Page, tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.json")
    journal.save("wizard/sure", "先前。", "?")
    page.clock.install()
    bare = BareCell(page, Reflect("wizard", "sure", "zh-Hant", journal))
    box, keys = page.locator("textarea"), page.context.new_cdp_session(page)
    expect(box).to_have_value("先前。")
    bare.hold()
    page.evaluate(AGAIN)
    box.focus()
    keys.send("Input.imeSetComposition", {"text": "ㄓㄨ", "selectionStart": 2, "selectionEnd": 2})
    bare.let_go()
    bare.hold(False)
    page.clock.fast_forward(60_000)  # a pause in which something else would be saved
    bare.settled()
    expect(box).to_have_value("ㄓㄨ")
    assert journal.answers()["wizard/sure"].text == "先前。"
    keys.send("Input.insertText", {"text": "中"})
    expect(box).to_have_value("先前。\n中")
    expect(page.locator(".ck-foot .ck-status")).to_contain_text("已存檔")
    answer = journal.answers()["wizard/sure"]
    assert (answer.text, answer.others) == ("先前。\n中", ())
