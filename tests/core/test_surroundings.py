"""What learners' code finds around it in a match: chance, printing, a keyboard; and what it leaves
behind.
"""

import builtins
import random
import sys
import warnings
from itertools import count
from types import ModuleType

import pytest
from jupyter_client.manager import start_new_kernel

from coursekit.core.match import play_out
from coursekit.core.strategy import AtRandom, Strategy, StrategyError
from coursekit.games.wizard import Options, Wizard
from coursekit.table.run import Run
from coursekit.words.language import use_language
from tests.lanes import START

INPUT = builtins.input
SHORT = Wizard(3, Options(short_game=2))


class Gambles(Strategy):
    """Uses the chance of the process, as pupils do."""

    def __init__(self, rng, game):
        super().__init__(rng, game)
        self.first = random.random()

    def bid(self, obs):
        return round(self.first * obs.size)

    def play(self, obs):
        return random.choice(obs.legal)


def test_a_seed_repeats_a_match_that_uses_random():
    logs = []
    for start in range(3):
        random.seed(start)
        before = random.getstate()
        logs.append(play_out(SHORT, [Gambles] * 3, seed=7).log)
        assert random.getstate() == before
    assert logs[0] == logs[1] == logs[2]
    assert play_out(SHORT, [Gambles] * 3, seed=8).log != logs[0]


def test_a_seed_repeats_a_match_that_uses_numpy():
    numpy = pytest.importorskip("numpy")

    class Draws(Strategy):
        def play(self, obs):
            return int(numpy.random.choice(obs.legal))

    logs = []
    for start in range(2):
        numpy.random.seed(start)
        expected = numpy.random.random(3).tolist()
        numpy.random.seed(start)
        logs.append(play_out(SHORT, [Draws] * 3, seed=7).log)
        assert numpy.random.random(3).tolist() == expected
    assert logs[0] == logs[1]


def test_a_seed_repeats_a_table_that_uses_random():
    tables = []
    for start in range(2):
        random.seed(start)
        run = Run(SHORT, [Gambles] * 3, seed="table")
        while not run.match.over:
            run.go_on()
            random.random()  # as other cells of a notebook do
        tables.append(run.match.log)
    assert tables[0] == tables[1]


def test_chance_goes_on_at_a_table():
    drawn = []

    class Draws(Strategy):
        def play(self, obs):
            drawn.append(random.random())
            return obs.legal[0]

    run = Run(SHORT, [Draws] * 3)
    while not run.match.over:
        run.go_on()
    assert len(drawn) == len(set(drawn)) == 9


def told(kind):
    """Return what is told of a match that *kind* ends."""
    with pytest.raises(StrategyError) as error:
        play_out(SHORT, [kind, AtRandom, AtRandom], seed=1)
    assert error.value.sentence("zh-Hant") != str(error.value)
    assert error.value.outline("en") == str(error.value)  # it names no card
    return str(error.value)


def play(kind):
    return play_out(SHORT, [kind, AtRandom, AtRandom], seed=1)


@pytest.mark.parametrize("way", ["exit()", "quit()", "sys.exit(1)", "raise SystemExit"])
def test_what_ends_python_is_refused(way, monkeypatch):
    class Shell:
        """As IPython's, whose ``exit`` ends the kernel after the cell."""

        has_ended = False

        def ask_exit(self):
            self.has_ended = True

    shell = Shell()
    ipython = ModuleType("IPython")
    ipython.get_ipython = lambda: shell
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    names = {"exit": lambda: shell.ask_exit(), "quit": lambda: shell.ask_exit(), "sys": sys}

    class Ends(Strategy):
        def bid(self, obs):
            exec(way, names)

    assert "Ends wanted to end all of Python in line" in told(Ends)
    assert not shell.has_ended
    shell.ask_exit()
    assert shell.has_ended


def test_nobody_answers_during_a_match():
    class Asks(Strategy):
        def bid(self, obs):
            return int(input("How many? "))

    assert "Asks calls input in line" in told(Asks)
    assert builtins.input is INPUT


@pytest.mark.parametrize("lines", [99, 100, 101, 5000])
def test_what_is_printed_in_a_match_is_bounded(lines, capsys):
    class Prints(Strategy):
        left = lines

        def bid(self, obs):
            while Prints.left:
                print("line", Prints.left)
                Prints.left -= 1
            return 0

    with warnings.catch_warnings(action="ignore"):
        play(Prints)
    printed = capsys.readouterr().out.splitlines()
    assert printed[:99] == [f"line {number}" for number in range(lines, lines - 99, -1)]
    if lines <= 100:
        assert len(printed) == lines
    else:
        assert len(printed) == 101
        assert f"{lines - 100} 行" in printed[-1]


def test_errors_that_are_printed_are_bounded_too(capsys):
    class Complains(Strategy):
        def bid(self, obs):
            sys.stderr.write("no\n" * 300)
            return 0

    before = sys.stdout, sys.stderr
    play(Complains)
    assert (sys.stdout, sys.stderr) == before
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("no\n") == 100
    assert "500 行" in printed.err.splitlines()[-1]


def test_a_long_line_is_cut_and_told(capsys):
    class Shouts(Strategy):
        def bid(self, obs):
            print("x" * 10**6)
            return 0

    play(Shouts)
    printed = capsys.readouterr().out
    assert len(printed) < 11_000
    assert printed.splitlines()[-1].startswith("……")


counted = count()
seen: list[int] = []
total = 0
unused: list[int] = []


def note(card):
    seen.append(card)


class Counts(Strategy):
    matches = 0

    def bid(self, obs):
        Counts.matches += 1
        return 0


class Collects(Strategy):
    cards: list[int] = []  # noqa: RUF012

    def bid(self, obs):
        self.cards.append(obs.hand[0])
        return 0


class Nests(Strategy):
    cards = {"all": [0]}  # noqa: RUF012

    def bid(self, obs):
        self.cards["all"][0] += 1
        return 0


class CountsToo(Strategy):
    matches = 0

    def bid(self, obs):
        CountsToo.matches += 1
        return 0


class Inherits(CountsToo):
    pass


class OwnChance(Strategy):
    chance = random.Random(5)

    def bid(self, obs):
        return round(self.chance.random() * obs.size)


class Outside(Strategy):
    def bid(self, obs):
        global total
        total += 1
        return 0


class OutsideInAFunction(Strategy):
    def bid(self, obs):
        note(obs.hand[0])
        return 0


class CountsOutside(Strategy):
    def bid(self, obs):
        return min(next(counted), obs.size)


LASTING = {
    Counts: "Counts.matches changed",
    Collects: "Collects.cards changed",
    Nests: "Nests.cards changed",
    Inherits: "CountsToo.matches changed",
    OwnChance: "OwnChance.chance changed",
    Outside: "variable total outside of Outside",
    OutsideInAFunction: "variable seen outside of OutsideInAFunction",
    CountsOutside: "variable counted outside of CountsOutside",
}


@pytest.mark.parametrize("kind", LASTING)
def test_what_outlives_a_match_is_told_once(kind):
    use_language("en")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        play(kind)
        play(kind)
    sentences = [str(warning.message) for warning in caught]
    assert len(sentences) == 1
    assert LASTING[kind] in sentences[0]
    assert caught[0].filename == __file__


known: dict[int, int] = {}


def test_what_belongs_to_a_match_is_not_told():
    class Remembers(Strategy):
        limit = 3
        table = (1, 2)

        def __init__(self, rng, game):
            super().__init__(rng, game)
            self.cards = []
            self.limit = 4

        def bid(self, obs):
            self.cards.append(obs.hand[0])
            self.limit += 1
            known[obs.hand[0]] = 1
            return len(unused)

    with warnings.catch_warnings(action="error"):
        assert play(Remembers).over


ACCIDENTS = {
    "exit()": "wanted to end all of Python in line 3 (exit())",
    "quit()": "wanted to end all of Python in line 3 (quit())",
    "return int(input())": "calls input in line 3 (return int(input()))",
    "while True: pass": "and was stopped, in line 3 (while True: pass)",
}


def test_a_kernel_keeps_all_that_it_has_after_an_accident():
    manager, client = start_new_kernel(kernel_name="python3", startup_timeout=START)
    errors, results = [], []

    def hear(message):
        content = message["content"]
        if message["msg_type"] == "error":
            errors.append("".join(content["traceback"]))
        elif message["msg_type"] == "execute_result":
            results.append(content["data"]["text/plain"])

    def run(code):
        client.execute_interactive(code, timeout=START, output_hook=hear, allow_stdin=False)

    try:
        run(
            "from coursekit import Strategy, Wizard, play, use_language\n"
            "kept = play(Wizard(3), ['AtRandom'], seed=1)\n"
            "use_language('en')"
        )
        results.clear()
        for accident, sentence in ACCIDENTS.items():
            run(
                f"class Mine(Strategy):\n    def bid(self, obs):\n        {accident}\n"
                "play(Wizard(3), [Mine], seed=1)"
            )
            run("len(kept.log)")
            assert sentence in errors[-1]
        assert results == ["711"] * len(ACCIDENTS)
        assert len(errors) == len(ACCIDENTS)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
