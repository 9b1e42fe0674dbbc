"""Which words are the same, and which may be."""

import re
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coursekit.words.characters import character_category
from coursekit.words.normalise import (
    SINGULAR,
    are_near,
    load_simplified_table,
    normalise,
    to_singular,
    variant_table,
)

STEADY = settings(max_examples=300, deadline=None, derandomize=True)
ALIKE = [
    ("電視", "电视"),
    ("TV ", "tv"),
    ("ＴＶ", "tv"),
    ("TVs", "Tv"),
    ("  電　視 ", "電視"),
    ("「電視」", "電視"),
    ("《電視》！", "電視"),
    ("電・視", "電視"),
    ("臺灣", "台灣"),
    ("裏面", "裡面"),
    ("頭髮", "头发"),
    ("卡拉 OK", "卡拉OK"),
    ("カラオケ", "ｶﾗｵｹ"),
    ("a dog", "Dogs"),
    ("the  TV", "tv"),
    ("An apple", "apples"),
    ("movies", "a movie"),
    ("cookies", "Cookie"),
    ("houses", "the house"),
    ("boxes", "box"),
    ("buses", "bus"),
    ("watches", "watch"),
    ("dishes", "dish"),
    ("babies", "baby"),
    ("axes", "axe"),
    ("Straße", "STRASSE"),
    ("café", "cafe\u0301"),
    ("cat\u200bs", "cat"),
    ("ice-cream!", "icecream"),
    ("mother's", "mothers"),
    ("Ⅳ", "iv"),
    ("ﬁsh", "fish"),
    ("❤\ufe0f", "❤"),
    ("👍🏽", "👍"),
    ("\ufefftv", "tv"),
    ("電視\u3164", "電視"),  # a filler that leaves no trace
    ("\u2800電視", "電視"),
    ("衣著", "衣着"),
    ("活著", "活着"),
    ("瞭解", "了解"),
    ("藉口", "借口"),
    ("慰藉", "慰借"),
    ("牠", "它"),
    ("衹有", "只有"),
    ("彷彿", "仿佛"),
    ("姪子", "侄子"),
    ("揹包", "背包"),
    ("砲彈", "炮弹"),
    ("賸飯", "剩饭"),
    ("答覆", "答复"),
    ("姊姊", "姐姐"),
    ("Ｃ＃", "C♯"),
    ("葛\U000e0100", "葛"),  # another way to draw the same character
    ("電\u034f視", "電視"),
    ("של\u200fום", "שלום"),
]
DIFFERENT = [
    ("電視", "電視機"),
    ("電視", "television"),
    ("radio", "video"),
    ("virus", "viru"),
    ("glass", "glas"),
    ("1", "一"),
    ("ice cream", "icecream"),
    ("theme", "me"),
    ("an", "a"),
    ("gas", "ga"),
    ("iris", "iri"),
    ("😀", "😁"),
    ("\U0001fae9", "\U0001fadf"),  # two that Unicode 14 does not know
    ("glasses", "glass"),
    ("news", "new"),
    ("the shorts", "short"),
    ("C#", "C"),
    ("計畫", "計劃"),
    ("份", "分"),
]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_ways_to_write_the_same_word_are_one_answer(one, other):
    assert normalise(one) == normalise(other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_different_words_stay_different(one, other):
    assert normalise(one) != normalise(other)


@STEADY
@given(st.text(max_size=30))
def test_a_norm_is_its_own_norm_but_for_endings(answer):
    """Nothing is left that case, width, spacing or punctuation could change; the rules for English
    apply once.
    """
    once = normalise(answer)
    again = normalise(once)
    assert again == once or to_singular(once.split(" ")[-1]) != once.split(" ")[-1] or again in once
    assert once == once.strip()
    assert "  " not in once


@STEADY
@given(st.text(max_size=20))
def test_how_the_machine_composes_characters_makes_no_difference(answer):
    for form in ("NFC", "NFD", "NFKC", "NFKD"):
        assert normalise(unicodedata.normalize(form, answer)) == normalise(answer)


@pytest.mark.parametrize(
    "nothing", ["", "  ", "…", "——", "!?", "\u200b", "「」", "\u3000", "\u3164", "\u2800", "\ufe0f"]
)
def test_only_punctuation_is_nothing(nothing):
    assert normalise(nothing) == ""


def test_arabic_and_chinese_numerals_are_left_alone():
    assert normalise("１００") == "100"
    assert normalise("一百") == "一百"


# May be the same


@pytest.mark.parametrize(
    ("one", "other", "may_be"),
    [
        ("電視", "電視機", True),
        ("television", "color television", True),
        ("car", "cartoon", False),  # three letters are too few
        ("書", "書包", False),  # and so is one Chinese character
        ("狗", "狗狗", True),  # but not if it is said twice
        ("狗", "狗狗狗", False),
        ("a", "aa", False),
        ("elephant", "elefant", False),
        ("elephant", "elephent", True),
        ("color", "colour", True),
        ("apple", "aple", False),
        ("apples", "apply", True),
        ("radio", "video", False),
        ("電視", "television", True),
        ("計程車", "出租車", True),
        ("電腦", "television", False),
        ("TV", "T V", True),
        ("UFO", "u f o", True),
        ("cafe", "café", True),
        ("é", "e", True),
        ("glasses", "glass", True),
        ("news", "new", True),
        ("C#", "C", False),
        ("か", "が", False),
    ],
)
def test_what_may_be_the_same_is_put_to_the_vote(one, other, may_be):
    same = {
        normalise("電視"): {normalise("television")},
        normalise("出租車"): {normalise("計程車")},
    }
    assert are_near(normalise(one), normalise(other), same) == may_be
    assert are_near(normalise(other), normalise(one), same) == may_be


# The same on every Python


def test_what_a_character_is_does_not_depend_on_the_python():
    """Unicode 14 is that of Python 3.11; a newer one knows more, and so do its lower case and its
    compositions.
    """
    groups = {"L": "L", "N": "L", "M": "M", "P": "P", "S": "S", "C": "C", "Z": "C"}
    for code in range(0x110000):
        category = unicodedata.category(chr(code))
        if unicodedata.unidata_version == "14.0.0":
            assert character_category(chr(code)) == (
                category if category in ("Sk", "Zs", "Cn") else groups[category[0]]
            ), hex(code)
        elif category == "Cn":
            assert character_category(chr(code)) == "Cn", hex(code)


def test_characters_that_came_later_are_compared_as_they_are(monkeypatch):
    """As if a newer Python took them for accents, punctuation or other ways to write an a."""
    newer = type(
        "Newer", (), {"normalize": lambda form, word: re.sub("[\U0001fae9\ua7cb]", "a", word)}
    )
    later = ["\U0001fae9", "x\ua7cb", "\U0001fae9\ua7cb"]
    before = [normalise.__wrapped__(word) for word in later]
    monkeypatch.setattr("coursekit.words.normalise.unicodedata", newer)
    assert [normalise.__wrapped__(word) for word in later] == before == later


def test_a_variant_stands_for_one_character_of_simplified_script():
    simplified, variants = load_simplified_table(), variant_table()
    assert len(variants) > 100
    for code, one in variants.items():
        assert code not in simplified  # else it would never come to this
        assert ord(one) not in simplified
        assert ord(one) not in variants


@pytest.mark.parametrize("word", sorted(SINGULAR))
def test_a_word_that_is_no_plural_stays_itself(word):
    assert normalise(word) == word
    assert normalise(f"the {word}") == word
    assert to_singular(word) == word or are_near(word, to_singular(word), {})
