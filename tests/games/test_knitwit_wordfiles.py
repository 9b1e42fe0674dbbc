"""The cell where a class chooses files of words: what it takes and refuses, and what becomes of the
match.
"""

import json

import pytest
from cells import send

from coursekit.core.match import Match
from coursekit.files.csvfile import LARGEST_CSV, Upload
from coursekit.games.knitwit import KnitWit
from coursekit.games.knitwit.rules.lexicon import (
    MOST,
    PACKS,
    load_lexicon,
    load_tags,
    standard_pack,
)
from coursekit.games.knitwit.strategies import FirstThought
from coursekit.games.knitwit.table.word_files import WordFiles, choose_words, example
from coursekit.table import Table
from coursekit.table.storage.sqlite_store import Store
from coursekit.words.texts import LANGUAGES, game_text

TAGS = [f"字卡{letter}的" for letter in "甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳"]
MARKUP = "<b>x</b>"


def csv(*rows: str) -> bytes:
    return "\n".join(rows).encode()


UNIT = csv("zh", *TAGS)
WORDS = csv("zh,tags", "貓,字卡甲的;字卡乙的", "狗,字卡甲的")


@pytest.fixture(autouse=True)
def nothing_loaded(monkeypatch):
    monkeypatch.setattr(PACKS, "_loaded", {})


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path)


@pytest.fixture
def table(store):
    return Table(KnitWit(2), language="en", store=store, name="class")


@pytest.fixture
def cell(table):
    return heard(choose_words(table, "en"))


def heard(cell: WordFiles) -> WordFiles:
    cell.sent = []
    cell.send = lambda content, buffers=None: cell.sent.append(content)
    return cell


def tell(cell, *buffers, **content):
    """Send *content* as the browser does; return what came back, by its type."""
    cell.sent.clear()
    send(cell, content | {"from": "view"}, [memoryview(each) for each in buffers])
    return {each["type"]: each for each in json.loads(json.dumps(cell.sent))}


def take(cell, data, what="tags", name="unit5.csv"):
    return tell(cell, data, type="take", what=what, name=name)


def begin(table):
    """Have the person at *table* lay a loop, and return the match."""
    match = table.match
    action = match.game.legal_actions(match.state, 0).suggestion(0, None)
    here = {key: table.view[key] for key in ("match", "branch", "acted")}
    table.receive(here | {"type": "act", "seat": 0, "action": action})
    assert table.view["kept"]
    return match


def chosen(table):
    return table.setup["chosen"]["options"]["words"]


def offered(table):
    (field,) = [each for each in table.setup["fields"] if each["name"] == "words"]
    return [each["label"] for each in field["choices"]]


# What is taken


def test_a_table_where_nobody_has_begun_plays_with_the_tags_at_once(cell, table):
    before = table.view["match"]
    told = take(cell, UNIT)
    assert [tag.zh for tag in table.match.game.pack.tags] == TAGS
    assert table.match.game.options.words == cell.loaded == chosen(table)
    assert table.view["match"] != before
    assert told["notice"]["text"] == game_text("knitwit", "wordfiles.changed", "en")
    assert told["state"]["own"]
    assert told["state"]["tags"].startswith("Chosen: 16 tags from unit5.csv: 字卡甲的, 字卡乙的")
    assert "blank" in told["state"]["lexicon"]


def test_a_match_that_has_begun_is_left_alone_and_the_next_one_has_the_tags(cell, table):
    match = begin(table)
    log = list(match.log)
    told = take(cell, UNIT)
    assert told["notice"]["text"] == game_text("knitwit", "wordfiles.waiting", "en")
    assert table.match is match
    assert match.log == log
    assert match.game.options.words == "kit"
    assert chosen(table) == cell.loaded
    assert offered(table)[-1] == "unit5.csv"
    form = table.setup["chosen"]
    table.receive({"type": "language", "language": "en"})
    assert chosen(table) == cell.loaded, "another language fills in the form anew"
    table.receive({"type": "new", **form, "seats": form["seats"]})
    assert [tag.zh for tag in table.match.game.pack.tags] == TAGS
    form = table.setup["chosen"] | {"options": table.setup["chosen"]["options"] | {"words": "kit"}}
    table.receive({"type": "new", **form})
    assert chosen(table) == "kit", "what is chosen in the form counts from then on"


def test_programs_know_the_words_of_a_second_file(cell, table):
    take(cell, UNIT)
    told = take(cell, WORDS, "lexicon", "words.csv")
    assert [entry.zh for entry in table.match.game.pack.lexicon] == ["貓", "狗"]
    lines = told["state"]["lexicon"].split("\n")
    assert lines[0] == "Chosen: 2 words from words.csv: 貓, 狗"
    assert lines[1].startswith("For 14 tags there is no word")
    assert [PACKS.file_name(each) for each in PACKS][1:] == ["unit5.csv", "unit5.csv + words.csv"]


def test_words_alone_go_with_the_tags_of_the_kit(cell, table):
    told = take(cell, csv("en,tags", "lighthouse,tall;round"), "lexicon", "words.csv")
    assert table.match.game.pack.tags == standard_pack().tags
    assert [entry.en for entry in table.match.game.pack.lexicon] == ["lighthouse"]
    assert told["state"]["tags"] == "Chosen: the kit's 114 tags."


def test_the_kits_own_words_come_back(cell, table):
    take(cell, UNIT)
    told = tell(cell, type="back")
    assert table.match.game.options.words == cell.loaded == "kit"
    assert not told["state"]["own"]
    assert told["notice"]["text"].startswith(game_text("knitwit", "wordfiles.returned", "en"))
    begin(table)
    take(cell, UNIT)
    assert chosen(table) != "kit"
    tell(cell, type="back")
    assert chosen(table) == "kit"


def test_other_words_in_a_file_of_the_same_name_get_a_number(cell, table):
    take(cell, UNIT)
    take(cell, UNIT.replace("字卡甲".encode(), "字卡A".encode()))
    assert offered(table)[1:] == ["unit5.csv", "unit5.csv (2)"]
    take(cell, UNIT)
    assert offered(table)[1:] == ["unit5.csv", "unit5.csv (2)"]


# What is refused


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (csv("zh", *TAGS, "紅色的", "红色的"), ("line 19", "红色的", "line 18")),
        (csv("zh", *TAGS[:15]), ("15 tags", "at least 16")),
        (csv("zh", *TAGS, "一二三四五六七八九"), ("line 18", "9 characters", "at most 8")),
        (("zh\n" + "\n".join(TAGS)).encode("big5"), ("line 2", "UTF-8", "Big5")),
        (("zh\n" + "\n".join(TAGS)).encode("utf-16")[:-1], ("UTF-16", "line")),
        (b"PK\x03\x04 xl/workbook.xml", ("Excel workbook",)),
        (UNIT + b"\n" * LARGEST_CSV, ("too large", "1000 KB")),
        (csv("en", *(f"tag {n}" for n in range(MOST["tags"] + 1))), ("1001 lines", "1000")),
        (b"", ("empty",)),
    ],
)
def test_a_file_with_a_mistake_changes_nothing_and_says_where_it_is(cell, table, data, says):
    take(cell, UNIT)
    before = (cell.loaded, table.view["match"])
    told = take(cell, data, name="bad.csv")
    assert set(told) == {"refused"}
    assert told["refused"]["what"] == "tags"
    assert told["refused"]["to"] == "view"
    for part in ("bad.csv", *says):
        assert part in told["refused"]["text"]
    assert (cell.loaded, table.view["match"]) == before


def test_several_bad_rows_are_told_one_by_one_in_the_language_of_the_page(table):
    cell = heard(choose_words(table, "zh-Hant"))
    lines = take(cell, csv("zh", *TAGS, "一二三四五六七八九", TAGS[0]))["refused"]["text"].split(
        "\n"
    )
    assert len(lines) == 3
    assert [f"第 {line} 行" in words for line, words in zip((18, 19), lines[1:])] == [True, True]


def test_a_word_with_an_unknown_tag_is_told_beside_the_words(cell, table):
    take(cell, UNIT)
    told = take(cell, csv("zh,tags", f"貓,{MARKUP}"), "lexicon", "words.csv")
    assert told["refused"]["what"] == "lexicon"
    assert f"words.csv, line 2, tags: there is no tag “{MARKUP}”" in told["refused"]["text"]
    assert table.match.game.pack.lexicon == ()


def test_mended_tags_keep_the_words_and_others_leave_them_out(cell, table):
    take(cell, UNIT)
    take(cell, WORDS, "lexicon", "words.csv")
    told = take(cell, UNIT + "\n新的".encode())
    assert "refused" not in told
    assert [entry.zh for entry in table.match.game.pack.lexicon] == ["貓", "狗"]
    told = take(
        cell, csv("en", *(f"topic {letter}" for letter in "abcdefghijklmnop")), name="unit6.csv"
    )
    assert "words.csv does not go with the new tags" in told["notice"]["left"]
    assert table.match.game.pack.tags[0].en == "topic a"
    assert table.match.game.pack.lexicon == ()
    assert take(cell, b"", name="bad.csv")["refused"]["what"] == "tags"


def test_excels_mark_and_line_ends_are_read(cell, table):
    assert "notice" in take(cell, ("\ufeff" + "\r\n".join(["zh", *TAGS])).encode())


def test_markup_is_sent_as_it_stands_in_the_file(cell, table):
    told = take(
        cell,
        csv("en", MARKUP, *(f"topic {letter}" for letter in "abcdefghijklmno")),
        name=f"{MARKUP}\n\x07.csv",
    )
    assert f"from {MARKUP} \\x07.csv: {MARKUP}, topic a" in told["state"]["tags"]
    assert table.match.game.pack.tags[0].zh == MARKUP
    assert table.match.game.options.words in PACKS


@pytest.mark.parametrize(
    "content",
    [
        None,
        "take",
        {},
        {"type": "take"},
        {"type": "take", "what": "rules", "name": "x"},
        {"type": ["take"]},
        {"type": "take", "what": ["tags"]},
        {"type": "example", "what": "_files"},
        {"type": "take", "what": "tags"},
    ],
)
def test_what_the_page_never_sends_changes_nothing(cell, content):
    send(cell, content)
    assert cell.invalid_messages == 1
    assert [answer["type"] for answer in cell.sent] == ["refused"]
    assert cell.loaded == "kit"


def test_files_stay_out_of_what_a_notebook_saves(cell):
    take(cell, UNIT)
    take(cell, WORDS, "lexicon", "words.csv")
    assert "字卡甲" not in json.dumps(cell.get_state(), default=str)


def test_a_mistake_in_the_kit_is_one_sentence(cell, table, monkeypatch):
    monkeypatch.setattr(table, "next_match", lambda **options: 1 / 0)
    assert "ZeroDivisionError" in take(cell, UNIT)["refused"]["text"]


def test_only_a_table_of_the_game_takes_words(table):
    with pytest.raises(ValueError, match="wizard"):
        choose_words(Table("wizard"))
    with pytest.raises(ValueError, match="fr"):
        choose_words(table, "fr")


# Files to begin with


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_files_to_begin_with_can_be_brought_back_as_they_are(table, language):
    cell = heard(choose_words(table, language))
    tags, words = (tell(cell, type="example", what=what)["file"] for what in ("tags", "lexicon"))
    for file, what in ((tags, "tags"), (words, "lexicon")):
        assert file["name"] == f"{game_text('knitwit', f'wordfiles.file_{what}', language)}.csv"
        assert file["text"].startswith("\ufeff")
        assert "refused" not in take(cell, file["text"].encode(), what, file["name"])
    own = table.match.game.pack
    assert [tag.names[language] for tag in own.tags] == [
        tag.names[language] for tag in standard_pack().tags
    ]
    assert [entry[2:] for entry in own.lexicon] == [entry[2:] for entry in standard_pack().lexicon]


def test_the_words_to_begin_with_go_with_the_tags_of_the_kit():
    for language in LANGUAGES:
        assert (
            len(
                load_lexicon(
                    Upload("w.csv", example("lexicon", language).encode()), standard_pack().tags
                )
            )
            > 800
        )
        assert len(load_tags(Upload("t.csv", example("tags", language).encode()))) == 114


# After a reload


def test_a_match_goes_on_once_its_words_are_chosen_again(cell, table, store, monkeypatch):
    take(cell, UNIT)
    match = begin(table)
    kept = table.view["match"]
    monkeypatch.setattr(PACKS, "_loaded", {})  # as in a new kernel
    again = Table(KnitWit(2), language="en", store=store, name="class")
    sent = []
    again.send = lambda content, buffers=None: sent.append(content)
    again.receive({"type": "hello", "remembered": kept, "same_tab": True})
    assert "unit5.csv" in sent[0]["text"]
    cell = heard(choose_words(again, "en"))
    take(cell, UNIT.replace("字卡甲".encode(), "字卡A".encode()))
    assert again.view["offer"] is None
    take(cell, UNIT)
    assert again.view["offer"]["id"] == kept
    take(cell, WORDS, "lexicon", "words.csv")
    assert again.view["offer"]["id"] == kept, "what is laid out anew does not take the offer away"
    again.receive({"type": "resume", "match_id": kept})
    assert again.view["match"] == kept
    assert again.match.log[: len(match.log)] == match.log
    assert chosen(again) == cell.loaded, "the next match has the words chosen last"


def test_under_voila_it_goes_on_by_itself(cell, table, store, monkeypatch):
    take(cell, UNIT)
    begin(table)
    kept = table.view["match"]
    monkeypatch.setattr(PACKS, "_loaded", {})
    monkeypatch.setenv("VOILA_BASE_URL", "/")
    again = Table(KnitWit(2), language="en", store=store, name="class")
    again.send = lambda content, buffers=None: None
    again.receive({"type": "hello", "remembered": kept, "same_tab": True})
    told = take(heard(choose_words(again, "en")), UNIT)
    assert again.view["match"] == kept
    assert told["notice"]["text"] == game_text("knitwit", "wordfiles.waiting", "en")


def test_the_next_match_keeps_players_names_and_seed(store):
    table = Table(
        KnitWit(3),
        seats=[FirstThought, "person", FirstThought],
        names=["Ann", "", "Bo"],
        seed="x",
        store=store,
    )
    assert table.next_match(loops=4)
    assert (table.match.names, table.match.seed) == (
        Match(KnitWit(3), "x", ["Ann", "", "Bo"]).names,
        "x",
    )
    assert table.players == (FirstThought, "person", FirstThought)
    assert table.match.game.options.loops == 4
    with pytest.raises(ValueError, match="loops"):
        table.next_match(loops=99)
    assert table.match.game.options.loops == 4
