"""Pages for those who write code are true: the example of "Add a game" is shown whole, and what is
typed works.
"""

import io
import re
import sys
import tomllib
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from coursekit.core import registry
from coursekit.core.game import IllegalAction, sentence
from coursekit.core.match import Record, play_out
from coursekit.core.strategy import AtRandom
from coursekit.kit import GAMES
from coursekit.table import Table
from coursekit.table.storage.sqlite_store import Store
from coursekit.testing import CheckError, check_game, check_lesson, moment
from coursekit.words import texts

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/extend/add-a-game.md").read_text(encoding="utf-8")
EXAMPLE = ROOT / "examples/keep_or_swap"
FENCED = re.compile(r"^```(\w+)\n(.*?)^```", re.DOTALL | re.MULTILINE)
BLOCKS = FENCED.findall(PAGE)
CELLS = {
    path.stem: FENCED.findall(path.read_text(encoding="utf-8"))
    for path in (ROOT / "docs/change").glob("*.md")
}
"""The fenced blocks of each page on changes: language and text."""
LEADS = {"tournaments": ["strategies", "tournaments"]}
"""A page whose cells use what those of another one define."""
FIRST, CHECK = (code for _, code in BLOCKS if "check_game(" in code)


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Return a function that writes the example, with one file changed, and returns its rules."""
    monkeypatch.syspath_prepend(tmp_path)

    def written(change: str = "", to: str = "", file: str = "rules.py"):
        copytree(
            EXAMPLE / "keep_or_swap", tmp_path / "keep_or_swap", ignore=lambda *_: ["__pycache__"]
        )
        path = tmp_path / "keep_or_swap" / file
        whole = path.read_text(encoding="utf-8")
        assert change in whole
        path.write_text(whole.replace(change, to) if change else whole, encoding="utf-8")
        from keep_or_swap.kit import KIT

        return KIT.rules

    yield written
    registry.remove("keep_or_swap")
    texts.prefer("")  # reads all texts anew
    for name in [name for name in sys.modules if name.partition(".")[0] == "keep_or_swap"]:
        del sys.modules[name]


def test_the_page_shows_the_example_whole():
    shown = [code for _, code in BLOCKS]
    for file in [EXAMPLE / "pyproject.toml", *(EXAMPLE / "keep_or_swap").glob("*.*")]:
        if file.name == "texts.toml":
            parts = [code for kind, code in BLOCKS if kind == "toml" and "zh-Hant" in code]
            assert tomllib.loads("\n".join(parts)) == tomllib.loads(
                file.read_text(encoding="utf-8")
            )
        else:
            assert file.read_text(encoding="utf-8") in shown, f"{file.name} is another on the page"


@pytest.mark.filterwarnings("error:.*Cautious.*:UserWarning")
def test_the_example_passes_as_the_page_says(write, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write()
    exec(FIRST, {})
    registry.remove("keep_or_swap")
    del sys.modules["keep_or_swap.kit"]
    import keep_or_swap.kit  # as the entry point does

    assert keep_or_swap.kit
    exec(CHECK, {})


def test_its_records_and_sentences_work_like_those_of_the_kit(write):
    kind = write()
    assert GAMES["keep_or_swap"].rules is kind
    match = play_out(kind(3), [AtRandom] * 3, "7")
    assert Record.loads(match.record().dumps()) == match.record()
    assert sentence(match.game, match.opening[0], "zh-Hant") == "每人一張牌，最大的是 9。"
    with pytest.raises(IllegalAction, match="There is no action 'cheat'; keep or swap"):
        moment(kind(2), "7", 0).play(0, "cheat")


BREAKS = {
    "a leaked hand": (
        "each == seat or not deciding",
        "True",
        "seat 0 knows in phase .choose. what place 1 .* hides",
    ),
    "a hand once played": (
        "each == seat",
        "each in (seat, state.turn - 1)",
        "knows after . actions what place",
    ),
    "a leaked pile": (
        "left = len(state.pile)",
        "left = sum(state.pile)",
        "observes depends on hidden things",
    ),
    "another generator": (
        "shuffle(rng, deck)",
        "__import__('random').shuffle(deck)",
        "module random",
    ),
    "a method of rng": ("shuffle(rng, deck)", "rng.shuffle(deck)", r"rng.random\(\) only"),
    "an action accepted": (
        'action == "swap" and not state.pile',
        "False",
        "'swap' raises IndexError.*, not Illegal",
    ),
    "an action refused": (
        'action not in ("keep", "swap")',
        'action != "keep"',
        "'swap' is in legal_actions and",
    ),
    "a wrong type": (
        "type(action) is not str or action not in",
        "action not in",
        "is accepted, but is not",
    ),
    "a lost card": (
        "state.away.append(state.hands[seat])",
        "pass",
        "pieces lost|depends on hidden|IndexError",
    ),
    "an endless match": ("        state.turn += 1\n", "", "the match goes on after 4 actions"),
    "a missing text": (
        'Event("over"',
        'Event("finished"',
        "no text 'finished' in .* stand in texts.toml",
    ),
    "a told secret": (
        'else {"seat": seat}',
        'else {"seat": seat, "card": state.hands[seat]}',
        "reads what it cannot",
    ),
    "a changeable observation": (
        "away = tuple(state.away)",
        "away = state.away",
        "strings,? and tuples are expected",
    ),
    "a set in the state": (
        "pile=deck[self.players :]",
        "pile=set(deck[self.players :])",
        "lists and tuples are exp",
    ),
    "a state without slots": ("@dataclass(slots=True)", "@dataclass", "not slotted"),
    "points too early": ("int(seat in self.winners(state))", "0.5", "whole numbers were expected"),
    "a question that changes things": (
        "        if self.to_act(state):\n            return ()",
        "        if self.to_act(state):\n            state.pile.reverse()\n            return ()",
        "only asking changed the state",
    ),
}


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", BREAKS)
def test_a_game_with_a_mistake_does_not_pass(write, name):
    change, to, words = BREAKS[name]
    kind = write(change, to)
    page: dict[str, Any] = {}
    exec(CHECK.partition("\n\n\ncheck_game(")[0], page)
    smallest = kind(
        4, kind.option_type(highest=5)
    )  # one card in the pile, so the swap is soon refused
    checked = [
        partial(check_game, game, matches=6, places=page["places"]) for game in (kind, smallest)
    ]
    with pytest.raises(CheckError, match=words):
        [check() for check in checked]


LACKS = {
    "a drawing": (
        "scene.py",
        '"art": "star"',
        '"art": "moon"',
        "art.svg has no drawings .*'ck-moon'",
    ),
    "the sign in a corner": (
        "art.svg",
        "ck-star-pip",
        "ck-sign",
        r"art.svg has no drawings \['ck-star-pip'\]",
    ),
    "the back of the cards": (
        "art.svg",
        "ck-back",
        "ck-behind",
        r"art.svg has no drawings \['ck-back'\]",
    ),
    "an option's label": (
        "texts.toml",
        "[option.highest.label]",
        "[option.label]",
        "form .*'option.highest.label'",
    ),
    "a preset's help": (
        "texts.toml",
        "[preset.long.help]",
        "[preset.help]",
        "new match .*'preset.long.help'",
    ),
    "a topic": ("texts.toml", "[topics]", "[topic]", "start page .*no text 'topics'"),
    "a word of the scene": (
        "texts.toml",
        "[prompt.choose]",
        "[prompt.ask]",
        "has no text 'prompt.choose'",
    ),
    "a language": (
        "texts.toml",
        'en = "Players"',
        'de = "Spieler"',
        "zone.seats.* in en|in en.*zone",
    ),
    "a readable drawing": ("emblem.svg", "</svg>", "", "the drawings in .*emblem.svg"),
    "a legal move": (
        "strategies.py",
        'return "swap"',
        'return "steal"',
        "the strategy Cautious: .*'steal'",
    ),
    "a name of a strategy": (
        "texts.toml",
        "[strategy.Cautious]",
        "[strategy.C]",
        "name of the strategy Cautious",
    ),
    "a value": (
        "texts.toml",
        "swaps the {card}",
        "swaps the {crd}",
        "placeholder 'crd'; only seat, card",
    ),
    "a question's source": (
        "texts.toml",
        "[question.own.swap]",
        "[question.swap]",
        "needs a source and a name",
    ),
    "a word of a match at random": (
        "texts.toml",
        "[debrief.swaps.told]",
        "[debrief.told]",
        "debrief.swaps.told",
    ),
    "a word of a moment": (
        "texts.toml",
        "[debrief.swaps.ask]",
        "[debrief.ask]",
        "the moments .*'debrief.swaps.ask'",
    ),
    "the words of evidence": (
        "texts.toml",
        "[evidence.swapped]",
        "[evidence.s]",
        "question 'swap' .*'evidence.sw",
    ),
    "a kind of relation": (
        "lesson.py",
        'kinds={"swapped": {}}',
        "kinds={}",
        "have the kinds swapped",
    ),
    "a drawing on a map": (
        "lesson.py",
        'symbol="ck-star"',
        'symbol="ck-sun"',
        "have the drawings ck-sun",
    ),
}


@pytest.mark.one_in(4)
@pytest.mark.parametrize("what", LACKS)
def test_what_a_kit_lacks_is_said_in_a_sentence(write, what):
    file, change, to, words = LACKS[what]
    write(change, to, file)
    with pytest.raises(CheckError, match=words):
        check_game("keep_or_swap", matches=3)


def test_what_a_kit_does_not_bring_is_not_offered(write, tmp_path):
    parts = '    emblem=HERE / "emblem.svg",\n    strategies=STRATEGIES,\n    lesson=lesson,\n'
    write(parts, "", "kit.py")
    check_game("keep_or_swap", matches=3)
    table = Table("keep_or_swap", language="en", store=Store(tmp_path))
    assert [player["value"] for player in table.setup["by"]] == ["person", "AtRandom"]
    with pytest.raises(CheckError, match="keep_or_swap brings no emblem"):
        check_lesson(GAMES["keep_or_swap"])


def test_the_failure_shown_on_the_page_is_what_comes_out(write):
    kind = write("left = len(state.pile)", "left = sum(state.pile)")
    with pytest.raises(CheckError) as broken:
        check_game(kind)
    shown = next(code for language, code in BLOCKS if language == "text")
    assert f"coursekit.testing.random_match.CheckError: {broken.value}\n" == shown


@pytest.mark.parametrize("name", [name for name, found in CELLS.items() if "python" in dict(found)])
def test_the_cells_of_a_page_print_what_it_says(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COURSEKIT_JOURNAL", str(tmp_path / "journal.json"))
    own_files(tmp_path)
    cells: list[str] = []
    monkeypatch.setattr(sys.modules["__main__"], "In", cells, raising=False)
    names = {"__name__": "__main__"}
    for page in LEADS.get(name, [name]):
        for (kind, cell), (after, said) in zip(
            CELLS[page], [*CELLS[page][1:], ("", "")], strict=True
        ):
            if kind != "python":
                continue
            compiled = compile(cell, page, "exec")
            if "scheduler.example.edu" in cell:  # there is no such cluster
                continue
            cells.append(cell)
            with redirect_stdout(io.StringIO()) as printed:
                exec(compiled, names)
            assert after != "text" or printed.getvalue() == said
    assert cells


def own_files(folder: Path) -> None:
    """Write the files of cards and words that the pages speak of."""
    head, writer = next(said for kind, said in CELLS["cards"] if kind == "text").split()
    writers = [f"{writer[:2]}{number}{writer[3:]}" for number in "一二三四五六七八"]
    (folder / "我的作家.csv").write_text("\n".join([head, *writers]), encoding="utf-8")
    words = [f"字卡{number}" for number in "甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳"]
    (folder / "第五課.csv").write_text("\n".join(["zh", *words]), encoding="utf-8")
