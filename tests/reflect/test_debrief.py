"""The debrief: which matches it looks at, what it sends, and what it must not."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from cells import Browser, act, here, send

from coursekit.core.chance import stream
from coursekit.core.match import Match, play_out
from coursekit.figures import Picture
from coursekit.files.record_sources import LARGEST_RECORD
from coursekit.games.wikipedia import Options, Wikipedia
from coursekit.games.wikipedia.strategies import HonestStudent, Vandal
from coursekit.kit import GAMES
from coursekit.kit.debrief_moment import Moment, Played, Source
from coursekit.reflect import Debrief, Journal, Reflect, find_moments
from coursekit.reflect import debrief_cell as debriefing
from coursekit.reflect.timings import LONGEST_STEP, SHORTEST_STEP, TIMINGS, strip
from coursekit.table import Table
from coursekit.table.run import Run
from coursekit.table.storage.sqlite_store import Store
from coursekit.words import texts

Teach = Callable[..., None]
GAME = Wikipedia(2, Options(points_to_win=2))
chance = stream("debrief", "test")


def played(seed: str, *names: str) -> Match:
    match = play_out(GAME, [HonestStudent, Vandal], seed)
    match.names = names
    return match


DRAWN: list[str] = []
"""What the pictures that were drawn say."""
ONE, OTHER, THIRD = [played(seed, "<b>小明</b>", "Bo") for seed in "abc"]


@pytest.fixture(autouse=True)
def plain(teach: Teach) -> None:
    """A moment that tells everything it is given, and draws nothing: quick, and what leaks is seen."""

    def told(played: Sequence[Played], language: str) -> list[Moment]:
        seen = [f"{each.names} {each.state.points} {each.over}" for each, *_ in played]
        words = [f"people {[each.people for each in played]}", *seen, Source("http://<b>there</b>")]
        picture = Picture(partial(drawn, words[0]), words[0])
        return (
            [Moment("all", "<i>Title</i>", "here", (*words, picture), "Why?", 1.0)]
            if played
            else []
        )

    def drawn(alt: str) -> bytes:
        DRAWN.append(alt)
        return b"<svg xmlns='http://www.w3.org/2000/svg'/>"

    DRAWN.clear()

    teach("wikipedia", moments=told)


UNKNOWN = "not say who was a person, so computer players count there, too."


class Page(Browser):
    """Stands in for debrief.js."""

    def look(self, source: str, names: bool = True, **more: Any) -> dict[str, Any]:
        return self.say(type="look", n=7, names=names, source=source, **more)


def known(match: Match, *people: int) -> str:
    """Return the record of *match*, which says that *people* have played."""
    return replace(match.record(), people=people).dumps()


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(tmp_path / "journal.json")


def first(answer: dict[str, Any]) -> list[str]:
    """Return the sentences of the first moment."""
    return [part["text"] for part in answer["moments"][0]["parts"] if "text" in part]


# Sources


def test_matches_come_from_a_folder_and_what_cannot_be_used_is_named(
    tmp_path: Path, journal: Journal
) -> None:
    for name, match in (("b", ONE), ("a", OTHER)):
        (tmp_path / f"{name}.json").write_text(match.record().dumps(), encoding="utf-8")
    (tmp_path / "broken.json").write_text("{}")
    browser = Page(Debrief("wikipedia", "en", folder=tmp_path, journal=journal))
    assert browser.say(type="open")["sources"] == [
        {"value": "folder", "label": f"the folder {tmp_path.name}"}
    ]
    answer = browser.look("folder")
    assert (answer["n"], answer["why"]) == (7, "")
    assert answer["about"] == "2 matches, 2 of them finished."
    assert answer["noted"] == f"2 files do {UNKNOWN}"
    assert answer["refused_head"] == "1 file cannot be used"
    assert answer["refused"][0].startswith("broken.json cannot be used: ")
    assert first(answer)[0] == "people [None, None]"
    (tmp_path / "c.json").write_text(THIRD.record().dumps(), encoding="utf-8")
    assert browser.look("folder")["about"].startswith("3 matches")  # read anew


def test_whose_decisions_count_stands_in_the_files_and_what_does_not_is_said(
    tmp_path: Path, journal: Journal
) -> None:
    browser = Page(Debrief("wikipedia", "en", folder=tmp_path, journal=journal))

    def look(*records: str) -> tuple[str, str, str]:
        for name, record in zip("abc", records):
            (tmp_path / f"{name}.json").write_text(record, encoding="utf-8")
        answer = browser.look("folder")
        return first(answer)[0], answer["about"], answer["noted"]

    counted, about, noted = look(known(ONE, 1))
    assert (counted, noted) == ("people [(1,)]", "")
    assert "finished. People had 1 seat, the computer 1: what happened" in about
    assert look(known(ONE, 0, 1)) == ("people [(0, 1)]", "One match, 2 players, finished.", "")
    counted, about, noted = look(known(ONE, 1), OTHER.record().dumps(), known(THIRD))
    assert (
        counted == "people [(1,), None]"
    )  # no match of computer players only beside those of people
    assert about == "2 matches, 2 of them finished."
    assert noted == (
        f"1 file does {UNKNOWN} In the others only the decisions of people count. "
        "Left out: 1 match of computer players only."
    )
    counted, about, noted = look(known(ONE), known(OTHER), known(THIRD))
    assert counted == "people [(), (), ()]"
    assert noted == "Only computer players played: the decisions counted here are theirs."
    assert [tuple(Played(ONE, people).seats) for people in ((), None, (1,))] == [
        (0, 1),
        (0, 1),
        (1,),
    ]
    page = browser.say(type="page", source="folder")["text"]
    assert "Only computer players played" in page


def test_matches_come_from_files_chosen_in_the_browser(journal: Journal) -> None:
    browser = Page(Debrief("wikipedia", "en", journal=journal))
    assert [each["value"] for each in browser.say(type="open")["sources"]] == ["files"]
    assert "No files are chosen yet" in browser.look("files")["why"]
    files = {
        "a.json": ONE.record().dumps(),
        "b.json": "no record",
        "c.json": OTHER.record().dumps(),
    }
    for place, (name, text) in enumerate(files.items()):
        answer = browser.say(type="file", name=name, text=text, first=place == 0, last=place == 2)
    assert answer["now"] == "files"
    assert answer["sources"][-1]["label"] == "3 chosen files"
    answer = browser.look("files")
    assert len(answer["refused"]) == 1
    assert first(answer)[0] == "people [None, None]"
    browser.say(type="file", name="b.json", text="no record", first=True, last=True)
    assert browser.look("files")["why"] == "None of the files can be used."


def test_matches_come_from_the_journal_but_none_that_several_people_still_play(
    journal: Journal,
) -> None:
    journal.agree("wikipedia", True)
    running = Match(GAME, "still", ("Ann", "Bo"))
    running.play(running.state.turn, GAME.legal_actions(running.state, running.state.turn)[0])
    journal.keep_match("1", "wikipedia", ONE.record().dumps(), True, [0, 1])
    journal.keep_match("2", "wikipedia", running.record().dumps(), False, [0, 1])
    browser = Page(Debrief("wikipedia", "en", journal=journal))
    assert browser.say(type="open")["sources"][0]["label"] == "1 match in the journal"
    assert first(browser.look("kept"))[0] == "people [(0, 1)]"
    assert "Ann" not in json.dumps(browser.got)
    journal.keep_match("3", "wikipedia", running.record().dumps(), False, [0])
    journal.keep_match("4", "wikipedia", OTHER.record().dumps(), True, [1, 7])
    journal.keep_match(
        "5", "wikipedia", OTHER.record().dumps(), True, [0]
    )  # the same once more: refused
    answer = browser.look("kept")
    assert first(answer)[0] == "people [(0, 1), (0,), (1,)]"  # of each match its own
    assert "People had 4 seats, the computer 2: what happened" in answer["about"]
    journal.forget_matches()
    assert "The journal holds no matches" in browser.look("kept")["why"]


def test_the_table_is_looked_at_when_it_may_be_and_anew_when_it_has_moved_on(
    tmp_path: Path, journal: Journal
) -> None:
    table = Table(
        GAME, seats=["person", HonestStudent], seed="1", store=Store(tmp_path / "matches.sqlite")
    )
    browser = Page(Debrief("wikipedia", "en", table=table, journal=journal))
    assert "Nobody has done anything" in browser.look("table")["why"]

    act(table)
    assert browser.got[-1] == {"type": "moved"}
    answer = browser.look("table")
    assert answer["about"].startswith(
        "One match, 2 players, still under way. People had 1 seat, the computer 1: "
    )
    assert first(answer)[0] == "people [(0,)]"
    sent = len(browser.got)
    act(table, 2)
    assert browser.got[sent:] == [{"type": "moved"}]  # once, until it is looked at again


def test_a_finished_match_of_computer_players_can_be_talked_about_at_the_table(
    tmp_path: Path, journal: Journal
) -> None:
    store = Store(tmp_path / "matches.sqlite")
    browser = Page(
        Debrief("wikipedia", "en", table=Table("wikipedia", store=store), journal=journal)
    )
    table = Table(GAME, seats=[HonestStudent, Vandal], seed="1", store=store)
    browser = Page(Debrief("wikipedia", "en", table=table, journal=journal))
    assert "the match is still on" in browser.look("table")["why"]
    while not table.match.over:
        send(table, {"type": "more", **here(table), "events": table.view["events"]})
    answer = browser.look("table")
    assert (answer["why"], first(answer)[0]) == ("", "people [()]")
    assert answer["noted"].startswith("Only computer players played")


def test_of_a_match_from_a_file_those_count_who_played_it_and_not_who_opens_it(
    tmp_path: Path, journal: Journal
) -> None:
    table = Table(GAME, seats=["person", Vandal], store=Store(tmp_path / "matches.sqlite"))
    browser = Page(Debrief("wikipedia", "en", table=table, journal=journal))
    for record, counted in (
        (known(ONE, 1), "people [(1,)]"),
        (ONE.record().dumps(), "people [None]"),
    ):
        send(table, {"type": "load", "text": record})
        assert first(browser.look("table"))[0] == counted
    running = Match(GAME, "still")
    while not {0, 1} <= {seat for seat, _ in running.log}:
        seat = GAME.to_act(running.state)[0]
        running.play(seat, GAME.legal_actions(running.state, seat)[0])
    send(table, {"type": "load", "text": known(running, 1)})
    assert (
        first(browser.look("table"))[0] == "people [(0,)]"
    )  # nothing of what the other one, who plays on, holds


def test_nothing_of_a_match_that_several_people_still_play_is_sent(
    tmp_path: Path, journal: Journal, teach: Teach
) -> None:
    run = Run(GAME, ["person", "person"], seed="secret")
    table = Table(run, store=Store(tmp_path / "matches.sqlite"))
    match, given = run.match, list[Any]()
    teach("wikipedia", moments=lambda played, *rest: given.extend(played) or [])
    browser = Page(Debrief("wikipedia", "en", table=table, journal=journal))
    while not match.over:
        act(table)
        if len(match.log) % 5 == 1 and not match.over:
            for names in (True, False):
                answer = browser.look("table", names)
                assert "it would tell hands" in answer["why"]
                assert (answer["moments"], answer["about"]) == ([], "")
                assert (
                    "it would tell hands"
                    in browser.say(type="page", names=names, source="table")["text"]
                )
    assert given == []  # the game was shown no match
    assert len(browser.got) > 8
    assert browser.look("table")["about"] == "One match, 2 players, finished."
    assert [each.match.record() for each in given] == [match.record()]
    assert given[0].match is not match  # a copy: it stays as it was looked at


def test_files_that_are_too_large_or_too_many_are_named_or_counted(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(debriefing, "MOST_FILES", 3)
    browser = Page(Debrief("wikipedia", "en", journal=journal))
    sent = {
        "a.json": ONE.record().dumps(),
        "big.json": " " * (LARGEST_RECORD + 1),
        "huge.json": None,
        "b.json": "",
        "c.json": "",
    }
    for place, (name, content) in enumerate(sent.items()):
        last = place == 4
        message = {
            "name": name,
            "text": content,
            "first": place == 0,
            "last": last,
            **({"left": 10} if last else {}),
        }
        send(browser.cell, message | {"type": "file"})
    assert [content for _, content in browser.cell._files[1:]] == [
        None,
        None,
    ]  # nothing of them stays
    answer = browser.look("files")
    assert answer["refused"][:2] == [
        f"{name}.json is too large: 1000 KB at most. Keep only what is needed, and save it again."
        for name in ("big", "huge")
    ]
    assert answer["refused"][2] == "At most 3 files are read; of the 15 chosen, 12 were left out."
    assert answer["refused_head"] == "14 files cannot be used"


# What is sent


def test_sentences_come_first_and_each_picture_when_it_is_asked_for(
    tmp_path: Path, journal: Journal
) -> None:
    (tmp_path / "a.json").write_text(ONE.record().dumps(), encoding="utf-8")
    browser = Page(Debrief("wikipedia", "en", folder=tmp_path, journal=journal))
    parts = browser.look("folder")["moments"][0]["parts"]
    assert parts[-2:] == [{"source": "http://<b>there</b>"}, {"picture": 0}]
    assert DRAWN == []
    for old in ({"n": 6, "picture": 0}, {"n": 7, "picture": 1}):
        assert browser.say(type="draw", **old)["type"] == "moments"  # nothing new
    for _ in range(2):
        answer = browser.say(type="draw", n=7, picture=0)
    assert (answer["type"], answer["n"], answer["picture"]) == ("picture", 7, 0)
    assert "data:image/svg+xml;base64," in answer["part"]["html"]
    assert DRAWN == ["people [None]"]  # once


def test_a_picture_that_cannot_be_drawn_becomes_a_sentence(
    tmp_path: Path, journal: Journal
) -> None:
    (tmp_path / "a.json").write_text(ONE.record().dumps(), encoding="utf-8")
    cell = Debrief("wikipedia", "en", folder=tmp_path, journal=journal)
    browser = Page(cell)
    browser.look("folder")
    cell._shown[""][1][0] = Picture(lambda: bytes(1 // 0), "")
    answer = browser.say(type="draw", n=7, picture=0)
    assert answer["part"] == {"text": "This picture cannot be drawn (ZeroDivisionError)."}


def test_names_can_be_left_out_everywhere(tmp_path: Path, journal: Journal) -> None:
    (tmp_path / "a.json").write_text(ONE.record().dumps(), encoding="utf-8")
    for name in ("小明的.json", "小明.json"):
        (tmp_path / name).write_text(
            "damaged" if name == "小明.json" else ONE.record().dumps(), encoding="utf-8"
        )
    browser = Page(Debrief("wikipedia", "zh-Hant", folder=tmp_path, journal=journal))
    assert "小明" in json.dumps(browser.look("folder"), ensure_ascii=False)
    answer = browser.look("folder", names=False)
    page = browser.say(type="page", names=False, source="folder")
    assert "小明" not in json.dumps([answer, page], ensure_ascii=False)
    assert "('玩家 1', '玩家 2')" in first(answer)[1]
    assert answer["refused"][0].startswith("第 2 個檔案")
    assert "第 1 個檔案" in answer["refused"][1]  # the same match
    content = {"first": True, "last": True, "text": "damaged"}
    browser.say(type="file", name="小明.json", **content)
    assert "小明" in str(browser.look("files"))
    assert "小明" not in str(browser.look("files", names=False))
    assert ONE.names == ("<b>小明</b>", "Bo")


def test_the_page_to_keep_says_everything_and_loads_and_runs_nothing(
    tmp_path: Path, journal: Journal
) -> None:
    (tmp_path / "a.json").write_text(ONE.record().dumps(), encoding="utf-8")
    browser = Page(Debrief("wikipedia", "en", folder=tmp_path, journal=journal))
    answer = browser.say(type="page", names=True, source="folder")
    assert (answer["name"], answer["mime"]) == ("coursekit-debrief.html", "text/html")
    for says in (
        "Wikipedia and Books: looking back",
        f"One match, 2 players, finished. 1 file does {UNKNOWN}",
        "&lt;i&gt;Title&lt;/i&gt;",
        "&lt;b&gt;小明&lt;/b&gt;",
        "Why?",
        "data:image/svg+xml;base64,",
        "Give one example",
        '<p class="source">http://&lt;b&gt;there&lt;/b&gt;</p>',
    ):
        assert says in answer["text"]
    for ticked, there in (([], False), ([0], True), ([3], False), (None, True)):
        content = browser.say(type="page", names=True, source="folder", moments=ticked)["text"]
        assert (
            "&lt;i&gt;Title&lt;/i&gt;" in content
        ) == there  # those that are ticked, all if nothing is said
        assert "Give one example" in content
    for never in ("<script", 'src="http', "url(", "https:", "<i>Title", "<b>"):
        assert never not in answer["text"]


def test_nothing_of_a_match_is_in_what_a_notebook_saves(tmp_path: Path, journal: Journal) -> None:
    (tmp_path / "a.json").write_text(ONE.record().dumps(), encoding="utf-8")
    cell = Debrief("wikipedia", "en", folder=tmp_path, journal=journal)
    Page(cell).look("folder")
    saved = json.dumps(cell.get_state(), default=str, ensure_ascii=False)
    assert "Which matches" in saved
    assert "小明" not in saved
    assert "Title" not in saved


def test_a_mistake_in_a_games_module_becomes_a_sentence(
    tmp_path: Path, journal: Journal, teach: Teach
) -> None:
    def broken(*given: Any) -> list[Moment]:
        raise KeyError("the ace of spades")

    teach("wikipedia", moments=broken)
    (tmp_path / "a.json").write_text(ONE.record().dumps(), encoding="utf-8")
    answer = Page(Debrief("wikipedia", "en", folder=tmp_path, journal=journal)).look("folder")
    assert answer["why"] == "What is worth talking about cannot be worked out (KeyError)."
    assert "spades" not in json.dumps(answer)


@pytest.mark.parametrize(
    "content",
    [
        None,
        3,
        [],
        {},
        {"type": "look"},
        {"type": "look", "source": 3},
        {"type": "file", "name": 1, "text": "x"},
        {"type": "file", "name": "x", "text": 1},
        {"type": "draw"},
        {"type": "draw", "picture": 0},
        {"type": "draw", "n": 1, "picture": True},
        {"type": "page"},
        {"type": "nothing"},
    ],
)
def test_other_messages_are_refused(content: Any, journal: Journal) -> None:
    cell = Debrief("wikipedia", "en", journal=journal)
    browser = Page(cell)
    send(cell, content)
    assert [answer["type"] for answer in browser.got] == ["refused"]


def test_a_source_that_is_not_there_has_nothing(journal: Journal, tmp_path: Path) -> None:
    browser = Page(Debrief("wikipedia", "en", journal=journal, folder=tmp_path / "nowhere"))
    assert "There are no record files" in browser.look("folder")["why"]
    for source in ("table", "files", "/etc", ""):
        assert browser.look(source)["moments"] == []


@pytest.mark.parametrize(
    ("over", "says"), [(True, "Nothing stands out in what"), (False, "So far nothing stands out")]
)
def test_where_nothing_stands_out_it_says_what_to_do(
    journal: Journal, tmp_path: Path, teach: Teach, over: bool, says: str
) -> None:
    teach("wikipedia", moments=lambda *given: [])
    (tmp_path / "a.json").write_text(
        (ONE if over else Match(GAME, "new")).record().dumps(), encoding="utf-8"
    )
    browser = Page(Debrief("wikipedia", "en", folder=tmp_path, journal=journal))
    answer = browser.look("folder")
    assert says in answer["why"]
    assert answer["played"] == 1  # so the first and the last question can be asked
    page = browser.say(type="page", source="folder")["text"]
    assert page.count(says) == 1
    assert "Say in one word how it felt" in page


# Names


def test_names_are_shown_only_if_somebody_asks_for_them(tmp_path: Path, journal: Journal) -> None:
    journal.agree("wikipedia", True)
    journal.keep_match("1", "wikipedia", ONE.record().dumps(), True, [0, 1])
    (tmp_path / "a.json").write_text(OTHER.record().dumps(), encoding="utf-8")
    browser = Page(Debrief("wikipedia", "en", folder=tmp_path, journal=journal))
    browser.say(type="file", name="小明.json", text=THIRD.record().dumps(), first=True, last=True)
    assert {each["value"] for each in browser.got[-1]["sources"]} == {"kept", "folder", "files"}
    for source in ("kept", "folder", "files"):
        for asked in ({}, {"names": False}, {"names": True}):
            for kind in ("look", "page"):
                answer = browser.say(type=kind, n=7, source=source, **asked)
                assert ("小明" in json.dumps(answer, ensure_ascii=False)) == asked.get(
                    "names", False
                )


# Several views of one cell


def test_each_view_gets_its_own_answers(tmp_path: Path, journal: Journal) -> None:
    for name, match in (("a", ONE), ("b", OTHER)):
        (tmp_path / f"{name}.json").write_text(match.record().dumps(), encoding="utf-8")
    cell = Debrief("wikipedia", "en", folder=tmp_path, journal=journal)
    browser = Page(cell)
    assert browser.say(type="open", **{"from": "one"})["to"] == "one"
    assert browser.look("folder", **{"from": "one"})["to"] == "one"
    (tmp_path / "b.json").unlink()
    assert browser.look("folder", **{"from": "other"})["to"] == "other"
    drawn = [
        browser.say(type="draw", n=7, picture=0, **{"from": view}) for view in ("one", "other")
    ]
    assert [each["to"] for each in drawn] == ["one", "other"]
    assert DRAWN == [
        "people [None, None]",
        "people [None]",
    ]  # the number of the look is the same, the pictures are not
    assert browser.say(type="page", source="folder", **{"from": "other"})["to"] == "other"
    for view in map(str, range(100)):
        browser.look("folder", **{"from": view})
    assert len(cell._shown) == debriefing.VIEWS
    assert browser.look("folder", **{"from": "x" * 61})["to"] == ""


def test_files_that_two_views_send_at_once_do_not_mix(journal: Journal) -> None:
    browser = Page(Debrief("wikipedia", "en", journal=journal))
    browser.say(type="open")
    a, b, c = (match.record().dumps() for match in (ONE, OTHER, THIRD))
    for view, name, content, first_one, last in (
        ("one", "a", a, True, False),
        ("other", "b", b, True, False),
        ("one", "c", c, False, True),
    ):
        browser.say(
            type="file", name=name, text=content, first=first_one, last=last, **{"from": view}
        )
    assert (browser.got[-1]["to"], browser.got[-1]["now"]) == ("one", "files")
    assert [name for name, _ in browser.cell._files] == ["a", "c"]
    browser.say(type="file", name="d", text="", first=False, last=True, **{"from": "other"})
    assert [name for name, _ in browser.cell._files] == ["b", "d"]  # those that were chosen last


# For those who read code


def test_moments_are_a_list_and_show_themselves() -> None:
    told = find_moments("wikipedia", [ONE], "en")
    assert [each.name for each in told] == ["all"]
    html = told._repr_html_()
    assert type(html) is str
    assert "&lt;i&gt;Title&lt;/i&gt;" in html
    assert "<i>Title" not in html
    assert "Why?" in html
    assert "nothing has happened" in find_moments("wikipedia", [], "en")._repr_html_()


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="There is no game 'chess'"):
        find_moments("chess", [], "en")
    with pytest.raises(ValueError, match="no language 'fr'"):
        Debrief("wikipedia", "fr")
    with pytest.raises(ValueError, match="one of the matches is of wikipedia"):
        find_moments("wizard", [ONE], "en")
    with pytest.raises(ValueError, match="the table plays wikipedia"):
        Debrief("wizard", "en", table=Table("wikipedia"))


@pytest.mark.parametrize("game", GAMES)
def test_any_game_can_be_asked(game: str) -> None:
    assert find_moments(game, [], "en") == []


# Times


def test_times_are_within_what_can_be_set_and_named_in_every_language() -> None:
    for timing, steps in TIMINGS.items():
        assert all(SHORTEST_STEP <= each.seconds <= LONGEST_STEP for each in steps)
        labels = [
            [each["label"] for each in strip(timing, language)["steps"]]
            for language in texts.LANGUAGES
        ]
        assert labels[0] != labels[1]
    assert [each.seconds for each in TIMINGS["pair"]] == [30, 120, 180]
    with pytest.raises(ValueError, match="'long' is not one of predict, opinion, pair, exit"):
        Reflect("wizard", 1, "en", timing="long")


def test_a_question_has_time_only_if_it_is_given() -> None:
    assert Reflect("wizard", 1, "en").strip == {}
    assert [each["label"] for each in Reflect("wizard", 1, "en", timing="pair").strip["steps"]] == [
        "Think",
        "Pair",
        "Share",
    ]
