"""Screens at drawn sizes of window and letters: tables, and the text of a lesson."""

from random import Random

import pytest
from playwright.sync_api import Page
from screens import draw, faults
from webpage import at_size, overflow

FEW = [pytest.param(seed, marks=pytest.mark.smoke) for seed in range(3)]


@pytest.mark.parametrize("seed", [*FEW, *range(3, 8)])
def test_a_table_at_a_drawn_size(page: Page, seed: int) -> None:
    screen = draw(seed)
    assert faults(page, screen) == [], str(screen)


TEXT = """() => {
  const shown = [...document.querySelectorAll("section .jp-RenderedMarkdown p")];
  return parseFloat(getComputedStyle(shown.find((each) => each.checkVisibility())).fontSize);
}"""


def test_the_text_of_a_lesson_grows_with_the_window(served, open_dashboard, page: Page) -> None:
    open_dashboard(served.dashboard("en/wizard.ipynb"))
    session = page.context.new_cdp_session(page)
    rng = Random("text of a lesson")
    for _ in range(12):
        width, height = rng.randint(320, 2560), rng.randint(480, 1440)
        letters = rng.choice((1, 1.5, 2))
        session.send("Page.setFontSizes", {"fontSizes": {"standard": round(16 * letters)}})
        at_size(page, {"width": width, "height": height})
        wanted = letters * max(16, min(0.03 * height, 0.017 * width))
        assert page.evaluate(TEXT) == pytest.approx(wanted, abs=0.2), (width, height, letters)
        assert overflow(page) == 0, (width, height, letters)
