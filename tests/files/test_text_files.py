"""Files as people and programs save them: the same words, whatever stands around them."""

import codecs
import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coursekit.core.errors import FileError
from coursekit.core.match import Match
from coursekit.files.csvfile import Upload
from coursekit.files.record_sources import read_records
from coursekit.files.text_files import (
    EncodingError,
    NotTextError,
    decode,
    is_counted,
    split_rows,
    without_numbers,
)
from coursekit.games.knitwit.rules.lexicon import load_lexicon, load_tags, own_words
from coursekit.games.wizard import Wizard
from coursekit.journal.journal_file import parse_journal
from coursekit.maps.file_reader import MapFileError, read_map
from coursekit.words.texts import LANGUAGES

WORDS = (
    "蘋果 香蕉 太陽 月亮 學校 老師 鉛筆 書包 下雨 颱風 海邊 山上 朋友 家人 生日 禮物 火車".split()
)
BLANKS = ("", " ", "\u3000", "\u200b", "\ufeff", "\u2060\u00a0")
ENDS = ("\n", "\r\n", "\r")
MARKS = (",", ";", "\t")
ENCODERS: dict[str, Callable[[str], bytes]] = {
    "plain": str.encode,
    "mark": lambda words: codecs.BOM_UTF8 + words.encode(),
    "two marks": lambda words: 2 * codecs.BOM_UTF8 + words.encode(),
    "utf-16-le": lambda words: codecs.BOM_UTF16_LE + words.encode("utf-16-le"),
    "utf-16-be": lambda words: codecs.BOM_UTF16_BE + words.encode("utf-16-be"),
    "utf-16 bare": lambda words: words.encode("utf-16-le"),
    "utf-16-be bare": lambda words: words.encode("utf-16-be"),
    "utf-32": lambda words: words.encode("utf-32"),
}
KINDS = {
    "Excel": b"PK\x03\x04\x14\0 [Content_Types].xml xl/workbook.xml",
    "an Excel": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "Workbook".encode("utf-16-le"),
    "OpenDocument": b"PK\x03\x04 mimetypeapplication/vnd.oasis.opendocument.spreadsheet",
    "Word": b"PK\x03\x04\x14\0 [Content_Types].xml word/document.xml",
    "a Word": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "WordDocument".encode("utf-16-le"),
    "PDF": b"%PDF-1.4\n%\xe2\xe3",
    "picture": b"\x89PNG\r\n\x1a\n",
}
"""What the English sentence names, and how such a file begins."""


@st.composite
def saved(draw: st.DrawFn, titled: bool) -> bytes:
    """Return WORDS as a file with the decorations of some program."""
    mark, end = draw(st.sampled_from(MARKS)), draw(st.sampled_from(ENDS))
    quote = '"' if draw(st.booleans()) else ""
    blank = st.sampled_from(BLANKS)
    cells = [f"{quote}{draw(blank)}{word}{draw(blank)}{quote}" for word in WORDS]
    if titled:
        title = draw(st.sampled_from(["zh", "ZH", " 中文 ", '"zh"', "詞"]))
        # Names in Chinese below the name of a sheet could be words of a list.
        sheets = ["", "表格 1"] if "zh" in title.casefold() else [""]
        cells = [*filter(None, [draw(st.sampled_from(sheets))]), title, *cells]
    if counted := draw(st.booleans()):
        below = len(cells) - len(WORDS)
        first = ["" if cell == "表格 1" else "編號" for cell in cells[:below]]
        numbers = [*first, *map(str, range(1, len(WORDS) + 1))]
        cells = [
            cell if cell == "表格 1" else f"{number}{mark}{cell}"
            for number, cell in zip(numbers, cells, strict=True)
        ]
    if draw(st.booleans()):
        cells.insert(0, f"sep={mark}" if counted or draw(st.booleans()) else "sep=")
    lines = []
    for cell in cells:
        lines += [cell + draw(st.sampled_from(["", mark]))]
        lines += draw(st.lists(st.sampled_from(["", " ", "\u200b"]), max_size=1))
    if draw(st.booleans()) and not lines[0].startswith("sep="):
        lines.insert(0, "")
    return ENCODERS[draw(st.sampled_from(list(ENCODERS)))](end.join(lines) + end)


@given(saved(titled=True))
def test_a_titled_list_has_the_same_words_however_it_was_saved(data: bytes) -> None:
    assert [tag.zh for tag in load_tags(Upload("list.csv", data))] == WORDS


@given(saved(titled=False))
def test_a_plain_list_has_its_first_word_however_it_was_saved(data: bytes) -> None:
    assert [tag.zh for tag in load_tags(Upload("list.csv", data))] == WORDS


@given(st.sampled_from(list(ENCODERS)), st.sampled_from(ENDS), st.sampled_from(MARKS))
def test_maps_and_words_with_tags_are_read_alike(encoder: str, end: str, mark: str) -> None:
    encode = ENCODERS[encoder]
    lines = [f"sep={mark}", "", f"太陽{mark}曬乾{mark}雨\u200b", f"雨{mark}澆{mark}花"]
    drawn = read_map(encode(end.join(lines)), "map.csv")
    assert [concept.label for concept in drawn.concepts.values()] == ["太陽", "雨", "花"]
    tags = load_tags(Upload("list.txt", encode(end.join(WORDS))))
    lines = [f"sep={mark}", f"鳳梨{mark}蘋果、香蕉", f"星星{mark}月亮"]
    known = load_lexicon(Upload("words.csv", encode(end.join(lines))), tags)
    assert [(entry.zh, sorted(entry.tags)) for entry in known] == [("鳳梨", [0, 1]), ("星星", [3])]


@pytest.mark.parametrize("encoder", ENCODERS)
def test_marks_of_the_encoding_are_no_part_of_a_text(encoder: str) -> None:
    assert decode(ENCODERS[encoder]("蘋果,紅\n")) == "蘋果,紅\n"


@pytest.mark.parametrize("encoder", ENCODERS)
def test_records_and_journals_are_read_alike(encoder: str) -> None:
    encode = ENCODERS[encoder]
    record = Match(Wizard(3), "alike").record()
    found = read_records([("a.json", encode(record.dumps()))], "wizard")
    assert [match.record() for match in found.matches] == [record]
    journal = {"journal": 1, "answers": {}}
    assert parse_journal(encode(json.dumps(journal))) == journal


@pytest.mark.parametrize(("named", "data"), KINDS.items())
def test_every_reader_names_what_is_no_text(named: str, data: bytes) -> None:
    with pytest.raises(NotTextError):
        decode(data)
    with pytest.raises(MapFileError) as of_map:
        read_map(data, "mine.csv")
    with pytest.raises(FileError) as of_words:
        own_words(Upload("mine.csv", data))
    (of_record,) = read_records([("mine.csv", data)], "wizard").refused
    for error in (of_map.value, of_words.value, of_record):
        assert named in error.sentence("en")
        assert "mine.csv" in error.sentence("en")
        assert len({error.sentence(language) for language in LANGUAGES}) == 3


@pytest.mark.parametrize("ending", ["xlsx", "pdf", "docx"])
def test_a_map_in_another_kind_of_file_is_named_by_what_it_is(ending: str) -> None:
    with pytest.raises(MapFileError) as caught:
        read_map(KINDS["Excel"], f"map.{ending}")
    assert "Excel" in caught.value.sentence("en")


def test_what_cannot_be_decoded_has_its_line() -> None:
    for end in ENDS:
        data = end.join(["zh", "蘋果", "香蕉"])
        for wrong in (data.encode("big5"), data.encode("utf-16")[:-1]):
            with pytest.raises(EncodingError) as caught:
                decode(wrong)
            assert caught.value.values["line"] in (2, 3)


def test_words_of_a_list_may_be_names_of_columns() -> None:
    subjects = ["中文", "英文", *WORDS]
    tags = load_tags(Upload("subjects.txt", "\n".join(subjects).encode()))
    assert [tag.zh for tag in tags] == subjects


def test_a_plain_list_in_two_languages_is_read_in_both() -> None:
    lines = [f"{word},word{chr(97 + number)}" for number, word in enumerate(WORDS)]
    tags = load_tags(Upload("two.csv", "\n".join(lines).encode()))
    assert (tags[1].zh, tags[1].en) == ("香蕉", "wordb")


def test_numbers_of_a_pasted_list_are_no_part_of_its_words() -> None:
    for lines in (
        [f"{number}. {word}" for number, word in enumerate(WORDS, 1)],
        [f"{number}、{word}" for number, word in enumerate(WORDS, 1)],
        [f"• {word}" for word in WORDS],
    ):
        tags = load_tags(Upload("list.txt", "\n".join(lines).encode()))
        assert [tag.zh for tag in tags] == WORDS
    assert without_numbers(["7-11", "8. x"]) == ["7-11", "8. x"]
    assert not is_counted(["3", "1"])


def test_a_row_keeps_the_line_on_which_it_stands() -> None:
    rows = split_rows('sep=;\r\n\r\na;"b\r\nc"\r\n\r\nd;e\r\n')
    assert [(row.line, row.cells) for row in rows] == [(3, ["a", "b\r\nc"]), (6, ["d", "e"])]
