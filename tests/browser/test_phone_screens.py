"""The phones of a class at drawn sizes, in all games."""

from collections.abc import Iterator

import pytest
from phone_screens import FAULTS, QUESTION, PhoneScreen, draw, faults, show
from playwright.sync_api import Browser, Page, expect
from webpage import at_size

from coursekit.core.game import Game
from coursekit.games.blockade import Blockade
from coursekit.games.knitwit import KnitWit
from coursekit.games.wikipedia import Wikipedia
from coursekit.games.wizard import Wizard

FEW = [pytest.param(seed, marks=pytest.mark.smoke) for seed in range(3)]
SMALL = (108, 127)
"""Of narrow phones on which Knit Wit's free places stand close to spools."""
WIDTHS = """() => Object.fromEntries(["hand", "row", "pile"].map((kind) =>
  [kind, document.querySelector(`.ck-${kind} .ck-card`).getBoundingClientRect().width]))"""

TURNED = ((667, 375), (740, 360), (844, 390), (568, 320))
"""Widths and heights of phones that lie on their side."""
UNSEEN = """() => [...document.querySelectorAll(
  ".ck-prompt, .ck-hand > *, .ck-choice, .ck-middle .ck-row > *, .ck-squares > *, .ck-track, .ck-venn-canvas")]
  .filter((part) => part.checkVisibility({ visibilityProperty: true }))
  .filter((part) => {
    const { top, bottom } = part.getBoundingClientRect();
    return top < 0 || bottom > innerHeight + 1;
  })
  .map((part) => `${part.className} ${part.textContent}`.slice(0, 60))"""
"""Finds what is decided with or upon, and stands outside the window."""


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    """The page of a browser that is touched."""
    context = browser.new_context(has_touch=True, is_mobile=True)
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("seed", [*FEW, *range(3, 8), *SMALL])
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


@pytest.mark.parametrize(
    ("game", "steps"),
    [
        (Wizard(4), 6),
        (Wizard(6), 398),
        (Wikipedia(4), 20),
        (Wikipedia(6), 20),
        (Wikipedia(8), 30),
        (Blockade(4), 32),
        (KnitWit(4), 6),
    ],
    ids=str,
)
def test_a_turned_phone_shows_at_once_what_is_decided(phone: Page, game: Game, steps: int) -> None:
    width, height = TURNED[0]
    show(
        phone,
        PhoneScreen(1, game, steps, "en", frozenset(), width, height, letters=100, dark=False),
    )
    for size in TURNED:
        at_size(phone, {"width": size[0], "height": size[1]})
        assert phone.evaluate(UNSEEN) == [], size
        assert phone.evaluate(FAULTS) == [], size


def test_what_is_written_to_a_question_that_closes_is_told_and_comes_back(phone: Page) -> None:
    bars = frozenset({"question"})
    screen = PhoneScreen(2, Wizard(3), 0, "zh-Hant", bars, 390, 844, letters=100, dark=False)
    room = show(phone, screen).classroom
    phone.fill("#answer", "因為要跟花色")
    room.order("close", question=0)
    expect(phone.locator("#strip")).to_contain_text("「因為要跟花色」")
    room.order("ask", words="下一題？", own=True)
    expect(phone.locator("#answer")).to_have_value("")
    room.order("close", question=1)
    room.order("ask", words=QUESTION, own=True)
    expect(phone.locator("#answer")).to_have_value("因為要跟花色")
