"""No entry ends a league, and none reaches the terminal, the files or the page with its text."""

import sys
from collections.abc import Callable, Sequence
from multiprocessing import active_children
from multiprocessing.context import SpawnProcess
from pathlib import Path

import hostile
import pytest

from coursekit.cli import main
from coursekit.games.wikipedia import Options, Wikipedia
from coursekit.league import referee, tournament
from coursekit.league.sandbox import Sandbox
from coursekit.league.standing_page import render_standing, write_standing
from coursekit.league.tournament import League, check, play_league
from coursekit.words.texts import LANGUAGES

GAME = Wikipedia(2, Options(points_to_win=2))
GOOD, NAME = "ann.py", "eve.py"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee, "HARD", 0.4)
    monkeypatch.setattr(referee, "GRACE", 0.3)
    monkeypatch.setattr(tournament, "STRIKES", 1)


def league_with(
    folder: Path,
    source: str,
    rounds: int = 1,
    good: Sequence[str] = (GOOD,),
    news: Callable[[League], None] = lambda _: None,
) -> League:
    """Play a league of *good* entries and one with *source*."""
    for name in good:
        (folder / name).write_text(hostile.GOOD)
    (folder / NAME).write_text(source, encoding="utf-8")
    files = {name: folder / name for name in (*good, NAME)}
    return play_league(GAME, files, rounds * GAME.players, "s", referees=1, news=news)


def seen_by_people(league: League, folder: Path) -> str:
    """Return all that people may read of *league*, and check that they can."""
    texts = [render_standing(league, language, over=True) for language in LANGUAGES]
    write_standing(league, folder / "results", "en", over=True)
    names = {path.name for path in (folder / "results").iterdir()}
    assert names >= {"standing.html", "standing.csv", "standing-codebook.csv"}
    assert not any(name.startswith(".") for name in names)
    for path in (folder / "results").iterdir():
        texts.append(path.read_text(encoding="utf-8"))
    for text in texts:
        letters = {letter for letter in text if not letter.isprintable()}
        assert letters <= {*"\n\ufeff\u200d\u00a0\u3000"}, letters
        assert "<html" not in text or ("<script" not in text and "<img" not in text)
    return texts[LANGUAGES.index("en")]


def is_unharmed(league: League) -> bool:
    line = next(line for line in league.standing() if line.name == GOOD)
    return line.tables > 0 and not line.stopped


def test_results_that_cannot_be_written_leave_those_before_as_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    league = League(GAME, "s", "t", ["a.py"], ["A"], Sandbox(), 1, 60.0, 10.0)
    write_standing(league, tmp_path, "en", over=False)
    before = (tmp_path / "standing.html").read_bytes()

    def fail(*_: object) -> str:
        raise OSError("the disk is full")

    monkeypatch.setattr(League, "final", fail)
    with pytest.raises(OSError, match="full"):
        write_standing(league, tmp_path, "en", over=True)
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [
        ("standing.html", before)
    ]


@pytest.mark.one_in(28)
@pytest.mark.parametrize("kind", hostile.STOPPED)
def test_whatever_an_entry_does_the_league_ends_with_results_and_names_it(
    kind: str, tmp_path: Path
) -> None:
    league = league_with(tmp_path, hostile.STOPPED[kind])
    page = seen_by_people(league, tmp_path)
    line = next(line for line in league.standing() if line.name == NAME)
    assert line.stopped
    assert f"{NAME}: " in page
    assert all(len(reason.sentence("en")) < 700 for reason in line.stopped)
    assert is_unharmed(league)
    assert not league.incidents


@pytest.mark.one_in(12)
@pytest.mark.parametrize("kind", hostile.LEFT_OUT)
def test_what_is_no_entry_is_left_out_with_a_reason(kind: str, tmp_path: Path) -> None:
    (tmp_path / NAME).write_text(hostile.LEFT_OUT[kind], encoding="utf-8")
    fine, wrong = check(GAME, {NAME: tmp_path / NAME})
    assert (fine, [*wrong]) == ({}, [NAME])
    for language in LANGUAGES:
        sentence = wrong[NAME].sentence(language)
        assert sentence.isprintable()
        assert len(sentence) < 700


@pytest.mark.one_in(4)
@pytest.mark.parametrize("kind", hostile.HARMLESS)
def test_what_harms_only_itself_plays_on(kind: str, tmp_path: Path) -> None:
    league = league_with(tmp_path, hostile.HARMLESS[kind])
    seen_by_people(league, tmp_path)
    assert all(line.tables and not line.stopped for line in league.standing())


def test_a_terminal_gets_nothing_but_lines_that_can_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number, source in enumerate([*hostile.LEFT_OUT.values(), *hostile.STOPPED.values()][:14:6]):
        (tmp_path / f"e{number}.py").write_text(source, encoding="utf-8")
    (tmp_path / "x\x1b[2J\u202e\n.py").write_text(hostile.named(repr("\x1b[2J")))
    (tmp_path / "y.py").write_text(hostile.GOOD)
    command = ["league", "wikipedia", str(tmp_path), "--matches", "2", "--no-browser"]
    assert main(command) == 0
    told = capsys.readouterr()
    assert all(letter.isprintable() or letter == "\n" for letter in told.out + told.err)
    assert told.out.count("\n") >= 5


@pytest.mark.one_in(7)
@pytest.mark.skipif(sys.platform == "win32", reason="these signals are POSIX")
@pytest.mark.parametrize("kind", hostile.KILLERS)
def test_who_ends_its_referee_is_named_and_the_rounds_are_kept(kind: str, tmp_path: Path) -> None:
    league = league_with(tmp_path, hostile.KILLERS[kind], 3, [GOOD, "bob.py"])
    seen_by_people(league, tmp_path)
    blamed = {line.name for line in league.standing() if line.stopped} | {*league.left_out}
    assert blamed == {NAME}
    assert league.incidents == []
    assert all(line.tables == 3 for line in league.standing() if line.name != NAME)


def test_a_referee_that_somebody_else_ends_is_replaced(tmp_path: Path) -> None:
    def end_referees(_league: League) -> None:
        for process in active_children():
            if isinstance(process, SpawnProcess):  # others are a tournament's of another test
                process.kill()

    league = league_with(tmp_path, hostile.GOOD, 3, news=end_referees)
    seen_by_people(league, tmp_path)
    assert [(line.tables, line.stopped) for line in league.standing()] == [(3, ()), (3, ())]
    assert "The referee at the table of ann.py, eve.py ended" in str(league.incidents[0])
