"""A class's own cards: loaded whole or not at all, named in records, and played with like the
kit's.
"""

import json

import pytest
from blockade_table import places
from cells import send
from IPython.core.interactiveshell import InteractiveShell

from coursekit.core.errors import FileError, OptionError
from coursekit.core.match import Record, RecordError, play_out, replay
from coursekit.core.strategy import AtRandom
from coursekit.games.blockade import Blockade, Options, own_cards
from coursekit.games.blockade.rules.card_codes import EDITIONS, standard
from coursekit.table import Table
from coursekit.table.run import Run
from coursekit.table.setup_form import describe_form, read_form
from coursekit.table.storage.sqlite_store import Store
from coursekit.testing import CHECKS, check_conservation, check_hidden
from coursekit.words.texts import LANGUAGES

HEADER = "name_zh,work_zh,work_year,genre"
FIRST_YEARS = (1949, 1960, 1970, 1980)


@pytest.fixture(autouse=True)
def nothing_loaded(monkeypatch):
    """Let every test begin with the kit's cards only, and leave none behind."""
    monkeypatch.setattr(EDITIONS, "_loaded", {})


@pytest.fixture
def write(tmp_path):
    def write(name, *lines, header=HEADER):
        path = tmp_path / name
        path.write_text("\n".join([header, *lines]) + "\n", encoding="utf-8")
        return path

    return write


def writers_of(*first_years, count=10, who="詩人"):
    return [
        f"{who}{year}-{n},作品{n},{year + n % 10},詩" for year in first_years for n in range(count)
    ]


@pytest.fixture
def poets(write):
    return write("我的作家.csv", *writers_of(*FIRST_YEARS))


def short(edition, **options):
    return Blockade(4, Options(edition=edition, **{"eras": (1, 2), "laps_limit": 4} | options))


def finished(edition, seed=1):
    return play_out(short(edition), [AtRandom] * 4, seed)


def forget():
    EDITIONS._loaded.clear()


# Loading


def test_own_writers_take_the_place_of_the_kits(poets):
    game = short(own_cards(poets))
    assert [writer.name_zh for writer in game.cards.writers[:2]] == ["詩人1949-0", "詩人1949-1"]
    assert len(game.cards.writers) == 40
    assert game.cards.periodicals == standard().periodicals
    assert game.cards.functions[40:] == standard().functions[173:]


def test_own_periodicals_and_banned_books_as_well(poets, write):
    papers = write("報刊.csv", "校刊,1950,文學雜誌", header="title_zh,founded,kind")
    books = write("書.csv", "禁書一,某人", "禁書二,某人", header="title_zh,author_zh")
    edition = own_cards(poets, periodicals=papers, banned_books=books)
    assert edition.startswith("我的作家.csv + 報刊.csv + 書.csv#")
    cards = short(edition).cards
    assert cards.book_kinds == ("periodical", "banned", "banned")
    assert short(own_cards(banned_books=books)).cards.writers == standard().writers


def test_without_a_file_the_cards_are_the_kits():
    assert own_cards() == "kit"
    assert Blockade(4).cards is standard()


def test_the_same_content_is_the_same_edition_whatever_its_file_is_called(poets, write):
    edition = own_cards(poets)
    again = write("copy.csv", *writers_of(*FIRST_YEARS))
    assert own_cards(str(again)) == edition
    assert list(EDITIONS) == ["kit", edition]


def test_a_changed_file_is_another_edition_and_the_first_one_stays(poets, write):
    edition = own_cards(poets)
    before = short(edition).cards
    write("我的作家.csv", *writers_of(*FIRST_YEARS, who="小說家"))
    changed = own_cards(poets)
    assert changed != edition
    assert short(edition).cards is before
    assert short(changed).cards.writers[0].name_zh == "小說家1949-0"


def test_a_file_with_mistakes_loads_nothing_and_tells_all_of_them(write):
    bad = write(
        "bad.csv",
        *writers_of(1949),
        "某人,某書,民國50,詩",
        ",另一本,1950,詩",
        "某人,某書二,1950,歌",
    )
    with pytest.raises(FileError) as refused:
        own_cards(bad)
    assert list(EDITIONS) == ["kit"]
    lines = refused.value.sentence("zh-Hant").split("\n")
    assert lines[0] == "bad.csv 有 3 個地方要改，什麼都還沒有載入："
    for line, number, field in zip(
        lines[1:], (12, 13, 14), ("work_year", "name_zh", "genre"), strict=True
    ):
        assert line.startswith(f"bad.csv 第 {number} 行的 {field} ")


def test_a_bad_second_file_loads_nothing_of_the_first(poets, write):
    with pytest.raises(FileError):
        own_cards(poets, banned_books=write("書.csv", ",某人", header="title_zh,author_zh"))
    assert list(EDITIONS) == ["kit"]


@pytest.mark.parametrize(
    ("language", "words"), [("zh-Hant", "個地方要改"), ("en", "places to be changed")]
)
def test_a_notebook_shows_sentences_and_no_traceback(write, capsys, language, words):
    bad = write("bad.csv", "某人,某書,x,詩", "某人,某書二,1950,歌")
    cell = f"from coursekit.games.blockade import own_cards; own_cards({str(bad)!r}, language={language!r})"
    InteractiveShell().run_cell(cell)
    shown = capsys.readouterr().out
    assert words in shown
    assert "Traceback" not in shown
    assert "own_cards" not in shown
    assert len(shown.strip().split("\n")) == 3


def test_the_editions_do_not_depend_on_who_asks(poets):
    edition = own_cards(poets)
    for wrong in (
        "poets.csv",
        "#",
        "kit#",
        "x#" + "0" * 11,
        edition + "0",
        edition.upper(),
        None,
        1,
        True,
        ["kit"],
    ):
        with pytest.raises(
            OptionError, match=r"option edition cannot be .*; allowed: 'kit', '我的作家"
        ):
            short(wrong)


# Options


def test_an_era_with_too_few_writers_is_refused_in_a_clear_sentence(write):
    edition = own_cards(write("early.csv", *writers_of(1949), *writers_of(1960, count=7)))
    assert short(edition, eras=(1,)).usable[1] == frozenset(range(10))
    with pytest.raises(OptionError) as refused:
        short(edition)
    assert refused.value.sentence("en") == (
        "For the years 1960-1969 there are only 7 writers that can be used, but four players need 8 to pay for "
        "one book card each; add works of that era, or change eras or price."
    )
    assert all("1960-1969" in refused.value.sentence(language) for language in LANGUAGES)
    assert short(edition, price=1)


def test_a_deck_that_is_too_small_for_all_hands_is_refused(write):
    edition = own_cards(write("early.csv", *writers_of(1949, count=20)))
    with pytest.raises(OptionError, match="the deck has only 20"):
        short(edition, eras=(1,), function_set="none")
    assert short(edition, eras=(1,), function_set="none", hand=4)


# Playing


@pytest.mark.parametrize("check", [check for check in CHECKS if check.__name__ != "check_scenes"])
def test_the_rules_keep_their_promises_with_own_cards(poets, check):
    check(short(own_cards(poets), laps_limit=3), "own")


def test_no_own_card_is_lost_or_seen_by_the_wrong_seat(poets):
    game = short(own_cards(poets))
    check_conservation(game, "own", places)
    check_hidden(game, "own", places)


def test_a_match_with_own_cards_can_be_kept_replayed_and_gone_on_with(poets):
    match = finished(own_cards(poets))
    assert match.over
    text = match.record().dumps()
    record = Record.loads(text)
    assert record.dumps() == text
    assert replay(record, 20).state == replay(match.record(), 20, match.game).state
    fork = match.fork(20, "other")
    assert fork.game is match.game
    assert replay(Record.loads(fork.record().dumps())).state == fork.state


def test_a_record_with_cards_that_are_not_loaded_says_which_file_to_load(poets):
    text = finished(own_cards(poets)).record().dumps()
    forget()
    with pytest.raises(RecordError) as refused:
        Record.loads(text)
    told = {language: refused.value.sentence(language) for language in LANGUAGES}
    assert len(set(told.values())) == 3
    for words in told.values():
        assert "我的作家.csv" in words
        assert "own_cards" in words
        assert "\n" not in words
    own_cards(poets)
    assert replay(Record.loads(text)).over


def test_other_cards_under_the_same_name_do_not_open_it(poets, write):
    text = finished(own_cards(poets)).record().dumps()
    forget()
    own_cards(write("我的作家.csv", *writers_of(*FIRST_YEARS, who="小說家")))
    with pytest.raises(RecordError, match=r"我的作家\.csv.*changed"):
        Record.loads(text)


def test_a_record_is_opened_by_the_same_cards_in_a_file_of_another_name(poets, write):
    match = finished(own_cards(poets))
    forget()
    here = own_cards(write("renamed.csv", *writers_of(*FIRST_YEARS)))
    again = replay(Record.loads(match.record().dumps()))
    assert again.state == match.state
    assert again.record() == match.record()
    run = Run(again.game, [AtRandom] * 4, match=again)
    assert describe_form(run, [AtRandom], "en")["chosen"]["options"]["edition"] == here


# At the table


def test_the_form_offers_the_files_by_name(poets):
    edition = own_cards(poets)
    run = Run(short(edition), [AtRandom] * 4)
    shown = describe_form(run, [AtRandom], "en")
    field = next(part for part in shown["fields"] if part["name"] == "edition")
    assert field["kind"] == "choice"
    assert field["choices"] == [
        {"value": "kit", "label": "the kit's"},
        {"value": edition, "label": "我的作家.csv"},
    ]
    assert shown["chosen"]["options"]["edition"] == edition
    assert read_form(Blockade, [AtRandom], **shown["chosen"]).game.options.edition == edition


def test_a_way_to_play_with_a_name_leaves_the_cards_alone(poets):
    run = Run(short(own_cards(poets)), [AtRandom] * 4)
    for preset in describe_form(run, [AtRandom], "en")["presets"]:
        assert "edition" not in preset["options"]
        assert "laps_limit" in preset["options"]


def test_a_table_plays_saves_and_opens_again_with_own_cards(poets, tmp_path):
    edition = own_cards(poets)
    table, sent = sit(tmp_path, short(edition))
    assert "詩人" in json.dumps(table.handbook, ensure_ascii=False)
    decide(table)
    kept = {"type": "hello", "remembered": table.view["match"], "same_tab": True}
    text = table.match.record().dumps()
    forget()
    after, sent = sit(tmp_path, Blockade(4))
    for message in (kept, {"type": "load", "text": text}):
        sent.clear()
        send(after, message)
        assert [message["type"] for message in sent] == ["refused"]
        assert "我的作家.csv" in sent[0]["text"]
        assert after.match.game.options.edition == "kit"
    own_cards(poets)
    sent.clear()
    send(after, kept)
    assert after.view["offer"]["id"] == kept["remembered"]
    send(after, {"type": "resume", "match_id": kept["remembered"]})
    assert after.match.record().dumps() == text
    assert not sent
    own_field = next(
        setup_field for setup_field in after.setup["fields"] if setup_field["name"] == "edition"
    )
    assert [choice["label"] for choice in own_field["choices"]][1:] == ["我的作家.csv"]


def sit(folder, game):
    table, sent = Table(game, language="zh-Hant", store=Store(folder), seed=3), []
    table.send = lambda content, buffers=None: sent.append(content)
    return table, sent


def decide(table):
    """Let the person take one decision, after whatever the table itself has to do."""
    for _ in range(40):
        match = table.match
        deciding = match.game.to_act(match.state)
        here = {key: table.view[key] for key in ("match", "branch", "acted", "entries")}
        if table.view["more"]:
            send(table, here | {"type": "more"})
            continue
        action = match.game.legal_actions(match.state, deciding[0])[0]
        action = list(action) if isinstance(action, tuple) else action
        send(table, here | {"type": "act", "seat": deciding[0], "action": action})
        if deciding[0] >= 0:
            return
