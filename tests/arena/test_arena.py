"""Tournaments: fair, repeatable on any number of processes, readable, and clear about mistakes."""

import importlib
import os
import random
import re
import sys
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from html.parser import HTMLParser
from itertools import combinations, pairwise
from math import inf
from pathlib import Path
from random import Random
from statistics import fmean
from threading import Lock
from typing import Any

import distributed
import joblib
import pytest

from coursekit import arena
from coursekit.arena import ArenaError, play, progress
from coursekit.arena.result import _edges
from coursekit.arena.seatings import lineups
from coursekit.arena.statistics import (
    FALSE_STOPS,
    Numbers,
    Samples,
    format_estimate,
    is_clear,
    t95,
)
from coursekit.core.chance import stream
from coursekit.core.game import IllegalAction
from coursekit.core.match import Match, play_out
from coursekit.core.strategy import AtRandom, Strategy, StrategyError
from coursekit.games.wizard import Options, Wizard
from coursekit.games.wizard.strategies import Cautious
from coursekit.words.language import use_language
from coursekit.words.texts import LANGUAGES, format_signed
from tests.lanes import some

duplicate = partial(arena.duplicate, language="en")
GAME = Wizard(4, Options(short_game=3))


class Low(Strategy):
    def bid(self, obs: Any) -> Any:
        return 0

    def play(self, obs: Any) -> Any:
        return min(obs.legal)


class Broken(Strategy):
    def bid(self, obs: Any) -> Any:
        return 1 // 0


class Nonsense(Strategy):
    def bid(self, obs: Any) -> Any:
        return 99


def played(*strategies: type[Strategy], **given: Any) -> Any:
    return duplicate(GAME, strategies, **{"deals": 6, "seed": 1, "progress": False} | given)


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("number", [1, 2, 3, 4, 5, 6, 7])
def test_each_strategy_sits_in_each_seat_equally_often(players: int, number: int) -> None:
    kinds = [type(f"S{each}", (Strategy,), {}) for each in range(number)]
    for seat in zip(*lineups(kinds, players), strict=True):
        assert sorted(kind.__name__ for kind in seat) == [kind.__name__ for kind in kinds]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_two_meet_equally_often_and_sit_alike(players: int) -> None:
    kinds = [type(f"S{each}", (Strategy,), {}) for each in range(4)]
    met = Counter(frozenset(lineup) for lineup in lineups(kinds, players, "pairs"))
    assert met == dict.fromkeys(map(frozenset, combinations(kinds, 2)), 2)
    for seat in zip(*lineups(kinds, players, "pairs"), strict=True):
        assert set(Counter(seat).values()) == {3}


def test_one_against_the_field_sits_alone_in_every_seat() -> None:
    me, *others = kinds = [type(f"S{each}", (Strategy,), {}) for each in range(3)]
    found = lineups(kinds, 4, "field")
    assert len(found) == 2 * 4
    assert all(lineup.count(me) == 1 and len(set(lineup)) == 2 for lineup in found)
    for other in others:
        assert sorted(lineup.index(me) for lineup in found if other in lineup) == [0, 1, 2, 3]


def test_all_seatings_are_all_there_are() -> None:
    found = lineups([Low, AtRandom], 3, "all")
    assert len(found) == len(set(found)) == 2**3
    assert all(set(lineup) <= {Low, AtRandom} for lineup in found)


@pytest.mark.parametrize("seating", ["pairs", "field", "all"])
def test_any_seating_gives_the_same_result_for_any_number_of_processes(seating: Any) -> None:
    given = {"seating": seating, "deals": 9, "language": "en"}
    one, two = (played(Low, AtRandom, processes=processes, **given) for processes in (1, 2))
    assert one == two
    assert one.seating == seating
    assert "rotated" not in one.caption()
    assert f"{9 * len(lineups([Low, AtRandom], 4, seating))} matches" in one.caption()


def test_a_class_that_stands_in_the_list_twice_sits_twice() -> None:
    result = played(Low, AtRandom, AtRandom, AtRandom)
    assert len(result.every(Low)) == 6 * 4
    assert len(result.every(AtRandom)) == 6 * 12


def test_all_rotations_of_a_deal_have_the_same_cards() -> None:
    hands = set()

    def note(match: Match) -> Mapping[str, Sequence[float]]:
        first = Match(match.game, match.seed)
        hands.add((match.seed, str(first.state)))
        return {}

    played(Low, AtRandom, statistics=note)
    assert len(hands) == 6


def test_the_mean_is_that_of_the_matches_which_anybody_can_play_again() -> None:
    result = played(Low, AtRandom)
    points = []
    for deal in range(6):
        for lineup in lineups([Low, AtRandom], 4):
            match = play_out(GAME, lineup, f"1/{deal}")
            points += [
                p for p, kind in zip(GAME.scores(match.state), lineup, strict=True) if kind is Low
            ]
    assert result.every(Low) == points
    assert result.mean(Low) == pytest.approx(fmean(points))


def test_the_interval_counts_deals_not_matches() -> None:
    """By hand: means of two deals 10 and 20, deviation 7.07, so 12.706 · 7.07 / √2 = 63.5."""
    result = played(Low, deals=2)
    result.numbers["Low"]["points"][:] = [(0.0, 20.0), (10.0, 30.0)]
    assert result.mean(Low) == 15
    assert result.interval(Low) == pytest.approx(63.53)


def test_one_deal_says_nothing_about_the_mean() -> None:
    result = played(Low, deals=1)
    assert result.interval(Low) == inf


@pytest.mark.parametrize("language", LANGUAGES)
def test_of_few_deals_there_are_means_and_why_there_is_no_more(language: str) -> None:
    few, enough = (
        played(Low, AtRandom, deals=4, language=language),
        played(Low, AtRandom, deals=5, language=language),
    )
    assert "±" not in "".join(cell for row in few.rows() for cell in row)
    assert {"zh-Hant": "副數太少", "zh-Hans": "副数太少", "en": "too few deals"}[
        language
    ] in few.caption()
    assert all("±" in cell for row in enough.rows()[1:] for cell in row[1:])
    assert "±" in enough.caption()
    plotted = few.plot()._repr_html_()
    assert f"{few.mean(Low):.1f}" in plotted
    assert "±" not in plotted


class InANotebook:
    """What IPython shows of an error."""

    def __init__(self, cell: str, **names: Any) -> None:
        from IPython.core.interactiveshell import InteractiveShell

        shell = InteractiveShell()
        shell.user_ns.update(names)
        self.result = shell.run_cell(cell.strip())
        assert self.result.error_in_exec is not None
        self.error = self.result.error_in_exec
        self.lines = self.error._render_traceback_()  # type: ignore[attr-defined]


MINE = """
class Mine(Strategy):
    def bid(self, obs):
        return 99

duplicate(GAME, [Mine], deals=1, progress=False, language="zh-Hant")
"""


def test_a_wrong_strategy_in_a_notebook_is_told_in_one_sentence_with_its_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    given = {"Strategy": Strategy, "duplicate": duplicate, "GAME": GAME}
    found = InANotebook(MINE, **given)
    (line,) = found.lines
    assert line in capsys.readouterr().out, "IPython asks for it"
    assert line.startswith("策略 Mine 的 bid（從第 2 行開始）選了 99，不能這樣做：")
    assert isinstance(found.error.__cause__, IllegalAction), "a programmer finds all of it"
    assert found.error.__traceback__ is not None
    (line,) = InANotebook(MINE.replace("99", "1 // 0").replace("zh-Hant", "en"), **given).lines
    assert line.startswith("Strategy Mine failed in line 3 (return 1 // 0): ZeroDivisionError: ")
    (line,) = InANotebook("duplicate(GAME, [], language='en')", **given).lines
    assert line.startswith("Give a list of at least one strategy")


def test_a_wrong_option_is_told_in_the_language_that_is_used() -> None:
    for language, start in (("en", "option"), ("zh-Hans", "选项"), ("zh-Hant", "選項")):
        use_language(language)
        with pytest.raises(ValueError, match="miss") as caught:
            Wizard(4, Options(miss="far"))  # type: ignore[arg-type]
        (line,) = caught.value._render_traceback_()  # type: ignore[attr-defined]
        assert line.startswith(f"{start} miss"), line
    with pytest.raises(ValueError, match="no language 'fr'; there are: 'zh-Hant', 'en', 'zh-Hans'"):
        use_language("fr")


@pytest.mark.parametrize(
    ("freedom", "exact"), [(1, 12.706), (4, 2.776), (9, 2.262), (30, 2.042), (999, 1.962)]
)
def test_intervals_of_few_deals_are_those_of_student(freedom: int, exact: float) -> None:
    assert t95(freedom) == pytest.approx(exact, rel=0.004)


@pytest.mark.parametrize("processes", [2, 3])
def test_any_number_of_processes_gives_the_same_result(processes: int) -> None:
    assert played(Low, AtRandom, deals=40, processes=processes) == played(Low, AtRandom, deals=40)


def test_a_seed_gives_the_same_result_and_no_seed_a_new_one() -> None:
    assert played(AtRandom, seed=7) == played(AtRandom, seed="7")
    assert played(AtRandom, seed=None).seed != played(AtRandom, seed=None).seed


@pytest.mark.parametrize("processes", [1, 2])
def test_a_tournament_goes_on_where_another_ended(processes: int) -> None:
    some = played(Low, AtRandom, deals=5)
    before = {
        name: {each: list(sat) for each, sat in found.items()}
        for name, found in some.numbers.items()
    }
    assert played(Low, AtRandom, deals=12, after=some, seed=None, processes=processes) == played(
        Low, AtRandom, deals=12
    )
    assert some.numbers == before
    assert played(Low, AtRandom, deals=5, after=some) == some
    for strategies, seating in (([Low, AtRandom, Low], "rotate"), ([Low, AtRandom], "all")):
        with pytest.raises(ArenaError, match="same game, strategies and seating"):
            played(*strategies, after=some, seating=seating)
    with pytest.raises(ArenaError, match="same game"):
        duplicate(Wizard(4, Options(short_game=2)), [Low, AtRandom], 12, after=some, progress=False)


def test_an_interrupted_tournament_keeps_whole_deals(capsys: pytest.CaptureFixture[str]) -> None:
    """The stop button comes in the last match of the fourth deal."""

    def stop(match: Match) -> Mapping[str, Sequence[float]]:
        if match.seed == "1/3" and sum(counted) % 2:
            raise KeyboardInterrupt
        counted.append(1)
        return {}

    counted: list[int] = []
    result = played(Low, AtRandom, statistics=stop, language="en")
    assert result == played(Low, AtRandom, deals=3)
    assert "3 of 6 deals are played and kept" in capsys.readouterr().out
    assert played(Low, AtRandom, after=result) == played(Low, AtRandom)
    with pytest.raises(KeyboardInterrupt):
        played(Low, statistics=lambda match: (_ for _ in ()).throw(KeyboardInterrupt))


class Endless(Strategy):
    time_limit = 0.1

    def bid(self, obs: Any) -> int:
        while True:
            pass


@pytest.mark.parametrize("processes", [1, 2])
def test_a_strategy_without_end_ends_a_tournament(processes: int) -> None:
    with pytest.raises(
        StrategyError, match=r"Endless\.bid thought for more than 0\.1 seconds and was stopped"
    ):
        played(AtRandom, Endless, deals=500, processes=processes)


def test_strategies_from_a_notebook_cell_work_on_several_processes() -> None:
    cell: dict[str, Any] = {"Strategy": Strategy, "__name__": "__main__"}
    exec("class Mine(Strategy):\n    def bid(self, obs):\n        return 0", cell)
    assert played(cell["Mine"], processes=2) == played(cell["Mine"])


def test_a_strategy_from_a_file_plays_as_the_file_says_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The processes stay for the next tournament, and have not noticed that it was loaded again."""
    file = tmp_path / "bidder.py"
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    for bid in (0, 1):
        file.write_text(
            f"from coursekit.core.strategy import Strategy\n\n\nHIGH = {bid}\n\n\n"
            "class Bidder(Strategy):\n    def bid(self, obs):\n        return HIGH\n",
            encoding="utf-8",
        )
        module = (
            importlib.reload(sys.modules["bidder"]) if bid else importlib.import_module("bidder")
        )
        assert played(module.Bidder, Low, processes=2) == played(module.Bidder, Low)
    del sys.modules["bidder"]


class Locked(Low):
    lock = Lock()


class Leaves(Low):
    def bid(self, obs: Any) -> Any:
        os._exit(3)


@pytest.mark.parametrize(
    ("strategy", "sentence"),
    [
        (Locked, "cannot be handed to other processes .*lock.* processes=1"),
        (Leaves, "A process ended .*os._exit"),
    ],
)
def test_what_no_process_can_play_is_told_in_one_sentence(
    strategy: type[Strategy], sentence: str
) -> None:
    with pytest.raises(ArenaError, match=sentence):
        played(strategy, processes=2)
    assert played(Low, processes=2) == played(Low), "the next one has new processes"


class Talks(Low):
    def bid(self, obs: Any) -> Any:
        print(f"I bid in {os.getpid()}")
        return 0


def test_a_cluster_of_dask_plays_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    cluster = distributed.Client(n_workers=1, threads_per_worker=2, dashboard_address=None)
    with cluster, joblib.parallel_config(backend="dask"):
        assert played(Low, Talks, deals=8, processes=2) == played(Low, Talks, deals=8)
        assert capsys.readouterr().out.count(f"I bid in {os.getpid()}") == 8 * 2 * 2 * 3, (
            "not those of the cluster"
        )
        with pytest.raises(StrategyError, match=r"Broken failed in line \d+ \(return 1 // 0\)"):
            played(Low, Broken, deals=12, processes=2)


def test_threads_play_the_same() -> None:
    with joblib.parallel_config(backend="threading"):
        assert played(Low, AtRandom, processes=2) == played(Low, AtRandom)


@pytest.mark.filterwarnings("error::pytest.PytestUnhandledThreadExceptionWarning")
class Careless(Strategy):
    """Does all that makes a match depend on what was before."""

    def bid(self, obs: Any) -> int:
        print(f"I bid {random.random()}")
        return random.choice(obs.legal)  # type: ignore[no-any-return]


def test_chance_and_what_is_printed_are_the_same_for_any_number_of_processes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    outcomes = []
    for processes in (1, 2, 3):
        random.seed(processes)
        before = random.getstate()
        result = played(Careless, Low, deals=12, processes=processes, language="en")
        assert random.getstate() == before
        outcomes.append((result, capsys.readouterr().out))
    assert outcomes[0] == outcomes[1] == outcomes[2]
    assert "more lines; a tournament shows" in outcomes[0][1]


KEEPS = """
class Keeps(Strategy):
    bids = 0

    def bid(self, obs):
        Keeps.bids += 1
        return 0
"""


@pytest.mark.parametrize("processes", [1, 2])
def test_a_tournament_tells_once_what_outlives_a_match(processes: int) -> None:
    cell: dict[str, Any] = {"Strategy": Strategy, "__name__": "__main__"}
    exec(KEEPS, cell)
    with pytest.warns(UserWarning, match="bids") as told:
        played(cell["Keeps"], Low, deals=8, processes=processes, language="en")
    assert len(told) == 1
    with warnings.catch_warnings(action="error"):
        played(cell["Keeps"], Low, deals=8, processes=processes, language="en")


def test_a_failing_strategy_leaves_the_processes_to_the_next(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def at_work() -> set[str]:
        played(Talks, deals=8, processes=2)
        return set(re.findall(r"I bid in (\d+)", capsys.readouterr().out))

    before = at_work()
    for _ in range(5):
        with pytest.raises(StrategyError):
            played(Broken, deals=12, processes=2)
    assert before & at_work()


@pytest.mark.parametrize("processes", [1, 2])
def test_a_failing_strategy_is_named_with_its_line(processes: int) -> None:
    with pytest.raises(
        StrategyError, match=r"Broken failed in line \d+ \(return 1 // 0\): ZeroDivisionError"
    ):
        played(Low, Broken, processes=processes)
    with pytest.raises(StrategyError, match="Nonsense chose 99, which is not allowed"):
        played(Nonsense, processes=processes)
    with pytest.raises(StrategyError, match="策略 Broken 在第"):
        played(Broken, processes=processes, language="zh-Hant")


@pytest.mark.parametrize(
    ("strategies", "given", "sentence"),
    [
        ([], {}, r"at least one strategy.*not \[\]"),
        (None, {}, "at least one strategy.*not None"),
        (Low, {}, "at least one strategy.*not <class"),
        ([Low, 3], {}, "3 is no strategy"),
        ([Low, "Nobody"], {}, "no strategy 'Nobody'; there are: AtRandom, Cautious"),
        ([Low(Random(1), GAME)], {}, "the class Low itself"),
        ([Low, type("Low", (Strategy,), {})], {}, "Two different strategies are called Low"),
        ([Low], {"deals": 0}, "deals must be a whole number of at least 1, not 0"),
        ([Low], {"deals": 2.5}, "deals .* not 2.5"),
        ([Low], {"deals": True}, "deals .* not True"),
        (
            [Low],
            {"seating": "round"},
            "seating is one of 'rotate', 'pairs', 'field', 'all', not 'round'",
        ),
        (
            [Low, Low],
            {"seating": "pairs"},
            'seating="pairs" takes at least two different strategies',
        ),
        (
            [type(f"S{n}", (Low,), {}) for n in range(7)],
            {"seating": "all"},
            "take 2401 matches a deal, and 2000 is",
        ),
        ([Low], {"processes": 0}, "processes .* not 0"),
        ([Low], {"language": "fr"}, "language 'fr'"),
        ([Low], {"statistics": lambda match: {"luck": [1]}}, "luck.*4 players, but it has 1"),
    ],
)
def test_a_wrong_request_is_refused_in_one_sentence(
    strategies: Any, given: Any, sentence: str
) -> None:
    with pytest.raises(ValueError, match=sentence):
        duplicate(GAME, strategies, **{"deals": 1, "progress": False} | given)


def test_the_table_has_the_best_strategy_first_and_a_column_for_each_statistic() -> None:
    result = played(
        AtRandom, Low, language="en", statistics=lambda match: {"log": [len(match.log)] * 4}
    )
    caption, head, *rows = str(result).splitlines()
    assert (
        caption
        == "Wizard, 4 players: 6 deals, seats rotated, 12 matches; mean ± 95% confidence interval"
    )
    assert head.split("  ")[0] == "Strategy"
    assert "log" in head
    means = [float(row.split("±")[0].split()[-1].replace("−", "-")) for row in rows]
    assert means == sorted(means, reverse=True)
    assert [row.split()[0] for row in rows] == [
        {"AtRandom": "Random"}.get(name, name) for name in result.ranking
    ]
    assert result.mean(Low, "log") == 38  # 3 · 4 bids, 6 · 4 cards, 2 new rounds


def test_columns_stand_below_each_other_in_chinese_too() -> None:
    from coursekit.arena.result import _width

    _, *rows = str(played(AtRandom, Low, language="zh-Hant")).splitlines()
    assert len({_width(row) for row in rows}) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_in_html_has_a_caption_and_scopes(language: str) -> None:
    escaped = type("A<b>", (Low,), {})
    html = played(escaped, AtRandom, language=language)._repr_html_()
    parser, tags = HTMLParser(), []
    parser.handle_starttag = lambda tag, attrs: tags.append((tag, dict(attrs)))  # type: ignore[method-assign]
    parser.feed(html)
    assert ("table", {"lang": language}) in tags
    assert sum(tag == "caption" for tag, _ in tags) == 1
    assert {attrs["scope"] for tag, attrs in tags if tag == "th"} == {"col", "row"}
    assert "A&lt;b&gt;" in html


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_plot_says_in_words_what_it_shows(language: str) -> None:
    result = played(AtRandom, Low)
    html = result.plot(language=language)._repr_html_()
    assert all(format_signed(f"{result.mean(name):.1f}") in html for name in result.ranking)


def test_bars_hold_all_numbers_and_equally_many_values() -> None:
    assert _edges([0, 10, 30]) == [-5, 5, 15, 25, 35]
    assert _edges([5, 5]) == [4.5, 5.5]
    assert _edges([0.5]) == [0.5, 1.5]
    wide = _edges([10.0 * each for each in range(60)])
    assert {high - low for low, high in pairwise(wide)} == {30}


def test_what_takes_longer_shows_how_far_it_is_and_what_it_tells(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "PATIENCE", 1e9)
    played(Low, progress=True, language="en")
    assert capsys.readouterr().err.strip() == "", "it is over before there is anything to show"
    monkeypatch.setattr(progress, "PATIENCE", 0)
    result = duplicate(GAME, [Cautious, AtRandom], 6, 1, progress=True, language="en")
    shown = capsys.readouterr().err
    assert "deals" in shown
    lead = result.difference(Cautious, AtRandom)
    assert lead is not None
    assert f"Cautious − Random: {format_estimate(lead.mean, lead.interval)}" in shown


def test_names_of_the_kit_stand_for_its_strategies() -> None:
    said = [duplicate(GAME, names, 2, 1, progress=False) for names in (["小心"], ["Cautious"])]
    assert said[0] == said[1] == duplicate(GAME, [Cautious], 2, 1, progress=False)
    assert play(GAME, ["小心", Low], 1).log == play_out(GAME, [Cautious, Low] * 2, 1).log


@pytest.mark.parametrize("processes", [1, 2])
def test_it_stops_where_the_evidence_is_clear(
    processes: int, capsys: pytest.CaptureFixture[str]
) -> None:
    given = {"until_clear": True, "progress": False, "language": "en", "processes": processes}
    result = duplicate(GAME, [Cautious, AtRandom], 500, 1, **given)
    assert result.deals == 10
    assert "stopped after 10 of 500 deals" in capsys.readouterr().out
    assert result == duplicate(GAME, [Cautious, AtRandom], 10, 1, progress=False)
    lead = result.difference(Cautious, AtRandom)
    assert lead is not None
    assert lead.proved


def test_chance_rarely_stops_a_tournament_between_equals() -> None:
    stops = 0
    tournaments = some(4000)
    rng = stream("equals", "points")
    for _ in range(tournaments):
        samples: Samples = {kind.__name__: {"points": []} for kind in (Low, AtRandom)}
        for deal in range(1, 161):
            for sample in samples.values():
                sample["points"].append((rng.random(),))
            if deal in (10, 20, 40, 80, 160):
                result = Numbers(GAME, deal, ((Low, AtRandom),), "1", "en", samples)
                if is_clear(result, 320):
                    stops += 1
                    break
    assert stops <= tournaments * 2 / FALSE_STOPS


learned: dict[object, int] = {}


class Learns(Low):
    def bid(self, obs: Any) -> Any:
        return learned.setdefault((obs.hand, obs.bids), 0)


def test_what_takes_long_is_shared_by_all_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = duplicate(GAME, [Low, AtRandom], 30, 1, processes=1, progress=False)
    calls: list[int] = []
    module = importlib.import_module("coursekit.arena.duplicate")
    workers = importlib.import_module("coursekit.arena.workers")
    play_with_workers = workers.play_with_workers

    def note(jobs: Any, tasks: Any, *given: Any) -> Any:
        calls.append(len(tasks))
        return play_with_workers(jobs, tasks, *given)

    monkeypatch.setattr(workers, "count_cores", lambda: 2)
    monkeypatch.setattr(workers, "play_with_workers", note)
    assert duplicate(GAME, [Low, AtRandom], 30, 1, progress=False) == alone
    assert calls == [], "it is over before others would have started"
    monkeypatch.setattr(module, "PATIENCE", 0)
    monkeypatch.setattr(module, "WORTH_SHARING", 0)
    assert duplicate(GAME, [Low, AtRandom], 30, 1, progress=False) == alone
    assert calls == [29]
    noted: list[Match] = []
    statistics = {"statistics": lambda match: noted.append(match) or {}}
    duplicate(GAME, [Low, AtRandom], 4, 1, progress=False, **statistics)
    assert len(noted) == 8, "what a statistic notes stays here"

    class Holds(Low):
        lock = Lock()  # which cannot be sent

    duplicate(GAME, [Holds, AtRandom], 4, 1, progress=False)
    assert calls == [29]
    duplicate(GAME, [Learns, AtRandom], 4, 1, progress=False)
    assert calls == [29]
    assert len(learned) > 2, "what it learns stays here"
