"""The welcome notebook and Wizard's in a real browser: read, changed by their controls; answers
wherever they are.
"""

import json
import os
import re
from pathlib import Path

import pytest
from lesson import LANGUAGES, STYLES, Lesson
from playwright.sync_api import Locator, Page, expect
from webpage import at_size, clipped, write

from coursekit.reflect import question
from coursekit.words.texts import text


@pytest.fixture(params=LANGUAGES)
def welcome(request, open_lesson) -> Lesson:
    """The welcome notebook in each language."""
    return open_lesson(request.param, "00-welcome")


@pytest.fixture(params=LANGUAGES)
def lesson(request, open_lesson) -> Lesson:
    """The notebook about Wizard in each language."""
    return open_lesson(request.param, "wizard")


def test_the_welcome_is_a_page_that_makes_sense_without_code(welcome: Lesson):
    welcome.makes_sense_without_code()
    welcome.can_be_read_by_all()


@pytest.mark.parametrize("welcome", ["en"], indirect=True)
def test_quick_changes_end_with_the_last_number(welcome: Lesson):
    cell, slider = welcome.control("control.cards")
    slider.press("Home")
    for _ in range(9):
        slider.press("ArrowRight")
    expect(cell.locator(".ck-number")).to_have_text("10")
    expect(cell.locator(".ck-text")).to_have_text("52.8%")


def test_it_is_read_without_code_in_the_dark_and_on_a_phone(lesson: Lesson):
    lesson.makes_sense_without_code()
    lesson.can_be_read_by_all()


def test_the_lab_makes_sense_without_code_and_what_is_unfolded_stays_so(open_lesson):
    lab = open_lesson("zh", "lab")
    expect(lab.page.locator("main")).not_to_contain_text("class ")
    lab.pictures_stand()
    cell, slider = lab.control("control.player")
    cell.locator("summary").press(
        "Enter"
    )  # a click may land elsewhere while pictures above it are drawn
    hand = cell.locator("tr", has_text="obs.hand").locator("td").first
    expect(hand).to_be_visible()
    before = hand.inner_text()
    slider.press("ArrowRight")
    expect(hand).not_to_have_text(before)
    expect(hand).to_be_visible()
    for width in (1366, 1024, 390):
        at_size(lab.page, {"width": width, "height": 768})
        cell.scroll_into_view_if_needed()
        assert clipped(cell.locator(".ck-obs :is(th, td)")) == [], width
    cell, _ = lab.control("control.deals", 1)  # the ladder, on which nobody has saved a version
    expect(cell).to_contain_text(text("ladder.empty", "zh-Hant", folder="").partition("：")[0])
    lab.can_be_read_by_all()


@pytest.mark.parametrize("lesson", ["zh"], indirect=True)
def test_a_control_changes_what_is_shown(lesson: Lesson):
    cell, slider = lesson.control("control.player")
    before = cell.locator(".ck-text").inner_text()
    slider.press("ArrowRight")
    expect(cell.locator(".ck-number")).to_have_text("2")
    expect(cell.locator(".ck-text")).not_to_have_text(before)
    assert cell.locator(".ck-text").inner_text().splitlines()[1:] == before.splitlines()[1:]
    cell.get_by_text("\u2212", exact=True).click()
    expect(cell.locator(".ck-text")).to_have_text(before)


WATCH = """cell => {
  const [status, bar] = [".ck-status", "progress"].map((each) => cell.querySelector(each));
  window.said = [];
  const more = { subtree: true, childList: true, attributes: true };
  new MutationObserver(() => window.said.push([status.textContent, bar.checkVisibility()])).observe(cell, more);
}"""
"""Keeps what a cell says from now on, however quickly it is over, and whether its bar is seen."""


@pytest.mark.parametrize("lesson", ["en"], indirect=True)
def test_a_control_draws_the_figure_anew_and_says_that_it_computes(lesson: Lesson):
    cell, slider = lesson.control("control.deals")
    image = cell.locator("img")
    before = image.get_attribute("src")
    assert "Always1" in image.get_attribute("alt")
    cell.evaluate(WATCH)
    slider.press("Home")
    expect(image).not_to_have_attribute("src", before)
    expect(cell.locator("progress")).to_be_hidden()
    assert [text("control.busy", "en"), True] in lesson.page.evaluate("window.said")


@pytest.mark.smoke
@pytest.mark.parametrize("lesson", ["zh"], indirect=True)
def test_from_the_prediction_to_the_page_that_is_handed_in(lesson: Lesson):
    """As a pupil goes through a lesson; what several cells have in common on one page is seen only
    here.
    """
    page = lesson.page
    guess = lesson.reflection("hits")
    guess.locator("textarea").fill("三輪，七成把握")
    guess.locator(".ck-lock").click()
    seat = lesson.sit()
    for _ in range(3):  # of fewer predictions there is nothing to say unless one of them was missed
        seat.play_round()
    page.locator(".ck-handin").scroll_into_view_if_needed()
    page.get_by_role("button", name="可以，留下來").click()  # it asks, though the match is not over
    expect(page.locator(".ck-keep .ck-count")).to_contain_text("1 場")

    debrief = page.locator(".ck-debrief")
    debrief.scroll_into_view_if_needed()
    expect(debrief).to_contain_text("一場，4 位玩家，還在打。")
    debrief.locator(".ck-forth").click()
    expect(debrief.locator(".ck-slide h3")).to_be_visible()
    debrief.locator(".ck-forth").click()
    expect(debrief.locator(".ck-asked")).to_be_visible()

    # A card is drawn by lot; from its handle a line is pulled to a new concept.
    map = page.locator(".ck-map")
    map.locator(".ck-map-begin").get_by_role("button", name="抽一張卡").click()
    page.get_by_role("button", name="放到圖上").click()
    form = map.locator(".ck-map-form")
    expect(form.locator("[data-part=phrase]")).to_be_focused()
    first = form.locator("b").first.inner_text()
    page.keyboard.press("Escape")
    map.locator(".ck-map-board").evaluate("board => board.scrollIntoView({ block: 'center' })")
    map.locator(".ck-map-handle").hover()  # once it stands still
    handle = map.locator(".ck-map-handle").bounding_box()
    x, y = handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y + 40)
    page.mouse.move(x + 120, y + 90)
    page.mouse.up()
    expect(form.locator("[data-part=phrase]")).to_be_focused()
    page.keyboard.type("會改變")
    page.keyboard.press("Tab")
    page.keyboard.type("我的把握")
    page.keyboard.press("Enter")
    expect(map.locator(".ck-map-name")).to_have_text("我的把握")
    expect(page.locator(".ck-map-status")).to_contain_text("已儲存")

    lesson.reload()
    expect(map.locator(".ck-map-count")).to_contain_text("2 個概念")
    expect(guess.locator("textarea")).to_have_value("三輪，七成把握")
    expect(guess.locator("textarea")).not_to_be_editable()

    map.locator("[data-tool=more]").click()
    page.get_by_role("tab", name="比較").click()
    page.locator("[data-source=starter]").click()
    expect(page.locator(".ck-side-mine")).to_contain_text("我的把握")
    assert page.locator(".ck-side-missing li").count() > 5

    answer = lesson.reflection("elsewhere").locator("textarea")
    answer.fill("出門前估時間")
    answer.blur()
    expect(lesson.reflection("elsewhere").locator(".ck-foot .ck-status")).to_have_text(
        saved("zh-Hant")
    )
    held = page.locator(".ck-handin .ck-held")
    held.scroll_into_view_if_needed()
    expect(held).to_contain_text("2 個概念")  # now the kernel has no figure to draw any more
    with page.expect_download() as waiting:
        page.get_by_role("button", name="下載一頁").click()
    handed = Path(waiting.value.path()).read_text(encoding="utf-8")
    for part in (
        "三輪，七成把握",
        "出門前估時間",
        f"{first}會改變我的把握",
        "data:image/svg+xml",
        "玩過的對局",
    ):
        assert part in handed, part
    lesson.styles_stay_in_their_cells(*STYLES.keys() - {"ck-wordfiles"})


# Answers, in a notebook with three questions and a control, which opens quickly

ASKED = ("sure", "luck", "rule")
IMPORTS = "from coursekit.cells import explore\nfrom coursekit.reflect import reflect"


@pytest.fixture(scope="module")
def asking(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with that notebook in each language."""
    folder = tmp_path_factory.mktemp("asking")
    for short, language in LANGUAGES.items():
        cells = [f'reflect("wizard", "{name}", "{language}")' for name in ASKED]
        cells.append(f'explore(lambda cards=1: cards, "{language}", cards=range(21))')
        write(folder / short / "ask.ipynb", "# ask", IMPORTS, *cells)
    return folder


@pytest.fixture(scope="module")
def asked(start_server, asking: Path):
    """``coursekit serve`` with it."""
    return start_server("--dir", asking, "--max-kernels", 30)


@pytest.fixture(autouse=True)
def empty_journal():
    """Every test begins with no answers."""
    Path(os.environ["COURSEKIT_JOURNAL"]).unlink(missing_ok=True)


def journal() -> dict:
    """Return the answers that the tests' journal holds."""
    path = Path(os.environ["COURSEKIT_JOURNAL"])
    return json.loads(path.read_text(encoding="utf-8"))["answers"] if path.exists() else {}


def box(page: Page, name: str, language: str) -> Locator:
    """Return the box for the answer to one of Wizard's questions."""
    return page.get_by_label(question("wizard", name).words[language])


def status(page: Page, name: str, language: str) -> Locator:
    """Return what is said below it of whether the answer is saved."""
    return page.locator(".ck-reflect", has=box(page, name, language)).locator(".ck-foot .ck-status")


def saved(language: str) -> re.Pattern[str]:
    """Return what is said there of an answer that is saved."""
    return re.compile(text("reflect.saved", language, time=r"\d\d:\d\d"))


def download(page: Page, language: str) -> str:
    """Download the page of answers, and return it."""
    with page.expect_download() as waiting:
        page.get_by_role("button", name=text("reflect.download", language)).first.click()
    assert waiting.value.suggested_filename == text("reflect.file", language) + ".md"
    return Path(waiting.value.path()).read_text(encoding="utf-8")


def test_an_answer_is_saved_while_it_is_typed_and_is_there_again(open_dashboard, asked, page: Page):
    language, words = "zh-Hant", "<b>七成</b> & 'so'\n第二行"
    open_dashboard(asked.dashboard("zh/ask.ipynb"))
    box(page, "sure", language).fill(words)
    expect(status(page, "sure", language)).to_have_text(saved(language))
    assert journal()["wizard/sure"]["text"] == words
    assert journal()["wizard/sure"]["question"] == question("wizard", "sure").words[language]
    box(page, "luck", language).fill("both")
    box(page, "luck", language).blur()
    expect(status(page, "luck", language)).to_have_text(saved(language))

    box(page, "rule", language).fill("no time to save this")
    page.reload()
    expect(box(page, "sure", language)).to_have_value(words)
    expect(page.locator(".ck-reflect")).to_have_count(len(ASKED))
    expect(box(page, "rule", language)).to_have_value("no time to save this")
    expect(status(page, "rule", language)).to_have_text(saved(language))
    assert journal()["wizard/rule"]["text"] == "no time to save this"


def test_answers_can_be_downloaded_and_without_a_kernel_what_is_typed(
    open_dashboard, asked, page: Page
):
    open_dashboard(asked.dashboard("en/ask.ipynb"))
    box(page, "sure", "en").fill("one")
    expect(status(page, "sure", "en")).to_have_text(saved("en"))
    box(page, "luck", "en").fill("two")
    page_of_answers = download(page, "en")
    for name, answer in (("sure", "one"), ("luck", "two")):
        assert f"## {question('wizard', name).words['en']}\n\n{answer}" in page_of_answers
    kernel = page.evaluate(
        "JSON.parse(document.getElementById('jupyter-config-data').textContent).kernelId"
    )
    page.request.post(f"{asked.url}voila/api/shutdown/{kernel}")
    box(page, "rule", "en").fill("typed into the void")
    expect(status(page, "rule", "en")).to_have_text(text("reflect.offline", "en"))
    assert "typed into the void" in download(page, "en")


def test_where_nothing_can_be_written_the_text_stays_in_the_browser(
    open_dashboard, start_server, asking: Path, page: Page, tmp_path: Path, monkeypatch
):
    monkeypatch.setenv("COURSEKIT_JOURNAL", str(tmp_path / "none" / "journal.json"))
    server = start_server("--dir", asking, "--max-kernels", 5)
    open_dashboard(server.dashboard("en/ask.ipynb"))
    box(page, "sure", "en").fill("precious")
    expect(status(page, "sure", "en")).to_contain_text("cannot be written")
    page.reload()
    expect(box(page, "sure", "en")).to_have_value("precious")
    assert "precious" in download(page, "en")


@pytest.fixture(scope="module")
def jupyter(start_jupyter, asking: Path):
    """A Jupyter server with it, below a prefix as in Binder."""
    return start_jupyter(asking)


def test_the_same_page_in_a_jupyter_server_below_a_prefix(open_dashboard, jupyter, page: Page):
    lesson = Lesson(open_dashboard(jupyter.dashboard("zh/ask.ipynb")), "zh", "wizard")
    box(page, "sure", "zh-Hant").fill("最後一個")
    expect(status(page, "sure", "zh-Hant")).to_have_text(saved("zh-Hant"))
    assert journal()["wizard/sure"]["text"] == "最後一個"
    cell, slider = lesson.control("control.cards")
    slider.press("End")
    expect(cell.locator(".ck-text")).to_have_text("20")


def test_keys_in_a_cell_do_not_edit_the_notebook_in_jupyterlab(jupyter, page: Page):
    page.goto(f"{jupyter.url}lab/tree/notebooks/en/ask.ipynb?token={jupyter.token}&reset")
    cells = page.locator(".jp-Notebook .jp-Cell")
    expect(cells).to_have_count(len(ASKED) + 3)
    expect(page.get_by_role("button", name="| Idle")).to_be_visible()
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    answer = box(page, "rule", "en")
    answer.press_sequentially("dd a b x m")
    expect(answer).to_have_value("dd a b x m")
    expect(status(page, "rule", "en")).to_have_text(saved("en"))
    expect(cells).to_have_count(len(ASKED) + 3)
    assert journal()["wizard/rule"]["text"] == "dd a b x m"
