"""A league and those who would rather not play by its rules."""

import os
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import dedent
from typing import Any

import psutil
import pytest
from lanes import LACKS

from coursekit.cli import main
from coursekit.core.errors import LocalizedError
from coursekit.core.match import Record, play_out, replay
from coursekit.core.strategy import AtRandom, StrategyError
from coursekit.games.wikipedia import Options, Wikipedia
from coursekit.games.wizard import Options as WizardOptions
from coursekit.games.wizard import Wizard
from coursekit.kit import GameKit, kit_of
from coursekit.league import referee, tournament
from coursekit.league.entry_files import find_entries
from coursekit.league.referee import (
    Process,
    read_stop,
    remote_strategy,
    watch_entries,
)
from coursekit.league.sandbox import find_sandbox
from coursekit.league.standing_page import render_standing, tabulate
from coursekit.league.tournament import STRIKES, League, check, check_sources, play_league
from coursekit.words.texts import LANGUAGES

GAME = Wikipedia(2, Options(points_to_win=2))
HEAD = (
    "import ctypes, os, random, sys, time\nfrom coursekit.core.strategy import AtRandom, Strategy\n"
)


def entry(body: str) -> str:
    """Return the source of an entry whose moves do *body*."""
    return (
        f"{HEAD}class Entry(AtRandom):\n    time_limit = 0.2\n    def decide(self, obs):\n"
        + "\n".join(f"        {line}" for line in dedent(body).strip().splitlines())
    )


STOPPED = {
    "raises": ("1 / 0", "line 6 .*ZeroDivisionError"),
    "is illegal": ("return 'nonsense'", "'nonsense'"),
    "sleeps": ("time.sleep(9)", "Entry.decide thought for more than 0.2 seconds .* line 6"),
    "loops": ("while True: pass", "thought for more than 0.2 seconds .* line 6"),
    "loops and catches": (
        "while True:\n    try:\n        while True: pass\n    except: pass",
        "thought for more",
    ),
    "loops in C": ("sum(range(10**12))", "could not be interrupted"),
    "recurses": ("return self.decide(obs)", "RecursionError"),
    "fills memory": ("a = [0] * 10**8; b = a * 3", "more than 512 MB of memory .* line 6"),
    "prints": ("print('x' * 10**6)", "an entry may print 65536 characters"),
    "leaves": ("os._exit(0)", "ended its own process"),
    "raises SystemExit": ("sys.exit()", "wanted to end all of Python"),
    "raises a base": ("raise BaseException('mine')", "BaseException: mine"),
    "catches SIGTERM": (
        "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\nsum(range(10**12))",
        "could not be interrupted",
    ),
    "forks": ("os.fork()", "os.fork"),
    "forks behind the back": (
        "if not ctypes.CDLL(None).fork(): ctypes.CDLL(None).setsid(); ctypes.CDLL(None).sleep(99)\nos._exit(0)",
        "ended its own process",
    ),
    "answers twice": (
        "os.write(5, b'{}\\n' * 9); os.write(4, b'{}\\n' * 9)\nsum(range(10**12))",
        ".",
    ),
    "answers a list": ("return [obs]", "no action|chose"),
}
HARMLESS = {
    "patches random": "random.random = random.Random.random = lambda *_: 0.5\nreturn super().decide(obs)",
    "patches the rules": (
        "from coursekit.games.wikipedia.rules.game import Wikipedia\n"
        "Wikipedia.scores = lambda self, state: [999, 0]; Wikipedia.winners = lambda self, state: (0,)\n"
        "return super().decide(obs)"
    ),
}


def entries() -> list[psutil.Process]:
    """Return the processes of this test's entries that are still there, wherever; tests beside it
    have their own.
    """
    league = []
    for each in psutil.process_iter(["cmdline", "environ"]):
        own = (each.info["environ"] or {}).get("TMPDIR", "").startswith(os.environ["TMPDIR"])
        if own and "coursekit.league.entry_process" in (each.info["cmdline"] or ()):
            league.append(each)
    return league


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(referee, "HARD", 0.4)
    monkeypatch.setattr(referee, "GRACE", 0.3)
    monkeypatch.setenv("TMPDIR", str(tmp_path))  # entries have folders in it
    monkeypatch.setattr(tempfile, "tempdir", None)


@pytest.fixture
def eye() -> Iterator[None]:
    """A referee, which leaves nothing behind."""
    with watch_entries():
        yield
    assert entries() == []
    assert not [*Path(tempfile.gettempdir()).glob("coursekit-entry-*")]


def played(source: str, inside: Sequence[str]) -> Any:
    process = Process(GAME, "entry.py", source, inside)
    try:
        assert entries()  # or their end would show nothing
        return play_out(GAME, [remote_strategy(process), AtRandom], "1")
    finally:
        process.close()


@pytest.mark.one_in(4)
@pytest.mark.skipif(sys.platform == "win32", reason="fork, SIGTERM and setsid are POSIX")
@pytest.mark.parametrize("name", STOPPED)
def test_who_cheats_or_errs_is_stopped_with_the_reason(name: str, eye: None) -> None:
    body, why = STOPPED[name]
    with pytest.raises(StrategyError) as raised:
        played(entry(body), [])
    stopped = read_stop(raised.value)
    assert stopped[0] == 0
    for language in LANGUAGES:
        assert stopped[1].sentence(language)
    assert re.search(why, stopped[1].sentence("en")), stopped[1].sentence("en")


@pytest.mark.parametrize("name", HARMLESS)
def test_what_an_entry_patches_is_its_own(name: str, eye: None) -> None:
    match = played(entry(HARMLESS[name]), [])
    assert match.over
    assert replay(match.record()).state == match.state


def test_an_entry_finds_neither_files_nor_a_network_in_bubblewrap(
    tmp_path: Path, eye: None
) -> None:
    if not (inside := find_sandbox(GAME).command):
        pytest.skip(f"{LACKS}bubblewrap: install it, and let it make namespaces")
    secret = tmp_path / "secret"
    secret.write_text("here")
    assert played(entry("return super().decide(obs)"), inside).over
    look = f"raise ValueError([os.path.exists(each) for each in ({str(secret)!r}, '/etc/passwd', '/sys/class/net')])"
    with pytest.raises(StrategyError) as raised:
        played(entry(look), inside)
    stopped = read_stop(raised.value)
    assert "[False, False, False]" in stopped[1].sentence("en")


def test_an_entry_knows_neither_the_seed_of_the_match_nor_a_hand(eye: None) -> None:
    """It says all that it can reach: its observation, its chance and its process."""
    said = entry(
        "import gc\nraise ValueError([each for each in gc.get_objects() if type(each).__name__ == 'State'])"
    )
    with pytest.raises(StrategyError) as raised:
        played(said, [])
    stopped = read_stop(raised.value)
    assert stopped[1].sentence("en").endswith("ValueError: []")


GOOD = f"{HEAD}from coursekit.games.wikipedia.strategies import Editor\nclass Good(Editor): pass\n"
PLAIN = f"{HEAD}class Plain(AtRandom): pass\n"
ENDLESS = entry("while True: pass")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("league")
    for name, source in {
        "ann": GOOD,
        "bob": PLAIN,
        "cyd": ENDLESS,
        "dan": "x = (",
        "eve": "x = 1",
    }.items():
        (folder / f"{name}.py").write_text(source)
    return folder


def paths(folder: Path, *names: str) -> dict[str, Path]:
    return {f"{name}.py": folder / f"{name}.py" for name in names}


@pytest.mark.slow
def test_a_league_is_the_same_for_any_number_of_referees_and_puts_out_who_is_stopped(
    folder: Path,
) -> None:
    league = [
        play_league(GAME, paths(folder, "ann", "bob", "cyd"), 20, "s", secret="t", referees=each)
        for each in (1, 2)
    ]
    assert entries() == []
    one, other = (
        [line._replace(stopped=(), seconds=0) for line in each.standing()] for each in league
    )
    assert one == other
    first, *_, last = league[0].standing()
    assert (first.name, first.strategy, last.name) == ("ann.py", "Good", "cyd.py")
    assert (len(last.stopped) >= STRIKES, last.out, last.won) == (True, True, 0)
    assert all(each.stopped is None or not each.numbers for each in league[0].outcomes)
    assert all(
        each.tables >= league[0].rounds for each in league[0].standing() if not each.out
    )  # drawn again
    deals = [each.fixture.deal for each in league[0].outcomes]
    assert len({*deals}) == len(deals)
    record = Record.loads(league[0].final())
    assert replay(record).over
    for language in LANGUAGES:
        page = render_standing(league[0], language, over=True)
        assert page.index("ann.py") < page.index("bob.py") < page.index("cyd.py")
        assert "http-equiv" not in page


def test_seats_that_are_left_over_go_to_the_kits_own_strategy_which_is_named(folder: Path) -> None:
    game = Wikipedia(4, GAME.options)
    league = play_league(game, paths(folder, "ann", "bob"), 4, "s", referees=1)
    assert {each.name for each in league.standing()} == {"ann.py", "bob.py"}
    *_, own = tabulate(league, "en").rows
    assert own[:3] == ("coursekit", kit_of(game).strategies[-1].__name__, 1)
    assert "Seasoned editor" in render_standing(league, "en", over=True)


def test_who_is_stopped_in_a_later_seating_is_named(tmp_path: Path) -> None:
    (tmp_path / "ann.py").write_text(entry("return super().decide(obs)"))
    (tmp_path / "bob.py").write_text(entry("if obs.me == 0: 1 / 0\nreturn super().decide(obs)"))
    league = play_league(GAME, paths(tmp_path, "ann", "bob"), 6, "s", referees=1)
    stopped = {line.name: len(line.stopped) for line in league.standing()}
    assert stopped["ann.py"] == 0
    assert stopped["bob.py"] > 0


def test_an_interrupted_league_returns_the_rounds_it_has(folder: Path) -> None:
    def interrupt(under_way: League) -> None:
        assert under_way.secret not in render_standing(under_way, "en", over=False)
        raise KeyboardInterrupt

    league = play_league(
        GAME,
        paths(folder, "ann", "bob"),
        20,
        referees=1,
        news=interrupt,
    )
    assert entries() == []
    assert len(league.outcomes) == 1
    assert league.secret in render_standing(league, "en", over=True)
    assert replay(Record.loads(league.final())).over


def test_a_league_that_is_interrupted_in_a_round_keeps_the_match_of_the_one_before(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rounds: list[League] = []
    wait = tournament.wait

    def interrupt(*given: Any) -> Any:  # while a referee plays
        if rounds:
            raise KeyboardInterrupt
        return wait(*given)

    monkeypatch.setattr(tournament, "wait", interrupt)
    files = paths(folder, "ann", "bob")
    league = play_league(GAME, files, 20, "s", referees=1, news=rounds.append)
    assert league.done == 1
    assert replay(Record.loads(league.final())).over


def test_files_are_checked_with_a_sentence_each(folder: Path) -> None:
    fine, wrong = check(GAME, find_entries(folder).paths)
    assert [*fine] == ["ann.py", "bob.py", "cyd.py"]
    assert {name: error.text for name, error in wrong.items()} == {
        "dan.py": "syntax.unclosed",
        "eve.py": "league.no_strategy",
    }
    for given in (paths(folder, "ann"), paths(folder, "ann", "dan")):
        with pytest.raises(LocalizedError):
            play_league(GAME, given, 2)


def test_a_trial_tells_what_an_entry_would_be_stopped_for() -> None:
    sources = [
        ("1.py", entry(body))
        for body in ("return super().decide(obs)", "return 'nonsense'", "1 / 0")
    ]
    good, wild, broken = check_sources(GAME, sources, trial=True)
    assert good == "Entry"
    assert re.search("^策略 Entry 選了 'nonsense'，不能這樣做：", wild.sentence("zh-Hant"))
    assert "line 6 (1 / 0): ZeroDivisionError" in broken.sentence("en")
    assert check_sources(GAME, sources) == ["Entry"] * 3
    assert entries() == []


def test_the_command_plays_a_folder(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Any
) -> None:
    monkeypatch.setenv("LANG", "en")
    (folder / "cyd.py").unlink()
    command = ["league", "wikipedia", str(folder), "--matches", "2", "--seed", "s", "--no-browser"]
    assert main([*command, "--language", "zh-Hant"]) == 0
    out = capsys.readouterr().out
    assert "dan.py 不能參加：第 1 行（x = (）的括號 ( 沒有關起來" in out
    assert "match.json" in out
    results = next(folder.glob("league-*"))
    assert {each.name for each in results.iterdir()} == {
        "match.json",
        "standing.csv",
        "standing-codebook.csv",
        "standing.html",
    }
    assert 'lang="zh-Hant"' in (results / "standing.html").read_text(encoding="utf-8")
    assert main(["league", "wikipedia", str(folder / "typo")]) == 2
    assert "There is no folder" in capsys.readouterr().err
    assert main(["league", "nothing", str(folder)]) == 2

    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(tournament, "check", interrupt)
        assert main(["league", "wikipedia", str(folder)]) == 130

    def refuse(*_: Any) -> None:  # as a game from outside does
        raise ValueError("three or four play, not 9")

    with monkeypatch.context() as patched:
        patched.setattr(GameKit, "standard", refuse)
        assert main(["league", "wikipedia", str(folder)]) == 2
    assert capsys.readouterr().err.endswith("three or four play, not 9\n")
    assert main(["league", "wikipedia", str(folder), "--matches", "0"]) == 2


SEARCHES = f"""{HEAD}
from coursekit.core.chance import stream
from coursekit.core.match import Match

SHORT = [a + b for a in ("", *"0123456789abcdef") for b in "0123456789abcdef"]

class Searches(AtRandom):
    def decide(self, obs):
        rules = type(self.game)(self.game.players, self.game.options)
        for seed in SHORT:
            for name in (f"{{seed}}/0.0/0/0", f"{{seed}}/0.0/0/1", seed):
                state = Match(rules, name).state
                if rules.observe(state, obs.me).hand == obs.hand:
                    raise ValueError("it knows " + seed)
        return super().decide(obs)
"""
"""Deals all short seeds, and looks whether one gives its own hand."""


def test_no_short_seed_gives_an_entry_its_own_hand(tmp_path: Path) -> None:
    game = Wizard(3, WizardOptions(rounds=(9,)))
    for name in ("ann", "bob", "cyd"):
        (tmp_path / f"{name}.py").write_text(SEARCHES)
    files = paths(tmp_path, "ann", "bob", "cyd")
    told = play_league(game, files, 3, "9b", secret="9b", referees=1)
    assert "it knows 9b" in str(told.outcomes[0].reason), "it would find a short one"
    league = play_league(game, files, 3, "9b", referees=1)
    assert [outcome.reason for outcome in league.outcomes] == [None]
    assert len(league.secret) == 32


@pytest.mark.slow
def test_the_secret_of_a_league_repeats_it(folder: Path) -> None:
    files = paths(folder, "ann", "bob")
    first = play_league(GAME, files, 6, "s", referees=1)
    again = play_league(GAME, files, 6, "s", secret=first.secret, referees=1)
    other = play_league(GAME, files, 6, "s", referees=1)
    deals = [[outcome.numbers for outcome in league.outcomes] for league in (first, again, other)]
    assert deals[0] == deals[1] != deals[2]
    tables = [[outcome.fixture.entries for outcome in each.outcomes] for each in (first, other)]
    assert tables[0] == tables[1]


def test_who_uses_up_its_share_loses_the_table_is_told_and_stays_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is within the limits of each decision; the share is as small as the test can wait."""
    monkeypatch.setattr(tournament, "share_of_time", lambda *_: 0.5)
    (tmp_path / "ann.py").write_text(GOOD)
    (tmp_path / "bob.py").write_text(entry("time.sleep(0.15)\nreturn super().decide(obs)"))
    league = play_league(GAME, paths(tmp_path, "ann", "bob"), 10, referees=1)
    assert league.rounds == 5
    one = league.standing()
    league.outcomes *= 4  # as in a longer league
    ann, bob = league.standing()
    assert (ann.name, bob.name, bob.out, bob.won) == ("ann.py", "bob.py", False, 0)
    assert {reason.text for reason in bob.stopped} == {"league.overtime"}
    assert bob.seconds > ann.seconds
    assert len(one) == 2
    for language in LANGUAGES:
        assert bob.stopped[0].sentence(language) in render_standing(league, language, over=True)


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("rounds_take", "played_rounds"), [(1, 20), (60, 5), (250, 1), (900, 1)])
def test_a_league_ends_before_a_round_that_does_not_fit(
    rounds_take: float,
    played_rounds: int,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = [1000.0]
    monkeypatch.setattr(tournament, "monotonic", lambda: clock[0])

    def note_result(league: League, number: int, _play: Any) -> None:
        clock[0] += rounds_take
        fixture = tournament.Fixture(number, "", (0, 1))
        numbers = {place: {"share": (50.0,), "points": (1.0,)} for place in (0, 1)}
        seconds = {0: 0.1, 1: rounds_take}
        league.outcomes.append(tournament.Outcome(fixture, numbers, seconds=seconds))

    monkeypatch.setattr(tournament, "_play_round", note_result)
    told: list[str] = []
    league = play_league(
        GAME,
        paths(folder, "ann", "bob"),
        40,
        minutes=5,
        news=lambda league: told.append(league.tell_time("en")),
    )
    assert league.done == played_rounds
    assert all("% of the time goes to bob.py" in words for words in told)
    assert "left" in told[-1]
