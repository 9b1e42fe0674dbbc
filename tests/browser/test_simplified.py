"""A lesson in simplified Chinese in a real browser: no traditional character is left over."""

import re

from driver import AtTable
from lesson import DESK, PHONE, stands
from playwright.sync_api import Page, expect
from webpage import at_size, overflow, severe

from coursekit.words import texts
from coursekit.words.normalise import load_simplified_table

SHOWN = """() => [...document.querySelectorAll("body, body *")].flatMap((each) => {
  if (["SCRIPT", "STYLE"].includes(each.tagName)) return [];
  const own = [...each.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data);
  const named = ["alt", "aria-label", "title", "placeholder", "label"].map((name) => each.getAttribute(name) ?? "");
  const language = each.closest("[lang]").lang;
  return [...own, ...named].filter((words) => /[\u3400-\u9fff]/.test(words)).map((words) => [words.trim(), language]);
})"""
"""Everything in Chinese that is read, or read aloud, and the language that it is marked as."""


def test_wizards_lesson_is_simplified_from_the_start_page_to_the_table(served, page: Page):
    page.goto(served.start_page("zh-Hans"))
    page.get_by_role("link", name=re.compile("Wizard")).first.click()
    stands(page)
    expect(page).to_have_url(re.compile("zh-Hans/wizard.ipynb"))
    assert page.locator("html").get_attribute("lang") == "zh-Hans"
    for size in (PHONE, DESK):
        at_size(page, size)
        assert overflow(page) <= 0
    assert severe(page) == []

    AtTable(page).legal.first.click()
    page.evaluate("location.hash = 'everything'")
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    shown = [tuple(each) for each in page.evaluate(SHOWN)]
    assert len(shown) > 300
    other = texts.text("ui.language.zh-Hant", "zh-Hant")
    assert {language for words, language in shown if words == other} == {"zh-Hant"}
    rest = [each for each in shown if each[0] != other]
    assert {language for _, language in rest} == {"zh-Hans"}
    assert [words for words, _ in rest if words.translate(load_simplified_table()) != words] == []
