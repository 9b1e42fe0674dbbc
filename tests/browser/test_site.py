"""The site in Chromium: whole matches, what is kept, no network, endless loops, and a device that
keeps nothing.
"""

import functools
import gzip
import json
import random
import re
import subprocess
import sys
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from driver import AtTable
from insight import Attentive
from lanes import START
from lesson import PHONE
from playwright.sync_api import expect
from site_page import Site, exercises, in_lab
from webpage import at_size, overflow, severe

from coursekit.core.registry import KIT_GAMES
from coursekit.kit import kit_of
from coursekit.site import build
from coursekit.site.browser_kernel import PRINTED
from coursekit.words.texts import text

MATCHES = [
    ("knitwit", "short", "1280x720"),
    ("wikipedia", "open", "360x640"),
    ("wizard", "lesson", "360x640"),
]
"""Games, presets and windows in which they are played to their end; Firefox and WebKit play the
others.
"""
SEATED = """coursekit_page.widgets.get(Number(
  document.querySelector('[data-cell="mine-bid"] [data-widget]')?.dataset.widget))?.get("view").match"""
"""The match on the table at which a person meets their own player."""
OLD = """for (const name of ["popover", "showPopover", "hidePopover", "togglePopover"])
  delete HTMLElement.prototype[name];
const { matches } = Element.prototype;
Element.prototype.matches = function (words) {
  if (words.includes(":popover-open")) throw new DOMException(words, "SyntaxError");
  return matches.call(this, words);
};
CSS.supports = (words) => !words.includes(":has");"""
"""A browser without popovers and ``:has()``, as Firefox 115."""
FORBIDDEN = """Object.defineProperty(self, "indexedDB", { get() { throw new DOMException("no", "SecurityError"); } });"""
DELETED = """() => new Promise((done, failed) => {
  const request = indexedDB.deleteDatabase("coursekit");
  request.onsuccess = done;
  request.onerror = failed;
})"""
"""Lets the browser close the database of all pages, as it does when their data are deleted."""
HELD = """() => new Promise((held) => {
  navigator.locks.request("coursekit", () => new Promise((free) => {
    globalThis.free = free;
    held();
  }));
})"""
"""Holds what is kept for this page alone, as one that decides for long; ``free()`` lets it go."""
FATAL = ["import os\nos._exit(1)", "import json\njson.loads('[' * 100_000)"]
"""Lines after which no Python is left."""
FULL = """IDBObjectStore.prototype.put = function () { throw new DOMException("full", "QuotaExceededError"); };"""

IMPORTS = """
import importlib, sys
lacking = []
for name in sorted(sys.stdlib_module_names - {"antigravity", "idlelib", "this", "turtledemo"}):
    try:
        importlib.import_module(name)
    except ImportError:
        lacking.append(name)
print(*lacking)
"""
"""Tells which modules of Python's library cannot be imported."""


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args):
    """Playwright waits by code that the site's policy forbids; test_engines.py and one test below
    keep the policy.
    """
    return {**browser_context_args, "bypass_csp": True}


@pytest.fixture
def site(page, site_url):
    return Site(page, site_url)


@pytest.mark.parametrize(("game", "preset", "size"), MATCHES)
def test_a_whole_match_is_played_and_looked_back_at(site, game, preset, size):
    site.open(f"en-{game}").table()
    person = Attentive(site.page)
    person.in_window(size, "en")
    person.begin(list(kit_of(game).rules.presets).index(preset))
    person.play(2_000)
    assert person.over()
    assert (person.unseen, person.missed) == ([], [])
    site.page.goto(f"{site.url}en-{game}.html#look-back")
    site.page.locator(".ck-debrief").scroll_into_view_if_needed()
    expect(site.page.locator(".ck-slide").first).to_be_visible()
    expect(
        site.page.locator(".site-error:visible, .site-notice:not(.site-unkept):visible")
    ).to_have_count(0)


@pytest.mark.parametrize(("folder", "game"), [("zh", "blockade"), ("zh-Hans", "knitwit")])
def test_no_step_is_wider_than_the_window(site, folder, game):
    site.open(f"{folder}-{game}").table().wait()
    steps = (
        "JSON.parse(document.getElementById('lesson').textContent).steps.map(({ name }) => name)"
    )
    for step in site.page.evaluate(steps):
        site.page.goto(f"{site.url}{folder}-{game}.html#{step}")
        expect(site.page.locator(f'section[data-step="{step}"]')).to_be_visible()
        for size in (PHONE, {"width": 1280, "height": 720}):
            at_size(site.page, size)
            assert overflow(site.page) <= 0, (step, size)


@pytest.mark.parametrize("game", KIT_GAMES)
def test_no_name_of_a_step_is_cut_in_any_window(site, game):
    drawn = random.Random(game)
    folder = drawn.choice(["zh", "en", "en", "zh-Hans"])
    site.open(f"{folder}-{game}", "rules")
    steps = site.page.locator(".site-lesson a").evaluate_all("all => all.map((each) => each.hash)")
    for _ in range(12):
        width, letters = drawn.randint(961, 1920), drawn.choice([16, 16, 20, 24])
        site.page.set_viewport_size({"width": width, "height": 720})
        site.page.evaluate(f"document.documentElement.style.fontSize = '{letters}px'")
        site.page.evaluate(f"location.hash = '{drawn.choice(steps)}'")
        site.page.evaluate("dispatchEvent(new Event('resize'))")
        cut = """all => all.filter((each) => each.scrollWidth > each.clientWidth
          || each.scrollHeight > each.clientHeight).map((each) => each.text)"""
        named = site.page.locator(".site-lesson a")
        wide = "document.querySelector('.site-header').scrollWidth - innerWidth"
        state = f"{game} {folder} {width} {letters}"
        site.page.wait_for_function("document.body.dataset.step === location.hash.slice(1)")
        assert named.evaluate_all(cut) == [], state
        assert site.page.evaluate(wide) <= 0, state


def test_a_page_loaded_again_goes_on_with_its_match(site):
    table = site.open("en-wizard").table()
    for _ in range(3):
        table.decide()
    table.wait()
    before = table.entry()
    site.wait_until_kept("/kept/matches/")
    site.page.reload()
    again = site.table()
    again.wait()
    assert again.entry().split("\n")[0] == before.split("\n")[0]
    assert site.page.locator(".ck-banner").filter(has_text=text("ui.resume", "en")).count() == 0


def test_a_tab_that_was_closed_offers_its_match_again(site, context):
    table = site.open("en-wizard").table()
    table.decide()
    site.wait_until_kept("/kept/matches/")
    site.page.close()
    again = Site(context.new_page(), site.url).open("en-wizard")
    again.page.get_by_role("button", name=text("ui.resume", "en")).click()
    again.table().decide()


def test_it_works_without_a_network_after_the_first_visit(page, built_site):
    handler = functools.partial(SimpleHTTPRequestHandler, directory=str(built_site.folder))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/"
    page.goto(f"{url}en.html")
    expect(page.locator("#site-offline")).to_have_text(text("site.offline", "en"))
    server.shutdown()
    server.server_close()
    Site(page, url).open("zh-Hans-blockade").table()
    page.goto(url)
    expect(page.locator("h1")).to_be_visible()


def test_an_endless_loop_is_stopped_and_the_match_goes_on(site):
    table = site.open("en-wizard").table()
    table.decide()
    site.wait_until_kept("/kept/matches/")
    match = site.page.evaluate("coursekit_page.widgets.get(0).get('view').match")
    in_lab(site, "wizard")
    site.write("8", "while True:\n    pass")
    site.run("8")
    site.page.locator(".site-busy button").click()
    expect(site.cell("8").locator(".site-error")).to_have_text(text("site.stopped", "en"))
    site.page.wait_for_function(
        f"coursekit_page.widgets.get(0)?.get('view').match === {json.dumps(match)}"
    )
    expect(site.page.locator(".jp-OutputArea[inert]")).to_have_count(0)
    site.run("16")  # the new worker answers
    expect(site.cell("16").locator(".jp-RenderedText, .site-error")).to_be_visible()


def test_a_cell_that_runs_by_itself_has_no_bar_until_a_reader_waits_for_it(site):
    def make_endless(route):
        page = route.fetch().text()
        head, opening, rest = page.partition('<script type="application/json" id="lesson">')
        about, _, rest = rest.partition("</script>")
        lesson = json.loads(about)
        own = [each for each in lesson["cells"] if not each["lab"] and not each["exercise"]]
        own[-1]["code"] = "while True:\n    pass"
        body = f"{head}{opening}{json.dumps(lesson)}</script>{rest}"
        route.fulfill(body=body, content_type="text/html")

    site.page.route("**/en-wizard.html", make_endless)
    site.page.clock.install()
    site.open("en-wizard")
    site.page.wait_for_function(
        "globalThis.coursekit_page?.running && !coursekit_page.queue.length", timeout=1_000 * START
    )
    bar = site.page.locator(".site-busy")
    site.page.clock.run_for(10_000)
    expect(bar).to_be_hidden()
    site.page.locator(".ck-table .ck-legal").filter(visible=True).first.click()
    site.page.clock.run_for(5_000)
    expect(bar).to_be_visible()


@pytest.mark.parametrize("end", ["terminate()", "dispatchEvent(new ErrorEvent('error'))"])
def test_a_worker_that_ends_by_itself_is_told_and_the_match_goes_on(site, end):
    site.open("en-wizard").table().decide()
    site.wait_until_kept("/kept/matches/")
    match = site.page.evaluate("coursekit_page.widgets.get(0).get('view').match")
    site.page.evaluate(f"void coursekit_page.python.worker.{end}")
    bar = site.page.locator(".site-busy")
    expect(bar).to_contain_text(text("site.fallen", "en"))
    bar.get_by_role("button", name=text("site.restart", "en")).click()
    expect(bar).to_be_hidden()
    site.page.wait_for_function(
        f"coursekit_page.widgets.get(0)?.get('view').match === {json.dumps(match)}"
    )
    site.table().decide()


def test_behind_a_stop_results_stay_and_a_seated_table_comes_back_with_its_match(site):
    exercises(site)
    site.run("mine-bid")
    many, seat = (text(f"site.{each}", "en", name="Mine") for each in ("play_many", "seat"))
    site.cell("mine-bid").get_by_role("button", name=many).click()
    own, played = (
        site.cell("mine-bid").locator(".jp-OutputArea table"),
        site.cell("mine-bid").locator(".site-lab caption"),
    )
    expect(played.first).to_contain_text("4 players")
    first = own.first.inner_text()
    site.cell("mine-bid").get_by_role("button", name=seat).click()
    table = AtTable(site.page, root=site.cell("mine-bid").locator(".ck-table"))
    table.decide()
    site.wait_until_kept("/kept/matches/")
    match = site.page.evaluate(SEATED)
    site.write("wizards", "while True:\n    pass")
    site.run("wizards")
    site.page.locator(".site-busy button").click()
    expect(site.cell("wizards").locator(".site-error")).to_have_text(text("site.stopped", "en"))
    assert own.first.inner_text() == first
    expect(played.first).to_contain_text("100")
    expect(site.cell("mine-bid")).to_contain_text(text("site.ended", "en"))
    site.write("wizards", "def sure_tricks(hand):\n    return 0")
    site.run("wizards")
    site.cell("mine-bid").get_by_role("button", name=seat).click()
    expect(site.cell("mine-bid").locator(".ck-table")).to_contain_text("Mine")
    site.page.wait_for_function(f"{SEATED} === {json.dumps(match)}")
    expect(played.first).to_contain_text("100")


def test_the_bar_of_a_busy_page_is_one_line_at_the_foot_of_a_phone(site):
    at_size(site.page, PHONE)
    site.open("en-wizard").table()
    site.page.evaluate("document.querySelector('.site-busy').hidden = false")
    bar, stop = (
        site.page.locator(each).bounding_box() for each in (".site-busy", ".site-busy button")
    )
    assert (bar["x"], bar["width"], bar["y"] + bar["height"]) == (0, 360, 640)
    assert 44 <= stop["height"] <= bar["height"] < 70


def test_an_exercise_is_solved_and_the_player_takes_a_seat(site):
    exercises(site)
    solved = (
        "def sure_tricks(hand):\n" + '    """\n    >>> sure_tricks((14, 26, 44))\n    2\n    """\n'
    )
    solved += "    return sum(card % 15 == 14 for card in hand)"
    site.write("wizards", solved)
    expect(site.cell("wizards")).to_contain_text(text("site.changed", "en"))
    site.run("wizards")
    site.run("wizards-check")
    expect(site.cell("wizards-check").locator(".jp-RenderedText")).to_contain_text(
        text("exercise.done", "en")
    )
    site.write("wizards", solved + "\nhelp(sure_tricks)")
    site.run("wizards")
    expect(site.cell("wizards").locator(".jp-RenderedText")).to_contain_text(
        "Help on function sure_tricks"
    )
    site.run("mine-bid")
    expect(site.cell("mine-bid").locator("table")).to_be_visible()
    site.cell("mine-bid").get_by_role(
        "button", name=text("site.play_many", "en", name="Mine")
    ).click()
    expect(site.cell("mine-bid").locator(".site-lab caption").first).to_contain_text("100")
    site.cell("mine-bid").get_by_role("button", name=text("site.seat", "en", name="Mine")).click()
    expect(site.cell("mine-bid").locator(".ck-table")).to_contain_text("Mine")


def test_a_mistake_in_a_cell_is_said_with_its_line(site):
    exercises(site)
    site.write("wizards", "x = 1\nx.nothing")
    site.page.keyboard.press("Shift+Enter")
    said = site.cell("wizards").locator(".site-error")
    expect(said).to_contain_text("Line 2: x.nothing")
    for code, words in (
        ("x = 1\nprint（x）", "Line 2 (print（x）) has full-width signs"),
        ("input('?')", "Nobody can answer input() here"),
        ("sum = 1\nsum([1])", "“sum” in line 2 has become 1"),
        ("import pandas", "This page has no pandas and cannot install it"),
        ("import turtle", "Python in a browser has no turtle"),
    ):
        site.write("wizards", code)
        site.page.keyboard.press("Shift+Enter")
        expect(said).to_contain_text(words)


def test_what_was_typed_is_there_again_and_travels_as_a_notebook(site, context, tmp_path):
    exercises(site)
    site.write("wizards", "typed = 1")
    site.wait_until_kept("/kept/cells/en-lab-wizards.py", "typed = 1")
    site.page.reload()
    expect(site.cell("wizards").locator(".cm-content")).to_have_text("typed = 1")
    with site.page.expect_download() as download:
        site.page.get_by_role("button", name=text("site.notebook", "en")).click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    notebook = json.loads(file.read_text(encoding="utf-8"))
    assert "typed = 1" in ["".join(each["source"]) for each in notebook["cells"]]
    site.cell("wizards").get_by_role("button", name=text("site.undo", "en")).click()
    expect(site.cell("wizards").locator(".cm-content")).to_contain_text("def sure_tricks")
    site.page.locator('input[accept=".ipynb"]').set_input_files(file)
    expect(site.cell("wizards").locator(".cm-content")).to_have_text("typed = 1")
    (tmp_path / "other.ipynb").write_text("{}")
    site.page.locator('input[accept=".ipynb"]').set_input_files(tmp_path / "other.ipynb")
    expect(site.page.locator(".site-notebook [role=status]")).to_have_text(
        text("site.no_notebook", "en", name="other.ipynb")
    )


def test_two_pages_write_into_one_journal(site, context):
    answers = {"wizard": "from the first page", "wikipedia": "from the second page"}
    pages = {
        game: site if game == "wizard" else Site(context.new_page(), site.url) for game in answers
    }
    for game, each in pages.items():
        each.open(f"en-{game}", "predict")
        expect(each.page.locator("textarea").first).to_be_visible()
    for game, each in pages.items():
        each.page.locator("textarea").first.fill(answers[game])
        each.wait_until_kept("/kept/journal.json", answers[game])
    kept = site.kept()["/kept/journal.json"]
    assert all(words in kept for words in answers.values())


@pytest.mark.parametrize("spoilt", [FORBIDDEN, FULL], ids=["forbidden", "full"])
def test_a_browser_that_keeps_nothing_says_so_and_play_goes_on(site, spoilt):
    def spoil(route):
        answer = route.fetch()
        route.fulfill(response=answer, body=spoilt + answer.text())

    site.page.route("**/worker.js", spoil)
    table = site.open("en-wizard").table()
    table.decide()
    expect(
        site.page.locator(".ck-banner").filter(has_text=text("disk.browser", "en"))
    ).to_be_visible()
    table.decide()


def delete_all(site):
    """Ask the start page to delete everything."""
    site.page.goto(f"{site.url}en.html")
    site.page.on("dialog", lambda dialog: dialog.accept())
    site.page.get_by_role("button", name=text("site.delete", "en")).click()


def test_everything_on_the_device_is_deleted(site, context):
    site.open("en-wizard").table().decide()
    site.wait_until_kept("/kept/matches/")
    site.page.evaluate(
        "localStorage.setItem('coursekit/predicted/wizard/hits', '2')"
    )  # as a question keeps it
    start = Site(context.new_page(), site.url)
    delete_all(start)
    expect(start.page.get_by_text(text("site.deleted", "en"))).to_be_visible()
    site.page.close()
    assert (
        start.page.evaluate("async () => (await indexedDB.databases()).map(({ name }) => name)")
        == []
    )
    assert (
        start.page.evaluate(
            "Object.keys(localStorage).filter((key) => key.startsWith('coursekit'))"
        )
        == []
    )


def run_without_end(site):
    """Run a cell that ends never, in the notebook of exercises."""
    exercises(site)
    site.write("wizards", "while True:\n    pass")
    site.run("wizards")
    site.page.wait_for_function("coursekit_page.running === 'wizards'")


def test_a_page_waits_for_another_that_computes_says_so_and_goes_on(site, context):
    site.page.goto(f"{site.url}en.html")
    site.page.evaluate(HELD)
    other = Site(context.new_page(), site.url)
    other.page.clock.install()
    other.open("en-wizard")
    told = other.page.get_by_text(text("site.other_page", "en")).filter(visible=True)
    expect(told.first).to_be_visible()
    site.page.evaluate("free()")
    table = other.table()
    expect(told).to_have_count(0)
    site.page.evaluate(HELD)
    table.root.locator(".ck-near .ck-legal").filter(visible=True).first.click()
    expect(told.first).to_be_visible()
    other.page.clock.run_for(10_000)
    expect(told.first).to_be_visible()
    site.page.evaluate("free()")
    expect(told).to_have_count(0)
    table.decide()


def test_everything_is_deleted_once_the_page_that_computes_is_closed(site, context):
    run_without_end(site)
    start = Site(context.new_page(), site.url)
    delete_all(start)
    expect(start.page.get_by_text(text("site.delete_blocked", "en"))).to_be_visible()
    site.page.close()
    expect(start.page.get_by_text(text("site.deleted", "en"))).to_be_visible()


def test_a_browser_that_deletes_nothing_is_named(site):
    site.page.add_init_script(FORBIDDEN)
    delete_all(site)
    expect(site.page.get_by_text(text("site.delete_failed", "en"))).to_be_visible()


def test_a_database_that_the_browser_closed_is_opened_again(site):
    table = site.open("en-wizard").table()
    table.decide()
    site.wait_until_kept("/kept/matches/")
    site.page.evaluate(DELETED)
    table.decide()
    table.decide()
    site.wait_until_kept("/kept/matches/")
    expect(
        site.page.locator(".ck-banner").filter(has_text=text("disk.browser", "en"))
    ).to_have_count(0)


def test_what_was_typed_last_is_kept_when_the_page_is_left_at_once(site):
    exercises(site)
    site.write("wizards", "typed = 'last'")
    site.page.goto(f"{site.url}en.html")
    site.wait_until_kept("/kept/cells/en-lab-wizards.py", "typed = 'last'")


@pytest.mark.parametrize("code", FATAL)
def test_a_cell_that_ends_python_is_named(site, code):
    exercises(site)
    site.write("wizards", code)
    site.run("wizards")
    bar = site.page.locator(".site-busy")
    expect(bar).to_contain_text(text("site.fallen", "en"), timeout=1_000 * START)
    bar.get_by_role("button", name=text("site.restart", "en")).click()
    expect(site.cell("wizards").locator(".site-error")).to_have_text(text("site.fell_here", "en"))
    site.write("wizards", "1 + 1")
    site.run("wizards")
    expect(site.cell("wizards").locator(".jp-RenderedText")).to_have_text("2")


@pytest.mark.parametrize("code", ["list(range(3_000_000))", "'x' * 5_000_000"])
def test_a_huge_value_is_shown_in_part(site, code):
    exercises(site)
    site.write("wizards", code)
    site.run("wizards")
    shown = site.cell("wizards").locator(".jp-RenderedText").last
    expect(shown).to_contain_text(str(PRINTED))
    assert len(site.cell("wizards").inner_text()) < 2 * PRINTED


def test_a_lesson_starts_in_an_old_browser_and_is_played(site):
    site.page.add_init_script(OLD)
    table = site.open("en-wizard").table()
    expect(site.page.locator("#trouble")).to_be_hidden()
    table.decide()
    expect(site.page.locator(".ck-fitted")).to_have_count(0)
    site.page.locator(".site-menu").click()
    expect(site.page.locator("#site-nav")).to_be_visible()


@pytest.mark.smoke
def test_the_one_file_has_every_page_and_the_same_lesson(page, built_site):
    page.goto(built_site.file.as_uri())
    expect(page.locator("#site-offline")).to_have_text(text("site.one_file", "zh-Hant"))
    page.locator("a[hreflang=en]").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    page.get_by_role("link", name=re.compile("On this screen: Wizard")).click()
    table = AtTable(page)
    table.decide()
    page.locator('.site-lesson a[href="#rules"]').click()
    expect(page.locator("#rendered_cells img").first).to_be_visible()
    assert page.locator("#rendered_cells img").first.evaluate("each => each.naturalWidth > 0")


def test_axe_finds_nothing_on_the_start_page(site):
    site.page.emulate_media(color_scheme="dark")
    site.page.goto(f"{site.url}en.html")
    assert severe(site.page) == []


def test_axe_finds_nothing_in_the_lab(site):
    in_lab(site, "wizard")
    for scheme in ("light", "dark"):
        site.page.emulate_media(color_scheme=scheme)
        assert severe(site.page) == [], scheme


def test_every_python_that_begins_has_a_chance_of_its_own(site):
    """They all begin with the same memory."""

    def draw():
        site.write("wizards", "import random\nrandom.random()")
        site.run("wizards")
        drawn = site.cell("wizards").locator(".jp-RenderedText")
        expect(drawn).to_have_text(re.compile(r"0\.\d+"))
        return drawn.inner_text()

    exercises(site)
    first = draw()
    site.page.reload()
    exercises(site)
    assert draw() != first


def test_the_library_is_there_whether_it_lies_in_memory_or_in_the_archive(site, tmp_path):
    """The same modules can be imported as where nothing was kept in memory."""
    pyodide = build.npm() / "pyodide"
    library = tmp_path / "library.zip"
    library.write_bytes(build.repack((pyodide / "python_stdlib.zip").read_bytes()))
    load = f"await loadPyodide({{stdLibURL: {json.dumps(str(library))}}})"
    program = f"""
import {{ loadPyodide }} from {json.dumps((pyodide / "pyodide.mjs").as_uri())};
({load}).runPython({json.dumps(IMPORTS)});
"""
    command = ["node", "--input-type=module", "--eval", program]
    lacking = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    exercises(site)
    site.write("wizards", IMPORTS)
    site.run("wizards")
    expect(site.cell("wizards").locator(".jp-RenderedText")).to_have_text(
        lacking.strip(), timeout=1_000 * START
    )


def test_the_same_sources_make_the_same_site(built_site, tmp_path):
    subprocess.run([sys.executable, "-m", "coursekit", "site", tmp_path], check=True)
    first, second = (
        {
            each.relative_to(folder): each.read_bytes()
            for each in folder.rglob("*")
            if each.is_file()
        }
        for folder in (built_site.folder, tmp_path)
    )
    assert set(first) == set(second)
    assert [name for name in first if first[name] != second[name]] == []


def test_a_first_visit_and_the_one_file_are_small_enough(built_site):
    files = [each for each in built_site.folder.rglob("*") if each.is_file()]
    sizes = {each.name: len(gzip.compress(each.read_bytes())) for each in files}
    assert sum(sizes.values()) <= 13_500_000, sorted(sizes.items(), key=lambda each: -each[1])[:9]
    assert built_site.file.stat().st_size <= 18_000_000


def test_nothing_that_a_lesson_does_is_against_its_policy(browser, site_url):
    context = browser.new_context()
    page = context.new_page()
    refused = []
    page.on(
        "console",
        lambda message: refused.append(message.text) if "Security Policy" in message.text else None,
    )
    page.goto(f"{site_url}en-wizard.html#lab")
    expect(page.locator(".site-lab .cm-content").first).to_be_attached()
    expect(page.locator(".ck-table:not(.ck-still *)").first).to_be_attached()
    assert refused == []
    context.close()
