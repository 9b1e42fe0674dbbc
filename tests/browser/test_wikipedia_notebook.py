"""The notebook of Wikipedia and Books in a real browser: it makes sense without code, and shows what the reader did."""

import pytest
from driver import AtTable
from playwright.sync_api import Page, expect
from test_pages import overflow, severe

from coursekit.reflect import question, questions
from coursekit.texts import table, text

LANGUAGES = {"zh": "zh-Hant", "en": "en"}


def cell(page: Page, name: str, language: str):
    """Return the cell that asks one question."""
    asked = page.get_by_label(question("wikipedia", name).words[language], exact=True)
    return page.locator(".ck-reflect", has=asked)


def seen(page: Page, name: str, language: str):
    """Return what stands below a question, scrolled to as a reader would."""
    shown = cell(page, name, language).locator(".ck-seen")
    shown.scroll_into_view_if_needed()
    return shown.locator(".ck-parts")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("folder", LANGUAGES)
def test_it_is_a_page_that_makes_sense_without_code(open_dashboard, served, page: Page, folder: str, scheme: str):
    page.emulate_media(color_scheme=scheme)
    open_dashboard(served.dashboard(f"{folder}/wikipedia.ipynb"))
    expect(page.locator("html")).to_have_attribute("lang", LANGUAGES[folder])
    body = page.locator("body").inner_text()
    for unwanted in ("Error", "Traceback", "widget model", "notebook-only", "print(", "✗"):
        assert unwanted not in body
    for image in page.locator("main img").all():
        assert image.evaluate("image => image.complete && image.naturalWidth > 0")
    assert page.locator(".ck-reflect").count() == len(questions("wikipedia"))
    assert severe(page) == []


@pytest.mark.parametrize("folder", LANGUAGES)
def test_what_the_reader_did_appears_below_the_questions_by_itself(open_dashboard, served, page: Page, folder: str):
    language = LANGUAGES[folder]
    open_dashboard(served.dashboard(f"{folder}/wikipedia.ipynb"))
    not_played = text("reflect.not_played", language)
    expect(seen(page, "role", language)).to_have_text(not_played)
    assert page.locator(".ck-seen").count() == 8  # the first two questions have nothing to show
    AtTable(page).decide()
    for name in ("role", "favourite", "often", "wiki", "crowd", "card", "map", "points"):
        expect(seen(page, name, language).locator("p").first).to_be_visible(timeout=30_000)
        expect(seen(page, name, language)).not_to_contain_text(not_played, timeout=30_000)
    for image in page.locator(".ck-parts img").all():
        assert len(image.get_attribute("alt")) > 20
        assert image.evaluate("image => image.complete && image.naturalWidth > 0")
    assert page.locator(".ck-parts img").count() >= 4
    assert severe(page) == []


def test_another_card_is_drawn_when_asked_for_and_stays_after_a_reload(open_dashboard, served, page: Page):
    open_dashboard(served.dashboard("en/wikipedia.ipynb"))
    AtTable(page).decide()
    card = seen(page, "card", "en").locator("p").first
    expect(card).to_contain_text("The card drawn", timeout=30_000)
    first = card.inner_text()
    cell(page, "card", "en").get_by_role("button", name=table("wikipedia")["evidence.draw"]["en"]).click()
    expect(card).not_to_have_text(first)
    second = card.inner_text()
    page.reload()
    page.wait_for_selector("#loading", state="detached", timeout=60_000)
    expect(seen(page, "card", "en").locator("p").first).to_have_text(second, timeout=60_000)


def test_it_fits_a_phone_with_everything_shown(open_dashboard, served, page: Page):
    page.set_viewport_size({"width": 360, "height": 640})
    open_dashboard(served.dashboard("zh/wikipedia.ipynb"))
    AtTable(page).decide()
    for name in ("wiki", "map", "points"):  # always with a picture, whatever was dealt
        expect(seen(page, name, "zh-Hant").locator("img")).to_be_visible(timeout=30_000)
    assert not overflow(page)
    for target in page.locator(".ck-cell button:visible, .ck-cell input:visible").all():
        assert target.bounding_box()["height"] >= 44
    assert severe(page) == []


def test_the_house_rule_is_played_and_shown(open_dashboard, served, page: Page):
    open_dashboard(served.dashboard("en/wikipedia.ipynb"))
    slider = page.get_by_label(table("wikipedia")["option.wiki_repair.label"]["en"]).last
    picture = page.locator(".ck-explore", has=slider).locator("img")
    before = picture.get_attribute("src")
    slider.focus()
    slider.press("ArrowRight")
    expect(picture).not_to_have_attribute("src", before, timeout=30_000)
    assert "by your rules" in picture.get_attribute("alt")


@pytest.mark.parametrize("folder", LANGUAGES)
def test_links_lead_to_a_place_on_the_page(open_dashboard, served, page: Page, folder: str):
    open_dashboard(served.dashboard(f"{folder}/wikipedia.ipynb"))
    links = page.locator("main a[href^='#']:not(.anchor-link)")
    assert links.count() == 5
    for link in links.all():
        address = link.get_attribute("href")
        link.click()
        reached = page.evaluate("address => document.getElementById(address.slice(1))?.tagName", address)
        assert reached == "H2", address
        expect(page.locator("h2:target")).to_be_in_viewport()
