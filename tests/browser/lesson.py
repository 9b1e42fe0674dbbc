"""A notebook of the kit in a browser, as its readers see it: opened once, looked at by several
tests.
"""

from pathlib import Path

from driver import AtTable
from lanes import START
from playwright.sync_api import Locator, Page, expect
from unbroken import broken
from webpage import at_size, overflow, severe, smaller_than

from coursekit.kit import GAMES
from coursekit.reflect import question, questions
from coursekit.words.texts import load_texts

LANGUAGES = {"zh": "zh-Hant", "en": "en"}
"""The folders of the notebooks, and the language that is written in each."""
SIZES = [
    {"width": 1280, "height": 720},
    {"width": 1920, "height": 1080},
    {"width": 360, "height": 640},
]
DESK, PHONE = SIZES[0], SIZES[-1]
UNWANTED = ("Error", "Traceback", "widget model", "notebook-only", "print(", "from coursekit", "✗")

BEYOND = "all => all.filter((each) => each.getBoundingClientRect().right > innerWidth).map((each) => each.outerHTML)"
"""Cells that are wider than the window; what notebooks show stands in a box that would scroll."""

KIT = Path(__file__).parents[2] / "coursekit"
STYLES = {
    "ck-table": "table/static/*.css",
    "ck-explore": "cells/static/explore.css",
    "ck-reflect": "reflect/static/question.css",
    "ck-wordfiles": "games/knitwit/table/static/word-files.css",
    "ck-keep": "reflect/static/consent.css",
    "ck-handin": "reflect/static/handin.css",
    "ck-debrief": "reflect/static/debrief.css",
    "ck-map": "maps/static/*.css",
}
"""Cells by the class of their root, and their own style sheets."""
REACHING = """([root, roots, css]) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  const selectors = (rules) => [...rules]
    .flatMap((rule) => [rule.selectorText ?? [], selectors(rule.cssRules ?? [])].flat());
  const parts = (selector) => document.querySelectorAll(selector.replace(/::[a-z-]+/g, ""));
  const elsewhere = (part) => part.closest(roots) && !part.closest(`.${root}, .ck-timer`);
  return selectors(sheet.cssRules).filter((selector) => [...parts(selector)].some(elsewhere));
}"""
"""Which selectors of a cell's style sheet find something in another cell; a timer is part of
several cells.
"""

INSIDE = """root => [...root.querySelectorAll(
  ".ck-prompt, .ck-near .ck-legal, .ck-near .ck-primary, .ck-near .ck-hand, .ck-form .ck-primary")]
  .filter((each) => each.checkVisibility())
  .map((each) => [each.className, each.getBoundingClientRect()])
  .filter(([, box]) => box.width && (box.top < 0 || box.bottom > innerHeight || box.left < 0 || box.right > innerWidth))
  .map(([name, { top, bottom }]) => `${name} ${top} ${bottom} of ${innerHeight}`)"""
"""Which of the prompt, the hand and what may be pressed are not wholly inside the window."""


def in_sight(table: AtTable) -> None:
    """Check that at the step to play nothing has to be scrolled to decide, in windows of three
    sizes.
    """
    for size in SIZES:
        at_size(table.page, size)
        table.wait()
        expect(table.root.locator(".ck-prompt:visible, .ck-near:visible").first).to_be_in_viewport()
        assert table.root.evaluate(INSIDE) == [], size
        assert table.page.evaluate("scrollY") == 0


class Lesson:
    """A notebook that stands on *page*; tests get it from the fixture ``open_lesson``.

    :param folder: ``zh`` or ``en``.
    :param name: of the notebook: the name of a game, or ``00-welcome``.
    """

    def __init__(self, page: Page, folder: str, name: str) -> None:
        self.page, self.language = page, LANGUAGES[folder]
        self.game = name if name in GAMES else ""

    def look(self, size: dict[str, int] = DESK, scheme: str = "light") -> None:
        """Look at the top of the page in a window of that size, in light or dark colours."""
        self.page.emulate_media(color_scheme=scheme)
        self.page.evaluate("scrollTo(0, 0)")
        at_size(self.page, size)

    def reload(self) -> None:
        """Open the page anew, and wait until its widgets stand."""
        self.page.reload()
        stands(self.page)

    def sit(self) -> AtTable:
        """Sit down at the first table."""
        return AtTable(self.page)

    def reflection(self, name: str) -> Locator:
        """Return the cell that asks this question of the game; one offered by topic is opened
        there.
        """
        self.open(name)
        asked = self.page.get_by_label(question(self.game, name).words[self.language], exact=True)
        return self.page.locator(".ck-reflect", has=asked)

    def open(self, name: str) -> None:
        """Open the question in the cell with the game's topics, unless it is open or stands alone."""
        offered = GAMES[self.game].load_lesson().topics
        for at, topic in enumerate(offered):
            if name in topic.questions:
                cell = self.page.locator(".ck-topics")
                cell.scroll_into_view_if_needed()
                chip = cell.locator(".ck-chip").nth(at)
                if chip.get_attribute("aria-pressed") != "true":
                    chip.click()
                card = cell.locator(".ck-card").nth(topic.questions.index(name))
                if card.get_attribute("aria-expanded") != "true":
                    card.click()

    def seen(self, name: str) -> Locator:
        """Return what is shown below a question, scrolled to as a reader would."""
        shown = self.reflection(name).locator(".ck-seen")
        shown.scroll_into_view_if_needed()
        return shown.locator(".ck-parts")

    def control(self, label: str, at: int = 0) -> tuple[Locator, Locator]:
        """Return the *at*-th cell (-1: the last) with a slider of this name, scrolled to, and the
        slider.

        :param label: the id of its text, as ``control.deals``.
        """
        words = (load_texts("") | load_texts(self.game) if self.game else load_texts(""))[label][
            self.language
        ]
        slider = self.page.get_by_label(words, exact=True)
        cell = self.page.locator(".ck-explore", has=slider).nth(at)
        cell.scroll_into_view_if_needed()
        return cell, cell.get_by_label(words, exact=True)

    # What holds for every notebook

    def makes_sense_without_code(self) -> None:
        """Check the language, that nothing of the machinery is seen, and that the game's questions
        are asked.
        """
        expect(self.page.locator("html")).to_have_attribute("lang", self.language)
        body = self.page.locator("body").inner_text()
        assert [line for line in body.splitlines() if any(word in line for word in UNWANTED)] == []
        topics = GAMES[self.game].load_lesson().topics if self.game else ()
        asked = len(questions(self.game)) if self.game else 0
        alone = asked - sum(len(topic.questions) for topic in topics)
        expect(self.page.locator(".ck-reflect")).to_have_count(alone)
        expect(self.page.locator(".ck-topics .ck-chip")).to_have_count(len(topics))
        self.pictures_stand()

    def pictures_stand(self, where: str = "main img") -> int:
        """Check that every picture there is drawn, and told in words; return how many they are."""
        images = self.page.locator(where).filter(visible=True).all()
        for image in images:
            expect(image).to_have_js_property(
                "complete", True
            )  # one that has just come is still being read
            assert image.evaluate("image => image.naturalWidth > 0")
            assert len(image.get_attribute("alt")) > 10
        return len(images)

    def links_lead_to_a_place_on_the_page(self, count: int) -> None:
        """Follow every link within the page, of which there are *count*."""
        links = self.page.locator("main a[href^='#']:not(.anchor-link, .site-activities a)")
        expect(links).to_have_count(count)
        assert links.evaluate_all(ASTRAY) == []

    def styles_stay_in_their_cells(self, *roots: str) -> None:
        """Check that no style sheet of the cells with these roots, which are on the page, reaches
        another cell.
        """
        for root in roots:
            expect(self.page.locator(f".{root}").first).to_be_attached()
            css = "".join(
                file.read_text(encoding="utf-8") for file in sorted(KIT.glob(STYLES[root]))
            )
            all_roots = ", ".join(f".{each}" for each in STYLES)
            assert self.page.evaluate(REACHING, [root, all_roots, css]) == [], root

    def can_be_read_by_all(self) -> None:
        """Check the widths of a projector and a phone; contrast and names in one scheme for each
        language.
        """
        for size, scheme in ((DESK, "light"), (PHONE, "dark")):
            self.look(size, scheme)
            assert overflow(self.page) <= 0
            assert self.page.locator(".ck-cell").evaluate_all(BEYOND) == []
            assert broken(self.page.locator("h1, h2, h3, h4, caption, th, td")) == [], size
            if (size is PHONE) == (self.language == "zh-Hant"):
                assert severe(self.page) == [], (size, scheme)
        assert smaller_than(44, self.page.locator(".ck-cell :is(button, input, textarea)")) == []
        if self.game:
            self.at_step("play")
            in_sight(self.sit())
            self.at_step("everything")
        self.look()

    def at_step(self, name: str) -> None:
        """Show that step alone, or ``everything``."""
        self.page.evaluate("name => { location.hash = name; }", name)
        first = self.page.locator("section[data-step='rules']")
        expect(first).to_be_visible(visible=name in ("rules", "everything"))


ASTRAY = """async (links) => {
  const astray = [];
  const inSight = (id) => {
    const target = document.querySelector("h2:target, h3:target");
    const { top, bottom } = target?.getBoundingClientRect() ?? {};
    return target?.id === id && bottom > 0 && top < innerHeight;
  };
  for (const link of links) {
    const id = link.getAttribute("href").slice(1);
    link.click();
    for (let frames = 0; !inSight(id) && frames < 600; frames += 1) await new Promise(requestAnimationFrame);
    if (!inSight(id)) astray.push(id);
  }
  return astray;
}"""
"""Follows links, and tells those that lead to no heading of the page in sight."""


STAND = """() => !document.querySelector("script[type='application/vnd.coursekit.output+json']")
  && [...document.querySelectorAll(".jp-OutputArea-output")]
  .every((each) => each.textContent !== "Loading widget...")"""
"""Whether every output is drawn, and no widget is being waited for."""


def run_all_cells(page: Page) -> Page:
    """Run all cells of the notebook that stands open in JupyterLab; return *page*."""
    expect(page.get_by_role("button", name="| Idle")).to_be_visible(timeout=1_000 * START)
    page.locator(".jp-Notebook .jp-Cell").first.click()
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    return page


def stands(page: Page) -> Page:
    """Wait until all cells of a notebook under Voilà have run, and its widgets stand; return
    *page*.
    """
    page.wait_for_selector("#loading", state="detached", timeout=1_000 * START)
    page.wait_for_load_state("networkidle")
    page.wait_for_function(
        STAND, timeout=1_000 * START
    )  # the page is shown after 30 s, whatever has not come by then
    return page
