"""All of Unicode, at each place where the words of an entry enter: none of it is taken as it is."""

import json
import pickle
import re
from typing import Any
from unicodedata import category

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lanes import some

from coursekit.core.errors import LocalizedError
from coursekit.games.wikipedia import Options, Wikipedia
from coursekit.league.entry_process import Entry, answer_line
from coursekit.league.referee import read_action, read_error
from coursekit.league.sandbox import Sandbox
from coursekit.league.standing_page import render_standing, tabulate
from coursekit.league.tournament import Fixture, League, Outcome
from coursekit.words.texts import LANGUAGES, make_line, make_printable

GAME = Wikipedia(2, Options(points_to_win=2))
EVERYTHING = st.text(st.characters(exclude_categories=()), max_size=60)
PLACES = "strategy line code error kind reason method seconds share names why action".split()
HOSTILE = [
    "\ud800",
    "\x1b[2J",
    "\u202e\u2066x",
    "\u200b\u3164\U000e0041",
    "a\nb\r\u2028",
    "{x}{0}%s",
]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | EVERYTHING | st.just("x" * 9000),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(EVERYTHING, inner, max_size=4),
    max_leaves=12,
)


def is_readable(words: str) -> bool:
    """Return whether *words* is one line in which each character is seen, or joins others.

    Where Unicode keeps places for more emoji and Chinese characters, newer ones may be.
    """
    words.encode()
    known = re.sub("[\u180e\u200c\u200d\U0001f000-\U0001faff\U00020000-\U0003fffd]", "", words)
    kinds = set(map(category, known))
    return not kinds & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def examples(test: Any) -> Any:
    for words in HOSTILE:
        test = example(words)(test)
    return settings(max_examples=some(200))(test)


@examples
@given(EVERYTHING)
def test_a_line_can_be_read_wherever_it_is_shown(words: str) -> None:
    line = make_line(words, 50)
    assert is_readable(line)
    assert len(line) <= 50
    assert make_line(line, 50) == line
    assert make_printable(make_printable(words)) == make_printable(words)


@examples
@given(EVERYTHING)
def test_whatever_an_entry_says_comes_out_of_the_wire_as_a_line(words: str) -> None:
    entry = Entry(GAME)
    entry.load(
        "from coursekit.core.strategy import AtRandom\nclass Mine(AtRandom):\n"
        "    def write(self, obs): pass\n"
        f"    def __init__(self, *how): raise ValueError({words!a})  # {words!r}\n",
        make_line(words) + ".py",
    )
    line = json.dumps({"do": "sit", "seat": 0, "seed": "1"}).encode()
    answer = json.loads(answer_line(entry, line))
    assert "ValueError" in answer["error"]["values"]["error"]
    error = read_error(answer["error"])
    assert error.text.startswith("strategy.raised")
    assert all(is_readable(error.sentence(language)) for language in LANGUAGES)


@settings(max_examples=some(300))
@given(
    text=st.sampled_from(
        [
            "strategy.raised",
            "strategy.stopped",
            "stopped.often",
            "league.syntax",
            "league.died",
            "league.nonsense",
            "strategy.illegal",
            "seat.table",
        ]
    )
    | EVERYTHING,
    values=st.lists(JSON, min_size=len(PLACES), max_size=len(PLACES)),
)
@example("league.died", ["ann.py"] * len(PLACES))
@example("strategy.raised", ["x" * 9000] * len(PLACES))
def test_no_message_of_an_entry_is_more_than_a_reason(text: str, values: list[Any]) -> None:
    for message in (*values, {"text": text, "values": dict(zip(PLACES, values, strict=True))}):
        error = read_error(message)
        for language in LANGUAGES:
            sentence = error.sentence(language)
            assert is_readable(sentence)
            assert len(sentence) < 2500
        assert error.text.startswith(("strategy.", "stopped.", "league.syntax", "league.nonsense"))


@settings(max_examples=some(300))
@given(JSON)
def test_an_action_is_plain_or_none(answer: Any) -> None:
    try:
        action = read_action(answer)
    except LocalizedError:
        return
    json.dumps(action, ensure_ascii=False).encode()
    assert pickle.loads(pickle.dumps(action)) == action or "nan" in repr(action)


def test_an_action_nested_deeper_than_any_game_has_is_none() -> None:
    with pytest.raises(LocalizedError, match="no action"):
        read_action(json.loads("[" * 300 + "]" * 300))


@examples
@given(EVERYTHING)
def test_a_page_and_its_numbers_hold_any_name_and_any_reason(words: str) -> None:
    name = make_line(words) or "x"
    league = League(GAME, "s", "t", [name, "bob.py"], [name, "Good"], Sandbox(), 1, 60.0, 10.0)
    reason = read_error(
        {
            "text": "strategy.raised",
            "values": dict.fromkeys(("strategy", "line", "code", "error"), words),
        }
    )
    league.outcomes = [Outcome(Fixture(0, "d", (0, 1)), {}, 0, reason)]
    league.left_out = {name: reason}
    for language in LANGUAGES:
        page = render_standing(league, language, over=True)
        assert is_readable(page.replace("\n", ""))
        assert "<script" not in page
    for row in tabulate(league, "en").rows:
        assert is_readable("".join(map(str, row)))
