"""Presses that come too early: a double click, a slow one, a key pressed twice, a fast player."""

import re
from random import Random

import pytest
from bare import Bare
from driver import VISIBLE, AtTable
from lanes import some
from playwright.sync_api import expect

from coursekit.core.game import TABLE
from coursekit.core.strategy import AtRandom
from coursekit.games.wizard import Options, Wizard
from coursekit.kit import GAMES
from coursekit.table import Table
from coursekit.table.run import Run
from coursekit.table.storage.sqlite_store import Store

CONTROLS = ".ck-near .ck-legal, .ck-near .ck-covered button, .ck-sheet .ck-choice.ck-legal"
GAPS = (60, 150, 300, 700)
"""Milliseconds between the two clicks of a double click, up to that of a slow hand."""
EARLY = "Too quick"


def play_on(run: Run, rng: Random, actions: int) -> None:
    """Let people decide at random, as long as something is left to be decided."""
    for _ in range(actions):
        deciding = run.game.to_act(run.match.state)
        if len(deciding) == 0:
            return
        seat = TABLE if TABLE in deciding else run.waiting[0]
        legal = run.game.legal_actions(run.match.state, seat)
        action = rng.choice(legal) if isinstance(legal, tuple) else legal.sample(rng)
        run.act(seat, action)
        while run.more:
            run.go_on()


def press(page, count=1):
    page.mouse.down(click_count=count)
    page.mouse.up(click_count=count)


def acts_of(bare: Bare) -> int:
    return sum(each["type"] == "act" for each in bare.asked)


@pytest.mark.parametrize("game", list(GAMES))
def test_nothing_pressed_twice_does_two_things(page, tmp_path, game):
    seed = Random().getrandbits(32)  # told if it fails
    rng = Random(seed)
    for draw in range(some(5)):
        kit = GAMES[game]
        rules = kit.standard(None)
        seats = ["person", *rng.choices(["person", AtRandom], k=rules.players - 1)]
        run = Run(rules, seats, seed=f"{seed} {draw}")
        play_on(run, rng, rng.randrange(40))
        if run.match.over:
            continue
        page = page.context.new_page()
        bare = Bare(page, Table(run, language="en", store=Store(tmp_path)))
        table = AtTable(page)
        for _ in range(4):
            if table.over():
                break
            table.wait()
            bare.settled()
            found = table.root.locator(CONTROLS).all()
            if not found:
                break
            point = rng.choice(found).evaluate(VISIBLE)
            if not point:
                continue
            before = acts_of(bare)
            page.mouse.move(1, 1)
            page.mouse.move(*point)
            gap = rng.choice(GAPS)
            press(page)
            page.wait_for_timeout(gap)
            press(page, 2 if gap < 500 else 1)
            bare.settled()
            acts = acts_of(bare) - before
            assert acts <= 1, f"{acts} decisions by a double click of {gap} ms: {seed}, {draw}"
        page.close()


@pytest.fixture
def three(page, tmp_path):
    """``three(*seats)`` lays a match of Wizard in which seat 0 decides first."""

    def lay(*seats, **options):
        rules = Wizard(3, Options(rounds=(3, 3), first_dealer=2, **options))
        run = Run(rules, seats, ["An", "Bo", "Cy"], seed="pressed")
        return Bare(page, Table(run, language="en", store=Store(tmp_path))), AtTable(page)

    return lay


def over(page, locator):
    """Move the mouse onto *locator*, as one does who aims at it."""
    page.mouse.move(1, 1)
    page.mouse.move(*locator.evaluate(VISIBLE))


@pytest.mark.smoke
def test_a_press_that_came_too_early_says_so_and_counts_when_it_is_repeated(three, page):
    bare, table = three("person", "person", "person", bid_mode="open")
    uncover = table.root.locator(".ck-covered button")
    over(page, uncover)
    press(page)
    expect(uncover).to_have_count(0)
    page.evaluate(  # a choice that costs something appears where the last one stood
        """() => {
          const [choice] = document.querySelectorAll(".ck-near .ck-choice");
          choice.style.cssText = "position: fixed; inset: 0; z-index: 99";
        }"""
    )
    press(page, 2)
    expect(table.root.locator(".ck-refusal").first).to_contain_text(EARLY)
    assert acts_of(bare) == 0
    page.mouse.move(200, 200)  # aimed anew
    press(page)
    bare.settled()
    assert acts_of(bare) == 1


def test_a_fast_player_who_aims_at_different_places_is_not_held_up(three, page):
    bare, table = three("person", AtRandom, AtRandom)
    for done in range(3):
        table.wait()
        bare.settled()
        over(page, table.legal.nth(done % 2))
        press(page)
        bare.settled()
        if table.sheet.count():
            over(page, table.sheet.locator(".ck-choice.ck-legal").first)
            press(page)
            bare.settled()
        assert acts_of(bare) == done + 1


def test_a_key_pressed_twice_decides_once_unless_the_keyboard_aims(three, page):
    bare, table = three("person", AtRandom, AtRandom)
    table.legal.first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    bare.settled()
    table.wait()
    page.keyboard.press("Enter")
    expect(table.root.locator(".ck-refusal").first).to_contain_text(EARLY)
    bare.settled()
    assert acts_of(bare) == 1
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    bare.settled()
    assert acts_of(bare) == 2


def test_a_decision_is_taken_back_when_another_person_agrees(three, page):
    bare, table = three("person", "person", "person")
    table.touch(table.root.locator(".ck-covered button"))
    table.touch(table.legal.first)
    back = table.root.locator(".ck-take-back")
    table.touch(back)
    asked = page.get_by_role("dialog")
    expect(asked).to_contain_text("An wants to take back")
    expect(asked).to_contain_text("Bo, Cy agree")
    asked.get_by_role("button", name="Leave it").click()
    expect(asked).to_be_hidden()
    assert bare.table._run.match.log
    table.touch(back)
    asked.get_by_role("button", name="Agree").click()
    expect(back).to_have_count(0)
    assert not bare.table._run.match.log
    expect(table.root.locator(".ck-covered")).to_contain_text("An")


@pytest.mark.parametrize("chosen", ["welcome_guided", "welcome_play"])
def test_the_first_table_of_a_browser_offers_two_ways_in_and_the_next_none(
    new_context, tmp_path, chosen
):
    page = new_context().new_page()  # of somebody who was never here
    Bare(page, Table("wizard", language="en", store=Store(tmp_path)))
    ways = page.locator(".ck-welcome-way")
    expect(ways).to_have_count(2)
    expect(page.locator(".ck-stage")).to_be_hidden()
    page.locator(f"[data-key={chosen}]").click()
    expect(ways).to_have_count(0)
    expect(page.locator(".ck-stage")).to_be_visible()
    expect(page.locator("[data-key=leave]")).to_have_count(int(chosen == "welcome_guided"))
    later = page.context.new_page()
    Bare(later, Table("knitwit", language="en", store=Store(tmp_path)))
    expect(later.locator(".ck-stage")).to_be_visible()
    expect(later.locator(".ck-welcome-way")).to_have_count(0)


def test_a_table_in_a_shadow_root_opens_its_menu_fills_the_screen_and_is_played(page, tmp_path):
    seats = ["person", AtRandom, AtRandom]
    Bare(page, Table(Wizard(3), seats=seats, seed="one", store=Store(tmp_path)), shadow=True)
    table = AtTable(page)  # which sets the speed in the menu
    menu = table.root.locator(".ck-menu-list")
    expect(table.root.locator(".ck-menu")).not_to_have_css("border-radius", "33px")
    expect(menu).to_be_hidden()
    table.root.locator(".ck-menu").click()
    expect(menu).to_be_visible()
    table.root.locator(".ck-prompt").click()
    expect(menu).to_be_hidden()
    enlarger = table.root.locator(".ck-enlarge")
    enlarger.click()
    page.wait_for_function("document.fullscreenElement")
    page.evaluate("document.exitFullscreen()")
    expect(table.root).not_to_have_class(re.compile("ck-staged"))
    for _ in range(3):
        table.decide()
