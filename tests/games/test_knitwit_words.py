"""Tags, lexicon, set-up table, and the files of words that a class can bring."""

import csv
from collections import Counter
from hashlib import sha256
from importlib.resources import files

import pytest

from coursekit.core.errors import FileError, OptionError
from coursekit.files.csvfile import LARGEST_CSV, PROBLEMS_TOLD
from coursekit.games.knitwit import KnitWit, Options
from coursekit.games.knitwit.rules import lexicon as module
from coursekit.games.knitwit.rules.answers import content_words, stem
from coursekit.games.knitwit.rules.lexicon import (
    DATA,
    FEWEST,
    Entry,
    Tag,
    load_lexicon,
    load_setups,
    load_tags,
    own_words,
    standard_pack,
)
from coursekit.words.normalise import (
    SINGULAR,
    are_near,
    load_simplified_table,
    normalise,
    variant_table,
)
from coursekit.words.texts import LANGUAGES

TAGS = [f"字卡{letter}的,word{letter}" for letter in "甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳"]


@pytest.fixture
def write(tmp_path):
    def write(*rows, header="zh,en", name="unit5.csv"):
        path = tmp_path / name
        path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
        return path

    return write


def wrong(load, *arguments):
    """Return the error of a file, told in every language, with its place in all of them."""
    with pytest.raises(FileError) as caught:
        load(*arguments)
    for language in LANGUAGES:
        sentence = caught.value.sentence(language)
        for value in (caught.value.values["file"], caught.value.values.get("line", "")):
            assert str(value) in sentence
    return caught.value


# The kit's own


def test_there_are_a_hundred_and_fourteen_tags_in_three_languages():
    tags = standard_pack().tags
    assert len(tags) == 114
    assert tags[0].names == {"zh-Hant": "紅色的", "en": "red", "zh-Hans": "红色的"}
    assert all(all(tag) for tag in tags)
    assert len({stem(tag.zh) for tag in tags}) == len({tag.en for tag in tags}) == 114
    assert all(content_words(tag.en) for tag in tags)


def test_every_number_of_players_has_its_loops_and_buttons():
    standard_table = load_setups()["standard"]
    assert {players: row.loops for players, row in standard_table.items()} == {
        2: 6,
        3: 6,
        4: 8,
        5: 5,
        6: 6,
        7: 7,
        8: 8,
    }
    for table in load_setups().values():
        for players, row in table.items():
            assert len(row.buttons) == min(4, players - 1)  # whoever finishes last gets none
            assert len(row.buttons) < players
    assert load_setups()["six"][5].loops == 6


def test_words_that_are_called_otherwise_elsewhere_are_known():
    assert normalise("出租車") in standard_pack().same[normalise("計程車")]
    assert normalise("計程車") in standard_pack().same[normalise("出租車")]
    assert normalise("TV ") in standard_pack().same[normalise("电视")]


def test_the_lexicon_fits_its_tags():
    pack = standard_pack()
    count = Counter(tag for entry in pack.lexicon for tag in entry.tags)
    assert len(pack.lexicon) >= 800
    assert not [pack.tags[tag].zh for tag in range(114) if count[tag] < 15]
    assert len({normalise(entry.zh) for entry in pack.lexicon}) == len(pack.lexicon)
    for entry in pack.lexicon:
        assert entry.tags
        assert all(normalise(entry.zh) != stem(pack.tags[tag].zh) for tag in entry.tags)


# A class's own


def test_a_class_plays_with_its_own_tags(write):
    name = own_words(write(*TAGS))
    game = KnitWit(3, Options(words=name))
    assert [tag.en for tag in game.pack.tags][:2] == ["word甲", "word乙"]
    assert game.word("tag", 0)[1]["name"]["zh-Hant"] == "字卡甲的"
    assert own_words(write(*TAGS, name="other.csv")) == name  # the same words, by another name
    assert own_words(write(*TAGS[::-1])) != name


def test_english_and_simplified_words_may_be_left_out(write):
    tags = load_tags(write(*[f"紅{n}的" for n in range(16)], header="zh"))
    assert tags[0] == ("紅0的", "紅0的", "红0的")


@pytest.mark.parametrize(
    ("cell", "fits"),
    [
        ("word甲;in the sky", {0, 16}),
        ("in the sky; 字卡甲的;", {0, 16}),
        ("in the sky", {16}),
        ("word甲；in-the-sky", {0, 16}),
        ("字卡甲的、在天上", {0, 16}),
        ("字卡甲，字卡乙的", {0, 1}),
        ("Word甲, In The Sky", {0, 16}),
        ("word甲 word乙", {0, 1}),
    ],
)
def test_tags_of_several_words_stand_between_semicolons(write, cell, fits):
    tags = (*load_tags(write(*TAGS)), Tag("在天上的", "in the sky", "在天上的"))
    (lexicon,) = load_lexicon(write(f'海鷗,"{cell}"', header="zh,tags", name="lexicon.csv"), tags)
    assert lexicon.tags == fits


@pytest.mark.parametrize("header", ["中文,英文", "ZH,EN", "zh,English"])
def test_a_class_names_its_columns_as_it_likes(write, header):
    tags = load_tags(write(*TAGS, header=header))
    assert tags == load_tags(write(*TAGS))
    (word,) = load_lexicon(
        write("貓,cat,字卡甲的", header=f"{header},字卡", name="lexicon.csv"), tags
    )
    assert word == Entry("貓", "cat", frozenset({0}))


@pytest.mark.parametrize("column", ["also", "也行"])
def test_what_a_word_may_fit_stands_in_a_column_of_its_own(write, column):
    tags = load_tags(write(*TAGS))
    rows = ("貓,字卡甲的,字卡乙 字卡丙", "狗,字卡甲的,")
    cat, dog = load_lexicon(write(*rows, header=f"zh,tags,{column}", name="lexicon.csv"), tags)
    assert (cat.tags, cat.also) == ({0}, {1, 2})
    assert (dog.tags, dog.also) == ({0}, set())


def test_records_tell_words_apart_by_what_they_may_fit(write):
    """A file that leaves the column empty has the mark of one without it, and opens the same
    records.
    """
    rows = [
        ("zh,tags", "貓,字卡甲"),
        ("zh,tags,also", "貓,字卡甲,"),
        ("zh,also,tags", "貓,字卡乙,字卡甲"),
    ]
    loaded = [
        own_words(write(*TAGS), write(row, header=header, name=f"{number}.csv"))
        for number, (header, row) in enumerate(rows)
    ]
    plain, empty, more = (value.rpartition("#")[2] for value in loaded)
    assert plain == empty != more


def test_tags_in_english_alone_are_tags(write):
    tags = load_tags(write(*[f"topic {letter}" for letter in "abcdefghijklmnop"], header="en"))
    assert tags[1].names == dict.fromkeys(LANGUAGES, "topic b")
    assert (
        wrong(load_tags, write(*[f"topic {n}" for n in range(15)], "Topics 3", header="en")).text
        == "data.twice"
    )
    (word,) = load_lexicon(write("cat,topic a;topic b", header="en,tags", name="lexicon.csv"), tags)
    assert word == Entry("cat", "cat", frozenset({0, 1}))


def test_which_words_mean_the_same_is_known_with_tags_of_a_class_too(write):
    pack = KnitWit(
        3,
        Options(
            words=own_words(
                write(*TAGS), write("鯨,leviathan,字卡甲的", header="zh,en,tags", name="l.csv")
            )
        ),
    ).pack
    for one, other in (
        ("電視", "television"),
        ("鳳梨", "菠蘿"),
        ("電視", "TV"),
        ("鯨", "leviathan"),
    ):
        assert are_near(normalise(one), normalise(other), pack.same)


def test_a_class_brings_words_for_the_strategies(write):
    tags = load_tags(write(*TAGS))
    lexicon = load_lexicon(
        write("貓,cat,字卡甲的 word乙", "狗,,word甲", header="zh,en,tags", name="lexicon.csv"), tags
    )
    assert [(entry.zh, entry.en, sorted(entry.tags)) for entry in lexicon] == [
        ("貓", "cat", [0, 1]),
        ("狗", "狗", [0]),
    ]


@pytest.mark.parametrize(
    ("rows", "header", "text", "line"),
    [
        (["紅色的,red,x"], "zh,en", "data.cells", 2),
        ([",red"], "zh,en", "data.needed", 2),
        (["紅色的,red", "", "红色的,crimson"], "zh,en", "data.twice", 4),
        (["紅色的,red", "綠色的,Reds"], "zh,en", "data.twice", 3),
        (["一二三四五六七八九,red"], "zh,en", "data.long", 2),
        (["紅\u00ad色的,red"], "zh,en", "data.hidden", 2),
        (["紅\u3164色,red"], "zh,en", "data.hidden", 2),
        (["的的,red", "！,x"], "zh,en", "data.no_word", 3),
        (['"紅色的,red'], "zh,en", "data.quotes", 2),
        (["紅色的,rot"], "zh,deutsch", "data.unknown", 1),
        (["红色的"], "zh_hans", "data.missing", 1),
        (["紅色的,rot,kräftig"], "中,德,註", "data.no_titles", 1),
        (["red"], "en", "data.few", None),
        (["紅色的"], "en,zh", "data.few", None),
        (["red,", "blue,藍色的"], "en,zh", "data.needed", 2),
        (["紅色的,紅"], "zh,zh", "data.column_twice", 1),
        ([], "zh,en", "data.no_lines", None),
        (["紅色的,red"], "zh,en", "data.few", None),
        ([], "", "data.empty", None),
    ],
)
def test_a_bad_row_is_told_by_file_line_and_column(write, rows, header, text, line):
    error = wrong(load_tags, write(*rows, header=header))
    assert (error.text, error.values.get("line")) == (text, line)


def test_a_file_that_is_no_text_is_refused(tmp_path):
    for name, content, text in (
        ("big5.csv", "zh\n紅色的\n".encode("big5"), "data.encoding"),
        ("book.csv", b"PK\x03\x04 xl/workbook.xml", "data.workbook"),
        ("large.csv", b"zh\n" + b"x" * LARGEST_CSV, "data.large"),
    ):
        (tmp_path / name).write_bytes(content)
        assert wrong(load_tags, tmp_path / name).text == text
    assert wrong(load_tags, tmp_path / "nobody.csv").text == "data.unreadable"


def test_several_problems_are_told_line_by_line_and_nothing_is_loaded(write):
    error = wrong(load_tags, write(*[f",word{n}" for n in range(15)]))
    assert error.values["count"] == 15
    assert [each.values["line"] for each in error.problems] == list(range(2, 2 + PROBLEMS_TOLD))


def test_a_file_of_excel_with_a_mark_at_its_start_is_read(tmp_path):
    path = tmp_path / "excel.csv"
    path.write_bytes(("\ufeff" + "\r\n".join(["zh,en", *TAGS])).encode("utf-8"))
    assert len(load_tags(path)) == FEWEST


@pytest.mark.parametrize(
    ("row", "text"),
    [
        ("貓,cat,字卡甲的 毛茸茸的", "data.no_tag"),
        ("貓,cat,字卡甲的 word甲", "data.tag_twice"),
        ("貓,cat,", "data.needed"),
    ],
)
def test_a_word_with_unknown_or_no_tags_is_refused(write, row, text):
    tags = load_tags(write(*TAGS))
    assert (
        wrong(load_lexicon, write(row, header="zh,en,tags", name="lexicon.csv"), tags).text == text
    )


@pytest.mark.parametrize(
    ("also", "text"),
    [
        ("毛茸茸的", "data.no_tag"),
        ("word乙 字卡乙", "data.tag_twice"),
        ("字卡甲", "data.tag_twice"),
    ],
)
def test_what_a_word_may_fit_is_a_tag_that_it_does_not_have_yet(write, also, text):
    file = write(f"貓,字卡甲的,{also}", header="zh,tags,also", name="lexicon.csv")
    error = wrong(load_lexicon, file, load_tags(write(*TAGS)))
    assert (error.text, error.values["field"]) == (text, "also")


@pytest.mark.parametrize(
    ("row", "text"),
    [
        ("other,9,6,2", "data.number"),
        ("other,2,6,1 2", "data.buttons"),
        ("other,2,6,5", "data.buttons"),
        ("standard,8,8,4", "data.players_twice"),
        ("other,2,6,2", "data.players_missing"),
    ],
)
def test_a_wrong_set_up_table_is_refused(tmp_path, monkeypatch, row, text):
    good = (DATA / "setup.csv").read_text(encoding="utf-8")
    (tmp_path / "setup.csv").write_text(good + row + "\n", encoding="utf-8")
    monkeypatch.setattr(module, "DATA", tmp_path)
    assert wrong(load_setups.__wrapped__).text == text


def test_words_that_were_not_loaded_here_are_refused():
    with pytest.raises(OptionError):
        KnitWit(3, Options(words="nobody.csv#0123456789ab"))


def test_the_files_of_the_kit_have_no_stray_spaces():
    for name in ("tags.csv", "same.csv", "setup.csv", "lexicon.csv"):
        with (DATA / name).open(encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file))
        assert all(cell == cell.strip() for row in rows for cell in row), name
        assert all(row[0] and row[1] for row in rows), name


def test_the_words_by_which_kept_matches_replay_are_those_of_this_version():
    """What is dealt, refused and doubted depends on them; which tags a word fits only on whoever
    plays.
    """
    pack = standard_pack()
    facts = [
        [(tag.zh, tag.en) for tag in pack.tags],
        sorted((one, sorted(others)) for one, others in pack.same.items()),
        sorted(load_simplified_table().items()),
        sorted(variant_table().items()),
        sorted(SINGULAR),
        sha256((files("coursekit.words") / "kinds.txt").read_bytes()).hexdigest(),
        load_setups(),
    ]
    mark = sha256(repr(facts).encode()).hexdigest()[:12]
    assert (KnitWit.version, mark) == (2, "f814044b45b2"), (
        "raise KnitWit.version, write the new mark here"
    )
