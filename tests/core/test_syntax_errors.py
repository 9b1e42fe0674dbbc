"""What a learner reads about code that Python cannot read."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coursekit.core.syntax_errors import BLANKS, PUNCTUATION, explain_syntax
from coursekit.words.texts import LANGUAGES


def read(source: str) -> SyntaxError | None:
    """Return why Python cannot read *source*, ``None`` if it can."""
    try:
        compile(source, "<cell>", "exec")
    except SyntaxError as error:
        return error
    except (ValueError, OverflowError, MemoryError, RecursionError):
        pass
    return None


def explain(source: str, language: str = "en") -> str:
    error = read(source)
    assert error
    return explain_syntax(error, source).sentence(language)


SLIPS = {
    "x = 1\nprint（x）": "line 2 .print（x）. has full-width signs.*（ → \\(  ） → \\)",
    "if x > 3：\n    pass": "line 1 .*： → :",
    "x ＝ ３": "＝ → =  ３ → 3",
    "print(“hi”)": '“ → "  ” → "',
    'print("hi”)': "line 1 .* the full-width quote ” on one side",
    "x =　3": "a full-width space",
    "x = 1\u200b": "an invisible character U\\+200B",
    "x = 😀": "the sign 😀",
    "if x:\n\ty = 1\n        z = 2": "line 3 .z = 2. is indented with tabs",
    "y = 1\nfor x in y\n    pass": "line 2 .for x in y. needs a colon",
    "if x:\n    pass\nelse if y:\n    pass": "line 3 .* writes elif",
    "if obs.trump = 3:\n    pass": "line 1 .* write ==",
    "if a == 1 or b = 2:\n    pass": "line 1 .* write ==",
    "3 = x": "on the left of =",
    "def f():\n    return max(1, 2\n\n\nclass A:\n    pass": "bracket \\( in line 2 .return max",
    "x = (1, 2]": "there is \\] where \\)",
    "x = 1)": "closes nothing",
    "x = 1\n    y = 2": "line 2 .y = 2. is indented too far",
    "class A:\n    x = 1\n   y = 2": "line 3 .y = 2. begins at a place",
    "x = 1\ndef f():\nreturn 1": "After line 2 .def f\\(\\):.",
    "print x": "print needs brackets",
    "x = 'abc": "a quote without its partner",
    "return 1": "return stands inside functions",
    "break": "break stands inside loops",
    "class = 3": "class is a word of Python's own",
    "if a && b:\n    pass": "writes and, not &&",
    "x++": "writes \\+= 1, not \\+\\+",
    "2nd = 1": "cannot begin with a digit",
    "x = 07": "write 7, not 07",
    "f(a=1, 2)": "comes after what has none",
    "else:\n    pass": "else has nothing to belong to",
    "x = 3 4": "line 1 .x = 3 4., near “4”",
}


SIGNS = sorted(sign for sign in PUNCTUATION if not sign.isalnum())


@pytest.mark.parametrize(("source", "words"), SLIPS.items())
def test_a_sentence_names_the_line_and_what_to_do(source: str, words: str) -> None:
    assert re.search(words, explain(source), re.IGNORECASE)
    for language in LANGUAGES:
        assert "\n" not in explain(source, language)
        assert "{" not in explain(source, language)


def test_the_sentence_is_in_the_language_asked_for() -> None:
    assert explain("print（x）", "zh-Hant").startswith(
        "第 1 行（print（x））有 Python 不認得的全形符號"
    )
    assert "全角符号" in explain("print（x）", "zh-Hans")


@given(st.sampled_from(SIGNS), st.sampled_from(["x {} y", "f{}1", "if x{}\n    y"]))
def test_each_sign_of_a_chinese_keyboard_is_named_with_what_python_knows(
    sign: str, frame: str
) -> None:
    source = "z = 0\n" + frame.format(sign)
    if read(source):
        sentence = explain(source)
        assert f"{sign} → {PUNCTUATION[sign]}" in sentence or "quote" in sentence
        assert "line 2" in sentence.lower()


@pytest.mark.parametrize("blank", sorted(BLANKS))
def test_a_space_that_is_none_is_named(blank: str) -> None:
    assert "press the space bar" in explain(f"x ={blank}3")


def test_signs_in_strings_and_comments_are_left_alone() -> None:
    assert "（" not in explain('print("（", "：") 3  # ，').partition("near")[2]
    assert "full-width" not in explain('x = "（" 3  # ，')


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")))
def test_whatever_is_written_gets_one_sentence(source: str) -> None:
    if error := read(source):
        for language in LANGUAGES:
            sentence = explain(source, language)
            kinds = set(map(unicodedata.category, sentence))
            assert kinds.isdisjoint(
                ["Cc", "Cs", "Zl", "Zp"]
            )  # control, half a character, line ends
            assert explain_syntax(error).sentence(language)
