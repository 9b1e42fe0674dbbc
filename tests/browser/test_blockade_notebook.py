"""The notebook of 文壇封鎖中 in a real browser: read without code, an era played to its end, numbers changed."""

import pytest
from driver import AtTable
from playwright.sync_api import Page, expect
from test_pages import overflow, severe

from coursekit.games.blockade.evidence import fact
from coursekit.reflect import question, questions
from coursekit.texts import table, text

LANGUAGES = {"zh": "zh-Hant", "en": "en"}
TOLD = {"roles": 0, "history": 1, "law": 0, "paid": 1, "silence": 0, "self": 0, "source": 0, "model": 0}
"""The questions below which something is shown, and how many pictures there are at least."""


@pytest.fixture(autouse=True)
def patient(page: Page) -> None:
    """The page computes several pictures before it stands, which takes a loaded machine long."""
    page.set_default_navigation_timeout(120_000)


def seen(page: Page, name: str, language: str):
    """Return what stands below a question, scrolled to as a reader would."""
    asked = page.get_by_label(question("blockade", name).words[language], exact=True)
    shown = page.locator(".ck-reflect", has=asked).locator(".ck-seen")
    shown.scroll_into_view_if_needed()
    return shown.locator(".ck-parts")


def control(page: Page, name: str, language: str):
    """Return the first slider on the page for *name*, and its cell."""
    slider = page.get_by_label(table("blockade")[name][language], exact=True)
    cell = page.locator(".ck-explore", has=slider).first
    cell.scroll_into_view_if_needed()
    return cell.get_by_label(table("blockade")[name][language], exact=True), cell


def all_pictures_stand(page: Page) -> None:
    """Check that every picture is drawn, and told in words."""
    for image in page.locator("main img").all():
        image.scroll_into_view_if_needed()
        assert image.evaluate("image => image.complete && image.naturalWidth > 0")
        assert len(image.get_attribute("alt")) > 20


@pytest.mark.parametrize(("folder", "scheme"), [("zh", "light"), ("en", "dark")])
def test_it_is_a_page_that_makes_sense_without_code(open_dashboard, served, page: Page, folder: str, scheme: str):
    page.emulate_media(color_scheme=scheme)
    open_dashboard(served.dashboard(f"{folder}/blockade.ipynb"))
    expect(page.locator("html")).to_have_attribute("lang", LANGUAGES[folder])
    body = page.locator("body").inner_text()
    for unwanted in ("Error", "Traceback", "widget model", "notebook-only", "print(", "import ", "✗"):
        assert unwanted not in body
    all_pictures_stand(page)
    assert page.locator(".ck-reflect").count() == len(questions("blockade"))
    first_table = page.locator(".ck-table").first.bounding_box()
    assert page.locator("main table").first.bounding_box()["y"] < first_table["y"], "the dates come before the game"
    assert page.locator(".ck-table audio, .ck-table video").count() == 0
    for link in page.locator("main a[href^='#']:not(.anchor-link)").all():
        address = link.get_attribute("href")
        link.click()
        reached = page.evaluate("address => document.getElementById(address.slice(1))?.tagName", address)
        assert reached in ("H2", "H3"), address
        expect(page.locator("h2:target, h3:target")).to_be_in_viewport()
    assert severe(page) == []


def test_an_era_is_played_and_the_questions_tell_what_happened_in_it(open_dashboard, served, page: Page):
    open_dashboard(served.dashboard("en/blockade.ipynb"))
    expect(seen(page, "roles", "en")).to_have_text(text("reflect.not_played", "en"))
    board = AtTable(page)
    board.play_to_the_end()
    assert board.root.locator(".ck-plate.ck-winner").count() >= 1
    points = board.root.locator(".ck-plate.ck-you .ck-count b").first.inner_text()
    for name, pictures in TOLD.items():
        shown = seen(page, name, "en")
        expect(shown.locator("p").first).to_be_visible(timeout=30_000)
        expect(shown).not_to_contain_text(text("reflect.not_played", "en"), timeout=30_000)
        if pictures:
            expect(shown.locator("img").first).to_be_visible(timeout=30_000)
    expect(seen(page, "roles", "en")).to_contain_text(f"{points} point")
    all_pictures_stand(page)
    assert severe(page) == []
    story = board.root.locator(".ck-story").inner_text()
    page.reload()
    page.wait_for_selector("#loading", state="detached", timeout=60_000)
    expect(page.locator(".ck-table").first.locator(".ck-story")).to_have_text(
        story, use_inner_text=True, timeout=60_000
    )


def test_it_fits_a_phone_with_everything_shown(open_dashboard, served, page: Page):
    page.set_viewport_size({"width": 360, "height": 640})
    open_dashboard(served.dashboard("zh/blockade.ipynb"))
    AtTable(page).decide()
    for name in ("history", "paid"):  # always with a picture, whatever was dealt
        expect(seen(page, name, "zh-Hant").locator("img")).to_be_visible(timeout=30_000)
    assert overflow(page) <= 0
    for target in page.locator(".ck-cell button:visible, .ck-cell input:visible").all():
        assert target.bounding_box()["height"] >= 44
    assert severe(page) == []


def test_numbers_are_changed_in_place_of_cells(open_dashboard, served, page: Page):
    open_dashboard(served.dashboard("zh/blockade.ipynb"))
    slider, cell = control(page, "control.card", "zh-Hant")
    for number in (173, 174):  # the first periodicals
        for sentence in fact(number, "zh-Hant"):
            expect(cell.locator(".ck-result")).to_contain_text(sentence.splitlines()[0], timeout=30_000)
        slider.press("ArrowRight")
    for name, key in {
        "control.match": "ArrowRight",
        "control.rank": "ArrowRight",
        "option.o_faces.label": "Home",
    }.items():
        slider, cell = control(page, name, "zh-Hant")
        picture = cell.locator("img").first
        before = picture.get_attribute("src")
        slider.press(key)
        expect(picture).not_to_have_attribute("src", before, timeout=60_000)
        assert len(picture.get_attribute("alt")) > 20
    assert severe(page) == []
