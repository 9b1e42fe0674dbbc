"""Maps on the site and in the one file, in Chromium: drawn, found again, compared, handed in."""

from pathlib import Path

import pytest
from lanes import START
from playwright.sync_api import Page, expect

from coursekit.maps.static_files import LIBRARY
from coursekit.words.texts import text

SENTENCE = "Jester wins no trick"


@pytest.fixture(params=["site", "file"])
def lesson(request: pytest.FixtureRequest) -> str:
    """The address of the lesson on Wizard: on a web server, and in a file that was opened."""
    if request.param == "site":
        return f"{request.getfixturevalue('site_url')}en-wizard.html"
    return f"{request.getfixturevalue('built_site').file.as_uri()}?page=en-wizard.html"


def open_map(page: Page) -> None:
    """Wait for the map of the lesson's lab."""
    expect(page.locator(".ck-map")).to_be_visible(timeout=1_000 * START)
    page.locator(".ck-map").scroll_into_view_if_needed()


def read_outline(page: Page) -> str:
    """Return the map as a list."""
    page.locator("[data-tool=view_outline]").click()
    return page.locator(".ck-map-main-view").inner_text()


def test_a_map_is_drawn_found_again_compared_and_handed_in(
    page: Page, lesson: str, tmp_path: Path
) -> None:
    refused: list[str] = []
    page.on(
        "console",
        lambda message: refused.append(message.text) if "Security Policy" in message.text else None,
    )
    page.goto(f"{lesson}#lab")
    open_map(page)
    page.get_by_role("button", name=text("map.ui.begin_write", "en")).click()
    page.keyboard.type("Jester")
    page.keyboard.press("Enter")
    page.locator(".ck-map-form [data-part=phrase]").fill("wins no")
    page.locator(".ck-map-form [data-part=new]").fill("trick")
    page.keyboard.press("Enter")
    saved = text("map.ui.saved", "en", time="")
    expect(page.locator(".ck-map-status")).to_contain_text(saved.strip())

    page.reload()
    open_map(page)
    expect(page.locator(".ck-map-main-view canvas").first).to_be_visible()
    outline = read_outline(page)
    assert all(word in outline for word in ("Jester", "wins no", "trick"))

    page.locator("[data-tool=more]").click()
    page.locator("[data-tab=compare]").click()
    page.locator("[data-source=starter]").click()
    starter = text("map.beside.starter", "en")
    expect(page.locator(".ck-map-drawer")).to_contain_text(starter)

    page.locator("[data-tab=files]").click()
    files = page.locator(".ck-map-drawer").get_by_role("tabpanel")
    with page.expect_download() as got:
        files.locator("[data-form=graphml]").click()
    graphml = tmp_path / got.value.suggested_filename
    got.value.save_as(graphml)
    files.locator("input[type=file]").set_input_files(graphml)
    expect(files.get_by_role("status")).to_contain_text(text("map.panel.files.loaded", "en"))

    page.goto(f"{lesson}#hand-in")
    with page.expect_download() as got:
        page.get_by_role("button", name=text("journal.handin.page", "en")).click()
    handed_in = got.value.path().read_text(encoding="utf-8")
    assert SENTENCE in handed_in
    assert "<svg" in handed_in or "data:image/svg+xml" in handed_in
    assert refused == []


def test_the_library_comes_only_where_a_map_is_shown(page: Page, site_url: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    page.goto(f"{site_url}en-wizard.html#play")
    expect(page.locator(".ck-table:not(.ck-still *)")).to_be_visible(timeout=1_000 * START)
    assert LIBRARY.name not in asked
    page.evaluate("location.hash = '#lab'")
    open_map(page)
    expect(page.locator(".ck-map-main-view canvas").first).to_be_visible()
    assert LIBRARY.name in asked
