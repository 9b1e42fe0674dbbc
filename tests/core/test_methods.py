"""What the author of a strategy is told: which methods there are, which is misspelt, and what an
observation holds.
"""

import importlib
import pydoc
import re
import warnings
from dataclasses import fields

import pytest

from coursekit.arena import duplicate
from coursekit.cells import methods
from coursekit.core.match import Match, play_out
from coursekit.core.strategy import AtRandom, Strategy
from coursekit.games.blockade import Blockade
from coursekit.games.knitwit import KnitWit
from coursekit.games.wikipedia import Wikipedia
from coursekit.games.wizard import Options, Wizard
from coursekit.games.wizard.strategies import CardCounter
from coursekit.kit import GAMES
from coursekit.table.run import Run
from coursekit.words.texts import LANGUAGES, load_texts

SHORT = Wizard(3, Options(short_game=2))


def told(kind: type[Strategy], game=SHORT) -> list[str]:
    """Return what is warned of when *kind* takes a seat."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        play_out(game, [kind] + [AtRandom] * (game.players - 1), 1)
    return [str(warning.message) for warning in found]


def named(*names: str, base: type[Strategy] = Strategy) -> type[Strategy]:
    """Return a strategy with methods called *names*, each of which would play like chance."""
    return type("Mine", (base,), {name: lambda self, obs: self.anything(obs) for name in names})


@pytest.mark.parametrize("slip", ["bdi", "bids", "bidd", "Bid", "bi"])
def test_a_misspelt_method_is_warned_of_once_with_what_was_meant_and_what_there_is(slip):
    kind = named(slip, "play")
    (words,) = told(kind)
    assert words == (
        f"策略 Mine 的 {slip} 不會有人叫到，是不是要寫 bid？這個遊戲的方法有：size, trump, bid, play。"
    )
    assert told(kind) == []


def test_it_is_warned_of_at_a_table_and_in_a_tournament_at_its_own_line():
    for sits in (
        lambda kind: Run(SHORT, ["person", kind, AtRandom]),
        lambda kind: duplicate(SHORT, [kind, AtRandom], 2, progress=False),
        lambda kind: duplicate(SHORT, [kind, AtRandom], 2, progress=False, processes=2),
    ):
        kind = named("plya")
        with pytest.warns(UserWarning, match="是不是要寫 play") as found:
            sits(kind)
        (one,) = found
        assert one.filename == __file__


def test_a_slip_in_a_class_that_improves_another_is_found():
    assert len(told(named("payl", base=CardCounter))) == 1
    assert len(told(named("mvoe"), Wikipedia(2))) == 1


class Helped(Strategy):
    """Methods of its own, each of them near the name of a phase that it does not have."""

    def bid(self, obs):
        return obs.legal[
            self.plays() * self.size_of(obs.hand) * len([self.lay(card) for card in obs.hand])
        ]

    def plays(self):
        return 0

    def size_of(self, hand, factor=0):
        return factor

    def lay(self, card):  # takes one thing, but the class uses it
        return card

    def trumps(self, obs, least):  # nothing uses it, but it takes more than an observation
        return least

    def _play(self, obs):
        return obs.legal[0]

    @staticmethod
    def splay(obs):
        return 0

    @property
    def ply(self):
        return 0


class Everything(Strategy):
    def decide(self, obs):
        return self.payl(obs) if obs.phase == "play" else self.anything(obs)

    def payl(self, obs):
        return obs.legal[0]


class Asks(Strategy):
    def bid(self, obs):
        return self.plays(obs) and obs.legal[0]

    def plays(self, obs):
        return 1


class TwoGames(Strategy):
    """Plays another game, too, whose phase is spelt like one of this game's."""

    def roll(self, obs):
        return self.anything(obs)


@pytest.mark.parametrize(
    "kind", [Helped, Everything, Asks, AtRandom, type("Calm", (CardCounter,), {"caution": 1})]
)
def test_a_method_of_its_own_is_no_slip(kind):
    assert told(kind) == []


def test_a_phase_of_another_game_is_no_slip():
    assert told(named("play", base=TwoGames)) == []
    assert "place" in Blockade.phases
    assert told(named("place", "write", "play")) == []


@pytest.mark.parametrize(
    "kind", [TwoGames, named("place", "write"), named("think", "count"), named()]
)
def test_a_class_that_decides_nothing_is_told_once_for_each_game(kind):
    for game in (SHORT, Wizard(4), KnitWit(2)):
        words = told(kind, game)
        if game is SHORT:
            (sentence,) = words
            assert re.match(
                f"策略 {kind.__name__} 沒有 Wizard 巫師的方法，所以整場都隨便玩。", sentence
            )
        else:
            assert len(words) == (game.name != "wizard" and not hasattr(kind, "write"))


def test_a_method_that_nothing_calls_is_told_however_it_is_spelt():
    (words,) = told(named("bet", "play"))
    assert words == "策略 Mine 的 bet 不會有人叫到。這個遊戲的方法有：size, trump, bid, play。"


OUT_OF_PLACE = """
from coursekit.core.strategy import Strategy

class Mine(Strategy):
    def play(self, obs):
        return obs.legal[0]
        def bid(self, obs):
            return 0

def trump(self, obs):
    return 0
"""


def test_a_method_at_the_wrong_indent_is_told_with_its_line(tmp_path, monkeypatch):
    (tmp_path / "out_of_place.py").write_text(OUT_OF_PLACE)
    monkeypatch.syspath_prepend(tmp_path)
    inside, outside = told(importlib.import_module("out_of_place").Mine)
    assert inside.startswith("策略 Mine 的 bid（第 7 行）寫在 play 裡面")
    assert outside.startswith("trump（第 10 行）寫在 class Mine 外面")


def test_none_of_the_kits_strategies_has_a_slip():
    for kit in GAMES.values():
        game = kit.standard()
        for language in LANGUAGES:
            for kind in kit.players(language):
                with warnings.catch_warnings():
                    warnings.simplefilter("error")
                    Run(game, ["person", *[kind] * (game.players - 1)])


def test_the_methods_are_the_phases_with_a_line_each(capsys):
    methods(Wizard(4), "en")
    lines = capsys.readouterr().out.split("\n\n")[0].splitlines()
    assert [re.match(r"def (\w+)\(self, obs\): +# \w", line)[1] for line in lines] == list(
        Wizard.phases
    )
    methods(GAMES["wikipedia"])
    assert "對桌上的著作做什麼" in capsys.readouterr().out


@pytest.mark.parametrize("name", GAMES)
def test_every_method_and_field_is_told_in_every_language(name):
    """That a game decides only in its phases, the conformance tests check."""
    rules = GAMES[name].rules
    known = {**load_texts(), **load_texts(name)}
    properties = [
        name for name, made in vars(rules.observation_type).items() if isinstance(made, property)
    ]
    for text_id in [f"method.{phase}" for phase in rules.phases]:
        assert set(known[text_id]) == set(LANGUAGES)
    for field in [*[field.name for field in fields(rules.observation_type)], *properties]:
        assert set(known[f"field.{field}"]) == set(LANGUAGES), field


def test_help_on_a_class_of_a_notebook_tells_methods_and_fields():
    names = {"Strategy": Strategy, "__name__": "__main__"}
    exec('class Mine(Strategy):\n    """Waits."""\n', names)
    page = pydoc.render_doc(names["Mine"], renderer=pydoc.plaintext)
    assert "Waits." in page
    for words in ("def bid(self, obs):", "obs.hand", "自己的手牌", "obs.legal"):
        assert words in page


def test_an_observation_is_short_in_print_and_whole_and_folded_at_the_end_of_a_cell():
    match = play_out(Wizard(6), [AtRandom] * 6, 3)
    for seat in (0, None):
        obs = match.game.observe(match.state, seat)
        assert len(repr(obs)) == len(str(obs)) <= 240
        page = obs._repr_html_()
        assert page.index("<details") < page.index("<table")
        for name, value in obs.values().items():
            assert f"obs.{name}</code>" in page
            assert repr(value).replace("'", "&#x27;")[:200] in page
        assert "這一輪打完的每一墩由誰贏" in page
    open_hands = Match(Wizard(3), 1)
    assert str(open_hands.state.hands[1][0]) + "," not in repr(
        open_hands.game.observe(open_hands.state, 0).hand
    )


def test_text_of_players_cannot_become_a_part_of_the_page():
    game = GAMES["knitwit"].standard()
    obs = game.observe(Match(game, 1).state, 0)
    obs.sheet = ("<script>alert(1)</script>",)
    assert "<script>" not in obs._repr_html_()


class Prints(AtRandom):
    def decide(self, obs):
        print(obs)
        return super().decide(obs)


@pytest.mark.parametrize("processes", [1, 2])
def test_what_strategies_print_in_a_tournament_is_bounded_with_a_sentence(processes, capfd):
    result = duplicate(
        Wizard(4), [Prints, AtRandom], 12, 1, progress=False, language="en", processes=processes
    )
    assert result.deals == 12
    out = capfd.readouterr().out
    assert 9_000 < len(out) < 11_000
    assert "more lines" in out
    print("and then everything is printed again" * 400)
    assert len(capfd.readouterr().out) > 10_000
