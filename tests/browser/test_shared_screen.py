"""A screen that others see as well: a hand held open, a view blanked, a window for spectators."""

import json

import pytest
from bare import Bare
from driver import AtTable
from playwright.sync_api import expect

from coursekit.core.strategy import AtRandom
from coursekit.games.wizard import Options, Wizard
from coursekit.table import Table
from coursekit.table.run import Run
from coursekit.table.storage.sqlite_store import Store


@pytest.fixture
def lay(page, tmp_path):
    """``lay("person", AtRandom, AtRandom)`` sits down on a bare page, and returns it and the table."""

    def lay(*seats):
        run = Run(Wizard(3, Options(rounds=(3, 3), first_dealer=0)), seats, seed="shared")
        return Bare(page, Table(run, language="en", store=Store(tmp_path))), AtTable(page)

    return lay


def hold(table):
    table.root.locator(".ck-menu").click()
    table.root.locator("[data-key=holds]").check()
    table.root.locator(".ck-menu").click()


@pytest.mark.smoke
def test_a_hand_shows_only_while_a_key_or_a_finger_holds_it_and_is_played_meanwhile(lay, page):
    bare, table = lay("person", AtRandom, AtRandom)
    hand, holder = table.root.locator(".ck-hand .ck-piece"), table.root.locator("[data-key=hold]")
    table.wait()
    expect(hand).to_have_count(3)
    mine = [each.get_attribute("data-piece") for each in hand.all()]
    hold(table)
    expect(holder).to_be_visible()
    expect(hand).to_have_count(0)
    drawn = table.root.locator(".ck-stage").inner_html()
    assert not any(f'"{piece}"' in drawn for piece in mine)
    page.keyboard.down("h")
    expect(hand).to_have_count(3)
    table.touch(table.legal.first)  # a bid, while the key is held
    bare.settled()
    page.keyboard.up("h")
    expect(hand).to_have_count(0)
    holder.hover()
    page.mouse.down()
    expect(hand).to_have_count(3)
    page.mouse.move(5, 5)
    page.mouse.up()
    expect(hand).to_have_count(0)
    page.keyboard.down("h")
    expect(hand).to_have_count(3)
    page.evaluate(
        "window.dispatchEvent(new Event('blur'))"
    )  # the key is let go where the page does not hear it
    expect(hand).to_have_count(0)


@pytest.mark.browser_context_args(
    viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True
)
def test_on_a_phone_one_finger_holds_the_hand_and_another_plays(lay, page):
    bare, table = lay("person", AtRandom, AtRandom)
    hold(table)
    spots = []  # where fingers lie, the first one on the button that holds
    screen = page.context.new_cdp_session(page)

    def put_down(what):
        what.scroll_into_view_if_needed()
        box = what.bounding_box()
        spots.append(
            {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2, "id": len(spots)}
        )
        screen.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": spots})

    def lift():
        screen.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": [spots.pop()]})

    hand, played = (
        table.root.locator(".ck-hand .ck-piece"),
        table.root.locator(".ck-near .ck-hand .ck-legal"),
    )
    put_down(table.root.locator("[data-key=hold]"))
    expect(hand).to_have_count(3)
    put_down(table.root.locator(".ck-choice.ck-legal").first)
    lift()
    expect(played.first).to_be_visible()  # the bid is made, and a card is asked for
    bare.settled()
    put_down(played.first)
    lift()
    expect(hand).to_have_count(2)
    lift()
    expect(hand).to_have_count(0)


def test_one_touch_takes_a_screen_and_holds_the_hand_open(lay, page):
    _, table = lay("person", "person", "person")
    expect(table.root.locator(".ck-covered-note")).to_contain_text("projector")
    hold(table)
    hand = table.root.locator(".ck-hand .ck-piece")
    table.root.locator("[data-key^=uncover]").hover()
    page.mouse.down()
    expect(hand).to_have_count(3)
    page.mouse.up()
    expect(hand).to_have_count(0)
    page.keyboard.down("h")
    table.touch(table.legal.first)
    page.keyboard.up("h")
    expect(table.root.locator("[data-key^=uncover]")).to_have_count(
        1
    )  # covered by itself for the next person


def test_a_window_for_spectators_follows_without_a_hand_and_is_blanked_from_the_table(lay, page):
    bare, table = lay("person", AtRandom, AtRandom)
    page.keyboard.press("b")
    curtain = table.root.locator(".ck-curtain")
    expect(curtain).to_be_visible()
    page.keyboard.press("b")
    expect(curtain).to_be_hidden()
    table.root.locator(".ck-menu").click()
    with page.expect_popup() as opened:
        table.root.locator("[data-key=spectator]").click()
    window = opened.value
    expect(window.locator(".ck-plate")).to_have_count(3)
    card = table.root.locator(".ck-hand .ck-piece").first
    for _ in range(3):  # the bid and two cards
        held = [
            each.get_attribute("data-piece")
            for each in table.root.locator(".ck-hand .ck-piece").all()
        ]
        drawn = window.content()
        assert not any(f'"{piece}"' in drawn for piece in held)
        table.decide()
        bare.settled()
    expect(card).to_be_visible()
    played = table.root.locator(".ck-story li").last.inner_text()
    expect(window.locator(".ck-story li").last).to_have_text(played)
    assert window.locator(".ck-hand, .ck-choice").count() == 0
    spectators = json.loads(bare.last_view())["changed"]["view"]["spectator"]
    assert "hand" not in {zone["kind"] for scene in spectators["scenes"] for zone in scene["zones"]}
    page.keyboard.press("b")
    expect(window.locator(".ck-onlookers-curtain")).to_be_visible()
    expect(table.root.locator(".ck-cloth")).to_be_visible()
    page.keyboard.press("b")
    expect(window.locator(".ck-onlookers-curtain")).to_be_hidden()
    bare.hold()  # the kernel answers no more
    expect(window.locator(".ck-onlookers-says")).to_be_visible(timeout=15_000)
    bare.let_go()
    expect(window.locator(".ck-onlookers-says")).to_be_hidden(timeout=15_000)
    with window.expect_event("close"):
        page.goto("about:blank")


def test_a_blocked_window_is_told_in_one_sentence(lay, page):
    _, table = lay("person", AtRandom, AtRandom)
    page.evaluate("window.open = () => null")
    table.root.locator(".ck-menu").click()
    table.root.locator("[data-key=spectator]").click()
    expect(table.root.locator(".ck-refusal").first).to_contain_text("blocked")
