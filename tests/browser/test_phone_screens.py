"""The phones of a class at drawn sizes, in all games."""

from collections.abc import Iterator

import pytest
from phone_screens import PhoneScreen, draw, faults, show
from playwright.sync_api import Browser, Page

from coursekit.games.wizard import Wizard

FEW = [pytest.param(seed, marks=pytest.mark.smoke) for seed in range(3)]
WIDTHS = """() => Object.fromEntries(["hand", "row", "pile"].map((kind) =>
  [kind, document.querySelector(`.ck-${kind} .ck-card`).getBoundingClientRect().width]))"""


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    """The page of a browser that is touched."""
    context = browser.new_context(has_touch=True, is_mobile=True)
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("seed", [*FEW, *range(3, 20)])
def test_a_phone_of_a_drawn_size(phone: Page, seed: int) -> None:
    screen = draw(seed)
    assert faults(phone, screen) == [], str(screen)


def test_trick_trump_and_hand_are_large_on_a_phone(phone: Page) -> None:
    game, bars = Wizard(4), frozenset[str]()
    show(phone, PhoneScreen(1, game, 6, "zh-Hant", bars, 390, 844, letters=100, dark=False))
    widths = phone.evaluate(WIDTHS)
    assert widths["row"] > 100
    assert widths["hand"] > 100
    assert widths["pile"] > 55
