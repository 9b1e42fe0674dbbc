"""The journal keeps maps, judgements and matches beside answers, whatever happens to its file."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from cells import Browser
from disks import ordinary_user
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lanes import some

from coursekit.journal import entries as kept
from coursekit.journal import journal_file
from coursekit.journal.entries import (
    LARGEST_JOURNAL,
    LARGEST_MAP,
    MOST_MATCHES,
    OTHER_MAPS,
    RECORDS,
    mend,
)
from coursekit.reflect import Journal, JournalError
from coursekit.reflect.question_cell import Reflect

ROOT = Path(__file__).parents[2]


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(tmp_path / "journal.json")


def full(path: Path) -> Journal:
    """Return a journal with something in every part."""
    journal = Journal(path)
    journal.save("wizard/luck", "a little", "Luck?")
    journal.save_map("wikipedia/map", "{}")
    journal.judge("wikipedia/map", "Ann", "r3", "partly", "Books need authors")
    journal.agree("wizard", True)
    journal.keep_match("m1", "wizard", "record", True, [0])
    return journal


# Maps


def test_a_map_is_there_again(journal: Journal) -> None:
    saved = journal.save_map("wikipedia/map", "{一}", seen="")
    assert Journal(journal.path).maps() == {"wikipedia/map": saved}
    assert journal.save_map("wikipedia/map", "{一}", seen="") == saved
    journal.drop_map("wikipedia/map")
    assert journal.maps() == {}


def test_a_map_drawn_in_two_windows_keeps_both_at_most_so_many(journal: Journal) -> None:
    first = journal.save_map("a/b", "0", seen="")
    for number in range(1, OTHER_MAPS + 3):
        journal.save_map("a/b", str(number), seen=first.saved)
    now = journal.maps()["a/b"]
    assert now.text == str(OTHER_MAPS + 2)
    assert [words for words, _ in now.others] == [
        str(number) for number in range(2, OTHER_MAPS + 2)
    ]
    assert journal.save_map("a/b", "on", seen=now.saved).others == now.others
    looked_at = now.others[1:]
    assert journal.settle_map("a/b", looked_at).others == now.others[:1]
    journal.settle_map("a/b", now.others)
    assert journal.maps()["a/b"].others == ()


def test_a_map_has_a_limit(journal: Journal) -> None:
    with pytest.raises(JournalError, match="too large"):
        journal.save_map("a/b", "x" * (LARGEST_MAP + 1))
    assert journal.maps() == {}


def test_judgements_by_judge_until_they_are_taken_back_or_the_map_is_dropped(
    journal: Journal,
) -> None:
    journal.save_map("a/b", "{}")
    says = {"r1": "書需要作者", "r2": "書擋住作者"}
    journal.judge("a/b", " 小明 ", "r1", "yes", says["r1"])
    journal.judge("a/b", "小明", "r2", "no", says["r2"])
    journal.judge("a/b", "Ann", "r1", "partly", says["r1"])
    journal.judge("a/b", "小明", "r2", "", says["r2"])
    assert journal.judgements("a/b", says) == {"小明": {"r1": "yes"}, "Ann": {"r1": "partly"}}
    journal.judge("a/b", "Ann", "r1", "", says["r1"])
    assert "Ann" not in journal.judgements("a/b", says)
    for wrong in ("", "  ", "x" * 41):
        with pytest.raises(JournalError, match="1 to 40 characters"):
            journal.judge("a/b", wrong, "r1", "yes", "")
    with pytest.raises(ValueError, match="yes, partly, no"):
        journal.judge("a/b", "Ann", "r1", "maybe", "")
    journal.drop_map("a/b")
    assert journal.judgements("a/b", says) == {}


def test_a_judgement_counts_only_while_the_relation_says_what_was_judged(journal: Journal) -> None:
    journal.judge("a/b", "Ann", "r3", "yes", "The Book needs authors")
    assert journal.judgements("a/b", {"r3": "book needs authors!"}) == {"Ann": {"r3": "yes"}}
    for now in ({}, {"r3": "book blocks authors"}, {"r4": "book needs authors"}):
        assert journal.judgements("a/b", now) == {}
    journal.judge("a/b", "Ann", "r3", "no", "book blocks authors")
    assert journal.judgements("a/b", {"r3": "book blocks authors"}) == {"Ann": {"r3": "no"}}


def test_a_judgement_does_not_pass_to_another_proposition_of_a_journal_that_is_brought(
    tmp_path: Path,
) -> None:
    mine, newer = Journal(tmp_path / "mine.json"), Journal(tmp_path / "newer.json")
    mine.save_map("a/b", "{}")
    mine.judge("a/b", "Ann", "r3", "yes", "books need authors")
    newer.save_map("a/b", "[]")
    mine.bring(newer.exported())
    assert mine.judgements("a/b", {"r3": "authors write books"}) == {}


# Matches


def test_matches_are_kept_only_when_it_was_agreed_to(journal: Journal) -> None:
    assert journal.agreed("wizard") is None
    journal.keep_match("m1", "wizard", "…", False, [0])
    journal.agree("wizard", False)
    journal.keep_match("m1", "wizard", "…", False, [0])
    assert (journal.agreed("wizard"), journal.matches()) == (False, [])
    journal.agree("wizard", True)
    journal.keep_match("m1", "wizard", "begun", False, [0])
    assert journal.agreed("knitwit") is None
    journal.keep_match("m2", "knitwit", "…", True, [0])
    assert journal.matches("knitwit") == []
    journal.agree("knitwit", True)
    journal.keep_match("m2", "knitwit", "other", True, [0, 1])
    journal.keep_match("m1", "wizard", "ended", True, [0])
    assert [
        (match.match_id, match.record, match.over, match.people) for match in journal.matches()
    ] == [
        ("m2", "other", True, (0, 1)),
        ("m1", "ended", True, (0,)),
    ]
    assert [match.match_id for match in journal.matches("knitwit")] == ["m2"]
    journal.agree("wizard", False)
    assert len(journal.matches()) == 2
    journal.forget_matches()
    assert ([journal.agreed(game) for game in ("wizard", "knitwit")], journal.matches()) == (
        [False, True],
        [],
    )


def test_the_oldest_matches_make_room(journal: Journal) -> None:
    journal.agree("wizard", True)
    for number in range(MOST_MATCHES + 2):
        journal.keep_match(f"m{number}", "wizard", "x", True, [0])
    assert [match.match_id for match in journal.matches()] == [
        f"m{number}" for number in range(2, MOST_MATCHES + 2)
    ]
    journal.keep_match("large", "wizard", "字" * (RECORDS // 3), True, [0])
    assert [match.match_id for match in journal.matches()] == ["large"]
    with pytest.raises(JournalError, match="over 3 MB"):
        journal.keep_match("too large", "wizard", "字" * (RECORDS // 3 + 1), True, [0])
    assert [match.match_id for match in journal.matches()] == ["large"]


def test_two_processes_keep_everything_that_both_write(journal: Journal) -> None:
    code = (
        "import sys; from coursekit.reflect import Journal\n"
        "j, me = Journal(sys.argv[1]), sys.argv[2]\n"
        "j.agree('wizard', True)\n"
        "for n in range(8):\n"
        "    j.save(f'{me}/{n}', 'x', '?'); j.save_map(f'{me}/{n}', '{}'); j.judge('a/b', me, str(n), 'yes', 'x')\n"
        "    j.keep_match(f'{me}{n}', 'wizard', 'r' * 500, True, [0])"
    )
    writers = [
        subprocess.Popen([sys.executable, "-c", code, str(journal.path), each])
        for each in ("one", "two")
    ]
    assert [each.wait() for each in writers] == [0, 0]
    assert (len(journal.answers()), len(journal.maps()), len(journal.matches())) == (16, 16, 16)
    said = journal.judgements("a/b", dict.fromkeys("01234567", "x"))
    assert {judge: len(words) for judge, words in said.items()} == {"one": 8, "two": 8}


# Damage

CHECKS = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)


@st.composite
def broken(draw: st.DrawFn) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the content of a journal in which one thing was replaced, and where."""
    entry = {"text": "words", "saved": "2026", "others": [{"text": "old", "saved": "2025"}]}
    match = {"game": "wizard", "record": "r", "saved": "2026", "over": True, "people": [0]}
    data: dict[str, Any] = {
        "journal": 1,
        "later": [1, {"a": None}],
        "answers": {"w/a": entry | {"question": "?"}, "w/b": dict(entry)},
        "maps": {"w/a": dict(entry), "w/b": dict(entry)},
        "judgements": {"w/a": {"Ann": {"r1": {"word": "yes", "about": "x"}}}, "w/b": {"Bo": {}}},
        "matches": {"a": dict(match), "b": dict(match)},
        "agreed": {"w": True, "x": False},
    }
    data = json.loads(json.dumps(data))
    place: Any = data
    way: tuple[str, ...] = ()
    for depth in range(draw(st.integers(1, 3)), 0, -1):
        part = draw(st.sampled_from([each for each in place if each != "journal"]))
        way = (*way, part)
        if depth == 1 or not isinstance(place[part], dict) or not place[part]:
            place[part] = draw(PLAIN)
            return data, way
        place = place[part]
    raise AssertionError


@settings(max_examples=some(120), deadline=None, suppress_health_check=CHECKS)
@given(case=broken())
def test_a_damaged_part_never_loses_the_others(
    tmp_path: Path, case: tuple[dict[str, Any], tuple[str, ...]]
) -> None:
    data, way = case
    journal = Journal(tmp_path / "journal.json")
    raw = json.dumps(data).encode()
    journal.path.write_bytes(raw)
    found = {
        "answers": journal.answers(),
        "maps": journal.maps(),
        "judgements": journal.whole().judgements,
        "matches": {match.match_id: match for match in journal.matches()},
    }
    for part, entries in found.items():
        intact = {"a", "b"} if part == "matches" else {"w/a", "w/b"}
        if part != way[0]:
            assert entries.keys() == intact
        elif len(way) > 1:
            assert entries.keys() >= intact - {way[1]}
    if way[0] != "agreed":
        assert journal.whole().agreed == {"w": True, "x": False}
    elif way[1:] == ("w",):
        assert journal.agreed("x") is False
    now = json.loads(journal.path.read_bytes())
    if way[0] != "later":
        assert now["later"] == [1, {"a": None}]
    aside = journal.damaged
    assert [each.read_bytes() for each in aside] == (
        [] if repr(now) == repr(json.loads(raw)) else [raw]
    )
    assert not mend(now)  # nothing is left to put aside
    for each in aside:
        each.unlink()


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"maps": {"a/b": {"text": "{}"}}},
        {"answers": {"a/b": {"text": "mine", "others": [{"text": "old"}]}}},
        {"matches": {"m": {"game": "wizard", "record": "r", "over": True, "people": []}}},
    ],
)
def test_what_is_only_missing_is_no_damage(journal: Journal, data: dict[str, Any]) -> None:
    raw = json.dumps({"journal": 1, **data})
    journal.path.write_text(raw)
    whole = journal.whole()
    assert (journal.path.read_text(), journal.damaged, journal.set_aside) == (raw, [], None)
    assert [
        each.saved for each in (*whole.answers.values(), *whole.maps.values(), *whole.matches)
    ] == [""] * len(data)
    journal.save("a/c", "new", "?")
    assert journal.answers()["a/c"].text == "new"


def test_a_text_that_comes_back_is_the_newest_of_the_others(journal: Journal) -> None:
    for words in ("one", "two", "one", "three"):
        saved = journal.save("a/b", words, "?", seen="")
    assert [words for words, _ in saved.others] == ["two", "one"]
    assert saved.others[0][1] < saved.others[1][1]


def test_what_can_be_read_of_an_entry_is_kept(journal: Journal) -> None:
    entry = {
        "text": "mine",
        "saved": 5,
        "question": ["?"],
        "stars": 3,
        "others": [{"text": "old", "saved": "1"}, 7],
    }
    journal.path.write_text(
        json.dumps({"journal": 1, "answers": {"a/b": entry}, "matches": {"m": {"game": "wizard"}}})
    )
    assert journal.answers() == {"a/b": kept.Answer("mine", "", "", (("old", "1"),))}
    assert (
        [each.name for each in journal.damaged] == [journal.set_aside] == ["journal.damaged-1.json"]
    )
    assert json.loads(journal.path.read_text())["answers"]["a/b"]["stars"] == 3


def test_a_disk_that_fails_while_a_damaged_journal_is_mended_leaves_it(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = '{"journal": 1, "answers": {"a/b": {"text": "mine", "saved": 5}}}'
    journal.path.write_text(raw)

    def no_room(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", no_room)
        with pytest.raises(JournalError, match="the disk is full"):
            journal.answers()
    assert journal.path.read_text() == raw
    assert journal.damaged == []


# Bringing back


def test_a_journal_comes_back_whole_and_only_once(tmp_path: Path) -> None:
    before = full(tmp_path / "one.json")
    after = Journal(tmp_path / "two.json")
    content = before.exported()
    for counts in ((1, 1, 1), (0, 0, 0)):
        assert after.bring(content) == (*counts, True)
        assert after.whole() == before.whole()._replace(agreed={})  # that is asked anew
    after.agree("wizard", False)
    after.bring(content)
    assert after.agreed("wizard") is False


def test_of_what_both_journals_have_the_newer_counts_and_the_other_stays(tmp_path: Path) -> None:
    one, two = Journal(tmp_path / "one.json"), Journal(tmp_path / "two.json")
    for journal, words in ((one, "old"), (two, "new")):
        journal.save("a/b", words, "?")
        journal.save_map("a/b", words)
        journal.judge("a/b", "Ann", "r1", "no" if journal is one else "yes", "x")
        journal.judge("a/b", words, "r1", "partly", "x")
    content = two.exported()
    two.bring(one.exported())
    one.bring(content)
    for journal in (one, two):
        for entry in (journal.answers()["a/b"], journal.maps()["a/b"]):
            assert (entry.text, [words for words, _ in entry.others]) == ("new", ["old"])
        said = {"Ann": {"r1": "yes"}, "old": {"r1": "partly"}, "new": {"r1": "partly"}}
        assert journal.judgements("a/b", {"r1": "x"}) == said


def test_the_largest_journal_comes_back_and_no_larger_one_is_written(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "one.json")
    entry = {"text": "字" * LARGEST_MAP, "saved": "2026-01-01T00:00:00+00:00"}
    maps = {f"wizard/{number}": entry for number in range(8)}
    journal.path.write_text(
        json.dumps({"journal": 1, "answers": {}, "maps": maps}, ensure_ascii=False), "utf-8"
    )
    room = LARGEST_JOURNAL - len(journal.exported().encode()) - 200
    journal.save_map("wizard/last", "x" * room)
    before = journal.path.read_bytes()
    assert LARGEST_JOURNAL - 200 < len(before) <= LARGEST_JOURNAL
    with pytest.raises(JournalError, match="full at 50 MB"):
        journal.save("a/b", "y" * 300, "?")
    assert journal.path.read_bytes() == before
    other = Journal(tmp_path / "two.json")
    assert other.bring(journal.exported()) == (0, 9, 0, True)
    assert other.whole() == journal.whole()
    journal.drop_map("wizard/last")
    assert len(journal.maps()) == 8


TEXT = st.sampled_from(["", "one", "two", "three"])
VERSION = st.fixed_dictionaries(
    {"text": TEXT, "saved": st.sampled_from(["", "2026-01-01T00:00:00+00:00", "2026-01-02", "x"])}
)
ENTRY = st.builds(
    lambda version, others: version | {"others": others}, VERSION, st.lists(VERSION, max_size=2)
)


@settings(max_examples=some(80), deadline=None, suppress_health_check=CHECKS)
@given(mine=st.none() | ENTRY, theirs=ENTRY)
def test_no_text_of_either_journal_is_lost(
    tmp_path: Path, mine: dict[str, Any] | None, theirs: dict[str, Any]
) -> None:
    journal = Journal(tmp_path / "journal.json")
    both = [each for each in (mine, theirs) if each is not None]
    journal.path.write_text(
        json.dumps({"journal": 1, "answers": {} if mine is None else {"a/b": mine}})
    )
    content = json.dumps({"journal": 1, "answers": {"a/b": theirs}})
    journal.bring(content)
    once = journal.answers()["a/b"]
    texts = {version["text"] for each in both for version in (each, *each["others"])} - {""}
    assert {once.text, *(words for words, _ in once.others)} - {""} == texts
    journal.bring(content)
    assert journal.answers()["a/b"] == once


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("", "not a journal"),
        ("[]", "not a journal"),
        ('{"answers": {}}', "not a journal"),
        ("[" * 9999, "not a journal"),
        ('{"journal": 2}', "newer coursekit"),
        (" " * (LARGEST_JOURNAL + 1), "over 50 MB"),
    ],
)
def test_a_file_that_is_no_journal_changes_nothing_and_one_sentence_says_why(
    tmp_path: Path, content: str, told: str
) -> None:
    journal = full(tmp_path / "journal.json")
    before = journal.path.read_bytes()
    with pytest.raises(JournalError, match=told):
        journal.bring(content)
    assert journal.path.read_bytes() == before
    assert journal.damaged == []


def test_what_is_damaged_in_a_journal_that_is_brought_is_left_out(tmp_path: Path) -> None:
    journal = full(tmp_path / "journal.json")
    answers = {"a/b": {"text": "x" * 20_001, "saved": ""}, "a/c": {"text": "fine", "saved": ""}}
    theirs = {"journal": 1, "answers": answers, "matches": {"m": 5}, "later": [1]}
    assert journal.bring(json.dumps(theirs)) == (1, 0, 0, False)
    assert journal.answers().keys() == {"wizard/luck", "a/c"}
    assert json.loads(journal.exported())["later"] == [1]
    assert len(journal.matches()) == 1


# A disk that refuses, and programs that are killed

WRITER = """
import os, signal, sys
from coursekit.journal.journal import Journal
replace, saves = os.replace, iter(range(int(sys.argv[2])))
def replace_or_die(*paths):
    if next(saves, None) is None:
        os.kill(os.getpid(), signal.SIGKILL)
    replace(*paths)
os.replace = replace_or_die
for number in range(99):
    Journal(sys.argv[1]).save(f"a/{number}", f"a secret thought of {os.getpid()}", "?")
    print(number, flush=True)
"""


def killed_while_writing(path: Path, saves: int = 3) -> None:
    """Have a program killed at the moment when its last change is written and not yet in the
    journal.
    """
    command = [sys.executable, "-c", WRITER, str(path), str(saves)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ended.returncode, len(ended.stdout.split())) == (-signal.SIGKILL, saves), ended.stderr


def beside(journal: Journal) -> list[str]:
    """Return the files with a pupil's text that are no journal."""
    files = [each for each in journal.path.parent.iterdir() if each != journal.path]
    return [each.name for each in files if b"secret" in each.read_bytes()]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
def test_what_a_killed_program_has_left_is_gone_at_the_next_start(journal: Journal) -> None:
    for _ in range(3):
        killed_while_writing(journal.path)
    assert len(beside(journal)) == 1  # each start has removed what the one before had left
    assert len(journal.answers()) == 3
    assert beside(journal) == []


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
def test_deleting_removes_it_as_well_whenever_the_program_was_killed(journal: Journal) -> None:
    journal.save("a/b", "mine", "?")
    killed_while_writing(journal.path)
    other = journal.path.with_name(".journal.json.bak")
    other.write_text("somebody else's")
    assert len(beside(journal)) == 1
    journal.delete()
    assert beside(journal) == []
    assert other.exists()


HOLDER = """
import os, sys
from coursekit.journal.journal import Journal
def wait(*_):
    print("writing", flush=True)
    sys.stdin.readline()
    replace(*_)
replace, os.replace = os.replace, wait
Journal(sys.argv[1]).save("a/b", "a secret thought", "?")
"""


def test_a_journal_that_another_program_uses_for_long_is_told_and_its_work_left_alone(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_file, "PATIENCE", 0.1)
    command = [sys.executable, "-c", HOLDER, str(journal.path)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout
        assert other.stdout.readline() == "writing\n"
        for use in (lambda: journal.save("a/c", "x", "?"), journal.answers, journal.delete):
            with pytest.raises(JournalError, match="another program is using the file"):
                use()
        assert len(beside(journal)) == 1
        other.communicate("\n")
    journal.save("a/c", "x", "?")
    assert journal.answers().keys() == {"a/b", "a/c"}


def test_a_read_only_journal_can_be_read_and_says_so(shared: Path) -> None:
    journal = full(shared / "journal.json")
    before = journal.whole()
    browser = Browser(Reflect("wizard", 1, "en", journal))
    assert browser.say(type="open")["notice"] == ""
    with ordinary_user(shared):
        assert Journal(journal.path).whole() == before
        assert json.loads(Journal(journal.path).exported())["agreed"] == {"wizard": True}
        told = browser.say(type="open")["notice"]
        assert (
            f"{shared.name}/journal.json cannot be written (the folder {shared.name} can only be read"
            in told
        )
        assert str(shared) not in told
        with pytest.raises(JournalError, match="can only be read, not written"):
            journal.save("a/c", "x", "?")
    journal.save("a/c", "x", "?")
    assert browser.say(type="open")["notice"] == ""


def test_a_damaged_read_only_journal_is_called_so(shared: Path) -> None:
    journal = Journal(shared / "journal.json")
    journal.path.write_text("nonsense")
    with ordinary_user(shared), pytest.raises(JournalError, match="its content is damaged"):
        journal.answers()
    assert journal.path.read_text() == "nonsense"


# Deleting, and the description


def test_deleting_leaves_nothing_of_it(tmp_path: Path) -> None:
    journal = full(tmp_path / "journal.json")
    journal.path.with_name("journal.damaged-1.json").write_text("secret")
    journal.path.with_name("other.damaged-1.json").write_text("somebody else's")
    journal.delete()
    left = {each.name: each.read_text() for each in tmp_path.iterdir()}
    assert left == {".journal.json.lock": "", "other.damaged-1.json": "somebody else's"}
    journal.delete()
    assert journal.answers() == {}
    assert journal.agreed("wizard") is None


def test_what_belongs_to_one_game_can_be_deleted_and_the_rest_stays(tmp_path: Path) -> None:
    journal = full(tmp_path / "journal.json")
    journal.save("wikipedia/cite", "no", "?")
    journal.agree("wikipedia", True)
    journal.keep_match("m2", "wikipedia", "record", True, [0])
    journal.path.with_name("journal.damaged-1.json").write_text("secret")
    journal.delete("wikipedia")
    whole = journal.whole()
    assert (list(whole.answers), whole.maps, whole.judgements) == (["wizard/luck"], {}, {})
    assert (
        [match.match_id for match in whole.matches],
        whole.agreed["wizard"],
        len(journal.damaged),
    ) == (
        ["m1"],
        True,
        1,
    )


def test_the_file_is_what_the_documentation_says(tmp_path: Path) -> None:
    """Every field of the example is one that the kit writes, every field has its line, and the
    limits are told.
    """
    page = (ROOT / "docs/extend/journal.md").read_text(encoding="utf-8")
    example = json.loads(page.split("```json\n")[1].split("```")[0])
    journal = full(tmp_path / "journal.json")
    journal.save("wizard/luck", "mine", "Luck?", seen="")
    journal.save_map("wikipedia/map", "[]", seen="")
    shape = {
        part: fields(content) for part, content in json.loads(journal.path.read_text()).items()
    }
    assert {part: fields(content) for part, content in example.items()} == shape
    told = {line.split("`")[1] for line in page.splitlines() if line.startswith("| `")}
    everything = set(shape).union(*(each for part, each in shape.items() if part != "judgements"))
    assert told == everything | {"nameless"}  # stands only in a journal that is downloaded
    sizes = (LARGEST_JOURNAL, LARGEST_MAP, RECORDS, kept.LONGEST_ANSWER, kept.LONGEST_NAME)
    for limit in (*sizes, kept.OTHER_ANSWERS, OTHER_MAPS, MOST_MATCHES):
        assert f"{limit:,}" in page
    assert not mend(example)


def fields(content: Any) -> set[str]:
    """Return the fields that the entries of a part have."""
    return (
        set().union(*(entry for entry in content.values() if isinstance(entry, dict)))
        if isinstance(content, dict)
        else set()
    )
