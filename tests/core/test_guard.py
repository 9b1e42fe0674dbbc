"""Accidents in a learner's strategy: each is told in one sentence, and none of them takes longer
than it may.
"""

import gc
import math
import re
import signal
import sys
import time
import weakref
from collections.abc import Callable
from contextlib import suppress
from io import StringIO
from itertools import count
from random import Random
from threading import Event, Thread
from typing import Any

import pytest

from coursekit.core import memory, watchdog
from coursekit.core.match import play_out
from coursekit.core.search import Searcher
from coursekit.core.strategy import AtRandom, Strategy, StrategyError
from coursekit.games.wizard import Options, Wizard
from coursekit.games.wizard.strategies import CardCounter

STOPPED = r"\.bid thought for more than 0\.1 seconds and was stopped, in line \d+ \("
TOOK = r"\.bid (thought for|took [\d.]+ seconds?) .*0\.1 seconds.* stopped, in line \d+ \("


def memory_limits() -> object:
    """Return the bounds that the system sets to the memory of this process."""
    resource = pytest.importorskip("resource") if sys.platform == "linux" else None
    return resource and resource.getrlimit(resource.RLIMIT_DATA)


LIMITS = memory_limits()


class Quick(Strategy):
    """May take a tenth of a second."""

    time_limit = 0.1


class Raises(Quick):
    def bid(self, obs):
        return 1 / 0


class Illegal(Quick):
    def bid(self, obs):
        return -7


class Exits(Quick):
    def bid(self, obs):
        raise SystemExit(3)


class CallsExit(Quick):
    def bid(self, obs):
        exit()


class OwnBase(Quick):
    def bid(self, obs):
        class EndOfAll(BaseException):
            pass

        raise EndOfAll("at all")


class Interrupts(Quick):
    def bid(self, obs):
        raise KeyboardInterrupt


class Recurses(Quick):
    def bid(self, obs):
        return self.bid(obs)


class Sleeps(Quick):
    def bid(self, obs):
        time.sleep(600)


class Loops(Quick):
    def bid(self, obs):
        while True:
            pass


class LoopsInAHelper(Quick):
    def bid(self, obs):
        return counted_up()


def counted_up():
    number = 0
    while True:
        number += 1


class Prints(Quick):
    def bid(self, obs):
        while True:
            print("a line of forty letters and a few more. " * 5)


class Catches(Quick):
    def bid(self, obs):
        while True:
            try:
                len("")
            except:  # noqa: E722
                continue


class CatchesTwice(Quick):
    def bid(self, obs):
        while True:
            try:
                while True:
                    with suppress(BaseException):
                        counted_up()
            except BaseException:
                continue


class GoesOn(Quick):
    def bid(self, obs):
        while True:
            try:
                counted_up()
            finally:
                continue  # noqa: B012


class GivesIn(Quick):
    def bid(self, obs):
        try:
            counted_up()
        except BaseException:
            return 0


class MakesWorse(Quick):
    def bid(self, obs):
        try:
            counted_up()
        except BaseException:
            raise ValueError("no") from None


class OneCall(Quick):
    """Nothing interrupts the call, but it ends."""

    def bid(self, obs):
        return sum(range(5 * 10**7)) % 2


class OneComparison(Quick):
    """It is over before an alarm is heard."""

    def bid(self, obs):
        return None in range(5 * 10**7)


class OneHugeList(Quick):
    def bid(self, obs):
        return len([obs.seat] * 2 * 10**8)


class LoopsAtFirst(Quick):
    def __init__(self, rng, game):
        super().__init__(rng, game)
        counted_up()

    def bid(self, obs):
        return 0


ACCIDENTS = {
    Raises: r"Strategy Raises failed in line \d+ \(return 1 / 0\): ZeroDivisionError",
    Illegal: r"In bid .* strategy Illegal chose -7",
    Exits: r"Exits wanted to end all of Python in line \d+ \(raise SystemExit\(3\)\)",
    CallsExit: r"CallsExit wanted to end all of Python in line \d+ \(exit\(\)\)",
    OwnBase: r"EndOfAll: at all",
    Interrupts: r"\(raise KeyboardInterrupt\)",
    Recurses: r"\(return self\.bid\(obs\)\): RecursionError",
    Sleeps: "Sleeps" + STOPPED + r"time\.sleep\(600\)",
    Loops: "Loops" + STOPPED,
    LoopsInAHelper: "LoopsInAHelper" + STOPPED + "(number|while)",
    Prints: "Prints" + STOPPED,
    Catches: "Catches" + STOPPED,
    CatchesTwice: "CatchesTwice" + STOPPED + "(number|while)",
    GoesOn: "GoesOn" + STOPPED + "(number|while)",
    GivesIn: "GivesIn" + STOPPED,
    MakesWorse: "MakesWorse" + STOPPED,
    OneCall: "OneCall" + TOOK + r"return sum\(",
    OneComparison: "OneComparison" + TOOK + r"def bid\(",
    LoopsAtFirst: r"LoopsAtFirst\.__init__ thought for more than 0\.1 seconds",
}


def failed(kind: type[Strategy]) -> StrategyError:
    """Return what is told of a match in which *kind* plays."""
    with pytest.raises(StrategyError) as error:
        play_out(Wizard(3), [CardCounter, kind, CardCounter], seed="guard")
    return error.value


@pytest.mark.parametrize("kind", ACCIDENTS)
def test_an_accident_is_one_sentence(kind, capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", StringIO())  # exit() closes it
    error = failed(kind)
    assert error.seat == 1
    assert str(error).count("\n") == 0
    assert re.search(ACCIDENTS[kind], str(error))
    assert error.sentence("zh-Hant") != str(error)
    assert len(capsys.readouterr().out) < 70_000
    if hasattr(signal, "setitimer"):
        assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


class LeftBehind(Quick):
    over = Event()

    def bid(self, obs):
        self.over.wait(600)  # not in Python's hands while it waits


def in_a_thread(work: Callable[[], Any]) -> Any:
    """Return what *work* does in a thread that is not the main one."""
    found: list[Any] = []
    thread = Thread(target=lambda: found.append(work()))
    thread.start()
    thread.join()
    return found[0]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "kind", [LeftBehind, Raises, LoopsInAHelper, GivesIn, LoopsAtFirst, OneCall, OneComparison]
)
def test_it_is_the_same_sentence_in_another_thread(kind):
    error = in_a_thread(lambda: failed(kind))
    LeftBehind.over.set()
    assert error.seat == 1
    assert re.search(ACCIDENTS.get(kind, kind.__name__ + STOPPED), str(error))


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="there are no alarms")
def test_an_alarm_of_somebody_else_is_left_alone():
    def rings(*_):
        raise AssertionError

    before = signal.signal(signal.SIGALRM, rings)
    signal.setitimer(signal.ITIMER_REAL, 600)
    try:
        assert "Loops.bid" in str(failed(Loops))
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 500
        assert signal.getsignal(signal.SIGALRM) is rings
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_the_stop_button_stops_everything():
    class IsStopped(Quick):
        def bid(self, obs):
            signal.raise_signal(signal.SIGINT)

    before = signal.signal(
        signal.SIGINT, signal.default_int_handler
    )  # a shell's job in the background has none
    try:
        with pytest.raises(KeyboardInterrupt):
            play_out(Wizard(3), [IsStopped] * 3)
    finally:
        signal.signal(signal.SIGINT, before)


def test_many_slow_decisions_use_up_the_bank(monkeypatch):
    monkeypatch.setattr(watchdog, "BANK", 0.1)
    monkeypatch.setattr(watchdog, "SHARE", 2000)

    class Slow(Strategy):
        time_limit = 60.0
        bids = 0

        def bid(self, obs):
            Slow.bids += 1
            time.sleep(0.15)
            return 0

    assert "Slow.bid thought for more than 0.03 seconds too often" in str(failed(Slow))
    assert Slow.bids <= 3


def test_memory_is_limited_and_given_back(monkeypatch):
    pytest.importorskip("psutil")
    monkeypatch.setattr(watchdog, "MEMORY", 64)

    class Heap(list):
        """Can be watched."""

    heaps = []

    class Fills(Strategy):
        time_limit = 60.0

        def bid(self, obs):
            heap = Heap()
            heaps.append(weakref.ref(heap))
            while True:
                heap.append(b"x" * 100_000)

    error = failed(Fills)
    assert "Fills.bid asked for more than 64 MB of memory" in str(error)
    gc.collect()
    assert heaps[0]() is None  # though the error is still there, with its traceback


class EndlessList(Quick):
    """The alarm may come while it is told that there is no more memory."""

    def bid(self, obs):
        return list(count())


def test_no_line_of_the_kit_is_named_for_an_alarm_that_comes_late(monkeypatch):
    monkeypatch.setattr(watchdog, "MEMORY", 1)
    monkeypatch.setattr(memory, "ROOM", 8)
    assert re.search(r"EndlessList\.bid .* in line \d+ \(return list", str(failed(EndlessList)))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux refuses memory")
def test_memory_is_refused_all_at_once():
    asks = r"OneHugeList\.bid asked for more than 512 MB of memory and was stopped, in line \d+ \(return"
    assert re.search(asks, str(failed(OneHugeList)))
    assert memory_limits() == LIMITS


def test_some_may_take_as_long_as_they_like():
    class Patient(Quick):
        time_limit = math.inf

        def bid(self, obs):
            if not obs.bids:
                time.sleep(0.2)
            return 0

    class Debugged(Patient):
        time_limit = 0.1

    class Thinks(Searcher):
        budget = 2000

    class Counts(Searcher):
        playouts = 9

    game = Wizard(3, Options(short_game=1))
    assert play_out(game, [AtRandom, Patient, AtRandom]).over
    before = sys.gettrace()
    sys.settrace(lambda *_: None)  # as a debugger does, whose reader thinks
    try:
        assert play_out(game, [AtRandom, Debugged, AtRandom]).over
    finally:
        sys.settrace(before)
    assert Thinks(Random(1), game).time_limit / watchdog.SHARE > 2
    assert Counts(Random(1), game).time_limit == math.inf
    assert Thinks.guarded
    assert not CardCounter.guarded
    assert not AtRandom.guarded
