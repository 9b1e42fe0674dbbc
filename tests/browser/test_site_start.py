"""What a lesson of the site says where Python cannot start, and how it plays in other sites' frames."""

import functools
import gzip
import html
import itertools
import random
import re
from contextlib import closing
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from engines import ENGINES
from lanes import START
from playwright.sync_api import expect

from coursekit.core.registry import KIT_GAMES
from coursekit.words.texts import text

WAIT = ".site-wait:not(.site-soon)"
PARTS = {
    "nothing": (None, "network"),
    "another page": ("<!DOCTYPE html><title>Log in</title>", "altered"),
    "cut": (gzip.compress(b"\0asm" + bytes(9_000))[:40], "altered"),
    "empty": ("", "altered"),
}
"""What comes instead of a part of Python, and what the page says then."""
FAULTS = {
    "nothing": lambda route: route.abort(),
    "missing": lambda route: route.fulfill(status=404, body="not found"),
    "another page": lambda route: route.fulfill(body="<!DOCTYPE html><title>Log in</title>"),
    "empty": lambda route: route.fulfill(body=""),
    "cut": lambda route: route.fulfill(body=route.fetch().body()[:500]),
}
"""What a network does to a file."""
REASONS = {
    "memory": "RangeError('WebAssembly.Memory(): could not allocate memory')",
    "policy": "WebAssembly.CompileError(\"violates the Content Security directive: 'unsafe-eval'\")",
    "unknown": "TypeError('x is not a function')",
}
"""Why a browser refuses Python's machine code, as the errors it throws."""
REFUSALS = {
    "compiled": ("site.js", "WebAssembly.compile = async () => {{ throw new {}; }};"),
    "begun": ("worker.js", "WebAssembly.Instance = function () {{ throw new {}; }};"),
    "grown": ("worker.js", "WebAssembly.Memory.prototype.grow = () => {{ throw new {}; }};"),
}
"""Where it does: the script of the page or of the worker, and what makes it do so there."""


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args):
    """Playwright waits by code that the site's policy forbids."""
    return {**browser_context_args, "bypass_csp": True}


@pytest.fixture
def platform(tmp_path):
    """``platform(attributes)`` returns the address of a page with a frame, on another site."""
    handler = functools.partial(SimpleHTTPRequestHandler, directory=str(tmp_path))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    Thread(target=server.serve_forever, daemon=True).start()

    def show(attributes):
        words = f"<!DOCTYPE html><iframe {attributes} width=1200 height=680></iframe>"
        (tmp_path / "platform.html").write_text(words, encoding="utf-8")
        return f"http://localhost:{server.server_port}/platform.html"

    yield show
    server.shutdown()
    server.server_close()


@pytest.fixture
def open_in_frame(page, platform):
    """``open_in_frame(attributes)`` shows such a page; returns what is in the frame."""

    def show(attributes):
        page.goto(platform(attributes))
        return page.frame_locator("iframe")

    return show


def as_text(built_site):
    return f'srcdoc="{html.escape(built_site.file.read_text(encoding="utf-8"))}"'


def table(page):
    expect(page.locator(".ck-table:not(.ck-still *)").first).to_be_visible(timeout=1_000 * START)


@pytest.mark.parametrize("file", ["python.wasm.gz", "memory.gz"])
@pytest.mark.parametrize("part", PARTS)
def test_a_lesson_can_be_read_while_a_part_of_python_does_not_come(page, site_url, part, file):
    body, cause = PARTS[part]

    def answer(route):
        if body is None:
            route.abort()
        else:
            route.fulfill(body=body)

    page.route(f"**/{file}", answer)
    page.goto(f"{site_url}en-wizard.html#rules")
    expect(page.get_by_role("heading", level=2).first).to_be_visible()
    page.goto(f"{site_url}en-wizard.html#play")
    wait = page.locator(WAIT)
    expect(wait).to_contain_text(text(f"site.failed_{cause}", "en"))
    expect(page.locator("#trouble")).to_be_hidden()
    page.unroute(f"**/{file}")
    wait.get_by_role("button").click()
    table(page)


@pytest.mark.parametrize(
    ("place", "cause"), [*itertools.product(("compiled", "begun"), REASONS), ("grown", "memory")]
)
def test_a_page_tells_why_python_does_not_start(page, site_url, cause, place):
    script, refusal = REFUSALS[place]

    def spoil(route):
        answer = route.fetch()
        route.fulfill(
            response=answer,
            body=f"{refusal.format(REASONS[cause])}\n{answer.text()}",
        )

    page.route(f"**/{script}", spoil)
    page.goto(f"{site_url}en-wizard.html#play")
    wait = page.locator(WAIT)
    expect(wait).to_contain_text(text(f"site.failed_{cause}", "en"))
    expect(wait.get_by_role("button")).to_be_visible()


@pytest.mark.parametrize("directive", ["connect-src 'none'", "worker-src 'none'"])
def test_a_web_space_that_forbids_a_part_of_python_is_named(browser, site_url, directive):
    name = directive.partition(" ")[0]

    def forbid(route):
        answer = route.fetch()
        headers = answer.headers | {"content-security-policy": directive}
        route.fulfill(response=answer, headers=headers)

    with closing(browser.new_context()) as context:  # which keeps to policies
        page = context.new_page()
        page.route("**/en-wizard.html", forbid)
        page.goto(f"{site_url}en-wizard.html#play")
        told = text("site.failed_directive", "en", directive=name)
        expect(page.locator(WAIT)).to_contain_text(told)


@pytest.mark.parametrize("answer", ["abort", "login"])
def test_a_table_whose_script_does_not_come_says_so_and_comes_when_it_can(
    page, site_url, traffic, answer
):
    def refuse(route):
        if answer == "abort":
            route.abort()
        else:
            route.fulfill(body="<!DOCTYPE html><title>Log in</title>")

    page.route("**/widgets/*.js", refuse)
    page.goto(f"{site_url}en-wizard.html#play")
    lost = page.locator(".jp-OutputArea-output[role=alert]").filter(visible=True).first
    expect(lost).to_contain_text(text("site.part_lost", "en"), timeout=1_000 * START)
    page.unroute("**/widgets/*.js")
    lost.get_by_role("button").click()
    table(page)
    assert set(traffic.problems) <= {"Unexpected token '<'"}  # the login page, read as a script
    traffic.problems.clear()


def test_an_editor_that_does_not_come_leaves_its_cell_to_be_read_and_run(page, site_url):
    page.route("**/editor.js", lambda route: route.abort())
    page.goto(f"{site_url}en-lab.html#bid")
    cell = page.locator('[data-cell="mine-bid"]')
    cell.scroll_into_view_if_needed()
    expect(cell).to_contain_text(text("site.part_lost", "en"), timeout=1_000 * START)
    cell.get_by_role("button", name=text("site.run", "en")).click()
    expect(cell.locator(".site-asks")).to_be_visible(timeout=1_000 * START)
    expect(cell).to_contain_text(text("site.part_lost", "en"))
    expect(cell.locator("pre").first).to_contain_text("class Mine")


@pytest.mark.parametrize(
    ("part", "cause"),
    [("worker.js", "network"), ("memory.gz", "network"), ("kit.zip.gz", "altered")],
)
def test_a_python_that_does_not_begin_again_is_told_and_can_be_tried_again(
    page, site_url, part, cause
):
    page.route("**/service-worker.js", lambda route: route.abort())
    page.goto(f"{site_url}en-wizard.html#play")
    table(page)

    def refuse(route):
        if cause == "network":
            route.abort()
        else:
            route.fulfill(body="<!DOCTYPE html><title>Log in</title>")

    page.route(f"**/{part}", refuse)
    bar = page.locator(".site-busy")
    page.evaluate("coursekit_page.stop()")
    expect(bar).to_contain_text(text(f"site.failed_{cause}", "en"))
    page.unroute(f"**/{part}")
    bar.get_by_role("button", name=text("site.restart", "en")).click()
    expect(bar).to_be_hidden()
    expect(page.locator(".jp-OutputArea[inert]")).to_have_count(0, timeout=1_000 * START)
    table(page)


@pytest.mark.parametrize("seed", range(14))
def test_whatever_file_of_a_lesson_comes_wrong_the_page_plays_or_says_so(
    page, built_site, site_url, traffic, seed
):
    drawn = random.Random(seed)
    kinds = ("*.js", "*.gz", "widgets/*.js", "coursekit/static/*.js")
    files = sorted(path for kind in kinds for path in built_site.folder.glob(kind))
    file = drawn.choice(files).relative_to(built_site.folder).as_posix()
    fault, game = drawn.choice(sorted(FAULTS)), drawn.choice(sorted(KIT_GAMES))
    page.route(f"**/{file}", FAULTS[fault])
    page.goto(f"{site_url}en-{game}.html#play")
    at_table = page.locator(".ck-table:not(.ck-still *)")
    seen = at_table.or_(page.get_by_role("alert")).filter(visible=True).first
    expect(seen, f"{file} {fault} {game}").to_be_visible(timeout=1_000 * START)
    page.close()
    traffic.problems.clear()  # what came wrong, read as a script


@pytest.mark.parametrize("lacks", ["WebAssembly", "DecompressionStream"])
def test_a_browser_without_what_python_needs_is_named(page, site_url, lacks):
    page.add_init_script(f"delete globalThis.{lacks}")
    page.goto(f"{site_url}en-wizard.html#play")
    expect(page.locator(WAIT)).to_contain_text(text("site.failed_browser", "en"))


@pytest.mark.parametrize("sandbox", ["", "sandbox='allow-scripts'"], ids=["plain", "sandboxed"])
def test_the_text_of_the_one_file_is_played_in_a_frame(open_in_frame, built_site, sandbox):
    inside = open_in_frame(f"{sandbox} {as_text(built_site)}")
    inside.locator("a[hreflang=en]").click()
    inside.get_by_role("link", name=re.compile("On this screen: Wizard")).click()
    legal = inside.locator(".ck-near .ck-choice.ck-legal, .ck-near .ck-piece.ck-legal")
    legal.filter(visible=True).first.click(timeout=1_000 * START)
    told = inside.get_by_text(text("site.unkept_in_frame", "en"))
    expect(told).to_have_count(1 if sandbox else 0)
    inside.locator('.site-lesson a[href="#rules"]').click()
    expect(inside.locator("#rendered_cells img").first).to_be_visible()


@pytest.mark.parametrize("name", ENGINES)
def test_other_engines_find_all_pages_in_such_a_frame(start_engine, platform, built_site, name):
    engine = start_engine(name)
    engine.open(platform(as_text(built_site)))
    inside = "document.querySelector('iframe').contentDocument"
    find = f"{inside}?.querySelector('{{}}')"
    for link, shown in (
        ("a[hreflang=en]", "html[lang=en] a[href^=en-wizard]"),
        ("a[href^=en-wizard]", ".ck-table .ck-legal"),
        (".site-lesson a[href=\\'#rules\\']", "body[data-step=rules]"),
        (".site-brand", "a[href^=en-knitwit]"),
    ):
        engine.wait_for(f"!!{find.format(link)}", START)
        engine.evaluate(f"{find.format(link)}.click()")
        engine.wait_for(f"!!{find.format(shown)}", START)


@pytest.mark.parametrize("rights", ["allow-scripts", "allow-scripts allow-popups"])
def test_a_frame_without_rights_is_told_with_a_way_out(open_in_frame, site_url, context, rights):
    address = f"{site_url}en-wizard.html#play"
    inside = open_in_frame(f'sandbox="{rights}" src="{address}"')
    wait = inside.locator(WAIT)
    expect(wait).to_contain_text(text("site.failed_frame", "en"))
    expect(inside.locator("#trouble")).to_be_hidden()
    out = wait.get_by_role("link")
    expect(out).to_have_attribute("href", address)
    if "popups" in rights:
        with context.expect_page() as opened:
            out.click()
        expect(opened.value).to_have_url(address)


def test_a_folder_opened_without_a_server_says_what_to_do(page, built_site):
    page.goto(f"{(built_site.folder / 'en-wizard.html').as_uri()}#play")
    expect(page.locator(WAIT)).to_contain_text(text("site.failed_folder", "en"))
