"""The kit's own notebooks in a real browser: read, changed by their controls, answered."""

import json
import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from test_pages import overflow, severe

from coursekit.reflect import question, questions
from coursekit.texts import text

NOTEBOOKS = ["zh/00-welcome.ipynb", "en/00-welcome.ipynb", "zh/wizard.ipynb", "en/wizard.ipynb"]
LANGUAGES = {"zh": "zh-Hant", "en": "en"}


def journal() -> dict:
    """Return the answers that the tests' journal holds."""
    path = Path(os.environ["COURSEKIT_JOURNAL"])
    return json.loads(path.read_text(encoding="utf-8"))["answers"] if path.exists() else {}


@pytest.fixture(autouse=True)
def empty_journal():
    """Every test begins with no answers."""
    Path(os.environ["COURSEKIT_JOURNAL"]).unlink(missing_ok=True)


def box(page: Page, name: str, language: str):
    """Return the box for the answer to one of Wizard's questions."""
    return page.get_by_label(question("wizard", name).words[language])


def status(page: Page, name: str, language: str):
    return page.locator(".ck-reflect", has=box(page, name, language)).locator(".ck-foot .ck-status")


def saved(language: str) -> re.Pattern[str]:
    return re.compile(text("reflect.saved", language, time=r"\d\d:\d\d"))


def control(page: Page, label: str, nth: int = 0):
    """Return the cell with the slider of that label, and the slider."""
    slider = page.get_by_label(label).nth(nth)
    return page.locator(".ck-explore", has=slider).nth(nth), slider


@pytest.mark.parametrize("path", NOTEBOOKS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_notebook_is_a_page_that_makes_sense_without_code(open_dashboard, served, page: Page, path: str, scheme: str):
    page.emulate_media(color_scheme=scheme)
    open_dashboard(served.dashboard(path))
    expect(page.locator("html")).to_have_attribute("lang", LANGUAGES[path[:2]])
    body = page.locator("body").inner_text()
    for unwanted in ("Error", "Traceback", "widget model", "notebook-only", "print(", "✗"):
        assert unwanted not in body
    for image in page.locator("main img").all():
        assert image.evaluate("image => image.complete && image.naturalWidth > 0")
    assert severe(page) == []


@pytest.mark.parametrize("path", NOTEBOOKS)
def test_a_notebook_fits_a_phone(open_dashboard, served, page: Page, path: str):
    page.set_viewport_size({"width": 360, "height": 640})
    open_dashboard(served.dashboard(path))
    assert not overflow(page)
    for target in page.locator(".ck-cell button:visible, .ck-cell input:visible").all():
        assert target.bounding_box()["height"] >= 44
    assert severe(page) == []


@pytest.mark.parametrize("folder", LANGUAGES)
def test_a_control_changes_what_is_shown(open_dashboard, served, page: Page, folder: str):
    language = LANGUAGES[folder]
    open_dashboard(served.dashboard(f"{folder}/wizard.ipynb"))
    cell, slider = control(page, text("control.player", language))
    before = cell.locator(".ck-text").inner_text()
    slider.focus()
    slider.press("ArrowRight")
    expect(cell.locator(".ck-number")).to_have_text("2")
    expect(cell.locator(".ck-text")).not_to_have_text(before)
    assert cell.locator(".ck-text").inner_text().splitlines()[1:] == before.splitlines()[1:]
    cell.get_by_text("\u2212", exact=True).click()
    expect(cell.locator(".ck-text")).to_have_text(before)


def test_a_control_draws_the_figure_anew_and_says_that_it_computes(open_dashboard, served, page: Page):
    open_dashboard(served.dashboard("en/wizard.ipynb"))
    cell, slider = control(page, text("control.deals", "en"))
    image = cell.locator("img")
    before = image.get_attribute("src")
    assert "Always1" in image.get_attribute("alt")
    slider.press("Home")
    expect(cell.locator(".ck-status")).to_have_text(text("control.busy", "en"))
    expect(cell.locator("progress")).to_be_visible()
    expect(image).not_to_have_attribute("src", before, timeout=20_000)
    expect(cell.locator("progress")).to_be_hidden()


def test_quick_changes_end_with_the_last_number(open_dashboard, served, page: Page):
    open_dashboard(served.dashboard("en/00-welcome.ipynb"))
    cell, slider = control(page, text("control.cards", "en"))
    slider.focus()
    for _ in range(9):
        slider.press("ArrowRight")
        page.wait_for_timeout(40)
    expect(cell.locator(".ck-number")).to_have_text("10")
    expect(cell.locator(".ck-text")).to_have_text("52.8%")


@pytest.mark.parametrize("folder", LANGUAGES)
def test_an_answer_is_saved_while_it_is_typed_and_is_there_again(open_dashboard, served, page: Page, folder: str):
    language, words = LANGUAGES[folder], "<b>七成</b> & 'so'\n第二行"
    open_dashboard(served.dashboard(f"{folder}/wizard.ipynb"))
    box(page, "sure", language).fill(words)
    expect(status(page, "sure", language)).to_have_text(saved(language))
    assert journal()["wizard/sure"]["text"] == words
    assert journal()["wizard/sure"]["question"] == question("wizard", "sure").words[language]
    box(page, "luck", language).fill("both")
    box(page, "luck", language).blur()
    expect(status(page, "luck", language)).to_have_text(saved(language))
    page.reload()
    expect(box(page, "sure", language)).to_have_value(words, timeout=60_000)
    assert len(page.locator(".ck-reflect").all()) == len(questions("wizard"))


def test_what_was_typed_when_the_page_was_closed_is_saved_by_the_next_one(open_dashboard, served, page: Page):
    open_dashboard(served.dashboard("en/wizard.ipynb"))
    box(page, "rule", "en").fill("no time to save this")
    page.reload()
    expect(box(page, "rule", "en")).to_have_value("no time to save this", timeout=60_000)
    expect(status(page, "rule", "en")).to_have_text(saved("en"))
    assert journal()["wizard/rule"]["text"] == "no time to save this"


def test_answers_can_be_downloaded(open_dashboard, served, page: Page):
    open_dashboard(served.dashboard("en/wizard.ipynb"))
    box(page, "sure", "en").fill("one")
    expect(status(page, "sure", "en")).to_have_text(saved("en"))
    box(page, "luck", "en").fill("two")
    with page.expect_download() as waiting:
        page.get_by_role("button", name=text("reflect.download", "en")).first.click()
    assert waiting.value.suggested_filename == "my-answers.md"
    page_of_answers = Path(waiting.value.path()).read_text(encoding="utf-8")
    for name, answer in (("sure", "one"), ("luck", "two")):
        assert f"## {question('wizard', name).words['en']}\n\n{answer}" in page_of_answers


def test_where_nothing_can_be_written_the_text_stays_in_the_browser(
    open_dashboard, start_server, page: Page, tmp_path: Path, monkeypatch
):
    monkeypatch.setenv("COURSEKIT_JOURNAL", str(tmp_path / "none" / "journal.json"))
    server = start_server("--max-kernels", 5)
    open_dashboard(server.dashboard("en/wizard.ipynb"))
    box(page, "sure", "en").fill("precious")
    expect(status(page, "sure", "en")).to_contain_text("cannot be written")
    page.reload()
    expect(box(page, "sure", "en")).to_have_value("precious", timeout=60_000)
    with page.expect_download() as waiting:
        page.get_by_role("button", name=text("reflect.download", "en")).first.click()
    assert "precious" in Path(waiting.value.path()).read_text(encoding="utf-8")


def test_without_a_kernel_the_text_can_still_be_downloaded(open_dashboard, served, page: Page):
    open_dashboard(served.dashboard("en/wizard.ipynb"))
    kernel = page.evaluate("JSON.parse(document.getElementById('jupyter-config-data').textContent).kernelId")
    page.request.post(f"{served.url}voila/api/shutdown/{kernel}")
    box(page, "sure", "en").fill("typed into the void")
    expect(status(page, "sure", "en")).to_have_text(text("reflect.offline", "en"), timeout=15_000)
    with page.expect_download(timeout=15_000) as waiting:
        page.get_by_role("button", name=text("reflect.download", "en")).first.click()
    assert "typed into the void" in Path(waiting.value.path()).read_text(encoding="utf-8")


def test_the_same_page_in_a_jupyter_server_below_a_prefix(open_dashboard, jupyter, page: Page):
    open_dashboard(jupyter.dashboard("zh/wizard.ipynb"))
    box(page, "order", "zh-Hant").fill("最後一個")
    expect(status(page, "order", "zh-Hant")).to_have_text(saved("zh-Hant"))
    assert journal()["wizard/order"]["text"] == "最後一個"
    cell, slider = control(page, text("control.player", "zh-Hant"))
    slider.press("End")
    expect(cell.locator(".ck-text")).to_contain_text("玩家 4 的手牌")


def test_keys_in_a_cell_do_not_edit_the_notebook_in_jupyterlab(jupyter, page: Page):
    page.goto(f"{jupyter.url}lab/tree/notebooks/en/wizard.ipynb?token={jupyter.token}&reset")
    notebook = page.locator(".jp-Notebook")
    expect(notebook).to_be_visible(timeout=60_000)
    expect(page.get_by_role("button", name="| Idle")).to_be_visible(timeout=60_000)
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    answer = box(page, "rule", "en")
    for _ in range(120):  # cells out of sight are drawn when they are scrolled to
        if answer.count():
            break
        page.locator(".jp-WindowedPanel-outer").first.evaluate("panel => panel.scrollBy(0, 800)")
        page.wait_for_timeout(250)
    count = "document.querySelectorAll('.jp-Notebook .jp-Cell').length"
    answer.scroll_into_view_if_needed()
    before = page.evaluate(count)
    answer.press_sequentially("dd a b x m")
    expect(answer).to_have_value("dd a b x m")
    expect(status(page, "rule", "en")).to_have_text(saved("en"))
    assert page.evaluate(count) == before
    assert journal()["wizard/rule"]["text"] == "dd a b x m"
