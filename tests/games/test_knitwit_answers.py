"""Knit Wit: which answers a tag forbids, how they are grouped, and what can be written."""

import pytest

from coursekit.games.knitwit.rules.answers import (
    content_words,
    forbids,
    group_norms,
    is_writable,
    stem,
)
from coursekit.words.normalise import normalise


def test_answers_are_grouped_by_their_norm():
    assert group_norms([normalise(each) for each in ("電視", "", "电视", "radio")]) == {
        normalise("電視"): [0, 2],
        "radio": [3],
    }


# Tag words


@pytest.mark.parametrize(
    ("zh", "en", "answer", "forbidden"),
    [
        ("紅色的", "red", "紅色", True),
        ("紅色的", "red", "红色跑车", True),
        ("紅色的", "red", "紅豆", False),
        ("紅色的", "red", "Red", True),
        ("紅色的", "red", "a red car", True),
        ("紅色的", "red", "redwood", False),
        ("紅色的", "red", "RED蘋果", True),
        ("熱的", "hot", "熱", True),
        ("熱的", "hot", "熱狗", False),
        ("熱的", "hot", "熱的狗", True),
        ("熱", "hot", "熱的狗", False),  # a tag without 的 is just this one character
        ("熱的", "hot", "hot dog", True),
        ("在天上的", "in-the-sky", "the sun", False),
        ("在天上的", "in-the-sky", "skies", True),
        ("有按鈕的", "with-buttons", "button", True),
        ("有按鈕的", "with-buttons", "with love", False),
        ("有按鈕的", "with-buttons", "有按鈕的衣服", True),
        ("乾的", "dry", "干", True),
        ("一生一次的", "once-in-a-lifetime", "once", False),
        ("一生一次的", "once-in-a-lifetime", "Lifetimes", True),
        ("嶄新的", "brand-new", "brand-new", True),
        # Marks hide no word …
        ("紅色的", "red", "red-car", True),
        ("紅色的", "red", "Red/car", True),
        ("紅色的", "red", "red_car", True),
        ("紅色的", "red", "a+red+car", True),
        ("紅色的", "red", "r.e.d", True),
        ("紅色的", "red", "紅・色", True),
        ("紅色的", "red", "紅|色跑車", True),
        ("熱的", "hot", "hot.dog", True),
        ("熱的", "hot", "「熱」", True),
        ("有按鈕的", "with-buttons", "push-button", True),
        ("物件導向的", "C++", "C++", True),
        ("玻璃的", "glass", "glasses", True),
        ("短的", "short", "shorts", True),
        ("紅色的", "red", "red\U0001fae9car", True),
        # … and make none
        ("紅色的", "red", "hundred-year", False),
        ("紅色的", "red", "infra.redo", False),
        ("紅色的", "red", "紅/豆", False),
        ("紅色的", "red", "紅-豆色", False),
        ("熱的", "hot", "熱・狗", False),
        ("熱的", "hot", "hotel-room", False),
        ("在天上的", "in-the-sky", "built-in", False),
    ],
)
def test_the_words_of_a_tag_are_forbidden(zh, en, answer, forbidden):
    assert forbids(zh, en, answer, "word") == forbidden


def test_shared_characters_can_be_forbidden():
    assert forbids("熱的", "hot", "熱狗", "char")
    assert forbids("紅色的", "red", "白色", "char")
    assert not forbids("紅色的", "red", "目的", "char")


def test_the_stem_is_the_tag_without_its_last_character_of():
    assert [stem(each) for each in ("紅色的", "的", "乾的")] == ["红色", "的", "干"]
    assert content_words("see-through") == ("see",)


# What can be written


@pytest.mark.parametrize(
    "answer",
    [
        "電視",
        "crème brûlée",
        "👩‍👩‍👧",
        "{0} <b>",
        "😀",
        "\U0001fae9",
        "\u0378",
        "𠮷野家",
        "שלום",
        "e\u0301",
    ],
)
def test_any_language_can_be_written(answer):
    assert is_writable(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "\ud800",
        "a\nb",
        "\x00",
        "\ue000",
        "a\u202eb",
        "\u2066",
        "\u2028",
        "\U000e1fff",
        "\uffff",
        "\ufdd0",
    ],
)
def test_what_cannot_be_shown_or_stored_cannot_be_written(answer):
    assert not is_writable(answer)
