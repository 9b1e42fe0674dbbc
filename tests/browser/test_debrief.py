"""The debrief before a class, and prompts with time: on a bare page, without a server."""

import json
import re
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from barecell import BareCell
from cells import act
from playwright.sync_api import Page, expect
from webpage import overflow, severe, smaller_than

from coursekit.core.match import Match, play_out
from coursekit.figures import Picture
from coursekit.files.record_sources import LARGEST_RECORD
from coursekit.games.wikipedia import Options, Wikipedia
from coursekit.games.wikipedia.after import lesson
from coursekit.games.wikipedia.strategies import Editor, HonestStudent, Vandal
from coursekit.kit.debrief_moment import Moment, Played, Source
from coursekit.reflect import Debrief, Journal, Reflect
from coursekit.table import Table
from coursekit.table.storage.sqlite_store import Store

NAMES = ("<img src=x onerror=alert(1)>", "小明")
PHONE = {"width": 360, "height": 640}


ALONE = (".ck-slide-words p", ".ck-slide img", ".ck-asked", ".ck-timer")
LETTERS_DRAWN = """async (image) => {
  await image.decode();
  const drawing = atob(image.src.split(",")[1]);
  const [, across] = drawing.match(/viewBox="[-0-9.]+ [-0-9.]+ ([0-9.]+)/);
  const sizes = [...drawing.matchAll(/\\) scale\\(([0-9.]+)/g)].map(([, scale]) => 100 * scale);
  return Math.min(...sizes) * image.getBoundingClientRect().width / across;
}"""
"""How large the smallest letters of a figure are on the screen, in pixels."""


def played(seed: str) -> Match:
    match = play_out(Wikipedia(2, Options(points_to_win=2)), [Vandal, Editor], seed)
    match.names = NAMES
    return match


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "class"
    folder.mkdir()
    for seed in "abc":
        (folder / f"{seed}.json").write_text(played(seed).record().dumps(), encoding="utf-8")
    (folder / "zz.json").write_text("{}")
    return folder


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(tmp_path / "journal.json")


def test_a_class_talks_about_one_moment_after_the_other(
    page: Page, folder: Path, journal: Journal
) -> None:
    page.clock.install()
    BareCell(page, Debrief("wikipedia", "zh-Hant", folder=folder, journal=journal))
    cell, title, asked = (
        page.locator(".ck-debrief"),
        page.locator(".ck-slide h3"),
        page.locator(".ck-asked"),
    )
    expect(title).to_have_text("先放下勝負")
    expect(cell.get_by_text("3 場，其中 3 場打完了。")).to_be_visible()
    expect(cell.locator(".ck-noted")).to_have_text(
        "3 個檔案沒有記下誰是真人：那裡面連電腦玩家也算在內。"
    )
    cell.locator("summary").click()
    expect(cell.locator(".ck-refused li")).to_have_text(
        [re.compile("^第 4 個檔案 不能用：這個檔案不是 coursekit 的")]
    )

    # What happened, and then its question with time; by the keyboard
    forth, stage = page.locator(".ck-forth"), page.locator(".ck-path [aria-current]")
    expect(stage).to_have_text("感覺")
    forth.focus()
    page.keyboard.press("Enter")
    expect(stage).to_have_text("發生了什麼")
    expect(asked).to_have_count(0)
    expect(page.locator(".ck-slide img")).to_have_count(1)
    page.keyboard.press("ArrowRight")
    expect(stage).to_have_text("代表什麼")
    expect(asked).to_be_visible()
    expect(page.locator(".ck-timer-time")).to_have_text("0:30")
    page.clock.pause_at(time.time() + 600)  # from now on only run_for lets time pass
    page.locator(".ck-timer-start").focus()
    page.keyboard.press("Space")
    page.clock.run_for(20_000)
    expect(page.locator(".ck-timer [role=status]")).to_have_text("還有 10 秒")
    page.clock.run_for(11_000)
    expect(page.locator(".ck-timer [role=status]")).to_have_text("自己想：時間到了。")
    page.clock.resume()
    page.keyboard.press("ArrowRight")
    expect(stage).to_have_text("發生了什麼")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".ck-timer-time")).to_have_text("0:30")  # a new question begins anew
    assert severe(page) == []

    # Big: one thing at a time, all of it on a projector
    page.get_by_role("button", name="放大").click()
    page.wait_for_function(
        "document.querySelector('.ck-debrief').getBoundingClientRect().width >= innerWidth"
    )
    things = []
    for _ in range(4):
        shown = [name for name in ALONE if page.locator(name).count()]
        things.append(shown)
        for name in (*shown, ".ck-forth"):
            box = page.locator(name).first.bounding_box()
            assert box
            assert 0 <= box["y"] < box["y"] + box["height"] <= 720
        if ".ck-slide img" in shown:
            assert page.locator(".ck-slide img").evaluate(LETTERS_DRAWN) >= 14
        page.keyboard.press("ArrowRight")
    assert things == [
        [".ck-asked", ".ck-timer"],
        [".ck-slide-words p"],
        [".ck-slide img"],
        [".ck-asked", ".ck-timer"],
    ]
    assert severe(page) == []
    page.keyboard.press("Escape")
    page.wait_for_function(
        "document.querySelector('.ck-debrief').getBoundingClientRect().width < innerWidth"
    )


def test_a_class_starts_with_three_moments_and_without_names(
    page: Page, folder: Path, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    def told(played: Sequence[Played], language: str) -> list[Moment]:
        words = (f"{played[0].match.names[1]}還沒改。",)
        return [
            Moment(f"m{n}", f"第 {n} 件", "這裡", words, "為什麼？", 1 - n / 10)
            for n in range(1, 6)
        ]

    monkeypatch.setattr(lesson, "LESSON", replace(lesson.LESSON, moments=told))
    BareCell(page, Debrief("wikipedia", "zh-Hant", folder=folder, journal=journal))
    cell, asked, titles = (
        page.locator(".ck-debrief"),
        page.locator(".ck-asked"),
        page.locator(".ck-slide h3"),
    )
    rest, hide = page.locator("[aria-controls$=picker]"), page.get_by_label("不顯示名字")
    expect(page.locator(".ck-start")).to_have_text("先從最值得談的 3 件事談起。")
    expect(page.locator(".ck-count")).to_have_text("第 1 張，共 5 張")
    expect(page.locator(".ck-picker")).to_be_hidden()

    # Some more, or others, by the keyboard
    page.locator(".ck-forth").click()
    page.get_by_role("button", name="更多").click()
    expect(rest).to_have_text("還有 2 件")
    rest.focus()
    page.keyboard.press("Enter")
    expect(rest).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("Space")  # the first one that is not ticked
    expect(page.locator(".ck-count")).to_have_text("第 2 張，共 6 張")
    page.get_by_label("第 5 件").check()
    expect(rest).to_have_text("挑要談的")
    page.get_by_role("checkbox", name="第 2 件").uncheck()
    expect(page.locator(".ck-count")).to_have_text("第 2 張，共 6 張")  # still where it was
    expect(titles).to_have_text("第 1 件")
    assert severe(page) == []
    page.get_by_role("button", name="全部攤開").click()
    expect(titles).to_have_text(
        ["先放下勝負", "第 1 件", "第 3 件", "第 4 件", "第 5 件", "離開這個遊戲"]
    )

    # Names of a class only if somebody asks for them
    expect(hide).to_be_checked()
    expect(cell).to_contain_text("可以投影給全班看")
    expect(cell).to_contain_text("玩家 2還沒改。")
    assert "小明" not in cell.inner_text()
    hide.uncheck()
    expect(cell).to_contain_text("小明還沒改。")
    expect(cell).to_contain_text("名字都看得到")
    hide.check()
    expect(cell).not_to_contain_text("小明")
    expect(asked).to_have_count(6)  # what was ticked stays
    with page.expect_download() as download:
        page.get_by_role("button", name="下載成一頁").click()
    kept = Path(download.value.path()).read_text(encoding="utf-8")
    assert download.value.suggested_filename == "coursekit-回頭看.html"
    assert "3 場" in kept
    assert "小明" not in kept
    assert re.findall("<h3>(第 . 件) ", kept) == ["第 1 件", "第 3 件", "第 4 件", "第 5 件"]


def test_on_a_phone_with_files_of_ones_own(page: Page, folder: Path, journal: Journal) -> None:
    page.set_viewport_size(PHONE)
    bare = BareCell(page, Debrief("wikipedia", "en", journal=journal))
    cell = page.locator(".ck-debrief")
    expect(cell).to_contain_text("No files are chosen yet")
    page.locator("input[type=file]").set_input_files(sorted(folder.iterdir()))
    expect(cell.get_by_text("3 matches, 3 of them finished.")).to_be_visible()
    expect(page.locator("select")).to_have_value("files")
    page.get_by_label("Without names").uncheck()
    expect(page.locator(".ck-debrief > [role=status]")).to_have_text(
        ""
    )  # all came anew, with names
    title, asked = page.locator(".ck-slide h3"), page.locator(".ck-asked")
    for focus in (title, asked, title, asked):
        was = title.text_content()
        expect(page.locator(".ck-slide figure")).to_have_count(
            0 if was == "Leave winning aside" else 1
        )
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        beginning = title.bounding_box()
        page.locator(".ck-forth").click()
        expect(title).to_be_in_viewport(ratio=1)
        if beginning and beginning["y"] < 0:  # it was out of sight: read on from there
            expect(focus).to_be_focused()
    expect(asked).to_be_in_viewport(ratio=1)
    expect(asked).to_be_focused()
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("button", name=re.compile(r"^\d more$|^Choose moments$")).click()
    assert overflow(page) <= 0
    controls = ".ck-debrief :is(button, select, summary, label:has(input))"
    assert smaller_than(44, page.locator(controls)) == []
    page.emulate_media(color_scheme="dark")
    assert severe(page) == []
    assert "img src=x" in "".join(bare.sent)  # names are told, and are only names
    assert page.locator("img[src=x]").count() == 0


BOXES = """(each, names) => [each, ...names.flatMap((name) => [...each.querySelectorAll(name)])]
  .map((part) => part.getBoundingClientRect().toJSON())"""
"""The box of an element and of what it holds of each name, all measured at one moment."""


def test_the_width_of_a_projector_is_used_also_beside_other_cells(
    page: Page, folder: Path, journal: Journal
) -> None:
    BareCell(page, Debrief("wikipedia", "zh-Hant", folder=folder, journal=journal))
    page.add_style_tag(content=str(Reflect._css))  # as of a cell below, which comes later
    cell, words, forth = (
        page.locator(".ck-debrief"),
        page.locator(".ck-slide-words"),
        page.locator(".ck-forth"),
    )
    ground = forth.evaluate("(each) => getComputedStyle(each).backgroundColor")
    forth.click()
    expect(page.locator(".ck-slide img")).to_have_js_property("complete", True)
    for width in (1280, 1920):
        page.set_viewport_size({"width": width, "height": 720})
        names = [".ck-slide-words", ".ck-slide-picture", ".ck-slide-picture img"]
        whole, left, right, image = cell.evaluate(BOXES, names)
        assert whole["width"] == width - 16
        shape = image["width"] / image["height"]
        assert (
            abs(image["width"] - min(right["width"], shape * 0.66 * 720)) < 1
        )  # as wide or as high as it can be
        assert image["width"] > width / 2
        assert left["x"] + left["width"] < right["x"]  # side by side, and no line too long
        assert left["width"] <= 46 * 16
        assert right["x"] + right["width"] > whole["width"] - 40
    told = words.evaluate(BOXES, ["p"])[1:]
    gaps = [below["y"] - above["y"] - above["height"] for above, below in pairwise(told)]
    assert gaps
    assert min(gaps) >= 8  # paragraphs stand apart
    assert ground == "rgb(165, 55, 31)"


def test_moments_with_one_title_are_two_and_pictures_come_after_words(
    page: Page, folder: Path, journal: Journal, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    drawn: list[str] = []

    def draw(name: str) -> bytes:
        drawn.append(name)
        return b"<svg xmlns='http://www.w3.org/2000/svg'/>"

    def told(played: object, language: str) -> list[Moment]:
        parts = {
            each: ("Words.", Source("Source: <b>"), Picture(partial(draw, each), each))
            for each in "ab"
        }
        return [Moment(each, "Same title", "Here", parts[each], "Why?", 1.0) for each in "ab"]

    monkeypatch.setattr(lesson, "LESSON", replace(lesson.LESSON, moments=told))
    bare = BareCell(page, Debrief("wikipedia", "en", folder=folder, journal=journal))
    expect(page.locator(".ck-count")).to_have_text("1 of 4")
    for place in (2, 2, 3, 3, 4):
        page.locator(".ck-forth").click()
        expect(page.locator(".ck-count")).to_have_text(f"{place} of 4")
        if place == 3:
            expect(page.locator(".ck-slide img")).to_have_attribute("alt", "b")
            expect(page.locator(".ck-source")).to_have_text("Source: <b>")
    assert drawn == ["a", "b"]  # each once
    page.locator(".ck-forth").focus()
    for _ in range(2):
        page.keyboard.press("ArrowLeft")
    expect(page.locator(".ck-talk > [role=status]")).to_have_text("Here: Same title")
    moments = next(place for place, sent in enumerate(bare.sent) if "refused_head" in sent)
    assert "svg" not in bare.sent[moments]

    large = tmp_path / "large.json"
    with large.open("wb") as file:
        file.truncate(LARGEST_RECORD + 1)
    page.evaluate(
        "() => { Blob.prototype.text = () => { throw new Error('read') } }"
    )  # it is not even read
    page.locator("input[type=file]").set_input_files(large)
    expect(page.locator(".ck-refused li")).to_contain_text("file 1 is too large")

    # A second view of the cell: each goes its own way, and files that one has chosen are there for
    # both
    page.locator("select").select_option("folder")
    expect(page.locator(".ck-count")).to_have_text("1 of 4")
    page.evaluate("""() => {
      const second = document.body.appendChild(document.createElement("div"));
      second.id = "second";
      window.show(second);
    }""")
    one, second = page.locator("#cell .ck-debrief"), page.locator("#second .ck-debrief")
    expect(second.locator(".ck-count")).to_have_text("1 of 4")
    second.get_by_label("Without names").uncheck()
    expect(second).to_contain_text("zz.json")
    second.locator(".ck-forth").click()
    expect(second.locator(".ck-slide img")).to_have_attribute("alt", "a")
    expect(one.locator(".ck-count")).to_have_text("1 of 4")
    assert "zz.json" not in one.inner_text()
    downloads: list[str] = []
    page.on("download", lambda each: downloads.append(each.suggested_filename))
    second.get_by_role("button", name="More", exact=True).click()
    with page.expect_download():
        second.get_by_role("button", name="Download as a page").click()
    second.locator("input[type=file]").set_input_files(large)
    expect(second.locator("select")).to_have_value("files")
    expect(one.locator("select")).to_have_value("folder")
    expect(one.locator("option")).to_have_text(["the folder class", "1 chosen file"])
    expect(one.locator(".ck-talk")).to_be_visible()
    expect(second.locator(".ck-talk")).to_be_hidden()
    assert downloads == ["coursekit-debrief.html"]  # by the one that asked


def test_a_match_that_goes_on_is_looked_at_anew_when_it_has_moved(
    page: Page, tmp_path: Path, journal: Journal
) -> None:
    game, store = Wikipedia(2, Options(points_to_win=1)), Store(tmp_path / "matches.sqlite")
    table = Table(game, seats=["person", HonestStudent], names=("小明", ""), seed="3", store=store)
    bare = BareCell(page, Debrief("wikipedia", "en", table=table, journal=journal))
    cell = page.locator(".ck-debrief")
    expect(cell).to_contain_text("Nobody has done anything at the table yet")
    expect(page.locator(".ck-talk")).to_be_hidden()
    act(table)
    bare.tell()
    expect(cell).to_contain_text("One match, 2 players, still under way.")
    page.locator(".ck-asked").focus()
    while not table.match.over:
        act(table)
    bare.tell()
    expect(cell).to_contain_text("One match, 2 players, finished.")
    expect(page.locator(".ck-talk")).to_be_visible()
    expect(
        page.locator(".ck-asked")
    ).to_be_focused()  # though it was drawn anew, the keys go on from there
    looks = sum("refused_head" in sent for sent in bare.sent)
    assert looks == 3  # once for each time that there was something new


def evidence(bare: BareCell) -> list[Any]:
    return [each for sent in bare.sent[1:] for each in json.loads(sent) if each["type"] == "seen"]


@pytest.mark.smoke
def test_a_prediction_is_put_down_before_anything_is_seen(
    page: Page, tmp_path: Path, journal: Journal
) -> None:
    table = Table(
        Wikipedia(2),
        seats=["person", HonestStudent],
        seed="1",
        store=Store(tmp_path / "matches.sqlite"),
    )
    act(table)

    bare = BareCell(page, Reflect("wikipedia", "points", "en", journal, table, "predict"))
    box, lock, seen = page.locator("textarea"), page.locator(".ck-lock"), page.locator(".ck-seen")
    expect(page.locator(".ck-timer")).to_contain_text("1:30")
    expect(lock).to_be_disabled()
    expect(seen).to_be_hidden()
    box.fill("I think that books win.")
    bare.says(lambda: list(journal.answers()), ["wikipedia/points"])  # it is saved by itself
    bare.settled()
    assert evidence(bare) == []
    lock.focus()
    page.keyboard.press("Enter")
    expect(box).not_to_be_editable()
    expect(seen).to_be_visible()
    expect(seen.locator("p").nth(2)).to_contain_text("finished")
    assert len(evidence(bare)) == 1
    assert severe(page) == []
    assert journal.answers()["wikipedia/points"].text == "I think that books win."
    lock.click()  # taken up again: the result goes
    expect(box).to_be_editable()
    expect(seen).to_be_hidden()
    lock.click()
    expect(seen).to_be_visible()
    assert (
        page.evaluate("localStorage.getItem('coursekit/predicted/wikipedia/points')")
        == "I think that books win."
    )


@pytest.mark.parametrize(
    ("timing", "says"), [("pair", "Think 0:30"), ("exit", "no name is needed")]
)
def test_prompts_with_time_fit_on_a_phone(
    page: Page, journal: Journal, timing: str, says: str
) -> None:
    page.set_viewport_size(PHONE)
    BareCell(page, Reflect("wizard", 1, "en", journal, timing=timing))
    expect(page.locator(".ck-reflect")).to_contain_text(says)
    assert overflow(page) <= 0
    assert smaller_than(44, page.locator("button")) == []
    assert severe(page) == []
