"""What a teacher does and sees while a class plays: console and projector, without a server."""

from collections.abc import Callable
from random import Random

import pytest
from class_screens import TeacherScreen, draw, faults
from classroom import Classroom, class_of, short
from playwright.sync_api import Locator, Page, expect

FEW = [pytest.param(seed, marks=pytest.mark.smoke) for seed in (1, 2)]
SMALL = {"width": 1280, "height": 720}


@pytest.fixture
def console(page: Page) -> Callable[..., TeacherScreen]:
    """``console(seats, minutes=20)`` is the console of a class that plays Wizard at those tables."""

    def start(*seats: list[int | str], language: str = "zh-Hant", **settings: int) -> TeacherScreen:
        classroom = class_of(list(seats), short("wizard", len(seats[0])))
        classroom.room.do("set", **settings)
        return TeacherScreen(page, classroom, "console", language)

    return start


def tables_of(count: int, size: int = 4) -> list[list[int | str]]:
    """Return who sits at so many tables."""
    return [[1 + table * size + seat for seat in range(size)] for table in range(count)]


@pytest.mark.parametrize("seed", [*FEW, *range(3, 8)])
def test_a_teachers_page_at_a_drawn_size(page: Page, seed: int) -> None:
    screen = draw(seed)
    assert faults(page, screen) == [], str(screen)


@pytest.mark.parametrize("language", ["zh-Hant", "en"])
def test_ten_tables_fit_a_small_console_and_no_points_break(
    console: Callable[..., TeacherScreen], page: Page, language: str
) -> None:
    page.set_viewport_size(SMALL)
    console(*tables_of(10), language=language, minutes=20)
    rows = page.locator(".console-table")
    expect(rows).to_have_count(10)
    last = rows.last.bounding_box()
    assert last
    assert last["y"] + last["height"] <= SMALL["height"]
    lines = "all => all.map((points) => points.getClientRects().length)"
    assert set(page.locator(".console-table b").evaluate_all(lines)) == {1}


@pytest.mark.smoke
def test_ending_now_asks_once_more(console: Callable[..., TeacherScreen], page: Page) -> None:
    screen = console(*tables_of(3), minutes=20)
    one, *others = screen.classroom.lesson.current_tables
    page.get_by_role("button", name="第 1 桌：").click()
    page.locator("dialog").get_by_role("button", name="現在就結束").click()
    page.get_by_role("button", name="取消").click()
    assert not one.over
    page.get_by_role("button", name="第 1 桌：").click()
    page.locator("dialog").get_by_role("button", name="現在就結束").click()
    page.locator("dialog").get_by_role("button", name="現在就結束").click()
    expect(page.locator(".console-done")).to_have_count(1)
    assert one.over
    assert not any(table.over for table in others)
    page.locator("#tables").get_by_role("button", name="現在就結束").click()
    page.locator("dialog").get_by_role("button", name="現在就結束").click()
    expect(page.locator(".console-done")).to_have_count(3)


def test_when_time_is_up_the_console_offers_both_ways_to_end(
    console: Callable[..., TeacherScreen], page: Page
) -> None:
    screen = console(*tables_of(2), minutes=1)
    left = page.locator(".console-left")
    expect(left).to_contain_text("剩下")
    screen.classroom.lesson.tables[1].time = 61.0
    screen.classroom.order("say", text="")
    screen.tell()
    expect(left).to_have_text("時間到")
    offered = page.locator(".console-due button")
    expect(offered.filter(has_text="下次計分後全部結束")).to_be_visible()
    expect(offered.filter(has_text="現在就結束")).to_be_visible()
    page.get_by_role("button", name="加 2 分鐘").click()
    expect(left).to_contain_text("剩下")


def test_a_moment_too_many_is_explained_where_it_was_picked(
    console: Callable[..., TeacherScreen], page: Page
) -> None:
    screen = console(*tables_of(1))
    for _ in range(4):
        screen.classroom.turn(Random(1))
    screen.tell()
    page.get_by_role("button", name="第 1 桌：").click()
    page.locator("dialog").get_by_role("button", name="步驟").click()
    sheet = page.locator("dialog")
    for place in range(3):
        sheet.locator(".console-moments").get_by_role("button", name="投影").nth(place).click()
    expect(sheet.locator(".console-warn")).to_contain_text("最多並排 2 個")
    sheet.get_by_role("button", name="收回").click()
    sheet.locator(".console-moments").get_by_role("button", name="投影").nth(2).click()
    expect(sheet.locator(".console-warn")).to_have_count(0)


def test_the_rules_leave_the_projector_when_cards_are_dealt(page: Page) -> None:
    classroom = class_of(tables_of(1), short("wizard", 4))
    screen = TeacherScreen(page, classroom, "projector", "zh-Hant")
    page.locator(".projector-read").click()
    expect(page.locator(".projector-rule-lines")).to_be_visible()
    classroom.order("step", step="rules")
    screen.tell()
    expect(page.locator(".projector-rule-lines")).to_be_visible()
    classroom.order("end_now")
    classroom.order("deal")
    screen.tell()
    expect(page.locator(".projector-rule-lines")).to_have_count(0)


def test_notes_are_counted_at_their_table_and_others_take_three_lines_at_most(
    console: Callable[..., TeacherScreen], page: Page
) -> None:
    screen = console(*tables_of(2))
    room = screen.classroom.room
    for _ in range(4):
        room.note("room.stopped", at=screen.classroom.lesson.tables[2], strategy="Cat")
    for allowed in range(60, 68):
        room.note("room.crowded", allowed=allowed)
    screen.tell()
    notes = page.locator(".console-note")
    expect(notes).to_have_count(1)
    expect(page.locator(".console-table").nth(1)).to_contain_text("Cat")
    expect(notes).to_contain_text("×4")
    expect(page.locator(".console-alerts li")).to_have_count(3)
    page.get_by_role("button", name="全部 8 則").click()
    expect(page.locator("dialog li")).to_have_count(8)
    page.locator("dialog").get_by_role("button", name="知道了").click()
    expect(page.locator(".console-alerts li")).to_have_count(0)
    expect(notes).to_have_count(1)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="提醒都看過了").click()
    expect(notes).to_have_count(0)


def test_a_clock_at_a_table_says_what_it_counts_and_stands_while_no_time_runs(
    console: Callable[..., TeacherScreen], page: Page
) -> None:
    screen = console(*tables_of(1))
    page.clock.install()
    page.reload()
    clock = page.locator(".console-waited")
    expect(clock).to_have_text("等了 0:00")
    page.clock.run_for(5000)
    expect(clock).to_have_text("等了 0:05")
    screen.classroom.order("step", step="rules", free=False)
    screen.tell()
    page.clock.run_for(60_000)
    expect(clock).to_have_text("等了 0:00")


@pytest.mark.smoke
def test_groups_change_by_two_taps_and_by_a_drag(page: Page) -> None:
    classroom = Classroom("wizard")
    for number in range(8):
        classroom.joined(f"Kid {'abcdefgh'[number]}")
    TeacherScreen(page, classroom, "console", "en")

    def groups() -> list[list[int]]:
        found: list[list[int]] = classroom.console.last["room"]["groups"]
        return found

    def chip(person: int) -> Locator:
        return page.locator(f"[data-person='{person}']")

    (one, *_), (other, *_) = groups()
    chip(one).click()
    chip(other).click()
    expect(page.locator(".console-group").first.locator("button").first).to_have_text(
        classroom.lesson.people[other].name
    )
    assert [group[0] for group in groups()] == [other, one]

    chip(other).drag_to(page.locator(".console-group").nth(1).locator("h3"))
    expect(page.locator(".console-group").nth(1).locator("li")).to_have_count(5)
    assert groups()[1][-1] == other

    chip(one).click()
    page.get_by_role("button", name="New table").click()
    expect(page.locator(".console-group")).to_have_count(3)
    assert groups()[2] == [one]


def test_the_projector_shows_what_lies_on_up_to_six_tables(page: Page) -> None:
    page.set_viewport_size(SMALL)
    classroom = class_of(tables_of(6, 3), short("wizard", 3))
    screen = TeacherScreen(page, classroom, "projector", "zh-Hant")
    boards, rng = page.locator(".projector-board .ck-board"), Random(1)
    expect(boards).to_have_count(6)
    table = classroom.lesson.tables[4]
    while not table.run.match.state.trick:
        classroom.turn(rng)
    screen.tell()
    board = boards.nth(3)
    expect(board.locator(".ck-row .ck-piece")).to_have_count(len(table.run.match.state.trick))
    expect(board.locator(".ck-turn")).to_have_count(1)
    expect(board.locator(".ck-hand, .ck-choice")).to_have_count(0)
    letters = "all => all.map((part) => parseFloat(getComputedStyle(part).fontSize))"
    expect(board.locator(".ck-player")).to_have_count(3)
    sizes = board.locator(".ck-player, .ck-spot-name, .ck-note").evaluate_all(letters)
    assert min(sizes) >= SMALL["height"] / 40
    classroom.order("watch", table=4)
    screen.tell()
    expect(boards).to_have_count(0)
    expect(page.locator("#place .ck-table")).to_be_visible()
    classroom.order("watch", table=None)
    screen.tell()
    expect(boards).to_have_count(6)
