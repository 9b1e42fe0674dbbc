"""Pages for paper, as a browser prints them."""

from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from coursekit.printing import printed
from coursekit.printing.sheets import PAPERS

PIXELS = 96 / 25.4
"""In a millimetre."""
INSIDE = """() => [...document.querySelectorAll(".pp-page")].flatMap((page, number) => {
  const [whole, sheet] = [page, page.querySelector(".pp-sheet")].map((each) => each.getBoundingClientRect());
  const out = (inner, outer) => inner.left < outer.left - 1 || inner.right > outer.right + 1 || inner.top < outer.top - 1 || inner.bottom > outer.bottom + 1;
  const spilled = [...page.querySelectorAll("*")].filter((each) => !each.matches("svg *") && out(each.getBoundingClientRect(),
    each.matches(".pp-foot, .pp-marks *, .pp-sheet") ? whole : sheet));
  const cut = [...page.querySelectorAll(".pp-card")].filter((card) => [...card.querySelectorAll(".ck-print-title, .ck-print-text, .ck-print-body > *, .pp-tag")]
    .some((each) => out(each.getBoundingClientRect(), card.getBoundingClientRect())));
  const over = [...page.querySelectorAll(".ck-print-as-order")].filter((card) =>
    card.querySelector(".ck-print-text").getBoundingClientRect().bottom > card.querySelector(".ck-print-foot").getBoundingClientRect().top);
  return [...spilled, ...cut, ...over].map((each) => `${number + 1}: ${each.className?.baseVal ?? each.className} ${each.textContent.slice(0, 30)}`);
})"""


@pytest.fixture(scope="module")
def paper(browser: Browser) -> Page:
    """One page for all of these tests."""
    return browser.new_page()


def opened(page: Page, game: str, language: str, paper: str, folder: Path) -> None:
    """Open *game* from a file, as it is printed."""
    file = folder / f"{game}-{language}.html"
    file.write_text(printed(game, language, paper), "utf-8")
    page.emulate_media(media="screen")
    page.goto(file.as_uri())
    expect(page.locator("html[data-drawn]")).to_have_count(1)
    page.emulate_media(media="print")


@pytest.mark.parametrize(
    ("game", "language", "size", "sheets"),
    [("wizard", "en", "letter", 16), ("wikipedia", "en", "a4", 18), ("blockade", "en", "letter", 51),
     ("blockade", "zh-Hant", "a4", 51), ("knitwit", "en", "a4", 8)],
)  # fmt: skip
def test_every_page_is_one_sheet_and_nothing_leaves_it(
    paper: Page, game: str, language: str, size: str, sheets: int, tmp_path: Path
) -> None:
    opened(paper, game, language, size, tmp_path)
    assert paper.evaluate(INSIDE) == []
    drawn = "[data-face] > .ck-card" if game != "knitwit" else ".pp-tag"
    assert (
        paper.locator(drawn).count() == {"wizard": 120, "wikipedia": 106, "blockade": 2 * 323 + 8, "knitwit": 115}[game]
    )
    assert paper.locator("[data-face]:empty, [data-art]:empty").count() == 0
    if game in ("wizard", "knitwit"):
        assert paper.pdf(prefer_css_page_size=True, print_background=True).count(b"/Type /Page\n") == sheets
    assert paper.locator(".pp-page").count() == sheets
    expect(paper.locator(".pp-about")).to_be_hidden()


def test_marks_stand_where_cards_are_cut_also_in_black_and_white(paper: Page, tmp_path: Path) -> None:
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
            return min(picture.getpixel((middle[0] + a, middle[1] + b)) for a in (-1, 0, 1) for b in (-1, 0, 1))  # type: ignore[type-var,return-value]

        for x in (left, left + 60, left + 120, left + 180):
            for y in (top - 3, top + 252 + 3):
                assert darkest(x, y) < 160 < 240 < darkest(x + 3, y), (name, x, y)
        for y in (top, top + 84, top + 168, top + 252):
            for x in (left - 3, left + 180 + 3):
                assert darkest(x, y) < 160 < 240 < darkest(x, y + 3), (name, x, y)
