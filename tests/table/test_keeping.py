"""What a table says of keeping its match, and one match in several pages."""

import json
import os
import sqlite3

import pytest
from playing import Scribbles, at_the_sheets

from coursekit.core.strategy import AtRandom
from coursekit.games.knitwit import KnitWit
from coursekit.games.wizard import Options, Wizard
from coursekit.kit import GAMES
from coursekit.reflect import Journal
from coursekit.reflect.consent_cell import KeepMatches
from coursekit.table import Table
from coursekit.table.run import Run
from coursekit.table.storage import sqlite_store as stores
from coursekit.table.storage.sqlite_store import Store
from coursekit.words.texts import LANGUAGES

ELSEWHERE = "This match now goes on in another page."


@pytest.fixture(autouse=True)
def _impatient(monkeypatch):
    monkeypatch.setattr(stores, "PATIENCE", 0.05)


class Page:
    """A page with a table of its own, in a program of its own."""

    def __init__(
        self, folder, seats=("person", AtRandom, AtRandom), seed=1, run=None, language="en"
    ):
        self.run = run or Run(Wizard(len(seats), Options(short_game=3)), seats, seed=seed)
        self.table = Table(self.run, language=language, store=Store(folder))
        self.sent = []
        self.table.send = lambda content, buffers=None: self.sent.append(content)

    def tell(self, kind, **content):
        self.sent.clear()
        here = {key: self.view[key] for key in ("match", "branch", "acted", "events", "tick")}
        self.table.receive(json.loads(json.dumps(here | {"type": kind} | content)))
        return self.sent

    @property
    def view(self):
        return self.table.view

    def act(self):
        run = self.table._run
        if self.view["covered"]:
            self.tell("uncover", seat=self.view["covered"][0]["seat"])
        seat = run.game.to_act(run.match.state)[0]
        return self.tell("act", seat=seat, action=run.game.legal_actions(run.match.state, seat)[0])

    def legal(self):
        run = self.table._run
        return run.game.legal_actions(run.match.state, 0)

    def play_to_the_end(self):
        while not self.table._run.match.over:
            self.act()

    def open_again(self, folder, **more):
        """Return the page that the same browser opens next."""
        page = Page(folder, seed=2, **more)
        page.tell("hello", remembered=self.view["match"], same_tab=False)
        return page

    def log(self):
        return list(self.table._run.match.log)

    def boxes(self, kind=None):
        return [each["text"] for each in self.view["boxes"] if kind in (None, each["kind"])]

    def press(self, kind):
        (box,) = [each for each in self.view["boxes"] if each["kind"] == kind]
        self.sent.clear()
        return self.tell(kind=(send := dict(box["choices"][0]["send"])).pop("type"), **send)


def kept(folder, page):
    return list(Store(folder).load(page.view["match"])[0].log)


# One match in two pages


def both(folder):
    one = Page(folder)
    one.act()
    other = one.open_again(folder)
    other.tell("resume", match_id=other.view["offer"]["id"])
    return one, other


@pytest.mark.parametrize("kind", ["look", "hello", "cover", "language", "act"])
def test_a_page_is_told_at_its_next_message_that_another_has_its_match(tmp_path, kind):
    one, other = both(tmp_path)
    assert (one.boxes(), other.boxes()) == ([], [])
    one.tell(kind, language="en", seat=0, action=0)
    assert one.boxes() == [ELSEWHERE]
    assert other.boxes() == []


def test_nothing_that_is_done_in_the_other_page_counts(tmp_path):
    one, other = both(tmp_path)
    before = one.log()
    other.act()
    (answer,) = one.tell("act", seat=0, action=0)
    assert answer["text"] == ELSEWHERE
    for kind in ("more", "tick"):  # the page asks for these by itself
        assert all(answer["type"] == "ticked" for answer in one.tell(kind, seat=0, action=0))
    assert one.log() == before
    assert kept(tmp_path, one) == other.log()
    assert (one.view["more"], one.view["racing"]) == (False, 0)


def test_a_match_is_taken_back_as_it_stands_now(tmp_path):
    one, other = both(tmp_path)
    for _ in range(3):
        other.act()
    one.tell("look")
    assert one.press("elsewhere") == []
    assert (one.boxes(), one.log()) == ([], other.log())
    one.act()
    assert kept(tmp_path, one) == one.log()
    other.act()
    assert other.boxes() == [ELSEWHERE]
    assert len(one.log()) > len(other.log())


def test_what_two_pages_have_played_differently_is_kept_twice(tmp_path):
    """A page that could not keep what it played finds that another has gone on otherwise."""
    one = Page(tmp_path)
    one.act()
    while len(one.legal()) == 1:
        one.act()
    database = sqlite3.connect(tmp_path / "matches.sqlite3", isolation_level=None)
    database.execute("BEGIN IMMEDIATE")
    one.act()
    database.execute("ROLLBACK")
    other = one.open_again(tmp_path)
    other.tell("resume", match_id=other.view["offer"]["id"])
    other.tell("act", seat=0, action=other.legal()[-1])
    mine, theirs = one.log(), other.log()
    assert mine[: len(theirs)] != theirs
    one.tell("look")
    assert one.boxes() == [ELSEWHERE]
    one.press("elsewhere")
    assert one.boxes()[0].startswith("Both pages had played on differently")
    assert one.log()[: len(mine)] == mine
    assert kept(tmp_path, one) == one.log()
    assert kept(tmp_path, other) == theirs
    other.act()
    assert other.boxes() == []


def test_two_pages_that_take_turns_lose_no_action(tmp_path):
    one, other = both(tmp_path)
    for page in (one, other) * 8:
        before = kept(tmp_path, one)
        page.tell("look")
        if page.boxes():
            page.press("elsewhere")
        if not page.table._run.match.over:
            page.act()
        after = kept(tmp_path, one)
        assert after[: len(before)] == before
        assert after == page.log()


def test_a_reload_of_the_same_tab_takes_over_without_a_word(tmp_path, monkeypatch):
    monkeypatch.setenv("VOILA_BASE_URL", "/")
    one = Page(tmp_path)
    one.act()
    again = Page(tmp_path, seed=2)
    again.tell("hello", remembered=one.view["match"], same_tab=True)
    again.act()
    assert again.boxes() == []
    assert kept(tmp_path, one) == again.log()


# What is said


def sqlite_error(name):
    error = sqlite3.OperationalError("database or disk is full: /secret/place")
    error.sqlite_errorname = name
    return error


def _patched(name, error):
    patch = pytest.MonkeyPatch()

    def fails(*_, **__):
        raise error

    patch.setattr(Store, name, fails)
    return patch


REFUSALS = {
    "full": (sqlite_error("SQLITE_FULL"), "the disk is full"),
    "read-only": (sqlite_error("SQLITE_READONLY_DIRECTORY"), "can only be read, not written"),
    "locked": (sqlite_error("SQLITE_BUSY"), "another program is using the file"),
    "broken": (sqlite_error("SQLITE_IOERR_WRITE"), "the disk reports the error SQLITE_IOERR_WRITE"),
    "no room": (OSError(28, "No space left on device: /secret/place"), "the disk is full"),
}


@pytest.mark.parametrize("refusal", REFUSALS)
@pytest.mark.parametrize("people", [1, 3])
def test_what_is_not_kept_is_said_lastingly_and_when_it_is_kept_again(tmp_path, refusal, people):
    error, reason = REFUSALS[refusal]
    page = Page(tmp_path, ["person"] * people + [AtRandom] * (3 - people), seed="a secret seed")
    page.act()
    before = kept(tmp_path, page)
    patch = _patched("_append", error)
    for _ in range(3):
        page.act()
        (told,) = page.boxes("unkept")
        assert told.startswith(
            f"What is played here is not being kept: {'' if refusal == 'read-only' else reason}"
        )
        assert reason in told
        assert ("Save the match to a file" in told) == (people == 1)
    (answer,) = page.tell("save")
    assert answer["type"] == ("download" if people == 1 else "refused")
    state = json.dumps(page.view["boxes"])
    assert "secret" not in state
    assert str(tmp_path.parent) not in state
    assert kept(tmp_path, page) == before
    patch.undo()
    page.tell("look")
    assert page.boxes() == ["What is played here is being kept again."]
    assert kept(tmp_path, page) == page.log()
    page.act()
    assert page.boxes() == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_page_says_when_it_opens_that_nothing_will_be_kept(tmp_path, game, language):
    (tmp_path / "file").write_text("not a folder")
    page = Page(
        tmp_path / "file",
        run=Run(GAMES[game].standard(), ["person"] * GAMES[game].standard().players),
    )
    page.table._language = language
    page.tell("hello", remembered=None, same_tab=False)
    (told,) = page.boxes("unkept")
    assert "file" in told
    assert str(tmp_path) not in json.dumps(page.view["boxes"])


def test_a_match_that_could_not_be_looked_up_is_offered_as_soon_as_it_can_be(tmp_path):
    page = Page(tmp_path)
    page.act()
    patch = _patched("_open", sqlite_error("SQLITE_BUSY"))
    again = page.open_again(tmp_path)
    assert again.sent[0]["text"].startswith(
        "Kept matches cannot be opened now: another program is using the file."
    )
    assert again.view["offer"] is None
    again.tell("look")
    assert len(again.boxes("unkept")) == 1
    patch.undo()
    again.tell("look")
    assert again.view["offer"]["id"] == page.view["match"]
    assert again.boxes() == ["What is played here is being kept again."]


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.mkdir(),
        lambda path: path.write_bytes(b"SQLite format 3\0" * 300),
        lambda path: path.touch(),
        lambda path: path.write_bytes(b"\xff" * 100_000),
        lambda path: path.symlink_to(path),
        lambda path: path.symlink_to(path.parent / "nowhere" / "file"),
        lambda path: path.parent.rmdir(),
    ],
)
def test_there_is_always_a_table(tmp_path, damage):
    folder = tmp_path / "data"
    folder.mkdir()
    damage(folder / "matches.sqlite3")
    page = Page(folder)
    page.tell("hello", remembered="an id", same_tab=False)
    page.act()
    assert len(page.log()) > 0
    if not page.boxes("unkept"):
        assert kept(folder, page) == page.log()


def test_a_table_that_nobody_plays_at_says_nothing(tmp_path):
    (tmp_path / "file").write_text("not a folder")
    page = Page(tmp_path / "file", [AtRandom] * 3)
    page.tell("hello", remembered=None, same_tab=False)
    assert page.boxes() == []


def test_a_damaged_file_is_told_on_the_page_that_opens_next_until_it_is_noted(tmp_path):
    (tmp_path / "matches.sqlite3").write_bytes(b"\xff" * 9999)
    page = Page(tmp_path)
    page.tell("hello", remembered=None, same_tab=False)
    page.act()
    (told,) = page.boxes()
    assert "matches.damaged-1.sqlite3" in told
    page.press("told")
    assert page.boxes() == Page(tmp_path).boxes() == []


def test_a_page_whose_match_cannot_be_opened_says_why(tmp_path):
    page = Page(tmp_path)
    page.act()
    database = Store(tmp_path).database

    def refusal(kind, **content):
        (answer,) = Page(tmp_path, seed=2).tell(kind, **content)
        assert answer["type"] == "refused"
        return answer["text"]

    id = page.view["match"]
    (head,) = database.execute("SELECT head FROM matches").fetchone()
    database.execute("UPDATE matches SET head = ?", (json.dumps(json.loads(head) | {"rules": 99}),))
    for message in ({"kind": "hello", "remembered": id}, {"kind": "resume", "match_id": id}):
        assert "version 99 of the rules" in refusal(**message)
    database.execute("UPDATE matches SET head = NULL")
    for message in ({"kind": "hello", "remembered": id}, {"kind": "resume", "match_id": id}):
        assert "is damaged, so it cannot be opened" in refusal(**message)
    database.execute("DELETE FROM matches")
    assert "no longer on this computer" in refusal("resume", match_id=id)
    newer = Page(tmp_path, seed=2)
    database.execute("PRAGMA user_version = 3")
    os.utime(tmp_path / "matches.sqlite3")
    newer.table.session.autosave._store._close()
    (answer,) = newer.tell("resume", match_id=id)
    assert (
        answer["text"]
        == "Kept matches cannot be opened now: a newer coursekit has written the file. Try again later."
    )


# A finished match


@pytest.mark.parametrize("people", [1, 3])
def test_a_finished_match_is_offered_again_and_kept_on_request(tmp_path, people):
    seats = ["person"] * people + [AtRandom] * (3 - people)
    page = Page(tmp_path, seats)
    page.play_to_the_end()
    again, journal = page.open_again(tmp_path, seats=seats), Journal(tmp_path / "journal.json")
    cell = KeepMatches(again.table, "en", journal)  # as on a page: the match comes when it is there
    assert again.view["offer"]["title"].startswith("There is a finished match of yours")
    assert again.view["offer"]["resume"] == "Look at it again"
    again.tell("resume", match_id=again.view["offer"]["id"])
    assert again.view["scenes"][-1]["over"]
    assert again.view["story"] == page.view["story"]
    assert again.table.record == page.table.record
    (asked,) = again.boxes()  # nobody has answered yet
    assert asked.startswith("May matches you play here be kept")

    cell.receive({"type": "agree", "yes": True})
    assert again.boxes() == []
    (match,) = journal.matches()
    assert (match.record, match.over) == (page.table.record.dumps(), True)


def test_a_finished_match_is_offered_to_nobody_else(tmp_path):
    page = Page(tmp_path, ["person"] * 3)
    page.play_to_the_end()
    for remembered in (None, "", "%", page.view["match"][:-1]):
        other = Page(tmp_path, seed=2)
        other.tell("hello", remembered=remembered, same_tab=False)
        assert other.view["offer"] is None


def test_one_from_a_file_was_not_played_here(tmp_path):
    page = Page(tmp_path)
    page.play_to_the_end()
    other = Page(tmp_path / "other", seed=2)
    journal = Journal(tmp_path / "journal.json")
    cell = KeepMatches(other.table, "en", journal)
    other.tell("load", text=page.table.record.dumps())
    assert not other.table.resumed
    cell.receive({"type": "agree", "yes": True})
    assert journal.matches() == []


def test_what_is_said_of_keeping_holds_no_hand(tmp_path):
    """A match of several people in two pages, on a disk that fails: the boxes are the same whatever
    is dealt.
    """
    seen = set()
    for seed in range(3):
        folder = tmp_path / str(seed)
        one = Page(folder, ["person"] * 3, seed=f"secret {seed}")
        one.act()
        other = one.open_again(folder, seats=["person"] * 3)
        other.tell("resume", match_id=other.view["offer"]["id"])
        other.act()
        one.act()
        patch = _patched("_append", REFUSALS["full"][0])
        other.act()
        patch.undo()
        seen.add(json.dumps([one.view["boxes"], other.view["boxes"]]))
        for page in (one, other):
            assert "secret" not in json.dumps(page.table.get_state().get("view"))
    assert len(seen) == 1


def test_a_race_stops_where_it_is_not_played(tmp_path):
    one = Page(tmp_path, run=at_the_sheets(["person", Scribbles]).run)
    one.tell("tick")
    other = Page(tmp_path, run=Run(KnitWit(2), ["person", Scribbles], seed=1))
    other.tell("resume", match_id=one.view["match"])
    assert one.view["racing"] == other.view["racing"] == 1
    before = one.log()
    assert one.tell("tick")[0] == {"type": "ticked", "tick": one.view["tick"]}
    assert (one.view["racing"], one.log()) == (0, before)
    other.tell("tick")
    assert len(other.log()) > len(before)
    one.press("elsewhere")
    assert (one.view["racing"], one.log()) == (1, other.log())
