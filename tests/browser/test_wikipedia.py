"""Wikipedia and Books in a real browser: whole matches by touch and by keyboard, sheets, covered
hands.
"""

import json
import re
from copy import deepcopy

import pytest
from bare import Bare
from driver import AtTable
from playwright.sync_api import expect
from webpage import at_size, overflow, severe, smaller_than

from coursekit.core.strategy import AtRandom
from coursekit.games.wikipedia import Options, Wikipedia
from coursekit.games.wikipedia.strategies import HonestStudent
from coursekit.table import Table
from coursekit.table.run import Run
from coursekit.table.storage.sqlite_store import Store

SHORT = Options(points_to_win=2)
PHONE, PROJECTOR = {"width": 360, "height": 640}, {"width": 1280, "height": 720}


@pytest.fixture
def lay(page, tmp_path):
    """``lay(game, seats, …)`` returns a person at a table on a bare page; *changes* are made to the
    state first.
    """

    def lay(game, seats, language="zh-Hant", size=PROJECTOR, **changes):
        page.set_viewport_size(size)
        run = Run(game, seats, seed="browser")
        for name, value in changes.items():
            setattr(run.match.state, name, deepcopy(value))
        run.go_on()
        bare = Bare(page, Table(run, language=language, store=Store(tmp_path)))
        person = AtTable(page)
        person.bare, person.state = bare, run.match.state
        return person

    return lay


ONE = ["person", HonestStudent]
MOVE = {
    "phase": "move",
    "turn": 0,
    "roles": ["student"] * 2,
    "work": "wiki",
    "author": 1,
    "user": -1,
}
HAND = {"hands": [["book", "revise", "use", "vandal", "wiki"], ["use"] * 5]}


@pytest.mark.smoke
def test_a_whole_match_is_played_on_a_phone(lay):
    table = lay(Wikipedia(2, SHORT), ONE, size=PHONE)

    def fits():
        assert overflow(table.page) <= 0

    table.play_to_the_end(fits)
    assert table.root.locator(".ck-plate.ck-winner").count() >= 1
    assert "獲勝" in table.root.locator(".ck-prompt").inner_text()
    assert (
        table.root.locator(".ck-plate:not(.ck-you) .ck-open-hand .ck-piece").count() >= 3
    )  # open at the end


def test_a_round_is_played_by_the_keyboard_alone(lay):
    table = lay(Wikipedia(2, Options(points_to_win=5)), ONE, language="en")
    page = table.page
    table.wait()
    page.locator(".ck-near .ck-legal").first.focus()
    sheets = 0
    for _ in range(80):
        table.wait()
        if not table.root.locator(".ck-title").inner_text().startswith("Round 1 "):
            break
        before = table.entry()
        assert page.evaluate("document.activeElement.closest('.ck-near') !== null"), (
            "the focus was lost"
        )
        table.enter()
        if page.evaluate("document.activeElement.closest('.ck-sheet') !== null"):
            sheets += 1
            page.keyboard.press("Escape")
            assert page.evaluate("document.activeElement.closest('.ck-hand') !== null")
            assert table.sheet.count() == 0
            table.enter()
            page.keyboard.press("ArrowDown")
            page.keyboard.press("ArrowUp")
            page.keyboard.press("Enter")
        table.moved(before)
        assert table.sheet.count() == 0, "it closes when the kernel has accepted"
    assert table.root.locator(".ck-title").inner_text().startswith("Round 2 ")
    assert sheets > 0


@pytest.mark.parametrize("size", [PHONE, PROJECTOR], ids=["phone", "projector"])
def test_the_story_of_a_card_can_be_read_while_the_table_is_seen(lay, size):
    table = lay(Wikipedia(2), ONE, size=size, **MOVE, **HAND)
    table.wait()
    table.touch(table.root.locator('[data-piece="work"]'))
    expect(table.sheet).to_contain_text("維基百科")
    expect(table.sheet).to_contain_text("這張牌的故事")
    assert table.sheet.locator(".ck-choice").count() == 0
    table.touch(table.sheet.locator(".ck-close"))
    table.touch(table.root.locator('[data-piece="use-1"]'))
    last = table.sheet.locator(".ck-sheet-body p").last
    last.scroll_into_view_if_needed()
    expect(last).to_be_in_viewport()
    box = table.sheet.bounding_box()
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= size["height"] + 1
    cloth = table.root.locator(".ck-cloth").bounding_box()
    if size == PHONE:
        assert box["y"] > size["height"] / 4  # a quarter of the screen still shows the table
    else:
        assert box["x"] >= cloth["x"] + cloth["width"]  # beside the table
    assert smaller_than(44, table.sheet.locator("button")) == []


def test_what_is_asked_shows_at_once_and_an_answer_that_comes_late_stays_with_its_card(lay):
    table = lay(Wikipedia(2), ONE, **MOVE, **HAND)
    table.wait()
    before, unlit = table.entry(), table.sheet.locator(".ck-choice[aria-disabled=true]")
    card = '[data-piece="{}-1"]'.format
    table.root.locator(card("revise")).press("Enter")
    table.bare.hold()
    table.touch(unlit.first)
    expect(unlit.first).to_have_class(re.compile("ck-asked"))
    table.bare.let_go()
    expect(table.sheet.get_by_role("status")).to_contain_text("規則：")
    expect(unlit.first).not_to_have_class(re.compile("ck-asked"))
    table.bare.hold()
    table.touch(unlit.first)
    table.page.keyboard.press("Escape")
    table.root.locator(card("vandal")).press("Enter")
    table.bare.let_go()
    table.bare.settled()
    assert table.sheet.get_by_role("status").inner_text() == "", "it was about another card"
    assert table.entry() == before
    table.touch(table.sheet.locator(".ck-choice.ck-legal").first)
    table.moved(before)


ON_PAGE = """each => {
  const { x, y, width, height } = each.getBoundingClientRect();
  return [x + scrollX, y + scrollY, width, height];
}"""


@pytest.mark.parametrize("language", ["zh-Hant", "en"])
def test_a_sheet_shows_at_once_what_the_card_does_and_moves_nothing(page, lay, language):
    page.emulate_media(reduced_motion="reduce")
    table = lay(Wikipedia(2), ONE, language=language, **MOVE, **HAND)
    table.wait()
    for size in (PROJECTOR, PHONE):
        at_size(page, size)
        page.evaluate("scrollTo(0, 0)")
        hand = table.root.locator(".ck-hand").evaluate(ON_PAGE)
        for card in ("wiki", "book", "use", "vandal", "revise"):
            table.root.locator(f'[data-piece="{card}-1"]').focus()
            page.keyboard.press("Enter")
            buttons = [each.bounding_box() for each in table.sheet.locator(".ck-choice").all()]
            assert len({box["y"] for box in buttons}) == 1, "side by side"
            assert max(box["height"] for box in buttons) < 50, "on one line each"
            unlit = "each => each.getAttribute('aria-disabled') && each.click()"
            table.sheet.locator(".ck-choice").first.evaluate(unlit)
            effect = table.sheet.locator("dd").first.bounding_box()
            body = table.sheet.locator(".ck-sheet-body").bounding_box()
            assert effect["y"] + effect["height"] <= body["y"] + body["height"], card
            assert table.root.locator(".ck-hand").evaluate(ON_PAGE) == hand
            page.keyboard.press("Escape")


def test_four_people_see_whose_turn_it_is_without_scrolling(lay):
    table = lay(Wikipedia(4), ["person"] * 4)
    table.wait()
    plates = table.root.locator(".ck-far .ck-plate").evaluate_all(
        "all => all.map((each) => each.offsetTop)"
    )
    assert len(plates) == 4
    assert len(set(plates)) == 1
    assert table.page.evaluate("scrollY") == 0
    expect(table.root.locator(".ck-covered button")).to_be_in_viewport(ratio=1)


def test_an_unlit_choice_says_why_not_and_changes_nothing(lay):
    table = lay(Wikipedia(2), ONE, **MOVE, **HAND)
    table.wait()
    before = table.entry()
    for card, why in {"book-1": "同一局只能有一本著作", "revise-1": "沒有東西要改正"}.items():
        table.touch(table.root.locator(f'[data-piece="{card}"]'))
        unlit = table.sheet.locator("[aria-disabled=true]")
        expect(unlit).to_have_count(1)
        table.touch(unlit)
        expect(table.sheet.get_by_role("status")).to_contain_text(why)
        expect(table.sheet.get_by_role("status")).to_contain_text("規則：")
        assert table.entry() == before
    table.touch(table.sheet.locator(".ck-choice.ck-legal"))
    expect(table.sheet).to_have_count(0)
    assert table.entry() != before


def test_the_die_is_thrown_by_the_person_and_seen_before_it_counts(lay):
    wrong = Options(wiki_wrong=6)
    state = MOVE | {
        "phase": "roll",
        "user": 0,
        "hands": [["book", "use", "use", "use", "use"], ["use"] * 5],
    }
    table = lay(Wikipedia(2, wrong), ONE, **state)
    table.wait()
    die = table.root.locator(".ck-dice .ck-die")
    expect(die).to_have_attribute("data-value", "0")
    table.touch(table.root.locator(".ck-choice .ck-die"))
    expect(die).not_to_have_attribute("data-value", "0")
    assert die.get_attribute("data-value") == str(table.state.die)
    expect(table.root.locator(".ck-prompt")).to_contain_text("不夠")
    assert table.state.die > 0
    assert table.state.points == [0, 0]
    expect(table.root.locator('[data-piece="work"]')).to_be_visible()
    table.decide()
    table.decide()
    expect(table.root.locator('[data-piece="work"]')).to_have_count(0)
    assert table.state.round == 2


def hand_shown(table) -> list[str]:
    """Return the kinds of the cards in the hand on the screen."""
    return sorted(
        key.split("-")[0]
        for key in table.root.locator(".ck-hand .ck-piece").evaluate_all(
            "pieces => pieces.map((each) => each.dataset.piece)"
        )
    )


def test_four_people_on_one_screen_see_a_hand_only_when_they_say_it_is_theirs(lay):
    table = lay(Wikipedia(4), ["person"] * 4, size=PHONE)
    uncovered = []
    while len(uncovered) < 6:
        table.wait()
        if table.root.locator(".ck-covered").count() == 0:  # the same person goes on, or the table
            table.decide()
            continue
        seat = table.state.turn
        assert hand_shown(table) == []
        assert table.root.locator(".ck-plate .ck-open-hand").count() == 0
        view = json.loads(table.bare.last_view())
        for scene in view.get("changed", view)["view"]["scenes"]:
            assert "hand" not in [zone["kind"] for zone in scene["zones"]]
        table.root.locator(".ck-covered button").click()
        expect(table.root.locator(".ck-hand .ck-piece")).to_have_count(len(table.state.hands[seat]))
        assert hand_shown(table) == table.state.hands[seat]
        assert overflow(table.page) <= 0
        uncovered.append(seat)
        table.decide()
    assert len(set(uncovered)) == 4
    assert table.root.locator(".ck-team").all_inner_texts() == ["甲", "乙"] * 2


@pytest.mark.parametrize(
    ("scheme", "players", "sizes"),
    [("light", 2, (PHONE, PROJECTOR)), ("dark", 8, (PROJECTOR, PHONE))],
)
def test_nothing_serious_for_axe_and_nothing_too_wide(page, lay, scheme, players, sizes):
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    seats = ["person", *[AtRandom] * (players - 1)]
    roles = ["student"] * players
    table = lay(Wikipedia(players), seats, size=sizes[0], **MOVE | {"roles": roles, "vandal": -1})
    table.wait()

    def fine():
        for size in sizes:
            at_size(page, size)
            assert overflow(page) <= 0
            assert smaller_than(44, table.root.locator(".ck-cloth button")) == []
        assert severe(page) == []

    fine()
    table.touch(table.root.locator(".ck-hand .ck-piece").first)
    expect(table.sheet).to_be_visible()
    fine()
    table.touch(table.sheet.locator(".ck-choice").first)
    fine()
    page.keyboard.press("Escape")
    table.decide()
    fine()
