"""A ladder: versions that stay as they were, and what a version takes along."""

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from coursekit.core.errors import LocalizedError
from coursekit.games.wizard import Options, Wizard
from coursekit.kit import kit_of
from coursekit.league.ladder import Ladder, collect_source
from coursekit.league.tournament import check
from coursekit.words.texts import format_signed

GAME = Wizard(4, Options(short_game=2))
IMPORTS = "from coursekit.cells import check, explore\nfrom coursekit.core.strategy import Strategy"
HELPER = (
    "%matplotlib inline",
    "MOST = 3\nunused = 2",
    "def most(obs):\n    return min(MOST, obs.size)",
)
MINE = "class Mine(Strategy):\n    def bid(self, obs):\n        return most(obs)"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """``run(cell, …)`` runs cells as a notebook does, and returns the last class that they have
    made.
    """
    main = sys.modules["__main__"]
    monkeypatch.setattr(main, "In", [""], raising=False)
    names: dict[str, Any] = {"__name__": "__main__"}

    def cells(*sources: str) -> Any:
        for source in sources:
            main.In.append(source)  # type: ignore[attr-defined]
            if not source.startswith("%"):
                exec(source, names)
        return names["Mine"]

    return cells


def test_a_version_takes_along_what_it_uses_and_stays_as_it_was(
    run: Callable[..., Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ladder = Ladder(GAME, "en", tmp_path / "ladder")
    ladder.save(run(IMPORTS, *HELPER, MINE))
    first = (tmp_path / "ladder/Mine-1.py").read_text(encoding="utf-8")
    assert first == "\n\n\n".join([IMPORTS.splitlines()[1], "MOST = 3", HELPER[2], MINE]) + "\n"
    ladder.save(run("MOST = 0"))  # a number in another cell, run again behind the class
    ladder.save(run("MOST = 3"))
    assert [each.stem for each in ladder.files()] == ["Mine-1", "Mine-2"]
    assert (tmp_path / "ladder/Mine-1.py").read_text(encoding="utf-8") == first
    out = capsys.readouterr().out
    assert out.count("Saved as Mine-") == 2
    assert "same as Mine-1" in out
    fine, wrong = check(GAME, {path.name: path for path in ladder.files()})
    assert (len(fine), wrong) == (2, {})  # each is a file for a league


@pytest.mark.parametrize("shared", [False, True])
def test_each_language_has_a_ladder_of_its_own(
    shared: bool, run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Notebooks of a language lie in a folder of their own; a server's have one journal."""
    monkeypatch.delenv("COURSEKIT_JOURNAL", raising=False)
    if shared:
        monkeypatch.setenv("COURSEKIT_JOURNAL", str(tmp_path / "journal.json"))
    saved = {}
    for folder, language in (("en", "en"), ("zh", "zh-Hant")):
        (tmp_path / folder).mkdir()
        monkeypatch.chdir(tmp_path / folder)
        ladder = Ladder(GAME, language)
        assert ladder.files() == []
        ladder.save(run(IMPORTS, MINE.replace("most(obs)", "0")))
        saved[language] = Ladder(GAME, language).files()
    assert [len(files) for files in saved.values()] == [1, 1]
    assert saved["en"] != saved["zh-Hant"]


def test_a_folder_that_cannot_be_written_is_told_in_one_sentence(
    run: Callable[..., Any], tmp_path: Path
) -> None:
    (tmp_path / "ladder").write_text("a file, not a folder")
    with pytest.raises(LocalizedError, match=r"^Mine-1 could not be saved: .+\.$"):
        Ladder(GAME, "en", tmp_path / "ladder").save(run(IMPORTS, MINE.replace("most(obs)", "0")))


def test_versions_and_the_files_of_classmates_play_each_other_and_what_fails_is_told(
    run: Callable[..., Any], tmp_path: Path
) -> None:
    ladder = Ladder(GAME, "en", tmp_path)
    assert "No version has been saved" in repr(ladder.play(1))
    for bid in (2, 0):
        ladder.save(run(IMPORTS, MINE.replace("most(obs)", f"min({bid}, obs.size)")))
    (tmp_path / "ann.py").write_text(
        f"{IMPORTS}\n{MINE}".replace("most(obs)", "1 / 0"), encoding="utf-8"
    )
    (tmp_path / "bob.py").write_text("x = 1", encoding="utf-8")
    found = ladder.play(5)
    assert found.names == ("Mine-1", "Mine-2")
    assert found.result.matches_a_deal == 5 * 4
    assert found.result.mean("Mine-2") > found.result.mean("Mine-1")
    told = found._repr_html_()
    assert type(told) is str
    assert "Mine-2 is" in told
    assert re.search(r"ann cannot take part: .*ZeroDivisionError", told)
    assert "bob cannot take part: the file has no strategy" in told
    numbers = [
        f"{label}: {format_signed(f'{found.result.mean(label):.1f}')} ±" for label in found.names
    ]
    assert all(each in found.plot().alt for each in numbers)


def test_what_cannot_be_saved_is_said_in_a_sentence(
    run: Callable[..., Any], tmp_path: Path
) -> None:
    ladder = Ladder(GAME, "en", tmp_path / "ladder")
    with pytest.raises(LocalizedError, match="Mine-1"):
        ladder.save(run(IMPORTS, MINE.replace("most(obs)", "1 / 0")))
    with pytest.raises(LocalizedError, match="Class Mine was not saved: it uses most, which no"):
        ladder.save(run(IMPORTS, MINE))
    with pytest.raises(LocalizedError, match="No cell makes class Inside"):
        collect_source("Inside", ["def make():\n    class Inside:\n        pass"])
    assert not ladder.folder.exists()


@pytest.mark.parametrize(
    ("cells", "code"),
    [
        (["cards = [1]", "cards.append(2)", "cards += [3]"], "most = lambda obs: cards[2] - 3"),
        (["cards = {}", "cards['a'] = 0"], "most = lambda obs: cards['a']"),
        (["cards = 2", "cards = cards - 2"], "most = lambda obs: cards"),
        (["cards = 2", "for n in range(2):\n    cards -= 1"], "most = lambda obs: cards"),
        (["from math import *"], "most = lambda obs: floor(0.5)"),
        (["from math import floor as down; x = 1"], "most = lambda obs: down(0.5)"),
        (["%%time\ndef zero():\n    return 0"], "most = lambda obs: zero()"),
        (["import random\nfrom collections import *"], "most = lambda obs: len(deque())"),
        (["class A:\n    n = 3", "A.n = 0"], "most = lambda obs: A.n"),
        (["class A:\n    n = 3", "class A(A):\n    n = 0"], "most = lambda obs: A.n"),
        (["n = 0"], "def most(obs, n=n, *, deck=dict):\n    [n for n in deck()]\n    return n"),
    ],
)
def test_a_version_holds_what_changed_the_things_that_it_uses(cells: list[str], code: str) -> None:
    source = collect_source("Mine", [IMPORTS, *cells, "cards_too = 3", code, MINE])
    names: dict[str, Any] = {"__name__": "entry"}
    exec(source, names)
    assert names["Mine"].bid(None, None) == 0
    assert "cards_too" not in source


def test_files_of_classmates_are_told_apart_and_none_is_left_out_silently(tmp_path: Path) -> None:
    source = "from coursekit.core.strategy import AtRandom\nclass Mine(AtRandom):\n    def bid(self, obs):\n        return self.anything(obs)\n"
    kits = kit_of(GAME).strategies[-2].__name__
    for name in (f"{kits}.py", f"{kits}/s.py", "DAN.PY", "x\x1b[2J\u202e.py", "cat.py.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(source, encoding="utf-8")
    (tmp_path / "gone.py").symlink_to(tmp_path / "nowhere")
    (tmp_path / "leaves.py").write_text("raise SystemExit('\x1b[2J')")
    found = Ladder(GAME, "en", tmp_path).play(1)
    assert {*found.names} == {f"{kits} (2)", f"{kits} (3)", "DAN", "x\\x1b[2J\\u202e"}
    assert {*found.out} == {"cat.py.txt", "gone.py", "leaves"}
    told = repr(found) + found._repr_html_()
    assert all(letter.isprintable() or letter == "\n" for letter in told)
    assert "cat.py.txt cannot take part: its name has to end in .py" in told
