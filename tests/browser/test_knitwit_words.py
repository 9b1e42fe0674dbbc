"""Own words for Knit Wit in a real browser: files chosen in the cell, and the table that plays with
them.
"""

import csv
import io

import pytest
from bare import Bare
from barecell import BareCell
from cells import here, send
from playwright.sync_api import Page, expect
from webpage import overflow, severe, smaller_than

from coursekit.files import csvfile
from coursekit.games.knitwit import KnitWit
from coursekit.games.knitwit.rules.lexicon import PACKS
from coursekit.games.knitwit.strategies import FirstThought
from coursekit.games.knitwit.table.word_files import choose_words
from coursekit.table import Table
from coursekit.table.storage.sqlite_store import Store
from coursekit.words.texts import game_text

TAGS = [f"字卡{letter}的" for letter in "甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳"]
SEED = "d"
"""Of a deal in which two programs begin, with the kit's words or others."""
LARGEST = 4000
MARKUP = "<img/src/onerror=stop()>"
DROP = """(section, content) => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([content], "dropped.csv", { type: "text/csv" }));
  const more = { dataTransfer, bubbles: true, cancelable: true };
  for (const type of ["dragover", "drop"]) section.dispatchEvent(new DragEvent(type, more));
}"""
WEIGH = """() => {
  const tell = window.tellKernel;
  window.sizes = [];
  window.tellKernel = (content, buffers) => {
    window.sizes.push(...buffers.map((each) => each.length));
    return tell(content, buffers);
  };
}"""


@pytest.fixture
def table(tmp_path, monkeypatch) -> Table:
    """A table in Chinese, at which two programs and then a person lay loops."""
    monkeypatch.setattr(PACKS, "_loaded", {})
    return Table(
        KnitWit(3), seats=[FirstThought, FirstThought, "person"], seed=SEED, store=Store(tmp_path)
    )


def begin(table: Table) -> None:
    """Have the person lay a loop."""
    action = table.match.game.legal_actions(table.match.state, 2).suggestion(0, None)
    send(table, {"type": "act", "seat": 2, "action": action, **here(table)})


def words(name: str, **values: object) -> str:
    return game_text("knitwit", f"wordfiles.{name}", "zh-Hant", **values)


def test_a_file_is_mended_and_the_next_match_is_played_with_it(
    page: Page, table: Table, tmp_path
) -> None:
    begin(table)
    BareCell(page, choose_words(table))
    tags, lexicon = (page.get_by_role("region", name=words(each)) for each in ("tags", "lexicon"))
    expect(tags).to_contain_text(words("kit_tags", count=114))
    back = page.get_by_role("button", name=words("back"))
    expect(back).to_be_hidden()

    def choose(where, name: str, *rows: str) -> None:
        (tmp_path / name).write_text("\n".join(rows), encoding="utf-8")
        with page.expect_file_chooser() as chooser:
            where.get_by_role("button", name="檔").first.click()
        chooser.value.set_files(tmp_path / name)

    choose(tags, "第五課.csv", "zh", *TAGS, "一二三四五六七八九", "红色的", "紅色的")
    expect(tags.get_by_role("listitem")).to_have_count(2)
    expect(tags.get_by_role("listitem").first).to_have_text(
        "第五課.csv 第 18 行的 zh 有 9 個字，最多 8 個：請縮短。"
    )
    expect(tags.get_by_role("listitem").last).to_contain_text(
        "第五課.csv 第 20 行的 zh 和第 19 行一樣（紅色的）"
    )
    expect(tags).to_contain_text(words("kit_tags", count=114))
    assert severe(page) == []

    choose(tags, "第五課.csv", "zh", *TAGS)  # the same file, mended
    expect(tags).to_contain_text("選用 第五課.csv 的 16 張：字卡甲的、字卡乙的")
    expect(tags.get_by_role("listitem")).to_have_count(0)
    expect(page.locator(".ck-notice")).to_have_text(words("waiting"))
    choose(lexicon, "詞.csv", "zh,tags", f"貓,{MARKUP}")
    expect(lexicon.get_by_role("status")).to_contain_text(f"詞.csv 第 2 行的 tags 寫了「{MARKUP}」")
    choose(lexicon, "詞.csv", "zh,tags", f"{MARKUP},字卡甲的", "狗,字卡乙的")
    expect(lexicon).to_contain_text(f"選用 詞.csv 的 2 個：{MARKUP}、狗")
    assert page.locator("#cell img").count() == 0

    beside = page.context.new_page()
    Bare(beside, table)
    laid = beside.locator(".ck-venn-tag")
    expect(laid).to_have_count(3)
    assert not set(laid.all_inner_texts()) & set(TAGS), (
        "the match that has begun has the tags it began with"
    )
    beside.locator("button.ck-new").click()
    form = beside.locator(".ck-form")
    whose = form.get_by_label("用誰的字卡")
    assert whose.evaluate("select => select.selectedOptions[0].label") == "第五課.csv + 詞.csv"
    form.locator("details").evaluate_all("all => all.forEach((each) => { each.open = true; })")
    form.get_by_label("發牌的種子").fill(SEED)
    form.locator("button[type=submit]").click()
    expect(form).to_have_count(0)
    expect(laid).to_have_count(2)
    assert set(laid.all_inner_texts()) <= set(TAGS)
    beside.close()

    back.click()
    expect(page.locator(".ck-notice")).to_contain_text(words("returned"))
    expect(tags).to_contain_text(words("kit_tags", count=114))
    expect(back).to_be_hidden()
    expect(page.locator(":focus")).to_have_text(words("use"))


def test_files_are_dropped_downloaded_and_not_sent_if_they_are_too_large(
    page: Page, table: Table, monkeypatch
) -> None:
    monkeypatch.setattr(csvfile, "LARGEST_CSV", LARGEST)
    page.set_viewport_size({"width": 360, "height": 640})
    page.emulate_media(color_scheme="dark")
    cell = choose_words(table)
    cell.largest = LARGEST
    BareCell(page, cell)
    tags = page.get_by_role("region", name=words("tags"))
    with page.expect_download() as got:
        tags.get_by_role("button", name=words("example_tags")).click()
    assert got.value.suggested_filename == "字卡.csv"
    content = got.value.path().read_bytes()
    assert content.startswith(b"\xef\xbb\xbf")
    rows = list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))
    assert rows[:2] == [["zh"], ["紅色的"]]

    page.evaluate(WEIGH)
    tags.evaluate(DROP, "zh\n" + "字" * LARGEST)
    expect(tags.get_by_role("status")).to_contain_text("dropped.csv 太大了，最多 4 KB")
    assert page.evaluate("window.sizes") == [LARGEST + 1]
    tags.evaluate(DROP, content.decode("utf-8").replace("紅色的", "朱紅的"))
    expect(tags).to_contain_text("選用 dropped.csv 的 114 張：朱紅的")
    expect(page.locator(".ck-notice")).to_have_text(words("changed"))
    assert table.match.game.pack.tags[0].zh == "朱紅的"
    page.evaluate(
        "() => { window.leave(); window.leave = window.show(document.querySelector('#cell')); }"
    )
    expect(tags).to_contain_text("選用 dropped.csv 的 114 張")
    assert overflow(page) <= 0
    assert severe(page) == []
    assert smaller_than(44, page.locator("button")) == []


def test_words_are_pasted_with_a_line_for_each_and_mended_in_the_box(
    page: Page, table: Table
) -> None:
    BareCell(page, choose_words(table))
    tags = page.get_by_role("region", name=words("tags"))
    box, use = tags.get_by_role("textbox"), tags.get_by_role("button", name=words("use"))
    use.click()
    expect(tags).to_contain_text(words("nothing"))
    box.fill("\n".join([*TAGS, TAGS[2]]))
    use.click()
    expect(tags).to_contain_text("第 17 行")
    expect(tags).to_contain_text("第 3 行")
    expect(tags).to_contain_text(words("kit_tags", count=114))
    box.fill("、".join(TAGS))
    use.click()
    told = words("own_tags", file=words("pasted"), count=16, names="")
    expect(tags).to_contain_text(told)
    expect(tags).to_contain_text(TAGS[0])
    assert [tag.zh for tag in table.match.game.pack.tags] == TAGS
