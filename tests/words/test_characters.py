"""Names, labels and words can be seen, at every place that takes one; joiners do their work."""

import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from cells import Browser
from classroom import Classroom
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from lanes import some

from coursekit.arena import duplicate
from coursekit.core.errors import LocalizedError
from coursekit.core.match import Match
from coursekit.core.strategy import AtRandom
from coursekit.files.csvfile import Upload
from coursekit.files.file_names import file_name
from coursekit.games.knitwit.rules.lexicon import load_tags
from coursekit.games.wizard import Wizard
from coursekit.journal import writer_groups
from coursekit.journal.journal import Journal
from coursekit.league.entry_files import find_entries, unused_name
from coursekit.maps.mindmap import MindMap
from coursekit.reflect.handin_cell import HandIn
from coursekit.room.answers import read_form as read_choices
from coursekit.room.class_list import read_class_list
from coursekit.room.map_words import is_listed
from coursekit.room.names import check_name, has_listed_word, skeleton
from coursekit.table.setup_form import read_form
from coursekit.words.characters import drawn_part, is_visible, unseen_places
from coursekit.words.texts import LANGUAGES, make_line

EVERYTHING = st.text(st.characters(), max_size=12)
IGNORABLE = [
    *"\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180e\u180f\u3164\ufeff\uffa0",
    *map(chr, [*range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070)]),
    *map(chr, [*range(0xFE00, 0xFE10), *range(0xFFF0, 0xFFF9), *range(0x1BCA0, 0x1BCA4)]),
    *map(chr, [*range(0x1D173, 0x1D17B), *range(0xE0000, 0xE1000)]),
]
"""Default_Ignorable_Code_Point of Unicode's DerivedCoreProperties.txt, whole."""
BLANKS = [*"\u2800\ufffc\U00016fe4\U0001d159\U00013441\U00013442"]
UNSEEN = st.text(
    st.characters(categories=["M", "Cf", "Zs"]) | st.sampled_from(IGNORABLE + BLANKS), min_size=1
).filter(str.strip)
LETTERS = st.characters(categories=["L", "N", "P", "S"], exclude_characters=[*IGNORABLE, *BLANKS])
JOINED = [
    "نازنین\u200cزهرا",
    "می\u200cخواهم",
    "👨\u200d👩\u200d👧",
    "👩🏽\u200d🚀",
    "🏳\ufe0f\u200d🌈",
    "🙂\u200d↔\ufe0f",
    "1\ufe0f\u20e3",
    "❤\ufe0f",
    "葛\U000e0100",
    "ශ්\u200dරී",
    "ന്\u200d",
    "ᠰᠠᠷ\u180eᠠ",
    "🏴\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f",
    "\U0001fae9",  # an emoji of Unicode 16
]
AMISS = [
    "\u200dAnn",
    "Ann\u200c",
    "A\u200d\u200dn",
    "Ann \u200d",
    "\ufe0fAnn",
    "A\u200bn",
    "A\u00adn",
    "A\u202en",
    "A\U000e0067n",
    "A\u3164n",
    "A\ufffcn",
    "A\ue000n",
    "A\ufffen",
    "\u0378A",
]


def test_what_is_drawn_is_told_of_every_character() -> None:
    """One is visible if it is a letter, a number, punctuation or a sign, but for known blanks."""
    blank = {*IGNORABLE, *BLANKS}
    for code in range(0x110000):
        letter, category = chr(code), unicodedata.category(chr(code))
        if category != "Cn" and unicodedata.unidata_version == "14.0.0":
            assert is_visible(letter) == (category[0] in "LNPS" and letter not in blank), hex(code)
        elif letter in blank:
            assert not is_visible(letter), hex(code)


@pytest.mark.parametrize("name", JOINED)
def test_joiners_between_letters_and_emoji_are_taken_and_shown(name: str) -> None:
    assert check_name(name, []) == unicodedata.normalize("NFC", name)
    assert make_line(name) == name
    bare = drawn_part(name)
    if bare != name:
        with pytest.raises(LocalizedError, match="looks the same"):
            check_name(bare, [name])
    (entry,) = read_class_list(f"x {name}")
    assert entry.label == f"x {unicodedata.normalize('NFC', name)}"
    assert file_name(name, "html") == f"{unicodedata.normalize('NFC', name)}.html"


@pytest.mark.parametrize("name", AMISS)
def test_what_nobody_sees_between_letters_is_named(name: str) -> None:
    with pytest.raises(LocalizedError) as error:
        check_name(name, [])
    (place,) = list(unseen_places(name))[:1]
    for language in LANGUAGES:
        assert f"U+{ord(name[place]):04X}" in error.value.sentence(language)


# Every place


def _join(name: str) -> None:
    (answer,) = Classroom().phone().send("join", name=name)
    assert answer["type"] == "refused"
    raise ValueError(answer["text"])


def _order(kind: str, **message: str) -> None:
    classroom = Classroom()
    classroom.joined("Ann")
    answer, *_ = classroom.order(kind, **({"person": 1} if kind == "rename" else {}), **message)
    assert answer["type"] == "refused"
    raise ValueError(answer["text"])


def _seat(name: str) -> None:
    seats = [{"by": "person", "name": name}, {"by": "person"}, {"by": "person"}]
    read_form(Wizard, [AtRandom], 3, seats, {}, "")


def _link(phrase: str) -> None:
    mind_map = MindMap()
    relation = mind_map.link(mind_map.add("a"), phrase, mind_map.add("b"))
    if not mind_map.relations[relation].phrase:
        raise ValueError("it counts as missing")


def _hand_in(name: str) -> None:
    browser = Browser(HandIn("en", game="wizard"))
    browser.say(type="give", form="markdown", game="wizard", name=name)
    assert [answer["type"] for answer in browser.got] == ["refused"]
    raise ValueError(browser.got[0]["text"])


def _play(name: str) -> None:
    kind = type("Mine", (AtRandom,), {})
    kind.__name__ = name
    duplicate(Wizard(3), [kind, AtRandom], deals=1)


def _write(column: str, name: str) -> bytes:
    return f'{column}\n"{name}"\nsun\nmoon\n'.encode()


def _list(name: str) -> None:
    entries = read_class_list(f"Ann\n{name}\nBob\nCy")
    if [entry.label for entry in entries] == ["Ann", "Bob", "Cy"]:
        raise ValueError("such a line counts as empty")


PLACES: dict[str, Callable[[str], object]] = {
    "a pupil's name": lambda name: check_name(name, []),
    "a pupil's name on the phone": _join,
    "a pupil's name on the console": lambda name: _order("rename", name=name),
    "a line of a class list": _list,
    "a player": lambda name: Match(Wizard(3), names=[name]),
    "a player in the form": _seat,
    "a concept": lambda name: MindMap().add(name),
    "a linking phrase": _link,
    "a tag of Knit Wit": lambda name: load_tags(Upload("t.csv", _write("zh", name))),
    "a strategy": _play,
    "a writer's file": _hand_in,
    "a question": lambda name: _order("ask", words=name, own=True),
    "a choice": lambda name: read_choices({"kind": "choice", "choices": f"{name}\nyes"}),
}


@pytest.mark.parametrize("place", PLACES)
@settings(max_examples=some(100), deadline=None)
@given(name=UNSEEN.map(lambda name: name[:12]).filter(str.strip))
def test_a_name_that_nobody_sees_is_refused_at_every_place(place: str, name: str) -> None:
    with pytest.raises((ValueError, LocalizedError)) as error:
        PLACES[place](name)
    assert not isinstance(error.value, UnicodeError)


@settings(max_examples=some(100), deadline=None)
@given(name=UNSEEN)
def test_a_group_and_a_judge_that_nobody_sees_are_refused(
    name: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    journal = Journal(tmp_path_factory.getbasetemp() / "journal.json")
    for write in (
        lambda: writer_groups.add(journal, name[:12]),
        lambda: journal.judge("a/b", name[:12], "r1", "yes", ""),
    ):
        with pytest.raises(LocalizedError):
            write()


def test_a_seat_number_may_be_an_emoji() -> None:
    assert [entry.label for entry in read_class_list("1\ufe0f\u20e3\n2\ufe0f\u20e3 Ann")] == [
        "1",
        "2 Ann",
    ]


@settings(max_examples=some(200))
@given(name=UNSEEN)
def test_a_word_that_nobody_sees_is_in_no_name_and_makes_no_file_name(name: str) -> None:
    assert not has_listed_word("Ann", [name])
    assert not is_listed("Ann", (name,))
    assert file_name(name, "html") == "coursekit.html"
    assert is_visible(make_line(name)) or not name.strip()


@settings(max_examples=some(300))
@given(
    name=EVERYTHING,
    joiners=st.text("\u200c\u200d\ufe0f\u180e", min_size=1, max_size=3),
    data=st.data(),
)
def test_names_that_differ_only_by_joiners_are_one_name(
    name: str, joiners: str, data: st.DataObject
) -> None:
    assume(is_visible(name))
    place = data.draw(st.integers(0, len(name)))
    joined = name[:place] + joiners + name[place:]
    assert skeleton(joined) == skeleton(name)
    assert drawn_part(joined) == drawn_part(name)
    assert unused_name(joined, {name}) != joined
    mind_map = MindMap()
    mind_map.add(name)
    with pytest.raises(LocalizedError):
        mind_map.add(joined)


@settings(max_examples=some(300))
@given(before=UNSEEN, letter=LETTERS, after=UNSEEN)
def test_one_letter_makes_a_name_visible(before: str, letter: str, after: str) -> None:
    assert is_visible(before + letter + after)


def test_folders_of_a_league_that_nobody_sees_have_names_to_see(tmp_path: Path) -> None:
    for name in ("\u3164", "\u0301", "\u200d"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "s.py").write_text("x = 1\n")
    assert sorted(find_entries(tmp_path).paths) == [r"\u0301", r"\u200d", r"\u3164"]
