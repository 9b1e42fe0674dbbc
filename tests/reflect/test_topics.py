"""The cell that offers a game's questions by topic saves each answer as the cell of one question
does.
"""

from pathlib import Path
from typing import Any

import pytest
from cells import Browser

from coursekit.kit import GAMES
from coursekit.reflect import Journal, Reflect, Topics, questions
from coursekit.words.texts import LANGUAGES

LUCK, SURE = "wizard/luck", "wizard/sure"


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(tmp_path / "journal.json")


def cards(cell: Topics) -> dict[str, dict[str, Any]]:
    """Return the cards of all topics, by the keys of their questions."""
    return {card["key"]: card for topic in cell.topics for card in topic["cards"]}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_each_question_stands_in_one_topic_with_a_short_line(game: str, language: str) -> None:
    cell = Topics(game, language)
    offered = cards(cell)
    assert sum(len(topic["cards"]) for topic in cell.topics) == len(offered) >= 5
    assert set(offered) <= {each.key for each in questions(game)}
    for card in offered.values():
        assert card["short"] != card["question"]
        assert len(card["short"]) < len(card["question"])
    assert len({topic["title"] for topic in cell.topics}) == len(cell.topics) >= 2


def test_a_game_without_topics_offers_all_its_questions(journal: Journal, teach: Any) -> None:
    teach("wizard", topics=())
    cell = Topics("wizard", "en", journal)
    assert [card["key"] for card in cell.topics[0]["cards"]] == [
        each.key for each in questions("wizard")
    ]
    assert cell.topics[0]["cards"][0]["short"] == cell.topics[0]["cards"][0]["question"]


def test_an_answer_is_kept_under_the_same_key_as_by_the_cell_of_one_question(
    journal: Journal,
) -> None:
    browser, alone = (
        Browser(Topics("wizard", "en", journal)),
        Browser(Reflect("wizard", "luck", "en", journal)),
    )
    assert browser.say(type="open", which=LUCK)["which"] == LUCK
    browser.say(type="save", which=LUCK, text="both", seen="", n=1)
    assert [each["type"] for each in browser.got[1:]] == ["answer", "answered", "saved"]
    assert browser.got[-2]["keys"] == {LUCK: True}
    assert list(journal.answers()) == [LUCK]
    assert alone.say(type="open")["text"] == "both"
    alone.say(type="save", text="", seen=journal.answers()[LUCK].saved, n=1)
    assert browser.got[-1]["keys"] == {LUCK: False}


def test_it_tells_what_is_answered_and_hears_nothing_else(journal: Journal) -> None:
    journal.save(SURE, "70 %", "?")
    browser = Browser(Topics("wizard", "en", journal))
    told = browser.say(type="answered")
    assert [key for key, answered in told["keys"].items() if answered] == [SURE]
    assert LUCK in told["keys"]
    before = len(browser.got)
    for content in (
        {"type": "open", "which": "wizard/nothing"},
        {"type": "open"},
        {"type": "x", "which": LUCK},
    ):
        browser.cell._handle_custom_msg(content, [])
    assert [answer["type"] for answer in browser.got[before:]] == ["refused"] * 3


def test_the_clock_and_the_evidence_belong_to_the_question(journal: Journal) -> None:
    offered = cards(Topics("knitwit", "en", journal))
    assert {key for key, card in offered.items() if card["timing"] == "pair"} == {
        "knitwit/hard",
        "knitwit/judge",
    }
    assert not any(card["shows"] for card in offered.values())  # there is no table
    assert "70 %" not in repr(Topics("wizard", "en", journal).get_state())
