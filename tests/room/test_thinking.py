"""Strategies think in processes of their own; one that never answers holds up nobody."""

from contextlib import suppress
from queue import Queue

import psutil
import pytest
import thinkers
from classroom import class_of, short
from lanes import PATIENCE

from coursekit.core.strategy import AtRandom
from coursekit.room import strategy_process
from coursekit.room.room_table import Job
from coursekit.room.strategy_process import StrategyProcesses, decide
from coursekit.table.players import player_key


def jobs(game="wizard", players=3, table=1):
    """Return a job for each seat in the first moment of a match in which it can decide."""
    classroom = class_of([[""] * players], short(game, players))
    at, found = classroom.lesson.tables[1], {}
    while len(found) < players:
        classroom.wait(0.5)
        for seat in at.to_act:
            seen = at.game.observe(at.run.match.state, seat)
            found.setdefault(
                seat,
                Job(table, 0, seat, str(at.seats[seat]), "en", at.game, at.run.match.seed, seen),
            )
    return [found[seat] for seat in range(players)]


class Thinking:
    """Workers whose answers are collected."""

    def __init__(self, count=1, **given):
        self.answers = Queue()
        self.workers = StrategyProcesses(count, lambda *answer: self.answers.put(answer), **given)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.workers.close()

    def answer(self, *asked):
        """Return what is answered to jobs, in the order of the answers."""
        for job in asked:
            self.workers.ask(job)
        return [self.answers.get(timeout=PATIENCE) for _ in asked]


@pytest.fixture
def patient(monkeypatch):
    """Let a decision take as long as a machine with other work needs."""
    monkeypatch.setattr(strategy_process, "DEADLINE", PATIENCE)


def is_legal(job, action):
    return action in job.observation.legal


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize(("game", "players"), [("wizard", 3), ("blockade", 4)])
def test_a_worker_decides_what_the_strategy_decides(game, players):
    asked = jobs(game, players)
    with Thinking() as thinking:
        for job, action, stopped in thinking.answer(*asked):
            assert not stopped
            assert action == decide(job, {})


def test_jobs_of_one_table_are_answered_in_order():
    one, two = jobs(table=1), jobs(table=2)
    with Thinking(2) as thinking:
        answers = thinking.answer(*[each for pair in zip(one * 3, two * 3) for each in pair])
    for table, asked in ((1, one), (2, two)):
        assert [job.seat for job, *_ in answers if job.table == table] == [
            job.seat for job in asked
        ] * 3


def test_a_strategy_that_loops_for_ever_is_replaced_and_later_jobs_are_answered():
    asked = jobs()
    with Thinking(work=thinkers.loops) as thinking:
        (first,) = thinking.answer(asked[0])
        assert first[2]
        assert is_legal(asked[0], first[1])
        for job, action, stopped in thinking.answer(*asked[1:], asked[0], asked[1]):
            assert stopped == (job.seat == 0)
            assert is_legal(job, action)


@pytest.mark.usefixtures("patient")
def test_a_process_that_dies_is_replaced():
    asked = jobs()
    with Thinking(work=thinkers.dies) as thinking:
        for job, action, stopped in thinking.answer(asked[0], asked[1], asked[0], asked[2]):
            assert stopped == (job.seat == 0)
            assert is_legal(job, action)


def test_where_no_process_begins_strategies_play_at_random():
    asked = jobs()
    with Thinking(work=thinkers.never_begins) as thinking:
        for job, action, stopped in thinking.answer(*asked):
            assert stopped
            assert is_legal(job, action)


@pytest.mark.usefixtures("patient")
def test_a_strategy_that_raises_is_replaced_by_a_random_action():
    (job, *_) = jobs()
    with Thinking() as thinking:
        wrong, right = (
            job._replace(player="no such strategy"),
            job._replace(player=player_key(AtRandom)),
        )
        assert [stopped for *_, stopped in thinking.answer(wrong, right)] == [True, False]


def is_worker(process: psutil.Process) -> bool:
    """Return whether *process* is one of a pool, and not what an earlier test has left to be reaped."""
    with suppress(psutil.NoSuchProcess):
        return "spawn_main" in " ".join(process.cmdline())
    return False


def test_no_process_is_left_behind():
    with Thinking(2, work=thinkers.loops) as thinking:
        thinking.answer(*jobs())
        workers = [child for child in psutil.Process().children() if is_worker(child)]
        assert workers
    _, alive = psutil.wait_procs(workers, timeout=PATIENCE)
    assert not alive


@pytest.mark.usefixtures("patient")
def test_a_strategy_remembers_its_match():
    """The second decision of a seat is one of the same strategy, as in a match without a room."""
    asked = jobs()
    seated = {}
    expected = [decide(job, seated) for job in [*asked, *asked]]
    with Thinking() as thinking:
        assert [action for _, action, _ in thinking.answer(*asked, *asked)] == expected
