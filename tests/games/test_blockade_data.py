"""The facts of 文壇封鎖中 and the files of cards that a class can bring."""

import csv
import pickle
import re
from collections import Counter
from urllib.parse import urlsplit

import pytest

from coursekit.core.errors import FileError
from coursekit.files.csvfile import LARGEST_CSV, PROBLEMS_TOLD
from coursekit.games.blockade.rules import card_facts, card_files, citations
from coursekit.games.blockade.rules.card_facts import (
    ERAS,
    FORMS,
    GENRES,
    PERIODICAL_KINDS,
    in_language,
    in_languages,
    name_of_era,
    simplified,
)
from coursekit.games.blockade.rules.card_files import (
    banned_books,
    events,
    fates,
    functions,
    load_banned_books,
    load_periodicals,
    load_writers,
    periodicals,
    write_template,
    writers,
)
from coursekit.games.blockade.rules.citations import (
    KINDS,
    Source,
    cite,
    is_cited,
    list_sources,
    sources,
)
from coursekit.words.texts import LANGUAGES, game_text, load_texts

# The kit's own facts


def test_there_are_as_many_cards_as_the_rulebook_says():
    assert [len(cards()) for cards in (writers, periodicals, banned_books, events)] == [
        173,
        23,
        10,
        20,
    ]
    assert len(functions()) == 20
    assert sum(kind.copies for kind in functions()) == 117


def test_each_era_has_its_writers_and_five_events():
    assert Counter(writer.era for writer in writers()) == {1: 43, 2: 44, 3: 40, 4: 46}
    assert [sum(event.year in years for event in events()) for years in ERAS.values()] == [
        5,
        5,
        5,
        5,
    ]


def test_the_events_are_those_of_the_rulebook():
    assert [event.year for event in events()] == [
        *(1949, 1950, 1954, 1955, 1957),
        *(1960, 1962, 1964, 1966, 1968),
        *(1970, 1971, 1972, 1977, 1979),
        *(1981, 1984, 1987, 1989, 1992),
    ]


def test_every_era_is_eleven_ten_ten_and_thirteen_years():
    assert [len(years) for years in ERAS.values()] == [11, 10, 10, 13]
    assert [year for years in ERAS.values() for year in years] == list(card_facts.YEARS)


def test_each_work_lies_in_the_era_of_its_card_and_in_its_writers_life():
    for writer in writers():
        assert writer.work_year in ERAS[writer.era], writer
        assert writer.birth is not None, writer
        assert 10 <= writer.work_year - writer.birth <= 100, writer
        assert writer.death is None or writer.death >= writer.work_year or writer.note_zh, writer


def test_who_stands_on_several_cards_is_the_same_on_all():
    lives: dict[str, tuple[object, ...]] = {}
    for writer in writers():
        life = (writer.name_en, writer.birth, writer.death)
        assert lives.setdefault(writer.name_zh, life) == life


def test_no_two_cards_are_the_same():
    for cards, name in (
        (writers(), lambda card: (card.name_zh, card.work_zh)),
        (periodicals(), lambda card: card.title_zh),
        (banned_books(), lambda card: (card.title_zh, card.author_zh)),
        (functions(), lambda card: card.name_zh),
    ):
        assert (
            len({card.card_id for card in cards})
            == len({name(card) for card in cards})
            == len(cards)
        )


# Sources

COPIES = ("trantor", "hetubook", "scribd", "xuoda", "666he", "jendow", "zhishi5", "lw33")
WEAK = (
    *("github.com", "blogspot", "wordpress.com", "pixnet.net", "blog.", "podcast", "vocus.cc"),
    *("taaze.tw", "findbook", "buybook", "eslite.com", "pickbooks", "trendlitstore"),
    *("wenweipo.com", "chinadaily.com", "shine.cn", "newdu.com", ".cn/"),
)
"""Hosts to which nobody of standing answers: stores of code, diaries, shops, papers of a party."""


TOLD = {
    "en": {"weak": "weak source", "untitled": "still missing"},
    "zh-Hant": {"weak": "較弱的出處", "untitled": "待補"},
}
"""What a citation says of a source that is marked."""


def rows():
    """Return all rows of the card files."""
    return [
        *(*writers(), *periodicals(), *banned_books(), *events(), *functions()),
        *fates().values(),
    ]


def test_the_table_of_sources_is_in_form():
    with (card_facts.DATA / "sources.csv").open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    assert tuple(lines[0]) == Source._fields
    keys = [line["key"] for line in lines]
    assert keys == sorted(set(keys)), "each once, in their order"
    for line in lines:
        source = Source(**line)
        assert re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", source.key), source
        assert source.kind in KINDS, source
        assert all(cell == cell.strip() and "\n" not in cell for cell in source), source
        assert re.fullmatch(r"|(1[89]|20)\d\d", source.year), source
        assert re.fullmatch(r"|20\d\d-\d\d-\d\d", source.seen), source
        assert source.url or (source.author and source.title), source
        if source.url:
            assert re.fullmatch(r"https?://[\w.-]+\.[a-z]+/\S*", source.url), source
            assert len([other for other in lines if other["url"] == source.url]) == 1, source


def test_every_key_is_used_and_every_row_has_keys():
    used = [key for row in rows() for key in row.source.split()]
    assert set(used) == set(sources())
    for row in rows():
        assert len(set(row.source.split())) == len(row.source.split()), row


def test_what_has_no_author_of_standing_is_marked():
    for source in sources().values():
        host = urlsplit(source.url).netloc
        assert source.mark == "weak" or not any(name in f".{host}/" for name in WEAK), source
        if not (source.author or source.title):
            assert source.mark, source
        for language, marks in TOLD.items():
            (told,) = cite(source.key, language=language)
            assert {kind for kind, words in marks.items() if words in told} == (
                {source.mark} - {""}
            ), source


def test_the_page_of_sources_lists_what_is_marked():
    """A row is marked if all its sources are; it stands with the weak ones if one of them is."""
    marked = {"weak": [], "untitled": []}
    for row in rows():
        marks = {sources()[key].mark for key in row.source.split()}
        if marks and "" not in marks:
            name = getattr(row, "card_id", "") or str(getattr(row, "year", "")) or row.name_zh
            marked[max(marks)].append(name)
    page = (card_facts.DATA / "SOURCES.md").read_text(encoding="utf-8")
    section = page.partition("\n## Marked rows\n")[2].partition("\n## ")[0]
    lists = {
        kind: (int(number), re.findall("`(.+?)`", names))
        for number, kind, names in re.findall(r"^\*\*(\d+) (\w+)\*\*(.*)$", section, re.M)
    }
    assert lists == {kind: (len(names), sorted(names)) for kind, names in marked.items()}


@pytest.mark.parametrize(
    ("source", "english", "chinese"),
    [
        (
            ("國立臺灣文學館", "楊逵", "台灣文學網", "2010", "", "https://example.org/a", "record"),
            "國立臺灣文學館, “楊逵”, 台灣文學網, 2010. https://example.org/a",
            "國立臺灣文學館，〈楊逵〉，《台灣文學網》，2010。https://example.org/a",
        ),
        (
            ("", "楊逵", "", "", "2024-05-01", "https://example.org/%E7%94%B2", "record"),
            "“楊逵”. https://example.org/甲 (copy of 2024-05-01)",
            "〈楊逵〉。https://example.org/甲（2024-05-01 的存檔）",
        ),
        (
            ("Han Cheung", "A Ban", "Taipei Times", "2017", "", "https://example.org/a", "press"),
            "Han Cheung, “A Ban”, Taipei Times, 2017. https://example.org/a",
            "Han Cheung，“A Ban”，Taipei Times，2017。https://example.org/a",
        ),
        (
            ("孟瑤", "心園", "台北：暢流出版社", "1953", "", "", "publisher"),
            "孟瑤, 心園, 台北：暢流出版社, 1953",
            "孟瑤，《心園》，台北：暢流出版社，1953",
        ),
        (
            ("李敖", "《李敖回憶錄》第九章", "", "1997", "", "", "record"),
            "李敖, 《李敖回憶錄》第九章, 1997",
            "李敖，《李敖回憶錄》第九章，1997",
        ),
        (
            ("", "", "", "", "", "https://example.org/a", "record"),
            "https://example.org/a (author and title still missing)",
            "https://example.org/a（作者和篇名待補）",
        ),
    ],
)
def test_a_citation_has_what_is_known_and_no_stray_marks(monkeypatch, source, english, chinese):
    monkeypatch.setattr(citations, "sources", lambda: {"a-key": Source("a-key", *source)})
    assert cite("a-key", language="en") == [english]
    assert cite("a-key", language="zh-Hant") == [chinese]


def test_sources_are_told_once_each_and_a_class_may_write_its_own():
    first, second, *_ = sources()
    both = list_sources(f"{first} {second}", first, language="en")
    assert both == "; ".join(cite(second, first, language="en")[::-1])
    own = list_sources(
        "《國文課本》（2020）", "", "https://a.tw/x https://a.tw/%E7%94%B2", language="zh-Hant"
    )
    assert own == "《國文課本》（2020）；https://a.tw/x；https://a.tw/甲"


def test_a_card_has_a_source_or_says_that_it_is_not_verified():
    for source in sources().values():
        host = urlsplit(source.url).netloc
        if "wiki" in host:
            assert re.match(r"https://(zh|en)\.wikipedia\.org/(wiki|zh-\w+)/", source.url), (
                "a copy of Wikipedia"
            )
        assert not any(name in host for name in COPIES), (source, "a copy of a book or page")
    for cards in (writers(), periodicals(), banned_books(), events(), functions()):
        for card in cards:
            if card.verified:
                assert is_cited(card.source), card
            else:
                assert (card.source == "") == (card.verified is False), (
                    "only a doubtful row has a source"
                )


def test_only_practices_without_a_page_are_not_verified():
    cards = [*writers(), *periodicals(), *banned_books(), *events(), *functions()]
    assert [card.name_zh for card in cards if card.verified is False] == ["預支稿費"]
    assert all(event.verified for event in events())


def test_what_rests_on_a_source_that_contradicts_itself_is_doubtful():
    """The open repository taiwan-md states two years for some works."""
    unsure = {key for key, source in sources().items() if "taiwan-md" in source.url}
    for row in rows():
        if row.source and set(row.source.split()) <= unsure:
            assert row.verified is None, row


def test_each_work_of_which_two_years_were_told_has_the_year_of_its_first_printing():
    (serial,) = [writer for writer in writers() if writer.work_zh == "魯冰花"]
    assert serial.work_year == 1960
    for told in (serial.note_zh, serial.note_en):
        assert "1960" in told
        assert "1961" not in told


def test_how_many_are_verified_is_what_the_page_of_sources_says():
    page = (card_facts.DATA / "SOURCES.md").read_text(encoding="utf-8")
    for file, cards in (
        ("writers.csv", writers()),
        ("periodicals.csv", periodicals()),
        ("banned_books.csv", banned_books()),
        ("events.csv", events()),
        ("functions.csv", functions()),
        ("imprisoned.csv", fates().values()),
    ):
        verified = sum(bool(card.verified) for card in cards)
        assert re.search(rf"^\| `{file}` \| {len(cards)} \| {verified} \|", page, re.M), (
            file,
            verified,
        )
    cited = [list_sources(row.source, language="en") for row in rows()]
    parts = {
        "rest on taiwan-md": "taiwan-md",
        "on Wikipedia": "wikipedia.org",
        "on Frontier Taiwan": "Frontier Taiwan",
    }
    for told, part in parts.items():
        assert f"{sum(part in source for source in cited)} {told}" in page, told


def test_names_and_titles_fit_a_card_and_notes_a_page():
    fits = {
        "name_zh": 14,
        "name_en": 40,
        "work_zh": 14,
        "work_en": 56,
        "title_zh": 8,
        "title_en": 40,
        "note_zh": 62,
    }
    fits |= {
        "note_en": 235,
        "summary_zh": 90,
        "summary_en": 290,
        "tied_to_zh": 70,
        "tied_to_en": 180,
    }
    for cards in (writers(), periodicals(), banned_books(), events(), functions()):
        for card in cards:
            for field, length in fits.items():
                assert len(getattr(card, field, "")) <= length, (card, field)


def test_both_languages_are_filled_in():
    for cards in (writers(), periodicals(), banned_books(), events(), functions()):
        for card in cards:
            for field, value in card._asdict().items():
                if field.endswith("_en") and not field.startswith("note"):
                    assert value, (card.card_id if hasattr(card, "card_id") else card.year, field)
                    assert not re.search("[\u4e00-\u9fff]", value), (field, value)
            assert bool(getattr(card, "note_zh", "")) == bool(getattr(card, "note_en", "")), card


def test_each_genre_and_kind_has_its_name():
    assert {writer.genre for writer in writers()} == set(GENRES)
    assert {periodical.kind for periodical in periodicals()} == set(PERIODICAL_KINDS)
    for genre, name in GENRES.items():
        assert game_text("blockade", f"genre.{genre.replace(' ', '_')}", "zh-Hant") == name
    for kind, name in PERIODICAL_KINDS.items():
        assert game_text("blockade", f"data.kind.{kind}", "zh-Hant") == name


def test_books_and_single_pieces_have_their_own_marks():
    titled = {writer.work_zh: writer.title for writer in writers()}
    assert [titled["和平宣言"](language) for language in LANGUAGES] == [
        "〈和平宣言〉",
        "“Peace Declaration”",
        "《和平宣言》",
    ]
    assert [titled["靈河"](language) for language in LANGUAGES][:2] == [
        "《靈河》",
        "River of the Soul",
    ]
    for work in ("錯誤", "麵攤", "將軍族", "嫁粧一牛車", "狼來了", "現代派六大信條"):
        assert titled[work]("zh-Hant") == f"〈{work}〉"
    for work in (
        "台北人",
        "兒子的大玩偶",
        "石室之死亡",
        "紅鼻子",
        "心鎖",
        "金水嬸",
    ):  # collections, a long poem, a play
        assert titled[work]("zh-Hant") == f"《{work}》"


def test_what_has_the_length_of_a_book_is_no_single_piece():
    for writer in writers():
        if writer.genre in ("novel", "drama", "reportage", "children"):
            assert writer.form == "book", writer
    assert {writer.form for writer in writers()} == set(FORMS)


# In simplified characters


def chinese_fields():
    """Return the Chinese fields of the kit's files, and each name where several stand in one."""
    fields = set()
    for path in card_facts.DATA.glob("*.csv"):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                fields |= {row[name] for name in row if name.endswith("_zh")}
                fields |= {
                    name
                    for field in ("editor_zh", "author_zh")
                    for name in row.get(field, "").split("、")
                }
    return fields - {""}


def test_every_chinese_field_has_its_simplified_characters_and_no_other():
    hint = "run tools/draft_zh_hans.py and read what it wrote"
    assert set(simplified()) == chinese_fields(), hint
    for hant, hans in simplified().items():
        assert len(hant) == len(hans), "only characters change, no words"
        assert re.sub("[\u4e00-\u9fff]", "", hans) == re.sub("[\u4e00-\u9fff]", "", hant).translate(
            MARKS
        )


MARKS = str.maketrans("「」『』〈〉‧", "“”‘’《》·")
AMBIGUOUS = {"著": {"著", "着"}, "畫": {"画", "划"}}
"""Characters that are simplified by what they mean; 著 stays in 著作."""


def test_a_character_is_simplified_in_the_same_way_everywhere():
    ways = {}
    for hant, hans in simplified().items():
        for one, other in zip(hant, hans, strict=True):
            ways.setdefault(one, set()).add(other)
    for one, others in ways.items():
        assert len(others) == 1 or others <= AMBIGUOUS[one], (one, others)
    assert not {
        one for one in "這個國臺灣學書詩劇島會後來發與為對時說選戰" if one in ways.get(one, ())
    }
    assert ways["灣"] == {"湾"}
    assert ways["鍾"] == {"钟"}


def test_names_and_titles_are_shown_in_the_script_of_the_language():
    writer = next(writer for writer in writers() if writer.work_zh == "鬼‧北風‧人")
    assert in_language(writer.name_zh, writer.name_en, "zh-Hans") == "王祯和"
    assert [writer.title(language) for language in ("zh-Hant", "zh-Hans")] == [
        "〈鬼‧北風‧人〉",
        "《鬼·北风·人》",
    ]
    assert in_languages("聯合報副刊", "x") == {
        "zh-Hant": "聯合報副刊",
        "en": "x",
        "zh-Hans": "联合报副刊",
    }
    for event in events():
        assert "〈" not in in_language(event.summary_zh, event.summary_en, "zh-Hans")


def test_a_card_of_ones_own_stays_as_it_is_written(write):
    (writer,) = load_writers(write("name_zh,work_zh,work_year,genre", "王老師,給學生的詩,1970,詩"))
    assert writer.title("zh-Hans") == "《給學生的詩》"
    assert in_language(writer.name_zh, "", "zh-Hans") == "王老師"


def test_a_field_that_is_empty_in_one_language_is_given_in_the_other():
    assert in_languages("詩", "poem")["en"] == "poem"
    assert in_language("詩", "", "en") == in_language("", "詩", "zh-Hans") == "詩"
    assert in_language("", "", "en") == ""


def test_facts_are_read_once():
    assert writers() is writers()
    with pytest.raises(AttributeError):
        writers()[0].name_zh = "x"


# A file of one's own

HEADER = "name_zh,name_en,birth,death,work_zh,work_en,work_year,genre,form,era,verified,source,note_zh,note_en"
GOOD = "楊逵,Yang Kui,1906,1985,和平宣言,Peace Declaration,1949,essay,piece,1949-1959,yes,A book（1998）,,"


def change(**fields):
    """Return the good line with other *fields*."""
    cells = dict(zip(HEADER.split(","), GOOD.split(","), strict=True)) | fields
    return ",".join(cells.values())


@pytest.fixture
def write(tmp_path):
    def write(*lines, encoding="utf-8", end="\n"):
        path = tmp_path / "mine.csv"
        path.write_bytes((end.join(lines) + end).encode(encoding))
        return path

    return write


def told(error):
    """Return what *error* says in each language, each a sentence of its own."""
    said_in = {language: error.sentence(language) for language in LANGUAGES}
    assert len(set(said_in.values())) == 3
    assert all("{" not in words for words in said_in.values())
    return said_in


def refused(path, load=load_writers):
    with pytest.raises(FileError) as caught:
        load(path)
    assert isinstance(caught.value, ValueError)
    for words in told(caught.value).values():
        assert path.name in words
    return caught.value


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_good_file_is_read(write, encoding, end):
    (writer,) = load_writers(write(HEADER, GOOD, encoding=encoding, end=end))
    assert writer == card_facts.Writer(
        *(
            "W001",
            "楊逵",
            "Yang Kui",
            1906,
            1985,
            "和平宣言",
            "Peace Declaration",
            1949,
            "essay",
            "piece",
            1,
        ),
        *(True, "A book（1998）", "", ""),
    )


def test_the_shortest_file_needs_four_columns(write):
    first, second = load_writers(
        str(
            write("work_year,genre,name_zh,work_zh", "1970,詩,甲,乙", "", ",,,", "1992,drama,甲,丙")
        )
    )
    assert (first.card_id, first.era, first.genre, first.name_en, first.work_en) == (
        "W001",
        3,
        "poetry",
        "甲",
        "乙",
    )
    assert (second.card_id, second.era, second.birth, second.death) == ("W002", 4, None, None)
    assert first.form == "book"
    assert not first.verified
    assert first.source == first.note_zh == ""


def test_a_cell_may_hold_commas_quotes_and_lines(write):
    path = write(
        "name_zh,work_zh,work_year,genre,note_zh",
        '甲,"乙, ""丙""",1950,詩,"一\n二"',
        "丁,戊,1951,詞,",
    )
    assert refused(path).values["line"] == 4
    (writer,) = load_writers(write(*path.read_text(encoding="utf-8").splitlines()[:3]))
    assert (writer.work_zh, writer.note_zh) == ('乙, "丙"', "一\n二")


def test_what_a_spreadsheet_adds_or_leaves_out_does_no_harm(write):
    """Empty columns and lines at the end, no cells for empty ones at the end, a mark at the start,
    spaces.
    """
    lines = [
        f"{SHORT},birth,note_zh,,",
        "甲,乙,1950,詩,,,,",
        "甲, 丙　,1951,詩",
        ",,,,,,,",
        "   ",
        "",
    ]
    first, second = load_writers(write(*lines, encoding="utf-8-sig", end="\r\n"))
    assert (first.work_zh, second.work_zh, second.birth, second.note_zh) == ("乙", "丙", None, "")


def test_a_title_on_two_lines_is_refused_and_named_by_its_line(write):
    error = refused(write(SHORT, "甲,乙,1950,詩", '甲,"丙\n丁",1951,詩', "甲,戊,1952,詞"))
    assert [(problem.text, problem.values["line"]) for problem in error.problems] == [
        ("data.hidden", 3),
        ("data.choice", 5),
    ]


def test_the_template_is_a_card_file(tmp_path):
    path = write_template(tmp_path / "mine.csv")
    assert path.read_bytes().startswith(b"\xef\xbb\xbf"), "or Excel shows the Chinese in pieces"
    assert [writer.title("zh-Hant") for writer in load_writers(path)] == [
        "〈和平宣言〉",
        "《城南舊事》",
    ]
    before = path.read_bytes()
    for wrong, text in (
        (path, "data.exists"),
        (tmp_path / "nowhere" / "mine.csv", "data.unwritable"),
    ):
        assert refused(wrong, write_template).text == text
    assert path.read_bytes() == before


def test_the_kits_own_files_are_of_the_same_form():
    assert load_writers(card_facts.DATA / "writers.csv") == writers()
    assert load_periodicals(card_facts.DATA / "periodicals.csv") == periodicals()
    assert load_banned_books(card_facts.DATA / "banned_books.csv") == banned_books()


WRONG_LINES = [
    ("data.needed", "name_zh", {"name_zh": ""}),
    ("data.needed", "work_zh", {"work_zh": "  "}),
    ("data.needed", "work_year", {"work_year": "", "era": ""}),
    ("data.needed", "genre", {"genre": ""}),
    ("data.number", "work_year", {"work_year": "1948"}),
    ("data.number", "work_year", {"work_year": "1993"}),
    ("data.number", "work_year", {"work_year": "民國38"}),
    ("data.number", "birth", {"birth": "1906?"}),
    ("data.number", "birth", {"birth": "1799"}),
    ("data.number", "death", {"death": "85"}),
    ("data.number", "death", {"death": "２０００"}),
    ("data.number", "work_year", {"work_year": "1949/1"}),
    ("data.number", "work_year", {"work_year": "1975年"}),
    ("data.number", "work_year", {"work_year": "1975.0"}),
    ("data.marks", "work_zh", {"work_zh": "《校園詩抄》"}),
    ("data.marks", "work_zh", {"work_zh": "〈校園〉"}),
    ("data.hidden", "name_zh", {"name_zh": "楊\u200d逵"}),
    ("data.hidden", "work_zh", {"work_zh": "和平\u202e宣言"}),
    ("data.hidden", "note_zh", {"note_zh": "一\x00"}),
    ("data.order", "death", {"birth": "1906", "death": "1905", "note_en": "Printed by friends."}),
    ("data.young", "work_year", {"birth": "1940"}),
    ("data.posthumous", "work_year", {"death": "1948"}),
    ("data.choice", "genre", {"genre": "詞"}),
    ("data.choice", "form", {"form": "〈〉"}),
    ("data.choice", "verified", {"verified": "maybe"}),
    ("data.source", "source", {"source": ""}),
    ("data.source", "source", {"verified": "doubtful", "source": ""}),
    ("data.citation", "source", {"source": "https://example.org/a and elsewhere"}),
    ("data.citation", "source", {"source": "a book"}),
    ("data.citation", "source", {"source": "https://"}),
    ("data.citation", "source", {"source": "第19991頁"}),
    ("data.era", "era", {"era": "1960-1969"}),
    ("data.long", "work_zh", {"work_zh": "長" * 81}),
    ("data.long", "note_en", {"note_en": "x" * 601}),
]


@pytest.mark.parametrize(("text", "field", "fields"), WRONG_LINES)
def test_a_wrong_cell_is_told_by_file_line_and_field(write, text, field, fields):
    error = refused(write(HEADER, GOOD.replace("和平宣言", "送報伕"), change(**fields)))
    assert error.text == text
    assert (error.values["line"], error.values["field"]) == (3, field)
    for words in told(error).values():
        assert "mine.csv" in words
        assert field in words
        assert re.search(r"\b3\b", words)
    assert error.problems == (error,)


GOOD_LINES = [
    {"work_year": "1959"},
    {"birth": ""},
    {"death": ""},
    {"birth": "1939"},  # ten years old
    {"death": "1948", "note_en": "Printed by friends."},
    {"death": "1949"},
    {"genre": "報導文學"},
    {"genre": "Essay"},
    {"form": ""},
    {"form": "單篇"},
    {"verified": "no", "source": ""},
    {"verified": "no", "source": "a book"},
    {"source": "https://example.org/a"},
    {"source": "《國文課本》第三冊（2020）"},
    {"verified": "否"},
    {"verified": "doubtful", "source": "a book"},
    {"verified": "存疑", "source": "a book"},
    {"source": "https://example.org/a https://example.org/b"},
    {"verified": ""},
    {"era": ""},
    {"work_year": "1960", "era": "1960-1969"},
    {"work_zh": "長" * 80},
    {"note_en": "x" * 600},
    {"work_zh": "論《城南舊事》"},
    {"work_zh": "《甲》和乙"},
]


@pytest.mark.parametrize("fields", GOOD_LINES)
def test_what_is_just_allowed_is_read(write, fields):
    assert len(load_writers(write(HEADER, change(**fields)))) == 1


@pytest.mark.parametrize(
    ("header", "line", "load", "text", "field"),
    [
        (
            "title_zh,founded,kind,ceased",
            "笠,1964,poetry,1963",
            load_periodicals,
            "data.order",
            "ceased",
        ),
        ("title_zh,founded,kind", "笠,1964,weekly", load_periodicals, "data.choice", "kind"),
        ("title_zh,founded,kind", "笠,,poetry", load_periodicals, "data.needed", "founded"),
        (
            "title_zh,author_zh,published,banned_year",
            "書,人,1970,1969",
            load_banned_books,
            "data.order",
            "banned_year",
        ),
        (
            "title_zh,author_zh,banned_year",
            "書,人,1948",
            load_banned_books,
            "data.number",
            "banned_year",
        ),
        ("title_zh,author_zh", "書,", load_banned_books, "data.needed", "author_zh"),
    ],
)
def test_periodicals_and_banned_books_are_checked_as_well(write, header, line, load, text, field):
    error = refused(write(header, line), load)
    assert (error.text, error.values["line"], error.values["field"]) == (text, 2, field)


def test_periodicals_and_banned_books_of_ones_own(write):
    (periodical,) = load_periodicals(write("title_zh,founded,kind,ceased", "笠,1964,詩刊,"))
    assert (periodical.card_id, periodical.founded, periodical.ceased, periodical.kind) == (
        "P001",
        1964,
        None,
        "poetry",
    )
    (book,) = load_banned_books(write("title_zh,author_zh,published", "書,人,1951"))
    assert (book.card_id, book.published, book.banned_year) == ("B001", 1951, None)


def test_the_same_card_twice_names_both_lines(write):
    error = refused(write(HEADER, GOOD, change(work_zh="送報伕"), change(work_year="1950")))
    assert error.text == "data.twice"
    assert (error.values["line"], error.values["other"], error.values["field"]) == (4, 2, "work_zh")


def test_an_id_stands_once_and_is_short(write):
    header = "id,name_zh,work_zh,work_year,genre"
    error = refused(write(header, "A1,甲,乙,1950,詩", "A1,甲,丙,1950,詩"))
    assert (error.text, error.values["field"]) == ("data.twice", "id")
    error = refused(write(header, "第一張,甲,乙,1950,詩"))
    assert (error.text, error.values["field"], error.values["line"]) == ("data.id", "id", 2)
    assert [
        card.card_id for card in load_writers(write(header, "A1,甲,乙,1950,詩", ",甲,丙,1950,詩"))
    ] == ["A1", "W002"]


def test_several_problems_are_told_line_by_line(write):
    error = refused(
        write(HEADER, change(genre="詞", birth="x"), GOOD, change(work_year="2000", work_zh="乙"))
    )
    assert error.text == "file.problems"
    assert [(problem.values["line"], problem.values["field"]) for problem in error.problems] == [
        (2, "birth"),
        (2, "genre"),
        (3, "work_zh"),
        (4, "work_year"),
    ]
    name = error.values["file"]
    first = f"{name} has 4 places to be changed; nothing of it was loaded:"
    assert str(error).split("\n") == [
        first,
        *[problem.sentence("en") for problem in error.problems],
    ]


def test_of_many_problems_ten_are_kept_and_all_are_counted(write):
    error = refused(write(HEADER, *(change(work_zh=f"第{n}", genre="詞") for n in range(30))))
    assert len(error.problems) == PROBLEMS_TOLD
    assert len(str(error).split("\n")) == PROBLEMS_TOLD + 2
    assert str(error).endswith("\n… and 20 more places.")


def test_nothing_is_half_loaded(write):
    lines = [change(work_zh=f"第{n}") for n in range(20)]
    assert len(load_writers(write(HEADER, *lines))) == 20
    refused(write(HEADER, *lines[:19], change(genre="詞")))


# Files that are no card files

SHORT = "name_zh,work_zh,work_year,genre"


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"", "data.empty"),
        (b"\n\n", "data.empty"),
        (b"\xef\xbb\xbf", "data.empty"),
        (SHORT.encode() + b"\n", "data.no_lines"),
        (SHORT.encode() + b"\n\n,,,\n", "data.no_lines"),
        (f"{SHORT}\n甲,乙,1950,詩\n".encode("big5"), "data.encoding"),
        (f"{SHORT}\n甲,乙,1950,詩\n".encode("utf-16")[:-1], "data.utf16"),
        (b"PK\x03\x04 xl/workbook.xml", "data.workbook"),
        (b"PK\x03\x04 word/document.xml", "data.document"),
        (b"%PDF-1.7", "data.document"),
        ("書名;頁數\n城南舊事;240\n".encode(), "data.no_titles"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 an old workbook", "data.workbook"),
        (f"{SHORT},\n甲,乙,1950,詩,x\n".encode(), "data.cells"),
        (b"name_zh,work_zh,genre\n", "data.missing"),
        (f"{SHORT},birht\n".encode(), "data.unknown"),
        (f"{SHORT},genre\n".encode(), "data.column_twice"),
        (f"{SHORT}\n甲,乙,1950\n".encode(), "data.needed"),
        (f"{SHORT}\n甲,乙,丙,1950,詩\n".encode(), "data.cells"),
        (f'{SHORT}\n"甲,乙,1950,詩\n'.encode(), "data.quotes"),
        (f'{SHORT}\n"甲"x,乙,1950,詩\n'.encode(), "data.quotes"),
        (b"x" * (LARGEST_CSV + 1), "data.large"),
        (b"PK\x03\x04 xl/" + b"x" * LARGEST_CSV, "data.workbook"),
    ],
)
def test_a_file_that_is_no_card_file_is_told_in_one_sentence(tmp_path, content, text):
    path = tmp_path / "mine.csv"
    path.write_bytes(content)
    assert refused(path).text == text


def test_what_is_told_of_a_whole_file_says_where_and_what(write):
    missing = refused(write("name_zh,genre"))
    assert "work_zh, work_year" in str(missing)
    unknown = refused(write(SHORT + ",心得"))
    assert "心得" in str(unknown)
    assert "note_zh" in str(unknown)
    big5 = refused(write(SHORT, "A,B,1950,詩", encoding="big5"))
    assert "line 2" in str(big5)
    cells = refused(write(SHORT, "甲,乙,1950,詩", "甲,丙,丁,1950,詩"))
    assert (cells.values["line"], cells.values["got"], cells.values["allowed"]) == (3, 5, 4)
    quotes = refused(write(SHORT, "甲,乙,1950,詩", '甲,"丙,1950,詩'))
    assert quotes.values["line"] == 3


@pytest.mark.parametrize("mark", [",", ";", "\t", "，"])
@pytest.mark.parametrize(
    "above",
    [
        (SHORT,),
        ("作家,作品,年份,文類",),
        (),
        ("我的作家", SHORT),
        ("編號," + SHORT,),
    ],
)
def test_writers_are_read_however_their_table_was_saved(write, mark, above):
    rows = ["甲,乙,1950,詩", "丙,丁,1951,散文"]
    if any("編號" in line for line in above):
        rows = [f"{number},{row}" for number, row in enumerate(rows, 1)]
    lines = [f"sep={mark}", *(line.replace(",", mark) for line in (*above, *rows))]
    for encoding in ("utf-8-sig", "utf-16"):
        cards = load_writers(write(*lines, encoding=encoding))
        read = [(card.name_zh, card.work_zh, card.work_year, card.genre) for card in cards]
        assert read == [("甲", "乙", 1950, "poetry"), ("丙", "丁", 1951, "essay")]


def test_a_file_that_is_not_there_or_is_a_folder(tmp_path):
    for path in (tmp_path / "nowhere.csv", tmp_path):
        assert refused(path).text == "data.unreadable"


def test_a_damaged_installation_is_told(monkeypatch, tmp_path):
    with (card_facts.DATA / "writers.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    with (tmp_path / "writers.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows[:-1])
    monkeypatch.setattr(card_files, "DATA", tmp_path)
    with pytest.raises(FileError) as caught:
        writers.__wrapped__()
    assert caught.value.text == "data.count"
    assert all(
        "172" in words and "173" in words and "writers.csv" in words
        for words in told(caught.value).values()
    )


def test_every_sentence_about_a_card_file_can_be_reached():
    """Each text ``data.*`` is one that some test above has seen; a new one wants its own line
    there.
    """
    seen = {text for text, _, _ in WRONG_LINES} | {
        *(
            "data.empty",
            "data.no_lines",
            "data.encoding",
            "data.utf16",
            "data.workbook",
            "data.document",
            "data.no_titles",
            "data.missing",
        ),
        *(
            "data.unknown",
            "data.column_twice",
            "data.cells",
            "data.quotes",
            "data.large",
            "data.unreadable",
        ),
        *("data.twice", "data.id", "data.count", "data.exists", "data.unwritable"),
    }
    records = {"data.no_records", "data.no_record", "data.other_game", "data.same_match"}
    known = {
        id
        for id in {*load_texts(), *load_texts("blockade")}
        if id.startswith("data.") and not id.startswith("data.kind.")
    }
    assert known - records == seen


def test_an_error_arrives_from_another_process(write):
    error = refused(write(HEADER, change(genre="詞"), change(birth="x", work_zh="乙")))
    copy = pickle.loads(pickle.dumps(error))
    assert str(copy) == str(error)
    assert len(copy.problems) == 2


def test_an_era_is_written_by_its_first_and_last_year():
    assert [name_of_era(era) for era in ERAS] == [
        "1949-1959",
        "1960-1969",
        "1970-1979",
        "1980-1992",
    ]
