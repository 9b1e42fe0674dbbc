"""The page "Add a game" is true: its game is written to a folder, checked, and broken on purpose."""

import re
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from coursekit.core.game import IllegalAction
from coursekit.core.match import Record, play_out
from coursekit.core.strategy import AtRandom
from coursekit.kit import GAMES
from coursekit.testing import Broken, check_game, moment
from coursekit.words import texts

PAGE = Path(__file__).parents[1] / "docs" / "how-to" / "add-a-game.md"
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
RULES, CHECK = (code for kind, code in BLOCKS if kind == "python")
(TEXTS,) = (code for kind, code in BLOCKS if kind == "toml")


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Return a function that writes the page's game, with its rules changed, and returns the class."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(GAMES, "keep_or_swap", None)

    def written(change: str = "", to: str = ""):
        assert change in RULES
        folder = tmp_path / "keep_or_swap"
        folder.mkdir(exist_ok=True)
        (folder / "__init__.py").write_text("")
        (folder / "rules.py").write_text(RULES.replace(change, to) if change else RULES, encoding="utf-8")
        (folder / "texts.toml").write_text(TEXTS, encoding="utf-8")
        from keep_or_swap.rules import KeepOrSwap

        GAMES["keep_or_swap"] = KeepOrSwap
        return KeepOrSwap

    yield written
    texts.table.cache_clear()
    for name in ("keep_or_swap", "keep_or_swap.rules"):
        sys.modules.pop(name, None)


def test_the_game_of_the_page_passes_as_the_page_says(write):
    write()
    exec(CHECK, {})


def test_its_records_and_sentences_work_like_those_of_the_kit(write):
    kind = write()
    match = play_out(kind(3), [AtRandom] * 3, "7")
    assert Record.loads(match.record().dumps()) == match.record()
    assert texts.sentence(match.game, match.opening[0], "zh-Hant") == "每人一張牌，最大的是 9。"
    with pytest.raises(IllegalAction, match="There is no action 'cheat'; keep or swap"):
        moment(kind(2), "7", 0).play(0, "cheat")


BREAKS = {
    "a leaked hand": ("each == seat or not deciding", "True", "seat 0 knows in phase 'choose' what place 1 hides"),
    "a leaked pile": ("left=len(state.pile)", "left=sum(state.pile)", "observes depends on hidden things"),
    "another generator": ("shuffle(rng, deck)", "__import__('random').shuffle(deck)", "module random"),
    "a method of rng": ("shuffle(rng, deck)", "rng.shuffle(deck)", r"rng.random\(\) only"),
    "an action accepted": ('action == "swap" and not state.pile', "False", "'swap' raises IndexError.*, not Illegal"),
    "an action refused": ('action not in ("keep", "swap")', 'action != "keep"', "'swap' is in legal_actions and"),
    "a wrong type": ("type(action) is not str or action not in", "action not in", "is accepted, but is not"),
    "a lost card": ("state.away.append(state.hands[seat])", "pass", "pieces lost|depends on hidden|IndexError"),
    "an endless match": ("        state.turn += 1\n", "", "the match goes on after 4 actions"),
    "a missing text": ('Event("over"', 'Event("finished"', "KeyError: 'finished'"),
    "a told secret": ('else {"seat": seat}', 'else {"seat": seat, "card": state.hands[seat]}', "reads what it cannot"),
    "a changeable observation": ("away=tuple(state.away)", "away=state.away", "ints, strings and tuples are expected"),
    "a set in the state": ("pile=deck[self.players :]", "pile=set(deck[self.players :])", "lists of them are expected"),
    "a state without slots": ("@dataclass(slots=True)", "@dataclass", "not slotted"),
    "points too early": ("int(seat in self.winners(state))", "0.5", "whole numbers were expected"),
    "a question that changes things": (
        "        if self.to_act(state):\n            return ()",
        "        if self.to_act(state):\n            state.pile.reverse()\n            return ()",
        "only asking changed the state",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BREAKS)
def test_a_game_with_a_mistake_does_not_pass(write, name):
    change, to, words = BREAKS[name]
    kind = write(change, to)
    page: dict[str, Any] = {}
    exec(CHECK.partition("\n\n\nGAMES[")[0], page)
    smallest = kind(4, kind.option_type(highest=5))  # one card in the pile, so the swap is soon refused
    checked = [partial(check_game, game, matches=6, places=page["places"]) for game in (kind, smallest)]
    with pytest.raises(Broken, match=words):
        [check() for check in checked]


def test_the_failure_shown_on_the_page_is_what_comes_out(write):
    kind = write("left=len(state.pile)", "left=sum(state.pile)")
    with pytest.raises(Broken) as broken:
        check_game(kind)
    shown = next(code for language, code in BLOCKS if language == "text")
    assert f"coursekit.testing.walk.Broken: {broken.value}\n" == shown
