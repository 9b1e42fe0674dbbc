"""The notebook of Wikipedia and Books in a real browser: it makes sense without code, and shows
what the reader did.
"""

import pytest
from lesson import PHONE, Lesson
from playwright.sync_api import expect
from webpage import overflow, severe, smaller_than

from coursekit.words.texts import load_texts, text

WITH_EVIDENCE = ("role", "favourite", "often", "wiki", "crowd", "card", "map", "points")


@pytest.fixture
def lesson(open_lesson) -> Lesson:
    """The notebook in one language; those of the other games are opened in the other."""
    return open_lesson("en", "wikipedia")


def test_it_is_read_without_code_in_the_dark_and_on_a_phone(lesson: Lesson):
    lesson.makes_sense_without_code()
    expect(lesson.seen("role")).to_have_text(text("reflect.not_played", lesson.language))
    lesson.links_lead_to_a_place_on_the_page(23)
    lesson.can_be_read_by_all()


def test_the_house_rule_is_played_and_shown(lesson: Lesson):
    cell, slider = lesson.control("option.wiki_repair.label", -1)
    picture = cell.locator("img")
    before = picture.get_attribute("src")
    slider.press("ArrowRight")
    expect(picture).not_to_have_attribute("src", before)
    assert "by your rules" in picture.get_attribute("alt")


def test_what_the_reader_did_appears_below_the_questions_and_a_drawn_card_stays_after_a_reload(
    lesson: Lesson,
):
    lesson.sit().decide()
    for name in WITH_EVIDENCE:
        expect(lesson.seen(name).locator("p").first).to_be_visible()
        expect(lesson.seen(name)).not_to_contain_text(text("reflect.not_played", lesson.language))
    for name in ("wiki", "map", "points"):  # always with a picture, whatever was dealt
        expect(lesson.seen(name).locator("img")).to_be_visible()
    assert (
        lesson.pictures_stand(".ck-parts img") >= 3
    )  # one question is open at a time beside those alone
    lesson.look(PHONE)
    assert overflow(lesson.page) <= 0
    assert smaller_than(44, lesson.page.locator(".ck-cell :is(button, input)")) == []
    assert severe(lesson.page) == []
    lesson.look()

    card = lesson.seen("card").locator("p").first
    expect(card).to_contain_text("The card drawn")
    first = card.inner_text()
    lesson.reflection("card").get_by_role(
        "button", name=load_texts("wikipedia")["evidence.draw"]["en"]
    ).click()
    expect(card).not_to_have_text(first)
    second = card.inner_text()
    lesson.reload()
    expect(lesson.seen("card").locator("p").first).to_have_text(second)
