"""No sentence about a learner's code names a line that the learner did not write.

Slips of many kinds, in each phase of each game, in each place that asks a strategy.
"""

import linecache
import warnings
from collections.abc import Callable
from typing import Any

import pytest

from coursekit.arena import duplicate
from coursekit.core.game import TABLE, AnyGame
from coursekit.core.match import Match, play_out
from coursekit.core.strategy import (
    AtRandom,
    Strategy,
    StrategyError,
    ask_strategy,
    explain_action,
    make_player,
)
from coursekit.games.blockade import Blockade
from coursekit.games.knitwit import KnitWit
from coursekit.games.knitwit import Options as KnitOptions
from coursekit.games.wikipedia import Wikipedia
from coursekit.games.wizard import Options, Wizard
from coursekit.games.wizard.strategies import Cautious
from coursekit.league.entry_process import Entry
from coursekit.table.run import Run
from coursekit.words.texts import LANGUAGES

FILE = "<learner>"
GAMES: dict[str, AnyGame] = {
    "wizard": Wizard(3, Options(short_game=2)),
    "wikipedia": Wikipedia(2),
    "blockade": Blockade(4, Blockade.preset("one_era")),
    "knitwit": KnitWit(2, KnitOptions(loops=2)),
}
SLIPS = {
    # what is wrong before anything is played
    "no self": "def PHASE(obs): return obs.legal[0]",
    "no obs": "def PHASE(self): return 0",
    "too much": "def PHASE(self, obs, more): return 0",
    "nothing": "def PHASE(): return 0",
    "number": "PHASE = 3",
    "none": "PHASE = None",
    "a class": "class PHASE: pass",
    "property": "PHASE = property(lambda self: 0)",
    "static": "PHASE = staticmethod(lambda self, obs: 0)",
    "class method": "PHASE = classmethod(lambda obs: 0)",
    "lambda": "PHASE = lambda obs: 0",
    "yield": "def PHASE(self, obs): yield obs.legal[0]",
    "async": "async def PHASE(self, obs): return obs.legal[0]",
    "decide": "def decide(obs): return 0",
    "explain": "def explain(self, obs): return 0",
    "bare init": "def __init__(self): self.seen = []",
    "no super": "def __init__(self, rng, game): self.seen = []",
    "empty super": "def __init__(self, rng, game): super().__init__()",
    "init fails": "def __init__(self, rng, game): super().__init__(rng, games)",
    # what goes wrong in a decision
    "raises": "def PHASE(self, obs): return 1 // 0",
    "field": "def PHASE(self, obs): return obs.phases",
    "own name": "def PHASE(self, obs): return self.gam",
    "name": "def PHASE(self, obs): return ob",
    "obs forgotten": "def PHASE(self, obs): return hand",
    "no import": "def PHASE(self, obs): return random.choice(obs.legal)",
    "super": "def PHASE(self, obs): return super.PHASE(obs)",
    "in a list": "def PHASE(self, obs): return [x.y for x in (1, 2)]",
    "helper": "def PHASE(self, obs): return helper(obs)",
    "method": "def PHASE(self, obs): return self.most(obs)\n    def most(obs): return 0",
    "kit": "def PHASE(self, obs): return self.anything()",
    "deep in the kit": "def PHASE(self, obs): return self.game.observe(obs, 99)",
    "nonsense": "def PHASE(self, obs): return object()",
    "nothing back": "def PHASE(self, obs): self.anything(obs)",
    "hidden": "def PHASE(self, obs):\n        self.PHASE = 1\n        return self.PHASE(obs)",
    "hidden later": "def __init__(self, rng, game):\n        super().__init__(rng, game)\n"
    "        self.PHASE = 1",
    "no chance": "def __init__(self, rng, game):\n        super().__init__(rng, game)\n"
    "        self.rng = 0\n    def PHASE(self, obs): return self.anything(obs)",
    "quiet error": "def PHASE(self, obs): raise ValueError",
    "error without words": "def PHASE(self, obs): raise Wordless",
}
WRONG_AT_ONCE = list(SLIPS)[: list(SLIPS).index("no super")]
SOURCE = """from coursekit.core.strategy import Strategy
class Wordless(Exception):
    def __str__(self): return 1 / 0
def helper(obs):
    return obs.nowhere
class Mine(Strategy):
    SLIP
"""


def write(slip: str, phase: str) -> str:
    """Return the code of a class with a *slip* in *phase*."""
    return SOURCE.replace("SLIP", SLIPS[slip]).replace("PHASE", phase)


def learn(source: str) -> type[Strategy]:
    """Return the class in *source*, as if a cell had made it."""
    linecache.cache[FILE] = (len(source), None, source.splitlines(keepends=True), FILE)
    names: dict[str, Any] = {"__name__": "learner"}
    exec(compile(source, FILE, "exec"), names)
    return names["Mine"]  # type: ignore[no-any-return]


def told(act: Callable[[], object]) -> list[StrategyError]:
    try:
        act()
    except StrategyError as error:
        return [error]
    return []


def at_a_table(game: AnyGame, kind: type[Strategy]) -> list[StrategyError]:
    run = Run(game, [kind] * game.players, seed=1)
    run.go_on()
    return [run.trouble] if run.trouble else []


def as_an_entry(game: AnyGame, kind: type[Strategy]) -> list[StrategyError]:
    entry = Entry(game)
    entry.load("".join(linecache.getlines(FILE)), FILE)
    return told(lambda: entry.sit(0, "1"))


def alone(game: AnyGame, kind: type[Strategy]) -> list[StrategyError]:
    """Ask for each decision of a match, as a room asks, and why it was taken."""
    errors: list[StrategyError] = []
    match = Match(game, 1)
    for _ in range(12):
        seats = [seat for seat in game.to_act(match.state) if seat != TABLE]
        for seat in seats[:1]:
            obs = game.observe(match.state, seat)
            player = None
            try:
                player = make_player(kind, seat, game, "1")
                ask_strategy(player, seat, obs)
            except StrategyError as error:
                errors.append(error)
            if player is not None:
                errors += told(lambda: explain_action(player, seat, obs, 0))  # noqa: B023
        chance = AtRandom(match._rng, game)
        for seat in game.to_act(match.state)[:1]:
            action = chance.anything(game.observe(match.state, seat))
            if action is not None:  # else it waits, in a race
                match.play(seat, action)
    return errors


PLACES: dict[str, Callable[[AnyGame, type[Strategy]], list[StrategyError]]] = {
    "a match": lambda game, kind: told(lambda: play_out(game, [kind] * game.players, 1)),
    "a tournament": lambda game, kind: told(
        lambda: duplicate(game, [kind, AtRandom], 1, 1, progress=False)
    ),
    "a table": at_a_table,
    "a league": as_an_entry,
    "a room": alone,
}


@pytest.mark.one_in(27)
@pytest.mark.parametrize(
    ("name", "phase"), [(name, phase) for name, game in GAMES.items() for phase in game.phases]
)
def test_a_sentence_names_a_line_of_the_learners_or_none(name: str, phase: str) -> None:
    game = GAMES[name]
    for slip in SLIPS:
        source = write(slip, phase)
        kind = learn(source)
        lines = [line.strip() for line in source.splitlines()]
        for place, tell in PLACES.items():
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                errors = tell(game, kind)
            assert errors or slip not in WRONG_AT_ONCE, f"{slip} in {place} is not told"
            for error in errors:
                where = f"{slip} in {place}: {error}"
                if "line" in error.values:
                    number = error.values["line"]
                    assert 0 < number <= len(lines), where
                    assert error.values.get("code", lines[number - 1]) == lines[number - 1], where
                for language in LANGUAGES:
                    assert "coursekit/" not in error.sentence(language), where


@pytest.mark.parametrize("slip", WRONG_AT_ONCE)
def test_what_cannot_be_called_is_told_before_it_is_called(slip: str) -> None:
    game = GAMES["wizard"]
    for phase in game.phases:
        (error,) = told(lambda: make_player(learn(write(slip, phase)), 0, game, "1"))  # noqa: B023
        assert error.text.startswith("strategy_method.")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("slip", "sentence"),
    [
        ("no self", "bid of strategy Mine (line 7) takes (self, obs); yours takes (obs)."),
        ("bare init", "__init__ of strategy Mine (line 7) takes (self, rng, game); yours takes"),
        ("no super", "its first line is super().__init__(rng, game)."),
        ("empty super", "its first line is super().__init__(rng, game)."),
        ("number", "bid of strategy Mine is to be a method, def bid(self, obs):, and it is 3."),
        ("static", "Write bid of strategy Mine without @staticmethod"),
        ("hidden later", "Strategy Mine has set self.bid to 1, so its method bid"),
        ("field", "Did you mean phase?"),
        ("own name", "Did you mean game?"),
        ("name", "'ob' is not defined (obs?)"),
        ("obs forgotten", "'hand' is not defined (obs.hand?)"),
        ("no import", "'random' is not defined (import random?)"),
        ("super", "has no attribute 'bid' (super()?)"),
        ("method", "Mine.most() takes 1 positional argument but 2 were given (self?)"),
        ("error without words", "(def bid(self, obs): raise Wordless): Wordless"),
    ],
)
def test_it_says_what_to_do(slip: str, sentence: str) -> None:
    (error,) = told(lambda: play_out(GAMES["wizard"], [learn(write(slip, "bid"))] * 3, 1))
    assert sentence in str(error)


def test_a_strategy_of_the_kit_that_fails_is_named_without_a_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Cautious, "play", lambda self: 0)
    (error,) = told(lambda: play_out(GAMES["wizard"], [Cautious] * 3, 1))
    assert "line" not in error.values
