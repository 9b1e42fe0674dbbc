"""The notebook of Knit Wit in a real browser: it makes sense without code, and shows what the
reader did.
"""

import pytest
from insight import play_in_sight
from lesson import Lesson
from playwright.sync_api import expect

from coursekit.words.texts import game_text, text


@pytest.fixture
def lesson(open_lesson) -> Lesson:
    """The notebook in one language; those of the other games are opened in the other."""
    return open_lesson("en", "knitwit")


def test_it_is_read_without_code_in_the_dark_and_on_a_phone(lesson: Lesson):
    lesson.makes_sense_without_code()
    expect(lesson.seen("hard")).to_have_text(text("reflect.not_played", lesson.language))
    lesson.links_lead_to_a_place_on_the_page(24)
    lesson.can_be_read_by_all()


def test_a_mistake_in_a_file_is_told_on_the_page(lesson: Lesson):
    explored, slider = lesson.control("control.mistake")
    slider.press("ArrowRight")
    expect(explored.locator(".ck-text")).to_contain_text("18")
    assert "unit.csv" in explored.locator(".ck-text").inner_text()


def test_a_file_chosen_on_the_page_is_what_the_table_plays_with(lesson: Lesson):
    cell = lesson.page.locator(".ck-wordfiles")
    rows = ["en", *(f"topic {letter}" for letter in "abcdefghijklmnop")]
    for content, says in (
        ([*rows, "topic a"], "line 18"),
        (rows, "16 tags from unit5.csv: topic a"),
    ):
        file = {
            "name": "unit5.csv",
            "mimeType": "text/csv",
            "buffer": "\r\n".join(content).encode("utf-8-sig"),
        }
        cell.locator("input[type=file]").first.set_input_files(file)
        expect(cell.locator(".ck-file").first).to_contain_text(says)
    expect(cell.locator(".ck-notice")).to_have_text(game_text("knitwit", "wordfiles.changed", "en"))
    table = lesson.page.locator(".ck-table:not(.ck-still *)").first
    table.locator("button.ck-new").click()
    whose = table.get_by_label("Whose tags")
    assert whose.evaluate("select => select.selectedOptions[0].label") == "unit5.csv"
    lesson.page.keyboard.press("Escape")
    lesson.styles_stay_in_their_cells("ck-wordfiles")


def test_a_loop_that_is_moved_gets_another_answer(lesson: Lesson):
    explored, slider = lesson.control("control.across", -1)
    picture = explored.locator("img")
    before = picture.get_attribute("alt")
    slider.press("End")
    expect(picture).not_to_have_attribute("alt", before)
    assert "off" not in before
    assert "holds exactly one spool" in picture.get_attribute("alt")


def test_everything_that_is_clicked_in_a_match_on_a_phone_is_in_sight(lesson: Lesson):
    play_in_sight(lesson, "short", "360x640")
