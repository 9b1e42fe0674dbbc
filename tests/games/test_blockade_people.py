"""Real people who were imprisoned or killed: what the pages of 文壇封鎖中 say about them, in every
language.
"""

import re

import pytest

from coursekit.games.blockade import Blockade
from coursekit.games.blockade.after.evidence import fact, facts
from coursekit.games.blockade.rules.card_codes import own_cards, standard
from coursekit.games.blockade.rules.card_files import events, fates, load_writers, writers
from coursekit.games.blockade.rules.citations import is_cited
from coursekit.games.blockade.rules.options import Options
from coursekit.games.blockade.table.scene import handbook
from coursekit.kit.scene import Look
from coursekit.words.texts import LANGUAGES

IMPRISONED = {
    "楊逵",
    "葉石濤",
    "施明正",
    "柏楊",
    "陳映真",
    "李敖",
    "王拓",
    "楊青矗",
    "呂秀蓮",
    "姚嘉文",
}
"""Writers of the cards who were in prison for political reasons between 1949 and 1992."""
LABELS = {"zh-Hant": "入獄", "en": "Imprisoned", "zh-Hans": "入狱"}
YEAR = re.compile(r"(?<!\d)19[4-9]\d(?!\d)")


@pytest.fixture(scope="module")
def books():
    """Return the pages by language."""
    return {language: handbook(Look(Blockade(4), language)) for language in LANGUAGES}


def told_of(page, language):
    """Return what a page says under "Imprisoned"."""
    return [fact["value"] for fact in page["facts"] if fact["label"] == LABELS[language]]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_card_of_a_writer_who_was_imprisoned_says_so_with_a_year_and_a_source(
    books, language
):
    told = {name: set() for name in IMPRISONED}
    for number, writer in enumerate(writers()):
        page = books[language][f"writer-{number}"]
        if writer.name_zh not in IMPRISONED:
            assert told_of(page, language) == [], writer
            continue
        (sentence,) = told_of(page, language)
        assert YEAR.search(sentence), writer
        assert "http" in page["source"], writer
        told[writer.name_zh].add(sentence)
    assert {len(sentences) for sentences in told.values()} == {1}, (
        "all cards of a person say the same"
    )


def test_the_languages_tell_the_same_years():
    for fate in fates().values():
        years = [set(YEAR.findall(words)) for words in (fate.fate_zh, fate.fate_en)]
        assert years[0] == years[1] != set(), fate


def test_each_fate_has_its_source_and_is_told_of_somebody_on_a_card(books):
    pages = books["zh-Hant"].values()
    for fate in fates().values():
        assert is_cited(fate.source), fate
        assert any(fate.fate_zh in value for page in pages for value in told_of(page, "zh-Hant")), (
            fate
        )


def test_editors_and_authors_of_banned_books_are_named_with_what_happened_to_them(books):
    papers = {page["title"]: told_of(page, "en") for page in books["en"].values()}
    assert papers["Free China Fortnightly"][0].startswith("Lei Chen: Arrested on 4 September 1960")
    assert [line.partition(":")[0] for line in papers["Taiwan Political Review"]] == [
        "Huang Hsin-chieh",
        "Chang Chun-hung",
    ]
    assert "1962" in papers["Love and Death on the Island"][0]


def test_both_books_that_were_written_in_prison_say_so(books):
    for number, writer in enumerate(writers()):
        if writer.work_zh in ("這三個女人", "台灣七色記"):
            texts = [books[language][f"writer-{number}"]["text"] for language in LANGUAGES]
            assert texts == [["在獄中寫成。"], ["Written in prison."], ["在狱中写成。"]]


def test_a_card_of_a_class_says_nothing_about_somebody_of_the_same_name(tmp_path):
    path = tmp_path / "mine.csv"
    lines = [f"柏楊,第{n}首,1950,詩" for n in range(8)]
    path.write_text("\n".join(["name_zh,work_zh,work_year,genre", *lines]), encoding="utf-8")
    assert len(load_writers(path)) == 8
    pages = handbook(Look(Blockade(4, Options(eras=(1,), edition=own_cards(path))), "zh-Hant"))
    assert told_of(pages["writer-0"], "zh-Hant") == []
    assert any(told_of(page, "zh-Hant") for page in pages.values()), (
        "the kit's periodicals still do"
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_evidence_about_a_writer_has_the_fate_and_its_source(language):
    number = next(
        number for number, row in enumerate(facts()) if row in writers() and row.name_zh == "葉石濤"
    )
    told = "\n".join(str(part) for part in fact(number, language))
    assert "1951" in told
    assert "taiwantrc.org" in told


# Events

DEAD = {
    1950: ("鍾浩東", "Chung Hao-tung"),
    1970: (
        "江炳興",
        "陳良",
        "詹天增",
        "鄭金河",
        "謝東榮",
        "Chiang Ping-hsing",
        "Chen Liang",
        "Chan Tien-tseng",
        "Cheng Chin-ho",
        "Hsieh Tung-jung",
    ),
    1981: ("陳文成", "Chen Wen-chen"),
    1984: ("江南", "劉宜良", "Henry Liu"),
    1989: ("鄭南榕", "Cheng Nan-jung"),
}


def test_no_event_that_tells_of_a_death_leaves_the_dead_unnamed():
    for event in events():
        told = event.summary_zh + event.note_zh, event.summary_en + event.note_en
        deadly = re.search("槍決|槍殺|陳屍|身亡|死刑|遇害", told[0]) or re.search(
            "executed|killed|died|shot|body", told[1]
        )
        assert bool(deadly) == (event.year in DEAD), event
        for name in DEAD.get(event.year, ()):
            assert name in told[name.isascii()], (event.year, name)


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (
            1970,
            (
                "江炳興、陳良、詹天增、鄭金河、謝東榮",
                "Hsieh Tung-jung",
                "江炳兴、陈良、詹天增、郑金河、谢东荣",
            ),
        ),
        (
            1981,
            ("2020年", "In 2020 the Transitional Justice Commission", "促进转型正义委员会2020年"),
        ),
    ],
)
def test_what_was_found_out_later_stands_on_the_page(books, event, words):
    for language, expected in zip(LANGUAGES, words, strict=True):
        page = books[language][f"event-{event}"]
        assert expected in page["text"][0]
        assert page["source"]


# Function cards


def tied_to(books, kind, language="zh-Hant"):
    return books[language][f"fn-{kind}"]["facts"][0]["value"]


def test_what_a_function_card_is_named_after_is_told(books):
    assert "封面" in tied_to(books, "false_cover")
    assert "拷問" in tied_to(books, "summons")
    assert "interrogation" in tied_to(books, "summons", "en")
    assert "1950年" in tied_to(books, "denunciation")
    for language, free in zip(LANGUAGES, ("自由中國", "Free China", "自由中国"), strict=True):
        assert free not in tied_to(books, "suspension", language), (
            "it ended with an arrest, and never came back"
        )


def test_that_a_suspension_moves_its_holder_is_explained_on_its_page(books):
    for language in LANGUAGES:
        label = {"zh-Hant": "提醒", "en": "Mind", "zh-Hans": "提醒"}[language]
        assert [fact["label"] for fact in books[language]["fn-suspension"]["facts"]].count(
            label
        ) == 1


# Roles


def test_the_page_of_the_editor_tells_of_an_editor(books):
    for language, name in zip(LANGUAGES, ("林海音", "Lin Hai-yin", "林海音"), strict=True):
        page = books[language]["role-editor"]
        history = page["facts"][3]["value"]
        assert name in history
        assert YEAR.search(history)
        assert "雷震" not in history
        assert "Lei Chen" not in history


def test_reading_aloud_is_explained_on_every_role(books):
    for language, word in zip(LANGUAGES, ("唸出", "read aloud", "念出"), strict=True):
        for role in ("garrison", "informant", "editor", "author"):
            assert any(word in fact["value"] for fact in books[language][f"role-{role}"]["facts"])


# Doubtful rows


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_doubtful_row_is_called_so_on_its_page(books, language):
    word = {"zh-Hant": "存疑", "en": "Doubtful", "zh-Hans": "存疑"}[language]
    cards = standard()
    rows = {f"writer-{number}": row for number, row in enumerate(cards.writers)}
    rows |= {f"book-{number}": row for number, row in enumerate(cards.books)}
    rows |= {f"fn-{kind}": row for kind, row in cards.notes.items()}
    assert any(row.verified is None for row in rows.values())
    for name, row in rows.items():
        page = books[language][name]
        assert page.get("note", "").startswith(word) == (row.verified is None), name
        assert row.verified is not None or "source" in page, name
