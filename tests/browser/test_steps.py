"""A lesson one step at a time, in a real browser."""

from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from driver import AtTable
from lesson import DESK, PHONE, SIZES, in_sight, stands
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from playwright.sync_api import Page, expect
from webpage import at_size, overflow, severe, smaller_than

from coursekit.core.registry import KIT_GAMES
from coursekit.words import texts

STEPS = ["rules", "predict", "play", "look-back", "question", "hand-in"]


def shows(page: Page, *steps: str) -> None:
    """Wait until *steps* are shown, and no others."""
    shown = "[...document.querySelectorAll('section[data-step]')].filter((each) => each.checkVisibility())"
    page.wait_for_function(
        f"(steps) => `${{{shown}.map((each) => each.dataset.step)}}` === `${{steps}}`",
        arg=list(steps),
    )


def say(id: str, language: str = "en", **values: object) -> str:
    """Return a sentence of the page."""
    return texts.text(f"page.{id}", language, **values)


def test_a_whole_lesson_onward_by_clicks_only(served, open_dashboard, page: Page) -> None:
    """Six steps, one at a time; each says its name; headings in it take the focus; a reload stays."""
    page.goto(served.start_page("en"))
    page.get_by_role("link", name=f"{say('lesson')}: Wizard").click()
    stands(page)
    onward = page.locator(".site-onward")
    here = page.locator(".site-lesson [aria-current=step]")
    for name in STEPS:
        expect(here).to_have_text(say(f"step.{name}"))
        shows(page, name)
        expect(onward).to_be_in_viewport(ratio=1)
        if name != STEPS[0]:
            expect(page.locator("section:visible").locator("h2").first).to_be_focused()
        if name == "predict":
            page.locator(".ck-reflect:visible textarea").fill("three of five")
        elif name == "play":
            AtTable(page).decide()
        elif name == "look-back":
            page.reload()
            stands(page)
            expect(here).to_have_text(say("step.look-back"))
            expect(page.locator(".ck-debrief")).to_be_visible()
            page.locator(".ck-debrief").evaluate("each => each.scrollIntoView(false)")
            expect(onward).to_be_in_viewport(ratio=1)
            page.go_back()
            expect(here).to_have_text(say("step.play"))
            assert AtTable(page).legal.count()
            page.go_forward()
        if name != STEPS[-1]:
            onward.click()
    expect(page.locator(".ck-handin .ck-held")).to_be_visible()

    onward.click()
    shows(page, "lab")
    expect(page.locator(".site-tabs [aria-current]")).to_have_text(say("step.lab"))
    page.get_by_role("link", name="hand in", exact=True).locator(
        "visible=true"
    ).click()  # a heading of another step
    shows(page, "hand-in")
    expect(page.get_by_role("heading", name="Hand in")).to_be_in_viewport()
    page.locator(".site-menu").click()
    page.get_by_role("link", name=say("everything")).click()
    shows(page, *STEPS, "lab")
    page.get_by_role("link", name="Deal", exact=True).click()
    expect(page.locator("h2:target")).to_be_in_viewport()
    page.reload()
    stands(page)
    shows(page, *STEPS, "lab")
    page.get_by_role("link", name=say("stepwise")).click()
    shows(page, "lab")


def test_the_bar_serves_all_and_counts_the_minutes(served, page: Page) -> None:
    page.clock.install()
    page.goto(served.dashboard("zh/blockade.ipynb"))
    clock = page.locator(".site-clock")
    expect(clock).to_have_text(say("minutes", "zh-Hant", spent=0, planned=3))
    page.clock.fast_forward("02:10")
    expect(clock).to_have_text(say("minutes", "zh-Hant", spent=2, planned=3))
    page.reload()
    expect(clock).to_have_text(say("minutes", "zh-Hant", spent=2, planned=3))
    page.clock.fast_forward("02:10")
    expect(clock).to_have_text(say("minutes_over", "zh-Hant", planned=3, over=1))
    clock.click()
    expect(clock).to_have_text(say("minutes", "zh-Hant", spent=0, planned=3))
    page.clock.resume()
    page.wait_for_selector("#loading", state="detached")
    for size, scheme in zip(SIZES, ("light", "light", "dark")):
        page.emulate_media(color_scheme=scheme)
        at_size(page, size)
        assert overflow(page) <= 0
        assert smaller_than(44, page.locator(".site-header :is(a, button)")) == []
        assert severe(page) == []
    page.keyboard.press("Home")
    page.locator(".site-now").focus()
    page.keyboard.press("Enter")
    page.get_by_role("link", name=say("step.leave", "zh-Hant")).focus()
    page.keyboard.press("Enter")
    shows(page, "leave")
    expect(page.get_by_role("heading", name="離開以前")).to_be_focused()
    expect(page.locator(".site-lesson")).to_be_hidden()


@pytest.fixture(scope="module")
def own(start_server: Callable[..., object], tmp_path_factory: pytest.TempPathFactory) -> object:
    """``coursekit serve`` with a teacher's two notebooks: one with steps, and one without."""
    folder = tmp_path_factory.mktemp("own")
    lesson = [
        ("# Mine\n\nhello", ""),
        ("## Stretch", "step-gym minutes-3"),
        ("## Now play", "step-play"),
    ]
    for name, tagged in (("steps", True), ("plain", False)):
        cells = [
            new_markdown_cell(words, metadata={"tags": tags.split() * tagged})
            for words, tags in lesson
        ]
        cells.append(
            new_code_cell("from coursekit.table import Table\nTable('wizard', language='en')")
        )
        cells.append(new_markdown_cell("Afterwards go [back](#Stretch)."))
        Path(folder / "en").mkdir(exist_ok=True)
        nbformat.write(new_notebook(cells=cells), folder / "en" / f"{name}.ipynb")
    return start_server("--dir", folder, "--max-kernels", 4)


UPPERMOST = """each => {
  const { left, right, top, bottom } = each.getBoundingClientRect();
  return document.elementFromPoint((left + right) / 2, (top + bottom) / 2).className;
}"""
"""The classes of what lies uppermost where an element is."""


def test_the_bar_stays_above_a_table_that_is_scrolled_under_it(
    own, open_dashboard, page: Page
) -> None:
    open_dashboard(own.dashboard("en/steps.ipynb") + "#play")
    at_size(page, PHONE)
    bar, tool = page.locator(".site-onward"), page.locator(".ck-tools .ck-menu")
    page.evaluate("top => scrollBy(0, top)", tool.bounding_box()["y"] - bar.bounding_box()["y"])
    onward, menu = (each.bounding_box() for each in (bar, tool))
    assert onward["x"] < menu["x"] + menu["width"] / 2 < onward["x"] + onward["width"]
    assert tool.evaluate(UPPERMOST) == "site-button site-onward"


def test_a_teachers_own_notebook_has_steps_by_its_tags(own, open_dashboard, page: Page) -> None:
    open_dashboard(own.dashboard("en/steps.ipynb") + "#gym")
    shows(page, "gym")
    expect(page.locator(".site-lesson a")).to_have_text(["Stretch", say("step.play")])
    expect(page.get_by_text("hello")).to_be_visible()
    assert page.locator(".site-tabs").count() == 0
    page.locator(".site-onward").click()
    expect(AtTable(page).root).to_be_in_viewport()
    page.get_by_role("link", name="back", exact=True).click()
    shows(page, "gym")

    open_dashboard(own.dashboard("en/plain.ipynb") + "#play")
    expect(page.get_by_text("hello")).to_be_visible()
    expect(page.locator(".ck-table:visible")).to_be_visible()
    assert page.locator(".site-onward, section[data-step]").count() == 0


def test_the_start_page_leads_to_a_table_that_is_in_sight(served, page: Page) -> None:
    at_size(page, DESK)
    page.goto(served.start_page("en"))
    for game in KIT_GAMES:
        title = texts.game_text(game, "title", "en")
        for id in ("play", "lesson", "plan"):
            expect(page.get_by_role("link", name=f"{say(id)}: {title}")).to_be_in_viewport(ratio=1)
        address = page.get_by_role("link", name=f"{say('play')}: {title}").get_attribute("href")
        assert address.endswith(f"en/{game}.ipynb#play")
    page.get_by_role(
        "link", name=f"{say('play')}: {texts.game_text('blockade', 'title', 'en')}"
    ).click()
    in_sight(AtTable(stands(page)))


def test_the_start_page_leads_to_pages_for_paper(served, page: Page) -> None:
    page.goto(served.url)
    title = texts.game_text("knitwit", "title", "zh-Hant")
    page.get_by_role("link", name=f"{texts.text('print.title', 'zh-Hant')}: {title}").click()
    expect(page.locator("html[data-drawn] .pp-card .ck-card")).to_have_count(
        4
    )  # the buttons; tags are words


@pytest.mark.smoke
def test_a_guide_and_a_manual_are_pages_to_print(served, page: Page) -> None:
    page.goto(served.start_page("zh-Hant"))
    page.get_by_role(
        "link", name=f"{say('plan', 'zh-Hant')}: {texts.game_text('wizard', 'title', 'zh-Hant')}"
    ).click()
    expect(page.get_by_role("heading", level=2).first).to_have_text("上課以前")
    assert severe(page) == []
    at_size(page, PHONE)
    assert overflow(page) <= 0
    page.emulate_media(media="print")
    expect(page.get_by_role("link", name=say("lesson", "zh-Hant"))).to_be_hidden()
    page.emulate_media(media="screen")
    page.get_by_role("article").get_by_role("link", name=say("manual", "zh-Hant")).first.click()
    page.wait_for_url("**/manual/**")
    pictures = page.locator(".site-still .ck-cloth")
    expect(pictures).to_have_count(page.locator(".site-still").count())
    expect(pictures.first.locator(".ck-card")).to_have_count(6)
    expect(page.locator(".site-still .ck-tools:visible")).to_have_count(0)
    assert severe(page) == []
    assert overflow(page) <= 0
    page.get_by_role("link", name="English").click()
    at_size(page, SIZES[0])
    expect(page.locator(".site-still .ck-prompt").nth(1)).to_contain_text("name the trump")
    seen = page.locator(".site-still .ck-table").nth(1)
    width = "table => table.offsetWidth"
    on_screen = seen.evaluate(width)
    page.emulate_media(media="print")
    assert seen.evaluate(width) == on_screen  # a hand has been laid out for that
    page.emulate_media(media="screen")
    page.get_by_role("link", name=say("lesson")).click()
    expect(page.locator(".site-lesson [aria-current]")).to_have_text(say("step.rules"))


@pytest.mark.parametrize("language", ["zh-Hant", "en"])
@pytest.mark.parametrize("game", KIT_GAMES)
def test_pictures_of_a_manual_fit_a_phone(served, page: Page, game, language) -> None:
    at_size(page, PHONE)
    page.goto(served.start_page(language))
    page.get_by_role(
        "link", name=f"{say('manual', language)}: {texts.game_text(game, 'title', language)}"
    ).click()
    page.wait_for_selector("html[data-drawn]")
    wider = "plates => plates.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.innerText)"
    plates = page.locator(".site-still .ck-plate")
    assert plates.count()
    assert plates.evaluate_all(wider) == []
