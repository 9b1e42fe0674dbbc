"""The notebook of 文壇封鎖中 in a real browser: read without code, an era played to its end, numbers
changed.
"""

import pytest
from insight import play_in_sight
from lesson import PHONE, Lesson
from playwright.sync_api import expect
from webpage import overflow, severe, smaller_than

from coursekit.games.blockade.after.evidence import fact
from coursekit.words.texts import text

TOLD = {
    "roles": 0,
    "history": 1,
    "law": 0,
    "paid": 1,
    "silence": 0,
    "self": 0,
    "source": 0,
    "model": 0,
}
"""The questions below which something is shown, and how many pictures there are at least."""
HIGHER = """([one, other]) => {
  const top = (name) => document.querySelector(name).getBoundingClientRect().top;
  return top(one) < top(other);
}"""
"""Whether the first *one* on the page stands above the first *other*, measured at one moment."""


@pytest.fixture
def lesson(open_lesson) -> Lesson:
    """The notebook in one language; those of the other games are opened in the other."""
    return open_lesson("zh", "blockade")


def test_it_is_read_without_code_in_the_dark_and_on_a_phone(lesson: Lesson):
    lesson.makes_sense_without_code()
    assert lesson.page.evaluate(HIGHER, ["main table", ".ck-table"]), "dates come before the game"
    assert lesson.page.locator(".ck-table audio, .ck-table video").count() == 0
    expect(lesson.seen("roles")).to_have_text(text("reflect.not_played", lesson.language))
    lesson.links_lead_to_a_place_on_the_page(20)
    lesson.can_be_read_by_all()


def test_numbers_are_changed_in_place_of_cells(lesson: Lesson):
    cell, slider = lesson.control("control.card")
    for number in (173, 174):  # the first periodicals
        for sentence in fact(number, lesson.language):
            expect(cell.locator(".ck-result")).to_contain_text(sentence.splitlines()[0])
        slider.press("ArrowRight")
    for name, key in {
        "control.match": "ArrowRight",
        "control.rank": "ArrowRight",
        "option.o_faces.label": "Home",
    }.items():
        cell, slider = lesson.control(name)
        picture = cell.locator("img").first
        before = picture.get_attribute("src")
        slider.press(key)
        expect(picture).not_to_have_attribute("src", before)
        assert len(picture.get_attribute("alt")) > 20
    assert severe(lesson.page) == []


def test_it_fits_a_phone_with_everything_shown(lesson: Lesson):
    lesson.sit().decide()
    lesson.look(PHONE)
    for name in ("history", "paid"):  # always with a picture, whatever was dealt
        expect(lesson.seen(name).locator("img")).to_be_visible()
    assert overflow(lesson.page) <= 0
    assert smaller_than(44, lesson.page.locator(".ck-cell :is(button, input)")) == []
    assert severe(lesson.page) == []


def test_an_era_is_played_in_sight_and_the_questions_tell_what_happened_in_it(lesson: Lesson):
    board = play_in_sight(lesson, "one_era", "1280x720")
    assert board.root.locator(".ck-plate.ck-winner").count() >= 1
    points = board.root.locator(".ck-plate.ck-you .ck-count b").first.inner_text()
    for name, pictures in TOLD.items():
        shown = lesson.seen(name)
        expect(shown.locator("p").first).to_be_visible()
        expect(shown).not_to_contain_text(text("reflect.not_played", lesson.language))
        if pictures:
            expect(shown.locator("img").first).to_be_visible()
    expect(lesson.seen("roles")).to_contain_text(f"，{points} 分。")
    lesson.pictures_stand()
    assert severe(lesson.page) == []
