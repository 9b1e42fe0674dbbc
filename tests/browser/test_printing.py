"""Pages for paper, as a browser prints them."""

from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from coursekit.printing import render_sheets
from coursekit.printing.sheets import PAPERS

PIXELS = 96 / 25.4
"""In a millimetre."""
INSIDE = """() => [...document.querySelectorAll(".pp-page")].flatMap((page, number) => {
  const box = (each) => each.getBoundingClientRect(), sheet = page.querySelector(".pp-sheet");
  const out = (inner, outer, [i, o] = [box(inner), box(outer)]) =>
    i.left < o.left - 1 || i.right > o.right + 1 || i.top < o.top - 1 || i.bottom > o.bottom + 1;
  const all = (names) => [...page.querySelectorAll(names)];
  const spilled = all("*").filter((each) => !each.matches("svg *")
    && out(each, each.matches(".pp-foot, .pp-number, .pp-marks *, .pp-sheet") ? page : sheet));
  const cut = all(":is(.ck-print-title, .ck-print-text, .ck-print-body > *, .pp-tag)")
    .filter((each) => out(each, each.closest(".pp-card")));
  const over = all(":is(.ck-print-title, .ck-print-text)").filter((each) => {
    const [head, foot] = ["head", "foot"].map((part) => each.closest(".ck-card").querySelector(`.ck-print-${part}`));
    return (foot && box(each).bottom > box(foot).top + 1) || (head && box(each).top < box(head).bottom - 1);
  });
  return [...spilled, ...cut, ...over].map((each) => `${number + 1}: ${each.className} ${each.textContent}`);
})"""
"""What leaves its page or its card, or on the lines at a card's head and foot."""


@pytest.fixture(scope="module")
def paper(browser: Browser) -> Page:
    """One page for all of these tests."""
    return browser.new_page()


def opened(page: Page, game: str, language: str, paper: str, folder: Path) -> None:
    """Open *game* from a file, as it is printed."""
    file = folder / f"{game}-{language}.html"
    file.write_text(render_sheets(game, language, paper, backs=True), "utf-8")
    page.emulate_media(media="screen")
    page.goto(file.as_uri())
    expect(page.locator("html[data-drawn]")).to_have_count(1)
    page.emulate_media(media="print")


@pytest.mark.one_in(5)
@pytest.mark.smoke
@pytest.mark.parametrize(
    ("game", "language", "size", "sheets"),
    [
        ("wizard", "en", "letter", 18),
        ("wikipedia", "en", "a4", 20),
        ("blockade", "en", "letter", 53),
        ("blockade", "zh-Hant", "a4", 53),
        ("knitwit", "en", "a4", 10),
    ],
)
def test_every_page_is_one_sheet_and_nothing_leaves_it(
    paper: Page, game: str, language: str, size: str, sheets: int, tmp_path: Path
) -> None:
    opened(paper, game, language, size, tmp_path)
    assert paper.evaluate(INSIDE) == []
    drawn = "[data-face] > .ck-card" if game != "knitwit" else ".pp-tag"
    assert (
        paper.locator(drawn).count()
        == {"wizard": 120, "wikipedia": 106, "blockade": 2 * 323 + 8, "knitwit": 115}[game]
    )
    assert paper.locator("[data-face]:empty, [data-art]:empty").count() == 0
    rules = paper.locator(".pp-page[data-of=rules]").count()
    assert 1 <= rules <= 4
    assert paper.locator(".pp-page").count() == sheets + rules
    if game in ("wizard", "knitwit"):
        printed = paper.pdf(prefer_css_page_size=True, print_background=True)
        assert printed.count(b"/Type /Page\n") == sheets + rules
    expect(paper.locator(".pp-about")).to_be_hidden()


def test_what_is_not_ticked_is_not_printed_and_pages_are_counted_anew(
    paper: Page, tmp_path: Path
) -> None:
    opened(paper, "wizard", "en", "a4", tmp_path)
    paper.emulate_media(media="screen")
    there = paper.locator(".pp-page:visible")
    whole = there.count()
    paper.get_by_label("Print the backs").uncheck()
    assert there.count() == whole - 7
    for name in ("Cards", "Score pad", "Rules in short", "Ten minutes", "Rules"):
        ticks = paper.locator("tr", has_text=name).get_by_role("checkbox")
        ticks.last.uncheck()
    assert there.count() == 1
    expect(there.locator("h2")).to_have_text("For those who watch")
    expect(there.locator(".pp-number")).to_have_text("1")
    expect(paper.locator("output")).to_have_text("1 pages in all")


def test_marks_stand_where_cards_are_cut_also_in_black_and_white(
    paper: Page, tmp_path: Path
) -> None:
    opened(paper, "wizard", "zh-Hant", "letter", tmp_path)
    for name in ("letter", "a4"):
        paper.emulate_media(media="screen")
        paper.locator("select").select_option(name)
        paper.emulate_media(media="print")
        picture = Image.open(BytesIO(paper.locator(".pp-page").first.screenshot())).convert("L")
        wide, high = PAPERS[name]
        assert picture.size == pytest.approx((wide * PIXELS, high * PIXELS), abs=1)
        left, top = (wide - 180) / 2, (high - 252) / 2

        def darkest(x: float, y: float, picture: Image.Image = picture) -> int:
            middle = round(x * PIXELS), round(y * PIXELS)
            return min(
                picture.getpixel((middle[0] + a, middle[1] + b))
                for a in (-1, 0, 1)
                for b in (-1, 0, 1)
            )  # type: ignore[type-var,return-value]

        for x in (left, left + 60, left + 120, left + 180):
            for y in (top - 3, top + 252 + 3):
                assert darkest(x, y) < 160 < 240 < darkest(x + 3, y), (name, x, y)
        for y in (top, top + 84, top + 168, top + 252):
            for x in (left - 3, left + 180 + 3):
                assert darkest(x, y) < 160 < 240 < darkest(x, y + 3), (name, x, y)
