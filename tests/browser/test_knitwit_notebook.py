"""The notebook of Knit Wit in a real browser: it makes sense without code, and shows what the reader did."""

import pytest
from playwright.sync_api import Page, expect
from test_pages import overflow, severe

from coursekit.reflect import question, questions
from coursekit.texts import table, text

LANGUAGES = {"zh": "zh-Hant", "en": "en"}
WITH_EVIDENCE = ("pair", "hard", "same", "rare", "judge", "stop")


def cell(page: Page, name: str, language: str):
    """Return the cell that asks one question."""
    asked = page.get_by_label(question("knitwit", name).words[language], exact=True)
    return page.locator(".ck-reflect", has=asked)


def seen(page: Page, name: str, language: str):
    """Return what stands below a question, scrolled to as a reader would."""
    shown = cell(page, name, language).locator(".ck-seen")
    shown.scroll_into_view_if_needed()
    return shown.locator(".ck-parts")


def control(page: Page, name: str, language: str):
    """Return the last cell with a control of that name, and its slider."""
    slider = page.get_by_label(table("knitwit")[f"control.{name}"][language]).last
    return page.locator(".ck-explore", has=slider), slider


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("folder", LANGUAGES)
def test_it_is_a_page_that_makes_sense_without_code(open_dashboard, served, page: Page, folder: str, scheme: str):
    page.emulate_media(color_scheme=scheme)
    open_dashboard(served.dashboard(f"{folder}/knitwit.ipynb"))
    expect(page.locator("html")).to_have_attribute("lang", LANGUAGES[folder])
    body = page.locator("body").inner_text()
    for unwanted in ("Error", "Traceback", "widget model", "notebook-only", "print(", "✗"):
        assert unwanted not in body
    for image in page.locator("main img").all():
        assert image.evaluate("image => image.complete && image.naturalWidth > 0")
        assert len(image.get_attribute("alt")) > 10
    assert page.locator(".ck-reflect").count() == len(questions("knitwit"))
    assert page.locator(".ck-seen").count() == len(WITH_EVIDENCE)
    expect(seen(page, "hard", LANGUAGES[folder])).to_have_text(text("reflect.not_played", LANGUAGES[folder]))
    assert severe(page) == []


@pytest.mark.parametrize("folder", LANGUAGES)
def test_it_fits_a_phone(open_dashboard, served, page: Page, folder: str):
    page.set_viewport_size({"width": 360, "height": 640})
    open_dashboard(served.dashboard(f"{folder}/knitwit.ipynb"))
    assert not overflow(page)
    for target in page.locator(".ck-cell button:visible, .ck-cell input:visible").all():
        assert target.bounding_box()["height"] >= 44
    assert severe(page) == []


def test_a_loop_that_is_moved_gets_another_answer(open_dashboard, served, page: Page):
    open_dashboard(served.dashboard("en/knitwit.ipynb"))
    explored, slider = control(page, "across", "en")
    picture = explored.locator("img")
    before = picture.get_attribute("alt")
    slider.focus()
    slider.press("End")
    expect(picture).not_to_have_attribute("alt", before)
    assert "off" not in before
    assert "holds exactly one spool" in picture.get_attribute("alt")


@pytest.mark.parametrize("folder", LANGUAGES)
def test_a_mistake_in_a_file_is_told_in_the_language_of_the_page(open_dashboard, served, page: Page, folder: str):
    language = LANGUAGES[folder]
    open_dashboard(served.dashboard(f"{folder}/knitwit.ipynb"))
    explored, slider = control(page, "mistake", language)
    slider.focus()
    slider.press("ArrowRight")
    expect(explored.locator(".ck-text")).to_contain_text("18")
    assert "unit.csv" in explored.locator(".ck-text").inner_text()


@pytest.mark.parametrize("folder", LANGUAGES)
def test_links_lead_to_a_place_on_the_page(open_dashboard, served, page: Page, folder: str):
    open_dashboard(served.dashboard(f"{folder}/knitwit.ipynb"))
    links = page.locator("main a[href^='#']:not(.anchor-link)")
    assert links.count() == 6
    for link in links.all():
        address = link.get_attribute("href")
        link.click()
        reached = page.evaluate("address => document.getElementById(address.slice(1))?.tagName", address)
        assert reached == "H2", address
        expect(page.locator("h2:target")).to_be_in_viewport()
