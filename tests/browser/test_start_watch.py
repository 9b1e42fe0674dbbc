"""What a page says while it does not start."""

import pytest
from playwright.sync_api import expect

from coursekit.serve import pages
from coursekit.serve.notebooks import NotebookShelf, packaged_folder
from coursekit.serve.room.phone_server import phone_html
from coursekit.site.build import join_files
from coursekit.site.pages import FileSite, lesson
from coursekit.words.texts import LANGUAGES, text

ADDRESS = "http://site.test/"
PARTS = {name: {"name": name, "size": 1} for name in ("worker", "wasm", "library", "kit")}
COMES = "document.querySelector('.site-wait[role=status]').remove()"


@pytest.fixture(scope="module")
def lesson_page():
    shelf = NotebookShelf(packaged_folder())
    notebook = next(each for each in shelf.notebooks("en") if each.name == "wizard")
    return lesson(FileSite(shelf), notebook, "en", PARTS)


@pytest.fixture
def open_with(page, traffic):
    """``open_with(html, "throw 1", "notebook.js")`` opens *html*; its script does just that.

    ``None`` for the script: it cannot be loaded. All its other scripts and styles are empty.
    """

    def answer(route, html, script, of):
        name = route.request.url.removeprefix(ADDRESS).partition("?")[0].rpartition("/")[2]
        if name == "":
            route.fulfill(body=html, content_type="text/html")
        elif name == "watch.js":
            route.fulfill(path=pages.STATIC / name)
        elif name == of and script is None:
            route.abort()
        else:
            words = script if name == of else ""
            kind = "text/javascript" if name.endswith(".js") else "text/css"
            route.fulfill(body=words, content_type=kind)

    def open_it(html, script, of="notebook.js"):
        page.route(f"{ADDRESS}**", lambda route: answer(route, html, script, of))
        page.clock.install()
        page.goto(ADDRESS)
        return page.locator("#trouble")

    yield open_it
    traffic.requests.clear()  # none has left this browser
    traffic.problems.clear()


@pytest.mark.parametrize("script", ["throw new Error()", "a ?", None], ids=repr)
def test_a_script_that_fails_is_told_until_the_table_comes(page, open_with, lesson_page, script):
    notice = open_with(lesson_page, script)
    expect(notice.get_by_text(text("page.broken", "en"))).to_be_visible()
    expect(notice.get_by_text(text("page.silent", "en"))).to_be_hidden()
    page.evaluate(COMES)
    expect(notice).to_be_hidden()


def test_silence_is_told_until_something_moves(page, open_with, lesson_page):
    notice = open_with(lesson_page, "")
    page.clock.run_for(19_000)
    expect(notice).to_be_hidden()
    page.evaluate("document.querySelector('.site-wait progress').value = 0.1")
    page.clock.run_for(19_000)
    expect(notice).to_be_hidden()
    page.clock.run_for(2_000)
    expect(notice.get_by_text(text("page.silent", "en"))).to_be_visible()
    page.evaluate("document.querySelector('.site-wait progress').value = 0.2")
    expect(notice).to_be_hidden()
    page.evaluate(COMES)
    page.clock.run_for(60_000)
    expect(notice).to_be_hidden()


def test_the_button_of_the_notice_loads_the_page_again(page, open_with, lesson_page):
    notice = open_with(lesson_page, None)
    with page.expect_navigation():
        notice.get_by_role("button", name=text("page.reload", "en")).click()


@pytest.mark.parametrize("script", ["import './none'; a ?", None], ids=repr)
def test_a_phone_whose_script_fails_says_so(open_with, script):
    notice = open_with(phone_html("en"), script, "phone.js")
    expect(notice.get_by_text(text("page.broken", "en"))).to_be_visible()


def test_the_one_file_says_so_in_each_language_if_it_cannot_be_unpacked(page, open_with):
    page.add_init_script("delete globalThis.DecompressionStream")  # as Firefox before 113
    notice = open_with(join_files({"index.html": b"<html></html>"}), "")
    for language in LANGUAGES:
        expect(notice.get_by_text(text("page.broken", language))).to_be_visible()


def test_a_lesson_of_the_one_file_says_so_as_well(page, open_with, lesson_page):
    files = {"index.html": lesson_page.encode(), "notebook.js": b"throw new Error()"}
    notice = open_with(join_files(files), "")
    expect(notice.get_by_text(text("page.broken", "en"))).to_be_visible()
    page.evaluate(COMES)
    expect(notice).to_be_hidden()
