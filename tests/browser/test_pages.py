"""The start page and the frame around every dashboard, in a real browser."""

import http.client
import json
import re
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from lanes import START
from playwright.sync_api import Browser, BrowserContext, Page, expect
from webpage import at_size, overflow, severe, write

from coursekit.words import texts
from coursekit.words.normalise import load_simplified_table

LESSONS = Path(__file__).parents[2] / "notebooks"
COUNTER = """\
import ipywidgets
button, label = ipywidgets.Button(description="count"), ipywidgets.Label("0")
button.on_click(lambda _: setattr(label, "value", str(int(label.value) + 1)))
ipywidgets.HBox([button, label])
"""
TABLE = """\
import anywidget
class Hello(anywidget.AnyWidget):
    _esm = "export default { render({ el }) { el.textContent = 'made by anywidget'; } };"
Hello()
"""


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Notebooks of these tests: a lively one in both languages, and one that fails."""
    folder = tmp_path_factory.mktemp("notebooks")
    write(folder / "zh/lively.ipynb", r"# 活的 $x^2$", COUNTER, TABLE, "'secret recipe'; None")
    write(folder / "zh/drawn.ipynb", r"# 畫的 $x^2$", TABLE)
    write(folder / "en/lively.ipynb", "# Alive", COUNTER, TABLE)
    write(folder / "zh/broken.ipynb", "# 壞掉的", "1 / 0", "# 後面")
    view = {
        "application/vnd.jupyter.widget-view+json": {
            "version_major": 2,
            "version_minor": 0,
            "model_id": "none",
        }
    }
    write(folder / "zh/partly.ipynb", "# 不完整的", COUNTER, f"display({view}, raw=True)")
    (folder / "zh/poets.csv").write_text(
        "name_zh,work_zh,work_year,genre\n<b>甲</b>,乙,x,詩\n丙,丁,1950,歌\n", "utf-8"
    )
    own = "from coursekit.games.blockade import own_cards\nown_cards('poets.csv')"
    write(folder / "zh/own.ipynb", "# 自己的卡片", own, "# 後面")
    code = (
        'from pathlib import Path\nLANGUAGE = "zh-Hant"\nprint(LANGUAGE, "螢幕", Path.cwd().name)'
    )
    write(folder / "zh/lesson.ipynb", "# 程式的檔案", code, coursekit={"language": "zh-Hant"})
    lesson = json.loads((LESSONS / "zh/wizard.ipynb").read_text("utf-8"))
    for cell in lesson["cells"]:
        if "step-predict" in cell["metadata"].get("tags", []):
            cell.update(cell_type="code", source="raise RuntimeError('a reason for the terminal')")
            cell.update(outputs=[], execution_count=None)
    (folder / "zh/stopped.ipynb").write_text(json.dumps(lesson), "utf-8")
    write(folder / "zh/deadly.ipynb", "# 停電", "import os; os._exit(1)", "# 後面")
    write(folder / "zh/elsewhere.ipynb", "# 外面\n\n![](https://example.org/picture.png)")
    return folder


@pytest.fixture(scope="session")
def own(start_server: Callable[..., object], folder: Path) -> object:
    """``coursekit serve`` with the notebooks of these tests, at most two open at a time."""
    return start_server("--dir", folder, "--max-kernels", 2)


@pytest.fixture
def fresh(own, context: BrowserContext):
    """*own*, with no kernel before and none left after the test."""
    own.wait_for_kernels(0)
    yield own
    for page in context.pages:
        if not page.is_closed() and page.url != "about:blank":
            page.goto("about:blank")
    own.wait_for_kernels(0)


@pytest.mark.parametrize("language", texts.LANGUAGES)
def test_the_start_page_speaks_its_language_and_leads_to_the_games(
    served, page: Page, language: str
) -> None:
    page.goto(served.start_page(language))
    assert page.locator("html").get_attribute("lang") == language
    assert page.locator("h1").all_inner_texts() == [texts.text("page.heading", language)]
    play = page.get_by_role("link", name=re.compile("Wizard"))
    folder = {"zh-Hant": "zh"}.get(language, language)
    assert play.first.get_attribute("href") == f"/voila/render/{folder}/wizard.ipynb#play"


@pytest.mark.smoke
def test_the_start_page_is_chinese_and_english_is_one_click_away(served, page: Page) -> None:
    page.goto(served.start_page())
    assert page.locator("html").get_attribute("lang") == "zh-Hant"
    page.get_by_role("link", name=texts.text("ui.language.en", "en")).click()
    expect(page.locator("html")).to_have_attribute("lang", "en")


@pytest.mark.parametrize("language", texts.LANGUAGES)
def test_the_start_page_leads_to_what_is_kept_of_pupils(served, page: Page, language: str) -> None:
    page.goto(served.start_page(language))
    page.get_by_role("link", name=texts.text("page.data", language)).click()
    assert page.locator("html").get_attribute("lang") == language
    assert page.locator("h1").count() == 1
    assert page.locator("td code", has_text="coursekit data delete").count() == 2
    if language == "zh-Hans":
        words = page.locator("main").inner_text()
        assert [each for each in words if each.translate(load_simplified_table()) != each] == []
    for width in (360, 1280):
        at_size(page, {"width": width, "height": 640})
        assert overflow(page) <= 0
    assert severe(page) == []
    page.get_by_role("link", name=texts.text("page.home", language)).click()
    assert page.locator("h1").inner_text() == texts.text("page.heading", language)


@pytest.mark.parametrize(("language", "scheme"), [("zh-Hant", "light"), ("en", "dark")])
def test_the_start_page_is_accessible(served, page: Page, language: str, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    page.goto(served.start_page(language))
    assert severe(page) == []
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "site-skip"


@pytest.mark.parametrize("width", [360, 1280])
def test_no_page_scrolls_sideways(served, page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 640})
    for address in (served.start_page(), served.start_page("en"), served.url + "nowhere"):
        page.goto(address)
        assert overflow(page) <= 0, address


def test_a_page_that_is_not_there_says_so_and_leads_back(served, page: Page) -> None:
    for address in (
        "nowhere",
        "voila/render/zh/nothing.ipynb",
        "voila/render/zh",
        "voila/tree",
        "api/contents",
    ):
        answer = page.goto(served.url + address)
        assert answer is not None
        assert answer.status == 404, address
    assert page.locator("h1").inner_text() == texts.text("page.missing_title", "zh-Hant")
    page.get_by_role("link", name=texts.text("page.home", "zh-Hant")).click()
    expect(page).to_have_url(served.start_page())


def test_a_dashboard_works_without_its_code_and_leads_to_others(
    fresh, open_dashboard, page: Page, traffic
) -> None:
    open_dashboard(
        fresh.dashboard("zh/lively.ipynb") + "?template=classic&theme=dark"
    )  # nobody can ask for that
    assert page.locator(".site-header").count() == 1
    page.get_by_role("button", name="count").click()
    page.get_by_text("1", exact=True).wait_for()
    page.get_by_text("made by anywidget").wait_for()
    page.locator("mjx-container, .MathJax").first.wait_for()
    assert "secret recipe" not in page.content()
    assert page.locator("html").get_attribute("lang") == "zh-Hant"
    assert page.locator("h1").count() == 1
    assert "活的" in page.title()
    assert len(traffic.frames) > 0
    for width in (360, 1280):
        at_size(page, {"width": width, "height": 640})
        assert overflow(page) <= 0
    assert severe(page) == []
    page.get_by_role("link", name="English").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    page.wait_for_selector("#loading", state="detached")
    page.get_by_role("link", name="All games").click()
    expect(page).to_have_url(fresh.start_page("en"))


def test_the_start_page_fetches_ahead_what_a_dashboard_loads(fresh, page: Page, traffic) -> None:
    """Otherwise another version of Voilà, ipywidgets or anywidget is here: ``python -m
    tools.list_scripts``.
    """

    def loaded() -> set[str]:
        paths = {url.removeprefix(fresh.url) for url in traffic.requests}
        return {
            path
            for path in paths
            if path.startswith("voila/") and urlsplit(path).path.endswith(".js")
        }

    page.goto(fresh.start_page())
    page.wait_for_load_state("networkidle")
    ahead = loaded()
    traffic.requests.clear()
    page.goto(
        fresh.dashboard("zh/drawn.ipynb")
    )  # like the kit's own, it has none of the controls of ipywidgets
    page.locator("mjx-container, .MathJax").first.wait_for()
    page.get_by_text("made by anywidget").wait_for()
    assert {path for path in loaded() - ahead if "/templates/" not in path} == set()


def test_a_kernel_is_freed_when_its_page_is_reloaded_left_or_closed(
    fresh, open_dashboard, page: Page
) -> None:
    open_dashboard(fresh.dashboard("zh/lively.ipynb"))
    for _ in range(2):
        page.reload()
        page.wait_for_selector("#loading", state="detached")
        fresh.wait_for_kernels(1)
    page.goto(fresh.start_page())
    fresh.wait_for_kernels(0)
    open_dashboard(fresh.dashboard("zh/lively.ipynb"))
    with page.expect_event("close"):
        page.close(run_before_unload=True)
    fresh.wait_for_kernels(0)


def test_a_page_left_before_its_kernel_has_started_leaves_none(fresh, open_dashboard) -> None:
    where = urlsplit(fresh.dashboard("zh/lively.ipynb"))
    connection = http.client.HTTPConnection(where.hostname, where.port)
    connection.request(
        "GET", where.path, headers={"Cookie": "{name}={value}".format(**fresh.cookie)}
    )
    time.sleep(0.05)  # the server has begun
    connection.close()
    open_dashboard(
        fresh.dashboard("zh/lively.ipynb")
    )  # by now the first kernel would have started, too
    fresh.wait_for_kernels(1)


def test_a_page_left_while_it_loads_frees_its_kernel(fresh, page: Page) -> None:
    page.goto(fresh.dashboard("zh/lively.ipynb"), wait_until="commit")
    fresh.wait_for_kernels(1)
    page.goto(fresh.start_page())
    fresh.wait_for_kernels(0)


def test_one_page_too_many_is_told_and_can_try_again(
    fresh, open_dashboard, context: BrowserContext
) -> None:
    first, second, third = (context.new_page() for _ in range(3))
    for page in (first, second):
        page.goto(fresh.dashboard("zh/lively.ipynb"))
        page.wait_for_selector("#loading", state="detached")
    answer = third.goto(fresh.dashboard("en/lively.ipynb"))
    assert answer is not None
    assert answer.status == 503
    assert third.locator("h1").inner_text() == texts.text("page.full_title", "en")
    assert "2" in third.locator("main").inner_text()
    assert severe(third) == []
    fresh.wait_for_kernels(2)
    with first.expect_event("close"):
        first.close(run_before_unload=True)
    fresh.wait_for_kernels(1)
    third.get_by_role("link", name=texts.text("page.again", "en")).click()
    expect(third.locator("h1")).to_contain_text("Alive")
    third.wait_for_selector("#loading", state="detached")


@pytest.mark.smoke
def test_a_failing_cell_leaves_one_sentence_and_no_traceback(
    fresh, open_dashboard, page: Page
) -> None:
    open_dashboard(fresh.dashboard("zh/broken.ipynb"))
    assert page.get_by_role("alert").inner_text() == texts.text("page.cell_failed", "zh-Hant")
    assert "ZeroDivision" not in page.content()
    assert "壞掉的" in page.locator("h1").inner_text()


def test_a_page_whose_widgets_did_not_all_load_says_so(fresh, open_dashboard, page: Page) -> None:
    open_dashboard(fresh.dashboard("zh/partly.ipynb"))
    assert texts.text("page.incomplete", "zh-Hant") in page.get_by_role("alert").inner_text()


def test_a_page_without_the_script_that_draws_widgets_says_so(fresh, page: Page, traffic) -> None:
    login = "<!DOCTYPE html><title>Log in</title>"
    page.route("**/anywidget/static/remoteEntry*", lambda route: route.fulfill(body=login))
    page.goto(fresh.dashboard("en/lively.ipynb"))
    expect(page.locator("#site-lost")).to_contain_text(
        texts.text("page.incomplete", "en"), timeout=1_000 * START
    )
    traffic.problems.clear()  # the login page, read as a script


def test_a_file_of_cards_with_mistakes_tells_all_of_them_and_no_traceback(
    fresh, open_dashboard, page: Page
) -> None:
    open_dashboard(fresh.dashboard("zh/own.ipynb"))
    page.get_by_role("alert").wait_for()
    lines = [
        line
        for line in page.locator("main").inner_text().split("\n")
        if line.startswith("poets.csv")
    ]
    first, second, third = lines
    assert "Traceback" not in page.content()
    assert first.startswith("poets.csv 有 2 個地方要改")
    assert "poets.csv 第 2 行的 work_year 是 'x'" in second
    assert "poets.csv 第 3 行的 genre" in third
    assert severe(page) == []
    page.set_viewport_size({"width": 360, "height": 640})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_page_whose_kernel_is_gone_says_so_and_offers_to_reload(
    fresh, open_dashboard, page: Page
) -> None:
    open_dashboard(fresh.dashboard("zh/lively.ipynb"))
    page.evaluate(
        "navigator.sendBeacon('/voila/api/shutdown/' + JSON.parse("
        "document.getElementById('jupyter-config-data').textContent).kernelId, new FormData())"
    )
    fresh.wait_for_kernels(0)
    notice = page.get_by_role("alert")
    notice.wait_for()
    assert texts.text("page.gone", "zh-Hant") in notice.inner_text()
    notice.get_by_role("button").click()
    page.wait_for_selector("#loading", state="detached")
    fresh.wait_for_kernels(1)


def test_a_page_whose_kernel_died_says_so(fresh, open_dashboard, page: Page) -> None:
    open_dashboard(fresh.dashboard("zh/lively.ipynb"))
    for kernel in fresh.kernel_processes():
        kernel.kill()
    page.get_by_role("alert").wait_for()
    fresh.wait_for_kernels(0)


def test_a_cell_that_ends_its_kernel_leaves_one_sentence(fresh, open_dashboard, page: Page) -> None:
    open_dashboard(fresh.dashboard("zh/deadly.ipynb"))
    assert page.locator("#rendered_cells").get_by_role("alert").inner_text() == texts.text(
        "page.cell_failed", "zh-Hant"
    )


def test_a_picture_from_elsewhere_is_not_fetched(fresh, browser: Browser) -> None:
    page = browser.new_page()
    page.set_default_timeout(1_000 * START)
    page.context.add_cookies([fresh.cookie])
    asked: list[str] = []
    page.on("requestfinished", lambda request: asked.append(request.url))
    with page.expect_console_message(lambda message: "Content Security Policy" in message.text):
        page.goto(fresh.dashboard("zh/elsewhere.ipynb"))
    page.wait_for_selector("#loading", state="detached")
    assert not any("example.org" in url for url in asked)
    page.goto("about:blank")
    page.close()


@pytest.fixture(scope="session")
def inside(start_jupyter, folder: Path):
    """A Jupyter server below ``/user/abc/`` with the notebooks of these tests."""
    return start_jupyter(folder)


def test_the_same_pages_in_a_jupyter_server_below_a_prefix(
    inside, open_dashboard, page: Page
) -> None:
    page.goto(inside.start_page())
    assert page.locator("h1").inner_text() == texts.text("page.heading", "zh-Hant")
    page.get_by_role("link", name=re.compile("^活的")).click()
    expect(page).to_have_url(
        re.compile(re.escape(inside.url + "voila/render/notebooks/zh/lively.ipynb"))
    )
    page.wait_for_selector("#loading", state="detached")
    page.get_by_role("button", name="count").click()
    page.get_by_text("1", exact=True).wait_for()
    page.locator("mjx-container, .MathJax").first.wait_for()
    assert page.locator("html").get_attribute("lang") == "zh-Hant"
    assert page.locator(".site-header").count() == 1
    inside.wait_for_kernels(1)
    page.get_by_role("link", name="English").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    page.wait_for_selector("#loading", state="detached")
    inside.wait_for_kernels(1)
    page.get_by_role("link", name="All games").click()
    expect(page).to_have_url(inside.url + "coursekit/en")
    inside.wait_for_kernels(0)
    assert severe(page) == []


def test_a_jupyter_server_finds_no_page_at_a_strange_address(inside, page: Page) -> None:
    for path in (
        "render/%00.ipynb",
        f"render/{'a' * 300}.ipynb",
        "templates/x",
        "templates/lab/static/../../x",
    ):
        answer = page.context.request.get(f"{inside.url}voila/{path}?token={inside.token}")
        assert answer.status == 404, path
    assert inside.kernels() == 0


@pytest.mark.parametrize("server", ["fresh", "inside"])
def test_a_lesson_opens_in_simplified_chinese(
    request, server: str, open_dashboard, page: Page
) -> None:
    server = request.getfixturevalue(server)
    page.goto(server.start_page("zh-Hans"))
    page.get_by_role("link", name="程序的文件", exact=True).click()
    expect(page).to_have_url(re.compile("voila/render/.*zh-Hans/lesson.ipynb"))
    page.wait_for_selector("#loading", state="detached")
    assert page.locator("html").get_attribute("lang") == "zh-Hans"
    assert page.locator("h1").inner_text().startswith("程序的文件")
    # It runs beside the notebook that it is made of: there lie its files.
    assert page.locator("pre").inner_text().strip() == "zh-Hans 屏幕 zh"
    page.get_by_role("link", name="繁體中文").click()
    expect(page.locator("pre")).to_have_text("zh-Hant 螢幕 zh")
    page.goto("about:blank")
    server.wait_for_kernels(0)


def test_a_jupyter_server_shows_nothing_without_its_token(inside, page: Page) -> None:
    for address in ("coursekit/", "voila/render/notebooks/zh/lively.ipynb"):
        page.goto(inside.url + address)
        assert "/login" in page.url
    assert inside.kernels() == 0


def test_each_step_behind_a_cell_that_failed_says_so_and_leads_to_it(
    fresh, open_dashboard, page: Page
) -> None:
    open_dashboard(fresh.dashboard("zh/stopped.ipynb") + "#play")
    steps = page.locator(".site-lesson a")
    for number in range(2, steps.count()):
        page.evaluate(
            "address => { location.hash = address }", steps.nth(number).get_attribute("href")
        )
        notice = page.locator("section[data-step] > .site-notice:visible")
        expect(notice).to_have_count(1)
        expect(notice).to_contain_text(steps.nth(1).inner_text())
    notice.get_by_role("link").click()
    expect(page.locator("#cell-failed")).to_be_in_viewport()
    assert severe(page) == []
    assert "a reason for the terminal" not in page.content()
